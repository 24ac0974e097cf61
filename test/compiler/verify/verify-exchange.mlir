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
