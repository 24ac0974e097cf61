//===- AddressRange.h - memory that grows in place ------------------------===//

#ifndef PS_RUNTIME_STORE_ADDRESSRANGE_H
#define PS_RUNTIME_STORE_ADDRESSRANGE_H

#include "absl/status/statusor.h"
#include <cstddef>
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

  std::byte *data() const { return base; }
  /// What may be used by now.
  size_t size() const { return committed; }

private:
  std::byte *base = nullptr;
  size_t reserved = 0, committed = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_ADDRESSRANGE_H
