// Only ps-run itself feeds rows of a table, to optimize blocks: data has none.

// RUN: not ps-run %s --data=csv:%S/Inputs/linear.csv 2>&1 | FileCheck %s --check-prefix=FEED
// RUN: not ps-run %s --data=csv:%S/Inputs/linear.csv --role=local --steps=1 2>&1 | FileCheck %s --check-prefix=FEED
// FEED: {{^}}ps-run: error: {{.*}}rows-feed.mlir:[[# @LINE + 5]]:18: feed 'r' of '@train' has type !ps.rows<4 x f32>: expected a tensor, data has no rows of tables{{$}}

// RUN: sed -e 's/-> tensor<f32>/-> (tensor<f32>, !ps.rows<4 x f32> {ps.fetch = "r"})/' -e 's/%w : tensor<f32>$/%w, %r : tensor<f32>, !ps.rows<4 x f32>/' %s > %t.mlir
// RUN: not ps-run %t.mlir --data=csv:%S/Inputs/linear.csv 2>&1 | FileCheck %s --check-prefix=FETCH
// FETCH: {{^}}ps-run: error: {{.*}}:[[# @LINE + 1]]:1: 'func.func' op expects result 1 with "ps.fetch" to be a ranked tensor, found '!ps.rows<4 x f32>'{{$}}
func.func @train(%r: !ps.rows<4 x f32> {ps.feed = "r"}) -> tensor<f32> {
  %w = stablehlo.constant dense<1.0> : tensor<f32>
  return %w : tensor<f32>
}
