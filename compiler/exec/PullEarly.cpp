// SPDX-License-Identifier: Apache-2.0
//===- PullEarly.cpp - pulls each block once its gradient is pushed -------===//
//
// For every pull that waits for a send barrier:
//  1. findSends: find the pushes of its blocks before the barrier.
//  2. pullAfter: wait for these instead of the barrier.
//
// A pserver answers a pull when it has updated the block, which needs the
// pushes of that block only. It does so for exchanges of one round: the blocks
// of a second round are computed from those of the first.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/exec/ExecDialect.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ps {
#define GEN_PASS_DEF_PULLEARLY
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

struct PullEarly : public ps::impl::PullEarlyBase<PullEarly> {
  void runOnOperation() override;
};

/// Whether the exchange of a step has a second round.
bool hasRounds(exec::ProgramOp program) {
  bool found = false;
  for (Operation &node : program.getBody().getOps())
    llvm::TypeSwitch<Operation *>(&node)
        .Case<exec::SendOp, exec::RecvOp, exec::SendBarrierOp,
              exec::FetchBarrierOp>(
            [&](auto op) { found |= op.getRound() != 0; });
  return found;
}

exec::SendBarrierOp findBarrier(exec::RecvOp recv) {
  for (Value token : recv.getAfter())
    if (auto barrier = token.getDefiningOp<exec::SendBarrierOp>())
      return barrier;
  return {};
}

/// The tokens of the sends before `barrier` that push the blocks of `recv`;
/// none if one of the blocks is not pushed.
SmallVector<Value> findSends(exec::SendBarrierOp barrier, exec::RecvOp recv) {
  llvm::SmallDenseSet<Attribute> pushed;
  SmallVector<Value> sends;
  for (Value token : barrier.getAfter()) {
    auto send = token.getDefiningOp<exec::SendOp>();
    if (!send || send.getServer() != recv.getServer() ||
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

/// Has `recv` wait for `sends` instead of `barrier`.
void pullAfter(SmallVector<Value> sends, exec::SendBarrierOp barrier,
               exec::RecvOp recv) {
  for (Value token : recv.getAfter())
    if (token != barrier.getDone())
      sends.push_back(token);
  recv.getAfterMutable().assign(sends);
  // The fetch barrier ends the step at the pserver, so it must not overtake the
  // send barrier, which it came after by way of the pull.
  for (Operation *user : recv.getDone().getUsers())
    if (auto fetch = dyn_cast<exec::FetchBarrierOp>(user);
        fetch && !llvm::is_contained(fetch.getAfter(), barrier.getDone()))
      fetch.getAfterMutable().append(barrier.getDone());
}

void PullEarly::runOnOperation() {
  exec::ProgramOp program = getOperation();
  if (program.getEvery() || hasRounds(program))
    return;
  for (auto recv : program.getBody().getOps<exec::RecvOp>())
    if (exec::SendBarrierOp barrier = findBarrier(recv))
      if (SmallVector<Value> sends = findSends(barrier, recv); !sends.empty())
        pullAfter(std::move(sends), barrier, recv);
}

} // namespace
