// RUN: ps-opt %s --split-input-file --verify-diagnostics

// What JAX prints of functions that are not differentiated, trained or run
// here is refused with its place.

module @jit_scan {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    // expected-error @+1 {{stablehlo.while is not supported}}
    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c) : tensor<4xf32>, tensor<i32>
    cond {
      %c_1 = stablehlo.constant dense<5> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      stablehlo.return %iterArg, %iterArg_0 : tensor<4xf32>, tensor<i32>
    }
    return %0#0 : tensor<4xf32>
  }
}

// -----

module @jit_top_k {
  func.func public @main(%arg0: tensor<4x3xf32>) -> tensor<4x2xf32> {
    // expected-error @+1 {{chlo.top_k is not supported}}
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4x3xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
    return %values : tensor<4x2xf32>
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
