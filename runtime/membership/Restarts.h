// SPDX-License-Identifier: Apache-2.0
//===- Restarts.h - whether a job that failed is started again ------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_RESTARTS_H
#define PS_RUNTIME_MEMBERSHIP_RESTARTS_H

#include "absl/status/statusor.h"
#include <cstdint>
#include <optional>
#include <string>

namespace ps::runtime {

/// The process that a failure of a job began with, and how it ended.
struct JobFailure {
  /// For the user: names the process, its end and its log.
  std::string what;
  /// Its last error; empty if a signal killed it.
  std::string error;
  /// Whether it refused its command line, or there is no program to run.
  bool isUsageError = false;
  /// Which process is started again alone; empty for the whole job.
  std::string alone = {};
};

/// What the next failure is compared with.
struct RestartHistory {
  /// The step of the newest checkpoint, unset if there is none.
  std::optional<int64_t> newest;
  /// Restarts since that checkpoint.
  int count = 0;
  /// The failures before the first and before the last of them.
  JobFailure first = {}, last = {};
};

/// Counts the restarts of one job since its newest checkpoint.
/// Thread-compatible.
class Restarts {
public:
  /// Allows `most` restarts without a new checkpoint; 0: none at all.
  /// `checkpoint` is the step of the newest checkpoint before the job starts,
  /// unset if there is none.
  Restarts(int most, std::optional<int64_t> checkpoint)
      : most(most), past{.newest = checkpoint} {}
  /// Continues a count.
  Restarts(int most, RestartHistory past) : most(most), past(std::move(past)) {}

  /// Called after each failure, with the newest checkpoint of that time.
  /// Returns the number of the restart since that checkpoint, from 1, or the
  /// error that the job ends with, which begins with the first failure since.
  absl::StatusOr<int> next(const JobFailure &failure,
                           std::optional<int64_t> checkpoint);

  const RestartHistory &history() const { return past; }

private:
  const int most;
  RestartHistory past;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_RESTARTS_H
