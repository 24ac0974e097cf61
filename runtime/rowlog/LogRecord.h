// SPDX-License-Identifier: Apache-2.0
//===- LogRecord.h - what precedes a row in a RowLog ----------------------===//

#ifndef PS_RUNTIME_ROWLOG_LOGRECORD_H
#define PS_RUNTIME_ROWLOG_LOGRECORD_H

#include "runtime/base/Hash.h"
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ps::runtime {

/// Before each row.
struct RecordHeader {
  enum Kind : uint32_t { kRow = 1, kErased = 2 };

  int64_t id;
  /// checkOf() the others and the row.
  uint32_t check;
  uint32_t kind;

  static RecordHeader of(const std::byte *record) {
    RecordHeader header;
    std::memcpy(&header, record, sizeof(header));
    return header;
  }
};
static_assert(sizeof(RecordHeader) == 16);

/// Distinguishes a record from one that was written in part, or that a disk has
/// changed; it does not withstand an attacker.
inline uint32_t checkOf(int64_t id, uint32_t kind, const std::byte *row,
                        size_t bytes) {
  uint64_t sum = mixBits(static_cast<uint64_t>(id) + kind);
  auto add = [&](uint64_t word) {
    sum = (sum ^ word) * 0xBF58476D1CE4E5B9;
    sum ^= sum >> 29;
  };
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, row + i, sizeof(word));
    add(word);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, row + i, bytes - i);
  add(rest);
  return static_cast<uint32_t>(sum >> 32);
}

/// Whether `record`, a header and a row of `rowBytes`, is what was written.
inline bool isIntact(const std::byte *record, size_t rowBytes) {
  const RecordHeader header = RecordHeader::of(record);
  return header.check ==
         checkOf(header.id, header.kind, record + sizeof(header), rowBytes);
}

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWLOG_LOGRECORD_H
