// SPDX-License-Identifier: Apache-2.0
//===- PSTableOps.td - ops on tables of rows ------------------------------===//
//
// A table is a parameter of which a step touches few rows, named by ids. Its
// gradient is a !ps.rows: ids and values, never a dense tensor.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TABLE_OPS_TD
#define PS_TABLE_OPS_TD

include "dialects/ps/PSAttrs.td"
include "dialects/ps/PSTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// What rows hold.
defvar PS_rowFloats = [F32, F64];
/// Ids, of any number and shape.
def PS_Ids : RankedTensorOf<[I64]>;
/// The ids or weights of all bags, concatenated.
def PS_Offsets : 1DTensorOf<[I64]>;
def PS_Weights : 1DTensorOf<PS_rowFloats>;
def PS_TableScalar : 0DTensorOf<PS_rowFloats>;

def PS_TableOp : PS_Op<"table", [
    Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "declares a parameter whose rows are named by ids";
  let description = [{
    Written by users, or by `ps-recover-tables` for a variable that is only
    gathered from. Any i64 is an id. Dimension 0 of the type is the capacity:
    the most rows that all pservers together may hold; dimension 1 is the width
    of a row. A row is created when training first looks up its id; its initial
    value depends only on the table's name and the id.

    `ps-partition` gives each pserver a table that holds the ids of its
    `shard`, and leaves the declaration in the trainer, which holds no rows.
    `partition` selects the function that maps an id to a shard: a 64-bit hash
    of the id (`mix`), or the id itself as an unsigned number (`modulo`), modulo
    the number of shards.

    `learning_rate_scale`, `trainable`, `clip` and `regularize` mean the same
    as for `ps.variable`.

    An id is admitted, that is, gets a row, in the `admit_count`-th step that
    looks it up, or, with `admit_probability`, if it belongs to that share of
    all ids; until then it reads as zeros and is not trained. Every
    `evict_every` steps, rows are evicted that no step has looked up for more
    than `evict_age` steps, or that the `accessor` scores too low by their
    shows and clicks. When a table is full, `evict_lru` evicts the least
    recently used rows; without it a full table is an error. An id whose row
    was evicted is admitted and initialized like a new one.

    With `cache_rows`, each trainer of a job caches at most that many rows,
    those that no other trainer uses: it updates them as the pservers would,
    and they are no longer transferred in every step. Results stay the same.
    Ignored in a single process.

    `wire` selects how rows of f32 travel when a job trains, those that a step
    looks up and their gradients: as `f32`, as `bf16` or `f16`, rounded to
    the nearest, or as `int8` with one scale per row, max(abs(row)) / 127. Trainers
    and pservers compute in f32; evaluation and saving read rows with all bits.
    Ignored in a single process.

    With `tiers`, rows that were used lately are in memory and the others on an
    SSD, from where a step brings those that it looks up. Where a row is does
    not change results.

    A `recovered` table was a variable before `ps-recover-tables`: evaluation
    reads rows that no step has looked up as their initial values, and it is
    saved as the variable would be.

    Removed by the caller of `ps-lower-to-exec`, the loader, which creates a
    `runtime::Table` from it.

    ```mlir
    ps.table @emb : tensor<1000001x16xf32> init(#ps.uniform<min = -0.1, max = 0.1>) partition(modulo) {learning_rate_scale = 2.0 : f64}
    ps.table @words : tensor<30000x64xf32> init(#ps.normal<mean = 0.0, stddev = 0.1>) wire(int8)
    ps.table @users : tensor<1000000000x16xf32> init(#ps.constant<0.0>) tiers([#ps.mem<rows = 10000000>, #ps.ssd<"/mnt/nvme/rows">])
    ps.table @clicked : tensor<1000000x9xf32> init(#ps.constant<0.0>) {accessor = #ps.ctr<click = "label">, admit_count = 10 : i64, evict_every = 10000 : i64}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<2DTensorOf<PS_rowFloats>>:$type,
    PS_InitializerAttrInterface:$init,
    DefaultValuedAttr<PS_IdPartition, "::ps::IdPartition::Mix">:$partition,
    OptionalAttr<PS_ShardAttr>:$shard,
    OptionalAttr<PS_RowWire>:$wire,
    OptionalAttr<ArrayAttr>:$tiers,
    OptionalAttr<F64Attr>:$learning_rate_scale,
    DefaultValuedAttr<BoolAttr, "true">:$trainable,
    OptionalAttr<PS_ClipAttrInterface>:$clip,
    OptionalAttr<PS_RegularizerAttrInterface>:$regularize,
    OptionalAttr<I64Attr>:$admit_count,
    OptionalAttr<F64Attr>:$admit_probability,
    OptionalAttr<I64Attr>:$evict_age,
    OptionalAttr<I64Attr>:$evict_every,
    UnitAttr:$evict_lru,
    OptionalAttr<I64Attr>:$cache_rows,
    OptionalAttr<PS_CtrAttr>:$accessor,
    UnitAttr:$recovered);
  let assemblyFormat = [{
    $sym_name `:` $type `init` `` `(` $init `)`
    (`partition` `` `(` $partition^ `)`)?
    (`shard` `` `(` qualified($shard)^ `)`)? (`wire` `` `(` $wire^ `)`)?
    (`tiers` `` `(` $tiers^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getType());
    }
    /// The type of one row: tensor<16xf32>.
    ::mlir::RankedTensorType getRowType();
    /// What a step works with: !ps.rows<16 x f32>.
    ::ps::RowsType getRowsType();
    /// The learning-rate factor, 1 where none is given.
    double getLearningRateFactor() {
      auto scale = getLearningRateScaleAttr();
      return scale ? scale.getValueAsDouble() : 1.0;
    }
    /// Each tier of a table that has it.
    ::ps::HbmAttr getHbmTier();
    ::ps::MemAttr getMemoryTier();
    ::ps::SsdAttr getSsdTier();
  }];
}

//===----------------------------------------------------------------------===//
// Lookups and their gradients
//===----------------------------------------------------------------------===//

/// How ps.lookup and ps.lookup_gradient name rows. With `pool`, `ids` is the
/// concatenation of the samples' bags, and `offsets` has the start of each bag.
defvar PS_LookupArguments = (ins
  FlatSymbolRefAttr:$table, PS_Ids:$ids, Optional<PS_Offsets>:$offsets,
  Optional<PS_Weights>:$weights, Optional<PS_RowsType>:$rows,
  OptionalAttr<PS_Pool>:$pool, OptionalAttr<I64Attr>:$padding_idx);

def PS_LookupOp : PS_Op<"lookup", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "rows of a table, or pooled rows";
  let description = [{
    Written by users. Without `pool`, each id is replaced by its row, in a
    dimension after those of the ids. With `pool`, each sample has a bag of ids:
    bag i begins at `offsets[i]` and ends where the next one begins, the last
    one at the end of the ids. The result has one row per bag, computed from
    the weights w of its ids (1 by default) and their rows e:

    * `sum`: sum(w e)
    * `mean`: sum(w e) / sum(w)
    * `sqrtn`: sum(w e) / sqrt(sum(w^2))

    It is zeros where the divisor is 0, as for an empty bag. The ids and weights
    of a pooled lookup are arguments of the function, whose `?` is not the
    batch size: their length changes with every batch, and only ops of this
    dialect may use them.

    The id `padding_idx` has no row: it reads as zeros, is left out of pooling,
    and is not trained.

    `ps-fuse-lookups` adds `in`: the rows of all lookups of the step.
    Removed by `ps-lower-to-exec`.

    ```mlir
    %e = ps.lookup @emb[%ids] : (tensor<?x26xi64>) -> tensor<?x26x16xf32>
    %p = ps.lookup @emb[%bag] segments(%offsets) pool(mean) weights(%w) in(%rows) {padding_idx = 0 : i64} : (tensor<?xi64>, tensor<?xi64>, tensor<?xf32>, !ps.rows<16 x f32>) -> tensor<?x16xf32>
    ```
  }];
  let arguments = PS_LookupArguments;
  let results = (outs RankedTensorOf<PS_rowFloats>:$result);
  let assemblyFormat = [{
    $table `[` $ids `]` (`segments` `` `(` $offsets^ `)`)?
    (`pool` `` `(` $pool^ `)`)? (`weights` `` `(` $weights^ `)`)?
    (`in` `` `(` $rows^ `)`)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def PS_LookupGradientOp : PS_Op<"lookup_gradient", [
    AttrSizedOperandSegments, Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the gradient of a table from the gradient of a lookup";
  let description = [{
    Made by `ps-differentiate`, one per `ps.lookup` that the loss depends on,
    with the same arguments; importers of graphs that contain gradients may
    write it. Gradients of equal ids are summed. Removed by `ps-lower-to-exec`.

    ```mlir
    %g = ps.lookup_gradient @emb[%ids], %de : (tensor<?x26xi64>, tensor<?x26x16xf32>) -> !ps.rows<16 x f32>
    ```
  }];
  let arguments = !con(PS_LookupArguments,
                       (ins RankedTensorOf<PS_rowFloats>:$gradient));
  let results = (outs PS_RowsType:$result);
  let assemblyFormat = [{
    $table `[` $ids `]` (`segments` `` `(` $offsets^ `)`)?
    (`pool` `` `(` $pool^ `)`)? (`weights` `` `(` $weights^ `)`)?
    (`in` `` `(` $rows^ `)`)? `,` $gradient attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def PS_MergeRowsOp : PS_Op<"merge_rows", [Pure, SameOperandsAndResultType]> {
  let summary = "the sum of several gradients of a table";
  let description = [{
    Made by `ps-differentiate` where a table is looked up several times. Rows
    of equal ids are summed. Removed by `ps-lower-to-exec`.

    ```mlir
    %g = ps.merge_rows %g0, %g1 : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins Variadic<PS_RowsType>:$gradients);
  let results = (outs PS_RowsType:$result);
  let assemblyFormat = "$gradients attr-dict `:` qualified(type($result))";
}

def PS_ApplyRowsOp : PS_Op<"apply_rows", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "one optimizer step of some rows of a table";
  let description = [{
    The counterpart of `ps.apply` for tables: made by `ps-differentiate` or
    written by users. `ps-partition` moves it into the `ps.optimize_block` of
    each shard and leaves a `ps.push_rows` in its place; `ps-expand-optimizers`
    turns it into a `ps.update_rows`. For a table with `cache_rows`, the trainer
    also keeps one, which updates its cached rows with the gradients that its
    `ps.push_rows` pushes. Rows whose ids have no gradient keep their values
    and optimizer state.

    ```mlir
    ps.apply_rows @emb, %g rate(%rate : tensor<f32>) using(#ps.adagrad<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table,
                       PS_RowsType:$gradient,
                       Optional<PS_Scalar>:$rate,
                       PS_OptimizerAttrInterface:$optimizer,
                       OptionalAttr<PS_ClipAttrInterface>:$clip,
                       OptionalAttr<PS_RegularizerAttrInterface>:$regularize);
  let assemblyFormat = [{
    $table `,` $gradient (`rate` `` `(` $rate^ `:` type($rate) `)`)?
    `using` `` `(` $optimizer `)` (`clip` `` `(` $clip^ `)`)?
    (`regularize` `` `(` $regularize^ `)`)? attr-dict `:`
    qualified(type($gradient))
  }];
  let hasVerifier = 1;
}

def PS_UpdateRowsOp : PS_Op<"update_rows", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "runs a function for each row of a gradient";
  let description = [{
    Made by `ps-expand-optimizers` from `ps.apply_rows`; becomes
    `exec.update_rows`. `function` carries `ps.row_of`: it reads and assigns
    the row and its slots under the names of the table and of the variables
    that are `slot_of` it, and is fed "grad", the row's gradient, and "rate".

    ```mlir
    ps.update_rows @emb, %g rate(%rate : tensor<f32>) with(@emb.update_row) : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table, PS_RowsType:$gradient,
                       Optional<PS_Scalar>:$rate,
                       FlatSymbolRefAttr:$function);
  let assemblyFormat = [{
    $table `,` $gradient (`rate` `` `(` $rate^ `:` type($rate) `)`)?
    `with` `` `(` $function `)` attr-dict `:` qualified(type($gradient))
  }];
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

def PS_PrefetchOp : PS_Op<"prefetch", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "fetches the rows of all lookups of a step";
  let description = [{
    Made by `ps-fuse-lookups`, one per table and function, as early as the ids
    allow; becomes `exec.prefetch`. Each distinct id is fetched once, padding
    never. `ps-partition` adds `from`, the pservers in the order of their
    shards; without it this process holds the table. `paddings` has the
    `padding_idx` of each of the `ids`, or unit. With `frozen`, added by
    `ps-extract-forward`, unknown ids read as zeros and no rows are created.

    ```mlir
    %r = ps.prefetch @emb[%ids0, %ids1] from([@pserver_0, @pserver_1]) : (tensor<8x26xi64>, tensor<?xi64>) -> !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table, Variadic<PS_Ids>:$ids,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$servers,
                       OptionalAttr<ArrayAttr>:$paddings, UnitAttr:$frozen);
  let results = (outs PS_RowsType:$rows);
  let assemblyFormat = [{
    $table `[` $ids `]` (`from` `` `(` $servers^ `)`)?
    (`paddings` `` `(` $paddings^ `)`)? (`frozen` $frozen^)? attr-dict `:`
    functional-type($ids, $rows)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The index of the list of `ids` with `padding` (null for none), or the
    /// number of lists if there is no such list.
    unsigned findList(::mlir::Value ids, ::mlir::IntegerAttr padding);
    /// Drops the lists whose indices are set in `erased`.
    void eraseLists(const ::llvm::BitVector &erased);
  }];
}

def PS_PushRowsOp : PS_Op<"push_rows", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "pushes the gradient of some rows to the pservers";
  let description = [{
    Made by `ps-partition` from `ps.apply_rows`; becomes `exec.push_rows`. Each
    row goes to the shard that holds its id; `to` lists the pservers in the
    order of their shards.

    ```mlir
    %t = ps.push_rows @emb, %g to([@pserver_0, @pserver_1]) : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table, PS_RowsType:$gradient,
                       FlatSymbolRefArrayAttr:$servers);
  let results = (outs PS_TokenType:$done);
  let assemblyFormat = [{
    $table `,` $gradient `to` `` `(` $servers `)` attr-dict `:`
    qualified(type($gradient))
  }];
}

//===----------------------------------------------------------------------===//
// Rows that trainers hold and exchange
//===----------------------------------------------------------------------===//

def PS_CollectChangesOp : PS_Op<"collect_changes", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "what a trainer has changed in the rows of a table";
  let description = [{
    Made by `ps-partition` in mode geo, where each trainer holds the rows x of
    the table, and beside each the value y that pservers have of it, as far as
    the trainer knows. The result holds a row (y - x) / `parts` for each id
    that a `ps.apply_rows` of this trainer has updated since the op ran last;
    with `parts` of 1, for each id of which x and y differ. It is subtracted from
    y: as soon as the pservers have subtracted it, too, they have y. Becomes
    `exec.collect_changes`.

    ```mlir
    %d = ps.collect_changes @emb parts(%parts : tensor<f32>) : !ps.rows<16 x f32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table, PS_TableScalar:$parts);
  let results = (outs PS_RowsType:$rows);
  let assemblyFormat = [{
    $table `parts` `` `(` $parts `:` type($parts) `)` attr-dict `:`
    qualified(type($rows))
  }];
}

def PS_PullChangesOp : PS_Op<"pull_changes", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "pulls the rows that other trainers have changed";
  let description = [{
    Made by `ps-partition` in mode geo: brings the rows z of a table that
    anybody else has changed on the pservers since this trainer's last pull,
    all rows if it is the first. They stay beside the table until
    `ps.merge_changes` merges them. `from` lists the pservers in the order of
    their shards. Becomes `exec.pull_changes`.

    ```mlir
    %t = ps.pull_changes @emb from([@pserver_0, @pserver_1]) after(%pushed)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table,
                       FlatSymbolRefArrayAttr:$servers,
                       Variadic<PS_TokenType>:$after);
  let results = (outs PS_TokenType:$done);
  let assemblyFormat = [{
    $table `from` `` `(` $servers `)` (`after` `` `(` $after^ `)`)? attr-dict
  }];
}

def PS_MergeChangesOp : PS_Op<"merge_changes", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "merges pulled rows with those of the trainer";
  let description = [{
    Made by `ps-partition` in mode geo: for each row z that
    `ps.pull_changes` has brought, x = x + (z - y) and y = z. So a row keeps
    what this trainer has learned and not pushed yet, and gets what the others
    have. Becomes `exec.merge_changes`.

    ```mlir
    ps.merge_changes @emb after(%pulled)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = "$table (`after` `` `(` $after^ `)`)? attr-dict";
}

#endif // PS_TABLE_OPS_TD
