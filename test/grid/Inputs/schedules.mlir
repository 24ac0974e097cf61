// Kernels of every schedule that the examples' kernels are too small for.

// Vectors: of rows of whole vectors, of those that are not, and the last block.
func.func @vectors(%x: tensor<?x260xf32>, %b: tensor<260xf32>) -> (tensor<?x260xf32>, tensor<?x260xf64>) attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<260xf32>) -> tensor<?x260xf32>
  %1 = stablehlo.add %x, %0 : tensor<?x260xf32>
  %2 = stablehlo.convert %1 : (tensor<?x260xf32>) -> tensor<?x260xf64>
  return %1, %2 : tensor<?x260xf32>, tensor<?x260xf64>
}
func.func @no_vectors(%x: tensor<?x263xf32>, %b: tensor<263xf32>) -> tensor<?x263xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<263xf32>) -> tensor<?x263xf32>
  %1 = stablehlo.add %x, %0 : tensor<?x263xf32>
  return %1 : tensor<?x263xf32>
}
func.func @whole_blocks(%x: tensor<1024x320xf32>, %b: tensor<320xf32>) -> tensor<1024x320xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<320xf32>) -> tensor<1024x320xf32>
  %1 = stablehlo.add %x, %0 : tensor<1024x320xf32>
  return %1 : tensor<1024x320xf32>
}

// Long reductions to few results, over all loops and over the first.
func.func @mean(%x: tensor<4096x96xf32>) -> (tensor<f32>, tensor<96xf32>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4096x96xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<512.0> : tensor<f32>
  %m = stablehlo.divide %s, %n : tensor<f32>
  %b = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096x96xf32>, tensor<f32>) -> tensor<96xf32>
  return %m, %b : tensor<f32>, tensor<96xf32>
}
// Of two accumulators, by the index of the split loop.
func.func @argmax(%x: tensor<3000x10xf32>) -> (tensor<10xf32>, tensor<10xi64>) attributes {exec.kernel} {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i64>
  %i = stablehlo.iota dim = 0 : tensor<3000x10xi64>
  %v:2 = stablehlo.reduce(%x init: %low), (%i init: %z) across dimensions = [0] : (tensor<3000x10xf32>, tensor<3000x10xi64>, tensor<f32>, tensor<i64>) -> (tensor<10xf32>, tensor<10xi64>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ai: tensor<i64>, %bi: tensor<i64>) {
    %gt = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %ai, %bi : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %and = stablehlo.and %eq, %lt : tensor<i1>
    %or = stablehlo.or %gt, %and : tensor<i1>
    %r = stablehlo.select %or, %a, %b : tensor<i1>, tensor<f32>
    %ri = stablehlo.select %or, %ai, %bi : tensor<i1>, tensor<i64>
    stablehlo.return %r, %ri : tensor<f32>, tensor<i64>
  }
  return %v#0, %v#1 : tensor<10xf32>, tensor<10xi64>
}
// A prime number of rows has no parts.
func.func @odd(%x: tensor<1021x7xf64>) -> tensor<7xf64> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %b = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1021x7xf64>, tensor<f64>) -> tensor<7xf64>
  return %b : tensor<7xf64>
}
