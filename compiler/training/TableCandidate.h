// SPDX-License-Identifier: Apache-2.0
//===- TableCandidate.h - a variable that may become a table --------------===//
//
// Decides which variables a table can replace, and explains why others stay
// variables. RecoverTables.cpp replaces them.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_TRAINING_TABLECANDIDATE_H
#define PS_COMPILER_TRAINING_TABLECANDIDATE_H

#include "compiler/training/ValueNumbers.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "llvm/ADT/SetVector.h"

namespace ps {

/// Why a variable stays one, and the op that prevents the table.
struct Refusal {
  std::string reason;
  mlir::Operation *at = nullptr;
  /// Whether recover-tables=lazy makes it a table nevertheless.
  bool isChoice = false;
};

/// The uses of all variables of a module: collected once, so that the pass
/// takes time linear in the module however many variables there are.
class ModuleUses {
public:
  explicit ModuleUses(mlir::ModuleOp module);

  llvm::ArrayRef<mlir::Operation *> getUsers(VariableOp variable) const;
  llvm::ArrayRef<MinimizeOp> getMinimizes(mlir::Block *block) const;
  /// Whether `op` is computed from a variable that a gather reads. Holds for
  /// ops that existed when this was constructed.
  bool isAfterGatheredRead(mlir::Operation *op) const {
    return afterReads.contains(op);
  }

private:
  void findDependents();

  llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<mlir::Operation *>> users;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<MinimizeOp>> minimizes;
  llvm::SetVector<mlir::Operation *> afterReads;
};

/// A variable, and the ops that read and update it.
class TableCandidate {
public:
  /// A scatter-add of the gradient, and the gather that has its ids.
  struct Part {
    stablehlo::ScatterOp scatter;
    stablehlo::GatherOp gather;
  };

  TableCandidate(VariableOp variable, const ModuleUses &uses);

  bool isGathered() const { return !gathers.empty(); }
  /// Why the variable must stay one, or nothing. Fills `parts`, `replaced` and
  /// `changesOtherRows` as far as it gets.
  std::optional<Refusal> explainRefusal(const ModuleUses &uses, bool lazy);

  VariableOp variable;
  mlir::RankedTensorType type;
  llvm::SmallVector<ReadOp> reads;
  llvm::SetVector<stablehlo::GatherOp> gathers;
  /// Each ps.minimize of the blocks that read the variable.
  llvm::SetVector<MinimizeOp> minimizes;
  ApplyOp apply;
  /// The gradient that `apply` is given, taken apart.
  llvm::SmallVector<Part> parts;
  /// The ops that compute that gradient, users first.
  llvm::SmallVector<mlir::Operation *> replaced;
  /// The part of the update that changes rows without a gradient too.
  std::optional<Refusal> changesOtherRows;

private:
  std::optional<Refusal> refuseUses();
  std::optional<Refusal> refuseDeclaration();
  std::optional<Refusal> refuseUpdate();
  std::optional<Refusal> refuseRule(mlir::Operation *update,
                                    OptimizerAttrInterface optimizer,
                                    ClipAttrInterface clip,
                                    RegularizerAttrInterface regularizer);
  std::optional<Refusal> refuseOrder(mlir::Operation *update);
  std::optional<Refusal> refuseIds(const ModuleUses &uses);
  std::optional<Refusal> collectParts();
  std::optional<Refusal>
  collectPart(mlir::Value gradient, mlir::Operation *reader,
              llvm::SmallVectorImpl<mlir::OpOperand *> &pending);
  std::optional<Refusal> collectScatter(stablehlo::ScatterOp scatter);
  /// A block, the type of a batch of rows, and the number of the ids.
  using RowsKey = std::tuple<mlir::Block *, mlir::Type, unsigned>;
  RowsKey getKey(mlir::Operation *op, mlir::Value indices, mlir::Value batch);
  void indexGathers();

  /// Uses of the variable that neither read it nor update it.
  llvm::SmallVector<mlir::Operation *> otherUses;
  ValueNumbers numbers;
  /// The first gather of each key; filled when a gradient is taken apart.
  llvm::DenseMap<RowsKey, stablehlo::GatherOp> firstGathers;
};

} // namespace ps

#endif // PS_COMPILER_TRAINING_TABLECANDIDATE_H
