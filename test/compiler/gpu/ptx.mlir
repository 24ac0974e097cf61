// RUN: ps-opt %s --ps-compile-gpu-kernels=chip=sm_90 | FileCheck %s
// RUN: not ps-opt %s --ps-compile-gpu-kernels=chip=sm_5 2>&1 | FileCheck %s --check-prefix=CHIP

// CHIP: error: LLVM knows no GPU 'sm_5'; expected one such as sm_80 or sm_90

// CHECK: gpu.binary @softmax
// CHECK-SAME: exec.launches = [
// CHECK-SAME: {grid = #exec.grid<points = 1, perRow = true, pointsPerBlock = 4>, name = "softmax_0", threads = 256 : i64}
// CHECK-SAME: name = "softmax_2"
// CHECK-SAME: exec.scratch = array<i64: 4, 4, 400>
// CHECK-SAME: .target sm_90
// CHECK-SAME: .entry softmax_0
// CHECK-SAME: bar.sync
func.func @softmax(%x: tensor<?x100xf32>) -> tensor<?x100xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x100xf32>, tensor<f32>) -> tensor<?xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<?xf32>) -> tensor<?x100xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x100xf32>
  %e = stablehlo.exponential %d : tensor<?x100xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x100xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x100xf32>
  %y = stablehlo.divide %e, %sb : tensor<?x100xf32>
  return %y : tensor<?x100xf32>
}
