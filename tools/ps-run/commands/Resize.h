// SPDX-License-Identifier: Apache-2.0
//===- Resize.h - another size for a job that runs ------------------------===//

#ifndef PS_TOOLS_PS_RUN_COMMANDS_RESIZE_H
#define PS_TOOLS_PS_RUN_COMMANDS_RESIZE_H

#include "absl/status/statusor.h"
#include "runtime/membership/membership.pb.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/interrupt/StopSignal.h"
#include <optional>
#include <string>

namespace ps {

struct ResizeConfig {
  /// Its coordinator, and what proves that the job may be changed.
  RunConfig job;
  /// Unset: as many as there are.
  std::optional<int> pservers, trainers;
  /// Whether the command ends when the job has it, or when that is asked for.
  bool waits = true;
};

/// Whether the answer to a request shows that it was taken. A scheduler of an
/// earlier version knows none, and answers with the record as it is:
/// FAILED_PRECONDITION.
absl::Status checkTaken(const runtime::wire::JobRecord &answer,
                        const ResizeConfig &config,
                        const std::string &coordinator);

struct ResizeProgress {
  /// Whether the job trains with the size.
  bool isDone = false;
  /// What it waits for, or what it has come to.
  std::string line;
};
/// How far a job is that was asked for the size; ABORTED, with the reason, if
/// it does not get it any more.
absl::StatusOr<ResizeProgress>
findProgress(const runtime::wire::JobRecord &record,
             const ResizeConfig &config);

/// Asks the coordinator for another size, and waits until the job trains with
/// it. A request to stop ends the wait, not the change.
absl::Status resizeJob(const ResizeConfig &config, const StopSignal &stop);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_COMMANDS_RESIZE_H
