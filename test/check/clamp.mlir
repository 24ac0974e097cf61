// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.constant dense<[-1.5, -1.5]> : tensor<2xf32>
  %2 = stablehlo.slice %1 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
  %4 = stablehlo.constant dense<[2.0, 2.0]> : tensor<2xf32>
  %5 = stablehlo.slice %4 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %6 = stablehlo.reshape %5 : (tensor<1xf32>) -> tensor<f32>
  %7 = stablehlo.clamp %3, %0, %6 : (tensor<f32>, tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  check.expect_eq_const %7, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -1.5, 2.0, 0.10000000149011612, 2.0, -1.5, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 2.0, -1.5, 0x7FC00000]> : tensor<16xf32>
  %8 = stablehlo.constant dense<[-0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0]> : tensor<16xf32>
  %9 = stablehlo.constant dense<[1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0]> : tensor<16xf32>
  %10 = stablehlo.clamp %8, %0, %9 : tensor<16xf32>
  check.expect_eq_const %10, dense<[0.0, -1.0, 1.0, -2.5, 1.5, 0.10000000149011612, 3.0, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 1.401298464324817e-45, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<16xf32>

  // f64
  %11 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %12 = stablehlo.constant dense<[-1.5, -1.5]> : tensor<2xf64>
  %13 = stablehlo.slice %12 [0:1] : (tensor<2xf64>) -> tensor<1xf64>
  %14 = stablehlo.reshape %13 : (tensor<1xf64>) -> tensor<f64>
  %15 = stablehlo.constant dense<[2.0, 2.0]> : tensor<2xf64>
  %16 = stablehlo.slice %15 [0:1] : (tensor<2xf64>) -> tensor<1xf64>
  %17 = stablehlo.reshape %16 : (tensor<1xf64>) -> tensor<f64>
  %18 = stablehlo.clamp %14, %11, %17 : (tensor<f64>, tensor<16xf64>, tensor<f64>) -> tensor<16xf64>
  check.expect_eq_const %18, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -1.5, 2.0, 0.1, 2.0, -1.5, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 2.0, -1.5, 0x7FF8000000000000]> : tensor<16xf64>
  %19 = stablehlo.constant dense<[-0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0]> : tensor<16xf64>
  %20 = stablehlo.constant dense<[1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0]> : tensor<16xf64>
  %21 = stablehlo.clamp %19, %11, %20 : tensor<16xf64>
  check.expect_eq_const %21, dense<[0.0, -1.0, 1.0, -2.5, 1.5, 0.1, 3.0, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 5.0e-324, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<16xf64>

  // bf16
  %22 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %23 = stablehlo.constant dense<[-1.5, -1.5]> : tensor<2xbf16>
  %24 = stablehlo.slice %23 [0:1] : (tensor<2xbf16>) -> tensor<1xbf16>
  %25 = stablehlo.reshape %24 : (tensor<1xbf16>) -> tensor<bf16>
  %26 = stablehlo.constant dense<[2.0, 2.0]> : tensor<2xbf16>
  %27 = stablehlo.slice %26 [0:1] : (tensor<2xbf16>) -> tensor<1xbf16>
  %28 = stablehlo.reshape %27 : (tensor<1xbf16>) -> tensor<bf16>
  %29 = stablehlo.clamp %25, %22, %28 : (tensor<bf16>, tensor<16xbf16>, tensor<bf16>) -> tensor<16xbf16>
  check.expect_eq_const %29, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -1.5, 2.0, 0.10009765625, 2.0, -1.5, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 2.0, -1.5, 0x7FC0]> : tensor<16xbf16>
  %30 = stablehlo.constant dense<[-0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0, 0.0]> : tensor<16xbf16>
  %31 = stablehlo.constant dense<[1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0, 0.0, -0.0]> : tensor<16xbf16>
  %32 = stablehlo.clamp %30, %22, %31 : tensor<16xbf16>
  check.expect_eq_const %32, dense<[0.0, -1.0, 1.0, -2.5, 1.5, 0.10009765625, 3.0, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 9.183549615799121e-41, 0xFF80, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<16xbf16>

  // f16
  %33 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %34 = stablehlo.constant dense<[-1.5, -1.5]> : tensor<2xf16>
  %35 = stablehlo.slice %34 [0:1] : (tensor<2xf16>) -> tensor<1xf16>
  %36 = stablehlo.reshape %35 : (tensor<1xf16>) -> tensor<f16>
  %37 = stablehlo.constant dense<[2.0, 2.0]> : tensor<2xf16>
  %38 = stablehlo.slice %37 [0:1] : (tensor<2xf16>) -> tensor<1xf16>
  %39 = stablehlo.reshape %38 : (tensor<1xf16>) -> tensor<f16>
  %40 = stablehlo.clamp %36, %33, %39 : (tensor<f16>, tensor<16xf16>, tensor<f16>) -> tensor<16xf16>
  check.expect_eq_const %40, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -1.5, 2.0, 0.0999755859375, 2.0, -1.5, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 2.0, -1.5, 0x7E00]> : tensor<16xf16>
  %41 = stablehlo.constant dense<[-0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00, 0.0]> : tensor<16xf16>
  %42 = stablehlo.constant dense<[1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00, 0.0, -0.0]> : tensor<16xf16>
  %43 = stablehlo.clamp %41, %33, %42 : tensor<16xf16>
  check.expect_eq_const %43, dense<[0.0, -1.0, 1.0, -2.5, 1.5, 0.0999755859375, 3.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 5.960464477539063e-08, 0xFC00, 0x7E00, 0x7E00, 0x7E00]> : tensor<16xf16>

  // i8
  %44 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %45 = stablehlo.constant dense<[1, 1]> : tensor<2xi8>
  %46 = stablehlo.slice %45 [0:1] : (tensor<2xi8>) -> tensor<1xi8>
  %47 = stablehlo.reshape %46 : (tensor<1xi8>) -> tensor<i8>
  %48 = stablehlo.constant dense<[3, 3]> : tensor<2xi8>
  %49 = stablehlo.slice %48 [0:1] : (tensor<2xi8>) -> tensor<1xi8>
  %50 = stablehlo.reshape %49 : (tensor<1xi8>) -> tensor<i8>
  %51 = stablehlo.clamp %47, %44, %50 : (tensor<i8>, tensor<12xi8>, tensor<i8>) -> tensor<12xi8>
  check.expect_eq_const %51, dense<[1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3]> : tensor<12xi8>
  %52 = stablehlo.constant dense<[-127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127, -128]> : tensor<12xi8>
  %53 = stablehlo.constant dense<[-7, -2, -1, 0, 1, 2, 3, 10, 126, 127, -128, -127]> : tensor<12xi8>
  %54 = stablehlo.clamp %52, %44, %53 : tensor<12xi8>
  check.expect_eq_const %54, dense<[-127, -7, -2, -1, 0, 1, 2, 3, 10, 126, -128, -127]> : tensor<12xi8>

  // i16
  %55 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %56 = stablehlo.constant dense<[1, 1]> : tensor<2xi16>
  %57 = stablehlo.slice %56 [0:1] : (tensor<2xi16>) -> tensor<1xi16>
  %58 = stablehlo.reshape %57 : (tensor<1xi16>) -> tensor<i16>
  %59 = stablehlo.constant dense<[3, 3]> : tensor<2xi16>
  %60 = stablehlo.slice %59 [0:1] : (tensor<2xi16>) -> tensor<1xi16>
  %61 = stablehlo.reshape %60 : (tensor<1xi16>) -> tensor<i16>
  %62 = stablehlo.clamp %58, %55, %61 : (tensor<i16>, tensor<12xi16>, tensor<i16>) -> tensor<12xi16>
  check.expect_eq_const %62, dense<[1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3]> : tensor<12xi16>
  %63 = stablehlo.constant dense<[-32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767, -32768]> : tensor<12xi16>
  %64 = stablehlo.constant dense<[-7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767, -32768, -32767]> : tensor<12xi16>
  %65 = stablehlo.clamp %63, %55, %64 : tensor<12xi16>
  check.expect_eq_const %65, dense<[-32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, -32768, -32767]> : tensor<12xi16>

  // i32
  %66 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %67 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %68 = stablehlo.slice %67 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %69 = stablehlo.reshape %68 : (tensor<1xi32>) -> tensor<i32>
  %70 = stablehlo.constant dense<[3, 3]> : tensor<2xi32>
  %71 = stablehlo.slice %70 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %72 = stablehlo.reshape %71 : (tensor<1xi32>) -> tensor<i32>
  %73 = stablehlo.clamp %69, %66, %72 : (tensor<i32>, tensor<12xi32>, tensor<i32>) -> tensor<12xi32>
  check.expect_eq_const %73, dense<[1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3]> : tensor<12xi32>
  %74 = stablehlo.constant dense<[-2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647, -2147483648]> : tensor<12xi32>
  %75 = stablehlo.constant dense<[-7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647, -2147483648, -2147483647]> : tensor<12xi32>
  %76 = stablehlo.clamp %74, %66, %75 : tensor<12xi32>
  check.expect_eq_const %76, dense<[-2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, -2147483648, -2147483647]> : tensor<12xi32>

  // i64
  %77 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %78 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %79 = stablehlo.slice %78 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %80 = stablehlo.reshape %79 : (tensor<1xi64>) -> tensor<i64>
  %81 = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
  %82 = stablehlo.slice %81 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %83 = stablehlo.reshape %82 : (tensor<1xi64>) -> tensor<i64>
  %84 = stablehlo.clamp %80, %77, %83 : (tensor<i64>, tensor<12xi64>, tensor<i64>) -> tensor<12xi64>
  check.expect_eq_const %84, dense<[1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3]> : tensor<12xi64>
  %85 = stablehlo.constant dense<[-9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807, -9223372036854775808]> : tensor<12xi64>
  %86 = stablehlo.constant dense<[-7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807, -9223372036854775808, -9223372036854775807]> : tensor<12xi64>
  %87 = stablehlo.clamp %85, %77, %86 : tensor<12xi64>
  check.expect_eq_const %87, dense<[-9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, -9223372036854775808, -9223372036854775807]> : tensor<12xi64>

  // ui8
  %88 = stablehlo.constant dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  %89 = stablehlo.constant dense<[1, 1]> : tensor<2xui8>
  %90 = stablehlo.slice %89 [0:1] : (tensor<2xui8>) -> tensor<1xui8>
  %91 = stablehlo.reshape %90 : (tensor<1xui8>) -> tensor<ui8>
  %92 = stablehlo.constant dense<[3, 3]> : tensor<2xui8>
  %93 = stablehlo.slice %92 [0:1] : (tensor<2xui8>) -> tensor<1xui8>
  %94 = stablehlo.reshape %93 : (tensor<1xui8>) -> tensor<ui8>
  %95 = stablehlo.clamp %91, %88, %94 : (tensor<ui8>, tensor<7xui8>, tensor<ui8>) -> tensor<7xui8>
  check.expect_eq_const %95, dense<[1, 1, 2, 3, 3, 3, 3]> : tensor<7xui8>
  %96 = stablehlo.constant dense<[1, 2, 3, 10, 254, 255, 0]> : tensor<7xui8>
  %97 = stablehlo.constant dense<[2, 3, 10, 254, 255, 0, 1]> : tensor<7xui8>
  %98 = stablehlo.clamp %96, %88, %97 : tensor<7xui8>
  check.expect_eq_const %98, dense<[1, 2, 3, 10, 254, 0, 1]> : tensor<7xui8>

  // ui16
  %99 = stablehlo.constant dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  %100 = stablehlo.constant dense<[1, 1]> : tensor<2xui16>
  %101 = stablehlo.slice %100 [0:1] : (tensor<2xui16>) -> tensor<1xui16>
  %102 = stablehlo.reshape %101 : (tensor<1xui16>) -> tensor<ui16>
  %103 = stablehlo.constant dense<[3, 3]> : tensor<2xui16>
  %104 = stablehlo.slice %103 [0:1] : (tensor<2xui16>) -> tensor<1xui16>
  %105 = stablehlo.reshape %104 : (tensor<1xui16>) -> tensor<ui16>
  %106 = stablehlo.clamp %102, %99, %105 : (tensor<ui16>, tensor<7xui16>, tensor<ui16>) -> tensor<7xui16>
  check.expect_eq_const %106, dense<[1, 1, 2, 3, 3, 3, 3]> : tensor<7xui16>
  %107 = stablehlo.constant dense<[1, 2, 3, 10, 65534, 65535, 0]> : tensor<7xui16>
  %108 = stablehlo.constant dense<[2, 3, 10, 65534, 65535, 0, 1]> : tensor<7xui16>
  %109 = stablehlo.clamp %107, %99, %108 : tensor<7xui16>
  check.expect_eq_const %109, dense<[1, 2, 3, 10, 65534, 0, 1]> : tensor<7xui16>

  // ui32
  %110 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %111 = stablehlo.constant dense<[1, 1]> : tensor<2xui32>
  %112 = stablehlo.slice %111 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %113 = stablehlo.reshape %112 : (tensor<1xui32>) -> tensor<ui32>
  %114 = stablehlo.constant dense<[3, 3]> : tensor<2xui32>
  %115 = stablehlo.slice %114 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %116 = stablehlo.reshape %115 : (tensor<1xui32>) -> tensor<ui32>
  %117 = stablehlo.clamp %113, %110, %116 : (tensor<ui32>, tensor<7xui32>, tensor<ui32>) -> tensor<7xui32>
  check.expect_eq_const %117, dense<[1, 1, 2, 3, 3, 3, 3]> : tensor<7xui32>
  %118 = stablehlo.constant dense<[1, 2, 3, 10, 4294967294, 4294967295, 0]> : tensor<7xui32>
  %119 = stablehlo.constant dense<[2, 3, 10, 4294967294, 4294967295, 0, 1]> : tensor<7xui32>
  %120 = stablehlo.clamp %118, %110, %119 : tensor<7xui32>
  check.expect_eq_const %120, dense<[1, 2, 3, 10, 4294967294, 0, 1]> : tensor<7xui32>

  // ui64
  %121 = stablehlo.constant dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  %122 = stablehlo.constant dense<[1, 1]> : tensor<2xui64>
  %123 = stablehlo.slice %122 [0:1] : (tensor<2xui64>) -> tensor<1xui64>
  %124 = stablehlo.reshape %123 : (tensor<1xui64>) -> tensor<ui64>
  %125 = stablehlo.constant dense<[3, 3]> : tensor<2xui64>
  %126 = stablehlo.slice %125 [0:1] : (tensor<2xui64>) -> tensor<1xui64>
  %127 = stablehlo.reshape %126 : (tensor<1xui64>) -> tensor<ui64>
  %128 = stablehlo.clamp %124, %121, %127 : (tensor<ui64>, tensor<7xui64>, tensor<ui64>) -> tensor<7xui64>
  check.expect_eq_const %128, dense<[1, 1, 2, 3, 3, 3, 3]> : tensor<7xui64>
  %129 = stablehlo.constant dense<[1, 2, 3, 10, 18446744073709551614, 18446744073709551615, 0]> : tensor<7xui64>
  %130 = stablehlo.constant dense<[2, 3, 10, 18446744073709551614, 18446744073709551615, 0, 1]> : tensor<7xui64>
  %131 = stablehlo.clamp %129, %121, %130 : tensor<7xui64>
  check.expect_eq_const %131, dense<[1, 2, 3, 10, 18446744073709551614, 0, 1]> : tensor<7xui64>

  // i1
  %132 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %133 = stablehlo.constant dense<[false, false]> : tensor<2xi1>
  %134 = stablehlo.slice %133 [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  %135 = stablehlo.reshape %134 : (tensor<1xi1>) -> tensor<i1>
  %136 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %137 = stablehlo.slice %136 [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  %138 = stablehlo.reshape %137 : (tensor<1xi1>) -> tensor<i1>
  %139 = stablehlo.clamp %135, %132, %138 : (tensor<i1>, tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %139, dense<[false, true]> : tensor<2xi1>
  %140 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %141 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %142 = stablehlo.clamp %140, %132, %141 : tensor<2xi1>
  check.expect_eq_const %142, dense<[false, true]> : tensor<2xi1>

  // rank 0
  %143 = stablehlo.constant dense<[0.0, 0.0]> : tensor<2xf32>
  %144 = stablehlo.slice %143 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %145 = stablehlo.reshape %144 : (tensor<1xf32>) -> tensor<f32>
  %146 = stablehlo.constant dense<[7.0, 7.0]> : tensor<2xf32>
  %147 = stablehlo.slice %146 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %148 = stablehlo.reshape %147 : (tensor<1xf32>) -> tensor<f32>
  %149 = stablehlo.constant dense<[6.0, 6.0]> : tensor<2xf32>
  %150 = stablehlo.slice %149 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %151 = stablehlo.reshape %150 : (tensor<1xf32>) -> tensor<f32>
  %152 = stablehlo.clamp %145, %148, %151 : tensor<f32>
  check.expect_eq_const %152, dense<6.0> : tensor<f32>
  return
}
