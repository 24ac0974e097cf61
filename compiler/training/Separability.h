// SPDX-License-Identifier: Apache-2.0
//===- Separability.h - how values depend on the samples of a batch -------===//
//
// A step of T trainers with b samples each is the step of one process with
// T*b samples where each gradient is a mean over samples of what one sample
// contributes. A batch can be evaluated in parts under the same condition. The
// analysis proves it value by value, from the feeds on. What it cannot prove
// is Mixed, and carries the op at which the proof failed.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_TRAINING_SEPARABILITY_H
#define PS_COMPILER_TRAINING_SEPARABILITY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include <optional>
#include <string>

namespace ps {

/// How a tensor depends on the B samples of a batch.
///
/// `power` counts factors of B: a value v is B^power times a value that does
/// not depend on B. A mean over samples is a Sum of power -1. `leastPower` is
/// lower where constants of a graph with a fixed batch may be 1/B or not.
struct SampleUse {
  enum class Kind {
    /// The same whatever the samples are.
    Constant,
    /// Each element depends on one sample; see `dim`.
    PerSample,
    /// B^power times a sum over samples of what each contributes.
    Sum,
    /// Anything else; see `reason`.
    Mixed
  };
  Kind kind = Kind::Constant;
  int64_t power = 0, leastPower = 0;

  /// PerSample: sample i is at the indices (o*B + i)*inner + k of dimension
  /// `dim`, for all o and all k < inner.
  int64_t dim = 0, inner = 1;
  /// PerSample: elements with index `place->second` in dimension
  /// `place->first` are the number of their sample.
  std::optional<std::pair<int64_t, int64_t>> place;

  /// Constant: the dimensions along which elements may differ.
  llvm::SmallBitVector varying;
  /// Constant: the value of every element, where it is known.
  std::optional<double> value;
  /// Constant: the dimension whose index each element is.
  std::optional<int64_t> index;

  /// The sizes of dimensions that were summed over besides the batch.
  llvm::SmallVector<int64_t> folded;
  /// Sum: the op that adds up samples. Mixed: where the proof failed, and why,
  /// as in "`at` <reason>"; null `at` with an argument of the function.
  mlir::Operation *at = nullptr;
  std::string reason;

  bool isConstant() const { return kind == Kind::Constant; }
  bool isPerSample() const { return kind == Kind::PerSample; }
  bool isSum() const { return kind == Kind::Sum; }
  bool isMixed() const { return kind == Kind::Mixed; }
  bool isZero() const { return isConstant() && value == 0.0; }
  /// Whether it is one of Sum and Constant, for one sample in each place.
  bool isAdditive() const { return isSum() || isConstant(); }
};

/// Where and why a value does not have the property that a caller needs.
struct Objection {
  mlir::Location where;
  /// Completes "the op ..": "'stablehlo.sqrt' is not linear in ..".
  std::string reason;
};

/// The use of samples of every tensor in a function of one block, without
/// calls. Valid while the function is not changed.
class Separability {
public:
  explicit Separability(mlir::func::FuncOp function);

  const SampleUse &get(mlir::Value value) const;

  /// The batch that the feeds fix; unset where it is `?`.
  std::optional<int64_t> fixedBatch() const { return fixed; }

  /// Why `gradient` or the loss `value` is no mean over samples; nothing where
  /// it is one. `isLoss` takes a constant of a graph with a fixed batch for
  /// 1/B only where it divides a sum over samples.
  std::optional<Objection> objectToMean(mlir::Value value, bool isLoss) const;
  /// Why `value` is not the same whatever the samples are.
  std::optional<Objection> objectToConstant(mlir::Value value) const;
  /// Why the mean of `value` over samples cannot be found part by part of a
  /// batch, each part repeated until it fills the batch; nothing where it can.
  std::optional<Objection> objectToParts(mlir::Value value) const;
  /// Why row i of `value`, of all equal parts of dimension 0, depends on more
  /// than sample i.
  std::optional<Objection> objectToRows(mlir::Value value) const;

private:
  friend class SampleRules;
  Objection makeObjection(mlir::Value value, const SampleUse &use) const;

  llvm::DenseMap<mlir::Value, SampleUse> uses;
  std::optional<int64_t> fixed;
};

} // namespace ps

#endif // PS_COMPILER_TRAINING_SEPARABILITY_H
