// SPDX-License-Identifier: Apache-2.0
//===- CheckpointSeries.h - the checkpoints of a run that trains ----------===//
//
// DIR/step-000000000120 is what a run had after 120 steps. A checkpoint is
// whole when it has its training.json, which is written last; one without was
// left by a process that was killed while it saved.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_CHECKPOINTSERIES_H
#define PS_RUNTIME_CHECKPOINT_CHECKPOINTSERIES_H

#include "absl/status/statusor.h"
#include "runtime/base/Descriptor.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ps::runtime {

/// Thread-compatible. One process at a time writes to a series: see lock().
class CheckpointSeries {
public:
  explicit CheckpointSeries(std::string dir) : dir(std::move(dir)) {}

  /// The folder of the checkpoint after `steps` steps.
  std::string path(int64_t steps) const;
  /// The steps of those that are whole, in ascending order; none where the
  /// directory does not exist.
  absl::StatusOr<std::vector<int64_t>> list() const;
  /// Keeps other processes from writing, as long as the result lives.
  /// FAILED_PRECONDITION when another one does. Without a value where the file
  /// system has no locks.
  absl::StatusOr<Descriptor> lock() const;
  /// Removes those that are not whole, and returns their steps.
  absl::StatusOr<std::vector<int64_t>> removeIncomplete() const;
  /// Removes all that are whole except the newest `keep`. A reader finds each
  /// whole or not at all.
  absl::Status prune(int64_t keep) const;
  /// Renames the one after `steps` steps to `step-000000000120.damaged`, in the
  /// place of what has that name: it is no longer part of the series.
  absl::Status setAside(int64_t steps) const;
  /// Makes the folders that were added durable.
  absl::Status sync() const;

private:
  absl::StatusOr<std::vector<int64_t>> listFolders() const;

  std::string dir;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_CHECKPOINTSERIES_H
