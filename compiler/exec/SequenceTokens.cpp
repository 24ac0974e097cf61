// SPDX-License-Identifier: Apache-2.0
//===- SequenceTokens.cpp - orders the nodes that touch the same bytes ----===//
//
// In program order, for every node:
//  1. Find the nodes before it that it conflicts with. A collective comes after
//     the one before it, too: trainers that issue them in different orders
//     would wait for each other.
//  2. Latest first, take the token of each that is not implied by the tokens
//     already taken.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/exec/Storage.h"

namespace ps {
#define GEN_PASS_DEF_SEQUENCETOKENS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

struct SequenceTokens : public ps::impl::SequenceTokensBase<SequenceTokens> {
  void runOnOperation() override {
    MemoryHistory history;
    NodeOrder order(getOperation());
    std::optional<unsigned> collective;
    for (unsigned i = 0; i < order.getNodes().size(); ++i) {
      exec::NodeOpInterface node = order.getNodes()[i];
      SmallVector<unsigned> before = history.add(i, node);
      if (node->hasTrait<exec::Collective>()) {
        if (collective)
          before.push_back(*collective);
        collective = i;
      }
      sequence(i, order, std::move(before));
    }
  }

private:
  void sequence(unsigned index, NodeOrder &order, SmallVector<unsigned> before);
};

void SequenceTokens::sequence(unsigned index, NodeOrder &order,
                              SmallVector<unsigned> before) {
  exec::NodeOpInterface node = order.getNodes()[index];
  llvm::sort(before, std::greater<unsigned>());
  MutableOperandRange after = node.getAfterMutable();
  for (unsigned earlier : before) {
    if (order.isOrdered(earlier, index))
      continue;
    exec::NodeOpInterface maker = order.getNodes()[earlier];
    after.append(maker.getDone());
    order.order(earlier, index);
  }
}

} // namespace
