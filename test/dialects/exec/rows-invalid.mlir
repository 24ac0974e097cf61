// RUN: ps-opt %s --split-input-file --verify-diagnostics

exec.program @p {
  // expected-error@+1 {{refers to unknown table '@emb'}}
  %r = exec.rows @emb : !ps.rows<16 x f32>
}

// -----

ps.table @emb : tensor<100x16xf32> init(#ps.constant<0.0>)
exec.program @p {
  // expected-error@+1 {{has type '!ps.rows<8 x f32>', but table '@emb' needs '!ps.rows<16 x f32>'}}
  %r = exec.rows @emb : !ps.rows<8 x f32>
}

// -----

// A row is memory of the program that updates one, of that table only.

ps.table @emb : tensor<100x16xf32> init(#ps.constant<0.0>)
exec.program @p {
  // expected-error@+1 {{refers to unknown variable '@emb'}}
  %r = exec.variable @emb : memref<16xf32>
}

// -----

ps.table @emb : tensor<100x16xf32> init(#ps.constant<0.0>)
ps.table @other : tensor<100x16xf32> init(#ps.constant<0.0>)
exec.program @p row_of(@other) {
  // expected-error@+1 {{refers to unknown variable '@emb'}}
  %r = exec.variable @emb : memref<16xf32>
}

// -----

ps.table @emb : tensor<100x16xf32> init(#ps.constant<0.0>)
exec.program @p row_of(@emb) {
  // expected-error@+1 {{has type 'memref<8xf32>', but variable '@emb' needs 'memref<16xf32>'}}
  %r = exec.variable @emb : memref<8xf32>
}

// -----

ps.table @emb : tensor<100x16xf32> init(#ps.constant<0.0>)
exec.program @p {
  %r = exec.rows @emb : !ps.rows<16 x f32>
  // expected-error@+1 {{expects '@nothing' to be a program that updates a row of the rows' table}}
  %t = exec.update_rows %r with(@nothing) : !ps.rows<16 x f32>
}

// -----

ps.table @emb : tensor<100x16xf32> init(#ps.constant<0.0>)
ps.table @other : tensor<100x16xf32> init(#ps.constant<0.0>)
exec.program @p {
  %r = exec.rows @emb : !ps.rows<16 x f32>
  // expected-error@+1 {{expects '@q' to be a program that updates a row of the rows' table}}
  %t = exec.update_rows %r with(@q) : !ps.rows<16 x f32>
}
exec.program @q row_of(@other) {
}

// -----

ps.table @emb : tensor<8x4xf32> init(#ps.constant<0.0>)
exec.program @early {
  %ids = exec.buffer : memref<4xi64>
  %r = exec.rows @emb lookups(1) : !ps.rows<4 x f32>
  // expected-error@+1 {{cannot begin early: expected rows of pservers that are not frozen, for ids that are feeds}}
  %t = exec.prefetch %r ids(%ids : memref<4xi64>) from([@pserver_0]) early : !ps.rows<4 x f32>
}

// -----

ps.table @emb : tensor<8x4xf32> init(#ps.constant<0.0>)
exec.program @vectors {
  %r = exec.rows @emb lookups(1) : !ps.rows<4 x f32>
  %d = exec.buffer : memref<2x3xf32>
  // expected-error@+1 {{expects vectors from either ins(..) or of(..)}}
  %t = exec.lookup_dot %r lookup(0) outs(%d : memref<2x3xf32>) : !ps.rows<4 x f32>
}

// -----

ps.table @emb : tensor<8x4xf32> init(#ps.constant<0.0>)
exec.program @same {
  %r = exec.rows @emb lookups(2) : !ps.rows<4 x f32>
  %d = exec.buffer : memref<2x3xf32>
  // expected-error@+1 {{expects vectors of another table than '@emb'}}
  %t = exec.lookup_dot %r lookup(0) of(%r lookup(1) : !ps.rows<4 x f32>) outs(%d : memref<2x3xf32>) : !ps.rows<4 x f32>
}

// -----

ps.table @emb : tensor<8x4xf32> init(#ps.constant<0.0>)
ps.table @other : tensor<8x3xf32> init(#ps.constant<0.0>)
exec.program @width {
  %r = exec.rows @emb lookups(1) : !ps.rows<4 x f32>
  %c = exec.rows @other lookups(1) : !ps.rows<3 x f32>
  // expected-error@+1 {{expects vectors of the rows' type '!ps.rows<4 x f32>', found '!ps.rows<3 x f32>'}}
  %t = exec.lookup_update %r lookup(0) of(%c lookup(0) : !ps.rows<3 x f32>) with(@q) : !ps.rows<4 x f32>
}

// -----

ps.table @emb : tensor<8x4xf64> init(#ps.constant<0.0>)
exec.program @f64 {
  %r = exec.rows @emb lookups(1) : !ps.rows<4 x f64>
  %v = exec.buffer : memref<2x4xf64>
  %d = exec.buffer : memref<2x3xf64>
  // expected-error@+1 {{expects rows and products of f32}}
  %t = exec.lookup_dot %r lookup(0) ins(%v : memref<2x4xf64>) outs(%d : memref<2x3xf64>) : !ps.rows<4 x f64>
}

// -----

ps.table @emb : tensor<8x4xf32> init(#ps.constant<0.0>)
exec.program @products {
  %r = exec.rows @emb lookups(1) : !ps.rows<4 x f32>
  %v = exec.buffer : memref<2x4xf32>
  %d = exec.buffer : memref<3xf32>
  // expected-error@+1 {{expects vectors of 4 x f32 with as many products each, found 'memref<2x4xf32>' for 'memref<3xf32>'}}
  %t = exec.lookup_dot %r lookup(0) ins(%v : memref<2x4xf32>) outs(%d : memref<3xf32>) : !ps.rows<4 x f32>
}

// -----

ps.table @emb : tensor<8x4xf32> init(#ps.constant<0.0>)
exec.program @update {
  %r = exec.rows @emb lookups(1) : !ps.rows<4 x f32>
  %v = exec.buffer : memref<2x4xf32>
  // expected-error@+1 {{expects '@nothing' to be a program that updates a row of the rows' table}}
  %t = exec.lookup_update %r lookup(0) ins(%v : memref<2x4xf32>) with(@nothing) : !ps.rows<4 x f32>
}
