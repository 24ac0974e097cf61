// SPDX-License-Identifier: Apache-2.0
//===- PassIdsTest.cpp - which ids the steps of a pass look up ------------===//

#include "runtime/data/passes/PassIds.h"
#include "test/unit/data/DatasetTest.h"
#include "gmock/gmock.h"

using namespace ps::runtime;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
/// Four samples with two ids each and a bag.
class PassIdsTest : public DatasetTest {
protected:
  void SetUp() override {
    const std::string file = write("samples.txt", "2 1 2 0\n"
                                                  "2 1 1 2 8 9\n"
                                                  "2 3 2 1 2\n"
                                                  "2 7 1 1 8\n");
    absl::StatusOr<Dataset> opened =
        Dataset::open("multislot:" + file + "#slots=ids:i,s1:i#empty");
    ASSERT_TRUE(opened.ok()) << opened.status();
    data = *std::move(opened);
    const std::vector<FeedSpec> feeds = {{"ids", {DType::I64, {-1, 2}}},
                                         {"s1", {DType::I64, {-1}}, true},
                                         {"s1.offsets", {DType::I64, {-1}}}};
    absl::StatusOr<FeedMap> made = FeedMap::create(data, feeds);
    ASSERT_TRUE(made.ok()) << made.status();
    map = *std::move(made);
  }
  std::unique_ptr<BatchSource> batches(StartPosition start = {}) const {
    return batchesInMemory(
        data, *Sampler::create({.samples = data.size, .batchSize = 2}), start);
  }

  Dataset data;
  std::optional<FeedMap> map;
};
} // namespace

TEST_F(PassIdsTest, IdsComeInTheOrderOfTheirFirstUse) {
  auto source = batches();
  const std::vector<IdFeeds> tables = {
      {.feeds = {{"ids", 3}, {"s1", {}}}, .most = 100},
      {.feeds = {{"s1", 2}}, .most = 100},
      {.feeds = {{"ids", {}}, {"s1", {}}}, .most = 3}};
  auto pass = collectPass(*map, *source, 2, tables);
  ASSERT_TRUE(pass.ok()) << pass.status();
  ASSERT_EQ(pass->size(), 3u);
  EXPECT_THAT((*pass)[0].ids, ElementsAre(1, 2, 8, 9, 7));
  EXPECT_THAT((*pass)[0].steps, ElementsAre(0, 0, 0, 0, 1));
  EXPECT_THAT((*pass)[1].ids, ElementsAre(8, 9));
  EXPECT_THAT((*pass)[1].steps, ElementsAre(0, 0));
  EXPECT_THAT((*pass)[2].ids, ElementsAre(1, 2, 8)) << "no more are of use";
}

TEST_F(PassIdsTest, APassGoesOnWhereTheOneBeforeEnded) {
  auto source = batches({.epoch = 0, .step = 1});
  const std::vector<IdFeeds> tables = {{.feeds = {{"ids", {}}}, .most = 100}};
  EXPECT_THAT((*collectPass(*map, *source, 1, tables))[0].ids,
              ElementsAre(3, 2, 7, 1));
  // Of the next epoch.
  EXPECT_THAT((*collectPass(*map, *source, 1, tables))[0].ids,
              ElementsAre(1, 2));
  EXPECT_THAT((*collectPass(*map, *source, 0, tables))[0].ids, IsEmpty());
}

TEST_F(PassIdsTest, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  auto source = batches();
  EXPECT_EQ(collectPass(*map, *source, 1, {}, stop.get_token()).status().code(),
            absl::StatusCode::kCancelled);
}
