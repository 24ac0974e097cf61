// SPDX-License-Identifier: Apache-2.0
//===- Metric.cpp - numbers that are measured over many batches -----------===//
//
// A metric is a vector of sums, so that those of several trainers can be added.
// Mean and accuracy are a sum and a count; AUC is two histograms of
// predictions, of the negative samples and then of the positive ones.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/Metric.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/executor/FunctionNode.h"
#include <algorithm>
#include <cmath>

using namespace ps::runtime;

static double elementAt(const TensorRef &tensor, int64_t index) {
  switch (tensor.type.dtype) {
  case DType::BF16:
    return static_cast<double>(tensor.as<BFloat16>()[index]);
  case DType::F16:
    return static_cast<double>(tensor.as<_Float16>()[index]);
  case DType::F64:
    return tensor.as<double>()[index];
  default:
    return tensor.as<float>()[index];
  }
}

Metric::Metric(Kind kind, std::string name, int64_t bins)
    : kind(kind), metricName(std::move(name)),
      sums(kind == Kind::Auc ? 2 * bins : 2) {}

void Metric::reset() { std::fill(sums.begin(), sums.end(), 0); }

void Metric::merge(const Metric &other) {
  for (size_t i = 0; i != sums.size(); ++i)
    sums[i] += other.sums[i];
}

static bool isPositive(double label) { return label >= 0.5; }

/// How many rows have their label where their prediction is; a single column
/// is a probability.
static double countRight(const TensorRef &prediction, const TensorRef &label) {
  const int64_t rows = prediction.type.rows();
  const int64_t columns =
      prediction.type.numElements() / std::max<int64_t>(rows, 1);
  double right = 0;
  for (int64_t row = 0; row != rows; ++row) {
    if (columns == 1) {
      right += isPositive(elementAt(prediction, row)) ==
               isPositive(elementAt(label, row));
      continue;
    }
    auto largest = [&](const TensorRef &tensor) {
      int64_t best = 0;
      for (int64_t column = 1; column != columns; ++column)
        if (elementAt(tensor, row * columns + column) >
            elementAt(tensor, row * columns + best))
          best = column;
      return best;
    };
    right += largest(prediction) == largest(label);
  }
  return right;
}

absl::Status Metric::add(const TensorRef &prediction, const TensorRef &label) {
  if (kind == Kind::Mean && prediction.type.shape.empty()) {
    const auto weight = static_cast<double>(samples);
    sums[0] += weight * elementAt(prediction, 0);
    sums[1] += weight;
    return absl::OkStatus();
  }
  if (repeats == 1)
    return addTo(sums, prediction, label);
  // Counts of the whole batch are multiples of `repeats`: nothing is rounded.
  std::vector<double> batch(sums.size());
  RETURN_IF_ERROR(addTo(batch, prediction, label));
  for (size_t i = 0; i != sums.size(); ++i)
    sums[i] += batch[i] / static_cast<double>(repeats);
  return absl::OkStatus();
}

/// The bin of a probability p. An eighth of the bins are for ln(p / (1 - p))
/// from -16 to 16, so that rare clicks, all near 0, are told apart; most are
/// for p itself, for what a model says that has hardly begun to train, all near
/// 0.5.
static int64_t binOf(double p, int64_t bins) {
  constexpr double most = 16, share = 1.0 / 8;
  const double logit = std::clamp(std::log(p) - std::log1p(-p), -most, most);
  const double place = (1 - share) * p + share * (logit / most + 1) / 2;
  return std::min(static_cast<int64_t>(place * static_cast<double>(bins)),
                  bins - 1);
}

/// Adds a batch to `sums`.
absl::Status Metric::addTo(std::vector<double> &sums,
                           const TensorRef &prediction,
                           const TensorRef &label) const {
  const int64_t elements = prediction.type.numElements();
  if (kind == Kind::Mean) {
    for (int64_t i = 0; i != elements; ++i)
      sums[0] += elementAt(prediction, i);
    sums[1] += elements;
    return absl::OkStatus();
  }
  if (kind == Kind::Accuracy) {
    sums[0] += countRight(prediction, label);
    sums[1] += prediction.type.rows();
    return absl::OkStatus();
  }
  for (int64_t i = 0; i != elements; ++i)
    if (double p = elementAt(prediction, i); p < 0 || p > 1)
      return absl::InvalidArgumentError(absl::StrCat(
          "metric '", metricName, "' expects predictions in [0, 1], found ", p,
          " at element ", i,
          ": give it probabilities, such as stablehlo.logistic makes"));
  const int64_t bins = sums.size() / 2;
  for (int64_t i = 0; i != elements; ++i) {
    const double p = elementAt(prediction, i);
    if (std::isnan(p)) {
      sums[0] = p; // and so is the area
      continue;
    }
    const int64_t bin = binOf(p, bins);
    ++sums[isPositive(elementAt(label, i)) ? bins + bin : bin];
  }
  return absl::OkStatus();
}

/// Among all pairs of a negative and a positive sample, how many have the
/// positive one in the higher bin; those of one bin count half.
std::optional<double> Metric::auc() const {
  const size_t bins = sums.size() / 2;
  double below = 0, positives = 0, pairs = 0;
  for (size_t bin = 0; bin != bins; ++bin) {
    pairs += sums[bins + bin] * (below + sums[bin] / 2);
    below += sums[bin];
    positives += sums[bins + bin];
  }
  if (below * positives == 0)
    return std::nullopt;
  return pairs / (below * positives);
}

std::optional<double> Metric::value() const {
  if (kind == Kind::Auc)
    return auc();
  if (sums[1] == 0)
    return std::nullopt;
  return sums[0] / sums[1];
}

std::unique_ptr<Node>
ps::runtime::makeMetricNode(std::shared_ptr<Metric> metric,
                            TensorRef prediction, TensorRef label) {
  std::string name = absl::StrCat("metric ", metric->name());
  return makeNode(Node::Kind::Metric, std::move(name),
                  [metric = std::move(metric),
                   prediction = std::move(prediction),
                   label = std::move(label)](StepContext &) {
                    return metric->add(prediction, label);
                  });
}
