// SPDX-License-Identifier: Apache-2.0
//===- HostGrid.cpp - functions of a GPU, run by the host -----------------===//
//
// 1. makeHostFunction: a gpu.func becomes a kernel of the host's signature,
//    whose last argument is the state of the thread; ids are loaded from there,
//    a barrier is a call of what the state names, and shared memory is where
//    the state says.
// 2. compileGrids lowers those as kernels for the host are lowered.
// 3. runGrid: a thread is a coroutine (ucontext) where its function has a
//    barrier, otherwise a call.
//
//===----------------------------------------------------------------------===//

#include "test/grid/HostGrid.h"
#include "compiler/Passes.h"
#include "compiler/kernels/BufferView.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <algorithm>
#include <cstring>
#include <numeric>
#include <ucontext.h>

using namespace mlir;

namespace ps::test {
namespace {

/// What a thread knows of itself. Compiled code reads it by the byte offsets of
/// its members.
struct ThreadState {
  int64_t block = 0, thread = 0;
  void (*barrier)(ThreadState *) = nullptr;
  std::byte *shared = nullptr;
};

//===----------------------------------------------------------------------===//
// 1. makeHostFunction
//===----------------------------------------------------------------------===//

class HostFunctionMaker {
public:
  HostFunctionMaker(gpu::GPUFuncOp grid, ModuleOp module)
      : grid(grid), b(grid.getLoc(), grid.getContext()) {
    b.setInsertionPointToEnd(module.getBody());
  }

  GridFunction run();

private:
  Value loadState(int64_t offset, Type type);
  void replaceOps(Block &body);

  gpu::GPUFuncOp grid;
  ImplicitLocOpBuilder b;
  Value state;
};

/// What the state holds at `offset`. Invariant: a thread never changes it.
Value HostFunctionMaker::loadState(int64_t offset, Type type) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value place = b.create<LLVM::GEPOp>(
      pointer, b.getI8Type(), state,
      ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(offset)));
  return b.create<LLVM::LoadOp>(type, place);
}

void HostFunctionMaker::replaceOps(Block &body) {
  Type i64 = b.getI64Type(), index = b.getIndexType();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  body.walk([&](Operation *op) {
    b.setInsertionPoint(op);
    if (isa<gpu::ThreadIdOp, gpu::BlockIdOp>(op)) {
      int64_t offset = isa<gpu::ThreadIdOp>(op) ? offsetof(ThreadState, thread)
                                                : offsetof(ThreadState, block);
      op->getResult(0).replaceAllUsesWith(
          b.create<arith::IndexCastOp>(index, loadState(offset, i64)));
      op->erase();
    } else if (isa<gpu::BarrierOp>(op)) {
      auto type = LLVM::LLVMFunctionType::get(
          LLVM::LLVMVoidType::get(b.getContext()), {pointer});
      Value barrier = loadState(offsetof(ThreadState, barrier), pointer);
      b.create<LLVM::CallOp>(type, ValueRange{barrier, state});
      op->erase();
    }
  });
}

GridFunction HostFunctionMaker::run() {
  GridFunction made;
  made.name = grid.getName().str();
  auto attribute = cast<exec::GridAttr>(grid->getAttr("exec.grid"));
  made.points = attribute.getPoints();
  made.perRow = attribute.getPerRow();
  made.pointsPerBlock = attribute.getPointsPerBlock();
  made.threads = (*grid.getKnownBlockSize())[0];
  made.hasBarrier =
      grid.walk([](gpu::BarrierOp) { return WalkResult::interrupt(); })
          .wasInterrupted();

  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type();
  auto function = b.create<func::FuncOp>(
      made.name, b.getFunctionType({pointer, i64, i64}, {}));
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  state = b.create<LLVM::IntToPtrOp>(pointer, entry->getArgument(2));
  Block &body = grid.getBody().front();
  // The last argument is the number of rows; shared memory comes after it.
  unsigned rows = grid.getFunctionType().getNumInputs() - 1;
  for (unsigned i = 0; i < rows; ++i) {
    Value slot = b.create<LLVM::GEPOp>(pointer, pointer, entry->getArgument(0),
                                       ArrayRef<LLVM::GEPArg>(int32_t(i)));
    grid.getArgument(i).replaceAllUsesWith(
        b.create<LLVM::LoadOp>(pointer, slot));
  }
  grid.getArgument(rows).replaceAllUsesWith(entry->getArgument(1));
  int64_t sharedBytes = 0;
  for (BlockArgument shared : grid.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(shared.getType());
    auto plain = MemRefType::get(type.getShape(), type.getElementType());
    Value base = loadState(offsetof(ThreadState, shared), pointer);
    Value place = b.create<LLVM::GEPOp>(
        pointer, b.getI8Type(), base,
        ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(sharedBytes)));
    shared.replaceAllUsesWith(makeMemRef(b, plain, place, Value()));
    sharedBytes += llvm::alignTo(getBufferBytes(plain), 64);
  }
  entry->getOperations().splice(entry->end(), body.getOperations());
  replaceOps(*entry);
  entry->back().erase(); // The gpu.return.
  b.setInsertionPointToEnd(entry);
  b.create<func::ReturnOp>();
  return made;
}

} // namespace

//===----------------------------------------------------------------------===//
// 2. compileGrids
//===----------------------------------------------------------------------===//

static LogicalResult lowerToLLVM(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.addPass(createLowerMath());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertSCFToCFPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  return pm.run(module);
}

std::vector<GridKernel> compileGrids(ModuleOp module, Jit &jit) {
  std::vector<GridKernel> kernels;
  for (auto source :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    GridKernel &kernel = kernels.emplace_back();
    kernel.name = source.getName().str();
    if (auto scratch = source->getAttrOfType<DenseI64ArrayAttr>(
            exec::ExecDialect::scratchAttrName))
      kernel.scratchBytes = scratch.asArrayRef();
    for (auto grid : source.getOps<gpu::GPUFuncOp>())
      kernel.functions.push_back(HostFunctionMaker(grid, module).run());
    for (auto global :
         llvm::make_early_inc_range(source.getOps<memref::GlobalOp>()))
      if (!module.lookupSymbol(global.getSymName()))
        global->moveBefore(&module.getBody()->front());
    source.erase();
  }
  if (failed(lowerToLLVM(module)))
    return {};
  auto compiled = jit.compile(module);
  if (!compiled.ok()) {
    module.emitError(compiled.status().ToString());
    return {};
  }
  for (GridKernel &kernel : kernels)
    for (GridFunction &function : kernel.functions)
      function.function = compiled->at(function.name).function;
  return kernels;
}

//===----------------------------------------------------------------------===//
// 3. runGrid
//===----------------------------------------------------------------------===//

namespace {

constexpr size_t stackBytes = 64 * 1024;
constexpr size_t sharedBytes = 64 * 1024;

/// The threads of one block at a time.
class BlockRunner {
public:
  BlockRunner(const GridFunction &function, std::span<void *const> buffers,
              int64_t rows, std::mt19937_64 &order)
      : function(function), buffers(buffers), rows(rows), order(order),
        threads(function.threads), shared(sharedBytes) {
    for (Thread &thread : threads)
      if (function.hasBarrier)
        thread.stack.resize(stackBytes);
  }

  void run(int64_t block);

private:
  struct Thread {
    ThreadState state; // First: a state is a thread's.
    BlockRunner *runner = nullptr;
    ucontext_t context;
    std::vector<std::byte> stack;
    bool isDone = false;
  };

  void call(Thread &thread) {
    function.function(buffers.data(), rows,
                      reinterpret_cast<int64_t>(&thread.state));
  }
  static void enter(unsigned low, unsigned high);
  static void wait(ThreadState *state);
  void begin(Thread &thread);

  const GridFunction &function;
  std::span<void *const> buffers;
  int64_t rows;
  std::mt19937_64 &order;
  std::vector<Thread> threads;
  std::vector<std::byte> shared;
  ucontext_t scheduler;
};

} // namespace

void BlockRunner::enter(unsigned low, unsigned high) {
  auto *thread =
      reinterpret_cast<Thread *>(uintptr_t(high) << 32 | uintptr_t(low));
  thread->runner->call(*thread);
  thread->isDone = true;
}

void BlockRunner::wait(ThreadState *state) {
  auto *thread = reinterpret_cast<Thread *>(state);
  swapcontext(&thread->context, &thread->runner->scheduler);
}

void BlockRunner::begin(Thread &thread) {
  getcontext(&thread.context);
  thread.context.uc_stack.ss_sp = thread.stack.data();
  thread.context.uc_stack.ss_size = thread.stack.size();
  thread.context.uc_link = &scheduler;
  auto address = reinterpret_cast<uintptr_t>(&thread);
  makecontext(&thread.context, reinterpret_cast<void (*)()>(&enter), 2,
              static_cast<unsigned>(address),
              static_cast<unsigned>(address >> 32));
}

/// Shared memory is as a GPU leaves it: anything.
void BlockRunner::run(int64_t block) {
  std::fill(shared.begin(), shared.end(), std::byte{0xa5});
  std::vector<size_t> turns(threads.size());
  std::iota(turns.begin(), turns.end(), 0);
  for (size_t i = 0; i < threads.size(); ++i) {
    Thread &thread = threads[i];
    thread.runner = this;
    thread.isDone = false;
    thread.state = {block, static_cast<int64_t>(i), &wait, shared.data()};
    if (function.hasBarrier)
      begin(thread);
  }
  while (!std::all_of(threads.begin(), threads.end(),
                      [](const Thread &thread) { return thread.isDone; })) {
    std::shuffle(turns.begin(), turns.end(), order);
    for (size_t turn : turns) {
      Thread &thread = threads[turn];
      if (thread.isDone)
        continue;
      if (function.hasBarrier) {
        swapcontext(&scheduler, &thread.context);
      } else {
        call(thread);
        thread.isDone = true;
      }
    }
  }
}

void runGrid(const GridFunction &function, std::span<void *const> buffers,
             int64_t rows, std::mt19937_64 &order) {
  int64_t points = function.points * (function.perRow ? rows : 1);
  int64_t numBlocks =
      (points + function.pointsPerBlock - 1) / function.pointsPerBlock;
  std::vector<int64_t> blocks(numBlocks);
  std::iota(blocks.begin(), blocks.end(), 0);
  std::shuffle(blocks.begin(), blocks.end(), order);
  BlockRunner runner(function, buffers, rows, order);
  for (int64_t block : blocks)
    runner.run(block);
}

} // namespace ps::test
