// RUN: ps-opt %s --canonicalize --cse --symbol-dce | FileCheck %s

ps.variable @w : tensor<4xf32> init(#ps.xavier_normal)
ps.variable @v : tensor<4xf32> init(#ps.xavier_normal)

// Reads with no write between them are one read.

// CHECK-LABEL: func.func @reads_merge
// CHECK-NEXT: %[[R:.*]] = ps.read @w
// CHECK-NEXT: return %[[R]], %[[R]]
func.func @reads_merge() -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ps.read @w : tensor<4xf32>
  %1 = ps.read @w : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Reads of different variables do not merge.

// CHECK-LABEL: func.func @reads_of_two
// CHECK-NEXT: ps.read @w
// CHECK-NEXT: ps.read @v
func.func @reads_of_two() -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ps.read @w : tensor<4xf32>
  %1 = ps.read @v : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A write separates old from new.

// CHECK-LABEL: func.func @old_and_new
// CHECK-NEXT: %[[OLD:.*]] = ps.read @w
// CHECK-NEXT: ps.assign @w
// CHECK-NEXT: %[[NEW:.*]] = ps.read @w
// CHECK-NEXT: return %[[OLD]], %[[NEW]]
func.func @old_and_new(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ps.read @w : tensor<4xf32>
  ps.assign @w, %x : tensor<4xf32>
  %1 = ps.read @w : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// So do training and receiving.

// CHECK-LABEL: func.func @trained_and_received
// CHECK-NEXT: %[[A:.*]] = ps.read @w
// CHECK-NEXT: ps.apply @w
// CHECK-NEXT: %[[B:.*]] = ps.read @w
// CHECK-NEXT: ps.recv @w
// CHECK-NEXT: %[[C:.*]] = ps.read @w
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
func.func @trained_and_received(%g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = ps.read @w : tensor<4xf32>
  ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  %1 = ps.read @w : tensor<4xf32>
  %r = ps.recv @w rows(0, 4) from(@pserver_0) block("w")
  %2 = ps.read @w : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @minimized
// CHECK-NEXT: ps.read @w
// CHECK-NEXT: ps.minimize
// CHECK-NEXT: ps.read @w
func.func @minimized(%loss: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ps.read @w : tensor<4xf32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  %1 = ps.read @w : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// An unused read is dead; a write never is.

// CHECK-LABEL: func.func @unused
// CHECK-NEXT: ps.assign @w
// CHECK-NEXT: ps.assign @w
// CHECK-NEXT: return
func.func @unused(%x: tensor<4xf32>) {
  %0 = ps.read @w : tensor<4xf32>
  ps.assign @w, %x : tensor<4xf32>
  ps.assign @w, %x : tensor<4xf32>
  return
}

// Transfers stay, in order, even when nobody takes their tokens.

// CHECK-LABEL: func.func @transfers
// CHECK-NEXT: ps.send @w rows(0, 2)
// CHECK-NEXT: ps.send @w rows(0, 2)
// CHECK-NEXT: ps.send_barrier
// CHECK-NEXT: ps.recv @w
// CHECK-NEXT: ps.fetch_barrier
// CHECK-NEXT: ps.fetch_barrier
// CHECK-NEXT: return
func.func @transfers(%g: tensor<4xf32>) {
  %0 = ps.send @w rows(0, 2), %g to(@pserver_0) block("w") : tensor<4xf32>
  %1 = ps.send @w rows(0, 2), %g to(@pserver_0) block("w") : tensor<4xf32>
  %2 = ps.send_barrier() to([@pserver_0])
  %3 = ps.recv @w rows(0, 4) from(@pserver_0) block("w")
  %4 = ps.fetch_barrier() to([@pserver_0])
  %5 = ps.fetch_barrier() to([@pserver_0])
  return
}

// CHECK-LABEL: func.func @server
// CHECK-NEXT: ps.listen_and_serv
// CHECK-NEXT: ps.optimize_block @w
// CHECK-NEXT: ps.apply @w
func.func @server() {
  ps.listen_and_serv {
    ps.optimize_block @w (%g: tensor<4xf32>) {
      ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
    }
  }
  return
}

// What an optimize block needs stays inside.

// CHECK-LABEL: func.func @constants
// CHECK-NEXT: ps.listen_and_serv
// CHECK-NEXT: ps.optimize_block @w
// CHECK-NEXT: stablehlo.constant
// CHECK-NEXT: ps.apply @w
func.func @constants() {
  ps.listen_and_serv {
    ps.optimize_block @w (%g: tensor<4xf32>) {
      %one = stablehlo.constant dense<1.0> : tensor<4xf32>
      ps.apply @w, %one using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
    }
  }
  return
}

// A gradient stops once, and nothing trains a constant; a value that may be
// trained stays marked.

// CHECK-LABEL: func.func @stopped
// CHECK-NEXT: %[[ONE:.*]] = stablehlo.constant
// CHECK-NEXT: %[[X:.*]] = ps.stop_gradient %arg0
// CHECK-NEXT: return %[[X]], %[[ONE]]
func.func @stopped(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = ps.stop_gradient %x : tensor<4xf32>
  %1 = ps.stop_gradient %0 : tensor<4xf32>
  %2 = ps.stop_gradient %one : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
