// SPDX-License-Identifier: Apache-2.0
//===- PushedRowsTest.cpp - gradients of rows that trainers push ----------===//

#include "runtime/server/state/PushedRows.h"
#include "runtime/protocol/Ranges.h"
#include "test/unit/RuntimeTesting.h"
#include "test/unit/links/TransportCluster.h"
#include <limits>

using namespace ps::runtime;

namespace {
constexpr auto invalid = absl::StatusCode::kInvalidArgument;
constexpr auto order = absl::StatusCode::kFailedPrecondition;
constexpr uint64_t most = std::numeric_limits<uint64_t>::max();

/// A table '@emb' with rows as large as half a message.
class PushedRowsTest : public ::testing::Test {
protected:
  static constexpr uint64_t width = chunkBytes / sizeof(float) / 2 - 2;

  PushedRowsTest() {
    TableSpec spec;
    spec.name = "emb";
    spec.width = width;
    spec.maxRows = 100;
    table = *Table::create(spec, /*seed=*/1);
    update.rowFeeds["grad"] = &feed;
    served = *ServedTable::create({.table = table.get(), .update = &update},
                                  /*unit=*/0, /*rounds=*/1);
    pushed = std::make_unique<PushedRows>(*served, /*trainers=*/2);
  }

  static wire::Rows rows(uint64_t offset, uint64_t count, uint64_t total) {
    return makeRows(/*step=*/0, "emb", DType::F32, width, offset, count, total);
  }
  absl::StatusOr<PushedRows::Arrival *> accept(uint64_t sequence,
                                               const wire::Rows &range) {
    return pushed->accept(/*trainer=*/0, sequence, range);
  }
  void arrive(PushedRows::Arrival &arrival, const wire::Rows &range) {
    const std::vector<std::byte> bytes(range.count() * (8 + width * 4));
    const Piece piece(bytes);
    ASSERT_OK(pushed->copyIn(arrival, range, Pieces(&piece, 1)));
    pushed->arrived(arrival);
  }
  bool hasAll() const {
    const int trainer = 0;
    return pushed->hasAll(std::span(&trainer, 1));
  }

  std::unique_ptr<Table> table;
  RowBatch feed{DType::F32, width};
  Program update;
  std::unique_ptr<ServedTable> served;
  std::unique_ptr<PushedRows> pushed;
};

/// The end of a step does not wait for a trainer that is lost.
TEST_F(PushedRowsTest, MessagesOnTheirWayKeepTheirPlaces) {
  auto first = accept(1, rows(0, 2, 3));
  auto second = accept(2, rows(2, 1, 3));
  arrive(**first, rows(0, 2, 3));
  for (const PushedRows::Push &push : pushed->takePushes())
    EXPECT_TRUE(push.arrivals.empty());
  arrive(**second, rows(2, 1, 3));
  EXPECT_TRUE(pushed->hasPushed(0));
  pushed->takePushes();
  EXPECT_FALSE(pushed->hasPushed(0));
}

TEST_F(PushedRowsTest, PushesArriveInMessages) {
  EXPECT_EQ(pushed->describePending(0), "");
  auto second = accept(1, rows(2, 1, 3));
  auto first = accept(2, rows(0, 2, 3));
  ASSERT_OK(first.status());
  arrive(**second, rows(2, 1, 3));
  EXPECT_FALSE(hasAll());
  EXPECT_EQ(pushed->describePending(0), "it had pushed 1 of 3 rows of table "
                                        "'emb'");
  arrive(**first, rows(0, 2, 3));
  EXPECT_TRUE(hasAll());
  EXPECT_EQ(pushed->describePending(0), "");
  EXPECT_TRUE(pushed->hasPushed(0));
  EXPECT_EQ(pushed->describePending(1), "");
  pushed->takePushes();
  EXPECT_FALSE(pushed->hasPushed(0));
  EXPECT_FALSE(hasAll());
}

// A trainer that goes on before the answer must not end the step while the rows
// are copied.
TEST_F(PushedRowsTest, APushOfNoRowsIsMissingUntilItIsHere) {
  auto only = accept(1, rows(0, 0, 0));
  ASSERT_OK(only.status());
  EXPECT_FALSE(hasAll());
  EXPECT_EQ(pushed->describePending(0),
            "its push of no rows of table 'emb' had no answer");
  arrive(**only, rows(0, 0, 0));
  EXPECT_TRUE(hasAll());
  EXPECT_EQ(pushed->describePending(0), "");
}

TEST_F(PushedRowsTest, MessagesOfAPushAgree) {
  ASSERT_OK(accept(1, rows(0, 2, 3)).status());
  EXPECT_TRUE(failsWith(accept(2, rows(0, 2, 3)).status(), order,
                        "expected one push of rows of table 'emb', found "
                        "another (sequence 1, then 2)"));
  EXPECT_TRUE(failsWith(accept(2, rows(2, 2, 4)).status(), order,
                        "expected 3 rows of table 'emb' as before, found 4"));
}

TEST_F(PushedRowsTest, SizesAreChecked) {
  auto check = [&](const wire::Rows &range, bool push = false) {
    const size_t each = sizeof(int64_t) + (push ? width * sizeof(float) : 0);
    return served->checkRows(range, push, range.count() * each);
  };
  EXPECT_OK(check(rows(0, 0, 0)));
  EXPECT_OK(check(rows(2, 1, 3)));
  // A prefetch, whose answers alone take memory.
  EXPECT_OK(check(rows(most - 1, 1, most)));
  for (const wire::Rows &range :
       {rows(0, 0, 3), rows(0, 3, 3), rows(0, 1, 3), rows(1, 2, 3),
        rows(4, 2, 3), rows(4, most, 3), rows(0, most, most)})
    EXPECT_TRUE(failsWith(check(range), invalid,
                          absl::StrCat("expected messages of 2 rows of table "
                                       "'emb', the last one shorter, found ",
                                       range.count(), " at ", range.offset(),
                                       " of ", range.total())));
  EXPECT_TRUE(failsWith(served->checkRows(rows(0, 2, 3), false, 15), invalid,
                        "expected 16 bytes for 2 rows of table 'emb', found "
                        "15"));
  EXPECT_TRUE(failsWith(check(rows(0, 2, 101), /*push=*/true), invalid,
                        "expected gradients of at most 100 rows, all that "
                        "table 'emb' may have, found 101"));
  wire::Rows wide = rows(0, 1, 1);
  wide.set_width(most);
  EXPECT_TRUE(
      failsWith(check(wide), invalid,
                absl::StrCat("expected rows of ", width,
                             " x f32 of table 'emb', found ", most, " x f32")));
}
} // namespace
