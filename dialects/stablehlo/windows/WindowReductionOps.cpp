// SPDX-License-Identifier: Apache-2.0
//===- WindowReductionOps.cpp - reductions of windows ---------------------===//
//
// Result types and verifiers of reduce_window and select_and_scatter, whose
// windows have one axis per dimension.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/Inference.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stablehlo;

namespace {

/// The attributes of either op.
struct WindowAttributes {
  std::optional<ArrayRef<int64_t>> sizes, strides, baseDilations,
      windowDilations;
  std::optional<DenseIntElementsAttr> padding;

  SmallVector<WindowAxis> getAxes(int64_t rank) const;
  /// Checks that there is one entry per dimension, and what entries are.
  LogicalResult check(StringRef opName, std::optional<Location> location,
                      int64_t rank) const;
};

} // namespace

SmallVector<WindowAxis> WindowAttributes::getAxes(int64_t rank) const {
  SmallVector<WindowAxis> axes(rank);
  SmallVector<int64_t> pads(2 * rank);
  if (padding)
    pads.assign(padding->getValues<int64_t>().begin(),
                padding->getValues<int64_t>().end());
  auto pick = [](std::optional<ArrayRef<int64_t>> list, size_t i) {
    return list ? (*list)[i] : 1;
  };
  for (auto [i, axis] : llvm::enumerate(axes)) {
    axis.size = pick(sizes, i);
    axis.stride = pick(strides, i);
    axis.low = pads[2 * i];
    axis.high = pads[2 * i + 1];
    axis.baseDilation = pick(baseDilations, i);
    axis.dilation = pick(windowDilations, i);
  }
  return axes;
}

LogicalResult WindowAttributes::check(StringRef opName,
                                      std::optional<Location> location,
                                      int64_t rank) const {
  for (auto [what, list] :
       {std::pair("window size", sizes), std::pair("window stride", strides),
        std::pair("base dilation", baseDilations),
        std::pair("window dilation", windowDilations)}) {
    if (!list)
      continue;
    if (static_cast<int64_t>(list->size()) != rank)
      return inferError(opName, location, "expected a ", what, " for each of ",
                        rank, " dimensions, found ", list->size());
    if (llvm::any_of(*list, [](int64_t entry) { return entry <= 0; }))
      return inferError(opName, location, "expected a positive ", what);
  }
  int64_t count = 1;
  for (int64_t size : sizes.value_or(ArrayRef<int64_t>()))
    if (llvm::MulOverflow(count, size, count))
      return inferError(opName, location,
                        "has windows of more elements than "
                        "memory can hold");
  if (padding && padding->getType().getShape() != ArrayRef<int64_t>({rank, 2}))
    return inferError(opName, location, "expected a padding of type tensor<",
                      rank, "x2xi64>, found ", padding->getType());
  return success();
}

/// The sizes of a result with an element for each place of the windows on
/// `base`.
static FailureOr<SmallVector<int64_t>>
inferPlaces(StringRef opName, std::optional<Location> location,
            RankedTensorType base, ArrayRef<WindowAxis> window) {
  SmallVector<int64_t> shape;
  for (auto [i, axis] : llvm::enumerate(window)) {
    if (base.isDynamicDim(i)) {
      if (axis.size != 1 || !axis.isPlain())
        return inferError(opName, location,
                          "expected windows of one element "
                          "along the batch dimension ",
                          i, " of ", base);
      shape.push_back(base.getDimSize(i));
      continue;
    }
    std::optional<int64_t> places = axis.countPlaces(base.getDimSize(i));
    if (!places)
      return inferError(opName, location, "pads or dilates dimension ", i,
                        " of ", base, " to an impossible size");
    shape.push_back(*places);
  }
  return shape;
}

static SmallVector<int64_t> gather(ArrayRef<WindowAxis> window,
                                   int64_t WindowAxis::*member) {
  return llvm::map_to_vector(
      window, [&](const WindowAxis &axis) { return axis.*member; });
}

static DenseIntElementsAttr getPadding(OpBuilder &builder,
                                       ArrayRef<WindowAxis> window) {
  SmallVector<int64_t> pads;
  for (const WindowAxis &axis : window)
    llvm::append_values(pads, axis.low, axis.high);
  int64_t rank = window.size();
  return DenseIntElementsAttr::get(
      RankedTensorType::get({rank, 2}, builder.getI64Type()), pads);
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

template <typename OpT>
static WindowAttributes getReducedWindow(OpT op) {
  return {op.getWindowDimensions(), op.getWindowStrides(),
          op.getBaseDilations(), op.getWindowDilations(), op.getPadding()};
}

SmallVector<WindowAxis> ReduceWindowOp::getWindow() {
  return getReducedWindow(*this).getAxes(getWindowDimensions().size());
}

void ReduceWindowOp::build(OpBuilder &builder, OperationState &state,
                           Type result, Value input, Value init,
                           ArrayRef<WindowAxis> window) {
  build(builder, state, result, ValueRange(input), ValueRange(init),
        gather(window, &WindowAxis::size),
        builder.getDenseI64ArrayAttr(gather(window, &WindowAxis::stride)),
        builder.getDenseI64ArrayAttr(gather(window, &WindowAxis::baseDilation)),
        builder.getDenseI64ArrayAttr(gather(window, &WindowAxis::dilation)),
        ::getPadding(builder, window));
}

LogicalResult ReduceWindowOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> location,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &results) {
  TypeRange inputs = adaptor.getInputs().getTypes();
  if (inputs.empty())
    return inferError(getOperationName(), location,
                      "expected at least one input");
  FailureOr<SmallVector<int64_t>> base = mergeShapes(inputs);
  if (failed(base))
    return inferError(getOperationName(), location,
                      "inputs differ in shape: ", inputs.front(), " and ",
                      inputs.back());
  WindowAttributes attributes = getReducedWindow(adaptor);
  const int64_t rank = base->size();
  if (failed(attributes.check(getOperationName(), location, rank)))
    return failure();
  FailureOr<SmallVector<int64_t>> shape = inferPlaces(
      getOperationName(), location,
      RankedTensorType::get(*base, getElementTypeOrSelf(inputs.front())),
      attributes.getAxes(rank));
  if (failed(shape))
    return failure();
  for (auto [input, init] :
       llvm::zip(inputs, adaptor.getInitValues().getTypes())) {
    Type element = getElementTypeOrSelf(input);
    if (getElementTypeOrSelf(init) != element)
      return inferError(getOperationName(), location, "starts a reduction of ",
                        input, " from ", init);
    results.push_back(RankedTensorType::get(*shape, element));
  }
  return success();
}

LogicalResult ReduceWindowOp::verifyRegions() {
  return verifyBody(*this, getBody().front(), getInputs().getTypes(),
                    "reduce_window");
}

//===----------------------------------------------------------------------===//
// select_and_scatter
//===----------------------------------------------------------------------===//

template <typename OpT>
static WindowAttributes getSelectedWindow(OpT op) {
  return {op.getWindowDimensions(), op.getWindowStrides(), std::nullopt,
          std::nullopt, op.getPadding()};
}

SmallVector<WindowAxis> SelectAndScatterOp::getWindow() {
  return getSelectedWindow(*this).getAxes(
      cast<RankedTensorType>(getOperand().getType()).getRank());
}

void SelectAndScatterOp::build(OpBuilder &builder, OperationState &state,
                               Value operand, Value source, Value init,
                               ArrayRef<WindowAxis> window) {
  build(builder, state, operand.getType(), operand, source, init,
        builder.getDenseI64ArrayAttr(gather(window, &WindowAxis::size)),
        builder.getDenseI64ArrayAttr(gather(window, &WindowAxis::stride)),
        ::getPadding(builder, window));
}

LogicalResult SelectAndScatterOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  auto source = cast<RankedTensorType>(adaptor.getSource().getType());
  WindowAttributes attributes = getSelectedWindow(adaptor);
  if (failed(attributes.check(getOperationName(), location, operand.getRank())))
    return failure();
  FailureOr<SmallVector<int64_t>> shape =
      inferPlaces(getOperationName(), location, operand,
                  attributes.getAxes(operand.getRank()));
  if (failed(shape))
    return failure();
  auto expected = RankedTensorType::get(*shape, operand.getElementType());
  if (!areCompatible(TypeRange(expected), TypeRange(source)))
    return inferError(getOperationName(), location,
                      "expected a source of type ", expected, ", found ",
                      source);
  results.push_back(operand);
  return success();
}

LogicalResult SelectAndScatterOp::verifyRegions() {
  Type operand = getOperand().getType();
  Type choice = IntegerType::get(getContext(), 1);
  return failure(failed(verifyPairBody(*this, getSelect().front(), operand,
                                       choice, "select_and_scatter")) ||
                 failed(verifyPairBody(*this, getScatter().front(), operand,
                                       operand, "select_and_scatter")));
}
