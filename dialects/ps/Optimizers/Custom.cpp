// SPDX-License-Identifier: Apache-2.0
//===- Custom.cpp - the update that a function of the graph computes ------===//
//
// The function computes scalars. An update applies each of its ops to tensors
// of the shape that is updated: all of them work element by element.
//
//===----------------------------------------------------------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

static size_t countSlots(CustomAttr custom) {
  return custom.getSlots() ? custom.getSlots().size() : 0;
}

LogicalResult CustomAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 FlatSymbolRefAttr, Attribute learningRate,
                                 ArrayAttr slots, DenseF64ArrayAttr values,
                                 bool) {
  llvm::SmallDenseSet<Attribute> names;
  for (Attribute slot : slots ? slots.getValue() : ArrayRef<Attribute>()) {
    auto name = llvm::dyn_cast<StringAttr>(slot);
    if (!name || name.empty())
      return emitError() << "expected slots to be names in brackets, found "
                         << slot;
    if (!names.insert(slot).second)
      return emitError() << "has two slots " << slot;
  }
  if (values && static_cast<size_t>(values.size()) != names.size())
    return emitError() << "expected as many initial_values as slots, "
                       << names.size() << ", found " << values.size();
  for (double value : values ? values.asArrayRef() : ArrayRef<double>())
    if (failed(verifyFinite(emitError, "initial_values", llvm::APFloat(value))))
      return failure();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot> CustomAttr::getSlots(RankedTensorType type) const {
  SmallVector<OptimizerSlot> result;
  for (size_t i = 0; i != countSlots(*this); ++i)
    result.push_back(
        {llvm::cast<StringAttr>(getSlots()[i]).str(), type,
         getInitialValues() ? getInitialValues().asArrayRef()[i] : 0.0});
  return result;
}

FlatSymbolRefAttr CustomAttr::getUpdateFunction() const { return getUpdate(); }

bool CustomAttr::isIdentityForZeroGradient() const {
  return getIdentityForZeroGradient();
}

/// Takes the parameter, the gradient, the slots and the rate, and returns the
/// parameter and the slots.
static FunctionType getExpectedType(CustomAttr custom, Type elementType) {
  auto scalar = RankedTensorType::get({}, elementType);
  SmallVector<Type> operands(3 + countSlots(custom), scalar);
  SmallVector<Type> results(1 + countSlots(custom), scalar);
  return FunctionType::get(custom.getContext(), operands, results);
}

/// Whether `op` can be repeated for the elements of a tensor.
static bool isElementwise(Operation &op) {
  if (!llvm::all_of(op.getResultTypes(), [](Type type) {
        auto tensor = llvm::dyn_cast<RankedTensorType>(type);
        return tensor && tensor.getRank() == 0;
      }))
    return false;
  if (auto constant = llvm::dyn_cast<stablehlo::ConstantOp>(op))
    return llvm::isa<SplatElementsAttr>(constant.getValue());
  return op.hasTrait<::stablehlo::Elementwise>();
}

static LogicalResult verifyBody(func::FuncOp function) {
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return function.emitError("expected the update function to have one block");
  for (Operation &op : function.front().without_terminator())
    if (!isElementwise(op))
      return op.emitError("expected an op that works element by element, on "
                          "scalars, in update function '@")
             << function.getSymName() << "', found '" << op.getName() << "'";
  return success();
}

LogicalResult
CustomAttr::verifyUpdateFunction(Operation *user, RankedTensorType updateType,
                                 SymbolTableCollection &symbols) const {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(user, getUpdate());
  if (!function)
    return user->emitOpError()
           << "updates by " << getUpdate() << ", which is not a function here";
  if (!function.isPrivate())
    return function.emitError("expected the update function to be private");
  FunctionType expected = getExpectedType(*this, updateType.getElementType());
  if (function.getFunctionType() == expected)
    return verifyBody(function);
  InFlightDiagnostic diag = function.emitError("expected the update function "
                                               "of ")
                            << *this << " to have type " << expected
                            << ", found " << function.getFunctionType();
  diag.attachNote(user->getLoc()) << "for this update";
  return diag;
}

SmallVector<Value> CustomAttr::buildUpdate(OpBuilder &builder, Location loc,
                                           Value param, Value grad,
                                           Value learningRate,
                                           ValueRange slots) const {
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      builder.getInsertionBlock()->getParentOp(), getUpdate());
  auto type = llvm::cast<RankedTensorType>(param.getType());
  Emitter e(builder, loc);
  SmallVector<Value> operands{param, grad};
  llvm::append_range(operands, slots);
  operands.push_back(e.broadcast(learningRate, type));
  return e.applyToElements(function.front(), operands, type);
}
