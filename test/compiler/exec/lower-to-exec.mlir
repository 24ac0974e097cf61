// RUN: ps-opt %s --split-input-file --ps-lower-to-exec | FileCheck %s

// CHECK-LABEL: exec.program @memory
func.func @memory(%x: tensor<2x3xf32> {ps.feed = "x"}) -> (tensor<6xf32> {ps.fetch = "y"}) {
  // CHECK: %[[X:.*]] = exec.feed "x" : memref<2x3xf32>
  // CHECK: %[[C:.*]] = exec.constant dense<{{.*}}> : tensor<2x3xf32> to memref<2x3xf32>
  %c = stablehlo.constant dense<[[1., 2., 3.], [4., 5., 6.]]> : tensor<2x3xf32>
  // CHECK: %[[A:.*]] = exec.buffer : memref<2x3xf32>
  // CHECK: exec.launch @add rows(2) ins(%[[X]], %[[C]] : memref<2x3xf32>, memref<2x3xf32>) outs(%[[A]] : memref<2x3xf32>)
  %a = exec.call @add(%x, %c) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: %[[V:.*]] = exec.view %[[A]] : memref<2x3xf32> to memref<6xf32>
  %v = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<6xf32>
  // CHECK: exec.fetch "y", %[[V]] : memref<6xf32>
  return %v : tensor<6xf32>
}
func.func private @add(%0: tensor<?x3xf32>, %1: tensor<?x3xf32>) -> tensor<?x3xf32> attributes {exec.kernel} {
  %2 = stablehlo.add %0, %1 : tensor<?x3xf32>
  return %2 : tensor<?x3xf32>
}

// -----

// A row kernel on the rows of a product is its epilogue.

// CHECK-LABEL: exec.program @epilogue
func.func @epilogue(%x: tensor<4x3xf32> {ps.feed = "x"}, %w: tensor<3x5xf32> {ps.feed = "w"}) -> (tensor<4x5xf32> {ps.fetch = "y"}) {
  // CHECK: %[[C:.*]] = exec.buffer
  // CHECK: %[[Y:.*]] = exec.buffer
  // CHECK: exec.gemm m(4) n(5) k(3) ins({{.*}}) outs(%[[C]] : memref<4x5xf32>) epilogue(@relu with %[[C]] : memref<4x5xf32> into %[[Y]] : memref<4x5xf32>)
  // CHECK-NOT: exec.launch
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %y = exec.call @relu(%p) : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}
func.func private @relu(%0: tensor<?x5xf32>) -> tensor<?x5xf32> attributes {exec.kernel} {
  %1 = stablehlo.abs %0 : tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// -----

// Not when somebody else needs the product first.

// CHECK-LABEL: exec.program @no_epilogue
func.func @no_epilogue(%x: tensor<4x4xf32> {ps.feed = "x"}) -> (tensor<4x4xf32> {ps.fetch = "y"}) {
  // CHECK: exec.gemm
  // CHECK-NOT: epilogue
  // CHECK: exec.gemm
  // CHECK-SAME: epilogue
  %p = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %q = stablehlo.dot_general %p, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = exec.call @add(%p, %q) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func private @add(%0: tensor<?x4xf32>, %1: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %2 = stablehlo.add %0, %1 : tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}

// -----

// Products of higher rank, over a leading and a trailing dimension.

// CHECK-LABEL: exec.program @products
func.func @products(%x: tensor<2x4x3xf32> {ps.feed = "x"}, %y: tensor<2x5x3xf32> {ps.feed = "y"}, %w: tensor<3x7xf32> {ps.feed = "w"}) -> (tensor<2x4x5xf32> {ps.fetch = "a"}, tensor<2x4x7xf32> {ps.fetch = "b"}) {
  // CHECK: exec.gemm batch(2) m(4) n(5) k(3) transpose_b
  %a = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x3xf32>, tensor<2x5x3xf32>) -> tensor<2x4x5xf32>
  // CHECK: exec.gemm m(8) n(7) k(3) ins
  %b = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x4x3xf32>, tensor<3x7xf32>) -> tensor<2x4x7xf32>
  return %a, %b : tensor<2x4x5xf32>, tensor<2x4x7xf32>
}

// -----

// A variable is updated where it lies.

// CHECK-LABEL: exec.program @in_place
func.func @in_place(%g: tensor<4xf32> {ps.feed = "grad"}) {
  // CHECK: %[[W:.*]] = exec.variable @w
  // CHECK-NEXT: exec.launch @sub rows(4) ins(%[[W]], %{{.*}}) outs(%[[W]] : memref<4xf32>)
  // CHECK-NOT: exec.copy
  %w = ps.read @w : tensor<4xf32>
  %n = exec.call @sub(%w, %g) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  ps.assign @w, %n : tensor<4xf32>
  return
}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func private @sub(%0: tensor<?xf32>, %1: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %2 = stablehlo.subtract %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// Not by a kernel that reads other elements.

// CHECK-LABEL: exec.program @not_in_place
func.func @not_in_place() {
  // CHECK: %[[W:.*]] = exec.variable @w
  // CHECK: %[[N:.*]] = exec.buffer
  // CHECK: exec.launch @turn ins(%[[W]] : memref<4xf32>) outs(%[[N]] : memref<4xf32>)
  // CHECK: exec.copy %[[N]] to %[[W]]
  %w = ps.read @w : tensor<4xf32>
  %n = exec.call @turn(%w) : (tensor<4xf32>) -> tensor<4xf32>
  ps.assign @w, %n : tensor<4xf32>
  return
}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func private @turn(%0: tensor<4xf32>) -> tensor<4xf32> attributes {exec.kernel} {
  %1 = stablehlo.reverse %0, dims = [0] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// An old value that is needed after the update is copied out before it.

// CHECK-LABEL: exec.program @old_value
func.func @old_value(%g: tensor<4xf32> {ps.feed = "grad"}) -> (tensor<4xf32> {ps.fetch = "old"}, tensor<4xf32> {ps.fetch = "new"}) {
  // CHECK: %[[W:.*]] = exec.variable @w
  // CHECK: %[[N:.*]] = exec.buffer
  // CHECK: exec.launch @sub rows(4) ins(%[[W]], %{{.*}}) outs(%[[N]]
  // CHECK: %[[OLD:.*]] = exec.buffer
  // CHECK: exec.copy %[[W]] to %[[OLD]]
  // CHECK: exec.copy %[[N]] to %[[W]]
  // CHECK: exec.fetch "old", %[[OLD]]
  // CHECK: exec.fetch "new", %[[N]]
  %w = ps.read @w : tensor<4xf32>
  %n = exec.call @sub(%w, %g) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  ps.assign @w, %n : tensor<4xf32>
  return %w, %n : tensor<4xf32>, tensor<4xf32>
}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func private @sub(%0: tensor<?xf32>, %1: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %2 = stablehlo.subtract %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// Two variables that exchange their values.

// CHECK-LABEL: exec.program @exchange
func.func @exchange() {
  // CHECK-DAG: %[[A:.*]] = exec.variable @a
  // CHECK-DAG: %[[B:.*]] = exec.variable @b
  // CHECK: exec.copy %[[A]] to %[[OLD:.*]] :
  // CHECK: exec.copy %[[B]] to %[[A]]
  // CHECK: exec.copy %[[OLD]] to %[[B]]
  %a = ps.read @a : tensor<4xf32>
  %b = ps.read @b : tensor<4xf32>
  ps.assign @a, %b : tensor<4xf32>
  ps.assign @b, %a : tensor<4xf32>
  return
}
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)

// -----

// A gradient is sent from where it was computed; a variable is received in
// place.

// CHECK-LABEL: exec.program @transfers
func.func @transfers(%g: tensor<4x2xf32> {ps.feed = "grad"}) {
  // CHECK: %[[G:.*]] = exec.buffer
  // CHECK: exec.launch @neg {{.*}} outs(%[[G]]
  // CHECK: %[[S:.*]] = exec.send rows(0, 2) %[[G]] to(@pserver_0) block("w.block0")
  // CHECK: %[[B:.*]] = exec.send_barrier to([@pserver_0]) after(%[[S]])
  // CHECK: %[[W:.*]] = exec.variable @w
  // CHECK: %[[R:.*]] = exec.recv rows(0, 2) %[[W]] from(@pserver_0) block("w.block0") after(%[[B]])
  // CHECK: exec.fetch_barrier to([@pserver_0]) after(%[[R]])
  %n = exec.call @neg(%g) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = ps.send @w rows(0, 2), %n to(@pserver_0) block("w.block0") : tensor<4x2xf32>
  %b = ps.send_barrier(%s) to([@pserver_0])
  %r = ps.recv @w rows(0, 2) from(@pserver_0) block("w.block0") after(%b)
  %f = ps.fetch_barrier(%r) to([@pserver_0])
  return
}
ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func private @neg(%0: tensor<?x2xf32>) -> tensor<?x2xf32> attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}

// -----

// CHECK-LABEL: exec.program @checks
func.func @checks(%x: tensor<4xf32> {ps.feed = "x"}, %i: tensor<4xi32> {ps.feed = "i"}) {
  // CHECK: exec.check close
  stablehlo.custom_call @check.expect_close(%x, %x) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  // CHECK: exec.check eq
  stablehlo.custom_call @check.expect_eq(%i, %i) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
  // CHECK: exec.check almost_eq
  check.expect_almost_eq_const %x, dense<1.0> : tensor<4xf32>
  return
}

// -----

// The transfers of a bucket are one node, where the last of them stands: the
// first gradient keeps its bytes until then. Other buckets, endpoints and
// rounds stay apart.

// CHECK-LABEL: exec.program @buckets
func.func @buckets(%g: tensor<4xf32> {ps.feed = "grad"}) {
  // CHECK: exec.launch @neg1 {{.*}} outs(%[[N:.*]] :
  // CHECK-NOT: exec.send
  // CHECK: exec.launch @neg1 {{.*}} outs(%[[M:.*]] :
  // CHECK: %[[S:.*]] = exec.send rows(0, 4) %[[N]], rows(0, 4) %[[M]] to(@pserver_0) block("a", "b") :
  // CHECK: %[[O:.*]] = exec.send rows(0, 4) %[[M]] to(@pserver_0) block("c") :
  // CHECK: %[[P:.*]] = exec.send rows(0, 4) %[[M]] to(@pserver_1) block("d") :
  %n = exec.call @neg1(%g) : (tensor<4xf32>) -> tensor<4xf32>
  %s0 = ps.send @a rows(0, 4), %n to(@pserver_0) block("a") bucket(0) : tensor<4xf32>
  %m = exec.call @neg1(%n) : (tensor<4xf32>) -> tensor<4xf32>
  %s1 = ps.send @b rows(0, 4), %m to(@pserver_0) block("b") bucket(0) : tensor<4xf32>
  %s2 = ps.send @c rows(0, 4), %m to(@pserver_0) block("c") bucket(1) : tensor<4xf32>
  %s3 = ps.send @d rows(0, 4), %m to(@pserver_1) block("d") bucket(0) : tensor<4xf32>
  // CHECK: %[[B:.*]] = exec.send_barrier to([@pserver_0, @pserver_1]) after(%[[S]], %[[O]], %[[P]])
  %b0 = ps.send_barrier(%s0, %s1, %s2, %s3) to([@pserver_0, @pserver_1])
  // CHECK: %[[R:.*]] = exec.recv rows(0, 4) %{{.*}}, rows(0, 4) %{{.*}} from(@pserver_0) block("a", "b") after(%[[B]])
  // CHECK: %[[Q:.*]] = exec.recv rows(0, 4) %{{.*}} from(@pserver_0) block("c") round(1) after(%[[B]])
  // CHECK: exec.fetch_barrier to([@pserver_0, @pserver_1]) after(%[[R]], %[[Q]])
  %r0 = ps.recv @a rows(0, 4) from(@pserver_0) block("a") bucket(0) after(%b0)
  %r1 = ps.recv @b rows(0, 4) from(@pserver_0) block("b") bucket(0) after(%b0)
  %r2 = ps.recv @c rows(0, 4) from(@pserver_0) block("c") round(1) bucket(0) after(%b0)
  %f = ps.fetch_barrier(%r0, %r1, %r2) to([@pserver_0, @pserver_1])
  return
}
func.func private @neg1(%x: tensor<4xf32>) -> tensor<4xf32> attributes {exec.kernel} {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @c : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @d : tensor<4xf32> init(#ps.constant<0.0>)

// -----

// A round begins when the one before has ended.

// CHECK-LABEL: exec.program @rounds
func.func @rounds(%g: tensor<4xf32> {ps.feed = "grad"}) {
  // CHECK: %[[F:.*]] = exec.fetch_barrier to([@pserver_0]) after
  %s0 = ps.send @a rows(0, 4), %g to(@pserver_0) block("a") : tensor<4xf32>
  %b0 = ps.send_barrier(%s0) to([@pserver_0])
  %r0 = ps.recv @a rows(0, 4) from(@pserver_0) block("a") after(%b0)
  %f0 = ps.fetch_barrier(%r0) to([@pserver_0])
  // CHECK: %[[S:.*]] = exec.send {{.*}} block("b") round(1) after(%[[F]])
  // CHECK: %[[B:.*]] = exec.send_barrier to([@pserver_0]) round(1) after(%[[S]], %[[F]])
  // CHECK: %[[R:.*]] = exec.recv {{.*}} block("b") round(1) after(%[[B]])
  // CHECK: exec.fetch_barrier to([@pserver_0]) round(1) after(%[[R]])
  %s1 = ps.send @b rows(0, 4), %g to(@pserver_0) block("b") round(1) : tensor<4xf32>
  %b1 = ps.send_barrier(%s1) to([@pserver_0]) round(1)
  %r1 = ps.recv @b rows(0, 4) from(@pserver_0) block("b") round(1) after(%b1)
  %f1 = ps.fetch_barrier(%r1) to([@pserver_0]) round(1)
  return
}
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)

// -----

// Means have memory of their own; whoever reads it waits. A variable is given
// where it lies.

// CHECK-LABEL: exec.program @reduce
func.func @reduce(%g: tensor<4xf32> {ps.feed = "g"}) {
  // CHECK: %[[G:.*]] = exec.feed "g"
  // CHECK: %[[V:.*]] = exec.variable @a
  // CHECK: exec.broadcast channel(1) %[[V]] : memref<4xf32>
  // CHECK: %[[M:.*]] = exec.buffer : memref<4xf32>
  // CHECK: exec.all_reduce channel(0) ins(%[[G]] : memref<4xf32>) outs(%[[M]] : memref<4xf32>)
  // CHECK: exec.launch @neg1 ins(%[[M]] : memref<4xf32>) outs(%[[V]] : memref<4xf32>)
  %b = ps.broadcast @a channel(1)
  %m = ps.all_reduce %g channel(0) : tensor<4xf32>
  %n = exec.call @neg1(%m) : (tensor<4xf32>) -> tensor<4xf32>
  ps.assign @a, %n : tensor<4xf32>
  return
}
func.func private @neg1(%x: tensor<4xf32>) -> tensor<4xf32> attributes {exec.kernel} {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)

// -----

// The rows of a step are one piece of memory, which the prefetch fills. Lists
// are told by their numbers; gradients add up in the rows, so merging is
// nothing, and a gradient that is merged twice is added twice.

// CHECK-LABEL: exec.program @tables
func.func @tables(%bag: tensor<?xi64> {ps.feed = "s"}, %offsets: tensor<4xi64> {ps.feed = "s.offsets"}, %weights: tensor<?xf32> {ps.feed = "s.weights"}, %i: tensor<4x3xi64> {ps.feed = "i"}, %rate: tensor<f32> {ps.feed = "r"}) -> (tensor<4x2xf32> {ps.fetch = "y"}) {
  // CHECK: %[[S:.*]] = exec.ragged_feed "s" : memref<?xi64>
  // CHECK: %[[O:.*]] = exec.feed "s.offsets" : memref<4xi64>
  // CHECK: %[[W:.*]] = exec.ragged_feed "s.weights" : memref<?xf32>
  // CHECK: %[[I:.*]] = exec.feed "i" : memref<4x3xi64>
  // CHECK: %[[R:.*]] = exec.rows @emb lookups(2) : !ps.rows<2 x f32>
  // CHECK: exec.prefetch %[[R]] ids(%[[S]], %[[I]] : memref<?xi64>, memref<4x3xi64>) paddings([7, unit]) : !ps.rows<2 x f32>
  %r = ps.prefetch @emb[%bag, %i] paddings([7, unit]) : (tensor<?xi64>, tensor<4x3xi64>) -> !ps.rows<2 x f32>
  // CHECK: %[[Y:.*]] = exec.buffer : memref<4x2xf32>
  // CHECK: exec.lookup %[[R]] lookup(0) pool(sqrtn) segments(%[[O]] : memref<4xi64>) weights(%[[W]] : memref<?xf32>) outs(%[[Y]] : memref<4x2xf32>)
  %y = ps.lookup @emb[%bag] segments(%offsets) pool(sqrtn) weights(%weights) in(%r) {padding_idx = 7 : i64} : (tensor<?xi64>, tensor<4xi64>, tensor<?xf32>, !ps.rows<2 x f32>) -> tensor<4x2xf32>
  // CHECK: exec.lookup %[[R]] lookup(1) outs(%[[X:.*]] : memref<4x3x2xf32>)
  %x = ps.lookup @emb[%i] in(%r) : (tensor<4x3xi64>, !ps.rows<2 x f32>) -> tensor<4x3x2xf32>
  // CHECK: exec.lookup_gradient %[[R]] lookup(1) ins(%[[X]] : memref<4x3x2xf32>)
  // CHECK-NEXT: exec.lookup_gradient %[[R]] lookup(1) ins(%[[X]] : memref<4x3x2xf32>)
  %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4x3xi64>, !ps.rows<2 x f32>, tensor<4x3x2xf32>) -> !ps.rows<2 x f32>
  // CHECK-NEXT: exec.lookup_gradient %[[R]] lookup(0) pool(sqrtn) segments(%[[O]] : memref<4xi64>) weights(%[[W]] : memref<?xf32>) ins(%[[Y]] : memref<4x2xf32>)
  %h = ps.lookup_gradient @emb[%bag] segments(%offsets) pool(sqrtn) weights(%weights) in(%r), %y {padding_idx = 7 : i64} : (tensor<?xi64>, tensor<4xi64>, tensor<?xf32>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  %m = ps.merge_rows %g, %h : !ps.rows<2 x f32>
  %n = ps.merge_rows %m, %g : !ps.rows<2 x f32>
  // CHECK-NEXT: exec.update_rows %[[R]] rate(%{{.*}} : memref<f32>) with(@emb.update_row) : !ps.rows<2 x f32>
  ps.update_rows @emb, %n rate(%rate : tensor<f32>) with(@emb.update_row) : !ps.rows<2 x f32>
  return %y : tensor<4x2xf32>
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
ps.variable @emb.velocity : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@emb) {trainable = false}

// A row and its slots are updated in place.

// CHECK-LABEL: exec.program @emb.update_row row_of(@emb)
func.func private @emb.update_row(%grad: tensor<2xf32> {ps.feed = "grad"}, %rate: tensor<f32> {ps.feed = "rate"}) attributes {ps.row_of = @emb} {
  // CHECK: %[[G:.*]] = exec.feed "grad" : memref<2xf32>
  // CHECK: exec.feed "rate" : memref<f32>
  // CHECK: %[[W:.*]] = exec.variable @emb : memref<2xf32>
  // CHECK: %[[V:.*]] = exec.variable @emb.velocity : memref<2xf32>
  // CHECK: exec.launch @step rows(2) ins(%[[W]], %[[V]], %[[G]] : {{.*}}) outs(%[[W]], %[[V]] : {{.*}})
  // CHECK-NOT: exec.copy
  %w = ps.read @emb : tensor<2xf32>
  %v = ps.read @emb.velocity : tensor<2xf32>
  %new:2 = exec.call @step(%w, %v, %grad) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  ps.assign @emb, %new#0 : tensor<2xf32>
  ps.assign @emb.velocity, %new#1 : tensor<2xf32>
  return
}
func.func private @step(%w: tensor<?xf32>, %v: tensor<?xf32>, %g: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) attributes {exec.kernel} {
  %0 = stablehlo.add %v, %g : tensor<?xf32>
  %1 = stablehlo.subtract %w, %0 : tensor<?xf32>
  return %1, %0 : tensor<?xf32>, tensor<?xf32>
}

// -----

// With pservers: the barrier waits for the rows, too. Rows that a caller brings
// are a feed.

// CHECK-LABEL: exec.program @trainer
func.func @trainer(%i: tensor<4xi64> {ps.feed = "i"}) {
  // CHECK: exec.prefetch %[[R:.*]] ids({{.*}}) from([@pserver_0, @pserver_1]) frozen : !ps.rows<2 x f32>
  %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) frozen : (tensor<4xi64>) -> !ps.rows<2 x f32>
  %x = ps.lookup @emb[%i] in(%r) : (tensor<4xi64>, !ps.rows<2 x f32>) -> tensor<4x2xf32>
  %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  // CHECK: %[[T:.*]] = exec.push_rows %[[R]] to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
  // CHECK: exec.send_barrier to([@pserver_0, @pserver_1]) after(%[[T]])
  %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
  %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
  return
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// What a trainer exchanges of rows that it holds.

// CHECK-LABEL: exec.program @exchange every(4) then(@merge)
func.func @exchange() attributes {ps.every = 4 : i64, ps.then = @merge} {
  // CHECK: %[[N:.*]] = exec.variable @n : memref<f32>
  // CHECK: %[[R:.*]] = exec.rows @emb : !ps.rows<2 x f32>
  // CHECK: exec.collect_changes %[[R]] parts(%[[N]] : memref<f32>) : !ps.rows<2 x f32>
  // CHECK: %[[P:.*]] = exec.push_rows %[[R]] to([@pserver_0]) : !ps.rows<2 x f32>
  // CHECK: exec.pull_changes @emb from([@pserver_0]) after(%[[P]])
  %n = ps.read @n : tensor<f32>
  %d = ps.collect_changes @emb parts(%n : tensor<f32>) : !ps.rows<2 x f32>
  %p = ps.push_rows @emb, %d to([@pserver_0]) : !ps.rows<2 x f32>
  %t = ps.pull_changes @emb from([@pserver_0]) after(%p)
  return
}
ps.variable @n : tensor<f32> init(#ps.constant<0.0>)

// CHECK-LABEL: exec.program @merge
func.func @merge() {
  // CHECK: exec.merge_changes @emb
  ps.merge_changes @emb
  return
}

// CHECK-LABEL: exec.program @emb.update
func.func @emb.update(%rows: !ps.rows<2 x f32> {ps.feed = "grad"}) {
  // CHECK: %[[F:.*]] = exec.rows @emb feed("grad") : !ps.rows<2 x f32>
  // CHECK: exec.update_rows %[[F]] with(@emb.update_row) : !ps.rows<2 x f32>
  ps.update_rows @emb, %rows with(@emb.update_row) : !ps.rows<2 x f32>
  return
}
func.func private @emb.update_row(%grad: tensor<2xf32> {ps.feed = "grad"}) attributes {ps.row_of = @emb} {
  return
}

// -----

// Lookups read rows in place, so an update comes after all of them.

// CHECK-LABEL: exec.program @train
func.func @train(%i: tensor<4xi64> {ps.feed = "i"}) -> (tensor<4x2xf32> {ps.fetch = "y"}) {
  // CHECK: exec.lookup %[[R:.*]] lookup(0)
  // CHECK: exec.lookup_gradient %[[R]] lookup(0)
  // CHECK: exec.lookup %[[R]] lookup(0)
  // CHECK: exec.update_rows %[[R]]
  %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
  %x = ps.lookup @emb[%i] in(%r) : (tensor<4xi64>, !ps.rows<2 x f32>) -> tensor<4x2xf32>
  %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  ps.update_rows @emb, %g with(@emb.update_row) : !ps.rows<2 x f32>
  %y = ps.lookup @emb[%i] in(%r) : (tensor<4xi64>, !ps.rows<2 x f32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
func.func private @emb.update_row(%grad: tensor<2xf32> {ps.feed = "grad"}) attributes {ps.row_of = @emb} {
  return
}

// -----

// Sums of a sample's rows times numbers of its own are pooled lookups, and so
// are their gradients; the rows are updated behind them.

// CHECK-LABEL: exec.program @train
func.func @train(%i: tensor<4x3xi64> {ps.feed = "i"}, %w: tensor<4x3xf32> {ps.feed = "w"}, %v: tensor<4x2xf32> {ps.feed = "v"}) -> (tensor<4x2xf32> {ps.fetch = "y"}) {
  // CHECK: %[[W:.*]] = exec.feed "w"
  // CHECK: %[[V:.*]] = exec.feed "v"
  // CHECK: exec.lookup %[[R:.*]] lookup(0) outs
  // CHECK: %[[O:.*]] = exec.constant dense<[0, 3, 6, 9]>
  // CHECK: exec.lookup_gradient %[[R]] lookup(0) pool(sum) segments(%[[O]] : memref<4xi64>) weights(%[[W]] : memref<4x3xf32>) ins(%[[V]] : memref<4x2xf32>)
  // CHECK: exec.lookup %[[R]] lookup(0) pool(sum) segments(%[[O]] : memref<4xi64>) weights(%[[W]] : memref<4x3xf32>) outs(
  // CHECK: exec.update_rows %[[R]]
  // CHECK-NOT: exec.gemm
  %r = ps.prefetch @emb[%i] : (tensor<4x3xi64>) -> !ps.rows<2 x f32>
  %x = ps.lookup @emb[%i] in(%r) : (tensor<4x3xi64>, !ps.rows<2 x f32>) -> tensor<4x3x2xf32>
  %d = stablehlo.dot_general %w, %v, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x3x2xf32>
  %g = ps.lookup_gradient @emb[%i] in(%r), %d : (tensor<4x3xi64>, !ps.rows<2 x f32>, tensor<4x3x2xf32>) -> !ps.rows<2 x f32>
  ps.update_rows @emb, %g with(@emb.update_row) : !ps.rows<2 x f32>
  %y = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x3x2xf32>, tensor<4x3xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
func.func private @emb.update_row(%grad: tensor<2xf32> {ps.feed = "grad"}) attributes {ps.row_of = @emb} {
  return
}
