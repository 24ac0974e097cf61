// PyTorch 2.15.0+cu132; generate.py wrote this.
module @mlp {
  func.func public @main(%arg_0: tensor<16x8xf32>,
    %arg_1: tensor<16xf32>,
    %arg_2: tensor<16x16xf32>,
    %arg_3: tensor<16xf32>,
    %arg_4: tensor<4x16xf32>,
    %arg_5: tensor<4xf32>,
    %arg_6: tensor<?x8xf32>,
    %arg_7: tensor<?xi64>)
      -> (tensor<f32>) {
    %0 = stablehlo.dot_general %arg_6, %arg_0, contracting_dims = [1] x [1] : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg_1, dims = [1] : (tensor<16xf32>) -> tensor<?x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<?x16xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<?x16xf32>
    %5 = stablehlo.maximum %2, %4 : tensor<?x16xf32>
    %6 = stablehlo.dot_general %5, %arg_2, contracting_dims = [1] x [1] : (tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
    %7 = stablehlo.broadcast_in_dim %arg_3, dims = [1] : (tensor<16xf32>) -> tensor<?x16xf32>
    %8 = stablehlo.add %6, %7 : tensor<?x16xf32>
    %9 = stablehlo.tanh %8 : tensor<?x16xf32>
    %10 = stablehlo.dot_general %9, %arg_4, contracting_dims = [1] x [1] : (tensor<?x16xf32>, tensor<4x16xf32>) -> tensor<?x4xf32>
    %11 = stablehlo.broadcast_in_dim %arg_5, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
    %12 = stablehlo.add %10, %11 : tensor<?x4xf32>
    %13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%12 init: %13) applies stablehlo.maximum across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %15 = stablehlo.reshape %14 : (tensor<?xf32>) -> tensor<?x1xf32>
    %16 = ps.stop_gradient %15 : tensor<?x1xf32>
    %17 = stablehlo.reshape %16 : (tensor<?x1xf32>) -> tensor<?xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
    %19 = stablehlo.subtract %12, %18 : tensor<?x4xf32>
    %20 = stablehlo.exponential %19 : tensor<?x4xf32>
    %21 = stablehlo.reduce(%20 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %22 = stablehlo.reshape %21 : (tensor<?xf32>) -> tensor<?x1xf32>
    %23 = stablehlo.log %22 : tensor<?x1xf32>
    %24 = stablehlo.reshape %23 : (tensor<?x1xf32>) -> tensor<?xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
    %26 = stablehlo.subtract %19, %25 : tensor<?x4xf32>
    %27 = stablehlo.reshape %arg_7 : (tensor<?xi64>) -> tensor<?x1xi64>
    %28 = stablehlo.iota dim = 0 : tensor<4xi64>
    %29 = stablehlo.reshape %28 : (tensor<4xi64>) -> tensor<1x4xi64>
    %30 = stablehlo.reshape %29 : (tensor<1x4xi64>) -> tensor<4xi64>
    %31 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<4xi64>) -> tensor<?x4xi64>
    %32 = stablehlo.reshape %27 : (tensor<?x1xi64>) -> tensor<?xi64>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<?xi64>) -> tensor<?x4xi64>
    %34 = stablehlo.compare EQ, %31, %33 : (tensor<?x4xi64>, tensor<?x4xi64>) -> tensor<?x4xi1>
    %35 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
    %36 = stablehlo.select %34, %26, %35 : tensor<?x4xi1>, tensor<?x4xf32>
    %37 = stablehlo.reduce(%36 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %38 = stablehlo.reshape %37 : (tensor<?xf32>) -> tensor<?x1xf32>
    %39 = stablehlo.negate %38 : tensor<?x1xf32>
    %40 = stablehlo.constant dense<0> : tensor<i64>
    %41 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<i64>) -> tensor<?x1xi64>
    %42 = stablehlo.compare GE, %27, %41 : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi1>
    %43 = stablehlo.constant dense<4> : tensor<i64>
    %44 = stablehlo.broadcast_in_dim %43, dims = [] : (tensor<i64>) -> tensor<?x1xi64>
    %45 = stablehlo.compare LT, %27, %44 : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi1>
    %46 = stablehlo.and %42, %45 : tensor<?x1xi1>
    %47 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<?x1xf32>
    %49 = stablehlo.select %46, %39, %48 : tensor<?x1xi1>, tensor<?x1xf32>
    %50 = stablehlo.reduce(%49 init: %3) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    %51 = stablehlo.get_dimension_size %arg_6, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
    %52 = stablehlo.convert %51 : (tensor<i32>) -> tensor<f32>
    %53 = stablehlo.divide %50, %52 : tensor<f32>
    return %53 : tensor<f32>
  }
}
