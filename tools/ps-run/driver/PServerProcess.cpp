// SPDX-License-Identifier: Apache-2.0
//===- PServerProcess.cpp - the role of a pserver -------------------------===//
//
// Compiles the updates of the blocks and tables that this pserver holds,
// listens, and serves until all trainers have completed or the job fails.
//
// Its part of a checkpoint is the rows of its tables and the optimizer state of
// its rows; trainer 0 saves the model. Only PServerSaver::stage() reads what
// updates change.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/driver/PServerProcess.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/SlotFiles.h"
#include "runtime/links/Direct.h"
#include "runtime/links/Grpc.h"
#include "tools/ps-run/driver/Checkpoint.h"
#include "tools/ps-run/driver/JobOptions.h"
#include "tools/ps-run/driver/Membership.h"
#include "tools/ps-run/interrupt/StopForOther.h"
#include "tools/ps-run/output/Metrics.h"
#include "tools/ps-run/recovery/Recovery.h"
#include <algorithm>
#include <cstdio>

using namespace ps;
using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

/// The folder for the pserver's part: its own --save overrides trainer 0's.
std::string PServerSaver::folderOf(const SaveFolder &folder) const {
  if (folder.fixed || folder.best)
    return folder.dir;
  for (const SaveTarget &own : config.saves)
    if (own.rows == folder.rows)
      return own.dir;
  return folder.dir;
}

bool PServerSaver::holdsAnything() const {
  return !process.tables.empty() || !slotParts(*process.store).empty();
}

absl::Status PServerSaver::checkOwn() const {
  if (holdsAnything())
    for (const SaveTarget &save : config.saves)
      RETURN_IF_ERROR(checkWritable(save.dir));
  return absl::OkStatus();
}

/// The folder is named by another process, which is worth a line on stderr.
absl::Status PServerSaver::check(std::span<const SaveFolder> folders) {
  for (const SaveFolder &folder : folders) {
    const bool isOwn = !folder.fixed && !folder.best;
    announced = announced || isOwn;
    if (!holdsAnything())
      continue;
    const std::string dir = folderOf(folder);
    RETURN_IF_ERROR(checkWritable(dir));
    if (config.saves.empty() || !isOwn)
      logInfo(absl::StrCat("trainer 0 has this pserver save its part to '",
                           printable(dir), "'"));
  }
  return absl::OkStatus();
}

/// The optimizer state of this pserver's rows, in one file per pserver.
absl::Status PServerSaver::stageSlots(const std::string &dir,
                                      std::vector<std::string> &names) {
  const std::string path = slotPartPath(dir, index, count);
  std::vector<NamedTensor> slots = slotParts(*process.store);
  for (const HeldTable &held : process.tables)
    if (isSavedAsVariable(held.table->spec()))
      addRowSlots(*held.table, held.shard, slots);
  for (const std::string &stale : findSlotParts(dir, count))
    staged->remove(stale);
  if (slots.empty()) {
    staged->remove(path);
    return absl::OkStatus();
  }
  names = {slotPartPath("", index, count)};
  return staged->add(path, slots);
}

absl::StatusOr<SavedPart>
PServerSaver::stage(std::span<const SaveFolder> folders) {
  RETURN_IF_ERROR(process.store->download());
  staged.emplace();
  dirs.clear();
  SavedPart part;
  for (const SaveFolder &folder : folders) {
    const std::string dir = folderOf(folder);
    dirs.push_back(dir);
    // Without anything to save, the files of an older job are still removed.
    if (holdsAnything())
      RETURN_IF_ERROR(checkWritable(dir));
    RETURN_IF_ERROR(
        stageTables(process, dir, folder.rows, folder.fixed, *staged));
    RETURN_IF_ERROR(stageSlots(dir, part.optimizerFiles));
  }
  return part;
}

absl::StatusOr<std::string> PServerSaver::flush() { return staged->flush(); }

absl::StatusOr<std::vector<SavedFile>>
PServerSaver::seal(const std::string &checkpointId) {
  RETURN_IF_ERROR(staged->seal(checkpointId));
  std::vector<SavedFile> files;
  for (size_t i = 0; i != dirs.size(); ++i)
    for (const auto &[name, checksum] : staged->sealedIn(dirs[i]))
      files.push_back({static_cast<uint32_t>(i), name, checksum});
  return files;
}

absl::Status PServerSaver::publish(const std::string &checkpointId) {
  absl::Status status = staged->publish(checkpointId);
  staged.reset();
  return status;
}

absl::Status PServerSaver::checkUse() const {
  if (announced || config.saves.empty())
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "nothing is saved in '", config.saves.back().dir,
      "': --save of a pserver says where its part of the model goes, but "
      "trainer 0 runs without --save"));
}

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

/// The tables of `process`, which nothing updates yet.
static std::vector<TableBlock> tablesOf(const Process &process) {
  std::vector<TableBlock> tables;
  const Binding binding = process.binding();
  for (const HeldTable &held : process.tables) {
    auto hbm = binding.hbm.find(held.table->spec().name);
    tables.push_back({.table = held.table.get(),
                      .hbm = hbm == binding.hbm.end() ? nullptr : hbm->second});
  }
  return tables;
}

static Synchronization getSynchronization(const std::string &mode) {
  if (mode == "async")
    return Synchronization::Async;
  if (mode == "half-async")
    return Synchronization::HalfAsync;
  return mode == "geo" ? Synchronization::Geo : Synchronization::Sync;
}

/// Divides the compiled updates into blocks and tables by name.
absl::StatusOr<PServerProcess>
ps::makePServer(const RunConfig &config, Loader &loader, const OwnPServer &own,
                const std::optional<LoggedStart> &from) {
  const ModuleInfo &module = loader.module();
  RETURN_IF_ERROR(checkTrainerLoss(config, module));
  RETURN_IF_ERROR(checkRecovery(config, module));
  RETURN_IF_ERROR(loader.selectProgram(own.name));
  PServerProcess result;
  ASSIGN_OR_RETURN(Process process,
                   makeProcess(config, loader, "pserver", own.index));
  result.process = std::make_unique<Process>(std::move(process));
  result.saver = std::make_unique<PServerSaver>(
      config, *result.process, own.index, module.pservers.size());
  ASSIGN_OR_RETURN(CompiledUpdates updates,
                   loader.compileUpdates(result.process->binding()));
  result.updates = std::move(updates);
  std::vector<OptimizeBlock> blocks;
  std::vector<TableBlock> tables = tablesOf(*result.process);
  for (const CompiledUpdates::Update &update : result.updates.blocks) {
    auto table = std::find_if(
        tables.begin(), tables.end(), [&](const TableBlock &candidate) {
          return candidate.table->spec().name == update.block;
        });
    Program *program = update.program.program.get();
    if (table == tables.end()) {
      blocks.push_back({update.block, program, update.round, update.largest});
      continue;
    }
    table->update = program;
    table->round = update.round;
  }
  result.options = jobOptions(config, *result.process);
  RETURN_IF_ERROR(checkOptionsOfLog(from, result.options));
  ASSIGN_OR_RETURN(
      result.server,
      PServer::create({.endpoint = own.address,
                       .jobHash = module.jobHash,
                       .runOptions = result.options,
                       .process = ownProcess(),
                       .trainers = module.trainers,
                       .synchronization = getSynchronization(module.mode),
                       .staleness = module.staleness,
                       .peerTimeout = config.peerTimeout,
                       .onLoss = config.onTrainerLoss,
                       .connectTimeout = config.connectTimeout,
                       .deterministic = config.deterministic,
                       .store = result.process->store.get(),
                       .executor = result.process->executor.get(),
                       .rounds = module.rounds,
                       .blocks = std::move(blocks),
                       .tables = std::move(tables),
                       .schedule = result.updates.schedule.program.get(),
                       .saver = result.saver.get(),
                       .position = from ? std::optional(from->start.position)
                                        : std::nullopt}));
  return result;
}

/// How old the values were that gradients were of, where trainers do not keep
/// step.
static void addStaleness(const PServer &server, Scalars &scalars) {
  const std::optional<Staleness> staleness = server.staleness();
  if (!staleness || staleness->pushes == 0)
    return;
  scalars.emplace_back("staleness.pushes", staleness->pushes);
  scalars.emplace_back("staleness.mean",
                       double(staleness->sum) / double(staleness->pushes));
  scalars.emplace_back("staleness.max", staleness->most);
  for (size_t i = 0; i < staleness->counts.size(); ++i)
    if (staleness->counts[i] != 0)
      scalars.emplace_back(
          absl::StrCat("staleness.from_", i == 0 ? 0 : uint64_t{1} << (i - 1)),
          staleness->counts[i]);
}

/// Writes trace and metrics, also after a failure; `status` takes precedence
/// over theirs.
absl::Status ps::writePServer(const RunConfig &config, int id,
                              const PServerProcess &pserver,
                              absl::Status status) {
  status = writeTrace(config, *pserver.process, std::move(status));
  absl::StatusOr<Metrics> metrics =
      Metrics::open(config.metrics, "pserver", id);
  status.Update(metrics.status());
  if (metrics.ok()) {
    Scalars scalars = tableScalars(*pserver.process);
    addStaleness(*pserver.server, scalars);
    metrics->write({.phase = "serve",
                    .step = pserver.server->updatedStep(),
                    .scalars = std::move(scalars)});
    status.Update(metrics->close());
  }
  return status;
}

absl::Status ps::waitForTrainers(const PServerProcess &pserver) {
  RETURN_IF_ERROR(pserver.server->wait());
  pserver.server->awaitConfirmations();
  return pserver.saver->checkUse();
}

/// Listens only when everything that may fail has been compiled and loaded:
/// trainers that connect find a pserver that can serve.
absl::Status ps::runPServer(const RunConfig &config, Loader &loader,
                            const StopSignal &stop, JobMember *member) {
  RunConfig outputs = config;
  outputs.saves.clear(); // checked once it is known what it holds
  outputs.predictions.clear();
  outputs.monitor = {};
  RETURN_IF_ERROR(checkOutputs(outputs));
  ASSIGN_OR_RETURN(Membership membership,
                   Membership::create(config, loader.module(), member));
  ASSIGN_OR_RETURN(OwnPServer own, membership.findOwn());
  setLogProcess("pserver", own.index);
  ASSIGN_OR_RETURN(std::optional<LoggedStart> from,
                   findRecovery(config, loader.module(), own.name));
  const RunConfig effective = recoveryConfig(config, from);
  ASSIGN_OR_RETURN(PServerProcess made,
                   makePServer(effective, loader, own, from));
  RETURN_IF_ERROR(made.saver->checkOwn());
  PServer &server = *made.server;
  ASSIGN_OR_RETURN(std::unique_ptr<LoggedServer> logged,
                   openLog(effective, loader.module(), own.name, from,
                           made.options, server));
  stop.defer();
  std::unique_ptr<DirectServer> direct = DirectServer::start(
      logged ? static_cast<Service &>(*logged) : server, own.address,
      config.transport, loader.module().trainers,
      /*log=*/{}, config.security);
  ASSIGN_OR_RETURN(std::unique_ptr<GrpcServer> listener,
                   GrpcServer::start(own.address, *direct, /*log=*/{},
                                     config.security, loader.module().trainers,
                                     server.heldPerTrainer()));
  // Only now does a port that the system has chosen have a number.
  server.setEndpoint(listener->endpoint());
  if (absl::Status s = membership.announce(own.name, listener->endpoint());
      !s.ok()) {
    server.stop(s); // the listener must not close before its calls are answered
    return s;
  }
  std::shared_ptr<void> watch = stop.onRequest([&] { server.requestStop(); });
  absl::Status status = waitForTrainers(made);
  watch.reset();
  // Trainers complete with the job, or because they were asked to stop.
  if (status.ok() && server.wasAskedToStop() && !stop.requested()) {
    logInfo(stopsForOther);
    requestStop(stop);
  }
  if (stop.requested())
    status = absl::OkStatus();
  status = writePServer(config, own.index, made, std::move(status));
  // However the job has ended, there is nothing to go on with.
  if (logged)
    status.Update(logged->discard());
  return status;
}
