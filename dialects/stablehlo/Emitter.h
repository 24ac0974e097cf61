// SPDX-License-Identifier: Apache-2.0
//===- Emitter.h - StableHLO arithmetic in a few words ----------*- C++ -*-===//
//
// For code that writes formulas: derivatives, optimizers, schedules.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_STABLEHLO_EMITTER_H
#define DIALECTS_STABLEHLO_EMITTER_H

#include "dialects/stablehlo/StablehloDialect.h"

namespace stablehlo {

/// Emits StableHLO ops at one location. Operands are values of ranked tensor
/// type; result types are inferred. Borrows the builder.
class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }

  /// Creates any op and returns its first result.
  template <typename OpT, typename... Args>
  mlir::Value create(Args &&...args) {
    return builder.create<OpT>(loc, std::forward<Args>(args)...)->getResult(0);
  }

  mlir::Value add(mlir::Value a, mlir::Value b) { return create<AddOp>(a, b); }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return create<SubtractOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) { return create<MulOp>(a, b); }
  mlir::Value div(mlir::Value a, mlir::Value b) { return create<DivOp>(a, b); }
  mlir::Value max(mlir::Value a, mlir::Value b) { return create<MaxOp>(a, b); }
  mlir::Value min(mlir::Value a, mlir::Value b) { return create<MinOp>(a, b); }
  mlir::Value abs(mlir::Value a) { return create<AbsOp>(a); }
  mlir::Value sqrt(mlir::Value a) { return create<SqrtOp>(a); }
  mlir::Value neg(mlir::Value a) { return create<NegOp>(a); }
  mlir::Value both(mlir::Value a, mlir::Value b) { return create<AndOp>(a, b); }
  mlir::Value select(mlir::Value pred, mlir::Value onTrue,
                     mlir::Value onFalse) {
    return create<SelectOp>(pred, onTrue, onFalse);
  }
  mlir::Value equal(mlir::Value a, mlir::Value b) {
    return create<CompareOp>(a, b, ComparisonDirection::EQ);
  }
  mlir::Value greater(mlir::Value a, mlir::Value b) {
    return create<CompareOp>(a, b, ComparisonDirection::GT);
  }
  mlir::Value less(mlir::Value a, mlir::Value b) {
    return create<CompareOp>(a, b, ComparisonDirection::LT);
  }

  /// `value` times a number or a scalar of its element type.
  mlir::Value scale(mlir::Value value, double factor) {
    return mul(like(value, factor), value);
  }
  mlir::Value scale(mlir::Value value, mlir::Value factor);

  /// `value` with elements of `elementType`; itself if they are.
  mlir::Value convert(mlir::Value value, mlir::Type elementType);

  /// A tensor of `type` that holds `number` everywhere; with a batch dimension,
  /// a broadcast scalar.
  mlir::Value splat(mlir::RankedTensorType type, double number);
  /// The same in the shape and element type of `value`.
  mlir::Value like(mlir::Value value, double number);
  /// A scalar zero of `elementType`.
  mlir::Value zero(mlir::Type elementType);

  /// Repeats the scalar `value` in `shape`.
  mlir::Value broadcast(mlir::Value value, mlir::RankedTensorType shape);
  /// Spreads the result of a reduction of `shape` over `dimensions` back over
  /// that shape.
  mlir::Value broadcast(mlir::Value value, mlir::RankedTensorType shape,
                        llvm::ArrayRef<int64_t> dimensions);

  /// Folds `dimensions` of `value` with `Combiner`, starting at `init`.
  template <typename Combiner>
  mlir::Value reduce(mlir::Value value, mlir::Value init,
                     llvm::ArrayRef<int64_t> dimensions) {
    ReduceOp op = startReduce(value, init, dimensions);
    mlir::Block &body = op.getBody().front();
    mlir::OpBuilder inside = mlir::OpBuilder::atBlockEnd(&body);
    mlir::Value combined =
        inside.create<Combiner>(loc, body.getArgument(0), body.getArgument(1));
    inside.create<ReturnOp>(loc, combined);
    return op.getResult(0);
  }
  /// The sum over `dimensions`; `value` itself if there are none.
  mlir::Value sum(mlir::Value value, llvm::ArrayRef<int64_t> dimensions);
  /// The sum of all elements, a scalar.
  mlir::Value sumAll(mlir::Value value);

  /// Adds the windows of `updates` to those of `input` that `indices` name.
  mlir::Value scatterAdd(mlir::Value input, mlir::Value indices,
                         mlir::Value updates,
                         ScatterDimensionNumbersAttr dimensions);
  /// Replaces the windows of `input` that `indices` name by those of `updates`.
  mlir::Value scatterReplace(mlir::Value input, mlir::Value indices,
                             mlir::Value updates,
                             ScatterDimensionNumbersAttr dimensions);

  /// What `body` returns, whose ops are elementwise or constants and work on
  /// scalars, for each element of `operands`, which have the shape of `shape`.
  llvm::SmallVector<mlir::Value> applyToElements(mlir::Block &body,
                                                 mlir::ValueRange operands,
                                                 mlir::RankedTensorType shape);

private:
  ScatterOp startScatter(mlir::Value input, mlir::Value indices,
                         mlir::Value updates,
                         ScatterDimensionNumbersAttr dimensions);
  ReduceOp startReduce(mlir::Value value, mlir::Value init,
                       llvm::ArrayRef<int64_t> dimensions);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The indices 0 .. rank - 1 without `removed`.
llvm::SmallVector<int64_t> dimensionsWithout(int64_t rank,
                                             llvm::ArrayRef<int64_t> removed);

} // namespace stablehlo

#endif // DIALECTS_STABLEHLO_EMITTER_H
