// RUN: ps-run %s --entry=main
// Sums by halves, as of a scan: the last one depends on 65,536 elements.

func.func @main() {
  %half = stablehlo.iota dim = 1 : tensor<2x32768xi32>
  %c0 = stablehlo.concatenate %half, %half, dim = 1 : (tensor<2x32768xi32>, tensor<2x32768xi32>) -> tensor<2x65536xi32>
  %a0 = stablehlo.slice %c0 [0:2, 0:65536:2] : (tensor<2x65536xi32>) -> tensor<2x32768xi32>
  %b0 = stablehlo.slice %c0 [0:2, 1:65536:2] : (tensor<2x65536xi32>) -> tensor<2x32768xi32>
  %c1 = stablehlo.add %a0, %b0 : tensor<2x32768xi32>
  %a1 = stablehlo.slice %c1 [0:2, 0:32768:2] : (tensor<2x32768xi32>) -> tensor<2x16384xi32>
  %b1 = stablehlo.slice %c1 [0:2, 1:32768:2] : (tensor<2x32768xi32>) -> tensor<2x16384xi32>
  %c2 = stablehlo.add %a1, %b1 : tensor<2x16384xi32>
  %a2 = stablehlo.slice %c2 [0:2, 0:16384:2] : (tensor<2x16384xi32>) -> tensor<2x8192xi32>
  %b2 = stablehlo.slice %c2 [0:2, 1:16384:2] : (tensor<2x16384xi32>) -> tensor<2x8192xi32>
  %c3 = stablehlo.add %a2, %b2 : tensor<2x8192xi32>
  %a3 = stablehlo.slice %c3 [0:2, 0:8192:2] : (tensor<2x8192xi32>) -> tensor<2x4096xi32>
  %b3 = stablehlo.slice %c3 [0:2, 1:8192:2] : (tensor<2x8192xi32>) -> tensor<2x4096xi32>
  %c4 = stablehlo.add %a3, %b3 : tensor<2x4096xi32>
  %a4 = stablehlo.slice %c4 [0:2, 0:4096:2] : (tensor<2x4096xi32>) -> tensor<2x2048xi32>
  %b4 = stablehlo.slice %c4 [0:2, 1:4096:2] : (tensor<2x4096xi32>) -> tensor<2x2048xi32>
  %c5 = stablehlo.add %a4, %b4 : tensor<2x2048xi32>
  %a5 = stablehlo.slice %c5 [0:2, 0:2048:2] : (tensor<2x2048xi32>) -> tensor<2x1024xi32>
  %b5 = stablehlo.slice %c5 [0:2, 1:2048:2] : (tensor<2x2048xi32>) -> tensor<2x1024xi32>
  %c6 = stablehlo.add %a5, %b5 : tensor<2x1024xi32>
  %a6 = stablehlo.slice %c6 [0:2, 0:1024:2] : (tensor<2x1024xi32>) -> tensor<2x512xi32>
  %b6 = stablehlo.slice %c6 [0:2, 1:1024:2] : (tensor<2x1024xi32>) -> tensor<2x512xi32>
  %c7 = stablehlo.add %a6, %b6 : tensor<2x512xi32>
  %a7 = stablehlo.slice %c7 [0:2, 0:512:2] : (tensor<2x512xi32>) -> tensor<2x256xi32>
  %b7 = stablehlo.slice %c7 [0:2, 1:512:2] : (tensor<2x512xi32>) -> tensor<2x256xi32>
  %c8 = stablehlo.add %a7, %b7 : tensor<2x256xi32>
  %a8 = stablehlo.slice %c8 [0:2, 0:256:2] : (tensor<2x256xi32>) -> tensor<2x128xi32>
  %b8 = stablehlo.slice %c8 [0:2, 1:256:2] : (tensor<2x256xi32>) -> tensor<2x128xi32>
  %c9 = stablehlo.add %a8, %b8 : tensor<2x128xi32>
  %a9 = stablehlo.slice %c9 [0:2, 0:128:2] : (tensor<2x128xi32>) -> tensor<2x64xi32>
  %b9 = stablehlo.slice %c9 [0:2, 1:128:2] : (tensor<2x128xi32>) -> tensor<2x64xi32>
  %c10 = stablehlo.add %a9, %b9 : tensor<2x64xi32>
  %a10 = stablehlo.slice %c10 [0:2, 0:64:2] : (tensor<2x64xi32>) -> tensor<2x32xi32>
  %b10 = stablehlo.slice %c10 [0:2, 1:64:2] : (tensor<2x64xi32>) -> tensor<2x32xi32>
  %c11 = stablehlo.add %a10, %b10 : tensor<2x32xi32>
  %a11 = stablehlo.slice %c11 [0:2, 0:32:2] : (tensor<2x32xi32>) -> tensor<2x16xi32>
  %b11 = stablehlo.slice %c11 [0:2, 1:32:2] : (tensor<2x32xi32>) -> tensor<2x16xi32>
  %c12 = stablehlo.add %a11, %b11 : tensor<2x16xi32>
  %a12 = stablehlo.slice %c12 [0:2, 0:16:2] : (tensor<2x16xi32>) -> tensor<2x8xi32>
  %b12 = stablehlo.slice %c12 [0:2, 1:16:2] : (tensor<2x16xi32>) -> tensor<2x8xi32>
  %c13 = stablehlo.add %a12, %b12 : tensor<2x8xi32>
  %a13 = stablehlo.slice %c13 [0:2, 0:8:2] : (tensor<2x8xi32>) -> tensor<2x4xi32>
  %b13 = stablehlo.slice %c13 [0:2, 1:8:2] : (tensor<2x8xi32>) -> tensor<2x4xi32>
  %c14 = stablehlo.add %a13, %b13 : tensor<2x4xi32>
  %a14 = stablehlo.slice %c14 [0:2, 0:4:2] : (tensor<2x4xi32>) -> tensor<2x2xi32>
  %b14 = stablehlo.slice %c14 [0:2, 1:4:2] : (tensor<2x4xi32>) -> tensor<2x2xi32>
  %c15 = stablehlo.add %a14, %b14 : tensor<2x2xi32>
  %a15 = stablehlo.slice %c15 [0:2, 0:2:2] : (tensor<2x2xi32>) -> tensor<2x1xi32>
  %b15 = stablehlo.slice %c15 [0:2, 1:2:2] : (tensor<2x2xi32>) -> tensor<2x1xi32>
  %c16 = stablehlo.add %a15, %b15 : tensor<2x1xi32>
  check.expect_eq_const %c16, dense<1073709056> : tensor<2x1xi32>
  return
}
