// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000, 8.0, -27.0, 0.125, 100.0]> : tensor<20xf32>
  %1 = stablehlo.cbrt %0 : tensor<20xf32>
  %2 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.1447142362594604, -1.3572088479995728, 1.4422495365142822, 0.46415889263153076, 6981463572480.0, -6981463572480.0, 2.2737367544323206e-13, 1.119034708375443e-15, -1.119034708375443e-15, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, -3.0, 0.5, 4.6415886878967285]> : tensor<20xf32>
  check.expect_close %1, %2, max_ulp_difference = 1 : tensor<20xf32>, tensor<20xf32>

  // f64
  %3 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 8.0, -27.0, 0.125, 100.0]> : tensor<20xf64>
  %4 = stablehlo.cbrt %3 : tensor<20xf64>
  %5 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.1447142425533319, -1.3572088082974534, 1.4422495703074083, 0.4641588833612779, 5.643803094122362e+102, -5.643803094122362e+102, 2.812644285236262e-103, 1.7031839360032603e-108, -1.7031839360032603e-108, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 2.0, -3.0, 0.5, 4.641588833612779]> : tensor<20xf64>
  check.expect_close %4, %5, max_ulp_difference = 1 : tensor<20xf64>, tensor<20xf64>

  // bf16
  %6 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0, 8.0, -27.0, 0.125, 100.0]> : tensor<20xbf16>
  %7 = stablehlo.cbrt %6 : tensor<20xbf16>
  %8 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.1484375, -1.359375, 1.4453125, 0.46484375, 6975026888704.0, -6975026888704.0, 2.2737367544323206e-13, 4.5075054799781356e-14, -4.5075054799781356e-14, 0x7F80, 0xFF80, 0x7FC0, 2.0, -3.0, 0.5, 4.65625]> : tensor<20xbf16>
  check.expect_close %7, %8, max_ulp_difference = 1 : tensor<20xbf16>, tensor<20xbf16>

  // f16
  %9 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00, 8.0, -27.0, 0.125, 100.0]> : tensor<20xf16>
  %10 = stablehlo.cbrt %9 : tensor<20xf16>
  %11 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.14453125, -1.357421875, 1.4423828125, 0.464111328125, 40.3125, -40.3125, 0.03936767578125, 0.00390625, -0.00390625, 0x7C00, 0xFC00, 0x7E00, 2.0, -3.0, 0.5, 4.640625]> : tensor<20xf16>
  check.expect_close %10, %11, max_ulp_difference = 1 : tensor<20xf16>, tensor<20xf16>

  // rank 0 and no elements
  %12 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %13 = stablehlo.slice %12 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %14 = stablehlo.reshape %13 : (tensor<1xf32>) -> tensor<f32>
  %15 = stablehlo.cbrt %14 : tensor<f32>
  %16 = stablehlo.constant dense<1.0> : tensor<f32>
  check.expect_close %15, %16, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  %17 = stablehlo.constant dense<> : tensor<2x0xf32>
  %18 = stablehlo.cbrt %17 : tensor<2x0xf32>
  check.expect_eq_const %18, dense<> : tensor<2x0xf32>
  return
}
