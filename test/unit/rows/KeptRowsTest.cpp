// SPDX-License-Identifier: Apache-2.0
//===- KeptRowsTest.cpp - rows are read as they were ----------------------===//

#include "runtime/rows/KeptRows.h"
#include "test/unit/RuntimeTesting.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>
#include <random>
#include <sys/resource.h>
#include <thread>
#include <vector>

using namespace ps::runtime;
using Code = absl::StatusCode;

namespace {
/// Rows of four numbers, each of which begins as the row's.
class Rows {
public:
  explicit Rows(uint32_t count) : numbers(size_t(count) * 4) {
    for (size_t i = 0; i != numbers.size(); ++i)
      numbers[i] = static_cast<uint32_t>(i / 4);
  }
  RowSlab slab() {
    return {reinterpret_cast<std::byte *>(numbers.data()), 16, UINT32_MAX};
  }
  void change(uint32_t row) {
    for (size_t i = 0; i != 4; ++i)
      numbers[size_t(row) * 4 + i] += 1000000;
  }

private:
  std::vector<uint32_t> numbers;
};

std::shared_ptr<KeptRows> keep(Rows &rows, uint32_t count) {
  std::shared_ptr<KeptRows> kept = *KeptRows::create(rows.slab(), count);
  kept->add(0, count);
  return kept;
}

std::vector<uint32_t> read(KeptRows &kept, uint32_t row) {
  std::vector<uint32_t> numbers(4);
  EXPECT_OK(kept.read(row, reinterpret_cast<std::byte *>(numbers.data())));
  return numbers;
}

TEST(KeptRows, ReadAsTheyWere) {
  Rows rows(3);
  const std::shared_ptr<KeptRows> kept = keep(rows, 3);
  for (int i = 0; i != 2; ++i) {
    kept->keep(1);
    rows.change(1);
  }
  for (uint32_t row : {2, 1, 0})
    EXPECT_EQ(read(*kept, row), std::vector<uint32_t>(4, row));
  EXPECT_EQ(kept->copies(), 1);
}

TEST(KeptRows, CopyOnlyWhatIsStillToBeRead) {
  Rows rows(4);
  const std::shared_ptr<KeptRows> kept = keep(rows, 3);
  kept->leaveOut(0);
  read(*kept, 1);
  kept->keepAll(serialRows);
  kept->keep(3); // Was created later.
  EXPECT_EQ(kept->copies(), 1);
  kept->end();
  EXPECT_TRUE(kept->hasEnded());
  kept->keepAll(serialRows);
  EXPECT_EQ(kept->copies(), 1);
}

TEST(KeptRows, WhatIsNotKeptCannotBeRead) {
  Rows rows(1);
  const std::shared_ptr<KeptRows> kept = keep(rows, 1);
  kept->end();
  std::byte row[16];
  EXPECT_TRUE(
      failsWith(kept->read(0, row), Code::kFailedPrecondition, "not kept"));
}

TEST(KeptRows, ARowWithoutMemoryForACopyIsReported) {
  constexpr uint32_t count = 1 << 24;
  Rows rows(count);
  const std::shared_ptr<KeptRows> kept = keep(rows, count);
  EXPECT_EQ(read(*kept, 1), std::vector<uint32_t>(4, 1));
  // Of data, as what was reserved before counts among addresses.
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_DATA, &before), 0);
  rlimit none = before;
  none.rlim_cur = 1; // Linux takes 0 for no limit.
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &none), 0);
  kept->keep(2);
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &before), 0);
  rows.change(2);
  kept->keep(3);
  rows.change(3);
  std::byte row[16];
  for (uint32_t number : {0, 2, 3})
    EXPECT_TRUE(failsWith(kept->read(number, row), Code::kResourceExhausted,
                          "no memory to keep rows"));
  kept->end();
}

/// Threads change the same rows, by turns that they agree on, before, while
/// and after these are read.
TEST(KeptRows, ThreadsMayChangeRowsWhileTheyAreRead) {
  constexpr uint32_t count = 20000, threads = 3;
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  Rows rows(count);
  const std::shared_ptr<KeptRows> kept = keep(rows, count);
  std::vector<std::thread> changing;
  for (uint32_t thread = 0; thread != threads; ++thread)
    changing.emplace_back([&, thread] {
      std::mt19937 random(seed + thread);
      for (uint32_t i = 0; i != count; ++i) {
        const auto row = static_cast<uint32_t>(random() % count);
        // A step notes each of its rows by whichever thread, and changes it by
        // one.
        kept->keep(row);
        if (row % threads == thread)
          rows.change(row);
      }
    });
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, std::mt19937(seed));
  for (uint32_t row : order)
    ASSERT_EQ(read(*kept, row), std::vector<uint32_t>(4, row));
  kept->end();
  for (std::thread &thread : changing)
    thread.join();
}
} // namespace
