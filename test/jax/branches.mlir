// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/branches.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_branches attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<i1>, %arg2: tensor<3xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.clamp %c, %arg0, %c_0 : tensor<i32>
    %1:3 = "stablehlo.case"(%0) ({
      %8 = stablehlo.sine %arg2 : tensor<3xf32>
      %9 = stablehlo.cosine %arg2 : tensor<3xf32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3xf32>
      stablehlo.return %8, %9, %10 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
    }, {
      %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3xf32>
      %9 = stablehlo.multiply %arg2, %8 : tensor<3xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3xf32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3xf32>
      stablehlo.return %9, %10, %11 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
    }, {
      %8 = stablehlo.tanh %arg2 : tensor<3xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3xf32>
      %10 = stablehlo.subtract %9, %8 : tensor<3xf32>
      stablehlo.return %8, %8, %10 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
    }) : (tensor<i32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
    %2 = stablehlo.convert %arg1 : (tensor<i1>) -> tensor<i32>
    %3:2 = "stablehlo.case"(%2) ({
      %8 = stablehlo.exponential %1#0 : tensor<3xf32>
      stablehlo.return %8, %8 : tensor<3xf32>, tensor<3xf32>
    }, {
      %8 = stablehlo.multiply %1#0, %1#0 : tensor<3xf32>
      %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3xf32>
      %10 = stablehlo.multiply %9, %1#0 : tensor<3xf32>
      stablehlo.return %8, %10 : tensor<3xf32>, tensor<3xf32>
    }) : (tensor<i32>) -> (tensor<3xf32>, tensor<3xf32>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3#0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %6 = "stablehlo.case"(%2) ({
      %8 = stablehlo.multiply %5, %3#1 : tensor<3xf32>
      stablehlo.return %8 : tensor<3xf32>
    }, {
      %8 = stablehlo.multiply %5, %3#1 : tensor<3xf32>
      stablehlo.return %8 : tensor<3xf32>
    }) : (tensor<i32>) -> tensor<3xf32>
    %7 = "stablehlo.case"(%0) ({
      %8 = stablehlo.multiply %6, %1#1 : tensor<3xf32>
      stablehlo.return %8 : tensor<3xf32>
    }, {
      %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3xf32>
      %9 = stablehlo.multiply %6, %8 : tensor<3xf32>
      stablehlo.return %9 : tensor<3xf32>
    }, {
      %8 = stablehlo.multiply %6, %1#2 : tensor<3xf32>
      %9 = stablehlo.multiply %8, %1#1 : tensor<3xf32>
      %10 = stablehlo.add %8, %9 : tensor<3xf32>
      stablehlo.return %10 : tensor<3xf32>
    }) : (tensor<i32>) -> tensor<3xf32>
    return %4, %7 : tensor<f32>, tensor<3xf32>
  }
}
