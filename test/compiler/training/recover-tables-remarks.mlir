// RUN: ps-opt %s --split-input-file --ps-recover-tables --verify-diagnostics -o /dev/null

// Why a variable that a gather reads stays a variable.

// expected-remark @+1 {{'@emb' stays a variable: it is also read by 'stablehlo.negate'}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  // expected-note @+1 {{here}}
  %1 = stablehlo.negate %w : tensor<8x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: it is also read by 'func.return'}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) -> tensor<8x2xf32> {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  // expected-note @+1 {{here}}
  return %w : tensor<8x2xf32>
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: it is also used by 'ps.assign'}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  // expected-note @+1 {{here}}
  ps.assign @emb, %w : tensor<8x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: it is also used by 'ps.apply'}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<8x2xf32>
  ps.apply @emb, %z using(#ps.sgd<learning_rate = 0.1>) : tensor<8x2xf32>
  // expected-note @+1 {{here}}
  ps.apply @emb, %z using(#ps.sgd<learning_rate = 0.1>) : tensor<8x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: a gather reads something other than one whole row per id}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<2x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  // expected-note @+1 {{here}}
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<2x1xi64>) -> tensor<2x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: a gather reads something other than one whole row per id}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  // expected-note @+1 {{here}}
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x1xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: the static sizes of a gather's result differ from those of its ids}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<?x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  // expected-note @+1 {{here}}
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<?x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: tables hold f32 and f64 only}}
ps.variable @emb : tensor<8x2xbf16> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xbf16>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xbf16>, tensor<4x1xi64>) -> tensor<4x2xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xbf16>, tensor<bf16>) -> tensor<bf16>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<bf16>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: it is not trainable}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>) {trainable = false}
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: its 'sync' keeps it with the trainers}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>) {sync = all_reduce}
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: 'server' pins it to one pserver, but all hold a part of a table}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>) {server = 0}
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: no ps.minimize or ps.apply trains it}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: ps.apply updates it beside a ps.minimize}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}
func.func @other() {
  %z = stablehlo.constant dense<0.0> : tensor<8x2xf32>
  // expected-note @+1 {{here}}
  ps.apply @emb, %z using(#ps.sgd<learning_rate = 0.1>) : tensor<8x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: the update by #ps.lamb<learning_rate = 0.1> of a row depends on the other rows}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  // expected-note @+1 {{here}}
  ps.minimize %loss using(#ps.lamb<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: #ps.clip_by_global_norm<1.0> needs the gradients of all variables}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  // expected-note @+1 {{here}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_global_norm<1.0>) : tensor<f32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: #ps.clip_by_norm<1.0> of a row depends on the other rows}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>) {clip = #ps.clip_by_norm<1.0>}
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  // expected-note @+1 {{here}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: it is read after its update}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  // expected-note @+1 {{here}}
  %w1 = ps.read @emb : tensor<8x2xf32>
  %9 = "stablehlo.gather"(%w1, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: its gradient is zeros}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<8x2xf32>
  // expected-note @+1 {{here}}
  ps.apply @emb, %z using(#ps.sgd<learning_rate = 0.1>) : tensor<8x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: its gradient is an argument}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>, %g: tensor<8x2xf32>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  // expected-note @+1 {{here}}
  ps.apply @emb, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<8x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: its gradient comes from 'stablehlo.negate', not from a scatter-add into zeros}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<8x2xf32>
  %1 = "stablehlo.scatter"(%z, %i, %0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x2xf32>, tensor<4x1xi64>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-note @+1 {{here}}
  %2 = stablehlo.negate %1 : tensor<8x2xf32>
  ps.apply @emb, %2 using(#ps.sgd<learning_rate = 0.1>) : tensor<8x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: its gradient comes from a scatter that does not add one whole row per id}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<8x2xf32>
  // expected-note @+1 {{here}}
  %1 = "stablehlo.scatter"(%z, %i, %0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x2xf32>, tensor<4x1xi64>, tensor<4x2xf32>) -> tensor<8x2xf32>
  ps.apply @emb, %1 using(#ps.sgd<learning_rate = 0.1>) : tensor<8x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: a scatter adds to its gradient at ids that no earlier gather reads}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>, %j: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<8x2xf32>
  // expected-note @+1 {{here}}
  %1 = "stablehlo.scatter"(%z, %j, %0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x2xf32>, tensor<4x1xi64>, tensor<4x2xf32>) -> tensor<8x2xf32>
  ps.apply @emb, %1 using(#ps.sgd<learning_rate = 0.1>) : tensor<8x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: its gradient is also read by 'stablehlo.negate'}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<8x2xf32>
  %1 = "stablehlo.scatter"(%z, %i, %0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x2xf32>, tensor<4x1xi64>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-note @+1 {{here}}
  %2 = stablehlo.negate %1 : tensor<8x2xf32>
  ps.apply @emb, %1 using(#ps.sgd<learning_rate = 0.1>) : tensor<8x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: its gradient is read twice by 'stablehlo.add'}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<8x2xf32>
  %1 = "stablehlo.scatter"(%z, %i, %0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x2xf32>, tensor<4x1xi64>, tensor<4x2xf32>) -> tensor<8x2xf32>
  // expected-note @+1 {{here}}
  %2 = stablehlo.add %1, %1 : tensor<8x2xf32>
  ps.apply @emb, %2 using(#ps.sgd<learning_rate = 0.1>) : tensor<8x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: it is placed already}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>) placed [
  #ps.placement<block = "emb", row_offset = 0, rows = 8, server = 0>]
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  return
}

// -----

// expected-remark @+1 {{'@emb' stays a variable: the ids of a gather are computed from it}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %1 = stablehlo.convert %0 : (tensor<4x2xf32>) -> tensor<4x2xi64>
  // expected-note @+1 {{here}}
  %2 = "stablehlo.gather"(%w, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x2xi64>) -> tensor<4x2x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x2x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+2 {{'@emb' stays a variable: #ps.momentum<learning_rate = 0.1, momentum = 0.9> also changes rows that a step does not look up}}
// expected-note @+1 {{recover-tables=lazy of --ps-transpile, `ps-opt --inline --ps-recover-tables=recover=lazy` for a local run, or a ps.table in its place updates a row only in steps that look it up}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  // expected-note @+1 {{here}}
  ps.minimize %loss using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<f32>
  return
}

// -----

// expected-remark @+2 {{'@emb' stays a variable: #ps.ftrl<learning_rate = 0.1> also changes rows that a step does not look up}}
// expected-note @+1 {{recover-tables=lazy of --ps-transpile, `ps-opt --inline --ps-recover-tables=recover=lazy` for a local run, or a ps.table in its place updates a row only in steps that look it up}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  // expected-note @+1 {{here}}
  ps.minimize %loss using(#ps.ftrl<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+2 {{'@emb' stays a variable: #ps.adagrad<learning_rate = 0.1, epsilon = 0.0> also changes rows that a step does not look up}}
// expected-note @+1 {{recover-tables=lazy of --ps-transpile, `ps-opt --inline --ps-recover-tables=recover=lazy` for a local run, or a ps.table in its place updates a row only in steps that look it up}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  // expected-note @+1 {{here}}
  ps.minimize %loss using(#ps.adagrad<learning_rate = 0.1, epsilon = 0.0>) : tensor<f32>
  return
}

// -----

// expected-remark @+2 {{'@emb' stays a variable: #ps.l2_decay<0.1> also changes rows that a step does not look up}}
// expected-note @+1 {{recover-tables=lazy of --ps-transpile, `ps-opt --inline --ps-recover-tables=recover=lazy` for a local run, or a ps.table in its place updates a row only in steps that look it up}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  // expected-note @+1 {{here}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) regularize(#ps.l2_decay<0.1>) : tensor<f32>
  return
}

// -----

// expected-remark @+2 {{'@emb' stays a variable: #ps.clip_by_value<min = 0.5, max = 1.0> also changes rows that a step does not look up}}
// expected-note @+1 {{recover-tables=lazy of --ps-transpile, `ps-opt --inline --ps-recover-tables=recover=lazy` for a local run, or a ps.table in its place updates a row only in steps that look it up}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  // expected-note @+1 {{here}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_value<min = 0.5, max = 1.0>) : tensor<f32>
  return
}
