// SPDX-License-Identifier: Apache-2.0
//===- ExecConvolutionOp.td - convolutions by the library -----------------===//

#ifndef EXEC_CONVOLUTION_OP_TD
#define EXEC_CONVOLUTION_OP_TD

// Included by ExecOps.td.

def Exec_ConvolutionOp : Exec_NodeOp<"convolution", [Exec_OneMemorySpace]> {
  let summary = "a convolution in f32, or one of its derivatives";
  let description = [{
    Made by `ps-lower-to-exec` from a `stablehlo.convolution`; becomes a call of
    oneDNN, on the host. All three kinds speak of one convolution, from `input`
    by `kernel` to `output`:

    | kind | reads | writes |
    |---|---|---|
    | `forward` | input, kernel | output |
    | `backward_input` | the gradient of the output, kernel | that of the input |
    | `backward_kernel` | input, the gradient of the output | that of the kernel |

    `batch`, `groups` and `features`, of the input and the output per group,
    are counts. The lists have an entry per spatial dimension: the sizes of
    input, kernel and output, the step of the kernel (`strides`), the distance
    of its elements (`dilations`) and the zeros before the input (`padding`).
    `layouts` says where elements are in each buffer, by the distance of
    neighbors: for the input and the output along the batch, the features and
    the spatial dimensions; for the kernel along the groups, the output
    features, the input features and the spatial dimensions.

    ```mlir
    %t = exec.convolution forward batch(64) groups(1) features(1, 6) input([28, 28]) kernel([5, 5]) output([24, 24]) strides([1, 1]) dilations([1, 1]) padding([0, 0]) layouts([784, 1, 28, 1], [6, 1, 6, 30, 6], [3456, 1, 144, 6]) ins(%x, %w : memref<64x28x28x1xf32>, memref<5x5x1x6xf32>) outs(%y : memref<64x24x24x6xf32>)
    ```
  }];
  let arguments = (ins
    Exec_ConvolutionKind:$kind,
    Exec_Count:$batch, Exec_Count:$groups,
    Exec_Count:$input_features, Exec_Count:$output_features,
    DenseI64ArrayAttr:$input_sizes, DenseI64ArrayAttr:$kernel_sizes,
    DenseI64ArrayAttr:$output_sizes, DenseI64ArrayAttr:$strides,
    DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$padding,
    DenseI64ArrayAttr:$input_layout, DenseI64ArrayAttr:$kernel_layout,
    DenseI64ArrayAttr:$output_layout,
    Exec_Buffer:$lhs, Exec_Buffer:$rhs, Exec_Buffer:$result,
    Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    $kind `batch` `` `(` $batch `)` `groups` `` `(` $groups `)`
    `features` `` `(` $input_features `,` $output_features `)`
    `input` `` `(` $input_sizes `)` `kernel` `` `(` $kernel_sizes `)`
    `output` `` `(` $output_sizes `)` `strides` `` `(` $strides `)`
    `dilations` `` `(` $dilations `)` `padding` `` `(` $padding `)`
    `layouts` `` `(` $input_layout `,` $kernel_layout `,` $output_layout `)`
    `ins` `` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    `outs` `` `(` $result `:` type($result) `)`
    (`after` `` `(` $after^ `)`)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// The buffers of the input, the kernel and the output, or their gradients.
    ::mlir::Value getInput();
    ::mlir::Value getKernel();
    ::mlir::Value getOutput();
  }];
  let hasVerifier = 1;
}

#endif // EXEC_CONVOLUTION_OP_TD
