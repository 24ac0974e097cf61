// RUN: ps-opt %s --split-input-file --verify-diagnostics --ps-verify-programs

// This one is right.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Nothing to verify.

// expected-error@+1 {{no programs to verify: run ps-partition first}}
module {
}

// -----

// Programs of two jobs.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  // expected-note@+1 {{'@trainer' is here}}
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  // expected-error@+1 {{belongs to another job: expected #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">, found}}
  ps.program @pserver_1 role(pserver) cluster(#ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "fedcba9876543210">) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Two trainers' programs.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  // expected-note@+1 {{the first one is here}}
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
  // expected-error@+1 {{is a second trainer program}}
  ps.program @trainer_again role(trainer) cluster(#cluster) {
  }
}

// -----

// No trainer.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
// expected-error@+1 {{no program has the role trainer}}
module {
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Two programs of one name.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  // expected-note@+1 {{see existing symbol definition here}}
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  // expected-error@+1 {{redefinition of symbol named 'pserver_0'}}
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A pserver without a program.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
// expected-error@+1 {{no program '@pserver_1', which the cluster names}}
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A transfer at the wrong end.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      // expected-error@+1 {{belongs in a trainer program, found it in '@pserver_0'}}
      %b = ps.send_barrier() to([@pserver_0])
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A pserver that does not serve.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  // expected-error@+1 {{expects one ps.listen_and_serv, found 0}}
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    func.func @main() {
      return
    }
  }
}

// -----

// A variable that does not say which rows it is.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{is held by '@pserver_1' but has no slice}}
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A block that nothing updates.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{is held by '@pserver_1' but no ps.optimize_block updates it}}
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
      }
      return
    }
  }
}

// -----

// An empty update.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        // expected-error@+1 {{expects one ps.apply of '@w.block1', found none}}
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
        }
      }
      return
    }
  }
}

// -----

// An update of another variable.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    ps.variable @v : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "v", row_offset = 0, rows = 1, origin_type = tensor<1x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        // expected-error@+1 {{expects one ps.apply of '@w.block1'}}
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          // expected-note@+1 {{'@v' is updated here}}
          ps.apply @v, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A block of something that no trainer has.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{is a block of '@v', which '@trainer' does not hold}}
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "v", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Types that differ.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{the variable is here}}
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects '@w' to be 'tensor<4x2xf64>', found 'tensor<4x2xf32>'}}
    ps.variable @w.block1 : tensor<1x2xf64> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf64>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf64>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf64>
        }
      }
      return
    }
  }
}

// -----

// Blocks that overlap.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{the rows before it are here}}
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects to begin at row 3 of '@w', found row 2}}
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 2, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Blocks with a gap between them.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{the rows before it are here}}
    ps.variable @w.block0 : tensor<2x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 2, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<2x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects to begin at row 2 of '@w', found row 3}}
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Blocks that do not begin at the beginning.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{the variable is here}}
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects to begin at row 0 of '@w', found row 1}}
    ps.variable @w.block0 : tensor<2x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 1, rows = 2, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<2x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<2x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Rows at the end that nobody holds.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{the variable is here}}
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects '@w' to end with it, found 1 more rows}}
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    func.func @main() {
      ps.listen_and_serv {
      }
      return
    }
  }
}

// -----

// An update at the trainer.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      // expected-error@+1 {{belongs in a pserver program, found it in '@trainer'}}
      ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4x2xf32>
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A transfer inside an op.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      ps.listen_and_serv {
        ps.optimize_block @w (%h: tensor<4x2xf32>) {
          // expected-error@+1 {{expects to be directly in a function, not in a region of one of its ops}}
          %s = ps.send @w rows(0, 3), %h to(@pserver_0) block("w.block0") : tensor<4x2xf32>
        }
      }
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// No pull of initial values.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  // expected-error@+1 {{expects a function '@startup' that pulls the initial values}}
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @start() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Two functions that send.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    // expected-note@+1 {{'@train_more' is here}}
    func.func @train_more(%g: tensor<4x2xf32>) {
      %s = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      return
    }
    // expected-error@+1 {{sends gradients, and so does '@train_more': expected one training function}}
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A send into the void.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      // expected-error@+1 {{names pserver '@pserver_2', which is not a program of the job}}
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_2) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A pull from the void.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      // expected-error@+1 {{names pserver '@pserver_2', which is not a program of the job}}
      %r1 = ps.recv @w rows(3, 1) from(@pserver_2) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A send to the wrong pserver.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      // expected-error@+1 {{names block "w.block1", which '@pserver_0' does not hold}}
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_0) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  // expected-note@+1 {{'@pserver_0' is here}}
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A send of the wrong rows.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      // expected-error@+1 {{moves rows [2, 3) of '@w', but block "w.block1" holds rows [3, 4) of '@w'}}
      %s1 = ps.send @w rows(2, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{the block is here}}
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A pull of too many rows.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      // expected-error@+1 {{moves rows [2, 4) of '@w', but block "w.block1" holds rows [3, 4) of '@w'}}
      %r1 = ps.recv @w rows(2, 2) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{the block is here}}
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A send of another variable's gradient.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    ps.variable @v : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      // expected-error@+1 {{moves rows [3, 4) of '@v', but block "w.block1" holds rows [3, 4) of '@w'}}
      %s1 = ps.send @v rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{the block is here}}
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A block with two gradients.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      // expected-note@+1 {{the first one is here}}
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      // expected-error@+1 {{is the second gradient of a step for block "w.block1"}}
      %s2 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A block without a gradient.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        // expected-error@+1 {{gets no gradient and would deadlock: no ps.send of '@trainer' names it}}
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A block that is pulled twice.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      // expected-note@+1 {{the first one is here}}
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      // expected-error@+1 {{pulls block "w.block1" a second time}}
      %r2 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A block that a step does not pull.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    // expected-error@+1 {{does not pull block "w.block1" from '@pserver_1': trainers would continue with old values}}
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %f = ps.fetch_barrier(%r0) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{the block is here}}
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A block that nobody pulls at the start.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    // expected-error@+1 {{does not pull block "w.block1" from '@pserver_1': trainers would continue with old values}}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i2 = ps.fetch_barrier(%i0) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{the block is here}}
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// No send barrier.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    // expected-error@+1 {{expects one ps.send_barrier, found 0}}
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%s0)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%s0)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Two send barriers.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    // expected-error@+1 {{expects one ps.send_barrier, found 2}}
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %b2 = ps.send_barrier(%b) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// No fetch barrier.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    // expected-error@+1 {{expects one ps.fetch_barrier, found 0}}
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A barrier of gradients where there are none.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      // expected-error@+1 {{ends a step, but '@startup' sends no gradient}}
      %i3 = ps.send_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A barrier that leaves out a pserver.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      // expected-error@+1 {{does not reach pserver '@pserver_1', which would deadlock}}
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  // expected-note@+1 {{'@pserver_1' is here}}
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A fetch barrier that leaves out a pserver.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      // expected-error@+1 {{does not reach pserver '@pserver_0', which would deadlock}}
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  // expected-note@+1 {{'@pserver_0' is here}}
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A barrier that goes to a stranger.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      // expected-error@+1 {{names pserver '@pserver_2', which is not a program of the job}}
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1, @pserver_2])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A barrier that goes to a pserver twice.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      // expected-error@+1 {{names pserver '@pserver_0' twice}}
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1, @pserver_0])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A send that no barrier waits for.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      // expected-error@+1 {{is not waited for by the barrier of its step}}
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      // expected-note@+1 {{the barrier is here}}
      %b = ps.send_barrier(%s0) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A pull that no barrier waits for.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      // expected-error@+1 {{is not waited for by the barrier of its step}}
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      // expected-note@+1 {{the barrier is here}}
      %f = ps.fetch_barrier(%r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A pull that a barrier waits for through another one.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%r0)
      %f = ps.fetch_barrier(%r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A pull that does not wait for the update.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      // expected-note@+1 {{the barrier is here}}
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      // expected-error@+1 {{may pull '@w' before the pservers have updated it: expected it after the ps.send_barrier}}
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A gradient that depends on a pull, which the pserver answers after all
// gradients of the step: here through a variable.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      // expected-error@+1 {{waits for itself: pserver '@pserver_0' answers it after the step's gradients}}
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %h = ps.read @w : tensor<4x2xf32>
      // expected-note@+1 {{'ps.send' is among the ops that it waits for, and depends on the ps.recv}}
      %s0 = ps.send @w rows(0, 3), %h to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// The same without a variable: no gradient depends on the pull, but the barrier
// does.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      // expected-error@+1 {{waits for itself: pserver '@pserver_0' answers it after the step's gradients}}
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      // expected-note@+1 {{'ps.send_barrier' is among the ops that it waits for, and depends on the ps.recv}}
      %b = ps.send_barrier(%s0, %s1, %r0) to([@pserver_0, @pserver_1])
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// An update by something else than the gradient.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        // expected-note@+1 {{which arrives here}}
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          %v = ps.read @w.block1 : tensor<1x2xf32>
          // expected-error@+1 {{updates '@w.block1' from something other than its gradient}}
          ps.apply @w.block1, %v using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A block that assigns as well.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          // expected-error@+1 {{writes '@w.block1', which only its ps.apply may change}}
          ps.assign @w.block1, %g : tensor<1x2xf32>
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Blocks of one variable that start from different values.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{'@w' is here}}
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects the initial value of '@w', #ps.constant<0.0>, found #ps.constant<1.0>}}
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<1.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Blocks of one variable that learn at different rates.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{'@w' is here}}
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>) {learning_rate_scale = 2.0 : f64}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects the learning_rate_scale of '@w', 2.000000e+00 : f64, found none}}
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// Blocks of one variable with different optimizers.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{'@w.block0' is here}}
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          // expected-error@+1 {{expects the optimizer of '@w.block0', #ps.sgd<learning_rate = 0.1>, found #ps.sgd<learning_rate = 0.2>}}
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.2>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A trainer that changes what a pserver owns.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @reset(%g: tensor<4x2xf32>) {
      // expected-error@+1 {{writes '@w', which a pserver owns: only a ps.recv may change it}}
      ps.assign @w, %g : tensor<4x2xf32>
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{it is held here}}
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A step that is called, and so may run twice.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    // expected-note@+1 {{it is here}}
    func.func private @step(%g: tensor<4x2xf32>) {
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      // expected-error@+1 {{calls a function that uses the network: expected it to be inlined}}
      call @step(%g) : (tensor<4x2xf32>) -> ()
      call @step(%g) : (tensor<4x2xf32>) -> ()
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// A step with two blocks.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0")
      %i1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1")
      %i2 = ps.fetch_barrier(%i0, %i1) to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%g: tensor<4x2xf32>) {
      // expected-error@+1 {{is in a function with several blocks}}
      %s0 = ps.send @w rows(0, 3), %g to(@pserver_0) block("w.block0") : tensor<4x2xf32>
      return
    ^dead:
      %s1 = ps.send @w rows(3, 1), %g to(@pserver_1) block("w.block1") : tensor<4x2xf32>
      %b = ps.send_barrier(%s0, %s1) to([@pserver_0, @pserver_1])
      %r0 = ps.recv @w rows(0, 3) from(@pserver_0) block("w.block0") after(%b)
      %r1 = ps.recv @w rows(3, 1) from(@pserver_1) block("w.block1") after(%b)
      %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w.block0 : tensor<3x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 3, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block0 (%g: tensor<3x2xf32>) {
          ps.apply @w.block0, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3x2xf32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.variable @w.block1 : tensor<1x2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 3, rows = 1, origin_type = tensor<4x2xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w.block1 (%g: tensor<1x2xf32>) {
          ps.apply @w.block1, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<1x2xf32>
        }
      }
      return
    }
  }
}

// -----

// The largest elements of a gradient.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
    ps.variable @x.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
    ps.variable @w.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w")
      %i2 = ps.fetch_barrier(%i0) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<4x4xf32>, %f: tensor<3x2xui32>) {
      %l = ps.take_largest @w.unsent rows(0, 4), %g : tensor<4x4xf32> -> tensor<3x2xui32>
      %s0 = ps.send @w rows(0, 4), %l to(@pserver_0) block("w") : tensor<3x2xui32>
      %b = ps.send_barrier(%s0) to([@pserver_0])
      %r0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w") after(%b)
      %e = ps.fetch_barrier(%r0) to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 4, origin_type = tensor<4x4xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<4x4xf32>) largest(3) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4x4xf32>
        }
      }
      return
    }
  }
}

// -----

// Another number of them.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
    ps.variable @x.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
    ps.variable @w.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w")
      %i2 = ps.fetch_barrier(%i0) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<4x4xf32>, %f: tensor<3x2xui32>) {
      %l = ps.take_largest @w.unsent rows(0, 4), %g : tensor<4x4xf32> -> tensor<2x2xui32>
      // expected-error@+1 {{sends the 2 largest elements of block "w", expected 3}}
      %s0 = ps.send @w rows(0, 4), %l to(@pserver_0) block("w") : tensor<2x2xui32>
      %b = ps.send_barrier(%s0) to([@pserver_0])
      %r0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w") after(%b)
      %e = ps.fetch_barrier(%r0) to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 4, origin_type = tensor<4x4xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        // expected-note@+1 {{the pserver takes them here}}
        ps.optimize_block @w (%g: tensor<4x4xf32>) largest(3) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4x4xf32>
        }
      }
      return
    }
  }
}

// -----

// The pserver takes all.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
    ps.variable @x.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
    ps.variable @w.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w")
      %i2 = ps.fetch_barrier(%i0) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<4x4xf32>, %f: tensor<3x2xui32>) {
      %l = ps.take_largest @w.unsent rows(0, 4), %g : tensor<4x4xf32> -> tensor<3x2xui32>
      // expected-error@+1 {{transfers elements of type 'ui32', expected 'f32'}}
      %s0 = ps.send @w rows(0, 4), %l to(@pserver_0) block("w") : tensor<3x2xui32>
      %b = ps.send_barrier(%s0) to([@pserver_0])
      %r0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w") after(%b)
      %e = ps.fetch_barrier(%r0) to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 4, origin_type = tensor<4x4xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        // expected-note@+1 {{the pserver has them here}}
        ps.optimize_block @w (%g: tensor<4x4xf32>) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4x4xf32>
        }
      }
      return
    }
  }
}

// -----

// Elements of other rows.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
    ps.variable @x.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
    ps.variable @w.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w")
      %i2 = ps.fetch_barrier(%i0) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<4x4xf32>, %f: tensor<3x2xui32>) {
      %l = ps.take_largest @w.unsent rows(0, 3), %g : tensor<4x4xf32> -> tensor<3x2xui32>
      // expected-error@+1 {{sends elements that no ps.take_largest takes of rows [0, 4) of '@w' and of what has not been sent of them}}
      %s0 = ps.send @w rows(0, 4), %l to(@pserver_0) block("w") : tensor<3x2xui32>
      %b = ps.send_barrier(%s0) to([@pserver_0])
      %r0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w") after(%b)
      %e = ps.fetch_barrier(%r0) to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 4, origin_type = tensor<4x4xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<4x4xf32>) largest(3) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4x4xf32>
        }
      }
      return
    }
  }
}

// -----

// What is not sent would be added to another gradient.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
    ps.variable @x.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
    ps.variable @w.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w")
      %i2 = ps.fetch_barrier(%i0) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<4x4xf32>, %f: tensor<3x2xui32>) {
      %l = ps.take_largest @x.unsent rows(0, 4), %g : tensor<4x4xf32> -> tensor<3x2xui32>
      // expected-error@+1 {{sends elements that no ps.take_largest takes of rows [0, 4) of '@w' and of what has not been sent of them}}
      %s0 = ps.send @w rows(0, 4), %l to(@pserver_0) block("w") : tensor<3x2xui32>
      %b = ps.send_barrier(%s0) to([@pserver_0])
      %r0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w") after(%b)
      %e = ps.fetch_barrier(%r0) to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 4, origin_type = tensor<4x4xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<4x4xf32>) largest(3) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4x4xf32>
        }
      }
      return
    }
  }
}

// -----

// Elements from nowhere.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
    ps.variable @x.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
    ps.variable @w.unsent : tensor<4x4xf32> init(#ps.constant<0.0>) slot_of(@w) {trainable = false}
    func.func @startup() {
      %i0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w")
      %i2 = ps.fetch_barrier(%i0) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<4x4xf32>, %f: tensor<3x2xui32>) {
      // expected-error@+1 {{sends elements that no ps.take_largest takes}}
      %s0 = ps.send @w rows(0, 4), %f to(@pserver_0) block("w") : tensor<3x2xui32>
      %b = ps.send_barrier(%s0) to([@pserver_0])
      %r0 = ps.recv @w rows(0, 4) from(@pserver_0) block("w") after(%b)
      %e = ps.fetch_barrier(%r0) to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "w", row_offset = 0, rows = 4, origin_type = tensor<4x4xf32>>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @w (%g: tensor<4x4xf32>) largest(3) {
          ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4x4xf32>
        }
      }
      return
    }
  }
}
