// RUN: ps-opt %s --ps-select-program="program=pserver_0" | FileCheck %s --check-prefix=PSERVER
// RUN: ps-opt %s --ps-select-program="program=trainer function=train" --inline --symbol-dce | FileCheck %s --check-prefix=TRAINER
// RUN: not ps-opt %s --ps-select-program="program=other" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ps-opt %s --ps-select-program 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not ps-opt %s --ps-select-program="program=trainer function=step" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: echo "module {}" | not ps-opt --ps-select-program 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: has no public function

#cluster = #ps.cluster<mode = sync, trainers = 1, pservers = [@pserver_0], hash = "0", endpoints = ["127.0.0.1:6174"]>

// An optimize block becomes a function, and so does the schedule block; nothing
// else of the server stays. Trainers may pull what it declares.

// PSERVER-NOT: ps.program
// PSERVER: ps.variable @w.block0 {{.*}} {exec.pulled}
// PSERVER-NOT: func.func @main
// PSERVER: func.func @w.block0.update(%[[GRAD:.*]]: tensor<2x4xf32> {ps.feed = "grad"})
// PSERVER-NEXT: ps.apply @w.block0, %[[GRAD]]
// PSERVER: func.func @main.schedule() {
// PSERVER-NEXT: %[[STEP:.*]] = ps.read @global_step
// PSERVER-NEXT: ps.assign @global_step, %[[STEP]]
// PSERVER-NEXT: return

// TRAINER-NOT: ps.program
// TRAINER-NOT: @startup
// TRAINER: func.func @train
// TRAINER-NEXT: stablehlo.add
// TRAINER-NOT: @startup
// TRAINER-NOT: @helper

// UNKNOWN: error: holds no program '@other'
// UNKNOWN: note: there is '@trainer'
// UNKNOWN: note: there is '@pserver_0'

// SEVERAL: error: holds several programs, of which one must be named

// FUNCTION: error: holds no function '@step'
// FUNCTION: note: there is '@startup'
// FUNCTION: note: there is '@train'
// FUNCTION: note: there is '@helper'

ps.program @trainer role(trainer) cluster(#cluster) {
  func.func @startup() {
    return
  }
  // It may call public functions.
  func.func @train(%x: tensor<4xf32> {ps.feed = "x"}) -> tensor<4xf32> {
    %0 = call @helper(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
ps.program @pserver_0 role(pserver) endpoint("127.0.0.1:6174") cluster(#cluster) {
  ps.variable @w.block0 : tensor<2x4xf32> init(#ps.constant<0.0>)
  ps.variable @global_step : tensor<i64> init(#ps.constant<0.0>) {optimizer_state, trainable = false}
  func.func @main() {
    ps.listen_and_serv {
      ps.schedule_block {
        %step = ps.read @global_step : tensor<i64>
        ps.assign @global_step, %step : tensor<i64>
      }
      ps.optimize_block @w.block0 (%grad: tensor<2x4xf32>) {
        ps.apply @w.block0, %grad using(#ps.sgd<learning_rate = 0.1>) : tensor<2x4xf32>
      }
    }
    return
  }
}
