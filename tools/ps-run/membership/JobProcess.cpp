// SPDX-License-Identifier: Apache-2.0
//===- JobProcess.cpp - a role whose job has a coordinator ----------------===//
//
// 1. join: before anything is loaded, except the graph that programs are made
//    of. Which checkpoint there is is looked up when all have joined: none of
//    them writes one then.
// 2. The role runs as in any job, and finds the others by the coordinator.
// 3. finish: a failure ends the attempt for all. The process then executes its
//    program anew, which joins the next one.
// 4. endAttempt: the same where another process failed or was lost, or the job
//    gets another size.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/membership/JobProcess.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/membership/Resizing.h"
#include "runtime/membership/Roster.h"
#include "tools/ps-run/config/Reach.h"
#include "tools/ps-run/config/Resume.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/interrupt/StopForOther.h"
#include "tools/ps-run/membership/CoordinatorAddress.h"
#include "tools/ps-run/membership/StoppedJob.h"
#include <algorithm>
#include <cstdio>
#include <unistd.h>

using namespace ps;
using namespace ps::runtime;

/// The rank that flags or environment ask for.
static absl::StatusOr<std::optional<int>>
findWantedRank(const RunConfig &config, const ModuleInfo &module) {
  if (config.role == RunRole::Trainer)
    return config.trainerId;
  if (config.server.empty())
    return std::nullopt;
  int index = 0;
  if (module.programs.empty() && absl::SimpleAtoi(config.server, &index))
    return index;
  for (size_t i = 0; i != module.pservers.size(); ++i)
    if (module.pservers[i] == config.server || absl::StrCat(i) == config.server)
      return static_cast<int>(i);
  return usageError(
      absl::StrCat("--server: the job has no pserver '", config.server, "'"));
}

/// Whether the process that `config` describes gives an address to the others.
static bool isAnnounced(const RunConfig &config, const ModuleInfo &module) {
  return config.role == RunRole::PServer ? module.endpoints.empty()
                                         : module.reduces;
}

/// Without an address it listens on the loopback interface, which is of use
/// where all processes are on this machine, as the coordinator then is.
static absl::Status checkListen(const RunConfig &config,
                                const ModuleInfo &module) {
  if (!config.listen.empty())
    return checkAnnounced(config.listen);
  if (!isAnnounced(config, module) || !config.endpoint.empty() ||
      config.expectedPServers || !config.trainerEndpoints.empty() ||
      isCoordinatorLocal(config))
    return absl::OkStatus();
  return usageError(
      "--listen is missing: expected HOST:0, where HOST is an address of this "
      "machine that the other processes can connect to, or 127.0.0.1:0 if all "
      "of them run on it");
}

/// What all processes of the job have, whatever its size is.
static std::string hashOf(const RunConfig &config, const Loader &loader) {
  return loader.module().programs.empty()
             ? absl::StrCat(loader.textDigest(),
                            config.transpile.empty() ? "" : " ",
                            config.transpile)
             : loader.module().jobHash;
}

/// Whether trainers work on the same step, in programs made with these options.
static bool keepsStep(const std::string &transpile) {
  ModuleInfo programs;
  if (const std::string mode = findMode(transpile); !mode.empty())
    programs.mode = mode;
  return programs.keepsStep();
}

/// Whether its size may change, and to what.
static wire::Elasticity elasticityOf(const RunConfig &config,
                                     const ModuleInfo &module) {
  wire::Elasticity elasticity;
  if (!module.programs.empty())
    elasticity.set_fixed("its processes have programs for one size: expected "
                         "those that have the graph, and make the programs");
  else if (config.checkpoint.dir.empty())
    elasticity.set_fixed("it has no --checkpoint to go on from");
  if (config.splitFiles)
    elasticity.set_fixed_trainers(
        "with --data-split=files each trainer reads files of its own");
  else if (config.deterministic && !keepsStep(config.transpile))
    elasticity.set_fixed_trainers("--deterministic is for one trainer where "
                                  "trainers do not keep step");
  else if (!config.globalBatchSize)
    elasticity.set_fixed_trainers(
        "another number of trainers takes the same samples in a step only with "
        "--global-batch-size");
  else
    elasticity.set_shares(*config.globalBatchSize / config.workers);
  return elasticity;
}

/// The programs for the size that the job has now, where there are none.
static absl::Status makePrograms(const RunConfig &config,
                                 const wire::JobRecord &record,
                                 Loader &loader) {
  if (!loader.module().programs.empty())
    return absl::OkStatus();
  const JobSize size = sizeOf(record);
  RETURN_IF_ERROR(loader.transpile(
      transpileText(size.pservers, size.trainers, config.transpile)));
  return checkListen(config, loader.module());
}

/// Whether trainers listen is known when there are programs.
static absl::Status check(const RunConfig &config, const ModuleInfo &module) {
  if (config.file == "-")
    return usageError("standard input cannot be read again by a process that "
                      "begins anew: expected a file");
  if (config.role != RunRole::Trainer && config.role != RunRole::PServer)
    return usageError("--coordinator is for --role=pserver and --role=trainer");
  RETURN_IF_ERROR(checkCoordinator(config));
  if (module.programs.empty())
    return config.role == RunRole::PServer ? checkListen(config, module)
                                           : absl::OkStatus();
  if (!config.transpile.empty() || config.pservers || config.trainers)
    return usageError(
        absl::StrCat(!config.transpile.empty() ? "--transpile"
                     : config.pservers         ? "--pservers"
                                               : "--trainers",
                     " is for a graph, the file holds the programs of a job"));
  return checkListen(config, module);
}

absl::StatusOr<std::unique_ptr<JobProcess>>
JobProcess::join(const RunConfig &config, Loader &loader,
                 const StopSignal &stop) {
  const ModuleInfo &module = loader.module();
  RETURN_IF_ERROR(check(config, module));
  const bool hasGraph = module.programs.empty();
  std::unique_ptr<JobProcess> process(new JobProcess(config, stop));
  ASSIGN_OR_RETURN(std::optional<int> rank, findWantedRank(config, module));
  ASSIGN_OR_RETURN(std::optional<int64_t> newest, newestCheckpoint(config));
  Event interrupted;
  const std::shared_ptr<void> request =
      stop.onRequest([&] { interrupted.notify(); });
  absl::StatusOr<std::unique_ptr<JobMember>> joined = JobMember::join(
      {.coordinator = connectCoordinator(config),
       .self = ownMember(),
       .role = config.role == RunRole::Trainer ? wire::Seat::TRAINER
                                               : wire::Seat::PSERVER,
       .rank = rank,
       .pservers = static_cast<int>(module.pservers.size()),
       .trainers = hasGraph ? 0 : module.trainers,
       .elasticity = elasticityOf(config, module),
       .programHash = hashOf(config, loader),
       .peerTimeout = config.peerTimeout,
       .newest = newest,
       .beginsRun = config.role == RunRole::Trainer &&
                    config.checkpoint.resume == CheckpointConfig::Resume::No,
       .joinTimeout = config.connectTimeout,
       .seatTimeout = std::min(1.5 * config.peerTimeout, config.connectTimeout),
       .onSeat =
           [&](const wire::JobRecord &record) {
             stop.defer(); // Others may wait for it from now on.
             return makePrograms(config, record, loader);
           },
       .onEnd = [self = process.get()](
                    const wire::JobRecord &record,
                    bool isNeedless) { self->endAttempt(record, isNeedless); },
       .onStop = [&stop] { stopForOther(stop); },
       .log = {}},
      interrupted);
  if (!joined.ok())
    return absl::IsInvalidArgument(joined.status())
               ? usageError(std::string(joined.status().message()))
               : joined.status();
  process->joined = *std::move(joined);
  RETURN_IF_ERROR(process->takeRank(config, module));
  if (process->joined->maxRestarts() > 0 && config.checkpoint.dir.empty())
    logWarning("the job may be restarted, but without --checkpoint it begins "
               "again from the beginning");
  if (!process->joined->hasNoWork())
    stop.leaveUntilDeferred([member = process->joined.get()] {
      Event unused;
      (void)member->complete(/*wasAskedToStop=*/true, unused);
    });
  return process;
}

absl::Status JobProcess::takeRank(const RunConfig &given,
                                  const ModuleInfo &module) {
  using Resume = CheckpointConfig::Resume;
  if (joined->hasNoWork())
    return absl::OkStatus();
  const bool isTrainer = given.role == RunRole::Trainer;
  if (isTrainer ? !given.trainerId : given.server.empty())
    for (std::string *file : {&own.metrics, &own.trace})
      *file = fileOfProcess(*file, isTrainer ? "trainer" : "pserver",
                            joined->rank());
  if (isTrainer) {
    own.trainerId = joined->rank();
  } else {
    own.server = module.pservers[joined->rank()];
    if (own.listen.empty() && own.endpoint.empty() && module.endpoints.empty())
      own.listen = "127.0.0.1:0";
  }
  setLogProcess(isTrainer ? "trainer" : "pserver", joined->rank());
  logInfo(absl::StrCat("rank ", joined->rank(), " of the job's ",
                       isTrainer ? "trainers" : "pservers", ", attempt ",
                       joined->attempt()));
  if (joined->attempt() > 1 && own.checkpoint.resume == Resume::No)
    own.checkpoint.resume = Resume::Newest;
  return absl::OkStatus();
}

/// What a process reports that has lost another one.
static bool isConsequence(const absl::Status &status) {
  return absl::IsUnavailable(status) || absl::IsAborted(status) ||
         absl::IsCancelled(status) || absl::IsDeadlineExceeded(status);
}

static void logNeedless(const wire::JobRecord &record) {
  logInfo(absl::StrCat(describeSize(record),
                       ": this process is not needed any more"));
}

/// Which was stopped. Its record remains in etcd.
absl::Status JobProcess::endWithJob() {
  const std::string name = nameOfJob(own);
  return endStopped(
      stop,
      name.empty() ? "" : absl::StrCat(" and another name than '", name, "'"));
}

absl::Status JobProcess::reportEnd() {
  if (const wire::JobRecord record = joined->current();
      isRetired(record, ownMember())) {
    logNeedless(record);
    return absl::OkStatus();
  }
  if (joined->wasStopped())
    return endWithJob();
  const std::string name = nameOfJob(own);
  logInfo(absl::StrCat("the job has completed",
                       name.empty() ? ""
                                    : absl::StrCat(": another run needs "
                                                   "another name than '",
                                                   name, "'")));
  return absl::OkStatus();
}

/// Where it waits for a stop, another thread is about to begin anew, or to
/// report why the job has failed. That does neither after a request to stop,
/// which may come meanwhile.
absl::Status JobProcess::finish(absl::Status status) {
  stop.defer(); // The role may not have come to it.
  if (status.ok()) {
    Event leave;
    std::shared_ptr<void> handle = stop.onRequest([&] { leave.notify(); });
    status = joined->complete(/*wasAskedToStop=*/stop.requested(), leave);
    if (status.ok() && joined->wasStopped())
      return endWithJob();
    if (status.ok() || stop.requested())
      return absl::OkStatus();
    if (!absl::IsAborted(status) && !reports.exchange(true))
      return status;
    joined->noteEnd();
    stop.await();
    return absl::OkStatus();
  }
  if (stop.requested())
    return status;
  const std::string message(status.message());
  // The coordinator may not answer for long.
  const std::shared_ptr<void> request = stop.onRequest([&message] {
    logError(message);
    _exit(1);
  });
  absl::Status result =
      joined->fail({.what = absl::StrCat(
                        own.role == RunRole::Trainer ? "trainer " : "pserver ",
                        joined->rank(), " failed: ", message),
                    .error = isConsequence(status) ? "" : message,
                    .isUsageError = isUsageError(status)});
  if (result.ok())
    joined->noteEnd();
  if (result.ok() || reports.exchange(true))
    stop.await();
  return result;
}

void JobProcess::endAttempt(const wire::JobRecord &record, bool isNeedless) {
  // A process that was asked to stop ends by itself.
  if (stop.requested() || reports.exchange(true))
    return;
  // Without fflush(), which waits for a full pipe; progress is flushed by line.
  if (isRetired(record, ownMember()) ||
      (isNeedless && record.failure().empty())) {
    logNeedless(record);
    _exit(0);
  }
  if (!record.failure().empty()) {
    logError(record.failure());
    _exit(1);
  }
  // A signal that comes from now on is for the program that begins anew.
  if (!stop.handOver())
    return;
  if (record.has_cause())
    logWarning(absl::StrCat(record.cause().what(), "; joining attempt ",
                            record.attempt()));
  else
    logInfo(absl::StrCat(describeSize(record), "; joining attempt ",
                         record.attempt()));
  std::vector<std::string> variables;
  if (stop.watchesStandardInput())
    variables.push_back(absl::StrCat(StopSignal::stopsWithInput, "=1"));
  executeAnew(parentDeathSignal, std::move(variables));
}
