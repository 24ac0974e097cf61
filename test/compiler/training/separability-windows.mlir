// RUN: ps-opt %s --split-input-file --ps-check-separability --verify-diagnostics -o /dev/null

// Convolutions, maxima and means over windows of each sample.

ps.variable @w : tensor<3x3x1x4xf32> init(#ps.constant<0.0>)
func.func @network(%x: tensor<?x8x8x1xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x3x1x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x8x8x1xf32>, tensor<3x3x1x4xf32>) -> tensor<?x6x6x4xf32>
  %pool = "stablehlo.reduce_window"(%y, %lowest) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<?x6x6x4xf32>, tensor<f32>) -> tensor<?x3x3x4xf32>
  %means = "stablehlo.reduce_window"(%pool, %zero) <{window_dimensions = array<i64: 1, 3, 3, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<?x3x3x4xf32>, tensor<f32>) -> tensor<?x1x1x4xf32>
  %e = stablehlo.exponential %means : tensor<?x1x1x4xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<?x1x1x4xf32>, tensor<f32>) -> tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x8x8x1xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// The graph's own gradients: the kernel's is a sum over samples, and an element
// that a window selects gets what its sample got.

ps.variable @w : tensor<3x1x2xf32> init(#ps.constant<0.0>)
func.func @gradient(%x: tensor<?x6x1xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x1x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x6x1xf32>, tensor<3x1x2xf32>) -> tensor<?x4x2xf32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x6x1xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %share = stablehlo.divide %one, %n : tensor<f32>
  %g = stablehlo.broadcast_in_dim %share, dims = [] : (tensor<f32>) -> tensor<?x2x2xf32>
  %selected = "stablehlo.select_and_scatter"(%y, %g, %zero) <{window_dimensions = array<i64: 1, 2, 1>, window_strides = array<i64: 1, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<?x4x2xf32>, tensor<?x2x2xf32>, tensor<f32>) -> tensor<?x4x2xf32>
  %dw = stablehlo.convolution(%x, %selected) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x6x1xf32>, tensor<?x4x2xf32>) -> tensor<3x1x2xf32>
  ps.apply @w, %dw using(#ps.sgd<learning_rate = 0.1>) : tensor<3x1x2xf32>
  return
}

// -----

// A convolution over the samples, as if they were steps of time.

ps.variable @w : tensor<3x2x2xf32> init(#ps.constant<0.0>)
func.func @time(%x: tensor<8x2xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x2x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reshape %x : (tensor<8x2xf32>) -> tensor<1x8x2xf32>
  // expected-warning@+1 {{'stablehlo.convolution' does not have the samples as its batch}}
  %y = stablehlo.convolution(%r, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x2xf32>, tensor<3x2x2xf32>) -> tensor<1x6x2xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x6x2xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<8.0> : tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Every sample with every other.

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @pairs(%x: tensor<4x3x2xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-warning@+1 {{'stablehlo.convolution' multiplies each sample with the others of the batch}}
  %y = stablehlo.convolution(%x, %x) dim_numbers = [b, 0, f]x[o, 0, i]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x3x2xf32>, tensor<4x3x2xf32>) -> tensor<4x1x4xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x1x4xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.multiply %sum, %w : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Windows over neighboring samples.

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @neighbors(%x: tensor<4x3xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-warning@+1 {{'stablehlo.reduce_window' folds the samples of the batch in windows}}
  %y = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.multiply %sum, %w : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}
