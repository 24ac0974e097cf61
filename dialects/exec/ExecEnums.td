// SPDX-License-Identifier: Apache-2.0
//===- ExecEnums.td - enumerations and attributes of the exec dialect -----===//

#ifndef EXEC_ENUMS_TD
#define EXEC_ENUMS_TD

include "dialects/exec/ExecBase.td"
include "mlir/IR/EnumAttr.td"

def Exec_Comparison : I32EnumAttr<"Comparison", "how two tensors must agree", [
    I32EnumAttrCase<"Eq", 0, "eq">,
    I32EnumAttrCase<"AlmostEq", 1, "almost_eq">,
    I32EnumAttrCase<"Close", 2, "close">]> {
  let cppNamespace = "::ps::exec";
}

def Exec_Epilogue : I32EnumAttr<"Epilogue",
    "what a device does to a product before it writes it", [
    I32EnumAttrCase<"Bias", 0, "bias">,
    I32EnumAttrCase<"Relu", 1, "relu">,
    I32EnumAttrCase<"BiasRelu", 2, "bias_relu">,
    I32EnumAttrCase<"Gelu", 3, "gelu">,
    I32EnumAttrCase<"BiasGelu", 4, "bias_gelu">]> {
  let cppNamespace = "::ps::exec";
}

def Exec_Factor : I32EnumAttr<"Factor", "an operand of a product", [
    I32EnumAttrCase<"A", 0, "a">,
    I32EnumAttrCase<"B", 1, "b">]> {
  let cppNamespace = "::ps::exec";
}

def Exec_ConvolutionKind : I32EnumAttr<"ConvolutionKind",
    "what a convolution computes", [
    I32EnumAttrCase<"Forward", 0, "forward">,
    I32EnumAttrCase<"BackwardInput", 1, "backward_input">,
    I32EnumAttrCase<"BackwardKernel", 2, "backward_kernel">]> {
  let cppNamespace = "::ps::exec";
}

def Exec_MemorySpace : I32EnumAttr<"MemorySpace", "where memory lies", [
    I32EnumAttrCase<"Host", 0, "host">,
    I32EnumAttrCase<"Device", 1, "device">]> {
  let cppNamespace = "::ps::exec";
  let genSpecializedAttr = 0;
}

def Exec_MemorySpaceAttr : EnumAttr<Exec_Dialect, Exec_MemorySpace, "space"> {
  let summary = "the memory space of a memref";
  let description = [{
    `device` is the memory of the process's device, which the host does not
    address. Memory of the host is spelled by leaving the space out, so that a
    type has one spelling: `#exec.space<host>` on a memref is refused.

    ```mlir
    memref<64x128xf32, #exec.space<device>>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Exec_GridAttr : AttrDef<Exec_Dialect, "Grid"> {
  let mnemonic = "grid";
  let summary = "how many blocks of threads a function of a GPU has";
  let description = [{
    The attribute `exec.grid` of a `gpu.func`, set by `ps-schedule-gpu-kernels`.
    The function computes `points` (with `perRow` as many for each row of the
    launch), of which a block takes `pointsPerBlock`; it has as many blocks as
    that takes, in one dimension.

    ```mlir
    #exec.grid<points = 128, perRow = true, pointsPerBlock = 1024>
    ```
  }];
  let parameters = (ins "int64_t":$points, "bool":$perRow,
                        "int64_t":$pointsPerBlock);
  let assemblyFormat = "`<` struct($points, $perRow, $pointsPerBlock) `>`";
}

#endif // EXEC_ENUMS_TD
