// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/gelu_erf.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_gelu_erf attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x3xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<4x3xf32>
    %2 = stablehlo.negate %arg0 : tensor<4x3xf32>
    %cst_0 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<4x3xf32>
    %5 = chlo.erfc %4 : tensor<4x3xf32> -> tensor<4x3xf32>
    %6 = chlo.square %4 : tensor<4x3xf32> -> tensor<4x3xf32>
    %7 = stablehlo.negate %6 : tensor<4x3xf32>
    %8 = stablehlo.exponential %7 : tensor<4x3xf32>
    %9 = stablehlo.multiply %1, %5 : tensor<4x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %12 = stablehlo.multiply %1, %11 : tensor<4x3xf32>
    %13 = stablehlo.multiply %11, %5 : tensor<4x3xf32>
    %cst_3 = stablehlo.constant dense<-1.12837923> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<4x3xf32>
    %16 = stablehlo.multiply %15, %8 : tensor<4x3xf32>
    %cst_4 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %18 = stablehlo.multiply %16, %17 : tensor<4x3xf32>
    %19 = stablehlo.negate %18 : tensor<4x3xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %21 = stablehlo.multiply %20, %13 : tensor<4x3xf32>
    %22 = stablehlo.add %19, %21 : tensor<4x3xf32>
    return %10, %22 : tensor<f32>, tensor<4x3xf32>
  }
}
