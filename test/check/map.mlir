// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[0.0, 2.0, 4.0], [1.0, 3.0, 0.0]]> : tensor<2x3xf32>
  %2 = "stablehlo.map"(%0, %1) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = stablehlo.constant dense<2.0> : tensor<f32>
    %e = stablehlo.multiply %b, %d : tensor<f32>
    %c = stablehlo.add %a, %e : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[0.0, 7.0, 9.0], [6.0, 8.0, 0.0]]> : tensor<2x3xf32>

  // f64
  %3 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0]]> : tensor<2x3xf64>
  %4 = stablehlo.constant dense<[[0.0, 2.0, 4.0], [1.0, 3.0, 0.0]]> : tensor<2x3xf64>
  %5 = "stablehlo.map"(%3, %4) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %d = stablehlo.constant dense<2.0> : tensor<f64>
    %e = stablehlo.multiply %b, %d : tensor<f64>
    %c = stablehlo.add %a, %e : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %5, dense<[[0.0, 7.0, 9.0], [6.0, 8.0, 0.0]]> : tensor<2x3xf64>

  // bf16
  %6 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0]]> : tensor<2x3xbf16>
  %7 = stablehlo.constant dense<[[0.0, 2.0, 4.0], [1.0, 3.0, 0.0]]> : tensor<2x3xbf16>
  %8 = "stablehlo.map"(%6, %7) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %d = stablehlo.constant dense<2.0> : tensor<bf16>
    %e = stablehlo.multiply %b, %d : tensor<bf16>
    %c = stablehlo.add %a, %e : tensor<bf16>
    stablehlo.return %c : tensor<bf16>
  }) : (tensor<2x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %8, dense<[[0.0, 7.0, 9.0], [6.0, 8.0, 0.0]]> : tensor<2x3xbf16>

  // f16
  %9 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0]]> : tensor<2x3xf16>
  %10 = stablehlo.constant dense<[[0.0, 2.0, 4.0], [1.0, 3.0, 0.0]]> : tensor<2x3xf16>
  %11 = "stablehlo.map"(%9, %10) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %d = stablehlo.constant dense<2.0> : tensor<f16>
    %e = stablehlo.multiply %b, %d : tensor<f16>
    %c = stablehlo.add %a, %e : tensor<f16>
    stablehlo.return %c : tensor<f16>
  }) : (tensor<2x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %11, dense<[[0.0, 7.0, 9.0], [6.0, 8.0, 0.0]]> : tensor<2x3xf16>

  // i8
  %12 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0]]> : tensor<2x3xi8>
  %13 = stablehlo.constant dense<[[0, 2, 4], [1, 3, 0]]> : tensor<2x3xi8>
  %14 = "stablehlo.map"(%12, %13) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %d = stablehlo.constant dense<2> : tensor<i8>
    %e = stablehlo.multiply %b, %d : tensor<i8>
    %c = stablehlo.add %a, %e : tensor<i8>
    stablehlo.return %c : tensor<i8>
  }) : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %14, dense<[[0, 7, 9], [6, 8, 0]]> : tensor<2x3xi8>

  // i16
  %15 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0]]> : tensor<2x3xi16>
  %16 = stablehlo.constant dense<[[0, 2, 4], [1, 3, 0]]> : tensor<2x3xi16>
  %17 = "stablehlo.map"(%15, %16) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %d = stablehlo.constant dense<2> : tensor<i16>
    %e = stablehlo.multiply %b, %d : tensor<i16>
    %c = stablehlo.add %a, %e : tensor<i16>
    stablehlo.return %c : tensor<i16>
  }) : (tensor<2x3xi16>, tensor<2x3xi16>) -> tensor<2x3xi16>
  check.expect_eq_const %17, dense<[[0, 7, 9], [6, 8, 0]]> : tensor<2x3xi16>

  // i32
  %18 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0]]> : tensor<2x3xi32>
  %19 = stablehlo.constant dense<[[0, 2, 4], [1, 3, 0]]> : tensor<2x3xi32>
  %20 = "stablehlo.map"(%18, %19) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %d = stablehlo.constant dense<2> : tensor<i32>
    %e = stablehlo.multiply %b, %d : tensor<i32>
    %c = stablehlo.add %a, %e : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %20, dense<[[0, 7, 9], [6, 8, 0]]> : tensor<2x3xi32>

  // i64
  %21 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0]]> : tensor<2x3xi64>
  %22 = stablehlo.constant dense<[[0, 2, 4], [1, 3, 0]]> : tensor<2x3xi64>
  %23 = "stablehlo.map"(%21, %22) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %d = stablehlo.constant dense<2> : tensor<i64>
    %e = stablehlo.multiply %b, %d : tensor<i64>
    %c = stablehlo.add %a, %e : tensor<i64>
    stablehlo.return %c : tensor<i64>
  }) : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %23, dense<[[0, 7, 9], [6, 8, 0]]> : tensor<2x3xi64>

  // ui8
  %24 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0]]> : tensor<2x3xui8>
  %25 = stablehlo.constant dense<[[0, 2, 4], [1, 3, 0]]> : tensor<2x3xui8>
  %26 = "stablehlo.map"(%24, %25) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %d = stablehlo.constant dense<2> : tensor<ui8>
    %e = stablehlo.multiply %b, %d : tensor<ui8>
    %c = stablehlo.add %a, %e : tensor<ui8>
    stablehlo.return %c : tensor<ui8>
  }) : (tensor<2x3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
  check.expect_eq_const %26, dense<[[0, 7, 9], [6, 8, 0]]> : tensor<2x3xui8>

  // ui16
  %27 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0]]> : tensor<2x3xui16>
  %28 = stablehlo.constant dense<[[0, 2, 4], [1, 3, 0]]> : tensor<2x3xui16>
  %29 = "stablehlo.map"(%27, %28) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<ui16>, %b: tensor<ui16>):
    %d = stablehlo.constant dense<2> : tensor<ui16>
    %e = stablehlo.multiply %b, %d : tensor<ui16>
    %c = stablehlo.add %a, %e : tensor<ui16>
    stablehlo.return %c : tensor<ui16>
  }) : (tensor<2x3xui16>, tensor<2x3xui16>) -> tensor<2x3xui16>
  check.expect_eq_const %29, dense<[[0, 7, 9], [6, 8, 0]]> : tensor<2x3xui16>

  // ui32
  %30 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0]]> : tensor<2x3xui32>
  %31 = stablehlo.constant dense<[[0, 2, 4], [1, 3, 0]]> : tensor<2x3xui32>
  %32 = "stablehlo.map"(%30, %31) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %d = stablehlo.constant dense<2> : tensor<ui32>
    %e = stablehlo.multiply %b, %d : tensor<ui32>
    %c = stablehlo.add %a, %e : tensor<ui32>
    stablehlo.return %c : tensor<ui32>
  }) : (tensor<2x3xui32>, tensor<2x3xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %32, dense<[[0, 7, 9], [6, 8, 0]]> : tensor<2x3xui32>

  // ui64
  %33 = stablehlo.constant dense<[[0, 3, 1], [4, 2, 0]]> : tensor<2x3xui64>
  %34 = stablehlo.constant dense<[[0, 2, 4], [1, 3, 0]]> : tensor<2x3xui64>
  %35 = "stablehlo.map"(%33, %34) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %d = stablehlo.constant dense<2> : tensor<ui64>
    %e = stablehlo.multiply %b, %d : tensor<ui64>
    %c = stablehlo.add %a, %e : tensor<ui64>
    stablehlo.return %c : tensor<ui64>
  }) : (tensor<2x3xui64>, tensor<2x3xui64>) -> tensor<2x3xui64>
  check.expect_eq_const %35, dense<[[0, 7, 9], [6, 8, 0]]> : tensor<2x3xui64>

  // one argument as it is, rank 0, no elements
  %36 = stablehlo.constant dense<[0.0, 3.0, 1.0]> : tensor<3xf32>
  %37 = stablehlo.constant dense<[0.0, 2.0, 4.0]> : tensor<3xf32>
  %38 = "stablehlo.map"(%36, %37) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = stablehlo.reshape %a : (tensor<f32>) -> tensor<f32>
    %c = stablehlo.negate %d : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %38, dense<[-0.0, -3.0, -1.0]> : tensor<3xf32>
  %39 = stablehlo.constant dense<0.0> : tensor<f32>
  %40 = stablehlo.constant dense<0.0> : tensor<f32>
  %41 = "stablehlo.map"(%39, %40) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %41, dense<0.0> : tensor<f32>
  %42 = stablehlo.constant dense<> : tensor<2x0xf32>
  %43 = stablehlo.constant dense<> : tensor<2x0xf32>
  %44 = "stablehlo.map"(%42, %43) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x0xf32>, tensor<2x0xf32>) -> tensor<2x0xf32>
  check.expect_eq_const %44, dense<> : tensor<2x0xf32>
  return
}
