// SPDX-License-Identifier: Apache-2.0
//===- Dialect.cpp - the stablehlo and check dialects ---------------------===//
//
// Registration, attributes, and the answers to what the dialect does not know.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/Foreign.h"
#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stablehlo;

#include "dialects/stablehlo/CheckDialect.cpp.inc"
#include "dialects/stablehlo/StablehloDialect.cpp.inc"
#include "dialects/stablehlo/StablehloEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/stablehlo/StablehloAttrs.cpp.inc"

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void StablehloDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/StablehloOps.cpp.inc"
      >();
  registerAttributes();
  addInterfaces<EverywhereInliner>();
  // An unknown op must get past the parser to reach UnsupportedOp.
  allowUnknownOperations();
}

void StablehloDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/stablehlo/StablehloAttrs.cpp.inc"
      >();
}

void check::CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/CheckOps.cpp.inc"
      >();
  addInterfaces<EverywhereInliner>();
}

void stablehlo::registerStablehloDialects(DialectRegistry &registry) {
  registry.insert<StablehloDialect, check::CheckDialect, chlo::ChloDialect,
                  sdy::SdyDialect>();
  registerForeignDialects(registry);
}

Operation *StablehloDialect::materializeConstant(OpBuilder &builder,
                                                 Attribute value, Type type,
                                                 Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return builder.create<ConstantOp>(loc, elements);
}

//===----------------------------------------------------------------------===//
// What the dialect does not know
//===----------------------------------------------------------------------===//

std::optional<Dialect::ParseOpHook>
StablehloDialect::getParseOperationHook(StringRef name) const {
  return parseUnsupportedOp;
}

void *StablehloDialect::getRegisteredInterfaceForOp(TypeID interface,
                                                    OperationName name) {
  return getUnsupportedOpInterface(interface, name);
}

Attribute StablehloDialect::parseAttribute(DialectAsmParser &parser,
                                           Type type) const {
  StringRef mnemonic;
  Attribute attribute;
  OptionalParseResult result =
      generatedAttributeParser(parser, &mnemonic, type, attribute);
  return result.has_value() ? attribute
                            : parseOpaque(parser, getNamespace(), type);
}

void StablehloDialect::printAttribute(Attribute attr,
                                      DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

Type StablehloDialect::parseType(DialectAsmParser &parser) const {
  return OpaqueType::get(StringAttr::get(getContext(), getNamespace()),
                         parser.getFullSymbolSpec());
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Parses `<`, `keyword = value` entries in any order, each at most once, `>`.
static ParseResult
parseEntries(AsmParser &parser,
             function_ref<ParseResult(StringRef keyword)> parseValue) {
  SmallVector<StringRef> seen;
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::LessGreater, [&]() -> ParseResult {
        StringRef keyword;
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseKeyword(&keyword) || parser.parseEqual())
          return failure();
        if (llvm::is_contained(seen, keyword))
          return parser.emitError(loc) << "'" << keyword << "' is given twice";
        seen.push_back(keyword);
        return parseValue(keyword);
      });
}

static ParseResult parseDimensions(AsmParser &parser,
                                   SmallVectorImpl<int64_t> &dimensions) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(dimensions.emplace_back());
  });
}

/// Parses entries that are lists of dimensions and, unless `numberName` is
/// empty, one that is a number; `what` names their owner.
static ParseResult
parseDimensionLists(AsmParser &parser, StringRef what,
                    ArrayRef<StringLiteral> names,
                    MutableArrayRef<SmallVector<int64_t>> lists,
                    StringRef numberName, int64_t &number) {
  return parseEntries(parser, [&](StringRef keyword) -> ParseResult {
    for (auto [name, list] : llvm::zip(names, lists))
      if (keyword == name)
        return parseDimensions(parser, list);
    if (!numberName.empty() && keyword == numberName)
      return parser.parseInteger(number);
    return parser.emitError(parser.getCurrentLocation())
           << "unknown entry '" << keyword << "' of a " << what;
  });
}

/// Prints the lists that are not empty, and the number where it is not 0.
static void printDimensionLists(AsmPrinter &printer,
                                ArrayRef<StringLiteral> names,
                                ArrayRef<ArrayRef<int64_t>> lists,
                                StringRef numberName, int64_t number) {
  StringRef separator = "";
  printer << "<";
  for (auto [name, list] : llvm::zip(names, lists)) {
    if (list.empty())
      continue;
    printer << separator << name << " = [";
    llvm::interleaveComma(list, printer);
    printer << "]";
    separator = ", ";
  }
  if (number != 0)
    printer << separator << numberName << " = " << number;
  printer << ">";
}

static constexpr StringLiteral dotLists[] = {
    "lhs_batching_dimensions", "rhs_batching_dimensions",
    "lhs_contracting_dimensions", "rhs_contracting_dimensions"};

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lists[4];
  int64_t none = 0;
  if (parseDimensionLists(parser, "dot", dotLists, lists, "", none))
    return {};
  return get(parser.getContext(), lists[0], lists[1], lists[2], lists[3]);
}

void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printDimensionLists(printer, dotLists,
                      {getLhsBatchingDimensions(), getRhsBatchingDimensions(),
                       getLhsContractingDimensions(),
                       getRhsContractingDimensions()},
                      "", 0);
}

static constexpr StringLiteral gatherLists[] = {
    "offset_dims", "collapsed_slice_dims", "operand_batching_dims",
    "start_indices_batching_dims", "start_index_map"};
static constexpr StringLiteral indexVectorDim = "index_vector_dim";

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lists[5];
  int64_t vectorDim = 0;
  if (parseDimensionLists(parser, "gather", gatherLists, lists, indexVectorDim,
                          vectorDim))
    return {};
  return get(parser.getContext(), lists[0], lists[1], lists[2], lists[3],
             lists[4], vectorDim);
}

void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printDimensionLists(printer, gatherLists,
                      {getOffsetDims(), getCollapsedSliceDims(),
                       getOperandBatchingDims(), getStartIndicesBatchingDims(),
                       getStartIndexMap()},
                      indexVectorDim, getIndexVectorDim());
}

static constexpr StringLiteral scatterLists[] = {
    "update_window_dims", "inserted_window_dims", "input_batching_dims",
    "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lists[5];
  int64_t vectorDim = 0;
  if (parseDimensionLists(parser, "scatter", scatterLists, lists,
                          indexVectorDim, vectorDim))
    return {};
  return get(parser.getContext(), lists[0], lists[1], lists[2], lists[3],
             lists[4], vectorDim);
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printDimensionLists(printer, scatterLists,
                      {getUpdateWindowDims(), getInsertedWindowDims(),
                       getInputBatchingDims(), getScatterIndicesBatchingDims(),
                       getScatterDimsToOperandDims()},
                      indexVectorDim, getIndexVectorDim());
}

Attribute ResultAccuracyAttr::parse(AsmParser &parser, Type) {
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  ResultAccuracyModeAttr mode;
  if (parseEntries(parser, [&](StringRef keyword) -> ParseResult {
        if (keyword == "atol")
          return parser.parseFloat(atol);
        if (keyword == "rtol")
          return parser.parseFloat(rtol);
        if (keyword == "ulps")
          return parser.parseInteger(ulps);
        if (keyword == "mode")
          return parser.parseAttribute(mode);
        return parser.emitError(parser.getCurrentLocation())
               << "unknown entry '" << keyword << "' of a result accuracy";
      }))
    return {};
  if (!mode)
    mode = ResultAccuracyModeAttr::get(parser.getContext(),
                                       ResultAccuracyMode::DEFAULT);
  return get(parser.getContext(), APFloat(atol), APFloat(rtol), ulps, mode);
}

void ResultAccuracyAttr::print(AsmPrinter &printer) const {
  printer << "<";
  if (!getAtol().isZero())
    printer << "atol = " << getAtol() << ", ";
  if (!getRtol().isZero())
    printer << "rtol = " << getRtol() << ", ";
  if (getUlps())
    printer << "ulps = " << getUlps() << ", ";
  printer << "mode = " << getMode() << ">";
}
