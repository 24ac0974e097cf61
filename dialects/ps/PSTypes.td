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

def PS_RowsType : TypeDef<PS_Dialect, "Rows"> {
  let mnemonic = "rows";
  let summary = "Rows of a table, by id.";
  let description = [{
    Distinct ids, and a row of `width` values for each. A gradient of a table,
    or the rows that a step works with. Only ops of this dialect take it.

    ```mlir
    !ps.rows<16 x f32>
    ```
  }];
  let parameters = (ins "int64_t":$width, "::mlir::FloatType":$elementType);
  let assemblyFormat = "`<` $width `x` $elementType `>`";
  let genVerifyDecl = 1;
}

#endif // PS_TYPES_TD
