// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-overlap-steps,ps-verify-exec))" | FileCheck %s

// The exchange of a step goes on while the next one computes. Who reads a
// variable waits for its pull, who writes a gradient for its push, and the next
// exchange for the last node of this one.

func.func private @neg(%0: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)

// CHECK-LABEL: @step
exec.program @step arena(32) {
  %a = exec.variable @a : memref<4xf32>
  %b = exec.variable @b : memref<4xf32>
  %da = exec.buffer offset(0) : memref<4xf32>
  %db = exec.buffer offset(16) : memref<4xf32>
  // CHECK: %[[KA:.*]] = exec.launch @neg
  %t0 = exec.launch @neg rows(4) ins(%a : memref<4xf32>) outs(%da : memref<4xf32>)
  // CHECK: %[[SA:.*]] = exec.send {{.*}} block("a")
  %t1 = exec.send rows(0, 4) %da to(@pserver_0) block("a") after(%t0) : memref<4xf32>
  // CHECK: %[[KB:.*]] = exec.launch @neg
  %t2 = exec.launch @neg rows(4) ins(%b : memref<4xf32>) outs(%db : memref<4xf32>)
  // CHECK: %[[SB:.*]] = exec.send {{.*}} block("b")
  %t3 = exec.send rows(0, 4) %db to(@pserver_0) block("b") after(%t2) : memref<4xf32>
  // CHECK: %[[B:.*]] = exec.send_barrier
  %t4 = exec.send_barrier to([@pserver_0]) after(%t1, %t3)
  // CHECK: %[[RA:.*]] = exec.recv {{.*}} block("a")
  %t5 = exec.recv rows(0, 4) %a from(@pserver_0) block("a") after(%t0, %t1) : memref<4xf32>
  // CHECK: %[[RB:.*]] = exec.recv {{.*}} block("b")
  %t6 = exec.recv rows(0, 4) %b from(@pserver_0) block("b") after(%t2, %t3) : memref<4xf32>
  // CHECK: %[[F:.*]] = exec.fetch_barrier
  %t7 = exec.fetch_barrier to([@pserver_0]) after(%t4, %t5, %t6)
  // CHECK-NEXT: exec.carry %[[SA]] before(%[[KA]])
  // CHECK-NEXT: exec.carry %[[SB]] before(%[[KB]])
  // CHECK-NEXT: exec.carry %[[B]]{{$}}
  // CHECK-NEXT: exec.carry %[[RA]] before(%[[KA]])
  // CHECK-NEXT: exec.carry %[[RB]] before(%[[KB]])
  // CHECK-NEXT: exec.carry %[[F]] before(%[[SA]], %[[SB]])
  // CHECK-NEXT: }
}

// -----

// A kernel that reads what was pulled in its own step keeps the pull, and all
// that it waits for, in the step; what nothing reads may still be late.

func.func private @neg(%0: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @read_in_the_step
exec.program @read_in_the_step arena(32) {
  %a = exec.variable @a : memref<4xf32>
  %da = exec.buffer offset(0) : memref<4xf32>
  %y = exec.buffer offset(16) : memref<4xf32>
  // CHECK: %[[K:.*]] = exec.launch
  %t0 = exec.launch @neg rows(4) ins(%a : memref<4xf32>) outs(%da : memref<4xf32>)
  // CHECK: %[[S0:.*]] = exec.send {{.*}} block("a.block0")
  %t1 = exec.send rows(0, 2) %da to(@pserver_0) block("a.block0") after(%t0) : memref<4xf32>
  // CHECK: %[[S1:.*]] = exec.send {{.*}} block("a.block1")
  %t2 = exec.send rows(2, 2) %da to(@pserver_1) block("a.block1") after(%t0) : memref<4xf32>
  %t3 = exec.recv rows(0, 2) %a from(@pserver_0) block("a.block0") after(%t0, %t1) : memref<4xf32>
  // CHECK: exec.launch
  // CHECK-NEXT: exec.carry %[[S1]] before(%[[K]], %[[S0]])
  // CHECK-NEXT: }
  %t4 = exec.launch @neg rows(4) ins(%a : memref<4xf32>) outs(%y : memref<4xf32>) after(%t3)
}

// -----

// What the caller fills or reads between steps: a feed that is pushed, and a
// variable that is fetched.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @shared_with_the_caller
exec.program @shared_with_the_caller arena(0) {
  %x = exec.feed "x" : memref<4xf32>
  %a = exec.variable @a : memref<4xf32>
  %b = exec.variable @b : memref<4xf32>
  %t0 = exec.send rows(0, 4) %x to(@pserver_0) block("x") : memref<4xf32>
  // CHECK: %[[B:.*]] = exec.send {{.*}} block("b")
  %t1 = exec.send rows(0, 4) %b to(@pserver_0) block("b") : memref<4xf32>
  %t2 = exec.recv rows(0, 4) %a from(@pserver_0) block("a") : memref<4xf32>
  exec.fetch "a", %a : memref<4xf32>
  // CHECK: exec.fetch
  // CHECK-NEXT: exec.carry %[[B]] before(%{{.*}}, %{{.*}})
  // CHECK-NEXT: }
}

// -----

// The callers of programs that only pull, or that run every so many steps, go
// on with what was pulled.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @startup
exec.program @startup arena(0) {
  %a = exec.variable @a : memref<4xf32>
  %t0 = exec.recv rows(0, 4) %a from(@pserver_0) block("a") : memref<4xf32>
  %t1 = exec.fetch_barrier to([@pserver_0]) after(%t0)
  // CHECK-NOT: exec.carry
}
// CHECK-LABEL: @exchange
exec.program @exchange every(4) arena(0) {
  %a = exec.variable @a : memref<4xf32>
  %t0 = exec.send rows(0, 4) %a to(@pserver_0) block("a") : memref<4xf32>
  %t1 = exec.recv rows(0, 4) %a from(@pserver_0) block("a") after(%t0) : memref<4xf32>
  // CHECK-NOT: exec.carry
}

// -----

// Collectives are not part of the exchange with pservers.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @collective
exec.program @collective arena(0) {
  %a = exec.variable @a : memref<4xf32>
  // CHECK: exec.broadcast
  // CHECK-NEXT: }
  %t0 = exec.broadcast channel(0) %a : memref<4xf32>
}

// -----

// Rows of tables: the gradients of a step leave while the next one computes,
// but its rows take their place. They are asked for early where all ids are fed.

ps.table @emb : tensor<8x4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @rows
exec.program @rows arena(64) {
  %ids = exec.feed "ids" : memref<4xi64>
  %bag = exec.ragged_feed "bag" : memref<?xi64>
  %e = exec.buffer offset(0) : memref<4x4xf32>
  %r = exec.rows @emb lookups(2) : !ps.rows<4 x f32>
  // CHECK: %[[P:.*]] = exec.prefetch {{.*}} early :
  %t0 = exec.prefetch %r ids(%ids, %bag : memref<4xi64>, memref<?xi64>) from([@pserver_0]) : !ps.rows<4 x f32>
  %t1 = exec.lookup %r lookup(0) outs(%e : memref<4x4xf32>) after(%t0) : !ps.rows<4 x f32>
  %t2 = exec.lookup_gradient %r lookup(0) ins(%e : memref<4x4xf32>) after(%t1) : !ps.rows<4 x f32>
  // CHECK: %[[S:.*]] = exec.push_rows
  %t3 = exec.push_rows %r to([@pserver_0]) after(%t2) : !ps.rows<4 x f32>
  // CHECK: exec.carry %[[S]] before(%[[P]])
  // CHECK-NEXT: }
}

// Ids that the step computes, rows of this process, and rows of tables that are
// not to grow.

// CHECK-LABEL: @not_early
// CHECK-NOT: early
exec.program @not_early arena(32) {
  %fed = exec.feed "ids" : memref<4xi64>
  %ids = exec.buffer offset(0) : memref<4xi64>
  %r = exec.rows @emb lookups(2) : !ps.rows<4 x f32>
  %s = exec.rows @emb lookups(1) : !ps.rows<4 x f32>
  %t = exec.rows @emb lookups(1) : !ps.rows<4 x f32>
  %t0 = exec.copy %fed to %ids : memref<4xi64>, memref<4xi64>
  %t1 = exec.prefetch %r ids(%fed, %ids : memref<4xi64>, memref<4xi64>) from([@pserver_0]) after(%t0) : !ps.rows<4 x f32>
  %t2 = exec.prefetch %s ids(%fed : memref<4xi64>) : !ps.rows<4 x f32>
  %t3 = exec.prefetch %t ids(%fed : memref<4xi64>) from([@pserver_0]) frozen : !ps.rows<4 x f32>
}

// -----

// The transfers of an exchange go on in the background of other programs where
// another one uses what they bring; without it they end with the exchange.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @a.pulled : tensor<4xf32> init(#ps.constant<0.0>)

// CHECK-LABEL: @exchange
exec.program @exchange every(8) then(@merge) arena(16) {
  %a = exec.variable @a : memref<4xf32>
  %z = exec.variable @a.pulled : memref<4xf32>
  %d = exec.buffer offset(0) : memref<4xf32>
  // CHECK: %[[K:.*]] = exec.copy
  %t0 = exec.copy %a to %d : memref<4xf32>, memref<4xf32>
  // CHECK: %[[S:.*]] = exec.send
  %t1 = exec.send rows(0, 4) %d to(@pserver_0) block("a") after(%t0) : memref<4xf32>
  // CHECK: %[[R:.*]] = exec.recv
  %t2 = exec.recv rows(0, 4) %z from(@pserver_0) block("a") after(%t1) : memref<4xf32>
  // CHECK-NEXT: exec.carry %[[S]] before(%[[K]])
  // CHECK-NEXT: exec.carry %[[R]] before(%[[S]])
}

// CHECK-LABEL: @at_once
exec.program @at_once every(8) arena(16) {
  %a = exec.variable @a : memref<4xf32>
  %d = exec.buffer offset(0) : memref<4xf32>
  %t0 = exec.copy %a to %d : memref<4xf32>, memref<4xf32>
  %t1 = exec.send rows(0, 4) %d to(@pserver_0) block("a") after(%t0) : memref<4xf32>
  // CHECK-NOT: exec.carry
}
