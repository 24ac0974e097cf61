// SPDX-License-Identifier: Apache-2.0
//===- PSOps.td - ops of the ps dialect -----------------------------------===//

#ifndef PS_OPS_TD
#define PS_OPS_TD

include "dialects/ps/PSAttrs.td"
include "dialects/ps/PSTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// The element types of parameters: the floats the compiler computes with.
defvar PS_floats = [BF16, F16, F32, F64];

/// Learning rates and norms: f64 for f64 variables, else f32.
def PS_Scalar : 0DTensorOf<[F32, F64]>;

class PS_Op<string opMnemonic, list<Trait> traits = []>
    : Op<PS_Dialect, opMnemonic, traits>;

include "dialects/ps/PSTableOps.td"

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

def PS_VariableOp : PS_Op<"variable", [
    Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "declares a parameter";
  let description = [{
    A tensor of static shape that outlives the step. Written by users (or by
    importers); `ps-place-variables` adds `placements`; `ps-partition` replaces
    a placed variable by one variable per block in the pserver programs, which
    carry `slice`, and by the trainer's local copy.

    `learning_rate_scale` multiplies the optimizer's learning rate.
    A variable with `trainable = false` gets no gradient; only such a variable
    may hold integers (i32, i64 or ui32: step counts, keys of random numbers).
    `clip` and `regularize` override those of `ps.minimize`.
    `server = 1` pins all blocks to that pserver; `sync = all_reduce` keeps
    the variable with the trainers, which exchange its gradient among themselves.
    `slot_of` names the variable whose optimizer state this one is (made by
    `ps-expand-optimizers`); `optimizer_state` marks state that belongs to no
    variable because only tables need it: the step count that their learning
    rates follow. `transient` marks what only the exchange of a step works with,
    such as gradients that wait for a norm: `ps-partition` makes it as such
    state, `ps-expand-optimizers` takes it for no optimizer's slot, and `ps-run`
    does not save it. `reason` explains why a block is on its pserver (made by
    `ps-partition`).

    ```mlir
    ps.variable @fc_b : tensor<400xf32> init(#ps.constant<0.0>) {learning_rate_scale = 2.0 : f64}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<StaticShapeTensorOf<
      !listconcat(PS_floats, [I32, I64, UI32])>>:$type,
    PS_InitializerAttrInterface:$init,
    OptionalAttr<F64Attr>:$learning_rate_scale,
    DefaultValuedAttr<BoolAttr, "true">:$trainable,
    OptionalAttr<PS_ClipAttrInterface>:$clip,
    OptionalAttr<PS_RegularizerAttrInterface>:$regularize,
    DefaultValuedAttr<PS_Sync, "::ps::Sync::PServer">:$sync,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$server,
    OptionalAttr<StrAttr>:$reason,
    OptionalAttr<PS_PlacementArrayAttr>:$placements,
    OptionalAttr<PS_SliceAttr>:$slice,
    OptionalAttr<FlatSymbolRefAttr>:$slot_of,
    UnitAttr:$optimizer_state,
    UnitAttr:$transient);
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::RankedTensorType":$type,
                   "::ps::InitializerAttrInterface":$init), [{
      auto &properties = $_state.getOrAddProperties<Properties>();
      properties.sym_name = $_builder.getStringAttr(name);
      properties.type = ::mlir::TypeAttr::get(type);
      properties.init = init;
    }]>,
    /// Optimizer state of the variable `slotOf`, or of no variable if null.
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::RankedTensorType":$type,
                   "double":$initialValue, "::mlir::StringAttr":$slotOf), [{
      build($_builder, $_state, name, type,
            ConstantInitAttr::get($_builder.getContext(),
                                  ::llvm::APFloat(initialValue)));
      auto &properties = $_state.getOrAddProperties<Properties>();
      properties.trainable = $_builder.getBoolAttr(false);
      if (slotOf)
        properties.slot_of = ::mlir::FlatSymbolRefAttr::get(slotOf);
      else
        properties.optimizer_state = $_builder.getUnitAttr();
    }]>];
  let assemblyFormat = [{
    $sym_name `:` $type `init` `` `(` $init `)`
    (`placed` $placements^)? (`slice` `` `(` qualified($slice)^ `)`)?
    (`slot_of` `` `(` $slot_of^ `)`)? `` custom<VariableAttrs>(attr-dict)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getType());
    }
    /// The learning-rate factor, 1 where none is given.
    double getLearningRateFactor() {
      auto scale = getLearningRateScaleAttr();
      return scale ? scale.getValueAsDouble() : 1.0;
    }
    /// Whether it is not part of the model.
    bool isOptimizerState() { return getSlotOf() || getOptimizerState(); }
    /// The type of the whole variable that this one is a slice of, or its own.
    ::mlir::RankedTensorType getWholeType();
  }];
}

def PS_ReadOp : PS_Op<"read", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the value of a variable at this point";
  let description = [{
    Written by users; removed by `ps-lower-to-exec`.

    ```mlir
    %w = ps.read @fc_w : tensor<247x400xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}

def PS_AssignOp : PS_Op<"assign", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "gives a variable a new value";
  let description = [{
    Written by users, and by `ps-expand-optimizers` for each updated variable
    and slot; removed by `ps-lower-to-exec`. Reads before it in program order
    see the old value.

    ```mlir
    ps.assign @fc_w, %new : tensor<247x400xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable,
                       AnyStaticShapeTensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

def PS_MinimizeOp : PS_Op<"minimize", [
    HasParent<"::mlir::func::FuncOp">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "trains every trainable variable that the loss depends on";
  let description = [{
    Written by users, at most once in a function; removed by
    `ps-differentiate`, which emits the backward pass and one `ps.apply` per
    variable. The loss is a scalar float. Merged gradients are clipped, then
    regularized, with the clip and regularizer of the variable if it has them,
    otherwise with those given here.

    Only the ops in the text are differentiated. Text that JAX prints contains
    neither `stop_gradient` nor the custom derivatives of its source: in such
    cases export the gradients for `ps.apply`, or add `ps.stop_gradient`.

    ```mlir
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) clip(#ps.clip_by_global_norm<1.0>) regularize(#ps.l2_decay<1e-4>) : tensor<f32>
    ```
  }];
  let arguments = (ins 0DTensorOf<PS_floats>:$loss,
                       PS_OptimizerAttrInterface:$optimizer,
                       OptionalAttr<PS_ClipAttrInterface>:$clip,
                       OptionalAttr<PS_RegularizerAttrInterface>:$regularize);
  let assemblyFormat = [{
    $loss `using` `` `(` $optimizer `)` (`clip` `` `(` $clip^ `)`)?
    (`regularize` `` `(` $regularize^ `)`)? attr-dict `:` type($loss)
  }];
  let hasVerifier = 1;
}

def PS_StopGradientOp : PS_Op<"stop_gradient", [
    Pure, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<PS_DifferentiableOpInterface>]> {
  let summary = "a value through which no gradient flows";
  let description = [{
    Returns `operand`, which gets no gradient through this op, like
    `jax.lax.stop_gradient` and PyTorch's `detach`. Text that JAX prints does
    not contain `stop_gradient`; where a graph that `ps.minimize` trains needs
    it, add this op by hand.

    Written by users and exporters, and by `ps-recover-tables` for ids out of
    range. `ps-differentiate` removes it, also in functions without
    `ps.minimize`.

    ```mlir
    %target = ps.stop_gradient %prediction : tensor<?x1xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$operand);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
  let hasFolder = 1;
}

def PS_ApplyOp : PS_Op<"apply", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "one optimizer step of one variable";
  let description = [{
    Made by `ps-differentiate` or written by users for gradients of
    their own. `ps-partition` moves it into the `ps.optimize_block` of each
    block of the variable; `ps-expand-optimizers` turns it into StableHLO
    and `ps.assign`. The gradient is clipped, then regularized, then applied.

    `rate` is the learning rate of the optimizer's schedule in this step, and
    `norm` the global norm that the clip needs, if another part of the program
    computes them; otherwise `ps-expand-optimizers` emits their computation. In
    a `ps.optimize_block`, which sees only one gradient, they are required.

    ```mlir
    ps.apply @fc_w, %grad rate(%rate : tensor<f32>) norm(%norm : tensor<f32>) using(#ps.sgd<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>>) clip(#ps.clip_by_global_norm<1.0>) regularize(#ps.l2_decay<1e-4>) : tensor<247x400xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable,
                       AnyStaticShapeTensor:$gradient,
                       Optional<PS_Scalar>:$rate,
                       Optional<PS_Scalar>:$norm,
                       PS_OptimizerAttrInterface:$optimizer,
                       OptionalAttr<PS_ClipAttrInterface>:$clip,
                       OptionalAttr<PS_RegularizerAttrInterface>:$regularize);
  let assemblyFormat = [{
    $variable `,` $gradient (`rate` `` `(` $rate^ `:` type($rate) `)`)?
    (`norm` `` `(` $norm^ `:` type($norm) `)`)? `using` `` `(` $optimizer `)`
    (`clip` `` `(` $clip^ `)`)? (`regularize` `` `(` $regularize^ `)`)?
    attr-dict `:` type($gradient)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::FlatSymbolRefAttr":$variable,
                   "::mlir::Value":$gradient,
                   "::ps::OptimizerAttrInterface":$optimizer,
                   CArg<"::ps::ClipAttrInterface", "{}">:$clip,
                   CArg<"::ps::RegularizerAttrInterface", "{}">:$regularize), [{
      build($_builder, $_state, variable, gradient, /*rate=*/{}, /*norm=*/{},
            optimizer, clip, regularize);
    }]>];
  let hasVerifier = 1;
}

def PS_MetricOp : PS_Op<"metric", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a number measured over many batches";
  let description = [{
    Written by users; becomes `exec.metric`. A run reports the number under
    `name` like a fetched value: in training over the batches of the epoch so
    far, in evaluation over all data. Predictions and labels are floats of the
    same shape. The kinds are:

    * `auc`: the area under the ROC curve. Predictions are in [0, 1]; labels of
      at least 0.5 count as positive. Predictions p are sorted into `bins` bins
      of equal width in 7 p + ln(p / (1 - p)) / 32, and those in the same bin
      count as ties: 4,096 bins tell apart p that differ by 1/3500, or near 0
      and 1, from 1e-7 on, by a sixteenth of p or 1 - p.
    * `accuracy`: how often prediction and label are on the same side of 0.5;
      with several columns, how often prediction and label have the largest
      value of a row in the same column.
    * `mean`: the mean of all elements. Takes predictions only. In an
      evaluation a scalar counts as often as its batch has samples.

    A metric that is undefined is not reported: an AUC needs both positive and
    negative labels. One that has seen a NaN is NaN, which ends the run unless
    `--nan=warn` is given.

    ```mlir
    ps.metric auc("auc", %probability, %label) {bins = 8192 : i64} : tensor<?x1xf32>, tensor<?x1xf32>
    ps.metric mean("norm", %norm) : tensor<f32>
    ```
  }];
  let arguments = (ins PS_MetricKind:$kind, StrAttr:$name,
                       RankedTensorOf<PS_floats>:$prediction,
                       Optional<RankedTensorOf<PS_floats>>:$label,
                       DefaultValuedAttr<
                         ConfinedAttr<I64Attr, [IntMinValue<2>]>,
                         "4096">:$bins);
  let assemblyFormat = [{
    $kind `` `(` $name `,` $prediction (`,` $label^)? `)` attr-dict `:`
    type(operands)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

def PS_ProgramOp : PS_Op<"program", [
    Symbol, SymbolTable, IsolatedFromAbove, SingleBlock, NoTerminator,
    NoRegionArguments, HasParent<"::mlir::ModuleOp">]> {
  let summary = "what one role runs";
  let description = [{
    Made by `ps-partition`. Holds the variables the role keeps and its
    functions. A trainer has `@startup` (pulls initial values), and the
    training function under its own name. A pserver has `@main` with one
    `ps.listen_and_serv`. `endpoint` is the address where a pserver listens, if
    it is known before the job starts, as in the cluster's `endpoints`.
    Removed by `ps-select-program` at the head of the compile pipeline.

    ```mlir
    ps.program @pserver_0 role(pserver) endpoint("127.0.0.1:6174") cluster(#ps.cluster<...>) {
      ...
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    PS_Role:$role,
    OptionalAttr<StrAttr>:$endpoint,
    PS_ClusterAttr:$cluster);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `role` `` `(` $role `)` (`endpoint` `` `(` $endpoint^ `)`)?
    `cluster` `` `(` qualified($cluster) `)` attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Transfers, in trainer programs
//===----------------------------------------------------------------------===//

def PS_Count : ConfinedAttr<I64Attr, [IntNonNegative]>;

/// Network effects keep these ops where they are; tokens order them further.
class PS_TransferOp<string opMnemonic, list<Trait> traits = []>
    : PS_Op<opMnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])>;

// A step has as many rounds as the cluster's `rounds`; `round` is the one an op
// belongs to. Transfers of a function with equal `bucket`, round, kind and
// server are sent as one message, once the last of them is ready.

def PS_SendOp : PS_TransferOp<"send", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "pushes some rows of a gradient to the pserver that owns them";
  let description = [{
    Made by `ps-partition`, one per block, right after the gradient's producer;
    becomes `exec.send`. Rows [`row_offset`, `row_offset` + `rows`) of the
    gradient go to block `block` of `server`, a program of the job. The rows are
    sent in place, without a copy. A result of `ps.take_largest` stands for
    these rows, and is sent whole. It leaves once the transfers in `after` are
    done: a count of batches comes after their gradients.

    ```mlir
    %t = ps.send @fc_w rows(0, 392), %grad to(@pserver_0) block("fc_w.block0") : tensor<784x128xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable,
                       I64Attr:$row_offset, I64Attr:$rows,
                       AnyStaticShapeTensor:$gradient,
                       FlatSymbolRefAttr:$server, StrAttr:$block,
                       DefaultValuedAttr<PS_Count, "0">:$round,
                       OptionalAttr<PS_Count>:$bucket,
                       Variadic<PS_TokenType>:$after);
  let results = (outs PS_TokenType:$done);
  let assemblyFormat = [{
    $variable `rows` `` `(` $row_offset `,` $rows `)` `,` $gradient
    `to` `` `(` $server `)` `block` `` `(` $block `)`
    (`round` `` `(` $round^ `)`)? (`bucket` `` `(` $bucket^ `)`)?
    (`after` `` `(` $after^ `)`)? attr-dict `:` type($gradient)
  }];
  let extraClassDeclaration = [{
    /// Whether it sends the largest elements of the rows only.
    bool sendsLargest() { return ::ps::isLargestType(getGradient().getType()); }
    /// The rows of the gradient's memory that are sent.
    int64_t getFirstSentRow() { return sendsLargest() ? 0 : getRowOffset(); }
    int64_t getSentRows();
  }];
}

def PS_TakeLargestOp : PS_Op<"take_largest", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "takes the largest elements of what has not been sent";
  let description = [{
    Made by `ps-partition` with `top-k`, before the `ps.send` of a block; becomes
    `exec.take_largest`. Adds rows [`row_offset`, `row_offset` + `rows`) of the
    gradient to those of the variable, which holds what the steps before have
    left, and takes as many elements out of them as the result has rows: those
    with the largest magnitudes, of equal ones the first, NaN before anything
    else. They become 0 in the variable. Each row of the result is the number
    of an element among those of the rows, in ascending order, and its bits.

    ```mlir
    %l = ps.take_largest @fc_w.unsent rows(0, 392), %grad : tensor<784x128xf32> -> tensor<502x2xui32>
    %t = ps.send @fc_w rows(0, 392), %l to(@pserver_0) block("fc_w.block0") : tensor<502x2xui32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable,
                       I64Attr:$row_offset, I64Attr:$rows,
                       StaticShapeTensorOf<[F32]>:$gradient);
  let results = (outs StaticShapeTensorOf<[UI32]>:$largest);
  let assemblyFormat = [{
    $variable `rows` `` `(` $row_offset `,` $rows `)` `,` $gradient attr-dict
    `:` type($gradient) `->` type($largest)
  }];
}

def PS_SendBarrierOp : PS_TransferOp<"send_barrier"> {
  let summary = "signals the pservers that all gradients of the step are sent";
  let description = [{
    Made by `ps-partition` in sync mode; becomes `exec.send_barrier`. Done when
    every pserver has merged the round and run its blocks.

    ```mlir
    %b = ps.send_barrier(%t0, %t1) to([@pserver_0, @pserver_1])
    ```
  }];
  let arguments = (ins Variadic<PS_TokenType>:$after,
                       FlatSymbolRefArrayAttr:$servers,
                       DefaultValuedAttr<PS_Count, "0">:$round);
  let results = (outs PS_TokenType:$done);
  let assemblyFormat = [{
    `(` $after `)` `to` `` `(` $servers `)` (`round` `` `(` $round^ `)`)?
    attr-dict
  }];
}

def PS_RecvOp : PS_TransferOp<"recv", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "pulls some rows of a variable from the pserver that owns them";
  let description = [{
    Made by `ps-partition`, one per block; becomes `exec.recv`. Writes rows
    [`row_offset`, `row_offset` + `rows`) of the trainer's copy in place.

    ```mlir
    %r = ps.recv @fc_w rows(0, 392) from(@pserver_0) block("fc_w.block0") after(%b)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable,
                       I64Attr:$row_offset, I64Attr:$rows,
                       FlatSymbolRefAttr:$server, StrAttr:$block,
                       DefaultValuedAttr<PS_Count, "0">:$round,
                       OptionalAttr<PS_Count>:$bucket,
                       Variadic<PS_TokenType>:$after);
  let results = (outs PS_TokenType:$done);
  let assemblyFormat = [{
    $variable `rows` `` `(` $row_offset `,` $rows `)`
    `from` `` `(` $server `)` `block` `` `(` $block `)`
    (`round` `` `(` $round^ `)`)? (`bucket` `` `(` $bucket^ `)`)?
    (`after` `` `(` $after^ `)`)? attr-dict
  }];
}

def PS_FetchBarrierOp : PS_TransferOp<"fetch_barrier"> {
  let summary = "signals the pservers that all variables of the step have arrived";
  let description = [{
    Made by `ps-partition` in sync mode, last in `@startup` and in the step;
    becomes `exec.fetch_barrier`. A pserver accepts the next step's gradients
    after every trainer's fetch barrier.

    ```mlir
    %f = ps.fetch_barrier(%r0, %r1) to([@pserver_0, @pserver_1])
    ```
  }];
  let arguments = (ins Variadic<PS_TokenType>:$after,
                       FlatSymbolRefArrayAttr:$servers,
                       DefaultValuedAttr<PS_Count, "0">:$round);
  let results = (outs PS_TokenType:$done);
  let assemblyFormat = [{
    `(` $after `)` `to` `` `(` $servers `)` (`round` `` `(` $round^ `)`)?
    attr-dict
  }];
}

def PS_AllReduceOp : PS_TransferOp<"all_reduce", [
    RangedTypesMatchWith<"every result has the type of its gradient",
      "gradients", "means", "::llvm::make_range($_self.begin(), $_self.end())">]> {
  let summary = "the mean of some gradients over all trainers";
  let description = [{
    Made by `ps-partition` for variables with `sync = all_reduce` and in mode
    collective, one per bucket of gradients; becomes `exec.all_reduce`. All
    trainers run it once per step, in the order of the channels, which ascend
    within a function; ops of the same `channel` belong together.

    ```mlir
    %m:2 = ps.all_reduce %g0, %g1 channel(0) : tensor<4xf32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$gradients,
                       PS_Count:$channel);
  let results = (outs Variadic<AnyStaticShapeTensor>:$means);
  let assemblyFormat = [{
    $gradients `channel` `` `(` $channel `)` attr-dict `:` type($gradients)
  }];
}

def PS_BroadcastOp : PS_TransferOp<"broadcast", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "gives every trainer the values of trainer 0";
  let description = [{
    Made by `ps-partition` in `@startup` for each variable that is trained by
    all_reduce; becomes `exec.broadcast`.

    ```mlir
    %t = ps.broadcast @fc_w channel(0)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable, PS_Count:$channel);
  let results = (outs PS_TokenType:$done);
  let assemblyFormat = "$variable `channel` `` `(` $channel `)` attr-dict";
}

//===----------------------------------------------------------------------===//
// Serving, in pserver programs
//===----------------------------------------------------------------------===//

def PS_ListenAndServOp : PS_TransferOp<"listen_and_serv", [
    SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "serves a pserver's blocks until every trainer is done";
  let description = [{
    Made by `ps-partition`; kept by the compile pipeline, which lowers the
    optimize blocks inside to exec programs of their own. In sync mode, in each
    step the pserver takes one gradient per block from each live trainer,
    averages over the trainers that contributed, runs the schedule block, then
    every optimize block, and answers the pulls. With several rounds per step,
    each round does this for its own optimize blocks, and the schedule block
    runs in the first.

    ```mlir
    ps.listen_and_serv {
      ps.optimize_block @fc_w.block0 (%grad: tensor<392x128xf32>) { ... }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def PS_ScheduleBlockOp : PS_Op<"schedule_block", [
    SingleBlock, NoTerminator, IsolatedFromAbove, NoRegionArguments,
    HasParent<"ListenAndServOp">]> {
  let summary = "computes the learning rates of a step";
  let description = [{
    Made by `ps-partition` where an optimizer has a schedule; at most one per
    pserver. Counts the global step and assigns a variable per schedule, which
    the optimize blocks read. In modes without a common step it does not count:
    trainers push their batch counts to the block `@global_step`, which sums
    them.
    Becomes one exec program.

    ```mlir
    ps.schedule_block {
      %step = ps.read @global_step : tensor<i64>
      ...
      ps.assign @learning_rate, %rate : tensor<f32>
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

def PS_OptimizeBlockOp : PS_Op<"optimize_block", [
    SingleBlock, NoTerminator, IsolatedFromAbove, HasParent<"ListenAndServOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "updates one block from its merged gradient";
  let description = [{
    Made by `ps-partition`, one per block of the pserver. The argument is the
    merged gradient, of the block's shape; its element type is that of the
    network. With the cluster's `delay_compensation` there is a second one: the
    block as the trainer that pushed the gradient had pulled it last. With
    `largest`, each trainer pushes that many elements of its gradient, and the
    others count as zeros. Becomes one exec program, run in its `round` of the
    step.

    ```mlir
    ps.optimize_block @fc_w.block0 (%grad: tensor<392x128xf32>) {
      ps.apply @fc_w.block0, %grad using(#ps.sgd<learning_rate = 0.1>) : tensor<392x128xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable,
                       DefaultValuedAttr<PS_Count, "0">:$round,
                       DefaultValuedAttr<PS_Count, "0">:$largest);
  let regions = (region SizedRegion<1>:$body);
  let extraClassDeclaration = [{
    /// The argument that is the block as it was pulled; null if there is none.
    ::mlir::Value getPulled() {
      return getBody().getNumArguments() == 2 ? getBody().getArgument(1)
                                              : ::mlir::Value();
    }
    /// What a trainer pushes.
    ::mlir::Type getPushedType();
  }];
  let hasCustomAssemblyFormat = 1; // the region's arguments precede it
  let hasVerifier = 1;
}

#endif // PS_OPS_TD
