// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-pull-early))" | FileCheck %s

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)

// A pull waits for the pushes of its blocks, and for what else it waited for;
// the fetch barrier waits for what the pull no longer does.

// CHECK-LABEL: @pushed
exec.program @pushed arena(32) {
  %a = exec.variable @a : memref<4xf32>
  %b = exec.variable @b : memref<4xf32>
  %da = exec.buffer offset(0) : memref<4xf32>
  %db = exec.buffer offset(16) : memref<4xf32>
  // CHECK: %[[K:.*]] = exec.copy
  %t0 = exec.copy %a to %da : memref<4xf32>, memref<4xf32>
  // CHECK: %[[A0:.*]] = exec.send rows(0, 2) {{.*}} block("a.block0")
  %a0 = exec.send rows(0, 2) %da to(@pserver_0) block("a.block0") after(%t0) : memref<4xf32>
  // CHECK: %[[A1:.*]] = exec.send rows(2, 2) {{.*}} block("a.block1", "b")
  %a1 = exec.send rows(2, 2) %da, rows(0, 4) %db to(@pserver_0) block("a.block1", "b") after(%t0) : memref<4xf32>, memref<4xf32>
  // CHECK: %[[BARRIER:.*]] = exec.send_barrier
  %barrier = exec.send_barrier to([@pserver_0]) after(%a0, %a1)
  // CHECK: %[[R0:.*]] = exec.recv {{.*}} block("a.block0") after(%[[A0]], %[[K]])
  %r0 = exec.recv rows(0, 2) %a from(@pserver_0) block("a.block0") after(%barrier, %t0) : memref<4xf32>
  // CHECK: %[[R1:.*]] = exec.recv {{.*}} block("a.block0", "b") after(%[[A0]], %[[A1]])
  %r1 = exec.recv rows(0, 2) %a, rows(0, 4) %b from(@pserver_0) block("a.block0", "b") after(%barrier) : memref<4xf32>, memref<4xf32>
  // CHECK: exec.fetch_barrier {{.*}} after(%[[R0]], %[[R1]], %[[BARRIER]])
  %fetch = exec.fetch_barrier to([@pserver_0]) after(%r0, %r1)
}

// A block that another server holds, or that is not pushed, is answered when
// the step is over.

// CHECK-LABEL: @not_pushed
exec.program @not_pushed arena(16) {
  %a = exec.variable @a : memref<4xf32>
  %b = exec.variable @b : memref<4xf32>
  %da = exec.buffer offset(0) : memref<4xf32>
  %s = exec.send rows(0, 4) %da to(@pserver_0) block("a") : memref<4xf32>
  // CHECK: %[[BARRIER:.*]] = exec.send_barrier
  %barrier = exec.send_barrier to([@pserver_0, @pserver_1]) after(%s)
  // CHECK: exec.recv {{.*}} block("b") after(%[[BARRIER]])
  %r0 = exec.recv rows(0, 4) %b from(@pserver_0) block("b") after(%barrier) : memref<4xf32>
  // CHECK: exec.recv {{.*}} block("a", "b") after(%[[BARRIER]])
  %r1 = exec.recv rows(0, 4) %a, rows(0, 4) %b from(@pserver_0) block("a", "b") after(%barrier) : memref<4xf32>, memref<4xf32>
  // CHECK: exec.recv {{.*}} block("a") after(%[[BARRIER]])
  %r2 = exec.recv rows(0, 4) %a from(@pserver_1) block("a") after(%barrier) : memref<4xf32>
}

// -----

// What is updated in the second round depends on all that is pushed in the
// first.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @two_rounds
exec.program @two_rounds arena(16) {
  %a = exec.variable @a : memref<4xf32>
  %da = exec.buffer offset(0) : memref<4xf32>
  %s = exec.send rows(0, 4) %da to(@pserver_0) block("a") round(1) : memref<4xf32>
  // CHECK: %[[BARRIER:.*]] = exec.send_barrier
  %barrier = exec.send_barrier to([@pserver_0]) round(1) after(%s)
  // CHECK: exec.recv {{.*}} after(%[[BARRIER]])
  %r = exec.recv rows(0, 4) %a from(@pserver_0) block("a") round(1) after(%barrier) : memref<4xf32>
}

// -----

// The caller runs it once in a while, and waits for all of it.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @exchange every(4)
exec.program @exchange every(4) arena(16) {
  %a = exec.variable @a : memref<4xf32>
  %da = exec.buffer offset(0) : memref<4xf32>
  %s = exec.send rows(0, 4) %da to(@pserver_0) block("a") : memref<4xf32>
  // CHECK: %[[BARRIER:.*]] = exec.send_barrier
  %barrier = exec.send_barrier to([@pserver_0]) after(%s)
  // CHECK: exec.recv {{.*}} after(%[[BARRIER]])
  %r = exec.recv rows(0, 4) %a from(@pserver_0) block("a") after(%barrier) : memref<4xf32>
}
