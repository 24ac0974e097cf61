// SPDX-License-Identifier: Apache-2.0
//===- ElementType.cpp - the numbers that arrays of NumPy hold ------------===//

#include "runtime/data/arrays/ElementType.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cstring>
#include <iterator>

using namespace ps::runtime;

template <typename From, typename To>
static void widen(const std::byte *from, int64_t count, std::byte *to) {
  for (int64_t i = 0; i != count; ++i) {
    From value;
    std::memcpy(&value, from + i * sizeof(From), sizeof(From));
    const To wide = static_cast<To>(value);
    std::memcpy(to + i * sizeof(To), &wide, sizeof(To));
  }
}

static constexpr ElementType elementTypes[] = {
    {"<f4", 4, DType::F32},
    {"<f8", 8, DType::F64},
    {"<f2", 2, DType::F32, widen<_Float16, float>},
    {"|u1", 1, DType::UI8},
    {"|b1", 1, DType::UI8},
    {"|i1", 1, DType::I64, widen<int8_t, int64_t>},
    {"<i2", 2, DType::I64, widen<int16_t, int64_t>},
    {"<u2", 2, DType::I64, widen<uint16_t, int64_t>},
    {"<i4", 4, DType::I32},
    {"<u4", 4, DType::I64, widen<uint32_t, int64_t>},
    {"<i8", 8, DType::I64},
};

const ElementType *ps::runtime::findElementType(absl::string_view descr) {
  const auto *found =
      std::ranges::find(elementTypes, descr, &ElementType::descr);
  return found == std::end(elementTypes) ? nullptr : found;
}

std::string ps::runtime::describeUnknownElements(absl::string_view descr) {
  return absl::StrCat(
      "expected elements of float16, 32 or 64, bool, int8 to 64 or uint8 to "
      "32, in little-endian order, found '",
      printable(descr), "'");
}
