// Tables from the graph to programs: of one process, and of each role of a job.

// RUN: ps-opt %s --ps-compile="batch-size=8" --verify-roundtrip | FileCheck %s --check-prefix=LOCAL
// RUN: ps-opt %s --ps-transpile="pservers=h:1,h:2 trainers=2" -o %t.dist.mlir
// RUN: ps-opt %t.dist.mlir --ps-compile="program=trainer function=train batch-size=8" --verify-roundtrip | FileCheck %s --check-prefix=TRAINER
// RUN: ps-opt %t.dist.mlir --ps-compile="program=pserver_1" --verify-roundtrip | FileCheck %s --check-prefix=PSERVER
// RUN: ps-opt %t.dist.mlir --ps-compile="program=trainer function=train batch-size=8 forward-only=true" | FileCheck %s --check-prefix=EVAL
// RUN: ps-opt %s --ps-compile="batch-size=8 forward-only=true" | FileCheck %s --check-prefix=EVAL

// Rows are fetched before anything else, in one go, and updated one by one: the
// row's program is one kernel that works in place.

// LOCAL: ps.variable @emb.moment : tensor<4xf32> {{.*}}slot_of(@emb)
// LOCAL-LABEL: exec.program @train
// LOCAL: exec.ragged_feed "s1" : memref<?xi64>
// LOCAL: exec.feed "s1.offsets" : memref<8xi64>
// LOCAL: %[[R:.*]] = exec.rows @emb lookups(2)
// LOCAL-NEXT: %[[T:.*]] = exec.prefetch %[[R]] ids({{.*}} : memref<8x2xi64>, memref<?xi64>) paddings([0, unit])
// LOCAL: exec.lookup %[[R]] lookup(0) outs({{.*}}) after(%[[T]])
// LOCAL: exec.lookup %[[R]] lookup(1) pool(sum)
// LOCAL: %[[G0:.*]] = exec.lookup_gradient %[[R]] lookup
// LOCAL: %[[G1:.*]] = exec.lookup_gradient %[[R]] lookup({{.*}} after({{.*}}%[[G0]]
// LOCAL: exec.update_rows %[[R]] rate({{.*}}) with(@emb.update_row) after({{.*}}%[[G1]])
// LOCAL: exec.program @emb.update_row row_of(@emb) arena(0) {
// LOCAL-NEXT: %[[G:.*]] = exec.feed "grad" : memref<4xf32>
// LOCAL-NEXT: %[[X:.*]] = exec.feed "rate" : memref<f32>
// LOCAL-DAG: %[[W:.*]] = exec.variable @emb : memref<4xf32>
// LOCAL-DAG: %[[M:.*]] = exec.variable @emb.moment : memref<4xf32>
// LOCAL: exec.launch {{.*}} outs(%[[M]], %[[W]] :
// LOCAL-NEXT: }

// TRAINER-NOT: emb.moment
// TRAINER-LABEL: exec.program @train
// TRAINER: exec.prefetch %[[R:.*]] ids({{.*}}) from([@pserver_0, @pserver_1])
// TRAINER: %[[P:.*]] = exec.push_rows %[[R]] to([@pserver_0, @pserver_1])
// TRAINER: exec.send_barrier {{.*}} after({{.*}}%[[P]]
// TRAINER-NOT: update_row

// PSERVER: ps.table @emb : {{.*}} shard(#ps.shard<1 of 2>)
// PSERVER: ps.variable @emb.moment : tensor<4xf32> {{.*}}slot_of(@emb)
// PSERVER: exec.program @emb.update arena
// PSERVER: %[[R:.*]] = exec.rows @emb feed("grad") : !ps.rows<4 x f32>
// PSERVER: exec.update_rows %[[R]] rate({{.*}}) with(@emb.update_row)
// PSERVER: exec.program @emb.update_row row_of(@emb)

// EVAL: exec.prefetch {{.*}} frozen
// EVAL-NOT: update
// EVAL-NOT: push_rows

module @ctr {
  ps.table @emb : tensor<1000x4xf32> init(#ps.uniform<min = -0.1, max = 0.1>)
  ps.variable @w : tensor<12x1xf32> init(#ps.xavier_uniform)
  func.func @train(%ids: tensor<?x2xi64> {ps.feed = "ids"}, %s: tensor<?xi64> {ps.feed = "s1"}, %o: tensor<?xi64> {ps.feed = "s1.offsets"}, %y: tensor<?x1xf32> {ps.feed = "y"}) -> (tensor<f32> {ps.fetch = "loss"}) {
    %e = ps.lookup @emb[%ids] {padding_idx = 0 : i64} : (tensor<?x2xi64>) -> tensor<?x2x4xf32>
    %p = ps.lookup @emb[%s] segments(%o) pool(sum) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?x4xf32>
    %f = stablehlo.reshape %e : (tensor<?x2x4xf32>) -> tensor<?x8xf32>
    %h = stablehlo.concatenate %f, %p, dim = 1 : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<?x12xf32>
    %w = ps.read @w : tensor<12x1xf32>
    %z = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<?x12xf32>, tensor<12x1xf32>) -> tensor<?x1xf32>
    %d = stablehlo.subtract %z, %y : tensor<?x1xf32>
    %q = stablehlo.multiply %d, %d : tensor<?x1xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %loss = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    ps.minimize %loss using(#ps.adagrad<learning_rate = #ps.exponential_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1, staircase = true>>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
