//===- DataSpec.h - what a --data string says -----------------------------===//

#ifndef PS_RUNTIME_DATA_DATASPEC_H
#define PS_RUNTIME_DATA_DATASPEC_H

#include "absl/strings/string_view.h"
#include "runtime/data/LineFormat.h"
#include <limits>
#include <optional>

namespace ps::runtime {

/// Samples [begin, end), or all from `begin` where `end` is toTheEnd.
struct SampleRange {
  static constexpr int64_t toTheEnd = std::numeric_limits<int64_t>::max();
  int64_t begin = 0, end = toTheEnd;

  /// Where the range ends among `samples`.
  int64_t endOf(int64_t samples) const {
    return end == toTheEnd ? samples : end;
  }
};

/// INVALID_ARGUMENT unless `range` lies within `samples` and holds some.
absl::Status checkRange(absl::string_view spec, const SampleRange &range,
                        int64_t samples);

/// "KIND:SOURCE#SUFFIX#..." taken apart.
struct DataSpec {
  /// As the user wrote it.
  std::string text;
  std::string kind, source;
  std::optional<SampleRange> range;
  /// csv.
  std::optional<std::string> label;
  CsvOptions::Header header = CsvOptions::Header::Detect;
  /// multislot and slots; an unnamed slot is read over. A slot without a type
  /// has that of its feed.
  struct Slot {
    std::string name;
    std::optional<DType> dtype;
  };
  std::vector<Slot> slots;
  /// multislot.
  bool insId = false, emptySlots = false;
  /// criteo; 0: all of 64 bits.
  uint64_t ids = 0;

  /// INVALID_ARGUMENT when there is no such kind, or a suffix is not for it.
  static absl::StatusOr<DataSpec> parse(const std::string &text);
  absl::Status error(absl::string_view why) const;
  /// `text` without the names of files: what says which samples there are
  /// wherever the files lie.
  std::string withoutFiles() const;
};

/// Text files that hold a sample in each line.
struct LineFiles {
  std::vector<std::string> files;
  std::shared_ptr<const LineFormat> format;

  absl::Status emptyError(const DataSpec &spec) const;
};

/// Whether the samples of `kind` are the lines of text files.
bool isLineKind(absl::string_view kind);

/// INVALID_ARGUMENT unless the samples of `spec` are such lines, which `flag`
/// is for.
absl::Status checkLineKind(const DataSpec &spec, absl::string_view flag);

/// Finds the files of a spec of such a kind, and says how to read them to fill
/// the feeds of `options`. NOT_FOUND when no file matches, INVALID_ARGUMENT
/// when there are fewer than readers.
absl::StatusOr<LineFiles> findLineFiles(const DataSpec &spec,
                                        const DataOptions &options);

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_DATASPEC_H
