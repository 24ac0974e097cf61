// SPDX-License-Identifier: Apache-2.0
//===- DecomposeOps.h - ops as others that compute the same -----*- C++ -*-===//
//
// A function `decompose(op, e)` emits what computes the results of an op, and
// returns these.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_INLINING_DECOMPOSEOPS_H
#define PS_COMPILER_INLINING_DECOMPOSEOPS_H

#include "dialects/stablehlo/Emitter.h"

namespace ps {

using Results = llvm::SmallVector<mlir::Value>;

// BatchNormalization.cpp
Results decompose(stablehlo::BatchNormTrainingOp op, stablehlo::Emitter &e);
Results decompose(stablehlo::BatchNormInferenceOp op, stablehlo::Emitter &e);
Results decompose(stablehlo::BatchNormGradOp op, stablehlo::Emitter &e);

// LapackCalls.cpp
/// `op` is one for which isPotrf or isTrsm holds.
Results decomposeLapackCall(stablehlo::CustomCallOp op, stablehlo::Emitter &e);

// RandomBits.cpp
Results decompose(stablehlo::RngBitGeneratorOp op, stablehlo::Emitter &e);

} // namespace ps

#endif // PS_COMPILER_INLINING_DECOMPOSEOPS_H
