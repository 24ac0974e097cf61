// RUN: ps-opt %s --split-input-file --verify-diagnostics --ps-place-variables="pservers=a:1,b:2"

// expected-error@+1 {{nothing to place: no ps.apply updates a variable, and no ps.apply_rows a table; is there no ps.minimize?}}
module {
  ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
}

// -----

// expected-error@+1 {{already holds programs: expected the graph of a single machine}}
module {
  // expected-note@+1 {{'@trainer' is here}}
  ps.program @trainer role(trainer) cluster(#ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0123456789abcdef">) {
  }
}

// -----

ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
// expected-note@+1 {{here}}
ps.variable @w.velocity : tensor<3xf32> init(#ps.constant<0.0>) {trainable = false}
func.func @train(%g: tensor<3xf32>) {
  // expected-error@+1 {{needs the name '@w.velocity' for its state, but it is taken}}
  ps.apply @w, %g using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<3xf32>
  return
}

// -----

// expected-error@+1 {{is pinned to pserver 2, but the job has 2 of them: expected server from 0 to 1}}
ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>) {server = 2}
func.func @train(%g: tensor<3xf32>) {
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return
}

// -----

// expected-error@+1 {{is pinned to pserver 1, but no ps.apply updates it, so it stays with the trainers: expected no server, or a loss that depends on it}}
ps.variable @v : tensor<3xf32> init(#ps.constant<0.0>) {server = 1}
ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
func.func @train(%g: tensor<3xf32>) -> tensor<3xf32> {
  %v = ps.read @v : tensor<3xf32>
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return %v : tensor<3xf32>
}

// -----

// expected-error@+1 {{has sync = all_reduce, but no ps.apply updates it, so there is no gradient to reduce: expected no sync, or a loss that depends on it}}
ps.variable @v : tensor<3xf32> init(#ps.constant<0.0>) {sync = all_reduce}
ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
func.func @train(%g: tensor<3xf32>) -> tensor<3xf32> {
  %v = ps.read @v : tensor<3xf32>
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return %v : tensor<3xf32>
}

// -----

// expected-error@+1 {{has sync = all_reduce, but no ps.apply updates it}}
ps.variable @v : tensor<3xf32> init(#ps.constant<0.0>) {sync = all_reduce, trainable = false}
ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
func.func @train(%g: tensor<3xf32>) {
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
  return
}

// -----

// The state of a table's rows has a name, and so has their update.

module {
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
  // expected-note@+1 {{here}}
  ps.variable @emb.velocity : tensor<2xf32> init(#ps.constant<0.0>)
  func.func @train(%g: !ps.rows<2 x f32>) {
    // expected-error@+1 {{needs the name '@emb.velocity' for its state, but it is taken}}
    ps.apply_rows @emb, %g using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : !ps.rows<2 x f32>
    return
  }
}

// -----

module {
  ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
  func.func @train(%g: !ps.rows<2 x f32>) {
    // expected-error@+1 {{needs the name '@emb.update_row' for its state, but it is taken}}
    ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
    return
  }
  // expected-note@+1 {{here}}
  func.func @emb.update_row() {
    return
  }
}
