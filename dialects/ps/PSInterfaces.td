// SPDX-License-Identifier: Apache-2.0
//===- PSInterfaces.td - what optimizers, schedules and gradients provide -===//

#ifndef PS_INTERFACES_TD
#define PS_INTERFACES_TD

include "mlir/IR/OpBase.td"

def PS_OptimizerAttrInterface : AttrInterface<"OptimizerAttrInterface"> {
  let cppNamespace = "::ps";
  let description = [{
    An update rule. Adding an optimizer is one AttrDef that implements this
    interface in one file; no pass and no runtime code knows optimizers by name.
  }];
  let methods = [
    InterfaceMethod<[{
        The learning rate: a FloatAttr or an attribute that implements
        ScheduleAttrInterface.
      }], "::mlir::Attribute", "getLearningRate">,
    InterfaceMethod<[{
        The state kept beside a variable whose update has type `updateType`
        (getUpdateType), in the order in which `buildUpdate` takes and returns
        it. A slot has that type, or only some of its leading dimensions, down
        to a scalar. Empty if there is none.
      }], "::llvm::SmallVector<::ps::OptimizerSlot>", "getSlots",
      (ins "::mlir::RankedTensorType":$updateType)>,
    InterfaceMethod<[{
        The same for a row of a table, whose update has type `rowType`; other
        rows take no part in it.
      }], "::llvm::SmallVector<::ps::OptimizerSlot>", "getRowSlots",
      (ins "::mlir::RankedTensorType":$rowType), "",
      "return $_attr.getSlots(rowType);">,
    InterfaceMethod<[{
        Emits the update as StableHLO. `param` and `grad` have the type that
        `getUpdateType` gives for the variable, the slots theirs;
        `learningRate` is a scalar of the update's element type,
        `learning_rate_scale` already applied. Returns the new parameter
        followed by the new slots.
      }], "::llvm::SmallVector<::mlir::Value>", "buildUpdate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$param, "::mlir::Value":$grad,
           "::mlir::Value":$learningRate, "::mlir::ValueRange":$slots)>,
    InterfaceMethod<[{
        Whether the update of a row depends on other rows, for example through
        a norm of the variable. Such a variable is never cut into blocks.
      }], "bool", "needsWholeVariable", (ins), "", "return false;">,
    InterfaceMethod<[{
        Whether the steps of several trainers, each from its own values, may be
        summed: a step is a multiple of the gradient, and there is no state.
        `mode=geo` sums them.
      }], "bool", "sumsSteps", (ins), "", "return false;">,
    InterfaceMethod<[{
        Whether an element with gradient 0 always keeps its value and its
        state, so that it makes no difference whether rows without a gradient
        are updated.
      }], "bool", "isIdentityForZeroGradient", (ins), "", "return false;">,
    InterfaceMethod<[{
        The function of the graph that the update is made of, or null. Every
        program that applies the optimizer has that function, too.
      }], "::mlir::FlatSymbolRefAttr", "getUpdateFunction", (ins), "",
      "return {};">,
    InterfaceMethod<[{
        Checks that function for `user`, which updates a variable or row whose
        update has type `updateType`.
      }], "::mlir::LogicalResult", "verifyUpdateFunction",
      (ins "::mlir::Operation *":$user,
           "::mlir::RankedTensorType":$updateType,
           "::mlir::SymbolTableCollection &":$symbols), "",
      "return ::mlir::success();">,
  ];
}

def PS_ScheduleAttrInterface : AttrInterface<"ScheduleAttrInterface"> {
  let cppNamespace = "::ps";
  let description = "A learning rate that depends on the global step.";
  let methods = [
    InterfaceMethod<[{
        Emits the learning rate at global step `step`, a tensor<i64> counting
        from 0, as a scalar of `elementType`.
      }], "::mlir::Value", "buildLearningRate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$step, "::mlir::Type":$elementType)>,
  ];
}

def PS_ClipAttrInterface : AttrInterface<"ClipAttrInterface"> {
  let cppNamespace = "::ps";
  let description = "A bound on a gradient, applied after it is merged.";
  let methods = [
    InterfaceMethod<[{
        Emits the clipped gradient. `grad` is f32 or f64 (getUpdateType), and
        `globalNorm` a scalar of its element type: the L2 norm of the gradients
        of all variables whose clip needs it, where needsGlobalNorm(); null
        elsewhere.
      }], "::mlir::Value", "buildClip",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$grad, "::mlir::Value":$globalNorm)>,
    InterfaceMethod<[{
        Whether the clip depends on the gradients of other variables.
      }], "bool", "needsGlobalNorm", (ins), "", "return false;">,
    InterfaceMethod<[{
        Whether clipping a row depends on other rows of the variable alone. Such
        a variable is never cut into blocks.
      }], "bool", "needsWholeVariable", (ins), "", "return false;">,
  ];
}

def PS_RegularizerAttrInterface : AttrInterface<"RegularizerAttrInterface"> {
  let cppNamespace = "::ps";
  let description = "A penalty on a variable, as a term added to the gradient.";
  let methods = [
    InterfaceMethod<[{
        Emits the gradient of loss plus penalty from the gradient of the loss,
        which is already merged and clipped. Both operands have the type of the
        update (getUpdateType).
      }], "::mlir::Value", "buildDecay",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$param, "::mlir::Value":$grad)>,
  ];
}

def PS_InitializerAttrInterface : AttrInterface<"InitializerAttrInterface"> {
  let cppNamespace = "::ps";
  let description = [{
    The initial value of a variable. Values are drawn from a counter-based
    generator by global element offset, so slicing never changes them.
  }];
  let methods = [
    InterfaceMethod<[{
        The distribution to draw from for a variable whose whole (unsliced)
        type is `wholeType`: fan-in and fan-out are resolved here.
      }], "::ps::InitialDistribution", "getDistribution",
      (ins "::mlir::RankedTensorType":$wholeType)>,
  ];
}

def PS_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::ps";
  let description = [{
    A rule of reverse-mode differentiation. StableHLO ops get theirs as
    external models (compiler/training/Gradients.cpp), so the tensor dialect does not
    depend on training.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the vector-Jacobian product. `resultGrads` has one entry per
        result, null where no gradient flows. Returns one gradient per operand,
        null where the operand has none (integers, predicates, ops that are
        constant almost everywhere). An op that cannot be differentiated in
        this form returns the diagnostic of `emitError` with a reason.
      }], "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>",
      "buildGradient",
      (ins "::mlir::OpBuilder &":$builder,
           "::mlir::ValueRange":$resultGrads,
           "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>,
  ];
}

#endif // PS_INTERFACES_TD
