// RUN: ps-opt %s --ps-compile="batch-size=4 workers=2" | FileCheck %s
// RUN: ps-opt %s --ps-compile="batch-size=4" -o %t.none
// RUN: ps-opt %s --ps-compile="batch-size=4 workers=1" -o %t.one
// RUN: diff %t.none %t.one
// RUN: not grep worker %t.one

// Nothing lets one worker wait for the other before their gradients are merged:
// no kernel, no epilogue and no bytes are of both. Each broadcasts the bias in
// kernels of its own.
ps.variable @w : tensor<8x6xf32> init(#ps.constant<1.0>)
ps.variable @b : tensor<6xf32> init(#ps.constant<1.0>)

// CHECK-LABEL: exec.program @train
// CHECK-DAG: %[[X0:.*]] = exec.feed "x" worker(0) : memref<4x8xf32>
// CHECK-DAG: %[[X1:.*]] = exec.feed "x" worker(1) : memref<4x8xf32>
// CHECK-DAG: %[[W:.*]] = exec.variable @w
// CHECK-DAG: %[[B:.*]] = exec.variable @b
// CHECK-DAG: %[[H0:.*]] = exec.gemm m(4) n(6) k(8) ins(%[[X0]], %[[W]] : {{.*}} epilogue(@[[TANH:[a-z0-9_]*]] with %[[B]], {{[^)]*}}){{$}}
// CHECK-DAG: %[[H1:.*]] = exec.gemm m(4) n(6) k(8) ins(%[[X1]], %[[W]] : {{.*}} epilogue(@[[TANH]] with %[[B]], {{[^)]*}}){{$}}
// CHECK-DAG: %[[G0:.*]] = exec.buffer offset({{[0-9]*}}) worker(0) : memref<8x6xf32>
// CHECK-DAG: %[[G1:.*]] = exec.buffer offset({{[0-9]*}}) worker(1) : memref<8x6xf32>
// CHECK-DAG: %[[D0:.*]] = exec.gemm m(8) n(6) k(4) transpose_a ins(%[[X0]], {{.*}} outs(%[[G0]] : memref<8x6xf32>) after(%[[H0]])
// CHECK-DAG: %[[D1:.*]] = exec.gemm m(8) n(6) k(4) transpose_a ins(%[[X1]], {{.*}} outs(%[[G1]] : memref<8x6xf32>) after(%[[H1]])
// CHECK: exec.launch @{{.*}} ins(%[[G0]], %[[G1]], %[[W]] : {{.*}} outs(%[[W]] : {{.*}} after(%[[D1]], %[[D0]])
func.func @train(%x: tensor<?x8xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<8x6xf32>
  %b = ps.read @b : tensor<6xf32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x6xf32>) -> tensor<?x6xf32>
  %bias = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<6xf32>) -> tensor<?x6xf32>
  %sum = stablehlo.add %h, %bias : tensor<?x6xf32>
  %y = stablehlo.tanh %sum : tensor<?x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x6xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}
