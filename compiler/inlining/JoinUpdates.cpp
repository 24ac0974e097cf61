// SPDX-License-Identifier: Apache-2.0
//===- JoinUpdates.cpp - joins updates at constant places -----------------===//
//
// A loop that stacks what its iterations compute writes one slice of a buffer
// after the other. Once it is unrolled, each of these dynamic_update_slices
// would copy the whole buffer.
//
//  1. forwardSlices: a slice that was written before is the update itself.
//  2. isLast: of updates that follow each other, the last one is replaced; the
//     others are then unused.
//  3. takePieces: from the last update to the first, each gives the part that
//     no later one writes; what they were written to gives the rest.
//  4. joinPieces: concatenates them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/stablehlo/Matchers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <map>

namespace ps {
#define GEN_PASS_DEF_JOINUPDATES
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace stablehlo;

namespace {

/// The indices [begin, end) of dimension `dim` that an update writes, with all
/// indices of the other dimensions.
struct Range {
  int64_t dim, begin, end;
};

/// A part of the joined tensor: `value` from index `from` of the dimension on.
struct Piece {
  int64_t begin, end;
  Value value;
  int64_t from;
};

struct JoinUpdates : ps::impl::JoinUpdatesBase<JoinUpdates> {
  void runOnOperation() override;

private:
  bool forwardSlices(SliceOp slice);
  bool isLast(DynamicUpdateSliceOp update) const;
  SmallVector<Piece> takePieces(DynamicUpdateSliceOp last) const;
};

} // namespace

/// What `update` writes, if constants determine that and it is all of every
/// dimension but one at most.
static std::optional<Range> getRange(DynamicUpdateSliceOp update) {
  RankedTensorType type = typeOf(update.getOperand());
  RankedTensorType part = typeOf(update.getUpdate());
  auto starts =
      getConstantStarts(update.getStartIndices(), type, part.getShape());
  if (!starts || type.getRank() == 0 || update.getType() != type)
    return std::nullopt;
  std::optional<int64_t> cut;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (part.getDimSize(dim) == type.getDimSize(dim))
      continue;
    if (cut || type.isDynamicDim(dim) || part.isDynamicDim(dim))
      return std::nullopt;
    cut = dim;
  }
  int64_t dim = cut.value_or(0);
  // The whole of a batch dimension is replaced by canonicalization. Nothing has
  // no pieces.
  if (type.isDynamicDim(dim) || type.getDimSize(dim) == 0)
    return std::nullopt;
  int64_t begin = (*starts)[dim];
  return Range{dim, begin, begin + part.getDimSize(dim)};
}

/// Moves `slice` down to the update that wrote it, or past those that did not.
/// Returns whether it moved.
bool JoinUpdates::forwardSlices(SliceOp slice) {
  bool moved = false;
  while (auto update =
             slice.getOperand().getDefiningOp<DynamicUpdateSliceOp>()) {
    std::optional<Range> range = getRange(update);
    if (!range)
      break;
    SmallVector<int64_t> starts(slice.getStartIndices());
    SmallVector<int64_t> limits(slice.getLimitIndices());
    int64_t &start = starts[range->dim], &limit = limits[range->dim];
    if (start >= range->end || limit <= range->begin) {
      slice.setOperand(update.getOperand());
      moved = true;
      continue;
    }
    if (start < range->begin || limit > range->end)
      break;
    start -= range->begin;
    limit -= range->begin;
    slice.setOperand(update.getUpdate());
    slice.setStartIndices(starts);
    slice.setLimitIndices(limits);
    moved = true;
  }
  return moved;
}

bool JoinUpdates::isLast(DynamicUpdateSliceOp update) const {
  std::optional<Range> range = getRange(update);
  return range && !llvm::all_of(update->getUses(), [&](OpOperand &use) {
           auto next = dyn_cast<DynamicUpdateSliceOp>(use.getOwner());
           std::optional<Range> other = next && use.getOperandNumber() == 0
                                            ? getRange(next)
                                            : std::nullopt;
           return other && other->dim == range->dim;
         });
}

SmallVector<Piece> JoinUpdates::takePieces(DynamicUpdateSliceOp last) const {
  const int64_t dim = getRange(last)->dim;
  SmallVector<Piece> pieces;
  // The first index of each to its end.
  std::map<int64_t, int64_t> missing = {{0, typeOf(last).getDimSize(dim)}};
  auto take = [&](int64_t begin, int64_t end, Value value) {
    auto next = missing.upper_bound(begin);
    if (next != missing.begin())
      --next;
    while (next != missing.end() && next->first < end) {
      auto [first, limit] = *next;
      int64_t from = std::max(first, begin), to = std::min(limit, end);
      if (from >= to) {
        ++next;
        continue;
      }
      pieces.push_back({from, to, value, from - begin});
      next = missing.erase(next);
      if (first < from)
        missing[first] = from;
      if (to < limit)
        next = missing.emplace(to, limit).first;
    }
  };
  Value base = last;
  while (auto update = base.getDefiningOp<DynamicUpdateSliceOp>()) {
    std::optional<Range> range = getRange(update);
    if (!range || range->dim != dim || (update != last && isLast(update)))
      break;
    take(range->begin, range->end, update.getUpdate());
    base = update.getOperand();
  }
  take(0, typeOf(last).getDimSize(dim), base);
  llvm::sort(pieces,
             [](const Piece &a, const Piece &b) { return a.begin < b.begin; });
  return pieces;
}

/// The part of its value that a piece is; of a repeated constant, a smaller
/// one.
static Value emitPiece(OpBuilder &builder, Location loc, const Piece &piece,
                       int64_t dim) {
  RankedTensorType type = typeOf(piece.value);
  if (piece.end - piece.begin == type.getDimSize(dim))
    return piece.value;
  SmallVector<int64_t> shape(type.getShape()), starts(type.getRank(), 0);
  SmallVector<int64_t> strides(type.getRank(), 1);
  shape[dim] = piece.end - piece.begin;
  auto partType = RankedTensorType::get(shape, type.getElementType());
  if (auto repeated = dyn_cast_or_null<TypedAttr>(getRepeated(piece.value))) {
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value element = builder.create<ConstantOp>(
        loc, DenseElementsAttr::get(scalar, Attribute(repeated)));
    return builder.create<BroadcastInDimOp>(loc, partType, element,
                                            ArrayRef<int64_t>());
  }
  SmallVector<int64_t> limits(shape);
  starts[dim] = piece.from;
  limits[dim] += piece.from;
  return builder.create<SliceOp>(loc, partType, piece.value, starts, limits,
                                 strides);
}

static Value joinPieces(DynamicUpdateSliceOp last, ArrayRef<Piece> pieces) {
  const int64_t dim = getRange(last)->dim;
  OpBuilder builder(last);
  SmallVector<Value> parts;
  for (const Piece &piece : pieces)
    parts.push_back(emitPiece(builder, last.getLoc(), piece, dim));
  if (parts.size() == 1)
    return parts.front();
  return builder.create<ConcatenateOp>(last.getLoc(), last.getType(), parts,
                                       dim);
}

void JoinUpdates::runOnOperation() {
  func::FuncOp function = getOperation();
  bool changed = false;
  function.walk([&](SliceOp slice) { changed |= forwardSlices(slice); });
  SmallVector<DynamicUpdateSliceOp> joined;
  function.walk([&](DynamicUpdateSliceOp update) {
    if (isLast(update))
      joined.push_back(update);
  });
  for (DynamicUpdateSliceOp update : joined) {
    update.replaceAllUsesWith(joinPieces(update, takePieces(update)));
    update.erase();
  }
  if (!changed && joined.empty())
    return;
  OpPassManager cleanup(func::FuncOp::getOperationName());
  cleanup.addPass(createCanonicalizerPass());
  if (failed(runPipeline(cleanup, function)))
    signalPassFailure();
}
