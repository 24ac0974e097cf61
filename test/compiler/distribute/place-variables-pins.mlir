// A pinned variable goes where the user says, with all its blocks; the others
// are dealt out as if it were not there, and SizeBalanced counts its bytes.

// RUN: ps-opt %s --verify-diagnostics --ps-place-variables="pservers=a:1,b:2,c:3 remarks=true" | FileCheck %s
// RUN: ps-opt %s --ps-place-variables="pservers=a:1,b:2,c:3 split-method=SizeBalanced" | FileCheck %s --check-prefix=SIZE

// CHECK: ps.variable @a {{.*}}block = "a", {{.*}} server = 0, reason = "RoundRobin, turn 0">]
// SIZE: ps.variable @a {{.*}}block = "a", {{.*}} server = 2, reason = "SizeBalanced, beside 12 bytes">]
// expected-remark@+2 {{'@a' stays whole}}
// expected-note@+1 {{'@a' of 4 bytes goes to pserver 0: RoundRobin, turn 0}}
ps.variable @a : tensor<f32> init(#ps.constant<0.0>)

// CHECK: ps.variable @b {{.*}}block = "b.block0", row_offset = 0, rows = 8192, server = 1, reason = "pinned by server = 1">, {{.*}}block = "b.block1", row_offset = 8192, rows = 8192, server = 1, reason = "pinned by server = 1">]{{$}}
// SIZE: ps.variable @b {{.*}} server = 1, reason = "pinned by server = 1">, {{.*}} server = 1, reason = "pinned by server = 1">]
// expected-remark@+3 {{'@b' is cut into 2 blocks of 8192 rows}}
// expected-note@+2 {{'@b.block0' of 32768 bytes goes to pserver 1: pinned by server = 1}}
// expected-note@+1 {{'@b.block1' of 32768 bytes goes to pserver 1: pinned by server = 1}}
ps.variable @b : tensor<16384xf32> init(#ps.constant<0.0>) {server = 1}

// CHECK: ps.variable @c {{.*}}block = "c", {{.*}} server = 1, reason = "RoundRobin, turn 1">]
// SIZE: ps.variable @c {{.*}}block = "c", {{.*}} server = 0, reason = "SizeBalanced, beside 0 bytes">]
// expected-remark@+2 {{'@c' stays whole}}
// expected-note@+1 {{'@c' of 400 bytes goes to pserver 1: RoundRobin, turn 1}}
ps.variable @c : tensor<100xf32> init(#ps.constant<0.0>)

// CHECK: ps.variable @d {{.*}}block = "d", {{.*}} server = 2, reason = "RoundRobin, turn 2">]
// SIZE: ps.variable @d {{.*}}block = "d", {{.*}} server = 2, reason = "SizeBalanced, beside 0 bytes">]
// expected-remark@+2 {{'@d' stays whole}}
// expected-note@+1 {{'@d' of 12 bytes goes to pserver 2: RoundRobin, turn 2}}
ps.variable @d : tensor<3xf32> init(#ps.constant<0.0>)

// What nobody updates is not placed.

// CHECK: ps.variable @e : tensor<3xf32> init(#ps.constant<0.0>){{$}}
// expected-remark@+1 {{'@e' stays with the trainers: no ps.apply updates it}}
ps.variable @e : tensor<3xf32> init(#ps.constant<0.0>)

func.func @train(%a: tensor<f32>, %b: tensor<16384xf32>, %c: tensor<100xf32>, %d: tensor<3xf32>) {
  %e = ps.read @e : tensor<3xf32>
  ps.apply @a, %a using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  ps.apply @b, %b using(#ps.sgd<learning_rate = 0.1>) : tensor<16384xf32>
  ps.apply @c, %c using(#ps.sgd<learning_rate = 0.1>) : tensor<100xf32>
  ps.apply @d, %d using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return
}
