// An LSTM of 128 units that reads the 28 rows of a digit, and a layer of 10
// classes after the last: what lstm_bench.py trains. A loop as lax.scan makes it,
// with the gates input, forget, cell and output side by side. Batches of 64.

module @lstm {
  ps.variable @input : tensor<28x512xf32> init(#ps.uniform<min = -0.0884, max = 0.0884>)
  ps.variable @hidden : tensor<128x512xf32> init(#ps.uniform<min = -0.0884, max = 0.0884>)
  ps.variable @bias : tensor<512xf32> init(#ps.constant<0.0>)
  ps.variable @output : tensor<128x10xf32> init(#ps.xavier_uniform)

  func.func @train(%pixels: tensor<64x784xf32> {ps.feed = "image"},
                   %label: tensor<64xi64> {ps.feed = "label"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %count = stablehlo.constant dense<64.0> : tensor<f32>
    %first = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %steps = stablehlo.constant dense<28> : tensor<i32>
    %nothing = stablehlo.constant dense<0.0> : tensor<64x128xf32>
    %input = ps.read @input : tensor<28x512xf32>
    %hidden = ps.read @hidden : tensor<128x512xf32>
    %bias = ps.read @bias : tensor<512xf32>
    %output = ps.read @output : tensor<128x10xf32>
    %biases = stablehlo.broadcast_in_dim %bias, dims = [1]
        : (tensor<512xf32>) -> tensor<64x512xf32>
    %image = stablehlo.reshape %pixels
        : (tensor<64x784xf32>) -> tensor<64x28x28xf32>
    %rows = stablehlo.transpose %image, dims = [1, 0, 2]
        : (tensor<64x28x28xf32>) -> tensor<28x64x28xf32>

    // h and c after the last row
    %end:3 = stablehlo.while(%t = %first, %h = %nothing, %c = %nothing)
        : tensor<i32>, tensor<64x128xf32>, tensor<64x128xf32>
    cond {
      %more = stablehlo.compare LT, %t, %steps
          : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %slice = stablehlo.dynamic_slice %rows, %t, %first, %first, sizes = [1, 64, 28]
          : (tensor<28x64x28xf32>, tensor<i32>, tensor<i32>, tensor<i32>)
          -> tensor<1x64x28xf32>
      %row = stablehlo.reshape %slice : (tensor<1x64x28xf32>) -> tensor<64x28xf32>
      %of_row = stablehlo.dot_general %row, %input, contracting_dims = [1] x [0]
          : (tensor<64x28xf32>, tensor<28x512xf32>) -> tensor<64x512xf32>
      %of_h = stablehlo.dot_general %h, %hidden, contracting_dims = [1] x [0]
          : (tensor<64x128xf32>, tensor<128x512xf32>) -> tensor<64x512xf32>
      %both = stablehlo.add %of_row, %of_h : tensor<64x512xf32>
      %gates = stablehlo.add %both, %biases : tensor<64x512xf32>
      %i = stablehlo.slice %gates [0:64, 0:128]
          : (tensor<64x512xf32>) -> tensor<64x128xf32>
      %f = stablehlo.slice %gates [0:64, 128:256]
          : (tensor<64x512xf32>) -> tensor<64x128xf32>
      %g = stablehlo.slice %gates [0:64, 256:384]
          : (tensor<64x512xf32>) -> tensor<64x128xf32>
      %o = stablehlo.slice %gates [0:64, 384:512]
          : (tensor<64x512xf32>) -> tensor<64x128xf32>

      // c' = sigmoid(f) c + sigmoid(i) tanh(g), h' = sigmoid(o) tanh(c')
      %keep = stablehlo.logistic %f : tensor<64x128xf32>
      %kept = stablehlo.multiply %keep, %c : tensor<64x128xf32>
      %take = stablehlo.logistic %i : tensor<64x128xf32>
      %new = stablehlo.tanh %g : tensor<64x128xf32>
      %taken = stablehlo.multiply %take, %new : tensor<64x128xf32>
      %next_c = stablehlo.add %kept, %taken : tensor<64x128xf32>
      %show = stablehlo.logistic %o : tensor<64x128xf32>
      %squashed = stablehlo.tanh %next_c : tensor<64x128xf32>
      %next_h = stablehlo.multiply %show, %squashed : tensor<64x128xf32>
      %next = stablehlo.add %t, %one : tensor<i32>
      stablehlo.return %next, %next_h, %next_c
          : tensor<i32>, tensor<64x128xf32>, tensor<64x128xf32>
    }
    %logits = stablehlo.dot_general %end#1, %output, contracting_dims = [1] x [0]
        : (tensor<64x128xf32>, tensor<128x10xf32>) -> tensor<64x10xf32>

    // is_label is 1 where the class is that of the sample
    %classes = stablehlo.iota dim = 1 : tensor<64x10xi64>
    %labels = stablehlo.broadcast_in_dim %label, dims = [0]
        : (tensor<64xi64>) -> tensor<64x10xi64>
    %at_label = stablehlo.compare EQ, %classes, %labels
        : (tensor<64x10xi64>, tensor<64x10xi64>) -> tensor<64x10xi1>
    %is_label = stablehlo.convert %at_label
        : (tensor<64x10xi1>) -> tensor<64x10xf32>

    // loss = the mean of log(sum(exp(logits))) - (the label's logit)
    %max = stablehlo.reduce(%logits init: %lowest)
        applies stablehlo.maximum across dimensions = [1]
        : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %maxima = stablehlo.broadcast_in_dim %max, dims = [0]
        : (tensor<64xf32>) -> tensor<64x10xf32>
    %shifted = stablehlo.subtract %logits, %maxima : tensor<64x10xf32>
    %exp = stablehlo.exponential %shifted : tensor<64x10xf32>
    %sum_exp = stablehlo.reduce(%exp init: %zero)
        applies stablehlo.add across dimensions = [1]
        : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %log_sum = stablehlo.log %sum_exp : tensor<64xf32>
    %masked = stablehlo.multiply %shifted, %is_label : tensor<64x10xf32>
    %own_logit = stablehlo.reduce(%masked init: %zero)
        applies stablehlo.add across dimensions = [1]
        : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %losses = stablehlo.subtract %log_sum, %own_logit : tensor<64xf32>
    %loss_sum = stablehlo.reduce(%losses init: %zero)
        applies stablehlo.add across dimensions = [0]
        : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    %loss = stablehlo.divide %loss_sum, %count : tensor<f32>

    ps.minimize %loss using(#ps.sgd<learning_rate = 0.05>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
