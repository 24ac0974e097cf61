// SPDX-License-Identifier: Apache-2.0
//===- ProductEpilogues.cpp - kernels that are part of a product ----------===//
//
// From the result back to the arguments:
//  1. Take off the activation: the maximum with 0, or the tanh form of GELU.
//     A select is no maximum: it turns NaN into 0.
//  2. Take off the bias: an argument that is the same in every row.
//  3. What is left must be the product, as it is.
//
// Products of factors are compared as sets, with one constant, since how a
// graph associates them is of no concern.
//
//===----------------------------------------------------------------------===//

#include "compiler/exec/ProductEpilogues.h"
#include "dialects/stablehlo/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace ps;
using namespace stablehlo;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// x where `value` is the maximum of x and 0; null if it is not.
static Value matchRelu(Value value) {
  auto max = value.getDefiningOp<MaxOp>();
  if (!max)
    return {};
  auto isZero = [](Value operand) {
    std::optional<double> number = getNumber(operand);
    return number && *number == 0 && !std::signbit(*number);
  };
  if (isZero(max.getRhs()))
    return max.getLhs();
  return isZero(max.getLhs()) ? max.getRhs() : Value();
}

namespace {
/// A product: a constant and other factors.
struct Factors {
  double constant = 1;
  SmallVector<Value> others;
};
} // namespace

static void addFactors(Value value, Factors &factors) {
  if (auto multiply = value.getDefiningOp<MulOp>()) {
    addFactors(multiply.getLhs(), factors);
    addFactors(multiply.getRhs(), factors);
  } else if (std::optional<double> number = getNumber(value)) {
    factors.constant *= *number;
  } else {
    factors.others.push_back(value);
  }
}

static Factors getFactors(Value value) {
  Factors factors;
  addFactors(value, factors);
  return factors;
}

/// Whether both are one constant, rounded to f32 once or twice.
static bool isConstant(double actual, double expected) {
  return std::abs(actual - expected) <= 2e-7 * std::abs(expected);
}

/// The other operand of an addition to `operand`; null if `value` is none.
static Value matchSumWith(Value value, function_ref<bool(Value)> isOperand) {
  auto add = value.getDefiningOp<AddOp>();
  if (!add)
    return {};
  if (isOperand(add.getLhs()))
    return add.getRhs();
  return isOperand(add.getRhs()) ? add.getLhs() : Value();
}

/// Whether `value` is sqrt(2 / pi) (x + 0.044715 x^3).
static bool isGeluArgument(Value value, Value x) {
  constexpr double rootOfTwoByPi = 0.79788456080286535588, cubic = 0.044715;
  Factors factors = getFactors(value);
  if (!isConstant(factors.constant, rootOfTwoByPi) ||
      factors.others.size() != 1)
    return false;
  Value rest = matchSumWith(factors.others.front(),
                            [&](Value operand) { return operand == x; });
  if (!rest)
    return false;
  Factors cube = getFactors(rest);
  return isConstant(cube.constant, cubic) && cube.others.size() == 3 &&
         llvm::all_of(cube.others, [&](Value factor) { return factor == x; });
}

/// x where `value` is x / 2 (1 + tanh(..x..)); null if it is not.
static Value matchGelu(Value value) {
  Factors factors = getFactors(value);
  if (factors.constant != 0.5 || factors.others.size() != 2)
    return {};
  auto isOne = [](Value operand) { return getNumber(operand) == 1.0; };
  for (auto [x, sum] : {std::pair(factors.others[0], factors.others[1]),
                        std::pair(factors.others[1], factors.others[0])}) {
    Value summand = matchSumWith(sum, isOne);
    auto tanh = summand ? summand.getDefiningOp<TanhOp>() : TanhOp();
    if (tanh && isGeluArgument(tanh.getOperand(), x))
      return x;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Bias
//===----------------------------------------------------------------------===//

/// Which dimension of a row each dimension of `reshape`'s operand is, from that
/// of its result: only dimensions of one element come and go. False if others
/// change.
static bool followReshape(ReshapeOp reshape, SmallVector<int64_t> &dims) {
  SmallVector<std::pair<int64_t, int64_t>> kept; // size and dimension
  for (auto [size, dim] : llvm::zip_equal(typeOf(reshape).getShape(), dims))
    if (size != 1)
      kept.push_back({size, dim});
  ArrayRef<int64_t> shape = typeOf(reshape.getOperand()).getShape();
  dims.assign(shape.size(), -1);
  size_t next = 0;
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (size == 1)
      continue;
    if (next == kept.size() || kept[next].first != size)
      return false;
    dims[i] = kept[next++].second;
  }
  return next == kept.size();
}

/// The argument whose elements, in their order, are every row of `value`; null
/// if there is none.
static BlockArgument matchRow(Value value) {
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  // For each dimension of what is looked at, its dimension in `value`.
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  while (Operation *op = value.getDefiningOp()) {
    if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
      SmallVector<int64_t> outer = std::move(dims);
      dims.clear();
      for (int64_t dim : broadcast.getBroadcastDimensions())
        dims.push_back(outer[dim]);
      value = broadcast.getOperand();
    } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      if (!followReshape(reshape, dims))
        return {};
      value = reshape.getOperand();
    } else {
      return {};
    }
  }
  int64_t next = 1;
  for (auto [size, dim] : llvm::zip_equal(typeOf(value).getShape(), dims)) {
    if (size == 1)
      continue; // repeated
    while (next < int64_t(shape.size()) && shape[next] == 1)
      ++next;
    if (dim != next || shape[dim] != size)
      return {};
    ++next;
  }
  bool isWhole =
      llvm::all_of(shape.drop_front(std::min<size_t>(next, shape.size())),
                   [](int64_t size) { return size == 1; });
  return isWhole ? dyn_cast<BlockArgument>(value) : BlockArgument();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static exec::Epilogue getKind(bool hasBias, bool isRelu, bool isGelu) {
  using exec::Epilogue;
  if (isRelu)
    return hasBias ? Epilogue::BiasRelu : Epilogue::Relu;
  if (isGelu)
    return hasBias ? Epilogue::BiasGelu : Epilogue::Gelu;
  return Epilogue::Bias;
}

std::optional<MatchedEpilogue> ps::matchEpilogue(func::FuncOp kernel) {
  if (kernel.isDeclaration() || kernel.getNumResults() != 1)
    return std::nullopt;
  Value value = kernel.front().getTerminator()->getOperand(0);
  RankedTensorType type = typeOf(value);
  if (type.getRank() == 0 || !type.getElementType().isF32())
    return std::nullopt;
  Value relu = matchRelu(value), gelu = relu ? Value() : matchGelu(value);
  value = relu ? relu : gelu ? gelu : value;
  BlockArgument bias;
  auto isBias = [&](Value operand) {
    if (isa<BlockArgument>(operand))
      return false; // the product, or what is added to each of its elements
    bias = matchRow(operand);
    return static_cast<bool>(bias);
  };
  if (Value sum = matchSumWith(value, isBias))
    value = sum;
  auto product = dyn_cast<BlockArgument>(value);
  if (!product || product.getType() != type || (!bias && !relu && !gelu) ||
      kernel.getNumArguments() != (bias ? 2 : 1))
    return std::nullopt;
  MatchedEpilogue matched{getKind(static_cast<bool>(bias),
                                  static_cast<bool>(relu),
                                  static_cast<bool>(gelu)),
                          product.getArgNumber(), std::nullopt};
  if (bias)
    matched.bias = bias.getArgNumber();
  return matched;
}

bool ps::sumsColumns(func::FuncOp kernel, int64_t rows) {
  if (kernel.isDeclaration() || kernel.getNumResults() != 1 ||
      kernel.getNumArguments() != 1)
    return false;
  Value value = kernel.front().getTerminator()->getOperand(0);
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  auto reduce = value.getDefiningOp<ReduceOp>();
  if (!reduce || reduce.getInputs().size() != 1 ||
      reduce.getInputs().front() != kernel.getArgument(0) ||
      !isa_and_nonnull<AddOp>(getCombiner(reduce.getBody().front())) ||
      getNumber(reduce.getInitValues().front()) != 0.0)
    return false;
  RankedTensorType type = typeOf(kernel.getArgument(0));
  if (!type.getElementType().isF32() || !type.hasStaticShape())
    return false;
  // In any order: they are the leading ones if there are as many.
  auto dims = llvm::to_vector(reduce.getDimensions());
  int64_t summed = 1;
  for (int64_t dim : dims)
    if (dim >= int64_t(dims.size()))
      return false;
    else
      summed *= type.getDimSize(dim);
  return summed == rows;
}
