// RUN: ps-opt %s --ps-hide-helpers | FileCheck %s
// RUN: ps-opt %s --ps-transpile="pservers=127.0.0.1:1" | FileCheck %s --check-prefix=JOB

// A function that is called, and that data cannot feed, is not run by itself.

// JOB-NOT: @main(%{{.*}}: tensor<f32>
// JOB: func.func @train
ps.variable @w : tensor<f32> init(#ps.constant<1.0>)

// CHECK: func.func private @main
func.func public @main(%w: tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  %0 = chlo.square %w : tensor<f32> -> tensor<f32>
  %1 = stablehlo.multiply %0, %x : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK: func.func @train
func.func @train(%x: tensor<f32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<f32>
  %loss = call @main(%w, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %y = call @infer(%x) : (tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// This one has all that it takes.
// CHECK: func.func @infer
func.func @infer(%x: tensor<f32> {ps.feed = "x"}) -> (tensor<f32> {ps.fetch = "y"}) {
  return %x : tensor<f32>
}

// This one is not called: ps-run reports what it lacks.
// CHECK: func.func @unused
func.func @unused(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
