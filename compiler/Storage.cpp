//===- Storage.cpp - where the buffers of an exec program lie -------------===//

#include "compiler/Storage.h"

using namespace mlir;
using namespace ps;

Operation *ps::getStorage(Value buffer) {
  Operation *op = buffer.getDefiningOp();
  while (auto view = dyn_cast<exec::ViewOp>(op))
    op = view.getSource().getDefiningOp();
  return op;
}

Span ps::getSpan(const exec::Access &access) {
  Operation *storage = getStorage(access.buffer);
  Span span{storage, access.begin, access.end, access.write};
  if (auto variable = dyn_cast<exec::VariableOp>(storage))
    span.piece = const_cast<void *>(
        variable.getVariableAttr().getAttr().getAsOpaquePointer());
  if (auto feed = dyn_cast<exec::FeedOp>(storage))
    span.piece = const_cast<void *>(feed.getFeedAttr().getAsOpaquePointer());
  if (auto buffer = dyn_cast<exec::BufferOp>(storage);
      buffer && buffer.getOffset()) {
    span.piece = buffer->getBlock(); // the arena
    span.begin += *buffer.getOffset();
    span.end += *buffer.getOffset();
  }
  return span;
}

SmallVector<unsigned> ConflictFinder::add(unsigned number,
                                          exec::NodeOpInterface node) {
  SmallVector<unsigned> before;
  SmallVector<Span> spans;
  for (const exec::Access &access : node.getAccesses())
    spans.push_back(getSpan(access));
  for (const Span &span : spans)
    for (const Touch &touch : touched[span.piece])
      if (span.conflicts(touch.span))
        before.push_back(touch.node);
  for (const Span &span : spans)
    // Who comes after this write comes after all that it came after.
    if (span.write)
      llvm::erase_if(touched[span.piece], [&](const Touch &touch) {
        return touch.span.begin >= span.begin && touch.span.end <= span.end;
      });
  for (const Span &span : spans)
    touched[span.piece].push_back({number, span});
  return before;
}

NodeOrder::NodeOrder(exec::ProgramOp program) {
  for (auto node : program.getBody().getOps<exec::NodeOpInterface>()) {
    makers[node.getDone()] = nodes.size();
    nodes.push_back(node);
  }
  ancestors.resize(nodes.size(), llvm::BitVector(nodes.size()));
  for (unsigned i = 0; i < nodes.size(); ++i)
    for (OpOperand &token : nodes[i].getAfterMutable())
      order(makers.lookup(token.get()), i);
}
