// SPDX-License-Identifier: Apache-2.0
//===- SampleWindows.cpp - use of samples by convolutions and pools -------===//
//
// A convolution keeps samples apart that lie along its batch. Its derivative by
// the kernel has them as the features of both operands: a sum over samples.
// Reductions of windows keep samples apart where a window has one element along
// their dimension.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/SampleRules.h"
#include "dialects/stablehlo/Matchers.h"

using namespace mlir;
using namespace ps;

SampleUse SampleRules::convolution(stablehlo::ConvolutionOp op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  const SampleUse &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  if (lhs.isConstant() && rhs.isConstant()) {
    auto dims = op.getDimensionNumbers();
    if (cast<RankedTensorType>(op.getLhs().getType())
            .isDynamicDim(dims.getInputFeatureDimension()))
      return mixed(op, "depends on the size of the batch");
    SampleUse use = anyConstant(op.getType());
    use.power = lhs.power + rhs.power;
    use.leastPower = lhs.leastPower + rhs.leastPower;
    return use;
  }
  if (lhs.isPerSample() && rhs.isPerSample())
    return convolutionPairs(op);
  if (lhs.isPerSample() && rhs.isConstant())
    return convolutionSamples(op);
  if (lhs.isPerSample() || rhs.isPerSample())
    return mixed(op, "does not have the samples as its batch");
  if (lhs.isSum() && rhs.isSum())
    return mixed(op, "multiplies sums over samples");
  SampleUse use = lhs.isSum() ? lhs : rhs;
  const SampleUse &factor = lhs.isSum() ? rhs : lhs;
  use.power += factor.power;
  use.leastPower += factor.leastPower;
  return use;
}

/// Samples with a kernel that does not depend on them.
SampleUse SampleRules::convolutionSamples(stablehlo::ConvolutionOp op) {
  const SampleUse &samples = get(op.getLhs());
  SampleUse kernel = withBatchConstants(get(op.getRhs()), samples.folded);
  auto dims = op.getDimensionNumbers();
  SampleUse use =
      perSample(dims.getOutputBatchDimension(), samples.inner, samples);
  use.power += kernel.power;
  use.leastPower += kernel.leastPower;
  const bool isBatch = samples.dim == dims.getInputBatchDimension() &&
                       op.getBatchGroupCount() == 1;
  if (isBatch)
    return use;
  const bool isSummed = samples.dim == dims.getInputFeatureDimension() &&
                        op.getFeatureGroupCount() == 1;
  if (!isSummed)
    return mixed(op, "does not have the samples as its batch");
  if (!isUniform(kernel, dims.getKernelInputFeatureDimension()))
    return mixed(op, "depends on the position of a sample in the batch");
  return sumOf(use, op);
}

/// Samples with samples: summed over, each with itself.
SampleUse SampleRules::convolutionPairs(stablehlo::ConvolutionOp op) {
  const SampleUse &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  auto dims = op.getDimensionNumbers();
  SampleUse use = perSample(lhs.dim, lhs.inner, lhs);
  use.power += rhs.power;
  use.leastPower += rhs.leastPower;
  const bool isSummed = lhs.dim == dims.getInputFeatureDimension() &&
                        rhs.dim == dims.getKernelInputFeatureDimension() &&
                        lhs.inner == rhs.inner &&
                        op.getFeatureGroupCount() == 1;
  if (!isSummed)
    return mixed(op, "multiplies each sample with the others of the batch");
  return sumOf(use, op);
}

//===----------------------------------------------------------------------===//
// Reductions of windows
//===----------------------------------------------------------------------===//

/// Whether a window has one element along `dim`, and a place for each.
static bool keeps(ArrayRef<::stablehlo::WindowAxis> window, int64_t dim) {
  return window[dim].size == 1 && window[dim].isPlain();
}

/// Whether `op` adds up the elements of windows from 0 on; on i1, adding is
/// logical or.
static bool isSum(stablehlo::ReduceWindowOp op, const SampleUse &initial) {
  return op.getInputs().size() == 1 && initial.isZero() &&
         isa_and_nonnull<stablehlo::AddOp>(
             ::stablehlo::getCombiner(op.getBody().front())) &&
         !::stablehlo::typeOf(op.getInputs()[0]).getElementType().isInteger(1);
}

/// The inputs have samples along the same dimension, or do not depend on them.
SampleUse SampleRules::reduceWindow(stablehlo::ReduceWindowOp op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  const SampleUse *samples = nullptr;
  for (Value input : op.getInputs())
    if (get(input).isPerSample() && !samples)
      samples = &get(input);
  for (Value initial : op.getInitValues())
    if (!get(initial).isConstant() || get(initial).power != 0)
      return mixed(op, "starts from a value that depends on samples");
  const bool adds = isSum(op, get(op.getInitValues()[0]));
  if (allConstant(op))
    return reduceConstantWindow(op);
  SampleUse use = samples ? *samples : get(op.getInputs()[0]);
  if ((!samples || use.power != 0) && !adds)
    return mixed(op, samples ? "depends on the size of the batch"
                             : "is not linear in a sum over samples");
  auto window = op.getWindow();
  for (const ::stablehlo::WindowAxis &axis : window)
    if (axis.size != 1)
      fold(use, axis.size);
  if (!samples)
    return use;
  use.place.reset();
  if (!keeps(window, use.dim))
    return mixed(op, "folds the samples of the batch in windows");
  for (Value input : op.getInputs()) {
    const SampleUse &other = get(input);
    if (other.isPerSample() ? other.dim != use.dim || other.inner != use.inner
                            : !isUniform(other, use.dim))
      return mixed(op, "depends on the position of a sample in the batch");
  }
  return use;
}

/// All elements are the same whatever the samples are; the result does not vary
/// along what the inputs do not vary along, where windows have one element.
SampleUse SampleRules::reduceConstantWindow(stablehlo::ReduceWindowOp op) {
  if (hidesPower(op) && !isSum(op, get(op.getInitValues()[0])))
    return mixed(op, "depends on the size of the batch");
  SampleUse use = anyConstant(op->getResult(0).getType());
  use.power = get(op.getInputs()[0]).power;
  use.leastPower = get(op.getInputs()[0]).leastPower;
  auto window = op.getWindow();
  for (int64_t dim = 0; dim != static_cast<int64_t>(window.size()); ++dim)
    if (keeps(window, dim) && llvm::all_of(op.getInputs(), [&](Value input) {
          return isUniform(get(input), dim);
        }))
      use.varying.reset(dim);
  return use;
}

/// What windows select does not change with a factor, and what is scattered is
/// added.
SampleUse SampleRules::selectAndScatter(stablehlo::SelectAndScatterOp op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  if (allConstant(op) && !hidesPower(op))
    return anyConstant(op.getType());
  const SampleUse &operand = get(op.getOperand());
  const SampleUse &source = get(op.getSource());
  const SampleUse &initial = get(op.getInitValue());
  const bool adds = initial.isZero() &&
                    isa_and_nonnull<stablehlo::AddOp>(
                        ::stablehlo::getCombiner(op.getScatter().front()));
  if (!adds || operand.power != 0 || operand.isSum())
    return mixed(op, "is not linear in what it scatters");
  if (operand.isConstant() && source.isAdditive())
    return source;
  if (source.isSum())
    return mixed(op, "combines each sample with a sum over samples");
  const SampleUse &samples = operand.isPerSample() ? operand : source;
  auto fits = [&](const SampleUse &use) {
    return use.isPerSample()
               ? use.dim == samples.dim && use.inner == samples.inner
               : isUniform(use, samples.dim);
  };
  if (!keeps(op.getWindow(), samples.dim) || !fits(operand) || !fits(source))
    return mixed(op, "scatters to other samples of the batch");
  SampleUse use = perSample(samples.dim, samples.inner, source);
  return use;
}
