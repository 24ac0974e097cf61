// SPDX-License-Identifier: Apache-2.0
//===- Ranges.cpp - checks of the ranges that trainers send ---------------===//
//
// A trainer may be of another build or another program, and what it says
// decides where bytes are written: each range is checked against the block it
// names before its payload is touched.
//
//===----------------------------------------------------------------------===//

#include "runtime/protocol/Ranges.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"

using namespace ps::runtime;

wire::Range ps::runtime::makeRange(int64_t step, const std::string &block,
                                   DType dtype, uint64_t blockBytes,
                                   uint64_t offset, uint64_t size) {
  wire::Range range;
  range.set_step(step);
  range.set_block(block);
  range.set_dtype(static_cast<wire::ElementType>(dtype));
  range.set_block_bytes(blockBytes);
  range.set_offset(offset);
  range.set_size(size);
  return range;
}

wire::Rows ps::runtime::makeRows(int64_t step, const std::string &table,
                                 DType dtype, uint64_t width, uint64_t offset,
                                 uint64_t count, uint64_t total,
                                 uint64_t stateBytes) {
  wire::Rows rows;
  rows.set_step(step);
  rows.set_table(table);
  rows.set_dtype(static_cast<wire::ElementType>(dtype));
  rows.set_width(width);
  rows.set_offset(offset);
  rows.set_count(count);
  rows.set_total(total);
  rows.set_state_bytes(stateBytes);
  return rows;
}

static_assert(wire::I1 == int(DType::I1) && wire::I64 == int(DType::I64) &&
              wire::UI64 == int(DType::UI64) &&
              wire::BF16 == int(DType::BF16) && wire::F64 == int(DType::F64));

static absl::Status checkType(wire::ElementType type, const char *noun,
                              const std::string &name) {
  if (wire::ElementType_IsValid(type))
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("found a message about ", noun, " '", name,
                   "' with the unknown element type ", int(type)));
}

absl::Status ps::runtime::checkTypes(const Ranges &ranges) {
  for (const wire::Range &range : ranges)
    RETURN_IF_ERROR(::checkType(range.dtype(), "block", range.block()));
  return absl::OkStatus();
}

absl::Status ps::runtime::checkType(const wire::Rows &rows) {
  return ::checkType(rows.dtype(), "table", rows.table());
}

absl::Status ps::runtime::checkCount(const Ranges &ranges,
                                     absl::string_view what, int trainer) {
  if (!ranges.empty() && static_cast<size_t>(ranges.size()) <= maxRanges)
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "expected a ", what, " of 1 to ", maxRanges, " blocks from trainer ",
      trainer, ", found ", ranges.size()));
}

absl::Status ps::runtime::checkRange(const wire::Range &range,
                                     const TensorType &type,
                                     absl::string_view what, int trainer) {
  if (toDType(range.dtype()) != type.dtype)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a ", what, " of type ", std::string(dtypeName(type.dtype)),
        " for block '", range.block(), "' from trainer ", trainer, ", found ",
        std::string(dtypeName(toDType(range.dtype())))));
  const uint64_t bytes = type.bytes();
  if (range.block_bytes() != bytes)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected block '", range.block(), "' to have ", bytes,
        " bytes, found ", range.block_bytes(), " from trainer ", trainer));
  if (range.offset() % chunkBytes != 0 || range.offset() > bytes ||
      range.size() != std::min<uint64_t>(chunkBytes, bytes - range.offset()) ||
      (range.size() == 0 && bytes != 0))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected whole chunks of ", chunkBytes, " bytes of block '",
        range.block(), "' from trainer ", trainer, ", found ", range.size(),
        " bytes at ", range.offset(), " of ", bytes));
  return absl::OkStatus();
}

absl::Status ps::runtime::unknownBlock(const wire::Range &range,
                                       absl::string_view what, int trainer) {
  return absl::InvalidArgumentError(
      absl::StrCat("found a ", what, " of unknown block '", range.block(),
                   "' from trainer ", trainer));
}
