// What is updated by a norm of all its rows is not cut, however large.

// RUN: ps-opt %s --verify-diagnostics --ps-place-variables="pservers=a:1,b:2 remarks=true" | FileCheck %s

// CHECK: ps.variable @clipped {{.*}}block = "clipped", row_offset = 0, rows = 16384, server = 0, reason = "RoundRobin, turn 0; not cut: its clip needs all rows">]
// expected-remark@+2 {{'@clipped' stays whole}}
// expected-note@+1 {{'@clipped' of 65536 bytes goes to pserver 0: RoundRobin, turn 0; not cut: its clip needs all rows}}
ps.variable @clipped : tensor<16384xf32> init(#ps.constant<0.0>)
// CHECK: ps.variable @lamb {{.*}}block = "lamb", row_offset = 0, rows = 16384, server = 1, reason = "RoundRobin, turn 1; not cut: its optimizer needs all rows">]
// expected-remark@+2 {{'@lamb' stays whole}}
// expected-note@+1 {{'@lamb' of 65536 bytes goes to pserver 1: RoundRobin, turn 1; not cut: its optimizer needs all rows}}
ps.variable @lamb : tensor<16384xf32> init(#ps.constant<0.0>)
// Too small to be cut: nothing to say.
// CHECK: ps.variable @small {{.*}}block = "small", {{.*}} reason = "RoundRobin, turn 2">]
// expected-remark@+2 {{'@small' stays whole}}
// expected-note@+1 {{'@small' of 16 bytes goes to pserver 0: RoundRobin, turn 2}}
ps.variable @small : tensor<4xf32> init(#ps.constant<0.0>)
func.func @train(%g: tensor<16384xf32>, %h: tensor<4xf32>) {
  ps.apply @clipped, %g using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_norm<1.0>) : tensor<16384xf32>
  ps.apply @lamb, %g using(#ps.lamb<learning_rate = 0.1>) : tensor<16384xf32>
  ps.apply @small, %h using(#ps.lamb<learning_rate = 0.1>) : tensor<4xf32>
  return
}
