// RUN: ps-opt %s --ps-test-numeric-gradient -o %t && ps-run %t --entry=main

// The derivative of each op that moves elements about.

func.func private @broadcast_new_dimension(%x: tensor<3xf64>) -> tensor<2x3xf64> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @broadcast_scalar(%x: tensor<f64>) -> tensor<2x3xf64> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @broadcast_widened(%x: tensor<2x1xf64>) -> tensor<2x2x3xf64> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x1xf64>) -> tensor<2x2x3xf64>
  return %0 : tensor<2x2x3xf64>
}

// Dimensions may change their order.
func.func private @broadcast_reordered(%x: tensor<2x3xf64>) -> tensor<3x2x2xf64> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<2x3xf64>) -> tensor<3x2x2xf64>
  return %0 : tensor<3x2x2xf64>
}

func.func private @broadcast_widened_and_reordered(%x: tensor<3x1x2xf64>) -> tensor<2x2x3xf64> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 1, 0] : (tensor<3x1x2xf64>) -> tensor<2x2x3xf64>
  return %0 : tensor<2x2x3xf64>
}

func.func private @broadcast_nothing(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @reshape(%x: tensor<2x3xf64>) -> tensor<3x2xf64> {
  %0 = stablehlo.reshape %x : (tensor<2x3xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

func.func private @transpose(%x: tensor<4x2x3xf64>) -> tensor<2x3x4xf64> {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<4x2x3xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

func.func private @reverse(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @slice(%x: tensor<7xf64>) -> tensor<3xf64> {
  %0 = stablehlo.slice %x [1:4] : (tensor<7xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @slice_strided(%x: tensor<7xf64>) -> tensor<3xf64> {
  %0 = stablehlo.slice %x [1:6:2] : (tensor<7xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @slice_strided_short(%x: tensor<7xf64>) -> tensor<2xf64> {
  %0 = stablehlo.slice %x [0:6:4] : (tensor<7xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

func.func private @slice_of_matrix(%x: tensor<2x3xf64>) -> tensor<2x2xf64> {
  %0 = stablehlo.slice %x [0:2, 1:3] : (tensor<2x3xf64>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

func.func private @dynamic_slice(%x: tensor<2x3xf64>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<1x2xf64> {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [1, 2] : (tensor<2x3xf64>, tensor<i32>, tensor<i32>) -> tensor<1x2xf64>
  return %0 : tensor<1x2xf64>
}

// A start out of range is clamped.
func.func private @dynamic_slice_clamped_high(%x: tensor<7xf64>, %i: tensor<i64>) -> tensor<3xf64> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<7xf64>, tensor<i64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @dynamic_slice_clamped_low(%x: tensor<7xf64>, %i: tensor<i64>) -> tensor<3xf64> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<7xf64>, tensor<i64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @dynamic_slice_unsigned(%x: tensor<7xf64>, %i: tensor<ui8>) -> tensor<3xf64> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<7xf64>, tensor<ui8>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @dynamic_slice_unsigned_64(%x: tensor<7xf64>, %i: tensor<ui64>) -> tensor<3xf64> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<7xf64>, tensor<ui64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @pad(%x: tensor<3xf64>, %v: tensor<f64>) -> tensor<6xf64> {
  %0 = stablehlo.pad %x, %v, low = [1], high = [2], interior = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<6xf64>
  return %0 : tensor<6xf64>
}

func.func private @pad_interior(%x: tensor<2x3xf64>, %v: tensor<f64>) -> tensor<5x6xf64> {
  %0 = stablehlo.pad %x, %v, low = [0, 1], high = [1, 0], interior = [2, 1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<5x6xf64>
  return %0 : tensor<5x6xf64>
}

func.func private @pad_negative(%x: tensor<7xf64>, %v: tensor<f64>) -> tensor<4xf64> {
  %0 = stablehlo.pad %x, %v, low = [-2], high = [-1], interior = [0] : (tensor<7xf64>, tensor<f64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func private @pad_mixed(%x: tensor<3xf64>, %v: tensor<f64>) -> tensor<6xf64> {
  %0 = stablehlo.pad %x, %v, low = [-2], high = [3], interior = [1] : (tensor<3xf64>, tensor<f64>) -> tensor<6xf64>
  return %0 : tensor<6xf64>
}

func.func private @concatenate(%x: tensor<2x3xf64>, %y: tensor<2x1xf64>, %z: tensor<2x2xf64>) -> tensor<2x6xf64> {
  %0 = stablehlo.concatenate %x, %y, %z, dim = 1 : (tensor<2x3xf64>, tensor<2x1xf64>, tensor<2x2xf64>) -> tensor<2x6xf64>
  return %0 : tensor<2x6xf64>
}

func.func private @concatenate_twice_the_same(%x: tensor<3xf64>) -> tensor<6xf64> {
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<3xf64>, tensor<3xf64>) -> tensor<6xf64>
  return %0 : tensor<6xf64>
}

func.func @main() {
  %broadcast_new_dimension_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %broadcast_new_dimension = call @broadcast_new_dimension(%broadcast_new_dimension_x) : (tensor<3xf64>) -> tensor<2x3xf64>
  %broadcast_scalar_x = stablehlo.constant dense<0.7> : tensor<f64>
  %broadcast_scalar = call @broadcast_scalar(%broadcast_scalar_x) : (tensor<f64>) -> tensor<2x3xf64>
  %broadcast_widened_x = stablehlo.constant dense<[[1.0], [-2.0]]> : tensor<2x1xf64>
  %broadcast_widened = call @broadcast_widened(%broadcast_widened_x) : (tensor<2x1xf64>) -> tensor<2x2x3xf64>
  %broadcast_reordered_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %broadcast_reordered = call @broadcast_reordered(%broadcast_reordered_x) : (tensor<2x3xf64>) -> tensor<3x2x2xf64>
  %broadcast_widened_and_reordered_x = stablehlo.constant dense<[[[1.0, 2.0]], [[3.0, -4.0]], [[0.5, 0.1]]]> : tensor<3x1x2xf64>
  %broadcast_widened_and_reordered = call @broadcast_widened_and_reordered(%broadcast_widened_and_reordered_x) : (tensor<3x1x2xf64>) -> tensor<2x2x3xf64>
  %broadcast_nothing_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %broadcast_nothing = call @broadcast_nothing(%broadcast_nothing_x) : (tensor<3xf64>) -> tensor<3xf64>
  %reshape_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %reshape = call @reshape(%reshape_x) : (tensor<2x3xf64>) -> tensor<3x2xf64>
  %transpose_x = stablehlo.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], [[-1.0, 2.0, -3.0], [4.0, -5.0, 6.0]], [[7.0, 8.0, 9.0], [1.5, 2.5, 3.5]]]> : tensor<4x2x3xf64>
  %transpose = call @transpose(%transpose_x) : (tensor<4x2x3xf64>) -> tensor<2x3x4xf64>
  %reverse_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %reverse = call @reverse(%reverse_x) : (tensor<2x3xf64>) -> tensor<2x3xf64>
  %slice_x = stablehlo.constant dense<[1.0, -2.0, 3.0, 0.5, 0.7, -0.9, 1.1]> : tensor<7xf64>
  %slice = call @slice(%slice_x) : (tensor<7xf64>) -> tensor<3xf64>
  %slice_strided_x = stablehlo.constant dense<[1.0, -2.0, 3.0, 0.5, 0.7, -0.9, 1.1]> : tensor<7xf64>
  %slice_strided = call @slice_strided(%slice_strided_x) : (tensor<7xf64>) -> tensor<3xf64>
  %slice_strided_short_x = stablehlo.constant dense<[1.0, -2.0, 3.0, 0.5, 0.7, -0.9, 1.1]> : tensor<7xf64>
  %slice_strided_short = call @slice_strided_short(%slice_strided_short_x) : (tensor<7xf64>) -> tensor<2xf64>
  %slice_of_matrix_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %slice_of_matrix = call @slice_of_matrix(%slice_of_matrix_x) : (tensor<2x3xf64>) -> tensor<2x2xf64>
  %dynamic_slice_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %dynamic_slice_i = stablehlo.constant dense<0> : tensor<i32>
  %dynamic_slice_j = stablehlo.constant dense<1> : tensor<i32>
  %dynamic_slice = call @dynamic_slice(%dynamic_slice_x, %dynamic_slice_i, %dynamic_slice_j) : (tensor<2x3xf64>, tensor<i32>, tensor<i32>) -> tensor<1x2xf64>
  %dynamic_slice_clamped_high_x = stablehlo.constant dense<[1.0, -2.0, 3.0, 0.5, 0.7, -0.9, 1.1]> : tensor<7xf64>
  %dynamic_slice_clamped_high_i = stablehlo.constant dense<9> : tensor<i64>
  %dynamic_slice_clamped_high = call @dynamic_slice_clamped_high(%dynamic_slice_clamped_high_x, %dynamic_slice_clamped_high_i) : (tensor<7xf64>, tensor<i64>) -> tensor<3xf64>
  %dynamic_slice_clamped_low_x = stablehlo.constant dense<[1.0, -2.0, 3.0, 0.5, 0.7, -0.9, 1.1]> : tensor<7xf64>
  %dynamic_slice_clamped_low_i = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %dynamic_slice_clamped_low = call @dynamic_slice_clamped_low(%dynamic_slice_clamped_low_x, %dynamic_slice_clamped_low_i) : (tensor<7xf64>, tensor<i64>) -> tensor<3xf64>
  %dynamic_slice_unsigned_x = stablehlo.constant dense<[1.0, -2.0, 3.0, 0.5, 0.7, -0.9, 1.1]> : tensor<7xf64>
  %dynamic_slice_unsigned_i = stablehlo.constant dense<200> : tensor<ui8>
  %dynamic_slice_unsigned = call @dynamic_slice_unsigned(%dynamic_slice_unsigned_x, %dynamic_slice_unsigned_i) : (tensor<7xf64>, tensor<ui8>) -> tensor<3xf64>
  %dynamic_slice_unsigned_64_x = stablehlo.constant dense<[1.0, -2.0, 3.0, 0.5, 0.7, -0.9, 1.1]> : tensor<7xf64>
  %dynamic_slice_unsigned_64_i = stablehlo.constant dense<2> : tensor<ui64>
  %dynamic_slice_unsigned_64 = call @dynamic_slice_unsigned_64(%dynamic_slice_unsigned_64_x, %dynamic_slice_unsigned_64_i) : (tensor<7xf64>, tensor<ui64>) -> tensor<3xf64>
  %pad_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %pad_v = stablehlo.constant dense<0.3> : tensor<f64>
  %pad = call @pad(%pad_x, %pad_v) : (tensor<3xf64>, tensor<f64>) -> tensor<6xf64>
  %pad_interior_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %pad_interior_v = stablehlo.constant dense<0.3> : tensor<f64>
  %pad_interior = call @pad_interior(%pad_interior_x, %pad_interior_v) : (tensor<2x3xf64>, tensor<f64>) -> tensor<5x6xf64>
  %pad_negative_x = stablehlo.constant dense<[1.0, -2.0, 3.0, 0.5, 0.7, -0.9, 1.1]> : tensor<7xf64>
  %pad_negative_v = stablehlo.constant dense<0.3> : tensor<f64>
  %pad_negative = call @pad_negative(%pad_negative_x, %pad_negative_v) : (tensor<7xf64>, tensor<f64>) -> tensor<4xf64>
  %pad_mixed_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %pad_mixed_v = stablehlo.constant dense<0.3> : tensor<f64>
  %pad_mixed = call @pad_mixed(%pad_mixed_x, %pad_mixed_v) : (tensor<3xf64>, tensor<f64>) -> tensor<6xf64>
  %concatenate_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %concatenate_y = stablehlo.constant dense<[[0.5], [1.5]]> : tensor<2x1xf64>
  %concatenate_z = stablehlo.constant dense<[[9.0, 8.0], [7.0, 6.0]]> : tensor<2x2xf64>
  %concatenate = call @concatenate(%concatenate_x, %concatenate_y, %concatenate_z) : (tensor<2x3xf64>, tensor<2x1xf64>, tensor<2x2xf64>) -> tensor<2x6xf64>
  %concatenate_twice_the_same_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %concatenate_twice_the_same = call @concatenate_twice_the_same(%concatenate_twice_the_same_x) : (tensor<3xf64>) -> tensor<6xf64>
  return
}
