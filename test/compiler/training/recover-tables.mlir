// RUN: ps-opt %s --split-input-file --ps-recover-tables --verify-diagnostics | FileCheck %s
// RUN: ps-opt %s --split-input-file --ps-differentiate | ps-opt --split-input-file --ps-recover-tables 2>&1 | FileCheck %s --check-prefix=AFTER

// Rows by ids, as table[ids] takes them, and a loss: the ids are clamped as
// the gather does it, and those that the clamp moved train no row.

// CHECK: ps.table @emb : tensor<100x16xf32> init(#ps.uniform<min = -1.{{.*}}, max = 1.{{.*}}>) {learning_rate_scale = 2.{{.*}} : f64, recovered}
// CHECK-NOT: ps.variable @emb

// What ps-differentiate makes of it is recovered all the same: it scatters by
// the same ids.

// AFTER: '@emb' becomes a table
// AFTER: func.func @train
// AFTER: ps.lookup @emb[%[[IDS:.*]]]
// AFTER-NOT: stablehlo.scatter
// AFTER: ps.lookup_gradient @emb[%[[IDS]]]

// CHECK-LABEL: func.func @train
// CHECK-NOT: ps.read
// CHECK: %[[IDS:.*]] = stablehlo.convert %{{.*}} : (tensor<?x26xi32>) -> tensor<?x26xi64>
// CHECK: %[[INSIDE:.*]] = stablehlo.clamp %{{.*}}, %[[IDS]], %{{.*}} : (tensor<i64>, tensor<?x26xi64>, tensor<i64>) -> tensor<?x26xi64>
// CHECK: %[[ROWS:.*]] = ps.lookup @emb[%[[INSIDE]]] : (tensor<?x26xi64>) -> tensor<?x26x16xf32>
// CHECK-NOT: stablehlo.gather
// CHECK: %[[STOPPED:.*]] = ps.stop_gradient %[[ROWS]]
// CHECK: %[[SAME:.*]] = stablehlo.compare EQ, %[[INSIDE]], %{{.*}}
// CHECK: %[[EACH:.*]] = stablehlo.broadcast_in_dim %[[SAME]], dims = [0, 1]
// CHECK: %[[READ:.*]] = stablehlo.select %[[EACH]], %[[ROWS]], %[[STOPPED]]
// CHECK: stablehlo.reduce(%[[READ]]
// CHECK: ps.minimize
// expected-remark @+2 {{'@emb' becomes a table: only gathers of whole rows by id read it}}
// expected-note @+1 {{as before, an id that is below 0 when it reaches the gather reads row 0, one beyond the end reads row 99, and neither trains it}}
ps.variable @emb : tensor<100x16xf32> init(#ps.uniform<min = -1.0, max = 1.0>) {learning_rate_scale = 2.0 : f64}
func.func @train(%ids: tensor<?x26xi32> {ps.feed = "ids"}) {
  %w = ps.read @emb : tensor<100x16xf32>
  %i = stablehlo.broadcast_in_dim %ids, dims = [0, 1] : (tensor<?x26xi32>) -> tensor<?x26x1xi32>
  %e = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 16>}> : (tensor<100x16xf32>, tensor<?x26x1xi32>) -> tensor<?x26x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x26x16xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Ids that are not vectors, in a type that is wide enough; an evaluation that
// reads the table too.

// CHECK: ps.table @emb : tensor<8x2xf64> init(#ps.constant<1.{{.*}}>) {recovered}
// CHECK-LABEL: func.func @train
// CHECK: %[[INSIDE:.*]] = stablehlo.clamp %{{.*}}, %arg0, %{{.*}} : (tensor<ui64>, tensor<?xui64>, tensor<ui64>) -> tensor<?xui64>
// CHECK: %[[IDS:.*]] = stablehlo.convert %[[INSIDE]] : (tensor<?xui64>) -> tensor<?xi64>
// CHECK: ps.lookup @emb[%[[IDS]]]
// CHECK-LABEL: func.func @eval
// CHECK: ps.lookup @emb
// expected-remark @+2 {{'@emb' becomes a table}}
// expected-note @+1 {{beyond the end reads row 7}}
ps.variable @emb : tensor<8x2xf64> init(#ps.constant<1.0>)
func.func @train(%ids: tensor<?xui64>) {
  %w = ps.read @emb : tensor<8x2xf64>
  %e = "stablehlo.gather"(%w, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf64>, tensor<?xui64>) -> tensor<?x2xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %loss = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x2xf64>, tensor<f64>) -> tensor<f64>
  ps.minimize %loss using(#ps.adagrad<learning_rate = 0.1>) : tensor<f64>
  return
}
func.func @eval(%ids: tensor<?x1xi64>) -> tensor<?x2xf64> {
  %w = ps.read @emb : tensor<8x2xf64>
  %e = "stablehlo.gather"(%w, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf64>, tensor<?x1xi64>) -> tensor<?x2xf64>
  return %e : tensor<?x2xf64>
}

// -----

// A graph that brings its gradient: two lookups, whose scatter-adds are told by
// their ids, however they are joined. What a scatter skips, because the id is
// outside, adds zeros.

// CHECK: ps.table @emb
// CHECK-LABEL: func.func @step
// CHECK: %[[IDS0:.*]] = stablehlo.clamp
// CHECK: %[[ROWS0:.*]] = ps.lookup @emb[%[[IDS0]]]
// CHECK: %[[IDS1:.*]] = stablehlo.clamp
// CHECK: %[[ROWS1:.*]] = ps.lookup @emb[%[[IDS1]]]
// CHECK-NOT: stablehlo.scatter
// CHECK: %[[SAME:.*]] = stablehlo.compare EQ, %[[IDS1]], %{{.*}}
// CHECK: %[[CHOSEN:.*]] = stablehlo.broadcast_in_dim %[[SAME]], dims = [0] : (tensor<4xi1>) -> tensor<4x2xi1>
// CHECK: %[[KEPT:.*]] = stablehlo.select %[[CHOSEN]], %[[ROWS1]], %{{.*}}
// CHECK: %[[G1:.*]] = ps.lookup_gradient @emb[%[[IDS1]]], %[[KEPT]] : (tensor<4xi64>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
// CHECK: %[[G0:.*]] = ps.lookup_gradient @emb[%[[IDS0]]]
// CHECK: %[[G:.*]] = ps.merge_rows %[[G1]], %[[G0]]
// CHECK: ps.apply_rows @emb, %[[G]] using(#ps.sgd<learning_rate = 1.{{.*}}>) clip(#ps.clip_by_value<min = -1.{{.*}}, max = 1.{{.*}}>) : !ps.rows<2 x f32>
// expected-remark @+2 {{'@emb' becomes a table}}
// expected-note @+1 {{beyond the end reads row 7}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%a: tensor<4x1xi64>, %b: tensor<4xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %a) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %b0 = stablehlo.reshape %b : (tensor<4xi64>) -> tensor<4x1xi64>
  %1 = "stablehlo.gather"(%w, %b0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
  %2 = "stablehlo.scatter"(%zeros, %a, %0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x2xf32>, tensor<4x1xi64>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %b1 = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<4xi64>) -> tensor<4x1xi64>
  %3 = "stablehlo.scatter"(%2, %b1, %1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x2xf32>, tensor<4x1xi64>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %zeros1 = stablehlo.constant dense<0.0> : tensor<8x2xf32>
  %4 = stablehlo.add %zeros1, %3 : tensor<8x2xf32>
  ps.apply @emb, %4 using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) : tensor<8x2xf32>
  return
}

// -----

// A variable that no gather reads is not spoken of.

// CHECK: ps.variable @w
ps.variable @w : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @train(%x: tensor<?x8xf32>) {
  %w = ps.read @w : tensor<8x2xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x2xf32>) -> tensor<?x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Ids that the graph clamps itself are all inside: the nearest row is trained.

// CHECK: ps.table @emb
// CHECK: %[[ROWS:.*]] = ps.lookup @emb
// CHECK-NOT: ps.stop_gradient
// CHECK: stablehlo.reduce(%[[ROWS]]
// expected-remark @+2 {{'@emb' becomes a table}}
// expected-note @+1 {{beyond the end reads row 99}}
ps.variable @emb : tensor<100x16xf32> init(#ps.constant<1.0>)
func.func @clamped(%ids: tensor<?xi32>) {
  %w = ps.read @emb : tensor<100x16xf32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %last = stablehlo.constant dense<99> : tensor<i32>
  %inside = stablehlo.clamp %first, %ids, %last : (tensor<i32>, tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  %i = stablehlo.broadcast_in_dim %inside, dims = [0] : (tensor<?xi32>) -> tensor<?x1xi32>
  %e = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<100x16xf32>, tensor<?x1xi32>) -> tensor<?x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x16xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.adagrad<learning_rate = 0.1, row_wise = true>) : tensor<f32>
  return
}
