// SPDX-License-Identifier: Apache-2.0
//===- MemoryPlan.cpp - what --print-memory-plan shows of a program -------===//

#include "absl/strings/str_format.h"
#include "compiler/exec/Storage.h"
#include "tools/ps-run/loader/ProgramBuilder.h"

using namespace mlir;
using namespace ps;

MemoryPlan ProgramBuilder::describeMemory() {
  MemoryPlan plan;
  plan.arenaBytes = op.getArena().value_or(0) + op.getDeviceArena().value_or(0);
  DenseMap<Operation *, std::pair<int, int>> uses;
  DenseMap<void *, int64_t> variables;
  int number = 0;
  for (auto node : op.getBody().getOps<exec::NodeOpInterface>()) {
    for (const exec::Access &access : node.getAccesses()) {
      Operation *storage = getStorage(access.buffer);
      auto [range, isFirst] = uses.try_emplace(storage, number, number);
      range->second.second = number;
    }
    ++number;
  }
  plan.table = "    offset      bytes  first   last  type\n";
  for (Operation &memory : op.getBody().front()) {
    if (isa<exec::ViewOp, exec::RaggedFeedOp>(memory) ||
        memory.getNumResults() != 1 ||
        !isa<MemRefType>(memory.getResult(0).getType()))
      continue;
    int64_t bytes =
        exec::getByteSize(cast<ShapedType>(memory.getResult(0).getType()));
    if (isa<exec::VariableOp>(memory))
      plan.variableBytes += bytes;
    if (isa<exec::FeedOp>(memory))
      plan.feedBytes += bytes;
    if (isa<exec::ConstantOp>(memory))
      plan.constantBytes += bytes;
    auto buffer = dyn_cast<exec::BufferOp>(memory);
    if (!buffer)
      continue;
    plan.unsharedBytes += llvm::alignTo(bytes, 64);
    std::pair<int, int> range = uses.lookup(buffer);
    absl::StrAppendFormat(&plan.table, "%10d %10d %6d %6d  %s\n",
                          buffer.getOffset().value_or(0), bytes, range.first,
                          range.second, getTensorType(buffer.getType()).str());
  }
  return plan;
}
