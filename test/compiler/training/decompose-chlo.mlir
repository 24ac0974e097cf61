// RUN: ps-opt %s --ps-decompose-chlo --canonicalize --cse --split-input-file | FileCheck %s
// RUN: ps-opt %s --ps-differentiate --split-input-file | FileCheck %s --check-prefix=GRADIENT

// CHECK-LABEL: @square
// CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %arg0, %arg0 : tensor<?xi32>
// CHECK-NEXT: return %[[Y]]
func.func @square(%x: tensor<?xi32>) -> tensor<?xi32> {
  %0 = chlo.square %x : tensor<?xi32> -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// Sixteen bits compute in f32.
// CHECK-LABEL: @narrow
// CHECK: %[[X:.*]] = stablehlo.convert %arg0 : (tensor<?xbf16>) -> tensor<?xf32>
// CHECK-NOT: bf16
// CHECK: stablehlo.convert %{{.*}} : (tensor<?xf32>) -> tensor<?xbf16>
// CHECK-NEXT: return
func.func @narrow(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = chlo.erf %x : tensor<?xbf16> -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

// -----

// The gamma functions compute in f64.
// CHECK-LABEL: @gamma
// CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xf64>
// CHECK: stablehlo.convert %{{.*}} : (tensor<2xf64>) -> tensor<2xf32>
// CHECK-NEXT: return
func.func @gamma(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.lgamma %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// The derivative is that of the function, not of its approximation.
// GRADIENT-LABEL: @derivative
// GRADIENT: chlo.erf
// GRADIENT: %[[E:.*]] = stablehlo.exponential
// GRADIENT: %[[S:.*]] = stablehlo.multiply %{{.*}}, %[[E]]
// GRADIENT: stablehlo.multiply %{{.*}}, %[[S]]
// GRADIENT: ps.apply @w
ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @derivative() {
  %w = ps.read @w : tensor<f32>
  %0 = chlo.erf %w : tensor<f32> -> tensor<f32>
  ps.minimize %0 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}
