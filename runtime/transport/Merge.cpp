//===- Merge.cpp - arithmetic on gradients in pieces ----------------------===//

#include "runtime/transport/Merge.h"
#include <algorithm>
#include <cstring>

using namespace ps::runtime;

namespace {
using Float16 = _Float16;

/// Calls `body` with a value of the C++ type of `type` and of the type to
/// calculate in.
template <typename Body>
void dispatch(DType type, Body &&body) {
  switch (type) {
  case DType::F32:
    return body(float(), float());
  case DType::F64:
    return body(double(), double());
  case DType::BF16:
    return body(BFloat16(), float());
  case DType::F16:
    return body(Float16(), float());
  default:
    return;
  }
}
} // namespace

size_t ps::runtime::totalBytes(Pieces pieces) {
  size_t total = 0;
  for (Piece piece : pieces)
    total += piece.size();
  return total;
}

std::vector<Piece> ps::runtime::takeFront(std::vector<Piece> &pieces,
                                          size_t count) {
  std::vector<Piece> front;
  size_t used = 0; // Pieces that are used up.
  while (count > 0) {
    Piece &piece = pieces[used];
    const size_t part = std::min(count, piece.size());
    front.push_back(piece.first(part));
    piece = piece.subspan(part);
    count -= part;
    used += piece.empty();
  }
  pieces.erase(pieces.begin(), pieces.begin() + static_cast<ptrdiff_t>(used));
  return front;
}

void ps::runtime::copyPieces(Pieces pieces, std::byte *target) {
  for (Piece piece : pieces) {
    if (!piece.empty())
      std::memcpy(target, piece.data(), piece.size());
    target += piece.size();
  }
}

template <typename T>
static void addRun(const std::byte *source, std::byte *target, size_t count) {
  // The message's bytes have no alignment to rely on.
  for (size_t i = 0; i < count; ++i) {
    T a, b;
    std::memcpy(&a, target + i * sizeof(T), sizeof(T));
    std::memcpy(&b, source + i * sizeof(T), sizeof(T));
    a += b;
    std::memcpy(target + i * sizeof(T), &a, sizeof(T));
  }
}

template <typename T>
static void addTyped(Pieces pieces, std::byte *target) {
  std::byte broken[sizeof(T)]; // An element that lies across pieces.
  size_t have = 0;
  for (Piece piece : pieces) {
    if (have != 0) {
      size_t take = std::min(sizeof(T) - have, piece.size());
      std::memcpy(broken + have, piece.data(), take);
      have += take;
      piece = piece.subspan(take);
      if (have < sizeof(T))
        continue;
      addRun<T>(broken, target, 1);
      target += sizeof(T);
      have = 0;
    }
    size_t whole = piece.size() / sizeof(T);
    addRun<T>(piece.data(), target, whole);
    target += whole * sizeof(T);
    have = piece.size() - whole * sizeof(T);
    if (have != 0)
      std::memcpy(broken, piece.data() + whole * sizeof(T), have);
  }
}

void ps::runtime::addPieces(DType type, Pieces pieces, std::byte *target) {
  if (type == DType::F64)
    return addTyped<double>(pieces, target);
  addTyped<float>(pieces, target);
}

void ps::runtime::meanOf(DType type, std::span<const std::byte *const> sources,
                         std::byte *target, int64_t begin, int64_t end) {
  dispatch(type, [&](auto element, auto wide) {
    using T = decltype(element);
    using Wide = decltype(wide);
    constexpr int64_t strip = 1024; // Sums of a strip stay in the cache.
    Wide sums[strip];
    for (int64_t at = begin; at < end; at += strip) {
      const int64_t count = std::min(strip, end - at);
      for (int64_t i = 0; i < count; ++i)
        sums[i] = Wide(reinterpret_cast<const T *>(sources[0])[at + i]);
      for (const std::byte *source : sources.subspan(1))
        for (int64_t i = 0; i < count; ++i)
          sums[i] += Wide(reinterpret_cast<const T *>(source)[at + i]);
      const Wide divisor = static_cast<Wide>(sources.size());
      for (int64_t i = 0; i < count; ++i)
        reinterpret_cast<T *>(target)[at + i] = T(sums[i] / divisor);
    }
  });
}

void ps::runtime::divide(DType type, std::byte *target, int divisor,
                         int64_t begin, int64_t end) {
  dispatch(type, [&](auto element, auto wide) {
    using T = decltype(element);
    using Wide = decltype(wide);
    T *values = reinterpret_cast<T *>(target);
    for (int64_t i = begin; i < end; ++i)
      values[i] = T(Wide(values[i]) / static_cast<Wide>(divisor));
  });
}
