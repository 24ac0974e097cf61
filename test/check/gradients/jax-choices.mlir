// RUN: ps-run %s --entry=main

// What JAX 0.10.2 printed, with the gradients that jax.grad gave: each graph is
// trained for one step at rate 1, so each variable loses its gradient. The
// exceptions, where two functions of JAX print one text, are listed in
// docs/Design.md.

ps.variable @w0_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w1_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w2_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w3_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w4_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w5_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w6_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w7_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w8_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w9_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w9_1 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w10_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w11_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w12_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w13_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w14_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w14_1 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w15_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w16_0 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w17_0 : tensor<2x3xf32> init(#ps.constant<0.0>)

func.func @main() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // jax.nn.relu
  %a0_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w0_0, %a0_0 : tensor<6xf32>
  %x0_0 = ps.read @w0_0 : tensor<6xf32>
  %y0 = call @case_0(%x0_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p0 = stablehlo.multiply %y0, %k0 : tensor<6xf32>
  %s0 = stablehlo.reduce(%p0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l0 = stablehlo.add %zero, %s0 : tensor<f32>
  // jax.nn.relu6
  %a1_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w1_0, %a1_0 : tensor<6xf32>
  %x1_0 = ps.read @w1_0 : tensor<6xf32>
  %y1 = call @case_1(%x1_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p1 = stablehlo.multiply %y1, %k1 : tensor<6xf32>
  %s1 = stablehlo.reduce(%p1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l1 = stablehlo.add %l0, %s1 : tensor<f32>
  // jax.nn.leaky_relu
  %a2_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w2_0, %a2_0 : tensor<6xf32>
  %x2_0 = ps.read @w2_0 : tensor<6xf32>
  %y2 = call @case_2(%x2_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p2 = stablehlo.multiply %y2, %k2 : tensor<6xf32>
  %s2 = stablehlo.reduce(%p2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l2 = stablehlo.add %l1, %s2 : tensor<f32>
  // jax.nn.hard_tanh
  %a3_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w3_0, %a3_0 : tensor<6xf32>
  %x3_0 = ps.read @w3_0 : tensor<6xf32>
  %y3 = call @case_3(%x3_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k3 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p3 = stablehlo.multiply %y3, %k3 : tensor<6xf32>
  %s3 = stablehlo.reduce(%p3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l3 = stablehlo.add %l2, %s3 : tensor<f32>
  // jax.nn.hard_silu
  %a4_0 = stablehlo.constant dense<[-4.0, -3.0, -3.0, -2.0, 3.0, 4.0]> : tensor<6xf32>
  ps.assign @w4_0, %a4_0 : tensor<6xf32>
  %x4_0 = ps.read @w4_0 : tensor<6xf32>
  %y4 = call @case_4(%x4_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k4 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p4 = stablehlo.multiply %y4, %k4 : tensor<6xf32>
  %s4 = stablehlo.reduce(%p4 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l4 = stablehlo.add %l3, %s4 : tensor<f32>
  // jax.nn.softplus
  %a5_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w5_0, %a5_0 : tensor<6xf32>
  %x5_0 = ps.read @w5_0 : tensor<6xf32>
  %y5 = call @case_5(%x5_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k5 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p5 = stablehlo.multiply %y5, %k5 : tensor<6xf32>
  %s5 = stablehlo.reduce(%p5 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l5 = stablehlo.add %l4, %s5 : tensor<f32>
  // jax.nn.log_sigmoid
  %a6_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w6_0, %a6_0 : tensor<6xf32>
  %x6_0 = ps.read @w6_0 : tensor<6xf32>
  %y6 = call @case_6(%x6_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k6 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p6 = stablehlo.multiply %y6, %k6 : tensor<6xf32>
  %s6 = stablehlo.reduce(%p6 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l6 = stablehlo.add %l5, %s6 : tensor<f32>
  // jax.nn.celu
  %a7_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w7_0, %a7_0 : tensor<6xf32>
  %x7_0 = ps.read @w7_0 : tensor<6xf32>
  %y7 = call @case_7(%x7_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k7 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p7 = stablehlo.multiply %y7, %k7 : tensor<6xf32>
  %s7 = stablehlo.reduce(%p7 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l7 = stablehlo.add %l6, %s7 : tensor<f32>
  // jax.nn.elu
  %a8_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w8_0, %a8_0 : tensor<6xf32>
  %x8_0 = ps.read @w8_0 : tensor<6xf32>
  %y8 = call @case_8(%x8_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k8 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p8 = stablehlo.multiply %y8, %k8 : tensor<6xf32>
  %s8 = stablehlo.reduce(%p8 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l8 = stablehlo.add %l7, %s8 : tensor<f32>
  // jnp.logaddexp(x, y), equal in places
  %a9_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w9_0, %a9_0 : tensor<6xf32>
  %x9_0 = ps.read @w9_0 : tensor<6xf32>
  %a9_1 = stablehlo.constant dense<[-1.0, 0.0, 2.0, 1.0, 3.0, 7.0]> : tensor<6xf32>
  ps.assign @w9_1, %a9_1 : tensor<6xf32>
  %x9_1 = ps.read @w9_1 : tensor<6xf32>
  %y9 = call @case_9(%x9_0, %x9_1) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %k9 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p9 = stablehlo.multiply %y9, %k9 : tensor<6xf32>
  %s9 = stablehlo.reduce(%p9 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l9 = stablehlo.add %l8, %s9 : tensor<f32>
  // jnp.abs
  %a10_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w10_0, %a10_0 : tensor<6xf32>
  %x10_0 = ps.read @w10_0 : tensor<6xf32>
  %y10 = call @case_10(%x10_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k10 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p10 = stablehlo.multiply %y10, %k10 : tensor<6xf32>
  %s10 = stablehlo.reduce(%p10 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l10 = stablehlo.add %l9, %s10 : tensor<f32>
  // jnp.clip(x, 0, 6)
  %a11_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w11_0, %a11_0 : tensor<6xf32>
  %x11_0 = ps.read @w11_0 : tensor<6xf32>
  %y11 = call @case_11(%x11_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k11 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p11 = stablehlo.multiply %y11, %k11 : tensor<6xf32>
  %s11 = stablehlo.reduce(%p11 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l11 = stablehlo.add %l10, %s11 : tensor<f32>
  // jnp.clip(x, -1, 7)
  %a12_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w12_0, %a12_0 : tensor<6xf32>
  %x12_0 = ps.read @w12_0 : tensor<6xf32>
  %y12 = call @case_12(%x12_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k12 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p12 = stablehlo.multiply %y12, %k12 : tensor<6xf32>
  %s12 = stablehlo.reduce(%p12 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l12 = stablehlo.add %l11, %s12 : tensor<f32>
  // lax.clamp
  %a13_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w13_0, %a13_0 : tensor<6xf32>
  %x13_0 = ps.read @w13_0 : tensor<6xf32>
  %y13 = call @case_13(%x13_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k13 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p13 = stablehlo.multiply %y13, %k13 : tensor<6xf32>
  %s13 = stablehlo.reduce(%p13 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l13 = stablehlo.add %l12, %s13 : tensor<f32>
  // jnp.maximum(x, y), equal in places
  %a14_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w14_0, %a14_0 : tensor<6xf32>
  %x14_0 = ps.read @w14_0 : tensor<6xf32>
  %a14_1 = stablehlo.constant dense<[-1.0, 0.0, 2.0, 1.0, 3.0, 7.0]> : tensor<6xf32>
  ps.assign @w14_1, %a14_1 : tensor<6xf32>
  %x14_1 = ps.read @w14_1 : tensor<6xf32>
  %y14 = call @case_14(%x14_0, %x14_1) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %k14 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p14 = stablehlo.multiply %y14, %k14 : tensor<6xf32>
  %s14 = stablehlo.reduce(%p14 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l14 = stablehlo.add %l13, %s14 : tensor<f32>
  // jnp.maximum(0, x)
  %a15_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w15_0, %a15_0 : tensor<6xf32>
  %x15_0 = ps.read @w15_0 : tensor<6xf32>
  %y15 = call @case_15(%x15_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k15 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p15 = stablehlo.multiply %y15, %k15 : tensor<6xf32>
  %s15 = stablehlo.reduce(%p15 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l15 = stablehlo.add %l14, %s15 : tensor<f32>
  // jnp.minimum(x, 1)
  %a16_0 = stablehlo.constant dense<[-1.0, -0.0, 0.0, 1.0, 6.0, 7.0]> : tensor<6xf32>
  ps.assign @w16_0, %a16_0 : tensor<6xf32>
  %x16_0 = ps.read @w16_0 : tensor<6xf32>
  %y16 = call @case_16(%x16_0) : (tensor<6xf32>) -> tensor<6xf32>
  %k16 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %p16 = stablehlo.multiply %y16, %k16 : tensor<6xf32>
  %s16 = stablehlo.reduce(%p16 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %l16 = stablehlo.add %l15, %s16 : tensor<f32>
  // jnp.max
  %a17_0 = stablehlo.constant dense<[[1.0, 1.0, 0.0], [0.0, 2.0, 1.0]]> : tensor<2x3xf32>
  ps.assign @w17_0, %a17_0 : tensor<2x3xf32>
  %x17_0 = ps.read @w17_0 : tensor<2x3xf32>
  %y17 = call @case_17(%x17_0) : (tensor<2x3xf32>) -> tensor<2xf32>
  %k17 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %p17 = stablehlo.multiply %y17, %k17 : tensor<2xf32>
  %s17 = stablehlo.reduce(%p17 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %l17 = stablehlo.add %l16, %s17 : tensor<f32>
  ps.minimize %l17 using(#ps.sgd<learning_rate = 1.0>) : tensor<f32>
  // jax.nn.relu
  %n0_0 = ps.read @w0_0 : tensor<6xf32>
  check.expect_almost_eq_const %n0_0, dense<[-1.0, -0.0, 0.0, -3.0, 1.0, 1.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jax.nn.relu6
  %n1_0 = ps.read @w1_0 : tensor<6xf32>
  check.expect_almost_eq_const %n1_0, dense<[-1.0, -0.0, 0.0, -3.0, 6.0, 7.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jax.nn.leaky_relu
  %n2_0 = ps.read @w2_0 : tensor<6xf32>
  check.expect_almost_eq_const %n2_0, dense<[-1.01, -2.0, -3.0, -3.0, 1.0, 1.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jax.nn.hard_tanh
  %n3_0 = ps.read @w3_0 : tensor<6xf32>
  check.expect_almost_eq_const %n3_0, dense<[-2.0, -2.0, -3.0, -3.0, 6.0, 7.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jax.nn.hard_silu
  %n4_0 = ps.read @w4_0 : tensor<6xf32>
  check.expect_almost_eq_const %n4_0, dense<[-4.0, -3.0, -3.0, -1.3333333, -2.0, -2.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jax.nn.softplus
  %n5_0 = ps.read @w5_0 : tensor<6xf32>
  check.expect_almost_eq_const %n5_0, dense<[-1.2689414, -1.0, -1.5, -1.9242342, 1.0123634, 1.005465]> : tensor<6xf32>, tolerance = 1.0e-5
  // jax.nn.log_sigmoid
  %n6_0 = ps.read @w6_0 : tensor<6xf32>
  check.expect_almost_eq_const %n6_0, dense<[-1.7310586, -1.0, -1.5, -0.07576561, 5.987637, 6.9945335]> : tensor<6xf32>, tolerance = 1.0e-5
  // jax.nn.celu
  %n7_0 = ps.read @w7_0 : tensor<6xf32>
  check.expect_almost_eq_const %n7_0, dense<[-1.3678794, -2.0, -3.0, -3.0, 1.0, 1.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jax.nn.elu
  %n8_0 = ps.read @w8_0 : tensor<6xf32>
  check.expect_almost_eq_const %n8_0, dense<[-1.3678794, -2.0, -3.0, -3.0, 1.0, 1.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jnp.logaddexp(x, y), equal in places
  %n9_0 = ps.read @w9_0 : tensor<6xf32>
  check.expect_almost_eq_const %n9_0, dense<[-1.5, -1.0, -0.35760874, -1.0, 1.2371292, 4.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jnp.logaddexp(x, y), equal in places
  %n9_1 = ps.read @w9_1 : tensor<6xf32>
  check.expect_almost_eq_const %n9_1, dense<[-1.5, -1.0, -0.6423912, -1.0, 2.7628706, 4.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jnp.abs
  %n10_0 = ps.read @w10_0 : tensor<6xf32>
  check.expect_almost_eq_const %n10_0, dense<[0.0, -2.0, -3.0, -3.0, 1.0, 1.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jnp.clip(x, 0, 6)
  %n11_0 = ps.read @w11_0 : tensor<6xf32>
  check.expect_almost_eq_const %n11_0, dense<[-1.0, -1.0, -1.5, -3.0, 3.5, 7.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jnp.clip(x, -1, 7)
  %n12_0 = ps.read @w12_0 : tensor<6xf32>
  check.expect_almost_eq_const %n12_0, dense<[-1.5, -2.0, -3.0, -3.0, 1.0, 4.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // lax.clamp
  %n13_0 = ps.read @w13_0 : tensor<6xf32>
  check.expect_almost_eq_const %n13_0, dense<[-1.0, -2.0, -3.0, -3.0, 6.0, 7.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jnp.maximum(x, y), equal in places
  %n14_0 = ps.read @w14_0 : tensor<6xf32>
  check.expect_almost_eq_const %n14_0, dense<[-1.5, -1.0, 0.0, -1.0, 1.0, 4.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jnp.maximum(x, y), equal in places
  %n14_1 = ps.read @w14_1 : tensor<6xf32>
  check.expect_almost_eq_const %n14_1, dense<[-1.5, -1.0, -1.0, -1.0, 3.0, 4.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jnp.maximum(0, x)
  %n15_0 = ps.read @w15_0 : tensor<6xf32>
  check.expect_almost_eq_const %n15_0, dense<[-1.0, -1.0, -1.5, -3.0, 1.0, 1.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jnp.minimum(x, 1)
  %n16_0 = ps.read @w16_0 : tensor<6xf32>
  check.expect_almost_eq_const %n16_0, dense<[-2.0, -2.0, -3.0, -1.0, 6.0, 7.0]> : tensor<6xf32>, tolerance = 1.0e-5
  // jnp.max
  %n17_0 = ps.read @w17_0 : tensor<2x3xf32>
  check.expect_almost_eq_const %n17_0, dense<[[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]> : tensor<2x3xf32>, tolerance = 1.0e-5
  return
}

// jax.nn.relu
func.func private @case_0(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = call @relu_0(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func private @relu_0(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<6xf32>
  return %1 : tensor<6xf32>
}

// jax.nn.relu6
func.func private @case_1(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = call @relu6_1(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func private @relu6_1(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<6xf32>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.minimum %1, %2 : tensor<6xf32>
  return %3 : tensor<6xf32>
}

// jax.nn.leaky_relu
func.func private @case_2(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = call @leaky_relu_2(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func private @leaky_relu_2(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.compare GE, %arg0, %0, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.multiply %2, %arg0 : tensor<6xf32>
  %4 = call @_where_2(%1, %arg0, %3) : (tensor<6xi1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %4 : tensor<6xf32>
}
func.func private @_where_2(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xf32>
  return %0 : tensor<6xf32>
}

// jax.nn.hard_tanh
func.func private @case_3(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = call @hard_tanh_3(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func private @hard_tanh_3(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %cst_0 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %c = stablehlo.constant dense<-1> : tensor<i32>
  %4 = call @_where_3(%3, %c, %arg0) : (tensor<6xi1>, tensor<i32>, tensor<6xf32>) -> tensor<6xf32>
  %c_1 = stablehlo.constant dense<1> : tensor<i32>
  %5 = call @_where_3(%1, %c_1, %4) : (tensor<6xi1>, tensor<i32>, tensor<6xf32>) -> tensor<6xf32>
  return %5 : tensor<6xf32>
}
func.func private @_where_3(%arg0: tensor<6xi1>, %arg1: tensor<i32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<6xi1>, tensor<6xf32>
  return %2 : tensor<6xf32>
}

// jax.nn.hard_silu
func.func private @case_4(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = call @hard_silu_4(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func private @hard_silu_4(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %0 = call @hard_sigmoid_4(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
  %1 = stablehlo.multiply %arg0, %0 : tensor<6xf32>
  return %1 : tensor<6xf32>
}
func.func private @hard_sigmoid_4(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<6xf32>
  %2 = call @relu6_4(%1) : (tensor<6xf32>) -> tensor<6xf32>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %4 = stablehlo.divide %2, %3 : tensor<6xf32>
  return %4 : tensor<6xf32>
}
func.func private @relu6_4(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<6xf32>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.minimum %1, %2 : tensor<6xf32>
  return %3 : tensor<6xf32>
}

// jax.nn.softplus
func.func private @case_5(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = call @softplus_5(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func private @softplus_5(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<6xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<6xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<6xf32>
  %7 = stablehlo.abs %3 : tensor<6xf32>
  %8 = stablehlo.negate %7 : tensor<6xf32>
  %9 = stablehlo.exponential %8 : tensor<6xf32>
  %10 = stablehlo.log_plus_one %9 : tensor<6xf32>
  %11 = stablehlo.add %1, %10 : tensor<6xf32>
  %12 = stablehlo.select %4, %6, %11 : tensor<6xi1>, tensor<6xf32>
  return %12 : tensor<6xf32>
}

// jax.nn.log_sigmoid
func.func private @case_6(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = call @log_sigmoid_6(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func private @log_sigmoid_6(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.negate %arg0 : tensor<6xf32>
  %1 = call @softplus_6(%0) : (tensor<6xf32>) -> tensor<6xf32>
  %2 = stablehlo.negate %1 : tensor<6xf32>
  return %2 : tensor<6xf32>
}
func.func private @softplus_6(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<6xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<6xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<6xf32>
  %7 = stablehlo.abs %3 : tensor<6xf32>
  %8 = stablehlo.negate %7 : tensor<6xf32>
  %9 = stablehlo.exponential %8 : tensor<6xf32>
  %10 = stablehlo.log_plus_one %9 : tensor<6xf32>
  %11 = stablehlo.add %1, %10 : tensor<6xf32>
  %12 = stablehlo.select %4, %6, %11 : tensor<6xi1>, tensor<6xf32>
  return %12 : tensor<6xf32>
}

// jax.nn.celu
func.func private @case_7(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = call @celu_7(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func private @celu_7(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<6xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.minimum %arg0, %2 : tensor<6xf32>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %5 = stablehlo.divide %3, %4 : tensor<6xf32>
  %6 = stablehlo.exponential_minus_one %5 : tensor<6xf32>
  %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %8 = stablehlo.multiply %7, %6 : tensor<6xf32>
  %9 = stablehlo.add %1, %8 : tensor<6xf32>
  return %9 : tensor<6xf32>
}

// jax.nn.elu
func.func private @case_8(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = call @elu_8(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func private @elu_8(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.compare GT, %arg0, %2, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %4 = call @_where_8(%3, %cst_1, %arg0) : (tensor<6xi1>, tensor<f32>, tensor<6xf32>) -> tensor<6xf32>
  %5 = stablehlo.exponential_minus_one %4 : tensor<6xf32>
  %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %7 = stablehlo.multiply %6, %5 : tensor<6xf32>
  %8 = call @_where_0_8(%1, %arg0, %7) : (tensor<6xi1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %8 : tensor<6xf32>
}
func.func private @_where_8(%arg0: tensor<6xi1>, %arg1: tensor<f32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.convert %arg1 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<6xi1>, tensor<6xf32>
  return %2 : tensor<6xf32>
}
func.func private @_where_0_8(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xf32>
  return %0 : tensor<6xf32>
}

// jnp.logaddexp(x, y), equal in places
func.func private @case_9(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<6xf32>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<6xf32>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<6xf32>
  %4 = stablehlo.abs %1 : tensor<6xf32>
  %5 = stablehlo.negate %4 : tensor<6xf32>
  %6 = stablehlo.exponential %5 : tensor<6xf32>
  %7 = stablehlo.log_plus_one %6 : tensor<6xf32>
  %8 = stablehlo.add %0, %7 : tensor<6xf32>
  %9 = stablehlo.select %2, %3, %8 : tensor<6xi1>, tensor<6xf32>
  return %9 : tensor<6xf32>
}

// jnp.abs
func.func private @case_10(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = stablehlo.abs %arg0 : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// jnp.clip(x, 0, 6)
func.func private @case_11(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %0 = call @clip_11(%arg0, %cst, %cst_0) : (tensor<6xf32>, tensor<f32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func private @clip_11(%arg0: tensor<6xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<6xf32> {
  %0 = stablehlo.convert %arg1 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %2 = stablehlo.maximum %1, %arg0 : tensor<6xf32>
  %3 = stablehlo.convert %arg2 : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %5 = stablehlo.minimum %4, %2 : tensor<6xf32>
  return %5 : tensor<6xf32>
}

// jnp.clip(x, -1, 7)
func.func private @case_12(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %cst = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
  %0 = call @clip_12(%arg0, %cst, %cst_0) : (tensor<6xf32>, tensor<f32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func private @clip_12(%arg0: tensor<6xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<6xf32> {
  %0 = stablehlo.convert %arg1 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %2 = stablehlo.maximum %1, %arg0 : tensor<6xf32>
  %3 = stablehlo.convert %arg2 : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %5 = stablehlo.minimum %4, %2 : tensor<6xf32>
  return %5 : tensor<6xf32>
}

// lax.clamp
func.func private @case_13(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %cst = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %2 = stablehlo.clamp %0, %arg0, %1 : tensor<6xf32>
  return %2 : tensor<6xf32>
}

// jnp.maximum(x, y), equal in places
func.func private @case_14(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) -> (tensor<6xf32>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// jnp.maximum(0, x)
func.func private @case_15(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.maximum %0, %arg0 : tensor<6xf32>
  return %1 : tensor<6xf32>
}

// jnp.minimum(x, 1)
func.func private @case_16(%arg0: tensor<6xf32>) -> (tensor<6xf32>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %1 = stablehlo.minimum %arg0, %0 : tensor<6xf32>
  return %1 : tensor<6xf32>
}

// jnp.max
func.func private @case_17(%arg0: tensor<2x3xf32>) -> (tensor<2xf32>) {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
