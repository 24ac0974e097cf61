// RUN: ps-opt %s --split-input-file --ps-outline-kernels | FileCheck %s

// Ops that work by rows become one kernel with a result per value that is
// needed outside; a reduction within the row is one of them.

// CHECK-LABEL: func.func @rows
// CHECK: %[[R:.*]]:2 = exec.call @[[K:.*]](%arg0) : (tensor<6x4xf32>) -> (tensor<6xf32>, tensor<6x4xf32>)
// CHECK: return %[[R]]#1, %[[R]]#0
// CHECK: func.func private @[[K]](%arg0: tensor<?x4xf32>) -> (tensor<?xf32>, tensor<?x4xf32>) attributes {exec.kernel}
// CHECK-NEXT: stablehlo.exponential %arg0 : tensor<?x4xf32>
// CHECK: stablehlo.reduce
// CHECK: stablehlo.broadcast_in_dim {{.*}}, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
// CHECK: stablehlo.divide
func.func @rows(%x: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<6x4xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<6xf32>) -> tensor<6x4xf32>
  %p = stablehlo.divide %e, %b : tensor<6x4xf32>
  return %p, %s : tensor<6x4xf32>, tensor<6xf32>
}

// -----

// A bias is taken whole, what has the rows is taken by row.

// CHECK-LABEL: func.func @bias
// CHECK: func.func private @{{.*}}(%arg0: tensor<4xf32>, %arg1: tensor<?x4xf32>) -> tensor<?x4xf32>
func.func @bias(%x: tensor<6x4xf32>, %b: tensor<4xf32>) -> tensor<6x4xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.add %x, %0 : tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}

// -----

// Constants, and what is cheap to compute from them, are repeated in each
// kernel; a splat of rows is a scalar repeated.

// CHECK-LABEL: func.func @repeated
// CHECK-NOT: stablehlo.
// CHECK: func.func private @{{.*}}(%arg0: tensor<?x3xi32>) -> tensor<?x3xi1>
// CHECK-DAG: stablehlo.iota dim = 1 : tensor<?x3xi32>
// CHECK-DAG: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<i32>
// CHECK-DAG: stablehlo.broadcast_in_dim %[[TWO]], dims = [] : (tensor<i32>) -> tensor<?x3xi32>
func.func @repeated(%x: tensor<6x3xi32>) -> tensor<6x3xi1> {
  %two = stablehlo.constant dense<2> : tensor<6x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<6x3xi32>
  %0 = stablehlo.multiply %i, %two : tensor<6x3xi32>
  %1 = stablehlo.compare EQ, %x, %0, SIGNED : (tensor<6x3xi32>, tensor<6x3xi32>) -> tensor<6x3xi1>
  return %1 : tensor<6x3xi1>
}

// -----

// An iota along the rows depends on the row: it comes from a kernel of its own.

// CHECK-LABEL: func.func @iota_of_rows
// CHECK: %[[I:.*]] = exec.call @[[IOTA:.*]]() : () -> tensor<6x3xi32>
// CHECK: exec.call @{{.*}}(%arg0, %[[I]])
// CHECK: func.func private @[[IOTA]]() -> tensor<6x3xi32>
func.func @iota_of_rows(%x: tensor<6x3xi32>) -> tensor<6x3xi32> {
  %i = stablehlo.iota dim = 0 : tensor<6x3xi32>
  %1 = stablehlo.add %x, %i : tensor<6x3xi32>
  return %1 : tensor<6x3xi32>
}

// -----

// Reductions over the rows of one producer share a whole kernel, with the
// scalar ops around them.

// CHECK-LABEL: func.func @reductions
// CHECK: %[[Y:.*]] = exec.call @{{.*}}(%arg0) : (tensor<6x4xf32>) -> tensor<6x4xf32>
// CHECK: exec.call @{{.*}}(%[[Y]]) : (tensor<6x4xf32>) -> (tensor<f32>, tensor<4xf32>)
// CHECK: func.func private @{{.*}}(%arg0: tensor<6x4xf32>) -> (tensor<f32>, tensor<4xf32>)
// CHECK: stablehlo.divide
func.func @reductions(%x: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<f32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<24.0> : tensor<f32>
  %y = stablehlo.exponential %x : tensor<6x4xf32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<f32>
  %m = stablehlo.divide %s, %n : tensor<f32>
  %c = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y, %m, %c : tensor<6x4xf32>, tensor<f32>, tensor<4xf32>
}

// -----

// A small producer that only a reduction reads is computed there.

// CHECK-LABEL: func.func @private_producer
// CHECK: exec.call
// CHECK-NOT: exec.call
// CHECK: func.func private @{{.*}}(%arg0: tensor<6x4xf32>) -> tensor<4xf32>
// CHECK: stablehlo.multiply %arg0, %arg0
// CHECK: stablehlo.reduce
func.func @private_producer(%x: tensor<6x4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.multiply %x, %x : tensor<6x4xf32>
  %c = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

// A value that leaves a group through a product and comes back splits it.

// CHECK-LABEL: func.func @convex
// CHECK: %[[A:.*]] = exec.call @[[K:.*]](%arg0)
// CHECK: %[[P:.*]] = stablehlo.dot_general %[[A]]
// CHECK: exec.call @{{.*}}(%[[A]], %[[P]])
func.func @convex(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = stablehlo.exponential %x : tensor<4x4xf32>
  %p = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = stablehlo.add %a, %p : tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}

// -----

// Transposes are folded into products.

// CHECK-LABEL: func.func @transposes
// CHECK-NOT: transpose
// CHECK: stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [1] : (tensor<3x5xf32>, tensor<4x3xf32>) -> tensor<5x4xf32>
func.func @transposes(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>) -> tensor<5x4xf32> {
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %p = stablehlo.dot_general %xt, %y, contracting_dims = [0] x [0] : (tensor<3x4xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %t = stablehlo.transpose %p, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  return %t : tensor<5x4xf32>
}

// -----

// Those without which the library could not compute the product stay.

// CHECK-LABEL: func.func @needed_transpose
// CHECK: %[[T:.*]] = exec.call @transpose{{.*}}(%arg1)
// CHECK: stablehlo.dot_general %arg0, %[[T]], contracting_dims = [1, 2] x [0, 1]
func.func @needed_transpose(%x: tensor<64x4x16xf32>, %y: tensor<4x8x16xf32>) -> tensor<64x8xf32> {
  %yt = stablehlo.transpose %y, dims = [0, 2, 1] : (tensor<4x8x16xf32>) -> tensor<4x16x8xf32>
  %p = stablehlo.dot_general %x, %yt, contracting_dims = [1, 2] x [0, 1] : (tensor<64x4x16xf32>, tensor<4x16x8xf32>) -> tensor<64x8xf32>
  return %p : tensor<64x8xf32>
}

// -----

// What a library has for other orders of dimensions only is transposed for it,
// here jnp.einsum("bqhd,bkhd->bhqk", x, y), but for small matrices.

// CHECK-LABEL: func.func @aligned
// CHECK-DAG: %[[X:.*]] = exec.call @[[T:.*]](%arg0) : (tensor<2x32x3x5xf32>) -> tensor<2x3x32x5xf32>
// CHECK-DAG: %[[Y:.*]] = exec.call @[[T]](%arg1) : (tensor<2x32x3x5xf32>) -> tensor<2x3x32x5xf32>
// CHECK: stablehlo.dot_general %[[X]], %[[Y]], batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
// CHECK: exec.call @dot_general{{.*}}(%arg2, %arg1)
func.func @aligned(%x: tensor<2x32x3x5xf32>, %y: tensor<2x32x3x5xf32>, %few: tensor<2x8x3x5xf32>) -> (tensor<2x3x32x32xf32>, tensor<2x3x8x32xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x32x3x5xf32>, tensor<2x32x3x5xf32>) -> tensor<2x3x32x32xf32>
  %1 = stablehlo.dot_general %few, %y, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x8x3x5xf32>, tensor<2x32x3x5xf32>) -> tensor<2x3x8x32xf32>
  return %0, %1 : tensor<2x3x32x32xf32>, tensor<2x3x8x32xf32>
}

// -----

// Products over different dimensions of one operand share its transpose.

// CHECK-LABEL: func.func @shared_transpose
// CHECK: %[[K:.*]] = exec.call @{{.*}}(%arg1) : (tensor<2x32x3x16xf32>) -> tensor<2x3x32x16xf32>
// CHECK: stablehlo.dot_general %{{.*}}, %[[K]], batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
// CHECK: stablehlo.dot_general %{{.*}}, %[[K]], batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
func.func @shared_transpose(%q: tensor<2x32x3x16xf32>, %k: tensor<2x32x3x16xf32>, %p: tensor<2x3x32x32xf32>) -> (tensor<2x3x32x32xf32>, tensor<2x3x32x16xf32>) {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x32x3x16xf32>, tensor<2x32x3x16xf32>) -> tensor<2x3x32x32xf32>
  %1 = stablehlo.dot_general %p, %k, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x32x32xf32>, tensor<2x32x3x16xf32>) -> tensor<2x3x32x16xf32>
  return %0, %1 : tensor<2x3x32x32xf32>, tensor<2x3x32x16xf32>
}

// -----

// Pairs of contracted dimensions may be in any order.

// CHECK-LABEL: func.func @ordered
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, contracting_dims = [1, 2] x [0, 1]
func.func @ordered(%x: tensor<64x8x32xf32>, %y: tensor<8x32x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [2, 1] x [1, 0] : (tensor<64x8x32xf32>, tensor<8x32x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// Where operands change places, what is said of each does, too.

// CHECK-LABEL: func.func @precision
// CHECK: stablehlo.dot_general %arg1, %arg0, {{.*}}precision = [DEFAULT, HIGHEST]
func.func @precision(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>) -> tensor<5x4xf32> {
  %p = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %t = stablehlo.transpose %p, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  return %t : tensor<5x4xf32>
}

// -----

// Other products are kernels.

// CHECK-LABEL: func.func @f64_product
// CHECK-NOT: stablehlo.dot_general
// CHECK: exec.call
// CHECK: func.func private
// CHECK: stablehlo.dot_general
func.func @f64_product(%x: tensor<4x3xf64>, %y: tensor<3x5xf64>) -> tensor<4x5xf64> {
  %p = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x3xf64>, tensor<3x5xf64>) -> tensor<4x5xf64>
  return %p : tensor<4x5xf64>
}

// -----

// Equal bodies are one kernel.

// CHECK-LABEL: func.func @shared
// CHECK: exec.call @[[K:.*]](%arg0)
// CHECK: exec.call @[[K]](%arg1)
func.func @shared(%x: tensor<4x3xf32>, %y: tensor<9x3xf32>) -> (tensor<4x3xf32>, tensor<9x3xf32>) {
  %0 = stablehlo.tanh %x : tensor<4x3xf32>
  %1 = stablehlo.tanh %y : tensor<9x3xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<9x3xf32>
}

// -----

// A gradient is sent before the rest of the step goes on.

// CHECK-LABEL: func.func @overlap
// CHECK: exec.call
// CHECK-NEXT: ps.send
// CHECK-NEXT: exec.call
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @overlap(%x: tensor<4xf32>) -> tensor<8xf32> {
  %y = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %grad = stablehlo.tanh %x : tensor<4xf32>
  %t = ps.send @w rows(0, 4), %grad to(@pserver_0) block("w") : tensor<4xf32>
  return %y : tensor<8xf32>
}

// -----

// Who reads the old value of a variable comes before its update, so that the
// update can work in place.

// CHECK-LABEL: func.func @update_last
// CHECK: %[[W:.*]] = ps.read @w
// CHECK: exec.call @[[READER:.*]](%[[W]])
// CHECK: %[[NEW:.*]] = exec.call @{{.*}}(%[[W]], %arg0)
// CHECK: ps.assign @w, %[[NEW]]
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @update_last(%grad: tensor<4xf32>) -> tensor<4xf32> {
  %w = ps.read @w : tensor<4xf32>
  %new = stablehlo.subtract %w, %grad : tensor<4xf32>
  ps.assign @w, %new : tensor<4xf32>
  %y = stablehlo.reverse %w, dims = [0] : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A function may return the old value of what it updates: the return stays
// last.

// CHECK-LABEL: func.func @return_old
// CHECK: %[[NEW:.*]] = exec.call
// CHECK: %[[W:.*]] = ps.read @w
// CHECK: ps.assign @w, %[[NEW]]
// CHECK-NEXT: return %[[W]]
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @return_old(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = ps.read @w : tensor<4xf32>
  %new = stablehlo.multiply %x, %x : tensor<4xf32>
  ps.assign @w, %new : tensor<4xf32>
  return %w : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @return_before_recv
// CHECK: ps.recv @w
// CHECK-NEXT: return
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @return_before_recv() -> tensor<4xf32> {
  %w = ps.read @w : tensor<4xf32>
  %t = ps.recv @w rows(0, 4) from(@pserver_0) block("w")
  return %w : tensor<4xf32>
}

// -----

// Who reads the old and the new value comes after the update.

// CHECK-LABEL: func.func @old_and_new
// CHECK: %[[OLD:.*]] = ps.read @w
// CHECK: ps.assign @w
// CHECK: %[[NEW:.*]] = ps.read @w
// CHECK: %[[STEP:.*]] = exec.call @{{.*}}(%[[NEW]], %[[OLD]])
// CHECK: return %[[STEP]]
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @old_and_new(%x: tensor<4xf32>) -> tensor<4xf32> {
  %old = ps.read @w : tensor<4xf32>
  %0 = stablehlo.multiply %x, %x : tensor<4xf32>
  ps.assign @w, %0 : tensor<4xf32>
  %new = ps.read @w : tensor<4xf32>
  %step = stablehlo.subtract %new, %old : tensor<4xf32>
  return %step : tensor<4xf32>
}

// -----

// A gather takes its start indices by row and the table as a whole; where a
// batching dimension leads, it takes the operand by row too. A scatter is one
// kernel: its updates must come one after the other.

// CHECK-LABEL: func.func @windows
// CHECK: exec.call @[[ROWS:.*]](%arg0, %arg1)
// CHECK: exec.call @[[CHOOSE:.*]](%arg2, %arg1)
// CHECK: exec.call @[[SCATTER:.*]](%arg0, %arg1, %{{.*}})
// CHECK: func.func private @[[ROWS]](%{{.*}}: tensor<9x3xf32>, %{{.*}}: tensor<?x1xi32>) -> tensor<?x3xf32>
// CHECK: func.func private @[[CHOOSE]](%{{.*}}: tensor<?x6xf32>, %{{.*}}: tensor<?x1xi32>) -> tensor<?xf32>
// CHECK: func.func private @[[SCATTER]](%{{.*}}: tensor<9x3xf32>, %{{.*}}: tensor<4x1xi32>, %{{.*}}: tensor<4x3xf32>) -> tensor<9x3xf32>
func.func @windows(%t: tensor<9x3xf32>, %i: tensor<4x1xi32>, %x: tensor<4x6xf32>) -> (tensor<4x3xf32>, tensor<4xf32>, tensor<9x3xf32>) {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<9x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  %1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  %2 = "stablehlo.scatter"(%t, %i, %0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<9x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<9x3xf32>
  return %0, %1, %2 : tensor<4x3xf32>, tensor<4xf32>, tensor<9x3xf32>
}

// -----

// Collectives keep their order, though the second gradient is there first; ops
// on both sides of them are not in one kernel.

// CHECK-LABEL: func.func @collectives
// CHECK: exec.call
// CHECK: ps.all_reduce %{{.*}} channel(0)
// CHECK-NEXT: %[[MEAN:.*]] = ps.all_reduce %arg1 channel(1)
// CHECK-NEXT: exec.call @{{.*}}%[[MEAN]]
func.func @collectives(%x: tensor<4xf32>, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %u = stablehlo.multiply %x, %x : tensor<4xf32>
  %m0 = ps.all_reduce %u channel(0) : tensor<4xf32>
  %m1 = ps.all_reduce %g channel(1) : tensor<4xf32>
  %w = stablehlo.add %u, %m1 : tensor<4xf32>
  return %m0, %w : tensor<4xf32>, tensor<4xf32>
}

// -----

// A transpose stays where it makes a product one of a library: of heads, whose
// batch dimensions are apart in memory.

// CHECK-LABEL: func.func @heads
// CHECK: %[[T:.*]] = exec.call @{{.*}}(%arg0) : (tensor<2x32x4x5xf32>) -> tensor<2x4x32x5xf32>
// CHECK: stablehlo.dot_general %[[T]], %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
func.func @heads(%q: tensor<2x32x4x5xf32>, %k: tensor<2x4x32x5xf32>) -> tensor<2x4x32x32xf32> {
  %0 = stablehlo.transpose %q, dims = [0, 2, 1, 3] : (tensor<2x32x4x5xf32>) -> tensor<2x4x32x5xf32>
  %1 = stablehlo.transpose %k, dims = [0, 1, 3, 2] : (tensor<2x4x32x5xf32>) -> tensor<2x4x5x32xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x32x5xf32>, tensor<2x4x5x32xf32>) -> tensor<2x4x32x32xf32>
  return %2 : tensor<2x4x32x32xf32>
}
