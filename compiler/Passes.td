// SPDX-License-Identifier: Apache-2.0
//===- Passes.td - the compiler's passes ----------------------------------===//

#ifndef PS_COMPILER_PASSES_TD
#define PS_COMPILER_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// From a single-machine graph to one program per role
//===----------------------------------------------------------------------===//

def RecoverTables : Pass<"ps-recover-tables", "::mlir::ModuleOp"> {
  let summary = "turns variables that are only gathered from into tables";
  let description = [{
    A trainable `ps.variable` of rank 2 and f32 or f64 becomes a `ps.table` of
    the same name, type and initial values if it is read only by
    `stablehlo.gather`s of whole rows by one id each, as `table[ids]` or
    `jnp.take` print them, and is trained by a `ps.minimize`, or by a `ps.apply`
    whose gradient consists of scatter-adds of such rows into zeros. The gathers
    become lookups and the scatter-adds become a gradient of rows, so the dense
    gradient is never computed.

    Ids are clamped first, as the gather clamps them, and rows of ids out of
    range are read through `ps.stop_gradient`, because a gather's gradient skips
    them: results do not change.

    A variable is kept if its optimizer or clip uses several rows at once (LARS,
    LAMB, norms). A table's row is updated only in the steps that look it up,
    whereas momentum, Adam or a decay change all rows of a variable in every
    step: such a variable becomes a table only if `recover` is `lazy`. A remark
    reports the decision and its reason for each variable of rank 2 that a
    gather reads. Calls must have been inlined.

    ```mlir
    ps.variable @emb : tensor<100x16xf32> init(#ps.uniform<min = -0.1, max = 0.1>)
    %w = ps.read @emb : tensor<100x16xf32>
    %e = "stablehlo.gather"(%w, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<100x16xf32>, tensor<?x1xi64>) -> tensor<?x16xf32>
    ```

    becomes

    ```mlir
    ps.table @emb : tensor<100x16xf32> init(#ps.uniform<min = -0.1, max = 0.1>)
    %row = stablehlo.reshape %ids : (tensor<?x1xi64>) -> tensor<?xi64>
    %inside = stablehlo.clamp %first, %row, %last : (tensor<i64>, tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
    %e = ps.lookup @emb[%inside] : (tensor<?xi64>) -> tensor<?x16xf32>
    ```
  }];
  let options = [
    Option<"recover", "recover", "std::string", /*default=*/"\"true\"",
           "true: where results stay the same; lazy: also where rows then "
           "change only in the steps that look them up; false: never">,
    ListOption<"only", "only", "std::string",
               "names of the variables that may become tables (all by "
               "default)">,
  ];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def Differentiate : Pass<"ps-differentiate", "::mlir::func::FuncOp"> {
  let summary = "turns ps.minimize into gradients and ps.apply";
  let description = [{
    Replaces `ps.minimize` by the backward pass of the ops between the trainable
    variables and the loss, followed by one `ps.apply` per variable in name
    order. Variables that are not trainable or do not reach the loss get none,
    nor do those that reach it only through ops that are constant almost
    everywhere (`floor`, a conversion to integers).

    A table gets a `ps.lookup_gradient` per lookup, a `ps.merge_rows` if there
    are several, and one `ps.apply_rows`; never a dense gradient.

    Calls must have been inlined. A differentiable op implements
    `DifferentiableOpInterface`; any other between a variable and the loss is an
    error that names the path. No gradient flows through a `ps.stop_gradient`; each is
    replaced by its operand, in every function.

    ```mlir
    %w = ps.read @w : tensor<f32>
    %loss = stablehlo.multiply %w, %w : tensor<f32>
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    ```

    becomes

    ```mlir
    %w = ps.read @w : tensor<f32>
    %loss = stablehlo.multiply %w, %w : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %0 = stablehlo.multiply %one, %w : tensor<f32>
    %1 = stablehlo.multiply %one, %w : tensor<f32>
    %grad = stablehlo.add %0, %1 : tensor<f32>
    ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    ```
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def FuseLookups : Pass<"ps-fuse-lookups", "::mlir::func::FuncOp"> {
  let summary = "fetches the rows of all lookups of a table at once";
  let description = [{
    Creates one `ps.prefetch` for each table that a function looks up, as early
    as the ids allow: ops without effects that compute ids move to the front.
    Lookups of the same ids with the same `padding_idx` share a list. Lookups
    and their gradients get the operand `in`, the rows of the step. Lookups that
    already have it are left unchanged.

    Fails on a lookup after its table's update, because the rows are fetched
    before; on ids that are computed after another lookup of the table; and on a
    table that is updated twice, or with the gradient of another table.

    ```mlir
    %a = ps.lookup @emb[%i] : (tensor<?xi64>) -> tensor<?x16xf32>
    %b = ps.lookup @emb[%j] : (tensor<?x2xi64>) -> tensor<?x2x16xf32>
    ```

    becomes

    ```mlir
    %r = ps.prefetch @emb[%i, %j] : (tensor<?xi64>, tensor<?x2xi64>) -> !ps.rows<16 x f32>
    %a = ps.lookup @emb[%i] in(%r) : (tensor<?xi64>, !ps.rows<16 x f32>) -> tensor<?x16xf32>
    %b = ps.lookup @emb[%j] in(%r) : (tensor<?x2xi64>, !ps.rows<16 x f32>) -> tensor<?x2x16xf32>
    ```
  }];
}

def CheckSeparability : Pass<"ps-check-separability",
                              "::mlir::func::FuncOp"> {
  let summary = "warns where several trainers may differ from one process";
  let description = [{
    The mean of the gradients of several trainers, or of several batches, is the
    gradient of all their samples if the loss, or each gradient of a `ps.apply`,
    is a mean over samples of values that depend on one sample each, plus
    constants. If the pass cannot prove this, it warns at the op where the proof
    fails. Values that a step assigns (`ps.assign`) must not depend on samples.

    The batch is dimension 0 of each feed. If its size is static, constants that
    divide a sum over samples by it, or by its product with the sizes of other
    dimensions of the sum, count as the batch size. In gradients of a `ps.apply`
    so does each constant that may be its reciprocal.

    Changes nothing. It runs before `ps-differentiate`, because a loss is easier
    to analyze than its gradients.
  }];
  let options = [
    Option<"trainers", "trainers", "int64_t", /*default=*/"2",
           "Number of trainers whose gradients are averaged">,
    Option<"accumulate", "accumulate", "int64_t", /*default=*/"1",
           "Batches of a trainer whose gradients are averaged">,
  ];
}

def PlaceVariables : Pass<"ps-place-variables", "::mlir::ModuleOp"> {
  let summary = "decides which pserver holds which rows of each variable";
  let description = [{
    Cuts every variable that a `ps.apply` updates into blocks of whole rows and
    assigns each block to a pserver. The result is recorded in the variables'
    `placements` and in the module's `ps.cluster`, which `ps-partition` removes.
    Variables are processed in name order, so the order of the text does not
    matter. Tables have no placements: the id determines the shard of a row.
    All blocks of a variable with `server = N` go to that pserver, and a
    variable whose optimizer or clip needs all rows at once is not cut.
    Each block's `reason` records why it was placed there.

    Fails on options that do not describe a cluster; on a module that contains
    programs or in which no `ps.apply` updates a variable; on a variable that is
    pinned to a pserver that does not exist, that is pinned or has
    `sync = all_reduce` but is never updated, or whose optimizer needs a name
    that is taken.
  }];
  // Its options are those of a job: compiler/JobOptions.h.
}

def Partition : Pass<"ps-partition", "::mlir::ModuleOp"> {
  let summary = "splits a placed training graph into one program per role";
  let description = [{
    The trainer keeps the module's variables and functions. In the training
    function every `ps.apply` becomes one `ps.send` per block, right after the
    gradient's producer; at the step's end, or before the first read of an
    updated variable, it waits in a `ps.send_barrier`, pulls every block with a
    `ps.recv`, and ends the step with a `ps.fetch_barrier`. `@startup` pulls the
    initial values. Each pserver gets its blocks, as variables with a `slice`,
    and one `ps.optimize_block` per block. Variables without updates
    stay with the trainers; each trainer has its own copy.

    A table that a `ps.apply_rows` updates is held by all pservers, each of
    which gets it with its `shard` and an optimize block for rows. The
    trainer keeps the declaration; its `ps.prefetch` of the table fetches `from`
    all shards, and the update becomes a `ps.push_rows` that the send barrier
    waits for. Rows are sent in the table's type, whatever `wire` is.

    In modes async and half-async there are no barriers, and a recv depends only
    on the send of its block. In mode geo the applies stay in the trainer, and
    the function `@exchange` (`ps.every`) sends differences, which pservers add,
    and pulls the sums in the background; `@merge` (`ps.then`) merges them with
    what the trainer has learned meanwhile, and `@settle` (`ps.last`) makes the
    last exchange one that leaves no rest. Trainers hold the rows of tables,
    exchange what they changed of them (`ps.collect_changes`) and pull what
    others did (`ps.pull_changes`).
    In mode collective, and for variables with `sync = all_reduce`, the applies
    stay in the trainer and use the means that a `ps.all_reduce` returns. With
    `accumulate` the training function sums gradients, and the exchange is in
    the function `@update` (`ps.every`).

    A learning rate that follows a schedule is computed in the pserver's
    `ps.schedule_block`. If a clip needs the global norm, a step has two rounds:
    pservers keep the gradients and assign the sums of their squares, which the
    trainers pull, add and send back as the norm; the block `@global_norm` then
    runs the updates. Small blocks get a `bucket`, in the order in which their
    gradients are computed. If `wire` is not f32, f32 gradients are converted
    before they are sent, and variables are received in companions (`@w.wire`)
    from copies that the pservers keep in addition to the f32 values;
    `@pull_model` pulls the f32 values, for saving.

    Fails if the updates do not form one step: if they are in two functions or
    in a function of several blocks, if a variable has two or none, if a placed
    variable is assigned, or read between two updates, or if the training
    function has an argument that is not a feed. Tables cannot be updated in
    mode collective or with `accumulate`.
  }];
}

def VerifyPrograms : Pass<"ps-verify-programs", "::mlir::ModuleOp"> {
  let summary = "proves that the programs of a job fit together";
  let description = [{
    Every send has exactly one receiving block and every pull one owner, with
    the same origin, rows and type; the blocks of a variable tile it. Barriers
    reach every pserver and cover all transfers of their round, and rounds
    follow each other. Updates use their own gradient, the scheduled rate and
    the norm that was sent. The transfers of a bucket can form one message. No
    cycle of waits passes through several processes. Variables that trainers
    update themselves start from one value and are updated from mean gradients.
    Each pserver holds and updates one shard of each table that pservers hold;
    rows are fetched from all shards and pushed to all, once, before the step
    ends. Changes nothing.
  }];
}

def WriteReport : Pass<"ps-write-report", "::mlir::ModuleOp"> {
  let summary = "writes a report on a job to a file";
  let description = [{
    Lists what each pserver holds and its share, what each trainer sends and
    receives in a step, the peak memory of each program, the longest chain of ops
    that wait for each other, and the reason for each variable's placement, as
    text, JSON or HTML with a diagram, depending on the file's extension.
    Changes nothing. `--ps-report=FILE` is short for `--ps-write-report=file=FILE`.
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"\"\"",
           "File to write: *.txt, *.json or *.html">,
  ];
}

def ExtractProgram : Pass<"ps-extract-program", "::mlir::ModuleOp"> {
  let summary = "keeps one program of a job";
  let description = [{
    Erases the other programs, so that one role can be deployed alone. If there
    is no program of that name, the error lists the programs of the module.
  }];
  let options = [
    Option<"name", "name", "std::string", /*default=*/"\"\"",
           "Name of the program to keep, e.g. pserver_0">,
  ];
}

//===----------------------------------------------------------------------===//
// Kernels, in the order in which buildKernelPipeline runs them
//===----------------------------------------------------------------------===//

def StablehloToLinalg : Pass<"ps-stablehlo-to-linalg", "::mlir::func::FuncOp"> {
  let summary = "lowers kernel functions from stablehlo to fused linalg ops";
  let description = [{
    Works on functions with the attribute `exec.kernel`: one block of
    stablehlo ops on ranked tensors. Elementwise ops over one iteration space,
    with the broadcasts, transposes, slices, constants and iotas that feed
    them and the reductions over the same space, become one `linalg.generic`
    with one result per value that is used outside; a scatter becomes loops on
    buffers. The function then has one memref per argument, followed by one per
    result; i1 is stored as one byte and unsigned integers as signless ones.
    With `parallel-lines` each line of a sort has memory of its own, so that
    threads of a device can share the lines.
  }];
  let options = [Option<"parallelLines", "parallel-lines", "bool", "false",
                        "Give each line of a sort memory of its own">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def BufferizeKernels : Pass<"ps-bufferize-kernels", "::mlir::ModuleOp"> {
  let summary = "replaces the tensors in kernels by memrefs, in place";
  let description = [{
    Results are computed in their own buffers. Remaining copies (concatenate,
    pad, a result that is an argument) are `linalg.generic` ops;
    intermediates are `memref.alloc`, which `ps-finalize-kernels` places.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def LinalgToLoops : Pass<"ps-linalg-to-loops", "::mlir::func::FuncOp"> {
  let summary = "lowers linalg ops on memrefs to loops that vectorize";
  let description = [{
    Elementwise ops become one flat loop where their operands are contiguous;
    reductions are carried in registers; loop-invariant values are computed
    outside the inner loop. The iterations of every innermost loop access memory
    independently of each other, even when a result is computed in place.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def LowerMath : Pass<"ps-lower-math", "::mlir::ModuleOp"> {
  let summary = "expands f32 functions to arithmetic and calls libm for the rest";
  let description = [{
    f32 exp, expm1, log, log1p and tanh become branch-free arithmetic within
    2 ulp that LLVM vectorizes. Conversions from and to bf16 become integer
    arithmetic. Functions without an accurate LLVM intrinsic become calls,
    except with `libm=false`.
  }];
  let options = [Option<"libm", "libm", "bool", "true",
                        "Call libm for what has no accurate intrinsic">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect"
  ];
}

def FinalizeKernels : Pass<"ps-finalize-kernels", "::mlir::func::FuncOp"> {
  let summary = "gives kernels their final signature and places intermediates";
  let description = [{
    A kernel becomes `@k(%buffers: !llvm.ptr, %rowBegin: i64, %rowEnd: i64)`:
    `buffers` points to one pointer per argument, result and scratch buffer,
    each at row 0. Tensors with a leading `?` are accessed only in the rows
    [rowBegin, rowEnd). Small intermediates are on the stack; the sizes of the
    others, in bytes (per row in a row kernel), are listed in the attribute
    `exec.scratch` in buffer order.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def MarkParallelLoops : Pass<"ps-mark-parallel-loops", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "marks innermost kernel loops as parallel for LLVM";
  let description = [{
    Puts the loads and stores of each innermost loop into an access group and
    names the group on the back edge, so that LLVM vectorizes without alias
    checks. Valid only for loops made by `ps-linalg-to-loops`.
  }];
}

//===----------------------------------------------------------------------===//
// Kernels for a GPU, in the order in which buildGpuKernelPipeline runs them
//===----------------------------------------------------------------------===//

def ScheduleGpuKernels : Pass<"ps-schedule-gpu-kernels", "::mlir::ModuleOp"> {
  let summary = "turns kernels on buffers into functions of a GPU";
  let description = [{
    A kernel, bufferized by `ps-bufferize-kernels`, becomes a `gpu.module` of its
    name. The module has a function per op that computes, in the order in which
    they run, two where it reduces much to little, one for neighboring ops that
    work on the same rows; each takes a pointer to row 0 of every argument, result
    and intermediate, and the number of rows. Only what one function writes and
    another one reads is an intermediate. The attribute `exec.grid` of a function
    says how many blocks it has, `known_block_size` how many threads a block has;
    the module's `exec.scratch` has the bytes of each intermediate (bytes per row
    in a row kernel).

    Elementwise ops have a thread per vector of neighboring elements, or per
    element of short tensors; transposes have a block per tile; rows, and what is
    reduced, have up to a block of threads per result, which combine what they
    have in an order that is always the same. Of loops, as those of a scatter,
    threads share the iterations that have elements of their own; where they are
    few, several threads do the others, each for the elements that it owns; a
    warp asks for an iteration per thread which of them it has to do.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"
  ];
}

def IndexGpuRows : Pass<"ps-index-gpu-rows", "::mlir::gpu::GPUModuleOp"> {
  let summary = "lets functions of a GPU update many rows of a table";
  let description = [{
    For the kernels that update a row, if the rows are in a device's memory.
    Each function gets two more arguments before the last one, the number of
    rows: `slots`, the 32-bit numbers of the table's rows, and `moves`, 64-bit
    integers. The buffer b of the i-th row is

        b + slots[i] * moves[2 b] + i * moves[2 b + 1]

    bytes from where the argument points to. After two moves per buffer come the
    threads of a row, which the grid has for each row, one row after the other,
    and what was the number of rows. Where threads of a block work together, a
    row has whole blocks. The function's name ends with `_rows` then.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def EmitPtx : Pass<"ps-emit-ptx", "::mlir::ModuleOp"> {
  let summary = "turns functions of a GPU in the LLVM dialect into PTX";
  let description = [{
    A `gpu.module` becomes a `gpu.binary` of its name, whose one object is the
    PTX for `chip`. Its attribute `exec.launches` has a dictionary per function
    in the order in which they run: `name`, `grid` (an `#exec.grid`) and
    `threads` of a block. `exec.scratch` is taken over.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_80\"",
           "The GPU's architecture">,
    Option<"libdevice", "libdevice", "std::string", "\"\"",
           "NVIDIA's libdevice.10.bc, for functions without a formula of ours; "
           "empty for the toolkit's">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect"];
}

//===----------------------------------------------------------------------===//
// From one program to nodes and kernels, in the order of --ps-compile
//===----------------------------------------------------------------------===//

def SelectProgram : Pass<"ps-select-program", "::mlir::ModuleOp"> {
  let summary = "keeps only what one role runs";
  let description = [{
    Moves the body of the ps.program `program` into the module and erases all
    programs; with `function`, makes the other functions private, so that only
    those with callers remain. A module without programs is its own program.
    Each `ps.optimize_block` of a pserver becomes a function `@<block>.update`,
    whose feed "grad" is the merged gradient. Variables of a pserver, which
    trainers may pull, are marked as `exec.pulled`.
  }];
  let options = [
    Option<"program", "program", "std::string", /*default=*/"",
           "Name of the program; empty for the module itself">,
    Option<"function", "function", "std::string", /*default=*/"",
           "Name of the function; empty for all">,
  ];
}

def DropShardings : Pass<"ps-drop-shardings", "::mlir::ModuleOp"> {
  let summary = "removes shardings over one device";
  let description = [{
    JAX writes the mesh of its devices into a module, and the shardings over
    it. A mesh of one device has no meaning (one of several is refused by the
    parser): `sdy.mesh` is removed, `sdy.sharding_constraint` becomes its
    operand, and the attribute `sdy.sharding` is removed from ops, arguments and
    results.

    ```mlir
    sdy.mesh @mesh = <["x"=1]>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {} ]> : tensor<4x3xf32>
    %2 = stablehlo.add %1, %1 : tensor<4x3xf32>
    ```

    becomes

    ```mlir
    %2 = stablehlo.add %0, %0 : tensor<4x3xf32>
    ```
  }];
}

def HideHelpers : Pass<"ps-hide-helpers", "::mlir::ModuleOp"> {
  let summary = "makes functions private that others call";
  let description = [{
    JAX prints its function as the public `@main`. If another function calls it
    with the values of variables, it is not an entry point: a function that is
    called and has an argument without `ps.feed` becomes private. Runs before
    the inliner, after which private functions without callers are removed.

    ```mlir
    func.func public @main(%w: tensor<f32>, %x: tensor<f32>) -> tensor<f32>
    func.func @train(%x: tensor<f32> {ps.feed = "x"}) {
      %loss = call @main(%w, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    ```
  }];
}

def DecomposeChlo : Pass<"ps-decompose-chlo"> {
  let summary = "replaces chlo functions by StableHLO formulas";
  let description = [{
    Every op of the `chlo` dialect becomes StableHLO ops, in f32 for bf16 and
    f16, in f64 for the gamma functions. Runs after `ps-differentiate`, which uses
    the exact derivatives of the functions; those of the approximations would be
    inexact. `compiler/training/DecomposeChlo.cpp` cites the source of each
    formula.

    ```mlir
    %1 = chlo.square %0 : tensor<4xf32> -> tensor<4xf32>
    ```

    becomes

    ```mlir
    %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def CheckCalls : Pass<"ps-check-calls", "::mlir::ModuleOp"> {
  let summary = "refuses calls that cannot be inlined";
  let description = [{
    Calls are inlined, so a function that calls itself, directly or through
    others, is an error at that function; a call that makes a function exceed
    `max-ops` ops is an error at the call. Functions without calls may have any
    number of ops. Runs before the inliner, which would leave recursive calls
    behind and would need hours for the others. Programs are not checked: their
    functions contain no calls. Changes nothing.
  }];
  let options = [
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"::ps::kMaxOps",
           "Ops that a function may have once its calls are inlined">,
  ];
}

def UnrollLoops : Pass<"ps-unroll-loops", "::mlir::func::FuncOp"> {
  let summary = "replaces loops by their iterations";
  let description = [{
    Every `stablehlo.while` becomes the ops of its iterations, one after the
    other; loops inside of loops do, too. The condition must become a constant
    for each iteration, because the counter starts at a constant and changes by
    constants; a loop of which that is not so is an error, and so is one whose
    iterations make the function exceed `max-ops` ops. What the counter
    determines becomes constant: a `dynamic_slice` at the counter is a `slice`.

    Calls must have been inlined. No later pass knows loops: derivatives, the
    distribution and kernels are those of the iterations.

    ```mlir
    %0:2 = stablehlo.while(%iterArg = %c0, %iterArg_0 = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %c2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %iterArg, %c1 : tensor<i32>
      %2 = stablehlo.tanh %iterArg_0 : tensor<4xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
    }
    ```

    becomes

    ```mlir
    %1 = stablehlo.tanh %x : tensor<4xf32>
    %2 = stablehlo.tanh %1 : tensor<4xf32>
    ```
  }];
  let options = [
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"::ps::kMaxOps",
           "Ops that a function may have once its loops are unrolled">,
  ];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def DecomposeOps : Pass<"ps-decompose-ops", "::mlir::func::FuncOp"> {
  let summary = "replaces ops that other ops express";
  let description = [{
    `batch_norm_training`, `batch_norm_inference`, `batch_norm_grad`, `map`,
    `rng_bit_generator`, calls of LAPACK and a `bitcast_convert` between elements
    of different widths become the ops that compute the same, before anything
    else is done with a graph: no other pass knows them. What a `map` computes
    from scalars is then computed from tensors.

    ```mlir
    %1 = "stablehlo.map"(%0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>):
      %2 = stablehlo.multiply %a, %a : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    ```

    becomes

    ```mlir
    %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def SelectBranches : Pass<"ps-select-branches", "::mlir::func::FuncOp"> {
  let summary = "computes all branches of a choice, and selects";
  let description = [{
    A `stablehlo.case` or `stablehlo.if` of constant index becomes the ops of
    that branch. Any other becomes the ops of all of its branches, and a
    `stablehlo.select` for each result; a branch with effects, such as a
    `ps.assign`, is then an error.

    So a branch is computed also where it is not chosen, and its derivative is
    multiplied by 0 there: where that is infinite or NaN, as that of a square
    root at 0, the gradient is NaN. Keep what a branch computes finite.

    ```mlir
    %2 = "stablehlo.if"(%0) ({
      %3 = stablehlo.tanh %1 : tensor<4xf32>
      stablehlo.return %3 : tensor<4xf32>
    }, {
      stablehlo.return %1 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    ```

    becomes

    ```mlir
    %3 = stablehlo.tanh %1 : tensor<4xf32>
    %2 = stablehlo.select %0, %3, %1 : tensor<i1>, tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def ResolveShapes : Pass<"ps-resolve-shapes", "::mlir::func::FuncOp"> {
  let summary = "replaces ops whose shapes are operands";
  let description = [{
    Where a size is a symbol, JAX prints ops that take shapes as operands
    (`dynamic_broadcast_in_dim`, `real_dynamic_slice`, ...). Each becomes the op
    that has its sizes in its type and attributes; `?` is the batch size. A size
    that is neither a number nor the batch size, such as twice the batch, is an
    error at the op. `custom_call @shape_assertion` is removed if it holds for
    every batch size; all `?` are equal.

    Calls must have been inlined, and loops unrolled.

    ```mlir
    %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %b, %2, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    ```

    becomes

    ```mlir
    %3 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
    ```
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def JoinUpdates : Pass<"ps-join-updates", "::mlir::func::FuncOp"> {
  let summary = "joins updates of a tensor at constant places";
  let description = [{
    `stablehlo.dynamic_update_slice`s that follow each other, at constant
    indices and along one dimension, become one `stablehlo.concatenate`. So does
    what `lax.scan` stacks, once `ps-unroll-loops` has made its counter
    constant: otherwise each iteration would copy all of it. A slice of what an
    update has written becomes that update.

    ```mlir
    %1 = stablehlo.dynamic_update_slice %zeros, %a, %c0, %c0 : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    %2 = stablehlo.dynamic_update_slice %1, %b, %c1, %c0 : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    ```

    becomes

    ```mlir
    %2 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def SpecializeBatch : Pass<"ps-specialize-batch", "::mlir::func::FuncOp"> {
  let summary = "replaces `?` by the batch size";
  let description = [{
    Afterwards every type is static, `get_dimension_size` is a constant, and the
    verifier of each op has checked the new sizes; errors are reported at the op.
    The ids and weights of bags keep their `?`, which is not the batch size; it
    is an error if ops other than lookups use them.
  }];
  let options = [
    Option<"batchSize", "batch-size", "int64_t", /*default=*/"1",
           "Number of samples in a batch">,
  ];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def AddWorkers : Pass<"ps-add-workers", "::mlir::func::FuncOp"> {
  let summary = "makes a training step work on the batches of several workers";
  let description = [{
    Every feed of a function that updates variables or tables becomes one per
    worker, marked with `ps.worker`, and what depends on the batch is cloned for
    each worker. Nothing orders the clones, so they run side by side. What the
    workers share gets what they have computed together: an update, a push, an
    all-reduce and `ps.assign` the mean of tensors or the merged rows, divided
    by the number of workers; a `ps.prefetch` the ids of all; a `ps.metric` the
    samples of all; a fetched number is the mean of theirs. A step of W workers
    with batches of b samples is that of one worker with W * b.

    Where sends have no barrier (mode async), each worker sends its own
    gradients, with a `ps.prefetch` of its own; not with `merge-pushes` (mode
    half-async).

    Fails on integers that are assigned, and on rates and norms, that depend on
    the batch. Runs after `ps-specialize-batch`. With 1 worker nothing changes.

    ```mlir
    func.func @train(%x: tensor<4xf32> {ps.feed = "x"}) {
      %w = ps.read @w : tensor<4xf32>
      %g = stablehlo.multiply %w, %x : tensor<4xf32>
      ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
    ```

    becomes with `workers=2`

    ```mlir
    func.func @train(%x: tensor<4xf32> {ps.feed = "x", ps.worker = 0 : i64}, %x1: tensor<4xf32> {ps.feed = "x", ps.worker = 1 : i64}) {
      %w = ps.read @w : tensor<4xf32>
      %g = stablehlo.multiply %w, %x : tensor<4xf32>
      %g1 = stablehlo.multiply %w, %x1 : tensor<4xf32>
      %sum = stablehlo.add %g, %g1 : tensor<4xf32>
      %half = stablehlo.constant dense<0.5> : tensor<4xf32>
      %mean = stablehlo.multiply %half, %sum : tensor<4xf32>
      ps.apply @w, %mean using(#ps.sgd<learning_rate = 0.1>) : tensor<4xf32>
    ```
  }];
  let options = [
    Option<"workers", "workers", "int64_t", /*default=*/"1",
           "Batches that a step works on side by side">,
    Option<"mergePushes", "merge-pushes", "bool", /*default=*/"false",
           "Merge what workers push without a send barrier">,
  ];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def ExtractForward : Pass<"ps-extract-forward", "::mlir::func::FuncOp"> {
  let summary = "drops updates, transfers and ops that only they need";
  let description = [{
    The remaining function computes its results without side effects: a
    `ps.prefetch` becomes `frozen` and fetches only rows that are looked up.
  }];
}

def ExpandOptimizers : Pass<"ps-expand-optimizers", "::mlir::ModuleOp"> {
  let summary = "turns ps.apply into arithmetic and ps.assign";
  let description = [{
    Declares a variable `@<variable>.<slot>` for each slot of the optimizer, with
    `slot_of` and, for the slot of a slice, the slice of the slot.

    A `ps.apply_rows` becomes a `ps.update_rows` and the function
    `@<table>.update_row` (`ps.row_of`), which updates one row in the same way: it
    is fed "grad", the row's gradient, and, if there is a schedule, "rate". Each
    row has its own slots.

    ```mlir
    ps.apply @w, %grad using(#ps.sgd<learning_rate = 0.5>) : tensor<4xf32>
    ```

    becomes

    ```mlir
    %w = ps.read @w : tensor<4xf32>
    %lr = stablehlo.constant dense<0.5> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.multiply %0, %grad : tensor<4xf32>
    %2 = stablehlo.subtract %w, %1 : tensor<4xf32>
    ps.assign @w, %2 : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def DecomposeWindows : Pass<"ps-decompose-windows", "::mlir::func::FuncOp"> {
  let summary = "replaces reductions of windows by elementwise ops";
  let description = [{
    A `stablehlo.reduce_window` whose windows cover whole dimensions becomes a
    `reduce`, and one of small windows a fold of slices: ops that share loops
    with others. The rest remains.
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def DecomposeConvolutions
    : Pass<"ps-decompose-convolutions", "::mlir::func::FuncOp"> {
  let summary = "replaces convolutions by matrix products";
  let description = [{
    For a device. A `stablehlo.convolution` of f32, also one that is a
    derivative, becomes a gather of what each window covers and a
    `stablehlo.dot_general` with the kernel, whose order of dimensions is such
    that products read both in place. The rest remains.

    ```mlir
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]]} ... : (tensor<8x6x4xf32>, tensor<3x4x16xf32>) -> tensor<8x4x16xf32>
    ```

    becomes

    ```mlir
    %1 = "stablehlo.gather"(%x, %indices) ... : (tensor<8x6x4xf32>, tensor<8x4x3x4x1xi32>) -> tensor<8x4x3x4xf32>
    %0 = stablehlo.dot_general %1, %w, contracting_dims = [2, 3] x [0, 1] : (tensor<8x4x3x4xf32>, tensor<3x4x16xf32>) -> tensor<8x4x16xf32>
    ```
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def OutlineKernels : Pass<"ps-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "groups stablehlo ops into kernels";
  let description = [{
    The remaining function consists of kernel calls, matrix products,
    constants, reshapes (which are views), checks and ps ops, in an order that
    sends gradients and updates variables as early as possible.

    Ops that work row by row (elementwise ops, broadcasts, reductions within a
    row) form *row kernels*, whose results are the values used elsewhere;
    reductions over rows and all other ops form *whole kernels*. Producers that
    cost nothing (constants, iotas, comparisons of those) are duplicated in each
    kernel that uses them. Kernels with equal bodies are merged. With `device`,
    the comparison of a maximum with 0 is duplicated, too, where it only selects
    a gradient: then a kernel after a product gives the maximum alone, which the
    product can (`ps-fuse-epilogues`).

    With `bf16-products` the operands of f32 products are rounded to bf16 where
    they are computed, and the products are of bf16 with results of f32; those
    with a vector, or of one term each, stay. Then the kernel after a product
    gives what the next one multiplies, and a mask where the gradient asks for
    one. Needs `device`.
  }];
  let options = [
    Option<"device", "device", "bool", "false",
           "Group for a device that computes epilogues and multiplies bf16">,
    Option<"bf16Products", "bf16-products", "bool", "false",
           "Round what products multiply to bf16">,
  ];
  let dependentDialects = [
    "::ps::exec::ExecDialect", "::stablehlo::StablehloDialect"
  ];
}

def LowerToExec : Pass<"ps-lower-to-exec", "::mlir::ModuleOp"> {
  let summary = "turns functions into exec programs";
  let description = [{
    Values become memory: a variable is read and updated in place, a gradient is
    sent from the buffer in which it was computed, a reshape is a view. A copy
    is made only if an old value is needed after its variable has been updated,
    or if one value has two names. A row kernel that works on the rows of a
    matrix product becomes its epilogue. A `ps.prefetch` becomes the memory of a
    step's rows, in which the gradients of lookups are accumulated; with `hbm`,
    rows of a table with the tier `#ps.hbm` are the device's.
  }];
  let options = [Option<"hbm", "hbm", "bool", "false",
                        "Let a device work on rows in its memory">];
  let dependentDialects = ["::ps::exec::ExecDialect"];
}

def FlattenKernels : Pass<"ps-flatten-kernels", "::mlir::ModuleOp"> {
  let summary = "makes elementwise kernels independent of shape";
  let description = [{
    A launched kernel whose ops are all elementwise is rewritten for vectors, so
    that it splits evenly over threads and all updates by one optimizer share
    one kernel. Epilogues keep their shape. Unused kernels are erased.
  }];
  let dependentDialects = [
    "::ps::exec::ExecDialect", "::stablehlo::StablehloDialect"
  ];
}

def FuseRows : Pass<"ps-fuse-rows", "::ps::exec::ProgramOp"> {
  let summary = "works on looked-up rows where they are";
  let description = [{
    A lookup whose rows are only multiplied with a vector of their sample writes
    the products (`exec.lookup_dot`) instead of the rows. Where a table of this
    process gets the gradient of one lookup only, each row is updated as soon as
    its gradient is known (`exec.lookup_update`), and no gradients are kept.
    Vectors that these nodes take from a lookup of another table are read where
    they are. Results are the same, to the last bit. Rows that a device has stay
    as they are.
  }];
}

def PlaceOnDevice : Pass<"ps-place-on-device", "::ps::exec::ProgramOp"> {
  let summary = "lets a device run kernels and products";
  let description = [{
    Kernels, products, copies and the means of f32 and f64 gradients work in
    `#exec.space<device>`, all other nodes on the host, lookups of rows that the
    device has aside; `exec.copy` moves what both work with, where it is not up
    to date. Fetches stay on the host, variables where `variables` says, those
    that are `exec.pulled` on the host in any case. With `feeds` the caller fills
    feeds where they are read, in both memories if need be, so that the next
    batch travels while a step runs. Kernels that sort a few long lines, or
    factor or solve a few large matrices, stay on the host, as a device would
    give few threads much to do.
    Before places are assigned, and without tokens. The updates of rows
    (`row_of`) stay as they are.
  }];
  let options = [Option<"variables", "variables", "bool", "true",
                        "Keep variables on the device">,
                 Option<"feeds", "feeds", "bool", "false",
                        "Have the caller fill feeds on the device">];
}

def GroupDeviceNodes : Pass<"ps-group-device-nodes", "::ps::exec::ProgramOp"> {
  let summary = "gives a device its nodes in groups";
  let description = [{
    Makes an `exec.graph` of two or more neighboring kernels, products and
    copies within a device's memory. A graph ends at a node that one of the host
    or a transfer comes after, so that gradients leave as soon as they are
    computed; a node that waits for something the first one of a graph does not
    wait for begins another one.
  }];
}

def FuseEpilogues : Pass<"ps-fuse-epilogues", "::ps::exec::ProgramOp"> {
  let summary = "lets products of a device do the work of kernels";
  let description = [{
    An epilogue that adds a bias to each row, takes the maximum with 0 or the
    tanh form of GELU, or a bias and then one of the two, becomes `fused` in its
    `exec.gemm`, if nothing else reads the product before that. A kernel that
    sums the columns of an operand over the product's k becomes the product's
    `bias_gradient`, if it may run where the product does. Kernels that compute
    anything else, other results too, stay as they are. Products of the host
    stay too. After `ps-place-on-device`, before places are assigned and without
    tokens.
  }];
}

def CompareActivations : Pass<"ps-compare-activations", "::mlir::func::FuncOp"> {
  let summary = "asks of relu(x), instead of x, whether it is above 0";
  let description = [{
    The gradient of `maximum(x, 0)` asks for `x > 0`, which is `maximum(x, 0) >
    0`, for NaN too. Where nothing but such comparisons and the maximum reads x,
    x then needs no memory: the product that gives it can write the maximum
    (`ps-fuse-epilogues`). For devices.
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def OptimizeMemory : Pass<"ps-optimize-memory", "::ps::exec::ProgramOp"> {
  let summary = "places buffers in one arena";
  let description = [{
    Buffers whose live ranges, in program order, do not overlap share bytes; the
    result of an elementwise kernel reuses the bytes of an argument that has no
    further use. A gradient that is being sent is live until the send is
    awaited. With `report`, a remark on the program states the bytes with and
    without sharing.
  }];
  let options = [
    Option<"report", "report", "bool", /*default=*/"false",
           "Emit a remark with the sizes">,
  ];
}

def OrderPushes : Pass<"ps-order-pushes", "::ps::exec::ProgramOp"> {
  let summary = "computes and pushes first what the next step needs first";
  let description = [{
    Reorders the nodes of a trainer's step: first the nodes that table rows and
    results depend on, then the gradients of variables, in the order in which
    the program reads the variables. Pservers can then update and return the
    variables that the next step reads first while the trainer computes the
    rest. Inputs of gradients that are computed later live longer, so the arena
    grows. Programs without `exec.send` are left unchanged.
  }];
}

def PullEarly : Pass<"ps-pull-early", "::ps::exec::ProgramOp"> {
  let summary = "pulls each block as soon as its gradient is pushed";
  let description = [{
    If the exchange of a step has one round, an `exec.recv` waits for the
    `exec.send`s of its blocks instead of the send barrier; a pserver answers
    once it has updated them. The fetch barrier still waits for both. Programs
    with `every` are left unchanged.
  }];
}

def PushPull : Pass<"ps-push-pull", "::ps::exec::ProgramOp"> {
  let summary = "exchanges gradients and new values in one message each way";
  let description = [{
    If a step exchanges nothing but blocks, in one round, and no more bytes with
    any pserver than a client sends ahead, each `exec.send` and the `exec.recv`
    of its rows become an `exec.push_pull`, and those of at most `small` bytes
    one of each pserver. Pservers know by these messages where steps end, so
    barriers go. Other programs are left unchanged: their memory on pservers is
    bounded by answers to pushes, and their steps by barriers.
  }];
  let options = [
    Option<"small", "small", "int64_t", /*default=*/"64 << 10",
           "Bytes of a block up to which it shares a message with others">,
  ];
}

def OverlapSteps : Pass<"ps-overlap-steps", "::ps::exec::ProgramOp"> {
  let summary = "overlaps the last transfers of a step with the next step";
  let description = [{
    In a step that pushes, transfers on which only other transfers depend are
    made late (`exec.carry`): the next step computes while they are in flight,
    and nodes that access the same memory or begin the next exchange wait for
    them. Transfers of memory that the caller fills or reads between steps are
    never late, nor are those of programs with `every`, whose results the caller
    uses afterwards, unless it waits for their end first (`then`). Prefetches whose ids are fed become `early`. Results are
    the same as without overlap.
  }];
}

def SequenceTokens : Pass<"ps-sequence-tokens", "::ps::exec::ProgramOp"> {
  let summary = "orders the nodes that access the same bytes";
  let description = [{
    A node gets the tokens of all earlier nodes, in program order, that write
    bytes it accesses or access bytes it writes, except tokens that others
    already imply.
  }];
}

def VerifyExec : Pass<"ps-verify-exec", "::ps::exec::ProgramOp"> {
  let summary = "proves that a program may run in any order its tokens allow";
  let description = [{
    Fails if a buffer is outside the arena; if a node reads bytes that no
    earlier node wrote to that buffer, or writes a feed or a constant; if a node
    may access bytes while another writes them, in the same step or, with late
    nodes (`exec.carry`), in the next one; if a graph of a device (`exec.graph`)
    would wait for itself; and if a pull may overtake the push
    of its block, an exchange may overtake the previous one, or a late node may
    still run when the caller uses its memory.
  }];
}

#endif // PS_COMPILER_PASSES_TD
