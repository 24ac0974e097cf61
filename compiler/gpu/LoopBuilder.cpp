// SPDX-License-Identifier: Apache-2.0
//===- LoopBuilder.cpp - loops on buffers as a grid of threads ------------===//
//
// 1. collectAccesses: where the stage loads and stores what it writes.
// 2. findShared: where one index of all these accesses goes on with each
//    iteration of a loop, by more than it varies within one, iterations have
//    elements of their own. Threads share such loops, the last one counting
//    fastest, wherever in the nest they are.
// 3. chooseOwners: how many threads do the other loops side by side. An element
//    belongs to the one that its place modulo their number says (keepOwned), so
//    its updates come in the order of the loops.
// 4. joinLoops, filterByWarp (WarpFilter.h): a warp skips what it does not own.
//    What decides that is loaded for several iterations together (loadAhead).
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/LoopBuilder.h"
#include "compiler/gpu/GridOp.h"
#include "compiler/gpu/Stages.h"
#include "compiler/gpu/WarpFilter.h"
#include "compiler/kernels/BufferView.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ps;

/// Threads of a stage that owners may bring it to: a warp for each scheduler of
/// an H100. They all ask for the owner of each iteration.
static constexpr int64_t mostThreads = 528 * warpThreads;
/// Fewer iterations are not worth owners.
static constexpr int64_t fewestIterations = 8;
/// Iterations whose loads are under way together.
static constexpr int64_t iterationsAhead = 8;

//===----------------------------------------------------------------------===//
// 1. collectAccesses
//===----------------------------------------------------------------------===//

/// False where the stage touches memory in another way, or may reach what it
/// writes by two names.
bool LoopBuilder::collectAccesses() {
  SmallVector<Access> all;
  llvm::SmallDenseMap<Value, Value> names;
  llvm::SmallDenseSet<Value> written;
  bool isPlain = true;
  stage->walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      all.push_back({op, load.getMemref(), load.getIndices()});
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      all.push_back({op, store.getMemref(), store.getIndices()});
      written.insert(getBuffer(store.getMemref()));
    } else {
      isPlain &= isa<memref::DimOp>(op) ||
                 llvm::none_of(op->getOperandTypes(), [](Type type) {
                   return isa<BaseMemRefType>(type);
                 });
    }
  });
  for (Access &access : all) {
    Value buffer = getBuffer(access.memref);
    if (!written.contains(buffer))
      continue;
    isPlain &=
        names.try_emplace(buffer, access.memref).first->second == access.memref;
    accesses.push_back(access);
  }
  return isPlain;
}

//===----------------------------------------------------------------------===//
// 2. findShared
//===----------------------------------------------------------------------===//

namespace {
/// An index is `step` times the variable of a loop, and a rest in [low, high].
struct Progress {
  int64_t step = 0, low = 0, high = 0;
};
} // namespace

/// Sizes, steps and distances from it on are no index's.
static constexpr int64_t tooLarge = int64_t(1) << 31;

static std::optional<Progress> findProgress(Value index, Value variable) {
  if (index == variable)
    return Progress{1, 0, 0};
  auto isSmall = [](int64_t number) { return std::abs(number) < tooLarge; };
  if (auto number = getConstantIntValue(index))
    return isSmall(*number) ? std::optional(Progress{0, *number, *number})
                            : std::nullopt;
  Operation *op = index.getDefiningOp();
  if (!op || op->getNumOperands() != 2)
    return std::nullopt;
  auto right = findProgress(op->getOperand(1), variable);
  const bool isNumber = right && right->step == 0 && right->low == right->high;
  if (isa<arith::RemUIOp>(op) && isNumber && right->low > 0)
    return Progress{0, 0, right->low - 1};
  auto left = findProgress(op->getOperand(0), variable);
  if (!left || !right)
    return std::nullopt;
  Progress result;
  if (isa<arith::AddIOp>(op))
    result = {left->step + right->step, left->low + right->low,
              left->high + right->high};
  else if (isa<arith::SubIOp>(op) && isNumber)
    result = {left->step, left->low - right->low, left->high - right->low};
  else if (isa<arith::MulIOp>(op) && isNumber && right->low > 0)
    result = {left->step * right->low, left->low * right->low,
              left->high * right->low};
  else
    return std::nullopt;
  return isSmall(result.step) && isSmall(result.low) && isSmall(result.high)
             ? std::optional(result)
             : std::nullopt;
}

/// The first dimension of `memref` along which an iteration of `loop` has
/// indices of its own: those of all accesses are within one step.
std::optional<unsigned> LoopBuilder::findOwnDim(scf::ForOp loop, Value memref) {
  auto isOwn = [&](unsigned dim) {
    std::optional<Progress> all;
    for (const Access &access : accesses) {
      if (access.memref != memref)
        continue;
      auto progress = findProgress(access.indices[dim], loop.getInductionVar());
      if (!progress || (all && all->step != progress->step))
        return false;
      if (!all)
        all = progress;
      all->low = std::min(all->low, progress->low);
      all->high = std::max(all->high, progress->high);
    }
    return all->high - all->low < all->step;
  };
  for (int64_t dim : llvm::seq(cast<MemRefType>(memref.getType()).getRank()))
    if (isOwn(dim))
      return dim;
  return std::nullopt;
}

bool LoopBuilder::hasOwnElements(scf::ForOp loop) {
  return llvm::all_of(accesses, [&](const Access &access) {
    return loop->isProperAncestor(access.op) && findOwnDim(loop, access.memref);
  });
}

/// Whether a loop of so many iterations has one for each row of the launch.
static bool isNumRows(Value end) {
  auto dim = end.getDefiningOp<memref::DimOp>();
  return dim && dim.getConstantIndex() == 0 &&
         hasRows(cast<MemRefType>(dim.getSource().getType()));
}

/// Loops over a range that is known before the stage begins, whose iterations
/// have elements of their own.
void LoopBuilder::findShared() {
  bool hasRowLoop = false;
  stage->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (loop->getNumResults() != 0 ||
        !isConstantIntValue(loop.getLowerBound(), 0) ||
        !isConstantIntValue(loop.getStep(), 1) || !hasOwnElements(loop))
      return;
    Value end = loop.getUpperBound();
    if (std::optional<int64_t> count = getConstantIntValue(end)) {
      if (*count > 0)
        shared.push_back(loop);
    } else if (!hasRowLoop && isNumRows(end) &&
               !stage->isAncestor(end.getDefiningOp())) {
      hasRowLoop = true;
      shared.push_back(loop);
    }
  });
}

//===----------------------------------------------------------------------===//
// 3. chooseOwners
//===----------------------------------------------------------------------===//

/// The dimensions along which no shared loop tells elements apart.
SmallVector<unsigned> LoopBuilder::getOwnedDims() {
  Value memref = accesses.front().memref;
  SmallVector<unsigned> dims = llvm::to_vector(
      llvm::seq<unsigned>(cast<MemRefType>(memref.getType()).getRank()));
  for (scf::ForOp loop : shared)
    llvm::erase(dims, *findOwnDim(loop, memref));
  return dims;
}

/// Whether an iteration reads and writes one element in one block, and works
/// for nothing else: a loop beside it would be repeated by each owner.
bool LoopBuilder::writesOneElement() {
  const Access &first = accesses.front();
  Block *block = first.op->getBlock();
  bool hasOtherLoops = false;
  stage->walk([&](scf::ForOp loop) {
    hasOtherLoops |= !loop->isProperAncestor(first.op);
  });
  return !hasOtherLoops && block->getTerminator()->getNumOperands() == 0 &&
         llvm::all_of(accesses, [&](const Access &access) {
           return access.op->getBlock() == block &&
                  access.indices == first.indices;
         });
}

/// Those of `loop`; nothing where only a launch knows.
static std::optional<int64_t> countIterations(scf::ForOp loop) {
  auto begin = getConstantIntValue(loop.getLowerBound());
  auto end = getConstantIntValue(loop.getUpperBound());
  auto step = getConstantIntValue(loop.getStep());
  if (!begin || !end || !step)
    return std::nullopt;
  return std::max<int64_t>(0, llvm::divideCeil(*end - *begin, *step));
}

/// A power of two; 1 where owners would have nothing to divide.
int64_t LoopBuilder::chooseOwners() {
  if (!writesOneElement())
    return 1;
  int64_t threads = 1, iterations = 1, elements = 1;
  for (Operation *op = accesses.front().op->getParentOp();
       op != stage->getParentOp(); op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      continue;
    std::optional<int64_t> count = countIterations(loop);
    const bool isShared = llvm::is_contained(shared, loop);
    if (!count && isShared)
      return 1;
    int64_t &product = isShared ? threads : iterations;
    product = std::min(product * count.value_or(mostThreads), mostThreads);
  }
  auto type = cast<MemRefType>(accesses.front().memref.getType());
  for (unsigned dim : getOwnedDims()) {
    if (type.isDynamicDim(dim))
      return 1;
    elements = std::min(elements * type.getDimSize(dim), mostThreads);
  }
  if (iterations < fewestIterations)
    return 1;
  const int64_t most = std::min(
      {mostThreads / std::max<int64_t>(threads, 1), iterations, elements});
  return llvm::bit_floor<uint64_t>(std::max<int64_t>(most, 1));
}

/// Lets this thread skip the elements of other owners. Returns whose element an
/// iteration writes.
Value LoopBuilder::keepOwned(int64_t owners, Value owner) {
  Operation *first = accesses.front().op;
  for (const Access &access : accesses)
    if (access.op->isBeforeInBlock(first))
      first = access.op;
  Block *block = first->getBlock();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(first);
  auto type = cast<MemRefType>(accesses.front().memref.getType());
  Value place = b.create<arith::ConstantIndexOp>(0);
  for (unsigned dim : getOwnedDims())
    place = b.create<arith::AddIOp>(
        b.create<arith::MulIOp>(
            place, b.create<arith::ConstantIndexOp>(type.getDimSize(dim))),
        accesses.front().indices[dim]);
  Value its =
      b.create<arith::RemUIOp>(place, b.create<arith::ConstantIndexOp>(owners));
  auto branch = b.create<scf::IfOp>(
      b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, its, owner),
      /*withElseRegion=*/false);
  Block *inside = branch.thenBlock();
  inside->getOperations().splice(inside->begin(), block->getOperations(),
                                 first->getIterator(),
                                 block->getTerminator()->getIterator());
  return its;
}

//===----------------------------------------------------------------------===//
// 4. joinLoops, loadAhead
//===----------------------------------------------------------------------===//

/// The innermost loop around what the stage writes becomes one with those
/// around it that do nothing else, so that it is long.
scf::ForOp LoopBuilder::joinLoops() {
  SmallVector<scf::ForOp> nest = {
      accesses.front().op->getParentOfType<scf::ForOp>()};
  int64_t count = countIterations(nest.front()).value_or(0);
  auto isWhole = [](scf::ForOp loop) {
    return loop.getNumResults() == 0 &&
           isConstantIntValue(loop.getLowerBound(), 0) &&
           isConstantIntValue(loop.getStep(), 1) && countIterations(loop);
  };
  while (isWhole(nest.front())) {
    auto outer = dyn_cast<scf::ForOp>(nest.front()->getParentOp());
    if (!outer || !isWhole(outer) ||
        &outer.getBody()->front() != nest.front() ||
        nest.front()->getNextNode() != outer.getBody()->getTerminator())
      break;
    count *= *countIterations(outer);
    nest.insert(nest.begin(), outer);
  }
  scf::ForOp all = nest.front();
  if (nest.size() == 1)
    return all;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(all);
  Value end = b.create<arith::ConstantIndexOp>(count);
  Value zero = b.create<arith::ConstantIndexOp>(0);
  Value one = b.create<arith::ConstantIndexOp>(1);
  SmallVector<Value> extents;
  for (scf::ForOp loop : ArrayRef(nest).drop_front())
    extents.push_back(loop.getUpperBound());
  auto joined = b.create<scf::ForOp>(zero, end, one);
  b.setInsertionPointToStart(joined.getBody());
  SmallVector<Value> iterations =
      divideAmongLoops(b, joined.getInductionVar(), extents);
  all->moveBefore(joined.getBody()->getTerminator());
  for (auto [loop, iteration] : llvm::zip(nest, iterations))
    inlineIteration(loop, iteration);
  return joined;
}

/// A thread waits for memory in each iteration, also of elements of others.
/// What an iteration loads before it asks whose element it is, comes before
/// those of others, unless the stage writes it.
void LoopBuilder::loadAhead(scf::ForOp loop) {
  // A loop that is over after one round would be none.
  if (countIterations(loop).value_or(mostThreads) < 2 * iterationsAhead ||
      failed(loopUnrollByFactor(loop, iterationsAhead)))
    return;
  llvm::SmallDenseSet<Value> written;
  for (const Access &access : accesses)
    written.insert(getBuffer(access.memref));
  auto canMove = [&](Operation &op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return !written.contains(getBuffer(load.getMemref()));
    return op.getNumRegions() == 0 && isPure(&op);
  };
  Operation *first = nullptr;
  llvm::SmallPtrSet<Operation *, 16> kept;
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    const bool isLate = llvm::any_of(op.getOperands(), [&](Value operand) {
      return kept.contains(operand.getDefiningOp());
    });
    if (isLate || !canMove(op)) {
      kept.insert(&op);
      first = first ? first : &op;
    } else if (first) {
      op.moveBefore(first);
    }
  }
}

//===----------------------------------------------------------------------===//

/// Gives the function its grid of `owners` times the iterations of the shared
/// loops, whose numbers `extents` become. Returns the threads of a block.
int64_t LoopBuilder::setGrid(int64_t owners, SmallVector<Value> &extents) {
  int64_t points = owners;
  bool perRow = false;
  for (scf::ForOp loop : shared) {
    std::optional<int64_t> extent = getConstantIntValue(loop.getUpperBound());
    perRow |= !extent;
    points *= extent.value_or(1);
    extents.push_back(extent ? b.create<arith::ConstantIndexOp>(*extent)
                             : loop.getUpperBound());
  }
  const int64_t threads =
      perRow ? blockThreads
             : std::min<int64_t>(llvm::PowerOf2Ceil(points), blockThreads);
  function->setAttr("exec.grid", exec::GridAttr::get(b.getContext(), points,
                                                     perRow, threads));
  function.setKnownBlockSizeAttr(
      b.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  return threads;
}

void LoopBuilder::run() {
  int64_t owners = 1;
  if (isa<scf::ForOp, scf::IfOp>(stage) && collectAccesses() &&
      !accesses.empty()) {
    findShared();
    owners = chooseOwners();
  }
  b.setInsertionPoint(stage);
  SmallVector<Value> extents;
  const int64_t threads = setGrid(owners, extents);
  if (threads == 1)
    return;

  // Owners are the slowest to count.
  Value number = b.create<arith::AddIOp>(
      makeFirstPoint(b, threads), b.create<gpu::ThreadIdOp>(gpu::Dimension::x));
  const SmallVector<Value> iterations = divideAmongLoops(b, number, extents);
  Value owner = iterations.front();
  auto shareLoops = [&, this] {
    for (auto [loop, iteration] :
         llvm::zip(shared, ArrayRef(iterations).drop_front()))
      inlineIteration(loop, iteration);
  };
  if (owners == 1) {
    OpBuilder::InsertionGuard guard = enterIf(
        b, b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, owner,
                                   b.create<arith::ConstantIndexOp>(0)));
    stage->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
    shareLoops();
    return;
  }
  // Threads beyond the end of the grid are owners of nothing.
  Value its = keepOwned(owners, owner);
  shareLoops();
  scf::ForOp loop = joinLoops();
  auto grid = function->getAttrOfType<exec::GridAttr>("exec.grid");
  scf::ForOp groups =
      filterByWarp(loop, its, {number, grid.getPoints() / owners, threads}, b);
  loadAhead(groups ? groups : loop);
}
