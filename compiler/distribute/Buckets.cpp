// SPDX-License-Identifier: Apache-2.0
//===- Buckets.cpp - transfers that travel in one message -----------------===//
//
// Transfers with equal bucket, round, kind and server become one message, which
// is sent or received with the last of them in program order. That is legal
// only if nothing in between needs one of the others, which is checked here for
// the verifier and for the lowering.
//
//===----------------------------------------------------------------------===//

#include "compiler/distribute/Buckets.h"
#include "dialects/ps/PSDialect.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace ps;

namespace {

/// A recv that happens later than its place in the block.
struct Delayed {
  Operation *recv = nullptr, *last = nullptr;
};

} // namespace

static LogicalResult refuse(Operation *member, Operation *user,
                            Operation *last) {
  InFlightDiagnostic diag =
      member->emitOpError()
      << "is sent with the last transfer of its bucket, but is needed earlier";
  diag.attachNote(user->getLoc()) << "it is needed here";
  diag.attachNote(last->getLoc()) << "the last one is here";
  return diag;
}

/// No op before the last of `bucket` waits for one of the others.
static LogicalResult checkTokens(Block &block, const Bucket &bucket) {
  Operation *last = bucket.back();
  for (Operation *member : ArrayRef(bucket).drop_back())
    for (Operation *user : member->getUsers()) {
      Operation *place = block.findAncestorOpInBlock(*user);
      if (place && place->isBeforeInBlock(last))
        return refuse(member, user, last);
    }
  return success();
}

/// No op between a recv and the last of its bucket touches the variable.
static LogicalResult checkVariables(Block &block, ArrayRef<Bucket> buckets) {
  llvm::DenseMap<Operation *, Operation *> lastOf;
  for (const Bucket &bucket : buckets)
    for (Operation *member : ArrayRef(bucket).drop_back())
      if (isa<RecvOp>(member))
        lastOf[member] = bucket.back();
  if (lastOf.empty())
    return success();

  llvm::DenseMap<StringAttr, Delayed> delayed;
  for (Operation &op : block) {
    FlatSymbolRefAttr variable;
    if (auto read = dyn_cast<ReadOp>(op))
      variable = read.getVariableAttr();
    else if (auto assign = dyn_cast<AssignOp>(op))
      variable = assign.getVariableAttr();
    if (variable) {
      Delayed found = delayed.lookup(variable.getAttr());
      if (found.last && op.isBeforeInBlock(found.last))
        return refuse(found.recv, &op, found.last);
      continue;
    }
    Operation *last = lastOf.lookup(&op);
    if (!last)
      continue;
    // The latest of several recvs of a variable counts.
    Delayed &entry = delayed[cast<RecvOp>(op).getVariableAttr().getAttr()];
    if (!entry.last || entry.last->isBeforeInBlock(last))
      entry = {&op, last};
  }
  return success();
}

/// Transfers of one bucket become one message in the place of the last of them.
/// Fails if something before that needs one of the others.
FailureOr<SmallVector<Bucket>> ps::collectBuckets(Block &block) {
  llvm::MapVector<std::tuple<unsigned, uint64_t, uint64_t, StringAttr>, Bucket>
      found;
  auto add = [&](auto transfer) {
    if (std::optional<uint64_t> bucket = transfer.getBucket())
      found[{unsigned(isa<SendOp>(transfer)), transfer.getRound(), *bucket,
             transfer.getServerAttr().getAttr()}]
          .push_back(transfer);
  };
  for (Operation &op : block) {
    if (auto send = dyn_cast<SendOp>(op))
      add(send);
    else if (auto recv = dyn_cast<RecvOp>(op))
      add(recv);
  }
  SmallVector<Bucket> buckets = llvm::to_vector(llvm::make_second_range(found));
  for (const Bucket &bucket : buckets)
    if (failed(checkTokens(block, bucket)))
      return failure();
  if (failed(checkVariables(block, buckets)))
    return failure();
  return buckets;
}
