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

// What JAX writes for CPUs. A factor has a pivot that is not positive, or NaN,
// where the matrix is not positive definite.

// CHECK-LABEL: func @lapack(
// CHECK-SAME: %[[A:.*]]: tensor<?x3x3xf32>, %[[B:.*]]: tensor<?x2x3xf32>)
// CHECK: %[[L:.*]] = stablehlo.cholesky %[[A]], lower = true : tensor<?x3x3xf32>
// CHECK: %[[LAST:.*]] = stablehlo.slice %[[L]] [0:?, 2:3, 2:3]
// CHECK: stablehlo.reshape %[[LAST]] : (tensor<?x1x1xf32>) -> tensor<?xf32>
// CHECK: stablehlo.not
// CHECK: "stablehlo.triangular_solve"(%[[L]], %[[B]]) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}>
// CHECK-NOT: custom_call
func.func @lapack(%a: tensor<?x3x3xf32>, %b: tensor<?x2x3xf32>) -> (tensor<?x2x3xf32>, tensor<?xi32>) {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<?x3x3xf32>) -> (tensor<?x3x3xf32>, tensor<?xi32>)
  %1 = stablehlo.custom_call @lapack_strsm_ffi(%0#0, %b) {mhlo.backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}} : (tensor<?x3x3xf32>, tensor<?x2x3xf32>) -> tensor<?x2x3xf32>
  return %1, %0#1 : tensor<?x2x3xf32>, tensor<?xi32>
}

// Where the batch size is a symbol, the shapes of results are operands.

// CHECK-LABEL: func @lapack_with_shapes(
// CHECK: stablehlo.cholesky
// CHECK: "stablehlo.triangular_solve"
func.func @lapack_with_shapes(%a: tensor<?x3x3xf64>, %b: tensor<?x3x2xf64>, %s: tensor<3xi32>, %t: tensor<1xi32>) -> (tensor<?x3x2xf64>, tensor<?xi32>) {
  %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a, %s, %t) {indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>, mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<?x3x3xf64>, tensor<3xi32>, tensor<1xi32>) -> (tensor<?x3x3xf64>, tensor<?xi32>)
  %1 = stablehlo.custom_call @lapack_dtrsm_ffi(%0#0, %b, %s) {indices_of_shape_operands = dense<2> : tensor<1xi64>, mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<?x3x3xf64>, tensor<?x3x2xf64>, tensor<3xi32>) -> tensor<?x3x2xf64>
  return %1, %0#1 : tensor<?x3x2xf64>, tensor<?xi32>
}
