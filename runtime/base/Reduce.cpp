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
#include "absl/functional/function_ref.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

using namespace ps::runtime;

namespace {
using Float16 = _Float16;

constexpr int64_t stripElements = 1024;

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
  case DType::I64:
    return body(int64_t(), int64_t());
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

/// Reads `count` elements of source `i`, from front to back.
template <typename T>
using Read = absl::FunctionRef<const T *(size_t i, int64_t at, int64_t count)>;

/// Adds `count` sources up in their order, a strip at a time: its sums stay in
/// the cache.
template <typename T, typename Wide>
static void reduceStrips(size_t count, Read<T> read, T *target, int64_t begin,
                         int64_t end, bool divides) {
  Wide sums[stripElements];
  for (int64_t at = begin; at < end; at += stripElements) {
    const int64_t width = std::min(stripElements, end - at);
    const T *first = read(0, at, width);
    for (int64_t i = 0; i < width; ++i)
      sums[i] = Wide(first[i]);
    for (size_t s = 1; s < count; ++s) {
      const T *source = read(s, at, width);
      for (int64_t i = 0; i < width; ++i)
        sums[i] += Wide(source[i]);
    }
    const Wide divisor = divides ? static_cast<Wide>(count) : Wide(1);
    for (int64_t i = 0; i < width; ++i)
      target[at + i] = T(sums[i] / divisor);
  }
}

static void reduceArrays(DType type, std::span<const std::byte *const> sources,
                         std::byte *target, int64_t begin, int64_t end,
                         bool divides) {
  dispatch(type, [&](auto element, auto wide) {
    using T = decltype(element);
    reduceStrips<T, decltype(wide)>(
        sources.size(),
        [&](size_t i, int64_t at, int64_t) {
          return reinterpret_cast<const T *>(sources[i]) + at;
        },
        reinterpret_cast<T *>(target), begin, end, divides);
  });
}

void ps::runtime::meanOf(DType type, std::span<const std::byte *const> sources,
                         std::byte *target, int64_t begin, int64_t end) {
  reduceArrays(type, sources, target, begin, end, /*divides=*/true);
}

void ps::runtime::sumOf(DType type, std::span<const std::byte *const> sources,
                        std::byte *target, int64_t begin, int64_t end) {
  reduceArrays(type, sources, target, begin, end, /*divides=*/false);
}

void ps::runtime::reducePieces(DType type, std::span<PayloadCursor> sources,
                               std::byte *target, size_t bytes, bool divides) {
  dispatch(type, [&](auto element, auto wide) {
    using T = decltype(element);
    T strip[stripElements];
    reduceStrips<T, decltype(wide)>(
        sources.size(),
        [&](size_t i, int64_t, int64_t count) {
          // All sources have as many bytes.
          (void)sources[i].read(strip, count * sizeof(T));
          return strip;
        },
        reinterpret_cast<T *>(target), 0, bytes / sizeof(T), divides);
  });
}

void ps::runtime::divide(DType type, std::byte *target, int divisor,
                         int64_t begin, int64_t end) {
  dispatch(type, [&](auto element, auto wide) {
    using T = decltype(element);
    using Wide = decltype(wide);
    T *values = reinterpret_cast<T *>(target);
    // A power of two has an exact inverse, and products take less time.
    if (std::is_floating_point_v<Wide> &&
        std::has_single_bit(static_cast<unsigned>(divisor))) {
      const Wide inverse = Wide(1) / static_cast<Wide>(divisor);
      for (int64_t i = begin; i < end; ++i)
        values[i] = T(Wide(values[i]) * inverse);
      return;
    }
    for (int64_t i = begin; i < end; ++i)
      values[i] = T(Wide(values[i]) / static_cast<Wide>(divisor));
  });
}
