// RUN: ps-opt %s --ps-unroll-loops --ps-select-branches --ps-join-updates --ps-test-numeric-gradient -o %t && ps-run %t --entry=main

// The derivatives of loops and choices, which are those of what replaces them,
// and of ops that frameworks write inside of loops.

// A recurrence that stacks its states and reads slices of its input, where all
// slices of a gradient are joined.
func.func private @scan(%w: tensor<2x2xf64>, %x: tensor<3x2xf64>) -> tensor<3x2xf64> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<3x2xf64>
  %h = stablehlo.constant dense<0.5> : tensor<1x2xf64>
  %0:3 = stablehlo.while(%i = %c0, %state = %h, %all = %zeros) : tensor<i32>, tensor<1x2xf64>, tensor<3x2xf64>
  cond {
    %c3 = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %c3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.dynamic_slice %x, %i, %c0, sizes = [1, 2] : (tensor<3x2xf64>, tensor<i32>, tensor<i32>) -> tensor<1x2xf64>
    %2 = stablehlo.dot_general %state, %w, contracting_dims = [1] x [0] : (tensor<1x2xf64>, tensor<2x2xf64>) -> tensor<1x2xf64>
    %3 = stablehlo.add %1, %2 : tensor<1x2xf64>
    %4 = stablehlo.tanh %3 : tensor<1x2xf64>
    %5 = stablehlo.dynamic_update_slice %all, %4, %i, %c0 : (tensor<3x2xf64>, tensor<1x2xf64>, tensor<i32>, tensor<i32>) -> tensor<3x2xf64>
    %6 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %6, %4, %5 : tensor<i32>, tensor<1x2xf64>, tensor<3x2xf64>
  }
  return %0#2 : tensor<3x2xf64>
}

// Slices that leave a gap, and one that is read twice.
func.func private @slices(%x: tensor<6xf64>) -> tensor<2xf64> {
  %0 = stablehlo.slice %x [4:6] : (tensor<6xf64>) -> tensor<2xf64>
  %1 = stablehlo.slice %x [1:3] : (tensor<6xf64>) -> tensor<2xf64>
  %2 = stablehlo.multiply %0, %1 : tensor<2xf64>
  return %2 : tensor<2xf64>
}

// Slices that overlap, in two dimensions, and beside other uses.
func.func private @overlapping(%x: tensor<3x3xf64>) -> tensor<2x3xf64> {
  %0 = stablehlo.slice %x [0:2, 0:3] : (tensor<3x3xf64>) -> tensor<2x3xf64>
  %1 = stablehlo.slice %x [1:3, 0:3] : (tensor<3x3xf64>) -> tensor<2x3xf64>
  %2 = stablehlo.slice %x [0:3, 0:2] : (tensor<3x3xf64>) -> tensor<3x2xf64>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<3x2xf64>) -> tensor<2x3xf64>
  %4 = stablehlo.multiply %0, %1 : tensor<2x3xf64>
  %5 = stablehlo.multiply %4, %3 : tensor<2x3xf64>
  %6 = stablehlo.dot_general %5, %x, contracting_dims = [1] x [0] : (tensor<2x3xf64>, tensor<3x3xf64>) -> tensor<2x3xf64>
  return %6 : tensor<2x3xf64>
}

func.func private @choice(%x: tensor<3xf64>, %y: tensor<3xf64>, %i: tensor<i32>) -> tensor<3xf64> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %y : tensor<3xf64>
  }, {
    %1 = stablehlo.multiply %x, %y : tensor<3xf64>
    stablehlo.return %1 : tensor<3xf64>
  }, {
    %1 = stablehlo.sine %x : tensor<3xf64>
    stablehlo.return %1 : tensor<3xf64>
  }) : (tensor<i32>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @update(%x: tensor<3x4xf64>, %u: tensor<2x1xf64>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<3x4xf64> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<3x4xf64>, tensor<2x1xf64>, tensor<i32>, tensor<i32>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

func.func private @sort(%x: tensor<3x2xf64>, %y: tensor<3x2xf64>) -> (tensor<3x2xf64>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<f64>, %d: tensor<f64>):
    %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>)
  %2 = stablehlo.multiply %0#0, %0#1 : tensor<3x2xf64>
  return %2 : tensor<3x2xf64>
}

func.func private @top(%x: tensor<2x4xf64>) -> tensor<2x2xf64> {
  %values, %indices = chlo.top_k(%x, k = 2) : tensor<2x4xf64> -> (tensor<2x2xf64>, tensor<2x2xi32>)
  return %values : tensor<2x2xf64>
}

func.func @main() {
  %matrix = stablehlo.constant dense<[[0.3, -0.2], [0.5, 0.1]]> : tensor<2x2xf64>
  %rows = stablehlo.constant dense<[[0.4, -0.3], [1.2, 0.2], [-0.6, 0.9]]> : tensor<3x2xf64>
  %scan = call @scan(%matrix, %rows) : (tensor<2x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %six = stablehlo.constant dense<[1.0, -2.0, 3.0, 0.5, 0.7, -0.9]> : tensor<6xf64>
  %slices = call @slices(%six) : (tensor<6xf64>) -> tensor<2xf64>
  %square = stablehlo.constant dense<[[0.4, -0.3, 0.8], [1.2, 0.2, -0.5], [-0.6, 0.9, 0.1]]> : tensor<3x3xf64>
  %overlapping = call @overlapping(%square) : (tensor<3x3xf64>) -> tensor<2x3xf64>
  %x = stablehlo.constant dense<[0.4, -0.3, 0.8]> : tensor<3xf64>
  %y = stablehlo.constant dense<[1.4, 0.6, -0.7]> : tensor<3xf64>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %choice_1 = call @choice(%x, %y, %one) : (tensor<3xf64>, tensor<3xf64>, tensor<i32>) -> tensor<3xf64>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %choice_9 = call @choice(%x, %y, %nine) : (tensor<3xf64>, tensor<3xf64>, tensor<i32>) -> tensor<3xf64>
  %long = stablehlo.constant dense<[[0.4, -0.3, 0.8, 1.1], [1.2, 0.2, -0.5, 0.3], [-0.6, 0.9, 0.1, -0.2]]> : tensor<3x4xf64>
  %column = stablehlo.constant dense<[[2.1], [-1.3]]> : tensor<2x1xf64>
  %update = call @update(%long, %column, %one, %one) : (tensor<3x4xf64>, tensor<2x1xf64>, tensor<i32>, tensor<i32>) -> tensor<3x4xf64>
  %update_clamped = call @update(%long, %column, %nine, %nine) : (tensor<3x4xf64>, tensor<2x1xf64>, tensor<i32>, tensor<i32>) -> tensor<3x4xf64>
  %others = stablehlo.constant dense<[[1.4, -0.7], [0.2, 0.6], [-0.9, 0.5]]> : tensor<3x2xf64>
  %sort = call @sort(%rows, %others) : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  %wide = stablehlo.constant dense<[[0.4, -0.3, 0.8, 1.1], [-0.6, 0.9, 0.1, -0.2]]> : tensor<2x4xf64>
  %top = call @top(%wide) : (tensor<2x4xf64>) -> tensor<2x2xf64>
  return
}
