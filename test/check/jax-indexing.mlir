// RUN: ps-run %s --entry=main
// RUN: ps-opt %s | ps-opt | FileCheck %s

// What JAX prints for jnp.take(table, ids, axis=0), which gives NaN for an id
// outside; table[ids]; jax.ops.segment_sum; and table.at[ids].add(rows), which
// drops what lies outside.

// CHECK: func.func private @_take
// CHECK: "stablehlo.gather"
// CHECK: "stablehlo.scatter"

module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %cst = stablehlo.constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : tensor<3x2xf32>
    %c = stablehlo.constant dense<[2, -1, 0, 5]> : tensor<4xi32>
    %0 = call @_take(%cst, %c) : (tensor<3x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
    check.expect_eq_const %0, dense<[[4.0, 5.0], [4.0, 5.0], [0.0, 1.0], [0x7FC00000, 0x7FC00000]]> : tensor<4x2xf32>
    %1 = call @index(%cst, %c) : (tensor<3x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
    check.expect_eq_const %1, dense<[[4.0, 5.0], [4.0, 5.0], [0.0, 1.0], [4.0, 5.0]]> : tensor<4x2xf32>
    %c_0 = stablehlo.constant dense<[1, 0, 1, 2]> : tensor<4xi32>
    %2 = call @segment_sum(%1, %c_0) : (tensor<4x2xf32>, tensor<4xi32>) -> tensor<3x2xf32>
    check.expect_eq_const %2, dense<[[4.0, 5.0], [4.0, 6.0], [4.0, 5.0]]> : tensor<3x2xf32>
    %3 = call @scatter_add(%cst, %c, %1) : (tensor<3x2xf32>, tensor<4xi32>, tensor<4x2xf32>) -> tensor<3x2xf32>
    check.expect_eq_const %3, dense<[[0.0, 2.0], [2.0, 3.0], [12.0, 15.0]]> : tensor<3x2xf32>
    return
  }
  func.func private @_take(%arg0: tensor<3x2xf32> {mhlo.layout_mode = "default"}, %arg1: tensor<4xi32>) -> tensor<4x2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare  LT, %arg1, %0,  SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c_1 = stablehlo.constant dense<2> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %7 = stablehlo.compare  GE, %5, %6,  SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<4x1xi32>
    %10 = stablehlo.compare  LE, %5, %9,  SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [1] : (tensor<4x1xi1>, tensor<i1>) -> tensor<4xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<4xi1>) -> tensor<4x2xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<4x2xi1>, tensor<4x2xf32>
    return %16 : tensor<4x2xf32>
  }
  func.func private @_where(%arg0: tensor<4xi1>, %arg1: tensor<4xi32>, %arg2: tensor<4xi32>) -> tensor<4xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func private @normalize(%arg0: tensor<4xi32>) -> tensor<4x1xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare  LT, %arg0, %0,  SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg0, %2 : tensor<4xi32>
    %4 = stablehlo.select %1, %3, %arg0 : tensor<4xi1>, tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    return %5 : tensor<4x1xi32>
  }
  func.func private @index(%arg0: tensor<3x2xf32>, %arg1: tensor<4xi32>) -> tensor<4x2xf32> {
    %0 = call @normalize(%arg1) : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>
    return %1 : tensor<4x2xf32>
  }
  func.func private @segment_sum(%arg0: tensor<4x2xf32>, %arg1: tensor<4xi32>) -> tensor<3x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %1 = call @normalize(%arg1) : (tensor<4xi32>) -> tensor<4x1xi32>
    %2 = "stablehlo.scatter"(%0, %1, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %3 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<3x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> tensor<3x2xf32>
    return %2 : tensor<3x2xf32>
  }
  func.func private @scatter_add(%arg0: tensor<3x2xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4x2xf32>) -> tensor<3x2xf32> {
    %0 = call @normalize(%arg1) : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = "stablehlo.scatter"(%arg0, %0, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %2 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> tensor<3x2xf32>
    return %1 : tensor<3x2xf32>
  }
}
