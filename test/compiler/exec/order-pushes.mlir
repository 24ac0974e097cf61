// RUN: ps-opt %s --pass-pipeline="builtin.module(exec.program(ps-order-pushes))" | FileCheck %s

ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
ps.variable @v : tensor<4x4xf32> init(#ps.constant<0.0>)

// The step reads @w before @v, and backwards @v's gradient comes before @w's:
// that one is pushed first, with what it is computed from. Memory is declared
// before, and results are fetched after all nodes.

// CHECK-LABEL: @dense
exec.program @dense {
  %x = exec.feed "x" : memref<4x4xf32>
  %w = exec.variable @w : memref<4x4xf32>
  %a = exec.buffer : memref<4x4xf32>
  // CHECK: exec.gemm m(4)
  // CHECK-NEXT: %{{.*}} = exec.gemm m(4) {{.*}} outs(%[[Y:.*]] : memref
  // CHECK-NEXT: exec.copy %[[Y]] to %[[GA:.*]] : memref<4x4xf32>, 
  // CHECK-NEXT: exec.copy %[[GA]] to %[[GW:.*]] : memref<4x4xf32>, 
  // CHECK-NEXT: exec.send rows(0, 4) %[[GW]]
  // CHECK-NEXT: exec.copy %[[Y]] to %[[GV:.*]] : memref<4x4xf32>, 
  // CHECK-NEXT: exec.send rows(0, 4) %[[GV]]
  // CHECK-NEXT: exec.send_barrier
  // CHECK-NEXT: exec.recv {{.*}} block("w")
  // CHECK-NEXT: exec.recv {{.*}} block("v")
  // CHECK-NEXT: exec.fetch
  %t0 = exec.gemm m(4) n(4) k(4) ins(%x, %w : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %v = exec.variable @v : memref<4x4xf32>
  %y = exec.buffer : memref<4x4xf32>
  %t1 = exec.gemm m(4) n(4) k(4) ins(%a, %v : memref<4x4xf32>, memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  %gv = exec.buffer : memref<4x4xf32>
  %t2 = exec.copy %y to %gv : memref<4x4xf32>, memref<4x4xf32>
  %s0 = exec.send rows(0, 4) %gv to(@pserver_0) block("v") : memref<4x4xf32>
  %ga = exec.buffer : memref<4x4xf32>
  %t3 = exec.copy %y to %ga : memref<4x4xf32>, memref<4x4xf32>
  %gw = exec.buffer : memref<4x4xf32>
  %t4 = exec.copy %ga to %gw : memref<4x4xf32>, memref<4x4xf32>
  %s1 = exec.send rows(0, 4) %gw to(@pserver_0) block("w") : memref<4x4xf32>
  %b = exec.send_barrier to([@pserver_0]) after(%s0, %s1)
  %r0 = exec.recv rows(0, 4) %w from(@pserver_0) block("w") after(%b) : memref<4x4xf32>
  %r1 = exec.recv rows(0, 4) %v from(@pserver_0) block("v") after(%b) : memref<4x4xf32>
  exec.fetch "y", %y : memref<4x4xf32>
}

// Rows come before everything else, as the next step begins with them.

// CHECK-LABEL: @rows
exec.program @rows {
  %ids = exec.feed "ids" : memref<4xi64>
  %rows = exec.rows @emb lookups(1) : !ps.rows<4 x f32>
  %p = exec.prefetch %rows ids(%ids : memref<4xi64>) from([@pserver_0]) : !ps.rows<4 x f32>
  %e = exec.buffer : memref<4x4xf32>
  %w = exec.variable @w : memref<4x4xf32>
  // CHECK: exec.lookup_gradient
  // CHECK-NEXT: exec.push_rows
  // CHECK-NEXT: exec.copy
  // CHECK-NEXT: exec.send
  %l = exec.lookup %rows lookup(0) outs(%e : memref<4x4xf32>) : !ps.rows<4 x f32>
  %gw = exec.buffer : memref<4x4xf32>
  %t = exec.copy %e to %gw : memref<4x4xf32>, memref<4x4xf32>
  %s = exec.send rows(0, 4) %gw to(@pserver_0) block("w") : memref<4x4xf32>
  %g = exec.lookup_gradient %rows lookup(0) ins(%e : memref<4x4xf32>) : !ps.rows<4 x f32>
  %push = exec.push_rows %rows to([@pserver_0]) : !ps.rows<4 x f32>
  %b = exec.send_barrier to([@pserver_0]) after(%s, %push)
  %r = exec.recv rows(0, 4) %w from(@pserver_0) block("w") after(%b) : memref<4x4xf32>
}

// Nothing moves where nothing is sent.

// CHECK-LABEL: @local
exec.program @local {
  %x = exec.feed "x" : memref<4x4xf32>
  // CHECK: exec.buffer
  // CHECK-NEXT: exec.copy
  // CHECK-NEXT: exec.buffer
  // CHECK-NEXT: exec.copy
  %a = exec.buffer : memref<4x4xf32>
  %t0 = exec.copy %x to %a : memref<4x4xf32>, memref<4x4xf32>
  %b = exec.buffer : memref<4x4xf32>
  %t1 = exec.copy %a to %b : memref<4x4xf32>, memref<4x4xf32>
}

// Collectives keep their order, though the mean of the second is pushed first.

// CHECK-LABEL: @collectives
exec.program @collectives {
  %x = exec.feed "x" : memref<4x4xf32>
  %w = exec.variable @w : memref<4x4xf32>
  %v = exec.variable @v : memref<4x4xf32>
  %a = exec.buffer : memref<4x4xf32>
  %mv = exec.buffer : memref<4x4xf32>
  %mw = exec.buffer : memref<4x4xf32>
  // CHECK: exec.all_reduce channel(0)
  // CHECK: exec.all_reduce channel(1)
  %t0 = exec.gemm m(4) n(4) k(4) ins(%x, %w : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %y = exec.buffer : memref<4x4xf32>
  %t1 = exec.gemm m(4) n(4) k(4) ins(%a, %v : memref<4x4xf32>, memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  %t2 = exec.all_reduce channel(0) ins(%y : memref<4x4xf32>) outs(%mv : memref<4x4xf32>)
  %s0 = exec.send rows(0, 4) %mv to(@pserver_0) block("v") : memref<4x4xf32>
  %t3 = exec.all_reduce channel(1) ins(%a : memref<4x4xf32>) outs(%mw : memref<4x4xf32>)
  %s1 = exec.send rows(0, 4) %mw to(@pserver_0) block("w") : memref<4x4xf32>
  %b = exec.send_barrier to([@pserver_0]) after(%s0, %s1)
  %r0 = exec.recv rows(0, 4) %w from(@pserver_0) block("w") after(%b) : memref<4x4xf32>
  %r1 = exec.recv rows(0, 4) %v from(@pserver_0) block("v") after(%b) : memref<4x4xf32>
}
