// RUN: ps-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected rows of at least one element, found 0}}
func.func private @f(!ps.rows<0 x f32>)

// -----

// expected-error@+1 {{expected rows of f32 or f64, found 'bf16'}}
func.func private @f(!ps.rows<4 x bf16>)

// -----

// expected-error@+1 {{expected a shard from 0 to 1, found shard 2 of 2}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<2 of 2>)

// -----

// expected-error@+1 {{has the unknown attribute 'learning_rate_scal'; did you mean 'learning_rate_scale'?}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {learning_rate_scal = 2.0 : f64}

// -----

// expected-error@+1 {{expects a row limit and a row width, both positive, found 'tensor<?x2xf32>'}}
ps.table @emb : tensor<?x2xf32> init(#ps.constant<0.0>)

// -----

// expected-error@+1 {{expects a row limit and a row width, both positive, found 'tensor<0x2xf32>'}}
ps.table @emb : tensor<0x2xf32> init(#ps.constant<0.0>)

// -----

// expected-error@+1 {{expects learning_rate_scale to be finite in f32 and not negative, found -1}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {learning_rate_scale = -1.0 : f64}

// -----

// Tiers.

// expected-error@+1 {{expected at least 1 row in memory, found 0}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) tiers([#ps.mem<rows = 0>, #ps.ssd<"d">])

// -----

// expected-error@+1 {{expected a directory for the rows that are not in memory, found ""}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) tiers([#ps.mem<rows = 1>, #ps.ssd<"">])

// -----

// expected-error@+1 {{expects the tiers [#ps.hbm<rows = ..>], [#ps.mem<rows = ..>, #ps.ssd<"DIR">] or all three in this order, found [#ps.ssd<"d">, #ps.mem<rows = 1>]}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) tiers([#ps.ssd<"d">, #ps.mem<rows = 1>])

// -----

// expected-error@+1 {{expects the tiers [#ps.hbm<rows = ..>], [#ps.mem<rows = ..>, #ps.ssd<"DIR">] or all three in this order, found [#ps.mem<rows = 1>]}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) tiers([#ps.mem<rows = 1>])

// -----

// expected-error@+1 {{expects the tiers [#ps.hbm<rows = ..>], [#ps.mem<rows = ..>, #ps.ssd<"DIR">] or all three in this order, found [#ps.mem<rows = 1>, #ps.hbm<rows = 1>]}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) tiers([#ps.mem<rows = 1>, #ps.hbm<rows = 1>])

// -----

// expected-error@+1 {{expects the tiers [#ps.hbm<rows = ..>], [#ps.mem<rows = ..>, #ps.ssd<"DIR">] or all three in this order, found []}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) tiers([])

// -----

// expected-error@+1 {{expected at least 1 row in a GPU's memory, found 0}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) tiers([#ps.hbm<rows = 0>])

// -----

// expected-error@+1 {{has evict_lru and tiers: a row that leaves memory is either dropped or kept on the SSD: expected one of them}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) tiers([#ps.mem<rows = 1>, #ps.ssd<"d">]) {evict_lru}

// -----

// Names.

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<4xi64>) {
  // expected-error@+1 {{names the unknown table '@em'; did you mean 'emb'?}}
  %0 = ps.lookup @em[%i] : (tensor<4xi64>) -> tensor<4x2xf32>
  return
}

// -----

// expected-note@+1 {{it is this 'ps.variable'}}
ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<4xi64>) {
  // expected-error@+1 {{expects '@w' to be a table}}
  %0 = ps.lookup @w[%i] : (tensor<4xi64>) -> tensor<4x2xf32>
  return
}

// -----

// A row is read in the function that updates it, and nowhere else.

// expected-note@+1 {{it is this 'ps.table'}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f() {
  // expected-error@+1 {{expects '@emb' to be a variable}}
  %0 = ps.read @emb : tensor<2xf32>
  return
}

// -----

// expected-error@+1 {{carries 'ps.row_of', which names a table and belongs to a function}}
func.func private @f() attributes {ps.row_of = 4 : i64}

// -----

// Lookups.

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<?xi64>) {
  // expected-error@+1 {{has segments but no pool: choose pool(sum), pool(mean) or pool(sqrtn)}}
  %0 = ps.lookup @emb[%i] segments(%i) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?x2xf32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<?xi64>) {
  // expected-error@+1 {{has pool but no segments: give the start of each bag by segments(%offsets)}}
  %0 = ps.lookup @emb[%i] pool(sum) : (tensor<?xi64>) -> tensor<?x2xf32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<?xi64>, %w: tensor<?xf32>) {
  // expected-error@+1 {{has weights, but no bags to weigh}}
  %0 = ps.lookup @emb[%i] weights(%w) : (tensor<?xi64>, tensor<?xf32>) -> tensor<?x2xf32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<?x3xi64>, %o: tensor<?xi64>) {
  // expected-error@+1 {{pools bags, so expects its ids concatenated in a tensor of rank 1, found 'tensor<?x3xi64>'}}
  %0 = ps.lookup @emb[%i] segments(%o) pool(sum) : (tensor<?x3xi64>, tensor<?xi64>) -> tensor<?x2xf32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<?xi64>, %o: tensor<?xi64>) {
  %j = stablehlo.negate %i : tensor<?xi64>
  // expected-error@+1 {{pools bags, whose ids and weights are arguments of the function: expected no op between them and the lookup}}
  %0 = ps.lookup @emb[%j] segments(%o) pool(sum) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?x2xf32>
  return
}

// -----

// expected-note@+1 {{'@emb' is declared here}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<?x3xi64>) {
  // expected-error@+1 {{of 'tensor<?x3xi64>' in '@emb' gives 'tensor<?x3x2xf32>', found 'tensor<?x2xf32>'}}
  %0 = ps.lookup @emb[%i] : (tensor<?x3xi64>) -> tensor<?x2xf32>
  return
}

// -----

// expected-note@+1 {{'@emb' is declared here}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<?xi64>, %o: tensor<?xi64>, %w: tensor<?xf64>) {
  // expected-error@+1 {{expects weights of 'f32', found 'tensor<?xf64>'}}
  %0 = ps.lookup @emb[%i] segments(%o) pool(sum) weights(%w) : (tensor<?xi64>, tensor<?xi64>, tensor<?xf64>) -> tensor<?x2xf32>
  return
}

// -----

// expected-note@+1 {{'@emb' is declared here}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<4xi64>, %r: !ps.rows<3 x f32>) {
  // expected-error@+1 {{has type '!ps.rows<3 x f32>', but the rows of '@emb' are '!ps.rows<2 x f32>'}}
  %0 = ps.lookup @emb[%i] in(%r) : (tensor<4xi64>, !ps.rows<3 x f32>) -> tensor<4x2xf32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<4xi64>, %j: tensor<4xi64>) {
  // expected-note@+1 {{they are fetched here}}
  %r = ps.prefetch @emb[%j] : (tensor<4xi64>) -> !ps.rows<2 x f32>
  // expected-error@+1 {{finds no rows of '@emb' for its ids and padding among those fetched}}
  %0 = ps.lookup @emb[%i] in(%r) : (tensor<4xi64>, !ps.rows<2 x f32>) -> tensor<4x2xf32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<4xi64>) {
  // expected-note@+1 {{they are fetched here}}
  %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
  // expected-error@+1 {{finds no rows of '@emb' for its ids and padding among those fetched}}
  %0 = ps.lookup @emb[%i] in(%r) {padding_idx = 0 : i64} : (tensor<4xi64>, !ps.rows<2 x f32>) -> tensor<4x2xf32>
  return
}

// -----

// expected-note@+1 {{'@emb' is declared here}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<4xi64>, %g: tensor<4x3xf32>) {
  // expected-error@+1 {{of 'tensor<4xi64>' in '@emb' gives 'tensor<4x2xf32>', found 'tensor<4x3xf32>'}}
  %0 = ps.lookup_gradient @emb[%i], %g : (tensor<4xi64>, tensor<4x3xf32>) -> !ps.rows<2 x f32>
  return
}

// -----

// expected-note@+1 {{'@emb' is declared here}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<4xi64>, %g: tensor<4x2xf32>) {
  // expected-error@+1 {{has type '!ps.rows<3 x f32>', but the rows of '@emb' are '!ps.rows<2 x f32>'}}
  %0 = ps.lookup_gradient @emb[%i], %g : (tensor<4xi64>, tensor<4x2xf32>) -> !ps.rows<3 x f32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected 1 or more operands, but found 0}}
  %0 = "ps.merge_rows"() : () -> !ps.rows<2 x f32>
  return
}

// -----

// Updates.

// expected-note@+1 {{'@emb' is declared here}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {trainable = false}
func.func @f(%r: !ps.rows<2 x f32>) {
  // expected-error@+1 {{expects '@emb' to be trainable}}
  ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%r: !ps.rows<2 x f32>, %rate: tensor<f32>) {
  // expected-error@+1 {{has rate, which #ps.sgd<learning_rate = 0.1> does not need}}
  ps.apply_rows @emb, %r rate(%rate : tensor<f32>) using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%r: !ps.rows<2 x f32>, %rate: tensor<f64>) {
  // expected-error@+1 {{expects rate of 'f32', found 'tensor<f64>'}}
  ps.apply_rows @emb, %r rate(%rate : tensor<f64>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<2 x f32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f() {
  ps.listen_and_serv {
    ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
      // expected-error@+1 {{expects rate in ps.optimize_block, for #ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>}}
      ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<2 x f32>
    }
  }
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%r: !ps.rows<2 x f32>) {
  // expected-error@+1 {{updates '@emb' row by row, but #ps.clip_by_global_norm<1.0> needs more than one row: give the table a clip of its own, such as clip = #ps.clip_by_value<min = -1.0, max = 1.0>}}
  ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_global_norm<1.0>) : !ps.rows<2 x f32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%r: !ps.rows<2 x f32>) {
  // expected-error@+1 {{updates '@emb' row by row, but #ps.clip_by_norm<1.0> needs more than one row}}
  ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_norm<1.0>) : !ps.rows<2 x f32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%r: !ps.rows<2 x f32>) {
  // expected-error@+1 {{updates '@emb' row by row, but #ps.lamb<learning_rate = 0.1> needs more than one row: expected an elementwise optimizer, such as #ps.adagrad}}
  ps.apply_rows @emb, %r using(#ps.lamb<learning_rate = 0.1>) : !ps.rows<2 x f32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%loss: tensor<f32>, %r: !ps.rows<2 x f32>) {
  // expected-error@+1 {{and ps.apply_rows exclude each other, but '@f' holds both}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  // expected-note@+1 {{ps.apply_rows is here}}
  ps.apply_rows @emb, %r using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%r: !ps.rows<2 x f32>) {
  // expected-error@+1 {{expects '@g' to be a function with ps.row_of = @emb}}
  ps.update_rows @emb, %r with(@g) : !ps.rows<2 x f32>
  return
}
func.func private @g()

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f() {
  ps.listen_and_serv {
    // expected-error@+1 {{expects '!ps.rows<2 x f32>' for '@emb', found 'tensor<4x2xf32>'}}
    ps.optimize_block @emb (%g: tensor<4x2xf32>) {
    }
  }
  return
}

// -----

// Transfers.

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f() {
  // expected-error@+1 {{expects ids to fetch}}
  %r = ps.prefetch @emb[] : () -> !ps.rows<2 x f32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<4xi64>) {
  // expected-error@+1 {{expects a padding for each of its 1 ids, found 2}}
  %r = ps.prefetch @emb[%i] paddings([unit, 1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
  return
}

// -----

ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<4xi64>) {
  // expected-error@+1 {{expects paddings to be i64 or unit, found 1.000000e+00 : f64}}
  %r = ps.prefetch @emb[%i] paddings([1.0]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
  return
}

// -----

// expected-note@+1 {{'@emb' is declared here}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @f(%i: tensor<4xi64>) {
  // expected-error@+1 {{has type '!ps.rows<3 x f32>', but the rows of '@emb' are '!ps.rows<2 x f32>'}}
  %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<3 x f32>
  return
}

// -----

// expected-note@+1 {{'@emb' is declared here}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {trainable = false}
func.func @f(%r: !ps.rows<2 x f32>) {
  // expected-error@+1 {{expects '@emb' to be trainable}}
  %t = ps.push_rows @emb, %r to([@pserver_0]) : !ps.rows<2 x f32>
  return
}

// -----

ps.table @emb : tensor<4x2xf64> init(#ps.constant<0.0>)
func.func @f(%parts: tensor<f32>) {
  // expected-error@+1 {{expects parts of 'f64', found 'f32'}}
  %r = ps.collect_changes @emb parts(%parts : tensor<f32>) : !ps.rows<2 x f64>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{names the unknown table '@emb'}}
  %t = ps.pull_changes @emb from([@pserver_0])
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{names the unknown table '@emb'}}
  ps.merge_changes @emb
  return
}

// -----

// expected-error@+1 {{expects cache_rows from 1 to 2147483647, found 0}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {cache_rows = 0 : i64}

// -----

// expected-error@+1 {{has cache_rows and an accessor: shows and clicks of all trainers change its rows on the pservers, so expected one of them}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label">, cache_rows = 4 : i64, evict_every = 10 : i64}

// -----

// expected-error@+1 {{has cache_rows and wire(int8): the copies of rows would lose bits, and no longer be equal to the rows: expected one of them}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) wire(int8) {cache_rows = 4 : i64}

// -----

// expected-error@+1 {{has rows of 'f64' and wire(bf16), which is for rows of f32}}
ps.table @emb : tensor<4x2xf64> init(#ps.constant<0.0>) wire(bf16)

// -----

// expected-error@+1 {{expects admit_count from 1 to 2147483647, found 0}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {admit_count = 0 : i64}

// -----

// expected-error@+1 {{expects evict_age from 1 to 2147483647, found -1}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {evict_age = -1 : i64, evict_every = 1 : i64}

// -----

// expected-error@+1 {{expects evict_every from 1 to 2147483647, found 4294967296}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {evict_age = 1 : i64, evict_every = 4294967296 : i64}

// -----

// expected-error@+1 {{expects admit_probability above 0 and at most 1, found 0}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {admit_probability = 0.0 : f64}

// -----

// expected-error@+1 {{has admit_count and admit_probability: expected one of them}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {admit_count = 2 : i64, admit_probability = 0.5 : f64}

// -----

// expected-error@+1 {{expects evict_age and evict_every together: the steps for which an unused row is kept, and the steps between two checks}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {evict_age = 2 : i64}

// -----

// expected-error@+1 {{expects evict_every with its accessor: the number of steps in a day of shows and clicks}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label">}

// -----

// expected-error@+1 {{expected click to name a feed, found ""}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "">, evict_every = 4 : i64}

// -----

// expected-error@+1 {{expected decay to be greater than 0 and at most 1, found 1.5}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label", decay = 1.5>, evict_every = 4 : i64}

// -----

// expected-error@+1 {{expected delete_after_unseen_days not to be negative, found -1}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label", delete_after_unseen_days = -1.0>, evict_every = 4 : i64}

// -----

// expected-error@+1 {{expected delta_keep_days not to be negative, found -2}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label", delta_keep_days = -2.0>, evict_every = 4 : i64}

// -----

// expected-error@+1 {{expected embedx_from to be a column from 1 on, found 0}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label", embedx_from = 0>, evict_every = 4 : i64}

// -----

// expected-error@+1 {{has rows of 2 columns: expected embedx_from to be one of them, found 2}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label", embedx_from = 2>, evict_every = 4 : i64}

// -----

// expected-error@+1 {{expected embedx_threshold to be finite, found}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label", embedx_from = 1, embedx_threshold = 1e999>, evict_every = 4 : i64}

// -----

// expected-error@+1 {{is recovered: it replaces a variable, whose rows are neither admitted nor evicted, so expects no evict_age}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {recovered, evict_age = 4 : i64, evict_every = 4 : i64}

// -----

// expected-error@+1 {{expected delete_threshold to be finite, found}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label", delete_threshold = 1e999>, evict_every = 4 : i64}

// -----

// expected-note@+1 {{'@emb' is declared here}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label">, evict_every = 4 : i64}
func.func @f(%i: tensor<8xi64> {ps.feed = "ids"}, %d: tensor<8x2xf32> {ps.feed = "d"}) {
  // expected-error@+1 {{trains '@emb', whose clicks are in the feed "label", which is not an argument of the function}}
  %g = ps.lookup_gradient @emb[%i], %d : (tensor<8xi64>, tensor<8x2xf32>) -> !ps.rows<2 x f32>
  return
}

// -----

// expected-note@+1 {{'@emb' is declared here}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label">, evict_every = 4 : i64}
func.func @f(%i: tensor<8xi64> {ps.feed = "ids"}, %d: tensor<8x2xf32> {ps.feed = "d"}, %l: tensor<4x1xf32> {ps.feed = "label"}) {
  // expected-error@+1 {{of 'tensor<8xi64>' expects a click of f32, f64, i32 or i64 for each sample in the feed "label", found 'tensor<4x1xf32>'}}
  %g = ps.lookup_gradient @emb[%i], %d : (tensor<8xi64>, tensor<8x2xf32>) -> !ps.rows<2 x f32>
  return
}

// -----

// expected-error@+1 {{expects initial values that are finite in 'f32', found 1.000000e+39}}
ps.table @emb : tensor<4x2xf32> init(#ps.constant<1e39>)
