// SPDX-License-Identifier: Apache-2.0
//===- BatchNormalization.cpp - its ops as sums and products --------------===//

#include "compiler/inlining/DecomposeOps.h"
#include "dialects/stablehlo/Matchers.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

namespace {

/// Emits for the elements of one operand, of which those with equal index in
/// one dimension are a feature.
class Features {
public:
  template <typename OpT>
  Features(OpT op, Emitter &e)
      : e(e), operand(op.getOperand()), type(typeOf(operand)),
        epsilon(op.getEpsilon().convertToDouble()),
        others(dimensionsWithout(type.getRank(),
                                 static_cast<int64_t>(op.getFeatureIndex()))) {}

  /// A number per feature for each element.
  Value spread(Value features) { return e.broadcast(features, type, others); }
  Value sum(Value elements) { return e.sum(elements, others); }
  Value mean(Value elements) {
    Value total = sum(elements);
    return e.div(total, e.broadcast(count(), typeOf(total)));
  }
  Value center(Value mean) { return e.sub(operand, spread(mean)); }
  Value addEpsilon(Value variance) {
    return e.add(variance, e.like(variance, epsilon));
  }
  Value deviation(Value variance) { return e.sqrt(addEpsilon(variance)); }
  Value normalize(Value scale, Value offset, Value mean, Value variance);

  /// How many elements a feature has, a scalar of the operand's type.
  Value count();

private:
  Emitter &e;
  Value operand;
  RankedTensorType type;
  double epsilon;
  SmallVector<int64_t> others;
};

} // namespace

/// The sizes that are `?` are read from the operand.
Value Features::count() {
  Type element = type.getElementType();
  double known = 1;
  Value count;
  for (int64_t dim : others) {
    if (!type.isDynamicDim(dim)) {
      known *= static_cast<double>(type.getDimSize(dim));
      continue;
    }
    Value size = e.convert(e.create<GetDimensionSizeOp>(operand, dim), element);
    count = count ? e.mul(count, size) : size;
  }
  auto scalar = RankedTensorType::get({}, element);
  if (!count)
    return e.splat(scalar, known);
  return known == 1 ? count : e.mul(count, e.splat(scalar, known));
}

Value Features::normalize(Value scale, Value offset, Value mean,
                          Value variance) {
  Value normalized = e.div(center(mean), spread(deviation(variance)));
  return e.add(e.mul(spread(scale), normalized), spread(offset));
}

Results ps::decompose(BatchNormInferenceOp op, Emitter &e) {
  Features features(op, e);
  return {features.normalize(op.getScale(), op.getOffset(), op.getMean(),
                             op.getVariance())};
}

Results ps::decompose(BatchNormTrainingOp op, Emitter &e) {
  Features features(op, e);
  Value mean = features.mean(op.getOperand());
  Value centered = features.center(mean);
  Value variance = features.mean(e.mul(centered, centered));
  return {features.normalize(op.getScale(), op.getOffset(), mean, variance),
          mean, variance};
}

/// With n elements x per feature, their gradients g and c = x - mean:
/// scale / deviation / n * (n g - sum g - c sum(g c) / (variance + epsilon)).
Results ps::decompose(BatchNormGradOp op, Emitter &e) {
  Features features(op, e);
  Value g = op.getGradOutput();
  Value centered = features.center(op.getMean());
  Value deviation = features.deviation(op.getVariance());
  Value sum = features.sum(g);
  Value count = features.count();

  Value slope = e.div(features.sum(e.mul(g, centered)),
                      features.addEpsilon(op.getVariance()));
  Value rest = e.sub(
      e.sub(e.mul(g, e.broadcast(count, typeOf(g))), features.spread(sum)),
      e.mul(features.spread(slope), centered));
  Value factor = e.div(e.div(op.getScale(), deviation),
                       e.broadcast(count, typeOf(deviation)));
  Value normalized = e.div(centered, features.spread(deviation));
  return {e.mul(features.spread(factor), rest),
          features.sum(e.mul(g, normalized)), sum};
}
