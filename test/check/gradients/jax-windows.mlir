// RUN: ps-run %s --entry=main

// What JAX 0.10.2 printed, with the gradients that jax.grad gave: each graph is
// trained for one step at rate 1, so each variable loses its gradient. The
// exceptions, where two functions of JAX print one text, are listed in
// docs/Design.md.

ps.variable @w0_0 : tensor<3x2xf32> init(#ps.constant<0.0>)
ps.variable @w1_0 : tensor<3x2xf32> init(#ps.constant<0.0>)
ps.variable @w2_0 : tensor<3x2xf32> init(#ps.constant<0.0>)
ps.variable @w3_0 : tensor<3x2xf32> init(#ps.constant<0.0>)
ps.variable @w4_0 : tensor<3x2xf32> init(#ps.constant<0.0>)
ps.variable @w5_0 : tensor<3x2xf32> init(#ps.constant<0.0>)
ps.variable @w6_0 : tensor<3x2xf32> init(#ps.constant<0.0>)
ps.variable @w7_0 : tensor<3x2xf32> init(#ps.constant<0.0>)
ps.variable @w8_0 : tensor<5xf32> init(#ps.constant<0.0>)
ps.variable @w8_1 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w9_0 : tensor<5xf32> init(#ps.constant<0.0>)
ps.variable @w9_1 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w10_0 : tensor<5xf32> init(#ps.constant<0.0>)
ps.variable @w10_1 : tensor<6xf32> init(#ps.constant<0.0>)
ps.variable @w11_0 : tensor<3x2xf32> init(#ps.constant<0.0>)
ps.variable @w11_1 : tensor<7x2xf32> init(#ps.constant<0.0>)

func.func @main() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // table[ids]
  %a0_0 = stablehlo.constant dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75]]> : tensor<3x2xf32>
  ps.assign @w0_0, %a0_0 : tensor<3x2xf32>
  %x0_0 = ps.read @w0_0 : tensor<3x2xf32>
  %a0_1 = stablehlo.constant dense<[0, 2, -1, -3, -4, 3, 100]> : tensor<7xi32>
  %y0 = call @case_0(%x0_0, %a0_1) : (tensor<3x2xf32>, tensor<7xi32>) -> tensor<7x2xf32>
  %k0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0], [13.0, 14.0]]> : tensor<7x2xf32>
  %p0 = stablehlo.multiply %y0, %k0 : tensor<7x2xf32>
  %s0 = stablehlo.reduce(%p0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x2xf32>, tensor<f32>) -> tensor<f32>
  %l0 = stablehlo.add %zero, %s0 : tensor<f32>
  // jnp.take
  %a1_0 = stablehlo.constant dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75]]> : tensor<3x2xf32>
  ps.assign @w1_0, %a1_0 : tensor<3x2xf32>
  %x1_0 = ps.read @w1_0 : tensor<3x2xf32>
  %a1_1 = stablehlo.constant dense<[0, 2, -1, -3, -4, 3, 100]> : tensor<7xi32>
  %y1 = call @case_1(%x1_0, %a1_1) : (tensor<3x2xf32>, tensor<7xi32>) -> tensor<7x2xf32>
  %k1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0], [13.0, 14.0]]> : tensor<7x2xf32>
  %p1 = stablehlo.multiply %y1, %k1 : tensor<7x2xf32>
  %s1 = stablehlo.reduce(%p1 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x2xf32>, tensor<f32>) -> tensor<f32>
  %l1 = stablehlo.add %l0, %s1 : tensor<f32>
  // jnp.take along the other dimension
  %a2_0 = stablehlo.constant dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75]]> : tensor<3x2xf32>
  ps.assign @w2_0, %a2_0 : tensor<3x2xf32>
  %x2_0 = ps.read @w2_0 : tensor<3x2xf32>
  %a2_1 = stablehlo.constant dense<[0, 2, -1, -3, -4, 3, 100]> : tensor<7xi32>
  %y2 = call @case_2(%x2_0, %a2_1) : (tensor<3x2xf32>, tensor<7xi32>) -> tensor<3x7xf32>
  %k2 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0], [15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0]]> : tensor<3x7xf32>
  %p2 = stablehlo.multiply %y2, %k2 : tensor<3x7xf32>
  %s2 = stablehlo.reduce(%p2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x7xf32>, tensor<f32>) -> tensor<f32>
  %l2 = stablehlo.add %l1, %s2 : tensor<f32>
  // jnp.take(mode="wrap")
  %a3_0 = stablehlo.constant dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75]]> : tensor<3x2xf32>
  ps.assign @w3_0, %a3_0 : tensor<3x2xf32>
  %x3_0 = ps.read @w3_0 : tensor<3x2xf32>
  %a3_1 = stablehlo.constant dense<[0, 2, -1, -3, -4, 3, 100]> : tensor<7xi32>
  %y3 = call @case_3(%x3_0, %a3_1) : (tensor<3x2xf32>, tensor<7xi32>) -> tensor<7x2xf32>
  %k3 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0], [13.0, 14.0]]> : tensor<7x2xf32>
  %p3 = stablehlo.multiply %y3, %k3 : tensor<7x2xf32>
  %s3 = stablehlo.reduce(%p3 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x2xf32>, tensor<f32>) -> tensor<f32>
  %l3 = stablehlo.add %l2, %s3 : tensor<f32>
  // at[].get(mode="fill", fill_value=0)
  %a4_0 = stablehlo.constant dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75]]> : tensor<3x2xf32>
  ps.assign @w4_0, %a4_0 : tensor<3x2xf32>
  %x4_0 = ps.read @w4_0 : tensor<3x2xf32>
  %a4_1 = stablehlo.constant dense<[0, 2, -1, -3, -4, 3, 100]> : tensor<7xi32>
  %y4 = call @case_4(%x4_0, %a4_1) : (tensor<3x2xf32>, tensor<7xi32>) -> tensor<7x2xf32>
  %k4 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0], [13.0, 14.0]]> : tensor<7x2xf32>
  %p4 = stablehlo.multiply %y4, %k4 : tensor<7x2xf32>
  %s4 = stablehlo.reduce(%p4 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x2xf32>, tensor<f32>) -> tensor<f32>
  %l4 = stablehlo.add %l3, %s4 : tensor<f32>
  // table[clipped ids]
  %a5_0 = stablehlo.constant dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75]]> : tensor<3x2xf32>
  ps.assign @w5_0, %a5_0 : tensor<3x2xf32>
  %x5_0 = ps.read @w5_0 : tensor<3x2xf32>
  %a5_1 = stablehlo.constant dense<[0, 2, -1, -3, -4, 3, 100]> : tensor<7xi32>
  %y5 = call @case_5(%x5_0, %a5_1) : (tensor<3x2xf32>, tensor<7xi32>) -> tensor<7x2xf32>
  %k5 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0], [13.0, 14.0]]> : tensor<7x2xf32>
  %p5 = stablehlo.multiply %y5, %k5 : tensor<7x2xf32>
  %s5 = stablehlo.reduce(%p5 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x2xf32>, tensor<f32>) -> tensor<f32>
  %l5 = stablehlo.add %l4, %s5 : tensor<f32>
  // table[ids, others]
  %a6_0 = stablehlo.constant dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75]]> : tensor<3x2xf32>
  ps.assign @w6_0, %a6_0 : tensor<3x2xf32>
  %x6_0 = ps.read @w6_0 : tensor<3x2xf32>
  %a6_1 = stablehlo.constant dense<[0, 2, -1, -3, -4, 3, 100]> : tensor<7xi32>
  %y6 = call @case_6(%x6_0, %a6_1) : (tensor<3x2xf32>, tensor<7xi32>) -> tensor<7xf32>
  %k6 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %p6 = stablehlo.multiply %y6, %k6 : tensor<7xf32>
  %s6 = stablehlo.reduce(%p6 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
  %l6 = stablehlo.add %l5, %s6 : tensor<f32>
  // table[id], a dynamic slice
  %a7_0 = stablehlo.constant dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75]]> : tensor<3x2xf32>
  ps.assign @w7_0, %a7_0 : tensor<3x2xf32>
  %x7_0 = ps.read @w7_0 : tensor<3x2xf32>
  %a7_1 = stablehlo.constant dense<7> : tensor<i32>
  %y7 = call @case_7(%x7_0, %a7_1) : (tensor<3x2xf32>, tensor<i32>) -> tensor<2xf32>
  %k7 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %p7 = stablehlo.multiply %y7, %k7 : tensor<2xf32>
  %s7 = stablehlo.reduce(%p7 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %l7 = stablehlo.add %l6, %s7 : tensor<f32>
  // at[].add
  %a8_0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  ps.assign @w8_0, %a8_0 : tensor<5xf32>
  %x8_0 = ps.read @w8_0 : tensor<5xf32>
  %a8_1 = stablehlo.constant dense<[10.0, 20.0, 30.0, 40.0, 50.0, 60.0]> : tensor<6xf32>
  ps.assign @w8_1, %a8_1 : tensor<6xf32>
  %x8_1 = ps.read @w8_1 : tensor<6xf32>
  %a8_2 = stablehlo.constant dense<[1, 3, 1, 7, -1, -9]> : tensor<6xi32>
  %y8 = call @case_8(%x8_0, %x8_1, %a8_2) : (tensor<5xf32>, tensor<6xf32>, tensor<6xi32>) -> tensor<5xf32>
  %k8 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %p8 = stablehlo.multiply %y8, %k8 : tensor<5xf32>
  %s8 = stablehlo.reduce(%p8 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  %l8 = stablehlo.add %l7, %s8 : tensor<f32>
  // at[].set
  %a9_0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  ps.assign @w9_0, %a9_0 : tensor<5xf32>
  %x9_0 = ps.read @w9_0 : tensor<5xf32>
  %a9_1 = stablehlo.constant dense<[10.0, 20.0, 30.0, 40.0, 50.0, 60.0]> : tensor<6xf32>
  ps.assign @w9_1, %a9_1 : tensor<6xf32>
  %x9_1 = ps.read @w9_1 : tensor<6xf32>
  %a9_2 = stablehlo.constant dense<[1, 3, 1, 7, -1, -9]> : tensor<6xi32>
  %y9 = call @case_9(%x9_0, %x9_1, %a9_2) : (tensor<5xf32>, tensor<6xf32>, tensor<6xi32>) -> tensor<5xf32>
  %k9 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %p9 = stablehlo.multiply %y9, %k9 : tensor<5xf32>
  %s9 = stablehlo.reduce(%p9 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  %l9 = stablehlo.add %l8, %s9 : tensor<f32>
  // at[].set(mode="clip")
  %a10_0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  ps.assign @w10_0, %a10_0 : tensor<5xf32>
  %x10_0 = ps.read @w10_0 : tensor<5xf32>
  %a10_1 = stablehlo.constant dense<[10.0, 20.0, 30.0, 40.0, 50.0, 60.0]> : tensor<6xf32>
  ps.assign @w10_1, %a10_1 : tensor<6xf32>
  %x10_1 = ps.read @w10_1 : tensor<6xf32>
  %a10_2 = stablehlo.constant dense<[1, 3, 1, 7, -1, -9]> : tensor<6xi32>
  %y10 = call @case_10(%x10_0, %x10_1, %a10_2) : (tensor<5xf32>, tensor<6xf32>, tensor<6xi32>) -> tensor<5xf32>
  %k10 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %p10 = stablehlo.multiply %y10, %k10 : tensor<5xf32>
  %s10 = stablehlo.reduce(%p10 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  %l10 = stablehlo.add %l9, %s10 : tensor<f32>
  // at[].set of rows
  %a11_0 = stablehlo.constant dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75]]> : tensor<3x2xf32>
  ps.assign @w11_0, %a11_0 : tensor<3x2xf32>
  %x11_0 = ps.read @w11_0 : tensor<3x2xf32>
  %a11_1 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0], [8.0, 9.0], [10.0, 11.0], [12.0, 13.0]]> : tensor<7x2xf32>
  ps.assign @w11_1, %a11_1 : tensor<7x2xf32>
  %x11_1 = ps.read @w11_1 : tensor<7x2xf32>
  %a11_2 = stablehlo.constant dense<[0, 2, -1, -3, -4, 3, 100]> : tensor<7xi32>
  %y11 = call @case_11(%x11_0, %x11_1, %a11_2) : (tensor<3x2xf32>, tensor<7x2xf32>, tensor<7xi32>) -> tensor<3x2xf32>
  %k11 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %p11 = stablehlo.multiply %y11, %k11 : tensor<3x2xf32>
  %s11 = stablehlo.reduce(%p11 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<f32>
  %l11 = stablehlo.add %l10, %s11 : tensor<f32>
  ps.minimize %l11 using(#ps.sgd<learning_rate = 1.0>) : tensor<f32>
  // table[ids]
  %n0_0 = ps.read @w0_0 : tensor<3x2xf32>
  check.expect_almost_eq_const %n0_0, dense<[[-7.5, -11.0], [2.0, 0.25], [-6.5, -10.75]]> : tensor<3x2xf32>, tolerance = 1.0e-6
  // jnp.take
  %n1_0 = ps.read @w1_0 : tensor<3x2xf32>
  check.expect_almost_eq_const %n1_0, dense<[[-7.5, -11.0], [2.0, 0.25], [-6.5, -10.75]]> : tensor<3x2xf32>, tolerance = 1.0e-6
  // jnp.take along the other dimension
  %n2_0 = ps.read @w2_0 : tensor<3x2xf32>
  check.expect_almost_eq_const %n2_0, dense<[[-0.5, -4.0], [-6.0, -9.75], [-13.5, -17.75]]> : tensor<3x2xf32>, tolerance = 1.0e-6
  // jnp.take(mode="wrap")
  %n3_0 = ps.read @w3_0 : tensor<3x2xf32>
  check.expect_almost_eq_const %n3_0, dense<[[-18.5, -23.0], [-11.0, -13.75], [-15.5, -20.75]]> : tensor<3x2xf32>, tolerance = 1.0e-6
  // at[].get(mode="fill", fill_value=0)
  %n4_0 = ps.read @w4_0 : tensor<3x2xf32>
  check.expect_almost_eq_const %n4_0, dense<[[-7.5, -11.0], [2.0, 0.25], [-6.5, -10.75]]> : tensor<3x2xf32>, tolerance = 1.0e-6
  // table[clipped ids]
  %n5_0 = ps.read @w5_0 : tensor<3x2xf32>
  check.expect_almost_eq_const %n5_0, dense<[[-21.5, -27.0], [2.0, 0.25], [-25.5, -30.75]]> : tensor<3x2xf32>, tolerance = 1.0e-6
  // table[ids, others]
  %n6_0 = ps.read @w6_0 : tensor<3x2xf32>
  check.expect_almost_eq_const %n6_0, dense<[[0.5, -1.0], [2.0, 0.25], [1.5, -0.75]]> : tensor<3x2xf32>, tolerance = 1.0e-6
  // table[id], a dynamic slice
  %n7_0 = ps.read @w7_0 : tensor<3x2xf32>
  check.expect_almost_eq_const %n7_0, dense<[[0.5, -1.0], [2.0, 0.25], [0.5, -2.75]]> : tensor<3x2xf32>, tolerance = 1.0e-6
  // at[].add
  %n8_0 = ps.read @w8_0 : tensor<5xf32>
  check.expect_almost_eq_const %n8_0, dense<[0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<5xf32>, tolerance = 1.0e-6
  // at[].add
  %n8_1 = ps.read @w8_1 : tensor<6xf32>
  check.expect_almost_eq_const %n8_1, dense<[8.0, 16.0, 28.0, 40.0, 45.0, 60.0]> : tensor<6xf32>, tolerance = 1.0e-6
  // at[].set
  %n9_0 = ps.read @w9_0 : tensor<5xf32>
  check.expect_almost_eq_const %n9_0, dense<[0.0, 2.0, 0.0, 4.0, 5.0]> : tensor<5xf32>, tolerance = 1.0e-6
  // at[].set
  %n9_1 = ps.read @w9_1 : tensor<6xf32>
  check.expect_almost_eq_const %n9_1, dense<[10.0, 16.0, 28.0, 40.0, 45.0, 60.0]> : tensor<6xf32>, tolerance = 1.0e-6
  // at[].set(mode="clip")
  %n10_0 = ps.read @w10_0 : tensor<5xf32>
  check.expect_almost_eq_const %n10_0, dense<[1.0, 2.0, 0.0, 4.0, 5.0]> : tensor<5xf32>, tolerance = 1.0e-6
  // at[].set(mode="clip")
  %n10_1 = ps.read @w10_1 : tensor<6xf32>
  check.expect_almost_eq_const %n10_1, dense<[10.0, 16.0, 28.0, 40.0, 45.0, 59.0]> : tensor<6xf32>, tolerance = 1.0e-6
  // at[].set of rows
  %n11_0 = ps.read @w11_0 : tensor<3x2xf32>
  check.expect_almost_eq_const %n11_0, dense<[[0.5, -1.0], [-1.0, -3.75], [1.5, -0.75]]> : tensor<3x2xf32>, tolerance = 1.0e-6
  // at[].set of rows
  %n11_1 = ps.read @w11_1 : tensor<7x2xf32>
  check.expect_almost_eq_const %n11_1, dense<[[0.0, 1.0], [2.0, 3.0], [-1.0, -1.0], [5.0, 5.0], [8.0, 9.0], [10.0, 11.0], [12.0, 13.0]]> : tensor<7x2xf32>, tolerance = 1.0e-6
  return
}

// table[ids]
func.func private @case_0(%arg0: tensor<3x2xf32>, %arg1: tensor<7xi32>) -> (tensor<7x2xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %3 = stablehlo.add %arg1, %2 : tensor<7xi32>
  %4 = stablehlo.select %1, %3, %arg1 : tensor<7xi1>, tensor<7xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
  %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<7x1xi32>) -> tensor<7x2xf32>
  return %6 : tensor<7x2xf32>
}

// jnp.take
func.func private @case_1(%arg0: tensor<3x2xf32>, %arg1: tensor<7xi32>) -> (tensor<7x2xf32>) {
  %0 = call @_take_1(%arg0, %arg1) : (tensor<3x2xf32>, tensor<7xi32>) -> tensor<7x2xf32>
  return %0 : tensor<7x2xf32>
}
func.func private @_take_1(%arg0: tensor<3x2xf32>, %arg1: tensor<7xi32>) -> tensor<7x2xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %3 = stablehlo.add %arg1, %2 : tensor<7xi32>
  %4 = call @_where_1(%1, %3, %arg1) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
  %c_1 = stablehlo.constant dense<2> : tensor<1xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
  %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
  %8 = stablehlo.broadcast_in_dim %c_1, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<7x1xi32>
  %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
  %11 = stablehlo.and %7, %10 : tensor<7x1xi1>
  %c_3 = stablehlo.constant dense<true> : tensor<i1>
  %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [1] : (tensor<7x1xi1>, tensor<i1>) -> tensor<7xi1>
  %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<7x1xi32>) -> tensor<7x2xf32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<7xi1>) -> tensor<7x2xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7x2xf32>
  %16 = stablehlo.select %14, %13, %15 : tensor<7x2xi1>, tensor<7x2xf32>
  return %16 : tensor<7x2xf32>
}
func.func private @_where_1(%arg0: tensor<7xi1>, %arg1: tensor<7xi32>, %arg2: tensor<7xi32>) -> tensor<7xi32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<7xi1>, tensor<7xi32>
  return %0 : tensor<7xi32>
}

// jnp.take along the other dimension
func.func private @case_2(%arg0: tensor<3x2xf32>, %arg1: tensor<7xi32>) -> (tensor<3x7xf32>) {
  %0 = call @_take_2(%arg0, %arg1) : (tensor<3x2xf32>, tensor<7xi32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
func.func private @_take_2(%arg0: tensor<3x2xf32>, %arg1: tensor<7xi32>) -> tensor<3x7xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %c_0 = stablehlo.constant dense<2> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %3 = stablehlo.add %arg1, %2 : tensor<7xi32>
  %4 = call @_where_2(%1, %3, %arg1) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
  %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
  %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
  %8 = stablehlo.broadcast_in_dim %c_1, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<7x1xi32>
  %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
  %11 = stablehlo.and %7, %10 : tensor<7x1xi1>
  %c_3 = stablehlo.constant dense<true> : tensor<i1>
  %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [1] : (tensor<7x1xi1>, tensor<i1>) -> tensor<7xi1>
  %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 3, 1>}> : (tensor<3x2xf32>, tensor<7x1xi32>) -> tensor<3x7xf32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<7xi1>) -> tensor<3x7xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x7xf32>
  %16 = stablehlo.select %14, %13, %15 : tensor<3x7xi1>, tensor<3x7xf32>
  return %16 : tensor<3x7xf32>
}
func.func private @_where_2(%arg0: tensor<7xi1>, %arg1: tensor<7xi32>, %arg2: tensor<7xi32>) -> tensor<7xi32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<7xi1>, tensor<7xi32>
  return %0 : tensor<7xi32>
}

// jnp.take(mode="wrap")
func.func private @case_3(%arg0: tensor<3x2xf32>, %arg1: tensor<7xi32>) -> (tensor<7x2xf32>) {
  %0 = call @_take_3(%arg0, %arg1) : (tensor<3x2xf32>, tensor<7xi32>) -> tensor<7x2xf32>
  return %0 : tensor<7x2xf32>
}
func.func private @_take_3(%arg0: tensor<3x2xf32>, %arg1: tensor<7xi32>) -> tensor<7x2xf32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = call @remainder_3(%arg1, %c) : (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
  %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<7x1xi32>) -> tensor<7x2xf32>
  return %2 : tensor<7x2xf32>
}
func.func private @remainder_3(%arg0: tensor<7xi32>, %arg1: tensor<i32>) -> tensor<7xi32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.compare EQ, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = call @_where_3(%0, %c_0, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %3 = stablehlo.remainder %arg0, %2 : tensor<7xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %5 = stablehlo.compare NE, %3, %4, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %7 = stablehlo.compare LT, %3, %6, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %8 = stablehlo.compare LT, %1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<i1>) -> tensor<7xi1>
  %10 = stablehlo.compare NE, %7, %9, UNSIGNED : (tensor<7xi1>, tensor<7xi1>) -> tensor<7xi1>
  %11 = stablehlo.and %10, %5 : tensor<7xi1>
  %12 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %13 = stablehlo.add %3, %12 : tensor<7xi32>
  %14 = stablehlo.select %11, %13, %3 : tensor<7xi1>, tensor<7xi32>
  return %14 : tensor<7xi32>
}
func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
  return %0 : tensor<i32>
}

// at[].get(mode="fill", fill_value=0)
func.func private @case_4(%arg0: tensor<3x2xf32>, %arg1: tensor<7xi32>) -> (tensor<7x2xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %3 = stablehlo.add %arg1, %2 : tensor<7xi32>
  %4 = stablehlo.select %1, %3, %arg1 : tensor<7xi1>, tensor<7xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
  %c_1 = stablehlo.constant dense<2> : tensor<1xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
  %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
  %8 = stablehlo.broadcast_in_dim %c_1, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<7x1xi32>
  %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
  %11 = stablehlo.and %7, %10 : tensor<7x1xi1>
  %c_3 = stablehlo.constant dense<true> : tensor<i1>
  %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [1] : (tensor<7x1xi1>, tensor<i1>) -> tensor<7xi1>
  %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<7x1xi32>) -> tensor<7x2xf32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<7xi1>) -> tensor<7x2xi1>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7x2xf32>
  %16 = stablehlo.select %14, %13, %15 : tensor<7x2xi1>, tensor<7x2xf32>
  return %16 : tensor<7x2xf32>
}

// table[clipped ids]
func.func private @case_5(%arg0: tensor<3x2xf32>, %arg1: tensor<7xi32>) -> (tensor<7x2xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<2> : tensor<i32>
  %0 = call @clip_5(%arg1, %c, %c_0) : (tensor<7xi32>, tensor<i32>, tensor<i32>) -> tensor<7xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %2 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %c_2 = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %4 = stablehlo.add %0, %3 : tensor<7xi32>
  %5 = stablehlo.select %2, %4, %0 : tensor<7xi1>, tensor<7xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
  %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<7x1xi32>) -> tensor<7x2xf32>
  return %7 : tensor<7x2xf32>
}
func.func private @clip_5(%arg0: tensor<7xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<7xi32> {
  %0 = stablehlo.convert %arg1 : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %2 = stablehlo.maximum %1, %arg0 : tensor<7xi32>
  %3 = stablehlo.convert %arg2 : tensor<i32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %5 = stablehlo.minimum %4, %2 : tensor<7xi32>
  return %5 : tensor<7xi32>
}

// table[ids, others]
func.func private @case_6(%arg0: tensor<3x2xf32>, %arg1: tensor<7xi32>) -> (tensor<7xf32>) {
  %0 = stablehlo.reverse %arg1, dims = [0] : tensor<7xi32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %4 = stablehlo.add %arg1, %3 : tensor<7xi32>
  %5 = stablehlo.select %2, %4, %arg1 : tensor<7xi1>, tensor<7xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %7 = stablehlo.compare LT, %0, %6, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %c_2 = stablehlo.constant dense<2> : tensor<i32>
  %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %9 = stablehlo.add %0, %8 : tensor<7xi32>
  %10 = stablehlo.select %7, %9, %0 : tensor<7xi1>, tensor<7xi32>
  %11 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
  %12 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
  %13 = stablehlo.concatenate %11, %12, dim = 1 : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x2xi32>
  %14 = "stablehlo.gather"(%arg0, %13) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x2xf32>, tensor<7x2xi32>) -> tensor<7xf32>
  return %14 : tensor<7xf32>
}

// table[id], a dynamic slice
func.func private @case_7(%arg0: tensor<3x2xf32>, %arg1: tensor<i32>) -> (tensor<2xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
  %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %3 = stablehlo.compare LT, %c_1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %c_4 = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.add %c_3, %c_4 : tensor<i32>
  %c_5 = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.select %3, %4, %c_5 : tensor<i1>, tensor<i32>
  %6 = stablehlo.dynamic_slice %arg0, %2, %5, sizes = [1, 2] : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %7 = stablehlo.reshape %6 : (tensor<1x2xf32>) -> tensor<2xf32>
  return %7 : tensor<2xf32>
}

// at[].add
func.func private @case_8(%arg0: tensor<5xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6xi32>) -> (tensor<5xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
  %1 = stablehlo.compare LT, %arg2, %0, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %c_0 = stablehlo.constant dense<5> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
  %3 = stablehlo.add %arg2, %2 : tensor<6xi32>
  %4 = stablehlo.select %1, %3, %arg2 : tensor<6xi1>, tensor<6xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %6 = "stablehlo.scatter"(%arg0, %5, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %7 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %7 : tensor<f32>
  }) : (tensor<5xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<5xf32>
  return %6 : tensor<5xf32>
}

// at[].set
func.func private @case_9(%arg0: tensor<5xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6xi32>) -> (tensor<5xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
  %1 = stablehlo.compare LT, %arg2, %0, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %c_0 = stablehlo.constant dense<5> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
  %3 = stablehlo.add %arg2, %2 : tensor<6xi32>
  %4 = stablehlo.select %1, %3, %arg2 : tensor<6xi1>, tensor<6xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %6 = "stablehlo.scatter"(%arg0, %5, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    stablehlo.return %arg4 : tensor<f32>
  }) : (tensor<5xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<5xf32>
  return %6 : tensor<5xf32>
}

// at[].set(mode="clip")
func.func private @case_10(%arg0: tensor<5xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6xi32>) -> (tensor<5xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
  %1 = stablehlo.compare LT, %arg2, %0, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %c_0 = stablehlo.constant dense<5> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
  %3 = stablehlo.add %arg2, %2 : tensor<6xi32>
  %4 = stablehlo.select %1, %3, %arg2 : tensor<6xi1>, tensor<6xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %c_1 = stablehlo.constant dense<4> : tensor<1xi32>
  %c_2 = stablehlo.constant dense<2147483647> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %7 = stablehlo.minimum %c_1, %6 : tensor<1xi32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<1xi32>) -> tensor<6x1xi32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
  %10 = stablehlo.clamp %9, %5, %8 : tensor<6x1xi32>
  %11 = "stablehlo.scatter"(%arg0, %10, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    stablehlo.return %arg4 : tensor<f32>
  }) : (tensor<5xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<5xf32>
  return %11 : tensor<5xf32>
}

// at[].set of rows
func.func private @case_11(%arg0: tensor<3x2xf32>, %arg1: tensor<7x2xf32>, %arg2: tensor<7xi32>) -> (tensor<3x2xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %1 = stablehlo.compare LT, %arg2, %0, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %3 = stablehlo.add %arg2, %2 : tensor<7xi32>
  %4 = stablehlo.select %1, %3, %arg2 : tensor<7xi1>, tensor<7xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
  %6 = "stablehlo.scatter"(%arg0, %5, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    stablehlo.return %arg4 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<7x1xi32>, tensor<7x2xf32>) -> tensor<3x2xf32>
  return %6 : tensor<3x2xf32>
}
