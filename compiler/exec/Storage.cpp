// SPDX-License-Identifier: Apache-2.0
//===- Storage.cpp - where the buffers of an exec program lie -------------===//

#include "compiler/exec/Storage.h"

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
        exec::isOnHost(variable.getType())
            ? variable.getVariableAttr().getAttr().getAsOpaquePointer()
            : variable.getVariableAttr().getAsOpaquePointer());
  if (auto feed = dyn_cast<exec::FeedOp>(storage);
      feed && !feed.getWorker() && exec::isOnHost(feed.getType()))
    span.piece = const_cast<void *>(feed.getFeedAttr().getAsOpaquePointer());
  if (auto buffer = dyn_cast<exec::BufferOp>(storage);
      buffer && buffer.getOffset()) {
    // Each memory space has an arena: that of the host has no attribute.
    Attribute space = buffer.getType().getMemorySpace();
    span.piece = space ? const_cast<void *>(space.getAsOpaquePointer())
                       : buffer->getBlock();
    span.begin += *buffer.getOffset();
    span.end += *buffer.getOffset();
  }
  return span;
}

SmallVector<Span> ps::getSpans(exec::NodeOpInterface node) {
  SmallVector<Span> spans;
  for (const exec::Access &access : node.getAccesses())
    spans.push_back(getSpan(access));
  return spans;
}

bool ps::conflict(ArrayRef<Span> one, ArrayRef<Span> other) {
  return llvm::any_of(one, [&](const Span &a) {
    return llvm::any_of(other, [&](const Span &b) { return a.conflicts(b); });
  });
}

SmallVector<Span> ps::getFetchedSpans(exec::ProgramOp program) {
  SmallVector<Span> spans;
  for (auto fetch : program.getBody().getOps<exec::FetchOp>()) {
    auto type = cast<ShapedType>(fetch.getBuffer().getType());
    spans.push_back(getSpan(
        {fetch.getBuffer(), 0, exec::getByteSize(type), /*write=*/false}));
  }
  return spans;
}

bool ps::isSharedWithCaller(exec::NodeOpInterface node,
                            ArrayRef<Span> fetched) {
  bool touchesFeed =
      llvm::any_of(node.getAccesses(), [](const exec::Access &access) {
        return isa<exec::FeedOp, exec::RaggedFeedOp>(getStorage(access.buffer));
      });
  return touchesFeed || conflict(getSpans(node), fetched);
}

/// Makes `byte` begin a segment if it lies within one.
void MemoryHistory::splitAt(Segments &segments, int64_t byte) {
  auto next = segments.lower_bound(byte);
  if (next == segments.begin())
    return;
  Segment &segment = std::prev(next)->second;
  if (segment.end <= byte)
    return;
  Segment rest = segment;
  segment.end = byte;
  segments.emplace_hint(next, byte, std::move(rest));
}

/// The segments of `span`, with new ones where there were none.
std::pair<MemoryHistory::Segments::iterator, MemoryHistory::Segments::iterator>
MemoryHistory::cover(Segments &segments, const Span &span) {
  splitAt(segments, span.begin);
  splitAt(segments, span.end);
  int64_t byte = span.begin;
  for (auto it = segments.lower_bound(byte); byte < span.end; ++it) {
    int64_t next =
        it == segments.end() ? span.end : std::min(it->first, span.end);
    if (byte < next)
      it = segments.emplace_hint(it, byte, Segment{next, std::nullopt, {}});
    byte = it->second.end;
  }
  return {segments.lower_bound(span.begin), segments.lower_bound(span.end)};
}

SmallVector<unsigned> MemoryHistory::add(unsigned number,
                                         exec::NodeOpInterface node) {
  SmallVector<Touch> touches;
  for (const exec::Access &access : node.getAccesses())
    touches.push_back({getSpan(access), getStorage(access.buffer)});
  return add(number, std::move(touches));
}

SmallVector<unsigned> MemoryHistory::add(unsigned number,
                                         SmallVector<Touch> touches) {
  // A node reads before it writes.
  llvm::stable_sort(touches, [](const Touch &a, const Touch &b) {
    return a.span.write < b.span.write;
  });
  SmallVector<unsigned> before;
  for (const auto &[span, storage] : touches) {
    if (span.begin >= span.end)
      continue;
    Segments &segments = histories[span.piece];
    auto [begin, end] = cover(segments, span);
    for (auto it = begin; it != end; ++it) {
      Segment &segment = it->second;
      if (segment.writer)
        before.push_back(segment.writer->node);
      if (span.write)
        llvm::append_range(before, segment.readers);
      else
        segment.readers.push_back(number);
    }
    if (!span.write)
      continue;
    // What comes after this write comes after all that the write came after.
    auto next = segments.erase(begin, end);
    segments.emplace_hint(next, span.begin,
                          Segment{span.end, Writer{number, storage}, {}});
  }
  llvm::erase(before, number);
  return before;
}

void MemoryHistory::forEachSegment(
    const Span &span, llvm::function_ref<void(const Segment &)> visit) const {
  auto history = histories.find(span.piece);
  if (history == histories.end())
    return;
  const Segments &segments = history->second;
  auto it = segments.upper_bound(span.begin);
  if (it != segments.begin() && std::prev(it)->second.end > span.begin)
    --it;
  for (; it != segments.end() && it->first < span.end; ++it)
    visit(it->second);
}

SmallVector<MemoryHistory::Writer>
MemoryHistory::getWriters(const Span &span) const {
  SmallVector<Writer> writers;
  forEachSegment(span, [&](const Segment &segment) {
    if (segment.writer)
      writers.push_back(*segment.writer);
  });
  return writers;
}

SmallVector<unsigned> MemoryHistory::getConflicts(const Span &span) const {
  SmallVector<unsigned> nodes;
  forEachSegment(span, [&](const Segment &segment) {
    if (segment.writer)
      nodes.push_back(segment.writer->node);
    if (span.write)
      llvm::append_range(nodes, segment.readers);
  });
  return nodes;
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

MemoryHistory ps::getFirstTouches(const NodeOrder &order) {
  MemoryHistory history;
  for (unsigned i = order.getNodes().size(); i-- > 0;)
    history.add(i, order.getNodes()[i]);
  return history;
}

BitVector ps::getFirstOfExchange(const NodeOrder &order) {
  const unsigned nodes = order.getNodes().size();
  BitVector exchange(nodes), first(nodes);
  for (auto [i, node] : llvm::enumerate(order.getNodes()))
    exchange[i] = node->hasTrait<exec::InExchange>();
  for (unsigned node : exchange.set_bits())
    if (!order.getAncestors(node).anyCommon(exchange))
      first.set(node);
  return first;
}
