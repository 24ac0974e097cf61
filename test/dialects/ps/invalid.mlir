// RUN: ps-opt %s --split-input-file --verify-diagnostics

// Numbers and attributes.

// expected-error@+1 {{#ps.constant: expected value to be a number}}
ps.variable @w : tensor<f32> init(#ps.constant<"1">)

// -----

// expected-error@+1 {{#ps.constant: expected value to be a number}}
ps.variable @w : tensor<f32> init(#ps.constant<1.0 : f32>)

// -----

// expected-error@+1 {{#ps.constant: expected value to be a number}}
ps.variable @w : tensor<f32> init(#ps.constant<1x>)

// -----

// expected-error@+1 {{#ps.constant: expected value to be a number}}
ps.variable @w : tensor<f32> init(#ps.constant<1e5x>)

// -----

// expected-error@+1 {{expected a finite value}}
ps.variable @w : tensor<f32> init(#ps.constant<1e999>)

// -----

// Values that the type does not have. Those at its ends are allowed.

ps.variable @wide : tensor<f64> init(#ps.constant<1e300>)
ps.variable @half : tensor<f16> init(#ps.constant<65504.0>)
ps.variable @least : tensor<i32> init(#ps.constant<-2147483648.0>) {trainable = false}
ps.variable @most : tensor<ui32> init(#ps.constant<4294967295.0>) {trainable = false}
ps.variable @zero : tensor<i64> init(#ps.constant<-0.0>) {trainable = false}
// expected-error@+1 {{expects initial values that are finite in 'f32', found 1.000000e+300}}
ps.variable @w : tensor<f32> init(#ps.constant<1e300>)

// -----

// expected-error@+1 {{expects initial values that are finite in 'f16', found 1.000000e+05}}
ps.variable @w : tensor<f16> init(#ps.constant<1e5>)

// -----

// expected-error@+1 {{expects initial values that are finite in 'f32', found -1.000000e+39}}
ps.variable @w : tensor<f32> init(#ps.uniform<min = -1e39, max = 1.0>)

// -----

// expected-error@+1 {{expects initial values that are finite in 'f32', found 1.000000e+39}}
ps.variable @w : tensor<f32> init(#ps.normal<mean = 0.0, stddev = 1e39>)

// -----

// expected-error@+1 {{expects an initial value that is an integer of 'i32', found 5.000000e-01}}
ps.variable @k : tensor<4xi32> init(#ps.constant<0.5>) {trainable = false}

// -----

// expected-error@+1 {{expects an initial value that is an integer of 'i32', found 1.000000e+20}}
ps.variable @k : tensor<4xi32> init(#ps.constant<1e20>) {trainable = false}

// -----

// expected-error@+1 {{expects an initial value that is an integer of 'ui32', found -1.000000e+00}}
ps.variable @k : tensor<4xui32> init(#ps.constant<-1.0>) {trainable = false}

// -----

// expected-error@+1 {{expected min to be less than max, found 1.000000e+00 and 1.000000e+00}}
ps.variable @w : tensor<f32> init(#ps.uniform<min = 1.0, max = 1.0>)

// -----

// expected-error@+1 {{expected a finite mean and a stddev that is not negative, found 0.000000e+00 and -1.000000e+00}}
ps.variable @w : tensor<f32> init(#ps.normal<mean = 0.0, stddev = -1.0>)

// -----

// expected-error@+1 {{expected a finite mean and a stddev that is not negative, found 0.000000e+00 and -1.000000e+00}}
ps.variable @w : tensor<f32> init(#ps.truncated_normal<mean = 0.0, stddev = -1.0>)

// -----

func.func @f(%loss: tensor<f32>) {
  // expected-error@+1 {{expected learning_rate to be a number or a schedule, found "fast"}}
  ps.minimize %loss using(#ps.sgd<learning_rate = "fast">) : tensor<f32>
  return
}

// -----

func.func @f(%loss: tensor<f32>) {
  // expected-error@+1 {{expected learning_rate to be a number or a schedule, found 1.000000e-01 : f32}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1 : f32>) : tensor<f32>
  return
}

// -----

func.func @f(%loss: tensor<f32>) {
  // expected-error@+1 {{expected learning_rate to be a number or a schedule, found true}}
  ps.minimize %loss using(#ps.sgd<learning_rate = true>) : tensor<f32>
  return
}

// -----

func.func @f(%loss: tensor<f32>) {
  // expected-error@+1 {{expected learning_rate to be finite and not negative, found -1.000000e-01}}
  ps.minimize %loss using(#ps.sgd<learning_rate = -0.1>) : tensor<f32>
  return
}

// -----

func.func @f(%loss: tensor<f32>) {
  // expected-error@+1 {{expected momentum to be finite and not negative, found -9.000000e-01}}
  ps.minimize %loss using(#ps.momentum<learning_rate = 0.1, momentum = -0.9>) : tensor<f32>
  return
}

// -----

func.func @f(%loss: tensor<f32>) {
  // expected-error@+1 {{invalid kind of attribute specified}}
  ps.minimize %loss using(#ps.xavier_normal) : tensor<f32>
  return
}

// -----

// expected-error@+1 {{expected trainers of at least 1, found 0}}
#cluster = #ps.cluster<mode = sync, trainers = 0, pservers = [], hash = "0">

// -----

// expected-error@+1 {{expected pservers to be names, found 1 : i64}}
#cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [1], hash = "0">

// -----

// expected-error@+1 {{expected endpoints to be strings, found @h}}
#cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0", endpoints = [@h]>

// -----

// expected-error@+1 {{endpoint "h:1" is given twice}}
#cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0, @pserver_1], hash = "0", endpoints = ["h:1", "h:1"]>

// -----

// expected-error@+1 {{expected one endpoint for each of the 2 pservers, found 1}}
#cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0, @pserver_1], hash = "0", endpoints = ["h:1"]>

// -----

// expected-error@+1 {{pserver @pserver_0 is given twice}}
#cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0, @pserver_0], hash = "0">

// -----

// expected-error@+1 {{rows [3, 3 + 2) are not rows of 'tensor<4xf32>'}}
#slice = #ps.slice<origin = "w", row_offset = 3, rows = 2, origin_type = tensor<4xf32>>

// -----

// expected-error@+1 {{expected origin_type to have a static shape, found 'tensor<?xf32>'}}
#slice = #ps.slice<origin = "w", row_offset = 3, rows = 2, origin_type = tensor<?xf32>>

// -----

// Variables.

// expected-error@+1 {{expects at least one element, found 'tensor<0x2xf32>'}}
ps.variable @w : tensor<0x2xf32> init(#ps.xavier_normal)

// -----

// expected-error@+1 {{type attribute of statically shaped tensor of bfloat16 type or 16-bit float or 32-bit float or 64-bit float or 32-bit signless integer or 64-bit signless integer or 32-bit unsigned integer values}}
ps.variable @w : tensor<?x2xf32> init(#ps.xavier_normal)

// -----

// expected-error@+1 {{type attribute of statically shaped tensor of bfloat16 type or 16-bit float or 32-bit float or 64-bit float or 32-bit signless integer or 64-bit signless integer or 32-bit unsigned integer values}}
ps.variable @w : tensor<2xi16> init(#ps.xavier_normal)

// -----

// expected-error@+1 {{expects learning_rate_scale to be finite in f32 and not negative, found -1.000000e+00}}
ps.variable @w : tensor<2xf32> init(#ps.xavier_normal) {learning_rate_scale = -1.0 : f64}

// -----

// expected-error@+1 {{expects learning_rate_scale to be finite in f32 and not negative, found 1.000000e+39}}
ps.variable @w : tensor<2xf32> init(#ps.xavier_normal) {learning_rate_scale = 1.0e39 : f64}

// -----

// expected-error@+1 {{has type 'tensor<3xf32>' but 2 rows of 'tensor<4xf32>' are 'tensor<2xf32>'}}
ps.variable @w : tensor<3xf32> init(#ps.xavier_normal) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<4xf32>>)

// -----

// expected-error@+1 {{expects block "w.block1" to begin at row 2 and hold at least one row, found rows [3, 3 + 1)}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) placed [
  #ps.placement<block = "w.block0", row_offset = 0, rows = 2, server = 0>,
  #ps.placement<block = "w.block1", row_offset = 3, rows = 1, server = 0>]

// -----

// expected-error@+1 {{expects block "w" to name a pserver, found -1}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) placed [
  #ps.placement<block = "w", row_offset = 0, rows = 4, server = -1>]

// -----

// expected-error@+1 {{has 4 rows but its placements cover 2}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) placed [
  #ps.placement<block = "w", row_offset = 0, rows = 2, server = 0>]

// -----

// expected-error@+1 {{names the unknown variable '@v'}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) slot_of(@v) {trainable = false}

// -----

// expected-error@+1 {{is a slot of itself}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) slot_of(@w) {trainable = false}

// -----

ps.variable @v : tensor<4xf32> init(#ps.xavier_normal)
// expected-error@+1 {{is optimizer state, so expects trainable = false}}
ps.variable @s : tensor<f32> init(#ps.constant<0.0>) {optimizer_state}

// -----

// expected-error@+1 {{is transient, so expects slot_of or optimizer_state: the model is kept}}
ps.variable @s : tensor<f32> init(#ps.constant<0.0>) {trainable = false, transient}

// -----

ps.variable @v : tensor<f32> init(#ps.constant<0.0>)
// expected-error@+1 {{is a slot of '@v', so expects no optimizer_state, which is for what belongs to no variable}}
ps.variable @s : tensor<f32> init(#ps.constant<0.0>) slot_of(@v) {optimizer_state, trainable = false}

// -----

// expected-error@+1 {{is a slot of '@v', so expects trainable = false}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) slot_of(@v)

// -----

// expected-error@+1 {{attribute 'type' failed to satisfy constraint}}
ps.variable @w : tensor<4xf8E5M2> init(#ps.xavier_normal)

// -----

func.func @f(%loss: tensor<f80>) {
  // expected-error@+1 {{op operand #0 must be 0D tensor of bfloat16 type or 16-bit float or 32-bit float or 64-bit float values, but got 'tensor<f80>'}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f80>
  return
}

// -----

// Uses of variables.

func.func @f() {
  // expected-error@+1 {{names the unknown variable '@w'}}
  %0 = ps.read @w : tensor<4xf32>
  return
}

// -----

// expected-note@+1 {{it is this 'func.func'}}
func.func @f() {
  // expected-error@+1 {{expects '@f' to be a variable}}
  %0 = ps.read @f : tensor<4xf32>
  return
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal)
func.func @f() {
  // expected-error@+1 {{has type 'tensor<4xf64>' but '@w' has type 'tensor<4xf32>'}}
  %0 = ps.read @w : tensor<4xf64>
  return
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal)
func.func @f(%x: tensor<5xf32>) {
  // expected-error@+1 {{has type 'tensor<5xf32>' but '@w' has type 'tensor<4xf32>'}}
  ps.assign @w, %x : tensor<5xf32>
  return
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal)
func.func @f(%x: tensor<5xf32>) {
  // expected-error@+1 {{has type 'tensor<5xf32>' but '@w' has type 'tensor<4xf32>'}}
  ps.apply @w, %x using(#ps.sgd<learning_rate = 0.1>) : tensor<5xf32>
  return
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {trainable = false}
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects '@w' to be trainable}}
  ps.apply @w, %x using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  return
}

// -----

func.func @f(%loss: tensor<f32>) {
  // expected-note@+1 {{the first one is here}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  // expected-error@+1 {{occurs twice in '@f'}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.xavier_normal)
func.func @f(%loss: tensor<f32>, %g: tensor<4xf32>) {
  // expected-error@+1 {{and ps.apply exclude each other, but '@f' holds both}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  // expected-note@+1 {{ps.apply is here}}
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  return
}

// -----

func.func @f(%loss: tensor<2xf32>) {
  // expected-error@+1 {{must be 0D tensor of bfloat16 type or 16-bit float or 32-bit float or 64-bit float values, but got 'tensor<2xf32>'}}
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
  return
}

// -----

// Feeds and fetches.

// expected-error@+1 {{expects "ps.feed" on argument 0 to be a non-empty string}}
func.func @f(%x: tensor<f32> {ps.feed = 1}) { return }

// -----

// expected-error@+1 {{expects "ps.feed" on argument 0 to be a non-empty string}}
func.func @f(%x: tensor<f32> {ps.feed = ""}) { return }

// -----

// expected-error@+1 {{expects argument 0 with "ps.feed" to be a ranked tensor, found 'f32'}}
func.func @f(%x: f32 {ps.feed = "x"}) { return }

// -----

// expected-error@+1 {{has two arguments with "ps.feed" = "x": 0 and 2}}
func.func @f(%x: tensor<f32> {ps.feed = "x"}, %y: tensor<f32> {ps.feed = "y"}, %z: tensor<f32> {ps.feed = "x"}) { return }

// -----

// expected-error@+1 {{has two results with "ps.fetch" = "x": 0 and 1}}
func.func @f(%x: tensor<f32>) -> (tensor<f32> {ps.fetch = "x"}, tensor<f32> {ps.fetch = "x"}) { return %x, %x : tensor<f32>, tensor<f32> }

// -----

// expected-error@+1 {{has the unknown attribute "ps.fed" on argument 0; did you mean 'ps.feed'?}}
func.func @f(%x: tensor<f32> {ps.fed = "x"}) { return }

// -----

// expected-error@+1 {{expects 'ps.worker' on argument 0 to be an i64 of at least 0}}
func.func @f(%x: tensor<f32> {ps.worker = -1 : i64}) { return }

// -----

// expected-error@+1 {{has two arguments with "ps.feed" = "x": 0 and 1}}
func.func @f(%x: tensor<f32> {ps.feed = "x", ps.worker = 1 : i64}, %y: tensor<f32> {ps.feed = "x", ps.worker = 1 : i64}) { return }

// -----

// expected-error@+1 {{has the unknown attribute "ps.feed" on result 0}}
func.func @f(%x: tensor<f32>) -> (tensor<f32> {ps.feed = "x"}) { return %x : tensor<f32> }

// -----

// expected-error@+1 {{carries 'ps.feed', which belongs to a function argument}}
func.func @f() attributes {ps.feed = "x"} { return }

// -----

// expected-error@+1 {{carries 'ps.fetch', which belongs to a function result}}
func.func @f() attributes {ps.fetch = "x"} { return }

// -----

// expected-error@+1 {{carries 'ps.cluster', which is a #ps.cluster and belongs to a module}}
module attributes {ps.cluster = "x"} {}

// -----

// expected-error@+1 {{carries the unknown attribute "ps.role"}}
func.func @f() attributes {ps.role = "x"} { return }

// -----

// Programs.

// expected-error@+1 {{expects endpoint "a:1", as its cluster says, found none}}
ps.program @p role(pserver) cluster(#ps.cluster<mode = sync, trainers = 1, pservers = [@p], hash = "0", endpoints = ["a:1"]>) {
}

// -----

// expected-error@+1 {{expects endpoint "a:1", as its cluster says, found "a:2"}}
ps.program @p role(pserver) endpoint("a:2") cluster(#ps.cluster<mode = sync, trainers = 1, pservers = [@p], hash = "0", endpoints = ["a:1"]>) {
}

// -----

// expected-error@+1 {{expects no endpoint, as its cluster has none, found "a:1"}}
ps.program @p role(pserver) endpoint("a:1") cluster(#ps.cluster<mode = sync, trainers = 1, pservers = [@p], hash = "0">) {
}

// -----

// expected-error@+1 {{expects a trainer to have no endpoint}}
ps.program @p role(trainer) endpoint("a:1") cluster(#ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0", endpoints = ["a:1"]>) {
}

// -----

// expected-error@+1 {{'@p' is none of the cluster's pservers [@pserver_0]}}
ps.program @p role(pserver) cluster(#ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0">) {
}

// -----

// expected-error@+1 {{expects variables, tables and functions, found 'builtin.module'}}
ps.program @p role(trainer) cluster(#ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0">) {
  // expected-note@+1 {{it is here}}
  builtin.module {
  }
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal)
func.func @f(%x: tensor<5xf32>) {
  // expected-error@+1 {{has type 'tensor<5xf32>' but '@w' has type 'tensor<4xf32>'}}
  %t = ps.send @w rows(0, 4), %x to(@pserver_0) block("w") : tensor<5xf32>
  return
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal)
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{names rows [2, 2 + 3) but '@w' has 4 rows}}
  %t = ps.send @w rows(2, 3), %x to(@pserver_0) block("w") : tensor<4xf32>
  return
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal)
func.func @f() {
  // expected-error@+1 {{names rows [0, 0 + 0) but '@w' has 4 rows}}
  %t = ps.recv @w rows(0, 0) from(@pserver_0) block("w")
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{names the unknown variable '@w'}}
  %t = ps.recv @w rows(0, 4) from(@pserver_0) block("w")
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expects ps.optimize_block inside, found 'ps.send_barrier'}}
  ps.listen_and_serv {
    // expected-note@+1 {{it is here}}
    %b = ps.send_barrier() to([@pserver_0])
  }
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.xavier_normal)
func.func @f() {
  // expected-error@+1 {{has two blocks for '@w'}}
  ps.listen_and_serv {
    // expected-note@+1 {{the first one is here}}
    ps.optimize_block @w (%g: tensor<4xf32>) {
    }
    // expected-note@+1 {{the second one is here}}
    ps.optimize_block @w (%g: tensor<4xf32>) {
    }
  }
  return
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.xavier_normal)
func.func @f() {
  ps.listen_and_serv {
    // expected-error@+1 {{expects the merged gradient as its argument, and perhaps the block as it was pulled, found 0 arguments}}
    ps.optimize_block @w () {
    }
  }
  return
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal)
func.func @f() {
  ps.listen_and_serv {
    // expected-error@+1 {{has type 'tensor<5xf32>' but '@w' has type 'tensor<4xf32>'}}
    ps.optimize_block @w (%g: tensor<5xf32>) {
    }
  }
  return
}

// -----

// expected-error@+1 {{is larger than the address space: 'tensor<4294967296x4294967296xf32>'}}
ps.variable @w : tensor<4294967296x4294967296xf32> init(#ps.constant<0.0>)

// -----

// expected-error@+1 {{holds integers, so expects trainable = false}}
ps.variable @steps : tensor<i64> init(#ps.constant<0.0>)

// -----

// expected-error@+1 {{holds integers, so expects trainable = false}}
ps.variable @key : tensor<2xui32> init(#ps.constant<0.0>)

// -----

// expected-error@+1 {{stays with the trainers (sync = all_reduce), so expects no server, found server = 1}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {server = 1, sync = all_reduce}

// -----

// expected-error@+1 {{expected sync to be pserver or all_reduce, found 'ring'}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {sync = ring}

// -----

// expected-error@+1 {{'server' is given twice}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {server = 1, server = 2}

// -----

// expected-error@+1 {{carries 'ps.then', which names a function and belongs to a function}}
func.func @exchange() attributes {ps.then = "merge"} {
  return
}

// -----

// expected-error@+1 {{carries 'ps.last', which is a unit and belongs to a function}}
func.func @settle() attributes {ps.last = true} {
  return
}

// -----

// expected-error@+1 {{carries 'ps.every', which is a positive i64 and belongs to a function}}
func.func @exchange() attributes {ps.every = 0 : i64} {
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{has two schedule blocks}}
  ps.listen_and_serv {
    // expected-note@+1 {{the first one is here}}
    ps.schedule_block {
    }
    // expected-note@+1 {{the second one is here}}
    ps.schedule_block {
    }
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{names the unknown variable '@w'}}
  %t = ps.broadcast @w channel(0)
  return
}

// -----

// expected-error@+1 {{expected accumulate of at least 1, found 0}}
module attributes {ps.cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [], hash = "0", accumulate = 0>} {
}

// -----

// expected-error@+1 {{unknown attribute '#ps.constnt'; did you mean 'constant'?}}
ps.variable @w : tensor<3xf32> init(#ps.constnt<0.0>)

// -----

// expected-error@+1 {{unknown attribute '#ps.noise'}}
ps.variable @w : tensor<3xf32> init(#ps.noise<0.0>)

// -----

// expected-error@+1 {{custom op 'ps.varable' is unknown; did you mean 'ps.variable'?}}
ps.varable @w : tensor<3xf32> init(#ps.constant<0.0>)

// -----

ps.variable @fc_w : tensor<3xf32> init(#ps.constant<0.0>)
func.func @f() {
  // expected-error@+1 {{names the unknown variable '@fc_v'; did you mean 'fc_w'?}}
  %0 = ps.read @fc_v : tensor<3xf32>
  return
}

// -----

// expected-error@+1 {{expected trainers of at most 1000000, found 1000001}}
#cluster = #ps.cluster<mode = sync, trainers = 1000001, pservers = [], hash = "0">

// -----

// expected-error@+1 {{expected trainers of at most 1000000, found 4294967297}}
#cluster = #ps.cluster<mode = sync, trainers = 4294967297, pservers = [], hash = "0">

// -----

// expected-error@+1 {{expected geo_steps of at least 0, found -1}}
#cluster = #ps.cluster<mode = geo, trainers = 2, pservers = [], hash = "0", geo_steps = -1>

// -----

// expected-error@+1 {{expected geo_steps only with mode = geo, found mode = sync}}
#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [], hash = "0", geo_steps = 5>

// -----

// expected-error@+1 {{expected bucket_bytes of at least 0, found -1}}
#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [], hash = "0", bucket_bytes = -1>

// -----

// expected-error@+1 {{expected rounds of at least 1, found 0}}
#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [], hash = "0", rounds = 0>

// -----

// expected-error@+1 {{expected rounds of at most 16, found 17}}
#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [], hash = "0", rounds = 17>

// -----

// expected-error@+1 {{attribute 'trainable' failed to satisfy constraint}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {trainable}

// -----

// expected-error@+1 {{attribute 'trainable' failed to satisfy constraint}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {trainable = 1}

// -----

// expected-error@+1 {{expected '='}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {sync}

// -----

// expected-error@+1 {{expected sync to be pserver or all_reduce}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {sync = 1}

// -----

// expected-error@+1 {{attribute 'clip' failed to satisfy constraint}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {clip = 3}

// -----

// expected-error@+1 {{attribute 'clip' failed to satisfy constraint}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {clip = #ps.l1_decay<0.1>}

// -----

// expected-error@+1 {{attribute 'regularize' failed to satisfy constraint}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {regularize = #ps.clip_by_norm<1.0>}

// -----

// expected-error@+1 {{attribute 'learning_rate_scale' failed to satisfy constraint}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {learning_rate_scale = "x"}

// -----

// expected-error@+1 {{attribute 'learning_rate_scale' failed to satisfy constraint}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {learning_rate_scale = 2 : i64}

// -----

// expected-error@+1 {{attribute 'server' failed to satisfy constraint}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {server = "1"}

// -----

// expected-error@+1 {{attribute 'server' failed to satisfy constraint}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {server = -1}

// -----

// expected-error@+1 {{unknown attribute 'sever'; did you mean 'server'?}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {sever = 1}

// -----

// expected-error@+1 {{unknown attribute 'lerning_rate_scale'; did you mean 'learning_rate_scale'?}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {lerning_rate_scale = 2.0}

// -----

// expected-error@+1 {{unknown attribute 'sym_name'}}
ps.variable @w : tensor<4xf32> init(#ps.xavier_normal) {sym_name = "v"}

// -----

// expected-error@+1 {{'ps.variable' op has the unknown attribute 'sever'; did you mean 'server'?}}
"ps.variable"() <{sym_name = "w", type = tensor<4xf32>, init = #ps.xavier_normal}> {sever = 1} : () -> ()

// -----

func.func @metric_without_labels(%p: tensor<4xf32>) {
  // expected-error@+1 {{'auc' expects predictions and labels}}
  ps.metric auc("auc", %p) : tensor<4xf32>
  return
}

// -----

func.func @metric_with_labels(%p: tensor<4xf32>) {
  // expected-error@+1 {{'mean' takes no label}}
  ps.metric mean("mean", %p, %p) : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @metric_of_other_labels(%p: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error@+1 {{expects predictions and labels of one type, found 'tensor<4xf32>' and 'tensor<5xf32>'}}
  ps.metric accuracy("accuracy", %p, %y) : tensor<4xf32>, tensor<5xf32>
  return
}

// -----

func.func @metric_without_name(%p: tensor<4xf32>) {
  // expected-error@+1 {{expects a name to report under}}
  ps.metric mean("", %p) : tensor<4xf32>
  return
}

// -----

func.func @metric_of_many_bins(%p: tensor<4xf32>) {
  // expected-error@+1 {{expects at most 16777216 bins, found 33554432}}
  ps.metric auc("auc", %p, %p) {bins = 33554432 : i64} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @largest_of_other_type(%g: tensor<4x2xf32>) {
  // expected-error@+1 {{has a result of type 'tensor<3xui32>': expected tensor<Nx2xui32>}}
  %l = ps.take_largest @w rows(0, 4), %g : tensor<4x2xf32> -> tensor<3xui32>
  return
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @largest_of_few(%g: tensor<4x2xf32>) {
  // expected-error@+1 {{has the 4 largest of 4 elements of type 'f32': expected some of at most 4294967295 elements of type f32}}
  %l = ps.take_largest @w rows(2, 2), %g : tensor<4x2xf32> -> tensor<4x2xui32>
  return
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @largest_of_no_rows(%g: tensor<4x2xf32>) {
  // expected-error@+1 {{names rows [3, 3 + 2) but '@w' has 4 rows}}
  %l = ps.take_largest @w rows(3, 2), %g : tensor<4x2xf32> -> tensor<1x2xui32>
  return
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4x2xbf16> init(#ps.constant<0.0>)
func.func @send_largest_of_bf16(%l: tensor<1x2xui32>) {
  // expected-error@+1 {{has the 1 largest of 8 elements of type 'bf16'}}
  %t = ps.send @w rows(0, 4), %l to(@pserver_0) block("w") : tensor<1x2xui32>
  return
}

// -----

// expected-note@+1 {{'@w' is declared here}}
ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
func.func @serve_more_than_all() {
  ps.listen_and_serv {
    // expected-error@+1 {{has the 9 largest of 8 elements of type 'f32'}}
    ps.optimize_block @w (%g: tensor<4x2xf32>) largest(9) {
    }
  }
  return
}
