// RUN: ps-opt %s --ps-join-updates --split-input-file | FileCheck %s

// What a loop has stacked, in either direction.

// CHECK-LABEL: func @stacked
// CHECK-SAME: %[[A:.*]]: tensor<1x4xf32>, %[[B:.*]]: tensor<1x4xf32>, %[[BASE:.*]]: tensor<2x4xf32>
func.func @stacked(%a: tensor<1x4xf32>, %b: tensor<1x4xf32>, %base: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: %[[JOINED:.*]] = stablehlo.concatenate %[[A]], %[[B]], dim = 0
  // CHECK-NEXT: return %[[JOINED]]
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %base, %b, %c1, %c0 : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  %1 = stablehlo.dynamic_update_slice %0, %a, %c0, %c0 : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// -----

// A later update wins; what none writes is the base's. Starts are clamped.

// CHECK-LABEL: func @overlapping
// CHECK-SAME: %[[A:.*]]: tensor<?x3xf32>, %[[B:.*]]: tensor<?x2xf32>, %[[BASE:.*]]: tensor<?x8xf32>
func.func @overlapping(%a: tensor<?x3xf32>, %b: tensor<?x2xf32>, %base: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // CHECK-DAG: %[[FRONT:.*]] = stablehlo.slice %[[BASE]] [0:?, 0:2]
  // CHECK-DAG: %[[PART:.*]] = stablehlo.slice %[[A]] [0:?, 0:1]
  // CHECK-DAG: %[[AGAIN:.*]] = stablehlo.slice %[[BASE]] [0:?, 5:6]
  // CHECK: stablehlo.concatenate %[[FRONT]], %[[PART]], %[[B]], %[[AGAIN]], %[[B]], dim = 1
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %far = stablehlo.constant dense<100> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %base, %a, %c0, %c2 : (tensor<?x8xf32>, tensor<?x3xf32>, tensor<i32>, tensor<i32>) -> tensor<?x8xf32>
  %1 = stablehlo.dynamic_update_slice %0, %b, %far, %c3 : (tensor<?x8xf32>, tensor<?x2xf32>, tensor<i32>, tensor<i32>) -> tensor<?x8xf32>
  %2 = stablehlo.dynamic_update_slice %1, %b, %c0, %far : (tensor<?x8xf32>, tensor<?x2xf32>, tensor<i32>, tensor<i32>) -> tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// -----

// A part of a repeated constant is a smaller one.

// CHECK-LABEL: func @into_zeros
func.func @into_zeros(%a: tensor<1x4xf32>) -> tensor<3x4xf32> {
  // CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK: %[[REST:.*]] = stablehlo.broadcast_in_dim %[[ZERO]], dims = [] : (tensor<f32>) -> tensor<2x4xf32>
  // CHECK: stablehlo.concatenate %{{.*}}, %[[REST]], dim = 0
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %zeros, %a, %c0, %c0 : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// What is read back is what was written, or was there before.

// CHECK-LABEL: func @read_back
// CHECK-SAME: %[[A:.*]]: tensor<1x4xf32>, %[[BASE:.*]]: tensor<2x4xf32>
func.func @read_back(%a: tensor<1x4xf32>, %base: tensor<2x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  // CHECK-NEXT: %[[OLD:.*]] = stablehlo.slice %[[BASE]] [0:1, 0:4]
  // CHECK-NEXT: return %[[A]], %[[OLD]]
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %base, %a, %c1, %c0 : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  %1 = stablehlo.slice %0 [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %2 = stablehlo.slice %0 [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  return %1, %2 : tensor<1x4xf32>, tensor<1x4xf32>
}

// -----

// Two dimensions at once, and places that are not constant, stay.

// CHECK-LABEL: func @kept
func.func @kept(%a: tensor<1x2xf32>, %b: tensor<1x4xf32>, %i: tensor<i32>, %base: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // CHECK-COUNT-2: stablehlo.dynamic_update_slice
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %base, %a, %c0, %c0 : (tensor<2x4xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  %1 = stablehlo.dynamic_update_slice %0, %b, %i, %c0 : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
