// SPDX-License-Identifier: Apache-2.0
//===- TransportTest.cpp - conformance of the transports ------------------===//
//
// Every test runs in-process and over gRPC: what a program sees of a pserver
// must not depend on the wire between them.
//
//===----------------------------------------------------------------------===//

#include "runtime/protocol/status.pb.h"
#include "test/unit/links/TransportCluster.h"
#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

using namespace ps::runtime;
using ::testing::TestWithParam;

namespace {

absl::Status runTrainer(Cluster &cluster, Client &client, int trainer,
                        int64_t steps, Values &values) {
  values = valuesOf(cluster);
  absl::Status status = fetch(client, startupStep, values);
  for (int64_t step = 0; step < steps && status.ok(); ++step)
    status =
        trainStep(client, step, gradientsOf(cluster, trainer, step), values);
  if (status.ok())
    status = complete(client);
  return status;
}

class TransportTest : public TestWithParam<Transport> {
protected:
  /// Makes a cluster whose trainers have pulled and may push step 0.
  void startTraining(Cluster::Setup setup) {
    cluster = std::make_unique<Cluster>(GetParam(), setup);
    for (int i = 0; i < setup.trainers; ++i) {
      clients.push_back(cluster->connect(i));
      ASSERT_TRUE(clients.back());
      Values values = valuesOf(*cluster);
      ASSERT_OK(fetch(*clients[i], startupStep, values));
    }
  }

  std::unique_ptr<Cluster> cluster;
  std::vector<std::unique_ptr<Client>> clients;
};

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

TEST_P(TransportTest, StartupPullsBringInitialValues) {
  Cluster cluster(GetParam(), {});
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  Values values = valuesOf(cluster);
  ASSERT_OK(fetch(*client, startupStep, values));
  expectTrained(values, 1, 0);
  EXPECT_EQ(cluster.pserver->updatedStep(), startupStep);
}

TEST_P(TransportTest, StepsEqualArithmetic) {
  for (int trainers = 1; trainers <= 3; ++trainers) {
    Cluster cluster(GetParam(), {.trainers = trainers});
    std::vector<Values> values(trainers);
    std::vector<std::thread> threads;
    for (int i = 0; i < trainers; ++i)
      threads.emplace_back([&, i] {
        auto client = cluster.connect(i);
        ASSERT_TRUE(client);
        EXPECT_OK(runTrainer(cluster, *client, i, 4, values[i]));
      });
    for (std::thread &thread : threads)
      thread.join();
    for (const Values &each : values)
      expectTrained(each, trainers, 4);
    EXPECT_OK(cluster.pserver->wait());
    EXPECT_EQ(cluster.pserver->updatedStep(), 3);
  }
}

TEST_P(TransportTest, BlocksOfAnySizeTravelWhole) {
  // Less than a chunk, just one, one and a bit, several; and an empty one.
  const int64_t perChunk = chunkBytes / sizeof(float);
  Cluster cluster(GetParam(),
                  {.blocks = {{"tiny", {DType::F32, {}}},
                              {"empty", {DType::F32, {0, 5}}},
                              {"one", {DType::F32, {perChunk}}},
                              {"more", {DType::F32, {perChunk + 1}}},
                              {"many", {DType::F32, {5, perChunk}}}}});
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  Values values;
  ASSERT_OK(runTrainer(cluster, *client, 0, 2, values));
  expectTrained(values, 1, 2);
}

template <typename T>
void checkMeanOfType(Transport transport, DType dtype, int trainers,
                     std::vector<T> pushed, T expected) {
  Cluster cluster(transport,
                  {.trainers = trainers, .blocks = {{"v", {dtype, {3}}}}});
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < trainers; ++i) {
    clients.push_back(cluster.connect(i));
    ASSERT_TRUE(clients.back());
    ASSERT_OK(fetchBarrier(*clients[i], startupStep));
  }
  std::vector<Pending> barriers(trainers);
  for (int i = 0; i < trainers; ++i) {
    std::vector<T> rows(3, pushed[i]);
    Pending pending;
    startPush(*clients[i], 0, "v", dtype, std::as_bytes(std::span(rows)),
              pending.done());
    ASSERT_OK(pending.wait());
    clients[i]->sendBarrier(0, barriers[i].done());
  }
  for (Pending &barrier : barriers)
    ASSERT_OK(barrier.wait());
  std::vector<T> rows(3);
  Pending pending;
  startPull(*clients[0], 0, "v", dtype, std::as_writable_bytes(std::span(rows)),
            pending.done());
  ASSERT_OK(pending.wait());
  for (T row : rows)
    EXPECT_EQ(row, expected);
}

TEST_P(TransportTest, MeansKeepTheirType) {
  checkMeanOfType<double>(GetParam(), DType::F64, 2, {1.5, 1e-9},
                          1.0 - 0.5 * ((1.5 + 1e-9) / 2));
  // The sum of these overflows f16; the mean does not.
  checkMeanOfType<_Float16>(GetParam(), DType::F16, 3,
                            {60000.f, 60000.f, 30000.f}, 50000.f);
  // 1 + 2^-8 twice: bf16 would lose both halves, f32 keeps them.
  checkMeanOfType<uint16_t>(GetParam(), DType::BF16, 2, {0x3f80, 0x3f81},
                            0x3f80);
  checkMeanOfType<uint16_t>(GetParam(), DType::BF16, 3,
                            {0x3f80, 0x3f82, 0x3f81}, 0x3f81);
}

TEST_P(TransportTest, DeterministicMeansDoNotDependOnArrival) {
  // (big + -big) + small differs from big + (-big + small).
  const float pushed[] = {1e8f, -1e8f, 1.f};
  const std::vector<std::vector<int>> orders = {
      {0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}};
  for (const std::vector<int> &order : orders) {
    Cluster cluster(GetParam(), {.trainers = 3,
                                 .blocks = {{"v", {DType::F32, {40}}}},
                                 .deterministic = true});
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 3; ++i) {
      clients.push_back(cluster.connect(i));
      ASSERT_TRUE(clients.back());
      ASSERT_OK(fetchBarrier(*clients[i], startupStep));
    }
    for (int i : order)
      ASSERT_OK(push(*clients[i], 0, "v", std::vector<float>(40, pushed[i])));
    std::vector<Pending> barriers(3);
    for (int i : order)
      clients[i]->sendBarrier(0, barriers[i].done());
    ASSERT_OK(barriers[0].wait());
    std::vector<float> rows(40);
    ASSERT_OK(pull(*clients[0], 0, "v", rows));
    for (float row : rows)
      EXPECT_EQ(row, 1.f - rate * (((1e8f + -1e8f) + 1.f) / 3.f));
  }
}

TEST_P(TransportTest, ServerWithoutBlocksKeepsStep) {
  Cluster cluster(GetParam(), {.blocks = {}});
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  Values values;
  EXPECT_OK(runTrainer(cluster, *client, 0, 3, values));
  EXPECT_OK(cluster.pserver->wait());
}

TEST_P(TransportTest, LargePushArrives) {
  Cluster cluster(GetParam(), {.blocks = {{"w", {DType::F32, {4 << 20}}}}});
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  Values values;
  ASSERT_OK(runTrainer(cluster, *client, 0, 1, values));
  expectTrained(values, 1, 1);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

TEST_P(TransportTest, UpdateWaitsForEveryTrainer) {
  startTraining({.trainers = 2, .blocks = {{"b", {DType::F32, {7}}}}});
  Pending first, second;
  ASSERT_OK(push(*clients[0], 0, "b", std::vector<float>(7, 1)));
  clients[0]->sendBarrier(0, first.done());
  ASSERT_OK(push(*clients[1], 0, "b", std::vector<float>(7, 3)));
  EXPECT_FALSE(first.answered());
  EXPECT_EQ(cluster->pserver->updatedStep(), startupStep);
  clients[1]->sendBarrier(0, second.done());
  ASSERT_OK(first.wait());
  ASSERT_OK(second.wait());
  std::vector<float> rows(7);
  ASSERT_OK(pull(*clients[0], 0, "b", rows));
  EXPECT_EQ(rows[0], 1 - rate * 2);
}

TEST_P(TransportTest, NextGradientsAreTakenWhileOthersPull) {
  startTraining({.trainers = 2, .blocks = {{"b", {DType::F32, {7}}}}});
  Pending barriers[2];
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(push(*clients[i], 0, "b", std::vector<float>(7, 1)));
    clients[i]->sendBarrier(0, barriers[i].done());
  }
  ASSERT_OK(barriers[0].wait());
  ASSERT_OK(barriers[1].wait());
  Values values{{"b", std::vector<float>(7)}};
  ASSERT_OK(fetch(*clients[0], 0, values));
  // Trainer 0 is a step ahead; trainer 1 still sees the values of step 0.
  Pending next;
  ASSERT_OK(push(*clients[0], 1, "b", std::vector<float>(7, 100)));
  clients[0]->sendBarrier(1, next.done());
  ASSERT_OK(fetch(*clients[1], 0, values));
  EXPECT_EQ(values["b"][0], 1 - rate);
  EXPECT_FALSE(next.answered());
  ASSERT_OK(push(*clients[1], 1, "b", std::vector<float>(7, 0)));
  ASSERT_OK(sendBarrier(*clients[1], 1));
  ASSERT_OK(next.wait());
}

TEST_P(TransportTest, NoTrainerPushesBeforeAllMayHavePulled) {
  // The first update needs all trainers, even those that come late.
  cluster = std::make_unique<Cluster>(
      GetParam(),
      Cluster::Setup{.trainers = 2, .blocks = {{"b", {DType::F32, {7}}}}});
  auto early = cluster->connect(0);
  ASSERT_TRUE(early);
  ASSERT_OK(fetchBarrier(*early, startupStep));
  ASSERT_OK(push(*early, 0, "b", std::vector<float>(7, 1)));
  Pending barrier;
  early->sendBarrier(0, barrier.done());
  auto late = cluster->connect(1);
  ASSERT_TRUE(late);
  Values values{{"b", std::vector<float>(7)}};
  ASSERT_OK(fetch(*late, startupStep, values));
  EXPECT_EQ(values["b"][0], 1);
  EXPECT_FALSE(barrier.answered());
  ASSERT_OK(push(*late, 0, "b", std::vector<float>(7, 1)));
  ASSERT_OK(sendBarrier(*late, 0));
  ASSERT_OK(barrier.wait());
}

//===----------------------------------------------------------------------===//
// Parts that travel together
//===----------------------------------------------------------------------===//

TEST_P(TransportTest, SmallPartsShareOneMessage) {
  // Together just a chunk.
  const int64_t half = chunkBytes / 8;
  Cluster cluster(GetParam(), {.trainers = 2,
                               .blocks = {{"a", {DType::F32, {half}}},
                                          {"b", {DType::F32, {half - 8}}},
                                          {"c", {DType::F32, {7}}},
                                          {"d", {DType::F32, {}}}}});
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&, i] {
      auto plan = std::make_shared<FaultPlan>();
      auto client = cluster.connect(i, plan);
      ASSERT_TRUE(client);
      Values values = valuesOf(cluster);
      ASSERT_OK(pullTogether(*client, startupStep, values));
      ASSERT_OK(fetchBarrier(*client, startupStep));
      for (int64_t step = 0; step < 3; ++step) {
        ASSERT_OK(pushTogether(*client, step, gradientsOf(cluster, i, step)));
        ASSERT_OK(sendBarrier(*client, step));
        ASSERT_OK(pullTogether(*client, step, values));
        ASSERT_OK(fetchBarrier(*client, step));
      }
      expectTrained(values, 2, 3);
      EXPECT_EQ(plan->count(wire::Request::kPush), 3);
      EXPECT_EQ(plan->count(wire::Request::kPull), 4);
      EXPECT_OK(complete(*client));
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_P(TransportTest, LargePartsDoNotHoldUpSmallOnes) {
  // Two small ones, one of two chunks, and one more than a chunk has room for.
  const int64_t perChunk = chunkBytes / sizeof(float);
  Cluster cluster(GetParam(), {.blocks = {{"a", {DType::F32, {3}}},
                                          {"b", {DType::F32, {4}}},
                                          {"c", {DType::F32, {perChunk + 1}}},
                                          {"d", {DType::F32, {perChunk}}},
                                          {"e", {DType::F32, {1}}},
                                          {"f", {DType::F32, {0}}}}});
  auto plan = std::make_shared<FaultPlan>();
  auto client = cluster.connect(0, plan);
  ASSERT_TRUE(client);
  Values values = valuesOf(cluster);
  ASSERT_OK(fetchBarrier(*client, startupStep));
  ASSERT_OK(pushTogether(*client, 0, gradientsOf(cluster, 0, 0)));
  EXPECT_EQ(plan->count(wire::Request::kPush), 1 + 2 + 1 + 1);
  ASSERT_OK(sendBarrier(*client, 0));
  ASSERT_OK(pullTogether(*client, 0, values));
  EXPECT_EQ(plan->count(wire::Request::kPull), 1 + 2 + 1 + 1);
  expectTrained(values, 1, 1);
}

TEST_P(TransportTest, ManyPartsNeedSeveralMessages) {
  std::vector<BlockSpec> blocks;
  for (size_t i = 0; i < maxRanges + 1; ++i)
    blocks.push_back({"b" + std::to_string(i), {DType::F32, {1}}});
  // Names count too: a header has its limit.
  for (int i = 0; i < 3; ++i)
    blocks.push_back(
        {std::string(12 << 10, 'c') + std::to_string(i), {DType::F32, {1}}});
  Cluster cluster(GetParam(), {.blocks = blocks});
  auto plan = std::make_shared<FaultPlan>();
  auto client = cluster.connect(0, plan);
  ASSERT_TRUE(client);
  Values values = valuesOf(cluster);
  ASSERT_OK(fetchBarrier(*client, startupStep));
  ASSERT_OK(pushTogether(*client, 0, gradientsOf(cluster, 0, 0)));
  EXPECT_EQ(plan->count(wire::Request::kPush), 2 + 3 - 1);
  ASSERT_OK(sendBarrier(*client, 0));
  ASSERT_OK(pullTogether(*client, 0, values));
  expectTrained(values, 1, 1);
}

TEST_P(TransportTest, RepeatedMessagesOfPartsCountOnce) {
  for (auto kind : {FaultPlan::Kind::Duplicate, FaultPlan::Kind::DropAnswer,
                    FaultPlan::Kind::DropRequest}) {
    Cluster cluster(GetParam(), {});
    auto plan = std::make_shared<FaultPlan>();
    for (int nth : {0, 2})
      for (Op op : {wire::Request::kPush, wire::Request::kPull})
        plan->strike(op, nth, kind);
    auto client = cluster.connect(0, plan);
    ASSERT_TRUE(client);
    Values values = {{"b", std::vector<float>(7)}};
    ASSERT_OK(fetchBarrier(*client, startupStep));
    for (int64_t step = 0; step < 2; ++step) {
      Values grads = gradientsOf(cluster, 0, step);
      ASSERT_OK(pushTogether(*client, step, grads));
      ASSERT_OK(sendBarrier(*client, step));
      ASSERT_OK(pullTogether(*client, step, values));
      ASSERT_OK(fetchBarrier(*client, step));
    }
    expectTrained(values, 1, 2);
  }
}

TEST_P(TransportTest, ForgedPartsAreRefused) {
  Cluster cluster(GetParam(), {});
  auto link = cluster.rawLink();
  Pending hello, begin;
  link->handshake(cluster.hello(0), hello.done());
  ASSERT_OK(hello.wait());
  const Peer peer{0, 1};
  link->fetchBarrier(peer, startupStep, begin.done());
  ASSERT_OK(begin.wait());
  std::vector<float> rows(14);
  const wire::Range b = makeRange(0, "b", DType::F32, 28, 0, 28);
  wire::Range unknown = b;
  unknown.set_block("c");
  auto pushOf = [&](std::vector<wire::Range> ranges, size_t bytes) {
    Pending pending;
    Piece piece = std::as_bytes(std::span(rows)).first(bytes);
    link->push(peer, 1, ranges, Pieces(&piece, 1), pending.done());
    return pending.wait();
  };
  const auto invalid = absl::StatusCode::kInvalidArgument;
  expectError(pushOf({}, 0), invalid, {"a push of 1 to 256 blocks", "found 0"});
  expectError(pushOf(std::vector<wire::Range>(257, b), 56), invalid,
              {"found 257"});
  expectError(pushOf({b, b}, 56), invalid, {"block 'b' twice"});
  expectError(pushOf({b, unknown}, 56), invalid, {"unknown block 'c'"});
  expectError(pushOf({b}, 56), invalid,
              {"expected 28 bytes of block 'b'", "found 56"});
  // None of it has begun to count.
  EXPECT_OK(pushOf({b}, 28));
  for (size_t count : {0, 257}) {
    Pending pending;
    link->pull(peer, std::vector<wire::Range>(count, b), pending.done());
    expectError(pending.wait(), invalid, {"a pull of 1 to 256 blocks"});
  }
}

//===----------------------------------------------------------------------===//
// Rounds, schedules, values
//===----------------------------------------------------------------------===//

TEST_P(TransportTest, EachRoundUpdatesItsOwnBlocks) {
  Cluster cluster(GetParam(), {.trainers = 2,
                               .blocks = {{"b", {DType::F32, {7}}, 0},
                                          {"n", {DType::F32, {}}, 1}},
                               .rounds = 2});
  const Rounds rounds{2};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&, i] {
      auto client = cluster.connect(i);
      ASSERT_TRUE(client);
      Values values = valuesOf(cluster);
      values["steps"] = {-1};
      ASSERT_OK(fetch(*client, startupStep, values));
      EXPECT_EQ(values["steps"][0], 0);
      for (int64_t step = 0; step < 3; ++step) {
        Values grads = gradientsOf(cluster, i, step);
        const std::vector<float> old = values["n"];
        ASSERT_OK(push(*client, rounds.at(step, 0), "b", grads["b"]));
        ASSERT_OK(sendBarrier(*client, rounds.at(step, 0)));
        ASSERT_OK(fetch(*client, rounds.at(step, 0), values));
        EXPECT_EQ(values["n"], old);
        // The schedule has run, and it runs once.
        EXPECT_EQ(values["steps"][0], static_cast<float>(step + 1));
        ASSERT_OK(push(*client, rounds.at(step, 1), "n", grads["n"]));
        ASSERT_OK(sendBarrier(*client, rounds.at(step, 1)));
        ASSERT_OK(fetch(*client, rounds.at(step, 1), values));
        EXPECT_EQ(values["steps"][0], static_cast<float>(step + 1));
      }
      values.erase("steps");
      expectTrained(values, 2, 3);
      EXPECT_OK(complete(*client));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_OK(cluster.pserver->wait());
  EXPECT_EQ(cluster.pserver->updatedStep(), 2);
}

TEST_P(TransportTest, ErrorsNameTheStepAndItsRound) {
  startTraining(
      {.blocks = {{"b", {DType::F32, {7}}, 0}, {"n", {DType::F32, {}}, 1}},
       .rounds = 2});
  Client &client = *clients[0];
  const auto order = absl::StatusCode::kFailedPrecondition;
  std::vector<float> one(1), seven(7);
  expectError(push(client, 0, "n", one), order,
              {"push of block 'n' at step 0 (round 0)",
               "expected a push of block 'n' in round 1"});
  ASSERT_OK(push(client, 0, "b", seven));
  ASSERT_OK(sendBarrier(client, 0));
  expectError(complete(client), order,
              {"pulls or the fetch barrier of step 0 (round 0)"});
  ASSERT_OK(fetchBarrier(client, 0));
  EXPECT_EQ(cluster->pserver->updatedStep(), startupStep);
  expectError(complete(client), order,
              {"pushes or the send barrier of step 0 (round 1)"});
  expectError(sendBarrier(client, 1), order,
              {"send barrier of step 0 (round 1)",
               "it had not pushed block 'n' at step 0 (round 1)"});
  ASSERT_OK(push(client, 1, "n", one));
  ASSERT_OK(sendBarrier(client, 1));
  EXPECT_EQ(cluster->pserver->updatedStep(), 0);
  expectError(pull(client, 2, "b", seven), order,
              {"of step 0 (round 1)", "of step 1 (round 0)"});
  EXPECT_OK(complete(client));
}

TEST_P(TransportTest, ValuesMayBePulledUntilTheyArePushedAgain) {
  startTraining({});
  Client &client = *clients[0];
  Values values = valuesOf(*cluster);
  ASSERT_OK(trainStep(client, 0, gradientsOf(*cluster, 0, 0), values));
  Values again = valuesOf(*cluster);
  again["steps"] = {-1};
  ASSERT_OK(pullTogether(client, 0, again));
  ASSERT_OK(fetchBarrier(client, 0));
  EXPECT_EQ(again["steps"], std::vector<float>{1});
  again.erase("steps");
  EXPECT_EQ(again, values);
  Values grads = gradientsOf(*cluster, 0, 1);
  ASSERT_OK(push(client, 1, "w", grads["w"]));
  ASSERT_OK(pull(client, 0, "b", again["b"]));
  EXPECT_EQ(again, values);
  std::vector<float> steps(1);
  const auto order = absl::StatusCode::kFailedPrecondition;
  for (const char *block : {"w", "steps"})
    expectError(
        pull(client, 0, block, block == std::string("w") ? again["w"] : steps),
        order,
        {"expected pulls of block", "at step 0 before the next push from "
                                    "trainer 0, found one after it"});
  ASSERT_OK(push(client, 1, "b", grads["b"]));
  ASSERT_OK(sendBarrier(client, 1));
  expectError(pull(client, 0, "b", again["b"]), order,
              {"pulls or the fetch barrier of step 1"});
}

TEST_P(TransportTest, ValuesOfARoundMayBePulledUntilTheNextSendBarrier) {
  startTraining({.blocks = {{"b", {DType::F32, {7}}}}, .rounds = 2});
  Client &client = *clients[0];
  std::vector<float> rows(7);
  ASSERT_OK(push(client, 0, "b", std::vector<float>(7, 1)));
  ASSERT_OK(pull(client, startupStep, "b", rows));
  EXPECT_EQ(rows[0], 1);
  ASSERT_OK(sendBarrier(client, 0));
  ASSERT_OK(pull(client, 0, "b", rows));
  EXPECT_EQ(rows[0], 1 - rate);
}

//===----------------------------------------------------------------------===//
// Updates and pulls before the send barrier
//===----------------------------------------------------------------------===//

/// A pull of one block under way, and where its bytes go.
struct EarlyPull {
  EarlyPull(Client &client, int64_t step, const std::string &block,
            size_t elements)
      : rows(elements, -1) {
    startPull(client, step, block, DType::F32,
              std::as_writable_bytes(std::span(rows)), pending.done());
  }

  std::vector<float> rows;
  Pending pending;
};

TEST_P(TransportTest, BlocksAreUpdatedWhenEveryoneHasPushedThem) {
  startTraining({.trainers = 2});
  for (int64_t step = 0; step < 2; ++step) {
    const float initial = 1 - rate * 2 * static_cast<float>(step);
    EarlyPull b(*clients[0], step, "b", 7), w(*clients[0], step, "w", 300000),
        steps(*clients[0], step, "steps", 1);
    ASSERT_OK(push(*clients[0], step, "b", std::vector<float>(7, 1)));
    EXPECT_FALSE(b.pending.answered());
    ASSERT_OK(push(*clients[1], step, "b", std::vector<float>(7, 3)));
    ASSERT_OK(b.pending.wait());
    EXPECT_EQ(b.rows, std::vector<float>(7, initial - rate * 2));
    // Once more, at once.
    EarlyPull again(*clients[1], step, "b", 7);
    ASSERT_OK(again.pending.wait());
    EXPECT_EQ(again.rows, b.rows);

    ASSERT_OK(push(*clients[1], step, "w", std::vector<float>(300000, 3)));
    EXPECT_FALSE(w.pending.answered());
    EXPECT_EQ(cluster->pserver->updatedStep(), step - 1);
    Pending barriers[2];
    clients[1]->sendBarrier(step, barriers[1].done());
    // A trainer that waits pulls, too.
    EarlyPull waiting(*clients[1], step, "w", 300000);
    ASSERT_OK(push(*clients[0], step, "w", std::vector<float>(300000, 1)));
    ASSERT_OK(w.pending.wait());
    ASSERT_OK(waiting.pending.wait());
    EXPECT_EQ(w.rows, std::vector<float>(300000, initial - rate * 2));
    EXPECT_EQ(waiting.rows, w.rows);

    // What no gradient changes waits for the step's end.
    EXPECT_FALSE(steps.pending.answered());
    EXPECT_FALSE(barriers[1].answered());
    clients[0]->sendBarrier(step, barriers[0].done());
    ASSERT_OK(steps.pending.wait());
    EXPECT_EQ(steps.rows[0], static_cast<float>(step + 1));
    for (int i : {0, 1}) {
      ASSERT_OK(barriers[i].wait());
      ASSERT_OK(fetchBarrier(*clients[i], step));
    }
    EXPECT_EQ(cluster->pserver->updatedStep(), step);
  }
}

TEST_P(TransportTest, RoundsAreUpdatedAtTheSendBarrier) {
  startTraining(
      {.blocks = {{"b", {DType::F32, {7}}, 0}, {"n", {DType::F32, {}}, 1}},
       .rounds = 2});
  Client &client = *clients[0];
  EarlyPull b(client, 0, "b", 7), n(client, 0, "n", 1);
  ASSERT_OK(push(client, 0, "b", std::vector<float>(7, 1)));
  std::vector<float> old(7);
  ASSERT_OK(pull(client, startupStep, "b", old));
  EXPECT_EQ(old[0], 1);
  EXPECT_FALSE(b.pending.answered() || n.pending.answered());
  ASSERT_OK(sendBarrier(client, 0));
  ASSERT_OK(b.pending.wait());
  ASSERT_OK(n.pending.wait());
  EXPECT_EQ(b.rows[0], 1 - rate);
  EXPECT_EQ(n.rows[0], 1);
}

TEST_P(TransportTest, BlocksDoNotWaitForWhoCompletes) {
  startTraining({.trainers = 3});
  EarlyPull b(*clients[0], 0, "b", 7), left(*clients[2], 0, "b", 7);
  ASSERT_OK(push(*clients[0], 0, "b", std::vector<float>(7, 1)));
  ASSERT_OK(push(*clients[1], 0, "b", std::vector<float>(7, 3)));
  EXPECT_FALSE(b.pending.answered());
  ASSERT_OK(complete(*clients[2]));
  ASSERT_OK(b.pending.wait());
  EXPECT_EQ(b.rows, std::vector<float>(7, 1 - rate * 2));
  EXPECT_FALSE(left.pending.wait().ok());
  // A trainer that has contributed stays until the step has ended.
  expectError(complete(*clients[1]), absl::StatusCode::kFailedPrecondition,
              {"found a complete of step 0"});
}

TEST_P(TransportTest, RepeatedPushesAreKnownAfterTheUpdate) {
  Cluster cluster(GetParam(), {.blocks = {{"b", {DType::F32, {7}}},
                                          {"c", {DType::F32, {7}}}}});
  auto link = cluster.rawLink();
  Pending hello;
  link->handshake(cluster.hello(0), hello.done());
  ASSERT_OK(hello.wait());
  const Peer peer{0, 1};
  std::vector<float> rows(7, 2);
  const Piece piece = std::as_bytes(std::span(rows));
  auto rangeOf = [](const char *block, int64_t step) {
    return makeRange(step, block, DType::F32, 28, 0, 28);
  };
  auto pushOf = [&](uint64_t sequence, const char *block, int64_t step) {
    Pending pending;
    const wire::Range range = rangeOf(block, step);
    link->push(peer, sequence, {&range, 1}, Pieces(&piece, 1), pending.done());
    return pending.wait();
  };
  auto pullOf = [&](std::vector<wire::Range> ranges, float expected) {
    Pending pending;
    link->pullBytes(peer, ranges,
                    [done = pending.done(), expected](
                        const absl::StatusOr<Response> &response) mutable {
                      float first = -1;
                      if (response.ok())
                        std::memcpy(&first, response->payload.front().data(),
                                    sizeof(first));
                      EXPECT_TRUE(!response.ok() || first == expected) << first;
                      done(response.status());
                    });
    return pending.wait();
  };
  auto barrier = [&](auto method, int64_t step) {
    Pending pending;
    ((*link).*method)(peer, step, pending.done());
    return pending.wait();
  };
  ASSERT_OK(barrier(&RawCalls::fetchBarrier, startupStep));
  for (int64_t step = 0; step < 2; ++step) {
    const float initial = 1 - 2 * rate * static_cast<float>(step);
    const uint64_t first = 1 + 2 * static_cast<uint64_t>(step);
    ASSERT_OK(pushOf(first, "b", step));
    ASSERT_OK(pullOf({rangeOf("b", step)}, initial - 2 * rate));
    ASSERT_OK(pushOf(first, "b", step));
    expectError(pushOf(first + 1, "b", step),
                absl::StatusCode::kFailedPrecondition,
                {"expected one push of block 'b'"});
    // Values of two steps are not to be had together.
    expectError(pullOf({rangeOf("b", step), rangeOf("c", step - 1)}, 0),
                absl::StatusCode::kInvalidArgument,
                {"expected one step in a pull from trainer 0, found steps"});
    ASSERT_OK(pullOf({rangeOf("b", step)}, initial - 2 * rate));
    ASSERT_OK(pushOf(first + 1, "c", step));
    ASSERT_OK(
        pullOf({rangeOf("b", step), rangeOf("c", step)}, initial - 2 * rate));
    ASSERT_OK(barrier(&RawCalls::sendBarrier, step));
    ASSERT_OK(pullOf({rangeOf("b", step)}, initial - 2 * rate));
    ASSERT_OK(barrier(&RawCalls::fetchBarrier, step));
    ASSERT_OK(pushOf(first, "b", step));
  }
}

TEST_P(TransportTest, EarlyPullsDoNotHoldUpPushes) {
  // More chunks than a window has room for.
  const int64_t elements = 20 * chunkBytes / sizeof(float);
  startTraining({.blocks = {{"w", {DType::F32, {elements}}}}});
  EarlyPull early(*clients[0], 0, "w", elements);
  ASSERT_OK(push(*clients[0], 0, "w", std::vector<float>(elements, 1)));
  ASSERT_OK(early.pending.wait());
  EXPECT_EQ(early.rows, std::vector<float>(elements, 1 - rate));
}

TEST_P(TransportTest, EarlyPullsAreBounded) {
  Cluster cluster(GetParam(), {.blocks = {{"b", {DType::F32, {7}}}}});
  auto link = cluster.rawLink();
  const Peer peer{0, 1};
  Pending hello, begin, pushed;
  link->handshake(cluster.hello(0), hello.done());
  ASSERT_OK(hello.wait());
  link->fetchBarrier(peer, startupStep, begin.done());
  ASSERT_OK(begin.wait());
  const wire::Range range = makeRange(0, "b", DType::F32, 28, 0, 28);
  std::vector<Pending> pulls(300);
  std::atomic<int> refused{0};
  for (Pending &pending : pulls)
    link->pull(peer, {&range, 1},
               [&, done = pending.done()](absl::Status status) mutable {
                 refused += !status.ok();
                 done(std::move(status));
               });
  // The network does not show when they have arrived; these are refused.
  const absl::Time deadline = absl::Now() + testDeadline;
  while (refused < 300 - 256 && absl::Now() < deadline)
    absl::SleepFor(absl::Milliseconds(1));
  std::vector<float> rows(7);
  const Piece piece = std::as_bytes(std::span(rows));
  link->push(peer, 1, {&range, 1}, Pieces(&piece, 1), pushed.done());
  ASSERT_OK(pushed.wait());
  for (Pending &pending : pulls)
    if (absl::Status status = pending.wait(); !status.ok())
      expectError(status, absl::StatusCode::kResourceExhausted,
                  {"at most 256 messages of pulls before their update from "
                   "trainer 0, found another of block 'b' at step 0"});
  EXPECT_EQ(refused, 300 - 256);
}

TEST_P(TransportTest, EarlyPullsEndWithTheJob) {
  startTraining({.trainers = 2});
  EarlyPull early(*clients[0], 0, "b", 7);
  ASSERT_OK(push(*clients[0], 0, "b", std::vector<float>(7)));
  clients[1].reset();
  expectError(early.pending.wait(), absl::StatusCode::kAborted,
              {"pull of block 'b' at step 0", "trainer 1"});
}

/// One trainer whose pulls are under way before its pushes, which come in a
/// random order.
absl::Status runEagerTrainer(Cluster &cluster, Client &client, int trainer,
                             int64_t steps, Values &values,
                             const std::function<Values(int64_t)> &gradients) {
  std::mt19937 random(trainer);
  values = valuesOf(cluster);
  absl::Status status = fetch(client, startupStep, values);
  for (int64_t step = 0; step < steps && status.ok(); ++step) {
    const Values grads = gradients(step);
    std::vector<std::string> names;
    for (const auto &[block, rows] : grads)
      names.push_back(block);
    std::vector<Pending> pulls(names.size()), pushes(names.size());
    auto pull = [&](size_t i) {
      startPull(client, step, names[i], DType::F32,
                std::as_writable_bytes(std::span(values[names[i]])),
                pulls[i].done());
    };
    std::shuffle(names.begin(), names.end(), random);
    for (size_t i = 0; i < names.size(); ++i) {
      const bool before = random() % 2;
      if (before)
        pull(i);
      startPush(client, step, names[i], DType::F32,
                std::as_bytes(std::span(grads.at(names[i]))), pushes[i].done());
      if (!before)
        pull(i);
    }
    for (Pending &pending : pushes)
      status.Update(pending.wait());
    if (status.ok())
      status = sendBarrier(client, step);
    if (!status.ok())
      return status;
    for (Pending &pending : pulls)
      status.Update(pending.wait());
    if (status.ok())
      status = fetchBarrier(client, step);
  }
  return status.ok() ? complete(client) : status;
}

TEST_P(TransportTest, WhenBlocksAreUpdatedChangesNoBit) {
  constexpr int trainers = 3;
  constexpr int64_t steps = 6;
  Cluster cluster(GetParam(), {.trainers = trainers,
                               .blocks = {{"a", {DType::F32, {5}}},
                                          {"b", {DType::F32, {1000}}},
                                          {"c", {DType::F32, {300001}}},
                                          {"d", {DType::F32, {}}}},
                               .deterministic = true});
  auto gradients = [&](int trainer, int64_t step) {
    std::mt19937 random(static_cast<unsigned>(100 * step + trainer));
    std::uniform_real_distribution<float> any(-1e4f, 1e4f);
    Values grads = valuesOf(cluster);
    for (auto &[block, rows] : grads)
      for (float &row : rows)
        row = any(random);
    return grads;
  };
  std::vector<Values> values(trainers);
  std::vector<std::thread> threads;
  for (int i = 0; i < trainers; ++i)
    threads.emplace_back([&, i] {
      auto client = cluster.connect(i);
      ASSERT_TRUE(client);
      EXPECT_OK(
          runEagerTrainer(cluster, *client, i, steps, values[i],
                          [&](int64_t step) { return gradients(i, step); }));
    });
  for (std::thread &thread : threads)
    thread.join();
  // What the send barriers alone would have given.
  Values expected = valuesOf(cluster);
  for (auto &[block, rows] : expected)
    std::fill(rows.begin(), rows.end(), 1.f);
  for (int64_t step = 0; step < steps; ++step) {
    const Values grads[] = {gradients(0, step), gradients(1, step),
                            gradients(2, step)};
    for (auto &[block, rows] : expected)
      for (size_t i = 0; i < rows.size(); ++i) {
        const float sum = (grads[0].at(block)[i] + grads[1].at(block)[i]) +
                          grads[2].at(block)[i];
        const float mean = sum / 3.f;
        rows[i] -= rate * mean;
      }
  }
  for (const Values &each : values)
    EXPECT_TRUE(each == expected);
  EXPECT_EQ(*(*cluster.store->find("steps")).as<float>(), float(steps));
  EXPECT_OK(cluster.pserver->wait());
}

//===----------------------------------------------------------------------===//
// Transport errors
//===----------------------------------------------------------------------===//

TEST_P(TransportTest, RepeatedCallsCountOnce) {
  Cluster cluster(GetParam(), {.trainers = 1});
  auto plan = std::make_shared<FaultPlan>();
  for (Op op : {wire::Request::kHello, wire::Request::kPush,
                wire::Request::kPull, wire::Request::kSendBarrier,
                wire::Request::kFetchBarrier, wire::Request::kComplete})
    plan->strikeEvery(op, 1, FaultPlan::Kind::Duplicate);
  auto client = cluster.connect(0, plan);
  ASSERT_TRUE(client);
  Values values;
  ASSERT_OK(runTrainer(cluster, *client, 0, 3, values));
  expectTrained(values, 1, 3);
}

TEST_P(TransportTest, LostAnswersDoNotApplyTwice) {
  Cluster cluster(GetParam(), {});
  auto plan = std::make_shared<FaultPlan>();
  for (Op op : {wire::Request::kPush, wire::Request::kPull,
                wire::Request::kSendBarrier, wire::Request::kFetchBarrier})
    plan->strikeEvery(op, 2, FaultPlan::Kind::DropAnswer);
  plan->strike(wire::Request::kComplete, 0, FaultPlan::Kind::DropAnswer);
  auto client = cluster.connect(0, plan);
  ASSERT_TRUE(client);
  Values values;
  ASSERT_OK(runTrainer(cluster, *client, 0, 2, values));
  expectTrained(values, 1, 2);
  EXPECT_GT(plan->count(wire::Request::kPush), 2 * 3);
}

TEST_P(TransportTest, LostRequestsAreSentAgain) {
  Cluster cluster(GetParam(), {});
  auto plan = std::make_shared<FaultPlan>();
  for (Op op :
       {wire::Request::kPush, wire::Request::kPull, wire::Request::kSendBarrier,
        wire::Request::kFetchBarrier, wire::Request::kComplete})
    plan->strike(op, 0, FaultPlan::Kind::DropRequest);
  auto client = cluster.connect(0, plan);
  ASSERT_TRUE(client);
  Values values;
  ASSERT_OK(runTrainer(cluster, *client, 0, 2, values));
  expectTrained(values, 1, 2);
}

/// The last chunk of a block is asked for again, when the block has changed.
TEST_P(TransportTest, ABlockIsOfOneMomentThoughItsPullIsCut) {
  constexpr size_t count = 600000;
  Cluster cluster(GetParam(), {.trainers = 2,
                               .synchronization = Synchronization::Async,
                               .blocks = {{"w", {DType::F32, {count}}}}});
  auto plan = std::make_shared<FaultPlan>();
  auto reader = cluster.connect(0, plan), writer = cluster.connect(1);
  ASSERT_TRUE(reader && writer);
  plan->strike(wire::Request::kPull, 2, FaultPlan::Kind::DropAnswer);
  plan->strike(wire::Request::kPull, 3, FaultPlan::Kind::Hold);
  std::vector<float> values(count);
  Pending pulled;
  startPull(*reader, startupStep, "w", DType::F32,
            std::as_writable_bytes(std::span(values)), pulled.done());
  const absl::Time deadline = absl::Now() + testDeadline;
  while (plan->count(wire::Request::kPull) < 4 && absl::Now() < deadline)
    absl::SleepFor(absl::Milliseconds(1));
  ASSERT_OK(push(*writer, 0, "w", std::vector<float>(count, 4)));
  while (!pulled.answered() && absl::Now() < deadline) {
    plan->release();
    absl::SleepFor(absl::Milliseconds(1));
  }
  ASSERT_OK(pulled.wait());
  EXPECT_EQ(std::ranges::count(values, 1 - rate * 4), ptrdiff_t{count});
}

TEST_P(TransportTest, LatePushOfAnEarlierStepIsIgnored) {
  // The request arrives once more after the step is over.
  Cluster cluster(GetParam(), {.blocks = {{"b", {DType::F32, {7}}}}});
  auto link = cluster.rawLink();
  Pending hello;
  link->handshake(cluster.hello(0), hello.done());
  ASSERT_OK(hello.wait());
  const Peer peer{0, 1};
  std::vector<float> rows(7, 2);
  Piece piece = std::as_bytes(std::span(rows));
  auto pushOf = [&](uint64_t sequence, int64_t step) {
    Pending pending;
    wire::Range range = makeRange(step, "b", DType::F32, 28, 0, 28);
    link->push(peer, sequence, {&range, 1}, Pieces(&piece, 1), pending.done());
    return pending.wait();
  };
  auto barrier = [&](auto method, int64_t step) {
    Pending pending;
    ((*link).*method)(peer, step, pending.done());
    return pending.wait();
  };
  ASSERT_OK(barrier(&RawCalls::fetchBarrier, startupStep));
  ASSERT_OK(pushOf(1, 0));
  ASSERT_OK(barrier(&RawCalls::sendBarrier, 0));
  ASSERT_OK(barrier(&RawCalls::fetchBarrier, 0));
  ASSERT_OK(pushOf(1, 0));
  ASSERT_OK(barrier(&RawCalls::sendBarrier, 0));
  ASSERT_OK(barrier(&RawCalls::fetchBarrier, startupStep));
  ASSERT_OK(pushOf(2, 1));
  ASSERT_OK(barrier(&RawCalls::sendBarrier, 1));
  EXPECT_EQ((*cluster.store->find("b")).as<float>()[0], 1 - rate * 2 * 2);
  Pending bye;
  link->complete(peer, bye.done());
  ASSERT_OK(bye.wait());
}

TEST_P(TransportTest, AConnectionThatStaysDownIsGivenUp) {
  Cluster cluster(GetParam(), {.clientTimeout = absl::Seconds(3)});
  auto plan = std::make_shared<FaultPlan>();
  auto client = cluster.connect(0, plan);
  ASSERT_TRUE(client);
  ASSERT_OK(fetchBarrier(*client, startupStep));
  plan->strikeEvery(wire::Request::kPush, 1, FaultPlan::Kind::DropRequest);
  plan->strikeEvery(wire::Request::kHeartbeat, 1, FaultPlan::Kind::DropRequest);
  expectError(push(*client, 0, "b", std::vector<float>(7)),
              absl::StatusCode::kUnavailable,
              {"push of block 'b' at step 0", cluster.endpoint.c_str(),
               "does not answer", "lost by the test"});
  // Later calls fail at once.
  expectError(fetchBarrier(*client, 0), absl::StatusCode::kUnavailable,
              {"fetch barrier of step 0", "does not answer"});
  EXPECT_FALSE(client->health().ok());
}

TEST_P(TransportTest, SilentServerIsGivenUp) {
  Cluster cluster(GetParam(), {.clientTimeout = absl::Seconds(3)});
  auto plan = std::make_shared<FaultPlan>();
  auto client = cluster.connect(0, plan);
  ASSERT_TRUE(client);
  ASSERT_OK(fetchBarrier(*client, startupStep));
  plan->strikeEvery(wire::Request::kPush, 1, FaultPlan::Kind::Hold);
  plan->strikeEvery(wire::Request::kHeartbeat, 1, FaultPlan::Kind::Hold);
  expectError(push(*client, 0, "b", std::vector<float>(7)),
              absl::StatusCode::kUnavailable,
              {"push of block 'b' at step 0", cluster.endpoint.c_str(),
               "has been silent for 2.25s"});
}

//===----------------------------------------------------------------------===//
// Handshake
//===----------------------------------------------------------------------===//

TEST_P(TransportTest, HandshakeRefusesOtherJobs) {
  Cluster cluster(GetParam(), {.trainers = 2});
  auto meet = [&](int trainer, uint64_t incarnation, const char *hash) {
    ClientOptions options = cluster.clientOptions(trainer, incarnation);
    options.hello.jobHash = hash;
    return cluster.introduced(options).status();
  };
  expectError(meet(0, 1, "other"), absl::StatusCode::kFailedPrecondition,
              {"refuses trainer 0", "another job", "expected hash 'job'",
               "found 'other'"});
  expectError(meet(2, 1, "job"), absl::StatusCode::kInvalidArgument,
              {"trainer id 2 is out of range", "expected 0 to 1"});
  expectError(meet(-1, 1, "job"), absl::StatusCode::kInvalidArgument,
              {"trainer id -1 is out of range"});
  ClientOptions impatient = cluster.clientOptions(0);
  impatient.hello.peerTimeout = absl::Milliseconds(1500);
  expectError(
      cluster.introduced(impatient).status(),
      absl::StatusCode::kFailedPrecondition,
      {"refuses trainer 0", "expected --peer-timeout=1m", "found 1.5s"});
}

TEST_P(TransportTest, HandshakeRefusesOtherOptions) {
  Cluster cluster(GetParam(), {.trainers = 2, .options = {{"--load", "none"}}});
  auto meet = [&](int trainer, RunOptions given) {
    ClientOptions options = cluster.clientOptions(trainer);
    options.hello.options = std::move(given);
    return cluster.introduced(options);
  };
  expectError(meet(0, {{"--load", "epoch 1"}}).status(),
              absl::StatusCode::kFailedPrecondition,
              {"refuses trainer 0", "expected --load 'none'", "this pserver",
               "found 'epoch 1'"});
  auto first = meet(0, {{"--load", "none"}, {"--steps", "3"}});
  ASSERT_OK(first.status());
  expectError(meet(1, {{"--load", "none"}, {"--steps", "4"}}).status(),
              absl::StatusCode::kFailedPrecondition,
              {"refuses trainer 1", "expected --steps '3', as on trainer 0",
               "found '4'"});
  expectError(
      meet(1, {{"--data", std::string(maxRunOptionBytes, 'x')}}).status(),
      absl::StatusCode::kInvalidArgument,
      {"expected at most 64 options of at most 512 bytes"});
  EXPECT_OK(meet(1, {{"--load", "none"}, {"--steps", "3"}}).status());
}

TEST_P(TransportTest, RestartedTrainerTakesItsPlaceBeforeTraining) {
  Cluster cluster(GetParam(), {});
  // Bare links: a client that goes takes the job with it.
  auto meet = [&](RawLink &link, uint64_t incarnation) {
    Pending pending;
    link.handshake(cluster.hello(0, incarnation), pending.done());
    return pending.wait();
  };
  auto first = cluster.rawLink(), second = cluster.rawLink();
  ASSERT_OK(meet(*first, 5));
  ASSERT_OK(meet(*first, 5));
  ASSERT_OK(meet(*second, 4));
  expectError(
      meet(*first, 5), absl::StatusCode::kAlreadyExists,
      {"trainer id 0 is taken by another process, which connected later"});
  Pending stale;
  first->fetchBarrier({0, 5}, startupStep, stale.done());
  expectError(stale.wait(), absl::StatusCode::kFailedPrecondition,
              {"another process took the place of trainer 0"});
  Pending begin;
  second->fetchBarrier({0, 4}, startupStep, begin.done());
  ASSERT_OK(begin.wait());
  expectError(meet(*first, 7), absl::StatusCode::kAlreadyExists,
              {"trainer id 0 is taken", "is already training"});
}

TEST_P(TransportTest, StatusIsForAnyProcess) {
  Cluster cluster(GetParam(), {});
  auto link = cluster.link();
  auto ask = [&] {
    Pending pending;
    wire::Request request;
    wire::ServerStatus found;
    request.mutable_status();
    link->call(request, {},
               [&found, done = pending.done()](
                   const absl::StatusOr<Response> &response) mutable {
                 if (response.ok())
                   found = response->header.server_status();
                 done(response.status());
               });
    EXPECT_OK(pending.wait());
    EXPECT_EQ(found.trainers_size(), 1);
    return found;
  };
  wire::ServerStatus before = ask();
  EXPECT_EQ(before.endpoint(), "server");
  EXPECT_EQ(before.mode(), "sync");
  EXPECT_EQ(before.step(), -1);
  EXPECT_EQ(before.blocks(), 2u);
  EXPECT_EQ(before.tables(), 0u);
  EXPECT_EQ(before.rows(), 0u);
  EXPECT_EQ(before.bytes(), 1200000u + 28 + 4);
  EXPECT_EQ(before.trainers(0).state(), wire::TrainerStatus::ABSENT);

  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  EXPECT_EQ(ask().trainers(0).state(), wire::TrainerStatus::CONNECTED);
  EXPECT_EQ(ask().trainers(0).step(), -1);
  Values values;
  ASSERT_OK(runTrainer(cluster, *client, 0, 2, values));
  const wire::ServerStatus after = ask();
  EXPECT_EQ(after.step(), 1);
  EXPECT_GE(after.uptime_ms(), before.uptime_ms());
  EXPECT_EQ(after.trainers(0).state(), wire::TrainerStatus::COMPLETED);
  EXPECT_OK(cluster.pserver->wait());
}

TEST_P(TransportTest, CallsNeedAHandshake) {
  Cluster cluster(GetParam(), {});
  auto link = cluster.rawLink();
  Pending pending, beat;
  link->fetchBarrier({0, 1}, startupStep, pending.done());
  expectError(pending.wait(), absl::StatusCode::kFailedPrecondition,
              {"expected a handshake of trainer 0"});
  link->heartbeat({9, 1}, beat.done());
  expectError(beat.wait(), absl::StatusCode::kInvalidArgument,
              {"trainer id 9 is out of range"});
}

//===----------------------------------------------------------------------===//
// Protocol errors
//===----------------------------------------------------------------------===//

TEST_P(TransportTest, MessagesAreChecked) {
  startTraining({});
  Client &client = *clients[0];
  const auto invalid = absl::StatusCode::kInvalidArgument;
  const auto order = absl::StatusCode::kFailedPrecondition;
  std::vector<float> seven(7), eight(8);
  expectError(push(client, 0, "c", seven), invalid,
              {"push of unknown block 'c'", "trainer 0"});
  expectError(push(client, 0, "b", eight), invalid,
              {"expected block 'b' to have 28 bytes, found 32"});
  Pending typed;
  startPush(client, 0, "b", DType::F64, std::as_bytes(std::span(seven)),
            typed.done());
  expectError(typed.wait(), invalid,
              {"expected a push of type f32 for block 'b'", "found f64"});
  expectError(push(client, 1, "b", seven), order,
              {"pushes or the send barrier of step 0", "push of block 'b'",
               "of step 1"});
  expectError(pull(client, 1, "b", seven), order,
              {"pushes or the send barrier of step 0", "pull of block 'b'"});
  expectError(sendBarrier(client, 1), order, {"send barrier of step 1"});
  expectError(fetchBarrier(client, 0), order,
              {"found a fetch barrier of step 0"});
  ASSERT_OK(push(client, 0, "b", seven));
  expectError(push(client, 0, "b", seven), order,
              {"expected one push of block 'b'", "step 0"});
  expectError(sendBarrier(client, 0), order,
              {"expected every block from trainer 0", "block 'w' at step 0"});
  expectError(complete(client), order, {"found a complete of step 0"});
  // None of it has harmed the step.
  ASSERT_OK(push(client, 0, "w", std::vector<float>(300000)));
  ASSERT_OK(sendBarrier(client, 0));
  expectError(pull(client, 0, "b", eight), invalid,
              {"expected block 'b' to have 28 bytes, found 32"});
  expectError(push(client, 1, "b", seven), order,
              {"pulls or the fetch barrier of step 0"});
  EXPECT_OK(client.health());
}

TEST_P(TransportTest, ForgedRangesAreRefused) {
  Cluster cluster(GetParam(), {});
  auto link = cluster.rawLink();
  Pending hello, begin;
  link->handshake(cluster.hello(0), hello.done());
  ASSERT_OK(hello.wait());
  const Peer peer{0, 1};
  auto pullOf = [&](uint64_t offset, uint64_t size) {
    Pending pending;
    wire::Range range =
        makeRange(startupStep, "w", DType::F32, 1200000, offset, size);
    link->pull(peer, {&range, 1}, pending.done());
    return pending.wait();
  };
  const uint64_t huge = ~uint64_t(0);
  for (auto [offset, size] : std::vector<std::pair<uint64_t, uint64_t>>{
           {4, chunkBytes},
           {0, chunkBytes + 4},
           {0, 0},
           {chunkBytes, chunkBytes},
           {2 * chunkBytes, 0},
           {huge - chunkBytes + 1, chunkBytes},
           {0, huge}})
    expectError(pullOf(offset, size), absl::StatusCode::kInvalidArgument,
                {"expected whole chunks", "block 'w'"});
  link->fetchBarrier(peer, startupStep, begin.done());
  ASSERT_OK(begin.wait());
  std::vector<float> rows(7);
  auto pushOf = [&](uint64_t sequence, size_t bytes) {
    Pending pending;
    Piece piece = std::as_bytes(std::span(rows)).first(bytes);
    wire::Range range = makeRange(0, "b", DType::F32, 28, 0, 28);
    link->push(peer, sequence, {&range, 1}, Pieces(&piece, 1), pending.done());
    return pending.wait();
  };
  expectError(pushOf(0, 28), absl::StatusCode::kInvalidArgument,
              {"numbered from 1"});
  expectError(pushOf(1, 24), absl::StatusCode::kInvalidArgument,
              {"expected 28 bytes of block 'b'", "found 24"});
  EXPECT_OK(pushOf(1, 28));
}

//===----------------------------------------------------------------------===//
// Leaving and dying
//===----------------------------------------------------------------------===//

TEST_P(TransportTest, OthersGoOnWhenATrainerCompletes) {
  startTraining({.trainers = 2, .blocks = {{"b", {DType::F32, {7}}}}});
  ASSERT_OK(push(*clients[0], 0, "b", std::vector<float>(7, 4)));
  Pending barrier;
  clients[0]->sendBarrier(0, barrier.done());
  ASSERT_OK(complete(*clients[1]));
  ASSERT_OK(barrier.wait());
  Values values{{"b", std::vector<float>(7)}};
  ASSERT_OK(fetch(*clients[0], 0, values));
  // Scaled by the one that contributed.
  EXPECT_EQ(values["b"][0], 1 - rate * 4);
  clients[1].reset();
  ASSERT_OK(complete(*clients[0]));
  EXPECT_OK(cluster->pserver->wait());
}

TEST_P(TransportTest, CompletingTwiceIsFine) {
  startTraining({.trainers = 2});
  ASSERT_OK(complete(*clients[0]));
  ASSERT_OK(complete(*clients[0]));
  expectError(push(*clients[0], 0, "b", std::vector<float>(7)),
              absl::StatusCode::kFailedPrecondition,
              {"nothing after its completion", "trainer 0"});
  ASSERT_OK(completeAll(clients));
  ASSERT_OK(completeAll(clients));
  EXPECT_OK(cluster->pserver->wait());
}

TEST_P(TransportTest, AbortReachesEverybody) {
  startTraining({.trainers = 2});
  Pending barrier;
  ASSERT_OK(push(*clients[0], 0, "b", std::vector<float>(7)));
  ASSERT_OK(push(*clients[0], 0, "w", std::vector<float>(300000)));
  clients[0]->sendBarrier(0, barrier.done());
  abortAll(std::span(clients).subspan(1), "no disk space");
  const auto aborted = absl::StatusCode::kAborted;
  expectError(barrier.wait(), aborted,
              {"send barrier of step 0", "pserver",
               "trainer 1 failed before the end of step 0", "no disk space"});
  expectError(cluster->pserver->wait(), aborted,
              {"trainer 1 failed before the end of step 0: no disk space"});
  expectError(
      pull(*clients[0], 0, "b", *std::make_unique<std::vector<float>>(7)),
      aborted, {"pull of block 'b'", "no disk space"});
}

TEST_P(TransportTest, FailureReachesATrainerThatComputes) {
  Cluster cluster(GetParam(), {.trainers = 2});
  auto other = cluster.connect(1), client = cluster.connect(0);
  ASSERT_TRUE(other && client);
  Pending aborted;
  other->abort("out of memory", aborted.done());
  ASSERT_OK(aborted.wait());
  expectError(lossOf(*client), absl::StatusCode::kAborted,
              {"trainer 1 failed", "out of memory"});
}

TEST_P(TransportTest, DeadTrainerIsNamed) {
  startTraining({.trainers = 3});
  Pending barrier;
  for (int i : {0, 1})
    ASSERT_OK(push(*clients[i], 0, "b", std::vector<float>(7)));
  ASSERT_OK(push(*clients[0], 0, "w", std::vector<float>(300000)));
  clients[0]->sendBarrier(0, barrier.done());
  const absl::Time killed = absl::Now();
  clients[1].reset();
  absl::Status status = barrier.wait();
  EXPECT_LT(absl::Now() - killed, absl::Seconds(30));
  expectError(status, absl::StatusCode::kAborted, {"trainer 1", "step 0"});
  if (GetParam() != Transport::InProcess)
    expectError(cluster->pserver->wait(), absl::StatusCode::kAborted,
                {"trainer 1 has gone (its connection has ended, and it did "
                 "not come back within 700ms)",
                 "it had not pushed block 'w' at step 0"});
}

TEST_P(TransportTest, StoppedServerFailsEveryCall) {
  startTraining({.trainers = 2});
  ASSERT_OK(push(*clients[0], 0, "b", std::vector<float>(7)));
  ASSERT_OK(push(*clients[0], 0, "w", std::vector<float>(300000)));
  Pending barrier;
  clients[0]->sendBarrier(0, barrier.done());
  cluster->pserver->stop(absl::OkStatus());
  expectError(barrier.wait(), absl::StatusCode::kCancelled,
              {"send barrier of step 0", "the pserver was stopped"});
  expectError(push(*clients[1], 0, "b", std::vector<float>(7)),
              absl::StatusCode::kCancelled, {"push of block 'b' at step 0"});
  EXPECT_EQ(cluster->pserver->wait().code(), absl::StatusCode::kCancelled);
}

TEST_P(TransportTest, MissingTrainersAreNamed) {
  // On a busy machine trainer 1 may be late as well.
  for (absl::Duration timeout = absl::Milliseconds(100);; timeout *= 2) {
    Cluster cluster(GetParam(), {.trainers = 3, .connectTimeout = timeout});
    auto client = cluster.introduced(cluster.clientOptions(1));
    if (absl::IsDeadlineExceeded(client.status()) && timeout < testDeadline)
      continue;
    ASSERT_OK(client.status());
    const std::string limit = absl::FormatDuration(timeout);
    return expectError(cluster.pserver->wait(),
                       absl::StatusCode::kDeadlineExceeded,
                       {"pserver server: trainers 0, 2 did not connect within",
                        limit.c_str()});
  }
}

TEST_P(TransportTest, SlowStepNamesTheTrainerItWaitsFor) {
  startTraining({.trainers = 2, .stepTimeout = absl::Milliseconds(100)});
  ASSERT_OK(push(*clients[0], 0, "b", std::vector<float>(7)));
  ASSERT_OK(push(*clients[0], 0, "w", std::vector<float>(300000)));
  ASSERT_OK(push(*clients[1], 0, "w", std::vector<float>(300000)));
  expectError(sendBarrier(*clients[0], 0), absl::StatusCode::kDeadlineExceeded,
              {"longer than 100ms", "waits for trainer 1",
               "had not pushed block 'b' at step 0"});
}

//===----------------------------------------------------------------------===//
// Metrics
//===----------------------------------------------------------------------===//

TEST_P(TransportTest, MetricsAreThoseOfAllTrainers) {
  for (int trainers = 1; trainers <= 3; ++trainers) {
    clients.clear();
    ASSERT_NO_FATAL_FAILURE(startTraining({.trainers = trainers}));
    for (int64_t epoch = 0; epoch < 3; ++epoch) {
      std::vector<std::vector<double>> auc, mean;
      std::vector<Pending> pending(2 * trainers);
      for (int i = 0; i < trainers; ++i) {
        auc.push_back({1.0 + i, 10, 0.5 * epoch});
        mean.push_back({7.0 * epoch});
      }
      for (int i = 0; i < trainers; ++i) {
        clients[i]->mergeMetric("auc", epoch, auc[i], pending[2 * i].done());
        clients[i]->mergeMetric("mean", epoch, mean[i],
                                pending[2 * i + 1].done());
      }
      for (const Pending &each : pending)
        ASSERT_OK(each.wait());
      const double t = trainers;
      for (int i = 0; i < trainers; ++i) {
        EXPECT_EQ(auc[i], (std::vector<double>{t * (t + 1) / 2, 10 * t,
                                               0.5 * epoch * t}));
        EXPECT_EQ(mean[i], (std::vector<double>{7.0 * epoch * t}));
      }
    }
    ASSERT_OK(completeAll(clients));
    EXPECT_OK(cluster->pserver->wait());
  }
}

/// It was asked to stop in its last step.
TEST_P(TransportTest, ATrainerMayLeaveBeforeOthersSayWhereTheyStop) {
  startTraining({.trainers = 2});
  std::vector<double> proposals = {5, 0};
  Pending pending;
  clients[0]->mergeMetric(stopMetric, 1, proposals, pending.done());
  ASSERT_OK(complete(*clients[0]));
  expectError(pending.wait(), absl::StatusCode::kCancelled, {"has left"});
  // As if the completion had come first, which it may.
  expectError(mergeMetric(*clients[0], stopMetric, 1, proposals),
              absl::StatusCode::kCancelled, {"has left"});
  ASSERT_OK(complete(*clients[1]));
  EXPECT_OK(cluster->pserver->wait());
}

TEST_P(TransportTest, MetricsAsLargeAsAMessageTravel) {
  startTraining({.trainers = 2});
  std::vector<double> first(maxMetricSums, 1), second(maxMetricSums, 2);
  Pending pending;
  clients[0]->mergeMetric("auc", 0, first, pending.done());
  ASSERT_OK(mergeMetric(*clients[1], "auc", 0, second));
  ASSERT_OK(pending.wait());
  EXPECT_EQ(first, std::vector<double>(maxMetricSums, 3));
  EXPECT_EQ(second, first);
  first.push_back(0);
  expectError(mergeMetric(*clients[0], "auc", 1, first),
              absl::StatusCode::kInvalidArgument,
              {"merging of metric 'auc' of epoch 1",
               "expected at most 131072 sums, found 131073"});
}

TEST_P(TransportTest, MetricsDoNotWaitForWhoHasCompleted) {
  startTraining({.trainers = 3});
  ASSERT_OK(complete(*clients[2]));
  std::vector<double> first{1}, second{2};
  Pending pending;
  clients[0]->mergeMetric("auc", 0, first, pending.done());
  ASSERT_OK(mergeMetric(*clients[1], "auc", 0, second));
  ASSERT_OK(pending.wait());
  EXPECT_EQ(first.front(), 3);
  // Nor for a trainer that completes while they wait.
  Pending later;
  clients[0]->mergeMetric("auc", 1, first, later.done());
  ASSERT_OK(complete(*clients[1]));
  ASSERT_OK(later.wait());
  EXPECT_EQ(first.front(), 3);
}

TEST_P(TransportTest, RepeatedMetricsCountOnce) {
  for (auto kind : {FaultPlan::Kind::Duplicate, FaultPlan::Kind::DropAnswer,
                    FaultPlan::Kind::DropRequest}) {
    Cluster cluster(GetParam(), {.trainers = 2});
    auto plan = std::make_shared<FaultPlan>();
    plan->strike(wire::Request::kMergeMetric, 0, kind);
    auto faulty = cluster.connect(0, plan), other = cluster.connect(1);
    ASSERT_TRUE(faulty && other);
    ASSERT_OK(fetchBarrier(*faulty, startupStep));
    ASSERT_OK(fetchBarrier(*other, startupStep));
    std::vector<double> first{1}, second{2};
    Pending pending, next;
    faulty->mergeMetric("auc", 0, first, pending.done());
    ASSERT_OK(mergeMetric(*other, "auc", 0, second));
    EXPECT_EQ(second.front(), 3);
    // The next epoch begins before a lost answer has come again.
    other->mergeMetric("auc", 1, second, next.done());
    ASSERT_OK(pending.wait());
    EXPECT_EQ(first.front(), 3);
    ASSERT_OK(mergeMetric(*faulty, "auc", 1, first));
    ASSERT_OK(next.wait());
    EXPECT_EQ(first.front(), 6);
    EXPECT_EQ(second.front(), 6);
  }
}

TEST_P(TransportTest, MetricsAreChecked) {
  Cluster cluster(GetParam(), {.trainers = 2});
  auto client = cluster.connect(0), other = cluster.connect(1);
  ASSERT_TRUE(client && other);
  const auto early = absl::StatusCode::kFailedPrecondition;
  std::vector<double> one(1), two(2), none;
  expectError(mergeMetric(*client, "auc", 0, one), early,
              {"expected pulls or the fetch barrier of step -1 from trainer 0, "
               "found metric 'auc' of epoch 0"});
  ASSERT_OK(fetchBarrier(*client, startupStep));
  ASSERT_OK(fetchBarrier(*other, startupStep));
  expectError(mergeMetric(*client, "auc", 0, none),
              absl::StatusCode::kInvalidArgument,
              {"expected 1 to 131072 sums of 8 bytes of metric 'auc' from "
               "trainer 0, found 0 bytes"});
  // Past the network, which does not show when it has arrived.
  Pending pending;
  const Piece part = std::as_bytes(std::span(one));
  RawCalls(*cluster.pserver)
      .mergeMetric({0, 1}, "auc", 3, Pieces(&part, 1), pending.done());
  expectError(mergeMetric(*other, "auc", 3, two),
              absl::StatusCode::kInvalidArgument,
              {"expected 1 sums of metric 'auc' of epoch 3 from trainer 1, "
               "as from trainer 0, found 2"});
  expectError(mergeMetric(*other, "auc", 4, one), early,
              {"expected metric 'auc' of epoch 3 from trainer 1, as from "
               "trainer 0, found epoch 4"});
  expectError(complete(*client), early,
              {"expected nothing before the answer to metric 'auc' of epoch 3 "
               "from trainer 0, found a complete"});
  ASSERT_OK(mergeMetric(*other, "auc", 3, one));
  ASSERT_OK(pending.wait());
  expectError(mergeMetric(*other, "auc", 2, one), early,
              {"expected metric 'auc' of an epoch after 3 from trainer 1, "
               "found epoch 2"});
}

TEST_P(TransportTest, MetricsAreBounded) {
  startTraining({.trainers = 1});
  std::vector<double> one(1);
  for (int i = 0; i < 256; ++i)
    ASSERT_OK(mergeMetric(*clients[0], std::to_string(i), 0, one));
  expectError(mergeMetric(*clients[0], "auc", 0, one),
              absl::StatusCode::kResourceExhausted,
              {"expected at most 256 metrics, found metric 'auc' besides, from "
               "trainer 0"});
}

TEST_P(TransportTest, MetricNamesTheTrainerItWaitsFor) {
  startTraining({.trainers = 2, .stepTimeout = absl::Milliseconds(100)});
  std::vector<double> one(1);
  expectError(mergeMetric(*clients[0], "auc", 7, one),
              absl::StatusCode::kDeadlineExceeded,
              {"the merging of metric 'auc' of epoch 7 took longer than 100ms",
               "waits for trainer 1, it had not sent metric 'auc' of epoch 7"});
}

/// Whether the pserver reports that it waits for `what`; waits for that.
bool awaitWait(Cluster &cluster, const std::string &what) {
  wire::Request request;
  request.mutable_status();
  wire::StatusDetails details;
  const absl::Time deadline = absl::Now() + testDeadline;
  while (absl::Now() < deadline) {
    cluster.pserver->call(
        request, {}, [&](const absl::StatusOr<Response> &response) {
          std::string bytes(totalBytes(response->payload), 0);
          copyPieces(response->payload,
                     reinterpret_cast<std::byte *>(bytes.data()));
          EXPECT_TRUE(details.ParseFromString(bytes));
        });
    for (const wire::Wait &wait : details.waits())
      if (wait.what() == what)
        return true;
    absl::SleepFor(absl::Milliseconds(1));
  }
  return false;
}

TEST_P(TransportTest, MetricsEndWithADeadTrainer) {
  startTraining({.trainers = 2});
  std::vector<double> one(1);
  Pending pending;
  clients[0]->mergeMetric("auc", 7, one, pending.done());
  ASSERT_TRUE(awaitWait(*cluster, "the merging of metric 'auc' of epoch 7"));
  clients[1].reset();
  expectError(pending.wait(), absl::StatusCode::kAborted,
              {"merging of metric 'auc' of epoch 7", "trainer 1"});
  if (GetParam() != Transport::InProcess)
    expectError(cluster->pserver->wait(), absl::StatusCode::kAborted,
                {"it had not sent metric 'auc' of epoch 7"});
}

//===----------------------------------------------------------------------===//
// All at once
//===----------------------------------------------------------------------===//

TEST_P(TransportTest, ManyBlocksManyFaultsManyTrainers) {
  constexpr int trainers = 3, steps = 12;
  Cluster::Setup setup{.trainers = trainers};
  setup.blocks.clear();
  for (int i = 0; i < 24; ++i)
    setup.blocks.push_back({"v" + std::to_string(i),
                            {DType::F32, {i % 8 == 0 ? 300001 : 10 + i}}});
  Cluster cluster(GetParam(), setup);
  std::vector<Values> values(trainers);
  std::vector<std::thread> threads;
  for (int i = 0; i < trainers; ++i)
    threads.emplace_back([&, i] {
      auto plan = std::make_shared<FaultPlan>();
      plan->strikeEvery(wire::Request::kPush, 5 + i,
                        FaultPlan::Kind::Duplicate);
      plan->strikeEvery(wire::Request::kPull, 37, FaultPlan::Kind::DropAnswer);
      plan->strike(wire::Request::kPush, 13, FaultPlan::Kind::DropAnswer);
      plan->strike(wire::Request::kSendBarrier, i, FaultPlan::Kind::DropAnswer);
      auto client = cluster.connect(i, plan);
      ASSERT_TRUE(client);
      // One of them pulls early.
      EXPECT_OK(i == 1 ? runEagerTrainer(cluster, *client, i, steps, values[i],
                                         [&](int64_t step) {
                                           return gradientsOf(cluster, i, step);
                                         })
                       : runTrainer(cluster, *client, i, steps, values[i]));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const Values &each : values)
    expectTrained(each, trainers, steps);
  EXPECT_OK(cluster.pserver->wait());
}

INSTANTIATE_TEST_SUITE_P(All, TransportTest, allTransports, nameOf);

//===----------------------------------------------------------------------===//
// The pserver itself
//===----------------------------------------------------------------------===//

TEST(PServerTest, BlocksMustFitTheirUpdates) {
  auto store = *Store::create({{"b", {DType::F32, {7}}, {}, "b", 0, ""},
                               {"n", {DType::I64, {7}}, {}, "n", 0, ""}},
                              1);
  auto executor = *Executor::create({.threads = 1});
  auto make = [&](std::vector<OptimizeBlock> blocks, int trainers = 1) {
    PServer::Options options;
    options.trainers = trainers;
    options.store = store.get();
    options.executor = executor.get();
    options.blocks = std::move(blocks);
    return PServer::create(std::move(options)).status();
  };
  const auto invalid = absl::StatusCode::kInvalidArgument;
  Program none, wrong, right, integer;
  wrong.feeds["grad"] = {{DType::F32, {8}}, nullptr};
  right.feeds["grad"] = {{DType::F32, {7}}, *right.ownMemory(28)};
  integer.feeds["grad"] = {{DType::I64, {7}}, nullptr};
  expectError(make({}, 0), invalid, {"at least 1 trainer"});
  EXPECT_EQ(make({{"c", &right}}).code(), absl::StatusCode::kNotFound);
  expectError(make({{"b", &none}}), invalid, {"block 'b' has no feed 'grad'"});
  expectError(make({{"b", &wrong}}), invalid,
              {"block 'b'", "type 8xf32, expected the shape of 7xf32"});
  expectError(make({{"b", &right, 1}}), invalid,
              {"block 'b' is updated in round 1, expected 0 to 0"});
  expectError(make({{"n", &integer}}), invalid,
              {"block 'n' must have a float type", "found i64"});
  expectError(make({{"b", &right}, {"b", &right}}), invalid,
              {"block 'b' is given twice"});
  EXPECT_OK(make({{"b", &right}}));
}

TEST(PServerTest, FailedUpdateEndsTheJob) {
  auto store = *Store::create({{"b", {DType::F32, {7}}, {}, "b", 0, ""}}, 1);
  auto executor = *Executor::create({.threads = 1});
  Program update;
  update.feeds["grad"] = {{DType::F32, {7}}, *update.ownMemory(28)};
  update.addNode(makeNode(Node::Kind::Kernel, "failing",
                          [](StepContext &) {
                            return absl::InternalError("no memory left");
                          }),
                 {});
  PServer::Options options;
  options.jobHash = "job";
  options.store = store.get();
  options.executor = executor.get();
  options.blocks = {{"b", &update}};
  auto server = *PServer::create(std::move(options));
  ClientOptions client;
  client.hello = {0, 1, "job"};
  auto trainer = *connectInProcess("in-process", *server, client);
  ASSERT_OK(fetchBarrier(*trainer, startupStep));
  ASSERT_OK(push(*trainer, 0, "b", std::vector<float>(7)));
  expectError(sendBarrier(*trainer, 0), absl::StatusCode::kInternal,
              {"the update of step 0 failed", "no memory left"});
  EXPECT_EQ(server->wait().code(), absl::StatusCode::kInternal);
}

} // namespace
