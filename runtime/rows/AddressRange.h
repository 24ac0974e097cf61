// SPDX-License-Identifier: Apache-2.0
//===- AddressRange.h - memory that grows in place ------------------------===//

#ifndef PS_RUNTIME_ROWS_ADDRESSRANGE_H
#define PS_RUNTIME_ROWS_ADDRESSRANGE_H

#include "absl/status/statusor.h"
#include "runtime/base/Mutex.h"
#include <cstddef>
#include <memory>
#include <utility>

namespace ps::runtime {

/// A range of addresses of which a growing front part is memory: zeroed,
/// aligned to a page (to 2 MiB, with huge pages advised, when the range is
/// that large), and taken from the system when it is first written. Growing
/// moves nothing. Owned by the object; movable. Not thread-safe.
class AddressRange {
public:
  AddressRange() = default;
  AddressRange(AddressRange &&other) noexcept { *this = std::move(other); }
  AddressRange &operator=(AddressRange &&other) noexcept {
    std::swap(base, other.base);
    std::swap(reserved, other.reserved);
    std::swap(committed, other.committed);
    return *this;
  }
  ~AddressRange();

  /// RESOURCE_EXHAUSTED when there are not as many addresses.
  static absl::StatusOr<AddressRange> reserve(size_t bytes);
  /// Makes the first `bytes` of the range usable; no more than reserved.
  /// RESOURCE_EXHAUSTED leaves everything as it was.
  absl::Status grow(size_t bytes);

  /// Returns the whole pages of [begin, end) to the system. Their addresses
  /// stay reserved and are never used again.
  void release(size_t begin, size_t end);

  std::byte *data() const { return base; }
  /// What may be used by now.
  size_t size() const { return committed; }

private:
  std::byte *base = nullptr;
  size_t reserved = 0, committed = 0;
};

/// Memory for arrays that are replaced by larger ones all the time: many arrays
/// lie side by side in huge pages, of which none has one to itself. allocate()
/// is thread-safe, and so is the destruction of a piece.
class PagePool {
public:
  /// Zeroed memory, aligned to a page; released when it is destroyed.
  class Piece {
  public:
    Piece() = default;
    Piece(Piece &&other) noexcept { *this = std::move(other); }
    Piece &operator=(Piece &&other) noexcept {
      std::swap(chunk, other.chunk);
      std::swap(begin, other.begin);
      std::swap(numBytes, other.numBytes);
      return *this;
    }
    ~Piece();
    std::byte *data() const { return chunk ? chunk->data() + begin : nullptr; }
    size_t size() const { return numBytes; }

  private:
    friend class PagePool;
    std::shared_ptr<AddressRange> chunk;
    size_t begin = 0, numBytes = 0;
  };

  /// At least `bytes` bytes. RESOURCE_EXHAUSTED when there is no memory.
  absl::StatusOr<Piece> allocate(size_t bytes);

private:
  Mutex mutex;
  /// What pieces are cut from: a piece keeps its chunk, the pool the last one.
  std::shared_ptr<AddressRange> chunk ABSL_GUARDED_BY(mutex);
  size_t chunkSize ABSL_GUARDED_BY(mutex) = 0;
  size_t used ABSL_GUARDED_BY(mutex) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWS_ADDRESSRANGE_H
