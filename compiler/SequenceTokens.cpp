//===- SequenceTokens.cpp - orders the nodes that touch the same bytes ----===//
//
// In program order, for every node:
//  1. Find the nodes before it that it conflicts with.
//  2. Latest first, take the token of each that is not implied by the tokens
//     already taken.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/Storage.h"

namespace ps {
#define GEN_PASS_DEF_SEQUENCETOKENS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

struct SequenceTokens : public ps::impl::SequenceTokensBase<SequenceTokens> {
  void runOnOperation() override {
    touched.clear();
    NodeOrder order(getOperation());
    for (unsigned i = 0; i < order.getNodes().size(); ++i)
      sequence(i, order);
  }

private:
  struct Touch {
    unsigned node;
    Span span;
  };

  void sequence(unsigned index, NodeOrder &order);

  /// What later nodes may conflict with, by piece.
  DenseMap<void *, SmallVector<Touch>> touched;
};

void SequenceTokens::sequence(unsigned index, NodeOrder &order) {
  exec::NodeOpInterface node = order.getNodes()[index];
  SmallVector<unsigned> before;
  SmallVector<Span> spans;
  for (const exec::Access &access : node.getAccesses())
    spans.push_back(getSpan(access));
  for (const Span &span : spans)
    for (const Touch &touch : touched[span.piece])
      if (span.conflicts(touch.span))
        before.push_back(touch.node);

  llvm::sort(before, std::greater<unsigned>());
  MutableOperandRange after = node.getAfterMutable();
  for (unsigned earlier : before) {
    if (order.isOrdered(earlier, index))
      continue;
    exec::NodeOpInterface maker = order.getNodes()[earlier];
    after.append(maker.getDone());
    order.order(earlier, index);
  }

  for (const Span &span : spans) {
    // Who comes after this write comes after all that it came after.
    SmallVector<Touch> &touches = touched[span.piece];
    if (span.write)
      llvm::erase_if(touches, [&](const Touch &touch) {
        return touch.span.begin >= span.begin && touch.span.end <= span.end;
      });
  }
  for (const Span &span : spans)
    touched[span.piece].push_back({index, span});
}

} // namespace
