// SPDX-License-Identifier: Apache-2.0
//===- LowerConvolutions.cpp - kernels of convolutions --------------------===//
//
// The plain way, for every convolution: one nest over the result and the
// window, in which each element of lhs is 0 where the window is on padding or
// on a hole of the base. What the library computes faster is no kernel.
//
//===----------------------------------------------------------------------===//

#include "compiler/kernels/BasePlace.h"
#include "compiler/kernels/KernelLowering.h"
#include "compiler/kernels/ScalarEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stablehlo;
using namespace ps;

namespace {

/// The loops of a convolution: the dimensions of the result, those of the
/// window, and the input features of a group.
class ConvolutionLoops {
public:
  explicit ConvolutionLoops(ConvolutionOp op)
      : op(op), dims(op.getDimensionNumbers()), window(op.getWindow()),
        lhs(getTensorType(op.getLhs())), rhs(getTensorType(op.getRhs())),
        result(getTensorType(op.getResult())) {}

  unsigned numParallel() { return result.getRank(); }
  unsigned numLoops() { return result.getRank() + window.size() + 1; }
  SmallVector<int64_t> getSpace();
  /// The element of rhs at a point.
  AffineMap getRhsMap();
  /// The index of lhs along its batch or feature dimension.
  AffineExpr getBatch();
  AffineExpr getFeature();

  ConvolutionOp op;
  ConvDimensionNumbersAttr dims;
  SmallVector<WindowAxis> window;
  RankedTensorType lhs, rhs, result;

private:
  AffineExpr loop(unsigned i) { return getAffineDimExpr(i, op.getContext()); }
  /// The first index along a dimension of lhs of the group that an output
  /// feature belongs to, of `count` groups with `perGroup` indices each.
  AffineExpr getGroup(int64_t count, int64_t perGroup) {
    if (count == 1)
      return getAffineConstantExpr(0, op.getContext());
    int64_t features = result.getDimSize(dims.getOutputFeatureDimension());
    return loop(dims.getOutputFeatureDimension()).floorDiv(features / count) *
           perGroup;
  }
};

} // namespace

SmallVector<int64_t> ConvolutionLoops::getSpace() {
  SmallVector<int64_t> space(result.getShape());
  for (const WindowAxis &axis : window)
    space.push_back(axis.size);
  space.push_back(rhs.getDimSize(dims.getKernelInputFeatureDimension()));
  return space;
}

AffineMap ConvolutionLoops::getRhsMap() {
  SmallVector<AffineExpr> exprs(rhs.getRank());
  for (auto [i, dim] : llvm::enumerate(dims.getKernelSpatialDimensions()))
    exprs[dim] = loop(numParallel() + i);
  exprs[dims.getKernelInputFeatureDimension()] = loop(numLoops() - 1);
  exprs[dims.getKernelOutputFeatureDimension()] =
      loop(dims.getOutputFeatureDimension());
  return AffineMap::get(numLoops(), 0, exprs, op.getContext());
}

AffineExpr ConvolutionLoops::getBatch() {
  int64_t perGroup = result.getDimSize(dims.getOutputBatchDimension());
  return getGroup(op.getBatchGroupCount(), perGroup) +
         loop(dims.getOutputBatchDimension());
}

AffineExpr ConvolutionLoops::getFeature() {
  int64_t perGroup = rhs.getDimSize(dims.getKernelInputFeatureDimension());
  return getGroup(op.getFeatureGroupCount(), perGroup) + loop(numLoops() - 1);
}

/// The element of lhs at a point, in compute form.
static Value emitLhs(PointBuilder &body, ConvolutionLoops &loops,
                     Value tensor) {
  OpBuilder &b = body.builder();
  Location loc = loops.op->getLoc();
  SmallVector<Value> indices(loops.lhs.getRank());
  Value isInside;
  for (auto [i, axis] : llvm::enumerate(loops.window)) {
    const int64_t from = loops.dims.getInputSpatialDimensions()[i];
    AffineExpr k = b.getAffineDimExpr(loops.numParallel() + i);
    BasePlace place = emitBasePlace(
        body, loc, axis, loops.lhs.getDimSize(from),
        b.getAffineDimExpr(loops.dims.getOutputSpatialDimensions()[i]),
        axis.isReversed ? axis.size - 1 - k : k);
    indices[from] = place.index;
    if (place.isInside)
      isInside = isInside
                     ? b.create<arith::AndIOp>(loc, isInside, place.isInside)
                     : place.isInside;
  }
  indices[loops.dims.getInputBatchDimension()] =
      body.emitIndex(loops.getBatch(), loc);
  indices[loops.dims.getInputFeatureDimension()] =
      body.emitIndex(loops.getFeature(), loc);
  Value element = b.create<tensor::ExtractOp>(loc, tensor, indices);
  if (isInside) {
    Value zero =
        b.create<arith::ConstantOp>(loc, b.getZeroAttr(element.getType()));
    element = b.create<arith::SelectOp>(loc, isInside, element, zero);
  }
  return emitLoaded(b, loc, element, loops.lhs.getElementType());
}

Value KernelLowering::lowerConvolution(ConvolutionOp op) {
  ConvolutionLoops loops(op);
  const unsigned numLoops = loops.numLoops();
  Type element = loops.result.getElementType();
  Type accumulated =
      isNarrowFloat(element) ? Type(b.getF32Type()) : getStoredType(element);
  Value destination = accumulated == getStoredType(element)
                          ? getDestination(op)
                          : createEmpty(loops.result.clone(accumulated));
  Value zero = b.create<arith::ConstantOp>(b.getZeroAttr(accumulated));
  Value tensor = createFill(zero, destination);
  SmallVector<int64_t> space = loops.getSpace();
  if (!llvm::is_contained(space, 0) &&
      !llvm::is_contained(loops.lhs.getShape(), 0)) {
    PointBuilder body(*this, numLoops, nullptr);
    OpBuilder &inner = body.builder();
    Location loc = op.getLoc();
    Value x = emitLhs(body, loops, tensors.lookup(op.getLhs()));
    Value y = body.getPoint(op.getRhs(), loops.getRhsMap());
    x = emitConvert(inner, loc, x, loops.lhs.getElementType(), accumulated);
    y = emitConvert(inner, loc, y, loops.rhs.getElementType(), accumulated);
    Value sum = body.addOutput(
        tensor, AffineMap::getMultiDimIdentityMap(numLoops, b.getContext())
                    .getMajorSubMap(loops.numParallel()));
    sum = emitMultiplyAdd(inner, loc, x, y, sum, element.isInteger(1));
    std::vector<utils::IteratorType> types(numLoops,
                                           utils::IteratorType::reduction);
    std::fill_n(types.begin(), loops.numParallel(),
                utils::IteratorType::parallel);
    tensor = body.create(sum, types, space)[0];
  }
  if (accumulated == getStoredType(element))
    return tensor;
  return castElements(tensor, getDestination(op));
}
