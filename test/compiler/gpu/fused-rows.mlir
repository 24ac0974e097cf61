// RUN: ps-opt %s --ps-schedule-gpu --split-input-file | FileCheck %s

// A softmax is one function: a warp has a row in registers. Between its stages
// there is no memory, shared or not.

// CHECK-LABEL: gpu.module @softmax {
// CHECK: gpu.func @softmax_0(%{{.*}}: !llvm.ptr {llvm.align = 64 : i64}, %{{.*}}: !llvm.ptr {llvm.align = 64 : i64}, %{{.*}}: i64) kernel
// CHECK-SAME: exec.grid = #exec.grid<points = 1, perRow = true, pointsPerBlock = 8>
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: %[[LANE:.*]] = arith.remui %{{.*}}, %c32
// CHECK: %[[FIRST:.*]] = arith.muli %[[LANE]], %c4
// CHECK-COUNT-8: memref.load
// CHECK-COUNT-7: arith.maximumf
// The lanes combine what they have by halves; all get the first one's result.
// CHECK: gpu.shuffle down %{{.*}}, %c16_i32, %c32_i32 : i32
// CHECK: arith.maximumf
// CHECK: gpu.shuffle down %{{.*}}, %c8_i32, %c32_i32 : i32
// CHECK: gpu.shuffle down %{{.*}}, %c4_i32, %c32_i32 : i32
// CHECK: gpu.shuffle down %{{.*}}, %c2_i32, %c32_i32 : i32
// CHECK: gpu.shuffle down %{{.*}}, %c1_i32, %c32_i32 : i32
// CHECK: gpu.shuffle idx %{{.*}}, %c0_i32, %c32_i32 : i32
// CHECK-NOT: memref
// CHECK-COUNT-6: gpu.shuffle
// CHECK-NOT: memref
// CHECK-COUNT-8: arith.divf
// CHECK-COUNT-8: memref.store %{{.*}} : memref<?x256xf32>
// CHECK-NOT: memref
// CHECK-NOT: gpu.func
func.func @softmax(%x: tensor<?x256xf32>) -> tensor<?x256xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x256xf32>, tensor<f32>) -> tensor<?xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<?xf32>) -> tensor<?x256xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x256xf32>
  %e = stablehlo.exponential %d : tensor<?x256xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x256xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x256xf32>
  %y = stablehlo.divide %e, %sb : tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}

// -----

// A mean that others need is stored by one lane, and read from memory by none.
// Two reductions begin with one zero.

// CHECK-LABEL: gpu.module @center {
// CHECK: gpu.func @center_0
// CHECK: memref.load %[[X:.*]][%[[ROW:.*]], %[[COLUMN:.*]]] : memref<?x32xf32>
// CHECK-COUNT-6: gpu.shuffle
// CHECK: %[[MEAN:.*]] = arith.divf
// CHECK: %[[STORES:.*]] = arith.andi
// CHECK: scf.if %[[STORES]] {
// CHECK-NEXT: memref.store %[[MEAN]], %{{.*}}[%[[ROW]]] : memref<?xf32>
// CHECK-NOT: memref.load
// CHECK: memref.store %{{.*}}[%[[ROW]], %[[COLUMN]]]
// CHECK-NOT: gpu.func
func.func @center(%x: tensor<?x32xf32>) -> (tensor<?x32xf32>, tensor<?xf32>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<32.0> : tensor<f32>
  %nb = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x32xf32>, tensor<f32>) -> tensor<?xf32>
  %m = stablehlo.divide %s, %nb : tensor<?xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<?xf32>) -> tensor<?x32xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x32xf32>
  %q = stablehlo.multiply %d, %d : tensor<?x32xf32>
  %qs = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x32xf32>, tensor<f32>) -> tensor<?xf32>
  %qb = stablehlo.broadcast_in_dim %qs, dims = [0] : (tensor<?xf32>) -> tensor<?x32xf32>
  %y = stablehlo.divide %d, %qb : tensor<?x32xf32>
  return %y, %m : tensor<?x32xf32>, tensor<?xf32>
}

// -----

// A block has a row of more than 1024 columns. Its warps meet in shared memory,
// once for each reduction; the last lane has no fifth column.

// CHECK-LABEL: gpu.module @long_rows {
// CHECK: gpu.func @long_rows_0
// CHECK-SAME: workgroup(%[[SHARED:.*]] : memref<8xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME: pointsPerBlock = 1>
// CHECK: %[[LANE:.*]] = arith.remui %{{.*}}, %c256
// CHECK: %[[LAST:.*]] = arith.addi %[[LANE]], %c1024
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[LAST]], %c1025
// CHECK: arith.minsi %[[LAST]], %c1024
// CHECK-COUNT-5: memref.load
// CHECK-COUNT-4: arith.addf
// CHECK: arith.select %[[INSIDE]]
// CHECK-COUNT-5: gpu.shuffle down
// CHECK-NOT: gpu.shuffle
// CHECK: memref.store %{{.*}}, %[[SHARED]]
// CHECK: gpu.barrier
// CHECK-COUNT-8: memref.load %[[SHARED]]
// CHECK-NOT: gpu.barrier
// CHECK-COUNT-4: memref.store
// CHECK: scf.if %[[INSIDE]] {
// CHECK-NEXT: memref.store
// CHECK-NOT: gpu.func
func.func @long_rows(%x: tensor<?x1025xf32>) -> tensor<?x1025xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x1025xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x1025xf32>
  %y = stablehlo.divide %x, %sb : tensor<?x1025xf32>
  return %y : tensor<?x1025xf32>
}

// -----

// Registers would not hold longer rows: a function for each stage, and a buffer
// between them.

// CHECK-LABEL: gpu.module @too_long
// CHECK-SAME: exec.scratch = array<i64: 4>
// CHECK: gpu.func @too_long_0
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.func @too_long_1
// CHECK-NOT: gpu.shuffle
func.func @too_long(%x: tensor<?x8193xf32>) -> tensor<?x8193xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x8193xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x8193xf32>
  %y = stablehlo.divide %x, %sb : tensor<?x8193xf32>
  return %y : tensor<?x8193xf32>
}

// -----

// A row needs the sums of all others: two functions. The sums alone are reduced
// by lanes of one warp for each row.

// CHECK-LABEL: gpu.module @other_rows
// CHECK-SAME: exec.scratch = array<i64: 256>
// CHECK: gpu.func @other_rows_0
// CHECK: gpu.shuffle
// CHECK: gpu.func @other_rows_1
// CHECK-NOT: gpu.shuffle
func.func @other_rows(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
  %y = stablehlo.divide %x, %sb : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// Five columns are done by four lanes; eight rows by a warp. Both accumulators
// of an arg-max move: indices have two halves.

// CHECK-LABEL: gpu.module @argmax {
// CHECK: gpu.func @argmax_0
// CHECK-SAME: pointsPerBlock = 64>
// CHECK: arith.remui %{{.*}}, %c4
// CHECK-COUNT-3: gpu.shuffle down %{{.*}}, %c2_i32, %c32_i32 : i32
// CHECK-COUNT-3: gpu.shuffle down %{{.*}}, %c1_i32, %c32_i32 : i32
// CHECK: %[[FIRST:.*]] = arith.andi %{{.*}}, %c28_i32 : i32
// CHECK-COUNT-3: gpu.shuffle idx %{{.*}}, %[[FIRST]], %c32_i32 : i32
// CHECK-NOT: gpu.shuffle
func.func @argmax(%x: tensor<?x5xf32>) -> (tensor<?xf32>, tensor<?xi64>) attributes {exec.kernel} {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i64>
  %i = stablehlo.iota dim = 0 : tensor<5xi64>
  %ib = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<5xi64>) -> tensor<?x5xi64>
  %v:2 = stablehlo.reduce(%x init: %low), (%ib init: %z) across dimensions = [1] : (tensor<?x5xf32>, tensor<?x5xi64>, tensor<f32>, tensor<i64>) -> (tensor<?xf32>, tensor<?xi64>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ai: tensor<i64>, %bi: tensor<i64>) {
    %nan = stablehlo.compare NE, %b, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %gt = stablehlo.compare GT, %b, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %or = stablehlo.or %gt, %nan : tensor<i1>
    %r = stablehlo.select %or, %b, %a : tensor<i1>, tensor<f32>
    %ri = stablehlo.select %or, %bi, %ai : tensor<i1>, tensor<i64>
    stablehlo.return %r, %ri : tensor<f32>, tensor<i64>
  }
  return %v#0, %v#1 : tensor<?xf32>, tensor<?xi64>
}

// -----

// What needs a sum of rows joins it, past a sum of columns that has nothing to
// do with either; a stage that needs both does not.

// CHECK-LABEL: gpu.module @past_columns {
// CHECK: gpu.func @past_columns_0
// CHECK-SAME: exec.grid = #exec.grid<points = 16, perRow = false, pointsPerBlock = 32>
// CHECK: gpu.shuffle
// CHECK: arith.divf
// CHECK: gpu.func @past_columns_1
// CHECK-SAME: exec.grid = #exec.grid<points = 10, perRow = false
// CHECK: gpu.barrier
// CHECK-NOT: arith.divf
// CHECK: gpu.func @past_columns_2
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.func
func.func @past_columns(%x: tensor<16x10xf32>) -> (tensor<16xf32>, tensor<10xf32>, tensor<16x10xf32>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<10.0> : tensor<16xf32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x10xf32>, tensor<f32>) -> tensor<16xf32>
  %c = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16x10xf32>, tensor<f32>) -> tensor<10xf32>
  %m = stablehlo.divide %s, %n : tensor<16xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<16xf32>) -> tensor<16x10xf32>
  %cb = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<10xf32>) -> tensor<16x10xf32>
  %y = stablehlo.multiply %mb, %cb : tensor<16x10xf32>
  return %m, %c, %y : tensor<16xf32>, tensor<10xf32>, tensor<16x10xf32>
}
