// SPDX-License-Identifier: Apache-2.0
//===- Checksum.h - what a file is checked against ------------------------===//
//
// training.json lists size and checksum of each file of its checkpoint. They
// find damage, such as a flipped bit or a copy that was cut short; they do not
// withstand an attacker. `xxhsum -H3 FILE` computes the same checksum.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_CHECKSUM_H
#define PS_RUNTIME_CHECKPOINT_CHECKSUM_H

#include "absl/status/statusor.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ps::runtime {

/// The size of a file, and XXH3 (64 bits) of all its bytes.
struct FileChecksum {
  uint64_t bytes = 0, xxh3 = 0;
  bool operator==(const FileChecksum &) const = default;
};
/// Those of files, by their names without their folder.
using FileChecksums = std::map<std::string, FileChecksum>;

uint64_t computeXxh3(std::string_view text);
/// As 16 hexadecimal digits.
std::string formatXxh3(uint64_t xxh3);
/// The opposite; no value for anything else.
std::optional<uint64_t> parseXxh3(std::string_view digits);

/// Reads all of the file that is open as `descriptor`, with little memory.
absl::StatusOr<FileChecksum> computeChecksum(int descriptor,
                                             const std::string &path);

/// The same for 128 bits of XXH3, as 32 hexadecimal digits.
absl::StatusOr<std::string> computeDigest(int descriptor,
                                          const std::string &path);

/// DATA_LOSS for the file at `path`: `what` was expected and found in it.
absl::Status damaged(const std::string &path, const std::string &what);

/// DATA_LOSS, with what was expected and found, if the file at `path` has
/// another size than `expected`.
absl::Status checkSize(const std::string &path, const FileChecksum &expected,
                       uint64_t bytes);
/// The same for size and checksum.
absl::Status checkChecksum(const std::string &path,
                           const FileChecksum &expected,
                           const FileChecksum &found);
/// The same, of the file as it is. DATA_LOSS if it is missing, too.
absl::Status verifyFile(const std::string &path, const FileChecksum &expected);

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_CHECKSUM_H
