// RUN: ps-run %s --entry=main

// A number is rounded once: by way of f32, the first would be half-way between
// two numbers of bf16 and become 1.
func.func @main() {
  %wide = stablehlo.constant dense<[1.003906250000909, 1.00390625, 1.01171875, 3.5e38, -1.003906250000909]> : tensor<5xf64>
  %narrow = stablehlo.convert %wide : (tensor<5xf64>) -> tensor<5xbf16>
  %again = stablehlo.convert %narrow : (tensor<5xbf16>) -> tensor<5xf64>
  check.expect_eq_const %again, dense<[1.0078125, 1.0, 1.015625, 0x7FF0000000000000, -1.0078125]> : tensor<5xf64>
  return
}
