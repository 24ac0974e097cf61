// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %1 = stablehlo.constant dense<[[3.0, 2.0], [1.0, 0.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %4 = stablehlo.reshape %3 : (tensor<1xi32>) -> tensor<i32>
  %5 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %6 = stablehlo.slice %5 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %7 = stablehlo.reshape %6 : (tensor<1xi32>) -> tensor<i32>
  %8 = stablehlo.dynamic_update_slice %0, %1, %4, %7 : (tensor<3x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  check.expect_eq_const %8, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 3.0, 2.0], [8.0, 9.0, 1.0, 0.0]]> : tensor<3x4xf32>

  // f64
  %9 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf64>
  %10 = stablehlo.constant dense<[[3.0, 2.0], [1.0, 0.0]]> : tensor<2x2xf64>
  %11 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %12 = stablehlo.slice %11 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %13 = stablehlo.reshape %12 : (tensor<1xi32>) -> tensor<i32>
  %14 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %15 = stablehlo.slice %14 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %16 = stablehlo.reshape %15 : (tensor<1xi32>) -> tensor<i32>
  %17 = stablehlo.dynamic_update_slice %9, %10, %13, %16 : (tensor<3x4xf64>, tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> tensor<3x4xf64>
  check.expect_eq_const %17, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 3.0, 2.0], [8.0, 9.0, 1.0, 0.0]]> : tensor<3x4xf64>

  // bf16
  %18 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xbf16>
  %19 = stablehlo.constant dense<[[3.0, 2.0], [1.0, 0.0]]> : tensor<2x2xbf16>
  %20 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %21 = stablehlo.slice %20 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %22 = stablehlo.reshape %21 : (tensor<1xi32>) -> tensor<i32>
  %23 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %24 = stablehlo.slice %23 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %25 = stablehlo.reshape %24 : (tensor<1xi32>) -> tensor<i32>
  %26 = stablehlo.dynamic_update_slice %18, %19, %22, %25 : (tensor<3x4xbf16>, tensor<2x2xbf16>, tensor<i32>, tensor<i32>) -> tensor<3x4xbf16>
  check.expect_eq_const %26, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 3.0, 2.0], [8.0, 9.0, 1.0, 0.0]]> : tensor<3x4xbf16>

  // f16
  %27 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf16>
  %28 = stablehlo.constant dense<[[3.0, 2.0], [1.0, 0.0]]> : tensor<2x2xf16>
  %29 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %30 = stablehlo.slice %29 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %31 = stablehlo.reshape %30 : (tensor<1xi32>) -> tensor<i32>
  %32 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %33 = stablehlo.slice %32 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %34 = stablehlo.reshape %33 : (tensor<1xi32>) -> tensor<i32>
  %35 = stablehlo.dynamic_update_slice %27, %28, %31, %34 : (tensor<3x4xf16>, tensor<2x2xf16>, tensor<i32>, tensor<i32>) -> tensor<3x4xf16>
  check.expect_eq_const %35, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 3.0, 2.0], [8.0, 9.0, 1.0, 0.0]]> : tensor<3x4xf16>

  // i8
  %36 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi8>
  %37 = stablehlo.constant dense<[[3, 2], [1, 0]]> : tensor<2x2xi8>
  %38 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %39 = stablehlo.slice %38 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %40 = stablehlo.reshape %39 : (tensor<1xi32>) -> tensor<i32>
  %41 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %42 = stablehlo.slice %41 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %43 = stablehlo.reshape %42 : (tensor<1xi32>) -> tensor<i32>
  %44 = stablehlo.dynamic_update_slice %36, %37, %40, %43 : (tensor<3x4xi8>, tensor<2x2xi8>, tensor<i32>, tensor<i32>) -> tensor<3x4xi8>
  check.expect_eq_const %44, dense<[[0, 1, 2, 3], [4, 5, 3, 2], [8, 9, 1, 0]]> : tensor<3x4xi8>

  // i16
  %45 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi16>
  %46 = stablehlo.constant dense<[[3, 2], [1, 0]]> : tensor<2x2xi16>
  %47 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %48 = stablehlo.slice %47 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %49 = stablehlo.reshape %48 : (tensor<1xi32>) -> tensor<i32>
  %50 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %51 = stablehlo.slice %50 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %52 = stablehlo.reshape %51 : (tensor<1xi32>) -> tensor<i32>
  %53 = stablehlo.dynamic_update_slice %45, %46, %49, %52 : (tensor<3x4xi16>, tensor<2x2xi16>, tensor<i32>, tensor<i32>) -> tensor<3x4xi16>
  check.expect_eq_const %53, dense<[[0, 1, 2, 3], [4, 5, 3, 2], [8, 9, 1, 0]]> : tensor<3x4xi16>

  // i32
  %54 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %55 = stablehlo.constant dense<[[3, 2], [1, 0]]> : tensor<2x2xi32>
  %56 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %57 = stablehlo.slice %56 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %58 = stablehlo.reshape %57 : (tensor<1xi32>) -> tensor<i32>
  %59 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %60 = stablehlo.slice %59 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %61 = stablehlo.reshape %60 : (tensor<1xi32>) -> tensor<i32>
  %62 = stablehlo.dynamic_update_slice %54, %55, %58, %61 : (tensor<3x4xi32>, tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> tensor<3x4xi32>
  check.expect_eq_const %62, dense<[[0, 1, 2, 3], [4, 5, 3, 2], [8, 9, 1, 0]]> : tensor<3x4xi32>

  // i64
  %63 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>
  %64 = stablehlo.constant dense<[[3, 2], [1, 0]]> : tensor<2x2xi64>
  %65 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %66 = stablehlo.slice %65 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %67 = stablehlo.reshape %66 : (tensor<1xi32>) -> tensor<i32>
  %68 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %69 = stablehlo.slice %68 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %70 = stablehlo.reshape %69 : (tensor<1xi32>) -> tensor<i32>
  %71 = stablehlo.dynamic_update_slice %63, %64, %67, %70 : (tensor<3x4xi64>, tensor<2x2xi64>, tensor<i32>, tensor<i32>) -> tensor<3x4xi64>
  check.expect_eq_const %71, dense<[[0, 1, 2, 3], [4, 5, 3, 2], [8, 9, 1, 0]]> : tensor<3x4xi64>

  // ui8
  %72 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui8>
  %73 = stablehlo.constant dense<[[3, 2], [1, 0]]> : tensor<2x2xui8>
  %74 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %75 = stablehlo.slice %74 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %76 = stablehlo.reshape %75 : (tensor<1xi32>) -> tensor<i32>
  %77 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %78 = stablehlo.slice %77 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %79 = stablehlo.reshape %78 : (tensor<1xi32>) -> tensor<i32>
  %80 = stablehlo.dynamic_update_slice %72, %73, %76, %79 : (tensor<3x4xui8>, tensor<2x2xui8>, tensor<i32>, tensor<i32>) -> tensor<3x4xui8>
  check.expect_eq_const %80, dense<[[0, 1, 2, 3], [4, 5, 3, 2], [8, 9, 1, 0]]> : tensor<3x4xui8>

  // ui16
  %81 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui16>
  %82 = stablehlo.constant dense<[[3, 2], [1, 0]]> : tensor<2x2xui16>
  %83 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %84 = stablehlo.slice %83 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %85 = stablehlo.reshape %84 : (tensor<1xi32>) -> tensor<i32>
  %86 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %87 = stablehlo.slice %86 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %88 = stablehlo.reshape %87 : (tensor<1xi32>) -> tensor<i32>
  %89 = stablehlo.dynamic_update_slice %81, %82, %85, %88 : (tensor<3x4xui16>, tensor<2x2xui16>, tensor<i32>, tensor<i32>) -> tensor<3x4xui16>
  check.expect_eq_const %89, dense<[[0, 1, 2, 3], [4, 5, 3, 2], [8, 9, 1, 0]]> : tensor<3x4xui16>

  // ui32
  %90 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui32>
  %91 = stablehlo.constant dense<[[3, 2], [1, 0]]> : tensor<2x2xui32>
  %92 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %93 = stablehlo.slice %92 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %94 = stablehlo.reshape %93 : (tensor<1xi32>) -> tensor<i32>
  %95 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %96 = stablehlo.slice %95 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %97 = stablehlo.reshape %96 : (tensor<1xi32>) -> tensor<i32>
  %98 = stablehlo.dynamic_update_slice %90, %91, %94, %97 : (tensor<3x4xui32>, tensor<2x2xui32>, tensor<i32>, tensor<i32>) -> tensor<3x4xui32>
  check.expect_eq_const %98, dense<[[0, 1, 2, 3], [4, 5, 3, 2], [8, 9, 1, 0]]> : tensor<3x4xui32>

  // ui64
  %99 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui64>
  %100 = stablehlo.constant dense<[[3, 2], [1, 0]]> : tensor<2x2xui64>
  %101 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %102 = stablehlo.slice %101 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %103 = stablehlo.reshape %102 : (tensor<1xi32>) -> tensor<i32>
  %104 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %105 = stablehlo.slice %104 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %106 = stablehlo.reshape %105 : (tensor<1xi32>) -> tensor<i32>
  %107 = stablehlo.dynamic_update_slice %99, %100, %103, %106 : (tensor<3x4xui64>, tensor<2x2xui64>, tensor<i32>, tensor<i32>) -> tensor<3x4xui64>
  check.expect_eq_const %107, dense<[[0, 1, 2, 3], [4, 5, 3, 2], [8, 9, 1, 0]]> : tensor<3x4xui64>

  // i1
  %108 = stablehlo.constant dense<[[false, false, false, false], [false, false, false, false], [false, false, false, false]]> : tensor<3x4xi1>
  %109 = stablehlo.constant dense<[[false, false], [false, false]]> : tensor<2x2xi1>
  %110 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %111 = stablehlo.slice %110 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %112 = stablehlo.reshape %111 : (tensor<1xi32>) -> tensor<i32>
  %113 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %114 = stablehlo.slice %113 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %115 = stablehlo.reshape %114 : (tensor<1xi32>) -> tensor<i32>
  %116 = stablehlo.dynamic_update_slice %108, %109, %112, %115 : (tensor<3x4xi1>, tensor<2x2xi1>, tensor<i32>, tensor<i32>) -> tensor<3x4xi1>
  check.expect_eq_const %116, dense<[[false, false, false, false], [false, false, false, false], [false, false, false, false]]> : tensor<3x4xi1>

  // types of the start
  %117 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %118 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %119 = stablehlo.constant dense<[127, 127]> : tensor<2xi8>
  %120 = stablehlo.slice %119 [0:1] : (tensor<2xi8>) -> tensor<1xi8>
  %121 = stablehlo.reshape %120 : (tensor<1xi8>) -> tensor<i8>
  %122 = stablehlo.dynamic_update_slice %117, %118, %121 : (tensor<9xf32>, tensor<4xf32>, tensor<i8>) -> tensor<9xf32>
  check.expect_eq_const %122, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0]> : tensor<9xf32>
  %123 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %124 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %125 = stablehlo.constant dense<[-3, -3]> : tensor<2xi8>
  %126 = stablehlo.slice %125 [0:1] : (tensor<2xi8>) -> tensor<1xi8>
  %127 = stablehlo.reshape %126 : (tensor<1xi8>) -> tensor<i8>
  %128 = stablehlo.dynamic_update_slice %123, %124, %127 : (tensor<9xf32>, tensor<4xf32>, tensor<i8>) -> tensor<9xf32>
  check.expect_eq_const %128, dense<[3.0, 2.0, 1.0, 0.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %129 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %130 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %131 = stablehlo.constant dense<[32767, 32767]> : tensor<2xi16>
  %132 = stablehlo.slice %131 [0:1] : (tensor<2xi16>) -> tensor<1xi16>
  %133 = stablehlo.reshape %132 : (tensor<1xi16>) -> tensor<i16>
  %134 = stablehlo.dynamic_update_slice %129, %130, %133 : (tensor<9xf32>, tensor<4xf32>, tensor<i16>) -> tensor<9xf32>
  check.expect_eq_const %134, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0]> : tensor<9xf32>
  %135 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %136 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %137 = stablehlo.constant dense<[-3, -3]> : tensor<2xi16>
  %138 = stablehlo.slice %137 [0:1] : (tensor<2xi16>) -> tensor<1xi16>
  %139 = stablehlo.reshape %138 : (tensor<1xi16>) -> tensor<i16>
  %140 = stablehlo.dynamic_update_slice %135, %136, %139 : (tensor<9xf32>, tensor<4xf32>, tensor<i16>) -> tensor<9xf32>
  check.expect_eq_const %140, dense<[3.0, 2.0, 1.0, 0.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %141 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %142 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %143 = stablehlo.constant dense<[2147483647, 2147483647]> : tensor<2xi32>
  %144 = stablehlo.slice %143 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %145 = stablehlo.reshape %144 : (tensor<1xi32>) -> tensor<i32>
  %146 = stablehlo.dynamic_update_slice %141, %142, %145 : (tensor<9xf32>, tensor<4xf32>, tensor<i32>) -> tensor<9xf32>
  check.expect_eq_const %146, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0]> : tensor<9xf32>
  %147 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %148 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %149 = stablehlo.constant dense<[-3, -3]> : tensor<2xi32>
  %150 = stablehlo.slice %149 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %151 = stablehlo.reshape %150 : (tensor<1xi32>) -> tensor<i32>
  %152 = stablehlo.dynamic_update_slice %147, %148, %151 : (tensor<9xf32>, tensor<4xf32>, tensor<i32>) -> tensor<9xf32>
  check.expect_eq_const %152, dense<[3.0, 2.0, 1.0, 0.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %153 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %154 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %155 = stablehlo.constant dense<[9223372036854775807, 9223372036854775807]> : tensor<2xi64>
  %156 = stablehlo.slice %155 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %157 = stablehlo.reshape %156 : (tensor<1xi64>) -> tensor<i64>
  %158 = stablehlo.dynamic_update_slice %153, %154, %157 : (tensor<9xf32>, tensor<4xf32>, tensor<i64>) -> tensor<9xf32>
  check.expect_eq_const %158, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0]> : tensor<9xf32>
  %159 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %160 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %161 = stablehlo.constant dense<[-3, -3]> : tensor<2xi64>
  %162 = stablehlo.slice %161 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %163 = stablehlo.reshape %162 : (tensor<1xi64>) -> tensor<i64>
  %164 = stablehlo.dynamic_update_slice %159, %160, %163 : (tensor<9xf32>, tensor<4xf32>, tensor<i64>) -> tensor<9xf32>
  check.expect_eq_const %164, dense<[3.0, 2.0, 1.0, 0.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %165 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %166 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %167 = stablehlo.constant dense<[255, 255]> : tensor<2xui8>
  %168 = stablehlo.slice %167 [0:1] : (tensor<2xui8>) -> tensor<1xui8>
  %169 = stablehlo.reshape %168 : (tensor<1xui8>) -> tensor<ui8>
  %170 = stablehlo.dynamic_update_slice %165, %166, %169 : (tensor<9xf32>, tensor<4xf32>, tensor<ui8>) -> tensor<9xf32>
  check.expect_eq_const %170, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0]> : tensor<9xf32>
  %171 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %172 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %173 = stablehlo.constant dense<[0, 0]> : tensor<2xui8>
  %174 = stablehlo.slice %173 [0:1] : (tensor<2xui8>) -> tensor<1xui8>
  %175 = stablehlo.reshape %174 : (tensor<1xui8>) -> tensor<ui8>
  %176 = stablehlo.dynamic_update_slice %171, %172, %175 : (tensor<9xf32>, tensor<4xf32>, tensor<ui8>) -> tensor<9xf32>
  check.expect_eq_const %176, dense<[3.0, 2.0, 1.0, 0.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %177 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %178 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %179 = stablehlo.constant dense<[65535, 65535]> : tensor<2xui16>
  %180 = stablehlo.slice %179 [0:1] : (tensor<2xui16>) -> tensor<1xui16>
  %181 = stablehlo.reshape %180 : (tensor<1xui16>) -> tensor<ui16>
  %182 = stablehlo.dynamic_update_slice %177, %178, %181 : (tensor<9xf32>, tensor<4xf32>, tensor<ui16>) -> tensor<9xf32>
  check.expect_eq_const %182, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0]> : tensor<9xf32>
  %183 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %184 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %185 = stablehlo.constant dense<[0, 0]> : tensor<2xui16>
  %186 = stablehlo.slice %185 [0:1] : (tensor<2xui16>) -> tensor<1xui16>
  %187 = stablehlo.reshape %186 : (tensor<1xui16>) -> tensor<ui16>
  %188 = stablehlo.dynamic_update_slice %183, %184, %187 : (tensor<9xf32>, tensor<4xf32>, tensor<ui16>) -> tensor<9xf32>
  check.expect_eq_const %188, dense<[3.0, 2.0, 1.0, 0.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %189 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %190 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %191 = stablehlo.constant dense<[4294967295, 4294967295]> : tensor<2xui32>
  %192 = stablehlo.slice %191 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %193 = stablehlo.reshape %192 : (tensor<1xui32>) -> tensor<ui32>
  %194 = stablehlo.dynamic_update_slice %189, %190, %193 : (tensor<9xf32>, tensor<4xf32>, tensor<ui32>) -> tensor<9xf32>
  check.expect_eq_const %194, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0]> : tensor<9xf32>
  %195 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %196 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %197 = stablehlo.constant dense<[0, 0]> : tensor<2xui32>
  %198 = stablehlo.slice %197 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %199 = stablehlo.reshape %198 : (tensor<1xui32>) -> tensor<ui32>
  %200 = stablehlo.dynamic_update_slice %195, %196, %199 : (tensor<9xf32>, tensor<4xf32>, tensor<ui32>) -> tensor<9xf32>
  check.expect_eq_const %200, dense<[3.0, 2.0, 1.0, 0.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %201 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %202 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %203 = stablehlo.constant dense<[18446744073709551615, 18446744073709551615]> : tensor<2xui64>
  %204 = stablehlo.slice %203 [0:1] : (tensor<2xui64>) -> tensor<1xui64>
  %205 = stablehlo.reshape %204 : (tensor<1xui64>) -> tensor<ui64>
  %206 = stablehlo.dynamic_update_slice %201, %202, %205 : (tensor<9xf32>, tensor<4xf32>, tensor<ui64>) -> tensor<9xf32>
  check.expect_eq_const %206, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0]> : tensor<9xf32>
  %207 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %208 = stablehlo.constant dense<[3.0, 2.0, 1.0, 0.0]> : tensor<4xf32>
  %209 = stablehlo.constant dense<[0, 0]> : tensor<2xui64>
  %210 = stablehlo.slice %209 [0:1] : (tensor<2xui64>) -> tensor<1xui64>
  %211 = stablehlo.reshape %210 : (tensor<1xui64>) -> tensor<ui64>
  %212 = stablehlo.dynamic_update_slice %207, %208, %211 : (tensor<9xf32>, tensor<4xf32>, tensor<ui64>) -> tensor<9xf32>
  check.expect_eq_const %212, dense<[3.0, 2.0, 1.0, 0.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>

  // starts outside, shapes
  %213 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %214 = stablehlo.constant dense<[[5.0, 4.0, 3.0], [2.0, 1.0, 0.0]]> : tensor<2x3xf32>
  %215 = stablehlo.constant dense<[-5, -5]> : tensor<2xi32>
  %216 = stablehlo.slice %215 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %217 = stablehlo.reshape %216 : (tensor<1xi32>) -> tensor<i32>
  %218 = stablehlo.constant dense<[100, 100]> : tensor<2xi32>
  %219 = stablehlo.slice %218 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %220 = stablehlo.reshape %219 : (tensor<1xi32>) -> tensor<i32>
  %221 = stablehlo.dynamic_update_slice %213, %214, %217, %220 : (tensor<3x4xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  check.expect_eq_const %221, dense<[[0.0, 5.0, 4.0, 3.0], [4.0, 2.0, 1.0, 0.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %222 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %223 = stablehlo.constant dense<[[11.0, 10.0, 9.0, 8.0], [7.0, 6.0, 5.0, 4.0], [3.0, 2.0, 1.0, 0.0]]> : tensor<3x4xf32>
  %224 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %225 = stablehlo.slice %224 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %226 = stablehlo.reshape %225 : (tensor<1xi32>) -> tensor<i32>
  %227 = stablehlo.constant dense<[3, 3]> : tensor<2xi32>
  %228 = stablehlo.slice %227 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %229 = stablehlo.reshape %228 : (tensor<1xi32>) -> tensor<i32>
  %230 = stablehlo.dynamic_update_slice %222, %223, %226, %229 : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  check.expect_eq_const %230, dense<[[11.0, 10.0, 9.0, 8.0], [7.0, 6.0, 5.0, 4.0], [3.0, 2.0, 1.0, 0.0]]> : tensor<3x4xf32>
  %231 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %232 = stablehlo.constant dense<> : tensor<0x2xf32>
  %233 = stablehlo.constant dense<[3, 3]> : tensor<2xi32>
  %234 = stablehlo.slice %233 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %235 = stablehlo.reshape %234 : (tensor<1xi32>) -> tensor<i32>
  %236 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %237 = stablehlo.slice %236 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %238 = stablehlo.reshape %237 : (tensor<1xi32>) -> tensor<i32>
  %239 = stablehlo.dynamic_update_slice %231, %232, %235, %238 : (tensor<3x4xf32>, tensor<0x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  check.expect_eq_const %239, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %240 = stablehlo.constant dense<> : tensor<0x4xf32>
  %241 = stablehlo.constant dense<> : tensor<0x2xf32>
  %242 = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %243 = stablehlo.slice %242 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %244 = stablehlo.reshape %243 : (tensor<1xi32>) -> tensor<i32>
  %245 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %246 = stablehlo.slice %245 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %247 = stablehlo.reshape %246 : (tensor<1xi32>) -> tensor<i32>
  %248 = stablehlo.dynamic_update_slice %240, %241, %244, %247 : (tensor<0x4xf32>, tensor<0x2xf32>, tensor<i32>, tensor<i32>) -> tensor<0x4xf32>
  check.expect_eq_const %248, dense<> : tensor<0x4xf32>
  %249 = stablehlo.constant dense<0.0> : tensor<f32>
  %250 = stablehlo.constant dense<0.0> : tensor<f32>
  %251 = stablehlo.dynamic_update_slice %249, %250 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %251, dense<0.0> : tensor<f32>

  // into a repeated constant
  %252 = stablehlo.constant dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<3x4xf32>
  %253 = stablehlo.constant dense<[[2.0, 1.0, 0.0]]> : tensor<1x3xf32>
  %254 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %255 = stablehlo.slice %254 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %256 = stablehlo.reshape %255 : (tensor<1xi32>) -> tensor<i32>
  %257 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %258 = stablehlo.slice %257 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %259 = stablehlo.reshape %258 : (tensor<1xi32>) -> tensor<i32>
  %260 = stablehlo.dynamic_update_slice %252, %253, %256, %259 : (tensor<3x4xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  check.expect_eq_const %260, dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 2.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<3x4xf32>
  return
}
