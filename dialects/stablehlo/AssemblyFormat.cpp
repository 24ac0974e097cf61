// SPDX-License-Identifier: Apache-2.0
//===- AssemblyFormat.cpp - custom parts of the pretty syntax -------------===//
//
// Parsers and printers that StablehloOps.td names as custom<..>. They follow
// the public StableHLO syntax, which is not ours to simplify.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/AssemblyFormat.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace stablehlo {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// One type where operands and result have the same, else a function type.
ParseResult parseTypes(OpAsmParser &parser, ArrayRef<Type *> operands,
                       Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  auto function = dyn_cast<FunctionType>(type);
  if (!function) {
    for (Type *operand : operands)
      *operand = type;
    result = type;
    return success();
  }
  if (function.getNumInputs() != operands.size() ||
      function.getNumResults() != 1)
    return parser.emitError(loc)
           << "expected " << operands.size()
           << " operand types and one result type, found " << function;
  for (auto [operand, input] : llvm::zip(operands, function.getInputs()))
    *operand = input;
  result = function.getResult(0);
  return success();
}

void printTypes(OpAsmPrinter &printer, ArrayRef<Type> operands, Type result) {
  if (llvm::all_of(operands, [&](Type type) { return type == result; }))
    printer << result;
  else
    printer.printFunctionalType(operands, ArrayRef<Type>(result));
}

ParseResult parseSameTypes(OpAsmParser &parser, SmallVectorImpl<Type> &operands,
                           SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(operands))
    return failure();
  results.assign(operands.begin(), operands.end());
  return success();
}

void printSameTypes(OpAsmPrinter &printer, Operation *, TypeRange operands,
                    TypeRange) {
  llvm::interleaveComma(operands, printer);
}

ParseResult parseSelectType(OpAsmParser &parser, Type &pred, Type &onTrue,
                            Type &onFalse, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> types;
  if (parser.parseTypeList(types))
    return failure();
  // `pred, value`: both values and the result have the second type.
  if (types.size() == 2) {
    pred = types[0];
    onTrue = onFalse = result = types[1];
    return success();
  }
  auto function =
      types.size() == 1 ? dyn_cast<FunctionType>(types[0]) : nullptr;
  if (!function || function.getNumInputs() != 3 ||
      function.getNumResults() != 1)
    return parser.emitError(loc)
           << "expected the types of the condition and of the values";
  pred = function.getInput(0);
  onTrue = function.getInput(1);
  onFalse = function.getInput(2);
  result = function.getResult(0);
  return success();
}

void printSelectType(OpAsmPrinter &printer, Operation *op, Type pred,
                     Type onTrue, Type onFalse, Type result) {
  if (onTrue == result && onFalse == result)
    printer << pred << ", " << result;
  else
    printer.printFunctionalType(op);
}

//===----------------------------------------------------------------------===//
// Operands, names and enums
//===----------------------------------------------------------------------===//

ParseResult parseLeadingOperands(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  while (true) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult found = parser.parseOptionalOperand(operand);
    if (!found.has_value())
      return success();
    if (*found || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
}

void printLeadingOperands(OpAsmPrinter &printer, Operation *,
                          OperandRange operands) {
  llvm::interleaveComma(operands, printer);
  if (!operands.empty())
    printer << ",";
}

ParseResult parseCallTarget(OpAsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}

void printCallTarget(OpAsmPrinter &printer, Operation *, StringAttr target) {
  printer.printSymbolName(target.getValue());
}

/// Parses the bare name of an enum's value; `expected` lists the names.
template <typename Enum, typename EnumAttr>
static ParseResult parseEnum(OpAsmParser &parser,
                             std::optional<Enum> (*symbolize)(StringRef),
                             StringRef expected, EnumAttr &attr) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Enum> value = symbolize(keyword);
  if (!value)
    return parser.emitError(loc)
           << "expected " << expected << ", found " << keyword;
  attr = EnumAttr::get(parser.getContext(), *value);
  return success();
}

ParseResult parseDirection(OpAsmParser &parser,
                           ComparisonDirectionAttr &direction) {
  return parseEnum(parser, symbolizeComparisonDirection,
                   "EQ, NE, GE, GT, LE or LT", direction);
}

void printDirection(OpAsmPrinter &printer, Operation *,
                    ComparisonDirectionAttr direction) {
  printer << stringifyComparisonDirection(direction.getValue());
}

ParseResult parseAlgorithm(OpAsmParser &parser, RngAlgorithmAttr &algorithm) {
  return parseEnum(parser, symbolizeRngAlgorithm,
                   "DEFAULT, THREE_FRY or PHILOX", algorithm);
}

void printAlgorithm(OpAsmPrinter &printer, Operation *,
                    RngAlgorithmAttr algorithm) {
  printer << stringifyRngAlgorithm(algorithm.getValue());
}

ParseResult parseFormat(OpAsmParser &parser, IntegerAttr &exponentBits,
                        IntegerAttr &mantissaBits) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  StringRef rest = keyword;
  int32_t exponent, mantissa;
  if (!rest.consume_front("e") || rest.consumeInteger(10, exponent) ||
      !rest.consume_front("m") || rest.getAsInteger(10, mantissa))
    return parser.emitError(loc)
           << "expected a format such as e5m10, found " << keyword;
  exponentBits = parser.getBuilder().getI32IntegerAttr(exponent);
  mantissaBits = parser.getBuilder().getI32IntegerAttr(mantissa);
  return success();
}

void printFormat(OpAsmPrinter &printer, Operation *, IntegerAttr exponentBits,
                 IntegerAttr mantissaBits) {
  printer << "e" << exponentBits.getInt() << "m" << mantissaBits.getInt();
}

ParseResult parseCompareType(OpAsmParser &parser, ComparisonTypeAttr &type) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return parseEnum(parser, symbolizeComparisonType,
                   "FLOAT, TOTALORDER, SIGNED, UNSIGNED or NOTYPE", type);
}

void printCompareType(OpAsmPrinter &printer, Operation *,
                      ComparisonTypeAttr type) {
  if (type)
    printer << ", " << stringifyComparisonType(type.getValue());
}

//===----------------------------------------------------------------------===//
// slice: [start:limit:stride, ..]
//===----------------------------------------------------------------------===//

ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &starts,
                             DenseI64ArrayAttr &limits,
                             DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> start, limit, stride;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            if (parser.parseInteger(start.emplace_back()) ||
                parser.parseColon())
              return failure();
            limit.push_back(ShapedType::kDynamic);
            if (failed(parser.parseOptionalQuestion()) &&
                parser.parseInteger(limit.back()))
              return failure();
            stride.push_back(1);
            if (succeeded(parser.parseOptionalColon()))
              return parser.parseInteger(stride.back());
            return success();
          }))
    return failure();
  Builder &builder = parser.getBuilder();
  starts = builder.getDenseI64ArrayAttr(start);
  limits = builder.getDenseI64ArrayAttr(limit);
  strides = builder.getDenseI64ArrayAttr(stride);
  return success();
}

void printSliceRanges(OpAsmPrinter &printer, Operation *,
                      DenseI64ArrayAttr starts, DenseI64ArrayAttr limits,
                      DenseI64ArrayAttr strides) {
  printer << "[";
  llvm::interleaveComma(
      llvm::zip(starts.asArrayRef(), limits.asArrayRef(), strides.asArrayRef()),
      printer, [&](auto range) {
        auto [start, limit, stride] = range;
        printer << start << ":";
        if (ShapedType::isDynamic(limit))
          printer << "?";
        else
          printer << limit;
        if (stride != 1)
          printer << ":" << stride;
      });
  printer << "]";
}

//===----------------------------------------------------------------------===//
// dot_general
//===----------------------------------------------------------------------===//

static ParseResult parseDimensions(OpAsmParser &parser,
                                   SmallVectorImpl<int64_t> &dimensions) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(dimensions.emplace_back());
  });
}

/// Parses `name = [..] x [..]`; the name is already consumed.
static ParseResult parsePairedDimensions(OpAsmParser &parser,
                                         SmallVectorImpl<int64_t> &lhs,
                                         SmallVectorImpl<int64_t> &rhs) {
  return failure(parser.parseEqual() || parseDimensions(parser, lhs) ||
                 parser.parseKeyword("x") || parseDimensions(parser, rhs));
}

static ParseResult parseDotDimensions(OpAsmParser &parser,
                                      DotDimensionNumbersAttr &numbers) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parsePairedDimensions(parser, lhsBatch, rhsBatch) ||
       parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") ||
      parsePairedDimensions(parser, lhsContract, rhsContract))
    return failure();
  numbers = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatch,
                                         rhsBatch, lhsContract, rhsContract);
  return success();
}

static ParseResult parsePrecisions(OpAsmParser &parser, ArrayAttr &precisions) {
  SmallVector<Attribute> values;
  if (parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            PrecisionAttr precision;
            if (parseEnum(parser, symbolizePrecision,
                          "DEFAULT, HIGH or HIGHEST", precision))
              return failure();
            values.push_back(precision);
            return success();
          }))
    return failure();
  precisions = parser.getBuilder().getArrayAttr(values);
  return success();
}

/// `precision` comes before `algorithm`; each may be missing.
ParseResult parseDot(OpAsmParser &parser, DotDimensionNumbersAttr &numbers,
                     ArrayAttr &precisions, DotAlgorithmAttr &algorithm) {
  if (parseDotDimensions(parser, numbers))
    return failure();
  while (succeeded(parser.parseOptionalComma())) {
    if (!precisions && !algorithm &&
        succeeded(parser.parseOptionalKeyword("precision"))) {
      if (parsePrecisions(parser, precisions))
        return failure();
      continue;
    }
    if (algorithm || parser.parseKeyword("algorithm") || parser.parseEqual())
      return failure();
    algorithm = dyn_cast_or_null<DotAlgorithmAttr>(
        DotAlgorithmAttr::parse(parser, Type()));
    if (!algorithm)
      return failure();
  }
  return success();
}

static void printPairedDimensions(OpAsmPrinter &printer, ArrayRef<int64_t> lhs,
                                  ArrayRef<int64_t> rhs) {
  printer << " = [";
  llvm::interleaveComma(lhs, printer);
  printer << "] x [";
  llvm::interleaveComma(rhs, printer);
  printer << "]";
}

void printDot(OpAsmPrinter &printer, Operation *,
              DotDimensionNumbersAttr numbers, ArrayAttr precisions,
              DotAlgorithmAttr algorithm) {
  if (!numbers.getLhsBatchingDimensions().empty() ||
      !numbers.getRhsBatchingDimensions().empty()) {
    printer << "batching_dims";
    printPairedDimensions(printer, numbers.getLhsBatchingDimensions(),
                          numbers.getRhsBatchingDimensions());
    printer << ", ";
  }
  printer << "contracting_dims";
  printPairedDimensions(printer, numbers.getLhsContractingDimensions(),
                        numbers.getRhsContractingDimensions());
  if (precisions) {
    printer << ", precision = [";
    llvm::interleaveComma(precisions.getAsRange<PrecisionAttr>(), printer,
                          [&](PrecisionAttr precision) {
                            printer << stringifyPrecision(precision.getValue());
                          });
    printer << "]";
  }
  if (algorithm) {
    printer << ", algorithm = ";
    algorithm.print(printer);
  }
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// Parses `(%x init: %c), ..`.
static ParseResult
parseReduceOperands(OpAsmParser &parser,
                    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &inputs,
                    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &inits) {
  do {
    if (parser.parseLParen() || parser.parseOperand(inputs.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return success();
}

/// Parses `reducer(%a: t, %b: t) (%c: u, %d: u) {..}`: one pair per input.
static ParseResult parseReducer(OpAsmParser &parser, size_t numInputs,
                                Region &body) {
  SmallVector<OpAsmParser::Argument> lhs, rhs;
  if (parser.parseKeyword("reducer"))
    return failure();
  for (size_t i = 0; i < numInputs; ++i)
    if (parser.parseLParen() ||
        parser.parseArgument(lhs.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(rhs.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  llvm::append_range(lhs, rhs);
  return parser.parseRegion(body, lhs, /*enableNameShadowing=*/true);
}

/// Builds the body that `applies name` stands for.
static ParseResult buildSimpleBody(OpAsmParser &parser, SMLoc loc,
                                   OperationName name, Type input,
                                   Location bodyLoc, Region &body) {
  if (name.getDialectNamespace() != StablehloDialect::getDialectNamespace() ||
      !name.hasTrait<OpTrait::IsCommutative>())
    return parser.emitError(loc)
           << "expected a commutative stablehlo op, found '" << name << "'";
  Type scalar = RankedTensorType::get({}, getElementTypeOrSelf(input));
  Block &block = body.emplaceBlock();
  block.addArguments({scalar, scalar}, {bodyLoc, bodyLoc});
  OpBuilder builder(bodyLoc.getContext());
  builder.setInsertionPointToStart(&block);
  Operation *op = builder.create(bodyLoc, name.getIdentifier(),
                                 block.getArguments(), scalar);
  builder.create<ReturnOp>(bodyLoc, op->getResults());
  return success();
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  if (parseReduceOperands(parser, inputs, inits))
    return failure();

  std::optional<OperationName> applied;
  SMLoc appliedLoc;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    appliedLoc = parser.getCurrentLocation();
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name))
      return failure();
    applied = *name;
  }

  SmallVector<int64_t> dimensions;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() || parseDimensions(parser, dimensions) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.parseType(type))
    return failure();
  state.addAttribute(getDimensionsAttrName(state.name),
                     parser.getBuilder().getDenseI64ArrayAttr(dimensions));
  inputs.append(inits.begin(), inits.end());
  if (parser.resolveOperands(inputs, type.getInputs(), loc, state.operands))
    return failure();
  state.addTypes(type.getResults());

  Region &body = *state.addRegion();
  if (!applied)
    return parseReducer(parser, inits.size(), body);
  if (inits.size() != 1)
    return parser.emitError(appliedLoc)
           << "'applies' takes one input, found " << inits.size();
  return buildSimpleBody(parser, appliedLoc, *applied, type.getInput(0),
                         state.location, body);
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << "(";
  llvm::interleave(
      llvm::zip(getInputs(), getInitValues()), printer,
      [&](auto pair) {
        printer << std::get<0>(pair) << " init: " << std::get<1>(pair);
      },
      "), (");
  printer << ")";
  Operation *simple = getSimpleBody();
  if (simple)
    printer << " applies " << simple->getName();
  printer << " across dimensions = [";
  llvm::interleaveComma(getDimensions(), printer);
  printer << "]";
  printer.printOptionalAttrDict((*this)->getAttrs(), {getDimensionsAttrName()});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (simple)
    return;
  printer.printNewline();
  printer << " reducer";
  size_t numInputs = getInputs().size();
  for (size_t i = 0; i < numInputs; ++i) {
    printer << (i ? " (" : "(");
    printer.printRegionArgument(getBody().getArgument(i));
    printer << ", ";
    printer.printRegionArgument(getBody().getArgument(numInputs + i));
    printer << ")";
  }
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

} // namespace stablehlo
