// SPDX-License-Identifier: Apache-2.0
//===- DataSpec.h - the parts of a --data string
//---------------------------===//

#ifndef PS_RUNTIME_DATA_DATASPEC_H
#define PS_RUNTIME_DATA_DATASPEC_H

#include "absl/strings/string_view.h"
#include "runtime/data/LineFormat.h"
#include <limits>
#include <map>
#include <optional>
#include <string>

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

struct DataFormat;

/// "FORMAT:SOURCE#SUFFIX#..." taken apart.
struct DataSpec {
  /// As the user wrote it.
  std::string text;
  /// Never null once parsed.
  const DataFormat *format = nullptr;
  /// What follows the first ':'.
  std::string source;
  std::optional<SampleRange> range;
  /// The suffixes of the format by name, with their values.
  std::map<std::string, std::string, std::less<>> suffixes;

  /// INVALID_ARGUMENT when there is no such format, or a suffix is not for it.
  static absl::StatusOr<DataSpec> parse(const std::string &text);
  bool has(absl::string_view suffix) const {
    return suffixes.find(suffix) != suffixes.end();
  }
  /// The value of a suffix, or `otherwise` where it is not given.
  std::string suffix(absl::string_view name,
                     absl::string_view otherwise = "") const;
  absl::Status error(absl::string_view why) const;
  /// `text` without the names of files: what identifies the samples wherever
  /// the files lie.
  std::string withoutFiles() const;
};

/// The files that the source of `spec` names, one or more: those that match its
/// patterns, separated by commas. NOT_FOUND when none matches one.
absl::StatusOr<std::vector<std::string>> expandFiles(const DataSpec &spec);

/// Text files that hold a sample in each line.
struct LineFiles {
  std::vector<std::string> files;
  std::shared_ptr<const LineFormat> format;

  absl::Status emptyError(const DataSpec &spec) const;
};

/// INVALID_ARGUMENT unless the samples of `spec` are lines of text, which
/// `flag` is for.
absl::Status checkHoldsLines(const DataSpec &spec, absl::string_view flag);

/// Finds the files of a spec whose format holds lines, and how to read them to
/// fill the feeds of `options`. NOT_FOUND when no file matches,
/// INVALID_ARGUMENT when there are fewer than readers.
absl::StatusOr<LineFiles> findLineFiles(const DataSpec &spec,
                                        const DataOptions &options);

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_DATASPEC_H
