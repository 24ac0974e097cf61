// SPDX-License-Identifier: Apache-2.0
//===- ServerProgram.h - what a pserver does with what it gets ------------===//

#ifndef PS_COMPILER_DISTRIBUTE_SERVERPROGRAM_H
#define PS_COMPILER_DISTRIBUTE_SERVERPROGRAM_H

#include "compiler/distribute/PartitionPlan.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace ps {

/// Where variables and blocks of a pserver program go.
struct ServerBuilder {
  mlir::OpBuilder variables, blocks;
};

/// Gives every pserver program of `plan` the function that serves. A pserver
/// that holds nothing has it too, and takes part in every barrier.
llvm::SmallVector<ServerBuilder> createServing(const PartitionPlan &plan);

/// Declares the variable that holds `block` on its pserver.
VariableOp createSlice(ServerBuilder &server, const PlacedBlock &block);

/// Declares the shard of `table` that pserver `index` of `count` holds.
TableOp createShard(ServerBuilder &server, TableOp table, int64_t index,
                    int64_t count);

/// How the variable is called that stands for the norm, in both roles, where
/// the name is free.
inline constexpr llvm::StringLiteral globalNormName = "global_norm";

/// Writes the program of one pserver whose blocks have been declared. Gradients
/// arrive in round 0; what waits for the global norm is updated in round 1.
/// Where trainers do not wait for each other, they report what a step is: a
/// block @global_step counts their batches.
class ServerProgram {
public:
  /// `takenNames` lives as long as this.
  ServerProgram(ProgramOp program, ServerBuilder builder,
                const llvm::DenseSet<mlir::StringAttr> &takenNames)
      : program(program), builder(builder), symbols(program),
        takenNames(takenNames) {}

  /// Adds the update of `block`, whose gradient arrives in elements of
  /// `wireType` (null for its own) and whose value leaves so; sets the names of
  /// what the pserver keeps beside it.
  void addUpdate(PlacedBlock &block, mlir::Type wireType);
  /// The same for one whose clip waits for the global norm.
  void addClippedUpdate(PlacedBlock &block, mlir::Type wireType);
  /// Adds the update of a table whose shard has been declared.
  void addTableUpdate(const TableUpdate &update);
  /// The block to send the global norm to; null where nothing waits for it.
  mlir::StringAttr getNormBlock() {
    return normBlock ? normBlock.getVariableAttr().getAttr() : nullptr;
  }

  /// The block to send the number of batches to; null where none are counted.
  mlir::StringAttr getCountBlock() {
    return countBlock ? countBlock.getVariableAttr().getAttr() : nullptr;
  }

private:
  mlir::Value createBlock(mlir::Location loc, mlir::StringAttr name,
                          mlir::Type type, int64_t round,
                          mlir::OpBuilder &body);
  mlir::Value createGradientBlock(const PlacedBlock &block, mlir::Type wireType,
                                  mlir::OpBuilder &body);
  mlir::Value compensate(mlir::OpBuilder &body, mlir::Value gradient);
  void createApply(mlir::OpBuilder &body, const PlacedBlock &block,
                   mlir::Value gradient, mlir::Value norm);
  mlir::StringAttr createWireCopy(mlir::OpBuilder &body,
                                  const PlacedBlock &block,
                                  mlir::Type wireType);
  mlir::Value createRate(mlir::OpBuilder &body, mlir::Location loc,
                         mlir::Attribute schedule, mlir::Type elementType,
                         mlir::StringAttr block);
  void createSchedule(mlir::Location loc, mlir::StringAttr block);
  void createCount(VariableOp counter);
  mlir::Value getNorm(mlir::Type elementType, mlir::Location loc);
  VariableOp declare(mlir::Location loc, const llvm::Twine &name,
                     mlir::RankedTensorType type, mlir::StringAttr slotOf);
  VariableOp declareTransient(mlir::Location loc, const llvm::Twine &name,
                              mlir::RankedTensorType type,
                              mlir::StringAttr slotOf);

  ProgramOp program;
  ServerBuilder builder;
  mlir::SymbolTable symbols;
  const llvm::DenseSet<mlir::StringAttr> &takenNames;
  OptimizeBlockOp normBlock, countBlock;
  /// The norm, by element type.
  llvm::DenseMap<mlir::Type, mlir::Value> norms;
  /// In the schedule block: the step, and what follows the rates.
  mlir::Value step;
  mlir::Operation *countStep = nullptr;
  /// The variable that holds the rate, by schedule and element type.
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Type>, VariableOp> rates;
};

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_SERVERPROGRAM_H
