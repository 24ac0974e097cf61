// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[1.0, 0x7FC00000, 0x7FC00000, 0x7FC00000], [1.0, 5.0, 0x7FC00000, 0x7FC00000], [0.0, 2.0, 17.0, 0x7FC00000], [-1.0, -1.0, 4.0, 3.0]]> : tensor<4x4xf32>
  %1 = stablehlo.cholesky %0, lower = true : tensor<4x4xf32>
  check.expect_eq_const %1, dense<[[1.0, 0.0, 0.0, 0.0], [1.0, 2.0, 0.0, 0.0], [0.0, 1.0, 4.0, 0.0], [-1.0, 0.0, 1.0, 1.0]]> : tensor<4x4xf32>
  %2 = stablehlo.constant dense<[[1.0, 1.0, 0.0, -1.0], [0x7FC00000, 5.0, 2.0, -1.0], [0x7FC00000, 0x7FC00000, 17.0, 4.0], [0x7FC00000, 0x7FC00000, 0x7FC00000, 3.0]]> : tensor<4x4xf32>
  %3 = stablehlo.cholesky %2, lower = false : tensor<4x4xf32>
  check.expect_eq_const %3, dense<[[1.0, 1.0, 0.0, -1.0], [0.0, 2.0, 1.0, 0.0], [0.0, 0.0, 4.0, 1.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf32>

  // f64
  %4 = stablehlo.constant dense<[[1.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000], [1.0, 5.0, 0x7FF8000000000000, 0x7FF8000000000000], [0.0, 2.0, 17.0, 0x7FF8000000000000], [-1.0, -1.0, 4.0, 3.0]]> : tensor<4x4xf64>
  %5 = stablehlo.cholesky %4, lower = true : tensor<4x4xf64>
  check.expect_eq_const %5, dense<[[1.0, 0.0, 0.0, 0.0], [1.0, 2.0, 0.0, 0.0], [0.0, 1.0, 4.0, 0.0], [-1.0, 0.0, 1.0, 1.0]]> : tensor<4x4xf64>
  %6 = stablehlo.constant dense<[[1.0, 1.0, 0.0, -1.0], [0x7FF8000000000000, 5.0, 2.0, -1.0], [0x7FF8000000000000, 0x7FF8000000000000, 17.0, 4.0], [0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 3.0]]> : tensor<4x4xf64>
  %7 = stablehlo.cholesky %6, lower = false : tensor<4x4xf64>
  check.expect_eq_const %7, dense<[[1.0, 1.0, 0.0, -1.0], [0.0, 2.0, 1.0, 0.0], [0.0, 0.0, 4.0, 1.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf64>

  // bf16
  %8 = stablehlo.constant dense<[[1.0, 0x7FC0, 0x7FC0, 0x7FC0], [1.0, 5.0, 0x7FC0, 0x7FC0], [0.0, 2.0, 17.0, 0x7FC0], [-1.0, -1.0, 4.0, 3.0]]> : tensor<4x4xbf16>
  %9 = stablehlo.cholesky %8, lower = true : tensor<4x4xbf16>
  check.expect_eq_const %9, dense<[[1.0, 0.0, 0.0, 0.0], [1.0, 2.0, 0.0, 0.0], [0.0, 1.0, 4.0, 0.0], [-1.0, 0.0, 1.0, 1.0]]> : tensor<4x4xbf16>
  %10 = stablehlo.constant dense<[[1.0, 1.0, 0.0, -1.0], [0x7FC0, 5.0, 2.0, -1.0], [0x7FC0, 0x7FC0, 17.0, 4.0], [0x7FC0, 0x7FC0, 0x7FC0, 3.0]]> : tensor<4x4xbf16>
  %11 = stablehlo.cholesky %10, lower = false : tensor<4x4xbf16>
  check.expect_eq_const %11, dense<[[1.0, 1.0, 0.0, -1.0], [0.0, 2.0, 1.0, 0.0], [0.0, 0.0, 4.0, 1.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xbf16>

  // f16
  %12 = stablehlo.constant dense<[[1.0, 0x7E00, 0x7E00, 0x7E00], [1.0, 5.0, 0x7E00, 0x7E00], [0.0, 2.0, 17.0, 0x7E00], [-1.0, -1.0, 4.0, 3.0]]> : tensor<4x4xf16>
  %13 = stablehlo.cholesky %12, lower = true : tensor<4x4xf16>
  check.expect_eq_const %13, dense<[[1.0, 0.0, 0.0, 0.0], [1.0, 2.0, 0.0, 0.0], [0.0, 1.0, 4.0, 0.0], [-1.0, 0.0, 1.0, 1.0]]> : tensor<4x4xf16>
  %14 = stablehlo.constant dense<[[1.0, 1.0, 0.0, -1.0], [0x7E00, 5.0, 2.0, -1.0], [0x7E00, 0x7E00, 17.0, 4.0], [0x7E00, 0x7E00, 0x7E00, 3.0]]> : tensor<4x4xf16>
  %15 = stablehlo.cholesky %14, lower = false : tensor<4x4xf16>
  check.expect_eq_const %15, dense<[[1.0, 1.0, 0.0, -1.0], [0.0, 2.0, 1.0, 0.0], [0.0, 0.0, 4.0, 1.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf16>

  // several matrices, other sizes
  %16 = stablehlo.constant dense<[[[1.0, 0x7FC00000, 0x7FC00000], [1.0, 5.0, 0x7FC00000], [0.0, 2.0, 17.0]], [[1.0, 0x7FC00000, 0x7FC00000], [-2.0, 8.0, 0x7FC00000], [1.0, -6.0, 21.0]]]> : tensor<2x3x3xf32>
  %17 = stablehlo.cholesky %16, lower = true : tensor<2x3x3xf32>
  check.expect_eq_const %17, dense<[[[1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 1.0, 4.0]], [[1.0, 0.0, 0.0], [-2.0, 2.0, 0.0], [1.0, -2.0, 4.0]]]> : tensor<2x3x3xf32>
  %18 = stablehlo.constant dense<[[[1.0, 1.0, 0.0], [0x7FF8000000000000, 5.0, 2.0], [0x7FF8000000000000, 0x7FF8000000000000, 17.0]], [[1.0, -2.0, 1.0], [0x7FF8000000000000, 8.0, -6.0], [0x7FF8000000000000, 0x7FF8000000000000, 21.0]]]> : tensor<2x3x3xf64>
  %19 = stablehlo.cholesky %18, lower = false : tensor<2x3x3xf64>
  check.expect_eq_const %19, dense<[[[1.0, 1.0, 0.0], [0.0, 2.0, 1.0], [0.0, 0.0, 4.0]], [[1.0, -2.0, 1.0], [0.0, 2.0, -2.0], [0.0, 0.0, 4.0]]]> : tensor<2x3x3xf64>
  %20 = stablehlo.constant dense<[[[[1.0, 0x7FC00000], [1.0, 5.0]], [[1.0, 0x7FC00000], [-2.0, 8.0]]], [[[1.0, 0x7FC00000], [-2.0, 8.0]], [[1.0, 0x7FC00000], [-1.0, 5.0]]]]> : tensor<2x2x2x2xf32>
  %21 = stablehlo.cholesky %20, lower = true : tensor<2x2x2x2xf32>
  check.expect_eq_const %21, dense<[[[[1.0, 0.0], [1.0, 2.0]], [[1.0, 0.0], [-2.0, 2.0]]], [[[1.0, 0.0], [-2.0, 2.0]], [[1.0, 0.0], [-1.0, 2.0]]]]> : tensor<2x2x2x2xf32>
  %22 = stablehlo.constant dense<[[[[1.0, 1.0], [0x7FF8000000000000, 5.0]], [[1.0, -2.0], [0x7FF8000000000000, 8.0]]], [[[1.0, -2.0], [0x7FF8000000000000, 8.0]], [[1.0, -1.0], [0x7FF8000000000000, 5.0]]]]> : tensor<2x2x2x2xf64>
  %23 = stablehlo.cholesky %22, lower = false : tensor<2x2x2x2xf64>
  check.expect_eq_const %23, dense<[[[[1.0, 1.0], [0.0, 2.0]], [[1.0, -2.0], [0.0, 2.0]]], [[[1.0, -2.0], [0.0, 2.0]], [[1.0, -1.0], [0.0, 2.0]]]]> : tensor<2x2x2x2xf64>
  %24 = stablehlo.constant dense<[[1.0]]> : tensor<1x1xf32>
  %25 = stablehlo.cholesky %24, lower = true : tensor<1x1xf32>
  check.expect_eq_const %25, dense<[[1.0]]> : tensor<1x1xf32>
  %26 = stablehlo.constant dense<[[1.0]]> : tensor<1x1xf64>
  %27 = stablehlo.cholesky %26, lower = false : tensor<1x1xf64>
  check.expect_eq_const %27, dense<[[1.0]]> : tensor<1x1xf64>
  %28 = stablehlo.constant dense<> : tensor<0x0xf32>
  %29 = stablehlo.cholesky %28, lower = true : tensor<0x0xf32>
  check.expect_eq_const %29, dense<> : tensor<0x0xf32>
  %30 = stablehlo.constant dense<> : tensor<0x0xf64>
  %31 = stablehlo.cholesky %30, lower = false : tensor<0x0xf64>
  check.expect_eq_const %31, dense<> : tensor<0x0xf64>
  %32 = stablehlo.constant dense<> : tensor<0x2x2xf32>
  %33 = stablehlo.cholesky %32, lower = true : tensor<0x2x2xf32>
  check.expect_eq_const %33, dense<> : tensor<0x2x2xf32>
  %34 = stablehlo.constant dense<> : tensor<0x2x2xf64>
  %35 = stablehlo.cholesky %34, lower = false : tensor<0x2x2xf64>
  check.expect_eq_const %35, dense<> : tensor<0x2x2xf64>

  // not positive definite from the second row on
  %36 = stablehlo.constant dense<[[4.0, 0x7FC00000, 0x7FC00000], [2.0, 0.5, 0x7FC00000], [6.0, 7.0, 8.0]]> : tensor<3x3xf32>
  %37 = stablehlo.cholesky %36, lower = true : tensor<3x3xf32>
  check.expect_eq_const %37, dense<[[2.0, 0.0, 0.0], [1.0, 0x7FC00000, 0.0], [3.0, 0x7FC00000, 0x7FC00000]]> : tensor<3x3xf32>
  return
}
