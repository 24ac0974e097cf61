// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/pools.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_pools attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x7x6x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2x7x6x2xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %64 : tensor<f32>
    }) : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x3x3x2xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<2x3x3x2xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x3x2xf32>
    %4 = stablehlo.multiply %3, %1 : tensor<2x3x3x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x3x3x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.reduce_window"(%arg0, %6) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %64 : tensor<f32>
    }) : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x4x3x2xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<2x4x3x2xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<2x4x3x2xf32>
    %10 = stablehlo.multiply %7, %7 : tensor<2x4x3x2xf32>
    %cst_3 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x3x2xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<2x4x3x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%9 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x4x3x2xf32>, tensor<f32>) -> tensor<f32>
    %14 = stablehlo.add %5, %13 : tensor<f32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.reduce_window"(%arg0, %15) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %64 : tensor<f32>
    }) : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x3x3x2xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x7x6x2xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.reduce_window"(%17, %18) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %64 : tensor<f32>
    }) : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x3x3x2xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x3x3x2xf32>
    %21 = stablehlo.multiply %20, %20 : tensor<2x3x3x2xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<2x3x3x2xf32>
    %23 = stablehlo.multiply %20, %20 : tensor<2x3x3x2xf32>
    %cst_8 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x3x3x2xf32>
    %25 = stablehlo.multiply %24, %23 : tensor<2x3x3x2xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%22 init: %cst_9) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x3x3x2xf32>, tensor<f32>) -> tensor<f32>
    %27 = stablehlo.add %14, %26 : tensor<f32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<f32>
    %29 = "stablehlo.reduce_window"(%arg0, %28) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %64 : tensor<f32>
    }) : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x4x3x2xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x7x6x2xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<f32>
    %32 = "stablehlo.reduce_window"(%30, %31) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %64 : tensor<f32>
    }) : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x4x3x2xf32>
    %33 = stablehlo.divide %29, %32 : tensor<2x4x3x2xf32>
    %34 = stablehlo.multiply %33, %33 : tensor<2x4x3x2xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x4x3x2xf32>
    %36 = stablehlo.multiply %35, %33 : tensor<2x4x3x2xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%34 init: %cst_14) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x4x3x2xf32>, tensor<f32>) -> tensor<f32>
    %38 = stablehlo.add %27, %37 : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x4x3x2xf32>
    %40 = stablehlo.multiply %39, %36 : tensor<2x4x3x2xf32>
    %41 = stablehlo.divide %40, %32 : tensor<2x4x3x2xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.pad %41, %cst_16, low = [0, 1, 2, 0], high = [0, 1, 1, 0], interior = [0, 1, 1, 0] : (tensor<2x4x3x2xf32>, tensor<f32>) -> tensor<2x9x8x2xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<f32>
    %44 = "stablehlo.reduce_window"(%42, %43) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %64 : tensor<f32>
    }) : (tensor<2x9x8x2xf32>, tensor<f32>) -> tensor<2x7x6x2xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x3x3x2xf32>
    %46 = stablehlo.multiply %45, %25 : tensor<2x3x3x2xf32>
    %47 = stablehlo.divide %46, %19 : tensor<2x3x3x2xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.pad %47, %cst_19, low = [0, 1, 1, 0], high = [0, 2, 1, 0], interior = [0, 1, 1, 0] : (tensor<2x3x3x2xf32>, tensor<f32>) -> tensor<2x8x7x2xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<f32>
    %50 = "stablehlo.reduce_window"(%48, %49) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %64 : tensor<f32>
    }) : (tensor<2x8x7x2xf32>, tensor<f32>) -> tensor<2x7x6x2xf32>
    %51 = stablehlo.add %44, %50 : tensor<2x7x6x2xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x4x3x2xf32>
    %53 = stablehlo.multiply %52, %12 : tensor<2x4x3x2xf32>
    %cst_22 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %54 = stablehlo.pad %arg0, %cst_22, low = [0, 1, 0, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x9x7x2xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = "stablehlo.select_and_scatter"(%54, %53, %cst_23) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.compare GE, %arg1, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %64 : tensor<i1>
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %64 : tensor<f32>
    }) : (tensor<2x9x7x2xf32>, tensor<2x4x3x2xf32>, tensor<f32>) -> tensor<2x9x7x2xf32>
    %56 = stablehlo.slice %55 [0:2, 1:8, 0:6, 0:2] : (tensor<2x9x7x2xf32>) -> tensor<2x7x6x2xf32>
    %57 = stablehlo.add %51, %56 : tensor<2x7x6x2xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x3x3x2xf32>
    %59 = stablehlo.multiply %58, %4 : tensor<2x3x3x2xf32>
    %cst_25 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %60 = stablehlo.pad %arg0, %cst_25, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x7x6x2xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = "stablehlo.select_and_scatter"(%60, %59, %cst_26) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.compare GE, %arg1, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %64 : tensor<i1>
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %64 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %64 : tensor<f32>
    }) : (tensor<2x7x6x2xf32>, tensor<2x3x3x2xf32>, tensor<f32>) -> tensor<2x7x6x2xf32>
    %62 = stablehlo.slice %61 [0:2, 0:7, 0:6, 0:2] : (tensor<2x7x6x2xf32>) -> tensor<2x7x6x2xf32>
    %63 = stablehlo.add %57, %62 : tensor<2x7x6x2xf32>
    return %38, %63 : tensor<f32>, tensor<2x7x6x2xf32>
  }
}
