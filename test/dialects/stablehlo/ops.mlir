// RUN: ps-opt %s --verify-roundtrip | FileCheck %s

// Every op in the syntax that JAX prints.

// CHECK-LABEL: func @elementwise
func.func @elementwise(%a: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return
}
