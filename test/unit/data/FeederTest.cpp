// SPDX-License-Identifier: Apache-2.0
//===- FeederTest.cpp -----------------------------------------------------===//

#include "runtime/data/Feeder.h"
#include "gmock/gmock.h"
#include <cstring>

using namespace ps::runtime;
using testing::HasSubstr;

namespace {

void setLabel(Dataset &data, int64_t sample, double label) {
  std::memcpy(data.columns[1].bytes.data() + sample * sizeof(double), &label,
              sizeof(double));
}

/// Sample i has the features 2i and 2i + 1 (as bytes) and the label i / 2.
Dataset makeData(int64_t size) {
  Dataset data{.spec = "test", .size = size, .columns = {}};
  data.columns.push_back({.name = "features",
                          .width = 2,
                          .dtype = DType::UI8,
                          .scale = 1.0 / 255,
                          .bytes = *Buffer::allocate(2 * size)});
  data.columns.push_back(
      {.name = "label", .bytes = *Buffer::allocate(size * sizeof(double))});
  for (int64_t i = 0; i != size; ++i) {
    data.columns[0].bytes.data()[2 * i] = std::byte(2 * i);
    data.columns[0].bytes.data()[2 * i + 1] = std::byte(2 * i + 1);
    setLabel(data, i, i / 2.0);
  }
  return data;
}

/// For feeds none of which is ragged.
void gather(const FeedMap &map, const Dataset &data,
            const std::vector<int64_t> &samples,
            const std::map<std::string, TensorRef> &feeds) {
  std::map<std::string, RaggedBuffer> ragged;
  absl::Status status = map.gather(data, samples, feeds, ragged);
  EXPECT_TRUE(status.ok()) << status;
}

std::string error(const Dataset &data, std::vector<FeedSpec> feeds) {
  absl::StatusOr<FeedMap> map = FeedMap::create(data, feeds);
  absl::Status status = map.ok() ? map->check(data) : map.status();
  return std::string(status.message());
}

TEST(FeedMapTest, FillsByOrderAndConverts) {
  Dataset data = makeData(4);
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{{"image", {DType::F32, {-1, 1, 2}}},
                                  {"y", {DType::F64, {-1}}}});
  ASSERT_TRUE(map.ok()) << map.status();
  float image[4];
  double y[2];
  gather(*map, data, {3, 1},
         {{"image", {{DType::F32, {2, 1, 2}}, (std::byte *)image}},
          {"y", {{DType::F64, {2}}, (std::byte *)y}}});
  EXPECT_THAT(image, testing::ElementsAre(6.0f / 255, 7.0f / 255, 2.0f / 255,
                                          3.0f / 255));
  EXPECT_THAT(y, testing::ElementsAre(1.5, 0.5));
}

TEST(FeedMapTest, AFeedNamedLabelTakesItWhereverItStands) {
  Dataset data = makeData(2);
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{{"label", {DType::F32, {-1, 1}}},
                                  {"x", {DType::F32, {-1, 2}}}});
  EXPECT_TRUE(map.ok()) << map.status();
}

TEST(FeedMapTest, IntegerFeedsTakeStoredValues) {
  Dataset data = makeData(2);
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{{"x", {DType::I32, {-1, 2}}}});
  ASSERT_TRUE(map.ok()) << map.status();
  int32_t x[2];
  gather(*map, data, {1}, {{"x", {{DType::I32, {1, 2}}, (std::byte *)x}}});
  EXPECT_THAT(x, testing::ElementsAre(2, 3));
}

TEST(FeedMapTest, SixteenBitFloats) {
  Dataset data = makeData(4);
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{{"label", {DType::BF16, {-1}}},
                                  {"x", {DType::F16, {-1, 2}}}});
  ASSERT_TRUE(map.ok()) << map.status();
  uint16_t label[1];
  _Float16 x[2];
  gather(*map, data, {3},
         {{"label", {{DType::BF16, {1}}, (std::byte *)label}},
          {"x", {{DType::F16, {1, 2}}, (std::byte *)x}}});
  EXPECT_EQ(label[0], 0x3fc0); // 1.5
  EXPECT_EQ(x[1], static_cast<_Float16>(7.0 / 255));
}

TEST(FeedMapTest, WrongShape) {
  EXPECT_EQ(error(makeData(2), {{"x", {DType::F32, {-1, 3}}}}),
            "feed 'x' is ?x3xf32, expected 3 features per sample, found 2 in "
            "data 'test'");
}

TEST(FeedMapTest, NoBatchDimension) {
  EXPECT_THAT(error(makeData(2), {{"x", {DType::F32, {}}}}),
              HasSubstr("it has no batch dimension"));
}

TEST(FeedMapTest, ValueThatDoesNotFit) {
  EXPECT_THAT(error(makeData(2),
                    {{"x", {DType::F32, {-1, 2}}}, {"y", {DType::I64, {-1}}}}),
              HasSubstr("it cannot hold label 0.5 of sample 1"));
  EXPECT_THAT(error(makeData(100), {{"x", {DType::I8, {-1, 2}}}}),
              HasSubstr("it cannot hold features 128 of sample 64"));
}

TEST(FeedMapTest, ValueBeyondTheRangeOfAFloatFeed) {
  auto labelError = [](double label, DType type) {
    Dataset data = makeData(2);
    setLabel(data, 1, label);
    return error(data, {{"x", {DType::F32, {-1, 2}}}, {"y", {type, {-1}}}});
  };
  EXPECT_EQ(labelError(1e39, DType::F32),
            "feed 'y' is ?xf32, it cannot hold label 1e+39 of sample 1 in data "
            "'test'");
  EXPECT_THAT(labelError(-1e39, DType::BF16), HasSubstr("label -1e+39"));
  EXPECT_THAT(labelError(65520, DType::F16), HasSubstr("label 65520"));
  EXPECT_EQ(labelError(65519, DType::F16), "");
  EXPECT_EQ(labelError(1e39, DType::F64), "");
  EXPECT_EQ(labelError(1e-60, DType::F32), "");
}

TEST(FeedMapTest, MoreFeedsThanColumns) {
  EXPECT_THAT(error(makeData(2), {{"a", {DType::F32, {-1, 2}}},
                                  {"b", {DType::F32, {-1}}},
                                  {"c", {DType::F32, {-1}}}}),
              HasSubstr("the graph takes 'a', 'b', 'c', data 'test' has "
                        "'features', 'label'"));
}

TEST(FeederTest, GoesThroughEpochsInOrder) {
  Dataset data = makeData(5);
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{{"x", {DType::I32, {-1, 2}}}});
  int32_t x[4];
  auto sampler = Sampler::create({.samples = 5, .batchSize = 2});
  Program program;
  program.feeds["x"] = {{DType::I32, {2, 2}}, (std::byte *)x};
  auto feeder = Feeder::create(*map, batchesInMemory(data, *sampler), program);
  ASSERT_TRUE(feeder.ok()) << feeder.status();
  for (int epoch = 0; epoch != 3; ++epoch) {
    ASSERT_TRUE((*feeder)->next().ok());
    EXPECT_THAT(x, testing::ElementsAre(0, 1, 2, 3));
    ASSERT_TRUE((*feeder)->next().ok());
    EXPECT_THAT(x, testing::ElementsAre(4, 5, 6, 7));
  }
}

TEST(FeederTest, EachWorkerGetsItsPartOfABatch) {
  Dataset data = makeData(6);
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{{"x", {DType::I32, {-1, 2}}}});
  int32_t x[3][2];
  auto sampler = Sampler::create({.samples = 6, .batchSize = 3});
  Program program;
  program.workers = 3;
  for (int worker = 0; worker != 3; ++worker)
    program.feeds[nameFeed("x", worker)] = {{DType::I32, {1, 2}},
                                            (std::byte *)x[worker]};
  auto feeder = Feeder::create(*map, batchesInMemory(data, *sampler), program);
  ASSERT_TRUE(feeder.ok()) << feeder.status();
  for (int step = 0; step != 2; ++step) {
    ASSERT_TRUE((*feeder)->next().ok());
    for (int worker = 0; worker != 3; ++worker) {
      const int32_t first = 2 * (3 * step + worker);
      EXPECT_THAT(x[worker], testing::ElementsAre(first, first + 1));
    }
  }
}

/// Writes down with which values it may begin which steps.
class FakeEarlyNode : public EarlyNode {
public:
  FakeEarlyNode() : EarlyNode(Kind::Prefetch, "early") {}
  void begin(int64_t step, const ComingFeeds &coming,
             const std::stop_token &) override {
    const auto *x = reinterpret_cast<int32_t *>(coming.feeds.at("x").data);
    begun.emplace_back(step, x[0]);
  }
  void start(StepContext &, Done) override {}

  std::vector<std::pair<int64_t, int32_t>> begun;
};

/// Takes 6 batches of 2 of so many samples. Before it takes the batch of step
/// `first` it pauses before step `second`, for each of `pauses`. Returns what
/// an early node begins.
std::vector<std::pair<int64_t, int32_t>>
beginEarly(int64_t samples, int64_t steps,
           const std::map<int64_t, int64_t> &pauses = {}) {
  Dataset data = makeData(samples);
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{{"x", {DType::I32, {-1, 2}}}});
  int32_t x[4];
  auto sampler = Sampler::create({.samples = samples, .batchSize = 2});
  Program program;
  program.feeds["x"] = {{DType::I32, {2, 2}}, (std::byte *)x};
  FakeEarlyNode node;
  program.early.push_back(&node);
  {
    auto feeder =
        Feeder::create(*map, batchesInMemory(data, *sampler), program, steps);
    EXPECT_TRUE(feeder.ok()) << feeder.status();
    for (int64_t step = 0; feeder.ok() && step != 6; ++step) {
      if (auto pause = pauses.find(step); pause != pauses.end())
        (*feeder)->pauseBefore(pause->second);
      EXPECT_TRUE((*feeder)->next().ok());
    }
  }
  return node.begun;
}

// In the first step of an epoch, and after the last step, nothing does.
TEST(FeederTest, EarlyNodesBeginWithTheNextBatch) {
  EXPECT_THAT(beginEarly(/*samples=*/6, /*steps=*/5),
              testing::ElementsAre(testing::Pair(1, 4), testing::Pair(2, 8),
                                   testing::Pair(4, 4)));
}

TEST(FeederTest, EarlyNodesPause) {
  EXPECT_THAT(beginEarly(/*samples=*/12, /*steps=*/6, {{0, 2}, {2, 4}}),
              testing::ElementsAre(testing::Pair(1, 4), testing::Pair(3, 12),
                                   testing::Pair(5, 20)));
}

//===----------------------------------------------------------------------===//
// Bags
//===----------------------------------------------------------------------===//

template <typename T>
Buffer makeBuffer(const std::vector<T> &values) {
  Buffer buffer = *Buffer::allocate(values.size() * sizeof(T));
  std::memcpy(buffer.data(), values.data(), buffer.size());
  return buffer;
}

/// Bags [7 -1], [], [2^53+1], [1 2 3] with weights, and two ids per sample
/// under names of their own.
Dataset makeBags() {
  Dataset data{.spec = "bags", .size = 4, .columns = {}};
  data.columns.push_back(
      {.name = "s",
       .dtype = DType::I64,
       .bytes = makeBuffer<int64_t>({7, -1, (1ll << 53) + 1, 1, 2, 3}),
       .offsets = {0, 2, 2, 3, 6}});
  data.columns.push_back({.name = "s.weights",
                          .dtype = DType::F32,
                          .bytes = makeBuffer<float>({1, 2, 3, 4, 5, 6}),
                          .offsets = {0, 2, 2, 3, 6}});
  data.columns.push_back(
      {.name = "pair",
       .width = 2,
       .dtype = DType::I64,
       .bytes = makeBuffer<int64_t>({0, 10, 1, 11, 2, 12, 3, 13})});
  data.aliases = {{"first", 2, 0}, {"second", 2, 1}};
  return data;
}

FeedSpec bag(std::string name, DType dtype = DType::I64) {
  return {std::move(name), {dtype, {-1}}, true};
}
FeedSpec offsetsOf(const std::string &name) {
  return {name + ".offsets", {DType::I64, {-1}}};
}

template <typename T>
std::vector<T> contents(const RaggedBuffer &buffer) {
  return {buffer.as<T>(), buffer.as<T>() + buffer.size};
}

TEST(FeedMapTest, BagsGoBehindOneAnother) {
  Dataset data = makeBags();
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{offsetsOf("s"), bag("s.weights", DType::F32),
                                  bag("s")});
  ASSERT_TRUE(map.ok()) << map.status();
  int64_t offsets[3];
  std::map<std::string, RaggedBuffer> ragged;
  ragged["s"].dtype = DType::I64;
  ragged["s.weights"].dtype = DType::F32;
  auto status = map->gather(
      data, std::vector<int64_t>{2, 1, 0},
      {{"s.offsets", {{DType::I64, {3}}, (std::byte *)offsets}}}, ragged);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(contents<int64_t>(ragged["s"]),
              testing::ElementsAre((1ll << 53) + 1, 7, -1));
  EXPECT_THAT(contents<float>(ragged["s.weights"]),
              testing::ElementsAre(3, 1, 2));
  EXPECT_THAT(offsets, testing::ElementsAre(0, 1, 1));
}

TEST(FeedMapTest, DenseColumnsAndAliasesFillBags) {
  Dataset data = makeBags();
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{bag("pair"),
                                  offsetsOf("pair"),
                                  bag("second"),
                                  offsetsOf("second"),
                                  {"first", {DType::I64, {-1, 1}}}});
  ASSERT_TRUE(map.ok()) << map.status();
  int64_t pairs[2], seconds[2], first[2];
  std::map<std::string, RaggedBuffer> ragged;
  ragged["pair"], ragged["second"];
  auto status = map->gather(
      data, std::vector<int64_t>{3, 1},
      {{"pair.offsets", {{DType::I64, {2}}, (std::byte *)pairs}},
       {"second.offsets", {{DType::I64, {2}}, (std::byte *)seconds}},
       {"first", {{DType::I64, {2, 1}}, (std::byte *)first}}},
      ragged);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(contents<int64_t>(ragged["pair"]),
              testing::ElementsAre(3, 13, 1, 11));
  EXPECT_THAT(pairs, testing::ElementsAre(0, 2));
  EXPECT_THAT(contents<int64_t>(ragged["second"]),
              testing::ElementsAre(13, 11));
  EXPECT_THAT(seconds, testing::ElementsAre(0, 1));
  EXPECT_THAT(first, testing::ElementsAre(3, 1));
}

TEST(FeedMapTest, BagsOfOneSizeFillAStaticFeed) {
  Dataset data = makeBags();
  EXPECT_EQ(error(data, {{"s", {DType::I64, {-1, 2}}}}),
            "feed 's' is ?x2xi64, expected 2 s per sample, found 0 of sample 1 "
            "in data 'bags'");
  data.columns[0].offsets = {0, 1, 2, 3, 4};
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{{"s", {DType::I64, {-1, 1}}}});
  ASSERT_TRUE(map.ok()) << map.status();
  int64_t ids[2];
  gather(*map, data, {3, 0}, {{"s", {{DType::I64, {2, 1}}, (std::byte *)ids}}});
  EXPECT_THAT(ids, testing::ElementsAre(1, 7));
}

TEST(FeedMapTest, BagsThatDoNotFit) {
  EXPECT_EQ(error(makeBags(), {bag("pair"), bag("pair.weights", DType::F32)}),
            "feed 'pair.weights' is ?xf32 (ragged), but there are no weights "
            "of pair in data 'bags'");
  EXPECT_THAT(error(makeBags(), {bag("s"), {"s.offsets", {DType::I32, {-1}}}}),
              HasSubstr("feed 's.offsets' is ?xi32, expected ?xi64"));
  EXPECT_THAT(error(makeBags(), {bag("s", DType::I32)}),
              HasSubstr("it cannot hold s 9007199254740993 of sample 2"));
  FeedSpec square{"s", {DType::I64, {-1, 2}}, true};
  EXPECT_THAT(error(makeBags(), {square}),
              HasSubstr("it must have one dimension for the s"));
  Dataset data = makeBags();
  data.columns[1].offsets = {0, 3, 3, 4, 6};
  EXPECT_THAT(error(data, {bag("s"), bag("s.weights", DType::F32)}),
              HasSubstr("expected 2 weights, one for each id, found 3 of "
                        "sample 0"));
}

TEST(FeederTest, RaggedFeedsKeepTheirPlace) {
  Dataset data = makeBags();
  auto map =
      FeedMap::create(data, std::vector<FeedSpec>{bag("s"), offsetsOf("s")});
  auto sampler = Sampler::create({.samples = 4, .batchSize = 2});
  int64_t offsets[2];
  Program program;
  program.feeds["s.offsets"] = {{DType::I64, {2}}, (std::byte *)offsets};
  const RaggedBuffer *ids = &program.ragged["s"];
  auto feeder = Feeder::create(*map, batchesInMemory(data, *sampler), program);
  ASSERT_TRUE(feeder.ok()) << feeder.status();
  for (int epoch = 0; epoch != 3; ++epoch) {
    ASSERT_TRUE((*feeder)->next().ok());
    EXPECT_THAT(contents<int64_t>(*ids), testing::ElementsAre(7, -1));
    EXPECT_THAT(offsets, testing::ElementsAre(0, 2));
    ASSERT_TRUE((*feeder)->next().ok());
    EXPECT_THAT(contents<int64_t>(*ids),
                testing::ElementsAre((1ll << 53) + 1, 1, 2, 3));
    EXPECT_THAT(offsets, testing::ElementsAre(0, 1));
  }
}

TEST(RaggedBufferTest, GrowsByHalf) {
  RaggedBuffer buffer;
  ASSERT_TRUE(buffer.assign(100).ok());
  EXPECT_EQ(buffer.bytes.size(), 800u);
  ASSERT_TRUE(buffer.assign(101).ok());
  EXPECT_EQ(buffer.size, 101);
  EXPECT_EQ(buffer.bytes.size(), 1200u);
  EXPECT_TRUE(absl::IsResourceExhausted(buffer.assign(1ll << 60)));
  EXPECT_EQ(buffer.size, 101);
}

} // namespace
