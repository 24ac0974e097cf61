// RUN: not ps-opt %s --ps-test-numeric-gradient 2>&1 | FileCheck %s

// A way that does not begin at a variable.

// CHECK: :[[@LINE+3]]:8: error: 'func.call' op cannot be differentiated
func.func private @helper(tensor<f64>) -> tensor<f64>
func.func private @callee(%x: tensor<f64>) -> tensor<f64> {
  %0 = call @helper(%x) : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
// CHECK: note: on the way from here
// CHECK: note: to the loss, used here
func.func @main() {
  %x = stablehlo.constant dense<1.0> : tensor<f64>
  %0 = call @callee(%x) : (tensor<f64>) -> tensor<f64>
  return
}
