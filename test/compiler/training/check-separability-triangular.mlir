// RUN: ps-opt %s --split-input-file --ps-check-separability --verify-diagnostics -o /dev/null

// The samples are the columns of the right side, as where they are whitened.

ps.variable @w : tensor<3x3xf32> init(#ps.constant<1.0>)
func.func @columns(%x: tensor<?x3xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %y = "stablehlo.triangular_solve"(%w, %t) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x?xf32>) -> tensor<3x?xf32>
  %square = stablehlo.multiply %y, %y : tensor<3x?xf32>
  %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x?xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// They are its rows.

ps.variable @w : tensor<3x3xf32> init(#ps.constant<1.0>)
func.func @rows(%x: tensor<?x3xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %y = "stablehlo.triangular_solve"(%w, %x) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %square = stablehlo.multiply %y, %y : tensor<?x3xf32>
  %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Each sample is a matrix.

ps.variable @w : tensor<3x3xf32> init(#ps.constant<1.0>)
func.func @matrices(%x: tensor<?x3x3xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3x3xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %l = stablehlo.cholesky %x, lower = true : tensor<?x3x3xf32>
  %b = stablehlo.broadcast_in_dim %w, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<?x3x3xf32>
  %y = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<?x3x3xf32>, tensor<?x3x3xf32>) -> tensor<?x3x3xf32>
  %z = "stablehlo.triangular_solve"(%b, %y) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<?x3x3xf32>, tensor<?x3x3xf32>) -> tensor<?x3x3xf32>
  %sum = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x3x3xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A solution is linear in a sum over samples.

ps.variable @w : tensor<3x3xf32> init(#ps.constant<1.0>)
func.func @sum(%x: tensor<?x3xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x3xf32>, tensor<f32>) -> tensor<3xf32>
  %b = stablehlo.reshape %s : (tensor<3xf32>) -> tensor<3x1xf32>
  %y = "stablehlo.triangular_solve"(%w, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A factor is not.

ps.variable @w : tensor<3x3xf32> init(#ps.constant<1.0>)
func.func @factor_of_sum(%x: tensor<?x3xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %s = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<3x3xf32>
  // expected-warning@+1 {{'stablehlo.cholesky' is not linear in what depends on all samples}}
  %l = stablehlo.cholesky %s, lower = true : tensor<3x3xf32>
  %y = stablehlo.multiply %l, %w : tensor<3x3xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Nor is a solution in the matrix.

ps.variable @w : tensor<3x3xf32> init(#ps.constant<1.0>)
func.func @matrix_of_sum(%x: tensor<?x3xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %s = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<3x3xf32>
  // expected-warning@+1 {{'stablehlo.triangular_solve' is not linear in what depends on all samples}}
  %y = "stablehlo.triangular_solve"(%s, %w) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Each sample would be combined with all.

ps.variable @w : tensor<3x3xf32> init(#ps.constant<1.0>)
func.func @sample_and_sum(%x: tensor<?x3x3xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3x3xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<?x3x3xf32>
  // expected-warning@+1 {{'stablehlo.triangular_solve' combines each sample with a sum over samples}}
  %y = "stablehlo.triangular_solve"(%x, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<?x3x3xf32>, tensor<?x3x3xf32>) -> tensor<?x3x3xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x3x3xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// The samples of a batch of fixed size may not be the rows that are eliminated.

ps.variable @w : tensor<4x4xf32> init(#ps.constant<1.0>)
func.func @eliminates(%x: tensor<4x2xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<4x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<4.0> : tensor<f32>
  // expected-warning@+1 {{'stablehlo.triangular_solve' combines the samples of the batch}}
  %y = "stablehlo.triangular_solve"(%w, %x) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Nor those of the matrix.

ps.variable @w : tensor<4x4xf32> init(#ps.constant<1.0>)
func.func @factors_samples(%x: tensor<4x4xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<4x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<4.0> : tensor<f32>
  // expected-warning@+1 {{'stablehlo.cholesky' combines the samples of the batch}}
  %l = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>
  %y = stablehlo.multiply %l, %w : tensor<4x4xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Or have matrices of their own.

ps.variable @w : tensor<4x3x3xf32> init(#ps.constant<1.0>)
func.func @position(%x: tensor<4x3x2xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<4x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<4.0> : tensor<f32>
  // expected-warning@+1 {{'stablehlo.triangular_solve' depends on the position of a sample in the batch}}
  %y = "stablehlo.triangular_solve"(%w, %x) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x3x3xf32>, tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x3x2xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}
