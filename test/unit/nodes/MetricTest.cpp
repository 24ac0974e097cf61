// SPDX-License-Identifier: Apache-2.0
//===- MetricTest.cpp - numbers that are measured over many batches -------===//

#include "runtime/nodes/Metric.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <random>

using namespace ps::runtime;
using testing::HasSubstr;

namespace {

TensorRef rows(std::vector<float> &values, int64_t columns = 1) {
  return {
      {DType::F32, {static_cast<int64_t>(values.size()) / columns, columns}},
      reinterpret_cast<std::byte *>(values.data())};
}

void add(Metric &metric, std::vector<float> prediction,
         std::vector<float> label, int64_t columns = 1) {
  ASSERT_TRUE(metric.add(rows(prediction, columns), rows(label, columns)).ok());
}

/// The share of pairs in which the positive sample is ahead, ties for half.
double countPairs(const std::vector<float> &prediction,
                  const std::vector<float> &label) {
  double ahead = 0, pairs = 0;
  for (size_t i = 0; i != label.size(); ++i)
    for (size_t j = 0; j != label.size(); ++j)
      if (label[i] == 1 && label[j] == 0) {
        ++pairs;
        ahead += prediction[i] > prediction[j]    ? 1
                 : prediction[i] == prediction[j] ? 0.5
                                                  : 0;
      }
  return ahead / pairs;
}

/// A batch that holds each sample three times counts as the samples once.
TEST(MetricTest, RepeatedSamplesCountOnce) {
  for (Metric::Kind kind :
       {Metric::Kind::Auc, Metric::Kind::Accuracy, Metric::Kind::Mean}) {
    Metric once(kind, "once", 16), repeated(kind, "repeated", 16);
    const std::vector<float> prediction = {0.75, 0.5, 0.25}, label = {1, 0, 0};
    std::vector<float> predictions, labels;
    for (int i = 0; i != 3; ++i) {
      predictions.insert(predictions.end(), prediction.begin(),
                         prediction.end());
      labels.insert(labels.end(), label.begin(), label.end());
    }
    add(once, {0.125, 0.5}, {1, 0});
    add(repeated, {0.125, 0.5}, {1, 0});
    add(once, prediction, label);
    repeated.setSamples(3, 3);
    add(repeated, predictions, labels);
    EXPECT_TRUE(std::ranges::equal(once.parts(), repeated.parts()));
  }
}

/// A number of a whole batch counts as often as the batch has samples.
TEST(MetricTest, MeansOfBatchesAreWeighted) {
  Metric mean(Metric::Kind::Mean, "mean", 2);
  for (auto [samples, value] : {std::pair(16, 1.5f), std::pair(4, 4.0f)}) {
    std::vector<float> number = {value};
    mean.setSamples(samples, 1);
    const TensorRef scalar = {{DType::F32, {}},
                              reinterpret_cast<std::byte *>(number.data())};
    ASSERT_TRUE(mean.add(scalar, scalar).ok());
  }
  EXPECT_EQ(mean.value(), 2.0);
}

TEST(MetricTest, NothingMeasuredIsNoNumberButNanIs) {
  for (Metric::Kind kind : {Metric::Kind::Auc, Metric::Kind::Mean}) {
    Metric metric(kind, "it", 16);
    EXPECT_EQ(metric.value(), std::nullopt);
    add(metric, {0.5, NAN, 0.25}, {1, 0, 0});
    ASSERT_TRUE(metric.value().has_value());
    EXPECT_TRUE(std::isnan(*metric.value()));
    metric.reset();
    add(metric, {0.5, 0.25}, {1, 0});
    EXPECT_TRUE(std::isfinite(*metric.value()));
  }
}

/// Samples whose probability is the logistic function of a logit.
struct Samples {
  std::vector<float> prediction, label;

  void add(float logit, bool isPositive) {
    prediction.push_back(1 / (1 + std::exp(-logit)));
    label.push_back(isPositive);
  }
};

TEST(MetricTest, AucOfPredictionsThatAreBinsIsExact) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  Samples samples;
  samples.add(-INFINITY, false);
  samples.add(INFINITY, true);
  // No two of them share one of the bins.
  for (int i = 0; i < 300; ++i)
    samples.add(static_cast<float>(random() % 20) / 2 - 4.75f,
                random() % 3 == 0);
  const auto &[prediction, label] = samples;
  Metric metric(Metric::Kind::Auc, "auc", 1024);
  add(metric, {prediction.begin(), prediction.begin() + 100},
      {label.begin(), label.begin() + 100});
  add(metric, {prediction.begin() + 100, prediction.end()},
      {label.begin() + 100, label.end()});
  EXPECT_NEAR(*metric.value(), countPairs(prediction, label), 1e-12);
}

/// Of which no probability reaches a thousandth.
TEST(MetricTest, RareEventsAreToldApart) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::normal_distribution<float> draw;
  Samples samples;
  for (int i = 0; i < 4000; ++i) {
    const float logit = draw(random);
    samples.add(logit - 12, logit + draw(random) > 0);
  }
  Metric metric(Metric::Kind::Auc, "auc", 4096);
  add(metric, samples.prediction, samples.label);
  EXPECT_NEAR(*metric.value(), countPairs(samples.prediction, samples.label),
              1e-3);
}

TEST(MetricTest, PredictionsOfOneBinAreTies) {
  Metric metric(Metric::Kind::Auc, "auc", 2);
  add(metric, {0.1f, 0.2f, 0.6f}, {0, 1, 1});
  EXPECT_DOUBLE_EQ(*metric.value(), 0.75);
}

TEST(MetricTest, AucNeedsLabelsOfBothKinds) {
  Metric metric(Metric::Kind::Auc, "auc", 16);
  EXPECT_EQ(metric.value(), std::nullopt);
  add(metric, {0.5f, 1.0f}, {1, 1});
  EXPECT_EQ(metric.value(), std::nullopt);
  add(metric, {0.0f}, {0});
  EXPECT_EQ(metric.value(), 1);
  metric.reset();
  EXPECT_EQ(metric.value(), std::nullopt);
}

TEST(MetricTest, RefusesWhatIsNoProbability) {
  Metric metric(Metric::Kind::Auc, "auc", 16);
  std::vector<float> bad = {0.5f, 1.5f}, labels = {0, 1};
  absl::Status status = metric.add(rows(bad), rows(labels));
  EXPECT_THAT(status.message(),
              HasSubstr("metric 'auc' expects predictions in [0, 1], found "
                        "1.5 at element 1"));
  bad[1] = -INFINITY;
  EXPECT_FALSE(metric.add(rows(bad), rows(labels)).ok());
  EXPECT_EQ(metric.value(), std::nullopt);
}

TEST(MetricTest, AccuracyOfOneColumnAndOfSeveral) {
  Metric one(Metric::Kind::Accuracy, "accuracy", 2);
  add(one, {0.4f, 0.6f, 0.7f, 0.1f}, {0, 1, 0, 0});
  EXPECT_DOUBLE_EQ(*one.value(), 0.75);
  Metric several(Metric::Kind::Accuracy, "accuracy", 2);
  add(several, {1, 5, 2, 9, 3, 3}, {0, 1, 0, 0, 0, 1}, 3);
  EXPECT_DOUBLE_EQ(*several.value(), 0.5);
}

TEST(MetricTest, MeanCountsElementsOfAllBatches) {
  Metric metric(Metric::Kind::Mean, "mean", 2), other = metric;
  add(metric, {1, 2}, {});
  add(other, {6}, {});
  metric.merge(other);
  EXPECT_DOUBLE_EQ(*metric.value(), 3);
}

} // namespace
