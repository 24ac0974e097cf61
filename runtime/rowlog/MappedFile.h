// SPDX-License-Identifier: Apache-2.0
//===- MappedFile.h - a file that is read as memory -----------------------===//
//
// Reading 150 bytes that are in the system's cache takes 30 ns from a mapping
// and 700 to 1800 ns by pread(), io_uring or process_vm_readv(). What a mapping
// cannot do is return an error: a page that the disk does not give is a signal.
// copyMapped() turns it into a result.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_ROWLOG_MAPPEDFILE_H
#define PS_RUNTIME_ROWLOG_MAPPEDFILE_H

#include "absl/functional/function_ref.h"
#include <cstddef>
#include <utility>

namespace ps::runtime {

/// The first bytes of a file as memory, also those that are written later.
/// Movable; unmaps when it is destroyed.
class MappedFile {
public:
  MappedFile() = default;
  /// Holds nothing if the system refuses.
  MappedFile(int descriptor, size_t bytes);
  MappedFile(MappedFile &&other) noexcept { *this = std::move(other); }
  MappedFile &operator=(MappedFile &&other) noexcept {
    std::swap(begin, other.begin);
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~MappedFile();

  /// Null for none. What the file does not have must not be read, except in
  /// copyMapped().
  const std::byte *data() const { return begin; }

private:
  std::byte *begin = nullptr;
  size_t bytes = 0;
};

/// Runs `copy`, which reads mapped files. Returns false, wherever `copy` was,
/// if the system could not read one of them: `copy` must not own anything then.
bool copyMapped(absl::FunctionRef<void()> copy);

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWLOG_MAPPEDFILE_H
