// SPDX-License-Identifier: Apache-2.0
//===- PSTypes.td - types of the ps dialect -------------------------------===//

#ifndef PS_TYPES_TD
#define PS_TYPES_TD

include "dialects/ps/PSBase.td"
include "mlir/IR/AttrTypeBase.td"

def PS_TokenType : TypeDef<PS_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "Orders effects between which no tensor value flows.";
  let description = [{
    Made by the transfer ops; an op that takes a token starts after the op that
    made it is done.
  }];
}

def PS_RowsType : TypeDef<PS_Dialect, "Rows"> {
  let mnemonic = "rows";
  let summary = "Rows of a table, by id.";
  let description = [{
    Distinct ids, and a row of `width` values for each: a gradient of a table,
    or the rows that a step works with. Used only by ops of this dialect.

    ```mlir
    !ps.rows<16 x f32>
    ```
  }];
  let parameters = (ins "int64_t":$width, "::mlir::FloatType":$elementType);
  let assemblyFormat = "`<` $width `x` $elementType `>`";
  let genVerifyDecl = 1;
}

#endif // PS_TYPES_TD
