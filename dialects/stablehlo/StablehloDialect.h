// SPDX-License-Identifier: Apache-2.0
//===- StablehloDialect.h - StableHLO and its companions --------*- C++ -*-===//
//
// Ops, attributes and enums of the dialects stablehlo, check, chlo and sdy, and
// the shape rules that passes share with their verifiers.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_STABLEHLO_STABLEHLODIALECT_H
#define DIALECTS_STABLEHLO_STABLEHLODIALECT_H

#include "dialects/stablehlo/WindowAxis.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace stablehlo {

/// Result element i is a function of element i of every operand, where an
/// operand of rank 0 stands for all of its elements.
template <typename ConcreteType>
class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {
};

/// Whether one size may stand for the other: equal, or either is `?`.
bool areCompatible(int64_t lhs, int64_t rhs);

/// Whether two lists of ranked tensor types agree in rank, element type and,
/// dimension by dimension, in size.
bool areCompatible(mlir::TypeRange lhs, mlir::TypeRange rhs);

/// The shape that agrees with all of `types`, with a size wherever one of them
/// has one; fails if ranks or sizes contradict.
mlir::FailureOr<llvm::SmallVector<int64_t>> mergeShapes(mlir::TypeRange types);

/// Infers the one result of an op whose operands and result have one element
/// type and compatible shapes; says on `location` why it cannot.
llvm::LogicalResult
inferElementwise(llvm::StringRef opName, std::optional<mlir::Location> location,
                 mlir::ValueRange operands,
                 llvm::SmallVectorImpl<mlir::Type> &results);

/// Checks that what an op declares as its result types agrees with what
/// InferTypeOpInterface infers, and reports why if it does not.
llvm::LogicalResult verifyInference(mlir::Operation *op);

/// Checks a batch normalization of `operand` by statistics like `scale`.
llvm::LogicalResult verifyFeatures(mlir::Operation *op, mlir::Value operand,
                                   mlir::Value scale, uint64_t featureIndex);

/// Whether `op`, in the body of a reduce or scatter, only moves elements: on
/// one element, it is that element.
bool isMoveInBody(mlir::Operation *op);

/// Registers all dialects of this header, and those that surround them in what
/// JAX prints (`jax`, `mhlo`): their attributes are kept as opaque text, their
/// ops are reported as not supported.
void registerStablehloDialects(mlir::DialectRegistry &registry);

} // namespace stablehlo

#include "dialects/stablehlo/CheckDialect.h.inc"
#include "dialects/stablehlo/ChloDialect.h.inc"
#include "dialects/stablehlo/SdyDialect.h.inc"
#include "dialects/stablehlo/StablehloDialect.h.inc"
#include "dialects/stablehlo/StablehloEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/stablehlo/StablehloAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/stablehlo/StablehloOps.h.inc"

#define GET_OP_CLASSES
#include "dialects/stablehlo/CheckOps.h.inc"

#define GET_OP_CLASSES
#include "dialects/stablehlo/ChloOps.h.inc"

#define GET_OP_CLASSES
#include "dialects/stablehlo/SdyOps.h.inc"

#endif // DIALECTS_STABLEHLO_STABLEHLODIALECT_H
