// A click is the sigmoid of a row's only number, averaged over a bag of ids.
module @bags {
  ps.table @emb : tensor<1000x1xf32> init(#ps.constant<0.0>)

  func.func @train(%label: tensor<?x1xf32> {ps.feed = "label"},
                   %ids: tensor<?xi64> {ps.feed = "s1"},
                   %offsets: tensor<?xi64> {ps.feed = "s1.offsets"})
      -> (tensor<f32> {ps.fetch = "loss"}) {
    %mean = ps.lookup @emb[%ids] segments(%offsets) pool(mean)
        : (tensor<?xi64>, tensor<?xi64>) -> tensor<?x1xf32>
    %click = stablehlo.logistic %mean : tensor<?x1xf32>
    %e = stablehlo.subtract %click, %label : tensor<?x1xf32>
    %s = stablehlo.multiply %e, %e : tensor<?x1xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%s init: %zero) applies stablehlo.add
        across dimensions = [0, 1]
        : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    ps.minimize %sum using(#ps.adagrad<learning_rate = 0.5>) : tensor<f32>
    return %sum : tensor<f32>
  }
}
