// PyTorch 2.15.0+cu132; generate.py wrote this.
module @batch_norm {
  func.func public @main(%arg_0: tensor<16x8xf32>,
    %arg_1: tensor<16xf32>,
    %arg_2: tensor<16xf32>,
    %arg_3: tensor<16xf32>,
    %arg_4: tensor<4x16xf32>,
    %arg_5: tensor<4xf32>,
    %arg_6: tensor<16xf32>,
    %arg_7: tensor<16xf32>,
    %arg_8: tensor<i64>,
    %arg_9: tensor<?x8xf32>,
    %arg_10: tensor<?xi64>)
      -> (tensor<f32>, tensor<16xf32>, tensor<16xf32>, tensor<i64>) {
    %0 = stablehlo.dot_general %arg_9, %arg_0, contracting_dims = [1] x [1] : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg_1, dims = [1] : (tensor<16xf32>) -> tensor<?x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<?x16xf32>
    %3 = stablehlo.constant dense<1> : tensor<i64>
    %4 = stablehlo.add %arg_8, %3 : tensor<i64>
    %5 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%2 init: %5) applies stablehlo.add across dimensions = [0] : (tensor<?x16xf32>, tensor<f32>) -> tensor<16xf32>
    %7 = stablehlo.get_dimension_size %arg_9, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
    %8 = stablehlo.convert %7 : (tensor<i32>) -> tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %10 = stablehlo.divide %6, %9 : tensor<16xf32>
    %11 = stablehlo.reshape %10 : (tensor<16xf32>) -> tensor<1x16xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x16xf32>) -> tensor<16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<16xf32>) -> tensor<?x16xf32>
    %14 = stablehlo.subtract %2, %13 : tensor<?x16xf32>
    %15 = stablehlo.multiply %14, %14 : tensor<?x16xf32>
    %16 = stablehlo.reduce(%15 init: %5) applies stablehlo.add across dimensions = [0] : (tensor<?x16xf32>, tensor<f32>) -> tensor<16xf32>
    %17 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %18 = stablehlo.divide %16, %17 : tensor<16xf32>
    %19 = stablehlo.constant dense<1.0> : tensor<f32>
    %20 = stablehlo.subtract %8, %19 : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %22 = stablehlo.divide %16, %21 : tensor<16xf32>
    %23 = stablehlo.reshape %10 : (tensor<16xf32>) -> tensor<1x16xf32>
    %24 = stablehlo.reshape %18 : (tensor<16xf32>) -> tensor<1x16xf32>
    %25 = stablehlo.constant dense<1.00000000000000008e-05> : tensor<1x16xf32>
    %26 = stablehlo.add %24, %25 : tensor<1x16xf32>
    %27 = stablehlo.rsqrt %26 : tensor<1x16xf32>
    %28 = stablehlo.reshape %23 : (tensor<1x16xf32>) -> tensor<16xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [1] : (tensor<16xf32>) -> tensor<?x16xf32>
    %30 = stablehlo.subtract %2, %29 : tensor<?x16xf32>
    %31 = stablehlo.reshape %27 : (tensor<1x16xf32>) -> tensor<16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [1] : (tensor<16xf32>) -> tensor<?x16xf32>
    %33 = stablehlo.multiply %30, %32 : tensor<?x16xf32>
    %34 = stablehlo.reshape %arg_2 : (tensor<16xf32>) -> tensor<1x16xf32>
    %35 = stablehlo.reshape %arg_3 : (tensor<16xf32>) -> tensor<1x16xf32>
    %36 = stablehlo.reshape %34 : (tensor<1x16xf32>) -> tensor<16xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [1] : (tensor<16xf32>) -> tensor<?x16xf32>
    %38 = stablehlo.multiply %33, %37 : tensor<?x16xf32>
    %39 = stablehlo.reshape %35 : (tensor<1x16xf32>) -> tensor<16xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [1] : (tensor<16xf32>) -> tensor<?x16xf32>
    %41 = stablehlo.add %38, %40 : tensor<?x16xf32>
    %42 = stablehlo.constant dense<1.00000000000000008e-05> : tensor<16xf32>
    %43 = stablehlo.add %18, %42 : tensor<16xf32>
    %44 = stablehlo.rsqrt %43 : tensor<16xf32>
    %45 = stablehlo.constant dense<0.9> : tensor<16xf32>
    %46 = stablehlo.multiply %arg_6, %45 : tensor<16xf32>
    %47 = ps.stop_gradient %10 : tensor<16xf32>
    %48 = stablehlo.constant dense<0.1> : tensor<16xf32>
    %49 = stablehlo.multiply %47, %48 : tensor<16xf32>
    %50 = stablehlo.add %46, %49 : tensor<16xf32>
    %51 = stablehlo.multiply %arg_7, %45 : tensor<16xf32>
    %52 = ps.stop_gradient %22 : tensor<16xf32>
    %53 = stablehlo.multiply %52, %48 : tensor<16xf32>
    %54 = stablehlo.add %51, %53 : tensor<16xf32>
    %55 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<?x16xf32>
    %56 = stablehlo.maximum %41, %55 : tensor<?x16xf32>
    %57 = stablehlo.dot_general %56, %arg_4, contracting_dims = [1] x [1] : (tensor<?x16xf32>, tensor<4x16xf32>) -> tensor<?x4xf32>
    %58 = stablehlo.broadcast_in_dim %arg_5, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
    %59 = stablehlo.add %57, %58 : tensor<?x4xf32>
    %60 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %61 = stablehlo.reduce(%59 init: %60) applies stablehlo.maximum across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %62 = stablehlo.reshape %61 : (tensor<?xf32>) -> tensor<?x1xf32>
    %63 = ps.stop_gradient %62 : tensor<?x1xf32>
    %64 = stablehlo.reshape %63 : (tensor<?x1xf32>) -> tensor<?xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
    %66 = stablehlo.subtract %59, %65 : tensor<?x4xf32>
    %67 = stablehlo.exponential %66 : tensor<?x4xf32>
    %68 = stablehlo.reduce(%67 init: %5) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %69 = stablehlo.reshape %68 : (tensor<?xf32>) -> tensor<?x1xf32>
    %70 = stablehlo.log %69 : tensor<?x1xf32>
    %71 = stablehlo.reshape %70 : (tensor<?x1xf32>) -> tensor<?xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
    %73 = stablehlo.subtract %66, %72 : tensor<?x4xf32>
    %74 = stablehlo.reshape %arg_10 : (tensor<?xi64>) -> tensor<?x1xi64>
    %75 = stablehlo.iota dim = 0 : tensor<4xi64>
    %76 = stablehlo.reshape %75 : (tensor<4xi64>) -> tensor<1x4xi64>
    %77 = stablehlo.reshape %76 : (tensor<1x4xi64>) -> tensor<4xi64>
    %78 = stablehlo.broadcast_in_dim %77, dims = [1] : (tensor<4xi64>) -> tensor<?x4xi64>
    %79 = stablehlo.reshape %74 : (tensor<?x1xi64>) -> tensor<?xi64>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0] : (tensor<?xi64>) -> tensor<?x4xi64>
    %81 = stablehlo.compare EQ, %78, %80 : (tensor<?x4xi64>, tensor<?x4xi64>) -> tensor<?x4xi1>
    %82 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
    %83 = stablehlo.select %81, %73, %82 : tensor<?x4xi1>, tensor<?x4xf32>
    %84 = stablehlo.reduce(%83 init: %5) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %85 = stablehlo.reshape %84 : (tensor<?xf32>) -> tensor<?x1xf32>
    %86 = stablehlo.negate %85 : tensor<?x1xf32>
    %87 = stablehlo.constant dense<0> : tensor<i64>
    %88 = stablehlo.broadcast_in_dim %87, dims = [] : (tensor<i64>) -> tensor<?x1xi64>
    %89 = stablehlo.compare GE, %74, %88 : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi1>
    %90 = stablehlo.constant dense<4> : tensor<i64>
    %91 = stablehlo.broadcast_in_dim %90, dims = [] : (tensor<i64>) -> tensor<?x1xi64>
    %92 = stablehlo.compare LT, %74, %91 : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi1>
    %93 = stablehlo.and %89, %92 : tensor<?x1xi1>
    %94 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<f32>) -> tensor<?x1xf32>
    %96 = stablehlo.select %93, %86, %95 : tensor<?x1xi1>, tensor<?x1xf32>
    %97 = stablehlo.reduce(%96 init: %5) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    %98 = stablehlo.divide %97, %8 : tensor<f32>
    return %98, %50, %54, %4 : tensor<f32>, tensor<16xf32>, tensor<16xf32>, tensor<i64>
  }
}
