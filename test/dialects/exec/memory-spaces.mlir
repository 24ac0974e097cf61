// RUN: ps-opt %s --split-input-file --verify-roundtrip | FileCheck %s

// A device has an arena, variables and constants of its own; feeds and fetches
// are the host's, and copies join the two.

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func private @add(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel}

// CHECK-LABEL: exec.program @train arena(64) device_arena(128)
exec.program @train arena(64) device_arena(128) {
  %x = exec.feed "x" : memref<4xf32>
  // CHECK: exec.variable @w : memref<4xf32, #exec.space<device>>
  %w = exec.variable @w : memref<4xf32, #exec.space<device>>
  %c = exec.constant dense<1.0> : tensor<4xf32> to memref<4xf32, #exec.space<device>>
  // CHECK: exec.buffer offset(0) : memref<4xf32, #exec.space<device>>
  %a = exec.buffer offset(0) : memref<4xf32, #exec.space<device>>
  %b = exec.buffer offset(64) : memref<4xf32, #exec.space<device>>
  %v = exec.view %b : memref<4xf32, #exec.space<device>> to memref<2x2xf32, #exec.space<device>>
  %y = exec.buffer offset(0) : memref<2x2xf32>
  // CHECK: exec.copy {{.*}} : memref<4xf32>, memref<4xf32, #exec.space<device>>
  %t0 = exec.copy %x to %a : memref<4xf32>, memref<4xf32, #exec.space<device>>
  %t1 = exec.launch @add rows(4) ins(%a, %w : memref<4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>>) outs(%b : memref<4xf32, #exec.space<device>>) after(%t0)
  %t2 = exec.all_reduce channel(0) ins(%b : memref<4xf32, #exec.space<device>>) outs(%c : memref<4xf32, #exec.space<device>>) after(%t1)
  %t3 = exec.copy %v to %y after(%t1) : memref<2x2xf32, #exec.space<device>>, memref<2x2xf32>
  exec.fetch "y", %y : memref<2x2xf32>
}
