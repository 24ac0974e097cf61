// SPDX-License-Identifier: Apache-2.0
//===- LowerToExec.cpp - turns functions into exec programs ---------------===//
//
// For every function:
//  1. Collect buckets: their transfers become one node, which stands where the
//     last of them stands.
//  2. Choose epilogues and what is computed in place (NodePlan.h).
//  3. Emit memory (FunctionMemory.h) and nodes in program order.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/exec/FunctionLowering.h"
#include "compiler/exec/Storage.h"
#include "compiler/outline/MatchConvolution.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"

namespace ps {
#define GEN_PASS_DEF_LOWERTOEXEC
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// A call becomes a launch, or the epilogue of its product.
void FunctionLowering::emitCall(exec::CallOp op) {
  if (stablehlo::DotGeneralOp dot = plan.getProduct(op))
    return emitGemm(dot, op);
  SmallVector<Value> outputs;
  // Old values are copied out before arguments are looked up.
  for (Value output : op.getOutputs())
    outputs.push_back(memory.createBuffer(output));
  IntegerAttr rows;
  if (exec::isRowKernel(plan.getKernel(op)))
    rows = builder.getI64IntegerAttr(getRows(op.getResult(0)));
  builder.create<exec::LaunchOp>(op.getLoc(), token, op.getKernelAttr(), rows,
                                 memory.getBuffers(op.getInputs()), outputs,
                                 ValueRange());
}

void FunctionLowering::emitGemm(stablehlo::DotGeneralOp dot,
                                exec::CallOp epilogue) {
  Value c = memory.createBuffer(dot.getResult());
  SmallVector<Value> inputs, outputs;
  FlatSymbolRefAttr kernel;
  if (epilogue) {
    kernel = epilogue.getKernelAttr();
    for (Value output : epilogue.getOutputs())
      outputs.push_back(memory.createBuffer(output));
    inputs = memory.getBuffers(epilogue.getInputs());
  }
  GemmShape shape = *matchGemm(dot);
  builder.create<exec::GemmOp>(
      dot.getLoc(), token, shape.batch, shape.m, shape.n, shape.k,
      shape.transposeA, shape.transposeB, memory.getBuffer(dot.getLhs()),
      memory.getBuffer(dot.getRhs()), c, kernel, inputs, outputs,
      /*fused=*/exec::EpilogueAttr(), /*summed=*/exec::FactorAttr(),
      /*bias_gradient_kernel=*/FlatSymbolRefAttr(), /*bias_gradient=*/Value(),
      ValueRange());
}

void FunctionLowering::emitConvolution(stablehlo::ConvolutionOp op) {
  ConvolutionShape shape = *matchConvolution(op);
  Value result = memory.createBuffer(op.getResult());
  builder.create<exec::ConvolutionOp>(
      op.getLoc(), token, shape.kind, shape.batch, shape.groups,
      shape.inputFeatures, shape.outputFeatures, shape.inputSizes,
      shape.kernelSizes, shape.outputSizes, shape.strides, shape.dilations,
      shape.padding, shape.inputLayout, shape.kernelLayout, shape.outputLayout,
      memory.getBuffer(op.getLhs()), memory.getBuffer(op.getRhs()), result,
      ValueRange());
}

/// A copy is needed only where the producer could not compute in place.
void FunctionLowering::emitAssign(AssignOp op) {
  if (plan.isInPlace(op))
    return;
  memory.beforeWrite(op.getVariable(), op);
  Value variable = memory.getVariable(
      op.getVariable(), cast<RankedTensorType>(op.getValue().getType()),
      op.getLoc());
  Value source = memory.getBuffer(op.getValue());
  // A view of the variable is what another assignment has placed there.
  if (getStorage(source) != getStorage(variable))
    builder.create<exec::CopyOp>(op.getLoc(), token, source, variable,
                                 ValueRange());
}

void FunctionLowering::emitCheck(Operation *op) {
  using exec::Comparison;
  constexpr double tolerance = 1e-4;
  constexpr uint64_t maxUlps = 3;
  Location loc = op->getLoc();
  auto emit = [&](Comparison comparison, Value actual, Value expected,
                  double tolerance, uint64_t minUlps, uint64_t maxUlps) {
    builder.create<exec::CheckOp>(loc, token, comparison, actual, expected,
                                  ValueRange(), llvm::APFloat(tolerance),
                                  minUlps, maxUlps);
  };
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op)) {
    // The op's verifier knows no other targets.
    auto comparison = llvm::StringSwitch<Comparison>(call.getCallTargetName())
                          .Case("check.expect_eq", Comparison::Eq)
                          .Case("check.expect_almost_eq", Comparison::AlmostEq)
                          .Default(Comparison::Close);
    return emit(comparison, memory.getBuffer(call.getInputs()[0]),
                memory.getBuffer(call.getInputs()[1]), tolerance, 0, maxUlps);
  }
  if (auto check = dyn_cast<stablehlo::check::ExpectEqOp>(op))
    return emit(Comparison::Eq, memory.getBuffer(check.getLhs()),
                memory.getBuffer(check.getRhs()), tolerance, 0, maxUlps);
  if (auto check = dyn_cast<stablehlo::check::ExpectEqConstOp>(op))
    return emit(Comparison::Eq, memory.getBuffer(check.getLhs()),
                memory.getConstant(check.getValue(), loc), tolerance, 0,
                maxUlps);
  if (auto check = dyn_cast<stablehlo::check::ExpectAlmostEqOp>(op))
    return emit(Comparison::AlmostEq, memory.getBuffer(check.getLhs()),
                memory.getBuffer(check.getRhs()),
                check.getTolerance().convertToDouble(), 0, maxUlps);
  if (auto check = dyn_cast<stablehlo::check::ExpectAlmostEqConstOp>(op))
    return emit(Comparison::AlmostEq, memory.getBuffer(check.getLhs()),
                memory.getConstant(check.getValue(), loc),
                check.getTolerance().convertToDouble(), 0, maxUlps);
  auto check = cast<stablehlo::check::ExpectCloseOp>(op);
  emit(Comparison::Close, memory.getBuffer(check.getActual()),
       memory.getBuffer(check.getExpected()), tolerance,
       check.getMinUlpDifference(), check.getMaxUlpDifference());
}

/// Transfers of a bucket have one token.
SmallVector<Value> FunctionLowering::getTokens(ValueRange values) {
  llvm::SetVector<Value> result;
  for (Value value : values)
    result.insert(tokens.lookup(value));
  return result.takeVector();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A result without a name cannot be asked for, so it is not kept.
void FunctionLowering::emitFetches(func::ReturnOp op) {
  for (auto [i, value] : llvm::enumerate(op.getOperands()))
    if (auto name = function.getResultAttrOfType<StringAttr>(
            i, PSDialect::fetchAttrName))
      builder.create<exec::FetchOp>(op.getLoc(), name, memory.getBuffer(value));
}

/// Whether `op` is one that kernels and nodes are made of.
bool FunctionLowering::emit(Operation *op) {
  if (isa<SendOp, PushRowsOp, PullChangesOp, RecvOp, SendBarrierOp,
          FetchBarrierOp, BroadcastOp>(op))
    emitTransfer(op);
  else if (auto reduce = dyn_cast<AllReduceOp>(op))
    emitAllReduce(reduce);
  else if (auto take = dyn_cast<TakeLargestOp>(op))
    emitTakeLargest(take);
  else if (isa<stablehlo::CustomCallOp>(op) ||
           isa_and_nonnull<stablehlo::check::CheckDialect>(op->getDialect()))
    emitCheck(op);
  else if (auto metric = dyn_cast<MetricOp>(op))
    builder.create<exec::MetricOp>(op->getLoc(), token, metric.getKind(),
                                   metric.getName(),
                                   memory.getBuffers(metric->getOperands()),
                                   metric.getBins(), ValueRange());
  else if (auto read = dyn_cast<ReadOp>(op))
    memory.bindRead(read);
  else if (auto assign = dyn_cast<AssignOp>(op))
    emitAssign(assign);
  else if (auto constant = dyn_cast<stablehlo::ConstantOp>(op))
    memory.bind(constant,
                memory.getConstant(cast<ElementsAttr>(constant.getValue()),
                                   op->getLoc()));
  else if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) {
    if (memory.contains(getRoot(reshape)))
      memory.getBuffer(reshape);
  } else if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
             dot && matchGemm(dot)) {
    if (!plan.hasEpilogue(dot) && // which would bring it along
        !emitRowProduct(dot))
      emitGemm(dot, {});
  } else if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op);
             convolution && matchConvolution(convolution))
    emitConvolution(convolution);
  else if (auto call = dyn_cast<exec::CallOp>(op))
    emitCall(call);
  else if (auto returnOp = dyn_cast<func::ReturnOp>(op))
    emitFetches(returnOp);
  else
    return emitTableOp(op);
  return true;
}

LogicalResult FunctionLowering::run() {
  if (failed(collectBuckets()))
    return failure();
  plan.choose();

  auto program = builder.create<exec::ProgramOp>(
      function.getLoc(), function.getSymName(),
      function->getAttrOfType<FlatSymbolRefAttr>(PSDialect::rowOfAttrName),
      function->getAttrOfType<IntegerAttr>(PSDialect::everyAttrName),
      function->getAttrOfType<FlatSymbolRefAttr>(PSDialect::thenAttrName),
      /*arena=*/IntegerAttr(), /*device_arena=*/IntegerAttr());
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  if (failed(memory.emitFeeds()))
    return failure();
  for (Operation *op : orderUpdates(function.front()))
    if (!emit(op))
      return op->emitError("'") << op->getName() << "' cannot be compiled";
  return success();
}

namespace {
struct LowerToExec : public ps::impl::LowerToExecBase<LowerToExec> {
  using LowerToExecBase::LowerToExecBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!exec::isKernel(function) && !function.isDeclaration())
        functions.push_back(function);
    for (func::FuncOp function : functions) {
      if (!function.getBody().hasOneBlock()) {
        function.emitError("expected a function of one block");
        return signalPassFailure();
      }
      if (failed(FunctionLowering(function, symbols, hbm).run()))
        return signalPassFailure();
      symbols.erase(function);
    }
  }
};

} // namespace
