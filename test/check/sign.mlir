// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.sign %0 : tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, 0x7FC00000]> : tensor<16xf32>

  // f64
  %2 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %3 = stablehlo.sign %2 : tensor<16xf64>
  check.expect_eq_const %3, dense<[0.0, -0.0, 1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, 0x7FF8000000000000]> : tensor<16xf64>

  // bf16
  %4 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %5 = stablehlo.sign %4 : tensor<16xbf16>
  check.expect_eq_const %5, dense<[0.0, -0.0, 1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, 0x7FC0]> : tensor<16xbf16>

  // f16
  %6 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %7 = stablehlo.sign %6 : tensor<16xf16>
  check.expect_eq_const %7, dense<[0.0, -0.0, 1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, 0x7E00]> : tensor<16xf16>

  // i8
  %8 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %9 = stablehlo.sign %8 : tensor<12xi8>
  check.expect_eq_const %9, dense<[-1, -1, -1, -1, -1, 0, 1, 1, 1, 1, 1, 1]> : tensor<12xi8>

  // i16
  %10 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %11 = stablehlo.sign %10 : tensor<12xi16>
  check.expect_eq_const %11, dense<[-1, -1, -1, -1, -1, 0, 1, 1, 1, 1, 1, 1]> : tensor<12xi16>

  // i32
  %12 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %13 = stablehlo.sign %12 : tensor<12xi32>
  check.expect_eq_const %13, dense<[-1, -1, -1, -1, -1, 0, 1, 1, 1, 1, 1, 1]> : tensor<12xi32>

  // i64
  %14 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %15 = stablehlo.sign %14 : tensor<12xi64>
  check.expect_eq_const %15, dense<[-1, -1, -1, -1, -1, 0, 1, 1, 1, 1, 1, 1]> : tensor<12xi64>

  // rank 0 and no elements
  %16 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %17 = stablehlo.slice %16 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %18 = stablehlo.reshape %17 : (tensor<1xf32>) -> tensor<f32>
  %19 = stablehlo.sign %18 : tensor<f32>
  check.expect_eq_const %19, dense<1.0> : tensor<f32>
  %20 = stablehlo.constant dense<> : tensor<2x0xf32>
  %21 = stablehlo.sign %20 : tensor<2x0xf32>
  check.expect_eq_const %21, dense<> : tensor<2x0xf32>
  return
}
