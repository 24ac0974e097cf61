// SPDX-License-Identifier: Apache-2.0
//===- DataMovementOps.cpp - ops that move data without computing ---------===//
//
// Result types and verifiers, as in Ops.cpp.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/Inference.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "dialects/stablehlo/TensorSize.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stablehlo;

LogicalResult BroadcastInDimOp::verify() {
  auto operand = cast<RankedTensorType>(getOperand().getType());
  auto result = cast<RankedTensorType>(getType());
  ArrayRef<int64_t> dimensions = getBroadcastDimensions();
  if (static_cast<int64_t>(dimensions.size()) != operand.getRank())
    return emitOpError() << "expected one broadcast dimension per dimension of "
                         << operand << ", found " << dimensions.size();
  if (failed(checkDimensions(getOperationName(), getLoc(), "broadcast",
                             dimensions, result.getRank())))
    return failure();
  for (auto [i, dimension] : llvm::enumerate(dimensions)) {
    int64_t from = operand.getDimSize(i), to = result.getDimSize(dimension);
    if (from != 1 && !areCompatible(from, to))
      return emitOpError() << "cannot broadcast dimension " << i << " of "
                           << operand << " to dimension " << dimension << " of "
                           << result;
  }
  return success();
}

/// The elements for each batch of one, nothing when 63 bits do not hold them.
static std::optional<int64_t> getStaticSize(ShapedType type) {
  SmallVector<int64_t> shape(type.getShape());
  std::replace(shape.begin(), shape.end(), ShapedType::kDynamic, int64_t(1));
  return stablehlo::countElements(shape);
}

/// Whether a tensor in one shape can have the elements of one in the other, for
/// some batch size.
static bool haveSameSize(ShapedType lhs, ShapedType rhs) {
  int64_t lhsSize = *getStaticSize(lhs), rhsSize = *getStaticSize(rhs);
  int64_t extra = lhs.getNumDynamicDims() - rhs.getNumDynamicDims();
  if (extra == 0)
    return lhsSize == rhsSize;
  // lhsSize * batch^extra == rhsSize needs a multiple.
  if (extra < 0)
    std::swap(lhsSize, rhsSize);
  return lhsSize == 0 ? rhsSize == 0 : rhsSize % lhsSize == 0;
}

LogicalResult ReshapeOp::verify() {
  auto operand = cast<ShapedType>(getOperand().getType());
  auto result = cast<ShapedType>(getType());
  for (ShapedType type : {operand, result})
    if (!getStaticSize(type))
      return emitOpError() << "expected a tensor that memory can hold, found "
                           << type;
  if (!haveSameSize(operand, result))
    return emitOpError() << "cannot turn " << operand << " into " << result
                         << ": they differ in size";
  return success();
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  if (static_cast<int64_t>(permutation.size()) != operand.getRank())
    return inferError(getOperationName(), location, "permutes ",
                      permutation.size(), " dimensions of ", operand);
  if (failed(checkDimensions(getOperationName(), location, "permuted",
                             permutation, operand.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dimension : permutation)
    shape.push_back(operand.getDimSize(dimension));
  results.push_back(RankedTensorType::get(shape, operand.getElementType()));
  return success();
}

LogicalResult ReverseOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  if (failed(checkDimensions(getOperationName(), location, "reversed",
                             adaptor.getDimensions(), operand.getRank())))
    return failure();
  results.push_back(operand);
  return success();
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> starts = adaptor.getStartIndices();
  ArrayRef<int64_t> limits = adaptor.getLimitIndices();
  ArrayRef<int64_t> strides = adaptor.getStrides();
  size_t rank = operand.getRank();
  if (starts.size() != rank || limits.size() != rank || strides.size() != rank)
    return inferError(getOperationName(), location,
                      "expected one range per dimension of ", operand,
                      ", found ", starts.size(), " starts, ", limits.size(),
                      " limits and ", strides.size(), " strides");
  SmallVector<int64_t> shape;
  for (size_t i = 0; i < rank; ++i) {
    int64_t size = operand.getDimSize(i);
    // `?` is the whole dimension, also once its size is known.
    int64_t limit = ShapedType::isDynamic(limits[i]) ? size : limits[i];
    if (strides[i] <= 0)
      return inferError(getOperationName(), location, "stride ", strides[i],
                        " of dimension ", i, " is not positive");
    if (ShapedType::isDynamic(limit)) {
      if (starts[i] != 0 || strides[i] != 1)
        return inferError(getOperationName(), location,
                          "takes a part of the batch dimension ", i, " of ",
                          operand, " up to its unknown end");
      shape.push_back(limit);
      continue;
    }
    bool fits = ShapedType::isDynamic(size) || limit <= size;
    if (starts[i] < 0 || starts[i] > limit || !fits)
      return inferError(getOperationName(), location, "range ", starts[i], ":",
                        limit, " of dimension ", i, " does not lie within ",
                        operand);
    shape.push_back(llvm::divideCeil(limit - starts[i], strides[i]));
  }
  results.push_back(RankedTensorType::get(shape, operand.getElementType()));
  return success();
}

LogicalResult DynamicSliceOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> location,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> sizes = adaptor.getSliceSizes();
  size_t rank = operand.getRank();
  if (sizes.size() != rank || adaptor.getStartIndices().size() != rank)
    return inferError(getOperationName(), location,
                      "expected one start and one size per dimension of ",
                      operand, ", found ", adaptor.getStartIndices().size(),
                      " and ", sizes.size());
  if (!llvm::all_equal(adaptor.getStartIndices().getTypes()))
    return inferError(getOperationName(), location,
                      "start indices differ in type");
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    // `?` is the whole dimension, also once its size is known.
    int64_t whole = operand.getDimSize(i);
    shape.push_back(ShapedType::isDynamic(size) ? whole : size);
    if (ShapedType::isDynamic(size) || (size >= 0 && size <= whole) ||
        (size >= 0 && operand.isDynamicDim(i)))
      continue;
    return inferError(getOperationName(), location, "size ", size,
                      " of dimension ", i, " does not fit into ", operand);
  }
  results.push_back(RankedTensorType::get(shape, operand.getElementType()));
  return success();
}

LogicalResult DynamicUpdateSliceOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  auto update = cast<RankedTensorType>(adaptor.getUpdate().getType());
  int64_t rank = operand.getRank();
  int64_t starts = adaptor.getStartIndices().size();
  if (update.getElementType() != operand.getElementType() ||
      update.getRank() != rank)
    return inferError(getOperationName(), location, "updates ", operand,
                      " with ", update);
  if (starts != rank)
    return inferError(getOperationName(), location,
                      "expected one start per dimension of ", operand,
                      ", found ", starts);
  if (!llvm::all_equal(adaptor.getStartIndices().getTypes()))
    return inferError(getOperationName(), location,
                      "start indices differ in type");
  for (auto [size, whole] : llvm::zip(update.getShape(), operand.getShape()))
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(whole) &&
        size > whole)
      return inferError(getOperationName(), location, "update ", update,
                        " does not fit into ", operand);
  results.push_back(operand);
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> low = adaptor.getEdgePaddingLow();
  ArrayRef<int64_t> high = adaptor.getEdgePaddingHigh();
  ArrayRef<int64_t> interior = adaptor.getInteriorPadding();
  size_t rank = operand.getRank();
  if (low.size() != rank || high.size() != rank || interior.size() != rank)
    return inferError(getOperationName(), location,
                      "expected one padding per dimension of ", operand,
                      ", found ", low.size(), " low, ", high.size(),
                      " high and ", interior.size(), " interior");
  SmallVector<int64_t> shape;
  for (size_t i = 0; i < rank; ++i) {
    if (interior[i] < 0)
      return inferError(getOperationName(), location, "interior padding ",
                        interior[i], " of dimension ", i, " is negative");
    int64_t size = operand.getDimSize(i);
    if (ShapedType::isDynamic(size)) {
      if (low[i] != 0 || high[i] != 0 || interior[i] != 0)
        return inferError(getOperationName(), location,
                          "pads the batch dimension ", i, " of ", operand);
      shape.push_back(size);
      continue;
    }
    int64_t gaps = std::max<int64_t>(size - 1, 0), edges, inner, padded;
    if (llvm::AddOverflow(low[i], high[i], edges) ||
        llvm::MulOverflow(gaps, interior[i], inner) ||
        llvm::AddOverflow(size, inner, padded) ||
        llvm::AddOverflow(padded, edges, padded))
      return inferError(getOperationName(), location, "padding of dimension ",
                        i, " of ", operand, " makes it larger than 63 bits");
    if (padded < 0)
      return inferError(getOperationName(), location, "padding removes ",
                        -edges, " elements from dimension ", i, " of ",
                        operand);
    shape.push_back(padded);
  }
  results.push_back(RankedTensorType::get(shape, operand.getElementType()));
  return success();
}

LogicalResult ConcatenateOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> location,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &results) {
  if (adaptor.getInputs().empty())
    return failure(); // reported by a trait
  auto first = cast<RankedTensorType>(adaptor.getInputs().front().getType());
  uint64_t dimension = adaptor.getDimension();
  if (failed(checkDimensions(getOperationName(), location, "joined",
                             static_cast<int64_t>(dimension), first.getRank())))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  for (Type type : adaptor.getInputs().drop_front().getTypes()) {
    SmallVector<int64_t> next(cast<RankedTensorType>(type).getShape());
    int64_t joined = ShapedType::kDynamic;
    if (dimension < next.size())
      std::swap(joined, next[dimension]);
    FailureOr<SmallVector<int64_t>> merged =
        mergeShapes({RankedTensorType::get(shape, first.getElementType()),
                     RankedTensorType::get(next, first.getElementType())});
    if (failed(merged))
      return inferError(getOperationName(), location, "cannot join ", type,
                        " to ", first, " along dimension ", dimension);
    if (ShapedType::isDynamic(shape[dimension]) ||
        ShapedType::isDynamic(joined))
      return inferError(getOperationName(), location,
                        "joins along the batch dimension ", dimension, " of ",
                        ShapedType::isDynamic(joined) ? type : first);
    int64_t sum;
    if (llvm::AddOverflow(shape[dimension], joined, sum))
      return inferError(getOperationName(), location, "dimension ", dimension,
                        " of the result is larger than 63 bits");
    shape = *merged;
    shape[dimension] = sum;
  }
  results.push_back(RankedTensorType::get(shape, first.getElementType()));
  return success();
}

LogicalResult GetDimensionSizeOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  results.push_back(RankedTensorType::get({}, IntegerType::get(context, 32)));
  auto dimension = static_cast<int64_t>(adaptor.getDimension());
  if (failed(checkDimensions(getOperationName(), location, "measured",
                             dimension, operand.getRank())))
    return failure();
  int64_t size = operand.getDimSize(dimension);
  if (!ShapedType::isDynamic(size) && size > INT32_MAX)
    return inferError(getOperationName(), location, "size ", size,
                      " of dimension ", dimension, " does not fit i32");
  return success();
}

LogicalResult chlo::TopKOp::inferReturnTypes(MLIRContext *context,
                                             std::optional<Location> location,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  auto k = static_cast<int64_t>(adaptor.getK());
  if (operand.getRank() == 0 || operand.isDynamicDim(operand.getRank() - 1) ||
      k < 0 || k > operand.getShape().back())
    return inferError(getOperationName(), location, "takes ", k,
                      " elements of the last dimension of ", operand);
  SmallVector<int64_t> shape(operand.getShape());
  shape.back() = k;
  results.push_back(RankedTensorType::get(shape, operand.getElementType()));
  results.push_back(
      RankedTensorType::get(shape, IntegerType::get(context, 32)));
  return success();
}
