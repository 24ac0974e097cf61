// SPDX-License-Identifier: Apache-2.0
//===- ChangedRows.cpp - which rows a trainer has not seen ----------------===//
//
// An id leaves the list when an answer takes it; a change that comes later puts
// it back. What the last answer took is kept until the next pull, whose number
// says that the answer has arrived.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/state/ChangedRows.h"
#include "absl/strings/str_cat.h"
#include <algorithm>

using namespace ps::runtime;

void ChangedRows::add(Trainer &trainer, int64_t id, uint32_t number) {
  std::vector<uint64_t> &bits = trainer.bits;
  if (number / 64 >= bits.size())
    bits.resize(std::max<size_t>(number / 64 + 1, 2 * bits.size()));
  const uint64_t bit = uint64_t{1} << number % 64;
  if (bits[number / 64] & bit)
    return;
  trainer.waiting.push_back(id);
  bits[number / 64] |= bit;
}

void ChangedRows::note(int trainer, std::span<const int64_t> ids) {
  if (trainers.empty())
    return;
  numbers.resize(ids.size());
  rows.findAll(ids, numbers.data());
  for (auto &[id, other] : trainers)
    if (id != trainer)
      for (size_t i = 0; i < ids.size(); ++i)
        if (RowStore::isRow(numbers[i]))
          add(other, ids[i], numbers[i]);
}

absl::StatusOr<ChangedRows::Taken>
ChangedRows::take(int trainer, uint64_t number, size_t most) {
  Trainer &state = trainers[trainer];
  if (number == 1 && state.number != 1) {
    // A process that has just begun, perhaps in the place of another.
    state = Trainer();
    rows.forEach([&](int64_t id, uint32_t row) {
      if (RowStore::isRow(row))
        add(state, id, row);
    });
  } else if (number == state.number) {
    return Taken{state.sent, state.waiting.size()};
  } else if (number != state.number + 1) {
    return absl::FailedPreconditionError(absl::StrCat(
        "expected pull ", state.number + 1, " of changed rows from trainer ",
        trainer, ", found pull ", number));
  }
  const size_t count = std::min(most, state.waiting.size());
  state.sent.assign(state.waiting.begin(), state.waiting.begin() + count);
  state.waiting.erase(state.waiting.begin(), state.waiting.begin() + count);
  numbers.resize(count);
  rows.findAll(state.sent, numbers.data());
  for (uint32_t row : numbers)
    state.bits[row / 64] &= ~(uint64_t{1} << row % 64);
  state.number = number;
  return Taken{state.sent, state.waiting.size()};
}
