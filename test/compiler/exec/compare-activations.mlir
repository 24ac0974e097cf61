// RUN: ps-opt %s --pass-pipeline="builtin.module(func.func(ps-compare-activations))" | FileCheck %s
// RUN: ps-opt %s --pass-pipeline="builtin.module(func.func(ps-compare-activations),ps-outline-kernels{device=true})" | FileCheck %s --check-prefix=KERNELS
// RUN: ps-opt %s --pass-pipeline="builtin.module(func.func(ps-compare-activations),ps-outline-kernels)" | FileCheck %s --check-prefix=HOST

// The gradient of relu asks of relu(x), and x is read by nothing else. On a
// device, the kernel after the product has the one result.

// CHECK-LABEL: func.func @relu
// CHECK: %[[RELU:.*]] = stablehlo.maximum
// CHECK: stablehlo.compare GT, %[[RELU]],

// KERNELS-LABEL: func.func @relu
// KERNELS: stablehlo.dot_general
// KERNELS: %[[RELU:.*]] = exec.call @maximum_{{.*}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
// KERNELS: stablehlo.dot_general
// KERNELS: exec.call @compare_select_{{.*}}(%[[RELU]], {{.*}} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>

// HOST-LABEL: func.func @relu
// HOST: exec.call @maximum_compare_{{.*}} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xi1>)
func.func @relu(%a: tensor<8x2xf32>, %w: tensor<2x4xf32>, %v: tensor<4x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %x = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  %relu = stablehlo.maximum %x, %zero : tensor<8x4xf32>
  %positive = stablehlo.compare GT, %x, %zero : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
  %g = stablehlo.dot_general %relu, %v, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %dx = stablehlo.select %positive, %g, %zero : tensor<8x4xi1>, tensor<8x4xf32>
  return %relu, %dx : tensor<8x4xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @below
// CHECK: %[[RELU:.*]] = stablehlo.maximum
// CHECK: stablehlo.compare LT, %{{.*}}, %[[RELU]] :
func.func @below(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %relu = stablehlo.maximum %zero, %x : tensor<4xf32>
  %positive = stablehlo.compare LT, %zero, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %relu, %positive : tensor<4xf32>, tensor<4xi1>
}

// Other questions than whether x is above 0 have other answers, the total order
// says that NaN is, and x that is read anyway may be asked itself.

// CHECK-LABEL: func.func @others
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>, %[[Z:.*]]: tensor<4xf32>
// CHECK: stablehlo.compare GE, %[[X]],
// CHECK: stablehlo.compare GT, %[[Y]], %{{.*}}, TOTALORDER
// CHECK: stablehlo.compare GT, %[[Z]],
func.func @others(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %a = stablehlo.maximum %x, %zero : tensor<4xf32>
  %b = stablehlo.maximum %y, %zero : tensor<4xf32>
  %c = stablehlo.maximum %z, %zero : tensor<4xf32>
  %0 = stablehlo.compare GE, %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare GT, %y, %zero, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare GT, %z, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = stablehlo.negate %z : tensor<4xf32>
  return %a, %b, %c, %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>
}
