// SPDX-License-Identifier: Apache-2.0
//===- OutlineKernels.cpp - groups stablehlo ops into kernels -------------===//
//
//  1. Check that every size is known.
//  2. Replace what has no elements by constants, so that no kernel gives it.
//  3. Fold transposes into the matrix products and convolutions that read them,
//     or add those that let a library compute a product.
//  4. Round what products multiply to bf16, if that is asked for
//     (NarrowProducts.h).
//  5. Let slices of one tensor that differ in their first row take that row as
//     an argument, and join long lists of tensors in parts: equal kernels.
//  6. Give each worker its own broadcasts of what workers share (WorkerOfOp.h).
//  7. Group the ops of each function (KernelGroups.h).
//  8. Build a kernel from each group: by rows, the leading dimension of what
//     is taken by row becomes `?`. Equal kernels are one function.
//  9. Put calls of the kernels and the ops that stay in the groups' schedule.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/outline/FoldConvolutions.h"
#include "compiler/outline/FoldProducts.h"
#include "compiler/outline/KernelGroups.h"
#include "compiler/outline/KernelLibrary.h"
#include "compiler/outline/NarrowProducts.h"
#include "dialects/exec/ExecDialect.h"
#include "dialects/stablehlo/Emitter.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"

namespace ps {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Builds the body of one kernel.
class KernelBuilder {
public:
  KernelBuilder(const KernelGroups &groups, const KernelGroup &group)
      : groups(groups), group(group), builder(group.ops.front()) {}

  /// A kernel without a name, not yet in the module.
  func::FuncOp build();

  /// What the kernel takes and gives, in the caller.
  SmallVector<Value> arguments, results;

private:
  Value get(Value value, bool byRow);
  Value addArgument(Value value, bool byRow);
  Value getSplat(stablehlo::ConstantOp constant);
  Operation *cloneOp(Operation *op, bool byRow);
  bool isNeededOutside(Value value) const;

  static RankedTensorType getRowType(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<int64_t> shape(tensor.getShape());
    shape.front() = ShapedType::kDynamic;
    return tensor.clone(shape);
  }

  const KernelGroups &groups;
  const KernelGroup &group;
  OpBuilder builder;
  Block *block = nullptr;
  llvm::DenseMap<Value, Value> values[2]; // by whether taken by row
};

/// Members of the group use the value inside of the kernel.
bool KernelBuilder::isNeededOutside(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return groups.getGroup(user) != &group;
  });
}

/// A splat of `?` rows is a scalar repeated.
Value KernelBuilder::getSplat(stablehlo::ConstantOp constant) {
  auto value = cast<SplatElementsAttr>(constant.getValue());
  auto scalar = builder.create<stablehlo::ConstantOp>(
      constant.getLoc(),
      value.resizeSplat(RankedTensorType::get({}, value.getElementType())));
  return builder.create<stablehlo::BroadcastInDimOp>(
      constant.getLoc(), getRowType(constant.getType()), scalar,
      ArrayRef<int64_t>());
}

/// The kernel's value for `value`: computed by a member, repeated, or passed.
Value KernelBuilder::get(Value value, bool byRow) {
  if (Value mapped = values[byRow].lookup(value))
    return mapped;
  Operation *op = value.getDefiningOp();
  auto constant = dyn_cast_or_null<stablehlo::ConstantOp>(op);
  if (op && (groups.isRepeated(op) || (constant && isCheapOp(op)))) {
    if (byRow && constant)
      return values[byRow][value] = getSplat(constant);
    cloneOp(op, byRow);
    return values[byRow].lookup(value);
  }
  return addArgument(value, byRow);
}

Value KernelBuilder::addArgument(Value value, bool byRow) {
  arguments.push_back(value);
  return values[byRow][value] = block->addArgument(
             byRow ? getRowType(value.getType()) : value.getType(),
             value.getLoc());
}

/// Clones `op` with operands taken by row or whole. By row, the leading
/// dimension of its results becomes `?`.
Operation *KernelBuilder::cloneOp(Operation *op, bool byRow) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    bool taken = byRow && isTakenByRow(operand);
    operands.push_back(isPassed(operand) &&
                               !values[taken].contains(operand.get())
                           ? addArgument(operand.get(), taken)
                           : get(operand.get(), taken));
  }
  Operation *clone = builder.clone(*op);
  clone->setOperands(operands);
  for (auto [from, to] : llvm::zip(op->getResults(), clone->getResults())) {
    if (byRow)
      to.setType(getRowType(to.getType()));
    values[byRow][from] = to;
  }
  if (auto slice = dyn_cast<stablehlo::SliceOp>(clone); slice && byRow) {
    SmallVector<int64_t> limits(slice.getLimitIndices());
    limits.front() = ShapedType::kDynamic;
    slice.setLimitIndices(limits);
  }
  return clone;
}

/// Arguments are discovered while the ops are cloned, so the function's type is
/// set last.
func::FuncOp KernelBuilder::build() {
  Location loc = group.ops.front()->getLoc();
  auto kernel =
      func::FuncOp::create(loc, "kernel", builder.getFunctionType({}, {}));
  block = &kernel.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> returned;
  for (Operation *op : group.ops) {
    cloneOp(op, group.byRows);
    for (Value result : op->getResults()) {
      if (!isNeededOutside(result))
        continue;
      results.push_back(result);
      returned.push_back(values[group.byRows].lookup(result));
    }
  }
  builder.create<func::ReturnOp>(loc, returned);
  kernel.setType(builder.getFunctionType(block->getArgumentTypes(),
                                         TypeRange(ValueRange(returned))));
  kernel.setPrivate();
  kernel->setAttr(exec::ExecDialect::kernelAttrName, builder.getUnitAttr());
  return kernel;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Whether `slice` is some whole rows.
bool takesRows(stablehlo::SliceOp slice) {
  auto operand = cast<RankedTensorType>(slice.getOperand().getType());
  auto result = cast<RankedTensorType>(slice.getType());
  return classifyOp(slice, /*forDevice=*/false) == OpClass::Whole &&
         llvm::all_of(slice.getStrides(),
                      [](int64_t stride) { return stride == 1; }) &&
         operand.getShape().drop_front() == result.getShape().drop_front();
}

struct OutlineKernels : public ps::impl::OutlineKernelsBase<OutlineKernels> {
  using OutlineKernelsBase::OutlineKernelsBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration() && !exec::isKernel(function))
        functions.push_back(function);
    KernelLibrary library(getOperation());
    for (func::FuncOp function : functions) {
      if (failed(checkSizes(function)))
        return signalPassFailure();
      replaceEmpty(function.front());
      foldTransposes(function);
      // Once it is known which products there are, and what they read.
      if (bf16Products)
        narrowProducts(function.front());
      shareSlices(function.front());
      splitConcatenations(function.front());
      repeatBroadcasts(function.front());
      // A kernel has no constants of the function around it. Last, as folding
      // takes constants out again.
      function.walk([](stablehlo::SortOp sort) { sort.isolateComparator(); });
      outline(function.front(), library);
    }
  }

private:
  LogicalResult checkSizes(func::FuncOp function);
  void replaceEmpty(Block &block);
  void foldTransposes(func::FuncOp function);
  void shareSlices(Block &block);
  void splitConcatenations(Block &block);
  void outline(Block &block, KernelLibrary &library);
};

/// Grouping compares sizes, so `?` must be gone.
LogicalResult OutlineKernels::checkSizes(func::FuncOp function) {
  auto checkSize = [](Value value) -> LogicalResult {
    auto type = dyn_cast<TensorType>(value.getType());
    if (!type || type.hasStaticShape())
      return success();
    return emitError(value.getLoc(),
                     "expected a tensor of static shape, found ")
           << type;
  };
  for (Block &block : function.getBody()) {
    for (BlockArgument argument : block.getArguments())
      if (!isRagged(argument) && failed(checkSize(argument)))
        return failure();
    for (Operation &op : block)
      for (OpResult result : op.getResults())
        if (failed(checkSize(result)))
          return failure();
  }
  return success();
}

/// Later stages may then assume that every result of a kernel has elements.
void OutlineKernels::replaceEmpty(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isa_and_nonnull<stablehlo::StablehloDialect>(op.getDialect()) ||
        !isMemoryEffectFree(&op) || isa<stablehlo::ConstantOp>(op))
      continue;
    auto builder = OpBuilder(&op);
    for (OpResult result : op.getResults()) {
      auto type = cast<RankedTensorType>(result.getType());
      if (type.getNumElements() == 0)
        result.replaceAllUsesWith(builder.create<stablehlo::ConstantOp>(
            op.getLoc(), DenseElementsAttr::get(type, ArrayRef<Attribute>())));
    }
    if (isOpTriviallyDead(&op))
      op.erase();
  }
}

/// Before grouping, which would otherwise put the transposes into kernels of
/// their own. Products then read their operands in place.
void OutlineKernels::foldTransposes(func::FuncOp function) {
  RewritePatternSet patterns(&getContext());
  populateProductFolds(patterns);
  populateConvolutionFolds(patterns);
  (void)applyPatternsAndFoldGreedily(function, std::move(patterns));
  // Several products may read one transpose.
  IRRewriter rewriter(&getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  if (!device)
    reverseKernels(function);
}

/// The iterations of a loop take slices of one tensor, each at another row.
void OutlineKernels::shareSlices(Block &block) {
  /// Fewer are not worth a copy of a number.
  constexpr size_t minSlices = 4;
  llvm::MapVector<std::pair<Value, Type>, SmallVector<stablehlo::SliceOp>>
      slices;
  for (auto slice : block.getOps<stablehlo::SliceOp>())
    if (takesRows(slice))
      slices[{slice.getOperand(), slice.getType()}].push_back(slice);
  for (auto &[key, alike] : slices) {
    if (alike.size() < minSlices)
      continue;
    for (stablehlo::SliceOp slice : alike) {
      OpBuilder builder(slice);
      stablehlo::Emitter e(builder, slice.getLoc());
      auto scalar = RankedTensorType::get({}, builder.getI64Type());
      SmallVector<Value> starts;
      for (int64_t start : slice.getStartIndices())
        starts.push_back(e.create<stablehlo::ConstantOp>(
            DenseElementsAttr::get(scalar, start)));
      slice.replaceAllUsesWith(e.create<stablehlo::DynamicSliceOp>(
          slice.getType(), slice.getOperand(), starts,
          cast<RankedTensorType>(slice.getType()).getShape()));
      slice.erase();
    }
  }
}

/// What many iterations stack is joined in parts, whose kernels are equal: the
/// time to compile one grows with the square of its operands.
void OutlineKernels::splitConcatenations(Block &block) {
  constexpr size_t maxOperands = 32, partSize = 16;
  for (auto joined :
       llvm::make_early_inc_range(block.getOps<stablehlo::ConcatenateOp>())) {
    if (joined.getInputs().size() <= maxOperands)
      continue;
    OpBuilder builder(joined);
    SmallVector<Value> parts(joined.getInputs());
    while (parts.size() > maxOperands) {
      SmallVector<Value> longer;
      for (ArrayRef<Value> rest = parts; !rest.empty();
           rest = rest.drop_front(std::min(partSize, rest.size())))
        longer.push_back(builder.create<stablehlo::ConcatenateOp>(
            joined.getLoc(), ValueRange(rest.take_front(partSize)),
            joined.getDimension()));
      parts = std::move(longer);
    }
    joined.getInputsMutable().assign(parts);
  }
}

/// Appends calls and the remaining ops in the order of the schedule, so the
/// block is a valid serial order again when all are appended.
void OutlineKernels::outline(Block &block, KernelLibrary &library) {
  // A product of bf16 is followed by a kernel that rounds its result for the
  // next one: a mask is smaller than what the mask would be asked of.
  KernelGroups groups(block, {.forDevice = device,
                              .repeatsComparisons = device && !bf16Products});
  SmallVector<Operation *> replaced;
  for (ArrayRef<Operation *> unit : groups.getSchedule()) {
    const KernelGroup *group = groups.getGroup(unit.front());
    if (!group) {
      unit.front()->moveBefore(&block, block.end());
      continue;
    }
    llvm::append_range(replaced, group->ops);
    KernelBuilder kernel(groups, *group);
    func::FuncOp function = kernel.build();
    if (kernel.results.empty()) {
      function.erase();
      continue;
    }
    auto builder = OpBuilder::atBlockEnd(&block);
    auto call = builder.create<exec::CallOp>(
        unit.front()->getLoc(), TypeRange(ValueRange(kernel.results)),
        FlatSymbolRefAttr::get(library.add(function)), kernel.arguments);
    for (auto [from, to] : llvm::zip(kernel.results, call.getResults()))
      from.replaceUsesWithIf(to, [&](OpOperand &use) {
        return groups.getGroup(use.getOwner()) != group;
      });
  }
  // What was replaced or is repeated is now unused, at the front.
  for (Operation &op : llvm::make_early_inc_range(block))
    if (groups.isRepeated(&op))
      replaced.push_back(&op);
  for (Operation *op : replaced)
    op->dropAllUses();
  for (Operation *op : replaced)
    op->erase();
}

} // namespace
