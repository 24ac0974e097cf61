// RUN: ps-opt %s --ps-test-numeric-gradient -o %t && ps-run %t --entry=main

// The derivatives of convolutions, whichever way their windows move.

func.func private @plain(%x: tensor<2x4x2xf64>, %w: tensor<3x2x2xf64>) -> tensor<2x2x2xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x2xf64>, tensor<3x2x2xf64>) -> tensor<2x2x2xf64>
  return %0 : tensor<2x2x2xf64>
}

func.func private @padded(%x: tensor<1x4x3x1xf64>, %w: tensor<3x2x1x2xf64>) -> tensor<1x4x4x2xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x3x1xf64>, tensor<3x2x1x2xf64>) -> tensor<1x4x4x2xf64>
  return %0 : tensor<1x4x4x2xf64>
}

// The last row is in no window.
func.func private @steps(%x: tensor<1x5x6x1xf64>, %w: tensor<2x3x1x2xf64>) -> tensor<1x2x3x2xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x6x1xf64>, tensor<2x3x1x2xf64>) -> tensor<1x2x3x2xf64>
  return %0 : tensor<1x2x3x2xf64>
}

func.func private @cropped(%x: tensor<1x5x5x1xf64>, %w: tensor<2x2x1x1xf64>) -> tensor<1x3x2x1xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[-1, 0], [-1, -1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x1xf64>, tensor<2x2x1x1xf64>) -> tensor<1x3x2x1xf64>
  return %0 : tensor<1x3x2x1xf64>
}

func.func private @dilated(%x: tensor<1x6x1xf64>, %w: tensor<3x1x2xf64>) -> tensor<1x2x2xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x1xf64>, tensor<3x1x2xf64>) -> tensor<1x2x2xf64>
  return %0 : tensor<1x2x2xf64>
}

func.func private @dilated_in_steps(%x: tensor<1x8x1xf64>, %w: tensor<3x1x1xf64>) -> tensor<1x3x1xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], rhs_dilate = [2], pad = [[1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x1xf64>, tensor<3x1x1xf64>) -> tensor<1x3x1xf64>
  return %0 : tensor<1x3x1xf64>
}

func.func private @dilated_base(%x: tensor<1x3x2xf64>, %w: tensor<3x2x1xf64>) -> tensor<1x5x1xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [2], pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x2xf64>, tensor<3x2x1xf64>) -> tensor<1x5x1xf64>
  return %0 : tensor<1x5x1xf64>
}

func.func private @everything(%x: tensor<1x4x3x2xf64>, %w: tensor<2x3x2x2xf64>) -> tensor<1x5x3x2xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[2, 1], [0, 2]], lhs_dilate = [3, 2], rhs_dilate = [3, 2], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x3x2xf64>, tensor<2x3x2x2xf64>) -> tensor<1x5x3x2xf64>
  return %0 : tensor<1x5x3x2xf64>
}

func.func private @reversed(%x: tensor<1x4x4x1xf64>, %w: tensor<2x3x1x2xf64>) -> tensor<1x3x2x2xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf64>, tensor<2x3x1x2xf64>) -> tensor<1x3x2x2xf64>
  return %0 : tensor<1x3x2x2xf64>
}

func.func private @features_first(%x: tensor<2x2x3x3xf64>, %w: tensor<2x2x2x2xf64>) -> tensor<2x2x2x2xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x3x3xf64>, tensor<2x2x2x2xf64>) -> tensor<2x2x2x2xf64>
  return %0 : tensor<2x2x2x2xf64>
}

func.func private @mixed_dimensions(%x: tensor<3x2x2x4xf64>, %w: tensor<2x2x2x3xf64>) -> tensor<2x3x3x2xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [0, b, f, 1]x[i, 1, o, 0]->[b, 0, 1, f], window = {pad = [[1, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x2x2x4xf64>, tensor<2x2x2x3xf64>) -> tensor<2x3x3x2xf64>
  return %0 : tensor<2x3x3x2xf64>
}

func.func private @no_space(%x: tensor<2x3xf64>, %w: tensor<3x2xf64>) -> tensor<2x2xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

func.func private @feature_groups(%x: tensor<2x3x4xf64>, %w: tensor<2x2x6xf64>) -> tensor<2x2x6xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x3x4xf64>, tensor<2x2x6xf64>) -> tensor<2x2x6xf64>
  return %0 : tensor<2x2x6xf64>
}

func.func private @each_feature(%x: tensor<1x3x3x3xf64>, %w: tensor<2x2x1x6xf64>) -> tensor<1x2x2x6xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x3x3xf64>, tensor<2x2x1x6xf64>) -> tensor<1x2x2x6xf64>
  return %0 : tensor<1x2x2x6xf64>
}

func.func private @feature_groups_first(%x: tensor<1x4x3x3xf64>, %w: tensor<4x2x2x2xf64>) -> tensor<1x4x3x2xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4x3x3xf64>, tensor<4x2x2x2xf64>) -> tensor<1x4x3x2xf64>
  return %0 : tensor<1x4x3x2xf64>
}

func.func private @batch_groups(%x: tensor<4x3x2xf64>, %w: tensor<2x2x4xf64>) -> tensor<2x2x4xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x3x2xf64>, tensor<2x2x4xf64>) -> tensor<2x2x4xf64>
  return %0 : tensor<2x2x4xf64>
}

func.func private @batch_groups_first(%x: tensor<4x1x3x3xf64>, %w: tensor<8x1x2x2xf64>) -> tensor<1x8x1x2xf64> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], reverse = [false, true]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<4x1x3x3xf64>, tensor<8x1x2x2xf64>) -> tensor<1x8x1x2xf64>
  return %0 : tensor<1x8x1x2xf64>
}

func.func @main() {
  %x0 = stablehlo.constant dense<[[[-1.15, 0.6], [-0.4, 1.35], [0.35, -0.65], [1.1, 0.1]], [[-0.9, 0.85], [-0.15, -1.15], [0.6, -0.4], [1.35, 0.35]]]> : tensor<2x4x2xf64>
  %w0 = stablehlo.constant dense<[[[-1.05, 0.2], [1.45, -0.05]], [[1.2, -0.3], [0.95, -0.55]], [[0.7, -0.8], [0.45, -1.05]]]> : tensor<3x2x2xf64>
  %0 = call @plain(%x0, %w0) : (tensor<2x4x2xf64>, tensor<3x2x2xf64>) -> tensor<2x2x2xf64>
  %x1 = stablehlo.constant dense<[[[[-1.15], [0.6], [-0.4]], [[1.35], [0.35], [-0.65]], [[1.1], [0.1], [-0.9]], [[0.85], [-0.15], [-1.15]]]]> : tensor<1x4x3x1xf64>
  %w1 = stablehlo.constant dense<[[[[-1.05, 0.2]], [[1.45, -0.05]]], [[[1.2, -0.3]], [[0.95, -0.55]]], [[[0.7, -0.8]], [[0.45, -1.05]]]]> : tensor<3x2x1x2xf64>
  %1 = call @padded(%x1, %w1) : (tensor<1x4x3x1xf64>, tensor<3x2x1x2xf64>) -> tensor<1x4x4x2xf64>
  %x2 = stablehlo.constant dense<[[[[-1.15], [0.6], [-0.4], [1.35], [0.35], [-0.65]], [[1.1], [0.1], [-0.9], [0.85], [-0.15], [-1.15]], [[0.6], [-0.4], [1.35], [0.35], [-0.65], [1.1]], [[0.1], [-0.9], [0.85], [-0.15], [-1.15], [0.6]], [[-0.4], [1.35], [0.35], [-0.65], [1.1], [0.1]]]]> : tensor<1x5x6x1xf64>
  %w2 = stablehlo.constant dense<[[[[-1.05, 0.2]], [[1.45, -0.05]], [[1.2, -0.3]]], [[[0.95, -0.55]], [[0.7, -0.8]], [[0.45, -1.05]]]]> : tensor<2x3x1x2xf64>
  %2 = call @steps(%x2, %w2) : (tensor<1x5x6x1xf64>, tensor<2x3x1x2xf64>) -> tensor<1x2x3x2xf64>
  %x3 = stablehlo.constant dense<[[[[-1.15], [0.6], [-0.4], [1.35], [0.35]], [[-0.65], [1.1], [0.1], [-0.9], [0.85]], [[-0.15], [-1.15], [0.6], [-0.4], [1.35]], [[0.35], [-0.65], [1.1], [0.1], [-0.9]], [[0.85], [-0.15], [-1.15], [0.6], [-0.4]]]]> : tensor<1x5x5x1xf64>
  %w3 = stablehlo.constant dense<[[[[-1.05]], [[0.2]]], [[[1.45]], [[-0.05]]]]> : tensor<2x2x1x1xf64>
  %3 = call @cropped(%x3, %w3) : (tensor<1x5x5x1xf64>, tensor<2x2x1x1xf64>) -> tensor<1x3x2x1xf64>
  %x4 = stablehlo.constant dense<[[[-1.15], [0.6], [-0.4], [1.35], [0.35], [-0.65]]]> : tensor<1x6x1xf64>
  %w4 = stablehlo.constant dense<[[[-1.05, 0.2]], [[1.45, -0.05]], [[1.2, -0.3]]]> : tensor<3x1x2xf64>
  %4 = call @dilated(%x4, %w4) : (tensor<1x6x1xf64>, tensor<3x1x2xf64>) -> tensor<1x2x2xf64>
  %x5 = stablehlo.constant dense<[[[-1.15], [0.6], [-0.4], [1.35], [0.35], [-0.65], [1.1], [0.1]]]> : tensor<1x8x1xf64>
  %w5 = stablehlo.constant dense<[[[-1.05]], [[0.2]], [[1.45]]]> : tensor<3x1x1xf64>
  %5 = call @dilated_in_steps(%x5, %w5) : (tensor<1x8x1xf64>, tensor<3x1x1xf64>) -> tensor<1x3x1xf64>
  %x6 = stablehlo.constant dense<[[[-1.15, 0.6], [-0.4, 1.35], [0.35, -0.65]]]> : tensor<1x3x2xf64>
  %w6 = stablehlo.constant dense<[[[-1.05], [0.2]], [[1.45], [-0.05]], [[1.2], [-0.3]]]> : tensor<3x2x1xf64>
  %6 = call @dilated_base(%x6, %w6) : (tensor<1x3x2xf64>, tensor<3x2x1xf64>) -> tensor<1x5x1xf64>
  %x7 = stablehlo.constant dense<[[[[-1.15, 0.6], [-0.4, 1.35], [0.35, -0.65]], [[1.1, 0.1], [-0.9, 0.85], [-0.15, -1.15]], [[0.6, -0.4], [1.35, 0.35], [-0.65, 1.1]], [[0.1, -0.9], [0.85, -0.15], [-1.15, 0.6]]]]> : tensor<1x4x3x2xf64>
  %w7 = stablehlo.constant dense<[[[[-1.05, 0.2], [1.45, -0.05]], [[1.2, -0.3], [0.95, -0.55]], [[0.7, -0.8], [0.45, -1.05]]], [[[0.2, 1.45], [-0.05, 1.2]], [[-0.3, 0.95], [-0.55, 0.7]], [[-0.8, 0.45], [-1.05, 0.2]]]]> : tensor<2x3x2x2xf64>
  %7 = call @everything(%x7, %w7) : (tensor<1x4x3x2xf64>, tensor<2x3x2x2xf64>) -> tensor<1x5x3x2xf64>
  %x8 = stablehlo.constant dense<[[[[-1.15], [0.6], [-0.4], [1.35]], [[0.35], [-0.65], [1.1], [0.1]], [[-0.9], [0.85], [-0.15], [-1.15]], [[0.6], [-0.4], [1.35], [0.35]]]]> : tensor<1x4x4x1xf64>
  %w8 = stablehlo.constant dense<[[[[-1.05, 0.2]], [[1.45, -0.05]], [[1.2, -0.3]]], [[[0.95, -0.55]], [[0.7, -0.8]], [[0.45, -1.05]]]]> : tensor<2x3x1x2xf64>
  %8 = call @reversed(%x8, %w8) : (tensor<1x4x4x1xf64>, tensor<2x3x1x2xf64>) -> tensor<1x3x2x2xf64>
  %x9 = stablehlo.constant dense<[[[[-1.15, 0.6, -0.4], [1.35, 0.35, -0.65], [1.1, 0.1, -0.9]], [[0.85, -0.15, -1.15], [0.6, -0.4, 1.35], [0.35, -0.65, 1.1]]], [[[0.1, -0.9, 0.85], [-0.15, -1.15, 0.6], [-0.4, 1.35, 0.35]], [[-0.65, 1.1, 0.1], [-0.9, 0.85, -0.15], [-1.15, 0.6, -0.4]]]]> : tensor<2x2x3x3xf64>
  %w9 = stablehlo.constant dense<[[[[-1.05, 0.2], [1.45, -0.05]], [[1.2, -0.3], [0.95, -0.55]]], [[[0.7, -0.8], [0.45, -1.05]], [[0.2, 1.45], [-0.05, 1.2]]]]> : tensor<2x2x2x2xf64>
  %9 = call @features_first(%x9, %w9) : (tensor<2x2x3x3xf64>, tensor<2x2x2x2xf64>) -> tensor<2x2x2x2xf64>
  %x10 = stablehlo.constant dense<[[[[-1.15, 0.6, -0.4, 1.35], [0.35, -0.65, 1.1, 0.1]], [[-0.9, 0.85, -0.15, -1.15], [0.6, -0.4, 1.35, 0.35]]], [[[-0.65, 1.1, 0.1, -0.9], [0.85, -0.15, -1.15, 0.6]], [[-0.4, 1.35, 0.35, -0.65], [1.1, 0.1, -0.9, 0.85]]], [[[-0.15, -1.15, 0.6, -0.4], [1.35, 0.35, -0.65, 1.1]], [[0.1, -0.9, 0.85, -0.15], [-1.15, 0.6, -0.4, 1.35]]]]> : tensor<3x2x2x4xf64>
  %w10 = stablehlo.constant dense<[[[[-1.05, 0.2, 1.45], [-0.05, 1.2, -0.3]], [[0.95, -0.55, 0.7], [-0.8, 0.45, -1.05]]], [[[0.2, 1.45, -0.05], [1.2, -0.3, 0.95]], [[-0.55, 0.7, -0.8], [0.45, -1.05, 0.2]]]]> : tensor<2x2x2x3xf64>
  %10 = call @mixed_dimensions(%x10, %w10) : (tensor<3x2x2x4xf64>, tensor<2x2x2x3xf64>) -> tensor<2x3x3x2xf64>
  %x11 = stablehlo.constant dense<[[-1.15, 0.6, -0.4], [1.35, 0.35, -0.65]]> : tensor<2x3xf64>
  %w11 = stablehlo.constant dense<[[-1.05, 0.2], [1.45, -0.05], [1.2, -0.3]]> : tensor<3x2xf64>
  %11 = call @no_space(%x11, %w11) : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<2x2xf64>
  %x12 = stablehlo.constant dense<[[[-1.15, 0.6, -0.4, 1.35], [0.35, -0.65, 1.1, 0.1], [-0.9, 0.85, -0.15, -1.15]], [[0.6, -0.4, 1.35, 0.35], [-0.65, 1.1, 0.1, -0.9], [0.85, -0.15, -1.15, 0.6]]]> : tensor<2x3x4xf64>
  %w12 = stablehlo.constant dense<[[[-1.05, 0.2, 1.45, -0.05, 1.2, -0.3], [0.95, -0.55, 0.7, -0.8, 0.45, -1.05]], [[0.2, 1.45, -0.05, 1.2, -0.3, 0.95], [-0.55, 0.7, -0.8, 0.45, -1.05, 0.2]]]> : tensor<2x2x6xf64>
  %12 = call @feature_groups(%x12, %w12) : (tensor<2x3x4xf64>, tensor<2x2x6xf64>) -> tensor<2x2x6xf64>
  %x13 = stablehlo.constant dense<[[[[-1.15, 0.6, -0.4], [1.35, 0.35, -0.65], [1.1, 0.1, -0.9]], [[0.85, -0.15, -1.15], [0.6, -0.4, 1.35], [0.35, -0.65, 1.1]], [[0.1, -0.9, 0.85], [-0.15, -1.15, 0.6], [-0.4, 1.35, 0.35]]]]> : tensor<1x3x3x3xf64>
  %w13 = stablehlo.constant dense<[[[[-1.05, 0.2, 1.45, -0.05, 1.2, -0.3]], [[0.95, -0.55, 0.7, -0.8, 0.45, -1.05]]], [[[0.2, 1.45, -0.05, 1.2, -0.3, 0.95]], [[-0.55, 0.7, -0.8, 0.45, -1.05, 0.2]]]]> : tensor<2x2x1x6xf64>
  %13 = call @each_feature(%x13, %w13) : (tensor<1x3x3x3xf64>, tensor<2x2x1x6xf64>) -> tensor<1x2x2x6xf64>
  %x14 = stablehlo.constant dense<[[[[-1.15, 0.6, -0.4], [1.35, 0.35, -0.65], [1.1, 0.1, -0.9]], [[0.85, -0.15, -1.15], [0.6, -0.4, 1.35], [0.35, -0.65, 1.1]], [[0.1, -0.9, 0.85], [-0.15, -1.15, 0.6], [-0.4, 1.35, 0.35]], [[-0.65, 1.1, 0.1], [-0.9, 0.85, -0.15], [-1.15, 0.6, -0.4]]]]> : tensor<1x4x3x3xf64>
  %w14 = stablehlo.constant dense<[[[[-1.05, 0.2], [1.45, -0.05]], [[1.2, -0.3], [0.95, -0.55]]], [[[0.7, -0.8], [0.45, -1.05]], [[0.2, 1.45], [-0.05, 1.2]]], [[[-0.3, 0.95], [-0.55, 0.7]], [[-0.8, 0.45], [-1.05, 0.2]]], [[[1.45, -0.05], [1.2, -0.3]], [[0.95, -0.55], [0.7, -0.8]]]]> : tensor<4x2x2x2xf64>
  %14 = call @feature_groups_first(%x14, %w14) : (tensor<1x4x3x3xf64>, tensor<4x2x2x2xf64>) -> tensor<1x4x3x2xf64>
  %x15 = stablehlo.constant dense<[[[-1.15, 0.6], [-0.4, 1.35], [0.35, -0.65]], [[1.1, 0.1], [-0.9, 0.85], [-0.15, -1.15]], [[0.6, -0.4], [1.35, 0.35], [-0.65, 1.1]], [[0.1, -0.9], [0.85, -0.15], [-1.15, 0.6]]]> : tensor<4x3x2xf64>
  %w15 = stablehlo.constant dense<[[[-1.05, 0.2, 1.45, -0.05], [1.2, -0.3, 0.95, -0.55]], [[0.7, -0.8, 0.45, -1.05], [0.2, 1.45, -0.05, 1.2]]]> : tensor<2x2x4xf64>
  %15 = call @batch_groups(%x15, %w15) : (tensor<4x3x2xf64>, tensor<2x2x4xf64>) -> tensor<2x2x4xf64>
  %x16 = stablehlo.constant dense<[[[[-1.15, 0.6, -0.4], [1.35, 0.35, -0.65], [1.1, 0.1, -0.9]]], [[[0.85, -0.15, -1.15], [0.6, -0.4, 1.35], [0.35, -0.65, 1.1]]], [[[0.1, -0.9, 0.85], [-0.15, -1.15, 0.6], [-0.4, 1.35, 0.35]]], [[[-0.65, 1.1, 0.1], [-0.9, 0.85, -0.15], [-1.15, 0.6, -0.4]]]]> : tensor<4x1x3x3xf64>
  %w16 = stablehlo.constant dense<[[[[-1.05, 0.2], [1.45, -0.05]]], [[[1.2, -0.3], [0.95, -0.55]]], [[[0.7, -0.8], [0.45, -1.05]]], [[[0.2, 1.45], [-0.05, 1.2]]], [[[-0.3, 0.95], [-0.55, 0.7]]], [[[-0.8, 0.45], [-1.05, 0.2]]], [[[1.45, -0.05], [1.2, -0.3]]], [[[0.95, -0.55], [0.7, -0.8]]]]> : tensor<8x1x2x2xf64>
  %16 = call @batch_groups_first(%x16, %w16) : (tensor<4x1x3x3xf64>, tensor<8x1x2x2xf64>) -> tensor<1x8x1x2xf64>
  return
}
