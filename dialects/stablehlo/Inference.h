// SPDX-License-Identifier: Apache-2.0
//===- Inference.h - what result type inference shares ----------*- C++ -*-===//

#ifndef DIALECTS_STABLEHLO_INFERENCE_H
#define DIALECTS_STABLEHLO_INFERENCE_H

#include "dialects/stablehlo/StablehloDialect.h"
#include "mlir/IR/Diagnostics.h"

namespace stablehlo {

/// Reports on `location`, if there is one, in the words of emitOpError.
template <typename... Args>
mlir::LogicalResult inferError(llvm::StringRef opName,
                               std::optional<mlir::Location> location,
                               Args &&...args) {
  return mlir::emitOptionalError(location, "'", opName, "' op ",
                                 std::forward<Args>(args)...);
}

/// Checks that `dimensions` are different dimensions of a tensor of `rank`.
/// `what` names the list in the message.
mlir::LogicalResult checkDimensions(llvm::StringRef opName,
                                    std::optional<mlir::Location> location,
                                    llvm::StringRef what,
                                    llvm::ArrayRef<int64_t> dimensions,
                                    int64_t rank);

/// Checks that `body` has these arguments and results, and holds only what can
/// be computed on elements. `what` names the op.
mlir::LogicalResult verifyScalarBody(mlir::Operation *op, mlir::Block &body,
                                     llvm::ArrayRef<mlir::Type> arguments,
                                     llvm::ArrayRef<mlir::Type> results,
                                     llvm::StringRef what);

/// Checks the body of `op`, which works on one element of each of `inputs`:
/// it takes two of each, all first ones before all second ones, returns one of
/// each and holds only what can be computed on elements. `what` names the op.
mlir::LogicalResult verifyBody(mlir::Operation *op, mlir::Block &body,
                               mlir::TypeRange inputs, llvm::StringRef what);

/// Checks that `body` takes two elements of type `input` and returns one of
/// type `result`.
mlir::LogicalResult verifyPairBody(mlir::Operation *op, mlir::Block &body,
                                   mlir::Type input, mlir::Type result,
                                   llvm::StringRef what);

/// Checks the operands, results and flags of a call of LAPACK.
mlir::LogicalResult verifyLapackCall(CustomCallOp op);

/// Whether products of elements of type `a` may be summed in type `b`: it may
/// be wider, but not of another kind.
bool isSameKind(mlir::Type a, mlir::Type b);

} // namespace stablehlo

#endif // DIALECTS_STABLEHLO_INFERENCE_H
