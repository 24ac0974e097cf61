// SPDX-License-Identifier: Apache-2.0
//===- ReverseMode.h - gradients of a value by reverse mode ---------------===//

#ifndef PS_COMPILER_TRAINING_REVERSEMODE_H
#define PS_COMPILER_TRAINING_REVERSEMODE_H

#include "mlir/IR/Builders.h"

namespace ps {

/// Emits before `insertBefore` the gradient of `loss` with respect to each of
/// `inputs` and returns them in order; an entry is null where nothing flows.
/// `loss` is a scalar of floats; all ops between the inputs and the loss are
/// in the block of `insertBefore`, above it. Every op on the way must implement
/// DifferentiableOpInterface: otherwise emits an error on the op, with notes
/// that lead from an input to the loss, and fails.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
buildGradients(mlir::Value loss, llvm::ArrayRef<mlir::Value> inputs,
               mlir::Operation *insertBefore);

} // namespace ps

#endif // PS_COMPILER_TRAINING_REVERSEMODE_H
