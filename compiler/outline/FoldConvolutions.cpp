// SPDX-License-Identifier: Apache-2.0
//===- FoldConvolutions.cpp - what convolutions do for free ---------------===//
//
// JAX writes the derivative of a convolution by its input as a convolution by
// the reversed kernel. Folded, it is in the form in which the library has it.
//
//===----------------------------------------------------------------------===//

#include "compiler/outline/FoldConvolutions.h"

#include "compiler/outline/MatchConvolution.h"
#include "dialects/stablehlo/Matchers.h"

using namespace mlir;
using namespace ps;
using ::stablehlo::ConvDimensionNumbersAttr;

namespace {

/// The dimensions of one tensor of a convolution.
struct Roles {
  int64_t first, second;
  SmallVector<int64_t> spatial;

  /// Each dimension d becomes `permutation[d]`.
  Roles permuted(ArrayRef<int64_t> permutation) const {
    return {permutation[first], permutation[second],
            llvm::map_to_vector(spatial,
                                [&](int64_t dim) { return permutation[dim]; })};
  }
};

/// The dimension numbers of a convolution in parts.
struct Numbers {
  Roles input, kernel, output;

  explicit Numbers(ConvDimensionNumbersAttr dims)
      : input{dims.getInputBatchDimension(), dims.getInputFeatureDimension(),
              SmallVector<int64_t>(dims.getInputSpatialDimensions())},
        kernel{dims.getKernelInputFeatureDimension(),
               dims.getKernelOutputFeatureDimension(),
               SmallVector<int64_t>(dims.getKernelSpatialDimensions())},
        output{dims.getOutputBatchDimension(), dims.getOutputFeatureDimension(),
               SmallVector<int64_t>(dims.getOutputSpatialDimensions())} {}

  ConvDimensionNumbersAttr get(MLIRContext *context) const {
    return ConvDimensionNumbersAttr::get(
        context, input.first, input.second, input.spatial, kernel.first,
        kernel.second, kernel.spatial, output.first, output.second,
        output.spatial);
  }
};

/// convolution(transpose(x), transpose(w)) -> convolution(x, w).
struct FoldTransposedOperands : OpRewritePattern<stablehlo::ConvolutionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(stablehlo::ConvolutionOp op,
                                PatternRewriter &rewriter) const override {
    auto lhs = op.getLhs().getDefiningOp<stablehlo::TransposeOp>();
    auto rhs = op.getRhs().getDefiningOp<stablehlo::TransposeOp>();
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(op, "no operand to fold");
    Numbers numbers(op.getDimensionNumbers());
    if (lhs)
      numbers.input = numbers.input.permuted(lhs.getPermutation());
    if (rhs)
      numbers.kernel = numbers.kernel.permuted(rhs.getPermutation());
    rewriter.modifyOpInPlace(op, [&] {
      if (lhs)
        op.getLhsMutable().assign(lhs.getOperand());
      if (rhs)
        op.getRhsMutable().assign(rhs.getOperand());
      op.setDimensionNumbersAttr(numbers.get(op.getContext()));
    });
    return success();
  }
};

/// transpose(convolution(x, w)) -> convolution(x, w) to other dimensions.
struct FoldTransposedResult : OpRewritePattern<stablehlo::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(stablehlo::TransposeOp transpose,
                                PatternRewriter &rewriter) const override {
    auto op = transpose.getOperand().getDefiningOp<stablehlo::ConvolutionOp>();
    if (!op || !op->hasOneUse())
      return rewriter.notifyMatchFailure(transpose, "not of a convolution");
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    SmallVector<int64_t> inverse(permutation.size());
    for (auto [to, from] : llvm::enumerate(permutation))
      inverse[from] = to;
    Numbers numbers(op.getDimensionNumbers());
    numbers.output = numbers.output.permuted(inverse);
    rewriter.replaceOpWithNewOp<stablehlo::ConvolutionOp>(
        transpose, transpose.getType(), op.getLhs(), op.getRhs(),
        op.getWindow(), numbers.get(op.getContext()), op.getFeatureGroupCount(),
        op.getBatchGroupCount(), op.getPrecisionConfigAttr());
    return success();
  }
};

/// convolution(x, reverse(w)) -> convolution(x, w) with a reversed window.
struct FoldReversedKernel : OpRewritePattern<stablehlo::ConvolutionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(stablehlo::ConvolutionOp op,
                                PatternRewriter &rewriter) const override {
    auto reverse = op.getRhs().getDefiningOp<stablehlo::ReverseOp>();
    if (!reverse)
      return rewriter.notifyMatchFailure(op, "the kernel is not reversed");
    ArrayRef<int64_t> spatial =
        op.getDimensionNumbers().getKernelSpatialDimensions();
    auto window = op.getWindow();
    for (int64_t dim : reverse.getDimensions()) {
      const auto *found = llvm::find(spatial, dim);
      if (found == spatial.end())
        return rewriter.notifyMatchFailure(op, "features are reversed");
      bool &isReversed = window[found - spatial.begin()].isReversed;
      isReversed = !isReversed;
    }
    rewriter.replaceOpWithNewOp<stablehlo::ConvolutionOp>(
        op, op.getType(), op.getLhs(), reverse.getOperand(), window,
        op.getDimensionNumbers(), op.getFeatureGroupCount(),
        op.getBatchGroupCount(), op.getPrecisionConfigAttr());
    return success();
  }
};

} // namespace

void ps::populateConvolutionFolds(RewritePatternSet &patterns) {
  patterns
      .add<FoldTransposedOperands, FoldTransposedResult, FoldReversedKernel>(
          patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Kernels that are reversed in memory
//===----------------------------------------------------------------------===//

/// The convolution by a kernel that is reversed where the window is not as
/// `isReversed` says; before `op`, which it leaves. Null where that is `op`.
static stablehlo::ConvolutionOp emitReversed(stablehlo::ConvolutionOp op,
                                             bool isReversed) {
  OpBuilder builder(op);
  auto window = op.getWindow();
  SmallVector<int64_t> reversed;
  for (auto [axis, dim] :
       llvm::zip(window, op.getDimensionNumbers().getKernelSpatialDimensions()))
    if (axis.isReversed != isReversed) {
      axis.isReversed = isReversed;
      reversed.push_back(dim);
    }
  if (reversed.empty())
    return {};
  Value kernel =
      builder.create<stablehlo::ReverseOp>(op.getLoc(), op.getRhs(), reversed);
  return builder.create<stablehlo::ConvolutionOp>(
      op.getLoc(), op.getType(), op.getLhs(), kernel, window,
      op.getDimensionNumbers(), op.getFeatureGroupCount(),
      op.getBatchGroupCount(), op.getPrecisionConfigAttr());
}

/// The derivative by the input has a reversed window, the others have none.
void ps::reverseKernels(func::FuncOp function) {
  SmallVector<stablehlo::ConvolutionOp> ops;
  function.walk([&](stablehlo::ConvolutionOp op) {
    if (!matchConvolution(op))
      ops.push_back(op);
  });
  for (stablehlo::ConvolutionOp op : ops) {
    const bool isDilated = llvm::any_of(op.getWindow(), [](const auto &axis) {
      return axis.baseDilation != 1;
    });
    stablehlo::ConvolutionOp reversed = emitReversed(op, isDilated);
    if (!reversed)
      continue;
    if (matchConvolution(reversed)) {
      op.replaceAllUsesWith(reversed.getResult());
      op.erase();
      continue;
    }
    Operation *reverse = reversed.getRhs().getDefiningOp();
    reversed.erase();
    reverse->erase();
  }
}
