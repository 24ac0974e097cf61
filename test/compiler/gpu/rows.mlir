// Functions for rows of a table: each row has threads of its own, and moves the
// buffers.
// RUN: ps-opt %s --ps-schedule-gpu | ps-opt --pass-pipeline="builtin.module(gpu.module(ps-index-gpu-rows))" | FileCheck %s
// RUN: ps-opt %s --ps-compile-gpu-kernels="chip=sm_90 rows=true" | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: gpu.func @add_0_rows(
// CHECK-SAME: %[[TO:.*]]: !llvm.ptr, %[[BY:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[SLOTS:.*]]: !llvm.ptr, %[[MOVES:.*]]: !llvm.ptr, %[[COUNT:.*]]: i64)
// CHECK: gpu.block_id
// CHECK: gpu.thread_id
// CHECK: %[[PER_ROW:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK: %[[ROW:.*]] = arith.divui %[[THREAD:.*]], %[[PER_ROW]] : i64
// CHECK: %[[HAS_ROW:.*]] = arith.cmpi slt, %[[ROW]], %[[COUNT]] : i64
// CHECK: scf.if %[[HAS_ROW]] {
// CHECK-NOT: gpu.
// CHECK: arith.remui %[[THREAD]], %[[PER_ROW]] : i64
// CHECK: llvm.getelementptr %[[SLOTS]][%[[ROW]]]
// CHECK: llvm.getelementptr %[[TO]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: llvm.getelementptr %[[BY]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NOT: gpu.block_id
// CHECK: gpu.return

// PTX: name = "add_0_rows"
// PTX-SAME: .entry add_0_rows
// PTX-SAME: .param .u64 add_0_rows_param_5
func.func @add(%x: tensor<?xf32>, %by: tensor<f32>) -> tensor<?xf32> attributes {exec.kernel} {
  %b = stablehlo.broadcast_in_dim %by, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %sum = stablehlo.add %x, %b : tensor<?xf32>
  return %sum : tensor<?xf32>
}
