// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32: all forms
  %0 = stablehlo.constant dense<[[0x7FC00000, 0x7FC00000, 0x7FC00000], [1.0, 0x7FC00000, 0x7FC00000], [0.0, 1.0, 0x7FC00000]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[-2.0, 1.0], [1.0, 0.0], [5.0, -3.0]]> : tensor<3x2xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %2, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %3 = stablehlo.constant dense<[[0x7FC00000, 0x7FC00000, 0x7FC00000], [1.0, 0x7FC00000, 0x7FC00000], [0.0, 1.0, 0x7FC00000]]> : tensor<3x3xf32>
  %4 = stablehlo.constant dense<[[1.0, 0.0], [5.0, -3.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %5 = "stablehlo.triangular_solve"(%3, %4) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %5, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %6 = stablehlo.constant dense<[[0x7FC00000, 0x7FC00000, 0x7FC00000], [1.0, 0x7FC00000, 0x7FC00000], [0.0, 1.0, 0x7FC00000]]> : tensor<3x3xf32>
  %7 = stablehlo.constant dense<[[1.0, 0.0], [5.0, -3.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %8 = "stablehlo.triangular_solve"(%6, %7) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %8, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %9 = stablehlo.constant dense<[[2.0, 0x7FC00000, 0x7FC00000], [1.0, -1.0, 0x7FC00000], [0.0, 1.0, 4.0]]> : tensor<3x3xf32>
  %10 = stablehlo.constant dense<[[-4.0, 2.0], [-5.0, 2.0], [11.0, -9.0]]> : tensor<3x2xf32>
  %11 = "stablehlo.triangular_solve"(%9, %10) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %11, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %12 = stablehlo.constant dense<[[2.0, 0x7FC00000, 0x7FC00000], [1.0, -1.0, 0x7FC00000], [0.0, 1.0, 4.0]]> : tensor<3x3xf32>
  %13 = stablehlo.constant dense<[[-1.0, 1.0], [-1.0, -1.0], [8.0, -8.0]]> : tensor<3x2xf32>
  %14 = "stablehlo.triangular_solve"(%12, %13) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %14, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %15 = stablehlo.constant dense<[[2.0, 0x7FC00000, 0x7FC00000], [1.0, -1.0, 0x7FC00000], [0.0, 1.0, 4.0]]> : tensor<3x3xf32>
  %16 = stablehlo.constant dense<[[-1.0, 1.0], [-1.0, -1.0], [8.0, -8.0]]> : tensor<3x2xf32>
  %17 = "stablehlo.triangular_solve"(%15, %16) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %17, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %18 = stablehlo.constant dense<[[0x7FC00000, -1.0, 0.0], [0x7FC00000, 0x7FC00000, -1.0], [0x7FC00000, 0x7FC00000, 0x7FC00000]]> : tensor<3x3xf32>
  %19 = stablehlo.constant dense<[[-5.0, 2.0], [1.0, 1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %20 = "stablehlo.triangular_solve"(%18, %19) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %20, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %21 = stablehlo.constant dense<[[0x7FC00000, -1.0, 0.0], [0x7FC00000, 0x7FC00000, -1.0], [0x7FC00000, 0x7FC00000, 0x7FC00000]]> : tensor<3x3xf32>
  %22 = stablehlo.constant dense<[[-2.0, 1.0], [5.0, -2.0], [-1.0, -1.0]]> : tensor<3x2xf32>
  %23 = "stablehlo.triangular_solve"(%21, %22) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %23, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %24 = stablehlo.constant dense<[[0x7FC00000, -1.0, 0.0], [0x7FC00000, 0x7FC00000, -1.0], [0x7FC00000, 0x7FC00000, 0x7FC00000]]> : tensor<3x3xf32>
  %25 = stablehlo.constant dense<[[-2.0, 1.0], [5.0, -2.0], [-1.0, -1.0]]> : tensor<3x2xf32>
  %26 = "stablehlo.triangular_solve"(%24, %25) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %26, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %27 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC00000, -1.0, -1.0], [0x7FC00000, 0x7FC00000, 4.0]]> : tensor<3x3xf32>
  %28 = stablehlo.constant dense<[[-7.0, 3.0], [-5.0, 3.0], [8.0, -8.0]]> : tensor<3x2xf32>
  %29 = "stablehlo.triangular_solve"(%27, %28) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %29, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %30 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC00000, -1.0, -1.0], [0x7FC00000, 0x7FC00000, 4.0]]> : tensor<3x3xf32>
  %31 = stablehlo.constant dense<[[-4.0, 2.0], [-1.0, 0.0], [5.0, -7.0]]> : tensor<3x2xf32>
  %32 = "stablehlo.triangular_solve"(%30, %31) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %32, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %33 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC00000, -1.0, -1.0], [0x7FC00000, 0x7FC00000, 4.0]]> : tensor<3x3xf32>
  %34 = stablehlo.constant dense<[[-4.0, 2.0], [-1.0, 0.0], [5.0, -7.0]]> : tensor<3x2xf32>
  %35 = "stablehlo.triangular_solve"(%33, %34) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %35, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %36 = stablehlo.constant dense<[[0x7FC00000, 0x7FC00000, 0x7FC00000], [1.0, 0x7FC00000, 0x7FC00000], [0.0, 1.0, 0x7FC00000]]> : tensor<3x3xf32>
  %37 = stablehlo.constant dense<[[-1.0, 4.0, 3.0], [1.0, 0.0, -2.0]]> : tensor<2x3xf32>
  %38 = "stablehlo.triangular_solve"(%36, %37) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %38, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %39 = stablehlo.constant dense<[[0x7FC00000, 0x7FC00000, 0x7FC00000], [1.0, 0x7FC00000, 0x7FC00000], [0.0, 1.0, 0x7FC00000]]> : tensor<3x3xf32>
  %40 = stablehlo.constant dense<[[-2.0, -1.0, 4.0], [-1.0, 1.0, 0.0]]> : tensor<2x3xf32>
  %41 = "stablehlo.triangular_solve"(%39, %40) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %41, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %42 = stablehlo.constant dense<[[0x7FC00000, 0x7FC00000, 0x7FC00000], [1.0, 0x7FC00000, 0x7FC00000], [0.0, 1.0, 0x7FC00000]]> : tensor<3x3xf32>
  %43 = stablehlo.constant dense<[[-2.0, -1.0, 4.0], [-1.0, 1.0, 0.0]]> : tensor<2x3xf32>
  %44 = "stablehlo.triangular_solve"(%42, %43) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %44, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %45 = stablehlo.constant dense<[[2.0, 0x7FC00000, 0x7FC00000], [1.0, -1.0, 0x7FC00000], [0.0, 1.0, 4.0]]> : tensor<3x3xf32>
  %46 = stablehlo.constant dense<[[-3.0, 2.0, 12.0], [0.0, -4.0, -8.0]]> : tensor<2x3xf32>
  %47 = "stablehlo.triangular_solve"(%45, %46) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %47, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %48 = stablehlo.constant dense<[[2.0, 0x7FC00000, 0x7FC00000], [1.0, -1.0, 0x7FC00000], [0.0, 1.0, 4.0]]> : tensor<3x3xf32>
  %49 = stablehlo.constant dense<[[-4.0, -3.0, 13.0], [-2.0, -3.0, -6.0]]> : tensor<2x3xf32>
  %50 = "stablehlo.triangular_solve"(%48, %49) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %50, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %51 = stablehlo.constant dense<[[2.0, 0x7FC00000, 0x7FC00000], [1.0, -1.0, 0x7FC00000], [0.0, 1.0, 4.0]]> : tensor<3x3xf32>
  %52 = stablehlo.constant dense<[[-4.0, -3.0, 13.0], [-2.0, -3.0, -6.0]]> : tensor<2x3xf32>
  %53 = "stablehlo.triangular_solve"(%51, %52) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %53, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %54 = stablehlo.constant dense<[[0x7FC00000, -1.0, 0.0], [0x7FC00000, 0x7FC00000, -1.0], [0x7FC00000, 0x7FC00000, 0x7FC00000]]> : tensor<3x3xf32>
  %55 = stablehlo.constant dense<[[-2.0, 3.0, 2.0], [-1.0, 3.0, -4.0]]> : tensor<2x3xf32>
  %56 = "stablehlo.triangular_solve"(%54, %55) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %56, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %57 = stablehlo.constant dense<[[0x7FC00000, -1.0, 0.0], [0x7FC00000, 0x7FC00000, -1.0], [0x7FC00000, 0x7FC00000, 0x7FC00000]]> : tensor<3x3xf32>
  %58 = stablehlo.constant dense<[[-3.0, -2.0, 3.0], [-3.0, 4.0, -2.0]]> : tensor<2x3xf32>
  %59 = "stablehlo.triangular_solve"(%57, %58) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %59, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %60 = stablehlo.constant dense<[[0x7FC00000, -1.0, 0.0], [0x7FC00000, 0x7FC00000, -1.0], [0x7FC00000, 0x7FC00000, 0x7FC00000]]> : tensor<3x3xf32>
  %61 = stablehlo.constant dense<[[-3.0, -2.0, 3.0], [-3.0, 4.0, -2.0]]> : tensor<2x3xf32>
  %62 = "stablehlo.triangular_solve"(%60, %61) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %62, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %63 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC00000, -1.0, -1.0], [0x7FC00000, 0x7FC00000, 4.0]]> : tensor<3x3xf32>
  %64 = stablehlo.constant dense<[[-4.0, 1.0, 11.0], [-2.0, -1.0, -10.0]]> : tensor<2x3xf32>
  %65 = "stablehlo.triangular_solve"(%63, %64) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %65, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %66 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC00000, -1.0, -1.0], [0x7FC00000, 0x7FC00000, 4.0]]> : tensor<3x3xf32>
  %67 = stablehlo.constant dense<[[-5.0, -4.0, 12.0], [-4.0, 0.0, -8.0]]> : tensor<2x3xf32>
  %68 = "stablehlo.triangular_solve"(%66, %67) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %68, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %69 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC00000, -1.0, -1.0], [0x7FC00000, 0x7FC00000, 4.0]]> : tensor<3x3xf32>
  %70 = stablehlo.constant dense<[[-5.0, -4.0, 12.0], [-4.0, 0.0, -8.0]]> : tensor<2x3xf32>
  %71 = "stablehlo.triangular_solve"(%69, %70) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %71, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf32>

  // f64: all forms
  %72 = stablehlo.constant dense<[[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, 0x7FF8000000000000, 0x7FF8000000000000], [0.0, 1.0, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %73 = stablehlo.constant dense<[[-2.0, 1.0], [1.0, 0.0], [5.0, -3.0]]> : tensor<3x2xf64>
  %74 = "stablehlo.triangular_solve"(%72, %73) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %74, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %75 = stablehlo.constant dense<[[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, 0x7FF8000000000000, 0x7FF8000000000000], [0.0, 1.0, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %76 = stablehlo.constant dense<[[1.0, 0.0], [5.0, -3.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %77 = "stablehlo.triangular_solve"(%75, %76) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %77, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %78 = stablehlo.constant dense<[[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, 0x7FF8000000000000, 0x7FF8000000000000], [0.0, 1.0, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %79 = stablehlo.constant dense<[[1.0, 0.0], [5.0, -3.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %80 = "stablehlo.triangular_solve"(%78, %79) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %80, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %81 = stablehlo.constant dense<[[2.0, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, -1.0, 0x7FF8000000000000], [0.0, 1.0, 4.0]]> : tensor<3x3xf64>
  %82 = stablehlo.constant dense<[[-4.0, 2.0], [-5.0, 2.0], [11.0, -9.0]]> : tensor<3x2xf64>
  %83 = "stablehlo.triangular_solve"(%81, %82) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %83, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %84 = stablehlo.constant dense<[[2.0, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, -1.0, 0x7FF8000000000000], [0.0, 1.0, 4.0]]> : tensor<3x3xf64>
  %85 = stablehlo.constant dense<[[-1.0, 1.0], [-1.0, -1.0], [8.0, -8.0]]> : tensor<3x2xf64>
  %86 = "stablehlo.triangular_solve"(%84, %85) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %86, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %87 = stablehlo.constant dense<[[2.0, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, -1.0, 0x7FF8000000000000], [0.0, 1.0, 4.0]]> : tensor<3x3xf64>
  %88 = stablehlo.constant dense<[[-1.0, 1.0], [-1.0, -1.0], [8.0, -8.0]]> : tensor<3x2xf64>
  %89 = "stablehlo.triangular_solve"(%87, %88) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %89, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %90 = stablehlo.constant dense<[[0x7FF8000000000000, -1.0, 0.0], [0x7FF8000000000000, 0x7FF8000000000000, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %91 = stablehlo.constant dense<[[-5.0, 2.0], [1.0, 1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %92 = "stablehlo.triangular_solve"(%90, %91) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %92, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %93 = stablehlo.constant dense<[[0x7FF8000000000000, -1.0, 0.0], [0x7FF8000000000000, 0x7FF8000000000000, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %94 = stablehlo.constant dense<[[-2.0, 1.0], [5.0, -2.0], [-1.0, -1.0]]> : tensor<3x2xf64>
  %95 = "stablehlo.triangular_solve"(%93, %94) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %95, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %96 = stablehlo.constant dense<[[0x7FF8000000000000, -1.0, 0.0], [0x7FF8000000000000, 0x7FF8000000000000, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %97 = stablehlo.constant dense<[[-2.0, 1.0], [5.0, -2.0], [-1.0, -1.0]]> : tensor<3x2xf64>
  %98 = "stablehlo.triangular_solve"(%96, %97) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %98, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %99 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FF8000000000000, -1.0, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 4.0]]> : tensor<3x3xf64>
  %100 = stablehlo.constant dense<[[-7.0, 3.0], [-5.0, 3.0], [8.0, -8.0]]> : tensor<3x2xf64>
  %101 = "stablehlo.triangular_solve"(%99, %100) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %101, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %102 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FF8000000000000, -1.0, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 4.0]]> : tensor<3x3xf64>
  %103 = stablehlo.constant dense<[[-4.0, 2.0], [-1.0, 0.0], [5.0, -7.0]]> : tensor<3x2xf64>
  %104 = "stablehlo.triangular_solve"(%102, %103) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %104, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %105 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FF8000000000000, -1.0, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 4.0]]> : tensor<3x3xf64>
  %106 = stablehlo.constant dense<[[-4.0, 2.0], [-1.0, 0.0], [5.0, -7.0]]> : tensor<3x2xf64>
  %107 = "stablehlo.triangular_solve"(%105, %106) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %107, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %108 = stablehlo.constant dense<[[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, 0x7FF8000000000000, 0x7FF8000000000000], [0.0, 1.0, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %109 = stablehlo.constant dense<[[-1.0, 4.0, 3.0], [1.0, 0.0, -2.0]]> : tensor<2x3xf64>
  %110 = "stablehlo.triangular_solve"(%108, %109) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %110, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>
  %111 = stablehlo.constant dense<[[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, 0x7FF8000000000000, 0x7FF8000000000000], [0.0, 1.0, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %112 = stablehlo.constant dense<[[-2.0, -1.0, 4.0], [-1.0, 1.0, 0.0]]> : tensor<2x3xf64>
  %113 = "stablehlo.triangular_solve"(%111, %112) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %113, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>
  %114 = stablehlo.constant dense<[[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, 0x7FF8000000000000, 0x7FF8000000000000], [0.0, 1.0, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %115 = stablehlo.constant dense<[[-2.0, -1.0, 4.0], [-1.0, 1.0, 0.0]]> : tensor<2x3xf64>
  %116 = "stablehlo.triangular_solve"(%114, %115) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %116, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>
  %117 = stablehlo.constant dense<[[2.0, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, -1.0, 0x7FF8000000000000], [0.0, 1.0, 4.0]]> : tensor<3x3xf64>
  %118 = stablehlo.constant dense<[[-3.0, 2.0, 12.0], [0.0, -4.0, -8.0]]> : tensor<2x3xf64>
  %119 = "stablehlo.triangular_solve"(%117, %118) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %119, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>
  %120 = stablehlo.constant dense<[[2.0, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, -1.0, 0x7FF8000000000000], [0.0, 1.0, 4.0]]> : tensor<3x3xf64>
  %121 = stablehlo.constant dense<[[-4.0, -3.0, 13.0], [-2.0, -3.0, -6.0]]> : tensor<2x3xf64>
  %122 = "stablehlo.triangular_solve"(%120, %121) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %122, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>
  %123 = stablehlo.constant dense<[[2.0, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, -1.0, 0x7FF8000000000000], [0.0, 1.0, 4.0]]> : tensor<3x3xf64>
  %124 = stablehlo.constant dense<[[-4.0, -3.0, 13.0], [-2.0, -3.0, -6.0]]> : tensor<2x3xf64>
  %125 = "stablehlo.triangular_solve"(%123, %124) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %125, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>
  %126 = stablehlo.constant dense<[[0x7FF8000000000000, -1.0, 0.0], [0x7FF8000000000000, 0x7FF8000000000000, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %127 = stablehlo.constant dense<[[-2.0, 3.0, 2.0], [-1.0, 3.0, -4.0]]> : tensor<2x3xf64>
  %128 = "stablehlo.triangular_solve"(%126, %127) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %128, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>
  %129 = stablehlo.constant dense<[[0x7FF8000000000000, -1.0, 0.0], [0x7FF8000000000000, 0x7FF8000000000000, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %130 = stablehlo.constant dense<[[-3.0, -2.0, 3.0], [-3.0, 4.0, -2.0]]> : tensor<2x3xf64>
  %131 = "stablehlo.triangular_solve"(%129, %130) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %131, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>
  %132 = stablehlo.constant dense<[[0x7FF8000000000000, -1.0, 0.0], [0x7FF8000000000000, 0x7FF8000000000000, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]]> : tensor<3x3xf64>
  %133 = stablehlo.constant dense<[[-3.0, -2.0, 3.0], [-3.0, 4.0, -2.0]]> : tensor<2x3xf64>
  %134 = "stablehlo.triangular_solve"(%132, %133) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %134, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>
  %135 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FF8000000000000, -1.0, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 4.0]]> : tensor<3x3xf64>
  %136 = stablehlo.constant dense<[[-4.0, 1.0, 11.0], [-2.0, -1.0, -10.0]]> : tensor<2x3xf64>
  %137 = "stablehlo.triangular_solve"(%135, %136) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %137, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>
  %138 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FF8000000000000, -1.0, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 4.0]]> : tensor<3x3xf64>
  %139 = stablehlo.constant dense<[[-5.0, -4.0, 12.0], [-4.0, 0.0, -8.0]]> : tensor<2x3xf64>
  %140 = "stablehlo.triangular_solve"(%138, %139) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %140, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>
  %141 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FF8000000000000, -1.0, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 4.0]]> : tensor<3x3xf64>
  %142 = stablehlo.constant dense<[[-5.0, -4.0, 12.0], [-4.0, 0.0, -8.0]]> : tensor<2x3xf64>
  %143 = "stablehlo.triangular_solve"(%141, %142) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %143, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf64>

  // bf16: all forms
  %144 = stablehlo.constant dense<[[0x7FC0, 0x7FC0, 0x7FC0], [1.0, 0x7FC0, 0x7FC0], [0.0, 1.0, 0x7FC0]]> : tensor<3x3xbf16>
  %145 = stablehlo.constant dense<[[-2.0, 1.0], [1.0, 0.0], [5.0, -3.0]]> : tensor<3x2xbf16>
  %146 = "stablehlo.triangular_solve"(%144, %145) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %146, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %147 = stablehlo.constant dense<[[0x7FC0, 0x7FC0, 0x7FC0], [1.0, 0x7FC0, 0x7FC0], [0.0, 1.0, 0x7FC0]]> : tensor<3x3xbf16>
  %148 = stablehlo.constant dense<[[1.0, 0.0], [5.0, -3.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %149 = "stablehlo.triangular_solve"(%147, %148) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %149, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %150 = stablehlo.constant dense<[[0x7FC0, 0x7FC0, 0x7FC0], [1.0, 0x7FC0, 0x7FC0], [0.0, 1.0, 0x7FC0]]> : tensor<3x3xbf16>
  %151 = stablehlo.constant dense<[[1.0, 0.0], [5.0, -3.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %152 = "stablehlo.triangular_solve"(%150, %151) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %152, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %153 = stablehlo.constant dense<[[2.0, 0x7FC0, 0x7FC0], [1.0, -1.0, 0x7FC0], [0.0, 1.0, 4.0]]> : tensor<3x3xbf16>
  %154 = stablehlo.constant dense<[[-4.0, 2.0], [-5.0, 2.0], [11.0, -9.0]]> : tensor<3x2xbf16>
  %155 = "stablehlo.triangular_solve"(%153, %154) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %155, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %156 = stablehlo.constant dense<[[2.0, 0x7FC0, 0x7FC0], [1.0, -1.0, 0x7FC0], [0.0, 1.0, 4.0]]> : tensor<3x3xbf16>
  %157 = stablehlo.constant dense<[[-1.0, 1.0], [-1.0, -1.0], [8.0, -8.0]]> : tensor<3x2xbf16>
  %158 = "stablehlo.triangular_solve"(%156, %157) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %158, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %159 = stablehlo.constant dense<[[2.0, 0x7FC0, 0x7FC0], [1.0, -1.0, 0x7FC0], [0.0, 1.0, 4.0]]> : tensor<3x3xbf16>
  %160 = stablehlo.constant dense<[[-1.0, 1.0], [-1.0, -1.0], [8.0, -8.0]]> : tensor<3x2xbf16>
  %161 = "stablehlo.triangular_solve"(%159, %160) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %161, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %162 = stablehlo.constant dense<[[0x7FC0, -1.0, 0.0], [0x7FC0, 0x7FC0, -1.0], [0x7FC0, 0x7FC0, 0x7FC0]]> : tensor<3x3xbf16>
  %163 = stablehlo.constant dense<[[-5.0, 2.0], [1.0, 1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %164 = "stablehlo.triangular_solve"(%162, %163) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %164, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %165 = stablehlo.constant dense<[[0x7FC0, -1.0, 0.0], [0x7FC0, 0x7FC0, -1.0], [0x7FC0, 0x7FC0, 0x7FC0]]> : tensor<3x3xbf16>
  %166 = stablehlo.constant dense<[[-2.0, 1.0], [5.0, -2.0], [-1.0, -1.0]]> : tensor<3x2xbf16>
  %167 = "stablehlo.triangular_solve"(%165, %166) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %167, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %168 = stablehlo.constant dense<[[0x7FC0, -1.0, 0.0], [0x7FC0, 0x7FC0, -1.0], [0x7FC0, 0x7FC0, 0x7FC0]]> : tensor<3x3xbf16>
  %169 = stablehlo.constant dense<[[-2.0, 1.0], [5.0, -2.0], [-1.0, -1.0]]> : tensor<3x2xbf16>
  %170 = "stablehlo.triangular_solve"(%168, %169) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %170, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %171 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC0, -1.0, -1.0], [0x7FC0, 0x7FC0, 4.0]]> : tensor<3x3xbf16>
  %172 = stablehlo.constant dense<[[-7.0, 3.0], [-5.0, 3.0], [8.0, -8.0]]> : tensor<3x2xbf16>
  %173 = "stablehlo.triangular_solve"(%171, %172) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %173, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %174 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC0, -1.0, -1.0], [0x7FC0, 0x7FC0, 4.0]]> : tensor<3x3xbf16>
  %175 = stablehlo.constant dense<[[-4.0, 2.0], [-1.0, 0.0], [5.0, -7.0]]> : tensor<3x2xbf16>
  %176 = "stablehlo.triangular_solve"(%174, %175) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %176, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %177 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC0, -1.0, -1.0], [0x7FC0, 0x7FC0, 4.0]]> : tensor<3x3xbf16>
  %178 = stablehlo.constant dense<[[-4.0, 2.0], [-1.0, 0.0], [5.0, -7.0]]> : tensor<3x2xbf16>
  %179 = "stablehlo.triangular_solve"(%177, %178) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %179, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %180 = stablehlo.constant dense<[[0x7FC0, 0x7FC0, 0x7FC0], [1.0, 0x7FC0, 0x7FC0], [0.0, 1.0, 0x7FC0]]> : tensor<3x3xbf16>
  %181 = stablehlo.constant dense<[[-1.0, 4.0, 3.0], [1.0, 0.0, -2.0]]> : tensor<2x3xbf16>
  %182 = "stablehlo.triangular_solve"(%180, %181) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %182, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>
  %183 = stablehlo.constant dense<[[0x7FC0, 0x7FC0, 0x7FC0], [1.0, 0x7FC0, 0x7FC0], [0.0, 1.0, 0x7FC0]]> : tensor<3x3xbf16>
  %184 = stablehlo.constant dense<[[-2.0, -1.0, 4.0], [-1.0, 1.0, 0.0]]> : tensor<2x3xbf16>
  %185 = "stablehlo.triangular_solve"(%183, %184) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %185, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>
  %186 = stablehlo.constant dense<[[0x7FC0, 0x7FC0, 0x7FC0], [1.0, 0x7FC0, 0x7FC0], [0.0, 1.0, 0x7FC0]]> : tensor<3x3xbf16>
  %187 = stablehlo.constant dense<[[-2.0, -1.0, 4.0], [-1.0, 1.0, 0.0]]> : tensor<2x3xbf16>
  %188 = "stablehlo.triangular_solve"(%186, %187) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %188, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>
  %189 = stablehlo.constant dense<[[2.0, 0x7FC0, 0x7FC0], [1.0, -1.0, 0x7FC0], [0.0, 1.0, 4.0]]> : tensor<3x3xbf16>
  %190 = stablehlo.constant dense<[[-3.0, 2.0, 12.0], [0.0, -4.0, -8.0]]> : tensor<2x3xbf16>
  %191 = "stablehlo.triangular_solve"(%189, %190) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %191, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>
  %192 = stablehlo.constant dense<[[2.0, 0x7FC0, 0x7FC0], [1.0, -1.0, 0x7FC0], [0.0, 1.0, 4.0]]> : tensor<3x3xbf16>
  %193 = stablehlo.constant dense<[[-4.0, -3.0, 13.0], [-2.0, -3.0, -6.0]]> : tensor<2x3xbf16>
  %194 = "stablehlo.triangular_solve"(%192, %193) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %194, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>
  %195 = stablehlo.constant dense<[[2.0, 0x7FC0, 0x7FC0], [1.0, -1.0, 0x7FC0], [0.0, 1.0, 4.0]]> : tensor<3x3xbf16>
  %196 = stablehlo.constant dense<[[-4.0, -3.0, 13.0], [-2.0, -3.0, -6.0]]> : tensor<2x3xbf16>
  %197 = "stablehlo.triangular_solve"(%195, %196) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %197, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>
  %198 = stablehlo.constant dense<[[0x7FC0, -1.0, 0.0], [0x7FC0, 0x7FC0, -1.0], [0x7FC0, 0x7FC0, 0x7FC0]]> : tensor<3x3xbf16>
  %199 = stablehlo.constant dense<[[-2.0, 3.0, 2.0], [-1.0, 3.0, -4.0]]> : tensor<2x3xbf16>
  %200 = "stablehlo.triangular_solve"(%198, %199) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %200, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>
  %201 = stablehlo.constant dense<[[0x7FC0, -1.0, 0.0], [0x7FC0, 0x7FC0, -1.0], [0x7FC0, 0x7FC0, 0x7FC0]]> : tensor<3x3xbf16>
  %202 = stablehlo.constant dense<[[-3.0, -2.0, 3.0], [-3.0, 4.0, -2.0]]> : tensor<2x3xbf16>
  %203 = "stablehlo.triangular_solve"(%201, %202) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %203, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>
  %204 = stablehlo.constant dense<[[0x7FC0, -1.0, 0.0], [0x7FC0, 0x7FC0, -1.0], [0x7FC0, 0x7FC0, 0x7FC0]]> : tensor<3x3xbf16>
  %205 = stablehlo.constant dense<[[-3.0, -2.0, 3.0], [-3.0, 4.0, -2.0]]> : tensor<2x3xbf16>
  %206 = "stablehlo.triangular_solve"(%204, %205) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %206, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>
  %207 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC0, -1.0, -1.0], [0x7FC0, 0x7FC0, 4.0]]> : tensor<3x3xbf16>
  %208 = stablehlo.constant dense<[[-4.0, 1.0, 11.0], [-2.0, -1.0, -10.0]]> : tensor<2x3xbf16>
  %209 = "stablehlo.triangular_solve"(%207, %208) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %209, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>
  %210 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC0, -1.0, -1.0], [0x7FC0, 0x7FC0, 4.0]]> : tensor<3x3xbf16>
  %211 = stablehlo.constant dense<[[-5.0, -4.0, 12.0], [-4.0, 0.0, -8.0]]> : tensor<2x3xbf16>
  %212 = "stablehlo.triangular_solve"(%210, %211) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %212, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>
  %213 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7FC0, -1.0, -1.0], [0x7FC0, 0x7FC0, 4.0]]> : tensor<3x3xbf16>
  %214 = stablehlo.constant dense<[[-5.0, -4.0, 12.0], [-4.0, 0.0, -8.0]]> : tensor<2x3xbf16>
  %215 = "stablehlo.triangular_solve"(%213, %214) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %215, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xbf16>

  // f16: all forms
  %216 = stablehlo.constant dense<[[0x7E00, 0x7E00, 0x7E00], [1.0, 0x7E00, 0x7E00], [0.0, 1.0, 0x7E00]]> : tensor<3x3xf16>
  %217 = stablehlo.constant dense<[[-2.0, 1.0], [1.0, 0.0], [5.0, -3.0]]> : tensor<3x2xf16>
  %218 = "stablehlo.triangular_solve"(%216, %217) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %218, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %219 = stablehlo.constant dense<[[0x7E00, 0x7E00, 0x7E00], [1.0, 0x7E00, 0x7E00], [0.0, 1.0, 0x7E00]]> : tensor<3x3xf16>
  %220 = stablehlo.constant dense<[[1.0, 0.0], [5.0, -3.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %221 = "stablehlo.triangular_solve"(%219, %220) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %221, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %222 = stablehlo.constant dense<[[0x7E00, 0x7E00, 0x7E00], [1.0, 0x7E00, 0x7E00], [0.0, 1.0, 0x7E00]]> : tensor<3x3xf16>
  %223 = stablehlo.constant dense<[[1.0, 0.0], [5.0, -3.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %224 = "stablehlo.triangular_solve"(%222, %223) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %224, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %225 = stablehlo.constant dense<[[2.0, 0x7E00, 0x7E00], [1.0, -1.0, 0x7E00], [0.0, 1.0, 4.0]]> : tensor<3x3xf16>
  %226 = stablehlo.constant dense<[[-4.0, 2.0], [-5.0, 2.0], [11.0, -9.0]]> : tensor<3x2xf16>
  %227 = "stablehlo.triangular_solve"(%225, %226) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %227, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %228 = stablehlo.constant dense<[[2.0, 0x7E00, 0x7E00], [1.0, -1.0, 0x7E00], [0.0, 1.0, 4.0]]> : tensor<3x3xf16>
  %229 = stablehlo.constant dense<[[-1.0, 1.0], [-1.0, -1.0], [8.0, -8.0]]> : tensor<3x2xf16>
  %230 = "stablehlo.triangular_solve"(%228, %229) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %230, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %231 = stablehlo.constant dense<[[2.0, 0x7E00, 0x7E00], [1.0, -1.0, 0x7E00], [0.0, 1.0, 4.0]]> : tensor<3x3xf16>
  %232 = stablehlo.constant dense<[[-1.0, 1.0], [-1.0, -1.0], [8.0, -8.0]]> : tensor<3x2xf16>
  %233 = "stablehlo.triangular_solve"(%231, %232) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %233, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %234 = stablehlo.constant dense<[[0x7E00, -1.0, 0.0], [0x7E00, 0x7E00, -1.0], [0x7E00, 0x7E00, 0x7E00]]> : tensor<3x3xf16>
  %235 = stablehlo.constant dense<[[-5.0, 2.0], [1.0, 1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %236 = "stablehlo.triangular_solve"(%234, %235) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %236, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %237 = stablehlo.constant dense<[[0x7E00, -1.0, 0.0], [0x7E00, 0x7E00, -1.0], [0x7E00, 0x7E00, 0x7E00]]> : tensor<3x3xf16>
  %238 = stablehlo.constant dense<[[-2.0, 1.0], [5.0, -2.0], [-1.0, -1.0]]> : tensor<3x2xf16>
  %239 = "stablehlo.triangular_solve"(%237, %238) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %239, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %240 = stablehlo.constant dense<[[0x7E00, -1.0, 0.0], [0x7E00, 0x7E00, -1.0], [0x7E00, 0x7E00, 0x7E00]]> : tensor<3x3xf16>
  %241 = stablehlo.constant dense<[[-2.0, 1.0], [5.0, -2.0], [-1.0, -1.0]]> : tensor<3x2xf16>
  %242 = "stablehlo.triangular_solve"(%240, %241) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %242, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %243 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7E00, -1.0, -1.0], [0x7E00, 0x7E00, 4.0]]> : tensor<3x3xf16>
  %244 = stablehlo.constant dense<[[-7.0, 3.0], [-5.0, 3.0], [8.0, -8.0]]> : tensor<3x2xf16>
  %245 = "stablehlo.triangular_solve"(%243, %244) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %245, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %246 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7E00, -1.0, -1.0], [0x7E00, 0x7E00, 4.0]]> : tensor<3x3xf16>
  %247 = stablehlo.constant dense<[[-4.0, 2.0], [-1.0, 0.0], [5.0, -7.0]]> : tensor<3x2xf16>
  %248 = "stablehlo.triangular_solve"(%246, %247) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %248, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %249 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7E00, -1.0, -1.0], [0x7E00, 0x7E00, 4.0]]> : tensor<3x3xf16>
  %250 = stablehlo.constant dense<[[-4.0, 2.0], [-1.0, 0.0], [5.0, -7.0]]> : tensor<3x2xf16>
  %251 = "stablehlo.triangular_solve"(%249, %250) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<3x2xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %251, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0]]> : tensor<3x2xf16>
  %252 = stablehlo.constant dense<[[0x7E00, 0x7E00, 0x7E00], [1.0, 0x7E00, 0x7E00], [0.0, 1.0, 0x7E00]]> : tensor<3x3xf16>
  %253 = stablehlo.constant dense<[[-1.0, 4.0, 3.0], [1.0, 0.0, -2.0]]> : tensor<2x3xf16>
  %254 = "stablehlo.triangular_solve"(%252, %253) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %254, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>
  %255 = stablehlo.constant dense<[[0x7E00, 0x7E00, 0x7E00], [1.0, 0x7E00, 0x7E00], [0.0, 1.0, 0x7E00]]> : tensor<3x3xf16>
  %256 = stablehlo.constant dense<[[-2.0, -1.0, 4.0], [-1.0, 1.0, 0.0]]> : tensor<2x3xf16>
  %257 = "stablehlo.triangular_solve"(%255, %256) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %257, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>
  %258 = stablehlo.constant dense<[[0x7E00, 0x7E00, 0x7E00], [1.0, 0x7E00, 0x7E00], [0.0, 1.0, 0x7E00]]> : tensor<3x3xf16>
  %259 = stablehlo.constant dense<[[-2.0, -1.0, 4.0], [-1.0, 1.0, 0.0]]> : tensor<2x3xf16>
  %260 = "stablehlo.triangular_solve"(%258, %259) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %260, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>
  %261 = stablehlo.constant dense<[[2.0, 0x7E00, 0x7E00], [1.0, -1.0, 0x7E00], [0.0, 1.0, 4.0]]> : tensor<3x3xf16>
  %262 = stablehlo.constant dense<[[-3.0, 2.0, 12.0], [0.0, -4.0, -8.0]]> : tensor<2x3xf16>
  %263 = "stablehlo.triangular_solve"(%261, %262) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %263, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>
  %264 = stablehlo.constant dense<[[2.0, 0x7E00, 0x7E00], [1.0, -1.0, 0x7E00], [0.0, 1.0, 4.0]]> : tensor<3x3xf16>
  %265 = stablehlo.constant dense<[[-4.0, -3.0, 13.0], [-2.0, -3.0, -6.0]]> : tensor<2x3xf16>
  %266 = "stablehlo.triangular_solve"(%264, %265) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %266, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>
  %267 = stablehlo.constant dense<[[2.0, 0x7E00, 0x7E00], [1.0, -1.0, 0x7E00], [0.0, 1.0, 4.0]]> : tensor<3x3xf16>
  %268 = stablehlo.constant dense<[[-4.0, -3.0, 13.0], [-2.0, -3.0, -6.0]]> : tensor<2x3xf16>
  %269 = "stablehlo.triangular_solve"(%267, %268) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %269, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>
  %270 = stablehlo.constant dense<[[0x7E00, -1.0, 0.0], [0x7E00, 0x7E00, -1.0], [0x7E00, 0x7E00, 0x7E00]]> : tensor<3x3xf16>
  %271 = stablehlo.constant dense<[[-2.0, 3.0, 2.0], [-1.0, 3.0, -4.0]]> : tensor<2x3xf16>
  %272 = "stablehlo.triangular_solve"(%270, %271) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %272, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>
  %273 = stablehlo.constant dense<[[0x7E00, -1.0, 0.0], [0x7E00, 0x7E00, -1.0], [0x7E00, 0x7E00, 0x7E00]]> : tensor<3x3xf16>
  %274 = stablehlo.constant dense<[[-3.0, -2.0, 3.0], [-3.0, 4.0, -2.0]]> : tensor<2x3xf16>
  %275 = "stablehlo.triangular_solve"(%273, %274) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %275, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>
  %276 = stablehlo.constant dense<[[0x7E00, -1.0, 0.0], [0x7E00, 0x7E00, -1.0], [0x7E00, 0x7E00, 0x7E00]]> : tensor<3x3xf16>
  %277 = stablehlo.constant dense<[[-3.0, -2.0, 3.0], [-3.0, 4.0, -2.0]]> : tensor<2x3xf16>
  %278 = "stablehlo.triangular_solve"(%276, %277) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %278, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>
  %279 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7E00, -1.0, -1.0], [0x7E00, 0x7E00, 4.0]]> : tensor<3x3xf16>
  %280 = stablehlo.constant dense<[[-4.0, 1.0, 11.0], [-2.0, -1.0, -10.0]]> : tensor<2x3xf16>
  %281 = "stablehlo.triangular_solve"(%279, %280) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %281, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>
  %282 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7E00, -1.0, -1.0], [0x7E00, 0x7E00, 4.0]]> : tensor<3x3xf16>
  %283 = stablehlo.constant dense<[[-5.0, -4.0, 12.0], [-4.0, 0.0, -8.0]]> : tensor<2x3xf16>
  %284 = "stablehlo.triangular_solve"(%282, %283) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %284, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>
  %285 = stablehlo.constant dense<[[2.0, -1.0, 0.0], [0x7E00, -1.0, -1.0], [0x7E00, 0x7E00, 4.0]]> : tensor<3x3xf16>
  %286 = stablehlo.constant dense<[[-5.0, -4.0, 12.0], [-4.0, 0.0, -8.0]]> : tensor<2x3xf16>
  %287 = "stablehlo.triangular_solve"(%285, %286) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %287, dense<[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0]]> : tensor<2x3xf16>

  // several matrices, other sizes
  %288 = stablehlo.constant dense<[[[2.0, 0x7FC00000, 0x7FC00000, 0x7FC00000], [1.0, -1.0, 0x7FC00000, 0x7FC00000], [0.0, 1.0, 4.0, 0x7FC00000], [-1.0, 0.0, 1.0, 2.0]], [[2.0, 0x7FC00000, 0x7FC00000, 0x7FC00000], [-2.0, -1.0, 0x7FC00000, 0x7FC00000], [1.0, -2.0, 4.0, 0x7FC00000], [0.0, 1.0, -2.0, 2.0]]]> : tensor<2x4x4xf32>
  %289 = stablehlo.constant dense<[[[-4.0, 2.0, 6.0], [-1.0, -1.0, 5.0], [3.0, 14.0, -6.0], [7.0, -2.0, -2.0]], [[6.0, -2.0, 4.0], [-4.0, 1.0, -7.0], [3.0, 5.0, -12.0], [2.0, 3.0, 5.0]]]> : tensor<2x4x3xf32>
  %290 = "stablehlo.triangular_solve"(%288, %289) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  check.expect_eq_const %290, dense<[[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0], [1.0, 3.0, -1.0], [2.0, -2.0, 1.0]], [[3.0, -1.0, 2.0], [-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0], [1.0, 3.0, -1.0]]]> : tensor<2x4x3xf32>
  %291 = stablehlo.constant dense<[[[[0x7FF8000000000000, 0x7FF8000000000000], [1.0, 0x7FF8000000000000]], [[0x7FF8000000000000, 0x7FF8000000000000], [-2.0, 0x7FF8000000000000]]], [[[0x7FF8000000000000, 0x7FF8000000000000], [-2.0, 0x7FF8000000000000]], [[0x7FF8000000000000, 0x7FF8000000000000], [-1.0, 0x7FF8000000000000]]], [[[0x7FF8000000000000, 0x7FF8000000000000], [-1.0, 0x7FF8000000000000]], [[0x7FF8000000000000, 0x7FF8000000000000], [0.0, 0x7FF8000000000000]]]]> : tensor<3x2x2x2xf64>
  %292 = stablehlo.constant dense<[[[[-4.0, 2.0, 6.0, -2.0, 4.0], [-2.0, 1.0, 3.0, -1.0, 2.0]], [[2.0, -1.0, -3.0, 1.0, -2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]]], [[[2.0, -1.0, -3.0, 1.0, -2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]], [[0.0, 0.0, 0.0, 0.0, 0.0], [-2.0, 1.0, 3.0, -1.0, 2.0]]], [[[0.0, 0.0, 0.0, 0.0, 0.0], [-2.0, 1.0, 3.0, -1.0, 2.0]], [[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]]]]> : tensor<3x2x2x5xf64>
  %293 = "stablehlo.triangular_solve"(%291, %292) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x2x2x2xf64>, tensor<3x2x2x5xf64>) -> tensor<3x2x2x5xf64>
  check.expect_eq_const %293, dense<[[[[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]], [[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]]], [[[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]], [[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]]], [[[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]], [[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]]]]> : tensor<3x2x2x5xf64>
  %294 = stablehlo.constant dense<[[[2.0, -1.0, 0.0, 1.0], [0x7FC00000, -1.0, -1.0, 0.0], [0x7FC00000, 0x7FC00000, 4.0, -1.0], [0x7FC00000, 0x7FC00000, 0x7FC00000, 2.0]], [[2.0, 0.0, 1.0, -2.0], [0x7FC00000, -1.0, 0.0, 1.0], [0x7FC00000, 0x7FC00000, 4.0, 0.0], [0x7FC00000, 0x7FC00000, 0x7FC00000, 2.0]]]> : tensor<2x4x4xf32>
  %295 = stablehlo.constant dense<[[[-1.0, -2.0, 9.0], [0.0, -5.0, 3.0], [2.0, 14.0, -5.0], [4.0, -4.0, 2.0]], [[3.0, -6.0, 4.0], [3.0, 2.0, -4.0], [-4.0, 8.0, -8.0], [2.0, 6.0, -2.0]]]> : tensor<2x4x3xf32>
  %296 = "stablehlo.triangular_solve"(%294, %295) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  check.expect_eq_const %296, dense<[[[-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0], [1.0, 3.0, -1.0], [2.0, -2.0, 1.0]], [[3.0, -1.0, 2.0], [-2.0, 1.0, 3.0], [-1.0, 2.0, -2.0], [1.0, 3.0, -1.0]]]> : tensor<2x4x3xf32>
  %297 = stablehlo.constant dense<[[[[0x7FF8000000000000, -1.0], [0x7FF8000000000000, 0x7FF8000000000000]], [[0x7FF8000000000000, 0.0], [0x7FF8000000000000, 0x7FF8000000000000]]], [[[0x7FF8000000000000, 0.0], [0x7FF8000000000000, 0x7FF8000000000000]], [[0x7FF8000000000000, 1.0], [0x7FF8000000000000, 0x7FF8000000000000]]], [[[0x7FF8000000000000, 1.0], [0x7FF8000000000000, 0x7FF8000000000000]], [[0x7FF8000000000000, -2.0], [0x7FF8000000000000, 0x7FF8000000000000]]]]> : tensor<3x2x2x2xf64>
  %298 = stablehlo.constant dense<[[[[-2.0, 1.0, 3.0, -1.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0]], [[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]]], [[[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]], [[-2.0, 1.0, 3.0, -1.0, 2.0], [-4.0, 2.0, 6.0, -2.0, 4.0]]], [[[-2.0, 1.0, 3.0, -1.0, 2.0], [-4.0, 2.0, 6.0, -2.0, 4.0]], [[-2.0, 1.0, 3.0, -1.0, 2.0], [2.0, -1.0, -3.0, 1.0, -2.0]]]]> : tensor<3x2x2x5xf64>
  %299 = "stablehlo.triangular_solve"(%297, %298) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x2x2x2xf64>, tensor<3x2x2x5xf64>) -> tensor<3x2x2x5xf64>
  check.expect_eq_const %299, dense<[[[[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]], [[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]]], [[[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]], [[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]]], [[[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]], [[-2.0, 1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0, 2.0]]]]> : tensor<3x2x2x5xf64>
  %300 = stablehlo.constant dense<[[[2.0, 0x7FC00000, 0x7FC00000, 0x7FC00000], [1.0, -1.0, 0x7FC00000, 0x7FC00000], [0.0, 1.0, 4.0, 0x7FC00000], [-1.0, 0.0, 1.0, 2.0]], [[2.0, 0x7FC00000, 0x7FC00000, 0x7FC00000], [-2.0, -1.0, 0x7FC00000, 0x7FC00000], [1.0, -2.0, 4.0, 0x7FC00000], [0.0, 1.0, -2.0, 2.0]]]> : tensor<2x4x4xf32>
  %301 = stablehlo.constant dense<[[[-2.0, 2.0, 11.0, -2.0], [-1.0, 3.0, 7.0, 6.0], [-1.0, -4.0, -7.0, 2.0]], [[10.0, -5.0, 12.0, -4.0], [-5.0, 1.0, -8.0, 4.0], [-3.0, -8.0, 14.0, -2.0]]]> : tensor<2x3x4xf32>
  %302 = "stablehlo.triangular_solve"(%300, %301) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  check.expect_eq_const %302, dense<[[[-2.0, 1.0, 3.0, -1.0], [2.0, -2.0, 1.0, 3.0], [-1.0, 2.0, -2.0, 1.0]], [[3.0, -1.0, 2.0, -2.0], [1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0]]]> : tensor<2x3x4xf32>
  %303 = stablehlo.constant dense<[[[[0x7FF8000000000000, 0x7FF8000000000000], [1.0, 0x7FF8000000000000]], [[0x7FF8000000000000, 0x7FF8000000000000], [-2.0, 0x7FF8000000000000]]], [[[0x7FF8000000000000, 0x7FF8000000000000], [-2.0, 0x7FF8000000000000]], [[0x7FF8000000000000, 0x7FF8000000000000], [-1.0, 0x7FF8000000000000]]], [[[0x7FF8000000000000, 0x7FF8000000000000], [-1.0, 0x7FF8000000000000]], [[0x7FF8000000000000, 0x7FF8000000000000], [0.0, 0x7FF8000000000000]]]]> : tensor<3x2x2x2xf64>
  %304 = stablehlo.constant dense<[[[[-2.0, -1.0], [3.0, 2.0], [2.0, 0.0], [1.0, 4.0], [-1.0, 1.0]], [[-2.0, 5.0], [3.0, -7.0], [2.0, -6.0], [1.0, 1.0], [-1.0, 4.0]]], [[[-2.0, 5.0], [3.0, -7.0], [2.0, -6.0], [1.0, 1.0], [-1.0, 4.0]], [[-2.0, 3.0], [3.0, -4.0], [2.0, -4.0], [1.0, 2.0], [-1.0, 3.0]]], [[[-2.0, 3.0], [3.0, -4.0], [2.0, -4.0], [1.0, 2.0], [-1.0, 3.0]], [[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]]]]> : tensor<3x2x5x2xf64>
  %305 = "stablehlo.triangular_solve"(%303, %304) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x2x2x2xf64>, tensor<3x2x5x2xf64>) -> tensor<3x2x5x2xf64>
  check.expect_eq_const %305, dense<[[[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]], [[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]]], [[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]], [[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]]], [[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]], [[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]]]]> : tensor<3x2x5x2xf64>
  %306 = stablehlo.constant dense<[[[2.0, -1.0, 0.0, 1.0], [0x7FC00000, -1.0, -1.0, 0.0], [0x7FC00000, 0x7FC00000, 4.0, -1.0], [0x7FC00000, 0x7FC00000, 0x7FC00000, 2.0]], [[2.0, 0.0, 1.0, -2.0], [0x7FC00000, -1.0, 0.0, 1.0], [0x7FC00000, 0x7FC00000, 4.0, 0.0], [0x7FC00000, 0x7FC00000, 0x7FC00000, 2.0]]]> : tensor<2x4x4xf32>
  %307 = stablehlo.constant dense<[[[-4.0, 1.0, 11.0, -7.0], [4.0, 0.0, 6.0, 7.0], [-2.0, -1.0, -10.0, 3.0]], [[6.0, 1.0, 11.0, -11.0], [2.0, -3.0, -3.0, 5.0], [-4.0, -1.0, 10.0, 3.0]]]> : tensor<2x3x4xf32>
  %308 = "stablehlo.triangular_solve"(%306, %307) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  check.expect_eq_const %308, dense<[[[-2.0, 1.0, 3.0, -1.0], [2.0, -2.0, 1.0, 3.0], [-1.0, 2.0, -2.0, 1.0]], [[3.0, -1.0, 2.0, -2.0], [1.0, 3.0, -1.0, 2.0], [-2.0, 1.0, 3.0, -1.0]]]> : tensor<2x3x4xf32>
  %309 = stablehlo.constant dense<[[[[0x7FF8000000000000, -1.0], [0x7FF8000000000000, 0x7FF8000000000000]], [[0x7FF8000000000000, 0.0], [0x7FF8000000000000, 0x7FF8000000000000]]], [[[0x7FF8000000000000, 0.0], [0x7FF8000000000000, 0x7FF8000000000000]], [[0x7FF8000000000000, 1.0], [0x7FF8000000000000, 0x7FF8000000000000]]], [[[0x7FF8000000000000, 1.0], [0x7FF8000000000000, 0x7FF8000000000000]], [[0x7FF8000000000000, -2.0], [0x7FF8000000000000, 0x7FF8000000000000]]]]> : tensor<3x2x2x2xf64>
  %310 = stablehlo.constant dense<[[[[-3.0, 1.0], [4.0, -1.0], [4.0, -2.0], [-2.0, 3.0], [-3.0, 2.0]], [[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]]], [[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]], [[-1.0, 1.0], [2.0, -1.0], [0.0, -2.0], [4.0, 3.0], [1.0, 2.0]]], [[[-1.0, 1.0], [2.0, -1.0], [0.0, -2.0], [4.0, 3.0], [1.0, 2.0]], [[-4.0, 1.0], [5.0, -1.0], [6.0, -2.0], [-5.0, 3.0], [-5.0, 2.0]]]]> : tensor<3x2x5x2xf64>
  %311 = "stablehlo.triangular_solve"(%309, %310) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x2x2x2xf64>, tensor<3x2x5x2xf64>) -> tensor<3x2x5x2xf64>
  check.expect_eq_const %311, dense<[[[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]], [[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]]], [[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]], [[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]]], [[[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]], [[-2.0, 1.0], [3.0, -1.0], [2.0, -2.0], [1.0, 3.0], [-1.0, 2.0]]]]> : tensor<3x2x5x2xf64>
  %312 = stablehlo.constant dense<[[2.0]]> : tensor<1x1xf32>
  %313 = stablehlo.constant dense<[[-4.0]]> : tensor<1x1xf32>
  %314 = "stablehlo.triangular_solve"(%312, %313) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %314, dense<[[-2.0]]> : tensor<1x1xf32>
  %315 = stablehlo.constant dense<> : tensor<0x0xf32>
  %316 = stablehlo.constant dense<> : tensor<0x2xf32>
  %317 = "stablehlo.triangular_solve"(%315, %316) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<0x0xf32>, tensor<0x2xf32>) -> tensor<0x2xf32>
  check.expect_eq_const %317, dense<> : tensor<0x2xf32>
  %318 = stablehlo.constant dense<> : tensor<0x2x2xf32>
  %319 = stablehlo.constant dense<> : tensor<0x2x2xf32>
  %320 = "stablehlo.triangular_solve"(%318, %319) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<0x2x2xf32>, tensor<0x2x2xf32>) -> tensor<0x2x2xf32>
  check.expect_eq_const %320, dense<> : tensor<0x2x2xf32>
  %321 = stablehlo.constant dense<[[2.0, 0x7FC00000, 0x7FC00000], [1.0, -1.0, 0x7FC00000], [0.0, 1.0, 4.0]]> : tensor<3x3xf32>
  %322 = stablehlo.constant dense<> : tensor<3x0xf32>
  %323 = "stablehlo.triangular_solve"(%321, %322) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x0xf32>) -> tensor<3x0xf32>
  check.expect_eq_const %323, dense<> : tensor<3x0xf32>

  // a diagonal of 0
  %324 = stablehlo.constant dense<[[0.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %325 = stablehlo.constant dense<[[1.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %326 = "stablehlo.triangular_solve"(%324, %325) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %326, dense<[[0x7F800000, 0x7FC00000], [0xFF800000, 0x7FC00000]]> : tensor<2x2xf32>
  return
}
