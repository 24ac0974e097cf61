// SPDX-License-Identifier: Apache-2.0
//===- Precision.h - what matrix products multiply ------------------------===//

#ifndef PS_RUNTIME_BASE_PRECISION_H
#define PS_RUNTIME_BASE_PRECISION_H

#include <cstdint>
#include <string_view>

namespace ps::runtime {

/// What products of f32 round their inputs to. Sums are in f32.
enum class Precision {
  F32,
  /// 10 bits of mantissa, where the device has units for it; f32 elsewhere.
  TF32,
  /// The operands of a device's product are bf16 in memory.
  BF16
};

/// Bytes that an element of an operand has in the memory of a device.
constexpr int64_t operandBytes(Precision precision) {
  return precision == Precision::BF16 ? 2 : 4;
}

/// "f32", "tf32", "bf16".
constexpr std::string_view precisionName(Precision precision) {
  return precision == Precision::TF32   ? "tf32"
         : precision == Precision::BF16 ? "bf16"
                                        : "f32";
}

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_PRECISION_H
