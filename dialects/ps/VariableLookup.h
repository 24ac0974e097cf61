// SPDX-License-Identifier: Apache-2.0
//===- VariableLookup.h - the variable that an op names -------------------===//

#ifndef PS_DIALECTS_PS_VARIABLELOOKUP_H
#define PS_DIALECTS_PS_VARIABLELOOKUP_H

#include "dialects/ps/PSDialect.h"

namespace ps {

/// The variable that `op` names, or a diagnostic.
mlir::FailureOr<VariableOp>
lookUpVariable(mlir::Operation *op, mlir::FlatSymbolRefAttr name,
               mlir::SymbolTableCollection &symbols);

/// As above; the variable must have type `type`.
mlir::FailureOr<VariableOp>
lookUpVariableOfType(mlir::Operation *op, mlir::FlatSymbolRefAttr name,
                     mlir::Type type, mlir::SymbolTableCollection &symbols);

/// As above; the variable must have the shape of `type`, and floats where that
/// has floats: the network may carry fewer bits.
mlir::FailureOr<VariableOp>
lookUpVariableOfShape(mlir::Operation *op, mlir::FlatSymbolRefAttr name,
                      mlir::Type type, mlir::SymbolTableCollection &symbols);

} // namespace ps

#endif // PS_DIALECTS_PS_VARIABLELOOKUP_H
