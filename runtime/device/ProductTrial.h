// SPDX-License-Identifier: Apache-2.0
//===- ProductTrial.h - does a library compute what we mean? --------------===//
//
// Manuals do not say what a library's ReLU makes of NaN, which formula its GELU
// is, or whether sums of an operand see it rounded. So a device that gets an
// epilogue from a library multiplies operands of which the result is known, by
// the very algorithm that it has chosen, and compares.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_PRODUCTTRIAL_H
#define PS_RUNTIME_DEVICE_PRODUCTTRIAL_H

#include "runtime/device/Device.h"

namespace ps::runtime {

class ProductTrial {
public:
  /// For products like `product`; no size is larger than 1024.
  explicit ProductTrial(const DeviceProduct &product);

  /// What is multiplied, without pointers.
  const DeviceProduct &shape() const { return trial; }
  /// A product of few rows needs several to show all values.
  int rounds() const;

  struct Operands {
    std::vector<float> a, b, bias;
  };
  Operands makeOperands(int round) const;
  /// The elements of A or B as they are in memory; in bf16 their upper halves.
  static std::vector<std::byte> pack(std::span<const float> operand,
                                     Precision precision);

  /// UNIMPLEMENTED says which element of C or of the sums is another one.
  absl::Status check(int round, std::span<const float> c,
                     std::span<const float> sums) const;

private:
  Operands makeSparse(int round) const;
  Operands makeDense() const;
  absl::Status checkEpilogue(const Operands &operands,
                             std::span<const float> c) const;
  absl::Status checkSums(const Operands &operands,
                         std::span<const float> sums) const;
  float valueA(const Operands &operands, int64_t i, int64_t l) const;
  float valueB(const Operands &operands, int64_t l, int64_t j) const;

  DeviceProduct trial;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_PRODUCTTRIAL_H
