// RUN: ps-opt %s --split-input-file --ps-lower-to-exec --verify-diagnostics

// expected-error@+1 {{argument 0 of '@f' has no ps.feed name}}
func.func @f(%x: tensor<4xf32>) {
  return
}

// -----

func.func @call() {
  // expected-error@+1 {{'func.call' cannot be compiled}}
  func.call @other() : () -> ()
  return
}
func.func private @other()

// -----

// expected-error@+1 {{expected a function of one block}}
func.func @blocks() {
  cf.br ^next
^next:
  return
}

// -----

// Products that are no f32 gemm should have become kernels.

func.func @product(%x: tensor<4x4xf64> {ps.feed = "x"}) {
  // expected-error@+1 {{'stablehlo.dot_general' cannot be compiled}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  return
}

// -----

// A bucket leaves as one, with the last of its transfers.

func.func @early_wait(%g: tensor<4xf32> {ps.feed = "grad"}) {
  // expected-error@+1 {{is sent with the last transfer of its bucket, but is needed earlier}}
  %s0 = ps.send @a rows(0, 4), %g to(@pserver_0) block("a") bucket(0) : tensor<4xf32>
  // expected-note@+1 {{it is needed here}}
  %b0 = ps.send_barrier(%s0) to([@pserver_0])
  // expected-note@+1 {{the last one is here}}
  %s1 = ps.send @b rows(0, 4), %g to(@pserver_0) block("b") bucket(0) : tensor<4xf32>
  return
}
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)

// -----

func.func @early_read() {
  // expected-error@+1 {{is sent with the last transfer of its bucket, but is needed earlier}}
  %r0 = ps.recv @a rows(0, 4) from(@pserver_0) block("a") bucket(0)
  // expected-note@+1 {{it is needed here}}
  %a = ps.read @a : tensor<4xf32>
  // expected-note@+1 {{the last one is here}}
  %r1 = ps.recv @b rows(0, 4) from(@pserver_0) block("b") bucket(0)
  return
}
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)

// -----

// expected-error@+1 {{argument 0 of '@f' holds rows that update no table}}
func.func @f(%rows: !ps.rows<2 x f32> {ps.feed = "grad"}) {
  return
}

// -----

// ps-fuse-lookups has not run.

func.func @f(%i: tensor<4xi64> {ps.feed = "i"}) {
  // expected-error@+1 {{'ps.lookup' cannot be compiled}}
  %0 = ps.lookup @emb[%i] : (tensor<4xi64>) -> tensor<4x2xf32>
  return
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

// Rows that no prefetch brings are no rows of a step.

func.func @f(%i: tensor<4xi64> {ps.feed = "i"}, %r: !ps.rows<2 x f32> {ps.feed = "r"}) {
  // expected-error@+1 {{'ps.lookup' cannot be compiled}}
  %0 = ps.lookup @emb[%i] in(%r) : (tensor<4xi64>, !ps.rows<2 x f32>) -> tensor<4x2xf32>
  ps.update_rows @emb, %r with(@emb.update_row) : !ps.rows<2 x f32>
  return
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
func.func private @emb.update_row(%grad: tensor<2xf32> {ps.feed = "grad"}) attributes {ps.row_of = @emb} {
  return
}

// -----

// A gradient is merged with itself a few times, but not 2^13.

func.func @f(%i: tensor<4xi64> {ps.feed = "i"}) {
  %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
  %x = ps.lookup @emb[%i] in(%r) : (tensor<4xi64>, !ps.rows<2 x f32>) -> tensor<4x2xf32>
  // expected-error@+1 {{'ps.lookup_gradient' cannot be compiled}}
  %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
  %0 = ps.merge_rows %g, %g, %g, %g, %g, %g, %g, %g : !ps.rows<2 x f32>
  %1 = ps.merge_rows %0, %0, %0, %0, %0, %0, %0, %0 : !ps.rows<2 x f32>
  %2 = ps.merge_rows %1, %1, %1, %1, %1, %1, %1, %1 : !ps.rows<2 x f32>
  %3 = ps.merge_rows %2, %2, %2, %2, %2, %2, %2, %2 : !ps.rows<2 x f32>
  %4 = ps.merge_rows %3, %3 : !ps.rows<2 x f32>
  ps.update_rows @emb, %4 with(@emb.update_row) : !ps.rows<2 x f32>
  return
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
func.func private @emb.update_row(%grad: tensor<2xf32> {ps.feed = "grad"}) attributes {ps.row_of = @emb} {
  return
}
