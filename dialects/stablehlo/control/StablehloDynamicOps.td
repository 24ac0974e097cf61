// SPDX-License-Identifier: Apache-2.0
//===- StablehloDynamicOps.td - ops whose shapes are operands -------------===//
//
// What JAX prints where a size is a symbol (jax.export.symbolic_shape). The
// only size that is not known here is the batch, so ps-resolve-shapes replaces
// each by the op of StablehloOps.td that has its sizes as attributes.
//
//===----------------------------------------------------------------------===//

#ifndef STABLEHLO_DYNAMIC_OPS_TD
#define STABLEHLO_DYNAMIC_OPS_TD

include "dialects/stablehlo/StablehloAttrs.td"

def Stablehlo_ShapeTensor
    : 1DTensorOf<[Stablehlo_Int]>;

class Stablehlo_DynamicOp<string mnemonic> : Stablehlo_Op<mnemonic, [Pure]> {
  let hasVerifier = 1;
}

def Stablehlo_DynamicBroadcastInDimOp
    : Stablehlo_DynamicOp<"dynamic_broadcast_in_dim"> {
  let summary = "a broadcast_in_dim to a shape that is an operand";
  let description = [{
    `ps-resolve-shapes` makes a `broadcast_in_dim` of it.

    ```mlir
    %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, Stablehlo_ShapeTensor:$output_dimensions,
    DenseI64ArrayAttr:$broadcast_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$known_expanding_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$known_nonexpanding_dimensions);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions
    attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_DynamicIotaOp : Stablehlo_DynamicOp<"dynamic_iota"> {
  let summary = "an iota in a shape that is an operand";
  let description = [{
    `ps-resolve-shapes` makes an `iota` of it.

    ```mlir
    %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<2xi32>) -> tensor<?x4xi32>
    ```
  }];
  let arguments = (ins
    Stablehlo_ShapeTensor:$output_shape, I64Attr:$iota_dimension);
  let results = (outs Stablehlo_NumberTensor:$result);
  let assemblyFormat = [{
    $output_shape `,` `dim` `=` $iota_dimension attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_DynamicReshapeOp : Stablehlo_DynamicOp<"dynamic_reshape"> {
  let summary = "a reshape to a shape that is an operand";
  let description = [{
    `ps-resolve-shapes` makes a `reshape` of it.

    ```mlir
    %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<?x2x2xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, Stablehlo_ShapeTensor:$output_shape);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_RealDynamicSliceOp : Stablehlo_DynamicOp<"real_dynamic_slice"> {
  let summary = "a slice whose range is an operand";
  let description = [{
    `ps-resolve-shapes` makes a `slice` of it, or a `dynamic_slice` where the
    start is not constant, but the size is.

    ```mlir
    %4 = stablehlo.real_dynamic_slice %0, %1, %2, %3 : (tensor<?x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, Stablehlo_ShapeTensor:$start_indices,
    Stablehlo_ShapeTensor:$limit_indices, Stablehlo_ShapeTensor:$strides);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_DynamicPadOp : Stablehlo_DynamicOp<"dynamic_pad"> {
  let summary = "a pad whose border is an operand";
  let description = [{
    `ps-resolve-shapes` makes a `pad` of it.

    ```mlir
    %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<?x2xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x8xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, Stablehlo_Scalar:$padding_value,
    Stablehlo_ShapeTensor:$edge_padding_low,
    Stablehlo_ShapeTensor:$edge_padding_high,
    Stablehlo_ShapeTensor:$interior_padding);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_DynamicGatherOp : Stablehlo_DynamicOp<"dynamic_gather"> {
  let summary = "a gather of windows whose sizes are an operand";
  let description = [{
    `ps-resolve-shapes` makes a `gather` of it.

    ```mlir
    %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<10x4xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, Stablehlo_IntTensor:$start_indices,
    Stablehlo_ShapeTensor:$slice_sizes,
    Stablehlo_GatherDimensionNumbersAttr:$dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs Stablehlo_Tensor:$result);
}

#endif // STABLEHLO_DYNAMIC_OPS_TD
