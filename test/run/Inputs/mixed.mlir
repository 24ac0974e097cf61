// A variable and a table, with an optimizer that has slots.
module @mixed {
  ps.variable @w : tensor<2x3xf32> init(#ps.uniform<min = -0.5, max = 0.5>)
  ps.table @emb : tensor<1000000x3xf32> init(#ps.uniform<min = -0.5, max = 0.5>)
  func.func @train(%ids: tensor<?x2xi64> {ps.feed = "ids"},
                   %label: tensor<?x1xf32> {ps.feed = "label"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %w = ps.read @w : tensor<2x3xf32>
    %e = ps.lookup @emb[%ids] : (tensor<?x2xi64>) -> tensor<?x2x3xf32>
    %d = stablehlo.dot_general %e, %w, contracting_dims = [1, 2] x [0, 1] : (tensor<?x2x3xf32>, tensor<2x3xf32>) -> tensor<?xf32>
    %p = stablehlo.broadcast_in_dim %d, dims = [0] : (tensor<?xf32>) -> tensor<?x1xf32>
    %error = stablehlo.subtract %p, %label : tensor<?x1xf32>
    %square = stablehlo.multiply %error, %error : tensor<?x1xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %total = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    %batch = stablehlo.get_dimension_size %label, dim = 0 : (tensor<?x1xf32>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %total, %count : tensor<f32>
    ps.minimize %loss using(#ps.adam<learning_rate = 0.001>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
