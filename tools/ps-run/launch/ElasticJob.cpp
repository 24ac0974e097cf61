// SPDX-License-Identifier: Apache-2.0
//===- ElasticJob.cpp - a job on this machine whose size may change -------===//
//
// Its processes have the graph, and a scheduler that gives each its rank. That
// is a process of its own, as by hand: what a job needs does not depend on how
// it was started, and one that is killed takes up the job from its file. Each
// change of the record is in that file before a process learns of it, so launch
// reads the file and asks nothing of the scheduler, which may be away.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/membership/StateFile.h"
#include "tools/ps-run/launch/Job.h"
#include <algorithm>
#include <thread>

using namespace ps;
using namespace ps::runtime;
using namespace std::chrono_literals;

/// How long the scheduler may take until it listens.
static constexpr auto listenTimeout = 30s;
/// Between tries to start it again.
static constexpr Job::Clock::duration longestPause = 5s;

/// What the scheduler logs when it listens, before its address.
static constexpr char listening[] = "Server listening on ";

/// The processes that are started later have the graph of the first ones,
/// whatever happens to the file.
absl::Status Job::copyGraph() const {
  if (!config.elastic)
    return absl::OkStatus();
  std::error_code error;
  std::filesystem::copy_file(config.file, path("graph.mlir"), error);
  if (error)
    return absl::UnavailableError(absl::StrCat("cannot copy '", config.file,
                                               "' to '", path("graph.mlir"),
                                               "': ", error.message()));
  return absl::OkStatus();
}

/// Ranks come from the scheduler.
std::vector<std::string> Job::tokenEnvironment() const {
  std::vector<std::string> environment = inheritedEnvironment();
  environment.push_back("PS_TOKEN_FILE=" + tokenFile);
  return environment;
}

absl::StatusOr<ChildProcess> Job::makeElastic(bool trainer, int id,
                                              const std::string &log) {
  const std::string role = trainer ? "trainer" : "pserver";
  std::vector<std::string> arguments = {ownProgram(), path("graph.mlir"),
                                        "--role=" + role,
                                        "--coordinator=" + scheduler};
  if (!config.transpile.empty())
    arguments.push_back("--transpile=" + config.transpile);
  const std::vector<std::string> flags = roleArguments(trainer, id);
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  std::vector<std::string> environment = tokenEnvironment();
  environment.push_back(absl::StrCat("LOCAL_RANK=", localRank(trainer, id)));
  return ChildProcess::start(
      {.name = absl::StrCat(role, " ", id),
       .arguments = std::move(arguments),
       .environment = std::move(environment),
       .log = path(absl::StrCat(trainer ? "workerlog." : "serverlog.", id)),
       .heading = log});
}

//===----------------------------------------------------------------------===//
// The scheduler
//===----------------------------------------------------------------------===//

absl::StatusOr<ChildProcess> Job::makeScheduler(const std::string &listen,
                                                const std::string &log) {
  std::vector<std::string> arguments = {
      ownProgram(),
      "--role=scheduler",
      absl::StrCat("--pservers=", config.pservers),
      absl::StrCat("--trainers=", config.trainers),
      absl::StrCat("--max-restarts=", config.maxRestarts),
      absl::StrCat("--connect-timeout=", absl::FormatDuration(joinLimit())),
      "--listen=" + listen,
      "--scheduler-state=" + path("scheduler.json")};
  for (const std::string &flag : config.forwarded)
    for (const char *name : {"--peer-timeout=", "--log-format=", "--tls-cert=",
                             "--tls-key=", "--tls-ca="})
      if (absl::StartsWith(flag, name))
        arguments.push_back(flag);
  return ChildProcess::start({.name = "scheduler",
                              .arguments = std::move(arguments),
                              .environment = tokenEnvironment(),
                              .log = path("schedulerlog"),
                              .heading = log});
}

absl::Status Job::startScheduler() {
  ASSIGN_OR_RETURN(
      schedulerProcess,
      makeScheduler(config.listen.empty() ? "127.0.0.1:0" : config.listen, ""));
  const Clock::time_point deadline = Clock::now() + listenTimeout;
  std::optional<std::string> line;
  while (!(line = findLogged(*schedulerProcess, listening))) {
    if (stop.requested())
      return absl::OkStatus();
    if (schedulerProcess->poll())
      return absl::AbortedError(failureOf(*schedulerProcess).what);
    if (Clock::now() >= deadline)
      return absl::DeadlineExceededError(
          absl::StrCat("the scheduler does not listen after 30 s (see ",
                       schedulerProcess->log(), ")"));
    std::this_thread::sleep_for(20ms);
  }
  scheduler = line->substr(sizeof(listening) - 1);
  scheduler.resize(scheduler.find(' '));
  return absl::OkStatus();
}

/// It is tried again for as long as a process of the job runs, which needs no
/// scheduler to train.
absl::Status Job::delayScheduler(const std::string &why) {
  ++failedSchedulers;
  const bool isNeeded = std::ranges::any_of(
      children, [](ChildProcess &child) { return !child.poll(); });
  if (failedSchedulers > mostFailedStarts && !isNeeded)
    return absl::AbortedError(why);
  if (failedSchedulers == 1)
    logWarning(why + "; trying again for as long as the job trains");
  schedulerStart = Clock::now() + std::min<Clock::duration>(
                                      failedSchedulers * 500ms, longestPause);
  return absl::OkStatus();
}

/// At the address that the processes know, whose port may be in use.
absl::Status Job::restartScheduler() {
  const std::optional<int> code = schedulerProcess->poll();
  if (!schedulerStart && hasLogged(*schedulerProcess, listening)) {
    failedSchedulers = 0;
    logWarning(failureOf(*schedulerProcess).what + "; starting it again");
    schedulerStart = Clock::now();
  } else if (!schedulerStart) {
    const std::string why = failureOf(*schedulerProcess).what;
    // Neither a usage error nor a program that is missing is over by itself.
    if (code == 2 || code == ChildProcess::cannotRun)
      return absl::AbortedError(why);
    RETURN_IF_ERROR(delayScheduler(why));
  }
  if (Clock::now() < *schedulerStart)
    return absl::OkStatus();
  absl::StatusOr<ChildProcess> again = makeScheduler(scheduler, startedAgain());
  if (!again.ok())
    return delayScheduler(std::string(again.status().message()));
  schedulerProcess = *std::move(again);
  schedulerStart.reset();
  return absl::OkStatus();
}

/// Until the job has ended and its processes know, there is a scheduler. While
/// the record cannot be read it is the last one that was.
absl::StatusOr<wire::JobRecord> Job::readRecord() {
  const bool isAway = schedulerProcess->poll().has_value();
  const std::string file = path("scheduler.json");
  absl::StatusOr<std::optional<wire::JobRecord>> found = readStateFile(file);
  const bool isGone = found.ok() && !*found;
  if (isGone)
    found = absl::NotFoundError(
        absl::StrCat("'", file, "', the state of the job, is gone"));
  // A scheduler that runs has it, and writes it again.
  if (!found.ok() && (!lastRecord || (isGone && isAway)))
    return found.status();
  if (!found.ok() && !isUnreadable)
    logWarning(absl::StrCat(found.status().message(), "; trying again"));
  isUnreadable = !found.ok();
  if (found.ok())
    lastRecord = **std::move(found);
  if (isAway && !lastRecord->closed())
    RETURN_IF_ERROR(restartScheduler());
  return *lastRecord;
}

//===----------------------------------------------------------------------===//
// The job
//===----------------------------------------------------------------------===//

/// For a shell.
std::string Job::resizeCommand() const {
  std::vector<std::string> words = {scheduler, "--token-file=" + tokenFile};
  for (const std::string &flag : config.forwarded)
    if (absl::StartsWith(flag, "--tls-"))
      words.push_back(flag);
  std::string command = "ps-run resize";
  for (const std::string &word : words)
    absl::StrAppend(&command, " ", quoteForShell(word));
  return command + " --pservers=N --trainers=N";
}

absl::Status Job::runElastic() {
  RETURN_IF_ERROR(startScheduler());
  if (stop.requested())
    return absl::OkStatus();
  logInfo("resize with: " + resizeCommand());
  return runScheduled([this] { return readRecord(); });
}
