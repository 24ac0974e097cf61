// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<2x3xf32>
  check.expect_eq_const %1, dense<[[2.0, 1.0, 0.0], [5.0, 4.0, 3.0]]> : tensor<2x3xf32>

  // f64
  %2 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf64>
  %3 = stablehlo.reverse %2, dims = [1] : tensor<2x3xf64>
  check.expect_eq_const %3, dense<[[2.0, 1.0, 0.0], [5.0, 4.0, 3.0]]> : tensor<2x3xf64>

  // bf16
  %4 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xbf16>
  %5 = stablehlo.reverse %4, dims = [1] : tensor<2x3xbf16>
  check.expect_eq_const %5, dense<[[2.0, 1.0, 0.0], [5.0, 4.0, 3.0]]> : tensor<2x3xbf16>

  // f16
  %6 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf16>
  %7 = stablehlo.reverse %6, dims = [1] : tensor<2x3xf16>
  check.expect_eq_const %7, dense<[[2.0, 1.0, 0.0], [5.0, 4.0, 3.0]]> : tensor<2x3xf16>

  // i8
  %8 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi8>
  %9 = stablehlo.reverse %8, dims = [1] : tensor<2x3xi8>
  check.expect_eq_const %9, dense<[[2, 1, 0], [5, 4, 3]]> : tensor<2x3xi8>

  // i16
  %10 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi16>
  %11 = stablehlo.reverse %10, dims = [1] : tensor<2x3xi16>
  check.expect_eq_const %11, dense<[[2, 1, 0], [5, 4, 3]]> : tensor<2x3xi16>

  // i32
  %12 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %13 = stablehlo.reverse %12, dims = [1] : tensor<2x3xi32>
  check.expect_eq_const %13, dense<[[2, 1, 0], [5, 4, 3]]> : tensor<2x3xi32>

  // i64
  %14 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>
  %15 = stablehlo.reverse %14, dims = [1] : tensor<2x3xi64>
  check.expect_eq_const %15, dense<[[2, 1, 0], [5, 4, 3]]> : tensor<2x3xi64>

  // ui8
  %16 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui8>
  %17 = stablehlo.reverse %16, dims = [1] : tensor<2x3xui8>
  check.expect_eq_const %17, dense<[[2, 1, 0], [5, 4, 3]]> : tensor<2x3xui8>

  // ui16
  %18 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui16>
  %19 = stablehlo.reverse %18, dims = [1] : tensor<2x3xui16>
  check.expect_eq_const %19, dense<[[2, 1, 0], [5, 4, 3]]> : tensor<2x3xui16>

  // ui32
  %20 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui32>
  %21 = stablehlo.reverse %20, dims = [1] : tensor<2x3xui32>
  check.expect_eq_const %21, dense<[[2, 1, 0], [5, 4, 3]]> : tensor<2x3xui32>

  // ui64
  %22 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui64>
  %23 = stablehlo.reverse %22, dims = [1] : tensor<2x3xui64>
  check.expect_eq_const %23, dense<[[2, 1, 0], [5, 4, 3]]> : tensor<2x3xui64>

  // i1
  %24 = stablehlo.constant dense<[[false, false, false], [false, false, false]]> : tensor<2x3xi1>
  %25 = stablehlo.reverse %24, dims = [1] : tensor<2x3xi1>
  check.expect_eq_const %25, dense<[[false, false, false], [false, false, false]]> : tensor<2x3xi1>

  // shapes
  %26 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %27 = stablehlo.reverse %26, dims = [0] : tensor<2x3xf32>
  check.expect_eq_const %27, dense<[[3.0, 4.0, 5.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf32>
  %28 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %29 = stablehlo.reverse %28, dims = [0, 1] : tensor<2x3xf32>
  check.expect_eq_const %29, dense<[[5.0, 4.0, 3.0], [2.0, 1.0, 0.0]]> : tensor<2x3xf32>
  %30 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]]]> : tensor<2x3x2xf32>
  %31 = stablehlo.reverse %30, dims = [2, 0] : tensor<2x3x2xf32>
  check.expect_eq_const %31, dense<[[[7.0, 6.0], [9.0, 8.0], [11.0, 10.0]], [[1.0, 0.0], [3.0, 2.0], [5.0, 4.0]]]> : tensor<2x3x2xf32>
  %32 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %33 = stablehlo.reverse %32, dims = [] : tensor<2x3xf32>
  check.expect_eq_const %33, dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %34 = stablehlo.constant dense<0.0> : tensor<f32>
  %35 = stablehlo.reverse %34, dims = [] : tensor<f32>
  check.expect_eq_const %35, dense<0.0> : tensor<f32>
  %36 = stablehlo.constant dense<> : tensor<0x3xf32>
  %37 = stablehlo.reverse %36, dims = [0, 1] : tensor<0x3xf32>
  check.expect_eq_const %37, dense<> : tensor<0x3xf32>
  return
}
