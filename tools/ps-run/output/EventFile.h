// SPDX-License-Identifier: Apache-2.0
//===- EventFile.h - what a run measured, as TensorBoard reads it ---------===//

#ifndef PS_TOOLS_PS_RUN_OUTPUT_EVENTFILE_H
#define PS_TOOLS_PS_RUN_OUTPUT_EVENTFILE_H

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ps {

/// A file of events, which are appended. Thread-compatible.
class EventFile {
public:
  /// Creates `dir` where it is missing, and a new file there, which TensorBoard
  /// shows together with those of earlier processes.
  static absl::StatusOr<std::unique_ptr<EventFile>>
  create(const std::string &dir);

  /// Adds numbers by their tags. An error while writing is kept for close().
  void add(absl::Time time, int64_t step,
           const std::vector<std::pair<std::string, double>> &values);
  void flush();
  absl::Status close();

private:
  struct Close {
    void operator()(FILE *file) const { fclose(file); }
  };
  explicit EventFile(std::string path) : path(std::move(path)) {}
  void write(const std::string &event);

  const std::string path;
  std::unique_ptr<FILE, Close> file;
  int error = 0;
};

/// The CRC-32C (Castagnoli) of `bytes`.
uint32_t crc32c(absl::string_view bytes);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_OUTPUT_EVENTFILE_H
