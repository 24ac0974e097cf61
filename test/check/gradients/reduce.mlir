// RUN: ps-opt %s --ps-test-numeric-gradient -o %t && ps-run %t --entry=main

// The derivative of reduce.

func.func private @sum_rows(%x: tensor<2x3xf64>) -> tensor<2xf64> {
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

func.func private @sum_columns(%x: tensor<2x3xf64>) -> tensor<3xf64> {
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @sum_all(%x: tensor<2x3xf64>) -> tensor<f64> {
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// The initial value has a gradient, too.
func.func private @sum_middle(%x: tensor<4x2x3xf64>, %init: tensor<f64>) -> tensor<4x3xf64> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1] : (tensor<4x2x3xf64>, tensor<f64>) -> tensor<4x3xf64>
  return %0 : tensor<4x3xf64>
}

func.func private @maximum(%x: tensor<2x3xf64>) -> tensor<2xf64> {
  %init = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

func.func private @minimum(%x: tensor<4x2x3xf64>) -> tensor<2xf64> {
  %init = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.minimum across dimensions = [0, 2] : (tensor<4x2x3xf64>, tensor<f64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// Two equal elements: the central difference is one half, too.
func.func private @maximum_of_two_equals(%x: tensor<2x3xf64>) -> tensor<2xf64> {
  %init = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

func.func private @product(%x: tensor<2x3xf64>) -> tensor<2xf64> {
  %init = stablehlo.constant dense<1.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

func.func private @product_from_two(%x: tensor<2x3xf64>) -> tensor<3xf64> {
  %init = stablehlo.constant dense<2.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.multiply across dimensions = [0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// One zero, two zeros, none.
func.func private @product_with_zeros(%x: tensor<3x3xf64>) -> tensor<3xf64> {
  %init = stablehlo.constant dense<1.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.multiply across dimensions = [1] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// A body written as a region.
func.func private @region(%x: tensor<2x3xf64>) -> tensor<2xf64> {
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
   reducer(%a: tensor<f64>, %b: tensor<f64>) {
    %1 = stablehlo.add %b, %a : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }
  return %0 : tensor<2xf64>
}

func.func @main() {
  %sum_rows_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %sum_rows = call @sum_rows(%sum_rows_x) : (tensor<2x3xf64>) -> tensor<2xf64>
  %sum_columns_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %sum_columns = call @sum_columns(%sum_columns_x) : (tensor<2x3xf64>) -> tensor<3xf64>
  %sum_all_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %sum_all = call @sum_all(%sum_all_x) : (tensor<2x3xf64>) -> tensor<f64>
  %sum_middle_x = stablehlo.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], [[-1.0, 2.0, -3.0], [4.0, -5.0, 6.0]], [[7.0, 8.0, 9.0], [1.5, 2.5, 3.5]]]> : tensor<4x2x3xf64>
  %sum_middle_init = stablehlo.constant dense<0.25> : tensor<f64>
  %sum_middle = call @sum_middle(%sum_middle_x, %sum_middle_init) : (tensor<4x2x3xf64>, tensor<f64>) -> tensor<4x3xf64>
  %maximum_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %maximum = call @maximum(%maximum_x) : (tensor<2x3xf64>) -> tensor<2xf64>
  %minimum_x = stablehlo.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], [[-1.0, 2.0, -3.0], [4.0, -5.0, 6.0]], [[7.0, 8.0, 9.0], [1.5, 2.5, 3.5]]]> : tensor<4x2x3xf64>
  %minimum = call @minimum(%minimum_x) : (tensor<4x2x3xf64>) -> tensor<2xf64>
  %maximum_of_two_equals_x = stablehlo.constant dense<[[2.0, 2.0, 1.0], [0.0, 3.0, 1.0]]> : tensor<2x3xf64>
  %maximum_of_two_equals = call @maximum_of_two_equals(%maximum_of_two_equals_x) : (tensor<2x3xf64>) -> tensor<2xf64>
  %product_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %product = call @product(%product_x) : (tensor<2x3xf64>) -> tensor<2xf64>
  %product_from_two_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %product_from_two = call @product_from_two(%product_from_two_x) : (tensor<2x3xf64>) -> tensor<3xf64>
  %product_with_zeros_x = stablehlo.constant dense<[[1.5, 0.0, 2.0], [0.0, 0.0, 3.0], [1.0, 2.0, 3.0]]> : tensor<3x3xf64>
  %product_with_zeros = call @product_with_zeros(%product_with_zeros_x) : (tensor<3x3xf64>) -> tensor<3xf64>
  %region_x = stablehlo.constant dense<[[1.0, -2.0, 0.5], [0.3, 1.7, -0.6]]> : tensor<2x3xf64>
  %region = call @region(%region_x) : (tensor<2x3xf64>) -> tensor<2xf64>
  return
}
