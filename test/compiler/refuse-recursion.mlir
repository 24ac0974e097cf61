// RUN: ps-opt %s --split-input-file --ps-refuse-recursion --verify-diagnostics
// RUN: not ps-opt %s --split-input-file --ps-compile 2>&1 | FileCheck %s
// RUN: not ps-opt %s --split-input-file --ps-transpile="pservers=a:1" 2>&1 | FileCheck %s

// CHECK: error: '@itself' is recursive
// CHECK: error: '@one' is recursive

// expected-error@+1 {{'@itself' is recursive: calls are inlined}}
func.func private @itself(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @itself(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @itself(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error@+1 {{'@one' is recursive: calls are inlined}}
func.func @one(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @other(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-note@+1 {{by way of '@other'}}
func.func @other(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @one(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Calling one twice is fine.
func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @calls(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @twice(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @twice(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
