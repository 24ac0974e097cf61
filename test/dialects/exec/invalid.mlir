// RUN: ps-opt %s --split-input-file --verify-diagnostics

exec.program @foreign_op {
  // expected-error@+1 {{'builtin.unrealized_conversion_cast' op is not allowed in an exec.program}}
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
  // expected-error@+1 {{cannot view 'memref<4xf32>' as 'memref<5xf32>'}}
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
  // expected-error@+1 {{names 2 rows from row 1 of 2}}
  %t = exec.send rows(1, 2) %a to(@pserver_0) block("w") : memref<2x4xf32>
}

// -----

ps.variable @w : tensor<f32> init(#ps.constant<0.0>)
exec.program @recv_rows {
  %a = exec.variable @w : memref<f32>
  // expected-error@+1 {{names 2 rows from row 0 of 1}}
  %t = exec.recv rows(0, 2) %a from(@pserver_0) block("w") : memref<f32>
}

// -----

exec.program @second_part_rows {
  %a = exec.buffer : memref<2x4xf32>
  %b = exec.buffer : memref<3xf32>
  // expected-error@+1 {{names 2 rows from row 2 of 3}}
  %t = exec.send rows(0, 2) %a, rows(2, 2) %b to(@pserver_0) block("w", "b") : memref<2x4xf32>, memref<3xf32>
}

// -----

exec.program @push_pull_types {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf64>
  // expected-error@+1 {{expects gradients of the types of their variables, found 'memref<4xf32>' into 'memref<4xf64>'}}
  %t = exec.push_pull rows(0, 4) %a into %b at(@pserver_0) block("w") : memref<4xf32> into memref<4xf64>
}

// -----

exec.program @push_pull_places {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error@+1 {{expects a block for each of its 2 buffers, at least one, found 1}}
  %t = exec.push_pull rows(0, 4) %a into %a, %b at(@pserver_0) block("w") : memref<4xf32> into memref<4xf32>, memref<4xf32>
}

// -----

exec.program @part_without_a_block {
  %a = exec.buffer : memref<2x4xf32>
  %b = exec.buffer : memref<3xf32>
  // expected-error@+1 {{expects a block for each of its 2 buffers, at least one, found 1}}
  %t = exec.recv rows(0, 2) %a, rows(0, 3) %b from(@pserver_0) block("w") : memref<2x4xf32>, memref<3xf32>
}

// -----

exec.program @part_without_rows {
  %a = exec.buffer : memref<2x4xf32>
  // expected-error@+1 {{expects the rows of each of its 1 buffers, found 2}}
  %t = "exec.send"(%a) {row_offsets = array<i64: 0, 0>, rows = array<i64: 1, 1>, server = @pserver_0, blocks = ["w"], operandSegmentSizes = array<i32: 1, 0>} : (memref<2x4xf32>) -> !ps.token
}

// -----

exec.program @send_rows_overflow {
  %a = exec.buffer : memref<2x4xf32>
  // expected-error@+1 {{names 1 rows from row 9223372036854775807 of 2}}
  %t = exec.send rows(9223372036854775807, 1) %a to(@pserver_0) block("w") : memref<2x4xf32>
}

// -----

func.func private @k() -> tensor<4xf32> attributes {exec.kernel}
exec.program @call {
  // expected-error@+1 {{'exec.call' op is not allowed in an exec.program}}
  %0 = exec.call @k() : () -> tensor<4xf32>
}

// -----

func.func private @k(tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel}
func.func @call_of_unknown_rows(%x: tensor<?xf32>) {
  // expected-error@+1 {{gives no rows to row kernel '@k'}}
  %0 = exec.call @k(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func private @k(tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel}
func.func @argument_of_unknown_rows(%x: tensor<?xf32>) {
  // expected-error@+1 {{passes 'tensor<?xf32>' as argument 0, which is 'tensor<?xf32>' of 4 rows}}
  %0 = exec.call @k(%x) : (tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @k(tensor<?xf32>) attributes {exec.kernel}
func.func @call_without_results(%x: tensor<4xf32>) {
  // expected-error@+1 {{gives no rows to row kernel '@k'}}
  exec.call @k(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func private @k(index) -> tensor<4xf32> attributes {exec.kernel}
exec.program @kernel_on_numbers {
  %0 = exec.buffer : memref<4xf32>
  // expected-error@+1 {{expected kernel '@k' to work on tensors of rows, found 'index'}}
  %t = exec.launch @k outs(%0 : memref<4xf32>)
}

// -----

func.func private @k(tensor<4x?xf32>) -> tensor<4xf32> attributes {exec.kernel}
exec.program @kernel_on_columns {
  %0 = exec.buffer : memref<4xf32>
  // expected-error@+1 {{expected kernel '@k' to work on tensors of rows, found 'tensor<4x?xf32>'}}
  %t = exec.launch @k rows(4) ins(%0 : memref<4xf32>) outs(%0 : memref<4xf32>)
}

// -----

func.func private @k() -> tensor<4xf32> attributes {exec.kernel}
exec.program @negative_rows {
  %0 = exec.buffer : memref<4xf32>
  // expected-error@+1 {{attribute 'rows' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %t = exec.launch @k rows(-1) outs(%0 : memref<4xf32>)
}

// -----

exec.program @negative_gemm {
  %a = exec.buffer : memref<2x3xf32>
  // expected-error@+1 {{attribute 'm' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %t = exec.gemm m(-2) n(-2) k(-3)
    ins(%a, %a : memref<2x3xf32>, memref<2x3xf32>) outs(%a : memref<2x3xf32>)
}

// -----

func.func private @k(tensor<?x5xf32>) -> tensor<?x5xf32> attributes {exec.kernel}
exec.program @epilogue_rows {
  %a = exec.buffer : memref<2x3xf32>
  %b = exec.buffer : memref<3x5xf32>
  %c = exec.buffer : memref<2x5xf32>
  %d = exec.buffer : memref<3x5xf32>
  // expected-error@+1 {{passes 'memref<3x5xf32>' as result 0, which is 'tensor<?x5xf32>' of 2 rows}}
  %t = exec.gemm m(2) n(5) k(3)
    ins(%a, %b : memref<2x3xf32>, memref<3x5xf32>) outs(%c : memref<2x5xf32>)
    epilogue(@k with %c : memref<2x5xf32> into %d : memref<3x5xf32>)
}

// -----

exec.program @strided {
  // expected-error@+1 {{result #0 must be dense memref of static shape, on the host or in #exec.space<device>, but got 'memref<4xf32, strided<[2]>>'}}
  %0 = exec.buffer : memref<4xf32, strided<[2]>>
}

// -----

func.func @program_in_function() {
  // expected-error@+1 {{'exec.program' op expects parent op 'builtin.module'}}
  exec.program @nested {
  }
  return
}

// -----

func.func @memory_outside() {
  // expected-error@+1 {{'exec.buffer' op expects parent op 'exec.program'}}
  %0 = exec.buffer : memref<4xf32>
  return
}

// -----

exec.program @large {
  // expected-error@+1 {{is larger than the address space: 'memref<4294967296x4294967296xf32>'}}
  %a = exec.buffer : memref<4294967296x4294967296xf32>
}

// -----

exec.program @mean_of_another_type {
  %g = exec.buffer : memref<4xf32>
  %m = exec.buffer : memref<8xf32>
  // expected-error@+1 {{expects a mean of the type of each gradient, found 'memref<8xf32>' for 'memref<4xf32>'}}
  %t = exec.all_reduce channel(0) ins(%g : memref<4xf32>) outs(%m : memref<8xf32>)
}

// -----

exec.program @late_kernel {
  %x = exec.feed "x" : memref<4xf32>
  %y = exec.buffer : memref<4xf32>
  %t = exec.copy %x to %y : memref<4xf32>, memref<4xf32>
  // expected-error@+1 {{expects the token of a node of the exchange with the pservers}}
  exec.carry %t
}

// -----

exec.program @graph_of_the_host {
  %x = exec.feed "x" : memref<4xf32>
  %y = exec.buffer : memref<4xf32>
  %t = exec.copy %x to %y : memref<4xf32>, memref<4xf32>
  // expected-error@+1 {{expects tokens of kernels, products and copies within #exec.space<device>}}
  exec.graph %t
}

// -----

exec.program @graph_out_of_order {
  %x = exec.feed "x" : memref<4xf32, #exec.space<device>>
  %y = exec.buffer : memref<4xf32, #exec.space<device>>
  %z = exec.buffer : memref<4xf32, #exec.space<device>>
  %t0 = exec.copy %x to %y : memref<4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>>
  %t1 = exec.copy %x to %z : memref<4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>>
  // expected-error@+1 {{expects tokens in the order of their nodes}}
  exec.graph %t1, %t0
}

// -----

// expected-error@+1 {{attribute 'every' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
exec.program @never every(0) {
}

// -----

exec.program @largest_of_other_rows {
  %g = exec.buffer : memref<4xf32>
  %u = exec.buffer : memref<5xf32>
  %l = exec.buffer : memref<1x2xui32>
  // expected-error@+1 {{expects gradient and unsent of one type, of f32, found 'memref<4xf32>' and 'memref<5xf32>'}}
  %t = exec.take_largest rows(0, 4) ins(%g : memref<4xf32>) unsent(%u : memref<5xf32>) outs(%l : memref<1x2xui32>)
}

// -----

exec.program @largest_as_floats {
  %g = exec.buffer : memref<4xf32>
  %l = exec.buffer : memref<1x2xf32>
  // expected-error@+1 {{expects outs of type memref<Nx2xui32>, found 'memref<1x2xf32>'}}
  %t = exec.take_largest rows(0, 4) ins(%g : memref<4xf32>) unsent(%g : memref<4xf32>) outs(%l : memref<1x2xf32>)
}

// -----

exec.program @largest_of_no_rows {
  %g = exec.buffer : memref<4xf32>
  %l = exec.buffer : memref<1x2xui32>
  // expected-error@+1 {{names 4 rows from row 1 of 4}}
  %t = exec.take_largest rows(1, 4) ins(%g : memref<4xf32>) unsent(%g : memref<4xf32>) outs(%l : memref<1x2xui32>)
}
