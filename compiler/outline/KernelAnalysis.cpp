// SPDX-License-Identifier: Apache-2.0
//===- KernelAnalysis.cpp - how an op treats the rows of its tensors ------===//
//
// A row is an index of dimension 0. An op works by rows if row i of its results
// depends on row i of the operands that are taken by row, and otherwise only on
// operands taken whole: any range of rows can then be computed alone, which is
// what splits a kernel over threads and runs it as an epilogue. matchGemm
// recognizes the products that oneDNN computes without a copy.
//
//===----------------------------------------------------------------------===//

#include "compiler/outline/KernelAnalysis.h"
#include "compiler/outline/MatchConvolution.h"
#include "dialects/stablehlo/WindowDims.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ps;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

int64_t ps::getRows(Value value) { return tensorType(value).getDimSize(0); }

static bool isElementwise(Operation *op) {
  return op->hasTrait<::stablehlo::Elementwise>();
}

/// Whether the operand's rows become the result's rows.
static bool broadcastsRows(stablehlo::BroadcastInDimOp op) {
  ArrayRef<int64_t> dims = op.getBroadcastDimensions();
  return !dims.empty() && dims.front() == 0 &&
         getRows(op.getOperand()) == getRows(op.getResult());
}

static bool reducesRows(stablehlo::ReduceOp op) {
  return llvm::is_contained(op.getDimensions(), 0);
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// Whether an op that only moves elements leaves them in their row.
static bool keepsRows(Operation *op) {
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op))
    return tensorType(reshape.getOperand()).getRank() > 0 &&
           getRows(reshape.getOperand()) == getRows(reshape.getResult());
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op))
    return transpose.getPermutation().front() == 0;
  if (auto reverse = dyn_cast<stablehlo::ReverseOp>(op))
    return !llvm::is_contained(reverse.getDimensions(), 0);
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op))
    return slice.getStrides().front() == 1 &&
           getRows(slice.getOperand()) == getRows(slice.getResult());
  if (auto pad = dyn_cast<stablehlo::PadOp>(op))
    return pad.getEdgePaddingLow().front() == 0 &&
           pad.getEdgePaddingHigh().front() == 0 &&
           pad.getInteriorPadding().front() == 0;
  if (auto concatenate = dyn_cast<stablehlo::ConcatenateOp>(op))
    return concatenate.getDimension() != 0;
  return false;
}

/// Whether each row of a gather's result has index vectors in one row of the
/// start indices, and takes all of the operand or that row of it.
static bool gathersByRows(stablehlo::GatherOp op) {
  stablehlo::WindowDims dims(op.getDimensionNumbers());
  if (llvm::is_contained(dims.window, 0) || dims.indexVectorDim == 0)
    return false;
  const auto *row = llvm::find(dims.indicesBatching, 0);
  return row == dims.indicesBatching.end() ||
         dims.operandBatching[row - dims.indicesBatching.begin()] == 0;
}

/// Whether windows have one element along the rows, and a place for each.
static bool movesWithinRows(ArrayRef<stablehlo::WindowAxis> window) {
  return !window.empty() && window.front().size == 1 &&
         window.front().isPlain();
}

/// Whether the rows of a convolution are its batch.
static bool convolvesRows(stablehlo::ConvolutionOp op) {
  auto dims = op.getDimensionNumbers();
  return dims.getInputBatchDimension() == 0 &&
         dims.getOutputBatchDimension() == 0 && op.getBatchGroupCount() == 1;
}

/// A rank-0 result has no rows to split.
static bool worksByRows(Operation *op) {
  if (llvm::any_of(op->getResultTypes(), [](Type type) {
        return cast<RankedTensorType>(type).getRank() == 0;
      }))
    return false;
  if (isElementwise(op))
    return true;
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    // Rows that land in another dimension are taken as a whole.
    ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
    auto row = llvm::find(dims, 0);
    return row == dims.end() || row == dims.begin() ||
           tensorType(broadcast.getOperand()).getDimSize(row - dims.begin()) ==
               1;
  }
  if (auto iota = dyn_cast<stablehlo::IotaOp>(op))
    return iota.getIotaDimension() != 0;
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
    return !reducesRows(reduce);
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
    return gathersByRows(gather);
  if (auto reduce = dyn_cast<stablehlo::ReduceWindowOp>(op))
    return movesWithinRows(reduce.getWindow());
  if (auto select = dyn_cast<stablehlo::SelectAndScatterOp>(op))
    return movesWithinRows(select.getWindow());
  if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op))
    return convolvesRows(convolution);
  return keepsRows(op);
}

static bool multipliesF32(stablehlo::DotGeneralOp dot) {
  return tensorType(dot.getLhs()).getElementType().isF32();
}

/// Products and convolutions that are not oneDNN's (integers, f64, permuted
/// dimensions) become kernels.
OpClass ps::classifyOp(Operation *op, bool forDevice) {
  if (!isa_and_nonnull<stablehlo::StablehloDialect>(op->getDialect()) ||
      isa<stablehlo::CustomCallOp, stablehlo::ConstantOp>(op))
    return OpClass::Outside;
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op))
    return matchGemm(dot) && (forDevice || multipliesF32(dot))
               ? OpClass::Outside
               : OpClass::Whole;
  if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op))
    if (!forDevice && matchConvolution(convolution))
      return OpClass::Outside;
  if (worksByRows(op))
    return OpClass::Row;
  if (isa<stablehlo::ReshapeOp>(op))
    return OpClass::Outside; // a view
  if (isElementwise(op))
    return OpClass::Scalar;
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
    return reducesRows(reduce) ? OpClass::Reduce : OpClass::Whole;
  return OpClass::Whole;
}

/// For an op that works by rows: whether row i of the operand suffices for row
/// i of the result. Scalars, kernels of convolutions and tables of a gather are
/// taken whole.
bool ps::isTakenByRow(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (tensorType(operand.get()).getRank() == 0)
    return false;
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op))
    return broadcastsRows(broadcast);
  if (isa<stablehlo::ConvolutionOp>(op))
    return operand.getOperandNumber() == 0;
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
    return operand.getOperandNumber() == 1 ||
           llvm::is_contained(
               gather.getDimensionNumbers().getStartIndicesBatchingDims(), 0);
  return true;
}

/// Cheap enough to repeat in every kernel that uses it: a pass over memory
/// costs more than computing these again from constants.
bool ps::isCheapOp(Operation *op) {
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (isElementwise(op) && tensorType(op->getResult(0)).getRank() == 0)
    return true;
  return isa<stablehlo::IotaOp, stablehlo::BroadcastInDimOp,
             stablehlo::ConvertOp, stablehlo::CompareOp, stablehlo::SelectOp,
             stablehlo::AddOp, stablehlo::SubtractOp, stablehlo::MulOp,
             stablehlo::NegOp, stablehlo::AndOp, stablehlo::OrOp,
             stablehlo::NotOp>(op);
}

/// Where a slice begins.
bool ps::isPassed(OpOperand &operand) {
  auto isStart = [&](ValueRange starts) {
    return !starts.empty() &&
           operand.getOperandNumber() >=
               operand.getOwner()->getNumOperands() - starts.size();
  };
  if (!operand.get().getDefiningOp<stablehlo::ConstantOp>())
    return false;
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(operand.getOwner()))
    return isStart(slice.getStartIndices());
  if (auto update =
          dyn_cast<stablehlo::DynamicUpdateSliceOp>(operand.getOwner()))
    return isStart(update.getStartIndices());
  return false;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

bool ps::isLibraryTensor(Value tensor) {
  RankedTensorType type = tensorType(tensor);
  return type.getElementType().isF32() && type.hasStaticShape() &&
         type.getNumElements() != 0;
}

namespace {
/// One operand as (batch, free, contracted) or (batch, contracted, free).
struct DotOperand {
  int64_t free = 1, contracted = 1;
  bool contractedLast = false, contractedFirst = false;
};
} // namespace

static bool isConsecutive(ArrayRef<int64_t> dims, int64_t begin) {
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim != begin + int64_t(i))
      return false;
  return true;
}

/// Nullopt if the operand would have to be transposed in memory first.
static std::optional<DotOperand>
matchDotOperand(RankedTensorType type, ArrayRef<int64_t> batching,
                ArrayRef<int64_t> contracting) {
  if (!isConsecutive(batching, 0))
    return std::nullopt;
  int64_t numBatching = batching.size();
  DotOperand operand;
  operand.contractedFirst = isConsecutive(contracting, numBatching);
  operand.contractedLast =
      isConsecutive(contracting, type.getRank() - contracting.size());
  if (!operand.contractedFirst && !operand.contractedLast)
    return std::nullopt;
  for (int64_t dim = numBatching; dim < type.getRank(); ++dim)
    (llvm::is_contained(contracting, dim) ? operand.contracted
                                          : operand.free) *=
        type.getDimSize(dim);
  return operand;
}

bool ps::isGemmOperand(RankedTensorType type, ArrayRef<int64_t> batching,
                       ArrayRef<int64_t> contracting) {
  return matchDotOperand(type, batching, contracting).has_value();
}

/// The shape of the product as a library computes it, nullopt if it cannot:
/// other types than f32, or bf16 with a result of f32, operands whose
/// dimensions do not collapse to matrices, or an empty product.
std::optional<GemmShape> ps::matchGemm(stablehlo::DotGeneralOp op) {
  RankedTensorType lhs = tensorType(op.getLhs()), rhs = tensorType(op.getRhs());
  RankedTensorType result = tensorType(op.getResult());
  Type multiplied = lhs.getElementType();
  if ((!multiplied.isF32() && !multiplied.isBF16()) ||
      rhs.getElementType() != multiplied || !result.getElementType().isF32() ||
      !result.hasStaticShape())
    return std::nullopt;
  stablehlo::DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  auto a = matchDotOperand(lhs, dims.getLhsBatchingDimensions(),
                           dims.getLhsContractingDimensions());
  auto b = matchDotOperand(rhs, dims.getRhsBatchingDimensions(),
                           dims.getRhsContractingDimensions());
  if (!a || !b)
    return std::nullopt;
  GemmShape shape;
  shape.batch = 1;
  for (int64_t dim : dims.getLhsBatchingDimensions())
    shape.batch *= lhs.getDimSize(dim);
  shape.m = a->free;
  shape.n = b->free;
  shape.k = a->contracted;
  shape.transposeA = !a->contractedLast;
  shape.transposeB = !b->contractedFirst;
  if (shape.batch == 0 || shape.m == 0 || shape.n == 0 || shape.k == 0)
    return std::nullopt; // an empty sum is zero: the kernel compiler knows
  return shape;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Whether element i of the results depends only on element i of arguments of
/// their shape and on broadcast ones. The element types may differ, but then no
/// memory is shared (mayShareMemory).
bool ps::isElementwiseKernel(func::FuncOp kernel) {
  if (kernel.isDeclaration() || kernel.getNumResults() == 0)
    return false;
  Type shape;
  auto hasShape = [&](Type type) {
    auto tensor = cast<RankedTensorType>(type).clone(
        IntegerType::get(type.getContext(), 1));
    if (!shape)
      shape = tensor;
    return shape == tensor;
  };
  if (!llvm::all_of(kernel.getResultTypes(), hasShape))
    return false;
  for (Operation &op : kernel.front().without_terminator()) {
    if (isa<stablehlo::ConstantOp, stablehlo::IotaOp>(op))
      continue;
    if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
      // Must not read what an aliased result may overwrite.
      if (hasShape(broadcast.getOperand().getType()))
        return false;
      continue;
    }
    RankedTensorType type = tensorType(op.getResult(0));
    if (!isElementwise(&op) || (type.getRank() != 0 && !hasShape(type)))
      return false;
  }
  return true;
}

bool ps::mayShareMemory(func::FuncOp kernel, unsigned argument,
                        unsigned result) {
  FunctionType type = kernel.getFunctionType();
  return type.getInput(argument) == type.getResult(result) &&
         isElementwiseKernel(kernel);
}
