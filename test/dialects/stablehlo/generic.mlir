// RUN: ps-opt %s | FileCheck %s
// RUN: ps-opt %s --mlir-print-op-generic | ps-opt | FileCheck %s

// The generic form, with the attribute names of StableHLO; attributes may stand
// with or without the brackets that mark properties.

// CHECK-LABEL: func @elementwise
func.func @elementwise(%a: tensor<4xf32>, %p: tensor<4xi1>, %s: tensor<f32>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
  %0 = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.tanh %{{.*}} : tensor<4xf32>
  %1 = "stablehlo.tanh"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare NE, %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = "stablehlo.compare"(%a, %a) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
  %4 = "stablehlo.select"(%p, %a, %a) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = "stablehlo.clamp"(%s, %a, %s) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xi64>
  %6 = "stablehlo.convert"(%a) : (tensor<4xf32>) -> tensor<4xi64>
  // CHECK: stablehlo.exponential %{{.*}} {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<4xf32>
  %7 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func @sources
func.func @sources() {
  // CHECK: stablehlo.constant dense<-1> : tensor<1xi64>
  %0 = "stablehlo.constant"() <{value = dense<[-1]> : tensor<1xi64>}> : () -> tensor<1xi64>
  // CHECK: stablehlo.iota dim = 1 : tensor<1x10xf32>
  %1 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<1x10xf32>
  return
}

// CHECK-LABEL: func @movement
func.func @movement(%a: tensor<3x4xi32>, %v: tensor<8xf32>, %s: tensor<f32>, %i: tensor<i64>) {
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 1] : (tensor<3x4xi32>) -> tensor<3x4x2xi32>
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x4xi32>) -> tensor<3x4x2xi32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<3x4xi32>) -> tensor<12xi32>
  %1 = "stablehlo.reshape"(%a) : (tensor<3x4xi32>) -> tensor<12xi32>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<3x4xi32>) -> tensor<4x3xi32>
  %2 = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<3x4xi32>) -> tensor<4x3xi32>
  // CHECK: stablehlo.reverse %{{.*}}, dims = [0, 1] : tensor<3x4xi32>
  %3 = "stablehlo.reverse"(%a) {dimensions = array<i64: 0, 1>} : (tensor<3x4xi32>) -> tensor<3x4xi32>
  // CHECK: stablehlo.slice %{{.*}} [1:3, 0:4:2] : (tensor<3x4xi32>) -> tensor<2x2xi32>
  %4 = "stablehlo.slice"(%a) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 4>, strides = array<i64: 1, 2>} : (tensor<3x4xi32>) -> tensor<2x2xi32>
  // CHECK: stablehlo.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, sizes = [1, 4] : (tensor<3x4xi32>, tensor<i64>, tensor<i64>) -> tensor<1x4xi32>
  %5 = "stablehlo.dynamic_slice"(%a, %i, %i) {slice_sizes = array<i64: 1, 4>} : (tensor<3x4xi32>, tensor<i64>, tensor<i64>) -> tensor<1x4xi32>
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [4], high = [4], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %6 = "stablehlo.pad"(%v, %s) {edge_padding_high = array<i64: 4>, edge_padding_low = array<i64: 4>, interior_padding = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  // CHECK: stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x8xi32>
  %7 = "stablehlo.concatenate"(%a, %a) {dimension = 1 : i64} : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x8xi32>
  // CHECK: stablehlo.get_dimension_size %{{.*}}, dim = 1 : (tensor<3x4xi32>) -> tensor<i32>
  %8 = "stablehlo.get_dimension_size"(%a) {dimension = 1 : i64} : (tensor<3x4xi32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func @sums
func.func @sums(%a: tensor<2x2x2xf32>, %b: tensor<2x2x3xf32>, %s: tensor<f32>) {
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x2x2xf32>, tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %0 = "stablehlo.dot_general"(%a, %b) {
    dot_dimension_numbers = #stablehlo.dot<
      lhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2],
      rhs_batching_dimensions = [0],
      rhs_contracting_dimensions = [1]
    >,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]
  } : (tensor<2x2x2xf32>, tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [2, 1] x [0, 1], algorithm = <lhs_precision_type = tf32,
  %1 = "stablehlo.dot_general"(%a, %b) {
    dot_dimension_numbers = #stablehlo.dot<rhs_contracting_dimensions = [0, 1], lhs_contracting_dimensions = [2, 1], lhs_batching_dimensions = []>,
    algorithm = #stablehlo.dot_algorithm<
      lhs_precision_type = tf32,
      rhs_precision_type = tf32,
      accumulation_type = f32,
      lhs_component_count = 1,
      rhs_component_count = 1,
      num_primitive_operations = 1,
      allow_imprecise_accumulation = false
    >
  } : (tensor<2x2x2xf32>, tensor<2x2x3xf32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = "stablehlo.reduce"(%a, %s) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %3 = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0, 2>} : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func @calls
func.func @calls(%a: tensor<4xf32>) {
  // CHECK: stablehlo.custom_call @check.expect_eq(%{{.*}}, %{{.*}}) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  "stablehlo.custom_call"(%a, %a) {call_target_name = "check.expect_eq", has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  // CHECK: check.expect_close %{{.*}}, %{{.*}}, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  "check.expect_close"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// CHECK-LABEL: func @windows
func.func @windows(%x: tensor<?x4x4x2xf32>, %w: tensor<3x3x2x1xf32>, %s: tensor<f32>, %i: tensor<?x4x4x2xi32>, %n: tensor<i32>) {
  // CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = {{\[\[}}0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x4x4x2xf32>, tensor<3x3x2x1xf32>) -> tensor<?x2x2x1xf32>
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<?x4x4x2xf32>, tensor<3x3x2x1xf32>) -> tensor<?x2x2x1xf32>
  // CHECK: "stablehlo.reduce_window"(%{{.*}}, %{{.*}}) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<{{.*}}> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}>
  %1 = "stablehlo.reduce_window"(%x, %s) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [1, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<?x4x4x2xf32>, tensor<f32>) -> tensor<?x2x2x2xf32>
  // CHECK: "stablehlo.reduce_window"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{window_dimensions = array<i64: 1, 2, 2, 1>}>
  %2:2 = "stablehlo.reduce_window"(%x, %i, %s, %n) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %k: tensor<i32>, %b: tensor<f32>, %l: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    %m = stablehlo.add %k, %l : tensor<i32>
    stablehlo.return %c, %m : tensor<f32>, tensor<i32>
  }) : (tensor<?x4x4x2xf32>, tensor<?x4x4x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<?x3x3x2xf32>, tensor<?x3x3x2xi32>)
  // CHECK: "stablehlo.select_and_scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{padding = dense<{{.*}}> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}>
  %3 = "stablehlo.select_and_scatter"(%x, %1, %s) <{padding = dense<[[0, 0], [0, 1], [1, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<?x4x4x2xf32>, tensor<?x2x2x2xf32>, tensor<f32>) -> tensor<?x4x4x2xf32>
  return
}
