// SPDX-License-Identifier: Apache-2.0
//===- WaitGraph.cpp - what waits for what within a step ------------------===//
//
// Nodes are the ops of a step, and one for each pserver and round. An op waits
// for its values, for the accesses to its variables that come before it, and a
// recv for its pserver, which waits for all that is sent to it in the round. A
// cycle is a deadlock.
//
//===----------------------------------------------------------------------===//

#include "compiler/verify/WaitGraph.h"

#include "dialects/ps/PSDialect.h"

using namespace mlir;
using namespace ps;

unsigned WaitGraph::addNode(Operation *op) {
  ops.push_back(op);
  waitsFor.emplace_back();
  return ops.size() - 1;
}

unsigned WaitGraph::getNode(Attribute server, uint64_t round) {
  auto [entry, inserted] = serverOf.try_emplace({server, round}, 0);
  if (inserted)
    entry->second = addNode(nullptr);
  return entry->second;
}

/// Accesses alternate between runs of reads and runs of writes; each waits for
/// all of the run before its own.
void WaitGraph::addAccess(unsigned node, StringAttr variable, bool writes) {
  Accesses &access = accesses[variable];
  auto &own = writes ? access.writes : access.reads;
  auto &others = writes ? access.reads : access.writes;
  if (access.writing != writes)
    own.clear();
  access.writing = writes;
  llvm::append_range(waitsFor[node], others);
  own.push_back(node);
}

/// Waits of the node's op, nested ones included, for values and variables.
void WaitGraph::addValues(unsigned node, Block &body) {
  ops[node]->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        if (maker->getBlock() == &body)
          waitsFor[node].push_back(nodeOf.lookup(maker));
    if (auto read = dyn_cast<ReadOp>(op))
      addAccess(node, read.getVariableAttr().getAttr(), /*writes=*/false);
    if (auto assign = dyn_cast<AssignOp>(op))
      addAccess(node, assign.getVariableAttr().getAttr(), /*writes=*/true);
    if (auto recv = dyn_cast<RecvOp>(op))
      addAccess(node, recv.getVariableAttr().getAttr(), /*writes=*/true);
  });
}

void WaitGraph::addTransfer(unsigned node) {
  Operation *op = ops[node];
  if (auto recv = dyn_cast<RecvOp>(op)) {
    unsigned server = getNode(recv.getServerAttr(), recv.getRound());
    waitsFor[node].push_back(server);
  } else if (auto send = dyn_cast<SendOp>(op)) {
    unsigned server = getNode(send.getServerAttr(), send.getRound());
    waitsFor[server].push_back(node);
  } else if (auto push = dyn_cast<PushRowsOp>(op)) {
    for (Attribute server : push.getServers())
      waitsFor[getNode(server, /*round=*/0)].push_back(node);
  } else if (auto barrier = dyn_cast<SendBarrierOp>(op)) {
    for (Attribute server : barrier.getServers())
      waitsFor[getNode(server, barrier.getRound())].push_back(node);
  }
}

WaitGraph::WaitGraph(Block &step) {
  for (Operation &op : step) {
    unsigned node = nodeOf[&op] = addNode(&op);
    addValues(node, step);
    addTransfer(node);
  }
}

/// Without recursion, which would go as deep as the step is long.
SmallVector<unsigned> WaitGraph::findCycle() const {
  enum State : char { New, OnPath, Done };
  SmallVector<State> states(ops.size(), New);
  // A depth-first path: nodes, and how many of each one's waits are followed.
  SmallVector<std::pair<unsigned, unsigned>> path;
  for (unsigned root = 0; root < ops.size(); ++root) {
    if (states[root] == New)
      path.push_back({root, 0});
    while (!path.empty()) {
      auto &[node, followed] = path.back();
      states[node] = OnPath;
      if (followed == waitsFor[node].size()) {
        states[node] = Done;
        path.pop_back();
        continue;
      }
      unsigned next = waitsFor[node][followed++];
      if (states[next] == New) {
        path.push_back({next, 0});
      } else if (states[next] == OnPath) {
        auto begin = llvm::find_if(
            path, [&](auto entry) { return entry.first == next; });
        return llvm::map_to_vector(llvm::make_range(begin, path.end()),
                                   [](auto entry) { return entry.first; });
      }
    }
  }
  return {};
}
