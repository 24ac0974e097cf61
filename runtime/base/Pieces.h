// SPDX-License-Identifier: Apache-2.0
//===- Pieces.h - bytes in several places ---------------------------------===//

#ifndef PS_RUNTIME_BASE_PIECES_H
#define PS_RUNTIME_BASE_PIECES_H

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace ps::runtime {

using Piece = std::span<const std::byte>;
/// A run of bytes that may lie in several places, as messages arrive.
using Pieces = std::span<const Piece>;

size_t totalBytes(Pieces pieces);

/// Writes the bytes of `pieces` to `target`.
void copyPieces(Pieces pieces, std::byte *target);

/// Reads the bytes of pieces, which outlive it, from front to back.
class PayloadCursor {
public:
  explicit PayloadCursor(Pieces pieces) : pieces(pieces) {}

  /// The next bytes that lie in one place, `most` at most; none at the end.
  Piece next(size_t most = std::numeric_limits<size_t>::max());
  /// Copies the next `count` bytes to `target`; false if there are fewer.
  bool read(void *target, size_t count);
  /// The next `count` bytes where they lie, or fewer at the end.
  std::vector<Piece> take(size_t count);
  /// All that is left, where it lies.
  std::vector<Piece> rest() { return take(std::numeric_limits<size_t>::max()); }

private:
  Pieces pieces;
  size_t used = 0; // Bytes of the first piece.
};

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_PIECES_H
