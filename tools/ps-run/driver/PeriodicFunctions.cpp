// SPDX-License-Identifier: Apache-2.0
//===- PeriodicFunctions.cpp - what a trainer runs now and then -----------===//
//
// An exchange in the background is one run of a program whose last nodes are
// late. Its merge runs at the first boundary of steps that finds them done; the
// next exchange waits for it, so there is at most one under way, and a network
// that is slower than training slows training down.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/driver/PeriodicFunctions.h"
#include "runtime/base/Status.h"

using namespace ps;
using namespace ps::runtime;

absl::StatusOr<PeriodicFunctions>
PeriodicFunctions::create(const TrainingOptions &options) {
  PeriodicFunctions result;
  result.executor = options.executor;
  for (const FunctionInfo &info : options.periodic) {
    Function function;
    function.every = info.every;
    ASSIGN_OR_RETURN(function.program,
                     options.loader->compile(info.name, {}, options.binding));
    if (!info.then.empty()) {
      ASSIGN_OR_RETURN(CompiledProgram then,
                       options.loader->compile(info.then, {}, options.binding));
      function.then = std::make_unique<CompiledProgram>(std::move(then));
    }
    result.functions.push_back(std::move(function));
  }
  for (const FunctionInfo &info : options.last) {
    ASSIGN_OR_RETURN(CompiledProgram program,
                     options.loader->compile(info.name, {}, options.binding));
    result.last.push_back(std::move(program));
  }
  return result;
}

/// Waits for the transfers.
absl::Status PeriodicFunctions::merge(Function &function) {
  RETURN_IF_ERROR(executor->drain(*function.program.program));
  if (!std::exchange(function.isUnderWay, false))
    return absl::OkStatus();
  return executor->run(*function.then->program, function.runs - 1);
}

absl::Status PeriodicFunctions::run(Function &function) {
  RETURN_IF_ERROR(merge(function));
  RETURN_IF_ERROR(executor->run(*function.program.program, function.runs++));
  function.isUnderWay = function.then != nullptr;
  return absl::OkStatus();
}

absl::Status PeriodicFunctions::runDue(int64_t steps) {
  for (Function &function : functions) {
    if (steps % function.every == 0)
      RETURN_IF_ERROR(run(function));
    if (function.isUnderWay && executor->isIdle(*function.program.program))
      RETURN_IF_ERROR(merge(function));
  }
  return absl::OkStatus();
}

absl::Status PeriodicFunctions::finish(int64_t steps) {
  if (steps > 0)
    for (CompiledProgram &each : last)
      RETURN_IF_ERROR(executor->run(*each.program, steps));
  for (Function &function : functions) {
    const bool leavesRest = steps > 0 && function.then;
    if (leavesRest || steps % function.every != 0)
      RETURN_IF_ERROR(run(function));
    RETURN_IF_ERROR(merge(function));
  }
  return absl::OkStatus();
}

void PeriodicFunctions::drain() {
  for (Function &function : functions)
    if (function.isUnderWay)
      executor->drain(*function.program.program).IgnoreError();
}
