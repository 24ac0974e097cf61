// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf32>
  %1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2 = "stablehlo.reduce_window"(%0, %1) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4x4x1xf32>, tensor<f32>) -> tensor<2x2x2x1xf32>
  check.expect_eq_const %2, dense<[[[[3.0], [4.0]], [[4.0], [3.0]]], [[[3.0], [4.0]], [[4.0], [3.0]]]]> : tensor<2x2x2x1xf32>
  %3 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf32>
  %4 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %5 = "stablehlo.reduce_window"(%3, %4) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4x4x1xf32>, tensor<f32>) -> tensor<2x2x2x1xf32>
  check.expect_eq_const %5, dense<[[[[0.0], [1.0]], [[1.0], [0.0]]], [[[0.0], [1.0]], [[0.0], [0.0]]]]> : tensor<2x2x2x1xf32>
  %6 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf32>
  %7 = stablehlo.constant dense<0.0> : tensor<f32>
  %8 = "stablehlo.reduce_window"(%6, %7) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4x4x1xf32>, tensor<f32>) -> tensor<2x2x2x1xf32>
  check.expect_eq_const %8, dense<[[[[5.0], [9.0]], [[11.0], [5.0]]], [[[7.0], [11.0]], [[8.0], [7.0]]]]> : tensor<2x2x2x1xf32>
  %9 = stablehlo.constant dense<[0.0, 3.0, 1.0, 4.0, 2.0]> : tensor<5xf32>
  %10 = stablehlo.constant dense<0.0> : tensor<f32>
  %11 = "stablehlo.reduce_window"(%9, %10) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  check.expect_eq_const %11, dense<[0.0, 3.0, 4.0, 8.0, 10.0]> : tensor<5xf32>

  // f64
  %12 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf64>
  %13 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %14 = "stablehlo.reduce_window"(%12, %13) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<2x4x4x1xf64>, tensor<f64>) -> tensor<2x2x2x1xf64>
  check.expect_eq_const %14, dense<[[[[3.0], [4.0]], [[4.0], [3.0]]], [[[3.0], [4.0]], [[4.0], [3.0]]]]> : tensor<2x2x2x1xf64>
  %15 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf64>
  %16 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %17 = "stablehlo.reduce_window"(%15, %16) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<2x4x4x1xf64>, tensor<f64>) -> tensor<2x2x2x1xf64>
  check.expect_eq_const %17, dense<[[[[0.0], [1.0]], [[1.0], [0.0]]], [[[0.0], [1.0]], [[0.0], [0.0]]]]> : tensor<2x2x2x1xf64>
  %18 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf64>
  %19 = stablehlo.constant dense<0.0> : tensor<f64>
  %20 = "stablehlo.reduce_window"(%18, %19) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<2x4x4x1xf64>, tensor<f64>) -> tensor<2x2x2x1xf64>
  check.expect_eq_const %20, dense<[[[[5.0], [9.0]], [[11.0], [5.0]]], [[[7.0], [11.0]], [[8.0], [7.0]]]]> : tensor<2x2x2x1xf64>
  %21 = stablehlo.constant dense<[0.0, 3.0, 1.0, 4.0, 2.0]> : tensor<5xf64>
  %22 = stablehlo.constant dense<0.0> : tensor<f64>
  %23 = "stablehlo.reduce_window"(%21, %22) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<5xf64>, tensor<f64>) -> tensor<5xf64>
  check.expect_eq_const %23, dense<[0.0, 3.0, 4.0, 8.0, 10.0]> : tensor<5xf64>

  // bf16
  %24 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xbf16>
  %25 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %26 = "stablehlo.reduce_window"(%24, %25) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %c = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %c : tensor<bf16>
  }) : (tensor<2x4x4x1xbf16>, tensor<bf16>) -> tensor<2x2x2x1xbf16>
  check.expect_eq_const %26, dense<[[[[3.0], [4.0]], [[4.0], [3.0]]], [[[3.0], [4.0]], [[4.0], [3.0]]]]> : tensor<2x2x2x1xbf16>
  %27 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xbf16>
  %28 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %29 = "stablehlo.reduce_window"(%27, %28) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %c = stablehlo.minimum %a, %b : tensor<bf16>
    stablehlo.return %c : tensor<bf16>
  }) : (tensor<2x4x4x1xbf16>, tensor<bf16>) -> tensor<2x2x2x1xbf16>
  check.expect_eq_const %29, dense<[[[[0.0], [1.0]], [[1.0], [0.0]]], [[[0.0], [1.0]], [[0.0], [0.0]]]]> : tensor<2x2x2x1xbf16>
  %30 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xbf16>
  %31 = stablehlo.constant dense<0.0> : tensor<bf16>
  %32 = "stablehlo.reduce_window"(%30, %31) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %c = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %c : tensor<bf16>
  }) : (tensor<2x4x4x1xbf16>, tensor<bf16>) -> tensor<2x2x2x1xbf16>
  check.expect_eq_const %32, dense<[[[[5.0], [9.0]], [[11.0], [5.0]]], [[[7.0], [11.0]], [[8.0], [7.0]]]]> : tensor<2x2x2x1xbf16>
  %33 = stablehlo.constant dense<[0.0, 3.0, 1.0, 4.0, 2.0]> : tensor<5xbf16>
  %34 = stablehlo.constant dense<0.0> : tensor<bf16>
  %35 = "stablehlo.reduce_window"(%33, %34) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %c = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %c : tensor<bf16>
  }) : (tensor<5xbf16>, tensor<bf16>) -> tensor<5xbf16>
  check.expect_eq_const %35, dense<[0.0, 3.0, 4.0, 8.0, 10.0]> : tensor<5xbf16>

  // f16
  %36 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf16>
  %37 = stablehlo.constant dense<0xFC00> : tensor<f16>
  %38 = "stablehlo.reduce_window"(%36, %37) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.maximum %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<2x4x4x1xf16>, tensor<f16>) -> tensor<2x2x2x1xf16>
  check.expect_eq_const %38, dense<[[[[3.0], [4.0]], [[4.0], [3.0]]], [[[3.0], [4.0]], [[4.0], [3.0]]]]> : tensor<2x2x2x1xf16>
  %39 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf16>
  %40 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %41 = "stablehlo.reduce_window"(%39, %40) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.minimum %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<2x4x4x1xf16>, tensor<f16>) -> tensor<2x2x2x1xf16>
  check.expect_eq_const %41, dense<[[[[0.0], [1.0]], [[1.0], [0.0]]], [[[0.0], [1.0]], [[0.0], [0.0]]]]> : tensor<2x2x2x1xf16>
  %42 = stablehlo.constant dense<[[[[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]], [[1.0], [4.0], [2.0], [0.0]]], [[[3.0], [1.0], [4.0], [2.0]], [[0.0], [3.0], [1.0], [4.0]], [[2.0], [0.0], [3.0], [1.0]], [[4.0], [2.0], [0.0], [3.0]]]]> : tensor<2x4x4x1xf16>
  %43 = stablehlo.constant dense<0.0> : tensor<f16>
  %44 = "stablehlo.reduce_window"(%42, %43) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<2x4x4x1xf16>, tensor<f16>) -> tensor<2x2x2x1xf16>
  check.expect_eq_const %44, dense<[[[[5.0], [9.0]], [[11.0], [5.0]]], [[[7.0], [11.0]], [[8.0], [7.0]]]]> : tensor<2x2x2x1xf16>
  %45 = stablehlo.constant dense<[0.0, 3.0, 1.0, 4.0, 2.0]> : tensor<5xf16>
  %46 = stablehlo.constant dense<0.0> : tensor<f16>
  %47 = "stablehlo.reduce_window"(%45, %46) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<5xf16>, tensor<f16>) -> tensor<5xf16>
  check.expect_eq_const %47, dense<[0.0, 3.0, 4.0, 8.0, 10.0]> : tensor<5xf16>

  // i8
  %48 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi8>
  %49 = stablehlo.constant dense<-128> : tensor<i8>
  %50 = "stablehlo.reduce_window"(%48, %49) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %c : tensor<i8>
  }) : (tensor<2x4x4x1xi8>, tensor<i8>) -> tensor<2x2x2x1xi8>
  check.expect_eq_const %50, dense<[[[[3], [4]], [[4], [3]]], [[[3], [4]], [[4], [3]]]]> : tensor<2x2x2x1xi8>
  %51 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi8>
  %52 = stablehlo.constant dense<127> : tensor<i8>
  %53 = "stablehlo.reduce_window"(%51, %52) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %c : tensor<i8>
  }) : (tensor<2x4x4x1xi8>, tensor<i8>) -> tensor<2x2x2x1xi8>
  check.expect_eq_const %53, dense<[[[[0], [1]], [[1], [0]]], [[[0], [1]], [[0], [0]]]]> : tensor<2x2x2x1xi8>
  %54 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi8>
  %55 = stablehlo.constant dense<0> : tensor<i8>
  %56 = "stablehlo.reduce_window"(%54, %55) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %c : tensor<i8>
  }) : (tensor<2x4x4x1xi8>, tensor<i8>) -> tensor<2x2x2x1xi8>
  check.expect_eq_const %56, dense<[[[[5], [9]], [[11], [5]]], [[[7], [11]], [[8], [7]]]]> : tensor<2x2x2x1xi8>
  %57 = stablehlo.constant dense<[0, 3, 1, 4, 2]> : tensor<5xi8>
  %58 = stablehlo.constant dense<0> : tensor<i8>
  %59 = "stablehlo.reduce_window"(%57, %58) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %c : tensor<i8>
  }) : (tensor<5xi8>, tensor<i8>) -> tensor<5xi8>
  check.expect_eq_const %59, dense<[0, 3, 4, 8, 10]> : tensor<5xi8>

  // i16
  %60 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi16>
  %61 = stablehlo.constant dense<-32768> : tensor<i16>
  %62 = "stablehlo.reduce_window"(%60, %61) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %c = stablehlo.maximum %a, %b : tensor<i16>
    stablehlo.return %c : tensor<i16>
  }) : (tensor<2x4x4x1xi16>, tensor<i16>) -> tensor<2x2x2x1xi16>
  check.expect_eq_const %62, dense<[[[[3], [4]], [[4], [3]]], [[[3], [4]], [[4], [3]]]]> : tensor<2x2x2x1xi16>
  %63 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi16>
  %64 = stablehlo.constant dense<32767> : tensor<i16>
  %65 = "stablehlo.reduce_window"(%63, %64) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %c = stablehlo.minimum %a, %b : tensor<i16>
    stablehlo.return %c : tensor<i16>
  }) : (tensor<2x4x4x1xi16>, tensor<i16>) -> tensor<2x2x2x1xi16>
  check.expect_eq_const %65, dense<[[[[0], [1]], [[1], [0]]], [[[0], [1]], [[0], [0]]]]> : tensor<2x2x2x1xi16>
  %66 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi16>
  %67 = stablehlo.constant dense<0> : tensor<i16>
  %68 = "stablehlo.reduce_window"(%66, %67) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %c = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %c : tensor<i16>
  }) : (tensor<2x4x4x1xi16>, tensor<i16>) -> tensor<2x2x2x1xi16>
  check.expect_eq_const %68, dense<[[[[5], [9]], [[11], [5]]], [[[7], [11]], [[8], [7]]]]> : tensor<2x2x2x1xi16>
  %69 = stablehlo.constant dense<[0, 3, 1, 4, 2]> : tensor<5xi16>
  %70 = stablehlo.constant dense<0> : tensor<i16>
  %71 = "stablehlo.reduce_window"(%69, %70) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %c = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %c : tensor<i16>
  }) : (tensor<5xi16>, tensor<i16>) -> tensor<5xi16>
  check.expect_eq_const %71, dense<[0, 3, 4, 8, 10]> : tensor<5xi16>

  // i32
  %72 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi32>
  %73 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %74 = "stablehlo.reduce_window"(%72, %73) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<2x4x4x1xi32>, tensor<i32>) -> tensor<2x2x2x1xi32>
  check.expect_eq_const %74, dense<[[[[3], [4]], [[4], [3]]], [[[3], [4]], [[4], [3]]]]> : tensor<2x2x2x1xi32>
  %75 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi32>
  %76 = stablehlo.constant dense<2147483647> : tensor<i32>
  %77 = "stablehlo.reduce_window"(%75, %76) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.minimum %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<2x4x4x1xi32>, tensor<i32>) -> tensor<2x2x2x1xi32>
  check.expect_eq_const %77, dense<[[[[0], [1]], [[1], [0]]], [[[0], [1]], [[0], [0]]]]> : tensor<2x2x2x1xi32>
  %78 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi32>
  %79 = stablehlo.constant dense<0> : tensor<i32>
  %80 = "stablehlo.reduce_window"(%78, %79) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<2x4x4x1xi32>, tensor<i32>) -> tensor<2x2x2x1xi32>
  check.expect_eq_const %80, dense<[[[[5], [9]], [[11], [5]]], [[[7], [11]], [[8], [7]]]]> : tensor<2x2x2x1xi32>
  %81 = stablehlo.constant dense<[0, 3, 1, 4, 2]> : tensor<5xi32>
  %82 = stablehlo.constant dense<0> : tensor<i32>
  %83 = "stablehlo.reduce_window"(%81, %82) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %83, dense<[0, 3, 4, 8, 10]> : tensor<5xi32>

  // i64
  %84 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi64>
  %85 = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %86 = "stablehlo.reduce_window"(%84, %85) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %c = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %c : tensor<i64>
  }) : (tensor<2x4x4x1xi64>, tensor<i64>) -> tensor<2x2x2x1xi64>
  check.expect_eq_const %86, dense<[[[[3], [4]], [[4], [3]]], [[[3], [4]], [[4], [3]]]]> : tensor<2x2x2x1xi64>
  %87 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi64>
  %88 = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %89 = "stablehlo.reduce_window"(%87, %88) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %c = stablehlo.minimum %a, %b : tensor<i64>
    stablehlo.return %c : tensor<i64>
  }) : (tensor<2x4x4x1xi64>, tensor<i64>) -> tensor<2x2x2x1xi64>
  check.expect_eq_const %89, dense<[[[[0], [1]], [[1], [0]]], [[[0], [1]], [[0], [0]]]]> : tensor<2x2x2x1xi64>
  %90 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xi64>
  %91 = stablehlo.constant dense<0> : tensor<i64>
  %92 = "stablehlo.reduce_window"(%90, %91) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %c = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %c : tensor<i64>
  }) : (tensor<2x4x4x1xi64>, tensor<i64>) -> tensor<2x2x2x1xi64>
  check.expect_eq_const %92, dense<[[[[5], [9]], [[11], [5]]], [[[7], [11]], [[8], [7]]]]> : tensor<2x2x2x1xi64>
  %93 = stablehlo.constant dense<[0, 3, 1, 4, 2]> : tensor<5xi64>
  %94 = stablehlo.constant dense<0> : tensor<i64>
  %95 = "stablehlo.reduce_window"(%93, %94) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %c = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %c : tensor<i64>
  }) : (tensor<5xi64>, tensor<i64>) -> tensor<5xi64>
  check.expect_eq_const %95, dense<[0, 3, 4, 8, 10]> : tensor<5xi64>

  // ui8
  %96 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui8>
  %97 = stablehlo.constant dense<0> : tensor<ui8>
  %98 = "stablehlo.reduce_window"(%96, %97) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %c = stablehlo.maximum %a, %b : tensor<ui8>
    stablehlo.return %c : tensor<ui8>
  }) : (tensor<2x4x4x1xui8>, tensor<ui8>) -> tensor<2x2x2x1xui8>
  check.expect_eq_const %98, dense<[[[[3], [4]], [[4], [3]]], [[[3], [4]], [[4], [3]]]]> : tensor<2x2x2x1xui8>
  %99 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui8>
  %100 = stablehlo.constant dense<255> : tensor<ui8>
  %101 = "stablehlo.reduce_window"(%99, %100) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %c = stablehlo.minimum %a, %b : tensor<ui8>
    stablehlo.return %c : tensor<ui8>
  }) : (tensor<2x4x4x1xui8>, tensor<ui8>) -> tensor<2x2x2x1xui8>
  check.expect_eq_const %101, dense<[[[[0], [1]], [[1], [0]]], [[[0], [1]], [[0], [0]]]]> : tensor<2x2x2x1xui8>
  %102 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui8>
  %103 = stablehlo.constant dense<0> : tensor<ui8>
  %104 = "stablehlo.reduce_window"(%102, %103) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %c = stablehlo.add %a, %b : tensor<ui8>
    stablehlo.return %c : tensor<ui8>
  }) : (tensor<2x4x4x1xui8>, tensor<ui8>) -> tensor<2x2x2x1xui8>
  check.expect_eq_const %104, dense<[[[[5], [9]], [[11], [5]]], [[[7], [11]], [[8], [7]]]]> : tensor<2x2x2x1xui8>
  %105 = stablehlo.constant dense<[0, 3, 1, 4, 2]> : tensor<5xui8>
  %106 = stablehlo.constant dense<0> : tensor<ui8>
  %107 = "stablehlo.reduce_window"(%105, %106) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %c = stablehlo.add %a, %b : tensor<ui8>
    stablehlo.return %c : tensor<ui8>
  }) : (tensor<5xui8>, tensor<ui8>) -> tensor<5xui8>
  check.expect_eq_const %107, dense<[0, 3, 4, 8, 10]> : tensor<5xui8>

  // ui16
  %108 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui16>
  %109 = stablehlo.constant dense<0> : tensor<ui16>
  %110 = "stablehlo.reduce_window"(%108, %109) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui16>, %b: tensor<ui16>):
    %c = stablehlo.maximum %a, %b : tensor<ui16>
    stablehlo.return %c : tensor<ui16>
  }) : (tensor<2x4x4x1xui16>, tensor<ui16>) -> tensor<2x2x2x1xui16>
  check.expect_eq_const %110, dense<[[[[3], [4]], [[4], [3]]], [[[3], [4]], [[4], [3]]]]> : tensor<2x2x2x1xui16>
  %111 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui16>
  %112 = stablehlo.constant dense<65535> : tensor<ui16>
  %113 = "stablehlo.reduce_window"(%111, %112) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui16>, %b: tensor<ui16>):
    %c = stablehlo.minimum %a, %b : tensor<ui16>
    stablehlo.return %c : tensor<ui16>
  }) : (tensor<2x4x4x1xui16>, tensor<ui16>) -> tensor<2x2x2x1xui16>
  check.expect_eq_const %113, dense<[[[[0], [1]], [[1], [0]]], [[[0], [1]], [[0], [0]]]]> : tensor<2x2x2x1xui16>
  %114 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui16>
  %115 = stablehlo.constant dense<0> : tensor<ui16>
  %116 = "stablehlo.reduce_window"(%114, %115) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui16>, %b: tensor<ui16>):
    %c = stablehlo.add %a, %b : tensor<ui16>
    stablehlo.return %c : tensor<ui16>
  }) : (tensor<2x4x4x1xui16>, tensor<ui16>) -> tensor<2x2x2x1xui16>
  check.expect_eq_const %116, dense<[[[[5], [9]], [[11], [5]]], [[[7], [11]], [[8], [7]]]]> : tensor<2x2x2x1xui16>
  %117 = stablehlo.constant dense<[0, 3, 1, 4, 2]> : tensor<5xui16>
  %118 = stablehlo.constant dense<0> : tensor<ui16>
  %119 = "stablehlo.reduce_window"(%117, %118) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<ui16>, %b: tensor<ui16>):
    %c = stablehlo.add %a, %b : tensor<ui16>
    stablehlo.return %c : tensor<ui16>
  }) : (tensor<5xui16>, tensor<ui16>) -> tensor<5xui16>
  check.expect_eq_const %119, dense<[0, 3, 4, 8, 10]> : tensor<5xui16>

  // ui32
  %120 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui32>
  %121 = stablehlo.constant dense<0> : tensor<ui32>
  %122 = "stablehlo.reduce_window"(%120, %121) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %c = stablehlo.maximum %a, %b : tensor<ui32>
    stablehlo.return %c : tensor<ui32>
  }) : (tensor<2x4x4x1xui32>, tensor<ui32>) -> tensor<2x2x2x1xui32>
  check.expect_eq_const %122, dense<[[[[3], [4]], [[4], [3]]], [[[3], [4]], [[4], [3]]]]> : tensor<2x2x2x1xui32>
  %123 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui32>
  %124 = stablehlo.constant dense<4294967295> : tensor<ui32>
  %125 = "stablehlo.reduce_window"(%123, %124) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %c = stablehlo.minimum %a, %b : tensor<ui32>
    stablehlo.return %c : tensor<ui32>
  }) : (tensor<2x4x4x1xui32>, tensor<ui32>) -> tensor<2x2x2x1xui32>
  check.expect_eq_const %125, dense<[[[[0], [1]], [[1], [0]]], [[[0], [1]], [[0], [0]]]]> : tensor<2x2x2x1xui32>
  %126 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui32>
  %127 = stablehlo.constant dense<0> : tensor<ui32>
  %128 = "stablehlo.reduce_window"(%126, %127) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %c = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %c : tensor<ui32>
  }) : (tensor<2x4x4x1xui32>, tensor<ui32>) -> tensor<2x2x2x1xui32>
  check.expect_eq_const %128, dense<[[[[5], [9]], [[11], [5]]], [[[7], [11]], [[8], [7]]]]> : tensor<2x2x2x1xui32>
  %129 = stablehlo.constant dense<[0, 3, 1, 4, 2]> : tensor<5xui32>
  %130 = stablehlo.constant dense<0> : tensor<ui32>
  %131 = "stablehlo.reduce_window"(%129, %130) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %c = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %c : tensor<ui32>
  }) : (tensor<5xui32>, tensor<ui32>) -> tensor<5xui32>
  check.expect_eq_const %131, dense<[0, 3, 4, 8, 10]> : tensor<5xui32>

  // ui64
  %132 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui64>
  %133 = stablehlo.constant dense<0> : tensor<ui64>
  %134 = "stablehlo.reduce_window"(%132, %133) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %c = stablehlo.maximum %a, %b : tensor<ui64>
    stablehlo.return %c : tensor<ui64>
  }) : (tensor<2x4x4x1xui64>, tensor<ui64>) -> tensor<2x2x2x1xui64>
  check.expect_eq_const %134, dense<[[[[3], [4]], [[4], [3]]], [[[3], [4]], [[4], [3]]]]> : tensor<2x2x2x1xui64>
  %135 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui64>
  %136 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %137 = "stablehlo.reduce_window"(%135, %136) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %c = stablehlo.minimum %a, %b : tensor<ui64>
    stablehlo.return %c : tensor<ui64>
  }) : (tensor<2x4x4x1xui64>, tensor<ui64>) -> tensor<2x2x2x1xui64>
  check.expect_eq_const %137, dense<[[[[0], [1]], [[1], [0]]], [[[0], [1]], [[0], [0]]]]> : tensor<2x2x2x1xui64>
  %138 = stablehlo.constant dense<[[[[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]], [[1], [4], [2], [0]]], [[[3], [1], [4], [2]], [[0], [3], [1], [4]], [[2], [0], [3], [1]], [[4], [2], [0], [3]]]]> : tensor<2x4x4x1xui64>
  %139 = stablehlo.constant dense<0> : tensor<ui64>
  %140 = "stablehlo.reduce_window"(%138, %139) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %c = stablehlo.add %a, %b : tensor<ui64>
    stablehlo.return %c : tensor<ui64>
  }) : (tensor<2x4x4x1xui64>, tensor<ui64>) -> tensor<2x2x2x1xui64>
  check.expect_eq_const %140, dense<[[[[5], [9]], [[11], [5]]], [[[7], [11]], [[8], [7]]]]> : tensor<2x2x2x1xui64>
  %141 = stablehlo.constant dense<[0, 3, 1, 4, 2]> : tensor<5xui64>
  %142 = stablehlo.constant dense<0> : tensor<ui64>
  %143 = "stablehlo.reduce_window"(%141, %142) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %c = stablehlo.add %a, %b : tensor<ui64>
    stablehlo.return %c : tensor<ui64>
  }) : (tensor<5xui64>, tensor<ui64>) -> tensor<5xui64>
  check.expect_eq_const %143, dense<[0, 3, 4, 8, 10]> : tensor<5xui64>

  // i1
  %144 = stablehlo.constant dense<[[false, true, false], [true, false, true], [false, true, false]]> : tensor<3x3xi1>
  %145 = stablehlo.constant dense<false> : tensor<i1>
  %146 = "stablehlo.reduce_window"(%144, %145) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<3x3xi1>, tensor<i1>) -> tensor<2x3xi1>
  check.expect_eq_const %146, dense<[[true, true, true], [true, true, true]]> : tensor<2x3xi1>
  %147 = stablehlo.constant dense<[[false, true, false], [true, false, true], [false, true, false]]> : tensor<3x3xi1>
  %148 = stablehlo.constant dense<true> : tensor<i1>
  %149 = "stablehlo.reduce_window"(%147, %148) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = stablehlo.and %a, %b : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<3x3xi1>, tensor<i1>) -> tensor<2x2xi1>
  check.expect_eq_const %149, dense<[[false, false], [false, false]]> : tensor<2x2xi1>

  // f32: windows
  %150 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0]]> : tensor<5x5xf32>
  %151 = stablehlo.constant dense<-9.0> : tensor<f32>
  %152 = "stablehlo.reduce_window"(%150, %151) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<5x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  check.expect_eq_const %152, dense<[[3.0, 3.0, 4.0, 4.0], [3.0, 3.0, 4.0, 4.0], [3.0, 3.0, 4.0, 4.0]]> : tensor<3x4xf32>
  %153 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0]]> : tensor<5x5xf32>
  %154 = stablehlo.constant dense<0.0> : tensor<f32>
  %155 = "stablehlo.reduce_window"(%153, %154) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<5x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  check.expect_eq_const %155, dense<[[6.0, 8.0, 10.0, 12.0], [9.0, 12.0, 15.0, 18.0], [6.0, 8.0, 10.0, 12.0]]> : tensor<3x4xf32>
  %156 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0]]> : tensor<5x5xf32>
  %157 = stablehlo.constant dense<1.0> : tensor<f32>
  %158 = "stablehlo.reduce_window"(%156, %157) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<5x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  check.expect_eq_const %158, dense<[[9.0, 11.0, 13.0, 15.0], [10.0, 13.0, 16.0, 19.0], [9.0, 11.0, 13.0, 15.0]]> : tensor<3x4xf32>
  %159 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0], [3.0, 1.0, 4.0], [2.0, 0.0, 3.0]]> : tensor<4x3xf32>
  %160 = stablehlo.constant dense<0.0> : tensor<f32>
  %161 = "stablehlo.reduce_window"(%159, %160) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 1], [2, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<8x3xf32>
  check.expect_eq_const %161, dense<[[0.0, 3.0, 1.0], [0.0, 3.0, 1.0], [4.0, 2.0, 4.0], [4.0, 2.0, 4.0], [3.0, 1.0, 7.0], [3.0, 1.0, 7.0], [2.0, 0.0, 5.0], [2.0, 0.0, 5.0]]> : tensor<8x3xf32>
  %162 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0, 1.0, 4.0]]> : tensor<4x6xf32>
  %163 = stablehlo.constant dense<0.0> : tensor<f32>
  %164 = "stablehlo.reduce_window"(%162, %163) <{base_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 6>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x1xf32>
  check.expect_eq_const %164, dense<[[24.0], [25.0]]> : tensor<2x1xf32>
  %165 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0, 1.0, 4.0]]> : tensor<4x6xf32>
  %166 = stablehlo.constant dense<2.0> : tensor<f32>
  %167 = "stablehlo.reduce_window"(%165, %166) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 6>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<1x1xf32>
  check.expect_eq_const %167, dense<[[4.0]]> : tensor<1x1xf32>
  %168 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0]]> : tensor<3x9xf32>
  %169 = stablehlo.constant dense<3.0> : tensor<f32>
  %170 = "stablehlo.reduce_window"(%168, %169) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [2, 2]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x9xf32>, tensor<f32>) -> tensor<3x3xf32>
  check.expect_eq_const %170, dense<[[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %171 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0]]> : tensor<9x8xf32>
  %172 = stablehlo.constant dense<0.0> : tensor<f32>
  %173 = "stablehlo.reduce_window"(%171, %172) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 2], [2, 2]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 5, 5>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<9x8xf32>, tensor<f32>) -> tensor<9x8xf32>
  check.expect_eq_const %173, dense<[[18.0, 27.0, 30.0, 30.0, 30.0, 30.0, 21.0, 18.0], [23.0, 33.0, 40.0, 40.0, 40.0, 40.0, 30.0, 23.0], [30.0, 40.0, 50.0, 50.0, 50.0, 50.0, 40.0, 30.0], [30.0, 40.0, 50.0, 50.0, 50.0, 50.0, 40.0, 30.0], [30.0, 40.0, 50.0, 50.0, 50.0, 50.0, 40.0, 30.0], [30.0, 40.0, 50.0, 50.0, 50.0, 50.0, 40.0, 30.0], [30.0, 40.0, 50.0, 50.0, 50.0, 50.0, 40.0, 30.0], [23.0, 33.0, 40.0, 40.0, 40.0, 40.0, 30.0, 23.0], [19.0, 25.0, 30.0, 30.0, 30.0, 30.0, 24.0, 19.0]]> : tensor<9x8xf32>
  %174 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0]]> : tensor<2x3xf32>
  %175 = stablehlo.constant dense<0.0> : tensor<f32>
  %176 = "stablehlo.reduce_window"(%174, %175) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<0x2xf32>
  check.expect_eq_const %176, dense<> : tensor<0x2xf32>
  %177 = stablehlo.constant dense<> : tensor<0x3xf32>
  %178 = stablehlo.constant dense<0.0> : tensor<f32>
  %179 = "stablehlo.reduce_window"(%177, %178) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<0x3xf32>, tensor<f32>) -> tensor<0x2xf32>
  check.expect_eq_const %179, dense<> : tensor<0x2xf32>
  %180 = stablehlo.constant dense<> : tensor<0x3xf32>
  %181 = stablehlo.constant dense<1.0> : tensor<f32>
  %182 = "stablehlo.reduce_window"(%180, %181) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<0x3xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %182, dense<[[5.0, 5.0], [5.0, 5.0]]> : tensor<2x2xf32>
  %183 = stablehlo.constant dense<0.0> : tensor<f32>
  %184 = stablehlo.constant dense<0.0> : tensor<f32>
  %185 = "stablehlo.reduce_window"(%183, %184) <{base_dilations = array<i64>, padding = dense<> : tensor<0x2xi64>, window_dilations = array<i64>, window_dimensions = array<i64>, window_strides = array<i64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %185, dense<0.0> : tensor<f32>

  // f64: windows
  %186 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0]]> : tensor<5x5xf64>
  %187 = stablehlo.constant dense<-9.0> : tensor<f64>
  %188 = "stablehlo.reduce_window"(%186, %187) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<5x5xf64>, tensor<f64>) -> tensor<3x4xf64>
  check.expect_eq_const %188, dense<[[3.0, 3.0, 4.0, 4.0], [3.0, 3.0, 4.0, 4.0], [3.0, 3.0, 4.0, 4.0]]> : tensor<3x4xf64>
  %189 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0]]> : tensor<5x5xf64>
  %190 = stablehlo.constant dense<0.0> : tensor<f64>
  %191 = "stablehlo.reduce_window"(%189, %190) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<5x5xf64>, tensor<f64>) -> tensor<3x4xf64>
  check.expect_eq_const %191, dense<[[6.0, 8.0, 10.0, 12.0], [9.0, 12.0, 15.0, 18.0], [6.0, 8.0, 10.0, 12.0]]> : tensor<3x4xf64>
  %192 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0]]> : tensor<5x5xf64>
  %193 = stablehlo.constant dense<1.0> : tensor<f64>
  %194 = "stablehlo.reduce_window"(%192, %193) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<5x5xf64>, tensor<f64>) -> tensor<3x4xf64>
  check.expect_eq_const %194, dense<[[9.0, 11.0, 13.0, 15.0], [10.0, 13.0, 16.0, 19.0], [9.0, 11.0, 13.0, 15.0]]> : tensor<3x4xf64>
  %195 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0], [3.0, 1.0, 4.0], [2.0, 0.0, 3.0]]> : tensor<4x3xf64>
  %196 = stablehlo.constant dense<0.0> : tensor<f64>
  %197 = "stablehlo.reduce_window"(%195, %196) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 1], [2, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4x3xf64>, tensor<f64>) -> tensor<8x3xf64>
  check.expect_eq_const %197, dense<[[0.0, 3.0, 1.0], [0.0, 3.0, 1.0], [4.0, 2.0, 4.0], [4.0, 2.0, 4.0], [3.0, 1.0, 7.0], [3.0, 1.0, 7.0], [2.0, 0.0, 5.0], [2.0, 0.0, 5.0]]> : tensor<8x3xf64>
  %198 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0, 1.0, 4.0]]> : tensor<4x6xf64>
  %199 = stablehlo.constant dense<0.0> : tensor<f64>
  %200 = "stablehlo.reduce_window"(%198, %199) <{base_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 6>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4x6xf64>, tensor<f64>) -> tensor<2x1xf64>
  check.expect_eq_const %200, dense<[[24.0], [25.0]]> : tensor<2x1xf64>
  %201 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0, 1.0, 4.0]]> : tensor<4x6xf64>
  %202 = stablehlo.constant dense<2.0> : tensor<f64>
  %203 = "stablehlo.reduce_window"(%201, %202) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 6>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4x6xf64>, tensor<f64>) -> tensor<1x1xf64>
  check.expect_eq_const %203, dense<[[4.0]]> : tensor<1x1xf64>
  %204 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0]]> : tensor<3x9xf64>
  %205 = stablehlo.constant dense<3.0> : tensor<f64>
  %206 = "stablehlo.reduce_window"(%204, %205) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [2, 2]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<3x9xf64>, tensor<f64>) -> tensor<3x3xf64>
  check.expect_eq_const %206, dense<[[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf64>
  %207 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0], [4.0, 2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0], [3.0, 1.0, 4.0, 2.0, 0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0, 4.0, 2.0, 0.0, 3.0]]> : tensor<9x8xf64>
  %208 = stablehlo.constant dense<0.0> : tensor<f64>
  %209 = "stablehlo.reduce_window"(%207, %208) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 2], [2, 2]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 5, 5>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<9x8xf64>, tensor<f64>) -> tensor<9x8xf64>
  check.expect_eq_const %209, dense<[[18.0, 27.0, 30.0, 30.0, 30.0, 30.0, 21.0, 18.0], [23.0, 33.0, 40.0, 40.0, 40.0, 40.0, 30.0, 23.0], [30.0, 40.0, 50.0, 50.0, 50.0, 50.0, 40.0, 30.0], [30.0, 40.0, 50.0, 50.0, 50.0, 50.0, 40.0, 30.0], [30.0, 40.0, 50.0, 50.0, 50.0, 50.0, 40.0, 30.0], [30.0, 40.0, 50.0, 50.0, 50.0, 50.0, 40.0, 30.0], [30.0, 40.0, 50.0, 50.0, 50.0, 50.0, 40.0, 30.0], [23.0, 33.0, 40.0, 40.0, 40.0, 40.0, 30.0, 23.0], [19.0, 25.0, 30.0, 30.0, 30.0, 30.0, 24.0, 19.0]]> : tensor<9x8xf64>
  %210 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0]]> : tensor<2x3xf64>
  %211 = stablehlo.constant dense<0.0> : tensor<f64>
  %212 = "stablehlo.reduce_window"(%210, %211) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<2x3xf64>, tensor<f64>) -> tensor<0x2xf64>
  check.expect_eq_const %212, dense<> : tensor<0x2xf64>
  %213 = stablehlo.constant dense<> : tensor<0x3xf64>
  %214 = stablehlo.constant dense<0.0> : tensor<f64>
  %215 = "stablehlo.reduce_window"(%213, %214) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<0x3xf64>, tensor<f64>) -> tensor<0x2xf64>
  check.expect_eq_const %215, dense<> : tensor<0x2xf64>
  %216 = stablehlo.constant dense<> : tensor<0x3xf64>
  %217 = stablehlo.constant dense<1.0> : tensor<f64>
  %218 = "stablehlo.reduce_window"(%216, %217) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<0x3xf64>, tensor<f64>) -> tensor<2x2xf64>
  check.expect_eq_const %218, dense<[[5.0, 5.0], [5.0, 5.0]]> : tensor<2x2xf64>
  %219 = stablehlo.constant dense<0.0> : tensor<f64>
  %220 = stablehlo.constant dense<0.0> : tensor<f64>
  %221 = "stablehlo.reduce_window"(%219, %220) <{base_dilations = array<i64>, padding = dense<> : tensor<0x2xi64>, window_dilations = array<i64>, window_dimensions = array<i64>, window_strides = array<i64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %221, dense<0.0> : tensor<f64>

  // i32: windows
  %222 = stablehlo.constant dense<[[0, 3, 1, 4, 2], [0, 3, 1, 4, 2], [0, 3, 1, 4, 2], [0, 3, 1, 4, 2], [0, 3, 1, 4, 2]]> : tensor<5x5xi32>
  %223 = stablehlo.constant dense<-9> : tensor<i32>
  %224 = "stablehlo.reduce_window"(%222, %223) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<5x5xi32>, tensor<i32>) -> tensor<3x4xi32>
  check.expect_eq_const %224, dense<[[3, 3, 4, 4], [3, 3, 4, 4], [3, 3, 4, 4]]> : tensor<3x4xi32>
  %225 = stablehlo.constant dense<[[0, 3, 1, 4, 2], [0, 3, 1, 4, 2], [0, 3, 1, 4, 2], [0, 3, 1, 4, 2], [0, 3, 1, 4, 2]]> : tensor<5x5xi32>
  %226 = stablehlo.constant dense<0> : tensor<i32>
  %227 = "stablehlo.reduce_window"(%225, %226) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<5x5xi32>, tensor<i32>) -> tensor<3x4xi32>
  check.expect_eq_const %227, dense<[[6, 8, 10, 12], [9, 12, 15, 18], [6, 8, 10, 12]]> : tensor<3x4xi32>
  %228 = stablehlo.constant dense<[[0, 3, 1, 4, 2], [0, 3, 1, 4, 2], [0, 3, 1, 4, 2], [0, 3, 1, 4, 2], [0, 3, 1, 4, 2]]> : tensor<5x5xi32>
  %229 = stablehlo.constant dense<1> : tensor<i32>
  %230 = "stablehlo.reduce_window"(%228, %229) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<5x5xi32>, tensor<i32>) -> tensor<3x4xi32>
  check.expect_eq_const %230, dense<[[9, 11, 13, 15], [10, 13, 16, 19], [9, 11, 13, 15]]> : tensor<3x4xi32>
  %231 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0], [3, 1, 4], [2, 0, 3]]> : tensor<4x3xi32>
  %232 = stablehlo.constant dense<0> : tensor<i32>
  %233 = "stablehlo.reduce_window"(%231, %232) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 1], [2, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<4x3xi32>, tensor<i32>) -> tensor<8x3xi32>
  check.expect_eq_const %233, dense<[[0, 3, 1], [0, 3, 1], [4, 2, 4], [4, 2, 4], [3, 1, 7], [3, 1, 7], [2, 0, 5], [2, 0, 5]]> : tensor<8x3xi32>
  %234 = stablehlo.constant dense<[[0, 3, 1, 4, 2, 0], [3, 1, 4, 2, 0, 3], [1, 4, 2, 0, 3, 1], [4, 2, 0, 3, 1, 4]]> : tensor<4x6xi32>
  %235 = stablehlo.constant dense<0> : tensor<i32>
  %236 = "stablehlo.reduce_window"(%234, %235) <{base_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 6>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<4x6xi32>, tensor<i32>) -> tensor<2x1xi32>
  check.expect_eq_const %236, dense<[[24], [25]]> : tensor<2x1xi32>
  %237 = stablehlo.constant dense<[[0, 3, 1, 4, 2, 0], [3, 1, 4, 2, 0, 3], [1, 4, 2, 0, 3, 1], [4, 2, 0, 3, 1, 4]]> : tensor<4x6xi32>
  %238 = stablehlo.constant dense<2> : tensor<i32>
  %239 = "stablehlo.reduce_window"(%237, %238) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 6>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<4x6xi32>, tensor<i32>) -> tensor<1x1xi32>
  check.expect_eq_const %239, dense<[[4]]> : tensor<1x1xi32>
  %240 = stablehlo.constant dense<[[0, 3, 1, 4, 2, 0, 3, 1, 4], [2, 0, 3, 1, 4, 2, 0, 3, 1], [4, 2, 0, 3, 1, 4, 2, 0, 3]]> : tensor<3x9xi32>
  %241 = stablehlo.constant dense<3> : tensor<i32>
  %242 = "stablehlo.reduce_window"(%240, %241) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [2, 2]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.minimum %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<3x9xi32>, tensor<i32>) -> tensor<3x3xi32>
  check.expect_eq_const %242, dense<[[0, 0, 1], [0, 0, 0], [0, 0, 0]]> : tensor<3x3xi32>
  %243 = stablehlo.constant dense<[[0, 3, 1, 4, 2, 0, 3, 1], [4, 2, 0, 3, 1, 4, 2, 0], [3, 1, 4, 2, 0, 3, 1, 4], [2, 0, 3, 1, 4, 2, 0, 3], [1, 4, 2, 0, 3, 1, 4, 2], [0, 3, 1, 4, 2, 0, 3, 1], [4, 2, 0, 3, 1, 4, 2, 0], [3, 1, 4, 2, 0, 3, 1, 4], [2, 0, 3, 1, 4, 2, 0, 3]]> : tensor<9x8xi32>
  %244 = stablehlo.constant dense<0> : tensor<i32>
  %245 = "stablehlo.reduce_window"(%243, %244) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 2], [2, 2]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 5, 5>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<9x8xi32>, tensor<i32>) -> tensor<9x8xi32>
  check.expect_eq_const %245, dense<[[18, 27, 30, 30, 30, 30, 21, 18], [23, 33, 40, 40, 40, 40, 30, 23], [30, 40, 50, 50, 50, 50, 40, 30], [30, 40, 50, 50, 50, 50, 40, 30], [30, 40, 50, 50, 50, 50, 40, 30], [30, 40, 50, 50, 50, 50, 40, 30], [30, 40, 50, 50, 50, 50, 40, 30], [23, 33, 40, 40, 40, 40, 30, 23], [19, 25, 30, 30, 30, 30, 24, 19]]> : tensor<9x8xi32>
  %246 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0]]> : tensor<2x3xi32>
  %247 = stablehlo.constant dense<0> : tensor<i32>
  %248 = "stablehlo.reduce_window"(%246, %247) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<0x2xi32>
  check.expect_eq_const %248, dense<> : tensor<0x2xi32>
  %249 = stablehlo.constant dense<> : tensor<0x3xi32>
  %250 = stablehlo.constant dense<0> : tensor<i32>
  %251 = "stablehlo.reduce_window"(%249, %250) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<0x3xi32>, tensor<i32>) -> tensor<0x2xi32>
  check.expect_eq_const %251, dense<> : tensor<0x2xi32>
  %252 = stablehlo.constant dense<> : tensor<0x3xi32>
  %253 = stablehlo.constant dense<1> : tensor<i32>
  %254 = "stablehlo.reduce_window"(%252, %253) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<0x3xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %254, dense<[[5, 5], [5, 5]]> : tensor<2x2xi32>
  %255 = stablehlo.constant dense<0> : tensor<i32>
  %256 = stablehlo.constant dense<0> : tensor<i32>
  %257 = "stablehlo.reduce_window"(%255, %256) <{base_dilations = array<i64>, padding = dense<> : tensor<0x2xi64>, window_dilations = array<i64>, window_dimensions = array<i64>, window_strides = array<i64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %257, dense<0> : tensor<i32>

  // not a number
  %258 = stablehlo.constant dense<[1.0, 0x7FC00000, 0.0, 2.0]> : tensor<4xf32>
  %259 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %260 = "stablehlo.reduce_window"(%258, %259) <{base_dilations = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %260, dense<[0x7FC00000, 0x7FC00000, 2.0]> : tensor<3xf32>

  // several operands: the largest element and its index
  %261 = stablehlo.constant dense<[1.0, 5.0, 4.0, 2.0, 0.0, 7.0]> : tensor<6xf32>
  %262 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %263 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %264 = stablehlo.constant dense<-1> : tensor<i32>
  %265:2 = "stablehlo.reduce_window"(%261, %262, %263, %264) <{base_dilations = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %keep = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = stablehlo.select %keep, %a, %b : tensor<i1>, tensor<f32>
    %k = stablehlo.select %keep, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %c, %k : tensor<f32>, tensor<i32>
  }) : (tensor<6xf32>, tensor<6xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
  check.expect_eq_const %265#0, dense<[5.0, 5.0, 5.0, 4.0, 7.0]> : tensor<5xf32>
  check.expect_eq_const %265#1, dense<[1, 1, 1, 2, 5]> : tensor<5xi32>
  return
}
