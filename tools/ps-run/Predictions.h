// SPDX-License-Identifier: Apache-2.0
//===- Predictions.h - what an evaluation fetches, sample by sample -------===//

#ifndef PS_TOOLS_PS_RUN_PREDICTIONS_H
#define PS_TOOLS_PS_RUN_PREDICTIONS_H

#include "absl/status/statusor.h"
#include "runtime/executor/Program.h"
#include "tools/ps-run/Loader.h"
#include <cstdio>
#include <memory>
#include <string>
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
/// The file replaces an older one when it is complete. Thread-compatible.
class Predictions {
public:
  /// `fetches` have rows.
  static absl::StatusOr<std::unique_ptr<Predictions>>
  open(const std::string &path, std::vector<FetchInfo> fetches);
  /// Without close(), what was written is removed.
  ~Predictions();

  /// Appends the first `rows` rows of the fetches of `program`.
  absl::Status write(const runtime::Program &program, int64_t rows);
  absl::Status close();

private:
  Predictions(const std::string &path, std::vector<FetchInfo> fetches);
  absl::Status failure() const;
  void appendHeader();
  void appendRow(const std::vector<runtime::TensorRef> &tensors, int64_t row);

  std::string path, temporary;
  bool json;
  std::vector<FetchInfo> fetches;
  std::FILE *file = nullptr;
  std::string text;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_PREDICTIONS_H
