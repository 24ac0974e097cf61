// SPDX-License-Identifier: Apache-2.0
//===- LostTrainerTest.cpp - trainers that the others go on without -------===//

#include "runtime/protocol/Ranges.h"
#include "test/unit/links/TransportCluster.h"

using namespace ps::runtime;

namespace {
/// Three trainers that keep step.
class LostTrainerTest : public ::testing::TestWithParam<Transport> {
protected:
  LostTrainerTest() {
    for (int trainer : {0, 1, 2})
      clients.push_back(begin(trainer));
  }
  std::unique_ptr<Client> begin(int trainer) {
    std::unique_ptr<Client> client = cluster.connect(trainer);
    Values values = valuesOf(cluster);
    EXPECT_OK(pullTogether(*client, startupStep, values));
    EXPECT_OK(fetchBarrier(*client, startupStep));
    return client;
  }
  /// Steps of trainers 0 and 1, which find what they have trained together.
  void expectSteps(int64_t end) {
    for (int64_t step = 0; step < end; ++step) {
      Pending barriers[2];
      for (int trainer : {0, 1}) {
        EXPECT_OK(pushTogether(*clients[trainer], step,
                               gradientsOf(cluster, trainer, step)));
        clients[trainer]->sendBarrier(step, barriers[trainer].done());
      }
      clients[2].reset();
      for (int trainer : {0, 1}) {
        EXPECT_OK(barriers[trainer].wait());
        Values values = valuesOf(cluster);
        EXPECT_OK(pullTogether(*clients[trainer], step, values));
        expectTrained(values, /*trainers=*/2, step + 1);
        EXPECT_OK(fetchBarrier(*clients[trainer], step));
      }
    }
  }

  Cluster cluster{GetParam(), {.trainers = 3, .onLoss = TrainerLoss::Continue}};
  std::vector<std::unique_ptr<Client>> clients;
};

INSTANTIATE_TEST_SUITE_P(All, LostTrainerTest, allTransports, nameOf);

TEST_P(LostTrainerTest, OthersGoOn) { expectSteps(3); }

/// Its second chunk of a block never comes.
TEST_P(LostTrainerTest, PartsOfAPushDoNotCount) {
  std::unique_ptr<RawLink> raw = cluster.rawLink();
  const std::vector<float> ones(chunkBytes / sizeof(float), 1e6f);
  const Piece payload = std::as_bytes(std::span(ones));
  wire::Range range =
      makeRange(0, "w", DType::F32, 300000 * sizeof(float), 0, chunkBytes);
  Pending pushed;
  raw->push({2, 1}, 1, std::span(&range, 1), Pieces(&payload, 1),
            pushed.done());
  ASSERT_OK(pushed.wait());
  expectSteps(2);
  Pending late;
  raw->push({2, 1}, 2, std::span(&range, 1), Pieces(&payload, 1), late.done());
  expectError(late.wait(), absl::StatusCode::kAborted,
              {"trainer 2 was lost, and the others go on without it"});
}

TEST_P(LostTrainerTest, OneThatFailsIsLost) {
  Pending aborted;
  clients[2]->abort("no memory", aborted.done());
  EXPECT_OK(aborted.wait());
  expectSteps(2);
}

TEST_P(LostTrainerTest, Trainer0EndsTheJob) {
  Pending barrier;
  EXPECT_OK(pushTogether(*clients[1], 0, gradientsOf(cluster, 1, 0)));
  clients[1]->sendBarrier(0, barrier.done());
  clients[0].reset();
  expectError(barrier.wait(), absl::StatusCode::kAborted, {"trainer 0 "});
}

TEST_P(LostTrainerTest, MetricsAreOfThoseThatAreLeft) {
  Pending measured[2];
  double sums[2] = {1, 2};
  for (int trainer : {0, 1})
    clients[trainer]->mergeMetric("auc", 0, {&sums[trainer], 1},
                                  measured[trainer].done());
  clients[2].reset();
  for (int trainer : {0, 1}) {
    EXPECT_OK(measured[trainer].wait());
    EXPECT_EQ(sums[trainer], 3);
  }
}

TEST(LostTrainerOptionsTest, OthersGoOnWhereMeansAreOfOneRound) {
  PServer::Options options;
  options.trainers = 2;
  options.onLoss = TrainerLoss::Continue;
  options.rounds.count = 2;
  expectError(PServer::create(options).status(),
              absl::StatusCode::kInvalidArgument, {"steps have one round"});
  options.rounds.count = 1;
  options.onLoss = TrainerLoss::Wait;
  expectError(PServer::create(options).status(),
              absl::StatusCode::kInvalidArgument, {"do not keep step"});
}
} // namespace
