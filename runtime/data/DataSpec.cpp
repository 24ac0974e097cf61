// SPDX-License-Identifier: Apache-2.0
//===- DataSpec.cpp - the parts of a --data string ------------------------===//
//
// KIND:SOURCE#SUFFIX#SUFFIX: a suffix is a range of samples or an option of the
// kind. Each format lists the suffixes that it takes, so the messages here name
// the formats that would take a refused one.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/DataSpec.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/FeedMap.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <glob.h>
#include <unistd.h>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Suffixes
//===----------------------------------------------------------------------===//

absl::Status DataSpec::error(absl::string_view why) const {
  return absl::InvalidArgumentError(absl::StrCat("data '", text, "': ", why));
}

/// Parses "A-B", "A-" or "-B".
static std::optional<SampleRange> parseRange(absl::string_view text) {
  std::vector<absl::string_view> ends = absl::StrSplit(text, '-');
  SampleRange range;
  if (ends.size() != 2 || text == "-" ||
      !(ends[0].empty() || absl::SimpleAtoi(ends[0], &range.begin)) ||
      !(ends[1].empty() || absl::SimpleAtoi(ends[1], &range.end)))
    return std::nullopt;
  return range;
}

absl::Status ps::runtime::checkRange(absl::string_view spec,
                                     const SampleRange &range,
                                     int64_t samples) {
  int64_t end = range.endOf(samples);
  if (range.begin < end && end <= samples)
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "data '", spec, "': range #", range.begin, "-",
      range.end == SampleRange::toTheEnd ? "" : absl::StrCat(range.end),
      " is not within its ", samples, " samples"));
}

/// "#slots is for multislot and slots files only", of what is not for `spec`.
static absl::Status onlyFor(const DataSpec &spec, absl::string_view what,
                            absl::FunctionRef<bool(const DataFormat &)> isFor) {
  std::vector<absl::string_view> names;
  for (const DataFormat *format : dataFormats())
    if (isFor(*format))
      names.push_back(format->name);
  std::string list(names.back());
  if (names.size() > 1)
    list = absl::StrCat(absl::StrJoin(names.begin(), names.end() - 1, ", "),
                        " and ", list);
  return spec.error(absl::StrCat(what, " is for ", list, " files only"));
}

static std::string describeSuffixes(const DataFormat &format) {
  std::string list = "#A-B, #A-";
  std::string last = "#-B";
  for (const DataSuffix &suffix : format.suffixes) {
    absl::StrAppend(&list, ", ", last);
    last = absl::StrCat("#", suffix.name, suffix.value.empty() ? "" : "=",
                        suffix.value);
  }
  return absl::StrCat(list, " and ", last);
}

static absl::Status parseSuffix(DataSpec &spec, absl::string_view text) {
  if (std::optional<SampleRange> range = parseRange(text)) {
    if (range->begin >= range->end)
      return spec.error(absl::StrCat("#", text, " is empty"));
    spec.range = range;
    return absl::OkStatus();
  }
  std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('=', 1));
  auto [name, value] = parts;
  const bool valued = absl::StrContains(text, '=');
  const DataSuffix *suffix = spec.format->findSuffix(name);
  auto takes = [&](const DataFormat &format) {
    const DataSuffix *other = format.findSuffix(name);
    return other && other->value.empty() != valued;
  };
  if (!suffix && std::ranges::any_of(dataFormats(), [&](auto *format) {
        return takes(*format);
      }))
    return onlyFor(spec, absl::StrCat("#", name), takes);
  if (!takes(*spec.format))
    return spec.error(absl::StrCat("'#", text, "' is none of ",
                                   describeSuffixes(*spec.format)));
  if (suffix->check)
    if (std::string expected = suffix->check(value); !expected.empty())
      return spec.error(absl::StrCat("'#", text, "': expected ", expected));
  spec.suffixes[std::string(name)] = std::string(value);
  return absl::OkStatus();
}

std::string DataSpec::suffix(absl::string_view name,
                             absl::string_view otherwise) const {
  auto found = suffixes.find(name);
  return found == suffixes.end() ? std::string(otherwise) : found->second;
}

absl::StatusOr<DataSpec> DataSpec::parse(const std::string &text) {
  DataSpec spec{.text = text};
  std::vector<std::string> parts = absl::StrSplit(text, '#');
  std::pair<std::string, std::string> head =
      absl::StrSplit(parts[0], absl::MaxSplits(':', 1));
  const std::string &kind = head.first;
  spec.source = head.second;
  if (kind == "parquet" || kind == "arrow" || kind == "feather")
    return spec.error(absl::StrCat(
        "Debian has no library for ", kind,
        " files: read them by table:FILES "
        "and --pipe-command='python3 -m ps_mlir.parquet', or by slots:FILES "
        "and that with --slots"));
  const bool generated = kind == "synthetic";
  spec.format = findDataFormat(parts[0]);
  if (!spec.format && !(generated && absl::StrContains(parts[0], ':')))
    return spec.error(describeUnknownFormat(parts[0]));
  if (spec.source.empty())
    return spec.error(absl::StrCat("expected a source after '", kind, ":'"));
  if (!spec.format)
    return spec.error(absl::StrCat("there is no generator '",
                                   spec.source.substr(0, spec.source.find('?')),
                                   "': ", describeUnknownFormat(parts[0])));
  for (size_t i = 1; i != parts.size(); ++i)
    RETURN_IF_ERROR(parseSuffix(spec, parts[i]));
  return spec;
}

std::string DataSpec::withoutFiles() const {
  if (format->isGenerated())
    return text;
  const size_t suffixes = std::min(text.find('#'), text.size());
  // In names of other files a '?' is part of a pattern.
  const size_t query = format->hasQuery ? text.find('?') : suffixes;
  return absl::StrCat(format->name, text.substr(std::min(query, suffixes)));
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

absl::Status ps::runtime::checkHoldsLines(const DataSpec &spec,
                                          absl::string_view flag) {
  if (spec.format->holdsLines())
    return absl::OkStatus();
  return onlyFor(spec, flag,
                 [](const DataFormat &format) { return format.holdsLines(); });
}

absl::Status LineFiles::emptyError(const DataSpec &spec) const {
  if (files.size() == 1)
    return absl::DataLossError(
        absl::StrCat("'", files.front(), "': holds no samples"));
  return absl::DataLossError(
      absl::StrCat("'", spec.source, "': hold no samples"));
}

absl::StatusOr<std::vector<std::string>>
ps::runtime::expandFiles(const DataSpec &spec) {
  std::vector<std::string> files;
  for (const std::string &pattern :
       std::vector<std::string>(absl::StrSplit(spec.source, ','))) {
    if (pattern.empty())
      return spec.error("expected a name on both sides of each comma");
    glob_t found;
    int failed = glob(pattern.c_str(), GLOB_TILDE, nullptr, &found);
    if (failed == 0)
      files.insert(files.end(), found.gl_pathv,
                   found.gl_pathv + found.gl_pathc);
    if (failed == 0 || failed == GLOB_NOMATCH)
      globfree(&found);
    // Opening a plain name says best why it cannot be used.
    if (failed != 0 && pattern.find_first_of("*?[") == std::string::npos)
      files.push_back(pattern);
    else if (failed != 0)
      return absl::NotFoundError(
          absl::StrCat("no file matches '", pattern, "'"));
  }
  return files;
}

/// The files that one reader of several is assigned.
static absl::StatusOr<std::vector<std::string>>
assignFiles(const DataSpec &spec, std::vector<std::string> files,
            const DataOptions &options) {
  const size_t readers = options.readers;
  if (files.size() < readers)
    return spec.error(absl::StrCat(
        files.size() == 1 ? "1 file" : absl::StrCat(files.size(), " files"),
        " cannot be divided among ", readers,
        " trainers: cut the data into more files, or leave out "
        "--data-split=files"));
  std::vector<std::string> assigned;
  for (size_t i = options.reader; i < files.size(); i += readers)
    assigned.push_back(std::move(files[i]));
  return assigned;
}

/// A feed of f64 gets all digits of the text: numbers are kept as f64 then.
static void keepDigits(std::span<const FeedSpec> feeds, LineFormat &format) {
  if (std::none_of(feeds.begin(), feeds.end(), [](const FeedSpec &feed) {
        return feed.type.dtype == DType::F64;
      }))
    return;
  for (ColumnSpec &column : format.columns)
    if (column.dtype == DType::F32)
      column.dtype = DType::F64;
}

/// Makes lines that do not fill `feeds` broken ones.
static absl::Status checkFeeds(const DataSpec &spec,
                               std::span<const FeedSpec> feeds,
                               LineFormat &format) {
  auto columns = std::make_shared<const Dataset>(
      ColumnStore(format.columns, format.aliases, spec.text).take());
  ASSIGN_OR_RETURN(FeedMap map, FeedMap::create(*columns, feeds));
  format.check = map.checkOfLines(std::move(columns));
  return absl::OkStatus();
}

absl::StatusOr<LineFiles>
ps::runtime::findLineFiles(const DataSpec &spec, const DataOptions &options) {
  ASSIGN_OR_RETURN(std::unique_ptr<LineFormat> format,
                   spec.format->makeLines(spec, options));
  LineFiles result;
  ASSIGN_OR_RETURN(std::vector<std::string> files, expandFiles(spec));
  ASSIGN_OR_RETURN(result.files, assignFiles(spec, std::move(files), options));
  // A name that is mistyped, before columns that do not fit.
  if (const std::string &first = result.files.front();
      access(first.c_str(), R_OK) != 0)
    return absl::NotFoundError(
        absl::StrCat("cannot open '", first, "': ", std::strerror(errno)));
  keepDigits(options.feeds, *format);
  if (!options.feeds.empty())
    RETURN_IF_ERROR(checkFeeds(spec, options.feeds, *format));
  result.format = std::move(format);
  return result;
}
