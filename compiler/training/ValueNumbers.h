// SPDX-License-Identifier: Apache-2.0
//===- ValueNumbers.h - which values are computed in the same way ---------===//

#ifndef PS_COMPILER_TRAINING_VALUENUMBERS_H
#define PS_COMPILER_TRAINING_VALUENUMBERS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <vector>

namespace ps {

/// Numbers values such that two values of one number are equal: one value, or
/// results of ops without effects and regions that agree in name, attributes,
/// types and the numbers of their operands. Each op is looked at once, however
/// many values are asked for. A number is valid until the op that defines the
/// value, or one that it is computed from, is changed or erased. Not
/// thread-safe.
class ValueNumbers {
public:
  unsigned get(mlir::Value value);

private:
  unsigned number(mlir::Value value);

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  /// Ops whose operands have been numbered, or are being numbered.
  llvm::DenseSet<mlir::Operation *> opened;
  std::map<std::vector<uintptr_t>, unsigned> byComputation;
  unsigned next = 0;
};

} // namespace ps

#endif // PS_COMPILER_TRAINING_VALUENUMBERS_H
