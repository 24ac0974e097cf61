// RUN: ps-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(ps-stablehlo-to-linalg),cse,ps-bufferize-kernels,func.func(ps-linalg-to-loops),cse)' | FileCheck %s --check-prefix=LOOPS
// RUN: ps-opt %s --split-input-file --ps-compile-kernels | FileCheck %s --check-prefix=LLVM

// Contiguous elementwise work is one flat loop, which LLVM is told is
// parallel. The scalar is read outside.

// LOOPS-LABEL: func.func @scale
// LOOPS: memref.load %{{.*}}[] : memref<f32>
// LOOPS: scf.for
// LOOPS-NOT: scf.for
// LOOPS: return

// LLVM: #[[$GROUP:.*]] = #llvm.access_group
// LLVM: #[[$LOOP:.*]] = #llvm.loop_annotation<{{.*}}parallelAccesses = #[[$GROUP]]>
// LLVM-LABEL: llvm.func @scale(
// LLVM-SAME: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// LLVM-NOT: exec.scratch
// LLVM: llvm.load %{{.*}} {access_groups = [#[[$GROUP]]]}
// LLVM: llvm.fmul
// LLVM: llvm.store {{.*}} {access_groups = [#[[$GROUP]]]}
// LLVM: llvm.br ^{{.*}} {loop_annotation = #[[$LOOP]]}
func.func @scale(%x: tensor<?x4x8xf32>, %s: tensor<f32>) -> tensor<?x4x8xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<?x4x8xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<?x4x8xf32>
  return %1 : tensor<?x4x8xf32>
}

// -----

// A sum along rows is held in a register that starts at the initial value; a
// sum along columns is held in memory, so that its inner loop is parallel.

// LOOPS-LABEL: func.func @sums
// LOOPS: %[[ZERO:.*]] = arith.constant 0.000000e+00
// LOOPS: scf.for %[[J:.*]] =
// LOOPS: memref.store %[[ZERO]], %[[COLUMNS:.*]][%[[J]]]
// LOOPS: scf.for %[[ROW:.*]] =
// LOOPS: scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]])
// LOOPS: memref.load %[[COLUMNS]]
// LOOPS: memref.store %{{.*}}, %[[COLUMNS]]
// LOOPS: scf.yield
// LOOPS: memref.store %{{.*}}, %{{.*}}[%[[ROW]]]
func.func @sums(%x: tensor<16x32xf32>) -> (tensor<16xf32>, tensor<32xf32>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
  %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16x32xf32>, tensor<f32>) -> tensor<32xf32>
  return %0, %1 : tensor<16xf32>, tensor<32xf32>
}

// -----

// The inner loop of a matrix product runs along the contiguous dimension of
// the right-hand side.

// LOOPS-LABEL: func.func @dot
// LOOPS: memref.store
// LOOPS: scf.for %[[M:.*]] =
// LOOPS: scf.for %[[K:.*]] =
// LOOPS: memref.load %{{.*}}[%[[M]], %[[K]]]
// LOOPS: scf.for %[[N:.*]] =
// LOOPS: memref.load %{{.*}}[%[[K]], %[[N]]]
func.func @dot(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>) -> tensor<3x5xf32> attributes {exec.kernel} {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// Intermediates of a row kernel live on the stack, for a block of rows that
// fits in the cache.

// LLVM-LABEL: llvm.func @normalize
// LLVM-NOT: exec.scratch
// LLVM-NOT: @malloc
// LLVM: llvm.alloca
// LLVM: llvm.return
func.func @normalize(%x: tensor<?x100xf32>) -> tensor<?x100xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x100xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x100xf32>
  %r = stablehlo.divide %x, %sb : tensor<?x100xf32>
  return %r : tensor<?x100xf32>
}

// -----

// Large ones are scratch buffers that the caller brings.

// LLVM-LABEL: llvm.func @scratch
// LLVM-SAME: exec.scratch = array<i64: 120000>
// LLVM-NOT: @malloc
// LLVM: llvm.getelementptr %{{.*}}[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// LLVM: llvm.return
func.func @scratch(%x: tensor<100x300xf32>) -> tensor<300xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<100x300xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<100x300xf32>, tensor<f32>) -> tensor<100xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<100xf32>) -> tensor<100x300xf32>
  %d = stablehlo.divide %e, %sb : tensor<100x300xf32>
  %m = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<100x300xf32>, tensor<f32>) -> tensor<300xf32>
  return %m : tensor<300xf32>
}

// -----

// f64 functions come from libm, f32 ones are arithmetic.

// LLVM-LABEL: llvm.func @functions
// LLVM-NOT: expm1f
// LLVM: llvm.call @expm1(
// LLVM: llvm.return
func.func @functions(%x: tensor<4xf32>, %y: tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf64>) attributes {exec.kernel} {
  %0 = stablehlo.exponential_minus_one %x : tensor<4xf32>
  %1 = stablehlo.exponential_minus_one %y : tensor<4xf64>
  return %0, %1 : tensor<4xf32>, tensor<4xf64>
}
