// word2vec, skip-gram with negative sampling (Mikolov et al., 2013): a word
// must tell the word near it (context 0) from 5 that are drawn at random. Two
// tables, one of words as centers and one as contexts; the logit of a pair is
// the product of its rows. Sigmoid cross entropy, Adagrad.
//
//   ps-run word2vec.mlir --data="text:book.txt?window=5&negatives=5"
//       --batch-size=1024 --save=model
//
// RUN: ps-opt %s --verify-roundtrip --ps-transpile="pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2" -o %t.dist.mlir
// RUN: FileCheck %s < %t.dist.mlir
//
// A job of two trainers ends where one process does: in f64 to 12 digits, and in
// f32 up to the rounding of sums in another order, which Adagrad's first steps,
// g / |g|, enlarge.
// RUN: sed 's/f32/f64/g' %s > %t.f64.mlir
// RUN: ps-opt %t.f64.mlir --ps-transpile="pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2" -o %t.f64.dist.mlir
// RUN: ps-run %t.f64.mlir --data="text:%s?window=3&negatives=5" --batch-size=64 --epochs=3 --save=%t.f64.local
// RUN: ps-run %t.f64.dist.mlir --role=all --data="text:%s?window=3&negatives=5" --batch-size=32 --epochs=3 --save=%t.f64.cluster
// RUN: ps-run compare %t.f64.local %t.f64.cluster --tolerance=1e-12
// RUN: ps-run %s --data="text:%s?window=3&negatives=5" --batch-size=64 --epochs=3 --metrics=%t.jsonl --save=%t.local
// RUN: %loss-falls %t.jsonl 0.95
// RUN: ps-run %t.dist.mlir --role=all --data="text:%s?window=3&negatives=5" --batch-size=32 --epochs=3 --save=%t.cluster
// RUN: ps-run compare %t.local %t.cluster --tolerance=3e-5
//
// In mode geo each trainer holds both tables and updates them by SGD.
// RUN: sed 's/adagrad<learning_rate = 0.1>/sgd<learning_rate = 2.0>/' %s > %t.sgd.mlir
// RUN: ps-opt %t.sgd.mlir --ps-transpile="pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2 mode=geo geo-steps=10" -o %t.geo.dist.mlir
// RUN: ps-run %t.geo.dist.mlir --role=all --data="text:%s?window=3&negatives=5" --batch-size=32 --epochs=20 --metrics=%t.geo.jsonl
// RUN: %loss-falls %t.geo.jsonl 0.95

module @word2vec {
  ps.table @centers : tensor<10000000x64xf32> init(#ps.uniform<min = -0.01, max = 0.01>)
  ps.table @contexts : tensor<10000000x64xf32> init(#ps.uniform<min = -0.01, max = 0.01>)

  func.func @train(%center: tensor<?xi64> {ps.feed = "center"},
                   %context: tensor<?x6xi64> {ps.feed = "context"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>

    // logit = the products of the center's row with each of the contexts'
    %center_row = ps.lookup @centers[%center]
        : (tensor<?xi64>) -> tensor<?x64xf32>
    %context_rows = ps.lookup @contexts[%context]
        : (tensor<?x6xi64>) -> tensor<?x6x64xf32>
    %logit = stablehlo.dot_general %context_rows, %center_row,
        batching_dims = [0] x [0], contracting_dims = [2] x [1]
        : (tensor<?x6x64xf32>, tensor<?x64xf32>) -> tensor<?x6xf32>

    // loss = the sum over a center's pairs, the mean over centers, of
    // max(logit, 0) - logit label + log(1 + exp(-|logit|))
    %labels = stablehlo.constant dense<[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]>
        : tensor<6xf32>
    %label = stablehlo.broadcast_in_dim %labels, dims = [1]
        : (tensor<6xf32>) -> tensor<?x6xf32>
    %logit_zero = stablehlo.broadcast_in_dim %zero, dims = []
        : (tensor<f32>) -> tensor<?x6xf32>
    %positive = stablehlo.maximum %logit, %logit_zero : tensor<?x6xf32>
    %labeled = stablehlo.multiply %logit, %label : tensor<?x6xf32>
    %size = stablehlo.abs %logit : tensor<?x6xf32>
    %minus_size = stablehlo.negate %size : tensor<?x6xf32>
    %tail = stablehlo.exponential %minus_size : tensor<?x6xf32>
    %log_tail = stablehlo.log_plus_one %tail : tensor<?x6xf32>
    %linear_part = stablehlo.subtract %positive, %labeled : tensor<?x6xf32>
    %losses = stablehlo.add %linear_part, %log_tail : tensor<?x6xf32>
    %loss_sum = stablehlo.reduce(%losses init: %zero)
        applies stablehlo.add across dimensions = [0, 1]
        : (tensor<?x6xf32>, tensor<f32>) -> tensor<f32>
    %batch = stablehlo.get_dimension_size %center, dim = 0
        : (tensor<?xi64>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %loss_sum, %count : tensor<f32>

    ps.minimize %loss using(#ps.adagrad<learning_rate = 0.1>) : tensor<f32>
    return %loss : tensor<f32>
  }
}

// A job may consist of tables alone: the trainers hold nothing.

// CHECK: ps.program @trainer role(trainer)
// CHECK-DAG: ps.prefetch @centers[%{{.*}}] from(
// CHECK-DAG: ps.prefetch @contexts[%{{.*}}] from(
// CHECK: ps.program @pserver_0 role(pserver)
// CHECK-DAG: ps.optimize_block @centers
// CHECK-DAG: ps.optimize_block @contexts
