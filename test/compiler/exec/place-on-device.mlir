// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-place-on-device))" | FileCheck %s
// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-place-on-device{variables=false}))" | FileCheck %s --check-prefix=JOB
// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-place-on-device{feeds=true}))" | FileCheck %s --check-prefix=FEEDS

func.func private @scale(%x: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %y = stablehlo.add %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

ps.variable @w : tensor<8xf32> init(#ps.constant<0.0>)

// What the caller fills is copied to the device before it is first used there,
// and what it reads is copied back at the end; a variable is on the device.

// CHECK-LABEL: exec.program @step
// CHECK: %[[X:.*]] = exec.feed "x" : memref<8xf32>
// CHECK: %[[X_HERE:.*]] = exec.buffer : memref<8xf32, #exec.space<device>>
// CHECK: %[[W:.*]] = exec.variable @w : memref<8xf32, #exec.space<device>>
// CHECK-DAG: %[[Y:.*]] = exec.buffer : memref<8xf32>
// CHECK-DAG: %[[Y_HERE:.*]] = exec.buffer : memref<8xf32, #exec.space<device>>
// CHECK: exec.copy %[[X]] to %[[X_HERE]]
// CHECK: exec.launch @scale rows(8) ins(%[[X_HERE]] : {{.*}}) outs(%[[Y_HERE]]
// CHECK-NOT: exec.copy
// CHECK: exec.launch @scale rows(8) ins(%[[Y_HERE]] : {{.*}}) outs(%[[W]]
// CHECK: exec.fetch "y", %[[Y]] : memref<8xf32>
// CHECK: exec.copy %[[Y_HERE]] to %[[Y]]
// CHECK-NOT: exec.copy

// Where others read and write variables, they stay on the host.

// JOB-LABEL: exec.program @step
// JOB: %[[W:.*]] = exec.variable @w : memref<8xf32>
// JOB: exec.launch
// JOB: exec.launch {{.*}} outs(%[[W_HERE:.*]] :
// JOB: exec.copy %[[W_HERE]] to %[[W]]

// The caller fills feeds where they are read: on the device alone, and below in
// both memories.

// FEEDS-LABEL: exec.program @step
// FEEDS: %[[X:.*]] = exec.feed "x" : memref<8xf32, #exec.space<device>>
// FEEDS-NOT: exec.feed
// FEEDS: exec.launch @scale rows(8) ins(%[[X]]
exec.program @step {
  %x = exec.feed "x" : memref<8xf32>
  %w = exec.variable @w : memref<8xf32>
  %y = exec.buffer : memref<8xf32>
  %t0 = exec.launch @scale rows(8) ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  %t1 = exec.launch @scale rows(8) ins(%y : memref<8xf32>) outs(%w : memref<8xf32>)
  exec.fetch "y", %y : memref<8xf32>
}

// -----

// What trainers pull from a pserver is in both memories when an update ends,
// the slots of its optimizer on the device only.

func.func private @update(%w: tensor<?xf32>, %g: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) attributes {exec.kernel} {
  %y = stablehlo.add %w, %g : tensor<?xf32>
  return %y, %g : tensor<?xf32>, tensor<?xf32>
}

ps.variable @w : tensor<8xf32> init(#ps.constant<0.0>) {exec.pulled}
ps.variable @rate : tensor<8xf32> init(#ps.constant<0.0>) {exec.pulled}
ps.variable @w.slot : tensor<8xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}

// CHECK-LABEL: exec.program @w.update
// CHECK-DAG: %[[W:.*]] = exec.variable @w {exec.pulled} : memref<8xf32, #exec.space<device>>
// CHECK-DAG: %[[W_HOST:.*]] = exec.variable @w {exec.pulled} : memref<8xf32>{{$}}
// CHECK-DAG: exec.variable @w.slot : memref<8xf32, #exec.space<device>>
// CHECK-NOT: exec.variable @w.slot : memref<8xf32>{{$}}
// CHECK: exec.copy %{{.*}} to %[[G:.*]] : memref<8xf32>, memref<8xf32, #exec.space<device>>
// CHECK: exec.launch @update rows(8) ins(%[[W]], %[[G]] :
// CHECK-NEXT: exec.copy %[[W]] to %[[W_HOST]]
// CHECK-NOT: exec.copy

// JOB-LABEL: exec.program @w.update
// JOB-NOT: exec.variable {{.*}}device
exec.program @w.update {
  %g = exec.feed "grad" : memref<8xf32>
  %w = exec.variable @w {exec.pulled} : memref<8xf32>
  %slot = exec.variable @w.slot : memref<8xf32>
  %t0 = exec.launch @update rows(8) ins(%w, %g : memref<8xf32>, memref<8xf32>) outs(%w, %slot : memref<8xf32>, memref<8xf32>)
}

// A node of the host reads there what nothing has changed.

// CHECK-LABEL: exec.program @read
// CHECK: %[[RATE:.*]] = exec.variable @rate {exec.pulled} : memref<8xf32>{{$}}
// CHECK-NOT: exec.copy
// CHECK: exec.metric mean("a", %[[RATE]])
exec.program @read {
  %rate = exec.variable @rate {exec.pulled} : memref<8xf32>
  %t0 = exec.metric mean("a", %rate) bins(0) : memref<8xf32>
}

// -----

func.func private @fill(%x: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %y = stablehlo.add %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// A node of the host comes after a copy of what the device made, and what is up
// to date in both is copied once. Constants are in the space that reads them.

// CHECK-LABEL: exec.program @metric
// CHECK: %[[C:.*]] = exec.constant {{.*}} to memref<4xf32, #exec.space<device>>
// CHECK: exec.launch @fill rows(4) ins(%[[C]] : {{.*}}) outs(%[[P_HERE:.*]] :
// CHECK: exec.copy %[[P_HERE]] to %[[P:.*]] : memref<4xf32, #exec.space<device>>, memref<4xf32>
// CHECK: exec.metric mean("a", %[[P]])
// CHECK-NOT: exec.copy
// CHECK: exec.metric mean("b", %[[P]])
exec.program @metric {
  %c = exec.constant dense<1.0> : tensor<4xf32> to memref<4xf32>
  %p = exec.buffer : memref<4xf32>
  %t0 = exec.launch @fill rows(4) ins(%c : memref<4xf32>) outs(%p : memref<4xf32>)
  %t1 = exec.metric mean("a", %p) bins(0) : memref<4xf32>
  %t2 = exec.metric mean("b", %p) bins(0) : memref<4xf32>
}

// -----

// Devices add up gradients in their memory, those of half types excepted. The
// value that is broadcast comes from where the variable is.

ps.variable @w : tensor<8xf32> init(#ps.constant<0.0>)
ps.variable @h : tensor<8xbf16> init(#ps.constant<0.0>)

// CHECK-LABEL: exec.program @reduce
// CHECK-DAG: %[[W:.*]] = exec.variable @w : memref<8xf32, #exec.space<device>>
// CHECK-DAG: %[[W_HOST:.*]] = exec.buffer : memref<8xf32>{{$}}
// CHECK: exec.copy %[[W]] to %[[W_HOST]]
// CHECK: exec.broadcast channel(0) %[[W_HOST]] : memref<8xf32>
// CHECK: exec.copy %[[W_HOST]] to %[[W]]
// CHECK: exec.all_reduce channel(1) ins(%[[W]] : memref<8xf32, #exec.space<device>>) outs(%{{.*}} : memref<8xf32, #exec.space<device>>)
// CHECK: exec.all_reduce channel(2) ins(%{{.*}} : memref<8xbf16>) outs(%{{.*}} : memref<8xbf16>)
exec.program @reduce {
  %w = exec.variable @w : memref<8xf32>
  %h = exec.variable @h : memref<8xbf16>
  %m = exec.buffer : memref<8xf32>
  %n = exec.buffer : memref<8xbf16>
  %t0 = exec.broadcast channel(0) %w : memref<8xf32>
  %t1 = exec.all_reduce channel(1) ins(%w : memref<8xf32>) outs(%m : memref<8xf32>)
  %t2 = exec.all_reduce channel(2) ins(%h : memref<8xbf16>) outs(%n : memref<8xbf16>)
}

// -----

func.func private @scale(%x: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %y = stablehlo.add %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// FEEDS-LABEL: exec.program @read_twice
// FEEDS-DAG: %[[ON_HOST:.*]] = exec.feed "x" worker(1) : memref<8xf32>{{$}}
// FEEDS-DAG: %[[HERE:.*]] = exec.feed "x" worker(1) : memref<8xf32, #exec.space<device>>
// FEEDS: exec.launch @scale rows(8) ins(%[[HERE]] : {{.*}}) outs(%[[Y_HERE:.*]] :
// FEEDS: exec.copy %[[Y_HERE]] to %[[Y:.*]] :
// FEEDS: exec.metric auc("m", %[[Y]], %[[ON_HOST]])
exec.program @read_twice {
  %x = exec.feed "x" worker(1) : memref<8xf32>
  %y = exec.buffer : memref<8xf32>
  %t0 = exec.launch @scale rows(8) ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  %t1 = exec.metric auc("m", %y, %x) bins(16) : memref<8xf32>, memref<8xf32>
}

// -----

// A kernel that sorts one long line stays on the host, as do large factors of
// one matrix; a device sorts many lines, and short ones.

func.func private @sort_line(%x: tensor<4096xf32>) -> tensor<4096xf32> attributes {exec.kernel} {
  %y = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4096xf32>) -> tensor<4096xf32>
  return %y : tensor<4096xf32>
}
func.func private @sort_rows(%x: tensor<?x512xf32>) -> tensor<?x512xf32> attributes {exec.kernel} {
  %y = "stablehlo.sort"(%x) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<?x512xf32>) -> tensor<?x512xf32>
  return %y : tensor<?x512xf32>
}
func.func private @factor(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {exec.kernel} {
  %y = "stablehlo.cholesky"(%x) <{lower = true}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// CHECK-LABEL: exec.program @serial
// CHECK: %[[LINE:.*]] = exec.feed "line" : memref<4096xf32>
// CHECK: %[[ROWS:.*]] = exec.feed "rows"
// CHECK: %[[MATRIX:.*]] = exec.feed "matrix"
// CHECK: exec.launch @sort_line ins(%[[LINE]] : memref<4096xf32>) outs(%{{.*}} : memref<4096xf32>)
// CHECK: exec.launch @sort_rows rows(32) {{.*}} outs(%{{.*}} : memref<32x512xf32, #exec.space<device>>)
// CHECK: exec.launch @sort_rows rows(8) {{.*}} outs(%{{.*}} : memref<8x512xf32>)
// CHECK: exec.launch @factor ins(%[[MATRIX]] : memref<64x64xf32>)
exec.program @serial {
  %line = exec.feed "line" : memref<4096xf32>
  %rows = exec.feed "rows" : memref<32x512xf32>
  %few = exec.feed "few" : memref<8x512xf32>
  %matrix = exec.feed "matrix" : memref<64x64xf32>
  %sorted_line = exec.buffer : memref<4096xf32>
  %sorted_rows = exec.buffer : memref<32x512xf32>
  %sorted_few = exec.buffer : memref<8x512xf32>
  %factor = exec.buffer : memref<64x64xf32>
  %t0 = exec.launch @sort_line ins(%line : memref<4096xf32>) outs(%sorted_line : memref<4096xf32>)
  %t1 = exec.launch @sort_rows rows(32) ins(%rows : memref<32x512xf32>) outs(%sorted_rows : memref<32x512xf32>)
  %t2 = exec.launch @sort_rows rows(8) ins(%few : memref<8x512xf32>) outs(%sorted_few : memref<8x512xf32>)
  %t3 = exec.launch @factor ins(%matrix : memref<64x64xf32>) outs(%factor : memref<64x64xf32>)
  exec.fetch "sorted_line", %sorted_line : memref<4096xf32>
  exec.fetch "sorted_rows", %sorted_rows : memref<32x512xf32>
  exec.fetch "sorted_few", %sorted_few : memref<8x512xf32>
  exec.fetch "factor", %factor : memref<64x64xf32>
}
