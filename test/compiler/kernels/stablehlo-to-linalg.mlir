// RUN: ps-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(ps-stablehlo-to-linalg))' | FileCheck %s
// RUN: ps-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(ps-stablehlo-to-linalg),cse,ps-bufferize-kernels)' | FileCheck %s --check-prefix=BUFFERS

// An optimizer's update is one loop with two results, computed in their own
// buffers: the scalars are read where they are used.

// CHECK-LABEL: func.func @momentum
// CHECK-SAME: %[[P:.*]]: memref<?x10xf32>, %{{.*}}: memref<?x10xf32>, %{{.*}}: memref<?x10xf32>, %{{.*}}: memref<f32>, %[[NEW_P:.*]]: memref<?x10xf32>, %[[NEW_V:.*]]: memref<?x10xf32>
// CHECK-NOT: linalg.generic
// CHECK: %[[R:.*]]:2 = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK: arith.subf
// CHECK-NOT: linalg.generic
// CHECK: bufferization.materialize_in_destination %[[R]]#1 in restrict writable %[[NEW_P]]
// CHECK: bufferization.materialize_in_destination %[[R]]#0 in restrict writable %[[NEW_V]]

// BUFFERS-LABEL: func.func @momentum
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: linalg.generic
// BUFFERS-NOT: linalg.generic
// BUFFERS: return
func.func @momentum(%p: tensor<?x10xf32>, %v: tensor<?x10xf32>, %g: tensor<?x10xf32>, %lr: tensor<f32>) -> (tensor<?x10xf32>, tensor<?x10xf32>) attributes {exec.kernel} {
  %mu = stablehlo.constant dense<0.9> : tensor<f32>
  %mub = stablehlo.broadcast_in_dim %mu, dims = [] : (tensor<f32>) -> tensor<?x10xf32>
  %lrb = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<?x10xf32>
  %0 = stablehlo.multiply %mub, %v : tensor<?x10xf32>
  %1 = stablehlo.add %0, %g : tensor<?x10xf32>
  %2 = stablehlo.multiply %lrb, %1 : tensor<?x10xf32>
  %3 = stablehlo.subtract %p, %2 : tensor<?x10xf32>
  return %3, %1 : tensor<?x10xf32>, tensor<?x10xf32>
}

// -----

// A broadcast is an indexing map.

// CHECK: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @bias_relu
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$ROW]], #{{.*}}]
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK-NOT: linalg.generic
// BUFFERS-LABEL: func.func @bias_relu
// BUFFERS-NOT: memref.alloc
// BUFFERS: linalg.generic
// BUFFERS-NOT: linalg.generic
// BUFFERS: return
func.func @bias_relu(%x: tensor<?x512xf32>, %b: tensor<512xf32>) -> tensor<?x512xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<512xf32>) -> tensor<?x512xf32>
  %1 = stablehlo.add %x, %0 : tensor<?x512xf32>
  %2 = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<?x512xf32>
  %4 = stablehlo.maximum %1, %3 : tensor<?x512xf32>
  return %4 : tensor<?x512xf32>
}

// -----

// Softmax is max | exp, sum | divide; only the maxima, the sums and the
// exponentials, which two loops read, get buffers.

// CHECK-LABEL: func.func @softmax
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK: arith.maximumf
// CHECK: %[[E:.*]]:2 = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK: arith.subf
// CHECK: math.exp
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[E]]#0, %[[E]]#1
// CHECK: arith.divf
// CHECK-NOT: linalg.generic
// BUFFERS-LABEL: func.func @softmax
// BUFFERS-COUNT-3: memref.alloc
// BUFFERS-NOT: memref.alloc
// BUFFERS: return
func.func @softmax(%x: tensor<?x10xf32>) -> tensor<?x10xf32> attributes {exec.kernel} {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<?xf32>) -> tensor<?x10xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x10xf32>
  %e = stablehlo.exponential %d : tensor<?x10xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x10xf32>
  %r = stablehlo.divide %e, %sb : tensor<?x10xf32>
  return %r : tensor<?x10xf32>
}

// -----

// A value that two loops read is computed in both if that is cheap.

// CHECK-LABEL: func.func @recompute
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: arith.divf
// CHECK-NOT: linalg.generic
func.func @recompute(%x: tensor<?x10xf32>) -> tensor<?x10xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.multiply %x, %x : tensor<?x10xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x10xf32>
  %r = stablehlo.divide %e, %sb : tensor<?x10xf32>
  return %r : tensor<?x10xf32>
}

// -----

// Slices, reversals and transposes are maps; an iota is the loop's index.

// CHECK: affine_map<(d0, d1) -> (-(d1 * 2 + 1) + 7, d0)>
// CHECK-LABEL: func.func @move
// CHECK: linalg.generic
// CHECK: linalg.index 1
// CHECK-NOT: linalg.generic
func.func @move(%x: tensor<8x5xi32>) -> tensor<5x3xi32> attributes {exec.kernel} {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<8x5xi32>
  %1 = stablehlo.slice %0 [1:7:2, 0:5] : (tensor<8x5xi32>) -> tensor<3x5xi32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x5xi32>) -> tensor<5x3xi32>
  %3 = stablehlo.iota dim = 1 : tensor<5x3xi32>
  %4 = stablehlo.add %2, %3 : tensor<5x3xi32>
  return %4 : tensor<5x3xi32>
}

// -----

// Booleans are stored as bytes, unsigned integers as signless ones; half
// precision computes in f32 and its sums stay there.

// CHECK-LABEL: func.func @types
// CHECK-SAME: memref<4x6xi8>, %{{.*}}: memref<4x6xi32>, %{{.*}}: memref<4x6xbf16>, %{{.*}}: memref<4x6xi8>, %{{.*}}: memref<4xbf16>
// CHECK: arith.cmpi ne
// CHECK: arith.extui
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @types(%b: tensor<4x6xi1>, %u: tensor<4x6xui32>, %h: tensor<4x6xbf16>) -> (tensor<4x6xi1>, tensor<4xbf16>) attributes {exec.kernel} {
  %z = stablehlo.constant dense<7> : tensor<ui32>
  %zb = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %0 = stablehlo.compare GT, %u, %zb, UNSIGNED : (tensor<4x6xui32>, tensor<4x6xui32>) -> tensor<4x6xi1>
  %1 = stablehlo.and %b, %0 : tensor<4x6xi1>
  %2 = stablehlo.constant dense<0.0> : tensor<bf16>
  %3 = stablehlo.reduce(%h init: %2) applies stablehlo.add across dimensions = [1] : (tensor<4x6xbf16>, tensor<bf16>) -> tensor<4xbf16>
  return %1, %3 : tensor<4x6xi1>, tensor<4xbf16>
}

// -----

// Concatenate computes nothing: its operands are copied into the result.

// CHECK-LABEL: func.func @concatenate
// CHECK: %[[A:.*]] = tensor.insert_slice %{{.*}}[0, 0] [%{{.*}}, 1] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %[[A]][0, 1] [%{{.*}}, 2] [1, 1]
// BUFFERS-LABEL: func.func @concatenate
// BUFFERS-NOT: memref.alloc
// BUFFERS-COUNT-2: linalg.generic
// BUFFERS-NOT: linalg.generic
// BUFFERS: return
func.func @concatenate(%a: tensor<?x1xf32>, %b: tensor<?x2xf32>) -> tensor<?x3xf32> attributes {exec.kernel} {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<?x1xf32>, tensor<?x2xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// Functions that are no kernels stay as they are.

// CHECK-LABEL: func.func @other
// CHECK: stablehlo.add
func.func @other(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Rows at clamped indices: one loop nest that reads the table where it stands.

// BUFFERS-LABEL: func.func @gather
// BUFFERS-SAME: %[[TABLE:.*]]: memref<100x16xf32>, %[[IDS:.*]]: memref<?x1xi32>, %[[OUT:.*]]: memref<?x16xf32>
// BUFFERS-NOT: alloc
// BUFFERS: linalg.generic
// BUFFERS-SAME: ins(%[[IDS]] : {{.*}}) outs(%[[OUT]]
// BUFFERS: %[[ID:.*]] = arith.index_cast %{{.*}} : i32 to index
// BUFFERS: arith.maxsi %[[ID]], %c0
// BUFFERS: arith.minsi %{{.*}}, %c99
// BUFFERS: memref.load %[[TABLE]]
// BUFFERS-NOT: linalg.generic
// BUFFERS: return
func.func @gather(%a: tensor<100x16xf32>, %i: tensor<?x1xi32>) -> tensor<?x16xf32> attributes {exec.kernel} {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<100x16xf32>, tensor<?x1xi32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

// A scatter into zeros fills its result's buffer, then takes one update after
// the other; a row that lies outside is skipped as a whole.

// BUFFERS-LABEL: func.func @scatter
// BUFFERS-SAME: %[[IDS:.*]]: memref<8x1xi32>, %[[ROWS:.*]]: memref<8x16xf32>, %[[OUT:.*]]: memref<100x16xf32>
// BUFFERS-NOT: alloc
// BUFFERS: linalg.fill {{.*}} outs(%[[OUT]]
// BUFFERS: scf.for %[[I:.*]] =
// BUFFERS: memref.load %[[IDS]][%[[I]]
// BUFFERS: %[[INSIDE:.*]] = arith.cmpi ult
// BUFFERS: scf.if %[[INSIDE]]
// BUFFERS: scf.for
// BUFFERS: memref.load %[[OUT]]
// BUFFERS: memref.load %[[ROWS]]
// BUFFERS: memref.store %{{.*}}, %[[OUT]]
// BUFFERS-NOT: linalg.generic
// BUFFERS: return
func.func @scatter(%i: tensor<8x1xi32>, %u: tensor<8x16xf32>) -> tensor<100x16xf32> attributes {exec.kernel} {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<100x16xf32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<100x16xf32>, tensor<8x1xi32>, tensor<8x16xf32>) -> tensor<100x16xf32>
  return %0 : tensor<100x16xf32>
}

// -----

// Only one branch keeps the iterations apart here: ps-mark-parallel-loops would
// take the loop for one of independent iterations without it.

// BUFFERS-LABEL: func.func @scatter_to_one_place
// BUFFERS: scf.for
// BUFFERS: scf.if
// BUFFERS: memref.store
func.func @scatter_to_one_place(%a: tensor<f32>, %i: tensor<8x0xi32>, %u: tensor<8xf32>) -> tensor<f32> attributes {exec.kernel} {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<f32>, tensor<8x0xi32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
