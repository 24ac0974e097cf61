// RUN: ps-opt %s --ps-decompose-convolutions --canonicalize --split-input-file | FileCheck %s

// Features last: what a window covers is gathered with the features innermost,
// and the kernel is read in place. Padding comes first.

// CHECK-LABEL: func @features_last
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x6x4xf32>, %[[W:[^:]*]]: tensor<3x4x16xf32>
func.func @features_last(%x: tensor<8x6x4xf32>, %w: tensor<3x4x16xf32>) -> tensor<8x6x16xf32> {
  // CHECK: %[[PADDED:.*]] = stablehlo.pad %[[X]], %{{.*}}, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 0, 0]
  // CHECK: %[[PLACE:.*]] = stablehlo.iota dim = 1 : tensor<8x6x3x4x1xi32>
  // CHECK: %[[ELEMENT:.*]] = stablehlo.iota dim = 2
  // CHECK: %[[AT:.*]] = stablehlo.add %[[PLACE]], %[[ELEMENT]]
  // CHECK: %[[PATCHES:.*]] = "stablehlo.gather"(%[[PADDED]], %[[AT]])
  // CHECK-SAME: collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [0, 3], start_index_map = [1]
  // CHECK: %[[Y:.*]] = stablehlo.dot_general %[[PATCHES]], %[[W]], contracting_dims = [2, 3] x [0, 1]
  // CHECK-SAME: -> tensor<8x6x16xf32>
  // CHECK: return %[[Y]]
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x6x4xf32>, tensor<3x4x16xf32>) -> tensor<8x6x16xf32>
  return %0 : tensor<8x6x16xf32>
}

// -----

// Features before places, as in PyTorch: places are innermost, and the product
// has them last.

// CHECK-LABEL: func @places_last
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x4x17x17xf32>, %[[W:[^:]*]]: tensor<16x4x3x3xf32>
func.func @places_last(%x: tensor<8x4x17x17xf32>, %w: tensor<16x4x3x3xf32>) -> tensor<8x16x8x8xf32> {
  // CHECK-DAG: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<4x3x3x8x8x8x2xi32>
  // CHECK: %[[PATCHES:.*]] = "stablehlo.gather"(%[[X]], %{{.*}}) {{.*}} -> tensor<4x3x3x8x8x8xf32>
  // CHECK: %[[PRODUCT:.*]] = stablehlo.dot_general %[[W]], %[[PATCHES]], contracting_dims = [1, 2, 3] x [0, 1, 2] : {{.*}} -> tensor<16x8x8x8xf32>
  // CHECK: stablehlo.transpose %[[PRODUCT]], dims = [1, 0, 2, 3]
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x4x17x17xf32>, tensor<16x4x3x3xf32>) -> tensor<8x16x8x8xf32>
  return %0 : tensor<8x16x8x8xf32>
}

// -----

// A convolution and the gradient of its kernel have the same patches, which CSE
// then makes one.

// CHECK-LABEL: func @gradient_of_kernel
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x6x4xf32>, %[[W:[^:]*]]: tensor<3x4x16xf32>, %[[D:[^:]*]]: tensor<8x2x16xf32>
func.func @gradient_of_kernel(%x: tensor<8x6x4xf32>, %w: tensor<3x4x16xf32>, %d: tensor<8x2x16xf32>) -> (tensor<8x2x16xf32>, tensor<3x4x16xf32>) {
  // CHECK: stablehlo.iota dim = 1
  // CHECK: stablehlo.iota dim = 2
  // CHECK: %[[FORWARD:.*]] = "stablehlo.gather"(%[[X]], %{{.*}}) <[[HOW:.*]] : (tensor<8x6x4xf32>, tensor<8x2x3x4x1xi32>) -> tensor<8x2x3x4xf32>
  // CHECK: stablehlo.dot_general %[[FORWARD]], %[[W]], contracting_dims = [2, 3] x [0, 1]
  // CHECK: stablehlo.iota dim = 1
  // CHECK: stablehlo.iota dim = 2
  // CHECK: %[[BACKWARD:.*]] = "stablehlo.gather"(%[[X]], %{{.*}}) <[[HOW]] : (tensor<8x6x4xf32>, tensor<8x2x3x4x1xi32>) -> tensor<8x2x3x4xf32>
  // CHECK: stablehlo.dot_general %[[BACKWARD]], %[[D]], contracting_dims = [0, 1] x [0, 1] : {{.*}} -> tensor<3x4x16xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x6x4xf32>, tensor<3x4x16xf32>) -> tensor<8x2x16xf32>
  %1 = stablehlo.convolution(%x, %d) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {rhs_dilate = [3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x6x4xf32>, tensor<8x2x16xf32>) -> tensor<3x4x16xf32>
  return %0, %1 : tensor<8x2x16xf32>, tensor<3x4x16xf32>
}

// -----

// The gradient of the input: holes where the window moved by more than one, and
// a kernel that is reversed, its output features beside the window.

// CHECK-LABEL: func @gradient_of_input
// CHECK-SAME: %[[D:[^:]*]]: tensor<8x2x16xf32>, %[[W:[^:]*]]: tensor<3x4x16xf32>
func.func @gradient_of_input(%d: tensor<8x2x16xf32>, %w: tensor<3x4x16xf32>) -> tensor<8x6x4xf32> {
  // CHECK: stablehlo.pad %[[D]], %{{.*}}, low = [0, 2, 0], high = [0, 2, 0], interior = [0, 2, 0] : {{.*}} -> tensor<8x8x16xf32>
  // CHECK: %[[REVERSED:.*]] = stablehlo.reverse %[[W]], dims = [0]
  // CHECK: %[[KERNEL:.*]] = stablehlo.transpose %[[REVERSED]], dims = [0, 2, 1] : {{.*}} -> tensor<3x16x4xf32>
  // CHECK: stablehlo.dot_general %{{.*}}, %[[KERNEL]], contracting_dims = [2, 3] x [0, 1]
  %0 = stablehlo.convolution(%d, %w) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {pad = [[2, 2]], lhs_dilate = [3], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x2x16xf32>, tensor<3x4x16xf32>) -> tensor<8x6x4xf32>
  return %0 : tensor<8x6x4xf32>
}

// -----

// Groups are batches of the product.

// CHECK-LABEL: func @groups
func.func @groups(%x: tensor<8x6x4xf32>, %w: tensor<3x2x16xf32>) -> tensor<8x4x16xf32> {
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<8x6x4xf32>) -> tensor<8x6x2x2xf32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<3x2x16xf32>) -> tensor<3x2x2x8xf32>
  // CHECK: %[[KERNEL:.*]] = stablehlo.transpose %{{.*}}, dims = [2, 0, 1, 3]
  // CHECK: %[[PATCHES:.*]] = "stablehlo.gather"{{.*}} -> tensor<2x8x4x3x2xf32>
  // CHECK: stablehlo.dot_general %[[PATCHES]], %[[KERNEL]], batching_dims = [0] x [0], contracting_dims = [3, 4] x [1, 2] : {{.*}} -> tensor<2x8x4x8xf32>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 2, 0, 3]
  // CHECK: stablehlo.reshape %{{.*}} -> tensor<8x4x16xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<8x6x4xf32>, tensor<3x2x16xf32>) -> tensor<8x4x16xf32>
  return %0 : tensor<8x4x16xf32>
}

// -----

// Where the window has one element, or one place, the input is its own patches.

// CHECK-LABEL: func @one_element
func.func @one_element(%x: tensor<8x6x4xf32>, %w: tensor<1x4x16xf32>) -> tensor<8x6x16xf32> {
  // CHECK-NOT: gather
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x6x4xf32>, tensor<1x4x16xf32>) -> tensor<8x6x16xf32>
  return %0 : tensor<8x6x16xf32>
}

// CHECK-LABEL: func @one_place
func.func @one_place(%x: tensor<8x6x4xf32>, %w: tensor<6x4x16xf32>) -> tensor<8x1x16xf32> {
  // CHECK-NOT: gather
  // CHECK: stablehlo.dot_general
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x6x4xf32>, tensor<6x4x16xf32>) -> tensor<8x1x16xf32>
  return %0 : tensor<8x1x16xf32>
}

// -----

// Products of a single column, and of types that the library has not, stay.

// CHECK-LABEL: func @each_feature_alone
func.func @each_feature_alone(%x: tensor<8x6x4xf32>, %w: tensor<3x1x4xf32>) -> tensor<8x4x4xf32> {
  // CHECK: stablehlo.convolution
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<8x6x4xf32>, tensor<3x1x4xf32>) -> tensor<8x4x4xf32>
  return %0 : tensor<8x4x4xf32>
}

// CHECK-LABEL: func @f64
func.func @f64(%x: tensor<8x6x4xf64>, %w: tensor<3x4x16xf64>) -> tensor<8x4x16xf64> {
  // CHECK: stablehlo.convolution
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x6x4xf64>, tensor<3x4x16xf64>) -> tensor<8x4x16xf64>
  return %0 : tensor<8x4x16xf64>
}
