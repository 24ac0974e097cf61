//===- VerifyPrograms.cpp - prove that programs fit together --------------===//
//
// 1. collectPrograms: one job, one trainer, each pserver once.
// 2. collectBlocks: what each pserver holds, and that it updates all of it
//    (ServerUpdates.cpp).
// 3. checkTiling: the blocks of a variable are its rows, each once, and agree
//    on everything that does not differ by row.
//    checkShards: the same of tables (VerifyTables.cpp).
// 4. collectTransfers: every op of the trainer that crosses the network, by
//    function; gradients leave from one function, the step, which runs as often
//    as the cluster says. Nothing else of the trainer writes what a pserver
//    holds, but for the exchange of mode geo.
// 5. checkTransfers: a send and a recv agree with the block they name, in rows,
//    element type and round; every block gets one gradient per step and is
//    pulled once per function. Transfers of a bucket can leave as one. Rows go
//    between the trainer and all shards of their table (VerifyTables.cpp).
// 6. checkReductions: what trainers update themselves starts with one value
//    and learns from mean gradients.
// 7. checkBarriers: in mode sync one of each kind in each round, to every
//    pserver, after everything that it stands for and after the round before;
//    else none.
// 8. checkWaits: nothing waits for itself, be it through a pserver.
// 9. checkFreshness: no pull of a step overtakes the update.
//
// Each check relies on those before it; the first error ends the pass.
//
//===----------------------------------------------------------------------===//

#include "compiler/Buckets.h"
#include "compiler/PartitionPlan.h"
#include "compiler/Passes.h"
#include "compiler/ServerUpdates.h"
#include "compiler/VerifyTables.h"
#include "compiler/WaitGraph.h"
#include "dialects/ps/PSDialect.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace ps {
#define GEN_PASS_DEF_VERIFYPROGRAMS
#include "compiler/Passes.h.inc"

using namespace mlir;

namespace {

/// The transfer ops of one function, in program order.
struct Transfers {
  func::FuncOp function;
  SmallVector<SendOp> sends;
  SmallVector<PushRowsOp> pushes;
  SmallVector<SendBarrierOp> sendBarriers;
  SmallVector<RecvOp> recvs;
  SmallVector<FetchBarrierOp> fetchBarriers;
  SmallVector<AllReduceOp> allReduces;
  SmallVector<BroadcastOp> broadcasts;

  bool givesGradients() const {
    return !sends.empty() || !pushes.empty() || !allReduces.empty();
  }
  bool empty() const {
    return !givesGradients() && sendBarriers.empty() && recvs.empty() &&
           fetchBarriers.empty() && broadcasts.empty();
  }
};

/// What a transfer names on a pserver.
struct Target {
  /// A block, its copy in the network's type, its squares, or a number: the
  /// norm, or that of the batches.
  VariableOp variable;
  /// Whose it is; of no variable for a number.
  HeldBlock held;
  /// Takes what is sent here.
  OptimizeBlockOp update;

  /// Whether it is the norm, or a number of batches: no variable's.
  bool isNumber() const { return !held.variable; }
  bool isSquares() const { return held.squares && variable == held.squares; }
};

class VerifyPrograms : public impl::VerifyProgramsBase<VerifyPrograms> {
public:
  void runOnOperation() override;

private:
  LogicalResult collectPrograms();
  LogicalResult addServer(ProgramOp program);
  LogicalResult collectBlocks();
  LogicalResult collectBlocks(Server &server);
  void addTargets(StringAttr endpoint, Server &server);
  LogicalResult checkTiling();
  LogicalResult checkTiling(VariableOp whole, MutableArrayRef<HeldBlock> held);
  LogicalResult collectTransfers();
  bool widensReceived(AssignOp assign);
  LogicalResult checkAssign(AssignOp assign);
  LogicalResult addTransfer(Transfers &transfers, Operation *op);
  LogicalResult checkCalls();
  LogicalResult findStep();
  LogicalResult checkPeriod(func::FuncOp function);
  LogicalResult checkTransfers();
  LogicalResult checkSend(SendOp send,
                          llvm::DenseMap<Operation *, SendOp> &senders);
  LogicalResult checkPull(const Transfers &transfers, RecvOp recv);
  LogicalResult checkPulls(Transfers &transfers);
  LogicalResult checkGiven(RecvOp recv);
  LogicalResult checkNumber(SendOp send);
  LogicalResult checkCount(SendOp send);
  LogicalResult checkSquares();
  LogicalResult checkReductions();
  LogicalResult checkChannels(const Transfers &transfers);
  LogicalResult checkBroadcasts(const Transfers &transfers);
  LogicalResult checkLocalUpdate(ApplyOp apply);
  LogicalResult checkBarriers();
  LogicalResult checkNoBarriers(const Transfers &transfers);
  LogicalResult checkRound(Transfers &transfers, int64_t round);
  LogicalResult checkRoundsInOrder();
  LogicalResult checkWaits();
  LogicalResult checkFreshness();
  LogicalResult checkOwnFreshness();

  template <typename TransferOp>
  FlatSymbolRefAttr getWhole(TransferOp op);
  template <typename TransferOp>
  FailureOr<Target> findTarget(TransferOp op);
  template <typename TransferOp>
  LogicalResult checkRows(TransferOp op, const Target &target);
  template <typename BarrierOp>
  FailureOr<BarrierOp> getBarrier(func::FuncOp function,
                                  ArrayRef<BarrierOp> barriers, int64_t round);
  LogicalResult checkEndpoints(Operation *barrier, ArrayAttr endpoints);

  bool isSync() {
    Mode mode = trainer.getCluster().getMode();
    return mode == Mode::Sync || mode == Mode::Collective;
  }
  int64_t getRounds() { return trainer.getCluster().getRounds(); }
  bool isStep(const Transfers &transfers) { return &transfers == step; }
  bool isGeo() { return trainer.getCluster().getMode() == Mode::Geo; }

  ProgramOp trainer;
  /// The trainer's variables.
  llvm::DenseMap<StringAttr, VariableOp> variables;
  llvm::MapVector<StringAttr, Server> servers;
  /// What transfers may name, by endpoint and name.
  llvm::DenseMap<std::pair<StringAttr, StringAttr>, Target> targets;
  TableVerifier tables;
  /// Of all functions of the trainer.
  SmallVector<PrefetchOp> prefetches;
  SmallVector<ApplyRowsOp> copyUpdates;
  /// The blocks of each of the trainer's variables that pservers hold.
  llvm::MapVector<VariableOp, SmallVector<HeldBlock>> heldOf;
  SmallVector<Transfers, 0> functions;
  /// What the trainer updates itself.
  SmallVector<ApplyOp> localUpdates;
  /// What the step reads to give a variable what came for it.
  llvm::DenseMap<StringAttr, ReadOp> widened;
  /// The one function that sends; null when there is nothing to send.
  Transfers *step = nullptr;
};

} // namespace

/// "rows [0, 3) of '@w'"
static std::string describeRows(StringRef variable, int64_t offset,
                                int64_t rows) {
  return llvm::formatv("rows [{0}, {1}) of '@{2}'", offset, offset + rows,
                       variable);
}

//===----------------------------------------------------------------------===//
// 1: programs
//===----------------------------------------------------------------------===//

LogicalResult VerifyPrograms::addServer(ProgramOp program) {
  auto [entry, inserted] = servers.insert(
      {program.getEndpointAttr(), Server{program, {}, {}, {}, {}}});
  if (inserted)
    return success();
  ProgramOp first = entry->second.program;
  InFlightDiagnostic diag = program.emitOpError()
                            << "serves " << program.getEndpointAttr()
                            << ", and so does '@" << first.getSymName() << "'";
  diag.attachNote(first.getLoc()) << "'@" << first.getSymName() << "' is here";
  return diag;
}

LogicalResult VerifyPrograms::collectPrograms() {
  ProgramOp first;
  for (auto program : getOperation().getOps<ProgramOp>()) {
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
      if (failed(addServer(program)))
        return failure();
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

  Location loc = getOperation().getLoc();
  if (!first)
    return emitError(loc) << "no programs to verify: run ps-partition first";
  if (!trainer)
    return emitError(loc) << "no program is a trainer's";
  for (auto endpoint :
       first.getCluster().getPservers().getAsRange<StringAttr>())
    if (!servers.contains(endpoint))
      return emitError(loc)
             << "no program serves pserver " << endpoint << " of the cluster";
  return success();
}

//===----------------------------------------------------------------------===//
// 2: blocks
//===----------------------------------------------------------------------===//

LogicalResult VerifyPrograms::collectBlocks(Server &server) {
  WalkResult result = server.program.walk([&](Operation *op) {
    if (!isa<SendOp, PushRowsOp, PrefetchOp, SendBarrierOp, RecvOp,
             FetchBarrierOp, AllReduceOp, BroadcastOp>(op))
      return WalkResult::advance();
    op->emitOpError() << "belongs into a trainer program, found it in '@"
                      << server.program.getSymName() << "'";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  return collectUpdates(server);
}

LogicalResult VerifyPrograms::collectBlocks() {
  for (auto &[endpoint, server] : servers) {
    if (failed(collectBlocks(server)))
      return failure();
    addTargets(endpoint, server);
  }
  return success();
}

void VerifyPrograms::addTargets(StringAttr endpoint, Server &server) {
  for (auto &[name, held] : server.blocks) {
    targets[{endpoint, name}] = {held.variable, held, held.update};
    for (VariableOp helper : {held.wire, held.squares})
      if (helper)
        targets[{endpoint, helper.getSymNameAttr()}] = {helper, held, {}};
  }
  for (OptimizeBlockOp number : {server.normBlock, server.countBlock})
    if (number)
      targets[{endpoint, number.getVariableAttr().getAttr()}] = {
          SymbolTable::lookupNearestSymbolFrom<VariableOp>(
              number, number.getVariableAttr()),
          {},
          number};
}

//===----------------------------------------------------------------------===//
// 3: tiling
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
  for (auto variable : trainer.getOps<VariableOp>())
    variables[variable.getSymNameAttr()] = variable;

  for (auto &[endpoint, server] : servers)
    for (auto &[name, held] : server.blocks) {
      SliceAttr slice = held.variable.getSliceAttr();
      VariableOp whole = variables.lookup(slice.getOrigin());
      if (!whole)
        return held.variable.emitOpError()
               << "is a block of '@" << slice.getOrigin().getValue()
               << "', which '@" << trainer.getSymName() << "' does not hold";
      if (slice.getOriginType() != whole.getTensorType()) {
        InFlightDiagnostic diag = held.variable.emitOpError()
                                  << "expects '@" << whole.getSymName()
                                  << "' to be " << slice.getOriginType()
                                  << ", found " << whole.getTensorType();
        diag.attachNote(whole.getLoc()) << "the variable is here";
        return diag;
      }
      heldOf[whole].push_back(held);
    }
  for (auto &[whole, held] : heldOf)
    if (failed(checkTiling(whole, held)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// 4: transfers
//===----------------------------------------------------------------------===//

/// Whether `assign` gives a variable what came for it in the type of the
/// network.
bool VerifyPrograms::widensReceived(AssignOp assign) {
  auto convert = assign.getValue().getDefiningOp<stablehlo::ConvertOp>();
  auto read = convert ? convert.getOperand().getDefiningOp<ReadOp>() : ReadOp();
  if (!read)
    return false;
  VariableOp narrow = variables.lookup(read.getVariableAttr().getAttr());
  return narrow.getSlotOfAttr() == assign.getVariableAttr();
}

/// A trainer must not change what a pserver owns; in mode geo it owns a copy.
LogicalResult VerifyPrograms::checkAssign(AssignOp assign) {
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

LogicalResult VerifyPrograms::addTransfer(Transfers &transfers, Operation *op) {
  if (auto assign = dyn_cast<AssignOp>(op))
    return checkAssign(assign);
  if (auto prefetch = dyn_cast<PrefetchOp>(op))
    prefetches.push_back(prefetch);
  if (auto update = dyn_cast<ApplyRowsOp>(op)) {
    copyUpdates.push_back(update);
    return success();
  }
  if (isa<ListenAndServOp, MinimizeOp>(op))
    return op->emitOpError() << "belongs into a pserver program, found it in '@"
                             << trainer.getSymName() << "'";
  if (auto apply = dyn_cast<ApplyOp>(op)) {
    localUpdates.push_back(apply);
    return success();
  }
  if (!isa<SendOp, PushRowsOp, SendBarrierOp, RecvOp, FetchBarrierOp,
           AllReduceOp, BroadcastOp>(op))
    return success();
  if (op->getParentOp() != transfers.function)
    return op->emitOpError() << "expects to stand in a function itself, not in "
                                "a region of one of its ops";
  if (!transfers.function.getBody().hasOneBlock())
    return op->emitOpError() << "stands in a function with several blocks";
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

LogicalResult VerifyPrograms::findStep() {
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
LogicalResult VerifyPrograms::checkPeriod(func::FuncOp function) {
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
LogicalResult VerifyPrograms::checkCalls() {
  WalkResult result = trainer.walk([&](CallOpInterface call) {
    Operation *callee = call.resolveCallable();
    if (llvm::none_of(functions, [&](Transfers &transfers) {
          return transfers.function == callee;
        }))
      return WalkResult::advance();
    InFlightDiagnostic diag = call.emitOpError()
                              << "calls a function that crosses the network: "
                                 "expected it to be inlined";
    diag.attachNote(callee->getLoc()) << "it is here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Keeps functions that cross the network; @startup is one even when empty.
LogicalResult VerifyPrograms::collectTransfers() {
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

//===----------------------------------------------------------------------===//
// 5: both ends
//===----------------------------------------------------------------------===//

/// The variable of which a send or recv moves rows: a companion stands for its
/// owner.
template <typename TransferOp>
FlatSymbolRefAttr VerifyPrograms::getWhole(TransferOp op) {
  VariableOp variable = variables.lookup(op.getVariableAttr().getAttr());
  FlatSymbolRefAttr owner = variable.getSlotOfAttr();
  return owner ? owner : op.getVariableAttr();
}

/// The block of a pserver, or what belongs to one, that a send or recv names.
template <typename TransferOp>
FailureOr<Target> VerifyPrograms::findTarget(TransferOp op) {
  auto server = servers.find(op.getEndpointAttr());
  if (server == servers.end())
    return op.emitOpError() << "names pserver " << op.getEndpointAttr()
                            << ", which no program serves";
  Server &found = server->second;
  StringAttr name = op.getBlockAttr();
  auto target = targets.find({op.getEndpointAttr(), name});
  if (target != targets.end())
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
LogicalResult VerifyPrograms::checkRows(TransferOp op, const Target &target) {
  VariableOp variable = target.variable;
  if (target.isNumber() || target.isSquares()) {
    int64_t rows = getRowCount(variable.getTensorType());
    if (static_cast<int64_t>(op.getRows()) == rows)
      return success();
    InFlightDiagnostic diag = op.emitOpError()
                              << "moves " << op.getRows() << " rows, but "
                              << op.getBlockAttr() << " has " << rows;
    diag.attachNote(variable.getLoc()) << "it is here";
    return diag;
  }
  VariableOp block = target.held.variable;
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
  InFlightDiagnostic diag = op->emitOpError() << "moves elements of type "
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
  diag.attachNote(there->getLoc()) << "the pserver does its part here";
  return diag;
}

LogicalResult
VerifyPrograms::checkSend(SendOp send,
                          llvm::DenseMap<Operation *, SendOp> &senders) {
  FailureOr<Target> target = findTarget(send);
  if (failed(target))
    return failure();
  OptimizeBlockOp update = target->update;
  if (!update)
    return send.emitOpError() << "names block " << send.getBlockAttr()
                              << ", which takes no gradient";
  if (failed(checkRows(send, *target)) ||
      failed(checkElements(send, send.getGradient().getType(),
                           update.getBody().getArgument(0).getType(),
                           update)) ||
      failed(checkSameRound(send, update.getRound(), update)))
    return failure();
  auto [entry, inserted] = senders.try_emplace(update, send);
  if (inserted)
    return target->isNumber() ? checkNumber(send) : success();
  InFlightDiagnostic diag = send.emitOpError()
                            << "is the second gradient of a step for block "
                            << send.getBlockAttr();
  diag.attachNote(entry->second.getLoc()) << "the first one is here";
  return diag;
}

/// A schedule that counts anything else would run at its own pace.
LogicalResult VerifyPrograms::checkCount(SendOp send) {
  auto constant = send.getGradient().getDefiningOp<stablehlo::ConstantOp>();
  auto value = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue())
                        : DenseIntElementsAttr();
  if (value && value.isSplat() && value.getSplatValue<APInt>().isOne())
    return success();
  return send.emitOpError()
         << "counts the batches of this step: expected the constant 1";
}

/// What is sent as the norm must come from what the pservers found.
LogicalResult VerifyPrograms::checkNumber(SendOp send) {
  if (!isSync())
    return checkCount(send);
  llvm::DenseSet<StringAttr> received;
  for (RecvOp recv : step->recvs)
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
  return send.emitOpError() << "sends a norm that does not depend on what the "
                               "pservers have found";
}

/// A pull brings the block as it is, but in the step as the network has it.
LogicalResult VerifyPrograms::checkPull(const Transfers &transfers,
                                        RecvOp recv) {
  FailureOr<Target> target = findTarget(recv);
  if (failed(target) || failed(checkRows(recv, *target)))
    return failure();
  VariableOp variable = variables.lookup(recv.getVariableAttr().getAttr());
  if (failed(checkElements(recv, variable.getTensorType(),
                           target->variable.getTensorType(), target->variable)))
    return failure();
  func::FuncOp function = transfers.function;
  int64_t round = getRounds() - 1;
  if (function.getSymName() == startupName)
    round = 0;
  Operation *there = target->variable;
  if (target->isSquares()) {
    round = target->held.update.getRound();
    there = target->held.update;
  }
  return checkSameRound(recv, round, there);
}

/// What the step pulls in the network's type must then become the variable's.
LogicalResult VerifyPrograms::checkGiven(RecvOp recv) {
  FlatSymbolRefAttr whole = getWhole(recv);
  ReadOp read = widened.lookup(whole.getAttr());
  if (read && recv->isBeforeInBlock(read))
    return success();
  return recv.emitOpError()
         << "is not given to '" << whole << "' after it has arrived";
}

/// Every block of every server is pulled exactly once.
LogicalResult VerifyPrograms::checkPulls(Transfers &transfers) {
  if (isStep(transfers))
    for (auto assign : transfers.function.getOps<AssignOp>())
      if (widensReceived(assign))
        widened[assign.getVariableAttr().getAttr()] =
            skipConversion(assign.getValue()).getDefiningOp<ReadOp>();
  llvm::DenseMap<Operation *, RecvOp> pulls;
  for (RecvOp recv : transfers.recvs) {
    if (failed(checkPull(transfers, recv)))
      return failure();
    auto [entry, inserted] =
        pulls.try_emplace(findTarget(recv)->variable, recv);
    if (inserted)
      continue;
    InFlightDiagnostic diag = recv.emitOpError()
                              << "pulls block " << recv.getBlockAttr()
                              << " a second time";
    diag.attachNote(entry->second.getLoc()) << "the first one is here";
    return diag;
  }
  for (auto &[endpoint, server] : servers)
    for (auto &[name, held] : server.blocks) {
      VariableOp expected =
          isStep(transfers) && held.wire ? held.wire : held.variable;
      if (!pulls.contains(expected)) {
        InFlightDiagnostic diag =
            transfers.function.emitOpError()
            << "does not pull block " << expected.getSymNameAttr() << " from "
            << endpoint << ": trainers would go on with old values";
        diag.attachNote(expected.getLoc()) << "the block is here";
        return diag;
      }
      if (expected != held.variable && failed(checkGiven(pulls[expected])))
        return failure();
    }
  return success();
}

/// The trainer must have the squares of every block, each in its own place.
LogicalResult VerifyPrograms::checkSquares() {
  llvm::DenseMap<Operation *, RecvOp> pulls;
  llvm::DenseMap<std::pair<StringAttr, int64_t>, RecvOp> places;
  for (RecvOp recv : step->recvs) {
    FailureOr<Target> target = findTarget(recv);
    if (!target->isSquares())
      continue;
    pulls[target->variable] = recv;
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
  for (auto &[endpoint, server] : servers)
    for (auto &[name, held] : server.blocks)
      if (held.squares && !pulls.contains(held.squares)) {
        InFlightDiagnostic diag =
            step->function.emitOpError()
            << "does not pull " << held.squares.getSymNameAttr() << " from "
            << endpoint << ": the global norm would lack it";
        diag.attachNote(held.squares.getLoc()) << "it is here";
        return diag;
      }
  return success();
}

LogicalResult VerifyPrograms::checkTransfers() {
  llvm::DenseMap<Operation *, SendOp> senders;
  for (SendOp send : step ? ArrayRef(step->sends) : ArrayRef<SendOp>())
    if (failed(checkSend(send, senders)))
      return failure();
  for (auto &[endpoint, server] : servers) {
    SmallVector<OptimizeBlockOp> updates;
    for (auto &[name, held] : server.blocks)
      updates.push_back(held.update);
    for (OptimizeBlockOp number : {server.normBlock, server.countBlock})
      if (number)
        updates.push_back(number);
    for (OptimizeBlockOp update : updates)
      if (!senders.contains(update))
        return update.emitOpError()
               << "gets no gradient and would wait for ever: no ps.send of '@"
               << trainer.getSymName() << "' names it";
  }
  ArrayRef<PushRowsOp> pushes =
      step ? ArrayRef(step->pushes) : ArrayRef<PushRowsOp>();
  if (failed(tables.checkTransfers(prefetches, pushes)) ||
      failed(tables.checkCopies(copyUpdates, pushes)))
    return failure();
  for (Transfers &transfers : functions)
    if (failed(checkPulls(transfers)) ||
        (!transfers.function.isDeclaration() &&
         failed(collectBuckets(transfers.function.front()))))
      return failure();
  return step ? checkSquares() : success();
}

//===----------------------------------------------------------------------===//
// 6: reductions
//===----------------------------------------------------------------------===//

/// Trainers tell the ops of a function apart by their channels.
LogicalResult VerifyPrograms::checkChannels(const Transfers &transfers) {
  llvm::DenseMap<int64_t, Operation *> taken;
  auto take = [&](auto op) -> LogicalResult {
    auto [entry, inserted] = taken.try_emplace(op.getChannel(), op);
    if (inserted)
      return success();
    InFlightDiagnostic diag = op.emitOpError()
                              << "uses channel " << op.getChannel()
                              << " a second time in '@"
                              << func::FuncOp(transfers.function).getSymName()
                              << "': trainers could not tell what to merge";
    diag.attachNote(entry->second->getLoc()) << "the first one is here";
    return diag;
  };
  for (AllReduceOp reduce : transfers.allReduces)
    if (failed(take(reduce)))
      return failure();
  for (BroadcastOp broadcast : transfers.broadcasts)
    if (failed(take(broadcast)))
      return failure();
  return success();
}

/// A value of trainer 0 is for the start alone: later it would overwrite what a
/// trainer has learnt.
LogicalResult VerifyPrograms::checkBroadcasts(const Transfers &transfers) {
  func::FuncOp function = transfers.function;
  if (function.getSymName() != startupName) {
    if (transfers.broadcasts.empty())
      return success();
    BroadcastOp broadcast = transfers.broadcasts.front();
    return broadcast.emitOpError()
           << "stands in '@" << function.getSymName()
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
  for (ApplyOp apply : localUpdates)
    if (!isGeo() && !given.contains(apply.getVariableAttr().getAttr())) {
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
  if (isGeo()) {
    if (apply.getOptimizer().sumsSteps())
      return success();
    return apply.emitOpError()
           << "uses " << apply.getOptimizer()
           << ": expected an optimizer whose steps may be added "
              "up, as those of #ps.sgd, in mode=geo";
  }
  VariableOp variable = variables.lookup(apply.getVariableAttr().getAttr());
  if (heldOf.contains(variable))
    return apply.emitOpError()
           << "belongs into a pserver program, found it in '@"
           << trainer.getSymName() << "'";
  if (apply.getGradient().getDefiningOp<AllReduceOp>())
    return success();
  return apply.emitOpError()
         << "updates '" << apply.getVariableAttr()
         << "' from a gradient of this trainer alone: expected a mean that "
            "ps.all_reduce gives";
}

LogicalResult VerifyPrograms::checkReductions() {
  for (ApplyOp apply : localUpdates)
    if (failed(checkLocalUpdate(apply)))
      return failure();
  for (const Transfers &transfers : functions)
    if (failed(checkChannels(transfers)) || failed(checkBroadcasts(transfers)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// 7: barriers
//===----------------------------------------------------------------------===//

LogicalResult VerifyPrograms::checkEndpoints(Operation *barrier,
                                             ArrayAttr endpoints) {
  llvm::DenseSet<StringAttr> reached;
  for (auto endpoint : endpoints.getAsRange<StringAttr>()) {
    if (!servers.contains(endpoint))
      return barrier->emitOpError()
             << "names pserver " << endpoint << ", which no program serves";
    if (!reached.insert(endpoint).second)
      return barrier->emitOpError() << "names pserver " << endpoint << " twice";
  }
  for (auto &[endpoint, server] : servers)
    if (!reached.contains(endpoint)) {
      InFlightDiagnostic diag = barrier->emitOpError()
                                << "does not reach pserver " << endpoint
                                << ", which would wait for ever";
      diag.attachNote(server.program.getLoc())
          << "'@" << server.program.getSymName() << "' is here";
      return diag;
    }
  return success();
}

template <typename BarrierOp>
FailureOr<BarrierOp> VerifyPrograms::getBarrier(func::FuncOp function,
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
    if (getRounds() != 1)
      diag << " of round " << round;
    return diag << ", found " << found.size();
  }
  BarrierOp barrier = found.front();
  if (failed(checkEndpoints(barrier, barrier.getEndpoints())))
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

LogicalResult VerifyPrograms::checkNoBarriers(const Transfers &transfers) {
  SmallVector<Operation *> barriers;
  llvm::append_range(barriers, transfers.sendBarriers);
  llvm::append_range(barriers, transfers.fetchBarriers);
  if (barriers.empty())
    return success();
  return barriers.front()->emitOpError()
         << (servers.empty() ? "waits for pservers, but the cluster has none"
                             : "waits for the other trainers, which mode=sync "
                               "alone does");
}

/// The barriers of a round, and that they wait for its transfers.
LogicalResult VerifyPrograms::checkRound(Transfers &transfers, int64_t round) {
  auto fetch = getBarrier<FetchBarrierOp>(transfers.function,
                                          transfers.fetchBarriers, round);
  if (failed(fetch) || failed(checkAwaited<RecvOp>(transfers.recvs, *fetch)))
    return failure();
  if (!isStep(transfers))
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
LogicalResult VerifyPrograms::checkRoundsInOrder() {
  auto check = [&](auto op) -> LogicalResult {
    for (FetchBarrierOp end : step->fetchBarriers)
      if (end.getRound() + 1 == op.getRound() && !end->isBeforeInBlock(op)) {
        InFlightDiagnostic diag = op.emitOpError()
                                  << "belongs to round " << op.getRound()
                                  << " of a step, but stands before the end of "
                                     "round "
                                  << end.getRound();
        diag.attachNote(end.getLoc()) << "which is here";
        return diag;
      }
    return success();
  };
  for (SendOp send : step->sends)
    if (failed(check(send)))
      return failure();
  for (SendBarrierOp barrier : step->sendBarriers)
    if (failed(check(barrier)))
      return failure();
  return success();
}

LogicalResult VerifyPrograms::checkBarriers() {
  for (Transfers &transfers : functions) {
    if (!isSync() || servers.empty()) {
      if (failed(checkNoBarriers(transfers)))
        return failure();
      continue;
    }
    if (!isStep(transfers) && !transfers.sendBarriers.empty())
      return transfers.sendBarriers.front().emitOpError()
             << "ends a step, but '@" << transfers.function.getSymName()
             << "' sends no gradient";
    bool isStartup = transfers.function.getSymName() == startupName;
    int64_t first = isStep(transfers) || isStartup ? 0 : getRounds() - 1;
    int64_t last = isStartup ? 0 : getRounds() - 1;
    size_t rounds = last - first + 1;
    if (transfers.fetchBarriers.size() != rounds)
      return transfers.function.emitOpError()
             << "expects " << (rounds == 1 ? "one" : Twine(rounds))
             << " ps.fetch_barrier, found " << transfers.fetchBarriers.size();
    if (isStep(transfers) && transfers.sendBarriers.size() != rounds)
      return transfers.function.emitOpError()
             << "expects " << (rounds == 1 ? "one" : Twine(rounds))
             << " ps.send_barrier, found " << transfers.sendBarriers.size();
    for (int64_t round = first; round <= last; ++round)
      if (failed(checkRound(transfers, round)))
        return failure();
  }
  return step ? checkRoundsInOrder() : success();
}

//===----------------------------------------------------------------------===//
// 8: waits
//===----------------------------------------------------------------------===//

/// A cycle passes through a pserver, for the ops of a block only wait for
/// earlier ones: so there is a recv in it, which waits for the pserver, and
/// something that the pserver waits for. Where nobody waits for others,
/// pservers answer at once.
LogicalResult VerifyPrograms::checkWaits() {
  if (!step || !isSync())
    return success();
  WaitGraph graph(step->function.getBody().front());
  SmallVector<unsigned> cycle = graph.findCycle();
  if (cycle.empty())
    return success();
  while (graph.getOp(cycle.front()))
    std::rotate(cycle.begin(), cycle.begin() + 1, cycle.end());
  auto recv = cast<RecvOp>(graph.getOp(cycle.back()));
  Operation *awaited = graph.getOp(cycle[1]);
  InFlightDiagnostic diag = recv.emitOpError()
                            << "waits for itself: pserver "
                            << recv.getEndpointAttr()
                            << " answers it after the step's gradients";
  diag.attachNote(awaited->getLoc())
      << "'" << awaited->getName() << "' is one of the things it waits for, "
      << "and depends on the ps.recv";
  return diag;
}

//===----------------------------------------------------------------------===//
// 9: freshness
//===----------------------------------------------------------------------===//

/// Where nobody waits for others, a trainer must at least see its own part.
LogicalResult VerifyPrograms::checkOwnFreshness() {
  llvm::DenseMap<std::pair<Attribute, Attribute>, SendOp> sends;
  for (SendOp send : step->sends)
    sends[{send.getEndpointAttr(), send.getBlockAttr()}] = send;
  for (RecvOp recv : step->recvs) {
    VariableOp block = findTarget(recv)->held.variable;
    SendOp send = sends[{recv.getEndpointAttr(), block.getSymNameAttr()}];
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

LogicalResult VerifyPrograms::checkFreshness() {
  if (!step)
    return success();
  if (!isSync())
    return checkOwnFreshness();
  if (servers.empty())
    return success();
  for (SendBarrierOp barrier : step->sendBarriers) {
    llvm::DenseSet<Operation *> after = {barrier};
    for (RecvOp recv : step->recvs) {
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

void VerifyPrograms::runOnOperation() {
  markAllAnalysesPreserved();
  if (failed(collectPrograms()) || failed(collectBlocks()) ||
      failed(checkTiling()) || failed(tables.checkShards(trainer, servers)) ||
      failed(collectTransfers()) || failed(checkTransfers()) ||
      failed(checkReductions()) || failed(checkBarriers()) ||
      failed(checkWaits()) || failed(checkFreshness()))
    signalPassFailure();
}

} // namespace ps
