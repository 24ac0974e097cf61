// RUN: ps-opt %s --split-input-file --ps-flatten-kernels | FileCheck %s

// Elementwise kernels over any shape become one over vectors, launched on the
// elements; scalars stay.

// CHECK-LABEL: exec.program @elementwise
exec.program @elementwise {
  %a = exec.feed "a" : memref<6x4xf32>
  %b = exec.feed "b" : memref<3x5x2xf32>
  %s = exec.feed "s" : memref<f32>
  %c = exec.buffer : memref<6x4xf32>
  %d = exec.buffer : memref<3x5x2xf32>
  // CHECK: exec.launch @[[K:.*]] rows(24) ins(
  %t0 = exec.launch @scale_2d rows(6) ins(%a, %s : memref<6x4xf32>, memref<f32>) outs(%c : memref<6x4xf32>)
  // CHECK: exec.launch @[[K]] rows(30) ins(
  %t1 = exec.launch @scale_3d rows(3) ins(%b, %s : memref<3x5x2xf32>, memref<f32>) outs(%d : memref<3x5x2xf32>)
}
// CHECK-NOT: func.func private @scale_
// CHECK: func.func private @[[K]](%arg0: tensor<?xf32>, %arg1: tensor<f32>) -> tensor<?xf32> attributes {exec.kernel}
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<?xf32>
func.func private @scale_2d(%x: tensor<?x4xf32>, %s: tensor<f32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func private @scale_3d(%x: tensor<?x5x2xf32>, %s: tensor<f32>) -> tensor<?x5x2xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<?x5x2xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<?x5x2xf32>
  return %1 : tensor<?x5x2xf32>
}

// -----

// What depends on the column keeps its shape: a bias, an iota, a reduction.

// CHECK-LABEL: exec.program @by_column
exec.program @by_column {
  %a = exec.feed "a" : memref<6x4xf32>
  %b = exec.feed "b" : memref<4xf32>
  %c = exec.buffer : memref<6x4xf32>
  %r = exec.buffer : memref<6xf32>
  // CHECK: exec.launch @bias rows(6)
  %t0 = exec.launch @bias rows(6) ins(%a, %b : memref<6x4xf32>, memref<4xf32>) outs(%c : memref<6x4xf32>)
  // CHECK: exec.launch @iota rows(6)
  %t1 = exec.launch @iota rows(6) ins(%a : memref<6x4xf32>) outs(%c : memref<6x4xf32>) after(%t0)
  // CHECK: exec.launch @reduce rows(6)
  %t2 = exec.launch @reduce rows(6) ins(%a : memref<6x4xf32>) outs(%r : memref<6xf32>)
}
func.func private @bias(%x: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.add %x, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func private @iota(%x: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %0 = stablehlo.iota dim = 1 : tensor<?x4xf32>
  %1 = stablehlo.add %x, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func private @reduce(%x: tensor<?x4xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// An epilogue works on its product's rows. A kernel that nobody runs goes.

// CHECK-LABEL: exec.program @epilogue
exec.program @epilogue {
  %x = exec.feed "x" : memref<4x4xf32>
  %c = exec.buffer : memref<4x4xf32>
  %d = exec.buffer : memref<4x4xf32>
  // CHECK: epilogue(@negate with
  %t0 = exec.gemm m(4) n(4) k(4) ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
    epilogue(@negate with %c : memref<4x4xf32> into %d : memref<4x4xf32>)
}
// CHECK: func.func private @negate(%arg0: tensor<?x4xf32>)
func.func private @negate(%x: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %0 = stablehlo.negate %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
// CHECK-NOT: @unused
func.func private @unused(%x: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %0 = stablehlo.abs %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// A kernel without a body may stand for any.

// CHECK-LABEL: exec.program @declaration
exec.program @declaration {
  %x = exec.feed "x" : memref<4x4xf32>
  %c = exec.buffer : memref<4x4xf32>
  // CHECK: exec.launch @k rows(4)
  %t0 = exec.launch @k rows(4) ins(%x : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
}
// CHECK: func.func private @k
func.func private @k(tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel}
