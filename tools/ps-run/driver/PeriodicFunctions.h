// SPDX-License-Identifier: Apache-2.0
//===- PeriodicFunctions.h - what a trainer runs now and then -------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_PERIODICFUNCTIONS_H
#define PS_TOOLS_PS_RUN_DRIVER_PERIODICFUNCTIONS_H

#include "tools/ps-run/driver/TrainingPlan.h"

namespace ps {

/// The functions of a trainer that run after so many steps: an exchange of
/// several batches, or one of mode geo, whose transfers go on in the background
/// until another function merges what they brought, between two steps.
/// Thread-compatible.
class PeriodicFunctions {
public:
  PeriodicFunctions() = default;
  PeriodicFunctions(PeriodicFunctions &&) = default;
  PeriodicFunctions &operator=(PeriodicFunctions &&) = default;
  /// Compiles those of `options`, what their periods are followed by, and what
  /// runs before their last.
  static absl::StatusOr<PeriodicFunctions>
  create(const TrainingOptions &options);
  /// drain() comes first.
  ~PeriodicFunctions() = default;

  /// Merges what has arrived, and runs what is due after `steps` steps.
  absl::Status runDue(int64_t steps);
  /// At the end of training, after `steps` steps: runs what is left over, and
  /// what exchanges in the background once more. Nothing is under way then.
  absl::Status finish(int64_t steps);
  /// Waits for what is under way after a failure, without a use for it.
  void drain();

  bool empty() const { return functions.empty(); }
  /// How often the first of them ran.
  int64_t runs() const { return functions.front().runs; }

private:
  struct Function {
    int64_t every = 1;
    CompiledProgram program;
    /// Runs when the transfers of `program` have ended; null where these end
    /// with the program.
    std::unique_ptr<CompiledProgram> then;
    int64_t runs = 0;
    /// Whether `then` has to run.
    bool isUnderWay = false;
  };

  absl::Status run(Function &function);
  absl::Status merge(Function &function);

  runtime::Executor *executor = nullptr;
  std::vector<Function> functions;
  std::vector<CompiledProgram> last;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_PERIODICFUNCTIONS_H
