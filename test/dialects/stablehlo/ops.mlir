// RUN: ps-opt %s --verify-roundtrip | FileCheck %s

// Every op in pretty syntax, which is printed as it was read.

// CHECK-LABEL: func @float_unary
func.func @float_unary(%a: tensor<2x?xf32>) {
  // CHECK: stablehlo.exponential %{{.*}} : tensor<2x?xf32>
  %0 = stablehlo.exponential %a : tensor<2x?xf32>
  // CHECK: stablehlo.exponential_minus_one %{{.*}} : tensor<2x?xf32>
  %1 = stablehlo.exponential_minus_one %a : tensor<2x?xf32>
  // CHECK: stablehlo.log %{{.*}} : tensor<2x?xf32>
  %2 = stablehlo.log %a : tensor<2x?xf32>
  // CHECK: stablehlo.log_plus_one %{{.*}} : tensor<2x?xf32>
  %3 = stablehlo.log_plus_one %a : tensor<2x?xf32>
  // CHECK: stablehlo.logistic %{{.*}} : tensor<2x?xf32>
  %4 = stablehlo.logistic %a : tensor<2x?xf32>
  // CHECK: stablehlo.tanh %{{.*}} : tensor<2x?xf32>
  %5 = stablehlo.tanh %a : tensor<2x?xf32>
  // CHECK: stablehlo.sqrt %{{.*}} : tensor<2x?xf32>
  %6 = stablehlo.sqrt %a : tensor<2x?xf32>
  // CHECK: stablehlo.rsqrt %{{.*}} : tensor<2x?xf32>
  %7 = stablehlo.rsqrt %a : tensor<2x?xf32>
  // CHECK: stablehlo.cbrt %{{.*}} : tensor<2x?xf32>
  %8 = stablehlo.cbrt %a : tensor<2x?xf32>
  // CHECK: stablehlo.sine %{{.*}} : tensor<2x?xf32>
  %9 = stablehlo.sine %a : tensor<2x?xf32>
  // CHECK: stablehlo.cosine %{{.*}} : tensor<2x?xf32>
  %10 = stablehlo.cosine %a : tensor<2x?xf32>
  // CHECK: stablehlo.floor %{{.*}} : tensor<2x?xf32>
  %11 = stablehlo.floor %a : tensor<2x?xf32>
  // CHECK: stablehlo.ceil %{{.*}} : tensor<2x?xf32>
  %12 = stablehlo.ceil %a : tensor<2x?xf32>
  return
}

// CHECK-LABEL: func @signed_unary
func.func @signed_unary(%a: tensor<4xf64>, %i: tensor<4xi8>) {
  // CHECK: stablehlo.negate %{{.*}} : tensor<4xf64>
  %0 = stablehlo.negate %a : tensor<4xf64>
  // CHECK: stablehlo.negate %{{.*}} : tensor<4xi8>
  %1 = stablehlo.negate %i : tensor<4xi8>
  // CHECK: stablehlo.abs %{{.*}} : tensor<4xf64>
  %2 = stablehlo.abs %a : tensor<4xf64>
  // CHECK: stablehlo.abs %{{.*}} : tensor<4xi8>
  %3 = stablehlo.abs %i : tensor<4xi8>
  // CHECK: stablehlo.sign %{{.*}} : tensor<4xf64>
  %4 = stablehlo.sign %a : tensor<4xf64>
  // CHECK: stablehlo.sign %{{.*}} : tensor<4xi8>
  %5 = stablehlo.sign %i : tensor<4xi8>
  return
}

// CHECK-LABEL: func @logic
func.func @logic(%p: tensor<4xi1>, %u: tensor<4xui16>) {
  // CHECK: stablehlo.and %{{.*}}, %{{.*}} : tensor<4xi1>
  %0 = stablehlo.and %p, %p : tensor<4xi1>
  // CHECK: stablehlo.and %{{.*}}, %{{.*}} : tensor<4xui16>
  %1 = stablehlo.and %u, %u : tensor<4xui16>
  // CHECK: stablehlo.or %{{.*}}, %{{.*}} : tensor<4xi1>
  %2 = stablehlo.or %p, %p : tensor<4xi1>
  // CHECK: stablehlo.or %{{.*}}, %{{.*}} : tensor<4xui16>
  %3 = stablehlo.or %u, %u : tensor<4xui16>
  // CHECK: stablehlo.xor %{{.*}}, %{{.*}} : tensor<4xi1>
  %4 = stablehlo.xor %p, %p : tensor<4xi1>
  // CHECK: stablehlo.xor %{{.*}}, %{{.*}} : tensor<4xui16>
  %5 = stablehlo.xor %u, %u : tensor<4xui16>
  // CHECK: stablehlo.not %{{.*}} : tensor<4xi1>
  %6 = stablehlo.not %p : tensor<4xi1>
  // CHECK: stablehlo.not %{{.*}} : tensor<4xui16>
  %7 = stablehlo.not %u : tensor<4xui16>
  return
}

// CHECK-LABEL: func @binary
func.func @binary(%a: tensor<4xbf16>, %i: tensor<4xui64>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xbf16>
  %0 = stablehlo.add %a, %a : tensor<4xbf16>
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xui64>
  %1 = stablehlo.add %i, %i : tensor<4xui64>
  // CHECK: stablehlo.subtract %{{.*}}, %{{.*}} : tensor<4xbf16>
  %2 = stablehlo.subtract %a, %a : tensor<4xbf16>
  // CHECK: stablehlo.subtract %{{.*}}, %{{.*}} : tensor<4xui64>
  %3 = stablehlo.subtract %i, %i : tensor<4xui64>
  // CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<4xbf16>
  %4 = stablehlo.multiply %a, %a : tensor<4xbf16>
  // CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<4xui64>
  %5 = stablehlo.multiply %i, %i : tensor<4xui64>
  // CHECK: stablehlo.divide %{{.*}}, %{{.*}} : tensor<4xbf16>
  %6 = stablehlo.divide %a, %a : tensor<4xbf16>
  // CHECK: stablehlo.divide %{{.*}}, %{{.*}} : tensor<4xui64>
  %7 = stablehlo.divide %i, %i : tensor<4xui64>
  // CHECK: stablehlo.remainder %{{.*}}, %{{.*}} : tensor<4xbf16>
  %8 = stablehlo.remainder %a, %a : tensor<4xbf16>
  // CHECK: stablehlo.remainder %{{.*}}, %{{.*}} : tensor<4xui64>
  %9 = stablehlo.remainder %i, %i : tensor<4xui64>
  // CHECK: stablehlo.power %{{.*}}, %{{.*}} : tensor<4xbf16>
  %10 = stablehlo.power %a, %a : tensor<4xbf16>
  // CHECK: stablehlo.power %{{.*}}, %{{.*}} : tensor<4xui64>
  %11 = stablehlo.power %i, %i : tensor<4xui64>
  // CHECK: stablehlo.maximum %{{.*}}, %{{.*}} : tensor<4xbf16>
  %12 = stablehlo.maximum %a, %a : tensor<4xbf16>
  // CHECK: stablehlo.maximum %{{.*}}, %{{.*}} : tensor<4xui64>
  %13 = stablehlo.maximum %i, %i : tensor<4xui64>
  // CHECK: stablehlo.minimum %{{.*}}, %{{.*}} : tensor<4xbf16>
  %14 = stablehlo.minimum %a, %a : tensor<4xbf16>
  // CHECK: stablehlo.minimum %{{.*}}, %{{.*}} : tensor<4xui64>
  %15 = stablehlo.minimum %i, %i : tensor<4xui64>
  return
}

// CHECK-LABEL: func @boolean_arithmetic
func.func @boolean_arithmetic(%p: tensor<4xi1>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xi1>
  %0 = stablehlo.add %p, %p : tensor<4xi1>
  // CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<4xi1>
  %1 = stablehlo.multiply %p, %p : tensor<4xi1>
  // CHECK: stablehlo.maximum %{{.*}}, %{{.*}} : tensor<4xi1>
  %2 = stablehlo.maximum %p, %p : tensor<4xi1>
  // CHECK: stablehlo.minimum %{{.*}}, %{{.*}} : tensor<4xi1>
  %3 = stablehlo.minimum %p, %p : tensor<4xi1>
  return
}

// CHECK-LABEL: func @mixed_batch
func.func @mixed_batch(%a: tensor<?x4xf32>, %b: tensor<8x4xf32>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : (tensor<?x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = stablehlo.add %a, %b : (tensor<?x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : (tensor<?x4xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.add %a, %b : (tensor<?x4xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @accuracy
func.func @accuracy(%a: tensor<4xf16>) {
  // CHECK: stablehlo.exponential %{{.*}} {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf16>
  %0 = stablehlo.exponential %a {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf16>
  // CHECK: stablehlo.log %{{.*}} {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-04, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf16>
  %1 = stablehlo.log %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-04, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf16>
  return
}

// CHECK-LABEL: func @choice
func.func @choice(%p: tensor<4xi1>, %q: tensor<i1>, %a: tensor<4xf32>, %s: tensor<f32>, %i: tensor<4xi32>, %u: tensor<4xui8>) {
  // CHECK: stablehlo.is_finite %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
  %0 = stablehlo.is_finite %a : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare LT, %a, %a, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare EQ, %{{.*}}, %{{.*}}, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare EQ, %a, %a, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare NE, %{{.*}}, %{{.*}}, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %3 = stablehlo.compare NE, %i, %i, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare GE, %{{.*}}, %{{.*}}, UNSIGNED : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  %4 = stablehlo.compare GE, %u, %u, UNSIGNED : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  // CHECK: stablehlo.compare GT, %{{.*}}, %{{.*}}, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %5 = stablehlo.compare GT, %p, %p, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: stablehlo.compare LE, %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %6 = stablehlo.compare LE, %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
  %7 = stablehlo.select %p, %a, %a : tensor<4xi1>, tensor<4xf32>
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<i1>, tensor<4xf32>
  %8 = stablehlo.select %q, %a, %a : tensor<i1>, tensor<4xf32>
  // CHECK: stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>
  %9 = stablehlo.clamp %a, %a, %a : tensor<4xf32>
  // CHECK: stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %10 = stablehlo.clamp %s, %a, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xui32>
  %11 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xui32>
  // CHECK: stablehlo.convert %{{.*}} : tensor<4xf32>
  %12 = stablehlo.convert %a : tensor<4xf32>
  return
}

// CHECK-LABEL: func @mixed_batch_choice
func.func @mixed_batch_choice(%p: tensor<?xi1>, %a: tensor<?xf32>, %b: tensor<8xf32>) {
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?xi1>, tensor<?xf32>, tensor<8xf32>) -> tensor<8xf32>
  %0 = stablehlo.select %p, %a, %b : (tensor<?xi1>, tensor<?xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// CHECK-LABEL: func @sources
func.func @sources() {
  // CHECK: stablehlo.constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %cst = stablehlo.constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  // CHECK: stablehlo.constant dense<true> : tensor<i1>
  %c = stablehlo.constant dense<true> : tensor<i1>
  // CHECK: stablehlo.constant dense<[{{\[}}-1, 2], [3, 4]]> : tensor<2x2xi64>
  %c_0 = stablehlo.constant dense<[[-1, 2], [3, 4]]> : tensor<2x2xi64>
  // CHECK: stablehlo.constant dense<> : tensor<0x3xui8>
  %c_1 = stablehlo.constant dense<> : tensor<0x3xui8>
  // CHECK: stablehlo.constant {stage = "x"} dense<2.000000e+00> : tensor<bf16>
  %cst_2 = stablehlo.constant {stage = "x"} dense<2.000000e+00> : tensor<bf16>
  // CHECK: stablehlo.iota dim = 1 : tensor<2x3xi32>
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  // CHECK: stablehlo.iota dim = 0 : tensor<?xf32>
  %1 = stablehlo.iota dim = 0 : tensor<?xf32>
  return
}

// CHECK-LABEL: func @movement
func.func @movement(%a: tensor<2x3xf32>, %v: tensor<3xf32>, %s: tensor<f32>, %x: tensor<?x26x16xf32>, %i: tensor<i32>) {
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [1] : (tensor<3xf32>) -> tensor<?x3xf32>
  %0 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<3xf32>) -> tensor<?x3xf32>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<?x26x16xf32>) -> tensor<?x416xf32>
  %2 = stablehlo.reshape %x : (tensor<?x26x16xf32>) -> tensor<?x416xf32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2x3xf32>) -> tensor<1x6x1xf32>
  %3 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<1x6x1xf32>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %4 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: stablehlo.reverse %{{.*}}, dims = [0, 1] : tensor<2x3xf32>
  %5 = stablehlo.reverse %a, dims = [0, 1] : tensor<2x3xf32>
  // CHECK: stablehlo.slice %{{.*}} [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %6 = stablehlo.slice %a [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  // CHECK: stablehlo.slice %{{.*}} [0:?, 1:2, 0:16] : (tensor<?x26x16xf32>) -> tensor<?x1x16xf32>
  %7 = stablehlo.slice %x [0:?, 1:2, 0:16] : (tensor<?x26x16xf32>) -> tensor<?x1x16xf32>
  // CHECK: stablehlo.slice %{{.*}} [] : (tensor<f32>) -> tensor<f32>
  %8 = stablehlo.slice %s [] : (tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %9 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  // CHECK: stablehlo.dynamic_slice %{{.*}}, sizes = [] : (tensor<f32>) -> tensor<f32>
  %10 = stablehlo.dynamic_slice %s, sizes = [] : (tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [1, 0], high = [1, -1], interior = [0, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  %11 = stablehlo.pad %a, %s, low = [1, 0], high = [1, -1], interior = [0, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<?x26x16xf32>, tensor<f32>) -> tensor<?x27x16xf32>
  %12 = stablehlo.pad %x, %s, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<?x26x16xf32>, tensor<f32>) -> tensor<?x27x16xf32>
  // CHECK: stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  %13 = stablehlo.concatenate %a, %a, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  // CHECK: stablehlo.concatenate %{{.*}}, dim = 0 : (tensor<3xf32>) -> tensor<3xf32>
  %14 = stablehlo.concatenate %v, dim = 0 : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: stablehlo.get_dimension_size %{{.*}}, dim = 0 : (tensor<?x26x16xf32>) -> tensor<i32>
  %15 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x26x16xf32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func @dots
func.func @dots(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %x: tensor<?x4xi8>, %w: tensor<4x5xi8>) {
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0] : (tensor<?x4xi8>, tensor<4x5xi8>) -> tensor<?x5xi32>
  %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x4xi8>, tensor<4x5xi8>) -> tensor<?x5xi32>
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0, 1] x [0, 1], precision = [HIGH, HIGHEST] : (tensor<?x4xi8>, tensor<?x4xi8>) -> tensor<i8>
  %2 = stablehlo.dot_general %x, %x, contracting_dims = [0, 1] x [0, 1], precision = [HIGH, HIGHEST] : (tensor<?x4xi8>, tensor<?x4xi8>) -> tensor<i8>
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x4x2x4x5xf32>
  %3 = stablehlo.dot_general %a, %b, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x4x2x4x5xf32>
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 3, rhs_component_count = 3, num_primitive_operations = 6, allow_imprecise_accumulation = true> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %4 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 3, rhs_component_count = 3, num_primitive_operations = 6, allow_imprecise_accumulation = true> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// CHECK-LABEL: func @reduce_short
func.func @reduce_short(%a: tensor<?x8xf32>, %s: tensor<f32>, %p: tensor<8xi1>, %q: tensor<i1>) {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  %0 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%a init: %s) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.multiply across dimensions = [] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %2 = stablehlo.reduce(%a init: %s) applies stablehlo.multiply across dimensions = [] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.or across dimensions = [0] {stage = "x"} : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
  %3 = stablehlo.reduce(%p init: %q) applies stablehlo.or across dimensions = [0] {stage = "x"} : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
  return
}

// CHECK-LABEL: func @calls
func.func @calls(%a: tensor<4xf32>, %i: tensor<4xi32>) {
  // CHECK: stablehlo.custom_call @check.expect_close(%{{.*}}, %{{.*}}) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  stablehlo.custom_call @check.expect_close(%a, %a) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  // CHECK: stablehlo.custom_call @check.expect_almost_eq(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> ()
  stablehlo.custom_call @check.expect_almost_eq(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> ()
  // CHECK: stablehlo.custom_call @check.expect_eq(%{{.*}}, %{{.*}}) {api_version = 1 : i32, backend_config = "", has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
  stablehlo.custom_call @check.expect_eq(%i, %i) {api_version = 1 : i32, backend_config = "", has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
  // CHECK: check.expect_eq %{{.*}}, %{{.*}} : tensor<4xi32>
  check.expect_eq %i, %i : tensor<4xi32>
  // CHECK: check.expect_eq_const %{{.*}}, dense<1> : tensor<4xi32>
  check.expect_eq_const %i, dense<1> : tensor<4xi32>
  // CHECK: check.expect_almost_eq %{{.*}}, %{{.*}} : tensor<4xf32>
  check.expect_almost_eq %a, %a : tensor<4xf32>
  // CHECK: check.expect_almost_eq %{{.*}}, %{{.*}}, tolerance = 1.000000e-03 : tensor<4xf32>
  check.expect_almost_eq %a, %a, tolerance = 1.000000e-03 : tensor<4xf32>
  // CHECK: check.expect_almost_eq_const %{{.*}}, dense<1.000000e+00> : tensor<4xf32>, tolerance = 1.000000e-03
  check.expect_almost_eq_const %a, dense<1.000000e+00> : tensor<4xf32>, tolerance = 1.000000e-03
  // CHECK: check.expect_close %{{.*}}, %{{.*}}, max_ulp_difference = 3 : tensor<4xf32>, tensor<4xf32>
  check.expect_close %a, %a, max_ulp_difference = 3 : tensor<4xf32>, tensor<4xf32>
  // CHECK: check.expect_close %{{.*}}, %{{.*}}, max_ulp_difference = 18446744073709551615, min_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  check.expect_close %a, %a, max_ulp_difference = 18446744073709551615, min_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  return
}

// CHECK-LABEL: func @reduce_region
func.func @reduce_region(%a: tensor<8xf32>, %i: tensor<8xi32>, %s: tensor<f32>, %t: tensor<i32>) {
  // CHECK: %[[ARGMAX:.*]]:2 = stablehlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>) (%[[I:.*]]: tensor<i32>, %[[J:.*]]: tensor<i32>) {
  // CHECK-NEXT: %[[GE:.*]] = stablehlo.compare GE, %[[A]], %[[B]], FLOAT
  // CHECK-NEXT: %[[V:.*]] = stablehlo.select %[[GE]], %[[A]], %[[B]]
  // CHECK-NEXT: %[[K:.*]] = stablehlo.select %[[GE]], %[[I]], %[[J]]
  // CHECK-NEXT: stablehlo.return %[[V]], %[[K]] : tensor<f32>, tensor<i32>
  %0:2 = stablehlo.reduce(%a init: %s), (%i init: %t) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
    %1 = stablehlo.compare GE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %x, %y : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }
  return
}

// A body whose op does not commute keeps its region.
// CHECK-LABEL: func @reduce_region_of_one_op
func.func @reduce_region_of_one_op(%a: tensor<8xf32>, %s: tensor<f32>) {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) across dimensions = [0]
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>) {
  // CHECK-NEXT: stablehlo.power %[[A]], %[[B]]
  %0 = stablehlo.reduce(%a init: %s) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %1 = stablehlo.power %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return
}

// Upstream has no pretty form of these; what is 0, empty or a default may be
// left out.

// CHECK-LABEL: func @gather
func.func @gather(%a: tensor<100x16xf32>, %i: tensor<?x1xi32>, %b: tensor<?x7xf32>, %j: tensor<?xi64>, %k: tensor<2xui8>) {
  // CHECK: "stablehlo.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<100x16xf32>, tensor<?x1xi32>) -> tensor<?x16xf32>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<100x16xf32>, tensor<?x1xi32>) -> tensor<?x16xf32>
  // CHECK: #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<?x7xf32>, tensor<?xi64>) -> tensor<?xf32>
  %1 = "stablehlo.gather"(%b, %j) {dimension_numbers = #stablehlo.gather<index_vector_dim = 1, start_index_map = [1], start_indices_batching_dims = [0], operand_batching_dims = [0], collapsed_slice_dims = [1], offset_dims = []>, slice_sizes = array<i64: 1, 1>} : (tensor<?x7xf32>, tensor<?xi64>) -> tensor<?xf32>
  // CHECK: #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1]>, slice_sizes = array<i64: 3, 4>}> : (tensor<100x16xf32>, tensor<2xui8>) -> tensor<3x4xf32>
  %2 = "stablehlo.gather"(%a, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, slice_sizes = array<i64: 3, 4>}> : (tensor<100x16xf32>, tensor<2xui8>) -> tensor<3x4xf32>
  // The whole of the batch dimension.
  // CHECK: slice_sizes = array<i64: -9223372036854775808, 1>}> : (tensor<?x7xf32>, tensor<2xui8>) -> tensor<2x?xf32>
  %3 = "stablehlo.gather"(%b, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: -9223372036854775808, 1>}> : (tensor<?x7xf32>, tensor<2xui8>) -> tensor<2x?xf32>
  return
}

// CHECK-LABEL: func @scatter
func.func @scatter(%a: tensor<100x16xf32>, %i: tensor<?x1xi32>, %u: tensor<?x16xf32>, %b: tensor<?x7xi64>, %j: tensor<?xi64>, %v: tensor<?xi64>) {
  // CHECK: "stablehlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
  // CHECK-NEXT: stablehlo.add %[[A]], %[[B]]
  // CHECK: }) : (tensor<100x16xf32>, tensor<?x1xi32>, tensor<?x16xf32>) -> tensor<100x16xf32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<100x16xf32>, tensor<?x1xi32>, tensor<?x16xf32>) -> tensor<100x16xf32>
  // CHECK: #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<i64>, %[[C:.*]]: tensor<i64>, %[[D:.*]]: tensor<i64>):
  // CHECK-NEXT: stablehlo.return %[[C]], %[[D]]
  %1:2 = "stablehlo.scatter"(%b, %b, %j, %v, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i64>, %x1: tensor<i64>, %y: tensor<i64>, %y1: tensor<i64>):
    "stablehlo.return"(%y, %y1) : (tensor<i64>, tensor<i64>) -> ()
  }) : (tensor<?x7xi64>, tensor<?x7xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> (tensor<?x7xi64>, tensor<?x7xi64>)
  return
}

// CHECK-LABEL: func @bits
func.func @bits(%a: tensor<4xui32>, %b: tensor<4xui32>) {
  // CHECK: stablehlo.shift_left %{{.*}}, %{{.*}} : tensor<4xui32>
  %0 = stablehlo.shift_left %a, %b : tensor<4xui32>
  // CHECK: stablehlo.shift_right_logical %{{.*}}, %{{.*}} : tensor<4xui32>
  %1 = stablehlo.shift_right_logical %a, %b : tensor<4xui32>
  // CHECK: stablehlo.shift_right_arithmetic %{{.*}}, %{{.*}} : tensor<4xui32>
  %2 = stablehlo.shift_right_arithmetic %a, %b : tensor<4xui32>
  // CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<4xui32>) -> tensor<4xf32>
  %3 = stablehlo.bitcast_convert %a : (tensor<4xui32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func @angles_and_rounding
func.func @angles_and_rounding(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // CHECK: stablehlo.tan %{{.*}} : tensor<?xf32>
  %0 = stablehlo.tan %a : tensor<?xf32>
  // CHECK: stablehlo.atan2 %{{.*}}, %{{.*}} : tensor<?xf32>
  %1 = stablehlo.atan2 %a, %b : tensor<?xf32>
  // CHECK: stablehlo.round_nearest_even %{{.*}} : tensor<?xf32>
  %2 = stablehlo.round_nearest_even %a : tensor<?xf32>
  // CHECK: stablehlo.round_nearest_afz %{{.*}} : tensor<?xf32>
  %3 = stablehlo.round_nearest_afz %a : tensor<?xf32>
  return
}

// CHECK-LABEL: func @barrier
func.func @barrier(%a: tensor<?xf32>, %b: tensor<i1>) {
  // CHECK: stablehlo.optimization_barrier %{{.*}}, %{{.*}} : tensor<?xf32>, tensor<i1>
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<?xf32>, tensor<i1>
  return
}

// CHECK-LABEL: func @convolutions
func.func @convolutions(%x: tensor<?x28x28x4xf32>, %w: tensor<5x5x2x6xf32>, %y: tensor<8x2x9xf32>, %k: tensor<4x2x3xf32>) {
  // CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = {{\[\[}}1, 2], [-1, 0]], lhs_dilate = [1, 2], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<?x28x28x4xf32>, tensor<5x5x2x6xf32>) -> tensor<?x14x50x6xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [-1, 0]], lhs_dilate = [1, 2], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<?x28x28x4xf32>, tensor<5x5x2x6xf32>) -> tensor<?x14x50x6xf32>
  // CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, f, 0]x[o, i, 0]->[f, 0, b], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<8x2x9xf32>, tensor<4x2x3xf32>) -> tensor<4x7x4xf32>
  %1 = stablehlo.convolution(%y, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[f, 0, b], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<8x2x9xf32>, tensor<4x2x3xf32>) -> tensor<4x7x4xf32>
  // CHECK: window = {stride = [2], reverse = [false]}
  %2 = stablehlo.convolution(%y, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {reverse = [false], stride = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x2x9xf32>, tensor<4x2x3xf32>) -> tensor<8x4x4xf32>
  return
}

// The gradient of a kernel sums over the batch.
// CHECK-LABEL: func @kernel_gradient
func.func @kernel_gradient(%x: tensor<?x6x1xf32>, %g: tensor<?x4x2xf32>) -> tensor<3x1x2xf32> {
  // CHECK: dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f]
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x6x1xf32>, tensor<?x4x2xf32>) -> tensor<3x1x2xf32>
  return %0 : tensor<3x1x2xf32>
}

// CHECK-LABEL: func @updates
func.func @updates(%a: tensor<2x?xf32>, %b: tensor<1x?xf32>, %s: tensor<f32>, %i: tensor<ui8>) {
  // CHECK: stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x?xf32>, tensor<1x?xf32>, tensor<ui8>, tensor<ui8>) -> tensor<2x?xf32>
  %0 = stablehlo.dynamic_update_slice %a, %b, %i, %i : (tensor<2x?xf32>, tensor<1x?xf32>, tensor<ui8>, tensor<ui8>) -> tensor<2x?xf32>
  // CHECK: stablehlo.dynamic_update_slice %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.dynamic_update_slice %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func @loop
func.func @loop(%a: tensor<?xf32>, %i: tensor<i32>, %p: tensor<i1>) {
  // CHECK: %{{.*}}:2 = stablehlo.while(%[[I:iterArg.*]] = %{{.*}}, %[[X:iterArg.*]] = %{{.*}}) : tensor<i32>, tensor<?xf32>
  // CHECK-NEXT: cond {
  // CHECK-NEXT: stablehlo.compare LT, %[[I]], %{{.*}}, SIGNED
  // CHECK-NEXT: stablehlo.return %{{.*}} : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT: stablehlo.tanh %[[X]] : tensor<?xf32>
  // CHECK-NEXT: stablehlo.return %[[I]], %{{.*}} : tensor<i32>, tensor<?xf32>
  %0:2 = stablehlo.while(%iterArg = %i, %iterArg_0 = %a) : tensor<i32>, tensor<?xf32>
  cond {
    %1 = stablehlo.compare LT, %iterArg, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.tanh %iterArg_0 : tensor<?xf32>
    stablehlo.return %iterArg, %1 : tensor<i32>, tensor<?xf32>
  }
  // CHECK: stablehlo.while() attributes {kept = 1 : i64}
  // CHECK-NEXT: cond {
  // CHECK-NEXT: stablehlo.return %{{.*}} : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK: }
  stablehlo.while() attributes {kept = 1 : i64} cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return
  }
  return
}

// CHECK-LABEL: func @branches
func.func @branches(%a: tensor<?xf32>, %i: tensor<i32>, %p: tensor<i1>) {
  // CHECK: "stablehlo.case"(%{{.*}}) ({
  // CHECK: stablehlo.return %{{.*}} : tensor<?xf32>
  // CHECK: }) : (tensor<i32>) -> tensor<?xf32>
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  // CHECK: "stablehlo.if"(%{{.*}}) ({
  // CHECK: }) : (tensor<i1>) -> tensor<?xf32>
  %1 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %0 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func @sort
func.func @sort(%a: tensor<?x4xf32>, %i: tensor<?x4xui8>) {
  // CHECK: "stablehlo.sort"(%{{.*}}, %{{.*}}) <{dimension = 1 : i64, is_stable = true}> ({
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>, %{{.*}}: tensor<ui8>, %{{.*}}: tensor<ui8>):
  // CHECK: }) : (tensor<?x4xf32>, tensor<?x4xui8>) -> (tensor<?x4xf32>, tensor<?x4xui8>)
  %0:2 = "stablehlo.sort"(%a, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %m: tensor<ui8>, %n: tensor<ui8>):
    %1 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<?x4xf32>, tensor<?x4xui8>) -> (tensor<?x4xf32>, tensor<?x4xui8>)
  return
}

// CHECK-LABEL: func @sort_with_constant
func.func @sort_with_constant(%a: tensor<?x4xf32>) {
  // CHECK: %[[ZERO:.*]] = stablehlo.constant
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: stablehlo.compare EQ, %{{.*}}, %[[ZERO]], FLOAT
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare EQ, %x, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @triangular
func.func @triangular(%a: tensor<?x3x3xf32>, %b: tensor<?x3x2xf32>) {
  // CHECK: stablehlo.cholesky %{{.*}}, lower = true : tensor<?x3x3xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<?x3x3xf32>
  // CHECK: stablehlo.cholesky %{{[a-z0-9]*}} : tensor<?x3x3xf32>
  %1 = "stablehlo.cholesky"(%a) : (tensor<?x3x3xf32>) -> tensor<?x3x3xf32>
  // CHECK: "stablehlo.triangular_solve"(%{{.*}}, %{{.*}}) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<?x3x3xf32>, tensor<?x3x2xf32>) -> tensor<?x3x2xf32>
  %2 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<?x3x3xf32>, tensor<?x3x2xf32>) -> tensor<?x3x2xf32>
  return
}

// CHECK-LABEL: func @shapes
func.func @shapes(%a: tensor<?x4xf32>, %s: tensor<f32>, %i: tensor<2xi32>, %j: tensor<?x1xi32>) {
  // CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, %{{.*}}, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %0 = stablehlo.dynamic_broadcast_in_dim %s, %i, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  // CHECK: stablehlo.dynamic_iota %{{.*}}, dim = 1 : (tensor<2xi32>) -> tensor<?x4xi64>
  %1 = stablehlo.dynamic_iota %i, dim = 1 : (tensor<2xi32>) -> tensor<?x4xi64>
  // CHECK: stablehlo.dynamic_reshape %{{.*}}, %{{.*}} : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %2 = stablehlo.dynamic_reshape %a, %i : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  // CHECK: stablehlo.real_dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  %3 = stablehlo.real_dynamic_slice %a, %i, %i, %i : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  // CHECK: stablehlo.dynamic_pad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x8xf32>
  %4 = stablehlo.dynamic_pad %a, %s, %i, %i, %i : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x8xf32>
  // CHECK: "stablehlo.dynamic_gather"(%{{.*}}, %{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x4xf32>
  %5 = "stablehlo.dynamic_gather"(%a, %j, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @counts_and_formats
func.func @counts_and_formats(%a: tensor<?xui16>, %b: tensor<?xf32>) {
  // CHECK: stablehlo.popcnt %{{.*}} : tensor<?xui16>
  %0 = stablehlo.popcnt %a : tensor<?xui16>
  // CHECK: stablehlo.count_leading_zeros %{{.*}} : tensor<?xui16>
  %1 = stablehlo.count_leading_zeros %a : tensor<?xui16>
  // CHECK: stablehlo.reduce_precision %{{.*}}, format = e5m10 : tensor<?xf32>
  %2 = stablehlo.reduce_precision %b, format = e5m10 : tensor<?xf32>
  return
}

func.func private @top.impl(tensor<?x8xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
// CHECK-LABEL: func @composite
func.func @composite(%a: tensor<?x8xf32>) {
  // CHECK: %{{.*}}:2 = stablehlo.composite "chlo.top_k" %{{.*}} {composite_attributes = {k = 2 : i64}, decomposition = @top.impl, version = 1 : i32} : (tensor<?x8xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  %0:2 = stablehlo.composite "chlo.top_k" %a {composite_attributes = {k = 2 : i64}, decomposition = @top.impl, version = 1 : i32} : (tensor<?x8xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return
}

// CHECK-LABEL: func @batch_norm
func.func @batch_norm(%a: tensor<?x4xf32>, %s: tensor<4xf32>) {
  // CHECK: "stablehlo.batch_norm_training"(%{{.*}}, %{{.*}}, %{{.*}}) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %s) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: "stablehlo.batch_norm_inference"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  %1 = "stablehlo.batch_norm_inference"(%a, %s, %s, %s, %s) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  // CHECK: "stablehlo.batch_norm_grad"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %2:3 = "stablehlo.batch_norm_grad"(%a, %s, %s, %s, %a) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func @map
func.func @map(%a: tensor<?x4xf32>, %b: tensor<?x4xi1>) {
  // CHECK: "stablehlo.map"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 0, 1>}> ({
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<i1>):
  // CHECK: }) : (tensor<?x4xf32>, tensor<?x4xi1>) -> tensor<?x4xf32>
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<i1>):
    %1 = stablehlo.negate %x : tensor<f32>
    %2 = stablehlo.select %y, %x, %1 : tensor<i1>, tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<?x4xf32>, tensor<?x4xi1>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @random_bits
func.func @random_bits(%a: tensor<2xui64>, %b: tensor<3xui64>) {
  // CHECK: stablehlo.rng_bit_generator %{{.*}}, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui32>)
  %state, %bits = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui32>)
  // CHECK: stablehlo.rng_bit_generator %{{.*}}, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<i8>)
  %0, %1 = "stablehlo.rng_bit_generator"(%b) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<3xui64>) -> (tensor<3xui64>, tensor<i8>)
  // CHECK: stablehlo.rng_bit_generator %{{.*}}, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
  %2, %3 = stablehlo.rng_bit_generator %a, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
  return
}
