// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0, 11.0]]> : tensor<2x6xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x6xf32>) -> tensor<3x4xf32>
  check.expect_eq_const %1, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>

  // f64
  %2 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0, 11.0]]> : tensor<2x6xf64>
  %3 = stablehlo.reshape %2 : (tensor<2x6xf64>) -> tensor<3x4xf64>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf64>

  // bf16
  %4 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0, 11.0]]> : tensor<2x6xbf16>
  %5 = stablehlo.reshape %4 : (tensor<2x6xbf16>) -> tensor<3x4xbf16>
  check.expect_eq_const %5, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xbf16>

  // f16
  %6 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0, 11.0]]> : tensor<2x6xf16>
  %7 = stablehlo.reshape %6 : (tensor<2x6xf16>) -> tensor<3x4xf16>
  check.expect_eq_const %7, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf16>

  // i8
  %8 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xi8>
  %9 = stablehlo.reshape %8 : (tensor<2x6xi8>) -> tensor<3x4xi8>
  check.expect_eq_const %9, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi8>

  // i16
  %10 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xi16>
  %11 = stablehlo.reshape %10 : (tensor<2x6xi16>) -> tensor<3x4xi16>
  check.expect_eq_const %11, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi16>

  // i32
  %12 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xi32>
  %13 = stablehlo.reshape %12 : (tensor<2x6xi32>) -> tensor<3x4xi32>
  check.expect_eq_const %13, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>

  // i64
  %14 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xi64>
  %15 = stablehlo.reshape %14 : (tensor<2x6xi64>) -> tensor<3x4xi64>
  check.expect_eq_const %15, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>

  // ui8
  %16 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xui8>
  %17 = stablehlo.reshape %16 : (tensor<2x6xui8>) -> tensor<3x4xui8>
  check.expect_eq_const %17, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui8>

  // ui16
  %18 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xui16>
  %19 = stablehlo.reshape %18 : (tensor<2x6xui16>) -> tensor<3x4xui16>
  check.expect_eq_const %19, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui16>

  // ui32
  %20 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xui32>
  %21 = stablehlo.reshape %20 : (tensor<2x6xui32>) -> tensor<3x4xui32>
  check.expect_eq_const %21, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui32>

  // ui64
  %22 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xui64>
  %23 = stablehlo.reshape %22 : (tensor<2x6xui64>) -> tensor<3x4xui64>
  check.expect_eq_const %23, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui64>

  // i1
  %24 = stablehlo.constant dense<[[false, false, false, false, false, false], [false, false, false, false, false, false]]> : tensor<2x6xi1>
  %25 = stablehlo.reshape %24 : (tensor<2x6xi1>) -> tensor<3x4xi1>
  check.expect_eq_const %25, dense<[[false, false, false, false], [false, false, false, false], [false, false, false, false]]> : tensor<3x4xi1>

  // shapes
  %26 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %27 = stablehlo.reshape %26 : (tensor<2x3x4xf32>) -> tensor<24xf32>
  check.expect_eq_const %27, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0]> : tensor<24xf32>
  %28 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0]> : tensor<24xf32>
  %29 = stablehlo.reshape %28 : (tensor<24xf32>) -> tensor<4x3x2xf32>
  check.expect_eq_const %29, dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]], [[12.0, 13.0], [14.0, 15.0], [16.0, 17.0]], [[18.0, 19.0], [20.0, 21.0], [22.0, 23.0]]]> : tensor<4x3x2xf32>
  %30 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %31 = stablehlo.reshape %30 : (tensor<2x3xf32>) -> tensor<1x2x1x3x1xf32>
  check.expect_eq_const %31, dense<[[[[[0.0], [1.0], [2.0]]], [[[3.0], [4.0], [5.0]]]]]> : tensor<1x2x1x3x1xf32>
  %32 = stablehlo.constant dense<[[0.0]]> : tensor<1x1xf32>
  %33 = stablehlo.reshape %32 : (tensor<1x1xf32>) -> tensor<f32>
  check.expect_eq_const %33, dense<0.0> : tensor<f32>
  %34 = stablehlo.constant dense<0.0> : tensor<f32>
  %35 = stablehlo.reshape %34 : (tensor<f32>) -> tensor<1xf32>
  check.expect_eq_const %35, dense<[0.0]> : tensor<1xf32>
  %36 = stablehlo.constant dense<> : tensor<0x3xf32>
  %37 = stablehlo.reshape %36 : (tensor<0x3xf32>) -> tensor<5x0xf32>
  check.expect_eq_const %37, dense<> : tensor<5x0xf32>
  return
}
