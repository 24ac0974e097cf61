// SPDX-License-Identifier: Apache-2.0
//===- StablehloMatrixOps.td - equations with triangular matrices ---------===//
//
// The last two dimensions are those of a matrix, those before them count
// matrices.
//
//===----------------------------------------------------------------------===//

#ifndef STABLEHLO_MATRIX_OPS_TD
#define STABLEHLO_MATRIX_OPS_TD

include "dialects/stablehlo/StablehloAttrs.td"

def Stablehlo_CholeskyOp : Stablehlo_InferredOp<"cholesky",
    [SameOperandsAndResultElementType]> {
  let summary = "the triangular square root of positive definite matrices";
  let description = [{
    With `lower`, the result is the lower triangular L with positive diagonal for
    which the operand is L Lᵀ; otherwise the upper triangular U for which it is
    Uᵀ U. Only that triangle of the operand is read, and the other one of the
    result is 0. Where a matrix is not positive definite, the diagonal of the
    result ends with NaN or 0.

    The gradient is a triangle, too: that of what is read.

    ```mlir
    %1 = stablehlo.cholesky %0, lower = true : tensor<3x3xf32>
    ```
  }];
  let arguments = (ins Stablehlo_FloatTensor:$a,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs Stablehlo_FloatTensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict `:`
    custom<OneType>(type($a), type($result))
  }];
}

def Stablehlo_TriangularSolveOp : Stablehlo_InferredOp<"triangular_solve",
    [SameOperandsAndResultElementType]> {
  let summary = "solves equations with triangular matrices";
  let description = [{
    The X for which op(A) X = B, with `left_side`, or X op(A) = B, where op(A) is
    A or its transpose; `ADJOINT` is the transpose, as elements are real. Only
    the lower or the upper triangle of A is read, and its diagonal is 1 with
    `unit_diagonal`. A diagonal of 0 gives infinities and NaN.

    ```mlir
    %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_FloatTensor:$a, Stablehlo_FloatTensor:$b, BoolAttr:$left_side,
    BoolAttr:$lower, BoolAttr:$unit_diagonal,
    Stablehlo_TransposeAttr:$transpose_a);
  let results = (outs Stablehlo_FloatTensor:$result);
  let extraClassDeclaration = [{
    bool isTransposed() { return getTransposeA() != Transpose::NO_TRANSPOSE; }
  }];
}

#endif // STABLEHLO_MATRIX_OPS_TD
