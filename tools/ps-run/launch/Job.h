// SPDX-License-Identifier: Apache-2.0
//===- Job.h - the processes of a launch ----------------------------------===//

#ifndef PS_TOOLS_PS_RUN_LAUNCH_JOB_H
#define PS_TOOLS_PS_RUN_LAUNCH_JOB_H

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/membership/Resizing.h"
#include "runtime/membership/Restarts.h"
#include "runtime/membership/Scheduler.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/interrupt/StopSignal.h"
#include "tools/ps-run/launch/ChildProcess.h"
#include "tools/ps-run/launch/RemoteHosts.h"
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace ps {

/// A job whose processes are children of this one, or of ssh. Not thread-safe.
class Job {
public:
  using Clock = std::chrono::steady_clock;
  /// Where a pserver listens that the address file makes known.
  static constexpr char anyPort[] = "127.0.0.1:0";

  Job(const LaunchConfig &config, const StopSignal &stop)
      : config(config), stop(stop) {}

  absl::Status run();

private:
  absl::Status prepare();
  absl::Status transpile();
  absl::Status checkData() const;
  absl::StatusOr<std::string> setParameters() const;
  absl::Status warnOfWorkers() const;
  absl::Status makeToken();
  absl::Status chooseTrainerLoss();
  absl::Status prepareRecovery();
  /// Removes the folder of a job that has not started.
  void removeFolder() const;
  absl::Status startAll();
  absl::StatusOr<ChildProcess> make(bool trainer, int id,
                                    const std::string &log);
  /// `log` is the line that begins its output in a log that goes on. A pserver
  /// that has an `address` goes on from the log of its calls.
  absl::StatusOr<ChildProcess> makeLocal(bool trainer, int id,
                                         const std::string &log,
                                         const std::string &address = "");
  std::vector<std::string> childEnvironment(bool trainer, int id) const;
  std::vector<std::string> roleEnvironment(bool trainer, int id) const;
  /// The number of a process among those of its machine.
  int localRank(bool trainer, int id) const;
  static std::vector<std::string> inheritedEnvironment();

  /// Where the processes are on other machines (RemoteJob.cpp).
  absl::Status planRemote();
  absl::Status checkSchedulerAddress(const std::string &remote) const;
  absl::StatusOr<ChildProcess> makeRemote(bool trainer, int id,
                                          const std::string &log);
  absl::Status runRemote();
  std::vector<std::string> roleArguments(bool trainer, int id) const;
  /// Whether the processes are given `option` by the user.
  bool isForwarded(absl::string_view option) const;

  /// With --elastic (ElasticJob.cpp).
  absl::Status copyGraph() const;
  std::vector<std::string> tokenEnvironment() const;
  absl::StatusOr<ChildProcess> makeElastic(bool trainer, int id,
                                           const std::string &log);
  absl::Status runElastic();
  absl::StatusOr<ChildProcess> makeScheduler(const std::string &listen,
                                             const std::string &log);
  absl::Status startScheduler();
  absl::Status restartScheduler();
  absl::Status delayScheduler(const std::string &why);
  absl::StatusOr<runtime::wire::JobRecord> readRecord();
  std::string resizeCommand() const;

  /// Where the processes have a scheduler, which `look` returns the record of
  /// (ScheduledJob.cpp).
  using Look = std::function<absl::StatusOr<runtime::wire::JobRecord>()>;
  using Codes = std::vector<std::optional<int>>;
  /// How often a process may end before it has joined the job, and a scheduler
  /// before it has listened where no process of the job runs, in a row.
  static constexpr int mostFailedStarts = 3;
  /// The same of one whose machine is away: for two minutes.
  static constexpr int mostLostStarts = 7;
  /// Whether ssh may have ended for itself: it ends so, too, where a signal has
  /// killed the process.
  bool isAway(int code) const { return code == 255 && !config.hosts.empty(); }
  /// The line that begins the output of such a process in its log.
  static std::string startedAgain();
  absl::Status runScheduled(const Look &look);
  absl::Status supervise(const Look &look);
  absl::Status finish(const runtime::wire::JobRecord &record, const Look &look);
  void noteStop(const runtime::wire::JobRecord &record);
  bool failedByStop(const runtime::wire::JobRecord &record);
  /// How long the scheduler waits for all processes of an attempt: those that
  /// have joined give up a little earlier, and report why.
  absl::Duration joinLimit() const {
    return config.run.connectTimeout + absl::Seconds(5);
  }
  bool runsMember(const runtime::wire::JobRecord &record);
  /// Starts the processes that the job lacks. `codes` are those of `children`,
  /// unset for one that runs.
  absl::Status staff(const runtime::wire::JobRecord &record,
                     const Codes &codes);
  /// `wanted` are those that the job is to have next.
  absl::Status staffRole(bool trainer, int seats, int wanted,
                         const Codes &codes);
  absl::Status startFurther(bool trainer);
  absl::Status planStart(size_t child, int code);
  absl::Status startAgain(size_t child, int code);
  void findLeader(const runtime::wire::JobRecord &record);
  /// The first line that the process has logged that begins so.
  static std::optional<std::string> findLogged(const ChildProcess &child,
                                               const std::string &begin);
  static bool hasLogged(const ChildProcess &child, const std::string &begin) {
    return findLogged(child, begin).has_value();
  }

  absl::Status runAttempts();
  absl::Status restartAlone(ChildProcess &child, const std::string &address,
                            const runtime::JobFailure &failure,
                            runtime::Restarts &restarts);
  /// Starts `trainer` again if the job goes on without it meanwhile. Returns
  /// whether it does.
  absl::StatusOr<bool> replaceTrainer(ChildProcess &trainer,
                                      const runtime::JobFailure &failure,
                                      runtime::Restarts &restarts);
  /// Whether the job goes on without `trainer`, which has failed. Then it is of
  /// no interest any more.
  bool goOnWithout(ChildProcess &trainer, const runtime::JobFailure &failure);
  /// Whether the job may go on without the process: it is of a trainer other
  /// than 0, and pservers and trainer 0 have not failed.
  bool isExpendable(const ChildProcess &child);
  bool haveTrainersEnded();
  /// The same for a pserver, which goes on from its log.
  absl::StatusOr<bool> recoverPServer(ChildProcess &pserver,
                                      const runtime::JobFailure &failure,
                                      runtime::Restarts &restarts);
  /// Ends what is left of the job after `failure` and prepares another attempt.
  /// False if a stop was requested meanwhile; the job's error if it is final.
  absl::StatusOr<bool> restart(const runtime::JobFailure &failure,
                               runtime::Restarts &restarts);
  /// Returns the process whose failure was noticed, or null when all have ended
  /// without one.
  absl::StatusOr<ChildProcess *> watch();
  runtime::JobFailure failureOf(ChildProcess &child) const;
  /// Waits for what the failure of `first` brings about, and returns the
  /// process that it began with.
  ChildProcess &findOrigin(ChildProcess &first);
  bool hasFailed(const ChildProcess &child, int code) const;
  /// Stops the job where one of its processes has stopped that was asked to.
  void stopWithChild();
  /// Reports which process that is, once that is known.
  void reportStopped();
  void interruptTrainers();
  void interruptPServers();
  /// Shows what trainer 0 has written since the last call.
  void showProgress();
  /// The process of trainer 0, or null while that is not known.
  ChildProcess *findLeaderProcess();
  void endAll();
  void killAll();
  /// Waits until all have ended or `isEnough` returns true. Returns whether all
  /// have ended.
  bool waitForAll(Clock::duration limit,
                  const std::function<bool()> &isEnough = nullptr);
  void waitForEvent(Clock::duration limit);
  /// Whether trainer 0 has logged that it stops when something is saved, and
  /// may be at it still.
  bool isSaving();

  std::string path(const std::string &name) const {
    return (std::filesystem::path(folder) / name).string();
  }

  const LaunchConfig &config;
  const StopSignal &stop;
  /// Holds the programs and the logs.
  std::string folder;
  /// Where the processes find their token.
  std::string tokenFile = config.run.securityFiles.token;
  /// Pservers, then trainers.
  std::vector<ChildProcess> children;
  /// How many of them are pservers.
  int pservers = config.pservers;
  /// Which of the trainers' processes is trainer 0, once that is known, and
  /// where showProgress() continues in its log.
  std::optional<int> leader = config.elastic ? std::nullopt : std::optional(0);
  std::streamoff shown = 0;
  /// Whether its progress is a line that is rewritten.
  const bool showsLive = isatty(STDOUT_FILENO) == 1;
  /// The line that begins an attempt in the logs; empty in the first.
  std::string heading;
  int attempts = 1;
  /// With --hosts: where each process runs.
  HostPlan hosts;
  /// Where the processes reach the scheduler, if they have one, and its process
  /// where it has one of its own.
  std::string scheduler;
  std::optional<ChildProcess> schedulerProcess;
  /// Starts of one of the children of a job with a scheduler.
  struct Starts {
    /// How often in a row it has ended before it joined the job.
    int failed = 0;
    /// Whether the job goes on without it.
    bool isReleased = false;
    /// When it is started again, if it has ended.
    std::optional<Clock::time_point> due;
  };
  std::vector<Starts> starts;
  /// The size that was asked for last, and for which roles no further process
  /// is started for it any more, as one could not be.
  std::optional<runtime::JobSize> requested;
  bool abandonsTrainers = false, abandonsPServers = false;
  /// How often in a row the scheduler could not be started, or has ended before
  /// it listened; and when it is started again where it is away.
  int failedSchedulers = 0;
  std::optional<Clock::time_point> schedulerStart;
  /// What was read last, and whether it cannot be read at present.
  std::optional<runtime::wire::JobRecord> lastRecord;
  bool isUnreadable = false;
  bool interrupted = false;
  /// Whether it is to be reported which process was asked to stop.
  bool reportsStopped = false;
  /// Whether trainer 0 has stopped early.
  bool leaderStops = false;
  /// When trainer 0 has to be done with what it saves before it stops.
  std::optional<Clock::time_point> saveDeadline;
  /// Whether the others go on without a trainer, how many trainers were
  /// replaced in this attempt, and how many processes were started again alone.
  bool replacesTrainers = false;
  int replaced = 0, startedAlone = 0;
  /// Which of the processes the others go on without.
  std::set<const ChildProcess *> lost;
  /// Those of the pservers, where these have logs.
  std::vector<std::string> pserverNames;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LAUNCH_JOB_H
