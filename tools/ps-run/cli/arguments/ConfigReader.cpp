// SPDX-License-Identifier: Apache-2.0
//===- ConfigReader.cpp - the TOML of a file of options -------------------===//
//
// A value becomes the text that the command line would have, so that options
// alone decide which texts they accept: 1_000 becomes 1000.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/arguments/ConfigReader.h"
#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/config/UsageError.h"

using namespace ps;

static constexpr char valueKinds[] =
    "a string in quotes, a number, true, false or a list of these";

/// Removes digits, with single underscores between them, from the front.
static bool takeDigits(absl::string_view &text) {
  size_t size = 0;
  while (size != text.size() &&
         (absl::ascii_isdigit(text[size]) ||
          (text[size] == '_' && size != 0 && text[size - 1] != '_')))
    ++size;
  if (size == 0 || text[size - 1] == '_')
    return false;
  text.remove_prefix(size);
  return true;
}

static void takeSign(absl::string_view &text) {
  if (!absl::ConsumePrefix(&text, "+"))
    absl::ConsumePrefix(&text, "-");
}

/// A decimal number of TOML, where 010 is none.
static bool isNumber(absl::string_view text) {
  takeSign(text);
  const absl::string_view whole = text;
  if (!takeDigits(text))
    return false;
  if (whole.front() == '0' && whole.size() - text.size() > 1)
    return false;
  if (absl::ConsumePrefix(&text, ".") && !takeDigits(text))
    return false;
  if (absl::ConsumePrefix(&text, "e") || absl::ConsumePrefix(&text, "E")) {
    takeSign(text);
    return takeDigits(text) && text.empty();
  }
  return text.empty();
}

/// Appends a character as UTF-8; false for what is none. The end of a text in C
/// is none either: no argument could have it.
static bool appendCharacter(uint32_t code, std::string &text) {
  if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    return false;
  if (code < 0x80) {
    text += static_cast<char>(code);
    return true;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static constexpr unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
  text += static_cast<char>(leads[more] | (code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i)
    text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
  return true;
}

namespace {

/// Each function leaves `rest` behind what it has read.
class Reader {
public:
  Reader(absl::string_view text, const std::string &path)
      : rest(text), path(path) {
    absl::ConsumePrefix(&rest, "\xef\xbb\xbf"); // the mark of UTF-8
  }
  absl::StatusOr<std::vector<ConfigEntry>> read();

private:
  absl::Status fail(absl::string_view expected) const;
  absl::Status failAt(int place, absl::string_view message) const {
    return usageError(
        absl::StrCat("--config: ", path, ":", place, ": ", message));
  }
  bool take(absl::string_view token) {
    return absl::ConsumePrefix(&rest, token);
  }
  bool isAtNewline() const {
    return absl::StartsWith(rest, "\n") || absl::StartsWith(rest, "\r\n");
  }
  bool takeNewline();
  void skipBlanks();
  void skipLines();
  absl::string_view peekWord() const;

  absl::StatusOr<std::string> readKey();
  absl::Status readEscape(std::string &value);
  absl::StatusOr<std::string> readString();
  absl::StatusOr<std::string> readValue();
  absl::Status readList(std::vector<std::string> &values);
  absl::StatusOr<ConfigEntry> readEntry();

  absl::string_view rest;
  const std::string &path;
  int line = 1;
};

} // namespace

/// What is next, on one line.
absl::Status Reader::fail(absl::string_view expected) const {
  constexpr size_t most = 30;
  std::string found;
  if (rest.empty())
    found = "the end of the file";
  else if (isAtNewline())
    found = "a line break";
  else if (absl::string_view word = peekWord(); word.empty())
    found = absl::StrCat("'", absl::Utf8SafeCHexEscape(rest.substr(0, 1)), "'");
  else
    found = absl::StrCat("'", absl::Utf8SafeCHexEscape(word.substr(0, most)),
                         word.size() > most ? "..'" : "'");
  return failAt(line, absl::StrCat("found ", found, ", expected ", expected));
}

bool Reader::takeNewline() {
  if (!take("\n") && !take("\r\n"))
    return false;
  ++line;
  return true;
}

/// And a comment.
void Reader::skipBlanks() {
  while (take(" ") || take("\t")) {
  }
  if (absl::StartsWith(rest, "#"))
    while (!rest.empty() && !isAtNewline())
      rest.remove_prefix(1);
}

void Reader::skipLines() {
  do
    skipBlanks();
  while (takeNewline());
}

/// Up to where something else may begin.
absl::string_view Reader::peekWord() const {
  return rest.substr(0, rest.find_first_of(" \t\r\n,]#="));
}

absl::StatusOr<std::string> Reader::readKey() {
  if (absl::StartsWith(rest, "["))
    return fail("KEY = VALUE: a file of options has no tables");
  if (absl::StartsWith(rest, "\"") || absl::StartsWith(rest, "'"))
    return readString();
  size_t size = 0;
  while (size != rest.size() && (absl::ascii_isalnum(rest[size]) ||
                                 rest[size] == '-' || rest[size] == '_'))
    ++size;
  if (size == 0)
    return fail("KEY = VALUE");
  std::string key(rest.substr(0, size));
  rest.remove_prefix(size);
  return key;
}

/// What follows a backslash.
absl::Status Reader::readEscape(std::string &value) {
  static constexpr std::pair<char, char> characters[] = {
      {'"', '"'},  {'\\', '\\'}, {'n', '\n'}, {'t', '\t'},
      {'r', '\r'}, {'b', '\b'},  {'f', '\f'}};
  for (const auto &[letter, character] : characters)
    if (absl::StartsWith(rest, absl::string_view(&letter, 1))) {
      value += character;
      rest.remove_prefix(1);
      return absl::OkStatus();
    }
  const size_t digits = absl::StartsWith(rest, "u")   ? 4
                        : absl::StartsWith(rest, "U") ? 8
                                                      : 0;
  const absl::string_view number = rest.substr(digits != 0, digits);
  uint32_t code;
  if (digits != 0 && number.size() == digits &&
      absl::c_all_of(number, absl::ascii_isxdigit) &&
      absl::SimpleHexAtoi(number, &code) && appendCharacter(code, value)) {
    rest.remove_prefix(1 + digits);
    return absl::OkStatus();
  }
  return fail(
      "after '\\' one of \" \\ n t r b f uXXXX UXXXXXXXX; between ' and "
      "' a backslash is itself");
}

/// Between ' and ' nothing is escaped.
absl::StatusOr<std::string> Reader::readString() {
  for (const char *quotes : {"\"\"\"", "'''"})
    if (absl::StartsWith(rest, quotes))
      return fail("a string of one line");
  const absl::string_view quote = rest.substr(0, 1);
  rest.remove_prefix(1);
  std::string value;
  while (!take(quote)) {
    if (rest.empty() || isAtNewline())
      return fail(absl::StrCat(quote, " at the end of a string"));
    if (absl::ascii_iscntrl(rest.front()) && rest.front() != '\t')
      return fail("no control characters in a string");
    if (quote == "\"" && take("\\")) {
      RETURN_IF_ERROR(readEscape(value));
      continue;
    }
    value += rest.front();
    rest.remove_prefix(1);
  }
  return value;
}

absl::StatusOr<std::string> Reader::readValue() {
  if (absl::StartsWith(rest, "\"") || absl::StartsWith(rest, "'"))
    return readString();
  const absl::string_view word = peekWord();
  if (word != "true" && word != "false" && !isNumber(word))
    return fail(valueKinds);
  rest.remove_prefix(word.size());
  return absl::StrReplaceAll(absl::StripPrefix(word, "+"), {{"_", ""}});
}

/// Behind the [ of a list, which may have lines and a comma at its end.
absl::Status Reader::readList(std::vector<std::string> &values) {
  const int begin = line;
  for (;;) {
    skipLines();
    if (take("]"))
      return absl::OkStatus();
    if (rest.empty())
      return fail(absl::StrCat("the ] of the list of line ", begin));
    if (absl::StartsWith(rest, "["))
      return fail("a value: a list has no lists");
    ASSIGN_OR_RETURN(values.emplace_back(), readValue());
    skipLines();
    if (!take(",") && !absl::StartsWith(rest, "]"))
      return fail(
          absl::StrCat("a comma, or the ] of the list of line ", begin));
  }
}

absl::StatusOr<ConfigEntry> Reader::readEntry() {
  ConfigEntry entry{.key = "", .values = {}, .line = line};
  ASSIGN_OR_RETURN(entry.key, readKey());
  skipBlanks();
  if (!take("="))
    return fail(absl::StrCat("= after the key '", entry.key, "'"));
  skipBlanks();
  if (take("[")) {
    RETURN_IF_ERROR(readList(entry.values));
  } else {
    ASSIGN_OR_RETURN(entry.values.emplace_back(), readValue());
  }
  skipBlanks();
  if (!rest.empty() && !takeNewline())
    return fail("a line break after the value");
  return entry;
}

absl::StatusOr<std::vector<ConfigEntry>> Reader::read() {
  std::vector<ConfigEntry> entries;
  for (skipLines(); !rest.empty(); skipLines()) {
    ASSIGN_OR_RETURN(ConfigEntry entry, readEntry());
    for (const ConfigEntry &other : entries)
      if (other.key == entry.key)
        return failAt(entry.line,
                      absl::StrCat("found key '", entry.key,
                                   "' again, expected it once: line ",
                                   other.line, " has it"));
    entries.push_back(std::move(entry));
  }
  return entries;
}

absl::StatusOr<std::vector<ConfigEntry>>
ps::parseConfig(absl::string_view text, const std::string &path) {
  return Reader(text, path).read();
}
