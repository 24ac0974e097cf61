// SPDX-License-Identifier: Apache-2.0
//===- Packing.h - blocks and rows as messages ----------------------------===//
//
// What a call moves is cut into messages of a chunk, and what an answer brings
// is copied to its places, the one copy on this side. No I/O, no threads.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CLIENT_PACKING_H
#define PS_RUNTIME_CLIENT_PACKING_H

#include "runtime/client/Client.h"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// Calls `emit` for each message with what it is about, and where the bytes of
/// that are. Parts of several chunks travel by themselves, each chunk in a
/// message; the others share messages, in their order.
void packBlocks(int64_t step, std::span<const SendPart> parts,
                absl::FunctionRef<void(Ranges, std::vector<Piece>)> emit);
void packBlocks(
    int64_t step, std::span<const RecvPart> parts,
    absl::FunctionRef<void(Ranges, std::vector<std::span<std::byte>>)> emit);

/// Copies what a pull brought to its places. INTERNAL unless it is as much.
absl::Status unpackBlocks(Pieces payload,
                          std::span<const std::span<std::byte>> places);

/// Cuts the rows of a call into messages; where there are none, it is one
/// message. INVALID_ARGUMENT when not even one row, with its state if
/// `stateBytes` is not 0, fits with its id.
absl::StatusOr<std::vector<wire::Rows>>
packRows(int64_t step, const TableRows &rows, uint64_t stateBytes = 0);

/// Gradients as they travel: where the caller has them, or in memory of their
/// own.
struct EncodedRows {
  std::unique_ptr<std::byte[]> memory;
  Piece bytes;
};
/// RESOURCE_EXHAUSTED when there is no memory.
absl::StatusOr<EncodedRows> encodeRows(const RowGradients &rows);

/// Copies the rows that `message` of a prefetch brought to their places, and
/// for a trainer that keeps copies the answer about each. INTERNAL for an
/// answer that does not match the request.
absl::Status unpackRows(Pieces payload, const RowRequest &request,
                        const wire::Rows &message);

/// Copies ids and rows of `rowBytes` bytes. INTERNAL for an answer that is not
/// some of each.
absl::Status unpackChanges(const Response &response, size_t rowBytes,
                           RowChanges &changes);

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_PACKING_H
