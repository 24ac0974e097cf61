// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // case
  %0 = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %2 = stablehlo.constant dense<[-0.0, 6.0]> : tensor<2xf32>
  %3 = stablehlo.constant dense<[-2147483648, -2147483648]> : tensor<2xi32>
  %4 = stablehlo.slice %3 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %5 = stablehlo.reshape %4 : (tensor<1xi32>) -> tensor<i32>
  %6 = "stablehlo.case"(%5) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  check.expect_eq_const %6, dense<[-0.0, 6.0]> : tensor<2xf32>
  %7 = stablehlo.constant dense<[-1, -1]> : tensor<2xi32>
  %8 = stablehlo.slice %7 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %9 = stablehlo.reshape %8 : (tensor<1xi32>) -> tensor<i32>
  %10 = "stablehlo.case"(%9) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  check.expect_eq_const %10, dense<[-0.0, 6.0]> : tensor<2xf32>
  %11 = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %12 = stablehlo.slice %11 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %13 = stablehlo.reshape %12 : (tensor<1xi32>) -> tensor<i32>
  %14 = "stablehlo.case"(%13) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  check.expect_eq_const %14, dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %15 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %16 = stablehlo.slice %15 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %17 = stablehlo.reshape %16 : (tensor<1xi32>) -> tensor<i32>
  %18 = "stablehlo.case"(%17) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  check.expect_eq_const %18, dense<[3.0, 4.0]> : tensor<2xf32>
  %19 = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %20 = stablehlo.slice %19 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %21 = stablehlo.reshape %20 : (tensor<1xi32>) -> tensor<i32>
  %22 = "stablehlo.case"(%21) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  check.expect_eq_const %22, dense<[-0.0, 6.0]> : tensor<2xf32>
  %23 = stablehlo.constant dense<[3, 3]> : tensor<2xi32>
  %24 = stablehlo.slice %23 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %25 = stablehlo.reshape %24 : (tensor<1xi32>) -> tensor<i32>
  %26 = "stablehlo.case"(%25) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  check.expect_eq_const %26, dense<[-0.0, 6.0]> : tensor<2xf32>

  // if
  %27 = stablehlo.constant dense<[false, false]> : tensor<2xi1>
  %28 = stablehlo.slice %27 [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  %29 = stablehlo.reshape %28 : (tensor<1xi1>) -> tensor<i1>
  %30 = "stablehlo.if"(%29) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  check.expect_eq_const %30, dense<[3.0, 4.0]> : tensor<2xf32>
  %31 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %32 = stablehlo.slice %31 [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  %33 = stablehlo.reshape %32 : (tensor<1xi1>) -> tensor<i1>
  %34 = "stablehlo.if"(%33) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  check.expect_eq_const %34, dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  return
}
