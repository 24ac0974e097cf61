// Rows that are multiplied and updated where they are (ps-fuse-rows) give what
// rows that are copied, and gradients that are kept, give: to the last bit.
// Two graphs keep to the slow way: one whose rows have another use (the lines
// with +), so that products read copies, and a job of one trainer, whose
// gradients are pushed. Rows of 21 floats end in the middle of a vector.
//
// RUN: sed 's/^ *[/][/] [+]//; s/{ps.fetch = "loss"})/{ps.fetch = "loss"}, tensor<f32> {ps.fetch = "kept"})/; s/return %loss : tensor<f32>/return %loss, %kept : tensor<f32>, tensor<f32>/' %s > %t.keep.mlir
// RUN: ps-opt %t.keep.mlir --ps-transpile="pservers=127.0.0.1:6174 trainers=1" -o %t.dist.mlir
// RUN: ps-opt %s --ps-compile="batch-size=32" | FileCheck %s --check-prefix=FAST
// RUN: ps-opt %t.keep.mlir --ps-compile="batch-size=32" | FileCheck %s --check-prefix=KEEP
//
// RUN: ps-run %s --data="text:%s?window=3&negatives=4" --batch-size=32 --steps=40 --threads=2 --save=%t.fast
// RUN: ps-run %t.keep.mlir --data="text:%s?window=3&negatives=4" --batch-size=32 --steps=40 --save=%t.keep
// RUN: ps-run %t.dist.mlir --role=all --data="text:%s?window=3&negatives=4" --batch-size=32 --steps=40 --save=%t.slow
// RUN: ps-run compare %t.fast %t.keep --tolerance=0
// RUN: ps-run compare %t.fast %t.slow --tolerance=0
//
// In mode geo the trainer holds the tables, and exchanges what it has changed.
// RUN: sed 's/#ps.ada[a-z]*<[^>]*>/#ps.sgd<learning_rate = 0.05>/' %s > %t.sgd.mlir
// RUN: ps-opt %t.sgd.mlir --ps-transpile="pservers=2 trainers=1 mode=geo geo-steps=7" -o %t.geo.mlir
// RUN: ps-run %t.sgd.mlir --data="text:%s?window=3&negatives=4" --batch-size=32 --steps=40 --save=%t.alone
// RUN: ps-run %t.geo.mlir --role=all --data="text:%s?window=3&negatives=4" --batch-size=32 --steps=40 --trace=%t.trace --save=%t.exchanged
// RUN: ps-run compare %t.alone %t.exchanged --tolerance=1e-4
// RUN: grep -q "lookup update @" %t.trace
//
// FAST-NOT: exec.gemm
// FAST-NOT: exec.lookup_gradient
// FAST: exec.lookup_dot
// FAST: exec.lookup_update
// FAST: exec.lookup_update
// KEEP: exec.gemm

module @pairs {
  ps.table @centers : tensor<1000x21xf32> init(#ps.uniform<min = -0.1, max = 0.1>)
  ps.table @contexts : tensor<1000x21xf32> init(#ps.uniform<min = -0.1, max = 0.1>)

  func.func @train(%center: tensor<?xi64> {ps.feed = "center"},
                   %context: tensor<?x5xi64> {ps.feed = "context"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    // Word 3 is padding.
    %center_row = ps.lookup @centers[%center] {padding_idx = 3 : i64}
        : (tensor<?xi64>) -> tensor<?x21xf32>
    %context_rows = ps.lookup @contexts[%context] {padding_idx = 3 : i64}
        : (tensor<?x5xi64>) -> tensor<?x5x21xf32>
    // +    %all = stablehlo.add %context_rows, %context_rows : tensor<?x5x21xf32>
    // +    %kept = stablehlo.reduce(%all init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x5x21xf32>, tensor<f32>) -> tensor<f32>
    %logit = stablehlo.dot_general %context_rows, %center_row,
        batching_dims = [0] x [0], contracting_dims = [2] x [1]
        : (tensor<?x5x21xf32>, tensor<?x21xf32>) -> tensor<?x5xf32>
    %labels = stablehlo.constant dense<[1.0, -1.0, -1.0, -1.0, -1.0]>
        : tensor<5xf32>
    %label = stablehlo.broadcast_in_dim %labels, dims = [1]
        : (tensor<5xf32>) -> tensor<?x5xf32>
    %error = stablehlo.subtract %logit, %label : tensor<?x5xf32>
    %square = stablehlo.multiply %error, %error : tensor<?x5xf32>
    %loss = stablehlo.reduce(%square init: %zero)
        applies stablehlo.add across dimensions = [0, 1]
        : (tensor<?x5xf32>, tensor<f32>) -> tensor<f32>
    ps.minimize %loss using(#ps.adagrad<learning_rate = 0.1>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
