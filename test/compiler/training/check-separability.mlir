// RUN: ps-opt %s --split-input-file --ps-check-separability --verify-diagnostics -o /dev/null

// A mean over samples, with what does not depend on them.

ps.variable @w : tensor<4x3xf32> init(#ps.constant<0.0>)
func.func @mean(%x: tensor<?x4xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<4x3xf32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %e = stablehlo.exponential %h : tensor<?x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %classes = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
  %log = stablehlo.log %classes : tensor<?xf32>
  %sum = stablehlo.reduce(%log init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %n : tensor<f32>
  %squares = stablehlo.multiply %w, %w : tensor<4x3xf32>
  %decay = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.add %mean, %decay : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A stopped gradient changes no value.

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @stopped(%x: tensor<?xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %ws = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %e = stablehlo.multiply %x, %ws : tensor<?xf32>
  %target = ps.stop_gradient %e : tensor<?xf32>
  %product = stablehlo.multiply %e, %target : tensor<?xf32>
  %sum = stablehlo.reduce(%product init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A sum grows with the batch.

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @sum(%x: tensor<?xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-warning@+1 {{2 trainers may train differently from one process with all their samples: 'stablehlo.reduce' makes a sum over samples that is not divided by the batch size}}
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.multiply %sum, %w : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples, of what depends on one sample each: divide a sum by the batch size (stablehlo.get_dimension_size), and do not mix samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A number is not the size of a batch that is `?`.

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @constant_divisor(%x: tensor<?xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<64.0> : tensor<f32>
  // expected-warning@+1 {{'stablehlo.reduce' makes a sum over samples that is not divided by the batch size}}
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %n : tensor<f32>
  %loss = stablehlo.multiply %mean, %w : tensor<f32>
  // expected-note@+1 {{this loss}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// But it is that of a batch of 64, also times what else is summed over.

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @fixed_divisor(%x: tensor<64x10xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<640.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x10xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %n : tensor<f32>
  %loss = stablehlo.multiply %mean, %w : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Any other number is none, such as that of the classes.

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @other_divisor(%x: tensor<64x10xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<10.0> : tensor<f32>
  // expected-warning@+1 {{'stablehlo.reduce' makes a sum over samples that is not divided by the batch of 64}}
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x10xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %n : tensor<f32>
  %loss = stablehlo.multiply %mean, %w : tensor<f32>
  // expected-note@+1 {{this loss}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Contrastive losses compare each sample with the others.

ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
func.func @contrastive(%x: tensor<8x4xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<4x4xf32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  // expected-warning@+1 {{'stablehlo.dot_general' multiplies each sample with the others of the batch}}
  %all = stablehlo.dot_general %h, %x, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<64.0> : tensor<f32>
  %sum = stablehlo.reduce(%all init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Batch norm takes the mean of the batch from each sample.

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @batch_norm(%x: tensor<?xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %n : tensor<f32>
  %means = stablehlo.broadcast_in_dim %mean, dims = [] : (tensor<f32>) -> tensor<?xf32>
  // expected-warning@+1 {{'stablehlo.subtract' combines each sample with a sum over samples}}
  %centered = stablehlo.subtract %x, %means : tensor<?xf32>
  %squares = stablehlo.multiply %centered, %centered : tensor<?xf32>
  %total = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %variance = stablehlo.divide %total, %n : tensor<f32>
  %loss = stablehlo.multiply %variance, %w : tensor<f32>
  // expected-note@+1 {{this loss}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// The root of a mean is no mean.

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @root(%x: tensor<?xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %n : tensor<f32>
  // expected-warning@+1 {{'stablehlo.sqrt' is not linear in a sum over samples}}
  %root = stablehlo.sqrt %mean : tensor<f32>
  %loss = stablehlo.multiply %root, %w : tensor<f32>
  // expected-note@+1 {{this loss}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A mean weighted by what samples bring.

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @weighted(%x: tensor<?xf32> {ps.feed = "x"}, %weight: tensor<?xf32> {ps.feed = "weight"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %each = stablehlo.multiply %x, %weight : tensor<?xf32>
  %sum = stablehlo.reduce(%each init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %weights = stablehlo.reduce(%weight init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  // expected-warning@+1 {{'stablehlo.divide' divides by a sum over samples}}
  %mean = stablehlo.divide %sum, %weights : tensor<f32>
  %loss = stablehlo.multiply %mean, %w : tensor<f32>
  // expected-note@+1 {{this loss}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Gradients that the user brings, and what a step keeps.

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @seen : tensor<4xf32> init(#ps.constant<0.0>)
func.func @gradients(%x: tensor<64x4xf32> {ps.feed = "x"}, %y: tensor<64xf32> {ps.feed = "y"}) {
  %share = stablehlo.constant dense<0.015625> : tensor<f32>
  %shares = stablehlo.broadcast_in_dim %share, dims = [] : (tensor<f32>) -> tensor<64xf32>
  %each = stablehlo.multiply %y, %shares : tensor<64xf32>
  %mean = stablehlo.dot_general %x, %each, contracting_dims = [0] x [0] : (tensor<64x4xf32>, tensor<64xf32>) -> tensor<4xf32>
  ps.apply @w, %mean using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  // expected-warning@+1 {{'stablehlo.dot_general' makes a sum over samples}}
  %sum = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<64x4xf32>, tensor<64xf32>) -> tensor<4xf32>
  // expected-note@+1 {{it is assigned here, by each trainer for itself}}
  ps.assign @seen, %sum : tensor<4xf32>
  return
}

// -----

// The label's logit as frameworks pick it: with an iota, and a negative index
// counted from the end.

ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
func.func @pick(%x: tensor<8x3xf32> {ps.feed = "x"}, %y: tensor<8x1xi32> {ps.feed = "y"}) {
  %w = ps.read @w : tensor<3xf32>
  %ws = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<3xf32>) -> tensor<8x3xf32>
  %h = stablehlo.multiply %x, %ws : tensor<8x3xf32>
  %i = stablehlo.iota dim = 0 : tensor<8xi32>
  %none = stablehlo.constant dense<0> : tensor<8xi32>
  %eight = stablehlo.constant dense<8> : tensor<8xi32>
  %negative = stablehlo.compare LT, %i, %none : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %turned = stablehlo.add %i, %eight : tensor<8xi32>
  %index = stablehlo.select %negative, %turned, %i : tensor<8xi1>, tensor<8xi32>
  %row = stablehlo.broadcast_in_dim %index, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
  %pairs = stablehlo.concatenate %row, %y, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  %picked = "stablehlo.gather"(%h, %pairs) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x3xf32>, tensor<8x2xi32>) -> tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<8.0> : tensor<f32>
  %sum = stablehlo.reduce(%picked init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Without the index of its own row, a sample picks from the others.

ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
func.func @pick_others(%x: tensor<8x3xf32> {ps.feed = "x"}, %y: tensor<8x1xi32> {ps.feed = "y"}) {
  %w = ps.read @w : tensor<3xf32>
  %ws = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<3xf32>) -> tensor<8x3xf32>
  %h = stablehlo.multiply %x, %ws : tensor<8x3xf32>
  // expected-warning@+1 {{'stablehlo.gather' gathers from other samples}}
  %picked = "stablehlo.gather"(%h, %y) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<8x3xf32>, tensor<8x1xi32>) -> tensor<8x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<8.0> : tensor<f32>
  %sum = stablehlo.reduce(%picked init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x3xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A barrier changes no value.

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @barrier(%x: tensor<?x4xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<4xf32>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?xf32>
  %b:2 = stablehlo.optimization_barrier %p, %w : tensor<?xf32>, tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%b#0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A body adds its arguments in either order.

ps.variable @w : tensor<5x2xf32> init(#ps.constant<0.0>)
func.func @scatter_add(%x: tensor<?x2xf32> {ps.feed = "x"}, %ids: tensor<?x1xi32> {ps.feed = "ids"}) {
  %zeros = stablehlo.constant dense<0.0> : tensor<5x2xf32>
  %sum = "stablehlo.scatter"(%zeros, %ids, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %s = stablehlo.add %update, %old : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5x2xf32>, tensor<?x1xi32>, tensor<?x2xf32>) -> tensor<5x2xf32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %ns = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
  %mean = stablehlo.divide %sum, %ns : tensor<5x2xf32>
  ps.apply @w, %mean using(#ps.sgd<learning_rate = 0.1>) : tensor<5x2xf32>
  return
}

// -----

// Any other body is refused: here the order of samples matters.

ps.variable @w : tensor<5x2xf32> init(#ps.constant<0.0>)
func.func @scatter_subtract(%x: tensor<?x2xf32> {ps.feed = "x"}, %ids: tensor<?x1xi32> {ps.feed = "ids"}) {
  %zeros = stablehlo.constant dense<0.0> : tensor<5x2xf32>
  // expected-warning@+1 {{'stablehlo.scatter' neither adds its updates nor replaces elements by them}}
  %sum = "stablehlo.scatter"(%zeros, %ids, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %s = stablehlo.subtract %update, %old : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5x2xf32>, tensor<?x1xi32>, tensor<?x2xf32>) -> tensor<5x2xf32>
  // expected-note@+1 {{this gradient must be a mean over samples}}
  ps.apply @w, %sum using(#ps.sgd<learning_rate = 0.1>) : tensor<5x2xf32>
  return
}

// -----

// Sums of constants that are the same for each sample, and their elements at
// constant indices, are the same for each sample, too.

ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
func.func @repeated(%x: tensor<?x3xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3xf32>
  %each = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<3xf32>) -> tensor<?x3xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<3x3xf32>
  %sums = stablehlo.dot_general %each, %ones, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x3xf32>) -> tensor<?x3xf32>
  %index = stablehlo.constant dense<1> : tensor<i64>
  %second = stablehlo.broadcast_in_dim %index, dims = [] : (tensor<i64>) -> tensor<?x1xi64>
  %picked = "stablehlo.gather"(%sums, %second) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<?x3xf32>, tensor<?x1xi64>) -> tensor<?x1xf32>
  %rows = stablehlo.reshape %picked : (tensor<?x1xf32>) -> tensor<?xf32>
  %wide = stablehlo.broadcast_in_dim %rows, dims = [0] : (tensor<?xf32>) -> tensor<?x3xf32>
  %y = stablehlo.multiply %x, %wide : tensor<?x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A product of constants that differ from sample to sample.

ps.variable @w : tensor<3x3xf32> init(#ps.constant<0.0>)
func.func @numbered(%x: tensor<?x3xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x3xf32>
  %numbers = stablehlo.iota dim = 0 : tensor<?x3xf32>
  %sums = stablehlo.dot_general %numbers, %w, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x3xf32>) -> tensor<?x3xf32>
  // expected-warning@+1 {{'stablehlo.multiply' depends on the position of a sample in the batch}}
  %y = stablehlo.multiply %x, %sums : tensor<?x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<f32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// As JAX's gradient of a column that is taken: 1/B in each row.

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
func.func @scatter_shares(%x: tensor<?x1xf32> {ps.feed = "x"}) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %column = stablehlo.constant dense<0> : tensor<1xi32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x1xf32>) -> tensor<i32>
  %n = stablehlo.convert %size : (tensor<i32>) -> tensor<f32>
  %share = stablehlo.divide %one, %n : tensor<f32>
  %shares = stablehlo.broadcast_in_dim %share, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x1xf32>
  %back = "stablehlo.scatter"(%zeros, %column, %shares) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<?x1xf32>, tensor<1xi32>, tensor<?xf32>) -> tensor<?x1xf32>
  %product = stablehlo.multiply %back, %x : tensor<?x1xf32>
  %gradient = stablehlo.reduce(%product init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
  ps.apply @w, %gradient using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A recurrent state begins with zeros, the same for all samples; states are
// stacked along another dimension than the batch's.

ps.variable @w : tensor<2x2xf32> init(#ps.constant<1.0>)
func.func @recurrent(%x: tensor<4x2xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<2x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %state = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %kept = stablehlo.dot_general %state, %w, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %h = stablehlo.add %x, %kept : tensor<4x2xf32>
  %all = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x4x2xf32>
  %one = stablehlo.reshape %h : (tensor<4x2xf32>) -> tensor<1x4x2xf32>
  %stacked = stablehlo.dynamic_update_slice %all, %one, %c0, %c0, %c0 : (tensor<3x4x2xf32>, tensor<1x4x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x2xf32>
  %sum = stablehlo.reduce(%stacked init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<4.0> : tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @replaces_samples(%x: tensor<4x2xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %first = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
  // expected-warning@+1 {{'stablehlo.dynamic_update_slice' replaces some samples of the batch}}
  %h = stablehlo.dynamic_update_slice %x, %first, %c0, %c0 : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
  %sum = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<4.0> : tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<3xf32> init(#ps.constant<1.0>)
func.func @place_of_samples(%x: tensor<?xi32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %sample = stablehlo.reduce(%x init: %c0) applies stablehlo.maximum across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  // expected-warning@-1 {{'stablehlo.reduce' folds the samples of the batch by 'stablehlo.maximum', not by a sum}}
  %one = stablehlo.constant dense<1.0> : tensor<1xf32>
  %h = stablehlo.dynamic_update_slice %w, %one, %sample : (tensor<3xf32>, tensor<1xf32>, tensor<i32>) -> tensor<3xf32>
  %loss = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Each sample's elements may be sorted, the samples may not.

ps.variable @w : tensor<2xf32> init(#ps.constant<1.0>)
func.func @sorts_elements(%x: tensor<4x2xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sorted = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %values, %indices = chlo.top_k(%sorted, k = 2) : tensor<4x2xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  %h = stablehlo.dot_general %values, %w, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %sum = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<4.0> : tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<2xf32> init(#ps.constant<1.0>)
func.func @sorts_samples(%x: tensor<4x2xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-warning@+1 {{'stablehlo.sort' sorts the samples of the batch}}
  %sorted = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %h = stablehlo.dot_general %sorted, %w, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %sum = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<4.0> : tensor<f32>
  %loss = stablehlo.divide %sum, %n : tensor<f32>
  // expected-note@+1 {{this loss must be a mean over samples}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}
