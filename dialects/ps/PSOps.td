//===- PSOps.td - ops of the ps dialect -----------------------------------===//

#ifndef PS_OPS_TD
#define PS_OPS_TD

include "dialects/ps/PSAttrs.td"
include "dialects/ps/PSTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// The element types of what is trained: those the compiler computes with.
defvar PS_floats = [BF16, F16, F32, F64];

class PS_Op<string opMnemonic, list<Trait> traits = []>
    : Op<PS_Dialect, opMnemonic, traits>;

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
    A variable with `trainable = false` gets no gradient. `slot_of` names the
    variable whose optimizer state this one is (made by
    `ps-expand-optimizers`).

    ```mlir
    ps.variable @fc_b : tensor<400xf32> init(#ps.constant<0.0>) {learning_rate_scale = 2.0 : f64}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<StaticShapeTensorOf<PS_floats>>:$type,
    PS_InitializerAttrInterface:$init,
    OptionalAttr<F64Attr>:$learning_rate_scale,
    DefaultValuedAttr<BoolAttr, "true">:$trainable,
    OptionalAttr<PS_PlacementArrayAttr>:$placements,
    OptionalAttr<PS_SliceAttr>:$slice,
    OptionalAttr<FlatSymbolRefAttr>:$slot_of);
  let assemblyFormat = [{
    $sym_name `:` $type `init` `` `(` $init `)`
    (`placed` $placements^)? (`slice` `` `(` qualified($slice)^ `)`)?
    (`slot_of` `` `(` $slot_of^ `)`)? attr-dict
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
    /// The type of the whole variable that this one is a slice of, or its own.
    ::mlir::RankedTensorType getWholeType();
  }];
}

def PS_ReadOp : PS_Op<"read", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the value a variable has at this point";
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
    variable. The loss is a scalar float.

    ```mlir
    ps.minimize %loss using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
    ```
  }];
  let arguments = (ins 0DTensorOf<PS_floats>:$loss,
                       PS_OptimizerAttrInterface:$optimizer);
  let assemblyFormat =
      "$loss `using` `` `(` $optimizer `)` attr-dict `:` type($loss)";
  let hasVerifier = 1;
}

def PS_ApplyOp : PS_Op<"apply", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "one optimizer step of one variable";
  let description = [{
    Made by `ps-differentiate` or written by users who bring their own
    gradients. `ps-partition` moves it into the `ps.optimize_block` of each
    block of the variable; `ps-expand-optimizers` turns it into StableHLO
    and `ps.assign`.

    ```mlir
    ps.apply @fc_w, %grad using(#ps.sgd<learning_rate = 0.1>) : tensor<247x400xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable,
                       AnyStaticShapeTensor:$gradient,
                       PS_OptimizerAttrInterface:$optimizer);
  let assemblyFormat = [{
    $variable `,` $gradient `using` `` `(` $optimizer `)` attr-dict `:`
    type($gradient)
  }];
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
    `ps.listen_and_serv`. `endpoint` is required for, and only for, a pserver.
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

/// Network effects keep these ops where they are; tokens order them further.
class PS_TransferOp<string opMnemonic, list<Trait> traits = []>
    : PS_Op<opMnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])>;

def PS_SendOp : PS_TransferOp<"send", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "pushes some rows of a gradient to the pserver that owns them";
  let description = [{
    Made by `ps-partition`, one per block, right after the gradient's producer;
    becomes `exec.send`. Rows [`row_offset`, `row_offset` + `rows`) of the
    gradient travel to `endpoint`, for the block `block` of its program. The
    rows are sent from where they lie.

    ```mlir
    %t = ps.send @fc_w rows(0, 392), %grad to("127.0.0.1:6174") block("fc_w.block0") : tensor<784x128xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable,
                       I64Attr:$row_offset, I64Attr:$rows,
                       AnyStaticShapeTensor:$gradient,
                       StrAttr:$endpoint, StrAttr:$block);
  let results = (outs PS_TokenType:$done);
  let assemblyFormat = [{
    $variable `rows` `` `(` $row_offset `,` $rows `)` `,` $gradient
    `to` `` `(` $endpoint `)` `block` `` `(` $block `)` attr-dict `:`
    type($gradient)
  }];
}

def PS_SendBarrierOp : PS_TransferOp<"send_barrier"> {
  let summary = "tells the pservers that all gradients of the step are sent";
  let description = [{
    Made by `ps-partition` in sync mode; becomes `exec.send_barrier`. Done when
    every pserver has merged the step and updated its blocks.

    ```mlir
    %b = ps.send_barrier(%t0, %t1) to(["127.0.0.1:6174", "127.0.0.1:6175"])
    ```
  }];
  let arguments = (ins Variadic<PS_TokenType>:$after, StrArrayAttr:$endpoints);
  let results = (outs PS_TokenType:$done);
  let assemblyFormat =
      "`(` $after `)` `to` `` `(` $endpoints `)` attr-dict";
}

def PS_RecvOp : PS_TransferOp<"recv", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "pulls some rows of a variable from the pserver that owns them";
  let description = [{
    Made by `ps-partition`, one per block; becomes `exec.recv`. Writes rows
    [`row_offset`, `row_offset` + `rows`) of the trainer's copy in place.

    ```mlir
    %r = ps.recv @fc_w rows(0, 392) from("127.0.0.1:6174") block("fc_w.block0") after(%b)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable,
                       I64Attr:$row_offset, I64Attr:$rows,
                       StrAttr:$endpoint, StrAttr:$block,
                       Variadic<PS_TokenType>:$after);
  let results = (outs PS_TokenType:$done);
  let assemblyFormat = [{
    $variable `rows` `` `(` $row_offset `,` $rows `)`
    `from` `` `(` $endpoint `)` `block` `` `(` $block `)`
    (`after` `` `(` $after^ `)`)? attr-dict
  }];
}

def PS_FetchBarrierOp : PS_TransferOp<"fetch_barrier"> {
  let summary = "tells the pservers that all variables of the step arrived";
  let description = [{
    Made by `ps-partition` in sync mode, last in `@startup` and in the step;
    becomes `exec.fetch_barrier`. A pserver accepts the next step's gradients
    after every trainer's fetch barrier.

    ```mlir
    %f = ps.fetch_barrier(%r0, %r1) to(["127.0.0.1:6174", "127.0.0.1:6175"])
    ```
  }];
  let arguments = (ins Variadic<PS_TokenType>:$after, StrArrayAttr:$endpoints);
  let results = (outs PS_TokenType:$done);
  let assemblyFormat =
      "`(` $after `)` `to` `` `(` $endpoints `)` attr-dict";
}

//===----------------------------------------------------------------------===//
// Serving, in pserver programs
//===----------------------------------------------------------------------===//

def PS_ListenAndServOp : PS_TransferOp<"listen_and_serv", [
    SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "serves a pserver's blocks until every trainer is done";
  let description = [{
    Made by `ps-partition`; kept by the compile pipeline, which lowers the
    optimize blocks inside to exec programs of their own. In sync mode a step
    is: take one gradient per block from each live trainer, average over the
    trainers that contributed, run every optimize block, release the pulls.

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

def PS_OptimizeBlockOp : PS_Op<"optimize_block", [
    SingleBlock, NoTerminator, IsolatedFromAbove, HasParent<"ListenAndServOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "updates one block from its merged gradient";
  let description = [{
    Made by `ps-partition`, one per block of the pserver. The argument is the
    merged gradient, of the block's type. Becomes one exec program.

    ```mlir
    ps.optimize_block @fc_w.block0 (%grad: tensor<392x128xf32>) {
      ps.apply @fc_w.block0, %grad using(#ps.sgd<learning_rate = 0.1>) : tensor<392x128xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1; // the region's argument is part of the line
  let hasVerifier = 1;
}

#endif // PS_OPS_TD
