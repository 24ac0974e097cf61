// RUN: ps-opt %s --pass-pipeline="builtin.module(func.func(ps-fuse-lookups))" --split-input-file --verify-diagnostics | FileCheck %s
// RUN: ps-opt %s --pass-pipeline="builtin.module(func.func(ps-fuse-lookups,ps-fuse-lookups))" --split-input-file --verify-diagnostics | FileCheck %s

// One prefetch of each table, at the front; lookups of the same ids with the
// same padding share a list.

// CHECK-LABEL: func.func @lists
func.func @lists(%i: tensor<?xi64>, %j: tensor<?x3xi64>) -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x3x2xf32>, tensor<?x4xf32>) {
  // CHECK-NEXT: %[[R:.*]] = ps.prefetch @emb[%arg0, %arg0, %arg1] paddings([unit, 0, unit]) : (tensor<?xi64>, tensor<?xi64>, tensor<?x3xi64>) -> !ps.rows<2 x f32>
  // CHECK-NEXT: %[[S:.*]] = ps.prefetch @other[%arg0] : (tensor<?xi64>) -> !ps.rows<4 x f32>
  // CHECK-NEXT: ps.lookup @emb[%arg0] in(%[[R]]) : (tensor<?xi64>, !ps.rows<2 x f32>)
  // CHECK-NEXT: ps.lookup @emb[%arg0] in(%[[R]]) {padding_idx = 0 : i64}
  // CHECK-NEXT: ps.lookup @emb[%arg0] in(%[[R]]) :
  // CHECK-NEXT: ps.lookup @emb[%arg1] in(%[[R]])
  // CHECK-NEXT: ps.lookup @other[%arg0] in(%[[S]])
  %0 = ps.lookup @emb[%i] : (tensor<?xi64>) -> tensor<?x2xf32>
  %1 = ps.lookup @emb[%i] {padding_idx = 0 : i64} : (tensor<?xi64>) -> tensor<?x2xf32>
  %2 = ps.lookup @emb[%i] : (tensor<?xi64>) -> tensor<?x2xf32>
  %3 = ps.lookup @emb[%j] : (tensor<?x3xi64>) -> tensor<?x3x2xf32>
  %4 = ps.lookup @other[%i] : (tensor<?xi64>) -> tensor<?x4xf32>
  return %0, %1, %2, %3, %4 : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x3x2xf32>, tensor<?x4xf32>
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
ps.table @other : tensor<100x4xf32> init(#ps.constant<0.0>)

// -----

// Gradients find their rows where the lookups do, also without those.

// CHECK-LABEL: func.func @gradients
func.func @gradients(%i: tensor<4xi64>, %j: tensor<4xi64>, %g: tensor<4x2xf32>) {
  // CHECK-NEXT: %[[R:.*]] = ps.prefetch @emb[%arg0, %arg1]
  // CHECK-NEXT: ps.lookup_gradient @emb[%arg0] in(%[[R]]), %arg2 :
  // CHECK-NEXT: ps.lookup_gradient @emb[%arg1] in(%[[R]]), %arg2 :
  %0 = ps.lookup_gradient @emb[%i], %g : (tensor<4xi64>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  %1 = ps.lookup_gradient @emb[%j], %g : (tensor<4xi64>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  %2 = ps.merge_rows %0, %1 : !ps.rows<2 x f32>
  ps.apply_rows @emb, %2 using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  return
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

// What computes ids goes to the front, in its order.

// CHECK-LABEL: func.func @computed
func.func @computed(%i: tensor<4xi64>, %x: tensor<4xf32>) -> (tensor<4x2xf32>, tensor<4xf32>, tensor<4x2xf32>) {
  // CHECK-NEXT: %[[J:.*]] = stablehlo.add %arg0, %arg0
  // CHECK-NEXT: %[[K:.*]] = stablehlo.multiply %[[J]], %arg0
  // CHECK-NEXT: ps.prefetch @emb[%arg0, %[[K]]]
  // CHECK-NEXT: ps.lookup
  // CHECK-NEXT: stablehlo.negate
  // CHECK-NEXT: ps.lookup
  %0 = ps.lookup @emb[%i] : (tensor<4xi64>) -> tensor<4x2xf32>
  %1 = stablehlo.negate %x : tensor<4xf32>
  %j = stablehlo.add %i, %i : tensor<4xi64>
  %k = stablehlo.multiply %j, %i : tensor<4xi64>
  %2 = ps.lookup @emb[%k] : (tensor<4xi64>) -> tensor<4x2xf32>
  return %0, %1, %2 : tensor<4x2xf32>, tensor<4xf32>, tensor<4x2xf32>
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

// Ids that come from a variable stay where they are; the prefetch follows.

// CHECK-LABEL: func.func @read
func.func @read(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x2xf32>) {
  // CHECK-NEXT: stablehlo.negate
  // CHECK-NEXT: %[[I:.*]] = ps.read @ids
  // CHECK-NEXT: %[[R:.*]] = ps.prefetch @emb[%[[I]]]
  // CHECK-NEXT: ps.lookup @emb[%[[I]]] in(%[[R]])
  %0 = stablehlo.negate %x : tensor<4xf32>
  %i = ps.read @ids : tensor<4xi64>
  %1 = ps.lookup @emb[%i] : (tensor<4xi64>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4xf32>, tensor<4x2xf32>
}
ps.variable @ids : tensor<4xi64> init(#ps.constant<0.0>) {trainable = false}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

func.func @late(%i: tensor<4xi64>, %rows: !ps.rows<2 x f32>) -> tensor<4x2xf32> {
  // expected-note@+1 {{the update is here}}
  ps.apply_rows @emb, %rows using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  // expected-error@+1 {{comes after the update of '@emb', but the rows of a step are fetched once: expected all lookups before the update}}
  %0 = ps.lookup @emb[%i] : (tensor<4xi64>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

func.func @twice(%rows: !ps.rows<2 x f32>) {
  // expected-note@+1 {{the first one is here}}
  ps.apply_rows @emb, %rows using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  // expected-error@+1 {{updates '@emb' once more: expected one update of a table in a step, with the sum of its gradients}}
  ps.apply_rows @emb, %rows using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  return
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

// Copies of rows are updated with what is pushed.
func.func @copies(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
  %g = ps.lookup_gradient @emb[%i], %x : (tensor<4xi64>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  ps.push_rows @emb, %g to([@pserver_0]) : !ps.rows<2 x f32>
  // expected-note@-1 {{the first one is here}}
  ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  // expected-error@+1 {{updates '@emb' once more}}
  ps.push_rows @emb, %g to([@pserver_0]) : !ps.rows<2 x f32>
  return
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

func.func @foreign(%i: tensor<4xi64>, %g: tensor<4x2xf32>) {
  // expected-note@+1 {{which comes from here}}
  %0 = ps.lookup_gradient @other[%i], %g : (tensor<4xi64>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  %1 = ps.merge_rows %0 : !ps.rows<2 x f32>
  // expected-error@+1 {{updates '@emb' with the gradient of another table}}
  ps.apply_rows @emb, %1 using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  return
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
ps.table @other : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

func.func @chained(%i: tensor<4xi64>) -> tensor<4x1xf32> {
  // expected-error@+1 {{of '@emb' comes before the ids of another lookup are known, but the rows of a step are fetched once}}
  %0 = ps.lookup @emb[%i] : (tensor<4xi64>) -> tensor<4x1xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x1xf32>) -> tensor<4xf32>
  // expected-note@+1 {{those ids come from here}}
  %j = stablehlo.convert %1 : (tensor<4xf32>) -> tensor<4xi64>
  %2 = ps.lookup @emb[%j] : (tensor<4xi64>) -> tensor<4x1xf32>
  return %2 : tensor<4x1xf32>
}
ps.table @emb : tensor<100x1xf32> init(#ps.constant<0.0>)

// -----

func.func @partly(%i: tensor<4xi64>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  // expected-error@+1 {{fetches rows of '@emb' for some of its lookups only: expected all of them to have in(..), or none}}
  %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
  %0 = ps.lookup @emb[%i] in(%r) : (tensor<4xi64>, !ps.rows<2 x f32>) -> tensor<4x2xf32>
  %1 = ps.lookup @emb[%i] : (tensor<4xi64>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

// expected-error@+1 {{looks up or updates tables, so expects one block}}
func.func @blocks(%rows: !ps.rows<2 x f32>) {
  ps.apply_rows @emb, %rows using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  cf.br ^end
^end:
  return
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

func.func @rows(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
  // expected-note@+1 {{which comes from here}}
  %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
  %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  %m = ps.merge_rows %g, %r : !ps.rows<2 x f32>
  // expected-error@+1 {{updates '@emb' with the rows that were fetched: expected their gradient, from ps.lookup_gradient}}
  ps.apply_rows @emb, %m using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  return
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

func.func @fetched_apart(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
  %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
  %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  %s = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
  // expected-note@+1 {{which comes from here}}
  %h = ps.lookup_gradient @emb[%i] in(%s), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  %m = ps.merge_rows %g, %h : !ps.rows<2 x f32>
  // expected-error@+1 {{updates '@emb' with gradients of rows that were fetched separately: expected one ps.prefetch for all of them}}
  ps.apply_rows @emb, %m using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  return
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
