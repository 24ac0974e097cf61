// Options that would change nothing of the graph are refused.

// Variables are all reduced among the trainers, or there are none.
// RUN: split-file %s %t
// RUN: cd %t
// RUN: not ps-opt both.mlir --ps-transpile="pservers=1 trainers=2 dense=all_reduce split-method=HashName" -o /dev/null 2>&1 | FileCheck %s --check-prefix=METHOD
// RUN: not ps-opt rows.mlir --ps-transpile="pservers=1 trainers=2 slice-var-up=false" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: not ps-opt rows.mlir --ps-transpile="pservers=1 trainers=2 mode=async min-block-size=4" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BLOCK
// METHOD: error: split-method is for variables of pservers, but the job has none: leave split-method out
// CUT: error: slice-var-up is for variables of pservers, but the job has none: leave slice-var-up out
// BLOCK: error: min-block-size is for variables of pservers, but the job has none: leave min-block-size out

// RUN: not ps-opt rows.mlir --ps-transpile="pservers=1 trainers=2 wire=bf16" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WIRE
// RUN: not ps-opt both.mlir --ps-transpile="pservers=1 trainers=2 dense=all_reduce wire=bf16" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WIRE
// RUN: sed 's/f32/f64/g' both.mlir | not ps-opt --ps-transpile="pservers=1 trainers=2 wire=bf16" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WIRE
// WIRE: error: wire=bf16 is for variables of f32 of pservers, but the job has none: leave wire out, or choose row-wire=bf16 for rows of tables

// RUN: sed 's/@emb\(.*\) init(\(.*\)>)/@emb\1 init(\2>) {cache_rows = 4 : i64}/' rows.mlir > own.mlir
// RUN: not ps-opt own.mlir --ps-transpile="pservers=1 trainers=2 cache-rows=9" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CACHE
// RUN: not ps-opt dense.mlir --ps-transpile="pservers=1 trainers=2 cache-rows=9" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CACHE
// CACHE: error: cache-rows=9 is for trained tables without cache_rows of their own and without an accessor, but the job has none: leave cache-rows out

// All of them where they change something.
// RUN: ps-opt both.mlir --ps-transpile="pservers=1 trainers=2 split-method=HashName min-block-size=4 wire=bf16 cache-rows=9" | FileCheck %s
// CHECK: wire = bf16
// CHECK: cache_rows = 9

//--- dense.mlir
ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
func.func @train(%g: tensor<3xf32>) {
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return
}

//--- rows.mlir
ps.table @emb : tensor<100x3xf32> init(#ps.constant<0.0>)
func.func @train(%i: tensor<2xi64> {ps.feed = "i"}) -> (tensor<f32> {ps.fetch = "loss"}) {
  %e = ps.lookup @emb[%i] : (tensor<2xi64>) -> tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %loss : tensor<f32>
}

//--- both.mlir
ps.table @emb : tensor<100x3xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<2x3xf32> init(#ps.constant<0.0>)
func.func @train(%i: tensor<2xi64> {ps.feed = "i"}) -> (tensor<f32> {ps.fetch = "loss"}) {
  %e = ps.lookup @emb[%i] : (tensor<2xi64>) -> tensor<2x3xf32>
  %w = ps.read @w : tensor<2x3xf32>
  %product = stablehlo.multiply %e, %w : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%product init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %loss : tensor<f32>
}
