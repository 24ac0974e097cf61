// SPDX-License-Identifier: Apache-2.0
//===- Predictions.h - what an evaluation fetches, sample by sample -------===//

#ifndef PS_TOOLS_PS_RUN_OUTPUT_PREDICTIONS_H
#define PS_TOOLS_PS_RUN_OUTPUT_PREDICTIONS_H

#include "absl/status/statusor.h"
#include "runtime/checkpoint/StagedFile.h"
#include "runtime/executor/Program.h"
#include "tools/ps-run/loader/Loader.h"
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ps {

/// Whether `fetch` is one number, which progress lines and --metrics show.
bool isScalar(const FetchInfo &fetch);

/// Whether dimension 0 of `fetch` is the batch: `?`, or `batchSize` where the
/// graph fixes the batch.
bool hasRows(const FetchInfo &fetch, int64_t batchSize);

/// Whether the name of `path` ends in .csv or .jsonl.
bool isPredictionsFile(const std::string &path);

/// Writes the fetches that have a row per sample to a file: CSV with a header,
/// or a JSON object per line, as the name of the file says. In CSV, a row of
/// more than one element has a column for each, "name[0]", "name[1]", ..; in
/// JSON it is a list, nested as its type, and NaN and infinities are null. An
/// f32 has 9 significant digits, an f64 17: they read back as the same number.
/// Thread-compatible.
class Predictions {
public:
  /// `fetches` have rows.
  static absl::StatusOr<std::unique_ptr<Predictions>>
  open(const std::string &path, std::vector<FetchInfo> fetches);
  /// Appends the first `rows` rows of the fetches of `program`.
  absl::Status write(const runtime::Program &program, int64_t rows);
  /// Puts the file in the place of an older one; without it, what was written
  /// is removed.
  absl::Status close();

private:
  Predictions(std::unique_ptr<runtime::StagedFile> file, bool json,
              std::vector<FetchInfo> fetches)
      : file(std::move(file)), json(json), fetches(std::move(fetches)) {}
  void appendHeader();
  void appendRow(const std::vector<runtime::TensorRef> &tensors, int64_t row);
  absl::Status writeText();

  std::unique_ptr<runtime::StagedFile> file;
  const bool json;
  const std::vector<FetchInfo> fetches;
  /// What is to be written next, after so many bytes.
  std::string text;
  uint64_t written = 0;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_OUTPUT_PREDICTIONS_H
