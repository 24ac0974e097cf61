// SPDX-License-Identifier: Apache-2.0
//===- ChloOps.td - functions that JAX prints beside StableHLO ------------===//

#ifndef STABLEHLO_CHLO_OPS_TD
#define STABLEHLO_CHLO_OPS_TD

include "dialects/stablehlo/StablehloBase.td"

def Chlo_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::stablehlo::chlo";
  let summary = "functions that are formulas of StableHLO ops";
  let description = [{
    The ops of the public CHLO dialect that JAX prints for real numbers.
    `ps-differentiate` differentiates them and may create more;
    `ps-decompose-chlo` replaces each by StableHLO ops. An op
    outside this set is the error `chlo.xyz is not supported`.

    NaN gives NaN. Results are within 4 units in the last place of the true
    value unless the op's description says otherwise (`test/check/chlo_*.mlir`).
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

class Chlo_Op<string mnemonic>
    : Op<Chlo_Dialect, mnemonic, [
        Pure, Stablehlo_Elementwise, SameOperandsAndResultElementType,
        InferTypeOpInterface]> {
  let hasVerifier = 1;
  let extraClassDefinition = Stablehlo_verifyInference;
  let extraClassDeclaration =
      !strconcat(Stablehlo_compatibleTypes, Stablehlo_inferElementwise);
}

class Chlo_UnaryOp<string mnemonic, Type tensor = Stablehlo_FloatTensor>
    : Chlo_Op<mnemonic> {
  let arguments = (ins tensor:$operand);
  let results = (outs tensor:$result);
  let assemblyFormat =
      "$operand attr-dict `:` type($operand) `->` type($result)";
}

class Chlo_BinaryOp<string mnemonic> : Chlo_Op<mnemonic> {
  let arguments = (ins Stablehlo_FloatTensor:$lhs, Stablehlo_FloatTensor:$rhs);
  let results = (outs Stablehlo_FloatTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

def Chlo_AcosOp : Chlo_UnaryOp<"acos"> {
  let summary = "the inverse of the cosine";
  let description = [{
    From 0 to pi; NaN outside [-1, 1].

    ```mlir
    %1 = chlo.acos %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_AcoshOp : Chlo_UnaryOp<"acosh"> {
  let summary = "the inverse of the hyperbolic cosine";
  let description = [{
    NaN below 1.

    ```mlir
    %1 = chlo.acosh %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_AsinOp : Chlo_UnaryOp<"asin"> {
  let summary = "the inverse of the sine";
  let description = [{
    From -pi/2 to pi/2; NaN outside [-1, 1].

    ```mlir
    %1 = chlo.asin %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_AsinhOp : Chlo_UnaryOp<"asinh"> {
  let summary = "the inverse of the hyperbolic sine";
  let description = [{
    ```mlir
    %1 = chlo.asinh %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_AtanOp : Chlo_UnaryOp<"atan"> {
  let summary = "the inverse of the tangent";
  let description = [{
    From -pi/2 to pi/2.

    ```mlir
    %1 = chlo.atan %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_AtanhOp : Chlo_UnaryOp<"atanh"> {
  let summary = "the inverse of the hyperbolic tangent";
  let description = [{
    Infinite at -1 and 1, NaN outside [-1, 1].

    ```mlir
    %1 = chlo.atanh %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_CoshOp : Chlo_UnaryOp<"cosh"> {
  let summary = "the hyperbolic cosine";
  let description = [{
    ```mlir
    %1 = chlo.cosh %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_TanOp : Chlo_UnaryOp<"tan"> {
  let summary = "the tangent";
  let description = [{
    As earlier versions of JAX print `stablehlo.tan`.

    ```mlir
    %1 = chlo.tan %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_SinhOp : Chlo_UnaryOp<"sinh"> {
  let summary = "the hyperbolic sine";
  let description = [{
    ```mlir
    %1 = chlo.sinh %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_SquareOp : Chlo_UnaryOp<"square", Stablehlo_NumberTensor> {
  let summary = "the operand times itself";
  let description = [{
    Integers wrap around.

    ```mlir
    %1 = chlo.square %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_ErfOp : Chlo_UnaryOp<"erf"> {
  let summary = "the error function";
  let description = [{
    2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.

    ```mlir
    %1 = chlo.erf %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_ErfcOp : Chlo_UnaryOp<"erfc"> {
  let summary = "one minus the error function";
  let description = [{
    Keeps its digits where erf is close to 1, except for subnormal results.

    ```mlir
    %1 = chlo.erfc %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_ErfInvOp : Chlo_UnaryOp<"erf_inv"> {
  let summary = "the inverse of the error function";
  let description = [{
    Infinite at -1 and 1, NaN outside [-1, 1].

    ```mlir
    %1 = chlo.erf_inv %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_LgammaOp : Chlo_UnaryOp<"lgamma"> {
  let summary = "the logarithm of the magnitude of the gamma function";
  let description = [{
    Infinite at 0 and at negative integers. Computed in f64 for every type; f64
    results have an absolute error of 1e-14 near the zeros, 1 and 2 among them.

    ```mlir
    %1 = chlo.lgamma %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_DigammaOp : Chlo_UnaryOp<"digamma"> {
  let summary = "the derivative of the logarithm of the gamma function";
  let description = [{
    NaN at 0 and at negative integers. Computed in f64 for every type; f64
    results have an absolute error of 1e-14 near the zeros. Its gradient is NaN
    below -6.

    ```mlir
    %1 = chlo.digamma %0 : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_ZetaOp : Chlo_BinaryOp<"zeta"> {
  let summary = "the Hurwitz zeta function";
  let description = [{
    The sum of `(rhs + k)^-lhs` for k = 0, 1, ..; infinite for a `lhs` of 1, NaN
    below. Where `rhs` is 0 or a negative integer, it is infinite if `lhs` is an
    even number, else NaN; it is NaN for a `rhs` below -6 and for an infinite
    `lhs`. Computed in f64 for
    every type; f64 results are within 1e-12 of the true value, relative to the largest term.
    It has a gradient in `rhs`; `lhs` must then be constant.

    ```mlir
    %2 = chlo.zeta %0, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_PolygammaOp : Chlo_BinaryOp<"polygamma"> {
  let summary = "a derivative of the digamma function";
  let description = [{
    The derivative of order `lhs` of the digamma function at `rhs`; NaN where
    `lhs` is not 0, 1, 2, .. For a `lhs` from 1 on it is a multiple of
    `zeta(lhs + 1, rhs)`, and as accurate. It has a gradient in `rhs`; `lhs`
    must then be constant.

    ```mlir
    %2 = chlo.polygamma %0, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_NextAfterOp : Chlo_BinaryOp<"next_after"> {
  let summary = "the float next to `lhs` in the direction of `rhs`";
  let description = [{
    `rhs` where both are equal, NaN where one is NaN. It has no gradient.

    ```mlir
    %2 = chlo.next_after %0, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def Chlo_TopKOp : Op<Chlo_Dialect, "top_k",
    [Pure, InferTypeOpAdaptorBase<Stablehlo_compatibleTypes>]> {
  let summary = "the largest elements along the last dimension, in order";
  let description = [{
    The `k` largest elements, the largest first, and their indices; of equal
    ones, that with the lower index comes first. Floats are in total order: NaN
    is larger than infinity, and +0 than -0.

    ```mlir
    %values, %indices = chlo.top_k(%0, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
    ```
  }];
  let arguments = (ins Stablehlo_NumberTensor:$operand, I64Attr:$k);
  let results = (outs Stablehlo_NumberTensor:$values,
                      RankedTensorOf<[I32]>:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k `)` attr-dict `:` type($operand) `->`
    `(` type($values) `,` type($indices) `)`
  }];
  let hasVerifier = 1;
  let extraClassDefinition = Stablehlo_verifyInference;
}

#endif // STABLEHLO_CHLO_OPS_TD
