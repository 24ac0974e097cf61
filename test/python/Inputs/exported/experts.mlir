// PyTorch 2.15.0+cu132; generate.py wrote this.
module @experts {
  func.func public @main(%arg_0: tensor<4x8xf32>,
    %arg_1: tensor<4xf32>,
    %arg_2: tensor<12x8xf32>,
    %arg_3: tensor<12xf32>,
    %arg_4: tensor<8x12xf32>,
    %arg_5: tensor<8xf32>,
    %arg_6: tensor<12x8xf32>,
    %arg_7: tensor<12xf32>,
    %arg_8: tensor<8x12xf32>,
    %arg_9: tensor<8xf32>,
    %arg_10: tensor<12x8xf32>,
    %arg_11: tensor<12xf32>,
    %arg_12: tensor<8x12xf32>,
    %arg_13: tensor<8xf32>,
    %arg_14: tensor<12x8xf32>,
    %arg_15: tensor<12xf32>,
    %arg_16: tensor<8x12xf32>,
    %arg_17: tensor<8xf32>,
    %arg_18: tensor<4x8xf32>,
    %arg_19: tensor<4xf32>,
    %arg_20: tensor<?x8xf32>,
    %arg_21: tensor<?xi64>)
      -> (tensor<f32>) {
    %0 = stablehlo.dot_general %arg_20, %arg_0, contracting_dims = [1] x [1] : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg_1, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
    %2 = stablehlo.add %0, %1 : tensor<?x4xf32>
    %3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%2 init: %3) applies stablehlo.maximum across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %5 = stablehlo.reshape %4 : (tensor<?xf32>) -> tensor<?x1xf32>
    %6 = ps.stop_gradient %5 : tensor<?x1xf32>
    %7 = stablehlo.reshape %6 : (tensor<?x1xf32>) -> tensor<?xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
    %9 = stablehlo.subtract %2, %8 : tensor<?x4xf32>
    %10 = stablehlo.exponential %9 : tensor<?x4xf32>
    %11 = stablehlo.constant dense<0.0> : tensor<f32>
    %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %13 = stablehlo.reshape %12 : (tensor<?xf32>) -> tensor<?x1xf32>
    %14 = stablehlo.reshape %13 : (tensor<?x1xf32>) -> tensor<?xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
    %16 = stablehlo.divide %10, %15 : tensor<?x4xf32>
    %17 = ps.stop_gradient %16 : tensor<?x4xf32>
    %18 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
    %19 = stablehlo.reduce(%17 init: %3) applies stablehlo.maximum across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %20 = stablehlo.reshape %19 : (tensor<?xf32>) -> tensor<?x1xf32>
    %21 = stablehlo.reshape %20 : (tensor<?x1xf32>) -> tensor<?xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
    %23 = stablehlo.compare EQ, %17, %22 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
    %24 = stablehlo.iota dim = 0 : tensor<4xi64>
    %25 = stablehlo.reshape %24 : (tensor<4xi64>) -> tensor<1x4xi64>
    %26 = stablehlo.reshape %25 : (tensor<1x4xi64>) -> tensor<4xi64>
    %27 = stablehlo.broadcast_in_dim %26, dims = [1] : (tensor<4xi64>) -> tensor<?x4xi64>
    %28 = stablehlo.constant dense<3> : tensor<i64>
    %29 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<i64>) -> tensor<?x4xi64>
    %30 = stablehlo.select %23, %27, %29 : tensor<?x4xi1>, tensor<?x4xi64>
    %31 = stablehlo.constant dense<9223372036854775807> : tensor<i64>
    %32 = stablehlo.reduce(%30 init: %31) applies stablehlo.minimum across dimensions = [1] : (tensor<?x4xi64>, tensor<i64>) -> tensor<?xi64>
    %33 = stablehlo.reshape %32 : (tensor<?xi64>) -> tensor<?x1xi64>
    %34 = stablehlo.reshape %24 : (tensor<4xi64>) -> tensor<1x4xi64>
    %35 = stablehlo.reshape %34 : (tensor<1x4xi64>) -> tensor<4xi64>
    %36 = stablehlo.broadcast_in_dim %35, dims = [1] : (tensor<4xi64>) -> tensor<?x4xi64>
    %37 = stablehlo.reshape %33 : (tensor<?x1xi64>) -> tensor<?xi64>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<?xi64>) -> tensor<?x4xi64>
    %39 = stablehlo.compare EQ, %36, %38 : (tensor<?x4xi64>, tensor<?x4xi64>) -> tensor<?x4xi1>
    %40 = stablehlo.select %39, %18, %17 : tensor<?x4xi1>, tensor<?x4xf32>
    %41 = stablehlo.reduce(%40 init: %3) applies stablehlo.maximum across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %42 = stablehlo.reshape %41 : (tensor<?xf32>) -> tensor<?x1xf32>
    %43 = stablehlo.reshape %42 : (tensor<?x1xf32>) -> tensor<?xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
    %45 = stablehlo.compare EQ, %40, %44 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
    %46 = stablehlo.reshape %24 : (tensor<4xi64>) -> tensor<1x4xi64>
    %47 = stablehlo.reshape %46 : (tensor<1x4xi64>) -> tensor<4xi64>
    %48 = stablehlo.broadcast_in_dim %47, dims = [1] : (tensor<4xi64>) -> tensor<?x4xi64>
    %49 = stablehlo.select %45, %48, %29 : tensor<?x4xi1>, tensor<?x4xi64>
    %50 = stablehlo.reduce(%49 init: %31) applies stablehlo.minimum across dimensions = [1] : (tensor<?x4xi64>, tensor<i64>) -> tensor<?xi64>
    %51 = stablehlo.reshape %50 : (tensor<?xi64>) -> tensor<?x1xi64>
    %52 = stablehlo.concatenate %33, %51, dim = 1 : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x2xi64>
    %53 = "stablehlo.gather"(%16, %52) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<?x4xf32>, tensor<?x2xi64>) -> tensor<?x2xf32>
    %54 = stablehlo.reduce(%53 init: %11) applies stablehlo.add across dimensions = [1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
    %55 = stablehlo.reshape %54 : (tensor<?xf32>) -> tensor<?x1xf32>
    %56 = stablehlo.reshape %55 : (tensor<?x1xf32>) -> tensor<?xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0] : (tensor<?xf32>) -> tensor<?x2xf32>
    %58 = stablehlo.divide %53, %57 : tensor<?x2xf32>
    %59 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<?x8xf32>
    %60 = stablehlo.constant dense<0> : tensor<i64>
    %61 = stablehlo.broadcast_in_dim %60, dims = [] : (tensor<i64>) -> tensor<?x2xi64>
    %62 = stablehlo.compare EQ, %52, %61 : (tensor<?x2xi64>, tensor<?x2xi64>) -> tensor<?x2xi1>
    %63 = stablehlo.convert %62 : (tensor<?x2xi1>) -> tensor<?x2xf32>
    %64 = stablehlo.multiply %58, %63 : tensor<?x2xf32>
    %65 = stablehlo.reduce(%64 init: %11) applies stablehlo.add across dimensions = [1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
    %66 = stablehlo.reshape %65 : (tensor<?xf32>) -> tensor<?x1xf32>
    %67 = stablehlo.dot_general %arg_20, %arg_2, contracting_dims = [1] x [1] : (tensor<?x8xf32>, tensor<12x8xf32>) -> tensor<?x12xf32>
    %68 = stablehlo.broadcast_in_dim %arg_3, dims = [1] : (tensor<12xf32>) -> tensor<?x12xf32>
    %69 = stablehlo.add %67, %68 : tensor<?x12xf32>
    %70 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<?x12xf32>
    %71 = stablehlo.maximum %69, %70 : tensor<?x12xf32>
    %72 = stablehlo.dot_general %71, %arg_4, contracting_dims = [1] x [1] : (tensor<?x12xf32>, tensor<8x12xf32>) -> tensor<?x8xf32>
    %73 = stablehlo.broadcast_in_dim %arg_5, dims = [1] : (tensor<8xf32>) -> tensor<?x8xf32>
    %74 = stablehlo.add %72, %73 : tensor<?x8xf32>
    %75 = stablehlo.reshape %66 : (tensor<?x1xf32>) -> tensor<?xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0] : (tensor<?xf32>) -> tensor<?x8xf32>
    %77 = stablehlo.multiply %76, %74 : tensor<?x8xf32>
    %78 = stablehlo.add %59, %77 : tensor<?x8xf32>
    %79 = stablehlo.constant dense<1> : tensor<i64>
    %80 = stablehlo.broadcast_in_dim %79, dims = [] : (tensor<i64>) -> tensor<?x2xi64>
    %81 = stablehlo.compare EQ, %52, %80 : (tensor<?x2xi64>, tensor<?x2xi64>) -> tensor<?x2xi1>
    %82 = stablehlo.convert %81 : (tensor<?x2xi1>) -> tensor<?x2xf32>
    %83 = stablehlo.multiply %58, %82 : tensor<?x2xf32>
    %84 = stablehlo.reduce(%83 init: %11) applies stablehlo.add across dimensions = [1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
    %85 = stablehlo.reshape %84 : (tensor<?xf32>) -> tensor<?x1xf32>
    %86 = stablehlo.dot_general %arg_20, %arg_6, contracting_dims = [1] x [1] : (tensor<?x8xf32>, tensor<12x8xf32>) -> tensor<?x12xf32>
    %87 = stablehlo.broadcast_in_dim %arg_7, dims = [1] : (tensor<12xf32>) -> tensor<?x12xf32>
    %88 = stablehlo.add %86, %87 : tensor<?x12xf32>
    %89 = stablehlo.maximum %88, %70 : tensor<?x12xf32>
    %90 = stablehlo.dot_general %89, %arg_8, contracting_dims = [1] x [1] : (tensor<?x12xf32>, tensor<8x12xf32>) -> tensor<?x8xf32>
    %91 = stablehlo.broadcast_in_dim %arg_9, dims = [1] : (tensor<8xf32>) -> tensor<?x8xf32>
    %92 = stablehlo.add %90, %91 : tensor<?x8xf32>
    %93 = stablehlo.reshape %85 : (tensor<?x1xf32>) -> tensor<?xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0] : (tensor<?xf32>) -> tensor<?x8xf32>
    %95 = stablehlo.multiply %94, %92 : tensor<?x8xf32>
    %96 = stablehlo.add %78, %95 : tensor<?x8xf32>
    %97 = stablehlo.constant dense<2> : tensor<i64>
    %98 = stablehlo.broadcast_in_dim %97, dims = [] : (tensor<i64>) -> tensor<?x2xi64>
    %99 = stablehlo.compare EQ, %52, %98 : (tensor<?x2xi64>, tensor<?x2xi64>) -> tensor<?x2xi1>
    %100 = stablehlo.convert %99 : (tensor<?x2xi1>) -> tensor<?x2xf32>
    %101 = stablehlo.multiply %58, %100 : tensor<?x2xf32>
    %102 = stablehlo.reduce(%101 init: %11) applies stablehlo.add across dimensions = [1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
    %103 = stablehlo.reshape %102 : (tensor<?xf32>) -> tensor<?x1xf32>
    %104 = stablehlo.dot_general %arg_20, %arg_10, contracting_dims = [1] x [1] : (tensor<?x8xf32>, tensor<12x8xf32>) -> tensor<?x12xf32>
    %105 = stablehlo.broadcast_in_dim %arg_11, dims = [1] : (tensor<12xf32>) -> tensor<?x12xf32>
    %106 = stablehlo.add %104, %105 : tensor<?x12xf32>
    %107 = stablehlo.maximum %106, %70 : tensor<?x12xf32>
    %108 = stablehlo.dot_general %107, %arg_12, contracting_dims = [1] x [1] : (tensor<?x12xf32>, tensor<8x12xf32>) -> tensor<?x8xf32>
    %109 = stablehlo.broadcast_in_dim %arg_13, dims = [1] : (tensor<8xf32>) -> tensor<?x8xf32>
    %110 = stablehlo.add %108, %109 : tensor<?x8xf32>
    %111 = stablehlo.reshape %103 : (tensor<?x1xf32>) -> tensor<?xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0] : (tensor<?xf32>) -> tensor<?x8xf32>
    %113 = stablehlo.multiply %112, %110 : tensor<?x8xf32>
    %114 = stablehlo.add %96, %113 : tensor<?x8xf32>
    %115 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<i64>) -> tensor<?x2xi64>
    %116 = stablehlo.compare EQ, %52, %115 : (tensor<?x2xi64>, tensor<?x2xi64>) -> tensor<?x2xi1>
    %117 = stablehlo.convert %116 : (tensor<?x2xi1>) -> tensor<?x2xf32>
    %118 = stablehlo.multiply %58, %117 : tensor<?x2xf32>
    %119 = stablehlo.reduce(%118 init: %11) applies stablehlo.add across dimensions = [1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
    %120 = stablehlo.reshape %119 : (tensor<?xf32>) -> tensor<?x1xf32>
    %121 = stablehlo.dot_general %arg_20, %arg_14, contracting_dims = [1] x [1] : (tensor<?x8xf32>, tensor<12x8xf32>) -> tensor<?x12xf32>
    %122 = stablehlo.broadcast_in_dim %arg_15, dims = [1] : (tensor<12xf32>) -> tensor<?x12xf32>
    %123 = stablehlo.add %121, %122 : tensor<?x12xf32>
    %124 = stablehlo.maximum %123, %70 : tensor<?x12xf32>
    %125 = stablehlo.dot_general %124, %arg_16, contracting_dims = [1] x [1] : (tensor<?x12xf32>, tensor<8x12xf32>) -> tensor<?x8xf32>
    %126 = stablehlo.broadcast_in_dim %arg_17, dims = [1] : (tensor<8xf32>) -> tensor<?x8xf32>
    %127 = stablehlo.add %125, %126 : tensor<?x8xf32>
    %128 = stablehlo.reshape %120 : (tensor<?x1xf32>) -> tensor<?xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0] : (tensor<?xf32>) -> tensor<?x8xf32>
    %130 = stablehlo.multiply %129, %127 : tensor<?x8xf32>
    %131 = stablehlo.add %114, %130 : tensor<?x8xf32>
    %132 = stablehlo.dot_general %131, %arg_18, contracting_dims = [1] x [1] : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x4xf32>
    %133 = stablehlo.broadcast_in_dim %arg_19, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
    %134 = stablehlo.add %132, %133 : tensor<?x4xf32>
    %135 = stablehlo.reduce(%134 init: %3) applies stablehlo.maximum across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %136 = stablehlo.reshape %135 : (tensor<?xf32>) -> tensor<?x1xf32>
    %137 = ps.stop_gradient %136 : tensor<?x1xf32>
    %138 = stablehlo.reshape %137 : (tensor<?x1xf32>) -> tensor<?xf32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
    %140 = stablehlo.subtract %134, %139 : tensor<?x4xf32>
    %141 = stablehlo.exponential %140 : tensor<?x4xf32>
    %142 = stablehlo.reduce(%141 init: %11) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %143 = stablehlo.reshape %142 : (tensor<?xf32>) -> tensor<?x1xf32>
    %144 = stablehlo.log %143 : tensor<?x1xf32>
    %145 = stablehlo.reshape %144 : (tensor<?x1xf32>) -> tensor<?xf32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [0] : (tensor<?xf32>) -> tensor<?x4xf32>
    %147 = stablehlo.subtract %140, %146 : tensor<?x4xf32>
    %148 = stablehlo.reshape %arg_21 : (tensor<?xi64>) -> tensor<?x1xi64>
    %149 = stablehlo.reshape %24 : (tensor<4xi64>) -> tensor<1x4xi64>
    %150 = stablehlo.reshape %149 : (tensor<1x4xi64>) -> tensor<4xi64>
    %151 = stablehlo.broadcast_in_dim %150, dims = [1] : (tensor<4xi64>) -> tensor<?x4xi64>
    %152 = stablehlo.reshape %148 : (tensor<?x1xi64>) -> tensor<?xi64>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0] : (tensor<?xi64>) -> tensor<?x4xi64>
    %154 = stablehlo.compare EQ, %151, %153 : (tensor<?x4xi64>, tensor<?x4xi64>) -> tensor<?x4xi1>
    %155 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<?x4xf32>
    %156 = stablehlo.select %154, %147, %155 : tensor<?x4xi1>, tensor<?x4xf32>
    %157 = stablehlo.reduce(%156 init: %11) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %158 = stablehlo.reshape %157 : (tensor<?xf32>) -> tensor<?x1xf32>
    %159 = stablehlo.negate %158 : tensor<?x1xf32>
    %160 = stablehlo.broadcast_in_dim %60, dims = [] : (tensor<i64>) -> tensor<?x1xi64>
    %161 = stablehlo.compare GE, %148, %160 : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi1>
    %162 = stablehlo.constant dense<4> : tensor<i64>
    %163 = stablehlo.broadcast_in_dim %162, dims = [] : (tensor<i64>) -> tensor<?x1xi64>
    %164 = stablehlo.compare LT, %148, %163 : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi1>
    %165 = stablehlo.and %161, %164 : tensor<?x1xi1>
    %166 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [] : (tensor<f32>) -> tensor<?x1xf32>
    %168 = stablehlo.select %165, %159, %167 : tensor<?x1xi1>, tensor<?x1xf32>
    %169 = stablehlo.reduce(%168 init: %11) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    %170 = stablehlo.get_dimension_size %arg_20, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
    %171 = stablehlo.convert %170 : (tensor<i32>) -> tensor<f32>
    %172 = stablehlo.divide %169, %171 : tensor<f32>
    return %172 : tensor<f32>
  }
}
