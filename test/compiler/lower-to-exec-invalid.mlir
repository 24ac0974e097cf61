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
  // expected-error@+1 {{leaves with the last transfer of its bucket, but is needed before}}
  %s0 = ps.send @a rows(0, 4), %g to("h:1") block("a") bucket(0) : tensor<4xf32>
  // expected-note@+1 {{it is needed here}}
  %b0 = ps.send_barrier(%s0) to(["h:1"])
  // expected-note@+1 {{the last one is here}}
  %s1 = ps.send @b rows(0, 4), %g to("h:1") block("b") bucket(0) : tensor<4xf32>
  return
}
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)

// -----

func.func @early_read() {
  // expected-error@+1 {{leaves with the last transfer of its bucket, but is needed before}}
  %r0 = ps.recv @a rows(0, 4) from("h:1") block("a") bucket(0)
  // expected-note@+1 {{it is needed here}}
  %a = ps.read @a : tensor<4xf32>
  // expected-note@+1 {{the last one is here}}
  %r1 = ps.recv @b rows(0, 4) from("h:1") block("b") bucket(0)
  return
}
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)
