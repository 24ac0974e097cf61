// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/adam.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_adam attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x2xf32>, %arg1: tensor<3x2xf32>, %arg2: tensor<3x2xf32>, %arg3: tensor<3x2xf32>, %arg4: tensor<i32>) -> (tensor<3x2xf32> {jax.result_info = "result[0]"}, tensor<3x2xf32> {jax.result_info = "result[1]"}, tensor<3x2xf32> {jax.result_info = "result[2]"}, tensor<i32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg4, %c : tensor<i32>
    %cst = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %2 = stablehlo.multiply %1, %arg2 : tensor<3x2xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %4 = stablehlo.multiply %3, %arg1 : tensor<3x2xf32>
    %5 = stablehlo.add %2, %4 : tensor<3x2xf32>
    %cst_1 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %7 = stablehlo.multiply %6, %arg3 : tensor<3x2xf32>
    %8 = chlo.square %arg1 : tensor<3x2xf32> -> tensor<3x2xf32>
    %cst_2 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<3x2xf32>
    %11 = stablehlo.add %7, %10 : tensor<3x2xf32>
    %12 = stablehlo.convert %0 : (tensor<i32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %13 = stablehlo.power %cst_3, %12 : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.subtract %cst_4, %13 : tensor<f32>
    %15 = stablehlo.sqrt %14 : tensor<f32>
    %cst_5 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %16 = stablehlo.multiply %cst_5, %15 : tensor<f32>
    %cst_6 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %17 = stablehlo.power %cst_6, %12 : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.subtract %cst_7, %17 : tensor<f32>
    %19 = stablehlo.divide %16, %18 : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %21 = stablehlo.multiply %20, %5 : tensor<3x2xf32>
    %22 = stablehlo.sqrt %11 : tensor<3x2xf32>
    %cst_8 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %24 = stablehlo.add %22, %23 : tensor<3x2xf32>
    %25 = stablehlo.divide %21, %24 : tensor<3x2xf32>
    %26 = stablehlo.subtract %arg0, %25 : tensor<3x2xf32>
    return %26, %5, %11, %0 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<i32>
  }
}
