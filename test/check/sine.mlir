// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 3.140625, -1.5703125, 10.0, -100.0, 1000.0, 0.0010000000474974513, 1.401298464324817e-45, -1.1754943508222875e-38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<18xf32>
  %1 = stablehlo.sine %0 : tensor<18xf32>
  %2 = stablehlo.constant dense<[0.0, -0.0, 0.8414709568023682, -0.8414709568023682, 0.4794255495071411, 0.9092974066734314, 0.14112000167369843, 0.0009676534100435674, -0.9999998807907104, -0.5440211296081543, 0.5063656568527222, 0.8268795609474182, 0.0009999999310821295, 1.401298464324817e-45, -1.1754943508222875e-38, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<18xf32>
  check.expect_close %1, %2, max_ulp_difference = 1 : tensor<18xf32>, tensor<18xf32>

  // f64
  %3 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 3.140625, -1.5703125, 10.0, -100.0, 1000.0, 0.001, 5.0e-324, -2.2250738585072014e-308, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<18xf64>
  %4 = stablehlo.sine %3 : tensor<18xf64>
  %5 = stablehlo.constant dense<[0.0, -0.0, 0.8414709848078965, -0.8414709848078965, 0.479425538604203, 0.9092974268256817, 0.1411200080598672, 0.0009676534387822795, -0.9999998829558185, -0.5440211108893698, 0.5063656411097588, 0.8268795405320025, 0.0009999998333333417, 5.0e-324, -2.2250738585072014e-308, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<18xf64>
  check.expect_close %4, %5, max_ulp_difference = 1 : tensor<18xf64>, tensor<18xf64>

  // bf16
  %6 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 3.140625, -1.5703125, 10.0, -100.0, 1000.0, 0.00099945068359375, 9.183549615799121e-41, -1.1754943508222875e-38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<18xbf16>
  %7 = stablehlo.sine %6 : tensor<18xbf16>
  %8 = stablehlo.constant dense<[0.0, -0.0, 0.83984375, -0.83984375, 0.478515625, 0.91015625, 0.1416015625, 0.00096893310546875, -1.0, -0.54296875, 0.5078125, 0.828125, 0.00099945068359375, 9.183549615799121e-41, -1.1754943508222875e-38, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<18xbf16>
  check.expect_close %7, %8, max_ulp_difference = 1 : tensor<18xbf16>, tensor<18xbf16>

  // f16
  %9 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 3.140625, -1.5703125, 10.0, -100.0, 1000.0, 0.0010004043579101562, 5.960464477539063e-08, -6.103515625e-05, 0x7C00, 0xFC00, 0x7E00]> : tensor<18xf16>
  %10 = stablehlo.sine %9 : tensor<18xf16>
  %11 = stablehlo.constant dense<[0.0, -0.0, 0.84130859375, -0.84130859375, 0.4794921875, 0.9091796875, 0.14111328125, 0.0009675025939941406, -1.0, -0.5439453125, 0.50634765625, 0.82666015625, 0.0010004043579101562, 5.960464477539063e-08, -6.103515625e-05, 0x7E00, 0x7E00, 0x7E00]> : tensor<18xf16>
  check.expect_close %10, %11, max_ulp_difference = 1 : tensor<18xf16>, tensor<18xf16>

  // rank 0 and no elements
  %12 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %13 = stablehlo.slice %12 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %14 = stablehlo.reshape %13 : (tensor<1xf32>) -> tensor<f32>
  %15 = stablehlo.sine %14 : tensor<f32>
  %16 = stablehlo.constant dense<0.8414709568023682> : tensor<f32>
  check.expect_close %15, %16, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  %17 = stablehlo.constant dense<> : tensor<2x0xf32>
  %18 = stablehlo.sine %17 : tensor<2x0xf32>
  check.expect_eq_const %18, dense<> : tensor<2x0xf32>
  return
}
