// SPDX-License-Identifier: Apache-2.0
//===- RowFormat.cpp - where things are within a row of a table -----------===//
//
// layoutOf() and create() walk over the same parts in the same order: the
// former computes sizes for those that only need these, the latter names the
// parts and fills the row that new ones are copies of.
//
//===----------------------------------------------------------------------===//

#include "runtime/table/RowFormat.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cstring>

using namespace ps::runtime;

static size_t alignTo(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// What rows of `bytes` bytes are aligned to, if their parts need `least`. Long
/// ones begin with a line: no vector of their parameters lies in two. Shorter
/// ones would become much longer.
static size_t rowAlignment(size_t bytes, size_t least) {
  constexpr size_t kLine = 64, kLong = 12 * kLine;
  return bytes < kLong ? least : kLine;
}

/// Computes the places of parameters and slots, and leaves room for statistics.
absl::StatusOr<RowLayout> ps::runtime::layoutOf(const TableSpec &spec) {
  ASSIGN_OR_RETURN(size_t end, checkedBytes(spec.dtype, {spec.width}));
  RowLayout layout;
  size_t alignment = byteWidth(spec.dtype);
  for (const RowSlot &slot : spec.slots) {
    ASSIGN_OR_RETURN(size_t slotBytes,
                     annotate(checkedBytes(slot.type.dtype, slot.type.shape),
                              "slot '", slot.name, "'"));
    const size_t width = byteWidth(slot.type.dtype);
    alignment = std::max(alignment, width);
    layout.slots.push_back(alignTo(end, width));
    if (__builtin_add_overflow(layout.slots.back(), slotBytes, &end))
      return absl::InvalidArgumentError("the row is too large");
  }
  layout.stateBytes = end;
  // Statistics consist of 4-byte numbers.
  if (spec.eviction.needsLastUse() || spec.clicks || spec.tracksLastWriter) {
    alignment = std::max(alignment, alignof(RowClicks));
    end = alignTo(end, alignof(RowClicks));
    if (spec.eviction.needsLastUse())
      end += sizeof(uint32_t);
    if (spec.clicks)
      end += sizeof(RowClicks);
    if (spec.clicks && spec.clicks->embedxFrom)
      end += sizeof(uint32_t);
    if (spec.tracksLastWriter)
      end += sizeof(Writer);
  }
  // The state, which is sent, has no gaps for it.
  layout.bytes = alignTo(end, rowAlignment(end, alignment));
  return layout;
}

/// Writes the initial values of `slot` to `data`.
static void fillSlot(const RowSlot &slot, std::byte *data) {
  TensorRef tensor{slot.type, data};
  initialize(tensor, {InitialValue::Kind::Constant, slot.initial, 0}, 0, "", 0);
}

absl::StatusOr<RowFormat> RowFormat::create(const TableSpec &spec) {
  RowFormat format;
  ASSIGN_OR_RETURN(format.rowLayout, layoutOf(spec));
  format.numValueBytes = byteWidth(spec.dtype) * size_t(spec.width);
  format.initialRow.resize(format.rowLayout.bytes);
  format.rowColumns.push_back({"values", {spec.dtype, {spec.width}}, 0});
  size_t end = format.numValueBytes;
  for (size_t i = 0; i < spec.slots.size(); ++i) {
    const RowSlot &slot = spec.slots[i];
    const size_t offset = format.rowLayout.slots[i];
    format.rowColumns.push_back({slot.name, slot.type, offset});
    fillSlot(slot, format.initialRow.data() + offset);
    end = offset + slot.type.bytes();
  }
  format.addStatistics(spec, alignTo(end, alignof(RowClicks)));
  for (size_t i = 0; i < format.rowColumns.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (format.rowColumns[i].name == format.rowColumns[j].name)
        return absl::InvalidArgumentError(
            absl::StrCat("rows have two parts that are called '",
                         format.rowColumns[i].name, "'"));
  return format;
}

/// Statistics follow the slots, in the order in which layoutOf() made room for
/// them.
void RowFormat::addStatistics(const TableSpec &spec, size_t end) {
  if (spec.eviction.needsLastUse()) {
    lastUseOffset = end;
    rowColumns.push_back({"last_use", {DType::UI32, {}}, end, true});
    end += sizeof(uint32_t);
  }
  if (spec.clicks) {
    clicksOffset = end;
    for (const char *name : {"show", "click", "delta_score", "unseen_days"}) {
      rowColumns.push_back({name, {DType::F32, {}}, end, true});
      end += sizeof(float);
    }
    rowColumns[rowColumns.size() - 2].countsFromSaving = true;
    if (spec.clicks->embedxFrom) {
      hasEmbedxOffset = end;
      rowColumns.push_back({"has_embedx", {DType::UI32, {}}, end, true});
      end += sizeof(uint32_t);
      addEmbedx(spec);
    }
  }
  if (spec.tracksLastWriter) {
    // Not a column: a job that loads the table has other trainers.
    lastWriterOffset = end;
    setLastWriter(initialRow.data(), noWriter);
  }
}

/// Finds the columns that may be absent. A slot that is no vector of the row's
/// width belongs to the row as a whole.
void RowFormat::addEmbedx(const TableSpec &spec) {
  const int64_t first = *spec.clicks->embedxFrom;
  const int64_t columns = spec.width - first;
  auto add = [&](size_t offset, DType dtype) {
    const size_t width = byteWidth(dtype);
    embedxRanges.emplace_back(offset + width * size_t(first),
                              width * size_t(columns));
  };
  add(0, spec.dtype);
  for (size_t i = 0; i < spec.slots.size(); ++i)
    if (const TensorType &type = spec.slots[i].type;
        type.shape == std::vector<int64_t>{spec.width})
      add(rowLayout.slots[i], type.dtype);
}

/// Everything except the values, which depend on the id.
void RowFormat::initialize(std::byte *row) const {
  std::memcpy(row + numValueBytes, newRow(numValueBytes),
              rowLayout.bytes - numValueBytes);
}
