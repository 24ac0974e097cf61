// A counter, a generator of random bits and a sum beside a trained weight.
module @integers {
  ps.variable @count : tensor<i32> init(#ps.constant<-7.0>) {trainable = false}
  ps.variable @key : tensor<2xui32> init(#ps.constant<12345.0>) {trainable = false}
  ps.variable @total : tensor<i64> init(#ps.constant<0.0>) {trainable = false}
  ps.variable @w : tensor<4x1xf32> init(#ps.constant<0.1>)

  func.func @train(%x: tensor<?x4xf32> {ps.feed = "x"},
                   %y: tensor<?xf32> {ps.feed = "y"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %count = ps.read @count : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next_count = stablehlo.add %count, %one : tensor<i32>
    ps.assign @count, %next_count : tensor<i32>
    %key = ps.read @key : tensor<2xui32>
    %factor = stablehlo.constant dense<1664525> : tensor<2xui32>
    %addend = stablehlo.constant dense<1013904223> : tensor<2xui32>
    %product = stablehlo.multiply %key, %factor : tensor<2xui32>
    %next_key = stablehlo.add %product, %addend : tensor<2xui32>
    ps.assign @key, %next_key : tensor<2xui32>
    %total = ps.read @total : tensor<i64>
    %wide = stablehlo.convert %one : (tensor<i32>) -> tensor<i64>
    %next_total = stablehlo.add %total, %wide : tensor<i64>
    ps.assign @total, %next_total : tensor<i64>

    %w = ps.read @w : tensor<4x1xf32>
    %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<?x4xf32>, tensor<4x1xf32>) -> tensor<?x1xf32>
    %q = stablehlo.reshape %p : (tensor<?x1xf32>) -> tensor<?xf32>
    %e = stablehlo.subtract %q, %y : tensor<?xf32>
    %square = stablehlo.multiply %e, %e : tensor<?xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %loss = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.001>) : tensor<f32>
    return %loss : tensor<f32>
  }
}
