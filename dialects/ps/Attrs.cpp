//===- Attrs.cpp - attributes of the ps dialect: numbers and cluster ------===//

#include "dialects/ps/PSDialect.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include <charconv>
#include <cstdlib>
#include <limits>

using namespace mlir;
using namespace ps;

#include "dialects/ps/PSEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/ps/PSTypes.cpp.inc"

void PSDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/ps/PSTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Parses the `e-3` that follows the integer of `1e-3`, if there is one. MLIR
/// lexes a number without decimal point as an integer and a keyword.
static FailureOr<int64_t> parseOptionalExponent(AsmParser &parser) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return 0;
  if (!keyword.consume_front("e") && !keyword.consume_front("E"))
    return parser.emitError(loc, "expected a number");
  int64_t exponent;
  if (keyword.empty()) {
    (void)parser.parseOptionalPlus();
    if (parser.parseInteger(exponent))
      return failure();
    return exponent;
  }
  if (keyword.getAsInteger(10, exponent))
    return parser.emitError(loc, "expected a number");
  return exponent;
}

/// The double that a literal of the attribute parser stands for; nullopt when
/// it is not a plain number.
static FailureOr<std::optional<double>> toDouble(AsmParser &parser,
                                                 Attribute literal) {
  if (auto number = dyn_cast<FloatAttr>(literal)) {
    if (number.getType().isF64())
      return std::optional(number.getValueAsDouble());
  } else if (auto number = dyn_cast<IntegerAttr>(literal)) {
    if (number.getType().isSignlessInteger(64)) {
      FailureOr<int64_t> exponent = parseOptionalExponent(parser);
      if (failed(exponent))
        return failure();
      std::string text =
          std::to_string(number.getInt()) + "e" + std::to_string(*exponent);
      return std::optional(std::strtod(text.c_str(), nullptr));
    }
  }
  return std::optional<double>();
}

FailureOr<llvm::APFloat> ps::parseNumber(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute literal;
  if (parser.parseAttribute(literal))
    return failure();
  FailureOr<std::optional<double>> number = toDouble(parser, literal);
  if (failed(number))
    return failure();
  if (!*number)
    return parser.emitError(loc, "expected a number");
  return llvm::APFloat(**number);
}

void ps::printNumber(AsmPrinter &printer, const llvm::APFloat &value) {
  char buffer[32];
  char *end =
      std::to_chars(buffer, std::end(buffer), value.convertToDouble()).ptr;
  StringRef text(buffer, end - buffer);
  StringRef mantissa = text.take_until([](char c) { return c == 'e'; });
  printer << mantissa;
  if (!mantissa.contains('.'))
    printer << ".0";
  printer << text.drop_front(mantissa.size());
}

FailureOr<DenseI64ArrayAttr> ps::parseIntegers(AsmParser &parser) {
  SmallVector<int64_t> values;
  auto parseOne = [&] { return parser.parseInteger(values.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  return DenseI64ArrayAttr::get(parser.getContext(), values);
}

void ps::printIntegers(AsmPrinter &printer, DenseI64ArrayAttr values) {
  printer << '[';
  llvm::interleaveComma(values.asArrayRef(), printer);
  printer << ']';
}

FailureOr<DenseF64ArrayAttr> ps::parseNumbers(AsmParser &parser) {
  SmallVector<double> values;
  auto parseOne = [&]() -> ParseResult {
    FailureOr<llvm::APFloat> value = parseNumber(parser);
    if (failed(value))
      return failure();
    values.push_back(value->convertToDouble());
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  return DenseF64ArrayAttr::get(parser.getContext(), values);
}

void ps::printNumbers(AsmPrinter &printer, DenseF64ArrayAttr values) {
  printer << '[';
  llvm::interleaveComma(values.asArrayRef(), printer, [&](double value) {
    printNumber(printer, llvm::APFloat(value));
  });
  printer << ']';
}

FailureOr<Attribute> ps::parseLearningRate(AsmParser &parser) {
  Attribute literal;
  if (parser.parseAttribute(literal))
    return failure();
  FailureOr<std::optional<double>> number = toDouble(parser, literal);
  if (failed(number))
    return failure();
  if (!*number)
    return literal;
  return Attribute(parser.getBuilder().getF64FloatAttr(**number));
}

void ps::printLearningRate(AsmPrinter &printer, Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    printNumber(printer, number.getValue());
  else
    printer << value;
}

LogicalResult
ps::verifyLearningRate(function_ref<InFlightDiagnostic()> emitError,
                       Attribute learningRate) {
  if (isa<ScheduleAttrInterface>(learningRate))
    return success();
  auto number = dyn_cast<FloatAttr>(learningRate);
  if (!number || !number.getType().isF64())
    return emitError() << "expected learning_rate to be a number or a "
                          "schedule, found "
                       << learningRate;
  if (!number.getValue().isFinite() || number.getValueAsDouble() < 0)
    return emitError() << "expected learning_rate to be finite and not "
                          "negative, found "
                       << number.getValueAsDouble();
  return success();
}

LogicalResult
ps::verifyNotNegative(function_ref<InFlightDiagnostic()> emitError,
                      StringRef name, const llvm::APFloat &value) {
  if (value.isFinite() && value.convertToDouble() >= 0)
    return success();
  return emitError() << "expected " << name
                     << " to be finite and not negative, found "
                     << value.convertToDouble();
}

//===----------------------------------------------------------------------===//
// Cluster
//===----------------------------------------------------------------------===//

/// Checks that the number `name` lies in [least, most].
static LogicalResult verifyRange(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef name, int64_t value, int64_t least,
                                 int64_t most) {
  if (value < least)
    return emitError() << "expected " << name << " of at least " << least
                       << ", found " << value;
  if (value > most)
    return emitError() << "expected " << name << " of at most " << most
                       << ", found " << value;
  return success();
}

LogicalResult ClusterAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Mode mode, int64_t trainers,
                                  ArrayAttr pservers, StringAttr,
                                  int64_t accumulate, int64_t geoSteps,
                                  int64_t bucketBytes, Wire, int64_t rounds) {
  constexpr int64_t unbounded = std::numeric_limits<int64_t>::max();
  if (failed(verifyRange(emitError, "trainers", trainers, 1, maxTrainers)) ||
      failed(verifyRange(emitError, "accumulate", accumulate, 1, unbounded)) ||
      failed(verifyRange(emitError, "geo_steps", geoSteps, 0, unbounded)) ||
      failed(
          verifyRange(emitError, "bucket_bytes", bucketBytes, 0, unbounded)) ||
      failed(verifyRange(emitError, "rounds", rounds, 1, maxRounds)))
    return failure();
  if (geoSteps > 0 && mode != Mode::Geo)
    return emitError() << "expected geo_steps with mode = geo alone, found "
                          "mode = "
                       << stringifyMode(mode);
  llvm::StringSet<> seen;
  for (Attribute pserver : pservers) {
    auto endpoint = llvm::dyn_cast<StringAttr>(pserver);
    if (!endpoint)
      return emitError() << "expected pservers to be strings, found "
                         << pserver;
    if (!seen.insert(endpoint).second)
      return emitError() << "pserver " << endpoint << " stands twice";
  }
  return success();
}

Type ClusterAttr::getWireType(Type elementType) const {
  if (!elementType.isF32())
    return elementType;
  switch (getWire()) {
  case Wire::F32:
    return elementType;
  case Wire::BF16:
    return BFloat16Type::get(getContext());
  case Wire::F16:
    return Float16Type::get(getContext());
  }
  llvm_unreachable("no other type of the network");
}

LogicalResult SliceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringAttr, int64_t rowOffset, int64_t rows,
                                RankedTensorType originType) {
  if (!originType.hasStaticShape())
    return emitError() << "expected origin_type to have a static shape, found "
                       << originType;
  int64_t whole = getRowCount(originType);
  if (rowOffset < 0 || rows < 1 || rows > whole || rowOffset > whole - rows)
    return emitError() << "rows [" << rowOffset << ", " << rowOffset << " + "
                       << rows << ") are not rows of " << originType;
  return success();
}

int64_t ps::getRowCount(RankedTensorType type) {
  return type.getRank() == 0 ? 1 : type.getDimSize(0);
}

RankedTensorType ps::getRowsType(RankedTensorType type, int64_t rows) {
  if (type.getRank() == 0)
    return type;
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = rows;
  return type.clone(shape);
}

RankedTensorType ps::getUpdateType(RankedTensorType type) {
  if (type.getElementType().isF64())
    return type;
  return type.clone(Float32Type::get(type.getContext()));
}
