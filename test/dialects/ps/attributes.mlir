// RUN: ps-opt %s --verify-roundtrip
// RUN: ps-opt %s | FileCheck %s

// Defaults are not printed.

// CHECK: clip = #ps.clip_by_value<min = -1.0, max = 1.0>
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>) {clip = #ps.clip_by_value<min = -1, max = 1>}
// CHECK: clip = #ps.clip_by_norm<5.0>, regularize = #ps.l1_decay<1.0e-05>
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>) {clip = #ps.clip_by_norm<5.0>, regularize = #ps.l1_decay<1e-5>}
// CHECK: clip = #ps.clip_by_global_norm<1.0>, regularize = #ps.l2_decay<0.5>
ps.variable @c : tensor<4xf32> init(#ps.constant<0.0>) {clip = #ps.clip_by_global_norm<1.0>, regularize = #ps.l2_decay<0.5>}

func.func @schedules(%g: tensor<4xf32>) {
  // CHECK: #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1, staircase = true>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1, staircase = true>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1, staircase = false>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.natural_exp_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1, staircase = true>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.natural_exp_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1, staircase = true>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.natural_exp_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.natural_exp_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1, staircase = false>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.inverse_time_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1, staircase = true>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.inverse_time_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1, staircase = true>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.inverse_time_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.inverse_time_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1, staircase = false>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.polynomial_decay<learning_rate = 1.0, decay_steps = 10>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.polynomial_decay<learning_rate = 1.0, decay_steps = 10, end_learning_rate = 0.0001, power = 1.0>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.polynomial_decay<learning_rate = 1.0, decay_steps = 10, end_learning_rate = 0.5, power = 2.0, cycle = true>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.polynomial_decay<learning_rate = 1.0, decay_steps = 10, end_learning_rate = 0.5, power = 2.0, cycle = true>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.piecewise_decay<boundaries = [1, 20], values = [1.0, 0.5, 0.001]>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.piecewise_decay<boundaries = [1, 20], values = [1, 0.5, 1e-3]>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.piecewise_decay<boundaries = [], values = [1.0]>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.piecewise_decay<boundaries = [], values = [1.0]>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.cosine_decay<learning_rate = 0.1, step_each_epoch = 100, epochs = 9>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.cosine_decay<learning_rate = 0.1, step_each_epoch = 100, epochs = 9>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000, learning_rate = 2.0>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000, learning_rate = 2.0>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.linear_warmup<learning_rate = 0.1, warmup_steps = 10, start_lr = 0.0, end_lr = 0.1>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.linear_warmup<learning_rate = 0.1, warmup_steps = 10, start_lr = 0.0, end_lr = 0.1>>) : tensor<4xf32>
  // CHECK: #ps.sgd<learning_rate = #ps.linear_warmup<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>, warmup_steps = 10, start_lr = 0.0, end_lr = 0.1>>
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.linear_warmup<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>, warmup_steps = 10, start_lr = 0.0, end_lr = 0.1>>) : tensor<4xf32>
  return
}

func.func @optimizers(%g: tensor<4xf32>) {
  // CHECK: #ps.lars_momentum<learning_rate = 0.1, momentum = 0.9>
  ps.apply @a, %g using(#ps.lars_momentum<learning_rate = 0.1, momentum = 0.9, lars_coeff = 0.001, lars_weight_decay = 0.0005, epsilon = 0.0>) : tensor<4xf32>
  // CHECK: #ps.lars_momentum<learning_rate = 0.1, momentum = 0.9, lars_coeff = 0.5, lars_weight_decay = 0.5, epsilon = 0.5>
  ps.apply @a, %g using(#ps.lars_momentum<learning_rate = 0.1, momentum = 0.9, lars_coeff = 0.5, lars_weight_decay = 0.5, epsilon = 0.5>) : tensor<4xf32>
  // CHECK: #ps.adam<learning_rate = 0.1>
  ps.apply @a, %g using(#ps.adam<learning_rate = 0.1, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8>) : tensor<4xf32>
  // CHECK: #ps.adam<learning_rate = 0.1, beta1 = 0.5, beta2 = 0.5, epsilon = 0.5>
  ps.apply @a, %g using(#ps.adam<learning_rate = 0.1, beta1 = 0.5, beta2 = 0.5, epsilon = 0.5>) : tensor<4xf32>
  // CHECK: #ps.adamw<learning_rate = 0.1>
  ps.apply @a, %g using(#ps.adamw<learning_rate = 0.1, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weight_decay = 0.01>) : tensor<4xf32>
  // CHECK: #ps.adamw<learning_rate = 0.1, beta1 = 0.5, beta2 = 0.5, epsilon = 0.5, weight_decay = 0.5>
  ps.apply @a, %g using(#ps.adamw<learning_rate = 0.1, beta1 = 0.5, beta2 = 0.5, epsilon = 0.5, weight_decay = 0.5>) : tensor<4xf32>
  // CHECK: #ps.adamax<learning_rate = 0.1>
  ps.apply @a, %g using(#ps.adamax<learning_rate = 0.1, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8>) : tensor<4xf32>
  // CHECK: #ps.adagrad<learning_rate = 0.1>
  ps.apply @a, %g using(#ps.adagrad<learning_rate = 0.1, epsilon = 1e-6, initial_accumulator_value = 0.0>) : tensor<4xf32>
  // CHECK: #ps.adagrad<learning_rate = 0.1, epsilon = 0.5, initial_accumulator_value = 0.5>
  ps.apply @a, %g using(#ps.adagrad<learning_rate = 0.1, epsilon = 0.5, initial_accumulator_value = 0.5>) : tensor<4xf32>
  // CHECK: #ps.adagrad<learning_rate = 0.1, row_wise = true>
  ps.apply @a, %g using(#ps.adagrad<learning_rate = 0.1, row_wise = true>) : tensor<4xf32>
  // CHECK: #ps.custom<@update, learning_rate = 0.1>
  ps.apply @a, %g using(#ps.custom<@update, learning_rate = 0.1, identity_for_zero_gradient = false>) : tensor<4xf32>
  // CHECK: #ps.custom<@update_with_slot, learning_rate = 0.1, slots = ["m"], initial_values = [0.5], identity_for_zero_gradient = true>
  ps.apply @a, %g using(#ps.custom<@update_with_slot, learning_rate = 0.1, slots = ["m"], initial_values = [0.5], identity_for_zero_gradient = true>) : tensor<4xf32>
  // CHECK: #ps.decayed_adagrad<learning_rate = 0.1>
  ps.apply @a, %g using(#ps.decayed_adagrad<learning_rate = 0.1, decay = 0.95, epsilon = 1e-6>) : tensor<4xf32>
  // CHECK: #ps.rmsprop<learning_rate = 0.1>
  ps.apply @a, %g using(#ps.rmsprop<learning_rate = 0.1, rho = 0.95, epsilon = 1e-6, momentum = 0.0, centered = false>) : tensor<4xf32>
  // CHECK: #ps.rmsprop<learning_rate = 0.1, rho = 0.5, epsilon = 0.5, momentum = 0.5, centered = true>
  ps.apply @a, %g using(#ps.rmsprop<learning_rate = 0.1, rho = 0.5, epsilon = 0.5, momentum = 0.5, centered = true>) : tensor<4xf32>
  // CHECK: #ps.adadelta<learning_rate = 0.1>
  ps.apply @a, %g using(#ps.adadelta<learning_rate = 0.1, rho = 0.95, epsilon = 1e-6>) : tensor<4xf32>
  // CHECK: #ps.ftrl<learning_rate = 0.1>
  ps.apply @a, %g using(#ps.ftrl<learning_rate = 0.1, l1 = 0.0, l2 = 0.0, lr_power = -0.5>) : tensor<4xf32>
  // CHECK: #ps.ftrl<learning_rate = 0.1, l1 = 0.5, l2 = 0.5, lr_power = -0.25>
  ps.apply @a, %g using(#ps.ftrl<learning_rate = 0.1, l1 = 0.5, l2 = 0.5, lr_power = -0.25>) : tensor<4xf32>
  // CHECK: #ps.lamb<learning_rate = 0.1>
  ps.apply @a, %g using(#ps.lamb<learning_rate = 0.1, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6, lamb_weight_decay = 0.01>) : tensor<4xf32>
  // CHECK: #ps.lamb<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>, lamb_weight_decay = 0.5>
  ps.apply @a, %g using(#ps.lamb<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>, lamb_weight_decay = 0.5>) : tensor<4xf32>
  return
}

func.func private @update(%p: tensor<f32>, %g: tensor<f32>, %rate: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.multiply %rate, %g : tensor<f32>
  %1 = stablehlo.subtract %p, %0 : tensor<f32>
  return %1 : tensor<f32>
}
func.func private @update_with_slot(%p: tensor<f32>, %g: tensor<f32>, %m: tensor<f32>, %rate: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  return %p, %m : tensor<f32>, tensor<f32>
}
