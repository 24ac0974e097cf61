// RUN: ps-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected slots to be names in brackets, found 1 : i64}}
#a = #ps.custom<@f, learning_rate = 0.1, slots = [1]>

// -----

// expected-error@+1 {{has two slots "m"}}
#a = #ps.custom<@f, learning_rate = 0.1, slots = ["m", "m"]>

// -----

// expected-error@+1 {{expected as many initial_values as slots, 1, found 2}}
#a = #ps.custom<@f, learning_rate = 0.1, slots = ["m"], initial_values = [0.0, 1.0]>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.custom<@f, learning_rate = -1.0>

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @no_function(%g: tensor<4xf32>) {
  // expected-error@+1 {{'ps.apply' op updates by @f, which is not a function here}}
  ps.apply @w, %g using(#ps.custom<@f, learning_rate = 0.1>) : tensor<4xf32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
// expected-error@+1 {{expected the update function to be private}}
func.func @f(%p: tensor<f32>, %g: tensor<f32>, %rate: tensor<f32>) -> tensor<f32> {
  return %p : tensor<f32>
}
func.func @not_private(%g: tensor<4xf32>) {
  ps.apply @w, %g using(#ps.custom<@f, learning_rate = 0.1>) : tensor<4xf32>
  return
}

// -----

ps.variable @w : tensor<4xf64> init(#ps.constant<0.0>)
// expected-error@+1 {{expected the update function of #ps.custom<@f, learning_rate = 0.1, slots = ["m"]> to have type '(tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)', found '(tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>'}}
func.func private @f(%p: tensor<f32>, %g: tensor<f32>, %rate: tensor<f32>) -> tensor<f32> {
  return %p : tensor<f32>
}
func.func @other_type(%g: tensor<4xf64>) {
  // expected-note@+1 {{for this update}}
  ps.apply @w, %g using(#ps.custom<@f, learning_rate = 0.1, slots = ["m"]>) : tensor<4xf64>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
// expected-error@+1 {{expected the update function to have one block}}
func.func private @f(%p: tensor<f32>, %g: tensor<f32>, %rate: tensor<f32>) -> tensor<f32>
func.func @no_body(%g: tensor<4xf32>) {
  ps.apply @w, %g using(#ps.custom<@f, learning_rate = 0.1>) : tensor<4xf32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func private @f(%p: tensor<f32>, %g: tensor<f32>, %rate: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{expected an op that works element by element, on scalars, in update function '@f', found 'stablehlo.reshape'}}
  %0 = stablehlo.reshape %p : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @other_op(%g: tensor<4xf32>) {
  ps.apply @w, %g using(#ps.custom<@f, learning_rate = 0.1>) : tensor<4xf32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func private @f(%p: tensor<f32>, %g: tensor<f32>, %rate: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{expected an op that works element by element, on scalars, in update function '@f', found 'stablehlo.constant'}}
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %p : tensor<f32>
}
func.func @no_scalar(%g: tensor<4xf32>) {
  ps.apply @w, %g using(#ps.custom<@f, learning_rate = 0.1>) : tensor<4xf32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func private @f(%p: tensor<f32>, %g: tensor<f32>, %rate: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{expected an op that works element by element, on scalars, in update function '@f', found 'stablehlo.constant'}}
  %0 = stablehlo.constant dense_resource<r> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @no_value(%g: tensor<4xf32>) {
  ps.apply @w, %g using(#ps.custom<@f, learning_rate = 0.1>) : tensor<4xf32>
  return
}
{-# dialect_resources: { builtin: { r: "0x040000000000803F" } } #-}
