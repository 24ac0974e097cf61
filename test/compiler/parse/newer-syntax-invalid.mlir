// RUN: not ps-opt %s 2>&1 | FileCheck %s
// RUN: not ps-run %s --entry=main 2>&1 | FileCheck %s

// An error names the place in the file as it is, though text before it on the
// same line was rewritten.

// CHECK: newer-syntax-invalid.mlir:[[#@LINE+2]]:100: {{(error: )?}}stablehlo.xyz is not supported
func.func @main() {
  %0 = stablehlo.constant dense<"0x010000010100010001"> : tensor<9xi1> loc("a.py":1:2 to 3:4) %1 = stablehlo.xyz %0 : tensor<9xi1>
  return
}
