// RUN: ps-run %s --entry=main

// One line that is so long that it is sorted on the host.

func.func @main() {
  %numbers = stablehlo.iota dim = 0 : tensor<4096xf32>
  %last = stablehlo.constant dense<4095.0> : tensor<4096xf32>
  %reversed = stablehlo.subtract %last, %numbers : tensor<4096xf32>
  %sorted = "stablehlo.sort"(%reversed) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4096xf32>) -> tensor<4096xf32>
  %doubled = stablehlo.add %sorted, %sorted : tensor<4096xf32>
  %expected = stablehlo.add %numbers, %numbers : tensor<4096xf32>
  check.expect_eq %doubled, %expected : tensor<4096xf32>
  return
}
