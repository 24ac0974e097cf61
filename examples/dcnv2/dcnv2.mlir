// DCN-V2 on clicks (Wang et al., 2021): rows of 16 of 26 ids and 13 numbers make
// 429 features x0; three cross layers of rank 64, x(l+1) = x0 * (x(l) u v + b) +
// x(l), multiply them up to degree four, and three dense layers follow. Sigmoid
// cross entropy, Adagrad.
//
//   ps-run dcnv2.mlir --data=criteo:train.txt --eval-data=criteo:test.txt
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
//
// So does one whose kernels and products are those of a GPU.
// RUN: ps-run %s --data="synthetic:ctr?n=640&ids=1000" --batch-size=64 --save=%t.host
// RUN: ps-run %s --data="synthetic:ctr?n=640&ids=1000" --batch-size=64 --save=%t.device --device=emulated
// RUN: ps-run compare %t.host %t.device --tolerance=1e-5

module @dcnv2 {
  ps.table @emb : tensor<100000000x16xf32> init(#ps.uniform<min = -0.05, max = 0.05>)
  ps.variable @cross0_u : tensor<429x64xf32> init(#ps.xavier_uniform)
  ps.variable @cross0_v : tensor<64x429xf32> init(#ps.xavier_uniform)
  ps.variable @cross0_b : tensor<429xf32> init(#ps.constant<0.0>)
  ps.variable @cross1_u : tensor<429x64xf32> init(#ps.xavier_uniform)
  ps.variable @cross1_v : tensor<64x429xf32> init(#ps.xavier_uniform)
  ps.variable @cross1_b : tensor<429xf32> init(#ps.constant<0.0>)
  ps.variable @cross2_u : tensor<429x64xf32> init(#ps.xavier_uniform)
  ps.variable @cross2_v : tensor<64x429xf32> init(#ps.xavier_uniform)
  ps.variable @cross2_b : tensor<429xf32> init(#ps.constant<0.0>)
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

    // x0 = the ids' rows and the 13 numbers
    %rows = ps.lookup @emb[%sparse]
        : (tensor<?x26xi64>) -> tensor<?x26x16xf32>
    %flat = stablehlo.reshape %rows
        : (tensor<?x26x16xf32>) -> tensor<?x416xf32>
    %x0 = stablehlo.concatenate %flat, %dense, dim = 1
        : (tensor<?x416xf32>, tensor<?x13xf32>) -> tensor<?x429xf32>

    // x1 = x0 * (x0 cross0_u cross0_v + cross0_b) + x0
    %cross0_u = ps.read @cross0_u : tensor<429x64xf32>
    %cross0_v = ps.read @cross0_v : tensor<64x429xf32>
    %cross0_b = ps.read @cross0_b : tensor<429xf32>
    %low0 = stablehlo.dot_general %x0, %cross0_u, contracting_dims = [1] x [0]
        : (tensor<?x429xf32>, tensor<429x64xf32>) -> tensor<?x64xf32>
    %high0 = stablehlo.dot_general %low0, %cross0_v, contracting_dims = [1] x [0]
        : (tensor<?x64xf32>, tensor<64x429xf32>) -> tensor<?x429xf32>
    %bias0 = stablehlo.broadcast_in_dim %cross0_b, dims = [1]
        : (tensor<429xf32>) -> tensor<?x429xf32>
    %affine0 = stablehlo.add %high0, %bias0 : tensor<?x429xf32>
    %crossed0 = stablehlo.multiply %x0, %affine0 : tensor<?x429xf32>
    %x1 = stablehlo.add %crossed0, %x0 : tensor<?x429xf32>

    // x2 = x0 * (x1 cross1_u cross1_v + cross1_b) + x1
    %cross1_u = ps.read @cross1_u : tensor<429x64xf32>
    %cross1_v = ps.read @cross1_v : tensor<64x429xf32>
    %cross1_b = ps.read @cross1_b : tensor<429xf32>
    %low1 = stablehlo.dot_general %x1, %cross1_u, contracting_dims = [1] x [0]
        : (tensor<?x429xf32>, tensor<429x64xf32>) -> tensor<?x64xf32>
    %high1 = stablehlo.dot_general %low1, %cross1_v, contracting_dims = [1] x [0]
        : (tensor<?x64xf32>, tensor<64x429xf32>) -> tensor<?x429xf32>
    %bias1 = stablehlo.broadcast_in_dim %cross1_b, dims = [1]
        : (tensor<429xf32>) -> tensor<?x429xf32>
    %affine1 = stablehlo.add %high1, %bias1 : tensor<?x429xf32>
    %crossed1 = stablehlo.multiply %x0, %affine1 : tensor<?x429xf32>
    %x2 = stablehlo.add %crossed1, %x1 : tensor<?x429xf32>

    // x3 = x0 * (x2 cross2_u cross2_v + cross2_b) + x2
    %cross2_u = ps.read @cross2_u : tensor<429x64xf32>
    %cross2_v = ps.read @cross2_v : tensor<64x429xf32>
    %cross2_b = ps.read @cross2_b : tensor<429xf32>
    %low2 = stablehlo.dot_general %x2, %cross2_u, contracting_dims = [1] x [0]
        : (tensor<?x429xf32>, tensor<429x64xf32>) -> tensor<?x64xf32>
    %high2 = stablehlo.dot_general %low2, %cross2_v, contracting_dims = [1] x [0]
        : (tensor<?x64xf32>, tensor<64x429xf32>) -> tensor<?x429xf32>
    %bias2 = stablehlo.broadcast_in_dim %cross2_b, dims = [1]
        : (tensor<429xf32>) -> tensor<?x429xf32>
    %affine2 = stablehlo.add %high2, %bias2 : tensor<?x429xf32>
    %crossed2 = stablehlo.multiply %x0, %affine2 : tensor<?x429xf32>
    %x3 = stablehlo.add %crossed2, %x2 : tensor<?x429xf32>

    // hidden1 = relu(x3 fc1_w + fc1_b)
    %fc1_w = ps.read @fc1_w : tensor<429x128xf32>
    %fc1_b = ps.read @fc1_b : tensor<128xf32>
    %hidden1_product = stablehlo.dot_general %x3, %fc1_w, contracting_dims = [1] x [0]
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

    // logit = hidden2 fc3_w + fc3_b
    %fc3_w = ps.read @fc3_w : tensor<64x1xf32>
    %fc3_b = ps.read @fc3_b : tensor<1xf32>
    %logit_product = stablehlo.dot_general %hidden2, %fc3_w, contracting_dims = [1] x [0]
        : (tensor<?x64xf32>, tensor<64x1xf32>) -> tensor<?x1xf32>
    %logit_bias = stablehlo.broadcast_in_dim %fc3_b, dims = [1]
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

    ps.minimize %loss using(#ps.adagrad<learning_rate = 0.05, initial_accumulator_value = 0.1>) : tensor<f32>
    return %loss : tensor<f32>
  }
}

// CHECK: ps.program @trainer role(trainer)
// CHECK-DAG: ps.prefetch @emb[%{{.*}}] from(
// CHECK-DAG: ps.push_rows @emb
// CHECK: ps.program @pserver_0 role(pserver)
// CHECK: ps.optimize_block @emb
