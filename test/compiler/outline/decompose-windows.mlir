// RUN: ps-opt %s --ps-decompose-windows | FileCheck %s

// Maxima of tiles: one slice for each element of a window.

// CHECK-LABEL: func @tiles
func.func @tiles(%x: tensor<2x4x4x3xf32>) -> tensor<2x2x2x3xf32> {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK-NOT: stablehlo.reduce_window
  // CHECK: %[[A:.*]] = stablehlo.slice %{{.*}} [0:2, 0:3:2, 0:3:2, 0:3]
  // CHECK: %[[B:.*]] = stablehlo.slice %{{.*}} [0:2, 0:3:2, 1:4:2, 0:3]
  // CHECK: stablehlo.maximum %[[A]], %[[B]] : tensor<2x2x2x3xf32>
  // CHECK: stablehlo.slice %{{.*}} [0:2, 1:4:2, 0:3:2, 0:3]
  // CHECK: stablehlo.slice %{{.*}} [0:2, 1:4:2, 1:4:2, 0:3]
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4x4x3xf32>, tensor<f32>) -> tensor<2x2x2x3xf32>
  return %0 : tensor<2x2x2x3xf32>
}

// An initial value that changes the sum takes part; the base is padded first.

// CHECK-LABEL: func @padded
func.func @padded(%x: tensor<4xf32>) -> tensor<3xf32> {
  // CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.0
  %i = stablehlo.constant dense<1.0> : tensor<f32>
  // CHECK: %[[PADDED:.*]] = stablehlo.pad %{{.*}}, %[[ONE]], low = [1], high = [1], interior = [0]
  // CHECK: %[[ONES:.*]] = stablehlo.broadcast_in_dim %[[ONE]]
  // CHECK: %[[A:.*]] = stablehlo.slice %[[PADDED]] [0:5:2]
  // The body adds in this order.
  // CHECK: stablehlo.add %[[A]], %[[ONES]]
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %b, %a : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Windows as large as a dimension.

// CHECK-LABEL: func @whole
func.func @whole(%x: tensor<2x7x7x3xf32>, %i: tensor<f32>) -> tensor<2x1x1x3xf32> {
  // CHECK: %[[SUM:.*]] = stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [1, 2]
  // CHECK: stablehlo.reshape %[[SUM]] : (tensor<2x3xf32>) -> tensor<2x1x1x3xf32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 7, 7, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x7x7x3xf32>, tensor<f32>) -> tensor<2x1x1x3xf32>
  return %0 : tensor<2x1x1x3xf32>
}

// Large windows, those of an unknown size, and those of a base that padding would
// make much larger remain.

// CHECK-LABEL: func @others
func.func @others(%x: tensor<9x9xf32>, %y: tensor<?x4xf32>, %z: tensor<4xf32>, %i: tensor<f32>) -> (tensor<5x5xf32>, tensor<?x3xf32>, tensor<2xf32>) {
  // CHECK-COUNT-3: "stablehlo.reduce_window"
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 5, 5>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<9x9xf32>, tensor<f32>) -> tensor<5x5xf32>
  %1 = "stablehlo.reduce_window"(%y, %i) <{window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x3xf32>
  %2 = "stablehlo.reduce_window"(%z, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 1000000000000>, padding = dense<[[0, 1000000000000]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<5x5xf32>, tensor<?x3xf32>, tensor<2xf32>
}
