// LeNet-5 as it is built today, with ReLU and maxima of 2x2, on digits; what
// conv_bench.py trains. `?` is the batch size.

module @lenet {
  ps.variable @conv1_w : tensor<5x5x1x6xf32> init(#ps.he_uniform)
  ps.variable @conv1_b : tensor<6xf32> init(#ps.constant<0.0>)
  ps.variable @conv2_w : tensor<5x5x6x16xf32> init(#ps.he_uniform)
  ps.variable @conv2_b : tensor<16xf32> init(#ps.constant<0.0>)
  ps.variable @fc1_w : tensor<400x120xf32> init(#ps.he_uniform)
  ps.variable @fc1_b : tensor<120xf32> init(#ps.constant<0.0>)
  ps.variable @fc2_w : tensor<120x84xf32> init(#ps.he_uniform)
  ps.variable @fc2_b : tensor<84xf32> init(#ps.constant<0.0>)
  ps.variable @fc3_w : tensor<84x10xf32> init(#ps.xavier_uniform)
  ps.variable @fc3_b : tensor<10xf32> init(#ps.constant<0.0>)

  func.func @train(%pixels: tensor<?x784xf32> {ps.feed = "image"},
                   %label: tensor<?xi64> {ps.feed = "label"})
      -> (tensor<f32> {ps.fetch = "loss"},
          tensor<f32> {ps.fetch = "accuracy"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %batch = stablehlo.get_dimension_size %pixels, dim = 0
        : (tensor<?x784xf32>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>
    %image = stablehlo.reshape %pixels
        : (tensor<?x784xf32>) -> tensor<?x28x28x1xf32>

    // pool1 = maxima of 2x2 of relu(convolution of image by conv1_w + conv1_b)
    %kernel1 = ps.read @conv1_w : tensor<5x5x1x6xf32>
    %offset1 = ps.read @conv1_b : tensor<6xf32>
    %convolved1 = stablehlo.convolution(%image, %kernel1)
        dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {stride = [1, 1], pad = [[2, 2], [2, 2]]}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<?x28x28x1xf32>, tensor<5x5x1x6xf32>) -> tensor<?x28x28x6xf32>
    %offsets1 = stablehlo.broadcast_in_dim %offset1, dims = [3]
        : (tensor<6xf32>) -> tensor<?x28x28x6xf32>
    %moved1 = stablehlo.add %convolved1, %offsets1 : tensor<?x28x28x6xf32>
    %floor1 = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x28x28x6xf32>
    %features1 = stablehlo.maximum %moved1, %floor1 : tensor<?x28x28x6xf32>
    %pool1 = "stablehlo.reduce_window"(%features1, %lowest) <{
      window_dimensions = array<i64: 1, 2, 2, 1>,
      window_strides = array<i64: 1, 2, 2, 1>
    }> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %larger : tensor<f32>
    }) : (tensor<?x28x28x6xf32>, tensor<f32>) -> tensor<?x14x14x6xf32>

    // pool2 = maxima of 2x2 of relu(convolution of pool1 by conv2_w + conv2_b)
    %kernel2 = ps.read @conv2_w : tensor<5x5x6x16xf32>
    %offset2 = ps.read @conv2_b : tensor<16xf32>
    %convolved2 = stablehlo.convolution(%pool1, %kernel2)
        dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {stride = [1, 1], pad = [[0, 0], [0, 0]]}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<?x14x14x6xf32>, tensor<5x5x6x16xf32>) -> tensor<?x10x10x16xf32>
    %offsets2 = stablehlo.broadcast_in_dim %offset2, dims = [3]
        : (tensor<16xf32>) -> tensor<?x10x10x16xf32>
    %moved2 = stablehlo.add %convolved2, %offsets2 : tensor<?x10x10x16xf32>
    %floor2 = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x10x10x16xf32>
    %features2 = stablehlo.maximum %moved2, %floor2 : tensor<?x10x10x16xf32>
    %pool2 = "stablehlo.reduce_window"(%features2, %lowest) <{
      window_dimensions = array<i64: 1, 2, 2, 1>,
      window_strides = array<i64: 1, 2, 2, 1>
    }> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %larger : tensor<f32>
    }) : (tensor<?x10x10x16xf32>, tensor<f32>) -> tensor<?x5x5x16xf32>
    %flat = stablehlo.reshape %pool2
        : (tensor<?x5x5x16xf32>) -> tensor<?x400xf32>

    // hidden1 = relu(flat fc1_w + fc1_b)
    %w1 = ps.read @fc1_w : tensor<400x120xf32>
    %b1 = ps.read @fc1_b : tensor<120xf32>
    %xw1 = stablehlo.dot_general %flat, %w1, contracting_dims = [1] x [0]
        : (tensor<?x400xf32>, tensor<400x120xf32>) -> tensor<?x120xf32>
    %b1_rows = stablehlo.broadcast_in_dim %b1, dims = [1]
        : (tensor<120xf32>) -> tensor<?x120xf32>
    %sum1 = stablehlo.add %xw1, %b1_rows : tensor<?x120xf32>
    %zero1 = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x120xf32>
    %hidden1 = stablehlo.maximum %sum1, %zero1 : tensor<?x120xf32>

    // hidden2 = relu(hidden1 fc2_w + fc2_b)
    %w2 = ps.read @fc2_w : tensor<120x84xf32>
    %b2 = ps.read @fc2_b : tensor<84xf32>
    %xw2 = stablehlo.dot_general %hidden1, %w2, contracting_dims = [1] x [0]
        : (tensor<?x120xf32>, tensor<120x84xf32>) -> tensor<?x84xf32>
    %b2_rows = stablehlo.broadcast_in_dim %b2, dims = [1]
        : (tensor<84xf32>) -> tensor<?x84xf32>
    %sum2 = stablehlo.add %xw2, %b2_rows : tensor<?x84xf32>
    %zero2 = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x84xf32>
    %hidden2 = stablehlo.maximum %sum2, %zero2 : tensor<?x84xf32>

    // logits = hidden2 fc3_w + fc3_b
    %w3 = ps.read @fc3_w : tensor<84x10xf32>
    %b3 = ps.read @fc3_b : tensor<10xf32>
    %xw3 = stablehlo.dot_general %hidden2, %w3, contracting_dims = [1] x [0]
        : (tensor<?x84xf32>, tensor<84x10xf32>) -> tensor<?x10xf32>
    %b3_rows = stablehlo.broadcast_in_dim %b3, dims = [1]
        : (tensor<10xf32>) -> tensor<?x10xf32>
    %logits = stablehlo.add %xw3, %b3_rows : tensor<?x10xf32>

    // is_label: 1 at the label's class, 0 elsewhere
    %classes = stablehlo.iota dim = 0 : tensor<10xi64>
    %class_rows = stablehlo.broadcast_in_dim %classes, dims = [1]
        : (tensor<10xi64>) -> tensor<?x10xi64>
    %label_rows = stablehlo.broadcast_in_dim %label, dims = [0]
        : (tensor<?xi64>) -> tensor<?x10xi64>
    %at_label = stablehlo.compare EQ, %class_rows, %label_rows
        : (tensor<?x10xi64>, tensor<?x10xi64>) -> tensor<?x10xi1>
    %is_label = stablehlo.convert %at_label
        : (tensor<?x10xi1>) -> tensor<?x10xf32>

    // log_sum = log(sum(exp(logits - max))), with the largest logit taken out
    // so that no exponential overflows
    %max = stablehlo.reduce(%logits init: %lowest)
        applies stablehlo.maximum across dimensions = [1]
        : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
    %max_rows = stablehlo.broadcast_in_dim %max, dims = [0]
        : (tensor<?xf32>) -> tensor<?x10xf32>
    %shifted = stablehlo.subtract %logits, %max_rows : tensor<?x10xf32>
    %exp = stablehlo.exponential %shifted : tensor<?x10xf32>
    %sum_exp = stablehlo.reduce(%exp init: %zero)
        applies stablehlo.add across dimensions = [1]
        : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
    %log_sum = stablehlo.log %sum_exp : tensor<?xf32>

    // loss = the mean of log_sum - (the label's shifted logit)
    %masked = stablehlo.multiply %shifted, %is_label : tensor<?x10xf32>
    %own_logit = stablehlo.reduce(%masked init: %zero)
        applies stablehlo.add across dimensions = [1]
        : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
    %losses = stablehlo.subtract %log_sum, %own_logit : tensor<?xf32>
    %loss_sum = stablehlo.reduce(%losses init: %zero)
        applies stablehlo.add across dimensions = [0]
        : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %loss = stablehlo.divide %loss_sum, %count : tensor<f32>

    // accuracy: how often the label's logit is the largest
    %zero_rows = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?xf32>
    %right = stablehlo.compare GE, %own_logit, %zero_rows
        : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
    %right_ones = stablehlo.convert %right : (tensor<?xi1>) -> tensor<?xf32>
    %right_sum = stablehlo.reduce(%right_ones init: %zero)
        applies stablehlo.add across dimensions = [0]
        : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %accuracy = stablehlo.divide %right_sum, %count : tensor<f32>

    ps.minimize %loss using(#ps.momentum<learning_rate = 0.05, momentum = 0.9>)
        : tensor<f32>
    return %loss, %accuracy : tensor<f32>, tensor<f32>
  }
}
