// RUN: split-file %s %t
// RUN: ps-run %t/value.mlir --entry=main
// RUN: ps-run %t/norm.mlir --entry=main
// RUN: ps-run %t/global_norm.mlir --entry=main
// RUN: ps-run %t/global_norm_nan.mlir --entry=main
// RUN: ps-run %t/decay.mlir --entry=main
// RUN: ps-run %t/order.mlir --entry=main
//
// With learning rate 1, a variable that starts at 0 ends as minus its gradient.

//--- value.mlir
ps.variable @w : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @one : tensor<f64> init(#ps.constant<0.0>)
func.func @main() {
  %g = stablehlo.constant dense<[-3.0, -0.5, 0.0, 2.0, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  ps.apply @w, %g using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_value<min = -1.0, max = 1.5>) : tensor<6xf32>
  %w = ps.read @w : tensor<6xf32>
  check.expect_eq_const %w, dense<[1.0, 0.5, 0.0, -1.5, -1.5, 0x7FC00000]> : tensor<6xf32>
  %h = stablehlo.constant dense<-1.0e300> : tensor<f64>
  ps.apply @one, %h using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_value<min = -1.0, max = 1.5>) : tensor<f64>
  %one = ps.read @one : tensor<f64>
  check.expect_eq_const %one, dense<1.0> : tensor<f64>
  return
}

// -----

//--- norm.mlir
ps.variable @above : tensor<2x2xf32> init(#ps.constant<0.0>)
ps.variable @below : tensor<2xf32> init(#ps.constant<0.0>)
ps.variable @zero : tensor<3xf32> init(#ps.constant<0.0>)
ps.variable @one : tensor<f32> init(#ps.constant<0.0>)
ps.variable @large : tensor<2xf32> init(#ps.constant<0.0>)
ps.variable @infinite : tensor<2xf32> init(#ps.constant<0.0>)
ps.variable @narrow : tensor<2xbf16> init(#ps.constant<0.0>)
func.func @main() {
  // |(1, 2, 2, 4)| = 5
  %above = stablehlo.constant dense<[[1.0, -2.0], [2.0, 4.0]]> : tensor<2x2xf32>
  ps.apply @above, %above using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_norm<2.5>) : tensor<2x2xf32>
  %0 = ps.read @above : tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[-0.5, 1.0], [-1.0, -2.0]]> : tensor<2x2xf32>
  // A norm that is just the bound.
  %below = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  ps.apply @below, %below using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_norm<5.0>) : tensor<2xf32>
  %1 = ps.read @below : tensor<2xf32>
  check.expect_eq_const %1, dense<[-3.0, -4.0]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<3xf32>
  ps.apply @zero, %zero using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_norm<1e-30>) : tensor<3xf32>
  %2 = ps.read @zero : tensor<3xf32>
  check.expect_eq_const %2, dense<0.0> : tensor<3xf32>
  %one = stablehlo.constant dense<-8.0> : tensor<f32>
  ps.apply @one, %one using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_norm<0.5>) : tensor<f32>
  %3 = ps.read @one : tensor<f32>
  check.expect_eq_const %3, dense<0.5> : tensor<f32>
  // The squares of these leave f32.
  %large = stablehlo.constant dense<[3.0e30, -4.0e30]> : tensor<2xf32>
  ps.apply @large, %large using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_norm<5.0>) : tensor<2xf32>
  %4 = ps.read @large : tensor<2xf32>
  check.expect_almost_eq_const %4, dense<[-3.0, 4.0]> : tensor<2xf32>, tolerance = 1.0e-6
  %infinite = stablehlo.constant dense<[1.0, 0xFF800000]> : tensor<2xf32>
  ps.apply @infinite, %infinite using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_norm<5.0>) : tensor<2xf32>
  %5 = ps.read @infinite : tensor<2xf32>
  check.expect_eq_const %5, dense<[0.0, 0x7FC00000]> : tensor<2xf32>
  %narrow = stablehlo.constant dense<[6.0, 8.0]> : tensor<2xbf16>
  ps.apply @narrow, %narrow using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_norm<5.0>) : tensor<2xbf16>
  %6 = ps.read @narrow : tensor<2xbf16>
  check.expect_eq_const %6, dense<[-3.0, -4.0]> : tensor<2xbf16>
  return
}

// -----

//--- global_norm.mlir
// |(2, 3, 6)| = 7, and @free is not part of it.
ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<f64> init(#ps.constant<0.0>)
ps.variable @zero : tensor<2xbf16> init(#ps.constant<0.0>)
ps.variable @free : tensor<2xf32> init(#ps.constant<0.0>)
func.func @main() {
  %b = stablehlo.constant dense<6.0> : tensor<f64>
  ps.apply @b, %b using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_global_norm<3.5>) : tensor<f64>
  %free = stablehlo.constant dense<[8.0, 100.0]> : tensor<2xf32>
  ps.apply @free, %free using(#ps.sgd<learning_rate = 1.0>) : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2xbf16>
  ps.apply @zero, %zero using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_global_norm<3.5>) : tensor<2xbf16>
  %a = stablehlo.constant dense<[2.0, -3.0]> : tensor<2xf32>
  ps.apply @a, %a using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_global_norm<7.0>) : tensor<2xf32>
  %0 = ps.read @a : tensor<2xf32>
  check.expect_eq_const %0, dense<[-2.0, 3.0]> : tensor<2xf32>
  %1 = ps.read @b : tensor<f64>
  check.expect_eq_const %1, dense<-3.0> : tensor<f64>
  %2 = ps.read @zero : tensor<2xbf16>
  check.expect_eq_const %2, dense<0.0> : tensor<2xbf16>
  %3 = ps.read @free : tensor<2xf32>
  check.expect_eq_const %3, dense<[-8.0, -100.0]> : tensor<2xf32>
  return
}

// -----

//--- global_norm_nan.mlir
// A NaN shows in every variable that is clipped by the same norm.
ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
func.func @main() {
  %a = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  ps.apply @a, %a using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
  ps.apply @b, %b using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
  %0 = ps.read @b : tensor<2xf32>
  check.expect_eq_const %0, dense<0x7FC00000> : tensor<2xf32>
  return
}

// -----

//--- decay.mlir
// With a zero gradient, p - coeff * sign(p) and p - coeff * p.
ps.variable @l1 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @l2 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @one : tensor<f32> init(#ps.constant<-2.0>)
func.func @main() {
  %p = stablehlo.constant dense<[4.0, -2.0, 0.0, 0xFF800000]> : tensor<4xf32>
  %g = stablehlo.constant dense<0.0> : tensor<4xf32>
  ps.assign @l1, %p : tensor<4xf32>
  ps.assign @l2, %p : tensor<4xf32>
  ps.apply @l1, %g using(#ps.sgd<learning_rate = 1.0>) regularize(#ps.l1_decay<0.25>) : tensor<4xf32>
  ps.apply @l2, %g using(#ps.sgd<learning_rate = 1.0>) regularize(#ps.l2_decay<0.25>) : tensor<4xf32>
  %0 = ps.read @l1 : tensor<4xf32>
  check.expect_eq_const %0, dense<[3.75, -1.75, 0.0, 0xFF800000]> : tensor<4xf32>
  %1 = ps.read @l2 : tensor<4xf32>
  check.expect_eq_const %1, dense<[3.0, -1.5, 0.0, 0x7FC00000]> : tensor<4xf32>
  %h = stablehlo.constant dense<1.0> : tensor<f32>
  ps.apply @one, %h using(#ps.sgd<learning_rate = 1.0>) regularize(#ps.l2_decay<0.5>) : tensor<f32>
  %2 = ps.read @one : tensor<f32>
  check.expect_eq_const %2, dense<-2.0> : tensor<f32>
  return
}

// -----

//--- order.mlir
// Clipped to 1, plus 0.5 * 4: were the sum clipped, it would be 1. The scale of
// the variable is applied to the rate, not to the gradient.
ps.variable @w : tensor<f32> init(#ps.constant<4.0>) {learning_rate_scale = 0.5 : f64}
func.func @main() {
  %g = stablehlo.constant dense<10.0> : tensor<f32>
  ps.apply @w, %g using(#ps.sgd<learning_rate = 1.0>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.5>) : tensor<f32>
  %w = ps.read @w : tensor<f32>
  check.expect_eq_const %w, dense<2.5> : tensor<f32>
  return
}
