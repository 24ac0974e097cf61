// SPDX-License-Identifier: Apache-2.0
//===- SuccessorClientTest.cpp - trainers whose place is taken ------------===//
//
// Every push adds 1 to each element of a block, or of a row, as in
// AsyncClientTest. A process is lost between any two of its messages; another
// one repeats its steps, and the sums are exact.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/SuccessorClient.h"
#include "test/unit/links/TransportCluster.h"
#include "test/unit/table/TableTesting.h"

using namespace ps::runtime;

namespace {
/// Added as rate * -gradient.
constexpr float gradientOfOne = -1 / rate;
constexpr size_t size = 300000; // two chunks
constexpr auto taken = absl::StatusCode::kAlreadyExists;

class SuccessorTest : public ::testing::TestWithParam<Transport> {
protected:
  SuccessorTest() {
    TableSpec spec;
    spec.name = "emb";
    spec.width = 2;
    spec.maxRows = 1000;
    cluster.emplace(GetParam(),
                    Cluster::Setup{.trainers = 2,
                                   .synchronization = Synchronization::Async,
                                   .tables = {spec},
                                   .onLoss = TrainerLoss::Wait});
  }
  /// A process of trainer 1; it is a new one.
  std::unique_ptr<Client> connect() {
    progress = std::make_shared<TrainerProgress>();
    ClientOptions options = cluster->clientOptions(1, ++incarnation);
    options.progress = progress;
    options.keepsStep = false;
    // The end of the process before is seen by that of its connection.
    const absl::Time deadline = absl::Now() + testDeadline;
    auto client = cluster->introduced(options);
    while (absl::IsAlreadyExists(client.status()) && absl::Now() < deadline) {
      absl::SleepFor(absl::Milliseconds(5));
      client = cluster->introduced(options);
    }
    EXPECT_TRUE(client.ok()) << client.status();
    if (!client.ok())
      return nullptr;
    const Predecessor &known = (*client)->welcome().predecessor;
    first = known.settledStep + 1;
    return known.exists ? makeSuccessorClient(*std::move(client))
                        : *std::move(client);
  }
  absl::Status pushBlock(Client &client, int64_t step, const char *block,
                         size_t elements) {
    std::vector<float> ones(elements, gradientOfOne);
    Pending pending;
    startPush(client, step, block, DType::F32, std::as_bytes(std::span(ones)),
              pending.done());
    return pending.wait();
  }
  absl::Status pushRow(Client &client, int64_t step) {
    const std::vector<float> row(2, gradientOfOne);
    const std::vector<int64_t> ids{5};
    Pending pending;
    client.pushRows(
        step, {{"emb", DType::F32, 2, ids}, std::as_bytes(std::span(row))},
        pending.done());
    return pending.wait();
  }
  /// Steps [first, end), of which the last one pushes `units` of three.
  void train(Client &client, int64_t end, int units = 3) {
    for (int64_t step = first; step < end; ++step) {
      const int count = step + 1 == end ? units : 3;
      if (count > 0)
        EXPECT_OK(pushBlock(client, step, "w", size));
      if (count > 1)
        EXPECT_OK(pushBlock(client, step, "b", 7));
      if (count > 2)
        EXPECT_OK(pushRow(client, step));
      if (count == 3)
        progress->setDone(step);
    }
  }
  void expectSum(Client &client, float expected) {
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
  std::shared_ptr<TrainerProgress> progress;
  uint64_t incarnation = 0;
  int64_t first = 0;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(All, SuccessorTest, allTransports, nameOf);

TEST_P(SuccessorTest, StepsAreRepeatedAndCountOnce) {
  auto other = cluster->connect(0);
  for (int units : {0, 1, 2, 3}) {
    std::unique_ptr<Client> client = connect();
    ASSERT_NE(client, nullptr);
    train(*client, first + 4, units);
  }
  std::unique_ptr<Client> last = connect();
  const int64_t end = first + 2;
  train(*last, end);
  expectSum(*last, end);
  EXPECT_OK(other->health());
}

TEST_P(SuccessorTest, OnlyAProcessThatIsGoneLosesItsPlace) {
  auto zero = cluster->connect(0);
  std::unique_ptr<Client> client = connect();
  EXPECT_OK(pushBlock(*zero, 0, "b", 7));
  train(*client, 1);
  for (int trainer : {0, 1})
    expectError(
        cluster->introduced(cluster->clientOptions(trainer, 99)).status(),
        taken, {"is already training"});
  EXPECT_OK(client->health());
}

TEST_P(SuccessorTest, OneThatHasCompletedHasNothingLeft) {
  auto zero = cluster->connect(0);
  std::unique_ptr<Client> client = connect();
  EXPECT_OK(pushBlock(*zero, 0, "b", 7));
  train(*client, 2);
  Pending completed;
  client->complete(completed.done());
  EXPECT_OK(completed.wait());
  std::unique_ptr<Client> last = connect();
  EXPECT_TRUE(last->welcome().predecessor.hasCompleted);
  EXPECT_OK(complete(*last));
  EXPECT_OK(complete(*zero));
  EXPECT_OK(cluster->pserver->wait());
}
