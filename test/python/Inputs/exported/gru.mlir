// PyTorch 2.15.0+cu132; generate.py wrote this.
module @gru {
  func.func public @main(%arg_0: tensor<24x3xf32>,
    %arg_1: tensor<24x8xf32>,
    %arg_2: tensor<24xf32>,
    %arg_3: tensor<24xf32>,
    %arg_4: tensor<24x3xf32>,
    %arg_5: tensor<24x8xf32>,
    %arg_6: tensor<24xf32>,
    %arg_7: tensor<24xf32>,
    %arg_8: tensor<24x16xf32>,
    %arg_9: tensor<24x8xf32>,
    %arg_10: tensor<24xf32>,
    %arg_11: tensor<24xf32>,
    %arg_12: tensor<24x16xf32>,
    %arg_13: tensor<24x8xf32>,
    %arg_14: tensor<24xf32>,
    %arg_15: tensor<24xf32>,
    %arg_16: tensor<1x16xf32>,
    %arg_17: tensor<1xf32>,
    %arg_18: tensor<?x5x3xf32>,
    %arg_19: tensor<?x1xf32>)
      -> (tensor<f32>) {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x?x8xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x?x8xf32>
    %3 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<?x8xf32>
    %4 = stablehlo.transpose %arg_18, dims = [1, 0, 2] : (tensor<?x5x3xf32>) -> tensor<5x?x3xf32>
    %5 = stablehlo.dot_general %4, %arg_0, contracting_dims = [2] x [1] : (tensor<5x?x3xf32>, tensor<24x3xf32>) -> tensor<5x?x24xf32>
    %6 = stablehlo.broadcast_in_dim %arg_2, dims = [2] : (tensor<24xf32>) -> tensor<5x?x24xf32>
    %7 = stablehlo.add %5, %6 : tensor<5x?x24xf32>
    %8 = stablehlo.slice %7 [0:1, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %10 = stablehlo.slice %7 [1:2, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %12 = stablehlo.slice %7 [2:3, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %13 = stablehlo.reshape %12 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %14 = stablehlo.slice %7 [3:4, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %15 = stablehlo.reshape %14 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %16 = stablehlo.slice %7 [4:5, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %18 = stablehlo.slice %9 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %19 = stablehlo.slice %9 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %20 = stablehlo.slice %9 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %21 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x?x24xf32>
    %22 = stablehlo.broadcast_in_dim %arg_3, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %23 = stablehlo.add %21, %22 : tensor<1x?x24xf32>
    %24 = stablehlo.slice %23 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %25 = stablehlo.slice %23 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %26 = stablehlo.slice %23 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %27 = stablehlo.reshape %18 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %28 = stablehlo.add %24, %27 : tensor<1x?x8xf32>
    %29 = stablehlo.logistic %28 : tensor<1x?x8xf32>
    %30 = stablehlo.reshape %19 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %31 = stablehlo.add %25, %30 : tensor<1x?x8xf32>
    %32 = stablehlo.logistic %31 : tensor<1x?x8xf32>
    %33 = stablehlo.multiply %26, %29 : tensor<1x?x8xf32>
    %34 = stablehlo.reshape %20 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %35 = stablehlo.add %34, %33 : tensor<1x?x8xf32>
    %36 = stablehlo.tanh %35 : tensor<1x?x8xf32>
    %37 = stablehlo.subtract %2, %36 : tensor<1x?x8xf32>
    %38 = stablehlo.multiply %37, %32 : tensor<1x?x8xf32>
    %39 = stablehlo.add %38, %36 : tensor<1x?x8xf32>
    %40 = stablehlo.slice %11 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %41 = stablehlo.slice %11 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %42 = stablehlo.slice %11 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %43 = stablehlo.dot_general %39, %arg_1, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %44 = stablehlo.broadcast_in_dim %arg_3, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %45 = stablehlo.add %43, %44 : tensor<1x?x24xf32>
    %46 = stablehlo.slice %45 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %47 = stablehlo.slice %45 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %48 = stablehlo.slice %45 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %49 = stablehlo.reshape %40 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %50 = stablehlo.add %46, %49 : tensor<1x?x8xf32>
    %51 = stablehlo.logistic %50 : tensor<1x?x8xf32>
    %52 = stablehlo.reshape %41 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %53 = stablehlo.add %47, %52 : tensor<1x?x8xf32>
    %54 = stablehlo.logistic %53 : tensor<1x?x8xf32>
    %55 = stablehlo.multiply %48, %51 : tensor<1x?x8xf32>
    %56 = stablehlo.reshape %42 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %57 = stablehlo.add %56, %55 : tensor<1x?x8xf32>
    %58 = stablehlo.tanh %57 : tensor<1x?x8xf32>
    %59 = stablehlo.subtract %39, %58 : tensor<1x?x8xf32>
    %60 = stablehlo.multiply %59, %54 : tensor<1x?x8xf32>
    %61 = stablehlo.add %60, %58 : tensor<1x?x8xf32>
    %62 = stablehlo.slice %13 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %63 = stablehlo.slice %13 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %64 = stablehlo.slice %13 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %65 = stablehlo.dot_general %61, %arg_1, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %66 = stablehlo.broadcast_in_dim %arg_3, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %67 = stablehlo.add %65, %66 : tensor<1x?x24xf32>
    %68 = stablehlo.slice %67 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %69 = stablehlo.slice %67 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %70 = stablehlo.slice %67 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %71 = stablehlo.reshape %62 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %72 = stablehlo.add %68, %71 : tensor<1x?x8xf32>
    %73 = stablehlo.logistic %72 : tensor<1x?x8xf32>
    %74 = stablehlo.reshape %63 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %75 = stablehlo.add %69, %74 : tensor<1x?x8xf32>
    %76 = stablehlo.logistic %75 : tensor<1x?x8xf32>
    %77 = stablehlo.multiply %70, %73 : tensor<1x?x8xf32>
    %78 = stablehlo.reshape %64 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %79 = stablehlo.add %78, %77 : tensor<1x?x8xf32>
    %80 = stablehlo.tanh %79 : tensor<1x?x8xf32>
    %81 = stablehlo.subtract %61, %80 : tensor<1x?x8xf32>
    %82 = stablehlo.multiply %81, %76 : tensor<1x?x8xf32>
    %83 = stablehlo.add %82, %80 : tensor<1x?x8xf32>
    %84 = stablehlo.slice %15 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %85 = stablehlo.slice %15 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %86 = stablehlo.slice %15 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %87 = stablehlo.dot_general %83, %arg_1, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %88 = stablehlo.broadcast_in_dim %arg_3, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %89 = stablehlo.add %87, %88 : tensor<1x?x24xf32>
    %90 = stablehlo.slice %89 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %91 = stablehlo.slice %89 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %92 = stablehlo.slice %89 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %93 = stablehlo.reshape %84 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %94 = stablehlo.add %90, %93 : tensor<1x?x8xf32>
    %95 = stablehlo.logistic %94 : tensor<1x?x8xf32>
    %96 = stablehlo.reshape %85 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %97 = stablehlo.add %91, %96 : tensor<1x?x8xf32>
    %98 = stablehlo.logistic %97 : tensor<1x?x8xf32>
    %99 = stablehlo.multiply %92, %95 : tensor<1x?x8xf32>
    %100 = stablehlo.reshape %86 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %101 = stablehlo.add %100, %99 : tensor<1x?x8xf32>
    %102 = stablehlo.tanh %101 : tensor<1x?x8xf32>
    %103 = stablehlo.subtract %83, %102 : tensor<1x?x8xf32>
    %104 = stablehlo.multiply %103, %98 : tensor<1x?x8xf32>
    %105 = stablehlo.add %104, %102 : tensor<1x?x8xf32>
    %106 = stablehlo.slice %17 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %107 = stablehlo.slice %17 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %108 = stablehlo.slice %17 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %109 = stablehlo.dot_general %105, %arg_1, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %110 = stablehlo.broadcast_in_dim %arg_3, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %111 = stablehlo.add %109, %110 : tensor<1x?x24xf32>
    %112 = stablehlo.slice %111 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %113 = stablehlo.slice %111 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %114 = stablehlo.slice %111 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %115 = stablehlo.reshape %106 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %116 = stablehlo.add %112, %115 : tensor<1x?x8xf32>
    %117 = stablehlo.logistic %116 : tensor<1x?x8xf32>
    %118 = stablehlo.reshape %107 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %119 = stablehlo.add %113, %118 : tensor<1x?x8xf32>
    %120 = stablehlo.logistic %119 : tensor<1x?x8xf32>
    %121 = stablehlo.multiply %114, %117 : tensor<1x?x8xf32>
    %122 = stablehlo.reshape %108 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %123 = stablehlo.add %122, %121 : tensor<1x?x8xf32>
    %124 = stablehlo.tanh %123 : tensor<1x?x8xf32>
    %125 = stablehlo.subtract %105, %124 : tensor<1x?x8xf32>
    %126 = stablehlo.multiply %125, %120 : tensor<1x?x8xf32>
    %127 = stablehlo.add %126, %124 : tensor<1x?x8xf32>
    %128 = stablehlo.concatenate %39, %61, %83, %105, %127, dim = 0 : (tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<5x?x8xf32>
    %129 = stablehlo.dot_general %4, %arg_4, contracting_dims = [2] x [1] : (tensor<5x?x3xf32>, tensor<24x3xf32>) -> tensor<5x?x24xf32>
    %130 = stablehlo.broadcast_in_dim %arg_6, dims = [2] : (tensor<24xf32>) -> tensor<5x?x24xf32>
    %131 = stablehlo.add %129, %130 : tensor<5x?x24xf32>
    %132 = stablehlo.reverse %131, dims = [0] : tensor<5x?x24xf32>
    %133 = stablehlo.slice %132 [0:1, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %134 = stablehlo.reshape %133 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %135 = stablehlo.slice %132 [1:2, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %136 = stablehlo.reshape %135 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %137 = stablehlo.slice %132 [2:3, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %138 = stablehlo.reshape %137 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %139 = stablehlo.slice %132 [3:4, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %140 = stablehlo.reshape %139 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %141 = stablehlo.slice %132 [4:5, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %142 = stablehlo.reshape %141 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %143 = stablehlo.slice %134 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %144 = stablehlo.slice %134 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %145 = stablehlo.slice %134 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %146 = stablehlo.broadcast_in_dim %arg_7, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %147 = stablehlo.add %21, %146 : tensor<1x?x24xf32>
    %148 = stablehlo.slice %147 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %149 = stablehlo.slice %147 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %150 = stablehlo.slice %147 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %151 = stablehlo.reshape %143 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %152 = stablehlo.add %148, %151 : tensor<1x?x8xf32>
    %153 = stablehlo.logistic %152 : tensor<1x?x8xf32>
    %154 = stablehlo.reshape %144 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %155 = stablehlo.add %149, %154 : tensor<1x?x8xf32>
    %156 = stablehlo.logistic %155 : tensor<1x?x8xf32>
    %157 = stablehlo.multiply %150, %153 : tensor<1x?x8xf32>
    %158 = stablehlo.reshape %145 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %159 = stablehlo.add %158, %157 : tensor<1x?x8xf32>
    %160 = stablehlo.tanh %159 : tensor<1x?x8xf32>
    %161 = stablehlo.subtract %2, %160 : tensor<1x?x8xf32>
    %162 = stablehlo.multiply %161, %156 : tensor<1x?x8xf32>
    %163 = stablehlo.add %162, %160 : tensor<1x?x8xf32>
    %164 = stablehlo.slice %136 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %165 = stablehlo.slice %136 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %166 = stablehlo.slice %136 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %167 = stablehlo.dot_general %163, %arg_5, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %168 = stablehlo.broadcast_in_dim %arg_7, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %169 = stablehlo.add %167, %168 : tensor<1x?x24xf32>
    %170 = stablehlo.slice %169 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %171 = stablehlo.slice %169 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %172 = stablehlo.slice %169 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %173 = stablehlo.reshape %164 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %174 = stablehlo.add %170, %173 : tensor<1x?x8xf32>
    %175 = stablehlo.logistic %174 : tensor<1x?x8xf32>
    %176 = stablehlo.reshape %165 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %177 = stablehlo.add %171, %176 : tensor<1x?x8xf32>
    %178 = stablehlo.logistic %177 : tensor<1x?x8xf32>
    %179 = stablehlo.multiply %172, %175 : tensor<1x?x8xf32>
    %180 = stablehlo.reshape %166 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %181 = stablehlo.add %180, %179 : tensor<1x?x8xf32>
    %182 = stablehlo.tanh %181 : tensor<1x?x8xf32>
    %183 = stablehlo.subtract %163, %182 : tensor<1x?x8xf32>
    %184 = stablehlo.multiply %183, %178 : tensor<1x?x8xf32>
    %185 = stablehlo.add %184, %182 : tensor<1x?x8xf32>
    %186 = stablehlo.slice %138 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %187 = stablehlo.slice %138 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %188 = stablehlo.slice %138 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %189 = stablehlo.dot_general %185, %arg_5, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %190 = stablehlo.broadcast_in_dim %arg_7, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %191 = stablehlo.add %189, %190 : tensor<1x?x24xf32>
    %192 = stablehlo.slice %191 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %193 = stablehlo.slice %191 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %194 = stablehlo.slice %191 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %195 = stablehlo.reshape %186 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %196 = stablehlo.add %192, %195 : tensor<1x?x8xf32>
    %197 = stablehlo.logistic %196 : tensor<1x?x8xf32>
    %198 = stablehlo.reshape %187 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %199 = stablehlo.add %193, %198 : tensor<1x?x8xf32>
    %200 = stablehlo.logistic %199 : tensor<1x?x8xf32>
    %201 = stablehlo.multiply %194, %197 : tensor<1x?x8xf32>
    %202 = stablehlo.reshape %188 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %203 = stablehlo.add %202, %201 : tensor<1x?x8xf32>
    %204 = stablehlo.tanh %203 : tensor<1x?x8xf32>
    %205 = stablehlo.subtract %185, %204 : tensor<1x?x8xf32>
    %206 = stablehlo.multiply %205, %200 : tensor<1x?x8xf32>
    %207 = stablehlo.add %206, %204 : tensor<1x?x8xf32>
    %208 = stablehlo.slice %140 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %209 = stablehlo.slice %140 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %210 = stablehlo.slice %140 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %211 = stablehlo.dot_general %207, %arg_5, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %212 = stablehlo.broadcast_in_dim %arg_7, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %213 = stablehlo.add %211, %212 : tensor<1x?x24xf32>
    %214 = stablehlo.slice %213 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %215 = stablehlo.slice %213 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %216 = stablehlo.slice %213 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %217 = stablehlo.reshape %208 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %218 = stablehlo.add %214, %217 : tensor<1x?x8xf32>
    %219 = stablehlo.logistic %218 : tensor<1x?x8xf32>
    %220 = stablehlo.reshape %209 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %221 = stablehlo.add %215, %220 : tensor<1x?x8xf32>
    %222 = stablehlo.logistic %221 : tensor<1x?x8xf32>
    %223 = stablehlo.multiply %216, %219 : tensor<1x?x8xf32>
    %224 = stablehlo.reshape %210 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %225 = stablehlo.add %224, %223 : tensor<1x?x8xf32>
    %226 = stablehlo.tanh %225 : tensor<1x?x8xf32>
    %227 = stablehlo.subtract %207, %226 : tensor<1x?x8xf32>
    %228 = stablehlo.multiply %227, %222 : tensor<1x?x8xf32>
    %229 = stablehlo.add %228, %226 : tensor<1x?x8xf32>
    %230 = stablehlo.slice %142 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %231 = stablehlo.slice %142 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %232 = stablehlo.slice %142 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %233 = stablehlo.dot_general %229, %arg_5, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %234 = stablehlo.broadcast_in_dim %arg_7, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %235 = stablehlo.add %233, %234 : tensor<1x?x24xf32>
    %236 = stablehlo.slice %235 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %237 = stablehlo.slice %235 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %238 = stablehlo.slice %235 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %239 = stablehlo.reshape %230 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %240 = stablehlo.add %236, %239 : tensor<1x?x8xf32>
    %241 = stablehlo.logistic %240 : tensor<1x?x8xf32>
    %242 = stablehlo.reshape %231 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %243 = stablehlo.add %237, %242 : tensor<1x?x8xf32>
    %244 = stablehlo.logistic %243 : tensor<1x?x8xf32>
    %245 = stablehlo.multiply %238, %241 : tensor<1x?x8xf32>
    %246 = stablehlo.reshape %232 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %247 = stablehlo.add %246, %245 : tensor<1x?x8xf32>
    %248 = stablehlo.tanh %247 : tensor<1x?x8xf32>
    %249 = stablehlo.subtract %229, %248 : tensor<1x?x8xf32>
    %250 = stablehlo.multiply %249, %244 : tensor<1x?x8xf32>
    %251 = stablehlo.add %250, %248 : tensor<1x?x8xf32>
    %252 = stablehlo.concatenate %251, %229, %207, %185, %163, dim = 0 : (tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<5x?x8xf32>
    %253 = stablehlo.concatenate %128, %252, dim = 2 : (tensor<5x?x8xf32>, tensor<5x?x8xf32>) -> tensor<5x?x16xf32>
    %254 = stablehlo.dot_general %253, %arg_8, contracting_dims = [2] x [1] : (tensor<5x?x16xf32>, tensor<24x16xf32>) -> tensor<5x?x24xf32>
    %255 = stablehlo.broadcast_in_dim %arg_10, dims = [2] : (tensor<24xf32>) -> tensor<5x?x24xf32>
    %256 = stablehlo.add %254, %255 : tensor<5x?x24xf32>
    %257 = stablehlo.slice %256 [0:1, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %258 = stablehlo.reshape %257 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %259 = stablehlo.slice %256 [1:2, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %260 = stablehlo.reshape %259 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %261 = stablehlo.slice %256 [2:3, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %262 = stablehlo.reshape %261 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %263 = stablehlo.slice %256 [3:4, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %264 = stablehlo.reshape %263 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %265 = stablehlo.slice %256 [4:5, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %266 = stablehlo.reshape %265 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %267 = stablehlo.slice %258 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %268 = stablehlo.slice %258 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %269 = stablehlo.slice %258 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %270 = stablehlo.broadcast_in_dim %arg_11, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %271 = stablehlo.add %21, %270 : tensor<1x?x24xf32>
    %272 = stablehlo.slice %271 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %273 = stablehlo.slice %271 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %274 = stablehlo.slice %271 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %275 = stablehlo.reshape %267 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %276 = stablehlo.add %272, %275 : tensor<1x?x8xf32>
    %277 = stablehlo.logistic %276 : tensor<1x?x8xf32>
    %278 = stablehlo.reshape %268 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %279 = stablehlo.add %273, %278 : tensor<1x?x8xf32>
    %280 = stablehlo.logistic %279 : tensor<1x?x8xf32>
    %281 = stablehlo.multiply %274, %277 : tensor<1x?x8xf32>
    %282 = stablehlo.reshape %269 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %283 = stablehlo.add %282, %281 : tensor<1x?x8xf32>
    %284 = stablehlo.tanh %283 : tensor<1x?x8xf32>
    %285 = stablehlo.subtract %2, %284 : tensor<1x?x8xf32>
    %286 = stablehlo.multiply %285, %280 : tensor<1x?x8xf32>
    %287 = stablehlo.add %286, %284 : tensor<1x?x8xf32>
    %288 = stablehlo.slice %260 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %289 = stablehlo.slice %260 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %290 = stablehlo.slice %260 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %291 = stablehlo.dot_general %287, %arg_9, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %292 = stablehlo.broadcast_in_dim %arg_11, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %293 = stablehlo.add %291, %292 : tensor<1x?x24xf32>
    %294 = stablehlo.slice %293 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %295 = stablehlo.slice %293 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %296 = stablehlo.slice %293 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %297 = stablehlo.reshape %288 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %298 = stablehlo.add %294, %297 : tensor<1x?x8xf32>
    %299 = stablehlo.logistic %298 : tensor<1x?x8xf32>
    %300 = stablehlo.reshape %289 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %301 = stablehlo.add %295, %300 : tensor<1x?x8xf32>
    %302 = stablehlo.logistic %301 : tensor<1x?x8xf32>
    %303 = stablehlo.multiply %296, %299 : tensor<1x?x8xf32>
    %304 = stablehlo.reshape %290 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %305 = stablehlo.add %304, %303 : tensor<1x?x8xf32>
    %306 = stablehlo.tanh %305 : tensor<1x?x8xf32>
    %307 = stablehlo.subtract %287, %306 : tensor<1x?x8xf32>
    %308 = stablehlo.multiply %307, %302 : tensor<1x?x8xf32>
    %309 = stablehlo.add %308, %306 : tensor<1x?x8xf32>
    %310 = stablehlo.slice %262 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %311 = stablehlo.slice %262 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %312 = stablehlo.slice %262 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %313 = stablehlo.dot_general %309, %arg_9, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %314 = stablehlo.broadcast_in_dim %arg_11, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %315 = stablehlo.add %313, %314 : tensor<1x?x24xf32>
    %316 = stablehlo.slice %315 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %317 = stablehlo.slice %315 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %318 = stablehlo.slice %315 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %319 = stablehlo.reshape %310 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %320 = stablehlo.add %316, %319 : tensor<1x?x8xf32>
    %321 = stablehlo.logistic %320 : tensor<1x?x8xf32>
    %322 = stablehlo.reshape %311 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %323 = stablehlo.add %317, %322 : tensor<1x?x8xf32>
    %324 = stablehlo.logistic %323 : tensor<1x?x8xf32>
    %325 = stablehlo.multiply %318, %321 : tensor<1x?x8xf32>
    %326 = stablehlo.reshape %312 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %327 = stablehlo.add %326, %325 : tensor<1x?x8xf32>
    %328 = stablehlo.tanh %327 : tensor<1x?x8xf32>
    %329 = stablehlo.subtract %309, %328 : tensor<1x?x8xf32>
    %330 = stablehlo.multiply %329, %324 : tensor<1x?x8xf32>
    %331 = stablehlo.add %330, %328 : tensor<1x?x8xf32>
    %332 = stablehlo.slice %264 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %333 = stablehlo.slice %264 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %334 = stablehlo.slice %264 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %335 = stablehlo.dot_general %331, %arg_9, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %336 = stablehlo.broadcast_in_dim %arg_11, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %337 = stablehlo.add %335, %336 : tensor<1x?x24xf32>
    %338 = stablehlo.slice %337 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %339 = stablehlo.slice %337 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %340 = stablehlo.slice %337 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %341 = stablehlo.reshape %332 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %342 = stablehlo.add %338, %341 : tensor<1x?x8xf32>
    %343 = stablehlo.logistic %342 : tensor<1x?x8xf32>
    %344 = stablehlo.reshape %333 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %345 = stablehlo.add %339, %344 : tensor<1x?x8xf32>
    %346 = stablehlo.logistic %345 : tensor<1x?x8xf32>
    %347 = stablehlo.multiply %340, %343 : tensor<1x?x8xf32>
    %348 = stablehlo.reshape %334 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %349 = stablehlo.add %348, %347 : tensor<1x?x8xf32>
    %350 = stablehlo.tanh %349 : tensor<1x?x8xf32>
    %351 = stablehlo.subtract %331, %350 : tensor<1x?x8xf32>
    %352 = stablehlo.multiply %351, %346 : tensor<1x?x8xf32>
    %353 = stablehlo.add %352, %350 : tensor<1x?x8xf32>
    %354 = stablehlo.slice %266 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %355 = stablehlo.slice %266 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %356 = stablehlo.slice %266 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %357 = stablehlo.dot_general %353, %arg_9, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %358 = stablehlo.broadcast_in_dim %arg_11, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %359 = stablehlo.add %357, %358 : tensor<1x?x24xf32>
    %360 = stablehlo.slice %359 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %361 = stablehlo.slice %359 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %362 = stablehlo.slice %359 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %363 = stablehlo.reshape %354 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %364 = stablehlo.add %360, %363 : tensor<1x?x8xf32>
    %365 = stablehlo.logistic %364 : tensor<1x?x8xf32>
    %366 = stablehlo.reshape %355 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %367 = stablehlo.add %361, %366 : tensor<1x?x8xf32>
    %368 = stablehlo.logistic %367 : tensor<1x?x8xf32>
    %369 = stablehlo.multiply %362, %365 : tensor<1x?x8xf32>
    %370 = stablehlo.reshape %356 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %371 = stablehlo.add %370, %369 : tensor<1x?x8xf32>
    %372 = stablehlo.tanh %371 : tensor<1x?x8xf32>
    %373 = stablehlo.subtract %353, %372 : tensor<1x?x8xf32>
    %374 = stablehlo.multiply %373, %368 : tensor<1x?x8xf32>
    %375 = stablehlo.add %374, %372 : tensor<1x?x8xf32>
    %376 = stablehlo.concatenate %287, %309, %331, %353, %375, dim = 0 : (tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<5x?x8xf32>
    %377 = stablehlo.dot_general %253, %arg_12, contracting_dims = [2] x [1] : (tensor<5x?x16xf32>, tensor<24x16xf32>) -> tensor<5x?x24xf32>
    %378 = stablehlo.broadcast_in_dim %arg_14, dims = [2] : (tensor<24xf32>) -> tensor<5x?x24xf32>
    %379 = stablehlo.add %377, %378 : tensor<5x?x24xf32>
    %380 = stablehlo.reverse %379, dims = [0] : tensor<5x?x24xf32>
    %381 = stablehlo.slice %380 [0:1, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %382 = stablehlo.reshape %381 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %383 = stablehlo.slice %380 [1:2, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %384 = stablehlo.reshape %383 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %385 = stablehlo.slice %380 [2:3, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %386 = stablehlo.reshape %385 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %387 = stablehlo.slice %380 [3:4, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %388 = stablehlo.reshape %387 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %389 = stablehlo.slice %380 [4:5, 0:?, 0:24] : (tensor<5x?x24xf32>) -> tensor<1x?x24xf32>
    %390 = stablehlo.reshape %389 : (tensor<1x?x24xf32>) -> tensor<?x24xf32>
    %391 = stablehlo.slice %382 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %392 = stablehlo.slice %382 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %393 = stablehlo.slice %382 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %394 = stablehlo.broadcast_in_dim %arg_15, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %395 = stablehlo.add %21, %394 : tensor<1x?x24xf32>
    %396 = stablehlo.slice %395 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %397 = stablehlo.slice %395 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %398 = stablehlo.slice %395 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %399 = stablehlo.reshape %391 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %400 = stablehlo.add %396, %399 : tensor<1x?x8xf32>
    %401 = stablehlo.logistic %400 : tensor<1x?x8xf32>
    %402 = stablehlo.reshape %392 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %403 = stablehlo.add %397, %402 : tensor<1x?x8xf32>
    %404 = stablehlo.logistic %403 : tensor<1x?x8xf32>
    %405 = stablehlo.multiply %398, %401 : tensor<1x?x8xf32>
    %406 = stablehlo.reshape %393 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %407 = stablehlo.add %406, %405 : tensor<1x?x8xf32>
    %408 = stablehlo.tanh %407 : tensor<1x?x8xf32>
    %409 = stablehlo.subtract %2, %408 : tensor<1x?x8xf32>
    %410 = stablehlo.multiply %409, %404 : tensor<1x?x8xf32>
    %411 = stablehlo.add %410, %408 : tensor<1x?x8xf32>
    %412 = stablehlo.slice %384 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %413 = stablehlo.slice %384 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %414 = stablehlo.slice %384 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %415 = stablehlo.dot_general %411, %arg_13, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %416 = stablehlo.broadcast_in_dim %arg_15, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %417 = stablehlo.add %415, %416 : tensor<1x?x24xf32>
    %418 = stablehlo.slice %417 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %419 = stablehlo.slice %417 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %420 = stablehlo.slice %417 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %421 = stablehlo.reshape %412 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %422 = stablehlo.add %418, %421 : tensor<1x?x8xf32>
    %423 = stablehlo.logistic %422 : tensor<1x?x8xf32>
    %424 = stablehlo.reshape %413 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %425 = stablehlo.add %419, %424 : tensor<1x?x8xf32>
    %426 = stablehlo.logistic %425 : tensor<1x?x8xf32>
    %427 = stablehlo.multiply %420, %423 : tensor<1x?x8xf32>
    %428 = stablehlo.reshape %414 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %429 = stablehlo.add %428, %427 : tensor<1x?x8xf32>
    %430 = stablehlo.tanh %429 : tensor<1x?x8xf32>
    %431 = stablehlo.subtract %411, %430 : tensor<1x?x8xf32>
    %432 = stablehlo.multiply %431, %426 : tensor<1x?x8xf32>
    %433 = stablehlo.add %432, %430 : tensor<1x?x8xf32>
    %434 = stablehlo.slice %386 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %435 = stablehlo.slice %386 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %436 = stablehlo.slice %386 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %437 = stablehlo.dot_general %433, %arg_13, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %438 = stablehlo.broadcast_in_dim %arg_15, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %439 = stablehlo.add %437, %438 : tensor<1x?x24xf32>
    %440 = stablehlo.slice %439 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %441 = stablehlo.slice %439 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %442 = stablehlo.slice %439 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %443 = stablehlo.reshape %434 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %444 = stablehlo.add %440, %443 : tensor<1x?x8xf32>
    %445 = stablehlo.logistic %444 : tensor<1x?x8xf32>
    %446 = stablehlo.reshape %435 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %447 = stablehlo.add %441, %446 : tensor<1x?x8xf32>
    %448 = stablehlo.logistic %447 : tensor<1x?x8xf32>
    %449 = stablehlo.multiply %442, %445 : tensor<1x?x8xf32>
    %450 = stablehlo.reshape %436 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %451 = stablehlo.add %450, %449 : tensor<1x?x8xf32>
    %452 = stablehlo.tanh %451 : tensor<1x?x8xf32>
    %453 = stablehlo.subtract %433, %452 : tensor<1x?x8xf32>
    %454 = stablehlo.multiply %453, %448 : tensor<1x?x8xf32>
    %455 = stablehlo.add %454, %452 : tensor<1x?x8xf32>
    %456 = stablehlo.slice %388 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %457 = stablehlo.slice %388 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %458 = stablehlo.slice %388 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %459 = stablehlo.dot_general %455, %arg_13, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %460 = stablehlo.broadcast_in_dim %arg_15, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %461 = stablehlo.add %459, %460 : tensor<1x?x24xf32>
    %462 = stablehlo.slice %461 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %463 = stablehlo.slice %461 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %464 = stablehlo.slice %461 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %465 = stablehlo.reshape %456 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %466 = stablehlo.add %462, %465 : tensor<1x?x8xf32>
    %467 = stablehlo.logistic %466 : tensor<1x?x8xf32>
    %468 = stablehlo.reshape %457 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %469 = stablehlo.add %463, %468 : tensor<1x?x8xf32>
    %470 = stablehlo.logistic %469 : tensor<1x?x8xf32>
    %471 = stablehlo.multiply %464, %467 : tensor<1x?x8xf32>
    %472 = stablehlo.reshape %458 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %473 = stablehlo.add %472, %471 : tensor<1x?x8xf32>
    %474 = stablehlo.tanh %473 : tensor<1x?x8xf32>
    %475 = stablehlo.subtract %455, %474 : tensor<1x?x8xf32>
    %476 = stablehlo.multiply %475, %470 : tensor<1x?x8xf32>
    %477 = stablehlo.add %476, %474 : tensor<1x?x8xf32>
    %478 = stablehlo.slice %390 [0:?, 0:8] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %479 = stablehlo.slice %390 [0:?, 8:16] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %480 = stablehlo.slice %390 [0:?, 16:24] : (tensor<?x24xf32>) -> tensor<?x8xf32>
    %481 = stablehlo.dot_general %477, %arg_13, contracting_dims = [2] x [1] : (tensor<1x?x8xf32>, tensor<24x8xf32>) -> tensor<1x?x24xf32>
    %482 = stablehlo.broadcast_in_dim %arg_15, dims = [2] : (tensor<24xf32>) -> tensor<1x?x24xf32>
    %483 = stablehlo.add %481, %482 : tensor<1x?x24xf32>
    %484 = stablehlo.slice %483 [0:1, 0:?, 0:8] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %485 = stablehlo.slice %483 [0:1, 0:?, 8:16] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %486 = stablehlo.slice %483 [0:1, 0:?, 16:24] : (tensor<1x?x24xf32>) -> tensor<1x?x8xf32>
    %487 = stablehlo.reshape %478 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %488 = stablehlo.add %484, %487 : tensor<1x?x8xf32>
    %489 = stablehlo.logistic %488 : tensor<1x?x8xf32>
    %490 = stablehlo.reshape %479 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %491 = stablehlo.add %485, %490 : tensor<1x?x8xf32>
    %492 = stablehlo.logistic %491 : tensor<1x?x8xf32>
    %493 = stablehlo.multiply %486, %489 : tensor<1x?x8xf32>
    %494 = stablehlo.reshape %480 : (tensor<?x8xf32>) -> tensor<1x?x8xf32>
    %495 = stablehlo.add %494, %493 : tensor<1x?x8xf32>
    %496 = stablehlo.tanh %495 : tensor<1x?x8xf32>
    %497 = stablehlo.subtract %477, %496 : tensor<1x?x8xf32>
    %498 = stablehlo.multiply %497, %492 : tensor<1x?x8xf32>
    %499 = stablehlo.add %498, %496 : tensor<1x?x8xf32>
    %500 = stablehlo.concatenate %499, %477, %455, %433, %411, dim = 0 : (tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<5x?x8xf32>
    %501 = stablehlo.concatenate %376, %500, dim = 2 : (tensor<5x?x8xf32>, tensor<5x?x8xf32>) -> tensor<5x?x16xf32>
    %502 = stablehlo.transpose %501, dims = [1, 0, 2] : (tensor<5x?x16xf32>) -> tensor<?x5x16xf32>
    %503 = stablehlo.reduce(%502 init: %0) applies stablehlo.add across dimensions = [1] : (tensor<?x5x16xf32>, tensor<f32>) -> tensor<?x16xf32>
    %504 = stablehlo.constant dense<5.0> : tensor<f32>
    %505 = stablehlo.broadcast_in_dim %504, dims = [] : (tensor<f32>) -> tensor<?x16xf32>
    %506 = stablehlo.divide %503, %505 : tensor<?x16xf32>
    %507 = stablehlo.dot_general %506, %arg_16, contracting_dims = [1] x [1] : (tensor<?x16xf32>, tensor<1x16xf32>) -> tensor<?x1xf32>
    %508 = stablehlo.broadcast_in_dim %arg_17, dims = [1] : (tensor<1xf32>) -> tensor<?x1xf32>
    %509 = stablehlo.add %507, %508 : tensor<?x1xf32>
    %510 = stablehlo.subtract %509, %arg_19 : tensor<?x1xf32>
    %511 = stablehlo.multiply %510, %510 : tensor<?x1xf32>
    %512 = stablehlo.reduce(%511 init: %0) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    %513 = stablehlo.get_dimension_size %arg_18, dim = 0 : (tensor<?x5x3xf32>) -> tensor<i32>
    %514 = stablehlo.convert %513 : (tensor<i32>) -> tensor<f32>
    %515 = stablehlo.divide %512, %514 : tensor<f32>
    return %515 : tensor<f32>
  }
}
