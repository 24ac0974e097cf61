//===- PrefetchesTest.cpp - prefetches that wait for their step -----------===//

#include "runtime/transport/Prefetches.h"
#include "TransportCluster.h"
#include <map>

using namespace ps::runtime;

namespace {
constexpr auto order = absl::StatusCode::kFailedPrecondition;
constexpr auto full = absl::StatusCode::kResourceExhausted;

/// A table '@emb' of rows of two, all 3, and prefetches of it.
class PrefetchesTest : public ::testing::Test {
protected:
  PrefetchesTest() {
    TableSpec spec;
    spec.name = "emb";
    spec.width = 2;
    spec.maxRows = 100;
    spec.initial = {InitialValue::Kind::Constant, 3, 0};
    table = *Table::create(spec, /*seed=*/1);
    served = *ServedTable::create({.table = table.get()}, /*trainers=*/2,
                                  /*rounds=*/1);
  }

  /// Its answer lands in `answers`, under `name`.
  Prefetch prefetch(int name, int trainer, int64_t step, bool frozen = false) {
    return {served.get(),
            trainer,
            step,
            frozen,
            {name},
            /*held=*/std::nullopt,
            [this, name](absl::StatusOr<FetchedRows> rows) {
              answers[name] = rows.status();
              if (rows.ok())
                values[name] = *reinterpret_cast<const float *>(
                    rows->values.front().data());
            }};
  }
  absl::Status add(int name, int trainer, int64_t step, bool frozen = false) {
    Prefetch call = prefetch(name, trainer, step, frozen);
    return prefetches.add(call, updated);
  }
  /// The names of those that are ready, which go.
  std::vector<int64_t> takeReady() {
    std::vector<int64_t> names;
    Answers late;
    for (Prefetch &each : prefetches.takeReady(late))
      names.push_back(each.ids.front());
    return names;
  }

  std::unique_ptr<Table> table;
  std::unique_ptr<ServedTable> served;
  Prefetches prefetches{Rounds()};
  int64_t updated = startupStep;
  std::map<int, absl::Status> answers;
  std::map<int, float> values;
};

TEST_F(PrefetchesTest, AreReadyInTheirStep) {
  EXPECT_OK(add(1, /*trainer=*/0, /*step=*/1));
  EXPECT_OK(add(2, /*trainer=*/1, /*step=*/2));
  EXPECT_FALSE(prefetches.anyReady());
  EXPECT_OK(add(3, /*trainer=*/0, /*step=*/0));
  EXPECT_EQ(takeReady(), std::vector<int64_t>{3});
  prefetches.release(/*updated=*/0);
  EXPECT_EQ(takeReady(), std::vector<int64_t>{1});
  EXPECT_TRUE(answers.empty());
}

TEST_F(PrefetchesTest, AreReadyWhenTheirTableIs) {
  EXPECT_OK(add(1, /*trainer=*/0, /*step=*/1));
  served->endStep(0);
  prefetches.release(updated);
  EXPECT_EQ(takeReady(), std::vector<int64_t>{1});
}

TEST_F(PrefetchesTest, FrozenOnesAreReadyAtOnce) {
  EXPECT_OK(add(1, /*trainer=*/0, /*step=*/7, /*frozen=*/true));
  served->endStep(7);
  EXPECT_EQ(takeReady(), std::vector<int64_t>{1});
}

TEST_F(PrefetchesTest, LateOnesFail) {
  EXPECT_OK(add(1, /*trainer=*/0, /*step=*/0));
  served->endStep(0);
  EXPECT_EQ(takeReady(), std::vector<int64_t>{});
  expectError(answers[1], order, {"'emb' at step 0", "trainer 0 after their"});
  expectError(add(2, /*trainer=*/1, /*step=*/0), order,
              {"'emb' at step 0", "trainer 1 after their"});
}

TEST_F(PrefetchesTest, ATrainerParksABoundedNumber) {
  for (int i = 0; i < 256; ++i)
    EXPECT_OK(add(i, /*trainer=*/0, /*step=*/1));
  expectError(add(256, /*trainer=*/0, /*step=*/1), full,
              {"at most 256", "trainer 0", "'emb' at step 1"});
  EXPECT_OK(add(257, /*trainer=*/0, /*step=*/0));
  EXPECT_OK(add(258, /*trainer=*/1, /*step=*/1));
}

TEST_F(PrefetchesTest, AreAnsweredOnceTheAnswersGo) {
  EXPECT_OK(add(1, /*trainer=*/0, /*step=*/1));
  EXPECT_OK(add(2, /*trainer=*/1, /*step=*/1));
  EXPECT_OK(add(3, /*trainer=*/1, /*step=*/0));
  {
    Answers dropped;
    prefetches.drop(/*trainer=*/1, absl::CancelledError("gone"), dropped);
    EXPECT_TRUE(answers.empty());
  }
  EXPECT_EQ(answers.size(), 1u);
  expectError(answers[2], absl::StatusCode::kCancelled, {"gone"});
  {
    Answers cancelled;
    prefetches.cancel(absl::AbortedError("over"), cancelled);
    EXPECT_EQ(answers.size(), 1u);
  }
  EXPECT_FALSE(prefetches.anyReady());
  expectError(answers[1], absl::StatusCode::kAborted, {"over"});
  expectError(answers[3], absl::StatusCode::kAborted, {"over"});
}

TEST_F(PrefetchesTest, ReadRows) {
  auto executor = *Executor::create({.threads = 2});
  std::deque<Prefetch> calls;
  calls.push_back(prefetch(1, /*trainer=*/0, /*step=*/0));
  calls.push_back(prefetch(2, /*trainer=*/1, /*step=*/0, /*frozen=*/true));
  Prefetches::read(std::move(calls), *executor, /*step=*/0);
  EXPECT_OK(answers[1]);
  EXPECT_OK(answers[2]);
  EXPECT_EQ(values, (std::map<int, float>{{1, 3}, {2, 0}}));
  EXPECT_EQ(table->size(), 1);
}
} // namespace
