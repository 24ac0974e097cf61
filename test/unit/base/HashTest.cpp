// SPDX-License-Identifier: Apache-2.0
//===- IdHashTest.cpp - ids that were chosen to collide -------------------===//

#include "runtime/base/Hash.h"
#include "absl/strings/str_cat.h"
#include "runtime/executor/RowBatch.h"
#include "runtime/rows/RowIndex.h"
#include "runtime/table/TableScan.h"
#include "test/unit/table/TableTesting.h"
#include <algorithm>
#include <ctime>
#include <map>
#include <numeric>
#include <random>

using namespace ps::runtime;

namespace {
/// The inverse of bits ^ bits >> shift.
uint64_t unshift(uint64_t bits, int shift) {
  for (uint64_t rest = bits; rest >>= shift;)
    bits ^= rest;
  return bits;
}

/// The inverse of a factor, by Newton's iteration.
uint64_t inverse(uint64_t factor) {
  uint64_t result = factor;
  for (int i = 0; i < 5; ++i)
    result *= 2 - factor * result;
  return result;
}

/// The id that mixId() makes `mixed` of: what an attacker computes.
int64_t idOf(uint64_t mixed) {
  uint64_t bits = unshift(mixed, 31) * inverse(0x94d049bb133111eb);
  bits = unshift(bits, 27) * inverse(0xbf58476d1ce4e5b9);
  return static_cast<int64_t>(unshift(bits, 30));
}

/// Ids whose public hashes agree but for `count` values of the bits from
/// `shift` on.
std::vector<int64_t> collidingIds(size_t count, int shift) {
  std::vector<int64_t> ids(count);
  for (size_t i = 0; i < count; ++i)
    ids[i] = idOf(0x5a00000000000000 + (uint64_t{i} << shift));
  return ids;
}

/// How many buckets searches for `ids` look at on average, in an index whose
/// places are chosen by `hash`.
template <typename Hash>
double searchLength(const std::vector<int64_t> &ids, Hash hash) {
  PagePool pool;
  RowIndex index;
  EXPECT_OK(index.reserve(ids.size(), IdHash(), pool));
  uint32_t number = 0;
  for (int64_t id : ids)
    index.insert(id, hash(id), number++);
  size_t total = 0;
  for (int64_t id : ids)
    total += index.searchLength(id, hash(id));
  return double(total) / double(ids.size());
}

/// Instructions are not to be had everywhere: this thread's own time.
template <typename Body>
double cpuSeconds(Body &&body) {
  auto now = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
  };
  const double begin = now();
  body();
  return now() - begin;
}
} // namespace

TEST(IdHash, AnAttackerCanInvertThePublicHash) {
  for (uint64_t mixed : {uint64_t{0}, uint64_t{1}, UINT64_MAX, uint64_t{12345}})
    EXPECT_EQ(mixId(idOf(mixed)), mixed);
}

TEST(IdHash, ChosenIdsDoNotShareAPlaceOfAnIndex) {
  const std::vector<int64_t> ids = collidingIds(20000, 0);
  // They would with the public hash: this is an attack.
  EXPECT_GT(searchLength(ids, mixId), 1000);
  EXPECT_LT(searchLength(ids, IdHash()), 1.5);
}

TEST(IdHash, UsualIdsAreSpreadUnderEveryKey) {
  for (int64_t stride : {int64_t{1}, int64_t{1000}, int64_t{1} << 32}) {
    std::vector<int64_t> ids(20000);
    for (size_t i = 0; i < ids.size(); ++i)
      ids[i] = static_cast<int64_t>(i) * stride;
    for (int key = 0; key < 30; ++key)
      EXPECT_LT(searchLength(ids, IdHash()), 1.5)
          << "ids " << stride << " apart";
  }
}

/// Ids at equal distances are common, and can be chosen at any point where a
/// hash multiplies them. Those that know where this one shifts, `shifted`, meet
/// a key in thousands that makes them several times as slow.
TEST(IdHash, IdsAtEqualDistancesAreSpread) {
  using Choice = int64_t (*)(uint64_t);
  const Choice usual = [](uint64_t i) { return static_cast<int64_t>(i); };
  const Choice shifted = [](uint64_t i) {
    return static_cast<int64_t>(unshift(i, 32));
  };
  for (Choice choice : {usual, shifted, Choice(idOf)})
    for (int shift : {0, 10, 20, 32, 37, 44}) {
      std::vector<int64_t> ids(20000);
      for (size_t i = 0; i < ids.size(); ++i)
        ids[i] = choice(uint64_t{i} << shift);
      double mean = 0;
      for (int key = 0; key < 20; ++key)
        mean += searchLength(ids, IdHash()) / 20;
      EXPECT_LT(mean, choice == shifted ? 5 : 1.5)
          << "ids 2^" << shift << " apart";
    }
}

TEST(IdHash, ChosenIdsDoNotShareASlotOfABatch) {
  const size_t count = 60000;
  std::vector<int64_t> usual(count);
  std::iota(usual.begin(), usual.end(), 0);
  auto secondsOf = [](const std::vector<int64_t> &ids) {
    RowBatch batch(DType::F32, 1);
    const RowLookup lookup{ids, std::nullopt};
    return cpuSeconds([&] { EXPECT_OK(batch.assign(std::span(&lookup, 1))); });
  };
  // Linear probing of a place that all share takes thousands of times as long.
  const std::vector<int64_t> chosen = collidingIds(count, 20);
  const double alike = secondsOf(usual) + 1e-3;
  EXPECT_LT(secondsOf(chosen), 50 * alike);
}

/// Results depend on ids only: two tables have different keys.
TEST(IdHash, TablesOfDifferentKeysHoldTheSameRows) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  TableSpec spec = adagradTable(2, 300);
  spec.initial = {InitialValue::Kind::Normal, 0, 1};
  for (Admission::Kind kind : {Admission::Kind::All, Admission::Kind::Count,
                               Admission::Kind::Probability}) {
    spec.admission = {kind, kind == Admission::Kind::Count ? 2 : 1, 0.5};
    spec.eviction.leastRecentlyUsed = true;
    std::vector<std::map<int64_t, std::vector<std::byte>>> results;
    for (int run = 0; run < 2; ++run) {
      auto table = *Table::create(spec, 3);
      AdagradRow adagrad(*table);
      std::mt19937_64 random(seed);
      for (int step = 0; step < 100; ++step) {
        std::vector<int64_t> ids(60);
        for (int64_t &id : ids)
          id = static_cast<int64_t>(random() % 1000);
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        std::vector<float> values(ids.size() * 2, 1);
        EXPECT_OK(table->lookup(ids, true, bytesOf(values)));
        EXPECT_OK(table->update(ids, bytesOf(values), adagrad.update()));
        table->advance();
      }
      auto &rows = results.emplace_back();
      EXPECT_OK(scanRows(
          *table,
          [&](std::span<const int64_t> ids,
              std::span<const std::byte *const> places) {
            for (size_t i = 0; i < ids.size(); ++i)
              rows[ids[i]].assign(places[i], places[i] + table->layout().bytes);
            return absl::OkStatus();
          },
          1000));
    }
    EXPECT_FALSE(results[0].empty());
    EXPECT_EQ(results[0], results[1]);
  }
}
