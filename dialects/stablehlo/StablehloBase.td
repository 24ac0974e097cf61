// SPDX-License-Identifier: Apache-2.0
//===- StablehloBase.td - dialect, types and op classes -------------------===//

#ifndef STABLEHLO_BASE_TD
#define STABLEHLO_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Stablehlo_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::stablehlo";
  let summary = "what is computed: the tensor ops of training graphs";
  let description = [{
    Our own definition of the part of the public StableHLO op set that training
    graphs use: the same names, attributes, pretty syntax and generic form, so
    that text printed by `jax.jit(f).lower(..).as_text()` parses unchanged. An
    op outside this set is the error `stablehlo.xyz is not supported`.

    Tensors are ranked. A `?` in a shape is always the batch size: it may be
    used wherever a size may, two `?` are equal, and `?` is compatible with
    every static size until it is replaced by the batch size.

    Users and importers write these ops; `ps-differentiate` and
    `ps-expand-optimizers` make more. `ps-outline-kernels` moves them into
    kernels, where `ps-stablehlo-to-linalg` removes them; matrix products of f32
    become `exec.gemm` in `ps-lower-to-exec`.

    Every op except `custom_call` is free of side effects and is defined for all
    values of its operands: none traps.
  }];
  let useDefaultAttributePrinterParser = 0;
  let usePropertiesForAttributes = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Parses attributes of this dialect; keeps unknown ones as opaque text, so
    /// that the op which has them can be reported as unsupported.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr,
                        ::mlir::DialectAsmPrinter &printer) const override;
    /// The same for types: this dialect has none.
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;

    /// Reports an op outside the set, in pretty form.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;
    /// Reports an op outside the set, in generic form.
    void *getRegisteredInterfaceForOp(::mlir::TypeID interface,
                                      ::mlir::OperationName name) override;
    void registerAttributes();
  }];
}

//===----------------------------------------------------------------------===//
// Element types and tensors
//===----------------------------------------------------------------------===//

def Stablehlo_SignedInt : SignlessIntOfWidths<[8, 16, 32, 64]>;
def Stablehlo_UnsignedInt : UnsignedIntOfWidths<[8, 16, 32, 64]>;
def Stablehlo_Int : AnyTypeOf<[Stablehlo_SignedInt, Stablehlo_UnsignedInt],
    "8, 16, 32 or 64 bit integer">;
def Stablehlo_Float : AnyTypeOf<[BF16, F16, F32, F64],
    "bf16, f16, f32 or f64">;

class Stablehlo_TensorOf<list<Type> elements>
    : RankedTensorOf<elements>;
def Stablehlo_Tensor : Stablehlo_TensorOf<
    [I1, Stablehlo_Int, Stablehlo_Float]>;
def Stablehlo_FloatTensor : Stablehlo_TensorOf<[Stablehlo_Float]>;
def Stablehlo_NumberTensor : Stablehlo_TensorOf<
    [Stablehlo_Int, Stablehlo_Float]>;
def Stablehlo_SignedNumberTensor : Stablehlo_TensorOf<
    [Stablehlo_SignedInt, Stablehlo_Float]>;
def Stablehlo_LogicalTensor : Stablehlo_TensorOf<[I1, Stablehlo_Int]>;
def Stablehlo_BoolTensor : Stablehlo_TensorOf<[I1]>;
def Stablehlo_Scalar
    : 0DTensorOf<[I1, Stablehlo_Int, Stablehlo_Float]>;
def Stablehlo_IntScalar : 0DTensorOf<[Stablehlo_Int]>;
def Stablehlo_IntTensor : Stablehlo_TensorOf<[Stablehlo_Int]>;

//===----------------------------------------------------------------------===//
// Op classes
//===----------------------------------------------------------------------===//

/// Result element i is a function of element i of every operand, where an
/// operand of rank 0 is used for all elements (`clamp`, `select`).
def Stablehlo_Elementwise : NativeOpTrait<"Elementwise"> {
  let cppNamespace = "::stablehlo";
}

class Stablehlo_Op<string mnemonic, list<Trait> traits = []>
    : Op<Stablehlo_Dialect, mnemonic, traits>;

// Ops that infer their types accept any compatible declaration of them.
defvar Stablehlo_compatibleTypes = [{
  static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                      ::mlir::TypeRange declared) {
    return ::stablehlo::areCompatible(inferred, declared);
  }
}];

// The interface's own verification would add a second message to each error.
defvar Stablehlo_verifyInference = [{
  ::llvm::LogicalResult $cppClass::verify() {
    return ::stablehlo::verifyInference(*this);
  }
}];

/// An op whose result types follow from operands and attributes. All checks
/// are in `inferReturnTypes`, which the verifier calls too.
class Stablehlo_InferredOp<string mnemonic, list<Trait> traits = []>
    : Stablehlo_Op<mnemonic, !listconcat(traits, [
        Pure, InferTypeOpAdaptorBase<Stablehlo_compatibleTypes>])> {
  let hasVerifier = 1;
  let extraClassDefinition = Stablehlo_verifyInference;
}

// For elementwise ops of one element type and compatible shapes.
defvar Stablehlo_inferElementwise = [{
  static ::llvm::LogicalResult
  inferReturnTypes(::mlir::MLIRContext *context,
                   std::optional<::mlir::Location> location,
                   ::mlir::ValueRange operands, ::mlir::DictionaryAttr,
                   ::mlir::OpaqueProperties, ::mlir::RegionRange,
                   ::llvm::SmallVectorImpl<::mlir::Type> &results) {
    return ::stablehlo::inferElementwise(getOperationName(), location,
                                         operands, results);
  }
}];

/// An elementwise op whose operands and result have one element type and
/// compatible shapes.
class Stablehlo_UniformOp<string mnemonic, list<Trait> traits>
    : Stablehlo_Op<mnemonic, !listconcat(traits, [
        Pure, Stablehlo_Elementwise, SameOperandsAndResultElementType,
        InferTypeOpInterface])> {
  let hasVerifier = 1;
  let extraClassDefinition = Stablehlo_verifyInference;
  let extraClassDeclaration =
      !strconcat(Stablehlo_compatibleTypes, Stablehlo_inferElementwise);
}

class Stablehlo_UnaryOp<string mnemonic, Type tensor, list<Trait> traits = []>
    : Stablehlo_UniformOp<mnemonic, traits> {
  let arguments = (ins tensor:$operand);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<OneType>(type($operand), type($result))
  }];
}

class Stablehlo_BinaryOp<string mnemonic, Type tensor, list<Trait> traits = []>
    : Stablehlo_UniformOp<mnemonic, traits> {
  let arguments = (ins tensor:$lhs, tensor:$rhs);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:`
    custom<OneType>(type($lhs), type($rhs), type($result))
  }];
}

#endif // STABLEHLO_BASE_TD
