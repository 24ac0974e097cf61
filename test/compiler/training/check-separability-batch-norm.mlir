// RUN: ps-opt %s --split-input-file --verify-diagnostics --ps-decompose-ops --ps-check-separability="trainers=2" -o /dev/null

// The statistics of a batch mix its samples.

ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
func.func @training(%x: tensor<?x4xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<4xf32>
  // expected-warning@+1 {{'stablehlo.subtract' combines each sample with a sum over samples}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %w, %w) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%0#0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Also where the feeds fix the batch.

ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
func.func @fixed(%x: tensor<8x4xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<4xf32>
  // expected-warning@+1 {{'stablehlo.subtract' combines each sample with a sum over samples}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %w, %w) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%0#0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<8.0> : tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Given statistics do not.

ps.variable @w : tensor<4xf32> init(#ps.constant<1.0>)
func.func @inference(%x: tensor<?x4xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<4xf32>
  %0 = "stablehlo.batch_norm_inference"(%x, %w, %w, %w, %w) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}
