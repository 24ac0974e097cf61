// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %2 = stablehlo.slice %1 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
  %4 = stablehlo.pad %0, %3, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x7xf32>
  check.expect_eq_const %4, dense<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [0.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0], [3.0, 1.0, 4.0, 1.0, 5.0, 1.0, 1.0]]> : tensor<3x7xf32>

  // f64
  %5 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf64>
  %6 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %7 = stablehlo.slice %6 [0:1] : (tensor<2xf64>) -> tensor<1xf64>
  %8 = stablehlo.reshape %7 : (tensor<1xf64>) -> tensor<f64>
  %9 = stablehlo.pad %5, %8, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<3x7xf64>
  check.expect_eq_const %9, dense<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [0.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0], [3.0, 1.0, 4.0, 1.0, 5.0, 1.0, 1.0]]> : tensor<3x7xf64>

  // bf16
  %10 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xbf16>
  %11 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xbf16>
  %12 = stablehlo.slice %11 [0:1] : (tensor<2xbf16>) -> tensor<1xbf16>
  %13 = stablehlo.reshape %12 : (tensor<1xbf16>) -> tensor<bf16>
  %14 = stablehlo.pad %10, %13, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<3x7xbf16>
  check.expect_eq_const %14, dense<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [0.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0], [3.0, 1.0, 4.0, 1.0, 5.0, 1.0, 1.0]]> : tensor<3x7xbf16>

  // f16
  %15 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf16>
  %16 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf16>
  %17 = stablehlo.slice %16 [0:1] : (tensor<2xf16>) -> tensor<1xf16>
  %18 = stablehlo.reshape %17 : (tensor<1xf16>) -> tensor<f16>
  %19 = stablehlo.pad %15, %18, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xf16>, tensor<f16>) -> tensor<3x7xf16>
  check.expect_eq_const %19, dense<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [0.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0], [3.0, 1.0, 4.0, 1.0, 5.0, 1.0, 1.0]]> : tensor<3x7xf16>

  // i8
  %20 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi8>
  %21 = stablehlo.constant dense<[1, 1]> : tensor<2xi8>
  %22 = stablehlo.slice %21 [0:1] : (tensor<2xi8>) -> tensor<1xi8>
  %23 = stablehlo.reshape %22 : (tensor<1xi8>) -> tensor<i8>
  %24 = stablehlo.pad %20, %23, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xi8>, tensor<i8>) -> tensor<3x7xi8>
  check.expect_eq_const %24, dense<[[1, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 2, 1, 1], [3, 1, 4, 1, 5, 1, 1]]> : tensor<3x7xi8>

  // i16
  %25 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi16>
  %26 = stablehlo.constant dense<[1, 1]> : tensor<2xi16>
  %27 = stablehlo.slice %26 [0:1] : (tensor<2xi16>) -> tensor<1xi16>
  %28 = stablehlo.reshape %27 : (tensor<1xi16>) -> tensor<i16>
  %29 = stablehlo.pad %25, %28, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xi16>, tensor<i16>) -> tensor<3x7xi16>
  check.expect_eq_const %29, dense<[[1, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 2, 1, 1], [3, 1, 4, 1, 5, 1, 1]]> : tensor<3x7xi16>

  // i32
  %30 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %31 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %32 = stablehlo.slice %31 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %33 = stablehlo.reshape %32 : (tensor<1xi32>) -> tensor<i32>
  %34 = stablehlo.pad %30, %33, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x7xi32>
  check.expect_eq_const %34, dense<[[1, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 2, 1, 1], [3, 1, 4, 1, 5, 1, 1]]> : tensor<3x7xi32>

  // i64
  %35 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>
  %36 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %37 = stablehlo.slice %36 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %38 = stablehlo.reshape %37 : (tensor<1xi64>) -> tensor<i64>
  %39 = stablehlo.pad %35, %38, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xi64>, tensor<i64>) -> tensor<3x7xi64>
  check.expect_eq_const %39, dense<[[1, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 2, 1, 1], [3, 1, 4, 1, 5, 1, 1]]> : tensor<3x7xi64>

  // ui8
  %40 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui8>
  %41 = stablehlo.constant dense<[1, 1]> : tensor<2xui8>
  %42 = stablehlo.slice %41 [0:1] : (tensor<2xui8>) -> tensor<1xui8>
  %43 = stablehlo.reshape %42 : (tensor<1xui8>) -> tensor<ui8>
  %44 = stablehlo.pad %40, %43, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<3x7xui8>
  check.expect_eq_const %44, dense<[[1, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 2, 1, 1], [3, 1, 4, 1, 5, 1, 1]]> : tensor<3x7xui8>

  // ui16
  %45 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui16>
  %46 = stablehlo.constant dense<[1, 1]> : tensor<2xui16>
  %47 = stablehlo.slice %46 [0:1] : (tensor<2xui16>) -> tensor<1xui16>
  %48 = stablehlo.reshape %47 : (tensor<1xui16>) -> tensor<ui16>
  %49 = stablehlo.pad %45, %48, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xui16>, tensor<ui16>) -> tensor<3x7xui16>
  check.expect_eq_const %49, dense<[[1, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 2, 1, 1], [3, 1, 4, 1, 5, 1, 1]]> : tensor<3x7xui16>

  // ui32
  %50 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui32>
  %51 = stablehlo.constant dense<[1, 1]> : tensor<2xui32>
  %52 = stablehlo.slice %51 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %53 = stablehlo.reshape %52 : (tensor<1xui32>) -> tensor<ui32>
  %54 = stablehlo.pad %50, %53, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xui32>, tensor<ui32>) -> tensor<3x7xui32>
  check.expect_eq_const %54, dense<[[1, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 2, 1, 1], [3, 1, 4, 1, 5, 1, 1]]> : tensor<3x7xui32>

  // ui64
  %55 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui64>
  %56 = stablehlo.constant dense<[1, 1]> : tensor<2xui64>
  %57 = stablehlo.slice %56 [0:1] : (tensor<2xui64>) -> tensor<1xui64>
  %58 = stablehlo.reshape %57 : (tensor<1xui64>) -> tensor<ui64>
  %59 = stablehlo.pad %55, %58, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xui64>, tensor<ui64>) -> tensor<3x7xui64>
  check.expect_eq_const %59, dense<[[1, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 2, 1, 1], [3, 1, 4, 1, 5, 1, 1]]> : tensor<3x7xui64>

  // i1
  %60 = stablehlo.constant dense<[[false, false, false], [false, false, false]]> : tensor<2x3xi1>
  %61 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %62 = stablehlo.slice %61 [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  %63 = stablehlo.reshape %62 : (tensor<1xi1>) -> tensor<i1>
  %64 = stablehlo.pad %60, %63, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<3x7xi1>
  check.expect_eq_const %64, dense<[[true, true, true, true, true, true, true], [false, true, false, true, false, true, true], [false, true, false, true, false, true, true]]> : tensor<3x7xi1>

  // removing, both, shapes
  %65 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %66 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %67 = stablehlo.slice %66 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %68 = stablehlo.reshape %67 : (tensor<1xf32>) -> tensor<f32>
  %69 = stablehlo.pad %65, %68, low = [-1], high = [-2], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %69, dense<[1.0, 2.0]> : tensor<2xf32>
  %70 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %71 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %72 = stablehlo.slice %71 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %73 = stablehlo.reshape %72 : (tensor<1xf32>) -> tensor<f32>
  %74 = stablehlo.pad %70, %73, low = [-1], high = [2], interior = [2] : (tensor<5xf32>, tensor<f32>) -> tensor<14xf32>
  check.expect_eq_const %74, dense<[1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 3.0, 1.0, 1.0, 4.0, 1.0, 1.0]> : tensor<14xf32>
  %75 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %76 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %77 = stablehlo.slice %76 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %78 = stablehlo.reshape %77 : (tensor<1xf32>) -> tensor<f32>
  %79 = stablehlo.pad %75, %78, low = [3], high = [-4], interior = [1] : (tensor<5xf32>, tensor<f32>) -> tensor<8xf32>
  check.expect_eq_const %79, dense<[1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 2.0]> : tensor<8xf32>
  %80 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %81 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %82 = stablehlo.slice %81 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %83 = stablehlo.reshape %82 : (tensor<1xf32>) -> tensor<f32>
  %84 = stablehlo.pad %80, %83, low = [-2], high = [-3], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<0xf32>
  check.expect_eq_const %84, dense<> : tensor<0xf32>
  %85 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %86 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %87 = stablehlo.slice %86 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %88 = stablehlo.reshape %87 : (tensor<1xf32>) -> tensor<f32>
  %89 = stablehlo.pad %85, %88, low = [0, -2], high = [0, -3], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x0xf32>
  check.expect_eq_const %89, dense<> : tensor<2x0xf32>
  %90 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %91 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %92 = stablehlo.slice %91 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %93 = stablehlo.reshape %92 : (tensor<1xf32>) -> tensor<f32>
  %94 = stablehlo.pad %90, %93, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %94, dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %95 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]> : tensor<2x2x2xf32>
  %96 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %97 = stablehlo.slice %96 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %98 = stablehlo.reshape %97 : (tensor<1xf32>) -> tensor<f32>
  %99 = stablehlo.pad %95, %98, low = [1, -1, 0], high = [1, 1, 0], interior = [2, 0, 1] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<6x2x3xf32>
  check.expect_eq_const %99, dense<[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], [[2.0, 1.0, 3.0], [1.0, 1.0, 1.0]], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], [[6.0, 1.0, 7.0], [1.0, 1.0, 1.0]], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]> : tensor<6x2x3xf32>
  %100 = stablehlo.constant dense<> : tensor<0x2xf32>
  %101 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %102 = stablehlo.slice %101 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %103 = stablehlo.reshape %102 : (tensor<1xf32>) -> tensor<f32>
  %104 = stablehlo.pad %100, %103, low = [2, 0], high = [1, 1], interior = [3, 0] : (tensor<0x2xf32>, tensor<f32>) -> tensor<3x3xf32>
  check.expect_eq_const %104, dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<3x3xf32>
  %105 = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  %106 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %107 = stablehlo.slice %106 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %108 = stablehlo.reshape %107 : (tensor<1xf32>) -> tensor<f32>
  %109 = stablehlo.pad %105, %108, low = [0], high = [0], interior = [5] : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  check.expect_eq_const %109, dense<[0.0]> : tensor<1xf32>
  %110 = stablehlo.constant dense<0.0> : tensor<f32>
  %111 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %112 = stablehlo.slice %111 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %113 = stablehlo.reshape %112 : (tensor<1xf32>) -> tensor<f32>
  %114 = stablehlo.pad %110, %113, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %114, dense<0.0> : tensor<f32>
  return
}
