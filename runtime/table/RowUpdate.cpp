// SPDX-License-Identifier: Apache-2.0
//===- RowUpdate.cpp - the compiled optimizer step of one row -------------===//
//
// The program that updates one row is compiled for one row's memory. Here its
// kernel calls and copies are recorded once, with the places in the row, the
// gradient or scratch at which each pointer lies; applying it to a row then
// only adds addresses and calls.
//
//===----------------------------------------------------------------------===//

#include "runtime/table/RowUpdate.h"
#include <cstring>

using namespace ps::runtime;

namespace {
constexpr size_t kAlignment = 64;

size_t alignUp(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Whether `size` bytes at `pointer` begin in `memory`; then `offset` is where.
bool isIn(const void *pointer, std::span<const std::byte> memory,
          size_t &offset) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const auto begin = reinterpret_cast<uintptr_t>(memory.data());
  if (address < begin || address >= begin + memory.size())
    return false;
  offset = address - begin;
  return true;
}
} // namespace

/// Fails if a copy reaches beyond the memory that it begins in. Pointers
/// elsewhere, such as constants, stay as they are.
absl::StatusOr<RowUpdate> RowUpdate::create(std::span<const RowStep> steps,
                                            const RowMemory &memory) {
  RowUpdate update;
  update.numRowBytes = memory.row.size();
  update.numGradientBytes = memory.gradient.size();

  /// Each scratch range lies at an aligned place of one block, with its own
  /// distance from alignment.
  std::vector<size_t> scratchBegins;
  for (std::span<std::byte> range : memory.scratch) {
    scratchBegins.push_back(alignUp(update.scratchBytes) +
                            reinterpret_cast<uintptr_t>(range.data()) %
                                kAlignment);
    update.scratchBytes = scratchBegins.back() + range.size();
  }

  auto add = [&](void *pointer, size_t bytes) {
    const size_t index = update.pointers.size();
    size_t offset = 0;
    update.pointers.push_back(pointer);
    if (isIn(pointer, memory.row, offset)) {
      update.inRow.push_back({index, offset});
      return offset + bytes <= memory.row.size();
    }
    if (isIn(pointer, memory.gradient, offset)) {
      update.inGradient.push_back({index, offset});
      return offset + bytes <= memory.gradient.size();
    }
    for (size_t i = 0; i < memory.scratch.size(); ++i) {
      if (!isIn(pointer, memory.scratch[i], offset))
        continue;
      update.inScratch.push_back({index, scratchBegins[i] + offset});
      return offset + bytes <= memory.scratch[i].size();
    }
    return true;
  };

  for (const RowStep &step : steps) {
    if (!step.kernel.function && !step.kernel.buffers.empty())
      return absl::InvalidArgumentError(
          "a kernel in a row's update is not compiled for the host");
    Call call{step.kernel.function, update.pointers.size(),
              step.kernel.rows.value_or(1), 0};
    if (call.function) {
      for (void *pointer : step.kernel.buffers)
        add(pointer, 0);
    } else {
      call.bytes = step.copy.bytes;
      if (!add(step.copy.to, call.bytes) ||
          !add(const_cast<void *>(step.copy.from), call.bytes))
        return absl::InvalidArgumentError(
            "a copy in a row's update leaves the memory it begins in");
    }
    update.calls.push_back(call);
  }
  return update;
}

/// One per task: pointers and scratch are its own, so tasks update different
/// rows at the same time.
RowUpdate::Runner::Runner(const RowUpdate &update)
    : update(update), pointers(update.pointers),
      scratch(update.scratchBytes + kAlignment) {
  std::byte *begin =
      scratch.data() + (alignUp(reinterpret_cast<uintptr_t>(scratch.data())) -
                        reinterpret_cast<uintptr_t>(scratch.data()));
  for (const Place &place : update.inScratch)
    pointers[place.index] = begin + place.offset;
}

/// The kernels were bound to one image of a row; pointers into it are moved to
/// this row, so that no row is copied.
void RowUpdate::Runner::apply(std::byte *row, std::byte *gradient) {
  for (const Place &place : update.inRow)
    pointers[place.index] = row + place.offset;
  for (const Place &place : update.inGradient)
    pointers[place.index] = gradient + place.offset;
  for (const Call &call : update.calls) {
    void **first = pointers.data() + call.first;
    if (call.function)
      call.function(first, 0, call.rows);
    else
      std::memcpy(first[0], first[1], call.bytes);
  }
}
