// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 0.9900000095367432, 1.0099999904632568, 10.0, 1000.0, 0.0010000000474974513, 3.4028234663852886e+38, 1.401298464324817e-45, 1.1754943508222875e-38, 9.80908925027372e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<20xf32>
  %1 = stablehlo.log %0 : tensor<20xf32>
  %2 = stablehlo.constant dense<[0xFF800000, 0xFF800000, 0.0, 0x7FC00000, -0.6931471824645996, 0.6931471824645996, 1.0986123085021973, -0.010050326585769653, 0.009950321167707443, 2.3025851249694824, 6.907755374908447, -6.907755374908447, 88.72283935546875, -103.2789306640625, -87.3365478515625, -101.33302307128906, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<20xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<20xf32>, tensor<20xf32>

  // f64
  %3 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 0.99, 1.01, 10.0, 1000.0, 0.001, 1.7976931348623157e+308, 5.0e-324, 2.2250738585072014e-308, 3.5e-323, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<20xf64>
  %4 = stablehlo.log %3 : tensor<20xf64>
  %5 = stablehlo.constant dense<[0xFFF0000000000000, 0xFFF0000000000000, 0.0, 0x7FF8000000000000, -0.6931471805599453, 0.6931471805599453, 1.0986122886681098, -0.01005033585350145, 0.009950330853168092, 2.302585092994046, 6.907755278982137, -6.907755278982137, 709.782712893384, -744.4400719213812, -708.3964185322641, -742.4941617723259, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<20xf64>
  check.expect_close %4, %5, max_ulp_difference = 1 : tensor<20xf64>, tensor<20xf64>

  // bf16
  %6 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 0.98828125, 1.0078125, 10.0, 1000.0, 0.00099945068359375, 3.3895313892515355e+38, 9.183549615799121e-41, 1.1754943508222875e-38, 6.428484731059385e-40, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<20xbf16>
  %7 = stablehlo.log %6 : tensor<20xbf16>
  %8 = stablehlo.constant dense<[0xFF80, 0xFF80, 0.0, 0x7FC0, -0.69140625, 0.69140625, 1.1015625, -0.01177978515625, 0.007781982421875, 2.296875, 6.90625, -6.90625, 88.5, -92.0, -87.5, -90.0, 0x7FC0, 0x7F80, 0x7FC0, 0x7FC0]> : tensor<20xbf16>
  check.expect_close %7, %8, max_ulp_difference = 1 : tensor<20xbf16>, tensor<20xbf16>

  // f16
  %9 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 0.990234375, 1.009765625, 10.0, 1000.0, 0.0010004043579101562, 65504.0, 5.960464477539063e-08, 6.103515625e-05, 4.172325134277344e-07, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<20xf16>
  %10 = stablehlo.log %9 : tensor<20xf16>
  %11 = stablehlo.constant dense<[0xFC00, 0xFC00, 0.0, 0x7E00, -0.693359375, 0.693359375, 1.0986328125, -0.0098114013671875, 0.0097198486328125, 2.302734375, 6.90625, -6.90625, 11.09375, -16.640625, -9.703125, -14.6875, 0x7E00, 0x7C00, 0x7E00, 0x7E00]> : tensor<20xf16>
  check.expect_close %10, %11, max_ulp_difference = 1 : tensor<20xf16>, tensor<20xf16>

  // rank 0 and no elements
  %12 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %13 = stablehlo.slice %12 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %14 = stablehlo.reshape %13 : (tensor<1xf32>) -> tensor<f32>
  %15 = stablehlo.log %14 : tensor<f32>
  %16 = stablehlo.constant dense<0.0> : tensor<f32>
  check.expect_close %15, %16, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  %17 = stablehlo.constant dense<> : tensor<2x0xf32>
  %18 = stablehlo.log %17 : tensor<2x0xf32>
  check.expect_eq_const %18, dense<> : tensor<2x0xf32>
  return
}
