// What a report recommends, in all of its forms.

// RUN: ps-opt %s --ps-transpile="pservers=h:1,h:2,h:3 trainers=2 slice-var-up=false" --ps-report=%t.txt -o %t.mlir
// RUN: FileCheck %s < %t.txt
// RUN: ps-opt %t.mlir --ps-report=%t.json -o /dev/null
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: ps-opt %t.mlir --ps-report=%t.html -o /dev/null
// RUN: FileCheck %s --check-prefix=HTML < %t.html

// CHECK:      job: uneven, mode sync
// CHECK-NEXT: advice: pserver_1 holds 100 % of the bytes, most of them of 'large': cut it into smaller blocks
// CHECK-NEXT: advice: 1 of 3 pservers hold nothing (pserver_2): use fewer pservers
// CHECK-NEXT: advice: a trainer exchanges 128 MiB a step: wire=bf16 halves that

// JSON: "model": "uneven"
// JSON: "advice": [
// JSON-NEXT: "pserver_1 holds 100 %

// HTML: <title>uneven: report</title>
// HTML: <h1>uneven: sync, 2 trainers, 3 pservers</h1>
// HTML: <ul class="advice">
// HTML-NEXT: <li>pserver_1 holds 100 % of the bytes, most of them of &apos;large&apos;
// HTML: </ul>
// HTML: <svg

// Nothing is left to say of a better job.

// RUN: ps-opt %s --ps-transpile="pservers=h:1,h:2 trainers=2 wire=bf16" --ps-report=%t.even.txt -o /dev/null
// RUN: FileCheck %s --check-prefix=EVEN < %t.even.txt
// EVEN: job: uneven, mode sync
// EVEN-NOT: advice

module @uneven {
  ps.variable @bias : tensor<8xf32> init(#ps.constant<0.0>)
  ps.variable @large : tensor<4096x4096xf32> init(#ps.constant<0.0>)
  func.func @train() {
    %b = ps.read @bias : tensor<8xf32>
    %l = ps.read @large : tensor<4096x4096xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.reduce(%l init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<f32>
    %loss = stablehlo.add %0, %1 : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    return
  }
}
