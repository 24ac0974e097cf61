// SPDX-License-Identifier: Apache-2.0
//===- ReduceLayout.cpp - how tensors are divided among members -----------===//

#include "runtime/collective/ReduceLayout.h"
#include "runtime/base/Hash.h"
#include <algorithm>

using namespace ps::runtime;

/// No element is larger.
static constexpr uint64_t alignment = 8;

static uint64_t alignUp(uint64_t offset) {
  return (offset + alignment - 1) / alignment * alignment;
}

ReduceLayout::ReduceLayout(std::span<const ReducePart> parts) : parts(parts) {
  for (const ReducePart &part : parts) {
    begins.push_back(end);
    end = alignUp(end + part.mean.size());
  }
}

uint64_t ReduceLayout::signature() const {
  uint64_t hash = mixBits(parts.size());
  for (const ReducePart &part : parts) {
    hash = mixBits(hash ^ static_cast<uint64_t>(part.dtype));
    hash = mixBits(hash ^ part.mean.size());
  }
  return hash;
}

std::vector<Cut> ReduceLayout::divide(int owners, uint64_t cutBytes) const {
  std::vector<Cut> cuts;
  const uint64_t units = end / alignment;
  for (int owner = 0; owner != owners; ++owner) {
    const uint64_t last = units * (owner + 1) / owners * alignment;
    for (uint64_t at = units * owner / owners * alignment; at < last;
         at += cutBytes)
      cuts.push_back({at, std::min(cutBytes, last - at), owner});
  }
  return cuts;
}

void ReduceLayout::forEach(
    const Cut &cut,
    absl::FunctionRef<void(const ReducePart &part, size_t begin, size_t bytes)>
        body) const {
  const uint64_t cutEnd = cut.offset + cut.size;
  // The last part that begins at the cut or before it.
  size_t i = std::upper_bound(begins.begin(), begins.end(), cut.offset) -
             begins.begin();
  for (i = i == 0 ? 0 : i - 1; i < parts.size() && begins[i] < cutEnd; ++i) {
    const uint64_t first = std::max(cut.offset, begins[i]);
    const uint64_t last =
        std::min<uint64_t>(cutEnd, begins[i] + parts[i].mean.size());
    if (first < last)
      body(parts[i], first - begins[i], last - first);
  }
}

std::vector<Piece> ReduceLayout::gradients(const Cut &cut) const {
  std::vector<Piece> pieces;
  forEach(cut, [&](const ReducePart &part, size_t begin, size_t bytes) {
    pieces.push_back(part.gradient.subspan(begin, bytes));
  });
  return pieces;
}

std::vector<Piece> ReduceLayout::means(const Cut &cut) const {
  std::vector<Piece> pieces;
  forEach(cut, [&](const ReducePart &part, size_t begin, size_t bytes) {
    pieces.push_back(part.mean.subspan(begin, bytes));
  });
  return pieces;
}

size_t ReduceLayout::payloadBytes(const Cut &cut) const {
  size_t total = 0;
  forEach(cut,
          [&](const ReducePart &, size_t, size_t bytes) { total += bytes; });
  return total;
}
