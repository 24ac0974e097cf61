// RUN: ps-opt %s --split-input-file --ps-check-calls=max-ops=10 --verify-diagnostics
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

// -----

// What calls become is limited: 2 ops and 6, and then 9 and 18.
func.func private @two(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @seven(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @two(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @two(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @seven(%x) : (tensor<f32>) -> tensor<f32>
  // expected-error@+1 {{inlining the calls of '@main' up to here makes 16 ops, but max-ops is 10: call less, raise max-ops of ps-opt, or inline with `ps-opt --inline` first}}
  %1 = call @seven(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// The ops of a function without calls are not.
func.func @long(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.negate %0 : tensor<f32>
  %2 = stablehlo.negate %1 : tensor<f32>
  %3 = stablehlo.negate %2 : tensor<f32>
  %4 = stablehlo.negate %3 : tensor<f32>
  %5 = stablehlo.negate %4 : tensor<f32>
  %6 = stablehlo.negate %5 : tensor<f32>
  %7 = stablehlo.negate %6 : tensor<f32>
  %8 = stablehlo.negate %7 : tensor<f32>
  %9 = stablehlo.negate %8 : tensor<f32>
  return %9 : tensor<f32>
}
