// SPDX-License-Identifier: Apache-2.0
//===- Snapshot.h - the bytes of a pserver's state ------------------------===//
//
// A snapshot is one run of bytes, little endian: 8 bytes that mark it, its size
// (8 bytes), a digest of its contents (32 characters), then the contents.
// Size and digest are checked before anything is read, and counts before memory
// is taken for what they count, so that a damaged or cut-off snapshot is
// refused as a whole. What the contents mean is for ParameterState and Sessions
// to write and read.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_STATE_SNAPSHOT_H
#define PS_RUNTIME_SERVER_STATE_SNAPSHOT_H

#include "absl/status/statusor.h"
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ps::runtime {

class SnapshotWriter {
public:
  SnapshotWriter();

  /// A number or a struct of numbers without padding.
  template <typename T>
  void add(const T &value) {
    static_assert(std::has_unique_object_representations_v<T> ||
                  std::is_floating_point_v<T>);
    addBytes(std::as_bytes(std::span(&value, 1)));
  }
  /// Their count, then the values.
  template <typename T>
  void addList(std::span<const T> values) {
    add<uint64_t>(values.size());
    addBytes(std::as_bytes(values));
  }
  void addText(std::string_view text) {
    addList(std::span<const char>(text.data(), text.size()));
  }
  void addBytes(std::span<const std::byte> bytes) {
    contents.insert(contents.end(), bytes.begin(), bytes.end());
  }
  /// The snapshot. The last call.
  std::vector<std::byte> finish();

private:
  /// With room for the header.
  std::vector<std::byte> contents;
};

/// Reads in the order in which was written. The first error sticks: what is
/// read after it is zero or empty, and status() returns it.
class SnapshotReader {
public:
  /// INVALID_ARGUMENT for bytes that are no snapshot, DATA_LOSS for a damaged
  /// one. `snapshot` outlives the reader.
  static absl::StatusOr<SnapshotReader>
  open(std::span<const std::byte> snapshot);

  template <typename T>
  T take() {
    T value{};
    const std::span<const std::byte> bytes = takeBytes(sizeof(T));
    if (!bytes.empty())
      std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  /// What addList() wrote.
  template <typename T>
  std::vector<T> takeList() {
    const uint64_t count = takeCount(sizeof(T));
    std::vector<T> values(count);
    const std::span<const std::byte> bytes = takeBytes(count * sizeof(T));
    if (!bytes.empty())
      std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::string takeText() {
    const std::vector<char> text = takeList<char>();
    return std::string(text.begin(), text.end());
  }
  /// A count of things of `bytesEach` bytes each, which are there.
  uint64_t takeCount(size_t bytesEach);
  /// Exactly so many, or none after an error.
  std::span<const std::byte> takeBytes(size_t count);

  const absl::Status &status() const { return result; }
  /// An error where something is left.
  absl::Status finish();

private:
  explicit SnapshotReader(std::span<const std::byte> contents)
      : rest(contents) {}
  void fail(absl::string_view what);

  std::span<const std::byte> rest;
  absl::Status result;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_STATE_SNAPSHOT_H
