// SPDX-License-Identifier: Apache-2.0
//===- Trace.h - spans in Chrome's trace format ---------------------------===//

#ifndef PS_RUNTIME_EXECUTOR_TRACE_H
#define PS_RUNTIME_EXECUTOR_TRACE_H

#include "absl/status/status.h"
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace ps::runtime {

/// The bytes of what a transfer carries.
struct TransferSize {
  int64_t sent = 0, received = 0;
};

/// Collects spans; thread-safe. Written as JSON that chrome://tracing and
/// Perfetto open.
class Trace {
public:
  using Clock = std::chrono::steady_clock;

  /// `processName` labels the lane group, e.g. "trainer 0".
  explicit Trace(std::string processName);
  ~Trace();

  /// A finished span on the calling thread's lane.
  void span(std::string_view category, std::string_view name,
            Clock::time_point begin, Clock::time_point end, int64_t step);
  /// A span that started on one thread and ended on another; shown on a lane of
  /// its own. With the size of `transfer`, if that is measured.
  void asyncSpan(std::string_view category, std::string_view name,
                 Clock::time_point begin, Clock::time_point end, int64_t step,
                 const void *transfer = nullptr);
  /// Calls `size` at the end of each span of `transfer`, from now on.
  void measure(const void *transfer, std::function<TransferSize()> size);

  /// A finished span on the lane of that name: what a device did.
  void laneSpan(std::string_view lane, std::string_view category,
                std::string_view name, Clock::time_point begin,
                Clock::time_point end, int64_t step);

  /// Writes everything so far to `path`.
  absl::Status write(const std::string &path) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_EXECUTOR_TRACE_H
