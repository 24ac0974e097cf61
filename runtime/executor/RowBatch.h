// SPDX-License-Identifier: Apache-2.0
//===- RowBatch.h - the table rows that one step works with ---------------===//
//
// A step looks a table up by a few lists of ids, in which ids repeat. The
// batch holds each id once, its row and its row's gradient, and says for every
// id of every list which of the rows is its own.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_EXECUTOR_ROWBATCH_H
#define PS_RUNTIME_EXECUTOR_ROWBATCH_H

#include "runtime/base/Hash.h"
#include "runtime/base/Tensor.h"
#include <optional>
#include <span>

namespace ps::runtime {

/// How the ids of a table are spread over pservers.
enum class IdPartition { Mix, Modulo };

/// Which of `shards` pservers holds the row of `id`; Modulo takes the id as an
/// unsigned number.
inline int shardOf(int64_t id, int shards, IdPartition partition) {
  uint64_t number =
      partition == IdPartition::Mix ? mixId(id) : static_cast<uint64_t>(id);
  return static_cast<int>(number % static_cast<uint64_t>(shards));
}

/// One list of ids that a table is looked up by. The caller keeps `ids` alive
/// until assign() returns.
struct RowLookup {
  std::span<const int64_t> ids;
  /// This id has no row.
  std::optional<int64_t> paddingIdx;
};

/// Where the rows of a step begin: row i at data[i].
struct RowAddresses {
  DType dtype;
  int64_t width;
  const std::byte *const *data;

  template <typename T>
  const T *const *as() const {
    return reinterpret_cast<const T *const *>(data);
  }
};

/// Reused from step to step, so that steps allocate nothing once the largest
/// has been seen. Thread-compatible.
class RowBatch {
public:
  /// Rows of `width` elements of F32 or F64; `width` is not negative.
  RowBatch(DType dtype, int64_t width) : elementType(dtype), rowWidth(width) {}

  /// The place of padding.
  static constexpr int32_t noPlace = -1;

  /// Starts over with the ids of `lookups`: each id once, in the order of its
  /// first occurrence. What values() holds is not defined; gradients are zero.
  /// RESOURCE_EXHAUSTED when the memory cannot be had or there are more than
  /// 2^31 - 1 ids; the batch is empty then.
  absl::Status assign(std::span<const RowLookup> lookups);

  DType dtype() const { return elementType; }
  int64_t width() const { return rowWidth; }
  size_t rowBytes() const { return byteWidth(elementType) * size_t(rowWidth); }
  /// The number of different ids.
  int64_t size() const { return static_cast<int64_t>(uniqueIds.size()); }
  std::span<const int64_t> ids() const { return uniqueIds; }

  /// For each id of a lookup the index of its row, noPlace for padding.
  std::span<const int32_t> places(size_t lookup) const {
    return std::span(allPlaces).subspan(
        lookupBegins[lookup], lookupBegins[lookup + 1] - lookupBegins[lookup]);
  }
  size_t numLookups() const {
    return lookupBegins.empty() ? 0 : lookupBegins.size() - 1;
  }

  /// size() rows of width() elements, row-major; valid until assign().
  TensorRef values() { return ref(valueMemory); }
  /// Where rows are read: in values(), or where rowAddresses() says.
  RowAddresses rows() const {
    return {elementType, rowWidth, addresses.data()};
  }
  /// For a table of this process, whose rows need no copy: where each row is,
  /// in values() at first. Valid until assign().
  std::span<const std::byte *> rowAddresses() { return addresses; }
  /// As values(). The first call after assign() allocates and clears them.
  absl::StatusOr<TensorRef> gradients();

  /// How often each id was shown and clicked.
  struct Clicks {
    std::span<float> shows, clicks;
  };
  /// As gradients().
  absl::StatusOr<Clicks> clicks();
  /// Whether clicks() was called since assign().
  bool hasClicks() const { return clicksReady; }

private:
  struct Slot {
    int64_t id;
    int32_t place;
    /// The slot is taken if this is the batch's generation.
    uint32_t generation;
  };

  absl::Status reserve(std::span<const RowLookup> lookups);
  void clear();
  TensorRef ref(const Buffer &buffer) const {
    return {{elementType, {size(), rowWidth}}, buffer.data()};
  }

  DType elementType;
  int64_t rowWidth;
  std::vector<int64_t> uniqueIds;
  std::vector<const std::byte *> addresses;
  std::vector<int32_t> allPlaces;
  std::vector<size_t> lookupBegins;
  Buffer valueMemory, gradientMemory, clickMemory;
  bool gradientsReady = false, clicksReady = false;

  /// Open addressing, at most half full; a power of two of slots.
  std::vector<Slot> slots;
  /// From a hash to a slot.
  int slotShift = 0;
  IdHash hash;
  uint32_t generation = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_EXECUTOR_ROWBATCH_H
