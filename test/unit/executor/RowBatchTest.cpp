// SPDX-License-Identifier: Apache-2.0
//===- RowBatchTest.cpp - ids once, their rows and their places -----------===//

#include "runtime/executor/RowBatch.h"
#include "test/unit/RuntimeTesting.h"
#include "gmock/gmock.h"
#include <limits>
#include <map>
#include <random>

using namespace ps::runtime;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

absl::Status assign(RowBatch &batch,
                    const std::vector<std::vector<int64_t>> &lists,
                    std::optional<int64_t> paddingIdx = std::nullopt) {
  std::vector<RowLookup> lookups;
  for (const std::vector<int64_t> &ids : lists)
    lookups.push_back({ids, paddingIdx});
  return batch.assign(lookups);
}
} // namespace

TEST(RowBatch, HoldsEachIdOnceInOrderOfOccurrence) {
  RowBatch batch(DType::F32, 2);
  EXPECT_OK(assign(batch,
                   {{7, -1, 7, 0}, {}, {kMax, 0, kMin, int64_t(1) << 40, -1}}));
  EXPECT_THAT(batch.ids(), ElementsAre(7, -1, 0, kMax, kMin, int64_t(1) << 40));
  EXPECT_EQ(batch.numLookups(), 3u);
  EXPECT_THAT(batch.places(0), ElementsAre(0, 1, 0, 2));
  EXPECT_THAT(batch.places(1), IsEmpty());
  EXPECT_THAT(batch.places(2), ElementsAre(3, 2, 4, 5, 1));
  EXPECT_EQ(batch.values().type.str(), "6x2xf32");
}

TEST(RowBatch, PaddingHasNoRow) {
  RowBatch batch(DType::F64, 3);
  std::vector<int64_t> first = {0, 5, 0}, second = {0, 5};
  std::vector<RowLookup> lookups = {{first, 0}, {second, std::nullopt}};
  EXPECT_OK(batch.assign(lookups));
  EXPECT_THAT(batch.ids(), ElementsAre(5, 0));
  EXPECT_THAT(batch.places(0), ElementsAre(-1, 0, -1));
  EXPECT_THAT(batch.places(1), ElementsAre(1, 0));
}

TEST(RowBatch, EmptyListsHaveNoRows) {
  RowBatch batch(DType::F32, 4);
  EXPECT_OK(assign(batch, {}));
  EXPECT_EQ(batch.size(), 0);
  EXPECT_OK(assign(batch, {{}, {3, 3}}, 3));
  EXPECT_EQ(batch.size(), 0);
  EXPECT_TRUE(batch.gradients().ok());
}

TEST(RowBatch, StartsOverWithEveryStep) {
  RowBatch batch(DType::F32, 1);
  std::mt19937_64 random(1);
  for (size_t count : {5, 4000, 0, 70, 30000}) {
    std::vector<int64_t> ids(count);
    for (int64_t &id : ids)
      id = static_cast<int64_t>(random() % (count / 2 + 1)) - 3;
    EXPECT_OK(assign(batch, {ids}));
    std::map<int64_t, int32_t> places;
    for (size_t i = 0; i < count; ++i) {
      auto [place, isNew] =
          places.try_emplace(ids[i], static_cast<int32_t>(places.size()));
      ASSERT_EQ(batch.places(0)[i], place->second);
      ASSERT_EQ(batch.ids()[place->second], ids[i]);
    }
    ASSERT_EQ(batch.size(), static_cast<int64_t>(places.size()));

    auto gradients = batch.gradients();
    ASSERT_TRUE(gradients.ok());
    std::span<float> numbers(gradients->as<float>(), batch.size());
    EXPECT_THAT(numbers, Each(0.0f));
    std::fill(numbers.begin(), numbers.end(), 1.0f);
    EXPECT_EQ(batch.gradients()->as<float>(), numbers.data());
  }
}

TEST(RowBatch, StepsOfTooManyIdsAreRefused) {
  RowBatch batch(DType::F32, 1);
  const int64_t id = 5;
  // Nobody looks at the ids.
  RowLookup lookup{{&id, size_t{1} << 31}, std::nullopt};
  EXPECT_TRUE(failsWith(batch.assign(std::span(&lookup, 1)),
                        absl::StatusCode::kResourceExhausted,
                        "expected at most 2147483647 ids in a step, found "
                        "2147483648: lower --batch-size"));
  EXPECT_EQ(batch.size(), 0);
}

TEST(RowBatch, IdsSpreadEvenlyOverShards) {
  for (int shards : {1, 2, 7}) {
    std::vector<int> counts(shards);
    for (int64_t id = 0; id < 70000; ++id)
      ++counts[shardOf(id * 1024, shards, IdPartition::Mix)];
    for (int count : counts)
      EXPECT_NEAR(count, 70000.0 / shards, 1000);
  }
}

TEST(RowBatch, ShardsStayWhereTheyAre) {
  // Saved tables rely on these.
  EXPECT_EQ(mixId(1), 0x5692161d100b05e5u);
  EXPECT_EQ(shardOf(-1, 10, IdPartition::Modulo), 5);
  EXPECT_EQ(shardOf(12, 10, IdPartition::Modulo), 2);
}
