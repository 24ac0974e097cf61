// RUN: ps-opt %s --ps-test-numeric-gradient -o %t && ps-run %t --entry=main

// The derivative of dot_general, whichever dimensions it pairs.

func.func private @matrices(%x: tensor<2x3xf64>, %y: tensor<3x4xf64>) -> tensor<2x4xf64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}

func.func private @transposed_rhs(%x: tensor<2x3xf64>, %y: tensor<4x3xf64>) -> tensor<2x4xf64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<2x3xf64>, tensor<4x3xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}

func.func private @transposed_lhs(%x: tensor<3x2xf64>, %y: tensor<3x4xf64>) -> tensor<2x4xf64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<3x2xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}

func.func private @vectors(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<f64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}

func.func private @matrix_vector(%x: tensor<2x3xf64>, %y: tensor<3xf64>) -> tensor<2xf64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

func.func private @batched(%x: tensor<2x3x2xf64>, %y: tensor<2x2x3xf64>) -> tensor<2x3x3xf64> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x2xf64>, tensor<2x2x3xf64>) -> tensor<2x3x3xf64>
  return %0 : tensor<2x3x3xf64>
}

func.func private @batched_in_the_middle(%x: tensor<3x2x2xf64>, %y: tensor<2x3x2xf64>) -> tensor<2x3x3xf64> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [1] x [2], contracting_dims = [2] x [0] : (tensor<3x2x2xf64>, tensor<2x3x2xf64>) -> tensor<2x3x3xf64>
  return %0 : tensor<2x3x3xf64>
}

// The contracting dimensions are listed in another order than they stand in.
func.func private @two_contractions(%x: tensor<2x3x2xf64>, %y: tensor<3x2x2xf64>) -> tensor<2x2xf64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0, 1] x [1, 0] : (tensor<2x3x2xf64>, tensor<3x2x2xf64>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

func.func private @two_contractions_reordered(%x: tensor<2x3x2xf64>, %y: tensor<2x2x3xf64>) -> tensor<2x2xf64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1, 0] x [2, 0] : (tensor<2x3x2xf64>, tensor<2x2x3xf64>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

func.func private @two_batches(%x: tensor<2x2x3xf64>, %y: tensor<2x3x2xf64>) -> tensor<2x2xf64> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0, 1] x [2, 0], contracting_dims = [2] x [1] : (tensor<2x2x3xf64>, tensor<2x3x2xf64>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

func.func private @outer_product(%x: tensor<2xf64>, %y: tensor<3xf64>) -> tensor<2x3xf64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @same_operand(%x: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

func.func @main() {
  %matrices_x = stablehlo.constant dense<[[-0.63, -0.26, 0.11], [0.48, 0.85, -0.78]]> : tensor<2x3xf64>
  %matrices_y = stablehlo.constant dense<[[-0.41, -0.04, 0.33, 0.7], [-0.93, -0.56, -0.19, 0.18], [0.55, 0.92, -0.71, -0.34]]> : tensor<3x4xf64>
  %matrices = call @matrices(%matrices_x, %matrices_y) : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  %transposed_rhs_x = stablehlo.constant dense<[[0.03, 0.4, 0.77], [-0.86, -0.49, -0.12]]> : tensor<2x3xf64>
  %transposed_rhs_y = stablehlo.constant dense<[[0.25, 0.62, 0.99], [-0.64, -0.27, 0.1], [0.47, 0.84, -0.79], [-0.42, -0.05, 0.32]]> : tensor<4x3xf64>
  %transposed_rhs = call @transposed_rhs(%transposed_rhs_x, %transposed_rhs_y) : (tensor<2x3xf64>, tensor<4x3xf64>) -> tensor<2x4xf64>
  %transposed_lhs_x = stablehlo.constant dense<[[0.69, -0.94], [-0.57, -0.2], [0.17, 0.54]]> : tensor<3x2xf64>
  %transposed_lhs_y = stablehlo.constant dense<[[0.91, -0.72, -0.35, 0.02], [0.39, 0.76, -0.87, -0.5], [-0.13, 0.24, 0.61, 0.98]]> : tensor<3x4xf64>
  %transposed_lhs = call @transposed_lhs(%transposed_lhs_x, %transposed_lhs_y) : (tensor<3x2xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  %vectors_x = stablehlo.constant dense<[-0.65, -0.28, 0.09]> : tensor<3xf64>
  %vectors_y = stablehlo.constant dense<[0.46, 0.83, -0.8]> : tensor<3xf64>
  %vectors = call @vectors(%vectors_x, %vectors_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
  %matrix_vector_x = stablehlo.constant dense<[[-0.43, -0.06, 0.31], [0.68, -0.95, -0.58]]> : tensor<2x3xf64>
  %matrix_vector_y = stablehlo.constant dense<[-0.21, 0.16, 0.53]> : tensor<3xf64>
  %matrix_vector = call @matrix_vector(%matrix_vector_x, %matrix_vector_y) : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2xf64>
  %batched_x = stablehlo.constant dense<[[[0.9, -0.73], [-0.36, 0.01], [0.38, 0.75]], [[-0.88, -0.51], [-0.14, 0.23], [0.6, 0.97]]]> : tensor<2x3x2xf64>
  %batched_y = stablehlo.constant dense<[[[-0.66, -0.29, 0.08], [0.45, 0.82, -0.81]], [[-0.44, -0.07, 0.3], [0.67, -0.96, -0.59]]]> : tensor<2x2x3xf64>
  %batched = call @batched(%batched_x, %batched_y) : (tensor<2x3x2xf64>, tensor<2x2x3xf64>) -> tensor<2x3x3xf64>
  %batched_in_the_middle_x = stablehlo.constant dense<[[[-0.22, 0.15], [0.52, 0.89]], [[-0.74, -0.37], [0.0, 0.37]], [[0.74, -0.89], [-0.52, -0.15]]]> : tensor<3x2x2xf64>
  %batched_in_the_middle_y = stablehlo.constant dense<[[[0.22, 0.59], [0.96, -0.67], [-0.3, 0.07]], [[0.44, 0.81], [-0.82, -0.45], [-0.08, 0.29]]]> : tensor<2x3x2xf64>
  %batched_in_the_middle = call @batched_in_the_middle(%batched_in_the_middle_x, %batched_in_the_middle_y) : (tensor<3x2x2xf64>, tensor<2x3x2xf64>) -> tensor<2x3x3xf64>
  %two_contractions_x = stablehlo.constant dense<[[[0.66, -0.97], [-0.6, -0.23], [0.14, 0.51]], [[0.88, -0.75], [-0.38, -0.01], [0.36, 0.73]]]> : tensor<2x3x2xf64>
  %two_contractions_y = stablehlo.constant dense<[[[-0.9, -0.53], [-0.16, 0.21]], [[0.58, 0.95], [-0.68, -0.31]], [[0.06, 0.43], [0.8, -0.83]]]> : tensor<3x2x2xf64>
  %two_contractions = call @two_contractions(%two_contractions_x, %two_contractions_y) : (tensor<2x3x2xf64>, tensor<3x2x2xf64>) -> tensor<2x2xf64>
  %two_contractions_reordered_x = stablehlo.constant dense<[[[-0.46, -0.09], [0.28, 0.65], [-0.98, -0.61]], [[-0.24, 0.13], [0.5, 0.87], [-0.76, -0.39]]]> : tensor<2x3x2xf64>
  %two_contractions_reordered_y = stablehlo.constant dense<[[[-0.02, 0.35, 0.72], [-0.91, -0.54, -0.17]], [[0.2, 0.57, 0.94], [-0.69, -0.32, 0.05]]]> : tensor<2x2x3xf64>
  %two_contractions_reordered = call @two_contractions_reordered(%two_contractions_reordered_x, %two_contractions_reordered_y) : (tensor<2x3x2xf64>, tensor<2x2x3xf64>) -> tensor<2x2xf64>
  %two_batches_x = stablehlo.constant dense<[[[0.42, 0.79, -0.84], [-0.47, -0.1, 0.27]], [[0.64, -0.99, -0.62], [-0.25, 0.12, 0.49]]]> : tensor<2x2x3xf64>
  %two_batches_y = stablehlo.constant dense<[[[0.86, -0.77], [-0.4, -0.03], [0.34, 0.71]], [[-0.92, -0.55], [-0.18, 0.19], [0.56, 0.93]]]> : tensor<2x3x2xf64>
  %two_batches = call @two_batches(%two_batches_x, %two_batches_y) : (tensor<2x2x3xf64>, tensor<2x3x2xf64>) -> tensor<2x2xf64>
  %outer_product_x = stablehlo.constant dense<[-0.7, -0.33]> : tensor<2xf64>
  %outer_product_y = stablehlo.constant dense<[0.04, 0.41, 0.78]> : tensor<3xf64>
  %outer_product = call @outer_product(%outer_product_x, %outer_product_y) : (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  %same_operand_x = stablehlo.constant dense<[[1.0, 2.0], [3.0, -1.0]]> : tensor<2x2xf64>
  %same_operand = call @same_operand(%same_operand_x) : (tensor<2x2xf64>) -> tensor<2x2xf64>
  return
}
