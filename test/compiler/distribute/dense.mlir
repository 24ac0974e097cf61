// With dense=all_reduce trainers average the gradients of variables, except of
// those that are pinned to a pserver, which has the tables. The programs are
// those of variables that say so themselves.

// RUN: split-file %s %t
// RUN: ps-opt %t/mixed.mlir --ps-transpile="pservers=2 trainers=2 dense=all_reduce" -o %t/option.mlir
// RUN: FileCheck %s --input-file=%t/option.mlir
// RUN: sed 's/constant<0.5>)$/&{sync = all_reduce}/' %t/mixed.mlir > %t/said.mlir
// RUN: ps-opt %t/said.mlir --ps-transpile="pservers=2 trainers=2" | diff - %t/option.mlir
// RUN: ps-opt %t/said.mlir --ps-transpile="pservers=2 trainers=2 dense=all_reduce" | diff - %t/option.mlir
// RUN: ps-opt %t/mixed.mlir --ps-transpile="pservers=2 trainers=2 dense=pserver" | FileCheck %s --check-prefix=PSERVER
// RUN: not ps-opt %t/mixed.mlir --ps-transpile="pservers=2 dense=all-reduce" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ps-opt %t/mixed.mlir --ps-transpile="pservers=2 mode=async dense=all_reduce" 2>&1 | FileCheck %s --check-prefix=ASYNC
// RUN: not ps-opt %t/mixed.mlir --ps-transpile="mode=collective dense=all_reduce" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE
// RUN: not ps-opt %t/dense.mlir --ps-transpile="pservers=2 dense=all_reduce" 2>&1 | FileCheck %s --check-prefix=NO-TABLE
// RUN: not ps-opt %t/table.mlir --ps-transpile="pservers=2 dense=all_reduce" 2>&1 | FileCheck %s --check-prefix=NO-VARIABLE
// RUN: not ps-opt %t/table.mlir --ps-transpile="mode=collective" 2>&1 | FileCheck %s --check-prefix=TABLE

// UNKNOWN: error: unknown dense=all-reduce: expected one of pserver, all_reduce; did you mean 'all_reduce'?
// ASYNC: error: dense=all_reduce is for mode=sync, found mode=async: leave one of them out
// COLLECTIVE: error: dense=all_reduce is for mode=sync, found mode=collective: leave it out, as that mode all-reduces all gradients
// NO-TABLE: error: dense=all_reduce leaves nothing to pservers, as no table is trained: choose mode=collective, which has none
// NO-VARIABLE: error: dense=all_reduce is for trained variables, but the job has none that is not pinned to a pserver: leave dense out
// TABLE: error: {{.*}}updates the table '@emb', whose rows only pservers hold, but in mode=collective trainers update what they hold: expected mode=sync, where dense=all_reduce is for the other gradients,

// CHECK: ps.program @trainer
// CHECK: ps.variable @w {{.*}}{sync = all_reduce}
// CHECK: func.func @startup
// CHECK: ps.broadcast @w channel(0)
// CHECK: ps.recv @pinned
// CHECK: func.func @train
// CHECK: ps.prefetch @emb
// CHECK-DAG: ps.all_reduce
// CHECK-DAG: ps.send @pinned
// CHECK-DAG: ps.push_rows @emb
// CHECK: ps.apply @w
// CHECK: ps.program @pserver_0
// CHECK-NOT: ps.variable
// CHECK: ps.table @emb
// CHECK: ps.program @pserver_1
// CHECK: ps.variable @pinned
// CHECK: ps.table @emb

// PSERVER: ps.program @trainer
// PSERVER-NOT: all_reduce
// PSERVER: ps.send @w

//--- mixed.mlir
ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.5>)
ps.variable @pinned : tensor<2xf32> init(#ps.constant<0.25>) {server = 1 : i64}
func.func @train(%i: tensor<8xi64> {ps.feed = "i"}) -> (tensor<f32> {ps.fetch = "loss"}) {
  %e = ps.lookup @emb[%i] : (tensor<8xi64>) -> tensor<8x4xf32>
  %w = ps.read @w : tensor<4x2xf32>
  %p = ps.read @pinned : tensor<2xf32>
  %y = stablehlo.dot_general %e, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %b = stablehlo.broadcast_in_dim %p, dims = [1] : (tensor<2xf32>) -> tensor<8x2xf32>
  %s = stablehlo.multiply %y, %b : tensor<8x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %loss : tensor<f32>
}

//--- dense.mlir
ps.variable @w : tensor<4xf32> init(#ps.constant<0.5>)
func.func @train() -> (tensor<f32> {ps.fetch = "loss"}) {
  %w = ps.read @w : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %loss : tensor<f32>
}

//--- table.mlir
ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>)
func.func @train(%i: tensor<8xi64> {ps.feed = "i"}) -> (tensor<f32> {ps.fetch = "loss"}) {
  %e = ps.lookup @emb[%i] : (tensor<8xi64>) -> tensor<8x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %loss : tensor<f32>
}
