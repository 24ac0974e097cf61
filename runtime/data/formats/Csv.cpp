// SPDX-License-Identifier: Apache-2.0
//===- Csv.cpp - reads tables of numbers ----------------------------------===//
//
// 1. splitLine: cells between commas; a cell may be in double quotes.
// 2. isHeader, labelColumn: what the first line says.
// 3. appendRow: one number per cell; places in errors are file:line:column,
//    both counted from 1.
//
//===----------------------------------------------------------------------===//

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/File.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace ps::runtime;

/// Splits at commas outside quotes and strips blanks and quotes.
static std::vector<std::string> splitLine(absl::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  for (std::string &cell : cells)
    absl::StripAsciiWhitespace(&cell);
  return cells;
}

static bool parseNumber(absl::string_view cell, double &value) {
  return absl::SimpleAtod(cell, &value) && std::isfinite(value);
}

static bool isHeader(const std::vector<std::string> &cells,
                     CsvOptions::Header header) {
  if (header != CsvOptions::Header::Detect)
    return header == CsvOptions::Header::Yes;
  // Names of rows have an empty name in some files; nan and inf are data, if
  // bad data.
  double value;
  bool blank = true;
  for (const std::string &cell : cells) {
    if (absl::SimpleAtod(cell, &value))
      return false;
    blank = blank && cell.empty();
  }
  return !blank;
}

/// The index of the label's column, or -1 where there is none.
static absl::StatusOr<int64_t>
labelColumn(const std::string &file, const std::string &label,
            const std::vector<std::string> &first, bool header) {
  if (label == "none")
    return -1;
  auto named = std::find(first.begin(), first.end(), label);
  if (header && named != first.end())
    return named - first.begin();
  int64_t columns = first.size(), index;
  if (!absl::SimpleAtoi(label, &index))
    return absl::InvalidArgumentError(absl::StrCat(
        "'", file, "' has no column '", label, "'",
        header ? absl::StrCat(", only ", absl::StrJoin(first, ", "))
               : ": it has no header"));
  if (index < -columns || index >= columns)
    return absl::InvalidArgumentError(absl::StrCat(
        "'", file, "' has no column ", index, ", only 0 to ", columns - 1));
  return index < 0 ? index + columns : index;
}

namespace {

/// Collects rows.
class Table {
public:
  Table(const std::string &file, size_t columns, int64_t label)
      : file(file), columns(columns), label(label) {}

  absl::Status appendRow(int64_t line, const std::vector<std::string> &cells);
  absl::StatusOr<Dataset> take() &&;

private:
  const std::string &file;
  size_t columns;
  int64_t label;
  /// The line of each row.
  std::vector<int64_t> lines;
  std::vector<double> features, labels;
};

} // namespace

absl::Status Table::appendRow(int64_t line,
                              const std::vector<std::string> &cells) {
  if (cells.size() != columns)
    return absl::DataLossError(
        absl::StrCat(file, ":", line, ":", std::min(cells.size(), columns) + 1,
                     ": expected ", columns, " columns, found ", cells.size()));
  for (size_t i = 0; i != columns; ++i) {
    double value;
    if (!parseNumber(cells[i], value))
      return absl::DataLossError(absl::StrCat(
          file, ":", line, ":", i + 1, ": '", cells[i], "' is not a number"));
    (static_cast<int64_t>(i) == label ? labels : features).push_back(value);
  }
  lines.push_back(line);
  return absl::OkStatus();
}

static absl::StatusOr<Column> makeColumn(std::string name, int64_t width,
                                         const std::vector<double> &values) {
  Column column{.name = std::move(name),
                .width = width,
                .dtype = DType::F64,
                .bytes = {}};
  RETURN_IF_ERROR(column.bytes.resize(values.size() * sizeof(double)));
  std::memcpy(column.bytes.data(), values.data(), column.bytes.size());
  return column;
}

absl::StatusOr<Dataset> Table::take() && {
  Dataset data;
  data.size = lines.size();
  bool labeled = label >= 0;
  std::vector<absl::StatusOr<Column>> made;
  if (columns > labeled)
    made.push_back(makeColumn("features", columns - labeled, features));
  if (labeled)
    made.push_back(makeColumn("label", 1, labels));
  for (absl::StatusOr<Column> &column : made) {
    if (!column.ok())
      return column.status();
    data.columns.push_back(*std::move(column));
  }
  data.place = [file = file, lines = std::move(lines), label = label,
                features = columns > labeled](int64_t sample, size_t column,
                                              int64_t element) {
    bool isFeature = features && column == 0;
    int64_t cell = !isFeature                       ? label
                   : label >= 0 && element >= label ? element + 1
                                                    : element;
    return absl::StrCat(file, ":", lines[sample], ":", cell + 1);
  };
  return data;
}

absl::StatusOr<Dataset> ps::runtime::readCsv(const std::string &file,
                                             const CsvOptions &options) {
  ASSIGN_OR_RETURN(std::string text, readWholeFile(file));
  absl::string_view lines = text;
  absl::ConsumePrefix(&lines, "\xef\xbb\xbf"); // Some editors mark UTF-8.
  std::unique_ptr<Table> table;
  int64_t number = 0;
  bool any = false;
  for (absl::string_view line : absl::StrSplit(lines, '\n')) {
    ++number;
    if (absl::StripAsciiWhitespace(line).empty())
      continue;
    std::vector<std::string> cells = splitLine(line);
    if (!table) {
      bool header = isHeader(cells, options.header);
      ASSIGN_OR_RETURN(int64_t label,
                       labelColumn(file, options.label, cells, header));
      table = std::make_unique<Table>(file, cells.size(), label);
      if (header)
        continue;
    }
    RETURN_IF_ERROR(table->appendRow(number, cells));
    any = true;
  }
  if (!any)
    return absl::DataLossError(absl::StrCat("'", file, "': holds no samples"));
  return std::move(*table).take();
}

//===----------------------------------------------------------------------===//
// The format
//===----------------------------------------------------------------------===//

static absl::StatusOr<Dataset> readSpec(DataSpec &spec, const DataOptions &) {
  CsvOptions options;
  options.label = spec.suffix("label", options.label);
  if (spec.has("header"))
    options.header = CsvOptions::Header::Yes;
  if (spec.has("noheader"))
    options.header = CsvOptions::Header::No;
  return readCsv(spec.source, options);
}

const DataFormat formats::csv = {
    .name = "csv",
    .source = "FILE",
    .help = "numbers between commas; add #label=COL (a name or an\n"
            "index, last column by default), #header or #noheader",
    .suffixes = {{"label", "COL"}, {"header"}, {"noheader"}},
    .read = readSpec};
