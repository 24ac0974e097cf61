// SPDX-License-Identifier: Apache-2.0
//===- Query.cpp - "?name=value&name=value" in a --data string ------------===//

#include "runtime/data/Query.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include <algorithm>
#include <cmath>

using namespace ps::runtime;

/// Stores `text` in `number`; false when it is not within the bounds.
static bool assign(const QueryNumber &number, absl::string_view text) {
  double value;
  if (!absl::SimpleAtod(text, &value) ||
      !(value >= number.least && value <= number.most))
    return false;
  if (auto *real = std::get_if<double *>(&number.value)) {
    **real = value;
    return true;
  }
  int64_t whole;
  // Not every seed is exact as a double.
  if (!absl::SimpleAtoi(text, &whole))
    whole = static_cast<int64_t>(value);
  **std::get_if<int64_t *>(&number.value) = whole;
  return std::trunc(value) == value;
}

absl::StatusOr<std::string>
ps::runtime::parseQuery(const DataSpec &spec,
                        std::span<const QueryNumber> numbers) {
  std::pair<std::string, absl::string_view> parts =
      absl::StrSplit(spec.source, absl::MaxSplits('?', 1));
  for (absl::string_view item :
       absl::StrSplit(parts.second, '&', absl::SkipEmpty())) {
    std::pair<absl::string_view, absl::string_view> option =
        absl::StrSplit(item, absl::MaxSplits('=', 1));
    auto number = std::find_if(
        numbers.begin(), numbers.end(),
        [&](const QueryNumber &each) { return each.name == option.first; });
    if (number == numbers.end())
      return spec.error(absl::StrCat(
          "'", item, "' is none of ",
          absl::StrJoin(numbers, ", ",
                        [](std::string *out, const QueryNumber &each) {
                          absl::StrAppend(out, each.name, "=");
                        })));
    if (!assign(*number, option.second))
      return spec.error(absl::StrCat(
          "'", item, "': expected ",
          std::holds_alternative<int64_t *>(number->value) ? "an integer"
                                                           : "a number",
          " from ", number->least, " to ", number->most));
  }
  return parts.first;
}
