// SPDX-License-Identifier: Apache-2.0
//===- CachedRowsTest.cpp - a trainer's copies, and when they are used ----===//
//
// The holders of the table are the test: it decides when they answer and what.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/CachedRows.h"
#include "test/unit/MemoryLimit.h"
#include "test/unit/links/TransportCluster.h"
#include "test/unit/table/TableTesting.h"
#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

using namespace ps::runtime;

namespace {

constexpr auto invalid = absl::StatusCode::kInvalidArgument;
constexpr auto Kept = RowAnswer::Kept;
constexpr auto Value = RowAnswer::Value;
constexpr auto State = RowAnswer::State;

/// What the holders say of a row, and its first values.
struct Answer {
  RowAnswer kind = Kept;
  std::vector<float> row;
};

/// Keeps the calls for the test to answer.
class FakeHolders final : public RowSource {
public:
  /// A prefetch with copies.
  struct Call {
    int64_t step = 0;
    RowRequest request;
    Done done;
  };

  void prefetch(int64_t step, const RowRequest &request, Done done) override {
    if (request.copies.stateBytes != 0)
      return void(calls.push_back({step, request, std::move(done)}));
    others.push_back(absl::StrCat(
        request.frozen ? "frozen prefetch @" : "prefetch @", request.table,
        " step ", step, " ids ", request.ids.size()));
    done(otherStatus);
  }
  void push(int64_t step, const RowGradients &rows, Done done) override {
    others.push_back(absl::StrCat("push @", rows.table, " step ", step, " ids ",
                                  rows.ids.size()));
    done(otherStatus);
  }
  void checkLimits(int64_t step, Done done) override {
    others.push_back(absl::StrCat("limits step ", step));
    done(otherStatus);
  }

  std::deque<Call> calls;
  std::vector<std::string> others;
  absl::Status otherStatus;
};

/// A prefetch and where its rows go. Two floats are a row.
struct Asked {
  std::vector<int64_t> ids;
  std::vector<float> values;
  Pending pending;

  std::vector<float> row(size_t i) const {
    return {values[2 * i], values[2 * i + 1]};
  }
};

/// Rows of two floats with a slot "sum": sum += gradient; row -= rate * sum.
class CachedRowsTest : public ::testing::Test {
protected:
  static TableSpec spec(const std::string &name = "emb") {
    TableSpec spec;
    spec.name = name;
    spec.width = 2;
    spec.slots = {{"sum", {DType::F32, {2}}, 0}};
    return spec;
  }

  void make(int64_t maxRows, int trainers = 1, int rounds = 1) {
    auto made = std::make_unique<FakeHolders>();
    holders = made.get();
    auto source = CachedRows::create(std::move(made), {{spec(), maxRows}},
                                     trainers, {rounds});
    ASSERT_OK(source.status());
    rows = *std::move(source);
  }

  std::unique_ptr<Asked> ask(int64_t step, std::vector<int64_t> ids,
                             const std::string &table = "emb",
                             bool create = true) {
    auto asked = std::make_unique<Asked>();
    asked->ids = std::move(ids);
    asked->values.assign(asked->ids.size() * 2, -1);
    rows->prefetch(step,
                   {{table, DType::F32, /*width=*/2, asked->ids},
                    bytesOf(asked->values),
                    /*places=*/{},
                    /*frozen=*/!create},
                   asked->pending.done());
    return asked;
  }

  /// The holders answer the call of `step`; they write to rows as far as the
  /// answers say.
  void answer(int64_t step, const std::vector<Answer> &answers) {
    FakeHolders::Call call = take(step);
    const RowCopies &copies = call.request.copies;
    ASSERT_EQ(call.request.ids.size(), answers.size());
    EXPECT_EQ(copies.stateBytes, 16u);
    for (size_t i = 0; i < answers.size(); ++i) {
      copies.answers[i] = answers[i].kind;
      const size_t floats = answers[i].kind == Kept    ? 0
                            : answers[i].kind == Value ? 2
                                                       : 4;
      ASSERT_EQ(answers[i].row.size(), floats);
      std::ranges::copy(answers[i].row,
                        reinterpret_cast<float *>(call.request.values +
                                                  i * copies.stateBytes));
    }
    call.done(absl::OkStatus());
  }
  FakeHolders::Call take(int64_t step) {
    for (auto call = holders->calls.begin(); call != holders->calls.end();
         ++call)
      if (call->step == step) {
        FakeHolders::Call found = std::move(*call);
        holders->calls.erase(call);
        return found;
      }
    ADD_FAILURE() << "no call asked for the rows of step " << step;
    return {.done = [](absl::Status) {}};
  }
  /// Which of the rows that the last call asks for it says there are copies of.
  std::vector<int> held() const {
    std::span<const uint8_t> held = holders->calls.back().request.copies.held;
    return {held.begin(), held.end()};
  }

  /// Runs the update of a step with `ids`, whose gradients are all `gradient`.
  void update(std::vector<int64_t> ids, float gradient, int threads = 1,
              const std::string &table = "emb") {
    RowBatch batch(DType::F32, 2);
    RowLookup lookup{ids, std::nullopt};
    ASSERT_OK(batch.assign(std::span(&lookup, 1)));
    float *grads = batch.gradients()->as<float>();
    std::fill(grads, grads + 2 * ids.size(), gradient);
    RowUpdateCall call;
    call.rows = &batch;
    call.update = rowUpdate;
    call.rate = {{DType::F32, {}}, reinterpret_cast<std::byte *>(&rate)};
    call.rateInput = {{DType::F32, {}},
                      reinterpret_cast<std::byte *>(&rateInput)};
    ASSERT_OK(runNode(rows->makeUpdateNode(table, call), threads));
    // The pservers get them as they are.
    for (size_t i = 0; i < 2 * ids.size(); ++i)
      ASSERT_EQ(std::memcmp(&grads[i], &gradient, sizeof(float)), 0);
  }

  /// A step whose rows come with their slots: parameters `value`, slots 0.
  void stepOfStates(int64_t step, const std::vector<int64_t> &ids,
                    float value = 1) {
    auto asked = ask(step, ids);
    answer(step,
           std::vector<Answer>(ids.size(), {State, {value, value, 0, 0}}));
    ASSERT_TRUE(asked->pending.answered());
    ASSERT_OK(asked->pending.wait());
    update(ids, 0);
  }

  CacheCounters counters() const { return rows->counters().at("emb"); }

  std::shared_ptr<const RowUpdate> makeUpdate() {
    RowStep step;
    step.kernel.function = [](void *const *buffers, int64_t, int64_t rows) {
      auto *value = static_cast<float *>(buffers[0]);
      auto *sum = static_cast<float *>(buffers[1]);
      const auto *gradient = static_cast<const float *>(buffers[2]);
      const float rate = *static_cast<const float *>(buffers[3]);
      for (int64_t i = 0; i < rows; ++i) {
        // Keeps the sign of zero.
        sum[i] = sum[i] == 0 ? gradient[i] : sum[i] + gradient[i];
        value[i] -= rate * sum[i];
      }
    };
    step.kernel.buffers = {image, image + 2, gradient, &rateInput};
    step.kernel.rows = 2;
    RowMemory memory;
    memory.row = {reinterpret_cast<std::byte *>(image), sizeof(image)};
    memory.gradient = {reinterpret_cast<std::byte *>(gradient),
                       sizeof(gradient)};
    return std::make_shared<RowUpdate>(
        *RowUpdate::create(std::span(&step, 1), memory));
  }

  float image[4] = {}, gradient[2] = {}, rate = 0.5f, rateInput = 0;
  std::shared_ptr<const RowUpdate> rowUpdate = makeUpdate();
  FakeHolders *holders = nullptr;
  std::unique_ptr<CachedRows> rows;
};

using Floats = std::vector<float>;
using Held = std::vector<int>;

TEST_F(CachedRowsTest, StepsGetWhatComes) {
  make(10);
  auto asked = ask(0, {5, -1, INT64_MIN, 7});
  EXPECT_EQ(held(), (Held{0, 0, 0, 0}));
  EXPECT_FALSE(asked->pending.answered());
  answer(0, {{Value, {1, 2}},
             {State, {3, 4, 30, 40}},
             {Value, {5, 6}},
             {State, {7, 8, 70, 80}}});
  ASSERT_OK(asked->pending.wait());
  EXPECT_EQ(asked->values, (Floats{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(counters().kept, 0);
  EXPECT_EQ(counters().values, 2);
  EXPECT_EQ(counters().states, 2);
  EXPECT_EQ(counters().copies, 2);
  update(asked->ids, 0);
  // What came without its slots is no copy.
  auto next = ask(1, {7, INT64_MIN, 5, -1});
  EXPECT_EQ(held(), (Held{1, 0, 0, 1}));
}

TEST_F(CachedRowsTest, CopiesAreUpdatedAsThePserversUpdateRows) {
  make(10, /*trainers=*/4);
  auto first = ask(0, {8, 9});
  answer(0, {{Value, {0, 0}}, {State, {10, 20, 1, 2}}});
  update({8, 9}, 12);
  auto second = ask(1, {9, 8});
  EXPECT_EQ(held(), (Held{1, 0}));
  answer(1, {{}, {State, {1, 1, 0, 0}}});
  ASSERT_OK(second->pending.wait());
  // sum = (1, 2) + 12 / 4; row -= 0.5 sum.
  EXPECT_EQ(second->row(0), (Floats{10 - 2, 20 - 2.5}));
  EXPECT_EQ(second->row(1), (Floats{1, 1}));
  // With the rate of the step, and the slots of the step before.
  rate = 1;
  update({9, 8}, 4);
  auto third = ask(2, {8, 9});
  answer(2, {{}, {}});
  ASSERT_OK(third->pending.wait());
  EXPECT_EQ(third->row(0), (Floats{1 - 1, 1 - 1}));
  EXPECT_EQ(third->row(1), (Floats{8 - 5, 17.5 - 6}));
  EXPECT_EQ(counters().kept, 3);
}

TEST_F(CachedRowsTest, SumsOfPserversHaveNoNegativeZero) {
  for (int trainers : {1, 2}) {
    make(1, trainers);
    auto first = ask(0, {1});
    answer(0, {{State, {-0.f, -0.f, 0, 0}}});
    update({1}, -0.f);
    auto second = ask(1, {1});
    answer(1, {{}});
    // -0 - 0.5 * 0, not -0 - 0.5 * -0.
    EXPECT_TRUE(std::signbit(second->values[0]));
  }
}

TEST_F(CachedRowsTest, ManyCopiesAreUpdatedByManyThreads) {
  make(20000);
  std::vector<int64_t> ids(20000);
  std::iota(ids.begin(), ids.end(), -10000);
  auto first = ask(0, ids);
  std::vector<Answer> states;
  for (int64_t id : ids)
    states.push_back({State, {float(id), 0, 0, 0}});
  answer(0, states);
  update(ids, 2, /*threads=*/4);
  auto second = ask(1, ids);
  answer(1, std::vector<Answer>(ids.size()));
  ASSERT_OK(second->pending.wait());
  for (size_t i = 0; i < ids.size(); ++i)
    ASSERT_EQ(second->row(i), (Floats{float(ids[i]) - 1, -1}));
}

TEST_F(CachedRowsTest, CopiesThatAreNotRightAreDropped) {
  make(10);
  stepOfStates(0, {1, 2});
  auto asked = ask(1, {1, 2});
  EXPECT_EQ(held(), (Held{1, 1}));
  answer(1, {{Value, {6, 7}}, {}});
  EXPECT_EQ(asked->values, (Floats{6, 7, 1, 1}));
  EXPECT_EQ(counters().copies, 1);
  // Only what is a copy is updated.
  update({1, 2}, 2);
  auto next = ask(2, {1, 2});
  EXPECT_EQ(held(), (Held{0, 1}));
  answer(2, {{State, {9, 9, 0, 0}}, {}});
  EXPECT_EQ(next->values, (Floats{9, 9, 0, 0}));
}

//===----------------------------------------------------------------------===//
// Rows of the next step
//===----------------------------------------------------------------------===//

TEST_F(CachedRowsTest, AnswersWaitForTheUpdateOfTheStepBefore) {
  make(10);
  auto first = ask(0, {1, 2});
  answer(0, std::vector<Answer>(2, {State, {1, 1, 0, 0}}));
  auto second = ask(1, {2, 3});
  EXPECT_EQ(held(), (Held{1, 0}));
  answer(1, {{}, {Value, {5, 5}}});
  EXPECT_FALSE(second->pending.answered());
  EXPECT_EQ(second->values, Floats(4, -1));
  update({1, 2}, 2);
  ASSERT_TRUE(second->pending.answered());
  ASSERT_OK(second->pending.wait());
  EXPECT_EQ(second->values, (Floats{0, 0, 5, 5}));
  // The update of this step is about its own rows: 1 stays.
  update({2, 3}, 2);
  auto third = ask(2, {1, 2});
  answer(2, {{}, {}});
  ASSERT_OK(third->pending.wait());
  EXPECT_EQ(third->values, (Floats{0, 0, -2, -2}));
}

TEST_F(CachedRowsTest, WhoAsksBeforeTheRowsAreHereHoldsNothing) {
  make(10);
  stepOfStates(0, {1, 2});
  auto second = ask(1, {1, 2});
  EXPECT_EQ(held(), (Held{1, 1}));
  // Whether 1 and 2 will still be right is not known.
  auto third = ask(2, {1, 2, 3});
  EXPECT_EQ(held(), (Held{0, 0, 0}));
  answer(1, {{}, {}});
  update({1, 2}, 2);
  // So the rows come again, or the copy is not right.
  answer(2, {{State, {7, 7, 1, 1}}, {Value, {8, 8}}, {Value, {9, 9}}});
  ASSERT_OK(third->pending.wait());
  EXPECT_EQ(third->values, (Floats{7, 7, 8, 8, 9, 9}));
  update({1, 2, 3}, 1);
  auto fourth = ask(3, {1, 2, 3});
  EXPECT_EQ(held(), (Held{1, 0, 0}));
  answer(3, {{}, {Value, {0, 0}}, {Value, {0, 0}}});
  EXPECT_EQ(fourth->row(0), (Floats{6, 6}));
}

TEST_F(CachedRowsTest, StepsGetTheirRowsInOrder) {
  // Those without any are answered at once: before the rows of the first step
  // have come, and even before it has asked.
  for (bool asksFirst : {true, false}) {
    make(10);
    std::unique_ptr<Asked> first;
    if (asksFirst)
      first = ask(0, {1});
    auto second = ask(1, {}), third = ask(2, {});
    answer(2, {});
    answer(1, {});
    EXPECT_FALSE(second->pending.answered());
    EXPECT_FALSE(third->pending.answered());
    if (!asksFirst)
      first = ask(0, {1});
    answer(0, {{State, {1, 1, 0, 0}}});
    ASSERT_TRUE(first->pending.answered());
    EXPECT_FALSE(second->pending.answered());
    update({1}, 2);
    ASSERT_TRUE(second->pending.answered());
    EXPECT_FALSE(third->pending.answered());
    update({}, 0);
    ASSERT_TRUE(third->pending.answered());
    update({}, 0);
    auto fourth = ask(3, {1});
    EXPECT_EQ(held(), Held{1});
    answer(3, {{}});
    EXPECT_EQ(fourth->values, (Floats{0, 0}));
  }
}

TEST_F(CachedRowsTest, StepsMayHaveSeveralRounds) {
  make(10, /*trainers=*/1, /*rounds=*/3);
  auto first = ask(0, {1});
  answer(0, {{State, {1, 1, 0, 0}}});
  auto second = ask(3, {1});
  EXPECT_EQ(held(), Held{1});
  answer(3, {{}});
  EXPECT_FALSE(second->pending.answered());
  update({1}, 2);
  ASSERT_TRUE(second->pending.answered());
  EXPECT_EQ(second->values, (Floats{0, 0}));
  auto third = ask(6, {1});
  EXPECT_EQ(held(), Held{1});
}

//===----------------------------------------------------------------------===//
// More rows than copies
//===----------------------------------------------------------------------===//

TEST_F(CachedRowsTest, StepsMayHaveMoreRowsThanTheCache) {
  make(2);
  std::vector<int64_t> ids = {1, 2, 3, 4, 5};
  auto first = ask(0, ids);
  answer(0, std::vector<Answer>(5, {State, {1, 1, 0, 0}}));
  EXPECT_EQ(first->values, Floats(10, 1));
  EXPECT_EQ(counters().states, 5);
  EXPECT_EQ(counters().copies, 2);
  update(ids, 2);
  auto second = ask(1, ids);
  EXPECT_EQ(held(), (Held{1, 1, 0, 0, 0}));
  // The copies that the step uses make no room for others of it.
  answer(1, {{}, {}, {State, {5, 5, 0, 0}}, {Value, {6, 6}}, {Value, {7, 7}}});
  EXPECT_EQ(second->row(1), (Floats{0, 0}));
  EXPECT_EQ(counters().copies, 2);
}

TEST_F(CachedRowsTest, KeptRowsOfAStepAreNotDroppedForNewOnes) {
  make(2);
  stepOfStates(0, {1, 2});
  // The new row comes first.
  auto second = ask(1, {3, 1, 2});
  EXPECT_EQ(held(), (Held{0, 1, 1}));
  answer(1, {{State, {3, 3, 0, 0}}, {}, {}});
  EXPECT_EQ(second->values, (Floats{3, 3, 1, 1, 1, 1}));
  update({3, 1, 2}, 2);
  auto third = ask(2, {3, 1, 2});
  EXPECT_EQ(held(), (Held{0, 1, 1}));
  answer(2, {{Value, {4, 4}}, {}, {}});
  EXPECT_EQ(third->values, (Floats{4, 4, 0, 0, 0, 0}));
}

TEST_F(CachedRowsTest, RowsOfNewStepsTakeThePlaceOfOldOnes) {
  make(2);
  stepOfStates(0, {1, 2});
  stepOfStates(1, {3}, 3);
  auto third = ask(2, {1, 2, 3});
  EXPECT_EQ(held()[0] + held()[1], 1);
  EXPECT_EQ(held()[2], 1);
  EXPECT_EQ(counters().copies, 2);
  const bool first = held()[0];
  answer(2, {first ? Answer{} : Answer{Value, {8, 8}},
             first ? Answer{Value, {8, 8}} : Answer{},
             {}});
  EXPECT_EQ(third->row(first ? 0 : 1), (Floats{1, 1}));
  EXPECT_EQ(third->row(2), (Floats{3, 3}));
}

//===----------------------------------------------------------------------===//
// What needs no copies
//===----------------------------------------------------------------------===//

TEST_F(CachedRowsTest, OtherCallsGoToTheHolders) {
  make(10);
  EXPECT_EQ(rows->findSpec("emb")->slots.size(), 1u);
  EXPECT_EQ(rows->findSpec("other"), nullptr);
  stepOfStates(0, {1});
  // Evaluation sees what the pservers have.
  auto frozen = ask(7, {1, 2}, "emb", /*create=*/false);
  auto other = ask(1, {1}, "other");
  for (auto *asked : {frozen.get(), other.get()})
    EXPECT_TRUE(asked->pending.answered());
  Floats grads(2);
  Pending pushed, checked;
  rows->push(1,
             {{"emb", DType::F32, /*width=*/2, std::vector<int64_t>{4}},
              std::as_bytes(std::span(grads))},
             pushed.done());
  rows->checkLimits(2, checked.done());
  EXPECT_OK(pushed.wait());
  EXPECT_OK(checked.wait());
  EXPECT_EQ(holders->others, (std::vector<std::string>{
                                 "frozen prefetch @emb step 7 ids 2",
                                 "prefetch @other step 1 ids 1",
                                 "push @emb step 1 ids 1", "limits step 2"}));
  EXPECT_TRUE(holders->calls.empty());
  EXPECT_EQ(rows->counters().size(), 1u);
  EXPECT_EQ(counters().states, 1);
  // None of it is a step of the copies.
  auto next = ask(1, {1});
  EXPECT_EQ(held(), Held{1});
}

TEST_F(CachedRowsTest, TablesKeepTheirCopiesApart) {
  auto made = std::make_unique<FakeHolders>();
  holders = made.get();
  rows = *CachedRows::create(std::move(made),
                             {{spec("emb"), 4}, {spec("other"), 4}}, 1, {});
  auto first = ask(0, {1});
  answer(0, {{State, {1, 1, 0, 0}}});
  auto other = ask(0, {1}, "other");
  EXPECT_EQ(held(), Held{0});
  answer(0, {{State, {5, 5, 0, 0}}});
  ASSERT_TRUE(other->pending.answered());
  update({1}, 2, 1, "other");
  // The other table's update is not this one's.
  auto second = ask(1, {1});
  answer(1, {{}});
  EXPECT_FALSE(second->pending.answered());
  update({1}, 4);
  EXPECT_EQ(second->values, (Floats{-1, -1}));
  auto last = ask(1, {1}, "other");
  answer(1, {{}});
  EXPECT_EQ(last->values, (Floats{4, 4}));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(CachedRowsTest, ErrorsOfTheHoldersReachTheCaller) {
  make(10);
  stepOfStates(0, {1});
  auto failing = ask(1, {1, 2});
  take(1).done(absl::ResourceExhaustedError("table 'emb' is full"));
  expectError(failing->pending.wait(), absl::StatusCode::kResourceExhausted,
              {"table 'emb' is full"});
  // The step has failed: what comes after it does, too, and sends nothing.
  auto next = ask(2, {1});
  expectError(next->pending.wait(), absl::StatusCode::kResourceExhausted,
              {"table 'emb' is full"});
  EXPECT_TRUE(holders->calls.empty());
  // Not so evaluation, and pushes, of which the holders know best.
  EXPECT_OK(ask(0, {1}, "emb", /*create=*/false)->pending.wait());
  holders->otherStatus = absl::AbortedError("trainer 1 failed");
  expectError(ask(0, {1}, "emb", /*create=*/false)->pending.wait(),
              absl::StatusCode::kAborted, {"trainer 1 failed"});
}

TEST_F(CachedRowsTest, WhatWaitsForAStepThatFailsFails) {
  make(10);
  auto first = ask(0, {1}), second = ask(1, {}), third = ask(2, {1});
  answer(1, {});
  take(0).done(absl::UnavailableError("pserver is gone"));
  for (auto *asked : {first.get(), second.get()}) {
    ASSERT_TRUE(asked->pending.answered());
    expectError(asked->pending.wait(), absl::StatusCode::kUnavailable,
                {"pserver is gone"});
  }
  // An answer that comes afterwards.
  answer(2, {{State, {1, 1, 0, 0}}});
  expectError(third->pending.wait(), absl::StatusCode::kUnavailable,
              {"pserver is gone"});
  EXPECT_EQ(counters().copies, 0);
}

TEST_F(CachedRowsTest, AStepIsUpdatedAlthoughTheNextOneFails) {
  make(10);
  auto first = ask(0, {1}), second = ask(1, {1});
  answer(0, {{State, {1, 1, 0, 0}}});
  take(1).done(absl::UnavailableError("pserver is gone"));
  ASSERT_TRUE(second->pending.answered());
  EXPECT_OK(first->pending.wait());
  update({1}, 2);
  EXPECT_EQ(counters().copies, 1);
}

TEST_F(CachedRowsTest, WhatWaitsForAnUpdateThatNeverComesIsCancelled) {
  make(10);
  auto first = ask(0, {1}), second = ask(1, {1}), third = ask(2, {});
  answer(0, {{State, {1, 1, 0, 0}}});
  answer(1, {{State, {1, 1, 0, 0}}});
  answer(2, {});
  EXPECT_FALSE(second->pending.answered());
  rows.reset();
  for (auto *asked : {second.get(), third.get()}) {
    ASSERT_TRUE(asked->pending.answered());
    expectError(asked->pending.wait(), absl::StatusCode::kCancelled,
                {"the step before did not update its rows of table 'emb'"});
  }
}

TEST_F(CachedRowsTest, RowsThatNoMemoryHolds) {
  make(10);
  std::vector<int64_t> ids(size_t{8} << 20);
  std::vector<float> values(2 * ids.size());
  MemoryLimit limit(size_t{64} << 20);
  if (!limit.holds())
    GTEST_SKIP();
  Pending pending;
  rows->prefetch(0, {{"emb", DType::F32, /*width=*/2, ids}, bytesOf(values)},
                 pending.done());
  expectError(pending.wait(), absl::StatusCode::kResourceExhausted,
              {"table '@emb': no memory for 8388608 rows of 16 bytes"});
}

TEST_F(CachedRowsTest, WhatWaitsForAnUpdateThatFailsFails) {
  make(10);
  auto first = ask(0, {});
  answer(0, {});
  auto second = ask(1, {2});
  answer(1, {{State, {1, 1, 0, 0}}});
  std::vector<int64_t> ids(size_t{4} << 20);
  std::iota(ids.begin(), ids.end(), 0);
  RowBatch batch(DType::F32, 2);
  RowLookup lookup{ids, std::nullopt};
  ASSERT_OK(batch.assign(std::span(&lookup, 1)));
  MemoryLimit limit(size_t{16} << 20);
  if (!limit.holds())
    GTEST_SKIP();
  RowUpdateCall call{&batch, rowUpdate, {}, {}};
  for (absl::Status status :
       {runNode(rows->makeUpdateNode("emb", call), 1), second->pending.wait(),
        ask(2, {2})->pending.wait()})
    expectError(status, absl::StatusCode::kResourceExhausted,
                {"table '@emb': cannot allocate"});
}

TEST_F(CachedRowsTest, TablesAreChecked) {
  auto create = [](std::vector<CachedTable> tables) {
    return CachedRows::create(std::make_unique<FakeHolders>(),
                              std::move(tables), 1, {})
        .status();
  };
  expectError(create({{spec(), 5}, {spec(), 6}}), invalid,
              {"table '@emb' is given twice"});
  expectError(
      create({{spec(), 0}}), invalid,
      {"table '@emb' with cache_rows = 0", "1 to 2147483647 rows, found 0"});
  TableSpec wide = spec();
  wide.width = int64_t{1} << 40;
  expectError(create({{wide, INT32_MAX}}), absl::StatusCode::kResourceExhausted,
              {"table '@emb' with cache_rows = 2147483647",
               "cannot reserve addresses for"});
  TableSpec negative = spec();
  negative.slots[0].type.shape = {-1};
  expectError(create({{negative, 5}}), invalid,
              {"table '@emb': slot 'sum': negative dimension"});
  EXPECT_OK(create({}));
}

} // namespace
