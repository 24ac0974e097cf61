// RUN: ps-opt %s --ps-decompose-ops --ps-test-numeric-gradient -o %t && ps-run %t --entry=main

// The derivatives of each result of a batch normalization.

func.func private @output(%x: tensor<4x2x3xf64>, %scale: tensor<2xf64>, %offset: tensor<2xf64>) -> tensor<4x2x3xf64> {
  %0:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 0.01 : f32, feature_index = 1 : i64}> : (tensor<4x2x3xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<4x2x3xf64>, tensor<2xf64>, tensor<2xf64>)
  return %0#0 : tensor<4x2x3xf64>
}

func.func private @statistics(%x: tensor<4x2xf64>) -> tensor<2xf64> {
  %one = stablehlo.constant dense<1.0> : tensor<2xf64>
  %0:3 = "stablehlo.batch_norm_training"(%x, %one, %one) <{epsilon = 0.01 : f32, feature_index = 1 : i64}> : (tensor<4x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<4x2xf64>, tensor<2xf64>, tensor<2xf64>)
  %1 = stablehlo.tanh %0#1 : tensor<2xf64>
  %2 = stablehlo.multiply %1, %0#2 : tensor<2xf64>
  return %2 : tensor<2xf64>
}

func.func private @inference(%x: tensor<4x2xf64>, %scale: tensor<2xf64>, %offset: tensor<2xf64>, %mean: tensor<2xf64>, %variance: tensor<2xf64>) -> tensor<4x2xf64> {
  %0 = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) <{epsilon = 0.01 : f32, feature_index = 1 : i64}> : (tensor<4x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<4x2xf64>
  return %0 : tensor<4x2xf64>
}

func.func private @gradient(%x: tensor<4x2xf64>, %scale: tensor<2xf64>, %mean: tensor<2xf64>, %variance: tensor<2xf64>, %g: tensor<4x2xf64>) -> tensor<4x2xf64> {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %g) <{epsilon = 0.01 : f32, feature_index = 1 : i64}> : (tensor<4x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<4x2xf64>) -> (tensor<4x2xf64>, tensor<2xf64>, tensor<2xf64>)
  return %0#0 : tensor<4x2xf64>
}

func.func @main() {
  %x = stablehlo.constant dense<[[[0.1, 0.7, -0.3], [1.2, -0.4, 0.5]], [[0.3, -1.1, 0.2], [0.4, 0.9, -0.8]], [[0.6, 1.3, -0.9], [-0.2, 0.5, 0.1]], [[0.8, -0.6, 0.4], [0.7, -1.2, 1.1]]]> : tensor<4x2x3xf64>
  %y = stablehlo.constant dense<[[0.1, 0.7], [-0.3, 1.2], [0.9, -0.4], [0.5, 0.2]]> : tensor<4x2xf64>
  %g = stablehlo.constant dense<[[0.4, -0.2], [0.3, 0.8], [-0.5, 0.6], [1.1, 0.9]]> : tensor<4x2xf64>
  %scale = stablehlo.constant dense<[1.5, -0.7]> : tensor<2xf64>
  %offset = stablehlo.constant dense<[0.2, 0.4]> : tensor<2xf64>
  %mean = stablehlo.constant dense<[0.3, 0.1]> : tensor<2xf64>
  %variance = stablehlo.constant dense<[0.9, 1.4]> : tensor<2xf64>
  %0 = call @output(%x, %scale, %offset) : (tensor<4x2x3xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<4x2x3xf64>
  %1 = call @statistics(%y) : (tensor<4x2xf64>) -> tensor<2xf64>
  %2 = call @inference(%y, %scale, %offset, %mean, %variance) : (tensor<4x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<4x2xf64>
  %3 = call @gradient(%y, %scale, %mean, %variance, %g) : (tensor<4x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
  return
}
