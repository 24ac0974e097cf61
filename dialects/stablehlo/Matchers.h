// SPDX-License-Identifier: Apache-2.0
//===- Matchers.h - constants and bodies in a known form --------*- C++ -*-===//
//
// What passes ask of the values of a graph: their type, whether they are one
// number everywhere, and what the body of a reduce or a scatter computes.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_STABLEHLO_MATCHERS_H
#define DIALECTS_STABLEHLO_MATCHERS_H

#include "dialects/stablehlo/StablehloDialect.h"

namespace stablehlo {

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// The value of every element of `value`, if it is a constant of one.
mlir::Attribute getSplat(mlir::Value value);

/// The same, also where a broadcast repeats that constant.
mlir::Attribute getRepeated(mlir::Value value);

/// The float that every element of `value` is, also where a constant is
/// repeated, reshaped or converted.
std::optional<double> getNumber(mlir::Value value);

/// Where a box of `sizes` in `operand` begins for these start indices, clamped;
/// nothing if constants do not determine it. A size of `?` is a whole
/// dimension.
std::optional<llvm::SmallVector<int64_t>>
getConstantStarts(mlir::ValueRange starts, mlir::RankedTensorType operand,
                  llvm::ArrayRef<int64_t> sizes);

/// The one op that combines the body's two arguments, in either order, and
/// whose result the body returns; or null.
mlir::Operation *getCombiner(mlir::Block &body);

/// Whether `op` has one input, to which it adds the updates.
bool addsUpdates(ScatterOp op);

/// Whether `op` has one input, whose elements it replaces by the updates.
bool replacesByUpdates(ScatterOp op);

} // namespace stablehlo

#endif // DIALECTS_STABLEHLO_MATCHERS_H
