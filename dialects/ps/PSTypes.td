//===- PSTypes.td - types of the ps dialect -------------------------------===//

#ifndef PS_TYPES_TD
#define PS_TYPES_TD

include "dialects/ps/PSBase.td"
include "mlir/IR/AttrTypeBase.td"

def PS_TokenType : TypeDef<PS_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "Orders effects that no tensor value orders.";
  let description = [{
    Made by the transfer ops; whoever takes a token starts after its maker is
    done.
  }];
}

#endif // PS_TYPES_TD
