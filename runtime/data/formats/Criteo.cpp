// SPDX-License-Identifier: Apache-2.0
//===- Criteo.cpp - the columns of a display advertising log --------------===//
//
// A sample is a label, 13 integers and 26 categories. The published logs put
// tabs between them; tables made of them have commas, a header, whose label is
// called that in any case of letters, and sometimes an id in front. Integers x
// become log(1 + max(x, 0)), missing ones 0; categories are hashed with the
// number of their field, missing ones too.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/LineFormat.h"
#include "runtime/data/Numbers.h"
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace ps::runtime;

static constexpr size_t numbers = 13, categories = 26;
static constexpr size_t cellsOfSample = 1 + numbers + categories;

//===----------------------------------------------------------------------===//
// Categories
//===----------------------------------------------------------------------===//

/// A bijection of 64 bits that leaves none of them alone (MurmurHash3's
/// finalizer, Appleby, 2011).
static uint64_t mix(uint64_t z) {
  z = (z ^ z >> 33) * 0xff51afd7ed558ccd;
  z = (z ^ z >> 33) * 0xc4ceb9fe1a85ec53;
  return z ^ z >> 33;
}

int64_t ps::runtime::categoryId(uint64_t field, absl::string_view text,
                                uint64_t ids) {
  uint64_t hash = mix(field + 1) ^ text.size();
  while (!text.empty()) {
    uint64_t word = 0;
    size_t bytes = std::min<size_t>(text.size(), sizeof(word));
    std::memcpy(&word, text.data(), bytes);
    hash = mix(hash ^ word) + 0x9e3779b97f4a7c15;
    text.remove_prefix(bytes);
  }
  hash = mix(hash);
  return static_cast<int64_t>(ids == 0 ? hash : hash % ids);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

namespace {

class CriteoFormat : public LineFormat {
public:
  explicit CriteoFormat(uint64_t ids) : ids(ids) {
    columns = {{.name = "label", .dtype = DType::F32, .width = 1},
               {.name = "dense", .dtype = DType::F32, .width = numbers},
               {.name = "sparse",
                .dtype = DType::I64,
                .width = categories,
                .hashed = true}};
    for (size_t i = 0; i != categories; ++i)
      aliases.push_back({absl::StrCat("C", i + 1), 2, int64_t(i)});
  }

private:
  /// With room for one cell more than there can be.
  using Cells = std::array<absl::string_view, cellsOfSample + 2>;

  Result parseLine(absl::string_view line, bool first, Rows &rows,
                   LineError &error) const override;
  Result parseCells(const absl::string_view *cells, Rows &rows,
                    LineError &error) const;

  uint64_t ids;
};

} // namespace

/// Cuts a line at `separator` and gives the number of cells, or one more than
/// fit into `cells`.
template <typename Cells>
static size_t cut(absl::string_view line, char separator, Cells &cells) {
  for (size_t count = 0; count != cells.size();) {
    size_t end = line.find(separator);
    cells[count++] = line.substr(0, end);
    if (end == absl::string_view::npos)
      return count;
    line.remove_prefix(end + 1);
  }
  return cells.size();
}

/// Strips quotes, which some tables put around texts, and blanks.
static absl::string_view strip(absl::string_view cell) {
  auto drop = [](char c) { return c == ' ' || c == '"' || c == '\r'; };
  while (!cell.empty() && drop(cell.front()))
    cell.remove_prefix(1);
  while (!cell.empty() && drop(cell.back()))
    cell.remove_suffix(1);
  return cell;
}

/// A missing number is 0.
template <typename Number>
static NumberError readCell(absl::string_view cell, Number &value) {
  value = 0;
  if (cell.empty())
    return NumberError::None;
  const char *p = cell.data(), *end = p + cell.size();
  NumberError error = readNumber(p, end, value);
  return error == NumberError::None && p != end ? NumberError::NotANumber
                                                : error;
}

/// Records in which cells a sample is, its label in `cell`, where traced.
static void trace(int64_t cell, Rows &rows) {
  for (Rows::Column &column : rows.columns)
    for (int64_t i = 0; i != column.width; ++i, ++cell)
      if (column.trace)
        column.trace->elements.push_back(cell);
}

/// Appends log(1 + max(x, 0)) of the numbers in `cells`, computed in `Number`;
/// false, with the reason, where one is none.
template <typename Number>
static bool readDense(const absl::string_view *cells,
                      std::vector<Number> &values, LineError &error) {
  for (size_t i = 0; i != numbers; ++i) {
    absl::string_view cell = strip(cells[i]);
    Number value;
    if (NumberError found = readCell(cell, value); found != NumberError::None) {
      error.column += 1 + i;
      error.why = absl::StrCat(
          "I", i + 1, ": ",
          explainNumber(found, cell.data(), cell.data() + cell.size(),
                        sizeof(Number) == sizeof(float) ? "f32" : "f64"));
      return false;
    }
    values.push_back(std::log1p(std::max(value, Number(0))));
  }
  return true;
}

LineFormat::Result CriteoFormat::parseCells(const absl::string_view *cells,
                                            Rows &rows,
                                            LineError &error) const {
  absl::string_view label = strip(cells[0]);
  if (label != "0" && label != "1") {
    error.why =
        absl::StrCat("the label is 0 or 1, not ",
                     quoteWord(label.data(), label.data() + label.size()));
    return Result::Broken;
  }
  rows.columns[0].addNumber(label == "1");
  Rows::Column &dense = rows.columns[1];
  if (dense.dtype == DType::F32
          ? !readDense(cells + 1, dense.numbers, error)
          : !readDense(cells + 1, dense.wideNumbers, error))
    return Result::Broken;
  for (size_t i = 0; i != categories; ++i)
    rows.columns[2].ids.push_back(
        categoryId(i, strip(cells[1 + numbers + i]), ids));
  return Result::Sample;
}

LineFormat::Result CriteoFormat::parseLine(absl::string_view line, bool first,
                                           Rows &rows, LineError &error) const {
  Cells cells;
  char separator = line.find('\t') == absl::string_view::npos ? ',' : '\t';
  size_t count = cut(line, separator, cells);
  if (count != cellsOfSample && count != cellsOfSample + 1) {
    error.why = absl::StrCat(
        "expected a label, ", numbers, " integers and ", categories,
        " categories, found ", count > cellsOfSample + 1 ? "more" : "only ",
        count > cellsOfSample + 1 ? "" : absl::StrCat(count),
        count == 1 ? " cell" : " cells");
    return Result::Broken;
  }
  size_t label = count - cellsOfSample;
  if (first && absl::EqualsIgnoreCase(strip(cells[label]), "label"))
    return Result::Header;
  error.column = 1 + label;
  trace(error.column, rows);
  return parseCells(cells.data() + label, rows, error);
}

std::unique_ptr<LineFormat> ps::runtime::criteoFormat(uint64_t ids) {
  return std::make_unique<CriteoFormat>(ids);
}

//===----------------------------------------------------------------------===//
// The format
//===----------------------------------------------------------------------===//

/// The value of "#ids=N"; 0 where it is none.
static uint64_t parseIds(absl::string_view value) {
  uint64_t ids;
  return absl::SimpleAtoi(value, &ids) &&
                 ids <= uint64_t(std::numeric_limits<int64_t>::max())
             ? ids
             : 0;
}

static std::string checkIds(absl::string_view value) {
  return parseIds(value) == 0 ? "a number of ids from 1" : "";
}

static absl::StatusOr<std::unique_ptr<LineFormat>>
makeLines(const DataSpec &spec, const DataOptions &) {
  return criteoFormat(parseIds(spec.suffix("ids")));
}

const DataFormat formats::criteo = {
    .name = "criteo",
    .source = "GLOB",
    .help = "a label, 13 integers, 26 categories between tabs or\n"
            "commas: feeds label, dense, sparse, C1 to C26; add\n"
            "#ids=N for categories from 0 to N-1",
    .suffixes = {{"ids", "N", checkIds}},
    .makeLines = makeLines};
