// In mode half-async workers merge what they push, although sends have no
// barrier.

// RUN: ps-opt %s --ps-add-workers="workers=2 merge-pushes" | FileCheck %s
// RUN: ps-opt %s --ps-add-workers=workers=2 | FileCheck %s --check-prefix=ALONE

ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
ps.variable @w.unsent : tensor<4xf32> init(#ps.constant<0.0>) {trainable = false}
ps.table @emb : tensor<9x2xf32> init(#ps.constant<1.0>)
// CHECK: func.func @step(%[[X0:.*]]: tensor<4xf32> {{{.*}}}, %[[I0:.*]]: tensor<3xi64> {{{.*}}}, %[[X1:.*]]: tensor<4xf32> {{{.*}}}, %[[I1:.*]]: tensor<3xi64> {
// CHECK: ps.prefetch @emb[%[[I0]], %[[I1]]]
// CHECK: ps.push_rows @emb
// CHECK-NOT: ps.push_rows @emb
// CHECK: %[[SUM:.*]] = stablehlo.add %[[X0]], %[[X1]]
// CHECK: %[[MEAN:.*]] = stablehlo.multiply %{{.*}}, %[[SUM]]
// CHECK: %[[LARGEST:.*]] = ps.take_largest @w.unsent rows(0, 4), %[[MEAN]]
// CHECK-NOT: ps.take_largest
// CHECK: ps.send @w rows(0, 4), %[[LARGEST]]
// CHECK-NOT: ps.send

// ALONE: ps.take_largest @w.unsent rows(0, 4), %arg0
// ALONE: ps.take_largest @w.unsent rows(0, 4), %arg2
// ALONE-COUNT-2: ps.send @w
func.func @step(%x: tensor<4xf32> {ps.feed = "x"}, %i: tensor<3xi64> {ps.feed = "i"}) {
  %r = ps.prefetch @emb[%i] from([@pserver_0]) : (tensor<3xi64>) -> !ps.rows<2 x f32>
  %e = ps.lookup @emb[%i] in(%r) : (tensor<3xi64>, !ps.rows<2 x f32>) -> tensor<3x2xf32>
  %g = ps.lookup_gradient @emb[%i] in(%r), %e : (tensor<3xi64>, !ps.rows<2 x f32>, tensor<3x2xf32>) -> !ps.rows<2 x f32>
  %p = ps.push_rows @emb, %g to([@pserver_0]) : !ps.rows<2 x f32>
  %l = ps.take_largest @w.unsent rows(0, 4), %x : tensor<4xf32> -> tensor<1x2xui32>
  %s = ps.send @w rows(0, 4), %l to(@pserver_0) block("w") : tensor<1x2xui32>
  %v = ps.recv @w rows(0, 4) from(@pserver_0) block("w") after(%s)
  return
}
