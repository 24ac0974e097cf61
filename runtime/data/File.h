// SPDX-License-Identifier: Apache-2.0
//===- File.h - whole files, gzipped or not -------------------------------===//

#ifndef PS_RUNTIME_DATA_FILE_H
#define PS_RUNTIME_DATA_FILE_H

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/Tensor.h"
#include <cstddef>
#include <memory>
#include <string>

namespace ps::runtime {

/// Reads a file from its start to its end. Errors name it. Thread-compatible.
class File {
public:
  /// Reads through gzip if the file is gzipped.
  static absl::StatusOr<std::unique_ptr<File>> open(const std::string &path);
  virtual ~File() = default;

  /// Reads up to `size` bytes; fewer only at the end of the file.
  virtual absl::StatusOr<size_t> read(void *to, size_t size) = 0;
  /// Reads `size` bytes; DATA_LOSS at an earlier end of the file, where `what`
  /// takes as many.
  absl::Status readExactly(void *to, size_t size, absl::string_view what);
  /// Reads the rest of the file, which is `size` bytes by its header: DATA_LOSS
  /// if it is not. Memory grows with what is read: the header of a compressed
  /// file may claim a thousand times what it holds.
  absl::Status readRest(size_t size, Buffer &bytes);
  /// DATA_LOSS that names the file.
  absl::Status error(absl::string_view why) const;
  /// An upper bound on the bytes that the file can hold once unpacked.
  uint64_t maxBytes() const { return bound; }
  /// Whether bytes are read as they lie on disk; maxBytes() is exact then.
  bool plain() const { return isPlain; }
  const std::string &path() const { return name; }

protected:
  File(std::string name, uint64_t bound, bool isPlain)
      : name(std::move(name)), bound(bound), isPlain(isPlain) {}

private:
  const std::string name;
  const uint64_t bound;
  const bool isPlain;
};

/// Deflate never packs better than so many bytes to one.
inline constexpr uint64_t maxDeflateRatio = 1032;

/// Everything in a file, unpacked.
absl::StatusOr<std::string> readWholeFile(const std::string &path);

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_FILE_H
