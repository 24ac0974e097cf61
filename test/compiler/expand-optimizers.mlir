// RUN: ps-opt %s --split-input-file --ps-expand-optimizers --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @sgd
func.func @sgd(%grad: tensor<4xf32>) {
  // CHECK: %[[W:.*]] = ps.read @w : tensor<4xf32>
  // CHECK: dense<5.000000e-01>
  // CHECK: %[[STEP:.*]] = stablehlo.multiply
  // CHECK: %[[NEW:.*]] = stablehlo.subtract %[[W]], %[[STEP]]
  // CHECK: ps.assign @w, %[[NEW]]
  ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.5>) : tensor<4xf32>
  return
}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)

// -----

// The scale of the variable is part of the rate.

// CHECK-LABEL: @scaled
func.func @scaled(%grad: tensor<4xf32>) {
  // CHECK: dense<2.500000e-01>
  ps.apply @b, %grad using(#ps.sgd<learning_rate = 0.5>) : tensor<4xf32>
  return
}
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>) {learning_rate_scale = 0.5 : f64}

// -----

// CHECK: ps.variable @w : tensor<4xf32>
// CHECK-NEXT: ps.variable @w.velocity : tensor<4xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @momentum
func.func @momentum(%grad: tensor<4xf32>) {
  // CHECK: ps.read @w :
  // CHECK: ps.read @w.velocity
  // CHECK: ps.assign @w,
  // CHECK: ps.assign @w.velocity
  ps.apply @w, %grad using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<4xf32>
  return
}

// -----

// The slot of a slice is a slice of the slot.

// CHECK: ps.variable @w.block1.velocity : tensor<2x4xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w.velocity", row_offset = 3, rows = 2, origin_type = tensor<5x4xf32>>) slot_of(@w.block1)
ps.variable @w.block1 : tensor<2x4xf32> init(#ps.constant<0.0>)
  slice(#ps.slice<origin = "w", row_offset = 3, rows = 2, origin_type = tensor<5x4xf32>>)
func.func @slice(%grad: tensor<2x4xf32>) {
  ps.apply @w.block1, %grad using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<2x4xf32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
// expected-note@+1 {{here}}
ps.variable @w.velocity : tensor<4xf32> init(#ps.constant<0.0>)
func.func @taken(%grad: tensor<4xf32>) {
  // expected-error@+1 {{needs the name '@w.velocity' for its state, but it is taken}}
  ps.apply @w, %grad using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<4xf32>
  return
}

// -----

// The program has not been selected.

ps.program @trainer role(trainer) cluster(#ps.cluster<mode = sync, trainers = 1, pservers = ["h:1"], hash = "0">) {
  ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
  func.func @train(%grad: tensor<4xf32>) {
    // expected-error@+1 {{updates '@w', which is not a variable of the module}}
    ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
    return
  }
}
