//===- ExecEnums.td - enumerations of the exec dialect --------------------===//

#ifndef EXEC_ENUMS_TD
#define EXEC_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def Exec_Comparison : I32EnumAttr<"Comparison", "how two tensors must agree", [
    I32EnumAttrCase<"Eq", 0, "eq">,
    I32EnumAttrCase<"AlmostEq", 1, "almost_eq">,
    I32EnumAttrCase<"Close", 2, "close">]> {
  let cppNamespace = "::ps::exec";
}

#endif // EXEC_ENUMS_TD
