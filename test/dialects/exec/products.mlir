// RUN: ps-opt %s --verify-roundtrip | FileCheck %s

// What a device may do beside a product.

func.func private @bias_relu(tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32> attributes {exec.kernel}
func.func private @sum(tensor<8x4xf32>) -> tensor<4xf32> attributes {exec.kernel}

// CHECK-LABEL: exec.program @products
exec.program @products {
  %x = exec.buffer : memref<8x2xf32, #exec.space<device>>
  %w = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %b = exec.buffer : memref<4xf32, #exec.space<device>>
  %c = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %y = exec.buffer : memref<8x4xf32, #exec.space<device>>
  %dw = exec.buffer : memref<2x4xf32, #exec.space<device>>
  %db = exec.buffer : memref<4xf32, #exec.space<device>>
  // CHECK: exec.gemm m(8) n(4) k(2) {{.*}} epilogue(@bias_relu with {{.*}} fused(bias_relu){{$}}
  %t0 = exec.gemm m(8) n(4) k(2) ins(%x, %w : memref<8x2xf32, #exec.space<device>>, memref<2x4xf32, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>)
    epilogue(@bias_relu with %c, %b : memref<8x4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>> into %y : memref<8x4xf32, #exec.space<device>>)
    fused(bias_relu)
  // CHECK: exec.gemm m(2) n(4) k(8) transpose_a {{.*}} bias_gradient(b by @sum into %{{.*}} : memref<4xf32, #exec.space<device>>) after(%{{.*}})
  %t1 = exec.gemm m(2) n(4) k(8) transpose_a ins(%x, %y : memref<8x2xf32, #exec.space<device>>, memref<8x4xf32, #exec.space<device>>) outs(%dw : memref<2x4xf32, #exec.space<device>>)
    bias_gradient(b by @sum into %db : memref<4xf32, #exec.space<device>>) after(%t0)
  %xh = exec.buffer : memref<8x2xbf16, #exec.space<device>>
  %wh = exec.buffer : memref<2x4xbf16, #exec.space<device>>
  // CHECK: exec.gemm m(8) n(4) k(2) ins(%{{.*}}, %{{.*}} : memref<8x2xbf16, #exec.space<device>>, memref<2x4xbf16, #exec.space<device>>) outs(%{{.*}} : memref<8x4xf32, #exec.space<device>>)
  %t2 = exec.gemm m(8) n(4) k(2) ins(%xh, %wh : memref<8x2xbf16, #exec.space<device>>, memref<2x4xbf16, #exec.space<device>>) outs(%c : memref<8x4xf32, #exec.space<device>>) after(%t1)
}
