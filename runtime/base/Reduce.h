// SPDX-License-Identifier: Apache-2.0
//===- Reduce.h - sums and means of gradients ----------------------------===//

#ifndef PS_RUNTIME_BASE_REDUCE_H
#define PS_RUNTIME_BASE_REDUCE_H

#include "runtime/base/Pieces.h"
#include "runtime/base/Tensor.h"

namespace ps::runtime {

/// target[i] += i-th element of `pieces`, F32 or F64 only. Elements may lie
/// across pieces and unaligned; the total is a whole number of them.
void addPieces(DType type, Pieces pieces, std::byte *target);

/// target[i] = (sources[0][i] + sources[1][i] + ..) / sources.size() for i in
/// [begin, end): in this order, half types in f32 and rounded once. `target`
/// may be one of the sources.
void meanOf(DType type, std::span<const std::byte *const> sources,
            std::byte *target, int64_t begin, int64_t end);

/// The same without the division; also of I64.
void sumOf(DType type, std::span<const std::byte *const> sources,
           std::byte *target, int64_t begin, int64_t end);

/// The same of `sources` that arrived in pieces, as many bytes each: whole
/// elements of `type`, which may lie across pieces. Sums if not `divides`.
/// `target` may be one of the sources.
void reducePieces(DType type, std::span<PayloadCursor> sources,
                  std::byte *target, size_t bytes, bool divides);

/// target[i] /= divisor for i in [begin, end).
void divide(DType type, std::byte *target, int divisor, int64_t begin,
            int64_t end);

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_REDUCE_H
