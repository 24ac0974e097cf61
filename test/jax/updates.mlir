// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/updates.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_updates attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<i32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x4xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg0 [0:2, 0:2] : (tensor<4x4xf32>) -> tensor<2x2xf32>
    %1 = stablehlo.negate %0 : tensor<2x2xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.subtract %arg1, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<4> : tensor<i32>
    %4 = stablehlo.add %arg1, %c_1 : tensor<i32>
    %5 = stablehlo.select %3, %4, %arg1 : tensor<i1>, tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %2, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<4> : tensor<i32>
    %7 = stablehlo.add %2, %c_3 : tensor<i32>
    %8 = stablehlo.select %6, %7, %2 : tensor<i1>, tensor<i32>
    %9 = stablehlo.dynamic_update_slice %arg0, %1, %5, %8 : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
    %10 = stablehlo.multiply %arg0, %arg0 : tensor<4x4xf32>
    %11 = stablehlo.slice %arg0 [0:2, 0:2] : (tensor<4x4xf32>) -> tensor<2x2xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.compare LT, %arg1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<4> : tensor<i32>
    %13 = stablehlo.add %arg1, %c_5 : tensor<i32>
    %14 = stablehlo.select %12, %13, %arg1 : tensor<i1>, tensor<i32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %15 = stablehlo.dynamic_update_slice %10, %11, %14, %c_6 : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
    %16 = stablehlo.multiply %15, %9 : tensor<4x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %19 = stablehlo.multiply %18, %9 : tensor<4x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %c_9 = stablehlo.constant dense<1> : tensor<i32>
    %21 = stablehlo.dynamic_update_slice %19, %20, %14, %c_9 : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
    %c_10 = stablehlo.constant dense<1> : tensor<i32>
    %22 = stablehlo.dynamic_slice %19, %14, %c_10, sizes = [2, 2] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.pad %22, %cst_11, low = [0, 0], high = [2, 2], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
    %24 = stablehlo.multiply %arg0, %21 : tensor<4x4xf32>
    %25 = stablehlo.add %23, %24 : tensor<4x4xf32>
    %26 = stablehlo.multiply %21, %arg0 : tensor<4x4xf32>
    %27 = stablehlo.add %25, %26 : tensor<4x4xf32>
    return %17, %27 : tensor<f32>, tensor<4x4xf32>
  }
}
