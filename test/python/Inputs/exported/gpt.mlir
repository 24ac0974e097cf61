// PyTorch 2.15.0+cu132; generate.py wrote this.
module @gpt {
  func.func public @main(%arg_0: tensor<6x8xf32>,
    %arg_1: tensor<8xf32>,
    %arg_2: tensor<8xf32>,
    %arg_3: tensor<8xf32>,
    %arg_4: tensor<8xf32>,
    %arg_5: tensor<24x8xf32>,
    %arg_6: tensor<24xf32>,
    %arg_7: tensor<8x8xf32>,
    %arg_8: tensor<8xf32>,
    %arg_9: tensor<32x8xf32>,
    %arg_10: tensor<32xf32>,
    %arg_11: tensor<8x32xf32>,
    %arg_12: tensor<8xf32>,
    %arg_13: tensor<8xf32>,
    %arg_14: tensor<8xf32>,
    %arg_15: tensor<8xf32>,
    %arg_16: tensor<8xf32>,
    %arg_17: tensor<24x8xf32>,
    %arg_18: tensor<24xf32>,
    %arg_19: tensor<8x8xf32>,
    %arg_20: tensor<8xf32>,
    %arg_21: tensor<32x8xf32>,
    %arg_22: tensor<32xf32>,
    %arg_23: tensor<8x32xf32>,
    %arg_24: tensor<8xf32>,
    %arg_25: tensor<8xf32>,
    %arg_26: tensor<8xf32>,
    %arg_27: tensor<20x8xf32>,
    %arg_28: tensor<?x6xi64>,
    %arg_29: tensor<?x6xi64>)
      -> (tensor<f32>) {
    %0 = stablehlo.reshape %arg_28 : (tensor<?x6xi64>) -> tensor<?x6x1xi64>
    %1 = "stablehlo.gather"(%arg_27, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<20x8xf32>, tensor<?x6x1xi64>) -> tensor<?x6x8xf32>
    %2 = stablehlo.iota dim = 0 : tensor<6xi64>
    %3 = stablehlo.broadcast_in_dim %arg_0, dims = [1, 2] : (tensor<6x8xf32>) -> tensor<?x6x8xf32>
    %4 = stablehlo.add %1, %3 : tensor<?x6x8xf32>
    %5 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%4 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %7 = stablehlo.reshape %6 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %8 = stablehlo.constant dense<8.0> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %10 = stablehlo.divide %7, %9 : tensor<?x6x1xf32>
    %11 = stablehlo.reshape %10 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x8xf32>
    %13 = stablehlo.subtract %4, %12 : tensor<?x6x8xf32>
    %14 = stablehlo.multiply %13, %13 : tensor<?x6x8xf32>
    %15 = stablehlo.reduce(%14 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %16 = stablehlo.reshape %15 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %17 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %18 = stablehlo.divide %16, %17 : tensor<?x6x1xf32>
    %19 = stablehlo.constant dense<1.00000000000000008e-05> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %21 = stablehlo.add %18, %20 : tensor<?x6x1xf32>
    %22 = stablehlo.rsqrt %21 : tensor<?x6x1xf32>
    %23 = stablehlo.reshape %22 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x8xf32>
    %25 = stablehlo.multiply %13, %24 : tensor<?x6x8xf32>
    %26 = stablehlo.broadcast_in_dim %arg_1, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %27 = stablehlo.multiply %25, %26 : tensor<?x6x8xf32>
    %28 = stablehlo.broadcast_in_dim %arg_2, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %29 = stablehlo.add %27, %28 : tensor<?x6x8xf32>
    %30 = stablehlo.dot_general %29, %arg_5, contracting_dims = [2] x [1] : (tensor<?x6x8xf32>, tensor<24x8xf32>) -> tensor<?x6x24xf32>
    %31 = stablehlo.broadcast_in_dim %arg_6, dims = [2] : (tensor<24xf32>) -> tensor<?x6x24xf32>
    %32 = stablehlo.add %30, %31 : tensor<?x6x24xf32>
    %33 = stablehlo.slice %32 [0:?, 0:6, 0:8] : (tensor<?x6x24xf32>) -> tensor<?x6x8xf32>
    %34 = stablehlo.slice %32 [0:?, 0:6, 8:16] : (tensor<?x6x24xf32>) -> tensor<?x6x8xf32>
    %35 = stablehlo.slice %32 [0:?, 0:6, 16:24] : (tensor<?x6x24xf32>) -> tensor<?x6x8xf32>
    %36 = stablehlo.reshape %33 : (tensor<?x6x8xf32>) -> tensor<?x6x2x4xf32>
    %37 = stablehlo.transpose %36, dims = [0, 2, 1, 3] : (tensor<?x6x2x4xf32>) -> tensor<?x2x6x4xf32>
    %38 = stablehlo.reshape %34 : (tensor<?x6x8xf32>) -> tensor<?x6x2x4xf32>
    %39 = stablehlo.transpose %38, dims = [0, 2, 1, 3] : (tensor<?x6x2x4xf32>) -> tensor<?x2x6x4xf32>
    %40 = stablehlo.reshape %35 : (tensor<?x6x8xf32>) -> tensor<?x6x2x4xf32>
    %41 = stablehlo.transpose %40, dims = [0, 2, 1, 3] : (tensor<?x6x2x4xf32>) -> tensor<?x2x6x4xf32>
    %42 = stablehlo.constant dense<0.5> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [] : (tensor<f32>) -> tensor<?x2x6x4xf32>
    %44 = stablehlo.multiply %37, %43 : tensor<?x2x6x4xf32>
    %45 = stablehlo.transpose %39, dims = [0, 1, 3, 2] : (tensor<?x2x6x4xf32>) -> tensor<?x2x4x6xf32>
    %46 = stablehlo.dot_general %44, %45, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x2x6x4xf32>, tensor<?x2x4x6xf32>) -> tensor<?x2x6x6xf32>
    %47 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %48 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %49 = stablehlo.constant dense<0> : tensor<6x6xi32>
    %50 = stablehlo.add %47, %49 : tensor<6x6xi32>
    %51 = stablehlo.compare LE, %48, %50 : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %52 = stablehlo.constant dense<-1.00000000000000002e+30> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<f32>) -> tensor<?x2x6x6xf32>
    %54 = stablehlo.broadcast_in_dim %51, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<?x2x6x6xi1>
    %55 = stablehlo.select %54, %46, %53 : tensor<?x2x6x6xi1>, tensor<?x2x6x6xf32>
    %56 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %57 = stablehlo.reduce(%55 init: %56) applies stablehlo.maximum across dimensions = [3] : (tensor<?x2x6x6xf32>, tensor<f32>) -> tensor<?x2x6xf32>
    %58 = stablehlo.reshape %57 : (tensor<?x2x6xf32>) -> tensor<?x2x6x1xf32>
    %59 = ps.stop_gradient %58 : tensor<?x2x6x1xf32>
    %60 = stablehlo.reshape %59 : (tensor<?x2x6x1xf32>) -> tensor<?x2x6xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2] : (tensor<?x2x6xf32>) -> tensor<?x2x6x6xf32>
    %62 = stablehlo.subtract %55, %61 : tensor<?x2x6x6xf32>
    %63 = stablehlo.exponential %62 : tensor<?x2x6x6xf32>
    %64 = stablehlo.reduce(%63 init: %5) applies stablehlo.add across dimensions = [3] : (tensor<?x2x6x6xf32>, tensor<f32>) -> tensor<?x2x6xf32>
    %65 = stablehlo.reshape %64 : (tensor<?x2x6xf32>) -> tensor<?x2x6x1xf32>
    %66 = stablehlo.reshape %65 : (tensor<?x2x6x1xf32>) -> tensor<?x2x6xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<?x2x6xf32>) -> tensor<?x2x6x6xf32>
    %68 = stablehlo.divide %63, %67 : tensor<?x2x6x6xf32>
    %69 = stablehlo.dot_general %68, %41, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x2x6x6xf32>, tensor<?x2x6x4xf32>) -> tensor<?x2x6x4xf32>
    %70 = stablehlo.transpose %69, dims = [0, 2, 1, 3] : (tensor<?x2x6x4xf32>) -> tensor<?x6x2x4xf32>
    %71 = stablehlo.reshape %70 : (tensor<?x6x2x4xf32>) -> tensor<?x6x8xf32>
    %72 = stablehlo.dot_general %71, %arg_7, contracting_dims = [2] x [1] : (tensor<?x6x8xf32>, tensor<8x8xf32>) -> tensor<?x6x8xf32>
    %73 = stablehlo.broadcast_in_dim %arg_8, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %74 = stablehlo.add %72, %73 : tensor<?x6x8xf32>
    %75 = stablehlo.add %4, %74 : tensor<?x6x8xf32>
    %76 = stablehlo.reduce(%75 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %77 = stablehlo.reshape %76 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %78 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %79 = stablehlo.divide %77, %78 : tensor<?x6x1xf32>
    %80 = stablehlo.reshape %79 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x8xf32>
    %82 = stablehlo.subtract %75, %81 : tensor<?x6x8xf32>
    %83 = stablehlo.multiply %82, %82 : tensor<?x6x8xf32>
    %84 = stablehlo.reduce(%83 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %85 = stablehlo.reshape %84 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %86 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %87 = stablehlo.divide %85, %86 : tensor<?x6x1xf32>
    %88 = stablehlo.add %87, %20 : tensor<?x6x1xf32>
    %89 = stablehlo.rsqrt %88 : tensor<?x6x1xf32>
    %90 = stablehlo.reshape %89 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x8xf32>
    %92 = stablehlo.multiply %82, %91 : tensor<?x6x8xf32>
    %93 = stablehlo.broadcast_in_dim %arg_3, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %94 = stablehlo.multiply %92, %93 : tensor<?x6x8xf32>
    %95 = stablehlo.broadcast_in_dim %arg_4, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %96 = stablehlo.add %94, %95 : tensor<?x6x8xf32>
    %97 = stablehlo.dot_general %96, %arg_9, contracting_dims = [2] x [1] : (tensor<?x6x8xf32>, tensor<32x8xf32>) -> tensor<?x6x32xf32>
    %98 = stablehlo.broadcast_in_dim %arg_10, dims = [2] : (tensor<32xf32>) -> tensor<?x6x32xf32>
    %99 = stablehlo.add %97, %98 : tensor<?x6x32xf32>
    %100 = stablehlo.broadcast_in_dim %42, dims = [] : (tensor<f32>) -> tensor<?x6x32xf32>
    %101 = stablehlo.multiply %99, %100 : tensor<?x6x32xf32>
    %102 = stablehlo.constant dense<0.7071067811865476> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [] : (tensor<f32>) -> tensor<?x6x32xf32>
    %104 = stablehlo.multiply %99, %103 : tensor<?x6x32xf32>
    %105 = chlo.erf %104 : tensor<?x6x32xf32> -> tensor<?x6x32xf32>
    %106 = stablehlo.constant dense<1.0> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [] : (tensor<f32>) -> tensor<?x6x32xf32>
    %108 = stablehlo.add %105, %107 : tensor<?x6x32xf32>
    %109 = stablehlo.multiply %101, %108 : tensor<?x6x32xf32>
    %110 = stablehlo.dot_general %109, %arg_11, contracting_dims = [2] x [1] : (tensor<?x6x32xf32>, tensor<8x32xf32>) -> tensor<?x6x8xf32>
    %111 = stablehlo.broadcast_in_dim %arg_12, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %112 = stablehlo.add %110, %111 : tensor<?x6x8xf32>
    %113 = stablehlo.add %75, %112 : tensor<?x6x8xf32>
    %114 = stablehlo.reduce(%113 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %115 = stablehlo.reshape %114 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %116 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %117 = stablehlo.divide %115, %116 : tensor<?x6x1xf32>
    %118 = stablehlo.reshape %117 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x8xf32>
    %120 = stablehlo.subtract %113, %119 : tensor<?x6x8xf32>
    %121 = stablehlo.multiply %120, %120 : tensor<?x6x8xf32>
    %122 = stablehlo.reduce(%121 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %123 = stablehlo.reshape %122 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %124 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %125 = stablehlo.divide %123, %124 : tensor<?x6x1xf32>
    %126 = stablehlo.add %125, %20 : tensor<?x6x1xf32>
    %127 = stablehlo.rsqrt %126 : tensor<?x6x1xf32>
    %128 = stablehlo.reshape %127 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x8xf32>
    %130 = stablehlo.multiply %120, %129 : tensor<?x6x8xf32>
    %131 = stablehlo.broadcast_in_dim %arg_13, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %132 = stablehlo.multiply %130, %131 : tensor<?x6x8xf32>
    %133 = stablehlo.broadcast_in_dim %arg_14, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %134 = stablehlo.add %132, %133 : tensor<?x6x8xf32>
    %135 = stablehlo.dot_general %134, %arg_17, contracting_dims = [2] x [1] : (tensor<?x6x8xf32>, tensor<24x8xf32>) -> tensor<?x6x24xf32>
    %136 = stablehlo.broadcast_in_dim %arg_18, dims = [2] : (tensor<24xf32>) -> tensor<?x6x24xf32>
    %137 = stablehlo.add %135, %136 : tensor<?x6x24xf32>
    %138 = stablehlo.slice %137 [0:?, 0:6, 0:8] : (tensor<?x6x24xf32>) -> tensor<?x6x8xf32>
    %139 = stablehlo.slice %137 [0:?, 0:6, 8:16] : (tensor<?x6x24xf32>) -> tensor<?x6x8xf32>
    %140 = stablehlo.slice %137 [0:?, 0:6, 16:24] : (tensor<?x6x24xf32>) -> tensor<?x6x8xf32>
    %141 = stablehlo.reshape %138 : (tensor<?x6x8xf32>) -> tensor<?x6x2x4xf32>
    %142 = stablehlo.transpose %141, dims = [0, 2, 1, 3] : (tensor<?x6x2x4xf32>) -> tensor<?x2x6x4xf32>
    %143 = stablehlo.reshape %139 : (tensor<?x6x8xf32>) -> tensor<?x6x2x4xf32>
    %144 = stablehlo.transpose %143, dims = [0, 2, 1, 3] : (tensor<?x6x2x4xf32>) -> tensor<?x2x6x4xf32>
    %145 = stablehlo.reshape %140 : (tensor<?x6x8xf32>) -> tensor<?x6x2x4xf32>
    %146 = stablehlo.transpose %145, dims = [0, 2, 1, 3] : (tensor<?x6x2x4xf32>) -> tensor<?x2x6x4xf32>
    %147 = stablehlo.multiply %142, %43 : tensor<?x2x6x4xf32>
    %148 = stablehlo.transpose %144, dims = [0, 1, 3, 2] : (tensor<?x2x6x4xf32>) -> tensor<?x2x4x6xf32>
    %149 = stablehlo.dot_general %147, %148, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x2x6x4xf32>, tensor<?x2x4x6xf32>) -> tensor<?x2x6x6xf32>
    %150 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %151 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %152 = stablehlo.add %150, %49 : tensor<6x6xi32>
    %153 = stablehlo.compare LE, %151, %152 : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %154 = stablehlo.broadcast_in_dim %153, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<?x2x6x6xi1>
    %155 = stablehlo.select %154, %149, %53 : tensor<?x2x6x6xi1>, tensor<?x2x6x6xf32>
    %156 = stablehlo.reduce(%155 init: %56) applies stablehlo.maximum across dimensions = [3] : (tensor<?x2x6x6xf32>, tensor<f32>) -> tensor<?x2x6xf32>
    %157 = stablehlo.reshape %156 : (tensor<?x2x6xf32>) -> tensor<?x2x6x1xf32>
    %158 = ps.stop_gradient %157 : tensor<?x2x6x1xf32>
    %159 = stablehlo.reshape %158 : (tensor<?x2x6x1xf32>) -> tensor<?x2x6xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [0, 1, 2] : (tensor<?x2x6xf32>) -> tensor<?x2x6x6xf32>
    %161 = stablehlo.subtract %155, %160 : tensor<?x2x6x6xf32>
    %162 = stablehlo.exponential %161 : tensor<?x2x6x6xf32>
    %163 = stablehlo.reduce(%162 init: %5) applies stablehlo.add across dimensions = [3] : (tensor<?x2x6x6xf32>, tensor<f32>) -> tensor<?x2x6xf32>
    %164 = stablehlo.reshape %163 : (tensor<?x2x6xf32>) -> tensor<?x2x6x1xf32>
    %165 = stablehlo.reshape %164 : (tensor<?x2x6x1xf32>) -> tensor<?x2x6xf32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2] : (tensor<?x2x6xf32>) -> tensor<?x2x6x6xf32>
    %167 = stablehlo.divide %162, %166 : tensor<?x2x6x6xf32>
    %168 = stablehlo.dot_general %167, %146, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x2x6x6xf32>, tensor<?x2x6x4xf32>) -> tensor<?x2x6x4xf32>
    %169 = stablehlo.transpose %168, dims = [0, 2, 1, 3] : (tensor<?x2x6x4xf32>) -> tensor<?x6x2x4xf32>
    %170 = stablehlo.reshape %169 : (tensor<?x6x2x4xf32>) -> tensor<?x6x8xf32>
    %171 = stablehlo.dot_general %170, %arg_19, contracting_dims = [2] x [1] : (tensor<?x6x8xf32>, tensor<8x8xf32>) -> tensor<?x6x8xf32>
    %172 = stablehlo.broadcast_in_dim %arg_20, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %173 = stablehlo.add %171, %172 : tensor<?x6x8xf32>
    %174 = stablehlo.add %113, %173 : tensor<?x6x8xf32>
    %175 = stablehlo.reduce(%174 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %176 = stablehlo.reshape %175 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %177 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %178 = stablehlo.divide %176, %177 : tensor<?x6x1xf32>
    %179 = stablehlo.reshape %178 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x8xf32>
    %181 = stablehlo.subtract %174, %180 : tensor<?x6x8xf32>
    %182 = stablehlo.multiply %181, %181 : tensor<?x6x8xf32>
    %183 = stablehlo.reduce(%182 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %184 = stablehlo.reshape %183 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %185 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %186 = stablehlo.divide %184, %185 : tensor<?x6x1xf32>
    %187 = stablehlo.add %186, %20 : tensor<?x6x1xf32>
    %188 = stablehlo.rsqrt %187 : tensor<?x6x1xf32>
    %189 = stablehlo.reshape %188 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x8xf32>
    %191 = stablehlo.multiply %181, %190 : tensor<?x6x8xf32>
    %192 = stablehlo.broadcast_in_dim %arg_15, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %193 = stablehlo.multiply %191, %192 : tensor<?x6x8xf32>
    %194 = stablehlo.broadcast_in_dim %arg_16, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %195 = stablehlo.add %193, %194 : tensor<?x6x8xf32>
    %196 = stablehlo.dot_general %195, %arg_21, contracting_dims = [2] x [1] : (tensor<?x6x8xf32>, tensor<32x8xf32>) -> tensor<?x6x32xf32>
    %197 = stablehlo.broadcast_in_dim %arg_22, dims = [2] : (tensor<32xf32>) -> tensor<?x6x32xf32>
    %198 = stablehlo.add %196, %197 : tensor<?x6x32xf32>
    %199 = stablehlo.multiply %198, %100 : tensor<?x6x32xf32>
    %200 = stablehlo.multiply %198, %103 : tensor<?x6x32xf32>
    %201 = chlo.erf %200 : tensor<?x6x32xf32> -> tensor<?x6x32xf32>
    %202 = stablehlo.add %201, %107 : tensor<?x6x32xf32>
    %203 = stablehlo.multiply %199, %202 : tensor<?x6x32xf32>
    %204 = stablehlo.dot_general %203, %arg_23, contracting_dims = [2] x [1] : (tensor<?x6x32xf32>, tensor<8x32xf32>) -> tensor<?x6x8xf32>
    %205 = stablehlo.broadcast_in_dim %arg_24, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %206 = stablehlo.add %204, %205 : tensor<?x6x8xf32>
    %207 = stablehlo.add %174, %206 : tensor<?x6x8xf32>
    %208 = stablehlo.reduce(%207 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %209 = stablehlo.reshape %208 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %210 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %211 = stablehlo.divide %209, %210 : tensor<?x6x1xf32>
    %212 = stablehlo.reshape %211 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x8xf32>
    %214 = stablehlo.subtract %207, %213 : tensor<?x6x8xf32>
    %215 = stablehlo.multiply %214, %214 : tensor<?x6x8xf32>
    %216 = stablehlo.reduce(%215 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %217 = stablehlo.reshape %216 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %218 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %219 = stablehlo.divide %217, %218 : tensor<?x6x1xf32>
    %220 = stablehlo.add %219, %20 : tensor<?x6x1xf32>
    %221 = stablehlo.rsqrt %220 : tensor<?x6x1xf32>
    %222 = stablehlo.reshape %221 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x8xf32>
    %224 = stablehlo.multiply %214, %223 : tensor<?x6x8xf32>
    %225 = stablehlo.broadcast_in_dim %arg_25, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %226 = stablehlo.multiply %224, %225 : tensor<?x6x8xf32>
    %227 = stablehlo.broadcast_in_dim %arg_26, dims = [2] : (tensor<8xf32>) -> tensor<?x6x8xf32>
    %228 = stablehlo.add %226, %227 : tensor<?x6x8xf32>
    %229 = stablehlo.dot_general %228, %arg_27, contracting_dims = [2] x [1] : (tensor<?x6x8xf32>, tensor<20x8xf32>) -> tensor<?x6x20xf32>
    %230 = stablehlo.reduce(%229 init: %56) applies stablehlo.maximum across dimensions = [2] : (tensor<?x6x20xf32>, tensor<f32>) -> tensor<?x6xf32>
    %231 = stablehlo.reshape %230 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %232 = ps.stop_gradient %231 : tensor<?x6x1xf32>
    %233 = stablehlo.reshape %232 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %234 = stablehlo.broadcast_in_dim %233, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x20xf32>
    %235 = stablehlo.subtract %229, %234 : tensor<?x6x20xf32>
    %236 = stablehlo.exponential %235 : tensor<?x6x20xf32>
    %237 = stablehlo.reduce(%236 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x20xf32>, tensor<f32>) -> tensor<?x6xf32>
    %238 = stablehlo.reshape %237 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %239 = stablehlo.log %238 : tensor<?x6x1xf32>
    %240 = stablehlo.reshape %239 : (tensor<?x6x1xf32>) -> tensor<?x6xf32>
    %241 = stablehlo.broadcast_in_dim %240, dims = [0, 1] : (tensor<?x6xf32>) -> tensor<?x6x20xf32>
    %242 = stablehlo.subtract %235, %241 : tensor<?x6x20xf32>
    %243 = stablehlo.reshape %arg_29 : (tensor<?x6xi64>) -> tensor<?x6x1xi64>
    %244 = stablehlo.iota dim = 0 : tensor<20xi64>
    %245 = stablehlo.reshape %244 : (tensor<20xi64>) -> tensor<1x20xi64>
    %246 = stablehlo.reshape %245 : (tensor<1x20xi64>) -> tensor<20xi64>
    %247 = stablehlo.broadcast_in_dim %246, dims = [2] : (tensor<20xi64>) -> tensor<?x6x20xi64>
    %248 = stablehlo.reshape %243 : (tensor<?x6x1xi64>) -> tensor<?x6xi64>
    %249 = stablehlo.broadcast_in_dim %248, dims = [0, 1] : (tensor<?x6xi64>) -> tensor<?x6x20xi64>
    %250 = stablehlo.compare EQ, %247, %249 : (tensor<?x6x20xi64>, tensor<?x6x20xi64>) -> tensor<?x6x20xi1>
    %251 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<?x6x20xf32>
    %252 = stablehlo.select %250, %242, %251 : tensor<?x6x20xi1>, tensor<?x6x20xf32>
    %253 = stablehlo.reduce(%252 init: %5) applies stablehlo.add across dimensions = [2] : (tensor<?x6x20xf32>, tensor<f32>) -> tensor<?x6xf32>
    %254 = stablehlo.reshape %253 : (tensor<?x6xf32>) -> tensor<?x6x1xf32>
    %255 = stablehlo.negate %254 : tensor<?x6x1xf32>
    %256 = stablehlo.constant dense<0> : tensor<i64>
    %257 = stablehlo.broadcast_in_dim %256, dims = [] : (tensor<i64>) -> tensor<?x6x1xi64>
    %258 = stablehlo.compare GE, %243, %257 : (tensor<?x6x1xi64>, tensor<?x6x1xi64>) -> tensor<?x6x1xi1>
    %259 = stablehlo.constant dense<20> : tensor<i64>
    %260 = stablehlo.broadcast_in_dim %259, dims = [] : (tensor<i64>) -> tensor<?x6x1xi64>
    %261 = stablehlo.compare LT, %243, %260 : (tensor<?x6x1xi64>, tensor<?x6x1xi64>) -> tensor<?x6x1xi1>
    %262 = stablehlo.and %258, %261 : tensor<?x6x1xi1>
    %263 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %263, dims = [] : (tensor<f32>) -> tensor<?x6x1xf32>
    %265 = stablehlo.select %262, %255, %264 : tensor<?x6x1xi1>, tensor<?x6x1xf32>
    %266 = stablehlo.reduce(%265 init: %5) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x6x1xf32>, tensor<f32>) -> tensor<f32>
    %267 = stablehlo.get_dimension_size %arg_28, dim = 0 : (tensor<?x6xi64>) -> tensor<i32>
    %268 = stablehlo.convert %267 : (tensor<i32>) -> tensor<f32>
    %269 = stablehlo.constant dense<6.0> : tensor<f32>
    %270 = stablehlo.multiply %268, %269 : tensor<f32>
    %271 = stablehlo.divide %266, %270 : tensor<f32>
    return %271 : tensor<f32>
  }
}
