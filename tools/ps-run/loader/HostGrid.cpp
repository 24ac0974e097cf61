// SPDX-License-Identifier: Apache-2.0
//===- HostGrid.cpp - functions of a GPU, compiled for the host -----------===//
//
// 1. makeHostFunction: a gpu.func becomes a kernel of the host's signature,
//    whose last argument is the state of the thread; ids are loaded from there,
//    a barrier, a shuffle and a ballot are calls of what the state names, and
//    shared memory is where the state says.
// 2. compileGrids lowers those as kernels for the host are lowered.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/loader/HostGrid.h"
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
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "runtime/base/Status.h"
#include <cstddef>

using namespace mlir;
using namespace ps;
using runtime::GridThread;

namespace {

//===----------------------------------------------------------------------===//
// 1. makeHostFunction
//===----------------------------------------------------------------------===//

class HostFunctionMaker {
public:
  HostFunctionMaker(gpu::GPUFuncOp grid, ModuleOp module)
      : grid(grid), b(grid.getLoc(), grid.getContext()) {
    b.setInsertionPointToEnd(module.getBody());
  }

  HostGrid run();

private:
  Value loadState(int64_t offset, Type type);
  void replaceOps(Block &body);
  Value callShuffle(gpu::ShuffleOp op);
  Value callBallot(NVVM::VoteBallotOp op);

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

/// The threads of a block are in warps by their numbers. A shuffle beyond the
/// end of its warp returns the thread's own value.
Value HostFunctionMaker::callShuffle(gpu::ShuffleOp op) {
  constexpr int64_t warpThreads = 32;
  Type i64 = b.getI64Type(), i32 = b.getI32Type();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto constant = [&](int64_t value) {
    return b.create<arith::ConstantIntOp>(value, 64);
  };
  Value thread = loadState(offsetof(GridThread, thread), i64);
  Value lane = b.create<arith::RemUIOp>(thread, constant(warpThreads));
  Value first = b.create<arith::SubIOp>(thread, lane);
  Value source = b.create<arith::ExtUIOp>(i64, op.getOffset());
  if (op.getMode() == gpu::ShuffleMode::DOWN)
    source = b.create<arith::AddIOp>(lane, source);
  else
    assert(op.getMode() == gpu::ShuffleMode::IDX && "no schedule uses another");
  Value isInside = b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, source,
                                           constant(warpThreads));
  source = b.create<arith::AddIOp>(
      first, b.create<arith::SelectOp>(isInside, source, lane));
  auto type = LLVM::LLVMFunctionType::get(i32, {pointer, i32, i64});
  Value shuffle = loadState(offsetof(GridThread, shuffle), pointer);
  return b
      .create<LLVM::CallOp>(type,
                            ValueRange{shuffle, state, op.getValue(), source})
      .getResult();
}

/// All threads of a warp vote.
Value HostFunctionMaker::callBallot(NVVM::VoteBallotOp op) {
  Type i32 = b.getI32Type();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(i32, {pointer, i32});
  Value ballot = loadState(offsetof(GridThread, ballot), pointer);
  Value vote = b.create<arith::ExtUIOp>(i32, op.getPred());
  return b.create<LLVM::CallOp>(type, ValueRange{ballot, state, vote})
      .getResult();
}

/// Whether threads wait for each other in `op`.
static bool isExchange(Operation *op) {
  return isa<gpu::BarrierOp, gpu::ShuffleOp, NVVM::VoteBallotOp>(op);
}

void HostFunctionMaker::replaceOps(Block &body) {
  Type i64 = b.getI64Type(), index = b.getIndexType();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  body.walk([&](Operation *op) {
    b.setInsertionPoint(op);
    if (isa<gpu::ThreadIdOp, gpu::BlockIdOp>(op)) {
      int64_t offset = isa<gpu::ThreadIdOp>(op) ? offsetof(GridThread, thread)
                                                : offsetof(GridThread, block);
      op->getResult(0).replaceAllUsesWith(
          b.create<arith::IndexCastOp>(index, loadState(offset, i64)));
      op->erase();
    } else if (isa<gpu::BarrierOp>(op)) {
      auto type = LLVM::LLVMFunctionType::get(
          LLVM::LLVMVoidType::get(b.getContext()), {pointer});
      Value barrier = loadState(offsetof(GridThread, barrier), pointer);
      b.create<LLVM::CallOp>(type, ValueRange{barrier, state});
      op->erase();
    } else if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
      op->getResult(0).replaceAllUsesWith(callShuffle(shuffle));
      op->erase();
    } else if (auto ballot = dyn_cast<NVVM::VoteBallotOp>(op)) {
      op->getResult(0).replaceAllUsesWith(callBallot(ballot));
      op->erase();
    }
  });
}

HostGrid HostFunctionMaker::run() {
  HostGrid made;
  made.function.name = grid.getName().str();
  auto attribute = cast<exec::GridAttr>(grid->getAttr("exec.grid"));
  made.function.points = attribute.getPoints();
  made.function.perRow = attribute.getPerRow();
  made.function.pointsPerBlock = attribute.getPointsPerBlock();
  made.function.threads = (*grid.getKnownBlockSize())[0];
  made.code = std::make_unique<runtime::GridCode>();
  made.code->waits = grid.walk([](Operation *op) {
                           return isExchange(op) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
                         })
                         .wasInterrupted();
  made.function.handle = made.code.get();

  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type();
  auto function = b.create<func::FuncOp>(
      made.function.name, b.getFunctionType({pointer, i64, i64}, {}));
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
    Value base = loadState(offsetof(GridThread, shared), pointer);
    Value place = b.create<LLVM::GEPOp>(
        pointer, b.getI8Type(), base,
        ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(sharedBytes)));
    shared.replaceAllUsesWith(makeMemRef(b, plain, place, Value()));
    sharedBytes += llvm::alignTo(getBufferBytes(plain), 64);
  }
  made.code->sharedBytes = sharedBytes;
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

absl::StatusOr<std::vector<HostGridKernel>> ps::compileGrids(ModuleOp module,
                                                             Jit &jit) {
  std::vector<HostGridKernel> kernels;
  for (auto source :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    HostGridKernel &kernel = kernels.emplace_back();
    kernel.name = source.getName().str();
    if (auto scratch = source->getAttrOfType<DenseI64ArrayAttr>(
            exec::ExecDialect::scratchAttrName))
      kernel.scratchBytes = scratch.asArrayRef();
    for (auto grid : source.getOps<gpu::GPUFuncOp>())
      kernel.grids.push_back(HostFunctionMaker(grid, module).run());
    for (auto global :
         llvm::make_early_inc_range(source.getOps<memref::GlobalOp>()))
      if (!module.lookupSymbol(global.getSymName()))
        global->moveBefore(&module.getBody()->front());
    source.erase();
  }
  if (failed(lowerToLLVM(module)))
    return absl::InternalError("cannot lower a grid of threads for the host");
  ASSIGN_OR_RETURN(auto compiled, jit.compile(module));
  for (HostGridKernel &kernel : kernels)
    for (HostGrid &grid : kernel.grids)
      grid.code->function = compiled.at(grid.function.name).function;
  return kernels;
}
