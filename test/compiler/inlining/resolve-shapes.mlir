// RUN: ps-opt %s --ps-resolve-shapes --split-input-file | FileCheck %s

// Each op, as JAX prints it.

// CHECK-LABEL: func @ops
func.func @ops(%x: tensor<?x4xf32>, %v: tensor<4xf32>, %table: tensor<10x4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xi32>, tensor<?x2x2xf32>, tensor<?x2xf32>, tensor<?x8xf32>, tensor<10x4xf32>) {
  // CHECK-NOT: get_dimension_size
  // CHECK-DAG: %[[A:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.iota dim = 0 : tensor<?x4xi32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.reshape %arg0 : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
  // CHECK-DAG: %[[D:.*]] = stablehlo.slice %arg0 [0:?, 2:4] : (tensor<?x4xf32>) -> tensor<?x2xf32>
  // CHECK-DAG: %[[E:.*]] = stablehlo.pad %arg0, %{{.*}}, low = [0, 4], high = [0, 0], interior = [0, 0]
  // CHECK-DAG: %[[F:.*]] = "stablehlo.gather"(%arg2, %{{.*}}) {{.*}}slice_sizes = array<i64: 1, 4>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]]
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %c0 = stablehlo.constant dense<0> : tensor<1xi32>
  %c1 = stablehlo.constant dense<1> : tensor<1xi32>
  %c2 = stablehlo.constant dense<2> : tensor<1xi32>
  %c4 = stablehlo.constant dense<4> : tensor<1xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %shape = stablehlo.concatenate %n, %c4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %a = stablehlo.dynamic_broadcast_in_dim %v, %shape, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %b = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x4xi32>
  %split = stablehlo.concatenate %n, %c2, %c2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %c = stablehlo.dynamic_reshape %x, %split : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<?x2x2xf32>
  %start = stablehlo.concatenate %c0, %c2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %ones = stablehlo.concatenate %c1, %c1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %d = stablehlo.real_dynamic_slice %x, %start, %shape, %ones : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  %low = stablehlo.concatenate %c0, %c4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %high = stablehlo.subtract %shape, %shape : tensor<2xi32>
  %none = stablehlo.concatenate %c0, %c0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %e = stablehlo.dynamic_pad %x, %zero, %low, %high, %none : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x8xf32>
  %ids = stablehlo.iota dim = 0 : tensor<10x1xi32>
  %sizes = stablehlo.concatenate %c1, %c4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %f = "stablehlo.dynamic_gather"(%table, %ids, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<10x4xf32>, tensor<10x1xi32>, tensor<2xi32>) -> tensor<10x4xf32>
  return %a, %b, %c, %d, %e, %f : tensor<?x4xf32>, tensor<?x4xi32>, tensor<?x2x2xf32>, tensor<?x2xf32>, tensor<?x8xf32>, tensor<10x4xf32>
}

// -----

// Assertions about sizes hold for every batch.

// CHECK-LABEL: func @assertions
func.func @assertions(%x: tensor<?x4xf32>, %y: tensor<?xi32>) {
  // CHECK-NEXT: return
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %2 = stablehlo.compare GE, %0, %c1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%2, %0) {error_message = "at least {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %3 = stablehlo.compare EQ, %1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%3, %1, %0) {has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  %4 = stablehlo.multiply %0, %c3 : tensor<i32>
  %5 = stablehlo.divide %4, %c3 : tensor<i32>
  %6 = stablehlo.maximum %5, %c1 : tensor<i32>
  %7 = stablehlo.compare NE, %6, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %8 = stablehlo.select %7, %false, %true : tensor<i1>, tensor<i1>
  stablehlo.custom_call @shape_assertion(%8) : (tensor<i1>) -> ()
  return
}

// -----

// A start that is computed, clamped as JAX clamps it.

// CHECK-LABEL: func @computed_start
func.func @computed_start(%x: tensor<5x?x3xf32>, %i: tensor<i32>) -> tensor<1x?x3xf32> {
  // CHECK: %[[START:.*]] = stablehlo.reshape %{{.*}} : (tensor<1xi32>) -> tensor<i32>
  // CHECK: stablehlo.dynamic_slice %arg0, %[[START]], %{{.*}}, %{{.*}}, sizes = [1, -9223372036854775808, 3]
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<5x?x3xf32>) -> tensor<i32>
  %n = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %c0 = stablehlo.constant dense<0> : tensor<1xi32>
  %c1 = stablehlo.constant dense<1> : tensor<1xi32>
  %c3 = stablehlo.constant dense<3> : tensor<1xi32>
  %c5 = stablehlo.constant dense<5> : tensor<1xi32>
  %size = stablehlo.concatenate %c1, %n, %c3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %whole = stablehlo.concatenate %c5, %n, %c3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %none = stablehlo.constant dense<0> : tensor<3xi32>
  %ones = stablehlo.constant dense<1> : tensor<3xi32>
  %j = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
  %start = stablehlo.concatenate %j, %c0, %c0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %last = stablehlo.subtract %whole, %size : tensor<3xi32>
  %from = stablehlo.clamp %none, %start, %last : tensor<3xi32>
  %to = stablehlo.add %from, %size : tensor<3xi32>
  %1 = stablehlo.real_dynamic_slice %x, %from, %to, %ones : (tensor<5x?x3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x3xf32>
  return %1 : tensor<1x?x3xf32>
}
