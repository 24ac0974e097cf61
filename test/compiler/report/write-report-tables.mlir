// What is known of a table is what a row takes, and where shards are.

// RUN: ps-opt %s --ps-transpile="pservers=h:1,h:2 trainers=2" -o %t.dist.mlir
// RUN: ps-opt %t.dist.mlir --ps-report=%t.txt -o /dev/null
// RUN: FileCheck %s < %t.txt
// RUN: ps-opt %t.dist.mlir --ps-report=%t.json -o /dev/null
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: ps-opt %t.dist.mlir --ps-report=%t.html -o /dev/null
// RUN: FileCheck %s --check-prefix=HTML < %t.html

// CHECK: trainer: 0 B = variables 0 B
// CHECK: longest chain
// CHECK: trainer: ps.push_rows @emb
// CHECK: pserver_0: {{.*}}ps.optimize_block @emb
// CHECK: tables, whose memory and traffic depend on the ids and are not counted above:
// CHECK-NEXT: emb tensor<1000x4xf32> on pserver_0, pserver_1
// CHECK-NEXT: 16 B + 16 B per row, at most 1000 rows, ids by mix
// CHECK-NEXT: fixed tensor<10x2xf64> on trainer
// CHECK-NEXT: 16 B + 0 B per row, at most 10 rows, ids by modulo

// JSON: "tables": [
// JSON: "name": "emb"
// JSON-NEXT: "type": "tensor<1000x4xf32>"
// JSON-NEXT: "partition": "mix"
// JSON-NEXT: "max_rows": 1000
// JSON-NEXT: "row_bytes": 16
// JSON-NEXT: "row_state_bytes": 16
// JSON-NEXT: "places": [

// Each table is beside the pservers that hold its shards.

// HTML: >tables</text>
// HTML-NEXT: <path class="holds"
// HTML-NEXT: <path class="holds"
// HTML: >emb</text>
// HTML-NEXT: >tensor&lt;1000x4xf32&gt;</text>
// HTML-NEXT: >16 B + 16 B a row</text>
// HTML: >fixed</text>
// HTML: </svg>
// HTML: <h2>Tables</h2>
// HTML: <tr><td>emb</td>

ps.table @emb : tensor<1000x4xf32> init(#ps.constant<0.0>)
ps.table @fixed : tensor<10x2xf64> init(#ps.constant<0.0>) partition(modulo) {trainable = false}
func.func @train(%i: tensor<?xi64> {ps.feed = "i"}) {
  %e = ps.lookup @emb[%i] : (tensor<?xi64>) -> tensor<?x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<f32>
  return
}
