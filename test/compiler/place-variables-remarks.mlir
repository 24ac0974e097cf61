// Why a variable is on no pserver.

// RUN: split-file %s %t
// RUN: ps-opt %t/hybrid.mlir --verify-diagnostics --ps-place-variables="pservers=a:1 remarks=true" -o /dev/null
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
