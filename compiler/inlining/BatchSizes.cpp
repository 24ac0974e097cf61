// SPDX-License-Identifier: Apache-2.0
//===- BatchSizes.cpp - integers as functions of the batch size -----------===//

#include "compiler/inlining/BatchSizes.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

BatchSize::BatchSize(int64_t constant) : coefficients{constant} { trim(); }

BatchSize BatchSize::batch() {
  BatchSize size;
  size.coefficients = {0, 1};
  return size;
}

BatchSize BatchSize::element(Value tensor, int64_t index) {
  BatchSize size;
  size.tensor = tensor;
  size.index = index;
  return size;
}

void BatchSize::trim() {
  while (!coefficients.empty() && coefficients.back() == 0)
    coefficients.pop_back();
}

bool BatchSize::isBatch() const { return *this == batch(); }

std::optional<int64_t> BatchSize::getConstant() const {
  if (!isPolynomial() || coefficients.size() > 1)
    return std::nullopt;
  return coefficients.empty() ? 0 : coefficients.front();
}

std::optional<std::pair<Value, int64_t>> BatchSize::getElement() const {
  if (isPolynomial() || !coefficients.empty())
    return std::nullopt;
  return std::pair(tensor, index);
}

/// With b at least 1, a polynomial whose coefficients' sums from the highest
/// power on are all of one sign has that sign.
std::optional<bool> BatchSize::isNonNegative() const {
  if (!isPolynomial())
    return std::nullopt;
  bool positive = true, negative = true;
  int64_t sum = 0;
  for (int64_t coefficient : llvm::reverse(coefficients)) {
    if (llvm::AddOverflow(sum, coefficient, sum))
      return std::nullopt;
    positive &= sum >= 0;
    negative &= sum <= 0;
  }
  if (positive)
    return true;
  // Where it is 0 for a batch of one, it is not below 0 there.
  return negative && sum < 0 ? std::optional(false) : std::nullopt;
}

std::string BatchSize::toString() const {
  SmallVector<std::string> terms;
  if (tensor)
    terms.push_back("a value that is computed");
  for (size_t power = coefficients.size(); power-- > 0;) {
    int64_t coefficient = coefficients[power];
    if (coefficient == 0)
      continue;
    std::string term =
        power == 0 || coefficient != 1 ? llvm::itostr(coefficient) : "";
    for (size_t i = 0; i < power; ++i)
      term += term.empty() ? "batch" : " * batch";
    terms.push_back(term);
  }
  return terms.empty() ? "0" : llvm::join(terms, " + ");
}

namespace ps {

std::optional<BatchSize> addScaled(const BatchSize &a, const BatchSize &b,
                                   int64_t factor) {
  BatchSize sum = a;
  sum.coefficients.resize(
      std::max(a.coefficients.size(), b.coefficients.size()));
  for (auto [i, coefficient] : llvm::enumerate(b.coefficients)) {
    int64_t scaled;
    if (llvm::MulOverflow(coefficient, factor, scaled) ||
        llvm::AddOverflow(sum.coefficients[i], scaled, sum.coefficients[i]))
      return std::nullopt;
  }
  sum.trim();
  if (!b.tensor)
    return sum;
  if (!a.tensor && factor == 1) {
    sum.tensor = b.tensor;
    sum.index = b.index;
    return sum;
  }
  if (a.tensor != b.tensor || a.index != b.index || factor != -1)
    return std::nullopt;
  sum.tensor = {};
  sum.index = 0;
  return sum;
}

std::optional<BatchSize> operator+(const BatchSize &a, const BatchSize &b) {
  return addScaled(a, b, 1);
}

std::optional<BatchSize> operator-(const BatchSize &a, const BatchSize &b) {
  return addScaled(a, b, -1);
}

std::optional<BatchSize> operator*(const BatchSize &a, const BatchSize &b) {
  if (b.getConstant() == 1)
    return a;
  if (a.getConstant() == 1)
    return b;
  constexpr size_t maxSize = 8;
  size_t size = a.coefficients.size() + b.coefficients.size();
  if (!a.isPolynomial() || !b.isPolynomial() || size > maxSize)
    return std::nullopt;
  BatchSize product;
  product.coefficients.resize(size);
  for (auto [i, x] : llvm::enumerate(a.coefficients))
    for (auto [j, y] : llvm::enumerate(b.coefficients)) {
      int64_t term, &sum = product.coefficients[i + j];
      if (llvm::MulOverflow(x, y, term) || llvm::AddOverflow(sum, term, sum))
        return std::nullopt;
    }
  product.trim();
  return product;
}

/// Only what divides without a remainder, or a number by a number.
std::optional<BatchSize> operator/(const BatchSize &a, const BatchSize &b) {
  if (b.isBatch() && a.isPolynomial() && !a.coefficients.empty() &&
      a.coefficients.front() == 0) {
    BatchSize quotient = a;
    quotient.coefficients.erase(quotient.coefficients.begin());
    return quotient;
  }
  std::optional<int64_t> divisor = b.getConstant();
  if (!divisor || *divisor <= 0 || !a.isPolynomial())
    return std::nullopt;
  if (std::optional<int64_t> dividend = a.getConstant())
    return BatchSize(*dividend / *divisor);
  BatchSize quotient = a;
  for (int64_t &coefficient : quotient.coefficients) {
    if (coefficient % *divisor != 0)
      return std::nullopt;
    coefficient /= *divisor;
  }
  return quotient;
}

bool operator==(const BatchSize &a, const BatchSize &b) {
  return a.coefficients == b.coefficients && a.tensor == b.tensor &&
         a.index == b.index;
}

} // namespace ps

//===----------------------------------------------------------------------===//
// Ops on numbers
//===----------------------------------------------------------------------===//

using Result = std::optional<BatchSize>;

/// The smaller one, if it is that for every batch size.
static Result minimum(const BatchSize &a, const BatchSize &b) {
  Result difference = b - a;
  std::optional<bool> ordered =
      difference ? difference->isNonNegative() : std::nullopt;
  if (!ordered)
    return std::nullopt;
  return *ordered ? a : b;
}

static Result maximum(const BatchSize &a, const BatchSize &b) {
  Result difference = a - b;
  std::optional<bool> ordered =
      difference ? difference->isNonNegative() : std::nullopt;
  if (!ordered)
    return std::nullopt;
  return *ordered ? a : b;
}

/// 1 or 0, if the relation holds for every batch size or for none.
static Result compare(ComparisonDirection direction, const BatchSize &a,
                      const BatchSize &b) {
  auto atLeast = [](const BatchSize &x,
                    const BatchSize &y) -> std::optional<bool> {
    Result difference = x - y;
    return difference ? difference->isNonNegative() : std::nullopt;
  };
  auto negated = [](std::optional<bool> holds) -> std::optional<bool> {
    return holds ? std::optional(!*holds) : std::nullopt;
  };
  std::optional<bool> holds;
  switch (direction) {
  case ComparisonDirection::GE:
    holds = atLeast(a, b);
    break;
  case ComparisonDirection::LE:
    holds = atLeast(b, a);
    break;
  case ComparisonDirection::LT:
    holds = negated(atLeast(a, b));
    break;
  case ComparisonDirection::GT:
    holds = negated(atLeast(b, a));
    break;
  case ComparisonDirection::EQ:
  case ComparisonDirection::NE: {
    bool wantsEqual = direction == ComparisonDirection::EQ;
    if (a == b)
      holds = wantsEqual;
    else if (atLeast(a, b) == false || atLeast(b, a) == false)
      holds = !wantsEqual;
    break;
  }
  }
  return holds ? Result(BatchSize(*holds ? 1 : 0)) : std::nullopt;
}

/// What `op` makes of elements of its operands.
static Result compute(Operation *op, ArrayRef<BatchSize> x) {
  if (isa<AddOp>(op))
    return x[0] + x[1];
  if (isa<SubtractOp>(op))
    return x[0] - x[1];
  if (isa<MulOp>(op))
    return x[0] * x[1];
  if (isa<DivOp>(op))
    return x[0] / x[1];
  if (isa<NegOp>(op))
    return BatchSize(0) - x[0];
  if (isa<MaxOp, OrOp>(op))
    return maximum(x[0], x[1]);
  if (isa<MinOp, AndOp>(op))
    return minimum(x[0], x[1]);
  if (isa<ConvertOp>(op))
    return x[0];
  if (isa<ClampOp>(op)) {
    Result atLeast = maximum(x[1], x[0]);
    return atLeast ? minimum(*atLeast, x[2]) : std::nullopt;
  }
  if (auto relation = dyn_cast<CompareOp>(op))
    return compare(relation.getComparisonDirection(), x[0], x[1]);
  if (isa<SelectOp>(op)) {
    std::optional<int64_t> condition = x[0].getConstant();
    return condition ? Result(x[*condition != 0 ? 1 : 2]) : std::nullopt;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Ops on tensors
//===----------------------------------------------------------------------===//

/// Shapes have few elements.
static constexpr int64_t kMaxElements = 64;

static RankedTensorType getSmallIntegers(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  bool isSmall = type && type.hasStaticShape() && type.getRank() <= 1 &&
                 type.getNumElements() <= kMaxElements;
  return isSmall && isa<IntegerType>(type.getElementType()) ? type : nullptr;
}

static BatchSizes::Elements getElements(ConstantOp op) {
  BatchSizes::Elements elements;
  auto type = cast<IntegerType>(getElementTypeOrSelf(op.getType()));
  bool isUnsigned = type.isUnsigned() || type.isInteger(1);
  if (auto values = dyn_cast<DenseElementsAttr>(op.getValue()))
    for (const APInt &value : values.getValues<APInt>())
      elements.push_back(isUnsigned ? value.getLimitedValue(INT64_MAX)
                                    : value.getSExtValue());
  return elements;
}

std::optional<BatchSizes::Elements>
BatchSizes::evaluateElementwise(Operation *op) {
  RankedTensorType type = getSmallIntegers(op->getResult(0));
  bool isBool = type.getElementType().isInteger(1);
  // Sums of i1 are no sums, and "and" and "or" of others are on bits.
  if (isBool ? isa<AddOp, SubtractOp, ConvertOp>(op)
             : isa<AndOp, OrOp>(op) || type.getElementTypeBitWidth() < 32)
    return std::nullopt;
  int64_t count = type.getNumElements();
  SmallVector<Elements> operands;
  for (Value operand : op->getOperands()) {
    if (!getSmallIntegers(operand))
      return std::nullopt;
    operands.push_back(get(operand));
  }
  Elements results;
  for (int64_t i = 0; i < count; ++i) {
    SmallVector<BatchSize> x;
    for (const Elements &operand : operands)
      x.push_back(operand[operand.size() == 1 ? 0 : i]);
    Result result = compute(op, x);
    bool wraps = result && type.getElementType().isUnsignedInteger() &&
                 result->isNonNegative() != true;
    results.push_back(
        result && !wraps ? *result : BatchSize::element(op->getResult(0), i));
  }
  return results;
}

std::optional<BatchSizes::Elements> BatchSizes::evaluate(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return getElements(constant);
  if (auto size = dyn_cast<GetDimensionSizeOp>(op)) {
    auto type = cast<RankedTensorType>(size.getOperand().getType());
    int64_t known = type.getDimSize(size.getDimension());
    return Elements{ShapedType::isDynamic(known) ? BatchSize::batch()
                                                 : BatchSize(known)};
  }
  if (isa<ReshapeOp, BroadcastInDimOp>(op)) {
    if (!getSmallIntegers(op->getOperand(0)))
      return std::nullopt;
    Elements elements = get(op->getOperand(0));
    int64_t count = getSmallIntegers(op->getResult(0)).getNumElements();
    if (elements.size() == 1)
      elements.resize(count, elements.front());
    return elements;
  }
  if (auto joined = dyn_cast<ConcatenateOp>(op)) {
    Elements elements;
    for (Value input : joined.getInputs())
      llvm::append_range(elements, get(input));
    return elements;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    if (!getSmallIntegers(slice.getOperand()))
      return std::nullopt;
    const Elements &operand = get(slice.getOperand());
    Elements elements;
    for (int64_t i = slice.getStartIndices()[0]; i < slice.getLimitIndices()[0];
         i += slice.getStrides()[0])
      elements.push_back(operand[i]);
    return elements;
  }
  if (op->hasTrait<Elementwise>())
    return evaluateElementwise(op);
  return std::nullopt;
}

/// A value of which nothing is known has elements of its own.
const BatchSizes::Elements &BatchSizes::get(Value tensor) {
  if (auto found = known.find(tensor); found != known.end())
    return found->second;
  RankedTensorType type = getSmallIntegers(tensor);
  std::optional<Elements> elements;
  if (Operation *op = tensor.getDefiningOp(); op && type)
    elements = evaluate(op);
  if (!elements || (type && static_cast<int64_t>(elements->size()) !=
                                type.getNumElements())) {
    elements.emplace();
    for (int64_t i = 0; type && i < type.getNumElements(); ++i)
      elements->push_back(BatchSize::element(tensor, i));
  }
  return known[tensor] = std::move(*elements);
}
