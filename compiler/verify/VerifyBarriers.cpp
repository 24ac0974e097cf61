// SPDX-License-Identifier: Apache-2.0
//===- VerifyBarriers.cpp - prove that steps end and pulls are fresh ------===//
//
// A step ends for all processes only if every barrier reaches every pserver,
// waits for all transfers of its round, and nothing that it waits for waits for
// it. A pull is fresh if it comes after the send barrier, or after its own send
// where there is none.
//
//===----------------------------------------------------------------------===//

#include "compiler/verify/VerifyBarriers.h"

#include "compiler/distribute/PartitionPlan.h"
#include "compiler/verify/WaitGraph.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace ps {
namespace {

class BarrierVerifier {
public:
  explicit BarrierVerifier(JobPrograms &job) : job(job) {}

  LogicalResult checkBarriers();
  LogicalResult checkWaits();
  LogicalResult checkFreshness();

private:
  LogicalResult checkServers(Operation *barrier, ArrayAttr servers);
  template <typename BarrierOp>
  FailureOr<BarrierOp> getBarrier(func::FuncOp function,
                                  ArrayRef<BarrierOp> barriers, int64_t round);
  LogicalResult checkNoBarriers(const Transfers &transfers);
  LogicalResult checkRound(Transfers &transfers, int64_t round);
  LogicalResult checkRoundsInOrder();
  LogicalResult checkOwnFreshness();

  JobPrograms &job;
};

} // namespace

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// A pserver that a barrier does not reach would wait for this trainer until it
/// times out.
LogicalResult BarrierVerifier::checkServers(Operation *barrier,
                                            ArrayAttr servers) {
  llvm::DenseSet<StringAttr> reached;
  for (auto name : servers.getAsRange<FlatSymbolRefAttr>()) {
    if (!job.servers.contains(name.getAttr()))
      return barrier->emitOpError() << "names pserver '" << name
                                    << "', which is not a program of the job";
    if (!reached.insert(name.getAttr()).second)
      return barrier->emitOpError() << "names pserver '" << name << "' twice";
  }
  for (auto &[name, server] : job.servers)
    if (!reached.contains(name)) {
      InFlightDiagnostic diag = barrier->emitOpError()
                                << "does not reach pserver '@"
                                << name.getValue() << "', which would deadlock";
      diag.attachNote(server.program.getLoc())
          << "'@" << server.program.getSymName() << "' is here";
      return diag;
    }
  return success();
}

template <typename BarrierOp>
FailureOr<BarrierOp> BarrierVerifier::getBarrier(func::FuncOp function,
                                                 ArrayRef<BarrierOp> barriers,
                                                 int64_t round) {
  SmallVector<BarrierOp> found;
  for (BarrierOp barrier : barriers)
    if (static_cast<int64_t>(barrier.getRound()) == round)
      found.push_back(barrier);
  if (found.size() != 1) {
    InFlightDiagnostic diag = function.emitOpError()
                              << "expects one "
                              << BarrierOp::getOperationName();
    if (job.getRounds() != 1)
      diag << " of round " << round;
    return diag << ", found " << found.size();
  }
  BarrierOp barrier = found.front();
  if (failed(checkServers(barrier, barrier.getServers())))
    return failure();
  return barrier;
}

/// What `barrier` waits for, directly or through other transfers.
static llvm::DenseSet<Operation *> getAwaited(Operation *barrier) {
  llvm::DenseSet<Operation *> awaited;
  SmallVector<Operation *> worklist = {barrier};
  while (!worklist.empty())
    for (Value operand : worklist.pop_back_val()->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        if (isa<TokenType>(operand.getType()) && awaited.insert(maker).second)
          worklist.push_back(maker);
  return awaited;
}

/// Rows are pushed in the first round.
static uint64_t getRound(PushRowsOp) { return 0; }
template <typename TransferOp>
static uint64_t getRound(TransferOp op) {
  return op.getRound();
}

template <typename TransferOp, typename BarrierOp>
static LogicalResult checkAwaited(ArrayRef<TransferOp> ops, BarrierOp barrier) {
  llvm::DenseSet<Operation *> awaited = getAwaited(barrier);
  for (TransferOp op : ops)
    if (getRound(op) == barrier.getRound() && !awaited.contains(op)) {
      InFlightDiagnostic diag =
          op->emitOpError() << "is not waited for by the barrier of its step";
      diag.attachNote(barrier.getLoc()) << "the barrier is here";
      return diag;
    }
  return success();
}

LogicalResult BarrierVerifier::checkNoBarriers(const Transfers &transfers) {
  SmallVector<Operation *> barriers;
  llvm::append_range(barriers, transfers.sendBarriers);
  llvm::append_range(barriers, transfers.fetchBarriers);
  if (barriers.empty())
    return success();
  return barriers.front()->emitOpError()
         << (job.servers.empty()
                 ? "waits for pservers, but the cluster has none"
                 : "waits for the other trainers, which only mode=sync does");
}

/// The barriers of a round, and that they wait for its transfers.
LogicalResult BarrierVerifier::checkRound(Transfers &transfers, int64_t round) {
  auto fetch = getBarrier<FetchBarrierOp>(transfers.function,
                                          transfers.fetchBarriers, round);
  if (failed(fetch) || failed(checkAwaited<RecvOp>(transfers.recvs, *fetch)))
    return failure();
  if (!job.isStep(transfers))
    return success();
  auto sent = getBarrier<SendBarrierOp>(transfers.function,
                                        transfers.sendBarriers, round);
  if (failed(sent))
    return failure();
  if (failed(checkAwaited<PushRowsOp>(transfers.pushes, *sent)))
    return failure();
  return checkAwaited<SendOp>(transfers.sends, *sent);
}

/// A round begins when the one before has ended.
LogicalResult BarrierVerifier::checkRoundsInOrder() {
  auto check = [&](auto op) -> LogicalResult {
    for (FetchBarrierOp end : job.step->fetchBarriers)
      if (end.getRound() + 1 == op.getRound() && !end->isBeforeInBlock(op)) {
        InFlightDiagnostic diag =
            op.emitOpError() << "belongs to round " << op.getRound()
                             << " of a step, but comes before the end of round "
                             << end.getRound();
        diag.attachNote(end.getLoc()) << "which is here";
        return diag;
      }
    return success();
  };
  for (SendOp send : job.step->sends)
    if (failed(check(send)))
      return failure();
  for (SendBarrierOp barrier : job.step->sendBarriers)
    if (failed(check(barrier)))
      return failure();
  return success();
}

/// Startup pulls in round 0; the step has all rounds; another function that
/// pulls does so after the last round, when values are final.
LogicalResult BarrierVerifier::checkBarriers() {
  for (Transfers &transfers : job.functions) {
    if (!job.keepsStep() || job.servers.empty()) {
      if (failed(checkNoBarriers(transfers)))
        return failure();
      continue;
    }
    if (!job.isStep(transfers) && !transfers.sendBarriers.empty())
      return transfers.sendBarriers.front().emitOpError()
             << "ends a step, but '@" << transfers.function.getSymName()
             << "' sends no gradient";
    bool isStartup = transfers.function.getSymName() == startupName;
    int64_t first =
        job.isStep(transfers) || isStartup ? 0 : job.getRounds() - 1;
    int64_t last = isStartup ? 0 : job.getRounds() - 1;
    size_t rounds = last - first + 1;
    if (transfers.fetchBarriers.size() != rounds)
      return transfers.function.emitOpError()
             << "expects " << (rounds == 1 ? "one" : Twine(rounds))
             << " ps.fetch_barrier, found " << transfers.fetchBarriers.size();
    if (job.isStep(transfers) && transfers.sendBarriers.size() != rounds)
      return transfers.function.emitOpError()
             << "expects " << (rounds == 1 ? "one" : Twine(rounds))
             << " ps.send_barrier, found " << transfers.sendBarriers.size();
    for (int64_t round = first; round <= last; ++round)
      if (failed(checkRound(transfers, round)))
        return failure();
  }
  return job.step ? checkRoundsInOrder() : success();
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// A cycle passes through a pserver, for the ops of a block only wait for
/// earlier ones: so there is a recv in it, which waits for the pserver, and
/// something that the pserver waits for. Where trainers do not wait,
/// pservers answer at once.
LogicalResult BarrierVerifier::checkWaits() {
  if (!job.step || !job.keepsStep())
    return success();
  WaitGraph graph(job.step->function.getBody().front());
  SmallVector<unsigned> cycle = graph.findCycle();
  if (cycle.empty())
    return success();
  while (graph.getOp(cycle.front()))
    std::rotate(cycle.begin(), cycle.begin() + 1, cycle.end());
  auto recv = cast<RecvOp>(graph.getOp(cycle.back()));
  Operation *awaited = graph.getOp(cycle[1]);
  InFlightDiagnostic diag = recv.emitOpError()
                            << "waits for itself: pserver '"
                            << recv.getServerAttr()
                            << "' answers it after the step's gradients";
  diag.attachNote(awaited->getLoc())
      << "'" << awaited->getName()
      << "' is among the ops that it waits for, and depends on the ps.recv";
  return diag;
}

//===----------------------------------------------------------------------===//
// Freshness
//===----------------------------------------------------------------------===//

/// Where trainers do not wait for each other, each must at least see its own
/// gradient.
LogicalResult BarrierVerifier::checkOwnFreshness() {
  llvm::DenseMap<std::pair<Attribute, Attribute>, SendOp> sends;
  for (SendOp send : job.step->sends)
    sends[{send.getServerAttr(), send.getBlockAttr()}] = send;
  for (RecvOp recv : job.step->recvs) {
    VariableOp block =
        job.targets
            .lookup({recv.getServerAttr().getAttr(), recv.getBlockAttr()})
            .variable;
    SendOp send = sends[{recv.getServerAttr(), block.getSymNameAttr()}];
    if (getAwaited(recv).contains(send))
      continue;
    InFlightDiagnostic diag = recv.emitOpError()
                              << "may pull '" << recv.getVariableAttr()
                              << "' before its own gradient is sent: expected "
                                 "it after the ps.send of the block";
    diag.attachNote(send.getLoc()) << "which is here";
    return diag;
  }
  return success();
}

/// A recv sees the update if it comes after the send barrier of its round, be
/// it through other recvs of the round.
LogicalResult BarrierVerifier::checkFreshness() {
  if (!job.step)
    return success();
  if (!job.keepsStep())
    return checkOwnFreshness();
  if (job.servers.empty())
    return success();
  for (SendBarrierOp barrier : job.step->sendBarriers) {
    llvm::DenseSet<Operation *> after = {barrier};
    for (RecvOp recv : job.step->recvs) {
      if (recv.getRound() != barrier.getRound())
        continue;
      if (llvm::none_of(recv.getAfter(), [&](Value token) {
            return after.contains(token.getDefiningOp());
          })) {
        InFlightDiagnostic diag = recv.emitOpError()
                                  << "may pull '" << recv.getVariableAttr()
                                  << "' before the pservers have updated it: "
                                     "expected it after the ps.send_barrier";
        diag.attachNote(barrier.getLoc()) << "the barrier is here";
        return diag;
      }
      after.insert(recv);
    }
  }
  return success();
}

LogicalResult checkOrder(JobPrograms &job) {
  BarrierVerifier verifier(job);
  return failure(failed(verifier.checkBarriers()) ||
                 failed(verifier.checkWaits()) ||
                 failed(verifier.checkFreshness()));
}

} // namespace ps
