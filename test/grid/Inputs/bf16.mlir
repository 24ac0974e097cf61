// What rounds the operands of products of bf16: variables and feeds, what
// follows a product, rows, reductions and transposes.

func.func @round(%x: tensor<?xf32>) -> tensor<?xbf16> attributes {exec.kernel} {
  %0 = stablehlo.convert %x : (tensor<?xf32>) -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}
func.func @round_few(%x: tensor<3x5xf32>) -> tensor<3x5xbf16> attributes {exec.kernel} {
  %0 = stablehlo.convert %x : (tensor<3x5xf32>) -> tensor<3x5xbf16>
  return %0 : tensor<3x5xbf16>
}
func.func @bias_relu_mask(%c: tensor<?x96xf32>, %b: tensor<96xf32>) -> (tensor<?x96xbf16>, tensor<?x96xi1>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x96xf32>
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<96xf32>) -> tensor<?x96xf32>
  %1 = stablehlo.add %c, %0 : tensor<?x96xf32>
  %2 = stablehlo.maximum %1, %zeros : tensor<?x96xf32>
  %3 = stablehlo.convert %2 : (tensor<?x96xf32>) -> tensor<?x96xbf16>
  %4 = stablehlo.compare GT, %1, %zeros : (tensor<?x96xf32>, tensor<?x96xf32>) -> tensor<?x96xi1>
  return %3, %4 : tensor<?x96xbf16>, tensor<?x96xi1>
}
func.func @masked(%m: tensor<?x95xi1>, %d: tensor<?x95xf32>) -> (tensor<?x95xf32>, tensor<?x95xbf16>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x95xf32>
  %0 = stablehlo.select %m, %d, %zeros : tensor<?x95xi1>, tensor<?x95xf32>
  %1 = stablehlo.convert %0 : (tensor<?x95xf32>) -> tensor<?x95xbf16>
  return %0, %1 : tensor<?x95xf32>, tensor<?x95xbf16>
}
func.func @normalized(%x: tensor<?x130xf32>) -> tensor<?x130xbf16> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<?x130xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<?xf32>) -> tensor<?x130xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<?x130xf32>
  %3 = stablehlo.convert %2 : (tensor<?x130xf32>) -> tensor<?x130xbf16>
  return %3 : tensor<?x130xbf16>
}
func.func @transposed(%x: tensor<40x70xf32>) -> (tensor<70x40xf32>, tensor<70x40xbf16>) attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<40x70xf32>) -> tensor<70x40xf32>
  %1 = stablehlo.convert %0 : (tensor<70x40xf32>) -> tensor<70x40xbf16>
  return %0, %1 : tensor<70x40xf32>, tensor<70x40xbf16>
}
func.func @transposed_bf16(%x: tensor<4x33x5x18xbf16>) -> tensor<4x5x33x18xbf16> attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1, 3] : (tensor<4x33x5x18xbf16>) -> tensor<4x5x33x18xbf16>
  return %0 : tensor<4x5x33x18xbf16>
}
