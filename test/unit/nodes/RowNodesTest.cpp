// SPDX-License-Identifier: Apache-2.0
//===- RowNodesTest.cpp - a step over tables, node by node ----------------===//

#include "runtime/nodes/RowNodes.h"
#include "test/unit/RuntimeTesting.h"
#include "gmock/gmock.h"
#include <cstring>
#include <map>
#include <thread>

using namespace ps::runtime;
using ::testing::ElementsAre;

namespace {
constexpr int64_t kWidth = 2;

/// buffers: a row, its gradient, the learning rate.
void descend(void *const *buffers, int64_t, int64_t) {
  float *row = static_cast<float *>(buffers[0]);
  const float *gradient = static_cast<float *>(buffers[1]);
  for (int64_t j = 0; j != kWidth; ++j)
    row[j] -= *static_cast<float *>(buffers[2]) * gradient[j];
}

/// Rows elsewhere: answers from a thread of its own.
class FakeSource final : public RowSource {
public:
  ~FakeSource() override {
    for (std::thread &thread : threads)
      thread.join();
  }

  void prefetch(int64_t step, const RowRequest &request, Done done) override {
    calls.push_back(absl::StrCat("prefetch ", step, " @", request.table,
                                 request.frozen ? " frozen" : " create"));
    answer(std::move(done), [this, request] {
      auto *values = reinterpret_cast<float *>(request.values);
      for (int64_t id : request.ids)
        values = std::copy_n(rows[id].begin(), kWidth, values);
    });
  }

  void checkLimits(int64_t, Done done) override { done(absl::OkStatus()); }

  void push(int64_t step, const RowGradients &pushed, Done done) override {
    calls.push_back(absl::StrCat("push ", step, " @", pushed.table));
    answer(std::move(done), [this, pushed] {
      auto *gradients =
          reinterpret_cast<const float *>(pushed.gradients.data());
      for (int64_t id : pushed.ids)
        for (float &value : rows[id])
          value -= *gradients++;
    });
  }

  std::map<int64_t, std::array<float, kWidth>> rows;
  std::vector<std::string> calls;
  absl::Status status;

private:
  void answer(Done done, std::function<void()> work) {
    threads.emplace_back([this, work, done = std::move(done)]() mutable {
      if (status.ok())
        work();
      done(status);
    });
  }
  std::vector<std::thread> threads;
};

/// Two lookups of a table, the second pooled, whose results are their own
/// gradients.
struct Step {
  Step() : batch(program.ownRows(DType::F32, kWidth)) {
    bag.dtype = DType::I64;
    weights.dtype = DType::F32;
    rate = 0.5f;
  }

  TensorRef plainIds() {
    return {{DType::I64, {int64_t(ids.size())}},
            reinterpret_cast<std::byte *>(ids.data())};
  }
  PrefetchCall prefetch(bool create) {
    PrefetchCall call;
    call.rows = &batch;
    call.table = "emb";
    call.ids = {{plainIds(), nullptr, "ids"}, {{}, &bag, "s1"}};
    call.paddings = {std::nullopt, 0};
    call.create = create;
    return call;
  }
  LookupCall plain() {
    LookupCall call;
    call.rows = &batch;
    call.table = "emb";
    call.values = ref(plainResult);
    return call;
  }
  LookupCall pooled() {
    LookupCall call = plain();
    call.lookup = 1;
    call.pooling = Pooling::Sum;
    call.offsets = {
        {{DType::I64, {2}}, reinterpret_cast<std::byte *>(offsets.data())},
        nullptr,
        "s1.offsets"};
    call.weights = {{}, &weights, "s1.weights"};
    call.values = ref(pooledResult);
    return call;
  }
  static TensorRef ref(std::vector<float> &numbers) {
    return {{DType::F32, {int64_t(numbers.size()) / kWidth, kWidth}},
            reinterpret_cast<std::byte *>(numbers.data())};
  }

  void add(std::unique_ptr<Node> node) {
    std::vector<NodeId> after;
    if (program.size() != 0)
      after.push_back(static_cast<NodeId>(program.size()) - 1);
    program.addNode(std::move(node), after);
  }
  void addLookups() {
    add(makeLookupNode(plain()));
    add(makeLookupNode(pooled()));
    add(makeLookupGradientNode(plain()));
    add(makeLookupGradientNode(pooled()));
  }
  void fillBag(std::vector<int64_t> bagIds, std::vector<float> bagWeights) {
    EXPECT_OK(bag.assign(bagIds.size()));
    std::copy(bagIds.begin(), bagIds.end(), bag.as<int64_t>());
    EXPECT_OK(weights.assign(bagWeights.size()));
    std::copy(bagWeights.begin(), bagWeights.end(), weights.as<float>());
  }

  std::vector<int64_t> ids = {3, -1, 3};
  std::vector<int64_t> offsets = {0, 0};
  RaggedBuffer bag, weights;
  std::vector<float> plainResult = std::vector<float>(3 * kWidth);
  std::vector<float> pooledResult = std::vector<float>(2 * kWidth);
  float rate;
  Program program;
  RowBatch &batch;
};

std::unique_ptr<Table> makeTable(int64_t maxRows,
                                 std::optional<ClickAccessor> clicks = {}) {
  TableSpec spec;
  spec.clicks = clicks;
  spec.name = "emb";
  spec.width = kWidth;
  spec.maxRows = maxRows;
  spec.initial = {InitialValue::Kind::Constant, 1, 0};
  auto table = Table::create(std::move(spec), 1);
  EXPECT_TRUE(table.ok()) << table.status();
  return *std::move(table);
}

std::vector<float> valuesOf(Table &table, std::vector<int64_t> ids) {
  std::vector<float> values(ids.size() * kWidth);
  EXPECT_OK(table.lookup(ids, /*create=*/false,
                         reinterpret_cast<std::byte *>(values.data())));
  return values;
}

/// An update of rows of `table` that reads the rate from `rate`.
std::shared_ptr<RowUpdate> makeUpdate(const Table &table, float &rate) {
  std::vector<std::byte> row(table.layout().bytes);
  float gradient[kWidth];
  RowStep step;
  step.kernel.function = descend;
  step.kernel.buffers = {row.data(), gradient, &rate};
  auto update = RowUpdate::create(
      {&step, 1},
      {row, std::as_writable_bytes(std::span(gradient)), /*scratch=*/{}});
  EXPECT_TRUE(update.ok());
  return std::make_shared<RowUpdate>(*std::move(update));
}
} // namespace

TEST(RowNodes, TrainATableOfThisProcess) {
  std::unique_ptr<Table> table = makeTable(10);
  float rateInput = 0;

  Step run;
  run.add(makeReadRowsNode(run.prefetch(/*create=*/true), *table));
  run.addLookups();
  RowUpdateCall call;
  call.rows = &run.batch;
  call.update = makeUpdate(*table, rateInput);
  call.rate = {{DType::F32, {}}, reinterpret_cast<std::byte *>(&run.rate)};
  call.rateInput = {{DType::F32, {}},
                    reinterpret_cast<std::byte *>(&rateInput)};
  run.add(makeUpdateRowsNode(std::move(call), *table, /*endsStep=*/true));
  run.fillBag({3, 0, 7}, {2, 5, 1});
  auto executor = makeExecutor(2);
  EXPECT_OK(executor->run(run.program, 0));
  EXPECT_THAT(run.plainResult, ElementsAre(1, 1, 1, 1, 1, 1));
  EXPECT_THAT(run.pooledResult, ElementsAre(0, 0, 3, 3));
  // Row 3: two plain lookups and 2 x 3 from the bag; no row for the padding.
  EXPECT_EQ(table->size(), 3);
  EXPECT_THAT(valuesOf(*table, {3, -1, 7, 0}),
              ElementsAre(-3, -3, 0.5, 0.5, -0.5, -0.5, 0, 0));

  run.ids = {-1, -1, -1};
  run.fillBag({}, {});
  run.rate = 1;
  EXPECT_OK(executor->run(run.program, 1));
  EXPECT_THAT(run.pooledResult, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(valuesOf(*table, {3, -1}), ElementsAre(-3, -3, -1, -1));
  EXPECT_EQ(table->time(), 2);
}

TEST(RowNodes, ScaleGradientsByShows) {
  ClickAccessor clicks;
  clicks.showScale = true;
  std::unique_ptr<Table> table = makeTable(10, clicks);
  float rate = 1;
  std::vector<float> clicked = {1, 0, 0};
  Step run;
  run.add(makeReadRowsNode(run.prefetch(/*create=*/true), *table));
  run.add(makeLookupNode(run.plain()));
  run.add(makeLookupGradientNode(run.plain()));
  LookupCall counted = run.plain();
  counted.values = {{DType::F32, {3}},
                    reinterpret_cast<std::byte *>(clicked.data())};
  run.add(makeLookupClicksNode(counted));
  RowUpdateCall call;
  call.rows = &run.batch;
  call.update = makeUpdate(*table, rate);
  run.add(makeUpdateRowsNode(std::move(call), *table, /*endsStep=*/false));
  EXPECT_OK(makeExecutor(1)->run(run.program, 0));
  // The gradient of row 3 is 1 + 1, for two shows.
  EXPECT_THAT(valuesOf(*table, {3, -1}), ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(table->format().clicks(table->find(3))->show, 2);
  EXPECT_EQ(table->format().clicks(table->find(3))->click, 1);
}

TEST(RowNodes, FrozenReadsCreateNothing) {
  std::unique_ptr<Table> table = makeTable(10);
  Step run;
  run.add(makeReadRowsNode(run.prefetch(/*create=*/false), *table));
  run.addLookups();
  run.fillBag({1, 2}, {1, 1});
  EXPECT_OK(makeExecutor(1)->run(run.program, 0));
  EXPECT_THAT(run.plainResult, ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_EQ(table->size(), 0);
}

TEST(RowNodes, TrainRowsOfOthers) {
  FakeSource source;
  source.rows = {{3, {1, 2}}, {-1, {3, 4}}, {7, {5, 6}}};
  Exchange exchange{{.count = 2}, 1};
  Step run;
  run.add(makePrefetchNode(run.prefetch(/*create=*/true), source, exchange));
  run.addLookups();
  run.add(makePushRowsNode(run.batch, "emb", source, exchange));
  run.fillBag({7}, {2});
  EXPECT_OK(makeExecutor(2)->run(run.program, 4));
  EXPECT_THAT(source.calls,
              ElementsAre("prefetch 9 @emb create", "push 9 @emb"));
  EXPECT_THAT(run.plainResult, ElementsAre(1, 2, 3, 4, 1, 2));
  EXPECT_THAT(run.pooledResult, ElementsAre(0, 0, 10, 12));
  EXPECT_THAT(source.rows[3], ElementsAre(-1, -2));
  EXPECT_THAT(source.rows[7], ElementsAre(-15, -18));
}

// What the next step looks up is asked for while this one runs, and only then
// is there no second question.
TEST(RowNodes, PrefetchBeginsEarly) {
  FakeSource source;
  source.rows = {{3, {1, 2}}, {-1, {3, 4}}, {7, {5, 6}}, {8, {9, 9}}};
  Step run;
  PrefetchCall call = run.prefetch(/*create=*/true);
  auto node = makePrefetchNode(call, source, {});
  EarlyNode &early = *node;
  run.add(std::move(node));
  run.add(makeLookupNode(run.plain()));
  run.fillBag({7}, {1});
  auto executor = makeExecutor(1);
  EXPECT_OK(executor->run(run.program, 0));

  std::vector<int64_t> nextIds = {8, 3, 8};
  Step next;
  next.fillBag({}, {});
  std::map<std::string, TensorRef> feeds = {
      {"ids",
       {{DType::I64, {3}}, reinterpret_cast<std::byte *>(nextIds.data())}}};
  std::map<std::string, RaggedBuffer> ragged;
  ragged["s1"] = std::move(next.bag);
  std::stop_source stop;
  early.begin(1, {feeds, ragged}, stop.get_token());
  // The rows of step 1 are not taken: there is no room for others.
  stop.request_stop();
  early.begin(2, {feeds, ragged}, stop.get_token());
  run.ids = nextIds;
  EXPECT_OK(executor->run(run.program, 1));
  EXPECT_THAT(run.plainResult, ElementsAre(9, 9, 1, 2, 9, 9));

  source.status = absl::UnavailableError("pserver died");
  early.begin(2, {feeds, ragged}, {});
  EXPECT_TRUE(failsWith(executor->run(run.program, 2),
                        absl::StatusCode::kUnavailable, "pserver died"));
  EXPECT_THAT(source.calls,
              ElementsAre("prefetch 0 @emb create", "prefetch 1 @emb create",
                          "prefetch 2 @emb create"));
}

TEST(RowNodes, FailuresNameTableAndFeed) {
  FakeSource source;
  Step run;
  run.add(makePrefetchNode(run.prefetch(true), source, {}));
  run.addLookups();
  auto executor = makeExecutor(1);
  constexpr auto invalid = absl::StatusCode::kInvalidArgument;
  run.offsets = {0, 2};
  run.fillBag({7}, {1});
  EXPECT_TRUE(failsWith(executor->run(run.program, 0), invalid,
                        "table '@emb': feed 's1.offsets': expected offset 1 in "
                        "0..1, found 2"));
  run.offsets = {0, 1};
  run.fillBag({7}, {1, 2});
  EXPECT_TRUE(failsWith(executor->run(run.program, 1), invalid,
                        "table '@emb': feed 's1.weights' holds 2 weights for "
                        "1 ids"));
  source.status = absl::UnavailableError("pserver died");
  EXPECT_TRUE(failsWith(executor->run(run.program, 2),
                        absl::StatusCode::kUnavailable, "pserver died"));
  std::unique_ptr<Table> small = makeTable(1);
  Step local;
  local.add(makeReadRowsNode(local.prefetch(true), *small));
  EXPECT_TRUE(failsWith(executor->run(local.program, 0),
                        absl::StatusCode::kResourceExhausted, "emb"));
}

TEST(RowNodes, TracesTellThemApart) {
  EXPECT_TRUE(isTransfer(Node::Kind::Prefetch));
  EXPECT_TRUE(isTransfer(Node::Kind::PushRows));
  for (auto [kind, name] : {std::pair(Node::Kind::ReadRows, "read_rows"),
                            {Node::Kind::Lookup, "lookup"},
                            {Node::Kind::LookupGradient, "lookup_gradient"},
                            {Node::Kind::UpdateRows, "update_rows"}}) {
    EXPECT_FALSE(isTransfer(kind));
    EXPECT_EQ(kindName(kind), name);
  }
}
