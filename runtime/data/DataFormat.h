// SPDX-License-Identifier: Apache-2.0
//===- DataFormat.h - the formats that --data can name --------------------===//
//
// One declaration for each format: its file in formats/ defines it, the list in
// runtime/CMakeLists.txt registers it. How --data strings are parsed, --help
// and the messages about strings that cannot be parsed follow from these.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DATA_DATAFORMAT_H
#define PS_RUNTIME_DATA_DATAFORMAT_H

#include "absl/strings/string_view.h"
#include "runtime/data/DataSpec.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/LineFormat.h"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// "#name" or "#name=value" behind a source.
struct DataSuffix {
  absl::string_view name;
  /// What --help calls the value, "COL"; empty where there is none.
  absl::string_view value = "";
  /// Returns what was expected if `value` cannot be used, else nothing; null
  /// where every value can be.
  std::string (*check)(absl::string_view value) = nullptr;
};

/// A format of samples. Exactly one of `makeLines` and `read` is set.
struct DataFormat {
  /// What comes before the source, "csv"; of generated samples the whole name,
  /// "synthetic:digits".
  absl::string_view name;
  /// What --help calls the source, "FILE"; of generated samples empty.
  absl::string_view source;
  /// For --help, in lines of at most 54 characters.
  absl::string_view help;
  std::vector<DataSuffix> suffixes = {};
  /// Whether the source may end with "?name=number&..", for parseQuery().
  bool hasQuery = false;
  /// Whether another process decides about the samples of each step: they are
  /// read while steps run. `read` is for evaluations, then.
  bool isServed = false;
  /// Makes the parser of text files with a sample per line, which can be
  /// streamed, piped and read by several threads.
  absl::StatusOr<std::unique_ptr<LineFormat>> (*makeLines)(
      const DataSpec &spec, const DataOptions &options) = nullptr;
  /// Reads all samples into memory. May read the spec's range alone and reset
  /// it.
  absl::StatusOr<Dataset> (*read)(DataSpec &spec,
                                  const DataOptions &options) = nullptr;

  bool isGenerated() const { return source.empty(); }
  bool holdsLines() const { return makeLines != nullptr; }
  const DataSuffix *findSuffix(absl::string_view suffix) const;
};

// The build writes one FORMAT(name) for each (runtime/CMakeLists.txt), so that
// a format is registered where its file is added.
namespace formats {
#define FORMAT(name) extern const DataFormat name;
#include "runtime/data/DataFormats.inc"
#undef FORMAT
} // namespace formats

/// In the order in which --help lists them.
std::span<const DataFormat *const> dataFormats();

/// The format of `head`, a --data string before its first '#', or null.
const DataFormat *findDataFormat(absl::string_view head);

/// The error of a --data string that begins with `head`, which is of no format:
/// lists the formats and suggests the one with the most similar name.
std::string describeUnknownFormat(absl::string_view head);

/// The part of --help that lists the formats.
std::string describeDataFormats();

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_DATAFORMAT_H
