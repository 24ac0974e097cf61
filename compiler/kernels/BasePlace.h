// SPDX-License-Identifier: Apache-2.0
//===- BasePlace.h - where a window is on its base --------------*- C++ -*-===//

#ifndef PS_COMPILER_KERNELS_BASEPLACE_H
#define PS_COMPILER_KERNELS_BASEPLACE_H

#include "compiler/kernels/KernelLowering.h"

namespace ps {

/// Where an element of a window is along one dimension of its base.
struct BasePlace {
  /// The index there; 0, which can be read, where the window is on padding or
  /// on a hole.
  mlir::Value index;
  /// Whether it is on an element; null where it always is.
  mlir::Value isInside;
};

/// The place of element `k` of the window at place `p`, on a base of `size`.
BasePlace emitBasePlace(PointBuilder &body, mlir::Location loc,
                        const ::stablehlo::WindowAxis &axis, int64_t size,
                        mlir::AffineExpr p, mlir::AffineExpr k);
/// The same for index `at` of the dilated base, which may lie outside.
BasePlace emitBasePlace(mlir::OpBuilder &b, mlir::Location loc,
                        const ::stablehlo::WindowAxis &axis, int64_t size,
                        mlir::Value at);

} // namespace ps

#endif // PS_COMPILER_KERNELS_BASEPLACE_H
