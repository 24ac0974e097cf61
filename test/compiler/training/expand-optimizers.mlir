// RUN: ps-opt %s --split-input-file --ps-expand-optimizers --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @sgd
func.func @sgd(%grad: tensor<4xf32>) {
  // CHECK: %[[W:.*]] = ps.read @w : tensor<4xf32>
  // CHECK: dense<5.000000e-01>
  // CHECK: %[[STEP:.*]] = stablehlo.multiply
  // CHECK: %[[NEW:.*]] = stablehlo.subtract %[[W]], %[[STEP]]
  // CHECK: ps.assign @w, %[[NEW]]
  ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.5>) : tensor<4xf32>
  return
}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)

// -----

// The scale of the variable is part of the rate.

// CHECK-LABEL: @scaled
func.func @scaled(%grad: tensor<4xf32>) {
  // CHECK: dense<2.500000e-01>
  ps.apply @b, %grad using(#ps.sgd<learning_rate = 0.5>) : tensor<4xf32>
  return
}
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>) {learning_rate_scale = 0.5 : f64}

// -----

// CHECK: ps.variable @w : tensor<4xf32>
// CHECK-NEXT: ps.variable @w.velocity : tensor<4xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @momentum
func.func @momentum(%grad: tensor<4xf32>) {
  // CHECK: ps.read @w :
  // CHECK: ps.read @w.velocity
  // CHECK: ps.assign @w,
  // CHECK: ps.assign @w.velocity
  ps.apply @w, %grad using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<4xf32>
  return
}

// -----

// The slot of a slice is a slice of the slot.

// CHECK: ps.variable @w.block1.velocity : tensor<2x4xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w.velocity", row_offset = 3, rows = 2, origin_type = tensor<5x4xf32>>) slot_of(@w.block1)
ps.variable @w.block1 : tensor<2x4xf32> init(#ps.constant<0.0>)
  slice(#ps.slice<origin = "w", row_offset = 3, rows = 2, origin_type = tensor<5x4xf32>>)
func.func @slice(%grad: tensor<2x4xf32>) {
  ps.apply @w.block1, %grad using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<2x4xf32>
  return
}

// -----

// A scalar slot is the whole one in every block.

// CHECK: ps.variable @w.block1.step : tensor<f32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w.step", row_offset = 0, rows = 1, origin_type = tensor<f32>>) slot_of(@w.block1)
ps.variable @w.block1 : tensor<2x4xf32> init(#ps.constant<0.0>)
  slice(#ps.slice<origin = "w", row_offset = 3, rows = 2, origin_type = tensor<5x4xf32>>)
func.func @scalar_of_slice(%grad: tensor<2x4xf32>) {
  ps.apply @w.block1, %grad using(#ps.adam<learning_rate = 0.1>) : tensor<2x4xf32>
  return
}

// -----

// Clip, then regularize, then update.

// CHECK-LABEL: @order
func.func @order(%grad: tensor<4xf32>) {
  // CHECK: %[[W:.*]] = ps.read @w
  // CHECK: %[[CLIPPED:.*]] = stablehlo.clamp
  // CHECK: %[[DECAY:.*]] = stablehlo.multiply {{.*}}, %[[W]]
  // CHECK: %[[G:.*]] = stablehlo.add %[[CLIPPED]], %[[DECAY]]
  // CHECK: stablehlo.multiply {{.*}}, %[[G]]
  // CHECK: stablehlo.subtract %[[W]]
  ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.25>) : tensor<4xf32>
  return
}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)

// -----

// One norm of the gradients that need it, in order of name; the applies that
// wait for it move to the last of them.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<2xf64> init(#ps.constant<0.0>)
ps.variable @c : tensor<2xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @global_norm
// CHECK-SAME: %[[B:.*]]: tensor<2xf64>, %[[A:.*]]: tensor<4xf32>
func.func @global_norm(%b: tensor<2xf64>, %a: tensor<4xf32>) {
  ps.apply @b, %b using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf64>
  // CHECK: ps.assign @c
  %c = stablehlo.constant dense<1.0> : tensor<2xf32>
  ps.apply @c, %c using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_norm<1.0>) : tensor<2xf32>
  // CHECK: %[[WIDE:.*]] = stablehlo.convert %[[A]] : (tensor<4xf32>) -> tensor<4xf64>
  // CHECK: %[[AA:.*]] = stablehlo.multiply %[[WIDE]], %[[WIDE]]
  // CHECK: %[[SA:.*]] = stablehlo.reduce(%[[AA]]
  // CHECK: %[[BB:.*]] = stablehlo.multiply %[[B]], %[[B]]
  // CHECK: %[[SB:.*]] = stablehlo.reduce(%[[BB]]
  // CHECK: %[[SUM:.*]] = stablehlo.add %[[SA]], %[[SB]]
  // CHECK: %[[NORM:.*]] = stablehlo.sqrt %[[SUM]] : tensor<f64>
  // CHECK: ps.read @b
  // CHECK: stablehlo.maximum {{.*}}, %[[NORM]]
  // CHECK: ps.assign @b
  // CHECK: ps.read @a
  // CHECK: stablehlo.convert %[[NORM]] : (tensor<f64>) -> tensor<f32>
  // CHECK: ps.assign @a
  // CHECK-NOT: ps.apply
  ps.apply @a, %a using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<2.0>) : tensor<4xf32>
  return
}

// -----

// The norm and the rate that are given are taken.

// CHECK-LABEL: @given
// CHECK-SAME: %[[GRAD:.*]]: tensor<4xf32>, %[[RATE:.*]]: tensor<f32>, %[[NORM:.*]]: tensor<f32>
func.func @given(%grad: tensor<4xf32>, %rate: tensor<f32>, %norm: tensor<f32>) {
  // CHECK-NOT: @global_step
  // CHECK: stablehlo.maximum {{.*}}, %[[NORM]]
  // CHECK: %[[SCALED:.*]] = stablehlo.multiply %[[RATE]]
  // CHECK: stablehlo.broadcast_in_dim %[[SCALED]]
  ps.apply @w, %grad rate(%rate : tensor<f32>) norm(%norm : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) clip(#ps.clip_by_global_norm<1.0>) : tensor<4xf32>
  return
}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>) {learning_rate_scale = 0.5 : f64}

// -----

// A gradient of the norm that comes too late.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)
func.func @late(%a: tensor<4xf32>) {
  // expected-error@+1 {{needs the norm of all gradients of the step, but '@a' is used before they are known: expected that use before this update or after the last one}}
  ps.apply @a, %a using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<1.0>) : tensor<4xf32>
  // expected-note@+1 {{the use is here}}
  %b = ps.read @a : tensor<4xf32>
  // expected-note@+1 {{the last update is here}}
  ps.apply @b, %b using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<1.0>) : tensor<4xf32>
  return
}

// -----

// One count of the step, and each distinct rate once.

// CHECK: ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @c : tensor<4xf64> init(#ps.constant<0.0>)
// CHECK-LABEL: @schedules
func.func @schedules(%g: tensor<4xf32>, %h: tensor<4xf64>) {
  // CHECK: %[[STEP:.*]] = ps.read @global_step : tensor<i64>
  // CHECK: stablehlo.power
  // CHECK: %[[RATE:.*]] = stablehlo.convert {{.*}} -> tensor<f32>
  // CHECK: stablehlo.power
  // CHECK: %[[WIDE:.*]] = stablehlo.multiply {{.*}} : tensor<f64>
  // CHECK-NOT: stablehlo.power
  // CHECK: %[[NEXT:.*]] = stablehlo.add %[[STEP]]
  // CHECK: ps.assign @global_step, %[[NEXT]]
  // CHECK-NOT: @global_step
  // CHECK: stablehlo.broadcast_in_dim %[[RATE]]
  // CHECK: stablehlo.broadcast_in_dim %[[RATE]]
  // CHECK: stablehlo.broadcast_in_dim %[[WIDE]]
  ps.apply @a, %g using(#ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>) : tensor<4xf32>
  ps.apply @b, %g using(#ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>) : tensor<4xf32>
  ps.apply @c, %h using(#ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>) : tensor<4xf64>
  return
}

// -----

// Narrow variables are updated in f32, and so is their state.

// CHECK: ps.variable @w.velocity : tensor<4xf32>
ps.variable @w : tensor<4xbf16> init(#ps.constant<0.0>)
// CHECK-LABEL: @narrow
func.func @narrow(%grad: tensor<4xbf16>) {
  // CHECK: dense<1.000000e-03> : tensor<f32>
  // CHECK: %[[NEW:.*]] = stablehlo.subtract {{.*}} : tensor<4xf32>
  // CHECK: %[[NARROW:.*]] = stablehlo.convert %[[NEW]] : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK: ps.assign @w, %[[NARROW]]
  ps.apply @w, %grad using(#ps.momentum<learning_rate = 0.001, momentum = 0.9>) : tensor<4xbf16>
  return
}

// -----

// A count of the user's own is no schedule's, even of the same name. All
// functions share the one that is.

// CHECK: ps.variable @global_step_ : tensor<i64> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK: ps.variable @global_step : tensor<i64>
ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) {trainable = false}
// CHECK-NOT: ps.variable
// CHECK-LABEL: @taken_step
func.func @taken_step(%grad: tensor<4xf32>) {
  // CHECK: ps.read @global_step_ :
  // CHECK: ps.assign @global_step_,
  ps.apply @w, %grad using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) : tensor<4xf32>
  return
}
// CHECK-LABEL: @again
func.func @again(%grad: tensor<4xf32>) {
  // CHECK: ps.read @global_step_ :
  ps.apply @w, %grad using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) : tensor<4xf32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
// expected-note@+1 {{here}}
ps.variable @w.velocity : tensor<4xf32> init(#ps.constant<0.0>)
func.func @taken(%grad: tensor<4xf32>) {
  // expected-error@+1 {{needs the name '@w.velocity' for its state, but it is taken}}
  ps.apply @w, %grad using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<4xf32>
  return
}

// -----

// What an exchange works with is no slot.

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
// expected-note@+1 {{here}}
ps.variable @w.velocity : tensor<4xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false, transient}
func.func @transient(%grad: tensor<4xf32>) {
  // expected-error@+1 {{needs the name '@w.velocity' for its state, but it is taken}}
  ps.apply @w, %grad using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<4xf32>
  return
}

// -----

// The program has not been selected.

ps.program @trainer role(trainer) cluster(#ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0">) {
  ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
  func.func @train(%grad: tensor<4xf32>) {
    // expected-error@+1 {{updates '@w', which is not a variable of the module}}
    ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
    return
  }
}

// -----

// A table is updated row by row, in a function that all its rows share. Slots,
// scalars among them, are those of a row.

// CHECK: ps.table @emb
// CHECK-DAG: ps.variable @emb.moment1 : tensor<4xf32> init(#ps.constant<0.0>) slot_of(@emb) {trainable = false}
// CHECK-DAG: ps.variable @emb.step : tensor<f32> init(#ps.constant<0.0>) slot_of(@emb) {trainable = false}
ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>) {learning_rate_scale = 0.5 : f64}
// CHECK-LABEL: func.func @table
func.func @table(%rows: !ps.rows<4 x f32>) {
  // CHECK-NEXT: ps.update_rows @emb, %arg0 with(@emb.update_row) : !ps.rows<4 x f32>
  // CHECK-NEXT: return
  ps.apply_rows @emb, %rows using(#ps.adam<learning_rate = 0.5>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.01>) : !ps.rows<4 x f32>
  return
}
// CHECK-LABEL: func.func private @emb.update_row
// CHECK-SAME: (%arg0: tensor<4xf32> {ps.feed = "grad"}) attributes {ps.row_of = @emb}
// CHECK: %[[ROW:.*]] = ps.read @emb : tensor<4xf32>
// CHECK: ps.read @emb.moment1 : tensor<4xf32>
// CHECK: stablehlo.clamp
// CHECK: stablehlo.multiply %{{.*}}, %[[ROW]]
// CHECK: dense<2.500000e-01> : tensor<f32>
// CHECK: ps.assign @emb, %{{.*}} : tensor<4xf32>
// CHECK: ps.assign @emb.moment1

// -----

// The rate of a schedule is that of the step: it is computed beside the update,
// and the step is counted once. Where only tables need it, the count is nobody's
// slot: a table's would be one of each row.

// CHECK: ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
// CHECK: ps.table @emb :
ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>)
ps.table @other : tensor<100x4xf64> init(#ps.constant<0.0>)
// CHECK-LABEL: func.func @scheduled_table
func.func @scheduled_table(%rows: !ps.rows<4 x f32>, %others: !ps.rows<4 x f64>) {
  // CHECK: ps.read @global_step
  // CHECK: ps.assign @global_step
  // CHECK-NOT: ps.assign @global_step
  // CHECK: ps.update_rows @emb, %arg0 rate(%[[RATE:.*]] : tensor<f32>) with(@emb.update_row)
  // CHECK: ps.update_rows @other, %arg1 rate(%[[OTHER:.*]] : tensor<f64>) with(@other.update_row)
  ps.apply_rows @emb, %rows using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<4 x f32>
  ps.apply_rows @other, %others using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<4 x f64>
  return
}
// CHECK: func.func private @emb.update_row(%arg0: tensor<4xf32> {ps.feed = "grad"}, %[[R:.*]]: tensor<f32> {ps.feed = "rate"})
// CHECK-NOT: global_step
// CHECK: return

// -----

// With variables, the count stays theirs.

// CHECK: ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @scheduled_both(%rows: !ps.rows<4 x f32>, %grad: tensor<4xf32>) {
  ps.apply_rows @emb, %rows using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<4 x f32>
  ps.apply @w, %grad using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : tensor<4xf32>
  return
}

// -----

ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>)
func.func @row_function_taken(%rows: !ps.rows<4 x f32>) {
  // expected-error@+1 {{needs the name '@emb.update_row' for its update, but it is taken}}
  ps.apply_rows @emb, %rows using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<4 x f32>
  return
}
// expected-note@+1 {{here}}
func.func @emb.update_row() {
  return
}

// -----

ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>)
// expected-note@+1 {{here}}
ps.variable @emb.velocity : tensor<4xf32> init(#ps.constant<0.0>)
func.func @row_slot_taken(%rows: !ps.rows<4 x f32>) {
  // expected-error@+1 {{needs the name '@emb.velocity' for its state, but it is taken}}
  ps.apply_rows @emb, %rows using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : !ps.rows<4 x f32>
  return
}

// -----

ps.program @trainer role(trainer) cluster(#ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0">) {
  ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>)
  func.func @train(%rows: !ps.rows<4 x f32>) {
    // expected-error@+1 {{updates '@emb', which is not a table of the module}}
    ps.apply_rows @emb, %rows using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<4 x f32>
    return
  }
}
