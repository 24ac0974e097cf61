// PyTorch 2.15.0+cu132; generate.py wrote this.
module @interest {
  func.func public @main(%arg_0: tensor<40x4xf32>,
    %arg_1: tensor<8x16xf32>,
    %arg_2: tensor<8xf32>,
    %arg_3: tensor<1x8xf32>,
    %arg_4: tensor<1xf32>,
    %arg_5: tensor<1x11xf32>,
    %arg_6: tensor<1xf32>,
    %arg_7: tensor<?x5xi64>,
    %arg_8: tensor<?x3xf32>,
    %arg_9: tensor<?xf32>)
      -> (tensor<f32>) {
    %0 = stablehlo.slice %arg_7 [0:?, 1:5] : (tensor<?x5xi64>) -> tensor<?x4xi64>
    %1 = stablehlo.reshape %0 : (tensor<?x4xi64>) -> tensor<?x4x1xi64>
    %2 = "stablehlo.gather"(%arg_0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<40x4xf32>, tensor<?x4x1xi64>) -> tensor<?x4x4xf32>
    %3 = stablehlo.constant dense<0> : tensor<i64>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i64>) -> tensor<?x4x1xi64>
    %5 = stablehlo.compare EQ, %1, %4 : (tensor<?x4x1xi64>, tensor<?x4x1xi64>) -> tensor<?x4x1xi1>
    %6 = ps.stop_gradient %2 : tensor<?x4x4xf32>
    %7 = stablehlo.reshape %5 : (tensor<?x4x1xi1>) -> tensor<?x4xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<?x4xi1>) -> tensor<?x4x4xi1>
    %9 = stablehlo.select %8, %6, %2 : tensor<?x4x4xi1>, tensor<?x4x4xf32>
    %10 = stablehlo.slice %arg_7 [0:?, 0:1] : (tensor<?x5xi64>) -> tensor<?x1xi64>
    %11 = stablehlo.reshape %10 : (tensor<?x1xi64>) -> tensor<?xi64>
    %12 = stablehlo.reshape %11 : (tensor<?xi64>) -> tensor<?x1xi64>
    %13 = "stablehlo.gather"(%arg_0, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<40x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
    %14 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i64>) -> tensor<?x1xi64>
    %15 = stablehlo.compare EQ, %12, %14 : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi1>
    %16 = ps.stop_gradient %13 : tensor<?x4xf32>
    %17 = stablehlo.reshape %15 : (tensor<?x1xi1>) -> tensor<?xi1>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<?xi1>) -> tensor<?x4xi1>
    %19 = stablehlo.select %18, %16, %13 : tensor<?x4xi1>, tensor<?x4xf32>
    %20 = stablehlo.reshape %19 : (tensor<?x4xf32>) -> tensor<?x1x4xf32>
    %21 = stablehlo.reshape %20 : (tensor<?x1x4xf32>) -> tensor<?x4xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 2] : (tensor<?x4xf32>) -> tensor<?x4x4xf32>
    %23 = stablehlo.subtract %9, %22 : tensor<?x4x4xf32>
    %24 = stablehlo.multiply %9, %22 : tensor<?x4x4xf32>
    %25 = stablehlo.concatenate %9, %22, %23, %24, dim = 2 : (tensor<?x4x4xf32>, tensor<?x4x4xf32>, tensor<?x4x4xf32>, tensor<?x4x4xf32>) -> tensor<?x4x16xf32>
    %26 = stablehlo.dot_general %25, %arg_1, contracting_dims = [2] x [1] : (tensor<?x4x16xf32>, tensor<8x16xf32>) -> tensor<?x4x8xf32>
    %27 = stablehlo.broadcast_in_dim %arg_2, dims = [2] : (tensor<8xf32>) -> tensor<?x4x8xf32>
    %28 = stablehlo.add %26, %27 : tensor<?x4x8xf32>
    %29 = stablehlo.logistic %28 : tensor<?x4x8xf32>
    %30 = stablehlo.dot_general %29, %arg_3, contracting_dims = [2] x [1] : (tensor<?x4x8xf32>, tensor<1x8xf32>) -> tensor<?x4x1xf32>
    %31 = stablehlo.broadcast_in_dim %arg_4, dims = [2] : (tensor<1xf32>) -> tensor<?x4x1xf32>
    %32 = stablehlo.add %30, %31 : tensor<?x4x1xf32>
    %33 = stablehlo.slice %arg_7 [0:?, 1:5] : (tensor<?x5xi64>) -> tensor<?x4xi64>
    %34 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i64>) -> tensor<?x4xi64>
    %35 = stablehlo.compare NE, %33, %34 : (tensor<?x4xi64>, tensor<?x4xi64>) -> tensor<?x4xi1>
    %36 = stablehlo.reshape %35 : (tensor<?x4xi1>) -> tensor<?x4x1xi1>
    %37 = stablehlo.constant dense<-1000000000.0> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<?x4x1xf32>
    %39 = stablehlo.select %36, %32, %38 : tensor<?x4x1xi1>, tensor<?x4x1xf32>
    %40 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [1] : (tensor<?x4x1xf32>, tensor<f32>) -> tensor<?x1xf32>
    %42 = stablehlo.reshape %41 : (tensor<?x1xf32>) -> tensor<?x1x1xf32>
    %43 = ps.stop_gradient %42 : tensor<?x1x1xf32>
    %44 = stablehlo.reshape %43 : (tensor<?x1x1xf32>) -> tensor<?x1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 2] : (tensor<?x1xf32>) -> tensor<?x4x1xf32>
    %46 = stablehlo.subtract %39, %45 : tensor<?x4x1xf32>
    %47 = stablehlo.exponential %46 : tensor<?x4x1xf32>
    %48 = stablehlo.constant dense<0.0> : tensor<f32>
    %49 = stablehlo.reduce(%47 init: %48) applies stablehlo.add across dimensions = [1] : (tensor<?x4x1xf32>, tensor<f32>) -> tensor<?x1xf32>
    %50 = stablehlo.reshape %49 : (tensor<?x1xf32>) -> tensor<?x1x1xf32>
    %51 = stablehlo.reshape %50 : (tensor<?x1x1xf32>) -> tensor<?x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 2] : (tensor<?x1xf32>) -> tensor<?x4x1xf32>
    %53 = stablehlo.divide %47, %52 : tensor<?x4x1xf32>
    %54 = stablehlo.reshape %53 : (tensor<?x4x1xf32>) -> tensor<?x4xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<?x4xf32>) -> tensor<?x4x4xf32>
    %56 = stablehlo.multiply %55, %9 : tensor<?x4x4xf32>
    %57 = stablehlo.reduce(%56 init: %48) applies stablehlo.add across dimensions = [1] : (tensor<?x4x4xf32>, tensor<f32>) -> tensor<?x4xf32>
    %58 = stablehlo.concatenate %57, %19, %arg_8, dim = 1 : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x3xf32>) -> tensor<?x11xf32>
    %59 = stablehlo.dot_general %58, %arg_5, contracting_dims = [1] x [1] : (tensor<?x11xf32>, tensor<1x11xf32>) -> tensor<?x1xf32>
    %60 = stablehlo.broadcast_in_dim %arg_6, dims = [1] : (tensor<1xf32>) -> tensor<?x1xf32>
    %61 = stablehlo.add %59, %60 : tensor<?x1xf32>
    %62 = stablehlo.reshape %61 : (tensor<?x1xf32>) -> tensor<?xf32>
    %63 = stablehlo.constant dense<1.0> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [] : (tensor<f32>) -> tensor<?xf32>
    %65 = stablehlo.subtract %64, %arg_9 : tensor<?xf32>
    %66 = stablehlo.negate %62 : tensor<?xf32>
    %67 = stablehlo.broadcast_in_dim %48, dims = [] : (tensor<f32>) -> tensor<?xf32>
    %68 = stablehlo.compare GE, %66, %67 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
    %69 = stablehlo.select %68, %66, %67 : tensor<?xi1>, tensor<?xf32>
    %70 = stablehlo.negate %66 : tensor<?xf32>
    %71 = stablehlo.select %68, %70, %66 : tensor<?xi1>, tensor<?xf32>
    %72 = stablehlo.exponential %71 : tensor<?xf32>
    %73 = stablehlo.log_plus_one %72 : tensor<?xf32>
    %74 = stablehlo.add %69, %73 : tensor<?xf32>
    %75 = stablehlo.negate %74 : tensor<?xf32>
    %76 = stablehlo.negate %75 : tensor<?xf32>
    %77 = stablehlo.multiply %65, %62 : tensor<?xf32>
    %78 = stablehlo.add %77, %76 : tensor<?xf32>
    %79 = stablehlo.reduce(%78 init: %48) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %80 = stablehlo.get_dimension_size %arg_7, dim = 0 : (tensor<?x5xi64>) -> tensor<i32>
    %81 = stablehlo.convert %80 : (tensor<i32>) -> tensor<f32>
    %82 = stablehlo.divide %79, %81 : tensor<f32>
    return %82 : tensor<f32>
  }
}
