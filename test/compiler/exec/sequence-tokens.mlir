// RUN: ps-opt %s --pass-pipeline="builtin.module(exec.program(ps-sequence-tokens,ps-verify-exec))" | FileCheck %s

ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)

// A reader waits for the writer; two readers do not wait for each other; the
// next writer waits for both, and so not for the first writer.

// CHECK-LABEL: @conflicts
exec.program @conflicts arena(192) {
  %x = exec.feed "x" : memref<4x4xf32>
  %a = exec.buffer offset(0) : memref<4x4xf32>
  %b = exec.buffer offset(64) : memref<4x4xf32>
  %c = exec.buffer offset(128) : memref<4x4xf32>
  %d = exec.buffer offset(0) : memref<4x4xf32>
  // CHECK: %[[T0:.*]] = exec.copy %{{[0-9]+}} to %{{[0-9]+}} : memref
  %t0 = exec.copy %x to %a : memref<4x4xf32>, memref<4x4xf32>
  // CHECK: %[[T1:.*]] = exec.copy {{.*}} after(%[[T0]])
  %t1 = exec.copy %a to %b : memref<4x4xf32>, memref<4x4xf32>
  // CHECK: %[[T2:.*]] = exec.copy {{.*}} after(%[[T0]])
  %t2 = exec.copy %a to %c : memref<4x4xf32>, memref<4x4xf32>
  // CHECK: exec.copy {{.*}} after(%[[T2]], %[[T1]])
  %t3 = exec.copy %x to %d : memref<4x4xf32>, memref<4x4xf32>
}

// Blocks of one variable are received at the same time; a token that was there
// before is not repeated.

// CHECK-LABEL: @blocks
exec.program @blocks arena(0) {
  %w = exec.variable @w : memref<4x4xf32>
  // CHECK: %[[B:.*]] = exec.send_barrier
  %b = exec.send_barrier to([@pserver_0])
  // CHECK: exec.recv rows(0, 2) {{.*}} after(%[[B]])
  %r0 = exec.recv rows(0, 2) %w from(@pserver_0) block("w.block0") after(%b) : memref<4x4xf32>
  // CHECK: exec.recv rows(2, 2) {{.*}} after(%[[B]])
  %r1 = exec.recv rows(2, 2) %w from(@pserver_0) block("w.block1") after(%b) : memref<4x4xf32>
}

// A block waits for the reader of the whole.

// CHECK-LABEL: @reader
exec.program @reader arena(64) {
  %w = exec.variable @w : memref<4x4xf32>
  %a = exec.buffer offset(0) : memref<4x4xf32>
  // CHECK: %[[T:.*]] = exec.copy
  %t = exec.copy %w to %a : memref<4x4xf32>, memref<4x4xf32>
  // CHECK: exec.recv rows(0, 2) {{.*}} after(%[[T]])
  %r0 = exec.recv rows(0, 2) %w from(@pserver_0) block("w.block0") : memref<4x4xf32>
  // CHECK: exec.recv rows(2, 2) {{.*}} after(%[[T]])
  %r1 = exec.recv rows(2, 2) %w from(@pserver_0) block("w.block1") : memref<4x4xf32>
}

// Lookups wait for the rows and not for each other; gradients are added one
// after the other, while lookups read values; the update comes last.

ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// CHECK-LABEL: @rows
exec.program @rows arena(128) {
  %s = exec.ragged_feed "s" : memref<?xi64>
  %o = exec.feed "o" : memref<4xi64>
  %i = exec.feed "i" : memref<4xi64>
  %d = exec.feed "d" : memref<4x2xf32>
  %r = exec.rows @emb lookups(2) : !ps.rows<2 x f32>
  %a = exec.buffer offset(0) : memref<4x2xf32>
  %b = exec.buffer offset(64) : memref<4x2xf32>
  // CHECK: %[[P:.*]] = exec.prefetch
  %t0 = exec.prefetch %r ids(%s, %i : memref<?xi64>, memref<4xi64>) : !ps.rows<2 x f32>
  // CHECK: exec.lookup {{.*}} after(%[[P]]) :
  %t1 = exec.lookup %r lookup(0) pool(sum) segments(%o : memref<4xi64>) outs(%a : memref<4x2xf32>) : !ps.rows<2 x f32>
  // CHECK: %[[G:.*]] = exec.lookup_gradient {{.*}} after(%[[P]]) :
  %t2 = exec.lookup_gradient %r lookup(0) pool(sum) segments(%o : memref<4xi64>) ins(%d : memref<4x2xf32>) : !ps.rows<2 x f32>
  // CHECK: exec.lookup {{.*}} after(%[[P]]) :
  %t3 = exec.lookup %r lookup(1) outs(%b : memref<4x2xf32>) : !ps.rows<2 x f32>
  // CHECK: %[[H:.*]] = exec.lookup_gradient {{.*}} after(%[[G]]) :
  %t4 = exec.lookup_gradient %r lookup(1) ins(%d : memref<4x2xf32>) : !ps.rows<2 x f32>
  // CHECK: exec.push_rows {{.*}} after(%[[H]]) :
  %t5 = exec.push_rows %r to([@pserver_0]) : !ps.rows<2 x f32>
}

// Collectives of different bytes come one after another: trainers issue them in
// one order.

ps.variable @v : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @u : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @collectives
exec.program @collectives {
  %v = exec.variable @v : memref<4xf32>
  %u = exec.variable @u : memref<4xf32>
  // CHECK: %[[T0:.*]] = exec.broadcast channel(0) %{{[0-9]+}} : memref
  %t0 = exec.broadcast channel(0) %v : memref<4xf32>
  // CHECK: exec.broadcast channel(1) %{{[0-9]+}} after(%[[T0]])
  %t1 = exec.broadcast channel(1) %u : memref<4xf32>
}
