// RUN: ps-run %s --entry=main

// Windows with equal elements: what JAX 0.10.2 printed, with the gradients that
// jax.grad gave, of which the first of equal elements has all. Each graph is
// trained for one step at rate 1, so each variable loses its gradient.

ps.variable @w0 : tensor<1x5x4x1xf32> init(#ps.constant<0.0>)
ps.variable @w1 : tensor<1x5x4x1xf32> init(#ps.constant<0.0>)
ps.variable @w2 : tensor<1x5x4x1xf32> init(#ps.constant<0.0>)
ps.variable @w3 : tensor<1x5x4x1xf32> init(#ps.constant<0.0>)

func.func @main() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // lax.reduce_window of maxima, tiles
  %a0 = stablehlo.constant dense<[[[[0.0], [-2.0], [-1.0], [1.0]], [[-2.0], [-2.0], [-2.0], [1.0]], [[0.0], [1.0], [-1.0], [-1.0]], [[0.0], [-2.0], [2.0], [2.0]], [[-2.0], [0.0], [-1.0], [0.0]]]]> : tensor<1x5x4x1xf32>
  ps.assign @w0, %a0 : tensor<1x5x4x1xf32>
  %x0 = ps.read @w0 : tensor<1x5x4x1xf32>
  %y0 = call @case_0(%x0) : (tensor<1x5x4x1xf32>) -> tensor<1x2x2x1xf32>
  %k0 = stablehlo.constant dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>
  %p0 = stablehlo.multiply %y0, %k0 : tensor<1x2x2x1xf32>
  %s0 = stablehlo.reduce(%p0 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x2x2x1xf32>, tensor<f32>) -> tensor<f32>
  %l0 = stablehlo.add %zero, %s0 : tensor<f32>
  // overlapping, padded
  %a1 = stablehlo.constant dense<[[[[0.0], [-2.0], [-1.0], [1.0]], [[-2.0], [-2.0], [-2.0], [1.0]], [[0.0], [1.0], [-1.0], [-1.0]], [[0.0], [-2.0], [2.0], [2.0]], [[-2.0], [0.0], [-1.0], [0.0]]]]> : tensor<1x5x4x1xf32>
  ps.assign @w1, %a1 : tensor<1x5x4x1xf32>
  %x1 = ps.read @w1 : tensor<1x5x4x1xf32>
  %y1 = call @case_1(%x1) : (tensor<1x5x4x1xf32>) -> tensor<1x3x2x1xf32>
  %k1 = stablehlo.constant dense<[[[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]]]> : tensor<1x3x2x1xf32>
  %p1 = stablehlo.multiply %y1, %k1 : tensor<1x3x2x1xf32>
  %s1 = stablehlo.reduce(%p1 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x3x2x1xf32>, tensor<f32>) -> tensor<f32>
  %l1 = stablehlo.add %l0, %s1 : tensor<f32>
  // overlapping at every place
  %a2 = stablehlo.constant dense<[[[[0.0], [-2.0], [-1.0], [1.0]], [[-2.0], [-2.0], [-2.0], [1.0]], [[0.0], [1.0], [-1.0], [-1.0]], [[0.0], [-2.0], [2.0], [2.0]], [[-2.0], [0.0], [-1.0], [0.0]]]]> : tensor<1x5x4x1xf32>
  ps.assign @w2, %a2 : tensor<1x5x4x1xf32>
  %x2 = ps.read @w2 : tensor<1x5x4x1xf32>
  %y2 = call @case_2(%x2) : (tensor<1x5x4x1xf32>) -> tensor<1x4x3x1xf32>
  %k2 = stablehlo.constant dense<[[[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]], [[7.0], [8.0], [9.0]], [[10.0], [11.0], [12.0]]]]> : tensor<1x4x3x1xf32>
  %p2 = stablehlo.multiply %y2, %k2 : tensor<1x4x3x1xf32>
  %s2 = stablehlo.reduce(%p2 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x4x3x1xf32>, tensor<f32>) -> tensor<f32>
  %l2 = stablehlo.add %l1, %s2 : tensor<f32>
  // of minima
  %a3 = stablehlo.constant dense<[[[[0.0], [-2.0], [-1.0], [1.0]], [[-2.0], [-2.0], [-2.0], [1.0]], [[0.0], [1.0], [-1.0], [-1.0]], [[0.0], [-2.0], [2.0], [2.0]], [[-2.0], [0.0], [-1.0], [0.0]]]]> : tensor<1x5x4x1xf32>
  ps.assign @w3, %a3 : tensor<1x5x4x1xf32>
  %x3 = ps.read @w3 : tensor<1x5x4x1xf32>
  %y3 = call @case_3(%x3) : (tensor<1x5x4x1xf32>) -> tensor<1x3x2x1xf32>
  %k3 = stablehlo.constant dense<[[[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]]]> : tensor<1x3x2x1xf32>
  %p3 = stablehlo.multiply %y3, %k3 : tensor<1x3x2x1xf32>
  %s3 = stablehlo.reduce(%p3 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x3x2x1xf32>, tensor<f32>) -> tensor<f32>
  %l3 = stablehlo.add %l2, %s3 : tensor<f32>
  ps.minimize %l3 using(#ps.sgd<learning_rate = 1.0>) : tensor<f32>
  %after0 = ps.read @w0 : tensor<1x5x4x1xf32>
  %gradient0 = stablehlo.subtract %a0, %after0 : tensor<1x5x4x1xf32>
  check.expect_eq_const %gradient0, dense<[[[[1.0], [0.0], [0.0], [2.0]], [[0.0], [0.0], [0.0], [0.0]], [[0.0], [3.0], [0.0], [0.0]], [[0.0], [0.0], [4.0], [0.0]], [[0.0], [0.0], [0.0], [0.0]]]]> : tensor<1x5x4x1xf32>
  %after1 = ps.read @w1 : tensor<1x5x4x1xf32>
  %gradient1 = stablehlo.subtract %a1, %after1 : tensor<1x5x4x1xf32>
  check.expect_eq_const %gradient1, dense<[[[[1.0], [0.0], [0.0], [2.0]], [[0.0], [0.0], [0.0], [0.0]], [[0.0], [0.0], [0.0], [0.0]], [[0.0], [0.0], [18.0], [0.0]], [[0.0], [0.0], [0.0], [0.0]]]]> : tensor<1x5x4x1xf32>
  %after2 = ps.read @w2 : tensor<1x5x4x1xf32>
  %gradient2 = stablehlo.subtract %a2, %after2 : tensor<1x5x4x1xf32>
  check.expect_eq_const %gradient2, dense<[[[[1.0], [0.0], [2.0], [3.0]], [[0.0], [0.0], [0.0], [6.0]], [[0.0], [16.0], [0.0], [0.0]], [[10.0], [0.0], [40.0], [0.0]], [[0.0], [0.0], [0.0], [0.0]]]]> : tensor<1x5x4x1xf32>
  %after3 = ps.read @w3 : tensor<1x5x4x1xf32>
  %gradient3 = stablehlo.subtract %a3, %after3 : tensor<1x5x4x1xf32>
  check.expect_eq_const %gradient3, dense<[[[[0.0], [1.0], [0.0], [0.0]], [[0.0], [0.0], [2.0], [0.0]], [[0.0], [0.0], [4.0], [0.0]], [[0.0], [3.0], [0.0], [0.0]], [[5.0], [0.0], [6.0], [0.0]]]]> : tensor<1x5x4x1xf32>
  return
}

func.func private @case_0(%arg0: tensor<1x5x4x1xf32>) -> (tensor<1x2x2x1xf32>) {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %2 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<1x5x4x1xf32>, tensor<f32>) -> tensor<1x2x2x1xf32>
  return %1 : tensor<1x2x2x1xf32>
}

func.func private @case_1(%arg0: tensor<1x5x4x1xf32>) -> (tensor<1x3x2x1xf32>) {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %2 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<1x5x4x1xf32>, tensor<f32>) -> tensor<1x3x2x1xf32>
  return %1 : tensor<1x3x2x1xf32>
}

func.func private @case_2(%arg0: tensor<1x5x4x1xf32>) -> (tensor<1x4x3x1xf32>) {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %2 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<1x5x4x1xf32>, tensor<f32>) -> tensor<1x4x3x1xf32>
  return %1 : tensor<1x4x3x1xf32>
}

func.func private @case_3(%arg0: tensor<1x5x4x1xf32>) -> (tensor<1x3x2x1xf32>) {
  %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %2 = stablehlo.minimum %arg1, %arg2 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<1x5x4x1xf32>, tensor<f32>) -> tensor<1x3x2x1xf32>
  return %1 : tensor<1x3x2x1xf32>
}
