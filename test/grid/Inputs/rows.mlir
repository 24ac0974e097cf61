// Kernels that work on rows, which kernels.py makes of other widths, too.

func.func @softmax(%x: tensor<?x96xf32>) -> tensor<?x96xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x96xf32>, tensor<f32>) -> tensor<?xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<?xf32>) -> tensor<?x96xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x96xf32>
  %e = stablehlo.exponential %d : tensor<?x96xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x96xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x96xf32>
  %y = stablehlo.divide %e, %sb : tensor<?x96xf32>
  return %y : tensor<?x96xf32>
}

// With a mean that other kernels need, and a scale and bias per column. Squares,
// which are not exact, are added up with 64 bits: the order does not matter.
func.func @layer_norm(%x: tensor<?x96xf32>, %scale: tensor<96xf32>, %bias: tensor<96xf32>) -> (tensor<?x96xf32>, tensor<?xf32>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zero64 = stablehlo.constant dense<0.0> : tensor<f64>
  %n = stablehlo.constant dense<96.0> : tensor<f32>
  %small = stablehlo.constant dense<1.0e-5> : tensor<f32>
  %nb = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %smallb = stablehlo.broadcast_in_dim %small, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x96xf32>, tensor<f32>) -> tensor<?xf32>
  %m = stablehlo.divide %s, %nb : tensor<?xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<?xf32>) -> tensor<?x96xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x96xf32>
  %d64 = stablehlo.convert %d : (tensor<?x96xf32>) -> tensor<?x96xf64>
  %q = stablehlo.multiply %d64, %d64 : tensor<?x96xf64>
  %qs = stablehlo.reduce(%q init: %zero64) applies stablehlo.add across dimensions = [1] : (tensor<?x96xf64>, tensor<f64>) -> tensor<?xf64>
  %qs32 = stablehlo.convert %qs : (tensor<?xf64>) -> tensor<?xf32>
  %v = stablehlo.divide %qs32, %nb : tensor<?xf32>
  %ve = stablehlo.add %v, %smallb : tensor<?xf32>
  %r = stablehlo.rsqrt %ve : tensor<?xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<?xf32>) -> tensor<?x96xf32>
  %scaleb = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<96xf32>) -> tensor<?x96xf32>
  %biasb = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<96xf32>) -> tensor<?x96xf32>
  %dr = stablehlo.multiply %d, %rb : tensor<?x96xf32>
  %ds = stablehlo.multiply %dr, %scaleb : tensor<?x96xf32>
  %y = stablehlo.add %ds, %biasb : tensor<?x96xf32>
  return %y, %m : tensor<?x96xf32>, tensor<?xf32>
}

// The first of the largest ones.
func.func @argmax(%x: tensor<?x96xf32>) -> (tensor<?xf32>, tensor<?xi64>) attributes {exec.kernel} {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i64>
  %i = stablehlo.iota dim = 0 : tensor<96xi64>
  %ib = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<96xi64>) -> tensor<?x96xi64>
  %v:2 = stablehlo.reduce(%x init: %low), (%ib init: %z) across dimensions = [1] : (tensor<?x96xf32>, tensor<?x96xi64>, tensor<f32>, tensor<i64>) -> (tensor<?xf32>, tensor<?xi64>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ai: tensor<i64>, %bi: tensor<i64>) {
    %nan = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %gt = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %more = stablehlo.or %gt, %nan : tensor<i1>
    %bnan = stablehlo.compare NE, %b, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %same = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %both = stablehlo.and %nan, %bnan : tensor<i1>
    %eq = stablehlo.or %same, %both : tensor<i1>
    %neq = stablehlo.not %both : tensor<i1>
    %most = stablehlo.and %more, %neq : tensor<i1>
    %lt = stablehlo.compare LT, %ai, %bi : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %and = stablehlo.and %eq, %lt : tensor<i1>
    %or = stablehlo.or %most, %and : tensor<i1>
    %r = stablehlo.select %or, %a, %b : tensor<i1>, tensor<f32>
    %ri = stablehlo.select %or, %ai, %bi : tensor<i1>, tensor<i64>
    stablehlo.return %r, %ri : tensor<f32>, tensor<i64>
  }
  return %v#0, %v#1 : tensor<?xf32>, tensor<?xi64>
}

// Of numbers with 64 bits and 16 bits, which shuffles take apart and pad.
func.func @row_sum(%x: tensor<?x96xf64>, %i: tensor<?x96xi64>) -> (tensor<?xf64>, tensor<?xi64>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %none = stablehlo.constant dense<0> : tensor<i64>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x96xf64>, tensor<f64>) -> tensor<?xf64>
  %si = stablehlo.reduce(%i init: %none) applies stablehlo.add across dimensions = [1] : (tensor<?x96xi64>, tensor<i64>) -> tensor<?xi64>
  return %s, %si : tensor<?xf64>, tensor<?xi64>
}
func.func @row_max(%x: tensor<?x96xbf16>, %i: tensor<?x96xi1>) -> (tensor<?xbf16>, tensor<?xi1>) attributes {exec.kernel} {
  %low = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %s = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x96xbf16>, tensor<bf16>) -> tensor<?xbf16>
  %si = stablehlo.reduce(%i init: %true) applies stablehlo.and across dimensions = [1] : (tensor<?x96xi1>, tensor<i1>) -> tensor<?xi1>
  return %s, %si : tensor<?xbf16>, tensor<?xi1>
}

// Bytes and wider numbers, which the warps of a block share side by side.
func.func @any_and_sum(%m: tensor<?x96xi1>, %x: tensor<?x96xf32>, %y: tensor<?x96xf64>) -> (tensor<?xi1>, tensor<?xf32>, tensor<?xf64>) attributes {exec.kernel} {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zero64 = stablehlo.constant dense<0.0> : tensor<f64>
  %a = stablehlo.reduce(%m init: %false) applies stablehlo.or across dimensions = [1] : (tensor<?x96xi1>, tensor<i1>) -> tensor<?xi1>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x96xf32>, tensor<f32>) -> tensor<?xf32>
  %d = stablehlo.reduce(%y init: %zero64) applies stablehlo.add across dimensions = [1] : (tensor<?x96xf64>, tensor<f64>) -> tensor<?xf64>
  return %a, %s, %d : tensor<?xi1>, tensor<?xf32>, tensor<?xf64>
}

// The gradient of a softmax.
func.func @softmax_gradient(%y: tensor<?x96xf32>, %dy: tensor<?x96xf32>) -> tensor<?x96xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.multiply %y, %dy : tensor<?x96xf32>
  %s = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x96xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x96xf32>
  %d = stablehlo.subtract %dy, %sb : tensor<?x96xf32>
  %dx = stablehlo.multiply %y, %d : tensor<?x96xf32>
  return %dx : tensor<?x96xf32>
}

// Rows of one dimension of several, and columns of two.
func.func @attention(%x: tensor<2x3x96xf32>) -> tensor<2x3x96xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<2x3x96xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x96xf32>, tensor<f32>) -> tensor<2x3xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x96xf32>
  %y = stablehlo.divide %e, %sb : tensor<2x3x96xf32>
  return %y : tensor<2x3x96xf32>
}
func.func @image(%x: tensor<?x3x96xf32>, %scale: tensor<3xf32>) -> tensor<?x3x96xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<?x3x96xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x3x96xf32>
  %scaleb = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<3xf32>) -> tensor<?x3x96xf32>
  %d = stablehlo.subtract %x, %sb : tensor<?x3x96xf32>
  %y = stablehlo.multiply %d, %scaleb : tensor<?x3x96xf32>
  return %y : tensor<?x3x96xf32>
}

// No rows of one kernel: each reads what all others sum up.
func.func @other_rows(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
  %y = stablehlo.divide %x, %sb : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
