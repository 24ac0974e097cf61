//===- ServedTableTest.cpp - what trainers push of a table ----------------===//

#include "runtime/transport/ServedTable.h"
#include "RuntimeTesting.h"
#include "TransportCluster.h"
#include <limits>

using namespace ps::runtime;

namespace {
constexpr auto invalid = absl::StatusCode::kInvalidArgument;
constexpr auto order = absl::StatusCode::kFailedPrecondition;
constexpr uint64_t most = std::numeric_limits<uint64_t>::max();

/// A table '@emb' with rows as large as half a message.
class ServedTableTest : public ::testing::Test {
protected:
  static constexpr uint64_t width = chunkBytes / sizeof(float) / 2 - 2;

  ServedTableTest() {
    TableSpec spec;
    spec.name = "emb";
    spec.width = width;
    spec.maxRows = 100;
    table = *Table::create(spec, /*seed=*/1);
    served = *ServedTable::create({.table = table.get()}, /*trainers=*/2,
                                  /*rounds=*/1);
  }

  static RowRange rows(uint64_t offset, uint64_t count, uint64_t total) {
    return {.table = "emb",
            .width = width,
            .offset = offset,
            .count = count,
            .total = total};
  }
  absl::StatusOr<ServedTable::Arrival *> accept(uint64_t sequence,
                                                const RowRange &range) {
    Done done = [this](absl::Status) { ++answered; };
    return served->accept(/*trainer=*/0, sequence, range, done);
  }
  void arrive(ServedTable::Arrival &arrival, const RowRange &range) {
    const std::vector<std::byte> bytes(range.count * (8 + width * 4));
    const Piece piece(bytes);
    served->copyIn(arrival, range, Pieces(&piece, 1));
    for (Done &done : served->arrived(/*trainer=*/0, arrival))
      done(absl::OkStatus());
  }
  bool hasAll() const {
    const int trainer = 0;
    return served->hasAll(std::span(&trainer, 1));
  }

  std::unique_ptr<Table> table;
  std::unique_ptr<ServedTable> served;
  int answered = 0;
};

TEST_F(ServedTableTest, PushesArriveInMessages) {
  EXPECT_EQ(served->whatIsMissing(0), "");
  auto second = accept(1, rows(2, 1, 3));
  auto first = accept(2, rows(0, 2, 3));
  ASSERT_OK(first.status());
  arrive(**second, rows(2, 1, 3));
  EXPECT_FALSE(hasAll());
  EXPECT_EQ(served->whatIsMissing(0), "it had pushed 1 of 3 rows of table "
                                      "'emb'");
  arrive(**first, rows(0, 2, 3));
  EXPECT_TRUE(hasAll());
  EXPECT_EQ(served->whatIsMissing(0), "");
  EXPECT_TRUE(served->hasPushed(0));
  EXPECT_EQ(served->whatIsMissing(1), "");
  served->takePushes();
  EXPECT_FALSE(served->hasPushed(0));
  EXPECT_FALSE(hasAll());
}

// Who goes on before the answer must not end the step under the copying.
TEST_F(ServedTableTest, APushOfNoRowsIsMissingUntilItIsHere) {
  auto only = accept(1, rows(0, 0, 0));
  ASSERT_OK(only.status());
  EXPECT_FALSE(hasAll());
  EXPECT_EQ(served->whatIsMissing(0),
            "its push of no rows of table 'emb' had no answer");
  arrive(**only, rows(0, 0, 0));
  EXPECT_TRUE(hasAll());
  EXPECT_EQ(served->whatIsMissing(0), "");
}

TEST_F(ServedTableTest, RepeatsAreAnsweredWithTheFirst) {
  auto first = accept(1, rows(0, 1, 1));
  auto repeat = accept(1, rows(0, 1, 1));
  ASSERT_OK(repeat.status());
  EXPECT_EQ(*repeat, nullptr);
  EXPECT_EQ(answered, 0);
  arrive(**first, rows(0, 1, 1));
  EXPECT_EQ(answered, 1);
  EXPECT_EQ(*accept(1, rows(0, 1, 1)), nullptr);
}

TEST_F(ServedTableTest, MessagesOfAPushAgree) {
  ASSERT_OK(accept(1, rows(0, 2, 3)).status());
  EXPECT_TRUE(failsWith(accept(2, rows(0, 2, 3)).status(), order,
                        "expected one push of rows of table 'emb', found "
                        "another (sequence 1, then 2)"));
  EXPECT_TRUE(failsWith(accept(2, rows(2, 2, 4)).status(), order,
                        "expected 3 rows of table 'emb' as before, found 4"));
}

TEST_F(ServedTableTest, SizesAreChecked) {
  auto check = [&](const RowRange &range, bool push = false) {
    const size_t each = sizeof(int64_t) + (push ? width * sizeof(float) : 0);
    return served->checkRows(range, push, range.count * each);
  };
  EXPECT_OK(check(rows(0, 0, 0)));
  EXPECT_OK(check(rows(2, 1, 3)));
  // Of a prefetch, whose answers alone take memory.
  EXPECT_OK(check(rows(most - 1, 1, most)));
  for (const RowRange &range :
       {rows(0, 0, 3), rows(0, 3, 3), rows(0, 1, 3), rows(1, 2, 3),
        rows(4, 2, 3), rows(4, most, 3), rows(0, most, most)})
    EXPECT_TRUE(failsWith(check(range), invalid,
                          absl::StrCat("expected messages of 2 rows of table "
                                       "'emb', the last one shorter, found ",
                                       range.count, " at ", range.offset,
                                       " of ", range.total)));
  EXPECT_TRUE(failsWith(served->checkRows(rows(0, 2, 3), false, 15), invalid,
                        "expected 16 bytes for 2 rows of table 'emb', found "
                        "15"));
  EXPECT_TRUE(failsWith(check(rows(0, 2, 101), /*push=*/true), invalid,
                        "expected gradients of at most 100 rows, all that "
                        "table 'emb' may have, found 101"));
  RowRange wide = rows(0, 1, 1);
  wide.width = most;
  EXPECT_TRUE(
      failsWith(check(wide), invalid,
                absl::StrCat("expected rows of ", width,
                             " x f32 of table 'emb', found ", most, " x f32")));
}
} // namespace
