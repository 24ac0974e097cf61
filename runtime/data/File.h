//===- File.h - whole files, gzipped or not -------------------------------===//

#ifndef PS_RUNTIME_DATA_FILE_H
#define PS_RUNTIME_DATA_FILE_H

#include "absl/status/statusor.h"
#include <cstddef>
#include <memory>
#include <string>

namespace ps::runtime {

/// Reads a file from its start to its end, through gzip if it is gzipped.
/// Errors name the file. Thread-compatible.
class File {
public:
  static absl::StatusOr<std::unique_ptr<File>> open(const std::string &path);
  ~File();

  /// Reads up to `size` bytes; fewer only at the end of the file.
  absl::StatusOr<size_t> read(void *to, size_t size);
  /// An upper bound on the bytes that the file can hold once unpacked.
  uint64_t maxBytes() const { return bound; }
  /// Whether bytes are read as they lie on disk; maxBytes() is exact then.
  bool plain() const { return isPlain; }
  const std::string &path() const { return name; }

private:
  File() = default;
  std::string name;
  void *handle = nullptr;
  uint64_t bound = 0;
  bool isPlain = true;
};

/// Everything in a file, unpacked.
absl::StatusOr<std::string> readWholeFile(const std::string &path);

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_FILE_H
