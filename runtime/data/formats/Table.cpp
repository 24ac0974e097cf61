// SPDX-License-Identifier: Apache-2.0
//===- Table.cpp - tables with a header, whose names are the feeds --------===//
//
// The first file's header is read before any line is parsed: it says in which
// cell each column is. Every file begins with that header.
//
// 1. parseColumns: "#columns=x=a+b,y" is what each column is made of; without
//    it each feed is a column of its name.
// 2. findCells: where the header has these names.
// 3. parseLine: cells between separators, which become numbers or ids.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/LineFormat.h"
#include "runtime/data/Numbers.h"
#include "runtime/data/TextSource.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

using namespace ps::runtime;

namespace {

/// Where a column's element is, and what its text means.
struct Part {
  size_t cell = 0;
  bool hashed = false;
  /// Sets ids of equal texts in different columns apart.
  uint64_t field = 0;
};

struct TableColumn {
  std::string name;
  /// In the header.
  std::vector<std::string> parts;
};

class TableFormat : public LineFormat {
public:
  struct Options {
    char separator = ',';
    std::vector<std::string> header;
    std::vector<std::vector<Part>> parts;
    /// What stands for a missing number.
    std::optional<double> missing;
    /// Hashed ids are from 0 to ids - 1; 0: any of 64 bits.
    uint64_t ids = 0;
  };
  TableFormat(Options options, std::vector<ColumnSpec> specs)
      : options(std::move(options)) {
    columns = std::move(specs);
  }

  /// A line of separators has cells without text.
  bool isBlankLine(absl::string_view line) const override {
    return LineFormat::isBlankLine(line) &&
           !absl::StrContains(line, options.separator);
  }

private:
  Result parseLine(absl::string_view line, bool first, Rows &rows,
                   LineError &error) const override;
  bool appendPart(const Part &part, absl::string_view cell,
                  Rows::Column &column, LineError &error) const;
  template <typename Number>
  bool appendNumber(absl::string_view cell, std::vector<Number> &values,
                    LineError &error) const;
  bool appendInteger(absl::string_view cell, std::vector<int64_t> &values,
                     LineError &error) const;

  const Options options;
};

/// Cuts a line into cells, in double quotes or not, and strips blanks around
/// them.
class Cells {
public:
  Cells(absl::string_view line, char separator) : separator(separator) {
    rest = line;
    while (!isCut && cutNext()) {
    }
  }
  std::vector<absl::string_view> cells;
  /// Whether a quote does not end.
  bool isCut = false;

private:
  bool cutNext();
  bool cutQuoted();
  void skipSpaces();

  const char separator;
  absl::string_view rest;
  /// The cells in which "" stands for a quote.
  std::vector<std::unique_ptr<std::string>> unescaped;
};
} // namespace

bool Cells::cutQuoted() {
  rest.remove_prefix(1);
  bool doubled = false;
  size_t end = rest.find('"');
  while (end != absl::string_view::npos && end + 1 < rest.size() &&
         rest[end + 1] == '"') {
    doubled = true;
    end = rest.find('"', end + 2);
  }
  if (end == absl::string_view::npos) {
    isCut = true;
    return false;
  }
  absl::string_view cell = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  skipSpaces();
  if (!rest.empty() && rest.front() != separator) {
    isCut = true;
    return false;
  }
  if (doubled) {
    unescaped.push_back(std::make_unique<std::string>(
        absl::StrJoin(absl::StrSplit(cell, "\"\""), "\"")));
    cell = *unescaped.back();
  }
  cells.push_back(cell);
  const bool more = !rest.empty();
  if (more)
    rest.remove_prefix(1);
  return more;
}

/// Tabs, which are blanks, too, may separate cells.
void Cells::skipSpaces() {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
}

/// Whether another cell follows.
bool Cells::cutNext() {
  skipSpaces();
  if (!rest.empty() && rest.front() == '"')
    return cutQuoted();
  const size_t end = rest.find(separator);
  cells.push_back(absl::StripAsciiWhitespace(rest.substr(0, end)));
  if (end == absl::string_view::npos)
    return false;
  rest.remove_prefix(end + 1);
  return true;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static bool isMissing(absl::string_view cell) {
  return cell.empty() || absl::EqualsIgnoreCase(cell, "na") ||
         absl::EqualsIgnoreCase(cell, "nan") ||
         absl::EqualsIgnoreCase(cell, "null");
}

template <typename Number>
bool TableFormat::appendNumber(absl::string_view cell,
                               std::vector<Number> &values,
                               LineError &error) const {
  const char *p = cell.data(), *end = p + cell.size();
  Number value;
  NumberError found = readNumber(p, end, value);
  if (found == NumberError::None && p != end)
    found = NumberError::NotANumber;
  if (found != NumberError::None)
    error.why = explainNumber(found, cell.data(), end,
                              sizeof(Number) == sizeof(float) ? "f32" : "f64");
  else
    values.push_back(value);
  return found == NumberError::None;
}

/// All 64 bits of a whole number; tables of numbers with missing ones have a
/// ".0" behind it.
bool TableFormat::appendInteger(absl::string_view cell,
                                std::vector<int64_t> &values,
                                LineError &error) const {
  const char *p = cell.data(), *end = p + cell.size();
  int64_t id = 0;
  NumberError found = readId(p, end, id);
  if (found == NumberError::None && p != end) {
    double wide;
    constexpr double most = int64_t(1) << 53;
    if (absl::SimpleAtod(cell, &wide) && std::trunc(wide) == wide &&
        std::abs(wide) <= most)
      id = static_cast<int64_t>(wide);
    else
      found = NumberError::NotANumber;
  }
  if (found != NumberError::None)
    error.why = explainId(found, cell.data(), end);
  else
    values.push_back(id);
  return found == NumberError::None;
}

bool TableFormat::appendPart(const Part &part, absl::string_view cell,
                             Rows::Column &column, LineError &error) const {
  if (part.hashed) {
    column.ids.push_back(categoryId(part.field, cell, options.ids));
    return true;
  }
  if (isMissing(cell)) {
    if (!options.missing) {
      error.why = absl::StrCat(cell.empty() ? "the cell is empty"
                                            : absl::StrCat("'", cell, "'"),
                               ": add #missing=VALUE to put a number there");
      return false;
    }
    if (column.dtype == DType::I64)
      column.ids.push_back(static_cast<int64_t>(*options.missing));
    else
      column.addNumber(*options.missing);
    return true;
  }
  if (column.dtype == DType::I64)
    return appendInteger(cell, column.ids, error);
  return column.dtype == DType::F32
             ? appendNumber(cell, column.numbers, error)
             : appendNumber(cell, column.wideNumbers, error);
}

LineFormat::Result TableFormat::parseLine(absl::string_view line, bool first,
                                          Rows &rows, LineError &error) const {
  const Cells found(line, options.separator);
  const std::vector<absl::string_view> &cells = found.cells;
  error.column = static_cast<int64_t>(cells.size()) + 1;
  if (found.isCut) {
    error.why = "a quote does not end with the cell";
    return Result::Broken;
  }
  if (first && std::ranges::equal(cells, options.header))
    return Result::Header;
  if (first) {
    error.column = 1;
    error.why = absl::StrCat("expected the header ",
                             absl::StrJoin(options.header, ", "));
    error.isOfFile = true;
    return Result::Broken;
  }
  if (cells.size() != options.header.size()) {
    error.column =
        static_cast<int64_t>(std::min(cells.size(), options.header.size()) + 1);
    error.why = absl::StrCat("expected ", options.header.size(),
                             " cells, found ", cells.size());
    return Result::Broken;
  }
  for (size_t i = 0; i != rows.columns.size(); ++i)
    for (const Part &part : options.parts[i]) {
      error.column = static_cast<int64_t>(part.cell) + 1;
      if (rows.columns[i].trace)
        rows.columns[i].trace->elements.push_back(error.column);
      if (!appendPart(part, cells[part.cell], rows.columns[i], error))
        return Result::Broken;
    }
  return Result::Sample;
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// The cells of the first line, also where it is of `command`.
static absl::StatusOr<std::vector<std::string>>
readHeader(const std::string &path, const std::string &command,
           char separator) {
  constexpr size_t most = 1 << 20;
  static const std::atomic<bool> stop = false;
  auto error = [&](absl::string_view why) {
    return absl::DataLossError(absl::StrCat("'", printable(path), "': ", why));
  };
  ASSIGN_OR_RETURN(std::unique_ptr<TextSource> source,
                   TextSource::open(path, command));
  ASSIGN_OR_RETURN(const TextBlock block, source->next(stop));
  absl::string_view rest(block.memory.get(), block.size);
  absl::ConsumePrefix(&rest, "\xef\xbb\xbf"); // Some editors mark UTF-8.
  const absl::string_view line = rest.substr(0, rest.find('\n'));
  if (line.size() >= most || absl::StripLeadingAsciiWhitespace(line).empty())
    return error("expected a header in the first line");
  const Cells found(absl::StripSuffix(line, "\r"), separator);
  std::vector<std::string> names(found.cells.begin(), found.cells.end());
  if (found.isCut)
    return error("a quote in the header does not end");
  for (size_t i = 0; i != names.size(); ++i)
    if (!names[i].empty() && std::find(names.begin(), names.begin() + i,
                                       names[i]) != names.begin() + i)
      return error(
          absl::StrCat("the header names '", printable(names[i]), "' twice"));
  return names;
}

/// Whether `feed` is computed from the lengths of bags.
static bool areOffsets(const FeedSpec &feed, std::span<const FeedSpec> feeds) {
  return absl::EndsWith(feed.name, offsetsSuffix) &&
         !baseOfDerivedFeed(feed.name, feeds).empty();
}

static absl::StatusOr<std::vector<TableColumn>>
parseColumns(const DataSpec &spec, std::span<const FeedSpec> feeds,
             const std::vector<std::string> &header) {
  std::vector<TableColumn> columns;
  if (spec.has("columns")) {
    for (absl::string_view item : absl::StrSplit(spec.suffix("columns"), ',')) {
      const std::pair<std::string, std::string> sides =
          absl::StrSplit(item, absl::MaxSplits('=', 1));
      const std::string &parts =
          absl::StrContains(item, '=') ? sides.second : sides.first;
      columns.push_back({sides.first, absl::StrSplit(parts, '+')});
      if (sides.first.empty() || parts.empty())
        return spec.error("#columns: expected NAME or NAME=NAME+NAME, between "
                          "commas");
    }
    return columns;
  }
  for (const FeedSpec &feed : feeds)
    if (!areOffsets(feed, feeds) &&
        (!feed.optional || std::ranges::count(header, feed.name) != 0))
      columns.push_back({feed.name, {feed.name}});
  if (feeds.empty())
    for (const std::string &name : header)
      columns.push_back({name, {name}});
  return columns;
}

/// Whether the feed that a column fills takes whole numbers.
static bool fillsIntegers(const TableColumn &column,
                          std::span<const FeedSpec> feeds) {
  return std::ranges::any_of(feeds, [&](const FeedSpec &feed) {
    return feed.name == column.name && !isFloat(feed.type.dtype);
  });
}

/// Finds the parts of a column in the header.
static absl::StatusOr<std::vector<Part>>
findCells(const DataSpec &spec, const TableColumn &column,
          const std::vector<std::string> &header,
          const std::vector<std::string> &hashed) {
  std::vector<Part> parts;
  for (const std::string &name : column.parts) {
    const auto found = std::ranges::find(header, name);
    if (found == header.end())
      return spec.error(
          absl::StrCat("there is no column '", name, "' in the header ",
                       absl::StrJoin(header, ", "),
                       spec.has("columns")
                           ? ""
                           : absl::StrCat(": say what '", name,
                                          "' is made of with #columns=", name,
                                          "=NAME+NAME,..")));
    parts.push_back({static_cast<size_t>(found - header.begin()),
                     std::ranges::find(hashed, name) != hashed.end(),
                     static_cast<uint64_t>(categoryId(0, name, 0))});
  }
  for (const Part &part : parts)
    if (part.hashed != parts.front().hashed)
      return spec.error(absl::StrCat("column '", column.name,
                                     "' is made of texts and of numbers"));
  return parts;
}

static std::optional<double> parseMissing(absl::string_view text) {
  double value;
  return absl::SimpleAtod(text, &value) && std::isfinite(value)
             ? std::optional(value)
             : std::nullopt;
}

/// A value that a column of whole numbers cannot hold is refused.
static absl::Status checkMissing(const DataSpec &spec, double value,
                                 const ColumnSpec &column, bool hashed) {
  const bool isWhole = std::trunc(value) == value && std::abs(value) < 0x1p53;
  if (hashed ||
      (column.dtype == DType::I64 ? isWhole
                                  : std::isfinite(static_cast<float>(value))))
    return absl::OkStatus();
  return spec.error(absl::StrCat("#missing=", value, ": feed '", column.name,
                                 column.dtype == DType::I64
                                     ? "' expects an integer"
                                     : "' expects a number of f32"));
}

/// A feed that #columns does not name must not be taken by its place, whose
/// numbers would be those of another type.
static absl::Status checkAllMade(const DataSpec &spec,
                                 const std::vector<TableColumn> &made,
                                 std::span<const FeedSpec> feeds) {
  if (!spec.has("columns"))
    return absl::OkStatus();
  for (const FeedSpec &feed : feeds)
    if (!feed.optional && !areOffsets(feed, feeds) &&
        std::ranges::count(made, feed.name, &TableColumn::name) == 0)
      return spec.error(absl::StrCat(
          "#columns: feed '", feed.name, "' is not among them",
          feed.user.empty()
              ? ""
              : absl::StrCat(", and ", feed.user, " depends on it"),
          ": add '", feed.name,
          "=NAME' with the name that it has in the header"));
  return absl::OkStatus();
}

static absl::StatusOr<std::unique_ptr<LineFormat>>
makeLines(const DataSpec &spec, const DataOptions &data) {
  const std::span<const FeedSpec> feeds = data.feeds;
  TableFormat::Options options{.separator = spec.has("tab") ? '\t' : ','};
  ASSIGN_OR_RETURN(const std::vector<std::string> files, expandFiles(spec));
  ASSIGN_OR_RETURN(options.header, readHeader(files.front(), data.pipeCommand,
                                              options.separator));
  options.missing = parseMissing(spec.suffix("missing"));
  if (spec.has("ids") && !absl::SimpleAtoi(spec.suffix("ids"), &options.ids))
    options.ids = 0;
  const std::vector<std::string> hashed =
      absl::StrSplit(spec.suffix("hash"), '+', absl::SkipEmpty());
  for (const std::string &name : hashed)
    if (std::ranges::find(options.header, name) == options.header.end())
      return spec.error(absl::StrCat("#hash: there is no column '", name,
                                     "' in the header ",
                                     absl::StrJoin(options.header, ", ")));
  ASSIGN_OR_RETURN(const std::vector<TableColumn> made,
                   parseColumns(spec, feeds, options.header));
  std::vector<ColumnSpec> columns;
  for (const TableColumn &column : made) {
    ASSIGN_OR_RETURN(std::vector<Part> parts,
                     findCells(spec, column, options.header, hashed));
    const bool isHashed = parts.front().hashed;
    columns.push_back({.name = column.name,
                       .dtype = isHashed || fillsIntegers(column, feeds)
                                    ? DType::I64
                                    : DType::F32,
                       .width = static_cast<int64_t>(parts.size()),
                       .hashed = isHashed});
    if (options.missing)
      RETURN_IF_ERROR(
          checkMissing(spec, *options.missing, columns.back(), isHashed));
    options.parts.push_back(std::move(parts));
  }
  RETURN_IF_ERROR(checkAllMade(spec, made, feeds));
  return std::make_unique<TableFormat>(std::move(options), std::move(columns));
}

//===----------------------------------------------------------------------===//
// The format
//===----------------------------------------------------------------------===//

static std::string checkMissingValue(absl::string_view value) {
  return parseMissing(value) ? "" : "a number";
}

static std::string checkIds(absl::string_view value) {
  int64_t ids;
  return absl::SimpleAtoi(value, &ids) && ids > 0 ? ""
                                                  : "a number of ids from 1";
}

const DataFormat formats::table = {
    .name = "table",
    .source = "GLOB",
    .help = "tables with a header, whose names are the feeds; add\n"
            "#columns=FEED=NAME+NAME,.., #hash=NAME+NAME for texts,\n"
            "#missing=VALUE, #ids=N, #tab",
    .suffixes = {{"columns", "LIST"},
                 {"hash", "NAMES"},
                 {"missing", "VALUE", checkMissingValue},
                 {"ids", "N", checkIds},
                 {"tab"}},
    .makeLines = makeLines};
