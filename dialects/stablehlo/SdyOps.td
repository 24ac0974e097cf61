// SPDX-License-Identifier: Apache-2.0
//===- SdyOps.td - a mesh of one device -----------------------------------===//

#ifndef STABLEHLO_SDY_OPS_TD
#define STABLEHLO_SDY_OPS_TD

include "dialects/stablehlo/StablehloBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::stablehlo::sdy";
  let summary = "shardings over one device";
  let description = [{
    The meshes that JAX prints. A mesh of one device, and the ops that refer to
    it, have no effect: `ps-drop-shardings` removes them. A mesh of several
    devices is an error, because this compiler distributes a graph itself
    (`ps-place-variables`); every other op is the error `sdy.xyz is not
    supported`.
  }];
  let usePropertiesForAttributes = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;
    void *getRegisteredInterfaceForOp(::mlir::TypeID interface,
                                      ::mlir::OperationName name) override;
  }];
}

def Sdy_MeshOp : Op<Sdy_Dialect, "mesh", [Symbol]> {
  let summary = "a mesh of one device";
  let description = [{
    Names axes of size 1, or none. JAX writes it; `ps-drop-shardings` removes
    it.

    ```mlir
    sdy.mesh @mesh = <["x"=1, "y"=1]>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axes);
  // Custom: `name=size` pairs, whose sizes must be 1.
  let assemblyFormat = "$sym_name `=` custom<Mesh>($axes) attr-dict";
}

def Sdy_ShardingConstraintOp : Op<Sdy_Dialect, "sharding_constraint", [
    Pure, AllTypesMatch<["input", "result"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "its operand";
  let description = [{
    Asks for a sharding over a mesh, which is one device. JAX writes it;
    `ps-drop-shardings` replaces it by its operand.

    ```mlir
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {} ]> : tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Stablehlo_Tensor:$input, FlatSymbolRefAttr:$mesh,
                       TypedArrayAttrBase<StrArrayAttr,
                           "axes per dimension">:$dimensions);
  let results = (outs Stablehlo_Tensor:$result);
  // Custom: a list of lists of axes.
  let assemblyFormat = [{
    $input custom<Sharding>($mesh, $dimensions) attr-dict `:` type($result)
  }];
}

#endif // STABLEHLO_SDY_OPS_TD
