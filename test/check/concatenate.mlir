// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[0.0], [1.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]]> : tensor<2x3xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %2, dense<[[0.0, 2.0, 3.0, 4.0], [1.0, 5.0, 6.0, 7.0]]> : tensor<2x4xf32>

  // f64
  %3 = stablehlo.constant dense<[[0.0], [1.0]]> : tensor<2x1xf64>
  %4 = stablehlo.constant dense<[[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]]> : tensor<2x3xf64>
  %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<2x1xf64>, tensor<2x3xf64>) -> tensor<2x4xf64>
  check.expect_eq_const %5, dense<[[0.0, 2.0, 3.0, 4.0], [1.0, 5.0, 6.0, 7.0]]> : tensor<2x4xf64>

  // bf16
  %6 = stablehlo.constant dense<[[0.0], [1.0]]> : tensor<2x1xbf16>
  %7 = stablehlo.constant dense<[[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]]> : tensor<2x3xbf16>
  %8 = stablehlo.concatenate %6, %7, dim = 1 : (tensor<2x1xbf16>, tensor<2x3xbf16>) -> tensor<2x4xbf16>
  check.expect_eq_const %8, dense<[[0.0, 2.0, 3.0, 4.0], [1.0, 5.0, 6.0, 7.0]]> : tensor<2x4xbf16>

  // f16
  %9 = stablehlo.constant dense<[[0.0], [1.0]]> : tensor<2x1xf16>
  %10 = stablehlo.constant dense<[[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]]> : tensor<2x3xf16>
  %11 = stablehlo.concatenate %9, %10, dim = 1 : (tensor<2x1xf16>, tensor<2x3xf16>) -> tensor<2x4xf16>
  check.expect_eq_const %11, dense<[[0.0, 2.0, 3.0, 4.0], [1.0, 5.0, 6.0, 7.0]]> : tensor<2x4xf16>

  // i8
  %12 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi8>
  %13 = stablehlo.constant dense<[[2, 3, 4], [5, 6, 7]]> : tensor<2x3xi8>
  %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<2x1xi8>, tensor<2x3xi8>) -> tensor<2x4xi8>
  check.expect_eq_const %14, dense<[[0, 2, 3, 4], [1, 5, 6, 7]]> : tensor<2x4xi8>

  // i16
  %15 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi16>
  %16 = stablehlo.constant dense<[[2, 3, 4], [5, 6, 7]]> : tensor<2x3xi16>
  %17 = stablehlo.concatenate %15, %16, dim = 1 : (tensor<2x1xi16>, tensor<2x3xi16>) -> tensor<2x4xi16>
  check.expect_eq_const %17, dense<[[0, 2, 3, 4], [1, 5, 6, 7]]> : tensor<2x4xi16>

  // i32
  %18 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %19 = stablehlo.constant dense<[[2, 3, 4], [5, 6, 7]]> : tensor<2x3xi32>
  %20 = stablehlo.concatenate %18, %19, dim = 1 : (tensor<2x1xi32>, tensor<2x3xi32>) -> tensor<2x4xi32>
  check.expect_eq_const %20, dense<[[0, 2, 3, 4], [1, 5, 6, 7]]> : tensor<2x4xi32>

  // i64
  %21 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi64>
  %22 = stablehlo.constant dense<[[2, 3, 4], [5, 6, 7]]> : tensor<2x3xi64>
  %23 = stablehlo.concatenate %21, %22, dim = 1 : (tensor<2x1xi64>, tensor<2x3xi64>) -> tensor<2x4xi64>
  check.expect_eq_const %23, dense<[[0, 2, 3, 4], [1, 5, 6, 7]]> : tensor<2x4xi64>

  // ui8
  %24 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xui8>
  %25 = stablehlo.constant dense<[[2, 3, 4], [5, 6, 7]]> : tensor<2x3xui8>
  %26 = stablehlo.concatenate %24, %25, dim = 1 : (tensor<2x1xui8>, tensor<2x3xui8>) -> tensor<2x4xui8>
  check.expect_eq_const %26, dense<[[0, 2, 3, 4], [1, 5, 6, 7]]> : tensor<2x4xui8>

  // ui16
  %27 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xui16>
  %28 = stablehlo.constant dense<[[2, 3, 4], [5, 6, 7]]> : tensor<2x3xui16>
  %29 = stablehlo.concatenate %27, %28, dim = 1 : (tensor<2x1xui16>, tensor<2x3xui16>) -> tensor<2x4xui16>
  check.expect_eq_const %29, dense<[[0, 2, 3, 4], [1, 5, 6, 7]]> : tensor<2x4xui16>

  // ui32
  %30 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xui32>
  %31 = stablehlo.constant dense<[[2, 3, 4], [5, 6, 7]]> : tensor<2x3xui32>
  %32 = stablehlo.concatenate %30, %31, dim = 1 : (tensor<2x1xui32>, tensor<2x3xui32>) -> tensor<2x4xui32>
  check.expect_eq_const %32, dense<[[0, 2, 3, 4], [1, 5, 6, 7]]> : tensor<2x4xui32>

  // ui64
  %33 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xui64>
  %34 = stablehlo.constant dense<[[2, 3, 4], [5, 6, 7]]> : tensor<2x3xui64>
  %35 = stablehlo.concatenate %33, %34, dim = 1 : (tensor<2x1xui64>, tensor<2x3xui64>) -> tensor<2x4xui64>
  check.expect_eq_const %35, dense<[[0, 2, 3, 4], [1, 5, 6, 7]]> : tensor<2x4xui64>

  // i1
  %36 = stablehlo.constant dense<[[false], [false]]> : tensor<2x1xi1>
  %37 = stablehlo.constant dense<[[false, false, false], [false, false, false]]> : tensor<2x3xi1>
  %38 = stablehlo.concatenate %36, %37, dim = 1 : (tensor<2x1xi1>, tensor<2x3xi1>) -> tensor<2x4xi1>
  check.expect_eq_const %38, dense<[[false, false, false, false], [false, false, false, false]]> : tensor<2x4xi1>

  // shapes
  %39 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %40 = stablehlo.constant dense<[[6.0, 7.0, 8.0]]> : tensor<1x3xf32>
  %41 = stablehlo.constant dense<[[9.0, 10.0, 11.0], [12.0, 13.0, 14.0], [15.0, 16.0, 17.0], [18.0, 19.0, 20.0]]> : tensor<4x3xf32>
  %42 = stablehlo.concatenate %39, %40, %41, dim = 0 : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<7x3xf32>
  check.expect_eq_const %42, dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0], [12.0, 13.0, 14.0], [15.0, 16.0, 17.0], [18.0, 19.0, 20.0]]> : tensor<7x3xf32>
  %43 = stablehlo.constant dense<[[[0.0, 1.0]], [[2.0, 3.0]]]> : tensor<2x1x2xf32>
  %44 = stablehlo.constant dense<[[[4.0, 5.0], [6.0, 7.0]], [[8.0, 9.0], [10.0, 11.0]]]> : tensor<2x2x2xf32>
  %45 = stablehlo.concatenate %43, %44, dim = 1 : (tensor<2x1x2xf32>, tensor<2x2x2xf32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %45, dense<[[[0.0, 1.0], [4.0, 5.0], [6.0, 7.0]], [[2.0, 3.0], [8.0, 9.0], [10.0, 11.0]]]> : tensor<2x3x2xf32>
  %46 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %47 = stablehlo.concatenate %46, dim = 0 : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %47, dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %48 = stablehlo.constant dense<> : tensor<0xf32>
  %49 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %50 = stablehlo.constant dense<> : tensor<0xf32>
  %51 = stablehlo.concatenate %48, %49, %50, dim = 0 : (tensor<0xf32>, tensor<2xf32>, tensor<0xf32>) -> tensor<2xf32>
  check.expect_eq_const %51, dense<[0.0, 1.0]> : tensor<2xf32>
  %52 = stablehlo.constant dense<> : tensor<0x2xf32>
  %53 = stablehlo.constant dense<> : tensor<0x3xf32>
  %54 = stablehlo.concatenate %52, %53, dim = 1 : (tensor<0x2xf32>, tensor<0x3xf32>) -> tensor<0x5xf32>
  check.expect_eq_const %54, dense<> : tensor<0x5xf32>
  return
}
