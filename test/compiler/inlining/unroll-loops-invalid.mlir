// RUN: ps-opt %s --ps-unroll-loops=max-ops=100 --split-input-file --verify-diagnostics

func.func @run_time(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  // expected-error @+1 {{'stablehlo.while' op has a number of iterations that is not known when it is compiled: expected a condition on a counter that starts at a constant, is changed by constants and is compared with a constant}}
  %0:2 = stablehlo.while(%i = %c0, %v = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %1, %v : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

// The inner loop is named.

func.func @nested(%x: tensor<f32>) -> tensor<f32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0:2 = stablehlo.while(%i = %c0, %v = %x) : tensor<i32>, tensor<f32>
  cond {
    %1 = stablehlo.compare LT, %i, %c1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    // expected-error @+1 {{'stablehlo.while' op has a number of iterations that is not known when it is compiled}}
    %1 = stablehlo.while(%u = %v) : tensor<f32>
    cond {
      %3 = stablehlo.compare LT, %u, %one, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = stablehlo.add %u, %one : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }
    %2 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %2, %1 : tensor<i32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}

// -----

func.func @many(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<1000> : tensor<i32>
  // expected-error @+1 {{'stablehlo.while' op is unrolled, which makes the function larger than 100 ops, max-ops: make fewer iterations, or raise max-ops of ps-opt}}
  %0:2 = stablehlo.while(%i = %c0, %v = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.tanh %v : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

// Without an end, and without ops.

func.func @endless() {
  %true = stablehlo.constant dense<true> : tensor<i1>
  // expected-error @+1 {{'stablehlo.while' op is unrolled, which makes the function larger than 100 ops}}
  stablehlo.while() cond {
    stablehlo.return %true : tensor<i1>
  } do {
    stablehlo.return
  }
  return
}
