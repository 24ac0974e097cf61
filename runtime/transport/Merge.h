//===- Merge.h - arithmetic on gradients in pieces ------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_MERGE_H
#define PS_RUNTIME_TRANSPORT_MERGE_H

#include "runtime/transport/Service.h"
#include <vector>

namespace ps::runtime {

size_t totalBytes(Pieces pieces);

/// Cuts `count` bytes, which they have, off the front of `pieces`.
std::vector<Piece> takeFront(std::vector<Piece> &pieces, size_t count);

/// Writes the bytes of `pieces` to `target`.
void copyPieces(Pieces pieces, std::byte *target);

/// target[i] += i-th element of `pieces`, F32 or F64 only. Elements may lie
/// across pieces and unaligned; the total is a whole number of them.
void addPieces(DType type, Pieces pieces, std::byte *target);

/// target[i] = (sources[0][i] + sources[1][i] + ..) / sources.size() for i in
/// [begin, end): in this order, half types in f32 and rounded once. `target`
/// may be one of the sources.
void meanOf(DType type, std::span<const std::byte *const> sources,
            std::byte *target, int64_t begin, int64_t end);

/// target[i] /= divisor for i in [begin, end).
void divide(DType type, std::byte *target, int divisor, int64_t begin,
            int64_t end);

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_MERGE_H
