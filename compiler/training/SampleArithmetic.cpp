// SPDX-License-Identifier: Apache-2.0
//===- SampleArithmetic.cpp - use of samples by sums and products ---------===//
//
// A function of one sample stays one under any elementwise op. A sum over
// samples stays one only under what is linear: then it is the sum of what each
// sample contributes.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/SampleRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ps;

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// Whether `op` gives B^n times its result for B^n times its operand.
static bool keepsFactor(Operation *op) {
  if (auto convert = dyn_cast<stablehlo::ConvertOp>(op))
    return isa<FloatType>(convert.getType().getElementType()) ||
           isa<IntegerType>(
               cast<RankedTensorType>(convert.getOperand().getType())
                   .getElementType());
  return isa<stablehlo::NegOp, stablehlo::AbsOp>(op);
}

/// Whether `op` divides integers, which drops what is left.
static bool dropsRest(Operation *op) {
  return isa<stablehlo::DivOp>(op) &&
         !isa<FloatType>(cast<RankedTensorType>(op->getResult(0).getType())
                             .getElementType());
}

/// Whether `op` adds up its input from 0 on; on i1, adding is logical or.
static bool isSum(stablehlo::ReduceOp op, const SampleUse &initial) {
  return isa_and_nonnull<stablehlo::AddOp>(op.getSimpleBody()) &&
         initial.isZero() &&
         !cast<RankedTensorType>(op.getInputs()[0].getType())
              .getElementType()
              .isInteger(1);
}

/// The lowest and the highest power of B of an elementwise op, or nothing where
/// operands grow differently with the batch size. `shape` is the result's where
/// that holds samples.
std::optional<std::pair<int64_t, int64_t>>
SampleRules::powersOf(Operation *op, ArrayRef<int64_t> shape) {
  SmallVector<SampleUse> uses;
  for (Value operand : op->getOperands())
    uses.push_back(withBatchConstants(get(operand), shape));
  if (isa<stablehlo::MulOp>(op))
    return std::pair(uses[0].leastPower + uses[1].leastPower,
                     uses[0].power + uses[1].power);
  if (isa<stablehlo::DivOp>(op) && !dropsRest(op)) {
    const std::optional<double> divisor = uses[1].value;
    const bool mayBeBatch = divisor && dividesByBatch(*divisor, shape);
    return std::pair(uses[0].leastPower - uses[1].power - mayBeBatch,
                     uses[0].power - uses[1].power);
  }
  if (isa<stablehlo::SelectOp>(op))
    return commonDegree(ArrayRef(uses).drop_front());
  if (keepsFactor(op) || isa<stablehlo::AddOp, stablehlo::SubtractOp,
                             stablehlo::MaxOp, stablehlo::MinOp>(op))
    return commonDegree(uses);
  std::pair<int64_t, int64_t> none(0, 0);
  if (isa<stablehlo::CompareOp, stablehlo::SignOp, stablehlo::IsFiniteOp>(op))
    return commonDegree(uses) ? std::optional(none) : std::nullopt;
  for (const SampleUse &use : uses)
    if (use.power != 0)
      return std::nullopt;
  return none;
}

/// The value of `op` on known numbers, as far as it matters to divisors.
static std::optional<double> evaluate(Operation *op,
                                      ArrayRef<SampleUse> operands) {
  for (const SampleUse &operand : operands)
    if (!operand.value)
      return std::nullopt;
  const double first = *operands[0].value;
  const bool isFloat = isa<FloatType>(
      cast<RankedTensorType>(op->getResult(0).getType()).getElementType());
  if (isa<stablehlo::ConvertOp>(op) && keepsFactor(op))
    return first;
  if (isa<stablehlo::NegOp>(op))
    return -first;
  if (operands.size() != 2)
    return std::nullopt;
  const double second = *operands[1].value;
  if (isa<stablehlo::AddOp>(op))
    return first + second;
  if (isa<stablehlo::SubtractOp>(op))
    return first - second;
  if (isa<stablehlo::MulOp>(op))
    return first * second;
  if (isa<stablehlo::DivOp>(op) && isFloat)
    return first / second;
  return std::nullopt;
}

/// Whether `condition` is "an index is less than 0".
static bool isNever(Value condition, const SampleUse &lhs,
                    const SampleUse &rhs) {
  auto compare = condition.getDefiningOp<stablehlo::CompareOp>();
  return compare && lhs.index && rhs.isZero() &&
         compare.getComparisonDirection() == stablehlo::ComparisonDirection::LT;
}

/// Dispatches on what the operands are: constants only, sums (then the op must
/// be linear), or samples.
SampleUse SampleRules::elementwise(Operation *op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  if (allConstant(op))
    return elementwiseConstants(op);
  if (llvm::any_of(op->getOperands(),
                   [&](Value operand) { return get(operand).isSum(); }))
    return elementwiseSums(op);
  return elementwiseSamples(op);
}

SampleUse SampleRules::elementwiseConstants(Operation *op) {
  // Frameworks count negative indices from the end, also in an iota.
  if (auto select = dyn_cast<stablehlo::SelectOp>(op))
    if (auto compare = select.getPred().getDefiningOp<stablehlo::CompareOp>())
      if (isNever(compare, get(compare.getLhs()), get(compare.getRhs())))
        return get(select.getOnFalse());
  SmallVector<SampleUse> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return get(operand); });
  SmallVector<int64_t> shape = sizesOf(op->getResult(0));
  // The shape is used to recognize divisors B * n; the batch itself is not one
  // of the n.
  // One of them may become the batch, or hold it.
  auto found = llvm::find(shape, batch);
  if (found == shape.end())
    found =
        llvm::find_if(shape, [&](int64_t size) { return size % batch == 0; });
  if (found != shape.end())
    *found /= batch;
  auto powers = powersOf(op, shape);
  if (!powers)
    return mixed(op, "depends on the size of the batch");
  SampleUse use;
  std::tie(use.leastPower, use.power) = *powers;
  use.varying.resize(
      cast<RankedTensorType>(op->getResult(0).getType()).getRank());
  for (const SampleUse &operand : operands)
    use.varying |= operand.varying;
  use.value = evaluate(op, operands);
  if (isa<stablehlo::ConvertOp>(op) && keepsFactor(op))
    use.index = operands[0].index;
  return use;
}

/// Elements meet those of the same index, so all operands must have the samples
/// in the same place, and constants must not differ along it.
SampleUse SampleRules::elementwiseSamples(Operation *op) {
  const SampleUse *first = nullptr;
  for (Value operand : op->getOperands())
    if (const SampleUse &use = get(operand); use.isPerSample() && !first)
      first = &use;
  for (Value operand : op->getOperands()) {
    const SampleUse &use = get(operand);
    if (use.isPerSample() &&
        (use.dim != first->dim || use.inner != first->inner))
      return mixed(op, "pairs different samples of the batch");
    if (use.isConstant() && !isUniform(use, first->dim))
      return mixed(op, "depends on the position of a sample in the batch");
  }
  SmallVector<int64_t> shape = sizesOf(op->getResult(0));
  shape.erase(shape.begin() + first->dim);
  shape.push_back(first->inner);
  llvm::append_range(shape, first->folded);
  auto powers = powersOf(op, shape);
  if (!powers)
    return mixed(op, "depends on the size of the batch");
  SampleUse use = perSample(first->dim, first->inner, *first);
  std::tie(use.leastPower, use.power) = *powers;
  if (isa<stablehlo::ConvertOp>(op) && keepsFactor(op))
    use.place = first->place;
  return use;
}

/// `sum` times, or divided by, `factor`.
SampleUse SampleRules::product(Operation *op, Value sum, Value factor,
                               bool divides) {
  const SampleUse &by = get(factor);
  SampleUse use = get(sum);
  if (!by.isConstant())
    return mixed(op, by.isSum() ? divides ? "divides by a sum over samples"
                                          : "multiplies sums over samples"
                                : "combines each sample with a sum over "
                                  "samples");
  if (!use.isSum())
    return mixed(op, "divides by a sum over samples");
  const int64_t sign = divides ? -1 : 1;
  use.leastPower += sign * (divides ? by.power : by.leastPower);
  use.power += sign * by.power;
  // Here, and only here, a constant is surely that of a fixed batch; that of
  // a batch of one may also be none.
  if (use.power == 0 && by.value && *by.value != 0 &&
      dividesByBatch(divides ? *by.value : 1 / *by.value, use.folded)) {
    --use.leastPower;
    use.power -= batch != 1;
  }
  return use;
}

/// Products with constants and sums of equal degree are linear; everything else
/// is not a sum over samples any more.
SampleUse SampleRules::elementwiseSums(Operation *op) {
  if (auto multiply = dyn_cast<stablehlo::MulOp>(op)) {
    Value lhs = multiply.getLhs(), rhs = multiply.getRhs();
    return get(lhs).isSum() ? product(op, lhs, rhs, /*divides=*/false)
                            : product(op, rhs, lhs, /*divides=*/false);
  }
  if (auto divide = dyn_cast<stablehlo::DivOp>(op); divide && !dropsRest(op))
    return product(op, divide.getLhs(), divide.getRhs(), /*divides=*/true);
  SmallVector<SampleUse> terms = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return get(operand); });
  if (isa<stablehlo::SelectOp>(op) && terms.front().isConstant())
    terms.erase(terms.begin());
  else if (!isa<stablehlo::AddOp, stablehlo::SubtractOp, stablehlo::NegOp>(
               op) &&
           !(isa<stablehlo::ConvertOp>(op) && keepsFactor(op)))
    return mixed(op, "is not linear in a sum over samples");
  for (const SampleUse &term : terms)
    if (!term.isAdditive())
      return mixed(op, "combines each sample with a sum over samples");
  auto degree = commonDegree(terms);
  if (!degree)
    return mixed(op,
                 "adds values that grow differently with the batch size, as a "
                 "sum over samples and a mean do");
  SampleUse use =
      *llvm::find_if(terms, [](const SampleUse &term) { return term.isSum(); });
  use.leastPower = degree->first - 1;
  use.power = degree->second - 1;
  return use;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// All inputs of a reduce meet in its body, so they are checked together.
SampleUse SampleRules::reduce(stablehlo::ReduceOp op, unsigned number) {
  const SampleUse *samples = nullptr, *sum = nullptr;
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  for (Value input : op.getInputs()) {
    const SampleUse &use = get(input);
    samples = use.isPerSample() && !samples ? &use : samples;
    sum = use.isSum() && !sum ? &use : sum;
  }
  for (Value initial : op.getInitValues())
    if (!get(initial).isConstant())
      return mixed(op, "starts from a value that depends on samples");
  const bool adds = isSum(op, get(op.getInitValues()[0]));
  if (sum) {
    if (!adds)
      return mixed(op, "is not linear in a sum over samples");
    SampleUse use = *sum;
    for (int64_t dim : op.getDimensions())
      fold(use, sizesOf(op.getInputs()[0])[dim]);
    return use;
  }
  if (!samples)
    return reduceConstant(op, get(op.getInputs()[number]));
  for (Value input : op.getInputs()) {
    const SampleUse &use = get(input);
    if (use.isPerSample()
            ? use.dim != samples->dim || use.inner != samples->inner
            : !isUniform(use, samples->dim))
      return mixed(op, "depends on the position of a sample in the batch");
  }
  return reduceSamples(op, *samples);
}

/// Summing a uniform constant along `?` multiplies it by B; any other reduction
/// along `?` depends on the batch size in a way that powers cannot express.
SampleUse SampleRules::reduceConstant(stablehlo::ReduceOp op,
                                      const SampleUse &input) {
  auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
  Operation *body = op.getSimpleBody();
  SampleUse use;
  use.power = input.power;
  use.leastPower = input.leastPower;
  for (int64_t dim = 0; dim != type.getRank(); ++dim) {
    if (!llvm::is_contained(op.getDimensions(), dim)) {
      use.varying.push_back(!isUniform(input, dim));
      continue;
    }
    if (!type.isDynamicDim(dim))
      continue;
    const bool adds = isSum(op, get(op.getInitValues()[0]));
    if (!adds || !isUniform(input, dim))
      return mixed(op, "depends on the size of the batch");
    ++use.power;
    ++use.leastPower;
  }
  if (use.power != 0 && !isa_and_nonnull<stablehlo::AddOp>(body))
    return mixed(op, "depends on the size of the batch");
  return use;
}

/// Reducing other dimensions keeps the samples apart; reducing theirs must be a
/// sum.
SampleUse SampleRules::reduceSamples(stablehlo::ReduceOp op,
                                     const SampleUse &input) {
  SmallVector<int64_t> sizes = sizesOf(op.getInputs()[0]);
  Operation *body = op.getSimpleBody();
  const bool adds = isSum(op, get(op.getInitValues()[0]));
  SampleUse use = input;
  use.place.reset();
  if (input.power != 0 && !adds)
    return mixed(op, "depends on the size of the batch");
  int64_t before = 0;
  for (int64_t dim : op.getDimensions()) {
    before += dim < input.dim;
    fold(use, dim == input.dim ? sizes[dim] / batch : sizes[dim]);
  }
  if (!llvm::is_contained(op.getDimensions(), input.dim)) {
    use.dim -= before;
    return use;
  }
  if (!body)
    return mixed(op, "folds the samples of the batch by more than a sum");
  if (!adds)
    return mixed(op, "folds the samples of the batch by '" +
                         body->getName().getStringRef() +
                         (isa<stablehlo::AddOp>(body)
                              ? "' from a value that is not 0"
                              : "', not by a sum"));
  return sumOf(use, op);
}

//===----------------------------------------------------------------------===//
// Products of tensors
//===----------------------------------------------------------------------===//

namespace {
/// Where dimensions of one side of a dot_general go.
struct DotSide {
  ArrayRef<int64_t> batching, contracting, otherBatching, otherContracting;
  /// The result's dimension of the first that is neither.
  int64_t firstFree;

  DotSide(stablehlo::DotGeneralOp op, bool isLhs) {
    auto dims = op.getDotDimensionNumbers();
    batching = dims.getLhsBatchingDimensions();
    contracting = dims.getLhsContractingDimensions();
    otherBatching = dims.getRhsBatchingDimensions();
    otherContracting = dims.getRhsContractingDimensions();
    firstFree = batching.size();
    if (isLhs)
      return;
    int64_t rank = cast<RankedTensorType>(op.getLhs().getType()).getRank();
    firstFree = rank - contracting.size();
    std::swap(batching, otherBatching);
    std::swap(contracting, otherContracting);
  }

  /// The result's dimension of `dim`, which is not contracted.
  int64_t getResultDim(int64_t dim) const {
    if (auto index = indexOf(batching, dim))
      return *index;
    int64_t before = 0;
    for (int64_t other = 0; other != dim; ++other)
      before += !llvm::is_contained(batching, other) &&
                !llvm::is_contained(contracting, other);
    return firstFree + before;
  }
};
} // namespace

/// A product of tensors multiplies and then sums over the contracted
/// dimensions: a sum over samples if these include the batch.
SampleUse SampleRules::dot(stablehlo::DotGeneralOp op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  const SampleUse &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  if (lhs.isConstant() && rhs.isConstant()) {
    DotSide side(op, /*isLhs=*/true);
    SmallVector<int64_t> shape(
        cast<RankedTensorType>(op.getLhs().getType()).getShape());
    for (int64_t dim : side.contracting)
      if (ShapedType::isDynamic(shape[dim]))
        return mixed(op, "depends on the size of the batch");
    return dotConstants(op);
  }
  if (lhs.isPerSample() && rhs.isPerSample())
    return dotPairs(op);
  if (lhs.isPerSample() && rhs.isConstant())
    return dotSamples(op, /*samplesAreLhs=*/true);
  if (lhs.isConstant() && rhs.isPerSample())
    return dotSamples(op, /*samplesAreLhs=*/false);
  if (!lhs.isAdditive() || !rhs.isAdditive())
    return mixed(op, "combines each sample with a sum over samples");
  if (lhs.isSum() && rhs.isSum())
    return mixed(op, "multiplies sums over samples");
  SampleUse use = lhs.isSum() ? lhs : rhs;
  const SampleUse &factor = lhs.isSum() ? rhs : lhs;
  use.power += factor.power;
  use.leastPower += factor.leastPower;
  return use;
}

/// The result varies along the dimensions along which an operand does.
SampleUse SampleRules::dotConstants(stablehlo::DotGeneralOp op) {
  const SampleUse &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  SampleUse use = anyConstant(op.getType());
  use.power = lhs.power + rhs.power;
  use.leastPower = lhs.leastPower + rhs.leastPower;
  for (bool isLhs : {true, false}) {
    DotSide side(op, isLhs);
    const SampleUse &own = isLhs ? lhs : rhs, &other = isLhs ? rhs : lhs;
    Value operand = isLhs ? op.getLhs() : op.getRhs();
    const int64_t rank = cast<RankedTensorType>(operand.getType()).getRank();
    for (int64_t dim = 0; dim != rank; ++dim) {
      auto pair = indexOf(side.batching, dim);
      if (!llvm::is_contained(side.contracting, dim) && isUniform(own, dim) &&
          (!pair || isUniform(other, side.otherBatching[*pair])))
        use.varying.reset(side.getResultDim(dim));
    }
  }
  return use;
}

/// Samples with a constant.
SampleUse SampleRules::dotSamples(stablehlo::DotGeneralOp op,
                                  bool samplesAreLhs) {
  const SampleUse &samples = get(samplesAreLhs ? op.getLhs() : op.getRhs());
  SampleUse factor = withBatchConstants(
      get(samplesAreLhs ? op.getRhs() : op.getLhs()), samples.folded);
  DotSide side(op, samplesAreLhs);
  SampleUse use = perSample(samples.dim, samples.inner, samples);
  use.power += factor.power;
  use.leastPower += factor.leastPower;
  if (auto index = indexOf(side.contracting, samples.dim)) {
    if (!isUniform(factor, side.otherContracting[*index]))
      return mixed(op, "depends on the position of a sample in the batch");
    return sumOf(use, op);
  }
  if (auto index = indexOf(side.batching, samples.dim))
    if (!isUniform(factor, side.otherBatching[*index]))
      return mixed(op, "depends on the position of a sample in the batch");
  use.dim = side.getResultDim(samples.dim);
  return use;
}

/// Samples with samples.
SampleUse SampleRules::dotPairs(stablehlo::DotGeneralOp op) {
  const SampleUse &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  DotSide side(op, /*isLhs=*/true);
  SampleUse use = perSample(lhs.dim, lhs.inner, lhs);
  use.power += rhs.power;
  use.leastPower += rhs.leastPower;
  if (lhs.inner == rhs.inner) {
    auto batching = indexOf(side.batching, lhs.dim);
    if (batching && side.otherBatching[*batching] == rhs.dim) {
      use.dim = *batching;
      return use;
    }
    auto contracting = indexOf(side.contracting, lhs.dim);
    if (contracting && side.otherContracting[*contracting] == rhs.dim)
      return sumOf(use, op);
  }
  return mixed(op, "multiplies each sample with the others of the batch");
}

//===----------------------------------------------------------------------===//
// Triangular matrices
//===----------------------------------------------------------------------===//

/// Each matrix is factored by itself.
SampleUse SampleRules::cholesky(stablehlo::CholeskyOp op) {
  const SampleUse &use = get(op.getA());
  if (use.isMixed())
    return use;
  if (use.isSum() || use.power != 0 || use.leastPower != 0)
    return mixed(op, "is not linear in what depends on all samples");
  if (use.isConstant())
    return anyConstant(op.getType());
  if (use.dim >= op.getType().getRank() - 2)
    return mixed(op, "combines the samples of the batch");
  return perSample(use.dim, use.inner, use);
}

/// The solution is linear in the right side, whose vectors do not depend on
/// each other.
SampleUse SampleRules::triangularSolve(stablehlo::TriangularSolveOp op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  const SampleUse &a = get(op.getA());
  SampleUse b = get(op.getB());
  if (a.isSum() || a.power != 0 || a.leastPower != 0)
    return mixed(op, "is not linear in what depends on all samples");
  if (a.isConstant() && b.isConstant()) {
    SampleUse use = anyConstant(op.getType());
    use.power = b.power;
    use.leastPower = b.leastPower;
    return use;
  }
  if (a.isConstant() && b.isSum())
    return b;
  if (b.isSum())
    return mixed(op, "combines each sample with a sum over samples");
  const int64_t rank = op.getType().getRank();
  const int64_t dim = b.isPerSample() ? b.dim : a.dim;
  const bool isBatching = dim < rank - 2;
  if (dim == (op.getLeftSide() ? rank - 2 : rank - 1) ||
      (!isBatching && a.isPerSample()))
    return mixed(op, "combines the samples of the batch");
  if (a.isPerSample() && b.isPerSample()
          ? a.dim != b.dim || a.inner != b.inner
          : isBatching && !isUniform(a.isConstant() ? a : b, dim))
    return mixed(op, "depends on the position of a sample in the batch");
  SampleUse use = perSample(dim, a.isPerSample() ? a.inner : b.inner,
                            a.isPerSample() ? a : b);
  use.power = b.power;
  use.leastPower = b.leastPower;
  return use;
}
