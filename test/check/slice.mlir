// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %1 = stablehlo.slice %0 [1:3, 0:4:2] : (tensor<3x4xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[4.0, 6.0], [8.0, 10.0]]> : tensor<2x2xf32>

  // f64
  %2 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf64>
  %3 = stablehlo.slice %2 [1:3, 0:4:2] : (tensor<3x4xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %3, dense<[[4.0, 6.0], [8.0, 10.0]]> : tensor<2x2xf64>

  // bf16
  %4 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xbf16>
  %5 = stablehlo.slice %4 [1:3, 0:4:2] : (tensor<3x4xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %5, dense<[[4.0, 6.0], [8.0, 10.0]]> : tensor<2x2xbf16>

  // f16
  %6 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf16>
  %7 = stablehlo.slice %6 [1:3, 0:4:2] : (tensor<3x4xf16>) -> tensor<2x2xf16>
  check.expect_eq_const %7, dense<[[4.0, 6.0], [8.0, 10.0]]> : tensor<2x2xf16>

  // i8
  %8 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi8>
  %9 = stablehlo.slice %8 [1:3, 0:4:2] : (tensor<3x4xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %9, dense<[[4, 6], [8, 10]]> : tensor<2x2xi8>

  // i16
  %10 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi16>
  %11 = stablehlo.slice %10 [1:3, 0:4:2] : (tensor<3x4xi16>) -> tensor<2x2xi16>
  check.expect_eq_const %11, dense<[[4, 6], [8, 10]]> : tensor<2x2xi16>

  // i32
  %12 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %13 = stablehlo.slice %12 [1:3, 0:4:2] : (tensor<3x4xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %13, dense<[[4, 6], [8, 10]]> : tensor<2x2xi32>

  // i64
  %14 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>
  %15 = stablehlo.slice %14 [1:3, 0:4:2] : (tensor<3x4xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %15, dense<[[4, 6], [8, 10]]> : tensor<2x2xi64>

  // ui8
  %16 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui8>
  %17 = stablehlo.slice %16 [1:3, 0:4:2] : (tensor<3x4xui8>) -> tensor<2x2xui8>
  check.expect_eq_const %17, dense<[[4, 6], [8, 10]]> : tensor<2x2xui8>

  // ui16
  %18 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui16>
  %19 = stablehlo.slice %18 [1:3, 0:4:2] : (tensor<3x4xui16>) -> tensor<2x2xui16>
  check.expect_eq_const %19, dense<[[4, 6], [8, 10]]> : tensor<2x2xui16>

  // ui32
  %20 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui32>
  %21 = stablehlo.slice %20 [1:3, 0:4:2] : (tensor<3x4xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %21, dense<[[4, 6], [8, 10]]> : tensor<2x2xui32>

  // ui64
  %22 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui64>
  %23 = stablehlo.slice %22 [1:3, 0:4:2] : (tensor<3x4xui64>) -> tensor<2x2xui64>
  check.expect_eq_const %23, dense<[[4, 6], [8, 10]]> : tensor<2x2xui64>

  // i1
  %24 = stablehlo.constant dense<[[false, false, false, false], [false, false, false, false], [false, false, false, false]]> : tensor<3x4xi1>
  %25 = stablehlo.slice %24 [1:3, 0:4:2] : (tensor<3x4xi1>) -> tensor<2x2xi1>
  check.expect_eq_const %25, dense<[[false, false], [false, false]]> : tensor<2x2xi1>

  // shapes
  %26 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %27 = stablehlo.slice %26 [0:3, 0:4] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  check.expect_eq_const %27, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %28 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %29 = stablehlo.slice %28 [0:2, 0:3] : (tensor<3x4xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %29, dense<[[0.0, 1.0, 2.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %30 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %31 = stablehlo.slice %30 [0:1, 0:4:3] : (tensor<3x4xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %31, dense<[[0.0, 3.0]]> : tensor<1x2xf32>
  %32 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %33 = stablehlo.slice %32 [1:9:3] : (tensor<9xf32>) -> tensor<3xf32>
  check.expect_eq_const %33, dense<[1.0, 4.0, 7.0]> : tensor<3xf32>
  %34 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %35 = stablehlo.slice %34 [2:8:4] : (tensor<9xf32>) -> tensor<2xf32>
  check.expect_eq_const %35, dense<[2.0, 6.0]> : tensor<2xf32>
  %36 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %37 = stablehlo.slice %36 [8:9:100] : (tensor<9xf32>) -> tensor<1xf32>
  check.expect_eq_const %37, dense<[8.0]> : tensor<1xf32>
  %38 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %39 = stablehlo.slice %38 [4:4] : (tensor<9xf32>) -> tensor<0xf32>
  check.expect_eq_const %39, dense<> : tensor<0xf32>
  %40 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %41 = stablehlo.slice %40 [1:2, 2:3, 0:4:3] : (tensor<2x3x4xf32>) -> tensor<1x1x2xf32>
  check.expect_eq_const %41, dense<[[[20.0, 23.0]]]> : tensor<1x1x2xf32>
  %42 = stablehlo.constant dense<> : tensor<0x3xf32>
  %43 = stablehlo.slice %42 [0:0, 1:2] : (tensor<0x3xf32>) -> tensor<0x1xf32>
  check.expect_eq_const %43, dense<> : tensor<0x1xf32>
  %44 = stablehlo.constant dense<0.0> : tensor<f32>
  %45 = stablehlo.slice %44 [] : (tensor<f32>) -> tensor<f32>
  check.expect_eq_const %45, dense<0.0> : tensor<f32>
  return
}
