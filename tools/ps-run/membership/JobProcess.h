// SPDX-License-Identifier: Apache-2.0
//===- JobProcess.h - a role whose job has a coordinator ------------------===//

#ifndef PS_TOOLS_PS_RUN_MEMBERSHIP_JOBPROCESS_H
#define PS_TOOLS_PS_RUN_MEMBERSHIP_JOBPROCESS_H

#include "runtime/membership/JobMember.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/interrupt/StopSignal.h"
#include "tools/ps-run/loader/Loader.h"
#include "tools/ps-run/membership/Rejoin.h"
#include <atomic>
#include <memory>

namespace ps {

/// This process as a member of the job that --coordinator keeps: has a rank
/// there, and begins anew, by executing its program, when another attempt
/// begins. One that was given the graph of the job makes the programs itself,
/// for the size that the job has in this attempt. Thread-safe.
class JobProcess {
public:
  /// Returns when all processes of the job are there; `loader` then has
  /// programs. Config and stop outlive the result. On the main thread.
  static absl::StatusOr<std::unique_ptr<JobProcess>>
  join(const RunConfig &config, Loader &loader, const StopSignal &stop);

  runtime::JobMember &member() { return *joined; }
  /// The configuration with the rank that the job has given, and with what the
  /// attempt begins with.
  const RunConfig &config() const { return own; }

  /// Where the member has no work: reports how the job has ended.
  absl::Status reportEnd();

  /// After the role has ended with `status`: returns what the process ends
  /// with, when all of the job have completed. Does not return where the job
  /// goes on with another attempt.
  absl::Status finish(absl::Status status);

private:
  /// On the main thread.
  JobProcess(const RunConfig &config, const StopSignal &stop)
      : stop(stop), parentDeathSignal(findParentDeathSignal()), own(config) {}

  absl::Status endWithJob();
  absl::Status takeRank(const RunConfig &given, const ModuleInfo &module);
  void endAttempt(const runtime::wire::JobRecord &record, bool isNeedless);

  const StopSignal &stop;
  const int parentDeathSignal;
  RunConfig own;
  /// Whether a thread has begun to report why the job has failed.
  std::atomic<bool> reports{false};
  std::unique_ptr<runtime::JobMember> joined;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_MEMBERSHIP_JOBPROCESS_H
