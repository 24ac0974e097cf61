// RUN: ps-opt %s --split-input-file --allow-unregistered-dialect --ps-partition --verify-roundtrip | FileCheck %s

// One send per block right after its gradient exists, one recv per block after
// the barrier; pservers hold blocks, each with its update.

// CHECK-LABEL: module @sliced
// CHECK-NOT: ps.cluster
module @sliced attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef", endpoints = ["a:1", "b:2"]>} {
  // CHECK: ps.program @trainer role(trainer) cluster(#cluster) {
  // CHECK-NEXT: ps.variable @w : tensor<8x3xf32> init(#ps.xavier_uniform){{$}}
  ps.variable @w : tensor<8x3xf32> init(#ps.xavier_uniform) placed [
    #ps.placement<block = "w.block0", row_offset = 0, rows = 3, server = 1>,
    #ps.placement<block = "w.block1", row_offset = 3, rows = 3, server = 0>,
    #ps.placement<block = "w.block2", row_offset = 6, rows = 2, server = 1>]

  // CHECK: func.func @startup() {
  // CHECK-NEXT: %[[R0:.*]] = ps.recv @b rows(0, 3) from(@pserver_0) block("b"){{$}}
  // CHECK-NEXT: %[[R1:.*]] = ps.recv @w rows(0, 3) from(@pserver_1) block("w.block0"){{$}}
  // CHECK-NEXT: %[[R2:.*]] = ps.recv @w rows(3, 3) from(@pserver_0) block("w.block1"){{$}}
  // CHECK-NEXT: %[[R3:.*]] = ps.recv @w rows(6, 2) from(@pserver_1) block("w.block2"){{$}}
  // CHECK-NEXT: ps.fetch_barrier(%[[R0]], %[[R1]], %[[R2]], %[[R3]]) to([@pserver_0, @pserver_1])
  // CHECK-NEXT: return

  // CHECK-LABEL: func.func @train
  func.func @train(%x: tensor<?x8xf32> {ps.feed = "x"}) -> (tensor<f32> {ps.fetch = "loss"}) {
    %w = ps.read @w : tensor<8x3xf32>
    // CHECK: %[[BACKWARD:.*]]:2 = "test.backward_of_w"
    // CHECK-NEXT: %[[S1:.*]] = ps.send @w rows(0, 3), %[[BACKWARD]]#1 to(@pserver_1) block("w.block0") : tensor<8x3xf32>
    // CHECK-NEXT: %[[S2:.*]] = ps.send @w rows(3, 3), %[[BACKWARD]]#1 to(@pserver_0) block("w.block1") : tensor<8x3xf32>
    // CHECK-NEXT: %[[S3:.*]] = ps.send @w rows(6, 2), %[[BACKWARD]]#1 to(@pserver_1) block("w.block2") : tensor<8x3xf32>
    %loss, %gw = "test.backward_of_w"(%x, %w) : (tensor<?x8xf32>, tensor<8x3xf32>) -> (tensor<f32>, tensor<8x3xf32>)
    // CHECK-NEXT: %[[GB:.*]] = "test.backward_of_b"
    // CHECK-NEXT: %[[S0:.*]] = ps.send @b rows(0, 3), %[[GB]] to(@pserver_0) block("b") : tensor<3xf32>
    %gb = "test.backward_of_b"(%x) : (tensor<?x8xf32>) -> tensor<3xf32>
    // CHECK-NOT: ps.apply
    ps.apply @w, %gw using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<8x3xf32>
    ps.apply @b, %gb using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
    // CHECK: "test.accuracy"
    "test.accuracy"(%x) : (tensor<?x8xf32>) -> ()
    // CHECK-NEXT: %[[DONE:.*]] = ps.send_barrier(%[[S0]], %[[S1]], %[[S2]], %[[S3]]) to([@pserver_0, @pserver_1])
    // CHECK-NEXT: %[[R0:.*]] = ps.recv @b rows(0, 3) from(@pserver_0) block("b") after(%[[DONE]])
    // CHECK-NEXT: %[[R1:.*]] = ps.recv @w rows(0, 3) from(@pserver_1) block("w.block0") after(%[[DONE]])
    // CHECK-NEXT: %[[R2:.*]] = ps.recv @w rows(3, 3) from(@pserver_0) block("w.block1") after(%[[DONE]])
    // CHECK-NEXT: %[[R3:.*]] = ps.recv @w rows(6, 2) from(@pserver_1) block("w.block2") after(%[[DONE]])
    // CHECK-NEXT: ps.fetch_barrier(%[[R0]], %[[R1]], %[[R2]], %[[R3]]) to([@pserver_0, @pserver_1])
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
module @few_variables attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 3, pservers = [@pserver_0, @pserver_1, @pserver_2], hash = "0123456789abcdef", endpoints = ["a:1", "b:2", "c:3"]>} {
  ps.variable @z : tensor<f64> init(#ps.constant<0.0>) placed [#ps.placement<block = "z", row_offset = 0, rows = 1, server = 1>]
  ps.variable @y : tensor<f64> init(#ps.constant<0.0>) placed [#ps.placement<block = "y", row_offset = 0, rows = 1, server = 0>]
  // What nobody updates stays with the trainers.
  // CHECK: ps.variable @frozen : tensor<f64> init(#ps.constant<1.0>) {trainable = false}
  ps.variable @frozen : tensor<f64> init(#ps.constant<1.0>) {trainable = false}
  // CHECK-LABEL: func.func @train
  // CHECK-NEXT: ps.send @y rows(0, 1), %{{.*}} to(@pserver_0) block("y") : tensor<f64>
  // CHECK-NEXT: ps.send @z rows(0, 1), %{{.*}} to(@pserver_1) block("z") : tensor<f64>
  func.func @train(%g: tensor<f64> {ps.feed = "g"}) {
    ps.apply @z, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f64>
    ps.apply @y, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f64>
    // A trainer may write what it keeps for itself.
    // CHECK: ps.assign @frozen
    ps.assign @frozen, %g : tensor<f64>
    // CHECK: ps.send_barrier({{.*}}) to([@pserver_0, @pserver_1, @pserver_2])
    // CHECK: ps.fetch_barrier({{.*}}) to([@pserver_0, @pserver_1, @pserver_2])
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
module @read_of_the_new_value attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef", endpoints = ["a:1"]>} {
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

// -----

// A schedule is followed once per pserver that needs it; equal ones share a
// variable, f64 has its own, and constants need none.

// CHECK-LABEL: module @schedules
#rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>
module @schedules attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef", endpoints = ["a:1", "b:2"]>} {
  ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "a", row_offset = 0, rows = 4, server = 0>]
  ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "b", row_offset = 0, rows = 4, server = 0>]
  ps.variable @c : tensor<4xf64> init(#ps.constant<0.0>) placed [#ps.placement<block = "c", row_offset = 0, rows = 4, server = 0>]
  ps.variable @d : tensor<4xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "d", row_offset = 0, rows = 4, server = 1>]
  func.func @train(%g: tensor<4xf32> {ps.feed = "g"}, %h: tensor<4xf64> {ps.feed = "h"}) {
    ps.apply @a, %g using(#ps.sgd<learning_rate = #rate>) : tensor<4xf32>
    ps.apply @b, %g using(#ps.sgd<learning_rate = #rate>) : tensor<4xf32>
    ps.apply @c, %h using(#ps.sgd<learning_rate = #rate>) : tensor<4xf64>
    ps.apply @d, %g using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.1>) : tensor<4xf32>
    return
  }
}
// CHECK: ps.program @pserver_0
// CHECK: ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
// CHECK: ps.variable @learning_rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
// CHECK: ps.variable @learning_rate_1 : tensor<f64> init(#ps.constant<0.0>) slot_of(@c) {trainable = false}
// CHECK: ps.schedule_block {
// CHECK-NEXT: %[[STEP:.*]] = ps.read @global_step : tensor<i64>
// CHECK: stablehlo.power
// CHECK: ps.assign @learning_rate, %{{.*}} : tensor<f32>
// CHECK: stablehlo.power
// CHECK: ps.assign @learning_rate_1, %{{.*}} : tensor<f64>
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[NEXT:.*]] = stablehlo.add %[[STEP]], %[[ONE]]
// CHECK-NEXT: ps.assign @global_step, %[[NEXT]]
// CHECK-NEXT: }
// CHECK-NEXT: ps.optimize_block @a (%[[G:.*]]: tensor<4xf32>) {
// CHECK-NEXT: %[[R:.*]] = ps.read @learning_rate : tensor<f32>
// CHECK-NEXT: ps.apply @a, %[[G]] rate(%[[R]] : tensor<f32>)
// CHECK: ps.optimize_block @b
// CHECK-NEXT: %[[R:.*]] = ps.read @learning_rate : tensor<f32>
// CHECK: ps.optimize_block @c
// CHECK-NEXT: %[[R:.*]] = ps.read @learning_rate_1 : tensor<f64>
// CHECK: ps.program @pserver_1
// CHECK-NOT: schedule_block
// CHECK: ps.apply @d, %{{.*}} using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.1>) : tensor<4xf32>

// -----

// The global norm takes a round: the pservers keep the gradients and tell their
// squares, the trainers tell the norm. What is not clipped by it is updated at
// once; who updates nothing with it does not get it.

// CHECK: #cluster = #ps.cluster<{{.*}}, rounds = 2, endpoints = ["a:1", "b:2", "c:3"]>
// CHECK-LABEL: module @norm
module @norm attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1, @pserver_2], hash = "0123456789abcdef", endpoints = ["a:1", "b:2", "c:3"]>} {
  // CHECK: ps.program @trainer role(trainer) cluster(#cluster)
  // CHECK: ps.variable @a
  // CHECK-NEXT: ps.variable @global_norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false, transient}
  // CHECK-NEXT: ps.variable @global_norm.squares : tensor<3xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false, transient}
  ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "a.block0", row_offset = 0, rows = 3, server = 0>, #ps.placement<block = "a.block1", row_offset = 3, rows = 1, server = 1>]
  ps.variable @b : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "b", row_offset = 0, rows = 1, server = 0>]
  ps.variable @c : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "c", row_offset = 0, rows = 1, server = 2>]
  // CHECK-LABEL: func.func @train
  func.func @train(%g: tensor<4xf32> {ps.feed = "g"}, %h: tensor<f32> {ps.feed = "h"}) {
    ps.apply @a, %g using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<1.0>) : tensor<4xf32>
    ps.apply @b, %h using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<2.0>) : tensor<f32>
    ps.apply @c, %h using(#ps.sgd<learning_rate = 0.5>) : tensor<f32>
    // CHECK: %[[B:.*]] = ps.send_barrier({{.*}}) to([@pserver_0, @pserver_1, @pserver_2]){{$}}
    // CHECK-NEXT: %[[Q0:.*]] = ps.recv @global_norm.squares rows(0, 1) from(@pserver_0) block("a.block0.squares") bucket(0) after(%[[B]])
    // CHECK-NEXT: %[[Q1:.*]] = ps.recv @global_norm.squares rows(1, 1) from(@pserver_1) block("a.block1.squares") bucket(0) after(%[[B]])
    // CHECK-NEXT: %[[Q2:.*]] = ps.recv @global_norm.squares rows(2, 1) from(@pserver_0) block("b.squares") bucket(0) after(%[[B]])
    // CHECK-NEXT: ps.fetch_barrier(%[[Q0]], %[[Q1]], %[[Q2]]) to([@pserver_0, @pserver_1, @pserver_2]){{$}}
    // CHECK-NEXT: %[[Q:.*]] = ps.read @global_norm.squares : tensor<3xf64>
    // CHECK: %[[SUM:.*]] = stablehlo.reduce(%[[Q]]
    // CHECK: %[[NORM:.*]] = stablehlo.sqrt %[[SUM]] : tensor<f64>
    // CHECK-NEXT: %[[N0:.*]] = ps.send @global_norm rows(0, 1), %[[NORM]] to(@pserver_0) block("global_norm") round(1) : tensor<f64>
    // CHECK-NEXT: %[[N1:.*]] = ps.send @global_norm rows(0, 1), %[[NORM]] to(@pserver_1) block("global_norm") round(1) : tensor<f64>
    // CHECK-NEXT: %[[C:.*]] = ps.send_barrier(%[[N0]], %[[N1]]) to([@pserver_0, @pserver_1, @pserver_2]) round(1)
    // CHECK-NEXT: %[[R0:.*]] = ps.recv @a rows(0, 3) from(@pserver_0) block("a.block0") round(1) after(%[[C]])
    // CHECK: ps.fetch_barrier({{.*}}) to([@pserver_0, @pserver_1, @pserver_2]) round(1)
    return
  }
}
// CHECK: ps.program @pserver_0
// CHECK: ps.optimize_block @a.block0 (%[[G:.*]]: tensor<3xf32>) {
// CHECK-NEXT: ps.assign @a.block0.gradient, %[[G]]
// CHECK: stablehlo.reduce
// CHECK: %[[S:.*]] = stablehlo.reshape %{{.*}} : (tensor<f64>) -> tensor<1xf64>
// CHECK-NEXT: ps.assign @a.block0.squares, %[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: ps.optimize_block @global_norm (%[[N:.*]]: tensor<f64>) round(1) {
// CHECK-NEXT: %[[G:.*]] = ps.read @a.block0.gradient
// CHECK-NEXT: %[[N32:.*]] = stablehlo.convert %[[N]] : (tensor<f64>) -> tensor<f32>
// CHECK-NEXT: ps.apply @a.block0, %[[G]] norm(%[[N32]] : tensor<f32>)
// CHECK: ps.apply @b, %{{.*}} norm(%[[N32]] : tensor<f32>)
// CHECK-NEXT: }
// CHECK-NEXT: ps.optimize_block @b
// CHECK: ps.program @pserver_2
// CHECK-NOT: round
// CHECK: ps.optimize_block @c (%[[G:.*]]: tensor<f32>) {
// CHECK-NEXT: ps.apply @c, %[[G]] using

// -----

// A pserver's count has the name that it has in one process, where the user's
// variable is beside it.

// CHECK-LABEL: module @counted
module @counted attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "a", row_offset = 0, rows = 4, server = 0>]
  ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) {trainable = false}
  func.func @train(%g: tensor<4xf32> {ps.feed = "g"}) {
    ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) : tensor<4xf32>
    return
  }
}
// CHECK: ps.program @pserver_0
// CHECK: ps.variable @global_step_ : tensor<i64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
// CHECK: ps.assign @global_step_,

// -----

// What a pserver keeps for the norm leaves the names of slots to the optimizer.

// CHECK-LABEL: module @slots
module @slots attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "a.block0", row_offset = 0, rows = 3, server = 0>, #ps.placement<block = "a.block1", row_offset = 3, rows = 1, server = 0>]
  func.func @train(%g: tensor<4xf32> {ps.feed = "g"}) {
    // CHECK: ps.recv @global_norm.squares rows(0, 1) from(@pserver_0) block("a.block0.squares_")
    ps.apply @a, %g using(#ps.custom<@sum, learning_rate = 0.1, slots = ["gradient", "squares"]>) clip(#ps.clip_by_global_norm<1.0>) : tensor<4xf32>
    return
  }
  func.func private @sum(%p: tensor<f32>, %g: tensor<f32>, %s: tensor<f32>, %t: tensor<f32>, %rate: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
    return %p, %s, %t : tensor<f32>, tensor<f32>, tensor<f32>
  }
}
// CHECK: ps.program @pserver_0
// CHECK: ps.variable @a.block0.gradient_ : tensor<3xf32> {{.*}} {trainable = false, transient}
// CHECK: ps.variable @a.block1.squares_ : tensor<1xf64> {{.*}} {trainable = false, transient}
// CHECK: ps.optimize_block @a.block0
// CHECK-NEXT: ps.assign @a.block0.gradient_

// -----

// Blocks of up to 16 bytes travel together, up to so many bytes, in the order in
// which their gradients come to be; each pserver has its own buckets, and what
// would be alone in one has none.

// CHECK-LABEL: module @buckets
module @buckets attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef", bucket_bytes = 16, endpoints = ["a:1", "b:2"]>} {
  ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "a", row_offset = 0, rows = 2, server = 0>]
  ps.variable @b : tensor<3xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "b", row_offset = 0, rows = 3, server = 0>]
  ps.variable @c : tensor<2xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "c", row_offset = 0, rows = 2, server = 0>]
  ps.variable @d : tensor<5xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "d", row_offset = 0, rows = 5, server = 0>]
  ps.variable @e : tensor<2xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "e", row_offset = 0, rows = 2, server = 1>]
  // CHECK-LABEL: func.func @startup
  // CHECK-NEXT: ps.recv @a rows(0, 2) from(@pserver_0) block("a") bucket(0)
  // CHECK-NEXT: ps.recv @b rows(0, 3) from(@pserver_0) block("b"){{$}}
  // CHECK-NEXT: ps.recv @c rows(0, 2) from(@pserver_0) block("c") bucket(0)
  // CHECK-NEXT: ps.recv @d rows(0, 5) from(@pserver_0) block("d"){{$}}
  // CHECK-NEXT: ps.recv @e rows(0, 2) from(@pserver_1) block("e"){{$}}
  // CHECK-LABEL: func.func @train
  func.func @train(%x: tensor<?xf32> {ps.feed = "x"}) {
    // CHECK: "test.c"
    // CHECK-NEXT: ps.send @c rows(0, 2), %{{.*}} to(@pserver_0) block("c") bucket(0) : tensor<2xf32>
    %c = "test.c"(%x) : (tensor<?xf32>) -> tensor<2xf32>
    // CHECK-NEXT: "test.ae"
    // CHECK-NEXT: ps.send @a rows(0, 2), %{{.*}} to(@pserver_0) block("a") bucket(0) : tensor<2xf32>
    // CHECK-NEXT: ps.send @e rows(0, 2), %{{.*}} to(@pserver_1) block("e") : tensor<2xf32>
    %a, %e = "test.ae"(%x) : (tensor<?xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    // CHECK-NEXT: "test.bd"
    // CHECK-NEXT: ps.send @b rows(0, 3), %{{.*}} to(@pserver_0) block("b") : tensor<3xf32>
    // CHECK-NEXT: ps.send @d rows(0, 5), %{{.*}} to(@pserver_0) block("d") : tensor<5xf32>
    %b, %d = "test.bd"(%x) : (tensor<?xf32>) -> (tensor<3xf32>, tensor<5xf32>)
    ps.apply @a, %a using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
    ps.apply @b, %b using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
    ps.apply @c, %c using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
    ps.apply @d, %d using(#ps.sgd<learning_rate = 0.1>) : tensor<5xf32>
    ps.apply @e, %e using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
    // CHECK: ps.recv @a rows(0, 2) from(@pserver_0) block("a") bucket(0) after
    // CHECK-NEXT: ps.recv @b rows(0, 3) from(@pserver_0) block("b") after
    // CHECK-NEXT: ps.recv @c rows(0, 2) from(@pserver_0) block("c") bucket(0) after
    return
  }
}

// -----

// bf16 on the network: f32 variables leave and arrive narrowed, and the pserver
// keeps all bits, which @pull_model gets.

// CHECK-LABEL: module @wire
module @wire attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", wire = bf16, endpoints = ["a:1"]>} {
  // CHECK: ps.variable @w : tensor<4xf32>
  // CHECK-NEXT: ps.variable @w.wire : tensor<4xbf16> init(#ps.constant<0.0>) slot_of(@w) {trainable = false, transient}
  ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w.block0", row_offset = 0, rows = 3, server = 0>, #ps.placement<block = "w.block1", row_offset = 3, rows = 1, server = 0>]
  ps.variable @x : tensor<4xf64> init(#ps.constant<0.0>) placed [#ps.placement<block = "x", row_offset = 0, rows = 4, server = 0>]
  // CHECK-NOT: @x.wire
  // CHECK-LABEL: func.func @startup
  // CHECK-NEXT: ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
  // CHECK-LABEL: func.func @train
  func.func @train(%g: tensor<4xf32> {ps.feed = "g"}, %h: tensor<4xf64> {ps.feed = "h"}) {
    // CHECK-NEXT: ps.send @x
    // CHECK-NEXT: %[[G:.*]] = stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xbf16>
    // CHECK-NEXT: ps.send @w rows(0, 3), %[[G]] to(@pserver_0) block("w.block0") : tensor<4xbf16>
    // CHECK-NEXT: ps.send @w rows(3, 1), %[[G]] to(@pserver_0) block("w.block1") : tensor<4xbf16>
    // CHECK: ps.recv @w.wire rows(0, 3) from(@pserver_0) block("w.block0.wire") after
    // CHECK-NEXT: ps.recv @w.wire rows(3, 1) from(@pserver_0) block("w.block1.wire") after
    // CHECK-NEXT: ps.recv @x rows(0, 4) from(@pserver_0) block("x") after
    // CHECK-NEXT: ps.fetch_barrier
    // CHECK-NEXT: %[[N:.*]] = ps.read @w.wire : tensor<4xbf16>
    // CHECK-NEXT: %[[V:.*]] = stablehlo.convert %[[N]] : (tensor<4xbf16>) -> tensor<4xf32>
    // CHECK-NEXT: ps.assign @w, %[[V]] : tensor<4xf32>
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.5>) : tensor<4xf32>
    ps.apply @x, %h using(#ps.sgd<learning_rate = 0.5>) : tensor<4xf64>
    return
  }
}
// CHECK-LABEL: func.func @pull_model
// CHECK-NEXT: ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
// CHECK-NEXT: ps.recv @w rows(3, 1) from(@pserver_0) block("w.block1")
// CHECK-NEXT: ps.recv @x
// CHECK-NEXT: ps.fetch_barrier
// CHECK: ps.program @pserver_0
// CHECK: ps.variable @w.block0 : tensor<3xf32>
// CHECK: ps.variable @w.block0.wire : tensor<3xbf16> init(#ps.constant<0.0>) slot_of(@w.block0) {trainable = false, transient}
// CHECK: ps.optimize_block @w.block0 (%[[G:.*]]: tensor<3xbf16>) {
// CHECK-NEXT: %[[G32:.*]] = stablehlo.convert %[[G]] : (tensor<3xbf16>) -> tensor<3xf32>
// CHECK-NEXT: ps.apply @w.block0, %[[G32]]
// CHECK-NEXT: %[[V:.*]] = ps.read @w.block0
// CHECK-NEXT: %[[N:.*]] = stablehlo.convert %[[V]] : (tensor<3xf32>) -> tensor<3xbf16>
// CHECK-NEXT: ps.assign @w.block0.wire, %[[N]]
// CHECK: ps.optimize_block @x (%{{.*}}: tensor<4xf64>)

// -----

// The trainers add the squares of what they reduce themselves to the norm, and
// update it with that.

// CHECK-LABEL: module @hybrid_norm
module @hybrid_norm attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", endpoints = ["a:1"]>} {
  ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "a", row_offset = 0, rows = 4, server = 0>]
  ps.variable @r : tensor<2xf32> init(#ps.constant<0.0>) {sync = all_reduce}
  // CHECK-LABEL: func.func @train
  // CHECK: %[[MEAN:.*]] = ps.all_reduce
  // CHECK: %[[Q:.*]] = ps.read @global_norm.squares
  // CHECK: %[[THERE:.*]] = stablehlo.reduce(%[[Q]]
  // CHECK: %[[WIDE:.*]] = stablehlo.convert %[[MEAN]]
  // CHECK: %[[SQUARE:.*]] = stablehlo.multiply %[[WIDE]], %[[WIDE]]
  // CHECK: %[[HERE:.*]] = stablehlo.reduce(%[[SQUARE]]
  // CHECK: %[[ALL:.*]] = stablehlo.add %[[THERE]], %[[HERE]]
  // CHECK: %[[NORM:.*]] = stablehlo.sqrt %[[ALL]]
  // CHECK: %[[N32:.*]] = stablehlo.convert %[[NORM]]
  // CHECK: ps.apply @r, %[[MEAN]] norm(%[[N32]] : tensor<f32>)
  // CHECK: ps.send @global_norm rows(0, 1), %[[NORM]]
  func.func @train(%g: tensor<4xf32> {ps.feed = "g"}, %h: tensor<2xf32> {ps.feed = "h"}) {
    ps.apply @r, %h using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
    ps.apply @a, %g using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<1.0>) : tensor<4xf32>
    return
  }
}

// -----

// Such an update comes when the norm has: a read that must see it makes the
// step wait, though the variable is on no pserver.

// CHECK-LABEL: module @hybrid_norm_read
module @hybrid_norm_read attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", endpoints = ["a:1"]>} {
  ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "a", row_offset = 0, rows = 4, server = 0>]
  ps.variable @r : tensor<2xf32> init(#ps.constant<0.0>) {sync = all_reduce}
  // CHECK-LABEL: func.func @train
  // CHECK-NOT: ps.read @r
  // CHECK: ps.send_barrier{{.*}}{{$}}
  // CHECK-NOT: ps.read @r
  // CHECK: ps.apply @r, %{{.*}} norm(
  // CHECK: ps.send_barrier{{.*}} round(1)
  // CHECK: ps.fetch_barrier{{.*}} round(1)
  // CHECK-NEXT: %[[R:.*]] = ps.read @r
  // CHECK-NEXT: "test.use"(%[[R]])
  func.func @train(%g: tensor<4xf32> {ps.feed = "g"}, %h: tensor<2xf32> {ps.feed = "h"}) {
    ps.apply @a, %g using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<1.0>) : tensor<4xf32>
    ps.apply @r, %h using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
    %r = ps.read @r : tensor<2xf32>
    "test.use"(%r) : (tensor<2xf32>) -> ()
    return
  }
}

// -----

// Where pservers have no part of the norm nothing waits for them.

// CHECK-LABEL: module @hybrid_own_norm
module @hybrid_own_norm attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", endpoints = ["a:1"]>} {
  ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>) placed [#ps.placement<block = "a", row_offset = 0, rows = 4, server = 0>]
  ps.variable @r : tensor<2xf32> init(#ps.constant<0.0>) {sync = all_reduce}
  // CHECK-LABEL: func.func @train
  // CHECK: ps.apply @r
  // CHECK-NEXT: ps.read @r
  // CHECK: ps.send_barrier
  func.func @train(%g: tensor<4xf32> {ps.feed = "g"}, %h: tensor<2xf32> {ps.feed = "h"}) {
    ps.apply @a, %g using(#ps.sgd<learning_rate = 0.5>) : tensor<4xf32>
    ps.apply @r, %h using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
    %r = ps.read @r : tensor<2xf32>
    "test.use"(%r) : (tensor<2xf32>) -> ()
    return
  }
}

// -----

// Buckets come in the order of their channels, also where the gradients of
// several exist at the same time.

// CHECK-LABEL: module @collective_order
module @collective_order attributes {ps.cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef", bucket_bytes = 8>} {
  ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
  ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
  ps.variable @c : tensor<2xf32> init(#ps.constant<0.0>)
  ps.variable @d : tensor<2xf32> init(#ps.constant<0.0>)
  // CHECK: func.func @train
  // CHECK-NEXT: ps.all_reduce %{{.*}} channel(0)
  // CHECK-NEXT: ps.all_reduce %{{.*}} channel(1)
  // CHECK-NEXT: test.gradients
  // CHECK-NEXT: ps.all_reduce %{{.*}} channel(2)
  // CHECK-NEXT: ps.all_reduce %{{.*}} channel(3)
  func.func @train(%g: tensor<2xf32> {ps.feed = "g"}, %h: tensor<2xf32> {ps.feed = "h"}) {
    %x, %y = "test.gradients"() : () -> (tensor<2xf32>, tensor<2xf32>)
    ps.apply @a, %g using(#ps.sgd<learning_rate = 0.5>) : tensor<2xf32>
    ps.apply @b, %h using(#ps.sgd<learning_rate = 0.5>) : tensor<2xf32>
    ps.apply @c, %x using(#ps.sgd<learning_rate = 0.5>) : tensor<2xf32>
    ps.apply @d, %y using(#ps.sgd<learning_rate = 0.5>) : tensor<2xf32>
    return
  }
}
