// SPDX-License-Identifier: Apache-2.0
//===- Attrs.cpp - attributes of the ps dialect: numbers and cluster ------===//
//
// MLIR lexes 1e-3 as an integer and a keyword, and 1 as an integer, but people
// write learning rates like that: numbers have a parser of their own, and are
// printed as the shortest text that reads back as the same double.
//
//===----------------------------------------------------------------------===//

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

/// Without a '.' MLIR would not read it as a float again.
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

bool ps::isFiniteIn(const llvm::fltSemantics &type, llvm::APFloat value) {
  bool losesBits;
  value.convert(type, llvm::APFloat::rmNearestTiesToEven, &losesBits);
  return value.isFinite();
}

LogicalResult ps::verifyFinite(function_ref<InFlightDiagnostic()> emitError,
                               StringRef name, const llvm::APFloat &value) {
  if (isFiniteIn(llvm::APFloat::IEEEsingle(), value))
    return success();
  return emitError() << "expected " << name << " to be finite in f32, found "
                     << value.convertToDouble();
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
  return verifyFinite(emitError, "learning_rate", number.getValue());
}

LogicalResult
ps::verifyNotNegative(function_ref<InFlightDiagnostic()> emitError,
                      StringRef name, const llvm::APFloat &value) {
  if (!value.isFinite() || value.convertToDouble() < 0)
    return emitError() << "expected " << name
                       << " to be finite and not negative, found "
                       << value.convertToDouble();
  return verifyFinite(emitError, name, value);
}

//===----------------------------------------------------------------------===//
// Cluster
//===----------------------------------------------------------------------===//

/// In the order of the enum.
static constexpr StringLiteral modeOptions[] = {"sync", "async", "half-async",
                                                "geo", "collective"};

std::string ps::getModeOption(Mode mode) {
  return modeOptions[static_cast<uint32_t>(mode)].str();
}

SmallVector<StringRef> ps::getModeOptions() {
  return {std::begin(modeOptions), std::end(modeOptions)};
}

std::optional<Mode> ps::parseModeOption(StringRef option) {
  const auto *found = llvm::find(modeOptions, option);
  if (found == std::end(modeOptions))
    return std::nullopt;
  return static_cast<Mode>(found - modeOptions);
}

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

/// Checks that `list` holds attributes of kind `T` (`plural`), each once.
template <typename T>
static LogicalResult
verifyDistinct(function_ref<InFlightDiagnostic()> emitError, StringRef what,
               StringRef plural, ArrayAttr list) {
  llvm::DenseSet<Attribute> seen;
  for (Attribute entry : list) {
    if (!llvm::isa<T>(entry))
      return emitError() << "expected " << what << "s to be " << plural
                         << ", found " << entry;
    if (!seen.insert(entry).second)
      return emitError() << what << " " << entry << " is given twice";
  }
  return success();
}

LogicalResult
ClusterAttr::verify(function_ref<InFlightDiagnostic()> emitError, Mode mode,
                    int64_t trainers, ArrayAttr pservers, StringAttr,
                    int64_t accumulate, int64_t geoSteps, int64_t bucketBytes,
                    Wire wire, int64_t rounds, int64_t staleness,
                    APFloat delayCompensation, ArrayAttr endpoints) {
  constexpr int64_t unbounded = std::numeric_limits<int64_t>::max();
  if (failed(verifyRange(emitError, "trainers", trainers, 1, maxTrainers)) ||
      failed(verifyRange(emitError, "accumulate", accumulate, 1, unbounded)) ||
      failed(verifyRange(emitError, "geo_steps", geoSteps, 0, unbounded)) ||
      failed(
          verifyRange(emitError, "bucket_bytes", bucketBytes, 0, unbounded)) ||
      failed(verifyRange(emitError, "rounds", rounds, 1, maxRounds)) ||
      failed(verifyRange(emitError, "staleness", staleness, -1, unbounded)))
    return failure();
  if (staleness >= 0 && mode != Mode::Async && mode != Mode::HalfAsync)
    return emitError() << "expected staleness only with mode = async or "
                          "half_async, found mode = "
                       << stringifyMode(mode);
  if (!delayCompensation.isFinite() || delayCompensation.isNegative())
    return emitError() << "expected a finite delay_compensation of at least 0";
  if (!delayCompensation.isZero() && wire != Wire::F32)
    return emitError() << "expected delay_compensation or wire, found both";
  if (!delayCompensation.isZero() && mode != Mode::Async &&
      mode != Mode::HalfAsync)
    return emitError() << "expected delay_compensation only with mode = async "
                          "or half_async, found mode = "
                       << stringifyMode(mode);
  if (geoSteps > 0 && mode != Mode::Geo)
    return emitError() << "expected geo_steps only with mode = geo, found "
                          "mode = "
                       << stringifyMode(mode);
  if (failed(verifyDistinct<FlatSymbolRefAttr>(emitError, "pserver", "names",
                                               pservers)))
    return failure();
  if (!endpoints)
    return success();
  if (endpoints.size() != pservers.size())
    return emitError() << "expected one endpoint for each of the "
                       << pservers.size() << " pservers, found "
                       << endpoints.size();
  return verifyDistinct<StringAttr>(emitError, "endpoint", "strings",
                                    endpoints);
}

std::optional<size_t> ClusterAttr::findPServer(StringRef name) const {
  for (auto [index, pserver] :
       llvm::enumerate(getPservers().getAsRange<FlatSymbolRefAttr>()))
    if (pserver.getValue() == name)
      return index;
  return std::nullopt;
}

StringAttr ClusterAttr::getEndpoint(size_t index) const {
  return getEndpoints() ? llvm::cast<StringAttr>(getEndpoints()[index])
                        : StringAttr();
}

ClusterAttr ClusterAttr::withRounds(int64_t rounds) const {
  return get(getContext(), getMode(), getTrainers(), getPservers(), getHash(),
             getAccumulate(), getGeoSteps(), getBucketBytes(), getWire(),
             rounds, getStaleness(), getDelayCompensation(), getEndpoints());
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

/// Half types are updated in f32: most of an optimizer's steps are too small to
/// change a bf16 value.
RankedTensorType ps::getUpdateType(RankedTensorType type) {
  if (type.getElementType().isF64())
    return type;
  return type.clone(Float32Type::get(type.getContext()));
}
