//===- StepOverlap.cpp - transfers that go on into the next step ----------===//
//
//  1. findLate: from the last node to the first, exchanges with pservers that
//     only late nodes come after. What the caller fills or reads between steps
//     they must not touch.
//  2. findFirst: the first nodes of the exchange of a step. They come after the
//     last ones of the step before.
//  3. carryLate: in the next step these, and every node that touches the same
//     memory, come after a late one, unless both only read it.
//
// pullEarly comes before all this: pulls wait for the sends of their blocks
// only, and no more for those of all.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/StepOverlap.h"
#include "compiler/Storage.h"

using namespace mlir;
using namespace ps;

namespace {
class StepOverlap {
public:
  StepOverlap(exec::ProgramOp op, runtime::Program &program);
  void run();

private:
  void findLate();
  bool mayBeLate(unsigned node);
  std::vector<runtime::NodeId> findFirst();
  void carryLate(const std::vector<runtime::NodeId> &first);
  bool conflict(unsigned late, unsigned node) const;

  exec::ProgramOp op;
  runtime::Program &program;
  NodeOrder order;
  std::vector<SmallVector<Span>> spans; // by node
  /// What the caller reads when a step is over.
  SmallVector<Span> fetches;
  BitVector late;
};
} // namespace

StepOverlap::StepOverlap(exec::ProgramOp op, runtime::Program &program)
    : op(op), program(program), order(op), late(order.getNodes().size()) {
  for (exec::NodeOpInterface node : order.getNodes()) {
    SmallVector<Span> &touched = spans.emplace_back();
    for (const exec::Access &access : node.getAccesses())
      touched.push_back(getSpan(access));
  }
  for (auto fetch : op.getBody().getOps<exec::FetchOp>()) {
    auto type = cast<ShapedType>(fetch.getBuffer().getType());
    fetches.push_back(getSpan(
        {fetch.getBuffer(), 0, exec::getByteSize(type), /*write=*/false}));
  }
}

/// Whether the node belongs to the exchange of a step.
static bool isExchange(Operation *node) {
  return isa<exec::SendOp, exec::PushRowsOp, exec::SendBarrierOp, exec::RecvOp,
             exec::FetchBarrierOp>(node);
}

bool StepOverlap::mayBeLate(unsigned index) {
  exec::NodeOpInterface node = order.getNodes()[index];
  if (!isExchange(node))
    return false;
  for (const exec::Access &access : node.getAccesses())
    if (isa<exec::FeedOp, exec::RaggedFeedOp>(getStorage(access.buffer)))
      return false;
  for (const Span &span : spans[index])
    for (const Span &fetch : fetches)
      if (span.conflicts(fetch))
        return false;
  return llvm::all_of(node.getDone().getUsers(), [&](Operation *user) {
    return late.test(
        order.getMaker(cast<exec::NodeOpInterface>(user).getDone()));
  });
}

void StepOverlap::findLate() {
  for (unsigned i = order.getNodes().size(); i-- > 0;)
    if (mayBeLate(i))
      late.set(i);
}

std::vector<runtime::NodeId> StepOverlap::findFirst() {
  BitVector exchange(order.getNodes().size());
  for (auto [i, node] : llvm::enumerate(order.getNodes()))
    exchange[i] = isExchange(node);
  std::vector<runtime::NodeId> first;
  for (unsigned node : exchange.set_bits())
    if (llvm::none_of(exchange.set_bits(), [&](unsigned other) {
          return order.isOrdered(other, node);
        }))
      first.push_back(node);
  return first;
}

bool StepOverlap::conflict(unsigned one, unsigned other) const {
  return llvm::any_of(spans[one], [&](const Span &span) {
    return llvm::any_of(spans[other], [&](const Span &touched) {
      return span.conflicts(touched);
    });
  });
}

void StepOverlap::carryLate(const std::vector<runtime::NodeId> &first) {
  for (unsigned node : late.set_bits()) {
    std::vector<runtime::NodeId> before;
    exec::NodeOpInterface transfer = order.getNodes()[node];
    if (transfer.getDone().use_empty())
      before = first;
    for (unsigned other = 0; other < order.getNodes().size(); ++other)
      if (conflict(node, other) && !llvm::is_contained(before, other))
        before.push_back(other);
    program.carry(node, std::move(before));
  }
}

void StepOverlap::run() {
  findLate();
  carryLate(findFirst());
}

/// The sends before `barrier` that push the blocks of `recv`; none if one of
/// them is not pushed.
static SmallVector<Value> findSends(exec::SendBarrierOp barrier,
                                    exec::RecvOp recv) {
  llvm::SmallDenseSet<Attribute> pushed;
  SmallVector<Value> sends;
  for (Value token : barrier.getAfter()) {
    auto send = token.getDefiningOp<exec::SendOp>();
    if (!send || send.getEndpoint() != recv.getEndpoint() ||
        llvm::none_of(send.getBlocks(), [&](Attribute block) {
          return llvm::is_contained(recv.getBlocks(), block);
        }))
      continue;
    pushed.insert(send.getBlocks().begin(), send.getBlocks().end());
    sends.push_back(token);
  }
  if (llvm::all_of(recv.getBlocks(),
                   [&](Attribute block) { return pushed.contains(block); }))
    return sends;
  return {};
}

void ps::pullEarly(exec::ProgramOp op) {
  for (auto recv : op.getBody().getOps<exec::RecvOp>()) {
    exec::SendBarrierOp barrier;
    for (Value token : recv.getAfter())
      if (auto maker = token.getDefiningOp<exec::SendBarrierOp>())
        barrier = maker;
    if (!barrier)
      continue;
    SmallVector<Value> after = findSends(barrier, recv);
    if (after.empty())
      continue;
    for (Value token : recv.getAfter())
      if (token != barrier.getDone())
        after.push_back(token);
    recv.getAfterMutable().assign(after);
    // What comes after the pulls still comes after the barrier.
    for (Operation *user : recv.getDone().getUsers())
      if (auto fetch = dyn_cast<exec::FetchBarrierOp>(user);
          fetch && !llvm::is_contained(fetch.getAfter(), barrier.getDone()))
        fetch.getAfterMutable().append(barrier.getDone());
  }
}

void ps::overlapSteps(exec::ProgramOp op, runtime::Program &program) {
  StepOverlap(op, program).run();
}
