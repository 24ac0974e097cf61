// SPDX-License-Identifier: Apache-2.0
//===- StablehloControlOps.td - loops, choices and calls ------------------===//
//
// Ops that are replaced before anything else is done with a graph, by what they
// hold or call.
//
//===----------------------------------------------------------------------===//

#ifndef STABLEHLO_CONTROL_OPS_TD
#define STABLEHLO_CONTROL_OPS_TD

include "dialects/stablehlo/StablehloAttrs.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"

def Stablehlo_WhileOp : Stablehlo_Op<"while", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface,
                              ["getAsmBlockArgumentNames"]>]> {
  let summary = "repeats a body as long as a condition holds";
  let description = [{
    Both regions take the current values, at first the operands. While `cond`
    returns true, `body` computes the next ones; the last ones are the results.
    The regions may use values from outside.

    JAX writes it for `lax.scan`, `lax.fori_loop` and the random numbers of
    `jax.random`. `ps-unroll-loops` replaces it by its iterations, whose number
    constants must determine; no later pass knows it.

    ```mlir
    %4:2 = stablehlo.while(%iterArg = %0, %iterArg_0 = %1) : tensor<i32>, tensor<4xf32>
    cond {
      %5 = stablehlo.compare LT, %iterArg, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = stablehlo.add %iterArg, %3 : tensor<i32>
      %6 = stablehlo.tanh %iterArg_0 : tensor<4xf32>
      stablehlo.return %5, %6 : tensor<i32>, tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operand);
  let results = (outs Variadic<Stablehlo_Tensor>);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  // Custom: operands are bound to the names of both regions' arguments.
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Stablehlo_CaseOp : Stablehlo_Op<"case", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "one of several branches, selected by an index";
  let description = [{
    The results are what branch `index` returns; the last branch if there is
    none of that number. JAX writes it for `lax.cond` and `lax.switch`.

    `ps-select-branches` replaces it: by the branch, where the index is
    constant, else by all branches and selections among their results. All
    branches are then computed.

    ```mlir
    %2 = "stablehlo.case"(%0) ({
      stablehlo.return %1 : tensor<4xf32>
    }, {
      %3 = stablehlo.tanh %1 : tensor<4xf32>
      stablehlo.return %3 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins 0DTensorOf<[I32]>:$index);
  let results = (outs Variadic<Stablehlo_Tensor>);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let hasRegionVerifier = 1;
}

def Stablehlo_IfOp : Stablehlo_Op<"if", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "one of two branches, selected by a condition";
  let description = [{
    `ps-select-branches` replaces it, as it does `case`.

    ```mlir
    %2 = "stablehlo.if"(%0) ({
      stablehlo.return %1 : tensor<4xf32>
    }, {
      %3 = stablehlo.tanh %1 : tensor<4xf32>
      stablehlo.return %3 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins 0DTensorOf<[I1]>:$pred);
  let results = (outs Variadic<Stablehlo_Tensor>);
  let regions = (region SizedRegion<1>:$true_branch,
                        SizedRegion<1>:$false_branch);
  let hasRegionVerifier = 1;
}

def Stablehlo_CompositeOp : Stablehlo_Op<"composite", [
    DeclareOpInterfaceMethods<CallOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a call of a function that other compilers know by name";
  let description = [{
    `jax.export` writes it in place of some functions of chlo. Here it is a call
    of its `decomposition`, and inlined as other calls are.

    ```mlir
    %1:2 = stablehlo.composite "chlo.top_k" %0 {composite_attributes = {k = 2 : i64}, decomposition = @top_k.impl, version = 1 : i32} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
    ```
  }];
  let arguments = (ins
    Variadic<Stablehlo_Tensor>:$inputs, StrAttr:$name,
    OptionalAttr<DictionaryAttr>:$composite_attributes,
    FlatSymbolRefAttr:$decomposition, OptionalAttr<I32Attr>:$version);
  let results = (outs Variadic<Stablehlo_Tensor>);
  let assemblyFormat =
      "$name $inputs attr-dict `:` functional-type(operands, results)";
}

#endif // STABLEHLO_CONTROL_OPS_TD
