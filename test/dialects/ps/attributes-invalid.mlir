// RUN: ps-opt %s --split-input-file --verify-diagnostics

// Parameters of clips, regularizers, schedules and optimizers.

// expected-error@+1 {{expected min to be less than max, both finite, found 1.000000e+00 and 1.000000e+00}}
#a = #ps.clip_by_value<min = 1.0, max = 1.0>

// -----

// expected-error@+1 {{expected min to be less than max, both finite, found 0.000000e+00 and INF}}
#a = #ps.clip_by_value<min = 0.0, max = 1e999>

// -----

// expected-error@+1 {{expected norm to be finite and greater than 0, found 0.000000e+00}}
#a = #ps.clip_by_norm<0.0>

// -----

// expected-error@+1 {{expected norm to be finite and greater than 0, found -1.000000e+00}}
#a = #ps.clip_by_global_norm<-1.0>

// -----

// expected-error@+1 {{expected coeff to be finite and not negative, found -1.000000e-04}}
#a = #ps.l1_decay<-1e-4>

// -----

// expected-error@+1 {{expected coeff to be finite and not negative, found INF}}
#a = #ps.l2_decay<1e999>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.exponential_decay<learning_rate = -1.0, decay_steps = 1, decay_rate = 0.5>

// -----

// expected-error@+1 {{expected decay_steps to be at least 1, found 0}}
#a = #ps.exponential_decay<learning_rate = 1.0, decay_steps = 0, decay_rate = 0.5>

// -----

// expected-error@+1 {{expected decay_rate to be finite and not negative, found -5.000000e-01}}
#a = #ps.exponential_decay<learning_rate = 1.0, decay_steps = 1, decay_rate = -0.5>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.natural_exp_decay<learning_rate = -1.0, decay_steps = 1, decay_rate = 0.5>

// -----

// expected-error@+1 {{expected decay_steps to be at least 1, found 0}}
#a = #ps.natural_exp_decay<learning_rate = 1.0, decay_steps = 0, decay_rate = 0.5>

// -----

// expected-error@+1 {{expected decay_rate to be finite and not negative, found -5.000000e-01}}
#a = #ps.natural_exp_decay<learning_rate = 1.0, decay_steps = 1, decay_rate = -0.5>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.inverse_time_decay<learning_rate = -1.0, decay_steps = 1, decay_rate = 0.5>

// -----

// expected-error@+1 {{expected decay_steps to be at least 1, found 0}}
#a = #ps.inverse_time_decay<learning_rate = 1.0, decay_steps = 0, decay_rate = 0.5>

// -----

// expected-error@+1 {{expected decay_rate to be finite and not negative, found -5.000000e-01}}
#a = #ps.inverse_time_decay<learning_rate = 1.0, decay_steps = 1, decay_rate = -0.5>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.polynomial_decay<learning_rate = -1.0, decay_steps = 1>

// -----

// expected-error@+1 {{expected decay_steps to be at least 1, found 0}}
#a = #ps.polynomial_decay<learning_rate = 1.0, decay_steps = 0>

// -----

// expected-error@+1 {{expected end_learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.polynomial_decay<learning_rate = 1.0, decay_steps = 1, end_learning_rate = -1.0>

// -----

// expected-error@+1 {{expected power to be finite and not negative, found -1.000000e+00}}
#a = #ps.polynomial_decay<learning_rate = 1.0, decay_steps = 1, power = -1.0>

// -----

// expected-error@+1 {{expected one value more than boundaries, found 2 and 2}}
#a = #ps.piecewise_decay<boundaries = [1, 2], values = [1.0, 2.0]>

// -----

// expected-error@+1 {{expected boundaries to be greater than 0 and to increase, found 0 after 0}}
#a = #ps.piecewise_decay<boundaries = [0], values = [1.0, 2.0]>

// -----

// expected-error@+1 {{expected boundaries to be greater than 0 and to increase, found 2 after 2}}
#a = #ps.piecewise_decay<boundaries = [2, 2], values = [1.0, 2.0, 3.0]>

// -----

// expected-error@+1 {{expected values to be finite and not negative, found -2.000000e+00}}
#a = #ps.piecewise_decay<boundaries = [1], values = [1.0, -2.0]>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.cosine_decay<learning_rate = -1.0, step_each_epoch = 1, epochs = 1>

// -----

// expected-error@+1 {{expected step_each_epoch to be at least 1, found 0}}
#a = #ps.cosine_decay<learning_rate = 1.0, step_each_epoch = 0, epochs = 1>

// -----

// expected-error@+1 {{expected epochs to be at least 1, found 0}}
#a = #ps.cosine_decay<learning_rate = 1.0, step_each_epoch = 1, epochs = 0>

// -----

// expected-error@+1 {{expected d_model to be at least 1, found 0}}
#a = #ps.noam_decay<d_model = 0, warmup_steps = 1>

// -----

// expected-error@+1 {{expected warmup_steps to be at least 1, found 0}}
#a = #ps.noam_decay<d_model = 1, warmup_steps = 0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.noam_decay<d_model = 1, warmup_steps = 1, learning_rate = -1.0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.linear_warmup<learning_rate = -1.0, warmup_steps = 1, start_lr = 0.0, end_lr = 1.0>

// -----

// expected-error@+1 {{expected learning_rate to be a number or a schedule, found "fast"}}
#a = #ps.linear_warmup<learning_rate = "fast", warmup_steps = 1, start_lr = 0.0, end_lr = 1.0>

// -----

// expected-error@+1 {{expected warmup_steps to be at least 1, found 0}}
#a = #ps.linear_warmup<learning_rate = 1.0, warmup_steps = 0, start_lr = 0.0, end_lr = 1.0>

// -----

// expected-error@+1 {{expected start_lr to be finite and not negative, found -1.000000e+00}}
#a = #ps.linear_warmup<learning_rate = 1.0, warmup_steps = 1, start_lr = -1.0, end_lr = 1.0>

// -----

// expected-error@+1 {{expected end_lr to be finite and not negative, found -1.000000e+00}}
#a = #ps.linear_warmup<learning_rate = 1.0, warmup_steps = 1, start_lr = 0.0, end_lr = -1.0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.lars_momentum<learning_rate = -1.0, momentum = 0.9>

// -----

// expected-error@+1 {{expected momentum to be finite and not negative, found -1.000000e+00}}
#a = #ps.lars_momentum<learning_rate = 0.1, momentum = -1.0>

// -----

// expected-error@+1 {{expected lars_coeff to be finite and not negative, found -1.000000e+00}}
#a = #ps.lars_momentum<learning_rate = 0.1, momentum = 0.9, lars_coeff = -1.0>

// -----

// expected-error@+1 {{expected lars_weight_decay to be finite and not negative, found -1.000000e+00}}
#a = #ps.lars_momentum<learning_rate = 0.1, momentum = 0.9, lars_weight_decay = -1.0>

// -----

// expected-error@+1 {{expected epsilon to be finite and not negative, found -1.000000e+00}}
#a = #ps.lars_momentum<learning_rate = 0.1, momentum = 0.9, epsilon = -1.0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.adam<learning_rate = -1.0>

// -----

// expected-error@+1 {{expected epsilon to be finite and not negative, found -1.000000e+00}}
#a = #ps.adam<learning_rate = 0.1, epsilon = -1.0>

// -----

// expected-error@+1 {{expected beta1 to be at least 0 and less than 1, found 1.000000e+00}}
#a = #ps.adam<learning_rate = 0.1, beta1 = 1.0>

// -----

// expected-error@+1 {{expected beta2 to be at least 0 and less than 1, found 1.000000e+00}}
#a = #ps.adam<learning_rate = 0.1, beta2 = 1.0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.adamw<learning_rate = -1.0>

// -----

// expected-error@+1 {{expected epsilon to be finite and not negative, found -1.000000e+00}}
#a = #ps.adamw<learning_rate = 0.1, epsilon = -1.0>

// -----

// expected-error@+1 {{expected weight_decay to be finite and not negative, found -1.000000e+00}}
#a = #ps.adamw<learning_rate = 0.1, weight_decay = -1.0>

// -----

// expected-error@+1 {{expected beta1 to be at least 0 and less than 1, found 1.000000e+00}}
#a = #ps.adamw<learning_rate = 0.1, beta1 = 1.0>

// -----

// expected-error@+1 {{expected beta2 to be at least 0 and less than 1, found 1.000000e+00}}
#a = #ps.adamw<learning_rate = 0.1, beta2 = 1.0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.adamax<learning_rate = -1.0>

// -----

// expected-error@+1 {{expected epsilon to be finite and not negative, found -1.000000e+00}}
#a = #ps.adamax<learning_rate = 0.1, epsilon = -1.0>

// -----

// expected-error@+1 {{expected beta1 to be at least 0 and less than 1, found 1.000000e+00}}
#a = #ps.adamax<learning_rate = 0.1, beta1 = 1.0>

// -----

// expected-error@+1 {{expected beta2 to be at least 0 and less than 1, found 1.000000e+00}}
#a = #ps.adamax<learning_rate = 0.1, beta2 = 1.0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.adagrad<learning_rate = -1.0>

// -----

// expected-error@+1 {{expected epsilon to be finite and not negative, found -1.000000e+00}}
#a = #ps.adagrad<learning_rate = 0.1, epsilon = -1.0>

// -----

// expected-error@+1 {{expected initial_accumulator_value to be finite and not negative, found -1.000000e+00}}
#a = #ps.adagrad<learning_rate = 0.1, initial_accumulator_value = -1.0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.decayed_adagrad<learning_rate = -1.0>

// -----

// expected-error@+1 {{expected epsilon to be finite and not negative, found -1.000000e+00}}
#a = #ps.decayed_adagrad<learning_rate = 0.1, epsilon = -1.0>

// -----

// expected-error@+1 {{expected decay to be at least 0 and less than 1, found 1.000000e+00}}
#a = #ps.decayed_adagrad<learning_rate = 0.1, decay = 1.0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.rmsprop<learning_rate = -1.0>

// -----

// expected-error@+1 {{expected epsilon to be finite and not negative, found -1.000000e+00}}
#a = #ps.rmsprop<learning_rate = 0.1, epsilon = -1.0>

// -----

// expected-error@+1 {{expected momentum to be finite and not negative, found -1.000000e+00}}
#a = #ps.rmsprop<learning_rate = 0.1, momentum = -1.0>

// -----

// expected-error@+1 {{expected rho to be at least 0 and less than 1, found 1.000000e+00}}
#a = #ps.rmsprop<learning_rate = 0.1, rho = 1.0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.adadelta<learning_rate = -1.0>

// -----

// expected-error@+1 {{expected epsilon to be finite and not negative, found -1.000000e+00}}
#a = #ps.adadelta<learning_rate = 0.1, epsilon = -1.0>

// -----

// expected-error@+1 {{expected rho to be at least 0 and less than 1, found 1.000000e+00}}
#a = #ps.adadelta<learning_rate = 0.1, rho = 1.0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.ftrl<learning_rate = -1.0>

// -----

// expected-error@+1 {{expected l1 to be finite and not negative, found -1.000000e+00}}
#a = #ps.ftrl<learning_rate = 0.1, l1 = -1.0>

// -----

// expected-error@+1 {{expected l2 to be finite and not negative, found -1.000000e+00}}
#a = #ps.ftrl<learning_rate = 0.1, l2 = -1.0>

// -----

// expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e+00}}
#a = #ps.lamb<learning_rate = -1.0>

// -----

// expected-error@+1 {{expected epsilon to be finite and not negative, found -1.000000e+00}}
#a = #ps.lamb<learning_rate = 0.1, epsilon = -1.0>

// -----

// expected-error@+1 {{expected lamb_weight_decay to be finite and not negative, found -1.000000e+00}}
#a = #ps.lamb<learning_rate = 0.1, lamb_weight_decay = -1.0>

// -----

// expected-error@+1 {{expected beta1 to be at least 0 and less than 1, found 1.000000e+00}}
#a = #ps.lamb<learning_rate = 0.1, beta1 = 1.0>

// -----

// expected-error@+1 {{expected beta2 to be at least 0 and less than 1, found 1.000000e+00}}
#a = #ps.lamb<learning_rate = 0.1, beta2 = 1.0>

// -----

// expected-error@+1 {{expected lr_power to be finite and at most 0, found 5.000000e-01}}
#a = #ps.ftrl<learning_rate = 0.1, lr_power = 0.5>

// -----

// expected-error@+1 {{expected learning_rate, by which ftrl divides, to be greater than 0, found 0}}
#a = #ps.ftrl<learning_rate = 0.0>

// -----

// What comes from another part of the program.

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @f(%grad: tensor<4xf32>, %rate: tensor<f32>) {
  // expected-error@+1 {{has rate, which #ps.sgd<learning_rate = 0.1> does not need}}
  ps.apply @w, %grad rate(%rate : tensor<f32>) using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  return
}

// -----

ps.variable @w : tensor<4xf64> init(#ps.constant<0.0>)
func.func @f(%grad: tensor<4xf64>, %rate: tensor<f32>) {
  // expected-error@+1 {{expects rate of type 'tensor<f64>' for a gradient of type 'tensor<4xf64>', found 'tensor<f32>'}}
  ps.apply @w, %grad rate(%rate : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) : tensor<4xf64>
  return
}

// -----

ps.variable @w : tensor<4xbf16> init(#ps.constant<0.0>)
func.func @f(%grad: tensor<4xbf16>, %norm: tensor<f64>) {
  // expected-error@+1 {{expects norm of type 'tensor<f32>' for a gradient of type 'tensor<4xbf16>', found 'tensor<f64>'}}
  ps.apply @w, %grad norm(%norm : tensor<f64>) using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_global_norm<1.0>) : tensor<4xbf16>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @f(%grad: tensor<4xf32>, %norm: tensor<f32>) {
  // expected-error@+1 {{has norm, but no clip}}
  ps.apply @w, %grad norm(%norm : tensor<f32>) using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @f(%grad: tensor<4xf32>, %norm: tensor<f32>) {
  // expected-error@+1 {{has norm, which #ps.clip_by_norm<1.0> does not need}}
  ps.apply @w, %grad norm(%norm : tensor<f32>) using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_norm<1.0>) : tensor<4xf32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @f() {
  ps.listen_and_serv {
    ps.optimize_block @w (%grad: tensor<4xf32>) {
      // expected-error@+1 {{expects rate in ps.optimize_block, for #ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>}}
      ps.apply @w, %grad using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) : tensor<4xf32>
    }
  }
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @f() {
  ps.listen_and_serv {
    ps.optimize_block @w (%grad: tensor<4xf32>) {
      // expected-error@+1 {{expects norm in ps.optimize_block, for #ps.clip_by_global_norm<1.0>}}
      ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_global_norm<1.0>) : tensor<4xf32>
    }
  }
  return
}
