// RUN: ps-opt %s --verify-roundtrip | FileCheck %s

ps.table @emb : tensor<100x16xf32> init(#ps.constant<0.0>)
ps.variable @emb.velocity : tensor<16xf32> init(#ps.constant<0.0>) slot_of(@emb) {trainable = false}

// CHECK-LABEL: exec.program @train
exec.program @train {
  // CHECK: %[[S:.*]] = exec.ragged_feed "s" : memref<?xi64>
  %s = exec.ragged_feed "s" : memref<?xi64>
  // CHECK: exec.ragged_feed "s" worker(1) : memref<?xi64>
  %s1 = exec.ragged_feed "s" worker(1) : memref<?xi64>
  // CHECK: %[[W:.*]] = exec.ragged_feed "s.weights" : memref<?xf32>
  %w = exec.ragged_feed "s.weights" : memref<?xf32>
  %o = exec.feed "s.offsets" : memref<8xi64>
  %i = exec.feed "i" : memref<8x2xi64>
  %x = exec.feed "rate" : memref<f32>
  // CHECK: %[[R:.*]] = exec.rows @emb lookups(2) : !ps.rows<16 x f32>
  %r = exec.rows @emb lookups(2) : !ps.rows<16 x f32>
  %e = exec.buffer : memref<8x16xf32>
  %d = exec.buffer : memref<8x2x16xf32>
  // CHECK: %[[T0:.*]] = exec.prefetch %[[R]] ids(%[[S]], %{{.*}} : memref<?xi64>, memref<8x2xi64>) paddings([3, unit]) : !ps.rows<16 x f32>
  %t0 = exec.prefetch %r ids(%s, %i : memref<?xi64>, memref<8x2xi64>) paddings([3, unit]) : !ps.rows<16 x f32>
  // CHECK: %[[T1:.*]] = exec.lookup %[[R]] lookup(0) pool(sum) segments(%{{.*}} : memref<8xi64>) weights(%[[W]] : memref<?xf32>) outs(%{{.*}} : memref<8x16xf32>) after(%[[T0]]) : !ps.rows<16 x f32>
  %t1 = exec.lookup %r lookup(0) pool(sum) segments(%o : memref<8xi64>) weights(%w : memref<?xf32>) outs(%e : memref<8x16xf32>) after(%t0) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_gradient %[[R]] lookup(1) ins(%{{.*}} : memref<8x2x16xf32>) after(%[[T1]]) : !ps.rows<16 x f32>
  %t2 = exec.lookup_gradient %r lookup(1) ins(%d : memref<8x2x16xf32>) after(%t1) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_clicks %[[R]] lookup(1) ins(%{{.*}} : memref<8x2x16xf32>) after(%[[T1]]) : !ps.rows<16 x f32>
  %tc = exec.lookup_clicks %r lookup(1) ins(%d : memref<8x2x16xf32>) after(%t1) : !ps.rows<16 x f32>
  // CHECK: exec.push_rows %[[R]] to([@pserver_0, @pserver_1]) after(%{{.*}}) : !ps.rows<16 x f32>
  %t3 = exec.push_rows %r to([@pserver_0, @pserver_1]) after(%t2) : !ps.rows<16 x f32>
  // CHECK: exec.update_rows %[[R]] rate(%{{.*}} : memref<f32>) with(@emb.update_row) after(%{{.*}}) : !ps.rows<16 x f32>
  %t4 = exec.update_rows %r rate(%x : memref<f32>) with(@emb.update_row) after(%t3) : !ps.rows<16 x f32>
  // CHECK: exec.prefetch %[[R]] ids(%{{.*}} : memref<8x2xi64>) from([@pserver_0]) frozen after(%{{.*}}) : !ps.rows<16 x f32>
  %t5 = exec.prefetch %r ids(%i : memref<8x2xi64>) from([@pserver_0]) frozen after(%t4) : !ps.rows<16 x f32>
}

// CHECK-LABEL: exec.program @exchange every(4) then(@merge) arena(0)
exec.program @exchange every(4) then(@merge) arena(0) {
  %n = exec.feed "parts" : memref<f32>
  %r = exec.rows @emb : !ps.rows<16 x f32>
  // CHECK: %[[C:.*]] = exec.collect_changes %{{.*}} parts(%{{.*}} : memref<f32>) : !ps.rows<16 x f32>
  %t0 = exec.collect_changes %r parts(%n : memref<f32>) : !ps.rows<16 x f32>
  // CHECK: exec.pull_changes @emb from([@pserver_0]) after(%[[C]])
  %t1 = exec.pull_changes @emb from([@pserver_0]) after(%t0)
}

// CHECK-LABEL: exec.program @merge
exec.program @merge {
  // CHECK: exec.merge_changes @emb
  %t = exec.merge_changes @emb
}

ps.table @other : tensor<100x16xf32> init(#ps.constant<0.0>)

// CHECK-LABEL: exec.program @in_place
exec.program @in_place {
  %v = exec.feed "v" : memref<8x16xf32>
  %o = exec.feed "o" : memref<8xi64>
  %x = exec.feed "rate" : memref<f32>
  %d = exec.buffer : memref<8x6xf32>
  // CHECK: %[[R:.*]] = exec.rows @emb
  %r = exec.rows @emb lookups(1) : !ps.rows<16 x f32>
  // CHECK: %[[C:.*]] = exec.rows @other
  %c = exec.rows @other lookups(2) : !ps.rows<16 x f32>
  // CHECK: %[[T0:.*]] = exec.lookup_dot %[[R]] lookup(0) ins(%{{.*}} : memref<8x16xf32>) outs(%{{.*}} : memref<8x6xf32>) : !ps.rows<16 x f32>
  %t0 = exec.lookup_dot %r lookup(0) ins(%v : memref<8x16xf32>) outs(%d : memref<8x6xf32>) : !ps.rows<16 x f32>
  // CHECK: %[[T1:.*]] = exec.lookup_dot %[[R]] lookup(0) of(%[[C]] lookup(1) : !ps.rows<16 x f32>) outs(%{{.*}} : memref<8x6xf32>) after(%[[T0]]) : !ps.rows<16 x f32>
  %t1 = exec.lookup_dot %r lookup(0) of(%c lookup(1) : !ps.rows<16 x f32>) outs(%d : memref<8x6xf32>) after(%t0) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_update %[[R]] lookup(0) pool(sum) segments(%{{.*}} : memref<8xi64>) weights(%{{.*}} : memref<8x6xf32>) ins(%{{.*}} : memref<8x16xf32>) rate(%{{.*}} : memref<f32>) with(@emb.update_row) after(%[[T1]]) : !ps.rows<16 x f32>
  %t2 = exec.lookup_update %r lookup(0) pool(sum) segments(%o : memref<8xi64>) weights(%d : memref<8x6xf32>) ins(%v : memref<8x16xf32>) rate(%x : memref<f32>) with(@emb.update_row) after(%t1) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_update %[[R]] lookup(0) of(%[[C]] lookup(1) : !ps.rows<16 x f32>) with(@emb.update_row)
  %t3 = exec.lookup_update %r lookup(0) of(%c lookup(1) : !ps.rows<16 x f32>) with(@emb.update_row) after(%t2) : !ps.rows<16 x f32>
}

// CHECK-LABEL: exec.program @emb.update
exec.program @emb.update {
  // CHECK: exec.rows @emb feed("grad") : !ps.rows<16 x f32>
  %g = exec.rows @emb feed("grad") : !ps.rows<16 x f32>
  // CHECK: exec.update_rows %{{.*}} with(@emb.update_row) : !ps.rows<16 x f32>
  %t = exec.update_rows %g with(@emb.update_row) : !ps.rows<16 x f32>
}

// CHECK-LABEL: exec.program @emb.update_row row_of(@emb) arena(64)
exec.program @emb.update_row row_of(@emb) arena(64) {
  // CHECK: exec.variable @emb : memref<16xf32>
  %r = exec.variable @emb : memref<16xf32>
  // CHECK: exec.variable @emb.velocity : memref<16xf32>
  %v = exec.variable @emb.velocity : memref<16xf32>
}
