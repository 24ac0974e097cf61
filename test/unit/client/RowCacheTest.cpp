// SPDX-License-Identifier: Apache-2.0
//===- RowCacheTest.cpp - which copies of rows stay, and where ------------===//

#include "runtime/client/RowCache.h"
#include "test/unit/RuntimeTesting.h"
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <set>

using namespace ps::runtime;
using Code = absl::StatusCode;

namespace {
RowCache makeCache(int64_t maxRows, size_t rowBytes = sizeof(int64_t)) {
  return *RowCache::create(maxRows, rowBytes);
}

/// Inserts the row of `id` with `value` in it; false if it cannot be had.
bool put(RowCache &cache, int64_t id, int64_t value) {
  std::byte *row = cache.insert(id);
  if (row)
    std::memcpy(row, &value, sizeof(value));
  return row != nullptr;
}

int64_t valueAt(const std::byte *row) {
  int64_t value;
  std::memcpy(&value, row, sizeof(value));
  return value;
}

/// Which of the ids 0 to 9 have rows.
std::set<int64_t> idsOf(const RowCache &cache) {
  std::set<int64_t> ids;
  for (int64_t id = 0; id < 10; ++id)
    if (cache.contains(id))
      ids.insert(id);
  return ids;
}
using Ids = std::set<int64_t>;
} // namespace

TEST(RowCache, AnyIdIsARow) {
  RowCache cache = makeCache(10);
  const std::vector<int64_t> ids = {0, -1, INT64_MIN, INT64_MAX};
  for (int64_t id : ids) {
    EXPECT_FALSE(cache.contains(id));
    EXPECT_EQ(cache.find(id), nullptr);
    EXPECT_TRUE(put(cache, id, id ^ 5));
  }
  EXPECT_EQ(cache.size(), 4);
  EXPECT_EQ(cache.maxRows(), 10);
  for (int64_t id : ids) {
    EXPECT_TRUE(cache.contains(id));
    EXPECT_EQ(valueAt(cache.find(id)), id ^ 5);
  }
  EXPECT_FALSE(cache.contains(1));
}

TEST(RowCache, InsertFindsWhatIsThere) {
  RowCache cache = makeCache(1);
  EXPECT_TRUE(put(cache, 3, 7));
  EXPECT_EQ(cache.insert(3), cache.find(3));
  EXPECT_EQ(valueAt(cache.insert(3)), 7);
  EXPECT_EQ(cache.size(), 1);
}

TEST(RowCache, RowsOfTheStepAreNotDropped) {
  RowCache cache = makeCache(3);
  for (int64_t id : {1, 2, 3})
    EXPECT_TRUE(put(cache, id, id));
  EXPECT_EQ(cache.insert(4), nullptr);
  EXPECT_EQ(idsOf(cache), (Ids{1, 2, 3}));
  // What a step only finds belongs to it, too.
  cache.beginStep();
  EXPECT_NE(cache.find(1), nullptr);
  EXPECT_NE(cache.insert(3), nullptr);
  EXPECT_TRUE(put(cache, 4, 4));
  EXPECT_EQ(cache.insert(5), nullptr);
  EXPECT_EQ(idsOf(cache), (Ids{1, 3, 4}));
}

TEST(RowCache, UsingARowAgainCountsOnce) {
  RowCache cache = makeCache(2);
  EXPECT_TRUE(put(cache, 1, 1));
  EXPECT_TRUE(put(cache, 2, 2));
  cache.beginStep();
  for (int i = 0; i < 2; ++i)
    EXPECT_NE(cache.find(1), nullptr);
  // 2 does not belong to the step.
  EXPECT_TRUE(put(cache, 3, 3));
  EXPECT_EQ(idsOf(cache), (Ids{1, 3}));
}

TEST(RowCache, AskingWhetherThereIsARowUsesNone) {
  RowCache cache = makeCache(2);
  EXPECT_TRUE(put(cache, 1, 1));
  EXPECT_TRUE(put(cache, 2, 2));
  cache.beginStep();
  EXPECT_TRUE(cache.contains(1));
  EXPECT_TRUE(cache.contains(2));
  EXPECT_TRUE(put(cache, 3, 3));
  EXPECT_TRUE(put(cache, 4, 4));
  EXPECT_EQ(idsOf(cache), (Ids{3, 4}));
}

TEST(RowCache, RowsThatWereUsedLatelyStay) {
  RowCache cache = makeCache(3);
  for (int64_t id : {1, 2, 3})
    EXPECT_TRUE(put(cache, id, id));
  // All were used since the last look: the first goes, the others are due.
  cache.beginStep();
  EXPECT_TRUE(put(cache, 4, 4));
  EXPECT_EQ(idsOf(cache), (Ids{2, 3, 4}));
  cache.beginStep();
  EXPECT_NE(cache.find(2), nullptr);
  cache.beginStep();
  EXPECT_TRUE(put(cache, 5, 5));
  EXPECT_EQ(idsOf(cache), (Ids{2, 4, 5}));
  // 2 has had its second chance.
  cache.beginStep();
  EXPECT_TRUE(put(cache, 6, 6));
  EXPECT_FALSE(cache.contains(2) && cache.contains(4));
  EXPECT_EQ(cache.size(), 3);
}

TEST(RowCache, PlacesOfErasedRowsAreUsedAgain) {
  RowCache cache = makeCache(2);
  EXPECT_TRUE(put(cache, 1, 1));
  EXPECT_TRUE(put(cache, 2, 2));
  const std::byte *place = cache.find(1);
  cache.erase(1);
  cache.erase(1);
  cache.erase(9);
  EXPECT_EQ(idsOf(cache), (Ids{2}));
  EXPECT_EQ(cache.find(1), nullptr);
  EXPECT_EQ(cache.insert(3), place);
  EXPECT_EQ(valueAt(cache.find(2)), 2);
  EXPECT_EQ(cache.insert(4), nullptr);
}

TEST(RowCache, ErasingOldRowsFreesNoneOfTheStep) {
  RowCache cache = makeCache(3);
  for (int64_t id : {1, 2, 3})
    EXPECT_TRUE(put(cache, id, id));
  cache.beginStep();
  EXPECT_NE(cache.find(3), nullptr);
  cache.erase(1);
  EXPECT_TRUE(put(cache, 4, 4));
  EXPECT_TRUE(put(cache, 5, 5));
  EXPECT_EQ(cache.insert(6), nullptr);
  EXPECT_EQ(idsOf(cache), (Ids{3, 4, 5}));
  // One of the step that goes makes room for one.
  cache.erase(4);
  EXPECT_TRUE(put(cache, 6, 6));
  EXPECT_EQ(cache.insert(7), nullptr);
}

TEST(RowCache, OneRowIsEnough) {
  RowCache cache = makeCache(1, 1);
  for (int64_t id = 0; id < 5; ++id) {
    cache.beginStep();
    std::byte *row = cache.insert(id);
    ASSERT_NE(row, nullptr);
    *row = std::byte(id);
    EXPECT_EQ(cache.insert(id + 1), nullptr);
    EXPECT_EQ(idsOf(cache), Ids{id});
  }
}

TEST(RowCache, RowsStayWhereTheyAreAsItGrows) {
  constexpr int64_t count = 5000;
  constexpr size_t rowBytes = 12;
  RowCache made = makeCache(count, rowBytes);
  EXPECT_NE(made.insert(-1), nullptr);
  RowCache cache = std::move(made);
  cache.erase(-1);
  std::vector<std::byte *> rows;
  for (int64_t id = 0; id < count; ++id) {
    rows.push_back(cache.insert(id));
    ASSERT_NE(rows.back(), nullptr) << id;
    std::memset(rows.back(), static_cast<int>(id % 251), rowBytes);
  }
  EXPECT_EQ(cache.insert(count), nullptr);
  EXPECT_EQ(cache.size(), count);
  for (int64_t id = 0; id < count; ++id) {
    ASSERT_EQ(cache.find(id), rows[id]);
    for (size_t i = 0; i < rowBytes; ++i)
      ASSERT_EQ(rows[id][i], std::byte(id % 251)) << id;
  }
}

TEST(RowCache, BadSizesAreRefused) {
  for (int64_t rows :
       {int64_t{0}, int64_t{-1}, INT64_MIN, int64_t{INT32_MAX} + 1, INT64_MAX})
    EXPECT_TRUE(failsWith(RowCache::create(rows, 8).status(),
                          Code::kInvalidArgument,
                          "expected a cache of 1 to 2147483647 rows, found " +
                              std::to_string(rows) + " of 8 bytes"));
  EXPECT_TRUE(failsWith(RowCache::create(1, 0).status(), Code::kInvalidArgument,
                        "found 1 of 0 bytes"));
  for (size_t bytes : {size_t{1} << 40, size_t{1} << 63, SIZE_MAX})
    EXPECT_TRUE(failsWith(RowCache::create(INT32_MAX, bytes).status(),
                          Code::kResourceExhausted,
                          "cannot reserve addresses for"));
}

TEST(RowCache, RandomUseLosesOnlyOldRows) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  struct Known {
    int64_t value;
    std::byte *row;
    int step;
  };
  for (int64_t capacity : {1, 2, 7, 40}) {
    RowCache cache = makeCache(capacity);
    std::map<int64_t, Known> model;
    int step = 0;
    auto ofStep = [&] {
      return std::count_if(model.begin(), model.end(), [&](const auto &each) {
        return each.second.step == step;
      });
    };
    for (int64_t i = 0; i < 20000; ++i) {
      const int64_t id = static_cast<int64_t>(random() % 60) - 30;
      auto known = model.find(id);
      switch (random() % 8) {
      case 0:
        cache.beginStep();
        ++step;
        break;
      case 1:
        cache.erase(id);
        model.erase(id);
        break;
      case 2:
      case 3: {
        std::byte *row = cache.find(id);
        ASSERT_EQ(row, known == model.end() ? nullptr : known->second.row);
        if (row)
          known->second.step = step;
        break;
      }
      default: {
        const bool isNew = known == model.end();
        const bool fits = !isNew || ofStep() < capacity;
        std::byte *row = cache.insert(id);
        ASSERT_EQ(row != nullptr, fits);
        if (!row)
          break;
        if (!isNew)
          ASSERT_EQ(row, known->second.row);
        // Only a full cache drops a row, and only one.
        const auto before = static_cast<int64_t>(model.size());
        for (auto each = model.begin(); each != model.end();)
          if (cache.contains(each->first)) {
            ++each;
          } else {
            ASSERT_LT(each->second.step, step);
            each = model.erase(each);
          }
        const auto after = static_cast<int64_t>(model.size());
        ASSERT_EQ(before - after, isNew && before == capacity ? 1 : 0);
        std::memcpy(row, &i, sizeof(i));
        model[id] = {i, row, step};
      }
      }
      ASSERT_EQ(cache.size(), static_cast<int64_t>(model.size()));
      for (const auto &[each, what] : model) {
        ASSERT_TRUE(cache.contains(each));
        ASSERT_EQ(valueAt(what.row), what.value);
      }
    }
  }
}
