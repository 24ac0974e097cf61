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

std::string error(const Dataset &data, std::vector<FeedSpec> feeds) {
  return std::string(FeedMap::create(data, feeds).status().message());
}

TEST(FeedMapTest, FillsByOrderAndConverts) {
  Dataset data = makeData(4);
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{{"image", {DType::F32, {-1, 1, 2}}},
                                  {"y", {DType::F64, {-1}}}});
  ASSERT_TRUE(map.ok()) << map.status();
  float image[4];
  double y[2];
  map->gather(std::vector<int64_t>{3, 1},
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
  map->gather(std::vector<int64_t>{1},
              {{"x", {{DType::I32, {1, 2}}, (std::byte *)x}}});
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
  map->gather(std::vector<int64_t>{3},
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
              HasSubstr("the graph takes 3 feeds, data 'test' has 2 columns"));
}

TEST(FeederTest, GoesThroughEpochsInOrder) {
  Dataset data = makeData(5);
  auto map = FeedMap::create(
      data, std::vector<FeedSpec>{{"x", {DType::I32, {-1, 2}}}});
  int32_t x[4];
  auto sampler = Sampler::create({.samples = 5, .batchSize = 2});
  auto feeder = Feeder::create(*map, *sampler,
                               {{"x", {{DType::I32, {2, 2}}, (std::byte *)x}}});
  ASSERT_TRUE(feeder.ok()) << feeder.status();
  for (int epoch = 0; epoch != 3; ++epoch) {
    (*feeder)->next();
    EXPECT_THAT(x, testing::ElementsAre(0, 1, 2, 3));
    (*feeder)->next();
    EXPECT_THAT(x, testing::ElementsAre(4, 5, 6, 7));
  }
}

} // namespace
