// SPDX-License-Identifier: Apache-2.0
//===- ExecRowOps.td - nodes that work with rows of tables ----------------===//
//
// The rows of a step are memory of their own: the distinct ids, the values that
// were fetched for them, and their gradients. Accesses name two parts of it:
// [0, 1) ids and values, [1, 2) gradients.
//
//===----------------------------------------------------------------------===//

#ifndef EXEC_ROW_OPS_TD
#define EXEC_ROW_OPS_TD

include "dialects/ps/PSAttrs.td"

/// Ids or weights: a tensor of any shape, or a list whose length changes with
/// every batch.
def Exec_RaggedList : ConfinedType<
    MemRefRankOf<[I64, F32, F64], [1]>,
    [CPred<"::ps::exec::isOnHost(::llvm::cast<::mlir::MemRefType>($_self))">],
    "memref of rank 1 on the host">;
def Exec_List : AnyTypeOf<[Exec_HostBuffer, Exec_RaggedList]>;

def Exec_RaggedFeedOp : Exec_MemoryOp<"ragged_feed"> {
  let summary = "memory that the caller fills with a list of any length";
  let description = [{
    Made by `ps-lower-to-exec` from an argument with `ps.feed` that only pooled
    lookups use.

    ```mlir
    %ids = exec.ragged_feed "s1" : memref<?xi64>
    ```
  }];
  let arguments = (ins StrAttr:$feed, OptionalAttr<I64Attr>:$worker);
  let results = (outs Exec_RaggedList:$result);
  let assemblyFormat = [{
    $feed (`worker` `` `(` $worker^ `)`)? attr-dict `:`
    qualified(type($result))
  }];
}

def Exec_RowsOp : Exec_MemoryOp<"rows", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the rows of a table that a step works with";
  let description = [{
    Made by `ps-lower-to-exec`: from a `ps.prefetch`, for `lookups` lists of
    ids; or, with `feed`, from an argument of an optimize block, where the
    caller puts ids and gradients; or from a `ps.collect_changes`, which does.
    With `hbm`, the device has copies of the rows and works on those: see
    `#ps.hbm`.

    ```mlir
    %r = exec.rows @emb lookups(2) : !ps.rows<16 x f32>
    %g = exec.rows @emb feed("grad") : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table,
                       DefaultValuedAttr<Exec_Rows, "0">:$lookups,
                       OptionalAttr<StrAttr>:$feed, UnitAttr:$hbm);
  let results = (outs PS_RowsType:$result);
  let assemblyFormat = [{
    $table (`lookups` `` `(` $lookups^ `)`)? (`feed` `` `(` $feed^ `)`)?
    (`hbm` $hbm^)? attr-dict `:` qualified(type($result))
  }];
}

def Exec_PrefetchOp : Exec_NodeOp<"prefetch", [AttrSizedOperandSegments]> {
  let summary = "fetches the rows of the ids in some lists";
  let description = [{
    From `ps.prefetch`, which describes `from`, `paddings` and `frozen`. List k
    belongs to lookup k of the rows. Clears the gradients. `early`, from
    `ps-overlap-steps`, lets it request the rows of a step as soon as the feeds
    of that step are known, while the previous step runs; all ids are feeds.

    ```mlir
    %t = exec.prefetch %r ids(%ids : memref<8x26xi64>) from([@pserver_0]) after(%t0) : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins PS_RowsType:$rows, Variadic<Exec_List>:$ids,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$servers,
                       OptionalAttr<ArrayAttr>:$paddings, UnitAttr:$frozen,
                       UnitAttr:$early, Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    $rows `ids` `` `(` $ids `:` type($ids) `)`
    (`from` `` `(` $servers^ `)`)? (`paddings` `` `(` $paddings^ `)`)?
    (`frozen` $frozen^)? (`early` $early^)? (`after` `` `(` $after^ `)`)?
    attr-dict `:` qualified(type($rows))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether its rows may be requested before its step begins: its ids are
    /// fed, and pservers hold the rows and create new ones.
    bool mayBeginEarly();
  }];
}

/// A lookup, by its number among those of the rows.
class Exec_RowLookupOp<string opMnemonic, string preposition>
    : Exec_NodeOp<opMnemonic, [AttrSizedOperandSegments]> {
  let arguments = (ins PS_RowsType:$rows, Exec_Rows:$lookup,
                       OptionalAttr<PS_Pool>:$pool,
                       Optional<Exec_HostBuffer>:$offsets,
                       Optional<Exec_List>:$weights, Exec_Buffer:$values,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = "$rows `lookup` `` `(` $lookup `)`"
    # "(`pool` `` `(` $pool^ `)`)?"
    # "(`segments` `` `(` $offsets^ `:` type($offsets) `)`)?"
    # "(`weights` `` `(` $weights^ `:` type($weights) `)`)? `" # preposition
    # "` `` `(` $values `:` type($values) `)` (`after` `` `(` $after^ `)`)?"
    # "attr-dict `:` qualified(type($rows))";
}

def Exec_LookupOp : Exec_RowLookupOp<"lookup", "outs"> {
  let summary = "rows that were fetched, or pooled rows";
  let description = [{
    From `ps.lookup`, which describes what is written to `outs`.

    ```mlir
    %t = exec.lookup %r lookup(0) pool(sum) segments(%o : memref<8xi64>) outs(%e : memref<8x16xf32>) after(%t0) : !ps.rows<16 x f32>
    ```
  }];
}

def Exec_LookupGradientOp : Exec_RowLookupOp<"lookup_gradient", "ins"> {
  let summary = "adds the gradient of a lookup to the gradients of its rows";
  let description = [{
    From `ps.lookup_gradient`; `ins` is the gradient of the lookup's result.

    ```mlir
    %t = exec.lookup_gradient %r lookup(0) pool(sum) segments(%o : memref<8xi64>) ins(%d : memref<8x16xf32>) after(%t0) : !ps.rows<16 x f32>
    ```
  }];
}

def Exec_LookupClicksOp : Exec_RowLookupOp<"lookup_clicks", "ins"> {
  let summary = "counts how often a lookup's ids are shown and clicked";
  let description = [{
    Made by `ps-lower-to-exec` beside each `exec.lookup_gradient` of a table
    with an accessor; `ins` has for each sample whether it was clicked. Counts
    are pushed with the gradients of the rows.

    ```mlir
    %t = exec.lookup_clicks %r lookup(0) pool(sum) segments(%o : memref<8xi64>) ins(%c : memref<8x1xf32>) after(%t0) : !ps.rows<16 x f32>
    ```
  }];
}

/// One vector per sample for each of its rows: from memory, or those of a
/// lookup of another table, which are read where they are.
def Exec_Vectors {
  string format = "(`ins` `` `(` $vectors^ `:` type($vectors) `)`)?"
    # "(`of` `` `(` $vector_rows^ `lookup` `` `(` $vector_lookup `)` `:`"
    # "qualified(type($vector_rows)) `)`)?";
}

def Exec_LookupDotOp : Exec_NodeOp<"lookup_dot", [AttrSizedOperandSegments]> {
  let summary = "products of looked-up rows with a vector of their sample";
  let description = [{
    Made by `ps-fuse-rows` from an `exec.lookup` and the `exec.gemm` that
    multiplies its result. Every sample has as many ids; `outs` gets for each id
    the product of its row with the sample's vector. Rows are read where they
    are. `of` takes the vectors, too, from a lookup.

    ```mlir
    %t = exec.lookup_dot %r lookup(0) ins(%v : memref<8x16xf32>) outs(%d : memref<8x6xf32>) after(%t0) : !ps.rows<16 x f32>
    %t1 = exec.lookup_dot %r lookup(0) of(%c lookup(0) : !ps.rows<16 x f32>) outs(%d : memref<8x6xf32>) after(%t0) : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins PS_RowsType:$rows, Exec_Rows:$lookup,
                       Optional<Exec_HostBuffer>:$vectors,
                       Optional<PS_RowsType>:$vector_rows,
                       DefaultValuedAttr<Exec_Rows, "0">:$vector_lookup,
                       Exec_HostBuffer:$dots, Variadic<PS_TokenType>:$after);
  let assemblyFormat = !strconcat(
    "$rows `lookup` `` `(` $lookup `)`", Exec_Vectors.format,
    "`outs` `` `(` $dots `:` type($dots) `)` (`after` `` `(` $after^ `)`)?",
    "attr-dict `:` qualified(type($rows))");
  let hasVerifier = 1;
}

def Exec_LookupUpdateOp : Exec_NodeOp<"lookup_update", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "adds a lookup's gradient and updates each row right away";
  let description = [{
    Made by `ps-fuse-rows` from an `exec.lookup_gradient` and the
    `exec.update_rows` of the rows, for a table of this process: row by row, the
    gradient is computed and used while it is in cache, and kept nowhere. `of`
    takes the gradient's vectors from a lookup of another table.

    ```mlir
    %t = exec.lookup_update %r lookup(0) pool(sum) segments(%o : memref<8xi64>) weights(%w : memref<8x6xf32>) ins(%v : memref<8x16xf32>) rate(%x : memref<f32>) with(@emb.update_row) after(%t0) : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins PS_RowsType:$rows, Exec_Rows:$lookup,
                       OptionalAttr<PS_Pool>:$pool,
                       Optional<Exec_HostBuffer>:$offsets,
                       Optional<Exec_List>:$weights,
                       Optional<Exec_HostBuffer>:$vectors,
                       Optional<PS_RowsType>:$vector_rows,
                       DefaultValuedAttr<Exec_Rows, "0">:$vector_lookup,
                       Optional<Exec_HostBuffer>:$rate,
                       FlatSymbolRefAttr:$function,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = !strconcat(
    "$rows `lookup` `` `(` $lookup `)` (`pool` `` `(` $pool^ `)`)?",
    "(`segments` `` `(` $offsets^ `:` type($offsets) `)`)?",
    "(`weights` `` `(` $weights^ `:` type($weights) `)`)?", Exec_Vectors.format,
    "(`rate` `` `(` $rate^ `:` type($rate) `)`)? `with` `` `(` $function `)`",
    "(`after` `` `(` $after^ `)`)? attr-dict `:` qualified(type($rows))");
  let hasVerifier = 1;
}

def Exec_PushRowsOp : Exec_NodeOp<"push_rows", [Exec_InExchange]> {
  let summary = "pushes the gradients of the rows to the pservers";
  let description = [{
    From `ps.push_rows`, shard by shard in the order of `to`. Done when every
    pserver has them.

    ```mlir
    %t = exec.push_rows %r to([@pserver_0]) after(%t0) : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins PS_RowsType:$rows, FlatSymbolRefArrayAttr:$servers,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    $rows `to` `` `(` $servers `)` (`after` `` `(` $after^ `)`)? attr-dict
    `:` qualified(type($rows))
  }];
}

def Exec_UpdateRowsOp : Exec_NodeOp<"update_rows", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "updates each row in the table from its gradient";
  let description = [{
    From `ps.update_rows`. `function` is the exec program, `row_of` the rows'
    table, that updates one row: it is fed "grad", the row's gradient, and
    `rate` under that name.

    ```mlir
    %t = exec.update_rows %r rate(%x : memref<f32>) with(@emb.update_row) after(%t0) : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins PS_RowsType:$rows, Optional<Exec_HostBuffer>:$rate,
                       FlatSymbolRefAttr:$function,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    $rows (`rate` `` `(` $rate^ `:` type($rate) `)`)? `with` `` `(` $function
    `)` (`after` `` `(` $after^ `)`)? attr-dict `:` qualified(type($rows))
  }];
}

def Exec_CollectChangesOp : Exec_NodeOp<"collect_changes"> {
  let summary = "what a trainer has changed in the rows of a table";
  let description = [{
    From `ps.collect_changes`: ids and, as gradients, differences.

    ```mlir
    %t = exec.collect_changes %r parts(%p : memref<f32>) after(%t0) : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins PS_RowsType:$rows, Exec_HostBuffer:$parts,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    $rows `parts` `` `(` $parts `:` type($parts) `)`
    (`after` `` `(` $after^ `)`)? attr-dict `:` qualified(type($rows))
  }];
}

def Exec_PullChangesOp : Exec_NodeOp<"pull_changes", [Exec_InExchange]> {
  let summary = "pulls the rows that other trainers have changed";
  let description = [{
    From `ps.pull_changes`. They stay beside the table, where nothing but
    `exec.merge_changes` touches them.

    ```mlir
    %t = exec.pull_changes @emb from([@pserver_0]) after(%t0)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table,
                       FlatSymbolRefArrayAttr:$servers,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    $table `from` `` `(` $servers `)` (`after` `` `(` $after^ `)`)? attr-dict
  }];
}

def Exec_MergeChangesOp : Exec_NodeOp<"merge_changes"> {
  let summary = "merges pulled rows with those of the trainer";
  let description = [{
    From `ps.merge_changes`.

    ```mlir
    %t = exec.merge_changes @emb after(%t0)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = "$table (`after` `` `(` $after^ `)`)? attr-dict";
}

#endif // EXEC_ROW_OPS_TD
