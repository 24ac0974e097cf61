// SPDX-License-Identifier: Apache-2.0
//===- VariableLookup.cpp - the variable that an op names -----------------===//

#include "dialects/ps/VariableLookup.h"

#include "dialects/ps/Spelling.h"

using namespace mlir;
using namespace ps;

/// The names of the variables that `op` can see.
static SmallVector<StringRef> getVariables(Operation *op) {
  SmallVector<StringRef> names;
  Operation *table = SymbolTable::getNearestSymbolTable(op);
  for (auto variable : table->getRegion(0).getOps<VariableOp>())
    names.push_back(variable.getSymName());
  return names;
}

FailureOr<VariableOp> ps::lookUpVariable(Operation *op, FlatSymbolRefAttr name,
                                         SymbolTableCollection &symbols) {
  Operation *symbol = symbols.lookupNearestSymbolFrom(op, name);
  if (!symbol)
    return op->emitOpError() << "names the unknown variable '" << name << "'"
                             << suggest(name.getValue(), getVariables(op));
  auto variable = dyn_cast<VariableOp>(symbol);
  if (!variable) {
    InFlightDiagnostic diag = op->emitOpError()
                              << "expects '" << name << "' to be a variable";
    diag.attachNote(symbol->getLoc())
        << "it is this '" << symbol->getName() << "'";
    return diag;
  }
  return variable;
}

FailureOr<VariableOp> ps::lookUpVariableOfType(Operation *op,
                                               FlatSymbolRefAttr name,
                                               Type type,
                                               SymbolTableCollection &symbols) {
  FailureOr<VariableOp> variable = lookUpVariable(op, name, symbols);
  if (failed(variable) || variable->getType() == type)
    return variable;
  InFlightDiagnostic diag = op->emitOpError()
                            << "has type " << type << " but '" << name
                            << "' has type " << variable->getType();
  diag.attachNote(variable->getLoc()) << "'" << name << "' is declared here";
  return diag;
}

/// On the wire a gradient may be narrower than its variable.
FailureOr<VariableOp>
ps::lookUpVariableOfShape(Operation *op, FlatSymbolRefAttr name, Type type,
                          SymbolTableCollection &symbols) {
  FailureOr<VariableOp> variable = lookUpVariable(op, name, symbols);
  if (failed(variable))
    return failure();
  auto ranked = dyn_cast<RankedTensorType>(type);
  RankedTensorType own = variable->getTensorType();
  if (ranked && ranked.getShape() == own.getShape() &&
      isa<FloatType>(ranked.getElementType()) ==
          isa<FloatType>(own.getElementType()))
    return variable;
  return lookUpVariableOfType(op, name, type, symbols);
}
