//===- PServerProcess.cpp - the role of a pserver -------------------------===//

#include "tools/ps-run/PServerProcess.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/store/Safetensors.h"
#include "runtime/transport/Grpc.h"
#include "tools/ps-run/JobOptions.h"
#include "tools/ps-run/Metrics.h"
#include "tools/ps-run/Options.h"
#include <algorithm>

using namespace ps;
using namespace ps::runtime;

/// The index among the job's pservers, and the program's name.
static absl::StatusOr<std::pair<int, std::string>>
pserverProgram(const ModuleInfo &module, const std::string &endpoint) {
  std::vector<std::string> held;
  for (const ProgramInfo &program : module.programs) {
    if (program.role != ProgramInfo::Role::PServer)
      continue;
    if (program.endpoint == endpoint) {
      auto place =
          std::find(module.pservers.begin(), module.pservers.end(), endpoint);
      return std::pair<int, std::string>(place - module.pservers.begin(),
                                         program.name);
    }
    held.push_back(program.endpoint);
  }
  if (held.empty())
    return usageError("the file holds no pserver program");
  std::string choices = absl::StrJoin(held, ", ");
  if (endpoint.empty())
    return usageError(
        absl::StrCat("--endpoint is missing, the file holds ", choices));
  return usageError(absl::StrCat("the file holds no program for pserver '",
                                 endpoint, "', only for ", choices));
}

/// The tables of `process`, which nothing updates yet.
static std::vector<TableBlock> tablesOf(const Process &process) {
  std::vector<TableBlock> tables;
  for (const HeldTable &held : process.tables)
    tables.push_back({.table = held.table.get()});
  return tables;
}

absl::StatusOr<PServerProcess> ps::makePServer(const RunConfig &config,
                                               Loader &loader,
                                               const std::string &endpoint) {
  const ModuleInfo &module = loader.module();
  auto program = pserverProgram(module, endpoint);
  if (!program.ok())
    return program.status();
  if (absl::Status s = loader.selectProgram(program->second); !s.ok())
    return s;
  PServerProcess result;
  absl::StatusOr<Process> process =
      makeProcess(config, loader, "pserver", program->first);
  if (!process.ok())
    return process.status();
  result.process = std::make_unique<Process>(std::move(*process));
  result.saver = std::make_unique<PServerSaver>(
      config, *result.process, program->first, module.pservers.size());
  absl::StatusOr<CompiledUpdates> updates =
      loader.compileUpdates(result.process->binding());
  if (!updates.ok())
    return updates.status();
  result.updates = std::move(*updates);
  std::vector<OptimizeBlock> blocks;
  std::vector<TableBlock> tables = tablesOf(*result.process);
  for (const CompiledUpdates::Update &update : result.updates.blocks) {
    auto table = std::find_if(
        tables.begin(), tables.end(), [&](const TableBlock &candidate) {
          return candidate.table->spec().name == update.block;
        });
    Program *program = update.program.program.get();
    if (table == tables.end())
      blocks.push_back({update.block, program, update.round});
    else
      *table = {table->table, program, update.round};
  }
  absl::StatusOr<std::unique_ptr<PServer>> server =
      PServer::create({.endpoint = endpoint,
                       .jobHash = module.jobHash,
                       .runOptions = jobOptions(config, *result.process),
                       .trainers = module.trainers,
                       .peerTimeout = config.peerTimeout,
                       .connectTimeout = config.connectTimeout,
                       .deterministic = config.deterministic,
                       .store = result.process->store.get(),
                       .executor = result.process->executor.get(),
                       .rounds = module.rounds,
                       .blocks = std::move(blocks),
                       .tables = std::move(tables),
                       .schedule = result.updates.schedule.program.get(),
                       .saver = result.saver.get()});
  if (!server.ok())
    return server.status();
  result.server = std::move(*server);
  return result;
}

absl::Status ps::writePServer(const RunConfig &config, int id,
                              const PServerProcess &pserver,
                              absl::Status status) {
  status = writeTrace(config, *pserver.process, std::move(status));
  absl::StatusOr<Metrics> metrics =
      Metrics::open(config.metrics, "pserver", id);
  status.Update(metrics.status());
  if (metrics.ok()) {
    metrics->write({.phase = "serve",
                    .step = pserver.server->updatedStep(),
                    .scalars = tableScalars(*pserver.process)});
    status.Update(metrics->close());
  }
  return status;
}

absl::Status ps::waitForTrainers(const PServerProcess &pserver) {
  if (absl::Status status = pserver.server->wait(); !status.ok())
    return status;
  pserver.server->awaitConfirmations();
  return pserver.saver->checkUse();
}

absl::Status ps::runPServer(const RunConfig &config, Loader &loader,
                            const StopSignal &stop) {
  RunConfig own = config;
  own.saves.clear(); // checked once it is known what it holds
  own.predictions.clear();
  if (absl::Status s = checkOutputs(own); !s.ok())
    return s;
  absl::StatusOr<PServerProcess> made =
      makePServer(config, loader, config.endpoint);
  if (!made.ok())
    return made.status();
  if (absl::Status s = made->saver->checkOwn(); !s.ok())
    return s;
  PServer &server = *made->server;
  stop.defer();
  absl::StatusOr<std::unique_ptr<GrpcServer>> listener =
      GrpcServer::start(config.endpoint, server);
  if (!listener.ok())
    return listener.status();
  std::shared_ptr<void> watch =
      stop.onRequest([&] { server.stop(absl::CancelledError("interrupted")); });
  absl::Status status = waitForTrainers(*made);
  watch.reset();
  if (stop.requested())
    status = absl::OkStatus();
  int id = pserverProgram(loader.module(), config.endpoint)->first;
  return writePServer(config, id, *made, std::move(status));
}
