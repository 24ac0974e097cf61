// SPDX-License-Identifier: Apache-2.0
//===- TextSource.h - lines of a file, or of what a command makes of it ---===//

#ifndef PS_RUNTIME_DATA_TEXTSOURCE_H
#define PS_RUNTIME_DATA_TEXTSOURCE_H

#include "absl/status/statusor.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace ps::runtime {

/// Whole lines of a file, and where they are.
struct TextBlock {
  std::unique_ptr<char[]> memory;
  size_t size = 0;
  /// The number of its first line, from 1.
  int64_t firstLine = 1;
  /// Whether the file ends behind the block.
  bool last = false;
};

/// Reads a file in blocks of lines. Thread-compatible.
class TextSource {
public:
  /// Reads `path`, gzipped or not, or the output of the shell command `command`
  /// that gets the file as it lies on disk as its standard input. NOT_FOUND
  /// when the file cannot be opened.
  static absl::StatusOr<std::unique_ptr<TextSource>>
  open(const std::string &path, const std::string &command);
  virtual ~TextSource() = default;

  /// The next lines, about a megabyte of them, or those that are there while a
  /// command makes no more. CANCELLED soon after `stop`;
  /// DATA_LOSS names a file that cannot be read or a command that failed.
  absl::StatusOr<TextBlock> next(const std::atomic<bool> &stop);

protected:
  explicit TextSource(std::string path) : path(std::move(path)) {}
  /// Reads up to `size` bytes; none only at the end.
  virtual absl::StatusOr<size_t> read(char *to, size_t size,
                                      const std::atomic<bool> &stop) = 0;
  /// Whether read() would have to wait for longer than a moment.
  virtual bool pauses() { return false; }
  std::string path;

private:
  /// The beginning of a line whose end is not read yet.
  std::string carry;
  int64_t nextLine = 1;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_TEXTSOURCE_H
