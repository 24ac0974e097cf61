// A residual block of ResNet, 64 features of 28x28 and kernels of 3x3 without
// normalization, between an expansion of digits to 64 features and a layer of 10
// classes: what conv_bench.py trains. `?` is the batch size.

module @residual_block {
  ps.variable @expand : tensor<64xf32> init(#ps.uniform<min = -1.0, max = 1.0>)
  ps.variable @conv1_w : tensor<3x3x64x64xf32> init(#ps.he_uniform)
  ps.variable @conv1_b : tensor<64xf32> init(#ps.constant<0.0>)
  ps.variable @conv2_w : tensor<3x3x64x64xf32> init(#ps.he_uniform)
  ps.variable @conv2_b : tensor<64xf32> init(#ps.constant<0.0>)
  ps.variable @fc3_w : tensor<64x10xf32> init(#ps.xavier_uniform)
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

    // x = the image times a number for each feature
    %image = stablehlo.reshape %pixels
        : (tensor<?x784xf32>) -> tensor<?x28x28xf32>
    %images = stablehlo.broadcast_in_dim %image, dims = [0, 1, 2]
        : (tensor<?x28x28xf32>) -> tensor<?x28x28x64xf32>
    %expand = ps.read @expand : tensor<64xf32>
    %expands = stablehlo.broadcast_in_dim %expand, dims = [3]
        : (tensor<64xf32>) -> tensor<?x28x28x64xf32>
    %x = stablehlo.multiply %images, %expands : tensor<?x28x28x64xf32>
    %floor = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x28x28x64xf32>

    // y1 = relu(convolution of x by conv1_w + conv1_b)
    %kernel1 = ps.read @conv1_w : tensor<3x3x64x64xf32>
    %offset1 = ps.read @conv1_b : tensor<64xf32>
    %convolved1 = stablehlo.convolution(%x, %kernel1)
        dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {stride = [1, 1], pad = [[1, 1], [1, 1]]}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<?x28x28x64xf32>, tensor<3x3x64x64xf32>) -> tensor<?x28x28x64xf32>
    %offsets1 = stablehlo.broadcast_in_dim %offset1, dims = [3]
        : (tensor<64xf32>) -> tensor<?x28x28x64xf32>
    %moved1 = stablehlo.add %convolved1, %offsets1 : tensor<?x28x28x64xf32>
    %y1 = stablehlo.maximum %moved1, %floor : tensor<?x28x28x64xf32>

    // y2 = relu(convolution of y1 by conv2_w + conv2_b + x)
    %kernel2 = ps.read @conv2_w : tensor<3x3x64x64xf32>
    %offset2 = ps.read @conv2_b : tensor<64xf32>
    %convolved2 = stablehlo.convolution(%y1, %kernel2)
        dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {stride = [1, 1], pad = [[1, 1], [1, 1]]}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<?x28x28x64xf32>, tensor<3x3x64x64xf32>) -> tensor<?x28x28x64xf32>
    %offsets2 = stablehlo.broadcast_in_dim %offset2, dims = [3]
        : (tensor<64xf32>) -> tensor<?x28x28x64xf32>
    %moved2 = stablehlo.add %convolved2, %offsets2 : tensor<?x28x28x64xf32>
    %both2 = stablehlo.add %moved2, %x : tensor<?x28x28x64xf32>
    %y2 = stablehlo.maximum %both2, %floor : tensor<?x28x28x64xf32>

    // pool = the mean of each feature over the image
    %pixel_sum = stablehlo.reduce(%y2 init: %zero)
        applies stablehlo.add across dimensions = [1, 2]
        : (tensor<?x28x28x64xf32>, tensor<f32>) -> tensor<?x64xf32>
    %area = stablehlo.constant dense<784.0> : tensor<f32>
    %areas = stablehlo.broadcast_in_dim %area, dims = []
        : (tensor<f32>) -> tensor<?x64xf32>
    %pool = stablehlo.divide %pixel_sum, %areas : tensor<?x64xf32>

    // logits = pool fc3_w + fc3_b
    %w3 = ps.read @fc3_w : tensor<64x10xf32>
    %b3 = ps.read @fc3_b : tensor<10xf32>
    %xw3 = stablehlo.dot_general %pool, %w3, contracting_dims = [1] x [0]
        : (tensor<?x64xf32>, tensor<64x10xf32>) -> tensor<?x10xf32>
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
