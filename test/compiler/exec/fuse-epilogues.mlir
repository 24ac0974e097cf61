// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-fuse-epilogues))" | FileCheck %s

// What the epilogues of a device's products compute, in the forms in which
// graphs have it.

func.func private @bias(%c: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.add %c, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
// The bias first, and as JAX prints it.
func.func private @bias_first(%b: tensor<4xf32>, %c: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %0 = stablehlo.reshape %b : (tensor<4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<?x4xf32>
  %2 = stablehlo.add %1, %c : tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}
func.func private @bias_relu(%c: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.add %c, %0 : tensor<?x4xf32>
  %2 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %3 = stablehlo.maximum %1, %2 : tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}
func.func private @relu(%c: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %1 = stablehlo.maximum %0, %c : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
// jax.nn.gelu(x + b): approximate by default.
func.func private @bias_gelu(%c: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %cubic = stablehlo.constant dense<4.471500e-02> : tensor<f32>
  %root = stablehlo.constant dense<0.797884583> : tensor<f32>
  %one = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %half = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
  %x = stablehlo.add %c, %0 : tensor<?x4xf32>
  %1 = stablehlo.multiply %x, %x : tensor<?x4xf32>
  %2 = stablehlo.multiply %1, %x : tensor<?x4xf32>
  %3 = stablehlo.broadcast_in_dim %cubic, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %4 = stablehlo.multiply %3, %2 : tensor<?x4xf32>
  %5 = stablehlo.add %x, %4 : tensor<?x4xf32>
  %6 = stablehlo.broadcast_in_dim %root, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %7 = stablehlo.multiply %6, %5 : tensor<?x4xf32>
  %8 = stablehlo.tanh %7 : tensor<?x4xf32>
  %9 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %10 = stablehlo.add %9, %8 : tensor<?x4xf32>
  %11 = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %12 = stablehlo.multiply %11, %10 : tensor<?x4xf32>
  %13 = stablehlo.multiply %x, %12 : tensor<?x4xf32>
  return %13 : tensor<?x4xf32>
}
// (x / 2) (1 + tanh(..)), with the cube associated otherwise.
func.func private @gelu(%x: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %cubic = stablehlo.constant dense<4.471500e-02> : tensor<f32>
  %root = stablehlo.constant dense<0.797884583> : tensor<f32>
  %one = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %half = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cubic, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %1 = stablehlo.multiply %0, %x : tensor<?x4xf32>
  %2 = stablehlo.multiply %1, %x : tensor<?x4xf32>
  %3 = stablehlo.multiply %2, %x : tensor<?x4xf32>
  %4 = stablehlo.add %3, %x : tensor<?x4xf32>
  %5 = stablehlo.broadcast_in_dim %root, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %6 = stablehlo.multiply %4, %5 : tensor<?x4xf32>
  %7 = stablehlo.tanh %6 : tensor<?x4xf32>
  %8 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %9 = stablehlo.add %7, %8 : tensor<?x4xf32>
  %10 = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %11 = stablehlo.multiply %x, %10 : tensor<?x4xf32>
  %12 = stablehlo.multiply %11, %9 : tensor<?x4xf32>
  return %12 : tensor<?x4xf32>
}

// CHECK-LABEL: exec.program @recognized
// CHECK: exec.gemm {{.*}} epilogue(@bias with {{.*}} fused(bias){{$}}
// CHECK: exec.gemm {{.*}} epilogue(@bias_first with {{.*}} fused(bias){{$}}
// CHECK: exec.gemm {{.*}} epilogue(@bias_relu with {{.*}} fused(bias_relu){{$}}
// CHECK: exec.gemm {{.*}} epilogue(@relu with {{.*}} fused(relu){{$}}
// CHECK: exec.gemm {{.*}} epilogue(@bias_gelu with {{.*}} fused(bias_gelu){{$}}
// CHECK: exec.gemm {{.*}} epilogue(@gelu with {{.*}} fused(gelu){{$}}
exec.program @recognized {
  %x = exec.buffer : memref<2x8xf32, #exec.space<device>>
  %w = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %b = exec.buffer : memref<4xf32, #exec.space<device>>
  %c0 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c1 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c2 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c3 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c4 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c5 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %y = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %t0 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c0 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@bias with %c0, %b : memref<2x4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t1 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c1 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@bias_first with %b, %c1 : memref<4xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t2 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c2 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@bias_relu with %c2, %b : memref<2x4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t3 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c3 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@relu with %c3 : memref<2x4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t4 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c4 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@bias_gelu with %c4, %b : memref<2x4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t5 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c5 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@gelu with %c5 : memref<2x4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
}

// -----

// What is close to it, but not the same.

// A select makes 0 of NaN.
func.func private @select(%c: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %1 = stablehlo.compare GT, %c, %0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
  %2 = stablehlo.select %1, %c, %0 : tensor<?x4xi1>, tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}
func.func private @maximum_with_one(%c: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %1 = stablehlo.maximum %c, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
// A bias per row.
func.func private @column(%c: tensor<?x4xf32>, %b: tensor<?xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.add %c, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
// A number for all.
func.func private @scalar(%c: tensor<?x4xf32>, %b: tensor<f32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %1 = stablehlo.add %c, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
// A residual.
func.func private @matrix(%c: tensor<?x4xf32>, %r: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %0 = stablehlo.add %c, %r : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
// The bias comes after the maximum.
func.func private @relu_bias(%c: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %1 = stablehlo.maximum %c, %0 : tensor<?x4xf32>
  %2 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
  %3 = stablehlo.add %1, %2 : tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}
// The sum before the maximum is a result, too.
func.func private @both(%c: tensor<?x4xf32>, %b: tensor<4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.add %c, %0 : tensor<?x4xf32>
  %2 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %3 = stablehlo.maximum %1, %2 : tensor<?x4xf32>
  return %1, %3 : tensor<?x4xf32>, tensor<?x4xf32>
}
// x / 2 (1 + tanh(x)).
func.func private @other_gelu(%x: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %one = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %half = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<?x4xf32>
  %1 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<?x4xf32>
  %3 = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %4 = stablehlo.multiply %x, %3 : tensor<?x4xf32>
  %5 = stablehlo.multiply %4, %2 : tensor<?x4xf32>
  return %5 : tensor<?x4xf32>
}

// CHECK-LABEL: exec.program @refused
// CHECK-NOT: fused
// CHECK-COUNT-8: exec.gemm
// CHECK-NOT: fused
exec.program @refused {
  %x = exec.buffer : memref<2x8xf32, #exec.space<device>>
  %w = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %b = exec.buffer : memref<4xf32, #exec.space<device>>
  %r = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %s = exec.buffer : memref<f32, #exec.space<device>>
  %v = exec.buffer : memref<2xf32, #exec.space<device>>
  %y = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %z = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c0 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c1 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c2 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c3 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c4 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c5 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c6 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %c7 = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %t0 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c0 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@select with %c0 : memref<2x4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t1 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c1 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@maximum_with_one with %c1 : memref<2x4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t2 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c2 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@column with %c2, %v : memref<2x4xf32, #exec.space<device>>, memref<2xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t3 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c3 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@scalar with %c3, %s : memref<2x4xf32, #exec.space<device>>, memref<f32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t4 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c4 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@matrix with %c4, %r : memref<2x4xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t5 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c5 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@relu_bias with %c5, %b : memref<2x4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t6 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c6 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@both with %c6, %b : memref<2x4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>> into %y, %z : memref<2x4xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>)
  %t7 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c7 : memref<2x4xf32, #exec.space<device>>)
    epilogue(@other_gelu with %c7 : memref<2x4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
}

// -----

func.func private @relu(%c: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %1 = stablehlo.maximum %c, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// A kernel that reads the product needs it; a product of the host stays.

// CHECK-LABEL: exec.program @product_is_read
// CHECK-NOT: fused
exec.program @product_is_read {
  %x = exec.buffer : memref<2x8xf32, #exec.space<device>>
  %w = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %c = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %flat = exec.view %c : memref<2x4xf32, #exec.space<device>> to memref<8xf32, #exec.space<device>>
  %y = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %z = exec.buffer : memref<8xf32, #exec.space<device>>
  %t0 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%c : memref<2x4xf32, #exec.space<device>>)
    epilogue(@relu with %c : memref<2x4xf32, #exec.space<device>> into %y : memref<2x4xf32, #exec.space<device>>)
  %t1 = exec.copy %flat to %z : memref<8xf32, #exec.space<device>>, memref<8xf32, #exec.space<device>>
}

// CHECK-LABEL: exec.program @host
// CHECK-NOT: fused
exec.program @host {
  %x = exec.buffer : memref<2x8xf32>
  %w = exec.buffer : memref<8x4xf32>
  %c = exec.buffer : memref<2x4xf32>
  %y = exec.buffer : memref<2x4xf32>
  %t0 = exec.gemm m(2) n(4) k(8) ins(%x, %w : memref<2x8xf32>, memref<8x4xf32>) outs(%c : memref<2x4xf32>)
    epilogue(@relu with %c : memref<2x4xf32> into %y : memref<2x4xf32>)
}

// -----

func.func private @sum(%d: tensor<8x4xf32>) -> tensor<4xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @update(%p: tensor<?xf32>, %g: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %0 = stablehlo.subtract %p, %g : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The gradient of a bias is summed beside that of the weights. What depends on
// it comes after the product.

// CHECK-LABEL: exec.program @sums_of_b
// CHECK-NOT: exec.launch
// CHECK: exec.gemm m(2) n(4) k(8) transpose_a {{.*}} bias_gradient(b by @sum into %[[SUMS:.*]] : memref<4xf32, #exec.space<device>>)
// CHECK: exec.launch @update rows(4) ins(%{{.*}}, %[[SUMS]] :
// CHECK-NOT: exec.launch
exec.program @sums_of_b {
  %x = exec.buffer : memref<8x2xf32, #exec.space<device>>
  %d = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %b = exec.buffer : memref<4xf32, #exec.space<device>>
  %db = exec.buffer : memref<4xf32, #exec.space<device>>
  %t0 = exec.launch @sum ins(%d : memref<8x4xf32, #exec.space<device>>) outs(%db : memref<4xf32, #exec.space<device>>)
  %t1 = exec.launch @update rows(4) ins(%b, %db : memref<4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>>) outs(%b : memref<4xf32, #exec.space<device>>)
  %dw = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %t2 = exec.gemm m(2) n(4) k(8) transpose_a ins(%x, %d : memref<8x2xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%dw : memref<2x4xf32, #exec.space<device>>)
}

// The sum comes after the product, and its memory is declared there.

// CHECK-LABEL: exec.program @sums_of_a
// CHECK: exec.gemm m(4) n(2) k(8) transpose_a {{.*}} bias_gradient(a by @sum into
// CHECK-NOT: exec.launch
exec.program @sums_of_a {
  %x = exec.buffer : memref<8x2xf32, #exec.space<device>>
  %d = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %dw = exec.buffer : memref<4x2xf32, #exec.space<device>>
  %t0 = exec.gemm m(4) n(2) k(8) transpose_a ins(%d, %x : memref<8x4xf32, #exec.space<device>>, memref<8x2xf32, #exec.space<device>>) outs(%dw : memref<4x2xf32, #exec.space<device>>)
  %db = exec.buffer : memref<4xf32, #exec.space<device>>
  %t1 = exec.launch @sum ins(%d : memref<8x4xf32, #exec.space<device>>) outs(%db : memref<4xf32, #exec.space<device>>)
}

// Sums over another dimension than k: of the weights of a product.

// CHECK-LABEL: exec.program @not_over_k
// CHECK: exec.launch @sum
// CHECK-NOT: bias_gradient
exec.program @not_over_k {
  %x = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %d = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %y = exec.buffer : memref<2x8xf32, #exec.space<device>>
  %db = exec.buffer : memref<4xf32, #exec.space<device>>
  %t0 = exec.launch @sum ins(%d : memref<8x4xf32, #exec.space<device>>) outs(%db : memref<4xf32, #exec.space<device>>)
  %t1 = exec.gemm m(2) n(8) k(4) transpose_b ins(%x, %d : memref<2x4xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%y : memref<2x8xf32, #exec.space<device>>)
}

// The product needs what depends on the sum, or a copy to the host does not
// wait for the product.

// CHECK-LABEL: exec.program @needs_the_sum
// CHECK: exec.launch @sum
// CHECK-NOT: bias_gradient
exec.program @needs_the_sum {
  %x = exec.buffer : memref<8x2xf32, #exec.space<device>>
  %d = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %db = exec.buffer : memref<4xf32, #exec.space<device>>
  %p = exec.view %d : memref<8x4xf32, #exec.space<device>> to memref<32xf32, #exec.space<device>>
  %t0 = exec.launch @sum ins(%d : memref<8x4xf32, #exec.space<device>>) outs(%db : memref<4xf32, #exec.space<device>>)
  %t1 = exec.launch @update rows(4) ins(%db, %db : memref<4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>>) outs(%db : memref<4xf32, #exec.space<device>>)
  %t2 = exec.launch @update rows(32) ins(%p, %p : memref<32xf32, #exec.space<device>>, memref<32xf32, #exec.space<device>>) outs(%p : memref<32xf32, #exec.space<device>>)
  %dw = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %t3 = exec.gemm m(2) n(4) k(8) transpose_a ins(%x, %d : memref<8x2xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%dw : memref<2x4xf32, #exec.space<device>>)
}

// CHECK-LABEL: exec.program @leaves_the_device
// CHECK: exec.launch @sum
// CHECK-NOT: bias_gradient
exec.program @leaves_the_device {
  %x = exec.buffer : memref<8x2xf32, #exec.space<device>>
  %d = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %db = exec.buffer : memref<4xf32, #exec.space<device>>
  %host = exec.buffer : memref<4xf32>
  %t0 = exec.launch @sum ins(%d : memref<8x4xf32, #exec.space<device>>) outs(%db : memref<4xf32, #exec.space<device>>)
  %t1 = exec.copy %db to %host : memref<4xf32, #exec.space<device>>, memref<4xf32>
  %dw = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %t2 = exec.gemm m(2) n(4) k(8) transpose_a ins(%x, %d : memref<8x2xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%dw : memref<2x4xf32, #exec.space<device>>)
}
