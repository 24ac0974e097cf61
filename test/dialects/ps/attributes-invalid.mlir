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

// Updates are computed in f32, where these would be infinite. What becomes zero
// there is allowed.

#tiny = #ps.adam<learning_rate = 1e-60, epsilon = 1e-60>
#small = #ps.ftrl<learning_rate = 1e-38>
// expected-error@+1 {{expected norm to be finite in f32, found 1.000000e+39}}
#a = #ps.clip_by_norm<1.0e39>

// -----

// expected-error@+1 {{expected norm to be finite in f32, found 1.000000e+300}}
#a = #ps.clip_by_global_norm<1.0e300>

// -----

// expected-error@+1 {{expected max to be finite in f32, found 1.000000e+39}}
#a = #ps.clip_by_value<min = 0.0, max = 1.0e39>

// -----

// expected-error@+1 {{expected min to be finite in f32, found -1.000000e+39}}
#a = #ps.clip_by_value<min = -1.0e39, max = 0.0>

// -----

// expected-error@+1 {{expected coeff to be finite in f32, found 1.000000e+39}}
#a = #ps.l2_decay<1e39>

// -----

// expected-error@+1 {{expected learning_rate to be finite in f32, found 1.000000e+39}}
#a = #ps.sgd<learning_rate = 1e39>

// -----

// expected-error@+1 {{expected momentum to be finite in f32, found 1.000000e+39}}
#a = #ps.momentum<learning_rate = 0.1, momentum = 1e39>

// -----

// expected-error@+1 {{expected learning_rate to be finite in f32, found 1.000000e+39}}
#a = #ps.natural_exp_decay<learning_rate = 1e39, decay_steps = 1, decay_rate = 0.5>

// -----

// expected-error@+1 {{expected values to be finite in f32, found 1.000000e+39}}
#a = #ps.piecewise_decay<boundaries = [1], values = [1.0, 1e39]>

// -----

// expected-error@+1 {{expected lr_power to be finite in f32, found -1.000000e+39}}
#a = #ps.ftrl<learning_rate = 0.1, lr_power = -1e39>

// -----

// expected-error@+1 {{expected 1 / learning_rate to be finite in f32, found 1.000000e+40}}
#a = #ps.ftrl<learning_rate = 1e-40>

// -----

// expected-error@+1 {{expected initial_values to be finite in f32, found -1.000000e+39}}
#a = #ps.custom<@f, learning_rate = 0.1, slots = ["m"], initial_values = [-1e39]>

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

// Parameters that an attribute does not have: each one lists its own.

// -----

// expected-error@+1 {{#ps.cluster has no parameter 'zzz'; its parameters are mode, trainers, pservers, hash, accumulate, geo_steps, bucket_bytes, wire, rounds}}
#a = #ps.cluster<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.slice has no parameter 'zzz'; its parameters are origin, row_offset, rows, origin_type}}
#a = #ps.slice<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.placement has no parameter 'zzz'; its parameters are block, row_offset, rows, server, largest, reason}}
#a = #ps.placement<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.shard: expected index to be an integer, without its name}}
#a = #ps.shard<index = 1>

// -----

// expected-error@+1 {{#ps.ctr has no parameter 'zzz'; its parameters are click, nonclick_coefficient, click_coefficient, embedx_from, embedx_threshold, show_scale, base_threshold, delta_threshold, delta_keep_days, decay, delete_threshold, delete_after_unseen_days}}
#a = #ps.ctr<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.constant: expected value to be a number, without its name}}
#a = #ps.constant<value = 1>

// -----

// expected-error@+1 {{#ps.uniform has no parameter 'zzz'; its parameters are min, max}}
#a = #ps.uniform<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.normal has no parameter 'zzz'; its parameters are mean, stddev}}
#a = #ps.normal<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.truncated_normal has no parameter 'zzz'; its parameters are mean, stddev}}
#a = #ps.truncated_normal<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.xavier_uniform has no parameters}}
#a = #ps.xavier_uniform<scale = 1.0>

// -----

// expected-error@+1 {{#ps.xavier_normal has no parameters}}
#a = #ps.xavier_normal<scale = 1.0>

// -----

// expected-error@+1 {{#ps.he_uniform has no parameters}}
#a = #ps.he_uniform<scale = 1.0>

// -----

// expected-error@+1 {{#ps.he_normal has no parameters}}
#a = #ps.he_normal<scale = 1.0>

// -----

// expected-error@+1 {{#ps.clip_by_value has no parameter 'zzz'; its parameters are min, max}}
#a = #ps.clip_by_value<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.clip_by_norm: expected norm to be a number, without its name}}
#a = #ps.clip_by_norm<norm = 1>

// -----

// expected-error@+1 {{#ps.clip_by_global_norm: expected norm to be a number, without its name}}
#a = #ps.clip_by_global_norm<norm = 1>

// -----

// expected-error@+1 {{#ps.l1_decay: expected coeff to be a number, without its name}}
#a = #ps.l1_decay<coeff = 1>

// -----

// expected-error@+1 {{#ps.l2_decay: expected coeff to be a number, without its name}}
#a = #ps.l2_decay<coeff = 1>

// -----

// expected-error@+1 {{#ps.exponential_decay has no parameter 'zzz'; its parameters are learning_rate, decay_steps, decay_rate, staircase}}
#a = #ps.exponential_decay<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.natural_exp_decay has no parameter 'zzz'; its parameters are learning_rate, decay_steps, decay_rate, staircase}}
#a = #ps.natural_exp_decay<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.inverse_time_decay has no parameter 'zzz'; its parameters are learning_rate, decay_steps, decay_rate, staircase}}
#a = #ps.inverse_time_decay<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.polynomial_decay has no parameter 'zzz'; its parameters are learning_rate, decay_steps, end_learning_rate, power, cycle}}
#a = #ps.polynomial_decay<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.piecewise_decay has no parameter 'zzz'; its parameters are boundaries, values}}
#a = #ps.piecewise_decay<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.cosine_decay has no parameter 'zzz'; its parameters are learning_rate, step_each_epoch, epochs}}
#a = #ps.cosine_decay<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.noam_decay has no parameter 'zzz'; its parameters are d_model, warmup_steps, learning_rate}}
#a = #ps.noam_decay<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.linear_warmup has no parameter 'zzz'; its parameters are learning_rate, warmup_steps, start_lr, end_lr}}
#a = #ps.linear_warmup<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.sgd has no parameter 'zzz'; its parameter is learning_rate}}
#a = #ps.sgd<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.momentum has no parameter 'zzz'; its parameters are learning_rate, momentum, use_nesterov}}
#a = #ps.momentum<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.lars_momentum has no parameter 'zzz'; its parameters are learning_rate, momentum, lars_coeff, lars_weight_decay, epsilon}}
#a = #ps.lars_momentum<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.adam has no parameter 'zzz'; its parameters are learning_rate, beta1, beta2, epsilon}}
#a = #ps.adam<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.adamw has no parameter 'zzz'; its parameters are learning_rate, beta1, beta2, epsilon, weight_decay}}
#a = #ps.adamw<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.adamax has no parameter 'zzz'; its parameters are learning_rate, beta1, beta2, epsilon}}
#a = #ps.adamax<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.adagrad has no parameter 'zzz'; its parameters are learning_rate, epsilon, initial_accumulator_value, row_wise}}
#a = #ps.adagrad<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.decayed_adagrad has no parameter 'zzz'; its parameters are learning_rate, decay, epsilon}}
#a = #ps.decayed_adagrad<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.rmsprop has no parameter 'zzz'; its parameters are learning_rate, rho, epsilon, momentum, centered}}
#a = #ps.rmsprop<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.adadelta has no parameter 'zzz'; its parameters are learning_rate, rho, epsilon}}
#a = #ps.adadelta<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.ftrl has no parameter 'zzz'; its parameters are learning_rate, l1, l2, lr_power}}
#a = #ps.ftrl<zzz = 1.0>

// -----

// expected-error@+1 {{#ps.lamb has no parameter 'zzz'; its parameters are learning_rate, beta1, beta2, epsilon, lamb_weight_decay}}
#a = #ps.lamb<zzz = 1.0>

// -----

// The nearest one comes last.
// expected-error@+1 {{#ps.adam has no parameter 'epsilom'; its parameters are learning_rate, beta1, beta2, epsilon; did you mean 'epsilon'?}}
#a = #ps.adam<learning_rate = 0.1, epsilom = 1e-3>

// -----

// expected-error@+1 {{#ps.adam: parameter 'learning_rate' is given twice}}
#a = #ps.adam<learning_rate = 0.1, learning_rate = 0.1>

// -----

// expected-error@+1 {{#ps.adam: parameter 'learning_rate' is missing}}
#a = #ps.adam<beta1 = 0.1>

// -----

// expected-error@+1 {{#ps.uniform: expected ','; its parameters are min, max}}
#a = #ps.uniform<min = 0.0>

// -----

// expected-error@+1 {{#ps.sgd: expected a parameter's name; its parameter is learning_rate}}
#a = #ps.sgd<0.1>

// -----

// expected-error@+1 {{#ps.sgd: expected '<'; its parameter is learning_rate}}
#a = #ps.sgd

// -----

// Values of another kind.

// expected-error@+1 {{#ps.clip_by_value: expected min to be a number}}
#a = #ps.clip_by_value<min = "a", max = 1.0>

// -----

// expected-error@+1 {{#ps.exponential_decay: expected decay_steps to be an integer}}
#a = #ps.exponential_decay<learning_rate = 1.0, decay_steps = 1.5, decay_rate = 0.5>

// -----

// expected-error@+1 {{#ps.exponential_decay: expected staircase to be true or false}}
#a = #ps.exponential_decay<learning_rate = 1.0, decay_steps = 1, decay_rate = 0.5, staircase = "x">

// -----

// expected-error@+1 {{#ps.sgd: expected learning_rate to be a number or a schedule}}
#a = #ps.sgd<learning_rate = fast>

// -----

// expected-error@+1 {{expected learning_rate to be a number or a schedule, found "fast"}}
#a = #ps.sgd<learning_rate = "fast">

// -----

// expected-error@+1 {{#ps.noam_decay has no parameter 'd_modell'; its parameters are d_model, warmup_steps, learning_rate; did you mean 'd_model'?}}
#a = #ps.sgd<learning_rate = #ps.noam_decay<d_modell = 4, warmup_steps = 2>>

// -----

// expected-error@+1 {{expected d_model to be at least 1, found 0}}
#a = #ps.sgd<learning_rate = #ps.noam_decay<d_model = 0, warmup_steps = 2>>

// -----

// expected-error@+1 {{unknown attribute '#ps.noamdecay'; did you mean 'noam_decay'?}}
#a = #ps.sgd<learning_rate = #ps.noamdecay<4>>

// -----

// expected-error@+1 {{#ps.piecewise_decay: expected boundaries to be integers in brackets}}
#a = #ps.piecewise_decay<boundaries = 1, values = [1.0, 2.0]>

// -----

// expected-error@+1 {{#ps.piecewise_decay: expected values to be numbers in brackets}}
#a = #ps.piecewise_decay<boundaries = [1], values = ["a", 2.0]>

// -----

// expected-error@+1 {{#ps.ctr: expected click to be a string in quotes}}
#a = #ps.ctr<click = label>

// -----

// expected-error@+1 {{#ps.ctr: expected embedx_from to be an integer}}
#a = #ps.ctr<click = "label", embedx_from = "one">

// -----

// expected-error@+1 {{#ps.cluster: expected mode to be one of: sync, async, half_async, geo, collective}}
#a = #ps.cluster<mode = synch, trainers = 2, pservers = [@pserver_0], hash = "0">

// -----

// expected-error@+1 {{#ps.cluster: expected pservers to be a list in brackets}}
#a = #ps.cluster<mode = sync, trainers = 2, pservers = 3, hash = "0">

// -----

// expected-error@+1 {{#ps.slice: expected origin_type to be a tensor type}}
#a = #ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = f32>

// -----

// Neighboring letters that are exchanged are one mistake.

// expected-error@+1 {{unknown attribute '#ps.sdg'; did you mean 'sgd'?}}
#a = #ps.sdg<learning_rate = 0.1>
