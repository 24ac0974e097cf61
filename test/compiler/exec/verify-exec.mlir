// RUN: ps-opt %s --split-input-file --pass-pipeline="builtin.module(exec.program(ps-verify-exec))" --verify-diagnostics

func.func private @relu(%0: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
exec.program @correct arena(128) {
  %x = exec.feed "x" : memref<16xf32>
  %a = exec.buffer offset(0) : memref<16xf32>
  %b = exec.buffer offset(0) : memref<16xf32>
  %c = exec.buffer offset(64) : memref<16xf32>
  %t0 = exec.launch @relu rows(16) ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // In place: an elementwise kernel may.
  %t1 = exec.launch @relu rows(16) ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) after(%t0)
  %t2 = exec.launch @relu rows(16) ins(%b : memref<16xf32>) outs(%c : memref<16xf32>) after(%t1)
  exec.fetch "y", %c : memref<16xf32>
}

// -----

exec.program @no_place arena(64) {
  // expected-error@+1 {{buffer has no offset in the arena}}
  %a = exec.buffer : memref<16xf32>
}

// -----

exec.program @outside arena(64) {
  // expected-error@+1 {{buffer takes bytes 32 to 96 of an arena of 64}}
  %a = exec.buffer offset(32) : memref<16xf32>
}

// -----

exec.program @writes_feed arena(64) {
  // expected-note@+1 {{declared here}}
  %x = exec.feed "x" : memref<16xf32>
  %y = exec.feed "y" : memref<16xf32>
  // expected-error@+1 {{node writes memory that it may only read}}
  %t = exec.copy %y to %x : memref<16xf32>, memref<16xf32>
}

// -----

func.func private @sum(%0: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %1 = stablehlo.reverse %0, dims = [1] : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
exec.program @not_in_place arena(0) {
  %w = exec.variable @w : memref<4x4xf32>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t = exec.launch @sum rows(4) ins(%w : memref<4x4xf32>) outs(%w : memref<4x4xf32>)
}

// -----

func.func private @neg(%0: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
ps.variable @w : tensor<32xf32> init(#ps.constant<0.0>)
exec.program @shifted arena(128) {
  %w = exec.feed "w" : memref<16xf32>
  %a = exec.buffer offset(0) : memref<16xf32>
  %b = exec.buffer offset(32) : memref<16xf32>
  %t0 = exec.copy %w to %a : memref<16xf32>, memref<16xf32>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t1 = exec.launch @neg rows(16) ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) after(%t0)
}

// -----

exec.program @gemm_in_place arena(64) {
  %a = exec.feed "a" : memref<4x4xf32>
  %c = exec.buffer offset(0) : memref<4x4xf32>
  %t0 = exec.copy %a to %c : memref<4x4xf32>, memref<4x4xf32>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t1 = exec.gemm m(4) n(4) k(4) ins(%a, %c : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>) after(%t0)
}

// -----

exec.program @read_too_early arena(128) {
  %x = exec.feed "x" : memref<16xf32>
  %a = exec.buffer offset(0) : memref<16xf32>
  %b = exec.buffer offset(64) : memref<16xf32>
  // expected-note@+1 {{which is here}}
  %t0 = exec.copy %x to %a : memref<16xf32>, memref<16xf32>
  // expected-error@+1 {{no token orders this node after one that touches the same bytes}}
  %t1 = exec.copy %a to %b : memref<16xf32>, memref<16xf32>
}

// -----

// Reuse of bytes needs an order as well.

exec.program @overwritten_too_early arena(128) {
  %x = exec.feed "x" : memref<16xf32>
  %a = exec.buffer offset(0) : memref<16xf32>
  %b = exec.buffer offset(64) : memref<16xf32>
  %c = exec.buffer offset(32) : memref<8xf32>
  %y = exec.feed "y" : memref<8xf32>
  %t0 = exec.copy %x to %a : memref<16xf32>, memref<16xf32>
  // expected-note@+1 {{which is here}}
  %t1 = exec.copy %a to %b after(%t0) : memref<16xf32>, memref<16xf32>
  // expected-error@+1 {{no token orders this node after one that touches the same bytes}}
  %t2 = exec.copy %y to %c after(%t0) : memref<8xf32>, memref<8xf32>
}

// -----

ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
exec.program @recv_into_use arena(64) {
  %w = exec.variable @w : memref<4x4xf32>
  %a = exec.buffer offset(0) : memref<4x4xf32>
  // expected-note@+1 {{which is here}}
  %t0 = exec.copy %w to %a : memref<4x4xf32>, memref<4x4xf32>
  // expected-error@+1 {{no token orders this node after one that touches the same bytes}}
  %t1 = exec.recv rows(0, 2) %w from(@pserver_0) block("w.block0") : memref<4x4xf32>
}

// -----

exec.program @never_written arena(128) {
  // expected-note@+1 {{declared here}}
  %a = exec.buffer offset(0) : memref<16xf32>
  %b = exec.buffer offset(64) : memref<16xf32>
  // expected-error@+1 {{reads a buffer that no node before it has written}}
  %t1 = exec.copy %a to %b : memref<16xf32>, memref<16xf32>
}

// -----

exec.program @fetched_too_late arena(64) {
  %x = exec.feed "x" : memref<16xf32>
  %a = exec.buffer offset(0) : memref<16xf32>
  %b = exec.buffer offset(0) : memref<16xf32>
  %t0 = exec.copy %x to %a : memref<16xf32>, memref<16xf32>
  // expected-note@+1 {{last written here}}
  %t1 = exec.copy %x to %b after(%t0) : memref<16xf32>, memref<16xf32>
  // expected-error@+1 {{reads bytes that were given to another buffer}}
  exec.fetch "a", %a : memref<16xf32>
}

// -----

// The bytes of a gradient belong to its send until that is done: whoever was
// to overwrite them waits for it, not only for who computed the gradient.

exec.program @sent arena(64) {
  %x = exec.feed "x" : memref<4x4xf32>
  %grad = exec.buffer offset(0) : memref<4x4xf32>
  %next = exec.buffer offset(0) : memref<4x4xf32>
  %t0 = exec.copy %x to %grad : memref<4x4xf32>, memref<4x4xf32>
  %t1 = exec.send rows(0, 4) %grad to(@pserver_0) block("w") after(%t0) : memref<4x4xf32>
  %t2 = exec.copy %x to %next after(%t1) : memref<4x4xf32>, memref<4x4xf32>
}

// -----

exec.program @overwritten_while_sent arena(64) {
  %x = exec.feed "x" : memref<4x4xf32>
  %grad = exec.buffer offset(0) : memref<4x4xf32>
  %next = exec.buffer offset(0) : memref<4x4xf32>
  %t0 = exec.copy %x to %grad : memref<4x4xf32>, memref<4x4xf32>
  // expected-note@+1 {{which is here}}
  %t1 = exec.send rows(0, 4) %grad to(@pserver_0) block("w") after(%t0) : memref<4x4xf32>
  // expected-error@+1 {{no token orders this node after one that touches the same bytes}}
  %t2 = exec.copy %x to %next after(%t0) : memref<4x4xf32>, memref<4x4xf32>
}

// -----

// One row of what is sent is enough.

exec.program @partly_overwritten_while_sent arena(64) {
  %x = exec.feed "x" : memref<4x4xf32>
  %y = exec.feed "y" : memref<4xf32>
  %grad = exec.buffer offset(0) : memref<4x4xf32>
  %next = exec.buffer offset(48) : memref<4xf32>
  %t0 = exec.copy %x to %grad : memref<4x4xf32>, memref<4x4xf32>
  // expected-note@+1 {{which is here}}
  %t1 = exec.send rows(2, 2) %grad to(@pserver_0) block("w.block1") after(%t0) : memref<4x4xf32>
  // expected-error@+1 {{no token orders this node after one that touches the same bytes}}
  %t2 = exec.copy %y to %next after(%t0) : memref<4xf32>, memref<4xf32>
}

// -----

exec.program @sent_too_early arena(64) {
  %x = exec.feed "x" : memref<4x4xf32>
  %grad = exec.buffer offset(0) : memref<4x4xf32>
  // expected-note@+1 {{which is here}}
  %t0 = exec.copy %x to %grad : memref<4x4xf32>, memref<4x4xf32>
  // expected-error@+1 {{no token orders this node after one that touches the same bytes}}
  %t1 = exec.send rows(0, 4) %grad to(@pserver_0) block("w") : memref<4x4xf32>
}

// -----

exec.program @sent_too_late arena(64) {
  %x = exec.feed "x" : memref<4x4xf32>
  %grad = exec.buffer offset(0) : memref<4x4xf32>
  %next = exec.buffer offset(0) : memref<4x4xf32>
  %t0 = exec.copy %x to %grad : memref<4x4xf32>, memref<4x4xf32>
  // expected-note@+1 {{last written here}}
  %t1 = exec.copy %x to %next after(%t0) : memref<4x4xf32>, memref<4x4xf32>
  // expected-error@+1 {{reads bytes that were given to another buffer}}
  %t2 = exec.send rows(0, 4) %grad to(@pserver_0) block("w") after(%t1) : memref<4x4xf32>
}

// -----

// A view is no way around.

exec.program @view_overwritten_while_sent arena(64) {
  %x = exec.feed "x" : memref<16xf32>
  %grad = exec.buffer offset(0) : memref<16xf32>
  %rows = exec.view %grad : memref<16xf32> to memref<4x4xf32>
  %next = exec.buffer offset(0) : memref<16xf32>
  %t0 = exec.copy %x to %grad : memref<16xf32>, memref<16xf32>
  // expected-note@+1 {{which is here}}
  %t1 = exec.send rows(0, 4) %rows to(@pserver_0) block("w") after(%t0) : memref<4x4xf32>
  // expected-error@+1 {{no token orders this node after one that touches the same bytes}}
  %t2 = exec.copy %x to %next after(%t0) : memref<16xf32>, memref<16xf32>
}

// -----

func.func private @two(%0: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?xf32>
  %2 = stablehlo.abs %0 : tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}
exec.program @results_in_one_place arena(64) {
  %x = exec.feed "x" : memref<16xf32>
  %a = exec.buffer offset(0) : memref<16xf32>
  %b = exec.buffer offset(0) : memref<16xf32>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t = exec.launch @two rows(16) ins(%x : memref<16xf32>) outs(%a, %b : memref<16xf32>, memref<16xf32>)
}

// -----

exec.program @copy_in_place arena(96) {
  %x = exec.feed "x" : memref<16xf32>
  %a = exec.buffer offset(0) : memref<16xf32>
  %b = exec.buffer offset(32) : memref<16xf32>
  %t0 = exec.copy %x to %a : memref<16xf32>, memref<16xf32>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t1 = exec.copy %a to %b after(%t0) : memref<16xf32>, memref<16xf32>
}

// -----

// An epilogue may work in place of its product, not of an operand of it.

func.func private @neg(%0: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
exec.program @epilogue arena(64) {
  %x = exec.feed "x" : memref<4x4xf32>
  %c = exec.buffer offset(0) : memref<4x4xf32>
  %t = exec.gemm m(4) n(4) k(4) ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
    epilogue(@neg with %c : memref<4x4xf32> into %c : memref<4x4xf32>)
  exec.fetch "c", %c : memref<4x4xf32>
}
exec.program @epilogue_over_operand arena(128) {
  %x = exec.feed "x" : memref<4x4xf32>
  %a = exec.buffer offset(0) : memref<4x4xf32>
  %c = exec.buffer offset(64) : memref<4x4xf32>
  %d = exec.buffer offset(0) : memref<4x4xf32>
  %t0 = exec.copy %x to %a : memref<4x4xf32>, memref<4x4xf32>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t1 = exec.gemm m(4) n(4) k(4) ins(%a, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
    epilogue(@neg with %c : memref<4x4xf32> into %d : memref<4x4xf32>) after(%t0)
}

// -----

func.func private @sum(%0: tensor<?x4xf32>, %1: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %2 = stablehlo.add %0, %1 : tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}
exec.program @product_over_epilogue_argument arena(128) {
  %x = exec.feed "x" : memref<4x4xf32>
  %a = exec.buffer offset(0) : memref<4x4xf32>
  %c = exec.buffer offset(0) : memref<4x4xf32>
  %d = exec.buffer offset(64) : memref<4x4xf32>
  %t0 = exec.copy %x to %a : memref<4x4xf32>, memref<4x4xf32>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t1 = exec.gemm m(4) n(4) k(4) ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
    epilogue(@sum with %c, %a : memref<4x4xf32>, memref<4x4xf32> into %d : memref<4x4xf32>) after(%t0)
}

// -----

// Also where the epilogue does not read its product.

func.func private @neg(%0: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
exec.program @product_over_result arena(128) {
  %x = exec.feed "x" : memref<4x4xf32>
  %c = exec.buffer offset(0) : memref<4x4xf32>
  %d = exec.buffer offset(32) : memref<4x4xf32>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t = exec.gemm m(4) n(4) k(4) ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
    epilogue(@neg with %x : memref<4x4xf32> into %d : memref<4x4xf32>)
}

// -----

// Two exec.variables of one name are one memory.

ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
exec.program @same_variable arena(0) {
  %x = exec.feed "x" : memref<4x4xf32>
  %v = exec.variable @w : memref<4x4xf32>
  %w = exec.variable @w : memref<4x4xf32>
  // expected-note@+1 {{which is here}}
  %t0 = exec.copy %x to %v : memref<4x4xf32>, memref<4x4xf32>
  // expected-error@+1 {{no token orders this node after one that touches the same bytes}}
  %t1 = exec.send rows(0, 4) %w to(@pserver_0) block("w") : memref<4x4xf32>
}

// -----

// Other trainers need the gradient until all have the mean.

exec.program @mean_over_gradient arena(128) {
  %x = exec.feed "x" : memref<4xf32>
  %g = exec.buffer offset(0) : memref<4xf32>
  %m = exec.buffer offset(0) : memref<4xf32>
  %t0 = exec.copy %x to %g : memref<4xf32>, memref<4xf32>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t1 = exec.all_reduce channel(0) ins(%g : memref<4xf32>) outs(%m : memref<4xf32>) after(%t0)
}

// -----

exec.program @mean_over_mean arena(128) {
  %x = exec.feed "x" : memref<4xf32>
  %y = exec.feed "y" : memref<4xf32>
  %m = exec.buffer offset(0) : memref<4xf32>
  %n = exec.buffer offset(0) : memref<4xf32>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t1 = exec.all_reduce channel(0) ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%m, %n : memref<4xf32>, memref<4xf32>)
}

// -----

// Rows of a step are there when they have been fetched.

exec.program @rows_unwritten arena(64) {
  // expected-note@+1 {{declared here}}
  %r = exec.rows @emb lookups(1) : !ps.rows<2 x f32>
  %e = exec.buffer offset(0) : memref<4x2xf32>
  // expected-error@+1 {{reads a buffer that no node before it has written}}
  %t = exec.lookup %r lookup(0) outs(%e : memref<4x2xf32>) : !ps.rows<2 x f32>
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

// Gradients are added one after the other.

exec.program @rows_unordered arena(64) {
  %r = exec.rows @emb lookups(1) : !ps.rows<2 x f32>
  %i = exec.feed "i" : memref<4xi64>
  %d = exec.feed "d" : memref<4x2xf32>
  %t0 = exec.prefetch %r ids(%i : memref<4xi64>) : !ps.rows<2 x f32>
  // expected-note@+1 {{which is here}}
  %t1 = exec.lookup_gradient %r lookup(0) ins(%d : memref<4x2xf32>) after(%t0) : !ps.rows<2 x f32>
  // expected-error@+1 {{no token orders this node after one that touches the same bytes}}
  %t2 = exec.lookup_gradient %r lookup(0) ins(%d : memref<4x2xf32>) after(%t0) : !ps.rows<2 x f32>
}
ps.table @emb : tensor<100x2xf32> init(#ps.constant<0.0>)

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @push_pull_of_itself {
  %w = exec.variable @w : memref<4xf32>
  // expected-error@+1 {{node writes bytes that it also accesses through another operand}}
  %t = exec.push_pull rows(0, 4) %w into %w at(@pserver_0) block("w") : memref<4xf32> into memref<4xf32>
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @push_pull_twice {
  %w = exec.variable @w : memref<4xf32>
  %x = exec.feed "x" : memref<4xf32>
  // expected-note@+1 {{the first one is here}}
  %t0 = exec.push_pull rows(0, 4) %x into %w at(@pserver_0) block("w") : memref<4xf32> into memref<4xf32>
  // expected-error@+1 {{exchanges "w" a second time}}
  %t1 = exec.push_pull rows(0, 4) %x into %w at(@pserver_0) block("w") after(%t0) : memref<4xf32> into memref<4xf32>
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @push_pull_beside_a_send {
  %w = exec.variable @w : memref<4xf32>
  %x = exec.feed "x" : memref<4xf32>
  // expected-note@+1 {{such as this one}}
  %t0 = exec.push_pull rows(0, 4) %x into %w at(@pserver_0) block("w") : memref<4xf32> into memref<4xf32>
  // expected-error@+1 {{is part of a step without barriers: expected push_pulls only}}
  %t1 = exec.send rows(0, 4) %x to(@pserver_0) block("v") : memref<4xf32>
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @pull_overtakes_push arena(16) {
  %w = exec.variable @w : memref<4xf32>
  %x = exec.feed "x" : memref<4xf32>
  %a = exec.buffer offset(0) : memref<4xf32>
  %t0 = exec.copy %x to %a : memref<4xf32>, memref<4xf32>
  // Another round, and another block, are of no concern.
  %t1 = exec.send rows(0, 4) %a to(@pserver_0) block("w") round(1) after(%t0) : memref<4xf32>
  %t2 = exec.send rows(0, 4) %a to(@pserver_0) block("v") after(%t0) : memref<4xf32>
  // expected-note@+1 {{which is here}}
  %t3 = exec.send rows(0, 4) %a to(@pserver_0) block("w") after(%t0) : memref<4xf32>
  // expected-error@+1 {{no token orders this pull of "w" after its push}}
  %t4 = exec.recv rows(0, 4) %w from(@pserver_0) block("w") after(%t2) : memref<4xf32>
}

// -----

// Late nodes. The tokens of the next step count as well: @k comes after the
// pull because what it comes after does, and so does the send.

func.func private @neg(%0: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @late arena(48) {
  %x = exec.feed "x" : memref<4xf32>
  %w = exec.variable @w : memref<4xf32>
  %a = exec.buffer offset(0) : memref<4xf32>
  %b = exec.buffer offset(16) : memref<4xf32>
  %c = exec.buffer offset(32) : memref<4xf32>
  %t0 = exec.copy %x to %a : memref<4xf32>, memref<4xf32>
  %t1 = exec.launch @neg rows(4) ins(%w : memref<4xf32>) outs(%b : memref<4xf32>) after(%t0)
  %t2 = exec.launch @neg rows(4) ins(%w : memref<4xf32>) outs(%c : memref<4xf32>) after(%t1)
  %t3 = exec.send rows(0, 4) %b to(@pserver_0) block("w") after(%t1) : memref<4xf32>
  %t4 = exec.recv rows(0, 4) %w from(@pserver_0) block("w") after(%t2, %t3) : memref<4xf32>
  // The send is carried by what comes after it.
  exec.carry %t3
  exec.carry %t4 before(%t0)
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @next_step_reads_too_early arena(32) {
  %w = exec.variable @w : memref<4xf32>
  %a = exec.buffer offset(0) : memref<4xf32>
  %b = exec.buffer offset(16) : memref<4xf32>
  %t0 = exec.copy %w to %a : memref<4xf32>, memref<4xf32>
  // expected-note@+1 {{which is here}}
  %t1 = exec.copy %w to %b : memref<4xf32>, memref<4xf32>
  %t2 = exec.recv rows(0, 4) %w from(@pserver_0) block("w") after(%t0, %t1) : memref<4xf32>
  // expected-error@+1 {{in the next step nothing orders a node after this one that touches the same bytes}}
  exec.carry %t2 before(%t0)
}

// -----

exec.program @next_step_overwrites_too_early arena(16) {
  %x = exec.feed "x" : memref<4xf32>
  %a = exec.buffer offset(0) : memref<4xf32>
  // expected-note@+1 {{which is here}}
  %t0 = exec.copy %x to %a : memref<4xf32>, memref<4xf32>
  %t1 = exec.send rows(0, 4) %a to(@pserver_0) block("w") after(%t0) : memref<4xf32>
  // expected-error@+1 {{in the next step nothing orders a node after this one that touches the same bytes}}
  exec.carry %t1
}

// -----

ps.variable @v : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @exchanges_overlap arena(0) {
  %v = exec.variable @v : memref<4xf32>
  %w = exec.variable @w : memref<4xf32>
  // expected-note@+1 {{which is here}}
  %t0 = exec.send rows(0, 4) %v to(@pserver_0) block("v") : memref<4xf32>
  %t1 = exec.send rows(0, 4) %w to(@pserver_0) block("w") : memref<4xf32>
  // expected-error@+1 {{in the next step nothing orders a node after this one of the exchange before}}
  exec.carry %t1
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @not_late arena(16) {
  %w = exec.variable @w : memref<4xf32>
  %a = exec.buffer offset(0) : memref<4xf32>
  // expected-note@+1 {{which is here}}
  %t0 = exec.recv rows(0, 4) %w from(@pserver_0) block("w") : memref<4xf32>
  // expected-error@+1 {{node comes after a late one, but is not late}}
  %t1 = exec.copy %w to %a after(%t0) : memref<4xf32>, memref<4xf32>
  exec.carry %t0 before(%t1)
}

// -----

exec.program @late_reads_feed arena(0) {
  %x = exec.feed "x" : memref<4xf32>
  // expected-error@+1 {{late node touches memory that the caller works with between steps}}
  %t0 = exec.send rows(0, 4) %x to(@pserver_0) block("x") : memref<4xf32>
  exec.carry %t0
}

// -----

ps.variable @w : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @late_writes_fetch arena(0) {
  %w = exec.variable @w : memref<4xf32>
  // expected-error@+1 {{late node touches memory that the caller works with between steps}}
  %t0 = exec.recv rows(2, 2) %w from(@pserver_0) block("w") : memref<4xf32>
  exec.fetch "w", %w : memref<4xf32>
  exec.carry %t0
}

// -----

exec.program @carried_twice arena(0) {
  %t0 = exec.fetch_barrier to([@pserver_0])
  exec.carry %t0
  // expected-error@+1 {{node is carried twice}}
  exec.carry %t0
}

// -----

// The same bytes of two memory spaces are different ones.

exec.program @spaces arena(64) device_arena(64) {
  %x = exec.feed "x" : memref<16xf32>
  %a = exec.buffer offset(0) : memref<16xf32>
  %b = exec.buffer offset(0) : memref<16xf32, #exec.space<device>>
  %t0 = exec.copy %x to %a : memref<16xf32>, memref<16xf32>
  %t1 = exec.copy %x to %b : memref<16xf32>, memref<16xf32, #exec.space<device>>
}

// -----

exec.program @beyond_device_arena arena(128) device_arena(64) {
  // expected-error@+1 {{buffer takes bytes 64 to 128 of an arena of 64}}
  %b = exec.buffer offset(64) : memref<16xf32, #exec.space<device>>
}

// -----

// Collectives are issued one after another.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @collectives {
  %a = exec.variable @a : memref<4xf32>
  %b = exec.variable @b : memref<4xf32>
  %t0 = exec.broadcast channel(0) %a : memref<4xf32>
  %t1 = exec.broadcast channel(3) %b after(%t0) : memref<4xf32>
}

// -----

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @collectives_unordered {
  %a = exec.variable @a : memref<4xf32>
  %b = exec.variable @b : memref<4xf32>
  // expected-note@+1 {{which is here}}
  %t0 = exec.broadcast channel(0) %a : memref<4xf32>
  // expected-error@+1 {{no token orders this collective after the one before it}}
  %t1 = exec.broadcast channel(1) %b : memref<4xf32>
}

// -----

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @collectives_descend {
  %a = exec.variable @a : memref<4xf32>
  %b = exec.variable @b : memref<4xf32>
  // expected-note@+1 {{which is here}}
  %t0 = exec.broadcast channel(1) %a : memref<4xf32>
  // expected-error@+1 {{has channel 0 after channel 1: expected ascending channels}}
  %t1 = exec.broadcast channel(0) %b after(%t0) : memref<4xf32>
}

// -----

// Nothing orders a background transfer and the training that goes on.

ps.variable @a : tensor<4xf32> init(#ps.constant<0.0>)
exec.program @background every(8) then(@merge) {
  %a = exec.variable @a : memref<4xf32>
  // expected-error@+1 {{works with a variable in the background of programs that may change it}}
  %t0 = exec.send rows(0, 4) %a to(@pserver_0) block("a") : memref<4xf32>
  exec.carry %t0
}

// -----

// The first node of a graph would wait for what the graph comes before.

exec.program @graph_waits_for_itself arena(16) device_arena(48) {
  %x = exec.feed "x" : memref<4xf32, #exec.space<device>>
  %a = exec.buffer offset(0) : memref<4xf32, #exec.space<device>>
  %b = exec.buffer offset(16) : memref<4xf32, #exec.space<device>>
  %c = exec.buffer offset(32) : memref<4xf32, #exec.space<device>>
  %h = exec.buffer offset(0) : memref<4xf32>
  %t0 = exec.copy %x to %a : memref<4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>>
  %t1 = exec.copy %a to %h after(%t0) : memref<4xf32, #exec.space<device>>, memref<4xf32>
  // expected-note@+1 {{which is here}}
  %t2 = exec.copy %h to %b after(%t1) : memref<4xf32>, memref<4xf32, #exec.space<device>>
  %t3 = exec.copy %b to %c after(%t2) : memref<4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>>
  // expected-error@+1 {{waits for a node after its first one}}
  exec.graph %t0, %t3
}

// -----

exec.program @node_of_two_graphs device_arena(32) {
  %x = exec.feed "x" : memref<4xf32, #exec.space<device>>
  %a = exec.buffer offset(0) : memref<4xf32, #exec.space<device>>
  %b = exec.buffer offset(16) : memref<4xf32, #exec.space<device>>
  %t0 = exec.copy %x to %a : memref<4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>>
  %t1 = exec.copy %x to %b : memref<4xf32, #exec.space<device>>, memref<4xf32, #exec.space<device>>
  exec.graph %t0, %t1
  // expected-error@+1 {{has a node of another graph}}
  exec.graph %t0, %t1
}
