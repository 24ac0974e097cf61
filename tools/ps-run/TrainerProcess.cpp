//===- TrainerProcess.cpp - the role of a trainer -------------------------===//

#include "tools/ps-run/TrainerProcess.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "runtime/transport/Grpc.h"
#include "runtime/transport/ShardedRows.h"
#include "tools/ps-run/Checkpoint.h"
#include "tools/ps-run/InterruptWatch.h"
#include "tools/ps-run/JobOptions.h"
#include "tools/ps-run/Options.h"
#include <algorithm>
#include <cstdio>
#include <numeric>

using namespace ps;
using namespace ps::runtime;

static absl::StatusOr<std::string> trainerProgram(const ModuleInfo &module) {
  for (const ProgramInfo &program : module.programs)
    if (program.role == ProgramInfo::Role::Trainer)
      return program.name;
  return usageError("the file holds no trainer program");
}

static absl::Status checkTrainerId(const RunConfig &config,
                                   const ModuleInfo &module) {
  if (!config.trainerId)
    return usageError("--trainer-id is missing");
  if (*config.trainerId < 0 || *config.trainerId >= module.trainers)
    return usageError(absl::StrCat("trainer id ", *config.trainerId,
                                   " is out of range, the job has ",
                                   module.trainers, " trainers"));
  return absl::OkStatus();
}

absl::Status TrainerProcess::load() {
  absl::StatusOr<Process> made = makeProcess(config, loader, "trainer", id);
  if (!made.ok())
    return made.status();
  process = std::move(*made);
  return absl::OkStatus();
}

ClientOptions TrainerProcess::clientOptions() const {
  ClientOptions options;
  options.hello = {.trainerId = id,
                   .incarnation = newIncarnation(),
                   .jobHash = loader.module().jobHash,
                   .peerTimeout = config.peerTimeout,
                   .options = trainerOptions(config, process, data, id)};
  options.peerTimeout = config.peerTimeout;
  options.rounds = loader.module().rounds;
  return options;
}

absl::Status TrainerProcess::openTables() {
  std::vector<ShardedTable> sharded;
  std::vector<CachedTable> cached;
  for (const TableInfo &info : process.remoteTables) {
    ShardedTable table{.name = info.spec.name,
                       .maxRows = info.spec.eviction.leastRecentlyUsed
                                      ? std::nullopt
                                      : std::optional(info.spec.maxRows),
                       .partition = info.shard.partition,
                       .shards = {}};
    for (const std::string &holder : info.holders)
      for (const std::unique_ptr<Client> &client : clients)
        if (client->endpoint() == holder)
          table.shards.push_back(client.get());
    sharded.push_back(std::move(table));
    if (info.cacheRows)
      cached.push_back({info.spec, *info.cacheRows});
  }
  if (sharded.empty())
    return absl::OkStatus();
  const Rounds rounds = loader.module().rounds;
  absl::StatusOr<std::unique_ptr<RowHolders>> holders =
      makeShardedRows(std::move(sharded), rounds);
  if (!holders.ok())
    return holders.status();
  absl::StatusOr<std::unique_ptr<CachedRows>> made = CachedRows::create(
      *std::move(holders), std::move(cached), loader.module().trainers, rounds);
  if (!made.ok())
    return made.status();
  tables = *std::move(made);
  return absl::OkStatus();
}

absl::Status TrainerProcess::compile() {
  if (absl::Status s = openTables(); !s.ok())
    return s;
  Binding binding = process.binding();
  binding.rounds = loader.module().rounds;
  binding.rowSource = tables.get();
  binding.communicator = others.get();
  for (const std::unique_ptr<Client> &client : clients)
    binding.clients[client->endpoint()] = client.get();
  absl::StatusOr<CompiledProgram> pulls =
      loader.compile("startup", {}, binding);
  if (!pulls.ok())
    return pulls.status();
  startup = std::move(*pulls);
  if (absl::Status s = compilePullOfModel(binding); !s.ok())
    return s;
  absl::StatusOr<std::unique_ptr<TrainingRun>> run = TrainingRun::create(
      {.config = &config,
       .data = &data,
       .loader = &loader,
       .executor = process.executor.get(),
       .stop = &stop,
       .binding = std::move(binding),
       .function = functions.step,
       .periodic = functions.periodic,
       .role = "trainer",
       .trainer = id,
       .trainers = loader.module().trainers,
       .metricsFile = config.metrics,
       .leader = id == 0,
       .resumed = process.resumed,
       .metricsServer = clients.empty() ? nullptr : clients.front().get()});
  if (!run.ok())
    return run.status();
  training = std::move(*run);
  return absl::OkStatus();
}

absl::Status TrainerProcess::compilePullOfModel(const Binding &binding) {
  constexpr char name[] = "pull_model";
  if (!loader.module().narrowWire || config.saves.empty() || id != 0)
    return absl::OkStatus();
  absl::StatusOr<std::vector<FunctionInfo>> functions = loader.functions();
  if (!functions.ok())
    return functions.status();
  if (std::none_of(functions->begin(), functions->end(),
                   [&](const FunctionInfo &info) { return info.name == name; }))
    return absl::OkStatus();
  absl::StatusOr<CompiledProgram> pull = loader.compile(name, {}, binding);
  if (!pull.ok())
    return pull.status();
  pullOfModel = std::move(*pull);
  return absl::OkStatus();
}

absl::Status
TrainerProcess::build(std::vector<std::unique_ptr<Client>> connected,
                      std::unique_ptr<Communicator> line) {
  clients = std::move(connected);
  others = std::move(line);
  absl::Status status = compile();
  if (!status.ok())
    abort(std::string(status.message()));
  return status;
}

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

/// After a step, trainers have the values that a narrow wire has brought; the
/// initial ones come in full. A run that goes on has to begin with the former.
/// All trainers do the same, for they have agreed on the checkpoint.
void TrainerProcess::roundToWire() {
  const std::optional<TrainingState> &state = process.resumed;
  if (!state || (state->epoch == 0 && state->step == 0))
    return;
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

absl::StatusOr<int64_t> TrainerProcess::runSteps() {
  // Somebody's step may take long because it computes, here or elsewhere.
  InterruptWatch watch(stop, clients, [this] {
    return absl::Seconds(2 + 2 * training->longestStep());
  });
  if (absl::Status s = process.executor->run(*startup.program, startupStep);
      !s.ok())
    return s;
  roundToWire();
  fprintf(stderr, "Communicator start\n");
  if (!config.saves.empty() && id == 0)
    if (absl::Status s = checkSaving(config, clients); !s.ok())
      return s;
  if (config.printMemoryPlan && id == 0)
    printMemoryPlan(training->memoryPlan());
  return training->run();
}

/// What a step that waits for others ends with when they, or we, give up.
static bool isEndOfJob(const absl::Status &status) {
  return absl::IsAborted(status) || absl::IsCancelled(status) ||
         absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
}

/// Whether the tables have no more rows than they may: pservers save them when
/// all trainers have completed.
absl::Status TrainerProcess::checkTables() {
  const int64_t exchanges = training->exchanges();
  if (!tables || exchanges == 0)
    return absl::OkStatus();
  absl::Status result;
  absl::Notification answered;
  tables->checkLimits(exchanges - 1, [&](absl::Status status) {
    result = std::move(status);
    answered.Notify();
  });
  answered.WaitForNotification();
  return result;
}

absl::Status TrainerProcess::train() {
  absl::StatusOr<int64_t> steps = runSteps();
  if (stop.requested() && isEndOfJob(steps.status())) {
    fprintf(stderr, "stopped within a step, nothing saved: %s\n",
            std::string(steps.status().message()).c_str());
    abort("interrupted");
    return absl::OkStatus();
  }
  if (!steps.ok())
    return steps.status();
  if (absl::Status s = checkTables(); !s.ok())
    return s;
  if (!config.saves.empty() && id == 0 && hasResult(stop, *steps))
    if (absl::Status s = save(); !s.ok())
      return s;
  if (others)
    others->complete();
  return completeAll(clients);
}

/// What the copies of rows were good for.
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

absl::Status TrainerProcess::run() {
  absl::Status status = train();
  if (!status.ok()) {
    abort(std::string(status.message()));
  } else {
    writeCacheCounters();
    status = training->close();
  }
  return writeTrace(config, process, std::move(status));
}

/// After the last fetch barrier trainer 0's copies are the model, or it may
/// pull it once more.
absl::Status TrainerProcess::save() {
  int64_t exchanges = training->exchanges();
  if (pullOfModel.program && exchanges > 0)
    if (absl::Status s =
            process.executor->run(*pullOfModel.program, exchanges - 1);
        !s.ok())
      return s;
  const int64_t last = std::max<int64_t>(exchanges, 1) - 1;
  return saveCheckpoint(
      config, process, training->state(), clients,
      [&](const std::string &table, int64_t first, const TensorRef &rows) {
        return readRows(last, table, first, rows);
      });
}

/// As an evaluation reads them: nobody is at a barrier now.
absl::Status TrainerProcess::readRows(int64_t step, const std::string &table,
                                      int64_t first, const TensorRef &rows) {
  std::vector<int64_t> ids(rows.type.rows());
  std::iota(ids.begin(), ids.end(), first);
  absl::Status result;
  absl::Notification answered;
  tables->prefetch(step, table, ids, /*create=*/false, rows,
                   [&](absl::Status status) {
                     result = std::move(status);
                     answered.Notify();
                   });
  answered.WaitForNotification();
  return result;
}

absl::StatusOr<std::pair<TrainingFunctions, TrainingData>>
ps::openTrainer(const RunConfig &config, Loader &loader, int trainer) {
  absl::StatusOr<std::string> program = trainerProgram(loader.module());
  if (!program.ok())
    return program.status();
  if (absl::Status s = loader.selectProgram(*program); !s.ok())
    return s;
  absl::StatusOr<TrainingFunctions> functions = trainingFunctions(loader);
  if (!functions.ok())
    return functions.status();
  absl::StatusOr<TrainingData> data = TrainingData::open(
      config, functions->step, loader.module().trainers, trainer);
  if (!data.ok())
    return data.status();
  return std::pair(std::move(*functions), std::move(*data));
}

absl::Status ps::runTrainer(const RunConfig &config, Loader &loader,
                            const StopSignal &stop) {
  if (absl::Status s = checkTrainerId(config, loader.module()); !s.ok())
    return s;
  const int id = *config.trainerId;
  auto opened = openTrainer(config, loader, id);
  if (!opened.ok())
    return opened.status();
  RunConfig own = config;
  if (id != 0) { // trainer 0 saves and evaluates
    own.saves.clear();
    own.predictions.clear();
  }
  if (absl::Status s = checkOutputs(own); !s.ok())
    return s;
  TrainerProcess trainer(config, stop, loader, opened->first, opened->second,
                         id);
  if (absl::Status s = trainer.load(); !s.ok())
    return s;
  fprintf(stderr, "init rpc client with trainer_id %d\n", id);
  stop.defer();
  Event cancel;
  std::shared_ptr<void> watch = stop.onRequest([&] { cancel.notify(); });
  auto clients = connectAll(loader.module().pservers,
                            {.client = trainer.clientOptions(),
                             .connectTimeout = config.connectTimeout,
                             .log = {},
                             .cancel = &cancel});
  watch.reset();
  if (!clients.ok())
    return stop.requested() ? absl::OkStatus() : clients.status();
  if (absl::Status s = trainer.build(std::move(*clients)); !s.ok())
    return s;
  return trainer.run();
}
