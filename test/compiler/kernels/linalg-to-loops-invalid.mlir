// RUN: ps-opt %s --pass-pipeline="builtin.module(func.func(ps-linalg-to-loops))" --verify-diagnostics

// Kernels are on memrefs by then.

#map = affine_map<(d0) -> (d0)>
func.func @tensors(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{has a loop whose extent no operand gives}}
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
