// DeepFM on clicks (Guo et al., 2017): a weight and a factor of 16 per id.
// logit = first order (the sum of the weights) + second order (the sum of
// products of all pairs of factors) + deep (two layers over all factors and
// the 13 numbers). Sigmoid cross entropy, Adagrad.
//
//   ps-run deepfm.mlir --data=criteo:train.txt --eval-data=criteo:test.txt
//       --batch-size=512 --epochs=2
//
// RUN: ps-opt %s --verify-roundtrip --ps-transpile="pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2" -o %t.dist.mlir
// RUN: FileCheck %s < %t.dist.mlir
//
// A job of two trainers ends where one process does.
// RUN: ps-run %s --data="synthetic:ctr?n=2560&ids=1000" --batch-size=128 --epochs=3 --metrics=%t.jsonl --save=%t.local
// RUN: %loss-falls %t.jsonl 0.95
// RUN: ps-run %t.dist.mlir --role=all --data="synthetic:ctr?n=2560&ids=1000" --batch-size=64 --epochs=3 --save=%t.cluster
// RUN: ps-run compare %t.local %t.cluster --tolerance=1e-5

module @deepfm {
  ps.table @weights : tensor<100000000x1xf32> init(#ps.constant<0.0>)
  ps.table @factors : tensor<100000000x16xf32> init(#ps.normal<mean = 0.0, stddev = 0.01>)
  ps.variable @fc1_w : tensor<429x128xf32> init(#ps.he_uniform)
  ps.variable @fc1_b : tensor<128xf32> init(#ps.constant<0.0>)
  ps.variable @fc2_w : tensor<128x64xf32> init(#ps.he_uniform)
  ps.variable @fc2_b : tensor<64xf32> init(#ps.constant<0.0>)
  ps.variable @fc3_w : tensor<64x1xf32> init(#ps.xavier_uniform)
  ps.variable @fc3_b : tensor<1xf32> init(#ps.constant<0.0>)

  func.func @train(%dense: tensor<?x13xf32> {ps.feed = "dense"},
                   %sparse: tensor<?x26xi64> {ps.feed = "sparse"},
                   %label: tensor<?x1xf32> {ps.feed = "label"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>

    // first = the sum of the ids' weights
    %weight_rows = ps.lookup @weights[%sparse]
        : (tensor<?x26xi64>) -> tensor<?x26x1xf32>
    %first = stablehlo.reduce(%weight_rows init: %zero)
        applies stablehlo.add across dimensions = [1]
        : (tensor<?x26x1xf32>, tensor<f32>) -> tensor<?x1xf32>

    // second = half of (the square of the sum - the sum of squares), which is
    // the sum over all pairs
    %factor_rows = ps.lookup @factors[%sparse]
        : (tensor<?x26xi64>) -> tensor<?x26x16xf32>
    %sum = stablehlo.reduce(%factor_rows init: %zero)
        applies stablehlo.add across dimensions = [1]
        : (tensor<?x26x16xf32>, tensor<f32>) -> tensor<?x16xf32>
    %square_of_sum = stablehlo.multiply %sum, %sum : tensor<?x16xf32>
    %squares = stablehlo.multiply %factor_rows, %factor_rows
        : tensor<?x26x16xf32>
    %sum_of_squares = stablehlo.reduce(%squares init: %zero)
        applies stablehlo.add across dimensions = [1]
        : (tensor<?x26x16xf32>, tensor<f32>) -> tensor<?x16xf32>
    %pairs = stablehlo.subtract %square_of_sum, %sum_of_squares
        : tensor<?x16xf32>
    %pair_sum = stablehlo.reduce(%pairs init: %zero)
        applies stablehlo.add across dimensions = [1]
        : (tensor<?x16xf32>, tensor<f32>) -> tensor<?xf32>
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %halves = stablehlo.broadcast_in_dim %half, dims = []
        : (tensor<f32>) -> tensor<?xf32>
    %second_flat = stablehlo.multiply %pair_sum, %halves : tensor<?xf32>
    %second = stablehlo.reshape %second_flat : (tensor<?xf32>) -> tensor<?x1xf32>

    // features = all factors and the 13 numbers
    %flat = stablehlo.reshape %factor_rows
        : (tensor<?x26x16xf32>) -> tensor<?x416xf32>
    %features = stablehlo.concatenate %flat, %dense, dim = 1
        : (tensor<?x416xf32>, tensor<?x13xf32>) -> tensor<?x429xf32>

    // hidden1 = relu(features fc1_w + fc1_b)
    %fc1_w = ps.read @fc1_w : tensor<429x128xf32>
    %fc1_b = ps.read @fc1_b : tensor<128xf32>
    %hidden1_product = stablehlo.dot_general %features, %fc1_w, contracting_dims = [1] x [0]
        : (tensor<?x429xf32>, tensor<429x128xf32>) -> tensor<?x128xf32>
    %hidden1_bias = stablehlo.broadcast_in_dim %fc1_b, dims = [1]
        : (tensor<128xf32>) -> tensor<?x128xf32>
    %hidden1_sum = stablehlo.add %hidden1_product, %hidden1_bias : tensor<?x128xf32>
    %hidden1_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x128xf32>
    %hidden1 = stablehlo.maximum %hidden1_sum, %hidden1_zero : tensor<?x128xf32>

    // hidden2 = relu(hidden1 fc2_w + fc2_b)
    %fc2_w = ps.read @fc2_w : tensor<128x64xf32>
    %fc2_b = ps.read @fc2_b : tensor<64xf32>
    %hidden2_product = stablehlo.dot_general %hidden1, %fc2_w, contracting_dims = [1] x [0]
        : (tensor<?x128xf32>, tensor<128x64xf32>) -> tensor<?x64xf32>
    %hidden2_bias = stablehlo.broadcast_in_dim %fc2_b, dims = [1]
        : (tensor<64xf32>) -> tensor<?x64xf32>
    %hidden2_sum = stablehlo.add %hidden2_product, %hidden2_bias : tensor<?x64xf32>
    %hidden2_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x64xf32>
    %hidden2 = stablehlo.maximum %hidden2_sum, %hidden2_zero : tensor<?x64xf32>

    // deep = hidden2 fc3_w + fc3_b
    %fc3_w = ps.read @fc3_w : tensor<64x1xf32>
    %fc3_b = ps.read @fc3_b : tensor<1xf32>
    %deep_product = stablehlo.dot_general %hidden2, %fc3_w, contracting_dims = [1] x [0]
        : (tensor<?x64xf32>, tensor<64x1xf32>) -> tensor<?x1xf32>
    %deep_bias = stablehlo.broadcast_in_dim %fc3_b, dims = [1]
        : (tensor<1xf32>) -> tensor<?x1xf32>
    %deep = stablehlo.add %deep_product, %deep_bias : tensor<?x1xf32>

    %orders = stablehlo.add %first, %second : tensor<?x1xf32>
    %logit = stablehlo.add %orders, %deep : tensor<?x1xf32>

    // loss = the mean sigmoid cross entropy of logit and label:
    // max(logit, 0) - logit label + log(1 + exp(-|logit|))
    %logit_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x1xf32>
    %positive = stablehlo.maximum %logit, %logit_zero : tensor<?x1xf32>
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

    %probability = stablehlo.logistic %logit : tensor<?x1xf32>
    ps.metric auc("auc", %probability, %label)
        : tensor<?x1xf32>, tensor<?x1xf32>

    ps.minimize %loss using(#ps.adagrad<learning_rate = 0.05, initial_accumulator_value = 0.1>) : tensor<f32>
    return %loss : tensor<f32>
  }
}

// CHECK: ps.program @trainer role(trainer)
// CHECK-DAG: ps.prefetch @weights[%{{.*}}] from(
// CHECK-DAG: ps.prefetch @factors[%{{.*}}] from(
// CHECK-DAG: ps.push_rows @weights
// CHECK-DAG: ps.push_rows @factors
// CHECK: ps.program @pserver_0 role(pserver)
// CHECK-DAG: ps.optimize_block @weights
// CHECK-DAG: ps.optimize_block @factors
