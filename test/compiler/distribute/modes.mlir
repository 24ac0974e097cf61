// RUN: split-file %s %t
// RUN: ps-opt %t/graph.mlir --ps-transpile="pservers=a:1,b:2 trainers=2 mode=async" --verify-roundtrip | FileCheck %s --check-prefix=ASYNC
// RUN: ps-opt %t/graph.mlir --ps-transpile="pservers=a:1,b:2 trainers=2 mode=half-async" --verify-roundtrip | FileCheck %s --check-prefix=HALF
// RUN: ps-opt %t/graph.mlir --ps-transpile="pservers=a:1,b:2 trainers=4 mode=geo geo-steps=8" --verify-roundtrip | FileCheck %s --check-prefix=GEO
// RUN: ps-opt %t/graph.mlir --ps-transpile="pservers=a:1 mode=geo" | FileCheck %s --check-prefix=GEO-DEFAULT
// RUN: ps-opt %t/graph.mlir --ps-transpile="trainers=2 mode=collective" --verify-roundtrip | FileCheck %s --check-prefix=COLLECTIVE
// RUN: ps-opt %t/graph.mlir --ps-transpile="trainers=2 mode=collective bucket-bytes=16" | FileCheck %s --check-prefix=BUCKETS
// RUN: ps-opt %t/hybrid.mlir --ps-transpile="pservers=a:1 trainers=2" --verify-roundtrip | FileCheck %s --check-prefix=HYBRID
// RUN: ps-opt %t/schedule.mlir --ps-transpile="pservers=a:1,b:2 mode=async" --verify-roundtrip | FileCheck %s --check-prefix=SCHEDULE
// RUN: ps-opt %t/reads.mlir --ps-transpile="trainers=2 mode=collective" | FileCheck %s --check-prefix=READS
// RUN: not ps-opt %t/graph.mlir --ps-transpile="mode=collective pservers=a:1" 2>&1 | FileCheck %s --check-prefix=PSERVERS
// RUN: not ps-opt %t/momentum.mlir --ps-transpile="pservers=a:1 mode=geo" 2>&1 | FileCheck %s --check-prefix=GEO-MOMENTUM
// RUN: not ps-opt %t/norm.mlir --ps-transpile="pservers=a:1 mode=half-async" 2>&1 | FileCheck %s --check-prefix=ASYNC-NORM
// RUN: not ps-opt %t/hybrid.mlir --ps-transpile="pservers=a:1 mode=async" 2>&1 | FileCheck %s --check-prefix=ASYNC-HYBRID
// RUN: not ps-opt %t/pinned.mlir --ps-transpile="mode=collective" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE-PIN

// No barriers: each pull follows its own push, and there is none at the start.

// ASYNC: #ps.cluster<mode = async
// ASYNC: func.func @startup() {
// ASYNC-NEXT: ps.recv @b
// ASYNC-NEXT: ps.recv @w
// ASYNC-NEXT: return
// ASYNC: func.func @train
// ASYNC: %[[B:.*]] = ps.send @b rows(0, 3), %{{.*}} to(@pserver_0) block("b")
// ASYNC: %[[W:.*]] = ps.send @w rows(0, 4), %{{.*}} to(@pserver_1) block("w")
// ASYNC-NEXT: ps.recv @b rows(0, 3) from(@pserver_0) block("b") after(%[[B]])
// ASYNC-NEXT: ps.recv @w rows(0, 4) from(@pserver_1) block("w") after(%[[W]])
// ASYNC-NEXT: return
// ASYNC: ps.optimize_block @b
// ASYNC-NEXT: ps.apply @b

// HALF: #ps.cluster<mode = half_async
// HALF-NOT: barrier

// A schedule follows the batches of all trainers, who count them at the
// pservers that need it, after the gradients that these have got.

// SCHEDULE: func.func @train
// SCHEDULE: %[[P:.*]] = ps.send @p rows(0, 3), %{{.*}} to(@pserver_0) block("p")
// SCHEDULE: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<i64>
// SCHEDULE-NEXT: ps.send @global_step rows(0, 1), %[[ONE]] to(@pserver_0) block("global_step") after(%[[P]]) : tensor<i64>
// SCHEDULE-NEXT: ps.recv
// SCHEDULE: ps.program @pserver_0
// SCHEDULE: ps.schedule_block {
// SCHEDULE-NEXT: ps.read @global_step
// SCHEDULE-NOT: ps.assign @global_step
// SCHEDULE: ps.assign @learning_rate
// SCHEDULE: ps.optimize_block @global_step (%[[BATCHES:.*]]: tensor<i64>) {
// SCHEDULE-NEXT: %[[OLD:.*]] = ps.read @global_step
// SCHEDULE-NEXT: %[[SUM:.*]] = stablehlo.add %[[OLD]], %[[BATCHES]]
// SCHEDULE-NEXT: ps.assign @global_step, %[[SUM]]
// SCHEDULE: ps.program @pserver_1
// SCHEDULE-NOT: @global_step

// The trainer trains, and exchanges what it learned; pservers add.

// GEO: #ps.cluster<mode = geo, trainers = 4, {{.*}}geo_steps = 8
// GEO: ps.variable @w.snapshot : tensor<4x3xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false, transient}
// GEO: ps.variable @w.pulled : tensor<4x3xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false, transient}
// GEO: func.func @startup() {
// GEO-NEXT: ps.recv @b
// GEO-NEXT: ps.recv @w
// GEO-NEXT: %[[B:.*]] = ps.read @b
// GEO-NEXT: ps.assign @b.snapshot, %[[B]]
// GEO-NEXT: %[[W:.*]] = ps.read @w
// GEO-NEXT: ps.assign @w.snapshot, %[[W]]
// GEO-NEXT: %[[T:.*]] = stablehlo.constant dense<4.0{{.*}}>
// GEO-NEXT: ps.assign @exchange_parts, %[[T]]
// GEO-NEXT: return
// GEO: func.func @train
// GEO: ps.apply @b
// GEO-NEXT: ps.apply @w
// GEO-NEXT: return
// GEO: func.func @merge() {
// GEO-NEXT: %[[Z:.*]] = ps.read @b.pulled
// GEO-NEXT: %[[Y:.*]] = ps.read @b.snapshot
// GEO-NEXT: %[[OTHERS:.*]] = stablehlo.subtract %[[Z]], %[[Y]]
// GEO-NEXT: %[[X:.*]] = ps.read @b :
// GEO-NEXT: %[[NEW:.*]] = stablehlo.add %[[X]], %[[OTHERS]]
// GEO-NEXT: ps.assign @b, %[[NEW]]
// GEO-NEXT: ps.assign @b.snapshot, %[[Z]]
// GEO: func.func @exchange() attributes {ps.every = 8 : i64, ps.then = @merge} {
// GEO-NEXT: %[[X:.*]] = ps.read @b :
// GEO-NEXT: %[[Y:.*]] = ps.read @b.snapshot
// GEO-NEXT: %[[PARTS:.*]] = ps.read @exchange_parts
// GEO-NEXT: %[[N:.*]] = stablehlo.broadcast_in_dim %[[PARTS]]
// GEO-NEXT: %[[LEARNED:.*]] = stablehlo.subtract %[[X]], %[[Y]]
// GEO-NEXT: %[[D:.*]] = stablehlo.divide %[[LEARNED]], %[[N]]
// GEO-NEXT: %[[KNOWN:.*]] = stablehlo.add %[[Y]], %[[D]]
// GEO-NEXT: ps.assign @b.snapshot, %[[KNOWN]]
// GEO: %[[SENT:.*]] = ps.send @b rows(0, 3), %[[D]] to(@pserver_0) block("b")
// GEO: ps.recv @b.pulled rows(0, 3) from(@pserver_0) block("b") after(%[[SENT]])
// GEO: func.func @settle() attributes {ps.last} {
// GEO-NEXT: %[[ONE:.*]] = stablehlo.constant dense<1.0{{.*}}>
// GEO-NEXT: ps.assign @exchange_parts, %[[ONE]]
// GEO: ps.program @pserver_0
// GEO: ps.optimize_block @b (%[[ARG:.*]]: tensor<3xf32>) {
// GEO-NEXT: %[[OLD:.*]] = ps.read @b
// GEO-NEXT: %[[SUM:.*]] = stablehlo.add %[[OLD]], %[[ARG]]
// GEO-NEXT: ps.assign @b, %[[SUM]]

// GEO-DEFAULT: ps.every = 400 : i64

// No pserver: trainers start alike and share their gradients, in one message
// where they fit.

// COLLECTIVE: #ps.cluster<mode = collective, trainers = 2, pservers = []
// COLLECTIVE: ps.program @trainer
// COLLECTIVE: func.func @startup() {
// COLLECTIVE-NEXT: ps.broadcast @b channel(0)
// COLLECTIVE-NEXT: ps.broadcast @w channel(1)
// COLLECTIVE-NEXT: return
// COLLECTIVE: %[[GW:.*]] = stablehlo.dot_general {{.*}} -> tensor<4x3xf32>
// COLLECTIVE-NEXT: %[[M:.*]]:2 = ps.all_reduce %{{.*}}, %[[GW]] channel(0) : tensor<3xf32>, tensor<4x3xf32>
// COLLECTIVE-NEXT: ps.apply @b, %[[M]]#0
// COLLECTIVE-NEXT: ps.apply @w, %[[M]]#1
// COLLECTIVE-NOT: ps.program

// A gradient that does not fit leaves alone, as soon as it exists.

// BUCKETS: %[[M0:.*]] = ps.all_reduce %{{.*}} channel(0) : tensor<3xf32>
// BUCKETS: stablehlo.dot_general {{.*}} -> tensor<4x3xf32>
// BUCKETS-NEXT: %[[M1:.*]] = ps.all_reduce %{{.*}} channel(1) : tensor<4x3xf32>
// BUCKETS-NEXT: ps.apply @b, %[[M0]]
// BUCKETS-NEXT: ps.apply @w, %[[M1]]

// Each variable goes its own way.

// HYBRID: ps.variable @b {{.*}} {sync = all_reduce}
// HYBRID: func.func @startup() {
// HYBRID-NEXT: ps.broadcast @b channel(0)
// HYBRID-NEXT: %[[R:.*]] = ps.recv @w
// HYBRID-NEXT: ps.fetch_barrier(%[[R]])
// HYBRID: func.func @train
// HYBRID-NEXT: %[[S:.*]] = ps.send @w
// HYBRID-NEXT: %[[M:.*]] = ps.all_reduce %{{.*}} channel(0) : tensor<3xf32>
// HYBRID: ps.apply @b, %[[M]]
// HYBRID: ps.send_barrier(%[[S]])
// HYBRID-NEXT: ps.recv @w
// HYBRID-NEXT: ps.fetch_barrier
// HYBRID: ps.program @pserver_0
// HYBRID-NOT: @b

// A bucket ends before the first update of one of its variables: what comes
// after it may depend on the new value.

// READS: %[[M0:.*]] = ps.all_reduce %arg0 channel(0)
// READS-NEXT: ps.apply @p, %[[M0]]
// READS: %[[G:.*]] = stablehlo.multiply
// READS-NEXT: %[[M1:.*]] = ps.all_reduce %[[G]] channel(1)
// READS-NEXT: ps.apply @q, %[[M1]]

// PSERVERS: error: mode=collective trains without pservers, found pservers=a:1: leave them out or choose mode=sync
// GEO-MOMENTUM: momentum.mlir:{{.*}}: error: 'ps.apply' op updates '@w' by #ps.momentum<{{.*}}>, but mode=geo sums the steps of several trainers: use an optimizer whose steps may be summed, such as #ps.sgd, or mode=sync or mode=async, which keep the optimizer
// ASYNC-NORM: norm.mlir:{{.*}}: error: 'ps.apply' op clips '@w' by a norm over all gradients of a step, but in mode=half-async every gradient is applied when it arrives: clip by the variable's own norm or by value, or use mode=sync
// ASYNC-HYBRID: hybrid.mlir:{{.*}}: error: 'ps.variable' op has sync = all_reduce, which needs trainers that step together: expected mode=sync or mode=collective, found mode=async
// COLLECTIVE-PIN: pinned.mlir:{{.*}}: error: 'ps.variable' op is pinned to pserver 0, but mode=collective has none: leave out server or choose mode=sync

//--- graph.mlir
ps.variable @w : tensor<4x3xf32> init(#ps.xavier_uniform)
ps.variable @b : tensor<3xf32> init(#ps.constant<0.5>)
func.func @train(%x: tensor<?x4xf32> {ps.feed = "x"}) -> (tensor<f32> {ps.fetch = "loss"}) {
  %w = ps.read @w : tensor<4x3xf32>
  %b = ps.read @b : tensor<3xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<f32>
  %t = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.add %s, %t : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %loss : tensor<f32>
}

//--- hybrid.mlir
ps.variable @w : tensor<4x3xf32> init(#ps.xavier_uniform)
ps.variable @b : tensor<3xf32> init(#ps.constant<0.5>) {sync = all_reduce}
func.func @train(%gb: tensor<3xf32> {ps.feed = "gb"}, %gw: tensor<4x3xf32> {ps.feed = "gw"}) {
  ps.apply @b, %gb using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<3xf32>
  ps.apply @w, %gw using(#ps.sgd<learning_rate = 0.1>) : tensor<4x3xf32>
  return
}

//--- reads.mlir
ps.variable @p : tensor<3xf32> init(#ps.constant<0.5>)
ps.variable @q : tensor<3xf32> init(#ps.constant<0.5>)
func.func @train(%g: tensor<3xf32> {ps.feed = "g"}) {
  ps.apply @p, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  %p = ps.read @p : tensor<3xf32>
  %h = stablehlo.multiply %p, %g : tensor<3xf32>
  ps.apply @q, %h using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return
}

//--- momentum.mlir
ps.variable @w : tensor<3xf32> init(#ps.constant<0.5>)
func.func @train(%g: tensor<3xf32> {ps.feed = "g"}) {
  ps.apply @w, %g using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<3xf32>
  return
}

//--- pinned.mlir
ps.variable @w : tensor<3xf32> init(#ps.constant<0.5>) {server = 0}
func.func @train(%g: tensor<3xf32> {ps.feed = "g"}) {
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return
}

//--- schedule.mlir
ps.variable @p : tensor<3xf32> init(#ps.constant<0.5>)
ps.variable @q : tensor<3xf32> init(#ps.constant<0.5>)
func.func @train(%g: tensor<3xf32> {ps.feed = "g"}) {
  ps.apply @p, %g using(#ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.1, decay_steps = 2, decay_rate = 0.5>>) : tensor<3xf32>
  ps.apply @q, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return
}

//--- norm.mlir
ps.variable @w : tensor<3xf32> init(#ps.constant<0.5>)
func.func @train(%g: tensor<3xf32> {ps.feed = "g"}) {
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_global_norm<1.0>) : tensor<3xf32>
  return
}
