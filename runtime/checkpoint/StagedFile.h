// SPDX-License-Identifier: Apache-2.0
//===- StagedFile.h - a file that is written beside the one it replaces ---===//
//
// Until it is published it has a name of its own, such as
// `model.safetensors.tmp0123456789abcdef`. Its writer holds a lock (flock) on
// it, which ends with the process. So a staged file without a lock was left by
// a process that was killed; the next run that saves a checkpoint in the folder
// removes it.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_STAGEDFILE_H
#define PS_RUNTIME_CHECKPOINT_STAGEDFILE_H

#include "absl/status/statusor.h"
#include <cstdint>
#include <memory>
#include <string>

namespace ps::runtime {

/// Not thread-safe. Errors name the file and the cause.
class StagedFile {
public:
  /// Creates an empty file beside `path`. It follows no symbolic link and
  /// opens no file that exists.
  static absl::StatusOr<std::unique_ptr<StagedFile>>
  create(const std::string &path);
  /// Removes the file unless it was published.
  ~StagedFile();

  /// Writes `bytes` bytes at `offset`.
  absl::Status write(const void *source, uint64_t bytes, uint64_t offset);
  /// Makes what was written durable: a full disk is reported here at the
  /// latest.
  absl::Status flush();
  /// Makes the file durable and puts it in the place of the one at `path`: a
  /// reader, or a crash, sees the old file or the whole new one. The last call.
  absl::Status publish();

  const std::string &path() const { return target; }

private:
  StagedFile() = default;
  absl::Status open();

  std::string target, temporary;
  int descriptor = -1;
};

/// The status for the system's error number `error`, about the file `path`.
absl::Status fileError(int error, const std::string &path,
                       const std::string &what);

/// Removes staged files without a lock from `dir`. Errors are ignored.
void removeAbandoned(const std::string &dir);

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_STAGEDFILE_H
