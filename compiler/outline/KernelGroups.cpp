// SPDX-License-Identifier: Apache-2.0
//===- KernelGroups.cpp - which ops share a kernel ------------------------===//
//
//  1. Order the users of a variable's old value before what computes its new
//     one, so that it can be updated in place.
//  2. Choose the cheap ops that users repeat; if asked for also comparisons of
//     activations.
//  3. Make a group of every other op that is for kernels, and merge, as long
//     as no value leaves a group and comes back:
//     a. producers and consumers of rows,
//     b. reductions over rows with the scalar ops around them,
//     c. reductions over rows of the same producer: one pass over its values,
//     d. a small producer that only reductions read, with these.
//  4. Take groups of nothing but reshapes apart: they are views.
//
// An order of the units is kept as edges are added and units are merged, so
// that both look only at what lies between two units: Pearce and Kelly, "A
// Dynamic Topological Sort Algorithm for Directed Acyclic Graphs", JEA 11,
// 2006.
//
//===----------------------------------------------------------------------===//

#include "compiler/outline/KernelGroups.h"
#include "dialects/exec/ExecDialect.h"
#include "dialects/stablehlo/Matchers.h"
#include "dialects/stablehlo/TensorSize.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include <queue>

using namespace mlir;
using namespace ps;

/// Rows of a producer of at most this size are not worth splitting over
/// threads: a reduction computes them itself.
static constexpr int64_t smallBytes = 256 * 1024;

/// Ops in one kernel. More share little that is still in a cache, and take the
/// kernel compiler more than linear time.
static constexpr size_t maxGroupSize = 256;

/// Ops that are repeated for one value: each user's code grows by them.
static constexpr unsigned maxRepeatedOps = 32;

/// Edges that the search for a value that leaves a group and comes back may
/// follow. Ops that are farther apart are not merged: the values between them
/// would have left the cache, and the search would make grouping quadratic.
static constexpr size_t maxMergeEdges = 1024;

KernelGroups::KernelGroups(Block &block, const GroupingOptions &options)
    : workerOf(block) {
  collectOps(block, options.forDevice);
  addMemoryEdges();
  countRepeated();
  chooseRepeated();
  if (options.repeatsComparisons)
    repeatComparisons();
  makeGroups();
  mergeRowProducers();
  mergeScalars();
  mergeSiblingReductions();
  absorbSmallProducers();
  dropViews();
}

void KernelGroups::collectOps(Block &block, bool forDevice) {
  // Look-ups dominate the pass. In a sparse map they take about as many probes
  // whatever the addresses of the ops are; see test/compiler/growth.test.
  index.reserve(4 * block.getOperations().size());
  for (Operation &op : block) {
    index[&op] = ops.size();
    leaders.push_back(ops.size());
    numbers.push_back(ops.size());
    ops.push_back(&op);
    classes.push_back(classifyOp(&op, forDevice));
  }
  memorySuccessors.resize(ops.size());
  memoryPredecessors.resize(ops.size());
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// The variable or table that `op` reads or writes as a whole or in part, else
/// "".
static StringRef getAccessed(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return read.getVariable();
  if (auto assign = dyn_cast<AssignOp>(op))
    return assign.getVariable();
  if (auto recv = dyn_cast<RecvOp>(op))
    return recv.getVariable();
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return broadcast.getVariable();
  if (auto take = dyn_cast<TakeLargestOp>(op))
    return take.getVariable();
  if (auto prefetch = dyn_cast<PrefetchOp>(op))
    return prefetch.getTable();
  if (auto update = dyn_cast<UpdateRowsOp>(op))
    return update.getTable();
  if (auto collect = dyn_cast<CollectChangesOp>(op))
    return collect.getTable();
  if (auto merge = dyn_cast<MergeChangesOp>(op))
    return merge.getTable();
  return "";
}

void KernelGroups::addMemoryEdge(unsigned from, unsigned to) {
  memorySuccessors[from].push_back(to);
  memoryPredecessors[to].push_back(from);
}

void KernelGroups::addMemoryEdges() {
  llvm::StringMap<SmallVector<unsigned>> accesses;
  for (auto [i, op] : llvm::enumerate(ops)) {
    StringRef variable = getAccessed(op);
    if (variable.empty())
      continue;
    for (unsigned earlier : accesses[variable]) {
      // Blocks of one variable may be received in any order.
      bool ordered = !(isa<ReadOp>(op) && isa<ReadOp>(ops[earlier])) &&
                     !(isa<RecvOp>(op) && isa<RecvOp>(ops[earlier]));
      if (ordered)
        addMemoryEdge(earlier, i);
    }
    accesses[variable].push_back(i);
  }
  // All trainers issue collectives in program order.
  std::optional<unsigned> collective;
  for (auto [i, op] : llvm::enumerate(ops))
    if (isa<AllReduceOp, BroadcastOp>(op)) {
      if (collective)
        addMemoryEdge(*collective, i);
      collective = i;
    }
  for (auto [i, op] : llvm::enumerate(ops))
    if (isa<AssignOp, RecvOp>(op))
      addReaderEdges(i, accesses[getAccessed(op)]);
}

/// Orders users of values that a variable, with these accesses, has before op
/// `write` before what computes the new value, where that is possible.
void KernelGroups::addReaderEdges(unsigned write, ArrayRef<unsigned> accesses) {
  Operation *producer = nullptr;
  if (auto assign = dyn_cast<AssignOp>(ops[write]))
    producer = assign.getValue().getDefiningOp();
  unsigned target =
      producer && index.contains(producer) ? index[producer] : write;
  for (unsigned i : accesses) {
    if (i >= write || !isa<ReadOp>(ops[i]))
      continue;
    for (Operation *user : ops[i]->getUsers())
      // What is returned is copied before it changes: nothing follows a return.
      if (!user->hasTrait<OpTrait::IsTerminator>() &&
          !tryAddReaderEdge(index.lookup(user), target))
        tryAddReaderEdge(index.lookup(user), write);
  }
}

/// Orders `reader` before `write`, unless it comes after it.
bool KernelGroups::tryAddReaderEdge(unsigned reader, unsigned write) {
  if (reader == write)
    return false;
  if (numbers[reader] > numbers[write]) {
    auto isOther = [&](Unit next) { return next != reader; };
    if (!allNeighbors(write, /*forward=*/true, isOther) ||
        !bringTogether(write, reader, reader, write, /*maxEdges=*/SIZE_MAX))
      return false;
  }
  addMemoryEdge(reader, write);
  return true;
}

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

KernelGroups::Unit KernelGroups::find(Unit unit) const {
  while (leaders[unit] != unit)
    unit = leaders[unit] = leaders[leaders[unit]];
  return unit;
}

KernelGroup *KernelGroups::getGroup(Operation *op) const {
  auto it = index.find(op);
  return it == index.end() || groups.empty() ? nullptr
                                             : groups[find(it->second)].get();
}

/// Whether `predicate` holds for the users of `op`, with those of ops that they
/// repeat in its place. Asks no more once it does not.
template <typename Predicate>
bool KernelGroups::allUsers(Operation *op, Predicate predicate) const {
  SmallVector<Operation *> work{op};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!work.empty())
    // A use inside a reduce's region is none: regions are isolated.
    for (Operation *user : work.pop_back_val()->getUsers()) {
      if (!repeated.contains(user)) {
        if (!predicate(user))
          return false;
      } else if (seen.insert(user).second) {
        work.push_back(user);
      }
    }
  return true;
}

/// The same for the ops of the block that give the operands of `op`.
template <typename Predicate>
bool KernelGroups::allProducers(Operation *op, Predicate predicate) const {
  SmallVector<Operation *> work{op};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!work.empty())
    for (Value operand : work.pop_back_val()->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || !index.contains(producer))
        continue;
      if (!repeated.contains(producer)) {
        if (!predicate(producer))
          return false;
      } else if (seen.insert(producer).second) {
        work.push_back(producer);
      }
    }
  return true;
}

ArrayRef<Operation *> KernelGroups::getOps(Unit unit) const {
  return groups.empty() || !groups[unit] ? ArrayRef(ops[unit])
                                         : ArrayRef(groups[unit]->ops);
}

/// Whether `predicate` holds for each unit, perhaps asked repeatedly, that
/// needs `unit`, or if not `forward` that `unit` needs; that may be `unit`
/// itself. Asks no more once it does not.
template <typename Predicate>
bool KernelGroups::allNeighbors(Unit unit, bool forward,
                                Predicate predicate) const {
  auto holds = [&](Operation *op) { return predicate(find(index.lookup(op))); };
  const auto &memoryEdges = forward ? memorySuccessors : memoryPredecessors;
  return llvm::all_of(getOps(unit), [&](Operation *op) {
    return (forward ? allUsers(op, holds) : allProducers(op, holds)) &&
           llvm::all_of(memoryEdges[index.lookup(op)],
                        [&](unsigned next) { return predicate(find(next)); });
  });
}

/// The units between `start` and `end` that come after `start`, or before it if
/// not `forward`, in the order of their numbers. None if the way to `end` leads
/// through one of them, or if there are more than `maxEdges` to follow.
std::optional<SmallVector<KernelGroups::Unit>>
KernelGroups::findBetween(Unit start, Unit end, bool forward,
                          size_t maxEdges) const {
  auto [low, high] = std::minmax(numbers[start], numbers[end]);
  llvm::SetVector<Unit> found;
  auto follow = [&](Unit from) {
    return allNeighbors(from, forward, [&](Unit next) {
      if (next == end && from != start)
        return false;
      if (low < numbers[next] && numbers[next] < high)
        found.insert(next);
      return maxEdges-- > 0;
    });
  };
  if (!follow(start))
    return std::nullopt;
  for (size_t i = 0; i < found.size(); ++i)
    if (!follow(found[i]))
      return std::nullopt;
  SmallVector<Unit> units = found.takeVector();
  llvm::sort(units, [&](Unit a, Unit b) { return numbers[a] < numbers[b]; });
  return units;
}

/// Numbers `early`, `late` and what has to make room anew, so that the two
/// stand side by side as `first` and `second`. Returns false, and changes
/// nothing, if another unit comes after `early` and before `late`, or if there
/// are more than `maxEdges` to follow on either side.
bool KernelGroups::bringTogether(Unit early, Unit late, Unit first, Unit second,
                                 size_t maxEdges) {
  auto behind = findBetween(early, late, /*forward=*/true, maxEdges);
  if (!behind)
    return false;
  auto before = findBetween(late, early, /*forward=*/false, maxEdges);
  if (!before)
    return false;
  SmallVector<Unit> units = std::move(*before);
  units.append({first, second});
  llvm::append_range(units, *behind);
  SmallVector<unsigned> places;
  for (Unit unit : units)
    places.push_back(numbers[unit]);
  llvm::sort(places);
  for (auto [unit, place] : llvm::zip_equal(units, places))
    numbers[unit] = place;
  return true;
}

/// Whether everything that flows from `a` to `b` is taken by row.
bool KernelGroups::edgesByRow(Unit a, Unit b) const {
  for (Operation *op : groups[b]->ops)
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      if (!producer || !index.contains(producer) ||
          find(index.lookup(producer)) != a)
        continue;
      if (!isTakenByRow(operand))
        return false;
    }
  return true;
}

/// Makes one group of the groups of `a` and `b`, if that makes no cycle, no
/// kernel that is too large, and none for which workers wait for each other.
bool KernelGroups::tryMerge(Operation *a, Operation *b) {
  Unit first = find(index.lookup(a)), second = find(index.lookup(b));
  if (first == second)
    return true;
  if (!workerOf.areOfOne(a, b))
    return false;
  KernelGroup &merged = *groups[first], &added = *groups[second];
  if (merged.ops.size() + added.ops.size() > maxGroupSize)
    return false;
  Unit early = first, late = second;
  if (numbers[early] > numbers[late])
    std::swap(early, late);
  if (!bringTogether(early, late, second, first, maxMergeEdges))
    return false;
  leaders[second] = first;
  llvm::append_range(merged.ops, added.ops);
  llvm::sort(merged.ops,
             [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  merged.byRows &= added.byRows;
  merged.reduces |= added.reduces;
  groups[second].reset();
  return true;
}

//===----------------------------------------------------------------------===//
// Cheap ops
//===----------------------------------------------------------------------===//

/// For each op, of how many a kernel computes its value from nothing; by rows
/// when it is taken by row by a row kernel.
void KernelGroups::countRepeated() {
  for (Operation *op : ops)
    for (bool byRow : {false, true}) {
      std::optional<unsigned> count = 1;
      if (!isCheapOp(op))
        count = std::nullopt;
      else if (!isa<stablehlo::ConstantOp>(op))
        count = countOperands(op, byRow);
      repeatCounts[byRow].push_back(count);
    }
}

std::optional<unsigned> KernelGroups::countOperands(Operation *op,
                                                    bool byRow) const {
  if (byRow && classes[index.lookup(op)] != OpClass::Row)
    return std::nullopt;
  unsigned count = 1;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (!producer)
      return std::nullopt;
    bool taken = byRow && isTakenByRow(operand);
    std::optional<unsigned> more = repeatCounts[taken][index.lookup(producer)];
    if (!more || (count += *more) > maxRepeatedOps)
      return std::nullopt;
  }
  return count;
}

bool KernelGroups::canRepeat(Operation *op, bool byRow) const {
  return repeatCounts[byRow][index.lookup(op)].has_value();
}

void KernelGroups::chooseRepeated() {
  for (Operation *op : llvm::reverse(ops)) {
    if (!canRepeat(op, /*byRow=*/false))
      continue;
    bool everyUser = llvm::all_of(op->getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (repeated.contains(user))
        return true;
      if (isPassed(use))
        return false;
      OpClass userClass = classes[index.lookup(user)];
      if (userClass == OpClass::Outside)
        return false;
      return canRepeat(op, userClass == OpClass::Row && isTakenByRow(use));
    });
    if (everyUser)
      repeated.insert(op);
  }
}

/// Whether `op` asks of a maximum whether it is above a number, for nothing but
/// selects.
static bool selectsByActivation(Operation *op) {
  auto compare = dyn_cast<stablehlo::CompareOp>(op);
  return compare && compare.getLhs().getDefiningOp<stablehlo::MaxOp>() &&
         stablehlo::getRepeated(compare.getRhs()) &&
         llvm::all_of(compare->getUses(), [](OpOperand &use) {
           return isa<stablehlo::SelectOp>(use.getOwner()) &&
                  use.getOperandNumber() == 0;
         });
}

/// A kernel after a product then has one result, the maximum, and the gradient
/// reads that instead of a mask.
void KernelGroups::repeatComparisons() {
  for (auto [i, op] : llvm::enumerate(ops))
    if (classes[i] == OpClass::Row && selectsByActivation(op))
      repeated.insert(op);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void KernelGroups::makeGroups() {
  groups.resize(ops.size());
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (classes[i] == OpClass::Outside || repeated.contains(op))
      continue;
    groups[i] = std::make_unique<KernelGroup>();
    groups[i]->ops.push_back(op);
    groups[i]->byRows = classes[i] == OpClass::Row;
    groups[i]->reduces =
        classes[i] == OpClass::Reduce || classes[i] == OpClass::Scalar;
  }
}

void KernelGroups::mergeRowProducers() {
  for (Operation *op : ops) {
    KernelGroup *group = getGroup(op);
    if (!group || !group->byRows)
      continue;
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      KernelGroup *from = producer ? getGroup(producer) : nullptr;
      if (!from || !from->byRows || !isTakenByRow(operand) ||
          !edgesByRow(find(index.lookup(producer)), find(index.lookup(op))))
        continue;
      tryMerge(producer, op);
    }
  }
}

void KernelGroups::mergeScalars() {
  for (Operation *op : ops) {
    KernelGroup *group = getGroup(op);
    if (!group || !group->reduces)
      continue;
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      KernelGroup *from = producer ? getGroup(producer) : nullptr;
      if (from && from->reduces)
        tryMerge(producer, op);
    }
  }
}

void KernelGroups::mergeSiblingReductions() {
  // The first reduction seen of each group's, or lone op's, values.
  llvm::DenseMap<void *, Operation *> firstReader;
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (classes[i] != OpClass::Reduce)
      continue;
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && repeated.contains(producer))
        continue;
      KernelGroup *from = producer ? getGroup(producer) : nullptr;
      void *source =
          from ? static_cast<void *>(from) : operand.getAsOpaquePointer();
      auto [reader, isFirst] = firstReader.try_emplace(source, op);
      if (!isFirst)
        tryMerge(reader->second, op);
    }
  }
}

void KernelGroups::absorbSmallProducers() {
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (classes[i] != OpClass::Reduce)
      continue;
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      KernelGroup *from = producer ? getGroup(producer) : nullptr;
      std::optional<int64_t> bytes =
          stablehlo::countBytes(cast<ShapedType>(operand.getType()));
      if (!from || !from->byRows || !bytes || *bytes > smallBytes)
        continue;
      KernelGroup *into = getGroup(op);
      bool isPrivate = llvm::all_of(from->ops, [&](Operation *member) {
        return allUsers(member, [&](Operation *user) {
          KernelGroup *group = getGroup(user);
          return group == from || group == into;
        });
      });
      if (isPrivate)
        tryMerge(producer, op);
    }
  }
}

void KernelGroups::dropViews() {
  // What a repeated op gives is in no buffer that could be viewed.
  auto isView = [&](Operation *op) {
    return isa<stablehlo::ReshapeOp>(op) &&
           !repeated.contains(op->getOperand(0).getDefiningOp());
  };
  for (std::unique_ptr<KernelGroup> &group : groups) {
    if (!group || !llvm::all_of(group->ops, isView))
      continue;
    for (Operation *op : group->ops)
      leaders[index.lookup(op)] = index.lookup(op);
    group.reset();
  }
}

//===----------------------------------------------------------------------===//
// Schedule
//===----------------------------------------------------------------------===//

/// Whether nothing but variables and the network wait for the unit.
bool KernelGroups::isUpdate(Unit unit) const {
  auto leaves = [](Operation *op) {
    return isa<AssignOp, TakeLargestOp, SendOp, AllReduceOp, LookupGradientOp,
               MergeRowsOp, UpdateRowsOp, PushRowsOp>(op);
  };
  if (!groups[unit])
    return leaves(ops[unit]);
  return llvm::all_of(groups[unit]->ops, [&](Operation *op) {
    return allUsers(op, [&](Operation *user) {
      return leaves(user) || getGroup(user) == groups[unit].get();
    });
  });
}

std::vector<SmallVector<Operation *>> KernelGroups::getSchedule() const {
  std::vector<unsigned> pending(ops.size(), 0);
  auto isTerminator = [&](unsigned i) {
    return ops[i]->hasTrait<OpTrait::IsTerminator>();
  };
  auto isUnit = [&](unsigned i) {
    return find(i) == i && !repeated.contains(ops[i]) && !isTerminator(i);
  };
  for (unsigned i = 0; i < ops.size(); ++i)
    if (isUnit(i))
      allNeighbors(i, /*forward=*/true, [&](Unit next) {
        pending[next] += next != i;
        return true;
      });

  // Updates first, then program order.
  using Entry = std::pair<bool, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> ready;
  auto push = [&](unsigned i) { ready.push({!isUpdate(i), i}); };
  for (unsigned i = 0; i < ops.size(); ++i)
    if (isUnit(i) && pending[i] == 0)
      push(i);

  std::vector<SmallVector<Operation *>> schedule;
  while (!ready.empty()) {
    unsigned unit = ready.top().second;
    ready.pop();
    schedule.emplace_back(getOps(unit));
    allNeighbors(unit, /*forward=*/true, [&](Unit next) {
      if (next != unit && --pending[next] == 0 && !isTerminator(next))
        push(next);
      return true;
    });
  }
  // Updates, of which it uses nothing, come before it too.
  if (!ops.empty() && isTerminator(ops.size() - 1))
    schedule.push_back({ops.back()});
  return schedule;
}
