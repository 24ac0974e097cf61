// SPDX-License-Identifier: Apache-2.0
//===- TrainerProcess.cpp - the role of a trainer -------------------------===//
//
// Connect to all pservers, compile, pull the initial values, train, save if
// this is trainer 0, complete. A failure anywhere is reported to the pservers,
// so that the others end with its reason instead of a timeout.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/driver/TrainerProcess.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/Log.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include "runtime/client/AsyncClient.h"
#include "runtime/client/Connect.h"
#include "runtime/client/ShardedRows.h"
#include "runtime/client/SuccessorClient.h"
#include "runtime/collective/DeviceGroup.h"
#include "runtime/collective/PeerGroup.h"
#include "runtime/links/Grpc.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/driver/Checkpoint.h"
#include "tools/ps-run/driver/JobOptions.h"
#include "tools/ps-run/driver/Membership.h"
#include "tools/ps-run/interrupt/InterruptWatch.h"
#include "tools/ps-run/interrupt/StopForOther.h"
#include "tools/ps-run/recovery/Recovery.h"
#include <algorithm>
#include <mutex>
#include <numeric>

using namespace ps;
using namespace ps::runtime;

static absl::StatusOr<std::string> trainerProgram(const ModuleInfo &module) {
  for (const ProgramInfo &program : module.programs)
    if (program.role == ProgramInfo::Role::Trainer)
      return program.name;
  return usageError("the file holds no trainer program");
}

absl::Status TrainerProcess::load() {
  ASSIGN_OR_RETURN(process, makeProcess(config, loader, "trainer", id));
  if (config.onTrainerLoss == TrainerLoss::Wait)
    progress = std::make_shared<TrainerProgress>();
  return absl::OkStatus();
}

/// The handshake carries what all processes must agree on; pservers compare it.
ClientOptions TrainerProcess::clientOptions() const {
  ClientOptions options;
  options.hello = {.trainerId = id,
                   .incarnation = newIncarnation(),
                   .jobHash = loader.module().jobHash,
                   .peerTimeout = config.peerTimeout,
                   .options = trainerOptions(config, process, data,
                                             loader.module().trainers, id),
                   .process = ownProcess()};
  options.peerTimeout = config.peerTimeout;
  if (config.recovery.usesLog)
    options.recovery = config.connectTimeout;
  options.rounds = loader.module().rounds;
  options.keepsStep = loader.module().keepsStep();
  options.progress = progress;
  options.onStop = [stop = stop, begun = std::make_shared<std::once_flag>()] {
    std::call_once(*begun, [&] { stopForOther(stop); });
  };
  return options;
}

/// What pservers know together: each has heard of it at another moment.
Predecessor TrainerProcess::findPredecessor() const {
  Predecessor all;
  for (const std::unique_ptr<Client> &client : clients) {
    const Predecessor &known = client->welcome().predecessor;
    all.exists |= known.exists;
    all.hasCompleted |= known.hasCompleted;
    all.settledStep = std::max(all.settledStep, known.settledStep);
    all.nextCheckpoint = std::max(all.nextCheckpoint, known.nextCheckpoint);
    for (const auto &[name, step] : known.blocks)
      all.blocks[name] = step; // Each is on one pserver.
    for (const auto &[name, step] : known.tables) {
      int64_t &last = all.tables.try_emplace(name, step).first->second;
      last = std::max(last, step);
    }
  }
  return all;
}

/// Clients are in the order of the job's pservers.
Client *TrainerProcess::findClient(const std::string &pserver) const {
  const std::vector<std::string> &names = loader.module().pservers;
  return clients[std::ranges::find(names, pserver) - names.begin()].get();
}

/// The rows begin with the pservers' initial values, by the same seed.
absl::Status
TrainerProcess::openExchanged(const TableInfo &info,
                              const std::vector<Client *> &shards) {
  ASSIGN_OR_RETURN(auto table,
                   ExchangedTable::create({.spec = info.spec,
                                           .seed = config.seed,
                                           .shards = shards,
                                           .rounds = loader.module().rounds}));
  exchanged.push_back(std::move(table));
  return absl::OkStatus();
}

/// How this trainer reaches the rows of each table, through a cache if the
/// table has one. A table that evicts when it is full has no limit that a
/// trainer could check.
absl::Status TrainerProcess::openTables() {
  std::vector<ShardedTable> sharded;
  std::vector<CachedTable> cached;
  for (const TableInfo &info : process.remoteTables) {
    ShardedTable table{.name = info.spec.name,
                       .maxRows = info.spec.eviction.leastRecentlyUsed
                                      ? std::nullopt
                                      : std::optional(info.spec.maxRows),
                       .partition = info.shard.partition,
                       .shards = {},
                       .wire = info.spec.wire};
    for (const std::string &holder : info.holders)
      table.shards.push_back(findClient(holder));
    if (info.exchanged)
      RETURN_IF_ERROR(openExchanged(info, table.shards));
    sharded.push_back(std::move(table));
    if (info.cacheRows)
      cached.push_back({info.spec, *info.cacheRows});
  }
  if (sharded.empty())
    return absl::OkStatus();
  const Rounds rounds = loader.module().rounds;
  ASSIGN_OR_RETURN(std::unique_ptr<RowSource> holders,
                   makeShardedRows(std::move(sharded), rounds));
  ASSIGN_OR_RETURN(tables,
                   CachedRows::create(std::move(holders), std::move(cached),
                                      loader.module().trainers, rounds));
  return absl::OkStatus();
}

/// Before the first step, so that an error in the graph is reported while
/// nothing has been trained.
absl::Status TrainerProcess::compile() {
  RETURN_IF_ERROR(openTables());
  Binding binding = process.binding();
  binding.rounds = loader.module().rounds;
  binding.rowSource = tables.get();
  // Where pservers read rows at any time, or once one push of a step is here
  // (staleness 0), the update of the step before may come first or not.
  const bool exact = config.deterministic || loader.module().staleness == 0;
  binding.prefetchesEarly = loader.module().keepsStep() || !exact;
  binding.copies = tables.get();
  for (const auto &table : exchanged) {
    const std::string &name = table->rows().spec().name;
    binding.tables[name] = &table->rows();
    binding.exchanged[name] = table.get();
  }
  binding.communicator = others.get();
  for (const std::string &pserver : loader.module().pservers)
    binding.clients[pserver] = findClient(pserver);
  ASSIGN_OR_RETURN(startup, loader.compile("startup", {}, binding));
  RETURN_IF_ERROR(compilePullOfModel(binding));
  ASSIGN_OR_RETURN(
      training,
      TrainingRun::create(
          {.config = &config,
           .data = &data,
           .loader = &loader,
           .executor = process.executor.get(),
           .stop = &stop,
           .binding = std::move(binding),
           .function = functions.step,
           .periodic = functions.periodic,
           .last = functions.last,
           .role = "trainer",
           .trainer = id,
           .trainers = loader.module().trainers,
           .metricsFile = config.metrics,
           .leader = id == 0,
           .resumed = process.resumed,
           .updatesBefore = process.updatesBefore,
           .checkpoints = checkpoints(),
           .predecessor = findPredecessor(),
           .progress = progress,
           .metricsServer = clients.empty() ? nullptr : clients.front().get(),
           .others = others.get()}));
  return absl::OkStatus();
}

/// With a narrow wire a trainer's variables are rounded; trainer 0 saves the
/// pservers' full values instead.
absl::Status TrainerProcess::compilePullOfModel(const Binding &binding) {
  constexpr char name[] = "pull_model";
  if (!loader.module().narrowWire || !savesAnything() || id != 0)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(std::vector<FunctionInfo> functions, loader.functions());
  if (std::ranges::count(functions, name, &FunctionInfo::name) == 0)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(pullOfModel, loader.compile(name, {}, binding));
  return absl::OkStatus();
}

absl::Status
TrainerProcess::build(std::vector<std::unique_ptr<Client>> connected,
                      std::unique_ptr<Communicator> communicator) {
  const AsyncClientOptions asynchronous = {
      .queueLength = static_cast<size_t>(config.sendQueue),
      .maxMerge = static_cast<size_t>(config.maxMerge)};
  for (std::unique_ptr<Client> &each : connected) {
    if (config.sendQueue > 0)
      each = makeAsyncClient(std::move(each), asynchronous);
    if (each->welcome().predecessor.exists)
      each = makeSuccessorClient(std::move(each));
    clients.push_back(std::move(each));
  }
  others = std::move(communicator);
  if (progress)
    progress->setPServers(digestOf(clients));
  absl::Status status = checkPServers(clients, id);
  if (status.ok())
    status = compile();
  if (!status.ok())
    abort(std::string(status.message()));
  return status;
}

/// Other trainers first: they may be waiting in an all-reduce.
void TrainerProcess::abort(const std::string &reason) {
  if (others)
    others->abort(reason);
  abortAll(clients, reason);
}

template <typename Narrow>
static void roundTo(const TensorRef &tensor) {
  float *values = tensor.as<float>();
  for (int64_t i = 0; i != tensor.type.numElements(); ++i)
    values[i] = static_cast<float>(Narrow(values[i]));
}

/// After a step, trainers have the values that a narrow wire has brought;
/// whatever else is pulled comes in full.
void TrainerProcess::roundToWire() {
  for (const VariableSpec &narrow : process.store->variables()) {
    if (!narrow.isTransient)
      continue;
    absl::StatusOr<TensorRef> variable = process.store->find(narrow.slotOf);
    if (!variable.ok() || variable->type.dtype != DType::F32 ||
        variable->type.shape != narrow.type.shape)
      continue;
    if (narrow.type.dtype == DType::BF16)
      roundTo<BFloat16>(*variable);
    else if (narrow.type.dtype == DType::F16)
      roundTo<_Float16>(*variable);
  }
}

/// A step may take long because of its computation, here or elsewhere. The last
/// exchange of mode geo waits for no trainer, and may be of everything. Trainer
/// 0 leaves the job, and the steps of others end, only when it has saved: from
/// the first step on, which all have taken part in, a trainer that is lost is
/// for the pservers to notice.
absl::Duration TrainerProcess::findPatience() const {
  const double longest = training->longestStep();
  if (loader.module().mode == "geo" || (id != 0 && longest > 0))
    return absl::InfiniteDuration();
  return absl::Seconds(2 + 2 * longest * training->stepsToStop());
}

/// Startup pulls the initial values; the run begins when all pservers have sent
/// theirs.
absl::StatusOr<int64_t> TrainerProcess::runSteps() {
  InterruptWatch watch(stop, clients, others.get(),
                       [this] { return findPatience(); });
  RETURN_IF_ERROR(process.executor->run(*startup.program, startupStep));
  // All trainers do the same, for they have agreed on the checkpoint.
  const std::optional<TrainingState> &state = process.resumed;
  if (state && (state->epoch != 0 || state->step != 0))
    roundToWire();
  logInfo("Communicator start");
  if (savesAnything() && id == 0)
    RETURN_IF_ERROR(checkSaving(config, clients));
  if (config.printMemoryPlan && id == 0)
    printMemoryPlan(training->memoryPlan());
  return training->run();
}

/// What a step that waits for others ends with when they, or we, give up.
static bool isEndOfJob(const absl::Status &status) {
  return absl::IsAborted(status) || absl::IsCancelled(status) ||
         absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
}

/// Where trainers do not keep step, others may still train when trainer 0 has
/// finished: the model is what the pservers have after the last of them.
absl::Status TrainerProcess::awaitOthers() {
  if (loader.module().keepsStep() || id != 0)
    return absl::OkStatus();
  const WaitReason reason("the other trainers to take their last step");
  const int64_t last = std::max<int64_t>(training->exchanges(), 1) - 1;
  RETURN_IF_ERROR(awaitAll(clients.size(), [&](size_t i, Done done) {
    clients[i]->sendBarrier(last, std::move(done));
  }));
  return process.executor->run(*startup.program, startupStep);
}

/// Whether the tables have no more rows than they may: pservers save them when
/// all trainers have completed.
absl::Status TrainerProcess::checkTables() {
  const int64_t exchanges = training->exchanges();
  if (!tables || exchanges == 0)
    return absl::OkStatus();
  return await(
      [&](Done done) { tables->checkLimits(exchanges - 1, std::move(done)); });
}

/// A run that may have to be resumed is over when it is saved: a supervisor
/// does not start a trainer again that has ended well. Where trainers do not
/// keep step, or one is stopped, the others may train for long after it.
bool TrainerProcess::endsWithOthers(int64_t steps) const {
  return !config.checkpoint.dir.empty() && loader.module().keepsStep() &&
         steps != 0 && !stop.requested();
}

/// Saves before it completes: pservers answer trainer 0 until then. One that is
/// stopped within a step loses that step for all, so nothing is saved.
absl::Status TrainerProcess::train() {
  if (findPredecessor().hasCompleted) {
    logInfo(absl::StrCat("trainer ", id, " has taken its last step already"));
    return completeAll(clients);
  }
  absl::StatusOr<int64_t> steps = runSteps();
  if (stop.requested() && isEndOfJob(steps.status())) {
    logInfo(absl::StrCat("stopped within a step, nothing saved: ",
                         steps.status().message()));
    abort("interrupted");
    return absl::OkStatus();
  }
  if (!steps.ok())
    return steps.status();
  if (training->wasCut()) { // The next attempt goes on from the checkpoint.
    member->noteCut();
    return leave();
  }
  const bool saves = !config.saves.empty() && id == 0;
  std::shared_ptr<void> delay;
  if (saves && *steps != 0)
    delay = stop.delayUntil("the model is saved");
  RETURN_IF_ERROR(awaitOthers());
  RETURN_IF_ERROR(checkTables());
  if (saves && hasResult(stop, *steps)) {
    const WaitReason reason("the model to be saved");
    ASSIGN_OR_RETURN(
        CompleteSave complete,
        stage({.folders = config.saves, .state = training->state()}));
    RETURN_IF_ERROR(complete());
    saved = config.saves;
  }
  if (endsWithOthers(*steps))
    RETURN_IF_ERROR(training->meetAtEnd());
  return leave();
}

absl::Status TrainerProcess::leave() {
  if (others)
    others->complete();
  return completeAll(clients);
}

/// How often copies of rows saved a transfer.
void TrainerProcess::writeCacheCounters() {
  if (!tables)
    return;
  Scalars scalars;
  for (const auto &[table, counters] : tables->counters())
    for (auto [what, count] : {std::pair("cache_kept", counters.kept),
                               {"cache_values", counters.values},
                               {"cache_states", counters.states},
                               {"cache_copies", counters.copies}})
      scalars.emplace_back(absl::StrCat(table, ".", what), count);
  if (!scalars.empty())
    training->writeTables(scalars);
}

std::string TrainerProcess::describeWait() const {
  const std::string call = describePending(clients);
  return call.empty() && others ? others->describePending() : call;
}

/// Peers are told of a failure before this process ends: they would notice only
/// after the timeout, and with less to say.
absl::Status TrainerProcess::run() {
  const WaitReason reason({.describe = [this] { return describeWait(); }});
  absl::Status status = train();
  if (!status.ok()) {
    abort(std::string(status.message()));
  } else {
    training->reportEnd(saved);
    writeCacheCounters();
    status = training->close();
  }
  return writeTrace(config, process, std::move(status));
}

/// After the last fetch barrier trainer 0's copies are the model, or it may
/// pull it once more.
absl::StatusOr<CompleteSave>
TrainerProcess::stage(CheckpointToSave checkpoint) {
  const int64_t last = std::max<int64_t>(training->exchanges(), 1) - 1;
  checkpoint.number = ++saves;
  if (pullOfModel.program && training->exchanges() > 0)
    RETURN_IF_ERROR(process.executor->run(*pullOfModel.program, last));
  return stageCheckpoint(
      std::move(checkpoint), process, clients,
      [&](const std::string &table, int64_t first, const TensorRef &rows) {
        return readRows(last, table, first, rows);
      });
}

/// Where trainers do not keep step, all of them go on with the values that the
/// pservers have when they are saved: so does one that begins with these.
Checkpoints TrainerProcess::checkpoints() {
  Checkpoints result;
  if (!loader.module().keepsStep())
    result.pull = [this] {
      return process.executor->run(*startup.program, startupStep);
    };
  if (id == 0)
    result.stage = [this](SaveKind kind, const std::string &dir,
                          const TrainingState &state,
                          const MetricSums &metrics) {
      const SaveTarget folder{dir};
      absl::StatusOr<CompleteSave> complete = stage({.folders = {&folder, 1},
                                                     .state = state,
                                                     .metrics = metrics,
                                                     .kind = kind});
      if (pullOfModel.program)
        roundToWire();
      return complete;
    };
  result.resumed = process.metrics;
  if (member && id == 0)
    result.isCutDue = [this] { return member->isResizeDue(); };
  return result;
}

/// As an evaluation reads them: no trainer is at a barrier now.
absl::Status TrainerProcess::readRows(int64_t step, const std::string &table,
                                      int64_t first, const TensorRef &rows) {
  std::vector<int64_t> ids(rows.type.rows());
  std::iota(ids.begin(), ids.end(), first);
  return await([&](Done done) {
    tables->prefetch(step,
                     {{table, rows.type.dtype,
                       static_cast<uint64_t>(rows.type.shape[1]), ids},
                      rows.data,
                      /*places=*/{},
                      /*frozen=*/true},
                     std::move(done));
  });
}

/// Steps that pushes come after are counted one by one.
static absl::Status checkPeriodic(const TrainingFunctions &functions) {
  if (functions.periodic.empty())
    return absl::OkStatus();
  return usageError(absl::StrCat(
      "--on-trainer-loss=wait is for programs that exchange values with every "
      "step, found @",
      functions.periodic.front().name, ", which runs every ",
      functions.periodic.front().every, " steps"));
}

absl::Status ps::checkReplaceable(const RunConfig &config, Loader &loader) {
  RETURN_IF_ERROR(checkTrainerLoss(config, loader.module()));
  ASSIGN_OR_RETURN(std::string program, trainerProgram(loader.module()));
  RETURN_IF_ERROR(loader.selectProgram(program));
  ASSIGN_OR_RETURN(TrainingFunctions functions, trainingFunctions(loader));
  return config.onTrainerLoss == TrainerLoss::Wait ? checkPeriodic(functions)
                                                   : absl::OkStatus();
}

/// Opens program and data before connecting, since most mistakes of users are
/// found there.
absl::StatusOr<std::pair<TrainingFunctions, TrainingData>>
ps::openTrainer(const RunConfig &config, Loader &loader, int trainer) {
  RETURN_IF_ERROR(checkSendQueue(config, loader.module()));
  RETURN_IF_ERROR(checkTrainerLoss(config, loader.module()));
  RETURN_IF_ERROR(checkRecovery(config, loader.module()));
  ASSIGN_OR_RETURN(std::string program, trainerProgram(loader.module()));
  RETURN_IF_ERROR(loader.selectProgram(program));
  ASSIGN_OR_RETURN(TrainingFunctions functions, trainingFunctions(loader));
  if (config.onTrainerLoss == TrainerLoss::Wait)
    RETURN_IF_ERROR(checkPeriodic(functions));
  ASSIGN_OR_RETURN(TrainingData data,
                   TrainingData::open(config, functions.step,
                                      loader.module().trainers, trainer));
  return std::pair(std::move(functions), std::move(data));
}

static absl::StatusOr<std::vector<std::unique_ptr<Client>>>
connect(const RunConfig &config, const Membership &membership,
        ClientOptions options, Event &cancel) {
  ASSIGN_OR_RETURN(std::vector<std::string> addresses,
                   membership.findAll(cancel));
  return connectAll(addresses, {.client = std::move(options),
                                .connectTimeout = config.connectTimeout,
                                .log = {},
                                .transport = config.transport,
                                .security = config.security,
                                .cancel = &cancel});
}

/// Listens before it waits for others, which wait for it.
static absl::StatusOr<std::unique_ptr<PeerGroup>>
listenToPeers(const RunConfig &config, const Membership &membership,
              const ModuleInfo &module, ClientOptions client) {
  const int id = client.hello.trainerId;
  ASSIGN_OR_RETURN(std::unique_ptr<PeerGroup> group,
                   PeerGroup::listen(membership.ownTrainerAddress(id),
                                     {.hello = std::move(client.hello),
                                      .trainers = module.trainers,
                                      .transport = config.transport,
                                      .security = config.security,
                                      .onStop = std::move(client.onStop)}));
  RETURN_IF_ERROR(
      membership.announce(Membership::trainerName(id), group->endpoint()));
  return group;
}

/// What is in the memory of `device` is all-reduced, too.
static absl::StatusOr<std::unique_ptr<Communicator>>
reduceOnDevices(std::unique_ptr<Communicator> host, Device &device, int trainer,
                int trainers) {
  if (device.chip().empty())
    return host;
  return makeDeviceGroup(
      std::move(host), device,
      {.trainer = trainer,
       .trainers = trainers,
       .warn = [](const std::string &why) { logWarning(why); }});
}

static absl::Status connectAndBuild(const RunConfig &config,
                                    const Membership &membership,
                                    const ModuleInfo &module,
                                    TrainerProcess &trainer, Event &cancel) {
  const ClientOptions client = trainer.clientOptions();
  std::unique_ptr<PeerGroup> group;
  if (module.reduces) {
    ASSIGN_OR_RETURN(group, listenToPeers(config, membership, module, client));
  }
  ASSIGN_OR_RETURN(auto clients, connect(config, membership, client, cancel));
  if (!group)
    return trainer.build(std::move(clients));
  ASSIGN_OR_RETURN(std::vector<std::string> addresses,
                   membership.findTrainers(cancel));
  RETURN_IF_ERROR(group->connect(
      addresses, {.timeout = config.connectTimeout, .cancel = &cancel}));
  ASSIGN_OR_RETURN(std::unique_ptr<Communicator> communicator,
                   reduceOnDevices(std::move(group), trainer.device(),
                                   *config.trainerId, module.trainers));
  return trainer.build(std::move(clients), std::move(communicator));
}

/// A trainer that is interrupted while it waits for pservers has done nothing,
/// and ends without an error.
absl::Status ps::runTrainer(const RunConfig &config, Loader &loader,
                            const StopSignal &stop, JobMember *member) {
  RETURN_IF_ERROR(checkTrainerId(config, loader.module()));
  const int id = *config.trainerId;
  setLogProcess("trainer", id);
  ASSIGN_OR_RETURN(Membership membership,
                   Membership::create(config, loader.module(), member));
  RETURN_IF_ERROR(membership.checkKnown());
  ASSIGN_OR_RETURN(auto opened, openTrainer(config, loader, id));
  RunConfig own = config;
  if (id != 0) { // trainer 0 saves and evaluates
    own.saves.clear();
    own.predictions.clear();
    own.monitor.saveBest.clear();
  }
  RETURN_IF_ERROR(checkOutputs(own));
  TrainerProcess trainer(config, stop, loader, opened.first, opened.second, id,
                         member);
  RETURN_IF_ERROR(trainer.load());
  logInfo(absl::StrCat("init rpc client with trainer_id ", id));
  stop.defer();
  Event cancel;
  std::shared_ptr<void> watch = stop.onRequest([&] { cancel.notify(); });
  absl::Status connected =
      connectAndBuild(config, membership, loader.module(), trainer, cancel);
  watch.reset();
  if (!connected.ok())
    return stop.requested() ? absl::OkStatus() : connected;
  return trainer.run();
}
