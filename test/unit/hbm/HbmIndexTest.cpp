// SPDX-License-Identifier: Apache-2.0
//===- HbmIndexTest.cpp - an index on a device beside a std::map ----------===//
//
// The emulated device runs threads in random order.
//
//===----------------------------------------------------------------------===//

#include "runtime/hbm/HbmIndex.h"
#include "test/unit/hbm/HbmTesting.h"
#include <algorithm>
#include <map>
#include <set>

using namespace ps::runtime;

namespace {

/// An index and what it should hold.
class CheckedIndex {
public:
  explicit CheckedIndex(int64_t buckets)
      : index(*HbmIndex::create(deviceUnderTest(), rowFunctions(), buckets,
                                /*key=*/42)) {}

  void insert(const std::vector<int64_t> &ids) {
    std::vector<uint32_t> slots;
    for (int64_t id : ids) {
      slots.push_back(nextSlot++);
      expected[id] = {slots.back(), use};
    }
    OnDevice<int64_t> given(ids);
    OnDevice<uint32_t> places(slots);
    EXPECT_OK(index->insert(given.data(), places.data(), nullptr, use,
                            int64_t(ids.size())));
    deviceUnderTest().drain();
  }
  void erase(const std::vector<int64_t> &ids) {
    for (int64_t id : ids)
      expected.erase(id);
    OnDevice<int64_t> given(ids);
    EXPECT_OK(index->erase(given.data(), int64_t(ids.size())));
    deviceUnderTest().drain();
  }
  /// Checks slots, and which ids are listed as missing.
  void find(const std::vector<int64_t> &ids, bool marks = true,
            uint32_t tolerance = 0) {
    ++use;
    OnDevice<int64_t> given(ids);
    OnDevice<uint32_t> slots(ids.size()), count(1), places(ids.size());
    OnDevice<int64_t> missing(ids.size());
    EXPECT_OK(index->find(
        given.data(), nullptr, int64_t(ids.size()),
        marks ? std::optional(HbmIndex::Use{use, tolerance}) : std::nullopt,
        slots.data(), {count.data(), places.data(), missing.data()}));
    const std::vector<uint32_t> found = slots.read();
    std::map<uint32_t, int64_t> lacking;
    for (size_t i = 0; i < ids.size(); ++i) {
      auto known = expected.find(ids[i]);
      if (known == expected.end())
        lacking[uint32_t(i)] = ids[i];
      else if (marks && use - known->second.lastUse > tolerance)
        known->second.lastUse = use;
      ASSERT_EQ(found[i],
                known == expected.end() ? kNoSlot : known->second.slot)
          << ids[i];
    }
    const uint32_t listed = count.read()[0];
    ASSERT_EQ(listed, lacking.size());
    const std::vector<uint32_t> at = places.read();
    const std::vector<int64_t> which = missing.read();
    std::map<uint32_t, int64_t> pairs;
    for (uint32_t i = 0; i < listed; ++i)
      pairs[at[i]] = which[i];
    EXPECT_EQ(pairs, lacking);
  }
  void checkUses() {
    OnDevice<uint32_t> uses(nextSlot);
    EXPECT_OK(index->listUses(uses.data()));
    const std::vector<uint32_t> listed = uses.read();
    std::vector<uint32_t> expectedUses(nextSlot);
    for (const auto &[id, entry] : expected)
      expectedUses[entry.slot] = entry.lastUse;
    EXPECT_EQ(listed, expectedUses);
  }

  struct Entry {
    uint32_t slot, lastUse;
  };
  std::unique_ptr<HbmIndex> index;
  std::map<int64_t, Entry> expected;
  uint32_t nextSlot = 0, use = 1;
};

std::vector<int64_t> drawDistinct(std::mt19937_64 &random, int64_t ids,
                                  size_t count) {
  std::set<int64_t> drawn;
  for (size_t i = 0; i < count; ++i)
    drawn.insert(drawId(random, ids));
  std::vector<int64_t> list(drawn.begin(), drawn.end());
  std::shuffle(list.begin(), list.end(), random);
  return list;
}

/// Random calls on an index of so many buckets, which get full.
void runStream(uint64_t seed, int64_t buckets, int64_t ids) {
  std::mt19937_64 random(seed);
  CheckedIndex checked(buckets);
  const auto most = static_cast<size_t>(checked.index->entries());
  for (int call = 0; call < 120; ++call) {
    std::vector<int64_t> drawn = drawDistinct(random, ids, random() % 200);
    switch (random() % 8) {
    case 0:
      checked.erase(drawn);
      break;
    case 1:
    case 2:
    case 3: {
      std::erase_if(drawn,
                    [&](int64_t id) { return checked.expected.contains(id); });
      drawn.resize(std::min(drawn.size(), most - checked.expected.size()));
      checked.insert(drawn);
      break;
    }
    default:
      checked.find(drawn, /*marks=*/random() % 2,
                   /*tolerance=*/random() % 3 * 4);
    }
  }
  // Whatever is there, and much that is not.
  std::vector<int64_t> all = drawDistinct(random, 10 * ids, 3000);
  checked.find(all);
  checked.checkUses();
}

TEST(HbmIndex, IsAMap) {
  for (uint64_t seed = 0; seed < 6; ++seed)
    runStream(seed, HbmIndex::bucketsFor(1000), 900);
}

TEST(HbmIndex, MayBeFull) {
  for (uint64_t seed = 0; seed < 6; ++seed)
    runStream(seed, 20, 400);
}

TEST(HbmIndex, MayBeOneBucket) {
  for (uint64_t seed = 0; seed < 6; ++seed)
    runStream(seed, 1, 12);
}

TEST(HbmIndex, FindsIdsThatCollide) {
  // Ids whose hashes agree in all bits that an index of 16 buckets uses.
  std::vector<int64_t> colliding;
  for (int64_t id = 0; colliding.size() < 60; ++id) {
    uint64_t bits = uint64_t(id) ^ 42;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    bits ^= bits >> 31;
    if (bits >> 60 == 15 && (bits & 0xff) == 7)
      colliding.push_back(id);
  }
  CheckedIndex checked(16);
  checked.insert({colliding.begin(), colliding.begin() + 40});
  checked.find(colliding);
  checked.erase({colliding.begin(), colliding.begin() + 20});
  checked.find(colliding);
  checked.insert({colliding.begin() + 40, colliding.end()});
  checked.find(colliding);
  checked.checkUses();
}

TEST(HbmIndex, ClearsAndTakesUses) {
  CheckedIndex checked(10);
  checked.insert({1, 2, 3});
  EXPECT_OK(checked.index->clear());
  checked.expected.clear();
  checked.find({1, 2, 3, 0});
  OnDevice<int64_t> ids(std::vector<int64_t>{2, 0});
  OnDevice<uint32_t> slots(std::vector<uint32_t>{1, 2});
  OnDevice<uint32_t> uses(std::vector<uint32_t>{7, 8, 9});
  EXPECT_OK(checked.index->insert(ids.data(), slots.data(), uses.data(), 5, 2));
  checked.expected = {{2, {1, 8}}, {0, {2, 9}}};
  checked.checkUses();
  checked.find({0, 1, 2});
}

TEST(HbmIndex, FindsAsManyAsADeviceCounted) {
  CheckedIndex checked(10);
  checked.insert({5, 6});
  OnDevice<int64_t> ids(std::vector<int64_t>{6, 5, 6});
  OnDevice<uint32_t> size(std::vector<uint32_t>{2}),
      slots(std::vector<uint32_t>{9, 9, 9});
  EXPECT_OK(checked.index->find(ids.data(), size.data(), 3,
                                HbmIndex::Use{.call = 2}, slots.data(),
                                HbmIndex::Missing()));
  EXPECT_EQ(slots.read(), (std::vector<uint32_t>{1, 0, 9}));
}

} // namespace
