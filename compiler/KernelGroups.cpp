//===- KernelGroups.cpp - which ops share a kernel ------------------------===//
//
//  1. Number the ops; order the users of a variable's old value before what
//     computes its new one, so that it can be updated in place.
//  2. Choose the cheap ops that users repeat.
//  3. Make a group of every other op that is for kernels, and merge, as long
//     as no value leaves a group and comes back:
//     a. producers and consumers of rows,
//     b. reductions over rows with the scalar ops around them,
//     c. reductions over rows of the same producer: one pass over its values,
//     d. a small producer that only reductions read, with these.
//  4. Take groups of nothing but reshapes apart: they are views.
//
//===----------------------------------------------------------------------===//

#include "compiler/KernelGroups.h"
#include "dialects/exec/ExecDialect.h"
#include "llvm/ADT/StringMap.h"
#include <queue>

using namespace mlir;
using namespace ps;

/// Rows of a producer of at most this size are not worth splitting over
/// threads: a reduction computes them itself.
static constexpr int64_t smallBytes = 256 * 1024;

KernelGroups::KernelGroups(Block &block) {
  collectOps(block);
  addMemoryEdges();
  chooseRepeated();
  makeGroups();
  mergeRowProducers();
  mergeScalars();
  mergeSiblingReductions();
  absorbSmallProducers();
  dropViews();
}

void KernelGroups::collectOps(Block &block) {
  for (Operation &op : block) {
    index[&op] = ops.size();
    ops.push_back(&op);
    classes.push_back(classifyOp(&op));
  }
  memorySuccessors.resize(ops.size());
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// The variable that `op` reads or writes as a whole or in part, else "".
static StringRef getAccessed(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return read.getVariable();
  if (auto assign = dyn_cast<AssignOp>(op))
    return assign.getVariable();
  if (auto recv = dyn_cast<RecvOp>(op))
    return recv.getVariable();
  return "";
}

void KernelGroups::addMemoryEdges() {
  leaders.resize(ops.size());
  for (unsigned i = 0; i < ops.size(); ++i)
    leaders[i] = i;
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
        memorySuccessors[earlier].push_back(i);
    }
    accesses[variable].push_back(i);
  }
  for (auto [i, op] : llvm::enumerate(ops))
    if (isa<AssignOp, RecvOp>(op))
      addReaderEdges(i, getAccessed(op));
}

/// Orders users of values that `variable` has before op `write` before what
/// computes the new value, where that is possible.
void KernelGroups::addReaderEdges(size_t write, StringRef variable) {
  Operation *producer = nullptr;
  if (auto assign = dyn_cast<AssignOp>(ops[write]))
    producer = assign.getValue().getDefiningOp();
  unsigned target =
      producer && index.contains(producer) ? index[producer] : unsigned(write);
  for (size_t i = 0; i < write; ++i) {
    auto read = dyn_cast<ReadOp>(ops[i]);
    if (!read || read.getVariable() != variable)
      continue;
    for (Operation *user : read->getUsers()) {
      // What is returned is copied before it changes: nothing follows a return.
      if (user->hasTrait<OpTrait::IsTerminator>())
        continue;
      unsigned reader = index.lookup(user);
      if (reader == target || reader == write)
        continue;
      if (!hasPath(target, reader, /*skipDirect=*/false))
        memorySuccessors[reader].push_back(target);
      else if (!hasPath(write, reader, /*skipDirect=*/false))
        memorySuccessors[reader].push_back(write);
    }
  }
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

/// The users of `op`, with those of ops that they repeat in its place.
template <typename Visit>
void KernelGroups::visitUsers(Operation *op, Visit visit) const {
  for (Operation *user : op->getUsers()) {
    // A use inside a reduce's region is none: regions are isolated.
    if (repeated.contains(user))
      visitUsers(user, visit);
    else
      visit(user);
  }
}

template <typename Visit>
void KernelGroups::visitSuccessors(Unit unit, Visit visit) const {
  auto visitOp = [&](Operation *op) {
    visitUsers(op, [&](Operation *user) { visit(find(index.lookup(user))); });
    for (unsigned next : memorySuccessors[index.lookup(op)])
      visit(find(next));
  };
  if (!groups.empty() && groups[unit])
    for (Operation *op : groups[unit]->ops)
      visitOp(op);
  else
    visitOp(ops[unit]);
}

/// Whether `to` comes after `from`; with `skipDirect`, by way of another unit.
bool KernelGroups::hasPath(Unit from, Unit to, bool skipDirect) const {
  if (from == to)
    return !skipDirect;
  SmallVector<Unit> work;
  llvm::DenseSet<Unit> seen;
  visitSuccessors(from, [&](Unit next) {
    if (next != from && !(skipDirect && next == to) && seen.insert(next).second)
      work.push_back(next);
  });
  while (!work.empty()) {
    Unit unit = work.pop_back_val();
    if (unit == to)
      return true;
    visitSuccessors(unit, [&](Unit next) {
      if (seen.insert(next).second)
        work.push_back(next);
    });
  }
  return false;
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

/// Makes one group of the groups of `a` and `b`, if that makes no cycle.
bool KernelGroups::tryMerge(Operation *a, Operation *b) {
  Unit first = find(index.lookup(a)), second = find(index.lookup(b));
  if (first == second)
    return true;
  if (hasPath(first, second, /*skipDirect=*/true) ||
      hasPath(second, first, /*skipDirect=*/true))
    return false;
  leaders[second] = first;
  KernelGroup &merged = *groups[first];
  llvm::append_range(merged.ops, groups[second]->ops);
  llvm::sort(merged.ops,
             [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  merged.byRows &= groups[second]->byRows;
  merged.reduces |= groups[second]->reduces;
  groups[second].reset();
  return true;
}

//===----------------------------------------------------------------------===//
// Cheap ops
//===----------------------------------------------------------------------===//

/// Whether a kernel can compute the value of `op` from nothing: by rows when
/// it is taken by row by a row kernel.
bool KernelGroups::canRepeat(Operation *op, bool byRow) const {
  if (!op || !isCheapOp(op))
    return false;
  if (isa<stablehlo::ConstantOp>(op))
    return true;
  if (byRow && classifyOp(op) != OpClass::Row)
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return canRepeat(operand.get().getDefiningOp(),
                     byRow && isTakenByRow(operand));
  });
}

void KernelGroups::chooseRepeated() {
  for (Operation *op : llvm::reverse(ops)) {
    if (!canRepeat(op, /*byRow=*/false))
      continue;
    bool everyUser = llvm::all_of(op->getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (repeated.contains(user))
        return true;
      OpClass userClass = classes[index.lookup(user)];
      if (userClass == OpClass::Outside)
        return false;
      return canRepeat(op, userClass == OpClass::Row && isTakenByRow(use));
    });
    if (everyUser)
      repeated.insert(op);
  }
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
      if (!from || !from->byRows ||
          exec::getByteSize(cast<ShapedType>(operand.getType())) > smallBytes)
        continue;
      KernelGroup *into = getGroup(op);
      bool isPrivate = llvm::all_of(from->ops, [&](Operation *member) {
        bool stays = true;
        visitUsers(member, [&](Operation *user) {
          KernelGroup *group = getGroup(user);
          stays &= group == from || group == into;
        });
        return stays;
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
  auto leaves = [](Operation *op) { return isa<AssignOp, SendOp>(op); };
  if (!groups[unit])
    return leaves(ops[unit]);
  return llvm::all_of(groups[unit]->ops, [&](Operation *op) {
    bool all = true;
    visitUsers(op, [&](Operation *user) {
      all &= leaves(user) || getGroup(user) == groups[unit].get();
    });
    return all;
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
      visitSuccessors(i, [&](Unit next) { pending[next] += next != i; });

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
    schedule.push_back(groups[unit] ? groups[unit]->ops
                                    : SmallVector<Operation *>{ops[unit]});
    visitSuccessors(unit, [&](Unit next) {
      if (next != unit && --pending[next] == 0 && !isTerminator(next))
        push(next);
    });
  }
  // Updates, of which it uses nothing, come before it too.
  if (!ops.empty() && isTerminator(ops.size() - 1))
    schedule.push_back({ops.back()});
  return schedule;
}
