// SPDX-License-Identifier: Apache-2.0
//===- FoldProducts.cpp - transposes around matrix products ---------------===//

#include "compiler/outline/FoldProducts.h"
#include "compiler/outline/KernelAnalysis.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ps;

namespace {

/// Dimension d of transpose(x) is dimension permutation[d] of x.
SmallVector<int64_t> permuteDims(ArrayRef<int64_t> dims,
                                 stablehlo::TransposeOp transpose) {
  SmallVector<int64_t> result;
  for (int64_t dim : dims)
    result.push_back(transpose.getPermutation()[dim]);
  return result;
}

/// Whether a library multiplies the matrices of `dot` faster than a kernel,
/// were its dimensions in order: each element that is moved for it has to be
/// used several times, and many small matrices take it longer. Measured with
/// oneDNN, for an attention: 0.6 x as fast at 4 x 4 x 16, as fast at 8 x 8 x 64
/// and 16 x 16 x 16, twice at 64 x 64 x 32.
static bool isForLibrary(stablehlo::DotGeneralOp dot) {
  constexpr int64_t fewestUses = 4, fewestProducts = 4096;
  RankedTensorType lhs = dot.getLhs().getType(), rhs = dot.getRhs().getType();
  stablehlo::DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
  auto count = [&](ArrayRef<int64_t> ofLhs) {
    int64_t product = 1;
    for (int64_t dim : ofLhs)
      product *= lhs.getDimSize(dim);
    return product;
  };
  const int64_t k = count(dims.getLhsContractingDimensions());
  const int64_t inBoth = count(dims.getLhsBatchingDimensions()) * k;
  if (!lhs.hasStaticShape() || !rhs.hasStaticShape() || inBoth == 0)
    return false;
  const int64_t m = lhs.getNumElements() / inBoth;
  const int64_t n = rhs.getNumElements() / inBoth;
  return std::min(m, n) >= fewestUses &&
         double(m) * double(n) * double(k) >= fewestProducts;
}

/// dot(transpose(x), y) -> dot(x, y) over other dimensions of x, where the
/// free dimensions keep their order, and where no product that is a library's
/// becomes one of a kernel.
struct FoldTransposedOperand : OpRewritePattern<stablehlo::DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;

  // The product's result lists free dimensions in the operand's order, so
  // folding must not change it; the order of the others is in the attribute.
  static bool keepsFreeOrder(stablehlo::TransposeOp transpose,
                             ArrayRef<int64_t> batching,
                             ArrayRef<int64_t> contracting) {
    int64_t last = -1;
    for (auto [dim, source] : llvm::enumerate(transpose.getPermutation())) {
      if (llvm::is_contained(batching, int64_t(dim)) ||
          llvm::is_contained(contracting, int64_t(dim)))
        continue;
      if (source < last)
        return false;
      last = source;
    }
    return true;
  }

  // A transpose in memory costs less than a product without the library.
  static bool keepsGemm(stablehlo::TransposeOp transpose,
                        ArrayRef<int64_t> batching,
                        ArrayRef<int64_t> contracting) {
    Type element = transpose.getType().getElementType();
    return (!element.isF32() && !element.isBF16()) ||
           !isGemmOperand(transpose.getType(), batching, contracting) ||
           isGemmOperand(
               cast<RankedTensorType>(transpose.getOperand().getType()),
               permuteDims(batching, transpose),
               permuteDims(contracting, transpose));
  }

  static stablehlo::TransposeOp findTranspose(stablehlo::DotGeneralOp dot,
                                              Value operand,
                                              ArrayRef<int64_t> batching,
                                              ArrayRef<int64_t> contracting) {
    auto transpose = operand.getDefiningOp<stablehlo::TransposeOp>();
    return transpose && keepsFreeOrder(transpose, batching, contracting) &&
                   (keepsGemm(transpose, batching, contracting) ||
                    !isForLibrary(dot))
               ? transpose
               : stablehlo::TransposeOp();
  }

  // Folds whichever operands it can in one step.
  LogicalResult matchAndRewrite(stablehlo::DotGeneralOp dot,
                                PatternRewriter &rewriter) const override {
    stablehlo::DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    stablehlo::TransposeOp lhs =
        findTranspose(dot, dot.getLhs(), dims.getLhsBatchingDimensions(),
                      dims.getLhsContractingDimensions());
    stablehlo::TransposeOp rhs =
        findTranspose(dot, dot.getRhs(), dims.getRhsBatchingDimensions(),
                      dims.getRhsContractingDimensions());
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(dot, "no operand to fold");
    auto permute = [](ArrayRef<int64_t> dims, stablehlo::TransposeOp op) {
      return op ? permuteDims(dims, op) : SmallVector<int64_t>(dims);
    };
    auto folded = stablehlo::DotDimensionNumbersAttr::get(
        dot.getContext(), permute(dims.getLhsBatchingDimensions(), lhs),
        permute(dims.getRhsBatchingDimensions(), rhs),
        permute(dims.getLhsContractingDimensions(), lhs),
        permute(dims.getRhsContractingDimensions(), rhs));
    rewriter.modifyOpInPlace(dot, [&] {
      if (lhs)
        dot.getLhsMutable().assign(lhs.getOperand());
      if (rhs)
        dot.getRhsMutable().assign(rhs.getOperand());
      dot.setDotDimensionNumbersAttr(folded);
    });
    return success();
  }
};

/// dot(x, y) -> dot(transpose(x), transpose(y)) where a library then has the
/// product, as that of attention in jnp.einsum("bqhd,bkhd->bhqk").
struct TransposeForGemm : OpRewritePattern<stablehlo::DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;

  /// An operand in an order that a library reads, and how it is read then.
  /// There is no permutation where it has one.
  struct Aligned {
    Value value;
    SmallVector<int64_t> permutation, batching, contracting;
  };

  static Aligned align(Value operand, ArrayRef<int64_t> batching,
                       ArrayRef<int64_t> contracting) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (isGemmOperand(type, batching, contracting))
      return {
          operand, {}, llvm::to_vector(batching), llvm::to_vector(contracting)};
    SmallVector<int64_t> free, others;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (llvm::is_contained(batching, dim))
        continue;
      others.push_back(dim);
      if (!llvm::is_contained(contracting, dim))
        free.push_back(dim);
    }
    // As they are, if possible: products over other dimensions may share the
    // transpose.
    const size_t count = contracting.size();
    const bool isFirst = ArrayRef(others).take_front(count) == contracting;
    if (!isFirst) {
      others = free;
      llvm::append_range(others, contracting);
    }
    const int64_t from = isFirst ? batching.size() : type.getRank() - count;
    Aligned aligned{operand, llvm::to_vector(batching),
                    llvm::to_vector(llvm::seq<int64_t>(batching.size())),
                    llvm::to_vector(llvm::seq<int64_t>(from, from + count))};
    llvm::append_range(aligned.permutation, others);
    return aligned;
  }

  LogicalResult matchAndRewrite(stablehlo::DotGeneralOp dot,
                                PatternRewriter &rewriter) const override {
    stablehlo::DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    Aligned lhs = align(dot.getLhs(), dims.getLhsBatchingDimensions(),
                        dims.getLhsContractingDimensions());
    Aligned rhs = align(dot.getRhs(), dims.getRhsBatchingDimensions(),
                        dims.getRhsContractingDimensions());
    if (!llvm::all_of(ValueRange{dot.getLhs(), dot.getRhs(), dot.getResult()},
                      isLibraryTensor) ||
        (lhs.permutation.empty() && rhs.permutation.empty()))
      return rewriter.notifyMatchFailure(dot, "a library's, or never one");
    if (!isForLibrary(dot))
      return rewriter.notifyMatchFailure(dot, "a kernel is as fast");
    for (Aligned *side : {&lhs, &rhs})
      if (!side->permutation.empty())
        side->value = rewriter.create<stablehlo::TransposeOp>(
            dot.getLoc(), side->value, side->permutation);
    rewriter.replaceOpWithNewOp<stablehlo::DotGeneralOp>(
        dot, dot.getType(), lhs.value, rhs.value,
        stablehlo::DotDimensionNumbersAttr::get(dot.getContext(), lhs.batching,
                                                rhs.batching, lhs.contracting,
                                                rhs.contracting),
        dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
    return success();
  }
};

/// Pairs of contracted dimensions in the order of one operand, where more
/// operands are then such that a library reads them.
struct OrderContracted : OpRewritePattern<stablehlo::DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(stablehlo::DotGeneralOp dot,
                                PatternRewriter &rewriter) const override {
    stablehlo::DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    ArrayRef<int64_t> lhs = dims.getLhsContractingDimensions();
    ArrayRef<int64_t> rhs = dims.getRhsContractingDimensions();
    auto countRead = [&](ArrayRef<int64_t> ofLhs, ArrayRef<int64_t> ofRhs) {
      return isGemmOperand(dot.getLhs().getType(),
                           dims.getLhsBatchingDimensions(), ofLhs) +
             isGemmOperand(dot.getRhs().getType(),
                           dims.getRhsBatchingDimensions(), ofRhs);
    };
    for (ArrayRef<int64_t> by : {lhs, rhs}) {
      SmallVector<int64_t> order = llvm::to_vector(
          llvm::seq<int64_t>(0, static_cast<int64_t>(by.size())));
      llvm::sort(order, [&](int64_t a, int64_t b) { return by[a] < by[b]; });
      auto inOrder = [&](ArrayRef<int64_t> list) {
        return llvm::map_to_vector(order, [&](int64_t i) { return list[i]; });
      };
      SmallVector<int64_t> ofLhs = inOrder(lhs), ofRhs = inOrder(rhs);
      if (countRead(ofLhs, ofRhs) <= countRead(lhs, rhs))
        continue;
      rewriter.modifyOpInPlace(dot, [&] {
        dot.setDotDimensionNumbersAttr(stablehlo::DotDimensionNumbersAttr::get(
            dot.getContext(), dims.getLhsBatchingDimensions(),
            dims.getRhsBatchingDimensions(), ofLhs, ofRhs));
      });
      return success();
    }
    return rewriter.notifyMatchFailure(dot, "no better order");
  }
};

/// transpose(dot(x, y)) -> dot(y, x) for matrices.
struct FoldTransposedResult : OpRewritePattern<stablehlo::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(stablehlo::TransposeOp transpose,
                                PatternRewriter &rewriter) const override {
    auto dot = transpose.getOperand().getDefiningOp<stablehlo::DotGeneralOp>();
    if (!dot || !dot->hasOneUse() ||
        cast<RankedTensorType>(dot.getType()).getRank() != 2 ||
        transpose.getPermutation() != ArrayRef<int64_t>{1, 0})
      return rewriter.notifyMatchFailure(transpose, "not of a matrix product");
    stablehlo::DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    if (!dims.getLhsBatchingDimensions().empty() ||
        // One free dimension on the left leaves one on the right: a matrix.
        cast<RankedTensorType>(dot.getLhs().getType()).getRank() !=
            1 + int64_t(dims.getLhsContractingDimensions().size()))
      return rewriter.notifyMatchFailure(transpose, "not one row each");
    // It says what each operand is rounded to.
    if (dot.getAlgorithmAttr())
      return rewriter.notifyMatchFailure(transpose, "has an algorithm");
    auto swapped = stablehlo::DotDimensionNumbersAttr::get(
        dot.getContext(), {}, {}, dims.getRhsContractingDimensions(),
        dims.getLhsContractingDimensions());
    rewriter.replaceOpWithNewOp<stablehlo::DotGeneralOp>(
        transpose, transpose.getType(), dot.getRhs(), dot.getLhs(), swapped,
        swapPrecision(dot.getPrecisionConfigAttr()), /*algorithm=*/nullptr);
    return success();
  }
};

} // namespace

ArrayAttr ps::swapPrecision(ArrayAttr precision) {
  if (!precision)
    return {};
  return ArrayAttr::get(precision.getContext(),
                        llvm::to_vector(llvm::reverse(precision.getValue())));
}

void ps::populateProductFolds(RewritePatternSet &patterns) {
  patterns.add<FoldTransposedOperand, FoldTransposedResult, OrderContracted,
               TransposeForGemm>(patterns.getContext());
}
