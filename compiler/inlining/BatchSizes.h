// SPDX-License-Identifier: Apache-2.0
//===- BatchSizes.h - integers as functions of the batch size ---*- C++ -*-===//

#ifndef PS_COMPILER_INLINING_BATCHSIZES_H
#define PS_COMPILER_INLINING_BATCHSIZES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace ps {

/// An integer that is a polynomial in the batch size, perhaps plus an element
/// of a tensor that is computed at run time.
class BatchSize {
public:
  BatchSize() = default;
  /// A number.
  BatchSize(int64_t constant);
  /// The batch size itself.
  static BatchSize batch();
  /// Element `index` of `tensor`.
  static BatchSize element(mlir::Value tensor, int64_t index);

  bool isBatch() const;
  /// The number, if it is one.
  std::optional<int64_t> getConstant() const;
  /// The tensor and the index, if it is an element and nothing else.
  std::optional<std::pair<mlir::Value, int64_t>> getElement() const;
  /// Whether it is nowhere negative; nothing if that depends on the batch size
  /// or is not known. The batch size is at least 1.
  std::optional<bool> isNonNegative() const;
  /// As in "3 * batch + 1".
  std::string toString() const;

  // Nothing where the result has no such form, or is too large.
  friend std::optional<BatchSize> operator+(const BatchSize &a,
                                            const BatchSize &b);
  friend std::optional<BatchSize> operator-(const BatchSize &a,
                                            const BatchSize &b);
  friend std::optional<BatchSize> operator*(const BatchSize &a,
                                            const BatchSize &b);
  friend std::optional<BatchSize> operator/(const BatchSize &a,
                                            const BatchSize &b);
  friend bool operator==(const BatchSize &a, const BatchSize &b);

private:
  friend std::optional<BatchSize> addScaled(const BatchSize &a,
                                            const BatchSize &b, int64_t factor);
  bool isPolynomial() const { return !tensor; }
  void trim();

  /// Indexed by the power of the batch size; the last one is not 0.
  llvm::SmallVector<int64_t, 2> coefficients;
  mlir::Value tensor;
  int64_t index = 0;
};

/// What integer tensors hold, as far as it follows from constants and sizes.
class BatchSizes {
public:
  using Elements = llvm::SmallVector<BatchSize, 4>;
  /// The elements of `tensor`, an integer or i1 tensor of static shape and few
  /// elements; i1 holds 0 or 1.
  const Elements &get(mlir::Value tensor);

private:
  std::optional<Elements> evaluate(mlir::Operation *op);
  std::optional<Elements> evaluateElementwise(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, Elements> known;
};

} // namespace ps

#endif // PS_COMPILER_INLINING_BATCHSIZES_H
