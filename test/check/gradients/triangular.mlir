// RUN: ps-opt %s --ps-test-numeric-gradient -o %t && ps-run %t --entry=main

// The derivatives of equations with triangular matrices, in all forms, and of
// their factors: elements that are not read have none.

func.func private @left_lower_transposed_unit(%a: tensor<3x3xf64>, %b: tensor<3x2xf64>) -> tensor<3x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

func.func private @left_lower_transposed(%a: tensor<3x3xf64>, %b: tensor<3x2xf64>) -> tensor<3x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

func.func private @left_lower_unit(%a: tensor<3x3xf64>, %b: tensor<3x2xf64>) -> tensor<3x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

func.func private @left_lower(%a: tensor<3x3xf64>, %b: tensor<3x2xf64>) -> tensor<3x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

func.func private @left_upper_transposed_unit(%a: tensor<3x3xf64>, %b: tensor<3x2xf64>) -> tensor<3x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

func.func private @left_upper_transposed(%a: tensor<3x3xf64>, %b: tensor<3x2xf64>) -> tensor<3x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

func.func private @left_upper_unit(%a: tensor<3x3xf64>, %b: tensor<3x2xf64>) -> tensor<3x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

func.func private @left_upper(%a: tensor<3x3xf64>, %b: tensor<3x2xf64>) -> tensor<3x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

func.func private @right_lower_transposed_unit(%a: tensor<3x3xf64>, %b: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @right_lower_transposed(%a: tensor<3x3xf64>, %b: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @right_lower_unit(%a: tensor<3x3xf64>, %b: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @right_lower(%a: tensor<3x3xf64>, %b: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @right_upper_transposed_unit(%a: tensor<3x3xf64>, %b: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @right_upper_transposed(%a: tensor<3x3xf64>, %b: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @right_upper_unit(%a: tensor<3x3xf64>, %b: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @right_upper(%a: tensor<3x3xf64>, %b: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

func.func private @batched_left(%a: tensor<2x2x2xf64>, %b: tensor<2x2x3xf64>) -> tensor<2x2x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2x2xf64>, tensor<2x2x3xf64>) -> tensor<2x2x3xf64>
  return %0 : tensor<2x2x3xf64>
}

func.func private @batched_right(%a: tensor<2x2x2xf64>, %b: tensor<2x3x2xf64>) -> tensor<2x3x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<2x2x2xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>
  return %0 : tensor<2x3x2xf64>
}

func.func private @factor_lower(%a: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}

func.func private @factor_upper(%a: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %0 = stablehlo.cholesky %a, lower = false : tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}

func.func private @factor_batched(%a: tensor<2x2x2xf64>) -> tensor<2x2x2xf64> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2x2xf64>
  return %0 : tensor<2x2x2xf64>
}

func.func private @factor_batched_upper(%a: tensor<2x2x2xf64>) -> tensor<2x2x2xf64> {
  %0 = stablehlo.cholesky %a, lower = false : tensor<2x2x2xf64>
  return %0 : tensor<2x2x2xf64>
}

func.func @main() {
  %a = stablehlo.constant dense<[[1.5, 0.7, -0.3], [0.4, -1.2, 0.6], [-0.8, 0.5, 2.0]]> : tensor<3x3xf64>
  %b = stablehlo.constant dense<[[0.3, -1.1], [0.8, 0.2], [-0.6, 1.4]]> : tensor<3x2xf64>
  %c = stablehlo.constant dense<[[0.3, -1.1, 0.9], [0.8, 0.2, -0.7]]> : tensor<2x3xf64>
  %d = stablehlo.constant dense<[[[1.5, 0.7], [0.4, -1.2]], [[-0.9, 0.2], [0.5, 1.1]]]> : tensor<2x2x2xf64>
  %e = stablehlo.constant dense<[[[0.3, -1.1, 0.9], [0.8, 0.2, -0.7]], [[0.1, 0.6, -0.4], [1.2, -0.5, 0.7]]]> : tensor<2x2x3xf64>
  %f = stablehlo.constant dense<[[[0.3, -1.1], [0.9, 0.8], [0.2, -0.7]], [[0.1, 0.6], [-0.4, 1.2], [-0.5, 0.7]]]> : tensor<2x3x2xf64>
  %p = stablehlo.constant dense<[[2.5, 0.7, -0.3], [0.7, 1.9, 0.6], [-0.3, 0.6, 3.1]]> : tensor<3x3xf64>
  %q = stablehlo.constant dense<[[[2.5, 0.7], [0.7, 1.9]], [[1.3, -0.4], [-0.4, 0.9]]]> : tensor<2x2x2xf64>
  %0 = call @left_lower_transposed_unit(%a, %b) : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %1 = call @left_lower_transposed(%a, %b) : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %2 = call @left_lower_unit(%a, %b) : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %3 = call @left_lower(%a, %b) : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %4 = call @left_upper_transposed_unit(%a, %b) : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %5 = call @left_upper_transposed(%a, %b) : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %6 = call @left_upper_unit(%a, %b) : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %7 = call @left_upper(%a, %b) : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %8 = call @right_lower_transposed_unit(%a, %c) : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %9 = call @right_lower_transposed(%a, %c) : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %10 = call @right_lower_unit(%a, %c) : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %11 = call @right_lower(%a, %c) : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %12 = call @right_upper_transposed_unit(%a, %c) : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %13 = call @right_upper_transposed(%a, %c) : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %14 = call @right_upper_unit(%a, %c) : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %15 = call @right_upper(%a, %c) : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %16 = call @batched_left(%d, %e) : (tensor<2x2x2xf64>, tensor<2x2x3xf64>) -> tensor<2x2x3xf64>
  %17 = call @batched_right(%d, %f) : (tensor<2x2x2xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>
  %18 = call @factor_lower(%p) : (tensor<3x3xf64>) -> tensor<3x3xf64>
  %19 = call @factor_upper(%p) : (tensor<3x3xf64>) -> tensor<3x3xf64>
  %20 = call @factor_batched(%q) : (tensor<2x2x2xf64>) -> tensor<2x2x2xf64>
  %21 = call @factor_batched_upper(%q) : (tensor<2x2x2xf64>) -> tensor<2x2x2xf64>
  return
}
