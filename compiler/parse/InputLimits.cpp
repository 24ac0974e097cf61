// SPDX-License-Identifier: Apache-2.0
//===- InputLimits.cpp - what a file may ask of the parser ----------------===//
//
//  1. Lexer: cut the text into the few kinds of tokens that matter here.
//  2. AliasTable: collect the definitions of aliases, and how deep and large
//     each of them is when it is written out.
//  3. findFault: walk over the text, at each use of an alias with the depth and
//     size of that alias.
//
//===----------------------------------------------------------------------===//

#include "compiler/parse/InputLimits.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <optional>

using llvm::StringRef;
using llvm::Twine;
using namespace ps;

namespace {

//===----------------------------------------------------------------------===//
// 1. Lexer
//===----------------------------------------------------------------------===//

enum class Kind { Open, Close, Alias, Equals, Operator, Word, End };

struct Token {
  Kind kind;
  size_t at;
  StringRef text;
};

bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

/// The tokens of a text. Comments and punctuation are none; a string is a word.
class Lexer {
public:
  explicit Lexer(StringRef text, size_t from = 0) : text(text), at(from) {}

  Token next() {
    while (at < text.size())
      if (std::optional<Token> token = read())
        return *token;
    return {Kind::End, text.size(), ""};
  }

private:
  Token take(Kind kind, size_t size) {
    Token token{kind, at, text.substr(at, size)};
    at += token.text.size();
    return token;
  }
  size_t endOfWord(size_t from) const {
    while (from < text.size() && isWordPart(text[from]))
      ++from;
    return from;
  }
  bool startsWith(StringRef prefix) const {
    return text.substr(at).starts_with(prefix);
  }
  std::optional<Token> skip(size_t size) {
    at += size;
    return std::nullopt;
  }

  /// The token at `at`, if one begins there.
  std::optional<Token> read() {
    switch (char c = text[at]) {
    case '(':
    case '[':
    case '{':
    case '<':
      // Comparisons and arrows are no brackets.
      return startsWith("<=") ? skip(2) : take(Kind::Open, 1);
    case ')':
    case ']':
    case '}':
    case '>':
      return startsWith(">=") ? skip(2) : take(Kind::Close, 1);
    case '"':
      return take(Kind::Word, skipString(text, at) - at);
    case '/':
      return skip(startsWith("//")
                      ? std::min(text.find('\n', at), text.size()) - at
                      : 1);
    case '=':
      return startsWith("==") ? skip(2) : take(Kind::Equals, 1);
    case '-':
      return startsWith("->") ? skip(2) : take(Kind::Operator, 1);
    case '+':
    case '*':
      return take(Kind::Operator, 1);
    case '#':
    case '!':
      return take(Kind::Alias, endOfWord(at + 1) - at);
    default:
      return isWordPart(c) ? take(Kind::Word, endOfWord(at) - at) : skip(1);
    }
  }

  StringRef text;
  size_t at;
};

/// The depth at a token: of brackets, and of operators of an affine map or set.
class Depth {
public:
  void add(const Token &token) {
    if (token.kind == Kind::Open)
      open();
    else if (token.kind == Kind::Close)
      close();
    else if (affine && isOperator(token))
      ++operators;
    isAffine = token.kind == Kind::Word &&
               (token.text == "affine_map" || token.text == "affine_set");
  }
  int64_t get() const { return brackets + operators; }

private:
  static bool isOperator(const Token &token) {
    return token.kind == Kind::Operator || token.text == "mod" ||
           token.text == "floordiv" || token.text == "ceildiv";
  }
  void open() {
    ++brackets;
    if (isAffine && !affine)
      affine = brackets;
  }
  void close() {
    if (affine == brackets)
      affine = operators = 0;
    brackets = std::max<int64_t>(0, brackets - 1);
  }

  int64_t brackets = 0, operators = 0;
  /// The depth inside the affine map or set that is open, or 0.
  int64_t affine = 0;
  bool isAffine = false;
};

//===----------------------------------------------------------------------===//
// 2. AliasTable
//===----------------------------------------------------------------------===//

struct Use {
  StringRef name;
  int64_t depth;
};

struct Alias {
  /// Without the aliases that it uses; then with them.
  int64_t depth = 0, words = 0;
  llvm::SmallVector<Use> uses;
  enum { New, Open, Done } state = New;
};

int64_t addUpTo(int64_t limit, int64_t a, int64_t b) {
  return std::min(limit + 1, a + b);
}

class AliasTable {
public:
  explicit AliasTable(StringRef text);

  const Alias *find(StringRef name) const {
    auto found = aliases.find(name);
    return found == aliases.end() ? nullptr : &found->second;
  }
  /// Whether the text between these places belongs to a definition.
  bool isDefinition(size_t at) {
    while (next < extents.size() && extents[next].second <= at)
      ++next;
    return next < extents.size() && extents[next].first <= at;
  }

private:
  size_t addDefinition(StringRef text, const Token &name, Lexer lexer);
  void writeOut(StringRef name);
  bool openUses(Alias &alias, llvm::SmallVectorImpl<Alias *> &stack);

  llvm::DenseMap<StringRef, Alias> aliases;
  llvm::SmallVector<std::pair<size_t, size_t>> extents;
  size_t next = 0;
};

/// Whether the definition may end before the text at `at`: behind a line's end,
/// where what follows cannot continue a value.
bool mayEnd(StringRef text, size_t from, size_t at) {
  return text.slice(from, at).contains('\n') &&
         (at == text.size() || !StringRef("<:([{-,=").contains(text[at]));
}

AliasTable::AliasTable(StringRef text) {
  Lexer lexer(text);
  Depth depth;
  for (Token token = lexer.next(); token.kind != Kind::End;) {
    Token name = token;
    depth.add(token);
    token = lexer.next();
    if (name.kind != Kind::Alias || token.kind != Kind::Equals ||
        depth.get() != 0)
      continue;
    size_t end = addDefinition(text, name, lexer);
    extents.push_back({name.at, end});
    lexer = Lexer(text, end);
    token = lexer.next();
  }
  llvm::SmallVector<StringRef> names;
  for (auto &[name, alias] : aliases)
    names.push_back(name);
  for (StringRef name : names)
    writeOut(name);
}

/// Reads the value, behind "=", and returns where it ends.
size_t AliasTable::addDefinition(StringRef text, const Token &name,
                                 Lexer lexer) {
  Alias alias;
  Depth depth;
  size_t end = text.size();
  for (bool isEmpty = true;; isEmpty = false) {
    Token token = lexer.next();
    if (token.kind == Kind::End ||
        (!isEmpty && depth.get() == 0 && mayEnd(text, end, token.at)))
      break;
    depth.add(token);
    end = token.at + token.text.size();
    alias.depth = std::max(alias.depth, depth.get());
    ++alias.words;
    if (token.kind == Kind::Alias)
      alias.uses.push_back({token.text, depth.get()});
  }
  aliases[name.text] = std::move(alias);
  return end;
}

/// Puts aliases that `alias` uses and that are not written out yet on the
/// stack. An alias that uses itself is an error of the parser's.
bool AliasTable::openUses(Alias &alias, llvm::SmallVectorImpl<Alias *> &stack) {
  size_t before = stack.size();
  for (const Use &use : alias.uses)
    if (auto found = aliases.find(use.name);
        found != aliases.end() && found->second.state == Alias::New)
      stack.push_back(&found->second);
  alias.state = Alias::Open;
  return stack.size() != before;
}

// A stack instead of recursion: chains are as long as the file makes them.
void AliasTable::writeOut(StringRef name) {
  llvm::SmallVector<Alias *> stack{&aliases.find(name)->second};
  while (!stack.empty()) {
    Alias &alias = *stack.back();
    if (alias.state == Alias::New && openUses(alias, stack))
      continue;
    stack.pop_back();
    if (alias.state == Alias::Done)
      continue;
    for (const Use &use : alias.uses) {
      const Alias *used = find(use.name);
      if (!used || used->state != Alias::Done)
        continue;
      alias.depth =
          std::max(alias.depth, addUpTo(kMaxNesting, use.depth, used->depth));
      alias.words = addUpTo(kMaxAliasWords, alias.words, used->words);
    }
    alias.state = Alias::Done;
  }
}

//===----------------------------------------------------------------------===//
// 3. findFault
//===----------------------------------------------------------------------===//

struct Fault {
  size_t at;
  std::string message;
};

std::string describeNesting(int64_t brackets, StringRef alias) {
  if (brackets > kMaxNesting)
    return (Twine("brackets are nested more than ") + Twine(kMaxNesting) +
            " deep")
        .str();
  return (Twine("'") + alias + "' is nested more than " + Twine(kMaxNesting) +
          " deep here, with the aliases that it is made of")
      .str();
}

std::optional<Fault> findFault(StringRef text) {
  AliasTable aliases(text);
  Lexer lexer(text);
  Depth depth;
  int64_t words = 0;
  for (Token token = lexer.next(); token.kind != Kind::End;
       token = lexer.next()) {
    depth.add(token);
    const Alias *alias =
        token.kind == Kind::Alias ? aliases.find(token.text) : nullptr;
    if (depth.get() + (alias ? alias->depth : 0) > kMaxNesting)
      return Fault{token.at, describeNesting(depth.get(), token.text)};
    if (alias && !aliases.isDefinition(token.at))
      words += alias->words;
    if (words > kMaxAliasWords)
      return Fault{token.at,
                   ("aliases expand to more than " + Twine(kMaxAliasWords) +
                    " words up to here; write large attributes once")
                       .str()};
  }
  return std::nullopt;
}

} // namespace

size_t ps::skipString(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  return at + 1;
}

std::string ps::checkInput(llvm::MemoryBufferRef file, StringRef mark) {
  StringRef text = file.getBuffer();
  if (mlir::isBytecode(file))
    return (file.getBufferIdentifier() + ":1:1: " + mark +
            "is MLIR bytecode: expected MLIR's text form")
        .str();
  std::optional<Fault> fault = findFault(text);
  if (!fault)
    return "";
  StringRef before = text.take_front(fault->at);
  size_t line = before.count('\n') + 1;
  size_t column = fault->at - (before.rfind('\n') + 1) + 1;
  return (file.getBufferIdentifier() + ":" + Twine(line) + ":" + Twine(column) +
          ": " + mark + fault->message)
      .str();
}
