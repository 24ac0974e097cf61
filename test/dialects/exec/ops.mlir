// RUN: ps-opt %s --verify-roundtrip | FileCheck %s

ps.variable @w : tensor<8x4xf32> init(#ps.xavier_uniform)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)
func.func private @bias(tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32> attributes {exec.kernel}
func.func private @scale(tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel}
func.func private @mean(tensor<2x4xf32>) -> tensor<f32> attributes {exec.kernel}

// CHECK-LABEL: exec.program @train arena(192)
exec.program @train arena(192) {
  // CHECK: exec.feed "x" : memref<2x8xf32>
  %x = exec.feed "x" : memref<2x8xf32>
  // CHECK: exec.variable @w : memref<8x4xf32>
  %w = exec.variable @w : memref<8x4xf32>
  %b = exec.variable @b : memref<4xf32>
  // CHECK: exec.constant dense<1.000000e+00> : tensor<f32> to memref<f32>
  %one = exec.constant dense<1.0> : tensor<f32> to memref<f32>
  // CHECK: exec.buffer offset(64) : memref<2x4xf32>
  %y = exec.buffer offset(64) : memref<2x4xf32>
  %c = exec.buffer : memref<2x4xf32>
  // CHECK: exec.feed "x" worker(1) : memref<2x8xf32>
  %x1 = exec.feed "x" worker(1) : memref<2x8xf32>
  // CHECK: exec.buffer offset(128) worker(1) : memref<2x4xf32>
  %y1 = exec.buffer offset(128) worker(1) : memref<2x4xf32>
  %s = exec.buffer : memref<f32>
  // CHECK: exec.view %{{.*}} : memref<2x4xf32> to memref<8xf32>
  %flat = exec.view %y : memref<2x4xf32> to memref<8xf32>
  // CHECK: exec.gemm m(2) n(4) k(8) ins(%{{.*}}, %{{.*}} : memref<2x8xf32>, memref<8x4xf32>) outs(%{{.*}} : memref<2x4xf32>) epilogue(@bias with %{{.*}}, %{{.*}} : memref<2x4xf32>, memref<4xf32> into %{{.*}} : memref<2x4xf32>)
  %t0 = exec.gemm m(2) n(4) k(8)
    ins(%x, %w : memref<2x8xf32>, memref<8x4xf32>) outs(%c : memref<2x4xf32>)
    epilogue(@bias with %c, %b : memref<2x4xf32>, memref<4xf32> into %y : memref<2x4xf32>)
  // CHECK: exec.gemm m(8) n(4) k(2) transpose_a
  %dw = exec.buffer : memref<8x4xf32>
  %t1 = exec.gemm m(8) n(4) k(2) transpose_a
    ins(%x, %y : memref<2x8xf32>, memref<2x4xf32>) outs(%dw : memref<8x4xf32>)
    after(%t0)
  // CHECK: exec.launch @scale rows(8) ins(%{{.*}} : memref<8xf32>) outs(%{{.*}} : memref<2x4xf32>) after(%{{.*}}, %{{.*}})
  %t2 = exec.launch @scale rows(8) ins(%flat : memref<8xf32>)
    outs(%c : memref<2x4xf32>) after(%t0, %t1)
  %t3 = exec.launch @mean ins(%c : memref<2x4xf32>) outs(%s : memref<f32>) after(%t2)
  // CHECK: exec.copy %{{.*}} to %{{.*}} : memref<f32>, memref<f32>
  %t4 = exec.copy %one to %s after(%t3) : memref<f32>, memref<f32>
  // CHECK: exec.check close %{{.*}}, %{{.*}} after(%{{.*}}) : memref<f32>, memref<f32>
  %t5 = exec.check close %s, %one after(%t4) : memref<f32>, memref<f32>
  // CHECK: exec.send rows(0, 8) %{{.*}} to(@pserver_0) block("w") after(%{{.*}}) : memref<8x4xf32>
  %t6 = exec.send rows(0, 8) %dw to(@pserver_0) block("w") after(%t1) : memref<8x4xf32>
  // CHECK: exec.send_barrier to([@pserver_0]) after(%{{.*}})
  %t7 = exec.send_barrier to([@pserver_0]) after(%t6)
  // CHECK: exec.recv rows(0, 8) %{{.*}} from(@pserver_0) block("w") after(%{{.*}}) : memref<8x4xf32>
  %t8 = exec.recv rows(0, 8) %w from(@pserver_0) block("w") after(%t7) : memref<8x4xf32>
  // CHECK: exec.fetch_barrier to([@pserver_0]) after(%{{.*}})
  %t9 = exec.fetch_barrier to([@pserver_0]) after(%t8)
  // Parts that travel together, in a round.
  // CHECK: exec.send rows(0, 1) %{{.*}}, rows(2, 4) %{{.*}} to(@pserver_1) block("s", "w") round(1) after(%{{.*}}) : memref<f32>, memref<8x4xf32>
  %t10 = exec.send rows(0, 1) %s, rows(2, 4) %dw to(@pserver_1) block("s", "w") round(1) after(%t9) : memref<f32>, memref<8x4xf32>
  // CHECK: exec.send_barrier to([@pserver_1]) round(1) after(%{{.*}})
  %t11 = exec.send_barrier to([@pserver_1]) round(1) after(%t10)
  // CHECK: exec.recv rows(0, 1) %{{.*}}, rows(2, 4) %{{.*}} from(@pserver_1) block("s", "w") round(1) after(%{{.*}}) : memref<f32>, memref<8x4xf32>
  %t12 = exec.recv rows(0, 1) %s, rows(2, 4) %w from(@pserver_1) block("s", "w") round(1) after(%t11) : memref<f32>, memref<8x4xf32>
  // CHECK: exec.fetch_barrier to([@pserver_1]) round(1) after(%{{.*}})
  %t13 = exec.fetch_barrier to([@pserver_1]) round(1) after(%t12)
  // Pushes and pulls in one.
  // CHECK: exec.push_pull rows(0, 1) %{{.*}}, rows(2, 4) %{{.*}} into %{{.*}}, %{{.*}} at(@pserver_1) block("s", "w") after(%{{.*}}) : memref<f32>, memref<8x4xf32> into memref<f32>, memref<8x4xf32>
  %both = exec.push_pull rows(0, 1) %one, rows(2, 4) %dw into %s, %w at(@pserver_1) block("s", "w") after(%t13) : memref<f32>, memref<8x4xf32> into memref<f32>, memref<8x4xf32>
  // CHECK: exec.carry %{{.*}}{{$}}
  exec.carry %t11
  // CHECK: exec.carry %{{.*}} before(%{{.*}}, %{{.*}})
  exec.carry %t13 before(%t6, %t8)
  // CHECK: exec.all_reduce channel(2) ins(%{{.*}}, %{{.*}} : memref<f32>, memref<8x4xf32>) outs(%{{.*}}, %{{.*}} : memref<f32>, memref<8x4xf32>) after(%{{.*}})
  %m0 = exec.buffer : memref<f32>
  %m1 = exec.buffer : memref<8x4xf32>
  %t14 = exec.all_reduce channel(2) ins(%s, %dw : memref<f32>, memref<8x4xf32>) outs(%m0, %m1 : memref<f32>, memref<8x4xf32>) after(%t13)
  // CHECK: exec.broadcast channel(0) %{{.*}} after(%{{.*}}) : memref<8x4xf32>
  %t15 = exec.broadcast channel(0) %w after(%t14) : memref<8x4xf32>
  // A device's nodes as one, and a feed that it reads.
  // CHECK: exec.feed "x" : memref<2x8xf32, #exec.space<device>>
  %x2 = exec.feed "x" : memref<2x8xf32, #exec.space<device>>
  %e0 = exec.buffer : memref<2x8xf32, #exec.space<device>>
  %e1 = exec.buffer : memref<2x8xf32, #exec.space<device>>
  %t16 = exec.copy %x2 to %e0 : memref<2x8xf32, #exec.space<device>>, memref<2x8xf32, #exec.space<device>>
  %t17 = exec.copy %e0 to %e1 after(%t16) : memref<2x8xf32, #exec.space<device>>, memref<2x8xf32, #exec.space<device>>
  // CHECK: exec.graph %{{.*}}, %{{.*}}{{$}}
  exec.graph %t16, %t17
  // CHECK: exec.fetch "mean", %{{.*}} : memref<f32>
  exec.fetch "mean", %s : memref<f32>
}

// CHECK-LABEL: exec.program @exchange every(4) arena(0)
exec.program @exchange every(4) arena(0) {
}

// CHECK-LABEL: exec.program @largest
exec.program @largest {
  %g = exec.feed "g" : memref<8x4xf32>
  %u = exec.variable @w : memref<8x4xf32>
  %l = exec.buffer : memref<3x2xui32>
  // CHECK: exec.take_largest rows(2, 5) ins(%{{.*}} : memref<8x4xf32>) unsent(%{{.*}} : memref<8x4xf32>) outs(%{{.*}} : memref<3x2xui32>)
  %t = exec.take_largest rows(2, 5) ins(%g : memref<8x4xf32>) unsent(%u : memref<8x4xf32>) outs(%l : memref<3x2xui32>)
}
