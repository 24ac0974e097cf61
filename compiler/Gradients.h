// SPDX-License-Identifier: Apache-2.0
//===- Gradients.h - derivatives of StableHLO and chlo ops ----------------===//

#ifndef PS_COMPILER_GRADIENTS_H
#define PS_COMPILER_GRADIENTS_H

#include "mlir/IR/DialectRegistry.h"

namespace ps {

/// Gives every differentiable StableHLO op its DifferentiableOpInterface, once
/// the dialect is loaded.
void registerStablehloGradients(mlir::DialectRegistry &registry);

/// The same for the ops of the chlo dialect.
void registerChloGradients(mlir::DialectRegistry &registry);

/// Attaches the derivatives of sort and top_k.
void registerSortGradients(mlir::DialectRegistry &registry);

} // namespace ps

#endif // PS_COMPILER_GRADIENTS_H
