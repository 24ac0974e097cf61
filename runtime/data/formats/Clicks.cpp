// SPDX-License-Identifier: Apache-2.0
//===- Clicks.cpp - draws clicks of a model that is known -----------------===//
//
// A sample has one id per field, dense features, and a label that a logistic
// model, the teacher, draws.
//
// 1. The rank of a field's id follows Zipf's law; id f*ids + rank is of field
//    f alone. Dense features are uniform over [-1, 1).
// 2. The teacher's weight of an id is normal, divided by 1 + rank/20, so that
//    ids too rare to be learned matter little; that of a dense feature is
//    normal. Its logit is -1 + 3.5 * (sum of the ids' weights) / sqrt(fields)
//    + (sum of weight * feature) / sqrt(features).
// 3. No model ranks the drawn labels better than the teacher's own logits but
//    by chance: their AUC is the best possible.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/Query.h"
#include "runtime/data/Random.h"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <system_error>
#include <thread>

using namespace ps::runtime;

namespace {

/// Ranks 0 .. n-1 with probabilities proportional to (rank + 1)^-exponent, by
/// rejection from the inverted integral (Hoermann and Derflinger, 1996).
class Zipf {
public:
  Zipf(int64_t n, double exponent)
      : n(n), exponent(exponent), first(integral(1.5) - 1),
        last(integral(n + 0.5)),
        accepted(2 - inverse(integral(2.5) - density(2))) {}

  int64_t draw(Random &random) const {
    for (;;) {
      double u = last + random.uniform(0, 1) * (first - last);
      double x = inverse(u);
      double k = std::clamp<double>(std::round(x), 1, n);
      if (k - x <= accepted || u >= integral(k + 0.5) - density(k))
        return static_cast<int64_t>(k) - 1;
    }
  }

private:
  double density(double x) const { return std::pow(x, -exponent); }
  double integral(double x) const {
    double e = 1 - exponent;
    return e == 0 ? std::log(x) : (std::pow(x, e) - 1) / e;
  }
  double inverse(double y) const {
    double e = 1 - exponent;
    return e == 0 ? std::exp(y) : std::pow(1 + e * y, 1 / e);
  }

  int64_t n;
  double exponent, first, last, accepted;
};

/// The model that draws labels.
class Teacher {
public:
  explicit Teacher(const ClicksOptions &options) : options(options) {
    for (int64_t i = 0; i != options.dense; ++i)
      denseWeights.push_back(normal(-1 - i));
  }

  double logit(const int64_t *ids, const float *dense) const {
    double sparse = 0, linear = 0;
    for (int64_t f = 0; f != options.fields; ++f) {
      int64_t rank = ids[f] - f * options.ids;
      sparse += normal(ids[f]) / (1 + rank / 20.0);
    }
    for (int64_t i = 0; i != options.dense; ++i)
      linear += denseWeights[i] * dense[i];
    double logit = -1 + 3.5 * sparse / std::sqrt(options.fields);
    return options.dense == 0 ? logit
                              : logit + linear / std::sqrt(options.dense);
  }

private:
  /// The normal number that belongs to `key`.
  double normal(int64_t key) const {
    Random random(options.teacher, static_cast<uint64_t>(key));
    double radius = std::sqrt(-2 * std::log(1 - random.uniform(0, 1)));
    return radius * std::cos(2 * std::numbers::pi * random.uniform(0, 1));
  }

  const ClicksOptions &options;
  std::vector<double> denseWeights;
};

} // namespace

/// The probability that a positive sample has a higher score than a negative
/// one, ties counting half; NaN when all labels are equal.
static double areaUnderCurve(const std::vector<double> &scores,
                             const float *labels) {
  std::vector<int64_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int64_t a, int64_t b) { return scores[a] < scores[b]; });
  double negatives = 0, positives = 0, wins = 0;
  for (size_t i = 0; i != order.size();) {
    double tiedPositives = 0, tiedNegatives = 0, score = scores[order[i]];
    for (; i != order.size() && scores[order[i]] == score; ++i)
      (labels[order[i]] == 1 ? tiedPositives : tiedNegatives) += 1;
    wins += tiedPositives * (negatives + tiedNegatives / 2);
    positives += tiedPositives;
    negatives += tiedNegatives;
  }
  return wins / (positives * negatives);
}

absl::StatusOr<Dataset> ps::runtime::drawClicks(const ClicksOptions &options,
                                                int threads) {
  Dataset data;
  data.size = options.end - options.begin;
  data.columns.push_back({.name = "label", .dtype = DType::F32, .bytes = {}});
  data.columns.push_back({.name = "sparse",
                          .width = options.fields,
                          .dtype = DType::I64,
                          .bytes = {}});
  if (options.dense != 0)
    data.columns.push_back({.name = "dense",
                            .width = options.dense,
                            .dtype = DType::F32,
                            .bytes = {}});
  for (Column &column : data.columns)
    RETURN_IF_ERROR(column.bytes.resize(data.size * column.width *
                                        byteWidth(column.dtype)));
  for (int64_t f = 0; f != options.fields; ++f)
    data.aliases.push_back({absl::StrCat("C", f + 1), 1, f});
  auto *labels = reinterpret_cast<float *>(data.columns[0].bytes.data());
  auto *sparse = reinterpret_cast<int64_t *>(data.columns[1].bytes.data());
  auto *dense = options.dense == 0
                    ? nullptr
                    : reinterpret_cast<float *>(data.columns[2].bytes.data());
  std::vector<double> logits(data.size);
  const Teacher teacher(options);
  const Zipf zipf(options.ids, options.zipf);
  auto draw = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i != end; ++i) {
      Random random(options.seed, options.begin + i);
      int64_t *ids = sparse + i * options.fields;
      float *features = dense + i * options.dense;
      for (int64_t f = 0; f != options.fields; ++f)
        ids[f] = f * options.ids + zipf.draw(random);
      for (int64_t j = 0; j != options.dense; ++j)
        features[j] = static_cast<float>(random.uniform(-1, 1));
      logits[i] = teacher.logit(ids, features);
      labels[i] = random.uniform(0, 1) < 1 / (1 + std::exp(-logits[i]));
    }
  };
  std::vector<std::thread> workers;
  for (int t = 0; t != threads; ++t) {
    int64_t begin = data.size * t / threads;
    int64_t end = data.size * (t + 1) / threads;
    try {
      workers.emplace_back(draw, begin, end);
    } catch (const std::system_error &) {
      draw(begin, end); // No more threads are to be had.
    }
  }
  for (std::thread &worker : workers)
    worker.join();
  data.notes.push_back(absl::StrFormat("the best possible AUC is %.6f",
                                       areaUnderCurve(logits, labels)));
  return data;
}

//===----------------------------------------------------------------------===//
// The format
//===----------------------------------------------------------------------===//

/// Draws only the range that is asked for.
static absl::StatusOr<Dataset> readSpec(DataSpec &spec,
                                        const DataOptions &data) {
  ClicksOptions options;
  int64_t samples = options.end;
  RETURN_IF_ERROR(
      parseQuery(spec, {{{"n", &samples, 1, 1e12},
                         {"fields", &options.fields, 1, 10000},
                         {"ids", &options.ids, 1, 1e14},
                         {"zipf", &options.zipf, 0, 10},
                         {"dense", &options.dense, 0, 10000},
                         {"seed", &options.seed, 0, maxSeed},
                         {"teacher", &options.teacher, 0, maxSeed}}})
          .status());
  options.end = samples;
  if (spec.range) {
    RETURN_IF_ERROR(checkRange(spec.text, *spec.range, samples));
    options.begin = spec.range->begin;
    options.end = spec.range->endOf(samples);
    spec.range.reset();
  }
  return drawClicks(options, data.threads);
}

const DataFormat formats::clicks = {
    .name = "synthetic:ctr",
    .source = "",
    .help = "clicks generated by a model, with the feeds of criteo;\n"
            "add ?n=100000&fields=26&ids=1e6&zipf=1.05&dense=13\n"
            "&seed=0&teacher=0; prints the best possible AUC",
    .hasQuery = true,
    .read = readSpec};
