// SPDX-License-Identifier: Apache-2.0
//===- Pieces.cpp - bytes in several places -------------------------------===//

#include "runtime/base/Pieces.h"
#include <algorithm>
#include <cstring>

using namespace ps::runtime;

size_t ps::runtime::totalBytes(Pieces pieces) {
  size_t total = 0;
  for (Piece piece : pieces)
    total += piece.size();
  return total;
}

void ps::runtime::copyPieces(Pieces pieces, std::byte *target) {
  PayloadCursor(pieces).read(target, totalBytes(pieces));
}

Piece PayloadCursor::next(size_t most) {
  while (!pieces.empty() && used == pieces.front().size()) {
    pieces = pieces.subspan(1);
    used = 0;
  }
  if (pieces.empty())
    return {};
  const Piece left = pieces.front().subspan(used);
  const Piece run = left.first(std::min(most, left.size()));
  used += run.size();
  return run;
}

bool PayloadCursor::read(void *target, size_t count) {
  auto *to = static_cast<std::byte *>(target);
  while (count != 0) {
    const Piece run = next(count);
    if (run.empty())
      return false;
    std::memcpy(to, run.data(), run.size());
    to += run.size();
    count -= run.size();
  }
  return true;
}

std::vector<Piece> PayloadCursor::take(size_t count) {
  std::vector<Piece> front;
  while (count != 0) {
    const Piece run = next(count);
    if (run.empty())
      break;
    front.push_back(run);
    count -= run.size();
  }
  return front;
}
