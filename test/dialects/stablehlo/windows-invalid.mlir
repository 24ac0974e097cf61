// RUN: ps-opt %s --split-input-file --verify-diagnostics

// Convolutions, and reductions of windows.

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{expected 'b', 'f' and the spatial dimensions from 0 on, each once}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, b]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{expected 'b', 'f' and the spatial dimensions from 0 on, each once}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 1, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{expected 'i', 'o' and the spatial dimensions from 0 on, each once}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, f]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{expected 'b', 'f' and the spatial dimensions from 0 on, each once}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{expected the same spatial dimensions three times, found 1, 2 and 1}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, 1, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{'stride' is given twice}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{expected stride, pad, lhs_dilate, rhs_dilate or reverse, found step}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {step = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf64>) {
  // expected-error @+1 {{op multiplies 'f32' with 'f64'}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf64>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op of 'f32' cannot have a result of 'i32'}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xi32>
  return
}

// -----

func.func @test(%x: tensor<2x8xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected tensors of rank 3, as the dimension numbers have, found 'tensor<2x8xf32>'}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected a window stride for each of 1 spatial dimensions, found 2}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected an lhs dilation for each of 1 spatial dimensions, found 0}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected an rhs dilation for each of 1 spatial dimensions, found 2}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected a window reversal for each of 1 spatial dimensions, found 2}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected a padding of type tensor<1x2xi64>, found 'tensor<2x2xi64>'}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected positive window sizes, strides and dilations}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected positive window sizes, strides and dilations}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [-1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected positive window sizes, strides and dilations}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<0x4x5xf32>) {
  // expected-error @+1 {{op expected positive window sizes, strides and dilations}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<0x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected positive group counts of which one is 1, found 0 and 1}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 0 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected positive group counts of which one is 1, found 2 and 2}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected a kernel of 2 input features per group, found 'tensor<3x4x5xf32>'}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x3xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected a kernel of 3 input features per group, found 'tensor<3x4x5xf32>'}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x3xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x2x5xf32>) {
  // expected-error @+1 {{op expected output features in 2 groups of one size, found 5}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x8x4xf32>, tensor<3x2x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected output features in 2 groups of one size, found 5}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<3x8x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error @+1 {{op expected a batch in 2 groups of one size, found 3}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<3x8x4xf32>, tensor<3x4x6xf32>) -> tensor<1x6x6xf32>
  return
}

// -----

func.func @test(%x: tensor<2x?x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op dimension 1 of 'tensor<2x?x4xf32>' cannot be the batch size}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x?x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<?x8x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error @+1 {{op dimension 0 of 'tensor<?x8x4xf32>' cannot be the batch size}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<?x8x4xf32>, tensor<3x4x6xf32>) -> tensor<1x6x6xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x?xf32>, %w: tensor<3x2x6xf32>) {
  // expected-error @+1 {{op dimension 2 of 'tensor<2x8x?xf32>' cannot be the batch size}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x8x?xf32>, tensor<3x2x6xf32>) -> tensor<2x6x6xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x?xf32>) {
  // expected-error @+1 {{op dimension 2 of 'tensor<3x4x?xf32>' cannot be the batch size}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x?xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op dimension 1 of 'tensor<2x?x5xf32>' cannot be the batch size}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x?x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op pads or dilates dimension 1 of 'tensor<2x8x4xf32>' to an impossible size}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[-9, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op pads or dilates dimension 1 of 'tensor<2x8x4xf32>' to an impossible size}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[9223372036854775807, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op pads or dilates dimension 1 of 'tensor<2x8x4xf32>' to an impossible size}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [9223372036854775807]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected a result in the shape of 'tensor<2x6x5xf32>', found 'tensor<2x8x5xf32>'}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x8x5xf32>
  return
}

// -----

func.func @test(%x: tensor<2x8x4xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+1 {{op expected a precision for each operand, found 1}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>]} : (tensor<2x8x4xf32>, tensor<3x4x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a window size for each of 2 dimensions, found 1}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a window stride for each of 2 dimensions, found 3}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a positive window size}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a positive base dilation}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 3>, base_dilations = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a positive window dilation}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 3>, window_dilations = array<i64: 1, -1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op has windows of more elements than memory can hold}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 4294967296, 4294967296>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a padding of type tensor<2x2xi64>, found 'tensor<1x2xi64>'}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 3>, padding = dense<0> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @test(%x: tensor<?x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected windows of one element along the batch dimension 0 of 'tensor<?x6xf32>'}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<?x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op pads or dilates dimension 1 of 'tensor<4x6xf32>' to an impossible size}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 3>, padding = dense<[[0, 0], [-4, -4]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %i: tensor<f64>) {
  // expected-error @+1 {{op starts a reduction of 'tensor<4x6xf32>' from 'tensor<f64>'}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a result of type 'tensor<3x4xf32>', found 'tensor<4x4xf32>'}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a body with arguments 'tensor<f32>', 'tensor<f32>', found 'tensor<f64>', 'tensor<f64>'}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @test(%x: tensor<4xf32>, %y: tensor<5xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op inputs differ in shape: 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0:2 = "stablehlo.reduce_window"(%x, %y, %i, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @test() {
  // expected-error @+1 {{op expected at least one input}}
  "stablehlo.reduce_window"() <{window_dimensions = array<i64>}> ({
    stablehlo.return
  }) : () -> ()
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %g: tensor<2x4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a source of type 'tensor<2x3xf32>', found 'tensor<2x4xf32>'}}
  %0 = "stablehlo.select_and_scatter"(%x, %g, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %g: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a window size for each of 2 dimensions, found 1}}
  %0 = "stablehlo.select_and_scatter"(%x, %g, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @test(%x: tensor<?x6xf32>, %g: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected windows of one element along the batch dimension 0 of 'tensor<?x6xf32>'}}
  %0 = "stablehlo.select_and_scatter"(%x, %g, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<?x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<?x6xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %g: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a body that returns 'tensor<i1>', found 'tensor<f32>'}}
  %0 = "stablehlo.select_and_scatter"(%x, %g, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %g: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{op expected a body with arguments 'tensor<f32>', 'tensor<f32>', found 'tensor<f64>', 'tensor<f64>'}}
  %0 = "stablehlo.select_and_scatter"(%x, %g, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @test(%x: tensor<4x6xf32>, %g: tensor<2x3xf32>, %i: tensor<f64>) {
  // expected-error @+1 {{op requires the same element type for all operands and results}}
  %0 = "stablehlo.select_and_scatter"(%x, %g, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f64>) -> tensor<4x6xf32>
  return
}
