// SPDX-License-Identifier: Apache-2.0
//===- Tensor.cpp - dense tensors in memory -------------------------------===//

#include "runtime/base/Tensor.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace ps::runtime;

namespace {
constexpr size_t kCacheLine = 64;
constexpr size_t kHugePage = size_t{2} << 20;

struct DTypeInfo {
  std::string_view name;
  size_t bytes;
};

// In the order of DType.
constexpr DTypeInfo kDTypes[] = {
    {"i1", 1},  {"i8", 1},   {"i16", 2},  {"i32", 4},  {"i64", 8},
    {"ui8", 1}, {"ui16", 2}, {"ui32", 4}, {"ui64", 8}, {"bf16", 2},
    {"f16", 2}, {"f32", 4},  {"f64", 8}};
} // namespace

size_t ps::runtime::byteWidth(DType type) {
  return kDTypes[static_cast<size_t>(type)].bytes;
}

std::string_view ps::runtime::dtypeName(DType type) {
  return kDTypes[static_cast<size_t>(type)].name;
}

int64_t TensorType::numElements() const {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return count;
}

size_t TensorType::rowBytes() const {
  size_t total = bytes();
  return total == 0 ? 0 : total / static_cast<size_t>(rows());
}

size_t TensorType::bytes() const {
  return static_cast<size_t>(numElements()) * byteWidth(dtype);
}

std::string TensorType::str() const {
  std::string text;
  for (int64_t dim : shape)
    absl::StrAppend(&text, dim, "x");
  return text.append(dtypeName(dtype));
}

absl::StatusOr<size_t>
ps::runtime::checkedBytes(DType dtype, const std::vector<int64_t> &shape) {
  TensorType type{dtype, shape};
  int64_t total = static_cast<int64_t>(byteWidth(dtype));
  bool empty = false;
  for (int64_t dim : shape) {
    if (dim < 0)
      return absl::InvalidArgumentError(
          absl::StrCat("negative dimension in tensor ", type.str()));
    empty |= dim == 0;
    // An empty tensor must not hide dimensions whose product overflows.
    if (dim != 0 && __builtin_mul_overflow(total, dim, &total))
      return absl::InvalidArgumentError(
          absl::StrCat("tensor ", type.str(), " is too large"));
  }
  return empty ? 0 : static_cast<size_t>(total);
}

absl::StatusOr<Buffer> Buffer::allocate(size_t bytes) {
  size_t alignment = bytes >= kHugePage ? kHugePage : kCacheLine;
  size_t padded = bytes == 0 ? alignment : bytes + (alignment - 1);
  if (padded < bytes)
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot allocate ", bytes, " bytes"));
  padded -= padded % alignment;

  void *memory = std::aligned_alloc(alignment, padded);
  if (!memory)
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot allocate ", bytes, " bytes"));
  if (alignment == kHugePage)
    madvise(memory, padded, MADV_HUGEPAGE); // Advice: failure costs speed only.
  std::memset(memory, 0, padded);

  return Buffer(static_cast<std::byte *>(memory), bytes, MemorySpace::Host,
                [](std::byte *p) { std::free(p); });
}

absl::Status Buffer::resize(size_t bytes) {
  if (memorySpace != MemorySpace::Host)
    return absl::FailedPreconditionError("only memory of the host is resized");
  ASSIGN_OR_RETURN(Buffer other, allocate(bytes));
  if (size_t kept = std::min(bytes, numBytes))
    std::memcpy(other.data(), data(), kept);
  *this = std::move(other);
  return absl::OkStatus();
}
