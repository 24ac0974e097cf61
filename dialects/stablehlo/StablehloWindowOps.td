// SPDX-License-Identifier: Apache-2.0
//===- StablehloWindowOps.td - ops of windows that move over a tensor -----===//

#ifndef STABLEHLO_WINDOW_OPS_TD
#define STABLEHLO_WINDOW_OPS_TD

include "dialects/stablehlo/StablehloElementwiseOps.td"

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

def Stablehlo_ConvolutionOp : Stablehlo_Op<"convolution", [Pure]> {
  let summary = "sums of products of a kernel with the windows that it covers";
  let description = [{
    The kernel, `rhs`, moves over the spatial dimensions of `lhs` in steps of
    `window_strides`. Before, `lhs` gets `lhs_dilation` - 1 zeros between its
    elements and `padding` around them (a negative padding removes elements),
    and the kernel `rhs_dilation` - 1 zeros between its elements;
    `window_reversal` reverses the kernel. The features of `lhs` and the output
    features of the kernel are divided into `feature_group_count` groups, or the
    batch of `lhs` and the output features into `batch_group_count` groups, and
    each group is a convolution of its own; the results are joined along the
    output features. Only the batch, or what is summed over, may be `?`.
    Products are summed as `dot_general` sums them.

    ```mlir
    %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x28x28x1xf32>, tensor<5x5x1x6xf32>) -> tensor<?x24x24x6xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<I64ElementsAttr>:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    Stablehlo_ConvDimensionNumbersAttr:$dimension_numbers,
    I64Attr:$feature_group_count, I64Attr:$batch_group_count,
    OptionalAttr<Stablehlo_PrecisionArrayAttr>:$precision_config);
  let results = (outs Stablehlo_Tensor:$result);
  // Custom: letters for dimensions, and entries of a window in any order.
  let assemblyFormat = [{
    `(` $lhs `,` $rhs `)` `dim_numbers` `=`
    custom<ConvolutionDimensions>($dimension_numbers) `,` `window` `=`
    custom<Window>($window_strides, $padding, $lhs_dilation, $rhs_dilation,
                   $window_reversal)
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$lhs,
      "::mlir::Value":$rhs,
      "::llvm::ArrayRef<::stablehlo::WindowAxis>":$window,
      "::stablehlo::ConvDimensionNumbersAttr":$dims,
      "int64_t":$featureGroups, "int64_t":$batchGroups,
      "::mlir::ArrayAttr":$precision)>];
  let extraClassDeclaration = [{
    /// How the kernel moves along each spatial dimension.
    ::llvm::SmallVector<::stablehlo::WindowAxis> getWindow();
  }];
}

//===----------------------------------------------------------------------===//
// Reductions of windows
//===----------------------------------------------------------------------===//

def Stablehlo_ReduceWindowOp : Stablehlo_InferredOp<"reduce_window",
    [SameVariadicOperandSize, SingleBlockImplicitTerminator<"ReturnOp">,
     IsolatedFromAbove]> {
  let summary = "folds the elements of each window into one";
  let description = [{
    A window of `window_dimensions` moves over the inputs in steps of
    `window_strides`. Before, the inputs get `base_dilations` - 1 initial values
    between their elements and `padding` initial values around them (a negative
    padding removes elements); the window takes every `window_dilations`-th
    element. The body folds the elements of a window and the initial value, as
    that of `reduce` does. The batch dimension has windows of one element.

    ```mlir
    %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<?x28x28x6xf32>, tensor<f32>) -> tensor<?x14x14x6xf32>
    ```
  }];
  let arguments = (ins
    Variadic<Stablehlo_Tensor>:$inputs, Variadic<Stablehlo_Scalar>:$init_values,
    DenseI64ArrayAttr:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
    OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
    OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs Variadic<Stablehlo_Tensor>);
  let regions = (region SizedRegion<1>:$body);
  let hasRegionVerifier = 1;
  let builders = [
    // The body is left empty.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input,
      "::mlir::Value":$init,
      "::llvm::ArrayRef<::stablehlo::WindowAxis>":$window)>];
  let extraClassDeclaration = [{
    /// How the window moves along each dimension.
    ::llvm::SmallVector<::stablehlo::WindowAxis> getWindow();
  }];
}

def Stablehlo_SelectAndScatterOp : Stablehlo_InferredOp<"select_and_scatter",
    [SameOperandsAndResultElementType,
     SingleBlockImplicitTerminator<"ReturnOp">, IsolatedFromAbove]> {
  let summary = "scatters each element to the one that its window selects";
  let description = [{
    A window moves over the operand as that of `reduce_window` does, and has a
    place for each element of the source. In row-major order, `select` compares
    the element selected so far with the next one, and keeps it if it returns
    true. The result begins with the initial value everywhere; `scatter`
    combines what is at the place of the selected element with the element of
    the source. Padding selects nothing. It is the gradient of a `reduce_window`
    that takes the maximum.

    ```mlir
    %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %4 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %4 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<?x28x28x6xf32>, tensor<?x14x14x6xf32>, tensor<f32>) -> tensor<?x28x28x6xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$operand, Stablehlo_Tensor:$source,
    Stablehlo_Scalar:$init_value,
    OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs Stablehlo_Tensor:$result);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let hasRegionVerifier = 1;
  let builders = [
    // The bodies are left empty.
    OpBuilder<(ins "::mlir::Value":$operand, "::mlir::Value":$source,
      "::mlir::Value":$init,
      "::llvm::ArrayRef<::stablehlo::WindowAxis>":$window)>];
  let extraClassDeclaration = [{
    /// How the window moves along each dimension.
    ::llvm::SmallVector<::stablehlo::WindowAxis> getWindow();
  }];
}

#endif // STABLEHLO_WINDOW_OPS_TD
