// RUN: ps-opt %s --split-input-file --ps-outline-kernels --ps-lower-to-exec | FileCheck %s
// RUN: ps-opt %s --split-input-file --ps-compile="device=true" | FileCheck %s --check-prefix=DEVICE

// What JAX prints of a convolution in steps of 2 and of its derivatives, with
// the reversal of the kernel as an op, and our derivative by the input, which is
// the same.

// CHECK-LABEL: exec.program @derivatives
// CHECK: exec.convolution forward batch(8) groups(1) features(4, 6) input([28, 28]) kernel([5, 5]) output([14, 14]) strides([2, 2]) dilations([1, 1]) padding([1, 1]) layouts([3136, 1, 112, 4], [6, 1, 6, 120, 24], [1176, 1, 84, 6])
// CHECK: exec.convolution backward_kernel batch(8) groups(1) features(4, 6) input([28, 28]) kernel([5, 5]) output([14, 14]) strides([2, 2]) dilations([1, 1]) padding([1, 1]) layouts([3136, 1, 112, 4], [6, 1, 6, 120, 24], [1176, 1, 84, 6])
// CHECK-NOT: exec.launch
// CHECK: exec.convolution backward_input batch(8) groups(1) features(4, 6) input([28, 28]) kernel([5, 5]) output([14, 14]) strides([2, 2]) dilations([1, 1]) padding([1, 1]) layouts([3136, 1, 112, 4], [24, 1, 6, 120, 24], [1176, 1, 84, 6])

// On a device they are products. The first two share the patches of %x; the
// other two are one.
// DEVICE-LABEL: exec.program @derivatives
// DEVICE: exec.gemm m(1568) n(6) k(100) ins(%[[PATCHES:[0-9]+]], {{.*}} #exec.space<device>
// DEVICE: exec.gemm m(100) n(6) k(1568) transpose_a ins(%[[PATCHES]], {{.*}} #exec.space<device>
// DEVICE: exec.gemm m(6272) n(4) k(150) ins({{.*}} #exec.space<device>
// DEVICE-NOT: {{exec.convolution|exec.gemm|exec.launch}}
// DEVICE: exec.fetch
func.func @derivatives(%x: tensor<8x28x28x4xf32> {ps.feed = "x"}, %w: tensor<5x5x4x6xf32> {ps.feed = "w"}, %g: tensor<8x14x14x6xf32> {ps.feed = "g"})
    -> (tensor<8x14x14x6xf32> {ps.fetch = "y"}, tensor<5x5x4x6xf32> {ps.fetch = "dw"}, tensor<8x28x28x4xf32> {ps.fetch = "dx"}, tensor<8x28x28x4xf32> {ps.fetch = "ours"}) {
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 2], [1, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x28x28x4xf32>, tensor<5x5x4x6xf32>) -> tensor<8x14x14x6xf32>
  %dw = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 2], [1, 2]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x28x28x4xf32>, tensor<8x14x14x6xf32>) -> tensor<5x5x4x6xf32>
  %r = stablehlo.reverse %w, dims = [0, 1] : tensor<5x5x4x6xf32>
  %dx = stablehlo.convolution(%g, %r) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[3, 2], [3, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x14x14x6xf32>, tensor<5x5x4x6xf32>) -> tensor<8x28x28x4xf32>
  %ours = stablehlo.convolution(%g, %w) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[3, 2], [3, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x14x14x6xf32>, tensor<5x5x4x6xf32>) -> tensor<8x28x28x4xf32>
  return %y, %dw, %dx, %ours : tensor<8x14x14x6xf32>, tensor<5x5x4x6xf32>, tensor<8x28x28x4xf32>, tensor<8x28x28x4xf32>
}

// -----

// Groups of features and of the batch, features first.

// CHECK-LABEL: exec.program @groups
// CHECK: exec.convolution forward batch(8) groups(4) features(1, 2) input([12, 12]) kernel([3, 3]) output([8, 10]) strides([1, 1]) dilations([2, 1]) padding([0, 0]) layouts([576, 144, 12, 1], [18, 9, 9, 3, 1], [640, 80, 10, 1])
// CHECK: exec.convolution backward_kernel batch(8) groups(4) features(1, 2) input([12, 12]) kernel([3, 3]) output([8, 10]) strides([1, 1]) dilations([2, 1]) padding([0, 0]) layouts([576, 144, 12, 1], [18, 9, 9, 3, 1], [640, 80, 10, 1])
func.func @groups(%x: tensor<8x4x12x12xf32> {ps.feed = "x"}, %w: tensor<8x1x3x3xf32> {ps.feed = "w"}, %g: tensor<8x8x8x10xf32> {ps.feed = "g"})
    -> (tensor<8x8x8x10xf32> {ps.fetch = "y"}, tensor<8x1x3x3xf32> {ps.fetch = "dw"}) {
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {rhs_dilate = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<8x4x12x12xf32>, tensor<8x1x3x3xf32>) -> tensor<8x8x8x10xf32>
  %dw = stablehlo.convolution(%x, %g) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [2, 1]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<8x4x12x12xf32>, tensor<8x8x8x10xf32>) -> tensor<8x1x3x3xf32>
  return %y, %dw : tensor<8x8x8x10xf32>, tensor<8x1x3x3xf32>
}

// -----

// Transposes of operands and results cost nothing.

// CHECK-LABEL: exec.program @transposed
// CHECK: exec.convolution forward {{.*}} layouts([162, 81, 9, 1], [3, 1, 3, 18, 6], [147, 1, 21, 3])
// CHECK-NOT: exec.launch
func.func @transposed(%x: tensor<4x2x9x9xf32> {ps.feed = "x"}, %w: tensor<3x3x2x3xf32> {ps.feed = "w"})
    -> (tensor<4x7x7x3xf32> {ps.fetch = "y"}) {
  %0 = stablehlo.transpose %x, dims = [2, 3, 0, 1] : (tensor<4x2x9x9xf32>) -> tensor<9x9x4x2xf32>
  %1 = stablehlo.transpose %w, dims = [3, 2, 0, 1] : (tensor<3x3x2x3xf32>) -> tensor<3x2x3x3xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [0, 1, b, f]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<9x9x4x2xf32>, tensor<3x2x3x3xf32>) -> tensor<4x3x7x7xf32>
  %3 = stablehlo.transpose %2, dims = [0, 2, 3, 1] : (tensor<4x3x7x7xf32>) -> tensor<4x7x7x3xf32>
  return %3 : tensor<4x7x7x3xf32>
}

// -----

// A transposed convolution as JAX writes it: the kernel is reversed in memory.

// CHECK-LABEL: exec.program @transposed_convolution
// CHECK: exec.launch @reverse
// CHECK: exec.convolution backward_input batch(2) groups(1) features(3, 4) input([10]) kernel([3]) output([5]) strides([2]) dilations([1]) padding([0])
func.func @transposed_convolution(%x: tensor<2x5x4xf32> {ps.feed = "x"}, %w: tensor<3x4x3xf32> {ps.feed = "w"})
    -> (tensor<2x10x3xf32> {ps.fetch = "y"}) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 1]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x4xf32>, tensor<3x4x3xf32>) -> tensor<2x10x3xf32>
  return %0 : tensor<2x10x3xf32>
}

// -----

// Its derivative by the input goes over the gradient in steps.

// CHECK-LABEL: exec.program @of_transposed_convolution
// CHECK: exec.launch @reverse
// CHECK: exec.convolution forward batch(2) groups(1) features(3, 4) input([10]) kernel([3]) output([5]) strides([2]) dilations([1]) padding([0])
func.func @of_transposed_convolution(%g: tensor<2x10x3xf32> {ps.feed = "g"}, %w: tensor<3x4x3xf32> {ps.feed = "w"})
    -> (tensor<2x5x4xf32> {ps.fetch = "y"}) {
  %0 = stablehlo.convolution(%g, %w) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {stride = [2], pad = [[0, 1]], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x4x3xf32>) -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}

// -----

// The library has none of f64, with padding that cuts, or with more than three
// spatial dimensions: kernels compute them.

// CHECK-LABEL: exec.program @kernels
// CHECK-NOT: exec.convolution
// CHECK: exec.launch
func.func @kernels(%x: tensor<4x9x2xf64> {ps.feed = "x"}, %w: tensor<3x2x3xf64> {ps.feed = "w"}, %u: tensor<4x9x2xf32> {ps.feed = "u"}, %v: tensor<3x2x3xf32> {ps.feed = "v"})
    -> (tensor<4x7x3xf64> {ps.fetch = "a"}, tensor<4x6x3xf32> {ps.fetch = "b"}) {
  %a = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x9x2xf64>, tensor<3x2x3xf64>) -> tensor<4x7x3xf64>
  %b = stablehlo.convolution(%u, %v) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[-1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x9x2xf32>, tensor<3x2x3xf32>) -> tensor<4x6x3xf32>
  return %a, %b : tensor<4x7x3xf64>, tensor<4x6x3xf32>
}
