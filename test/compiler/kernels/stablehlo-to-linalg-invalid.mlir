// RUN: ps-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(ps-stablehlo-to-linalg))'

func.func @calls(%x: tensor<4xf32>) attributes {exec.kernel} {
  // expected-error @+1 {{'stablehlo.custom_call' op cannot be in a kernel}}
  stablehlo.custom_call @check.expect_eq(%x, %x) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @counts_rows(%x: tensor<?x4xf32>) -> tensor<i32> attributes {exec.kernel} {
  // expected-error @+1 {{'stablehlo.get_dimension_size' op reads the number of rows, which a kernel does not know}}
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func private @other(%x: tensor<f32>) -> tensor<f32>
func.func @calls_in_a_reduce(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<f32> attributes {exec.kernel} {
  %0 = stablehlo.reduce(%x init: %s) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    // expected-error @+1 {{'func.call' op is not supported in the body of a reduce}}
    %1 = func.call @other(%a) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @resource() -> tensor<2xf32> attributes {exec.kernel} {
  // expected-error @+1 {{'stablehlo.constant' op expected a dense constant}}
  %0 = stablehlo.constant dense_resource<blob> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32>
func.func @calls_in_a_scatter(%x: tensor<4xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<4xf32> attributes {exec.kernel} {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error @+1 {{'func.call' op is not supported in the body of a scatter}}
    %1 = func.call @add(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @split_elements(%x: tensor<4xf64>) -> tensor<4x2xi32> attributes {exec.kernel} {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op cannot be in a kernel}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf64>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}
