// RUN: ps-opt %s --ps-schedule-gpu --split-input-file | FileCheck %s

// What test/grid runs is done by tiles.
// RUN: ps-opt %S/../../grid/Inputs/transposes.mlir --ps-schedule-gpu | FileCheck %s --check-prefix=GRID
// GRID-COUNT-6: gpu.func {{.*}} workgroup(%{{.*}} : memref<32x33x
// GRID-NOT: gpu.func

// A block moves a tile through shared memory, whose rows are an element longer
// than the tile's. What comes after the transpose is done on the way out.

// CHECK-LABEL: gpu.module @transpose {
// CHECK: gpu.func @transpose_0
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<32x33xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME: exec.grid = #exec.grid<points = 6, perRow = true, pointsPerBlock = 1>
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: %[[X:.*]] = arith.remui %{{.*}}, %c32
// CHECK: %[[Y:.*]] = arith.divui %{{.*}}, %c32
// CHECK-COUNT-4: memref.load %{{.*}} : memref<?x64x96xf32>
// CHECK-NOT: memref.load
// CHECK: memref.store %{{.*}}, %[[TILE]][%[[Y]], %[[X]]]
// CHECK-COUNT-3: memref.store %{{.*}}, %[[TILE]]
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: memref.load %[[TILE]][%[[X]], %[[Y]]]
// CHECK-NEXT: arith.negf
// CHECK-COUNT-3: memref.load %[[TILE]]
// CHECK-NOT: scf.if
// CHECK-COUNT-4: memref.store %{{.*}} : memref<?x96x64xf32>
// CHECK-NOT: gpu.func
func.func @transpose(%x: tensor<?x64x96xf32>) -> tensor<?x96x64xf32> attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<?x64x96xf32>) -> tensor<?x96x64xf32>
  %1 = stablehlo.negate %0 : tensor<?x96x64xf32>
  return %1 : tensor<?x96x64xf32>
}

// -----

// Threads beyond the end of a loop store nothing.

// CHECK-LABEL: gpu.module @ragged {
// CHECK: points = 6, perRow = false, pointsPerBlock = 1
// CHECK: arith.minsi
// CHECK: gpu.barrier
// CHECK-COUNT-4: scf.if
func.func @ragged(%x: tensor<45x67xf32>) -> tensor<67x45xf32> attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<45x67xf32>) -> tensor<67x45xf32>
  return %0 : tensor<67x45xf32>
}

// -----

// Neighbors stay neighbors, or there are few of them: no tiles.

// CHECK-LABEL: gpu.module @heads {
// CHECK-NOT: gpu.barrier
// CHECK-LABEL: gpu.module @narrow {
// CHECK-NOT: gpu.barrier
func.func @heads(%x: tensor<?x32x4x64xf32>) -> tensor<?x4x32x64xf32> attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1, 3] : (tensor<?x32x4x64xf32>) -> tensor<?x4x32x64xf32>
  return %0 : tensor<?x4x32x64xf32>
}
func.func @narrow(%x: tensor<64x4xf32>) -> tensor<4x64xf32> attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x4xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}
