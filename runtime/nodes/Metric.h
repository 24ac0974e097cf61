// SPDX-License-Identifier: Apache-2.0
//===- Metric.h - numbers that are measured over many batches -------------===//

#ifndef PS_RUNTIME_NODES_METRIC_H
#define PS_RUNTIME_NODES_METRIC_H

#include "runtime/executor/Program.h"
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// Adds up what a number is made of: see ps.metric for the kinds. Not
/// thread-safe.
class Metric {
public:
  enum class Kind { Auc, Accuracy, Mean };
  /// `bins` (2 or more) is that of an Auc.
  Metric(Kind kind, std::string name, int64_t bins);

  const std::string &name() const { return metricName; }
  /// Adds a batch. `label` has the type of `prediction`, which is of floats;
  /// of a Mean it is ignored. INVALID_ARGUMENT names a prediction of an Auc
  /// that is less than 0 or more than 1; the metric is then as it was. After a
  /// NaN, a Mean or an Auc is NaN.
  absl::Status add(const TensorRef &prediction, const TensorRef &label);
  /// The batches that follow have `count` samples, each `times` times, which
  /// count once. A Mean of one number per batch weighs it by them.
  void setSamples(int64_t count, int64_t times) {
    samples = count;
    repeats = times;
  }
  /// Adds what `other`, of the same kind and bins, has added up.
  void merge(const Metric &other);
  /// Forgets everything.
  void reset();
  /// What the value is made of: those of several metrics of the same kind and
  /// bins add up, element by element, to that of all their samples.
  std::span<double> parts() { return sums; }
  /// Nothing where there is no such number: of no samples, or of labels of one
  /// kind only.
  std::optional<double> value() const;

private:
  absl::Status addTo(std::vector<double> &sums, const TensorRef &prediction,
                     const TensorRef &label) const;
  std::optional<double> auc() const;

  Kind kind;
  std::string metricName;
  /// Auc: by bin the negative samples, then the positive ones. Others: sum and
  /// count.
  std::vector<double> sums;
  int64_t samples = 1, repeats = 1;
};

/// A node that adds a batch to `metric`.
std::unique_ptr<Node> makeMetricNode(std::shared_ptr<Metric> metric,
                                     TensorRef prediction, TensorRef label);

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_METRIC_H
