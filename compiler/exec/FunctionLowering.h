// SPDX-License-Identifier: Apache-2.0
//===- FunctionLowering.h - one function as an exec program ---------------===//
//
// Inside of ps-lower-to-exec. LowerToExec.cpp emits computing nodes,
// LowerTransfers.cpp transfers and LowerRows.cpp what works with rows of
// tables.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_EXEC_FUNCTIONLOWERING_H
#define PS_COMPILER_EXEC_FUNCTIONLOWERING_H

#include "compiler/distribute/Buckets.h"
#include "compiler/exec/FunctionMemory.h"

namespace ps {

/// The ops of `block` in their order, except that updates of rows come after
/// all lookups of these rows, which read them in place.
std::vector<mlir::Operation *> orderUpdates(mlir::Block &block);

class FunctionLowering {
public:
  /// `function` has one block. `hbm`: a device has the rows of tables with the
  /// tier #ps.hbm.
  FunctionLowering(mlir::func::FuncOp function, mlir::SymbolTable &symbols,
                   bool hbm)
      : function(function), symbols(symbols), hbm(hbm), builder(function),
        plan(function, symbols), memory(function, builder, plan, symbols, hbm) {
  }

  mlir::LogicalResult run();

private:
  bool emit(mlir::Operation *op);

  void emitCall(exec::CallOp op);
  void emitGemm(stablehlo::DotGeneralOp dot, exec::CallOp epilogue);
  void emitConvolution(stablehlo::ConvolutionOp op);
  void emitAssign(AssignOp op);
  void emitCheck(mlir::Operation *op);
  void emitFetches(mlir::func::ReturnOp op);

  // Rows of tables.
  bool emitTableOp(mlir::Operation *op);
  void emitPrefetch(PrefetchOp op);
  void emitLookup(LookupOp op);
  bool emitLookupGradient(LookupGradientOp op);
  void emitGradient(LookupGradientOp op);
  bool emitRowProduct(stablehlo::DotGeneralOp dot);
  mlir::Value getSegments(int64_t bags, int64_t bagSize, mlir::Location loc);
  void emitLookupClicks(LookupGradientOp op);
  void emitUpdateRows(UpdateRowsOp op);
  void emitCollectChanges(CollectChangesOp op);
  void emitTakeLargest(TakeLargestOp op);
  mlir::Value emitPushRows(PushRowsOp op);

  // Transfers.
  mlir::LogicalResult collectBuckets();
  template <typename TransferOp>
  mlir::ArrayRef<mlir::Operation *> getMembers(TransferOp op);
  void emitTransfer(mlir::Operation *op);
  mlir::Value emitSend(SendOp op);
  void emitAllReduce(AllReduceOp op);
  mlir::Value emitBroadcast(BroadcastOp op);
  mlir::Value emitRecv(RecvOp op);
  mlir::SmallVector<mlir::Value> getTokens(mlir::ValueRange tokens);
  mlir::SmallVector<mlir::Value> getEndOfRound(int64_t round);
  mlir::Value &lastPush(mlir::Attribute server, mlir::Attribute pushed);

  mlir::func::FuncOp function;
  mlir::SymbolTable &symbols;
  const bool hbm;
  mlir::OpBuilder builder;
  mlir::Type token = builder.getType<TokenType>();
  NodePlan plan;
  FunctionMemory memory;
  mlir::DenseMap<mlir::Value, mlir::Value> tokens;
  /// The fetch barriers so far with their rounds: a round begins after those of
  /// the one before.
  mlir::SmallVector<std::pair<int64_t, mlir::Value>, 2> fetchBarriers;
  /// The last push so far of a block to a server, or of a table's rows.
  mlir::DenseMap<std::pair<mlir::Attribute, mlir::Attribute>, mlir::Value>
      pushes;
  /// The transfers of each bucket, in program order, by the last one.
  mlir::DenseMap<mlir::Operation *, Bucket> buckets;
  /// Transfers that travel with a later one.
  mlir::DenseSet<mlir::Operation *> carried;
};

} // namespace ps

#endif // PS_COMPILER_EXEC_FUNCTIONLOWERING_H
