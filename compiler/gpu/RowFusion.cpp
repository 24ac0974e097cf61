// SPDX-License-Identifier: Apache-2.0
//===- RowFusion.cpp - stages of a kernel that work on the same rows ------===//
//
// A softmax is three stages: a maximum, a sum and a division. As functions of
// their own they read the argument three times and keep in memory what the next
// one reads. Row by row, one function keeps all of it in registers.
//
// 1. matchReduction: a reduction of rows defines what rows and columns are.
// 2. chooseLanes: a warp takes a row, or a block if the row is long, as far as
//    registers hold the columns of a thread.
// 3. RowGroup::join: a neighbor with the same rows, and the same or no columns,
//    if no thread needs what one of another row or column writes.
// 4. groupStages: each reduction with the stages before it, then with those
//    after it, as far as they may join. A stage may come from behind one that
//    cannot join, if neither writes what the other one works with.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/RowFusion.h"
#include "compiler/gpu/GridOp.h"
#include "compiler/gpu/SplitReductions.h"
#include "compiler/gpu/Stages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ps;

/// The columns of a thread: 32 of each value that is kept, of which 255
/// registers hold several, and no more than a warp or a block has of a row.
static constexpr int64_t mostColumnsOfLane = 32;
/// Registers for columns that later stages use again. Others hold what a stage
/// loads and computes, and addresses.
static constexpr int64_t mostRegisters = 128;
/// Ops for all columns of a thread: their code, 16 bytes an op, is half of what
/// a multiprocessor's cache of instructions holds.
static constexpr int64_t mostOps = 4096;

SmallVector<unsigned> ps::findLoops(linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  for (auto [dim, extent] : llvm::enumerate(op.getStaticLoopRanges()))
    if (extent != 1)
      loops.push_back(dim);
  return loops;
}

int64_t RowShape::countColumns() const {
  int64_t count = 1;
  for (int64_t extent : columns)
    count *= extent;
  return count;
}

/// Whether `memref` has all elements of what it is a view of, in order.
static bool isWhole(Value memref) {
  while (Operation *view = memref.getDefiningOp()) {
    if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(
            view))
      return !isa<ViewLikeOpInterface>(view);
    memref = view->getOperand(0);
  }
  return true;
}

/// The loops that index the operand, each alone, in the order of its
/// dimensions; nullopt where an index is anything else.
static std::optional<SmallVector<unsigned>>
findIndexingLoops(OpOperand &use, ArrayRef<unsigned> loops) {
  auto op = cast<linalg::GenericOp>(use.getOwner());
  auto type = cast<MemRefType>(use.get().getType());
  SmallVector<unsigned> indexing;
  for (auto [size, expr] : llvm::zip(
           type.getShape(), op.getMatchingIndexingMap(&use).getResults())) {
    if (size == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || !llvm::is_contained(loops, dim.getPosition()))
      return std::nullopt;
    indexing.push_back(dim.getPosition());
  }
  return indexing;
}

RowAccess ps::classifyAccess(OpOperand &use, const RowShape &shape) {
  auto type = dyn_cast<MemRefType>(use.get().getType());
  if (!type || !type.getLayout().isIdentity() || !isWhole(use.get()))
    return RowAccess::Other;
  SmallVector<unsigned> loops =
      findLoops(cast<linalg::GenericOp>(use.getOwner()));
  auto indexing = findIndexingLoops(use, loops);
  if (!indexing)
    return RowAccess::Other;
  if (ArrayRef(*indexing) == ArrayRef(loops).take_front(shape.rows.size()))
    return RowAccess::Row;
  return *indexing == loops ? RowAccess::Column : RowAccess::Other;
}

//===----------------------------------------------------------------------===//
// 1. matchReduction
//===----------------------------------------------------------------------===//

/// The rows of a reduction whose parts can be combined, and whose reduced loops
/// are the inner ones.
static std::optional<RowShape> matchReduction(linalg::GenericOp op) {
  ReductionBody body(op);
  if (!body.reduces() || !body.isAssociative())
    return std::nullopt;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  AffineMap result = op.getMatchingIndexingMap(
      op.getDpsInitOperand(body.accumulators().front()));
  RowShape shape;
  SmallVector<unsigned> reduced;
  for (unsigned dim : findLoops(op)) {
    const bool isRow = result.isFunctionOfDim(dim);
    if (isRow && !reduced.empty())
      return std::nullopt;
    // Of an empty row there is no first column.
    if (!isRow && (ShapedType::isDynamic(extents[dim]) || extents[dim] == 0))
      return std::nullopt;
    (isRow ? shape.rows : shape.columns).push_back(extents[dim]);
    if (!isRow)
      reduced.push_back(dim);
  }
  SmallVector<ArrayRef<AffineExpr>> inputs;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (int64_t i = 0; i < op.getNumDpsInputs(); ++i)
    inputs.push_back(maps[i].getResults());
  if (reduced.empty() || !readsAlongReduction(inputs, reduced))
    return std::nullopt;
  return shape;
}

//===----------------------------------------------------------------------===//
// 2. chooseLanes
//===----------------------------------------------------------------------===//

/// The threads for a row, of which each has at least one column; nullopt if
/// even a block cannot. For each column, `registers` are kept and `ops` done.
static std::optional<int64_t> chooseLanes(int64_t columns, int64_t registers,
                                          int64_t ops) {
  auto fits = [&](int64_t lanes) {
    const int64_t ofLane = llvm::divideCeil(columns, lanes);
    return ofLane <= mostColumnsOfLane && ofLane * registers <= mostRegisters &&
           ofLane * ops <= mostOps;
  };
  const auto ofWarp =
      std::min<int64_t>(warpThreads, llvm::bit_floor<uint64_t>(columns));
  if (fits(ofWarp))
    return ofWarp;
  if (columns >= blockThreads && fits(blockThreads))
    return blockThreads;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// 3. RowGroup::join
//===----------------------------------------------------------------------===//

namespace {

/// A group that grows.
class RowGroup {
public:
  explicit RowGroup(RowShape shape) : shape(std::move(shape)) {}

  /// Adds a stage that runs before, or after, all others if that may be.
  bool joinBefore(Operation *stage) { return join(stage, /*isFirst=*/true); }
  bool joinAfter(Operation *stage) { return join(stage, /*isFirst=*/false); }

  const RowShape shape;
  int64_t lanes = 1;

private:
  /// What a stage does with memory. Reads of a stage come before its writes.
  struct Access {
    Operation *stage;
    Value buffer;
    RowAccess kind;
    bool isWrite;
  };

  bool join(Operation *stage, bool isFirst);
  bool hasShape(linalg::GenericOp op) const;
  bool findAccesses(linalg::GenericOp op, SmallVector<Access> &found) const;
  static bool agree(const Access &one, const Access &other);
  static bool isConsistent(ArrayRef<Access> all);
  static int64_t countRegisters(ArrayRef<Access> all);

  SmallVector<Access> accesses;
  int64_t ops = 0;
};

} // namespace

bool RowGroup::hasShape(linalg::GenericOp op) const {
  if (ReductionBody(op).reduces()) {
    auto matched = matchReduction(op);
    return matched && matched->rows == shape.rows &&
           matched->columns == shape.columns;
  }
  SmallVector<int64_t> all = op.getStaticLoopRanges(), extents;
  for (unsigned dim : findLoops(op))
    extents.push_back(all[dim]);
  SmallVector<int64_t> expected = shape.rows;
  if (extents == expected)
    return true;
  llvm::append_range(expected, shape.columns);
  return extents == expected;
}

/// False if an output is not an element for each row, or for each column, as
/// the stage has them.
bool RowGroup::findAccesses(linalg::GenericOp op,
                            SmallVector<Access> &found) const {
  ReductionBody body(op);
  const bool hasColumns = findLoops(op).size() > shape.rows.size();
  op.getBody()->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (isa<MemRefType>(operand.getType()))
        found.push_back({op, getBuffer(operand), RowAccess::Other, false});
  });
  for (OpOperand &use : op->getOpOperands()) {
    if (!isa<MemRefType>(use.get().getType()))
      continue;
    const RowAccess kind = classifyAccess(use, shape);
    Value buffer = getBuffer(use.get());
    const bool isWrite = op.isDpsInit(&use);
    const bool isAccumulator =
        isWrite &&
        llvm::is_contained(body.accumulators(),
                           use.getOperandNumber() - op.getNumDpsInputs());
    if (!isWrite || (isAccumulator && !op->hasAttr(partialAttrName) &&
                     !findFill(op, use.get())))
      found.push_back({op, buffer, kind, /*isWrite=*/false});
    if (!isWrite)
      continue;
    if (kind !=
        (hasColumns && !isAccumulator ? RowAccess::Column : RowAccess::Row))
      return false;
    found.push_back({op, buffer, kind, /*isWrite=*/true});
  }
  return true;
}

/// What one thread writes is nothing that another thread accesses.
bool RowGroup::agree(const Access &one, const Access &other) {
  return one.buffer != other.buffer || (!one.isWrite && !other.isWrite) ||
         (one.kind == other.kind && one.kind != RowAccess::Other);
}

/// All threads of a row read its elements, and one writes them: they must not
/// read from memory what is written later. What is written first, they have in
/// registers.
bool RowGroup::isConsistent(ArrayRef<Access> all) {
  llvm::SmallDenseSet<Value> read, written;
  for (const Access &access : all) {
    for (const Access &other : all)
      if (!agree(access, other))
        return false;
    if (access.kind != RowAccess::Row)
      continue;
    if (!access.isWrite && !written.contains(access.buffer))
      read.insert(access.buffer);
    if (access.isWrite && read.contains(access.buffer))
      return false;
    if (access.isWrite)
      written.insert(access.buffer);
  }
  return true;
}

/// For each column, what several stages access is kept in registers.
int64_t RowGroup::countRegisters(ArrayRef<Access> all) {
  llvm::SmallMapVector<Value, llvm::SmallPtrSet<Operation *, 4>, 8> stages;
  for (const Access &access : all)
    if (access.kind == RowAccess::Column)
      stages[access.buffer].insert(access.stage);
  int64_t registers = 0;
  for (auto &[buffer, users] : stages)
    if (users.size() > 1)
      registers += llvm::divideCeil(
          cast<MemRefType>(buffer.getType()).getElementTypeBitWidth(), 32);
  return registers;
}

/// Scalars are loaded once, when a function begins.
static bool isLoadedAsScalar(Value buffer, Block *block) {
  return llvm::any_of(block->getOps<memref::LoadOp>(), [&](auto load) {
    return getBuffer(load.getMemref()) == buffer;
  });
}

bool RowGroup::join(Operation *stage, bool isFirst) {
  auto op = dyn_cast<linalg::GenericOp>(stage);
  SmallVector<Access> all;
  if (!op || !hasShape(op) || !findAccesses(op, all))
    return false;
  for (const Access &access : all)
    if (access.isWrite && isLoadedAsScalar(access.buffer, op->getBlock()))
      return false;
  all.insert(isFirst ? all.end() : all.begin(), accesses.begin(),
             accesses.end());
  const int64_t moreOps =
      ops + llvm::range_size(op.getBody()->without_terminator());
  auto chosen = chooseLanes(shape.countColumns(), countRegisters(all), moreOps);
  if (!isConsistent(all) || !chosen)
    return false;
  accesses = std::move(all);
  ops = moreOps;
  lanes = *chosen;
  return true;
}

//===----------------------------------------------------------------------===//
// 4. groupStages
//===----------------------------------------------------------------------===//

static bool mayWrite(Operation *op, Value buffer) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return !linalgOp || llvm::any_of(linalgOp.getDpsInits(), [&](Value output) {
    return getBuffer(output) == buffer;
  });
}

/// Whether one may write what the other one works with.
static bool interfere(Operation *one, Operation *other) {
  return one
      ->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands()) {
          if (!isa<MemRefType>(operand.getType()))
            continue;
          Value buffer = getBuffer(operand);
          if (touches(*other, buffer) &&
              (mayWrite(one, buffer) || mayWrite(other, buffer)))
            return WalkResult::interrupt();
        }
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` uses a number that is read from memory before it begins.
static bool usesScalar(Operation *op) {
  auto isScalar = [&](Value value) {
    Operation *maker = value.getDefiningOp();
    return maker && maker->getBlock() == op->getBlock() &&
           !isa<MemRefType>(value.getType()) &&
           !isa<arith::ConstantOp, memref::DimOp>(maker);
  };
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), isScalar)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` may run before `skipped`, which come before it.
static bool mayOvertake(Operation *op, ArrayRef<Operation *> skipped) {
  return skipped.empty() ||
         (!usesScalar(op) && llvm::none_of(skipped, [&](Operation *other) {
           return interfere(op, other);
         }));
}

SmallVector<StageGroup> ps::groupStages(ArrayRef<Operation *> stages) {
  SmallVector<StageGroup> groups;
  SmallVector<Operation *> left(stages);
  while (!left.empty()) {
    StageGroup group = {{left.front()}, std::nullopt};
    auto reduction = dyn_cast<linalg::GenericOp>(left.front());
    left.erase(left.begin());
    auto shape = reduction ? matchReduction(reduction) : std::nullopt;
    std::optional<RowGroup> rows;
    if (shape)
      rows.emplace(*shape);
    if (!rows || !rows->joinAfter(reduction)) {
      groups.push_back(std::move(group));
      continue;
    }
    while (!groups.empty() && !groups.back().shape &&
           rows->joinBefore(groups.back().stages.front())) {
      group.stages.insert(group.stages.begin(), groups.back().stages.front());
      groups.pop_back();
    }
    for (auto *next = left.begin(); next != left.end();) {
      if (mayOvertake(*next, ArrayRef(left.begin(), next)) &&
          rows->joinAfter(*next)) {
        group.stages.push_back(*next);
        next = left.erase(next);
      } else {
        ++next;
      }
    }
    group.shape = *shape;
    group.lanes = rows->lanes;
    groups.push_back(std::move(group));
  }
  return groups;
}
