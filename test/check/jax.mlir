// RUN: ps-run %s --entry=main
// RUN: ps-opt %s | ps-opt | FileCheck %s
// RUN: sed -e 's/1.75, 3.5/1.75, 3.0/' %s > %t && not ps-run %t --entry=main 2>&1 | FileCheck %s --check-prefix=ERROR

// In the manner in which JAX prints a jitted function: helpers that are private
// functions, attributes of other dialects on the module and on results.

// CHECK: module @jit_f attributes {mhlo.num_partitions = 1 : i32
// CHECK: func.func public @main() -> (tensor<2x3xf32> {jax.result_info = "result"
// CHECK: call @leaky_relu
// CHECK: func.func private @leaky_relu
// ERROR: error: {{.*}}:[[#@LINE+17]]:5: element [1, 2] of 2x3xf32 is 3.5, expected 3 (1 of 6 elements differ)

#loc = loc(unknown)
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<2x3xf32> {jax.result_info = "result", mhlo.layout_mode = "default"}) {
    %0:2 = call @inputs() : () -> (tensor<2x3xf32>, tensor<3xf32>)
    %1 = call @expected() : () -> tensor<2x3xf32>
    %2 = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %4 = stablehlo.add %0#0, %3 : tensor<2x3xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %5 = call @leaky_relu(%4, %cst) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %6 = stablehlo.dot_general %5, %5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
    %8 = stablehlo.constant dense<15.828125> : tensor<f32>
    stablehlo.custom_call @check.expect_close(%7, %8) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
    stablehlo.custom_call @check.expect_close(%5, %1) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
    return %5 : tensor<2x3xf32>
  }
  func.func private @inputs() -> (tensor<2x3xf32> {mhlo.layout_mode = "default"}, tensor<3xf32> {mhlo.layout_mode = "default"}) {
    %cst = stablehlo.constant dense<"0x0000803F000000C0000080BF0000803F0000803F00004040"> : tensor<2x3xf32>
    %cst_0 = stablehlo.constant dense<[0.000000e+00, 7.500000e-01, 5.000000e-01]> : tensor<3xf32>
    return %cst, %cst_0 : tensor<2x3xf32>, tensor<3xf32>
  }
  func.func private @expected() -> (tensor<2x3xf32> {mhlo.layout_mode = "default"}) {
    %cst = stablehlo.constant dense<[[1.0, -0.625, -0.25], [1.0, 1.75, 3.5]]> : tensor<2x3xf32>
    return %cst : tensor<2x3xf32>
  }
  func.func private @leaky_relu(%arg0: tensor<2x3xf32> {mhlo.layout_mode = "default"}, %arg1: tensor<f32>) -> tensor<2x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %1 = stablehlo.compare  GE, %arg0, %0,  FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %3 = stablehlo.multiply %2, %arg0 : tensor<2x3xf32>
    %4 = call @_where(%1, %arg0, %3) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x3xi1>, tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
