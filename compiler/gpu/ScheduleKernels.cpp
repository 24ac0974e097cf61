// SPDX-License-Identifier: Apache-2.0
//===- ScheduleKernels.cpp - kernels on buffers -> functions of a GPU -----===//
//
// Each stage of a kernel (Stages.h) becomes a function of its own, since
// nothing but the end of a function lets all threads wait for all others.
// Stages that work on the same rows become one.
//
// 1. generalize: all ops but fills become generic, and several if they have
//    reductions that do not go together (WidenPredicates.h,
//    SeparateReductions.h). Then long reductions become two
//    (SplitReductions.h).
// 2. findStages: the ops in order, without fills that a reduction takes as its
//    initial value. First, copies of what a fill wrote become fills.
// 3. groupStages (RowFusion.h), and findBuffers: the intermediates that are in
//    memory, since more than one function works with them.
// 4. makeFunction: the kernel with the stages of a group, and the views and
//    scalars that they use. GridBuilder and RowBuilder share the work of linalg
//    ops among threads, LoopBuilder that of loops.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/gpu/GridBuilder.h"
#include "compiler/gpu/LoopBuilder.h"
#include "compiler/gpu/RowBuilder.h"
#include "compiler/gpu/RowFusion.h"
#include "compiler/gpu/SeparateReductions.h"
#include "compiler/gpu/SplitReductions.h"
#include "compiler/gpu/Stages.h"
#include "compiler/gpu/WidenPredicates.h"
#include "compiler/kernels/BufferView.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ps {
#define GEN_PASS_DEF_SCHEDULEGPUKERNELS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

/// Every buffer that a kernel is given has it, except those of tables' rows.
static constexpr int64_t bufferAlignment = 64;
/// The arguments of a function have 32,764 bytes: these pointers, a number, and
/// two more pointers where IndexGpuRows adds them.
static constexpr size_t mostPointers = 4092;

namespace {

class KernelScheduler {
public:
  explicit KernelScheduler(func::FuncOp kernel)
      : kernel(kernel), b(kernel.getLoc(), kernel.getContext()) {}

  /// Replaces the kernel by a gpu.module of its name.
  LogicalResult run();

private:
  LogicalResult generalize();
  void replaceCopiesOfFills();
  void findStages();
  LogicalResult checkScalars();
  void findBuffers();
  LogicalResult makeFunction(const StageGroup &group, StringRef name);
  LogicalResult schedule(gpu::GPUFuncOp function, StageGroup group);
  LogicalResult checkArguments();
  gpu::GPUFuncOp createFunction(StringRef name, IRMapping &mapping);

  func::FuncOp kernel;
  ImplicitLocOpBuilder b;
  gpu::GPUModuleOp module;
  SmallVector<Operation *> stages;
  SmallVector<StageGroup> groups;
  /// The fills that are part of another stage, with that stage.
  DenseMap<Operation *, Operation *> takenFills;
  /// Each is an argument of all functions.
  SmallVector<memref::AllocOp> buffers;
};

} // namespace

//===----------------------------------------------------------------------===//
// 1. generalize
//===----------------------------------------------------------------------===//

/// All linalg ops but fills become generic.
LogicalResult KernelScheduler::generalize() {
  IRRewriter rewriter(kernel.getContext());
  for (auto op : llvm::make_early_inc_range(
           kernel.getBody().front().getOps<linalg::LinalgOp>())) {
    if (isa<linalg::FillOp>(op))
      continue;
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> made =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(made))
        return failure();
      generic = *made;
    }
    widenPredicates(generic);
    separateReductions(generic);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// 2. findStages
//===----------------------------------------------------------------------===//

/// Whether `op` does nothing but to copy its input, whatever to.
static bool isCopy(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         op.getBody()->getTerminator()->getOperand(0) ==
             op.getBody()->getArgument(0);
}

/// Two reductions that begin with the same value share its fill, so one of them
/// works on a copy.
void KernelScheduler::replaceCopiesOfFills() {
  for (auto op : llvm::make_early_inc_range(
           kernel.getBody().front().getOps<linalg::GenericOp>())) {
    if (!isCopy(op))
      continue;
    linalg::FillOp fill = findFill(op, op.getInputs()[0]);
    if (!fill)
      continue;
    b.setInsertionPoint(op);
    b.create<linalg::FillOp>(fill.getInputs(), op.getOutputs());
    op.erase();
  }
}

void KernelScheduler::findStages() {
  Block &block = kernel.getBody().front();
  for (auto generic : block.getOps<linalg::GenericOp>()) {
    ReductionBody body(generic);
    for (unsigned output : body.accumulators())
      if (linalg::FillOp fill =
              findFill(generic, generic.getDpsInitOperand(output)->get()))
        takenFills[fill] = generic;
  }
  for (Operation &op : block)
    if (isStage(op) && !takenFills.contains(&op))
      stages.push_back(&op);
}

/// A scalar is loaded in each stage that uses it, so nothing may overwrite it
/// from where it was loaded until then.
LogicalResult KernelScheduler::checkScalars() {
  for (auto load : kernel.getBody().front().getOps<memref::LoadOp>()) {
    Value root = getBuffer(load.getMemref());
    Operation *lastUser = load;
    for (Operation *user : load->getUsers()) {
      Operation *stage = kernel.getBody().front().findAncestorOpInBlock(*user);
      if (lastUser->isBeforeInBlock(stage))
        lastUser = stage;
    }
    for (Operation *op = load->getNextNode(); op && op != lastUser;
         op = op->getNextNode()) {
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      bool isRead =
          linalgOp && llvm::none_of(linalgOp.getDpsInits(), [&](Value output) {
            return getBuffer(output) == root;
          });
      if (isStage(*op) && touches(*op, root) && !isRead)
        return load.emitOpError(
            "reads a scalar that is overwritten before it is used");
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// 3. findBuffers
//===----------------------------------------------------------------------===//

/// Stages that are done row by row pass on what they write in registers.
void KernelScheduler::findBuffers() {
  for (auto alloc : kernel.getBody().front().getOps<memref::AllocOp>()) {
    auto needs = [&](Operation *op) { return touches(*op, alloc); };
    auto loads = kernel.getBody().front().getOps<memref::LoadOp>();
    auto isUsed = [&](const StageGroup &group) {
      return llvm::any_of(group.stages, needs);
    };
    const bool isLocal =
        llvm::count_if(groups, isUsed) == 1 &&
        llvm::find_if(groups, isUsed)->shape &&
        llvm::none_of(loads, [&](auto load) { return needs(load); });
    if (!isLocal)
      buffers.push_back(alloc);
  }
}

/// What no GPU takes is an error here, and not when it is loaded.
LogicalResult KernelScheduler::checkArguments() {
  const size_t pointers = kernel.getNumArguments() + buffers.size();
  if (pointers > mostPointers)
    return kernel.emitError("kernel '@")
           << kernel.getName() << "' works with " << pointers
           << " buffers, of which a GPU's function has at most "
           << mostPointers;
  return success();
}

//===----------------------------------------------------------------------===//
// 4. makeFunction
//===----------------------------------------------------------------------===//

/// The function takes a pointer to each argument, result and buffer, and the
/// number of rows.
gpu::GPUFuncOp KernelScheduler::createFunction(StringRef name,
                                               IRMapping &mapping) {
  SmallVector<Value> memrefs(kernel.getArguments());
  llvm::append_range(memrefs, buffers);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<Type> types(memrefs.size(), pointer);
  types.push_back(b.getI64Type());
  b.setInsertionPoint(module.getBody()->getTerminator());
  auto function =
      b.create<gpu::GPUFuncOp>(name, b.getFunctionType(types, TypeRange()));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  for (unsigned i = 0; i < memrefs.size(); ++i)
    function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                        b.getI64IntegerAttr(bufferAlignment));
  b.setInsertionPointToStart(&function.getBody().front());
  Value rows = function.getArguments().back();
  for (auto [memref, argument] : llvm::zip(memrefs, function.getArguments()))
    mapping.map(memref, makeMemRef(b, cast<MemRefType>(memref.getType()),
                                   argument, rows));
  return function;
}

static void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Intermediates that are no buffers are allocations that RowBuilder leaves
/// without a use.
LogicalResult KernelScheduler::makeFunction(const StageGroup &group,
                                            StringRef name) {
  IRMapping mapping;
  gpu::GPUFuncOp function = createFunction(name, mapping);
  StageGroup cloned = group;
  cloned.stages.clear();
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    const bool isOwn = llvm::is_contained(group.stages, &op);
    const bool isSkipped =
        isa<memref::AllocOp>(op) && mapping.contains(op.getResult(0));
    if (isSkipped ||
        (isStage(op) && !isOwn &&
         !llvm::is_contained(group.stages, takenFills.lookup(&op))))
      continue;
    Operation *made = b.clone(op, mapping);
    if (isOwn)
      cloned.stages.push_back(made);
    if (&op == group.stages.back())
      break;
  }
  b.create<gpu::ReturnOp>();
  if (failed(schedule(function, std::move(cloned))))
    return failure();
  eraseDead(function.getBody().front());
  return success();
}

/// `group` has stages of `function`.
LogicalResult KernelScheduler::schedule(gpu::GPUFuncOp function,
                                        StageGroup group) {
  Operation *stage = group.stages.back();
  if (group.shape) {
    b.setInsertionPointAfter(stage);
    return RowBuilder(function, group, b).run();
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(stage);
  if (!linalgOp) {
    LoopBuilder(function, stage, b).run();
    return success();
  }
  auto generic = dyn_cast<linalg::GenericOp>(stage);
  if (!generic) {
    IRRewriter rewriter(b.getContext());
    rewriter.setInsertionPoint(stage);
    generic = *linalg::generalizeNamedOp(rewriter, linalgOp);
  }
  b.setInsertionPoint(generic);
  return GridBuilder(function, generic, b).run();
}

/// Copies the constants that functions of `module` read into it.
static void cloneGlobals(gpu::GPUModuleOp module, SymbolTable &symbols) {
  llvm::SmallSetVector<Operation *, 4> globals;
  module.walk([&](memref::GetGlobalOp get) {
    globals.insert(symbols.lookup(get.getName()));
  });
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  for (Operation *global : globals)
    b.clone(*global);
}

LogicalResult KernelScheduler::run() {
  if (failed(generalize()))
    return failure();
  splitLongReductions(kernel);
  replaceCopiesOfFills();
  findStages();
  if (failed(checkScalars()))
    return failure();
  groups = groupStages(stages);
  findBuffers();
  if (failed(checkArguments()))
    return failure();
  b.setInsertionPoint(kernel);
  module = b.create<gpu::GPUModuleOp>(kernel.getName());
  SmallVector<int64_t> scratch;
  for (memref::AllocOp alloc : buffers)
    scratch.push_back(getBufferBytes(alloc.getType()));
  if (!scratch.empty())
    module->setAttr(exec::ExecDialect::scratchAttrName,
                    b.getDenseI64ArrayAttr(scratch));
  for (auto [i, group] : llvm::enumerate(groups))
    if (failed(makeFunction(group, (kernel.getName() + "_" + Twine(i)).str())))
      return failure();
  return success();
}

namespace {
struct ScheduleGpuKernels
    : ps::impl::ScheduleGpuKernelsBase<ScheduleGpuKernels> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto kernel :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!exec::isKernel(kernel) || kernel.isDeclaration())
        continue;
      if (failed(KernelScheduler(kernel).run()))
        return signalPassFailure();
      kernel.erase();
    }
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      cloneGlobals(module, symbols);
    for (auto global :
         llvm::make_early_inc_range(getOperation().getOps<memref::GlobalOp>()))
      global.erase();
  }
};
} // namespace
