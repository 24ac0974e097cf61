// SPDX-License-Identifier: Apache-2.0
//===- JobPrograms.cpp - what the programs of a job hold and send ---------===//
//
// Collects what the later checks compare: which pserver holds which rows and by
// which op it updates them, and every transfer of the trainer by function. Ops
// are kept, not copies of their attributes, so that errors can point at both
// ends.
//
//===----------------------------------------------------------------------===//

#include "compiler/verify/JobPrograms.h"

#include "compiler/distribute/PartitionPlan.h"

using namespace mlir;

namespace ps {

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

LogicalResult JobPrograms::collectPrograms(ModuleOp module) {
  ProgramOp first;
  for (auto program : module.getOps<ProgramOp>()) {
    if (!first)
      first = program;
    if (program.getCluster() != first.getCluster()) {
      InFlightDiagnostic diag = program.emitOpError()
                                << "belongs to another job: expected "
                                << first.getCluster() << ", found "
                                << program.getCluster();
      diag.attachNote(first.getLoc())
          << "'@" << first.getSymName() << "' is here";
      return diag;
    }
    if (program.getRole() == Role::PServer) {
      servers.insert(
          {program.getSymNameAttr(), Server{program, {}, {}, {}, {}}});
      continue;
    }
    if (trainer) {
      InFlightDiagnostic diag = program.emitOpError()
                                << "is a second trainer program";
      diag.attachNote(trainer.getLoc()) << "the first one is here";
      return diag;
    }
    trainer = program;
  }

  Location loc = module.getLoc();
  if (!first)
    return emitError(loc) << "no programs to verify: run ps-partition first";
  if (!trainer)
    return emitError(loc) << "no program has the role trainer";
  for (auto name :
       first.getCluster().getPservers().getAsRange<FlatSymbolRefAttr>())
    if (!servers.contains(name.getAttr()))
      return emitError(loc)
             << "no program '" << name << "', which the cluster names";
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LogicalResult JobPrograms::collectBlocks(Server &server) {
  WalkResult result = server.program.walk([&](Operation *op) {
    if (!isa<SendOp, PushRowsOp, PrefetchOp, SendBarrierOp, RecvOp,
             FetchBarrierOp, AllReduceOp, BroadcastOp>(op))
      return WalkResult::advance();
    op->emitOpError() << "belongs in a trainer program, found it in '@"
                      << server.program.getSymName() << "'";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  return collectUpdates(server);
}

LogicalResult JobPrograms::collectBlocks() {
  for (auto &[name, server] : servers) {
    if (failed(collectBlocks(server)))
      return failure();
    addTargets(name, server);
  }
  return success();
}

/// What a transfer can name on a pserver: a block, its narrow copy for the
/// wire, its sum of squares, the norm and the count of batches.
void JobPrograms::addTargets(StringAttr program, Server &server) {
  for (auto &[name, held] : server.blocks)
    for (VariableOp each : {held.variable, held.wire, held.squares})
      if (each)
        targets[{program, each.getSymNameAttr()}] = held;
  for (OptimizeBlockOp number : {server.normBlock, server.countBlock})
    if (number)
      targets[{program, number.getVariableAttr().getAttr()}] = {
          .variable = SymbolTable::lookupNearestSymbolFrom<VariableOp>(
              number, number.getVariableAttr()),
          .update = number};
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Whether `assign` brings what was received in a narrow type to its variable.
bool JobPrograms::widensReceived(AssignOp assign) {
  auto convert = assign.getValue().getDefiningOp<stablehlo::ConvertOp>();
  auto read = convert ? convert.getOperand().getDefiningOp<ReadOp>() : ReadOp();
  if (!read)
    return false;
  VariableOp narrow = variables.lookup(read.getVariableAttr().getAttr());
  return narrow.getSlotOfAttr() == assign.getVariableAttr();
}

/// A trainer must not change what a pserver owns; in mode geo it owns a copy.
LogicalResult JobPrograms::checkAssign(AssignOp assign) {
  if (isGeo() ||
      (trainer.getCluster().getWire() != Wire::F32 && widensReceived(assign)))
    return success();
  VariableOp variable = variables.lookup(assign.getVariableAttr().getAttr());
  auto found = heldOf.find(variable);
  if (found == heldOf.end())
    return success();
  InFlightDiagnostic diag = assign.emitOpError()
                            << "writes '" << assign.getVariableAttr()
                            << "', which a pserver owns: only a ps.recv may "
                               "change it";
  diag.attachNote(found->second.front().variable.getLoc()) << "it is held here";
  return diag;
}

LogicalResult JobPrograms::addTransfer(Transfers &transfers, Operation *op) {
  if (auto assign = dyn_cast<AssignOp>(op))
    return checkAssign(assign);
  if (auto prefetch = dyn_cast<PrefetchOp>(op))
    prefetches.push_back(prefetch);
  if (auto update = dyn_cast<ApplyRowsOp>(op)) {
    copyUpdates.push_back(update);
    return success();
  }
  if (isa<ListenAndServOp, MinimizeOp>(op))
    return op->emitOpError() << "belongs in a pserver program, found it in '@"
                             << trainer.getSymName() << "'";
  if (auto apply = dyn_cast<ApplyOp>(op)) {
    localUpdates.push_back(apply);
    return success();
  }
  if (!isa<SendOp, PushRowsOp, SendBarrierOp, RecvOp, FetchBarrierOp,
           AllReduceOp, BroadcastOp>(op))
    return success();
  if (op->getParentOp() != transfers.function)
    return op->emitOpError() << "expects to be directly in a function, not in "
                                "a region of one of its ops";
  if (!transfers.function.getBody().hasOneBlock())
    return op->emitOpError() << "is in a function with several blocks";
  if (auto send = dyn_cast<SendOp>(op))
    transfers.sends.push_back(send);
  else if (auto push = dyn_cast<PushRowsOp>(op))
    transfers.pushes.push_back(push);
  else if (auto barrier = dyn_cast<SendBarrierOp>(op))
    transfers.sendBarriers.push_back(barrier);
  else if (auto recv = dyn_cast<RecvOp>(op))
    transfers.recvs.push_back(recv);
  else if (auto reduce = dyn_cast<AllReduceOp>(op))
    transfers.allReduces.push_back(reduce);
  else if (auto broadcast = dyn_cast<BroadcastOp>(op))
    transfers.broadcasts.push_back(broadcast);
  else
    transfers.fetchBarriers.push_back(cast<FetchBarrierOp>(op));
  return success();
}

/// The step is the only function that sends gradients.
LogicalResult JobPrograms::findStep() {
  for (Transfers &transfers : functions) {
    if (!transfers.givesGradients())
      continue;
    if (step) {
      InFlightDiagnostic diag = transfers.function.emitOpError()
                                << "sends gradients, and so does '@"
                                << step->function.getSymName()
                                << "': expected one training function";
      diag.attachNote(step->function.getLoc())
          << "'@" << step->function.getSymName() << "' is here";
      return diag;
    }
    step = &transfers;
    if (failed(checkPeriod(transfers.function)))
      return failure();
  }
  return success();
}

/// The trainer runs `function` by itself after so many batches, or with each.
LogicalResult JobPrograms::checkPeriod(func::FuncOp function) {
  ClusterAttr cluster = trainer.getCluster();
  int64_t expected = isGeo() ? cluster.getGeoSteps() : cluster.getAccumulate();
  auto found = function->getAttrOfType<IntegerAttr>(PSDialect::everyAttrName);
  if ((found ? found.getInt() : 1) != expected)
    return function.emitOpError()
           << "sends gradients every " << (found ? found.getInt() : 1)
           << " batches, expected every " << expected << " as the cluster says";
  if (found && function.getNumArguments() != 0)
    return function.emitOpError()
           << "takes data, but runs between batches (ps.every)";
  return success();
}

/// What crosses the network does so once per step, which a call would hide.
LogicalResult JobPrograms::checkCalls() {
  WalkResult result = trainer.walk([&](CallOpInterface call) {
    Operation *callee = call.resolveCallable();
    if (llvm::none_of(functions, [&](Transfers &transfers) {
          return transfers.function == callee;
        }))
      return WalkResult::advance();
    InFlightDiagnostic diag =
        call.emitOpError()
        << "calls a function that uses the network: expected it to be inlined";
    diag.attachNote(callee->getLoc()) << "it is here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Keeps functions that cross the network; @startup is one even when empty.
LogicalResult JobPrograms::collectTransfers() {
  bool hasStartup = false;
  for (auto function : trainer.getOps<func::FuncOp>()) {
    Transfers transfers;
    transfers.function = function;
    WalkResult result = function.walk(
        [&](Operation *op) { return WalkResult(addTransfer(transfers, op)); });
    if (result.wasInterrupted())
      return failure();
    bool isStartup = function.getSymName() == startupName;
    hasStartup |= isStartup;
    if (isStartup || !transfers.empty())
      functions.push_back(std::move(transfers));
  }
  if (!hasStartup)
    return trainer.emitOpError()
           << "expects a function '@startup' that pulls the initial values";
  if (failed(checkCalls()))
    return failure();
  return findStep();
}

} // namespace ps
