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
