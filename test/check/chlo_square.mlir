// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = chlo.square %0 : tensor<16xf32> -> tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, 1.0, 2.25, 6.25, 9.0, 0.010000000707805157, 0x7F800000, 0x7F800000, 0.0, 0.0, 0.0, 0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<16xf32>

  // f64
  %2 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %3 = chlo.square %2 : tensor<16xf64> -> tensor<16xf64>
  check.expect_eq_const %3, dense<[0.0, 0.0, 1.0, 1.0, 2.25, 6.25, 9.0, 0.010000000000000002, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 0.0, 0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>

  // bf16
  %4 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %5 = chlo.square %4 : tensor<16xbf16> -> tensor<16xbf16>
  check.expect_eq_const %5, dense<[0.0, 0.0, 1.0, 1.0, 2.25, 6.25, 9.0, 0.010009765625, 0x7F80, 0x7F80, 0.0, 0.0, 0.0, 0x7F80, 0x7F80, 0x7FC0]> : tensor<16xbf16>

  // f16
  %6 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %7 = chlo.square %6 : tensor<16xf16> -> tensor<16xf16>
  check.expect_eq_const %7, dense<[0.0, 0.0, 1.0, 1.0, 2.25, 6.25, 9.0, 0.0099945068359375, 0x7C00, 0x7C00, 0.0, 0.0, 0.0, 0x7C00, 0x7C00, 0x7E00]> : tensor<16xf16>

  // i8
  %8 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %9 = chlo.square %8 : tensor<12xi8> -> tensor<12xi8>
  check.expect_eq_const %9, dense<[0, 1, 49, 4, 1, 0, 1, 4, 9, 100, 4, 1]> : tensor<12xi8>

  // i16
  %10 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %11 = chlo.square %10 : tensor<12xi16> -> tensor<12xi16>
  check.expect_eq_const %11, dense<[0, 1, 49, 4, 1, 0, 1, 4, 9, 100, 4, 1]> : tensor<12xi16>

  // i32
  %12 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %13 = chlo.square %12 : tensor<12xi32> -> tensor<12xi32>
  check.expect_eq_const %13, dense<[0, 1, 49, 4, 1, 0, 1, 4, 9, 100, 4, 1]> : tensor<12xi32>

  // i64
  %14 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %15 = chlo.square %14 : tensor<12xi64> -> tensor<12xi64>
  check.expect_eq_const %15, dense<[0, 1, 49, 4, 1, 0, 1, 4, 9, 100, 4, 1]> : tensor<12xi64>

  // ui8
  %16 = stablehlo.constant dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  %17 = chlo.square %16 : tensor<7xui8> -> tensor<7xui8>
  check.expect_eq_const %17, dense<[0, 1, 4, 9, 100, 4, 1]> : tensor<7xui8>

  // ui16
  %18 = stablehlo.constant dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  %19 = chlo.square %18 : tensor<7xui16> -> tensor<7xui16>
  check.expect_eq_const %19, dense<[0, 1, 4, 9, 100, 4, 1]> : tensor<7xui16>

  // ui32
  %20 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %21 = chlo.square %20 : tensor<7xui32> -> tensor<7xui32>
  check.expect_eq_const %21, dense<[0, 1, 4, 9, 100, 4, 1]> : tensor<7xui32>

  // ui64
  %22 = stablehlo.constant dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  %23 = chlo.square %22 : tensor<7xui64> -> tensor<7xui64>
  check.expect_eq_const %23, dense<[0, 1, 4, 9, 100, 4, 1]> : tensor<7xui64>

  // rank 0 and no elements
  %24 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %25 = stablehlo.slice %24 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %26 = stablehlo.reshape %25 : (tensor<1xf32>) -> tensor<f32>
  %27 = chlo.square %26 : tensor<f32> -> tensor<f32>
  check.expect_eq_const %27, dense<1.0> : tensor<f32>
  %28 = stablehlo.constant dense<> : tensor<2x0xf32>
  %29 = chlo.square %28 : tensor<2x0xf32> -> tensor<2x0xf32>
  check.expect_eq_const %29, dense<> : tensor<2x0xf32>
  return
}
