// SPDX-License-Identifier: Apache-2.0
//===- ChangeRecord.cpp - which rows have changed since a moment ----------===//

#include "runtime/rows/ChangeRecord.h"
#include "runtime/base/Status.h"
#include <algorithm>

using namespace ps::runtime;

absl::Status ChangeRecord::begin(size_t most, size_t used) {
  isOn = false;
  droppedIds = {};
  if (marks.data() == nullptr) {
    ASSIGN_OR_RETURN(marks, AddressRange::reserve(most));
  }
  const size_t marked = marks.size();
  RETURN_IF_ERROR(marks.grow(used));
  std::fill_n(marks.data(), std::min(marked, used), std::byte{0});
  isOn = true;
  return absl::OkStatus();
}

/// A row that was created since then was not there before.
void ChangeRecord::noteDrops(std::span<const int64_t> ids,
                             std::span<const uint32_t> numbers) {
  if (!isOn)
    return;
  for (size_t i = 0; i < ids.size(); ++i) {
    std::byte &mark = marks.data()[numbers[i]];
    if (mark != ChangeNotes::kCreated)
      droppedIds.push_back(ids[i]);
    mark = std::byte{0};
  }
}

int64_t ChangeRecord::count(size_t used) const {
  const auto size = static_cast<ptrdiff_t>(std::min(used, marks.size()));
  return size - std::count(marks.data(), marks.data() + size, std::byte{0});
}
