// SPDX-License-Identifier: Apache-2.0
//===- WindowOps.cpp - result types and verifiers of gather and scatter ---===//
//
// 1. checkDims: what both ops require of their dimension numbers.
// 2. Each op's own rules: how large windows are, and what has which shape.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/Inference.h"
#include "dialects/stablehlo/WindowDims.h"

using namespace mlir;
using namespace stablehlo;

namespace {

/// Checks of one op. Lists of dimensions are called as the op spells them.
struct DimsChecker {
  /// How the op spells the lists and tensors of WindowDims.
  struct Names {
    StringRef window, dropped, operandBatching, indicesBatching, indexMap;
    StringRef operand, indices;
  };

  StringRef opName;
  std::optional<Location> location;
  const Names &names;
  WindowDims dims;
  RankedTensorType operand, indices;

  template <typename... Args>
  LogicalResult error(Args &&...args) const {
    return inferError(opName, location, std::forward<Args>(args)...);
  }
  LogicalResult check(StringRef what, ArrayRef<int64_t> list,
                      int64_t rank) const {
    return checkDimensions(opName, location, what, list, rank);
  }
  LogicalResult checkSorted(StringRef what, ArrayRef<int64_t> list) const;
  LogicalResult checkApart(StringRef what, ArrayRef<int64_t> list,
                           StringRef otherWhat, ArrayRef<int64_t> other) const;
  LogicalResult checkLists() const;
  LogicalResult checkBatching() const;
  LogicalResult checkIndexVectors() const;
  LogicalResult checkDims() const;

  /// One dimension for each of the indices' but the vectors', and the window's.
  int64_t getBatchRank() const;
  /// The shape of the tensor that holds, for each index vector, a window of
  /// these sizes of the operand's dimensions.
  SmallVector<int64_t> getBatchShape(ArrayRef<int64_t> sizes) const;
};

} // namespace

//===----------------------------------------------------------------------===//
// 1. checkDims
//===----------------------------------------------------------------------===//

LogicalResult DimsChecker::checkSorted(StringRef what,
                                       ArrayRef<int64_t> list) const {
  if (llvm::is_sorted(list))
    return success();
  return error(what, " dimensions are not in ascending order");
}

LogicalResult DimsChecker::checkApart(StringRef what, ArrayRef<int64_t> list,
                                      StringRef otherWhat,
                                      ArrayRef<int64_t> other) const {
  for (int64_t dimension : list)
    if (llvm::is_contained(other, dimension))
      return error(what, " dimension ", dimension, " is one of ", otherWhat,
                   " too");
  return success();
}

LogicalResult DimsChecker::checkLists() const {
  int64_t operandRank = operand.getRank();
  if (failed(check(names.dropped, dims.dropped, operandRank)) ||
      failed(checkSorted(names.dropped, dims.dropped)) ||
      failed(check(names.operandBatching, dims.operandBatching, operandRank)) ||
      failed(checkSorted(names.operandBatching, dims.operandBatching)) ||
      failed(check(names.indicesBatching, dims.indicesBatching,
                   indices.getRank())) ||
      failed(check(names.indexMap, dims.indexMap, operandRank)) ||
      failed(checkApart(names.dropped, dims.dropped, names.operandBatching,
                        dims.operandBatching)) ||
      failed(checkApart(names.indexMap, dims.indexMap, names.operandBatching,
                        dims.operandBatching)))
    return failure();
  int64_t present =
      operandRank - dims.dropped.size() - dims.operandBatching.size();
  if (static_cast<int64_t>(dims.window.size()) != present)
    return error("expected ", present, " ", names.window, " dimensions for ",
                 names.operand, " ", operand, ", found ", dims.window.size());
  return success();
}

LogicalResult DimsChecker::checkBatching() const {
  if (dims.operandBatching.size() != dims.indicesBatching.size())
    return error("pairs ", dims.operandBatching.size(), " ",
                 names.operandBatching, " dimensions with ",
                 dims.indicesBatching.size(), " ", names.indicesBatching,
                 " dimensions");
  for (auto [mine, theirs] :
       llvm::zip(dims.operandBatching, dims.indicesBatching))
    if (!areCompatible(operand.getDimSize(mine), indices.getDimSize(theirs)))
      return error("batching dimensions ", mine, " of ", operand, " and ",
                   theirs, " of ", indices, " differ in size");
  return success();
}

LogicalResult DimsChecker::checkIndexVectors() const {
  int64_t dim = dims.indexVectorDim;
  if (dim < 0 || dim > indices.getRank())
    return error("index_vector_dim ", dim, " is neither a dimension of ",
                 names.indices, " ", indices, " nor its rank");
  if (llvm::is_contained(dims.indicesBatching, dim))
    return error("index_vector_dim ", dim, " is one of ", names.indicesBatching,
                 " too");
  bool isScalar = dim == indices.getRank();
  if (!isScalar && indices.isDynamicDim(dim))
    return error("index_vector_dim ", dim, " is the batch dimension of ",
                 indices);
  int64_t length = isScalar ? 1 : indices.getDimSize(dim);
  if (static_cast<int64_t>(dims.indexMap.size()) != length)
    return error("expected a ", names.indexMap, " dimension for each of ",
                 length, " components of an index vector, found ",
                 dims.indexMap.size());
  return success();
}

int64_t DimsChecker::getBatchRank() const {
  return dims.getIndicesBatch(indices.getRank()).size() + dims.window.size();
}

LogicalResult DimsChecker::checkDims() const {
  return failure(failed(checkLists()) || failed(checkIndexVectors()) ||
                 failed(checkBatching()) ||
                 failed(check(names.window, dims.window, getBatchRank())) ||
                 failed(checkSorted(names.window, dims.window)));
}

SmallVector<int64_t> DimsChecker::getBatchShape(ArrayRef<int64_t> sizes) const {
  SmallVector<int64_t> fromIndices = dims.getIndicesBatch(indices.getRank());
  SmallVector<int64_t> fromOperand = dims.getOperandWindow(operand.getRank());
  SmallVector<int64_t> shape;
  auto nextIndex = fromIndices.begin(), nextOperand = fromOperand.begin();
  for (int64_t i = 0, e = fromIndices.size() + fromOperand.size(); i < e; ++i)
    shape.push_back(llvm::is_contained(dims.window, i)
                        ? sizes[*nextOperand++]
                        : indices.getDimSize(*nextIndex++));
  return shape;
}

//===----------------------------------------------------------------------===//
// 2. Gather
//===----------------------------------------------------------------------===//

/// A slice size that stands for the whole of its dimension becomes that.
static int64_t resolveSize(int64_t size, int64_t whole) {
  return ShapedType::isDynamic(size) ? whole : size;
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &results) {
  static constexpr DimsChecker::Names names = {
      "offset_dims",           "collapsed_slice_dims",
      "operand_batching_dims", "start_indices_batching_dims",
      "start_index_map",       "operand",
      "start indices"};
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  DimsChecker checker{
      getOperationName(),
      location,
      names,
      WindowDims(adaptor.getDimensionNumbers()),
      operand,
      cast<RankedTensorType>(adaptor.getStartIndices().getType())};
  const WindowDims &dims = checker.dims;
  if (failed(checker.checkDims()))
    return failure();

  SmallVector<int64_t> sizes(adaptor.getSliceSizes());
  if (static_cast<int64_t>(sizes.size()) != operand.getRank())
    return checker.error("expected one slice size per dimension of ", operand,
                         ", found ", sizes.size());
  for (auto [i, size] : llvm::enumerate(sizes)) {
    size = resolveSize(size, operand.getDimSize(i));
    bool isWhole = ShapedType::isDynamic(size);
    if (!isWhole && (size < 0 || (!operand.isDynamicDim(i) &&
                                  size > operand.getDimSize(i))))
      return checker.error("slice size ", size, " of dimension ", i,
                           " does not fit into ", operand);
    bool isPresent = !llvm::is_contained(dims.dropped, i) &&
                     !llvm::is_contained(dims.operandBatching, i);
    if (!isPresent && (isWhole || size > 1))
      return checker.error("slice size of dimension ", i,
                           ", which the result has not, is not 0 or 1");
    if (isWhole && llvm::is_contained(dims.indexMap, i))
      return checker.error("takes the whole of dimension ", i, " of ", operand,
                           " from an index on");
  }
  results.push_back(RankedTensorType::get(checker.getBatchShape(sizes),
                                          operand.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// 2. Scatter
//===----------------------------------------------------------------------===//

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &results) {
  static constexpr DimsChecker::Names names = {"update_window_dims",
                                               "inserted_window_dims",
                                               "input_batching_dims",
                                               "scatter_indices_batching_dims",
                                               "scatter_dims_to_operand_dims",
                                               "input",
                                               "scatter indices"};
  size_t numOperands = adaptor.getOperands().size();
  if (numOperands < 3 || numOperands % 2 == 0)
    return inferError(getOperationName(), location,
                      "expected inputs, indices and as many updates as "
                      "inputs, found ",
                      numOperands, " operands");
  TypeRange inputs = adaptor.getInputs().getTypes();
  TypeRange updates = adaptor.getUpdates().getTypes();
  FailureOr<SmallVector<int64_t>> shape = mergeShapes(inputs);
  if (failed(shape))
    return inferError(getOperationName(), location,
                      "inputs differ in shape: ", inputs.front(), " and ",
                      inputs.back());
  FailureOr<SmallVector<int64_t>> batchShape = mergeShapes(updates);
  if (failed(batchShape))
    return inferError(getOperationName(), location,
                      "updates differ in shape: ", updates.front(), " and ",
                      updates.back());
  for (auto [input, update] : llvm::zip(inputs, updates))
    if (getElementTypeOrSelf(input) != getElementTypeOrSelf(update))
      return inferError(getOperationName(), location, "updates ", input,
                        " with ", update);

  Type element = getElementTypeOrSelf(inputs.front());
  DimsChecker checker{
      getOperationName(),
      location,
      names,
      WindowDims(adaptor.getScatterDimensionNumbers()),
      RankedTensorType::get(*shape, element),
      cast<RankedTensorType>(adaptor.getScatterIndices().getType())};
  const WindowDims &dims = checker.dims;
  if (failed(checker.checkDims()))
    return failure();
  if (static_cast<int64_t>(batchShape->size()) != checker.getBatchRank())
    return checker.error("expected updates of rank ", checker.getBatchRank(),
                         ", found ", updates.front());

  // What is left of the updates' dimensions counts index vectors.
  SmallVector<int64_t> windowSizes(shape->size(), 1);
  for (auto [mine, theirs] :
       llvm::zip(dims.getOperandWindow(shape->size()), dims.window)) {
    windowSizes[mine] = (*batchShape)[theirs];
    bool isKnown = !ShapedType::isDynamic(windowSizes[mine]) &&
                   !ShapedType::isDynamic((*shape)[mine]);
    if (isKnown && windowSizes[mine] > (*shape)[mine])
      return checker.error("window of updates ", updates.front(),
                           " does not fit into dimension ", mine, " of ",
                           inputs.front());
  }
  auto expected =
      RankedTensorType::get(checker.getBatchShape(windowSizes), element);
  if (!areCompatible(TypeRange(expected),
                     TypeRange(RankedTensorType::get(*batchShape, element))))
    return checker.error("expected updates in the shape of ", expected,
                         ", found ", updates.front());
  for (Type input : inputs)
    results.push_back(
        RankedTensorType::get(*shape, getElementTypeOrSelf(input)));
  return success();
}

LogicalResult ScatterOp::verifyRegions() {
  return verifyBody(*this, getUpdateComputation().front(),
                    getInputs().getTypes(), "scatter");
}
