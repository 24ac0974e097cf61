// A small DLRM on clicks (Naumov et al., 2019): a bottom network makes 16
// features of the 13 numbers, which join the 16 wide rows of the 26 ids; the
// products of all pairs of the 27 and the bottom's features go through a top
// network. Sigmoid cross entropy, Adagrad.
//
//   ps-run dlrm.mlir --data=criteo:train.txt --eval-data=criteo:test.txt
//       --batch-size=512 --epochs=2
//
// RUN: ps-opt %s --verify-roundtrip --ps-transpile="pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2" -o %t.dist.mlir
// RUN: FileCheck %s < %t.dist.mlir
//
// A job of two trainers ends where one process does.
// RUN: ps-run %s --data="synthetic:ctr?n=2560&ids=1000" --batch-size=128 --epochs=3 --metrics=%t.jsonl --save=%t.local
// RUN: %loss-falls %t.jsonl 0.98
// RUN: ps-run %t.dist.mlir --role=all --data="synthetic:ctr?n=2560&ids=1000" --batch-size=64 --epochs=3 --save=%t.cluster
// RUN: ps-run compare %t.local %t.cluster --tolerance=1e-5

module @dlrm {
  ps.table @emb : tensor<100000000x16xf32> init(#ps.uniform<min = -0.25, max = 0.25>)
  ps.variable @bottom1_w : tensor<13x64xf32> init(#ps.he_uniform)
  ps.variable @bottom1_b : tensor<64xf32> init(#ps.constant<0.0>)
  ps.variable @bottom2_w : tensor<64x16xf32> init(#ps.he_uniform)
  ps.variable @bottom2_b : tensor<16xf32> init(#ps.constant<0.0>)
  ps.variable @top1_w : tensor<745x128xf32> init(#ps.he_uniform)
  ps.variable @top1_b : tensor<128xf32> init(#ps.constant<0.0>)
  ps.variable @top2_w : tensor<128x64xf32> init(#ps.he_uniform)
  ps.variable @top2_b : tensor<64xf32> init(#ps.constant<0.0>)
  ps.variable @top3_w : tensor<64x1xf32> init(#ps.xavier_uniform)
  ps.variable @top3_b : tensor<1xf32> init(#ps.constant<0.0>)

  func.func @train(%dense: tensor<?x13xf32> {ps.feed = "dense"},
                   %sparse: tensor<?x26xi64> {ps.feed = "sparse"},
                   %label: tensor<?x1xf32> {ps.feed = "label"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>

    // hidden = relu(dense bottom1_w + bottom1_b)
    %bottom1_w = ps.read @bottom1_w : tensor<13x64xf32>
    %bottom1_b = ps.read @bottom1_b : tensor<64xf32>
    %hidden_product = stablehlo.dot_general %dense, %bottom1_w, contracting_dims = [1] x [0]
        : (tensor<?x13xf32>, tensor<13x64xf32>) -> tensor<?x64xf32>
    %hidden_bias = stablehlo.broadcast_in_dim %bottom1_b, dims = [1]
        : (tensor<64xf32>) -> tensor<?x64xf32>
    %hidden_sum = stablehlo.add %hidden_product, %hidden_bias : tensor<?x64xf32>
    %hidden_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x64xf32>
    %hidden = stablehlo.maximum %hidden_sum, %hidden_zero : tensor<?x64xf32>

    // bottom = relu(hidden bottom2_w + bottom2_b)
    %bottom2_w = ps.read @bottom2_w : tensor<64x16xf32>
    %bottom2_b = ps.read @bottom2_b : tensor<16xf32>
    %bottom_product = stablehlo.dot_general %hidden, %bottom2_w, contracting_dims = [1] x [0]
        : (tensor<?x64xf32>, tensor<64x16xf32>) -> tensor<?x16xf32>
    %bottom_bias = stablehlo.broadcast_in_dim %bottom2_b, dims = [1]
        : (tensor<16xf32>) -> tensor<?x16xf32>
    %bottom_sum = stablehlo.add %bottom_product, %bottom_bias : tensor<?x16xf32>
    %bottom_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x16xf32>
    %bottom = stablehlo.maximum %bottom_sum, %bottom_zero : tensor<?x16xf32>

    // vectors = the bottom's features and the 26 rows
    %rows = ps.lookup @emb[%sparse] : (tensor<?x26xi64>) -> tensor<?x26x16xf32>
    %bottom_row = stablehlo.reshape %bottom
        : (tensor<?x16xf32>) -> tensor<?x1x16xf32>
    %vectors = stablehlo.concatenate %bottom_row, %rows, dim = 1
        : (tensor<?x1x16xf32>, tensor<?x26x16xf32>) -> tensor<?x27x16xf32>

    // products = of all pairs of vectors. Each stands there twice, on either
    // side of the diagonal, which costs less than taking one side out: the next
    // layer adds the weights of both
    %all = stablehlo.dot_general %vectors, %vectors, batching_dims = [0] x [0],
        contracting_dims = [2] x [2]
        : (tensor<?x27x16xf32>, tensor<?x27x16xf32>) -> tensor<?x27x27xf32>
    %products = stablehlo.reshape %all
        : (tensor<?x27x27xf32>) -> tensor<?x729xf32>
    %features = stablehlo.concatenate %bottom, %products, dim = 1
        : (tensor<?x16xf32>, tensor<?x729xf32>) -> tensor<?x745xf32>

    // hidden1 = relu(features top1_w + top1_b)
    %top1_w = ps.read @top1_w : tensor<745x128xf32>
    %top1_b = ps.read @top1_b : tensor<128xf32>
    %hidden1_product = stablehlo.dot_general %features, %top1_w, contracting_dims = [1] x [0]
        : (tensor<?x745xf32>, tensor<745x128xf32>) -> tensor<?x128xf32>
    %hidden1_bias = stablehlo.broadcast_in_dim %top1_b, dims = [1]
        : (tensor<128xf32>) -> tensor<?x128xf32>
    %hidden1_sum = stablehlo.add %hidden1_product, %hidden1_bias : tensor<?x128xf32>
    %hidden1_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x128xf32>
    %hidden1 = stablehlo.maximum %hidden1_sum, %hidden1_zero : tensor<?x128xf32>

    // hidden2 = relu(hidden1 top2_w + top2_b)
    %top2_w = ps.read @top2_w : tensor<128x64xf32>
    %top2_b = ps.read @top2_b : tensor<64xf32>
    %hidden2_product = stablehlo.dot_general %hidden1, %top2_w, contracting_dims = [1] x [0]
        : (tensor<?x128xf32>, tensor<128x64xf32>) -> tensor<?x64xf32>
    %hidden2_bias = stablehlo.broadcast_in_dim %top2_b, dims = [1]
        : (tensor<64xf32>) -> tensor<?x64xf32>
    %hidden2_sum = stablehlo.add %hidden2_product, %hidden2_bias : tensor<?x64xf32>
    %hidden2_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x64xf32>
    %hidden2 = stablehlo.maximum %hidden2_sum, %hidden2_zero : tensor<?x64xf32>

    // logit = hidden2 top3_w + top3_b
    %top3_w = ps.read @top3_w : tensor<64x1xf32>
    %top3_b = ps.read @top3_b : tensor<1xf32>
    %logit_product = stablehlo.dot_general %hidden2, %top3_w, contracting_dims = [1] x [0]
        : (tensor<?x64xf32>, tensor<64x1xf32>) -> tensor<?x1xf32>
    %logit_bias = stablehlo.broadcast_in_dim %top3_b, dims = [1]
        : (tensor<1xf32>) -> tensor<?x1xf32>
    %logit = stablehlo.add %logit_product, %logit_bias : tensor<?x1xf32>

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

    ps.minimize %loss using(#ps.adagrad<learning_rate = 0.1, initial_accumulator_value = 0.1>) : tensor<f32>
    return %loss : tensor<f32>
  }
}

// CHECK: ps.program @trainer role(trainer)
// CHECK: ps.prefetch @emb[%{{.*}}] from(
// CHECK: ps.push_rows @emb
// CHECK: ps.program @pserver_0 role(pserver)
// CHECK: ps.optimize_block @emb
