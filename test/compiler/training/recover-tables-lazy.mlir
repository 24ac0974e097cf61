// RUN: ps-opt %s --ps-recover-tables=recover=lazy --verify-diagnostics | FileCheck %s
// RUN: ps-opt %s --ps-recover-tables=recover=false 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not ps-opt %s --ps-recover-tables=recover=Lazy 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Who wants a table says so: rows rest in steps that do not look them up.

// CHECK: ps.table @emb
// CHECK: ps.lookup @emb
// KEPT-NOT: remark:
// KEPT: ps.variable @emb
// UNKNOWN: error: expected recover-tables to be true, lazy or false, found 'Lazy'
// expected-remark @+3 {{'@emb' becomes a table}}
// expected-note @+2 {{beyond the end reads row 7}}
// expected-note @+1 {{a row that a step does not look up now keeps its value and its optimizer's state in that step}}
ps.variable @emb : tensor<8x2xf32> init(#ps.constant<1.0>)
func.func @step(%i: tensor<4x1xi64>) {
  %w = ps.read @emb : tensor<8x2xf32>
  %0 = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<4x1xi64>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  ps.minimize %loss using(#ps.momentum<learning_rate = 0.1, momentum = 0.9>) : tensor<f32>
  return
}
