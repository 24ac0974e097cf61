// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-optimize-memory{report=true}))" --verify-diagnostics | FileCheck %s

func.func private @reverse(%0: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %1 = stablehlo.reverse %0, dims = [1] : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func private @negate(%0: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// Neighbors in a chain cannot share; the third takes the first one's bytes.

// CHECK-LABEL: exec.program @chain arena(128)
// expected-remark@+1 {{arena of 128 bytes, 192 without sharing}}
exec.program @chain {
  %x = exec.feed "x" : memref<4x4xf32>
  // CHECK: exec.buffer offset(0) : memref<4x4xf32>
  // CHECK: exec.buffer offset(64) : memref<4x4xf32>
  // CHECK: exec.buffer offset(0) : memref<4x4xf32>
  %a = exec.buffer : memref<4x4xf32>
  %b = exec.buffer : memref<4x4xf32>
  %c = exec.buffer : memref<4x4xf32>
  %t0 = exec.launch @reverse rows(4) ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %t1 = exec.launch @reverse rows(4) ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %t2 = exec.launch @reverse rows(4) ins(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  exec.fetch "c", %c : memref<4x4xf32>
}

// An elementwise kernel works in place.

// CHECK-LABEL: exec.program @in_place arena(64)
// expected-remark@+1 {{arena of 64 bytes, 128 without sharing}}
exec.program @in_place {
  %x = exec.feed "x" : memref<4x4xf32>
  %a = exec.buffer : memref<4x4xf32>
  %b = exec.buffer : memref<4x4xf32>
  %t0 = exec.launch @reverse rows(4) ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %t1 = exec.launch @negate rows(16) ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  exec.fetch "b", %b : memref<4x4xf32>
}

// But not where the argument is needed later.

// CHECK-LABEL: exec.program @still_needed arena(128)
// expected-remark@+1 {{arena of 128 bytes, 128 without sharing}}
exec.program @still_needed {
  %x = exec.feed "x" : memref<4x4xf32>
  %a = exec.buffer : memref<4x4xf32>
  %b = exec.buffer : memref<4x4xf32>
  %t0 = exec.launch @reverse rows(4) ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %t1 = exec.launch @negate rows(16) ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  exec.fetch "a", %a : memref<4x4xf32>
  exec.fetch "b", %b : memref<4x4xf32>
}

// A gradient keeps its bytes until the send is awaited.

// CHECK-LABEL: exec.program @sent arena(192)
// expected-remark@+1 {{arena of 192 bytes, 192 without sharing}}
exec.program @sent {
  %x = exec.feed "x" : memref<4x4xf32>
  %a = exec.buffer : memref<4x4xf32>
  %b = exec.buffer : memref<4x4xf32>
  %c = exec.buffer : memref<4x4xf32>
  %t0 = exec.launch @reverse rows(4) ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %s = exec.send rows(0, 4) %a to(@pserver_0) block("w") after(%t0) : memref<4x4xf32>
  %t1 = exec.launch @reverse rows(4) ins(%x : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %t2 = exec.launch @reverse rows(4) ins(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  %e = exec.send_barrier to([@pserver_0]) after(%s)
  exec.fetch "c", %c : memref<4x4xf32>
}

// One that is reduced keeps them until a mean is needed: what is computed
// meanwhile need not wait for the other trainers.

// CHECK-LABEL: exec.program @reduced arena(192)
// expected-remark@+1 {{arena of 192 bytes, 320 without sharing}}
exec.program @reduced {
  %x = exec.feed "x" : memref<4x4xf32>
  %a = exec.buffer : memref<4x4xf32>
  %m = exec.buffer : memref<4x4xf32>
  %b = exec.buffer : memref<4x4xf32>
  %c = exec.buffer : memref<4x4xf32>
  %d = exec.buffer : memref<4x4xf32>
  // CHECK: exec.buffer offset(0)
  // CHECK: exec.buffer offset(64)
  // CHECK: exec.buffer offset(128)
  %t0 = exec.launch @reverse rows(4) ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %t1 = exec.all_reduce channel(0) ins(%a : memref<4x4xf32>) outs(%m : memref<4x4xf32>) after(%t0)
  %t2 = exec.launch @reverse rows(4) ins(%x : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %t3 = exec.send rows(0, 4) %b to(@pserver_0) block("w") after(%t2) : memref<4x4xf32>
  %t4 = exec.send_barrier to([@pserver_0]) after(%t3)
  %t5 = exec.launch @reverse rows(4) ins(%m : memref<4x4xf32>) outs(%c : memref<4x4xf32>) after(%t1, %t4)
  %t6 = exec.launch @reverse rows(4) ins(%c : memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  exec.fetch "d", %d : memref<4x4xf32>
}

// A view shows the bytes of its source.

// CHECK-LABEL: exec.program @view arena(128)
// expected-remark@+1 {{arena of 128 bytes, 128 without sharing}}
exec.program @view {
  %x = exec.feed "x" : memref<4x4xf32>
  %a = exec.buffer : memref<16xf32>
  %v = exec.view %a : memref<16xf32> to memref<4x4xf32>
  %b = exec.buffer : memref<4x4xf32>
  %t0 = exec.launch @reverse rows(4) ins(%x : memref<4x4xf32>) outs(%v : memref<4x4xf32>)
  %t1 = exec.launch @reverse rows(4) ins(%v : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  exec.fetch "b", %b : memref<4x4xf32>
}

// A product's operands are read while its epilogue writes.

// CHECK-LABEL: exec.program @epilogue arena(128)
// expected-remark@+1 {{arena of 128 bytes, 192 without sharing}}
exec.program @epilogue {
  %x = exec.feed "x" : memref<4x4xf32>
  %a = exec.buffer : memref<4x4xf32>
  %c = exec.buffer : memref<4x4xf32>
  %d = exec.buffer : memref<4x4xf32>
  %t0 = exec.launch @reverse rows(4) ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %t1 = exec.gemm m(4) n(4) k(4) ins(%a, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
    epilogue(@add with %c, %a : memref<4x4xf32>, memref<4x4xf32> into %d : memref<4x4xf32>)
  exec.fetch "d", %d : memref<4x4xf32>
}
func.func private @add(%0: tensor<?x4xf32>, %1: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %2 = stablehlo.add %0, %1 : tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}

// -----

// Buffers share bytes within a memory space only.

func.func private @reverse(%0: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %1 = stablehlo.reverse %0, dims = [1] : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
// CHECK-LABEL: exec.program @spaces arena(64) device_arena(128)
// expected-remark@+1 {{arena of 192 bytes, 256 without sharing}}
exec.program @spaces {
  %x = exec.feed "x" : memref<4x4xf32>
  %a = exec.buffer : memref<4x4xf32, #exec.space<device>>
  %b = exec.buffer : memref<4x4xf32, #exec.space<device>>
  %c = exec.buffer : memref<4x4xf32, #exec.space<device>>
  %y = exec.buffer : memref<4x4xf32>
  // CHECK: exec.buffer offset(0) : memref<4x4xf32, #exec.space<device>>
  // CHECK: exec.buffer offset(64) : memref<4x4xf32, #exec.space<device>>
  // CHECK: exec.buffer offset(0) : memref<4x4xf32, #exec.space<device>>
  // CHECK: exec.buffer offset(0) : memref<4x4xf32>
  %t0 = exec.copy %x to %a : memref<4x4xf32>, memref<4x4xf32, #exec.space<device>>
  %t1 = exec.launch @reverse rows(4) ins(%a : memref<4x4xf32, #exec.space<device>>) outs(%b : memref<4x4xf32, #exec.space<device>>)
  %t2 = exec.launch @reverse rows(4) ins(%b : memref<4x4xf32, #exec.space<device>>) outs(%c : memref<4x4xf32, #exec.space<device>>)
  %t3 = exec.copy %c to %y : memref<4x4xf32, #exec.space<device>>, memref<4x4xf32>
  exec.fetch "y", %y : memref<4x4xf32>
}

// -----

ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
func.func private @negate(%0: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// Copies between memory spaces go on beside the device's queue: what goes to
// the host keeps its bytes, and those of a variable's value take none of others.

// CHECK-LABEL: exec.program @beside arena(64) device_arena(192)
// CHECK: exec.buffer offset(0) : memref<4x4xf32, #exec.space<device>>
// CHECK: exec.buffer offset(64) : memref<4x4xf32, #exec.space<device>>
// CHECK: exec.buffer offset(128) : memref<4x4xf32, #exec.space<device>>
// CHECK: exec.buffer offset(128) : memref<4x4xf32, #exec.space<device>>
// expected-remark@+1 {{arena of 256 bytes, 320 without sharing}}
exec.program @beside {
  %x = exec.feed "x" : memref<4x4xf32, #exec.space<device>>
  %w = exec.variable @w : memref<4x4xf32>
  %a = exec.buffer : memref<4x4xf32, #exec.space<device>>
  %b = exec.buffer : memref<4x4xf32, #exec.space<device>>
  %c = exec.buffer : memref<4x4xf32, #exec.space<device>>
  %d = exec.buffer : memref<4x4xf32, #exec.space<device>>
  %h = exec.buffer : memref<4x4xf32>
  %t0 = exec.copy %x to %a : memref<4x4xf32, #exec.space<device>>, memref<4x4xf32, #exec.space<device>>
  %t1 = exec.copy %a to %h : memref<4x4xf32, #exec.space<device>>, memref<4x4xf32>
  %t2 = exec.copy %w to %c : memref<4x4xf32>, memref<4x4xf32, #exec.space<device>>
  %t3 = exec.copy %c to %b : memref<4x4xf32, #exec.space<device>>, memref<4x4xf32, #exec.space<device>>
  %t4 = exec.copy %b to %d : memref<4x4xf32, #exec.space<device>>, memref<4x4xf32, #exec.space<device>>
  exec.fetch "y", %h : memref<4x4xf32>
}
