// SPDX-License-Identifier: Apache-2.0
//===- VerifyTransfers.cpp - prove that transfers have two ends -----------===//
//
// Each send of the step has one block that takes it and each block one send;
// each pull names what a pserver holds. Both ends must agree on rows, element
// type and round, because the runtime copies bytes without looking at either.
//
//===----------------------------------------------------------------------===//

#include "compiler/verify/VerifyTransfers.h"

#include "compiler/distribute/Buckets.h"
#include "compiler/distribute/PartitionPlan.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace ps {
namespace {

class TransferVerifier {
public:
  TransferVerifier(JobPrograms &job, TableVerifier &tables)
      : job(job), tables(tables) {}

  LogicalResult check();

private:
  LogicalResult checkSend(SendOp send,
                          llvm::DenseMap<Operation *, SendOp> &senders);
  LogicalResult checkLargest(SendOp send, OptimizeBlockOp update);
  LogicalResult checkCount(SendOp send);
  LogicalResult checkNumber(SendOp send);
  LogicalResult checkPull(const Transfers &transfers, RecvOp recv);
  LogicalResult checkGiven(RecvOp recv);
  LogicalResult checkPulls(Transfers &transfers);
  LogicalResult checkSquares();

  template <typename TransferOp>
  FlatSymbolRefAttr getWhole(TransferOp op);
  template <typename TransferOp>
  FailureOr<HeldBlock> findTarget(TransferOp op);
  template <typename TransferOp>
  LogicalResult checkRows(TransferOp op, const HeldBlock &held);

  JobPrograms &job;
  TableVerifier &tables;
  /// What the step reads to give a variable what came for it.
  llvm::DenseMap<StringAttr, ReadOp> widened;
};

} // namespace

/// "rows [0, 3) of '@w'"
static std::string describeRows(StringRef variable, int64_t offset,
                                int64_t rows) {
  return llvm::formatv("rows [{0}, {1}) of '@{2}'", offset, offset + rows,
                       variable);
}

/// The variable of which a send or recv moves rows: a companion stands for its
/// owner.
template <typename TransferOp>
FlatSymbolRefAttr TransferVerifier::getWhole(TransferOp op) {
  VariableOp variable = job.variables.lookup(op.getVariableAttr().getAttr());
  FlatSymbolRefAttr owner = variable.getSlotOfAttr();
  return owner ? owner : op.getVariableAttr();
}

/// The block of a pserver that a send or recv names by one of its variables.
template <typename TransferOp>
FailureOr<HeldBlock> TransferVerifier::findTarget(TransferOp op) {
  auto server = job.servers.find(op.getServerAttr().getAttr());
  if (server == job.servers.end())
    return op.emitOpError() << "names pserver '" << op.getServerAttr()
                            << "', which is not a program of the job";
  Server &found = server->second;
  StringAttr name = op.getBlockAttr();
  auto target = job.targets.find({server->first, name});
  if (target != job.targets.end())
    return target->second;
  InFlightDiagnostic diag = op.emitOpError()
                            << "names block " << name << ", which '@"
                            << found.program.getSymName() << "' does not hold";
  diag.attachNote(found.program.getLoc())
      << "'@" << found.program.getSymName() << "' is here";
  return diag;
}

/// Both ends must mean the same rows of the same variable.
template <typename TransferOp>
LogicalResult TransferVerifier::checkRows(TransferOp op,
                                          const HeldBlock &held) {
  VariableOp variable = held.find(op.getBlockAttr());
  if (held.isNumber() || variable == held.squares) {
    int64_t rows = getRowCount(variable.getTensorType());
    if (static_cast<int64_t>(op.getRows()) == rows)
      return success();
    InFlightDiagnostic diag = op.emitOpError()
                              << "moves " << op.getRows() << " rows, but "
                              << op.getBlockAttr() << " has " << rows;
    diag.attachNote(variable.getLoc()) << "it is here";
    return diag;
  }
  VariableOp block = held.variable;
  SliceAttr slice = block.getSliceAttr();
  if (slice.getOrigin() == getWhole(op).getAttr() &&
      slice.getRowOffset() == static_cast<int64_t>(op.getRowOffset()) &&
      slice.getRows() == static_cast<int64_t>(op.getRows()))
    return success();
  InFlightDiagnostic diag =
      op.emitOpError() << "moves "
                       << describeRows(op.getVariable(), op.getRowOffset(),
                                       op.getRows())
                       << ", but block " << op.getBlockAttr() << " holds "
                       << describeRows(slice.getOrigin(), slice.getRowOffset(),
                                       slice.getRows());
  diag.attachNote(block.getLoc()) << "the block is here";
  return diag;
}

static LogicalResult checkElements(Operation *op, Type found, Type expected,
                                   Operation *there) {
  Type left = cast<RankedTensorType>(found).getElementType();
  Type right = cast<RankedTensorType>(expected).getElementType();
  if (left == right)
    return success();
  InFlightDiagnostic diag = op->emitOpError() << "transfers elements of type "
                                              << left << ", expected " << right;
  diag.attachNote(there->getLoc()) << "the pserver has them here";
  return diag;
}

/// `op` takes part in `expected`, as `there` does.
template <typename TransferOp>
static LogicalResult checkSameRound(TransferOp op, int64_t expected,
                                    Operation *there) {
  if (static_cast<int64_t>(op.getRound()) == expected)
    return success();
  InFlightDiagnostic diag = op.emitOpError()
                            << "takes part in round " << op.getRound()
                            << " of a step, expected round " << expected;
  diag.attachNote(there->getLoc()) << "the pserver takes part here";
  return diag;
}

/// The elements must be as many as the pserver expects, and of these rows, and
/// what is not sent must be kept for the same variable.
LogicalResult TransferVerifier::checkLargest(SendOp send,
                                             OptimizeBlockOp update) {
  if (!send.sendsLargest())
    return success();
  const int64_t count = send.getSentRows();
  if (count != static_cast<int64_t>(update.getLargest())) {
    InFlightDiagnostic diag = send.emitOpError()
                              << "sends the " << count
                              << " largest elements of block "
                              << send.getBlockAttr() << ", expected "
                              << update.getLargest();
    diag.attachNote(update.getLoc()) << "the pserver takes them here";
    return diag;
  }
  auto take = send.getGradient().getDefiningOp<TakeLargestOp>();
  if (take && take.getRowOffset() == send.getRowOffset() &&
      take.getRows() == send.getRows()) {
    VariableOp unsent = job.variables.lookup(take.getVariableAttr().getAttr());
    if (unsent.getSlotOfAttr() == getWhole(send))
      return success();
  }
  return send.emitOpError()
         << "sends elements that no ps.take_largest takes of "
         << describeRows(send.getVariable(), send.getRowOffset(),
                         send.getRows())
         << " and of what has not been sent of them";
}

/// `senders` collects the sends by the block that takes them: a block takes
/// one.
LogicalResult
TransferVerifier::checkSend(SendOp send,
                            llvm::DenseMap<Operation *, SendOp> &senders) {
  FailureOr<HeldBlock> held = findTarget(send);
  if (failed(held))
    return failure();
  OptimizeBlockOp update = held->update;
  if (held->find(send.getBlockAttr()) != held->variable)
    return send.emitOpError() << "names block " << send.getBlockAttr()
                              << ", which takes no gradient";
  if (failed(checkRows(send, *held)) ||
      failed(checkElements(send, send.getGradient().getType(),
                           update.getPushedType(), update)) ||
      failed(checkLargest(send, update)) ||
      failed(checkSameRound(send, update.getRound(), update)))
    return failure();
  auto [entry, inserted] = senders.try_emplace(update, send);
  if (inserted)
    return held->isNumber() ? checkNumber(send) : success();
  InFlightDiagnostic diag = send.emitOpError()
                            << "is the second gradient of a step for block "
                            << send.getBlockAttr();
  diag.attachNote(entry->second.getLoc()) << "the first one is here";
  return diag;
}

/// A schedule that counts anything else would run at its own pace.
LogicalResult TransferVerifier::checkCount(SendOp send) {
  auto constant = send.getGradient().getDefiningOp<stablehlo::ConstantOp>();
  auto value = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue())
                        : DenseIntElementsAttr();
  if (value && value.isSplat() && value.getSplatValue<APInt>().isOne())
    return success();
  return send.emitOpError()
         << "counts the batches of this step: expected the constant 1";
}

/// What is sent as the norm must come from what the pservers found.
LogicalResult TransferVerifier::checkNumber(SendOp send) {
  if (!job.keepsStep())
    return checkCount(send);
  llvm::DenseSet<StringAttr> received;
  for (RecvOp recv : job.step->recvs)
    if (recv.getRound() < send.getRound())
      received.insert(recv.getVariableAttr().getAttr());
  SetVector<Operation *> makers;
  if (Operation *maker = send.getGradient().getDefiningOp())
    makers.insert(maker);
  for (size_t i = 0; i < makers.size(); ++i) {
    if (auto read = dyn_cast<ReadOp>(makers[i]))
      if (received.contains(read.getVariableAttr().getAttr()))
        return success();
    for (Value operand : makers[i]->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        makers.insert(maker);
  }
  return send.emitOpError()
         << "sends a norm that does not depend on the sums of the pservers";
}

/// A pull brings the block as it is, but in the step as the network has it.
LogicalResult TransferVerifier::checkPull(const Transfers &transfers,
                                          RecvOp recv) {
  FailureOr<HeldBlock> held = findTarget(recv);
  if (failed(held) || failed(checkRows(recv, *held)))
    return failure();
  VariableOp named = held->find(recv.getBlockAttr());
  VariableOp variable = job.variables.lookup(recv.getVariableAttr().getAttr());
  if (failed(checkElements(recv, variable.getTensorType(),
                           named.getTensorType(), named)))
    return failure();
  func::FuncOp function = transfers.function;
  int64_t round = job.getRounds() - 1;
  if (function.getSymName() == startupName)
    round = 0;
  Operation *there = named;
  if (named == held->squares) {
    round = held->update.getRound();
    there = held->update;
  }
  return checkSameRound(recv, round, there);
}

/// What the step pulls in the network's type must then become the variable's.
LogicalResult TransferVerifier::checkGiven(RecvOp recv) {
  FlatSymbolRefAttr whole = getWhole(recv);
  ReadOp read = widened.lookup(whole.getAttr());
  if (read && recv->isBeforeInBlock(read))
    return success();
  return recv.emitOpError()
         << "is not assigned to '" << whole << "' after it has arrived";
}

/// Every block of every server is pulled exactly once.
LogicalResult TransferVerifier::checkPulls(Transfers &transfers) {
  if (job.isStep(transfers))
    for (auto assign : transfers.function.getOps<AssignOp>())
      if (job.widensReceived(assign))
        widened[assign.getVariableAttr().getAttr()] =
            skipConversion(assign.getValue()).getDefiningOp<ReadOp>();
  llvm::DenseMap<Operation *, RecvOp> pulls;
  for (RecvOp recv : transfers.recvs) {
    if (failed(checkPull(transfers, recv)))
      return failure();
    auto [entry, inserted] =
        pulls.try_emplace(findTarget(recv)->find(recv.getBlockAttr()), recv);
    if (inserted)
      continue;
    InFlightDiagnostic diag = recv.emitOpError()
                              << "pulls block " << recv.getBlockAttr()
                              << " a second time";
    diag.attachNote(entry->second.getLoc()) << "the first one is here";
    return diag;
  }
  for (auto &[program, server] : job.servers)
    for (auto &[name, held] : server.blocks) {
      VariableOp expected =
          job.isStep(transfers) && held.wire ? held.wire : held.variable;
      if (!pulls.contains(expected)) {
        InFlightDiagnostic diag =
            transfers.function.emitOpError()
            << "does not pull block " << expected.getSymNameAttr() << " from "
            << "'@" << program.getValue()
            << "': trainers would continue with old values";
        diag.attachNote(expected.getLoc()) << "the block is here";
        return diag;
      }
      if (expected != held.variable && failed(checkGiven(pulls[expected])))
        return failure();
    }
  return success();
}

/// The trainer must have the squares of every block, each in its own place.
LogicalResult TransferVerifier::checkSquares() {
  llvm::DenseMap<Operation *, RecvOp> pulls;
  llvm::DenseMap<std::pair<StringAttr, int64_t>, RecvOp> places;
  for (RecvOp recv : job.step->recvs) {
    FailureOr<HeldBlock> held = findTarget(recv);
    VariableOp named = held->find(recv.getBlockAttr());
    if (named != held->squares)
      continue;
    pulls[named] = recv;
    auto [entry, inserted] = places.try_emplace(
        {recv.getVariableAttr().getAttr(), recv.getRowOffset()}, recv);
    if (inserted)
      continue;
    InFlightDiagnostic diag = recv.emitOpError()
                              << "overwrites row " << recv.getRowOffset()
                              << " of '" << recv.getVariableAttr() << "'";
    diag.attachNote(entry->second.getLoc()) << "which is pulled here";
    return diag;
  }
  for (auto &[program, server] : job.servers)
    for (auto &[name, held] : server.blocks)
      if (held.squares && !pulls.contains(held.squares)) {
        InFlightDiagnostic diag = job.step->function.emitOpError()
                                  << "does not pull "
                                  << held.squares.getSymNameAttr() << " from "
                                  << "'@" << program.getValue()
                                  << "': the global norm would not include it";
        diag.attachNote(held.squares.getLoc()) << "it is here";
        return diag;
      }
  return success();
}

/// Sends, then blocks without a send, then tables, then pulls of every
/// function, since @startup pulls too.
LogicalResult TransferVerifier::check() {
  llvm::DenseMap<Operation *, SendOp> senders;
  for (SendOp send : job.step ? ArrayRef(job.step->sends) : ArrayRef<SendOp>())
    if (failed(checkSend(send, senders)))
      return failure();
  for (auto &[program, server] : job.servers) {
    SmallVector<OptimizeBlockOp> updates;
    for (auto &[name, held] : server.blocks)
      updates.push_back(held.update);
    for (OptimizeBlockOp number : {server.normBlock, server.countBlock})
      if (number)
        updates.push_back(number);
    for (OptimizeBlockOp update : updates)
      if (!senders.contains(update))
        return update.emitOpError()
               << "gets no gradient and would deadlock: no ps.send of '@"
               << job.trainer.getSymName() << "' names it";
  }
  ArrayRef<PushRowsOp> pushes =
      job.step ? ArrayRef(job.step->pushes) : ArrayRef<PushRowsOp>();
  if (failed(tables.checkTransfers(job.prefetches, pushes)) ||
      failed(tables.checkCopies(job.copyUpdates, pushes)))
    return failure();
  for (Transfers &transfers : job.functions)
    if (failed(checkPulls(transfers)) ||
        (!transfers.function.isDeclaration() &&
         failed(collectBuckets(transfers.function.front()))))
      return failure();
  return job.step ? checkSquares() : success();
}

LogicalResult checkTransfers(JobPrograms &job, TableVerifier &tables) {
  return TransferVerifier(job, tables).check();
}

} // namespace ps
