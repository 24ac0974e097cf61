// RUN: ps-opt %s --ps-differentiate --split-input-file | FileCheck %s

// Gradients come before all updates, updates in order of name.

// CHECK-LABEL: func.func @linear
// CHECK-DAG: %[[B:.*]] = ps.read @b
// CHECK-DAG: %[[W:.*]] = ps.read @w
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.0{{.*}}> : tensor<f32>
// CHECK: %[[G:.*]] = stablehlo.broadcast_in_dim %[[ONE]], dims = [] : (tensor<f32>) -> tensor<4x2xf32>
// CHECK: %[[GB:.*]] = stablehlo.reduce(%[[G]] {{.*}} applies stablehlo.add across dimensions = [0]
// CHECK: %[[GW:.*]] = stablehlo.dot_general %{{.*}}, %[[G]], contracting_dims = [0] x [0] : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: ps.apply @b, %[[GB]] using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
// CHECK-NEXT: ps.apply @w, %[[GW]] using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
// CHECK-NEXT: return
// CHECK-NOT: ps.minimize
ps.variable @w : tensor<3x2xf32> init(#ps.xavier_uniform)
ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
func.func @linear(%x: tensor<4x3xf32>) {
  %w = ps.read @w : tensor<3x2xf32>
  %b = ps.read @b : tensor<2xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Nothing is computed for the data, for a frozen variable or for one that the
// loss does not use.

// CHECK-LABEL: func.func @only_what_is_needed
// CHECK: ps.read @unused
// CHECK: stablehlo.multiply
// CHECK: stablehlo.multiply
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.0
// CHECK-NEXT: %[[G:.*]] = stablehlo.multiply %[[ONE]]
// CHECK-NEXT: %[[GW:.*]] = stablehlo.multiply %[[G]]
// CHECK-NEXT: ps.apply @w, %[[GW]]
// CHECK-NEXT: return
ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
ps.variable @frozen : tensor<f32> init(#ps.constant<1.0>) {trainable = false}
ps.variable @unused : tensor<f32> init(#ps.constant<1.0>)
func.func @only_what_is_needed(%x: tensor<f32>) -> tensor<f32> {
  %w = ps.read @w : tensor<f32>
  %frozen = ps.read @frozen : tensor<f32>
  %unused = ps.read @unused : tensor<f32>
  %0 = stablehlo.multiply %w, %x : tensor<f32>
  %1 = stablehlo.multiply %0, %frozen : tensor<f32>
  ps.minimize %1 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %unused : tensor<f32>
}

// -----

// A value that is used twice gets the sum, and so does a variable that is read
// twice.

// CHECK-LABEL: func.func @accumulates
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.0
// CHECK: %[[A:.*]] = stablehlo.multiply %[[ONE]]
// CHECK: %[[B:.*]] = stablehlo.multiply %[[ONE]]
// CHECK: %[[C:.*]] = stablehlo.add %[[A]], %[[B]]
// CHECK: %[[SUM:.*]] = stablehlo.add %[[C]], %[[C]]
// CHECK: ps.apply @w, %[[SUM]]
ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @accumulates() {
  %0 = ps.read @w : tensor<f32>
  %1 = ps.read @w : tensor<f32>
  %2 = stablehlo.add %0, %1 : tensor<f32>
  %3 = stablehlo.multiply %2, %2 : tensor<f32>
  ps.minimize %3 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// The loss may be a variable.

// CHECK-LABEL: func.func @the_loss_itself
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.0
// CHECK-NEXT: ps.apply @w, %[[ONE]]
ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @the_loss_itself() {
  %0 = ps.read @w : tensor<f32>
  ps.minimize %0 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// `?` is the batch size: a mean over it divides by its size, and gradients of
// broadcasts sum over it.

// CHECK-LABEL: func.func @batch
// CHECK: %[[Q:.*]] = stablehlo.divide %{{.*}}, %{{.*}} : tensor<f32>
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.0
// CHECK: %[[D:.*]] = stablehlo.divide %[[ONE]], %{{.*}} : tensor<f32>
// CHECK: %[[SPREAD:.*]] = stablehlo.broadcast_in_dim %[[D]], dims = [] : (tensor<f32>) -> tensor<?x2xf32>
// CHECK: %[[ZERO:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<?x2xf32>
// CHECK: %[[G:.*]] = stablehlo.select %{{.*}}, %[[SPREAD]], %[[ZERO]]
// CHECK: %[[GB:.*]] = stablehlo.reduce(%[[G]] {{.*}} applies stablehlo.add across dimensions = [0] : (tensor<?x2xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK: %[[GW:.*]] = stablehlo.dot_general %{{.*}}, %[[G]], contracting_dims = [0] x [0] : (tensor<?x3xf32>, tensor<?x2xf32>) -> tensor<3x2xf32>
// CHECK: ps.apply @b, %[[GB]]
// CHECK: ps.apply @w, %[[GW]]
ps.variable @w : tensor<3x2xf32> init(#ps.xavier_uniform)
ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
func.func @batch(%x: tensor<?x3xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<3x2xf32>
  %b = ps.read @b : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<?x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<?x2xf32>
  %3 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x2xf32>
  %4 = stablehlo.maximum %2, %3 : tensor<?x2xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<f32>
  %6 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %7 = stablehlo.convert %6 : (tensor<i32>) -> tensor<f32>
  %loss = stablehlo.divide %5, %7 : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Shapes with a batch dimension: reshape, transpose, slice, pad, concatenate.

// CHECK-LABEL: func.func @batch_shapes
// CHECK: ps.apply @w, %{{.*}} : tensor<2x3xf32>
ps.variable @w : tensor<2x3xf32> init(#ps.xavier_uniform)
func.func @batch_shapes(%x: tensor<?x6xf32> {ps.feed = "x"}) {
  %w = ps.read @w : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %w, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<?x2x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<?x2x3xf32>) -> tensor<?x6xf32>
  %2 = stablehlo.slice %1 [0:?, 1:5:2] : (tensor<?x6xf32>) -> tensor<?x2xf32>
  %3 = stablehlo.pad %1, %zero, low = [0, -1], high = [0, 2], interior = [0, 0] : (tensor<?x6xf32>, tensor<f32>) -> tensor<?x7xf32>
  %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<?x2xf32>, tensor<?x7xf32>) -> tensor<?x9xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<?x9xf32>) -> tensor<9x?xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<9x?xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %6 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// The dot's gradients need no transpose where the operands stand as usual, and
// sum in the type that the dot sums in.

// CHECK-LABEL: func.func @mixed_precision
// CHECK-NOT: stablehlo.transpose
// CHECK: %[[X:.*]] = stablehlo.convert %{{.*}} : (tensor<4x3xbf16>) -> tensor<4x3xf32>
// CHECK: %[[GW:.*]] = stablehlo.dot_general %[[X]], %{{.*}}, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
// CHECK: %[[N:.*]] = stablehlo.convert %[[GW]] : (tensor<3x2xf32>) -> tensor<3x2xbf16>
// CHECK: ps.apply @w, %[[N]]
ps.variable @w : tensor<3x2xbf16> init(#ps.xavier_uniform)
func.func @mixed_precision(%x: tensor<4x3xbf16>) {
  %w = ps.read @w : tensor<3x2xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x3xbf16>, tensor<3x2xbf16>) -> tensor<4x2xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %1 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Integers and predicates carry no gradient, however they depend on a variable.

// CHECK-LABEL: func.func @through_integers
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.0
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.0
// CHECK-NEXT: %[[G:.*]] = stablehlo.select %{{.*}}, %[[ONE]], %[[ZERO]]
// CHECK-NEXT: ps.apply @w, %[[G]]
ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @through_integers(%x: tensor<f32>) {
  %w = ps.read @w : tensor<f32>
  %0 = stablehlo.compare GT, %w, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.convert %w : (tensor<f32>) -> tensor<i32>
  %2 = stablehlo.convert %1 : (tensor<i32>) -> tensor<f32>
  %3 = stablehlo.select %0, %w, %2 : tensor<i1>, tensor<f32>
  ps.minimize %3 using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A variable may be assigned before the loss reads it, and after the update.

// CHECK-LABEL: func.func @clipped_weights
// CHECK: ps.assign @w
// CHECK: ps.read @w
// CHECK: ps.apply @w
// CHECK: ps.assign @w
ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @clipped_weights(%x: tensor<f32>) {
  ps.assign @w, %x : tensor<f32>
  %w = ps.read @w : tensor<f32>
  ps.minimize %w using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  ps.assign @w, %x : tensor<f32>
  return
}

// -----

// A function that trains nothing stays as it is.

// CHECK-LABEL: func.func @nothing_to_do
// CHECK-NEXT: return
func.func @nothing_to_do() {
  return
}

// -----

// A variable's own clip and regularizer replace those of ps.minimize.

ps.variable @a : tensor<f32> init(#ps.constant<1.0>)
ps.variable @b : tensor<f32> init(#ps.constant<1.0>) {clip = #ps.clip_by_norm<2.0>}
ps.variable @c : tensor<f32> init(#ps.constant<1.0>) {regularize = #ps.l1_decay<0.5>}
// CHECK-LABEL: @override
func.func @override() {
  %a = ps.read @a : tensor<f32>
  %b = ps.read @b : tensor<f32>
  %c = ps.read @c : tensor<f32>
  %ab = stablehlo.multiply %a, %b : tensor<f32>
  %loss = stablehlo.multiply %ab, %c : tensor<f32>
  // CHECK: ps.apply @a, {{.*}} clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.25>)
  // CHECK: ps.apply @b, {{.*}} clip(#ps.clip_by_norm<2.0>) regularize(#ps.l2_decay<0.25>)
  // CHECK: ps.apply @c, {{.*}} clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l1_decay<0.5>)
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.25>) : tensor<f32>
  return
}

// -----

// And those of a ps.apply that the user wrote.

ps.variable @w : tensor<f32> init(#ps.constant<1.0>) {clip = #ps.clip_by_norm<2.0>, regularize = #ps.l1_decay<0.5>}
// CHECK-LABEL: @own_gradient
func.func @own_gradient(%grad: tensor<f32>) {
  // CHECK: ps.apply @w, {{.*}} clip(#ps.clip_by_norm<2.0>) regularize(#ps.l1_decay<0.5>)
  ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.1>) regularize(#ps.l2_decay<0.25>) : tensor<f32>
  return
}

// -----

// A table's gradient is rows: one per lookup, merged, never dense. Tables and
// variables are updated in order of name; what stands at the table replaces
// what stands at ps.minimize.

// CHECK-LABEL: func.func @tables
// CHECK: %[[A:.*]] = ps.lookup @emb[%arg0] {padding_idx = 0 : i64}
// CHECK: %[[B:.*]] = ps.lookup @emb[%arg1] segments(%arg2) pool(mean) weights(%arg3)
// CHECK-NOT: tensor<100x2xf32>
// CHECK: ps.apply @a, %{{.*}} using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
// CHECK: %[[GA:.*]] = ps.lookup_gradient @emb[%arg0], %[[DA:.*]] {padding_idx = 0 : i64} : (tensor<?xi64>, tensor<?x2xf32>) -> !ps.rows<2 x f32>
// CHECK: %[[GB:.*]] = ps.lookup_gradient @emb[%arg1] segments(%arg2) pool(mean) weights(%arg3), %[[DB:.*]] : (tensor<?xi64>, tensor<?xi64>, tensor<?xf32>, tensor<?x2xf32>) -> !ps.rows<2 x f32>
// CHECK: %[[G:.*]] = ps.merge_rows %[[GA]], %[[GB]] : !ps.rows<2 x f32>
// CHECK: ps.apply_rows @emb, %[[G]] using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.01>) : !ps.rows<2 x f32>
// CHECK-NEXT: return
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) {clip = #ps.clip_by_value<min = -1.0, max = 1.0>, regularize = #ps.l2_decay<0.01>}
ps.table @fixed : tensor<100x2xf32> init(#ps.constant<0.0>) {trainable = false}
ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
func.func @tables(%ids: tensor<?xi64>, %bag: tensor<?xi64>, %offsets: tensor<?xi64>, %weights: tensor<?xf32>) {
  %a = ps.lookup @emb[%ids] {padding_idx = 0 : i64} : (tensor<?xi64>) -> tensor<?x2xf32>
  %b = ps.lookup @emb[%bag] segments(%offsets) pool(mean) weights(%weights) : (tensor<?xi64>, tensor<?xi64>, tensor<?xf32>) -> tensor<?x2xf32>
  %c = ps.lookup @fixed[%ids] : (tensor<?xi64>) -> tensor<?x2xf32>
  %v = ps.read @a : tensor<2xf32>
  %0 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<2xf32>) -> tensor<?x2xf32>
  %1 = stablehlo.add %a, %0 : tensor<?x2xf32>
  %2 = stablehlo.multiply %1, %b : tensor<?x2xf32>
  %3 = stablehlo.multiply %2, %c : tensor<?x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// What a gather takes from the batch is put back where it was; the scatter skips
// what lies outside.

// CHECK-LABEL: func.func @chosen
// CHECK: "stablehlo.gather"
// CHECK-NOT: stablehlo.clamp
// CHECK: "stablehlo.scatter"(%{{.*}}) <{{{.*}} #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
// CHECK: (tensor<?x2xf32>, tensor<?x2xi64>, tensor<?xf32>) -> tensor<?x2xf32>
ps.variable @w : tensor<3x2xf32> init(#ps.xavier_uniform)
func.func @chosen(%x: tensor<?x3xf32>, %i: tensor<?x2xi32>) {
  %w = ps.read @w : tensor<3x2xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<?x2xf32>, tensor<?x2xi32>) -> tensor<?xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A window that lies outside in part is skipped as a whole: as many samples as
// there are bound its place.

// CHECK-LABEL: func.func @chosen_windows
// CHECK: "stablehlo.gather"
// CHECK: stablehlo.get_dimension_size %{{.*}}, dim = 0
// CHECK: %[[CLAMPED:.*]] = stablehlo.clamp %{{.*}}, %[[I:.*]], %{{.*}} : tensor<?x2xi64>
// CHECK: %[[SAME:.*]] = stablehlo.compare EQ, %[[CLAMPED]], %[[I]]
// CHECK: %[[INSIDE:.*]] = stablehlo.reduce(%[[SAME]] {{.*}} applies stablehlo.and across dimensions = [1]
// CHECK: %[[EACH:.*]] = stablehlo.broadcast_in_dim %[[INSIDE]], dims = [0]
// CHECK: %[[MOVED:.*]] = stablehlo.select %[[EACH]], %[[I]], %{{.*}}
// CHECK: "stablehlo.scatter"(%{{.*}}, %[[MOVED]], %{{.*}})
ps.variable @w : tensor<3x4xf32> init(#ps.xavier_uniform)
func.func @chosen_windows(%x: tensor<?x3xf32>, %i: tensor<?x2xi32>) {
  %w = ps.read @w : tensor<3x4xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<?x4xf32>, tensor<?x2xi32>) -> tensor<?x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A scatter that replaces: the batch's windows are numbered as they were
// written, and the last number of a place wins.

// CHECK-LABEL: func.func @replaced
// CHECK: %[[COUNT:.*]] = stablehlo.iota dim = 0 : tensor<?x2xi64>
// CHECK: %[[SUM:.*]] = stablehlo.add %{{.*}}, %[[COUNT]] : tensor<?x2xi64>
// CHECK: %[[NUMBERS:.*]] = stablehlo.add %[[SUM]], %{{.*}} : tensor<?x2xi64>
// CHECK: %[[WINNERS:.*]] = "stablehlo.scatter"(%{{.*}}, %arg1, %[[NUMBERS]])
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i64>, %[[UPDATE:.*]]: tensor<i64>):
// CHECK-NEXT: stablehlo.return %[[UPDATE]]
// CHECK: %[[FREE:.*]] = stablehlo.compare EQ, %[[WINNERS]], %{{.*}} : (tensor<4x2xi64>, tensor<4x2xi64>)
// CHECK: stablehlo.select %[[FREE]]
// CHECK: "stablehlo.gather"(%[[WINNERS]]
ps.variable @w : tensor<4x2xf32> init(#ps.xavier_uniform)
ps.variable @v : tensor<2xf32> init(#ps.xavier_uniform)
func.func @replaced(%x: tensor<?x2xf32>, %i: tensor<?x1xi32>) {
  %w = ps.read @w : tensor<4x2xf32>
  %v = ps.read @v : tensor<2xf32>
  %vs = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<2xf32>) -> tensor<?x2xf32>
  %u = stablehlo.multiply %x, %vs : tensor<?x2xf32>
  %0 = "stablehlo.scatter"(%w, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x2xf32>, tensor<?x1xi32>, tensor<?x2xf32>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// Nothing is trained through ps.stop_gradient, not even an op that has no
// derivative, and nothing is left of it.

// CHECK-LABEL: func.func @stopped
// CHECK: %[[W:.*]] = ps.read @w
// CHECK-NOT: ps.stop_gradient
// CHECK: stablehlo.multiply %[[W]], %[[MAX:.*]] : tensor<f32>
// CHECK: %[[G:.*]] = stablehlo.multiply %{{.*}}, %[[MAX]] : tensor<f32>
// CHECK-NOT: stablehlo.add
// CHECK: ps.apply @w, %[[G]]
ps.variable @w : tensor<f32> init(#ps.constant<1.0>)
func.func @stopped(%start: tensor<f32>) {
  %w = ps.read @w : tensor<f32>
  %both = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %max = stablehlo.reduce(%both init: %start) applies stablehlo.maximum across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %fixed = ps.stop_gradient %max : tensor<f32>
  %loss = stablehlo.multiply %w, %fixed : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

// A function that trains nothing loses them too.

// CHECK-LABEL: func.func @forward
// CHECK-NEXT: return %arg0
func.func @forward(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ps.stop_gradient %x : tensor<?xf32>
  %1 = ps.stop_gradient %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
