// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000, 0.5, -0.5, 2.5, 7.0, -6.75, 100.0, -99.5]> : tensor<23xf32>
  %1 = stablehlo.round_nearest_afz %0 : tensor<23xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 3.0, 0.0, 3.4028234663852886e+38, -3.4028234663852886e+38, 0.0, 0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0, -1.0, 3.0, 7.0, -7.0, 100.0, -100.0]> : tensor<23xf32>

  // f64
  %2 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.5, -0.5, 2.5, 7.0, -6.75, 100.0, -99.5]> : tensor<23xf64>
  %3 = stablehlo.round_nearest_afz %2 : tensor<23xf64>
  check.expect_eq_const %3, dense<[0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 3.0, 0.0, 1.7976931348623157e+308, -1.7976931348623157e+308, 0.0, 0.0, -0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0, -1.0, 3.0, 7.0, -7.0, 100.0, -100.0]> : tensor<23xf64>

  // bf16
  %4 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0, 0.5, -0.5, 2.5, 7.0, -6.75, 100.0, -99.5]> : tensor<23xbf16>
  %5 = stablehlo.round_nearest_afz %4 : tensor<23xbf16>
  check.expect_eq_const %5, dense<[0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 3.0, 0.0, 3.3895313892515355e+38, -3.3895313892515355e+38, 0.0, 0.0, -0.0, 0x7F80, 0xFF80, 0x7FC0, 1.0, -1.0, 3.0, 7.0, -7.0, 100.0, -100.0]> : tensor<23xbf16>

  // f16
  %6 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00, 0.5, -0.5, 2.5, 7.0, -6.75, 100.0, -99.5]> : tensor<23xf16>
  %7 = stablehlo.round_nearest_afz %6 : tensor<23xf16>
  check.expect_eq_const %7, dense<[0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 3.0, 0.0, 65504.0, -65504.0, 0.0, 0.0, -0.0, 0x7C00, 0xFC00, 0x7E00, 1.0, -1.0, 3.0, 7.0, -7.0, 100.0, -100.0]> : tensor<23xf16>

  // rank 0 and no elements
  %8 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %9 = stablehlo.slice %8 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
  %11 = stablehlo.round_nearest_afz %10 : tensor<f32>
  check.expect_eq_const %11, dense<1.0> : tensor<f32>
  %12 = stablehlo.constant dense<> : tensor<2x0xf32>
  %13 = stablehlo.round_nearest_afz %12 : tensor<2x0xf32>
  check.expect_eq_const %13, dense<> : tensor<2x0xf32>
  return
}
