// RUN: ps-opt %s --ps-select-branches --split-input-file --verify-diagnostics

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
func.func @effects(%p: tensor<i1>, %x: tensor<4xf32>) {
  "stablehlo.if"(%p) ({
    // expected-error @+1 {{'ps.assign' op is in a branch of a 'stablehlo.if', all of which are computed: expected ops without effects}}
    ps.assign @w, %x : tensor<4xf32>
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}
