// RUN: ps-opt %s --pass-pipeline="builtin.module(func.func(ps-stablehlo-to-linalg),cse,ps-bufferize-kernels,func.func(ps-linalg-to-loops),canonicalize,cse)" | FileCheck %s

// Two reductions begin with the same zeros, which the second one overwrites:
// what the first one begins with is a copy. The zeros must be there when they
// are copied, although the second reduction needs none in memory.

// CHECK-LABEL: func.func @share_zeros
func.func @share_zeros(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {exec.kernel} {
  // CHECK: %[[ZERO:.*]] = arith.constant 0.0
  // CHECK: %[[ZEROS:.*]] = memref.alloc
  // CHECK: scf.for %[[I:.*]] =
  // CHECK-NEXT: memref.store %[[ZERO]], %[[ZEROS]][%[[I]]]
  // CHECK: %[[COPY:.*]] = memref.alloc
  // CHECK: scf.for %[[I:.*]] =
  // CHECK-NEXT: %[[VALUE:.*]] = memref.load %[[ZEROS]][%[[I]]]
  // CHECK-NEXT: memref.store %[[VALUE]], %[[COPY]][%[[I]]]
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %y = stablehlo.multiply %b, %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %c = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %z = stablehlo.add %c, %b : tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}
