// SPDX-License-Identifier: Apache-2.0
//===- Roles.cpp - what the processes of a job do -------------------------===//
//
// Which processes a run consists of: a local run, one role of a job, or all
// roles in one process (--role=all), where pservers and trainers are threads
// that call each other directly.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/driver/Roles.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Join.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/client/Connect.h"
#include "runtime/collective/DeviceGroup.h"
#include "runtime/collective/InProcessGroup.h"
#include "tools/ps-run/config/Resume.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/driver/Checkpoint.h"
#include "tools/ps-run/driver/PServerProcess.h"
#include "tools/ps-run/driver/TrainerProcess.h"
#include "tools/ps-run/membership/JobProcess.h"
#include "tools/ps-run/output/TraceMerge.h"
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <thread>

using namespace ps;
using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Local
//===----------------------------------------------------------------------===//

/// Neither data nor training: the function's own checks decide.
static absl::Status runEntry(const RunConfig &config, Loader &loader) {
  RETURN_IF_ERROR(checkOutputs(config));
  RETURN_IF_ERROR(loader.selectProgram(""));
  ASSIGN_OR_RETURN(Process process, makeProcess(config, loader, "local", 0));
  ASSIGN_OR_RETURN(CompiledProgram program,
                   loader.compile(config.entry,
                                  {.batchSize = config.batchSize.value_or(1)},
                                  process.binding()));
  if (!program.program->feeds.empty() || !program.program->deviceFeeds.empty())
    return usageError(absl::StrCat("--entry: @", config.entry,
                                   " takes data, only functions without "
                                   "arguments can be run"));
  if (config.printMemoryPlan)
    printMemoryPlan(program.memory);
  return writeTrace(config, process,
                    process.executor->run(*program.program, 0));
}

static absl::Status trainLocal(const RunConfig &config, const Process &process,
                               const StopSignal &stop, TrainingRun &run) {
  stop.defer();
  ASSIGN_OR_RETURN(int64_t steps, run.run());
  const bool saves = !config.saves.empty() && hasResult(stop, steps);
  if (saves) {
    const std::shared_ptr<void> delay = stop.delayUntil("the model is saved");
    RETURN_IF_ERROR(saveCheckpoint(
        {.folders = config.saves, .state = run.state()}, process));
    for (const HeldTable &held : process.tables)
      if (held.table->tiers())
        held.table->tiers()->discard();
  }
  run.reportEnd(saves ? config.saves : std::span<const SaveTarget>());
  if (!process.tables.empty())
    run.writeTables(tableScalars(process));
  return run.close();
}

static int64_t stepsPerPass(const RunConfig &config, int64_t samplesPerStep) {
  return (config.passSamples + samplesPerStep - 1) / samplesPerStep;
}

/// Saves the model, and reports it: what is said here survives the process.
static absl::Status endPass(const RunConfig &config, const Process &process,
                            int64_t pass, const TrainingState &state) {
  ASSIGN_OR_RETURN(int64_t changed, savePass(config, process, state));
  const bool hasTiers =
      std::ranges::any_of(process.tables, [](const HeldTable &held) {
        return held.table->tiers();
      });
  printf("pass %lld  saved%s\n", static_cast<long long>(pass),
         hasTiers
             ? absl::StrCat("  ", changed, " rows written to the SSD").c_str()
             : "");
  fflush(stdout);
  return absl::OkStatus();
}

static absl::StatusOr<CompleteSave>
stageLocal(const Process &process, SaveKind kind, const std::string &dir,
           const TrainingState &state, const MetricSums &metrics) {
  const SaveTarget folder{dir};
  return stageCheckpoint({.folders = {&folder, 1},
                          .state = state,
                          .metrics = metrics,
                          .kind = kind},
                         process);
}

static absl::Status runLocal(const RunConfig &config, Loader &loader,
                             const StopSignal &stop) {
  RETURN_IF_ERROR(loader.selectProgram(""));
  ASSIGN_OR_RETURN(TrainingFunctions functions, trainingFunctions(loader));
  ASSIGN_OR_RETURN(TrainingData data,
                   TrainingData::open(config, functions.step, 1, 0));
  RETURN_IF_ERROR(checkOutputs(config));
  RETURN_IF_ERROR(loader.warnOfWorkers(data.workers));
  ASSIGN_OR_RETURN(Process process, makeProcess(config, loader, "local", 0));
  ASSIGN_OR_RETURN(
      std::unique_ptr<TrainingRun> run,
      TrainingRun::create(
          {.config = &config,
           .data = &data,
           .loader = &loader,
           .executor = process.executor.get(),
           .stop = &stop,
           .binding = process.binding(),
           .function = functions.step,
           .periodic = functions.periodic,
           .last = functions.last,
           .metricsFile = config.metrics,
           .resumed = process.resumed,
           .updatesBefore = process.updatesBefore,
           .checkpoints = {.pull = nullptr,
                           .stage =
                               std::bind_front(stageLocal, std::cref(process)),
                           .resumed = process.metrics},
           .stepsPerPass = stepsPerPass(config, data.samplesPerStep()),
           .isPassPerFile = config.passPerFile && data.train,
           .endPass = std::bind_front(endPass, std::cref(config),
                                      std::cref(process))}));
  if (config.printMemoryPlan)
    printMemoryPlan(run->memoryPlan());
  return writeTrace(config, process, trainLocal(config, process, stop, *run));
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

namespace {

/// All programs of a job in this process, over in-process links.
class AllProcess {
public:
  AllProcess(const RunConfig &config, const StopSignal &stop)
      : config(config), stop(stop) {}

  absl::Status run(Loader &trainerLoader);

private:
  const RunConfig &configOf(const std::string &role, int id);
  absl::Status startPServers(const Loader &trainerLoader);
  absl::Status connect(TrainerProcess &trainer,
                       std::unique_ptr<Communicator> communicator);
  absl::Status
  runTrainers(std::vector<std::unique_ptr<TrainerProcess>> &trainers);
  void mergeTraces() const;

  const RunConfig &config;
  const StopSignal &stop;
  /// The configuration of each process, with files of its own.
  std::map<std::pair<std::string, int>, RunConfig> configs;
  /// Compiled programs live as long as their loaders.
  std::vector<std::unique_ptr<Loader>> loaders;
  std::vector<PServerProcess> pservers;
  std::vector<std::string> endpoints;
};

} // namespace

/// Trainers and pservers of one process would write to the same files.
const RunConfig &AllProcess::configOf(const std::string &role, int id) {
  auto [place, isNew] = configs.try_emplace({role, id}, config);
  if (isNew) {
    place->second.metrics = fileOfProcess(config.metrics, role, id);
    place->second.trace = fileOfProcess(config.trace, role, id);
    if (role == "pserver")
      place->second.device = config.pserverDevice;
  }
  return place->second;
}

absl::Status AllProcess::startPServers(const Loader &trainerLoader) {
  const ModuleInfo &module = trainerLoader.module();
  for (size_t i = 0; i != module.pservers.size(); ++i) {
    // Nothing listens anywhere: an address is only what messages say.
    const std::string &address =
        module.endpoints.empty() ? module.pservers[i] : module.endpoints[i];
    ASSIGN_OR_RETURN(std::unique_ptr<Loader> loader, trainerLoader.again());
    ASSIGN_OR_RETURN(
        PServerProcess pserver,
        makePServer(configOf("pserver", i), *loader,
                    {static_cast<int>(i), module.pservers[i], address}));
    loaders.push_back(std::move(loader));
    pservers.push_back(std::move(pserver));
    endpoints.push_back(address);
  }
  return absl::OkStatus();
}

absl::Status AllProcess::connect(TrainerProcess &trainer,
                                 std::unique_ptr<Communicator> communicator) {
  RETURN_IF_ERROR(trainer.load());
  std::vector<std::unique_ptr<Client>> clients;
  ClientOptions options = trainer.clientOptions();
  for (size_t i = 0; i != pservers.size(); ++i) {
    ASSIGN_OR_RETURN(
        std::unique_ptr<Client> client,
        connectInProcess(endpoints[i], *pservers[i].server, options));
    clients.push_back(std::move(client));
  }
  // The trainers of a process share its device.
  if (communicator && !trainer.device().chip().empty())
    communicator = makeStagedGroup(std::move(communicator), trainer.device());
  return trainer.build(std::move(clients), std::move(communicator));
}

/// Runs each trainer on a thread. Returns the first failure: those of the other
/// trainers are its consequences.
absl::Status AllProcess::runTrainers(
    std::vector<std::unique_ptr<TrainerProcess>> &trainers) {
  std::vector<std::thread> threads;
  absl::Status first = awaitAll(trainers.size(), [&](size_t i, Done done) {
    threads.emplace_back(
        [trainer = trainers[i].get(), done = std::move(done)]() mutable {
          done(trainer->run());
        });
  });
  for (std::thread &thread : threads)
    thread.join();
  return first;
}

/// Into the file of trainer 0, also after a failure: all have written theirs.
void AllProcess::mergeTraces() const {
  if (config.trace.empty())
    return;
  std::vector<std::string> traces;
  for (const auto &[process, own] : configs)
    traces.push_back(own.trace);
  mergeTracesOfJob(traces, config.trace);
}

/// The data of each trainer from 1 on, or nothing where all share trainer 0's.
static absl::StatusOr<std::vector<TrainingData>>
openOthers(const RunConfig &config, const FunctionInfo &step, int trainers) {
  std::vector<TrainingData> others;
  for (int id = 1; id < trainers && config.splitFiles; ++id) {
    ASSIGN_OR_RETURN(TrainingData data,
                     TrainingData::open(config, step, trainers, id));
    others.push_back(std::move(data));
  }
  return others;
}

/// Opens all data and output files before anything starts: most mistakes are
/// found there.
absl::Status AllProcess::run(Loader &trainerLoader) {
  const ModuleInfo &module = trainerLoader.module();
  ASSIGN_OR_RETURN(auto opened, openTrainer(config, trainerLoader, 0));
  ASSIGN_OR_RETURN(std::vector<TrainingData> others,
                   openOthers(config, opened.first.step, module.trainers));
  RETURN_IF_ERROR(checkOutputs(config));
  RETURN_IF_ERROR(startPServers(trainerLoader));
  std::vector<std::unique_ptr<Communicator>> communicators(module.trainers);
  if (module.reduces)
    communicators = makeInProcessGroup({.trainers = module.trainers});
  std::vector<std::unique_ptr<TrainerProcess>> trainers;
  for (int id = 0; id != module.trainers; ++id) {
    logInfo(absl::StrCat("init rpc client with trainer_id ", id));
    trainers.push_back(std::make_unique<TrainerProcess>(
        configOf("trainer", id), stop, trainerLoader, opened.first,
        id == 0 || others.empty() ? opened.second : others[id - 1], id));
    RETURN_IF_ERROR(connect(*trainers.back(), std::move(communicators[id])));
  }
  stop.defer();
  absl::Status status = runTrainers(trainers);
  for (size_t i = 0; i != pservers.size(); ++i)
    status.Update(writePServer(configOf("pserver", i), i, pservers[i],
                               waitForTrainers(pservers[i])));
  mergeTraces();
  return status;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

static absl::Status mismatch(absl::string_view what, const std::string &given,
                             const std::string &program) {
  return usageError(absl::StrCat("the environment names ", what, " ", given,
                                 ", the program ", program));
}

/// Compares the environment with the job that the program is part of.
static absl::Status checkEnvironment(const RunConfig &config,
                                     const ModuleInfo &module) {
  // Where programs say nothing of addresses, or a flag does, see Membership.
  if (config.expectedPServers && config.pserverEndpoints.empty() &&
      !module.endpoints.empty() && *config.expectedPServers != module.endpoints)
    return mismatch("pservers", absl::StrJoin(*config.expectedPServers, ","),
                    absl::StrJoin(module.endpoints, ","));
  int pservers = module.pservers.size();
  if (config.expectedPServerCount.value_or(pservers) != pservers)
    return mismatch("pservers", absl::StrCat(*config.expectedPServerCount),
                    absl::StrCat(pservers));
  if (config.expectedTrainers.value_or(module.trainers) != module.trainers)
    return mismatch("trainers", absl::StrCat(*config.expectedTrainers),
                    absl::StrCat(module.trainers));
  return absl::OkStatus();
}

/// One process of a job, or all of them.
static absl::Status runRole(const RunConfig &config, Loader &loader,
                            const StopSignal &stop, JobMember *member) {
  switch (*config.role) {
  case RunRole::Trainer:
    return runTrainer(config, loader, stop, member);
  case RunRole::PServer:
    return runPServer(config, loader, stop, member);
  default:
    return AllProcess(config, stop).run(loader);
  }
}

/// One that the environment names gives way to addresses, wherever they are
/// from.
static bool usesCoordinator(const RunConfig &config, const ModuleInfo &module) {
  const bool hasAddresses =
      !module.endpoints.empty() || !config.pserverEndpoints.empty() ||
      config.expectedPServers || !config.endpoint.empty() ||
      !config.addressFile.empty() ||
      (module.reduces && !config.trainerEndpoints.empty());
  return !config.coordinator.empty() &&
         !(config.isCoordinatorInherited && hasAddresses);
}

/// What the job is at decides which checkpoint this process begins with.
static absl::Status runCoordinated(const RunConfig &given, Loader &loader,
                                   const StopSignal &stop) {
  absl::StatusOr<std::unique_ptr<JobProcess>> joined =
      JobProcess::join(given, loader, stop);
  if (!joined.ok() && stop.requested())
    return absl::OkStatus();
  RETURN_IF_ERROR(joined.status());
  const std::unique_ptr<JobProcess> process = *std::move(joined);
  if (process->member().hasNoWork())
    return process->reportEnd();
  absl::StatusOr<RunConfig> config = process->config();
  // How often the job may be restarted is known to its coordinator.
  if (process->member().maxRestarts() > 0)
    if (absl::Status status = checkRestartable(given); !status.ok())
      config = status;
  if (config.ok() && process->member().attempt() > 1)
    if (absl::Status status = awaitEarlierWriter(*config); !status.ok())
      config = status;
  if (config.ok())
    config = chooseCheckpoint(*config);
  return process->finish(
      config.ok() ? runRole(*config, loader, stop, &process->member())
                  : config.status());
}

absl::Status ps::runConfig(const RunConfig &given, const StopSignal &stop) {
  ASSIGN_OR_RETURN(std::unique_ptr<Loader> loader, Loader::create(given.file));
  if (!given.settings.empty()) {
    if (!given.coordinator.empty())
      return usageError("--set is for jobs without a --coordinator");
    RETURN_IF_ERROR(loader->setParameters(given.settings));
  }
  const ModuleInfo &module = loader->module();
  RunRole role = given.role.value_or(RunRole::Local);
  const bool isJob = given.entry.empty() && role != RunRole::Local;
  const bool hasGraph = module.programs.empty();
  if (isJob && usesCoordinator(given, module) &&
      (!hasGraph || role != RunRole::All)) {
    if (!hasGraph)
      RETURN_IF_ERROR(checkEnvironment(given, module));
    return runCoordinated(given, *loader, stop);
  }
  // A coordinator that the environment names may not be used.
  if (!given.transpile.empty() && !hasGraph)
    return usageError("--transpile is for a graph, the file holds the programs "
                      "of a job");
  ASSIGN_OR_RETURN(const RunConfig config, chooseCheckpoint(given));
  if (!config.entry.empty())
    return runEntry(config, *loader);
  if (role == RunRole::Local && !module.programs.empty())
    return usageError(
        "the file holds the programs of a job: choose one with "
        "--role=trainer or --role=pserver, or run them --role=all");
  if (role == RunRole::Local)
    return runLocal(config, *loader, stop);
  if (hasGraph)
    return usageError("the file holds a graph, not the programs of a job: "
                      "transpile it with ps-opt --ps-transpile first");
  RETURN_IF_ERROR(checkEnvironment(config, module));
  return runRole(config, *loader, stop, nullptr);
}
