// RUN: ps-run %s --entry=main

// Gradients where a function has a kink, by training one step at rate 1: each
// variable loses its gradient.

ps.variable @shared : tensor<4xf64> init(#ps.constant<2.0>)
ps.variable @on_lower_bound : tensor<f64> init(#ps.constant<-1.0>)
ps.variable @on_upper_bound : tensor<f64> init(#ps.constant<1.0>)
ps.variable @bound : tensor<f64> init(#ps.constant<1.0>)
ps.variable @base : tensor<f64> init(#ps.constant<0.0>)
ps.variable @exponent : tensor<f64> init(#ps.constant<0.0>)
ps.variable @rectified : tensor<f64> init(#ps.constant<0.0>)

func.func @main() {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %minus_one = stablehlo.constant dense<-1.0> : tensor<f64>
  %lowest = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>

  // Four equal elements share the gradient of their maximum.
  %shared = ps.read @shared : tensor<4xf64>
  %0 = stablehlo.reduce(%shared init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>

  // Nothing flows to an operand on a bound, nor to the bound.
  %on_lower_bound = ps.read @on_lower_bound : tensor<f64>
  %1 = stablehlo.clamp %minus_one, %on_lower_bound, %one : tensor<f64>
  %on_upper_bound = ps.read @on_upper_bound : tensor<f64>
  %2 = stablehlo.clamp %minus_one, %on_upper_bound, %one : tensor<f64>
  %bound = ps.read @bound : tensor<f64>
  %3 = stablehlo.clamp %minus_one, %one, %bound : tensor<f64>

  // x^0 is flat in x and 0^y is flat in y, at 0 too.
  %base = ps.read @base : tensor<f64>
  %4 = stablehlo.power %base, %zero : tensor<f64>
  %exponent = ps.read @exponent : tensor<f64>
  %5 = stablehlo.power %zero, %exponent : tensor<f64>

  // Nothing passes a rectifier at 0.
  %rectified = ps.read @rectified : tensor<f64>
  %6 = stablehlo.maximum %rectified, %zero : tensor<f64>

  %7 = stablehlo.add %0, %1 : tensor<f64>
  %8 = stablehlo.add %7, %2 : tensor<f64>
  %9 = stablehlo.add %8, %3 : tensor<f64>
  %10 = stablehlo.add %9, %4 : tensor<f64>
  %11 = stablehlo.add %10, %5 : tensor<f64>
  %12 = stablehlo.add %11, %6 : tensor<f64>
  ps.minimize %12 using(#ps.sgd<learning_rate = 1.0>) : tensor<f64>

  %new_shared = ps.read @shared : tensor<4xf64>
  check.expect_eq_const %new_shared, dense<1.75> : tensor<4xf64>
  %new_on_lower_bound = ps.read @on_lower_bound : tensor<f64>
  check.expect_eq_const %new_on_lower_bound, dense<-1.0> : tensor<f64>
  %new_on_upper_bound = ps.read @on_upper_bound : tensor<f64>
  check.expect_eq_const %new_on_upper_bound, dense<1.0> : tensor<f64>
  %new_bound = ps.read @bound : tensor<f64>
  check.expect_eq_const %new_bound, dense<1.0> : tensor<f64>
  %new_base = ps.read @base : tensor<f64>
  check.expect_eq_const %new_base, dense<0.0> : tensor<f64>
  %new_exponent = ps.read @exponent : tensor<f64>
  check.expect_eq_const %new_exponent, dense<0.0> : tensor<f64>
  %new_rectified = ps.read @rectified : tensor<f64>
  check.expect_eq_const %new_rectified, dense<0.0> : tensor<f64>
  return
}
