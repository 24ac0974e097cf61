// RUN: ps-opt %s --ps-differentiate --split-input-file --verify-diagnostics

// Reductions of windows without a derivative.

ps.variable @w : tensor<2xf32> init(#ps.constant<1.0>)
func.func @several_operands(%x: tensor<2xf32>) {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'stablehlo.reduce_window' op cannot be differentiated: it reduces several operands at once}}
  %d:2 = "stablehlo.reduce_window"(%w, %x, %zero, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %e: tensor<f32>):
    %f = stablehlo.add %a, %c : tensor<f32>
    %g = stablehlo.add %b, %e : tensor<f32>
    stablehlo.return %f, %g : tensor<f32>, tensor<f32>
  }) : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>) -> (tensor<1xf32>, tensor<1xf32>)
  // expected-note@+1 {{through 'stablehlo.reshape'}}
  %2 = stablehlo.reshape %d#0 : (tensor<1xf32>) -> tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %2 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<2xf32> init(#ps.constant<1.0>)
func.func @initial_value(%x: tensor<f32>) {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'stablehlo.reduce_window' op cannot be differentiated: its initial value is not a constant}}
  %1 = "stablehlo.reduce_window"(%w, %x) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>
  // expected-note@+1 {{through 'stablehlo.reshape'}}
  %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %2 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<2xf32> init(#ps.constant<1.0>)
func.func @product() {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'stablehlo.reduce_window' op cannot be differentiated: its body is none of add, maximum, minimum}}
  %1 = "stablehlo.reduce_window"(%w, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>
  // expected-note@+1 {{through 'stablehlo.reshape'}}
  %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %2 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<2xf32> init(#ps.constant<1.0>)
func.func @dilated() {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'stablehlo.reduce_window' op cannot be differentiated: its windows or operands are dilated}}
  %1 = "stablehlo.reduce_window"(%w, %zero) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>, window_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>
  // expected-note@+1 {{through 'stablehlo.reshape'}}
  %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %2 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}
