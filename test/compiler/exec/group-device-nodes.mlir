// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-group-device-nodes,ps-verify-exec))" | FileCheck %s

func.func private @scale(%x: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %y = stablehlo.add %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// What the device works at by itself is one graph, up to the node that a copy to
// the host comes after. The rest is another one: the copy does not wait for it.

// CHECK-LABEL: exec.program @step
// CHECK: %[[T0:.*]] = exec.launch
// CHECK: %[[T1:.*]] = exec.launch
// CHECK: %[[T2:.*]] = exec.copy
// CHECK: %[[T3:.*]] = exec.launch
// CHECK: %[[T4:.*]] = exec.copy {{.*}} memref<8xf32, #exec.space<device>>, memref<8xf32, #exec.space<device>>
// CHECK: exec.graph %[[T0]], %[[T1]]{{$}}
// CHECK-NEXT: exec.graph %[[T3]], %[[T4]]{{$}}
// CHECK-NEXT: }
exec.program @step arena(32) device_arena(128) {
  %x = exec.feed "x" : memref<8xf32, #exec.space<device>>
  %a = exec.buffer offset(0) : memref<8xf32, #exec.space<device>>
  %b = exec.buffer offset(32) : memref<8xf32, #exec.space<device>>
  %c = exec.buffer offset(64) : memref<8xf32, #exec.space<device>>
  %d = exec.buffer offset(96) : memref<8xf32, #exec.space<device>>
  %h = exec.buffer offset(0) : memref<8xf32>
  %t0 = exec.launch @scale rows(8) ins(%x : memref<8xf32, #exec.space<device>>) outs(%a : memref<8xf32, #exec.space<device>>)
  %t1 = exec.launch @scale rows(8) ins(%a : memref<8xf32, #exec.space<device>>) outs(%b : memref<8xf32, #exec.space<device>>) after(%t0)
  %t2 = exec.copy %b to %h after(%t1) : memref<8xf32, #exec.space<device>>, memref<8xf32>
  %t3 = exec.launch @scale rows(8) ins(%a : memref<8xf32, #exec.space<device>>) outs(%c : memref<8xf32, #exec.space<device>>) after(%t0)
  %t4 = exec.copy %c to %d after(%t3) : memref<8xf32, #exec.space<device>>, memref<8xf32, #exec.space<device>>
}

// -----

func.func private @scale(%x: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %y = stablehlo.add %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func private @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %z = stablehlo.add %x, %y : tensor<?xf32>
  return %z : tensor<?xf32>
}
ps.variable @v : tensor<8xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<8xf32> init(#ps.constant<0.0>)

// A node that waits for a value which the graph before does not wait for begins
// another one: the first kernel starts when @v has arrived. What the second
// graph waits for, the third kernel may wait for as well.

// CHECK-LABEL: exec.program @values
// CHECK: %[[V:.*]] = exec.copy
// CHECK: %[[W:.*]] = exec.copy
// CHECK: %[[T0:.*]] = exec.launch @scale
// CHECK: %[[T1:.*]] = exec.launch @add
// CHECK: %[[T2:.*]] = exec.launch @add
// CHECK-NEXT: exec.graph %[[T1]], %[[T2]]{{$}}
// CHECK-NEXT: }
exec.program @values device_arena(160) {
  %v = exec.variable @v : memref<8xf32>
  %w = exec.variable @w : memref<8xf32>
  %a = exec.buffer offset(0) : memref<8xf32, #exec.space<device>>
  %b = exec.buffer offset(32) : memref<8xf32, #exec.space<device>>
  %c = exec.buffer offset(64) : memref<8xf32, #exec.space<device>>
  %d = exec.buffer offset(96) : memref<8xf32, #exec.space<device>>
  %e = exec.buffer offset(128) : memref<8xf32, #exec.space<device>>
  %u0 = exec.copy %v to %a : memref<8xf32>, memref<8xf32, #exec.space<device>>
  %u1 = exec.copy %w to %b : memref<8xf32>, memref<8xf32, #exec.space<device>>
  %t0 = exec.launch @scale rows(8) ins(%a : memref<8xf32, #exec.space<device>>) outs(%c : memref<8xf32, #exec.space<device>>) after(%u0)
  %t1 = exec.launch @add rows(8) ins(%b, %c : memref<8xf32, #exec.space<device>>, memref<8xf32, #exec.space<device>>) outs(%d : memref<8xf32, #exec.space<device>>) after(%u1, %t0)
  %t2 = exec.launch @add rows(8) ins(%a, %d : memref<8xf32, #exec.space<device>>, memref<8xf32, #exec.space<device>>) outs(%e : memref<8xf32, #exec.space<device>>) after(%u0, %t1)
}

// -----

func.func private @scale(%x: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %y = stablehlo.add %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// A graph starts and ends as one: what waits for one of its nodes waits for all
// that the others wait for, too.

// CHECK-LABEL: exec.program @as_one
// CHECK: %[[T0:.*]] = exec.launch
// CHECK: %[[T1:.*]] = exec.launch
// CHECK: exec.copy
// CHECK: %[[T2:.*]] = exec.launch
// CHECK: %[[T3:.*]] = exec.launch
// CHECK-NEXT: exec.graph %[[T0]], %[[T1]]{{$}}
// CHECK-NEXT: exec.graph %[[T2]], %[[T3]]{{$}}
exec.program @as_one arena(32) device_arena(128) {
  %x = exec.feed "x" : memref<8xf32, #exec.space<device>>
  %a = exec.buffer offset(0) : memref<8xf32, #exec.space<device>>
  %b = exec.buffer offset(32) : memref<8xf32, #exec.space<device>>
  %c = exec.buffer offset(64) : memref<8xf32, #exec.space<device>>
  %d = exec.buffer offset(96) : memref<8xf32, #exec.space<device>>
  %h = exec.buffer offset(0) : memref<8xf32>
  %t0 = exec.launch @scale rows(8) ins(%x : memref<8xf32, #exec.space<device>>) outs(%a : memref<8xf32, #exec.space<device>>)
  %t1 = exec.launch @scale rows(8) ins(%x : memref<8xf32, #exec.space<device>>) outs(%b : memref<8xf32, #exec.space<device>>)
  %u0 = exec.copy %b to %h after(%t1) : memref<8xf32, #exec.space<device>>, memref<8xf32>
  %t2 = exec.launch @scale rows(8) ins(%b : memref<8xf32, #exec.space<device>>) outs(%c : memref<8xf32, #exec.space<device>>) after(%t1)
  %t3 = exec.launch @scale rows(8) ins(%a : memref<8xf32, #exec.space<device>>) outs(%d : memref<8xf32, #exec.space<device>>) after(%t0)
}
