// RUN: ps-opt %s --pass-pipeline="builtin.module(func.func(ps-finalize-kernels))" --verify-diagnostics

// expected-error@+1 {{expected a memref, found 'tensor<4xf32>'}}
func.func @tensors(%x: tensor<4xf32>) attributes {exec.kernel} {
  return
}
