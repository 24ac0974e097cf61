// 4 features to 2 numbers by way of 24: large enough to be sliced when
// min-block-size is small.
module @linear {
  ps.variable @a_w : tensor<4x24xf32> init(#ps.uniform<min = -0.5, max = 0.5>)
  ps.variable @a_b : tensor<24xf32> init(#ps.constant<0.0>)
  ps.variable @b_w : tensor<24x2xf32> init(#ps.uniform<min = -0.5, max = 0.5>)
  ps.variable @b_b : tensor<2xf32> init(#ps.constant<0.5>)

  func.func @train(%x: tensor<?x4xf32> {ps.feed = "x"},
                   %y: tensor<?xf32> {ps.feed = "y"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %aw = ps.read @a_w : tensor<4x24xf32>
    %ab = ps.read @a_b : tensor<24xf32>
    %bw = ps.read @b_w : tensor<24x2xf32>
    %bb = ps.read @b_b : tensor<2xf32>
    %h0 = stablehlo.dot_general %x, %aw, contracting_dims = [1] x [0]
        : (tensor<?x4xf32>, tensor<4x24xf32>) -> tensor<?x24xf32>
    %h1 = stablehlo.broadcast_in_dim %ab, dims = [1]
        : (tensor<24xf32>) -> tensor<?x24xf32>
    %h2 = stablehlo.add %h0, %h1 : tensor<?x24xf32>
    %h = stablehlo.tanh %h2 : tensor<?x24xf32>
    %o0 = stablehlo.dot_general %h, %bw, contracting_dims = [1] x [0]
        : (tensor<?x24xf32>, tensor<24x2xf32>) -> tensor<?x2xf32>
    %o1 = stablehlo.broadcast_in_dim %bb, dims = [1]
        : (tensor<2xf32>) -> tensor<?x2xf32>
    %o = stablehlo.add %o0, %o1 : tensor<?x2xf32>
    %y2 = stablehlo.broadcast_in_dim %y, dims = [0]
        : (tensor<?xf32>) -> tensor<?x2xf32>
    %e = stablehlo.subtract %o, %y2 : tensor<?x2xf32>
    %s = stablehlo.multiply %e, %e : tensor<?x2xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%s init: %zero) applies stablehlo.add
        across dimensions = [0, 1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<f32>
    %batch = stablehlo.get_dimension_size %x, dim = 0
        : (tensor<?x4xf32>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %sum, %count : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.05>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
