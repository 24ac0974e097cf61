//===- VerifyExec.cpp - proves that tokens order all conflicts ------------===//
//
//  1. Every buffer has its place inside the arena.
//  2. No node writes a feed or a constant.
//  3. Within a node, what is written overlaps nothing else that it touches,
//     unless an elementwise kernel works in place.
//  4. Nodes that touch the same bytes, one of them writing, are ordered.
//  5. What a node or a fetch reads from a buffer was written to that buffer by
//     a node before it, and by nobody else since.
//
//===----------------------------------------------------------------------===//

#include "compiler/KernelAnalysis.h"
#include "compiler/Passes.h"
#include "compiler/Storage.h"

namespace ps {
#define GEN_PASS_DEF_VERIFYEXEC
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

struct VerifyExec : public ps::impl::VerifyExecBase<VerifyExec> {
  void runOnOperation() override {
    NodeOrder order(getOperation());
    if (failed(verifyPlaces()) || failed(verifyTargets()) ||
        failed(verifyNodes(order)) || failed(verifyOrder(order)) ||
        failed(verifyValues(order)))
      signalPassFailure();
  }

private:
  LogicalResult verifyPlaces();
  LogicalResult verifyTargets();
  LogicalResult verifyNodes(const NodeOrder &order);
  LogicalResult verifyOrder(const NodeOrder &order);
  LogicalResult verifyValues(const NodeOrder &order);
};

LogicalResult VerifyExec::verifyPlaces() {
  int64_t arena = getOperation().getArena().value_or(0);
  for (auto buffer : getOperation().getBody().getOps<exec::BufferOp>()) {
    if (!buffer.getOffset())
      return buffer.emitError("buffer has no place in the arena");
    int64_t begin = *buffer.getOffset();
    int64_t end = begin + exec::getByteSize(buffer.getType());
    if (begin < 0 || end > arena)
      return buffer.emitError("buffer takes bytes ")
             << begin << " to " << end << " of an arena of " << arena;
  }
  return success();
}

LogicalResult VerifyExec::verifyTargets() {
  for (auto node : getOperation().getBody().getOps<exec::NodeOpInterface>())
    for (const exec::Access &access : node.getAccesses()) {
      Operation *storage = getStorage(access.buffer);
      if (!access.write || !isa<exec::FeedOp, exec::ConstantOp>(storage))
        continue;
      InFlightDiagnostic diag =
          node.emitError("node writes memory that it may only read");
      diag.attachNote(storage->getLoc()) << "declared here";
      return diag;
    }
  return success();
}

/// The kernel that `node` runs, with its buffers; null for other nodes.
func::FuncOp getKernel(Operation *node, ValueRange &inputs,
                       ValueRange &outputs) {
  FlatSymbolRefAttr name;
  if (auto launch = dyn_cast<exec::LaunchOp>(node)) {
    name = launch.getKernelAttr();
    inputs = launch.getInputs();
    outputs = launch.getOutputs();
  }
  if (auto gemm = dyn_cast<exec::GemmOp>(node)) {
    name = gemm.getEpilogueAttr();
    inputs = gemm.getEpilogueInputs();
    outputs = gemm.getEpilogueOutputs();
  }
  return name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(node, name)
              : func::FuncOp();
}

LogicalResult VerifyExec::verifyNodes(const NodeOrder &order) {
  auto spanOf = [](Value value, bool write) {
    auto type = cast<ShapedType>(value.getType());
    return getSpan({value, 0, exec::getByteSize(type), write});
  };
  auto overlap = [&](Value a, Value b) {
    return spanOf(a, true).overlaps(spanOf(b, false));
  };
  for (Operation *node : order.getNodes()) {
    auto refuse = [&] {
      return node->emitError("node writes bytes that it also uses otherwise");
    };
    ValueRange inputs, outputs;
    func::FuncOp kernel = getKernel(node, inputs, outputs);
    for (auto [j, output] : llvm::enumerate(outputs)) {
      for (auto [i, input] : llvm::enumerate(inputs)) {
        Span in = spanOf(input, false), out = spanOf(output, true);
        if (in.overlaps(out) &&
            (in.begin != out.begin || !mayShareMemory(kernel, i, j)))
          return refuse();
      }
      for (Value other : outputs.drop_front(j + 1))
        if (overlap(output, other))
          return refuse();
    }
    if (auto gemm = dyn_cast<exec::GemmOp>(node)) {
      for (Value operand : {gemm.getA(), gemm.getB()}) {
        if (overlap(gemm.getC(), operand))
          return refuse();
        for (Value output : outputs)
          if (overlap(output, operand))
            return refuse();
      }
      for (Value input : inputs)
        if (input != gemm.getC() && overlap(gemm.getC(), input))
          return refuse();
      // A result in the place of the product is an argument's above.
      if (!llvm::is_contained(inputs, gemm.getC()))
        for (Value output : outputs)
          if (overlap(gemm.getC(), output))
            return refuse();
    }
    if (auto reduce = dyn_cast<exec::AllReduceOp>(node))
      for (auto [i, mean] : llvm::enumerate(reduce.getMeans())) {
        for (Value gradient : reduce.getGradients())
          if (overlap(mean, gradient))
            return refuse();
        for (Value other : reduce.getMeans().drop_front(i + 1))
          if (overlap(mean, other))
            return refuse();
      }
    if (auto copy = dyn_cast<exec::CopyOp>(node))
      if (overlap(copy.getTarget(), copy.getSource()))
        return refuse();
  }
  return success();
}

LogicalResult VerifyExec::verifyOrder(const NodeOrder &order) {
  MemoryHistory history;
  for (auto [i, each] : llvm::enumerate(order.getNodes())) {
    exec::NodeOpInterface node = each;
    for (unsigned earlier : history.add(i, node)) {
      if (order.isOrdered(earlier, i))
        continue;
      InFlightDiagnostic diag = node.emitError(
          "no token orders this node after one that touches the same bytes");
      diag.attachNote(order.getNodes()[earlier]->getLoc()) << "which is here";
      return diag;
    }
  }
  return success();
}

/// Whether `storage` holds nothing before a node of the program writes to it.
bool holdsWhatIsWritten(Operation *storage) {
  auto rows = dyn_cast<exec::RowsOp>(storage);
  return isa<exec::BufferOp>(storage) || (rows && !rows.getFeed());
}

/// The bytes of `read`, if something was written there, must be its buffer's.
/// All conflicts are ordered, so program order tells who wrote last.
LogicalResult verifyRead(Operation *reader, const exec::Access &read,
                         const MemoryHistory &history, const NodeOrder &order) {
  Operation *storage = getStorage(read.buffer);
  if (read.begin >= read.end || !holdsWhatIsWritten(storage))
    return success();
  SmallVector<MemoryHistory::Writer> writers =
      history.getWriters(getSpan(read));
  auto other = llvm::find_if(writers, [&](const MemoryHistory::Writer &writer) {
    return writer.storage != storage;
  });
  if (!writers.empty() && other == writers.end())
    return success();
  InFlightDiagnostic diag = reader->emitError(
      writers.empty() ? "reads a buffer that no node before it has written"
                      : "reads bytes that were given to another buffer");
  if (writers.empty())
    diag.attachNote(storage->getLoc()) << "declared here";
  else
    diag.attachNote(order.getNodes()[other->node]->getLoc())
        << "last written here";
  return diag;
}

LogicalResult VerifyExec::verifyValues(const NodeOrder &order) {
  MemoryHistory history;
  for (auto [i, each] : llvm::enumerate(order.getNodes())) {
    exec::NodeOpInterface node = each;
    for (const exec::Access &access : node.getAccesses())
      if (!access.write && failed(verifyRead(node, access, history, order)))
        return failure();
    history.add(i, node);
  }
  for (auto fetch : getOperation().getBody().getOps<exec::FetchOp>()) {
    auto type = cast<ShapedType>(fetch.getBuffer().getType());
    const exec::Access read{fetch.getBuffer(), 0, exec::getByteSize(type),
                            /*write=*/false};
    if (isa<exec::BufferOp>(getStorage(read.buffer)) &&
        failed(verifyRead(fetch, read, history, order)))
      return failure();
  }
  return success();
}

} // namespace
