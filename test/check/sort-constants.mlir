// RUN: ps-run %s --entry=main
// RUN: ps-opt %s --canonicalize --cse | ps-run - --entry=main

// A comparator that uses a constant from outside, as jax.export writes it, beside
// one of its own: the elements nearest to 2, and those nearest to -1.

func.func @main() {
  %x = stablehlo.constant dense<[[0.0, 3.5, 2.25], [-4.0, 1.0, 5.0]]> : tensor<2x3xf32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.subtract %a, %two : tensor<f32>
    %3 = stablehlo.abs %2 : tensor<f32>
    %4 = stablehlo.subtract %b, %two : tensor<f32>
    %5 = stablehlo.abs %4 : tensor<f32>
    %6 = stablehlo.compare LT, %3, %5, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %0, dense<[[2.25, 3.5, 0.0], [1.0, 5.0, -4.0]]> : tensor<2x3xf32>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %2 = stablehlo.add %a, %one : tensor<f32>
    %3 = stablehlo.abs %2 : tensor<f32>
    %4 = stablehlo.add %b, %one : tensor<f32>
    %5 = stablehlo.abs %4 : tensor<f32>
    %6 = stablehlo.compare LT, %3, %5, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %1, dense<[[0.0, 2.25, 3.5], [1.0, -4.0, 5.0]]> : tensor<2x3xf32>
  return
}
