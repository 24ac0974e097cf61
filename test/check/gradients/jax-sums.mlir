// RUN: ps-run %s --entry=main
// RUN: ps-opt %s --inline --symbol-dce --cse | ps-run - --entry=main

// Functions without a kink that are computed by ops with one, beside others that
// compute the same ops: what JAX 0.10.2 printed, with the gradients that jax.grad
// gave, where the name does not say of which equal function. Each variable loses
// its gradient. After CSE, the functions of each case share their ops.

ps.variable @w0_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w1_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w2_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w3_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w4_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w5_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w6_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w7_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w8_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w9_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w9_1 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w10_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w11_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w12_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w13_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w14_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w15_0 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w15_1 : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w16_0 : tensor<4xf32> init(#ps.constant<0.0>)

func.func @main() {
  %x = stablehlo.constant dense<[-1.0, -0.0, 0.0, 2.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[1.0, 0.0, -2.0, 2.0]> : tensor<4xf32>
  // jax.nn.relu(x) + jax.nn.softplus(x)
  ps.assign @w0_0, %x : tensor<4xf32>
  %w0_0 = ps.read @w0_0 : tensor<4xf32>
  %f0 = call @case_0(%w0_0) : (tensor<4xf32>) -> tensor<4xf32>
  // jax.nn.softplus(x) + jax.nn.relu(x)
  ps.assign @w1_0, %x : tensor<4xf32>
  %w1_0 = ps.read @w1_0 : tensor<4xf32>
  %f1 = call @case_1(%w1_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t1 = stablehlo.add %f0, %f1 : tensor<4xf32>
  // 0.5 jax.nn.softplus(x) + 0.25 jax.nn.relu(x)
  ps.assign @w2_0, %x : tensor<4xf32>
  %w2_0 = ps.read @w2_0 : tensor<4xf32>
  %f2 = call @case_2(%w2_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t2 = stablehlo.add %t1, %f2 : tensor<4xf32>
  // jax.nn.softplus(x) - jax.nn.relu(x)
  ps.assign @w3_0, %x : tensor<4xf32>
  %w3_0 = ps.read @w3_0 : tensor<4xf32>
  %f3 = call @case_3(%w3_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t3 = stablehlo.add %t2, %f3 : tensor<4xf32>
  // jax.nn.softplus(x) + 3 |x|
  ps.assign @w4_0, %x : tensor<4xf32>
  %w4_0 = ps.read @w4_0 : tensor<4xf32>
  %f4 = call @case_4(%w4_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t4 = stablehlo.add %t3, %f4 : tensor<4xf32>
  // log1p(exp(-|x|)), not beside a maximum
  ps.assign @w5_0, %x : tensor<4xf32>
  %w5_0 = ps.read @w5_0 : tensor<4xf32>
  %f5 = call @case_5(%w5_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t5 = stablehlo.add %t4, %f5 : tensor<4xf32>
  // jax.nn.relu(x) * log1p(exp(-|x|))
  ps.assign @w6_0, %x : tensor<4xf32>
  %w6_0 = ps.read @w6_0 : tensor<4xf32>
  %f6 = call @case_6(%w6_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t6 = stablehlo.add %t5, %f6 : tensor<4xf32>
  // jax.nn.relu(x) - log1p(exp(-|x|))
  ps.assign @w7_0, %x : tensor<4xf32>
  %w7_0 = ps.read @w7_0 : tensor<4xf32>
  %f7 = call @case_7(%w7_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t7 = stablehlo.add %t6, %f7 : tensor<4xf32>
  // jax.nn.softplus(x) + log1p(exp(-|x|))
  ps.assign @w8_0, %x : tensor<4xf32>
  %w8_0 = ps.read @w8_0 : tensor<4xf32>
  %f8 = call @case_8(%w8_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t8 = stablehlo.add %t7, %f8 : tensor<4xf32>
  // maximum(x, 0) - x y + log1p(exp(-|x|)), as softplus(x) - x y
  ps.assign @w9_0, %x : tensor<4xf32>
  %w9_0 = ps.read @w9_0 : tensor<4xf32>
  ps.assign @w9_1, %y : tensor<4xf32>
  %w9_1 = ps.read @w9_1 : tensor<4xf32>
  %f9 = call @case_9(%w9_0, %w9_1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %t9 = stablehlo.add %t8, %f9 : tensor<4xf32>
  // minimum(x, 0) - log1p(exp(-|x|)), as log_sigmoid(x)
  ps.assign @w10_0, %x : tensor<4xf32>
  %w10_0 = ps.read @w10_0 : tensor<4xf32>
  %f10 = call @case_10(%w10_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t10 = stablehlo.add %t9, %f10 : tensor<4xf32>
  // log1p(exp(-|x|)) + maximum(-x, 0), as softplus(-x)
  ps.assign @w11_0, %x : tensor<4xf32>
  %w11_0 = ps.read @w11_0 : tensor<4xf32>
  %f11 = call @case_11(%w11_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t11 = stablehlo.add %t10, %f11 : tensor<4xf32>
  // jax.nn.log_sigmoid(x) + jax.nn.relu(-x)
  ps.assign @w12_0, %x : tensor<4xf32>
  %w12_0 = ps.read @w12_0 : tensor<4xf32>
  %f12 = call @case_12(%w12_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t12 = stablehlo.add %t11, %f12 : tensor<4xf32>
  // jax.nn.relu(x) - jax.nn.celu(x, 2)
  ps.assign @w13_0, %x : tensor<4xf32>
  %w13_0 = ps.read @w13_0 : tensor<4xf32>
  %f13 = call @case_13(%w13_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t13 = stablehlo.add %t12, %f13 : tensor<4xf32>
  // jax.nn.relu(x) + jnp.minimum(x, 0)^3
  ps.assign @w14_0, %x : tensor<4xf32>
  %w14_0 = ps.read @w14_0 : tensor<4xf32>
  %f14 = call @case_14(%w14_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t14 = stablehlo.add %t13, %f14 : tensor<4xf32>
  // jnp.logaddexp(x, y) + |x - y| + jnp.maximum(x, y)
  ps.assign @w15_0, %x : tensor<4xf32>
  %w15_0 = ps.read @w15_0 : tensor<4xf32>
  ps.assign @w15_1, %y : tensor<4xf32>
  %w15_1 = ps.read @w15_1 : tensor<4xf32>
  %f15 = call @case_15(%w15_0, %w15_1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %t15 = stablehlo.add %t14, %f15 : tensor<4xf32>
  // jax.nn.mish(x) + jax.nn.relu6(x)
  ps.assign @w16_0, %x : tensor<4xf32>
  %w16_0 = ps.read @w16_0 : tensor<4xf32>
  %f16 = call @case_16(%w16_0) : (tensor<4xf32>) -> tensor<4xf32>
  %t16 = stablehlo.add %t15, %f16 : tensor<4xf32>
  %k = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %p = stablehlo.multiply %t16, %k : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 1.0>) : tensor<f32>
  // jax.nn.relu(x) + jax.nn.softplus(x)
  %n0_0 = ps.read @w0_0 : tensor<4xf32>
  check.expect_almost_eq_const %n0_0, dense<[-1.2689414, -1.0, -1.5, -5.523188]> : tensor<4xf32>, tolerance = 1.0e-5
  // jax.nn.softplus(x) + jax.nn.relu(x)
  %n1_0 = ps.read @w1_0 : tensor<4xf32>
  check.expect_almost_eq_const %n1_0, dense<[-1.2689414, -1.0, -1.5, -5.523188]> : tensor<4xf32>, tolerance = 1.0e-5
  // 0.5 jax.nn.softplus(x) + 0.25 jax.nn.relu(x)
  %n2_0 = ps.read @w2_0 : tensor<4xf32>
  check.expect_almost_eq_const %n2_0, dense<[-1.1344707, -0.5, -0.75, -0.76159406]> : tensor<4xf32>, tolerance = 1.0e-5
  // jax.nn.softplus(x) - jax.nn.relu(x)
  %n3_0 = ps.read @w3_0 : tensor<4xf32>
  check.expect_almost_eq_const %n3_0, dense<[-1.2689414, -1.0, -1.5, 2.476812]> : tensor<4xf32>, tolerance = 1.0e-5
  // jax.nn.softplus(x) + 3 |x|
  %n4_0 = ps.read @w4_0 : tensor<4xf32>
  check.expect_almost_eq_const %n4_0, dense<[1.7310586, -7.0, -10.5, -13.523188]> : tensor<4xf32>, tolerance = 1.0e-5
  // log1p(exp(-|x|)), not beside a maximum
  %n5_0 = ps.read @w5_0 : tensor<4xf32>
  check.expect_almost_eq_const %n5_0, dense<[-1.2689414, 1.0, 1.5, 2.4768116]> : tensor<4xf32>, tolerance = 1.0e-5
  // jax.nn.relu(x) * log1p(exp(-|x|))
  %n6_0 = ps.read @w6_0 : tensor<4xf32>
  check.expect_almost_eq_const %n6_0, dense<[-1.0, -0.0, 0.0, 2.4459114]> : tensor<4xf32>, tolerance = 1.0e-5
  // jax.nn.relu(x) - log1p(exp(-|x|))
  %n7_0 = ps.read @w7_0 : tensor<4xf32>
  check.expect_almost_eq_const %n7_0, dense<[-0.7310586, -1.0, -1.5, -2.4768114]> : tensor<4xf32>, tolerance = 1.0e-5
  // jax.nn.softplus(x) + log1p(exp(-|x|))
  %n8_0 = ps.read @w8_0 : tensor<4xf32>
  check.expect_almost_eq_const %n8_0, dense<[-1.5378828, -0.0, 0.0, -1.0463765]> : tensor<4xf32>, tolerance = 1.0e-5
  // maximum(x, 0) - x y + log1p(exp(-|x|)), as softplus(x) - x y
  %n9_0 = ps.read @w9_0 : tensor<4xf32>
  check.expect_almost_eq_const %n9_0, dense<[-0.2689414, -1.0, -7.5, 6.476812]> : tensor<4xf32>, tolerance = 1.0e-5
  %n9_1 = ps.read @w9_1 : tensor<4xf32>
  check.expect_almost_eq_const %n9_1, dense<[0.0, 0.0, -2.0, 10.0]> : tensor<4xf32>, tolerance = 1.0e-5
  // minimum(x, 0) - log1p(exp(-|x|)), as log_sigmoid(x)
  %n10_0 = ps.read @w10_0 : tensor<4xf32>
  check.expect_almost_eq_const %n10_0, dense<[-1.7310586, -1.0, -1.5, 1.5231884]> : tensor<4xf32>, tolerance = 1.0e-5
  // log1p(exp(-|x|)) + maximum(-x, 0), as softplus(-x)
  %n11_0 = ps.read @w11_0 : tensor<4xf32>
  check.expect_almost_eq_const %n11_0, dense<[-0.26894146, 1.0, 1.5, 2.4768116]> : tensor<4xf32>, tolerance = 1.0e-5
  // jax.nn.log_sigmoid(x) + jax.nn.relu(-x)
  %n12_0 = ps.read @w12_0 : tensor<4xf32>
  check.expect_almost_eq_const %n12_0, dense<[-0.73105854, -1.0, -1.5, 1.5231884]> : tensor<4xf32>, tolerance = 1.0e-5
  // jax.nn.relu(x) - jax.nn.celu(x, 2)
  %n13_0 = ps.read @w13_0 : tensor<4xf32>
  check.expect_almost_eq_const %n13_0, dense<[-0.39346933, 2.0, 3.0, 2.0]> : tensor<4xf32>, tolerance = 1.0e-5
  // jax.nn.relu(x) + jnp.minimum(x, 0)^3
  %n14_0 = ps.read @w14_0 : tensor<4xf32>
  check.expect_almost_eq_const %n14_0, dense<[-4.0, -0.0, 0.0, -2.0]> : tensor<4xf32>, tolerance = 1.0e-5
  // jnp.logaddexp(x, y) + |x - y| + jnp.maximum(x, y)
  %n15_0 = ps.read @w15_0 : tensor<4xf32>
  check.expect_almost_eq_const %n15_0, dense<[-0.11920297, -4.0, -8.642391, -6.0]> : tensor<4xf32>, tolerance = 1.0e-5
  %n15_1 = ps.read @w15_1 : tensor<4xf32>
  check.expect_almost_eq_const %n15_1, dense<[-1.8807971, 0.0, 0.6423912, 2.0]> : tensor<4xf32>, tolerance = 1.0e-5
  // jax.nn.mish(x) + jax.nn.relu6(x)
  %n16_0 = ps.read @w16_0 : tensor<4xf32>
  check.expect_almost_eq_const %n16_0, dense<[-1.0592167, -1.2, -1.8000001, -6.2772713]> : tensor<4xf32>, tolerance = 1.0e-5
  return
}

// jax.nn.relu(x) + jax.nn.softplus(x)
func.func private @case_0(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @relu_0(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @softplus_0(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @relu_0(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @softplus_0(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<4xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<4xf32>
  %7 = stablehlo.abs %3 : tensor<4xf32>
  %8 = stablehlo.negate %7 : tensor<4xf32>
  %9 = stablehlo.exponential %8 : tensor<4xf32>
  %10 = stablehlo.log_plus_one %9 : tensor<4xf32>
  %11 = stablehlo.add %1, %10 : tensor<4xf32>
  %12 = stablehlo.select %4, %6, %11 : tensor<4xi1>, tensor<4xf32>
  return %12 : tensor<4xf32>
}

// jax.nn.softplus(x) + jax.nn.relu(x)
func.func private @case_1(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @softplus_1(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @relu_1(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @softplus_1(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<4xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<4xf32>
  %7 = stablehlo.abs %3 : tensor<4xf32>
  %8 = stablehlo.negate %7 : tensor<4xf32>
  %9 = stablehlo.exponential %8 : tensor<4xf32>
  %10 = stablehlo.log_plus_one %9 : tensor<4xf32>
  %11 = stablehlo.add %1, %10 : tensor<4xf32>
  %12 = stablehlo.select %4, %6, %11 : tensor<4xi1>, tensor<4xf32>
  return %12 : tensor<4xf32>
}
func.func private @relu_1(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// 0.5 jax.nn.softplus(x) + 0.25 jax.nn.relu(x)
func.func private @case_2(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @softplus_2(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.multiply %1, %0 : tensor<4xf32>
  %3 = call @relu_2(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %5 = stablehlo.multiply %4, %3 : tensor<4xf32>
  %6 = stablehlo.add %2, %5 : tensor<4xf32>
  return %6 : tensor<4xf32>
}
func.func private @softplus_2(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<4xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<4xf32>
  %7 = stablehlo.abs %3 : tensor<4xf32>
  %8 = stablehlo.negate %7 : tensor<4xf32>
  %9 = stablehlo.exponential %8 : tensor<4xf32>
  %10 = stablehlo.log_plus_one %9 : tensor<4xf32>
  %11 = stablehlo.add %1, %10 : tensor<4xf32>
  %12 = stablehlo.select %4, %6, %11 : tensor<4xi1>, tensor<4xf32>
  return %12 : tensor<4xf32>
}
func.func private @relu_2(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// jax.nn.softplus(x) - jax.nn.relu(x)
func.func private @case_3(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @softplus_3(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @relu_3(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @softplus_3(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<4xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<4xf32>
  %7 = stablehlo.abs %3 : tensor<4xf32>
  %8 = stablehlo.negate %7 : tensor<4xf32>
  %9 = stablehlo.exponential %8 : tensor<4xf32>
  %10 = stablehlo.log_plus_one %9 : tensor<4xf32>
  %11 = stablehlo.add %1, %10 : tensor<4xf32>
  %12 = stablehlo.select %4, %6, %11 : tensor<4xi1>, tensor<4xf32>
  return %12 : tensor<4xf32>
}
func.func private @relu_3(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// jax.nn.softplus(x) + 3 |x|
func.func private @case_4(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @softplus_4(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.abs %arg0 : tensor<4xf32>
  %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<4xf32>
  %4 = stablehlo.add %0, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}
func.func private @softplus_4(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<4xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<4xf32>
  %7 = stablehlo.abs %3 : tensor<4xf32>
  %8 = stablehlo.negate %7 : tensor<4xf32>
  %9 = stablehlo.exponential %8 : tensor<4xf32>
  %10 = stablehlo.log_plus_one %9 : tensor<4xf32>
  %11 = stablehlo.add %1, %10 : tensor<4xf32>
  %12 = stablehlo.select %4, %6, %11 : tensor<4xi1>, tensor<4xf32>
  return %12 : tensor<4xf32>
}

// log1p(exp(-|x|)), not beside a maximum
func.func private @case_5(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = stablehlo.abs %arg0 : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.exponential %1 : tensor<4xf32>
  %3 = stablehlo.log_plus_one %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// jax.nn.relu(x) * log1p(exp(-|x|))
func.func private @case_6(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @relu_6(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.abs %arg0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  %3 = stablehlo.exponential %2 : tensor<4xf32>
  %4 = stablehlo.log_plus_one %3 : tensor<4xf32>
  %5 = stablehlo.multiply %0, %4 : tensor<4xf32>
  return %5 : tensor<4xf32>
}
func.func private @relu_6(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// jax.nn.relu(x) - log1p(exp(-|x|))
func.func private @case_7(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @relu_7(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.abs %arg0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  %3 = stablehlo.exponential %2 : tensor<4xf32>
  %4 = stablehlo.log_plus_one %3 : tensor<4xf32>
  %5 = stablehlo.subtract %0, %4 : tensor<4xf32>
  return %5 : tensor<4xf32>
}
func.func private @relu_7(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// jax.nn.softplus(x) + log1p(exp(-|x|))
func.func private @case_8(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @softplus_8(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.abs %arg0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  %3 = stablehlo.exponential %2 : tensor<4xf32>
  %4 = stablehlo.log_plus_one %3 : tensor<4xf32>
  %5 = stablehlo.add %0, %4 : tensor<4xf32>
  return %5 : tensor<4xf32>
}
func.func private @softplus_8(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<4xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<4xf32>
  %7 = stablehlo.abs %3 : tensor<4xf32>
  %8 = stablehlo.negate %7 : tensor<4xf32>
  %9 = stablehlo.exponential %8 : tensor<4xf32>
  %10 = stablehlo.log_plus_one %9 : tensor<4xf32>
  %11 = stablehlo.add %1, %10 : tensor<4xf32>
  %12 = stablehlo.select %4, %6, %11 : tensor<4xi1>, tensor<4xf32>
  return %12 : tensor<4xf32>
}

// maximum(x, 0) - x y + log1p(exp(-|x|)), as softplus(x) - x y
func.func private @case_9(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  %2 = stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<4xf32>
  %4 = stablehlo.abs %arg0 : tensor<4xf32>
  %5 = stablehlo.negate %4 : tensor<4xf32>
  %6 = stablehlo.exponential %5 : tensor<4xf32>
  %7 = stablehlo.log_plus_one %6 : tensor<4xf32>
  %8 = stablehlo.add %3, %7 : tensor<4xf32>
  return %8 : tensor<4xf32>
}

// minimum(x, 0) - log1p(exp(-|x|)), as log_sigmoid(x)
func.func private @case_10(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.minimum %arg0, %0 : tensor<4xf32>
  %2 = stablehlo.abs %arg0 : tensor<4xf32>
  %3 = stablehlo.negate %2 : tensor<4xf32>
  %4 = stablehlo.exponential %3 : tensor<4xf32>
  %5 = stablehlo.log_plus_one %4 : tensor<4xf32>
  %6 = stablehlo.subtract %1, %5 : tensor<4xf32>
  return %6 : tensor<4xf32>
}

// log1p(exp(-|x|)) + maximum(-x, 0), as softplus(-x)
func.func private @case_11(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = stablehlo.abs %arg0 : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.exponential %1 : tensor<4xf32>
  %3 = stablehlo.log_plus_one %2 : tensor<4xf32>
  %4 = stablehlo.negate %arg0 : tensor<4xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.maximum %4, %5 : tensor<4xf32>
  %7 = stablehlo.add %3, %6 : tensor<4xf32>
  return %7 : tensor<4xf32>
}

// jax.nn.log_sigmoid(x) + jax.nn.relu(-x)
func.func private @case_12(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @log_sigmoid_12(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.negate %arg0 : tensor<4xf32>
  %2 = call @relu_12(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.add %0, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @log_sigmoid_12(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %arg0 : tensor<4xf32>
  %1 = call @softplus_12(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @softplus_12(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<4xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<4xf32>
  %7 = stablehlo.abs %3 : tensor<4xf32>
  %8 = stablehlo.negate %7 : tensor<4xf32>
  %9 = stablehlo.exponential %8 : tensor<4xf32>
  %10 = stablehlo.log_plus_one %9 : tensor<4xf32>
  %11 = stablehlo.add %1, %10 : tensor<4xf32>
  %12 = stablehlo.select %4, %6, %11 : tensor<4xi1>, tensor<4xf32>
  return %12 : tensor<4xf32>
}
func.func private @relu_12(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// jax.nn.relu(x) - jax.nn.celu(x, 2)
func.func private @case_13(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @relu_13(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %1 = call @celu_13(%arg0, %cst) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @relu_13(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @celu_13(%arg0: tensor<4xf32>, %arg1: tensor<f32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.minimum %arg0, %2 : tensor<4xf32>
  %4 = stablehlo.convert %arg1 : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.divide %3, %5 : tensor<4xf32>
  %7 = stablehlo.exponential_minus_one %6 : tensor<4xf32>
  %8 = stablehlo.convert %arg1 : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %10 = stablehlo.multiply %9, %7 : tensor<4xf32>
  %11 = stablehlo.add %1, %10 : tensor<4xf32>
  return %11 : tensor<4xf32>
}

// jax.nn.relu(x) + jnp.minimum(x, 0)^3
func.func private @case_14(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @relu_14(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.minimum %arg0, %1 : tensor<4xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<4xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %5 = stablehlo.minimum %arg0, %4 : tensor<4xf32>
  %6 = stablehlo.multiply %3, %5 : tensor<4xf32>
  %7 = stablehlo.add %0, %6 : tensor<4xf32>
  return %7 : tensor<4xf32>
}
func.func private @relu_14(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// jnp.logaddexp(x, y) + |x - y| + jnp.maximum(x, y)
func.func private @case_15(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<4xf32>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<4xf32>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
  %4 = stablehlo.abs %1 : tensor<4xf32>
  %5 = stablehlo.negate %4 : tensor<4xf32>
  %6 = stablehlo.exponential %5 : tensor<4xf32>
  %7 = stablehlo.log_plus_one %6 : tensor<4xf32>
  %8 = stablehlo.add %0, %7 : tensor<4xf32>
  %9 = stablehlo.select %2, %3, %8 : tensor<4xi1>, tensor<4xf32>
  %10 = stablehlo.subtract %arg0, %arg1 : tensor<4xf32>
  %11 = stablehlo.abs %10 : tensor<4xf32>
  %12 = stablehlo.add %9, %11 : tensor<4xf32>
  %13 = stablehlo.maximum %arg0, %arg1 : tensor<4xf32>
  %14 = stablehlo.add %12, %13 : tensor<4xf32>
  return %14 : tensor<4xf32>
}

// jax.nn.mish(x) + jax.nn.relu6(x)
func.func private @case_16(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = call @mish_16(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @relu6_16(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @mish_16(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @softplus_16(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  %2 = stablehlo.multiply %arg0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @softplus_16(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<4xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<4xf32>
  %7 = stablehlo.abs %3 : tensor<4xf32>
  %8 = stablehlo.negate %7 : tensor<4xf32>
  %9 = stablehlo.exponential %8 : tensor<4xf32>
  %10 = stablehlo.log_plus_one %9 : tensor<4xf32>
  %11 = stablehlo.add %1, %10 : tensor<4xf32>
  %12 = stablehlo.select %4, %6, %11 : tensor<4xi1>, tensor<4xf32>
  return %12 : tensor<4xf32>
}
func.func private @relu6_16(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4xf32>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.minimum %1, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
