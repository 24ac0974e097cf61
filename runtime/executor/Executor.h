// SPDX-License-Identifier: Apache-2.0
//===- Executor.h - runs programs on oneTBB tasks -------------------------===//
//
// Atomic dependency counters and a task group; the first ready successor runs
// inline. The only user of TBB in the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_EXECUTOR_EXECUTOR_H
#define PS_RUNTIME_EXECUTOR_EXECUTOR_H

#include "absl/status/statusor.h"
#include "runtime/executor/Program.h"
#include "runtime/executor/Trace.h"
#include <array>
#include <chrono>
#include <memory>
#include <numeric>

namespace ps::runtime {

/// How long something has waited, by the kind of the node that it waited for.
class WaitTimes {
public:
  using Duration = std::chrono::steady_clock::duration;

  Duration &operator[](Node::Kind kind) { return times[size_t(kind)]; }
  Duration operator[](Node::Kind kind) const { return times[size_t(kind)]; }
  Duration total() const {
    return std::accumulate(times.begin(), times.end(), Duration());
  }
  /// Adds what is more in `later` than in `earlier`.
  void addDifference(const WaitTimes &later, const WaitTimes &earlier) {
    for (size_t i = 0; i < times.size(); ++i)
      times[i] += later.times[i] - earlier.times[i];
  }

private:
  std::array<Duration, Node::numKinds> times{};
};

class Executor {
public:
  struct Options {
    /// Threads that compute; 0 takes defaultThreads().
    int threads = 0;
    /// Where spans of nodes go; null records nothing. Outlives the executor.
    Trace *trace = nullptr;
    /// Runs nodes one after another in program order, so that floating-point
    /// results repeat from run to run.
    bool deterministic = false;
  };
  /// One per core that this process may use.
  static int defaultThreads();
  static absl::StatusOr<std::unique_ptr<Executor>> create(Options options);
  virtual ~Executor() = default;

  /// Runs every node of `program` once and waits for the last that is not late.
  /// Returns the first failure, which may be that of a late node of the step
  /// before; after a failure nothing runs any more, late or not. Safe to call
  /// from several threads for different programs; a program runs one step at a
  /// time. A deterministic executor waits for late nodes like for others.
  virtual absl::Status run(Program &program, int64_t step) = 0;

  /// Waits for the late nodes of the last step of `program`, if there are any,
  /// and returns their first failure. Before anybody else works with what they
  /// write, and before the program goes.
  virtual absl::Status drain(Program &program) = 0;

  /// Whether drain() would return at once.
  virtual bool isIdle(Program &program) = 0;

  /// How long callers of run() and drain() have slept so far: no node could run
  /// before that of a peer was done. Thread-safe.
  virtual WaitTimes waitTimes() const = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_EXECUTOR_EXECUTOR_H
