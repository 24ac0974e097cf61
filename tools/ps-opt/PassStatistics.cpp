// SPDX-License-Identifier: Apache-2.0
//===- PassStatistics.cpp - what each pass did to the number of ops -------===//

#include "tools/ps-opt/PassStatistics.h"

#include "mlir/Pass/Pass.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// Nested pass managers are passes too, but have no name.
static bool isNamed(Pass *pass) { return !pass->getArgument().empty(); }

static int64_t countOps(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

void ps::PassStatistics::runBeforePass(Pass *pass, Operation *op) {
  if (!isNamed(pass))
    return;
  Counts &entry = counts[pass->getArgument()];
  ++entry.runs;
  entry.before += countOps(op);
}

void ps::PassStatistics::runAfterPass(Pass *pass, Operation *op) {
  if (isNamed(pass))
    counts[pass->getArgument()].after += countOps(op);
}

void ps::PassStatistics::runAfterPassFailed(Pass *pass, Operation *op) {
  runAfterPass(pass, op);
}

ps::PassStatistics::~PassStatistics() {
  auto print = [](const auto &...columns) {
    llvm::errs() << llvm::formatv("{0,-28} {1,8} {2,12} {3,12}\n", columns...);
  };
  print("pass", "runs", "ops before", "ops after");
  for (const auto &[name, entry] : counts)
    print(name, entry.runs, entry.before, entry.after);
}
