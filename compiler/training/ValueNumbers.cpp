// SPDX-License-Identifier: Apache-2.0
//===- ValueNumbers.cpp - which values are computed in the same way -------===//

#include "compiler/training/ValueNumbers.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace ps;

/// The op that `value` is the result of, if equal ops have equal results.
static Operation *getComparableOp(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isMemoryEffectFree(op) ? op
                                                                  : nullptr;
}

/// The number of `value`, whose operands have theirs already. Only a cycle
/// leaves operands without: such a value equals nothing else.
unsigned ValueNumbers::number(Value value) {
  Operation *op = getComparableOp(value);
  if (!op)
    return next++;
  std::vector<uintptr_t> key{
      reinterpret_cast<uintptr_t>(op->getName().getAsOpaquePointer()),
      reinterpret_cast<uintptr_t>(op->getAttrDictionary().getAsOpaquePointer()),
      cast<OpResult>(value).getResultNumber(), op->getNumResults()};
  for (Type type : op->getResultTypes())
    key.push_back(reinterpret_cast<uintptr_t>(type.getAsOpaquePointer()));
  for (Value operand : op->getOperands()) {
    auto found = numbers.find(operand);
    if (found == numbers.end())
      return next++;
    key.push_back(found->second);
  }
  auto [entry, isNew] = byComputation.try_emplace(std::move(key), next);
  next += isNew;
  return entry->second;
}

// A stack instead of recursion: graphs are deeper than the machine's stack.
unsigned ValueNumbers::get(Value value) {
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value last = pending.back();
    Operation *op = getComparableOp(last);
    bool isReady = numbers.contains(last);
    if (!isReady && op && opened.insert(op).second) {
      llvm::append_range(pending, op->getOperands());
      continue;
    }
    pending.pop_back();
    if (!isReady)
      numbers[last] = number(last);
  }
  return numbers.at(value);
}
