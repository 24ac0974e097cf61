// RUN: ps-opt %s --ps-test-numeric-gradient -o %t && ps-run %t --entry=main

// The derivatives of gather and scatter. Indices are repeated; those of scatters
// lie outside too. A gather's gradient is a convention there, and no difference:
// test/run/gradient-conventions.py.

func.func private @rows(%x: tensor<4x2xf64>) -> tensor<5x2xf64> {
  %i = stablehlo.constant dense<[[1], [3], [1], [0], [3]]> : tensor<5x1xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<4x2xf64>, tensor<5x1xi32>) -> tensor<5x2xf64>
  return %0 : tensor<5x2xf64>
}

// Windows along both dimensions, which overlap.
func.func private @boxes(%x: tensor<4x3xf64>) -> tensor<2x3x2xf64> {
  %i = stablehlo.constant dense<[[1, 0, 2], [0, 1, 1]]> : tensor<2x3xi8>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [0, 1]>, slice_sizes = array<i64: 2, 2>}> : (tensor<4x3xf64>, tensor<2x3xi8>) -> tensor<2x3x2xf64>
  return %0 : tensor<2x3x2xf64>
}

func.func private @one_of_each_row(%x: tensor<3x4xf64>) -> tensor<3xf64> {
  %i = stablehlo.constant dense<[2, 0, 3]> : tensor<3xui64>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xf64>, tensor<3xui64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @nothing(%x: tensor<3x2xf64>) -> tensor<2x2xf64> {
  %i = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0, 2>}> : (tensor<3x2xf64>, tensor<2x1xi32>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

// No index: the same window for all.
func.func private @first_window(%x: tensor<3x2xf64>) -> tensor<2x2x1xf64> {
  %i = stablehlo.constant dense<> : tensor<2x0xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1>}> : (tensor<3x2xf64>, tensor<2x0xi32>) -> tensor<2x2x1xf64>
  return %0 : tensor<2x2x1xf64>
}

func.func private @add_rows(%x: tensor<4x2xf64>, %u: tensor<5x2xf64>) -> tensor<4x2xf64> {
  %i = stablehlo.constant dense<[[1], [3], [1], [-2], [4]]> : tensor<5x1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %b, %a : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<5x1xi32>, tensor<5x2xf64>) -> tensor<4x2xf64>
  return %0 : tensor<4x2xf64>
}

// Windows that lie partly or wholly outside, on either side.
func.func private @add_boxes(%x: tensor<4x3xf64>, %u: tensor<5x2x2xf64>) -> tensor<4x3xf64> {
  %i = stablehlo.constant dense<[[1, 0], [3, 2], [-1, -1], [-5, 1], [1, 9]]> : tensor<5x2xi64>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<4x3xf64>, tensor<5x2xi64>, tensor<5x2x2xf64>) -> tensor<4x3xf64>
  return %0 : tensor<4x3xf64>
}

// One dimension has a window, the other one index.
func.func private @add_mixed(%x: tensor<4x3xf64>, %u: tensor<2x4xf64>) -> tensor<4x3xf64> {
  %i = stablehlo.constant dense<[[1, 0, 2, 5], [3, 0, 0, 1]]> : tensor<2x4xui8>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 0>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<4x3xf64>, tensor<2x4xui8>, tensor<2x4xf64>) -> tensor<4x3xf64>
  return %0 : tensor<4x3xf64>
}

// Of two updates of one row the first is lost; two lie outside.
func.func private @replace_rows(%x: tensor<4x2xf64>, %u: tensor<5x2xf64>) -> tensor<4x2xf64> {
  %i = stablehlo.constant dense<[[1], [3], [1], [-2], [4]]> : tensor<5x1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    stablehlo.return %b : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<5x1xi32>, tensor<5x2xf64>) -> tensor<4x2xf64>
  return %0 : tensor<4x2xf64>
}

// Boxes that overlap, and lie partly or wholly outside.
func.func private @replace_boxes(%x: tensor<4x3xf64>, %u: tensor<5x2x2xf64>) -> tensor<4x3xf64> {
  %i = stablehlo.constant dense<[[1, 0], [0, 1], [-1, -1], [-5, 1], [2, 2]]> : tensor<5x2xi64>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    stablehlo.return %b : tensor<f64>
  }) : (tensor<4x3xf64>, tensor<5x2xi64>, tensor<5x2x2xf64>) -> tensor<4x3xf64>
  return %0 : tensor<4x3xf64>
}

// Several dimensions of index vectors, the windows' between them.
func.func private @replace_columns(%x: tensor<2x4xf64>, %u: tensor<2x2x3xf64>) -> tensor<2x4xf64> {
  %i = stablehlo.constant dense<[[[0], [2], [0]], [[2], [3], [7]]]> : tensor<2x3x1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    stablehlo.return %b : tensor<f64>
  }) : (tensor<2x4xf64>, tensor<2x3x1xi32>, tensor<2x2x3xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}

func.func private @add_to_one_place(%x: tensor<f64>, %u: tensor<3xf64>) -> tensor<f64> {
  %i = stablehlo.constant dense<> : tensor<3x0xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<f64>, tensor<3x0xi32>, tensor<3xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}

func.func private @add_to_one_of_each_row(%x: tensor<3x4xf64>, %u: tensor<3xf64>) -> tensor<3x4xf64> {
  %i = stablehlo.constant dense<[2, 0, 18446744073709551615]> : tensor<3xui64>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<3x4xf64>, tensor<3xui64>, tensor<3xf64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

// All of it lies outside.
func.func private @add_to_nothing(%u: tensor<3x2xf64>) -> tensor<2xf64> {
  %x = stablehlo.constant dense<> : tensor<0x2xf64>
  %i = stablehlo.constant dense<[[0], [1], [-1]]> : tensor<3x1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<0x2xf64>, tensor<3x1xi32>, tensor<3x2xf64>) -> tensor<0x2xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<0x2xf64>, tensor<f64>) -> tensor<2xf64>
  return %2 : tensor<2xf64>
}

func.func @main() {
  %x42 = stablehlo.constant dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75], [3.0, 4.0]]> : tensor<4x2xf64>
  %x43 = stablehlo.constant dense<[[0.5, -1.0, 7.0], [2.0, 0.25, 0.0], [1.5, -0.75, 1.0], [3.0, 4.0, -5.0]]> : tensor<4x3xf64>
  %x34 = stablehlo.constant dense<[[0.5, -1.0, 7.0, 2.0], [0.25, 0.0, 1.5, -0.75], [1.0, 3.0, 4.0, -5.0]]> : tensor<3x4xf64>
  %x32 = stablehlo.constant dense<[[0.5, -1.0], [7.0, 2.0], [0.25, 0.0]]> : tensor<3x2xf64>
  %u52 = stablehlo.constant dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75], [3.0, 4.0], [0.1, 0.2]]> : tensor<5x2xf64>
  %u522 = stablehlo.constant dense<0.5> : tensor<5x2x2xf64>
  %u24 = stablehlo.constant dense<[[0.5, -1.0, 7.0, 2.0], [0.25, 0.0, 1.5, -0.75]]> : tensor<2x4xf64>
  %u3 = stablehlo.constant dense<[0.5, -1.0, 7.0]> : tensor<3xf64>
  %s = stablehlo.constant dense<0.5> : tensor<f64>
  %0 = call @rows(%x42) : (tensor<4x2xf64>) -> tensor<5x2xf64>
  %1 = call @boxes(%x43) : (tensor<4x3xf64>) -> tensor<2x3x2xf64>
  %2 = call @one_of_each_row(%x34) : (tensor<3x4xf64>) -> tensor<3xf64>
  %3 = call @nothing(%x32) : (tensor<3x2xf64>) -> tensor<2x2xf64>
  %4 = call @first_window(%x32) : (tensor<3x2xf64>) -> tensor<2x2x1xf64>
  %5 = call @add_rows(%x42, %u52) : (tensor<4x2xf64>, tensor<5x2xf64>) -> tensor<4x2xf64>
  %6 = call @add_boxes(%x43, %u522) : (tensor<4x3xf64>, tensor<5x2x2xf64>) -> tensor<4x3xf64>
  %7 = call @add_mixed(%x43, %u24) : (tensor<4x3xf64>, tensor<2x4xf64>) -> tensor<4x3xf64>
  %8 = call @add_to_nothing(%x32) : (tensor<3x2xf64>) -> tensor<2xf64>
  %9 = call @add_to_one_place(%s, %u3) : (tensor<f64>, tensor<3xf64>) -> tensor<f64>
  %10 = call @add_to_one_of_each_row(%x34, %u3) : (tensor<3x4xf64>, tensor<3xf64>) -> tensor<3x4xf64>
  %11 = call @replace_rows(%x42, %u52) : (tensor<4x2xf64>, tensor<5x2xf64>) -> tensor<4x2xf64>
  %12 = call @replace_boxes(%x43, %u522) : (tensor<4x3xf64>, tensor<5x2x2xf64>) -> tensor<4x3xf64>
  %x24 = stablehlo.constant dense<[[0.5, -1.0, 7.0, 2.0], [0.25, 0.0, 1.5, -0.75]]> : tensor<2x4xf64>
  %u223 = stablehlo.constant dense<0.5> : tensor<2x2x3xf64>
  %13 = call @replace_columns(%x24, %u223) : (tensor<2x4xf64>, tensor<2x2x3xf64>) -> tensor<2x4xf64>
  return
}
