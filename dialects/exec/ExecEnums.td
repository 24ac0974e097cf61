// SPDX-License-Identifier: Apache-2.0
//===- ExecEnums.td - enumerations of the exec dialect --------------------===//

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

#endif // EXEC_ENUMS_TD
