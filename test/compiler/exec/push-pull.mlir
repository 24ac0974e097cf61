// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-push-pull{small=16}))" | FileCheck %s

// Blocks of up to 16 bytes share a message, larger ones have their own; the
// barriers go. What comes after a pull comes after its push_pull.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @c : tensor<8xf32> init(#ps.constant<0.0>)

// CHECK-LABEL: @grouped
exec.program @grouped {
  %a = exec.variable @a : memref<4xf32>
  %b = exec.variable @b : memref<4xf32>
  %c = exec.variable @c : memref<8xf32>
  // CHECK: %[[DA:.*]] = exec.buffer
  %da = exec.buffer : memref<4xf32>
  // CHECK: %[[DB:.*]] = exec.buffer
  %db = exec.buffer : memref<4xf32>
  // CHECK: %[[DC:.*]] = exec.buffer
  %dc = exec.buffer : memref<8xf32>
  %copy = exec.buffer : memref<4xf32>
  // CHECK: %[[K0:.*]] = exec.copy
  %k0 = exec.copy %a to %da : memref<4xf32>, memref<4xf32>
  // CHECK: %[[K1:.*]] = exec.copy
  %k1 = exec.copy %b to %db : memref<4xf32>, memref<4xf32>
  // CHECK: %[[K2:.*]] = exec.copy
  %k2 = exec.copy %c to %dc : memref<8xf32>, memref<8xf32>
  // CHECK-NOT: exec.send
  %sa = exec.send rows(0, 4) %da to(@pserver_0) block("a") after(%k0) : memref<4xf32>
  %sc = exec.send rows(0, 8) %dc to(@pserver_0) block("c") after(%k2) : memref<8xf32>
  %sb = exec.send rows(0, 4) %db to(@pserver_0) block("b") after(%k1) : memref<4xf32>
  %barrier = exec.send_barrier to([@pserver_0]) after(%sa, %sb, %sc)
  // CHECK: %[[SMALL:.*]] = exec.push_pull rows(0, 4) %[[DA]], rows(0, 4) %[[DB]] into %{{.*}}, %{{.*}} at(@pserver_0) block("a", "b") after(%[[K0]], %[[K1]])
  %ra = exec.recv rows(0, 4) %a from(@pserver_0) block("a") after(%sa, %k0) : memref<4xf32>
  // CHECK: exec.push_pull rows(0, 8) %[[DC]] into %{{.*}} at(@pserver_0) block("c") after(%[[K2]])
  %rc = exec.recv rows(0, 8) %c from(@pserver_0) block("c") after(%sc) : memref<8xf32>
  %rb = exec.recv rows(0, 4) %b from(@pserver_0) block("b") after(%sb, %k1) : memref<4xf32>
  // CHECK-NOT: exec.recv
  // CHECK: exec.copy {{.*}} after(%[[SMALL]])
  %k3 = exec.copy %b to %copy after(%rb) : memref<4xf32>, memref<4xf32>
  // CHECK-NOT: exec.fetch_barrier
  %fetch = exec.fetch_barrier to([@pserver_0]) after(%ra, %rb, %rc, %barrier)
}

// A pull whose place is after something it needs keeps a message of its own.

// CHECK-LABEL: @late_token
exec.program @late_token {
  %a = exec.variable @a : memref<4xf32>
  %b = exec.variable @b : memref<4xf32>
  %da = exec.buffer : memref<4xf32>
  %db = exec.buffer : memref<4xf32>
  %copy = exec.buffer : memref<4xf32>
  %sa = exec.send rows(0, 4) %da to(@pserver_0) block("a") : memref<4xf32>
  %sb = exec.send rows(0, 4) %db to(@pserver_0) block("b") : memref<4xf32>
  %barrier = exec.send_barrier to([@pserver_0]) after(%sa, %sb)
  // CHECK: %[[A:.*]] = exec.push_pull {{.*}} block("a")
  %ra = exec.recv rows(0, 4) %a from(@pserver_0) block("a") after(%sa) : memref<4xf32>
  // CHECK: %[[K:.*]] = exec.copy {{.*}} after(%[[A]])
  %k = exec.copy %b to %copy after(%ra) : memref<4xf32>, memref<4xf32>
  // CHECK: exec.push_pull {{.*}} block("b") after(%[[K]])
  %rb = exec.recv rows(0, 4) %b from(@pserver_0) block("b") after(%sb, %k) : memref<4xf32>
  %fetch = exec.fetch_barrier to([@pserver_0]) after(%ra, %rb, %barrier)
}

// -----

// What is not pushed, such as a learning rate, is final with the end of the
// step: barriers say when that is.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @rate : tensor<f32> init(#ps.constant<0.0>)
// CHECK-LABEL: @not_pushed
exec.program @not_pushed {
  %a = exec.variable @a : memref<4xf32>
  %rate = exec.variable @rate : memref<f32>
  %da = exec.buffer : memref<4xf32>
  // CHECK: exec.send
  %s = exec.send rows(0, 4) %da to(@pserver_0) block("a") : memref<4xf32>
  // CHECK: exec.send_barrier
  %barrier = exec.send_barrier to([@pserver_0]) after(%s)
  // CHECK: exec.recv
  %r = exec.recv rows(0, 4) %a from(@pserver_0) block("a") after(%s) : memref<4xf32>
  %q = exec.recv rows(0, 1) %rate from(@pserver_0) block("rate") after(%barrier) : memref<f32>
  // CHECK: exec.fetch_barrier
  %fetch = exec.fetch_barrier to([@pserver_0]) after(%r, %q, %barrier)
}

// -----

// So it is for a pserver that has no blocks.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @empty_server
exec.program @empty_server {
  %a = exec.variable @a : memref<4xf32>
  %da = exec.buffer : memref<4xf32>
  // CHECK: exec.send
  %s = exec.send rows(0, 4) %da to(@pserver_0) block("a") : memref<4xf32>
  %barrier = exec.send_barrier to([@pserver_0, @pserver_1]) after(%s)
  %r = exec.recv rows(0, 4) %a from(@pserver_0) block("a") after(%s) : memref<4xf32>
  %fetch = exec.fetch_barrier to([@pserver_0, @pserver_1]) after(%r, %barrier)
}

// -----

// Rounds, rows that differ, and other transfers keep their barriers.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @two_rounds
exec.program @two_rounds {
  %a = exec.variable @a : memref<4xf32>
  %da = exec.buffer : memref<4xf32>
  // CHECK: exec.send
  %s = exec.send rows(0, 4) %da to(@pserver_0) block("a") round(1) : memref<4xf32>
  %barrier = exec.send_barrier to([@pserver_0]) round(1) after(%s)
  %r = exec.recv rows(0, 4) %a from(@pserver_0) block("a") round(1) after(%barrier) : memref<4xf32>
  %fetch = exec.fetch_barrier to([@pserver_0]) round(1) after(%r)
}
// CHECK-LABEL: @other_rows
exec.program @other_rows {
  %a = exec.variable @a : memref<4xf32>
  %da = exec.buffer : memref<4xf32>
  // CHECK: exec.send
  %s = exec.send rows(0, 2) %da to(@pserver_0) block("a") : memref<4xf32>
  %barrier = exec.send_barrier to([@pserver_0]) after(%s)
  %r = exec.recv rows(2, 2) %a from(@pserver_0) block("a") after(%s) : memref<4xf32>
  %fetch = exec.fetch_barrier to([@pserver_0]) after(%r, %barrier)
}

// -----

// More than pservers may have to keep of a trainer until they answer.

ps.variable @a : tensor<2097153xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @large
exec.program @large {
  %a = exec.variable @a : memref<2097153xf32>
  %da = exec.buffer : memref<2097153xf32>
  // CHECK: exec.send
  %s = exec.send rows(0, 2097153) %da to(@pserver_0) block("a") : memref<2097153xf32>
  %barrier = exec.send_barrier to([@pserver_0]) after(%s)
  %r = exec.recv rows(0, 2097153) %a from(@pserver_0) block("a") after(%s) : memref<2097153xf32>
  %fetch = exec.fetch_barrier to([@pserver_0]) after(%r, %barrier)
}

// -----

// A fetch of a variable is of its value before the update, so its pull does not
// move over the copy.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @fetched
exec.program @fetched {
  %a = exec.variable @a : memref<4xf32>
  %w = exec.variable @w : memref<4xf32>
  %da = exec.buffer : memref<4xf32>
  %dw = exec.buffer : memref<4xf32>
  %old = exec.buffer : memref<4xf32>
  %sa = exec.send rows(0, 4) %da to(@pserver_0) block("a") : memref<4xf32>
  %sw = exec.send rows(0, 4) %dw to(@pserver_0) block("w") : memref<4xf32>
  %barrier = exec.send_barrier to([@pserver_0]) after(%sa, %sw)
  // CHECK: exec.push_pull {{.*}} block("a")
  %ra = exec.recv rows(0, 4) %a from(@pserver_0) block("a") after(%barrier) : memref<4xf32>
  // CHECK: exec.copy
  %copy = exec.copy %w to %old : memref<4xf32>, memref<4xf32>
  // CHECK: exec.push_pull {{.*}} block("w")
  %rw = exec.recv rows(0, 4) %w from(@pserver_0) block("w") after(%barrier) : memref<4xf32>
  %fetch = exec.fetch_barrier to([@pserver_0]) after(%ra, %rw)
  exec.fetch "w", %old : memref<4xf32>
}

// -----

// What another pull or the caller changes is pushed before that.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @pushes_a_variable
exec.program @pushes_a_variable {
  %a = exec.variable @a : memref<4xf32>
  %w = exec.variable @w : memref<4xf32>
  // CHECK: exec.send
  %sa = exec.send rows(0, 4) %w to(@pserver_0) block("a") : memref<4xf32>
  %sw = exec.send rows(0, 4) %a to(@pserver_0) block("w") : memref<4xf32>
  %barrier = exec.send_barrier to([@pserver_0]) after(%sa, %sw)
  %ra = exec.recv rows(0, 4) %a from(@pserver_0) block("a") after(%barrier) : memref<4xf32>
  %rw = exec.recv rows(0, 4) %w from(@pserver_0) block("w") after(%barrier) : memref<4xf32>
  %fetch = exec.fetch_barrier to([@pserver_0]) after(%ra, %rw)
}

// -----

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
// CHECK-LABEL: @overwritten
exec.program @overwritten {
  %a = exec.variable @a : memref<4xf32>
  %da = exec.buffer : memref<4xf32>
  %x = exec.feed "x" : memref<4xf32>
  // CHECK: exec.send
  %sa = exec.send rows(0, 4) %da to(@pserver_0) block("a") : memref<4xf32>
  %barrier = exec.send_barrier to([@pserver_0]) after(%sa)
  %copy = exec.copy %x to %da after(%barrier) : memref<4xf32>, memref<4xf32>
  %ra = exec.recv rows(0, 4) %a from(@pserver_0) block("a") after(%barrier) : memref<4xf32>
  %fetch = exec.fetch_barrier to([@pserver_0]) after(%ra)
}
