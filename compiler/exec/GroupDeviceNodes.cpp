// SPDX-License-Identifier: Apache-2.0
//===- GroupDeviceNodes.cpp - gives a device its nodes in groups ----------===//
//
// In program order, for every node whose work a device queues alike in each
// step:
//  1. It joins the group of the nodes before it unless it would have the first
//     of them wait for more (mayJoin).
//  2. A group ends with the node that one of the host or a transfer comes
//     after: that starts as soon as it can, and a gradient leaves.
//
// Groups of several nodes become an exec.graph. ps-verify-exec proves that none
// waits for itself.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/exec/Storage.h"

namespace ps {
#define GEN_PASS_DEF_GROUPDEVICENODES
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

struct GroupDeviceNodes
    : public ps::impl::GroupDeviceNodesBase<GroupDeviceNodes> {
  void runOnOperation() override;

private:
  bool mayJoin(unsigned node, const NodeOrder &order);
  void beginGroup(unsigned node, const NodeOrder &order);

  /// The groups so far, of which the last one may grow.
  std::vector<BitVector> groups;
  /// What is done when the last group starts.
  BitVector doneBefore;
  bool isOpen = false;
};

/// Whether something else than the device's queue waits for `node`.
bool endsGroup(exec::NodeOpInterface node) {
  return llvm::any_of(node.getDone().getUsers(), [](Operation *user) {
    return isa<exec::NodeOpInterface>(user) && !exec::isQueuedOnDevice(user);
  });
}

/// Groups start and end as one: what comes after one of their nodes comes after
/// all, and after all that these wait for.
void GroupDeviceNodes::beginGroup(unsigned node, const NodeOrder &order) {
  doneBefore = order.getAncestors(node);
  for (const BitVector &group : llvm::reverse(groups))
    if (group.anyCommon(doneBefore))
      for (unsigned member : group.set_bits()) {
        doneBefore |= order.getAncestors(member);
        doneBefore.set(member);
      }
  groups.emplace_back(order.getNodes().size());
  isOpen = true;
}

bool GroupDeviceNodes::mayJoin(unsigned index, const NodeOrder &order) {
  exec::NodeOpInterface node = order.getNodes()[index];
  return isOpen && llvm::all_of(node.getAfterMutable(), [&](OpOperand &token) {
           const unsigned earlier = order.getMaker(token.get());
           return groups.back().test(earlier) || doneBefore.test(earlier);
         });
}

void GroupDeviceNodes::runOnOperation() {
  const NodeOrder order(getOperation());
  groups.clear();
  isOpen = false;
  for (auto [i, node] : llvm::enumerate(order.getNodes())) {
    if (!exec::isQueuedOnDevice(node))
      continue;
    if (!mayJoin(i, order))
      beginGroup(i, order);
    groups.back().set(i);
    isOpen = !endsGroup(node);
  }
  auto builder = OpBuilder::atBlockEnd(&getOperation().getBody().front());
  for (const BitVector &group : groups) {
    if (group.count() < 2)
      continue;
    SmallVector<Value> tokens;
    for (unsigned member : group.set_bits()) {
      exec::NodeOpInterface node = order.getNodes()[member];
      tokens.push_back(node.getDone());
    }
    builder.create<exec::GraphOp>(tokens.front().getLoc(), tokens);
  }
}

} // namespace
