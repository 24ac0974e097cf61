// SPDX-License-Identifier: Apache-2.0
//===- PSAttrs.td - attributes of the ps dialect --------------------------===//

#ifndef PS_ATTRS_TD
#define PS_ATTRS_TD

include "dialects/ps/PSBase.td"
include "dialects/ps/PSInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

/// An attribute declares members in `members`, not in extraClassDeclaration.
class PS_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<PS_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
  code members = "";
  let extraClassDeclaration = [{
    /// As spelled in the text, separated by commas.
    static constexpr ::llvm::StringLiteral getParameterNames() {
      return "}] # !interleave(!foreach(i, !range(!size(parameters)),
                                       !getdagname(parameters, i)), ", ") # [{";
    }
  }] # members;
}

/// An f64 parameter printed as a plain number.
def PS_F64 : AttrOrTypeParameter<"::llvm::APFloat", "a number"> {
  let parser = "::ps::parseNumber($_parser)";
  let printer = "::ps::printNumber($_printer, $_self)";
  let comparator = "$_lhs.bitwiseIsEqual($_rhs)";
}

/// An f64 FloatAttr printed as a plain number, or a schedule.
def PS_LearningRate
    : AttrOrTypeParameter<"::mlir::Attribute", "a number or a schedule"> {
  let parser = "::ps::parseLearningRate($_parser)";
  let printer = "::ps::printLearningRate($_printer, $_self)";
}

/// An integer that may be absent. MLIR's parser of optional integers would
/// treat any other token as an absent one.
def PS_OptionalI64 : OptionalParameter<"::std::optional<int64_t>"> {
  let parser = "::mlir::FieldParser<int64_t>::parse($_parser)";
}

/// Integers or numbers in brackets: `[100, 200]`.
def PS_I64List : AttrOrTypeParameter<"::mlir::DenseI64ArrayAttr",
                                     "integers in brackets"> {
  let parser = "::ps::parseIntegers($_parser)";
  let printer = "::ps::printIntegers($_printer, $_self)";
}
def PS_F64List : AttrOrTypeParameter<"::mlir::DenseF64ArrayAttr",
                                     "numbers in brackets"> {
  let parser = "::ps::parseNumbers($_parser)";
  let printer = "::ps::printNumbers($_printer, $_self)";
}

def PS_OptionalF64List : OptionalParameter<"::mlir::DenseF64ArrayAttr"> {
  let parser = "::ps::parseNumbers($_parser)";
  let printer = "::ps::printNumbers($_printer, $_self)";
}

/// An f64 parameter that is not printed when it has its default.
class PS_DefaultF64<string value>
    : AttrOrTypeParameter<"::llvm::APFloat", "a number"> {
  let parser = "::ps::parseNumber($_parser)";
  let printer = "::ps::printNumber($_printer, $_self)";
  let comparator = "$_lhs.bitwiseIsEqual($_rhs)";
  let defaultValue = "::llvm::APFloat(" # value # ")";
}

//===----------------------------------------------------------------------===//
// Cluster
//===----------------------------------------------------------------------===//

def PS_Mode : I32EnumAttr<"Mode", "how trainers and pservers are synchronized", [
    I32EnumAttrCase<"Sync", 0, "sync">,
    I32EnumAttrCase<"Async", 1, "async">,
    I32EnumAttrCase<"HalfAsync", 2, "half_async">,
    I32EnumAttrCase<"Geo", 3, "geo">,
    I32EnumAttrCase<"Collective", 4, "collective">]> {
  let cppNamespace = "::ps";
}

def PS_Role : I32EnumAttr<"Role", "the role of a program", [
    I32EnumAttrCase<"Trainer", 0, "trainer">,
    I32EnumAttrCase<"PServer", 1, "pserver">]> {
  let cppNamespace = "::ps";
}

def PS_Sync : I32EnumAttr<"Sync", "how trainers synchronize a variable", [
    I32EnumAttrCase<"PServer", 0, "pserver">,
    I32EnumAttrCase<"AllReduce", 1, "all_reduce">]> {
  let cppNamespace = "::ps";
}

def PS_Wire : I32EnumAttr<"Wire", "the element type of f32 on the network", [
    I32EnumAttrCase<"F32", 0, "f32">,
    I32EnumAttrCase<"BF16", 1, "bf16">,
    I32EnumAttrCase<"F16", 2, "f16">]> {
  let cppNamespace = "::ps";
}

def PS_RowWire : I32EnumAttr<"RowWire", "as what rows of f32 travel", [
    I32EnumAttrCase<"F32", 0, "f32">,
    I32EnumAttrCase<"BF16", 1, "bf16">,
    I32EnumAttrCase<"F16", 2, "f16">,
    I32EnumAttrCase<"Int8", 3, "int8">]> {
  let cppNamespace = "::ps";
}

def PS_IdPartition : I32EnumAttr<"IdPartition", "which ids a shard holds", [
    I32EnumAttrCase<"Mix", 0, "mix">,
    I32EnumAttrCase<"Modulo", 1, "modulo">]> {
  let cppNamespace = "::ps";
}

def PS_Pool : I32EnumAttr<"Pool", "how the rows of a bag are pooled", [
    I32EnumAttrCase<"Sum", 0, "sum">,
    I32EnumAttrCase<"Mean", 1, "mean">,
    I32EnumAttrCase<"SqrtN", 2, "sqrtn">]> {
  let cppNamespace = "::ps";
}

def PS_MetricKind : I32EnumAttr<"MetricKind", "what a metric measures", [
    I32EnumAttrCase<"Auc", 0, "auc">,
    I32EnumAttrCase<"Accuracy", 1, "accuracy">,
    I32EnumAttrCase<"Mean", 2, "mean">]> {
  let cppNamespace = "::ps";
}

def PS_ClusterAttr : PS_Attr<"Cluster", "cluster"> {
  let summary = "The job that a program is part of.";
  let description = [{
    Made by `ps-place-variables`; `ps-partition` gives it to every program of the
    job. `pservers` names the programs of the parameter servers, in the order
    in which blocks and shards are placed on them. `hash` identifies graph and
    options, addresses left out: processes whose hashes differ refuse each
    other at the handshake. `endpoints` has the address of each of `pservers`, if
    they are known before the job starts; otherwise `ps-run` resolves them at
    run time. Parameters with default values are not printed: the batches of a
    trainer per step (`accumulate`), the steps between two exchanges
    (`geo_steps`, mode geo only), the largest message in which small transfers
    are combined (`bucket_bytes`, 0 for none), the type of f32 on the network
    (`wire`), the exchanges per step (`rounds`, set by `ps-partition`), and in
    modes async and half-async how many steps a trainer may be ahead of the
    slowest (`staleness`, -1 for any number) and the factor of the compensation
    for late gradients (`delay_compensation`, 0 for none). A job has at most 1,000,000 trainers, a step at most 16 rounds.

    ```mlir
    #ps.cluster<mode = sync, trainers = 2, pservers = [@pserver_0], hash = "9f86d081884c7d65">
    ```
  }];
  let parameters = (ins
    EnumParameter<PS_Mode>:$mode,
    "int64_t":$trainers,
    "::mlir::ArrayAttr":$pservers,
    "::mlir::StringAttr":$hash,
    DefaultValuedParameter<"int64_t", "1">:$accumulate,
    DefaultValuedParameter<"int64_t", "0">:$geo_steps,
    DefaultValuedParameter<"int64_t", "0">:$bucket_bytes,
    DefaultValuedParameter<"::ps::Wire", "::ps::Wire::F32">:$wire,
    DefaultValuedParameter<"int64_t", "1">:$rounds,
    DefaultValuedParameter<"int64_t", "-1">:$staleness,
    PS_DefaultF64<"0.0">:$delay_compensation,
    OptionalParameter<"::mlir::ArrayAttr">:$endpoints);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let members = [{
    /// The number of the pserver `name` among `pservers`, if it is one of them.
    std::optional<size_t> findPServer(::llvm::StringRef name) const;
    /// The address of pserver `index`; null if it is not known yet.
    ::mlir::StringAttr getEndpoint(size_t index) const;
    /// The same job with another number of rounds.
    ::ps::ClusterAttr withRounds(int64_t rounds) const;
    /// The type in which elements of `elementType` cross the network.
    ::mlir::Type getWireType(::mlir::Type elementType) const;
    /// Whether pservers compensate for the delay of gradients.
    bool compensatesDelay() const { return !getDelayCompensation().isZero(); }
  }];
}

def PS_SliceAttr : PS_Attr<"Slice", "slice"> {
  let summary = "Which rows of which variable a block holds.";
  let description = [{
    Made by `ps-partition` for every block a pserver holds, whole variables
    included, and by `ps-expand-optimizers` for their slots. Rows are indices of
    dimension 0 (elements, for rank 1; a rank-0 variable is one row). The block
    covers rows [`row_offset`, `row_offset` + `rows`) of `origin`, whose whole
    type is `origin_type`. The blocks of a variable tile it, and their slots of
    its shape tile the slot of the whole; a scalar slot is whole in every block.

    ```mlir
    #ps.slice<origin = "fc_w", row_offset = 392, rows = 392, origin_type = tensor<784x128xf32>>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$origin,
    "int64_t":$row_offset,
    "int64_t":$rows,
    "::mlir::RankedTensorType":$origin_type);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def PS_PlacementAttr : PS_Attr<"Placement", "placement"> {
  let summary = "One block of a variable and the pserver that holds it.";
  let description = [{
    Made by `ps-place-variables` on each trainable `ps.variable`, one per
    block in row order; consumed by `ps-partition`. `reason` explains in words
    why the block is on that pserver. Of its gradient the `largest` elements
    are sent, or all if it is 0.

    ```mlir
    #ps.placement<block = "fc_w.block0", row_offset = 0, rows = 392, server = 1>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$block,
    "int64_t":$row_offset,
    "int64_t":$rows,
    "int64_t":$server,
    DefaultValuedParameter<"int64_t", "0">:$largest,
    OptionalParameter<"::mlir::StringAttr">:$reason);
  let assemblyFormat = "`<` struct(params) `>`";
}

def PS_ShardAttr : PS_Attr<"Shard", "shard"> {
  let summary = "The part of a table's ids that a pserver holds.";
  let description = [{
    Made by `ps-partition` on each pserver's `ps.table`.

    ```mlir
    #ps.shard<0 of 2>
    ```
  }];
  let parameters = (ins "int64_t":$index, "int64_t":$count);
  let assemblyFormat = "`<` $index `of` $count `>`";
  let genVerifyDecl = 1;
}

def PS_HbmAttr : PS_Attr<"Hbm", "hbm"> {
  let summary = "The rows of a table that are in the memory of a GPU.";
  let description = [{
    The first tier of a `ps.table`: copies of up to `rows` rows, those that were
    used last, in the memory of the device that the holder of the table computes
    on. A holder without one does without; results do not depend on it.

    ```mlir
    #ps.hbm<rows = 10000000>
    ```
  }];
  let parameters = (ins "int64_t":$rows);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def PS_MemAttr : PS_Attr<"Mem", "mem"> {
  let summary = "The rows of a table that are in memory.";
  let description = [{
    A tier of a `ps.table`: at most `rows` rows, over all pservers together.

    ```mlir
    #ps.mem<rows = 10000000>
    ```
  }];
  let parameters = (ins "int64_t":$rows);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def PS_SsdAttr : PS_Attr<"Ssd", "ssd"> {
  let summary = "The rows of a table that are on an SSD.";
  let description = [{
    The last tier of a `ps.table`. In the directory, each process that holds
    rows of the table has one of its own, such as `emb-00000-of-00002`.

    ```mlir
    #ps.ssd<"/mnt/nvme/rows">
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$directory);
  let assemblyFormat = "`<` $directory `>`";
  let genVerifyDecl = 1;
}

def PS_CtrAttr : PS_Attr<"Ctr", "ctr"> {
  let summary = "Counts shows and clicks per row, and scores rows by them.";
  let description = [{
    For click-through data. Each sample that looks up an id in training counts
    as a show of the id's row; the feed `click`, 1 or 0 per sample, is added to
    the row's clicks. A row's score is

        nonclick_coefficient * (shows - clicks) + click_coefficient * clicks

    A day is `evict_every` steps. At its end, shows and clicks are multiplied by
    `decay`; then rows are evicted whose score is less than `delete_threshold`,
    or that have not been updated for more than `delete_after_unseen_days` days.

    If `embedx_from` is given, the columns of a row from `embedx_from` on are
    absent until the row's score is at least `embedx_threshold`: they read as
    zeros, and updates of them are dropped. Their initial values are the same as
    in a table without `embedx_from`.

    With `show_scale` a step's gradient of a row, the mean over the trainers, is
    divided by the row's shows in the step, before clip, regularizer and
    optimizer.

    `ps-run --save-base` saves the rows whose score is at least
    `base_threshold` and whose last update is at most `delta_keep_days` days
    ago. Of these, `--save-delta` saves those for which the shows and clicks
    counted since they were last saved have a score of at least
    `delta_threshold`.

    ```mlir
    #ps.ctr<click = "label", embedx_from = 1, embedx_threshold = 5.0, delete_threshold = 0.4>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$click,
    PS_DefaultF64<"0.1">:$nonclick_coefficient,
    PS_DefaultF64<"1.0">:$click_coefficient,
    PS_OptionalI64:$embedx_from,
    PS_DefaultF64<"10.0">:$embedx_threshold,
    DefaultValuedParameter<"bool", "false">:$show_scale,
    PS_DefaultF64<"1.5">:$base_threshold,
    PS_DefaultF64<"0.25">:$delta_threshold,
    PS_DefaultF64<"16.0">:$delta_keep_days,
    PS_DefaultF64<"0.98">:$decay,
    PS_DefaultF64<"0.8">:$delete_threshold,
    PS_DefaultF64<"30.0">:$delete_after_unseen_days);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def PS_PlacementArrayAttr
    : TypedArrayAttrBase<PS_PlacementAttr, "array of placements">;

//===----------------------------------------------------------------------===//
// Initializers
//===----------------------------------------------------------------------===//

class PS_Initializer<string name, string attrMnemonic>
    : PS_Attr<name, attrMnemonic,
        [DeclareAttrInterfaceMethods<PS_InitializerAttrInterface>]>;

def PS_ConstantInitAttr : PS_Initializer<"ConstantInit", "constant"> {
  let summary = "Every element is `value`.";
  let parameters = (ins PS_F64:$value);
  let assemblyFormat = "`<` $value `>`";
  let genVerifyDecl = 1;
}
def PS_UniformInitAttr : PS_Initializer<"UniformInit", "uniform"> {
  let summary = "Uniform in [`min`, `max`).";
  let parameters = (ins PS_F64:$min, PS_F64:$max);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
def PS_NormalInitAttr : PS_Initializer<"NormalInit", "normal"> {
  let summary = "Normal with the given `mean` and `stddev`.";
  let parameters = (ins PS_F64:$mean, PS_F64:$stddev);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
def PS_TruncatedNormalInitAttr
    : PS_Initializer<"TruncatedNormalInit", "truncated_normal"> {
  let summary = "Normal, cut off two standard deviations from the mean.";
  let parameters = (ins PS_F64:$mean, PS_F64:$stddev);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
def PS_XavierUniformInitAttr
    : PS_Initializer<"XavierUniformInit", "xavier_uniform"> {
  let summary = "Uniform in +-sqrt(6 / (fan_in + fan_out)) (Glorot, 2010).";
}
def PS_XavierNormalInitAttr
    : PS_Initializer<"XavierNormalInit", "xavier_normal"> {
  let summary = "Normal, stddev sqrt(2 / (fan_in + fan_out)) (Glorot, 2010).";
}
def PS_HeUniformInitAttr : PS_Initializer<"HeUniformInit", "he_uniform"> {
  let summary = "Uniform in +-sqrt(6 / fan_in) (He, 2015).";
}
def PS_HeNormalInitAttr : PS_Initializer<"HeNormalInit", "he_normal"> {
  let summary = "Normal, stddev sqrt(2 / fan_in) (He, 2015).";
}

//===----------------------------------------------------------------------===//
// Clips
//===----------------------------------------------------------------------===//

class PS_Clip<string name, string attrMnemonic, list<string> methods>
    : PS_Attr<name, attrMnemonic,
        [DeclareAttrInterfaceMethods<PS_ClipAttrInterface, methods>]> {
  let genVerifyDecl = 1;
}

def PS_ClipByValueAttr : PS_Clip<"ClipByValue", "clip_by_value",
                                 ["buildClip"]> {
  let summary = "Clips every element of a gradient to [`min`, `max`].";
  let description = [{
    ```mlir
    #ps.clip_by_value<min = -1.0, max = 1.0>
    ```
  }];
  let parameters = (ins PS_F64:$min, PS_F64:$max);
  let assemblyFormat = "`<` struct(params) `>`";
}

def PS_ClipByNormAttr : PS_Clip<"ClipByNorm", "clip_by_norm",
                                ["buildClip", "needsWholeVariable"]> {
  let summary = "g *= norm / max(norm, |g|), with the L2 norm |g| of the gradient.";
  let description = [{
    If the norm is not finite, elements that are finite become zero and the
    others NaN, so that divergence remains visible. The norm is computed in f64.

    ```mlir
    #ps.clip_by_norm<5.0>
    ```
  }];
  let parameters = (ins PS_F64:$norm);
  let assemblyFormat = "`<` $norm `>`";
}

def PS_ClipByGlobalNormAttr : PS_Clip<"ClipByGlobalNorm",
                                      "clip_by_global_norm",
                                      ["buildClip", "needsGlobalNorm"]> {
  let summary = "g *= norm / max(norm, |G|), with the L2 norm |G| of all gradients.";
  let description = [{
    |G| is taken over the merged gradients of all variables with this clip,
    across pservers (Pascanu et al., 2013).

    ```mlir
    #ps.clip_by_global_norm<1.0>
    ```
  }];
  let parameters = (ins PS_F64:$norm);
  let assemblyFormat = "`<` $norm `>`";
}

//===----------------------------------------------------------------------===//
// Regularizers
//===----------------------------------------------------------------------===//

class PS_Regularizer<string name, string attrMnemonic>
    : PS_Attr<name, attrMnemonic,
        [DeclareAttrInterfaceMethods<PS_RegularizerAttrInterface>]> {
  let parameters = (ins PS_F64:$coeff);
  let assemblyFormat = "`<` $coeff `>`";
  let genVerifyDecl = 1;
}

def PS_L1DecayAttr : PS_Regularizer<"L1Decay", "l1_decay"> {
  let summary = "g += coeff * sign(p): the penalty coeff * sum(|p|).";
  let description = [{
    ```mlir
    #ps.l1_decay<1e-4>
    ```
  }];
}

def PS_L2DecayAttr : PS_Regularizer<"L2Decay", "l2_decay"> {
  let summary = "g += coeff * p: the penalty coeff / 2 * sum(p * p).";
  let description = [{
    ```mlir
    #ps.l2_decay<1e-4>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Learning-rate schedules
//===----------------------------------------------------------------------===//

// `step` is the global step, counted from 0. Rates are computed in f64. The
// formulas are those of Paddle's fluid.layers functions of the same names.

class PS_Schedule<string name, string attrMnemonic>
    : PS_Attr<name, attrMnemonic,
        [DeclareAttrInterfaceMethods<PS_ScheduleAttrInterface>]> {
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def PS_ExponentialDecayAttr
    : PS_Schedule<"ExponentialDecay", "exponential_decay"> {
  let summary = "learning_rate * decay_rate ^ (step / decay_steps).";
  let description = [{
    With `staircase` the quotient is rounded down.

    ```mlir
    #ps.exponential_decay<learning_rate = 1.0, decay_steps = 2100, decay_rate = 0.1, staircase = true>
    ```
  }];
  let parameters = (ins PS_F64:$learning_rate, "int64_t":$decay_steps,
                        PS_F64:$decay_rate,
                        DefaultValuedParameter<"bool", "false">:$staircase);
}

def PS_NaturalExpDecayAttr
    : PS_Schedule<"NaturalExpDecay", "natural_exp_decay"> {
  let summary = "learning_rate * exp(-decay_rate * step / decay_steps).";
  let description = [{
    With `staircase` the quotient step / decay_steps is rounded down.

    ```mlir
    #ps.natural_exp_decay<learning_rate = 1.0, decay_steps = 1000, decay_rate = 0.5>
    ```
  }];
  let parameters = (ins PS_F64:$learning_rate, "int64_t":$decay_steps,
                        PS_F64:$decay_rate,
                        DefaultValuedParameter<"bool", "false">:$staircase);
}

def PS_InverseTimeDecayAttr
    : PS_Schedule<"InverseTimeDecay", "inverse_time_decay"> {
  let summary = "learning_rate / (1 + decay_rate * step / decay_steps).";
  let description = [{
    With `staircase` the quotient step / decay_steps is rounded down.

    ```mlir
    #ps.inverse_time_decay<learning_rate = 1.0, decay_steps = 1000, decay_rate = 0.5>
    ```
  }];
  let parameters = (ins PS_F64:$learning_rate, "int64_t":$decay_steps,
                        PS_F64:$decay_rate,
                        DefaultValuedParameter<"bool", "false">:$staircase);
}

def PS_PolynomialDecayAttr
    : PS_Schedule<"PolynomialDecay", "polynomial_decay"> {
  let summary = "From learning_rate to end_learning_rate in decay_steps steps.";
  let description = [{
    (learning_rate - end_learning_rate) * (1 - step / n) ^ power +
    end_learning_rate, where n is `decay_steps` and the step is held at n once it
    reaches n. With `cycle` the rate jumps up each time it has reached
    end_learning_rate: n is decay_steps * max(1, ceil(step / decay_steps)).

    ```mlir
    #ps.polynomial_decay<learning_rate = 0.1, decay_steps = 1000, power = 2.0, cycle = true>
    ```
  }];
  let parameters = (ins PS_F64:$learning_rate, "int64_t":$decay_steps,
                        PS_DefaultF64<"0.0001">:$end_learning_rate,
                        PS_DefaultF64<"1.0">:$power,
                        DefaultValuedParameter<"bool", "false">:$cycle);
}

def PS_PiecewiseDecayAttr : PS_Schedule<"PiecewiseDecay", "piecewise_decay"> {
  let summary = "values[i] before step boundaries[i], the last value after.";
  let description = [{
    ```mlir
    #ps.piecewise_decay<boundaries = [100, 200], values = [1.0, 0.5, 0.1]>
    ```
  }];
  let parameters = (ins PS_I64List:$boundaries, PS_F64List:$values);
}

def PS_CosineDecayAttr : PS_Schedule<"CosineDecay", "cosine_decay"> {
  let summary = "learning_rate / 2 * (1 + cos(pi * epoch / epochs)).";
  let description = [{
    The epoch is step / step_each_epoch, rounded down: the rate changes from
    epoch to epoch (Loshchilov and Hutter, 2017, without restarts).

    ```mlir
    #ps.cosine_decay<learning_rate = 0.1, step_each_epoch = 1000, epochs = 90>
    ```
  }];
  let parameters = (ins PS_F64:$learning_rate, "int64_t":$step_each_epoch,
                        "int64_t":$epochs);
}

def PS_NoamDecayAttr : PS_Schedule<"NoamDecay", "noam_decay"> {
  let summary = "Rises linearly to warmup_steps, then falls with 1 / sqrt(n).";
  let description = [{
    learning_rate * d_model ^ -0.5 * min(n ^ -0.5, n * warmup_steps ^ -1.5) with
    n = step + 1 (Vaswani et al., 2017).

    ```mlir
    #ps.noam_decay<d_model = 512, warmup_steps = 4000>
    ```
  }];
  let parameters = (ins "int64_t":$d_model, "int64_t":$warmup_steps,
                        PS_DefaultF64<"1.0">:$learning_rate);
}

def PS_LinearWarmupAttr : PS_Schedule<"LinearWarmup", "linear_warmup"> {
  let summary = "Linearly from start_lr to end_lr, then learning_rate.";
  let description = [{
    start_lr + (end_lr - start_lr) * step / warmup_steps before step
    `warmup_steps`; from there on `learning_rate`, which is a number or a
    schedule. That schedule counts from the first step of training, warmup
    included.

    ```mlir
    #ps.linear_warmup<learning_rate = #ps.noam_decay<d_model = 512, warmup_steps = 4000>, warmup_steps = 100, start_lr = 0.0, end_lr = 0.1>
    ```
  }];
  let parameters = (ins PS_LearningRate:$learning_rate, "int64_t":$warmup_steps,
                        PS_F64:$start_lr, PS_F64:$end_lr);
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

// In the formulas p is the variable, g its gradient, lr the learning rate and t
// the number of the update, counted from 1. Slots start at zero unless another
// value is given. Parameters have Paddle's names and defaults.

class PS_Optimizer<string name, string attrMnemonic,
                   list<string> methods = []>
    : PS_Attr<name, attrMnemonic,
        [DeclareAttrInterfaceMethods<PS_OptimizerAttrInterface,
          !listconcat(["getLearningRate", "getSlots", "buildUpdate"],
                      methods)>]> {
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def PS_SGDAttr : PS_Optimizer<"SGD", "sgd",
    ["sumsSteps", "isIdentityForZeroGradient"]> {
  let summary = "p -= lr * g.";
  let description = [{
    ```mlir
    #ps.sgd<learning_rate = 0.1>
    ```
  }];
  let parameters = (ins PS_LearningRate:$learning_rate);
}

def PS_MomentumAttr : PS_Optimizer<"Momentum", "momentum"> {
  let summary = "v = mu * v + g; p -= lr * v, or lr * (g + mu * v) (Nesterov).";
  let description = [{
    The slot `velocity` starts at zero. With `use_nesterov` the step looks one
    velocity ahead (Sutskever et al., 2013).

    ```mlir
    #ps.momentum<learning_rate = 0.1, momentum = 0.9, use_nesterov = true>
    ```
  }];
  let parameters = (ins
    PS_LearningRate:$learning_rate,
    PS_F64:$momentum,
    DefaultValuedParameter<"bool", "false">:$use_nesterov);
}

def PS_LarsMomentumAttr
    : PS_Optimizer<"LarsMomentum", "lars_momentum", ["needsWholeVariable"]> {
  let summary = "Momentum, its rate scaled by the norms of variable and gradient.";
  let description = [{
    LARS (You et al., 2017):

    - rate = lr * lars_coeff * |p| / (|g| + lars_weight_decay * |p| + epsilon),
      or lr where |p| or |g| is zero
    - velocity = momentum * velocity + rate * (g + lars_weight_decay * p)
    - p -= velocity

    The norms are of the whole variable, which is therefore never sliced.

    ```mlir
    #ps.lars_momentum<learning_rate = 0.1, momentum = 0.9>
    ```
  }];
  let parameters = (ins
    PS_LearningRate:$learning_rate,
    PS_F64:$momentum,
    PS_DefaultF64<"0.001">:$lars_coeff,
    PS_DefaultF64<"0.0005">:$lars_weight_decay,
    PS_DefaultF64<"0.0">:$epsilon);
}

def PS_AdamAttr : PS_Optimizer<"Adam", "adam"> {
  let summary = "Steps from moving averages of the gradient and its square.";
  let description = [{
    Adam (Kingma and Ba, 2015):

    - moment1 = beta1 * moment1 + (1 - beta1) * g
    - moment2 = beta2 * moment2 + (1 - beta2) * g * g
    - p -= lr * m / (sqrt(v) + epsilon) with m = moment1 / (1 - beta1 ^ t) and
      v = moment2 / (1 - beta2 ^ t)

    The slot `step` is t.

    ```mlir
    #ps.adam<learning_rate = 0.001>
    ```
  }];
  let parameters = (ins
    PS_LearningRate:$learning_rate,
    PS_DefaultF64<"0.9">:$beta1,
    PS_DefaultF64<"0.999">:$beta2,
    PS_DefaultF64<"1e-8">:$epsilon);
}

def PS_AdamWAttr : PS_Optimizer<"AdamW", "adamw"> {
  let summary = "Adam with a weight decay of its own.";
  let description = [{
    p -= lr * (m / (sqrt(v) + epsilon) + weight_decay * p) with m and v as in
    `#ps.adam` (Loshchilov and Hutter, 2019). Unlike a regularizer, the decay
    does not enter the moments.

    ```mlir
    #ps.adamw<learning_rate = 0.001, weight_decay = 0.1>
    ```
  }];
  let parameters = (ins
    PS_LearningRate:$learning_rate,
    PS_DefaultF64<"0.9">:$beta1,
    PS_DefaultF64<"0.999">:$beta2,
    PS_DefaultF64<"1e-8">:$epsilon,
    PS_DefaultF64<"0.01">:$weight_decay);
}

def PS_AdamaxAttr : PS_Optimizer<"Adamax", "adamax"> {
  let summary = "Adam with the largest gradient in place of the mean square.";
  let description = [{
    Adamax (Kingma and Ba, 2015, section 7.1):

    - moment = beta1 * moment + (1 - beta1) * g
    - inf_norm = max(beta2 * inf_norm + epsilon, |g|)
    - p -= lr / (1 - beta1 ^ t) * moment / inf_norm

    The slot `step` is t.

    ```mlir
    #ps.adamax<learning_rate = 0.002>
    ```
  }];
  let parameters = (ins
    PS_LearningRate:$learning_rate,
    PS_DefaultF64<"0.9">:$beta1,
    PS_DefaultF64<"0.999">:$beta2,
    PS_DefaultF64<"1e-8">:$epsilon);
}

def PS_AdagradAttr : PS_Optimizer<"Adagrad", "adagrad",
    ["getRowSlots", "isIdentityForZeroGradient"]> {
  let summary = "moment += g * g; p -= lr * g / (sqrt(moment) + epsilon).";
  let description = [{
    Duchi et al., 2011. `moment` starts at `initial_accumulator_value`.

    With `row_wise = true` it is one number per row of a table, or per index of
    dimension 0 of a variable: moment += mean(g * g) over the row. FBGEMM and
    TorchRec call this EXACT_ROWWISE_ADAGRAD: the state of a row of 128 floats
    takes 4 bytes instead of 512. In a variable of rank 0 or 1 a row is one
    element, so it makes no difference there.

    ```mlir
    #ps.adagrad<learning_rate = 0.01>
    #ps.adagrad<learning_rate = 0.01, row_wise = true>
    ```
  }];
  let parameters = (ins
    PS_LearningRate:$learning_rate,
    PS_DefaultF64<"1e-6">:$epsilon,
    PS_DefaultF64<"0.0">:$initial_accumulator_value,
    DefaultValuedParameter<"bool", "false">:$row_wise);
}

def PS_CustomAttr : PS_Optimizer<"Custom", "custom",
    ["getUpdateFunction", "verifyUpdateFunction",
     "isIdentityForZeroGradient"]> {
  let summary = "The update that a function of the graph computes.";
  let description = [{
    The function computes one element: from the parameter, its gradient, the
    slots and the rate it returns the new parameter and the new slots, all of
    them scalars of one floating-point type. Its ops work element by element,
    so that the same function updates a variable, a block of one and a row of a
    table; it is private. `slots` names the slots, which start at
    `initial_values`, or at zero.

    `identity_for_zero_gradient` promises that an element whose gradient is zero
    keeps its value and its slots. Only then may a variable become a table,
    because rows without a gradient are not updated.

    ```mlir
    func.func private @signed_momentum(%p: tensor<f32>, %g: tensor<f32>, %m: tensor<f32>, %rate: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %decay = stablehlo.constant dense<0.9> : tensor<f32>
      %old = stablehlo.multiply %decay, %m : tensor<f32>
      %new = stablehlo.add %old, %g : tensor<f32>
      %sign = stablehlo.sign %new : tensor<f32>
      %step = stablehlo.multiply %rate, %sign : tensor<f32>
      %result = stablehlo.subtract %p, %step : tensor<f32>
      return %result, %new : tensor<f32>, tensor<f32>
    }
    #ps.custom<@signed_momentum, learning_rate = 0.1, slots = ["momentum"]>
    ```
  }];
  let parameters = (ins
    "::mlir::FlatSymbolRefAttr":$update,
    PS_LearningRate:$learning_rate,
    OptionalParameter<"::mlir::ArrayAttr">:$slots,
    PS_OptionalF64List:$initial_values,
    DefaultValuedParameter<"bool", "false">:$identity_for_zero_gradient);
  let assemblyFormat = [{
    `<` $update `,` struct($learning_rate, $slots, $initial_values,
                           $identity_for_zero_gradient) `>`
  }];
}

def PS_DecayedAdagradAttr
    : PS_Optimizer<"DecayedAdagrad", "decayed_adagrad"> {
  let summary = "Adagrad with a moving average in place of the sum.";
  let description = [{
    - moment = decay * moment + (1 - decay) * g * g
    - p -= lr * g / (sqrt(moment) + epsilon)

    As in Paddle, after Adagrad (Duchi et al., 2011); unlike in `#ps.rmsprop`,
    `epsilon` is added to the root.

    ```mlir
    #ps.decayed_adagrad<learning_rate = 0.01>
    ```
  }];
  let parameters = (ins
    PS_LearningRate:$learning_rate,
    PS_DefaultF64<"0.95">:$decay,
    PS_DefaultF64<"1e-6">:$epsilon);
}

def PS_RMSPropAttr : PS_Optimizer<"RMSProp", "rmsprop"> {
  let summary = "Steps by the gradient divided by its root mean square.";
  let description = [{
    Tieleman and Hinton, 2012 (lecture 6.5 of their course), centered as in
    Graves, 2013:

    - mean_square = rho * mean_square + (1 - rho) * g * g
    - mean_grad = rho * mean_grad + (1 - rho) * g (centered)
    - v = mean_square, or mean_square - mean_grad ^ 2 (centered)
    - u = momentum * u + lr * g / sqrt(v + epsilon); p -= u

    u is the slot `momentum`, which does not exist if momentum = 0.

    ```mlir
    #ps.rmsprop<learning_rate = 0.01, momentum = 0.9, centered = true>
    ```
  }];
  let parameters = (ins
    PS_LearningRate:$learning_rate,
    PS_DefaultF64<"0.95">:$rho,
    PS_DefaultF64<"1e-6">:$epsilon,
    PS_DefaultF64<"0.0">:$momentum,
    DefaultValuedParameter<"bool", "false">:$centered);
}

def PS_AdadeltaAttr : PS_Optimizer<"Adadelta", "adadelta"> {
  let summary = "Scales the gradient by the ratio of past steps to past gradients.";
  let description = [{
    Zeiler, 2012, with a learning rate (1 in the paper):

    - avg_squared_grad = rho * avg_squared_grad + (1 - rho) * g * g
    - u = sqrt((avg_squared_update + epsilon) / (avg_squared_grad + epsilon))
      * g
    - avg_squared_update = rho * avg_squared_update + (1 - rho) * u * u
    - p -= lr * u

    ```mlir
    #ps.adadelta<learning_rate = 1.0>
    ```
  }];
  let parameters = (ins
    PS_LearningRate:$learning_rate,
    PS_DefaultF64<"0.95">:$rho,
    PS_DefaultF64<"1e-6">:$epsilon);
}

def PS_FtrlAttr : PS_Optimizer<"Ftrl", "ftrl"> {
  let summary = "Follows the regularized leader: sparse weights by l1.";
  let description = [{
    FTRL-Proximal (McMahan et al., 2013), with n ^ -lr_power in place of the root
    of the sum n of squared gradients:

    - linear += g - ((n + g * g) ^ -lr_power - n ^ -lr_power) / lr * p
    - squared = n + g * g, where n is `squared` before the step
    - p = (l1 * sign(linear) - linear) / (squared ^ -lr_power / lr + 2 * l2)
      where |linear| > l1, else 0

    The variable is computed from the slots alone: its initial value has no
    effect. If lr is 0, the variable and its slots do not change.

    ```mlir
    #ps.ftrl<learning_rate = 0.1, l1 = 0.01, l2 = 0.001>
    ```
  }];
  let parameters = (ins
    PS_LearningRate:$learning_rate,
    PS_DefaultF64<"0.0">:$l1,
    PS_DefaultF64<"0.0">:$l2,
    PS_DefaultF64<"-0.5">:$lr_power);
}

def PS_LambAttr : PS_Optimizer<"Lamb", "lamb", ["needsWholeVariable"]> {
  let summary = "Adam, its rate scaled by the norms of variable and step.";
  let description = [{
    LAMB (You et al., 2020):

    - u = m / (sqrt(v) + epsilon) + lamb_weight_decay * p with m and v as in
      `#ps.adam`
    - p -= lr * |p| / |u| * u, or lr * u where |p| or |u| is zero

    The norms are of the whole variable, which is therefore never sliced.

    ```mlir
    #ps.lamb<learning_rate = 0.001>
    ```
  }];
  let parameters = (ins
    PS_LearningRate:$learning_rate,
    PS_DefaultF64<"0.9">:$beta1,
    PS_DefaultF64<"0.999">:$beta2,
    PS_DefaultF64<"1e-6">:$epsilon,
    PS_DefaultF64<"0.01">:$lamb_weight_decay);
}

#endif // PS_ATTRS_TD
