// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %1 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %2 = stablehlo.slice %1 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
  %4 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %5 = stablehlo.slice %4 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %6 = stablehlo.reshape %5 : (tensor<1xi32>) -> tensor<i32>
  %7 = stablehlo.dynamic_slice %0, %3, %6, sizes = [2, 2] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  check.expect_eq_const %7, dense<[[6.0, 7.0], [10.0, 11.0]]> : tensor<2x2xf32>

  // f64
  %8 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf64>
  %9 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %10 = stablehlo.slice %9 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %11 = stablehlo.reshape %10 : (tensor<1xi32>) -> tensor<i32>
  %12 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %13 = stablehlo.slice %12 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %14 = stablehlo.reshape %13 : (tensor<1xi32>) -> tensor<i32>
  %15 = stablehlo.dynamic_slice %8, %11, %14, sizes = [2, 2] : (tensor<3x4xf64>, tensor<i32>, tensor<i32>) -> tensor<2x2xf64>
  check.expect_eq_const %15, dense<[[6.0, 7.0], [10.0, 11.0]]> : tensor<2x2xf64>

  // bf16
  %16 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xbf16>
  %17 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %18 = stablehlo.slice %17 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %19 = stablehlo.reshape %18 : (tensor<1xi32>) -> tensor<i32>
  %20 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %21 = stablehlo.slice %20 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %22 = stablehlo.reshape %21 : (tensor<1xi32>) -> tensor<i32>
  %23 = stablehlo.dynamic_slice %16, %19, %22, sizes = [2, 2] : (tensor<3x4xbf16>, tensor<i32>, tensor<i32>) -> tensor<2x2xbf16>
  check.expect_eq_const %23, dense<[[6.0, 7.0], [10.0, 11.0]]> : tensor<2x2xbf16>

  // f16
  %24 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf16>
  %25 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %26 = stablehlo.slice %25 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %27 = stablehlo.reshape %26 : (tensor<1xi32>) -> tensor<i32>
  %28 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %29 = stablehlo.slice %28 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %30 = stablehlo.reshape %29 : (tensor<1xi32>) -> tensor<i32>
  %31 = stablehlo.dynamic_slice %24, %27, %30, sizes = [2, 2] : (tensor<3x4xf16>, tensor<i32>, tensor<i32>) -> tensor<2x2xf16>
  check.expect_eq_const %31, dense<[[6.0, 7.0], [10.0, 11.0]]> : tensor<2x2xf16>

  // i8
  %32 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi8>
  %33 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %34 = stablehlo.slice %33 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %35 = stablehlo.reshape %34 : (tensor<1xi32>) -> tensor<i32>
  %36 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %37 = stablehlo.slice %36 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %38 = stablehlo.reshape %37 : (tensor<1xi32>) -> tensor<i32>
  %39 = stablehlo.dynamic_slice %32, %35, %38, sizes = [2, 2] : (tensor<3x4xi8>, tensor<i32>, tensor<i32>) -> tensor<2x2xi8>
  check.expect_eq_const %39, dense<[[6, 7], [10, 11]]> : tensor<2x2xi8>

  // i16
  %40 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi16>
  %41 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %42 = stablehlo.slice %41 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %43 = stablehlo.reshape %42 : (tensor<1xi32>) -> tensor<i32>
  %44 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %45 = stablehlo.slice %44 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %46 = stablehlo.reshape %45 : (tensor<1xi32>) -> tensor<i32>
  %47 = stablehlo.dynamic_slice %40, %43, %46, sizes = [2, 2] : (tensor<3x4xi16>, tensor<i32>, tensor<i32>) -> tensor<2x2xi16>
  check.expect_eq_const %47, dense<[[6, 7], [10, 11]]> : tensor<2x2xi16>

  // i32
  %48 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %49 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %50 = stablehlo.slice %49 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %51 = stablehlo.reshape %50 : (tensor<1xi32>) -> tensor<i32>
  %52 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %53 = stablehlo.slice %52 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %54 = stablehlo.reshape %53 : (tensor<1xi32>) -> tensor<i32>
  %55 = stablehlo.dynamic_slice %48, %51, %54, sizes = [2, 2] : (tensor<3x4xi32>, tensor<i32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %55, dense<[[6, 7], [10, 11]]> : tensor<2x2xi32>

  // i64
  %56 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>
  %57 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %58 = stablehlo.slice %57 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %59 = stablehlo.reshape %58 : (tensor<1xi32>) -> tensor<i32>
  %60 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %61 = stablehlo.slice %60 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %62 = stablehlo.reshape %61 : (tensor<1xi32>) -> tensor<i32>
  %63 = stablehlo.dynamic_slice %56, %59, %62, sizes = [2, 2] : (tensor<3x4xi64>, tensor<i32>, tensor<i32>) -> tensor<2x2xi64>
  check.expect_eq_const %63, dense<[[6, 7], [10, 11]]> : tensor<2x2xi64>

  // ui8
  %64 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui8>
  %65 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %66 = stablehlo.slice %65 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %67 = stablehlo.reshape %66 : (tensor<1xi32>) -> tensor<i32>
  %68 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %69 = stablehlo.slice %68 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %70 = stablehlo.reshape %69 : (tensor<1xi32>) -> tensor<i32>
  %71 = stablehlo.dynamic_slice %64, %67, %70, sizes = [2, 2] : (tensor<3x4xui8>, tensor<i32>, tensor<i32>) -> tensor<2x2xui8>
  check.expect_eq_const %71, dense<[[6, 7], [10, 11]]> : tensor<2x2xui8>

  // ui16
  %72 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui16>
  %73 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %74 = stablehlo.slice %73 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %75 = stablehlo.reshape %74 : (tensor<1xi32>) -> tensor<i32>
  %76 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %77 = stablehlo.slice %76 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %78 = stablehlo.reshape %77 : (tensor<1xi32>) -> tensor<i32>
  %79 = stablehlo.dynamic_slice %72, %75, %78, sizes = [2, 2] : (tensor<3x4xui16>, tensor<i32>, tensor<i32>) -> tensor<2x2xui16>
  check.expect_eq_const %79, dense<[[6, 7], [10, 11]]> : tensor<2x2xui16>

  // ui32
  %80 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui32>
  %81 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %82 = stablehlo.slice %81 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %83 = stablehlo.reshape %82 : (tensor<1xi32>) -> tensor<i32>
  %84 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %85 = stablehlo.slice %84 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %86 = stablehlo.reshape %85 : (tensor<1xi32>) -> tensor<i32>
  %87 = stablehlo.dynamic_slice %80, %83, %86, sizes = [2, 2] : (tensor<3x4xui32>, tensor<i32>, tensor<i32>) -> tensor<2x2xui32>
  check.expect_eq_const %87, dense<[[6, 7], [10, 11]]> : tensor<2x2xui32>

  // ui64
  %88 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui64>
  %89 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %90 = stablehlo.slice %89 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %91 = stablehlo.reshape %90 : (tensor<1xi32>) -> tensor<i32>
  %92 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %93 = stablehlo.slice %92 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %94 = stablehlo.reshape %93 : (tensor<1xi32>) -> tensor<i32>
  %95 = stablehlo.dynamic_slice %88, %91, %94, sizes = [2, 2] : (tensor<3x4xui64>, tensor<i32>, tensor<i32>) -> tensor<2x2xui64>
  check.expect_eq_const %95, dense<[[6, 7], [10, 11]]> : tensor<2x2xui64>

  // i1
  %96 = stablehlo.constant dense<[[false, false, false, false], [false, false, false, false], [false, false, false, false]]> : tensor<3x4xi1>
  %97 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %98 = stablehlo.slice %97 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %99 = stablehlo.reshape %98 : (tensor<1xi32>) -> tensor<i32>
  %100 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %101 = stablehlo.slice %100 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %102 = stablehlo.reshape %101 : (tensor<1xi32>) -> tensor<i32>
  %103 = stablehlo.dynamic_slice %96, %99, %102, sizes = [2, 2] : (tensor<3x4xi1>, tensor<i32>, tensor<i32>) -> tensor<2x2xi1>
  check.expect_eq_const %103, dense<[[false, false], [false, false]]> : tensor<2x2xi1>

  // types of the start
  %104 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %105 = stablehlo.constant dense<[127, 127]> : tensor<2xi8>
  %106 = stablehlo.slice %105 [0:1] : (tensor<2xi8>) -> tensor<1xi8>
  %107 = stablehlo.reshape %106 : (tensor<1xi8>) -> tensor<i8>
  %108 = stablehlo.dynamic_slice %104, %107, sizes = [4] : (tensor<9xf32>, tensor<i8>) -> tensor<4xf32>
  check.expect_eq_const %108, dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  %109 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %110 = stablehlo.constant dense<[-3, -3]> : tensor<2xi8>
  %111 = stablehlo.slice %110 [0:1] : (tensor<2xi8>) -> tensor<1xi8>
  %112 = stablehlo.reshape %111 : (tensor<1xi8>) -> tensor<i8>
  %113 = stablehlo.dynamic_slice %109, %112, sizes = [4] : (tensor<9xf32>, tensor<i8>) -> tensor<4xf32>
  check.expect_eq_const %113, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %114 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %115 = stablehlo.constant dense<[32767, 32767]> : tensor<2xi16>
  %116 = stablehlo.slice %115 [0:1] : (tensor<2xi16>) -> tensor<1xi16>
  %117 = stablehlo.reshape %116 : (tensor<1xi16>) -> tensor<i16>
  %118 = stablehlo.dynamic_slice %114, %117, sizes = [4] : (tensor<9xf32>, tensor<i16>) -> tensor<4xf32>
  check.expect_eq_const %118, dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  %119 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %120 = stablehlo.constant dense<[-3, -3]> : tensor<2xi16>
  %121 = stablehlo.slice %120 [0:1] : (tensor<2xi16>) -> tensor<1xi16>
  %122 = stablehlo.reshape %121 : (tensor<1xi16>) -> tensor<i16>
  %123 = stablehlo.dynamic_slice %119, %122, sizes = [4] : (tensor<9xf32>, tensor<i16>) -> tensor<4xf32>
  check.expect_eq_const %123, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %124 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %125 = stablehlo.constant dense<[2147483647, 2147483647]> : tensor<2xi32>
  %126 = stablehlo.slice %125 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %127 = stablehlo.reshape %126 : (tensor<1xi32>) -> tensor<i32>
  %128 = stablehlo.dynamic_slice %124, %127, sizes = [4] : (tensor<9xf32>, tensor<i32>) -> tensor<4xf32>
  check.expect_eq_const %128, dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  %129 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %130 = stablehlo.constant dense<[-3, -3]> : tensor<2xi32>
  %131 = stablehlo.slice %130 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %132 = stablehlo.reshape %131 : (tensor<1xi32>) -> tensor<i32>
  %133 = stablehlo.dynamic_slice %129, %132, sizes = [4] : (tensor<9xf32>, tensor<i32>) -> tensor<4xf32>
  check.expect_eq_const %133, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %134 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %135 = stablehlo.constant dense<[9223372036854775807, 9223372036854775807]> : tensor<2xi64>
  %136 = stablehlo.slice %135 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %137 = stablehlo.reshape %136 : (tensor<1xi64>) -> tensor<i64>
  %138 = stablehlo.dynamic_slice %134, %137, sizes = [4] : (tensor<9xf32>, tensor<i64>) -> tensor<4xf32>
  check.expect_eq_const %138, dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  %139 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %140 = stablehlo.constant dense<[-3, -3]> : tensor<2xi64>
  %141 = stablehlo.slice %140 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %142 = stablehlo.reshape %141 : (tensor<1xi64>) -> tensor<i64>
  %143 = stablehlo.dynamic_slice %139, %142, sizes = [4] : (tensor<9xf32>, tensor<i64>) -> tensor<4xf32>
  check.expect_eq_const %143, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %144 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %145 = stablehlo.constant dense<[255, 255]> : tensor<2xui8>
  %146 = stablehlo.slice %145 [0:1] : (tensor<2xui8>) -> tensor<1xui8>
  %147 = stablehlo.reshape %146 : (tensor<1xui8>) -> tensor<ui8>
  %148 = stablehlo.dynamic_slice %144, %147, sizes = [4] : (tensor<9xf32>, tensor<ui8>) -> tensor<4xf32>
  check.expect_eq_const %148, dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  %149 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %150 = stablehlo.constant dense<[0, 0]> : tensor<2xui8>
  %151 = stablehlo.slice %150 [0:1] : (tensor<2xui8>) -> tensor<1xui8>
  %152 = stablehlo.reshape %151 : (tensor<1xui8>) -> tensor<ui8>
  %153 = stablehlo.dynamic_slice %149, %152, sizes = [4] : (tensor<9xf32>, tensor<ui8>) -> tensor<4xf32>
  check.expect_eq_const %153, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %154 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %155 = stablehlo.constant dense<[65535, 65535]> : tensor<2xui16>
  %156 = stablehlo.slice %155 [0:1] : (tensor<2xui16>) -> tensor<1xui16>
  %157 = stablehlo.reshape %156 : (tensor<1xui16>) -> tensor<ui16>
  %158 = stablehlo.dynamic_slice %154, %157, sizes = [4] : (tensor<9xf32>, tensor<ui16>) -> tensor<4xf32>
  check.expect_eq_const %158, dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  %159 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %160 = stablehlo.constant dense<[0, 0]> : tensor<2xui16>
  %161 = stablehlo.slice %160 [0:1] : (tensor<2xui16>) -> tensor<1xui16>
  %162 = stablehlo.reshape %161 : (tensor<1xui16>) -> tensor<ui16>
  %163 = stablehlo.dynamic_slice %159, %162, sizes = [4] : (tensor<9xf32>, tensor<ui16>) -> tensor<4xf32>
  check.expect_eq_const %163, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %164 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %165 = stablehlo.constant dense<[4294967295, 4294967295]> : tensor<2xui32>
  %166 = stablehlo.slice %165 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %167 = stablehlo.reshape %166 : (tensor<1xui32>) -> tensor<ui32>
  %168 = stablehlo.dynamic_slice %164, %167, sizes = [4] : (tensor<9xf32>, tensor<ui32>) -> tensor<4xf32>
  check.expect_eq_const %168, dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  %169 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %170 = stablehlo.constant dense<[0, 0]> : tensor<2xui32>
  %171 = stablehlo.slice %170 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %172 = stablehlo.reshape %171 : (tensor<1xui32>) -> tensor<ui32>
  %173 = stablehlo.dynamic_slice %169, %172, sizes = [4] : (tensor<9xf32>, tensor<ui32>) -> tensor<4xf32>
  check.expect_eq_const %173, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %174 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %175 = stablehlo.constant dense<[18446744073709551615, 18446744073709551615]> : tensor<2xui64>
  %176 = stablehlo.slice %175 [0:1] : (tensor<2xui64>) -> tensor<1xui64>
  %177 = stablehlo.reshape %176 : (tensor<1xui64>) -> tensor<ui64>
  %178 = stablehlo.dynamic_slice %174, %177, sizes = [4] : (tensor<9xf32>, tensor<ui64>) -> tensor<4xf32>
  check.expect_eq_const %178, dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  %179 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<9xf32>
  %180 = stablehlo.constant dense<[0, 0]> : tensor<2xui64>
  %181 = stablehlo.slice %180 [0:1] : (tensor<2xui64>) -> tensor<1xui64>
  %182 = stablehlo.reshape %181 : (tensor<1xui64>) -> tensor<ui64>
  %183 = stablehlo.dynamic_slice %179, %182, sizes = [4] : (tensor<9xf32>, tensor<ui64>) -> tensor<4xf32>
  check.expect_eq_const %183, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>

  // starts outside, shapes
  %184 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %185 = stablehlo.constant dense<[-5, -5]> : tensor<2xi32>
  %186 = stablehlo.slice %185 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %187 = stablehlo.reshape %186 : (tensor<1xi32>) -> tensor<i32>
  %188 = stablehlo.constant dense<[100, 100]> : tensor<2xi32>
  %189 = stablehlo.slice %188 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %190 = stablehlo.reshape %189 : (tensor<1xi32>) -> tensor<i32>
  %191 = stablehlo.dynamic_slice %184, %187, %190, sizes = [2, 3] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  check.expect_eq_const %191, dense<[[1.0, 2.0, 3.0], [5.0, 6.0, 7.0]]> : tensor<2x3xf32>
  %192 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %193 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %194 = stablehlo.slice %193 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %195 = stablehlo.reshape %194 : (tensor<1xi32>) -> tensor<i32>
  %196 = stablehlo.constant dense<[3, 3]> : tensor<2xi32>
  %197 = stablehlo.slice %196 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %198 = stablehlo.reshape %197 : (tensor<1xi32>) -> tensor<i32>
  %199 = stablehlo.dynamic_slice %192, %195, %198, sizes = [3, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  check.expect_eq_const %199, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %200 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %201 = stablehlo.constant dense<[3, 3]> : tensor<2xi32>
  %202 = stablehlo.slice %201 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %203 = stablehlo.reshape %202 : (tensor<1xi32>) -> tensor<i32>
  %204 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %205 = stablehlo.slice %204 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %206 = stablehlo.reshape %205 : (tensor<1xi32>) -> tensor<i32>
  %207 = stablehlo.dynamic_slice %200, %203, %206, sizes = [0, 2] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<0x2xf32>
  check.expect_eq_const %207, dense<> : tensor<0x2xf32>
  %208 = stablehlo.constant dense<> : tensor<0x4xf32>
  %209 = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %210 = stablehlo.slice %209 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %211 = stablehlo.reshape %210 : (tensor<1xi32>) -> tensor<i32>
  %212 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %213 = stablehlo.slice %212 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %214 = stablehlo.reshape %213 : (tensor<1xi32>) -> tensor<i32>
  %215 = stablehlo.dynamic_slice %208, %211, %214, sizes = [0, 2] : (tensor<0x4xf32>, tensor<i32>, tensor<i32>) -> tensor<0x2xf32>
  check.expect_eq_const %215, dense<> : tensor<0x2xf32>
  %216 = stablehlo.constant dense<0.0> : tensor<f32>
  %217 = stablehlo.dynamic_slice %216, sizes = [] : (tensor<f32>) -> tensor<f32>
  check.expect_eq_const %217, dense<0.0> : tensor<f32>
  return
}
