// SPDX-License-Identifier: Apache-2.0
//===- AllReduceExchange.cpp - gradients from trainer to trainer ----------===//
//
// 1. createStartup: the broadcast of initial values.
// 2. createStep:
//    a. findGradients: each gradient once, in the order in which the step
//       computes them.
//    b. fillBuckets: small ones share a message. The op comes right after its
//       last gradient, so that it runs while the backward pass continues; that
//       place must be before every update that needs a mean, and after the
//       bucket before: trainers issue them in the order of their channels.
//    c. createAllReduce: the op, and its means as the updates' gradients.
//
//===----------------------------------------------------------------------===//

#include "compiler/distribute/AllReduceExchange.h"
#include "dialects/stablehlo/TensorSize.h"

namespace ps {

using namespace mlir;

/// Where the user has no wish. Links of today are busy for about a millisecond
/// with it, which hides what starting a transfer costs.
static constexpr int64_t defaultBucketBytes = int64_t(4) << 20;

namespace {

/// A gradient and the updates that take it.
struct Gradient {
  Value value;
  SmallVector<ApplyOp, 1> applies;

  int64_t getBytes() const {
    return *stablehlo::countBytes(cast<RankedTensorType>(value.getType()));
  }
};

/// Gradients that travel together.
struct Bucket {
  SmallVector<Gradient> gradients;
  int64_t bytes = 0;
  /// The first update that needs one of the means.
  ApplyOp firstApply;
};

} // namespace

/// All trainers begin with trainer 0's values: initial values are drawn alike,
/// but loaded ones might differ.
void AllReduceExchange::createStartup(OpBuilder &startup) {
  for (auto [channel, update] : llvm::enumerate(plan.reduced)) {
    VariableOp variable = update.variable;
    startup.create<BroadcastOp>(variable.getLoc(), startup.getType<TokenType>(),
                                variable.getSymName(), channel);
  }
}

/// A gradient that several updates use is reduced once.
static SmallVector<Gradient> findGradients(ArrayRef<Update> updates) {
  llvm::MapVector<Value, Gradient> found;
  for (Update update : updates) {
    Gradient &gradient = found[update.apply.getGradient()];
    gradient.value = update.apply.getGradient();
    gradient.applies.push_back(update.apply);
  }
  SmallVector<Gradient> gradients =
      llvm::to_vector(llvm::make_second_range(found));
  // Stable: the results of one op, and arguments, stay in name order.
  llvm::stable_sort(gradients, [](const Gradient &a, const Gradient &b) {
    return isComputedBefore(a.value, b.value);
  });
  return gradients;
}

/// A gradient joins the open bucket if it fits and is computed before the first
/// update that needs one of the bucket's means.
static SmallVector<Bucket> fillBuckets(ArrayRef<Gradient> gradients,
                                       int64_t limit) {
  SmallVector<Bucket> buckets;
  for (const Gradient &gradient : gradients) {
    Operation *producer = gradient.value.getDefiningOp();
    int64_t bytes = gradient.getBytes();
    bool fits =
        !buckets.empty() && buckets.back().bytes <= limit - bytes &&
        (!producer || producer->isBeforeInBlock(buckets.back().firstApply));
    if (!fits)
      buckets.emplace_back();
    Bucket &bucket = buckets.back();
    bucket.gradients.push_back(gradient);
    bucket.bytes += bytes;
    for (ApplyOp apply : gradient.applies)
      if (!bucket.firstApply || apply->isBeforeInBlock(bucket.firstApply))
        bucket.firstApply = apply;
  }
  return buckets;
}

/// Right after the last gradient, but after `last`, the op of the bucket
/// before, or null. Channels number the buckets in the same order in all
/// trainers.
static AllReduceOp createAllReduce(const Bucket &bucket, uint64_t channel,
                                   AllReduceOp last) {
  SmallVector<Value> values;
  SmallVector<Type> types;
  for (const Gradient &gradient : bucket.gradients) {
    values.push_back(gradient.value);
    types.push_back(gradient.value.getType());
  }
  ApplyOp apply = bucket.firstApply;
  OpBuilder builder(apply);
  Operation *after = values.back().getDefiningOp();
  if (last && (!after || after->isBeforeInBlock(last)))
    after = last;
  if (after)
    builder.setInsertionPointAfter(after);
  else
    builder.setInsertionPointToStart(apply->getBlock());
  auto reduce =
      builder.create<AllReduceOp>(apply.getLoc(), types, values, channel);
  for (auto [gradient, mean] :
       llvm::zip_equal(bucket.gradients, reduce.getMeans()))
    for (ApplyOp user : gradient.applies)
      user.getGradientMutable().assign(mean);
  return reduce;
}

void AllReduceExchange::createStep() {
  int64_t limit = plan.cluster.getBucketBytes();
  SmallVector<Bucket> buckets = fillBuckets(findGradients(plan.reduced),
                                            limit ? limit : defaultBucketBytes);
  AllReduceOp last;
  for (auto [channel, bucket] : llvm::enumerate(buckets))
    last = createAllReduce(bucket, channel, last);
}

} // namespace ps
