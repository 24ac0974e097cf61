// RUN: ps-opt %s --ps-test-numeric-gradient -o %t && ps-run %t --entry=main

// The derivative of each elementwise op.

func.func private @add(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.add %x, %y : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @subtract(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.subtract %x, %y : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @multiply(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.multiply %x, %y : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @divide(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.divide %x, %y : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @remainder(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.remainder %x, %y : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @power(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.power %x, %y : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @maximum(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.maximum %x, %y : tensor<3xf64>
  return %0 : tensor<3xf64>
}

// A tie: the central difference is one half, too.
func.func private @maximum_of_equals(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.maximum %x, %y : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @minimum(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.minimum %x, %y : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @minimum_of_equals(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.minimum %x, %y : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @negate(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.negate %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @abs(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.abs %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @sign(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.sign %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @floor(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.floor %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @ceil(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.ceil %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @exponential(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.exponential %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @exponential_minus_one(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.exponential_minus_one %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @logistic(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.logistic %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @tanh(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.tanh %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @cbrt(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.cbrt %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @sine(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.sine %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @cosine(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.cosine %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @log(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.log %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @sqrt(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.sqrt %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @rsqrt(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.rsqrt %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @log_plus_one(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.log_plus_one %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @rank_0(%x: tensor<f64>) -> tensor<f64> {
  %0 = stablehlo.sine %x : tensor<f64>
  return %0 : tensor<f64>
}

// An exponent that is a constant: the base may be negative.
func.func private @negative_to_a_power(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.constant dense<[2.0, 3.0, 0.0]> : tensor<3xf64>
  %1 = stablehlo.power %x, %0 : tensor<3xf64>
  return %1 : tensor<3xf64>
}

func.func private @select(%p: tensor<3xi1>, %x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.select %p, %x, %y : tensor<3xi1>, tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @select_by_scalar(%p: tensor<i1>, %x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<3xf64>
  return %0 : tensor<3xf64>
}

// Below, inside, above, and between bounds that cross.
func.func private @clamp(%low: tensor<4xf64>, %x: tensor<4xf64>, %high: tensor<4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.clamp %low, %x, %high : tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func private @clamp_by_scalars(%low: tensor<f64>, %x: tensor<3xf64>, %high: tensor<f64>) -> tensor<3xf64> {
  %0 = stablehlo.clamp %low, %x, %high : (tensor<f64>, tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// Nothing flows through an integer.
func.func private @convert_to_integer(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.convert %x : (tensor<3xf64>) -> tensor<3xi32>
  %1 = stablehlo.convert %0 : (tensor<3xi32>) -> tensor<3xf64>
  %2 = stablehlo.multiply %1, %x : tensor<3xf64>
  return %2 : tensor<3xf64>
}

// Nor through a predicate.
func.func private @compare(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.compare GT, %x, %y, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  %1 = stablehlo.multiply %x, %y : tensor<3xf64>
  %2 = stablehlo.select %0, %1, %x : tensor<3xi1>, tensor<3xf64>
  return %2 : tensor<3xf64>
}

func.func private @tan(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.tan %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @atan2(%y: tensor<3xf64>, %x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.atan2 %y, %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @round_nearest_even(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.round_nearest_even %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @round_nearest_afz(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.round_nearest_afz %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

// One result is used, one is not.
func.func private @optimization_barrier(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.sine %x : tensor<3xf64>
  %1:2 = stablehlo.optimization_barrier %0, %y : tensor<3xf64>, tensor<3xf64>
  %2 = stablehlo.multiply %1#0, %1#0 : tensor<3xf64>
  return %2 : tensor<3xf64>
}

// A value used several times gets the sum.
func.func private @used_twice(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.multiply %x, %x : tensor<3xf64>
  %1 = stablehlo.sine %0 : tensor<3xf64>
  %2 = stablehlo.multiply %0, %1 : tensor<3xf64>
  %3 = stablehlo.add %2, %x : tensor<3xf64>
  return %3 : tensor<3xf64>
}

func.func private @unused(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.sine %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func @main() {
  %add_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %add_y = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %add = call @add(%add_x, %add_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %subtract_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %subtract_y = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %subtract = call @subtract(%subtract_x, %subtract_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %multiply_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %multiply_y = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %multiply = call @multiply(%multiply_x, %multiply_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %divide_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %divide_y = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %divide = call @divide(%divide_x, %divide_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %remainder_x = stablehlo.constant dense<[-5.3, 4.4, 7.1]> : tensor<3xf64>
  %remainder_y = stablehlo.constant dense<[2.2, -1.9, 1.5]> : tensor<3xf64>
  %remainder = call @remainder(%remainder_x, %remainder_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %power_x = stablehlo.constant dense<[0.3, 1.0, 2.5]> : tensor<3xf64>
  %power_y = stablehlo.constant dense<[1.5, -0.7, 3.0]> : tensor<3xf64>
  %power = call @power(%power_x, %power_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %maximum_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %maximum_y = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %maximum = call @maximum(%maximum_x, %maximum_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %maximum_of_equals_x = stablehlo.constant dense<[1.0, -2.0, 3.0]> : tensor<3xf64>
  %maximum_of_equals_y = stablehlo.constant dense<[1.0, -2.0, 2.0]> : tensor<3xf64>
  %maximum_of_equals = call @maximum_of_equals(%maximum_of_equals_x, %maximum_of_equals_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %minimum_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %minimum_y = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %minimum = call @minimum(%minimum_x, %minimum_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %minimum_of_equals_x = stablehlo.constant dense<[1.0, -2.0, 3.0]> : tensor<3xf64>
  %minimum_of_equals_y = stablehlo.constant dense<[1.0, -2.0, 2.0]> : tensor<3xf64>
  %minimum_of_equals = call @minimum_of_equals(%minimum_of_equals_x, %minimum_of_equals_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %negate_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %negate = call @negate(%negate_x) : (tensor<3xf64>) -> tensor<3xf64>
  %abs_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %abs = call @abs(%abs_x) : (tensor<3xf64>) -> tensor<3xf64>
  %sign_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %sign = call @sign(%sign_x) : (tensor<3xf64>) -> tensor<3xf64>
  %floor_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %floor = call @floor(%floor_x) : (tensor<3xf64>) -> tensor<3xf64>
  %ceil_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %ceil = call @ceil(%ceil_x) : (tensor<3xf64>) -> tensor<3xf64>
  %exponential_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %exponential = call @exponential(%exponential_x) : (tensor<3xf64>) -> tensor<3xf64>
  %exponential_minus_one_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %exponential_minus_one = call @exponential_minus_one(%exponential_minus_one_x) : (tensor<3xf64>) -> tensor<3xf64>
  %logistic_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %logistic = call @logistic(%logistic_x) : (tensor<3xf64>) -> tensor<3xf64>
  %tanh_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %tanh = call @tanh(%tanh_x) : (tensor<3xf64>) -> tensor<3xf64>
  %cbrt_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %cbrt = call @cbrt(%cbrt_x) : (tensor<3xf64>) -> tensor<3xf64>
  %sine_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %sine = call @sine(%sine_x) : (tensor<3xf64>) -> tensor<3xf64>
  %cosine_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %cosine = call @cosine(%cosine_x) : (tensor<3xf64>) -> tensor<3xf64>
  %log_x = stablehlo.constant dense<[0.3, 1.0, 2.5]> : tensor<3xf64>
  %log = call @log(%log_x) : (tensor<3xf64>) -> tensor<3xf64>
  %sqrt_x = stablehlo.constant dense<[0.3, 1.0, 2.5]> : tensor<3xf64>
  %sqrt = call @sqrt(%sqrt_x) : (tensor<3xf64>) -> tensor<3xf64>
  %rsqrt_x = stablehlo.constant dense<[0.3, 1.0, 2.5]> : tensor<3xf64>
  %rsqrt = call @rsqrt(%rsqrt_x) : (tensor<3xf64>) -> tensor<3xf64>
  %log_plus_one_x = stablehlo.constant dense<[-0.6, 0.0, 2.5]> : tensor<3xf64>
  %log_plus_one = call @log_plus_one(%log_plus_one_x) : (tensor<3xf64>) -> tensor<3xf64>
  %rank_0_x = stablehlo.constant dense<-0.9> : tensor<f64>
  %rank_0 = call @rank_0(%rank_0_x) : (tensor<f64>) -> tensor<f64>
  %negative_to_a_power_x = stablehlo.constant dense<[-1.5, -0.5, 2.0]> : tensor<3xf64>
  %negative_to_a_power = call @negative_to_a_power(%negative_to_a_power_x) : (tensor<3xf64>) -> tensor<3xf64>
  %select_p = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %select_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %select_y = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %select = call @select(%select_p, %select_x, %select_y) : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %select_by_scalar_p = stablehlo.constant dense<false> : tensor<i1>
  %select_by_scalar_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %select_by_scalar_y = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %select_by_scalar = call @select_by_scalar(%select_by_scalar_p, %select_by_scalar_x, %select_by_scalar_y) : (tensor<i1>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %clamp_low = stablehlo.constant dense<[-1.0, -1.0, -1.0, 2.0]> : tensor<4xf64>
  %clamp_x = stablehlo.constant dense<[-1.3, 0.4, 2.1, 0.5]> : tensor<4xf64>
  %clamp_high = stablehlo.constant dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf64>
  %clamp = call @clamp(%clamp_low, %clamp_x, %clamp_high) : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %clamp_by_scalars_low = stablehlo.constant dense<-1.0> : tensor<f64>
  %clamp_by_scalars_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %clamp_by_scalars_high = stablehlo.constant dense<1.0> : tensor<f64>
  %clamp_by_scalars = call @clamp_by_scalars(%clamp_by_scalars_low, %clamp_by_scalars_x, %clamp_by_scalars_high) : (tensor<f64>, tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  %convert_to_integer_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %convert_to_integer = call @convert_to_integer(%convert_to_integer_x) : (tensor<3xf64>) -> tensor<3xf64>
  %compare_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %compare_y = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %compare = call @compare(%compare_x, %compare_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %tan_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %tan = call @tan(%tan_x) : (tensor<3xf64>) -> tensor<3xf64>
  %atan2_y = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %atan2_x = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %atan2 = call @atan2(%atan2_y, %atan2_x) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %round_nearest_even_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %round_nearest_even = call @round_nearest_even(%round_nearest_even_x) : (tensor<3xf64>) -> tensor<3xf64>
  %round_nearest_afz_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %round_nearest_afz = call @round_nearest_afz(%round_nearest_afz_x) : (tensor<3xf64>) -> tensor<3xf64>
  %optimization_barrier_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %optimization_barrier_y = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %optimization_barrier = call @optimization_barrier(%optimization_barrier_x, %optimization_barrier_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %used_twice_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %used_twice = call @used_twice(%used_twice_x) : (tensor<3xf64>) -> tensor<3xf64>
  %unused_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %unused_y = stablehlo.constant dense<[0.7, -1.9, 1.1]> : tensor<3xf64>
  %unused = call @unused(%unused_x, %unused_y) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return
}
