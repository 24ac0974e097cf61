// SPDX-License-Identifier: Apache-2.0
//===- Ranges.h - checks of the ranges that trainers send -----------------===//

#ifndef PS_RUNTIME_PROTOCOL_RANGES_H
#define PS_RUNTIME_PROTOCOL_RANGES_H

#include "runtime/protocol/Service.h"

namespace ps::runtime {

/// Bytes [offset, offset + size) of a block of `blockBytes` bytes.
wire::Range makeRange(int64_t step, const std::string &block, DType dtype,
                      uint64_t blockBytes, uint64_t offset, uint64_t size);
/// Rows [offset, offset + count) of `total` of a table.
wire::Rows makeRows(int64_t step, const std::string &table, DType dtype,
                    uint64_t width, uint64_t offset, uint64_t count,
                    uint64_t total, uint64_t stateBytes = 0);

/// The element type of a header that has passed checkTypes() or checkType().
constexpr DType toDType(wire::ElementType type) {
  return static_cast<DType>(type);
}
/// INVALID_ARGUMENT for an unknown element type, which a later version of the
/// protocol may have.
absl::Status checkTypes(const Ranges &ranges);
absl::Status checkType(const wire::Rows &rows);

// Errors are INVALID_ARGUMENT and name the trainer. `what` is the call: "push"
// or "pull".

/// Checks that there are some ranges and not too many.
absl::Status checkCount(const Ranges &ranges, absl::string_view what,
                        int trainer);
/// Checks that `range` is one chunk of a tensor of `type`.
absl::Status checkRange(const wire::Range &range, const TensorType &type,
                        absl::string_view what, int trainer);
/// "found a push of unknown block 'w'".
absl::Status unknownBlock(const wire::Range &range, absl::string_view what,
                          int trainer);

} // namespace ps::runtime

#endif // PS_RUNTIME_PROTOCOL_RANGES_H
