// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/gru_gradients.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_gru_gradients attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>, %arg1: tensor<2x6xf32>, %arg2: tensor<3x6xf32>, %arg3: tensor<5x4x3xf32>, %arg4: tensor<4x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<2x6xf32> {jax.result_info = "result[1]['wh']"}, tensor<3x6xf32> {jax.result_info = "result[1]['wx']"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x4x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %10:14 = stablehlo.while(%iterArg = %arg3, %iterArg_17 = %arg2, %iterArg_18 = %1, %iterArg_19 = %arg1, %iterArg_20 = %c, %iterArg_21 = %0, %iterArg_22 = %2, %iterArg_23 = %3, %iterArg_24 = %4, %iterArg_25 = %5, %iterArg_26 = %6, %iterArg_27 = %7, %iterArg_28 = %8, %iterArg_29 = %9) : tensor<5x4x3xf32>, tensor<3x6xf32>, tensor<1x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x4xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>
    cond {
      %c_30 = stablehlo.constant dense<5> : tensor<i32>
      %24 = stablehlo.compare LT, %iterArg_20, %c_30, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %24 : tensor<i1>
    } do {
      %c_30 = stablehlo.constant dense<5> : tensor<i32>
      %24 = stablehlo.subtract %c_30, %iterArg_20 : tensor<i32>
      %c_31 = stablehlo.constant dense<1> : tensor<i32>
      %25 = stablehlo.subtract %24, %c_31 : tensor<i32>
      %26 = func.call @dynamic_index_in_dim(%iterArg, %25) : (tensor<5x4x3xf32>, tensor<i32>) -> tensor<4x3xf32>
      %27:9 = func.call @closed_call(%iterArg_17, %iterArg_18, %iterArg_19, %iterArg_21, %26) : (tensor<3x6xf32>, tensor<1x6xf32>, tensor<2x6xf32>, tensor<4x2xf32>, tensor<4x3xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>)
      %28 = func.call @dynamic_update_index_in_dim(%iterArg_22, %27#1, %25) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %29 = func.call @dynamic_update_index_in_dim_0(%iterArg_23, %27#2, %25) : (tensor<5x4x4xf32>, tensor<4x4xf32>, tensor<i32>) -> tensor<5x4x4xf32>
      %30 = func.call @dynamic_update_index_in_dim(%iterArg_24, %27#3, %25) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %31 = func.call @dynamic_update_index_in_dim(%iterArg_25, %27#4, %25) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %32 = func.call @dynamic_update_index_in_dim(%iterArg_26, %27#5, %25) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %33 = func.call @dynamic_update_index_in_dim(%iterArg_27, %27#6, %25) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %34 = func.call @dynamic_update_index_in_dim(%iterArg_28, %27#7, %25) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %35 = func.call @dynamic_update_index_in_dim(%iterArg_29, %27#8, %25) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %c_32 = stablehlo.constant dense<1> : tensor<i32>
      %36 = stablehlo.add %iterArg_20, %c_32 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_17, %iterArg_18, %iterArg_19, %36, %27#0, %28, %29, %30, %31, %32, %33, %34, %35 : tensor<5x4x3xf32>, tensor<3x6xf32>, tensor<1x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x4xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>
    }
    %11 = stablehlo.subtract %10#5, %arg4 : tensor<4x2xf32>
    %12 = stablehlo.multiply %11, %11 : tensor<4x2xf32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %14 = stablehlo.multiply %13, %11 : tensor<4x2xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%12 init: %cst_9) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_10 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %16 = stablehlo.divide %15, %cst_10 : tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_12 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %17 = stablehlo.divide %cst_11, %cst_12 : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %19 = stablehlo.multiply %18, %14 : tensor<4x2xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %23:15 = stablehlo.while(%iterArg = %arg3, %iterArg_17 = %10#6, %iterArg_18 = %10#7, %iterArg_19 = %10#8, %iterArg_20 = %10#9, %iterArg_21 = %10#10, %iterArg_22 = %10#11, %iterArg_23 = %10#12, %iterArg_24 = %10#13, %iterArg_25 = %arg1, %iterArg_26 = %c_16, %iterArg_27 = %20, %iterArg_28 = %21, %iterArg_29 = %22, %iterArg_30 = %19) : tensor<5x4x3xf32>, tensor<5x4x2xf32>, tensor<5x4x4xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<2x6xf32>, tensor<i32>, tensor<3x6xf32>, tensor<6xf32>, tensor<2x6xf32>, tensor<4x2xf32>
    cond {
      %c_31 = stablehlo.constant dense<5> : tensor<i32>
      %24 = stablehlo.compare LT, %iterArg_26, %c_31, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %24 : tensor<i1>
    } do {
      %24 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_26) : (tensor<5x4x3xf32>, tensor<i32>) -> tensor<4x3xf32>
      %25 = func.call @dynamic_index_in_dim_1(%iterArg_17, %iterArg_26) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %26 = func.call @dynamic_index_in_dim_2(%iterArg_18, %iterArg_26) : (tensor<5x4x4xf32>, tensor<i32>) -> tensor<4x4xf32>
      %27 = func.call @dynamic_index_in_dim_1(%iterArg_19, %iterArg_26) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %28 = func.call @dynamic_index_in_dim_1(%iterArg_20, %iterArg_26) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %29 = func.call @dynamic_index_in_dim_1(%iterArg_21, %iterArg_26) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %30 = func.call @dynamic_index_in_dim_1(%iterArg_22, %iterArg_26) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %31 = func.call @dynamic_index_in_dim_1(%iterArg_23, %iterArg_26) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %32 = func.call @dynamic_index_in_dim_1(%iterArg_24, %iterArg_26) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %33:4 = func.call @closed_call_3(%iterArg_25, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %24, %25, %26, %27, %28, %29, %30, %31, %32) : (tensor<2x6xf32>, tensor<3x6xf32>, tensor<6xf32>, tensor<2x6xf32>, tensor<4x2xf32>, tensor<4x3xf32>, tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<3x6xf32>, tensor<6xf32>, tensor<2x6xf32>, tensor<4x2xf32>)
      %c_31 = stablehlo.constant dense<1> : tensor<i32>
      %34 = stablehlo.add %iterArg_26, %c_31 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %34, %33#0, %33#1, %33#2, %33#3 : tensor<5x4x3xf32>, tensor<5x4x2xf32>, tensor<5x4x4xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<2x6xf32>, tensor<i32>, tensor<3x6xf32>, tensor<6xf32>, tensor<2x6xf32>, tensor<4x2xf32>
    }
    return %16, %23#12, %23#13, %23#11 : tensor<f32>, tensor<6xf32>, tensor<2x6xf32>, tensor<3x6xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4x3xf32>, %arg1: tensor<i32>) -> tensor<4x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 3] : (tensor<5x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x3xf32>) -> tensor<4x3xf32>
    return %1 : tensor<4x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x6xf32>, %arg1: tensor<1x6xf32>, %arg2: tensor<2x6xf32>, %arg3: tensor<4x2xf32>, %arg4: tensor<4x3xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<3x6xf32>) -> tensor<4x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x6xf32>
    %3 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
    %4 = stablehlo.slice %2 [0:4, 0:4] : (tensor<4x6xf32>) -> tensor<4x4xf32>
    %5 = stablehlo.slice %3 [0:4, 0:4] : (tensor<4x6xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.add %4, %5 : tensor<4x4xf32>
    %7 = stablehlo.negate %6 : tensor<4x4xf32>
    %8 = stablehlo.exponential %7 : tensor<4x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %10 = stablehlo.add %9, %8 : tensor<4x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %12 = stablehlo.divide %11, %10 : tensor<4x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %14 = stablehlo.subtract %13, %12 : tensor<4x4xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<4x4xf32>
    %16 = stablehlo.slice %12 [0:4, 0:2] : (tensor<4x4xf32>) -> tensor<4x2xf32>
    %17 = stablehlo.slice %12 [0:4, 2:4] : (tensor<4x4xf32>) -> tensor<4x2xf32>
    %18 = stablehlo.slice %2 [0:4, 4:6] : (tensor<4x6xf32>) -> tensor<4x2xf32>
    %19 = stablehlo.slice %3 [0:4, 4:6] : (tensor<4x6xf32>) -> tensor<4x2xf32>
    %20 = stablehlo.multiply %16, %19 : tensor<4x2xf32>
    %21 = stablehlo.add %18, %20 : tensor<4x2xf32>
    %22 = stablehlo.tanh %21 : tensor<4x2xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %24 = stablehlo.subtract %23, %22 : tensor<4x2xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %26 = stablehlo.subtract %25, %17 : tensor<4x2xf32>
    %27 = stablehlo.multiply %26, %22 : tensor<4x2xf32>
    %28 = stablehlo.multiply %17, %arg3 : tensor<4x2xf32>
    %29 = stablehlo.add %27, %28 : tensor<4x2xf32>
    return %29, %arg3, %15, %19, %16, %22, %24, %26, %17 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x4x2xf32>, %arg1: tensor<4x2xf32>, %arg2: tensor<i32>) -> tensor<5x4x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x2xf32>) -> tensor<1x4x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x4x2xf32>, tensor<1x4x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x2xf32>
    return %1 : tensor<5x4x2xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<5x4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<i32>) -> tensor<5x4x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x4x4xf32>, tensor<1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x4xf32>
    return %1 : tensor<5x4x4xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<5x4x2xf32>, %arg1: tensor<i32>) -> tensor<4x2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 2] : (tensor<5x4x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x2xf32>) -> tensor<4x2xf32>
    return %1 : tensor<4x2xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<5x4x4xf32>, %arg1: tensor<i32>) -> tensor<4x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 4] : (tensor<5x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<2x6xf32>, %arg1: tensor<3x6xf32>, %arg2: tensor<6xf32>, %arg3: tensor<2x6xf32>, %arg4: tensor<4x2xf32>, %arg5: tensor<4x3xf32>, %arg6: tensor<4x2xf32>, %arg7: tensor<4x4xf32>, %arg8: tensor<4x2xf32>, %arg9: tensor<4x2xf32>, %arg10: tensor<4x2xf32>, %arg11: tensor<4x2xf32>, %arg12: tensor<4x2xf32>, %arg13: tensor<4x2xf32>) -> (tensor<3x6xf32>, tensor<6xf32>, tensor<2x6xf32>, tensor<4x2xf32>) {
    %0 = stablehlo.multiply %arg13, %arg4 : tensor<4x2xf32>
    %1 = stablehlo.multiply %arg4, %arg6 : tensor<4x2xf32>
    %2 = stablehlo.multiply %arg12, %arg4 : tensor<4x2xf32>
    %3 = stablehlo.multiply %arg4, %arg10 : tensor<4x2xf32>
    %4 = stablehlo.negate %3 : tensor<4x2xf32>
    %5 = stablehlo.add %1, %4 : tensor<4x2xf32>
    %6 = stablehlo.multiply %2, %arg11 : tensor<4x2xf32>
    %7 = stablehlo.multiply %6, %arg10 : tensor<4x2xf32>
    %8 = stablehlo.add %6, %7 : tensor<4x2xf32>
    %9 = stablehlo.multiply %arg9, %8 : tensor<4x2xf32>
    %10 = stablehlo.multiply %8, %arg8 : tensor<4x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.pad %9, %cst, low = [0, 4], high = [0, 0], interior = [0, 0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.pad %8, %cst_0, low = [0, 4], high = [0, 0], interior = [0, 0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x6xf32>
    %13 = stablehlo.concatenate %10, %5, dim = 1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
    %14 = stablehlo.multiply %13, %arg7 : tensor<4x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.pad %14, %cst_1, low = [0, 0], high = [0, 2], interior = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x6xf32>
    %16 = stablehlo.add %11, %15 : tensor<4x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.pad %14, %cst_2, low = [0, 0], high = [0, 2], interior = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x6xf32>
    %18 = stablehlo.add %12, %17 : tensor<4x6xf32>
    %19 = stablehlo.dot_general %16, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<6x2xf32>
    %20 = stablehlo.transpose %19, dims = [1, 0] : (tensor<6x2xf32>) -> tensor<2x6xf32>
    %21 = stablehlo.add %arg3, %20 : tensor<2x6xf32>
    %22 = stablehlo.dot_general %16, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<2x6xf32>) -> tensor<4x2xf32>
    %23 = stablehlo.add %0, %22 : tensor<4x2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %25 = stablehlo.reshape %24 : (tensor<6xf32>) -> tensor<1x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %27 = stablehlo.add %arg2, %26 : tensor<6xf32>
    %28 = stablehlo.dot_general %18, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
    %29 = stablehlo.transpose %28, dims = [1, 0] : (tensor<6x3xf32>) -> tensor<3x6xf32>
    %30 = stablehlo.add %arg1, %29 : tensor<3x6xf32>
    return %30, %27, %21, %23 : tensor<3x6xf32>, tensor<6xf32>, tensor<2x6xf32>, tensor<4x2xf32>
  }
}
