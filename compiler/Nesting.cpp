//===- Nesting.cpp - how deep a file may nest -----------------------------===//

#include "compiler/Nesting.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using llvm::StringRef;

/// Past the string that opens at `at`.
static size_t skipString(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  return at + 1;
}

/// Past what begins at `at` and holds no bracket, or `at` itself.
static size_t skipInert(StringRef text, size_t at) {
  if (text[at] == '"')
    return skipString(text, at);
  StringRef rest = text.substr(at);
  if (rest.starts_with("//"))
    return std::min(text.find('\n', at), text.size());
  // An arrow and comparisons are no brackets.
  if (rest.starts_with("->") || rest.starts_with("<=") ||
      rest.starts_with(">="))
    return at + 2;
  return at;
}

/// Where the text opens one bracket too many, or its size.
static size_t findTooDeep(StringRef text) {
  int depth = 0;
  for (size_t at = 0; at < text.size();) {
    if (size_t next = skipInert(text, at); next != at) {
      at = next;
      continue;
    }
    if (StringRef("([{<").contains(text[at]) && ++depth > ps::kMaxNesting)
      return at;
    if (StringRef(")]}>").contains(text[at]))
      depth = std::max(0, depth - 1);
    ++at;
  }
  return text.size();
}

std::string ps::checkNesting(llvm::MemoryBufferRef file, StringRef mark) {
  StringRef text = file.getBuffer();
  if (mlir::isBytecode(file))
    return "";
  size_t at = findTooDeep(text);
  if (at == text.size())
    return "";
  StringRef before = text.take_front(at);
  size_t line = before.count('\n') + 1;
  size_t column = at - (before.rfind('\n') + 1) + 1;
  return (file.getBufferIdentifier() + ":" + llvm::Twine(line) + ":" +
          llvm::Twine(column) + ": " + mark + "brackets are nested more than " +
          llvm::Twine(kMaxNesting) + " deep")
      .str();
}
