// RUN: ps-opt %s --split-input-file --allow-unregistered-dialect --ps-partition --verify-roundtrip | FileCheck %s

// One send per block right after its gradient exists, one recv per block after
// the barrier; pservers hold blocks, each with its update.

// CHECK-LABEL: module @sliced
// CHECK-NOT: ps.cluster
module @sliced attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = ["a:1", "b:2"], hash = "0123456789abcdef">} {
  // CHECK: ps.program @trainer role(trainer) cluster(#cluster) {
  // CHECK-NEXT: ps.variable @w : tensor<8x3xf32> init(#ps.xavier_uniform){{$}}
  ps.variable @w : tensor<8x3xf32> init(#ps.xavier_uniform) placed [
    #ps.placement<block = "w.block0", row_offset = 0, rows = 3, server = 1>,
    #ps.placement<block = "w.block1", row_offset = 3, rows = 3, server = 0>,
    #ps.placement<block = "w.block2", row_offset = 6, rows = 2, server = 1>]

  // CHECK: func.func @startup() {
  // CHECK-NEXT: %[[R0:.*]] = ps.recv @b rows(0, 3) from("a:1") block("b"){{$}}
  // CHECK-NEXT: %[[R1:.*]] = ps.recv @w rows(0, 3) from("b:2") block("w.block0"){{$}}
  // CHECK-NEXT: %[[R2:.*]] = ps.recv @w rows(3, 3) from("a:1") block("w.block1"){{$}}
  // CHECK-NEXT: %[[R3:.*]] = ps.recv @w rows(6, 2) from("b:2") block("w.block2"){{$}}
  // CHECK-NEXT: ps.fetch_barrier(%[[R0]], %[[R1]], %[[R2]], %[[R3]]) to(["a:1", "b:2"])
  // CHECK-NEXT: return

  // CHECK-LABEL: func.func @train
  func.func @train(%x: tensor<?x8xf32> {ps.feed = "x"}) -> (tensor<f32> {ps.fetch = "loss"}) {
    %w = ps.read @w : tensor<8x3xf32>
    // CHECK: %[[BACKWARD:.*]]:2 = "test.backward_of_w"
    // CHECK-NEXT: %[[S1:.*]] = ps.send @w rows(0, 3), %[[BACKWARD]]#1 to("b:2") block("w.block0") : tensor<8x3xf32>
    // CHECK-NEXT: %[[S2:.*]] = ps.send @w rows(3, 3), %[[BACKWARD]]#1 to("a:1") block("w.block1") : tensor<8x3xf32>
    // CHECK-NEXT: %[[S3:.*]] = ps.send @w rows(6, 2), %[[BACKWARD]]#1 to("b:2") block("w.block2") : tensor<8x3xf32>
    %loss, %gw = "test.backward_of_w"(%x, %w) : (tensor<?x8xf32>, tensor<8x3xf32>) -> (tensor<f32>, tensor<8x3xf32>)
    // CHECK-NEXT: %[[GB:.*]] = "test.backward_of_b"
    // CHECK-NEXT: %[[S0:.*]] = ps.send @b rows(0, 3), %[[GB]] to("a:1") block("b") : tensor<3xf32>
    %gb = "test.backward_of_b"(%x) : (tensor<?x8xf32>) -> tensor<3xf32>
    // CHECK-NOT: ps.apply
    ps.apply @w, %gw using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<8x3xf32>
    ps.apply @b, %gb using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
    // CHECK: "test.accuracy"
    "test.accuracy"(%x) : (tensor<?x8xf32>) -> ()
    // CHECK-NEXT: %[[DONE:.*]] = ps.send_barrier(%[[S0]], %[[S1]], %[[S2]], %[[S3]]) to(["a:1", "b:2"])
    // CHECK-NEXT: %[[R0:.*]] = ps.recv @b rows(0, 3) from("a:1") block("b") after(%[[DONE]])
    // CHECK-NEXT: %[[R1:.*]] = ps.recv @w rows(0, 3) from("b:2") block("w.block0") after(%[[DONE]])
    // CHECK-NEXT: %[[R2:.*]] = ps.recv @w rows(3, 3) from("a:1") block("w.block1") after(%[[DONE]])
    // CHECK-NEXT: %[[R3:.*]] = ps.recv @w rows(6, 2) from("b:2") block("w.block2") after(%[[DONE]])
    // CHECK-NEXT: ps.fetch_barrier(%[[R0]], %[[R1]], %[[R2]], %[[R3]]) to(["a:1", "b:2"])
    // CHECK-NEXT: return %[[BACKWARD]]#0
    return %loss : tensor<f32>
  }

  // A function without updates goes to the trainer as it is.
  // CHECK: func.func @eval
  // CHECK-NEXT: ps.read @w
  // CHECK-NEXT: return
  func.func @eval() -> tensor<8x3xf32> {
    %w = ps.read @w : tensor<8x3xf32>
    return %w : tensor<8x3xf32>
  }

  ps.variable @b : tensor<3xf32> init(#ps.constant<0.5>) placed [
    #ps.placement<block = "b", row_offset = 0, rows = 3, server = 0>] {learning_rate_scale = 2.0 : f64}
}

// CHECK: ps.program @pserver_0 role(pserver) endpoint("a:1") cluster(#cluster) {
// CHECK-NEXT: ps.variable @b : tensor<3xf32> init(#ps.constant<0.5>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 3, origin_type = tensor<3xf32>>) {learning_rate_scale = 2.000000e+00 : f64}
// CHECK-NEXT: ps.variable @w.block1 : tensor<3x3xf32> init(#ps.xavier_uniform) slice(#ps.slice<origin = "w", row_offset = 3, rows = 3, origin_type = tensor<8x3xf32>>)
// CHECK-NEXT: func.func @main() {
// CHECK-NEXT: ps.listen_and_serv {
// CHECK-NEXT: ps.optimize_block @b (%[[G:.*]]: tensor<3xf32>) {
// CHECK-NEXT: ps.apply @b, %[[G]] using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
// CHECK: ps.optimize_block @w.block1 (%[[G:.*]]: tensor<3x3xf32>) {
// CHECK-NEXT: ps.apply @w.block1, %[[G]] using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<3x3xf32>
// CHECK-NOT: optimize_block
// CHECK: ps.program @pserver_1 role(pserver) endpoint("b:2") cluster(#cluster) {
// CHECK-NEXT: ps.variable @w.block0
// CHECK-SAME: row_offset = 0, rows = 3
// CHECK-NEXT: ps.variable @w.block2 : tensor<2x3xf32>
// CHECK-SAME: row_offset = 6, rows = 2
// CHECK: ps.optimize_block @w.block0
// CHECK: ps.optimize_block @w.block2

// -----

// Fewer variables than pservers: the rest serve nothing but their barriers.
// Gradients that are fed leave at once, in name order.

// CHECK-LABEL: module @few_variables
module @few_variables attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 3, pservers = ["a:1", "b:2", "c:3"], hash = "0123456789abcdef">} {
  ps.variable @z : tensor<f64> init(#ps.constant<0.0>) placed [#ps.placement<block = "z", row_offset = 0, rows = 1, server = 1>]
  ps.variable @y : tensor<f64> init(#ps.constant<0.0>) placed [#ps.placement<block = "y", row_offset = 0, rows = 1, server = 0>]
  // What nobody updates stays with the trainers.
  // CHECK: ps.variable @frozen : tensor<f64> init(#ps.constant<1.0>) {trainable = false}
  ps.variable @frozen : tensor<f64> init(#ps.constant<1.0>) {trainable = false}
  // CHECK-LABEL: func.func @train
  // CHECK-NEXT: ps.send @y rows(0, 1), %{{.*}} to("a:1") block("y") : tensor<f64>
  // CHECK-NEXT: ps.send @z rows(0, 1), %{{.*}} to("b:2") block("z") : tensor<f64>
  func.func @train(%g: tensor<f64> {ps.feed = "g"}) {
    ps.apply @z, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f64>
    ps.apply @y, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f64>
    // A trainer may write what it keeps for itself.
    // CHECK: ps.assign @frozen
    ps.assign @frozen, %g : tensor<f64>
    // CHECK: ps.send_barrier({{.*}}) to(["a:1", "b:2", "c:3"])
    // CHECK: ps.fetch_barrier({{.*}}) to(["a:1", "b:2", "c:3"])
    return
  }
}

// CHECK: ps.program @pserver_2 role(pserver) endpoint("c:3") cluster(#cluster) {
// CHECK-NEXT: func.func @main() {
// CHECK-NEXT: ps.listen_and_serv {
// CHECK-NEXT: }
// CHECK-NEXT: return

// -----

// A read after the update sees the new value: the step waits before it. The
// single-machine names @main and @trainer are in nobody's way.

// CHECK-LABEL: module @read_of_the_new_value
module @read_of_the_new_value attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = ["a:1"], hash = "0123456789abcdef">} {
  ps.variable @trainer : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "trainer", row_offset = 0, rows = 1, server = 0>]
  // CHECK-LABEL: func.func @main
  func.func @main(%g: tensor<f32> {ps.feed = "g"}) -> tensor<f32> {
    // CHECK: ps.send @trainer
    // CHECK: ps.read @trainer
    %old = ps.read @trainer : tensor<f32>
    "test.use"(%old) : (tensor<f32>) -> ()
    ps.apply @trainer, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    // CHECK: "test.between"
    "test.between"() : () -> ()
    // CHECK-NEXT: ps.send_barrier
    // CHECK-NEXT: ps.recv
    // CHECK-NEXT: ps.fetch_barrier
    // CHECK-NEXT: ps.read
    %new = ps.read @trainer : tensor<f32>
    return %new : tensor<f32>
  }
}
