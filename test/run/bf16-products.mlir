// RUN: ps-run %s --entry=main --precision=bf16
// RUN: ps-run %s --entry=main --precision=bf16 --device=emulated
// RUN: not ps-run %s --entry=main 2>&1 | FileCheck %s
// RUN: not ps-run %s --entry=main --device=emulated 2>&1 | FileCheck %s

// Operands are rounded to the nearest bf16, ties to even: 1 + 2^-8 and
// 1 + 3 * 2^-8 are half-way between two, 3.4e38 is next to 2^128. Infinities and
// NaN stay. Results are not rounded: the last row of sums has 16 bits.
func.func @main() {
  %a = stablehlo.constant dense<[[1.00390625, 0.0], [1.01171875, 0.0], [1.003907, 0.0], [3.4e38, 0.0], [-1.003907, 0.0], [0xFF800000, 0.0], [0x7FC00000, 0.0], [1.0, 256.0]]> : tensor<8x2xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0, -4.0], [1.0, 1.0, 129.0]]> : tensor<2x3xf32>
  // CHECK: element [0, 0] of 8x3xf32 is 1.00390625, expected 1
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x3xf32>) -> tensor<8x3xf32>
  check.expect_eq_const %c, dense<[[1.0, 2.0, -4.0], [1.015625, 2.03125, -4.0625], [1.0078125, 2.015625, -4.03125], [0x7F800000, 0x7F800000, 0xFF800000], [-1.0078125, -2.015625, 4.03125], [0xFF800000, 0xFF800000, 0x7F800000], [0x7FC00000, 0x7FC00000, 0x7FC00000], [257.0, 258.0, 33020.0]]> : tensor<8x3xf32>
  return
}
