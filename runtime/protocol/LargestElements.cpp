// SPDX-License-Identifier: Apache-2.0
//===- LargestElements.cpp - the part of a gradient that is sent ----------===//
//
// 1. findThreshold: the bits of magnitudes, as integers, are ordered like
// these,
//    NaN last. The k-th largest is found digit by digit: count the elements by
//    their first digit, go on with those that share that of the k-th.
// 2. takeLargest: one more pass takes what is larger, and of what is equal to
// it
//    as many as are missing, the first ones.
//
//===----------------------------------------------------------------------===//

#include "runtime/protocol/LargestElements.h"
#include "absl/strings/str_cat.h"
#include <array>
#include <cstring>

using namespace ps::runtime;

namespace {
struct Threshold {
  /// The least key among the largest elements, and how many of those with it
  /// are among them.
  uint32_t key = 0;
  size_t equal = 0;
};

/// A part of a key.
struct Digit {
  unsigned shift, bits;
};
constexpr Digit digits[] = {{20, 11}, {10, 10}, {0, 10}};
constexpr size_t stripElements = 512;
} // namespace

static uint32_t keyOf(float value) {
  return std::bit_cast<uint32_t>(value) & 0x7fffffff;
}

/// There are `count` elements, at least 1.
static Threshold findThreshold(std::span<const float> values, size_t count) {
  Threshold found{0, count};
  uint32_t known = 0;
  for (Digit digit : digits) {
    std::array<uint32_t, 1 << 11> counts = {};
    const uint32_t most = (1u << digit.bits) - 1;
    for (float value : values)
      if (uint32_t key = keyOf(value); (key & known) == found.key)
        ++counts[key >> digit.shift & most];
    uint32_t bin = most;
    for (; counts[bin] < found.equal; --bin)
      found.equal -= counts[bin];
    found.key |= bin << digit.shift;
    known |= most << digit.shift;
  }
  return found;
}

void ps::runtime::takeLargest(std::span<const float> gradient,
                              std::span<float> unsent,
                              std::span<LargestElement> largest) {
  for (size_t i = 0; i < unsent.size(); ++i)
    unsent[i] += gradient[i];
  if (largest.empty())
    return;
  Threshold threshold = findThreshold(unsent, largest.size());
  LargestElement *to = largest.data();
  for (size_t i = 0; i < unsent.size(); ++i) {
    const uint32_t key = keyOf(unsent[i]);
    if (key < threshold.key || (key == threshold.key && threshold.equal == 0))
      continue;
    threshold.equal -= key == threshold.key;
    *to++ = {static_cast<uint32_t>(i), unsent[i]};
    unsent[i] = 0;
  }
}

/// Calls `body` with the elements, strip by strip; they may lie across pieces.
template <typename Body>
static void forEachStrip(Pieces payload, Body body) {
  std::array<LargestElement, stripElements> strip;
  size_t left = totalBytes(payload) / sizeof(LargestElement);
  PayloadCursor cursor(payload);
  while (left != 0) {
    const size_t count = std::min(left, strip.size());
    cursor.read(strip.data(), count * sizeof(LargestElement));
    body(std::span<const LargestElement>(strip.data(), count));
    left -= count;
  }
}

absl::Status ps::runtime::checkLargest(Pieces payload, uint64_t size) {
  absl::Status status;
  uint64_t next = 0;
  forEachStrip(payload, [&](std::span<const LargestElement> elements) {
    for (const LargestElement &each : elements) {
      if (each.index >= size)
        status.Update(absl::InvalidArgumentError(absl::StrCat(
            "expected elements below ", size, ", found element ", each.index)));
      else if (each.index < next)
        status.Update(absl::InvalidArgumentError(
            absl::StrCat("expected elements in ascending order, found element ",
                         each.index, " after element ", next - 1)));
      next = uint64_t(each.index) + 1;
    }
  });
  return status;
}

void ps::runtime::addLargest(Pieces payload, float *sum) {
  forEachStrip(payload, [&](std::span<const LargestElement> elements) {
    for (const LargestElement &each : elements)
      sum[each.index] += each.value;
  });
}
