// SPDX-License-Identifier: Apache-2.0
//===- AssemblyFormat.h - custom parts of the pretty syntax -----*- C++ -*-===//
//
// Named by StablehloOps.td as custom<..>; included where the ops are defined.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_STABLEHLO_ASSEMBLYFORMAT_H
#define DIALECTS_STABLEHLO_ASSEMBLYFORMAT_H

#include "dialects/stablehlo/StablehloDialect.h"

namespace stablehlo {

/// One type for all operands and the result, or else a function type.
mlir::ParseResult parseTypes(mlir::OpAsmParser &parser,
                             llvm::ArrayRef<mlir::Type *> operands,
                             mlir::Type &result);
void printTypes(mlir::OpAsmPrinter &printer,
                llvm::ArrayRef<mlir::Type> operands, mlir::Type result);

// custom<OneType>(type($a), .., type($result)).
inline mlir::ParseResult parseOneType(mlir::OpAsmParser &parser, mlir::Type &a,
                                      mlir::Type &result) {
  return parseTypes(parser, {&a}, result);
}
inline mlir::ParseResult parseOneType(mlir::OpAsmParser &parser, mlir::Type &a,
                                      mlir::Type &b, mlir::Type &result) {
  return parseTypes(parser, {&a, &b}, result);
}
inline mlir::ParseResult parseOneType(mlir::OpAsmParser &parser, mlir::Type &a,
                                      mlir::Type &b, mlir::Type &c,
                                      mlir::Type &result) {
  return parseTypes(parser, {&a, &b, &c}, result);
}
inline void printOneType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                         mlir::Type a, mlir::Type result) {
  printTypes(printer, {a}, result);
}
inline void printOneType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                         mlir::Type a, mlir::Type b, mlir::Type result) {
  printTypes(printer, {a, b}, result);
}
inline void printOneType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                         mlir::Type a, mlir::Type b, mlir::Type c,
                         mlir::Type result) {
  printTypes(printer, {a, b, c}, result);
}

/// `pred type, value type` of a select, or else a function type.
mlir::ParseResult parseSelectType(mlir::OpAsmParser &parser, mlir::Type &pred,
                                  mlir::Type &onTrue, mlir::Type &onFalse,
                                  mlir::Type &result);
void printSelectType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::Type pred, mlir::Type onTrue, mlir::Type onFalse,
                     mlir::Type result);

/// One list of types for as many operands as results.
mlir::ParseResult parseSameTypes(mlir::OpAsmParser &parser,
                                 llvm::SmallVectorImpl<mlir::Type> &operands,
                                 llvm::SmallVectorImpl<mlir::Type> &results);
void printSameTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    mlir::TypeRange operands, mlir::TypeRange results);

/// Operands each followed by a comma.
mlir::ParseResult parseLeadingOperands(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands);
void printLeadingOperands(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                          mlir::OperandRange operands);

/// `@name` or `@"any text"`, held as a string: the function is not a symbol of
/// the module.
mlir::ParseResult parseCallTarget(mlir::OpAsmParser &parser,
                                  mlir::StringAttr &target);
void printCallTarget(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::StringAttr target);

/// The bare name of a direction, as `LT`.
mlir::ParseResult parseDirection(mlir::OpAsmParser &parser,
                                 ComparisonDirectionAttr &direction);
void printDirection(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    ComparisonDirectionAttr direction);

/// The bare name of an algorithm, as `PHILOX`.
mlir::ParseResult parseAlgorithm(mlir::OpAsmParser &parser,
                                 RngAlgorithmAttr &algorithm);
void printAlgorithm(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    RngAlgorithmAttr algorithm);

/// The widths of a float's exponent and mantissa, as `e5m10`.
mlir::ParseResult parseFormat(mlir::OpAsmParser &parser,
                              mlir::IntegerAttr &exponentBits,
                              mlir::IntegerAttr &mantissaBits);
void printFormat(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                 mlir::IntegerAttr exponentBits,
                 mlir::IntegerAttr mantissaBits);

/// `, FLOAT` and so on, or nothing.
mlir::ParseResult parseCompareType(mlir::OpAsmParser &parser,
                                   ComparisonTypeAttr &type);
void printCompareType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      ComparisonTypeAttr type);

/// `[start:limit:stride, ..]` of a slice.
mlir::ParseResult parseSliceRanges(mlir::OpAsmParser &parser,
                                   mlir::DenseI64ArrayAttr &starts,
                                   mlir::DenseI64ArrayAttr &limits,
                                   mlir::DenseI64ArrayAttr &strides);
void printSliceRanges(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::DenseI64ArrayAttr starts,
                      mlir::DenseI64ArrayAttr limits,
                      mlir::DenseI64ArrayAttr strides);

/// `batching_dims = [..] x [..], contracting_dims = [..] x [..],
/// precision = [..], algorithm = <..>`; only contracting_dims must be there.
mlir::ParseResult parseDot(mlir::OpAsmParser &parser,
                           DotDimensionNumbersAttr &numbers,
                           mlir::ArrayAttr &precisions,
                           DotAlgorithmAttr &algorithm);
void printDot(mlir::OpAsmPrinter &printer, mlir::Operation *op,
              DotDimensionNumbersAttr numbers, mlir::ArrayAttr precisions,
              DotAlgorithmAttr algorithm);

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]` of a convolution.
mlir::ParseResult parseConvolutionDimensions(mlir::OpAsmParser &parser,
                                             ConvDimensionNumbersAttr &dims);
void printConvolutionDimensions(mlir::OpAsmPrinter &printer,
                                mlir::Operation *op,
                                ConvDimensionNumbersAttr dims);

/// `{stride = [..], pad = [[..]], lhs_dilate = [..], rhs_dilate = [..],
/// reverse = [..]}` of a convolution, in any order; each may be missing.
mlir::ParseResult parseWindow(mlir::OpAsmParser &parser,
                              mlir::DenseI64ArrayAttr &strides,
                              mlir::DenseIntElementsAttr &padding,
                              mlir::DenseI64ArrayAttr &lhsDilation,
                              mlir::DenseI64ArrayAttr &rhsDilation,
                              mlir::DenseBoolArrayAttr &reversal);
void printWindow(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                 mlir::DenseI64ArrayAttr strides,
                 mlir::DenseIntElementsAttr padding,
                 mlir::DenseI64ArrayAttr lhsDilation,
                 mlir::DenseI64ArrayAttr rhsDilation,
                 mlir::DenseBoolArrayAttr reversal);

} // namespace stablehlo

#endif // DIALECTS_STABLEHLO_ASSEMBLYFORMAT_H
