// RUN: ps-opt %s --ps-test-numeric-gradient -o %t && ps-run %t --entry=main

// The derivatives of reductions of windows. The elements of a window differ: a
// maximum has no derivative where they are equal.

func.func private @sum_of_tiles(%x: tensor<1x4x4x2xf64>) -> tensor<1x2x2x2xf64> {
  %i = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<1x4x4x2xf64>, tensor<f64>) -> tensor<1x2x2x2xf64>
  return %0 : tensor<1x2x2x2xf64>
}

func.func private @maximum_of_tiles(%x: tensor<1x4x4x2xf64>) -> tensor<1x2x2x2xf64> {
  %i = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<1x4x4x2xf64>, tensor<f64>) -> tensor<1x2x2x2xf64>
  return %0 : tensor<1x2x2x2xf64>
}

func.func private @maximum_from_zero(%x: tensor<5x4xf64>) -> tensor<3x5xf64> {
  %i = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, padding = dense<1> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<5x4xf64>, tensor<f64>) -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}

func.func private @minimum_to_one(%x: tensor<5x4xf64>) -> tensor<4x4xf64> {
  %i = stablehlo.constant dense<1.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<5x4xf64>, tensor<f64>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}

func.func private @minimum_of_tiles(%x: tensor<1x4x5x1xf64>) -> tensor<1x2x2x1xf64> {
  %i = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<1x4x5x1xf64>, tensor<f64>) -> tensor<1x2x2x1xf64>
  return %0 : tensor<1x2x2x1xf64>
}

func.func private @sum_of_overlapping(%x: tensor<5x4xf64>) -> tensor<3x4xf64> {
  %i = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<5x4xf64>, tensor<f64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

func.func private @maximum_of_overlapping(%x: tensor<5x4xf64>) -> tensor<3x4xf64> {
  %i = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<5x4xf64>, tensor<f64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

func.func private @sum_of_dilated(%x: tensor<4x5xf64>) -> tensor<4x4xf64> {
  %i = stablehlo.constant dense<1.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4x5xf64>, tensor<f64>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}

func.func private @sum_of_cropped(%x: tensor<6xf64>) -> tensor<2xf64> {
  %i = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 3>, padding = dense<[[-1, -1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<6xf64>, tensor<f64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

func.func private @of_empty(%x: tensor<2xf64>, %empty: tensor<0x2xf64>) -> tensor<2xf64> {
  %i = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%empty, %i) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<0x2xf64>, tensor<f64>) -> tensor<0x2xf64>
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<0x2xf64>, tensor<f64>) -> tensor<2xf64>
  %2 = stablehlo.multiply %x, %x : tensor<2xf64>
  %3 = stablehlo.add %1, %2 : tensor<2xf64>
  return %3 : tensor<2xf64>
}

func.func private @whole(%x: tensor<3x4xf64>) -> tensor<1x1xf64> {
  %i = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 3, 4>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<3x4xf64>, tensor<f64>) -> tensor<1x1xf64>
  return %0 : tensor<1x1xf64>
}

func.func @main() {
  %x0 = stablehlo.constant dense<[[[[-1.875, 0.25], [2.375, -0.125], [2.0, -0.5], [1.625, -0.875]], [[1.25, -1.25], [0.875, -1.625], [0.5, 2.625], [0.125, 2.25]], [[-0.25, 1.875], [-0.625, 1.5], [-1.0, 1.125], [-1.375, 0.75]], [[-1.75, 0.375], [2.5, 0.0], [2.125, -0.375], [1.75, -0.75]]]]> : tensor<1x4x4x2xf64>
  %0 = call @sum_of_tiles(%x0) : (tensor<1x4x4x2xf64>) -> tensor<1x2x2x2xf64>
  %x1 = stablehlo.constant dense<[[[[-1.875, 0.25], [2.375, -0.125], [2.0, -0.5], [1.625, -0.875]], [[1.25, -1.25], [0.875, -1.625], [0.5, 2.625], [0.125, 2.25]], [[-0.25, 1.875], [-0.625, 1.5], [-1.0, 1.125], [-1.375, 0.75]], [[-1.75, 0.375], [2.5, 0.0], [2.125, -0.375], [1.75, -0.75]]]]> : tensor<1x4x4x2xf64>
  %1 = call @maximum_of_tiles(%x1) : (tensor<1x4x4x2xf64>) -> tensor<1x2x2x2xf64>
  %x2 = stablehlo.constant dense<[[[[-1.875], [0.25], [2.375], [-0.125], [2.0]], [[-0.5], [1.625], [-0.875], [1.25], [-1.25]], [[0.875], [-1.625], [0.5], [2.625], [0.125]], [[2.25], [-0.25], [1.875], [-0.625], [1.5]]]]> : tensor<1x4x5x1xf64>
  %2 = call @minimum_of_tiles(%x2) : (tensor<1x4x5x1xf64>) -> tensor<1x2x2x1xf64>
  %x3 = stablehlo.constant dense<[[-1.875, 0.25, 2.375, -0.125], [2.0, -0.5, 1.625, -0.875], [1.25, -1.25, 0.875, -1.625], [0.5, 2.625, 0.125, 2.25], [-0.25, 1.875, -0.625, 1.5]]> : tensor<5x4xf64>
  %3 = call @sum_of_overlapping(%x3) : (tensor<5x4xf64>) -> tensor<3x4xf64>
  %x4 = stablehlo.constant dense<[[-1.875, 0.25, 2.375, -0.125], [2.0, -0.5, 1.625, -0.875], [1.25, -1.25, 0.875, -1.625], [0.5, 2.625, 0.125, 2.25], [-0.25, 1.875, -0.625, 1.5]]> : tensor<5x4xf64>
  %4 = call @maximum_of_overlapping(%x4) : (tensor<5x4xf64>) -> tensor<3x4xf64>
  %x5 = stablehlo.constant dense<[[-1.875, 0.25, 2.375, -0.125, 2.0], [-0.5, 1.625, -0.875, 1.25, -1.25], [0.875, -1.625, 0.5, 2.625, 0.125], [2.25, -0.25, 1.875, -0.625, 1.5]]> : tensor<4x5xf64>
  %5 = call @sum_of_dilated(%x5) : (tensor<4x5xf64>) -> tensor<4x4xf64>
  %x6 = stablehlo.constant dense<[-1.875, 0.25, 2.375, -0.125, 2.0, -0.5]> : tensor<6xf64>
  %6 = call @sum_of_cropped(%x6) : (tensor<6xf64>) -> tensor<2xf64>
  %x7 = stablehlo.constant dense<[[-1.875, 0.25, 2.375, -0.125], [2.0, -0.5, 1.625, -0.875], [1.25, -1.25, 0.875, -1.625]]> : tensor<3x4xf64>
  %x8 = stablehlo.constant dense<[[-1.875, 0.25, 2.375, -0.125], [2.0, -0.5, 1.625, -0.875], [1.25, -1.25, 0.875, -1.625], [0.5, 2.625, 0.125, 2.25], [-0.25, 1.875, -0.625, 1.5]]> : tensor<5x4xf64>
  %8 = call @maximum_from_zero(%x8) : (tensor<5x4xf64>) -> tensor<3x5xf64>
  %9 = call @minimum_to_one(%x8) : (tensor<5x4xf64>) -> tensor<4x4xf64>
  %x10 = stablehlo.constant dense<[2.0, -0.5]> : tensor<2xf64>
  %empty = stablehlo.constant dense<> : tensor<0x2xf64>
  %10 = call @of_empty(%x10, %empty) : (tensor<2xf64>, tensor<0x2xf64>) -> tensor<2xf64>
  %7 = call @whole(%x7) : (tensor<3x4xf64>) -> tensor<1x1xf64>
  return
}
