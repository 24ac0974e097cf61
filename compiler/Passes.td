//===- Passes.td - the compiler's passes ----------------------------------===//

#ifndef PS_COMPILER_PASSES_TD
#define PS_COMPILER_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// From a single-machine graph to one program per role
//===----------------------------------------------------------------------===//

def Differentiate : Pass<"ps-differentiate", "::mlir::func::FuncOp"> {
  let summary = "turns ps.minimize into gradients and ps.apply";
  let description = [{
    Emits, where `ps.minimize` stands, the backward pass of the ops between
    the trainable variables and the loss, then one `ps.apply` per variable in
    order of name. Variables that are not trainable or do not reach the loss
    get none, as do those that reach it only through ops that are constant
    almost everywhere (`floor`, a conversion to integers).

    Calls must have been inlined. A differentiable op implements
    `DifferentiableOpInterface`; any other on the way to the loss is an error
    that names the way.

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

def PlaceVariables : Pass<"ps-place-variables", "::mlir::ModuleOp"> {
  let summary = "decides which pserver holds which rows of each variable";
  let description = [{
    Cuts every variable that a `ps.apply` updates into blocks of whole rows and
    gives each block to a pserver. The result stands in the variables'
    `placements` and in the module's `ps.cluster`, which `ps-partition` takes
    off. Variables are treated in name order, so the order of the text does not
    matter.
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
           /*default=*/"\"RoundRobin\"",
           "Who gets a block: RoundRobin, HashName, SizeBalanced or a "
           "registered dispatcher">,
    Option<"sliceVarUp", "slice-var-up", "bool", /*default=*/"true",
           "Cut large variables into blocks">,
    Option<"minBlockSize", "min-block-size", "int64_t", /*default=*/"8192",
           "Elements below which a block is not made smaller">,
    Option<"geoSteps", "geo-steps", "int64_t", /*default=*/"0",
           "Steps between two exchanges in mode=geo; 0 when not given">,
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
  }];
}

def VerifyPrograms : Pass<"ps-verify-programs", "::mlir::ModuleOp"> {
  let summary = "proves that the programs of a job fit together";
  let description = [{
    Every send has exactly one receiving block and every pull one owner, with
    the same origin, rows and type; the blocks of a variable tile it; barriers
    reach every pserver and wait for everything of their step; no process waits
    for itself through another one. Changes nothing.
  }];
}

def ExtractProgram : Pass<"ps-extract-program", "::mlir::ModuleOp"> {
  let summary = "keeps one program of a job";
  let options = [
    Option<"name", "name", "std::string", /*default=*/"\"\"",
           "Name of the program to keep, e.g. pserver_0">,
  ];
}

//===----------------------------------------------------------------------===//
// Kernels, in the order in which buildKernelPipeline runs them
//===----------------------------------------------------------------------===//

def StablehloToLinalg : Pass<"ps-stablehlo-to-linalg", "::mlir::func::FuncOp"> {
  let summary = "lower kernel functions from stablehlo to fused linalg ops";
  let description = [{
    Works on functions with the attribute `exec.kernel`: one block of
    stablehlo ops on ranked tensors. Elementwise ops over one iteration space,
    with the broadcasts, transposes, slices, constants and iotas that feed
    them, become one `linalg.generic` with a result per value that is needed
    outside, together with the reductions over the same space. The function
    then takes one memref per argument and, behind them, one per result; i1 is
    stored as one byte and unsigned integers as signless ones.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def BufferizeKernels : Pass<"ps-bufferize-kernels", "::mlir::ModuleOp"> {
  let summary = "replace the tensors in kernels by memrefs, in place";
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
  let summary = "lower linalg ops on memrefs to loops that vectorise";
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
  let summary = "expand f32 functions to arithmetic, call libm for the rest";
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
  let summary = "give kernels their final signature and place intermediates";
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
  let summary = "tell LLVM that innermost kernel loops are parallel";
  let description = [{
    Puts the loads and stores of each innermost loop into an access group and
    names the group on the back edge, so that LLVM vectorises without alias
    checks. Only for loops made by `ps-linalg-to-loops`.
  }];
}

#endif // PS_COMPILER_PASSES_TD
