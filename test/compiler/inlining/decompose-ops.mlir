// RUN: ps-opt %s --ps-decompose-ops | FileCheck %s

// The computation of a map, on tensors: constants and values from outside are
// repeated.

// CHECK-LABEL: func @map(
// CHECK-SAME: %[[A:.*]]: tensor<?x4xf32>, %[[S:.*]]: tensor<f32>)
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[TWO:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<f32>) -> tensor<?x4xf32>
// CHECK-NEXT: %[[TWICE:.*]] = stablehlo.multiply %[[A]], %[[TWO]] : tensor<?x4xf32>
// CHECK-NEXT: %[[BOUND:.*]] = stablehlo.broadcast_in_dim %[[S]], dims = [] : (tensor<f32>) -> tensor<?x4xf32>
// CHECK-NEXT: %[[RESULT:.*]] = stablehlo.compare LT, %[[TWICE]], %[[BOUND]], FLOAT : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
// CHECK-NEXT: return %[[RESULT]] : tensor<?x4xi1>
func.func @map(%a: tensor<?x4xf32>, %s: tensor<f32>) -> tensor<?x4xi1> {
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>):
    %1 = stablehlo.constant dense<2.0> : tensor<f32>
    %2 = stablehlo.multiply %x, %1 : tensor<f32>
    %3 = stablehlo.compare LT, %2, %s, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<?x4xf32>) -> tensor<?x4xi1>
  return %0 : tensor<?x4xi1>
}

// The number of elements of a feature is that of the batch times what is known.

// CHECK-LABEL: func @batch_norm(
// CHECK-SAME: %[[A:.*]]: tensor<?x4x8xf32>
// CHECK: stablehlo.get_dimension_size %[[A]], dim = 0
// CHECK: stablehlo.constant dense<8.000000e+00> : tensor<f32>
// CHECK-NOT: batch_norm_training
func.func @batch_norm(%a: tensor<?x4x8xf32>, %s: tensor<4xf32>) -> tensor<?x4x8xf32> {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %s) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<?x4x8xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<?x4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0 : tensor<?x4x8xf32>
}
