// RUN: ps-opt %s --ps-differentiate --split-input-file --verify-diagnostics

ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func private @helper(tensor<f32>) -> tensor<f32>
func.func @call_on_the_way() {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<f32>
  // expected-note@+1 {{through 'stablehlo.sine'}}
  %0 = stablehlo.sine %w : tensor<f32>
  // expected-error@+1 {{'func.call' op cannot be differentiated}}
  %1 = call @helper(%0) : (tensor<f32>) -> tensor<f32>
  // expected-note@+1 {{through 'stablehlo.add'}}
  %2 = stablehlo.add %1, %1 : tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %2 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<2xf32> init(#ps.constant<1.0>)
func.func @several_operands(%x: tensor<2xf32>) {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'stablehlo.reduce' op cannot be differentiated: it reduces several operands at once}}
  %0:2 = stablehlo.reduce(%w init: %zero), (%x init: %zero) across dimensions = [0] : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.add %c, %d : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %0#0 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<2xf32> init(#ps.constant<1.0>)
func.func @other_body() {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'stablehlo.reduce' op cannot be differentiated: its body is none of add, multiply, maximum, minimum}}
  %0 = stablehlo.reduce(%w init: %zero) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %1 = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %0 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<2xf32> init(#ps.constant<1.0>)
func.func @initial_value(%init: tensor<f32>) {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<2xf32>
  // expected-error@+1 {{'stablehlo.reduce' op cannot be differentiated: its initial value is not a constant}}
  %0 = stablehlo.reduce(%w init: %init) applies stablehlo.maximum across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %0 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @no_way(%x: tensor<f32>) {
  %w = ps.read @w : tensor<f32>
  // expected-error@+1 {{has a loss that no trainable variable changes}}
  ps.minimize %x using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @constant_almost_everywhere() {
  %w = ps.read @w : tensor<f32>
  %0 = stablehlo.floor %w : tensor<f32>
  // expected-error@+1 {{has a loss that no trainable variable changes}}
  ps.minimize %0 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @changed(%x: tensor<f32>) {
  // expected-note@+1 {{the loss uses this value}}
  %w = ps.read @w : tensor<f32>
  // expected-error@+1 {{changes '@w' between its use by the loss and its update}}
  ps.assign @w, %x : tensor<f32>
  // expected-note@+1 {{the update is here}}
  ps.minimize %w using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @several_blocks() {
  %w = ps.read @w : tensor<f32>
  // expected-error@+1 {{is in a function with several blocks}}
  ps.minimize %w using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  cf.br ^next
^next:
  return
}

// -----

ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @slice_of_batch(%x: tensor<?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<f32>
  // expected-note@+1 {{through 'stablehlo.broadcast_in_dim'}}
  %0 = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<f32>) -> tensor<?xf32>
  // expected-error@+1 {{cannot be differentiated: it cuts the batch dimension 0}}
  %1 = stablehlo.slice %0 [0:2] : (tensor<?xf32>) -> tensor<2xf32>
  // expected-note@+1 {{through 'stablehlo.reduce'}}
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %2 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @dynamic_slice_of_batch(%i: tensor<i32>) {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<f32>
  // expected-note@+1 {{through 'stablehlo.broadcast_in_dim'}}
  %0 = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<f32>) -> tensor<?xf32>
  // expected-error@+1 {{cannot be differentiated: it cuts the batch dimension 0}}
  %1 = stablehlo.dynamic_slice %0, %i, sizes = [1] : (tensor<?xf32>, tensor<i32>) -> tensor<1xf32>
  // expected-note@+1 {{through 'stablehlo.reshape'}}
  %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %2 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
func.func @gradient_of_batch(%x: tensor<?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{has type 'tensor<4xf32>' but its gradient has type 'tensor<?xf32>'}}
  %w = ps.read @w : tensor<4xf32>
  %0 = "stablehlo.multiply"(%w, %x) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %1 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
func.func @scatter_several(%i: tensor<3x1xi32>, %u: tensor<3xf32>) {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'stablehlo.scatter' op cannot be differentiated: it scatters into several inputs at once}}
  %0:2 = "stablehlo.scatter"(%w, %w, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %c, %d : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  // expected-note@+1 {{through 'stablehlo.reduce'}}
  %loss = stablehlo.reduce(%0#0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
func.func @scatter_maximum(%i: tensor<3x1xi32>, %u: tensor<3xf32>) {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'stablehlo.scatter' op cannot be differentiated: its body neither adds the update nor returns it}}
  %0 = "stablehlo.scatter"(%w, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> (tensor<4xf32>)
  // expected-note@+1 {{through 'stablehlo.reduce'}}
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<3xf32> init(#ps.constant<1.0>)
func.func @scatter_over_the_batch(%x: tensor<?xf32>, %i: tensor<1xi32>) {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{'stablehlo.scatter' op cannot be differentiated: it takes windows of the batch dimension 0}}
  %0 = "stablehlo.scatter"(%x, %i, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<?xf32>, tensor<1xi32>, tensor<3xf32>) -> (tensor<?xf32>)
  // expected-note@+1 {{through 'stablehlo.reduce'}}
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<f32> init(#ps.constant<2.0>)
func.func @first_operand(%q: tensor<f32>) {
  // expected-note@+1 {{on the way from '@w', read here}}
  %w = ps.read @w : tensor<f32>
  // expected-error@+1 {{cannot be differentiated: it has no derivative in its first operand, which is not a constant number}}
  %0 = chlo.zeta %w, %q : tensor<f32>, tensor<f32> -> tensor<f32>
  // expected-note@+1 {{to the loss, used here}}
  ps.minimize %0 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}
