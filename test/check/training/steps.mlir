// RUN: split-file %s %t
// RUN: ps-run %t/schedule.mlir --entry=main
// RUN: ps-run %t/correction.mlir --entry=main
// RUN: ps-run %t/ftrl.mlir --entry=main

//--- schedule.mlir
// f32 does not tell 2^24 from 2^24 + 1: the first step of a staircase would end
// too early. A count that is optimizer state is taken, and counted on.
ps.variable @global_step : tensor<i64> init(#ps.constant<16777216.0>) {optimizer_state, trainable = false}
ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @main() {
  %g = stablehlo.constant dense<-1.0> : tensor<f32>
  ps.apply @w, %g using(#ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 1.0, decay_steps = 16777217, decay_rate = 0.5, staircase = true>>) : tensor<f32>
  %w = ps.read @w : tensor<f32>
  check.expect_eq_const %w, dense<1.0> : tensor<f32>
  %step = ps.read @global_step : tensor<i64>
  check.expect_eq_const %step, dense<16777217> : tensor<i64>
  return
}

// -----

//--- correction.mlir
// Adam's first step is as long as the rate, to the last digits.
ps.variable @first : tensor<3xf32> init(#ps.constant<0.0>)
// After very many steps nothing is corrected: 0.1 / sqrt(0.001).
ps.variable @late : tensor<f32> init(#ps.constant<0.0>)
ps.variable @late.step : tensor<f32> init(#ps.constant<16777216.0>) slot_of(@late) {trainable = false}
func.func @main() {
  %g = stablehlo.constant dense<[3.0, -0.7, 1.0e4]> : tensor<3xf32>
  ps.apply @first, %g using(#ps.adam<learning_rate = 1.0, epsilon = 0.0>) : tensor<3xf32>
  %first = ps.read @first : tensor<3xf32>
  check.expect_almost_eq_const %first, dense<[-1.0, 1.0, -1.0]> : tensor<3xf32>, tolerance = 5.0e-7
  %h = stablehlo.constant dense<2.0> : tensor<f32>
  ps.apply @late, %h using(#ps.adam<learning_rate = 1.0>) : tensor<f32>
  %late = ps.read @late : tensor<f32>
  check.expect_almost_eq_const %late, dense<-3.1622776> : tensor<f32>, tolerance = 1.0e-6
  return
}

// -----

//--- ftrl.mlir
// FTRL divides by its rate: where that is zero nothing changes, not even what
// l1 would make zero.
ps.variable @scaled : tensor<2xf32> init(#ps.constant<0.5>) {learning_rate_scale = 0.0 : f64}
ps.variable @scaled.squared : tensor<2xf32> init(#ps.constant<0.25>) slot_of(@scaled) {trainable = false}
ps.variable @scaled.linear : tensor<2xf32> init(#ps.constant<-0.75>) slot_of(@scaled) {trainable = false}
ps.variable @warm : tensor<2xf64> init(#ps.constant<0.5>)
ps.variable @learning : tensor<f32> init(#ps.constant<0.5>)
func.func @main() {
  %g = stablehlo.constant dense<[3.0, 0.0]> : tensor<2xf32>
  ps.apply @scaled, %g using(#ps.ftrl<learning_rate = 0.1, l1 = 4.0>) : tensor<2xf32>
  %scaled = ps.read @scaled : tensor<2xf32>
  check.expect_eq_const %scaled, dense<0.5> : tensor<2xf32>
  %squared = ps.read @scaled.squared : tensor<2xf32>
  check.expect_eq_const %squared, dense<0.25> : tensor<2xf32>
  %linear = ps.read @scaled.linear : tensor<2xf32>
  check.expect_eq_const %linear, dense<-0.75> : tensor<2xf32>

  %h = stablehlo.constant dense<[3.0, 0.0]> : tensor<2xf64>
  ps.apply @warm, %h using(#ps.ftrl<learning_rate = #ps.linear_warmup<learning_rate = 0.1, warmup_steps = 4, start_lr = 0.0, end_lr = 0.1>>) : tensor<2xf64>
  %warm = ps.read @warm : tensor<2xf64>
  check.expect_eq_const %warm, dense<0.5> : tensor<2xf64>

  // linear = 3 - 3 / 0.1 * 0.5 = -12, and 12 / (3 / 0.1) of it is left.
  %i = stablehlo.constant dense<3.0> : tensor<f32>
  ps.apply @learning, %i using(#ps.ftrl<learning_rate = 0.1>) : tensor<f32>
  %learning = ps.read @learning : tensor<f32>
  check.expect_almost_eq_const %learning, dense<0.4> : tensor<f32>, tolerance = 1.0e-6
  return
}
