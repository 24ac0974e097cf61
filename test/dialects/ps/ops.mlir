// RUN: ps-opt %s --verify-roundtrip | FileCheck %s

// The cluster is printed once.

// CHECK: #cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "9f86d081884c7d65">
#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "9f86d081884c7d65">

// A graph as users write it.

// CHECK: ps.variable @fc_b : tensor<400xf32> init(#ps.constant<0.0>) {learning_rate_scale = 2.000000e+00 : f64}
ps.variable @fc_b : tensor<400xf32> init(#ps.constant<0.0>) {learning_rate_scale = 2.0 : f64}
// CHECK: ps.variable @fc_w : tensor<247x400xf32> init(#ps.xavier_uniform)
ps.variable @fc_w : tensor<247x400xf32> init(#ps.xavier_uniform)
// CHECK: ps.variable @frozen : tensor<f64> init(#ps.constant<1.0>) {trainable = false}
ps.variable @frozen : tensor<f64> init(#ps.constant<1>) {trainable = false}
// CHECK: ps.variable @count : tensor<i32> init(#ps.constant<0.0>) {trainable = false}
ps.variable @count : tensor<i32> init(#ps.constant<0.0>) {trainable = false}
// CHECK: ps.variable @key : tensor<2xui32> init(#ps.constant<0.0>) {trainable = false}
ps.variable @key : tensor<2xui32> init(#ps.constant<0.0>) {trainable = false}
// CHECK: ps.variable @half : tensor<2xbf16> init(#ps.he_normal)
ps.variable @half : tensor<2xbf16> init(#ps.he_normal)

// CHECK-LABEL: func.func @train
// CHECK-SAME: ps.feed = "x"
// CHECK-SAME: ps.fetch = "loss"
func.func @train(%x: tensor<?x247xf32> {ps.feed = "x"}, %loss: tensor<f32>) -> (tensor<f32> {ps.fetch = "loss"}) {
  // CHECK: %[[W:.*]] = ps.read @fc_w : tensor<247x400xf32>
  %w = ps.read @fc_w : tensor<247x400xf32>
  // CHECK: ps.assign @fc_w, %[[W]] : tensor<247x400xf32>
  ps.assign @fc_w, %w : tensor<247x400xf32>
  // CHECK: ps.minimize %{{.*}} using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %loss : tensor<f32>
}

// CHECK-LABEL: func.func @stopped
func.func @stopped(%x: tensor<?x1xf32>, %ids: tensor<2xi64>) -> (tensor<?x1xf32>, tensor<2xi64>) {
  // CHECK: %[[X:.*]] = ps.stop_gradient %{{.*}} : tensor<?x1xf32>
  %0 = ps.stop_gradient %x : tensor<?x1xf32>
  // CHECK: ps.stop_gradient %{{.*}} : tensor<2xi64>
  %1 = ps.stop_gradient %ids : tensor<2xi64>
  // CHECK: return %[[X]]
  return %0, %1 : tensor<?x1xf32>, tensor<2xi64>
}

// CHECK-LABEL: func.func @own_gradients
func.func @own_gradients(%g: tensor<400xf32>) {
  // CHECK: ps.apply @fc_b, %{{.*}} using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<400xf32>
  ps.apply @fc_b, %g using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<400xf32>
  // CHECK: #ps.momentum<learning_rate = 0.1, momentum = 0.9, use_nesterov = true>
  ps.apply @fc_b, %g using(#ps.momentum<learning_rate = 0.1, momentum = 0.9, use_nesterov = true>) : tensor<400xf32>
  return
}

// A number reads as it would elsewhere and prints with a decimal point and the
// fewest digits that give the same double.

// CHECK: @n0 {{.*}}#ps.constant<2.0>
ps.variable @n0 : tensor<f32> init(#ps.constant<2>)
// CHECK: @n1 {{.*}}#ps.constant<-0.001>
ps.variable @n1 : tensor<f32> init(#ps.constant<-1e-3>)
// CHECK: @n2 {{.*}}#ps.constant<-1.0e-09>
ps.variable @n2 : tensor<f32> init(#ps.constant<-1.0e-9>)
// CHECK: @n3 {{.*}}#ps.constant<1.0e+20>
ps.variable @n3 : tensor<f32> init(#ps.constant<1E20>)
// CHECK: @n4 {{.*}}#ps.constant<0.30000000000000004>
ps.variable @n4 : tensor<f32> init(#ps.constant<0.30000000000000004>)
// CHECK: @n5 {{.*}}#ps.constant<1500.0>
ps.variable @n5 : tensor<f32> init(#ps.constant<15e+2>)
// CHECK: @n6 {{.*}}#ps.constant<-0.0>
ps.variable @n6 : tensor<f32> init(#ps.constant<-0.0>)

// CHECK: #ps.uniform<min = -0.1, max = 0.1>
ps.variable @i0 : tensor<3xf32> init(#ps.uniform<min = -0.1, max = 0.1>)
// CHECK: #ps.normal<mean = 0.0, stddev = 1.0>
ps.variable @i1 : tensor<3xf32> init(#ps.normal<mean = 0, stddev = 1>)
// CHECK: #ps.truncated_normal<mean = 0.0, stddev = 0.02>
ps.variable @i2 : tensor<3xf32> init(#ps.truncated_normal<mean = 0.0, stddev = 0.02>)
// CHECK: #ps.xavier_normal
ps.variable @i3 : tensor<3xf32> init(#ps.xavier_normal)
// CHECK: #ps.he_uniform
ps.variable @i4 : tensor<3xf32> init(#ps.he_uniform)

// A learning rate may be an integer.

// CHECK-LABEL: func.func @integer_rate
func.func @integer_rate(%g: tensor<400xf32>) {
  // CHECK: #ps.sgd<learning_rate = 1.0>
  ps.apply @fc_b, %g using(#ps.sgd<learning_rate = 1>) : tensor<400xf32>
  return
}

// Placement, made by ps-place-variables.

// CHECK: ps.variable @placed : tensor<784x128xf32> init(#ps.xavier_uniform) placed [#ps.placement<block = "placed.block0", row_offset = 0, rows = 392, server = 1>, #ps.placement<block = "placed.block1", row_offset = 392, rows = 392, server = 0>]
ps.variable @placed : tensor<784x128xf32> init(#ps.xavier_uniform)
  placed [#ps.placement<block = "placed.block0", row_offset = 0, rows = 392, server = 1>,
          #ps.placement<block = "placed.block1", row_offset = 392, rows = 392, server = 0>]

// Programs, made by ps-partition.

// CHECK: ps.program @trainer role(trainer) cluster(#cluster) {
ps.program @trainer role(trainer) cluster(#cluster) {
  ps.variable @fc_w : tensor<784x128xf32> init(#ps.xavier_uniform)
  // CHECK: func.func @train
  func.func @train(%g: tensor<784x128xf32>) {
    // CHECK: %[[T:.*]] = ps.send @fc_w rows(0, 392), %{{.*}} to(@pserver_0) block("fc_w.block0") : tensor<784x128xf32>
    %t = ps.send @fc_w rows(0, 392), %g to(@pserver_0) block("fc_w.block0") : tensor<784x128xf32>
    // CHECK: %[[B:.*]] = ps.send_barrier(%[[T]]) to([@pserver_0, @pserver_1])
    %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
    // CHECK: %[[R:.*]] = ps.recv @fc_w rows(0, 392) from(@pserver_0) block("fc_w.block0") after(%[[B]])
    %r = ps.recv @fc_w rows(0, 392) from(@pserver_0) block("fc_w.block0") after(%b)
    // CHECK: ps.fetch_barrier(%[[R]]) to([@pserver_0, @pserver_1])
    %f = ps.fetch_barrier(%r) to([@pserver_0, @pserver_1])
    return
  }
  func.func @startup() {
    // CHECK: ps.recv @fc_w rows(392, 392) from(@pserver_1) block("fc_w.block1")
    %r = ps.recv @fc_w rows(392, 392) from(@pserver_1) block("fc_w.block1")
    return
  }
}

// CHECK: ps.program @pserver_0 role(pserver) cluster(#cluster) {
ps.program @pserver_0 role(pserver) cluster(#cluster) {
  // CHECK: ps.variable @fc_w.block0 : tensor<392x128xf32> init(#ps.xavier_uniform) slice(#ps.slice<origin = "fc_w", row_offset = 392, rows = 392, origin_type = tensor<784x128xf32>>)
  ps.variable @fc_w.block0 : tensor<392x128xf32> init(#ps.xavier_uniform) slice(#ps.slice<origin = "fc_w", row_offset = 392, rows = 392, origin_type = tensor<784x128xf32>>)
  // CHECK: ps.variable @fc_w.block0.velocity : {{.*}} slot_of(@fc_w.block0)
  ps.variable @fc_w.block0.velocity : tensor<392x128xf32> init(#ps.constant<0.0>) slot_of(@fc_w.block0) {trainable = false}
  func.func @main() {
    // CHECK: ps.listen_and_serv {
    ps.listen_and_serv {
      // CHECK-NEXT: ps.optimize_block @fc_w.block0 (%[[G:.*]]: tensor<392x128xf32>) {
      ps.optimize_block @fc_w.block0 (%grad: tensor<392x128xf32>) {
        // CHECK-NEXT: ps.apply @fc_w.block0, %[[G]]
        ps.apply @fc_w.block0, %grad using(#ps.sgd<learning_rate = 0.1>) : tensor<392x128xf32>
      }
    }
    return
  }
}

// A server may hold nothing.

// CHECK: ps.program @pserver_1
ps.program @pserver_1 role(pserver) cluster(#cluster) {
  func.func @main() {
    // CHECK: ps.listen_and_serv {
    // CHECK-NEXT: }
    ps.listen_and_serv {
    }
    return
  }
}

// Who trains a variable, and where it lies.

// CHECK: ps.variable @pinned : tensor<4xf32> init(#ps.xavier_normal) {server = 1 : i64}
ps.variable @pinned : tensor<4xf32> init(#ps.xavier_normal) {server = 1}
// CHECK: ps.variable @shared : tensor<4xf32> init(#ps.xavier_normal) {sync = all_reduce}
ps.variable @shared : tensor<4xf32> init(#ps.xavier_normal) {sync = all_reduce}
// CHECK: ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) {optimizer_state, trainable = false}

// CHECK-LABEL: func.func @all_reduced
func.func @all_reduced(%g: tensor<4xf32>, %h: tensor<8xf32>) {
  // CHECK: %[[MEAN:.*]]:2 = ps.all_reduce %{{.*}}, %{{.*}} channel(0) : tensor<4xf32>, tensor<8xf32>
  %m:2 = ps.all_reduce %g, %h channel(0) : tensor<4xf32>, tensor<8xf32>
  // CHECK: ps.broadcast @shared channel(1)
  %t = ps.broadcast @shared channel(1)
  return
}

// Two rounds, two sends in one message.

// CHECK-LABEL: func.func @exchange() attributes {ps.every = 4 : i64, ps.then = @merge}
func.func @exchange() attributes {ps.every = 4 : i64, ps.then = @merge} {
  %g = ps.read @pinned : tensor<4xf32>
  %rate = stablehlo.constant dense<0.1> : tensor<f32>
  // CHECK: ps.send @pinned rows(0, 2), %{{.*}} to(@pserver_2) block("b0") bucket(7) : tensor<4xf32>
  %s = ps.send @pinned rows(0, 2), %g to(@pserver_2) block("b0") bucket(7) : tensor<4xf32>
  // CHECK: ps.send @pinned rows(2, 2), %{{.*}} to(@pserver_2) block("b1") round(1) bucket(7) : tensor<4xf32>
  %t = ps.send @pinned rows(2, 2), %g to(@pserver_2) block("b1") round(1) bucket(7) : tensor<4xf32>
  // CHECK: ps.send @pinned rows(0, 2), %{{.*}} to(@pserver_2) block("b2") after(%{{.*}}, %{{.*}}) : tensor<4xf32>
  %u = ps.send @pinned rows(0, 2), %g to(@pserver_2) block("b2") after(%s, %t) : tensor<4xf32>
  // CHECK: ps.send_barrier(%{{.*}}, %{{.*}}) to([@pserver_2]) round(1)
  %b = ps.send_barrier(%s, %t) to([@pserver_2]) round(1)
  // CHECK: ps.recv @pinned rows(0, 4) from(@pserver_2) block("b0") round(1) bucket(2) after(%{{.*}})
  %r = ps.recv @pinned rows(0, 4) from(@pserver_2) block("b0") round(1) bucket(2) after(%b)
  // CHECK: ps.fetch_barrier(%{{.*}}) to([@pserver_2]) round(1)
  %f = ps.fetch_barrier(%r) to([@pserver_2]) round(1)
  // CHECK: ps.apply @pinned, %{{.*}} rate(%{{.*}} : tensor<f32>) norm(%{{.*}} : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) clip(#ps.clip_by_global_norm<1.0>) : tensor<4xf32>
  ps.apply @pinned, %g rate(%rate : tensor<f32>) norm(%rate : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) clip(#ps.clip_by_global_norm<1.0>) : tensor<4xf32>
  // CHECK: ps.listen_and_serv {
  // CHECK-NEXT: ps.schedule_block {
  // CHECK: ps.optimize_block @pinned (%{{.*}}: tensor<4xbf16>) round(1) {
  ps.listen_and_serv {
    ps.schedule_block {
    }
    ps.optimize_block @pinned (%grad: tensor<4xbf16>) round(1) {
    }
  }
  return
}

// CHECK-LABEL: func.func @metrics
func.func @metrics(%p: tensor<?x1xf32>, %y: tensor<?x1xf32>) {
  // CHECK: ps.metric auc("auc", %{{.*}}, %{{.*}}) {bins = 8192 : i64} : tensor<?x1xf32>, tensor<?x1xf32>
  ps.metric auc("auc", %p, %y) {bins = 8192 : i64} : tensor<?x1xf32>, tensor<?x1xf32>
  // CHECK: ps.metric mean("mean", %{{.*}}) : tensor<?x1xf32>
  ps.metric mean("mean", %p) : tensor<?x1xf32>
  return
}

// The largest elements of a gradient.

ps.variable @large : tensor<9x4xf32> init(#ps.constant<0.0>)
// CHECK: ps.variable @large.unsent : {{.*}} slot_of(@large) {trainable = false, transient}
ps.variable @large.unsent : tensor<9x4xf32> init(#ps.constant<0.0>) slot_of(@large) {trainable = false, transient}
// CHECK-LABEL: func.func @largest
func.func @largest(%g: tensor<9x4xf32>) {
  // CHECK: %[[L:.*]] = ps.take_largest @large.unsent rows(2, 5), %{{.*}} : tensor<9x4xf32> -> tensor<3x2xui32>
  %l = ps.take_largest @large.unsent rows(2, 5), %g : tensor<9x4xf32> -> tensor<3x2xui32>
  // CHECK: ps.send @large rows(2, 5), %[[L]] to(@pserver_0) block("large.block1") : tensor<3x2xui32>
  %t = ps.send @large rows(2, 5), %l to(@pserver_0) block("large.block1") : tensor<3x2xui32>
  return
}
// CHECK-LABEL: func.func @serve_largest
func.func @serve_largest() {
  ps.listen_and_serv {
    // CHECK: ps.optimize_block @large (%{{.*}}: tensor<9x4xf32>) round(1) largest(3) {
    ps.optimize_block @large (%m: tensor<9x4xf32>) round(1) largest(3) {
    }
  }
  return
}
