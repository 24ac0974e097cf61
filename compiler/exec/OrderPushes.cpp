// SPDX-License-Identifier: Apache-2.0
//===- OrderPushes.cpp - pushes first what is needed first ----------------===//
//
// A step of a trainer ends with pulls, which the next step begins with: what
// that one reads first is to come first, so its gradient is to leave first.
//
//  1. findSuccessors: what comes after a node, because of tokens or memory.
//  2. findFirstReads: when the program reads a variable, whose blocks it pulls
//     again at the end, for the first time.
//  3. findUrgency: that is how urgent the sends of these blocks are. Rows,
//     which all begins with, and nodes that nothing comes after are as urgent
//     as can be; any other node is as urgent as the most urgent one that needs
//     what it does.
//  4. schedule: always take the most urgent of the nodes whose predecessors are
//     taken; of equals the first.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/exec/Storage.h"
#include "llvm/ADT/StringMap.h"
#include <queue>

namespace ps {
#define GEN_PASS_DEF_ORDERPUSHES
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

/// Small numbers are urgent.
using Urgency = unsigned;
constexpr Urgency mostUrgent = 0, noHurry = UINT_MAX;

struct OrderPushes : public ps::impl::OrderPushesBase<OrderPushes> {
  void runOnOperation() override;

private:
  void findSuccessors(NodeOrder &order);
  llvm::StringMap<Urgency> findFirstReads(NodeOrder &order);
  std::vector<Urgency> findUrgency(NodeOrder &order);
  std::vector<unsigned> schedule(const std::vector<Urgency> &urgency);

  /// For each node those that come after it because of tokens or memory, or as
  /// the next collective.
  std::vector<SmallVector<unsigned>> successors;
  std::vector<unsigned> numPredecessors;
};

/// Runs before ps-sequence-tokens, so order through memory is not in the tokens
/// yet and is taken from the accesses.
void OrderPushes::findSuccessors(NodeOrder &order) {
  MemoryHistory history;
  const unsigned nodes = order.getNodes().size();
  successors.assign(nodes, {});
  numPredecessors.assign(nodes, 0);
  std::optional<unsigned> collective;
  for (unsigned i = 0; i < nodes; ++i) {
    exec::NodeOpInterface node = order.getNodes()[i];
    llvm::SmallSetVector<unsigned, 8> before;
    for (OpOperand &token : node.getAfterMutable())
      before.insert(order.getMaker(token.get()));
    for (unsigned predecessor : history.add(i, node))
      before.insert(predecessor);
    if (node->hasTrait<exec::Collective>()) {
      if (collective)
        before.insert(*collective);
      collective = i;
    }
    numPredecessors[i] = before.size();
    for (unsigned predecessor : before)
      successors[predecessor].push_back(i);
  }
}

/// For each block of a variable that is pulled, the node that reads the
/// variable first.
llvm::StringMap<Urgency> OrderPushes::findFirstReads(NodeOrder &order) {
  DenseMap<void *, Urgency> firstReads;
  llvm::StringMap<Urgency> result;
  for (auto [i, each] : llvm::enumerate(order.getNodes())) {
    exec::NodeOpInterface node = each;
    for (const exec::Access &access : node.getAccesses())
      if (isa<exec::VariableOp>(getStorage(access.buffer)))
        // Numbers from 1 on: 0 is mostUrgent, the urgency of rows. A variable
        // that nothing reads before has the position of its own pull.
        firstReads.try_emplace(getSpan(access).piece, i + 1);
    auto recv = dyn_cast<exec::RecvOp>(*node);
    if (!recv)
      continue;
    for (auto [block, access] :
         llvm::zip_equal(recv.getBlocks(), node.getAccesses()))
      result[cast<StringAttr>(block)] =
          firstReads.lookup(getSpan(access).piece);
  }
  return result;
}

/// Goes backwards, so that successors are known. Sends take their own urgency
/// only, not that of the barriers after them.
std::vector<Urgency> OrderPushes::findUrgency(NodeOrder &order) {
  const llvm::StringMap<Urgency> firstReads = findFirstReads(order);
  std::vector<Urgency> urgency(order.getNodes().size(), noHurry);
  for (unsigned i = urgency.size(); i-- > 0;) {
    exec::NodeOpInterface node = order.getNodes()[i];
    if (auto send = dyn_cast<exec::SendOp>(*node)) {
      for (auto block : send.getBlocks().getAsRange<StringAttr>())
        if (auto read = firstReads.find(block); read != firstReads.end())
          urgency[i] = std::min(urgency[i], read->second);
      continue;
    }
    // They come after everything anyway.
    if (isa<exec::SendBarrierOp, exec::RecvOp, exec::FetchBarrierOp>(*node))
      continue;
    if (isa<exec::PushRowsOp>(*node) || successors[i].empty())
      urgency[i] = mostUrgent;
    for (unsigned successor : successors[i])
      urgency[i] = std::min(urgency[i], urgency[successor]);
  }
  return urgency;
}

/// Topological order; the pairs in the queue break ties by position, which
/// keeps the result deterministic and close to the original order.
std::vector<unsigned>
OrderPushes::schedule(const std::vector<Urgency> &urgency) {
  using Candidate = std::pair<Urgency, unsigned>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> ready;
  for (unsigned i = 0; i < urgency.size(); ++i)
    if (numPredecessors[i] == 0)
      ready.push({urgency[i], i});
  std::vector<unsigned> result;
  while (!ready.empty()) {
    const unsigned node = ready.top().second;
    ready.pop();
    result.push_back(node);
    for (unsigned successor : successors[node])
      if (--numPredecessors[successor] == 0)
        ready.push({urgency[successor], successor});
  }
  return result;
}

void OrderPushes::runOnOperation() {
  exec::ProgramOp program = getOperation();
  if (program.getBody().getOps<exec::SendOp>().empty())
    return;
  NodeOrder order(program);
  findSuccessors(order);
  // After all memory that is declared, and before the fetches.
  Block &body = program.getBody().front();
  auto fetches = body.getOps<exec::FetchOp>();
  Block::iterator end =
      fetches.empty() ? body.end()
                      : Block::iterator((*fetches.begin()).getOperation());
  for (unsigned index : schedule(findUrgency(order)))
    order.getNodes()[index]->moveBefore(&body, end);
}

} // namespace
