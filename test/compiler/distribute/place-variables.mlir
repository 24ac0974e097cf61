// RUN: ps-opt %s --split-input-file --ps-place-variables="pservers=a:1,b:2,c:3 trainers=2" | FileCheck %s
// RUN: ps-opt %s --split-input-file --ps-place-variables="pservers=a:1" | FileCheck %s --check-prefix=ONE
// RUN: ps-opt %s --split-input-file --ps-place-variables="pservers=a:1,b:2,c:3 slice-var-up=false" | FileCheck %s --check-prefix=WHOLE
// RUN: ps-opt %s --split-input-file --ps-place-variables="pservers=a:1,b:2,c:3 split-method=HashName" | FileCheck %s --check-prefix=HASH
// RUN: ps-opt %s --split-input-file --ps-place-variables="pservers=a:1,b:2,c:3 split-method=SizeBalanced" | FileCheck %s --check-prefix=SIZE
// RUN: ps-opt %s --split-input-file --ps-place-variables="pservers=a:1,b:2,c:3 min-block-size=400" | FileCheck %s --check-prefix=SMALL

// Blocks are counted in name order, b before w, whatever the text says: with
// three servers b takes the first, and w's three blocks the others.

// CHECK-LABEL: module @matrix_and_bias
// CHECK-SAME: ps.cluster = #[[CLUSTER:.*]]}
// ONE-LABEL: module @matrix_and_bias
// WHOLE-LABEL: module @matrix_and_bias
// HASH-LABEL: module @matrix_and_bias
// SIZE-LABEL: module @matrix_and_bias
// SMALL-LABEL: module @matrix_and_bias
module @matrix_and_bias {
  // CHECK: ps.variable @w : tensor<1000x64xf32> init(#ps.xavier_uniform) placed [
  // CHECK-SAME: #ps.placement<block = "w.block0", row_offset = 0, rows = 334, server = 1,
  // CHECK-SAME: #ps.placement<block = "w.block1", row_offset = 334, rows = 334, server = 2,
  // CHECK-SAME: #ps.placement<block = "w.block2", row_offset = 668, rows = 332, server = 0,
  // ONE: ps.variable @w
  // ONE-SAME: placed [#ps.placement<block = "w", row_offset = 0, rows = 1000, server = 0,
  // WHOLE: ps.variable @w
  // WHOLE-SAME: placed [#ps.placement<block = "w", row_offset = 0, rows = 1000, server = 1,
  // HASH: ps.variable @w
  // HASH-SAME: block = "w.block0", row_offset = 0, rows = 334, server = 1,
  // HASH-SAME: block = "w.block1", row_offset = 334, rows = 334, server = 1,
  // HASH-SAME: block = "w.block2", row_offset = 668, rows = 332, server = 0,
  // SIZE: ps.variable @w
  // SIZE-SAME: block = "w.block0", row_offset = 0, rows = 334, server = 0,
  // SIZE-SAME: block = "w.block1", row_offset = 334, rows = 334, server = 1,
  // SIZE-SAME: block = "w.block2", row_offset = 668, rows = 332, server = 2,
  ps.variable @w : tensor<1000x64xf32> init(#ps.xavier_uniform)
  // CHECK: ps.variable @b : tensor<1000xf32> {{.*}} placed [#ps.placement<block = "b", row_offset = 0, rows = 1000, server = 0, reason = "RoundRobin, turn 0">] {learning_rate_scale
  // HASH: ps.variable @b {{.*}} server = 0,
  // SIZE: ps.variable @b {{.*}} server = 2,
  // SMALL: ps.variable @b
  // SMALL-SAME: block = "b.block0", row_offset = 0, rows = 500, server = 0,
  // SMALL-SAME: block = "b.block1", row_offset = 500, rows = 500, server = 1,
  ps.variable @b : tensor<1000xf32> init(#ps.constant<0.0>) {learning_rate_scale = 2.0 : f64}
  func.func @train(%gw: tensor<1000x64xf32>, %gb: tensor<1000xf32>) {
    ps.apply @w, %gw using(#ps.sgd<learning_rate = 0.1>) : tensor<1000x64xf32>
    ps.apply @b, %gb using(#ps.sgd<learning_rate = 0.1>) : tensor<1000xf32>
    return
  }
}

// -----

// What no ps.apply updates has no placement and does not count.

// CHECK-LABEL: module @untrained
module @untrained {
  // CHECK: ps.variable @a_frozen : tensor<f32> init(#ps.constant<1.0>) {trainable = false}
  ps.variable @a_frozen : tensor<f32> init(#ps.constant<1.0>) {trainable = false}
  // CHECK-NEXT: ps.variable @a_unused : tensor<f32> init(#ps.constant<1.0>){{$}}
  ps.variable @a_unused : tensor<f32> init(#ps.constant<1.0>)
  // CHECK-NEXT: ps.variable @scalar {{.*}} placed [#ps.placement<block = "scalar", row_offset = 0, rows = 1, server = 0,
  // HASH: ps.variable @scalar {{.*}} server = 1,
  ps.variable @scalar : tensor<f32> init(#ps.constant<1.0>)
  func.func @train(%g: tensor<f32>) {
    ps.apply @scalar, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

// -----

// A block whose name a variable bears already gets another one.

// CHECK-LABEL: module @names_that_look_like_blocks
module @names_that_look_like_blocks {
  // CHECK: ps.variable @w
  // CHECK-SAME: block = "w.block0_", row_offset = 0,
  // CHECK-SAME: block = "w.block1", row_offset = 8192,
  ps.variable @w : tensor<16384xf32> init(#ps.constant<0.0>)
  // CHECK: ps.variable @w.block0 {{.*}} placed [#ps.placement<block = "w.block0", row_offset = 0, rows = 3, server = 2,
  ps.variable @w.block0 : tensor<3xf32> init(#ps.constant<0.0>)
  func.func @train(%g: tensor<16384xf32>, %h: tensor<3xf32>) {
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<16384xf32>
    ps.apply @w.block0, %h using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
    return
  }
}
