// SPDX-License-Identifier: Apache-2.0
//===- HbmNodesTest.cpp - steps over rows on a device beside the host's ---===//
//
// Lookups and gradients by the nodes of the device and by plain loops over the
// same table's rows on the host: the same bits. The host's own kernels may fuse
// a multiplication with an addition.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/HbmNodes.h"
#include "test/unit/hbm/HbmTesting.h"
#include <cmath>
#include <cstring>

using namespace ps::runtime;

namespace {

/// A plain lookup and a pooled one, of random ids, weights and gradients.
struct DrawnStep {
  DrawnStep(std::mt19937_64 &random, DType dtype, int64_t width,
            Pooling pooling, bool weighted)
      : dtype(dtype), pooling(pooling) {
    // Each of few ids has many positions.
    const int64_t ids = random() % 2 ? 50 : 3;
    plain.resize(random() % 40);
    for (int64_t &id : plain)
      id = drawId(random, ids);
    offsets.dtype = bagIds.dtype = DType::I64;
    weights.dtype = dtype;
    std::vector<int64_t> bags, begins;
    for (size_t count = random() % 20; count-- > 0;) {
      begins.push_back(int64_t(bags.size()));
      for (size_t left = random() % (ids == 3 ? 20 : 5); left-- > 0;)
        bags.push_back(drawId(random, ids));
    }
    setFeed(bagIds, bags.data(), bags.size());
    setFeed(offsets, begins.data(), begins.size());
    hasWeights = weighted && pooling != Pooling::None;
    if (hasWeights) {
      const std::vector<std::byte> drawn = draw(random, bags.size());
      setFeed(weights, drawn.data(), bags.size());
    }
    gradients[0] = draw(random, plain.size() * size_t(width));
    gradients[1] =
        draw(random,
             (pooling == Pooling::None ? bags : begins).size() * size_t(width));
  }

  PrefetchCall prefetch(RowBatch &rows, bool create) {
    PrefetchCall call = prefetchOf(plain, rows);
    call.ids.push_back({{}, &bagIds, "bags"});
    call.paddings = {std::nullopt, 0};
    call.create = create;
    return call;
  }
  LookupCall lookup(RowBatch &rows, size_t which, const TensorRef &values) {
    LookupCall call;
    call.rows = &rows;
    call.table = "emb";
    call.lookup = which;
    call.values = values;
    if (which == 1 && pooling != Pooling::None) {
      call.pooling = pooling;
      call.offsets.ragged = &offsets;
      if (hasWeights)
        call.weights.ragged = &weights;
    }
    return call;
  }

  DType dtype;
  Pooling pooling;
  bool hasWeights;
  std::vector<int64_t> plain;
  RaggedBuffer bagIds, offsets, weights;
  std::vector<std::byte> gradients[2];

private:
  static void setFeed(RaggedBuffer &feed, const void *values, size_t count) {
    EXPECT_OK(feed.assign(int64_t(count)));
    if (count)
      std::memcpy(feed.bytes.data(), values, count * byteWidth(feed.dtype));
  }
  std::vector<std::byte> draw(std::mt19937_64 &random, size_t count) {
    std::uniform_real_distribution<double> drawn(-2, 2);
    std::vector<std::byte> bytes(count * byteWidth(dtype));
    for (size_t i = 0; i < count; ++i)
      if (dtype == DType::F32)
        reinterpret_cast<float *>(bytes.data())[i] = float(drawn(random));
      else
        reinterpret_cast<double *>(bytes.data())[i] = drawn(random);
    return bytes;
  }
};

int64_t bagEnd(const Bags &bags, size_t bag, size_t ids) {
  return bag + 1 < bags.offsets.size() ? bags.offsets[bag + 1] : int64_t(ids);
}

template <typename T>
double scaleOf(const Bags &bags, std::span<const int32_t> places, size_t bag) {
  if (bags.pooling == Pooling::Sum)
    return 1;
  const auto *weights = reinterpret_cast<const T *>(bags.weights);
  double divisor = 0;
  for (int64_t i = bags.offsets[bag]; i < bagEnd(bags, bag, places.size()); ++i)
    if (places[i] >= 0) {
      const double weight = weights ? double(weights[i]) : 1;
      divisor += bags.pooling == Pooling::Mean ? weight : weight * weight;
    }
  if (divisor == 0)
    return 0;
  return 1 / (bags.pooling == Pooling::Mean ? divisor : std::sqrt(divisor));
}

template <typename T>
std::vector<T> lookUpPlainly(const RowAddresses &rows, const Bags &bags,
                             std::span<const int32_t> places) {
  const T *const *from = rows.as<T>();
  const auto *weights = reinterpret_cast<const T *>(bags.weights);
  const bool isPlain = bags.pooling == Pooling::None;
  const size_t results = isPlain ? places.size() : bags.offsets.size();
  std::vector<T> values;
  for (size_t result = 0; result < results; ++result)
    for (int64_t j = 0; j < rows.width; ++j) {
      const int64_t begin = isPlain ? int64_t(result) : bags.offsets[result];
      const int64_t end =
          isPlain ? begin + 1 : bagEnd(bags, result, places.size());
      T sum = 0;
      for (int64_t i = begin; i < end; ++i)
        if (places[i] >= 0)
          sum += (weights ? weights[i] : 1) * from[places[i]][j];
      if (!isPlain)
        sum = T(sum * scaleOf<T>(bags, places, result));
      values.push_back(sum);
    }
  return values;
}

/// Adds to `sums`, of the batch's rows, in the order of positions.
template <typename T>
void addGradientPlainly(const Bags &bags, std::span<const int32_t> places,
                        const T *gradient, int64_t width,
                        std::vector<T> &sums) {
  const auto *weights = reinterpret_cast<const T *>(bags.weights);
  std::vector<int64_t> bagOf(places.size());
  for (size_t i = 0, bag = 0; i < places.size(); ++i) {
    while (bag + 1 < bags.offsets.size() && bags.offsets[bag + 1] <= int64_t(i))
      ++bag;
    bagOf[i] = bags.pooling == Pooling::None ? int64_t(i) : int64_t(bag);
  }
  for (int64_t row = 0; row * width < int64_t(sums.size()); ++row) {
    std::vector<std::pair<int64_t, double>> terms;
    for (size_t i = 0; i < places.size(); ++i) {
      if (places[i] != row)
        continue;
      if (terms.empty() || terms.back().first != bagOf[i])
        terms.emplace_back(bagOf[i], 0);
      terms.back().second += weights ? double(weights[i]) : 1;
    }
    if (bags.pooling != Pooling::None)
      for (auto &[bag, factor] : terms)
        factor *= scaleOf<T>(bags, places, size_t(bag));
    for (int64_t j = 0; j < width; ++j) {
      double sum = 0;
      for (const auto &[bag, factor] : terms)
        sum += factor * double(gradient[bag * width + j]);
      sums[row * width + j] +=
          terms.size() == 1
              ? T(T(terms[0].second) * gradient[terms[0].first * width + j])
              : T(sum);
    }
  }
}

class HbmNodesTest : public testing::Test {
protected:
  /// Two tables of the same uniform rows.
  void makeTables(DType dtype, int64_t width, bool hostFinds) {
    rows.reset();
    TableSpec spec = uniformTable(dtype, width);
    spec.slots = {{"moment", {dtype, {width}}, 0.5}};
    if (hostFinds)
      spec.eviction.maxAge = 1000;
    expected = *Table::create(spec, 7);
    spec.hbmRows = 100;
    table = *Table::create(spec, 7);
    rows = *HbmRows::create(*table, deviceUnderTest(), HbmFinder::Device);
    EXPECT_EQ(rows->findsOnDevice(), !hostFinds);
  }

  /// Runs a step and compares.
  template <typename T>
  void runStep(DrawnStep &step, bool create) {
    const DType dtype = table->spec().dtype;
    const int64_t width = table->spec().width;
    RowBatch hostRows(dtype, width), unused(dtype, width);
    auto batch = std::make_shared<HbmBatch>(unused, *rows);
    ASSERT_OK(
        run(makeReadRowsNode(step.prefetch(hostRows, create), *expected)));
    ASSERT_OK(run(makeHbmReadRowsNode(step.prefetch(unused, create), batch)));
    ASSERT_EQ(batch->onDevice.size(), hostRows.size());
    std::vector<T> sums(hostRows.size() * width);
    for (size_t which : {0, 1}) {
      std::vector<std::byte> &gradient = step.gradients[which];
      const Bags bags = *getBags(step.lookup(hostRows, which, {}),
                                 int64_t(hostRows.places(which).size()));
      OnDevice<std::byte> found(gradient), given(gradient);
      ASSERT_OK(run(makeHbmLookupNode(
          step.lookup(unused, which, onDevice(dtype, found, gradient.size())),
          batch)));
      ASSERT_EQ(
          OnDevice<T>::readDevice(reinterpret_cast<const T *>(found.data()),
                                  gradient.size() / sizeof(T)),
          lookUpPlainly<T>(hostRows.rows(), bags, hostRows.places(which)));
      ASSERT_OK(run(makeHbmLookupGradientNode(
          step.lookup(unused, which, onDevice(dtype, given, gradient.size())),
          batch)));
      addGradientPlainly(bags, hostRows.places(which),
                         reinterpret_cast<const T *>(gradient.data()), width,
                         sums);
    }
    ASSERT_EQ(
        OnDevice<T>::readDevice(batch->gradientMemory.as<T>(), sums.size()),
        sums);
  }

  static TensorRef onDevice(DType dtype, OnDevice<std::byte> &memory,
                            size_t bytes) {
    return {{dtype, {int64_t(bytes / byteWidth(dtype))}},
            memory.data(),
            MemorySpace::Device};
  }
  absl::Status run(std::unique_ptr<Node> node) {
    program = std::make_unique<Program>();
    program->addNode(std::move(node), {});
    absl::Status status = executor->run(*program, 0);
    deviceUnderTest().drain();
    return status;
  }

  std::unique_ptr<Executor> executor = makeExecutor(2);
  std::unique_ptr<Program> program;
  std::unique_ptr<Table> expected, table;
  std::unique_ptr<HbmRows> rows;
};

TEST_F(HbmNodesTest, AreThoseOfTheHost) {
  std::mt19937_64 random(5);
  for (DType dtype : {DType::F32, DType::F64})
    for (int64_t width : {1, 3, 4, 16, 64, 200})
      for (bool hostFinds : {false, true}) {
        makeTables(dtype, width, hostFinds);
        for (Pooling pooling :
             {Pooling::None, Pooling::Sum, Pooling::Mean, Pooling::SqrtN})
          for (bool weighted : {false, true})
            for (bool create : {true, false}) {
              DrawnStep step(random, dtype, width, pooling, weighted);
              if (dtype == DType::F32)
                runStep<float>(step, create);
              else
                runStep<double>(step, create);
              if (HasFatalFailure())
                FAIL() << "width " << width << ", pooling " << int(pooling);
            }
        EXPECT_EQ(table->size(), expected->size());
        EXPECT_GT(rows->counters().promoted, 0);
      }
}

TEST_F(HbmNodesTest, ReplaceRowsThatWereUsedLongAgo) {
  std::mt19937_64 random(6);
  makeTables(DType::F32, 4, /*hostFinds=*/false);
  for (int i = 0; i < 200; ++i) {
    DrawnStep step(random, DType::F32, 4, Pooling::Sum, false);
    // Other ids every now and then, besides those of the bags.
    for (int64_t &id : step.plain)
      id += i / 20 * 1000;
    runStep<float>(step, true);
    ASSERT_FALSE(HasFatalFailure()) << i;
  }
  EXPECT_GT(rows->counters().demoted, 100);
}

TEST_F(HbmNodesTest, KeepTheRowsOfAStepThatNeedsMoreThanAreFree) {
  std::mt19937_64 random(7);
  makeTables(DType::F32, 4, /*hostFinds=*/false);
  DrawnStep step(random, DType::F32, 4, Pooling::None, false);
  step.bagIds = RaggedBuffer{.dtype = DType::I64};
  step.gradients[1].clear();
  // 60 rows, then the first 30 of them and 50 others: 110, of which 100 fit.
  for (const auto &[begin, end] : {std::pair(1, 61), std::pair(61, 111)}) {
    step.plain.resize(begin == 1 ? 0 : 30);
    for (int64_t id = begin; id < end; ++id)
      step.plain.push_back(id);
    step.gradients[0].assign(step.plain.size() * 4 * sizeof(float),
                             std::byte{0});
    runStep<float>(step, true);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_GE(rows->counters().demoted, 10);
}

} // namespace
