// A library may bring dispatchers of its own; what they answer is checked.

// RUN: ps-opt %s --load-pass-plugin=%dispatchers --ps-place-variables="pservers=a:1,b:2 split-method=FewestVariables" | FileCheck %s
// RUN: not ps-opt %s --load-pass-plugin=%dispatchers --ps-place-variables="pservers=a:1,b:2 split-method=Nowhere" 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not ps-opt %s --load-pass-plugin=%dispatchers --ps-place-variables="pservers=a:1,b:2 split-method=Few" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1,b:2 split-method=FewestVariables" 2>&1 | FileCheck %s --check-prefix=NOT-LOADED

// NOWHERE: error: split-method=Nowhere placed a block on pserver 2: expected one from 0 to 1
// UNKNOWN: error: unknown split-method=Few: expected one of FewestVariables, HashName, Nowhere, RoundRobin, SizeBalanced
// NOT-LOADED: error: unknown split-method=FewestVariables: expected one of HashName, RoundRobin, SizeBalanced

// CHECK: ps.variable @a {{.*}}block = "a.block0", {{.*}} server = 0, reason = "FewestVariables, beside 0 variables">, {{.*}}block = "a.block1", {{.*}} server = 0,
ps.variable @a : tensor<16384xf32> init(#ps.constant<0.0>)
// CHECK: ps.variable @b {{.*}} server = 1, reason = "FewestVariables, beside 0 variables">
ps.variable @b : tensor<3xf32> init(#ps.constant<0.0>)
// CHECK: ps.variable @c {{.*}} server = 0, reason = "FewestVariables, beside 1 variables">
ps.variable @c : tensor<3xf32> init(#ps.constant<0.0>)
func.func @train(%a: tensor<16384xf32>, %b: tensor<3xf32>) {
  ps.apply @a, %a using(#ps.sgd<learning_rate = 0.1>) : tensor<16384xf32>
  ps.apply @b, %b using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  ps.apply @c, %b using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return
}
