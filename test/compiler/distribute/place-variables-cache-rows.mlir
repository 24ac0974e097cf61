// Tables that say nothing themselves get the cache_rows of the option, those
// that ps-recover-tables makes too, and programs agree on it.

// RUN: ps-opt %s --ps-transpile="pservers=2 trainers=2 cache-rows=1000" | FileCheck %s
// RUN: ps-opt %s --ps-transpile="pservers=2 trainers=2" | FileCheck %s --check-prefix=NONE
// RUN: not ps-opt %s --ps-transpile="pservers=1 mode=async cache-rows=1" 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not ps-opt %s --ps-transpile="pservers=1 cache-rows=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not ps-opt %s --ps-transpile="pservers=1 cache-rows=2147483648" 2>&1 | FileCheck %s --check-prefix=MANY

// MODE: error: cache-rows=1 makes trainers cache rows, which only mode=sync supports, found mode=async: leave cache-rows out
// NEGATIVE: error: expected from 0 to 2147483647 copies of rows, found cache-rows=-1
// MANY: error: expected from 0 to 2147483647 copies of rows, found cache-rows=2147483648

// CHECK: ps.program @trainer
// CHECK: ps.table @emb {{.*}}cache_rows = 1000
// CHECK: ps.table @own {{.*}}cache_rows = 7
// CHECK: ps.table @read
// CHECK-NOT: cache_rows
// CHECK: ps.apply_rows @emb
// CHECK: ps.apply_rows @own
// CHECK: ps.program @pserver_0
// CHECK: ps.table @emb {{.*}}cache_rows = 1000
// CHECK: ps.table @own {{.*}}cache_rows = 7

// NONE-NOT: cache_rows = 1000
// NONE: cache_rows = 7

ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>)
ps.table @own : tensor<100x4xf32> init(#ps.constant<0.0>) {cache_rows = 7 : i64}
ps.table @read : tensor<100x4xf32> init(#ps.constant<0.0>)
func.func @train(%i: tensor<8xi64> {ps.feed = "i"}) -> (tensor<f32> {ps.fetch = "loss"}) {
  %e = ps.lookup @emb[%i] : (tensor<8xi64>) -> tensor<8x4xf32>
  %o = ps.lookup @own[%i] : (tensor<8xi64>) -> tensor<8x4xf32>
  %r = ps.lookup @read[%i] : (tensor<8xi64>) -> tensor<8x4xf32>
  %s = ps.stop_gradient %r : tensor<8x4xf32>
  %a = stablehlo.add %e, %o : tensor<8x4xf32>
  %b = stablehlo.multiply %a, %s : tensor<8x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %loss : tensor<f32>
}
