// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // Fibonacci numbers, stacked
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %2 = stablehlo.slice %1 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %3 = stablehlo.reshape %2 : (tensor<1xi64>) -> tensor<i64>
  %4 = stablehlo.constant dense<[7, 7, 7, 7, 7, 7, 7, 7]> : tensor<8xi64>
  %loop:4 = stablehlo.while(%i = %0, %a = %3, %b = %3, %all = %4) : tensor<i32>, tensor<i64>, tensor<i64>, tensor<8xi64>
  cond {
    %n = stablehlo.constant dense<7> : tensor<i32>
    %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %step : tensor<i32>
    %sum = stablehlo.add %a, %b : tensor<i64>
    %element = stablehlo.reshape %a : (tensor<i64>) -> tensor<1xi64>
    %stacked = stablehlo.dynamic_update_slice %all, %element, %i : (tensor<8xi64>, tensor<1xi64>, tensor<i32>) -> tensor<8xi64>
    stablehlo.return %next, %b, %sum, %stacked : tensor<i32>, tensor<i64>, tensor<i64>, tensor<8xi64>
  }
  check.expect_eq_const %loop#0, dense<7> : tensor<i32>
  check.expect_eq_const %loop#1, dense<21> : tensor<i64>
  check.expect_eq_const %loop#3, dense<[1, 1, 2, 3, 5, 8, 13, 7]> : tensor<8xi64>
  return
}
