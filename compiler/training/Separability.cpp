// SPDX-License-Identifier: Apache-2.0
//===- Separability.cpp - how values depend on the samples of a batch -----===//
//
//  1. visitArguments: feeds are per sample; a feed of static shape fixes the
//     batch size.
//  2. visit: apply the rule of each op in order (SampleRules.h).
//  3. objectTo..: compare the result with a property that a caller needs.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/Separability.h"
#include "compiler/training/SampleRules.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace ps;

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Separability::Separability(func::FuncOp function) {
  SampleRules rules(*this);
  rules.visitArguments(function);
  for (Operation &op : function.getBody().front())
    rules.visit(&op);
}

/// Values of other blocks and of ops that were never visited are Mixed, so that
/// nothing is proved about them by accident.
const SampleUse &Separability::get(Value value) const {
  static const SampleUse unknown = [] {
    SampleUse use;
    use.kind = SampleUse::Kind::Mixed;
    use.reason = "is not analyzed";
    return use;
  }();
  auto found = uses.find(value);
  return found == uses.end() ? unknown : found->second;
}

/// Blames the op where samples were first mixed or summed, which may be far
/// from `value`.
Objection Separability::makeObjection(Value value, const SampleUse &use) const {
  Operation *at = use.at ? use.at : value.getDefiningOp();
  Location where = at ? at->getLoc() : value.getLoc();
  std::string name =
      at ? ("'" + at->getName().getStringRef() + "' ").str() : "the feed ";
  if (use.isMixed())
    return {where, name + use.reason};
  return {where,
          name + "makes " +
              (use.isSum()         ? "a sum over samples"
               : use.isPerSample() ? "a value for each sample"
                                   : "a value that depends on the batch size")};
}

/// A sum needs B to the power -1, a constant to the power 0. In a loss a
/// constant that divides by the batch is certain; in gradients that the graph
/// brings the lower bound also counts constants that may be the batch by
/// chance.
std::optional<Objection> Separability::objectToMean(Value value,
                                                    bool isLoss) const {
  const SampleUse &use = get(value);
  if (use.isZero())
    return std::nullopt;
  if (!use.isAdditive())
    return makeObjection(value, use);
  const int64_t wanted = use.isSum() ? -1 : 0;
  const bool isSure = isLoss && fixed != 1;
  const int64_t least = isSure ? use.power : use.leastPower;
  if (least <= wanted && wanted <= use.power)
    return std::nullopt;
  Objection objection = makeObjection(value, use);
  if (use.isSum() && use.power == 0)
    objection.reason +=
        fixed ? " that is not divided by the batch of " + std::to_string(*fixed)
              : " that is not divided by the batch size";
  else
    objection.reason += " that is not divided by the batch size once";
  return objection;
}

std::optional<Objection> Separability::objectToConstant(Value value) const {
  const SampleUse &use = get(value);
  if (use.isConstant() && use.power == 0)
    return std::nullopt;
  return makeObjection(value, use);
}

std::optional<Objection> Separability::objectToParts(Value value) const {
  const SampleUse &use = get(value);
  if (!use.isMixed())
    return std::nullopt;
  return makeObjection(value, use);
}

/// Predictions are written per sample, so the rows of each sample must be found
/// in the output.
std::optional<Objection> Separability::objectToRows(Value value) const {
  const SampleUse &use = get(value);
  if (use.isPerSample() && use.dim == 0) {
    auto type = cast<RankedTensorType>(value.getType());
    // The rows of a sample are contiguous.
    if (!fixed || type.getDimSize(0) == *fixed * use.inner)
      return std::nullopt;
  }
  if (use.isConstant() && !use.varying.any())
    return std::nullopt;
  Objection objection = makeObjection(value, use);
  if (!use.isMixed())
    objection.reason += ", which is not in the rows of that sample";
  return objection;
}

//===----------------------------------------------------------------------===//
// Shared by the rules
//===----------------------------------------------------------------------===//

SampleUse SampleRules::mixed(Operation *op, const Twine &reason) const {
  SampleUse use;
  use.kind = SampleUse::Kind::Mixed;
  use.at = op;
  use.reason = reason.str();
  return use;
}

const SampleUse *SampleRules::findMixed(Operation *op) const {
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) && get(operand).isMixed())
      return &get(operand);
  return nullptr;
}

bool SampleRules::allConstant(Operation *op) const {
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return get(operand).isConstant(); });
}

bool SampleRules::hidesPower(Operation *op) const {
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return get(operand).power != 0; });
}

SampleUse SampleRules::anyConstant(Type type) const {
  SampleUse use;
  auto tensor = dyn_cast<RankedTensorType>(type);
  use.varying.resize(tensor ? tensor.getRank() : 0, true);
  return use;
}

/// Keeps the powers and sums of `like`, but not where its samples lie.
SampleUse SampleRules::perSample(int64_t dim, int64_t inner,
                                 const SampleUse &like) const {
  SampleUse use;
  use.kind = SampleUse::Kind::PerSample;
  use.dim = dim;
  use.inner = inner;
  use.power = like.power;
  use.leastPower = like.leastPower;
  use.folded = like.folded;
  return use;
}

void SampleRules::fold(SampleUse &use, int64_t size) {
  // Bounds the products that dividesByBatch tries.
  constexpr size_t most = 6; // a mean divides soon after it sums
  if (use.folded.size() == most)
    use.folded.erase(use.folded.begin());
  use.folded.push_back(size);
}

/// What was known of each sample's value, place or index holds no more for
/// their sum.
SampleUse SampleRules::sumOf(const SampleUse &samples, Operation *op) const {
  SampleUse use = samples;
  use.kind = SampleUse::Kind::Sum;
  use.at = op;
  use.place.reset();
  use.value.reset();
  use.index.reset();
  return use;
}

bool SampleRules::isUniform(const SampleUse &use, int64_t dim) {
  return use.isConstant() && (dim >= static_cast<int64_t>(use.varying.size()) ||
                              !use.varying.test(dim));
}

std::optional<std::pair<int64_t, int64_t>>
SampleRules::commonDegree(ArrayRef<SampleUse> uses) {
  std::optional<std::pair<int64_t, int64_t>> common;
  for (const SampleUse &use : uses) {
    // Neither 0 nor NaN changes with a factor.
    if (use.isConstant() && use.value &&
        (*use.value == 0 || std::isnan(*use.value)))
      continue;
    // A sum over samples grows with B once more than its terms do.
    const int64_t one = use.isSum();
    std::pair degree(use.leastPower + one, use.power + one);
    if (!common)
      common = degree;
    common = {std::max(common->first, degree.first),
              std::min(common->second, degree.second)};
    if (common->first > common->second)
      return std::nullopt;
  }
  return common.value_or(std::pair<int64_t, int64_t>(0, 0));
}

SmallVector<int64_t> SampleRules::sizesOf(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  return llvm::map_to_vector(type.getShape(), [&](int64_t size) {
    return ShapedType::isDynamic(size) ? batch : size;
  });
}

/// Whether `number` is 1 or a product of some of `sizes`.
static bool isProductOf(int64_t number, ArrayRef<int64_t> sizes) {
  if (number == 1)
    return true;
  if (sizes.empty())
    return false;
  const int64_t first = sizes.front();
  return isProductOf(number, sizes.drop_front()) ||
         (first > 1 && number % first == 0 &&
          isProductOf(number / first, sizes.drop_front()));
}

/// Whether `divisor` is the fixed batch size times some of `sizes`: then what
/// it divides is a mean over samples.
bool SampleRules::dividesByBatch(double divisor,
                                 ArrayRef<int64_t> sizes) const {
  if (!result.fixed)
    return false;
  // The divisor was written in f32 or f64, so its ratio to the batch is an
  // integer only up to rounding.
  constexpr double tolerance = 1e-5, most = 1e15;
  constexpr size_t mostSizes = 10; // all their products are tried
  const double ratio = std::abs(divisor) / static_cast<double>(*result.fixed);
  if (!(ratio > 0.5) || ratio > most ||
      std::abs(ratio - std::round(ratio)) > tolerance * ratio)
    return false;
  return isProductOf(std::llround(ratio), sizes.take_front(mostSizes));
}

SampleUse SampleRules::withBatchConstants(SampleUse use,
                                          ArrayRef<int64_t> shape) const {
  if (!use.isConstant() || !use.value || *use.value == 0)
    return use;
  if (dividesByBatch(1 / *use.value, shape))
    --use.leastPower;
  return use;
}

//===----------------------------------------------------------------------===//
// Constants, variables and tables
//===----------------------------------------------------------------------===//

/// All feeds have the samples along dimension 0. Offsets of bags and ragged
/// lists are per sample as well, but only lookups know how.
void SampleRules::visitArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (type && type.getRank() > 0 && type.getDimSize(0) > 0)
      result.fixed = batch = type.getDimSize(0);
  }
  for (BlockArgument argument : function.getArguments()) {
    SampleUse &use = result.uses[argument];
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    const bool isOffsets =
        llvm::any_of(argument.getUsers(), [&](Operation *user) {
          auto lookup = dyn_cast<LookupOp>(user);
          return lookup && lookup.getOffsets() == argument;
        });
    if (type && type.getRank() > 0 && !isRagged(argument) && !isOffsets &&
        sizesOf(argument)[0] == batch)
      use = perSample(/*dim=*/0, /*inner=*/1, SampleUse());
    else
      use = mixed(nullptr, "does not hold one sample per row");
  }
}

/// Only a splat has a known value; other constants may differ from sample to
/// sample if a dimension of theirs meets the batch.
SampleUse SampleRules::constant(stablehlo::ConstantOp op) {
  SampleUse use = anyConstant(op.getType());
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements || !elements.isSplat())
    return use;
  use.varying.reset();
  Type element = elements.getElementType();
  if (isa<FloatType>(element))
    use.value = elements.getSplatValue<APFloat>().convertToDouble();
  else if (element.isIntOrIndex() && element.getIntOrFloatBitWidth() > 1 &&
           !element.isUnsignedInteger())
    use.value = elements.getSplatValue<APInt>().signedRoundToDouble();
  return use;
}

SampleUse SampleRules::iota(stablehlo::IotaOp op) {
  SampleUse use = anyConstant(op.getType());
  use.varying.reset();
  use.varying.set(op.getIotaDimension());
  use.index = op.getIotaDimension();
  return use;
}

/// A dynamic size is B itself: a constant of power 1.
SampleUse SampleRules::dimensionSize(stablehlo::GetDimensionSizeOp op) {
  SampleUse use;
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  if (type.isDynamicDim(op.getDimension()))
    use.power = use.leastPower = 1;
  else
    use.value = type.getDimSize(op.getDimension());
  return use;
}

/// A variable that the function assigned before holds a value computed from the
/// batch; one that it trains has the same value in all trainers.
SampleUse SampleRules::read(ReadOp op) {
  if (assignedFromSamples.contains(op.getVariableAttr()))
    return mixed(
        op, "reads a variable that was assigned from the samples of a batch");
  return anyConstant(op.getType());
}

/// A row depends on its id only, so it belongs to the samples to which the id
/// does.
SampleUse SampleRules::lookup(LookupOp op) {
  if (op.getPool())
    return perSample(/*dim=*/0, /*inner=*/1, SampleUse());
  const SampleUse &ids = get(op.getIds());
  if (ids.isMixed())
    return ids;
  if (ids.isConstant() && ids.power == 0)
    return anyConstant(op.getType());
  if (ids.isPerSample() && ids.power == 0)
    return perSample(ids.dim, ids.inner, SampleUse());
  return mixed(op, "looks up ids that depend on all samples");
}

/// Equal ids of different samples add up: the gradient of a table is a sum over
/// samples, if each sample's ids get that sample's gradient.
SampleUse SampleRules::lookupGradient(LookupGradientOp op) {
  const SampleUse &gradient = get(op.getGradient());
  if (gradient.isMixed())
    return gradient;
  const SampleUse ids =
      op.getPool() ? perSample(0, 1, SampleUse()) : get(op.getIds());
  if (ids.isMixed())
    return ids;
  SampleUse known = withBatchConstants(gradient, sizesOf(op.getGradient()));
  const bool fits =
      ids.isPerSample() &&
      (known.isPerSample() ? known.dim == ids.dim && known.inner == ids.inner
                           : isUniform(known, ids.dim));
  if (fits)
    return sumOf(known, op);
  if (ids.isConstant() && known.isAdditive())
    return known;
  return mixed(op, "adds gradients of other samples to the rows of a sample");
}

/// The sum of gradients is additive if all of them grow alike with B. Powers of
/// a Sum are one less than its degree.
SampleUse SampleRules::mergeRows(MergeRowsOp op) {
  SmallVector<SampleUse> parts;
  for (Value part : op.getGradients()) {
    parts.push_back(get(part));
    if (!parts.back().isAdditive())
      return parts.back();
  }
  auto degree = commonDegree(parts);
  if (!degree)
    return mixed(op, "adds rows that grow differently with the batch size");
  SampleUse use = sumOf(parts.front(), op);
  std::tie(use.leastPower, use.power) =
      std::pair(degree->first - 1, degree->second - 1);
  return use;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Ops of several results are handled first; all others have one rule per op.
/// An op without a rule is Mixed unless it only sees constants.
void SampleRules::visit(Operation *op) {
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op)) {
    for (auto [i, value] : llvm::enumerate(op->getResults()))
      result.uses[value] = this->reduce(reduce, i);
    return;
  }
  if (auto barrier = dyn_cast<stablehlo::OptimizationBarrierOp>(op)) {
    for (auto [operand, value] :
         llvm::zip_equal(barrier->getOperands(), barrier->getResults())) {
      SampleUse use = get(operand); // a copy: uses may grow
      result.uses[value] = std::move(use);
    }
    return;
  }
  if (auto assign = dyn_cast<AssignOp>(op))
    if (!get(assign.getValue()).isConstant())
      assignedFromSamples.insert(assign.getVariableAttr());
  if (op->getNumResults() == 0)
    return;
  SampleUse use =
      llvm::TypeSwitch<Operation *, SampleUse>(op)
          .Case([&](stablehlo::ConstantOp op) { return constant(op); })
          .Case([&](stablehlo::IotaOp op) { return iota(op); })
          .Case([&](stablehlo::GetDimensionSizeOp op) {
            return dimensionSize(op);
          })
          .Case([&](stablehlo::DotGeneralOp op) { return dot(op); })
          .Case([&](stablehlo::CholeskyOp op) { return cholesky(op); })
          .Case([&](stablehlo::TriangularSolveOp op) {
            return triangularSolve(op);
          })
          .Case([&](stablehlo::ConvolutionOp op) { return convolution(op); })
          .Case([&](stablehlo::ReduceWindowOp op) { return reduceWindow(op); })
          .Case([&](stablehlo::SelectAndScatterOp op) {
            return selectAndScatter(op);
          })
          .Case([&](stablehlo::ReshapeOp op) { return reshape(op); })
          .Case([&](stablehlo::BroadcastInDimOp op) { return broadcast(op); })
          .Case([&](stablehlo::TransposeOp op) { return transpose(op); })
          .Case([&](stablehlo::ReverseOp op) { return reverse(op); })
          .Case([&](stablehlo::SliceOp op) { return slice(op); })
          .Case([&](stablehlo::DynamicSliceOp op) { return dynamicSlice(op); })
          .Case([&](stablehlo::DynamicUpdateSliceOp op) {
            return dynamicUpdateSlice(op);
          })
          .Case(
              [&](stablehlo::SortOp op) { return sort(op, op.getSortedDim()); })
          .Case([&](stablehlo::chlo::TopKOp op) {
            return sort(op, op.getOperand().getType().getRank() - 1);
          })
          .Case([&](stablehlo::PadOp op) { return pad(op); })
          .Case([&](stablehlo::ConcatenateOp op) { return concatenate(op); })
          .Case([&](stablehlo::GatherOp op) { return gather(op); })
          .Case([&](stablehlo::ScatterOp op) { return scatter(op); })
          .Case([&](StopGradientOp op) { return get(op.getOperand()); })
          .Case([&](ReadOp op) { return read(op); })
          .Case([&](LookupOp op) { return lookup(op); })
          .Case([&](LookupGradientOp op) { return lookupGradient(op); })
          .Case([&](MergeRowsOp op) { return mergeRows(op); })
          .Default([&](Operation *op) {
            if (op->hasTrait<stablehlo::Elementwise>())
              return elementwise(op);
            if (allConstant(op) && isMemoryEffectFree(op) && !hidesPower(op))
              return anyConstant(op->getResult(0).getType());
            return mixed(op, "is not analyzed");
          });
  if (use.isMixed() && !use.at)
    use = mixed(op, "uses a feed that does not hold one sample per row");
  for (Value value : op->getResults())
    result.uses[value] = use;
}
