// RUN: ps-opt %s --split-input-file --mlir-print-debuginfo | FileCheck %s

// What later versions of MLIR print.

// A range keeps the place at which it begins. What looks like one in a string
// or a comment stays: loc("a.py":1:2 to 3:4)
// CHECK-LABEL: @ranges
// CHECK-SAME: loc("a.py":1:2)
// CHECK-SAME: name = "loc(\22a.py\22:1:2 to 3:4)"
func.func @ranges(%x: tensor<f32> loc("a.py":1:2 to 3:4)) attributes {name = "loc(\22a.py\22:1:2 to 3:4)"} {
  %0 = stablehlo.sine %x : tensor<f32> loc(#name)
  %1 = stablehlo.sine %x : tensor<f32> loc(callsite("b \22 to.py":5:6 to :7 at "c.py":8:9))
  return
}
#place = loc("d.py" : 10 : 11 to  12 : 13)
#name = loc("f"(#place))
// CHECK-DAG: loc("b \22 to.py":5:6)
// CHECK-DAG: loc("d.py":10:11)

// -----

// A byte or a bit per element; lines and columns stay as they are.
// CHECK-LABEL: @booleans
func.func @booleans() {
  // CHECK-NEXT: dense<[true, false, false, true, true, false, true, false, true]> : tensor<9xi1>
  %0 = stablehlo.constant dense<"0x010000010100010001"> : tensor<9xi1>
  // CHECK-NEXT: dense<{{\[\[}}false, true, false], [true, true, false], [false, false, true]]> : tensor<3x3xi1>
  %1 = stablehlo.constant dense< "0x000100010100000001" > : tensor<3x3xi1>
  // CHECK-NEXT: dense<[true, false, false, true, true, false, true, false, true]> : tensor<9xi1>
  %2 = stablehlo.constant dense<"0x5901"> : tensor<9xi1>
  // CHECK-NEXT: dense<true> : tensor<1xi1>
  %3 = stablehlo.constant dense<"0x01"> : tensor<1xi1>
  // CHECK-NEXT: dense<[1, 0]> : tensor<2xi8>
  %4 = stablehlo.constant dense<"0x0100"> : tensor<2xi8>
  return
}
