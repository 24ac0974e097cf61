// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/channels_first.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_channels_first attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x5x6xf32>, %arg1: tensor<4x3x3x3xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2x3x5x6xf32> {jax.result_info = "result[1][0]"}, tensor<4x3x3x3xf32> {jax.result_info = "result[1][1]"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x5x6xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.tanh %0 : tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<2x4x5x6xf32>
    %4 = stablehlo.multiply %1, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.multiply %5, %1 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.multiply %8, %6 : tensor<2x4x5x6xf32>
    %10 = stablehlo.multiply %9, %3 : tensor<2x4x5x6xf32>
    %11 = stablehlo.multiply %10, %1 : tensor<2x4x5x6xf32>
    %12 = stablehlo.add %10, %11 : tensor<2x4x5x6xf32>
    %13 = stablehlo.convolution(%arg0, %12) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x5x6xf32>, tensor<2x4x5x6xf32>) -> tensor<4x3x3x3xf32>
    %14 = stablehlo.reverse %arg1, dims = [2, 3] : tensor<4x3x3x3xf32>
    %15 = stablehlo.convolution(%12, %14) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x5x6xf32>, tensor<4x3x3x3xf32>) -> tensor<2x3x5x6xf32>
    return %7, %15, %13 : tensor<f32>, tensor<2x3x5x6xf32>, tensor<4x3x3x3xf32>
  }
}
