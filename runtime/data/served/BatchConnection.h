// SPDX-License-Identifier: Apache-2.0
//===- BatchConnection.h - the connection to a batch server ---------------===//

#ifndef PS_RUNTIME_DATA_SERVED_BATCHCONNECTION_H
#define PS_RUNTIME_DATA_SERVED_BATCHCONNECTION_H

#include "runtime/base/Descriptor.h"
#include "runtime/data/DataSpec.h"
#include "runtime/data/served/BatchFrames.h"
#include <atomic>
#include <limits>
#include <memory>

namespace ps::runtime {

/// What a process asks a batch server for.
struct ServedOptions {
  DataSpec spec;
  /// Every sample once, in frames of any size, instead of a trainer's share of
  /// each step.
  bool all = false;
  int trainers = 1, trainer = 0;
  /// The trainer's samples of a step.
  int64_t batchSize = 1;
  /// Whether the last step of an epoch takes the epoch's first samples where it
  /// lacks some.
  bool pad = false;
};

/// Where a server begins, and which epoch it does not send any more.
struct ServedRange {
  static constexpr int64_t serverDecides = -1,
                           unlimited = std::numeric_limits<int64_t>::max();
  int64_t epoch = 0, step = 0;
  int64_t endEpoch = serverDecides;
};

/// A connection to a batch server. Thread-compatible; stop() is thread-safe.
class BatchConnection {
public:
  /// UNAVAILABLE when no process serves the spec's address, INVALID_ARGUMENT
  /// when it is none.
  static absl::StatusOr<std::unique_ptr<BatchConnection>>
  connect(const ServedOptions &options);

  /// What the server sends: first its columns, which it may take long to know,
  /// and after start() samples.
  BatchFrames &frames() { return *reader; }
  /// Has the server begin. Once, after the columns have been read.
  absl::Status start(const ServedRange &range);
  /// Makes a read that waits, and those that follow, return CANCELLED soon.
  void stop() { stopped = true; }

private:
  BatchConnection(Descriptor socket, std::string path)
      : socket(std::move(socket)), path(std::move(path)) {}
  absl::Status connectionError(absl::string_view why) const;
  absl::Status read(void *to, size_t size);
  absl::Status send(absl::string_view kind, const std::string &text);
  absl::Status wait(short events) const;

  const Descriptor socket;
  const std::string path;
  std::atomic<bool> stopped = false;
  std::unique_ptr<BatchFrames> reader;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_SERVED_BATCHCONNECTION_H
