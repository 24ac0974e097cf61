// SPDX-License-Identifier: Apache-2.0
//===- StagedFile.h - a file that is written beside the one it replaces ---===//
//
// Until it is published it has a name of its own, such as
// `model.safetensors.tmp0123456789abcdef`. Its writer holds a lock (flock) on
// it, which ends with the process. So a staged file without a lock was left by
// a process that was killed; the next run that saves a checkpoint in the folder
// removes it, unless it completes one (StagedCheckpoint.h).
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_STAGEDFILE_H
#define PS_RUNTIME_CHECKPOINT_STAGEDFILE_H

#include "absl/status/statusor.h"
#include "runtime/base/Descriptor.h"
#include "runtime/checkpoint/Checksum.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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
  /// Of what was written.
  absl::StatusOr<FileChecksum> checksum() const {
    return computeChecksum(descriptor, target);
  }
  absl::StatusOr<std::string> digest() const {
    return computeDigest(descriptor, target);
  }
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

/// Makes what was created, renamed or removed in `dir` durable.
absl::Status syncDirectory(const std::string &dir);

/// Whether a process that lives writes a file in `dir`, or, without locks, one
/// that may.
bool isBeingSaved(const std::string &dir);

/// Whether `dir` has staged files, in progress or abandoned.
bool hasStagedFiles(const std::string &dir);
/// A staged file whose process died.
struct AbandonedFile {
  std::string path;
  /// Where it was to be.
  std::string target;
  /// With its lock.
  Descriptor descriptor;
};
/// Locks and lists those in `dir`; none if it cannot be read.
std::vector<AbandonedFile> lockAbandoned(const std::string &dir);
/// Removes them. Errors are ignored: cleaning up must not keep a run from
/// starting.
void removeAbandoned(const std::string &dir);

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_STAGEDFILE_H
