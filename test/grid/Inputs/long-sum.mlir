func.func @long_sum(%x: tensor<4096xf32>) -> tensor<f32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4096xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
