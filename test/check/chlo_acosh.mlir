// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[1.0, 1.0010000467300415, 1.0000001192092896, 1.5, 2.0, 3.0, 10.0, 1000.0, 20000.0, 1000000000.0, 3.4028234663852886e+38, 0.5, 0.0, -1.0, -3.0, -1000.0, 1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<20xf32>
  %1 = chlo.acosh %0 : tensor<20xf32> -> tensor<20xf32>
  %2 = stablehlo.constant dense<[0.0, 0.044718679040670395, 0.00048828125, 0.9624236226081848, 1.316957950592041, 1.7627471685409546, 2.993222951889038, 7.600902080535889, 10.596634864807129, 21.416412353515625, 89.41598510742188, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<20xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<20xf32>, tensor<20xf32>

  // f64
  %3 = stablehlo.constant dense<[1.0, 1.001, 1.0000000000000002, 1.5, 2.0, 3.0, 10.0, 1000.0, 20000.0, 1000000000.0, 1.7976931348623157e+308, 0.5, 0.0, -1.0, -3.0, -1000.0, 5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<20xf64>
  %4 = chlo.acosh %3 : tensor<20xf64> -> tensor<20xf64>
  %5 = stablehlo.constant dense<[0.0, 0.04471763360830685, 2.1073424255447014e-08, 0.9624236501192069, 1.3169578969248168, 1.762747174039086, 2.993222846126381, 7.600902209541989, 10.596634732471074, 21.416413017506358, 710.475860073944, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<20xf64>
  check.expect_close %4, %5, max_ulp_difference = 4 : tensor<20xf64>, tensor<20xf64>

  // bf16
  %6 = stablehlo.constant dense<[1.0, 1.0, 1.0078125, 1.5, 2.0, 3.0, 10.0, 1000.0, 19968.0, 998244352.0, 3.3895313892515355e+38, 0.5, 0.0, -1.0, -3.0, -1000.0, 9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<20xbf16>
  %7 = chlo.acosh %6 : tensor<20xbf16> -> tensor<20xbf16>
  %8 = stablehlo.constant dense<[0.0, 0.0, 0.125, 0.9609375, 1.3203125, 1.765625, 3.0, 7.59375, 10.625, 21.375, 89.5, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7F80, 0x7FC0, 0x7FC0]> : tensor<20xbf16>
  check.expect_close %7, %8, max_ulp_difference = 1 : tensor<20xbf16>, tensor<20xbf16>

  // f16
  %9 = stablehlo.constant dense<[1.0, 1.0009765625, 1.0009765625, 1.5, 2.0, 3.0, 10.0, 1000.0, 20000.0, 0x7C00, 65504.0, 0.5, 0.0, -1.0, -3.0, -1000.0, 5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<20xf16>
  %10 = chlo.acosh %9 : tensor<20xf16> -> tensor<20xf16>
  %11 = stablehlo.constant dense<[0.0, 0.044189453125, 0.044189453125, 0.96240234375, 1.3173828125, 1.7626953125, 2.994140625, 7.6015625, 10.59375, 0x7C00, 11.78125, 0x7E00, 0x7E00, 0x7E00, 0x7E00, 0x7E00, 0x7E00, 0x7C00, 0x7E00, 0x7E00]> : tensor<20xf16>
  check.expect_close %10, %11, max_ulp_difference = 1 : tensor<20xf16>, tensor<20xf16>

  // rank 0 and no elements
  %12 = stablehlo.constant dense<[1.0000001192092896, 1.0000001192092896]> : tensor<2xf32>
  %13 = stablehlo.slice %12 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %14 = stablehlo.reshape %13 : (tensor<1xf32>) -> tensor<f32>
  %15 = chlo.acosh %14 : tensor<f32> -> tensor<f32>
  %16 = stablehlo.constant dense<0.00048828125> : tensor<f32>
  check.expect_close %15, %16, max_ulp_difference = 4 : tensor<f32>, tensor<f32>
  %17 = stablehlo.constant dense<> : tensor<2x0xf32>
  %18 = chlo.acosh %17 : tensor<2x0xf32> -> tensor<2x0xf32>
  check.expect_eq_const %18, dense<> : tensor<2x0xf32>
  return
}
