// RUN: ps-opt %s --split-input-file --ps-partition --ps-verify-programs --verify-roundtrip | FileCheck %s

// The trainer declares the table and holds no row: rows come from the pservers
// and their gradient goes there, shard by shard. Every pserver holds a shard.
// The barrier waits for the rows, as for gradients.

// CHECK-LABEL: module @sync
module @sync attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">} {
  // CHECK: ps.program @trainer
  // CHECK-NEXT: ps.variable @w : tensor<2xf32>
  // CHECK-NEXT: ps.table @emb : tensor<100x2xf32> init(#ps.xavier_uniform) {learning_rate_scale = 2.000000e+00 : f64}{{$}}
  // CHECK-NEXT: ps.table @fixed
  ps.table @emb : tensor<100x2xf32> init(#ps.xavier_uniform) {learning_rate_scale = 2.0 : f64}
  // A table that nobody updates stays with the trainers.
  ps.table @fixed : tensor<100x2xf32> init(#ps.xavier_uniform) {trainable = false}
  ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) placed [
    #ps.placement<block = "w", row_offset = 0, rows = 2, server = 1>]
  // CHECK-LABEL: func.func @train
  func.func @train(%i: tensor<?xi64> {ps.feed = "i"}, %x: tensor<?x2xf32> {ps.feed = "x"}, %gw: tensor<2xf32> {ps.feed = "gw"}) {
    // CHECK-NEXT: %[[S:.*]] = ps.send @w
    // CHECK-NEXT: %[[R:.*]] = ps.prefetch @emb[%arg0] from([@pserver_0, @pserver_1]) :
    // CHECK-NEXT: ps.prefetch @fixed[%arg0] :
    %r = ps.prefetch @emb[%i] : (tensor<?xi64>) -> !ps.rows<2 x f32>
    %f = ps.prefetch @fixed[%i] : (tensor<?xi64>) -> !ps.rows<2 x f32>
    // CHECK-NEXT: %[[G:.*]] = ps.lookup_gradient @emb[%arg0] in(%[[R]]), %arg1
    // CHECK-NEXT: %[[T:.*]] = ps.push_rows @emb, %[[G]] to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
    %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<?xi64>, !ps.rows<2 x f32>, tensor<?x2xf32>) -> !ps.rows<2 x f32>
    // CHECK-NEXT: ps.lookup @fixed
    // CHECK-NOT: ps.apply_rows
    // CHECK-NEXT: ps.send_barrier(%[[S]], %[[T]]) to([@pserver_0, @pserver_1])
    // CHECK-NEXT: ps.recv @w
    %0 = ps.lookup @fixed[%i] in(%f) : (tensor<?xi64>, !ps.rows<2 x f32>) -> tensor<?x2xf32>
    ps.apply_rows @emb, %g using(#ps.adagrad<learning_rate = 0.1>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.1>) : !ps.rows<2 x f32>
    ps.apply @w, %gw using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
    return
  }
  // Whoever looks rows up gets them from where they are.
  // CHECK-LABEL: func.func @eval
  // CHECK-NEXT: ps.prefetch @emb[%arg0] from([@pserver_0, @pserver_1])
  func.func @eval(%i: tensor<?xi64> {ps.feed = "i"}) {
    %r = ps.prefetch @emb[%i] : (tensor<?xi64>) -> !ps.rows<2 x f32>
    return
  }

  // CHECK: ps.program @pserver_0
  // CHECK-NEXT: ps.table @emb : tensor<100x2xf32> init(#ps.xavier_uniform) shard(#ps.shard<0 of 2>) {learning_rate_scale = 2.000000e+00 : f64}
  // CHECK-NOT: @fixed
  // CHECK: ps.optimize_block @emb (%[[G:.*]]: !ps.rows<2 x f32>) {
  // CHECK-NEXT: ps.apply_rows @emb, %[[G]] using(#ps.adagrad<{{.*}}>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.1>) : !ps.rows<2 x f32>
  // CHECK: ps.program @pserver_1
  // CHECK: ps.table @emb : {{.*}} shard(#ps.shard<1 of 2>)
  // CHECK: ps.optimize_block @w
  // CHECK: ps.optimize_block @emb
}

// -----

// Tables alone. A rate that follows a schedule is computed once per pserver; it
// and the count of steps are of no table: what a table owns is one of each row.

// CHECK-LABEL: module @tables_only
module @tables_only attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.table @emb : tensor<100x2xf32> init(#ps.xavier_uniform) partition(modulo)
  ps.table @other : tensor<100x2xf32> init(#ps.xavier_uniform)
  // CHECK: func.func @startup
  // CHECK-NEXT: ps.fetch_barrier() to([@pserver_0])
  func.func @train(%i: tensor<?xi64> {ps.feed = "i"}, %x: tensor<?x2xf32> {ps.feed = "x"}) {
    %r = ps.prefetch @emb[%i] : (tensor<?xi64>) -> !ps.rows<2 x f32>
    %s = ps.prefetch @other[%i] : (tensor<?xi64>) -> !ps.rows<2 x f32>
    %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<?xi64>, !ps.rows<2 x f32>, tensor<?x2xf32>) -> !ps.rows<2 x f32>
    %h = ps.lookup_gradient @other[%i] in(%s), %x : (tensor<?xi64>, !ps.rows<2 x f32>, tensor<?x2xf32>) -> !ps.rows<2 x f32>
    // CHECK: %[[T0:.*]] = ps.push_rows @emb
    // CHECK: %[[T1:.*]] = ps.push_rows @other
    // CHECK-NEXT: %[[B:.*]] = ps.send_barrier(%[[T0]], %[[T1]]) to([@pserver_0])
    // CHECK-NEXT: ps.fetch_barrier(%[[B]]) to([@pserver_0])
    ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<2 x f32>
    ps.apply_rows @other, %h using(#ps.adagrad<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<2 x f32>
    return
  }
  // CHECK: ps.program @pserver_0
  // CHECK: ps.table @emb : {{.*}} partition(modulo) shard(#ps.shard<0 of 1>)
  // CHECK: ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
  // CHECK: ps.variable @learning_rate : tensor<f32> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
  // CHECK-NOT: ps.variable
  // CHECK: ps.schedule_block
  // CHECK: ps.assign @learning_rate
  // CHECK: ps.optimize_block @emb
  // CHECK-NEXT: %[[RATE:.*]] = ps.read @learning_rate : tensor<f32>
  // CHECK-NEXT: ps.apply_rows @emb, %{{.*}} rate(%[[RATE]] : tensor<f32>)
  // CHECK: ps.optimize_block @other
  // CHECK-NEXT: %[[RATE:.*]] = ps.read @learning_rate : tensor<f32>
  // CHECK-NEXT: ps.apply_rows @other, %{{.*}} rate(%[[RATE]] : tensor<f32>)
}

// -----

// Where nobody waits, rows are pushed and that is all; batches are counted.

// CHECK-LABEL: module @async
module @async attributes {ps.cluster = #ps.cluster<mode = async, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">} {
  ps.table @emb : tensor<100x2xf32> init(#ps.xavier_uniform)
  // CHECK-LABEL: func.func @train
  func.func @train(%i: tensor<?xi64> {ps.feed = "i"}, %x: tensor<?x2xf32> {ps.feed = "x"}) {
    %r = ps.prefetch @emb[%i] : (tensor<?xi64>) -> !ps.rows<2 x f32>
    %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<?xi64>, !ps.rows<2 x f32>, tensor<?x2xf32>) -> !ps.rows<2 x f32>
    // CHECK: %[[T:.*]] = ps.push_rows @emb
    // CHECK: ps.send @global_step rows(0, 1), %{{.*}} to(@pserver_0) block("global_step") after(%[[T]])
    // CHECK-NEXT: ps.send @global_step rows(0, 1), %{{.*}} to(@pserver_1) block("global_step") after(%[[T]])
    // CHECK-NEXT: return
    ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<2 x f32>
    return
  }
  // CHECK: ps.program @pserver_0
  // CHECK: ps.optimize_block @global_step
}

// -----

// A trainer that keeps copies of rows updates them with what it pushes.

// CHECK-LABEL: module @copies
module @copies attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  // CHECK: ps.program @trainer
  // CHECK-NEXT: ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) {cache_rows = 10 : i64}
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) {cache_rows = 10 : i64}
  // CHECK-LABEL: func.func @train
  func.func @train(%i: tensor<?xi64> {ps.feed = "i"}, %x: tensor<?x2xf32> {ps.feed = "x"}) {
    // CHECK: %[[G:.*]] = ps.lookup_gradient @emb
    // CHECK-NEXT: %[[T:.*]] = ps.push_rows @emb, %[[G]]
    // CHECK-NEXT: ps.apply_rows @emb, %[[G]] using(#ps.adagrad<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) : !ps.rows<2 x f32>
    // CHECK-NEXT: ps.send_barrier(%[[T]])
    %r = ps.prefetch @emb[%i] : (tensor<?xi64>) -> !ps.rows<2 x f32>
    %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<?xi64>, !ps.rows<2 x f32>, tensor<?x2xf32>) -> !ps.rows<2 x f32>
    ps.apply_rows @emb, %g using(#ps.adagrad<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) : !ps.rows<2 x f32>
    return
  }
  // CHECK: ps.program @pserver_0
  // CHECK: ps.table @emb {{.*}} shard(#ps.shard<0 of 1>) {cache_rows = 10 : i64}
  // CHECK: ps.apply_rows @emb, %{{.*}} rate(
}
