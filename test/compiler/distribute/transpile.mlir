// RUN: ps-opt %s --ps-transpile="pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2" --verify-roundtrip | FileCheck %s
// RUN: ps-opt %s --ps-transpile="pservers=127.0.0.1:6174,127.0.0.1:6175 trainers=2" -o %t.dist.mlir
// RUN: ps-opt %t.dist.mlir --ps-verify-programs | diff - %t.dist.mlir
// RUN: not ps-opt %t.dist.mlir --ps-transpile="pservers=127.0.0.1:6174" 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not ps-opt %s --ps-transpile="pservers=127.0.0.1:6174 mode=async geo-steps=4" 2>&1 | FileCheck %s --check-prefix=MODE

// The same graph for many cluster shapes: each result passes
// ps-verify-programs, the last pass of the pipeline.

// RUN: ps-opt %s --ps-transpile="pservers=2 trainers=2" --verify-roundtrip | FileCheck %s --check-prefix=NAMED
// RUN: ps-opt %s --ps-transpile="pservers=a:1" -o %t.1
// RUN: ps-opt %s --ps-transpile="pservers=a:1,a:2,a:3 trainers=3 split-method=HashName" -o %t.2
// RUN: ps-opt %s --ps-transpile="pservers=a:1,a:2,a:3,a:4,a:5,a:6,a:7 trainers=2 split-method=SizeBalanced min-block-size=1" -o %t.3
// RUN: ps-opt %s --ps-transpile="pservers=a:1,a:2,a:3,a:4,a:5,a:6,a:7 slice-var-up=false" -o %t.4

// AGAIN: error: already holds programs: expected the graph of a single machine
// MODE: error: geo-steps=4 counts the steps between two exchanges of mode=geo, found mode=async

// Without addresses, the same programs.
// NAMED: #cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "{{[0-9a-f]+}}">
// NAMED: ps.send @fc_w rows(0, 500), %{{.*}} to(@pserver_1) block("fc_w.block0")
// NAMED: ps.send_barrier({{.*}}) to([@pserver_0, @pserver_1])
// NAMED: ps.program @pserver_0 role(pserver) cluster(#cluster)
// NAMED: ps.program @pserver_1 role(pserver) cluster(#cluster)

// What users write: private helpers, names in any order, a function that does
// not train.

// CHECK: #cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1]
// CHECK-LABEL: module @two_variables
module @two_variables {
  // CHECK: ps.program @trainer
  // CHECK: ps.variable @fc_w : tensor<1000x64xf32>
  ps.variable @fc_w : tensor<1000x64xf32> init(#ps.xavier_uniform)
  // CHECK: ps.variable @fc_b
  ps.variable @fc_b : tensor<64xf32> init(#ps.constant<0.0>)
  // CHECK: func.func @startup
  // CHECK-NOT: @read_w
  func.func private @read_w() -> tensor<1000x64xf32> {
    %w = ps.read @fc_w : tensor<1000x64xf32>
    return %w : tensor<1000x64xf32>
  }
  // CHECK: func.func @train
  func.func @train(%gb: tensor<64xf32> {ps.feed = "gb"}) {
    // CHECK: ps.send @fc_b
    // CHECK: %[[W:.*]] = ps.read @fc_w
    // CHECK-NEXT: ps.send @fc_w rows(0, 500), %[[W]] to(@pserver_1) block("fc_w.block0")
    // CHECK-NEXT: ps.send @fc_w rows(500, 500), %[[W]] to(@pserver_0) block("fc_w.block1")
    // CHECK-NEXT: ps.send_barrier
    %w = call @read_w() : () -> tensor<1000x64xf32>
    ps.apply @fc_w, %w using(#ps.sgd<learning_rate = 0.1>) : tensor<1000x64xf32>
    ps.apply @fc_b, %gb using(#ps.sgd<learning_rate = 0.1>) : tensor<64xf32>
    return
  }
  // CHECK: func.func @eval
  // CHECK-NEXT: %[[W:.*]] = ps.read @fc_w
  // CHECK-NEXT: return %[[W]]
  func.func @eval() -> (tensor<1000x64xf32> {ps.fetch = "w"}) {
    %w = call @read_w() : () -> tensor<1000x64xf32>
    return %w : tensor<1000x64xf32>
  }
}
// CHECK: ps.program @pserver_0 role(pserver) endpoint("127.0.0.1:6174")
// CHECK: ps.optimize_block @fc_b
// CHECK: ps.optimize_block @fc_w.block1
// CHECK: ps.program @pserver_1 role(pserver) endpoint("127.0.0.1:6175")
// CHECK: ps.optimize_block @fc_w.block0
