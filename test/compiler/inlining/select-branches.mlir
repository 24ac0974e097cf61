// RUN: ps-opt %s --ps-select-branches --split-input-file | FileCheck %s

// The branch of a constant index, the last one where there is none of it.

// CHECK-LABEL: func @constant
func.func @constant(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NOT: stablehlo.sine
  // CHECK: %[[A:.*]] = stablehlo.tanh %arg0
  // CHECK: %[[B:.*]] = stablehlo.cosine %arg0
  // CHECK: return %[[A]], %[[B]], %arg0
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.case"(%one) ({
    %3 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }, {
    %3 = stablehlo.tanh %x : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %below = stablehlo.constant dense<-1> : tensor<i32>
  %1 = "stablehlo.case"(%below) ({
    %3 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }, {
    %3 = stablehlo.cosine %x : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %2 = "stablehlo.if"(%true) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    %3 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @selected
func.func @selected(%i: tensor<i32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  // CHECK: %[[SINE:.*]] = stablehlo.sine
  // CHECK: %[[TANH:.*]] = stablehlo.tanh
  // CHECK: %[[COSINE:.*]] = stablehlo.cosine
  // CHECK: %[[IS1:.*]] = stablehlo.compare EQ, %arg0, %{{.*}}
  // CHECK: %[[REST:.*]] = stablehlo.select %[[IS1]], %[[TANH]], %[[COSINE]] : tensor<i1>, tensor<4xf32>
  // CHECK: %[[IS0:.*]] = stablehlo.compare EQ, %arg0, %{{.*}}
  // CHECK: stablehlo.select %[[IS0]], %[[SINE]], %[[REST]] : tensor<i1>, tensor<4xf32>
  %0:2 = "stablehlo.case"(%i) ({
    %1 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %1, %i : tensor<4xf32>, tensor<i32>
  }, {
    %1 = stablehlo.tanh %x : tensor<4xf32>
    stablehlo.return %1, %i : tensor<4xf32>, tensor<i32>
  }, {
    %1 = stablehlo.cosine %x : tensor<4xf32>
    stablehlo.return %1, %i : tensor<4xf32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<i32>
}

// -----

// CHECK-LABEL: func @nested
func.func @nested(%p: tensor<i1>, %q: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[SINE:.*]] = stablehlo.sine
  // CHECK: %[[INNER:.*]] = stablehlo.select %arg1, %[[SINE]], %arg2
  // CHECK: stablehlo.select %arg0, %[[INNER]], %arg2
  %0 = "stablehlo.if"(%p) ({
    %1 = "stablehlo.if"(%q) ({
      %2 = stablehlo.sine %x : tensor<4xf32>
      stablehlo.return %2 : tensor<4xf32>
    }, {
      stablehlo.return %x : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
