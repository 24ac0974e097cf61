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
