// SPDX-License-Identifier: Apache-2.0
//===- WindowFormat.cpp - the pretty syntax of convolutions ---------------===//
//
// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]` and `{stride = [1, 1], ..}`, which
// follow the public StableHLO syntax.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/AssemblyFormat.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace stablehlo {

//===----------------------------------------------------------------------===//
// Dimension numbers
//===----------------------------------------------------------------------===//

namespace {
/// Where the dimensions of one tensor of a convolution are.
struct DimensionRoles {
  /// The dimensions that the two letters of the tensor name.
  int64_t first = -1, second = -1;
  SmallVector<int64_t> spatial;
};
} // namespace

/// Parses `[b, 0, f, 1]` for letters "bf": each letter and each number from 0
/// on occurs once.
static ParseResult parseRoles(AsmParser &parser, StringRef letters,
                              DimensionRoles &roles) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<std::pair<int64_t, int64_t>> spatial;
  int64_t dim = 0;
  bool isValid = true;
  auto parseEntry = [&]() -> ParseResult {
    int64_t number;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      spatial.push_back({number, dim++});
      return *isNumber;
    }
    StringRef letter;
    if (parser.parseKeyword(&letter))
      return failure();
    int64_t *role = letter == letters.take_front()   ? &roles.first
                    : letter == letters.drop_front() ? &roles.second
                                                     : nullptr;
    isValid &= role && *role < 0;
    if (role)
      *role = dim;
    ++dim;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  llvm::sort(spatial);
  for (auto [i, pair] : llvm::enumerate(spatial)) {
    isValid &= pair.first == static_cast<int64_t>(i);
    roles.spatial.push_back(pair.second);
  }
  if (isValid && roles.first >= 0 && roles.second >= 0)
    return success();
  return parser.emitError(loc)
         << "expected '" << letters.take_front() << "', '"
         << letters.drop_front() << "' and the spatial dimensions from 0 on, "
         << "each once";
}

static ParseResult parseConvolutionRoles(AsmParser &parser,
                                         ConvDimensionNumbersAttr &dims) {
  DimensionRoles input, kernel, output;
  SMLoc loc = parser.getCurrentLocation();
  if (parseRoles(parser, "bf", input) || parser.parseKeyword("x") ||
      parseRoles(parser, "io", kernel) || parser.parseArrow() ||
      parseRoles(parser, "bf", output))
    return failure();
  if (input.spatial.size() != kernel.spatial.size() ||
      input.spatial.size() != output.spatial.size())
    return parser.emitError(loc)
           << "expected the same spatial dimensions three times, found "
           << input.spatial.size() << ", " << kernel.spatial.size() << " and "
           << output.spatial.size();
  dims = ConvDimensionNumbersAttr::get(
      parser.getContext(), input.first, input.second, input.spatial,
      kernel.first, kernel.second, kernel.spatial, output.first, output.second,
      output.spatial);
  return success();
}

static void printRoles(AsmPrinter &printer, StringRef letters, int64_t first,
                       int64_t second, ArrayRef<int64_t> spatial) {
  SmallVector<std::string> entries(spatial.size() + 2);
  entries[first] = letters.take_front();
  entries[second] = letters.drop_front();
  for (auto [i, dim] : llvm::enumerate(spatial))
    entries[dim] = std::to_string(i);
  printer << "[";
  llvm::interleaveComma(entries, printer);
  printer << "]";
}

static void printConvolutionRoles(AsmPrinter &printer,
                                  ConvDimensionNumbersAttr dims) {
  printRoles(printer, "bf", dims.getInputBatchDimension(),
             dims.getInputFeatureDimension(), dims.getInputSpatialDimensions());
  printer << "x";
  printRoles(printer, "io", dims.getKernelInputFeatureDimension(),
             dims.getKernelOutputFeatureDimension(),
             dims.getKernelSpatialDimensions());
  printer << "->";
  printRoles(printer, "bf", dims.getOutputBatchDimension(),
             dims.getOutputFeatureDimension(),
             dims.getOutputSpatialDimensions());
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  ConvDimensionNumbersAttr dims;
  if (parser.parseLess() || parseConvolutionRoles(parser, dims) ||
      parser.parseGreater())
    return {};
  return dims;
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printConvolutionRoles(printer, *this);
  printer << ">";
}

ParseResult parseConvolutionDimensions(OpAsmParser &parser,
                                       ConvDimensionNumbersAttr &dims) {
  return parseConvolutionRoles(parser, dims);
}

void printConvolutionDimensions(OpAsmPrinter &printer, Operation *,
                                ConvDimensionNumbersAttr dims) {
  printConvolutionRoles(printer, dims);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static ParseResult parseNumbers(OpAsmParser &parser, DenseI64ArrayAttr &attr) {
  SmallVector<int64_t> numbers;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(numbers.emplace_back());
      }))
    return failure();
  attr = parser.getBuilder().getDenseI64ArrayAttr(numbers);
  return success();
}

/// `[[1, 1], [0, 0]]`: before and after, for each dimension.
static ParseResult parsePadding(OpAsmParser &parser,
                                DenseIntElementsAttr &attr) {
  SmallVector<int64_t> numbers;
  auto parsePair = [&]() -> ParseResult {
    return failure(
        parser.parseLSquare() || parser.parseInteger(numbers.emplace_back()) ||
        parser.parseComma() || parser.parseInteger(numbers.emplace_back()) ||
        parser.parseRSquare());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePair))
    return failure();
  int64_t numPairs = numbers.size() / 2;
  attr = DenseIntElementsAttr::get(
      RankedTensorType::get({numPairs, 2}, parser.getBuilder().getI64Type()),
      numbers);
  return success();
}

static ParseResult parseBools(OpAsmParser &parser, DenseBoolArrayAttr &attr) {
  SmallVector<bool> values;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            bool isTrue = succeeded(parser.parseOptionalKeyword("true"));
            values.push_back(isTrue);
            return isTrue ? success() : parser.parseKeyword("false");
          }))
    return failure();
  attr = parser.getBuilder().getDenseBoolArrayAttr(values);
  return success();
}

ParseResult parseWindow(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                        DenseIntElementsAttr &padding,
                        DenseI64ArrayAttr &lhsDilation,
                        DenseI64ArrayAttr &rhsDilation,
                        DenseBoolArrayAttr &reversal) {
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    bool isTwice = (name == "stride" && strides) ||
                   (name == "pad" && padding) ||
                   (name == "lhs_dilate" && lhsDilation) ||
                   (name == "rhs_dilate" && rhsDilation) ||
                   (name == "reverse" && reversal);
    if (isTwice)
      return parser.emitError(loc) << "'" << name << "' is given twice";
    if (name == "stride")
      return parseNumbers(parser, strides);
    if (name == "pad")
      return parsePadding(parser, padding);
    if (name == "lhs_dilate")
      return parseNumbers(parser, lhsDilation);
    if (name == "rhs_dilate")
      return parseNumbers(parser, rhsDilation);
    if (name == "reverse")
      return parseBools(parser, reversal);
    return parser.emitError(loc)
           << "expected stride, pad, lhs_dilate, rhs_dilate or reverse, found "
           << name;
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                        parseEntry);
}

void printWindow(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr strides,
                 DenseIntElementsAttr padding, DenseI64ArrayAttr lhsDilation,
                 DenseI64ArrayAttr rhsDilation, DenseBoolArrayAttr reversal) {
  StringRef separator = "";
  auto begin = [&](StringRef name) {
    printer << separator << name << " = [";
    separator = ", ";
  };
  auto printNumbers = [&](StringRef name, DenseI64ArrayAttr attr) {
    if (!attr)
      return;
    begin(name);
    llvm::interleaveComma(attr.asArrayRef(), printer);
    printer << "]";
  };
  printer << "{";
  printNumbers("stride", strides);
  if (padding) {
    begin("pad");
    SmallVector<int64_t> numbers(padding.getValues<int64_t>());
    for (size_t i = 0; i + 1 < numbers.size(); i += 2)
      printer << (i ? ", [" : "[") << numbers[i] << ", " << numbers[i + 1]
              << "]";
    printer << "]";
  }
  printNumbers("lhs_dilate", lhsDilation);
  printNumbers("rhs_dilate", rhsDilation);
  if (reversal) {
    begin("reverse");
    llvm::interleaveComma(reversal.asArrayRef(), printer, [&](bool value) {
      printer << (value ? "true" : "false");
    });
    printer << "]";
  }
  printer << "}";
}

} // namespace stablehlo
