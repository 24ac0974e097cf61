// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-verify-exec))" --verify-diagnostics

func.func private @relu(%c: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %1 = stablehlo.maximum %c, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
ps.variable @x : tensor<8x2xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<2x4xf32> init(#ps.constant<0.0>)
exec.program @correct arena(0) device_arena(128) {
  %x = exec.variable @x : memref<8x2xf32, #exec.space<device>>
  %w = exec.variable @w : memref<2x4xf32, #exec.space<device>>
  %c = exec.buffer offset(0) : memref<8x4xf32, #exec.space<device>>
  %y = exec.buffer offset(0) : memref<8x4xf32, #exec.space<device>>
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    epilogue(@relu with %c : memref<8x4xf32, #exec.space<device>> into %y : memref<8x4xf32, #exec.space<device>>) fused(relu)
}

// -----

func.func private @negate(%c: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %0 = stablehlo.negate %c : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
ps.variable @x : tensor<8x2xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<2x4xf32> init(#ps.constant<0.0>)
exec.program @another_kernel arena(0) device_arena(128) {
  %x = exec.variable @x : memref<8x2xf32, #exec.space<device>>
  %w = exec.variable @w : memref<2x4xf32, #exec.space<device>>
  %c = exec.buffer offset(0) : memref<8x4xf32, #exec.space<device>>
  // expected-error@+1 {{kernel '@negate' does not compute 'relu' of the product}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    epilogue(@negate with %c : memref<8x4xf32, #exec.space<device>> into %c : memref<8x4xf32, #exec.space<device>>) fused(relu)
}

// -----

func.func private @largest(%d: tensor<2x4xf32>) -> tensor<4xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%d init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
ps.variable @x : tensor<8x2xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<2x4xf32> init(#ps.constant<0.0>)
exec.program @no_sum arena(0) device_arena(256) {
  %x = exec.variable @x : memref<8x2xf32, #exec.space<device>>
  %w = exec.variable @w : memref<2x4xf32, #exec.space<device>>
  %c = exec.buffer offset(0) : memref<8x4xf32, #exec.space<device>>
  %s = exec.buffer offset(128) : memref<4xf32, #exec.space<device>>
  // expected-error@+1 {{kernel '@largest' does not sum 2 rows}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    bias_gradient(b by @largest into %s : memref<4xf32, #exec.space<device>>)
}

// -----

func.func private @sum(%d: tensor<2x4xf32>) -> tensor<4xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
ps.variable @x : tensor<8x2xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<2x4xf32> init(#ps.constant<0.0>)
exec.program @in_the_way arena(0) device_arena(128) {
  %x = exec.variable @x : memref<8x2xf32, #exec.space<device>>
  %w = exec.variable @w : memref<2x4xf32, #exec.space<device>>
  %c = exec.buffer offset(0) : memref<8x4xf32, #exec.space<device>>
  %s = exec.buffer offset(64) : memref<4xf32, #exec.space<device>>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    bias_gradient(b by @sum into %s : memref<4xf32, #exec.space<device>>)
}

// -----

ps.variable @x : tensor<8x2xbf16> init(#ps.constant<0.0>)
ps.variable @w : tensor<2x4xbf16> init(#ps.constant<0.0>)
exec.program @bf16_on_host arena(128) {
  %x = exec.variable @x : memref<8x2xbf16>
  %w = exec.variable @w : memref<2x4xbf16>
  %c = exec.buffer offset(0) : memref<8x4xf32>
  // expected-error@+1 {{multiplies bf16 on a device only, found buffers of the host}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xbf16>, memref<2x4xbf16>) outs(%c : memref<8x4xf32>)
}

// -----

// The sums would be of rounded elements.

func.func private @sum(%d: tensor<2x4xbf16>) -> tensor<4xbf16> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
ps.variable @x : tensor<8x2xbf16> init(#ps.constant<0.0>)
ps.variable @w : tensor<2x4xbf16> init(#ps.constant<0.0>)
exec.program @sums_of_bf16 arena(0) device_arena(256) {
  %x = exec.variable @x : memref<8x2xbf16, #exec.space<device>>
  %w = exec.variable @w : memref<2x4xbf16, #exec.space<device>>
  %c = exec.buffer offset(0) : memref<8x4xf32, #exec.space<device>>
  %s = exec.buffer offset(128) : memref<4xbf16, #exec.space<device>>
  // expected-error@+1 {{kernel '@sum' does not sum 2 rows}}
  %t = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xbf16, #exec.space<device>>, memref<2x4xbf16, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    bias_gradient(b by @sum into %s : memref<4xbf16, #exec.space<device>>)
}
