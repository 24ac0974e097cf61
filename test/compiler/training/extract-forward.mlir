// RUN: ps-opt %s --pass-pipeline="builtin.module(func.func(ps-extract-forward))" | FileCheck %s

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)

// Updates go, and so does the gradient that only they need.

// CHECK-LABEL: @train
func.func @train(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[W:.*]] = ps.read @w
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %[[W]], %arg0
  // CHECK-NEXT: return %[[Y]]
  %w = ps.read @w : tensor<4xf32>
  %y = stablehlo.multiply %w, %x : tensor<4xf32>
  %grad = stablehlo.negate %x : tensor<4xf32>
  ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  ps.assign @w, %grad : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: @transfers
func.func @transfers(%grad: tensor<4xf32>) {
  // CHECK-NEXT: return
  %t = ps.send @w rows(0, 4), %grad to(@pserver_0) block("w") : tensor<4xf32>
  %b = ps.send_barrier(%t) to([@pserver_0])
  %r = ps.recv @w rows(0, 4) from(@pserver_0) block("w") after(%b)
  %f = ps.fetch_barrier(%r) to([@pserver_0])
  return
}

// What a trainer has not sent stays as it is.

ps.variable @w.unsent : tensor<4xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false, transient}

// CHECK-LABEL: @largest
func.func @largest(%grad: tensor<4xf32>) {
  // CHECK-NEXT: return
  %l = ps.take_largest @w.unsent rows(0, 4), %grad : tensor<4xf32> -> tensor<1x2xui32>
  %t = ps.send @w rows(0, 4), %l to(@pserver_0) block("w") : tensor<1x2xui32>
  return
}

// A trainer alone is the mean of all trainers.

// CHECK-LABEL: @reductions
func.func @reductions(%grad: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %arg0
  %b = ps.broadcast @w channel(1)
  %m = ps.all_reduce %grad channel(0) : tensor<4xf32>
  ps.apply @w, %m using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  return %m : tensor<4xf32>
}

// Rows are looked up, but none come into being: for lookups that are left, and
// in the same process or from pservers.

ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// CHECK-LABEL: @tables
func.func @tables(%i: tensor<4xi64>, %j: tensor<4xi64>, %g: tensor<4x2xf32>) -> tensor<4x2xf32> {
  // CHECK-NEXT: %[[R:.*]] = ps.prefetch @emb[%arg1] from([@pserver_0]) paddings([3]) frozen :
  // CHECK-NEXT: %[[E:.*]] = ps.lookup @emb[%arg1] in(%[[R]])
  // CHECK-NEXT: return %[[E]]
  %r = ps.prefetch @emb[%i, %j] from([@pserver_0]) paddings([unit, 3]) : (tensor<4xi64>, tensor<4xi64>) -> !ps.rows<2 x f32>
  %0 = ps.lookup @emb[%i] in(%r) : (tensor<4xi64>, !ps.rows<2 x f32>) -> tensor<4x2xf32>
  %1 = ps.lookup @emb[%j] in(%r) {padding_idx = 3 : i64} : (tensor<4xi64>, !ps.rows<2 x f32>) -> tensor<4x2xf32>
  %2 = ps.lookup_gradient @emb[%i] in(%r), %g : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  %t = ps.push_rows @emb, %2 to([@pserver_0]) : !ps.rows<2 x f32>
  ps.apply_rows @emb, %2 using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: @no_lookup
func.func @no_lookup(%i: tensor<4xi64>, %g: tensor<4x2xf32>) {
  // CHECK-NEXT: return
  %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
  %0 = ps.lookup_gradient @emb[%i] in(%r), %g : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  ps.update_rows @emb, %0 with(@emb.update_row) : !ps.rows<2 x f32>
  return
}
func.func private @emb.update_row(%grad: tensor<2xf32> {ps.feed = "grad"}) attributes {ps.row_of = @emb} {
  return
}
