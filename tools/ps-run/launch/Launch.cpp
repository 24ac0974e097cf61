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
// 3. startAll: one process per role. On this machine each pserver listens on a
//    port that the system chooses and adds its address to a file of the run's
//    folder, from which the trainers read it.
// 4. watch: until all have ended, or one has failed, or a stop is requested.
// 5. findOrigin: of processes that failed one after the other, the first cause.
// 6. restart: with --max-restarts all roles go back to the newest checkpoint
//    together, from step 3 on. Those that are left are killed: asked to stop,
//    they would complete, and save a model that the job has not trained.
//    replaceTrainer: where trainers do not keep step one of them, other than
//    trainer 0, is started again alone, while the others go on.
//    goOnWithout: or it is not, with --on-trainer-loss=continue.
//    recoverPServer: with --recovery=log, a pserver that was killed is, while
//    the others wait for it.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/launch/Launch.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "runtime/testing/CrashPoint.h"
#include "tools/ps-run/config/Resume.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/driver/TrainerProcess.h"
#include "tools/ps-run/launch/Job.h"
#include "tools/ps-run/launch/RunFolder.h"
#include "tools/ps-run/recovery/Recovery.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <poll.h>
#include <unistd.h>

using namespace ps;
using runtime::JobFailure;
using runtime::Restarts;
using runtime::TrainerLoss;

using namespace std::chrono_literals;

static constexpr char errorPrefix[] = "ps-run: error: ";
/// After one process has failed: how long the others may take to report why
/// they end, before they are asked to, and before they are killed.
static constexpr auto failureGrace = 2s, stopGrace = 2s;
/// After a request to stop: when pservers get one too that outlive the last
/// trainer, which may not have met them.
static constexpr auto pserverGrace = 2s;
/// After a request to stop: how long after the first trainer that ends the
/// others may take before pservers get the request, too.
static constexpr auto trainerGrace = 8s;
/// After a request to stop, and for pservers after the last trainer.
static constexpr auto endGrace = 30s;

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

static std::string besideThisProgram(const std::string &name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name)
      .string();
}

std::vector<std::string> Job::inheritedEnvironment() {
  std::vector<std::string> result;
  for (char **entry = environ; *entry; ++entry) {
    absl::string_view text = *entry;
    bool dropped = false;
    // launch sets the roles; a proxy would get between the processes.
    for (const char *prefix : {"TRAINING_ROLE=", "PADDLE_", "POD_IP=", "MS_",
                               "PS_TOKEN_FILE=", "http_proxy=", "https_proxy=",
                               "grpc_proxy=", "HTTP_PROXY=", "HTTPS_PROXY="})
      dropped |= absl::StartsWith(text, prefix);
    if (!dropped)
      result.emplace_back(text);
  }
  return result;
}

/// Runs ps-opt in a process of its own: its diagnostics reach the user as they
/// are, and a crash is not one of the launch.
absl::Status Job::transpile() {
  std::string options = absl::StrCat("trainers=", config.trainers);
  if (config.pservers != 0)
    absl::StrAppend(&options, " pservers=", config.pservers);
  if (!config.transpile.empty())
    absl::StrAppend(&options, " ", config.transpile);
  ASSIGN_OR_RETURN(ChildProcess child,
                   ChildProcess::start(
                       {.name = "ps-opt",
                        .arguments = {besideThisProgram("ps-opt"), config.file,
                                      absl::StrCat("--ps-transpile=", options),
                                      "-o", path("dist.mlir")},
                        .environment = inheritedEnvironment(),
                        .log = ""}));
  int code = child.wait();
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
  return makeToken();
}

/// Where trainers do not keep step, those that are left need not go back. What
/// cannot be done is refused before a process starts.
absl::Status Job::chooseTrainerLoss() {
  const bool isChosen =
      std::ranges::any_of(config.forwarded, [](const std::string &flag) {
        return absl::StartsWith(flag, "--on-trainer-loss=");
      });
  RunConfig chosen = config.run;
  if (!isChosen && config.maxRestarts != 0 && !config.run.recovery.usesLog)
    chosen.onTrainerLoss = TrainerLoss::Wait;
  if (!config.hosts.empty() || chosen.onTrainerLoss == TrainerLoss::Fail)
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
  std::filesystem::remove(path("token"), ignored);
  std::filesystem::remove(folder, ignored);
}

std::vector<std::string> Job::childEnvironment(bool trainer, int id) const {
  std::vector<std::string> environment = inheritedEnvironment();
  for (std::string &entry : roleEnvironment(trainer, id))
    environment.push_back(std::move(entry));
  return environment;
}

std::vector<std::string> Job::roleEnvironment(bool trainer, int id) const {
  std::vector<std::string> environment;
  auto set = [&](absl::string_view name, absl::string_view value) {
    environment.push_back(absl::StrCat(name, "=", value));
  };
  set("TRAINING_ROLE", trainer ? "TRAINER" : "PSERVER");
  set("PADDLE_TRAINERS_NUM", absl::StrCat(config.trainers));
  set("PS_TOKEN_FILE", tokenFile);
  if (trainer)
    set("PADDLE_TRAINER_ID", absl::StrCat(id));
  return environment;
}

/// What a process gets wherever it runs.
std::vector<std::string> Job::roleArguments(bool trainer, int id) const {
  const std::string role = trainer ? "trainer" : "pserver";
  std::vector<std::string> arguments;
  if (!trainer)
    arguments.push_back(absl::StrCat("--server=", id));
  arguments.insert(arguments.end(), config.forwarded.begin(),
                   config.forwarded.end());
  const RunConfig &run = config.run;
  // Of other machines the cores are not known.
  if (config.hosts.empty() || run.threads)
    arguments.push_back(
        absl::StrCat("--threads=", threadsOfProcess(config, trainer)));
  arguments.push_back("--device=" + (trainer ? run.device : run.pserverDevice));
  if (!run.metrics.empty())
    arguments.push_back("--metrics=" + fileOfProcess(run.metrics, role, id));
  if (!run.trace.empty())
    arguments.push_back("--trace=" + fileOfProcess(run.trace, role, id));
  return arguments;
}

absl::Status Job::start(bool trainer, int id) {
  if (!config.hosts.empty())
    return startRemote(trainer, id);
  ASSIGN_OR_RETURN(ChildProcess child, makeLocal(trainer, id, heading));
  children.push_back(std::move(child));
  return absl::OkStatus();
}

absl::StatusOr<ChildProcess> Job::makeLocal(bool trainer, int id,
                                            const std::string &log,
                                            const std::string &address) {
  std::string role = trainer ? "trainer" : "pserver";
  std::vector<std::string> arguments = {
      std::filesystem::read_symlink("/proc/self/exe").string(),
      path("dist.mlir"), "--address-file=" + path("addresses")};
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
  lost.clear();
  for (int id = 0; id != config.pservers; ++id)
    RETURN_IF_ERROR(start(false, id));
  for (int id = 0; id != config.trainers; ++id)
    RETURN_IF_ERROR(start(true, id));
  shown = children[config.pservers].logBegin();
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Watching
//===----------------------------------------------------------------------===//

/// The last error that a process has logged, or else its last line.
static std::string lastError(const ChildProcess &child) {
  std::ifstream file(child.log());
  file.seekg(child.logBegin());
  std::string line, last, error;
  while (std::getline(file, line)) {
    absl::string_view text = line;
    if (absl::ConsumePrefix(&text, errorPrefix))
      error = std::string(text);
    if (!line.empty())
      last = line;
  }
  return error.empty() ? last : error;
}

JobFailure Job::failureOf(ChildProcess &child) const {
  const int code = child.poll().value_or(0);
  JobFailure failure{.what = "", .error = "", .isUsageError = code == 2};
  std::string how = absl::StrCat("was killed by signal ", -code, " (",
                                 code < 0 ? strsignal(-code) : "", ")");
  if (code >= 0) {
    failure.error = lastError(child);
    how = absl::StrCat(code == 0 ? "ended before the job: " : "failed: ",
                       failure.error);
  }
  // What ssh says of both.
  if (code == 255 && !config.hosts.empty())
    how =
        absl::StrCat("was killed, or its connection was lost: ", failure.error);
  failure.what =
      absl::StrCat(child.name(), " ", how, " (see ", child.log(), ")");
  return failure;
}

/// A process that fails reports why to its peers, which fail with its words and
/// some of their own; which of them ends first is chance. One that a signal
/// killed has no words, and is found missing by the others: what these report
/// is not worth a wait before a restart.
ChildProcess &Job::findOrigin(ChildProcess &first) {
  waitForAll(failureGrace, [&] {
    return config.maxRestarts > 0 && std::ranges::any_of(children, [](auto &c) {
             return c.poll().value_or(0) < 0;
           });
  });
  ChildProcess *origin = &first;
  std::string words = lastError(first);
  for (ChildProcess &child : children) {
    std::optional<int> code = child.poll();
    if (!code || !hasFailed(child, *code))
      continue;
    if (*code < 0)
      return child;
    std::string found = lastError(child);
    if (found.size() < words.size() && absl::StrContains(words, found)) {
      origin = &child;
      words = std::move(found);
    }
  }
  return *origin;
}

/// What a request to stop brings about is no failure.
bool Job::hasFailed(const ChildProcess &child, int code) const {
  if (code == 0 || lost.contains(&child))
    return false;
  return !interrupted || (code != StopSignal::exitCode && code != -SIGINT &&
                          !absl::EndsWith(lastError(child), ": interrupted"));
}

/// Pservers exit when the last trainer has completed.
void Job::interruptTrainers() {
  for (size_t i = config.pservers; i != children.size(); ++i)
    children[i].signal(SIGINT);
}

void Job::interruptPServers() {
  for (int i = 0; i != config.pservers; ++i)
    children[i].signal(SIGINT);
}

/// Prints the lines that trainer 0 has logged since the last call. Of errors
/// the one that began it all is reported, by run().
void Job::showProgress() {
  std::ifstream file(path("workerlog.0"));
  file.seekg(shown);
  std::string line;
  while (std::getline(file, line) && !file.eof()) {
    shown += line.size() + 1;
    if (!absl::StartsWith(line, errorPrefix))
      fprintf(stdout, "%s\n", line.c_str());
  }
  fflush(stdout);
}

/// Until a child ends, but not much longer than a log should take to appear.
void Job::waitForEvent(Clock::duration limit) {
  std::vector<pollfd> events;
  for (ChildProcess &child : children)
    if (child.descriptor() >= 0)
      events.push_back({child.descriptor(), POLLIN, 0});
  poll(events.data(), events.size(),
       std::chrono::duration_cast<std::chrono::milliseconds>(limit).count());
}

bool Job::waitForAll(Clock::duration limit,
                     const std::function<bool()> &isEnough) {
  Clock::time_point deadline = Clock::now() + limit;
  for (;;) {
    bool running = false;
    for (ChildProcess &child : children)
      running |= !child.poll();
    showProgress();
    if (!running || (isEnough && isEnough()) || Clock::now() >= deadline)
      return !running;
    waitForEvent(100ms);
  }
}

void Job::endAll() {
  for (ChildProcess &child : children)
    child.signal(SIGTERM);
  waitForAll(stopGrace); // the destructors kill what is left
}

void Job::killAll() {
  for (ChildProcess &child : children)
    child.signal(SIGKILL);
  showProgress();
  children.clear(); // waits for them
}

/// Until all have ended, one has failed or a deadline has passed. A stop is
/// asked of the trainers only, which end their step and complete; pservers then
/// exit by themselves. What does not is interrupted, and at last ended by
/// run().
absl::StatusOr<ChildProcess *> Job::watch() {
  std::optional<Clock::time_point> deadline, pserverDeadline, leftDeadline;
  auto limit = [](std::optional<Clock::time_point> &time, auto grace) {
    time = time.value_or(Clock::now() + grace);
  };
  for (;;) {
    bool running = false, training = false, serving = false, left = false;
    for (size_t i = 0; i != children.size(); ++i) {
      std::optional<int> code = children[i].poll();
      running |= !code;
      const bool isTrainer = i >= static_cast<size_t>(config.pservers);
      (isTrainer ? training : serving) |= !code;
      left |= isTrainer && code;
      if (!code || !hasFailed(children[i], *code))
        continue;
      return &children[i];
    }
    showProgress();
    if (!running)
      return nullptr;
    if (stop.requested() && !interrupted) {
      interruptTrainers();
      interrupted = true;
    }
    if (interrupted || !training)
      limit(deadline, endGrace);
    // Pservers do not wait any more for a trainer that has been replaced. Nor
    // should one that ended before it connected be waited for, as the others
    // do; where it has completed they may be saving.
    if (interrupted && left)
      limit(leftDeadline, trainerGrace);
    if (interrupted && (!training || replaced > 0 ||
                        (leftDeadline && Clock::now() >= *leftDeadline)))
      limit(pserverDeadline, pserverGrace);
    if (replaced > 0 && !serving)
      limit(deadline, endGrace);
    if (pserverDeadline && Clock::now() >= *pserverDeadline) {
      interruptPServers();
      pserverDeadline = Clock::time_point::max();
    }
    // All have completed: a process that takes the place of a trainer that was
    // killed after that finds no pserver.
    if (deadline && Clock::now() >= *deadline && replaced > 0 && !serving &&
        !interrupted)
      return nullptr;
    // So does a pserver that was about to exit without its log.
    if (deadline && Clock::now() >= *deadline && startedAlone > 0 &&
        haveTrainersEnded() && !interrupted)
      return nullptr;
    if (deadline && Clock::now() >= *deadline)
      return absl::DeadlineExceededError(
          interrupted ? "the job did not stop in time"
                      : "the pservers did not exit after the last trainer");
    waitForEvent(100ms);
  }
}

//===----------------------------------------------------------------------===//
// Attempts
//===----------------------------------------------------------------------===//

absl::StatusOr<bool> Job::restart(const JobFailure &failure,
                                  Restarts &restarts) {
  // First, for one of them may be about to complete a checkpoint.
  killAll();
  runtime::crashPoint("launch.restart");
  ASSIGN_OR_RETURN(std::optional<int64_t> step, newestCheckpoint(config.run));
  ASSIGN_OR_RETURN(int number, restarts.next(failure, step));
  if (stop.requested()) {
    fprintf(stderr, "ps-run: warning: %s; stopped before a restart\n",
            failure.what.c_str());
    return false;
  }
  const std::string from =
      step ? absl::StrCat("from step ", *step) : "from the beginning";
  fprintf(stderr, "ps-run: warning: %s; restart %d of %d, %s\n",
          failure.what.c_str(), number, config.maxRestarts, from.c_str());
  heading = absl::StrCat("--- attempt ", ++attempts, ", ", from, " ---");
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
  fprintf(stderr,
          "ps-run: warning: %s; the others go on without it: the rest of its "
          "samples are not trained, and batches are smaller\n",
          failure.what.c_str());
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
    // One that was asked to stop has the others stop and save.
    const bool wasStopped =
        interrupted || origin.poll() == StopSignal::exitCode;
    if (!wasStopped && goOnWithout(origin, failure))
      continue;
    if (wasStopped || config.maxRestarts == 0)
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
  fprintf(stderr, "programs and logs: %s\n", folder.c_str());
  stop.defer();
  absl::Status status = config.hosts.empty() ? runAttempts() : runRemote();
  if (!status.ok())
    endAll();
  return status;
}

absl::Status ps::launchJob(const LaunchConfig &config, const StopSignal &stop) {
  return Job(config, stop).run();
}
