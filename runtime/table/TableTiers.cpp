// SPDX-License-Identifier: Apache-2.0
//===- TableTiers.cpp - what a table does for rows that are on an SSD -----===//
//
// Look-ups and updates find most of their rows in memory; what is here runs for
// the ids that are left, before they are taken for new ones.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Status.h"
#include "runtime/table/Table.h"
#include <cstring>

using namespace ps::runtime;

/// Training changes rows in memory only.
absl::Status Table::promote(std::span<const int64_t> ids,
                            ParallelRows parallel) {
  return annotate(
      tieredRows->promoteAll(ids, static_cast<uint32_t>(time()), parallel),
      "table '@", tableSpec.name, "'");
}

/// As promote(), of rows that are not in memory; sets their numbers.
absl::Status Table::promoteMissing(std::span<const int64_t> ids,
                                   std::span<uint32_t> numbers,
                                   ParallelRows parallel) {
  return annotate(tieredRows->promote(ids, static_cast<uint32_t>(time()),
                                      numbers, parallel),
                  "table '@", tableSpec.name, "'");
}

absl::Status Table::beginPass(std::span<const int64_t> ids,
                              std::span<const uint32_t> steps,
                              ParallelRows parallel) {
  if (!tieredRows)
    return absl::OkStatus();
  return annotate(tieredRows->beginPass(
                      ids, steps, static_cast<uint32_t>(time()), parallel),
                  "table '@", tableSpec.name, "'");
}

/// Reads the rows of the ids at the positions `missing` that are not in memory,
/// or, if `marks`, brings them there; leaves the positions of ids without a
/// row.
absl::Status Table::readFromTiers(std::span<const int64_t> ids,
                                  std::vector<int64_t> &missing, bool marks,
                                  const Reading &to, ParallelRows parallel) {
  const size_t bytes = valueBytes();
  std::vector<int64_t> wanted;
  for (int64_t position : missing)
    wanted.push_back(ids[position]);
  std::vector<uint32_t> numbers(wanted.size(), RowStore::kNone);
  if (marks) {
    RETURN_IF_ERROR(promoteMissing(wanted, numbers, parallel));
  } else {
    RETURN_IF_ERROR(tieredRows->read(
        wanted,
        [&](size_t i, const std::byte *row) {
          std::memcpy(to.values + missing[i] * bytes, row, bytes);
          numbers[i] = 0;
        },
        parallel));
  }
  size_t left = 0;
  for (size_t i = 0; i < missing.size(); ++i) {
    if (!RowStore::isRow(numbers[i])) {
      missing[left++] = missing[i];
      continue;
    }
    if (!marks)
      continue;
    std::byte *row = rowStore.at(numbers[i]);
    if (rowPolicy.marksUse())
      rowPolicy.markUsed(row);
    if (!to.inPlace)
      std::memcpy(to.values + missing[i] * bytes, row, bytes);
    if (!to.rows.empty())
      to.rows[missing[i]] = row;
  }
  missing.resize(left);
  return absl::OkStatus();
}

/// Brings the rows of the ids at the positions `missing` into memory; leaves
/// the positions of ids without a row.
absl::Status Table::findInTiers(std::span<const int64_t> ids,
                                std::vector<int64_t> &missing, bool mark,
                                std::span<uint32_t> numbers,
                                ParallelRows parallel) {
  std::vector<int64_t> wanted;
  for (int64_t position : missing)
    wanted.push_back(ids[position]);
  std::vector<uint32_t> found(wanted.size());
  RETURN_IF_ERROR(promoteMissing(wanted, found, parallel));
  for (size_t i = 0; i < missing.size(); ++i) {
    numbers[missing[i]] = found[i];
    if (mark && RowStore::isRow(found[i]))
      rowPolicy.markUsed(rowStore.at(found[i]));
  }
  std::erase_if(missing, [&](int64_t position) {
    return RowStore::isRow(numbers[position]);
  });
  return absl::OkStatus();
}
