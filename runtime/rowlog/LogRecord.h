// SPDX-License-Identifier: Apache-2.0
//===- LogRecord.h - what precedes a row in a RowLog ----------------------===//

#ifndef PS_RUNTIME_ROWLOG_LOGRECORD_H
#define PS_RUNTIME_ROWLOG_LOGRECORD_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ps::runtime {

/// Before each row.
struct RecordHeader {
  enum Kind : uint32_t { kRow = 3, kErased = 4 };

  int64_t id;
  /// checkOf() the others and the row.
  uint32_t check;
  uint32_t kind;

  static RecordHeader of(const std::byte *record) {
    RecordHeader header;
    std::memcpy(&header, record, sizeof(header));
    return header;
  }
  /// Whether it was written with these kinds, and another check.
  bool isOfEarlierVersion() const { return kind == 1 || kind == 2; }
};
static_assert(sizeof(RecordHeader) == 16);

/// XXH3 (32 of its 64 bits), which finds a record that was written in part, or
/// that a disk has changed; it does not withstand an attacker.
inline uint32_t checkOf(int64_t id, uint32_t kind, const std::byte *row,
                        size_t bytes) {
  return static_cast<uint32_t>(
      XXH3_64bits_withSeed(row, bytes, static_cast<uint64_t>(id) + kind));
}

/// Whether `record`, a header and a row of `rowBytes`, is what was written.
inline bool isIntact(const std::byte *record, size_t rowBytes) {
  const RecordHeader header = RecordHeader::of(record);
  return header.check ==
         checkOf(header.id, header.kind, record + sizeof(header), rowBytes);
}

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWLOG_LOGRECORD_H
