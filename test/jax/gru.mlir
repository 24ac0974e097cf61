// RUN: ps-opt %s -o %t
// RUN: %python %S/Inputs/append.py %s %S/Inputs/gru.check | ps-run - --entry=check
// JAX 0.10.2 printed what follows; generate.py wrote it here.

module @jit_gru attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>, %arg1: tensor<2x6xf32>, %arg2: tensor<3x6xf32>, %arg3: tensor<5x4x3xf32>, %arg4: tensor<4x2xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:6 = stablehlo.while(%iterArg = %arg3, %iterArg_2 = %arg2, %iterArg_3 = %arg0, %iterArg_4 = %arg1, %iterArg_5 = %c, %iterArg_6 = %0) : tensor<5x4x3xf32>, tensor<3x6xf32>, tensor<6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<4x2xf32>
    cond {
      %c_7 = stablehlo.constant dense<5> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_5, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %c_7 = stablehlo.constant dense<5> : tensor<i32>
      %6 = stablehlo.subtract %c_7, %iterArg_5 : tensor<i32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.subtract %6, %c_8 : tensor<i32>
      %8 = func.call @dynamic_index_in_dim(%iterArg, %7) : (tensor<5x4x3xf32>, tensor<i32>) -> tensor<4x3xf32>
      %9 = func.call @closed_call(%iterArg_2, %iterArg_3, %iterArg_4, %iterArg_6, %8) : (tensor<3x6xf32>, tensor<6xf32>, tensor<2x6xf32>, tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<4x2xf32>
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg_5, %c_9 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %iterArg_3, %iterArg_4, %10, %9 : tensor<5x4x3xf32>, tensor<3x6xf32>, tensor<6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<4x2xf32>
    }
    %2 = stablehlo.subtract %1#5, %arg4 : tensor<4x2xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<4x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %5 = stablehlo.divide %4, %cst_1 : tensor<f32>
    return %5 : tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4x3xf32>, %arg1: tensor<i32>) -> tensor<4x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 3] : (tensor<5x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x3xf32>) -> tensor<4x3xf32>
    return %1 : tensor<4x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<2x6xf32>, %arg3: tensor<4x2xf32>, %arg4: tensor<4x3xf32>) -> tensor<4x2xf32> {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<3x6xf32>) -> tensor<4x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<4x6xf32>
    %4 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
    %5 = stablehlo.slice %3 [0:4, 0:4] : (tensor<4x6xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.slice %4 [0:4, 0:4] : (tensor<4x6xf32>) -> tensor<4x4xf32>
    %7 = stablehlo.add %5, %6 : tensor<4x4xf32>
    %8 = stablehlo.negate %7 : tensor<4x4xf32>
    %9 = stablehlo.exponential %8 : tensor<4x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %11 = stablehlo.add %10, %9 : tensor<4x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %13 = stablehlo.divide %12, %11 : tensor<4x4xf32>
    %14 = stablehlo.slice %13 [0:4, 0:2] : (tensor<4x4xf32>) -> tensor<4x2xf32>
    %15 = stablehlo.slice %13 [0:4, 2:4] : (tensor<4x4xf32>) -> tensor<4x2xf32>
    %16 = stablehlo.slice %3 [0:4, 4:6] : (tensor<4x6xf32>) -> tensor<4x2xf32>
    %17 = stablehlo.slice %4 [0:4, 4:6] : (tensor<4x6xf32>) -> tensor<4x2xf32>
    %18 = stablehlo.multiply %14, %17 : tensor<4x2xf32>
    %19 = stablehlo.add %16, %18 : tensor<4x2xf32>
    %20 = stablehlo.tanh %19 : tensor<4x2xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %22 = stablehlo.subtract %21, %15 : tensor<4x2xf32>
    %23 = stablehlo.multiply %22, %20 : tensor<4x2xf32>
    %24 = stablehlo.multiply %15, %arg3 : tensor<4x2xf32>
    %25 = stablehlo.add %23, %24 : tensor<4x2xf32>
    return %25 : tensor<4x2xf32>
  }
}
