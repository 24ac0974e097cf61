// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 3.140625, -1.5703125, 10.0, -100.0, 1000.0, 0.0010000000474974513, 1.401298464324817e-45, -1.1754943508222875e-38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<18xf32>
  %1 = stablehlo.cosine %0 : tensor<18xf32>
  %2 = stablehlo.constant dense<[1.0, 1.0, 0.5403022766113281, 0.5403022766113281, 0.8775825500488281, -0.416146844625473, -0.9899924993515015, -0.9999995231628418, 0.0004838267632294446, -0.83907151222229, 0.8623188734054565, 0.5623790621757507, 0.9999995231628418, 1.0, 1.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<18xf32>
  check.expect_close %1, %2, max_ulp_difference = 1 : tensor<18xf32>, tensor<18xf32>

  // f64
  %3 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 3.140625, -1.5703125, 10.0, -100.0, 1000.0, 0.001, 5.0e-324, -2.2250738585072014e-308, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<18xf64>
  %4 = stablehlo.cosine %3 : tensor<18xf64>
  %5 = stablehlo.constant dense<[1.0, 1.0, 0.5403023058681398, 0.5403023058681398, 0.8775825618903728, -0.4161468365471424, -0.9899924966004454, -0.9999995318233016, 0.0004838267760202487, -0.8390715290764524, 0.8623188722876839, 0.5623790762907029, 0.9999995000000417, 1.0, 1.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<18xf64>
  check.expect_close %4, %5, max_ulp_difference = 1 : tensor<18xf64>, tensor<18xf64>

  // bf16
  %6 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 3.140625, -1.5703125, 10.0, -100.0, 1000.0, 0.00099945068359375, 9.183549615799121e-41, -1.1754943508222875e-38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<18xbf16>
  %7 = stablehlo.cosine %6 : tensor<18xbf16>
  %8 = stablehlo.constant dense<[1.0, 1.0, 0.5390625, 0.5390625, 0.87890625, -0.416015625, -0.98828125, -1.0, 0.000484466552734375, -0.83984375, 0.86328125, 0.5625, 1.0, 1.0, 1.0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<18xbf16>
  check.expect_close %7, %8, max_ulp_difference = 1 : tensor<18xbf16>, tensor<18xbf16>

  // f16
  %9 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 3.140625, -1.5703125, 10.0, -100.0, 1000.0, 0.0010004043579101562, 5.960464477539063e-08, -6.103515625e-05, 0x7C00, 0xFC00, 0x7E00]> : tensor<18xf16>
  %10 = stablehlo.cosine %9 : tensor<18xf16>
  %11 = stablehlo.constant dense<[1.0, 1.0, 0.54052734375, 0.54052734375, 0.87744140625, -0.416259765625, -0.990234375, -1.0, 0.0004837512969970703, -0.8388671875, 0.8623046875, 0.5625, 1.0, 1.0, 1.0, 0x7E00, 0x7E00, 0x7E00]> : tensor<18xf16>
  check.expect_close %10, %11, max_ulp_difference = 1 : tensor<18xf16>, tensor<18xf16>

  // rank 0 and no elements
  %12 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %13 = stablehlo.slice %12 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %14 = stablehlo.reshape %13 : (tensor<1xf32>) -> tensor<f32>
  %15 = stablehlo.cosine %14 : tensor<f32>
  %16 = stablehlo.constant dense<0.5403022766113281> : tensor<f32>
  check.expect_close %15, %16, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  %17 = stablehlo.constant dense<> : tensor<2x0xf32>
  %18 = stablehlo.cosine %17 : tensor<2x0xf32>
  check.expect_eq_const %18, dense<> : tensor<2x0xf32>
  return
}
