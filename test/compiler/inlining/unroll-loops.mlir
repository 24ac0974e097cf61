// RUN: ps-opt %s --ps-unroll-loops --split-input-file | FileCheck %s

// A counted loop becomes its iterations; the counter is gone, and what is
// computed from it constant.

// CHECK-LABEL: func @counted
func.func @counted(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  // CHECK-DAG: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  // CHECK-DAG: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK: stablehlo.tanh %arg0
  // CHECK-NOT: stablehlo.add %{{.*}} : tensor<i32>
  // CHECK: stablehlo.tanh
  // CHECK: stablehlo.broadcast_in_dim %[[ONE]], dims = []
  // CHECK: return %[[TWO]], %{{.*}}
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%iterArg = %c0, %iterArg_0 = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %c2 = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg, %c2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %iterArg, %c1 : tensor<i32>
    %2 = stablehlo.tanh %iterArg_0 : tensor<4xf32>
    %3 = stablehlo.convert %iterArg : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.add %2, %4 : tensor<4xf32>
    stablehlo.return %1, %5 : tensor<i32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<4xf32>
}

// -----

// Downward, by another step, compared otherwise, through a conversion and with
// a second condition.

// CHECK-LABEL: func @other_counters
func.func @other_counters(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-COUNT-3: stablehlo.tanh
  // CHECK-NOT: stablehlo.tanh
  %c9 = stablehlo.constant dense<9> : tensor<ui8>
  %0:2 = stablehlo.while(%i = %c9, %v = %x) : tensor<ui8>, tensor<4xf32>
  cond {
    %c2 = stablehlo.constant dense<2> : tensor<i64>
    %c7 = stablehlo.constant dense<70> : tensor<ui8>
    %1 = stablehlo.convert %i : (tensor<ui8>) -> tensor<i64>
    %2 = stablehlo.compare GE, %1, %c2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %3 = stablehlo.compare NE, %i, %c7, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %c3 = stablehlo.constant dense<3> : tensor<ui8>
    %1 = stablehlo.subtract %i, %c3 : tensor<ui8>
    %2 = stablehlo.tanh %v : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<ui8>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

// A loop that is not entered gives its operands.

// CHECK-LABEL: func @none
func.func @none(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %arg0
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c0, %v = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %c0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.tanh %v : tensor<4xf32>
    stablehlo.return %i, %1 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

// Loops inside of loops, with as many iterations as the outer counter says.

// CHECK-LABEL: func @nested
func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-COUNT-3: stablehlo.tanh
  // CHECK-NOT: stablehlo.tanh
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c0, %v = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %c3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1:2 = stablehlo.while(%j = %c0, %u = %v) : tensor<i32>, tensor<4xf32>
    cond {
      %3 = stablehlo.compare LT, %j, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = stablehlo.add %j, %c1 : tensor<i32>
      %4 = stablehlo.tanh %u : tensor<4xf32>
      stablehlo.return %3, %4 : tensor<i32>, tensor<4xf32>
    }
    %2 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %2, %1#1 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

// In the branch of a choice.

// CHECK-LABEL: func @in_branch
func.func @in_branch(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  // CHECK: "stablehlo.if"
  // CHECK-COUNT-2: stablehlo.tanh
  // CHECK-NOT: stablehlo.while
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    %1:2 = stablehlo.while(%i = %c0, %v = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %2 = stablehlo.compare LT, %i, %c2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.add %i, %c1 : tensor<i32>
      %3 = stablehlo.tanh %v : tensor<4xf32>
      stablehlo.return %2, %3 : tensor<i32>, tensor<4xf32>
    }
    stablehlo.return %1#1 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A slice at the counter is a slice at a constant.

// CHECK-LABEL: func @sliced
func.func @sliced(%x: tensor<2x4xf32>, %z: tensor<1x4xf32>) -> tensor<1x4xf32> {
  // CHECK: stablehlo.slice %arg0 [0:1, 0:4]
  // CHECK: stablehlo.slice %arg0 [1:2, 0:4]
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c0, %v = %z) : tensor<i32>, tensor<1x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %c2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %x, %i, %c0, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %2 = stablehlo.add %v, %1 : tensor<1x4xf32>
    %3 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<1x4xf32>
  }
  return %0#1 : tensor<1x4xf32>
}
