// Handwritten digits: 784 pixels, two hidden layers of 128 and 64 with ReLU,
// 10 classes, softmax cross entropy, Momentum. `?` is the batch size. A label
// is the index of its class.
//
//   ps-run mnist_mlp.mlir --data=synthetic:digits --batch-size=64 --epochs=2
//
// RUN: ps-opt %s --verify-roundtrip --ps-transpile="pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2" -o %t.dist.mlir
// RUN: FileCheck %s < %t.dist.mlir
//
// The loss falls, and a job of two trainers ends where one process does.
// RUN: ps-run %s --data=synthetic:digits#0-3200 --batch-size=64 --metrics=%t.jsonl --save=%t.local
// RUN: %loss-falls %t.jsonl 0.5
// RUN: ps-run %t.dist.mlir --role=all --data=synthetic:digits#0-3200 --batch-size=32 --save=%t.cluster
// RUN: ps-run compare %t.local %t.cluster --tolerance=1e-5

module @mnist_mlp {
  ps.variable @fc1_w : tensor<784x128xf32> init(#ps.he_uniform)
  ps.variable @fc1_b : tensor<128xf32> init(#ps.constant<0.0>)
  ps.variable @fc2_w : tensor<128x64xf32> init(#ps.he_uniform)
  ps.variable @fc2_b : tensor<64xf32> init(#ps.constant<0.0>)
  ps.variable @fc3_w : tensor<64x10xf32> init(#ps.xavier_uniform)
  ps.variable @fc3_b : tensor<10xf32> init(#ps.constant<0.0>)

  func.func @train(%image: tensor<?x784xf32> {ps.feed = "image"},
                   %label: tensor<?xi64> {ps.feed = "label"})
      -> (tensor<f32> {ps.fetch = "loss"},
          tensor<f32> {ps.fetch = "accuracy"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %batch = stablehlo.get_dimension_size %image, dim = 0
        : (tensor<?x784xf32>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>

    // hidden1 = relu(image fc1_w + fc1_b)
    %w1 = ps.read @fc1_w : tensor<784x128xf32>
    %b1 = ps.read @fc1_b : tensor<128xf32>
    %xw1 = stablehlo.dot_general %image, %w1, contracting_dims = [1] x [0]
        : (tensor<?x784xf32>, tensor<784x128xf32>) -> tensor<?x128xf32>
    %b1_rows = stablehlo.broadcast_in_dim %b1, dims = [1]
        : (tensor<128xf32>) -> tensor<?x128xf32>
    %sum1 = stablehlo.add %xw1, %b1_rows : tensor<?x128xf32>
    %zero1 = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x128xf32>
    %hidden1 = stablehlo.maximum %sum1, %zero1 : tensor<?x128xf32>

    // hidden2 = relu(hidden1 fc2_w + fc2_b)
    %w2 = ps.read @fc2_w : tensor<128x64xf32>
    %b2 = ps.read @fc2_b : tensor<64xf32>
    %xw2 = stablehlo.dot_general %hidden1, %w2, contracting_dims = [1] x [0]
        : (tensor<?x128xf32>, tensor<128x64xf32>) -> tensor<?x64xf32>
    %b2_rows = stablehlo.broadcast_in_dim %b2, dims = [1]
        : (tensor<64xf32>) -> tensor<?x64xf32>
    %sum2 = stablehlo.add %xw2, %b2_rows : tensor<?x64xf32>
    %zero2 = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x64xf32>
    %hidden2 = stablehlo.maximum %sum2, %zero2 : tensor<?x64xf32>

    // logits = hidden2 fc3_w + fc3_b
    %w3 = ps.read @fc3_w : tensor<64x10xf32>
    %b3 = ps.read @fc3_b : tensor<10xf32>
    %xw3 = stablehlo.dot_general %hidden2, %w3, contracting_dims = [1] x [0]
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

// With two pservers the first layer's 100,352 weights are cut in half; nothing
// else is large enough. Blocks are dealt out in name order.

// CHECK: ps.program @trainer role(trainer)
// CHECK: func.func @train
// CHECK: ps.send @fc3_b {{.*}} to(@pserver_1) block("fc3_b") : tensor<10xf32>
// CHECK: ps.send @fc1_w rows(0, 392), %[[G:.*]] to(@pserver_1) block("fc1_w.block0") : tensor<784x128xf32>
// CHECK-NEXT: ps.send @fc1_w rows(392, 392), %[[G]] to(@pserver_0) block("fc1_w.block1") : tensor<784x128xf32>
// CHECK: ps.send_barrier
// CHECK: ps.program @pserver_0 role(pserver) endpoint("127.0.0.1:6174")
// CHECK-NEXT: ps.variable @fc1_b
// CHECK-NEXT: ps.variable @fc1_w.block1 : tensor<392x128xf32>
// CHECK-NEXT: ps.variable @fc2_w
// CHECK-NEXT: ps.variable @fc3_w
// CHECK: ps.optimize_block @fc1_w.block1 (%[[G:.*]]: tensor<392x128xf32>)
// CHECK-NEXT: ps.apply @fc1_w.block1, %[[G]] using(#ps.momentum<learning_rate = 0.05, momentum = 0.9>)
// CHECK: ps.program @pserver_1 role(pserver) endpoint("127.0.0.1:6175")
// CHECK-NEXT: ps.variable @fc1_w.block0 : tensor<392x128xf32>
// CHECK-NEXT: ps.variable @fc2_b
// CHECK-NEXT: ps.variable @fc3_b
