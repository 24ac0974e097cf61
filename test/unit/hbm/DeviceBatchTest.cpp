// SPDX-License-Identifier: Apache-2.0
//===- DeviceBatchTest.cpp - batches of a device beside the host's --------===//

#include "runtime/hbm/DeviceBatch.h"
#include "test/unit/hbm/HbmTesting.h"
#include <algorithm>
#include <numeric>

using namespace ps::runtime;

namespace {

TEST(HbmScan, SumsWhatIsBefore) {
  std::mt19937_64 random(1);
  for (int64_t size : {1, 2, 63, 64, 65, 4096, 4097, 300000}) {
    std::vector<uint32_t> values(size), sums(size);
    for (uint32_t &value : values)
      value = random() % 5;
    std::exclusive_scan(values.begin(), values.end(), sums.begin(), 0u);
    OnDevice<uint32_t> onDevice(values);
    DeviceScan scan(deviceUnderTest(), rowFunctions());
    EXPECT_OK(scan.run(onDevice.data(), size));
    EXPECT_EQ(onDevice.read(), sums) << size;
  }
}

TEST(HbmPositions, AreSortedByPlace) {
  std::mt19937_64 random(2);
  PositionsByPlace positions(deviceUnderTest(), rowFunctions());
  for (auto [ids, rows] : {std::pair<int64_t, int64_t>{0, 3},
                           {0, 0},
                           {1, 1},
                           {129, 1},
                           {1000, 63},
                           {1000, 64},
                           {5000, 4096},
                           {20000, 300000}}) {
    std::vector<int32_t> places(ids);
    for (int32_t &place : places)
      place = random() % 10 == 0 ? -1 : int32_t(random() % uint64_t(rows));
    std::vector<std::vector<uint32_t>> expected(rows);
    for (int64_t i = 0; i < ids; ++i)
      if (places[i] >= 0)
        expected[places[i]].push_back(uint32_t(i));
    OnDevice<int32_t> onDevice(places);
    ASSERT_OK(positions.sort(onDevice.data(), ids, rows));
    const auto begins =
        OnDevice<uint32_t>::readDevice(positions.begins(), rows + 1);
    const auto entries =
        OnDevice<uint64_t>::readDevice(positions.positions(), ids);
    for (int64_t row = 0; row < rows; ++row) {
      std::vector<uint32_t> found;
      for (uint32_t i = begins[row]; i < begins[row + 1]; ++i)
        found.push_back(uint32_t(entries[i]));
      ASSERT_EQ(found, expected[row]) << ids << " ids, row " << row;
    }
  }
}

/// What a batch of the device should be: lists of ids with or without padding.
struct Lists {
  std::vector<std::vector<int64_t>> ids;
  std::vector<std::optional<int64_t>> paddings;

  std::vector<RowLookup> lookups() const {
    std::vector<RowLookup> all;
    for (size_t i = 0; i < ids.size(); ++i)
      all.push_back({ids[i], paddings[i]});
    return all;
  }
};

Lists drawLists(std::mt19937_64 &random, size_t longest, int64_t ids) {
  Lists lists;
  for (size_t count = random() % 4; count-- > 0;) {
    lists.ids.emplace_back(random() % 5 == 0 ? 0 : random() % longest);
    for (int64_t &id : lists.ids.back())
      id = drawId(random, ids);
    lists.paddings.push_back(random() % 2
                                 ? std::optional<int64_t>(drawId(random, 8))
                                 : std::nullopt);
  }
  return lists;
}

class HbmBatchTest : public testing::Test {
protected:
  /// Checks the places and the slots of the device's batch, and returns what is
  /// missing.
  DeviceBatch::Missing check(const Lists &lists, uint32_t use) {
    DeviceBatch::Missing missing;
    EXPECT_OK(onHost.assign(lists.lookups()));
    EXPECT_OK(
        onDevice.find(lists.lookups(), *index, HbmIndex::Use{use}, missing));
    EXPECT_EQ(onDevice.size(), onHost.size());
    for (size_t i = 0; i < lists.ids.size(); ++i) {
      const std::span<const int32_t> places = onHost.places(i);
      EXPECT_EQ(onDevice.numIds(i), int64_t(places.size()));
      EXPECT_EQ(
          OnDevice<int32_t>::readDevice(onDevice.places(i), places.size()),
          std::vector<int32_t>(places.begin(), places.end()));
    }
    EXPECT_TRUE(std::ranges::is_sorted(missing.places));
    return missing;
  }

  std::unique_ptr<HbmIndex> index =
      *HbmIndex::create(deviceUnderTest(), rowFunctions(), 4000);
  RowBatch onHost{DType::F32, 1};
  DeviceBatch onDevice{deviceUnderTest(), rowFunctions()};
};

TEST_F(HbmBatchTest, HasThePlacesOfTheHost) {
  std::mt19937_64 random(3);
  for (uint32_t use = 1; use < 40; ++use) {
    // Nothing is in the index: all ids are missing, in the order of the host.
    const Lists lists = drawLists(random, 700, 1 + random() % 1000);
    const DeviceBatch::Missing missing = check(lists, use);
    EXPECT_EQ(missing.ids,
              std::vector<int64_t>(onHost.ids().begin(), onHost.ids().end()));
  }
}

TEST_F(HbmBatchTest, ListsWhatTheIndexLacks) {
  std::mt19937_64 random(4);
  std::map<int64_t, uint32_t> slots;
  for (uint32_t use = 1; use < 40; ++use) {
    const Lists lists = drawLists(random, 300, 2000);
    const DeviceBatch::Missing missing = check(lists, use);
    std::vector<int64_t> lacking;
    for (int64_t id : onHost.ids())
      if (!slots.contains(id))
        lacking.push_back(id);
    EXPECT_EQ(missing.ids, lacking);
    std::vector<uint32_t> given;
    for (int64_t id : missing.ids)
      given.push_back(slots[id] = uint32_t(slots.size()));
    EXPECT_OK(await([&](Done done) {
      onDevice.putSlots(missing.places, given, std::move(done));
    }));
    std::vector<uint32_t> expected;
    for (int64_t id : onHost.ids())
      expected.push_back(slots.at(id));
    EXPECT_EQ(OnDevice<uint32_t>::readDevice(onDevice.slots(), expected.size()),
              expected);
    OnDevice<int64_t> ids(missing.ids);
    OnDevice<uint32_t> places(given);
    EXPECT_OK(index->insert(ids.data(), places.data(), nullptr, use,
                            int64_t(given.size())));
    deviceUnderTest().drain();
  }
}

TEST_F(HbmBatchTest, TakesWhatTheHostFound) {
  const std::vector<int64_t> a = {7, 8, 7}, b = {8, 9};
  const RowLookup lookups[] = {{a, 7}, {b, std::nullopt}};
  EXPECT_OK(onHost.assign(lookups));
  const std::vector<uint32_t> slots = {4, kNoSlot};
  EXPECT_OK(await(
      [&](Done done) { onDevice.assign(onHost, slots, std::move(done)); }));
  EXPECT_EQ(onDevice.size(), 2);
  EXPECT_EQ(OnDevice<int32_t>::readDevice(onDevice.places(0), 3),
            (std::vector<int32_t>{-1, 0, -1}));
  EXPECT_EQ(OnDevice<int32_t>::readDevice(onDevice.places(1), 2),
            (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(OnDevice<uint32_t>::readDevice(onDevice.slots(), 2), slots);
}

} // namespace
