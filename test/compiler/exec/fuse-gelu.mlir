// RUN: ps-opt %s --ps-compile="device=true" | FileCheck %s

// GELU by erf, as jax.nn.gelu(approximate=False) and PyTorch have it, is another
// function than that of tanh: up to 5e-4 apart. It stays a kernel.

// CHECK-LABEL: exec.program @by_erf
// CHECK: exec.gemm {{.*}} epilogue(@
// CHECK-NOT: fused
func.func @by_erf(%x: tensor<8x2xf32> {ps.feed = "x"}, %w: tensor<2x4xf32> {ps.feed = "w"}) -> (tensor<8x4xf32> {ps.fetch = "y"}) {
  %half = stablehlo.constant dense<0.5> : tensor<8x4xf32>
  %root = stablehlo.constant dense<0.707106769> : tensor<8x4xf32>
  %c = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  %0 = stablehlo.multiply %half, %c : tensor<8x4xf32>
  %1 = stablehlo.negate %c : tensor<8x4xf32>
  %2 = stablehlo.multiply %1, %root : tensor<8x4xf32>
  %3 = chlo.erfc %2 : tensor<8x4xf32> -> tensor<8x4xf32>
  %4 = stablehlo.multiply %0, %3 : tensor<8x4xf32>
  return %4 : tensor<8x4xf32>
}

// CHECK-LABEL: exec.program @by_logistic
// CHECK: exec.gemm {{.*}} epilogue(@
// CHECK-NOT: fused
func.func @by_logistic(%x: tensor<8x2xf32> {ps.feed = "x"}, %w: tensor<2x4xf32> {ps.feed = "w"}) -> (tensor<8x4xf32> {ps.fetch = "y"}) {
  %scale = stablehlo.constant dense<1.702> : tensor<8x4xf32>
  %c = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  %0 = stablehlo.multiply %scale, %c : tensor<8x4xf32>
  %1 = stablehlo.logistic %0 : tensor<8x4xf32>
  %2 = stablehlo.multiply %c, %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// The gradient of GELU reads what GELU was taken of: two results.

ps.variable @w : tensor<2x4xf32> init(#ps.constant<1.0>)
// CHECK-LABEL: exec.program @train
// CHECK-NOT: fused
func.func @train(%x: tensor<8x2xf32> {ps.feed = "x"}) -> (tensor<f32> {ps.fetch = "loss"}) {
  %cubic = stablehlo.constant dense<4.471500e-02> : tensor<8x4xf32>
  %root = stablehlo.constant dense<0.797884583> : tensor<8x4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8x4xf32>
  %half = stablehlo.constant dense<0.5> : tensor<8x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %w = ps.read @w : tensor<2x4xf32>
  %c = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  %0 = stablehlo.multiply %c, %c : tensor<8x4xf32>
  %1 = stablehlo.multiply %0, %c : tensor<8x4xf32>
  %2 = stablehlo.multiply %cubic, %1 : tensor<8x4xf32>
  %3 = stablehlo.add %c, %2 : tensor<8x4xf32>
  %4 = stablehlo.multiply %root, %3 : tensor<8x4xf32>
  %5 = stablehlo.tanh %4 : tensor<8x4xf32>
  %6 = stablehlo.add %one, %5 : tensor<8x4xf32>
  %7 = stablehlo.multiply %half, %6 : tensor<8x4xf32>
  %8 = stablehlo.multiply %c, %7 : tensor<8x4xf32>
  %loss = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %loss : tensor<f32>
}
