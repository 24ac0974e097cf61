// Transposes by tiles: whole ones and ragged ones, of all widths of elements,
// with what is computed before and after.

func.func @whole(%x: tensor<64x96xf32>) -> tensor<96x64xf32> attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x96xf32>) -> tensor<96x64xf32>
  return %0 : tensor<96x64xf32>
}
func.func @ragged(%x: tensor<45x67xf32>) -> tensor<67x45xf32> attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<45x67xf32>) -> tensor<67x45xf32>
  return %0 : tensor<67x45xf32>
}
func.func @batch(%x: tensor<?x16x33xbf16>) -> tensor<?x33x16xbf16> attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<?x16x33xbf16>) -> tensor<?x33x16xbf16>
  return %0 : tensor<?x33x16xbf16>
}
// Two loops are one side.
func.func @image(%x: tensor<?x5x7x20xf64>) -> tensor<?x20x5x7xf64> attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<?x5x7x20xf64>) -> tensor<?x20x5x7xf64>
  return %0 : tensor<?x20x5x7xf64>
}
func.func @outermost(%x: tensor<40x3x50xi1>) -> tensor<50x3x40xi1> attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<40x3x50xi1>) -> tensor<50x3x40xi1>
  return %0 : tensor<50x3x40xi1>
}
func.func @fused(%x: tensor<40x50xf32>, %y: tensor<40x50xi32>, %z: tensor<50x40xf32>, %bias: tensor<40xf32>, %scale: tensor<50xf32>) -> (tensor<50x40xf32>, tensor<50x40xi32>) attributes {exec.kernel} {
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<40x50xf32>) -> tensor<50x40xf32>
  %yt = stablehlo.transpose %y, dims = [1, 0] : (tensor<40x50xi32>) -> tensor<50x40xi32>
  %bb = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<40xf32>) -> tensor<50x40xf32>
  %sb = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<50xf32>) -> tensor<50x40xf32>
  %i = stablehlo.iota dim = 1 : tensor<50x40xi32>
  %0 = stablehlo.add %xt, %z : tensor<50x40xf32>
  %1 = stablehlo.multiply %0, %sb : tensor<50x40xf32>
  %2 = stablehlo.add %1, %bb : tensor<50x40xf32>
  %3 = stablehlo.add %yt, %i : tensor<50x40xi32>
  return %2, %3 : tensor<50x40xf32>, tensor<50x40xi32>
}
