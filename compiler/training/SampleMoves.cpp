// SPDX-License-Identifier: Apache-2.0
//===- SampleMoves.cpp - use of samples by data movement ------------------===//
//
// The rules of this file track the batch dimension through ops that move
// elements. Each sample must stay separate from the others: a gather or a
// scatter may address elements of its own sample only. A value without a batch
// dimension, a constant or a sum, may be moved in any way that does not depend
// on samples.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/SampleRules.h"
#include "dialects/stablehlo/Matchers.h"
#include "dialects/stablehlo/WindowDims.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ps;

static int64_t rankOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

/// The product of two sizes, or the largest number where that overflows.
static int64_t times(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max()
                                          : product;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The dimensions of the shape `to` along which a constant varies after a
/// reshape, given those of the shape `from`. The dimensions of both are taken
/// in the smallest groups whose sizes have the same product.
static llvm::SmallBitVector reshapeVarying(const llvm::SmallBitVector &varying,
                                           ArrayRef<int64_t> from,
                                           ArrayRef<int64_t> to) {
  llvm::SmallBitVector result(to.size());
  size_t i = 0, j = 0;
  while (i != from.size() || j != to.size()) {
    const size_t firstTo = j;
    int64_t left = 1, right = 1;
    bool varies = false;
    do {
      if (i != from.size() && (left <= right || j == to.size())) {
        varies |= from[i] != 1 && varying.test(i);
        left = times(left, from[i++]);
      } else {
        right = times(right, to[j++]);
      }
    } while (left != right && (i != from.size() || j != to.size()));
    for (size_t k = firstTo; k != j; ++k)
      if (varies && to[k] != 1)
        result.set(k);
  }
  return result;
}

/// A sample is `inner` consecutive indices of its dimension. Finds the
/// dimension of the result whose blocks of that many elements are again whole
/// samples. A constant keeps only which dimensions it varies along.
SampleUse SampleRules::reshape(stablehlo::ReshapeOp op) {
  SampleUse use = get(op.getOperand());
  SmallVector<int64_t> from = sizesOf(op.getOperand());
  SmallVector<int64_t> to = sizesOf(op.getResult());
  use.index.reset();
  if (use.isConstant()) {
    const bool isIota = use.varying.count() == 1 &&
                        get(op.getOperand()).index &&
                        from[use.varying.find_first()] != 1;
    use.varying = reshapeVarying(use.varying, from, to);
    // Only dimensions of size 1 came or went.
    if (isIota && use.varying.count() == 1 &&
        to[use.varying.find_first()] == from[*get(op.getOperand()).index])
      use.index = use.varying.find_first();
    return use;
  }
  if (!use.isPerSample())
    return use;
  use.place.reset();
  // The elements of a sample, and those that follow it in memory, span `stride`
  // elements of the operand.
  int64_t stride = use.inner;
  for (int64_t size : ArrayRef(from).drop_front(use.dim + 1))
    stride = times(stride, size);
  int64_t suffix = 1;
  for (int64_t dim = to.size() - 1; dim >= 0; --dim) {
    if (suffix <= stride && suffix > 0 && stride % suffix == 0 &&
        times(stride, batch) <= times(suffix, to[dim]) &&
        to[dim] % times(stride / suffix, batch) == 0) {
      use.dim = dim;
      use.inner = stride / suffix;
      return use;
    }
    suffix = times(suffix, to[dim]);
  }
  if (batch == 1)
    return sumOf(use, op);
  return mixed(op, "splits the elements of a sample");
}

/// Widening a batch of one sample would give all rows that sample; with another
/// batch size the op would be invalid.
SampleUse SampleRules::broadcast(stablehlo::BroadcastInDimOp op) {
  SampleUse use = get(op.getOperand());
  ArrayRef<int64_t> dims = op.getBroadcastDimensions();
  SmallVector<int64_t> from = sizesOf(op.getOperand());
  SmallVector<int64_t> to = sizesOf(op.getResult());
  if (use.isPerSample()) {
    if (from[use.dim] != to[dims[use.dim]])
      return mixed(op, "broadcasts the only sample of the batch");
    use.dim = dims[use.dim];
    use.place.reset();
    return use;
  }
  if (!use.isConstant())
    return use;
  llvm::SmallBitVector varying(to.size());
  for (unsigned dim : use.varying.set_bits())
    if (from[dim] != 1)
      varying.set(dims[dim]);
  use.varying = varying;
  if (use.index)
    use.index = dims[*use.index];
  return use;
}

SampleUse SampleRules::transpose(stablehlo::TransposeOp op) {
  SampleUse use = get(op.getOperand());
  ArrayRef<int64_t> permutation = op.getPermutation();
  if (use.isPerSample())
    use.dim = *indexOf(permutation, use.dim);
  if (use.place)
    use.place->first = *indexOf(permutation, use.place->first);
  if (!use.isConstant())
    return use;
  llvm::SmallBitVector varying(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation))
    varying[to] = use.varying.test(from);
  use.varying = varying;
  if (use.index)
    use.index = indexOf(permutation, *use.index);
  return use;
}

SampleUse SampleRules::reverse(stablehlo::ReverseOp op) {
  SampleUse use = get(op.getOperand());
  use.place.reset();
  use.index.reset();
  if (use.isPerSample() && llvm::is_contained(op.getDimensions(), use.dim))
    return mixed(op, "changes the order of the samples");
  return use;
}

SampleUse SampleRules::slice(stablehlo::SliceOp op) {
  SampleUse use = get(op.getOperand());
  use.place.reset();
  use.index.reset();
  if (!use.isPerSample())
    return use;
  const int64_t limit = op.getLimitIndices()[use.dim];
  const bool isWhole = op.getStartIndices()[use.dim] == 0 &&
                       op.getStrides()[use.dim] == 1 &&
                       (ShapedType::isDynamic(limit) ||
                        limit == sizesOf(op.getOperand())[use.dim]);
  return isWhole ? use : mixed(op, "selects some samples of the batch");
}

/// A start that depends on samples would cut every sample at a place that one
/// of them chose.
SampleUse SampleRules::dynamicSlice(stablehlo::DynamicSliceOp op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  SampleUse use = get(op.getOperand());
  use.place.reset();
  use.index.reset();
  for (Value start : op->getOperands().drop_front())
    if (!get(start).isConstant() || get(start).power != 0)
      return mixed(op, "starts at an index that depends on samples");
  if (!use.isPerSample())
    return use;
  const int64_t size = op.getSliceSizes()[use.dim];
  const bool isWhole =
      ShapedType::isDynamic(size) || size == sizesOf(op.getOperand())[use.dim];
  return isWhole ? use : mixed(op, "selects some samples of the batch");
}

/// The box is placed where no sample decides, and holds each sample's elements
/// beside those of the operand.
SampleUse SampleRules::dynamicUpdateSlice(stablehlo::DynamicUpdateSliceOp op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  for (Value start : op.getStartIndices())
    if (!get(start).isConstant() || get(start).power != 0)
      return mixed(op, "starts at an index that depends on samples");
  const SampleUse &into = get(op.getOperand()), &update = get(op.getUpdate());
  SmallVector<int64_t> sizes = sizesOf(op.getOperand());
  SmallVector<int64_t> updateSizes = sizesOf(op.getUpdate());
  auto degree = commonDegree({into, update});
  if (!degree)
    return mixed(op,
                 "combines values that grow differently with the batch size");
  if (into.isConstant() && update.isConstant()) {
    SampleUse use = anyConstant(op.getType());
    std::tie(use.leastPower, use.power) = *degree;
    for (size_t dim = 0; dim != sizes.size(); ++dim)
      if (isUniform(into, dim) && isUniform(update, dim) &&
          sizes[dim] == updateSizes[dim])
        use.varying.reset(dim);
    return use;
  }
  if (into.isAdditive() && update.isAdditive()) {
    SampleUse use = into.isSum() ? into : update;
    std::tie(use.leastPower, use.power) =
        std::pair(degree->first - 1, degree->second - 1);
    return use;
  }
  const SampleUse &samples = update.isPerSample() ? update : into;
  auto fits = [&](const SampleUse &use) {
    return use.isPerSample()
               ? use.dim == samples.dim && use.inner == samples.inner
               : isUniform(use, samples.dim);
  };
  if (!fits(into) || !fits(update) ||
      sizes[samples.dim] != updateSizes[samples.dim])
    return mixed(op, "replaces some samples of the batch");
  SampleUse use = perSample(samples.dim, samples.inner, samples);
  std::tie(use.leastPower, use.power) = *degree;
  return use;
}

/// Each line along `dim` is sorted for itself; all operands decide where an
/// element goes.
SampleUse SampleRules::sort(Op op, int64_t dim) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  const SampleUse *samples = nullptr;
  for (Value operand : op->getOperands()) {
    const SampleUse &use = get(operand);
    if (use.isSum() || use.power != 0)
      return mixed(op, "sorts what depends on all samples");
    samples = use.isPerSample() && !samples ? &use : samples;
  }
  if (!samples)
    return anyConstant(op->getResult(0).getType());
  if (samples->dim == dim)
    return mixed(op, "sorts the samples of the batch");
  for (Value operand : op->getOperands()) {
    const SampleUse &use = get(operand);
    if (use.isPerSample()
            ? use.dim != samples->dim || use.inner != samples->inner
            : !isUniform(use, samples->dim))
      return mixed(op, "depends on the position of a sample in the batch");
  }
  return perSample(samples->dim, samples->inner, *samples);
}

/// The padding value joins the elements, so both must grow alike with the batch
/// size.
SampleUse SampleRules::pad(stablehlo::PadOp op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  SampleUse use = get(op.getOperand());
  const SampleUse &padding = get(op.getPaddingValue());
  auto changes = [&](int64_t dim) {
    return op.getEdgePaddingLow()[dim] != 0 ||
           op.getEdgePaddingHigh()[dim] != 0 ||
           op.getInteriorPadding()[dim] != 0;
  };
  use.place.reset();
  use.index.reset();
  if (use.isPerSample() && changes(use.dim))
    return mixed(op, "changes the number of samples");
  auto degree = commonDegree({use, padding});
  if (!degree || !padding.isAdditive() ||
      (use.isPerSample() && padding.isSum()))
    return mixed(op, "combines samples with a sum over samples");
  if (!use.isConstant() || !padding.isConstant())
    return padding.isSum() ? padding : use;
  for (size_t dim = 0; dim != use.varying.size(); ++dim)
    if (changes(dim))
      use.varying.set(dim);
  if (use.value != padding.value)
    use.value.reset();
  std::tie(use.leastPower, use.power) = *degree;
  return use;
}

/// The place of the sample's number (SampleUse::place) in a concatenation along
/// a dimension other than the batch dimension `dim`, if an operand holds it.
std::optional<std::pair<int64_t, int64_t>>
SampleRules::placeIn(stablehlo::ConcatenateOp op, int64_t dim) {
  const int64_t along = op.getDimension();
  int64_t offset = 0;
  for (Value input : op.getInputs()) {
    const int64_t size = sizesOf(input)[along];
    const SampleUse &use = get(input);
    if (size == 1 && use.index == dim)
      return std::pair(along, offset);
    if (use.place && use.place->first == along)
      return std::pair(along, offset + use.place->second);
    offset += size;
  }
  return std::nullopt;
}

/// Frameworks build index vectors by concatenating an iota over the batch with
/// other indices: the iota, not uniform along the batch, is accepted here and
/// remembered as the sample's number (`place`).
SampleUse SampleRules::concatenate(stablehlo::ConcatenateOp op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  const int64_t along = op.getDimension();
  SmallVector<SampleUse> uses = llvm::map_to_vector(
      op.getInputs(), [&](Value input) { return get(input); });
  const SampleUse *samples = nullptr, *sum = nullptr;
  for (const SampleUse &use : uses) {
    samples = use.isPerSample() && !samples ? &use : samples;
    sum = use.isSum() && !sum ? &use : sum;
  }
  auto degree = commonDegree(uses);
  if (!degree || (samples && sum))
    return mixed(
        op, "concatenates values that depend on samples in different ways");
  SampleUse use = samples ? *samples : sum ? *sum : uses.front();
  use.place.reset();
  use.leastPower = degree->first - (sum != nullptr);
  use.power = degree->second - (sum != nullptr);
  if (samples) {
    if (samples->dim == along)
      return mixed(op, "concatenates samples along the batch dimension");
    for (auto [input, other] : llvm::zip_equal(op.getInputs(), uses)) {
      const bool fits =
          other.isPerSample()
              ? other.dim == use.dim && other.inner == use.inner
              : isUniform(other, use.dim) || other.index == use.dim;
      if (!fits)
        return mixed(op, "depends on the position of a sample in the batch");
    }
    use.place = placeIn(op, use.dim);
    // An index that no gather can use as the sample's number is a constant
    // that differs from sample to sample.
    const bool hasIndex = llvm::any_of(uses, [&](const SampleUse &other) {
      return other.isConstant() && other.index == use.dim;
    });
    if (hasIndex && !use.place)
      return mixed(op, "depends on the position of a sample in the batch");
    return use;
  }
  if (sum)
    return use;
  use.index.reset();
  use.value.reset();
  for (const SampleUse &other : uses)
    use.varying |= other.varying;
  use.varying.set(along);
  return use;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Whether windows stay within the sample of their index vector. `dim` is the
/// batch dimension of the operand, which has the samples of the indices. It is
/// indexed by the sample's number if it is a batching dimension or if that
/// number is a component of the index vector.
static bool followsSample(const ::stablehlo::WindowDims &dims, int64_t dim,
                          const SampleUse &indices) {
  if (auto pair = indexOf(dims.operandBatching, dim))
    return dims.indicesBatching[*pair] == indices.dim;
  auto component = indexOf(dims.indexMap, dim);
  return indices.inner == 1 && component && indices.place &&
         *indices.place == std::pair(dims.indexVectorDim, *component) &&
         llvm::is_contained(dims.dropped, dim);
}

/// Gathering by per-sample indices from a constant table gives per-sample
/// values; from samples, the indices must stay within their own sample.
SampleUse SampleRules::gather(stablehlo::GatherOp op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  const SampleUse &from = get(op.getOperand());
  const SampleUse &indices = get(op.getStartIndices());
  if (indices.power != 0 || indices.isSum())
    return mixed(op, "gathers at indices that depend on all samples");
  if (indices.isConstant() && from.isAdditive()) {
    SampleUse use = from.isSum() ? from : anyConstant(op.getType());
    use.power = from.power;
    use.leastPower = from.leastPower;
    ::stablehlo::WindowDims dims(op.getDimensionNumbers());
    for (auto [window, dim] : llvm::zip_equal(
             dims.window, dims.getOperandWindow(rankOf(op.getOperand()))))
      if (isUniform(from, dim) && use.isConstant())
        use.varying.reset(window);
    for (auto [batch, dim] :
         llvm::zip_equal(dims.getBatch(rankOf(op.getResult())),
                         dims.getIndicesBatch(rankOf(op.getStartIndices())))) {
      auto pair = indexOf(dims.indicesBatching, dim);
      if (use.isConstant() && isUniform(indices, dim) &&
          (!pair || isUniform(from, dims.operandBatching[*pair])))
        use.varying.reset(batch);
    }
    return use;
  }
  if (from.isPerSample())
    return gatherFromSamples(op);
  if (from.isSum())
    return mixed(op, "combines each sample with a sum over samples");
  ::stablehlo::WindowDims dims(op.getDimensionNumbers());
  auto place =
      indexOf(dims.getIndicesBatch(rankOf(op.getStartIndices())), indices.dim);
  if (!place)
    return mixed(op, "gathers at indices that depend on several samples");
  if (auto pair = indexOf(dims.indicesBatching, indices.dim))
    if (!isUniform(from, dims.operandBatching[*pair]))
      return mixed(op, "depends on the position of a sample in the batch");
  // The row at the sample's number depends on the sample's position only.
  if (indices.place)
    return mixed(op, "depends on the position of a sample in the batch");
  SampleUse use = perSample(dims.getBatch(rankOf(op.getResult()))[*place],
                            indices.inner, from);
  use.folded.clear();
  return use;
}

/// Either each index vector reads its own sample only, or the indices are
/// constant and the window covers the whole batch dimension.
SampleUse SampleRules::gatherFromSamples(stablehlo::GatherOp op) {
  const SampleUse &from = get(op.getOperand());
  const SampleUse &indices = get(op.getStartIndices());
  ::stablehlo::WindowDims dims(op.getDimensionNumbers());
  const int64_t rank = rankOf(op.getResult());
  SampleUse use = from;
  use.place.reset();
  if (indices.isPerSample()) {
    auto place = indexOf(dims.getIndicesBatch(rankOf(op.getStartIndices())),
                         indices.dim);
    if (from.inner != indices.inner || !place ||
        !followsSample(dims, from.dim, indices))
      return mixed(op, "gathers from other samples");
    use.dim = dims.getBatch(rank)[*place];
    return use;
  }
  auto window =
      indexOf(dims.getOperandWindow(rankOf(op.getOperand())), from.dim);
  const int64_t size = op.getSliceSizes()[from.dim];
  const bool isWhole =
      ShapedType::isDynamic(size) || size == sizesOf(op.getOperand())[from.dim];
  if (!window || !isWhole)
    return mixed(op, "selects some samples of the batch");
  use.dim = dims.window[*window];
  return use;
}

/// Adding is linear; replacing is allowed only where no two samples write to
/// the same element.
SampleUse SampleRules::scatter(stablehlo::ScatterOp op) {
  if (const SampleUse *operand = findMixed(op))
    return *operand;
  if (allConstant(op))
    return scatterConstants(op);
  const bool adds = addsUpdates(op);
  if (!adds && !replacesByUpdates(op))
    return mixed(op, "neither adds its updates nor replaces elements by them");
  const SampleUse &indices = get(op.getScatterIndices());
  if (indices.power != 0 || indices.isSum())
    return mixed(op, "scatters to indices that depend on all samples");
  return indices.isConstant() ? scatterFixed(op, adds)
                              : scatterBySample(op, adds);
}

/// The result may vary along all dimensions but those that windows cover
/// entirely and evenly.
SampleUse SampleRules::scatterConstants(stablehlo::ScatterOp op) {
  SampleUse use = anyConstant(op->getResult(0).getType());
  if (op.getInputs().size() != 1)
    return hidesPower(op) ? mixed(op, "depends on the size of the batch") : use;
  const SampleUse &into = get(op.getInputs()[0]);
  const SampleUse &updates = get(op.getUpdates()[0]);
  const bool isLinear = addsUpdates(op) || replacesByUpdates(op);
  auto degree = commonDegree({into, updates});
  if (hidesPower(op) &&
      !(isLinear && degree && get(op.getScatterIndices()).power == 0))
    return mixed(op, "depends on the size of the batch");
  if (degree)
    std::tie(use.leastPower, use.power) = *degree;
  SmallVector<int64_t> sizes = sizesOf(op.getInputs()[0]);
  SmallVector<int64_t> updateSizes = sizesOf(op.getUpdates()[0]);
  // A window as long as a dimension changes all of it in the same way.
  ::stablehlo::WindowDims dims(op.getScatterDimensionNumbers());
  for (auto [window, dim] :
       llvm::zip_equal(dims.window, dims.getOperandWindow(sizes.size())))
    if (isUniform(into, dim) && isUniform(updates, window) &&
        sizes[dim] == updateSizes[window])
      use.varying.reset(dim);
  return use;
}

/// The indices do not depend on samples.
SampleUse SampleRules::scatterFixed(stablehlo::ScatterOp op, bool adds) {
  const SampleUse &into = get(op.getInputs()[0]);
  const SampleUse &updates = get(op.getUpdates()[0]);
  auto degree = commonDegree({into, updates});
  if (!degree)
    return mixed(op,
                 "combines values that grow differently with the batch size");
  if (into.isAdditive() && updates.isAdditive()) {
    SampleUse use = into.isSum() ? into : updates;
    use.leastPower = degree->first - 1;
    use.power = degree->second - 1;
    return use;
  }
  ::stablehlo::WindowDims dims(op.getScatterDimensionNumbers());
  SmallVector<int64_t> window =
      dims.getOperandWindow(rankOf(op.getInputs()[0]));
  const SampleUse &samples = updates.isPerSample() ? updates : into;
  auto place = updates.isPerSample() ? indexOf(dims.window, updates.dim)
                                     : indexOf(window, into.dim);
  if (place) {
    const int64_t to = window[*place], from = dims.window[*place];
    auto fits = [&](const SampleUse &use, int64_t dim) {
      return use.isPerSample() ? use.dim == dim && use.inner == samples.inner
                               : isUniform(use, dim);
    };
    if (sizesOf(op.getUpdates()[0])[from] == sizesOf(op.getInputs()[0])[to] &&
        fits(into, to) && fits(updates, from)) {
      SampleUse use = perSample(to, samples.inner, samples);
      std::tie(use.leastPower, use.power) = *degree;
      return use;
    }
  }
  // The samples are the updates themselves, at one position or several.
  return mixed(op,
               adds ? "adds each sample at a fixed position" : "mixes samples");
}

/// The indices of a window depend on its sample.
SampleUse SampleRules::scatterBySample(stablehlo::ScatterOp op, bool adds) {
  ::stablehlo::WindowDims dims(op.getScatterDimensionNumbers());
  const SampleUse &indices = get(op.getScatterIndices());
  const SampleUse &into = get(op.getInputs()[0]);
  SampleUse updates =
      withBatchConstants(get(op.getUpdates()[0]), sizesOf(op.getInputs()[0]));
  auto place = indexOf(dims.getIndicesBatch(rankOf(op.getScatterIndices())),
                       indices.dim);
  if (!place)
    return mixed(op, "scatters to indices that depend on several samples");
  const int64_t from = dims.getBatch(rankOf(op.getUpdates()[0]))[*place];
  const bool ownUpdates =
      updates.isPerSample()
          ? updates.dim == from && updates.inner == indices.inner
          : isUniform(updates, from);
  auto degree = commonDegree({into, updates});
  if (!ownUpdates || !degree)
    return mixed(
        op, "scatters updates of other samples to the indices of a sample");
  // Each sample updates its own part of the operand.
  const int64_t rank = rankOf(op.getInputs()[0]);
  for (int64_t dim = 0; dim != rank; ++dim) {
    const bool own =
        into.isPerSample()
            ? into.dim == dim && into.inner == indices.inner
            : isUniform(into, dim) && sizesOf(op.getInputs()[0])[dim] ==
                                          sizesOf(op.getUpdates()[0])[from];
    if (!own || !followsSample(dims, dim, indices))
      continue;
    SampleUse use = perSample(dim, indices.inner, updates);
    std::tie(use.leastPower, use.power) = *degree;
    return use;
  }
  if (!adds || !into.isZero() || indices.place)
    return mixed(op, "scatters different samples to the same elements");
  return sumOf(updates, op);
}
