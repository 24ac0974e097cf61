// RUN: ps-opt %s --split-input-file --verify-diagnostics --ps-verify-programs

// In mode geo nothing is lost: neither what a trainer learns between an exchange
// and its merge, nor what others have learned.

// Nobody merges what is pulled.

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
    // expected-error@+1 {{pulls values in the background, so expects ps.then to name a function without arguments that merges them}}
    func.func @exchange() attributes {ps.every = 4 : i64} {
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

// The merge does not exist.

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
    // expected-error@+1 {{expects ps.then to name a function without arguments that merges them}}
    func.func @exchange() attributes {ps.every = 4 : i64, ps.then = @nothing} {
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

// What is sent is no difference.

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
      // expected-error@+1 {{expects to send a part (x - y) / n of the difference between '@w' and what pservers are known to have}}
      %s0 = ps.send @w rows(0, 2), %x to(@pserver_0) block("w") : tensor<2xf32>
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

// The difference is sent whole, although a number divides it.

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
      // expected-error@+1 {{expects to send a part (x - y) / n of the difference}}
      %s0 = ps.send @w rows(0, 2), %learned to(@pserver_0) block("w") : tensor<2xf32>
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

// What is sent does not count as known.

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
      // expected-error@+1 {{sends a difference that is not added to '@w.snapshot': it would be sent again by the next exchange}}
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

// Values arrive where training works.

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
      // expected-error@+1 {{pulls into '@w', which training or the next exchange works with: expected a variable of its own, slot_of the one that is exchanged}}
      %r0 = ps.recv @w rows(0, 2) from(@pserver_0) block("w") after(%s0)
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

// Values arrive in the snapshot, which the next exchange needs.

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
      // expected-error@+1 {{pulls into '@w.snapshot', which training or the next exchange works with}}
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

// The merge overwrites what was trained meanwhile.

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
    // expected-error@+1 {{expects to add to '@w' what '@w.pulled' has more than '@w.snapshot': mode=geo would lose it}}
    func.func @merge() {
      %z = ps.read @w.pulled : tensor<2xf32>
      %y = ps.read @w.snapshot : tensor<2xf32>
      %others = stablehlo.subtract %z, %y : tensor<2xf32>
      %x = ps.read @w : tensor<2xf32>
      %new = stablehlo.add %x, %others : tensor<2xf32>
      ps.assign @w, %z : tensor<2xf32>
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

// The merge drops what others have learned.

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
    // expected-error@+1 {{expects to add to '@w' what '@w.pulled' has more than '@w.snapshot': mode=geo would lose it}}
    func.func @merge() {
      %z = ps.read @w.pulled : tensor<2xf32>
      %y = ps.read @w.snapshot : tensor<2xf32>
      %others = stablehlo.subtract %z, %y : tensor<2xf32>
      %x = ps.read @w : tensor<2xf32>
      %new = stablehlo.add %x, %others : tensor<2xf32>
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

// The merge keeps the old snapshot.

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
    // expected-error@+1 {{expects to assign '@w.pulled' to '@w.snapshot': otherwise the next exchange sends what others have learned}}
    func.func @merge() {
      %z = ps.read @w.pulled : tensor<2xf32>
      %y = ps.read @w.snapshot : tensor<2xf32>
      %others = stablehlo.subtract %z, %y : tensor<2xf32>
      %x = ps.read @w : tensor<2xf32>
      %new = stablehlo.add %x, %others : tensor<2xf32>
      ps.assign @w, %new : tensor<2xf32>
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

// Training reads what arrives.

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
      // expected-error@+1 {{works with '@w.pulled', into which values arrive in the background: expected only '@merge' to read it}}
      %p = ps.read @w.pulled : tensor<2xf32>
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
      // expected-note@+1 {{they arrive here}}
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

// Rows of a table.

#cluster = #ps.cluster<mode = geo, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @parts : tensor<f32> init(#ps.constant<2.0>) {optimizer_state, trainable = false}
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %t = ps.pull_changes @emb from([@pserver_0])
      ps.merge_changes @emb after(%t)
      return
    }
    func.func @train(%i: tensor<4xi64>, %d: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %d : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
      return
    }
    func.func @merge() {
      ps.merge_changes @emb
      return
    }
    func.func @exchange() attributes {ps.every = 4 : i64, ps.then = @merge} {
      %n = ps.read @parts : tensor<f32>
      %c = ps.collect_changes @emb parts(%n : tensor<f32>) : !ps.rows<2 x f32>
      %p = ps.push_rows @emb, %c to([@pserver_0]) : !ps.rows<2 x f32>
      %t = ps.pull_changes @emb from([@pserver_0]) after(%p)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%d: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %d using(#ps.sgd<learning_rate = 1.0>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// Rows that come before the own push is there.

#cluster = #ps.cluster<mode = geo, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @parts : tensor<f32> init(#ps.constant<2.0>) {optimizer_state, trainable = false}
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %t = ps.pull_changes @emb from([@pserver_0])
      ps.merge_changes @emb after(%t)
      return
    }
    func.func @train(%i: tensor<4xi64>, %d: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %d : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
      return
    }
    func.func @merge() {
      ps.merge_changes @emb
      return
    }
    func.func @exchange() attributes {ps.every = 4 : i64, ps.then = @merge} {
      %n = ps.read @parts : tensor<f32>
      %c = ps.collect_changes @emb parts(%n : tensor<f32>) : !ps.rows<2 x f32>
      // expected-error@+1 {{expects one ps.pull_changes of '@emb' after it, and one ps.merge_changes in '@merge', found 0 and 1}}
      %p = ps.push_rows @emb, %c to([@pserver_0]) : !ps.rows<2 x f32>
      %t = ps.pull_changes @emb from([@pserver_0]) 
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%d: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %d using(#ps.sgd<learning_rate = 1.0>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// Nobody merges rows.

#cluster = #ps.cluster<mode = geo, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @parts : tensor<f32> init(#ps.constant<2.0>) {optimizer_state, trainable = false}
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %t = ps.pull_changes @emb from([@pserver_0])
      ps.merge_changes @emb after(%t)
      return
    }
    func.func @train(%i: tensor<4xi64>, %d: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %d : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
      return
    }
    func.func @merge() {
      return
    }
    func.func @exchange() attributes {ps.every = 4 : i64, ps.then = @merge} {
      %n = ps.read @parts : tensor<f32>
      %c = ps.collect_changes @emb parts(%n : tensor<f32>) : !ps.rows<2 x f32>
      // expected-error@+1 {{expects one ps.pull_changes of '@emb' after it, and one ps.merge_changes in '@merge', found 1 and 0}}
      %p = ps.push_rows @emb, %c to([@pserver_0]) : !ps.rows<2 x f32>
      %t = ps.pull_changes @emb from([@pserver_0]) after(%p)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%d: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %d using(#ps.sgd<learning_rate = 1.0>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// The trainer does not hold what others hold.

#cluster = #ps.cluster<mode = geo, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @parts : tensor<f32> init(#ps.constant<2.0>) {optimizer_state, trainable = false}
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %t = ps.pull_changes @emb from([@pserver_0])
      ps.merge_changes @emb after(%t)
      return
    }
    func.func @train(%i: tensor<4xi64>, %d: tensor<4x2xf32>) {
      // expected-error@+1 {{fetches rows of '@emb' from pservers, but in mode=geo the trainer holds them}}
      %r = ps.prefetch @emb[%i] from([@pserver_0]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %d : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
      return
    }
    func.func @merge() {
      ps.merge_changes @emb
      return
    }
    func.func @exchange() attributes {ps.every = 4 : i64, ps.then = @merge} {
      %n = ps.read @parts : tensor<f32>
      %c = ps.collect_changes @emb parts(%n : tensor<f32>) : !ps.rows<2 x f32>
      %p = ps.push_rows @emb, %c to([@pserver_0]) : !ps.rows<2 x f32>
      %t = ps.pull_changes @emb from([@pserver_0]) after(%p)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%d: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %d using(#ps.sgd<learning_rate = 1.0>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// Training merges.

#cluster = #ps.cluster<mode = geo, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @parts : tensor<f32> init(#ps.constant<2.0>) {optimizer_state, trainable = false}
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %t = ps.pull_changes @emb from([@pserver_0])
      ps.merge_changes @emb after(%t)
      return
    }
    func.func @train(%i: tensor<4xi64>, %d: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %d : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      // expected-error@+1 {{belongs in the exchange or its merge, found it in '@train'}}
      ps.merge_changes @emb
      ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
      return
    }
    func.func @merge() {
      ps.merge_changes @emb
      return
    }
    func.func @exchange() attributes {ps.every = 4 : i64, ps.then = @merge} {
      %n = ps.read @parts : tensor<f32>
      %c = ps.collect_changes @emb parts(%n : tensor<f32>) : !ps.rows<2 x f32>
      %p = ps.push_rows @emb, %c to([@pserver_0]) : !ps.rows<2 x f32>
      %t = ps.pull_changes @emb from([@pserver_0]) after(%p)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%d: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %d using(#ps.sgd<learning_rate = 1.0>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// A pserver takes a fraction of a difference.

#cluster = #ps.cluster<mode = geo, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef", geo_steps = 4>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @parts : tensor<f32> init(#ps.constant<2.0>) {optimizer_state, trainable = false}
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %t = ps.pull_changes @emb from([@pserver_0])
      ps.merge_changes @emb after(%t)
      return
    }
    func.func @train(%i: tensor<4xi64>, %d: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %d : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
      return
    }
    func.func @merge() {
      ps.merge_changes @emb
      return
    }
    func.func @exchange() attributes {ps.every = 4 : i64, ps.then = @merge} {
      %n = ps.read @parts : tensor<f32>
      %c = ps.collect_changes @emb parts(%n : tensor<f32>) : !ps.rows<2 x f32>
      %p = ps.push_rows @emb, %c to([@pserver_0]) : !ps.rows<2 x f32>
      %t = ps.pull_changes @emb from([@pserver_0]) after(%p)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%d: !ps.rows<2 x f32>) {
          // expected-error@+1 {{expects to subtract the rows that arrive, by #ps.sgd<learning_rate = 1.0> and nothing else: mode=geo merges differences}}
          ps.apply_rows @emb, %d using(#ps.sgd<learning_rate = 0.5>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}
