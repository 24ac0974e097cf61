// RUN: ps-opt %s --split-input-file --verify-diagnostics --ps-verify-programs

// Two rounds, a schedule, buckets, and bf16 on the network: this one is right.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// What stands beside a block changes in one place.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          // expected-note@+1 {{the first one is here}}
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          // expected-error@+1 {{changes '@a.gradient' a second time}}
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A block computes, and nothing else.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          // expected-error@+1 {{is not allowed in a ps.optimize_block}}
          check.expect_eq %w, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A round that no step has.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        // expected-error@+1 {{runs in round 2, but a step has 2}}
        ps.optimize_block @norm (%n: tensor<f64>) round(2) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// Two blocks for the norm.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        // expected-note@+1 {{the first one is here}}
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
        // expected-error@+1 {{is a second block that holds no variable's rows: expected one, for the global norm}}
        ps.optimize_block @rate (%n: tensor<f32>) round(1) {
        }
      }
      return
    }
  }
}

// -----

// An update in the round in which its gradient arrives.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        // expected-note@+1 {{it is kept here}}
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          // expected-error@+1 {{expects to run in a later round than the one in which its gradient is kept, found round 0}}
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A gradient that is kept, but not told of.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        // expected-error@+1 {{keeps its gradient for the global norm, but assigns no 'tensor<1xf64>' for the sum of its squares}}
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A rate of its own.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          // expected-error@+1 {{expects its rate to be read from a variable that the ps.schedule_block assigns}}
          ps.apply @a, %g0 rate(%n32 : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A norm that nobody sent.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          // expected-error@+1 {{expects its norm to be the argument of its ps.optimize_block}}
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%r : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A gradient that arrives wide.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        // expected-error@+1 {{expects its gradient to arrive as 'tensor<2xbf16>', the type of the cluster's wire, found 'tensor<2xf32>'}}
        ps.optimize_block @a (%g: tensor<2xf32>) {
          %w = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A value that leaves before it is new.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          // expected-error@+1 {{expects its new value to be assigned, as 'tensor<2xbf16>', to a variable that trainers pull}}
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A gradient for what takes none.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      // expected-error@+1 {{names block "a.wire", which takes no gradient}}
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a.wire") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// More rows than there are squares.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      // expected-error@+1 {{moves 2 rows, but "a.squares" has 1}}
      %q0 = ps.recv @squares rows(0, 2) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    // expected-note@+1 {{it is here}}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// Elements that the other end does not have.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      // expected-error@+1 {{transfers elements of type 'f32', expected 'bf16'}}
      %s0 = ps.send @a rows(0, 2), %g to(@pserver_0) block("a") bucket(0) : tensor<2xf32>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        // expected-note@+1 {{the pserver has them here}}
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A gradient in another round than its update.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      // expected-error@+1 {{takes part in round 0 of a step, expected round 1}}
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        // expected-note@+1 {{the pserver takes part here}}
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A norm that was not computed from the squares.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      // expected-error@+1 {{sends a norm that does not depend on the sums of the pservers}}
      %s2 = ps.send @norm rows(0, 1), %other to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// Squares that overwrite others.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      // expected-note@+1 {{which is pulled here}}
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      // expected-error@+1 {{overwrites row 0 of '@squares'}}
      %q1 = ps.recv @squares rows(0, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// Squares that the norm would lack.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    // expected-error@+1 {{does not pull "b.squares" from '@pserver_0': the global norm would not include it}}
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    // expected-note@+1 {{it is here}}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A bucket that would have to leave before it is full.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      // expected-error@+1 {{is sent with the last transfer of its bucket, but is needed earlier}}
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      // expected-note@+1 {{it is needed here}}
      %b0 = ps.send_barrier(%s0) to([@pserver_0])
      // expected-note@+1 {{the last one is here}}
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A bucket whose first part is read before the last arrives.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      // expected-error@+1 {{is sent with the last transfer of its bucket, but is needed earlier}}
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      // expected-note@+1 {{it is needed here}}
      %early = ps.read @squares : tensor<2xf64>
      // expected-note@+1 {{the last one is here}}
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A variable that the step pulls as it was before the network.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    // expected-error@+1 {{does not pull block "a.wire" from '@pserver_0': trainers would continue with old values}}
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    // expected-note@+1 {{the block is here}}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A value that arrives and is not used.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      // expected-error@+1 {{is not assigned to '@a' after it has arrived}}
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A variable that gets something else than what came for it.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      // expected-error@+1 {{writes '@a', which a pserver owns: only a ps.recv may change it}}
      ps.assign @a, %g : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    // expected-note@+1 {{it is held here}}
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// Both barriers in one round.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    // expected-error@+1 {{expects one ps.fetch_barrier of round 0, found 2}}
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0])
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A round that does not end.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    // expected-error@+1 {{expects 2 ps.fetch_barrier, found 1}}
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A round that does not wait for gradients.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    // expected-error@+1 {{expects 2 ps.send_barrier, found 1}}
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0)
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}

// -----

// A round that begins before the last one has ended.

#cluster = #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "0", bucket_bytes = 64, wire = bf16, rounds = 2>
#sgd = #ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.5, decay_steps = 10, decay_rate = 0.5>>
module {
  ps.program @trainer role(trainer) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>)
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @squares : tensor<2xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @startup() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a")
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b")
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0])
      return
    }
    func.func @train(%g: tensor<2xf32>, %other: tensor<f64>) {
      %n = stablehlo.convert %g : (tensor<2xf32>) -> tensor<2xbf16>
      %s0 = ps.send @a rows(0, 2), %n to(@pserver_0) block("a") bucket(0) : tensor<2xbf16>
      %s1 = ps.send @b rows(0, 2), %n to(@pserver_0) block("b") bucket(0) : tensor<2xbf16>
      %b0 = ps.send_barrier(%s0, %s1) to([@pserver_0])
      %q0 = ps.recv @squares rows(0, 1) from(@pserver_0) block("a.squares") bucket(0) after(%b0)
      %q1 = ps.recv @squares rows(1, 1) from(@pserver_0) block("b.squares") bucket(0) after(%b0)
      %q = ps.read @squares : tensor<2xf64>
      %first = stablehlo.slice %q [0:1] : (tensor<2xf64>) -> tensor<1xf64>
      %norm = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
      // expected-error@+1 {{belongs to round 1 of a step, but comes before the end of round 0}}
      %s2 = ps.send @norm rows(0, 1), %norm to(@pserver_0) block("norm") round(1) : tensor<f64>
      %b1 = ps.send_barrier(%s2) to([@pserver_0]) round(1)
      // expected-note@+1 {{which is here}}
      %f0 = ps.fetch_barrier(%q0, %q1) to([@pserver_0])
      %r0 = ps.recv @a.wire rows(0, 2) from(@pserver_0) block("a.wire") round(1) bucket(0) after(%b1)
      %r1 = ps.recv @b.wire rows(0, 2) from(@pserver_0) block("b.wire") round(1) bucket(0) after(%b1)
      %f1 = ps.fetch_barrier(%r0, %r1) to([@pserver_0]) round(1)
      %a0 = ps.read @a.wire : tensor<2xbf16>
      %a1 = stablehlo.convert %a0 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @a, %a1 : tensor<2xf32>
      %b2 = ps.read @b.wire : tensor<2xbf16>
      %b3 = stablehlo.convert %b2 : (tensor<2xbf16>) -> tensor<2xf32>
      ps.assign @b, %b3 : tensor<2xf32>
      return
    }
    func.func @pull_model() {
      %0 = ps.recv @a rows(0, 2) from(@pserver_0) block("a") round(1)
      %1 = ps.recv @b rows(0, 2) from(@pserver_0) block("b") round(1)
      %2 = ps.fetch_barrier(%0, %1) to([@pserver_0]) round(1)
      return
    }
  }
  ps.program @pserver_0 role(pserver) cluster(#cluster) {
    ps.variable @a : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "a", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @b : tensor<2xf32> init(#ps.constant<0.0>) slice(#ps.slice<origin = "b", row_offset = 0, rows = 2, origin_type = tensor<2xf32>>)
    ps.variable @a.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.gradient : tensor<2xf32> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.squares : tensor<1xf64> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @a.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @b.wire : tensor<2xbf16> init(#ps.constant<0.0>) slot_of(@b) {trainable = false}
    ps.variable @norm : tensor<f64> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    ps.variable @rate : tensor<f32> init(#ps.constant<0.0>) slot_of(@a) {trainable = false}
    func.func @main() {
      ps.listen_and_serv {
        ps.schedule_block {
          %r = stablehlo.constant dense<0.5> : tensor<f32>
          ps.assign @rate, %r : tensor<f32>
        }
        ps.optimize_block @a (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @a.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @a.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @b (%g: tensor<2xbf16>) {
          %w = stablehlo.convert %g : (tensor<2xbf16>) -> tensor<2xf32>
          ps.assign @b.gradient, %w : tensor<2xf32>
          %s = stablehlo.constant dense<1.0> : tensor<1xf64>
          ps.assign @b.squares, %s : tensor<1xf64>
        }
        ps.optimize_block @norm (%n: tensor<f64>) round(1) {
          %n32 = stablehlo.convert %n : (tensor<f64>) -> tensor<f32>
          %r = ps.read @rate : tensor<f32>
          %g0 = ps.read @a.gradient : tensor<2xf32>
          ps.apply @a, %g0 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %a = ps.read @a : tensor<2xf32>
          %c0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @a.wire, %c0 : tensor<2xbf16>
          %g1 = ps.read @b.gradient : tensor<2xf32>
          ps.apply @b, %g1 rate(%r : tensor<f32>) norm(%n32 : tensor<f32>) using(#sgd) clip(#ps.clip_by_global_norm<1.0>) : tensor<2xf32>
          %b = ps.read @b : tensor<2xf32>
          %c1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xbf16>
          ps.assign @b.wire, %c1 : tensor<2xbf16>
        }
      }
      return
    }
  }
}
