// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/barrier.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_barrier attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.sine %arg0 : tensor<4xf32>
    %1 = stablehlo.sine %0 : tensor<4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4:2 = stablehlo.optimization_barrier %arg0, %3 : tensor<4xf32>, tensor<4xf32>
    %5 = stablehlo.sine %4#0 : tensor<4xf32>
    %6 = stablehlo.cosine %4#0 : tensor<4xf32>
    %7 = stablehlo.cosine %5 : tensor<4xf32>
    %8 = stablehlo.multiply %4#1, %7 : tensor<4xf32>
    %9 = stablehlo.multiply %8, %6 : tensor<4xf32>
    return %2, %9 : tensor<f32>, tensor<4xf32>
  }
}
