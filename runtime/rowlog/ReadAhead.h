// SPDX-License-Identifier: Apache-2.0
//===- ReadAhead.h - rows of an SSD that the next step will use -----------===//
//
// A thread that has the system read rows of a RowLog before a step waits for
// them. They come into the system's cache, where the step finds what the files
// hold by then: rows that have changed or moved meanwhile need no care, nor do
// rows that were announced and are never used, and a read that fails shows when
// the row is needed.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_ROWLOG_READAHEAD_H
#define PS_RUNTIME_ROWLOG_READAHEAD_H

#include "runtime/base/Mutex.h"
#include "runtime/rowlog/RowLog.h"
#include <atomic>
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
  /// Returns when what was announced has been asked for.
  void drain();
  /// Rows that the system was asked for so far.
  int64_t rows() const { return numRows; }

private:
  void run();
  bool isNeeded(std::span<const int64_t> ids);
  /// What was announced; waits for it. No value at the end.
  std::optional<std::vector<int64_t>> take();

  RowLog &log;
  std::atomic<int64_t> numRows = 0;
  Mutex mutex;
  CondVar changed;
  std::optional<std::vector<int64_t>> next ABSL_GUARDED_BY(mutex);
  bool working ABSL_GUARDED_BY(mutex) = false;
  bool stopping ABSL_GUARDED_BY(mutex) = false;
  /// Begins with the first announcement.
  std::thread thread ABSL_GUARDED_BY(mutex);
};

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWLOG_READAHEAD_H
