// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.negate %0 : tensor<16xf32>
  check.expect_eq_const %1, dense<[-0.0, 0.0, -1.0, 1.0, -1.5, 2.5, -3.0, -0.10000000149011612, -3.4028234663852886e+38, 3.4028234663852886e+38, -1.1754943508222875e-38, -1.401298464324817e-45, 1.401298464324817e-45, 0xFF800000, 0x7F800000, 0xFFC00000]> : tensor<16xf32>

  // f64
  %2 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %3 = stablehlo.negate %2 : tensor<16xf64>
  check.expect_eq_const %3, dense<[-0.0, 0.0, -1.0, 1.0, -1.5, 2.5, -3.0, -0.1, -1.7976931348623157e+308, 1.7976931348623157e+308, -2.2250738585072014e-308, -5.0e-324, 5.0e-324, 0xFFF0000000000000, 0x7FF0000000000000, 0xFFF8000000000000]> : tensor<16xf64>

  // bf16
  %4 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %5 = stablehlo.negate %4 : tensor<16xbf16>
  check.expect_eq_const %5, dense<[-0.0, 0.0, -1.0, 1.0, -1.5, 2.5, -3.0, -0.10009765625, -3.3895313892515355e+38, 3.3895313892515355e+38, -1.1754943508222875e-38, -9.183549615799121e-41, 9.183549615799121e-41, 0xFF80, 0x7F80, 0xFFC0]> : tensor<16xbf16>

  // f16
  %6 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %7 = stablehlo.negate %6 : tensor<16xf16>
  check.expect_eq_const %7, dense<[-0.0, 0.0, -1.0, 1.0, -1.5, 2.5, -3.0, -0.0999755859375, -65504.0, 65504.0, -6.103515625e-05, -5.960464477539063e-08, 5.960464477539063e-08, 0xFC00, 0x7C00, 0xFE00]> : tensor<16xf16>

  // i8
  %8 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %9 = stablehlo.negate %8 : tensor<12xi8>
  check.expect_eq_const %9, dense<[-128, 127, 7, 2, 1, 0, -1, -2, -3, -10, -126, -127]> : tensor<12xi8>

  // i16
  %10 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %11 = stablehlo.negate %10 : tensor<12xi16>
  check.expect_eq_const %11, dense<[-32768, 32767, 7, 2, 1, 0, -1, -2, -3, -10, -32766, -32767]> : tensor<12xi16>

  // i32
  %12 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %13 = stablehlo.negate %12 : tensor<12xi32>
  check.expect_eq_const %13, dense<[-2147483648, 2147483647, 7, 2, 1, 0, -1, -2, -3, -10, -2147483646, -2147483647]> : tensor<12xi32>

  // i64
  %14 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %15 = stablehlo.negate %14 : tensor<12xi64>
  check.expect_eq_const %15, dense<[-9223372036854775808, 9223372036854775807, 7, 2, 1, 0, -1, -2, -3, -10, -9223372036854775806, -9223372036854775807]> : tensor<12xi64>

  // ui8
  %16 = stablehlo.constant dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  %17 = stablehlo.negate %16 : tensor<7xui8>
  check.expect_eq_const %17, dense<[0, 255, 254, 253, 246, 2, 1]> : tensor<7xui8>

  // ui16
  %18 = stablehlo.constant dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  %19 = stablehlo.negate %18 : tensor<7xui16>
  check.expect_eq_const %19, dense<[0, 65535, 65534, 65533, 65526, 2, 1]> : tensor<7xui16>

  // ui32
  %20 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %21 = stablehlo.negate %20 : tensor<7xui32>
  check.expect_eq_const %21, dense<[0, 4294967295, 4294967294, 4294967293, 4294967286, 2, 1]> : tensor<7xui32>

  // ui64
  %22 = stablehlo.constant dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  %23 = stablehlo.negate %22 : tensor<7xui64>
  check.expect_eq_const %23, dense<[0, 18446744073709551615, 18446744073709551614, 18446744073709551613, 18446744073709551606, 2, 1]> : tensor<7xui64>

  // rank 0 and no elements
  %24 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %25 = stablehlo.slice %24 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %26 = stablehlo.reshape %25 : (tensor<1xf32>) -> tensor<f32>
  %27 = stablehlo.negate %26 : tensor<f32>
  check.expect_eq_const %27, dense<-1.0> : tensor<f32>
  %28 = stablehlo.constant dense<> : tensor<2x0xf32>
  %29 = stablehlo.negate %28 : tensor<2x0xf32>
  check.expect_eq_const %29, dense<> : tensor<2x0xf32>

  // sign bits of f32
  %30 = stablehlo.constant dense<[0.0, -0.0, 0x7FC00000, 0xFFC00000, 2.0, -2.0]> : tensor<6xf32>
  %31 = stablehlo.negate %30 : tensor<6xf32>
  %32 = stablehlo.constant dense<[-0.0, 0.0, 0xFFC00000, 0x7FC00000, -2.0, 2.0]> : tensor<6xf32>
  %33 = stablehlo.compare EQ, %31, %32, TOTALORDER : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  check.expect_eq_const %33, dense<[true, true, true, true, true, true]> : tensor<6xi1>

  // sign bits of f64
  %34 = stablehlo.constant dense<[0.0, -0.0, 0x7FF8000000000000, 0xFFF8000000000000, 2.0, -2.0]> : tensor<6xf64>
  %35 = stablehlo.negate %34 : tensor<6xf64>
  %36 = stablehlo.constant dense<[-0.0, 0.0, 0xFFF8000000000000, 0x7FF8000000000000, -2.0, 2.0]> : tensor<6xf64>
  %37 = stablehlo.compare EQ, %35, %36, TOTALORDER : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xi1>
  check.expect_eq_const %37, dense<[true, true, true, true, true, true]> : tensor<6xi1>

  // sign bits of bf16
  %38 = stablehlo.constant dense<[0.0, -0.0, 0x7FC0, 0xFFC0, 2.0, -2.0]> : tensor<6xbf16>
  %39 = stablehlo.negate %38 : tensor<6xbf16>
  %40 = stablehlo.constant dense<[-0.0, 0.0, 0xFFC0, 0x7FC0, -2.0, 2.0]> : tensor<6xbf16>
  %41 = stablehlo.compare EQ, %39, %40, TOTALORDER : (tensor<6xbf16>, tensor<6xbf16>) -> tensor<6xi1>
  check.expect_eq_const %41, dense<[true, true, true, true, true, true]> : tensor<6xi1>

  // sign bits of f16
  %42 = stablehlo.constant dense<[0.0, -0.0, 0x7E00, 0xFE00, 2.0, -2.0]> : tensor<6xf16>
  %43 = stablehlo.negate %42 : tensor<6xf16>
  %44 = stablehlo.constant dense<[-0.0, 0.0, 0xFE00, 0x7E00, -2.0, 2.0]> : tensor<6xf16>
  %45 = stablehlo.compare EQ, %43, %44, TOTALORDER : (tensor<6xf16>, tensor<6xf16>) -> tensor<6xi1>
  check.expect_eq_const %45, dense<[true, true, true, true, true, true]> : tensor<6xi1>
  return
}
