// CTR-DNN: wide_deep's graph without its wide part, and with SGD, which every
// mode allows. scripts/bench-peers.sh trains it beside other frameworks.

module @ctr_dnn {
  ps.table @emb : tensor<100000000x9xf32> init(#ps.uniform<min = -0.01, max = 0.01>)
  ps.variable @fc1_w : tensor<247x400xf32> init(#ps.he_uniform)
  ps.variable @fc1_b : tensor<400xf32> init(#ps.constant<0.0>)
  ps.variable @fc2_w : tensor<400x400xf32> init(#ps.he_uniform)
  ps.variable @fc2_b : tensor<400xf32> init(#ps.constant<0.0>)
  ps.variable @fc3_w : tensor<400x400xf32> init(#ps.he_uniform)
  ps.variable @fc3_b : tensor<400xf32> init(#ps.constant<0.0>)
  ps.variable @fc4_w : tensor<400x1xf32> init(#ps.xavier_uniform)
  ps.variable @fc4_b : tensor<1xf32> init(#ps.constant<0.0>)

  func.func @train(%dense: tensor<?x13xf32> {ps.feed = "dense"},
                   %sparse: tensor<?x26xi64> {ps.feed = "sparse"},
                   %label: tensor<?x1xf32> {ps.feed = "label"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>

    // features = the 26 rows and the 13 numbers
    %rows = ps.lookup @emb[%sparse] : (tensor<?x26xi64>) -> tensor<?x26x9xf32>
    %flat = stablehlo.reshape %rows : (tensor<?x26x9xf32>) -> tensor<?x234xf32>
    %features = stablehlo.concatenate %flat, %dense, dim = 1
        : (tensor<?x234xf32>, tensor<?x13xf32>) -> tensor<?x247xf32>

    // hidden1 = relu(features fc1_w + fc1_b)
    %fc1_w = ps.read @fc1_w : tensor<247x400xf32>
    %fc1_b = ps.read @fc1_b : tensor<400xf32>
    %hidden1_product = stablehlo.dot_general %features, %fc1_w, contracting_dims = [1] x [0]
        : (tensor<?x247xf32>, tensor<247x400xf32>) -> tensor<?x400xf32>
    %hidden1_bias = stablehlo.broadcast_in_dim %fc1_b, dims = [1]
        : (tensor<400xf32>) -> tensor<?x400xf32>
    %hidden1_sum = stablehlo.add %hidden1_product, %hidden1_bias : tensor<?x400xf32>
    %hidden1_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x400xf32>
    %hidden1 = stablehlo.maximum %hidden1_sum, %hidden1_zero : tensor<?x400xf32>

    // hidden2 = relu(hidden1 fc2_w + fc2_b)
    %fc2_w = ps.read @fc2_w : tensor<400x400xf32>
    %fc2_b = ps.read @fc2_b : tensor<400xf32>
    %hidden2_product = stablehlo.dot_general %hidden1, %fc2_w, contracting_dims = [1] x [0]
        : (tensor<?x400xf32>, tensor<400x400xf32>) -> tensor<?x400xf32>
    %hidden2_bias = stablehlo.broadcast_in_dim %fc2_b, dims = [1]
        : (tensor<400xf32>) -> tensor<?x400xf32>
    %hidden2_sum = stablehlo.add %hidden2_product, %hidden2_bias : tensor<?x400xf32>
    %hidden2_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x400xf32>
    %hidden2 = stablehlo.maximum %hidden2_sum, %hidden2_zero : tensor<?x400xf32>

    // hidden3 = relu(hidden2 fc3_w + fc3_b)
    %fc3_w = ps.read @fc3_w : tensor<400x400xf32>
    %fc3_b = ps.read @fc3_b : tensor<400xf32>
    %hidden3_product = stablehlo.dot_general %hidden2, %fc3_w, contracting_dims = [1] x [0]
        : (tensor<?x400xf32>, tensor<400x400xf32>) -> tensor<?x400xf32>
    %hidden3_bias = stablehlo.broadcast_in_dim %fc3_b, dims = [1]
        : (tensor<400xf32>) -> tensor<?x400xf32>
    %hidden3_sum = stablehlo.add %hidden3_product, %hidden3_bias : tensor<?x400xf32>
    %hidden3_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x400xf32>
    %hidden3 = stablehlo.maximum %hidden3_sum, %hidden3_zero : tensor<?x400xf32>

    // logit = hidden3 fc4_w + fc4_b
    %fc4_w = ps.read @fc4_w : tensor<400x1xf32>
    %fc4_b = ps.read @fc4_b : tensor<1xf32>
    %logit_product = stablehlo.dot_general %hidden3, %fc4_w, contracting_dims = [1] x [0]
        : (tensor<?x400xf32>, tensor<400x1xf32>) -> tensor<?x1xf32>
    %logit_bias = stablehlo.broadcast_in_dim %fc4_b, dims = [1]
        : (tensor<1xf32>) -> tensor<?x1xf32>
    %logit = stablehlo.add %logit_product, %logit_bias : tensor<?x1xf32>

    // loss = the mean sigmoid cross entropy of logit and label:
    // max(logit, 0) - logit label + log(1 + exp(-|logit|))
    %loss_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x1xf32>
    %positive = stablehlo.maximum %logit, %loss_zero : tensor<?x1xf32>
    %labeled = stablehlo.multiply %logit, %label : tensor<?x1xf32>
    %size = stablehlo.abs %logit : tensor<?x1xf32>
    %minus_size = stablehlo.negate %size : tensor<?x1xf32>
    %tail = stablehlo.exponential %minus_size : tensor<?x1xf32>
    %log_tail = stablehlo.log_plus_one %tail : tensor<?x1xf32>
    %linear_part = stablehlo.subtract %positive, %labeled : tensor<?x1xf32>
    %losses = stablehlo.add %linear_part, %log_tail : tensor<?x1xf32>
    %loss_sum = stablehlo.reduce(%losses init: %zero)
        applies stablehlo.add across dimensions = [0, 1]
        : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    %batch = stablehlo.get_dimension_size %label, dim = 0
        : (tensor<?x1xf32>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %loss_sum, %count : tensor<f32>

    ps.minimize %loss using(#ps.sgd<learning_rate = 0.01>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
