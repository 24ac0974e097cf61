// RUN: ps-run %s --entry=main

// Index vectors without components: all updates have one place, and come one
// after the other, however few iterations the loops inside have.

func.func @main() {
  %i = stablehlo.constant dense<> : tensor<20x0xi32>
  %u = stablehlo.iota dim = 0 : tensor<20x1xi32>
  %x = stablehlo.constant dense<5> : tensor<1xi32>
  %y = stablehlo.constant dense<7> : tensor<1xi32>
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %s = stablehlo.add %a, %c : tensor<i32>
    stablehlo.return %s, %d : tensor<i32>, tensor<i32>
  }) : (tensor<1xi32>, tensor<1xi32>, tensor<20x0xi32>, tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<1xi32>, tensor<1xi32>)
  check.expect_eq_const %0#0, dense<195> : tensor<1xi32>
  check.expect_eq_const %0#1, dense<19> : tensor<1xi32>

  %j = stablehlo.constant dense<> : tensor<20x1x0xi32>
  %v = stablehlo.iota dim = 0 : tensor<20x1xi32>
  %z = stablehlo.constant dense<5> : tensor<i32>
  %1 = "stablehlo.scatter"(%z, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<i32>, tensor<20x1x0xi32>, tensor<20x1xi32>) -> tensor<i32>
  check.expect_eq_const %1, dense<195> : tensor<i32>
  return
}
