// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %1, dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf32>

  // f64
  %2 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf64>

  // bf16
  %4 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %5, dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xbf16>

  // f16
  %6 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf16>
  %7 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %7, dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf16>

  // i8
  %8 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi8>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<3xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %9, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi8>

  // i16
  %10 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi16>
  %11 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<3xi16>) -> tensor<2x3xi16>
  check.expect_eq_const %11, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi16>

  // i32
  %12 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %13, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>

  // i64
  %14 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
  %15 = stablehlo.broadcast_in_dim %14, dims = [1] : (tensor<3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %15, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi64>

  // ui8
  %16 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui8>
  %17 = stablehlo.broadcast_in_dim %16, dims = [1] : (tensor<3xui8>) -> tensor<2x3xui8>
  check.expect_eq_const %17, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xui8>

  // ui16
  %18 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui16>
  %19 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<3xui16>) -> tensor<2x3xui16>
  check.expect_eq_const %19, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xui16>

  // ui32
  %20 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [1] : (tensor<3xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %21, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xui32>

  // ui64
  %22 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui64>
  %23 = stablehlo.broadcast_in_dim %22, dims = [1] : (tensor<3xui64>) -> tensor<2x3xui64>
  check.expect_eq_const %23, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xui64>

  // i1
  %24 = stablehlo.constant dense<[false, false, false]> : tensor<3xi1>
  %25 = stablehlo.broadcast_in_dim %24, dims = [1] : (tensor<3xi1>) -> tensor<2x3xi1>
  check.expect_eq_const %25, dense<[[false, false, false], [false, false, false]]> : tensor<2x3xi1>

  // shapes
  %26 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<3xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %27, dense<[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]> : tensor<3x2xf32>
  %28 = stablehlo.constant dense<[[0.0, 1.0, 2.0]]> : tensor<1x3xf32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<4x3xf32>
  check.expect_eq_const %29, dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf32>
  %30 = stablehlo.constant dense<[[0.0], [1.0], [2.0]]> : tensor<3x1xf32>
  %31 = stablehlo.broadcast_in_dim %30, dims = [0, 2] : (tensor<3x1xf32>) -> tensor<3x2x4xf32>
  check.expect_eq_const %31, dense<[[[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]], [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]]> : tensor<3x2x4xf32>
  %32 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %33 = stablehlo.broadcast_in_dim %32, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %33, dense<[[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]> : tensor<3x2xf32>
  %34 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %35 = stablehlo.broadcast_in_dim %34, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x2x2xf32>
  check.expect_eq_const %35, dense<[[[0.0, 3.0], [0.0, 3.0]], [[1.0, 4.0], [1.0, 4.0]], [[2.0, 5.0], [2.0, 5.0]]]> : tensor<3x2x2xf32>
  %36 = stablehlo.constant dense<[[0.0]]> : tensor<1x1xf32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %37, dense<[[0.0]]> : tensor<1x1xf32>
  %38 = stablehlo.constant dense<0.0> : tensor<f32>
  %39 = stablehlo.broadcast_in_dim %38, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %39, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  %40 = stablehlo.constant dense<0.0> : tensor<f32>
  %41 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<f32>) -> tensor<f32>
  check.expect_eq_const %41, dense<0.0> : tensor<f32>
  %42 = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  %43 = stablehlo.broadcast_in_dim %42, dims = [0] : (tensor<1xf32>) -> tensor<0xf32>
  check.expect_eq_const %43, dense<> : tensor<0xf32>
  %44 = stablehlo.constant dense<> : tensor<0xf32>
  %45 = stablehlo.broadcast_in_dim %44, dims = [1] : (tensor<0xf32>) -> tensor<2x0xf32>
  check.expect_eq_const %45, dense<> : tensor<2x0xf32>
  %46 = stablehlo.constant dense<0.0> : tensor<f32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<f32>) -> tensor<0x3xf32>
  check.expect_eq_const %47, dense<> : tensor<0x3xf32>
  return
}
