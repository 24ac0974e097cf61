// SPDX-License-Identifier: Apache-2.0
//===- Check.cpp - nodes that compare tensors -----------------------------===//
//
// Floats are compared by their bits: without the sign, the patterns of any IEEE
// format ascend with the magnitude, so the difference of two patterns is how
// many representable values they are apart.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/Check.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "runtime/executor/FunctionNode.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace ps::runtime;

namespace {

/// How a floating-point format lays out its bits.
struct FloatFormat {
  int bytes, mantissaBits, exponentBits;

  uint64_t signBit() const { return uint64_t(1) << (8 * bytes - 1); }
  uint64_t infinity() const {
    return ((uint64_t(1) << exponentBits) - 1) << mantissaBits;
  }
};

FloatFormat formatOf(DType type) {
  switch (type) {
  case DType::BF16:
    return {2, 7, 8};
  case DType::F16:
    return {2, 10, 5};
  case DType::F64:
    return {8, 52, 11};
  default:
    return {4, 23, 8};
  }
}

uint64_t loadBits(const TensorRef &tensor, int64_t index) {
  size_t width = byteWidth(tensor.type.dtype);
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data + index * width, width);
  return bits;
}

double toDouble(DType dtype, uint64_t bits) {
  switch (dtype) {
  case DType::BF16:
    return double(std::bit_cast<BFloat16>(uint16_t(bits)));
  case DType::F16:
    return double(std::bit_cast<_Float16>(uint16_t(bits)));
  case DType::F64:
    return std::bit_cast<double>(bits);
  default:
    return std::bit_cast<float>(uint32_t(bits));
  }
}

/// How many representable values apart two floats are; the largest number when
/// one is infinite or NaN and the other differs.
uint64_t ulpDistance(FloatFormat format, uint64_t a, uint64_t b) {
  uint64_t magnitudeA = a & ~format.signBit();
  uint64_t magnitudeB = b & ~format.signBit();
  uint64_t infinity = format.infinity();
  if (a == b || (magnitudeA > infinity && magnitudeB > infinity))
    return 0;
  if (magnitudeA >= infinity || magnitudeB >= infinity)
    return std::numeric_limits<uint64_t>::max();
  if ((a ^ b) & format.signBit())
    return magnitudeA + magnitudeB;
  return magnitudeA > magnitudeB ? magnitudeA - magnitudeB
                                 : magnitudeB - magnitudeA;
}

bool almostEqual(DType dtype, uint64_t a, uint64_t b, double tolerance) {
  // Neighbors in a half type can be farther apart than the tolerance.
  if (ulpDistance(formatOf(dtype), a, b) <= 1)
    return true;
  double x = toDouble(dtype, a), y = toDouble(dtype, b);
  double scale = std::max({1.0, std::fabs(x), std::fabs(y)});
  return std::isfinite(scale) && std::fabs(x - y) <= tolerance * scale;
}

bool agree(const Check &check, uint64_t actual, uint64_t expected) {
  DType dtype = check.actual.type.dtype;
  if (!isFloat(dtype))
    return actual == expected;
  FloatFormat format = formatOf(dtype);
  switch (check.comparison) {
  case Check::Comparison::AlmostEq:
    return almostEqual(dtype, actual, expected, check.tolerance);
  case Check::Comparison::Close: {
    uint64_t distance = ulpDistance(format, actual, expected);
    return distance >= check.minUlps && distance <= check.maxUlps;
  }
  case Check::Comparison::Eq:
    break;
  }
  bool bothNaN = (actual & ~format.signBit()) > format.infinity() &&
                 (expected & ~format.signBit()) > format.infinity();
  return actual == expected || bothNaN;
}

std::string formatValue(DType dtype, uint64_t bits) {
  if (isFloat(dtype))
    return absl::StrFormat("%.17g", toDouble(dtype, bits));
  switch (dtype) {
  case DType::I1:
    return bits ? "true" : "false";
  case DType::I8:
    return absl::StrCat(int8_t(bits));
  case DType::I16:
    return absl::StrCat(int16_t(bits));
  case DType::I32:
    return absl::StrCat(int32_t(bits));
  case DType::I64:
    return absl::StrCat(int64_t(bits));
  default:
    return absl::StrCat(bits);
  }
}

/// "[1, 4]".
std::string formatIndex(const std::vector<int64_t> &shape, int64_t element) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = element % shape[d];
    element /= shape[d];
  }
  return absl::StrCat("[", absl::StrJoin(index, ", "), "]");
}

} // namespace

absl::Status ps::runtime::runCheck(const Check &check) {
  const TensorType &type = check.actual.type;
  int64_t count = type.numElements(), differing = 0, first = -1;
  for (int64_t i = 0; i < count; ++i) {
    if (agree(check, loadBits(check.actual, i), loadBits(check.expected, i)))
      continue;
    if (differing++ == 0)
      first = i;
  }
  if (differing == 0)
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      check.location, ": element ", formatIndex(type.shape, first), " of ",
      type.str(), " is ",
      formatValue(type.dtype, loadBits(check.actual, first)), ", expected ",
      formatValue(type.dtype, loadBits(check.expected, first)), " (", differing,
      " of ", count, " elements differ)"));
}

std::unique_ptr<Node> ps::runtime::makeCheckNode(std::string name,
                                                 Check check) {
  return makeNode(
      Node::Kind::Check, std::move(name),
      [check = std::move(check)](StepContext &) { return runCheck(check); });
}
