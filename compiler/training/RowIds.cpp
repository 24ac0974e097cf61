// SPDX-License-Identifier: Apache-2.0
//===- RowIds.cpp - gathers and scatters of whole rows by id --------------===//
//
// Frameworks write an embedding lookup as a gather with index vectors of one
// element, after conversions and clamps of the ids. These are seen through, so
// that a table is looked up by the ids that the user feeds.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/RowIds.h"
#include "dialects/stablehlo/Matchers.h"

using namespace mlir;
using namespace ps;
using stablehlo::typeOf;

/// Each index addresses one row (dimension 0), whole, and the row's elements
/// are the last dimension of the batch.
bool ps::addressesRows(const ::stablehlo::WindowDims &dims, Value indices,
                       Value batch) {
  int64_t rank = typeOf(indices).getRank();
  bool isVectorLast =
      dims.indexVectorDim == rank || dims.indexVectorDim == rank - 1;
  return isVectorLast && dims.dropped == ArrayRef<int64_t>(0) &&
         dims.indexMap == ArrayRef<int64_t>(0) &&
         dims.operandBatching.empty() &&
         dims.window == ArrayRef<int64_t>(typeOf(batch).getRank() - 1);
}

bool ps::gathersRows(stablehlo::GatherOp op) {
  RankedTensorType table = typeOf(op.getOperand());
  return addressesRows(::stablehlo::WindowDims(op.getDimensionNumbers()),
                       op.getStartIndices(), op.getResult()) &&
         op.getSliceSizes() == ArrayRef<int64_t>{1, table.getDimSize(1)};
}

SmallVector<int64_t> ps::getIdsShape(Value indices, int64_t vectorDim) {
  SmallVector<int64_t> shape(typeOf(indices).getShape());
  shape.resize(vectorDim);
  return shape;
}

/// The ids before an op gave them the last dimension of size 1, or `indices` if
/// none did.
Value ps::stripVectors(Value indices, int64_t vectorDim) {
  Operation *op = indices.getDefiningOp();
  if (vectorDim == typeOf(indices).getRank() || !op)
    return indices;
  auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op);
  bool keepsOrder =
      isa<stablehlo::ReshapeOp>(op) ||
      (broadcast &&
       llvm::equal(broadcast.getBroadcastDimensions(),
                   llvm::seq<int64_t>(typeOf(indices).getRank() - 1)));
  if (!keepsOrder || typeOf(op->getOperand(0)).getShape() !=
                         ArrayRef(getIdsShape(indices, vectorDim)))
    return indices;
  return op->getOperand(0);
}

/// The integer that `value` holds everywhere, if there is one.
static std::optional<int64_t> getInteger(Value value) {
  auto number = dyn_cast_or_null<IntegerAttr>(stablehlo::getRepeated(value));
  if (!number)
    return std::nullopt;
  return number.getValue().getLimitedValue(INT64_MAX);
}

/// Whether each value of the integer type `from` is the same number in `to`.
static bool isWider(Type to, Type from) {
  return isa<IntegerType>(from) && !from.isInteger(1) &&
         (from.isUnsignedInteger() || !to.isUnsignedInteger()) &&
         from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
}

/// Stops at the first op that may change an id's number, except for a clamp to
/// the table's rows, which is only noted.
OriginalIds ps::getOriginalIds(Value ids, int64_t numRows) {
  bool areClamped = false;
  while (Operation *op = ids.getDefiningOp()) {
    RankedTensorType type = typeOf(ids);
    if (auto clamp = dyn_cast<stablehlo::ClampOp>(op)) {
      if (getInteger(clamp.getMin()) != 0 ||
          getInteger(clamp.getMax()) != numRows - 1)
        break;
      areClamped = true;
      ids = clamp.getOperand();
    } else if (auto convert = dyn_cast<stablehlo::ConvertOp>(op)) {
      Value from = convert.getOperand();
      if (!isWider(type.getElementType(), typeOf(from).getElementType()))
        break;
      ids = from;
    } else {
      Value stripped = stripVectors(ids, type.getRank() - 1);
      if (type.getRank() == 0 || type.getShape().back() != 1 || stripped == ids)
        break;
      ids = stripped;
    }
  }
  return {ids, areClamped};
}
