// SPDX-License-Identifier: Apache-2.0
//===- DecomposeWindows.cpp - pooling as ops that share loops -------------===//
//
//  1. A reduce_window whose windows cover whole dimensions becomes a reduce.
//  2. One whose windows are small becomes a fold of slices, one for each
//     element of a window: elementwise, so that it shares loops with the ops
//     around it, and vectorized along what windows do not cover.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/Matchers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ps {
#define GEN_PASS_DEF_DECOMPOSEWINDOWS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;
using ::stablehlo::Emitter;
using ::stablehlo::typeOf;
using ::stablehlo::WindowAxis;

/// Elements of a window that are worth an op each.
static constexpr int64_t maxElements = 16;

/// The padded base is a value of its own: it may have this many times the
/// elements of the base and the result.
static constexpr double maxGrowth = 4;

//===----------------------------------------------------------------------===//
// 1. Whole dimensions
//===----------------------------------------------------------------------===//

/// The dimensions that windows cover; nothing where they move.
static std::optional<SmallVector<int64_t>>
findCovered(stablehlo::ReduceWindowOp op) {
  ArrayRef<int64_t> base = typeOf(op.getInputs()[0]).getShape();
  SmallVector<int64_t> covered;
  for (auto [dim, axis] : llvm::enumerate(op.getWindow())) {
    if (axis.size == 1 && axis.isPlain())
      continue;
    if (axis.size != base[dim] || axis.low != 0 || axis.high != 0 ||
        axis.baseDilation != 1 || axis.dilation != 1)
      return std::nullopt;
    covered.push_back(dim);
  }
  return covered;
}

static void replaceByReduce(stablehlo::ReduceWindowOp op,
                            ArrayRef<int64_t> dimensions) {
  OpBuilder builder(op);
  auto reduce = builder.create<stablehlo::ReduceOp>(
      op.getLoc(), op.getInputs(), op.getInitValues(), dimensions);
  reduce.getBody().takeBody(op.getBody());
  for (auto [from, to] : llvm::zip(op.getResults(), reduce.getResults()))
    from.replaceAllUsesWith(
        builder.create<stablehlo::ReshapeOp>(op.getLoc(), from.getType(), to));
  op.erase();
}

//===----------------------------------------------------------------------===//
// 2. Small windows
//===----------------------------------------------------------------------===//

/// The number of elements of the padded base, as a float, which does not
/// overflow.
static double countPadded(stablehlo::ReduceWindowOp op) {
  double count = 1;
  for (auto [axis, size] :
       llvm::zip(op.getWindow(), typeOf(op.getInputs()[0]).getShape()))
    count *= double(::stablehlo::dilate(size, axis.baseDilation)) +
             double(axis.low) + double(axis.high);
  return count;
}

static bool isSmall(stablehlo::ReduceWindowOp op) {
  int64_t count = 1;
  for (const WindowAxis &axis : op.getWindow())
    if (axis.size > maxElements || (count *= axis.size) > maxElements)
      return false;
  const double elements = double(typeOf(op.getInputs()[0]).getNumElements()) +
                          double(typeOf(op.getResult(0)).getNumElements());
  if (countPadded(op) > maxGrowth * elements)
    return false;
  return op.getInputs().size() == 1 &&
         ::stablehlo::getCombiner(op.getBody().front());
}

/// Whether folding `init` with `combiner` changes nothing.
static bool isNeutral(Operation *combiner, Attribute init) {
  if (auto value = dyn_cast_or_null<FloatAttr>(init)) {
    APFloat number = value.getValue();
    return (isa<stablehlo::AddOp>(combiner) && number.isZero()) ||
           (isa<stablehlo::MaxOp>(combiner) && number.isInfinity() &&
            number.isNegative()) ||
           (isa<stablehlo::MinOp>(combiner) && number.isInfinity() &&
            !number.isNegative());
  }
  auto value = dyn_cast_or_null<IntegerAttr>(init);
  return value && isa<stablehlo::AddOp>(combiner) && value.getValue().isZero();
}

/// The base with its padding and holes, which hold the initial value.
static Value padBase(Emitter &e, stablehlo::ReduceWindowOp op) {
  SmallVector<int64_t> low, high, interior;
  bool isPadded = false;
  for (const WindowAxis &axis : op.getWindow()) {
    low.push_back(axis.low);
    high.push_back(axis.high);
    interior.push_back(axis.baseDilation - 1);
    isPadded |= axis.low != 0 || axis.high != 0 || axis.baseDilation != 1;
  }
  Value base = op.getInputs()[0];
  if (!isPadded)
    return base;
  return e.create<stablehlo::PadOp>(base, op.getInitValues()[0], low, high,
                                    interior);
}

/// Element `at` of all windows.
static Value sliceElement(Emitter &e, Value base, ArrayRef<WindowAxis> window,
                          ArrayRef<int64_t> at, ArrayRef<int64_t> places) {
  SmallVector<int64_t> starts, limits, strides;
  for (auto [axis, k, count] : llvm::zip(window, at, places)) {
    starts.push_back(k * axis.dilation);
    limits.push_back(starts.back() + (count - 1) * axis.stride + 1);
    strides.push_back(axis.stride);
  }
  return e.create<stablehlo::SliceOp>(base, starts, limits, strides);
}

/// Goes on to the next element in row-major order; false after the last one.
static bool advance(SmallVector<int64_t> &at, ArrayRef<WindowAxis> window) {
  for (int64_t dim = window.size() - 1; dim >= 0; --dim) {
    if (++at[dim] < window[dim].size)
      return true;
    at[dim] = 0;
  }
  return false;
}

static void replaceBySlices(stablehlo::ReduceWindowOp op) {
  OpBuilder builder(op);
  Emitter e(builder, op.getLoc());
  Operation *combiner = ::stablehlo::getCombiner(op.getBody().front());
  RankedTensorType type = typeOf(op.getResult(0));
  Value base = padBase(e, op), init = op.getInitValues()[0];
  SmallVector<WindowAxis> window = op.getWindow();
  Value sum;
  if (!isNeutral(combiner, ::stablehlo::getRepeated(init)))
    sum = e.broadcast(init, type);
  SmallVector<int64_t> at(window.size(), 0);
  auto combine = [&](Value element) {
    auto operands =
        llvm::map_to_vector(combiner->getOperands(), [&](Value operand) {
          return operand == op.getBody().getArgument(0) ? sum : element;
        });
    return builder
        .create(op.getLoc(), combiner->getName().getIdentifier(), operands,
                type, combiner->getAttrs())
        ->getResult(0);
  };
  do {
    Value element = sliceElement(e, base, window, at, type.getShape());
    sum = sum ? combine(element) : element;
  } while (advance(at, window));
  op.getResult(0).replaceAllUsesWith(sum);
  op.erase();
}

//===----------------------------------------------------------------------===//

namespace {
struct DecomposeWindows
    : public ps::impl::DecomposeWindowsBase<DecomposeWindows> {
  void runOnOperation() override {
    SmallVector<stablehlo::ReduceWindowOp> ops;
    getOperation().walk(
        [&](stablehlo::ReduceWindowOp op) { ops.push_back(op); });
    for (stablehlo::ReduceWindowOp op : ops) {
      auto type = typeOf(op.getResult(0));
      auto base = typeOf(op.getInputs()[0]);
      const bool isStatic = type.hasStaticShape() && base.hasStaticShape();
      if (!isStatic || type.getNumElements() == 0 || base.getNumElements() == 0)
        continue;
      if (auto covered = findCovered(op))
        replaceByReduce(op, *covered);
      else if (isSmall(op))
        replaceBySlices(op);
    }
  }
};
} // namespace
