// SPDX-License-Identifier: Apache-2.0
//===- OptimizeMemory.cpp - places buffers in arenas ----------------------===//
//
//  1. Find when each buffer is in use: from the first node that touches it to
//     the last, in program order. Bytes that are being sent are in use until
//     the send is awaited; fetched ones to the end. So are those that a device
//     copies to the host; those that take the value of a variable of the host
//     are in use from the beginning.
//  2. Let the result of an elementwise kernel take the place of an argument
//     whose use ends there: both become one block.
//  3. In the arena of each memory space, give every block, largest first, the
//     lowest place that no block in use at the same time has, nor one of
//     another worker, whose nodes are not to wait.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/exec/Storage.h"
#include "compiler/outline/KernelAnalysis.h"
#include "llvm/Support/MathExtras.h"
#include <deque>

namespace ps {
#define GEN_PASS_DEF_OPTIMIZEMEMORY
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

/// A cache line, and what AVX-512 loads at once.
constexpr int64_t alignment = 64;

/// Memory in use from node `first` to node `last`.
struct MemoryBlock {
  size_t number = 0;
  exec::MemorySpace space = exec::MemorySpace::Host;
  std::optional<int64_t> worker;
  int64_t bytes = 0;
  size_t first = SIZE_MAX, last = 0;
  int64_t offset = 0;
  SmallVector<exec::BufferOp> buffers;

  void touch(size_t position) {
    first = std::min(first, position);
    last = std::max(last, position);
  }
  bool isConcurrent(const MemoryBlock &other) const {
    return worker != other.worker ||
           (first <= other.last && other.first <= last);
  }
};

struct OptimizeMemory : public ps::impl::OptimizeMemoryBase<OptimizeMemory> {
  using OptimizeMemoryBase::OptimizeMemoryBase;

  void runOnOperation() override {
    blocks.clear();
    blockOf.clear();
    findUses();
    shareInPlace();
    placeAll();
  }

private:
  void findUses();
  bool isOfSeveralWorkers(exec::NodeOpInterface node);
  void keepTransferred(exec::CopyOp copy);
  void shareInPlace();
  void shareOutputs(size_t position, Operation *user, FlatSymbolRefAttr kernel,
                    ValueRange inputs, ValueRange outputs,
                    ArrayRef<Value> readThroughout);
  void placeAll();
  int64_t placeBlocks(exec::MemorySpace space);

  MemoryBlock *getBlock(Value buffer) {
    auto it = blockOf.find(getStorage(buffer));
    return it == blockOf.end() ? nullptr : it->second;
  }

  std::deque<MemoryBlock> blocks; // whose addresses stay
  DenseMap<Operation *, MemoryBlock *> blockOf;
};

/// Where the first node stands that needs a mean.
static size_t findUseOfMeans(exec::AllReduceOp reduce,
                             const DenseMap<Operation *, size_t> &positions) {
  llvm::SmallPtrSet<Operation *, 8> means;
  for (Value mean : reduce.getMeans())
    means.insert(getStorage(mean));
  for (Operation *op = reduce->getNextNode(); op; op = op->getNextNode())
    if (auto node = dyn_cast<exec::NodeOpInterface>(op))
      for (const exec::Access &access : node.getAccesses())
        if (means.contains(getStorage(access.buffer)))
          return positions.lookup(op);
  return SIZE_MAX;
}

/// What would take the bytes of such a node's operands would wait for the
/// slowest of the workers.
bool OptimizeMemory::isOfSeveralWorkers(exec::NodeOpInterface node) {
  std::optional<int64_t> worker;
  return llvm::any_of(node.getAccesses(), [&](const exec::Access &access) {
    MemoryBlock *block = getBlock(access.buffer);
    if (!block || !block->worker)
      return false;
    return std::exchange(worker, block->worker).value_or(*block->worker) !=
           block->worker;
  });
}

/// What would take bytes of a copy to the host would wait for its end, and the
/// value of a variable could not come before other work with its bytes is done.
void OptimizeMemory::keepTransferred(exec::CopyOp copy) {
  if (exec::isOnHost(copy.getTarget().getType()) &&
      !exec::isOnHost(copy.getSource().getType())) {
    if (MemoryBlock *block = getBlock(copy.getSource()))
      block->touch(SIZE_MAX);
  } else if (isa<exec::VariableOp>(getStorage(copy.getSource())) &&
             exec::isOnHost(copy.getSource().getType())) {
    if (MemoryBlock *block = getBlock(copy.getTarget()))
      block->touch(0);
  }
}

void OptimizeMemory::findUses() {
  exec::ProgramOp program = getOperation();
  for (auto buffer : program.getBody().getOps<exec::BufferOp>()) {
    MemoryBlock &block = blocks.emplace_back();
    block.number = blocks.size();
    block.space = exec::getMemorySpace(buffer.getType());
    block.worker = buffer.getWorker();
    block.bytes = exec::getByteSize(buffer.getType());
    block.buffers.push_back(buffer);
    blockOf[buffer] = &block;
  }

  DenseMap<Operation *, size_t> positions;
  size_t position = 0;
  for (Operation &op : program.getBody().front())
    positions[&op] = position++;
  for (auto node : program.getBody().getOps<exec::NodeOpInterface>()) {
    // Until a node waits for it, a transfer may still be under way.
    size_t end = positions[node];
    if (isa<exec::SendOp, exec::PushPullOp>(node)) {
      end = SIZE_MAX;
      for (Operation *waiter : node.getDone().getUsers())
        end = std::min(end, positions[waiter]);
    } else if (auto reduce = dyn_cast<exec::AllReduceOp>(*node)) {
      end = findUseOfMeans(reduce, positions);
    }
    if (isOfSeveralWorkers(node))
      end = SIZE_MAX;
    for (const exec::Access &access : node.getAccesses())
      if (MemoryBlock *block = getBlock(access.buffer)) {
        block->touch(positions[node]);
        block->touch(end);
      }
    if (auto copy = dyn_cast<exec::CopyOp>(*node))
      keepTransferred(copy);
  }
  for (auto fetch : program.getBody().getOps<exec::FetchOp>())
    if (MemoryBlock *block = getBlock(fetch.getBuffer()))
      block->touch(SIZE_MAX);
}

void OptimizeMemory::shareInPlace() {
  size_t position = 0;
  for (Operation &op : getOperation().getBody().front()) {
    if (auto launch = dyn_cast<exec::LaunchOp>(op))
      shareOutputs(position, launch, launch.getKernelAttr(), launch.getInputs(),
                   launch.getOutputs(), {});
    if (auto gemm = dyn_cast<exec::GemmOp>(op); gemm && gemm.getEpilogue())
      shareOutputs(position, gemm, gemm.getEpilogueAttr(),
                   gemm.getEpilogueInputs(), gemm.getEpilogueOutputs(),
                   {gemm.getA(), gemm.getB()});
    ++position;
  }
}

void OptimizeMemory::shareOutputs(size_t position, Operation *user,
                                  FlatSymbolRefAttr kernelName,
                                  ValueRange inputs, ValueRange outputs,
                                  ArrayRef<Value> readThroughout) {
  auto kernel =
      SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(user, kernelName);
  for (auto [j, output] : llvm::enumerate(outputs)) {
    MemoryBlock *to = getBlock(output);
    if (!to || to->first != position)
      continue;
    for (auto [i, input] : llvm::enumerate(inputs)) {
      MemoryBlock *from = getBlock(input);
      if (!from || from == to || from->last != position ||
          from->bytes != to->bytes || from->worker != to->worker ||
          !mayShareMemory(kernel, i, j))
        continue;
      // Every other way in which the node reads these bytes must allow it too.
      bool shareable = llvm::none_of(
          readThroughout, [&](Value value) { return getBlock(value) == from; });
      for (auto [k, other] : llvm::enumerate(inputs))
        shareable &= getBlock(other) != from || mayShareMemory(kernel, k, j);
      for (Value other : outputs)
        shareable &= getBlock(other) != from;
      if (!shareable)
        continue;
      from->last = to->last;
      for (exec::BufferOp buffer : to->buffers) {
        from->buffers.push_back(buffer);
        blockOf[buffer] = from;
      }
      to->buffers.clear();
      to->bytes = 0;
      break;
    }
  }
}

void OptimizeMemory::placeAll() {
  getOperation().setArena(placeBlocks(exec::MemorySpace::Host));
  if (int64_t bytes = placeBlocks(exec::MemorySpace::Device))
    getOperation().setDeviceArena(bytes);
  if (!report)
    return;
  int64_t unshared = 0;
  for (MemoryBlock &block : blocks)
    for (exec::BufferOp buffer : block.buffers)
      unshared += llvm::alignTo(exec::getByteSize(buffer.getType()), alignment);
  getOperation().emitRemark("arena of ")
      << *getOperation().getArena() +
             getOperation().getDeviceArena().value_or(0)
      << " bytes, " << unshared << " without sharing";
}

/// Places the blocks of `space`; returns the bytes of its arena.
int64_t OptimizeMemory::placeBlocks(exec::MemorySpace space) {
  SmallVector<MemoryBlock *> order;
  for (MemoryBlock &block : blocks)
    if (!block.buffers.empty() && block.space == space)
      order.push_back(&block);
  // In the order of use where sizes are equal.
  llvm::sort(order, [](MemoryBlock *a, MemoryBlock *b) {
    return std::pair(-a->bytes, a->number) < std::pair(-b->bytes, b->number);
  });

  int64_t arena = 0;
  SmallVector<MemoryBlock *> placed; // by offset
  for (MemoryBlock *block : order) {
    int64_t offset = 0;
    for (MemoryBlock *other : placed)
      if (block->isConcurrent(*other) && other->offset < offset + block->bytes)
        offset = std::max<int64_t>(
            offset, llvm::alignTo(other->offset + other->bytes, alignment));
    block->offset = offset;
    arena = std::max(arena, offset + block->bytes);
    placed.insert(llvm::upper_bound(placed, block,
                                    [](MemoryBlock *a, MemoryBlock *b) {
                                      return a->offset < b->offset;
                                    }),
                  block);
    for (exec::BufferOp buffer : block->buffers)
      buffer.setOffset(offset);
  }
  return llvm::alignTo(arena, alignment);
}

} // namespace
