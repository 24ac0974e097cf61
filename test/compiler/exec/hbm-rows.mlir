// A device works on the rows that it has: lookups write, and gradients are read,
// in its memory. Pservers update rows there with the gradients that they are fed;
// a job's trainers have none.
// RUN: ps-opt %s --ps-compile="device=true" | FileCheck %s
// RUN: ps-opt %s --ps-compile | FileCheck %s --check-prefix=HOST
// RUN: ps-opt %s --ps-compile="device=true device-variables=false" | FileCheck %s --check-prefix=HOST
// RUN: ps-opt %s --ps-transpile="pservers=1 trainers=1" | ps-opt --ps-compile="program=pserver_0 device=true" | FileCheck %s --check-prefix=PSERVER
// RUN: ps-opt %s --ps-transpile="pservers=1 trainers=1" | ps-opt --ps-compile="program=trainer function=train device=true device-variables=false" | FileCheck %s --check-prefix=TRAINER

// CHECK: %[[ROWS:.*]] = exec.rows @emb lookups(1) hbm : !ps.rows<4 x f32>
// CHECK: exec.lookup %[[ROWS]] lookup(0) outs(%{{.*}} : memref<1x2x4xf32, #exec.space<device>>)
// CHECK: exec.lookup_gradient %[[ROWS]] lookup(0) ins(%{{.*}} : memref<1x2x4xf32, #exec.space<device>>)
// CHECK: exec.update_rows %[[ROWS]] with(@emb.update_row)

// PSERVER: %[[ROWS:.*]] = exec.rows @emb feed("grad") hbm : !ps.rows<4 x f32>
// PSERVER: exec.update_rows %[[ROWS]] with(@emb.update_row)

// TRAINER: exec.rows @emb lookups(1) : !ps.rows<4 x f32>
// TRAINER: exec.push_rows

// HOST: exec.rows @emb lookups(1) : !ps.rows<4 x f32>
// HOST: exec.lookup_update
ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.5>) tiers([#ps.hbm<rows = 10>])
func.func @train(%ids: tensor<?x2xi64> {ps.feed = "ids"}) -> (tensor<f32> {ps.fetch = "loss"}) {
  %e = ps.lookup @emb[%ids] : (tensor<?x2xi64>) -> tensor<?x2x4xf32>
  %s = stablehlo.multiply %e, %e : tensor<?x2x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x2x4xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.125>) : tensor<f32>
  return %loss : tensor<f32>
}
