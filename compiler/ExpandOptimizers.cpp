//===- ExpandOptimizers.cpp - turns ps.apply into arithmetic --------------===//
//
// For every ps.apply:
//  1. declare the optimizer's slots as variables beside the updated one,
//  2. read the variable and its slots, and the learning rate,
//  3. let the optimizer build its update,
//  4. assign the new values.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"

namespace ps {
#define GEN_PASS_DEF_EXPANDOPTIMIZERS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

struct ExpandOptimizers
    : public ps::impl::ExpandOptimizersBase<ExpandOptimizers> {
  void runOnOperation() override {
    SmallVector<ApplyOp> applies;
    getOperation().walk([&](ApplyOp op) { applies.push_back(op); });
    SymbolTable symbols(getOperation());
    for (ApplyOp apply : applies)
      if (failed(expand(apply, symbols)))
        return signalPassFailure();
  }

private:
  LogicalResult expand(ApplyOp apply, SymbolTable &symbols);
  FailureOr<VariableOp> declareSlot(ApplyOp apply, VariableOp variable,
                                    const OptimizerSlot &slot,
                                    SymbolTable &symbols);
  Value buildLearningRate(OpBuilder &builder, ApplyOp apply,
                          VariableOp variable);
};

/// The slice of a slot is the slice of its owner, of the slot's whole type.
SliceAttr getSlotSlice(VariableOp variable, const OptimizerSlot &slot) {
  SliceAttr slice = variable.getSliceAttr();
  if (!slice || slot.type != variable.getTensorType())
    return {};
  auto origin = StringAttr::get(variable.getContext(),
                                slice.getOrigin().getValue() + "." + slot.name);
  auto wholeType = RankedTensorType::get(slice.getOriginType().getShape(),
                                         slot.type.getElementType());
  return SliceAttr::get(variable.getContext(), origin, slice.getRowOffset(),
                        slice.getRows(), wholeType);
}

FailureOr<VariableOp> ExpandOptimizers::declareSlot(ApplyOp apply,
                                                    VariableOp variable,
                                                    const OptimizerSlot &slot,
                                                    SymbolTable &symbols) {
  std::string name = (variable.getSymName() + "." + slot.name).str();
  if (Operation *other = symbols.lookup(name)) {
    auto declared = dyn_cast<VariableOp>(other);
    if (declared && declared.getTensorType() == slot.type &&
        declared.getSlotOf() == variable.getSymName())
      return declared;
    InFlightDiagnostic diag = apply.emitError("needs the name '@")
                              << name << "' for its state, but it is taken";
    diag.attachNote(other->getLoc()) << "here";
    return diag;
  }
  OpBuilder builder(variable->getContext());
  builder.setInsertionPointAfter(variable);
  auto declared = builder.create<VariableOp>(
      variable.getLoc(), name, slot.type,
      ConstantInitAttr::get(builder.getContext(),
                            llvm::APFloat(slot.initialValue)));
  declared.setTrainable(false);
  declared.setSlotOfAttr(FlatSymbolRefAttr::get(variable));
  if (SliceAttr slice = getSlotSlice(variable, slot))
    declared.setSliceAttr(slice);
  symbols.insert(declared);
  return declared;
}

Value ExpandOptimizers::buildLearningRate(OpBuilder &builder, ApplyOp apply,
                                          VariableOp variable) {
  auto rate = cast<FloatAttr>(apply.getOptimizer().getLearningRate());
  double value = rate.getValueAsDouble();
  if (auto scale = variable.getLearningRateScaleAttr())
    value *= scale.getValueAsDouble();
  Type element = variable.getTensorType().getElementType();
  auto scalar = RankedTensorType::get({}, element);
  return builder.create<stablehlo::ConstantOp>(
      apply.getLoc(),
      DenseElementsAttr::get(scalar, builder.getFloatAttr(element, value)));
}

LogicalResult ExpandOptimizers::expand(ApplyOp apply, SymbolTable &symbols) {
  auto variable = symbols.lookup<VariableOp>(apply.getVariable());
  if (!variable)
    return apply.emitError("updates '@")
           << apply.getVariable() << "', which is not a variable of the module";
  OptimizerAttrInterface optimizer = apply.getOptimizer();
  OpBuilder builder(apply);
  Location loc = apply.getLoc();

  SmallVector<VariableOp> updated{variable};
  for (const OptimizerSlot &slot :
       optimizer.getSlots(variable.getTensorType())) {
    FailureOr<VariableOp> declared =
        declareSlot(apply, variable, slot, symbols);
    if (failed(declared))
      return failure();
    updated.push_back(*declared);
  }

  SmallVector<Value> values;
  for (VariableOp op : updated)
    values.push_back(
        builder.create<ReadOp>(loc, op.getTensorType(), op.getSymName()));
  Value rate = buildLearningRate(builder, apply, variable);
  SmallVector<Value> results =
      optimizer.buildUpdate(builder, loc, values.front(), apply.getGradient(),
                            rate, ArrayRef(values).drop_front());
  for (auto [op, result] : llvm::zip_equal(updated, results))
    builder.create<AssignOp>(loc, op.getSymName(), result);
  apply.erase();
  return success();
}

} // namespace
