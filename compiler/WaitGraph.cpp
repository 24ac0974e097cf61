//===- WaitGraph.cpp - who waits for whom within a step -------------------===//

#include "compiler/WaitGraph.h"

#include "dialects/ps/PSDialect.h"

using namespace mlir;
using namespace ps;

unsigned WaitGraph::addNode(Operation *op) {
  ops.push_back(op);
  waitsFor.emplace_back();
  return ops.size() - 1;
}

unsigned WaitGraph::getServer(Attribute endpoint, uint64_t round) {
  auto [entry, inserted] = serverOf.try_emplace({endpoint, round}, 0);
  if (inserted)
    entry->second = addNode(nullptr);
  return entry->second;
}

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
    unsigned server = getServer(recv.getEndpointAttr(), recv.getRound());
    waitsFor[node].push_back(server);
  } else if (auto send = dyn_cast<SendOp>(op)) {
    unsigned server = getServer(send.getEndpointAttr(), send.getRound());
    waitsFor[server].push_back(node);
  } else if (auto push = dyn_cast<PushRowsOp>(op)) {
    for (Attribute endpoint : push.getEndpoints())
      waitsFor[getServer(endpoint, /*round=*/0)].push_back(node);
  } else if (auto barrier = dyn_cast<SendBarrierOp>(op)) {
    for (Attribute endpoint : barrier.getEndpoints()) {
      unsigned server = getServer(endpoint, barrier.getRound());
      waitsFor[server].push_back(node);
    }
  }
}

WaitGraph::WaitGraph(Block &step) {
  for (Operation &op : step) {
    unsigned node = nodeOf[&op] = addNode(&op);
    addValues(node, step);
    addTransfer(node);
  }
}

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
