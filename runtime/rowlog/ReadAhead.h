// SPDX-License-Identifier: Apache-2.0
//===- ReadAhead.h - rows of an SSD that steps will use -------------------===//
//
// A thread that reads rows of a RowLog before they are waited for.
//
// Those of the next step come into the system's cache, where the step finds
// what the files hold by then: rows that have changed or moved meanwhile need
// no care, nor do rows that were announced and are never used, and a read that
// fails shows when the row is needed.
//
// Those of the next pass are too many for that: the cache holds pages, of which
// a row is a small part. When no step waits they are copied, in the order of
// their places, each with the version that it has. Rows that have another one
// when the pass begins are read again.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_ROWLOG_READAHEAD_H
#define PS_RUNTIME_ROWLOG_READAHEAD_H

#include "runtime/base/Mutex.h"
#include "runtime/rowlog/RowLog.h"
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace ps::runtime {

/// Thread-safe.
class ReadAhead {
public:
  /// `log` outlives it.
  explicit ReadAhead(RowLog &log) : log(log) {}
  /// Ends the thread, without what it has not begun with.
  ~ReadAhead();

  /// Reads the rows of `ids`, instead of those that were announced earlier and
  /// that it has not begun with: their step has.
  void announce(std::vector<int64_t> ids);
  /// Rows, one after the other, in the order of their places.
  struct Copies {
    std::vector<int64_t> ids;
    std::vector<RowVersion> versions;
    std::vector<std::byte> rows;
  };
  /// Copies rows of `ids`, the first `most` that setTaken() was not called for,
  /// when there is nothing else to read, unless the system has them in memory.
  void announcePass(std::vector<int64_t> ids, size_t most);
  /// Ends that, and returns what has been copied.
  Copies takePass();
  /// Returns when what was announced has been asked for.
  void drain();
  /// Rows that the system was asked for so far.
  int64_t rows() const { return numRows; }

private:
  /// The rows of a pass, in the order of their places.
  struct Pass {
    std::vector<int64_t> ids;
    std::vector<RowVersion> versions;
    size_t done = 0;
  };

  void run();
  bool isNeeded(std::span<const int64_t> ids);
  void startThread() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void readStep(std::vector<int64_t> ids);
  void copyPiece(const std::shared_ptr<Pass> &from);
  void endPass(const std::shared_ptr<Pass> &ended);

  RowLog &log;
  std::atomic<int64_t> numRows = 0;
  Mutex mutex;
  CondVar changed;
  std::optional<std::vector<int64_t>> next ABSL_GUARDED_BY(mutex);
  /// Null when there is none, or all is done. The thread works on it.
  std::shared_ptr<Pass> pass ABSL_GUARDED_BY(mutex);
  Copies copies ABSL_GUARDED_BY(mutex);
  bool working ABSL_GUARDED_BY(mutex) = false;
  bool stopping ABSL_GUARDED_BY(mutex) = false;
  /// Begins with the first announcement.
  std::thread thread ABSL_GUARDED_BY(mutex);
};

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWLOG_READAHEAD_H
