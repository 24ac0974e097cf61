// RUN: split-file %s %t
// RUN: not ps-run %t/close.mlir --entry=main 2>&1 | FileCheck %t/close.mlir
// RUN: not ps-run %t/eq.mlir --entry=main 2>&1 | FileCheck %t/eq.mlir
// RUN: not ps-run %t/almost-eq.mlir --entry=main 2>&1 | FileCheck %t/almost-eq.mlir
// RUN: not ps-run %t/op-close.mlir --entry=main 2>&1 | FileCheck %t/op-close.mlir
// RUN: not ps-run %t/op-eq.mlir --entry=main 2>&1 | FileCheck %t/op-eq.mlir
// RUN: not ps-run %t/op-eq-const.mlir --entry=main 2>&1 | FileCheck %t/op-eq-const.mlir
// RUN: not ps-run %t/op-almost-eq-const.mlir --entry=main 2>&1 | FileCheck %t/op-almost-eq-const.mlir
// RUN: ps-run %t/pass.mlir --entry=main

// What differs ends the program: where it was expected, the first element that
// differs, and both values.

//--- close.mlir
// CHECK: ps-run: error: {{.*}}close.mlir:[[# @LINE + 4]]:3: element [1, 2] of 2x3xf32 is 6, expected 7 (1 of 6 elements differ)
func.func @main() -> tensor<2x3xf32> {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]]> : tensor<2x3xf32>
  stablehlo.custom_call @check.expect_close(%0, %1) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  return %0 : tensor<2x3xf32>
}

//--- eq.mlir
// CHECK: ps-run: error: {{.*}}eq.mlir:[[# @LINE + 4]]:3: element [0] of 2xf32 is 0, expected -0 (1 of 2 elements differ)
func.func @main() {
  %0 = stablehlo.constant dense<[0.0, 0x7FC00000]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[-0.0, 0xFFC00000]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_eq(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}

//--- almost-eq.mlir
// CHECK: ps-run: error: {{.*}}almost-eq.mlir:[[# @LINE + 4]]:3: element [] of f64 is 1, expected 1.0009999999999999 (1 of 1 elements differ)
func.func @main() {
  %0 = stablehlo.constant dense<1.0> : tensor<f64>
  %1 = stablehlo.constant dense<1.001> : tensor<f64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %1) : (tensor<f64>, tensor<f64>) -> ()
  return
}

//--- op-close.mlir
// CHECK: ps-run: error: {{.*}}op-close.mlir:[[# @LINE + 4]]:3: element [2] of 3xbf16 is 1.03125, expected 1 (1 of 3 elements differ)
func.func @main() {
  %0 = stablehlo.constant dense<[1.0, 1.0, 1.03125]> : tensor<3xbf16>
  %1 = stablehlo.constant dense<[1.0, 1.0234375, 1.0]> : tensor<3xbf16>
  check.expect_close %0, %1, max_ulp_difference = 3 : tensor<3xbf16>, tensor<3xbf16>
  return
}

//--- op-eq.mlir
// CHECK: ps-run: error: {{.*}}op-eq.mlir:[[# @LINE + 4]]:3: element [1] of 2xui8 is 255, expected 254 (1 of 2 elements differ)
func.func @main() {
  %0 = stablehlo.constant dense<[1, 255]> : tensor<2xui8>
  %1 = stablehlo.constant dense<[1, 254]> : tensor<2xui8>
  check.expect_eq %0, %1 : tensor<2xui8>
  return
}

//--- op-eq-const.mlir
// CHECK: ps-run: error: {{.*}}op-eq-const.mlir:[[# @LINE + 3]]:3: element [0] of 2xi1 is true, expected false (2 of 2 elements differ)
func.func @main() {
  %0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  return
}

//--- op-almost-eq-const.mlir
// CHECK: ps-run: error: {{.*}}op-almost-eq-const.mlir:[[# @LINE + 3]]:3: element [1] of 2xf32 is inf, expected 1 (1 of 2 elements differ)
func.func @main() {
  %0 = stablehlo.constant dense<[1.00001, 0x7F800000]> : tensor<2xf32>
  check.expect_almost_eq_const %0, dense<1.0> : tensor<2xf32>
  return
}

//--- pass.mlir
func.func @main() {
  %0 = stablehlo.constant dense<[1.0, 0x7FC00000, 0xFF800000]> : tensor<3xf32>
  %1 = stablehlo.constant dense<[1.0000001, 0xFFC00000, 0xFF800000]> : tensor<3xf32>
  %2 = stablehlo.constant dense<> : tensor<0xf32>
  stablehlo.custom_call @check.expect_close(%0, %1) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  stablehlo.custom_call @check.expect_almost_eq(%0, %1) : (tensor<3xf32>, tensor<3xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%2, %2) : (tensor<0xf32>, tensor<0xf32>) -> ()
  check.expect_close %0, %1, max_ulp_difference = 1, min_ulp_difference = 0 : tensor<3xf32>, tensor<3xf32>
  check.expect_almost_eq %0, %1, tolerance = 0.001 : tensor<3xf32>
  return
}
