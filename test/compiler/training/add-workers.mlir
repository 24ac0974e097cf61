// RUN: ps-opt %s --split-input-file --ps-add-workers=workers=2 --verify-diagnostics | FileCheck %s
// RUN: ps-opt %s --split-input-file --ps-add-workers=workers=1 -o %t.one
// RUN: ps-opt %s --split-input-file -o %t.none
// RUN: diff %t.one %t.none
// RUN: not ps-opt %s --split-input-file --ps-add-workers=workers=0 2>&1 | FileCheck %s --check-prefix=ZERO

// ZERO: error: expected at least 1 worker, found 0

// An update gets the mean; what depends on no batch is computed once.
ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
// CHECK-LABEL: @dense
// CHECK-SAME: %[[X0:.*]]: tensor<4xf32> {ps.feed = "x", ps.worker = 0 : i64}, %[[X1:.*]]: tensor<4xf32> {ps.feed = "x", ps.worker = 1 : i64})
func.func @dense(%x: tensor<4xf32> {ps.feed = "x"})
    -> (tensor<f32> {ps.fetch = "loss"}, tensor<4xf32> {ps.fetch = "y"}) {
  // CHECK: %[[W:.*]] = ps.read @w
  %w = ps.read @w : tensor<4xf32>
  // CHECK: %[[DECAY:.*]] = stablehlo.multiply %[[W]], %[[W]]
  // CHECK-NOT: stablehlo.multiply %[[W]], %[[W]]
  %decay = stablehlo.multiply %w, %w : tensor<4xf32>
  // CHECK: %[[Y0:.*]] = stablehlo.multiply %[[W]], %[[X0]]
  // CHECK: %[[Y1:.*]] = stablehlo.multiply %[[W]], %[[X1]]
  %y = stablehlo.multiply %w, %x : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: %[[LOSS0:.*]] = stablehlo.reduce(%[[Y0]]
  // CHECK: %[[LOSS1:.*]] = stablehlo.reduce(%[[Y1]]
  %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  // The sum with what all share comes after the mean.
  // CHECK: %[[SUM:.*]] = stablehlo.add %[[Y0]], %[[Y1]]
  // CHECK: %[[HALF:.*]] = stablehlo.constant dense<5.000000e-01>
  // CHECK: %[[MEAN:.*]] = stablehlo.multiply %[[HALF]], %[[SUM]]
  // CHECK: %[[G:.*]] = stablehlo.add %[[MEAN]], %[[DECAY]]
  // CHECK: ps.apply @w, %[[G]]
  %g = stablehlo.add %y, %decay : tensor<4xf32>
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  // A number is the mean of the workers', anything else the first one's.
  // CHECK: %[[LOSSES:.*]] = stablehlo.add %[[LOSS0]], %[[LOSS1]]
  // CHECK: %[[LOSS:.*]] = stablehlo.multiply %{{.*}}, %[[LOSSES]]
  // CHECK: return %[[LOSS]], %[[Y0]]
  return %loss, %y : tensor<f32>, tensor<4xf32>
}

// -----

// Bits are dropped after the workers' gradients are merged; an integer is
// reported as its mean.
ps.variable @w : tensor<4xbf16> init(#ps.constant<1.0>)
// CHECK-LABEL: @narrow
// CHECK-SAME: %[[X0:.*]]: tensor<4xf32> {{{.*}}}, %[[N0:.*]]: tensor<i64> {{{.*}}}, %[[X1:.*]]: tensor<4xf32> {{{.*}}}, %[[N1:.*]]: tensor<i64> {{{.*}}}) -> (tensor<f64> {ps.fetch = "n"})
func.func @narrow(%x: tensor<4xf32> {ps.feed = "x"}, %n: tensor<i64> {ps.feed = "n"})
    -> (tensor<i64> {ps.fetch = "n"}) {
  %g = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK: stablehlo.add %[[X0]], %[[X1]] : tensor<4xf32>
  // CHECK: %[[MEAN:.*]] = stablehlo.multiply {{.*}} : tensor<4xf32>
  // CHECK: %[[G:.*]] = stablehlo.convert %[[MEAN]] : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK: ps.apply @w, %[[G]]
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4xbf16>
  return %n : tensor<i64>
}

// -----

// Rows are fetched at once; gradients are divided, and then add up.
ps.table @emb : tensor<9x2xf32> init(#ps.constant<1.0>)
// CHECK-LABEL: @rows
// CHECK-SAME: %[[I0:.*]]: tensor<3xi64> {{{.*}}}, %[[I1:.*]]: tensor<3xi64> {
func.func @rows(%i: tensor<3xi64> {ps.feed = "i"}) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  // CHECK: %[[R:.*]] = ps.prefetch @emb[%[[I0]], %[[I1]], %[[C:.*]]] paddings([7, 7, unit])
  %r = ps.prefetch @emb[%i, %c] paddings([7, unit]) : (tensor<3xi64>, tensor<2xi64>) -> !ps.rows<2 x f32>
  // CHECK: %[[E0:.*]] = ps.lookup @emb[%[[I0]]] in(%[[R]])
  // CHECK: %[[E1:.*]] = ps.lookup @emb[%[[I1]]] in(%[[R]])
  // CHECK: %[[EC:.*]] = ps.lookup @emb[%[[C]]]
  // CHECK-NOT: ps.lookup @emb
  %e = ps.lookup @emb[%i] in(%r) {padding_idx = 7 : i64} : (tensor<3xi64>, !ps.rows<2 x f32>) -> tensor<3x2xf32>
  %ec = ps.lookup @emb[%c] in(%r) : (tensor<2xi64>, !ps.rows<2 x f32>) -> tensor<2x2xf32>
  // CHECK: %[[S0:.*]] = stablehlo.multiply %{{.*}}, %[[E0]]
  // CHECK: %[[G0:.*]] = ps.lookup_gradient @emb[%[[I0]]] in(%[[R]]), %[[S0]]
  // CHECK: %[[S1:.*]] = stablehlo.multiply %{{.*}}, %[[E1]]
  // CHECK: %[[G1:.*]] = ps.lookup_gradient @emb[%[[I1]]] in(%[[R]]), %[[S1]]
  %g = ps.lookup_gradient @emb[%i] in(%r), %e {padding_idx = 7 : i64} : (tensor<3xi64>, !ps.rows<2 x f32>, tensor<3x2xf32>) -> !ps.rows<2 x f32>
  // CHECK: %[[GC:.*]] = ps.lookup_gradient @emb[%[[C]]] in(%[[R]]), %[[EC]]
  %gc = ps.lookup_gradient @emb[%c] in(%r), %ec : (tensor<2xi64>, !ps.rows<2 x f32>, tensor<2x2xf32>) -> !ps.rows<2 x f32>
  // What is the same for all workers counts once.
  // CHECK: %[[M:.*]] = ps.merge_rows %[[G0]], %[[G1]], %[[GC]]
  %m = ps.merge_rows %g, %gc : !ps.rows<2 x f32>
  // CHECK: ps.apply_rows @emb, %[[M]]
  ps.apply_rows @emb, %m using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  return
}

// -----

// A metric measures all samples.
ps.variable @w : tensor<3x1xf32> init(#ps.constant<1.0>)
// CHECK-LABEL: @metric
// CHECK-SAME: %[[P0:.*]]: tensor<3x1xf32> {{{.*}}}, %[[L0:.*]]: tensor<f32> {{{.*}}}, %[[P1:.*]]: tensor<3x1xf32> {{{.*}}}, %[[L1:.*]]: tensor<f32>
func.func @metric(%p: tensor<3x1xf32> {ps.feed = "p"}, %l: tensor<f32> {ps.feed = "l"}) {
  // CHECK: %[[ALL:.*]] = stablehlo.concatenate %[[P0]], %[[P1]], dim = 0 : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<6x1xf32>
  // CHECK: ps.metric mean("p", %[[ALL]]) : tensor<6x1xf32>
  ps.metric mean("p", %p) : tensor<3x1xf32>
  // CHECK: %[[A:.*]] = stablehlo.reshape %[[L0]]
  // CHECK: %[[B:.*]] = stablehlo.reshape %[[L1]]
  // CHECK: stablehlo.concatenate %[[A]], %[[B]], dim = 0
  ps.metric mean("l", %l) : tensor<f32>
  ps.apply @w, %p using(#ps.sgd<learning_rate = 0.1>) : tensor<3x1xf32>
  return
}

// -----

// Without a barrier each worker pushes for itself, also what is the same for
// all, in messages of its own; a pull waits for all pushes of its block.
ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
ps.variable @n : tensor<i64> init(#ps.constant<0.0>) {trainable = false}
ps.table @emb : tensor<9x2xf32> init(#ps.constant<1.0>)
// CHECK-LABEL: @async
// CHECK-SAME: %[[X0:.*]]: tensor<4xf32> {{{.*}}}, %[[I0:.*]]: tensor<3xi64> {{{.*}}}, %[[X1:.*]]: tensor<4xf32> {{{.*}}}, %[[I1:.*]]: tensor<3xi64> {
func.func @async(%x: tensor<4xf32> {ps.feed = "x"}, %i: tensor<3xi64> {ps.feed = "i"}) {
  // CHECK: %[[R0:.*]] = ps.prefetch @emb[%[[I0]]]
  // CHECK: %[[R1:.*]] = ps.prefetch @emb[%[[I1]]]
  %r = ps.prefetch @emb[%i] from([@pserver_0]) : (tensor<3xi64>) -> !ps.rows<2 x f32>
  %e = ps.lookup @emb[%i] in(%r) : (tensor<3xi64>, !ps.rows<2 x f32>) -> tensor<3x2xf32>
  %g = ps.lookup_gradient @emb[%i] in(%r), %e : (tensor<3xi64>, !ps.rows<2 x f32>, tensor<3x2xf32>) -> !ps.rows<2 x f32>
  // CHECK: ps.push_rows @emb
  // CHECK: ps.push_rows @emb
  %p = ps.push_rows @emb, %g to([@pserver_0]) : !ps.rows<2 x f32>
  %one = stablehlo.constant dense<1> : tensor<i64>
  // CHECK: %[[W0:.*]] = ps.send @w rows(0, 4), %[[X0]] to(@pserver_0) block("w") bucket(1)
  // CHECK: %[[W1:.*]] = ps.send @w rows(0, 4), %[[X1]] to(@pserver_0) block("w") bucket(3)
  %s = ps.send @w rows(0, 4), %x to(@pserver_0) block("w") bucket(1) : tensor<4xf32>
  // CHECK: ps.send @n
  // CHECK: ps.send @n
  %c = ps.send @n rows(0, 1), %one to(@pserver_0) block("n") : tensor<i64>
  // CHECK: ps.recv @w rows(0, 4) from(@pserver_0) block("w") after(%[[W0]], %[[W1]])
  // CHECK-NOT: ps.recv
  %v = ps.recv @w rows(0, 4) from(@pserver_0) block("w") after(%s)
  return
}

// -----

// Sums of several batches (accumulate) take the mean, too.
ps.variable @sum : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @accumulate
func.func @accumulate(%x: tensor<4xf32> {ps.feed = "x"}) {
  // CHECK: %[[OLD:.*]] = ps.read @sum
  %old = ps.read @sum : tensor<4xf32>
  %new = stablehlo.add %old, %x : tensor<4xf32>
  // CHECK: %[[MEAN:.*]] = stablehlo.multiply
  // CHECK: %[[NEW:.*]] = stablehlo.add %[[OLD]], %[[MEAN]]
  // CHECK: ps.assign @sum, %[[NEW]]
  ps.assign @sum, %new : tensor<4xf32>
  return
}

// -----

// Only steps have workers.
// CHECK-LABEL: @predict
// CHECK-NOT: ps.worker
func.func @predict(%x: tensor<4xf32> {ps.feed = "x"}) -> (tensor<4xf32> {ps.fetch = "y"}) {
  return %x : tensor<4xf32>
}

// -----

ps.variable @n : tensor<i64> init(#ps.constant<0.0>) {trainable = false}
func.func @integer(%x: tensor<i64> {ps.feed = "x"}) {
  // expected-error@+1 {{an integer depends on the batch, and 2 workers have one each: expected workers=1, or an integer that no batch changes}}
  ps.assign @n, %x : tensor<i64>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
func.func @rate(%x: tensor<4xf32> {ps.feed = "x"}, %r: tensor<f32> {ps.feed = "r"}) {
  // expected-error@+1 {{a rate or norm depends on the batch, and 2 workers have one each}}
  ps.apply @w, %x rate(%r : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : tensor<4xf32>
  return
}
