// SPDX-License-Identifier: Apache-2.0
//===- LowerTransfers.cpp - transfers of a function as nodes --------------===//
//
// Tokens of ps ops become tokens of nodes. Order through memory (a gradient
// before its send, a pull before its readers) is not expressed here:
// ps-sequence-tokens derives it from the accesses of the nodes. The explicit
// tokens are those that no memory shows: rounds and barriers.
//
// Ops are lowered in program order, so that "the barriers so far" and "the last
// push so far" are those before an op. Buckets are collected before any op is
// lowered: what overwrites a gradient, or saves the old value of a variable,
// has to see a member where its bucket is sent, not where the op is.
//
//===----------------------------------------------------------------------===//

#include "compiler/exec/FunctionLowering.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ps;

/// The fetch barriers of `round` before this place.
SmallVector<Value> FunctionLowering::getEndOfRound(int64_t round) {
  SmallVector<Value> result;
  for (auto [ended, barrier] : fetchBarriers)
    if (ended == round)
      result.push_back(barrier);
  return result;
}

/// One node does what a bucket does, where the last of it is: before that, not
/// all of its gradients, or of the tokens that its pulls wait for, exist.
LogicalResult FunctionLowering::collectBuckets() {
  FailureOr<SmallVector<Bucket>> found = ps::collectBuckets(function.front());
  if (failed(found))
    return failure();
  for (const Bucket &bucket : *found) {
    Operation *last = bucket.back();
    for (Operation *member : ArrayRef(bucket).drop_back()) {
      carried.insert(member);
      plan.moveTo(member, last);
    }
    buckets[last] = bucket;
  }
  return success();
}

/// The transfers that travel with `op`, which is the last of them or alone.
template <typename TransferOp>
ArrayRef<Operation *> FunctionLowering::getMembers(TransferOp op) {
  Bucket &members = buckets[op];
  if (members.empty())
    members.push_back(op);
  return members;
}

Value &FunctionLowering::lastPush(Attribute server, Attribute pushed) {
  return pushes[{server, pushed}];
}

/// Sends of a round wait for the fetch barrier of the round before, when the
/// pservers accept the next gradients, and for that of another worker: a
/// pserver takes one push of a block at a time from a trainer. A send has its
/// own tokens, too.
Value FunctionLowering::emitSend(SendOp op) {
  llvm::SetVector<Value> after;
  for (Value barrier : getEndOfRound(static_cast<int64_t>(op.getRound()) - 1))
    after.insert(barrier);
  SmallVector<int64_t> offsets, rows;
  SmallVector<Value> gradients;
  SmallVector<Attribute> blocks;
  for (Operation *member : getMembers(op)) {
    auto send = cast<SendOp>(member);
    offsets.push_back(send.getFirstSentRow());
    rows.push_back(send.getSentRows());
    gradients.push_back(memory.getBuffer(send.getGradient()));
    blocks.push_back(send.getBlockAttr());
    if (Value last = lastPush(op.getServerAttr(), send.getBlockAttr()))
      after.insert(last);
    SmallVector<Value> awaited = getTokens(send.getAfter());
    after.insert(awaited.begin(), awaited.end());
  }
  Value sent = builder.create<exec::SendOp>(
      op.getLoc(), token, offsets, rows, gradients, op.getServer(),
      builder.getArrayAttr(blocks), op.getRound(), after.getArrayRef());
  for (Attribute block : blocks)
    lastPush(op.getServerAttr(), block) = sent;
  return sent;
}

void FunctionLowering::emitTakeLargest(TakeLargestOp op) {
  memory.beforeWrite(op.getVariable(), op);
  auto declaration = symbols.lookup<VariableOp>(op.getVariable());
  Value unsent = memory.getVariable(op.getVariable(),
                                    declaration.getTensorType(), op.getLoc());
  Value gradient = memory.getBuffer(op.getGradient());
  builder.create<exec::TakeLargestOp>(
      op.getLoc(), token, op.getRowOffset(), op.getRows(), gradient, unsent,
      memory.createBuffer(op.getLargest()), ValueRange());
}

/// Old values of the variables are saved first, because a pull overwrites them.
Value FunctionLowering::emitRecv(RecvOp op) {
  SmallVector<int64_t> offsets, rows;
  SmallVector<Value> targets;
  SmallVector<Attribute> blocks;
  llvm::SetVector<Value> after;
  for (Operation *member : getMembers(op)) {
    auto recv = cast<RecvOp>(member);
    memory.beforeWrite(recv.getVariable(), op);
    auto declaration = symbols.lookup<VariableOp>(recv.getVariable());
    targets.push_back(memory.getVariable(
        recv.getVariable(), declaration.getTensorType(), recv.getLoc()));
    offsets.push_back(recv.getRowOffset());
    rows.push_back(recv.getRows());
    blocks.push_back(recv.getBlockAttr());
    SmallVector<Value> awaited = getTokens(recv.getAfter());
    after.insert(awaited.begin(), awaited.end());
  }
  return builder.create<exec::RecvOp>(
      op.getLoc(), token, offsets, rows, targets, op.getServer(),
      builder.getArrayAttr(blocks), op.getRound(), after.getArrayRef());
}

/// What works with a mean waits for it by its memory, so there is no token.
void FunctionLowering::emitAllReduce(AllReduceOp op) {
  SmallVector<Value> means;
  for (Value mean : op.getMeans())
    means.push_back(memory.createBuffer(mean));
  builder.create<exec::AllReduceOp>(op.getLoc(), token, op.getChannel(),
                                    memory.getBuffers(op.getGradients()), means,
                                    ValueRange());
}

Value FunctionLowering::emitBroadcast(BroadcastOp op) {
  memory.beforeWrite(op.getVariable(), op);
  auto declaration = symbols.lookup<VariableOp>(op.getVariable());
  Value variable = memory.getVariable(op.getVariable(),
                                      declaration.getTensorType(), op.getLoc());
  return builder.create<exec::BroadcastOp>(op.getLoc(), token, op.getChannel(),
                                           variable, ValueRange());
}

/// Members of a bucket, except the last, emit nothing; then all of them have
/// the token of the one node. That is early enough: nothing waits for a member
/// before the last one, which collectBuckets() has checked.
void FunctionLowering::emitTransfer(Operation *op) {
  if (carried.contains(op))
    return;
  Location loc = op->getLoc();
  Value done =
      TypeSwitch<Operation *, Value>(op)
          .Case([&](SendOp op) { return emitSend(op); })
          .Case([&](PushRowsOp op) { return emitPushRows(op); })
          .Case([&](PullChangesOp op) {
            return builder.create<exec::PullChangesOp>(
                loc, token, op.getTable(), op.getServers(),
                getTokens(op.getAfter()));
          })
          .Case([&](RecvOp op) { return emitRecv(op); })
          .Case([&](SendBarrierOp op) {
            SmallVector<Value> after = getTokens(op.getAfter());
            llvm::append_range(
                after, getEndOfRound(static_cast<int64_t>(op.getRound()) - 1));
            return builder.create<exec::SendBarrierOp>(
                loc, token, op.getServers(), op.getRound(), after);
          })
          .Case([&](FetchBarrierOp op) {
            Value barrier = builder.create<exec::FetchBarrierOp>(
                loc, token, op.getServers(), op.getRound(),
                getTokens(op.getAfter()));
            fetchBarriers.emplace_back(op.getRound(), barrier);
            return barrier;
          })
          .Case([&](BroadcastOp op) { return emitBroadcast(op); });
  tokens[op->getResult(0)] = done;
  auto bucket = buckets.find(op);
  if (bucket != buckets.end())
    for (Operation *member : bucket->second)
      tokens[member->getResult(0)] = done;
}
