// RUN: ps-opt %s --verify-roundtrip | FileCheck %s

// CHECK: ps.table @emb : tensor<1000001x16xf32> init(#ps.uniform<min = -0.1, max = 0.1>){{$}}
ps.table @emb : tensor<1000001x16xf32> init(#ps.uniform<min = -0.1, max = 0.1>) partition(mix) {trainable = true}
// CHECK: ps.table @modulo : tensor<100x4xf64> init(#ps.constant<0.0>) partition(modulo) shard(#ps.shard<1 of 2>) {clip = #ps.clip_by_value<min = -1.0, max = 1.0>, learning_rate_scale = 2.000000e+00 : f64, regularize = #ps.l2_decay<0.1>}
ps.table @modulo : tensor<100x4xf64> init(#ps.constant<0.0>) partition(modulo) shard(#ps.shard<1 of 2>) {clip = #ps.clip_by_value<min = -1.0, max = 1.0>, learning_rate_scale = 2.0 : f64, regularize = #ps.l2_decay<0.1>}
// CHECK: ps.table @some : tensor<9x4xf32> init(#ps.constant<0.0>) {admit_count = 20 : i64, cache_rows = 5 : i64, evict_age = 1000 : i64, evict_every = 100 : i64, evict_lru}
ps.table @some : tensor<9x4xf32> init(#ps.constant<0.0>) {admit_count = 20 : i64, cache_rows = 5 : i64, evict_age = 1000 : i64, evict_every = 100 : i64, evict_lru}
// CHECK: ps.table @half {{.*}} {admit_probability = 5.000000e-01 : f64}
ps.table @half : tensor<9x4xf32> init(#ps.constant<0.0>) {admit_probability = 0.5 : f64}
// CHECK: ps.table @fixed : tensor<100x4xf32> init(#ps.constant<0.0>) {trainable = false}
ps.table @fixed : tensor<100x4xf32> init(#ps.constant<0.0>) {trainable = false}
// CHECK: ps.table @clicked {{.*}} {accessor = #ps.ctr<click = "label", {{.*}}delete_threshold = 0.4{{.*}}>, evict_every = 500 : i64}
ps.table @clicked : tensor<9x4xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label", delete_threshold = 0.4>, evict_every = 500 : i64}
// CHECK: ps.table @lazy {{.*}} {accessor = #ps.ctr<click = "label", {{.*}}embedx_from = 1, embedx_threshold = 5.0{{.*}}, show_scale = true, base_threshold = 2.0{{.*}}, delta_threshold = 0.5{{.*}}, delta_keep_days = 8.0{{.*}}>, evict_every = 500 : i64}
ps.table @lazy : tensor<9x4xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label", embedx_from = 1, embedx_threshold = 5.0, show_scale = true, base_threshold = 2.0, delta_threshold = 0.5, delta_keep_days = 8.0>, evict_every = 500 : i64}
// CHECK: ps.table @words : tensor<30x64xf32> init(#ps.constant<0.0>) partition(modulo) shard(#ps.shard<1 of 2>) wire(int8) {evict_lru}
ps.table @words : tensor<30x64xf32> init(#ps.constant<0.0>) partition(modulo) shard(#ps.shard<1 of 2>) wire(int8) {evict_lru}
// CHECK: ps.table @exact : tensor<3x64xf64> init(#ps.constant<0.0>) wire(f32){{$}}
ps.table @exact : tensor<3x64xf64> init(#ps.constant<0.0>) wire(f32)
// CHECK: ps.table @tiered : tensor<900x64xf64> init(#ps.constant<0.0>) tiers([#ps.mem<rows = 90>, #ps.ssd<"/mnt/nvme/rows">]) {cache_rows = 5 : i64}
ps.table @tiered : tensor<900x64xf64> init(#ps.constant<0.0>) tiers([#ps.mem<rows = 90>, #ps.ssd<"/mnt/nvme/rows">]) {cache_rows = 5 : i64}
// CHECK: ps.table @hbm : tensor<900x64xf64> init(#ps.constant<0.0>) tiers([#ps.hbm<rows = 9>])
ps.table @hbm : tensor<900x64xf64> init(#ps.constant<0.0>) tiers([#ps.hbm<rows = 9>])
// CHECK: ps.table @all : tensor<900x64xf64> init(#ps.constant<0.0>) tiers([#ps.hbm<rows = 9>, #ps.mem<rows = 90>, #ps.ssd<"d">])
ps.table @all : tensor<900x64xf64> init(#ps.constant<0.0>) tiers([#ps.hbm<rows = 9>, #ps.mem<rows = 90>, #ps.ssd<"d">])
// CHECK: ps.table @whole : tensor<9x4xf32> init(#ps.constant<0.0>) {recovered}
ps.table @whole : tensor<9x4xf32> init(#ps.constant<0.0>) {recovered}
// A slot of a table is one of each row.
// CHECK: ps.variable @emb.velocity : tensor<16xf32> init(#ps.constant<0.0>) slot_of(@emb) {trainable = false}
ps.variable @emb.velocity : tensor<16xf32> init(#ps.constant<0.0>) slot_of(@emb) {trainable = false}

// As users write it.

// CHECK-LABEL: func.func @lookups
func.func @lookups(%ids: tensor<?x26xi64>, %one: tensor<i64>, %bag: tensor<?xi64>, %offsets: tensor<?xi64>, %weights: tensor<?xf32>) {
  // CHECK: ps.lookup @emb[%{{.*}}] : (tensor<?x26xi64>) -> tensor<?x26x16xf32>
  %0 = ps.lookup @emb[%ids] : (tensor<?x26xi64>) -> tensor<?x26x16xf32>
  // CHECK: ps.lookup @emb[%{{.*}}] {padding_idx = -1 : i64} : (tensor<i64>) -> tensor<16xf32>
  %1 = ps.lookup @emb[%one] {padding_idx = -1 : i64} : (tensor<i64>) -> tensor<16xf32>
  // CHECK: ps.lookup @emb[%{{.*}}] segments(%{{.*}}) pool(sum) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?x16xf32>
  %2 = ps.lookup @emb[%bag] segments(%offsets) pool(sum) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?x16xf32>
  // CHECK: ps.lookup @emb[%{{.*}}] segments(%{{.*}}) pool(mean) weights(%{{.*}}) : (tensor<?xi64>, tensor<?xi64>, tensor<?xf32>) -> tensor<?x16xf32>
  %3 = ps.lookup @emb[%bag] segments(%offsets) pool(mean) weights(%weights) : (tensor<?xi64>, tensor<?xi64>, tensor<?xf32>) -> tensor<?x16xf32>
  return
}

// What the compiler makes of it.

// CHECK-LABEL: func.func @step
func.func @step(%bag: tensor<?xi64>, %offsets: tensor<8xi64>, %ids: tensor<8xi64>, %d: tensor<8x16xf32>, %rate: tensor<f32>) {
  // CHECK: %[[R:.*]] = ps.prefetch @emb[%{{.*}}, %{{.*}}] paddings([3, unit]) : (tensor<?xi64>, tensor<8xi64>) -> !ps.rows<16 x f32>
  %r = ps.prefetch @emb[%bag, %ids] paddings([3, unit]) : (tensor<?xi64>, tensor<8xi64>) -> !ps.rows<16 x f32>
  // CHECK: ps.lookup @emb[%{{.*}}] segments(%{{.*}}) pool(sqrtn) in(%[[R]]) {padding_idx = 3 : i64} : (tensor<?xi64>, tensor<8xi64>, !ps.rows<16 x f32>) -> tensor<8x16xf32>
  %0 = ps.lookup @emb[%bag] segments(%offsets) pool(sqrtn) in(%r) {padding_idx = 3 : i64} : (tensor<?xi64>, tensor<8xi64>, !ps.rows<16 x f32>) -> tensor<8x16xf32>
  // CHECK: %[[G:.*]] = ps.lookup_gradient @emb[%{{.*}}] segments(%{{.*}}) pool(sqrtn) in(%[[R]]), %{{.*}} {padding_idx = 3 : i64} : (tensor<?xi64>, tensor<8xi64>, !ps.rows<16 x f32>, tensor<8x16xf32>) -> !ps.rows<16 x f32>
  %g = ps.lookup_gradient @emb[%bag] segments(%offsets) pool(sqrtn) in(%r), %d {padding_idx = 3 : i64} : (tensor<?xi64>, tensor<8xi64>, !ps.rows<16 x f32>, tensor<8x16xf32>) -> !ps.rows<16 x f32>
  // CHECK: %[[H:.*]] = ps.lookup_gradient @emb[%{{.*}}] in(%[[R]]), %{{.*}} : (tensor<8xi64>, !ps.rows<16 x f32>, tensor<8x16xf32>) -> !ps.rows<16 x f32>
  %h = ps.lookup_gradient @emb[%ids] in(%r), %d : (tensor<8xi64>, !ps.rows<16 x f32>, tensor<8x16xf32>) -> !ps.rows<16 x f32>
  // CHECK: %[[M:.*]] = ps.merge_rows %[[G]], %[[H]] : !ps.rows<16 x f32>
  %m = ps.merge_rows %g, %h : !ps.rows<16 x f32>
  // CHECK: ps.apply_rows @emb, %[[M]] using(#ps.adagrad<learning_rate = 0.1{{.*}}>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.1>) : !ps.rows<16 x f32>
  ps.apply_rows @emb, %m using(#ps.adagrad<learning_rate = 0.1>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) regularize(#ps.l2_decay<0.1>) : !ps.rows<16 x f32>
  // CHECK: ps.apply_rows @emb, %[[M]] rate(%{{.*}} : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<16 x f32>
  ps.apply_rows @emb, %m rate(%rate : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<16 x f32>
  // CHECK: ps.update_rows @emb, %[[M]] rate(%{{.*}} : tensor<f32>) with(@emb.update_row) : !ps.rows<16 x f32>
  ps.update_rows @emb, %m rate(%rate : tensor<f32>) with(@emb.update_row) : !ps.rows<16 x f32>
  // CHECK: ps.update_rows @emb, %[[M]] with(@emb.update_row) : !ps.rows<16 x f32>
  ps.update_rows @emb, %m with(@emb.update_row) : !ps.rows<16 x f32>
  return
}

// CHECK-LABEL: func.func @transfers
func.func @transfers(%ids: tensor<8xi64>, %m: !ps.rows<16 x f32>) {
  // CHECK: ps.prefetch @emb[%{{.*}}] from([@pserver_1, @pserver_2]) paddings([0]) frozen : (tensor<8xi64>) -> !ps.rows<16 x f32>
  %r = ps.prefetch @emb[%ids] from([@pserver_1, @pserver_2]) paddings([0]) frozen : (tensor<8xi64>) -> !ps.rows<16 x f32>
  // CHECK: %[[T:.*]] = ps.push_rows @emb, %{{.*}} to([@pserver_1, @pserver_2]) : !ps.rows<16 x f32>
  %t = ps.push_rows @emb, %m to([@pserver_1, @pserver_2]) : !ps.rows<16 x f32>
  // CHECK: ps.send_barrier(%[[T]])
  %b = ps.send_barrier(%t) to([@pserver_1, @pserver_2])
  return
}

// CHECK-LABEL: func.func @exchanged
func.func @exchanged(%parts: tensor<f32>) {
  // CHECK: %[[D:.*]] = ps.collect_changes @emb parts(%{{.*}} : tensor<f32>) : !ps.rows<16 x f32>
  %d = ps.collect_changes @emb parts(%parts : tensor<f32>) : !ps.rows<16 x f32>
  // CHECK: %[[P:.*]] = ps.push_rows @emb, %[[D]]
  %p = ps.push_rows @emb, %d to([@pserver_1, @pserver_2]) : !ps.rows<16 x f32>
  // CHECK: %[[T:.*]] = ps.pull_changes @emb from([@pserver_1, @pserver_2]) after(%[[P]])
  %t = ps.pull_changes @emb from([@pserver_1, @pserver_2]) after(%p)
  // CHECK: ps.merge_changes @emb after(%[[T]])
  ps.merge_changes @emb after(%t)
  // CHECK: ps.pull_changes @emb from([@pserver_1])
  // CHECK: ps.merge_changes @emb
  %u = ps.pull_changes @emb from([@pserver_1])
  ps.merge_changes @emb
  return
}

// Inside, the table's name is the row's.

// CHECK-LABEL: func.func private @emb.update_row
// CHECK-SAME: attributes {ps.row_of = @emb}
func.func private @emb.update_row(%grad: tensor<16xf32> {ps.feed = "grad"}, %rate: tensor<f32> {ps.feed = "rate"}) attributes {ps.row_of = @emb} {
  // CHECK: ps.read @emb : tensor<16xf32>
  %0 = ps.read @emb : tensor<16xf32>
  // CHECK: ps.read @emb.velocity : tensor<16xf32>
  %1 = ps.read @emb.velocity : tensor<16xf32>
  // CHECK: ps.assign @emb, %{{.*}} : tensor<16xf32>
  ps.assign @emb, %1 : tensor<16xf32>
  return
}

// CHECK-LABEL: ps.program @pserver_0
ps.program @pserver_0 role(pserver) cluster(#ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0">) {
  ps.table @emb : tensor<100x4xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>)
  func.func @main() {
    ps.listen_and_serv {
      // CHECK: ps.optimize_block @emb (%[[G:.*]]: !ps.rows<4 x f32>) {
      // CHECK-NEXT: ps.apply_rows @emb, %[[G]]
      ps.optimize_block @emb (%g: !ps.rows<4 x f32>) {
        ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<4 x f32>
      }
    }
    return
  }
}
