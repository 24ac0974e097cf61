// SPDX-License-Identifier: Apache-2.0
//===- Rows.cpp - samples on their way from lines to columns --------------===//

#include "runtime/data/Rows.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cstring>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Rows::Rows(const std::vector<ColumnSpec> &specs) {
  for (const ColumnSpec &spec : specs)
    columns.push_back({.dtype = spec.dtype,
                       .width = spec.width,
                       .ids = {},
                       .numbers = {},
                       .wideNumbers = {},
                       .ends = {}});
}

void Rows::endSample() {
  ++size;
  for (Column &column : columns)
    if (column.width < 0)
      column.ends.push_back(column.elements());
}

/// Elements behind the last end are of a sample that was begun and turned out
/// to be malformed.
void Rows::dropSample() {
  for (Column &column : columns) {
    int64_t kept = begin(column, size);
    Column::withElements(column,
                         [&](auto &elements) { elements.resize(kept); });
  }
}

void Rows::append(const Rows &rows, int64_t first, int64_t count) {
  for (size_t i = 0; i != columns.size(); ++i) {
    Column &to = columns[i];
    const Column &from = rows.columns[i];
    int64_t begin = rows.begin(from, first),
            end = rows.begin(from, first + count);
    // Ends count elements from the start of the buffer: they move with them.
    int64_t shift = to.elements() - begin;
    auto appendTo = [&](auto &all, const auto &added) {
      all.insert(all.end(), added.begin() + begin, added.begin() + end);
    };
    if (to.dtype == DType::I64)
      appendTo(to.ids, from.ids);
    else if (to.dtype == DType::F32)
      appendTo(to.numbers, from.numbers);
    else
      appendTo(to.wideNumbers, from.wideNumbers);
    if (to.width < 0)
      for (int64_t sample = first; sample != first + count; ++sample)
        to.ends.push_back(rows.begin(from, sample + 1) + shift);
  }
  size += count;
}

int64_t Rows::begin(const Column &column, int64_t sample) const {
  if (column.width >= 0)
    return sample * column.width;
  return sample == 0 ? 0 : column.ends[sample - 1];
}

std::string ps::runtime::emptySlotNote(absl::string_view slot,
                                       absl::string_view samples) {
  return absl::StrCat("slot '", slot, "' is empty in ", samples);
}

//===----------------------------------------------------------------------===//
// ColumnStore
//===----------------------------------------------------------------------===//

ColumnStore::ColumnStore(const std::vector<ColumnSpec> &specs,
                         const std::vector<Alias> &aliases, std::string spec) {
  dataset.spec = std::move(spec);
  dataset.aliases = aliases;
  for (const ColumnSpec &spec : specs) {
    widths.push_back(spec.width);
    dataset.columns.push_back({.name = spec.name,
                               .width = std::max<int64_t>(spec.width, 0),
                               .dtype = spec.dtype,
                               .bytes = {},
                               .hashed = spec.hashed});
  }
  clear();
}

/// Keeps the memory: a stream fills its window again and again.
void ColumnStore::clear() {
  dataset.size = 0;
  for (size_t i = 0; i != widths.size(); ++i)
    if (widths[i] < 0)
      dataset.columns[i].offsets.assign(1, 0);
}

absl::Status ColumnStore::append(Column &to, const Rows::Column &from,
                                 int64_t begin, int64_t end) {
  size_t element = byteWidth(to.dtype);
  size_t used = to.begin(dataset.size) * element;
  size_t added = (end - begin) * element;
  if (used + added > to.bytes.size())
    RETURN_IF_ERROR(to.bytes.resize(
        // Grown by half: doubling would waste up to as much as the data takes.
        std::max(used + added, to.bytes.size() + to.bytes.size() / 2)));
  const void *source =
      Rows::Column::withElements(from, [&](auto &elements) -> const void * {
        return elements.data() + begin;
      });
  if (added != 0)
    std::memcpy(to.bytes.data() + used, source, added);
  return absl::OkStatus();
}

/// A column is dense while all samples have as many elements as the first. The
/// first that differs makes it ragged: the offsets of all samples before it are
/// written out then.
void ColumnStore::appendCounts(size_t index, const Rows &rows, int64_t first,
                               int64_t count) {
  Column &column = dataset.columns[index];
  const Rows::Column &from = rows.columns[index];
  auto width = [&](int64_t sample) {
    return rows.begin(from, sample + 1) - rows.begin(from, sample);
  };
  if (dataset.size == 0) {
    column.width = width(first);
    column.offsets.clear();
  }
  int64_t total = column.begin(dataset.size);
  for (int64_t sample = first; sample != first + count; ++sample) {
    int64_t elements = width(sample);
    int64_t before = dataset.size + sample - first;
    if (!column.ragged() && elements != column.width)
      for (int64_t i = 0; i <= before; ++i)
        column.offsets.push_back(i * column.width);
    total += elements;
    if (column.ragged())
      column.offsets.push_back(total);
  }
}

absl::Status ColumnStore::append(const Rows &rows, int64_t first,
                                 int64_t count) {
  if (count == 0)
    return absl::OkStatus();
  for (size_t i = 0; i != widths.size(); ++i) {
    const Rows::Column &from = rows.columns[i];
    RETURN_IF_ERROR(append(dataset.columns[i], from, rows.begin(from, first),
                           rows.begin(from, first + count)));
    if (widths[i] < 0)
      appendCounts(i, rows, first, count);
  }
  dataset.size += count;
  return absl::OkStatus();
}
