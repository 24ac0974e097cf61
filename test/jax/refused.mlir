// RUN: ps-opt %s --split-input-file --verify-diagnostics

// What JAX prints of functions that are not differentiated, trained or run
// here is refused with its place.

module @jit_fft {
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<5xf32> {
    // expected-error @+1 {{stablehlo.fft is not supported}}
    %0 = stablehlo.fft %arg0, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
    %1 = stablehlo.real %0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
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
