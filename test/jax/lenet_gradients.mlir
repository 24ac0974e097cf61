// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/lenet_gradients.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_lenet_gradients attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<5xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3x3x1x4xf32>, %arg4: tensor<3x3x4x5xf32>, %arg5: tensor<20x3xf32>, %arg6: tensor<3x12x12x1xf32>, %arg7: tensor<3xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]['b0']"}, tensor<5xf32> {jax.result_info = "result[1]['b1']"}, tensor<3xf32> {jax.result_info = "result[1]['b2']"}, tensor<3x3x1x4xf32> {jax.result_info = "result[1]['w0']"}, tensor<3x3x4x5xf32> {jax.result_info = "result[1]['w1']"}, tensor<20x3xf32> {jax.result_info = "result[1]['w2']"}) {
    %0 = stablehlo.convolution(%arg6, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x12x12x1xf32>, tensor<3x3x1x4xf32>) -> tensor<3x12x12x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x12x12x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<3x12x12x4xf32>
    %4 = call @relu(%3) : (tensor<3x12x12x4xf32>) -> tensor<3x12x12x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x12x12x4xf32>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<3x12x12x4xf32>, tensor<3x12x12x4xf32>) -> tensor<3x12x12x4xi1>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %8 = "stablehlo.reduce_window"(%4, %7) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %61 = stablehlo.maximum %arg8, %arg9 : tensor<f32>
      stablehlo.return %61 : tensor<f32>
    }) : (tensor<3x12x12x4xf32>, tensor<f32>) -> tensor<3x6x6x4xf32>
    %9 = stablehlo.convolution(%8, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x6x6x4xf32>, tensor<3x3x4x5xf32>) -> tensor<3x4x4x5xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<5xf32>) -> tensor<1x1x1x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x1x5xf32>) -> tensor<3x4x4x5xf32>
    %12 = stablehlo.add %9, %11 : tensor<3x4x4x5xf32>
    %13 = call @relu_0(%12) : (tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4x4x5xf32>
    %15 = stablehlo.compare GT, %12, %14, FLOAT : (tensor<3x4x4x5xf32>, tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xi1>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.reduce_window"(%13, %16) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %61 = stablehlo.maximum %arg8, %arg9 : tensor<f32>
      stablehlo.return %61 : tensor<f32>
    }) : (tensor<3x4x4x5xf32>, tensor<f32>) -> tensor<3x2x2x5xf32>
    %18 = stablehlo.reshape %17 : (tensor<3x2x2x5xf32>) -> tensor<3x20xf32>
    %19 = stablehlo.dot_general %18, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x20xf32>, tensor<20x3xf32>) -> tensor<3x3xf32>
    %20 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %22 = stablehlo.add %19, %21 : tensor<3x3xf32>
    %23:3 = call @log_softmax(%22) : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x1xf32>)
    %24 = stablehlo.broadcast_in_dim %arg7, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %25:2 = call @take_along_axis(%23#0, %24) : (tensor<3x3xf32>, tensor<3x1xi32>) -> (tensor<3x1xf32>, tensor<3x1x1xi32>)
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25#0 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %27 = stablehlo.divide %26, %cst_4 : tensor<f32>
    %28 = stablehlo.negate %27 : tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.negate %cst_5 : tensor<f32>
    %cst_6 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %30 = stablehlo.divide %29, %cst_6 : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %32 = call @take_along_axis_1(%25#1, %31) : (tensor<3x1x1xi32>, tensor<3x1xf32>) -> tensor<3x3xf32>
    %33 = call @log_softmax_2(%23#1, %23#2, %32) : (tensor<3x3xf32>, tensor<3x1xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %35 = stablehlo.reshape %34 : (tensor<3xf32>) -> tensor<1x3xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1x3xf32>, tensor<f32>) -> tensor<3xf32>
    %37 = stablehlo.dot_general %33, %18, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x20xf32>) -> tensor<3x20xf32>
    %38 = stablehlo.transpose %37, dims = [1, 0] : (tensor<3x20xf32>) -> tensor<20x3xf32>
    %39 = stablehlo.dot_general %33, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<20x3xf32>) -> tensor<3x20xf32>
    %40 = stablehlo.reshape %39 : (tensor<3x20xf32>) -> tensor<3x2x2x5xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.pad %13, %cst_9, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<3x4x4x5xf32>, tensor<f32>) -> tensor<3x4x4x5xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = "stablehlo.select_and_scatter"(%41, %40, %cst_10) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %61 = stablehlo.compare GE, %arg8, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %61 : tensor<i1>
    }, {
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %61 = stablehlo.add %arg8, %arg9 : tensor<f32>
      stablehlo.return %61 : tensor<f32>
    }) : (tensor<3x4x4x5xf32>, tensor<3x2x2x5xf32>, tensor<f32>) -> tensor<3x4x4x5xf32>
    %43 = stablehlo.slice %42 [0:3, 0:4, 0:4, 0:5] : (tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3x4x4x5xf32>
    %45 = stablehlo.select %15, %43, %44 : tensor<3x4x4x5xi1>, tensor<3x4x4x5xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%45 init: %cst_12) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x4x5xf32>, tensor<f32>) -> tensor<5xf32>
    %47 = stablehlo.reshape %46 : (tensor<5xf32>) -> tensor<1x1x1x5xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_13) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x5xf32>, tensor<f32>) -> tensor<5xf32>
    %49 = stablehlo.convolution(%8, %45) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x6x6x4xf32>, tensor<3x4x4x5xf32>) -> tensor<3x3x4x5xf32>
    %50 = stablehlo.reverse %arg4, dims = [0, 1] : tensor<3x3x4x5xf32>
    %51 = stablehlo.convolution(%45, %50) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x5xf32>, tensor<3x3x4x5xf32>) -> tensor<3x6x6x4xf32>
    %cst_14 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %52 = stablehlo.pad %4, %cst_14, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<3x12x12x4xf32>, tensor<f32>) -> tensor<3x12x12x4xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = "stablehlo.select_and_scatter"(%52, %51, %cst_15) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %61 = stablehlo.compare GE, %arg8, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %61 : tensor<i1>
    }, {
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %61 = stablehlo.add %arg8, %arg9 : tensor<f32>
      stablehlo.return %61 : tensor<f32>
    }) : (tensor<3x12x12x4xf32>, tensor<3x6x6x4xf32>, tensor<f32>) -> tensor<3x12x12x4xf32>
    %54 = stablehlo.slice %53 [0:3, 0:12, 0:12, 0:4] : (tensor<3x12x12x4xf32>) -> tensor<3x12x12x4xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<3x12x12x4xf32>
    %56 = stablehlo.select %6, %54, %55 : tensor<3x12x12x4xi1>, tensor<3x12x12x4xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_17) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x12x12x4xf32>, tensor<f32>) -> tensor<4xf32>
    %58 = stablehlo.reshape %57 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.reduce(%58 init: %cst_18) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %60 = stablehlo.convolution(%arg6, %56) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x12x12x1xf32>, tensor<3x12x12x4xf32>) -> tensor<3x3x1x4xf32>
    return %28, %59, %48, %36, %60, %49, %38 : tensor<f32>, tensor<4xf32>, tensor<5xf32>, tensor<3xf32>, tensor<3x3x1x4xf32>, tensor<3x3x4x5xf32>, tensor<20x3xf32>
  }
  func.func private @relu(%arg0: tensor<3x12x12x4xf32>) -> tensor<3x12x12x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x12x12x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x12x12x4xf32>
    return %1 : tensor<3x12x12x4xf32>
  }
  func.func private @relu_0(%arg0: tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4x4x5xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x4x4x5xf32>
    return %1 : tensor<3x4x4x5xf32>
  }
  func.func private @log_softmax(%arg0: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<3xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x3xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x3xf32>
    %6 = stablehlo.exponential %5 : tensor<3x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %9 = stablehlo.log %8 : tensor<3x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x3xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<3x3xf32>
    return %11, %6, %8 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<3x3xf32>, %arg1: tensor<3x1xi32>) -> (tensor<3x1xf32>, tensor<3x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<3x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<3x1xi1>, tensor<3x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<3x1xi32>) -> tensor<3x1x1xi32>
    %c_1 = stablehlo.constant dense<2> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<3x1x1xi32>, tensor<3x1x1xi32>) -> tensor<3x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<3x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<3x1x1xi32>, tensor<3x1x1xi32>) -> tensor<3x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<3x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<3x1x1xi1>, tensor<i1>) -> tensor<3x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x3xf32>, tensor<3x1x1xi32>) -> tensor<3x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<3x1xi1>, tensor<3x1xf32>
    return %15, %5 : tensor<3x1xf32>, tensor<3x1x1xi32>
  }
  func.func private @take_along_axis_1(%arg0: tensor<3x1x1xi32>, %arg1: tensor<3x1xf32>) -> tensor<3x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x3xf32>, tensor<3x1x1xi32>, tensor<3x1xf32>) -> tensor<3x3xf32>
    return %1 : tensor<3x3xf32>
  }
  func.func private @log_softmax_2(%arg0: tensor<3x3xf32>, %arg1: tensor<3x1xf32>, %arg2: tensor<3x3xf32>) -> tensor<3x3xf32> {
    %0 = stablehlo.negate %arg2 : tensor<3x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.reshape %1 : (tensor<3xf32>) -> tensor<3x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<3x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xf32>) -> tensor<3x3xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<3x3xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<3x3xf32>
    return %7 : tensor<3x3xf32>
  }
}
