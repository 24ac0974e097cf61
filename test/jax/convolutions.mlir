// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/convolutions.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_convolutions attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x7x2xf32>, %arg1: tensor<3x3x2x4xf32>, %arg2: tensor<3x2x1x4xf32>, %arg3: tensor<3x3x4x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2x6x7x2xf32> {jax.result_info = "result[1][0]"}, tensor<3x3x2x4xf32> {jax.result_info = "result[1][1]"}, tensor<3x2x1x4xf32> {jax.result_info = "result[1][2]"}, tensor<3x3x4x2xf32> {jax.result_info = "result[1][3]"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x7x2xf32>, tensor<3x3x2x4xf32>) -> tensor<2x3x4x4xf32>
    %1 = stablehlo.convolution(%arg0, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x7x2xf32>, tensor<3x2x1x4xf32>) -> tensor<2x6x7x4xf32>
    %2 = stablehlo.convolution(%0, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x4x4xf32>, tensor<3x3x4x2xf32>) -> tensor<2x6x8x2xf32>
    %3 = stablehlo.multiply %0, %0 : tensor<2x3x4x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x4x4xf32>
    %5 = stablehlo.multiply %4, %0 : tensor<2x3x4x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x3x4x4xf32>, tensor<f32>) -> tensor<f32>
    %7 = stablehlo.multiply %1, %1 : tensor<2x6x7x4xf32>
    %8 = stablehlo.multiply %7, %1 : tensor<2x6x7x4xf32>
    %9 = stablehlo.multiply %1, %1 : tensor<2x6x7x4xf32>
    %cst_1 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x7x4xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<2x6x7x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%8 init: %cst_2) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x6x7x4xf32>, tensor<f32>) -> tensor<f32>
    %13 = stablehlo.add %6, %12 : tensor<f32>
    %14 = stablehlo.multiply %2, %2 : tensor<2x6x8x2xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6x8x2xf32>
    %16 = stablehlo.multiply %15, %2 : tensor<2x6x8x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%14 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x6x8x2xf32>, tensor<f32>) -> tensor<f32>
    %18 = stablehlo.add %13, %17 : tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x6x8x2xf32>
    %20 = stablehlo.multiply %19, %16 : tensor<2x6x8x2xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x6x7x4xf32>
    %22 = stablehlo.multiply %21, %11 : tensor<2x6x7x4xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x3x4x4xf32>
    %24 = stablehlo.multiply %23, %5 : tensor<2x3x4x4xf32>
    %25 = stablehlo.convolution(%0, %20) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x4x4xf32>, tensor<2x6x8x2xf32>) -> tensor<3x3x4x2xf32>
    %26 = stablehlo.reverse %arg3, dims = [0, 1] : tensor<3x3x4x2xf32>
    %27 = stablehlo.convolution(%20, %26) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x8x2xf32>, tensor<3x3x4x2xf32>) -> tensor<2x3x4x4xf32>
    %28 = stablehlo.add %24, %27 : tensor<2x3x4x4xf32>
    %29 = stablehlo.convolution(%arg0, %22) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [2, 1], pad = [[2, 2], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x7x2xf32>, tensor<2x6x7x4xf32>) -> tensor<3x2x1x4xf32>
    %30 = stablehlo.reshape %arg2 : (tensor<3x2x1x4xf32>) -> tensor<3x2x1x2x2xf32>
    %31 = stablehlo.transpose %30, dims = [0, 1, 3, 2, 4] : (tensor<3x2x1x2x2xf32>) -> tensor<3x2x2x1x2xf32>
    %32 = stablehlo.reshape %31 : (tensor<3x2x2x1x2xf32>) -> tensor<3x2x2x2xf32>
    %33 = stablehlo.reverse %32, dims = [0, 1] : tensor<3x2x2x2xf32>
    %34 = stablehlo.convolution(%22, %33) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x7x4xf32>, tensor<3x2x2x2xf32>) -> tensor<2x6x7x2xf32>
    %35 = stablehlo.convolution(%arg0, %28) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x7x2xf32>, tensor<2x3x4x4xf32>) -> tensor<3x3x2x4xf32>
    %36 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x3x2x4xf32>
    %37 = stablehlo.convolution(%28, %36) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [1, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x4x4xf32>, tensor<3x3x2x4xf32>) -> tensor<2x6x7x2xf32>
    %38 = stablehlo.add %34, %37 : tensor<2x6x7x2xf32>
    return %18, %38, %35, %29, %25 : tensor<f32>, tensor<2x6x7x2xf32>, tensor<3x3x2x4xf32>, tensor<3x2x1x4xf32>, tensor<3x3x4x2xf32>
  }
}
