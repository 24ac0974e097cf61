// SPDX-License-Identifier: Apache-2.0
//===- Rows.h - samples on their way from lines to columns ----------------===//
//
// Parsers append samples to Rows, a piece of a file at a time; a ColumnStore
// gathers pieces into the columns of a Dataset.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DATA_ROWS_H
#define PS_RUNTIME_DATA_ROWS_H

#include "runtime/data/Dataset.h"
#include <optional>

namespace ps::runtime {

/// What a format says about a column before any line is read.
struct ColumnSpec {
  std::string name;
  /// I64, F32 or F64.
  DType dtype = DType::I64;
  /// Elements per sample; -1 where samples differ.
  int64_t width = -1;
  /// The elements are ids made of texts, which #ids= limits.
  bool hashed = false;
};

/// What the user should know of a slot without any element among `samples`.
std::string emptySlotNote(absl::string_view slot, absl::string_view samples);

/// Samples that one thread parsed. Thread-compatible.
struct Rows {
  /// Where elements are in their line: characters, or cells, from 1.
  struct Trace {
    /// What announces them.
    std::optional<int64_t> begin;
    std::vector<int64_t> elements;
  };
  struct Column {
    DType dtype;
    int64_t width;
    /// The elements, in the one of the three that has the column's type.
    std::vector<int64_t> ids;
    std::vector<float> numbers;
    std::vector<double> wideNumbers;
    /// Where the elements of each sample end, if their number differs.
    std::vector<int64_t> ends;
    /// Set while the places of values are recorded.
    Trace *trace = nullptr;

    /// Calls `body` with the vector of `column` that holds its elements.
    template <typename Column, typename Body>
    static auto withElements(Column &column, Body body) {
      switch (column.dtype) {
      case DType::I64:
        return body(column.ids);
      case DType::F32:
        return body(column.numbers);
      default:
        return body(column.wideNumbers);
      }
    }
    int64_t elements() const {
      return withElements(*this, [](auto &in) -> int64_t { return in.size(); });
    }
    /// Appends to a column that is not of ids.
    void addNumber(double number) {
      if (dtype == DType::F32)
        numbers.push_back(static_cast<float>(number));
      else
        wideNumbers.push_back(number);
    }
  };

  explicit Rows(const std::vector<ColumnSpec> &specs);

  /// Ends the sample whose elements were appended last.
  void endSample();
  /// Takes back what was appended since the last sample ended.
  void dropSample();
  /// Adds samples [first, first + count) of `rows`, which have the same
  /// columns.
  void append(const Rows &rows, int64_t first, int64_t count);
  /// Where the elements of `sample` begin; `sample` may be `size`.
  int64_t begin(const Column &column, int64_t sample) const;

  std::vector<Column> columns;
  int64_t size = 0;
};

/// Columns that grow. Thread-compatible.
class ColumnStore {
public:
  ColumnStore(const std::vector<ColumnSpec> &specs,
              const std::vector<Alias> &aliases, std::string spec);

  /// Adds samples [first, first + count) of `rows`, which have the same
  /// columns. RESOURCE_EXHAUSTED when there is no memory left.
  absl::Status append(const Rows &rows, int64_t first, int64_t count);
  /// Forgets the samples, not the memory they are in.
  void clear();
  /// A column whose samples turned out to have the same number of elements is
  /// a dense one; as long as there are no samples, all that may be ragged are.
  const Dataset &data() const { return dataset; }
  Dataset take() && { return std::move(dataset); }

private:
  absl::Status append(Column &to, const Rows::Column &from, int64_t begin,
                      int64_t end);
  void appendCounts(size_t column, const Rows &rows, int64_t first,
                    int64_t count);

  /// -1 where samples may differ.
  std::vector<int64_t> widths;
  Dataset dataset;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_ROWS_H
