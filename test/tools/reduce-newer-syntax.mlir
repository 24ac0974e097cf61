// ps-reduce reads what ps-opt reads: also the syntax of later versions of MLIR.

// RUN: ps-reduce %s --ps-reduce-graph="test=%S/Inputs/has_maximum.sh" | FileCheck %s
// CHECK: stablehlo.maximum
// CHECK-NOT: stablehlo.sine

func.func @f(%x: tensor<4xf32> loc("a.py":1:2 to 3:4)) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32> loc("a.py":1:2 to :9)
  %1 = stablehlo.maximum %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
