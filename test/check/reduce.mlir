// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[1.0, 2.0, 0.5], [4.0, 1.0, 2.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[3.5, 7.0]> : tensor<2xf32>
  %3 = stablehlo.constant dense<[[1.0, 2.0, 0.5], [4.0, 1.0, 2.0]]> : tensor<2x3xf32>
  %4 = stablehlo.constant dense<1.0> : tensor<f32>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %5, dense<[1.0, 8.0]> : tensor<2xf32>
  %6 = stablehlo.constant dense<[[0.0, -0.0, 1.0], [-1.0, 1.5, -2.5]]> : tensor<2x3xf32>
  %7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %8 = stablehlo.reduce(%6 init: %7) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %8, dense<[1.0, 1.5]> : tensor<2xf32>
  %9 = stablehlo.constant dense<[[0.0, -0.0, 1.0], [-1.0, 1.5, -2.5]]> : tensor<2x3xf32>
  %10 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %11 = stablehlo.reduce(%9 init: %10) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %11, dense<[-0.0, -2.5]> : tensor<2xf32>

  // f64
  %12 = stablehlo.constant dense<[[1.0, 2.0, 0.5], [4.0, 1.0, 2.0]]> : tensor<2x3xf64>
  %13 = stablehlo.constant dense<0.0> : tensor<f64>
  %14 = stablehlo.reduce(%12 init: %13) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %14, dense<[3.5, 7.0]> : tensor<2xf64>
  %15 = stablehlo.constant dense<[[1.0, 2.0, 0.5], [4.0, 1.0, 2.0]]> : tensor<2x3xf64>
  %16 = stablehlo.constant dense<1.0> : tensor<f64>
  %17 = stablehlo.reduce(%15 init: %16) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %17, dense<[1.0, 8.0]> : tensor<2xf64>
  %18 = stablehlo.constant dense<[[0.0, -0.0, 1.0], [-1.0, 1.5, -2.5]]> : tensor<2x3xf64>
  %19 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %20 = stablehlo.reduce(%18 init: %19) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %20, dense<[1.0, 1.5]> : tensor<2xf64>
  %21 = stablehlo.constant dense<[[0.0, -0.0, 1.0], [-1.0, 1.5, -2.5]]> : tensor<2x3xf64>
  %22 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %23 = stablehlo.reduce(%21 init: %22) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %23, dense<[-0.0, -2.5]> : tensor<2xf64>

  // bf16
  %24 = stablehlo.constant dense<[[1.0, 2.0, 0.5], [4.0, 1.0, 2.0]]> : tensor<2x3xbf16>
  %25 = stablehlo.constant dense<0.0> : tensor<bf16>
  %26 = stablehlo.reduce(%24 init: %25) applies stablehlo.add across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %26, dense<[3.5, 7.0]> : tensor<2xbf16>
  %27 = stablehlo.constant dense<[[1.0, 2.0, 0.5], [4.0, 1.0, 2.0]]> : tensor<2x3xbf16>
  %28 = stablehlo.constant dense<1.0> : tensor<bf16>
  %29 = stablehlo.reduce(%27 init: %28) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %29, dense<[1.0, 8.0]> : tensor<2xbf16>
  %30 = stablehlo.constant dense<[[0.0, -0.0, 1.0], [-1.0, 1.5, -2.5]]> : tensor<2x3xbf16>
  %31 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %32 = stablehlo.reduce(%30 init: %31) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %32, dense<[1.0, 1.5]> : tensor<2xbf16>
  %33 = stablehlo.constant dense<[[0.0, -0.0, 1.0], [-1.0, 1.5, -2.5]]> : tensor<2x3xbf16>
  %34 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %35 = stablehlo.reduce(%33 init: %34) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %35, dense<[-0.0, -2.5]> : tensor<2xbf16>

  // f16
  %36 = stablehlo.constant dense<[[1.0, 2.0, 0.5], [4.0, 1.0, 2.0]]> : tensor<2x3xf16>
  %37 = stablehlo.constant dense<0.0> : tensor<f16>
  %38 = stablehlo.reduce(%36 init: %37) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf16>, tensor<f16>) -> tensor<2xf16>
  check.expect_eq_const %38, dense<[3.5, 7.0]> : tensor<2xf16>
  %39 = stablehlo.constant dense<[[1.0, 2.0, 0.5], [4.0, 1.0, 2.0]]> : tensor<2x3xf16>
  %40 = stablehlo.constant dense<1.0> : tensor<f16>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xf16>, tensor<f16>) -> tensor<2xf16>
  check.expect_eq_const %41, dense<[1.0, 8.0]> : tensor<2xf16>
  %42 = stablehlo.constant dense<[[0.0, -0.0, 1.0], [-1.0, 1.5, -2.5]]> : tensor<2x3xf16>
  %43 = stablehlo.constant dense<0xFC00> : tensor<f16>
  %44 = stablehlo.reduce(%42 init: %43) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf16>, tensor<f16>) -> tensor<2xf16>
  check.expect_eq_const %44, dense<[1.0, 1.5]> : tensor<2xf16>
  %45 = stablehlo.constant dense<[[0.0, -0.0, 1.0], [-1.0, 1.5, -2.5]]> : tensor<2x3xf16>
  %46 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %47 = stablehlo.reduce(%45 init: %46) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xf16>, tensor<f16>) -> tensor<2xf16>
  check.expect_eq_const %47, dense<[-0.0, -2.5]> : tensor<2xf16>

  // i8
  %48 = stablehlo.constant dense<[[-128, -127, -7], [-2, -1, 0]]> : tensor<2x3xi8>
  %49 = stablehlo.constant dense<0> : tensor<i8>
  %50 = stablehlo.reduce(%48 init: %49) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %50, dense<[-6, -3]> : tensor<2xi8>
  %51 = stablehlo.constant dense<[[-128, -127, -7], [-2, -1, 0]]> : tensor<2x3xi8>
  %52 = stablehlo.constant dense<1> : tensor<i8>
  %53 = stablehlo.reduce(%51 init: %52) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %53, dense<[-128, 0]> : tensor<2xi8>
  %54 = stablehlo.constant dense<[[-128, -127, -7], [-2, -1, 0]]> : tensor<2x3xi8>
  %55 = stablehlo.constant dense<-128> : tensor<i8>
  %56 = stablehlo.reduce(%54 init: %55) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %56, dense<[-7, 0]> : tensor<2xi8>
  %57 = stablehlo.constant dense<[[-128, -127, -7], [-2, -1, 0]]> : tensor<2x3xi8>
  %58 = stablehlo.constant dense<127> : tensor<i8>
  %59 = stablehlo.reduce(%57 init: %58) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %59, dense<[-128, -2]> : tensor<2xi8>
  %60 = stablehlo.constant dense<[[-128, -127, -7], [-2, -1, 0]]> : tensor<2x3xi8>
  %61 = stablehlo.constant dense<-1> : tensor<i8>
  %62 = stablehlo.reduce(%60 init: %61) applies stablehlo.and across dimensions = [1] : (tensor<2x3xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %62, dense<[-128, 0]> : tensor<2xi8>
  %63 = stablehlo.constant dense<[[-128, -127, -7], [-2, -1, 0]]> : tensor<2x3xi8>
  %64 = stablehlo.constant dense<0> : tensor<i8>
  %65 = stablehlo.reduce(%63 init: %64) applies stablehlo.or across dimensions = [1] : (tensor<2x3xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %65, dense<[-7, -1]> : tensor<2xi8>
  %66 = stablehlo.constant dense<[[-128, -127, -7], [-2, -1, 0]]> : tensor<2x3xi8>
  %67 = stablehlo.constant dense<0> : tensor<i8>
  %68 = stablehlo.reduce(%66 init: %67) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %68, dense<[-8, 1]> : tensor<2xi8>

  // i16
  %69 = stablehlo.constant dense<[[-32768, -32767, -7], [-2, -1, 0]]> : tensor<2x3xi16>
  %70 = stablehlo.constant dense<0> : tensor<i16>
  %71 = stablehlo.reduce(%69 init: %70) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi16>, tensor<i16>) -> tensor<2xi16>
  check.expect_eq_const %71, dense<[-6, -3]> : tensor<2xi16>
  %72 = stablehlo.constant dense<[[-32768, -32767, -7], [-2, -1, 0]]> : tensor<2x3xi16>
  %73 = stablehlo.constant dense<1> : tensor<i16>
  %74 = stablehlo.reduce(%72 init: %73) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xi16>, tensor<i16>) -> tensor<2xi16>
  check.expect_eq_const %74, dense<[-32768, 0]> : tensor<2xi16>
  %75 = stablehlo.constant dense<[[-32768, -32767, -7], [-2, -1, 0]]> : tensor<2x3xi16>
  %76 = stablehlo.constant dense<-32768> : tensor<i16>
  %77 = stablehlo.reduce(%75 init: %76) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xi16>, tensor<i16>) -> tensor<2xi16>
  check.expect_eq_const %77, dense<[-7, 0]> : tensor<2xi16>
  %78 = stablehlo.constant dense<[[-32768, -32767, -7], [-2, -1, 0]]> : tensor<2x3xi16>
  %79 = stablehlo.constant dense<32767> : tensor<i16>
  %80 = stablehlo.reduce(%78 init: %79) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xi16>, tensor<i16>) -> tensor<2xi16>
  check.expect_eq_const %80, dense<[-32768, -2]> : tensor<2xi16>
  %81 = stablehlo.constant dense<[[-32768, -32767, -7], [-2, -1, 0]]> : tensor<2x3xi16>
  %82 = stablehlo.constant dense<-1> : tensor<i16>
  %83 = stablehlo.reduce(%81 init: %82) applies stablehlo.and across dimensions = [1] : (tensor<2x3xi16>, tensor<i16>) -> tensor<2xi16>
  check.expect_eq_const %83, dense<[-32768, 0]> : tensor<2xi16>
  %84 = stablehlo.constant dense<[[-32768, -32767, -7], [-2, -1, 0]]> : tensor<2x3xi16>
  %85 = stablehlo.constant dense<0> : tensor<i16>
  %86 = stablehlo.reduce(%84 init: %85) applies stablehlo.or across dimensions = [1] : (tensor<2x3xi16>, tensor<i16>) -> tensor<2xi16>
  check.expect_eq_const %86, dense<[-7, -1]> : tensor<2xi16>
  %87 = stablehlo.constant dense<[[-32768, -32767, -7], [-2, -1, 0]]> : tensor<2x3xi16>
  %88 = stablehlo.constant dense<0> : tensor<i16>
  %89 = stablehlo.reduce(%87 init: %88) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xi16>, tensor<i16>) -> tensor<2xi16>
  check.expect_eq_const %89, dense<[-8, 1]> : tensor<2xi16>

  // i32
  %90 = stablehlo.constant dense<[[-2147483648, -2147483647, -7], [-2, -1, 0]]> : tensor<2x3xi32>
  %91 = stablehlo.constant dense<0> : tensor<i32>
  %92 = stablehlo.reduce(%90 init: %91) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %92, dense<[-6, -3]> : tensor<2xi32>
  %93 = stablehlo.constant dense<[[-2147483648, -2147483647, -7], [-2, -1, 0]]> : tensor<2x3xi32>
  %94 = stablehlo.constant dense<1> : tensor<i32>
  %95 = stablehlo.reduce(%93 init: %94) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %95, dense<[-2147483648, 0]> : tensor<2xi32>
  %96 = stablehlo.constant dense<[[-2147483648, -2147483647, -7], [-2, -1, 0]]> : tensor<2x3xi32>
  %97 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %98 = stablehlo.reduce(%96 init: %97) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %98, dense<[-7, 0]> : tensor<2xi32>
  %99 = stablehlo.constant dense<[[-2147483648, -2147483647, -7], [-2, -1, 0]]> : tensor<2x3xi32>
  %100 = stablehlo.constant dense<2147483647> : tensor<i32>
  %101 = stablehlo.reduce(%99 init: %100) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %101, dense<[-2147483648, -2]> : tensor<2xi32>
  %102 = stablehlo.constant dense<[[-2147483648, -2147483647, -7], [-2, -1, 0]]> : tensor<2x3xi32>
  %103 = stablehlo.constant dense<-1> : tensor<i32>
  %104 = stablehlo.reduce(%102 init: %103) applies stablehlo.and across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %104, dense<[-2147483648, 0]> : tensor<2xi32>
  %105 = stablehlo.constant dense<[[-2147483648, -2147483647, -7], [-2, -1, 0]]> : tensor<2x3xi32>
  %106 = stablehlo.constant dense<0> : tensor<i32>
  %107 = stablehlo.reduce(%105 init: %106) applies stablehlo.or across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %107, dense<[-7, -1]> : tensor<2xi32>
  %108 = stablehlo.constant dense<[[-2147483648, -2147483647, -7], [-2, -1, 0]]> : tensor<2x3xi32>
  %109 = stablehlo.constant dense<0> : tensor<i32>
  %110 = stablehlo.reduce(%108 init: %109) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %110, dense<[-8, 1]> : tensor<2xi32>

  // i64
  %111 = stablehlo.constant dense<[[-9223372036854775808, -9223372036854775807, -7], [-2, -1, 0]]> : tensor<2x3xi64>
  %112 = stablehlo.constant dense<0> : tensor<i64>
  %113 = stablehlo.reduce(%111 init: %112) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %113, dense<[-6, -3]> : tensor<2xi64>
  %114 = stablehlo.constant dense<[[-9223372036854775808, -9223372036854775807, -7], [-2, -1, 0]]> : tensor<2x3xi64>
  %115 = stablehlo.constant dense<1> : tensor<i64>
  %116 = stablehlo.reduce(%114 init: %115) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %116, dense<[-9223372036854775808, 0]> : tensor<2xi64>
  %117 = stablehlo.constant dense<[[-9223372036854775808, -9223372036854775807, -7], [-2, -1, 0]]> : tensor<2x3xi64>
  %118 = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %119 = stablehlo.reduce(%117 init: %118) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %119, dense<[-7, 0]> : tensor<2xi64>
  %120 = stablehlo.constant dense<[[-9223372036854775808, -9223372036854775807, -7], [-2, -1, 0]]> : tensor<2x3xi64>
  %121 = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %122 = stablehlo.reduce(%120 init: %121) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %122, dense<[-9223372036854775808, -2]> : tensor<2xi64>
  %123 = stablehlo.constant dense<[[-9223372036854775808, -9223372036854775807, -7], [-2, -1, 0]]> : tensor<2x3xi64>
  %124 = stablehlo.constant dense<-1> : tensor<i64>
  %125 = stablehlo.reduce(%123 init: %124) applies stablehlo.and across dimensions = [1] : (tensor<2x3xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %125, dense<[-9223372036854775808, 0]> : tensor<2xi64>
  %126 = stablehlo.constant dense<[[-9223372036854775808, -9223372036854775807, -7], [-2, -1, 0]]> : tensor<2x3xi64>
  %127 = stablehlo.constant dense<0> : tensor<i64>
  %128 = stablehlo.reduce(%126 init: %127) applies stablehlo.or across dimensions = [1] : (tensor<2x3xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %128, dense<[-7, -1]> : tensor<2xi64>
  %129 = stablehlo.constant dense<[[-9223372036854775808, -9223372036854775807, -7], [-2, -1, 0]]> : tensor<2x3xi64>
  %130 = stablehlo.constant dense<0> : tensor<i64>
  %131 = stablehlo.reduce(%129 init: %130) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %131, dense<[-8, 1]> : tensor<2xi64>

  // ui8
  %132 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 254]]> : tensor<2x3xui8>
  %133 = stablehlo.constant dense<0> : tensor<ui8>
  %134 = stablehlo.reduce(%132 init: %133) applies stablehlo.add across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %134, dense<[3, 11]> : tensor<2xui8>
  %135 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 254]]> : tensor<2x3xui8>
  %136 = stablehlo.constant dense<1> : tensor<ui8>
  %137 = stablehlo.reduce(%135 init: %136) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %137, dense<[0, 196]> : tensor<2xui8>
  %138 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 254]]> : tensor<2x3xui8>
  %139 = stablehlo.constant dense<0> : tensor<ui8>
  %140 = stablehlo.reduce(%138 init: %139) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %140, dense<[2, 254]> : tensor<2xui8>
  %141 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 254]]> : tensor<2x3xui8>
  %142 = stablehlo.constant dense<255> : tensor<ui8>
  %143 = stablehlo.reduce(%141 init: %142) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %143, dense<[0, 3]> : tensor<2xui8>
  %144 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 254]]> : tensor<2x3xui8>
  %145 = stablehlo.constant dense<255> : tensor<ui8>
  %146 = stablehlo.reduce(%144 init: %145) applies stablehlo.and across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %146, dense<[0, 2]> : tensor<2xui8>
  %147 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 254]]> : tensor<2x3xui8>
  %148 = stablehlo.constant dense<0> : tensor<ui8>
  %149 = stablehlo.reduce(%147 init: %148) applies stablehlo.or across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %149, dense<[3, 255]> : tensor<2xui8>
  %150 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 254]]> : tensor<2x3xui8>
  %151 = stablehlo.constant dense<0> : tensor<ui8>
  %152 = stablehlo.reduce(%150 init: %151) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %152, dense<[3, 247]> : tensor<2xui8>

  // ui16
  %153 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 65534]]> : tensor<2x3xui16>
  %154 = stablehlo.constant dense<0> : tensor<ui16>
  %155 = stablehlo.reduce(%153 init: %154) applies stablehlo.add across dimensions = [1] : (tensor<2x3xui16>, tensor<ui16>) -> tensor<2xui16>
  check.expect_eq_const %155, dense<[3, 11]> : tensor<2xui16>
  %156 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 65534]]> : tensor<2x3xui16>
  %157 = stablehlo.constant dense<1> : tensor<ui16>
  %158 = stablehlo.reduce(%156 init: %157) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xui16>, tensor<ui16>) -> tensor<2xui16>
  check.expect_eq_const %158, dense<[0, 65476]> : tensor<2xui16>
  %159 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 65534]]> : tensor<2x3xui16>
  %160 = stablehlo.constant dense<0> : tensor<ui16>
  %161 = stablehlo.reduce(%159 init: %160) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xui16>, tensor<ui16>) -> tensor<2xui16>
  check.expect_eq_const %161, dense<[2, 65534]> : tensor<2xui16>
  %162 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 65534]]> : tensor<2x3xui16>
  %163 = stablehlo.constant dense<65535> : tensor<ui16>
  %164 = stablehlo.reduce(%162 init: %163) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xui16>, tensor<ui16>) -> tensor<2xui16>
  check.expect_eq_const %164, dense<[0, 3]> : tensor<2xui16>
  %165 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 65534]]> : tensor<2x3xui16>
  %166 = stablehlo.constant dense<65535> : tensor<ui16>
  %167 = stablehlo.reduce(%165 init: %166) applies stablehlo.and across dimensions = [1] : (tensor<2x3xui16>, tensor<ui16>) -> tensor<2xui16>
  check.expect_eq_const %167, dense<[0, 2]> : tensor<2xui16>
  %168 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 65534]]> : tensor<2x3xui16>
  %169 = stablehlo.constant dense<0> : tensor<ui16>
  %170 = stablehlo.reduce(%168 init: %169) applies stablehlo.or across dimensions = [1] : (tensor<2x3xui16>, tensor<ui16>) -> tensor<2xui16>
  check.expect_eq_const %170, dense<[3, 65535]> : tensor<2xui16>
  %171 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 65534]]> : tensor<2x3xui16>
  %172 = stablehlo.constant dense<0> : tensor<ui16>
  %173 = stablehlo.reduce(%171 init: %172) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xui16>, tensor<ui16>) -> tensor<2xui16>
  check.expect_eq_const %173, dense<[3, 65527]> : tensor<2xui16>

  // ui32
  %174 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 4294967294]]> : tensor<2x3xui32>
  %175 = stablehlo.constant dense<0> : tensor<ui32>
  %176 = stablehlo.reduce(%174 init: %175) applies stablehlo.add across dimensions = [1] : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2xui32>
  check.expect_eq_const %176, dense<[3, 11]> : tensor<2xui32>
  %177 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 4294967294]]> : tensor<2x3xui32>
  %178 = stablehlo.constant dense<1> : tensor<ui32>
  %179 = stablehlo.reduce(%177 init: %178) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2xui32>
  check.expect_eq_const %179, dense<[0, 4294967236]> : tensor<2xui32>
  %180 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 4294967294]]> : tensor<2x3xui32>
  %181 = stablehlo.constant dense<0> : tensor<ui32>
  %182 = stablehlo.reduce(%180 init: %181) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2xui32>
  check.expect_eq_const %182, dense<[2, 4294967294]> : tensor<2xui32>
  %183 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 4294967294]]> : tensor<2x3xui32>
  %184 = stablehlo.constant dense<4294967295> : tensor<ui32>
  %185 = stablehlo.reduce(%183 init: %184) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2xui32>
  check.expect_eq_const %185, dense<[0, 3]> : tensor<2xui32>
  %186 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 4294967294]]> : tensor<2x3xui32>
  %187 = stablehlo.constant dense<4294967295> : tensor<ui32>
  %188 = stablehlo.reduce(%186 init: %187) applies stablehlo.and across dimensions = [1] : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2xui32>
  check.expect_eq_const %188, dense<[0, 2]> : tensor<2xui32>
  %189 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 4294967294]]> : tensor<2x3xui32>
  %190 = stablehlo.constant dense<0> : tensor<ui32>
  %191 = stablehlo.reduce(%189 init: %190) applies stablehlo.or across dimensions = [1] : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2xui32>
  check.expect_eq_const %191, dense<[3, 4294967295]> : tensor<2xui32>
  %192 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 4294967294]]> : tensor<2x3xui32>
  %193 = stablehlo.constant dense<0> : tensor<ui32>
  %194 = stablehlo.reduce(%192 init: %193) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2xui32>
  check.expect_eq_const %194, dense<[3, 4294967287]> : tensor<2xui32>

  // ui64
  %195 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 18446744073709551614]]> : tensor<2x3xui64>
  %196 = stablehlo.constant dense<0> : tensor<ui64>
  %197 = stablehlo.reduce(%195 init: %196) applies stablehlo.add across dimensions = [1] : (tensor<2x3xui64>, tensor<ui64>) -> tensor<2xui64>
  check.expect_eq_const %197, dense<[3, 11]> : tensor<2xui64>
  %198 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 18446744073709551614]]> : tensor<2x3xui64>
  %199 = stablehlo.constant dense<1> : tensor<ui64>
  %200 = stablehlo.reduce(%198 init: %199) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xui64>, tensor<ui64>) -> tensor<2xui64>
  check.expect_eq_const %200, dense<[0, 18446744073709551556]> : tensor<2xui64>
  %201 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 18446744073709551614]]> : tensor<2x3xui64>
  %202 = stablehlo.constant dense<0> : tensor<ui64>
  %203 = stablehlo.reduce(%201 init: %202) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xui64>, tensor<ui64>) -> tensor<2xui64>
  check.expect_eq_const %203, dense<[2, 18446744073709551614]> : tensor<2xui64>
  %204 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 18446744073709551614]]> : tensor<2x3xui64>
  %205 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %206 = stablehlo.reduce(%204 init: %205) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xui64>, tensor<ui64>) -> tensor<2xui64>
  check.expect_eq_const %206, dense<[0, 3]> : tensor<2xui64>
  %207 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 18446744073709551614]]> : tensor<2x3xui64>
  %208 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %209 = stablehlo.reduce(%207 init: %208) applies stablehlo.and across dimensions = [1] : (tensor<2x3xui64>, tensor<ui64>) -> tensor<2xui64>
  check.expect_eq_const %209, dense<[0, 2]> : tensor<2xui64>
  %210 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 18446744073709551614]]> : tensor<2x3xui64>
  %211 = stablehlo.constant dense<0> : tensor<ui64>
  %212 = stablehlo.reduce(%210 init: %211) applies stablehlo.or across dimensions = [1] : (tensor<2x3xui64>, tensor<ui64>) -> tensor<2xui64>
  check.expect_eq_const %212, dense<[3, 18446744073709551615]> : tensor<2xui64>
  %213 = stablehlo.constant dense<[[0, 1, 2], [3, 10, 18446744073709551614]]> : tensor<2x3xui64>
  %214 = stablehlo.constant dense<0> : tensor<ui64>
  %215 = stablehlo.reduce(%213 init: %214) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xui64>, tensor<ui64>) -> tensor<2xui64>
  check.expect_eq_const %215, dense<[3, 18446744073709551607]> : tensor<2xui64>

  // i1
  %216 = stablehlo.constant dense<[[false, true, false], [true, false, true]]> : tensor<2x3xi1>
  %217 = stablehlo.constant dense<false> : tensor<i1>
  %218 = stablehlo.reduce(%216 init: %217) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %218, dense<[true, true]> : tensor<2xi1>
  %219 = stablehlo.constant dense<[[false, true, false], [true, false, true]]> : tensor<2x3xi1>
  %220 = stablehlo.constant dense<true> : tensor<i1>
  %221 = stablehlo.reduce(%219 init: %220) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %221, dense<[false, false]> : tensor<2xi1>
  %222 = stablehlo.constant dense<[[false, true, false], [true, false, true]]> : tensor<2x3xi1>
  %223 = stablehlo.constant dense<false> : tensor<i1>
  %224 = stablehlo.reduce(%222 init: %223) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %224, dense<[true, true]> : tensor<2xi1>
  %225 = stablehlo.constant dense<[[false, true, false], [true, false, true]]> : tensor<2x3xi1>
  %226 = stablehlo.constant dense<true> : tensor<i1>
  %227 = stablehlo.reduce(%225 init: %226) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %227, dense<[false, false]> : tensor<2xi1>
  %228 = stablehlo.constant dense<[[false, true, false], [true, false, true]]> : tensor<2x3xi1>
  %229 = stablehlo.constant dense<true> : tensor<i1>
  %230 = stablehlo.reduce(%228 init: %229) applies stablehlo.and across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %230, dense<[false, false]> : tensor<2xi1>
  %231 = stablehlo.constant dense<[[false, true, false], [true, false, true]]> : tensor<2x3xi1>
  %232 = stablehlo.constant dense<false> : tensor<i1>
  %233 = stablehlo.reduce(%231 init: %232) applies stablehlo.or across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %233, dense<[true, true]> : tensor<2xi1>
  %234 = stablehlo.constant dense<[[false, true, false], [true, false, true]]> : tensor<2x3xi1>
  %235 = stablehlo.constant dense<false> : tensor<i1>
  %236 = stablehlo.reduce(%234 init: %235) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %236, dense<[true, false]> : tensor<2xi1>

  // NaN, zeros of both signs, infinities
  %237 = stablehlo.constant dense<[[1.0, 0x7FC00000, 2.0], [-0.0, 0.0, -0.0], [0xFF800000, 0xFF800000, 0xFF800000]]> : tensor<3x3xf32>
  %238 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %239 = stablehlo.reduce(%237 init: %238) applies stablehlo.maximum across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %239, dense<[0x7FC00000, 0.0, 0xFF800000]> : tensor<3xf32>
  %240 = stablehlo.constant dense<[[1.0, 0x7FC00000, 2.0], [-0.0, 0.0, 0.0], [0x7F800000, 0x7F800000, 0x7F800000]]> : tensor<3x3xf32>
  %241 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %242 = stablehlo.reduce(%240 init: %241) applies stablehlo.minimum across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %242, dense<[0x7FC00000, -0.0, 0x7F800000]> : tensor<3xf32>
  %243 = stablehlo.constant dense<[[0x7F800000, 1.0], [0x7F800000, 0xFF800000], [0x7FC00000, 0.0]]> : tensor<3x2xf32>
  %244 = stablehlo.constant dense<0.0> : tensor<f32>
  %245 = stablehlo.reduce(%243 init: %244) applies stablehlo.add across dimensions = [1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %245, dense<[0x7F800000, 0xFFC00000, 0x7FC00000]> : tensor<3xf32>
  %246 = stablehlo.constant dense<[[1.0, 0x7FF8000000000000, 2.0], [-0.0, 0.0, -0.0], [0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000]]> : tensor<3x3xf64>
  %247 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %248 = stablehlo.reduce(%246 init: %247) applies stablehlo.maximum across dimensions = [1] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3xf64>
  check.expect_eq_const %248, dense<[0x7FF8000000000000, 0.0, 0xFFF0000000000000]> : tensor<3xf64>
  %249 = stablehlo.constant dense<[[1.0, 0x7FF8000000000000, 2.0], [-0.0, 0.0, 0.0], [0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000]]> : tensor<3x3xf64>
  %250 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %251 = stablehlo.reduce(%249 init: %250) applies stablehlo.minimum across dimensions = [1] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3xf64>
  check.expect_eq_const %251, dense<[0x7FF8000000000000, -0.0, 0x7FF0000000000000]> : tensor<3xf64>
  %252 = stablehlo.constant dense<[[0x7FF0000000000000, 1.0], [0x7FF0000000000000, 0xFFF0000000000000], [0x7FF8000000000000, 0.0]]> : tensor<3x2xf64>
  %253 = stablehlo.constant dense<0.0> : tensor<f64>
  %254 = stablehlo.reduce(%252 init: %253) applies stablehlo.add across dimensions = [1] : (tensor<3x2xf64>, tensor<f64>) -> tensor<3xf64>
  check.expect_eq_const %254, dense<[0x7FF0000000000000, 0xFFF8000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  %255 = stablehlo.constant dense<[[1.0, 0x7FC0, 2.0], [-0.0, 0.0, -0.0], [0xFF80, 0xFF80, 0xFF80]]> : tensor<3x3xbf16>
  %256 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %257 = stablehlo.reduce(%255 init: %256) applies stablehlo.maximum across dimensions = [1] : (tensor<3x3xbf16>, tensor<bf16>) -> tensor<3xbf16>
  check.expect_eq_const %257, dense<[0x7FC0, 0.0, 0xFF80]> : tensor<3xbf16>
  %258 = stablehlo.constant dense<[[1.0, 0x7FC0, 2.0], [-0.0, 0.0, 0.0], [0x7F80, 0x7F80, 0x7F80]]> : tensor<3x3xbf16>
  %259 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %260 = stablehlo.reduce(%258 init: %259) applies stablehlo.minimum across dimensions = [1] : (tensor<3x3xbf16>, tensor<bf16>) -> tensor<3xbf16>
  check.expect_eq_const %260, dense<[0x7FC0, -0.0, 0x7F80]> : tensor<3xbf16>
  %261 = stablehlo.constant dense<[[0x7F80, 1.0], [0x7F80, 0xFF80], [0x7FC0, 0.0]]> : tensor<3x2xbf16>
  %262 = stablehlo.constant dense<0.0> : tensor<bf16>
  %263 = stablehlo.reduce(%261 init: %262) applies stablehlo.add across dimensions = [1] : (tensor<3x2xbf16>, tensor<bf16>) -> tensor<3xbf16>
  check.expect_eq_const %263, dense<[0x7F80, 0xFFC0, 0x7FC0]> : tensor<3xbf16>
  %264 = stablehlo.constant dense<[[1.0, 0x7E00, 2.0], [-0.0, 0.0, -0.0], [0xFC00, 0xFC00, 0xFC00]]> : tensor<3x3xf16>
  %265 = stablehlo.constant dense<0xFC00> : tensor<f16>
  %266 = stablehlo.reduce(%264 init: %265) applies stablehlo.maximum across dimensions = [1] : (tensor<3x3xf16>, tensor<f16>) -> tensor<3xf16>
  check.expect_eq_const %266, dense<[0x7E00, 0.0, 0xFC00]> : tensor<3xf16>
  %267 = stablehlo.constant dense<[[1.0, 0x7E00, 2.0], [-0.0, 0.0, 0.0], [0x7C00, 0x7C00, 0x7C00]]> : tensor<3x3xf16>
  %268 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %269 = stablehlo.reduce(%267 init: %268) applies stablehlo.minimum across dimensions = [1] : (tensor<3x3xf16>, tensor<f16>) -> tensor<3xf16>
  check.expect_eq_const %269, dense<[0x7E00, -0.0, 0x7C00]> : tensor<3xf16>
  %270 = stablehlo.constant dense<[[0x7C00, 1.0], [0x7C00, 0xFC00], [0x7E00, 0.0]]> : tensor<3x2xf16>
  %271 = stablehlo.constant dense<0.0> : tensor<f16>
  %272 = stablehlo.reduce(%270 init: %271) applies stablehlo.add across dimensions = [1] : (tensor<3x2xf16>, tensor<f16>) -> tensor<3xf16>
  check.expect_eq_const %272, dense<[0x7C00, 0xFE00, 0x7E00]> : tensor<3xf16>

  // shapes
  %273 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %274 = stablehlo.constant dense<0.0> : tensor<f32>
  %275 = stablehlo.reduce(%273 init: %274) applies stablehlo.add across dimensions = [] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  check.expect_eq_const %275, dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %276 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %277 = stablehlo.constant dense<0.0> : tensor<f32>
  %278 = stablehlo.reduce(%276 init: %277) applies stablehlo.add across dimensions = [0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  check.expect_eq_const %278, dense<[[12.0, 14.0, 16.0, 18.0], [20.0, 22.0, 24.0, 26.0], [28.0, 30.0, 32.0, 34.0]]> : tensor<3x4xf32>
  %279 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %280 = stablehlo.constant dense<0.0> : tensor<f32>
  %281 = stablehlo.reduce(%279 init: %280) applies stablehlo.add across dimensions = [1] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  check.expect_eq_const %281, dense<[[12.0, 15.0, 18.0, 21.0], [48.0, 51.0, 54.0, 57.0]]> : tensor<2x4xf32>
  %282 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %283 = stablehlo.constant dense<0.0> : tensor<f32>
  %284 = stablehlo.reduce(%282 init: %283) applies stablehlo.add across dimensions = [2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %284, dense<[[6.0, 22.0, 38.0], [54.0, 70.0, 86.0]]> : tensor<2x3xf32>
  %285 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %286 = stablehlo.constant dense<0.0> : tensor<f32>
  %287 = stablehlo.reduce(%285 init: %286) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %287, dense<[60.0, 66.0, 72.0, 78.0]> : tensor<4xf32>
  %288 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %289 = stablehlo.constant dense<0.0> : tensor<f32>
  %290 = stablehlo.reduce(%288 init: %289) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %290, dense<[60.0, 92.0, 124.0]> : tensor<3xf32>
  %291 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %292 = stablehlo.constant dense<0.0> : tensor<f32>
  %293 = stablehlo.reduce(%291 init: %292) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %293, dense<[66.0, 210.0]> : tensor<2xf32>
  %294 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %295 = stablehlo.constant dense<0.0> : tensor<f32>
  %296 = stablehlo.reduce(%294 init: %295) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %296, dense<276.0> : tensor<f32>
  %297 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %298 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %299 = stablehlo.reduce(%297 init: %298) applies stablehlo.maximum across dimensions = [2, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %299, dense<[15.0, 19.0, 23.0]> : tensor<3xf32>
  %300 = stablehlo.constant dense<3.0> : tensor<f32>
  %301 = stablehlo.constant dense<0.0> : tensor<f32>
  %302 = stablehlo.reduce(%300 init: %301) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %302, dense<3.0> : tensor<f32>
  %303 = stablehlo.constant dense<> : tensor<0x3xf32>
  %304 = stablehlo.constant dense<0.0> : tensor<f32>
  %305 = stablehlo.reduce(%303 init: %304) applies stablehlo.add across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %305, dense<[0.0, 0.0, 0.0]> : tensor<3xf32>
  %306 = stablehlo.constant dense<> : tensor<0x3xf32>
  %307 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %308 = stablehlo.reduce(%306 init: %307) applies stablehlo.maximum across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %308, dense<[0xFF800000, 0xFF800000, 0xFF800000]> : tensor<3xf32>
  %309 = stablehlo.constant dense<> : tensor<0x3xf32>
  %310 = stablehlo.constant dense<0.0> : tensor<f32>
  %311 = stablehlo.reduce(%309 init: %310) applies stablehlo.add across dimensions = [1] : (tensor<0x3xf32>, tensor<f32>) -> tensor<0xf32>
  check.expect_eq_const %311, dense<> : tensor<0xf32>
  %312 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47], [48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95], [96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]]> : tensor<3x500xi32>
  %313 = stablehlo.constant dense<0> : tensor<i32>
  %314 = stablehlo.reduce(%312 init: %313) applies stablehlo.add across dimensions = [1] : (tensor<3x500xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %314, dense<[26440, 28744, 27545]> : tensor<3xi32>
  %315 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14], [15, 16, 17], [18, 19, 20], [21, 22, 23], [24, 25, 26], [27, 28, 29], [30, 31, 32], [33, 34, 35], [36, 37, 38], [39, 40, 41], [42, 43, 44], [45, 46, 47], [48, 49, 50], [51, 52, 53], [54, 55, 56], [57, 58, 59], [60, 61, 62], [63, 64, 65], [66, 67, 68], [69, 70, 71], [72, 73, 74], [75, 76, 77], [78, 79, 80], [81, 82, 83], [84, 85, 86], [87, 88, 89], [90, 91, 92], [93, 94, 95], [96, 97, 98], [99, 100, 101], [102, 103, 104], [105, 106, 107], [108, 109, 110], [111, 112, 0], [1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12], [13, 14, 15], [16, 17, 18], [19, 20, 21], [22, 23, 24], [25, 26, 27], [28, 29, 30], [31, 32, 33], [34, 35, 36], [37, 38, 39], [40, 41, 42], [43, 44, 45], [46, 47, 48], [49, 50, 51], [52, 53, 54], [55, 56, 57], [58, 59, 60], [61, 62, 63], [64, 65, 66], [67, 68, 69], [70, 71, 72], [73, 74, 75], [76, 77, 78], [79, 80, 81], [82, 83, 84], [85, 86, 87], [88, 89, 90], [91, 92, 93], [94, 95, 96], [97, 98, 99], [100, 101, 102], [103, 104, 105], [106, 107, 108], [109, 110, 111], [112, 0, 1], [2, 3, 4], [5, 6, 7], [8, 9, 10], [11, 12, 13], [14, 15, 16], [17, 18, 19], [20, 21, 22], [23, 24, 25], [26, 27, 28], [29, 30, 31], [32, 33, 34], [35, 36, 37], [38, 39, 40], [41, 42, 43], [44, 45, 46], [47, 48, 49], [50, 51, 52], [53, 54, 55], [56, 57, 58], [59, 60, 61], [62, 63, 64], [65, 66, 67], [68, 69, 70], [71, 72, 73], [74, 75, 76], [77, 78, 79], [80, 81, 82], [83, 84, 85], [86, 87, 88], [89, 90, 91], [92, 93, 94], [95, 96, 97], [98, 99, 100], [101, 102, 103], [104, 105, 106], [107, 108, 109], [110, 111, 112], [0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14], [15, 16, 17], [18, 19, 20], [21, 22, 23], [24, 25, 26], [27, 28, 29], [30, 31, 32], [33, 34, 35], [36, 37, 38], [39, 40, 41], [42, 43, 44], [45, 46, 47], [48, 49, 50], [51, 52, 53], [54, 55, 56], [57, 58, 59], [60, 61, 62], [63, 64, 65], [66, 67, 68], [69, 70, 71], [72, 73, 74], [75, 76, 77], [78, 79, 80], [81, 82, 83], [84, 85, 86], [87, 88, 89], [90, 91, 92], [93, 94, 95], [96, 97, 98], [99, 100, 101], [102, 103, 104], [105, 106, 107], [108, 109, 110], [111, 112, 0], [1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12], [13, 14, 15], [16, 17, 18], [19, 20, 21], [22, 23, 24], [25, 26, 27], [28, 29, 30], [31, 32, 33], [34, 35, 36], [37, 38, 39], [40, 41, 42], [43, 44, 45], [46, 47, 48], [49, 50, 51], [52, 53, 54], [55, 56, 57], [58, 59, 60], [61, 62, 63], [64, 65, 66], [67, 68, 69], [70, 71, 72], [73, 74, 75], [76, 77, 78], [79, 80, 81], [82, 83, 84], [85, 86, 87], [88, 89, 90], [91, 92, 93], [94, 95, 96], [97, 98, 99], [100, 101, 102], [103, 104, 105], [106, 107, 108], [109, 110, 111], [112, 0, 1], [2, 3, 4], [5, 6, 7], [8, 9, 10], [11, 12, 13], [14, 15, 16], [17, 18, 19], [20, 21, 22], [23, 24, 25], [26, 27, 28], [29, 30, 31], [32, 33, 34], [35, 36, 37], [38, 39, 40], [41, 42, 43], [44, 45, 46], [47, 48, 49], [50, 51, 52], [53, 54, 55], [56, 57, 58], [59, 60, 61], [62, 63, 64], [65, 66, 67], [68, 69, 70], [71, 72, 73], [74, 75, 76], [77, 78, 79], [80, 81, 82], [83, 84, 85], [86, 87, 88], [89, 90, 91], [92, 93, 94], [95, 96, 97], [98, 99, 100], [101, 102, 103], [104, 105, 106], [107, 108, 109], [110, 111, 112], [0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14], [15, 16, 17], [18, 19, 20], [21, 22, 23], [24, 25, 26], [27, 28, 29], [30, 31, 32], [33, 34, 35], [36, 37, 38], [39, 40, 41], [42, 43, 44], [45, 46, 47], [48, 49, 50], [51, 52, 53], [54, 55, 56], [57, 58, 59], [60, 61, 62], [63, 64, 65], [66, 67, 68], [69, 70, 71], [72, 73, 74], [75, 76, 77], [78, 79, 80], [81, 82, 83], [84, 85, 86], [87, 88, 89], [90, 91, 92], [93, 94, 95], [96, 97, 98], [99, 100, 101], [102, 103, 104], [105, 106, 107], [108, 109, 110], [111, 112, 0], [1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12], [13, 14, 15], [16, 17, 18], [19, 20, 21], [22, 23, 24], [25, 26, 27], [28, 29, 30], [31, 32, 33], [34, 35, 36], [37, 38, 39], [40, 41, 42], [43, 44, 45], [46, 47, 48], [49, 50, 51], [52, 53, 54], [55, 56, 57], [58, 59, 60], [61, 62, 63], [64, 65, 66], [67, 68, 69], [70, 71, 72], [73, 74, 75], [76, 77, 78], [79, 80, 81], [82, 83, 84], [85, 86, 87], [88, 89, 90], [91, 92, 93], [94, 95, 96], [97, 98, 99], [100, 101, 102], [103, 104, 105], [106, 107, 108], [109, 110, 111], [112, 0, 1], [2, 3, 4], [5, 6, 7], [8, 9, 10], [11, 12, 13], [14, 15, 16], [17, 18, 19], [20, 21, 22], [23, 24, 25], [26, 27, 28], [29, 30, 31], [32, 33, 34], [35, 36, 37], [38, 39, 40], [41, 42, 43], [44, 45, 46], [47, 48, 49], [50, 51, 52], [53, 54, 55], [56, 57, 58], [59, 60, 61], [62, 63, 64], [65, 66, 67], [68, 69, 70], [71, 72, 73], [74, 75, 76], [77, 78, 79], [80, 81, 82], [83, 84, 85], [86, 87, 88], [89, 90, 91], [92, 93, 94], [95, 96, 97], [98, 99, 100], [101, 102, 103], [104, 105, 106], [107, 108, 109], [110, 111, 112], [0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14], [15, 16, 17], [18, 19, 20], [21, 22, 23], [24, 25, 26], [27, 28, 29], [30, 31, 32], [33, 34, 35], [36, 37, 38], [39, 40, 41], [42, 43, 44], [45, 46, 47], [48, 49, 50], [51, 52, 53], [54, 55, 56], [57, 58, 59], [60, 61, 62], [63, 64, 65], [66, 67, 68], [69, 70, 71], [72, 73, 74], [75, 76, 77], [78, 79, 80], [81, 82, 83], [84, 85, 86], [87, 88, 89], [90, 91, 92], [93, 94, 95], [96, 97, 98], [99, 100, 101], [102, 103, 104], [105, 106, 107], [108, 109, 110], [111, 112, 0], [1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12], [13, 14, 15], [16, 17, 18], [19, 20, 21], [22, 23, 24], [25, 26, 27], [28, 29, 30], [31, 32, 33], [34, 35, 36], [37, 38, 39], [40, 41, 42], [43, 44, 45], [46, 47, 48], [49, 50, 51], [52, 53, 54], [55, 56, 57], [58, 59, 60], [61, 62, 63], [64, 65, 66], [67, 68, 69], [70, 71, 72], [73, 74, 75], [76, 77, 78], [79, 80, 81], [82, 83, 84], [85, 86, 87], [88, 89, 90], [91, 92, 93], [94, 95, 96], [97, 98, 99], [100, 101, 102], [103, 104, 105], [106, 107, 108], [109, 110, 111], [112, 0, 1], [2, 3, 4], [5, 6, 7], [8, 9, 10], [11, 12, 13], [14, 15, 16], [17, 18, 19], [20, 21, 22], [23, 24, 25], [26, 27, 28], [29, 30, 31], [32, 33, 34], [35, 36, 37], [38, 39, 40], [41, 42, 43], [44, 45, 46], [47, 48, 49], [50, 51, 52], [53, 54, 55], [56, 57, 58], [59, 60, 61], [62, 63, 64], [65, 66, 67], [68, 69, 70], [71, 72, 73], [74, 75, 76], [77, 78, 79], [80, 81, 82], [83, 84, 85], [86, 87, 88], [89, 90, 91], [92, 93, 94], [95, 96, 97], [98, 99, 100], [101, 102, 103], [104, 105, 106], [107, 108, 109], [110, 111, 112], [0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14], [15, 16, 17], [18, 19, 20], [21, 22, 23], [24, 25, 26], [27, 28, 29], [30, 31, 32], [33, 34, 35], [36, 37, 38], [39, 40, 41], [42, 43, 44], [45, 46, 47], [48, 49, 50], [51, 52, 53], [54, 55, 56], [57, 58, 59], [60, 61, 62], [63, 64, 65], [66, 67, 68], [69, 70, 71], [72, 73, 74], [75, 76, 77], [78, 79, 80], [81, 82, 83], [84, 85, 86], [87, 88, 89], [90, 91, 92], [93, 94, 95], [96, 97, 98], [99, 100, 101], [102, 103, 104], [105, 106, 107], [108, 109, 110], [111, 112, 0], [1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12], [13, 14, 15], [16, 17, 18], [19, 20, 21], [22, 23, 24], [25, 26, 27], [28, 29, 30]]> : tensor<500x3xi32>
  %316 = stablehlo.constant dense<0> : tensor<i32>
  %317 = stablehlo.reduce(%315 init: %316) applies stablehlo.add across dimensions = [0] : (tensor<500x3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %317, dense<[27566, 27614, 27549]> : tensor<3xi32>

  // from another initial value
  %318 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %319 = stablehlo.constant dense<10.0> : tensor<f32>
  %320 = stablehlo.reduce(%318 init: %319) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %320, dense<[13.0, 22.0]> : tensor<2xf32>
  %321 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %322 = stablehlo.constant dense<10.0> : tensor<f32>
  %323 = stablehlo.reduce(%321 init: %322) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %323, dense<[0.0, 600.0]> : tensor<2xf32>
  %324 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %325 = stablehlo.constant dense<10.0> : tensor<f32>
  %326 = stablehlo.reduce(%324 init: %325) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %326, dense<[10.0, 10.0]> : tensor<2xf32>
  %327 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %328 = stablehlo.constant dense<10.0> : tensor<f32>
  %329 = stablehlo.reduce(%327 init: %328) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %329, dense<[0.0, 3.0]> : tensor<2xf32>
  %330 = stablehlo.constant dense<> : tensor<0x2xf32>
  %331 = stablehlo.constant dense<10.0> : tensor<f32>
  %332 = stablehlo.reduce(%330 init: %331) applies stablehlo.add across dimensions = [0] : (tensor<0x2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %332, dense<[10.0, 10.0]> : tensor<2xf32>
  %333 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %334 = stablehlo.constant dense<10.0> : tensor<f32>
  %335 = stablehlo.reduce(%333 init: %334) applies stablehlo.add across dimensions = [] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %335, dense<[10.0, 11.0]> : tensor<2xf32>
  %336 = stablehlo.constant dense<10.0> : tensor<f32>
  %337 = stablehlo.constant dense<10.0> : tensor<f32>
  %338 = stablehlo.reduce(%336 init: %337) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %338, dense<20.0> : tensor<f32>
  %339 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf64>
  %340 = stablehlo.constant dense<10.0> : tensor<f64>
  %341 = stablehlo.reduce(%339 init: %340) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %341, dense<[13.0, 22.0]> : tensor<2xf64>
  %342 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf64>
  %343 = stablehlo.constant dense<10.0> : tensor<f64>
  %344 = stablehlo.reduce(%342 init: %343) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %344, dense<[0.0, 600.0]> : tensor<2xf64>
  %345 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf64>
  %346 = stablehlo.constant dense<10.0> : tensor<f64>
  %347 = stablehlo.reduce(%345 init: %346) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %347, dense<[10.0, 10.0]> : tensor<2xf64>
  %348 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf64>
  %349 = stablehlo.constant dense<10.0> : tensor<f64>
  %350 = stablehlo.reduce(%348 init: %349) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %350, dense<[0.0, 3.0]> : tensor<2xf64>
  %351 = stablehlo.constant dense<> : tensor<0x2xf64>
  %352 = stablehlo.constant dense<10.0> : tensor<f64>
  %353 = stablehlo.reduce(%351 init: %352) applies stablehlo.add across dimensions = [0] : (tensor<0x2xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %353, dense<[10.0, 10.0]> : tensor<2xf64>
  %354 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %355 = stablehlo.constant dense<10.0> : tensor<f64>
  %356 = stablehlo.reduce(%354 init: %355) applies stablehlo.add across dimensions = [] : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %356, dense<[10.0, 11.0]> : tensor<2xf64>
  %357 = stablehlo.constant dense<10.0> : tensor<f64>
  %358 = stablehlo.constant dense<10.0> : tensor<f64>
  %359 = stablehlo.reduce(%357 init: %358) applies stablehlo.add across dimensions = [] : (tensor<f64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %359, dense<20.0> : tensor<f64>
  %360 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xbf16>
  %361 = stablehlo.constant dense<10.0> : tensor<bf16>
  %362 = stablehlo.reduce(%360 init: %361) applies stablehlo.add across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %362, dense<[13.0, 22.0]> : tensor<2xbf16>
  %363 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xbf16>
  %364 = stablehlo.constant dense<10.0> : tensor<bf16>
  %365 = stablehlo.reduce(%363 init: %364) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %365, dense<[0.0, 600.0]> : tensor<2xbf16>
  %366 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xbf16>
  %367 = stablehlo.constant dense<10.0> : tensor<bf16>
  %368 = stablehlo.reduce(%366 init: %367) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %368, dense<[10.0, 10.0]> : tensor<2xbf16>
  %369 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xbf16>
  %370 = stablehlo.constant dense<10.0> : tensor<bf16>
  %371 = stablehlo.reduce(%369 init: %370) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %371, dense<[0.0, 3.0]> : tensor<2xbf16>
  %372 = stablehlo.constant dense<> : tensor<0x2xbf16>
  %373 = stablehlo.constant dense<10.0> : tensor<bf16>
  %374 = stablehlo.reduce(%372 init: %373) applies stablehlo.add across dimensions = [0] : (tensor<0x2xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %374, dense<[10.0, 10.0]> : tensor<2xbf16>
  %375 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xbf16>
  %376 = stablehlo.constant dense<10.0> : tensor<bf16>
  %377 = stablehlo.reduce(%375 init: %376) applies stablehlo.add across dimensions = [] : (tensor<2xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %377, dense<[10.0, 11.0]> : tensor<2xbf16>
  %378 = stablehlo.constant dense<10.0> : tensor<bf16>
  %379 = stablehlo.constant dense<10.0> : tensor<bf16>
  %380 = stablehlo.reduce(%378 init: %379) applies stablehlo.add across dimensions = [] : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %380, dense<20.0> : tensor<bf16>
  %381 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %382 = stablehlo.constant dense<10> : tensor<i32>
  %383 = stablehlo.reduce(%381 init: %382) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %383, dense<[13, 22]> : tensor<2xi32>
  %384 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %385 = stablehlo.constant dense<10> : tensor<i32>
  %386 = stablehlo.reduce(%384 init: %385) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %386, dense<[0, 600]> : tensor<2xi32>
  %387 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %388 = stablehlo.constant dense<10> : tensor<i32>
  %389 = stablehlo.reduce(%387 init: %388) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %389, dense<[10, 10]> : tensor<2xi32>
  %390 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %391 = stablehlo.constant dense<10> : tensor<i32>
  %392 = stablehlo.reduce(%390 init: %391) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %392, dense<[0, 3]> : tensor<2xi32>
  %393 = stablehlo.constant dense<> : tensor<0x2xi32>
  %394 = stablehlo.constant dense<10> : tensor<i32>
  %395 = stablehlo.reduce(%393 init: %394) applies stablehlo.add across dimensions = [0] : (tensor<0x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %395, dense<[10, 10]> : tensor<2xi32>
  %396 = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %397 = stablehlo.constant dense<10> : tensor<i32>
  %398 = stablehlo.reduce(%396 init: %397) applies stablehlo.add across dimensions = [] : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %398, dense<[10, 11]> : tensor<2xi32>
  %399 = stablehlo.constant dense<10> : tensor<i32>
  %400 = stablehlo.constant dense<10> : tensor<i32>
  %401 = stablehlo.reduce(%399 init: %400) applies stablehlo.add across dimensions = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %401, dense<20> : tensor<i32>
  %402 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui8>
  %403 = stablehlo.constant dense<10> : tensor<ui8>
  %404 = stablehlo.reduce(%402 init: %403) applies stablehlo.add across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %404, dense<[13, 22]> : tensor<2xui8>
  %405 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui8>
  %406 = stablehlo.constant dense<10> : tensor<ui8>
  %407 = stablehlo.reduce(%405 init: %406) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %407, dense<[0, 88]> : tensor<2xui8>
  %408 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui8>
  %409 = stablehlo.constant dense<10> : tensor<ui8>
  %410 = stablehlo.reduce(%408 init: %409) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %410, dense<[10, 10]> : tensor<2xui8>
  %411 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui8>
  %412 = stablehlo.constant dense<10> : tensor<ui8>
  %413 = stablehlo.reduce(%411 init: %412) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %413, dense<[0, 3]> : tensor<2xui8>
  %414 = stablehlo.constant dense<> : tensor<0x2xui8>
  %415 = stablehlo.constant dense<10> : tensor<ui8>
  %416 = stablehlo.reduce(%414 init: %415) applies stablehlo.add across dimensions = [0] : (tensor<0x2xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %416, dense<[10, 10]> : tensor<2xui8>
  %417 = stablehlo.constant dense<[0, 1]> : tensor<2xui8>
  %418 = stablehlo.constant dense<10> : tensor<ui8>
  %419 = stablehlo.reduce(%417 init: %418) applies stablehlo.add across dimensions = [] : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %419, dense<[10, 11]> : tensor<2xui8>
  %420 = stablehlo.constant dense<10> : tensor<ui8>
  %421 = stablehlo.constant dense<10> : tensor<ui8>
  %422 = stablehlo.reduce(%420 init: %421) applies stablehlo.add across dimensions = [] : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
  check.expect_eq_const %422, dense<20> : tensor<ui8>
  %423 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %424 = stablehlo.constant dense<[10.0, 10.0]> : tensor<2xf32>
  %425 = stablehlo.slice %424 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %426 = stablehlo.reshape %425 : (tensor<1xf32>) -> tensor<f32>
  %427 = stablehlo.reduce(%423 init: %426) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %427, dense<[70.0, 102.0, 134.0]> : tensor<3xf32>

  // a body of several ops, in generic form
  %428 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %429 = stablehlo.constant dense<0.0> : tensor<f32>
  %430 = "stablehlo.reduce"(%428, %429) <{dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = "stablehlo.abs"(%a) : (tensor<f32>) -> tensor<f32>
    %n = "stablehlo.abs"(%b) : (tensor<f32>) -> tensor<f32>
    %l = "stablehlo.compare"(%m, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %r = "stablehlo.select"(%l, %n, %m) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %430, dense<[[3.0, 7.0, 11.0], [15.0, 19.0, 23.0]]> : tensor<2x3xf32>

  // f32 and i32 together
  %431 = stablehlo.constant dense<[[3.0, 7.0, 1.0, 7.0], [5.0, 5.0, 5.0, 5.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf32>
  %432 = stablehlo.iota dim = 1 : tensor<3x4xi32>
  %433 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %434 = stablehlo.constant dense<0> : tensor<i32>
  %435:2 = stablehlo.reduce(%431 init: %433), (%432 init: %434) across dimensions = [1] : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %gt = stablehlo.compare GT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %first = stablehlo.and %eq, %lt : tensor<i1>
    %take = stablehlo.or %gt, %first : tensor<i1>
    %v = stablehlo.select %gt, %x, %y : tensor<i1>, tensor<f32>
    %n = stablehlo.select %take, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %v, %n : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %435#0, dense<[7.0, 5.0, 3.0]> : tensor<3xf32>
  check.expect_eq_const %435#1, dense<[1, 0, 3]> : tensor<3xi32>

  // f64 and i64 together
  %436 = stablehlo.constant dense<[[3.0, 7.0, 1.0, 7.0], [5.0, 5.0, 5.0, 5.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf64>
  %437 = stablehlo.iota dim = 1 : tensor<3x4xi64>
  %438 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %439 = stablehlo.constant dense<0> : tensor<i64>
  %440:2 = stablehlo.reduce(%436 init: %438), (%437 init: %439) across dimensions = [1] : (tensor<3x4xf64>, tensor<3x4xi64>, tensor<f64>, tensor<i64>) -> (tensor<3xf64>, tensor<3xi64>)
   reducer(%x: tensor<f64>, %y: tensor<f64>) (%i: tensor<i64>, %j: tensor<i64>) {
    %gt = stablehlo.compare GT, %x, %y, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %x, %y, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %lt = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %first = stablehlo.and %eq, %lt : tensor<i1>
    %take = stablehlo.or %gt, %first : tensor<i1>
    %v = stablehlo.select %gt, %x, %y : tensor<i1>, tensor<f64>
    %n = stablehlo.select %take, %i, %j : tensor<i1>, tensor<i64>
    stablehlo.return %v, %n : tensor<f64>, tensor<i64>
  }
  check.expect_eq_const %440#0, dense<[7.0, 5.0, 3.0]> : tensor<3xf64>
  check.expect_eq_const %440#1, dense<[1, 0, 3]> : tensor<3xi64>

  // i32 and ui32 together
  %441 = stablehlo.constant dense<[[3, 7, 1, 7], [5, 5, 5, 5], [0, 1, 2, 3]]> : tensor<3x4xi32>
  %442 = stablehlo.iota dim = 1 : tensor<3x4xui32>
  %443 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %444 = stablehlo.constant dense<0> : tensor<ui32>
  %445:2 = stablehlo.reduce(%441 init: %443), (%442 init: %444) across dimensions = [1] : (tensor<3x4xi32>, tensor<3x4xui32>, tensor<i32>, tensor<ui32>) -> (tensor<3xi32>, tensor<3xui32>)
   reducer(%x: tensor<i32>, %y: tensor<i32>) (%i: tensor<ui32>, %j: tensor<ui32>) {
    %gt = stablehlo.compare GT, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %i, %j, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %first = stablehlo.and %eq, %lt : tensor<i1>
    %take = stablehlo.or %gt, %first : tensor<i1>
    %v = stablehlo.select %gt, %x, %y : tensor<i1>, tensor<i32>
    %n = stablehlo.select %take, %i, %j : tensor<i1>, tensor<ui32>
    stablehlo.return %v, %n : tensor<i32>, tensor<ui32>
  }
  check.expect_eq_const %445#0, dense<[7, 5, 3]> : tensor<3xi32>
  check.expect_eq_const %445#1, dense<[1, 0, 3]> : tensor<3xui32>

  // bf16 and i32 together
  %446 = stablehlo.constant dense<[[3.0, 7.0, 1.0, 7.0], [5.0, 5.0, 5.0, 5.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xbf16>
  %447 = stablehlo.iota dim = 1 : tensor<3x4xi32>
  %448 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %449 = stablehlo.constant dense<0> : tensor<i32>
  %450:2 = stablehlo.reduce(%446 init: %448), (%447 init: %449) across dimensions = [1] : (tensor<3x4xbf16>, tensor<3x4xi32>, tensor<bf16>, tensor<i32>) -> (tensor<3xbf16>, tensor<3xi32>)
   reducer(%x: tensor<bf16>, %y: tensor<bf16>) (%i: tensor<i32>, %j: tensor<i32>) {
    %gt = stablehlo.compare GT, %x, %y, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %x, %y, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %lt = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %first = stablehlo.and %eq, %lt : tensor<i1>
    %take = stablehlo.or %gt, %first : tensor<i1>
    %v = stablehlo.select %gt, %x, %y : tensor<i1>, tensor<bf16>
    %n = stablehlo.select %take, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %v, %n : tensor<bf16>, tensor<i32>
  }
  check.expect_eq_const %450#0, dense<[7.0, 5.0, 3.0]> : tensor<3xbf16>
  check.expect_eq_const %450#1, dense<[1, 0, 3]> : tensor<3xi32>
  return
}
