// SPDX-License-Identifier: Apache-2.0
//===- ExecOps.td - ops of the exec dialect -------------------------------===//

#ifndef EXEC_OPS_TD
#define EXEC_OPS_TD

include "dialects/exec/ExecBase.td"
include "dialects/exec/ExecEnums.td"
include "dialects/exec/ExecInterfaces.td"
include "dialects/ps/PSAttrs.td"
include "dialects/ps/PSTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Exec_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Exec_Dialect, opMnemonic, traits>;

class Exec_BufferOf<string spaces, string where> : ConfinedType<
    StaticShapeMemRefOf<[AnyInteger, AnyFloat]>,
    [CPred<"::llvm::cast<::mlir::MemRefType>($_self).getLayout().isIdentity()">,
     CPred<"::ps::exec::" # spaces # "(::llvm::cast<::mlir::MemRefType>($_self))">],
    "dense memref of static shape" # where>;

/// Dense, row-major memory of static shape.
def Exec_Buffer : Exec_BufferOf<"isInMemorySpace", ", on the host or in "
                                "#exec.space<device>">;
/// For what the host works with: feeds, fetches, transfers, metrics.
def Exec_HostBuffer : Exec_BufferOf<"isOnHost", " on the host">;

/// All buffers of the node lie in one memory space.
def Exec_OneMemorySpace : NativeOpTrait<"OneMemorySpace"> {
  let cppNamespace = "::ps::exec";
}

def Exec_Count : ConfinedAttr<I64Attr, [IntPositive]>;
def Exec_Rows : ConfinedAttr<I64Attr, [IntNonNegative]>;

def Exec_ProgramOp : Exec_Op<"program", [
    Symbol, IsolatedFromAbove, SingleBlock, NoTerminator, NoRegionArguments,
    HasParent<"::mlir::ModuleOp">]> {
  let summary = "one function, ready to run";
  let description = [{
    Made by `ps-lower-to-exec` from a function of the same name; becomes one
    `runtime::Program`. The order of the ops is a valid serial order.
    `ps-optimize-memory` adds `arena`, the bytes that all `exec.buffer`s on the
    host share, and `device_arena`, those of buffers on the device, if any.
    With `row_of` the program updates one row of that table: the table's name
    means the row, and the names of its slots mean the row's slots. With
    `every` the trainer runs it each time that many steps have passed
    (`ps.every`). With `then` its late nodes go on in the background of other
    programs; the trainer runs the program `then` when they have ended
    (`ps.then`).

    ```mlir
    exec.program @train arena(4096) {
      %x = exec.feed "x" : memref<4x8xf32>
      %y = exec.buffer offset(0) : memref<4x8xf32>
      %t = exec.launch @relu rows(4) ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>)
      exec.fetch "y", %y : memref<4x8xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<FlatSymbolRefAttr>:$row_of,
                       OptionalAttr<Exec_Count>:$every,
                       OptionalAttr<FlatSymbolRefAttr>:$then,
                       OptionalAttr<I64Attr>:$arena,
                       OptionalAttr<I64Attr>:$device_arena);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`row_of` `` `(` $row_of^ `)`)? (`every` `` `(` $every^ `)`)?
    (`then` `` `(` $then^ `)`)? (`arena` `` `(` $arena^ `)`)?
    (`device_arena` `` `(` $device_arena^ `)`)? attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Bytes of the arena in `space`; 0 before `ps-optimize-memory`.
    int64_t getArenaBytes(MemorySpace space);
  }];
}

def Exec_CallOp : Exec_Op<"call", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the results of a kernel, as values";
  let description = [{
    Made by `ps-outline-kernels`; `ps-lower-to-exec` gives the results their
    memory and makes an `exec.launch` or an epilogue of it. A leading `?` in
    the kernel's types is the number of rows of the first result.

    ```mlir
    %y = exec.call @relu(%x) : (tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyTensor>:$inputs);
  let results = (outs Variadic<AnyTensor>:$outputs);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)
  }];
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

class Exec_MemoryOp<string opMnemonic, list<Trait> traits = []>
    : Exec_Op<opMnemonic, !listconcat(traits, [HasParent<"ProgramOp">])>;

def Exec_VariableOp : Exec_MemoryOp<"variable", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the memory of a variable of the store";
  let description = [{
    Made by `ps-lower-to-exec`, one per variable that the program uses; the
    loader binds it. In a program with `row_of` the table's name means the row.

    ```mlir
    %w = exec.variable @fc_w : memref<784x128xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Exec_Buffer:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}

def Exec_FeedOp : Exec_MemoryOp<"feed"> {
  let summary = "memory that the caller fills before a step";
  let description = [{
    Made by `ps-lower-to-exec` from an argument with `ps.feed`; the loader gives
    it memory. With several workers (`ps-add-workers`) it is filled from the
    batch of `worker`. `ps-place-on-device` declares a feed in each memory space
    that reads it, and the caller fills all of them.

    ```mlir
    %x = exec.feed "image" : memref<64x784xf32>
    %y = exec.feed "label" worker(1) : memref<64xi64>
    ```
  }];
  let arguments = (ins StrAttr:$feed, OptionalAttr<I64Attr>:$worker);
  let results = (outs Exec_Buffer:$result);
  let assemblyFormat = [{
    $feed (`worker` `` `(` $worker^ `)`)? attr-dict `:` type($result)
  }];
}

def Exec_ConstantOp : Exec_MemoryOp<"constant"> {
  let summary = "memory that holds a constant";
  let description = [{
    Made by `ps-lower-to-exec`; the loader fills it once.

    ```mlir
    %c = exec.constant dense<[1.0, 2.0]> : tensor<2xf32> to memref<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Exec_Buffer:$result);
  let assemblyFormat = "$value attr-dict `to` type($result)";
  let hasVerifier = 1;
}

def Exec_BufferOp : Exec_MemoryOp<"buffer"> {
  let summary = "memory of the arena";
  let description = [{
    Holds an intermediate value. Made by `ps-lower-to-exec`; `ps-optimize-memory`
    assigns its byte offset in the arena. Buffers that are not live at the same
    time share bytes, if they are of the same `worker`: workers do not wait for
    each other.

    ```mlir
    %h = exec.buffer offset(4096) : memref<64x128xf32>
    %i = exec.buffer worker(1) : memref<64x128xf32>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<I64Attr>:$worker);
  let results = (outs Exec_Buffer:$result);
  let assemblyFormat = [{
    (`offset` `` `(` $offset^ `)`)? (`worker` `` `(` $worker^ `)`)? attr-dict
    `:` type($result)
  }];
}

def Exec_ViewOp : Exec_MemoryOp<"view"> {
  let summary = "the same memory under another shape";
  let description = [{
    Made by `ps-lower-to-exec` from a reshape; costs nothing at run time.

    ```mlir
    %v = exec.view %h : memref<64x128xf32> to memref<8192xf32>
    ```
  }];
  let arguments = (ins Exec_Buffer:$source);
  let results = (outs Exec_Buffer:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Exec_FetchOp : Exec_MemoryOp<"fetch"> {
  let summary = "memory in which the caller finds a result after the step";
  let description = [{
    Made by `ps-lower-to-exec` from a result with `ps.fetch`.

    ```mlir
    exec.fetch "loss", %loss : memref<f32>
    ```
  }];
  let arguments = (ins StrAttr:$fetch, Exec_HostBuffer:$buffer);
  let assemblyFormat = "$fetch `,` $buffer attr-dict `:` type($buffer)";
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

class Exec_NodeOp<string opMnemonic, list<Trait> traits = []>
    : Exec_Op<opMnemonic, !listconcat(traits, [
        HasParent<"ProgramOp">,
        DeclareOpInterfaceMethods<Exec_NodeOpInterface, ["getAccesses"]>])> {
  let results = (outs PS_TokenType:$done);
}

def Exec_LaunchOp : Exec_NodeOp<"launch", [
    AttrSizedOperandSegments, Exec_OneMemorySpace,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel";
  let description = [{
    Made by `ps-lower-to-exec` from an `exec.call`; becomes a kernel node. `ins`
    and `outs` are the kernel's arguments and results. With `rows` the
    kernel is a row kernel, and a buffer of an argument with a leading `?` holds
    `rows` rows; only the number of elements of a row must agree, so a kernel
    over `tensor<?xf32>` may run on buffers of any rank.

    ```mlir
    %t = exec.launch @relu rows(64) ins(%a : memref<64x128xf32>) outs(%b : memref<64x128xf32>) after(%t0)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, OptionalAttr<Exec_Rows>:$rows,
                       Variadic<Exec_Buffer>:$inputs,
                       Variadic<Exec_Buffer>:$outputs,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    $kernel (`rows` `` `(` $rows^ `)`)?
    (`ins` `` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `` `(` $outputs `:` type($outputs) `)`
    (`after` `` `(` $after^ `)`)? attr-dict
  }];
}

def Exec_GemmOp : Exec_NodeOp<"gemm", [
    AttrSizedOperandSegments, Exec_OneMemorySpace,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a matrix product, with an optional epilogue";
  let description = [{
    Made by `ps-lower-to-exec` from a `stablehlo.dot_general`; becomes a call of
    oneDNN or, on a device, of cuBLASLt. C[m,n] = op(A) * op(B), `batch` times
    back to back; the buffers may have any rank; only their number of elements
    matters. C is f32, and so are A and B, or both are bf16 on a device: then
    sums are of f32, too, and nothing is rounded.

    `epilogue` is a row kernel that runs on each block of rows of C while the
    block is in cache; its rows are the `batch * m` rows of C, its `with` are its
    arguments (C among them, if it reads it) and its `into` its results.

    ```mlir
    %t = exec.gemm m(64) n(128) k(784) ins(%x, %w : memref<64x784xf32>, memref<784x128xf32>) outs(%c : memref<64x128xf32>) epilogue(@bias_relu with %c, %b : memref<64x128xf32>, memref<128xf32> into %h : memref<64x128xf32>)
    ```

    ```mlir
    %t = exec.gemm m(64) n(128) k(784) ins(%x, %w : memref<64x784xbf16, #exec.space<device>>, memref<784x128xbf16, #exec.space<device>>) outs(%c : memref<64x128xf32, #exec.space<device>>)
    ```

    Two parts are made by `ps-fuse-epilogues`, for products on a device only.
    With `fused` the epilogue adds a vector of n elements to each row (`bias`),
    then takes the maximum with 0 (`relu`) or the tanh form of GELU (`gelu`),
    and nothing else reads C: a device may write the epilogue's result in place
    of C, and not run the kernel. `bias_gradient` sums op(A) or op(B) over k, as
    its kernel does: the gradient of a bias beside that of the weights.

    ```mlir
    %t = exec.gemm m(784) n(128) k(64) transpose_a ins(%x, %d : memref<64x784xf32, #exec.space<device>>, memref<64x128xf32, #exec.space<device>>) outs(%dw : memref<784x128xf32, #exec.space<device>>) bias_gradient(b by @reduce into %db : memref<128xf32, #exec.space<device>>)
    ```
  }];
  let arguments = (ins
    DefaultValuedAttr<Exec_Count, "1">:$batch,
    Exec_Count:$m, Exec_Count:$n, Exec_Count:$k,
    UnitAttr:$transpose_a, UnitAttr:$transpose_b,
    Exec_Buffer:$a, Exec_Buffer:$b, Exec_Buffer:$c,
    OptionalAttr<FlatSymbolRefAttr>:$epilogue,
    Variadic<Exec_Buffer>:$epilogue_inputs,
    Variadic<Exec_Buffer>:$epilogue_outputs,
    OptionalAttr<Exec_Epilogue>:$fused,
    OptionalAttr<Exec_Factor>:$summed,
    OptionalAttr<FlatSymbolRefAttr>:$bias_gradient_kernel,
    Optional<Exec_Buffer>:$bias_gradient,
    Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    (`batch` `` `(` $batch^ `)`)? `m` `` `(` $m `)` `n` `` `(` $n `)` `k` `` `(` $k `)`
    (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)?
    `ins` `` `(` $a `,` $b `:` type($a) `,` type($b) `)`
    `outs` `` `(` $c `:` type($c) `)`
    (`epilogue` `` `(` $epilogue^ `with` $epilogue_inputs `:`
       type($epilogue_inputs) `into` $epilogue_outputs `:`
       type($epilogue_outputs) `)`)?
    (`fused` `` `(` $fused^ `)`)?
    (`bias_gradient` `` `(` $summed^ `by` $bias_gradient_kernel `into`
       $bias_gradient `:` type($bias_gradient) `)`)?
    (`after` `` `(` $after^ `)`)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// Whether A and B are bf16.
    bool multipliesBf16();
    /// The operand whose sums are the bias gradient; null if there is none.
    ::mlir::Value getSummedOperand();
    /// The input of the fused epilogue that is added to each row, if any.
    ::mlir::Value getBias();
  }];
  let hasVerifier = 1;
}

def Exec_CopyOp : Exec_NodeOp<"copy"> {
  let summary = "copies a buffer";
  let description = [{
    Made by `ps-lower-to-exec`, only where a value needs memory of its own: two
    names, or an old value of a variable that is read after the new one. The
    one node that reaches from one memory space to another.

    ```mlir
    %t = exec.copy %a to %b after(%t0) : memref<4xf32>
    ```
  }];
  let arguments = (ins Exec_Buffer:$source, Exec_Buffer:$target,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    $source `to` $target (`after` `` `(` $after^ `)`)? attr-dict `:`
    type($source) `,` type($target)
  }];
  let hasVerifier = 1;
}

def Exec_CheckOp : Exec_NodeOp<"check"> {
  let summary = "fails the step when two buffers differ";
  let description = [{
    `eq`: the same values bit for bit, NaN equal to NaN. `almost_eq`: floats may
    differ by `tolerance`. `close`: floats may be up to `max_ulps` representable
    values apart, and at least `min_ulps`. From `check.expect_*` calls.

    ```mlir
    %t = exec.check close %actual, %expected after(%t0) : memref<4xf32>
    ```
  }];
  let arguments = (ins Exec_Comparison:$comparison,
                       Exec_HostBuffer:$actual, Exec_HostBuffer:$expected,
                       Variadic<PS_TokenType>:$after,
                       DefaultValuedAttr<F64Attr, "1.0e-4">:$tolerance,
                       DefaultValuedAttr<I64Attr, "0">:$min_ulps,
                       DefaultValuedAttr<I64Attr, "3">:$max_ulps);
  let assemblyFormat = [{
    $comparison $actual `,` $expected (`after` `` `(` $after^ `)`)? attr-dict
    `:` type($actual) `,` type($expected)
  }];
  let hasVerifier = 1;
}

def Exec_MetricOp : Exec_NodeOp<"metric", [AttrSizedOperandSegments]> {
  let summary = "adds a batch to a number measured over many batches";
  let description = [{
    From `ps.metric`, which describes the kinds.

    ```mlir
    %t = exec.metric auc("auc", %p, %y) bins(4096) after(%t0) : memref<8x1xf32>, memref<8x1xf32>
    ```
  }];
  let arguments = (ins PS_MetricKind:$kind, StrAttr:$name,
                       Variadic<Exec_HostBuffer>:$inputs, I64Attr:$bins,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    $kind `` `(` $name `,` $inputs `)` `bins` `` `(` $bins `)`
    (`after` `` `(` $after^ `)`)? attr-dict `:` type($inputs)
  }];
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// A node of the exchange of a step with the pservers. The exchange of a step
/// begins after that of the step before has ended, and only its nodes may be
/// under way when their step is over.
def Exec_InExchange : NativeOpTrait<"InExchange"> {
  let cppNamespace = "::ps::exec";
}

/// A transfer has one or more parts, which form one message: each has a buffer,
/// a range of its rows and the block that they are. `round` is the exchange of
/// the step that it belongs to.
class Exec_TransferOp<string opMnemonic, string preposition>
    : Exec_NodeOp<opMnemonic, [AttrSizedOperandSegments, Exec_InExchange]> {
  let arguments = (ins DenseI64ArrayAttr:$row_offsets, DenseI64ArrayAttr:$rows,
                       Variadic<Exec_HostBuffer>:$buffers,
                       FlatSymbolRefAttr:$server, StrArrayAttr:$blocks,
                       DefaultValuedAttr<Exec_Rows, "0">:$round,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = "custom<Parts>($row_offsets, $rows, $buffers) `"
    # preposition # "` `` `(` $server `)` custom<Blocks>($blocks)"
    # "(`round` `` `(` $round^ `)`)? (`after` `` `(` $after^ `)`)? attr-dict"
    # "`:` type($buffers)";
  let hasVerifier = 1;
}

def Exec_SendOp : Exec_TransferOp<"send", "to"> {
  let summary = "pushes rows of gradients without a copy";
  let description = [{
    From a `ps.send`, or from all sends of a bucket. The buffers must not change
    until the token is ready.

    ```mlir
    %t = exec.send rows(0, 392) %grad to(@pserver_0) block("fc_w.block0") after(%t0) : memref<784x128xf32>
    %s = exec.send rows(0, 4) %a, rows(0, 8) %b to(@pserver_0) block("a", "b") : memref<4xf32>, memref<8xf32>
    ```
  }];
}

def Exec_TakeLargestOp : Exec_NodeOp<"take_largest"> {
  let summary = "takes the largest elements of what has not been sent";
  let description = [{
    From `ps.take_largest`, which describes what happens to `rows` of `unsent`,
    and what is written to `outs`.

    ```mlir
    %t = exec.take_largest rows(0, 392) ins(%grad : memref<784x128xf32>) unsent(%u : memref<784x128xf32>) outs(%l : memref<502x2xui32>) after(%t0)
    ```
  }];
  let arguments = (ins I64Attr:$row_offset, I64Attr:$rows,
                       Exec_HostBuffer:$gradient, Exec_HostBuffer:$unsent,
                       Exec_HostBuffer:$largest,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    `rows` `` `(` $row_offset `,` $rows `)`
    `ins` `` `(` $gradient `:` type($gradient) `)`
    `unsent` `` `(` $unsent `:` type($unsent) `)`
    `outs` `` `(` $largest `:` type($largest) `)`
    (`after` `` `(` $after^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Exec_RecvOp : Exec_TransferOp<"recv", "from"> {
  let summary = "pulls rows of variables into place";
  let description = [{
    From a `ps.recv`, or from all recvs of a bucket. `ps-pull-early` makes it
    wait for the pushes of its blocks instead of the barrier.

    ```mlir
    %t = exec.recv rows(0, 392) %w from(@pserver_0) block("fc_w.block0") after(%b) : memref<784x128xf32>
    ```
  }];
}

def Exec_PushPullOp
    : Exec_NodeOp<"push_pull", [AttrSizedOperandSegments, Exec_InExchange]> {
  let summary = "pushes rows of gradients and pulls what they update";
  let description = [{
    Made by `ps-push-pull` from `exec.send`s and `exec.recv`s of the same rows:
    one message each way, and no barriers. Done when the pserver has updated the
    blocks and the rows of `variables` are written. The gradients must not
    change until then. In exchanges of one round.

    ```mlir
    %t = exec.push_pull rows(0, 4) %g, rows(0, 8) %h into %v, %w at(@pserver_0) block("a", "b") after(%t0) : memref<4xf32>, memref<8xf32> into memref<4xf32>, memref<8xf32>
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$row_offsets, DenseI64ArrayAttr:$rows,
                       Variadic<Exec_HostBuffer>:$gradients,
                       Variadic<Exec_HostBuffer>:$variables,
                       FlatSymbolRefAttr:$server, StrArrayAttr:$blocks,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    custom<Parts>($row_offsets, $rows, $gradients) `into` $variables
    `at` `` `(` $server `)` custom<Blocks>($blocks)
    (`after` `` `(` $after^ `)`)? attr-dict
    `:` type($gradients) `into` type($variables)
  }];
  let hasVerifier = 1;
}

class Exec_BarrierOp<string opMnemonic>
    : Exec_NodeOp<opMnemonic, [Exec_InExchange]> {
  let arguments = (ins FlatSymbolRefArrayAttr:$servers,
                       DefaultValuedAttr<Exec_Rows, "0">:$round,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    `to` `` `(` $servers `)` (`round` `` `(` $round^ `)`)?
    (`after` `` `(` $after^ `)`)? attr-dict
  }];
}

def Exec_SendBarrierOp : Exec_BarrierOp<"send_barrier"> {
  let summary = "ends the pushes of a step";
  let description = [{
    From `ps.send_barrier`. Done when every pserver has updated its blocks.

    ```mlir
    %b = exec.send_barrier to([@pserver_0]) after(%t0, %t1)
    ```
  }];
}

def Exec_FetchBarrierOp : Exec_BarrierOp<"fetch_barrier"> {
  let summary = "ends the pulls of a step";
  let description = [{
    From `ps.fetch_barrier`.

    ```mlir
    %f = exec.fetch_barrier to([@pserver_0]) after(%r0, %r1)
    ```
  }];
}

def Exec_CarryOp : Exec_Op<"carry", [HasParent<"ProgramOp">]> {
  let summary = "lets a node still run when the next step begins";
  let description = [{
    The node of `late`, which belongs to the exchange, is *late*: the step ends
    without waiting for it. In the next step the nodes of the tokens `before`,
    and the late node itself, wait for it. A deterministic executor waits for
    late nodes like for all others.

    Made by `ps-overlap-steps`, proved sufficient by `ps-verify-exec`; becomes
    `Program::carry`. Programs without it end with their last node.

    ```mlir
    exec.carry %late before(%t0, %t1)
    ```
  }];
  let arguments = (ins PS_TokenType:$late, Variadic<PS_TokenType>:$before);
  let assemblyFormat = "$late (`before` `` `(` $before^ `)`)? attr-dict";
  let hasVerifier = 1;
}

def Exec_GraphOp : Exec_Op<"graph", [HasParent<"ProgramOp">]> {
  let summary = "nodes that a device is given as one";
  let description = [{
    The nodes of `tokens`, in program order, are queued one behind the other
    when all that they wait for outside of the graph is done, and their tokens
    are ready together. Only kernels, products and copies within
    `#exec.space<device>`, which work with the same memory in every step.

    Made by `ps-group-device-nodes`, proved harmless by `ps-verify-exec`;
    becomes one node of the runtime, which a GPU runs as a CUDA graph. With
    `--trace` its nodes stay nodes.

    ```mlir
    exec.graph %t0, %t1
    ```
  }];
  let arguments = (ins Variadic<PS_TokenType>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
}

/// A node that all trainers run. `channel` is its place among those of a step:
/// each starts after the one before it, so that all trainers issue the same
/// operations in the same order.
def Exec_Collective : NativeOpTrait<"Collective"> {
  let cppNamespace = "::ps::exec";
}

def Exec_AllReduceOp : Exec_NodeOp<"all_reduce", [
    AttrSizedOperandSegments, Exec_OneMemorySpace, Exec_Collective]> {
  let summary = "the mean of some gradients over all trainers";
  let description = [{
    From `ps.all_reduce`. The gradients must not change until the token is
    ready; the means are then available. `ps-sequence-tokens` has each
    collective start after the one before it; `ps-verify-exec` proves that
    channels ascend.

    ```mlir
    %t = exec.all_reduce channel(0) ins(%g0, %g1 : memref<4xf32>, memref<8xf32>) outs(%m0, %m1 : memref<4xf32>, memref<8xf32>) after(%t0)
    ```
  }];
  let arguments = (ins Exec_Rows:$channel, Variadic<Exec_Buffer>:$gradients,
                       Variadic<Exec_Buffer>:$means,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    `channel` `` `(` $channel `)` `ins` `` `(` $gradients `:` type($gradients) `)`
    `outs` `` `(` $means `:` type($means) `)` (`after` `` `(` $after^ `)`)?
    attr-dict
  }];
  let hasVerifier = 1;
}

def Exec_BroadcastOp : Exec_NodeOp<"broadcast", [
    Exec_OneMemorySpace, Exec_Collective]> {
  let summary = "sets a variable to the value of trainer 0";
  let description = [{
    From `ps.broadcast`.

    ```mlir
    %t = exec.broadcast channel(0) %w : memref<784x128xf32>
    ```
  }];
  let arguments = (ins Exec_Rows:$channel, Exec_Buffer:$variable,
                       Variadic<PS_TokenType>:$after);
  let assemblyFormat = [{
    `channel` `` `(` $channel `)` $variable (`after` `` `(` $after^ `)`)?
    attr-dict `:` type($variable)
  }];
}

include "dialects/exec/ExecConvolutionOp.td"
include "dialects/exec/ExecRowOps.td"

#endif // EXEC_OPS_TD
