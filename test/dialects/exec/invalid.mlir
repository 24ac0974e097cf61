// RUN: ps-opt %s --split-input-file --verify-diagnostics

exec.program @foreign_op {
  // expected-error@+1 {{'builtin.unrealized_conversion_cast' op cannot stand in an exec.program}}
  %0 = builtin.unrealized_conversion_cast to memref<f32>
}

// -----

exec.program @unknown_variable {
  // expected-error@+1 {{refers to unknown variable '@w'}}
  %0 = exec.variable @w : memref<4xf32>
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @variable_type {
  // expected-error@+1 {{has type 'memref<5xf32>', but variable '@w' needs 'memref<4xf32>'}}
  %0 = exec.variable @w : memref<5xf32>
}

// -----

exec.program @constant_type {
  // expected-error@+1 {{holds 'tensor<2xf32>', but has type 'memref<3xf32>'}}
  %0 = exec.constant dense<1.0> : tensor<2xf32> to memref<3xf32>
}

// -----

exec.program @view_size {
  %0 = exec.buffer : memref<4xf32>
  // expected-error@+1 {{cannot show 'memref<4xf32>' as 'memref<5xf32>'}}
  %1 = exec.view %0 : memref<4xf32> to memref<5xf32>
}

// -----

exec.program @unknown_kernel {
  %0 = exec.buffer : memref<4xf32>
  // expected-error@+1 {{refers to unknown kernel '@k'}}
  %t = exec.launch @k outs(%0 : memref<4xf32>)
}

// -----

func.func private @k() -> tensor<4xf32>
exec.program @not_a_kernel {
  %0 = exec.buffer : memref<4xf32>
  // expected-error@+1 {{refers to unknown kernel '@k'}}
  %t = exec.launch @k outs(%0 : memref<4xf32>)
}

// -----

func.func private @k() -> tensor<4xf32> attributes {exec.kernel}
exec.program @rows_of_whole_kernel {
  %0 = exec.buffer : memref<4xf32>
  // expected-error@+1 {{gives rows to whole kernel '@k'}}
  %t = exec.launch @k rows(4) outs(%0 : memref<4xf32>)
}

// -----

func.func private @k() -> tensor<?xf32> attributes {exec.kernel}
exec.program @no_rows {
  %0 = exec.buffer : memref<4xf32>
  // expected-error@+1 {{gives no rows to row kernel '@k'}}
  %t = exec.launch @k outs(%0 : memref<4xf32>)
}

// -----

func.func private @k() -> tensor<4xf32> attributes {exec.kernel}
exec.program @argument_count {
  %0 = exec.buffer : memref<4xf32>
  // expected-error@+1 {{passes 1 arguments and 1 results to kernel '@k', which has 0 and 1}}
  %t = exec.launch @k ins(%0 : memref<4xf32>) outs(%0 : memref<4xf32>)
}

// -----

func.func private @k(tensor<4xf32>) -> tensor<?x2xf32> attributes {exec.kernel}
exec.program @argument_type {
  %0 = exec.buffer : memref<4xi32>
  %1 = exec.buffer : memref<2x2xf32>
  // expected-error@+1 {{passes 'memref<4xi32>' as argument 0, which is 'tensor<4xf32>' of 2 rows}}
  %t = exec.launch @k rows(2) ins(%0 : memref<4xi32>) outs(%1 : memref<2x2xf32>)
}

// -----

func.func private @k(tensor<4xf32>) -> tensor<?x2xf32> attributes {exec.kernel}
exec.program @result_rows {
  %0 = exec.buffer : memref<4xf32>
  %1 = exec.buffer : memref<3x2xf32>
  // expected-error@+1 {{passes 'memref<3x2xf32>' as result 0, which is 'tensor<?x2xf32>' of 2 rows}}
  %t = exec.launch @k rows(2) ins(%0 : memref<4xf32>) outs(%1 : memref<3x2xf32>)
}

// -----

exec.program @gemm_shape {
  %a = exec.buffer : memref<2x3xf32>
  %b = exec.buffer : memref<4x5xf32>
  %c = exec.buffer : memref<2x5xf32>
  // expected-error@+1 {{takes 'memref<4x5xf32>' for b, expected f32 of 1x3x5}}
  %t = exec.gemm m(2) n(5) k(3)
    ins(%a, %b : memref<2x3xf32>, memref<4x5xf32>) outs(%c : memref<2x5xf32>)
}

// -----

exec.program @copy_size {
  %a = exec.buffer : memref<2xf32>
  %b = exec.buffer : memref<3xf32>
  // expected-error@+1 {{cannot copy 'memref<2xf32>' to 'memref<3xf32>'}}
  %t = exec.copy %a to %b : memref<2xf32>, memref<3xf32>
}

// -----

exec.program @check_types {
  %a = exec.buffer : memref<2xf32>
  %b = exec.buffer : memref<3xf32>
  // expected-error@+1 {{compares 'memref<2xf32>' with 'memref<3xf32>'}}
  %t = exec.check eq %a, %b : memref<2xf32>, memref<3xf32>
}

// -----

exec.program @check_close_of_integers {
  %a = exec.buffer : memref<2xi32>
  // expected-error@+1 {{'close' compares floats only, found 'i32'}}
  %t = exec.check close %a, %a : memref<2xi32>, memref<2xi32>
}

// -----

exec.program @send_rows {
  %a = exec.buffer : memref<2x4xf32>
  // expected-error@+1 {{names rows 1 to 3 of 2}}
  %t = exec.send rows(1, 2) %a to("h:1") block("w") : memref<2x4xf32>
}

// -----

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
exec.program @recv_rows {
  %a = exec.variable @w : memref<f32>
  // expected-error@+1 {{names rows 0 to 2 of 1}}
  %t = exec.recv rows(0, 2) %a from("h:1") block("w") : memref<f32>
}
