// SPDX-License-Identifier: Apache-2.0
//===- FinalizeKernels.cpp - kernels take their final signature -----------===//
//
// Turns a kernel on memrefs into
//
//     func @k(%buffers: !llvm.ptr, %rowBegin: i64, %rowEnd: i64)
//
// 1. measure: count what one row of arguments and intermediates takes.
// 2. placeAllocations: intermediates live on the stack while they are small;
//    the others become scratch buffers behind the results, whose sizes are
//    in the attribute `exec.scratch` (bytes; bytes per row in a row kernel).
// 3. rewriteSignature: the body works on rows [rowBegin, rowEnd). A row kernel
//    of several loops does so in blocks of rows that stay in the first-level
//    cache from one loop to the next.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/kernels/BufferView.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ps {
#define GEN_PASS_DEF_FINALIZEKERNELS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

/// What a block of rows may take of the first-level cache, and what a kernel
/// may take of the stack.
constexpr int64_t cacheBytes = 32 * 1024;

class Finalizer {
public:
  explicit Finalizer(func::FuncOp func)
      : func(func), b(func.getLoc(), func.getContext()) {}
  void run();

private:
  void measure();
  void placeAllocations();
  void rewriteSignature();
  void keepOnStack(memref::AllocOp alloc);
  void moveToScratch(memref::AllocOp alloc);
  Value bufferAt(unsigned index);

  func::FuncOp func;
  ImplicitLocOpBuilder b;
  SmallVector<memref::AllocOp> allocations;
  /// Scratch arguments, appended to the block's arguments.
  SmallVector<int64_t> scratchBytes;
  int64_t rowBytes = 0;
  /// Rows of a block; 0 is all rows at once.
  int64_t blockRows = 0;
  Value buffers;
};

} // namespace

/// Chooses the rows per block: blocks only pay if several loops, or a loop and
/// an intermediate, touch the same rows.
void Finalizer::measure() {
  unsigned numLoops = 0;
  for (Operation &op : func.getBody().front())
    numLoops += isa<scf::ForOp>(op);
  func.walk([&](memref::AllocOp alloc) { allocations.push_back(alloc); });
  for (Type type : func.getArgumentTypes()) {
    auto memref = cast<MemRefType>(type);
    if (!hasRows(memref))
      continue;
    rowBytes += getBufferBytes(memref);
  }
  for (memref::AllocOp alloc : allocations)
    if (hasRows(alloc.getType()))
      rowBytes += getBufferBytes(alloc.getType());
  if (rowBytes > 0 && (numLoops > 1 || !allocations.empty()))
    blockRows = std::max<int64_t>(1, cacheBytes / rowBytes);
}

/// Intermediates of a row kernel need memory for one block only, so most of
/// them fit on the stack.
void Finalizer::placeAllocations() {
  int64_t stackBytes = 0;
  for (memref::AllocOp alloc : allocations) {
    MemRefType type = alloc.getType();
    int64_t bytes = getBufferBytes(type) * (hasRows(type) ? blockRows : 1);
    if (stackBytes + bytes <= cacheBytes) {
      stackBytes += bytes;
      keepOnStack(alloc);
    } else {
      moveToScratch(alloc);
    }
  }
}

/// The stack buffer has static size, that of a full block; where the allocation
/// is used it is viewed with the rows of the current block, of which the last
/// may be shorter. 64 bytes are a cache line and the widest vector.
void Finalizer::keepOnStack(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  SmallVector<int64_t> shape(type.getShape());
  if (hasRows(type))
    shape[0] = blockRows;
  b.setInsertionPointToStart(&func.getBody().front());
  Value buffer = b.create<memref::AllocaOp>(
      MemRefType::get(shape, type.getElementType()), b.getI64IntegerAttr(64));
  if (hasRows(type)) {
    b.setInsertionPoint(alloc);
    SmallVector<OpFoldResult> sizes = alloc.getMixedSizes();
    SmallVector<OpFoldResult> strides(shape.size());
    int64_t stride = 1;
    for (int i = shape.size() - 1; i >= 0; --i) {
      strides[i] = b.getIndexAttr(stride);
      stride *= shape[i];
    }
    buffer = b.create<memref::ReinterpretCastOp>(
        type, buffer, b.getIndexAttr(0), sizes, strides);
  }
  alloc.replaceAllUsesWith(buffer);
  alloc.erase();
}

void Finalizer::moveToScratch(memref::AllocOp alloc) {
  scratchBytes.push_back(getBufferBytes(alloc.getType()));
  alloc.replaceAllUsesWith(
      func.getBody().addArgument(alloc.getType(), alloc.getLoc()));
  alloc.erase();
}

Value Finalizer::bufferAt(unsigned index) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value slot = b.create<LLVM::GEPOp>(pointer, pointer, buffers,
                                     ArrayRef<LLVM::GEPArg>(int32_t(index)));
  // Invariant, because no kernel writes the array of pointers: otherwise a
  // store to a buffer would force LLVM to load the pointers again.
  return b.create<LLVM::LoadOp>(pointer, slot, /*alignment=*/0,
                                /*isVolatile=*/false, /*isNonTemporal=*/false,
                                /*isInvariant=*/true);
}

/// Moves the body behind an entry block that loads the buffers, into a loop
/// over blocks of rows if there are any, and rebuilds each memref at its first
/// row.
void Finalizer::rewriteSignature() {
  Block *body = &func.getBody().front();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type();
  auto *entry = new Block;
  func.getBody().push_front(entry);
  buffers = entry->addArgument(pointer, b.getLoc());
  Value begin = entry->addArgument(i64, b.getLoc());
  Value end = entry->addArgument(i64, b.getLoc());
  b.setInsertionPointToStart(entry);
  // Allocas must not sit in the loop over blocks.
  for (Operation &op : llvm::make_early_inc_range(*body))
    if (isa<memref::AllocaOp>(op))
      op.moveBefore(entry, entry->end());
  b.setInsertionPointToEnd(entry);

  SmallVector<Value> pointers;
  for (unsigned i = 0; i < body->getNumArguments(); ++i)
    pointers.push_back(bufferAt(i));

  Value first = begin, count;
  if (blockRows > 0) {
    Type index = b.getIndexType();
    Value step = b.create<arith::ConstantIndexOp>(blockRows);
    Value last = b.create<arith::IndexCastOp>(index, end);
    auto loop = b.create<scf::ForOp>(b.create<arith::IndexCastOp>(index, begin),
                                     last, step);
    b.create<func::ReturnOp>();
    b.setInsertionPointToStart(loop.getBody());
    Value left = b.create<arith::SubIOp>(last, loop.getInductionVar());
    count =
        b.create<arith::IndexCastOp>(i64, b.create<arith::MinSIOp>(left, step));
    first = b.create<arith::IndexCastOp>(i64, loop.getInductionVar());
    body->getTerminator()->erase();
  } else {
    count = b.create<LLVM::SubOp>(end, begin);
  }

  SmallVector<Value> memrefs;
  for (auto [argument, base] : llvm::zip(body->getArguments(), pointers)) {
    auto type = cast<MemRefType>(argument.getType());
    Value start = base;
    if (hasRows(type)) {
      Value bytes = b.create<LLVM::ConstantOp>(i64, getBufferBytes(type));
      Value offset = b.create<LLVM::MulOp>(first, bytes);
      start = b.create<LLVM::GEPOp>(pointer, b.getI8Type(), base, offset);
    }
    memrefs.push_back(makeMemRef(b, type, start, count));
  }
  for (auto [argument, memref] : llvm::zip(body->getArguments(), memrefs))
    argument.replaceAllUsesWith(memref);
  Block *target = b.getInsertionBlock();
  target->getOperations().splice(b.getInsertionPoint(), body->getOperations());
  body->erase();
  func.setType(b.getFunctionType({pointer, i64, i64}, {}));
}

void Finalizer::run() {
  measure();
  placeAllocations();
  rewriteSignature();
  if (!scratchBytes.empty())
    func->setAttr("exec.scratch", b.getDenseI64ArrayAttr(scratchBytes));
}

static LogicalResult checkArguments(func::FuncOp kernel) {
  for (BlockArgument argument : kernel.getArguments())
    if (!isa<MemRefType>(argument.getType()))
      return emitError(argument.getLoc(), "expected a memref, found ")
             << argument.getType();
  return success();
}

namespace {
struct FinalizeKernels : ps::impl::FinalizeKernelsBase<FinalizeKernels> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!kernel->hasAttr("exec.kernel") || kernel.isDeclaration())
      return;
    if (failed(checkArguments(kernel)))
      return signalPassFailure();
    Finalizer(kernel).run();
  }
};
} // namespace
