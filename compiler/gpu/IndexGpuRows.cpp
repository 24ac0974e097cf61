// SPDX-License-Identifier: Apache-2.0
//===- IndexGpuRows.cpp - one launch for all rows of a table --------------===//
//
// Gives each function of a GPU a dimension more: what its threads do is done
// for each row of a list, by others, and its buffers move from row to row.
// Threads of several rows may share a block.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ps {
#define GEN_PASS_DEF_INDEXGPUROWS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

class RowIndexer {
public:
  explicit RowIndexer(gpu::GPUFuncOp function)
      : function(function), b(function.getLoc(), function.getContext()) {}

  void run();

private:
  Value load(Type type, Value array, Value index);
  Value loadMove(int64_t index) {
    return load(b.getI64Type(), moves,
                b.create<arith::ConstantIntOp>(index, 64));
  }
  Value move(Value pointer, unsigned buffer);

  gpu::GPUFuncOp function;
  ImplicitLocOpBuilder b;
  Value moves, place, slot;
};

} // namespace

Value RowIndexer::load(Type type, Value array, Value index) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value at = b.create<LLVM::GEPOp>(pointer, type, array,
                                   ArrayRef<LLVM::GEPArg>(index));
  return b.create<LLVM::LoadOp>(type, at, type.getIntOrFloatBitWidth() / 8);
}

/// Where `pointer`, to what the first row has, points to for this row.
Value RowIndexer::move(Value pointer, unsigned buffer) {
  Value bySlot = b.create<arith::MulIOp>(slot, loadMove(2 * buffer));
  Value byPlace = b.create<arith::MulIOp>(place, loadMove(2 * buffer + 1));
  Value bytes = b.create<arith::AddIOp>(bySlot, byPlace);
  return b.create<LLVM::GEPOp>(pointer.getType(), b.getI8Type(), pointer,
                               ArrayRef<LLVM::GEPArg>(bytes));
}

/// Puts what comes after `last` into a branch; the block's end stays.
static void guard(Operation *last, Value condition) {
  OpBuilder b(last->getBlock()->getTerminator());
  auto branch = b.create<scf::IfOp>(last->getLoc(), condition);
  Block &body = branch.getThenRegion().front();
  body.getOperations().splice(body.begin(), last->getBlock()->getOperations(),
                              std::next(last->getIterator()),
                              branch->getIterator());
}

void RowIndexer::run() {
  Block &entry = function.getBody().front();
  const unsigned buffers = function.getFunctionType().getNumInputs() - 1;
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  const int32_t threads = (*function.getKnownBlockSize())[0];
  Value kernelRows = function.getArgument(buffers);

  function.insertArgument(buffers, pointer, {}, b.getLoc());
  function.insertArgument(buffers + 1, pointer, {}, b.getLoc());
  Value slots = function.getArgument(buffers);
  moves = function.getArgument(buffers + 1);

  b.setInsertionPointToStart(&entry);
  Type index = b.getIndexType(), i64 = b.getI64Type();
  auto constant = [&](int64_t value) {
    return b.create<arith::ConstantIntOp>(value, 64);
  };
  Value block = b.create<gpu::BlockIdOp>(index, gpu::Dimension::x);
  Value thread = b.create<gpu::ThreadIdOp>(index, gpu::Dimension::x);
  Value number = b.create<arith::AddIOp>(
      b.create<arith::MulIOp>(b.create<arith::IndexCastOp>(i64, block),
                              constant(threads)),
      b.create<arith::IndexCastOp>(i64, thread));
  Value perRow = loadMove(2 * buffers);
  place = b.create<arith::DivUIOp>(number, perRow);
  // The last argument again: how many rows there are.
  Value hasRow = b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, place,
                                         function.getArgument(buffers + 2));
  Operation *last = hasRow.getDefiningOp();

  b.setInsertionPointAfter(last);
  Value ofRow = b.create<arith::RemUIOp>(number, perRow);
  auto idOfRow = [&](Value id) {
    return b.create<arith::IndexCastOp>(index, id).getResult();
  };
  Value blockOfRow =
      idOfRow(b.create<arith::DivUIOp>(ofRow, constant(threads)));
  Value threadOfRow =
      idOfRow(b.create<arith::RemUIOp>(ofRow, constant(threads)));
  slot = b.create<arith::ExtUIOp>(i64, load(b.getI32Type(), slots, place));
  kernelRows.replaceAllUsesExcept(loadMove(2 * buffers + 1), last);
  for (unsigned buffer = 0; buffer < buffers; ++buffer) {
    Value argument = function.getArgument(buffer);
    Value moved = move(argument, buffer);
    argument.replaceAllUsesExcept(moved, moved.getDefiningOp());
    function.removeArgAttr(buffer, LLVM::LLVMDialect::getAlignAttrName());
  }
  function.walk([&](Operation *op) {
    if (!isa<gpu::BlockIdOp, gpu::ThreadIdOp>(op) ||
        op == block.getDefiningOp() || op == thread.getDefiningOp())
      return;
    op->getResult(0).replaceAllUsesWith(isa<gpu::BlockIdOp>(op) ? blockOfRow
                                                                : threadOfRow);
    op->erase();
  });
  guard(last, hasRow);
  function.setName(Twine(function.getName() + "_rows").str());
}

namespace {
struct IndexGpuRows : ps::impl::IndexGpuRowsBase<IndexGpuRows> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<gpu::GPUFuncOp>())
      RowIndexer(function).run();
  }
};
} // namespace
