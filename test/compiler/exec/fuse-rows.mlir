// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-fuse-rows))" | FileCheck %s

ps.table @a : tensor<100x16xf32> init(#ps.constant<0.0>)
ps.table @b : tensor<100x16xf32> init(#ps.constant<0.0>)
exec.program @a.update_row row_of(@a) {
}
exec.program @b.update_row row_of(@b) {
}

// Products are written instead of rows, rows are updated by gradients that are
// kept nowhere, and the vectors of both are read where they are.

// CHECK-LABEL: @skip_grams
exec.program @skip_grams {
  %i = exec.feed "i" : memref<8xi64>
  %j = exec.feed "j" : memref<8x6xi64>
  %o = exec.feed "o" : memref<8xi64>
  %x = exec.feed "rate" : memref<f32>
  // CHECK: %[[A:.*]] = exec.rows @a
  %a = exec.rows @a lookups(1) : !ps.rows<16 x f32>
  // CHECK: %[[B:.*]] = exec.rows @b
  %b = exec.rows @b lookups(1) : !ps.rows<16 x f32>
  %t0 = exec.prefetch %a ids(%i : memref<8xi64>) : !ps.rows<16 x f32>
  %t1 = exec.prefetch %b ids(%j : memref<8x6xi64>) : !ps.rows<16 x f32>
  // CHECK-NOT: memref<8x6x16xf32>
  %v = exec.buffer : memref<8x16xf32>
  %r = exec.buffer : memref<8x6x16xf32>
  %d = exec.buffer : memref<8x6xf32>
  %g = exec.buffer : memref<8x16xf32>
  // CHECK-NOT: exec.lookup %{{.*}} outs
  %t2 = exec.lookup %a lookup(0) outs(%v : memref<8x16xf32>) : !ps.rows<16 x f32>
  %t3 = exec.lookup %b lookup(0) outs(%r : memref<8x6x16xf32>) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_dot %[[B]] lookup(0) of(%[[A]] lookup(0) : !ps.rows<16 x f32>) outs(%[[D:.*]] : memref<8x6xf32>) : !ps.rows<16 x f32>
  // CHECK-NOT: exec.gemm
  %t4 = exec.gemm batch(8) m(6) n(1) k(16) ins(%r, %v : memref<8x6x16xf32>, memref<8x16xf32>) outs(%d : memref<8x6xf32>)
  // CHECK-NOT: exec.lookup_gradient
  %t5 = exec.lookup_gradient %b lookup(0) pool(sum) segments(%o : memref<8xi64>) weights(%d : memref<8x6xf32>) ins(%v : memref<8x16xf32>) : !ps.rows<16 x f32>
  // CHECK: exec.lookup %[[B]] lookup(0) pool(sum)
  %t6 = exec.lookup %b lookup(0) pool(sum) segments(%o : memref<8xi64>) weights(%d : memref<8x6xf32>) outs(%g : memref<8x16xf32>) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_update %[[B]] lookup(0) pool(sum) segments(%{{.*}} : memref<8xi64>) weights(%[[D]] : memref<8x6xf32>) of(%[[A]] lookup(0) : !ps.rows<16 x f32>) rate(%{{.*}} : memref<f32>) with(@b.update_row) : !ps.rows<16 x f32>
  %t7 = exec.update_rows %b rate(%x : memref<f32>) with(@b.update_row) : !ps.rows<16 x f32>
  %t8 = exec.lookup_gradient %a lookup(0) ins(%g : memref<8x16xf32>) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_update %[[A]] lookup(0) ins(%{{.*}} : memref<8x16xf32>) with(@a.update_row) : !ps.rows<16 x f32>
  // CHECK-NOT: exec.update_rows
  %t9 = exec.update_rows %a with(@a.update_row) : !ps.rows<16 x f32>
}

// The rows may be on the right, transposed.

// CHECK-LABEL: @transposed
exec.program @transposed {
  %j = exec.feed "j" : memref<8x6xi64>
  %v = exec.feed "v" : memref<8x16xf32>
  %b = exec.rows @b lookups(1) : !ps.rows<16 x f32>
  %t0 = exec.prefetch %b ids(%j : memref<8x6xi64>) : !ps.rows<16 x f32>
  %r = exec.buffer : memref<8x6x16xf32>
  %d = exec.buffer : memref<8x6xf32>
  %t1 = exec.lookup %b lookup(0) outs(%r : memref<8x6x16xf32>) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_dot %{{.*}} lookup(0) ins(%{{.*}} : memref<8x16xf32>) outs(
  %t2 = exec.gemm batch(8) m(1) n(6) k(16) transpose_b ins(%v, %r : memref<8x16xf32>, memref<8x6x16xf32>) outs(%d : memref<8x6xf32>)
}

// Vectors of the table that is updated are read from the copy: an earlier row
// of the same node may change them.

// CHECK-LABEL: @same_table
exec.program @same_table {
  %i = exec.feed "i" : memref<8xi64>
  %j = exec.feed "j" : memref<8x6xi64>
  %o = exec.feed "o" : memref<8xi64>
  %w = exec.feed "w" : memref<8x6xf32>
  %a = exec.rows @a lookups(2) : !ps.rows<16 x f32>
  %t0 = exec.prefetch %a ids(%i, %j : memref<8xi64>, memref<8x6xi64>) : !ps.rows<16 x f32>
  %v = exec.buffer : memref<8x16xf32>
  // CHECK: exec.lookup %{{.*}} lookup(0) outs(%[[V:.*]] : memref<8x16xf32>)
  %t1 = exec.lookup %a lookup(0) outs(%v : memref<8x16xf32>) : !ps.rows<16 x f32>
  %t2 = exec.lookup_gradient %a lookup(1) pool(sum) segments(%o : memref<8xi64>) weights(%w : memref<8x6xf32>) ins(%v : memref<8x16xf32>) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_update %{{.*}} lookup(1) {{.*}} ins(%[[V]] : memref<8x16xf32>) with
  %t3 = exec.update_rows %a with(@a.update_row) : !ps.rows<16 x f32>
}

// Vectors that are updated before they are read stay a copy of the old ones.

// CHECK-LABEL: @updated_before
exec.program @updated_before {
  %i = exec.feed "i" : memref<8xi64>
  %g = exec.feed "g" : memref<8x16xf32>
  %a = exec.rows @a lookups(1) : !ps.rows<16 x f32>
  %b = exec.rows @b lookups(1) : !ps.rows<16 x f32>
  %t0 = exec.prefetch %a ids(%i : memref<8xi64>) : !ps.rows<16 x f32>
  %t1 = exec.prefetch %b ids(%i : memref<8xi64>) : !ps.rows<16 x f32>
  %v = exec.buffer : memref<8x16xf32>
  // CHECK: exec.lookup %{{.*}} lookup(0) outs(%[[V:.*]] : memref<8x16xf32>)
  %t2 = exec.lookup %a lookup(0) outs(%v : memref<8x16xf32>) : !ps.rows<16 x f32>
  %t3 = exec.lookup_gradient %a lookup(0) ins(%g : memref<8x16xf32>) : !ps.rows<16 x f32>
  %t4 = exec.update_rows %a with(@a.update_row) : !ps.rows<16 x f32>
  %t5 = exec.lookup_gradient %b lookup(0) ins(%v : memref<8x16xf32>) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_update %{{.*}} lookup(0) ins(%[[V]] : memref<8x16xf32>) with(@b.update_row)
  %t6 = exec.update_rows %b with(@b.update_row) : !ps.rows<16 x f32>
}

// Rows that something else reads, too, are written.

// CHECK-LABEL: @read_twice
exec.program @read_twice {
  %j = exec.feed "j" : memref<8x6xi64>
  %v = exec.feed "v" : memref<8x16xf32>
  %b = exec.rows @b lookups(1) : !ps.rows<16 x f32>
  %t0 = exec.prefetch %b ids(%j : memref<8x6xi64>) : !ps.rows<16 x f32>
  %r = exec.buffer : memref<8x6x16xf32>
  %d = exec.buffer : memref<8x6xf32>
  // CHECK: exec.lookup %
  %t1 = exec.lookup %b lookup(0) outs(%r : memref<8x6x16xf32>) : !ps.rows<16 x f32>
  // CHECK: exec.gemm
  %t2 = exec.gemm batch(8) m(6) n(1) k(16) ins(%r, %v : memref<8x6x16xf32>, memref<8x16xf32>) outs(%d : memref<8x6xf32>)
  exec.fetch "rows", %r : memref<8x6x16xf32>
}

// Gradients that add up, are pushed, or come with clicks are kept.

// CHECK-LABEL: @sum
exec.program @sum {
  %i = exec.feed "i" : memref<8xi64>
  %g = exec.feed "g" : memref<8x16xf32>
  %a = exec.rows @a lookups(1) : !ps.rows<16 x f32>
  %t0 = exec.prefetch %a ids(%i : memref<8xi64>) : !ps.rows<16 x f32>
  // CHECK-COUNT-2: exec.lookup_gradient
  %t1 = exec.lookup_gradient %a lookup(0) ins(%g : memref<8x16xf32>) : !ps.rows<16 x f32>
  %t2 = exec.lookup_gradient %a lookup(0) ins(%g : memref<8x16xf32>) : !ps.rows<16 x f32>
  // CHECK: exec.update_rows
  %t3 = exec.update_rows %a with(@a.update_row) : !ps.rows<16 x f32>
}

// CHECK-LABEL: @pushed
exec.program @pushed {
  %i = exec.feed "i" : memref<8xi64>
  %g = exec.feed "g" : memref<8x16xf32>
  %a = exec.rows @a lookups(1) : !ps.rows<16 x f32>
  %t0 = exec.prefetch %a ids(%i : memref<8xi64>) from([@pserver_0]) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_gradient
  %t1 = exec.lookup_gradient %a lookup(0) ins(%g : memref<8x16xf32>) : !ps.rows<16 x f32>
  // CHECK: exec.update_rows
  %t2 = exec.update_rows %a with(@a.update_row) : !ps.rows<16 x f32>
  %t3 = exec.push_rows %a to([@pserver_0]) : !ps.rows<16 x f32>
}

// CHECK-LABEL: @clicks
exec.program @clicks {
  %i = exec.feed "i" : memref<8xi64>
  %g = exec.feed "g" : memref<8x16xf32>
  %c = exec.feed "c" : memref<8xf32>
  %a = exec.rows @a lookups(1) : !ps.rows<16 x f32>
  %t0 = exec.prefetch %a ids(%i : memref<8xi64>) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_gradient
  %t1 = exec.lookup_gradient %a lookup(0) ins(%g : memref<8x16xf32>) : !ps.rows<16 x f32>
  %t2 = exec.lookup_clicks %a lookup(0) ins(%c : memref<8xf32>) : !ps.rows<16 x f32>
  // CHECK: exec.update_rows
  %t3 = exec.update_rows %a with(@a.update_row) : !ps.rows<16 x f32>
}

// Inputs of a gradient that change before the update keep it where it is.

// CHECK-LABEL: @overwritten
exec.program @overwritten {
  %i = exec.feed "i" : memref<8xi64>
  %h = exec.feed "h" : memref<8x16xf32>
  %g = exec.buffer : memref<8x16xf32>
  %a = exec.rows @a lookups(1) : !ps.rows<16 x f32>
  %t0 = exec.prefetch %a ids(%i : memref<8xi64>) : !ps.rows<16 x f32>
  // CHECK: exec.lookup_gradient
  %t1 = exec.lookup_gradient %a lookup(0) ins(%g : memref<8x16xf32>) : !ps.rows<16 x f32>
  %t2 = exec.copy %h to %g : memref<8x16xf32>, memref<8x16xf32>
  // CHECK: exec.update_rows
  %t3 = exec.update_rows %a with(@a.update_row) : !ps.rows<16 x f32>
}
