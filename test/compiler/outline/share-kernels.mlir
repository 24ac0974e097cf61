// RUN: ps-opt %s --ps-outline-kernels | FileCheck %s

// Kernels of unrolled iterations are equal.

// Slices that differ in where they begin take that as an argument.

// CHECK-LABEL: func @slices
func.func @slices(%x: tensor<4x2x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) {
  // CHECK: exec.call @[[SLICE:dynamic_slice_[0-9a-f]+]](%arg0,
  // CHECK-COUNT-3: exec.call @[[SLICE]](%arg0,
  %0 = stablehlo.slice %x [0:1, 0:2, 0:3] : (tensor<4x2x3xf32>) -> tensor<1x2x3xf32>
  %1 = stablehlo.slice %x [1:2, 0:2, 0:3] : (tensor<4x2x3xf32>) -> tensor<1x2x3xf32>
  %2 = stablehlo.slice %x [2:3, 0:2, 0:3] : (tensor<4x2x3xf32>) -> tensor<1x2x3xf32>
  %3 = stablehlo.slice %x [3:4, 0:2, 0:3] : (tensor<4x2x3xf32>) -> tensor<1x2x3xf32>
  return %0, %1, %2, %3 : tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>
}

// What many of them stack is joined in parts.

// CHECK-LABEL: func @stacked
func.func @stacked(%a: tensor<1x4xf32>) -> tensor<33x4xf32> {
  // CHECK: exec.call @[[PART:concatenate_[0-9a-f]+]](%{{.*}}) : {{.*}} -> tensor<16x4xf32>
  // CHECK: exec.call @[[PART]](%{{.*}}) : {{.*}} -> tensor<16x4xf32>
  // CHECK: exec.call @concatenate_{{.*}} -> tensor<33x4xf32>
  %0 = stablehlo.concatenate %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<33x4xf32>
  return %0 : tensor<33x4xf32>
}
