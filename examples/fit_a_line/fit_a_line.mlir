// Linear regression: 13 features to 1 value, mean squared error, plain SGD.
// `?` is the batch size.
//
//   ps-run fit_a_line.mlir --data=csv:samples.csv#label=y --batch-size=20 --epochs=20
//
// RUN: ps-opt %s --verify-roundtrip --ps-transpile="pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2" -o %t.dist.mlir
// RUN: FileCheck %s < %t.dist.mlir
//
// The loss falls, and a job of two trainers ends where one process does.
// RUN: ps-run %s --data=csv:%S/samples.csv#label=y --batch-size=20 --epochs=20 --metrics=%t.jsonl --save=%t.local
// RUN: %loss-falls %t.jsonl 0.1
// RUN: ps-run %t.dist.mlir --role=all --data=csv:%S/samples.csv#label=y --batch-size=10 --epochs=20 --save=%t.cluster
// RUN: ps-run compare %t.local %t.cluster --tolerance=1e-5

module @fit_a_line {
  ps.variable @fc_w : tensor<13x1xf32> init(#ps.xavier_uniform)
  ps.variable @fc_b : tensor<1xf32> init(#ps.constant<0.0>)

  func.func @train(%x: tensor<?x13xf32> {ps.feed = "x"},
                   %y: tensor<?x1xf32> {ps.feed = "y"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %w = ps.read @fc_w : tensor<13x1xf32>
    %b = ps.read @fc_b : tensor<1xf32>

    // prediction = x w + b
    %xw = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<?x13xf32>, tensor<13x1xf32>) -> tensor<?x1xf32>
    %b_rows = stablehlo.broadcast_in_dim %b, dims = [1]
        : (tensor<1xf32>) -> tensor<?x1xf32>
    %prediction = stablehlo.add %xw, %b_rows : tensor<?x1xf32>

    // loss = the mean of (prediction - y)^2
    %error = stablehlo.subtract %prediction, %y : tensor<?x1xf32>
    %square = stablehlo.multiply %error, %error : tensor<?x1xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%square init: %zero)
        applies stablehlo.add across dimensions = [0, 1]
        : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    %batch = stablehlo.get_dimension_size %x, dim = 0
        : (tensor<?x13xf32>) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> tensor<f32>
    %loss = stablehlo.divide %sum, %count : tensor<f32>

    ps.minimize %loss using(#ps.sgd<learning_rate = 0.01>) : tensor<f32>
    return %loss : tensor<f32>
  }
}

// Both variables are small and stay whole, one on each pserver.

// CHECK: ps.program @trainer role(trainer)
// CHECK: func.func @startup
// CHECK: ps.recv @fc_b rows(0, 1) from(@pserver_0)
// CHECK: ps.recv @fc_w rows(0, 13) from(@pserver_1)
// CHECK: func.func @train
// CHECK-DAG: %[[SB:.*]] = ps.send @fc_b rows(0, 1), {{.*}} to(@pserver_0) block("fc_b")
// CHECK-DAG: %[[SW:.*]] = ps.send @fc_w rows(0, 13), {{.*}} to(@pserver_1) block("fc_w")
// CHECK: %[[DONE:.*]] = ps.send_barrier(%[[SB]], %[[SW]])
// CHECK: ps.recv @fc_b {{.*}} after(%[[DONE]])
// CHECK: ps.recv @fc_w {{.*}} after(%[[DONE]])
// CHECK: ps.fetch_barrier
// CHECK: ps.program @pserver_0 role(pserver) endpoint("127.0.0.1:6174")
// CHECK: ps.optimize_block @fc_b (%[[G:.*]]: tensor<1xf32>)
// CHECK-NEXT: ps.apply @fc_b, %[[G]] using(#ps.sgd<learning_rate = 0.01>)
// CHECK: ps.program @pserver_1 role(pserver) endpoint("127.0.0.1:6175")
// CHECK: ps.optimize_block @fc_w
