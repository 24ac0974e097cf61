// SPDX-License-Identifier: Apache-2.0
//===- VerifyExchange.cpp - prove that an exchange loses nothing ----------===//
//
// Mode geo, with a trainer's value x, what it knows of the pservers' value y,
// and the pservers' value z. What a trainer has learned and not sent is x - y.
//
// 1. findMerge: the exchange names the function that merges what it pulls.
// 2. checkSent: of each variable a difference d = (x - y) / n is sent, and
//    y = y + d: what is sent is no longer in x - y.
// 3. checkMerged: x = x + (z - y) and y = z, with the z that was pulled: x - y
//    stays as it is, whatever was trained meanwhile.
// 4. checkTables: rows are collected, pushed, pulled after that, and merged, by
//    ops that do the same.
// 5. checkAlone: only the pull and the merge touch what arrives while other
//    functions run.
//
//===----------------------------------------------------------------------===//

#include "compiler/verify/VerifyExchange.h"

#include "compiler/distribute/PartitionPlan.h"
#include "dialects/stablehlo/StablehloDialect.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ps {
namespace {

class ExchangeVerifier {
public:
  explicit ExchangeVerifier(JobPrograms &job)
      : job(job), exchange(job.step->function) {}

  LogicalResult check();

private:
  /// The names of what belongs to a variable.
  struct Copies {
    StringAttr snapshot, pulled;
  };

  LogicalResult findMerge();
  LogicalResult checkSent(SendOp send);
  LogicalResult checkPulled(RecvOp recv);
  LogicalResult checkMerged(StringAttr variable, const Copies &names);
  LogicalResult checkTable(PushRowsOp push);
  LogicalResult checkPlace(Operation *op);
  LogicalResult checkAlone(Operation *op);

  JobPrograms &job;
  func::FuncOp exchange, merge;
  /// Copies by the variable that is exchanged.
  llvm::MapVector<StringAttr, Copies> copies;
  /// What arrives in the background, by the pull.
  llvm::DenseMap<StringAttr, RecvOp> pulled;
};

} // namespace

/// The value `op` is of, if it is one of `OpT`.
template <typename OpT>
static OpT getMaker(Value value) {
  return value ? value.getDefiningOp<OpT>() : OpT();
}

/// The name of the variable that `value` was read of; null if it was not.
static StringAttr getRead(Value value) {
  auto read = getMaker<ReadOp>(value);
  return read ? read.getVariableAttr().getAttr() : StringAttr();
}

/// What `function` assigns to `variable`; null if it does not.
static Value getAssigned(func::FuncOp function, StringAttr variable) {
  Value value;
  for (auto assign : function.getOps<AssignOp>())
    if (assign.getVariableAttr().getAttr() == variable)
      value = assign.getValue();
  return value;
}

LogicalResult ExchangeVerifier::findMerge() {
  auto name =
      exchange->getAttrOfType<FlatSymbolRefAttr>(PSDialect::thenAttrName);
  merge = name ? job.trainer.lookupSymbol<func::FuncOp>(name) : func::FuncOp();
  if (merge && merge != exchange && merge.getNumArguments() == 0 &&
      merge.getBody().hasOneBlock())
    return success();
  return exchange.emitOpError()
         << "pulls values in the background, so expects ps.then to name a "
            "function without arguments that merges them";
}

LogicalResult ExchangeVerifier::checkSent(SendOp send) {
  StringAttr variable = send.getVariableAttr().getAttr();
  Value difference = send.getGradient();
  auto quotient = getMaker<stablehlo::DivOp>(difference);
  auto learned = quotient ? getMaker<stablehlo::SubtractOp>(quotient.getLhs())
                          : stablehlo::SubtractOp();
  StringAttr snapshot = learned ? getRead(learned.getRhs()) : StringAttr();
  if (!snapshot || getRead(learned.getLhs()) != variable)
    return send.emitOpError()
           << "expects to send a part (x - y) / n of the difference between '@"
           << variable.getValue() << "' and what pservers are known to have";
  auto sum = getMaker<stablehlo::AddOp>(getAssigned(exchange, snapshot));
  if (!sum || getRead(sum.getLhs()) != snapshot || sum.getRhs() != difference)
    return send.emitOpError()
           << "sends a difference that is not added to '@"
           << snapshot.getValue()
           << "': it would be sent again by the next exchange";
  copies[variable].snapshot = snapshot;
  return success();
}

LogicalResult ExchangeVerifier::checkPulled(RecvOp recv) {
  StringAttr name = recv.getVariableAttr().getAttr();
  FlatSymbolRefAttr owner = job.variables.lookup(name).getSlotOfAttr();
  auto found = owner ? copies.find(owner.getAttr()) : copies.end();
  if (found == copies.end() || name == found->second.snapshot)
    return recv.emitOpError()
           << "pulls into '@" << name.getValue()
           << "', which training or the next exchange works with: expected a "
              "variable of its own, slot_of the one that is exchanged";
  found->second.pulled = name;
  pulled[name] = recv;
  return success();
}

LogicalResult ExchangeVerifier::checkMerged(StringAttr variable,
                                            const Copies &names) {
  auto sum = getMaker<stablehlo::AddOp>(getAssigned(merge, variable));
  auto others = sum ? getMaker<stablehlo::SubtractOp>(sum.getRhs())
                    : stablehlo::SubtractOp();
  if (!others || getRead(sum.getLhs()) != variable ||
      getRead(others.getLhs()) != names.pulled ||
      getRead(others.getRhs()) != names.snapshot)
    return merge.emitOpError()
           << "expects to add to '@" << variable.getValue() << "' what '@"
           << names.pulled.getValue() << "' has more than '@"
           << names.snapshot.getValue() << "': mode=geo would lose it";
  if (getRead(getAssigned(merge, names.snapshot)) == names.pulled)
    return success();
  return merge.emitOpError()
         << "expects to assign '@" << names.pulled.getValue() << "' to '@"
         << names.snapshot.getValue()
         << "': otherwise the next exchange sends what others have learned";
}

/// What the ops on tables do to x and y is their own.
LogicalResult ExchangeVerifier::checkTable(PushRowsOp push) {
  FlatSymbolRefAttr table = push.getTableAttr();
  auto collect = getMaker<CollectChangesOp>(push.getGradient());
  if (!collect || collect.getTableAttr() != table || !collect->hasOneUse())
    return push.emitOpError() << "expects to push what one ps.collect_changes "
                                 "of '"
                              << table << "' has collected";
  int64_t pulls = 0, merges = 0;
  for (auto pull : exchange.getOps<PullChangesOp>())
    if (pull.getTableAttr() == table &&
        llvm::is_contained(pull.getAfter(), push.getDone()))
      ++pulls;
  for (auto op : merge.getOps<MergeChangesOp>())
    merges += op.getTableAttr() == table;
  if (pulls != 1 || merges != 1)
    return push.emitOpError()
           << "expects one ps.pull_changes of '" << table
           << "' after it, and one ps.merge_changes in '@" << merge.getSymName()
           << "', found " << pulls << " and " << merges;
  return success();
}

/// Ops that exchange rows are where the trainer expects them; at the start
/// nothing else runs.
LogicalResult ExchangeVerifier::checkPlace(Operation *op) {
  auto pull = dyn_cast<PullChangesOp>(op);
  if (pull && pull.getServersAttr() != job.trainer.getCluster().getPservers())
    return pull.emitOpError() << "expects the pservers of the cluster, "
                              << job.trainer.getCluster().getPservers();
  if (!isa<PullChangesOp, MergeChangesOp, CollectChangesOp>(op))
    return success();
  auto function = op->getParentOfType<func::FuncOp>();
  bool starts = function.getSymName() == startupName;
  bool isAllowed =
      TypeSwitch<Operation *, bool>(op)
          .Case([&](PullChangesOp) { return starts || function == exchange; })
          .Case([&](MergeChangesOp) { return starts || function == merge; })
          .Case([&](CollectChangesOp) { return function == exchange; })
          .Default(false);
  if (isAllowed)
    return success();
  return op->emitOpError() << "belongs in the exchange or its merge, found it "
                              "in '@"
                           << function.getSymName() << "'";
}

/// The name of the variable that `op` reads or writes; null for others.
static FlatSymbolRefAttr getTouched(Operation *op) {
  return TypeSwitch<Operation *, FlatSymbolRefAttr>(op)
      .Case<ReadOp, AssignOp, RecvOp, BroadcastOp, ApplyOp>(
          [](auto op) { return op.getVariableAttr(); })
      .Default(FlatSymbolRefAttr());
}

LogicalResult ExchangeVerifier::checkAlone(Operation *op) {
  FlatSymbolRefAttr name = getTouched(op);
  if (!name || !pulled.contains(name.getAttr()) ||
      (isa<ReadOp>(op) && op->getParentOp() == merge) ||
      (isa<RecvOp>(op) && op->getParentOp() == exchange))
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "works with '" << name
                            << "', into which values arrive in the background: "
                               "expected only '@"
                            << merge.getSymName() << "' to read it";
  diag.attachNote(pulled[name.getAttr()].getLoc()) << "they arrive here";
  return diag;
}

LogicalResult ExchangeVerifier::check() {
  if (failed(findMerge()))
    return failure();
  for (SendOp send : job.step->sends)
    if (failed(checkSent(send)))
      return failure();
  for (RecvOp recv : job.step->recvs)
    if (failed(checkPulled(recv)))
      return failure();
  for (auto &[variable, names] : copies)
    if (failed(checkMerged(variable, names)))
      return failure();
  for (PushRowsOp push : job.step->pushes)
    if (failed(checkTable(push)))
      return failure();
  WalkResult result = job.trainer.walk([&](Operation *op) {
    return WalkResult(
        failure(failed(checkPlace(op)) || failed(checkAlone(op))));
  });
  return failure(result.wasInterrupted());
}

LogicalResult checkExchange(JobPrograms &job) {
  if (!job.isGeo() || !job.step)
    return success();
  return ExchangeVerifier(job).check();
}

} // namespace ps
