// SPDX-License-Identifier: Apache-2.0
//===- Moments.h - moving averages of gradients -----------------*- C++ -*-===//
//
// What the optimizers that follow Adam have in common.
//
//===----------------------------------------------------------------------===//

#ifndef PS_DIALECTS_PS_OPTIMIZERS_MOMENTS_H
#define PS_DIALECTS_PS_OPTIMIZERS_MOMENTS_H

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"

namespace ps {

/// Fails unless the parameter `name` is in [0, 1).
mlir::LogicalResult
verifyDecay(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
            llvm::StringRef name, const llvm::APFloat &value);

/// decay * average + (1 - decay) * sample.
mlir::Value buildAverage(stablehlo::Emitter &e, const llvm::APFloat &decay,
                         mlir::Value average, mlir::Value sample);

/// 1 - decay ^ step for a count of steps `step` that is at least one: the part
/// of the weights in an average that samples have, the rest being that of its
/// zero start. A scalar of step's type, computed in f64: for decays near one,
/// f32 would lose half of its digits.
mlir::Value buildBiasCorrection(mlir::OpBuilder &builder, mlir::Location loc,
                                const llvm::APFloat &decay, mlir::Value step);

/// The slots of Adam: the averages `moment1` of the gradient and `moment2` of
/// its square, and the count `step`, which a float holds so that it has the
/// type of other scalars. 2^24 steps are counted in f32, when no decay below
/// 1 - 1e-6 is left to correct.
llvm::SmallVector<OptimizerSlot>
getMomentSlots(mlir::RankedTensorType updateType);

/// One step of Adam (Kingma and Ba, 2015).
struct AdamStep {
  /// moment1 / (1 - beta1 ^ step) / (sqrt(moment2 / (1 - beta2 ^ step)) +
  /// epsilon).
  mlir::Value direction;
  /// The new slots, in the order of getMomentSlots.
  llvm::SmallVector<mlir::Value> slots;
};
AdamStep buildAdamStep(mlir::OpBuilder &builder, mlir::Location loc,
                       const llvm::APFloat &beta1, const llvm::APFloat &beta2,
                       const llvm::APFloat &epsilon, mlir::Value grad,
                       mlir::ValueRange slots);

/// Fails unless betas and epsilon are what buildAdamStep takes.
mlir::LogicalResult
verifyAdamStep(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
               const llvm::APFloat &beta1, const llvm::APFloat &beta2,
               const llvm::APFloat &epsilon);

} // namespace ps

#endif // PS_DIALECTS_PS_OPTIMIZERS_MOMENTS_H
