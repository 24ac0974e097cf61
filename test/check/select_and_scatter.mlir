// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf32>
  %1 = stablehlo.constant dense<[[[[0.0], [1.0]], [[2.0], [3.0]]], [[[4.0], [5.0]], [[6.0], [7.0]]]]> : tensor<2x2x2x1xf32>
  %2 = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4x4x1xf32>, tensor<2x2x2x1xf32>, tensor<f32>) -> tensor<2x4x4x1xf32>
  check.expect_eq_const %3, dense<[[[[0.0], [0.0], [0.0], [1.0]], [[0.0], [0.0], [0.0], [0.0]], [[2.0], [0.0], [0.0], [3.0]], [[0.0], [0.0], [0.0], [0.0]]], [[[4.0], [0.0], [5.0], [0.0]], [[0.0], [0.0], [0.0], [0.0]], [[0.0], [0.0], [7.0], [0.0]], [[6.0], [0.0], [0.0], [0.0]]]]> : tensor<2x4x4x1xf32>

  // f64
  %4 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf64>
  %5 = stablehlo.constant dense<[[[[0.0], [1.0]], [[2.0], [3.0]]], [[[4.0], [5.0]], [[6.0], [7.0]]]]> : tensor<2x2x2x1xf64>
  %6 = stablehlo.constant dense<0.0> : tensor<f64>
  %7 = "stablehlo.select_and_scatter"(%4, %5, %6) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<2x4x4x1xf64>, tensor<2x2x2x1xf64>, tensor<f64>) -> tensor<2x4x4x1xf64>
  check.expect_eq_const %7, dense<[[[[0.0], [0.0], [0.0], [1.0]], [[0.0], [0.0], [0.0], [0.0]], [[2.0], [0.0], [0.0], [3.0]], [[0.0], [0.0], [0.0], [0.0]]], [[[4.0], [0.0], [5.0], [0.0]], [[0.0], [0.0], [0.0], [0.0]], [[0.0], [0.0], [7.0], [0.0]], [[6.0], [0.0], [0.0], [0.0]]]]> : tensor<2x4x4x1xf64>

  // bf16
  %8 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xbf16>
  %9 = stablehlo.constant dense<[[[[0.0], [1.0]], [[2.0], [3.0]]], [[[4.0], [5.0]], [[6.0], [7.0]]]]> : tensor<2x2x2x1xbf16>
  %10 = stablehlo.constant dense<0.0> : tensor<bf16>
  %11 = "stablehlo.select_and_scatter"(%8, %9, %10) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %c = stablehlo.compare GE, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %c = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %c : tensor<bf16>
  }) : (tensor<2x4x4x1xbf16>, tensor<2x2x2x1xbf16>, tensor<bf16>) -> tensor<2x4x4x1xbf16>
  check.expect_eq_const %11, dense<[[[[0.0], [0.0], [0.0], [1.0]], [[0.0], [0.0], [0.0], [0.0]], [[2.0], [0.0], [0.0], [3.0]], [[0.0], [0.0], [0.0], [0.0]]], [[[4.0], [0.0], [5.0], [0.0]], [[0.0], [0.0], [0.0], [0.0]], [[0.0], [0.0], [7.0], [0.0]], [[6.0], [0.0], [0.0], [0.0]]]]> : tensor<2x4x4x1xbf16>

  // f16
  %12 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf16>
  %13 = stablehlo.constant dense<[[[[0.0], [1.0]], [[2.0], [3.0]]], [[[4.0], [5.0]], [[6.0], [7.0]]]]> : tensor<2x2x2x1xf16>
  %14 = stablehlo.constant dense<0.0> : tensor<f16>
  %15 = "stablehlo.select_and_scatter"(%12, %13, %14) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<2x4x4x1xf16>, tensor<2x2x2x1xf16>, tensor<f16>) -> tensor<2x4x4x1xf16>
  check.expect_eq_const %15, dense<[[[[0.0], [0.0], [0.0], [1.0]], [[0.0], [0.0], [0.0], [0.0]], [[2.0], [0.0], [0.0], [3.0]], [[0.0], [0.0], [0.0], [0.0]]], [[[4.0], [0.0], [5.0], [0.0]], [[0.0], [0.0], [0.0], [0.0]], [[0.0], [0.0], [7.0], [0.0]], [[6.0], [0.0], [0.0], [0.0]]]]> : tensor<2x4x4x1xf16>

  // i8
  %16 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi8>
  %17 = stablehlo.constant dense<[[[[0], [1]], [[2], [3]]], [[[4], [5]], [[6], [7]]]]> : tensor<2x2x2x1xi8>
  %18 = stablehlo.constant dense<0> : tensor<i8>
  %19 = "stablehlo.select_and_scatter"(%16, %17, %18) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %c : tensor<i8>
  }) : (tensor<2x4x4x1xi8>, tensor<2x2x2x1xi8>, tensor<i8>) -> tensor<2x4x4x1xi8>
  check.expect_eq_const %19, dense<[[[[0], [0], [0], [1]], [[0], [0], [0], [0]], [[2], [0], [0], [3]], [[0], [0], [0], [0]]], [[[4], [0], [5], [0]], [[0], [0], [0], [0]], [[0], [0], [7], [0]], [[6], [0], [0], [0]]]]> : tensor<2x4x4x1xi8>

  // i16
  %20 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi16>
  %21 = stablehlo.constant dense<[[[[0], [1]], [[2], [3]]], [[[4], [5]], [[6], [7]]]]> : tensor<2x2x2x1xi16>
  %22 = stablehlo.constant dense<0> : tensor<i16>
  %23 = "stablehlo.select_and_scatter"(%20, %21, %22) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %c = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %c : tensor<i16>
  }) : (tensor<2x4x4x1xi16>, tensor<2x2x2x1xi16>, tensor<i16>) -> tensor<2x4x4x1xi16>
  check.expect_eq_const %23, dense<[[[[0], [0], [0], [1]], [[0], [0], [0], [0]], [[2], [0], [0], [3]], [[0], [0], [0], [0]]], [[[4], [0], [5], [0]], [[0], [0], [0], [0]], [[0], [0], [7], [0]], [[6], [0], [0], [0]]]]> : tensor<2x4x4x1xi16>

  // i32
  %24 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi32>
  %25 = stablehlo.constant dense<[[[[0], [1]], [[2], [3]]], [[[4], [5]], [[6], [7]]]]> : tensor<2x2x2x1xi32>
  %26 = stablehlo.constant dense<0> : tensor<i32>
  %27 = "stablehlo.select_and_scatter"(%24, %25, %26) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<2x4x4x1xi32>, tensor<2x2x2x1xi32>, tensor<i32>) -> tensor<2x4x4x1xi32>
  check.expect_eq_const %27, dense<[[[[0], [0], [0], [1]], [[0], [0], [0], [0]], [[2], [0], [0], [3]], [[0], [0], [0], [0]]], [[[4], [0], [5], [0]], [[0], [0], [0], [0]], [[0], [0], [7], [0]], [[6], [0], [0], [0]]]]> : tensor<2x4x4x1xi32>

  // i64
  %28 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi64>
  %29 = stablehlo.constant dense<[[[[0], [1]], [[2], [3]]], [[[4], [5]], [[6], [7]]]]> : tensor<2x2x2x1xi64>
  %30 = stablehlo.constant dense<0> : tensor<i64>
  %31 = "stablehlo.select_and_scatter"(%28, %29, %30) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %c = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %c : tensor<i64>
  }) : (tensor<2x4x4x1xi64>, tensor<2x2x2x1xi64>, tensor<i64>) -> tensor<2x4x4x1xi64>
  check.expect_eq_const %31, dense<[[[[0], [0], [0], [1]], [[0], [0], [0], [0]], [[2], [0], [0], [3]], [[0], [0], [0], [0]]], [[[4], [0], [5], [0]], [[0], [0], [0], [0]], [[0], [0], [7], [0]], [[6], [0], [0], [0]]]]> : tensor<2x4x4x1xi64>

  // ui8
  %32 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui8>
  %33 = stablehlo.constant dense<[[[[0], [1]], [[2], [3]]], [[[4], [5]], [[6], [7]]]]> : tensor<2x2x2x1xui8>
  %34 = stablehlo.constant dense<0> : tensor<ui8>
  %35 = "stablehlo.select_and_scatter"(%32, %33, %34) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %c = stablehlo.compare GE, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %c = stablehlo.add %a, %b : tensor<ui8>
    stablehlo.return %c : tensor<ui8>
  }) : (tensor<2x4x4x1xui8>, tensor<2x2x2x1xui8>, tensor<ui8>) -> tensor<2x4x4x1xui8>
  check.expect_eq_const %35, dense<[[[[0], [0], [0], [1]], [[0], [0], [0], [0]], [[2], [0], [0], [3]], [[0], [0], [0], [0]]], [[[4], [0], [5], [0]], [[0], [0], [0], [0]], [[0], [0], [7], [0]], [[6], [0], [0], [0]]]]> : tensor<2x4x4x1xui8>

  // ui16
  %36 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui16>
  %37 = stablehlo.constant dense<[[[[0], [1]], [[2], [3]]], [[[4], [5]], [[6], [7]]]]> : tensor<2x2x2x1xui16>
  %38 = stablehlo.constant dense<0> : tensor<ui16>
  %39 = "stablehlo.select_and_scatter"(%36, %37, %38) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui16>, %b: tensor<ui16>):
    %c = stablehlo.compare GE, %a, %b : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<ui16>, %b: tensor<ui16>):
    %c = stablehlo.add %a, %b : tensor<ui16>
    stablehlo.return %c : tensor<ui16>
  }) : (tensor<2x4x4x1xui16>, tensor<2x2x2x1xui16>, tensor<ui16>) -> tensor<2x4x4x1xui16>
  check.expect_eq_const %39, dense<[[[[0], [0], [0], [1]], [[0], [0], [0], [0]], [[2], [0], [0], [3]], [[0], [0], [0], [0]]], [[[4], [0], [5], [0]], [[0], [0], [0], [0]], [[0], [0], [7], [0]], [[6], [0], [0], [0]]]]> : tensor<2x4x4x1xui16>

  // ui32
  %40 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui32>
  %41 = stablehlo.constant dense<[[[[0], [1]], [[2], [3]]], [[[4], [5]], [[6], [7]]]]> : tensor<2x2x2x1xui32>
  %42 = stablehlo.constant dense<0> : tensor<ui32>
  %43 = "stablehlo.select_and_scatter"(%40, %41, %42) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %c = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %c : tensor<ui32>
  }) : (tensor<2x4x4x1xui32>, tensor<2x2x2x1xui32>, tensor<ui32>) -> tensor<2x4x4x1xui32>
  check.expect_eq_const %43, dense<[[[[0], [0], [0], [1]], [[0], [0], [0], [0]], [[2], [0], [0], [3]], [[0], [0], [0], [0]]], [[[4], [0], [5], [0]], [[0], [0], [0], [0]], [[0], [0], [7], [0]], [[6], [0], [0], [0]]]]> : tensor<2x4x4x1xui32>

  // ui64
  %44 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui64>
  %45 = stablehlo.constant dense<[[[[0], [1]], [[2], [3]]], [[[4], [5]], [[6], [7]]]]> : tensor<2x2x2x1xui64>
  %46 = stablehlo.constant dense<0> : tensor<ui64>
  %47 = "stablehlo.select_and_scatter"(%44, %45, %46) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %c = stablehlo.compare GE, %a, %b : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %c = stablehlo.add %a, %b : tensor<ui64>
    stablehlo.return %c : tensor<ui64>
  }) : (tensor<2x4x4x1xui64>, tensor<2x2x2x1xui64>, tensor<ui64>) -> tensor<2x4x4x1xui64>
  check.expect_eq_const %47, dense<[[[[0], [0], [0], [1]], [[0], [0], [0], [0]], [[2], [0], [0], [3]], [[0], [0], [0], [0]]], [[[4], [0], [5], [0]], [[0], [0], [0], [0]], [[0], [0], [7], [0]], [[6], [0], [0], [0]]]]> : tensor<2x4x4x1xui64>

  // f32: windows
  %48 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0]]> : tensor<5x4xf32>
  %49 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]> : tensor<3x3xf32>
  %50 = stablehlo.constant dense<0.0> : tensor<f32>
  %51 = "stablehlo.select_and_scatter"(%48, %49, %50) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<5x4xf32>, tensor<3x3xf32>, tensor<f32>) -> tensor<5x4xf32>
  check.expect_eq_const %51, dense<[[0.0, 1.0, 0.0, 2.0], [0.0, 0.0, 5.0, 0.0], [3.0, 0.0, 0.0, 0.0], [0.0, 17.0, 0.0, 0.0], [0.0, 0.0, 8.0, 0.0]]> : tensor<5x4xf32>
  %52 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0]]> : tensor<5x4xf32>
  %53 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]> : tensor<3x3xf32>
  %54 = stablehlo.constant dense<0.0> : tensor<f32>
  %55 = "stablehlo.select_and_scatter"(%52, %53, %54) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<5x4xf32>, tensor<3x3xf32>, tensor<f32>) -> tensor<5x4xf32>
  check.expect_eq_const %55, dense<[[0.0, 0.0, 0.0, 2.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 5.0], [0.0, 13.0, 0.0, 0.0], [0.0, 0.0, 15.0, 0.0]]> : tensor<5x4xf32>
  %56 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0]]> : tensor<5x4xf32>
  %57 = stablehlo.constant dense<[[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]> : tensor<7x1xf32>
  %58 = stablehlo.constant dense<0.0> : tensor<f32>
  %59 = "stablehlo.select_and_scatter"(%56, %57, %58) <{padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<5x4xf32>, tensor<7x1xf32>, tensor<f32>) -> tensor<5x4xf32>
  check.expect_eq_const %59, dense<[[3.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [9.0, 0.0, 0.0, 0.0], [0.0, 6.0, 0.0, 0.0]]> : tensor<5x4xf32>
  %60 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0], [3.0, 1.0, 4.0], [2.0, 0.0, 3.0], [1.0, 4.0, 2.0], [0.0, 3.0, 1.0], [4.0, 2.0, 0.0]]> : tensor<7x3xf32>
  %61 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]> : tensor<3x3xf32>
  %62 = stablehlo.constant dense<3.0> : tensor<f32>
  %63 = "stablehlo.select_and_scatter"(%60, %61, %62) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<3x3xf32>, tensor<f32>) -> tensor<7x3xf32>
  check.expect_eq_const %63, dense<[[3.0, 4.0, 5.0], [3.0, 3.0, 3.0], [6.0, 7.0, 8.0], [3.0, 3.0, 3.0], [9.0, 10.0, 11.0], [3.0, 3.0, 3.0], [3.0, 3.0, 3.0]]> : tensor<7x3xf32>
  %64 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0]]> : tensor<4x4xf32>
  %65 = stablehlo.constant dense<[[0.0]]> : tensor<1x1xf32>
  %66 = stablehlo.constant dense<0.0> : tensor<f32>
  %67 = "stablehlo.select_and_scatter"(%64, %65, %66) <{padding = dense<[[-1, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 4>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<1x1xf32>, tensor<f32>) -> tensor<4x4xf32>
  check.expect_eq_const %67, dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %68 = stablehlo.constant dense<[[0.0, 3.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %69 = stablehlo.constant dense<[[0.0], [1.0], [2.0], [3.0]]> : tensor<4x1xf32>
  %70 = stablehlo.constant dense<0.0> : tensor<f32>
  %71 = "stablehlo.select_and_scatter"(%68, %69, %70) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x2xf32>, tensor<4x1xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %71, dense<[[0.0, 1.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %72 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0]]> : tensor<2x3xf32>
  %73 = stablehlo.constant dense<> : tensor<0x2xf32>
  %74 = stablehlo.constant dense<0.0> : tensor<f32>
  %75 = "stablehlo.select_and_scatter"(%72, %73, %74) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<0x2xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %75, dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %76 = stablehlo.constant dense<> : tensor<0x2xf32>
  %77 = stablehlo.constant dense<> : tensor<0x1xf32>
  %78 = stablehlo.constant dense<0.0> : tensor<f32>
  %79 = "stablehlo.select_and_scatter"(%76, %77, %78) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<0x2xf32>, tensor<0x1xf32>, tensor<f32>) -> tensor<0x2xf32>
  check.expect_eq_const %79, dense<> : tensor<0x2xf32>
  %80 = stablehlo.constant dense<> : tensor<0x2xf32>
  %81 = stablehlo.constant dense<[[0.0]]> : tensor<1x1xf32>
  %82 = stablehlo.constant dense<0.0> : tensor<f32>
  %83 = "stablehlo.select_and_scatter"(%80, %81, %82) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<0x2xf32>, tensor<1x1xf32>, tensor<f32>) -> tensor<0x2xf32>
  check.expect_eq_const %83, dense<> : tensor<0x2xf32>
  %84 = stablehlo.constant dense<0.0> : tensor<f32>
  %85 = stablehlo.constant dense<0.0> : tensor<f32>
  %86 = stablehlo.constant dense<0.0> : tensor<f32>
  %87 = "stablehlo.select_and_scatter"(%84, %85, %86) <{padding = dense<> : tensor<0x2xi64>, window_dimensions = array<i64>, window_strides = array<i64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %87, dense<0.0> : tensor<f32>

  // f64: windows
  %88 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0]]> : tensor<5x4xf64>
  %89 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]> : tensor<3x3xf64>
  %90 = stablehlo.constant dense<0.0> : tensor<f64>
  %91 = "stablehlo.select_and_scatter"(%88, %89, %90) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<5x4xf64>, tensor<3x3xf64>, tensor<f64>) -> tensor<5x4xf64>
  check.expect_eq_const %91, dense<[[0.0, 1.0, 0.0, 2.0], [0.0, 0.0, 5.0, 0.0], [3.0, 0.0, 0.0, 0.0], [0.0, 17.0, 0.0, 0.0], [0.0, 0.0, 8.0, 0.0]]> : tensor<5x4xf64>
  %92 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0]]> : tensor<5x4xf64>
  %93 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]> : tensor<3x3xf64>
  %94 = stablehlo.constant dense<0.0> : tensor<f64>
  %95 = "stablehlo.select_and_scatter"(%92, %93, %94) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<5x4xf64>, tensor<3x3xf64>, tensor<f64>) -> tensor<5x4xf64>
  check.expect_eq_const %95, dense<[[0.0, 0.0, 0.0, 2.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 5.0], [0.0, 13.0, 0.0, 0.0], [0.0, 0.0, 15.0, 0.0]]> : tensor<5x4xf64>
  %96 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0]]> : tensor<5x4xf64>
  %97 = stablehlo.constant dense<[[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]> : tensor<7x1xf64>
  %98 = stablehlo.constant dense<0.0> : tensor<f64>
  %99 = "stablehlo.select_and_scatter"(%96, %97, %98) <{padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 3>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare LE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<5x4xf64>, tensor<7x1xf64>, tensor<f64>) -> tensor<5x4xf64>
  check.expect_eq_const %99, dense<[[3.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [9.0, 0.0, 0.0, 0.0], [0.0, 6.0, 0.0, 0.0]]> : tensor<5x4xf64>
  %100 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0], [3.0, 1.0, 4.0], [2.0, 0.0, 3.0], [1.0, 4.0, 2.0], [0.0, 3.0, 1.0], [4.0, 2.0, 0.0]]> : tensor<7x3xf64>
  %101 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]> : tensor<3x3xf64>
  %102 = stablehlo.constant dense<3.0> : tensor<f64>
  %103 = "stablehlo.select_and_scatter"(%100, %101, %102) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<7x3xf64>, tensor<3x3xf64>, tensor<f64>) -> tensor<7x3xf64>
  check.expect_eq_const %103, dense<[[3.0, 4.0, 5.0], [3.0, 3.0, 3.0], [6.0, 7.0, 8.0], [3.0, 3.0, 3.0], [9.0, 10.0, 11.0], [3.0, 3.0, 3.0], [3.0, 3.0, 3.0]]> : tensor<7x3xf64>
  %104 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0]]> : tensor<4x4xf64>
  %105 = stablehlo.constant dense<[[0.0]]> : tensor<1x1xf64>
  %106 = stablehlo.constant dense<0.0> : tensor<f64>
  %107 = "stablehlo.select_and_scatter"(%104, %105, %106) <{padding = dense<[[-1, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 4>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<1x1xf64>, tensor<f64>) -> tensor<4x4xf64>
  check.expect_eq_const %107, dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf64>
  %108 = stablehlo.constant dense<[[0.0, 3.0], [1.0, 4.0]]> : tensor<2x2xf64>
  %109 = stablehlo.constant dense<[[0.0], [1.0], [2.0], [3.0]]> : tensor<4x1xf64>
  %110 = stablehlo.constant dense<0.0> : tensor<f64>
  %111 = "stablehlo.select_and_scatter"(%108, %109, %110) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<2x2xf64>, tensor<4x1xf64>, tensor<f64>) -> tensor<2x2xf64>
  check.expect_eq_const %111, dense<[[0.0, 1.0], [0.0, 2.0]]> : tensor<2x2xf64>
  %112 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0]]> : tensor<2x3xf64>
  %113 = stablehlo.constant dense<> : tensor<0x2xf64>
  %114 = stablehlo.constant dense<0.0> : tensor<f64>
  %115 = "stablehlo.select_and_scatter"(%112, %113, %114) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<2x3xf64>, tensor<0x2xf64>, tensor<f64>) -> tensor<2x3xf64>
  check.expect_eq_const %115, dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf64>
  %116 = stablehlo.constant dense<> : tensor<0x2xf64>
  %117 = stablehlo.constant dense<> : tensor<0x1xf64>
  %118 = stablehlo.constant dense<0.0> : tensor<f64>
  %119 = "stablehlo.select_and_scatter"(%116, %117, %118) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<0x2xf64>, tensor<0x1xf64>, tensor<f64>) -> tensor<0x2xf64>
  check.expect_eq_const %119, dense<> : tensor<0x2xf64>
  %120 = stablehlo.constant dense<> : tensor<0x2xf64>
  %121 = stablehlo.constant dense<[[0.0]]> : tensor<1x1xf64>
  %122 = stablehlo.constant dense<0.0> : tensor<f64>
  %123 = "stablehlo.select_and_scatter"(%120, %121, %122) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<0x2xf64>, tensor<1x1xf64>, tensor<f64>) -> tensor<0x2xf64>
  check.expect_eq_const %123, dense<> : tensor<0x2xf64>
  %124 = stablehlo.constant dense<0.0> : tensor<f64>
  %125 = stablehlo.constant dense<0.0> : tensor<f64>
  %126 = stablehlo.constant dense<0.0> : tensor<f64>
  %127 = "stablehlo.select_and_scatter"(%124, %125, %126) <{padding = dense<> : tensor<0x2xi64>, window_dimensions = array<i64>, window_strides = array<i64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<f64>, tensor<f64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %127, dense<0.0> : tensor<f64>

  // i32: windows
  %128 = stablehlo.constant dense<[[0, 3, 1, 4], [2, 0, 3, 1], [4, 2, 0, 3], [1, 4, 2, 0], [3, 1, 4, 2]]> : tensor<5x4xi32>
  %129 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8]]> : tensor<3x3xi32>
  %130 = stablehlo.constant dense<0> : tensor<i32>
  %131 = "stablehlo.select_and_scatter"(%128, %129, %130) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<5x4xi32>, tensor<3x3xi32>, tensor<i32>) -> tensor<5x4xi32>
  check.expect_eq_const %131, dense<[[0, 1, 0, 2], [0, 0, 5, 0], [3, 0, 0, 0], [0, 17, 0, 0], [0, 0, 8, 0]]> : tensor<5x4xi32>
  %132 = stablehlo.constant dense<[[0, 3, 1, 4], [2, 0, 3, 1], [4, 2, 0, 3], [1, 4, 2, 0], [3, 1, 4, 2]]> : tensor<5x4xi32>
  %133 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8]]> : tensor<3x3xi32>
  %134 = stablehlo.constant dense<0> : tensor<i32>
  %135 = "stablehlo.select_and_scatter"(%132, %133, %134) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<5x4xi32>, tensor<3x3xi32>, tensor<i32>) -> tensor<5x4xi32>
  check.expect_eq_const %135, dense<[[0, 0, 0, 2], [0, 0, 1, 0], [0, 0, 0, 5], [0, 13, 0, 0], [0, 0, 15, 0]]> : tensor<5x4xi32>
  %136 = stablehlo.constant dense<[[0, 3, 1, 4], [2, 0, 3, 1], [4, 2, 0, 3], [1, 4, 2, 0], [3, 1, 4, 2]]> : tensor<5x4xi32>
  %137 = stablehlo.constant dense<[[0], [1], [2], [3], [4], [5], [6]]> : tensor<7x1xi32>
  %138 = stablehlo.constant dense<0> : tensor<i32>
  %139 = "stablehlo.select_and_scatter"(%136, %137, %138) <{padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 3>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare LE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<5x4xi32>, tensor<7x1xi32>, tensor<i32>) -> tensor<5x4xi32>
  check.expect_eq_const %139, dense<[[3, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0], [9, 0, 0, 0], [0, 6, 0, 0]]> : tensor<5x4xi32>
  %140 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0], [3, 1, 4], [2, 0, 3], [1, 4, 2], [0, 3, 1], [4, 2, 0]]> : tensor<7x3xi32>
  %141 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8]]> : tensor<3x3xi32>
  %142 = stablehlo.constant dense<3> : tensor<i32>
  %143 = "stablehlo.select_and_scatter"(%140, %141, %142) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<7x3xi32>, tensor<3x3xi32>, tensor<i32>) -> tensor<7x3xi32>
  check.expect_eq_const %143, dense<[[3, 4, 5], [3, 3, 3], [6, 7, 8], [3, 3, 3], [9, 10, 11], [3, 3, 3], [3, 3, 3]]> : tensor<7x3xi32>
  %144 = stablehlo.constant dense<[[0, 3, 1, 4], [2, 0, 3, 1], [4, 2, 0, 3], [1, 4, 2, 0]]> : tensor<4x4xi32>
  %145 = stablehlo.constant dense<[[0]]> : tensor<1x1xi32>
  %146 = stablehlo.constant dense<0> : tensor<i32>
  %147 = "stablehlo.select_and_scatter"(%144, %145, %146) <{padding = dense<[[-1, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 4>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<4x4xi32>, tensor<1x1xi32>, tensor<i32>) -> tensor<4x4xi32>
  check.expect_eq_const %147, dense<[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<4x4xi32>
  %148 = stablehlo.constant dense<[[0, 3], [1, 4]]> : tensor<2x2xi32>
  %149 = stablehlo.constant dense<[[0], [1], [2], [3]]> : tensor<4x1xi32>
  %150 = stablehlo.constant dense<0> : tensor<i32>
  %151 = "stablehlo.select_and_scatter"(%148, %149, %150) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<2x2xi32>, tensor<4x1xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %151, dense<[[0, 1], [0, 2]]> : tensor<2x2xi32>
  %152 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0]]> : tensor<2x3xi32>
  %153 = stablehlo.constant dense<> : tensor<0x2xi32>
  %154 = stablehlo.constant dense<0> : tensor<i32>
  %155 = "stablehlo.select_and_scatter"(%152, %153, %154) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<0x2xi32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %155, dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xi32>
  %156 = stablehlo.constant dense<> : tensor<0x2xi32>
  %157 = stablehlo.constant dense<> : tensor<0x1xi32>
  %158 = stablehlo.constant dense<0> : tensor<i32>
  %159 = "stablehlo.select_and_scatter"(%156, %157, %158) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<0x2xi32>, tensor<0x1xi32>, tensor<i32>) -> tensor<0x2xi32>
  check.expect_eq_const %159, dense<> : tensor<0x2xi32>
  %160 = stablehlo.constant dense<> : tensor<0x2xi32>
  %161 = stablehlo.constant dense<[[0]]> : tensor<1x1xi32>
  %162 = stablehlo.constant dense<0> : tensor<i32>
  %163 = "stablehlo.select_and_scatter"(%160, %161, %162) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<0x2xi32>, tensor<1x1xi32>, tensor<i32>) -> tensor<0x2xi32>
  check.expect_eq_const %163, dense<> : tensor<0x2xi32>
  %164 = stablehlo.constant dense<0> : tensor<i32>
  %165 = stablehlo.constant dense<0> : tensor<i32>
  %166 = stablehlo.constant dense<0> : tensor<i32>
  %167 = "stablehlo.select_and_scatter"(%164, %165, %166) <{padding = dense<> : tensor<0x2xi64>, window_dimensions = array<i64>, window_strides = array<i64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %167, dense<0> : tensor<i32>

  // equal elements, and what is no number
  %168 = stablehlo.constant dense<[2.0, 2.0, 2.0, 1.0, 0x7FC00000, 0.0]> : tensor<6xf32>
  %169 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %170 = stablehlo.constant dense<0.0> : tensor<f32>
  %171 = "stablehlo.select_and_scatter"(%168, %169, %170) <{padding = dense<[[0, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<6xf32>, tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  check.expect_eq_const %171, dense<[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]> : tensor<6xf32>
  return
}
