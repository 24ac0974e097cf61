// RUN: ps-run %s --entry=main
//
// Variables of bf16 and f16 are updated in f32: neither the learning rate nor
// the state is rounded to their few digits.

// 1.01 is not a bf16 (1.0078125 is): 256 * 1.01 = 258.56 rounds to 258, 256 *
// 1.0078125 would be 258 as well, but 2560 * 1.01 = 2585.6 rounds to 2592 and
// 2560 * 1.0078125 = 2580 to 2576.
ps.variable @rate : tensor<bf16> init(#ps.constant<0.0>)
// 0.999 rounds to 1 in bf16: a second moment in bf16 would never fade.
ps.variable @moment : tensor<2xbf16> init(#ps.constant<1.0>)
// 1e-8 is zero in f16: the rate and epsilon would vanish.
ps.variable @small : tensor<f16> init(#ps.constant<0.0>)

func.func @main() {
  %g = stablehlo.constant dense<-2560.0> : tensor<bf16>
  ps.apply @rate, %g using(#ps.sgd<learning_rate = 1.01>) : tensor<bf16>
  %0 = ps.read @rate : tensor<bf16>
  check.expect_eq_const %0, dense<2592.0> : tensor<bf16>

  // Adam's first step is the rate, whatever the gradient.
  %h = stablehlo.constant dense<[3.0, -0.001]> : tensor<2xbf16>
  ps.apply @moment, %h using(#ps.adam<learning_rate = 0.5>) : tensor<2xbf16>
  %1 = ps.read @moment : tensor<2xbf16>
  check.expect_eq_const %1, dense<[0.5, 1.5]> : tensor<2xbf16>

  %i = stablehlo.constant dense<-1.0e4> : tensor<f16>
  ps.apply @small, %i using(#ps.sgd<learning_rate = 1e-8>) : tensor<f16>
  %2 = ps.read @small : tensor<f16>
  check.expect_almost_eq_const %2, dense<1.0e-4> : tensor<f16>, tolerance = 1.0e-6
  return
}
