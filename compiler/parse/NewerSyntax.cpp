// SPDX-License-Identifier: Apache-2.0
//===- NewerSyntax.cpp - text of later versions of MLIR -------------------===//
//
// One pass over the text that looks at two forms only, and never inside of
// strings and comments. Text that merely resembles them stays as it is, for
// the parser to report.
//
//===----------------------------------------------------------------------===//

#include "compiler/parse/NewerSyntax.h"
#include "compiler/parse/InputLimits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <optional>
#include <string>

using llvm::StringRef;

namespace {

/// Walks along a piece of text, token by token; blanks between them do not
/// count.
class Cursor {
public:
  explicit Cursor(StringRef text, size_t at) : text(text), at(at) {}

  bool skip(StringRef token) {
    skipBlanks();
    if (!text.substr(at).starts_with(token))
      return false;
    at += token.size();
    return true;
  }
  bool skipNumber() {
    skipBlanks();
    size_t digits = text.substr(at).take_while(llvm::isDigit).size();
    at += digits;
    return digits != 0;
  }
  /// A string; returns what is between its quotes.
  std::optional<StringRef> skipString() {
    skipBlanks();
    if (at >= text.size() || text[at] != '"')
      return std::nullopt;
    size_t begin = at;
    at = std::min(ps::skipString(text, at), text.size());
    if (at - begin < 2 || text[at - 1] != '"')
      return std::nullopt;
    return text.slice(begin + 1, at - 1);
  }
  size_t place() const { return at; }

private:
  void skipBlanks() {
    while (at < text.size() && llvm::isSpace(text[at]))
      ++at;
  }

  StringRef text;
  size_t at;
};

/// A copy of a text in which some characters are exchanged.
class Rewriter {
public:
  explicit Rewriter(StringRef text) : text(text) {}

  /// What `text` becomes, or nothing where it stays.
  std::optional<std::string> run();

private:
  size_t skipToken(size_t at) const;
  void replace(size_t begin, size_t end, StringRef by);
  void dropRange(size_t location);
  void packBytes(size_t constant);

  StringRef text;
  std::optional<std::string> result;
};

} // namespace

/// Puts `by`, which is not longer, and blanks in the place of [begin, end).
void Rewriter::replace(size_t begin, size_t end, StringRef by) {
  if (!result)
    result = text.str();
  std::fill(result->begin() + begin, result->begin() + end, ' ');
  std::copy(by.begin(), by.end(), result->begin() + begin);
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

/// `"file":1:2 to 3:4` or `"file":1:2 to :4`, from the string on. A string with
/// two numbers behind it is nothing but a location.
void Rewriter::dropRange(size_t location) {
  Cursor cursor(text, location);
  if (!cursor.skipString() || !cursor.skip(":") || !cursor.skipNumber() ||
      !cursor.skip(":") || !cursor.skipNumber())
    return;
  size_t begin = cursor.place();
  if (!cursor.skip("to "))
    return;
  cursor.skipNumber();
  if (cursor.skip(":") && cursor.skipNumber())
    replace(begin, cursor.place(), "");
}

//===----------------------------------------------------------------------===//
// Constants of i1
//===----------------------------------------------------------------------===//

/// The number of elements of `AxBxi1>`, or nothing.
static std::optional<size_t> countBools(StringRef shape) {
  size_t count = 1;
  shape = shape.take_until([](char c) { return c == '>'; });
  while (shape != "i1") {
    size_t size;
    bool overflows = false;
    if (shape.consumeInteger(10, size) || !shape.consume_front("x"))
      return std::nullopt;
    count = llvm::SaturatingMultiply(count, size, &overflows);
    if (overflows)
      return std::nullopt;
  }
  return count;
}

/// Bits, the first one lowest, of bytes that are 0 or 1; nothing for others.
static std::optional<std::string> packBits(StringRef bytes) {
  std::string packed((bytes.size() + 7) / 8, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != 0 && bytes[i] != 1)
      return std::nullopt;
    packed[i / 8] |= bytes[i] << (i % 8);
  }
  return packed;
}

/// `dense<"0x..."> : tensor<..xi1>`, from the string on.
void Rewriter::packBytes(size_t constant) {
  Cursor cursor(text, constant);
  std::optional<StringRef> digits = cursor.skipString();
  size_t end = cursor.place();
  std::string bytes;
  if (!digits || !digits->consume_front("0x") ||
      !llvm::tryGetFromHex(*digits, bytes) || !cursor.skip(">") ||
      !cursor.skip(":") || !cursor.skip("tensor<"))
    return;
  // One element is the same in both forms.
  std::optional<size_t> count = countBools(text.substr(cursor.place()));
  if (!count || *count != bytes.size() || *count < 2)
    return;
  if (std::optional<std::string> packed = packBits(bytes))
    replace(constant, end, "\"0x" + llvm::toHex(*packed) + "\"");
}

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

/// Past a string, a comment or a character.
size_t Rewriter::skipToken(size_t at) const {
  if (text[at] == '"')
    return ps::skipString(text, at);
  if (text.substr(at).starts_with("//"))
    return std::min(text.find('\n', at), text.size());
  return at + 1;
}

std::optional<std::string> Rewriter::run() {
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      if (text.take_front(at).rtrim().ends_with("dense<"))
        packBytes(at);
      else
        dropRange(at);
    }
    at = skipToken(at);
  }
  return std::move(result);
}

std::unique_ptr<llvm::MemoryBuffer>
ps::readNewerSyntax(std::unique_ptr<llvm::MemoryBuffer> file) {
  std::optional<std::string> text = Rewriter(file->getBuffer()).run();
  if (!text)
    return file;
  return llvm::MemoryBuffer::getMemBufferCopy(*text,
                                              file->getBufferIdentifier());
}
