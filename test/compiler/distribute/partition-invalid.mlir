// RUN: ps-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics --ps-partition

// expected-error@+1 {{no 'ps.cluster' to partition for: run ps-place-variables first}}
module {
}

// -----

// expected-error@+1 {{nothing to partition: no ps.apply updates a variable}}
module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  // expected-error@+1 {{is not allowed in a program}}
  "test.global"() : () -> ()
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  // expected-error@+1 {{takes the name '@startup', which is reserved for a function of the programs}}
  func.func @startup() { return }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  // expected-error@+1 {{takes the name '@main', which is reserved for a function of the programs}}
  ps.variable @main : tensor<f32> init(#ps.constant<0.0>)
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  // expected-note@+1 {{'@w' is declared here}}
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    // expected-error@+1 {{updates '@w', which is not placed: run ps-place-variables first}}
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  // expected-error@+1 {{is placed but no ps.apply updates it}}
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  // expected-error@+1 {{places block "w" on pserver 1, but the cluster has 1}}
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 1>]
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    // expected-note@+1 {{the first one is here}}
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    // expected-error@+1 {{updates '@w' a second time in a step}}
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
  ps.variable @v : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "v", row_offset = 0, rows = 1, server = 0>]
  // expected-note@+1 {{'@train' is here}}
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
  // expected-error@+1 {{updates variables, and so does '@train': expected one training function}}
  func.func @train_more(%g: tensor<f32> {ps.feed = "g"}) {
    ps.apply @v, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
  func.func @serve() {
    ps.listen_and_serv {
      ps.optimize_block @w (%g: tensor<f32>) {
        // expected-error@+1 {{expects to be directly in a function, not in a region of one of its ops}}
        ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
      }
    }
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    // expected-note@+1 {{it is updated here}}
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
  func.func @reset(%g: tensor<f32>) {
    // expected-error@+1 {{writes '@w', which a pserver owns: only a ps.apply may change it}}
    ps.assign @w, %g : tensor<f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
  func.func private @helper()
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    // expected-error@+1 {{in a training function is expected to be inlined}}
    call @helper() : () -> ()
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

// -----

// The second gradient cannot be computed from the first one's effect: the
// pservers update all variables of a step at once.

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
  ps.variable @v : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "v", row_offset = 0, rows = 1, server = 0>]
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    // expected-error@+1 {{reads '@w' between two updates of a step: expected it before the update of that variable or after all of them}}
    %w = ps.read @w : tensor<f32>
    // expected-note@+1 {{'@v' is updated later, here}}
    ps.apply @v, %w using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    return
  ^dead:
    // expected-error@+1 {{is in a function with several blocks}}
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
  // expected-error@+1 {{updates variables, but its argument 1 has no 'ps.feed'}}
  func.func @train(%g: tensor<f32> {ps.feed = "g"}, %h: tensor<f32>) {
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

// -----

// With fewer bits on the network the trainer has one more function of its own.

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef", wire = bf16>} {
  // expected-error@+1 {{takes the name '@pull_model', which is reserved for a function of the programs}}
  func.func @pull_model() {
    return
  }
}

// -----

// What trainers reduce themselves is on no pserver.

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  // expected-error@+1 {{is placed on pservers, but the trainers reduce it themselves}}
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>] {sync = all_reduce}
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

// -----

// Trainers would go different ways.

module attributes {ps.cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    // expected-error@+1 {{writes '@w', which all trainers hold with equal values: only a ps.apply may change it}}
    ps.assign @w, %g : tensor<f32>
    // expected-note@+1 {{it is updated here}}
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}

// -----

// The norm needs all gradients, the read a value that needs the norm.

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @a : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "a", row_offset = 0, rows = 1, server = 0>]
  ps.variable @r : tensor<f32> init(#ps.constant<0.0>) {sync = all_reduce}
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) -> (tensor<f32> {ps.fetch = "r"}) {
    ps.apply @r, %g using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<1.0>) : tensor<f32>
    // expected-error@+1 {{reads '@r' between two updates of a step: expected it before the update of that variable or after all of them}}
    %r = ps.read @r : tensor<f32>
    // expected-note@+1 {{'@a' is updated later, here}}
    ps.apply @a, %g using(#ps.sgd<learning_rate = 0.5>) clip(#ps.clip_by_global_norm<1.0>) : tensor<f32>
    return %r : tensor<f32>
  }
}

// -----

// Tables.

module attributes {ps.cluster = #ps.cluster<mode = geo, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>} {
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
  func.func @train(%r: !ps.rows<2 x f32> {ps.feed = "r"}) {
    // expected-error@+1 {{updates the table '@emb' by #ps.adagrad<learning_rate = 0.1>, but mode=geo sums the steps of several trainers: use an optimizer whose steps may be summed, such as #ps.sgd, or mode=sync or mode=async, which keep the optimizer}}
    ps.apply_rows @emb, %r using(#ps.adagrad<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = geo, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>} {
  // expected-note@+1 {{'@emb' is declared here}}
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) {cache_rows = 10 : i64}
  func.func @train(%r: !ps.rows<2 x f32> {ps.feed = "r"}) {
    // expected-error@+1 {{updates the table '@emb', which has cache_rows, but in mode=geo every trainer holds all rows: leave it out, or choose mode=sync}}
    ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = geo, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>} {
  // expected-note@+1 {{'@emb' is declared here}}
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) {admit_count = 3 : i64}
  func.func @train(%r: !ps.rows<2 x f32> {ps.feed = "r"}) {
    // expected-error@+1 {{which has admit_count, but in mode=geo every trainer holds all rows: leave it out, or choose mode=sync or mode=async}}
    ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = geo, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>} {
  // expected-note@+1 {{'@emb' is declared here}}
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) tiers([#ps.mem<rows = 9>, #ps.ssd<"d">])
  func.func @train(%r: !ps.rows<2 x f32> {ps.feed = "r"}) {
    // expected-error@+1 {{which has tiers, but in mode=geo every trainer holds all rows}}
    ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = geo, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>} {
  // expected-note@+1 {{'@emb' is declared here}}
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) {evict_lru}
  func.func @train(%r: !ps.rows<2 x f32> {ps.feed = "r"}) {
    // expected-error@+1 {{which has evict_lru, but in mode=geo every trainer holds all rows}}
    ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = collective, trainers = 1, pservers = [], hash = "0123456789abcdef">} {
  // expected-note@+1 {{'@emb' is declared here}}
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
  func.func @train(%r: !ps.rows<2 x f32> {ps.feed = "r"}) {
    // expected-error@+1 {{but in mode=collective trainers update what they hold: expected mode=sync, where dense=all_reduce is for the other gradients, mode=async, mode=half-async or mode=geo}}
    ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef", accumulate = 4>} {
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
  func.func @train(%r: !ps.rows<2 x f32> {ps.feed = "r"}) {
    // expected-error@+1 {{updates the table '@emb', but the rows of several batches cannot be accumulated: expected accumulate=1, found accumulate=4}}
    ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
  func.func @train(%i: tensor<4xi64> {ps.feed = "i"}, %x: tensor<4x2xf32> {ps.feed = "x"}) {
    // expected-error@+1 {{of '@emb' has no rows that were fetched (in): run ps-fuse-lookups first}}
    %g = ps.lookup_gradient @emb[%i], %x : (tensor<4xi64>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
    ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
  func.func @train(%r: !ps.rows<2 x f32> {ps.feed = "r"}) {
    // expected-note@+1 {{the first one is here}}
    ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    // expected-error@+1 {{updates '@emb' a second time in a step}}
    ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  // expected-error@+1 {{takes the name '@main', which is reserved for a function of the programs}}
  ps.table @main : tensor<100x2xf32> init(#ps.constant<0.0>)
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = async, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  // expected-note@+1 {{'@emb' is declared here}}
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) {cache_rows = 10 : i64}
  func.func @train(%i: tensor<4xi64> {ps.feed = "i"}, %rows: !ps.rows<2 x f32> {ps.feed = "rows"}) {
    // expected-error@+1 {{updates the table '@emb', which has cache_rows: trainers cache rows in mode=sync only, found mode=async}}
    ps.apply_rows @emb, %rows using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    // expected-error@+1 {{updates '@w' with a rate that the graph computes, which processes of a job do not share: leave it out, and the job computes it}}
    ps.apply @w, %g rate(%g : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) : tensor<f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    // expected-error@+1 {{updates '@w' with a norm that the graph computes}}
    ps.apply @w, %g norm(%g : tensor<f32>) using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_global_norm<1.0>) : tensor<f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
  func.func @train(%rows: !ps.rows<2 x f32> {ps.feed = "rows"}, %rate: tensor<f32> {ps.feed = "rate"}) {
    // expected-error@+1 {{updates '@emb' with a rate that the graph computes}}
    ps.apply_rows @emb, %rows rate(%rate : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module attributes {ps.cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef", accumulate = 2>} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    // expected-error@+1 {{updates '@w' with a rate that the graph computes}}
    ps.apply @w, %g rate(%g : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) : tensor<f32>
    return
  }
}

// -----

// As the option spells the mode.

module attributes {ps.cluster = #ps.cluster<mode = half_async, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  // expected-note@+1 {{'@emb' is declared here}}
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) {cache_rows = 10 : i64}
  func.func @train(%rows: !ps.rows<2 x f32> {ps.feed = "rows"}) {
    // expected-error@+1 {{in mode=sync only, found mode=half-async}}
    ps.apply_rows @emb, %rows using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
}

// -----

// expected-note@+1 {{for this}}
module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">} {
  ps.variable @w : tensor<f32> init(#ps.constant<0.0>) placed [#ps.placement<block = "w", row_offset = 0, rows = 1, server = 0>]
  // expected-error@+1 {{takes the name '@main', which program '@pserver_0' needs}}
  func.func private @main(%p: tensor<f32>, %g: tensor<f32>, %rate: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.multiply %rate, %g : tensor<f32>
    %1 = stablehlo.subtract %p, %0 : tensor<f32>
    return %1 : tensor<f32>
  }
  func.func @train(%g: tensor<f32> {ps.feed = "g"}) {
    ps.apply @w, %g using(#ps.custom<@main, learning_rate = 0.1>) : tensor<f32>
    return
  }
}
