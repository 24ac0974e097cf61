// SPDX-License-Identifier: Apache-2.0
//===- KernelLowering.h - kernels from stablehlo to linalg, one at a time -===//
//
// What the files of ps-stablehlo-to-linalg share.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_KERNELS_KERNELLOWERING_H
#define PS_COMPILER_KERNELS_KERNELLOWERING_H

#include "compiler/kernels/KernelFusion.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ps {

class PointBuilder;

/// What a nest of loops folds into outputs.
struct Folding {
  mlir::ValueRange results, inits;
  mlir::Block *body;
  /// From the loops to the element of the results.
  mlir::AffineMap map;
  /// The elements at a point, in compute form; none where there are no points.
  llvm::SmallVector<mlir::Value> elements;
};

/// Lowers the body of a kernel.
class KernelLowering {
public:
  /// With `parallelLines` each line of a sort has memory of its own.
  KernelLowering(mlir::func::FuncOp func, bool parallelLines)
      : func(func), b(func.getLoc(), func.getContext()),
        parallelLines(parallelLines) {}
  mlir::LogicalResult run();

private:
  friend class PointBuilder;

  mlir::LogicalResult checkOps();
  void changeSignature();
  void lowerGroup(const FusionGroup &group);
  void addFolding(const Folding &folding, PointBuilder &body,
                  mlir::SmallVector<mlir::Value> &outputs,
                  mlir::SmallVector<mlir::Value> &yields);
  void setFolded(mlir::Value result, mlir::Value tensor);
  void storeResults();
  void eraseOriginal();

  void lowerSingle(mlir::Operation *op);
  mlir::Value lowerConstant(stablehlo::ConstantOp op);
  mlir::Value lowerDot(stablehlo::DotGeneralOp op);
  mlir::Value lowerConvolution(stablehlo::ConvolutionOp op);
  mlir::Value lowerConcatenate(stablehlo::ConcatenateOp op);
  mlir::Value lowerPad(stablehlo::PadOp op);
  llvm::SmallVector<mlir::OpFoldResult>
  getClampedStarts(mlir::ValueRange starts, mlir::RankedTensorType operand,
                   mlir::RankedTensorType box);
  mlir::Value lowerDynamicSlice(stablehlo::DynamicSliceOp op);
  mlir::Value lowerDynamicUpdateSlice(stablehlo::DynamicUpdateSliceOp op);
  mlir::Value lowerGather(stablehlo::GatherOp op);
  void lowerScatter(stablehlo::ScatterOp op);
  void lowerReduceWindow(stablehlo::ReduceWindowOp op);
  llvm::SmallVector<mlir::Value>
  emitWindowElements(stablehlo::ReduceWindowOp op, PointBuilder &body);
  void lowerSelectAndScatter(stablehlo::SelectAndScatterOp op);
  void lowerSort(stablehlo::SortOp op);
  void lowerTriangular(mlir::Operation *op);
  mlir::Value lowerReshape(stablehlo::ReshapeOp op);

  /// A tensor to compute `value` into: the result's buffer, or a new one.
  mlir::Value getDestination(mlir::Value value);
  mlir::Value createEmpty(mlir::RankedTensorType type);
  /// A destination of loops that store into its memory: CSE, which makes one
  /// value of equal empty tensors, leaves it alone.
  mlir::Value getStoredDestination(mlir::Value value);
  mlir::Value createFill(mlir::Value scalar, mlir::Value destination);
  /// The memory of `tensor`.
  mlir::Value getBuffer(mlir::Value tensor, bool isReadOnly);
  /// `value`, a stored or constant scalar, outside of loops.
  mlir::Value getScalar(mlir::Value value);
  mlir::Value getConstant(mlir::Attribute element, mlir::Type type);
  /// A copy of `tensor` with elements of another float type.
  mlir::Value castElements(mlir::Value tensor, mlir::Value destination);
  mlir::OpFoldResult getSize(mlir::RankedTensorType type, unsigned dim);

  mlir::func::FuncOp func;
  mlir::ImplicitLocOpBuilder b;
  const bool parallelLines;
  std::unique_ptr<KernelFusion> fusion;
  /// The tensor, in stored form, of each stored value.
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
  llvm::SmallVector<mlir::Value> resultBuffers;
  /// The result's buffer for values that are returned, taken on first use.
  llvm::DenseMap<mlir::Value, mlir::Value> destinations;
  /// An argument whose leading size is the number of rows.
  mlir::Value rowTensor;
};

/// Grows the body of one linalg.generic.
class PointBuilder {
public:
  PointBuilder(KernelLowering &lowering, unsigned numLoops,
               const FusionGroup *group)
      : lowering(lowering), group(group), numLoops(numLoops),
        body(std::make_unique<mlir::Block>()), b(lowering.b.getContext()) {
    b.setInsertionPointToEnd(body.get());
  }

  /// The element of `value` at `access`, in compute form.
  mlir::Value getPoint(mlir::Value value, mlir::AffineMap access);

  /// Adds an output; all points must have been asked for. Returns its old
  /// value, in stored form.
  mlir::Value addOutput(mlir::Value destination, mlir::AffineMap map);

  /// Makes the op, which yields `results` in stored form.
  mlir::ValueRange create(mlir::ValueRange results,
                          llvm::ArrayRef<mlir::utils::IteratorType> types,
                          llvm::ArrayRef<int64_t> space);

  /// The value of `expr`, of loops, at the current point.
  mlir::Value emitIndex(mlir::AffineExpr expr, mlir::Location loc);

  mlir::OpBuilder &builder() { return b; }

private:
  mlir::Value computePoint(mlir::Value value, mlir::AffineMap access);
  mlir::Value loadPoint(mlir::Value value, mlir::AffineMap access);
  void cutToLoops(llvm::ArrayRef<int64_t> space);
  void addShapeOperand(llvm::ArrayRef<int64_t> space);

  KernelLowering &lowering;
  const FusionGroup *group;
  unsigned numLoops;
  std::unique_ptr<mlir::Block> body;
  mlir::OpBuilder b;
  llvm::DenseMap<std::pair<mlir::Value, mlir::AffineMap>, mlir::Value> points;
  llvm::SmallVector<mlir::Value> inputs, outputs;
  llvm::SmallVector<mlir::AffineMap> inputMaps, outputMaps;
};

/// The type of a tensor in memory.
mlir::RankedTensorType getStoredTensorType(mlir::Type type);

/// Emits the body of a reduce or scatter on scalars in compute form.
llvm::SmallVector<mlir::Value>
emitBody(mlir::Block &body, mlir::ValueRange arguments, mlir::OpBuilder &b);

/// sum + x * y; a logical "or" of "and"s on i1, whose sum is stored as i8.
mlir::Value emitMultiplyAdd(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Value y, mlir::Value sum,
                            bool isBool);

} // namespace ps

#endif // PS_COMPILER_KERNELS_KERNELLOWERING_H
