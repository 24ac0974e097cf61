// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/gelu_tanh.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_gelu_tanh attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x3xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x3xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<4x3xf32>
    %2 = stablehlo.multiply %arg0, %arg0 : tensor<4x3xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<4x3xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %6 = stablehlo.multiply %5, %1 : tensor<4x3xf32>
    %7 = stablehlo.add %arg0, %6 : tensor<4x3xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<4x3xf32>
    %10 = stablehlo.tanh %9 : tensor<4x3xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %12 = stablehlo.subtract %11, %10 : tensor<4x3xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %14 = stablehlo.add %13, %10 : tensor<4x3xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<4x3xf32>
    %17 = stablehlo.multiply %arg0, %16 : tensor<4x3xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %20 = stablehlo.multiply %arg0, %19 : tensor<4x3xf32>
    %21 = stablehlo.multiply %19, %16 : tensor<4x3xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %23 = stablehlo.multiply %22, %20 : tensor<4x3xf32>
    %24 = stablehlo.multiply %23, %12 : tensor<4x3xf32>
    %25 = stablehlo.multiply %24, %10 : tensor<4x3xf32>
    %26 = stablehlo.add %24, %25 : tensor<4x3xf32>
    %cst_8 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<4x3xf32>
    %29 = stablehlo.add %21, %28 : tensor<4x3xf32>
    %cst_9 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %31 = stablehlo.multiply %30, %28 : tensor<4x3xf32>
    %32 = stablehlo.multiply %31, %4 : tensor<4x3xf32>
    %33 = stablehlo.add %29, %32 : tensor<4x3xf32>
    return %18, %33 : tensor<f32>, tensor<4x3xf32>
  }
}
