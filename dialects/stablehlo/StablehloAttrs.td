// SPDX-License-Identifier: Apache-2.0
//===- StablehloAttrs.td - attributes of the stablehlo dialect ------------===//

#ifndef STABLEHLO_ATTRS_TD
#define STABLEHLO_ATTRS_TD

include "dialects/stablehlo/StablehloBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Stablehlo_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::stablehlo";
  let genSpecializedAttr = 0;
}

// Written `#stablehlo<mnemonic VALUE>`.
class Stablehlo_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Stablehlo_Dialect, info, mnemonic>;

def Stablehlo_ComparisonDirection : Stablehlo_Enum<"ComparisonDirection",
    "the relation that a compare tests", [
      I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>,
      I32EnumAttrCase<"GE", 2>, I32EnumAttrCase<"GT", 3>,
      I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def Stablehlo_ComparisonDirectionAttr
    : Stablehlo_EnumAttr<Stablehlo_ComparisonDirection, "comparison_direction">;

def Stablehlo_ComparisonType : Stablehlo_Enum<"ComparisonType",
    "how a compare orders values", [
      I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>,
      I32EnumAttrCase<"TOTALORDER", 2>, I32EnumAttrCase<"SIGNED", 3>,
      I32EnumAttrCase<"UNSIGNED", 4>]>;
def Stablehlo_ComparisonTypeAttr
    : Stablehlo_EnumAttr<Stablehlo_ComparisonType, "comparison_type">;

def Stablehlo_Precision : Stablehlo_Enum<"Precision",
    "how exactly a dot multiplies", [
      I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>,
      I32EnumAttrCase<"HIGHEST", 2>]>;
def Stablehlo_PrecisionAttr
    : Stablehlo_EnumAttr<Stablehlo_Precision, "precision">;
def Stablehlo_PrecisionArrayAttr
    : TypedArrayAttrBase<Stablehlo_PrecisionAttr, "array of precisions">;

def Stablehlo_ResultAccuracyMode : Stablehlo_Enum<"ResultAccuracyMode",
    "the accuracy required of a transcendental op", [
      I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGHEST", 1>,
      I32EnumAttrCase<"TOLERANCE", 2>]>;
def Stablehlo_ResultAccuracyModeAttr
    : Stablehlo_EnumAttr<Stablehlo_ResultAccuracyMode, "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

def Stablehlo_RngAlgorithm : Stablehlo_Enum<"RngAlgorithm",
    "how random bits are generated", [
      I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"THREE_FRY", 1>,
      I32EnumAttrCase<"PHILOX", 2>]>;
def Stablehlo_RngAlgorithmAttr
    : Stablehlo_EnumAttr<Stablehlo_RngAlgorithm, "rng_algorithm">;

def Stablehlo_Transpose : Stablehlo_Enum<"Transpose",
    "which form of a matrix a triangular_solve takes", [
      I32EnumAttrCase<"TRANSPOSE_INVALID", 0>,
      I32EnumAttrCase<"NO_TRANSPOSE", 1>, I32EnumAttrCase<"TRANSPOSE", 2>,
      I32EnumAttrCase<"ADJOINT", 3>]>;
def Stablehlo_TransposeAttr
    : Stablehlo_EnumAttr<Stablehlo_Transpose, "transpose">;

class Stablehlo_Attr<string name, string attrMnemonic>
    : AttrDef<Stablehlo_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Stablehlo_ResultAccuracyAttr
    : Stablehlo_Attr<"ResultAccuracy", "result_accuracy"> {
  let summary = "the accuracy required of a transcendental op";
  let description = [{
    Tolerances, and whether to take the default, the most accurate or a
    tolerance-bound implementation. Ours are within the tolerance that
    `check.expect_close` allows; the attribute is kept but selects nothing.

    ```mlir
    %1 = stablehlo.exponential %0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"::llvm::APFloat", "::llvm::APFloat(0.0)">:$atol,
    DefaultValuedParameter<"::llvm::APFloat", "::llvm::APFloat(0.0)">:$rtol,
    DefaultValuedParameter<"int64_t", "0">:$ulps,
    "::stablehlo::ResultAccuracyModeAttr":$mode);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_DotDimensionNumbersAttr
    : Stablehlo_Attr<"DotDimensionNumbers", "dot"> {
  let summary = "which dimensions a dot pairs";
  let description = [{
    `dot_general` prints these as `batching_dims = [..] x [..]` and
    `contracting_dims = [..] x [..]`; in generic form the four lists may be in
    any order, and empty lists may be omitted.

    ```mlir
    #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$lhsBatchingDimensions,
    ArrayRefParameter<"int64_t">:$rhsBatchingDimensions,
    ArrayRefParameter<"int64_t">:$lhsContractingDimensions,
    ArrayRefParameter<"int64_t">:$rhsContractingDimensions);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_DotAlgorithmAttr
    : Stablehlo_Attr<"DotAlgorithm", "dot_algorithm"> {
  let summary = "the numeric types that a dot computes in";
  let description = [{
    The types to which operands are rounded and in which sums are accumulated,
    and the number of parts into which the operands are split. `dot_general`
    prints it as `algorithm = <..>`.
  }];
  let parameters = (ins
    "::mlir::Type":$lhsPrecisionType,
    "::mlir::Type":$rhsPrecisionType,
    "::mlir::Type":$accumulationType,
    "int64_t":$lhsComponentCount,
    "int64_t":$rhsComponentCount,
    "int64_t":$numPrimitiveOperations,
    "bool":$allowImpreciseAccumulation);
  let assemblyFormat = [{
    `<` `lhs_precision_type` `=` $lhsPrecisionType
    `,` `rhs_precision_type` `=` $rhsPrecisionType
    `,` `accumulation_type` `=` $accumulationType
    `,` `lhs_component_count` `=` $lhsComponentCount
    `,` `rhs_component_count` `=` $rhsComponentCount
    `,` `num_primitive_operations` `=` $numPrimitiveOperations
    `,` `allow_imprecise_accumulation` `=` $allowImpreciseAccumulation `>`
  }];
}

def Stablehlo_GatherDimensionNumbersAttr
    : Stablehlo_Attr<"GatherDimensionNumbers", "gather"> {
  let summary = "how a gather maps dimensions of its operands to its result";
  let description = [{
    Entries may be in any order; empty lists, and 0, may be omitted.

    ```mlir
    #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$offsetDims,
    ArrayRefParameter<"int64_t">:$collapsedSliceDims,
    ArrayRefParameter<"int64_t">:$operandBatchingDims,
    ArrayRefParameter<"int64_t">:$startIndicesBatchingDims,
    ArrayRefParameter<"int64_t">:$startIndexMap,
    "int64_t":$indexVectorDim);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_ScatterDimensionNumbersAttr
    : Stablehlo_Attr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "how a scatter maps dimensions of its updates to its inputs";
  let description = [{
    Entries may be in any order; empty lists, and 0, may be omitted.

    ```mlir
    #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$updateWindowDims,
    ArrayRefParameter<"int64_t">:$insertedWindowDims,
    ArrayRefParameter<"int64_t">:$inputBatchingDims,
    ArrayRefParameter<"int64_t">:$scatterIndicesBatchingDims,
    ArrayRefParameter<"int64_t">:$scatterDimsToOperandDims,
    "int64_t":$indexVectorDim);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_ConvDimensionNumbersAttr
    : Stablehlo_Attr<"ConvDimensionNumbers", "conv"> {
  let summary = "what each dimension of a convolution's tensors is";
  let description = [{
    One entry per dimension of the input, the kernel and the result: `b` is the
    batch, `f` the features, `i` and `o` the kernel's input and output features,
    and a number is a spatial dimension.

    ```mlir
    #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>
    ```
  }];
  let parameters = (ins
    "int64_t":$inputBatchDimension,
    "int64_t":$inputFeatureDimension,
    ArrayRefParameter<"int64_t">:$inputSpatialDimensions,
    "int64_t":$kernelInputFeatureDimension,
    "int64_t":$kernelOutputFeatureDimension,
    ArrayRefParameter<"int64_t">:$kernelSpatialDimensions,
    "int64_t":$outputBatchDimension,
    "int64_t":$outputFeatureDimension,
    ArrayRefParameter<"int64_t">:$outputSpatialDimensions);
  let hasCustomAssemblyFormat = 1;
}

#endif // STABLEHLO_ATTRS_TD
