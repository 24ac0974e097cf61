// Numbers that are measured over many batches: in metrics, progress lines and
// evaluation, where they cover all samples and not the last batch alone. The
// samples are those of fit_a_line; a label is positive from 0.5 on.
//
// RUN: ps-run %s --data=csv:%examples/fit_a_line/samples.csv --batch-size=48 --epochs=2 --log-every=4 --save=%t.model --metrics=%t.jsonl --eval-data=csv:%examples/fit_a_line/samples.csv | FileCheck %s
// RUN: %python %S/Inputs/metric.py %t.jsonl %t.model/model.safetensors %examples/fit_a_line/samples.csv
//
// CHECK: epoch 0 step 4/8 {{.*}}auc 0.{{.*}}accuracy 0.{{.*}}mean_score
// CHECK: epoch 0 eval {{.*}}auc 0.{{.*}}accuracy 0.{{.*}}mean_score

ps.variable @w : tensor<13x1xf32> init(#ps.constant<0.0>)
func.func @train(%x: tensor<?x13xf32> {ps.feed = "features"},
                 %y: tensor<?x1xf32> {ps.feed = "label"})
    -> (tensor<f32> {ps.fetch = "loss"}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %w = ps.read @w : tensor<13x1xf32>
  %score = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<?x13xf32>, tensor<13x1xf32>) -> tensor<?x1xf32>
  %p = stablehlo.logistic %score : tensor<?x1xf32>
  %difference = stablehlo.subtract %score, %y : tensor<?x1xf32>
  %square = stablehlo.multiply %difference, %difference : tensor<?x1xf32>
  %sum = stablehlo.reduce(%square init: %zero)
      applies stablehlo.add across dimensions = [0, 1]
      : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
  %scale = stablehlo.constant dense<0.001> : tensor<f32>
  %loss = stablehlo.multiply %sum, %scale : tensor<f32>
  ps.metric auc("auc", %p, %y) : tensor<?x1xf32>, tensor<?x1xf32>
  ps.metric accuracy("accuracy", %p, %y) : tensor<?x1xf32>, tensor<?x1xf32>
  ps.metric mean("mean_score", %score) : tensor<?x1xf32>
  ps.metric mean("mean_loss", %loss) : tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.01>) : tensor<f32>
  return %loss : tensor<f32>
}
