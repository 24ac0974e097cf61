// SPDX-License-Identifier: Apache-2.0
//===- VerifyPrograms.cpp - prove that programs fit together --------------===//
//
// 1. collectPrograms: one job, one trainer, each pserver once
//    (JobPrograms.cpp).
// 2. collectBlocks: what each pserver holds, and that it updates all of it
//    (JobPrograms.cpp, ServerUpdates.cpp).
// 3. checkTiling: the blocks of a variable are its rows, each once, and agree
//    on everything that does not differ by row.
//    checkShards: the same of tables (VerifyTables.cpp).
// 4. collectTransfers: every op of the trainer that crosses the network, by
//    function; gradients leave from one function, the step, which runs as often
//    as the cluster says. Nothing else of the trainer writes what a pserver
//    holds, except in the exchange of mode geo (JobPrograms.cpp).
// 5. checkTransfers: a send and a recv agree with the block they name, in rows,
//    element type and round; every block gets one gradient per step and is
//    pulled once per function. Transfers of a bucket can leave as one. Rows go
//    between the trainer and all shards of their table (VerifyTransfers.cpp,
//    VerifyTables.cpp).
// 6. checkReductions: what trainers update themselves starts with one value
//    and learns from mean gradients.
// 7. checkOrder (VerifyBarriers.cpp). checkBarriers: in mode sync one of each
//    kind in each round, to every pserver, after everything that it stands for
//    and after the round before; else none.
//    checkWaits: nothing waits for itself, be it through a pserver.
//    checkFreshness: no pull of a step overtakes the update.
// 8. checkExchange (VerifyExchange.cpp): in mode geo, what an exchange sends
//    and merges leaves nothing out, and training does not touch what it works
//    with in the background.
//
// Each check relies on those before it; the first error ends the pass.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/distribute/PartitionPlan.h"
#include "compiler/verify/VerifyBarriers.h"
#include "compiler/verify/VerifyExchange.h"
#include "compiler/verify/VerifyTransfers.h"
#include "dialects/ps/PSDialect.h"

namespace ps {
#define GEN_PASS_DEF_VERIFYPROGRAMS
#include "compiler/Passes.h.inc"

using namespace mlir;

namespace {

class VerifyPrograms : public impl::VerifyProgramsBase<VerifyPrograms> {
public:
  void runOnOperation() override;

private:
  LogicalResult checkTiling();
  LogicalResult checkTiling(VariableOp whole, MutableArrayRef<HeldBlock> held);
  LogicalResult checkReductions();
  LogicalResult checkBroadcasts(const Transfers &transfers);
  LogicalResult checkLocalUpdate(ApplyOp apply);

  JobPrograms job;
  TableVerifier tables;
};

} // namespace

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

/// Rows start and learn alike, whichever block they are in.
static LogicalResult checkAlike(VariableOp whole,
                                MutableArrayRef<HeldBlock> held) {
  for (HeldBlock &block : held)
    if (failed(checkSame(block.variable, "initial value",
                         block.variable.getInit(), whole, whole.getInit())) ||
        failed(checkSame(block.variable, "learning_rate_scale",
                         block.variable.getLearningRateScaleAttr(), whole,
                         whole.getLearningRateScaleAttr())) ||
        (block.apply &&
         failed(checkSame(block.apply, "optimizer", block.apply.getOptimizer(),
                          held[0].variable, held[0].apply.getOptimizer()))) ||
        (block.apply &&
         failed(checkSame(block.apply, "clip", block.apply.getClipAttr(),
                          held[0].variable, held[0].apply.getClipAttr()))) ||
        (block.apply &&
         failed(checkSame(block.apply, "regularizer",
                          block.apply.getRegularizeAttr(), held[0].variable,
                          held[0].apply.getRegularizeAttr()))))
      return failure();
  return success();
}

LogicalResult VerifyPrograms::checkTiling(VariableOp whole,
                                          MutableArrayRef<HeldBlock> held) {
  llvm::sort(held, [](HeldBlock a, HeldBlock b) {
    return a.variable.getSliceAttr().getRowOffset() <
           b.variable.getSliceAttr().getRowOffset();
  });
  int64_t next = 0;
  VariableOp previous = whole;
  for (HeldBlock &entry : held) {
    VariableOp block = entry.variable;
    SliceAttr slice = block.getSliceAttr();
    if (slice.getRowOffset() != next) {
      InFlightDiagnostic diag = block.emitOpError()
                                << "expects to begin at row " << next
                                << " of '@" << whole.getSymName()
                                << "', found row " << slice.getRowOffset();
      diag.attachNote(previous.getLoc())
          << (previous == whole ? "the variable is here"
                                : "the rows before it are here");
      return diag;
    }
    next += slice.getRows();
    previous = block;
  }
  int64_t rows = getRowCount(whole.getTensorType());
  if (next == rows)
    return checkAlike(whole, held);
  InFlightDiagnostic diag = previous.emitOpError()
                            << "expects '@" << whole.getSymName()
                            << "' to end with it, found " << rows - next
                            << " more rows";
  diag.attachNote(whole.getLoc()) << "the variable is here";
  return diag;
}

LogicalResult VerifyPrograms::checkTiling() {
  for (auto variable : job.trainer.getOps<VariableOp>())
    job.variables[variable.getSymNameAttr()] = variable;

  for (auto &[program, server] : job.servers)
    for (auto &[name, held] : server.blocks) {
      SliceAttr slice = held.variable.getSliceAttr();
      VariableOp whole = job.variables.lookup(slice.getOrigin());
      if (!whole)
        return held.variable.emitOpError()
               << "is a block of '@" << slice.getOrigin().getValue()
               << "', which '@" << job.trainer.getSymName()
               << "' does not hold";
      if (slice.getOriginType() != whole.getTensorType()) {
        InFlightDiagnostic diag = held.variable.emitOpError()
                                  << "expects '@" << whole.getSymName()
                                  << "' to be " << slice.getOriginType()
                                  << ", found " << whole.getTensorType();
        diag.attachNote(whole.getLoc()) << "the variable is here";
        return diag;
      }
      job.heldOf[whole].push_back(held);
    }
  for (auto &[whole, held] : job.heldOf)
    if (failed(checkTiling(whole, held)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Trainers issue collectives in the order of their channels, which are what
/// distinguishes those of a function.
static LogicalResult checkChannels(func::FuncOp function) {
  Operation *before = nullptr;
  uint64_t last = 0;
  auto check = [&](Operation *op, uint64_t channel) -> LogicalResult {
    if (before && channel <= last) {
      InFlightDiagnostic diag =
          op->emitOpError()
          << "has channel " << channel << " after channel " << last << " in '@"
          << function.getSymName()
          << "': expected ascending channels, or trainers could merge "
             "unrelated values";
      diag.attachNote(before->getLoc()) << "the one before is here";
      return diag;
    }
    before = op;
    last = channel;
    return success();
  };
  WalkResult result = function.walk([&](Operation *op) {
    if (auto reduce = dyn_cast<AllReduceOp>(op))
      return WalkResult(check(op, reduce.getChannel()));
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      return WalkResult(check(op, broadcast.getChannel()));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// A value of trainer 0 is for the start alone: later it would overwrite what a
/// trainer has learned.
LogicalResult VerifyPrograms::checkBroadcasts(const Transfers &transfers) {
  func::FuncOp function = transfers.function;
  if (function.getSymName() != startupName) {
    if (transfers.broadcasts.empty())
      return success();
    BroadcastOp broadcast = transfers.broadcasts.front();
    return broadcast.emitOpError()
           << "is in '@" << function.getSymName()
           << "': expected initial values, in '@startup'";
  }
  llvm::DenseMap<StringAttr, BroadcastOp> given;
  for (BroadcastOp broadcast : transfers.broadcasts) {
    auto [entry, inserted] =
        given.try_emplace(broadcast.getVariableAttr().getAttr(), broadcast);
    if (inserted)
      continue;
    InFlightDiagnostic diag = broadcast.emitOpError()
                              << "gives '" << broadcast.getVariableAttr()
                              << "' a second time";
    diag.attachNote(entry->second.getLoc()) << "the first one is here";
    return diag;
  }
  for (ApplyOp apply : job.localUpdates)
    if (!job.isGeo() && !given.contains(apply.getVariableAttr().getAttr())) {
      InFlightDiagnostic diag = function.emitOpError()
                                << "gives trainers no common initial value of '"
                                << apply.getVariableAttr()
                                << "': expected a ps.broadcast";
      diag.attachNote(apply.getLoc()) << "they update it here";
      return diag;
    }
  return success();
}

/// All trainers must do the same update, unless they exchange values.
LogicalResult VerifyPrograms::checkLocalUpdate(ApplyOp apply) {
  if (job.isGeo()) {
    if (apply.getOptimizer().sumsSteps())
      return success();
    return apply.emitOpError() << "uses " << apply.getOptimizer()
                               << ": expected an optimizer whose steps may be "
                                  "summed, such as #ps.sgd, in mode=geo";
  }
  VariableOp variable = job.variables.lookup(apply.getVariableAttr().getAttr());
  if (job.heldOf.contains(variable))
    return apply.emitOpError() << "belongs in a pserver program, found it in '@"
                               << job.trainer.getSymName() << "'";
  if (apply.getGradient().getDefiningOp<AllReduceOp>())
    return success();
  return apply.emitOpError() << "updates '" << apply.getVariableAttr()
                             << "' from a gradient of this trainer alone: "
                                "expected a mean that ps.all_reduce returns";
}

LogicalResult VerifyPrograms::checkReductions() {
  for (ApplyOp apply : job.localUpdates)
    if (failed(checkLocalUpdate(apply)))
      return failure();
  for (const Transfers &transfers : job.functions)
    if (failed(checkChannels(transfers.function)) ||
        failed(checkBroadcasts(transfers)))
      return failure();
  return success();
}

void VerifyPrograms::runOnOperation() {
  markAllAnalysesPreserved();
  if (failed(job.collectPrograms(getOperation())) ||
      failed(job.collectBlocks()) || failed(checkTiling()) ||
      failed(tables.checkShards(job.trainer, job.servers)) ||
      failed(job.collectTransfers()) || failed(checkTransfers(job, tables)) ||
      failed(checkReductions()) || failed(checkOrder(job)) ||
      failed(checkExchange(job)))
    signalPassFailure();
}

} // namespace ps
