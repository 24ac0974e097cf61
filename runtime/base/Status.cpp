// SPDX-License-Identifier: Apache-2.0
//===- Status.cpp - text of peers in errors -------------------------------===//

#include "runtime/base/Status.h"
#include <algorithm>

/// How many bytes the character at the beginning of `text` has; 0 if it is not
/// valid UTF-8 or a control character. Overlong forms are left to the terminal,
/// which has to refuse them.
static size_t printableLength(absl::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80)
    return first >= 0x20 && first != 0x7f;
  const size_t length = first >= 0xc2 && first < 0xe0   ? 2
                        : first >= 0xe0 && first < 0xf0 ? 3
                        : first >= 0xf0 && first < 0xf5 ? 4
                                                        : 0;
  if (length == 0 || text.size() < length)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80)
      return 0;
  // U+0080 to U+009F are controls, too: one of them begins escape sequences.
  const bool isControl =
      first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
  return isControl ? 0 : length;
}

std::string ps::runtime::printable(absl::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    if (const size_t length = printableLength(text)) {
      result.append(text.data(), length);
      text.remove_prefix(length);
      continue;
    }
    absl::StrAppend(
        &result, "\\x",
        absl::Hex(static_cast<unsigned char>(text[0]), absl::kZeroPad2));
    text.remove_prefix(1);
  }
  return result;
}

std::string ps::runtime::nameSome(size_t count,
                                  absl::FunctionRef<std::string(size_t)> name) {
  constexpr size_t most = 3;
  std::string text;
  for (size_t i = 0; i < std::min(count, most); ++i)
    absl::StrAppend(&text, i ? ", " : "", name(i));
  if (count > most)
    absl::StrAppend(&text, " and ", count - most, " more");
  return text;
}
