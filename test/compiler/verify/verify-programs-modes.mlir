// RUN: ps-opt %s --split-input-file --verify-diagnostics --ps-verify-programs

// Programs of the modes without barriers, and of trainers that reduce gradients
// among themselves. The first chunk of each kind is right; the others break it.

// Gradients are reduced, then applied.

#cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @v : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.broadcast @v channel(0)
      %i1 = ps.broadcast @w channel(1)
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %m0 = ps.all_reduce %g channel(0) : tensor<2xf32>
      %m1 = ps.all_reduce %g channel(1) : tensor<2xf32>
      ps.apply @v, %m0 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      ps.apply @w, %m1 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
  }
}

// -----

// Each trainer would go its own way.

#cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @v : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.broadcast @v channel(0)
      %i1 = ps.broadcast @w channel(1)
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %m0 = ps.all_reduce %g channel(0) : tensor<2xf32>
      %m1 = ps.all_reduce %g channel(1) : tensor<2xf32>
      // expected-error@+1 {{updates '@v' from a gradient of this trainer alone: expected a mean that ps.all_reduce returns}}
      ps.apply @v, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      ps.apply @w, %m1 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
  }
}

// -----

// Trainers could not tell which calls belong together.

#cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @v : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.broadcast @v channel(0)
      %i1 = ps.broadcast @w channel(1)
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      // expected-note@+1 {{the one before is here}}
      %m0 = ps.all_reduce %g channel(0) : tensor<2xf32>
      // expected-error@+1 {{has channel 0 after channel 0 in '@train': expected ascending channels, or trainers could merge unrelated values}}
      %m1 = ps.all_reduce %g channel(0) : tensor<2xf32>
      ps.apply @v, %m0 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      ps.apply @w, %m1 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
  }
}

// -----

// The same at the start.

#cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @v : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      // expected-note@+1 {{the one before is here}}
      %i0 = ps.broadcast @v channel(0)
      // expected-error@+1 {{has channel 0 after channel 0 in '@startup'}}
      %i1 = ps.broadcast @w channel(0)
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %m0 = ps.all_reduce %g channel(0) : tensor<2xf32>
      %m1 = ps.all_reduce %g channel(1) : tensor<2xf32>
      ps.apply @v, %m0 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      ps.apply @w, %m1 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
  }
}

// -----

// A variable that starts differently on each trainer.

#cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @v : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    // expected-error@+1 {{gives trainers no common initial value of '@v': expected a ps.broadcast}}
    func.func @startup() {
      %i1 = ps.broadcast @w channel(1)
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %m0 = ps.all_reduce %g channel(0) : tensor<2xf32>
      %m1 = ps.all_reduce %g channel(1) : tensor<2xf32>
      // expected-note@+1 {{they update it here}}
      ps.apply @v, %m0 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      ps.apply @w, %m1 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
  }
}

// -----

// A variable that is given twice.

#cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @v : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      // expected-note@+1 {{the first one is here}}
      %i0 = ps.broadcast @v channel(0)
      // expected-error@+1 {{gives '@v' a second time}}
      %i1 = ps.broadcast @v channel(1)
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %m0 = ps.all_reduce %g channel(0) : tensor<2xf32>
      %m1 = ps.all_reduce %g channel(1) : tensor<2xf32>
      ps.apply @v, %m0 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      ps.apply @w, %m1 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
  }
}

// -----

// What a trainer has learned would be lost.

#cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @v : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.broadcast @v channel(0)
      %i1 = ps.broadcast @w channel(1)
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %m0 = ps.all_reduce %g channel(0) : tensor<2xf32>
      %m1 = ps.all_reduce %g channel(1) : tensor<2xf32>
      // expected-error@+1 {{is in '@train': expected initial values, in '@startup'}}
      %t = ps.broadcast @v channel(2)
      ps.apply @v, %m0 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      ps.apply @w, %m1 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
  }
}

// -----

// There is nobody to wait for.

#cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @v : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.broadcast @v channel(0)
      %i1 = ps.broadcast @w channel(1)
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %m0 = ps.all_reduce %g channel(0) : tensor<2xf32>
      %m1 = ps.all_reduce %g channel(1) : tensor<2xf32>
      // expected-error@+1 {{waits for pservers, but the cluster has none}}
      %b = ps.send_barrier() to([])
      ps.apply @v, %m0 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      ps.apply @w, %m1 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
  }
}

// -----

// The gradients of a step leave from one function.

#cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @v : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.broadcast @v channel(0)
      %i1 = ps.broadcast @w channel(1)
      return
    }
    // expected-note@+1 {{'@train' is here}}
    func.func @train(%g: tensor<2xf32>) {
      %m0 = ps.all_reduce %g channel(0) : tensor<2xf32>
      %m1 = ps.all_reduce %g channel(1) : tensor<2xf32>
      ps.apply @v, %m0 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      ps.apply @w, %m1 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
    // expected-error@+1 {{sends gradients, and so does '@train': expected one training function}}
    func.func @more(%g: tensor<2xf32>) {
      %m = ps.all_reduce %g channel(0) : tensor<2xf32>
      return
    }
  }
}

// -----

// Steps of several batches update after so many.

#cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef", accumulate = 3>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @v : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.broadcast @v channel(0)
      %i1 = ps.broadcast @w channel(1)
      return
    }
    // expected-error@+1 {{sends gradients every 1 batches, expected every 3 as the cluster says}}
    func.func @train(%g: tensor<2xf32>) {
      %m0 = ps.all_reduce %g channel(0) : tensor<2xf32>
      %m1 = ps.all_reduce %g channel(1) : tensor<2xf32>
      ps.apply @v, %m0 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      ps.apply @w, %m1 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
  }
}

// -----

// What runs between batches has none.

#cluster = #ps.cluster<mode = collective, trainers = 2, pservers = [], hash = "0123456789abcdef", accumulate = 3>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @v : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.broadcast @v channel(0)
      %i1 = ps.broadcast @w channel(1)
      return
    }
    // expected-error@+1 {{takes data, but runs between batches (ps.every)}}
    func.func @train(%g: tensor<2xf32>) attributes {ps.every = 3 : i64} {
      %m0 = ps.all_reduce %g channel(0) : tensor<2xf32>
      %m1 = ps.all_reduce %g channel(1) : tensor<2xf32>
      ps.apply @v, %m0 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      ps.apply @w, %m1 using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
  }
}

// -----

// Each pull follows its own push.

#cluster = #ps.cluster<mode = async, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %s0 = ps.send @w rows(0, 2), %g to(@pserver_0) block("w") : tensor<2xf32>
      %r0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w") after(%s0)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<2xf32>) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
        }
      }
      return
    }
  }
}

// -----

// Nobody ends a step for all.

#cluster = #ps.cluster<mode = async, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %s0 = ps.send @w rows(0, 2), %g to(@pserver_0) block("w") : tensor<2xf32>
      %r0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w") after(%s0)
      // expected-error@+1 {{waits for the other trainers, which only mode=sync does}}
      %f = ps.fetch_barrier(%r0) to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<2xf32>) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
        }
      }
      return
    }
  }
}

// -----

// A trainer would not see its own gradient.

#cluster = #ps.cluster<mode = async, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      // expected-note@+1 {{which is here}}
      %s0 = ps.send @w rows(0, 2), %g to(@pserver_0) block("w") : tensor<2xf32>
      // expected-error@+1 {{may pull '@w' before its own gradient is sent: expected it after the ps.send of the block}}
      %r0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<2xf32>) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
        }
      }
      return
    }
  }
}

// -----

// Reductions are the trainers'.

#cluster = #ps.cluster<mode = async, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %s0 = ps.send @w rows(0, 2), %g to(@pserver_0) block("w") : tensor<2xf32>
      %r0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w") after(%s0)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<2xf32>) {
          // expected-error@+1 {{belongs in a trainer program, found it in '@pserver_0'}}
          %m = ps.all_reduce %g channel(0) : tensor<2xf32>
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
        }
      }
      return
    }
  }
}

// -----

// Trainers count their batches.

#cluster = #ps.cluster<mode = async, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %one = stablehlo.constant dense<1> : tensor<i64>
      %s1 = ps.send @global_step rows(0, 1), %one to(@pserver_0) block("global_step") : tensor<i64>
      %s0 = ps.send @w rows(0, 2), %g to(@pserver_0) block("w") : tensor<2xf32>
      %r0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w") after(%s0)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<2xf32>) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
        }
        ps.optimize_block @global_step (%batches: tensor<i64>) {
          %y = ps.read @global_step : tensor<i64>
          %z = stablehlo.add %y, %batches : tensor<i64>
          ps.assign @global_step, %z : tensor<i64>
        }
      }
      return
    }
  }
}

// -----

// A schedule would run at another pace.

#cluster = #ps.cluster<mode = async, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %one = stablehlo.constant dense<2> : tensor<i64>
      // expected-error@+1 {{counts the batches of this step: expected the constant 1}}
      %s1 = ps.send @global_step rows(0, 1), %one to(@pserver_0) block("global_step") : tensor<i64>
      %s0 = ps.send @w rows(0, 2), %g to(@pserver_0) block("w") : tensor<2xf32>
      %r0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w") after(%s0)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<2xf32>) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
        }
        ps.optimize_block @global_step (%batches: tensor<i64>) {
          %y = ps.read @global_step : tensor<i64>
          %z = stablehlo.add %y, %batches : tensor<i64>
          ps.assign @global_step, %z : tensor<i64>
        }
      }
      return
    }
  }
}

// -----

// A schedule would stand still.

#cluster = #ps.cluster<mode = async, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %one = stablehlo.constant dense<1> : tensor<i64>
      %s0 = ps.send @w rows(0, 2), %g to(@pserver_0) block("w") : tensor<2xf32>
      %r0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w") after(%s0)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<2xf32>) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
        }
        // expected-error@+1 {{gets no gradient and would deadlock: no ps.send of '@trainer' names it}}
        ps.optimize_block @global_step (%batches: tensor<i64>) {
          %y = ps.read @global_step : tensor<i64>
          %z = stablehlo.add %y, %batches : tensor<i64>
          ps.assign @global_step, %z : tensor<i64>
        }
      }
      return
    }
  }
}

// -----

// The batches of one trainer alone.

#cluster = #ps.cluster<mode = async, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      %one = stablehlo.constant dense<1> : tensor<i64>
      %s1 = ps.send @global_step rows(0, 1), %one to(@pserver_0) block("global_step") : tensor<i64>
      %s0 = ps.send @w rows(0, 2), %g to(@pserver_0) block("w") : tensor<2xf32>
      %r0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w") after(%s0)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<2xf32>) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
        }
        // expected-error@+1 {{expects to add the batches that it receives to '@global_step' and nothing else}}
        ps.optimize_block @global_step (%batches: tensor<i64>) {
          %y = ps.read @global_step : tensor<i64>
          %z = stablehlo.maximum %y, %batches : tensor<i64>
          ps.assign @global_step, %z : tensor<i64>
        }
      }
      return
    }
  }
}

// -----

// Trainers train, pservers add.

#cluster = #ps.cluster<mode = geo, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w.snapshot : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    ps.variable @w.pulled : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      %w = ps.read @w : tensor<2xf32>
      ps.assign @w.snapshot, %w : tensor<2xf32>
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
    func.func @merge() {
      %z = ps.read @w.pulled : tensor<2xf32>
      %y = ps.read @w.snapshot : tensor<2xf32>
      %others = stablehlo.subtract %z, %y : tensor<2xf32>
      %x = ps.read @w : tensor<2xf32>
      %new = stablehlo.add %x, %others : tensor<2xf32>
      ps.assign @w, %new : tensor<2xf32>
      ps.assign @w.snapshot, %z : tensor<2xf32>
      return
    }
    func.func @exchange() attributes {ps.every = 4 : i64, ps.then = @merge} {
      %two = stablehlo.constant dense<2.0> : tensor<2xf32>
      %x = ps.read @w : tensor<2xf32>
      %y = ps.read @w.snapshot : tensor<2xf32>
      %learned = stablehlo.subtract %x, %y : tensor<2xf32>
      %d = stablehlo.divide %learned, %two : tensor<2xf32>
      %known = stablehlo.add %y, %d : tensor<2xf32>
      ps.assign @w.snapshot, %known : tensor<2xf32>
      %s0 = ps.send @w rows(0, 2), %d to(@pserver_0) block("w") : tensor<2xf32>
      %r0 = ps.recv @w.pulled rows(0, 2) from(@pserver_0) block("w") after(%s0)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%d: tensor<2xf32>) {
          %y = ps.read @w : tensor<2xf32>
          %z = stablehlo.add %y, %d : tensor<2xf32>
          ps.assign @w, %z : tensor<2xf32>
        }
      }
      return
    }
  }
}

// -----

// Momentum cannot be merged.

#cluster = #ps.cluster<mode = geo, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w.snapshot : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      %w = ps.read @w : tensor<2xf32>
      ps.assign @w.snapshot, %w : tensor<2xf32>
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      // expected-error@+1 {{uses #ps.momentum<learning_rate = 0.1, momentum = 0.9>: expected an optimizer whose steps may be summed, such as #ps.sgd, in mode=geo}}
      ps.apply @w, %g using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<2xf32>
      return
    }
    func.func @exchange() attributes {ps.every = 4 : i64} {
      %x = ps.read @w : tensor<2xf32>
      %s0 = ps.send @w rows(0, 2), %x to(@pserver_0) block("w") : tensor<2xf32>
      %r0 = ps.recv @w.snapshot rows(0, 2) from(@pserver_0) block("w") after(%s0)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%d: tensor<2xf32>) {
          %y = ps.read @w : tensor<2xf32>
          %z = stablehlo.add %y, %d : tensor<2xf32>
          ps.assign @w, %z : tensor<2xf32>
        }
      }
      return
    }
  }
}

// -----

// A pserver that does something else than to add.

#cluster = #ps.cluster<mode = geo, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w.snapshot : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      %w = ps.read @w : tensor<2xf32>
      ps.assign @w.snapshot, %w : tensor<2xf32>
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
    func.func @exchange() attributes {ps.every = 4 : i64} {
      %x = ps.read @w : tensor<2xf32>
      %s0 = ps.send @w rows(0, 2), %x to(@pserver_0) block("w") : tensor<2xf32>
      %r0 = ps.recv @w.snapshot rows(0, 2) from(@pserver_0) block("w") after(%s0)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        // expected-error@+1 {{expects to add its argument to '@w' and nothing else: mode=geo merges differences}}
        ps.optimize_block @w (%d: tensor<2xf32>) {
          %y = ps.read @w : tensor<2xf32>
          %z = stablehlo.subtract %y, %d : tensor<2xf32>
          ps.assign @w, %z : tensor<2xf32>
        }
      }
      return
    }
  }
}

// -----

// An exchange at the wrong time.

#cluster = #ps.cluster<mode = geo, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @w.snapshot : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w")
      %w = ps.read @w : tensor<2xf32>
      ps.assign @w.snapshot, %w : tensor<2xf32>
      return
    }
    func.func @train(%g: tensor<2xf32>) {
      ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2xf32>
      return
    }
    // expected-error@+1 {{sends gradients every 8 batches, expected every 4 as the cluster says}}
    func.func @exchange() attributes {ps.every = 8 : i64} {
      %x = ps.read @w : tensor<2xf32>
      %s0 = ps.send @w rows(0, 2), %x to(@pserver_0) block("w") : tensor<2xf32>
      %r0 = ps.recv @w.snapshot rows(0, 2) from(@pserver_0) block("w") after(%s0)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%d: tensor<2xf32>) {
          %y = ps.read @w : tensor<2xf32>
          %z = stablehlo.add %y, %d : tensor<2xf32>
          ps.assign @w, %z : tensor<2xf32>
        }
      }
      return
    }
  }
}
