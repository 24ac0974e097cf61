// RUN: ps-opt %s --split-input-file --ps-specialize-batch="batch-size=3" --verify-diagnostics | FileCheck %s
// RUN: not ps-opt %s --ps-specialize-batch="batch-size=0" 2>&1 | FileCheck %s --check-prefix=ZERO

// ZERO: error: expected a batch size of at least 1, found 0

// CHECK-LABEL: @types
// CHECK-SAME: tensor<3x4xf32> {ps.feed = "x"}) -> tensor<3xf32>
func.func @types(%x: tensor<?x4xf32> {ps.feed = "x"}) -> tensor<?xf32> {
  // CHECK: stablehlo.reduce{{.*}} -> tensor<3xf32>
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%x init: %0) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @size
func.func @size(%x: tensor<?x4xf32>) -> tensor<i32> {
  // CHECK: %[[SIZE:.*]] = stablehlo.constant dense<3> : tensor<i32>
  // CHECK: return %[[SIZE]]
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// CHECK-LABEL: @gather
func.func @gather(%x: tensor<?x4xf32>, %i: tensor<2x1xi32>) -> tensor<2x?xf32> {
  // CHECK: slice_sizes = array<i64: 3, 1>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: -9223372036854775808, 1>}> : (tensor<?x4xf32>, tensor<2x1xi32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// -----

// CHECK-LABEL: @slice
func.func @slice(%x: tensor<?x4xf32>) -> tensor<?x2xf32> {
  // CHECK: stablehlo.slice %{{.*}} [0:3, 0:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
  %0 = stablehlo.slice %x [0:?, 0:2] : (tensor<?x4xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

// expected-error@+1 {{batch size 3 does not fit 'tensor<?x?xf32>': only one dimension can be the batch}}
func.func @two_batches(%x: tensor<?x?xf32>) {
  return
}

// -----

func.func @other_size(%x: tensor<?x4xf32>) -> tensor<16xf32> {
  // expected-error@+1 {{batch size 3 does not fit: 'stablehlo.reshape' op cannot turn 'tensor<3x4xf32>' into 'tensor<16xf32>'}}
  %0 = stablehlo.reshape %x : (tensor<?x4xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// expected-error@+1 {{expected a ranked tensor, found 'index'}}
func.func @number(%x: index) {
  return
}

// -----

func.func @large(%x: tensor<4x4xf32>) {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'tensor<6148914691236517206x3xf32>' is larger than the address space}}
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6148914691236517206x3xf32>
  return
}

// -----

// expected-error@+1 {{batch size 3 makes 'tensor<?x70368744177664xi8>' larger than the address space}}
func.func @large_batch(%x: tensor<?x70368744177664xi8>) {
  return
}

// -----

// The ids and weights of bags are no batch: their length stays unknown. Where
// bags begin is one number per sample.

// CHECK-LABEL: @bags
// CHECK-SAME: (%arg0: tensor<?xi64>, %arg1: tensor<3xi64>, %arg2: tensor<?xf32>) -> tensor<3x4xf32>
func.func @bags(%ids: tensor<?xi64>, %offsets: tensor<?xi64>, %weights: tensor<?xf32>) -> tensor<?x4xf32> {
  // CHECK: ps.prefetch @emb0[%arg0] : (tensor<?xi64>)
  // CHECK: ps.lookup {{.*}} : (tensor<?xi64>, tensor<3xi64>, tensor<?xf32>, !ps.rows<4 x f32>) -> tensor<3x4xf32>
  %r = ps.prefetch @emb0[%ids] : (tensor<?xi64>) -> !ps.rows<4 x f32>
  %0 = ps.lookup @emb0[%ids] segments(%offsets) pool(sum) weights(%weights) in(%r) : (tensor<?xi64>, tensor<?xi64>, tensor<?xf32>, !ps.rows<4 x f32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
ps.table @emb0 : tensor<100x4xf32> init(#ps.constant<0.0>)

// -----

// The ids of a plain lookup are a batch.

// CHECK-LABEL: @plain
// CHECK-SAME: (%arg0: tensor<3xi64>)
func.func @plain(%ids: tensor<?xi64>) -> tensor<?x4xf32> {
  // CHECK: -> tensor<3x4xf32>
  %0 = ps.lookup @emb1[%ids] : (tensor<?xi64>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
ps.table @emb1 : tensor<100x4xf32> init(#ps.constant<0.0>)

// -----

// expected-error@+1 {{argument 0 holds the concatenated bags of pooled lookups, so its '?' is not the batch size: expected only pooled lookups to use it}}
func.func @bags_used(%ids: tensor<?xi64>, %offsets: tensor<?xi64>) -> (tensor<?x4xf32>, tensor<?xi64>) {
  %0 = ps.lookup @emb2[%ids] segments(%offsets) pool(sum) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?x4xf32>
  // expected-note@+1 {{'stablehlo.negate' uses it, too}}
  %1 = stablehlo.negate %ids : tensor<?xi64>
  return %0, %1 : tensor<?x4xf32>, tensor<?xi64>
}
ps.table @emb2 : tensor<100x4xf32> init(#ps.constant<0.0>)

// -----

// Rows have no batch.

// CHECK-LABEL: @rows
// CHECK-SAME: (%arg0: !ps.rows<4 x f32>)
func.func @rows(%rows: !ps.rows<4 x f32>) {
  return
}
