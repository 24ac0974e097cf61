// SPDX-License-Identifier: Apache-2.0
//===- LineFormat.h - how a line of text becomes a sample -----------------===//

#ifndef PS_RUNTIME_DATA_LINEFORMAT_H
#define PS_RUNTIME_DATA_LINEFORMAT_H

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "runtime/data/Rows.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ps::runtime {

/// Why a line cannot be used, and where: a character, or the cell of a table,
/// from 1.
struct LineError {
  int64_t column = 1;
  std::string why;
  /// It decides about the whole file: --bad-lines does not skip it.
  bool isOfFile = false;
};

/// Why a sample cannot be used.
struct Misfit {
  /// Among the columns of the format.
  size_t column = 0;
  /// Which of the sample's elements in it; unset: all of them.
  std::optional<int64_t> element;
  std::string why;
};

/// Looks at the sample whose elements `rows` has, but has not ended.
/// Thread-safe.
using SampleCheck = std::function<std::optional<Misfit>(const Rows &rows)>;

/// A text format with a sample in each line. Immutable once made; thread-safe.
class LineFormat {
public:
  virtual ~LineFormat() = default;

  enum class Result { Sample, Header, Broken };
  /// Whether `line` is read over; it has no line end.
  virtual bool isBlankLine(absl::string_view line) const {
    return absl::StripLeadingAsciiWhitespace(line).empty();
  }
  /// Appends the sample in `line`, which is not blank and has no line end, and
  /// ends it. A line that is broken or a header appends nothing; `first` is the
  /// first of a file that is not blank.
  Result parse(absl::string_view line, bool first, Rows &rows,
               LineError &error) const;

  std::vector<ColumnSpec> columns;
  std::vector<Alias> aliases;
  /// A line whose sample does not pass is a broken one; may be null.
  SampleCheck check;

protected:
  /// Appends the elements of a sample, and to the traces of columns, where
  /// they have one, their places; a malformed line may leave some.
  virtual Result parseLine(absl::string_view line, bool first, Rows &rows,
                           LineError &error) const = 0;

private:
  int64_t locate(const Misfit &misfit, absl::string_view line,
                 bool first) const;
};

/// One value per sample and slot, or any number of them.
struct SlotSpec {
  /// Empty: the slot is read over.
  std::string name;
  DType dtype = DType::I64;
};

struct MultiSlotOptions {
  std::vector<SlotSpec> slots;
  /// "1 ID" comes before the slots.
  bool insId = false;
  /// A slot may announce 0 values.
  bool emptySlots = false;
};
/// "<n> v1 ... vn" for each slot.
std::unique_ptr<LineFormat> multiSlotFormat(MultiSlotOptions options);

/// "name:value" as often as wanted; other names than those of `slots` are read
/// over.
std::unique_ptr<LineFormat> slotsFormat(std::vector<SlotSpec> slots);

/// "label index:value ...": features, features.weights and label.
std::unique_ptr<LineFormat> libsvmFormat();

/// 40 cells behind tabs or commas, perhaps an id before them: label, dense,
/// sparse and its aliases C1 to C26. Where `ids` is not 0, categories become
/// ids from 0 to ids - 1.
std::unique_ptr<LineFormat> criteoFormat(uint64_t ids);

/// The id of a category of field `field`; equal texts in different fields have
/// different ids. Any of 2^64, or one from 0 to ids - 1.
int64_t categoryId(uint64_t field, absl::string_view text, uint64_t ids);

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_LINEFORMAT_H
