// SPDX-License-Identifier: Apache-2.0
//===- Launch.cpp - a whole job -------------------------------------------===//
//
// 1. createRunFolder: what this job writes is kept apart from other jobs.
// 2. prepare: what can fail before any process of the job has started.
//    transpile: ps-opt, which is installed beside this program; the programs
//    name pservers, not addresses.
//    checkData: whether trainers have what the graph is fed.
//    makeToken: other users of this machine cannot connect to the job.
//    planRemote: with --hosts, which machine has which process (RemoteJob.cpp).
//    copyGraph: with --elastic, the processes have the graph (ElasticJob.cpp).
// 3. startAll: one process per role. On this machine each pserver listens on a
//    port that the system chooses and adds its address to a file of the run's
//    folder, from which the trainers read it.
// 4. watch: until all have ended, or one has failed, or a stop is requested
//    (WatchJob.cpp).
// 5. findOrigin: of processes that failed one after the other, the first cause.
// 6. restart: with --max-restarts all roles go back to the newest checkpoint
//    together, from step 3 on. Those that are left are killed: asked to stop,
//    they would complete, and save a model that the job has not trained.
//    replaceTrainer: where trainers do not keep step one of them, other than
//    trainer 0, is started again alone, while the others go on.
//    goOnWithout: or it is not, with --on-trainer-loss=continue.
//    recoverPServer: with --recovery=log, a pserver that was killed is, while
//    the others wait for it.
// Where the processes have a scheduler 4 to 6 are supervise (ScheduledJob.cpp).
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/launch/Launch.h"
#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/Descriptor.h"
#include "runtime/base/LiveLine.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/testing/CrashPoint.h"
#include "tools/ps-run/config/Resume.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/driver/TrainerProcess.h"
#include "tools/ps-run/launch/Job.h"
#include "tools/ps-run/launch/RunFolder.h"
#include "tools/ps-run/output/TraceMerge.h"
#include "tools/ps-run/recovery/Recovery.h"
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace ps;
using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

static std::string besideThisProgram(const std::string &name) {
  return (std::filesystem::path(ownProgram()).parent_path() / name).string();
}

std::vector<std::string> Job::inheritedEnvironment() {
  std::vector<std::string> result;
  for (char **entry = environ; *entry; ++entry) {
    absl::string_view text = *entry;
    bool dropped = false;
    // launch sets the roles; a proxy would get between the processes.
    for (const char *prefix :
         {"TRAINING_ROLE=", "PADDLE_", "POD_IP=", "MS_",
          "PS_TOKEN_FILE=", "LOCAL_RANK=", "http_proxy=", "https_proxy=",
          "grpc_proxy=", "HTTP_PROXY=", "HTTPS_PROXY="})
      dropped |= absl::StartsWith(text, prefix);
    if (!dropped)
      result.emplace_back(text);
  }
  return result;
}

/// Writes what ps-opt has to say, which has a format of its own.
static void relayDiagnostics(const std::string &file) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);)
    writeLog(absl::StrContains(line, ": error: ")     ? LogLevel::Error
             : absl::StrContains(line, ": warning: ") ? LogLevel::Warning
                                                      : LogLevel::Info,
             line);
}

/// The graph that is transpiled: one with the parameters of --set is written to
/// the job's folder.
absl::StatusOr<std::string> Job::setParameters() const {
  if (config.run.settings.empty())
    return config.file;
  if (config.elastic)
    return usageError("--set is for jobs without --elastic");
  ASSIGN_OR_RETURN(std::unique_ptr<Loader> loader, Loader::create(config.file));
  RETURN_IF_ERROR(loader->setParameters(config.run.settings));
  const std::string file = path("graph.mlir");
  std::ofstream(file) << loader->print();
  return file;
}

/// What is typed at a terminal goes to the processes of its foreground, which
/// ps-opt is not one of.
static absl::StatusOr<Descriptor> copyStandardInput() {
  Descriptor file(memfd_create("graph", MFD_CLOEXEC));
  std::vector<char> buffer(1 << 16);
  ssize_t size = file ? 1 : -1;
  while (size > 0) {
    size = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (size > 0)
      size = write(file.get(), buffer.data(), static_cast<size_t>(size));
  }
  if (size < 0 || lseek(file.get(), 0, SEEK_SET) < 0)
    return absl::UnavailableError(absl::StrCat(
        "cannot read the graph from standard input: ", std::strerror(errno)));
  return file;
}

/// Runs ps-opt in a process of its own: its diagnostics reach the user as they
/// are, and a crash is not one of the launch.
absl::Status Job::transpile() {
  ASSIGN_OR_RETURN(const std::string graph, setParameters());
  const std::string options =
      transpileText(config.pservers, config.trainers, config.transpile);
  Descriptor input;
  if (graph == "-") {
    ASSIGN_OR_RETURN(input, copyStandardInput());
  }
  const std::string diagnostics =
      getLogFormat() == LogFormat::Json ? path("diagnostics") : "";
  ASSIGN_OR_RETURN(ChildProcess child,
                   ChildProcess::start(
                       {.name = "ps-opt",
                        .arguments = {besideThisProgram("ps-opt"), graph,
                                      absl::StrCat("--ps-transpile=", options),
                                      "-o", path("dist.mlir")},
                        .environment = inheritedEnvironment(),
                        .log = diagnostics,
                        .input = input.get()}));
  int code = child.wait();
  if (!diagnostics.empty()) {
    relayDiagnostics(diagnostics);
    std::error_code ignored;
    std::filesystem::remove(diagnostics, ignored);
  }
  if (code == ChildProcess::cannotRun)
    return absl::NotFoundError(
        absl::StrCat("cannot run '", besideThisProgram("ps-opt"), "'"));
  if (code != 0)
    return absl::InvalidArgumentError(
        absl::StrCat("cannot transpile '", config.file, "'"));
  return absl::OkStatus();
}

/// Without samples each trainer would refuse a graph that has feeds, while
/// pservers wait for it.
absl::Status Job::checkData() const {
  if (!config.run.data.empty() || !config.run.evalData.empty())
    return absl::OkStatus();
  ASSIGN_OR_RETURN(std::unique_ptr<Loader> loader,
                   Loader::create(path("dist.mlir")));
  return openTrainer(config.run, *loader, /*trainer=*/0).status();
}

/// Where there are several trainers, ps-opt has warned. Standard input cannot
/// be read again.
absl::Status Job::warnOfWorkers() const {
  if (config.run.workers == 1 || config.trainers > 1 || config.file == "-")
    return absl::OkStatus();
  ASSIGN_OR_RETURN(std::unique_ptr<Loader> programs,
                   Loader::create(path("dist.mlir")));
  if (!programs->module().keepsStep())
    return absl::OkStatus();
  ASSIGN_OR_RETURN(std::unique_ptr<Loader> graph, Loader::create(config.file));
  return graph->warnOfWorkers(config.run.workers);
}

absl::Status Job::prepare() {
  RETURN_IF_ERROR(chooseCheckpoint(config.run).status());
  RETURN_IF_ERROR(planRemote());
  RETURN_IF_ERROR(transpile());
  RETURN_IF_ERROR(warnOfWorkers());
  RETURN_IF_ERROR(checkData());
  RETURN_IF_ERROR(chooseTrainerLoss());
  RETURN_IF_ERROR(prepareRecovery());
  RETURN_IF_ERROR(copyGraph());
  return makeToken();
}

/// Where trainers do not keep step, those that are left need not go back. What
/// cannot be done is refused before a process starts.
absl::Status Job::chooseTrainerLoss() {
  const bool isChosen = isForwarded("--on-trainer-loss");
  RunConfig chosen = config.run;
  if (!isChosen && config.maxRestarts != 0 && !config.run.recovery.usesLog)
    chosen.onTrainerLoss = TrainerLoss::Wait;
  if (!config.hosts.empty() || config.elastic ||
      chosen.onTrainerLoss == TrainerLoss::Fail)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(std::unique_ptr<Loader> loader,
                   Loader::create(path("dist.mlir")));
  const absl::Status status = checkReplaceable(chosen, *loader);
  replacesTrainers = status.ok() && config.maxRestarts != 0 &&
                     chosen.onTrainerLoss == TrainerLoss::Wait;
  return isChosen ? status : absl::OkStatus();
}

absl::Status Job::prepareRecovery() {
  if (!config.run.recovery.usesLog)
    return absl::OkStatus();
  if (!config.hosts.empty())
    return usageError("--recovery=log is for jobs without --hosts");
  ASSIGN_OR_RETURN(std::unique_ptr<Loader> loader,
                   Loader::create(path("dist.mlir")));
  RETURN_IF_ERROR(checkRecovery(config.run, loader->module()));
  pserverNames = loader->module().pservers;
  return absl::OkStatus();
}

/// Unless the user has given one.
absl::Status Job::makeToken() {
  if (!tokenFile.empty())
    return absl::OkStatus();
  tokenFile = path("token");
  return createTokenFile(tokenFile);
}

void Job::removeFolder() const {
  std::error_code ignored;
  std::filesystem::remove(path("dist.mlir"), ignored);
  std::filesystem::remove(path("graph.mlir"), ignored);
  std::filesystem::remove(path("token"), ignored);
  std::filesystem::remove(folder, ignored);
}

std::vector<std::string> Job::childEnvironment(bool trainer, int id) const {
  std::vector<std::string> environment = inheritedEnvironment();
  for (std::string &entry : roleEnvironment(trainer, id))
    environment.push_back(std::move(entry));
  return environment;
}

/// Trainers come first, if they have GPUs.
int Job::localRank(bool trainer, int id) const {
  const int before =
      !trainer && config.run.device != "cpu" ? config.trainers : 0;
  if (config.hosts.empty())
    return before + id;
  const std::string &host = (trainer ? hosts.trainers : hosts.pservers)[id];
  auto countHere = [&](const std::vector<std::string> &all, int count) {
    return static_cast<int>(std::count(all.begin(), all.begin() + count, host));
  };
  return countHere(hosts.trainers, before) +
         countHere(trainer ? hosts.trainers : hosts.pservers, id);
}

std::vector<std::string> Job::roleEnvironment(bool trainer, int id) const {
  std::vector<std::string> environment;
  auto set = [&](absl::string_view name, absl::string_view value) {
    environment.push_back(absl::StrCat(name, "=", value));
  };
  set("TRAINING_ROLE", trainer ? "TRAINER" : "PSERVER");
  set("PADDLE_TRAINERS_NUM", absl::StrCat(config.trainers));
  set("PS_TOKEN_FILE", tokenFile);
  set("LOCAL_RANK", absl::StrCat(localRank(trainer, id)));
  if (trainer)
    set("PADDLE_TRAINER_ID", absl::StrCat(id));
  return environment;
}

bool Job::isForwarded(absl::string_view option) const {
  return std::ranges::any_of(config.forwarded, [&](absl::string_view flag) {
    return absl::ConsumePrefix(&flag, option) && absl::StartsWith(flag, "=");
  });
}

/// What a process gets wherever it runs.
std::vector<std::string> Job::roleArguments(bool trainer, int id) const {
  const std::string role = trainer ? "trainer" : "pserver";
  std::vector<std::string> arguments;
  if (!trainer && !config.elastic)
    arguments.push_back(absl::StrCat("--server=", id));
  arguments.insert(arguments.end(), config.forwarded.begin(),
                   config.forwarded.end());
  const RunConfig &run = config.run;
  // The cores of other machines are not known.
  if (config.hosts.empty() || run.threads)
    arguments.push_back(
        absl::StrCat("--threads=", threadsOfProcess(config, trainer)));
  if (trainer && showsLive && !isForwarded("--log-every"))
    arguments.push_back("--log-every=1s");
  arguments.push_back("--device=" + (trainer ? run.device : run.pserverDevice));
  // A process that has no rank yet names the files by the one that it gets.
  auto fileOf = [&](const std::string &file) {
    return config.elastic ? file : fileOfProcess(file, role, id);
  };
  if (!run.metrics.empty())
    arguments.push_back("--metrics=" + fileOf(run.metrics));
  if (!run.trace.empty())
    arguments.push_back("--trace=" + fileOf(run.trace));
  return arguments;
}

absl::StatusOr<ChildProcess> Job::make(bool trainer, int id,
                                       const std::string &log) {
  if (!config.hosts.empty())
    return makeRemote(trainer, id, log);
  return config.elastic ? makeElastic(trainer, id, log)
                        : makeLocal(trainer, id, log);
}

absl::StatusOr<ChildProcess> Job::makeLocal(bool trainer, int id,
                                            const std::string &log,
                                            const std::string &address) {
  std::string role = trainer ? "trainer" : "pserver";
  std::vector<std::string> arguments = {ownProgram(), path("dist.mlir"),
                                        "--address-file=" + path("addresses")};
  // Free ports: several launches can run at once. The address file says which.
  if (!trainer)
    arguments.push_back("--listen=" + (address.empty() ? anyPort : address));
  if (!trainer && config.run.recovery.usesLog)
    arguments.push_back("--recovery-log=" +
                        path(absl::StrCat("calls/pserver-", id)));
  if (!address.empty())
    arguments.push_back("--recover");
  const std::vector<std::string> flags = roleArguments(trainer, id);
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  if (!heading.empty() &&
      config.run.checkpoint.resume == CheckpointConfig::Resume::No)
    arguments.push_back("--resume");
  if (replacesTrainers && config.run.onTrainerLoss == TrainerLoss::Fail)
    arguments.push_back("--on-trainer-loss=wait");
  return ChildProcess::start(
      {.name = absl::StrCat(role, " ", id),
       .arguments = std::move(arguments),
       .environment = childEnvironment(trainer, id),
       .log = path(absl::StrCat(trainer ? "workerlog." : "serverlog.", id)),
       .heading = log});
}

absl::Status Job::startAll() {
  replaced = startedAlone = 0;
  saveDeadline.reset();
  leaderStops = false;
  lost.clear();
  for (auto [trainer, count] :
       {std::pair(false, config.pservers), std::pair(true, config.trainers)})
    for (int id = 0; id != count; ++id) {
      ASSIGN_OR_RETURN(ChildProcess child, make(trainer, id, heading));
      children.push_back(std::move(child));
    }
  if (leader)
    shown = findLeaderProcess()->logBegin();
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Attempts
//===----------------------------------------------------------------------===//

absl::StatusOr<bool> Job::restart(const JobFailure &failure,
                                  Restarts &restarts) {
  // First, for one of them may be about to complete a checkpoint.
  killAll();
  crashPoint("launch.restart");
  ASSIGN_OR_RETURN(std::optional<int64_t> step, newestCheckpoint(config.run));
  ASSIGN_OR_RETURN(int number, restarts.next(failure, step));
  if (stop.requested()) {
    logWarning(failure.what + "; stopped before a restart");
    return false;
  }
  const std::string from =
      step ? absl::StrCat("from step ", *step) : "from the beginning";
  logWarning(absl::StrCat(failure.what, "; restart ", number, " of ",
                          config.maxRestarts, ", ", from),
             step);
  heading = formatLog(
      LogLevel::Info,
      absl::StrCat("--- attempt ", ++attempts, ", ", from, " ---"), step);
  std::error_code ignored;
  std::filesystem::remove(path("addresses"), ignored);
  std::filesystem::remove_all(path("calls"), ignored);
  return true;
}

bool Job::isExpendable(const ChildProcess &child) {
  if (&child - children.data() <= config.pservers)
    return false;
  for (int i = 0; i <= config.pservers; ++i)
    if (std::optional<int> code = children[i].poll(); code && *code != 0)
      return false;
  return true;
}

/// Pservers say in their logs from which step on. They need a trainer that has
/// not begun to train.
bool Job::goOnWithout(ChildProcess &trainer, const JobFailure &failure) {
  if (config.run.onTrainerLoss != TrainerLoss::Continue ||
      !isExpendable(trainer) || failure.isUsageError ||
      !hasLogged(trainer, "Communicator start"))
    return false;
  logWarning(failure.what +
             "; the others go on without it: the rest of its samples are not "
             "trained, and batches are smaller");
  lost.insert(&trainer);
  return true;
}

absl::Status Job::runAttempts() {
  ASSIGN_OR_RETURN(std::optional<int64_t> newest, newestCheckpoint(config.run));
  Restarts restarts(config.maxRestarts, newest);
  for (;;) {
    if (children.empty())
      RETURN_IF_ERROR(startAll());
    ASSIGN_OR_RETURN(ChildProcess * failed, watch());
    if (!failed)
      return absl::OkStatus();
    ChildProcess &origin = findOrigin(*failed);
    const JobFailure failure = failureOf(origin);
    stopWithChild(); // One that was asked to stop may have failed others.
    if (!interrupted && goOnWithout(origin, failure))
      continue;
    if (interrupted || config.maxRestarts == 0)
      return absl::AbortedError(failure.what);
    ASSIGN_OR_RETURN(bool isReplaced,
                     replaceTrainer(origin, failure, restarts));
    if (isReplaced)
      continue;
    ASSIGN_OR_RETURN(bool isRecovered,
                     recoverPServer(origin, failure, restarts));
    if (isRecovered)
      continue;
    ASSIGN_OR_RETURN(bool goesOn, restart(failure, restarts));
    if (!goesOn)
      return absl::OkStatus();
  }
}

absl::Status Job::run() {
  ASSIGN_OR_RETURN(folder, createRunFolder(config.logDir, absl::Now()));
  absl::Status prepared = prepare();
  if (prepared.ok())
    prepared = linkLatest(folder);
  if (!prepared.ok()) {
    removeFolder();
    return prepared;
  }
  logInfo("programs and logs: " + folder);
  const absl::Cleanup end = [] { endLiveLine(); };
  stop.defer();
  const auto begin = std::filesystem::file_time_type::clock::now();
  absl::Status status = !config.hosts.empty() ? runRemote()
                        : config.elastic      ? runElastic()
                                              : runAttempts();
  if (!status.ok())
    endAll();
  // On other machines there may be more.
  if (const std::string &trace = config.run.trace; !trace.empty())
    mergeTracesOfJob(findTraces(trace, begin), trace);
  return status;
}

absl::Status ps::launchJob(const LaunchConfig &config, const StopSignal &stop) {
  return Job(config, stop).run();
}
