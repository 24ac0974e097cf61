// RUN: ps-opt %s --canonicalize --split-input-file | FileCheck %s

// Each function returns what its op simplifies to, or the op where it must stay.

// CHECK-LABEL: func @neutral_integers
// CHECK-SAME: (%[[A:.*]]: tensor<2xi32>
// CHECK-NEXT: return %[[A]], %[[A]], %[[A]], %[[A]], %[[A]]
func.func @neutral_integers(%a: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %c0 = stablehlo.constant dense<0> : tensor<2xi32>
  %c1 = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = stablehlo.add %c0, %a : tensor<2xi32>
  %1 = stablehlo.subtract %a, %c0 : tensor<2xi32>
  %2 = stablehlo.multiply %c1, %a : tensor<2xi32>
  %3 = stablehlo.divide %a, %c1 : tensor<2xi32>
  %4 = stablehlo.negate %a : tensor<2xi32>
  %5 = stablehlo.negate %4 : tensor<2xi32>
  return %0, %1, %2, %3, %5 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func @neutral_floats
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>
// CHECK-NEXT: return %[[A]], %[[A]], %[[A]], %[[A]]
func.func @neutral_floats(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %pos = stablehlo.constant dense<0.0> : tensor<2xf32>
  %neg = stablehlo.constant dense<-0.0> : tensor<2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.add %a, %neg : tensor<2xf32>
  %1 = stablehlo.subtract %a, %pos : tensor<2xf32>
  %2 = stablehlo.multiply %a, %one : tensor<2xf32>
  %3 = stablehlo.divide %a, %one : tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// -0.0 + 0.0 is 0.0, and -0.0 - -0.0 is 0.0.
// CHECK-LABEL: func @zero_is_not_neutral
// CHECK: stablehlo.add
// CHECK: stablehlo.subtract
func.func @zero_is_not_neutral(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %pos = stablehlo.constant dense<0.0> : tensor<2xf32>
  %neg = stablehlo.constant dense<-0.0> : tensor<2xf32>
  %0 = stablehlo.add %a, %pos : tensor<2xf32>
  %1 = stablehlo.subtract %a, %neg : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func @batch_type_stays
// CHECK: stablehlo.add
func.func @batch_type_stays(%a: tensor<?xi32>) -> tensor<2xi32> {
  %c0 = stablehlo.constant dense<0> : tensor<2xi32>
  %0 = stablehlo.add %a, %c0 : (tensor<?xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK-LABEL: func @idempotent
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>, %[[P:.*]]: tensor<2xi1>)
// CHECK-NEXT: return %[[A]], %[[A]], %[[P]], %[[P]], %[[P]]
func.func @idempotent(%a: tensor<2xf32>, %p: tensor<2xi1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  %0 = stablehlo.maximum %a, %a : tensor<2xf32>
  %1 = stablehlo.minimum %a, %a : tensor<2xf32>
  %2 = stablehlo.and %p, %p : tensor<2xi1>
  %3 = stablehlo.or %p, %p : tensor<2xi1>
  %4 = stablehlo.not %p : tensor<2xi1>
  %5 = stablehlo.not %4 : tensor<2xi1>
  return %0, %1, %2, %3, %5 : tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}

// -----

// CHECK-LABEL: func @select
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<2xf32>, %[[P:.*]]: tensor<2xi1>)
// CHECK-NEXT: return %[[A]], %[[B]], %[[A]]
func.func @select(%a: tensor<2xf32>, %b: tensor<2xf32>, %p: tensor<2xi1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %t = stablehlo.constant dense<true> : tensor<i1>
  %f = stablehlo.constant dense<false> : tensor<2xi1>
  %0 = stablehlo.select %t, %a, %b : tensor<i1>, tensor<2xf32>
  %1 = stablehlo.select %f, %a, %b : tensor<2xi1>, tensor<2xf32>
  %2 = stablehlo.select %p, %a, %a : tensor<2xi1>, tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func @convert_nothing
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>)
// CHECK-NEXT: return %[[A]]
func.func @convert_nothing(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.convert %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @convert_constants
// CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<1.000980e-01> : tensor<bf16>
// CHECK-DAG: %[[MAX:.*]] = stablehlo.constant dense<127> : tensor<i8>
// CHECK-DAG: %[[NAN:.*]] = stablehlo.constant dense<0> : tensor<i8>
// CHECK-DAG: %[[U:.*]] = stablehlo.constant dense<0> : tensor<ui8>
// CHECK-DAG: %[[BOOL:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-DAG: %[[NEG:.*]] = stablehlo.constant dense<-1> : tensor<i64>
// CHECK-DAG: %[[POS:.*]] = stablehlo.constant dense<255> : tensor<i64>
// CHECK-DAG: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[BIG:.*]] = stablehlo.constant dense<1.84467441E+19> : tensor<f32>
// CHECK: return %[[F]], %[[MAX]], %[[NAN]], %[[U]], %[[BOOL]], %[[NEG]], %[[POS]], %[[ONE]], %[[BIG]]
func.func @convert_constants() -> (tensor<bf16>, tensor<i8>, tensor<i8>, tensor<ui8>, tensor<i1>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) {
  %a = stablehlo.constant dense<0.1> : tensor<f64>
  %b = stablehlo.constant dense<1.0e9> : tensor<f32>
  %c = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %d = stablehlo.constant dense<-3.5> : tensor<f32>
  %e = stablehlo.constant dense<-1> : tensor<i8>
  %f = stablehlo.constant dense<255> : tensor<ui8>
  %g = stablehlo.constant dense<true> : tensor<i1>
  %h = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %0 = stablehlo.convert %a : (tensor<f64>) -> tensor<bf16>
  %1 = stablehlo.convert %b : (tensor<f32>) -> tensor<i8>
  %2 = stablehlo.convert %c : (tensor<f32>) -> tensor<i8>
  %3 = stablehlo.convert %d : (tensor<f32>) -> tensor<ui8>
  %4 = stablehlo.convert %c : (tensor<f32>) -> tensor<i1>
  %5 = stablehlo.convert %e : (tensor<i8>) -> tensor<i64>
  %6 = stablehlo.convert %f : (tensor<ui8>) -> tensor<i64>
  %7 = stablehlo.convert %g : (tensor<i1>) -> tensor<f32>
  %8 = stablehlo.convert %h : (tensor<ui64>) -> tensor<f32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<bf16>, tensor<i8>, tensor<i8>, tensor<ui8>, tensor<i1>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>
}

// -----

// CHECK-LABEL: func @identities
// CHECK-SAME: (%[[A:.*]]: tensor<2x3xf32>, %[[X:.*]]: tensor<?x3xf32>)
// CHECK-NEXT: return %[[A]], %[[A]], %[[A]], %[[A]], %[[A]], %[[A]], %[[X]], %[[A]]
func.func @identities(%a: tensor<2x3xf32>, %x: tensor<?x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<?x3xf32>, tensor<2x3xf32>) {
  %s = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.transpose %a, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.reverse %a, dims = [] : tensor<2x3xf32>
  %4 = stablehlo.slice %a [0:2, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = stablehlo.pad %a, %s, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %6 = stablehlo.slice %x [0:?, 0:3] : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %7 = stablehlo.concatenate %a, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<?x3xf32>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func @not_identities
// CHECK: stablehlo.transpose
// CHECK: stablehlo.reverse
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [1, 0]
// CHECK: stablehlo.slice
func.func @not_identities(%a: tensor<2x2xf32>, %x: tensor<?x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<?x2xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.reverse %a, dims = [0] : tensor<2x2xf32>
  %2 = stablehlo.broadcast_in_dim %a, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = stablehlo.slice %x [2:4, 0:2] : (tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0, %1, %2, %3 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func @chains
// CHECK-SAME: (%[[A:.*]]: tensor<2x3x4xf32>, %[[V:.*]]: tensor<3xf32>)
// CHECK-DAG: %[[T:.*]] = stablehlo.transpose %[[A]], dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-DAG: %[[R:.*]] = stablehlo.reshape %[[A]] : (tensor<2x3x4xf32>) -> tensor<24xf32>
// CHECK-DAG: %[[B:.*]] = stablehlo.broadcast_in_dim %[[V]], dims = [2] : (tensor<3xf32>) -> tensor<5x2x3xf32>
// CHECK: return %[[T]], %[[R]], %[[B]]
func.func @chains(%a: tensor<2x3x4xf32>, %v: tensor<3xf32>) -> (tensor<4x2x3xf32>, tensor<24xf32>, tensor<5x2x3xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  %2 = stablehlo.reshape %a : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %3 = stablehlo.reshape %2 : (tensor<6x4xf32>) -> tensor<24xf32>
  %4 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<5x2x3xf32>
  return %1, %3, %5 : tensor<4x2x3xf32>, tensor<24xf32>, tensor<5x2x3xf32>
}

// -----

// CHECK-LABEL: func @constants
// CHECK-DAG: %[[SIZE:.*]] = stablehlo.constant dense<3> : tensor<i32>
// CHECK-DAG: %[[R:.*]] = stablehlo.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK: return %[[SIZE]], %[[R]]
func.func @constants(%x: tensor<?x3xf32>) -> (tensor<i32>, tensor<2x2xi32>) {
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x3xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %1 = stablehlo.reshape %c : (tensor<4xi32>) -> tensor<2x2xi32>
  return %0, %1 : tensor<i32>, tensor<2x2xi32>
}

// -----

// The batch size is not known, and a broadcast constant stays small.
// CHECK-LABEL: func @stays
// CHECK: stablehlo.get_dimension_size
// CHECK: stablehlo.broadcast_in_dim
func.func @stays(%x: tensor<?x3xf32>) -> (tensor<i32>, tensor<512x512xf32>) {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
  return %0, %1 : tensor<i32>, tensor<512x512xf32>
}

// -----

// Ops without users go, but for checks.
// CHECK-LABEL: func @effects
// CHECK-NEXT: stablehlo.custom_call @check.expect_eq
// CHECK-NEXT: check.expect_eq
// CHECK-NEXT: return
func.func @effects(%a: tensor<2xf32>, %s: tensor<f32>) {
  %0 = stablehlo.divide %a, %a : tensor<2xf32>
  %1 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  stablehlo.custom_call @check.expect_eq(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> ()
  check.expect_eq %a, %a : tensor<2xf32>
  return
}

// -----

// A constant in a body stays there: the body sees only its arguments.
// CHECK-LABEL: func @constant_in_body
// CHECK: stablehlo.reduce
// CHECK: reducer
// CHECK-NEXT: stablehlo.constant
func.func @constant_in_body(%a: tensor<2xf32>, %s: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %s) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %1 = stablehlo.add %x, %y : tensor<f32>
    %2 = stablehlo.multiply %1, %c : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}
