// SPDX-License-Identifier: Apache-2.0
//===- DataFormat.cpp - the formats that --data can name ------------------===//

#include "runtime/data/DataFormat.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/data/EditDistance.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

std::span<const DataFormat *const> ps::runtime::dataFormats() {
  static const DataFormat *const all[] = {
#define FORMAT(name) &formats::name,
#include "runtime/data/DataFormats.inc"
#undef FORMAT
  };
  return all;
}

const DataSuffix *DataFormat::findSuffix(absl::string_view suffix) const {
  auto found = std::ranges::find_if(suffixes, [&](const DataSuffix &candidate) {
    return candidate.name == suffix;
  });
  return found == suffixes.end() ? nullptr : &*found;
}

/// "csv:..." names a format with a source; a generator has arguments after '?'
/// or nothing. A longer word that only begins like a name is none.
const DataFormat *ps::runtime::findDataFormat(absl::string_view head) {
  for (const DataFormat *format : dataFormats()) {
    if (!absl::StartsWith(head, format->name))
      continue;
    const absl::string_view rest = head.substr(format->name.size());
    if (format->isGenerated() ? rest.empty() || rest[0] == '?'
                              : absl::StartsWith(rest, ":"))
      return format;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static std::string usage(const DataFormat &format) {
  return format.isGenerated() ? std::string(format.name)
                              : absl::StrCat(format.name, ":", format.source);
}

std::string ps::runtime::describeUnknownFormat(absl::string_view head) {
  std::string list;
  const DataFormat *similar = nullptr;
  // More than a typing error or two is another word.
  size_t least = 3;
  const std::span<const DataFormat *const> all = dataFormats();
  for (size_t i = 0; i != all.size(); ++i) {
    absl::StrAppend(&list,
                    i == 0                ? ""
                    : i + 1 == all.size() ? " or "
                                          : ", ",
                    usage(*all[i]));
    // A generator's name holds a ':' itself.
    absl::string_view given = head.substr(0, head.find('?'));
    if (!all[i]->isGenerated())
      given = given.substr(0, given.find(':'));
    if (const size_t distance = editDistance(given, all[i]->name);
        !given.empty() && distance < least) {
      least = distance;
      similar = all[i];
    }
  }
  return absl::StrCat("expected ", list, similar ? "; did you mean '" : "",
                      similar ? usage(*similar) : "", similar ? "'?" : "");
}

std::string ps::runtime::describeDataFormats() {
  constexpr size_t helpColumn = 26;
  const std::string indent(helpColumn, ' ');
  std::string text;
  for (const DataFormat *format : dataFormats()) {
    std::string title = absl::StrCat("  ", usage(*format));
    title.resize(std::max(title.size() + 1, helpColumn), ' ');
    for (absl::string_view line : absl::StrSplit(format->help, '\n'))
      absl::StrAppend(&text, std::exchange(title, indent), line, "\n");
  }
  return text;
}
