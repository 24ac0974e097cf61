// RUN: not ps-opt %s --ps-compile="function=main" 2>&1 | FileCheck %s

// A loop that ends by what it computes is refused by every pipeline that reads
// a graph, in one line at its place.

// CHECK: refused-loop.mlir:[[@LINE+4]]:10: error: 'stablehlo.while' op has a number of iterations that is not known when it is compiled
// CHECK-NOT: {{error|note}}:
module @jit_while {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.while(%iterArg = %arg0) : tensor<f32>
    cond {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
      %1 = stablehlo.compare LT, %iterArg, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %iterArg, %iterArg : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }
    return %0 : tensor<f32>
  }
}
