// SPDX-License-Identifier: Apache-2.0
//===- AddWorkers.cpp - a step on the batches of several workers ----------===//
//
//  1. addArguments: every feed once more for each further worker.
//  2. visit: in program order, clone what depends on the batch for each worker.
//     Ops that change or send what the workers share are not cloned; they get
//     what the workers have computed together: the mean of tensors, the sum of
//     rows whose gradients are divided by the number of workers first, and the
//     rows of all ids at once.
//  3. Without a send barrier, each push is an update of its own: then pushes,
//     and the rows that they are of, are cloned, too, unless the job merges
//     them all the same (mode half-async).
//  4. mergeFetches: a number is reported as its mean over the workers.
//
// Program order makes one pass enough: what an op needs of the workers, their
// copies or what is merged of them, is in place before the op is visited.
// The ops are listed before the first visit, which would otherwise meet the
// copies as well.
//
// What depends on no batch (variables, decays) is computed once.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace ps {
#define GEN_PASS_DEF_ADDWORKERS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

class WorkerStep {
public:
  WorkerStep(func::FuncOp function, int64_t workers, bool mergePushes);

  LogicalResult run();

private:
  void addArguments();
  LogicalResult visit(Operation *op);
  bool isCloned(Operation *op) const;
  void clone(Operation *op);
  void scaleGradient(LookupGradientOp op);
  void mergeLists(PrefetchOp op);
  void mergeRows(MergeRowsOp op);
  void mergeMetric(MetricOp op);
  void awaitAll(Operation *op);
  LogicalResult mergeOperands(Operation *op);
  LogicalResult checkMerge(OpOperand &operand);
  void mergeFetches(func::ReturnOp op);

  bool isOwn(Value value) const { return copies.front().contains(value); }
  SmallVector<Value> getAll(Value value) const;
  Value merge(Value value, Operation *user);
  Value emitMerged(Value value, Operation *user);
  Value emitMean(OpBuilder &builder, Value value, Type elementType);

  func::FuncOp function;
  const int64_t workers;
  /// Whether the workers' gradients become one update: if asked for, before a
  /// send barrier, and where nothing is pushed.
  bool mergePushes;
  /// Buckets of the first worker's sends have lower numbers.
  int64_t buckets = 0;
  /// For each worker from 1 on, its copies of what depends on the batch.
  SmallVector<IRMapping> copies;
  DenseMap<Value, Value> merged;
};

struct AddWorkers : public ps::impl::AddWorkersBase<AddWorkers> {
  using AddWorkersBase::AddWorkersBase;
  void runOnOperation() override;
};

/// Whether `op` is part of what sends a gradient.
bool isPush(Operation *op) {
  return isa<SendOp, TakeLargestOp, PushRowsOp>(op);
}

/// Whether `op` changes, or sends, what the workers share.
bool isUpdate(Operation *op) {
  return isa<ApplyOp, ApplyRowsOp, AssignOp, AllReduceOp>(op) || isPush(op);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

WorkerStep::WorkerStep(func::FuncOp function, int64_t workers, bool mergePushes)
    : function(function), workers(workers), copies(workers - 1) {
  bool pushes = false, barrier = false;
  for (Operation &op : function.front()) {
    pushes |= isa<SendOp, PushRowsOp>(op);
    barrier |= isa<SendBarrierOp>(op);
    if (auto send = dyn_cast<SendOp>(op); send && send.getBucket())
      buckets = std::max<int64_t>(buckets, *send.getBucket() + 1);
  }
  this->mergePushes = mergePushes || barrier || !pushes;
}

/// What each worker has for `value`, in order.
SmallVector<Value> WorkerStep::getAll(Value value) const {
  SmallVector<Value> all{value};
  for (const IRMapping &copy : copies)
    all.push_back(copy.lookupOrDefault(value));
  return all;
}

/// The one value for the workers' copies of `value`, before `user`.
Value WorkerStep::merge(Value value, Operation *user) {
  if (Value known = merged.lookup(value))
    return known;
  Value result = emitMerged(value, user);
  merged[value] = result;
  return result;
}

/// Merges before a sum with what the workers share, and before bits are
/// dropped: each costs less, and rounds less, than the other way around. All is
/// inserted before `user`: the first that needs it, and so before all others.
Value WorkerStep::emitMerged(Value value, Operation *user) {
  auto shared = [&](Value operand) {
    return isOwn(operand) ? merge(operand, user) : operand;
  };
  OpBuilder builder(user);
  stablehlo::Emitter emit(builder, value.getLoc());
  if (isa<RowsType>(value.getType()))
    return builder.create<MergeRowsOp>(value.getLoc(), value.getType(),
                                       getAll(value));
  Type elementType = getElementTypeOrSelf(value);
  if (auto sum = value.getDefiningOp<stablehlo::AddOp>();
      sum && isOwn(sum.getLhs()) != isOwn(sum.getRhs())) {
    Value lhs = shared(sum.getLhs()), rhs = shared(sum.getRhs());
    return emit.add(lhs, rhs);
  }
  auto convert = value.getDefiningOp<stablehlo::ConvertOp>();
  if (convert && isa<FloatType>(getElementTypeOrSelf(convert.getOperand()))) {
    Value wide = shared(convert.getOperand());
    return emit.convert(wide, elementType);
  }
  return emitMean(builder, value, elementType);
}

/// Computed in f32 at least, or in f64 for integers.
Value WorkerStep::emitMean(OpBuilder &builder, Value value, Type elementType) {
  auto type = cast<RankedTensorType>(value.getType());
  Type wide = isa<FloatType>(type.getElementType())
                  ? getUpdateType(type).getElementType()
                  : builder.getF64Type();
  stablehlo::Emitter emit(builder, value.getLoc());
  Value sum;
  for (Value copy : getAll(value)) {
    Value addend = emit.convert(copy, wide);
    sum = sum ? emit.add(sum, addend) : addend;
  }
  return emit.convert(emit.scale(sum, 1.0 / static_cast<double>(workers)),
                      elementType);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void WorkerStep::addArguments() {
  OpBuilder builder(function.getContext());
  const unsigned count = function.getNumArguments();
  auto mark = [&](unsigned index, int64_t worker) {
    function.setArgAttr(index, PSDialect::workerAttrName,
                        builder.getI64IntegerAttr(worker));
  };
  for (int64_t worker = 1; worker < workers; ++worker)
    for (unsigned i = 0; i < count; ++i) {
      BlockArgument argument = function.getArgument(i);
      const unsigned index = function.getNumArguments();
      function.insertArgument(index, argument.getType(),
                              function.getArgAttrDict(i), argument.getLoc());
      mark(index, worker);
      copies[worker - 1].map(argument, function.getArgument(index));
    }
  for (unsigned i = 0; i < count; ++i)
    mark(i, 0);
}

/// Whether each worker needs `op` for itself.
bool WorkerStep::isCloned(Operation *op) const {
  if (!mergePushes && isa<SendOp, PushRowsOp, PrefetchOp>(op))
    return true;
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(),
                            [&](Value operand) { return isOwn(operand); })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void WorkerStep::clone(Operation *op) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  SmallVector<Operation *> all{op};
  for (auto [i, copy] : llvm::enumerate(copies)) {
    all.push_back(builder.clone(*op, copy));
    // The messages of each worker are its own.
    if (auto send = dyn_cast<SendOp>(all.back()); send && send.getBucket())
      send.setBucket(*send.getBucket() + (i + 1) * buckets);
  }
  if (!mergePushes)
    return;
  for (Operation *each : all)
    if (auto gradient = dyn_cast<LookupGradientOp>(each))
      scaleGradient(gradient);
}

/// Rows add up where they are, so each is divided before. A product is divided
/// by way of an operand: what multiplies rows in place looks for products.
void WorkerStep::scaleGradient(LookupGradientOp op) {
  OpOperand *scaled = &op.getGradientMutable();
  auto dot = op.getGradient().getDefiningOp<stablehlo::DotGeneralOp>();
  if (dot && dot->hasOneUse()) {
    auto count = [](Value value) {
      return cast<RankedTensorType>(value.getType()).getNumElements();
    };
    scaled = count(dot.getLhs()) < count(dot.getRhs()) ? &dot.getLhsMutable()
                                                       : &dot.getRhsMutable();
  }
  OpBuilder builder(scaled->getOwner());
  scaled->set(stablehlo::Emitter(builder, op.getLoc())
                  .scale(scaled->get(), 1.0 / static_cast<double>(workers)));
}

/// One fetch for the ids of all workers.
void WorkerStep::mergeLists(PrefetchOp op) {
  llvm::SetVector<std::pair<Value, Attribute>> lists;
  std::optional<ArrayAttr> paddings = op.getPaddings();
  for (auto [i, ids] : llvm::enumerate(op.getIds()))
    for (Value each : getAll(ids))
      lists.insert({each, paddings ? (*paddings)[i] : Attribute()});
  SmallVector<Value> ids;
  SmallVector<Attribute> allPaddings;
  for (auto [list, padding] : lists) {
    ids.push_back(list);
    allPaddings.push_back(padding);
  }
  op.getIdsMutable().assign(ids);
  if (paddings)
    op.setPaddingsAttr(ArrayAttr::get(op.getContext(), allPaddings));
}

/// What the workers share counts once.
void WorkerStep::mergeRows(MergeRowsOp op) {
  SmallVector<Value> all;
  for (Value gradient : op.getGradients()) {
    if (isOwn(gradient))
      llvm::append_range(all, getAll(gradient));
    else
      all.push_back(gradient);
  }
  op.getGradientsMutable().assign(all);
}

/// Measures the samples of all workers, one batch after the other.
void WorkerStep::mergeMetric(MetricOp op) {
  if (!isCloned(op))
    return;
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<Value> parts;
    for (Value part : getAll(operand.get())) {
      auto type = cast<RankedTensorType>(part.getType());
      if (type.getRank() == 0)
        part = builder.create<stablehlo::ReshapeOp>(
            op.getLoc(), RankedTensorType::get({1}, type.getElementType()),
            part);
      parts.push_back(part);
    }
    operand.set(builder.create<stablehlo::ConcatenateOp>(op.getLoc(), parts,
                                                         /*dimension=*/0));
  }
}

/// A transfer waits for the pushes of all workers.
void WorkerStep::awaitAll(Operation *op) {
  SmallVector<Value> further;
  for (Value token : op->getOperands())
    if (isOwn(token))
      llvm::append_range(further, ArrayRef(getAll(token)).drop_front());
  op->insertOperands(op->getNumOperands(), further);
}

/// Refuses what has no mean.
LogicalResult WorkerStep::checkMerge(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto refuse = [&](StringRef what) {
    return op->emitOpError()
           << what << " depends on the batch, and " << workers
           << " workers have one each: expected workers=1, or " << what
           << " that no batch changes";
  };
  if (auto apply = dyn_cast<ApplyOp>(op);
      apply && operand.get() != apply.getGradient())
    return refuse("a rate or norm");
  if (auto apply = dyn_cast<ApplyRowsOp>(op);
      apply && operand.get() != apply.getGradient())
    return refuse("a rate");
  if (isa<RowsType>(operand.get().getType()) ||
      isa<FloatType>(getElementTypeOrSelf(operand.get())))
    return success();
  return refuse("an integer");
}

LogicalResult WorkerStep::mergeOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isOwn(operand.get()))
      continue;
    if (failed(checkMerge(operand)))
      return failure();
    operand.set(merge(operand.get(), op));
  }
  return success();
}

/// What has several elements is not reported: the first worker's stays.
void WorkerStep::mergeFetches(func::ReturnOp op) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    if (!isOwn(operand.get()) || type.getNumElements() != 1)
      continue;
    Type elementType = isa<FloatType>(type.getElementType())
                           ? type.getElementType()
                           : builder.getF64Type();
    operand.set(emitMean(builder, operand.get(), elementType));
  }
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           op.getOperandTypes()));
}

/// First the ops that merge in a way of their own. Updates come before what is
/// cloned: with a gradient of its batch, an update looks like such an op, too.
LogicalResult WorkerStep::visit(Operation *op) {
  if (auto returnOp = dyn_cast<func::ReturnOp>(op))
    mergeFetches(returnOp);
  else if (auto metric = dyn_cast<MetricOp>(op))
    mergeMetric(metric);
  else if (isa<RecvOp, SendBarrierOp, FetchBarrierOp>(op))
    awaitAll(op);
  else if (auto prefetch = dyn_cast<PrefetchOp>(op); prefetch && mergePushes)
    mergeLists(prefetch);
  else if (auto rows = dyn_cast<MergeRowsOp>(op); rows && mergePushes)
    mergeRows(rows);
  else if (isUpdate(op) && (mergePushes || !isPush(op)))
    return mergeOperands(op);
  else if (isCloned(op))
    clone(op);
  return success();
}

LogicalResult WorkerStep::run() {
  SmallVector<Operation *> ops;
  for (Operation &op : function.front())
    ops.push_back(&op);
  addArguments();
  for (Operation *op : ops)
    if (failed(visit(op)))
      return failure();
  return success();
}

/// Functions of several blocks are refused later, whatever the workers.
void AddWorkers::runOnOperation() {
  func::FuncOp function = getOperation();
  if (workers < 1) {
    function.emitError("expected at least 1 worker, found ")
        << workers.getValue();
    return signalPassFailure();
  }
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, PSDialect::workerAttrName)) {
      function.emitOpError() << "has 'ps.worker' on argument " << i
                             << " already: leave it to ps-add-workers";
      return signalPassFailure();
    }
  if (workers == 1 || function.isDeclaration() ||
      !function.getBody().hasOneBlock() || function.getNumArguments() == 0)
    return;
  bool isStep = llvm::any_of(function.front(),
                             [](Operation &op) { return isUpdate(&op); });
  if (isStep && failed(WorkerStep(function, workers, mergePushes).run()))
    signalPassFailure();
}

} // namespace
