// SPDX-License-Identifier: Apache-2.0
//===- SetParameters.cpp - parameters of optimizers, from outside ---------===//
//
// No optimizer is known by name here: its attribute is printed, the parameter
// replaced or added in the text, and the text parsed again. So each optimizer
// checks its parameters itself, as in a file.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/loader/SetParameters.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "dialects/ps/PSDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "runtime/base/Status.h"
#include "llvm/ADT/StringExtras.h"

using namespace ps;
using namespace mlir;

namespace {
struct Setting {
  std::string name, value;
};
} // namespace

/// IR has no number without a point before its exponent.
static std::string spellValue(StringRef value) {
  double number;
  const size_t exponent = value.find_first_of("eE");
  if (exponent == StringRef::npos || value.contains('.') ||
      !absl::SimpleAtod(absl::string_view(value.data(), value.size()), &number))
    return value.str();
  return (value.take_front(exponent) + ".0" + value.drop_front(exponent)).str();
}

static absl::StatusOr<Setting> parseSetting(StringRef text) {
  const auto [name, value] = text.split('=');
  const bool isName = !name.empty() && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || c == '_';
  });
  if (!isName || value.empty())
    return absl::InvalidArgumentError(
        absl::StrCat("--set: expected NAME=VALUE, such as learning_rate=0.1, "
                     "found '",
                     text.str(), "'"));
  return Setting{name.str(), spellValue(value)};
}

/// Where the value of parameter `name` is in `text`, "#ps.sgd<.., name = ..>";
/// empty at the end of the list where there is none.
static std::pair<size_t, size_t> findValue(StringRef text, StringRef name,
                                           bool &isThere) {
  int depth = 0;
  size_t begin = StringRef::npos, item = 0;
  for (size_t i = 0; i != text.size(); ++i) {
    const char c = text[i];
    depth += c == '<' || c == '[' || c == '(' || c == '{';
    const bool ends = depth == 1 && (c == ',' || c == '>');
    if (ends && begin != StringRef::npos)
      return {begin, i};
    if (ends && c == '>')
      return {i, i};
    if ((depth == 1 && c == '<') || ends)
      item = i + 1;
    if (depth == 1 && c == '=' && text.slice(item, i).trim() == name) {
      isThere = true;
      begin = i + 1;
    }
    depth -= c == '>' || c == ']' || c == ')' || c == '}';
  }
  return {text.size(), text.size()};
}

/// The attribute with that value, or null, with what its parser said.
static Attribute replaceParameter(Attribute optimizer, const Setting &setting,
                                  std::string &reason) {
  std::string text;
  llvm::raw_string_ostream(text) << optimizer;
  bool isThere = false;
  const auto [begin, end] = findValue(text, setting.name, isThere);
  std::string value = setting.value;
  if (!isThere)
    value = absl::StrCat(
        StringRef(text).take_front(begin).ends_with("<") ? "" : ", ",
        setting.name, " = ", value);
  text.replace(begin, end - begin, isThere ? " " + value : value);
  ScopedDiagnosticHandler handler(optimizer.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    reason = diagnostic.str();
                                    return success();
                                  });
  return parseAttribute(text, optimizer.getContext());
}

static absl::Status applySetting(ModuleOp graph, const Setting &setting) {
  int64_t found = 0, changed = 0;
  std::string reason;
  graph.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs()) {
      if (!isa<OptimizerAttrInterface>(attribute.getValue()))
        continue;
      ++found;
      if (Attribute replaced =
              replaceParameter(attribute.getValue(), setting, reason)) {
        op->setAttr(attribute.getName(), replaced);
        ++changed;
      }
    }
  });
  if (changed > 0)
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--set=", setting.name, "=", setting.value, ": ",
                   found == 0 ? "the graph has no optimizer" : reason));
}

absl::Status ps::setParameters(ModuleOp graph,
                               std::span<const std::string> settings) {
  for (const std::string &text : settings) {
    ASSIGN_OR_RETURN(const Setting setting, parseSetting(text));
    RETURN_IF_ERROR(applySetting(graph, setting));
  }
  return absl::OkStatus();
}
