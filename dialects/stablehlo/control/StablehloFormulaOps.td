// SPDX-License-Identifier: Apache-2.0
//===- StablehloFormulaOps.td - ops that other ops express ----------------===//
//
// ps-decompose-ops replaces them before anything else is done with a graph, so
// they need no gradient, no kernel and no rule of any other pass.
//
//===----------------------------------------------------------------------===//

#ifndef STABLEHLO_FORMULA_OPS_TD
#define STABLEHLO_FORMULA_OPS_TD

include "dialects/stablehlo/StablehloAttrs.td"

class Stablehlo_FormulaOp<string mnemonic, list<Trait> traits = []>
    : Stablehlo_Op<mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

def Stablehlo_Features : 1DTensorOf<[Stablehlo_Float]>;

class Stablehlo_BatchNormOp<string mnemonic, list<string> wholes,
                            list<string> features>
    : Stablehlo_FormulaOp<mnemonic, [
        SameOperandsAndResultElementType, AllTypesMatch<wholes>,
        AllTypesMatch<features>]> {
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::stablehlo::verifyFeatures(*this, getOperand(), getScale(),
                                         getFeatureIndex());
    }
  }];
}

def Stablehlo_BatchNormTrainingOp : Stablehlo_BatchNormOp<"batch_norm_training",
    ["operand", "output"], ["scale", "offset", "batch_mean", "batch_var"]> {
  let summary = "normalizes each feature by its mean and variance";
  let description = [{
    The features are the indices of dimension `feature_index`. For each, the
    mean and the variance over all other elements are the second and third
    result; the first is
    `(operand - mean) / sqrt(variance + epsilon) * scale + offset`. The variance
    divides by the number of elements, not by one less.

    The statistics of a batch mix its samples: a job
    [trains differently](../Design.md#a-mean-over-samples) from one process.

    ```mlir
    %3:3 = "stablehlo.batch_norm_training"(%0, %1, %2) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins
    Stablehlo_FloatTensor:$operand, Stablehlo_Features:$scale,
    Stablehlo_Features:$offset, F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs Stablehlo_FloatTensor:$output,
                      Stablehlo_Features:$batch_mean,
                      Stablehlo_Features:$batch_var);
}

def Stablehlo_BatchNormInferenceOp
    : Stablehlo_BatchNormOp<"batch_norm_inference", ["operand", "result"],
                            ["scale", "offset", "mean", "variance"]> {
  let summary = "normalizes each feature by a given mean and variance";
  let description = [{
    `(operand - mean) / sqrt(variance + epsilon) * scale + offset`, where the
    other operands are repeated along all dimensions except `feature_index`.

    ```mlir
    %5 = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_FloatTensor:$operand, Stablehlo_Features:$scale,
    Stablehlo_Features:$offset, Stablehlo_Features:$mean,
    Stablehlo_Features:$variance, F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs Stablehlo_FloatTensor:$result);
}

def Stablehlo_BatchNormGradOp : Stablehlo_BatchNormOp<"batch_norm_grad",
    ["operand", "grad_output", "grad_operand"],
    ["scale", "mean", "variance", "grad_scale", "grad_offset"]> {
  let summary = "the gradient of the first result of a batch_norm_training";
  let description = [{
    `mean` and `variance` are the second and third result of that op,
    `grad_output` is the gradient of its first. The results are the gradients of
    its operand, scale and offset. `ps-differentiate` does not make this op: it
    differentiates what `ps-decompose-ops` has made of `batch_norm_training`.

    ```mlir
    %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins
    Stablehlo_FloatTensor:$operand, Stablehlo_Features:$scale,
    Stablehlo_Features:$mean, Stablehlo_Features:$variance,
    Stablehlo_FloatTensor:$grad_output, F32Attr:$epsilon,
    I64Attr:$feature_index);
  let results = (outs Stablehlo_FloatTensor:$grad_operand,
                      Stablehlo_Features:$grad_scale,
                      Stablehlo_Features:$grad_offset);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def Stablehlo_MapOp : Stablehlo_FormulaOp<"map",
    [SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "applies a computation of scalars to all elements";
  let description = [{
    Element i of the result is what the computation returns for the elements i
    of the inputs. Its ops must be elementwise or constants. `dimensions` lists
    all dimensions.

    ```mlir
    %2 = "stablehlo.map"(%0, %1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Stablehlo_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
  let hasRegionVerifier = 1;
}

def Stablehlo_RngBitGeneratorOp : Stablehlo_FormulaOp<"rng_bit_generator"> {
  let summary = "random bits that a state determines";
  let description = [{
    `output` has random bits, and `output_state` is the state for the next ones.
    The bits are those that XLA generates: `THREE_FRY` is Threefry-2x32 with 20
    rounds, whose state is a key and a counter; `PHILOX` is Philox-4x32 with 10
    rounds, whose state is a key and the two words of a counter, of which the
    second may be missing: it is the key then. `DEFAULT` is `PHILOX`, as it is for XLA on CPUs. 
    Integers of less than 32 bits are the lower bits of generated ones.

    JAX writes it for `lax.rng_bit_generator` and for keys of the
    implementations `rbg` and `unsafe_rbg`. The result's sizes must be numbers.

    ```mlir
    %output_state, %output = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui32>)
    ```
  }];
  let arguments = (ins Stablehlo_RngAlgorithmAttr:$rng_algorithm,
                       1DTensorOf<[UI64]>:$initial_state);
  let results = (outs 1DTensorOf<[UI64]>:$output_state,
                      Stablehlo_IntTensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` custom<Algorithm>($rng_algorithm)
    attr-dict `:` functional-type(operands, results)
  }];
}

#endif // STABLEHLO_FORMULA_OPS_TD
