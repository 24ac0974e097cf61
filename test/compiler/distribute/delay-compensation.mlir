// With dc=LAMBDA a pserver adds lambda * g * g * (w - w as it was pulled) to a
// gradient g that is late.

// RUN: ps-opt %s --ps-transpile="pservers=1 trainers=2 mode=async dc=0.04" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// CHECK: #cluster = #ps.cluster<mode = async, trainers = 2,{{.*}} delay_compensation = 0.04>
// CHECK: ps.optimize_block @w (%[[GRAD:.*]]: tensor<3xf32>, %[[PULLED:.*]]: tensor<3xf32>) {
// CHECK-DAG: %[[W:.*]] = ps.read @w
// CHECK-DAG: %[[SQUARE:.*]] = stablehlo.multiply %[[GRAD]], %[[GRAD]]
// CHECK-DAG: %[[MOVED:.*]] = stablehlo.subtract %[[W]], %[[PULLED]]
// CHECK-DAG: %[[CHANGE:.*]] = stablehlo.multiply %[[SQUARE]], %[[MOVED]]
// CHECK-DAG: %[[LAMBDA:.*]] = stablehlo.constant dense<4.000000e-02>
// CHECK: %[[TERM:.*]] = stablehlo.multiply %[[LAMBDA]], %[[CHANGE]]
// CHECK: %[[SUM:.*]] = stablehlo.add %[[GRAD]], %[[TERM]]
// CHECK: ps.apply @w, %[[SUM]] using(#ps.sgd<learning_rate = 0.1>)

// Where a square would overflow, it is computed in the type of the update.
// RUN: sed 's/f32/f16/g' %s | ps-opt --ps-transpile="pservers=1 trainers=2 mode=async dc=0.04" | FileCheck %s --check-prefix=F16
// F16: ps.optimize_block @w (%[[GRAD:.*]]: tensor<3xf16>, %[[PULLED:.*]]: tensor<3xf16>) {
// F16: %[[WIDE:.*]] = stablehlo.convert %[[GRAD]] : (tensor<3xf16>) -> tensor<3xf32>
// F16: stablehlo.multiply %[[WIDE]], %[[WIDE]] : tensor<3xf32>
// F16: %[[SUM:.*]] = stablehlo.add %[[WIDE]], %{{.*}} : tensor<3xf32>
// F16: %[[NARROW:.*]] = stablehlo.convert %[[SUM]] : (tensor<3xf32>) -> tensor<3xf16>
// F16: ps.apply @w, %[[NARROW]] using

// dc=0 is the program without it.
// RUN: ps-opt %s --ps-transpile="pservers=1 trainers=2 mode=async dc=0" -o %t.zero.mlir
// RUN: ps-opt %s --ps-transpile="pservers=1 trainers=2 mode=async" | diff %t.zero.mlir -

// What was edited is refused.
// RUN: sed 's/, delay_compensation = 0.04//' %t.mlir | not ps-opt --ps-verify-programs -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'ps.optimize_block' op expects one argument, found 2: the cluster has no delay_compensation
// RUN: sed 's/\(ps.apply @w, \)%[0-9]*/\1%arg0/' %t.mlir | not ps-opt --ps-verify-programs -o /dev/null 2>&1 | FileCheck %s --check-prefix=IGNORED
// IGNORED: error: 'ps.apply' op expects a gradient that is compensated for its delay: computed of both arguments of its ps.optimize_block
// RUN: sed 's/mode = async/mode = sync/' %t.mlir | not ps-opt -o /dev/null 2>&1 | FileCheck %s --check-prefix=SYNC
// SYNC: error: expected delay_compensation only with mode = async or half_async, found mode = sync

// One trainer's gradients are never late: nothing is added to them.
// RUN: ps-opt %examples/fit_a_line/fit_a_line.mlir --ps-transpile="pservers=1 mode=async dc=0.5" -o %t.dc.mlir
// RUN: ps-opt %examples/fit_a_line/fit_a_line.mlir --ps-transpile="pservers=1 mode=async" -o %t.plain.mlir
// RUN: ps-run %t.dc.mlir --role=all --data=csv:%examples/fit_a_line/samples.csv#label=y --batch-size=10 --epochs=2 --save=%t.dc
// RUN: ps-run %t.plain.mlir --role=all --data=csv:%examples/fit_a_line/samples.csv#label=y --batch-size=10 --epochs=2 --save=%t.plain
// RUN: cmp %t.dc/model.safetensors %t.plain/model.safetensors

// Rows of tables are not compensated.
// RUN: not ps-opt %examples/wide_deep/wide_deep.mlir --ps-transpile="pservers=1 mode=async dc=0.04" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE: wide_deep.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'ps.apply_rows' op updates the table '@{{.*}}', but dc compensates for the delay of variables only: leave it out, or,

ps.variable @w : tensor<3xf32> init(#ps.constant<1.0>)
func.func @train(%x: tensor<?x3xf32> {ps.feed = "x"}) -> (tensor<f32> {ps.fetch = "loss"}) {
  %w = ps.read @w : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<3xf32>
  %products = stablehlo.multiply %sums, %w : tensor<3xf32>
  %loss = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  return %loss : tensor<f32>
}
