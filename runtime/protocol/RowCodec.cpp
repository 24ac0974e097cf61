// SPDX-License-Identifier: Apache-2.0
//===- RowCodec.cpp - rows of tables in fewer bits ------------------------===//

#include "runtime/protocol/RowCodec.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace ps::runtime;

namespace {
using Float16 = _Float16;

constexpr float largest = 127;
/// Added to a float of less than 2^22, it leaves no bits for a fraction: the
/// sum is rounded to the nearest integer, ties to even, whose bits are the
/// lowest ones. Unlike a call of nearbyint, a loop of it is vectorized
/// everywhere.
constexpr float roundingShift = 0x1.8p23f;
} // namespace

bool ps::runtime::canTravelAs(DType dtype, DType wire) {
  return wire == dtype ||
         (dtype == DType::F32 &&
          (wire == DType::BF16 || wire == DType::F16 || wire == DType::I8));
}

size_t RowCodec::wireBytes() const {
  const size_t scale = wire == DType::I8 ? sizeof(float) : 0;
  return scale + width * byteWidth(wire) + counts * byteWidth(dtype);
}

//===----------------------------------------------------------------------===//
// Half types
//===----------------------------------------------------------------------===//

template <typename T>
static void narrow(const float *row, size_t width, std::byte *to) {
  for (size_t i = 0; i < width; ++i) {
    const T value(row[i]);
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

template <typename T>
static void widen(const std::byte *from, size_t width, float *row) {
  for (size_t i = 0; i < width; ++i) {
    T value; // What arrives is not aligned.
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    row[i] = static_cast<float>(value);
  }
}

//===----------------------------------------------------------------------===//
// I8
//===----------------------------------------------------------------------===//

/// NaN for a row with an element that is not finite. As integers, the bits of
/// magnitudes are ordered like these, NaN last.
static float scaleOf(const float *row, size_t width) {
  uint32_t most = 0;
  for (size_t i = 0; i < width; ++i)
    most = std::max(most, std::bit_cast<uint32_t>(row[i]) & 0x7fffffff);
  const float magnitude = std::bit_cast<float>(most);
  return std::isfinite(magnitude) ? magnitude / largest
                                  : std::numeric_limits<float>::quiet_NaN();
}

static void quantize(const float *row, size_t width, std::byte *to) {
  const float scale = scaleOf(row, width);
  std::memcpy(to, &scale, sizeof(scale));
  to += sizeof(scale);
  // Zeros, those that are too small for a scale, and what is NaN anyway.
  if (!(scale > 0)) {
    std::memset(to, 0, width);
    return;
  }
  for (size_t i = 0; i < width; ++i) {
    const float scaled = std::clamp(row[i] / scale, -largest, largest);
    const auto bits = std::bit_cast<int32_t>(scaled + roundingShift);
    to[i] = static_cast<std::byte>(bits);
  }
}

static absl::Status dequantize(const std::byte *from, size_t width,
                               float *row) {
  float scale;
  std::memcpy(&scale, from, sizeof(scale));
  const auto *elements = reinterpret_cast<const int8_t *>(from + sizeof(scale));
  int least = 0, most = 0;
  for (size_t i = 0; i < width; ++i) {
    least = std::min<int>(least, elements[i]);
    most = std::max<int>(most, elements[i]);
    row[i] = static_cast<float>(elements[i]) * scale;
  }
  if (std::signbit(scale) && !std::isnan(scale))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a row of i8 with a scale of at least 0, found ", scale));
  if (std::isinf(scale))
    return absl::InvalidArgumentError(
        "expected a row of i8 with a finite scale, found an infinite one");
  if (scale == 0 && (least != 0 || most != 0))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected zeros in a row of i8 with the scale 0, found elements from ",
        least, " to ", most));
  if (least < -127)
    return absl::InvalidArgumentError(
        absl::StrCat("expected a row of i8 with elements from -127 to 127, "
                     "found ",
                     least));
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The elements without the counts; only rows of F32 are changed.
static void encodeElements(const RowCodec &codec, const std::byte *row,
                           std::byte *to) {
  const auto *elements = reinterpret_cast<const float *>(row);
  switch (codec.wire) {
  case DType::BF16:
    return narrow<BFloat16>(elements, codec.width, to);
  case DType::F16:
    return narrow<Float16>(elements, codec.width, to);
  case DType::I8:
    return quantize(elements, codec.width, to);
  default:
    std::memcpy(to, row, codec.width * byteWidth(codec.dtype));
  }
}

static absl::Status decodeElements(const RowCodec &codec, const std::byte *from,
                                   std::byte *row) {
  auto *elements = reinterpret_cast<float *>(row);
  switch (codec.wire) {
  case DType::BF16:
    widen<BFloat16>(from, codec.width, elements);
    return absl::OkStatus();
  case DType::F16:
    widen<Float16>(from, codec.width, elements);
    return absl::OkStatus();
  case DType::I8:
    return dequantize(from, codec.width, elements);
  default:
    std::memcpy(row, from, codec.width * byteWidth(codec.dtype));
    return absl::OkStatus();
  }
}

void RowCodec::encode(const std::byte *rows, size_t count,
                      std::byte *to) const {
  const size_t countBytes = counts * byteWidth(dtype);
  const size_t elementBytes = wireBytes() - countBytes;
  for (size_t i = 0; i < count; ++i) {
    encodeElements(*this, rows, to);
    std::memcpy(to + elementBytes, rows + width * byteWidth(dtype), countBytes);
    rows += rowBytes();
    to += wireBytes();
  }
}

absl::Status RowCodec::decode(const std::byte *from, std::byte *row) const {
  RETURN_IF_ERROR(decodeElements(*this, from, row));
  const size_t countBytes = counts * byteWidth(dtype);
  std::memcpy(row + width * byteWidth(dtype), from + wireBytes() - countBytes,
              countBytes);
  return absl::OkStatus();
}

absl::Status RowCodec::decode(PayloadCursor &from, size_t count,
                              std::byte *rows) const {
  if (isPlain()) {
    from.read(rows, count * rowBytes());
    return absl::OkStatus();
  }
  std::vector<std::byte> one(wireBytes()); // It may lie across pieces.
  for (size_t i = 0; i < count; ++i) {
    from.read(one.data(), one.size());
    RETURN_IF_ERROR(decode(one.data(), rows));
    rows += rowBytes();
  }
  return absl::OkStatus();
}
