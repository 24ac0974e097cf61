// RUN: ps-opt %s --ps-test-numeric-gradient -o %t && ps-run %t --entry=main

// The derivative of each op of the chlo dialect.

func.func private @acos(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.acos %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @acosh(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.acosh %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @asin(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.asin %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @asinh(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.asinh %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @atan(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.atan %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @atanh(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.atanh %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @tan(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.tan %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @cosh(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.cosh %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @sinh(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.sinh %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @square(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.square %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @erf(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.erf %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @erfc(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.erfc %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @erf_inv(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.erf_inv %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @lgamma(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.lgamma %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func private @digamma(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = chlo.digamma %x : tensor<3xf64> -> tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func private @polygamma(%x: tensor<3xf64>) -> tensor<3xf64> {
  %n = stablehlo.constant dense<2.0> : tensor<3xf64>
  %y = chlo.polygamma %n, %x : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func private @zeta(%q: tensor<3xf64>) -> tensor<3xf64> {
  %x = stablehlo.constant dense<2.5> : tensor<3xf64>
  %y = chlo.zeta %x, %q : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  return %y : tensor<3xf64>
}

func.func @main() {
  %acos_x = stablehlo.constant dense<[-0.7, 0.1, 0.8]> : tensor<3xf64>
  %acos = call @acos(%acos_x) : (tensor<3xf64>) -> tensor<3xf64>
  %acosh_x = stablehlo.constant dense<[1.2, 2.5, 9.0]> : tensor<3xf64>
  %acosh = call @acosh(%acosh_x) : (tensor<3xf64>) -> tensor<3xf64>
  %asin_x = stablehlo.constant dense<[-0.7, 0.1, 0.8]> : tensor<3xf64>
  %asin = call @asin(%asin_x) : (tensor<3xf64>) -> tensor<3xf64>
  %asinh_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %asinh = call @asinh(%asinh_x) : (tensor<3xf64>) -> tensor<3xf64>
  %atan_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %atan = call @atan(%atan_x) : (tensor<3xf64>) -> tensor<3xf64>
  %atanh_x = stablehlo.constant dense<[-0.7, 0.1, 0.8]> : tensor<3xf64>
  %atanh = call @atanh(%atanh_x) : (tensor<3xf64>) -> tensor<3xf64>
  %tan_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %tan = call @tan(%tan_x) : (tensor<3xf64>) -> tensor<3xf64>
  %cosh_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %cosh = call @cosh(%cosh_x) : (tensor<3xf64>) -> tensor<3xf64>
  %sinh_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %sinh = call @sinh(%sinh_x) : (tensor<3xf64>) -> tensor<3xf64>
  %square_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %square = call @square(%square_x) : (tensor<3xf64>) -> tensor<3xf64>
  %erf_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %erf = call @erf(%erf_x) : (tensor<3xf64>) -> tensor<3xf64>
  %erfc_x = stablehlo.constant dense<[-1.3, 0.4, 2.1]> : tensor<3xf64>
  %erfc = call @erfc(%erfc_x) : (tensor<3xf64>) -> tensor<3xf64>
  %erf_inv_x = stablehlo.constant dense<[-0.7, 0.1, 0.95]> : tensor<3xf64>
  %erf_inv = call @erf_inv(%erf_inv_x) : (tensor<3xf64>) -> tensor<3xf64>
  %lgamma_x = stablehlo.constant dense<[-1.3, 0.4, 7.1]> : tensor<3xf64>
  %lgamma = call @lgamma(%lgamma_x) : (tensor<3xf64>) -> tensor<3xf64>
  %digamma_x = stablehlo.constant dense<[-1.3, 0.4, 7.1]> : tensor<3xf64>
  %digamma = call @digamma(%digamma_x) : (tensor<3xf64>) -> tensor<3xf64>
  %polygamma_x = stablehlo.constant dense<[-1.3, 0.9, 7.1]> : tensor<3xf64>
  %polygamma = call @polygamma(%polygamma_x) : (tensor<3xf64>) -> tensor<3xf64>
  %zeta_q = stablehlo.constant dense<[0.6, 1.4, 7.1]> : tensor<3xf64>
  %zeta = call @zeta(%zeta_q) : (tensor<3xf64>) -> tensor<3xf64>
  return
}
