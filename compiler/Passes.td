//===- Passes.td - the compiler's passes ----------------------------------===//

#ifndef PS_COMPILER_PASSES_TD
#define PS_COMPILER_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// From a single-machine graph to one program per role
//===----------------------------------------------------------------------===//

def RecoverTables : Pass<"ps-recover-tables", "::mlir::ModuleOp"> {
  let summary = "makes tables of variables that are only gathered from";
  let description = [{
    A trainable `ps.variable` of rank 2 and f32 or f64 becomes a `ps.table` of
    the same name, type and initial values where all that reads it are
    `stablehlo.gather`s of whole rows by one id each, as `table[ids]` or
    `jnp.take` make them, and either a `ps.minimize` trains it or a `ps.apply`
    whose gradient is made of scatter-adds of such rows into zeros. The gathers
    become lookups, the scatter-adds a gradient of rows: the dense gradient
    never exists.

    Ids are clamped first, as the gather does it, and rows of those that lie
    outside are read through `ps.stop_gradient`, for a gather's gradient skips
    them: the graph computes what it did before.

    A variable stays one if the optimizer or clip works with more than a row at
    a time (LARS, LAMB, norms). A table's row is updated in the steps that look
    it up only, where momentum, Adam or a decay move a variable's in every
    step: such a variable becomes a table only if `recover` is `lazy`. A remark
    says for each variable of rank 2 that a gather reads what became of it, and
    why. Calls must have been inlined.

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
           "true where results stay the same, lazy also where rows then rest "
           "in steps that do not look them up, false for none">,
  ];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def Differentiate : Pass<"ps-differentiate", "::mlir::func::FuncOp"> {
  let summary = "turns ps.minimize into gradients and ps.apply";
  let description = [{
    Emits, where `ps.minimize` stands, the backward pass of the ops between
    the trainable variables and the loss, then one `ps.apply` per variable in
    order of name. Variables that are not trainable or do not reach the loss
    get none, as do those that reach it only through ops that are constant
    almost everywhere (`floor`, a conversion to integers).

    A table gets a `ps.lookup_gradient` per lookup, a `ps.merge_rows` where
    there are several, and one `ps.apply_rows`; never a dense gradient.

    Calls must have been inlined. A differentiable op implements
    `DifferentiableOpInterface`; any other on the way to the loss is an error
    that names the way. No gradient passes a `ps.stop_gradient`; all of them are
    replaced by their operands, in every function.

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
    Gives each table that a function looks up one `ps.prefetch`, as early as
    the ids allow: ops without effects that compute ids move to the front.
    Lookups of the same ids with the same `padding_idx` share a list. Lookups
    and their gradients say by `in` where their rows are. What has been fused
    stays as it is.

    Fails on a lookup after its table's update, which the rows that are fetched
    before cannot show; on ids that come to be after another lookup of the
    table; on a table that is updated twice, or with the gradient of another.

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
  let summary = "warns where trainers may train differently from one process";
  let description = [{
    The mean of the gradients of several trainers, or of several batches, is the
    gradient of all their samples if the loss, or each gradient that a
    `ps.apply` takes, is a mean over samples of what depends on one sample
    each; constants may be added to it. Where the pass cannot prove that, it
    warns, at the op where the proof fails. What a step assigns
    (`ps.assign`) must not depend on samples.

    Batches are dimension 0 of what is fed. Where that is a number, not `?`,
    constants that divide a sum over samples by it, or by it times the size of
    other dimensions of the sum, count as the batch size. So does, in gradients
    of a `ps.apply`, each constant that may be 1 divided by it.

    Changes nothing. It comes before `ps-differentiate`, for a loss is easier
    to look into than its gradients.
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
    gives each block to a pserver. The result stands in the variables'
    `placements` and in the module's `ps.cluster`, which `ps-partition` takes
    off. Variables are treated in name order, so the order of the text does not
    matter. Tables have no placements: the id says which shard has a row.
    A variable with `server = N` goes to that pserver with all its blocks,
    and a variable whose optimizer or clip needs all rows at once stays whole.
    Each block's `reason` says why it is where it is.

    Fails on options that make no cluster, on a module that holds programs
    already, where no `ps.apply` updates a variable, on a variable that is
    pinned to a pserver that there is not, or pinned or `sync = all_reduce` but
    never updated, and on one whose optimizer needs a name that is taken.
  }];
  let options = [
    ListOption<"pservers", "pservers", "std::string",
               "Endpoints, host:port, of the parameter servers">,
    Option<"trainers", "trainers", "int64_t", /*default=*/"1",
           "Number of trainers">,
    Option<"mode", "mode", "std::string", /*default=*/"\"sync\"",
           "How trainers and pservers keep step: sync, async, half-async, geo "
           "or collective">,
    Option<"splitMethod", "split-method", "std::string",
           /*default=*/"\"\"",
           "Who gets a block: RoundRobin (where nothing is said), HashName, "
           "SizeBalanced or a registered dispatcher">,
    Option<"sliceVarUp", "slice-var-up", "bool", /*default=*/"true",
           "Cut large variables into blocks">,
    Option<"minBlockSize", "min-block-size", "int64_t",
           /*default=*/"ps::unsetOption",
           "Elements below which a block is not made smaller (8192)">,
    Option<"geoSteps", "geo-steps", "int64_t",
           /*default=*/"ps::unsetOption",
           "Steps between two exchanges of mode=geo (400)">,
    Option<"accumulate", "accumulate", "int64_t", /*default=*/"1",
           "Batches of a trainer whose gradients make one step">,
    Option<"bucketBytes", "bucket-bytes", "int64_t", /*default=*/"0",
           "Blocks of at most so many bytes travel together, up to so many "
           "bytes; 0 sends each alone, and all-reduces up to 4 MiB at once">,
    Option<"wire", "wire", "std::string", /*default=*/"\"f32\"",
           "Element type of f32 variables on the network: f32, bf16 or f16">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Say of each variable how it is cut and where its blocks go, and "
           "why">,
  ];
}

def Partition : Pass<"ps-partition", "::mlir::ModuleOp"> {
  let summary = "makes one program per role out of a placed training graph";
  let description = [{
    The trainer keeps the module's variables and functions. In the training
    function every `ps.apply` becomes one `ps.send` per block, right after the
    gradient's producer; at the step's end, or before the first read of an
    updated variable, it waits in a `ps.send_barrier`, pulls every block with a
    `ps.recv`, and ends the step with a `ps.fetch_barrier`. `@startup` pulls the
    initial values. Each pserver gets its blocks, as variables that carry their
    `slice`, and one `ps.optimize_block` per block. Variables that nobody
    updates stay with the trainers, each of which has its own copy.

    A table that a `ps.apply_rows` updates is held by all pservers, each of
    which gets it with its `shard` and an optimize block that takes rows. The
    trainer keeps the declaration; its `ps.prefetch` of the table fetches `from`
    all shards, and the update becomes a `ps.push_rows` that the send barrier
    waits for. Rows travel in the table's type, whatever the wire.

    In the modes async and half-async there are no barriers, and a recv follows
    its own send. In mode geo the applies stay, and the function `@exchange`
    (`ps.every`) sends differences, which pservers add. In mode collective, and
    for variables with `sync = all_reduce`, the applies stay and take the means
    that a `ps.all_reduce` gives. With `accumulate` the training function adds
    gradients up, and all of this stands in the function `@update`
    (`ps.every`).

    A learning rate that follows a schedule is computed in the pserver's
    `ps.schedule_block`. Where a clip needs the global norm a step has two
    rounds: pservers keep the gradients and assign the sums of their squares,
    which the trainers pull, add up and send back as the norm; the block
    `@global_norm` then does the updates. Small blocks get a `bucket`, in the
    order in which their gradients come to be. With `wire` not f32, f32
    gradients are converted before they are sent, and variables are received
    in companions (`@w.wire`) from copies that the pservers keep beside their
    f32; `@pull_model` pulls the f32, for saving.

    Fails where the updates are not those of one step: when they stand in two
    functions or in one of several blocks, when a variable has two or none, when
    a placed variable is assigned to or read between two updates, or when the
    training function takes an argument that is no feed. Tables are not updated
    in the modes geo and collective, nor with `accumulate`.
  }];
}

def VerifyPrograms : Pass<"ps-verify-programs", "::mlir::ModuleOp"> {
  let summary = "proves that the programs of a job fit together";
  let description = [{
    Every send has exactly one receiving block and every pull one owner, with
    the same origin, rows and type; the blocks of a variable tile it; barriers
    reach every pserver and wait for everything of their round, and rounds
    follow each other; updates take their own gradient, the scheduled rate and
    the norm that was sent; transfers of a bucket can leave as one; no process
    waits for itself through another one; what trainers update themselves starts
    with one value and learns from mean gradients. Each pserver holds one shard
    of each table that pservers hold, and updates it; rows are fetched from all
    shards and pushed to all, once, before the step ends. Changes nothing.
  }];
}

def WriteReport : Pass<"ps-write-report", "::mlir::ModuleOp"> {
  let summary = "writes a report on a job into a file";
  let description = [{
    Says what each pserver holds and its share, what each trainer sends and gets
    in a step, the peak memory of each program, the longest chain of ops that
    wait for each other, and why each variable went where it went: as text, JSON
    or a page with a drawing, by the ending of the file's name. Changes
    nothing. `--ps-report=FILE` is short for `--ps-write-report=file=FILE`.
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"\"\"",
           "File to write: *.txt, *.json or *.html">,
  ];
}

def ExtractProgram : Pass<"ps-extract-program", "::mlir::ModuleOp"> {
  let summary = "keeps one program of a job";
  let description = [{
    For shipping one role: the other programs are erased. A module that holds no
    program of that name is an error that lists those it holds.
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
    them, become one `linalg.generic` with a result per value that is needed
    outside, together with the reductions over the same space; a scatter
    becomes loops on buffers. The function
    then takes one memref per argument and, behind them, one per result; i1 is
    stored as one byte and unsigned integers as signless ones.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def BufferizeKernels : Pass<"ps-bufferize-kernels", "::mlir::ModuleOp"> {
  let summary = "replaces the tensors in kernels by memrefs, in place";
  let description = [{
    Results are computed in their own buffers. What remains of copies
    (concatenate, pad, a result that is an argument) is a `linalg.generic`;
    intermediates are `memref.alloc`, which `ps-finalize-kernels` places.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def LinalgToLoops : Pass<"ps-linalg-to-loops", "::mlir::func::FuncOp"> {
  let summary = "lowers linalg ops on memrefs to loops that vectorise";
  let description = [{
    Elementwise ops become one flat loop where their operands are contiguous;
    reductions are carried in registers; what does not change in the inner
    loop is computed outside. Every innermost loop touches memory
    independently per iteration, also when a result is computed in place.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def LowerMath : Pass<"ps-lower-math", "::mlir::ModuleOp"> {
  let summary = "expands f32 functions to arithmetic, calls libm for the rest";
  let description = [{
    f32 exp, expm1, log, log1p and tanh become branch-free arithmetic within
    2 ulp that LLVM vectorises. Conversions from and to bf16 become integer
    arithmetic. Functions without an accurate LLVM intrinsic become calls.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect"
  ];
}

def FinalizeKernels : Pass<"ps-finalize-kernels", "::mlir::func::FuncOp"> {
  let summary = "gives kernels their final signature and places intermediates";
  let description = [{
    A kernel becomes `@k(%buffers: !llvm.ptr, %rowBegin: i64, %rowEnd: i64)`:
    `buffers` points to one pointer per argument, result and scratch buffer,
    each at row 0. Tensors with a leading `?` are touched in the rows
    [rowBegin, rowEnd) only. Small intermediates live on the stack; the bytes
    of the others (bytes per row in a row kernel) are listed in the attribute
    `exec.scratch` in buffer order.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def MarkParallelLoops : Pass<"ps-mark-parallel-loops", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "tells LLVM that innermost kernel loops are parallel";
  let description = [{
    Puts the loads and stores of each innermost loop into an access group and
    names the group on the back edge, so that LLVM vectorises without alias
    checks. Only for loops made by `ps-linalg-to-loops`.
  }];
}

//===----------------------------------------------------------------------===//
// From one program to nodes and kernels, in the order of --ps-compile
//===----------------------------------------------------------------------===//

def SelectProgram : Pass<"ps-select-program", "::mlir::ModuleOp"> {
  let summary = "keeps what one role runs";
  let description = [{
    Moves the body of the ps.program `program` into the module and erases all
    programs; with `function`, makes the other functions private, which leaves
    them to those who call them. A module without programs is its own program. Each `ps.optimize_block` of a pserver
    becomes a function `@<block>.update` that takes the merged gradient as the
    feed "grad".
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
    it. A mesh of one device says nothing (one of several is refused by the
    parser): `sdy.mesh` goes, `sdy.sharding_constraint` becomes its operand, and
    the attribute `sdy.sharding` is removed from ops, arguments and results.

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
    JAX prints its function as the public `@main`. Where another function calls
    it, with values of variables, it is not run by itself: a function that is
    called, and has an argument without `ps.feed`, becomes private. Comes before
    the inliner; what is then not called any more goes with other private
    functions.

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
    f16, in f64 for the gamma functions. Comes after `ps-differentiate`: the
    derivatives of the functions are exact, those of their approximations would
    not be. `compiler/DecomposeChlo.cpp` names the source of each formula.

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
    Calls are inlined, so a function that calls itself, perhaps by way of
    others, is an error at that function; so is, at the call, one that makes a
    function of more than `max-ops` ops. Functions without calls may have any
    number of ops. Comes before the inliner, which would leave calls of the
    first kind behind, and would need hours for the second. Programs are not
    looked into: their functions make no calls. Changes nothing.
  }];
  let options = [
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"::ps::kMaxOps",
           "Ops that a function may have once its calls are inlined">,
  ];
}

def SpecializeBatch : Pass<"ps-specialize-batch", "::mlir::func::FuncOp"> {
  let summary = "replaces `?` by the batch size";
  let description = [{
    After it every type is static, `get_dimension_size` is a constant, and the
    verifier of each op has looked at the new sizes: an op that they do not fit
    is an error at that op. The ids and weights of bags keep their `?`, which is
    not the batch size; that something else uses them is an error.
  }];
  let options = [
    Option<"batchSize", "batch-size", "int64_t", /*default=*/"1",
           "Number of samples in a batch">,
  ];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
}

def ExtractForward : Pass<"ps-extract-forward", "::mlir::func::FuncOp"> {
  let summary = "drops updates and transfers, and what only they need";
  let description = [{
    What remains computes the function's results and changes nothing: a
    `ps.prefetch` is `frozen`, and brings no rows that nobody looks up.
  }];
}

def ExpandOptimizers : Pass<"ps-expand-optimizers", "::mlir::ModuleOp"> {
  let summary = "turns ps.apply into arithmetic and ps.assign";
  let description = [{
    Declares a variable `@<variable>.<slot>` for each slot of the optimizer, with
    `slot_of` and, for the slot of a slice, the slice of the slot.

    A `ps.apply_rows` becomes a `ps.update_rows` and the function
    `@<table>.update_row` (`ps.row_of`), which does the same to one row: it is fed
    "grad", the row's gradient, and, if there is a schedule, "rate". A slot of a
    table is one of each row.

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

def OutlineKernels : Pass<"ps-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "groups stablehlo ops into kernels";
  let description = [{
    What remains in a function are calls of kernels, f32 matrix products,
    constants, reshapes (which are views), checks and ps ops, in an order in
    which gradients are sent and variables updated as early as possible.

    Ops that work row by row, elementwise ops, broadcasts and reductions within
    a row, form *row kernels* with as many results as needed elsewhere;
    reductions over rows and all other ops form *whole kernels*. A producer
    that costs nothing (a constant, an iota, a comparison of those) is repeated
    in each kernel. Kernels of equal bodies are one kernel.
  }];
  let dependentDialects = [
    "::ps::exec::ExecDialect", "::stablehlo::StablehloDialect"
  ];
}

def LowerToExec : Pass<"ps-lower-to-exec", "::mlir::ModuleOp"> {
  let summary = "turns functions into exec programs";
  let description = [{
    Values become memory: a variable is read and updated where it lies, a
    gradient is sent from where it was computed, a reshape is a view. A copy is
    made only where an old value is needed after the variable has its new one,
    or where a value has two names. A row kernel that works on the rows of a
    matrix product becomes its epilogue. A `ps.prefetch` becomes the memory of a
    step's rows, in which gradients of lookups add up.
  }];
  let dependentDialects = ["::ps::exec::ExecDialect"];
}

def FlattenKernels : Pass<"ps-flatten-kernels", "::mlir::ModuleOp"> {
  let summary = "makes elementwise kernels independent of shape";
  let description = [{
    A launched kernel whose ops are all elementwise works on vectors instead:
    it splits evenly over threads, and all updates by one optimizer share one
    kernel. Epilogues keep their shape. Kernels no longer used are erased.
  }];
  let dependentDialects = [
    "::ps::exec::ExecDialect", "::stablehlo::StablehloDialect"
  ];
}

def OptimizeMemory : Pass<"ps-optimize-memory", "::ps::exec::ProgramOp"> {
  let summary = "places buffers in one arena";
  let description = [{
    Buffers that are not in use at the same time, in program order, share
    bytes; the result of an elementwise kernel takes the place of an argument
    that nobody needs any more. A gradient that is being sent is in use until
    the send is awaited. With `report`, remarks on the program tell the bytes
    with and without sharing.
  }];
  let options = [
    Option<"report", "report", "bool", /*default=*/"false",
           "Emit a remark with the sizes">,
  ];
}

def OrderPushes : Pass<"ps-order-pushes", "::ps::exec::ProgramOp"> {
  let summary = "computes and pushes first what the next step needs first";
  let description = [{
    Moves the nodes of a trainer's step: first come those that rows of tables
    and results wait for, then the gradients of variables in the order in which
    the program reads the variables. Pservers update and answer what the next
    step begins with while the trainer computes the rest. Where gradients wait
    for their turn, what they are computed from lives longer: the arena grows.
    Programs without `exec.send` stay as they are.
  }];
}

def SequenceTokens : Pass<"ps-sequence-tokens", "::ps::exec::ProgramOp"> {
  let summary = "orders the nodes that touch the same bytes";
  let description = [{
    Program order decides: a node takes the tokens of the nodes before it that
    write what it touches or touch what it writes, less those that others
    already imply.
  }];
}

def VerifyExec : Pass<"ps-verify-exec", "::ps::exec::ProgramOp"> {
  let summary = "proves that a program may run in any order its tokens allow";
  let description = [{
    Fails when a buffer lies outside the arena, when a node reads bytes that no
    earlier node gave to that buffer, writes a feed or a constant, or touches
    bytes at the same time as a node that writes them.
  }];
}

#endif // PS_COMPILER_PASSES_TD
