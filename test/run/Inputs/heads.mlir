// An attention over the 28 rows of an image: four heads, tanh, a sum.
module @heads {
  ps.variable @wq : tensor<28x28xf32> init(#ps.xavier_uniform)
  ps.variable @wk : tensor<28x28xf32> init(#ps.xavier_uniform)
  ps.variable @wv : tensor<28x28xf32> init(#ps.xavier_uniform)
  ps.variable @wo : tensor<28x32xf32> init(#ps.xavier_uniform)
  ps.variable @bo : tensor<32xf32> init(#ps.constant<0.0>)
  ps.variable @wc : tensor<32x10xf32> init(#ps.xavier_uniform)

  func.func @train(%image: tensor<?x784xf32> {ps.feed = "image"}, %label: tensor<?xi64> {ps.feed = "label"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %x = stablehlo.reshape %image : (tensor<?x784xf32>) -> tensor<?x28x28xf32>

    %wq = ps.read @wq : tensor<28x28xf32>
    %wk = ps.read @wk : tensor<28x28xf32>
    %wv = ps.read @wv : tensor<28x28xf32>
    %q0 = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<?x28x28xf32>, tensor<28x28xf32>) -> tensor<?x28x28xf32>
    %k0 = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0] : (tensor<?x28x28xf32>, tensor<28x28xf32>) -> tensor<?x28x28xf32>
    %v0 = stablehlo.dot_general %x, %wv, contracting_dims = [2] x [0] : (tensor<?x28x28xf32>, tensor<28x28xf32>) -> tensor<?x28x28xf32>
    %q1 = stablehlo.reshape %q0 : (tensor<?x28x28xf32>) -> tensor<?x28x4x7xf32>
    %k1 = stablehlo.reshape %k0 : (tensor<?x28x28xf32>) -> tensor<?x28x4x7xf32>
    %v1 = stablehlo.reshape %v0 : (tensor<?x28x28xf32>) -> tensor<?x28x4x7xf32>
    %q = stablehlo.transpose %q1, dims = [0, 2, 1, 3] : (tensor<?x28x4x7xf32>) -> tensor<?x4x28x7xf32>
    %k = stablehlo.transpose %k1, dims = [0, 2, 1, 3] : (tensor<?x28x4x7xf32>) -> tensor<?x4x28x7xf32>
    %v = stablehlo.transpose %v1, dims = [0, 2, 1, 3] : (tensor<?x28x4x7xf32>) -> tensor<?x4x28x7xf32>

    %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x4x28x7xf32>, tensor<?x4x28x7xf32>) -> tensor<?x4x28x28xf32>
    %sm = stablehlo.reduce(%s init: %lowest) applies stablehlo.maximum across dimensions = [3] : (tensor<?x4x28x28xf32>, tensor<f32>) -> tensor<?x4x28xf32>
    %smc = ps.stop_gradient %sm : tensor<?x4x28xf32>
    %smb = stablehlo.broadcast_in_dim %smc, dims = [0, 1, 2] : (tensor<?x4x28xf32>) -> tensor<?x4x28x28xf32>
    %sd = stablehlo.subtract %s, %smb : tensor<?x4x28x28xf32>
    %se = stablehlo.exponential %sd : tensor<?x4x28x28xf32>
    %ss = stablehlo.reduce(%se init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<?x4x28x28xf32>, tensor<f32>) -> tensor<?x4x28xf32>
    %ssb = stablehlo.broadcast_in_dim %ss, dims = [0, 1, 2] : (tensor<?x4x28xf32>) -> tensor<?x4x28x28xf32>
    %p = stablehlo.divide %se, %ssb : tensor<?x4x28x28xf32>
    %o0 = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x4x28x28xf32>, tensor<?x4x28x7xf32>) -> tensor<?x4x28x7xf32>
    %o1 = stablehlo.transpose %o0, dims = [0, 2, 1, 3] : (tensor<?x4x28x7xf32>) -> tensor<?x28x4x7xf32>
    %o = stablehlo.reshape %o1 : (tensor<?x28x4x7xf32>) -> tensor<?x28x28xf32>

    %wo = ps.read @wo : tensor<28x32xf32>
    %bo = ps.read @bo : tensor<32xf32>
    %h0 = stablehlo.dot_general %o, %wo, contracting_dims = [2] x [0] : (tensor<?x28x28xf32>, tensor<28x32xf32>) -> tensor<?x28x32xf32>
    %bob = stablehlo.broadcast_in_dim %bo, dims = [2] : (tensor<32xf32>) -> tensor<?x28x32xf32>
    %h1 = stablehlo.add %h0, %bob : tensor<?x28x32xf32>
    %h = stablehlo.tanh %h1 : tensor<?x28x32xf32>
    %m = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x28x32xf32>, tensor<f32>) -> tensor<?x32xf32>
    %wc = ps.read @wc : tensor<32x10xf32>
    %logits = stablehlo.dot_general %m, %wc, contracting_dims = [1] x [0] : (tensor<?x32xf32>, tensor<32x10xf32>) -> tensor<?x10xf32>

    %classes = stablehlo.iota dim = 0 : tensor<10xi64>
    %class_rows = stablehlo.broadcast_in_dim %classes, dims = [1] : (tensor<10xi64>) -> tensor<?x10xi64>
    %label_rows = stablehlo.broadcast_in_dim %label, dims = [0] : (tensor<?xi64>) -> tensor<?x10xi64>
    %at_label = stablehlo.compare EQ, %class_rows, %label_rows : (tensor<?x10xi64>, tensor<?x10xi64>) -> tensor<?x10xi1>
    %y = stablehlo.convert %at_label : (tensor<?x10xi1>) -> tensor<?x10xf32>
    %e = stablehlo.subtract %logits, %y : tensor<?x10xf32>
    %e2 = stablehlo.multiply %e, %e : tensor<?x10xf32>
    %sum = stablehlo.reduce(%e2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<f32>
    %batch = stablehlo.get_dimension_size %image, dim = 0 : (tensor<?x784xf32>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %sum, %count : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.0001>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
