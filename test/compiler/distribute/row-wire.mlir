// Trained tables of f32 that say nothing themselves get the wire of the option,
// and programs agree on it. The types of programs stay f32: rows lose bits on
// the network only.

// RUN: ps-opt %s --ps-transpile="pservers=2 trainers=2 row-wire=int8" --verify-roundtrip | FileCheck %s
// RUN: ps-opt %s --ps-transpile="pservers=2 trainers=2 mode=async row-wire=f16" | FileCheck %s --check-prefix=ASYNC
// RUN: ps-opt %s --ps-transpile="pservers=2 trainers=2" | FileCheck %s --check-prefix=NONE
// RUN: not ps-opt %s --ps-transpile="pservers=1 row-wire=int4" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ps-opt %s --ps-transpile="pservers=1 mode=geo row-wire=int8" 2>&1 | FileCheck %s --check-prefix=GEO
// RUN: not ps-opt %s --ps-transpile="pservers=1 mode=geo" 2>&1 | FileCheck %s --check-prefix=GEO-TABLE
// RUN: not ps-opt %s --ps-transpile="mode=collective row-wire=int8" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE
// RUN: not ps-opt %s --ps-transpile="pservers=1 cache-rows=9 row-wire=int8" 2>&1 | FileCheck %s --check-prefix=CACHE
// RUN: sed 's/wire(bf16)/{cache_rows = 9 : i64}/' %s > %t.cache.mlir
// RUN: not ps-opt %t.cache.mlir --ps-transpile="pservers=1 row-wire=int8" 2>&1 | FileCheck %s --check-prefix=OWN-CACHE
// RUN: sed 's/f32/f64/g; s/wire(bf16)//' %s > %t.f64.mlir
// RUN: not ps-opt %t.f64.mlir --ps-transpile="pservers=1 row-wire=int8" 2>&1 | FileCheck %s --check-prefix=NOTHING

// UNKNOWN: error: unknown row-wire=int4: expected one of f32, bf16, f16, int8; did you mean 'int8'?
// GEO: error: mode=geo exchanges every block alone, and blocks and rows whole and in their own type: leave bucket-bytes, wire, row-wire and top-k out
// GEO-TABLE: error: 'ps.apply_rows' op updates the table '@own', which has wire, but in mode=geo every trainer holds all rows: leave it out, or choose mode=sync or mode=async
// COLLECTIVE: error: row-wire=int8 is for jobs with pservers, and mode=collective has none: leave row-wire out
// CACHE: error: row-wire=int8 takes bits from rows, and copies of rows (cache-rows=9) must have all: expected one of them
// OWN-CACHE: cache.mlir:{{[0-9]+}}:1: error: 'ps.table' op has cache_rows and wire(int8): the copies of rows would lose bits, and no longer be equal to the rows: expected one of them
// NOTHING: error: row-wire=int8 is for rows of tables, but no table of f32 is trained: leave row-wire out, or choose wire=bf16 for variables

// CHECK: ps.program @trainer
// CHECK: ps.table @emb : {{.*}} init(#ps.constant<0.0>) wire(int8)
// CHECK: ps.table @own : {{.*}} init(#ps.constant<0.0>) wire(bf16)
// CHECK: ps.table @read : {{.*}} init(#ps.constant<0.0>){{$}}
// CHECK: ps.prefetch @emb[%{{.*}}] from([@pserver_0, @pserver_1]) : (tensor<8xi64>) -> !ps.rows<4 x f32>
// CHECK: ps.push_rows @emb, %{{.*}} to([@pserver_0, @pserver_1]) : !ps.rows<4 x f32>
// CHECK: ps.program @pserver_0
// CHECK: ps.table @emb : {{.*}} shard(#ps.shard<0 of 2>) wire(int8)
// CHECK: ps.table @own : {{.*}} shard(#ps.shard<0 of 2>) wire(bf16)
// CHECK: ps.optimize_block @emb (%{{.*}}: !ps.rows<4 x f32>)
// CHECK: ps.program @pserver_1
// CHECK: ps.table @emb : {{.*}} shard(#ps.shard<1 of 2>) wire(int8)

// ASYNC-COUNT-3: ps.table @emb : {{.*}} wire(f16)
// NONE-NOT: wire(int8)

ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>)
ps.table @own : tensor<100x4xf32> init(#ps.constant<0.0>) wire(bf16)
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
