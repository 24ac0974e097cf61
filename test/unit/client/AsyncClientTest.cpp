// SPDX-License-Identifier: Apache-2.0
//===- AsyncClientTest.cpp - pushes and pulls behind training -------------===//
//
// Every push adds 1 to each element of a block, or of a row: what counts in the
// end is whether the sums are exact.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/AsyncClient.h"
#include "runtime/client/QueuedPush.h"
#include "test/unit/links/TransportCluster.h"
#include "test/unit/table/TableTesting.h"
#include <thread>

using namespace ps::runtime;

namespace {
using Kind = FaultPlan::Kind;

/// Added as rate * -gradient.
constexpr float gradientOfOne = -1 / rate;
constexpr size_t size = 300000; // two chunks

class AsyncClientTest : public ::testing::TestWithParam<Transport> {
protected:
  void start(int trainers) {
    TableSpec spec;
    spec.name = "emb";
    spec.width = 2;
    spec.maxRows = 1000;
    cluster.emplace(GetParam(),
                    Cluster::Setup{.trainers = trainers,
                                   .synchronization = Synchronization::Async,
                                   .tables = {spec}});
  }
  std::unique_ptr<Client>
  connect(int trainer, size_t queueLength,
          const std::shared_ptr<FaultPlan> &plan = nullptr,
          size_t maxMerge = 1) {
    return makeAsyncClient(cluster->connect(trainer, plan),
                           {.queueLength = queueLength, .maxMerge = maxMerge});
  }
  /// Pushes steps [0, count) of both blocks and of a row, without waiting for
  /// more than room in the queues.
  static void train(Client &client, int64_t count, int64_t first = 0) {
    std::vector<float> w(size, gradientOfOne), b(7, gradientOfOne);
    std::vector<float> row(2, gradientOfOne);
    const std::vector<int64_t> ids{5};
    for (int64_t step = first; step < first + count; ++step) {
      std::vector<Pending> pending(3);
      startPush(client, step, "w", DType::F32, std::as_bytes(std::span(w)),
                pending[0].done());
      startPush(client, step, "b", DType::F32, std::as_bytes(std::span(b)),
                pending[1].done());
      client.pushRows(
          step, {{"emb", DType::F32, 2, ids}, std::as_bytes(std::span(row))},
          pending[2].done());
      for (Pending &each : pending)
        EXPECT_OK(each.wait());
    }
  }
  /// What the pserver has in the end.
  void expectSum(Client &client, int64_t step, float expected) {
    EXPECT_OK(sendBarrier(client, step));
    std::vector<float> w(size), b(7);
    EXPECT_OK(pull(client, startupStep, "w", w));
    EXPECT_OK(pull(client, startupStep, "b", b));
    EXPECT_EQ(w, std::vector<float>(size, 1 + expected));
    EXPECT_EQ(b, std::vector<float>(7, 1 + expected));
    const auto *row =
        reinterpret_cast<const float *>(cluster->tables[0]->find(5));
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row[0], expected);
  }

  std::optional<Cluster> cluster;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(All, AsyncClientTest, allTransports, nameOf);

TEST_P(AsyncClientTest, NothingIsLostInQueuesThatAreFull) {
  for (size_t queueLength : {1, 3}) {
    start(/*trainers=*/2);
    std::unique_ptr<Client> a = connect(0, queueLength);
    std::unique_ptr<Client> b = connect(1, queueLength);
    std::thread other([&] { train(*b, 60); });
    train(*a, 100);
    other.join();
    EXPECT_OK(complete(*b)); // when its queues are empty
    expectSum(*a, 99, 160);
    EXPECT_EQ(cluster->pserver->staleness()->pushes, 3u * 160);
    EXPECT_OK(complete(*a));
    EXPECT_OK(cluster->pserver->wait());
  }
}

TEST_P(AsyncClientTest, NothingIsLostOrCountedTwiceOverABadConnection) {
  start(/*trainers=*/1);
  auto plan = std::make_shared<FaultPlan>();
  plan->strikeEvery(Op::kPush, 3, Kind::DropAnswer);
  plan->strikeEvery(Op::kPushRows, 2, Kind::Duplicate);
  plan->strikeEvery(Op::kPull, 5, Kind::DropRequest);
  std::unique_ptr<Client> client = connect(0, 4, plan);
  train(*client, 60);
  expectSum(*client, 59, 60);
}

/// The second push is stuck until the others wait: they go as one.
TEST_P(AsyncClientTest, PushesThatWaitGoAsOne) {
  start(/*trainers=*/1);
  auto plan = std::make_shared<FaultPlan>();
  plan->strikeEvery(Op::kPushRows, 2, Kind::DropAnswer);
  std::unique_ptr<Client> client = connect(0, 9, plan, /*maxMerge=*/5);
  std::vector<std::vector<int64_t>> ids;
  for (int64_t i = 0; i < 9; ++i)
    ids.push_back({5, 10 + i % 2});
  std::vector<float> rows(4, gradientOfOne);
  std::vector<Pending> pending(9);
  for (int64_t step = 0; step < 9; ++step)
    client->pushRows(
        step,
        {{"emb", DType::F32, 2, ids[step]}, std::as_bytes(std::span(rows))},
        pending[step].done());
  for (Pending &each : pending)
    EXPECT_OK(each.wait());
  EXPECT_OK(sendBarrier(*client, 8));
  auto valueOf = [&](int64_t id) {
    return *reinterpret_cast<const float *>(cluster->tables[0]->find(id));
  };
  EXPECT_EQ(valueOf(5), 9);
  EXPECT_EQ(valueOf(10), 5);
  EXPECT_EQ(valueOf(11), 4);
  // One, one, five, two, or fewer.
  EXPECT_LT(cluster->pserver->staleness()->pushes, 9u);
}

TEST_P(AsyncClientTest, NothingIsLostWhereBlocksAreAddedUp) {
  start(/*trainers=*/2);
  auto plan = std::make_shared<FaultPlan>();
  plan->strikeEvery(Op::kPush, 3, Kind::DropAnswer); // Others wait meanwhile.
  std::unique_ptr<Client> a = connect(0, 8, plan, /*maxMerge=*/3);
  std::unique_ptr<Client> b = connect(1, 2, nullptr, /*maxMerge=*/2);
  std::thread other([&] { train(*b, 60); });
  train(*a, 100);
  other.join();
  EXPECT_OK(complete(*b));
  expectSum(*a, 99, 160);
  EXPECT_LT(cluster->pserver->staleness()->pushes, 3u * 160);
}

TEST_P(AsyncClientTest, AStepSeesOneAnswer) {
  start(/*trainers=*/1);
  std::unique_ptr<Client> client = connect(0, 2);
  std::vector<float> w(size), b(7);
  float last = 0;
  int changes = 0;
  for (int64_t step = 0; step < 200; ++step) {
    train(*client, 1, step);
    EXPECT_OK(pull(*client, step, "w", w));
    EXPECT_OK(pull(*client, step, "b", b));
    for (const std::vector<float> *each : {&w, &b})
      for (float value : *each)
        ASSERT_EQ(value, each->front()) << "a torn value at step " << step;
    EXPECT_GE(w[0], last);
    changes += w[0] != last;
    last = w[0];
  }
  EXPECT_GT(changes, 3) << "nothing came in the background";
}

TEST_P(AsyncClientTest, AFailureEndsWhatWaits) {
  start(/*trainers=*/1);
  std::unique_ptr<Client> client = connect(0, 1);
  train(*client, 3);
  cluster->pserver->stop(absl::AbortedError("enough"));
  expectError(lossOf(*client), absl::StatusCode::kAborted, {"enough"});
  std::vector<float> w(size, gradientOfOne);
  absl::Status status;
  for (int i = 0; i < 3; ++i)
    status.Update(push(*client, 3, "w", w));
  expectError(status, absl::StatusCode::kAborted, {"enough"});
  expectError(sendBarrier(*client, 3), absl::StatusCode::kAborted, {"enough"});
}
