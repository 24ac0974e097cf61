// SPDX-License-Identifier: Apache-2.0
//===- KernelAnalysis.h - how an op treats the rows of its tensors --------===//
//
// A row is an index of dimension 0. An op works by rows when row i of its
// result depends on row i of some operands (taken by row) and on the whole of
// the others. What kernels and their fusion are decided on.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_OUTLINE_KERNELANALYSIS_H
#define PS_COMPILER_OUTLINE_KERNELANALYSIS_H

#include "dialects/stablehlo/StablehloDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace ps {

enum class OpClass {
  Outside, ///< not for kernels: ps ops, matrix products, constants, views
  Row,     ///< works by rows
  Scalar,  ///< elementwise on rank 0
  Reduce,  ///< a reduction over rows, perhaps over more
  Whole    ///< anything else
};

/// The class of `op`, whose types are static. A device multiplies bf16, too,
/// and has no library of convolutions.
OpClass classifyOp(mlir::Operation *op, bool forDevice = false);

/// Whether `op`, which works by rows, takes this operand by row.
bool isTakenByRow(mlir::OpOperand &operand);

/// The number of rows of a tensor of rank 1 or more.
int64_t getRows(mlir::Value value);

/// Whether `op` is so cheap that it is better repeated than stored, as long as
/// its operands are: a splat, an iota, light arithmetic.
bool isCheapOp(mlir::Operation *op);

/// Whether a kernel takes the operand as an argument even where it could repeat
/// its constant: kernels that differ in nothing else are then equal.
bool isPassed(mlir::OpOperand &operand);

/// Whether libraries of products and convolutions take `tensor`: f32, of static
/// shape, with elements.
bool isLibraryTensor(mlir::Value tensor);

/// A matrix product in the terms of exec.gemm.
struct GemmShape {
  int64_t batch, m, n, k;
  bool transposeA, transposeB;
};

/// Whether the dimensions of an operand collapse to those of matrices.
bool isGemmOperand(mlir::RankedTensorType type,
                   mlir::ArrayRef<int64_t> batching,
                   mlir::ArrayRef<int64_t> contracting);

/// The matrix product that `op` is, of f32 or of bf16 with a result of f32;
/// nullopt when its types or dimensions are not of this form.
std::optional<GemmShape> matchGemm(stablehlo::DotGeneralOp op);

/// Whether element i of each result depends on element i of the arguments of
/// the same type and on the whole of the others only.
bool isElementwiseKernel(mlir::func::FuncOp kernel);

/// Whether result `result` of `kernel` may lie where argument `argument` lies.
bool mayShareMemory(mlir::func::FuncOp kernel, unsigned argument,
                    unsigned result);

} // namespace ps

#endif // PS_COMPILER_OUTLINE_KERNELANALYSIS_H
