// SPDX-License-Identifier: Apache-2.0
//===- StablehloElementwiseOps.td - ops that work element by element ------===//

#ifndef STABLEHLO_ELEMENTWISE_OPS_TD
#define STABLEHLO_ELEMENTWISE_OPS_TD

include "dialects/stablehlo/StablehloAttrs.td"

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Stablehlo_AddOp : Stablehlo_BinaryOp<"add", Stablehlo_Tensor,
    [Commutative]> {
  let summary = "the sum of two tensors";
  let description = [{
    Integers wrap around. On i1 this is logical or.

    ```mlir
    %2 = stablehlo.add %0, %1 : tensor<4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_SubtractOp : Stablehlo_BinaryOp<"subtract",
    Stablehlo_NumberTensor> {
  let summary = "the difference of two tensors";
  let description = [{
    Integers wrap around.

    ```mlir
    %2 = stablehlo.subtract %0, %1 : tensor<4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_MulOp : Stablehlo_BinaryOp<"multiply", Stablehlo_Tensor,
    [Commutative]> {
  let summary = "the product of two tensors";
  let description = [{
    Integers wrap around. On i1 this is logical and.

    ```mlir
    %2 = stablehlo.multiply %0, %1 : tensor<4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_DivOp : Stablehlo_BinaryOp<"divide", Stablehlo_NumberTensor> {
  let summary = "the quotient of two tensors";
  let description = [{
    Floats divide as IEEE-754 does: x/0 is an infinity, 0/0 is NaN. Integers
    truncate toward zero; x/0 is all ones (-1 when signed, the largest value
    when unsigned), and the smallest signed value divided by -1 is itself.

    ```mlir
    %2 = stablehlo.divide %0, %1 : tensor<4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_RemOp : Stablehlo_BinaryOp<"remainder", Stablehlo_NumberTensor> {
  let summary = "the remainder of a truncating division";
  let description = [{
    The result has the sign of `lhs` and is smaller than `rhs` in magnitude
    (C's `fmod` on floats: x rem 0 and inf rem x are NaN, x rem inf is x, and a
    zero result keeps the sign of `lhs`). On integers x rem 0 is x, and the
    smallest signed value rem -1 is 0.

    ```mlir
    %2 = stablehlo.remainder %0, %1 : tensor<4xi32>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_PowOp : Stablehlo_BinaryOp<"power", Stablehlo_NumberTensor> {
  let summary = "`lhs` to the power of `rhs`";
  let description = [{
    Floats follow IEEE-754's `pow`: x^0 is 1 even for NaN, 1^x is 1 even for
    NaN, and a negative number to a non-integer power is NaN. Integers wrap
    around; to a negative power, 1 gives 1, -1 gives 1 or -1 by parity, and
    everything else, 0 included, gives 0.

    ```mlir
    %2 = stablehlo.power %0, %1 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_MaxOp : Stablehlo_BinaryOp<"maximum", Stablehlo_Tensor,
    [Commutative]> {
  let summary = "the larger of two elements";
  let description = [{
    On floats NaN wins over every number and +0 over -0 (IEEE-754's
    `maximum`). On i1 this is logical or.

    ```mlir
    %2 = stablehlo.maximum %0, %1 : tensor<4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_MinOp : Stablehlo_BinaryOp<"minimum", Stablehlo_Tensor,
    [Commutative]> {
  let summary = "the smaller of two elements";
  let description = [{
    On floats NaN wins over every number and -0 over +0 (IEEE-754's
    `minimum`). On i1 this is logical and.

    ```mlir
    %2 = stablehlo.minimum %0, %1 : tensor<4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_NegOp : Stablehlo_UnaryOp<"negate", Stablehlo_NumberTensor> {
  let summary = "the operand with its sign changed";
  let description = [{
    On floats only the sign bit changes, also of zeros and NaNs. Integers wrap
    around: the smallest signed value is its own negation.

    ```mlir
    %1 = stablehlo.negate %0 : tensor<4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_AbsOp : Stablehlo_UnaryOp<"abs", Stablehlo_SignedNumberTensor> {
  let summary = "the magnitude of the operand";
  let description = [{
    On floats the sign bit is cleared, also of NaNs. The smallest signed integer
    is its own magnitude.

    ```mlir
    %1 = stablehlo.abs %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_SignOp : Stablehlo_UnaryOp<"sign", Stablehlo_SignedNumberTensor> {
  let summary = "-1, 0 or 1 according to the operand's sign";
  let description = [{
    On floats a zero keeps its sign and NaN stays NaN.

    ```mlir
    %1 = stablehlo.sign %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_FloorOp : Stablehlo_UnaryOp<"floor", Stablehlo_FloatTensor> {
  let summary = "the largest integer not above the operand";
  let description = [{
    Zeros keep their sign; infinities and NaNs are unchanged.

    ```mlir
    %1 = stablehlo.floor %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_CeilOp : Stablehlo_UnaryOp<"ceil", Stablehlo_FloatTensor> {
  let summary = "the smallest integer not below the operand";
  let description = [{
    Zeros keep their sign, and operands in (-1, 0) become -0; infinities and
    NaNs are unchanged.

    ```mlir
    %1 = stablehlo.ceil %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_RoundNearestEvenOp : Stablehlo_UnaryOp<"round_nearest_even",
    Stablehlo_FloatTensor> {
  let summary = "the nearest integer, ties to the even one";
  let description = [{
    Zeros keep their sign, and operands in (-0.5, 0) become -0; infinities and
    NaNs are unchanged.

    ```mlir
    %1 = stablehlo.round_nearest_even %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_RoundOp : Stablehlo_UnaryOp<"round_nearest_afz",
    Stablehlo_FloatTensor> {
  let summary = "the nearest integer, ties away from zero";
  let description = [{
    Zeros keep their sign, and operands in (-0.5, 0) become -0; infinities and
    NaNs are unchanged.

    ```mlir
    %1 = stablehlo.round_nearest_afz %0 : tensor<4xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Transcendental functions
//===----------------------------------------------------------------------===//

/// A function on floats, exact to the few units in the last place that
/// `check.expect_close` allows. NaN gives NaN.
class Stablehlo_TranscendentalOp<string mnemonic>
    : Stablehlo_UnaryOp<mnemonic, Stablehlo_FloatTensor> {
  let arguments = (ins
    Stablehlo_FloatTensor:$operand,
    OptionalAttr<Stablehlo_ResultAccuracyAttr>:$result_accuracy);
}

def Stablehlo_ExpOp : Stablehlo_TranscendentalOp<"exponential"> {
  let summary = "e to the power of the operand";
  let description = [{
    exp(-inf) is 0, exp(inf) is inf.

    ```mlir
    %1 = stablehlo.exponential %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_Expm1Op : Stablehlo_TranscendentalOp<"exponential_minus_one"> {
  let summary = "e to the power of the operand, minus one";
  let description = [{
    Accurate near zero, where it keeps the sign of a zero; expm1(-inf) is -1.

    ```mlir
    %1 = stablehlo.exponential_minus_one %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_LogOp : Stablehlo_TranscendentalOp<"log"> {
  let summary = "the natural logarithm";
  let description = [{
    log of either zero is -inf, of a negative number NaN, of inf inf.

    ```mlir
    %1 = stablehlo.log %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_Log1pOp : Stablehlo_TranscendentalOp<"log_plus_one"> {
  let summary = "the natural logarithm of one plus the operand";
  let description = [{
    Accurate near zero, where it keeps the sign of a zero; log1p(-1) is -inf and
    anything below -1 gives NaN.

    ```mlir
    %1 = stablehlo.log_plus_one %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_LogisticOp : Stablehlo_TranscendentalOp<"logistic"> {
  let summary = "1 / (1 + exp(-x))";
  let description = [{
    logistic(-inf) is 0, logistic(inf) is 1.

    ```mlir
    %1 = stablehlo.logistic %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_TanhOp : Stablehlo_TranscendentalOp<"tanh"> {
  let summary = "the hyperbolic tangent";
  let description = [{
    Zeros keep their sign; tanh of an infinity is 1 with its sign.

    ```mlir
    %1 = stablehlo.tanh %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_SqrtOp : Stablehlo_TranscendentalOp<"sqrt"> {
  let summary = "the square root";
  let description = [{
    Correctly rounded. sqrt(-0) is -0, of a negative number NaN.

    ```mlir
    %1 = stablehlo.sqrt %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_RsqrtOp : Stablehlo_TranscendentalOp<"rsqrt"> {
  let summary = "one over the square root";
  let description = [{
    rsqrt(0) is inf and rsqrt(-0) is -inf, of inf it is 0, of a negative number
    NaN.

    ```mlir
    %1 = stablehlo.rsqrt %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_CbrtOp : Stablehlo_TranscendentalOp<"cbrt"> {
  let summary = "the cube root";
  let description = [{
    Defined on negative numbers; keeps the sign of a zero.

    ```mlir
    %1 = stablehlo.cbrt %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_SineOp : Stablehlo_TranscendentalOp<"sine"> {
  let summary = "the sine of an angle in radians";
  let description = [{
    Keeps the sign of a zero; sine of an infinity is NaN.

    ```mlir
    %1 = stablehlo.sine %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_CosineOp : Stablehlo_TranscendentalOp<"cosine"> {
  let summary = "the cosine of an angle in radians";
  let description = [{
    Cosine of an infinity is NaN.

    ```mlir
    %1 = stablehlo.cosine %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_TanOp : Stablehlo_TranscendentalOp<"tan"> {
  let summary = "the tangent of an angle in radians";
  let description = [{
    Keeps the sign of a zero; tangent of an infinity is NaN.

    ```mlir
    %1 = stablehlo.tan %0 : tensor<4xf32>
    ```
  }];
}

def Stablehlo_Atan2Op : Stablehlo_BinaryOp<"atan2", Stablehlo_FloatTensor> {
  let summary = "the angle of the point (`rhs`, `lhs`)";
  let description = [{
    In radians, from -pi to pi, with IEEE-754's `atan2` at zeros and
    infinities: atan2(0, -1) is pi, atan2(-0, -1) is -pi, atan2(0, 0) is 0.

    ```mlir
    %2 = stablehlo.atan2 %0, %1 : tensor<4xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

def Stablehlo_AndOp : Stablehlo_BinaryOp<"and", Stablehlo_LogicalTensor,
    [Commutative]> {
  let summary = "bitwise and";
  let description = [{
    On i1 this is logical and.

    ```mlir
    %2 = stablehlo.and %0, %1 : tensor<4xi1>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_OrOp : Stablehlo_BinaryOp<"or", Stablehlo_LogicalTensor,
    [Commutative]> {
  let summary = "bitwise or";
  let description = [{
    On i1 this is logical or.

    ```mlir
    %2 = stablehlo.or %0, %1 : tensor<4xi1>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_XorOp : Stablehlo_BinaryOp<"xor", Stablehlo_LogicalTensor,
    [Commutative]> {
  let summary = "bitwise exclusive or";
  let description = [{
    On i1 this is logical exclusive or.

    ```mlir
    %2 = stablehlo.xor %0, %1 : tensor<4xi1>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_NotOp : Stablehlo_UnaryOp<"not", Stablehlo_LogicalTensor> {
  let summary = "bitwise complement";
  let description = [{
    On i1 this is logical not.

    ```mlir
    %1 = stablehlo.not %0 : tensor<4xi1>
    ```
  }];
  let hasFolder = 1;
}

def Stablehlo_PopulationCountOp
    : Stablehlo_UnaryOp<"popcnt", Stablehlo_IntTensor> {
  let summary = "the number of bits that are set";
  let description = [{
    ```mlir
    %1 = stablehlo.popcnt %0 : tensor<4xui32>
    ```
  }];
}

def Stablehlo_CountLeadingZerosOp
    : Stablehlo_UnaryOp<"count_leading_zeros", Stablehlo_IntTensor> {
  let summary = "the number of zero bits above the highest that is set";
  let description = [{
    ```mlir
    %1 = stablehlo.count_leading_zeros %0 : tensor<4xui32>
    ```
  }];
}

def Stablehlo_ShiftLeftOp : Stablehlo_BinaryOp<"shift_left",
    Stablehlo_IntTensor> {
  let summary = "`lhs` shifted to the left by `rhs` bits";
  let description = [{
    Zeros move in. A shift by the width of the type or more, or by a negative
    number, gives 0.

    ```mlir
    %2 = stablehlo.shift_left %0, %1 : tensor<4xui32>
    ```
  }];
}

def Stablehlo_ShiftRightLogicalOp : Stablehlo_BinaryOp<"shift_right_logical",
    Stablehlo_IntTensor> {
  let summary = "`lhs` shifted to the right by `rhs` bits, zeros moving in";
  let description = [{
    A shift by the width of the type or more, or by a negative number, gives 0.

    ```mlir
    %2 = stablehlo.shift_right_logical %0, %1 : tensor<4xui32>
    ```
  }];
}

def Stablehlo_ShiftRightArithmeticOp
    : Stablehlo_BinaryOp<"shift_right_arithmetic", Stablehlo_IntTensor> {
  let summary = "`lhs` shifted to the right by `rhs` bits, its sign moving in";
  let description = [{
    The sign is the highest bit, also of unsigned types. A shift by the width of
    the type or more, or by a negative number, leaves only copies of it.

    ```mlir
    %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<4xi32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Comparison and choice
//===----------------------------------------------------------------------===//

def Stablehlo_IsFiniteOp : Stablehlo_InferredOp<"is_finite",
    [Stablehlo_Elementwise]> {
  let summary = "whether an element is neither infinite nor NaN";
  let description = [{
    ```mlir
    %1 = stablehlo.is_finite %0 : (tensor<4xf32>) -> tensor<4xi1>
    ```
  }];
  let arguments = (ins Stablehlo_FloatTensor:$operand);
  let results = (outs Stablehlo_BoolTensor:$result);
  let assemblyFormat =
      "$operand attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_CompareOp : Stablehlo_InferredOp<"compare",
    [Stablehlo_Elementwise, SameOperandsElementType]> {
  let summary = "compares two tensors element by element";
  let description = [{
    `compare_type` follows the element type: `SIGNED` on signed integers,
    `UNSIGNED` on unsigned integers and i1, `FLOAT` on floats; this is also the
    meaning if it is omitted or `NOTYPE`. `FLOAT` compares as IEEE-754 does: every
    relation with NaN is false except `NE`, and -0 equals +0. `TOTALORDER`, on
    floats only, orders the representations instead:
    -NaN < -inf < .. < -0 < +0 < .. < inf < NaN.

    ```mlir
    %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
    Stablehlo_ComparisonDirectionAttr:$comparison_direction,
    OptionalAttr<Stablehlo_ComparisonTypeAttr>:$compare_type);
  let results = (outs Stablehlo_BoolTensor:$result);
  // Custom: ODS puts a second space before an enum.
  let assemblyFormat = [{
    custom<Direction>($comparison_direction) `,` $lhs `,` $rhs ``
    custom<CompareType>($compare_type) attr-dict `:`
    functional-type(operands, results)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
      "::stablehlo::ComparisonDirection":$direction), [{
    build($_builder, $_state, lhs, rhs,
          ComparisonDirectionAttr::get($_builder.getContext(), direction),
          ComparisonTypeAttr());
  }]>];
  let extraClassDeclaration = [{
    /// `compare_type`, or its default for the operands' element type.
    ::stablehlo::ComparisonType getEffectiveCompareType();
  }];
  let hasFolder = 1;
}

def Stablehlo_SelectOp : Stablehlo_InferredOp<"select",
    [Stablehlo_Elementwise]> {
  let summary = "one of two values, selected by a condition";
  let description = [{
    An element of `on_true` where `pred` is true, of `on_false` elsewhere. A
    scalar `pred` selects all elements of one.

    ```mlir
    %3 = stablehlo.select %0, %1, %2 : tensor<4xi1>, tensor<4xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_BoolTensor:$pred,
    Stablehlo_Tensor:$on_true, Stablehlo_Tensor:$on_false);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:`
    custom<SelectType>(type($pred), type($on_true), type($on_false),
                       type($result))
  }];
  let hasFolder = 1;
}

def Stablehlo_ClampOp : Stablehlo_InferredOp<"clamp",
    [Stablehlo_Elementwise, SameOperandsAndResultElementType]> {
  let summary = "the operand limited to two bounds";
  let description = [{
    `minimum(maximum(operand, min), max)`: NaN in any operand gives NaN, and
    where min > max the result is max. A scalar bound applies to all elements.

    ```mlir
    %3 = stablehlo.clamp %0, %1, %2 : tensor<4xf32>
    %4 = stablehlo.clamp %lo, %1, %hi : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins
    Stablehlo_Tensor:$min, Stablehlo_Tensor:$operand, Stablehlo_Tensor:$max);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:`
    custom<OneType>(type($min), type($operand), type($max), type($result))
  }];
  let hasFolder = 1;
}

def Stablehlo_ConvertOp : Stablehlo_Op<"convert",
    [Pure, Stablehlo_Elementwise, SameOperandsAndResultShape]> {
  let summary = "the operand in another element type";
  let description = [{
    To i1: whether the value is not zero (NaN is not zero). From i1: 0 or 1.
    Integer to integer: sign- or zero-extended by the source's type, or
    truncated. To a float: rounded to nearest, ties to even. Float to
    integer: truncated toward zero; a value outside the target's range gives
    the nearest end of that range and NaN gives 0.

    ```mlir
    %1 = stablehlo.convert %0 : (tensor<4xi32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<OneType>(type($operand), type($result))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$operand,
                                 "::mlir::Type":$elementType)>];
  let hasFolder = 1;
}

def Stablehlo_ReducePrecisionOp
    : Stablehlo_UniformOp<"reduce_precision", []> {
  let summary = "the operand, rounded to a shorter format";
  let description = [{
    Rounds to the nearest number with that many bits of exponent and mantissa,
    to even where two are as near, and back to the operand's type. What is too
    large becomes infinite, what is below the smallest normal number of the
    format becomes zero. NaN stays, but is infinite without bits of mantissa.

    ```mlir
    %1 = stablehlo.reduce_precision %0, format = e5m10 : tensor<4xf32>
    ```
  }];
  let arguments = (ins Stablehlo_FloatTensor:$operand,
                       ConfinedAttr<I32Attr, [IntPositive]>:$exponent_bits,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$mantissa_bits);
  let results = (outs Stablehlo_FloatTensor:$output);
  // Custom: the numbers are written together.
  let assemblyFormat = [{
    $operand `,` `format` `=` custom<Format>($exponent_bits, $mantissa_bits)
    attr-dict `:` custom<OneType>(type($operand), type($output))
  }];
}

def Stablehlo_BitcastConvertOp : Stablehlo_Op<"bitcast_convert",
    [Pure, Stablehlo_Elementwise]> {
  let summary = "the operand's bits read as another element type";
  let description = [{
    Where the element types have the same width, so have the shapes. Else the
    type with the narrower elements has one more dimension, the last one, whose
    elements make up a wider one, the lowest bits first; `ps-decompose-ops`
    makes shifts of these.

    ```mlir
    %1 = stablehlo.bitcast_convert %0 : (tensor<4xui32>) -> tensor<4xf32>
    %3 = stablehlo.bitcast_convert %2 : (tensor<4x2xui32>) -> tensor<4xui64>
    ```
  }];
  let arguments = (ins Stablehlo_NumberTensor:$operand);
  let results = (outs Stablehlo_NumberTensor:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<OneType>(type($operand), type($result))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$operand,
                                 "::mlir::Type":$elementType)>];
  let hasVerifier = 1;
}

#endif // STABLEHLO_ELEMENTWISE_OPS_TD
