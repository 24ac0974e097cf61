// RUN: ps-opt %s --ps-schedule-gpu | FileCheck %s

// Elements: two vectors of four neighbors per thread, all of them computed
// before the first is stored. In the last block, which may not be full, threads
// are neighbors: one beyond the last element computes that one and stores
// nothing. LLVM makes vectors of what is so aligned.

// CHECK-LABEL: gpu.module @scale
// CHECK: gpu.func @scale_0(%[[X:.*]]: !llvm.ptr {llvm.align = 64 : i64}, %[[Y:.*]]: !llvm.ptr {llvm.align = 64 : i64}, %[[ROWS:.*]]: i64)
// CHECK-SAME: exec.grid = #exec.grid<points = 8, perRow = true, pointsPerBlock = 2048>
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: scf.if
// CHECK: arith.muli %thread_id_x, %c4
// CHECK-COUNT-8: memref.load
// CHECK-NOT: memref.load
// CHECK-COUNT-8: memref.store
// CHECK: else
// CHECK: scf.for
// CHECK-COUNT-4: memref.load
// CHECK-NOT: memref.load
// CHECK-COUNT-4: memref.store
func.func @scale(%x: tensor<?x8xf32>) -> tensor<?x8xf32> attributes {exec.kernel} {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<?x8xf32>
  %y = stablehlo.multiply %x, %b : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// Of a short tensor, each thread takes one element.

// CHECK-LABEL: gpu.module @short
// CHECK: exec.grid = #exec.grid<points = 4000, perRow = false, pointsPerBlock = 256>
// CHECK-COUNT-1: memref.load
// CHECK-NOT: memref.load
// CHECK-COUNT-1: memref.store
// CHECK-NOT: memref.store
func.func @short(%x: tensor<4000xf32>) -> tensor<4000xf32> attributes {exec.kernel} {
  %y = stablehlo.negate %x : tensor<4000xf32>
  return %y : tensor<4000xf32>
}

// A long row is reduced by a block, whose sums meet in shared memory; shorter
// ones are in fused-rows.mlir. The initial value is part of the reduction.

// CHECK-LABEL: gpu.module @row_sum
// CHECK-NOT: gpu.func @row_sum_1
// CHECK: gpu.func @row_sum_0
// CHECK-SAME: workgroup(%[[SHARED:.*]] : memref<256xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME: exec.grid = #exec.grid<points = 1, perRow = true, pointsPerBlock = 1>
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[LANE:.*]] = arith.remui %[[THREAD]], %c256
// CHECK: scf.for {{.*}} step %c2048
// CHECK: memref.store {{.*}}, %[[SHARED]][%[[THREAD]]]
// CHECK-COUNT-8: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @row_sum(%x: tensor<?x20000xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x20000xf32>, tensor<f32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// Columns: neighboring threads have neighboring columns.

// CHECK-LABEL: gpu.module @column_sum
// CHECK: exec.grid = #exec.grid<points = 64, perRow = false, pointsPerBlock = 32>
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[COLUMN:.*]] = arith.remui %[[THREAD]], %c32
// CHECK: %[[LANE:.*]] = arith.divui %[[THREAD]], %c32
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @column_sum(%x: tensor<400x64xf32>) -> tensor<64xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<400x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// A long sum of few columns, or of everything, is one of parts first. The first
// function overwrites a buffer with the sums of 32 parts, the second adds these
// to the initial value.

// CHECK-LABEL: gpu.module @long_column_sum
// CHECK-SAME: exec.scratch = array<i64: 8192>
// CHECK: gpu.func @long_column_sum_0
// CHECK-SAME: exec.grid = #exec.grid<points = 2048, perRow = false, pointsPerBlock = 32>
// CHECK: memref.expand_shape {{.*}} : memref<4096x64xf32> into memref<32x128x64xf32>
// CHECK-COUNT-8: memref.load
// CHECK: arith.addf
// CHECK: memref.store {{.*}} : memref<32x64xf32>
// CHECK: gpu.func @long_column_sum_1
// CHECK-SAME: exec.grid = #exec.grid<points = 64, perRow = false, pointsPerBlock = 32>
// CHECK: arith.addf {{.*}}, %cst
// CHECK-NEXT: memref.store {{.*}} : memref<64xf32>
func.func @long_column_sum(%x: tensor<4096x64xf32>) -> tensor<64xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// CHECK-LABEL: gpu.module @long_sum
// CHECK: gpu.func @long_sum_0
// CHECK-SAME: points = 64, perRow = false
// CHECK: gpu.func @long_sum_1
// CHECK-SAME: points = 1, perRow = false
func.func @long_sum(%x: tensor<65536xf32>) -> tensor<f32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<65536xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}

// A predicate of elements is reduced as a mask in memory is, and beside sums.

// CHECK-LABEL: gpu.module @all_finite {{.*}} {
// CHECK: gpu.func @all_finite_0
// CHECK-SAME: points = 2000, perRow = false, pointsPerBlock = 1>
// CHECK: arith.cmpf olt
// CHECK: arith.extui
// CHECK-NOT: to %c10000000
// CHECK: gpu.func @all_finite_1
func.func @all_finite(%x: tensor<1000x10000xf32>) -> tensor<i1> attributes {exec.kernel} {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %p = stablehlo.is_finite %x : (tensor<1000x10000xf32>) -> tensor<1000x10000xi1>
  %a = stablehlo.reduce(%p init: %true) applies stablehlo.and across dimensions = [0, 1] : (tensor<1000x10000xi1>, tensor<i1>) -> tensor<i1>
  return %a : tensor<i1>
}

// CHECK-LABEL: gpu.module @sum_and_all {{.*}} {
// CHECK: gpu.func @sum_and_all_0
// CHECK-SAME: points = 2000, perRow = false, pointsPerBlock = 1>
// CHECK-NOT: to %c10000000
// CHECK: scf.for {{.*}} -> (i8, f32)
// CHECK-NOT: to %c10000000
// CHECK: gpu.func @sum_and_all_1
// CHECK-NOT: gpu.func
func.func @sum_and_all(%x: tensor<1000x10000xf32>) -> (tensor<f32>, tensor<i1>) attributes {exec.kernel} {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.is_finite %x : (tensor<1000x10000xf32>) -> tensor<1000x10000xi1>
  %a = stablehlo.reduce(%p init: %true) applies stablehlo.and across dimensions = [0, 1] : (tensor<1000x10000xi1>, tensor<i1>) -> tensor<i1>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<1000x10000xf32>, tensor<f32>) -> tensor<f32>
  return %s, %a : tensor<f32>, tensor<i1>
}

// A product of complex numbers has accumulators of one type: one thread does
// it, in a function without the sum of the same elements.

// CHECK-LABEL: gpu.module @product_and_sum {{.*}} {
// CHECK: gpu.func @product_and_sum_0
// CHECK: scf.for {{.*}} to %c65536 step %c1 {{.*}} -> (f32, f32)
// CHECK: gpu.func @product_and_sum_1
// CHECK-SAME: points = 64, perRow = false
// CHECK-NOT: to %c65536
func.func @product_and_sum(%x: tensor<65536xf32>, %y: tensor<65536xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %p:2 = stablehlo.reduce(%x init: %one), (%y init: %zero) across dimensions = [0] : (tensor<65536xf32>, tensor<65536xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
    %ab = stablehlo.multiply %a, %b : tensor<f32>
    %cd = stablehlo.multiply %c, %d : tensor<f32>
    %ad = stablehlo.multiply %a, %d : tensor<f32>
    %bc = stablehlo.multiply %b, %c : tensor<f32>
    %re = stablehlo.subtract %ab, %cd : tensor<f32>
    %im = stablehlo.add %ad, %bc : tensor<f32>
    stablehlo.return %re, %im : tensor<f32>, tensor<f32>
  }
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<65536xf32>, tensor<f32>) -> tensor<f32>
  return %s, %p#0, %p#1 : tensor<f32>, tensor<f32>, tensor<f32>
}

// Reductions over different dimensions are functions of their own, which all
// threads of the one before have left. The mean is part of the first.

// CHECK-LABEL: gpu.module @mean_and_bias {
// CHECK: gpu.func @mean_and_bias_0
// CHECK-SAME: points = 1, perRow = false
// CHECK: arith.divf
// CHECK: gpu.func @mean_and_bias_1
// CHECK-SAME: points = 8, perRow = false
// CHECK-NOT: gpu.func
func.func @mean_and_bias(%x: tensor<64x8xf32>) -> (tensor<f32>, tensor<8xf32>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<512.0> : tensor<f32>
  %m = stablehlo.divide %s, %n : tensor<f32>
  %b = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %m, %b : tensor<f32>, tensor<8xf32>
}

// A scatter: threads share its windows, whose elements are apart. Each thread
// passes through all updates, in order.

// CHECK-LABEL: gpu.module @scatter
// CHECK: gpu.func @scatter_1
// CHECK-SAME: exec.grid = #exec.grid<points = 4, perRow = false, pointsPerBlock = 4>
// CHECK-SAME: known_block_size = array<i32: 4, 1, 1>
// CHECK: %[[COLUMN:.*]] = arith.remui %{{.*}}, %c4
// CHECK: scf.for %[[UPDATE:.*]] = %c0 to %c6
// CHECK-NOT: scf.for
// CHECK: %[[ROW:.*]] = arith.index_cast
// CHECK: memref.load %[[Y:.*]][%[[ROW]], %[[COLUMN]]] : memref<10x4xf32>
// CHECK: memref.load %{{.*}}[%[[UPDATE]], %[[COLUMN]]] : memref<6x4xf32>
// CHECK: memref.store %{{.*}}, %[[Y]][%[[ROW]], %[[COLUMN]]]
func.func @scatter(%x: tensor<10x4xf32>, %i: tensor<6x1xi64>, %u: tensor<6x4xf32>) -> tensor<10x4xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x4xf32>, tensor<6x1xi64>, tensor<6x4xf32>) -> tensor<10x4xf32>
  return %y : tensor<10x4xf32>
}

// Of many updates, several threads take those of a column, each of them for the
// rows that it owns. A warp asks for 32 updates together which of them are its
// threads', and does these in order.

// CHECK-LABEL: gpu.module @owners
// CHECK: gpu.func @owners_1
// CHECK-SAME: exec.grid = #exec.grid<points = 32, perRow = false, pointsPerBlock = 32>
// CHECK: %[[COLUMN:.*]] = arith.remui %[[THREAD:.*]], %c4
// CHECK: %[[OWNER:.*]] = arith.divui %[[THREAD]], %c4
// CHECK: scf.for %[[FIRST:.*]] = %c0 to %c60 step %c32
// CHECK: %[[ASKED:.*]] = arith.minsi %{{.*}}, %c59
// CHECK: memref.load %[[INDICES:.*]][%[[ASKED]], %c0] : memref<60x1xi64>
// CHECK: %[[VOTES:.*]] = nvvm.vote.ballot.sync %c-1_i32
// CHECK: scf.for {{.*}} iter_args(%[[LEFT:.*]] = %[[VOTES]])
// CHECK: %[[BIT:.*]] = math.cttz %[[LEFT]]
// CHECK: %[[UPDATE:.*]] = arith.addi %[[FIRST]], %{{.*}}
// CHECK: memref.load %[[INDICES]][%[[UPDATE]], %c0] : memref<60x1xi64>
// CHECK: scf.if
// CHECK-NEXT: %[[ITS:.*]] = arith.remui %[[ROW:.*]], %c8
// CHECK: %[[IS_OWN:.*]] = arith.cmpi eq, %[[ITS]], %[[OWNER]]
// CHECK: scf.if %[[IS_OWN]]
// CHECK-NEXT: memref.load %{{.*}}[%[[ROW]], %[[COLUMN]]] : memref<10x4xf32>
// CHECK-NEXT: memref.load %{{.*}}[%[[UPDATE]], %[[COLUMN]]] : memref<60x4xf32>
func.func @owners(%x: tensor<10x4xf32>, %i: tensor<60x1xi64>, %u: tensor<60x4xf32>) -> tensor<10x4xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x4xf32>, tensor<60x1xi64>, tensor<60x4xf32>) -> tensor<10x4xf32>
  return %y : tensor<10x4xf32>
}

// Lists of ids are one loop, in which the indices of eight times 32 updates are
// loaded together. What is left takes a loop of its own.

// CHECK-LABEL: gpu.module @lists
// CHECK: gpu.func @lists_1
// CHECK: scf.for %{{.*}} = %c0 to %c512 step %c256
// CHECK-COUNT-8: memref.load {{.*}} : memref<20x30x1xi64>
// CHECK: nvvm.vote.ballot.sync
// CHECK: scf.for %{{.*}} = %c512 to %c600 step %c32
func.func @lists(%x: tensor<10x4xf32>, %i: tensor<20x30x1xi64>, %u: tensor<20x30x4xf32>) -> tensor<10x4xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>} : (tensor<10x4xf32>, tensor<20x30x1xi64>, tensor<20x30x4xf32>) -> tensor<10x4xf32>
  return %y : tensor<10x4xf32>
}

// Where the owner of an update depends on the sample, which is a thread's, each
// thread asks for itself. Which elements these are is loaded for eight updates
// together.

// CHECK-LABEL: gpu.module @samples
// CHECK: gpu.func @samples_1
// CHECK-NOT: nvvm.vote.ballot.sync
// CHECK: scf.for %{{.*}} = %c0 to %c56{{.*}} step %c8
// CHECK-COUNT-8: memref.load {{.*}} : memref<6x60x1xi64>
// CHECK: scf.for {{.*}} to %c60
func.func @samples(%x: tensor<6x10xf32>, %i: tensor<6x60x1xi64>, %u: tensor<6x60xf32>) -> tensor<6x10xf32> attributes {exec.kernel} {
  %y = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [0], inserted_window_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<6x10xf32>, tensor<6x60x1xi64>, tensor<6x60xf32>) -> tensor<6x10xf32>
  return %y : tensor<6x10xf32>
}

// Windows that do not overlap have elements of their own, each a thread.

// CHECK-LABEL: gpu.module @pool
// CHECK: gpu.func @pool_1
// CHECK-SAME: exec.grid = #exec.grid<points = 54, perRow = false, pointsPerBlock = 64>
func.func @pool(%x: tensor<2x6x6x3xf32>, %y: tensor<2x3x3x3xf32>) -> tensor<2x6x6x3xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = "stablehlo.select_and_scatter"(%x, %y, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x6x6x3xf32>, tensor<2x3x3x3xf32>, tensor<f32>) -> tensor<2x6x6x3xf32>
  return %z : tensor<2x6x6x3xf32>
}

// A row of a factor needs those before it; threads share the matrices.

// CHECK-LABEL: gpu.module @factor
// CHECK: gpu.func @factor_0
// CHECK-SAME: exec.grid = #exec.grid<points = 5, perRow = false, pointsPerBlock = 8>
// CHECK: scf.for
func.func @factor(%x: tensor<5x4x4xf32>) -> tensor<5x4x4xf32> attributes {exec.kernel} {
  %y = stablehlo.cholesky %x, lower = true : tensor<5x4x4xf32>
  return %y : tensor<5x4x4xf32>
}

// Lines of a sort have memory of their own.

// CHECK-LABEL: gpu.module @sorted
// CHECK-SAME: exec.scratch = array<i64: 1920>
// CHECK: gpu.func @sorted_0
// CHECK-SAME: exec.grid = #exec.grid<points = 6, perRow = false, pointsPerBlock = 8>
func.func @sorted(%x: tensor<6x40xf32>) -> tensor<6x40xf32> attributes {exec.kernel} {
  %y = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }) : (tensor<6x40xf32>) -> tensor<6x40xf32>
  return %y : tensor<6x40xf32>
}

// Columns that are enough threads have one lane each, whose elements are under
// way together, and nothing meets in shared memory; fewer have two lanes.

// CHECK-LABEL: gpu.module @many_columns
// CHECK: gpu.func @many_columns_0
// CHECK-NOT: workgroup
// CHECK-SAME: exec.grid = #exec.grid<points = 300000, perRow = false, pointsPerBlock = 256>
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @many_columns(%x: tensor<16x300000xf32>) -> tensor<300000xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16x300000xf32>, tensor<f32>) -> tensor<300000xf32>
  return %s : tensor<300000xf32>
}

// CHECK-LABEL: gpu.module @fewer_columns
// CHECK: exec.grid = #exec.grid<points = 200000, perRow = false, pointsPerBlock = 128>
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
func.func @fewer_columns(%x: tensor<16x200000xf32>) -> tensor<200000xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16x200000xf32>, tensor<f32>) -> tensor<200000xf32>
  return %s : tensor<200000xf32>
}

// Indices of known loops are divided in 32 bits, behind those of rows.

// CHECK-LABEL: gpu.module @divide
// CHECK: arith.remui {{.*}} : index
// CHECK: %[[NUMBER:.*]] = arith.index_castui {{.*}} : index to i32
// CHECK: arith.remui %[[NUMBER]], {{.*}} : i32
func.func @divide(%x: tensor<?x3x5x7xf32>) -> tensor<?x7x3x5xf32> attributes {exec.kernel} {
  %y = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<?x3x5x7xf32>) -> tensor<?x7x3x5xf32>
  return %y : tensor<?x7x3x5xf32>
}
