// SPDX-License-Identifier: Apache-2.0
//===- VerifyExec.cpp - proves that tokens order all conflicts ------------===//
//
//  1. Every buffer has its place inside the arena of its memory space.
//  2. No node writes a feed or a constant.
//  3. Within a node, what is written overlaps nothing else that it touches,
//     unless an elementwise kernel works in place. What a product does for a
//     kernel is what the kernel computes.
//  4. Nodes that touch the same bytes, one of them writing, are ordered.
//  5. What a node or a fetch reads from a buffer was written to that buffer by
//     a node before it, and by no other since.
//  6. A block that is pushed is pulled after that, in the same round.
//  7. Collectives come one after another, by ascending channels: all trainers
//     issue the same ones in the same order.
//  8. Late nodes are not followed by nodes that their step waits for, and do
//     not touch what the caller works with between steps. Nodes of the next
//     step that touch the same bytes, and its exchange, come after them. Two
//     steps are under way at most, so the one after that is of no concern.
//  9. A node is in one graph of a device, which waits for no node after its
//     first one: it may take the place of that one.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/exec/ProductEpilogues.h"
#include "compiler/exec/Storage.h"
#include "compiler/outline/KernelAnalysis.h"
#include "llvm/ADT/MapVector.h"

namespace ps {
#define GEN_PASS_DEF_VERIFYEXEC
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

struct VerifyExec : public ps::impl::VerifyExecBase<VerifyExec> {
  void runOnOperation() override {
    NodeOrder order(getOperation());
    if (failed(verifyPlaces()) || failed(verifyTargets()) ||
        failed(verifyNodes(order)) || failed(verifyOrder(order)) ||
        failed(verifyValues(order)) || failed(verifyPushPulls(order)) ||
        failed(verifyPulls(order)) || failed(verifyCollectives(order)) ||
        failed(verifyCarries(order)) || failed(verifyGraphs(order)))
      signalPassFailure();
  }

private:
  LogicalResult verifyPlaces();
  LogicalResult verifyTargets();
  LogicalResult verifyNodes(const NodeOrder &order);
  LogicalResult verifyOrder(const NodeOrder &order);
  LogicalResult verifyValues(const NodeOrder &order);
  LogicalResult verifyPushPulls(const NodeOrder &order);
  LogicalResult verifyPulls(const NodeOrder &order);
  LogicalResult verifyCollectives(const NodeOrder &order);
  LogicalResult verifyCarries(const NodeOrder &order);
  LogicalResult verifyGraphs(const NodeOrder &order);
};

LogicalResult VerifyExec::verifyPlaces() {
  for (auto buffer : getOperation().getBody().getOps<exec::BufferOp>()) {
    if (!buffer.getOffset())
      return buffer.emitError("buffer has no offset in the arena");
    int64_t arena =
        getOperation().getArenaBytes(exec::getMemorySpace(buffer.getType()));
    int64_t begin = *buffer.getOffset();
    int64_t end = begin + exec::getByteSize(buffer.getType());
    if (begin < 0 || end > arena)
      return buffer.emitError("buffer takes bytes ")
             << begin << " to " << end << " of an arena of " << arena;
  }
  return success();
}

LogicalResult VerifyExec::verifyTargets() {
  for (auto node : getOperation().getBody().getOps<exec::NodeOpInterface>())
    for (const exec::Access &access : node.getAccesses()) {
      Operation *storage = getStorage(access.buffer);
      if (!access.write || !isa<exec::FeedOp, exec::ConstantOp>(storage))
        continue;
      InFlightDiagnostic diag =
          node.emitError("node writes memory that it may only read");
      diag.attachNote(storage->getLoc()) << "declared here";
      return diag;
    }
  return success();
}

/// The kernel that `node` runs, with its buffers; null for other nodes.
func::FuncOp getKernel(Operation *node, ValueRange &inputs,
                       ValueRange &outputs) {
  FlatSymbolRefAttr name;
  if (auto launch = dyn_cast<exec::LaunchOp>(node)) {
    name = launch.getKernelAttr();
    inputs = launch.getInputs();
    outputs = launch.getOutputs();
  }
  if (auto gemm = dyn_cast<exec::GemmOp>(node)) {
    name = gemm.getEpilogueAttr();
    inputs = gemm.getEpilogueInputs();
    outputs = gemm.getEpilogueOutputs();
  }
  return name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(node, name)
              : func::FuncOp();
}

/// Whether what `gemm` works with has its product, and its kernels compute what
/// it says that they do.
LogicalResult verifyProduct(exec::GemmOp gemm) {
  if (gemm.multipliesBf16() &&
      exec::isOnHost(cast<BaseMemRefType>(gemm.getC().getType())))
    return gemm.emitError("multiplies bf16 on a device only, found buffers of "
                          "the host");
  auto lookUp = [&](FlatSymbolRefAttr name) {
    return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(gemm, name);
  };
  if (std::optional<exec::Epilogue> fused = gemm.getFused()) {
    std::optional<MatchedEpilogue> matched =
        matchEpilogue(lookUp(gemm.getEpilogueAttr()));
    if (!matched || matched->kind != *fused ||
        gemm.getEpilogueInputs()[matched->product] != gemm.getC())
      return gemm.emitError("kernel '@")
             << *gemm.getEpilogue() << "' does not compute '"
             << exec::stringifyEpilogue(*fused) << "' of the product";
  }
  if (gemm.getSummed() &&
      !sumsColumns(lookUp(gemm.getBiasGradientKernelAttr()), gemm.getK()))
    return gemm.emitError("kernel '@")
           << *gemm.getBiasGradientKernel() << "' does not sum " << gemm.getK()
           << " rows";
  return success();
}

/// Whether `node` writes bytes that it also reads.
bool writesWhatItReads(exec::NodeOpInterface node) {
  SmallVector<exec::Access> accesses = node.getAccesses();
  return llvm::any_of(accesses, [&](const exec::Access &written) {
    return written.write &&
           llvm::any_of(accesses, [&](const exec::Access &read) {
             return !read.write && getSpan(written).overlaps(getSpan(read));
           });
  });
}

LogicalResult VerifyExec::verifyNodes(const NodeOrder &order) {
  auto spanOf = [](Value value, bool write) {
    auto type = cast<ShapedType>(value.getType());
    return getSpan({value, 0, exec::getByteSize(type), write});
  };
  auto overlap = [&](Value a, Value b) {
    return spanOf(a, true).overlaps(spanOf(b, false));
  };
  for (Operation *node : order.getNodes()) {
    auto refuse = [&] {
      return node->emitError(
          "node writes bytes that it also accesses through another operand");
    };
    ValueRange inputs, outputs;
    func::FuncOp kernel = getKernel(node, inputs, outputs);
    for (auto [j, output] : llvm::enumerate(outputs)) {
      for (auto [i, input] : llvm::enumerate(inputs)) {
        Span in = spanOf(input, false), out = spanOf(output, true);
        if (in.overlaps(out) &&
            (in.begin != out.begin || !mayShareMemory(kernel, i, j)))
          return refuse();
      }
      for (Value other : outputs.drop_front(j + 1))
        if (overlap(output, other))
          return refuse();
    }
    if (auto gemm = dyn_cast<exec::GemmOp>(node)) {
      for (Value operand : {gemm.getA(), gemm.getB()}) {
        if (overlap(gemm.getC(), operand))
          return refuse();
        for (Value output : outputs)
          if (overlap(output, operand))
            return refuse();
      }
      for (Value input : inputs)
        if (input != gemm.getC() && overlap(gemm.getC(), input))
          return refuse();
      // A result in the place of the product is an argument's above.
      if (!llvm::is_contained(inputs, gemm.getC()))
        for (Value output : outputs)
          if (overlap(gemm.getC(), output))
            return refuse();
      if (Value sums = gemm.getBiasGradient())
        for (Value operand : gemm->getOperands())
          if (isa<MemRefType>(operand.getType()) && operand != sums &&
              overlap(sums, operand))
            return refuse();
      if (failed(verifyProduct(gemm)))
        return failure();
    }
    if (auto reduce = dyn_cast<exec::AllReduceOp>(node))
      for (auto [i, mean] : llvm::enumerate(reduce.getMeans())) {
        for (Value gradient : reduce.getGradients())
          if (overlap(mean, gradient))
            return refuse();
        for (Value other : reduce.getMeans().drop_front(i + 1))
          if (overlap(mean, other))
            return refuse();
      }
    if (auto both = dyn_cast<exec::PushPullOp>(node))
      for (Value variable : both.getVariables())
        for (Value gradient : both.getGradients())
          if (overlap(variable, gradient))
            return refuse();
    if (isa<exec::ConvolutionOp, exec::CopyOp>(node) &&
        writesWhatItReads(cast<exec::NodeOpInterface>(node)))
      return refuse();
  }
  return success();
}

LogicalResult VerifyExec::verifyOrder(const NodeOrder &order) {
  MemoryHistory history;
  for (auto [i, each] : llvm::enumerate(order.getNodes())) {
    exec::NodeOpInterface node = each;
    for (unsigned earlier : history.add(i, node)) {
      if (order.isOrdered(earlier, i))
        continue;
      InFlightDiagnostic diag = node.emitError(
          "no token orders this node after one that touches the same bytes");
      diag.attachNote(order.getNodes()[earlier]->getLoc()) << "which is here";
      return diag;
    }
  }
  return success();
}

/// Whether `storage` has no value before a node of the program writes it.
bool isEmptyAtStart(Operation *storage) {
  auto rows = dyn_cast<exec::RowsOp>(storage);
  return isa<exec::BufferOp>(storage) || (rows && !rows.getFeed());
}

/// The bytes of `read`, if something was written there, must be its buffer's.
/// All conflicts are ordered, so program order decides which write was the
/// last.
LogicalResult verifyRead(Operation *reader, const exec::Access &read,
                         const MemoryHistory &history, const NodeOrder &order) {
  Operation *storage = getStorage(read.buffer);
  if (read.begin >= read.end || !isEmptyAtStart(storage))
    return success();
  SmallVector<MemoryHistory::Writer> writers =
      history.getWriters(getSpan(read));
  auto other = llvm::find_if(writers, [&](const MemoryHistory::Writer &writer) {
    return writer.storage != storage;
  });
  if (!writers.empty() && other == writers.end())
    return success();
  InFlightDiagnostic diag = reader->emitError(
      writers.empty() ? "reads a buffer that no node before it has written"
                      : "reads bytes that were given to another buffer");
  if (writers.empty())
    diag.attachNote(storage->getLoc()) << "declared here";
  else
    diag.attachNote(order.getNodes()[other->node]->getLoc())
        << "last written here";
  return diag;
}

LogicalResult VerifyExec::verifyValues(const NodeOrder &order) {
  MemoryHistory history;
  for (auto [i, each] : llvm::enumerate(order.getNodes())) {
    exec::NodeOpInterface node = each;
    for (const exec::Access &access : node.getAccesses())
      if (!access.write && failed(verifyRead(node, access, history, order)))
        return failure();
    history.add(i, node);
  }
  for (auto fetch : getOperation().getBody().getOps<exec::FetchOp>()) {
    auto type = cast<ShapedType>(fetch.getBuffer().getType());
    const exec::Access read{fetch.getBuffer(), 0, exec::getByteSize(type),
                            /*write=*/false};
    if (isa<exec::BufferOp>(getStorage(read.buffer)) &&
        failed(verifyRead(fetch, read, history, order)))
      return failure();
  }
  return success();
}

/// A push_pull is the exchange of its blocks, and stands for barriers.
LogicalResult VerifyExec::verifyPushPulls(const NodeOrder &order) {
  DenseMap<Attribute, Operation *> exchanged;
  Operation *other = nullptr;
  for (Operation *node : order.getNodes()) {
    auto both = dyn_cast<exec::PushPullOp>(node);
    if (!both && node->hasTrait<exec::InExchange>())
      other = node;
    if (!both)
      continue;
    for (Attribute block : both.getBlocks())
      if (Operation *first = exchanged.insert({block, node}).first->second;
          first != node) {
        InFlightDiagnostic diag = node->emitError("exchanges ")
                                  << block << " a second time";
        diag.attachNote(first->getLoc()) << "the first one is here";
        return diag;
      }
  }
  if (exchanged.empty() || !other)
    return success();
  InFlightDiagnostic diag = other->emitError(
      "is part of a step without barriers: expected push_pulls only");
  diag.attachNote(exchanged.begin()->second->getLoc()) << "such as this one";
  return diag;
}

LogicalResult VerifyExec::verifyPulls(const NodeOrder &order) {
  using BlockOfRound = std::pair<Attribute, uint64_t>;
  DenseMap<BlockOfRound, SmallVector<unsigned, 1>> pushes;
  for (auto [i, each] : llvm::enumerate(order.getNodes())) {
    Operation *node = each;
    if (auto send = dyn_cast<exec::SendOp>(node))
      for (Attribute block : send.getBlocks())
        pushes[{block, send.getRound()}].push_back(i);
    auto recv = dyn_cast<exec::RecvOp>(node);
    if (!recv)
      continue;
    for (Attribute block : recv.getBlocks())
      for (unsigned push : pushes.lookup({block, recv.getRound()})) {
        if (order.isOrdered(push, i))
          continue;
        InFlightDiagnostic diag =
            recv.emitError("no token orders this pull of ")
            << block << " after its push";
        diag.attachNote(order.getNodes()[push]->getLoc()) << "which is here";
        return diag;
      }
  }
  return success();
}

/// The channel of a collective.
uint64_t getChannel(Operation *collective) {
  if (auto reduce = dyn_cast<exec::AllReduceOp>(collective))
    return reduce.getChannel();
  return cast<exec::BroadcastOp>(collective).getChannel();
}

LogicalResult VerifyExec::verifyCollectives(const NodeOrder &order) {
  std::optional<unsigned> last;
  for (auto [i, each] : llvm::enumerate(order.getNodes())) {
    Operation *node = each;
    if (!node->hasTrait<exec::Collective>())
      continue;
    const std::optional<unsigned> before = std::exchange(last, i);
    if (!before)
      continue;
    Operation *earlier = order.getNodes()[*before];
    const bool ascends = getChannel(earlier) < getChannel(node);
    if (ascends && order.isOrdered(*before, i))
      continue;
    InFlightDiagnostic diag =
        ascends ? node->emitError("no token orders this collective after the "
                                  "one before it")
                : node->emitError("has channel ")
                      << getChannel(node) << " after channel "
                      << getChannel(earlier) << ": expected ascending channels";
    diag.attachNote(earlier->getLoc()) << "which is here";
    return diag;
  }
  return success();
}

/// What late nodes come before in the next step.
class CarriedOrder {
public:
  CarriedOrder(exec::ProgramOp program, const NodeOrder &order);

  bool isLate(unsigned node) const { return carries.contains(node); }
  /// Whether the late node `late` is done when `next` starts in the next step.
  bool isOrdered(unsigned late, unsigned next) const {
    const BitVector &after = followers.find(late)->second;
    return after.test(next) || order.getAncestors(next).anyCommon(after);
  }
  const llvm::MapVector<unsigned, exec::CarryOp> &getCarries() const {
    return carries;
  }

private:
  const NodeOrder &order;
  llvm::MapVector<unsigned, exec::CarryOp> carries; // by late node
  /// For each late node the nodes of the next step that a carry of it, or of a
  /// late node after it, names.
  DenseMap<unsigned, BitVector> followers;
};

CarriedOrder::CarriedOrder(exec::ProgramOp program, const NodeOrder &order)
    : order(order) {
  for (auto carry : program.getBody().getOps<exec::CarryOp>())
    carries.insert({order.getMaker(carry.getLate()), carry});
  // From the last node, as each has the followers of the late ones after it.
  for (unsigned i = order.getNodes().size(); i-- > 0;) {
    auto carry = carries.find(i);
    if (carry == carries.end())
      continue;
    BitVector after(order.getNodes().size());
    after.set(i);
    for (Value token : carry->second.getBefore())
      after.set(order.getMaker(token));
    for (Operation *user : carry->second.getLate().getUsers())
      if (auto node = dyn_cast<exec::NodeOpInterface>(user))
        if (auto late = followers.find(order.getMaker(node.getDone()));
            late != followers.end())
          after |= late->second;
    followers[i] = std::move(after);
  }
}

/// Checks what the step of the late node `index` and its caller expect. True in
/// `isLast` where no node comes after it.
LogicalResult verifyLate(unsigned index, const CarriedOrder &carried,
                         ArrayRef<Span> fetched, const NodeOrder &order,
                         bool &isLast) {
  exec::NodeOpInterface node = order.getNodes()[index];
  if (isSharedWithCaller(node, fetched))
    return node.emitError("late node touches memory that the caller works "
                          "with between steps");
  for (Operation *user : node.getDone().getUsers()) {
    auto next = dyn_cast<exec::NodeOpInterface>(user);
    if (!next)
      continue;
    isLast = false;
    if (carried.isLate(order.getMaker(next.getDone())))
      continue;
    InFlightDiagnostic diag =
        next.emitError("node comes after a late one, but is not late");
    diag.attachNote(node.getLoc()) << "which is here";
    return diag;
  }
  return success();
}

/// Other programs run beside the late nodes of one with `then`: of variables
/// these may only write what they pull.
LogicalResult verifyBackground(exec::NodeOpInterface node) {
  for (const exec::Access &access : node.getAccesses())
    if (isa<exec::VariableOp>(getStorage(access.buffer)) &&
        !(access.write && isa<exec::RecvOp>(*node)))
      return node.emitError("works with a variable in the background of "
                            "programs that may change it");
  return success();
}

LogicalResult VerifyExec::verifyCarries(const NodeOrder &order) {
  llvm::SmallDenseSet<Value> seen;
  for (auto carry : getOperation().getBody().getOps<exec::CarryOp>())
    if (!seen.insert(carry.getLate()).second)
      return carry.emitError("node is carried twice");
  if (seen.empty())
    return success();
  const CarriedOrder carried(getOperation(), order);
  const SmallVector<Span> fetched = getFetchedSpans(getOperation());
  const MemoryHistory touches = getFirstTouches(order);
  const BitVector first = getFirstOfExchange(order);
  for (auto [late, carry] : carried.getCarries()) {
    auto verifyAfter = [&, late = late, carry = carry](
                           unsigned next, StringRef what) -> LogicalResult {
      if (carried.isOrdered(late, next))
        return success();
      InFlightDiagnostic diag = mlir::emitError(carry->getLoc())
                                << "in the next step nothing orders a node "
                                   "after this one "
                                << what;
      diag.attachNote(order.getNodes()[next]->getLoc()) << "which is here";
      return diag;
    };
    bool isLast = true;
    if (failed(verifyLate(late, carried, fetched, order, isLast)) ||
        (getOperation().getThen() &&
         failed(verifyBackground(order.getNodes()[late]))))
      return failure();
    // All conflicts within a step are ordered: the first ones decide.
    for (const Span &span : getSpans(order.getNodes()[late]))
      for (unsigned next : touches.getConflicts(span))
        if (failed(verifyAfter(next, "that touches the same bytes")))
          return failure();
    // The same goes for the last and the first nodes of exchanges.
    if (isLast)
      for (unsigned next : first.set_bits())
        if (failed(verifyAfter(next, "of the exchange before")))
          return failure();
  }
  return success();
}

LogicalResult VerifyExec::verifyGraphs(const NodeOrder &order) {
  BitVector grouped(order.getNodes().size());
  for (auto graph : getOperation().getBody().getOps<exec::GraphOp>()) {
    BitVector members(order.getNodes().size());
    for (Value token : graph.getTokens())
      members.set(order.getMaker(token));
    if (grouped.anyCommon(members))
      return graph.emitError("has a node of another graph");
    grouped |= members;
    const unsigned first = members.find_first();
    for (unsigned member : members.set_bits()) {
      exec::NodeOpInterface node = order.getNodes()[member];
      for (OpOperand &token : node.getAfterMutable()) {
        const unsigned earlier = order.getMaker(token.get());
        if (members.test(earlier) || earlier < first)
          continue;
        InFlightDiagnostic diag =
            graph.emitError("waits for a node after its first one");
        diag.attachNote(order.getNodes()[earlier]->getLoc()) << "which is here";
        return diag;
      }
    }
  }
  return success();
}

} // namespace
