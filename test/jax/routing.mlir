// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/routing.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_routing attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<4x3x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1][0]"}, tensor<4x3x2xf32> {jax.result_info = "result[1][1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<5x4xf32>, tensor<f32>) -> tensor<5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<5x4xf32>
    %7 = stablehlo.exponential %6 : tensor<5x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<5x4xf32>, tensor<f32>) -> tensor<5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %11 = stablehlo.divide %7, %10 : tensor<5x4xf32>
    %12 = stablehlo.multiply %9, %9 : tensor<5x1xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %14 = stablehlo.divide %13, %12 : tensor<5x1xf32>
    %values, %indices = chlo.top_k(%11, k = 2) : tensor<5x4xf32> -> (tensor<5x2xf32>, tensor<5x2xi32>)
    %15 = stablehlo.reshape %indices : (tensor<5x2xi32>) -> tensor<5x2x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x2xi32>
    %17 = stablehlo.compare LT, %indices, %16, SIGNED : (tensor<5x2xi32>, tensor<5x2xi32>) -> tensor<5x2xi1>
    %c_3 = stablehlo.constant dense<4> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<5x2xi32>
    %19 = stablehlo.add %indices, %18 : tensor<5x2xi32>
    %20 = stablehlo.select %17, %19, %indices : tensor<5x2xi1>, tensor<5x2xi32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<5x2xi32>) -> tensor<5x2x1xi32>
    %22 = "stablehlo.gather"(%arg2, %21) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3, 2>}> : (tensor<4x3x2xf32>, tensor<5x2x1xi32>) -> tensor<5x2x3x2xf32>
    %23 = stablehlo.dot_general %arg0, %22, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf32>, tensor<5x2x3x2xf32>) -> tensor<5x2x2xf32>
    %24 = stablehlo.broadcast_in_dim %values, dims = [0, 1] : (tensor<5x2xf32>) -> tensor<5x2x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<5x2x1xf32>) -> tensor<5x2x2xf32>
    %26 = stablehlo.multiply %25, %23 : tensor<5x2x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<5x2x2xf32>, tensor<f32>) -> tensor<5x2xf32>
    %28 = stablehlo.multiply %27, %27 : tensor<5x2xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %30 = stablehlo.multiply %29, %27 : tensor<5x2xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%28 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %32 = stablehlo.divide %31, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %33 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %35 = stablehlo.multiply %34, %30 : tensor<5x2xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 2] : (tensor<5x2xf32>) -> tensor<5x2x2xf32>
    %37 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<5x2x1xf32>) -> tensor<5x2x2xf32>
    %38 = stablehlo.multiply %37, %36 : tensor<5x2x2xf32>
    %39 = stablehlo.multiply %36, %23 : tensor<5x2x2xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<5x2x2xf32>, tensor<f32>) -> tensor<5x2xf32>
    %41 = stablehlo.reshape %40 : (tensor<5x2xf32>) -> tensor<5x2x1xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<5x2x1xf32>, tensor<f32>) -> tensor<5x2xf32>
    %43 = stablehlo.dot_general %38, %arg0, batching_dims = [0] x [0], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<5x2x2xf32>, tensor<5x3xf32>) -> tensor<5x2x2x3xf32>
    %44 = stablehlo.transpose %43, dims = [0, 1, 3, 2] : (tensor<5x2x2x3xf32>) -> tensor<5x2x3x2xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x3x2xf32>
    %46 = "stablehlo.scatter"(%45, %21, %44) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %63 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %63 : tensor<f32>
    }) : (tensor<4x3x2xf32>, tensor<5x2x1xi32>, tensor<5x2x3x2xf32>) -> tensor<4x3x2xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %48 = "stablehlo.scatter"(%47, %15, %42) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %63 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %63 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<5x2x1xi32>, tensor<5x2xf32>) -> tensor<5x4xf32>
    %49 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %50 = stablehlo.multiply %48, %49 : tensor<5x4xf32>
    %51 = stablehlo.multiply %50, %7 : tensor<5x4xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%51 init: %cst_14) applies stablehlo.add across dimensions = [1] : (tensor<5x4xf32>, tensor<f32>) -> tensor<5xf32>
    %53 = stablehlo.reshape %52 : (tensor<5xf32>) -> tensor<5x1xf32>
    %54 = stablehlo.negate %53 : tensor<5x1xf32>
    %55 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %56 = stablehlo.divide %48, %55 : tensor<5x4xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%54 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<5x1xf32>, tensor<f32>) -> tensor<5xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<5xf32>) -> tensor<5x4xf32>
    %59 = stablehlo.add %56, %58 : tensor<5x4xf32>
    %60 = stablehlo.multiply %59, %7 : tensor<5x4xf32>
    %61 = stablehlo.dot_general %60, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
    %62 = stablehlo.transpose %61, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    return %32, %62, %46 : tensor<f32>, tensor<3x4xf32>, tensor<4x3x2xf32>
  }
}
