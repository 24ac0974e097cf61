// RUN: split-file %s %t
// RUN: ps-opt %t/graph.mlir --ps-transpile="pservers=a:1 trainers=2 accumulate=4" --verify-roundtrip | FileCheck %s --check-prefix=SYNC
// RUN: ps-opt %t/graph.mlir --ps-transpile="mode=collective trainers=2 accumulate=2" --verify-roundtrip | FileCheck %s --check-prefix=COLLECTIVE
// RUN: ps-opt %t/graph.mlir --ps-transpile="mode=async pservers=a:1 accumulate=2" --verify-roundtrip | FileCheck %s --check-prefix=ASYNC
// RUN: ps-opt %t/half.mlir --ps-transpile="pservers=a:1 accumulate=2" | FileCheck %s --check-prefix=HALF
// RUN: ps-opt %t/taken.mlir --ps-transpile="pservers=a:1 accumulate=2" --verify-roundtrip | FileCheck %s --check-prefix=TAKEN
// RUN: ps-opt %t/slot.mlir --ps-transpile="mode=collective trainers=2 accumulate=2" --verify-roundtrip -o %t/slot.dist.mlir
// RUN: ps-opt %t/slot.dist.mlir --ps-select-program="program=trainer function=update" --ps-expand-optimizers | FileCheck %s --check-prefix=SLOT
// RUN: not ps-opt %t/read.mlir --ps-transpile="pservers=a:1 accumulate=2" 2>&1 | FileCheck %s --check-prefix=READ

// A batch adds up; after every fourth one the mean goes to the pservers, and
// what was added up is cleared.

// SYNC: #ps.cluster<{{.*}}accumulate = 4
// SYNC: ps.variable @w.accumulated : tensor<3xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false, transient}
// SYNC: ps.variable @b.accumulated : tensor<f64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false, transient}
// SYNC: ps.variable @accumulated_batches : tensor<i64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false, transient}
// SYNC: func.func @train
// SYNC-NEXT: ps.read @w : tensor<3xf32>
// SYNC-NEXT: %[[OLD:.*]] = ps.read @w.accumulated
// SYNC-NEXT: %[[SUM:.*]] = stablehlo.add %[[OLD]], %arg0
// SYNC-NEXT: ps.assign @w.accumulated, %[[SUM]]
// SYNC: ps.assign @b.accumulated
// SYNC: %[[ONE:.*]] = stablehlo.constant dense<1>
// SYNC-NEXT: %[[COUNT:.*]] = ps.read @accumulated_batches
// SYNC-NEXT: %[[NEXT:.*]] = stablehlo.add %[[COUNT]], %[[ONE]]
// SYNC-NEXT: ps.assign @accumulated_batches, %[[NEXT]]
// SYNC-NEXT: return
// SYNC: func.func @update() attributes {ps.every = 4 : i64} {
// SYNC-NEXT: %[[N:.*]] = ps.read @accumulated_batches
// SYNC-NEXT: %[[N64:.*]] = stablehlo.convert %[[N]] : (tensor<i64>) -> tensor<f64>
// SYNC-NEXT: %[[SUMB:.*]] = ps.read @b.accumulated
// SYNC-NEXT: %[[SPREAD:.*]] = stablehlo.broadcast_in_dim %[[N64]]
// SYNC-NEXT: %[[B:.*]] = stablehlo.divide %[[SUMB]], %[[SPREAD]]
// SYNC-NEXT: %[[SB:.*]] = ps.send @b rows(0, 1), %[[B]]
// SYNC-NEXT: %[[N32:.*]] = stablehlo.convert %[[N]] : (tensor<i64>) -> tensor<f32>
// SYNC: %[[SW:.*]] = ps.send @w
// SYNC: ps.assign @b.accumulated, %{{.*}} : tensor<f64>
// SYNC: ps.assign @w.accumulated, %{{.*}} : tensor<3xf32>
// SYNC: %[[ZERO:.*]] = stablehlo.constant dense<0>
// SYNC-NEXT: ps.assign @accumulated_batches, %[[ZERO]]
// SYNC-NEXT: ps.send_barrier(%[[SB]], %[[SW]])
// SYNC-NEXT: ps.recv @b
// SYNC-NEXT: ps.recv @w
// SYNC-NEXT: ps.fetch_barrier
// SYNC-NEXT: return

// The means travel together, like gradients.

// COLLECTIVE: func.func @train
// COLLECTIVE-NOT: ps.all_reduce
// COLLECTIVE: func.func @update() attributes {ps.every = 2 : i64} {
// COLLECTIVE: %[[M:.*]]:2 = ps.all_reduce
// COLLECTIVE-NEXT: ps.apply @b, %[[M]]#0
// COLLECTIVE-NEXT: ps.apply @w, %[[M]]#1

// ASYNC: func.func @update() attributes {ps.every = 2 : i64} {
// ASYNC-NOT: barrier

// Half types would lose what they add up.

// HALF: ps.variable @w.accumulated : tensor<3xf32>
// HALF: stablehlo.convert %arg0 : (tensor<3xbf16>) -> tensor<3xf32>
// HALF: func.func @update
// HALF: %[[MEAN:.*]] = stablehlo.divide %{{.*}} : tensor<3xf32>
// HALF-NEXT: %[[GRADIENT:.*]] = stablehlo.convert %[[MEAN]] : (tensor<3xf32>) -> tensor<3xbf16>
// HALF-NEXT: ps.send @w rows(0, 3), %[[GRADIENT]]

// Names that are taken stay their owners'.

// TAKEN: ps.variable @w.accumulated_ {{.*}} slot_of(@w)
// TAKEN: func.func @update() {
// TAKEN: func.func @update_() attributes {ps.every = 2 : i64}

// So do those that optimizers give to their slots later.

// SLOT-DAG: ps.variable @w.accumulated_ : tensor<3xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false, transient}
// SLOT-DAG: ps.variable @w.accumulated : tensor<3xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}{{$}}

// READ: read.mlir:{{.*}}: error: 'ps.read' op reads '@w' after its update, which comes after 2 batches (accumulate): expected it before the update

//--- graph.mlir
ps.variable @w : tensor<3xf32> init(#ps.constant<0.5>)
ps.variable @b : tensor<f64> init(#ps.constant<0.5>)
func.func @train(%gw: tensor<3xf32> {ps.feed = "gw"}, %gb: tensor<f64> {ps.feed = "gb"}) -> (tensor<3xf32> {ps.fetch = "w"}) {
  %w = ps.read @w : tensor<3xf32>
  ps.apply @w, %gw using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<3xf32>
  ps.apply @b, %gb using(#ps.sgd<learning_rate = 0.1>) : tensor<f64>
  return %w : tensor<3xf32>
}

//--- half.mlir
ps.variable @w : tensor<3xbf16> init(#ps.constant<0.5>)
func.func @train(%g: tensor<3xbf16> {ps.feed = "g"}) {
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xbf16>
  return
}

//--- taken.mlir
ps.variable @w : tensor<3xf32> init(#ps.constant<0.5>)
ps.variable @w.accumulated : tensor<3xf32> init(#ps.constant<0.5>) {trainable = false}
func.func @train(%g: tensor<3xf32> {ps.feed = "g"}) {
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return
}
func.func @update() {
  return
}

//--- slot.mlir
ps.variable @w : tensor<3xf32> init(#ps.constant<0.5>)
func.func @train(%g: tensor<3xf32> {ps.feed = "g"}) {
  ps.apply @w, %g using(#ps.custom<@sum, learning_rate = 0.1, slots = ["accumulated"]>) : tensor<3xf32>
  return
}
func.func private @sum(%p: tensor<f32>, %g: tensor<f32>, %s: tensor<f32>, %rate: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %sum = stablehlo.add %s, %g : tensor<f32>
  %step = stablehlo.multiply %rate, %sum : tensor<f32>
  %new = stablehlo.subtract %p, %step : tensor<f32>
  return %new, %sum : tensor<f32>, tensor<f32>
}

//--- read.mlir
ps.variable @w : tensor<3xf32> init(#ps.constant<0.5>)
func.func @train(%g: tensor<3xf32> {ps.feed = "g"}) -> (tensor<3xf32> {ps.fetch = "w"}) {
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  %w = ps.read @w : tensor<3xf32>
  return %w : tensor<3xf32>
}
