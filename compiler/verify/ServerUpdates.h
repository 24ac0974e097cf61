// SPDX-License-Identifier: Apache-2.0
//===- ServerUpdates.h - how a pserver program updates its blocks ---------===//
//
// What ps-verify-programs reads out of a pserver program, and proves of it.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_VERIFY_SERVERUPDATES_H
#define PS_COMPILER_VERIFY_SERVERUPDATES_H

#include "dialects/ps/PSDialect.h"

#include "llvm/ADT/MapVector.h"

namespace ps {

/// What a pserver holds under the name of a block: rows of a variable, or a
/// number that is no variable's, the global norm or that of the batches.
struct HeldBlock {
  VariableOp variable;
  /// Takes the gradient, or the number.
  OptimizeBlockOp update;
  /// Null in mode geo. It is in `update`, or where the norm arrives.
  ApplyOp apply;
  /// The copy in the type of the network; null where that is the block's.
  VariableOp wire;
  /// What the gradient adds to the global norm; null where none is needed.
  VariableOp squares;

  bool isNumber() const { return !VariableOp(variable).getSliceAttr(); }
  /// The variable of that name: the block itself, its copy or its squares.
  VariableOp find(mlir::StringAttr name) const;
};

/// A shard of a table on the pserver that holds it.
struct HeldShard {
  TableOp table;
  /// Takes the rows' gradients.
  OptimizeBlockOp update;
  ApplyRowsOp apply;
};

/// The blocks and shards of a pserver.
struct Server {
  ProgramOp program;
  llvm::MapVector<mlir::StringAttr, HeldBlock> blocks;
  llvm::MapVector<mlir::StringAttr, HeldShard> tables;
  /// Takes the global norm; null where no update needs it.
  OptimizeBlockOp normBlock;
  /// Counts the batches of all trainers; null where no schedule needs them.
  OptimizeBlockOp countBlock;
};

/// Fills in the blocks of `server`, whose program is given. Fails unless each
/// is updated once per step, from its own gradient as it arrives or as it was
/// kept until the norm arrives, at the rate of the schedule block, and copied
/// for the network afterwards; and each table from the rows that arrive.
mlir::LogicalResult collectUpdates(Server &server);

/// Fails, and names both, where `op` has `found` as `what` and `other`, a
/// variable or a table, has `expected`.
mlir::LogicalResult checkSame(mlir::Operation *op, llvm::StringRef what,
                              mlir::Attribute found, mlir::Operation *other,
                              mlir::Attribute expected);

/// The value that `value` converts, or `value`.
mlir::Value skipConversion(mlir::Value value);

} // namespace ps

#endif // PS_COMPILER_VERIFY_SERVERUPDATES_H
