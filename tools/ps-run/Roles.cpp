//===- Roles.cpp - what the processes of a job do -------------------------===//

#include "tools/ps-run/Roles.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "runtime/collective/InProcessGroup.h"
#include "runtime/executor/Trace.h"
#include "runtime/store/Safetensors.h"
#include "runtime/transport/Grpc.h"
#include "runtime/transport/InProcess.h"
#include "runtime/transport/PServer.h"
#include "tools/ps-run/InterruptWatch.h"
#include "tools/ps-run/Loader.h"
#include "tools/ps-run/Options.h"
#include "tools/ps-run/TrainingRun.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <thread>

using namespace ps;
using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// What every role has
//===----------------------------------------------------------------------===//

namespace {

/// A selected program with its variables and the threads to run it.
struct Process {
  std::unique_ptr<Trace> trace;
  std::unique_ptr<Store> store;
  std::unique_ptr<Executor> executor;
};

} // namespace

static std::string slotPath(const std::string &dir) {
  return (std::filesystem::path(dir) / "optimizer.safetensors").string();
}

/// Restores the optimizer state that a local run saved, as far as it names
/// slots of this program; the others start anew.
static absl::Status loadSlots(const std::string &dir, Store &store) {
  if (!std::filesystem::exists(slotPath(dir)))
    return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<SafetensorsFile>> file =
      SafetensorsFile::open(slotPath(dir));
  if (!file.ok())
    return file.status();
  for (size_t i = 0; i != store.variables().size(); ++i) {
    const VariableSpec &spec = store.variables()[i];
    if (spec.slotOf.empty() || !(*file)->tensors().contains(spec.origin))
      continue;
    if (absl::Status status =
            (*file)->read(spec.origin, store.tensor(i), spec.rowOffset);
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

/// An earlier run's optimizer state must not be loaded beside this one's model.
static void removeSlots(const std::string &dir) {
  std::error_code ignored;
  std::filesystem::remove(slotPath(dir), ignored);
}

/// Variables (`slots` = false) or optimizer state under their own names.
static std::vector<NamedTensor> select(const Store &store, bool slots) {
  std::vector<NamedTensor> tensors;
  for (size_t i = 0; i != store.variables().size(); ++i)
    if (store.variables()[i].slotOf.empty() != slots)
      tensors.push_back({store.variables()[i].name, store.tensor(i)});
  return tensors;
}

static absl::StatusOr<Process> makeProcess(const RunConfig &config,
                                           Loader &loader,
                                           const std::string &role, int id) {
  Process process;
  absl::StatusOr<std::vector<VariableSpec>> specs = loader.variables();
  if (!specs.ok())
    return specs.status();
  absl::StatusOr<std::unique_ptr<Store>> store =
      Store::create(std::move(*specs), config.seed);
  if (!store.ok())
    return store.status();
  process.store = std::move(*store);
  if (!config.load.empty()) {
    // A role of a job holds a part of the model only.
    if (absl::Status s =
            loadModel(config.load, *process.store, role != "local");
        !s.ok())
      return s;
    if (absl::Status s = loadSlots(config.load, *process.store); !s.ok())
      return s;
  }
  if (!config.trace.empty())
    process.trace = std::make_unique<Trace>(absl::StrCat(role, " ", id));
  absl::StatusOr<std::unique_ptr<Executor>> executor =
      Executor::create({.threads = config.threads,
                        .trace = process.trace.get(),
                        .deterministic = config.deterministic});
  if (!executor.ok())
    return executor.status();
  process.executor = std::move(*executor);
  return process;
}

/// After a run that ended with `status`: a failure is when one wants a trace.
static absl::Status writeTrace(const RunConfig &config, const Process &process,
                               absl::Status status) {
  if (process.trace)
    status.Update(process.trace->write(config.trace));
  return status;
}

/// Whether a run of so many steps leaves something that is worth more than what
/// an earlier run saved.
static bool hasResult(const StopSignal &stop, int64_t steps) {
  if (steps > 0 || !stop.requested())
    return true;
  fprintf(stderr, "nothing saved\n");
  return false;
}

namespace {

/// What a training process runs: for every batch, and now and then.
struct TrainingFunctions {
  FunctionInfo step;
  std::vector<FunctionInfo> periodic;
};

} // namespace

static absl::StatusOr<TrainingFunctions> trainingFunctions(Loader &loader) {
  absl::StatusOr<std::vector<FunctionInfo>> functions = loader.functions();
  if (!functions.ok())
    return functions.status();
  TrainingFunctions result{functions->front(), {}};
  for (const FunctionInfo &function : *functions)
    if (function.every != 0)
      result.periodic.push_back(function);
  return result;
}

static void printMemoryPlan(const MemoryPlan &plan) {
  printf("%s", plan.table.c_str());
  printf("activations: %lld bytes at the peak (%lld without reuse)\n"
         "constants: %lld bytes, feeds: %lld bytes, variables: %lld bytes\n",
         static_cast<long long>(plan.arenaBytes),
         static_cast<long long>(plan.unsharedBytes),
         static_cast<long long>(plan.constantBytes),
         static_cast<long long>(plan.feedBytes),
         static_cast<long long>(plan.variableBytes));
  fflush(stdout);
}

/// What a run writes when it ends must not fail then.
static absl::Status checkOutputs(const RunConfig &config) {
  if (!config.save.empty())
    if (absl::Status s = checkWritable(config.save); !s.ok())
      return s;
  for (auto [what, path] : {std::pair("trace", config.trace),
                            std::pair("metrics", config.metrics)}) {
    if (path.empty())
      continue;
    std::FILE *file = std::fopen(path.c_str(), "a");
    if (!file)
      return absl::UnavailableError(absl::StrCat(
          "cannot write ", what, " to '", path, "': ", std::strerror(errno)));
    std::fclose(file);
  }
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Local
//===----------------------------------------------------------------------===//

static absl::Status runEntry(const RunConfig &config, Loader &loader) {
  if (absl::Status s = checkOutputs(config); !s.ok())
    return s;
  if (absl::Status s = loader.selectProgram(""); !s.ok())
    return s;
  absl::StatusOr<Process> process = makeProcess(config, loader, "local", 0);
  if (!process.ok())
    return process.status();
  absl::StatusOr<CompiledProgram> program = loader.compile(
      config.entry, {}, {.store = process->store.get(), .clients = {}});
  if (!program.ok())
    return program.status();
  if (!program->program->feeds.empty())
    return usageError(absl::StrCat("--entry: @", config.entry,
                                   " takes data, only functions without "
                                   "arguments can be run"));
  if (config.printMemoryPlan)
    printMemoryPlan(program->memory);
  return writeTrace(config, *process,
                    process->executor->run(*program->program, 0));
}

static absl::Status saveLocal(const RunConfig &config, const Store &store) {
  removeSlots(config.save); // first: a crash must not leave old ones
  if (absl::Status s = saveModel(config.save, select(store, false)); !s.ok())
    return s;
  std::vector<NamedTensor> slots = select(store, true);
  if (!slots.empty())
    return writeSafetensors(slotPath(config.save), slots);
  return absl::OkStatus();
}

static absl::Status trainLocal(const RunConfig &config, const Process &process,
                               const StopSignal &stop, TrainingRun &run) {
  stop.defer();
  absl::StatusOr<int64_t> steps = run.run();
  if (!steps.ok())
    return steps.status();
  if (!config.save.empty() && hasResult(stop, *steps))
    if (absl::Status s = saveLocal(config, *process.store); !s.ok())
      return s;
  return run.close();
}

static absl::Status runLocal(const RunConfig &config, Loader &loader,
                             const StopSignal &stop) {
  if (absl::Status s = loader.selectProgram(""); !s.ok())
    return s;
  absl::StatusOr<TrainingFunctions> functions = trainingFunctions(loader);
  if (!functions.ok())
    return functions.status();
  absl::StatusOr<TrainingData> data =
      TrainingData::open(config, functions->step, 1);
  if (!data.ok())
    return data.status();
  if (absl::Status s = checkOutputs(config); !s.ok())
    return s;
  absl::StatusOr<Process> process = makeProcess(config, loader, "local", 0);
  if (!process.ok())
    return process.status();
  absl::StatusOr<std::unique_ptr<TrainingRun>> run = TrainingRun::create(
      {.config = &config,
       .data = &*data,
       .loader = &loader,
       .executor = process->executor.get(),
       .stop = &stop,
       .binding = {.store = process->store.get(), .clients = {}},
       .function = functions->step,
       .periodic = functions->periodic,
       .metricsFile = config.metrics});
  if (!run.ok())
    return run.status();
  if (config.printMemoryPlan)
    printMemoryPlan((*run)->memoryPlan());
  return writeTrace(config, *process,
                    trainLocal(config, *process, stop, **run));
}

//===----------------------------------------------------------------------===//
// Which program
//===----------------------------------------------------------------------===//

static absl::Status mismatch(absl::string_view what, const std::string &given,
                             const std::string &program) {
  return usageError(absl::StrCat("the environment says ", what, " ", given,
                                 ", the program says ", program));
}

/// Compares the environment with the job that the program is part of.
static absl::Status checkEnvironment(const RunConfig &config,
                                     const ModuleInfo &module) {
  if (config.expectedPServers && *config.expectedPServers != module.pservers)
    return mismatch("pservers", absl::StrJoin(*config.expectedPServers, ","),
                    absl::StrJoin(module.pservers, ","));
  int pservers = module.pservers.size();
  if (config.expectedPServerCount.value_or(pservers) != pservers)
    return mismatch("pservers", absl::StrCat(*config.expectedPServerCount),
                    absl::StrCat(pservers));
  if (config.expectedTrainers.value_or(module.trainers) != module.trainers)
    return mismatch("trainers", absl::StrCat(*config.expectedTrainers),
                    absl::StrCat(module.trainers));
  return absl::OkStatus();
}

static absl::StatusOr<std::string> trainerProgram(const ModuleInfo &module) {
  for (const ProgramInfo &program : module.programs)
    if (program.role == ProgramInfo::Role::Trainer)
      return program.name;
  return usageError("the file holds no trainer program");
}

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

//===----------------------------------------------------------------------===//
// PServer
//===----------------------------------------------------------------------===//

namespace {

/// One pserver program, compiled, with its service.
struct PServerProcess {
  Process process;
  CompiledUpdates updates;
  std::unique_ptr<PServer> server;
};

} // namespace

static absl::StatusOr<PServerProcess> makePServer(const RunConfig &config,
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
  result.process = std::move(*process);
  absl::StatusOr<CompiledUpdates> updates = loader.compileUpdates(
      {.store = result.process.store.get(), .clients = {}});
  if (!updates.ok())
    return updates.status();
  result.updates = std::move(*updates);
  std::vector<OptimizeBlock> blocks;
  for (const CompiledUpdates::Update &update : result.updates.blocks)
    blocks.push_back(
        {update.block, update.program.program.get(), update.round});
  absl::StatusOr<std::unique_ptr<PServer>> server =
      PServer::create({.endpoint = endpoint,
                       .jobHash = module.jobHash,
                       .trainers = module.trainers,
                       .peerTimeout = config.peerTimeout,
                       .connectTimeout = config.connectTimeout,
                       .deterministic = config.deterministic,
                       .store = result.process.store.get(),
                       .executor = result.process.executor.get(),
                       .rounds = module.rounds,
                       .blocks = std::move(blocks),
                       .schedule = result.updates.schedule.program.get()});
  if (!server.ok())
    return server.status();
  result.server = std::move(*server);
  return result;
}

/// Writes what is known of a pserver that ended with `status`.
static absl::Status writePServer(const RunConfig &config, int id,
                                 const PServerProcess &pserver,
                                 absl::Status status) {
  status = writeTrace(config, pserver.process, std::move(status));
  absl::StatusOr<Metrics> metrics =
      Metrics::open(config.metrics, "pserver", id);
  status.Update(metrics.status());
  if (metrics.ok()) {
    metrics->write({.phase = "serve",
                    .step = pserver.server->updatedStep(),
                    .scalars = {}});
    status.Update(metrics->close());
  }
  return status;
}

static absl::Status runPServer(const RunConfig &config, Loader &loader,
                               const StopSignal &stop) {
  RunConfig own = config;
  own.save.clear(); // trainer 0 saves
  if (absl::Status s = checkOutputs(own); !s.ok())
    return s;
  absl::StatusOr<PServerProcess> made =
      makePServer(config, loader, config.endpoint);
  if (!made.ok())
    return made.status();
  PServer &server = *made->server;
  stop.defer();
  absl::StatusOr<std::unique_ptr<GrpcServer>> listener =
      GrpcServer::start(config.endpoint, server);
  if (!listener.ok())
    return listener.status();
  std::shared_ptr<void> watch =
      stop.onRequest([&] { server.stop(absl::CancelledError("interrupted")); });
  absl::Status status = server.wait();
  watch.reset();
  if (stop.requested())
    status = absl::OkStatus();
  int id = pserverProgram(loader.module(), config.endpoint)->first;
  return writePServer(config, id, *made, std::move(status));
}

//===----------------------------------------------------------------------===//
// Trainer
//===----------------------------------------------------------------------===//

namespace {

/// One trainer of a job, from its connections to its last step.
class TrainerProcess {
public:
  TrainerProcess(const RunConfig &config, const StopSignal &stop,
                 Loader &loader, const TrainingFunctions &functions,
                 const TrainingData &data, int id)
      : config(config), stop(stop), loader(loader), functions(functions),
        data(data), id(id) {}

  ClientOptions clientOptions() const;
  /// Compiles the programs over `clients`, which have been introduced, and the
  /// line to the other trainers, null where the job needs none.
  absl::Status build(std::vector<std::unique_ptr<Client>> connected,
                     std::unique_ptr<Communicator> line = nullptr);
  /// Pulls initial values, trains, leaves. Tells the pservers when it fails.
  absl::Status run();

private:
  absl::Status compile();
  absl::StatusOr<int64_t> runSteps();
  absl::Status train();
  absl::Status compilePullOfModel(const Binding &binding);
  absl::Status save();
  /// Tells everybody that this trainer has failed.
  void abort(const std::string &reason);

  const RunConfig &config;
  const StopSignal &stop;
  Loader &loader;
  const TrainingFunctions &functions;
  const TrainingData &data;
  int id;
  Process process;
  std::vector<std::unique_ptr<Client>> clients;
  std::unique_ptr<Communicator> others;
  /// Without a program where the trainer's copies are the model.
  CompiledProgram startup, pullOfModel;
  std::unique_ptr<TrainingRun> training;
};

} // namespace

ClientOptions TrainerProcess::clientOptions() const {
  ClientOptions options;
  options.hello = {.trainerId = id,
                   .incarnation = newIncarnation(),
                   .jobHash = loader.module().jobHash};
  options.peerTimeout = config.peerTimeout;
  options.rounds = loader.module().rounds;
  return options;
}

absl::Status TrainerProcess::compile() {
  absl::StatusOr<Process> made = makeProcess(config, loader, "trainer", id);
  if (!made.ok())
    return made.status();
  process = std::move(*made);
  Binding binding{.store = process.store.get(),
                  .clients = {},
                  .rounds = loader.module().rounds,
                  .communicator = others.get()};
  for (const std::unique_ptr<Client> &client : clients)
    binding.clients[client->endpoint()] = client.get();
  absl::StatusOr<CompiledProgram> pulls =
      loader.compile("startup", {}, binding);
  if (!pulls.ok())
    return pulls.status();
  startup = std::move(*pulls);
  if (absl::Status s = compilePullOfModel(binding); !s.ok())
    return s;
  absl::StatusOr<std::unique_ptr<TrainingRun>> run =
      TrainingRun::create({.config = &config,
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
                           .leader = id == 0});
  if (!run.ok())
    return run.status();
  training = std::move(*run);
  return absl::OkStatus();
}

absl::Status TrainerProcess::compilePullOfModel(const Binding &binding) {
  constexpr char name[] = "pull_model";
  if (!loader.module().narrowWire || config.save.empty() || id != 0)
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

absl::StatusOr<int64_t> TrainerProcess::runSteps() {
  // Somebody's step may take long because it computes, here or elsewhere.
  InterruptWatch watch(stop, clients, [this] {
    return absl::Seconds(2 + 2 * training->longestStep());
  });
  if (absl::Status s = process.executor->run(*startup.program, startupStep);
      !s.ok())
    return s;
  fprintf(stderr, "Communicator start\n");
  if (config.printMemoryPlan && id == 0)
    printMemoryPlan(training->memoryPlan());
  return training->run();
}

/// What a step that waits for others ends with when they, or we, give up.
static bool isEndOfJob(const absl::Status &status) {
  return absl::IsAborted(status) || absl::IsCancelled(status) ||
         absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
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
  if (!config.save.empty() && id == 0 && hasResult(stop, *steps))
    if (absl::Status s = save(); !s.ok())
      return s;
  if (others)
    others->complete();
  return completeAll(clients);
}

absl::Status TrainerProcess::run() {
  absl::Status status = train();
  if (!status.ok())
    abort(std::string(status.message()));
  else
    status = training->close();
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
  absl::Status status = saveModel(config.save, select(*process.store, false));
  if (status.ok())
    removeSlots(config.save);
  return status;
}

/// Selects the trainer program and opens what the trainers of this process
/// share.
static absl::StatusOr<std::pair<TrainingFunctions, TrainingData>>
openTrainer(const RunConfig &config, Loader &loader) {
  absl::StatusOr<std::string> program = trainerProgram(loader.module());
  if (!program.ok())
    return program.status();
  if (absl::Status s = loader.selectProgram(*program); !s.ok())
    return s;
  absl::StatusOr<TrainingFunctions> functions = trainingFunctions(loader);
  if (!functions.ok())
    return functions.status();
  absl::StatusOr<TrainingData> data =
      TrainingData::open(config, functions->step, loader.module().trainers);
  if (!data.ok())
    return data.status();
  return std::pair(std::move(*functions), std::move(*data));
}

static absl::Status runTrainer(const RunConfig &config, Loader &loader,
                               const StopSignal &stop) {
  if (absl::Status s = checkTrainerId(config, loader.module()); !s.ok())
    return s;
  auto opened = openTrainer(config, loader);
  if (!opened.ok())
    return opened.status();
  int id = *config.trainerId;
  RunConfig own = config;
  if (id != 0)
    own.save.clear(); // trainer 0 saves
  if (absl::Status s = checkOutputs(own); !s.ok())
    return s;
  TrainerProcess trainer(config, stop, loader, opened->first, opened->second,
                         id);
  fprintf(stderr, "init rpc client with trainer_id %d\n", id);
  stop.defer();
  absl::Notification cancel;
  std::shared_ptr<void> watch = stop.onRequest([&] { cancel.Notify(); });
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

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

namespace {

/// Every program of a job in this process, over the in-process transport.
class AllProcess {
public:
  AllProcess(const RunConfig &config, const StopSignal &stop)
      : config(config), stop(stop) {}

  absl::Status run(Loader &trainerLoader);

private:
  const RunConfig &configOf(const std::string &role, int id);
  absl::Status startPServers(const Loader &trainerLoader);
  absl::Status connect(TrainerProcess &trainer,
                       std::unique_ptr<Communicator> line);
  absl::Status
  runTrainers(std::vector<std::unique_ptr<TrainerProcess>> &trainers);

  const RunConfig &config;
  const StopSignal &stop;
  /// By process, with files of its own.
  std::map<std::pair<std::string, int>, RunConfig> configs;
  /// Compiled programs live as long as their loaders.
  std::vector<std::unique_ptr<Loader>> loaders;
  std::vector<PServerProcess> pservers;
  std::vector<std::string> endpoints;
};

} // namespace

const RunConfig &AllProcess::configOf(const std::string &role, int id) {
  auto [place, isNew] = configs.try_emplace({role, id}, config);
  if (isNew) {
    place->second.metrics = fileOfProcess(config.metrics, role, id);
    place->second.trace = fileOfProcess(config.trace, role, id);
  }
  return place->second;
}

absl::Status AllProcess::startPServers(const Loader &trainerLoader) {
  for (const std::string &endpoint : trainerLoader.module().pservers) {
    absl::StatusOr<std::unique_ptr<Loader>> loader = trainerLoader.again();
    if (!loader.ok())
      return loader.status();
    absl::StatusOr<PServerProcess> pserver =
        makePServer(configOf("pserver", pservers.size()), **loader, endpoint);
    if (!pserver.ok())
      return pserver.status();
    loaders.push_back(std::move(*loader));
    pservers.push_back(std::move(*pserver));
    endpoints.push_back(endpoint);
  }
  return absl::OkStatus();
}

absl::Status AllProcess::connect(TrainerProcess &trainer,
                                 std::unique_ptr<Communicator> line) {
  std::vector<std::unique_ptr<Client>> clients;
  ClientOptions options = trainer.clientOptions();
  for (size_t i = 0; i != pservers.size(); ++i) {
    absl::StatusOr<std::unique_ptr<Client>> client =
        connectInProcess(endpoints[i], *pservers[i].server, options);
    if (!client.ok())
      return client.status();
    clients.push_back(std::move(*client));
  }
  return trainer.build(std::move(clients), std::move(line));
}

/// The first failure: the others' are its consequences.
absl::Status AllProcess::runTrainers(
    std::vector<std::unique_ptr<TrainerProcess>> &trainers) {
  std::mutex mutex;
  absl::Status first; // guarded by mutex
  std::vector<std::thread> threads;
  for (std::unique_ptr<TrainerProcess> &trainer : trainers)
    threads.emplace_back([&, t = trainer.get()] {
      absl::Status status = t->run();
      std::lock_guard lock(mutex);
      first.Update(status);
    });
  for (std::thread &thread : threads)
    thread.join();
  return first;
}

absl::Status AllProcess::run(Loader &trainerLoader) {
  const ModuleInfo &module = trainerLoader.module();
  auto opened = openTrainer(config, trainerLoader);
  if (!opened.ok())
    return opened.status();
  if (absl::Status s = checkOutputs(config); !s.ok())
    return s;
  if (absl::Status s = startPServers(trainerLoader); !s.ok())
    return s;
  std::vector<std::unique_ptr<Communicator>> lines(module.trainers);
  if (module.reduces)
    lines = makeInProcessGroup({.trainers = module.trainers});
  std::vector<std::unique_ptr<TrainerProcess>> trainers;
  for (int id = 0; id != module.trainers; ++id) {
    fprintf(stderr, "init rpc client with trainer_id %d\n", id);
    trainers.push_back(std::make_unique<TrainerProcess>(
        configOf("trainer", id), stop, trainerLoader, opened->first,
        opened->second, id));
    if (absl::Status s = connect(*trainers.back(), std::move(lines[id]));
        !s.ok())
      return s;
  }
  stop.defer();
  absl::Status status = runTrainers(trainers);
  for (size_t i = 0; i != pservers.size(); ++i)
    status.Update(writePServer(configOf("pserver", i), i, pservers[i],
                               pservers[i].server->wait()));
  return status;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// Some jobs can be transpiled, but not run, or not as several processes.
static absl::Status checkRunnable(RunRole role, const ModuleInfo &module) {
  if (module.mode != "sync" && module.mode != "collective")
    return usageError(
        absl::StrCat("the programs are of mode=", module.mode,
                     ", which ps-run cannot run: transpile with mode=sync or "
                     "mode=collective"));
  if (module.reduces && role != RunRole::All)
    return usageError("the trainers of this job reduce gradients among "
                      "themselves, which they can do in one process only: run "
                      "it with --role=all");
  return absl::OkStatus();
}

absl::Status ps::runConfig(const RunConfig &config, const StopSignal &stop) {
  absl::StatusOr<std::unique_ptr<Loader>> loader = Loader::create(config.file);
  if (!loader.ok())
    return loader.status();
  const ModuleInfo &module = (*loader)->module();
  if (!config.entry.empty())
    return runEntry(config, **loader);
  RunRole role = config.role.value_or(RunRole::Local);
  if (role == RunRole::Local && !module.programs.empty())
    return usageError(
        "the file holds the programs of a job: choose one with "
        "--role=trainer or --role=pserver, or run them --role=all");
  if (role == RunRole::Local)
    return runLocal(config, **loader, stop);
  if (module.programs.empty())
    return usageError("the file holds a graph, not the programs of a job: "
                      "transpile it with ps-opt --ps-transpile first");
  if (absl::Status s = checkEnvironment(config, module); !s.ok())
    return s;
  if (absl::Status s = checkRunnable(role, module); !s.ok())
    return s;
  switch (role) {
  case RunRole::Trainer:
    return runTrainer(config, **loader, stop);
  case RunRole::PServer:
    return runPServer(config, **loader, stop);
  default:
    return AllProcess(config, stop).run(**loader);
  }
}
