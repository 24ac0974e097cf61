// SPDX-License-Identifier: Apache-2.0
//===- OverlapSteps.cpp - transfers that last into the next step ----------===//
//
//  1. markEarly: prefetches whose ids are known before their step.
//  2. findLate: from the last node to the first, nodes of the exchange with the
//     pservers that only late nodes come after. They must not touch what the
//     caller fills or reads between steps.
//  3. carryLate: in the next step, the nodes that begin the exchange come after
//     those that end it, and every node that touches the same memory as a late
//     one comes after that, unless both only read it. Of these, the first one
//     to write is enough, with what reads before it: they are ordered.
//
// ps-verify-exec proves again that this is enough.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/exec/Storage.h"

namespace ps {
#define GEN_PASS_DEF_OVERLAPSTEPS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

class StepOverlap {
public:
  explicit StepOverlap(exec::ProgramOp program);
  void run();

private:
  void findLate();
  bool mayBeLate(unsigned node);
  void carryLate();
  Value getToken(unsigned node) const;

  exec::ProgramOp program;
  NodeOrder order;
  /// What the caller reads when a step is over.
  SmallVector<Span> fetches;
  BitVector late;
};

struct OverlapSteps : public ps::impl::OverlapStepsBase<OverlapSteps> {
  void runOnOperation() override;

private:
  void markEarly();
};

StepOverlap::StepOverlap(exec::ProgramOp program)
    : program(program), order(program), fetches(getFetchedSpans(program)),
      late(order.getNodes().size()) {}

/// Visited from the last node on, so the users of a token have been decided.
bool StepOverlap::mayBeLate(unsigned index) {
  exec::NodeOpInterface node = order.getNodes()[index];
  if (!node->hasTrait<exec::InExchange>() || isSharedWithCaller(node, fetches))
    return false;
  return llvm::all_of(node.getDone().getUsers(), [&](Operation *user) {
    auto next = dyn_cast<exec::NodeOpInterface>(user);
    return next && late.test(order.getMaker(next.getDone()));
  });
}

void StepOverlap::findLate() {
  for (unsigned i = order.getNodes().size(); i-- > 0;)
    if (mayBeLate(i))
      late.set(i);
}

/// Creates an exec.carry per late node with what has to wait for it in the next
/// step.
void StepOverlap::carryLate() {
  const MemoryHistory touches = getFirstTouches(order);
  const BitVector first = getFirstOfExchange(order);
  BitVector last(order.getNodes().size()); // Before carries use the tokens.
  for (unsigned node : late.set_bits())
    last[node] = getToken(node).use_empty();
  auto builder = OpBuilder::atBlockEnd(&program.getBody().front());
  for (unsigned node : late.set_bits()) {
    BitVector before(order.getNodes().size());
    // What comes after any other late node is late, and carries the order on.
    if (last[node])
      before = first;
    for (const Span &span : getSpans(order.getNodes()[node]))
      for (unsigned other : touches.getConflicts(span))
        before.set(other);
    before.reset(node); // It comes after itself anyway.
    SmallVector<Value> tokens;
    for (unsigned other : before.set_bits())
      tokens.push_back(getToken(other));
    builder.create<exec::CarryOp>(order.getNodes()[node]->getLoc(),
                                  getToken(node), tokens);
  }
}

Value StepOverlap::getToken(unsigned node) const {
  exec::NodeOpInterface op = order.getNodes()[node];
  return op.getDone();
}

void StepOverlap::run() {
  findLate();
  carryLate();
}

void OverlapSteps::markEarly() {
  for (auto prefetch : getOperation().getBody().getOps<exec::PrefetchOp>())
    prefetch.setEarly(prefetch.mayBeginEarly());
}

/// Whether a run of `program` is one of many, each of which pushes. The caller
/// of others, at startup or every so many steps, uses what they pulled at once,
/// unless it waits for their end before it does (`then`).
bool isPushingStep(exec::ProgramOp program) {
  return (!program.getEvery() || program.getThen()) &&
         llvm::any_of(program.getBody().getOps(), [](Operation &node) {
           return isa<exec::SendOp, exec::PushPullOp, exec::PushRowsOp,
                      exec::SendBarrierOp>(node);
         });
}

void OverlapSteps::runOnOperation() {
  markEarly();
  if (isPushingStep(getOperation()))
    StepOverlap(getOperation()).run();
}

} // namespace
