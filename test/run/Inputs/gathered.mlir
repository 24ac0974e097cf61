// A graph as JAX makes it, with a variable of which a gather takes rows by ids.

module @gathered {
  ps.variable @emb : tensor<50x4xf32> init(#ps.uniform<min = -0.5, max = 0.5>)
  ps.variable @w : tensor<8x1xf32> init(#ps.xavier_uniform)

  func.func @train(%x: tensor<?x2xf32> {ps.feed = "x"},
                   %y: tensor<?x1xf32> {ps.feed = "y"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %table = ps.read @emb : tensor<50x4xf32>
    %ids = stablehlo.convert %x : (tensor<?x2xf32>) -> tensor<?x2xi32>
    %zero_i = stablehlo.constant dense<0> : tensor<i32>
    %zeros = stablehlo.broadcast_in_dim %zero_i, dims = [] : (tensor<i32>) -> tensor<?x2xi32>
    %negative = stablehlo.compare LT, %ids, %zeros, SIGNED : (tensor<?x2xi32>, tensor<?x2xi32>) -> tensor<?x2xi1>
    %size = stablehlo.constant dense<50> : tensor<i32>
    %sizes = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<?x2xi32>
    %wrapped = stablehlo.add %ids, %sizes : tensor<?x2xi32>
    %normal = stablehlo.select %negative, %wrapped, %ids : tensor<?x2xi1>, tensor<?x2xi32>
    %vectors = stablehlo.broadcast_in_dim %normal, dims = [0, 1] : (tensor<?x2xi32>) -> tensor<?x2x1xi32>
    %rows = "stablehlo.gather"(%table, %vectors) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<50x4xf32>, tensor<?x2x1xi32>) -> tensor<?x2x4xf32>
    %flat = stablehlo.reshape %rows : (tensor<?x2x4xf32>) -> tensor<?x8xf32>
    %w = ps.read @w : tensor<8x1xf32>
    %found = stablehlo.dot_general %flat, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x1xf32>) -> tensor<?x1xf32>
    %error = stablehlo.subtract %found, %y : tensor<?x1xf32>
    %square = stablehlo.multiply %error, %error : tensor<?x1xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    %batch = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %sum, %count : tensor<f32>
    ps.minimize %loss using(#ps.adagrad<learning_rate = 0.1>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
