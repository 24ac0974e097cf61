//===- Ranges.cpp - checks of the ranges that trainers send ---------------===//

#include "runtime/transport/Ranges.h"
#include "absl/strings/str_cat.h"

using namespace ps::runtime;

absl::Status ps::runtime::checkCount(Ranges ranges, absl::string_view what,
                                     int trainer) {
  if (!ranges.empty() && ranges.size() <= maxRanges)
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "expected a ", what, " of 1 to ", maxRanges, " blocks from trainer ",
      trainer, ", found ", ranges.size()));
}

absl::Status ps::runtime::checkRange(const Range &range, const TensorType &type,
                                     absl::string_view what, int trainer) {
  if (range.dtype != type.dtype)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a ", what, " of type ", std::string(dtypeName(type.dtype)),
        " for block '", range.block, "' from trainer ", trainer, ", found ",
        std::string(dtypeName(range.dtype))));
  const uint64_t bytes = type.bytes();
  if (range.blockBytes != bytes)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected block '", range.block, "' to have ", bytes, " bytes, found ",
        range.blockBytes, " from trainer ", trainer));
  if (range.offset % chunkBytes != 0 || range.offset > bytes ||
      range.size != std::min<uint64_t>(chunkBytes, bytes - range.offset) ||
      (range.size == 0 && bytes != 0))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected whole chunks of ", chunkBytes, " bytes of block '",
        range.block, "' from trainer ", trainer, ", found ", range.size,
        " bytes at ", range.offset, " of ", bytes));
  return absl::OkStatus();
}

absl::Status ps::runtime::unknownBlock(const Range &range,
                                       absl::string_view what, int trainer) {
  return absl::InvalidArgumentError(
      absl::StrCat("found a ", what, " of unknown block '", range.block,
                   "' from trainer ", trainer));
}
