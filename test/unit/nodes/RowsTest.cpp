// SPDX-License-Identifier: Apache-2.0
//===- RowsTest.cpp - lookups of rows and their gradients -----------------===//

#include "runtime/nodes/Rows.h"
#include "runtime/executor/RowBatch.h"
#include "test/unit/RuntimeTesting.h"
#include "gmock/gmock.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace ps::runtime;
using ::testing::ElementsAre;

namespace {
/// Runs `body` as a step of its own.
void runStep(int threads, absl::FunctionRef<void(StepContext &)> body) {
  EXPECT_OK(runNode(makeNode(Node::Kind::Kernel, "step",
                             [&](StepContext &context, Done done) {
                               body(context);
                               done(absl::OkStatus());
                             }),
                    threads));
}

template <typename T>
constexpr DType dtypeOf = sizeof(T) == 4 ? DType::F32 : DType::F64;

template <typename T>
struct Example {
  int64_t width = 3;
  std::vector<int64_t> ids, offsets;
  std::optional<int64_t> paddingIdx;
  std::vector<T> weights;
  Pooling pooling = Pooling::None;

  int64_t items() const {
    return pooling == Pooling::None ? ids.size() : offsets.size();
  }
  Bags bags() const {
    return {pooling, offsets,
            weights.empty()
                ? nullptr
                : reinterpret_cast<const std::byte *>(weights.data())};
  }
  /// Some number of a row or a gradient.
  static T number(int64_t row, int64_t column) {
    return static_cast<T>(mixId(mixId(row) + column) % 2001) / 1000 - 1;
  }

  /// The factors of `bag` for each id, by definition.
  std::vector<double> factors(int64_t bag) const {
    std::vector<double> result(ids.size());
    if (pooling == Pooling::None) {
      result[bag] = ids[bag] == paddingIdx ? 0 : 1;
      return result;
    }
    double divisor = 0;
    int64_t end = bag + 1 == items() ? ids.size() : offsets[bag + 1];
    for (int64_t i = offsets[bag]; i != end; ++i) {
      if (ids[i] == paddingIdx)
        continue;
      result[i] = weights.empty() ? 1 : weights[i];
      divisor += pooling == Pooling::SqrtN ? result[i] * result[i] : result[i];
    }
    if (pooling == Pooling::Sum)
      return result;
    divisor = pooling == Pooling::SqrtN ? std::sqrt(divisor) : divisor;
    for (double &factor : result)
      factor = divisor == 0 ? 0 : factor / divisor;
    return result;
  }

  void assign(RowBatch &batch) const {
    std::vector<RowLookup> lookups = {{ids, paddingIdx}};
    ASSERT_TRUE(batch.assign(lookups).ok());
    for (int64_t row = 0; row != batch.size(); ++row)
      for (int64_t j = 0; j != width; ++j)
        batch.values().as<T>()[row * width + j] = number(batch.ids()[row], j);
  }

  /// The result and the rows' gradients as computed.
  std::pair<std::vector<T>, std::vector<T>> compute(int threads) const {
    RowBatch batch(dtypeOf<T>, width);
    assign(batch);
    std::vector<T> result(items() * width, T(NAN)), gradient(result.size());
    for (size_t i = 0; i != gradient.size(); ++i)
      gradient[i] = number(i / width, i % width + 7);
    TensorRef rowGradients = *batch.gradients();
    for (int64_t i = 0; i != batch.size() * width; ++i)
      rowGradients.as<T>()[i] = 1;
    RowGradientAdder adder;
    runStep(threads, [&](StepContext &context) {
      lookUpRows(context, batch.rows(), batch.places(0), bags(),
                 reinterpret_cast<std::byte *>(result.data()));
      adder.add(context, reinterpret_cast<const std::byte *>(gradient.data()),
                batch.places(0), bags(), rowGradients);
    });
    T *first = rowGradients.as<T>();
    return {result, {first, first + batch.size() * width}};
  }

  void check(double tolerance) const {
    auto [result, rowGradients] = compute(1);
    RowBatch batch(dtypeOf<T>, width);
    assign(batch);
    std::vector<double> expected(rowGradients.size(), 1.0);
    for (int64_t bag = 0; bag != items(); ++bag) {
      std::vector<double> factor = factors(bag);
      for (int64_t j = 0; j != width; ++j) {
        double sum = 0;
        for (size_t i = 0; i != ids.size(); ++i) {
          sum += factor[i] * number(ids[i], j);
          if (factor[i] != 0)
            expected[batch.places(0)[i] * width + j] +=
                factor[i] * number(bag, j + 7);
        }
        ASSERT_NEAR(result[bag * width + j], sum, tolerance) << "bag " << bag;
      }
    }
    for (size_t i = 0; i != expected.size(); ++i)
      ASSERT_NEAR(rowGradients[i], expected[i], tolerance) << "element " << i;
  }
};

template <typename T>
Example<T> example(Pooling pooling, bool weighted,
                   std::optional<int64_t> paddingIdx) {
  Example<T> result;
  result.pooling = pooling;
  result.paddingIdx = paddingIdx;
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  result.ids = {5, -1, 5, 5, least, 0, 0, int64_t(1) << 40, -1, 7, 0, 5};
  result.offsets = {0, 0, 3, 5, 7, 7, 9, 12, 12};
  if (weighted)
    result.weights = {1, -2, 0.5, 1, -1, 0, 0, 3, 0.25, 1, 1, 2};
  return result;
}
} // namespace

TEST(Rows, LookupsAndGradientsFollowTheirDefinition) {
  for (Pooling pooling :
       {Pooling::None, Pooling::Sum, Pooling::Mean, Pooling::SqrtN})
    for (bool weighted : {false, true}) {
      if (weighted && pooling == Pooling::None)
        continue;
      for (std::optional<int64_t> padding :
           {std::optional<int64_t>(), {0}, {5}}) {
        example<float>(pooling, weighted, padding).check(1e-6);
        example<double>(pooling, weighted, padding).check(1e-14);
      }
    }
}

TEST(Rows, NoIdsAtAll) {
  Example<float> none;
  none.check(0);
  none.pooling = Pooling::Mean;
  none.offsets = {0, 0};
  none.check(0);
  EXPECT_THAT(none.compute(1).first, ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(Rows, LongBagsAreExactWhateverTheThreads) {
  // Repeated ids and equal addends: rounding errors that do not cancel.
  for (bool weighted : {false, true}) {
    Example<float> bag;
    bag.width = 16;
    bag.pooling = Pooling::Sum;
    std::mt19937_64 random(3);
    for (int i = 0; i != 100000; ++i) {
      bag.ids.push_back(i % 3 == 0 ? 7
                                   : static_cast<int64_t>(random() % 60000));
      if (weighted)
        bag.weights.push_back(static_cast<float>(random() % 1000) / 1000);
    }
    bag.offsets = {0, 3, 99998};
    auto one = bag.compute(1), four = bag.compute(4);
    EXPECT_EQ(one, four);
    std::vector<double> factor = bag.factors(1);
    double sum = 0, total = 0;
    for (size_t i = 0; i != bag.ids.size(); ++i) {
      sum += factor[i] * bag.number(bag.ids[i], 2);
      total += std::abs(factor[i]);
    }
    EXPECT_NEAR(one.first[16 + 2], sum, 1e-6 * total);
  }
}

TEST(Rows, ManyDuplicatesOfOneIdAddUpExactly) {
  Example<float> plain;
  plain.width = 1;
  plain.ids.assign(100000, -1);
  double sum = 1;
  for (int64_t i = 0; i != 100000; ++i)
    sum += plain.number(i, 7);
  auto [result, gradients] = plain.compute(2);
  EXPECT_THAT(gradients, ElementsAre(static_cast<float>(sum)));
}

TEST(Rows, OffsetsAreChecked) {
  auto check = [](std::vector<int64_t> offsets, int64_t ids) {
    return checkBags(offsets, ids, "s1.offsets");
  };
  EXPECT_OK(check({0, 0, 4, 4}, 4));
  EXPECT_OK(check({}, 0));
  constexpr auto invalid = absl::StatusCode::kInvalidArgument;
  EXPECT_TRUE(failsWith(check({}, 3), invalid,
                        "feed 's1.offsets' has no offsets for 3 ids"));
  EXPECT_TRUE(failsWith(check({1, 2}, 3), invalid,
                        "feed 's1.offsets': expected offset 0 to be 0, "
                        "found 1"));
  EXPECT_TRUE(failsWith(check({0, 2, 1}, 3), invalid,
                        "expected offset 2 in 2..3, found 1"));
  EXPECT_TRUE(failsWith(check({0, 4}, 3), invalid,
                        "expected offset 1 in 0..3, found 4"));
  EXPECT_TRUE(failsWith(check({0, -1}, 3), invalid, "found -1"));
}
