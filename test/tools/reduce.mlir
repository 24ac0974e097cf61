// ps-reduce knows our ops: it keeps what the script finds interesting.

// RUN: ps-reduce %s --reduction-tree="traversal-mode=0 test=%S/Inputs/is_interesting.sh" | FileCheck %s

// CHECK: module
// CHECK-NEXT: func.func @f
// CHECK-NEXT: stablehlo.tanh
// CHECK-NOT: @

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.5>)
func.func @h() -> tensor<4xf32> {
  %w = ps.read @w : tensor<4xf32>
  return %w : tensor<4xf32>
}
