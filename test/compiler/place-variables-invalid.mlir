// RUN: ps-opt %s --split-input-file --verify-diagnostics --ps-place-variables="pservers=a:1,b:2"

// expected-error@+1 {{nothing to place: no ps.apply updates a variable; is there no ps.minimize?}}
module {
  ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
}

// -----

// expected-error@+1 {{already holds programs: expected the graph of a single machine}}
module {
  // expected-note@+1 {{'@trainer' is here}}
  ps.program @trainer role(trainer) cluster(#ps.cluster<mode = sync, trainers = 1, pservers = ["a:1"], hash = "0123456789abcdef">) {
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
