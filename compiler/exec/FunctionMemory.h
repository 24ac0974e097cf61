// SPDX-License-Identifier: Apache-2.0
//===- FunctionMemory.h - the memory that a function's values are in ------===//
//
// Inside of ps-lower-to-exec. Before a variable changes, the values that live
// in it and are still needed are copied out.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_EXEC_FUNCTIONMEMORY_H
#define PS_COMPILER_EXEC_FUNCTIONMEMORY_H

#include "compiler/exec/NodePlan.h"
#include "llvm/ADT/StringMap.h"

namespace ps {

class FunctionMemory {
public:
  FunctionMemory(mlir::func::FuncOp function, mlir::OpBuilder &builder,
                 const NodePlan &plan, const mlir::SymbolTable &symbols,
                 bool hbm)
      : function(function), builder(builder), plan(plan), symbols(symbols),
        hbm(hbm) {}

  mlir::LogicalResult emitFeeds();
  mlir::Value getVariable(mlir::StringRef name, mlir::RankedTensorType type,
                          mlir::Location loc);
  mlir::Value getConstant(mlir::ElementsAttr value, mlir::Location loc);
  /// Where `value` is; null for null.
  mlir::Value getBuffer(mlir::Value value);
  mlir::SmallVector<mlir::Value> getBuffers(mlir::ValueRange values);
  bool contains(mlir::Value value) const { return buffers.contains(value); }
  /// Lets `value` be in `buffer`.
  void bind(mlir::Value value, mlir::Value buffer) { buffers[value] = buffer; }
  /// Lets the value that `read` has of its variable be there.
  void bindRead(ReadOp read);
  /// The memory that the producer of `value` writes: the variable's, where it
  /// works in place, which first gives up its old value.
  mlir::Value createBuffer(mlir::Value value);
  /// Copies out what is in `variable` and needed after `writer` changes it.
  void beforeWrite(mlir::StringRef variable, mlir::Operation *writer);

private:
  mlir::IntegerAttr getWorkerAttr(mlir::Value value) const;
  mlir::Value emitFeed(mlir::BlockArgument argument, mlir::StringAttr name);
  void emitView(stablehlo::ReshapeOp op);
  void copyOut(mlir::Value value, mlir::Operation *writer);
  void rebindViews(mlir::Value value);

  mlir::func::FuncOp function;
  mlir::OpBuilder &builder;
  const NodePlan &plan;
  const mlir::SymbolTable &symbols;
  const bool hbm;
  mlir::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::StringMap<mlir::Value> variables;
  mlir::DenseMap<mlir::Attribute, mlir::Value> constants;
  /// The values that live in a variable's memory now.
  llvm::StringMap<mlir::SmallVector<mlir::Value>> residents;
};

} // namespace ps

#endif // PS_COMPILER_EXEC_FUNCTIONMEMORY_H
