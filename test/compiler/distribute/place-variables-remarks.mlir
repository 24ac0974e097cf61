// Why a variable is on no pserver.

// RUN: split-file %s %t
// RUN: ps-opt %t/hybrid.mlir --verify-diagnostics --ps-place-variables="pservers=a:1 remarks=true" -o /dev/null
// RUN: ps-opt %t/tables.mlir --verify-diagnostics --ps-place-variables="pservers=a:1,b:2 remarks=true" -o /dev/null
// RUN: ps-opt %t/collective.mlir --verify-diagnostics --ps-place-variables="mode=collective remarks=true" -o /dev/null

//--- hybrid.mlir
module {
  // expected-remark@+2 {{'@a' stays whole}}
  // expected-note@+1 {{'@a' of 4 bytes goes to pserver 0: RoundRobin, turn 0}}
  ps.variable @a : tensor<f32> init(#ps.constant<0.0>)
  // expected-remark@+1 {{'@b' stays with the trainers: sync = all_reduce reduces its gradient among them}}
  ps.variable @b : tensor<f32> init(#ps.constant<0.0>) {sync = all_reduce}
  // expected-remark@+1 {{'@c' stays with the trainers: no ps.apply updates it}}
  ps.variable @c : tensor<f32> init(#ps.constant<0.0>)
  func.func @train(%g: tensor<f32>) {
    ps.apply @a, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    ps.apply @b, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

//--- collective.mlir
module {
  // expected-remark@+1 {{'@a' stays with the trainers: mode=collective reduces its gradient among them}}
  ps.variable @a : tensor<f32> init(#ps.constant<0.0>)
  // expected-remark@+1 {{'@b' stays with the trainers: mode=collective reduces its gradient among them}}
  ps.variable @b : tensor<f32> init(#ps.constant<0.0>) {sync = all_reduce}
  // expected-remark@+1 {{'@c' stays with the trainers: no ps.apply updates it}}
  ps.variable @c : tensor<f32> init(#ps.constant<0.0>)
  func.func @train(%g: tensor<f32>) {
    ps.apply @a, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    ps.apply @b, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

//--- tables.mlir
module {
  // expected-remark@+1 {{'@emb' is sharded over all 2 pservers by a hash of its ids}}
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
  // expected-remark@+1 {{'@users' is sharded over all 2 pservers by its ids modulo 2}}
  ps.table @users : tensor<100x2xf32> init(#ps.constant<0.0>) partition(modulo)
  // expected-remark@+1 {{'@fixed' stays with the trainers: no ps.apply_rows updates it}}
  ps.table @fixed : tensor<100x2xf32> init(#ps.constant<0.0>)
  func.func @train(%g: !ps.rows<2 x f32>) {
    ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    ps.apply_rows @users, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}
