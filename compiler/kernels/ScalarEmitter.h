// SPDX-License-Identifier: Apache-2.0
//===- ScalarEmitter.h - elementwise ops on one element -------------------===//
//
// How each elementwise stablehlo op computes one element with arith and math
// ops. Values are in compute form: floats as they are, integers signless,
// booleans as i1. Buffers hold the stored form, where a boolean is an i8.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_KERNELS_SCALAREMITTER_H
#define PS_COMPILER_KERNELS_SCALAREMITTER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace ps {

/// Whether `emitScalar` knows `op`.
bool isScalarOp(mlir::Operation *op);

/// Whether one element of `op` costs more than storing and loading it again.
bool isExpensiveOp(mlir::Operation *op);

/// Emits `op`, for which isScalarOp holds, on one element of each operand. No
/// emitted op traps or is undefined for any operand.
mlir::Value emitScalar(mlir::Operation *op, mlir::ValueRange operands,
                       mlir::OpBuilder &builder);

/// The type of a computed element, given a tensor's element type.
mlir::Type getComputeType(mlir::Type element);
/// The type of an element in memory.
mlir::Type getStoredType(mlir::Type element);

/// Between the two forms of an element of `element` type.
mlir::Value emitLoaded(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value stored, mlir::Type element);
mlir::Value emitStored(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value computed, mlir::Type element);

/// An index as an element of type `element`, wrapping around.
mlir::Value emitFromIndex(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value index, mlir::Type element);

/// A computed value of float type in another float type.
mlir::Value emitFloatCast(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, mlir::Type type);

/// A computed value as `stablehlo.convert` makes it: `from` and `to` are
/// element types as written.
mlir::Value emitConvert(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, mlir::Type from, mlir::Type to);

/// bf16 and f16, which compute in f32.
bool isNarrowFloat(mlir::Type type);

} // namespace ps

#endif // PS_COMPILER_KERNELS_SCALAREMITTER_H
