// RUN: ps-run %s --entry=main
// RUN: ps-opt %s --ps-compile="function=main device=true" | FileCheck %s
//
// What a device's products do besides multiplying, beside what a kernel does:
// NaN stays NaN under relu, GELU is that of tanh, and sums are of all elements.

// CHECK: exec.gemm {{.*}} fused(bias_relu)
// CHECK: exec.gemm {{.*}} fused(relu)
// CHECK: exec.gemm {{.*}} fused(bias)
// CHECK: exec.gemm {{.*}} fused(bias_gelu)
// CHECK: exec.gemm {{.*}} bias_gradient(b by
func.func @main() {
  %w = stablehlo.constant dense<[[1.0, -2.0, 0.5], [2.0, 1.0, -0.25]]> : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<4x3xf32>
  %half = stablehlo.constant dense<0.5> : tensor<4x3xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x3xf32>
  %cubic = stablehlo.constant dense<4.471500e-02> : tensor<4x3xf32>
  %root = stablehlo.constant dense<0.797884583> : tensor<4x3xf32>

  // relu(x w + b)
  %b0 = stablehlo.constant dense<[0.5, -0.25, 2.0]> : tensor<3xf32>
  %r0 = stablehlo.broadcast_in_dim %b0, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [-1.0, 0.5], [0x7FC00000, 1.0], [0.25, -4.0]]> : tensor<4x2xf32>
  %c0 = stablehlo.dot_general %x0, %w, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %s0 = stablehlo.add %c0, %r0 : tensor<4x3xf32>
  %y0 = stablehlo.maximum %s0, %zero : tensor<4x3xf32>
  check.expect_eq_const %y0, dense<[[5.5, 0.0, 2.0], [0.5, 2.25, 1.375], [0x7FC00000, 0x7FC00000, 0x7FC00000], [0.0, 0.0, 3.125]]> : tensor<4x3xf32>

  // relu(x w)
  %x1 = stablehlo.constant dense<[[-1.0, 0.5], [0x7FC00000, 1.0], [0.25, -4.0], [1.0, 2.0]]> : tensor<4x2xf32>
  %c1 = stablehlo.dot_general %x1, %w, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %y1 = stablehlo.maximum %c1, %zero : tensor<4x3xf32>
  check.expect_eq_const %y1, dense<[[0.0, 2.5, 0.0], [0x7FC00000, 0x7FC00000, 0x7FC00000], [0.0, 0.0, 1.125], [5.0, 0.0, 0.0]]> : tensor<4x3xf32>

  // x w + b
  %b2 = stablehlo.constant dense<[-0.25, 2.0, 0.5]> : tensor<3xf32>
  %r2 = stablehlo.broadcast_in_dim %b2, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  %x2 = stablehlo.constant dense<[[0x7FC00000, 1.0], [0.25, -4.0], [1.0, 2.0], [-1.0, 0.5]]> : tensor<4x2xf32>
  %c2 = stablehlo.dot_general %x2, %w, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %y2 = stablehlo.add %c2, %r2 : tensor<4x3xf32>
  check.expect_eq_const %y2, dense<[[0x7FC00000, 0x7FC00000, 0x7FC00000], [-8.0, -2.5, 1.625], [4.75, 2.0, 0.5], [-0.25, 4.5, -0.125]]> : tensor<4x3xf32>

  // gelu(x w + b)
  %b3 = stablehlo.constant dense<[2.0, 0.5, -0.25]> : tensor<3xf32>
  %r3 = stablehlo.broadcast_in_dim %b3, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  %x3 = stablehlo.constant dense<[[0.25, -4.0], [1.0, 2.0], [-1.0, 0.5], [0x7FC00000, 1.0]]> : tensor<4x2xf32>
  %c3 = stablehlo.dot_general %x3, %w, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %s3 = stablehlo.add %c3, %r3 : tensor<4x3xf32>
  %g0 = stablehlo.multiply %s3, %s3 : tensor<4x3xf32>
  %g1 = stablehlo.multiply %g0, %s3 : tensor<4x3xf32>
  %g2 = stablehlo.multiply %cubic, %g1 : tensor<4x3xf32>
  %g3 = stablehlo.add %s3, %g2 : tensor<4x3xf32>
  %g4 = stablehlo.multiply %root, %g3 : tensor<4x3xf32>
  %g5 = stablehlo.tanh %g4 : tensor<4x3xf32>
  %g6 = stablehlo.add %one, %g5 : tensor<4x3xf32>
  %g7 = stablehlo.multiply %half, %g6 : tensor<4x3xf32>
  %y3 = stablehlo.multiply %s3, %g7 : tensor<4x3xf32>
  check.expect_almost_eq_const %y3, dense<[[-7.645818e-10, -7.024595e-05, 0.7079526805384551], [6.999999999999997, 0.34571400982514394, -0.100324649298315], [1.954597694087775, 2.996362607918227, -0.167047319461545], [0x7FC00000, 0x7FC00000, 0x7FC00000]]> : tensor<4x3xf32> {tolerance = 2.0e-6 : f64}

  // y^T d, and the sums of d
  %d = stablehlo.constant dense<[[1.5, -2.0, 0.1], [0.25, 3.0, 0.2], [-4.0, 1.0, 0.3], [0.125, 0.5, 0.4]]> : tensor<4x3xf32>
  %y = stablehlo.constant dense<[[1.0, 2.0], [-1.0, 0.5], [2.0, 1.0], [0.25, -4.0]]> : tensor<4x2xf32>
  %sum = stablehlo.constant dense<0.0> : tensor<f32>
  %dw = stablehlo.dot_general %y, %d, contracting_dims = [0] x [0] : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %db = stablehlo.reduce(%d init: %sum) applies stablehlo.add across dimensions = [0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_almost_eq_const %dw, dense<[[-6.71875, -2.875, 0.6], [-1.375, -3.5, -1.0]]> : tensor<2x3xf32> {tolerance = 2.0e-6 : f64}
  check.expect_almost_eq_const %db, dense<[-2.125, 2.5, 1.0]> : tensor<3xf32> {tolerance = 2.0e-6 : f64}
  return
}
