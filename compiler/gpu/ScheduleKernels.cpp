// SPDX-License-Identifier: Apache-2.0
//===- ScheduleKernels.cpp - kernels on buffers -> functions of a GPU -----===//
//
// A stage is an op of a kernel that computes: a linalg op or a loop. Each stage
// becomes a function of its own, since nothing but the end of a function lets
// all threads wait for all others.
//
// 1. separateReductions: reductions of one op over different dimensions become
//    ops of their own; then long ones become two (SplitReductions.h).
// 2. findStages: the ops in order, without fills that a reduction takes as its
//    initial value.
// 3. makeFunction: the kernel with one stage, and the views and scalars that it
//    uses. GridBuilder shares the work of a linalg op among threads; loops,
//    whose iterations come one after the other, get one thread.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/gpu/GridBuilder.h"
#include "compiler/gpu/SplitReductions.h"
#include "compiler/kernels/BufferView.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace ps {
#define GEN_PASS_DEF_SCHEDULEGPUKERNELS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

/// Every buffer that a kernel is given has it, except those of tables' rows.
static constexpr int64_t bufferAlignment = 64;

namespace {

class KernelScheduler {
public:
  explicit KernelScheduler(func::FuncOp kernel)
      : kernel(kernel), b(kernel.getLoc(), kernel.getContext()) {}

  /// Replaces the kernel by a gpu.module of its name.
  LogicalResult run();

private:
  LogicalResult generalize();
  void separateReductions(linalg::GenericOp op);
  void findStages();
  LogicalResult checkScalars();
  LogicalResult makeFunction(Operation *stage, StringRef name);
  gpu::GPUFuncOp createFunction(StringRef name, IRMapping &mapping);

  func::FuncOp kernel;
  ImplicitLocOpBuilder b;
  gpu::GPUModuleOp module;
  SmallVector<Operation *> stages;
  /// The fills that are part of another stage, with that stage.
  DenseMap<Operation *, Operation *> takenFills;
  SmallVector<memref::AllocOp> allocations;
};

} // namespace

//===----------------------------------------------------------------------===//
// 1. separateReductions
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
    separateReductions(generic);
  }
  return success();
}

/// The ops of the body that make what `outputs` yield.
static llvm::SetVector<Operation *> collectMakers(linalg::GenericOp op,
                                                  ArrayRef<unsigned> outputs) {
  llvm::SetVector<Value> needed;
  for (unsigned output : outputs)
    needed.insert(op.getBody()->getTerminator()->getOperand(output));
  for (size_t i = 0; i < needed.size(); ++i)
    if (Operation *maker = needed[i].getDefiningOp();
        maker && maker->getBlock() == op.getBody())
      needed.insert(maker->operand_begin(), maker->operand_end());
  llvm::SetVector<Operation *> makers;
  for (Operation &inner : op.getBody()->without_terminator())
    if (llvm::any_of(inner.getResults(),
                     [&](Value value) { return needed.contains(value); }))
      makers.insert(&inner);
  return makers;
}

/// A copy of `op` with some of its outputs. Another output that alone has the
/// extent of a loop is an input that is never read.
static void cloneWithOutputs(linalg::GenericOp op, ArrayRef<unsigned> outputs) {
  OpBuilder b(op);
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<AffineMap> allMaps = op.getIndexingMapsArray();
  SmallVector<Value> inputs(op.getInputs()), buffers;
  SmallVector<AffineMap> maps(allMaps.begin(), allMaps.begin() + numInputs);
  llvm::SmallBitVector known(op.getNumLoops());
  auto learn = [&](AffineMap map) {
    llvm::SmallBitVector before = known;
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        known.set(dim.getPosition());
    return known != before;
  };
  for (AffineMap map : maps)
    learn(map);
  for (unsigned output : outputs)
    learn(allMaps[numInputs + output]);
  for (unsigned output = 0; output < op.getNumDpsInits(); ++output)
    if (learn(allMaps[numInputs + output])) {
      inputs.push_back(op.getDpsInitOperand(output)->get());
      maps.push_back(allMaps[numInputs + output]);
    }
  for (unsigned output : outputs) {
    buffers.push_back(op.getDpsInitOperand(output)->get());
    maps.push_back(allMaps[numInputs + output]);
  }
  b.create<linalg::GenericOp>(
      op.getLoc(), TypeRange(), inputs, buffers, maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        IRMapping mapping;
        for (unsigned i = 0; i < numInputs; ++i)
          mapping.map(op.getBody()->getArgument(i), arguments[i]);
        for (auto [i, output] : llvm::enumerate(outputs))
          mapping.map(op.getBody()->getArgument(numInputs + output),
                      arguments[inputs.size() + i]);
        for (Operation *maker : collectMakers(op, outputs))
          inner.clone(*maker, mapping);
        SmallVector<Value> yields;
        for (unsigned output : outputs)
          yields.push_back(mapping.lookupOrDefault(
              op.getBody()->getTerminator()->getOperand(output)));
        inner.create<linalg::YieldOp>(loc, yields);
      });
}

/// Outputs that are indexed alike stay together. Those of every element come
/// last, in case one of them overwrites an input.
void KernelScheduler::separateReductions(linalg::GenericOp op) {
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<std::pair<AffineMap, SmallVector<unsigned>>> groups;
  SmallVector<unsigned> elements;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    if (op.getBody()->getArgument(numInputs + i).use_empty()) {
      elements.push_back(i);
      continue;
    }
    AffineMap map = op.getIndexingMapsArray()[numInputs + i];
    auto *group =
        llvm::find_if(groups, [&](auto &entry) { return entry.first == map; });
    if (group == groups.end())
      group = &groups.emplace_back(map, SmallVector<unsigned>());
    group->second.push_back(i);
  }
  if (groups.size() < 2)
    return;
  for (auto &[map, outputs] : groups) {
    if (map == groups.back().first)
      llvm::append_range(outputs, elements);
    cloneWithOutputs(op, outputs);
  }
  op.erase();
}

//===----------------------------------------------------------------------===//
// 2. findStages
//===----------------------------------------------------------------------===//

/// The argument or allocation that `memref` is a view of.
static Value getRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// Whether `op`, or an op inside of it, works with the memory of `root`.
static bool touches(Operation &op, Value root) {
  return op
      .walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (isa<MemRefType>(operand.getType()) && getRoot(operand) == root)
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` computes, rather than to make a view or a scalar.
static bool isStage(Operation &op) {
  return isa<linalg::LinalgOp, scf::ForOp, scf::IfOp, memref::StoreOp>(op);
}

/// The fill that `reduction` takes its initial value of `output` from: the last
/// op before it that touches the output.
static linalg::FillOp findFill(linalg::GenericOp reduction, Value output) {
  for (Operation *op = reduction->getPrevNode(); op; op = op->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(op);
    if (fill && fill.getOutputs()[0] == output)
      return fill;
    if (isStage(*op) && touches(*op, getRoot(output)))
      return nullptr;
  }
  return nullptr;
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
  for (Operation &op : block) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      allocations.push_back(alloc);
    else if (isStage(op) && !takenFills.contains(&op))
      stages.push_back(&op);
  }
}

/// A scalar is loaded in each stage that uses it, so nothing may overwrite it
/// from where it was loaded until then.
LogicalResult KernelScheduler::checkScalars() {
  for (auto load : kernel.getBody().front().getOps<memref::LoadOp>()) {
    Value root = getRoot(load.getMemref());
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
            return getRoot(output) == root;
          });
      if (isStage(*op) && touches(*op, root) && !isRead)
        return load.emitOpError(
            "reads a scalar that is overwritten before it is used");
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// 3. makeFunction
//===----------------------------------------------------------------------===//

/// The function takes a pointer to each argument, result and intermediate, and
/// the number of rows.
gpu::GPUFuncOp KernelScheduler::createFunction(StringRef name,
                                               IRMapping &mapping) {
  SmallVector<Value> memrefs(kernel.getArguments());
  llvm::append_range(memrefs, allocations);
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

LogicalResult KernelScheduler::makeFunction(Operation *stage, StringRef name) {
  IRMapping mapping;
  gpu::GPUFuncOp function = createFunction(name, mapping);
  Operation *clone = nullptr;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (isa<memref::AllocOp>(op) ||
        (isStage(op) && &op != stage && takenFills.lookup(&op) != stage))
      continue;
    Operation *made = b.clone(op, mapping);
    if (&op == stage) {
      clone = made;
      break;
    }
  }
  b.create<gpu::ReturnOp>();

  auto linalgOp = dyn_cast<linalg::LinalgOp>(clone);
  if (!linalgOp) {
    function->setAttr("exec.grid",
                      exec::GridAttr::get(b.getContext(), 1, false, 1));
    function.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({1, 1, 1}));
  } else {
    auto generic = dyn_cast<linalg::GenericOp>(clone);
    if (!generic) {
      IRRewriter rewriter(b.getContext());
      rewriter.setInsertionPoint(clone);
      generic = *linalg::generalizeNamedOp(rewriter, linalgOp);
    }
    b.setInsertionPoint(generic);
    if (failed(GridBuilder(function, generic, b).run()))
      return failure();
  }
  eraseDead(function.getBody().front());
  return success();
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
  findStages();
  if (failed(checkScalars()))
    return failure();
  b.setInsertionPoint(kernel);
  module = b.create<gpu::GPUModuleOp>(kernel.getName());
  SmallVector<int64_t> scratch;
  for (memref::AllocOp alloc : allocations)
    scratch.push_back(getBufferBytes(alloc.getType()));
  if (!scratch.empty())
    module->setAttr(exec::ExecDialect::scratchAttrName,
                    b.getDenseI64ArrayAttr(scratch));
  for (auto [i, stage] : llvm::enumerate(stages))
    if (failed(makeFunction(stage, (kernel.getName() + "_" + Twine(i)).str())))
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
