// RUN: ps-opt %s --split-input-file --ps-outline-kernels --verify-diagnostics

// expected-error@+1 {{expected a tensor of static shape, found 'tensor<?xf32>'}}
func.func @argument(%x: tensor<?xf32>) {
  return
}

// -----

func.func @result(%x: tensor<f32>) {
  // expected-error@+1 {{expected a tensor of static shape, found 'tensor<?x4xf32>'}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  return
}
