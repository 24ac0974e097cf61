// SPDX-License-Identifier: Apache-2.0
//===- FuseRows.cpp - works on looked-up rows where they are --------------===//
//
// Nodes in program order, before buffers have places:
//  1. fuseDots: a lookup whose rows are only multiplied with a vector of their
//     sample writes the products instead of the rows.
//  2. fuseUpdates: where a table of this process gets the gradient of one
//     lookup only, each row is updated when its gradient is known.
//  3. readVectors: vectors that these take from a lookup of another table are
//     read where they are.
//
// A node computes what the nodes that it replaces compute, to the last bit. It
// reads rows later than a lookup did, so nothing in between may update them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/exec/Storage.h"

namespace ps {
#define GEN_PASS_DEF_FUSEROWS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

struct FuseRows : public ps::impl::FuseRowsBase<FuseRows> {
  void runOnOperation() override {
    fuseDots();
    fuseUpdates();
    readVectors();
  }

private:
  void fuseDots();
  void fuseUpdates();
  void readVectors();
};

/// Whether a node between `from` and `to` conflicts with one that has
/// `accesses`.
bool isTouchedBetween(Operation *from, Operation *to,
                      ArrayRef<exec::Access> accesses) {
  SmallVector<Span> spans;
  for (const exec::Access &access : accesses)
    spans.push_back(getSpan(access));
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode())
    if (auto node = dyn_cast<exec::NodeOpInterface>(op))
      if (conflict(getSpans(node), spans))
        return true;
  return false;
}

/// What reads the rows' values accesses.
exec::Access readRows(Value rows) { return {rows, 0, 1, /*write=*/false}; }

bool isHostBuffer(Value buffer) {
  return exec::isOnHost(cast<MemRefType>(buffer.getType()));
}

/// The lookup that alone writes `buffer`, row after row; null if there is none.
exec::LookupOp getPlainLookup(Value buffer) {
  exec::LookupOp found;
  if (!buffer.getDefiningOp<exec::BufferOp>())
    return nullptr;
  for (Operation *user : buffer.getUsers()) {
    auto node = dyn_cast<exec::NodeOpInterface>(user);
    if (!node)
      return nullptr; // A view, or a result.
    auto lookup = dyn_cast<exec::LookupOp>(user);
    if (lookup && lookup.getValues() == buffer && !found) {
      found = lookup;
      continue;
    }
    for (const exec::Access &access : node.getAccesses())
      if (access.buffer == buffer && access.write)
        return nullptr;
  }
  const bool isPlain = found && !found.getPool() &&
                       !found.getRows().getDefiningOp<exec::RowsOp>().getHbm();
  return isPlain ? found : nullptr;
}

void eraseLookup(exec::LookupOp lookup) {
  auto buffer = lookup.getValues().getDefiningOp<exec::BufferOp>();
  lookup.erase();
  buffer.erase();
}

//===----------------------------------------------------------------------===//
// 1. Products
//===----------------------------------------------------------------------===//

/// A product of matrices with a vector each.
struct RowDots {
  Value rows, vectors;
  int64_t perVector;
};

std::optional<RowDots> matchDots(exec::GemmOp gemm) {
  if (gemm.getEpilogue() || gemm.getBatch() < 2)
    return std::nullopt;
  if (gemm.getN() == 1 && !gemm.getTransposeA())
    return RowDots{gemm.getA(), gemm.getB(), int64_t(gemm.getM())};
  if (gemm.getM() == 1 && gemm.getTransposeB())
    return RowDots{gemm.getB(), gemm.getA(), int64_t(gemm.getN())};
  return std::nullopt;
}

/// The lookup of the rows that `dots` multiplies and nothing else reads.
exec::LookupOp getDotLookup(exec::GemmOp gemm, const RowDots &dots) {
  exec::LookupOp lookup = getPlainLookup(dots.rows);
  if (!lookup || dots.rows == dots.vectors ||
      range_size(dots.rows.getUses()) != 2 || !isHostBuffer(dots.vectors) ||
      !isHostBuffer(gemm.getC()))
    return nullptr;
  auto type = cast<RowsType>(lookup.getRows().getType());
  const int64_t width = gemm.getK();
  if (!type.getElementType().isF32() || type.getWidth() != width ||
      cast<MemRefType>(dots.rows.getType()).getNumElements() !=
          int64_t(gemm.getBatch()) * dots.perVector * width ||
      !lookup->isBeforeInBlock(gemm) ||
      isTouchedBetween(lookup, gemm, readRows(lookup.getRows())))
    return nullptr;
  return lookup;
}

void FuseRows::fuseDots() {
  for (auto gemm : llvm::make_early_inc_range(
           getOperation().getBody().getOps<exec::GemmOp>())) {
    std::optional<RowDots> dots = matchDots(gemm);
    exec::LookupOp lookup = dots ? getDotLookup(gemm, *dots) : exec::LookupOp();
    if (!lookup)
      continue;
    OpBuilder builder(gemm);
    builder.create<exec::LookupDotOp>(
        builder.getFusedLoc({lookup.getLoc(), gemm.getLoc()}),
        gemm.getDone().getType(), lookup.getRows(), lookup.getLookup(),
        dots->vectors, /*vector_rows=*/Value(), /*vector_lookup=*/0,
        gemm.getC(), /*after=*/ValueRange());
    gemm.erase();
    eraseLookup(lookup);
  }
}

//===----------------------------------------------------------------------===//
// 2. Updates
//===----------------------------------------------------------------------===//

/// The one gradient that `update` takes, of rows of a table of this process;
/// null where there are others, or where something else reads gradients.
exec::LookupGradientOp getGradient(exec::UpdateRowsOp update) {
  auto rows = update.getRows().getDefiningOp<exec::RowsOp>();
  if (rows.getFeed() || rows.getHbm())
    return nullptr;
  exec::LookupGradientOp gradient;
  for (OpOperand &use : rows.getResult().getUses()) {
    Operation *user = use.getOwner();
    if (user == update || isa<exec::LookupOp, exec::LookupDotOp>(user))
      continue;
    if (auto prefetch = dyn_cast<exec::PrefetchOp>(user);
        prefetch && !prefetch.getServers())
      continue;
    if (!isa<exec::LookupGradientOp>(user) || gradient)
      return nullptr;
    gradient = cast<exec::LookupGradientOp>(user);
  }
  return gradient;
}

/// What `gradient` reads except which rows its ids have, which no node changes.
SmallVector<exec::Access> getInputs(exec::LookupGradientOp gradient) {
  SmallVector<exec::Access> inputs;
  for (const exec::Access &access : gradient.getAccesses())
    if (access.buffer != gradient.getRows())
      inputs.push_back(access);
  return inputs;
}

void FuseRows::fuseUpdates() {
  for (auto update : llvm::make_early_inc_range(
           getOperation().getBody().getOps<exec::UpdateRowsOp>())) {
    exec::LookupGradientOp gradient = getGradient(update);
    if (!gradient || !gradient->isBeforeInBlock(update) ||
        isTouchedBetween(gradient, update, getInputs(gradient)))
      continue;
    OpBuilder builder(update);
    builder.create<exec::LookupUpdateOp>(
        builder.getFusedLoc({gradient.getLoc(), update.getLoc()}),
        update.getDone().getType(), update.getRows(), gradient.getLookup(),
        gradient.getPoolAttr(), gradient.getOffsets(), gradient.getWeights(),
        gradient.getValues(), /*vector_rows=*/Value(), /*vector_lookup=*/0,
        update.getRate(), update.getFunction(), /*after=*/ValueRange());
    gradient.erase();
    update.erase();
  }
}

//===----------------------------------------------------------------------===//
// 3. Vectors
//===----------------------------------------------------------------------===//

StringRef getTable(Value rows) {
  return rows.getDefiningOp<exec::RowsOp>().getTable();
}

/// Whether `user` may read what `lookup` copies where it is.
bool mayReadInPlace(exec::LookupOp lookup, Operation *user) {
  auto isSame = [&](auto op) {
    return op.getVectors() == lookup.getValues() &&
           op.getRows().getType() == lookup.getRows().getType() &&
           getTable(op.getRows()) != getTable(lookup.getRows());
  };
  auto dot = dyn_cast<exec::LookupDotOp>(user);
  auto update = dyn_cast<exec::LookupUpdateOp>(user);
  return ((dot && isSame(dot)) || (update && isSame(update))) &&
         !isTouchedBetween(lookup, user, readRows(lookup.getRows()));
}

void FuseRows::readVectors() {
  for (auto lookup : llvm::make_early_inc_range(
           getOperation().getBody().getOps<exec::LookupOp>())) {
    Value vectors = lookup.getValues();
    SmallVector<Operation *> users;
    for (OpOperand &use : vectors.getUses())
      if (use.getOwner() != lookup)
        users.push_back(use.getOwner());
    // One that needs the copy makes it worth reading for the others.
    if (users.empty() || getPlainLookup(vectors) != lookup ||
        !llvm::all_of(users, [&](Operation *user) {
          return lookup->isBeforeInBlock(user) && mayReadInPlace(lookup, user);
        }))
      continue;
    auto replace = [&](auto op) {
      op.getVectorsMutable().clear();
      op.getVectorRowsMutable().assign(lookup.getRows());
      op.setVectorLookup(lookup.getLookup());
    };
    for (Operation *user : users)
      if (auto dot = dyn_cast<exec::LookupDotOp>(user))
        replace(dot);
      else
        replace(cast<exec::LookupUpdateOp>(user));
    eraseLookup(lookup);
  }
}

} // namespace
