// RUN: ps-opt %s --pass-pipeline="builtin.module(func.func(ps-extract-forward))" | FileCheck %s

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)

// Updates go, and so does the gradient that only they need.

// CHECK-LABEL: @train
func.func @train(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[W:.*]] = ps.read @w
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %[[W]], %arg0
  // CHECK-NEXT: return %[[Y]]
  %w = ps.read @w : tensor<4xf32>
  %y = stablehlo.multiply %w, %x : tensor<4xf32>
  %grad = stablehlo.negate %x : tensor<4xf32>
  ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  ps.assign @w, %grad : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: @transfers
func.func @transfers(%grad: tensor<4xf32>) {
  // CHECK-NEXT: return
  %t = ps.send @w rows(0, 4), %grad to("127.0.0.1:1") block("w") : tensor<4xf32>
  %b = ps.send_barrier(%t) to(["127.0.0.1:1"])
  %r = ps.recv @w rows(0, 4) from("127.0.0.1:1") block("w") after(%b)
  %f = ps.fetch_barrier(%r) to(["127.0.0.1:1"])
  return
}

// A trainer alone is the mean of all trainers.

// CHECK-LABEL: @reductions
func.func @reductions(%grad: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %arg0
  %b = ps.broadcast @w channel(1)
  %m = ps.all_reduce %grad channel(0) : tensor<4xf32>
  ps.apply @w, %m using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
  return %m : tensor<4xf32>
}
