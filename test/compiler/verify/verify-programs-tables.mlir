// RUN: ps-opt %s --split-input-file --verify-diagnostics --ps-verify-programs

// This one is right.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// Shards: one on each pserver, with its own number.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{is held by '@pserver_0' but has no shard}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{is on pserver 1 of 2, so expects shard 1 of 2, found shard 0 of 2}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-error@+1 {{has no shard on pserver '@pserver_1', but others hold shards of it}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{one is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
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

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @other : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %b = ps.send_barrier() to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{is a shard of a table that '@trainer' does not declare}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// Shards are alike.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{'@emb' is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects the type of '@emb', tensor<8x2xf32>, found tensor<9x2xf32>}}
    ps.table @emb : tensor<9x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{'@emb' is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects the partition of '@emb', "mix", found "modulo"}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) partition(modulo) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{'@emb' is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) wire(int8)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>) wire(int8)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects the wire of '@emb', "int8", found "f32"}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{'@emb' is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects the admit_count of '@emb', none, found 3 : i64}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>) {admit_count = 3 : i64}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{'@emb' is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects the accessor of '@emb', none, found #ps.ctr<click = "label"}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>) {accessor = #ps.ctr<click = "label">, evict_every = 4 : i64}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{'@emb' is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects the initial value of '@emb', #ps.constant<0.0>, found #ps.constant<1.0>}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<1.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    // expected-note@+1 {{'@emb' is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{expects the learning_rate_scale of '@emb', none, found 2.000000e+00}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>) {learning_rate_scale = 2.0 : f64}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{'@emb' is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          // expected-error@+1 {{expects the optimizer of '@emb', #ps.sgd<learning_rate = 0.1>, found #ps.sgd<learning_rate = 0.2>}}
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.2>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{'@emb' is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          // expected-error@+1 {{expects the clip of '@emb', none, found #ps.clip_by_value<min = -1.0, max = 1.0>}}
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_value<min = -1.0, max = 1.0>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{'@emb' is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          // expected-error@+1 {{expects the regularizer of '@emb', none, found #ps.l2_decay<0.1>}}
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) regularize(#ps.l2_decay<0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// Every shard is updated, from the rows that arrive, in the round in which they
// do, at the rate of the schedule.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-error@+1 {{is held by '@pserver_0' but no ps.optimize_block updates it}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        // expected-error@+1 {{expects one ps.apply_rows of '@emb', with the rows that arrive}}
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef", rounds = 2>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        // expected-error@+1 {{updates a table in round 1, expected round 0, in which its rows arrive}}
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) round(1) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          // expected-note@+1 {{the first one is here}}
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
          // expected-error@+1 {{changes '@emb' a second time}}
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          %rate = ps.read @rate : tensor<f32>
          // expected-error@+1 {{expects its rate to be read from a variable that the ps.schedule_block assigns}}
          ps.apply_rows @emb, %g rate(%rate : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// Transfers: to and from all shards, in their order, and once.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      // expected-error@+1 {{expects the shards of '@emb' in order, from([@pserver_0, @pserver_1]), found [@pserver_1, @pserver_0]}}
      %r = ps.prefetch @emb[%i] from([@pserver_1, @pserver_0]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{the first one is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      // expected-error@+1 {{expects the shards of '@emb' in order, to([@pserver_0, @pserver_1]), found [@pserver_0]}}
      %t = ps.push_rows @emb, %g to([@pserver_0]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{the first one is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      // expected-error@+1 {{fetches rows of '@emb' from the trainer, but pservers hold them}}
      %r = ps.prefetch @emb[%i] : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{the first shard is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      // expected-error@+1 {{names pservers, but none holds a shard of '@emb'}}
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    func.func @main() {
      ps.listen_and_serv {
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

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      // expected-note@+1 {{the first one is here}}
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      // expected-error@+1 {{is the second gradient of a step for '@emb'}}
      %t1 = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t, %t1) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %b = ps.send_barrier() to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        // expected-error@+1 {{gets no rows and would deadlock: no ps.push_rows of '@trainer' names its table}}
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// Rows are pushed before the step ends.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      // expected-error@+1 {{is not waited for by the barrier of its step}}
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      // expected-note@+1 {{the barrier is here}}
      %b = ps.send_barrier() to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// Everyone has their own ops.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      // expected-error@+1 {{belongs in a pserver program, found it in '@trainer'}}
      ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0, @pserver_1], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>)
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0, @pserver_1]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0, @pserver_1])
      %f = ps.fetch_barrier() to([@pserver_0, @pserver_1])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          // expected-error@+1 {{belongs in a trainer program, found it in '@pserver_0'}}
          %t = ps.push_rows @emb, %g to([@pserver_0]) : !ps.rows<2 x f32>
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
  ps.program @pserver_1 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<1 of 2>)
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// Copies of rows are updated, once, by what is pushed of them, as the rows are.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) {cache_rows = 4 : i64}
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      // expected-error@+1 {{pushes rows of which '@trainer' keeps copies (cache_rows), but no ps.apply_rows updates these}}
      %t = ps.push_rows @emb, %g to([@pserver_0]) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0])
      %f = ps.fetch_barrier() to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>) {cache_rows = 4 : i64}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// Once.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) {cache_rows = 4 : i64}
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0]) : !ps.rows<2 x f32>
      ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
      // expected-error@+1 {{expects to update the copies of rows of '@emb' once, with the gradient that its ps.push_rows pushes}}
      ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0])
      %f = ps.fetch_barrier() to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>) {cache_rows = 4 : i64}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// At the rate that the pservers find.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) {cache_rows = 4 : i64}
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>, %rate: tensor<f32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0]) : !ps.rows<2 x f32>
      // expected-error@+1 {{has a rate, but the pservers follow the optimizer's schedule: expected none, so that the copies of rows of '@emb' do the same}}
      ps.apply_rows @emb, %g rate(%rate : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0])
      %f = ps.fetch_barrier() to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>) {cache_rows = 4 : i64}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %one = stablehlo.constant dense<1.0> : tensor<f32>
          ps.assign @rate, %one : tensor<f32>
        }
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          %rate = ps.read @rate : tensor<f32>
          ps.apply_rows @emb, %g rate(%rate : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 4, warmup_steps = 2>>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// By what is pushed.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) {cache_rows = 4 : i64}
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %h = ps.merge_rows %g, %g : !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0]) : !ps.rows<2 x f32>
      // expected-error@+1 {{expects to update the copies of rows of '@emb' once, with the gradient that its ps.push_rows pushes}}
      ps.apply_rows @emb, %h using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0])
      %f = ps.fetch_barrier() to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>) {cache_rows = 4 : i64}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}

// -----

// As the rows are.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0123456789abcdef">
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) {cache_rows = 4 : i64}
    func.func @startup() {
      %f = ps.fetch_barrier() to([@pserver_0])
      return
    }
    func.func @train(%i: tensor<4xi64>, %x: tensor<4x2xf32>) {
      %r = ps.prefetch @emb[%i] from([@pserver_0]) : (tensor<4xi64>) -> !ps.rows<2 x f32>
      %g = ps.lookup_gradient @emb[%i] in(%r), %x : (tensor<4xi64>, !ps.rows<2 x f32>, tensor<4x2xf32>) -> !ps.rows<2 x f32>
      %t = ps.push_rows @emb, %g to([@pserver_0]) : !ps.rows<2 x f32>
      // expected-error@+1 {{expects the optimizer of '@emb', #ps.sgd<learning_rate = 0.1>, found #ps.sgd<learning_rate = 0.5>}}
      ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.5>) : !ps.rows<2 x f32>
      %b = ps.send_barrier(%t) to([@pserver_0])
      %f = ps.fetch_barrier() to([@pserver_0])
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{'@emb' is here}}
    ps.table @emb : tensor<8x2xf32> init(#ps.constant<0.0>) shard(#ps.shard<0 of 1>) {cache_rows = 4 : i64}
    func.func @main() {
      ps.listen_and_serv {
        ps.optimize_block @emb (%g: !ps.rows<2 x f32>) {
          ps.apply_rows @emb, %g using(#ps.sgd<learning_rate = 0.1>) : !ps.rows<2 x f32>
        }
      }
      return
    }
  }
}
