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
