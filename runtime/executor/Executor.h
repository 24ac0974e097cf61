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
#include <memory>

namespace ps::runtime {

class Executor {
public:
  struct Options {
    /// Threads that compute; 0 takes one per core.
    int threads = 0;
    /// Where spans of nodes go; null records nothing. Outlives the executor.
    Trace *trace = nullptr;
    /// Runs nodes one after another in program order, so that floating-point
    /// results repeat from run to run.
    bool deterministic = false;
  };
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
};

} // namespace ps::runtime

#endif // PS_RUNTIME_EXECUTOR_EXECUTOR_H
