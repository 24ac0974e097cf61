// SPDX-License-Identifier: Apache-2.0
//===- StablehloOps.td - ops of the stablehlo dialect ---------------------===//

#ifndef STABLEHLO_OPS_TD
#define STABLEHLO_OPS_TD

include "dialects/stablehlo/StablehloElementwiseOps.td"
include "dialects/stablehlo/control/StablehloControlOps.td"
include "dialects/stablehlo/control/StablehloDynamicOps.td"
include "dialects/stablehlo/control/StablehloFormulaOps.td"
include "dialects/stablehlo/matrices/StablehloMatrixOps.td"
include "dialects/stablehlo/StablehloWindowOps.td"
include "mlir/IR/OpAsmInterface.td"

//===----------------------------------------------------------------------===//
// Constants and iota
//===----------------------------------------------------------------------===//

def Stablehlo_ConstantOp : Stablehlo_Op<"constant",
    [Pure, ConstantLike, AllTypesMatch<["value", "output"]>,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a constant tensor";
  let description = [{
    ```mlir
    %0 = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Stablehlo_Tensor:$output);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Stablehlo_IotaOp : Stablehlo_Op<"iota", [Pure]> {
  let summary = "the index of each element along one dimension";
  let description = [{
    Counts 0, 1, 2, .. along `iota_dimension` and repeats along the others.
    Values beyond the element type's range wrap around.

    ```mlir
    %0 = stablehlo.iota dim = 0 : tensor<4x2xi32>
    ```
  }];
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs Stablehlo_NumberTensor:$output);
  let assemblyFormat =
      "`dim` `=` $iota_dimension attr-dict `:` type($output)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

def Stablehlo_BroadcastInDimOp : Stablehlo_Op<"broadcast_in_dim",
    [Pure, SameOperandsAndResultElementType]> {
  let summary = "repeats a tensor along new or unit dimensions";
  let description = [{
    Dimension i of the operand becomes dimension `broadcast_dimensions[i]` of
    the result; a dimension of size 1 is repeated to the result's size. Only
    dimensions that the operand does not have may become `?`, the batch size.

    ```mlir
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<3xf32>) -> tensor<?x3xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $broadcast_dimensions attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Stablehlo_ReshapeOp : Stablehlo_Op<"reshape",
    [Pure, SameOperandsAndResultElementType]> {
  let summary = "the same elements in another shape";
  let description = [{
    Elements keep their row-major order. If operand and result have the same
    number of `?`, the products of their static sizes must be equal.

    ```mlir
    %1 = stablehlo.reshape %0 : (tensor<?x26x16xf32>) -> tensor<?x416xf32>
    ```
  }];
  let arguments = (ins Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat =
      "$operand attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Stablehlo_TransposeOp : Stablehlo_InferredOp<"transpose",
    [SameOperandsAndResultElementType]> {
  let summary = "permutes the dimensions";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of the operand.

    ```mlir
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $permutation attr-dict `:`
    functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Stablehlo_ReverseOp : Stablehlo_InferredOp<"reverse",
    [SameOperandsAndResultElementType]> {
  let summary = "reverses the order of elements along some dimensions";
  let description = [{
    ```mlir
    %1 = stablehlo.reverse %0, dims = [1] : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $dimensions attr-dict `:`
    custom<OneType>(type($operand), type($result))
  }];
  let hasFolder = 1;
}

def Stablehlo_SliceOp : Stablehlo_InferredOp<"slice",
    [SameOperandsAndResultElementType]> {
  let summary = "a strided box of the operand";
  let description = [{
    Printed as one `start:limit` or `start:limit:stride` per dimension; the
    limit is exclusive. `0:?` is the whole of the batch dimension (stored as
    the limit that marks a `?` in a type).

    ```mlir
    %1 = stablehlo.slice %0 [0:2, 4:8:2] : (tensor<3x8xf32>) -> tensor<2x2xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, DenseI64ArrayAttr:$start_indices,
    DenseI64ArrayAttr:$limit_indices, DenseI64ArrayAttr:$strides);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides)
    attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Stablehlo_DynamicSliceOp : Stablehlo_InferredOp<"dynamic_slice"> {
  let summary = "a box of the operand at start indices computed at run time";
  let description = [{
    One scalar start index per dimension, clamped to [0, size - slice size], so
    that the box is always inside the operand. A size of -9223372036854775808,
    which marks a `?` in a type, is the whole of the batch dimension.

    ```mlir
    %1 = stablehlo.dynamic_slice %0, %i, %j, sizes = [1, 4] : (tensor<3x4xi32>, tensor<i64>, tensor<i64>) -> tensor<1x4xi32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, Variadic<Stablehlo_IntScalar>:$start_indices,
    DenseI64ArrayAttr:$slice_sizes);
  let results = (outs Stablehlo_Tensor:$result);
  // Custom: the comma after the last of a variadic operand.
  let assemblyFormat = [{
    $operand `,` custom<LeadingOperands>($start_indices) `sizes` `=` $slice_sizes
    attr-dict `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
}

def Stablehlo_DynamicUpdateSliceOp
    : Stablehlo_InferredOp<"dynamic_update_slice"> {
  let summary = "the operand with a box replaced at computed start indices";
  let description = [{
    One scalar start index per dimension, clamped to [0, size - update size], so
    that the update is always inside the operand.

    ```mlir
    %2 = stablehlo.dynamic_update_slice %0, %1, %i, %j : (tensor<3x4xi32>, tensor<1x4xi32>, tensor<i64>, tensor<i64>) -> tensor<3x4xi32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, Stablehlo_Tensor:$update,
    Variadic<Stablehlo_IntScalar>:$start_indices);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_PadOp : Stablehlo_InferredOp<"pad",
    [SameOperandsAndResultElementType]> {
  let summary = "the operand with a border";
  let description = [{
    Inserts `interior_padding` copies of the padding value between neighboring
    elements, then `edge_padding_low` and `edge_padding_high` copies before and
    after them; a negative edge removes elements instead. The batch dimension
    cannot be padded.

    ```mlir
    %2 = stablehlo.pad %0, %1, low = [1, 0], high = [1, -1], interior = [0, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, Stablehlo_Scalar:$padding_value,
    DenseI64ArrayAttr:$edge_padding_low, DenseI64ArrayAttr:$edge_padding_high,
    DenseI64ArrayAttr:$interior_padding);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` $edge_padding_low `,`
    `high` `=` $edge_padding_high `,` `interior` `=` $interior_padding
    attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Stablehlo_ConcatenateOp : Stablehlo_InferredOp<"concatenate",
    [SameOperandsAndResultElementType]> {
  let summary = "joins tensors along one dimension";
  let description = [{
    The operands agree in all other dimensions. They cannot be joined along the
    batch dimension.

    ```mlir
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<4x1xf32>, tensor<4x2xf32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins
    Variadic<Stablehlo_Tensor>:$inputs, I64Attr:$dimension);
  let results = (outs Stablehlo_Tensor:$result);
  // Custom: the comma after the last of a variadic operand.
  let assemblyFormat = [{
    custom<LeadingOperands>($inputs) `dim` `=` $dimension
    attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Stablehlo_GetDimensionSizeOp : Stablehlo_InferredOp<"get_dimension_size"> {
  let summary = "the size of a dimension";
  let description = [{
    Used by graphs to read the batch size.

    ```mlir
    %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    ```
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, I64Attr:$dimension);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat = [{
    $operand `,` `dim` `=` $dimension attr-dict `:`
    functional-type(operands, results)
  }];
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Windows at indices that other values give
//===----------------------------------------------------------------------===//

def Stablehlo_GatherOp : Stablehlo_InferredOp<"gather"> {
  let summary = "windows of the operand that start where index vectors say";
  let description = [{
    Dimension `index_vector_dim` of the start indices holds index vectors (or
    is left out, where it is their rank: each element is one). Component k of a
    vector is where the window starts in dimension `start_index_map[k]`,
    clamped to [0, size - slice size], so that each window of `slice_sizes`
    lies inside. The result has the other dimensions of the start indices and,
    at `offset_dims`, those of the window without `collapsed_slice_dims` and
    `operand_batching_dims`, whose size is 1. A batching dimension of the
    operand starts at the index of its partner in the start indices.

    A slice size of -9223372036854775808, which marks a `?` in a type, is the
    whole of a dimension. Empty windows read as 0.

    Rows of a table, as printed for `table[ids]`:

    ```mlir
    %0 = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<100x16xf32>, tensor<?x1xi32>) -> tensor<?x16xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, Stablehlo_IntTensor:$start_indices,
    Stablehlo_GatherDimensionNumbersAttr:$dimension_numbers,
    DenseI64ArrayAttr:$slice_sizes,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs Stablehlo_Tensor:$result);
}

def Stablehlo_ScatterOp : Stablehlo_InferredOp<"scatter",
    [SameVariadicOperandSize, SingleBlockImplicitTerminator<"ReturnOp">,
     IsolatedFromAbove]> {
  let summary = "updates windows of the inputs at given index vectors";
  let description = [{
    The inverse of `gather`: each element of the updates has a position in the
    inputs, computed as in `gather` but without clamping. Updates whose position
    is out of bounds are skipped. For the others the body combines the current
    values (its first N arguments) with the updates (its last N), and its
    results replace the current values. Updates of the same position are applied
    in row-major order; the body should nevertheless be associative and
    commutative. `indices_are_sorted` and `unique_indices` are accepted and
    ignored.

    ```mlir
    %0 = "stablehlo.scatter"(%table, %ids, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<100x16xf32>, tensor<?x1xi32>, tensor<?x16xf32>) -> tensor<100x16xf32>
    ```
  }];
  let arguments = (ins
    Variadic<Stablehlo_Tensor>:$inputs, Stablehlo_IntTensor:$scatter_indices,
    Variadic<Stablehlo_Tensor>:$updates,
    Stablehlo_ScatterDimensionNumbersAttr:$scatter_dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let results = (outs Variadic<Stablehlo_Tensor>);
  let regions = (region SizedRegion<1>:$update_computation);
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Reductions and contractions
//===----------------------------------------------------------------------===//

def Stablehlo_ReduceOp : Stablehlo_InferredOp<"reduce",
    [SameVariadicOperandSize, SingleBlockImplicitTerminator<"ReturnOp">,
     IsolatedFromAbove]> {
  let summary = "folds the elements along some dimensions into one";
  let description = [{
    The body combines two partial results (its first N and its last N
    arguments) into one; if a dimension is empty, the initial values take part at
    least once. The order is unspecified, so the body should be associative and
    the initial value neutral. The body uses only its arguments and contains
    constants, elementwise ops and data movement, all on tensors of rank 0.

    A body of one commutative op on its two arguments is printed as:

    ```mlir
    %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    ```

    any other body is printed as a region, whose arguments are in pairs:

    ```mlir
    %4:2 = stablehlo.reduce(%0 init: %1), (%2 init: %3) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %5 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %a, %b : tensor<i1>, tensor<f32>
      %7 = stablehlo.select %5, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %6, %7 : tensor<f32>, tensor<i32>
    }
    ```
  }];
  let arguments = (ins
    Variadic<Stablehlo_Tensor>:$inputs, Variadic<Stablehlo_Scalar>:$init_values,
    DenseI64ArrayAttr:$dimensions);
  let results = (outs Variadic<Stablehlo_Tensor>);
  let regions = (region SizedRegion<1>:$body);
  // Custom: the short form leaves the region out.
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The one op of a body that the short form can print, or null.
    ::mlir::Operation *getSimpleBody();
  }];
}

def Stablehlo_ReturnOp : Stablehlo_Op<"return",
    [Pure, Terminator]> {
  let summary = "ends a region of another op";
  let description = [{
    ```mlir
    stablehlo.return %0, %1 : tensor<f32>, tensor<i32>
    ```
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$results);
  let assemblyFormat = "($results^ `:` type($results))? attr-dict";
  // Not HasParent: inside an unsupported op the error should name that op.
  let hasVerifier = 1;
}

def Stablehlo_DotGeneralOp : Stablehlo_Op<"dot_general", [Pure]> {
  let summary = "sums of products along paired dimensions";
  let description = [{
    Result dimensions are the batching dimensions, then the remaining ones of
    `lhs`, then the remaining ones of `rhs`. Products are summed in the result's
    element type or a wider one; integers wrap around, and on i1 the sum is
    logical or. `precision_config` and `algorithm` are kept, but never make the
    result less exact than the operands' type.

    ```mlir
    %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
    Stablehlo_DotDimensionNumbersAttr:$dot_dimension_numbers,
    OptionalAttr<Stablehlo_PrecisionArrayAttr>:$precision_config,
    OptionalAttr<Stablehlo_DotAlgorithmAttr>:$algorithm);
  let results = (outs Stablehlo_Tensor:$result);
  // Custom: optional lists in a fixed order, written as `[..] x [..]`.
  let assemblyFormat = [{
    $lhs `,` $rhs `,`
    custom<Dot>($dot_dimension_numbers, $precision_config, $algorithm)
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The result's shape, which follows from the operands and dimensions.
    static ::llvm::SmallVector<int64_t>
    inferShape(::mlir::RankedTensorType lhs, ::mlir::RankedTensorType rhs,
               ::stablehlo::DotDimensionNumbersAttr dims);
  }];
}

def Stablehlo_SortOp : Stablehlo_InferredOp<"sort",
    [SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "the elements along one dimension in order";
  let description = [{
    The comparator takes a pair of elements of each input, and returns whether
    the first ones come before the second ones. All inputs are moved alike, and
    elements of which neither comes before the other keep their order, also
    without `is_stable`. A negative `dimension` counts from the last one on. The
    comparator may hold what the body of a `reduce` may, and use constants from
    outside.

    ```mlir
    %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins
    Variadic<Stablehlo_Tensor>:$inputs,
    DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let results = (outs Variadic<Stablehlo_Tensor>);
  let regions = (region SizedRegion<1>:$comparator);
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// `dimension`, counted from the first.
    int64_t getSortedDim();
    /// Copies into the comparator the constants that it uses from outside.
    void isolateComparator();
  }];
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

def Stablehlo_OptimizationBarrierOp
    : Stablehlo_Op<"optimization_barrier", [Pure]> {
  let summary = "its operands";
  let description = [{
    JAX writes it (`jax.checkpoint`, `jax.lax.optimization_barrier`) to keep
    XLA from moving ops across. Here it is the identity, and folds to its
    operands.

    ```mlir
    %2:2 = stablehlo.optimization_barrier %0, %1 : tensor<4xf32>, tensor<4xi32>
    ```
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operand);
  let results = (outs Variadic<Stablehlo_Tensor>:$result);
  // Custom: one list of types for operands and results.
  let assemblyFormat = [{
    $operand attr-dict `:` custom<SameTypes>(type($operand), type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Custom calls
//===----------------------------------------------------------------------===//

def Stablehlo_CustomCallOp : Stablehlo_Op<"custom_call",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "calls one of a fixed set of functions by name";
  let description = [{
    `shape_assertion`, of a condition and numbers for a message, is what JAX
    writes where sizes are symbols; `ps-resolve-shapes` removes it. The other
    functions compare two tensors of the same type, the actual and the
    expected value, and fail the program if they differ:
    `check.expect_eq` in any bit (but every NaN equals every NaN),
    `check.expect_close` by more than the element type's rounding allows, and
    `check.expect_almost_eq` by more than 1e-4 relative to the larger one.

    JAX on a CPU writes calls of LAPACK, `lapack_spotrf_ffi` and
    `lapack_strsm_ffi`, or with `d` in place of `s`, where it writes `cholesky`
    and `triangular_solve` otherwise: `ps-decompose-ops` makes these of them.

    ```mlir
    stablehlo.custom_call @check.expect_close(%0, %1) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
    ```
  }];
  let arguments = (ins
    Variadic<Stablehlo_Tensor>:$inputs,
    StrAttr:$call_target_name,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
    OptionalAttr<AnyAttrOf<[StrAttr, DictionaryAttr]>>:$backend_config,
    OptionalAttr<I32Attr>:$api_version);
  let results = (outs Variadic<Stablehlo_Tensor>);
  let assemblyFormat = [{
    custom<CallTarget>($call_target_name) `(` $inputs `)` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static ::llvm::StringRef getShapeAssertionName() {
      return "shape_assertion";
    }
    /// Whether it is LAPACK's factor of a positive definite matrix.
    bool isPotrf();
    /// Whether it is LAPACK's solution of triangular equations.
    bool isTrsm();
    /// The letter that JAX passes to LAPACK as `name`; 0 if there is none.
    char getLapackFlag(::llvm::StringRef name);
  }];
}

#endif // STABLEHLO_OPS_TD
