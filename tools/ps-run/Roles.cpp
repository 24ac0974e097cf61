//===- Roles.cpp - what the processes of a job do -------------------------===//

#include "tools/ps-run/Roles.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/collective/InProcessGroup.h"
#include "runtime/transport/InProcess.h"
#include "tools/ps-run/Checkpoint.h"
#include "tools/ps-run/Options.h"
#include "tools/ps-run/PServerProcess.h"
#include "tools/ps-run/TrainerProcess.h"
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

using namespace ps;
using namespace ps::runtime;

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
  absl::StatusOr<CompiledProgram> program =
      loader.compile(config.entry, {}, process->binding());
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

static absl::Status trainLocal(const RunConfig &config, const Process &process,
                               const StopSignal &stop, TrainingRun &run) {
  stop.defer();
  absl::StatusOr<int64_t> steps = run.run();
  if (!steps.ok())
    return steps.status();
  if (!config.saves.empty() && hasResult(stop, *steps))
    if (absl::Status s = saveCheckpoint(config, process, run.state()); !s.ok())
      return s;
  if (!process.tables.empty())
    run.writeTables(tableScalars(process));
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
      TrainingData::open(config, functions->step, 1, 0);
  if (!data.ok())
    return data.status();
  if (absl::Status s = checkOutputs(config); !s.ok())
    return s;
  absl::StatusOr<Process> process = makeProcess(config, loader, "local", 0);
  if (!process.ok())
    return process.status();
  absl::StatusOr<std::unique_ptr<TrainingRun>> run =
      TrainingRun::create({.config = &config,
                           .data = &*data,
                           .loader = &loader,
                           .executor = process->executor.get(),
                           .stop = &stop,
                           .binding = process->binding(),
                           .function = functions->step,
                           .periodic = functions->periodic,
                           .metricsFile = config.metrics,
                           .resumed = process->resumed});
  if (!run.ok())
    return run.status();
  if (config.printMemoryPlan)
    printMemoryPlan((*run)->memoryPlan());
  return writeTrace(config, *process,
                    trainLocal(config, *process, stop, **run));
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
  if (absl::Status s = trainer.load(); !s.ok())
    return s;
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

/// The data of each trainer from 1 on, or nothing where all take trainer 0's.
static absl::StatusOr<std::vector<TrainingData>>
openOthers(const RunConfig &config, const FunctionInfo &step, int trainers) {
  std::vector<TrainingData> others;
  for (int id = 1; id < trainers && config.splitFiles; ++id) {
    absl::StatusOr<TrainingData> data =
        TrainingData::open(config, step, trainers, id);
    if (!data.ok())
      return data.status();
    others.push_back(*std::move(data));
  }
  return others;
}

absl::Status AllProcess::run(Loader &trainerLoader) {
  const ModuleInfo &module = trainerLoader.module();
  auto opened = openTrainer(config, trainerLoader, 0);
  if (!opened.ok())
    return opened.status();
  absl::StatusOr<std::vector<TrainingData>> others =
      openOthers(config, opened->first.step, module.trainers);
  if (!others.ok())
    return others.status();
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
        id == 0 || others->empty() ? opened->second : (*others)[id - 1], id));
    if (absl::Status s = connect(*trainers.back(), std::move(lines[id]));
        !s.ok())
      return s;
  }
  stop.defer();
  absl::Status status = runTrainers(trainers);
  for (size_t i = 0; i != pservers.size(); ++i)
    status.Update(writePServer(configOf("pserver", i), i, pservers[i],
                               waitForTrainers(pservers[i])));
  return status;
}

//===----------------------------------------------------------------------===//
// Dispatch
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

/// Some jobs can be transpiled, but not run, or not as several processes.
static absl::Status checkRunnable(RunRole role, const RunConfig &config,
                                  const ModuleInfo &module) {
  if (module.mode != "sync" && module.mode != "collective")
    return usageError(
        absl::StrCat("the programs are of mode=", module.mode,
                     ", which ps-run cannot run: transpile with mode=sync or "
                     "mode=collective"));
  if (module.reduces && role != RunRole::All)
    return usageError("the trainers of this job reduce gradients among "
                      "themselves, which they can do in one process only: run "
                      "it with --role=all");
  if (config.splitFiles && module.pservers.empty())
    return usageError("--data-split=files: the job has no pserver over which "
                      "its trainers could agree on the number of steps");
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
  if (absl::Status s = checkRunnable(role, config, module); !s.ok())
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
