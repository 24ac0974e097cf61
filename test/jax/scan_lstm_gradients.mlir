// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/scan_lstm_gradients.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_scan_lstm_gradients attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<2x8xf32>, %arg2: tensor<3x8xf32>, %arg3: tensor<5x4x3xf32>, %arg4: tensor<4x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<8xf32> {jax.result_info = "result[1][0]['b']"}, tensor<2x8xf32> {jax.result_info = "result[1][0]['wh']"}, tensor<3x8xf32> {jax.result_info = "result[1][0]['wx']"}, tensor<5x4x3xf32> {jax.result_info = "result[1][1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
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
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<5x4x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %15:20 = stablehlo.while(%iterArg = %arg3, %iterArg_28 = %arg2, %iterArg_29 = %arg1, %iterArg_30 = %1, %iterArg_31 = %c, %iterArg_32 = %0, %iterArg_33 = %0, %iterArg_34 = %2, %iterArg_35 = %3, %iterArg_36 = %4, %iterArg_37 = %5, %iterArg_38 = %6, %iterArg_39 = %7, %iterArg_40 = %8, %iterArg_41 = %9, %iterArg_42 = %10, %iterArg_43 = %11, %iterArg_44 = %12, %iterArg_45 = %13, %iterArg_46 = %14) : tensor<5x4x3xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>
    cond {
      %c_47 = stablehlo.constant dense<5> : tensor<i32>
      %38 = stablehlo.compare LT, %iterArg_31, %c_47, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %38 : tensor<i1>
    } do {
      %38 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_31) : (tensor<5x4x3xf32>, tensor<i32>) -> tensor<4x3xf32>
      %39:15 = func.call @closed_call(%iterArg_28, %iterArg_29, %iterArg_30, %iterArg_32, %iterArg_33, %38) : (tensor<3x8xf32>, tensor<2x8xf32>, tensor<1x8xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x3xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>)
      %40 = func.call @dynamic_update_index_in_dim(%iterArg_34, %39#2, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %41 = func.call @dynamic_update_index_in_dim(%iterArg_35, %39#3, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %42 = func.call @dynamic_update_index_in_dim(%iterArg_36, %39#4, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %43 = func.call @dynamic_update_index_in_dim(%iterArg_37, %39#5, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %44 = func.call @dynamic_update_index_in_dim(%iterArg_38, %39#6, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %45 = func.call @dynamic_update_index_in_dim(%iterArg_39, %39#7, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %46 = func.call @dynamic_update_index_in_dim(%iterArg_40, %39#8, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %47 = func.call @dynamic_update_index_in_dim(%iterArg_41, %39#9, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %48 = func.call @dynamic_update_index_in_dim(%iterArg_42, %39#10, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %49 = func.call @dynamic_update_index_in_dim(%iterArg_43, %39#11, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %50 = func.call @dynamic_update_index_in_dim(%iterArg_44, %39#12, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %51 = func.call @dynamic_update_index_in_dim(%iterArg_45, %39#13, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %52 = func.call @dynamic_update_index_in_dim(%iterArg_46, %39#14, %iterArg_31) : (tensor<5x4x2xf32>, tensor<4x2xf32>, tensor<i32>) -> tensor<5x4x2xf32>
      %c_47 = stablehlo.constant dense<1> : tensor<i32>
      %53 = stablehlo.add %iterArg_31, %c_47 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_28, %iterArg_29, %iterArg_30, %53, %39#0, %39#1, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52 : tensor<5x4x3xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>
    }
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15#7 init: %cst_13) applies stablehlo.add across dimensions = [0] : (tensor<5x4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %cst_14 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %18 = stablehlo.divide %16, %17 : tensor<4x2xf32>
    %19 = stablehlo.subtract %18, %arg4 : tensor<4x2xf32>
    %20 = stablehlo.multiply %19, %19 : tensor<4x2xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %22 = stablehlo.multiply %21, %19 : tensor<4x2xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%20 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_17 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %24 = stablehlo.divide %23, %cst_17 : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_19 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %25 = stablehlo.divide %cst_18, %cst_19 : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %27 = stablehlo.multiply %26, %22 : tensor<4x2xf32>
    %cst_20 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %29 = stablehlo.divide %27, %28 : tensor<4x2xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [1, 2] : (tensor<4x2xf32>) -> tensor<5x4x2xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<5x4x3xf32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %37:23 = stablehlo.while(%iterArg = %30, %iterArg_28 = %arg3, %iterArg_29 = %15#8, %iterArg_30 = %15#9, %iterArg_31 = %15#10, %iterArg_32 = %15#11, %iterArg_33 = %15#12, %iterArg_34 = %15#13, %iterArg_35 = %15#14, %iterArg_36 = %15#15, %iterArg_37 = %15#16, %iterArg_38 = %15#17, %iterArg_39 = %15#18, %iterArg_40 = %15#19, %iterArg_41 = %arg2, %iterArg_42 = %arg1, %iterArg_43 = %c_27, %iterArg_44 = %33, %iterArg_45 = %34, %iterArg_46 = %35, %iterArg_47 = %31, %iterArg_48 = %32, %iterArg_49 = %36) : tensor<5x4x2xf32>, tensor<5x4x3xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<5x4x3xf32>
    cond {
      %c_50 = stablehlo.constant dense<5> : tensor<i32>
      %38 = stablehlo.compare LT, %iterArg_43, %c_50, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %38 : tensor<i1>
    } do {
      %c_50 = stablehlo.constant dense<5> : tensor<i32>
      %38 = stablehlo.subtract %c_50, %iterArg_43 : tensor<i32>
      %c_51 = stablehlo.constant dense<1> : tensor<i32>
      %39 = stablehlo.subtract %38, %c_51 : tensor<i32>
      %40 = func.call @dynamic_index_in_dim_0(%iterArg, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %41 = func.call @dynamic_index_in_dim(%iterArg_28, %39) : (tensor<5x4x3xf32>, tensor<i32>) -> tensor<4x3xf32>
      %42 = func.call @dynamic_index_in_dim_0(%iterArg_29, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %43 = func.call @dynamic_index_in_dim_0(%iterArg_30, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %44 = func.call @dynamic_index_in_dim_0(%iterArg_31, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %45 = func.call @dynamic_index_in_dim_0(%iterArg_32, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %46 = func.call @dynamic_index_in_dim_0(%iterArg_33, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %47 = func.call @dynamic_index_in_dim_0(%iterArg_34, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %48 = func.call @dynamic_index_in_dim_0(%iterArg_35, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %49 = func.call @dynamic_index_in_dim_0(%iterArg_36, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %50 = func.call @dynamic_index_in_dim_0(%iterArg_37, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %51 = func.call @dynamic_index_in_dim_0(%iterArg_38, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %52 = func.call @dynamic_index_in_dim_0(%iterArg_39, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %53 = func.call @dynamic_index_in_dim_0(%iterArg_40, %39) : (tensor<5x4x2xf32>, tensor<i32>) -> tensor<4x2xf32>
      %54:6 = func.call @closed_call_1(%iterArg_41, %iterArg_42, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53) : (tensor<3x8xf32>, tensor<2x8xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x3xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x3xf32>)
      %55 = func.call @dynamic_update_index_in_dim_2(%iterArg_49, %54#5, %39) : (tensor<5x4x3xf32>, tensor<4x3xf32>, tensor<i32>) -> tensor<5x4x3xf32>
      %c_52 = stablehlo.constant dense<1> : tensor<i32>
      %56 = stablehlo.add %iterArg_43, %c_52 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %56, %54#0, %54#1, %54#2, %54#3, %54#4, %55 : tensor<5x4x2xf32>, tensor<5x4x3xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<5x4x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<5x4x3xf32>
    }
    return %24, %37#19, %37#18, %37#17, %37#22 : tensor<f32>, tensor<8xf32>, tensor<2x8xf32>, tensor<3x8xf32>, tensor<5x4x3xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4x3xf32>, %arg1: tensor<i32>) -> tensor<4x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 3] : (tensor<5x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x3xf32>) -> tensor<4x3xf32>
    return %1 : tensor<4x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x8xf32>, %arg1: tensor<2x8xf32>, %arg2: tensor<1x8xf32>, %arg3: tensor<4x2xf32>, %arg4: tensor<4x2xf32>, %arg5: tensor<4x3xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x8xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %4 = stablehlo.add %2, %3 : tensor<4x8xf32>
    %5 = stablehlo.slice %4 [0:4, 0:2] : (tensor<4x8xf32>) -> tensor<4x2xf32>
    %6 = stablehlo.slice %4 [0:4, 2:4] : (tensor<4x8xf32>) -> tensor<4x2xf32>
    %7 = stablehlo.slice %4 [0:4, 4:6] : (tensor<4x8xf32>) -> tensor<4x2xf32>
    %8 = stablehlo.slice %4 [0:4, 6:8] : (tensor<4x8xf32>) -> tensor<4x2xf32>
    %9 = stablehlo.negate %6 : tensor<4x2xf32>
    %10 = stablehlo.exponential %9 : tensor<4x2xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %12 = stablehlo.add %11, %10 : tensor<4x2xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %14 = stablehlo.divide %13, %12 : tensor<4x2xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<4x2xf32>
    %17 = stablehlo.multiply %14, %16 : tensor<4x2xf32>
    %18 = stablehlo.multiply %14, %arg4 : tensor<4x2xf32>
    %19 = stablehlo.negate %5 : tensor<4x2xf32>
    %20 = stablehlo.exponential %19 : tensor<4x2xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %22 = stablehlo.add %21, %20 : tensor<4x2xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %24 = stablehlo.divide %23, %22 : tensor<4x2xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %26 = stablehlo.subtract %25, %24 : tensor<4x2xf32>
    %27 = stablehlo.multiply %24, %26 : tensor<4x2xf32>
    %28 = stablehlo.tanh %7 : tensor<4x2xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %30 = stablehlo.subtract %29, %28 : tensor<4x2xf32>
    %31 = stablehlo.multiply %24, %28 : tensor<4x2xf32>
    %32 = stablehlo.add %18, %31 : tensor<4x2xf32>
    %33 = stablehlo.negate %8 : tensor<4x2xf32>
    %34 = stablehlo.exponential %33 : tensor<4x2xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %36 = stablehlo.add %35, %34 : tensor<4x2xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %38 = stablehlo.divide %37, %36 : tensor<4x2xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %40 = stablehlo.subtract %39, %38 : tensor<4x2xf32>
    %41 = stablehlo.multiply %38, %40 : tensor<4x2xf32>
    %42 = stablehlo.tanh %32 : tensor<4x2xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %44 = stablehlo.subtract %43, %42 : tensor<4x2xf32>
    %45 = stablehlo.multiply %38, %42 : tensor<4x2xf32>
    return %45, %32, %45, %arg3, %17, %arg4, %14, %27, %28, %30, %24, %41, %42, %44, %38 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x4x2xf32>, %arg1: tensor<4x2xf32>, %arg2: tensor<i32>) -> tensor<5x4x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x2xf32>) -> tensor<1x4x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x4x2xf32>, tensor<1x4x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x2xf32>
    return %1 : tensor<5x4x2xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<5x4x2xf32>, %arg1: tensor<i32>) -> tensor<4x2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 2] : (tensor<5x4x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x2xf32>) -> tensor<4x2xf32>
    return %1 : tensor<4x2xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<3x8xf32>, %arg1: tensor<2x8xf32>, %arg2: tensor<3x8xf32>, %arg3: tensor<2x8xf32>, %arg4: tensor<8xf32>, %arg5: tensor<4x2xf32>, %arg6: tensor<4x2xf32>, %arg7: tensor<4x2xf32>, %arg8: tensor<4x3xf32>, %arg9: tensor<4x2xf32>, %arg10: tensor<4x2xf32>, %arg11: tensor<4x2xf32>, %arg12: tensor<4x2xf32>, %arg13: tensor<4x2xf32>, %arg14: tensor<4x2xf32>, %arg15: tensor<4x2xf32>, %arg16: tensor<4x2xf32>, %arg17: tensor<4x2xf32>, %arg18: tensor<4x2xf32>, %arg19: tensor<4x2xf32>, %arg20: tensor<4x2xf32>) -> (tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x3xf32>) {
    %0 = stablehlo.add %arg5, %arg7 : tensor<4x2xf32>
    %1 = stablehlo.multiply %arg20, %0 : tensor<4x2xf32>
    %2 = stablehlo.multiply %0, %arg18 : tensor<4x2xf32>
    %3 = stablehlo.multiply %1, %arg19 : tensor<4x2xf32>
    %4 = stablehlo.add %arg6, %3 : tensor<4x2xf32>
    %5 = stablehlo.multiply %3, %arg18 : tensor<4x2xf32>
    %6 = stablehlo.add %4, %5 : tensor<4x2xf32>
    %7 = stablehlo.multiply %2, %arg17 : tensor<4x2xf32>
    %8 = stablehlo.multiply %arg16, %6 : tensor<4x2xf32>
    %9 = stablehlo.multiply %6, %arg14 : tensor<4x2xf32>
    %10 = stablehlo.multiply %8, %arg15 : tensor<4x2xf32>
    %11 = stablehlo.multiply %10, %arg14 : tensor<4x2xf32>
    %12 = stablehlo.add %10, %11 : tensor<4x2xf32>
    %13 = stablehlo.multiply %9, %arg13 : tensor<4x2xf32>
    %14 = stablehlo.multiply %arg12, %6 : tensor<4x2xf32>
    %15 = stablehlo.multiply %6, %arg11 : tensor<4x2xf32>
    %16 = stablehlo.multiply %15, %arg10 : tensor<4x2xf32>
    %17 = stablehlo.concatenate %13, %16, %12, %7, dim = 1 : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %19 = stablehlo.reshape %18 : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %21 = stablehlo.add %arg4, %20 : tensor<8xf32>
    %22 = stablehlo.dot_general %17, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
    %23 = stablehlo.transpose %22, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %24 = stablehlo.add %arg3, %23 : tensor<2x8xf32>
    %25 = stablehlo.dot_general %17, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
    %26 = stablehlo.dot_general %17, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
    %28 = stablehlo.add %arg2, %27 : tensor<3x8xf32>
    %29 = stablehlo.dot_general %17, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<3x8xf32>) -> tensor<4x3xf32>
    return %28, %24, %21, %25, %14, %29 : tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x3xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<5x4x3xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<i32>) -> tensor<5x4x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x4x3xf32>, tensor<1x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x3xf32>
    return %1 : tensor<5x4x3xf32>
  }
}
