// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<2x0x3xf32>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x0x3xf32>) -> tensor<i32>
  check.expect_eq_const %2, dense<0> : tensor<i32>
  %3 = stablehlo.get_dimension_size %0, dim = 2 : (tensor<2x0x3xf32>) -> tensor<i32>
  check.expect_eq_const %3, dense<3> : tensor<i32>

  // f64
  %4 = stablehlo.constant dense<> : tensor<2x0x3xf64>
  %5 = stablehlo.get_dimension_size %4, dim = 0 : (tensor<2x0x3xf64>) -> tensor<i32>
  check.expect_eq_const %5, dense<2> : tensor<i32>
  %6 = stablehlo.get_dimension_size %4, dim = 1 : (tensor<2x0x3xf64>) -> tensor<i32>
  check.expect_eq_const %6, dense<0> : tensor<i32>
  %7 = stablehlo.get_dimension_size %4, dim = 2 : (tensor<2x0x3xf64>) -> tensor<i32>
  check.expect_eq_const %7, dense<3> : tensor<i32>

  // bf16
  %8 = stablehlo.constant dense<> : tensor<2x0x3xbf16>
  %9 = stablehlo.get_dimension_size %8, dim = 0 : (tensor<2x0x3xbf16>) -> tensor<i32>
  check.expect_eq_const %9, dense<2> : tensor<i32>
  %10 = stablehlo.get_dimension_size %8, dim = 1 : (tensor<2x0x3xbf16>) -> tensor<i32>
  check.expect_eq_const %10, dense<0> : tensor<i32>
  %11 = stablehlo.get_dimension_size %8, dim = 2 : (tensor<2x0x3xbf16>) -> tensor<i32>
  check.expect_eq_const %11, dense<3> : tensor<i32>

  // f16
  %12 = stablehlo.constant dense<> : tensor<2x0x3xf16>
  %13 = stablehlo.get_dimension_size %12, dim = 0 : (tensor<2x0x3xf16>) -> tensor<i32>
  check.expect_eq_const %13, dense<2> : tensor<i32>
  %14 = stablehlo.get_dimension_size %12, dim = 1 : (tensor<2x0x3xf16>) -> tensor<i32>
  check.expect_eq_const %14, dense<0> : tensor<i32>
  %15 = stablehlo.get_dimension_size %12, dim = 2 : (tensor<2x0x3xf16>) -> tensor<i32>
  check.expect_eq_const %15, dense<3> : tensor<i32>

  // i8
  %16 = stablehlo.constant dense<> : tensor<2x0x3xi8>
  %17 = stablehlo.get_dimension_size %16, dim = 0 : (tensor<2x0x3xi8>) -> tensor<i32>
  check.expect_eq_const %17, dense<2> : tensor<i32>
  %18 = stablehlo.get_dimension_size %16, dim = 1 : (tensor<2x0x3xi8>) -> tensor<i32>
  check.expect_eq_const %18, dense<0> : tensor<i32>
  %19 = stablehlo.get_dimension_size %16, dim = 2 : (tensor<2x0x3xi8>) -> tensor<i32>
  check.expect_eq_const %19, dense<3> : tensor<i32>

  // i16
  %20 = stablehlo.constant dense<> : tensor<2x0x3xi16>
  %21 = stablehlo.get_dimension_size %20, dim = 0 : (tensor<2x0x3xi16>) -> tensor<i32>
  check.expect_eq_const %21, dense<2> : tensor<i32>
  %22 = stablehlo.get_dimension_size %20, dim = 1 : (tensor<2x0x3xi16>) -> tensor<i32>
  check.expect_eq_const %22, dense<0> : tensor<i32>
  %23 = stablehlo.get_dimension_size %20, dim = 2 : (tensor<2x0x3xi16>) -> tensor<i32>
  check.expect_eq_const %23, dense<3> : tensor<i32>

  // i32
  %24 = stablehlo.constant dense<> : tensor<2x0x3xi32>
  %25 = stablehlo.get_dimension_size %24, dim = 0 : (tensor<2x0x3xi32>) -> tensor<i32>
  check.expect_eq_const %25, dense<2> : tensor<i32>
  %26 = stablehlo.get_dimension_size %24, dim = 1 : (tensor<2x0x3xi32>) -> tensor<i32>
  check.expect_eq_const %26, dense<0> : tensor<i32>
  %27 = stablehlo.get_dimension_size %24, dim = 2 : (tensor<2x0x3xi32>) -> tensor<i32>
  check.expect_eq_const %27, dense<3> : tensor<i32>

  // i64
  %28 = stablehlo.constant dense<> : tensor<2x0x3xi64>
  %29 = stablehlo.get_dimension_size %28, dim = 0 : (tensor<2x0x3xi64>) -> tensor<i32>
  check.expect_eq_const %29, dense<2> : tensor<i32>
  %30 = stablehlo.get_dimension_size %28, dim = 1 : (tensor<2x0x3xi64>) -> tensor<i32>
  check.expect_eq_const %30, dense<0> : tensor<i32>
  %31 = stablehlo.get_dimension_size %28, dim = 2 : (tensor<2x0x3xi64>) -> tensor<i32>
  check.expect_eq_const %31, dense<3> : tensor<i32>

  // ui8
  %32 = stablehlo.constant dense<> : tensor<2x0x3xui8>
  %33 = stablehlo.get_dimension_size %32, dim = 0 : (tensor<2x0x3xui8>) -> tensor<i32>
  check.expect_eq_const %33, dense<2> : tensor<i32>
  %34 = stablehlo.get_dimension_size %32, dim = 1 : (tensor<2x0x3xui8>) -> tensor<i32>
  check.expect_eq_const %34, dense<0> : tensor<i32>
  %35 = stablehlo.get_dimension_size %32, dim = 2 : (tensor<2x0x3xui8>) -> tensor<i32>
  check.expect_eq_const %35, dense<3> : tensor<i32>

  // ui16
  %36 = stablehlo.constant dense<> : tensor<2x0x3xui16>
  %37 = stablehlo.get_dimension_size %36, dim = 0 : (tensor<2x0x3xui16>) -> tensor<i32>
  check.expect_eq_const %37, dense<2> : tensor<i32>
  %38 = stablehlo.get_dimension_size %36, dim = 1 : (tensor<2x0x3xui16>) -> tensor<i32>
  check.expect_eq_const %38, dense<0> : tensor<i32>
  %39 = stablehlo.get_dimension_size %36, dim = 2 : (tensor<2x0x3xui16>) -> tensor<i32>
  check.expect_eq_const %39, dense<3> : tensor<i32>

  // ui32
  %40 = stablehlo.constant dense<> : tensor<2x0x3xui32>
  %41 = stablehlo.get_dimension_size %40, dim = 0 : (tensor<2x0x3xui32>) -> tensor<i32>
  check.expect_eq_const %41, dense<2> : tensor<i32>
  %42 = stablehlo.get_dimension_size %40, dim = 1 : (tensor<2x0x3xui32>) -> tensor<i32>
  check.expect_eq_const %42, dense<0> : tensor<i32>
  %43 = stablehlo.get_dimension_size %40, dim = 2 : (tensor<2x0x3xui32>) -> tensor<i32>
  check.expect_eq_const %43, dense<3> : tensor<i32>

  // ui64
  %44 = stablehlo.constant dense<> : tensor<2x0x3xui64>
  %45 = stablehlo.get_dimension_size %44, dim = 0 : (tensor<2x0x3xui64>) -> tensor<i32>
  check.expect_eq_const %45, dense<2> : tensor<i32>
  %46 = stablehlo.get_dimension_size %44, dim = 1 : (tensor<2x0x3xui64>) -> tensor<i32>
  check.expect_eq_const %46, dense<0> : tensor<i32>
  %47 = stablehlo.get_dimension_size %44, dim = 2 : (tensor<2x0x3xui64>) -> tensor<i32>
  check.expect_eq_const %47, dense<3> : tensor<i32>

  // i1
  %48 = stablehlo.constant dense<> : tensor<2x0x3xi1>
  %49 = stablehlo.get_dimension_size %48, dim = 0 : (tensor<2x0x3xi1>) -> tensor<i32>
  check.expect_eq_const %49, dense<2> : tensor<i32>
  %50 = stablehlo.get_dimension_size %48, dim = 1 : (tensor<2x0x3xi1>) -> tensor<i32>
  check.expect_eq_const %50, dense<0> : tensor<i32>
  %51 = stablehlo.get_dimension_size %48, dim = 2 : (tensor<2x0x3xi1>) -> tensor<i32>
  check.expect_eq_const %51, dense<3> : tensor<i32>
  return
}
