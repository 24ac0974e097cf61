// SPDX-License-Identifier: Apache-2.0
//===- AttributeParser.cpp - reads and prints #ps attributes --------------===//
//
// The parsers that TableGen writes report errors in terms of C++. An error of
// one is reported here in terms of the text: the attribute as it is spelled,
// its parameters, and what each one expects.
//
//===----------------------------------------------------------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/ps/Spelling.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ps;

#define GET_ATTRDEF_CLASSES
#include "dialects/ps/PSAttrs.cpp.inc"

void PSDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/ps/PSAttrs.cpp.inc"
      >();
}

namespace {

struct Signature {
  StringRef mnemonic;
  /// Between commas.
  StringRef parameters;
};

/// Collects what is reported while it lives.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          collected.push_back(std::move(diagnostic));
          return success();
        }) {}

  std::vector<Diagnostic> collected;

private:
  ScopedDiagnosticHandler handler;
};

} // namespace

template <typename... Attrs>
static SmallVector<Signature> getSignatures() {
  return {{Attrs::getMnemonic(), Attrs::getParameterNames()}...};
}

static ArrayRef<Signature> getAllSignatures() {
  static const SmallVector<Signature> signatures = getSignatures<
#define GET_ATTRDEF_LIST
#include "dialects/ps/PSAttrs.cpp.inc"
      >();
  return signatures;
}

static SmallVector<StringRef> split(StringRef parameters) {
  SmallVector<StringRef> names;
  parameters.split(names, ", ", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return names;
}

/// "its parameters are x, y", to follow an error.
static std::string listParameters(const Signature &attribute) {
  if (attribute.parameters.empty())
    return "it has none";
  bool one = !attribute.parameters.contains(',');
  return ((one ? "its parameter is " : "its parameters are ") +
          attribute.parameters)
      .str();
}

/// A value of the C++ type `type`, in words; empty for an enum, whose parser
/// lists its values.
static StringRef describeType(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Case("::llvm::APFloat", "a number")
      .Case("::mlir::Attribute", "a number or a schedule")
      .Cases("int64_t", "::std::optional<int64_t>", "an integer")
      .Case("bool", "true or false")
      .Case("::mlir::StringAttr", "a string in quotes")
      .Case("::mlir::ArrayAttr", "a list in brackets")
      .Case("::mlir::DenseI64ArrayAttr", "integers in brackets")
      .Case("::mlir::DenseF64ArrayAttr", "numbers in brackets")
      .Case("::mlir::RankedTensorType", "a tensor type")
      .Default("");
}

/// Phrases the error `what` about the value of a parameter: `summary` is the
/// generated "... parameter 'x' which is to be a `T`". An error within a nested
/// attribute is `what` as it is. `found` is the text in place of the value,
/// where it is known.
static std::string describeBadValue(const Signature &attribute, StringRef what,
                                    StringRef summary, StringRef found) {
  StringRef parameter = summary.split("parameter '").second.split('\'').first;
  StringRef type = summary.split('`').second.split('`').first;
  if (type == "::mlir::Attribute" && what != "expected attribute value")
    return what.str();
  StringRef expected = describeType(type);
  if (expected.empty()) // "expected ::ps::Mode to be one of: .."
    expected =
        what.contains(" to be ") ? what.split(" to be ").second : "a keyword";
  return ("#ps." + attribute.mnemonic + ": expected " + parameter + " to be " +
          expected + (found.starts_with(parameter) ? ", without its name" : ""))
      .str();
}

/// Phrases the errors that the generated parser of `attribute` has reported.
static std::string describe(const Signature &attribute,
                            ArrayRef<Diagnostic> errors, StringRef found) {
  const std::string name = ("#ps." + attribute.mnemonic).str();
  const std::string first = errors.front().str();
  StringRef what = first;
  for (const Diagnostic &error : errors)
    if (std::string text = error.str();
        StringRef(text).starts_with("failed to parse PS_"))
      return describeBadValue(attribute, what, text, found);
  if (what.consume_front("duplicate or unknown struct parameter name: ")) {
    SmallVector<StringRef> known = split(attribute.parameters);
    if (llvm::is_contained(known, what))
      return (name + ": parameter '" + what + "' is given twice").str();
    return (name + " has no parameter '" + what + "'; " +
            listParameters(attribute) + suggest(what, known))
        .str();
  }
  if (what.consume_front("struct is missing required parameter: "))
    return (name + ": parameter '" + what + "' is missing").str();
  // A mark or a name is missing; a violated constraint has its message.
  if (what.starts_with("expected '") || what == "expected valid keyword")
    return name + ": " +
           (what == "expected valid keyword" ? "expected a parameter's name"
                                             : first) +
           "; " + listParameters(attribute);
  return first;
}

/// The keyword at `loc`: the generated parser returns only an unknown one.
/// Looks no further than the keyword: the text behind it is the rest of the
/// file, which ends with a zero.
static StringRef readMnemonic(SMLoc loc) {
  const char *begin = loc.getPointer(), *end = begin;
  while (llvm::isAlnum(*end) || *end == '_' || *end == '$' || *end == '.')
    ++end;
  return StringRef(begin, end - begin);
}

/// The word behind "mnemonic<", a name or a value.
static StringRef readFirstParameter(SMLoc loc, StringRef mnemonic) {
  const char *behind = loc.getPointer() + mnemonic.size();
  return readMnemonic(SMLoc::getFromPointer(behind + (*behind == '<' ? 1 : 0)));
}

Attribute PSDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic = readMnemonic(loc), unknown;
  Attribute attribute;
  OptionalParseResult result;
  std::vector<Diagnostic> errors;
  {
    DiagnosticCollector collector(getContext());
    result = generatedAttributeParser(parser, &unknown, type, attribute);
    errors = std::move(collector.collected);
  }
  ArrayRef<Signature> signatures = getAllSignatures();
  const Signature *known = llvm::find_if(
      signatures, [&](const Signature &s) { return s.mnemonic == mnemonic; });
  if (known == signatures.end()) {
    SmallVector<StringRef> mnemonics;
    for (const Signature &signature : signatures)
      mnemonics.push_back(signature.mnemonic);
    parser.emitError(loc) << "unknown attribute '#ps." << mnemonic << "'"
                          << suggest(mnemonic, mnemonics);
    return {};
  }
  if (!attribute && !errors.empty()) {
    Location where = errors.front().getLocation();
    StringRef first = readFirstParameter(loc, mnemonic);
    bool isFirst = parser.getEncodedSourceLoc(
                       SMLoc::getFromPointer(first.data())) == where;
    emitError(where) << describe(*known, errors, isFirst ? first : "");
    return {};
  }
  for (Diagnostic &other : errors)
    getContext()->getDiagEngine().emit(std::move(other));
  // MLIR drops what follows an attribute without parameters.
  SMLoc behind = parser.getCurrentLocation();
  if (attribute && known->parameters.empty() &&
      succeeded(parser.parseOptionalLess())) {
    parser.emitError(behind) << "#ps." << mnemonic << " has no parameters";
    return {};
  }
  return attribute;
}

void PSDialect::printAttribute(Attribute attribute,
                               DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attribute, printer);
}
