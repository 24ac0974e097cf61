// RUN: ps-opt %s --split-input-file --verify-diagnostics

// What JAX prints of functions that are not differentiated, trained or run
// here is refused with its place.

module @jit_bits {
  func.func public @main(%arg0: tensor<2xui64>) -> tensor<4xui32> {
    // expected-error @+1 {{stablehlo.rng_bit_generator is not supported}}
    %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    return %output : tensor<4xui32>
  }
}

// -----

module @jit_bessel {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{chlo.bessel_i1e is not supported}}
    %0 = chlo.bessel_i1e %arg0 : tensor<4xf32> -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module @jit_sharded {
  // expected-error @+1 {{sdy.mesh has 8 devices, expected 1: this compiler distributes a graph over trainers and pservers itself; export the graph for one device}}
  sdy.mesh @mesh = <["batch"=8]> {stablehlo.mesh = {axes = [{name = "batch", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"batch"}, {}]>}) -> tensor<4x3xf32> {
    return %arg0 : tensor<4x3xf32>
  }
}
