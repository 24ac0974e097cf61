// SPDX-License-Identifier: Apache-2.0
//===- Reduce.cpp - sums and means of gradients --------------------------===//
//
// Half-precision values are summed in f32 and rounded once: a sum in their own
// type would lose small gradients after a few trainers. meanOf() adds in the
// order of its sources, so that its callers can promise the same bits in every
// run.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Reduce.h"
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

/// A message arrives in pieces of any length, so an element can lie in two.
template <typename T>
static void addTyped(Pieces pieces, std::byte *target) {
  PayloadCursor cursor(pieces);
  for (Piece run = cursor.next(); !run.empty(); run = cursor.next()) {
    const size_t whole = run.size() / sizeof(T);
    addRun<T>(run.data(), target, whole);
    target += whole * sizeof(T);
    const Piece begun = run.subspan(whole * sizeof(T));
    if (begun.empty())
      continue;
    std::byte element[sizeof(T)]; // One that lies across pieces.
    std::memcpy(element, begun.data(), begun.size());
    if (!cursor.read(element + begun.size(), sizeof(T) - begun.size()))
      return;
    addRun<T>(element, target, 1);
    target += sizeof(T);
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
