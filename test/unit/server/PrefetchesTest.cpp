// SPDX-License-Identifier: Apache-2.0
//===- PrefetchesTest.cpp - prefetches that wait for their step -----------===//

#include "runtime/server/mode/Prefetches.h"
#include "test/unit/links/TransportCluster.h"
#include <map>

using namespace ps::runtime;

namespace {
constexpr auto order = absl::StatusCode::kFailedPrecondition;
constexpr auto full = absl::StatusCode::kResourceExhausted;

/// A table '@emb' of rows of two, and prefetches of it.
class PrefetchesTest : public ::testing::Test {
protected:
  PrefetchesTest() {
    TableSpec spec;
    spec.name = "emb";
    spec.width = 2;
    spec.maxRows = 100;
    table = *Table::create(spec, /*seed=*/1);
    served = *ServedTable::create({.table = table.get()}, /*unit=*/0,
                                  /*rounds=*/1);
    units.push_back(std::make_unique<SyncUnit>(unit));
  }

  /// Its reply is kept in `results`, under `name`.
  Prefetch prefetch(int name, int trainer, int64_t step, bool frozen = false) {
    return {served.get(),
            trainer,
            step,
            frozen,
            {name},
            /*held=*/std::nullopt,
            [this, name](const absl::StatusOr<Response> &response) {
              results[name] = response.status();
            }};
  }
  absl::Status add(int name, int trainer, int64_t step, bool frozen = false) {
    Prefetch call = prefetch(name, trainer, step, frozen);
    return prefetches.add(call, ended);
  }
  /// Removes those that are ready; returns their names.
  std::vector<int64_t> takeReady() {
    std::vector<int64_t> names;
    DeferredReplies late;
    for (Prefetch &each : prefetches.takeReady(late))
      names.push_back(each.ids.front());
    return names;
  }

  std::unique_ptr<Table> table;
  std::unique_ptr<ServedTable> served;
  ParameterState::Unit unit;
  std::vector<std::unique_ptr<SyncUnit>> units;
  Prefetches prefetches{Rounds(), units};
  int64_t ended = startupStep;
  std::map<int, absl::Status> results;
};

/// Also those that wait for the step thread only.
TEST_F(PrefetchesTest, ATrainerHasAFewWithoutAnAnswer) {
  for (bool frozen : {true, false}) {
    for (int i = 0; i < 256; ++i)
      ASSERT_OK(add(i, /*trainer=*/0, /*step=*/0, frozen));
    expectError(add(256, /*trainer=*/0, /*step=*/0, frozen), full,
                {"at most 256 messages of prefetches without an answer from "
                 "trainer 0",
                 "table 'emb' at step 0"});
    EXPECT_OK(add(257, /*trainer=*/1, /*step=*/0, frozen));
    EXPECT_EQ(takeReady().size(), 257u);
    EXPECT_OK(add(0, /*trainer=*/0, /*step=*/0, frozen));
    takeReady();
  }
}

TEST_F(PrefetchesTest, AreReadyInTheirStep) {
  EXPECT_OK(add(1, /*trainer=*/0, /*step=*/1));
  EXPECT_OK(add(2, /*trainer=*/1, /*step=*/2));
  EXPECT_FALSE(prefetches.anyReady());
  EXPECT_OK(add(3, /*trainer=*/0, /*step=*/0));
  EXPECT_EQ(takeReady(), std::vector<int64_t>{3});
  prefetches.release(/*ended=*/0);
  EXPECT_EQ(takeReady(), std::vector<int64_t>{1});
  EXPECT_TRUE(results.empty());
}

TEST_F(PrefetchesTest, AreReadyWhenTheirTableIs) {
  EXPECT_OK(add(1, /*trainer=*/0, /*step=*/1));
  units[0]->ended = 0;
  prefetches.release(ended);
  EXPECT_EQ(takeReady(), std::vector<int64_t>{1});
}

TEST_F(PrefetchesTest, FrozenOnesAreReadyAtOnce) {
  EXPECT_OK(add(1, /*trainer=*/0, /*step=*/7, /*frozen=*/true));
  units[0]->ended = 7;
  EXPECT_EQ(takeReady(), std::vector<int64_t>{1});
}

TEST_F(PrefetchesTest, LateOnesFail) {
  EXPECT_OK(add(1, /*trainer=*/0, /*step=*/0));
  units[0]->ended = 0;
  EXPECT_EQ(takeReady(), std::vector<int64_t>{});
  expectError(results[1], order, {"'emb' at step 0", "trainer 0 after their"});
  expectError(add(2, /*trainer=*/1, /*step=*/0), order,
              {"'emb' at step 0", "trainer 1 after their"});
}

TEST_F(PrefetchesTest, ABoundedNumberOfATrainerWaits) {
  for (int i = 0; i < 256; ++i)
    EXPECT_OK(add(i, /*trainer=*/0, /*step=*/1));
  expectError(add(256, /*trainer=*/0, /*step=*/1), full,
              {"at most 256", "trainer 0", "'emb' at step 1"});
  EXPECT_OK(add(257, /*trainer=*/0, /*step=*/0));
  EXPECT_OK(add(258, /*trainer=*/1, /*step=*/1));
}

/// Those that have waited join those that are ready, beyond the bound of these:
/// then there is no room for another until they are taken.
TEST_F(PrefetchesTest, ATrainerBeyondItsBoundHasNoRoom) {
  for (int64_t step : {0, 1})
    for (int i = 0; i < 256; ++i)
      ASSERT_OK(add(i, /*trainer=*/0, step));
  prefetches.release(ended = 0);
  expectError(add(256, /*trainer=*/0, /*step=*/1), full,
              {"at most 256 messages of prefetches without an answer from "
               "trainer 0"});
  EXPECT_OK(add(257, /*trainer=*/1, /*step=*/1));
  EXPECT_EQ(takeReady().size(), 513u);
  EXPECT_OK(add(258, /*trainer=*/0, /*step=*/1));
}

TEST_F(PrefetchesTest, AreAnsweredWhenTheRepliesAreSent) {
  EXPECT_OK(add(1, /*trainer=*/0, /*step=*/1));
  EXPECT_OK(add(2, /*trainer=*/1, /*step=*/1));
  EXPECT_OK(add(3, /*trainer=*/1, /*step=*/0));
  {
    DeferredReplies dropped;
    prefetches.drop(/*trainer=*/1, absl::CancelledError("gone"), dropped);
    EXPECT_TRUE(results.empty());
  }
  EXPECT_EQ(results.size(), 1u);
  expectError(results[2], absl::StatusCode::kCancelled, {"gone"});
  {
    DeferredReplies cancelled;
    prefetches.cancel(absl::AbortedError("over"), cancelled);
    EXPECT_EQ(results.size(), 1u);
  }
  EXPECT_FALSE(prefetches.anyReady());
  expectError(results[1], absl::StatusCode::kAborted, {"over"});
  expectError(results[3], absl::StatusCode::kAborted, {"over"});
}
} // namespace
