// SPDX-License-Identifier: Apache-2.0
//===- SampleRules.h - how each op propagates the use of samples ----------===//
//
// The rules of Separability: one function per op or family of ops, from the
// uses of its operands to those of its results. Elementwise ops, sums and
// products are in SampleArithmetic.cpp, data movement is in SampleMoves.cpp,
// and convolutions and pools are in SampleWindows.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_TRAINING_SAMPLERULES_H
#define PS_COMPILER_TRAINING_SAMPLERULES_H

#include "compiler/training/Separability.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"

namespace ps {

/// The index of the first `entry` in `list`.
inline std::optional<int64_t> indexOf(llvm::ArrayRef<int64_t> list,
                                      int64_t entry) {
  auto found = llvm::find(list, entry);
  if (found == list.end())
    return std::nullopt;
  return found - list.begin();
}

class SampleRules {
public:
  explicit SampleRules(Separability &result) : result(result) {}

  /// Finds the batch, and the uses of the arguments of `function`.
  void visitArguments(mlir::func::FuncOp function);
  /// Finds the uses of the results of `op` from those of its operands.
  void visit(mlir::Operation *op);

private:
  using Op = mlir::Operation *;

  // Constants, variables and tables
  SampleUse constant(stablehlo::ConstantOp op);
  SampleUse iota(stablehlo::IotaOp op);
  SampleUse dimensionSize(stablehlo::GetDimensionSizeOp op);
  SampleUse read(ReadOp op);
  SampleUse lookup(LookupOp op);
  SampleUse lookupGradient(LookupGradientOp op);
  SampleUse mergeRows(MergeRowsOp op);

  // Arithmetic
  SampleUse elementwise(Op op);
  SampleUse elementwiseConstants(Op op);
  SampleUse elementwiseSamples(Op op);
  SampleUse elementwiseSums(Op op);
  SampleUse product(Op op, mlir::Value sum, mlir::Value factor, bool divides);
  std::optional<std::pair<int64_t, int64_t>>
  powersOf(Op op, llvm::ArrayRef<int64_t> shape);
  SampleUse reduce(stablehlo::ReduceOp op, unsigned number);
  SampleUse reduceConstant(stablehlo::ReduceOp op, const SampleUse &input);
  SampleUse reduceSamples(stablehlo::ReduceOp op, const SampleUse &input);
  SampleUse dot(stablehlo::DotGeneralOp op);
  SampleUse dotConstants(stablehlo::DotGeneralOp op);
  SampleUse dotSamples(stablehlo::DotGeneralOp op, bool samplesAreLhs);
  SampleUse dotPairs(stablehlo::DotGeneralOp op);
  SampleUse cholesky(stablehlo::CholeskyOp op);
  SampleUse triangularSolve(stablehlo::TriangularSolveOp op);

  // Windows
  SampleUse convolution(stablehlo::ConvolutionOp op);
  SampleUse convolutionSamples(stablehlo::ConvolutionOp op);
  SampleUse convolutionPairs(stablehlo::ConvolutionOp op);
  SampleUse reduceWindow(stablehlo::ReduceWindowOp op);
  SampleUse reduceConstantWindow(stablehlo::ReduceWindowOp op);
  SampleUse selectAndScatter(stablehlo::SelectAndScatterOp op);

  // Data movement
  SampleUse reshape(stablehlo::ReshapeOp op);
  SampleUse broadcast(stablehlo::BroadcastInDimOp op);
  SampleUse transpose(stablehlo::TransposeOp op);
  SampleUse reverse(stablehlo::ReverseOp op);
  SampleUse slice(stablehlo::SliceOp op);
  SampleUse dynamicSlice(stablehlo::DynamicSliceOp op);
  SampleUse dynamicUpdateSlice(stablehlo::DynamicUpdateSliceOp op);
  SampleUse sort(Op op, int64_t dim);
  SampleUse pad(stablehlo::PadOp op);
  SampleUse concatenate(stablehlo::ConcatenateOp op);
  std::optional<std::pair<int64_t, int64_t>>
  placeIn(stablehlo::ConcatenateOp op, int64_t dim);
  SampleUse gatherFromSamples(stablehlo::GatherOp op);
  SampleUse gather(stablehlo::GatherOp op);
  SampleUse scatter(stablehlo::ScatterOp op);
  SampleUse scatterConstants(stablehlo::ScatterOp op);
  SampleUse scatterFixed(stablehlo::ScatterOp op, bool adds);
  SampleUse scatterBySample(stablehlo::ScatterOp op, bool adds);

  // Shared by the rules
  const SampleUse &get(mlir::Value value) const { return result.get(value); }
  SampleUse mixed(Op op, const llvm::Twine &reason) const;
  /// The first operand that is Mixed, or null.
  const SampleUse *findMixed(Op op) const;
  bool allConstant(Op op) const;
  /// Whether an operand, all of which are constant, grows with the batch size.
  bool hidesPower(Op op) const;
  /// A constant whose elements may all differ.
  SampleUse anyConstant(mlir::Type type) const;
  SampleUse perSample(int64_t dim, int64_t inner, const SampleUse &like) const;
  /// Records that a dimension of `size` was summed over.
  static void fold(SampleUse &use, int64_t size);
  /// Sum of what `samples` is for each sample.
  SampleUse sumOf(const SampleUse &samples, Op op) const;
  /// Whether a constant is the same for all samples along `dim`.
  static bool isUniform(const SampleUse &use, int64_t dim);
  /// The common degree in B of `uses`, zeros left out: that of a Sum is one
  /// more than its power. Lowest and highest; nothing where they differ.
  static std::optional<std::pair<int64_t, int64_t>>
  commonDegree(llvm::ArrayRef<SampleUse> uses);
  /// The sizes of `type`, with a number for `?`.
  llvm::SmallVector<int64_t> sizesOf(mlir::Value value) const;
  /// Whether dividing a sum over samples, and over dimensions of `sizes`, by
  /// `divisor` may compute the mean over a fixed batch.
  bool dividesByBatch(double divisor, llvm::ArrayRef<int64_t> sizes) const;
  /// `use`, where a constant that is combined with samples of `shape` also
  /// gets the powers of B that it may stand for.
  SampleUse withBatchConstants(SampleUse use,
                               llvm::ArrayRef<int64_t> shape) const;

  Separability &result;
  /// Variables to which the ops visited so far assign values that depend on
  /// samples.
  llvm::DenseSet<mlir::Attribute> assignedFromSamples;
  /// The batch size B, or a large prime in its place where it is `?`.
  int64_t batch = 1000003;
};

} // namespace ps

#endif // PS_COMPILER_TRAINING_SAMPLERULES_H
