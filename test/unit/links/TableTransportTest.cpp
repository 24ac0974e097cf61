// SPDX-License-Identifier: Apache-2.0
//===- TableTransportTest.cpp - rows of tables between processes ----------===//
//
// Runs in-process and over gRPC, like TransportTest. What trainers make of the
// tables of several pservers must equal what one process makes of one table.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/ShardedRows.h"
#include "test/unit/links/TransportCluster.h"
#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

using namespace ps::runtime;
using ::testing::TestWithParam;

namespace {

constexpr auto invalid = absl::StatusCode::kInvalidArgument;
constexpr auto order = absl::StatusCode::kFailedPrecondition;
constexpr auto full = absl::StatusCode::kResourceExhausted;

TableSpec embedding(int64_t width = 4, int64_t maxRows = 1 << 20) {
  TableSpec spec;
  spec.name = "emb";
  spec.width = width;
  spec.maxRows = maxRows;
  spec.initial = {InitialValue::Kind::Uniform, -1, 1};
  return spec;
}

/// Any number is an id.
const std::vector<int64_t> oddIds = {0,
                                     -1,
                                     std::numeric_limits<int64_t>::min(),
                                     std::numeric_limits<int64_t>::max(),
                                     int64_t(1) << 40,
                                     7,
                                     8};

/// The ids that `trainer` looks up at `step`: some of its own, some that all
/// look up, some twice.
std::vector<int64_t> idsOf(int trainer, int64_t step) {
  std::vector<int64_t> ids = oddIds;
  for (int64_t i = 0; i < 40; ++i)
    ids.push_back(100 * trainer + 10 * step + i * i);
  ids.insert(ids.end(), oddIds.begin(), oddIds.end());
  return ids;
}

/// Gradients that depend on what was read.
void gradientsOf(const RowBatch &batch, const float *values, int trainer,
                 float *gradients) {
  for (int64_t i = 0; i < batch.size() * batch.width(); ++i)
    gradients[i] = 0.25f * values[i] + static_cast<float>(trainer + i % 5);
}

/// The same training in one process: what a step reads, adds up in the order
/// of the trainers, divides and updates.
class Reference {
public:
  explicit Reference(const TableSpec &spec)
      : table(*Table::create(spec, /*seed=*/1)) {}

  void step(const std::vector<std::vector<int64_t>> &idsByTrainer) {
    const int64_t width = table->spec().width;
    // One process looks all ids of the step up at once.
    std::vector<int64_t> all;
    for (const std::vector<int64_t> &ids : idsByTrainer)
      all.insert(all.end(), ids.begin(), ids.end());
    read(all, /*create=*/true);
    std::map<int64_t, std::vector<float>> sums;
    for (size_t trainer = 0; trainer < idsByTrainer.size(); ++trainer) {
      RowBatch batch(DType::F32, width);
      RowLookup lookup{idsByTrainer[trainer], std::nullopt};
      ASSERT_OK(batch.assign(std::span(&lookup, 1)));
      std::vector<float> values = read(batch.ids()), grads(values.size());
      gradientsOf(batch, values.data(), static_cast<int>(trainer),
                  grads.data());
      for (int64_t i = 0; i < batch.size(); ++i) {
        std::vector<float> &sum = sums[batch.ids()[i]];
        sum.resize(width);
        for (int64_t j = 0; j < width; ++j)
          sum[j] += grads[i * width + j];
      }
    }
    for (auto &[id, sum] : sums) {
      auto *row = reinterpret_cast<float *>(table->find(id));
      if (!row)
        continue; // Not admitted.
      for (int64_t j = 0; j < width; ++j)
        row[j] -= rate * (sum[j] / static_cast<float>(idsByTrainer.size()));
    }
  }

  std::vector<float> read(std::span<const int64_t> ids, bool create = false) {
    std::vector<float> values(ids.size() * table->spec().width);
    EXPECT_OK(table->lookup(ids, create,
                            reinterpret_cast<std::byte *>(values.data())));
    return values;
  }

  std::unique_ptr<Table> table;
};

/// Pservers that share a table, and their trainers.
class Job {
public:
  struct Setup {
    int servers = 1;
    TableSpec table = embedding();
    IdPartition partition = IdPartition::Mix;
    Cluster::Setup cluster = {.blocks = {}};
  };

  Job(Transport transport, Setup given) : setup(std::move(given)) {
    setup.cluster.tables = {setup.table};
    for (int i = 0; i < setup.servers; ++i)
      servers.push_back(std::make_unique<Cluster>(transport, setup.cluster));
  }

  /// A trainer with its lines to all pservers.
  struct Trainer {
    std::vector<std::unique_ptr<Client>> clients;
    std::unique_ptr<RowSource> rows;
  };

  Trainer connect(int id, const std::shared_ptr<FaultPlan> &plan = nullptr) {
    Trainer trainer;
    ShardedTable table{setup.table.name, setup.table.maxRows, setup.partition};
    if (setup.table.eviction.leastRecentlyUsed)
      table.maxRows.reset();
    for (auto &server : servers) {
      trainer.clients.push_back(server->connect(id, plan));
      table.shards.push_back(trainer.clients.back().get());
      EXPECT_OK(fetchBarrier(*trainer.clients.back(), startupStep));
    }
    trainer.rows = *makeShardedRows({table}, {setup.cluster.rounds});
    return trainer;
  }

  /// Rows that all pservers hold.
  int64_t rows() const {
    int64_t total = 0;
    for (auto &server : servers)
      total += server->tables[0]->size();
    return total;
  }

  Setup setup;
  std::vector<std::unique_ptr<Cluster>> servers;
};

absl::Status prefetch(RowSource &rows, int64_t step,
                      std::span<const int64_t> ids, int64_t width,
                      std::vector<float> &values, bool create = true) {
  values.assign(ids.size() * width, -1);
  Pending pending;
  rows.prefetch(step,
                {{"emb", DType::F32, static_cast<uint64_t>(width), ids},
                 reinterpret_cast<std::byte *>(values.data()),
                 /*places=*/{},
                 /*frozen=*/!create},
                pending.done());
  return pending.wait();
}

absl::Status push(RowSource &rows, int64_t step, std::span<const int64_t> ids,
                  int64_t width, std::vector<float> &grads) {
  Pending pending;
  rows.push(step,
            {{"emb", DType::F32, static_cast<uint64_t>(width), ids},
             std::as_bytes(std::span(grads))},
            pending.done());
  return pending.wait();
}

absl::Status checkLimits(RowSource &rows, int64_t step) {
  Pending pending;
  rows.checkLimits(step, pending.done());
  return pending.wait();
}

/// Ends the pushes of a step everywhere.
absl::Status endStep(Job::Trainer &trainer, int64_t step) {
  std::vector<Pending> barriers(trainer.clients.size());
  for (size_t i = 0; i < barriers.size(); ++i)
    trainer.clients[i]->sendBarrier(step, barriers[i].done());
  absl::Status status;
  for (size_t i = 0; i < barriers.size(); ++i)
    status.Update(barriers[i].wait());
  for (auto &client : trainer.clients)
    if (status.ok())
      status = fetchBarrier(*client, step);
  return status;
}

absl::Status trainStep(Job::Trainer &trainer, int id, int64_t step,
                       std::span<const int64_t> ids, int64_t width) {
  RowBatch batch(DType::F32, width);
  RowLookup lookup{ids, std::nullopt};
  absl::Status status = batch.assign(std::span(&lookup, 1));
  std::vector<float> values;
  if (status.ok())
    status = prefetch(*trainer.rows, step, batch.ids(), width, values);
  if (!status.ok())
    return status;
  std::vector<float> grads(values.size());
  gradientsOf(batch, values.data(), id, grads.data());
  status = push(*trainer.rows, step, batch.ids(), width, grads);
  return status.ok() ? endStep(trainer, step) : status;
}

class TableTransportTest : public TestWithParam<Transport> {
protected:
  /// Trains and compares all rows with those of one process.
  void expectEqualsOneProcess(
      Job::Setup setup, int64_t steps,
      const std::function<std::vector<int64_t>(int, int64_t)> &idsOf,
      const std::function<std::shared_ptr<FaultPlan>(int)> &planOf = {}) {
    const int trainers = setup.cluster.trainers;
    const int64_t width = setup.table.width;
    Job job(GetParam(), setup);
    std::vector<std::thread> threads;
    for (int i = 0; i < trainers; ++i)
      threads.emplace_back([&, i] {
        Job::Trainer trainer = job.connect(i, planOf ? planOf(i) : nullptr);
        for (int64_t step = 0; step < steps; ++step)
          ASSERT_OK(trainStep(trainer, i, step, idsOf(i, step), width));
        EXPECT_OK(completeAll(trainer.clients));
      });
    for (std::thread &thread : threads)
      thread.join();

    Reference reference(setup.table);
    std::vector<int64_t> all;
    for (int64_t step = 0; step < steps; ++step) {
      std::vector<std::vector<int64_t>> ids;
      for (int i = 0; i < trainers; ++i) {
        ids.push_back(idsOf(i, step));
        all.insert(all.end(), ids.back().begin(), ids.back().end());
      }
      reference.step(ids);
    }
    EXPECT_EQ(job.rows(), reference.table->size());
    for (auto &server : job.servers)
      EXPECT_OK(server->pserver->wait());
    for (int64_t id : all) {
      Table &held =
          *job.servers[shardOf(id, setup.servers, setup.partition)]->tables[0];
      const auto *row = reinterpret_cast<float *>(held.find(id));
      ASSERT_EQ(row != nullptr, reference.table->find(id) != nullptr) << id;
      if (!row)
        continue; // Not admitted.
      std::vector<float> expected = reference.read(std::span(&id, 1));
      ASSERT_EQ(std::vector<float>(row, row + width), expected) << id;
    }
  }
};

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

TEST_P(TableTransportTest, AnyServersAndTrainersEqualOneProcess) {
  for (int servers = 1; servers <= 3; ++servers)
    for (int trainers = 1; trainers <= 3; ++trainers)
      expectEqualsOneProcess(
          {.servers = servers, .cluster = {.trainers = trainers, .blocks = {}}},
          4, idsOf);
}

TEST_P(TableTransportTest, IdsMayBePartitionedByTheirRemainder) {
  expectEqualsOneProcess({.servers = 3,
                          .partition = IdPartition::Modulo,
                          .cluster = {.trainers = 2, .blocks = {}}},
                         3, idsOf);
}

TEST_P(TableTransportTest, AccessesAreCountedOncePerStep) {
  TableSpec spec = embedding();
  spec.admission = {.kind = Admission::Kind::Count, .count = 3};
  for (auto kind : {FaultPlan::Kind::None, FaultPlan::Kind::Duplicate})
    expectEqualsOneProcess(
        {.servers = 2, .table = spec, .cluster = {.trainers = 3, .blocks = {}}},
        5, idsOf, [&](int) {
          auto plan = std::make_shared<FaultPlan>();
          plan->strikeEvery(wire::Request::kPrefetch, 1, kind);
          return plan;
        });
}

TEST_P(TableTransportTest, RowsTravelInSeveralMessages) {
  auto many = [](int trainer, int64_t) {
    std::vector<int64_t> ids;
    for (int64_t i = 0; i < 100000; ++i)
      ids.push_back(i * 3 + trainer);
    return ids;
  };
  auto plan = std::make_shared<FaultPlan>();
  expectEqualsOneProcess({.servers = 2,
                          .table = embedding(16),
                          .cluster = {.trainers = 2, .blocks = {}}},
                         1, many, [&](int i) { return i ? plan : nullptr; });
  EXPECT_GE(plan->count(wire::Request::kPrefetch), 100000 / 14563 + 1);
  EXPECT_EQ(plan->count(wire::Request::kPrefetch),
            plan->count(wire::Request::kPushRows));
}

TEST_P(TableTransportTest, ServersAndTrainersMayHaveNoRows) {
  // Even ids only, and a trainer that has none at odd steps.
  expectEqualsOneProcess({.servers = 2,
                          .partition = IdPartition::Modulo,
                          .cluster = {.trainers = 2, .blocks = {}}},
                         4, [](int trainer, int64_t step) {
                           if (trainer == 1 && step % 2 == 1)
                             return std::vector<int64_t>();
                           return std::vector<int64_t>{2, 4, 2 * step};
                         });
}

TEST_P(TableTransportTest, NoIdsAreOneMessage) {
  // Which announces that there are no gradients, if the pserver may update
  // early.
  for (int rounds : {1, 2}) {
    Job job(GetParam(),
            {.servers = 2, .cluster = {.blocks = {}, .rounds = rounds}});
    auto plan = std::make_shared<FaultPlan>();
    Job::Trainer trainer = job.connect(0, plan);
    ASSERT_OK(trainStep(trainer, 0, 0, {}, 4));
    EXPECT_EQ(plan->count(wire::Request::kPrefetch), 0);
    EXPECT_EQ(plan->count(wire::Request::kPushRows), rounds == 1 ? 2 : 0);
    EXPECT_EQ(job.rows(), 0);
  }
}

TEST_P(TableTransportTest, RowsArriveAtTheirPlaces) {
  Job job(GetParam(), {.servers = 3});
  Job::Trainer trainer = job.connect(0);
  std::vector<float> values;
  ASSERT_OK(prefetch(*trainer.rows, 0, oddIds, 4, values));
  Reference reference(job.setup.table);
  EXPECT_EQ(values, reference.read(oddIds, /*create=*/true));
  EXPECT_EQ(job.rows(), static_cast<int64_t>(oddIds.size()));
}

TEST_P(TableTransportTest, FrozenPrefetchesCreateNothing) {
  Job job(GetParam(), {.servers = 2});
  Job::Trainer trainer = job.connect(0);
  std::vector<float> values;
  // For any step: evaluation counts its own.
  ASSERT_OK(prefetch(*trainer.rows, 17, oddIds, 4, values, /*create=*/false));
  EXPECT_EQ(values, std::vector<float>(oddIds.size() * 4));
  EXPECT_EQ(job.rows(), 0);
}

TEST_P(TableTransportTest, RowsBesideBlocks) {
  Job job(GetParam(),
          {.cluster = {.trainers = 1, .blocks = {{"b", {DType::F32, {7}}}}}});
  Job::Trainer trainer = job.connect(0);
  std::vector<float> ones(7, 1), grads(oddIds.size() * 4, 1), values;
  ASSERT_OK(prefetch(*trainer.rows, 0, oddIds, 4, values));
  ASSERT_OK(push(*trainer.clients[0], 0, "b", ones));
  ASSERT_OK(push(*trainer.rows, 0, oddIds, 4, grads));
  ASSERT_OK(sendBarrier(*trainer.clients[0], 0));
  // While blocks are pulled, rows of the next step may be asked for.
  std::vector<float> after;
  ASSERT_OK(prefetch(*trainer.rows, 1, oddIds, 4, after));
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(after[i], values[i] - rate);
  std::vector<float> block(7);
  ASSERT_OK(pull(*trainer.clients[0], 0, "b", block));
  EXPECT_EQ(block, std::vector<float>(7, 1 - rate));
}

//===----------------------------------------------------------------------===//
// Contributors and their order
//===----------------------------------------------------------------------===//

TEST_P(TableTransportTest, SumsDoNotDependOnArrival) {
  // (big + -big) + small differs from big + (-big + small).
  const float pushed[] = {1e8f, -1e8f, 1.f};
  const std::vector<int64_t> id = {5};
  for (const std::vector<int> &arrival :
       std::vector<std::vector<int>>{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
    TableSpec spec = embedding(1);
    spec.initial = {};
    Job job(GetParam(),
            {.table = spec, .cluster = {.trainers = 3, .blocks = {}}});
    std::vector<Job::Trainer> trainers;
    for (int i = 0; i < 3; ++i)
      trainers.push_back(job.connect(i));
    for (int i : arrival) {
      std::vector<float> grad = {pushed[i]};
      ASSERT_OK(push(*trainers[i].rows, 0, id, 1, grad));
    }
    std::vector<Pending> barriers(3);
    for (int i : arrival)
      trainers[i].clients[0]->sendBarrier(0, barriers[i].done());
    for (Pending &barrier : barriers)
      ASSERT_OK(barrier.wait());
    std::vector<float> value;
    ASSERT_OK(prefetch(*trainers[0].rows, 1, id, 1, value));
    EXPECT_EQ(value[0], -rate * (((1e8f + -1e8f) + 1.f) / 3.f));
  }
}

TEST_P(TableTransportTest, EveryTrainerAtTheBarrierContributes) {
  TableSpec spec = embedding(1);
  spec.initial = {};
  Job job(GetParam(),
          {.table = spec, .cluster = {.trainers = 3, .blocks = {}}});
  std::vector<Job::Trainer> trainers;
  for (int i = 0; i < 3; ++i)
    trainers.push_back(job.connect(i));
  const std::vector<int64_t> id = {5};
  std::vector<float> grad = {6}, value;
  // Trainer 1 has no rows, trainer 2 has left: the mean is over two.
  ASSERT_OK(push(*trainers[0].rows, 0, id, 1, grad));
  ASSERT_OK(completeAll(trainers[2].clients));
  Pending barrier;
  trainers[0].clients[0]->sendBarrier(0, barrier.done());
  ASSERT_OK(sendBarrier(*trainers[1].clients[0], 0));
  ASSERT_OK(barrier.wait());
  ASSERT_OK(prefetch(*trainers[0].rows, 1, id, 1, value));
  EXPECT_EQ(value[0], -rate * 3);
}

TEST_P(TableTransportTest, PrefetchesNeedNotWaitForOthers) {
  Job job(GetParam(), {.cluster = {.trainers = 2, .blocks = {}}});
  Job::Trainer first = job.connect(0), second = job.connect(1);
  std::vector<float> values, again, grads(oddIds.size() * 4, 1);
  ASSERT_OK(prefetch(*first.rows, 0, oddIds, 4, values));
  ASSERT_OK(push(*first.rows, 0, oddIds, 4, grads));
  Pending barrier;
  first.clients[0]->sendBarrier(0, barrier.done());
  // The first waits; the second sees the values before the update.
  ASSERT_OK(prefetch(*second.rows, 0, oddIds, 4, again));
  EXPECT_EQ(again, values);
  EXPECT_FALSE(barrier.answered());
  ASSERT_OK(endStep(second, 0));
  ASSERT_OK(barrier.wait());
}

//===----------------------------------------------------------------------===//
// Transport errors
//===----------------------------------------------------------------------===//

TEST_P(TableTransportTest, RepeatedCallsCountOnce) {
  for (auto kind : {FaultPlan::Kind::Duplicate, FaultPlan::Kind::DropAnswer,
                    FaultPlan::Kind::DropRequest}) {
    const int period = kind == FaultPlan::Kind::Duplicate ? 1 : 3;
    expectEqualsOneProcess(
        {.servers = 2, .cluster = {.trainers = 2, .blocks = {}}}, 3, idsOf,
        [&](int) {
          auto plan = std::make_shared<FaultPlan>();
          for (Op op : {wire::Request::kPrefetch, wire::Request::kPushRows})
            plan->strikeEvery(op, period, kind);
          return plan;
        });
  }
}

/// A bare link of trainer 0, which may push step 0.
class TableLinkTest : public TestWithParam<Transport> {
protected:
  void SetUp() override { open({.blocks = {}, .tables = {embedding()}}); }

  void open(Cluster::Setup setup) {
    cluster = std::make_unique<Cluster>(GetParam(), setup);
    link = cluster->rawLink();
    Pending hello, begin;
    link->handshake(cluster->hello(0), hello.done());
    ASSERT_OK(hello.wait());
    link->fetchBarrier(peer, startupStep, begin.done());
    ASSERT_OK(begin.wait());
  }

  /// Two ids and their rows of 4, unless `range` and `bytes` say otherwise.
  absl::Status push(uint64_t sequence, const wire::Rows &range,
                    size_t bytes = 2 * (8 + 16)) {
    Piece piece(payload, bytes);
    Pending pending;
    link->pushRows(peer, sequence, range, Pieces(&piece, 1), pending.done());
    return pending.wait();
  }
  absl::Status prefetch(const wire::Rows &range, size_t bytes = 16,
                        bool frozen = false) {
    Piece piece(payload, bytes);
    Pending pending;
    link->prefetch(peer, range, frozen, Pieces(&piece, 1), pending.done());
    return pending.wait();
  }
  absl::Status barrier(RawCalls::Method method, int64_t step) {
    Pending pending;
    ((*link).*method)(peer, step, pending.done());
    return pending.wait();
  }

  const Peer peer{0, 1};
  const wire::Rows two = makeRows(0, "emb", DType::F32, 4, 0, 2, 2);
  std::unique_ptr<Cluster> cluster;
  std::unique_ptr<RawLink> link;
  std::byte payload[1 << 16] = {};
};

TEST_P(TableLinkTest, LatePushOfAnEarlierStepIsIgnored) {
  auto *ids = reinterpret_cast<int64_t *>(payload);
  ids[0] = 1, ids[1] = 2;
  auto *grads = reinterpret_cast<float *>(payload + 16);
  std::fill(grads, grads + 8, 2.f);
  ASSERT_OK(push(1, two));
  ASSERT_OK(push(1, two));
  ASSERT_OK(barrier(&RawCalls::sendBarrier, 0));
  ASSERT_OK(barrier(&RawCalls::fetchBarrier, 0));
  ASSERT_OK(push(1, two));
  ASSERT_OK(barrier(&RawCalls::sendBarrier, 1));
  const int64_t id = 1;
  const float initial = Reference(embedding()).read(std::span(&id, 1), true)[0];
  auto *row = reinterpret_cast<float *>(cluster->tables[0]->find(1));
  EXPECT_EQ(row[0], initial - rate * 2);
}

TEST_P(TableLinkTest, ForgedRowsAreRefused) {
  auto with = [&](auto change) {
    wire::Rows range = two;
    change(range);
    return range;
  };
  const uint64_t huge = ~uint64_t(0);
  expectError(prefetch(with([](wire::Rows &r) { r.set_table("x"); })), invalid,
              {"prefetch of unknown table 'x'", "trainer 0"});
  expectError(push(1, with([](wire::Rows &r) { r.set_table("x"); })), invalid,
              {"push of rows of unknown table 'x'", "trainer 0"});
  for (auto change : std::vector<std::function<void(wire::Rows &)>>{
           [](wire::Rows &r) { r.set_width(8); },
           [=](wire::Rows &r) { r.set_width(huge); },
           [](wire::Rows &r) { r.set_dtype(wire::F64); }}) {
    const wire::Rows range = with(change);
    for (const absl::Status &status : {prefetch(range), push(1, range)})
      expectError(status, invalid,
                  {"expected rows of 4 x f32 of table 'emb', found ",
                   range.dtype() == wire::F64 ? "4 x f64" : " x f32"});
  }
  for (auto change : std::vector<std::function<void(wire::Rows &)>>{
           [](wire::Rows &r) { r.set_count(3); },
           [](wire::Rows &r) { r.set_count(0); },
           [](wire::Rows &r) { r.set_offset(1); },
           [=](wire::Rows &r) { r.set_offset(huge); },
           [=](wire::Rows &r) { r.set_count(huge); }}) {
    const wire::Rows range = with(change);
    for (const absl::Status &status : {prefetch(range), push(1, range)})
      expectError(status, invalid,
                  {"expected messages of 43690 rows of table 'emb'"});
  }
  expectError(push(1, with([=](wire::Rows &r) { r.set_total(huge); })), invalid,
              {"at most 1048576 rows", "table 'emb'"});
  expectError(push(1, two, 47), invalid,
              {"expected 48 bytes for 2 rows of table 'emb', found 47"});
  expectError(prefetch(two, 24), invalid,
              {"expected 16 bytes for 2 rows of table 'emb', found 24"});
  expectError(push(0, two), invalid, {"numbered from 1"});
  // None of it has begun to count.
  EXPECT_EQ(cluster->tables[0]->size(), 0);
  EXPECT_OK(push(1, two));
  EXPECT_OK(barrier(&RawCalls::sendBarrier, 0));
}

TEST_P(TableLinkTest, RowsOutOfOrderAreRefused) {
  wire::Rows later = two, tooEarly = two;
  later.set_step(1);
  tooEarly.set_step(3);
  expectError(prefetch(tooEarly), order,
              {"pushes or the send barrier of step 0",
               "prefetch of table 'emb' of step 3"});
  expectError(push(1, later), order, {"push of rows of table 'emb' of step 1"});
  ASSERT_OK(push(1, two));
  expectError(push(2, two), order,
              {"expected one push of rows of table 'emb'", "sequence 1, then 2",
               "trainer 0 at step 0"});
  Pending leaving;
  link->complete(peer, leaving.done());
  expectError(leaving.wait(), order, {"found a complete of step 0"});
  ASSERT_OK(barrier(&RawCalls::sendBarrier, 0));
  // Pulling: the next step's rows, no pushes.
  expectError(prefetch(two), order,
              {"pulls or the fetch barrier of step 0",
               "prefetch of table 'emb' of step 0"});
  EXPECT_OK(prefetch(later));
  expectError(push(2, later), order, {"pulls or the fetch barrier of step 0"});
}

TEST_P(TableLinkTest, IncompletePushesStopTheBarrier) {
  // Two messages of a push of 43691 rows; the second is forgotten at first.
  wire::Rows last = two;
  last.set_offset(43690);
  last.set_count(1);
  last.set_total(43691);
  ASSERT_OK(push(1, last, 24));
  expectError(barrier(&RawCalls::sendBarrier, 0), order,
              {"expected all rows from trainer 0",
               "it had pushed 1 of 43691 rows of table 'emb' at step 0"});
  wire::Rows other = last;
  other.set_total(2);
  other.set_offset(0);
  other.set_count(2);
  expectError(push(2, other), order,
              {"expected 43691 rows of table 'emb' as before, found 2"});
  wire::Rows first = last;
  first.set_offset(0);
  first.set_count(43690);
  std::vector<std::byte> rows(43690 * 24);
  Piece piece(rows);
  Pending pending;
  link->pushRows(peer, 3, first, Pieces(&piece, 1), pending.done());
  ASSERT_OK(pending.wait());
  EXPECT_OK(barrier(&RawCalls::sendBarrier, 0));
}

TEST_P(TableLinkTest, RandomHeadersDoNoHarm) {
  std::mt19937_64 random(1);
  auto any = [&](std::initializer_list<uint64_t> usual) {
    const size_t pick = random() % (usual.size() + 1);
    return pick < usual.size() ? usual.begin()[pick] : random();
  };
  for (uint64_t i = 1; i <= 300; ++i) {
    wire::Rows range =
        makeRows(static_cast<int64_t>(any({0, 0, 3})), "emb",
                 static_cast<DType>(random() % 2 ? DType::F32 : DType::F64),
                 any({4, 4, 4, 0}), any({0, 0, 43690}), any({2, 1, 43690}),
                 any({2, 1, 43691}));
    const size_t bytes = any({48, 24, 16, 8, 0}) % (sizeof(payload) + 1);
    if (i % 2)
      (void)push(any({i, 0}), range, bytes);
    else
      (void)prefetch(range, bytes, /*frozen=*/random() % 2);
  }
  // The pserver lives, and knows at most the one id that was sent.
  EXPECT_LE(cluster->tables[0]->size(), 1);
  EXPECT_OK(prefetch(two));
}

//===----------------------------------------------------------------------===//
// Rows of the next step
//===----------------------------------------------------------------------===//

/// A prefetch under way, and where its rows go.
struct EarlyPrefetch {
  EarlyPrefetch(RowSource &rows, int64_t step, std::vector<int64_t> given,
                int64_t width)
      : ids(std::move(given)), values(ids.size() * width, -1) {
    rows.prefetch(step,
                  {{"emb", DType::F32, static_cast<uint64_t>(width), ids},
                   reinterpret_cast<std::byte *>(values.data())},
                  pending.done());
  }

  std::vector<int64_t> ids;
  std::vector<float> values;
  Pending pending;
};

TEST_P(TableTransportTest, RowsMayBeAskedForAStepAhead) {
  Job job(GetParam(), {.servers = 2, .cluster = {.trainers = 2, .blocks = {}}});
  Job::Trainer first = job.connect(0), second = job.connect(1);
  std::vector<float> values, grads(oddIds.size() * 4, 1);
  for (int64_t step = 0; step < 3; ++step) {
    ASSERT_OK(prefetch(*first.rows, step, oddIds, 4, values));
    ASSERT_OK(push(*first.rows, step, oddIds, 4, grads));
    // While it pushes, and while it waits.
    EarlyPrefetch early(*first.rows, step + 1, oddIds, 4);
    Pending barriers[2];
    for (int i : {0, 1})
      first.clients[i]->sendBarrier(step, barriers[i].done());
    EarlyPrefetch late(*first.rows, step + 1, {-5, 6}, 4);
    ASSERT_OK(prefetch(*second.rows, step, oddIds, 4, values));
    EXPECT_FALSE(early.pending.answered() || late.pending.answered());
    // The last rows: the table is updated before the send barriers.
    ASSERT_OK(push(*second.rows, step, oddIds, 4, grads));
    ASSERT_OK(early.pending.wait());
    ASSERT_OK(late.pending.wait());
    EXPECT_FALSE(barriers[0].answered() || barriers[1].answered());
    expectError(prefetch(*second.rows, step, oddIds, 4, grads), order,
                {"expected prefetches of table 'emb' at step",
                 "before all of its rows are pushed, found one of trainer 1 "
                 "after their update"});
    std::fill(grads.begin(), grads.end(), 1.f);
    ASSERT_OK(endStep(second, step));
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(early.values[i], values[i] - rate);
    for (int i : {0, 1}) {
      ASSERT_OK(barriers[i].wait());
      ASSERT_OK(fetchBarrier(*first.clients[i], step));
    }
  }
}

/// As trainStep, but rows of the next step are asked for before this one's
/// gradients are pushed. `rows` are those of this step, then of the next.
absl::Status trainAhead(Job::Trainer &trainer, int id, int64_t step,
                        std::unique_ptr<EarlyPrefetch> &rows,
                        const std::vector<int64_t> &next, int64_t width) {
  if (absl::Status status = rows->pending.wait(); !status.ok())
    return status;
  std::unique_ptr<EarlyPrefetch> now = std::move(rows);
  RowBatch batch(DType::F32, width);
  RowLookup lookup{now->ids, std::nullopt};
  if (absl::Status status = batch.assign(std::span(&lookup, 1)); !status.ok())
    return status;
  rows = std::make_unique<EarlyPrefetch>(*trainer.rows, step + 1, next, width);
  std::vector<float> grads(now->values.size());
  gradientsOf(batch, now->values.data(), id, grads.data());
  absl::Status status = push(*trainer.rows, step, batch.ids(), width, grads);
  return status.ok() ? endStep(trainer, step) : status;
}

std::vector<int64_t> uniqueIdsOf(int trainer, int64_t step) {
  const std::vector<int64_t> all = idsOf(trainer, step);
  std::vector<int64_t> ids;
  for (int64_t id : all)
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
      ids.push_back(id);
  return ids;
}

TEST_P(TableTransportTest, AskingAheadChangesNothing) {
  // Counted accesses, ages and limits as if each call came in its own step.
  TableSpec counted = embedding(), aged = embedding();
  counted.admission = {.kind = Admission::Kind::Count, .count = 3};
  aged.eviction.maxAge = 2;
  aged.eviction.every = 1;
  TableSpec lastUsed = embedding(4, 40);
  lastUsed.eviction.leastRecentlyUsed = true;
  const std::pair<TableSpec, int> cases[] = {
      {embedding(), 3}, {counted, 3}, {aged, 3}, {lastUsed, 1}};
  for (const auto &[spec, number] : cases) {
    const int trainers = number;
    constexpr int64_t steps = 6;
    auto run = [&](bool ahead) {
      auto job = std::make_unique<Job>(
          GetParam(),
          Job::Setup{.servers = 2,
                     .table = spec,
                     .cluster = {.trainers = trainers, .blocks = {}}});
      std::vector<std::thread> threads;
      for (int i = 0; i < trainers; ++i)
        threads.emplace_back([&, i] {
          // Repeated and lost ones, too.
          auto plan = std::make_shared<FaultPlan>();
          for (Op op : {wire::Request::kPrefetch, wire::Request::kPushRows})
            plan->strikeEvery(op, ahead ? 3 : 1000,
                              i ? FaultPlan::Kind::DropAnswer
                                : FaultPlan::Kind::Duplicate);
          Job::Trainer trainer = job->connect(i, plan);
          if (!ahead) {
            for (int64_t step = 0; step < steps; ++step)
              ASSERT_OK(trainStep(trainer, i, step, uniqueIdsOf(i, step), 4));
            EXPECT_OK(completeAll(trainer.clients));
            return;
          }
          auto rows = std::make_unique<EarlyPrefetch>(*trainer.rows, 0,
                                                      uniqueIdsOf(i, 0), 4);
          for (int64_t step = 0; step + 1 < steps; ++step)
            ASSERT_OK(trainAhead(trainer, i, step, rows,
                                 uniqueIdsOf(i, step + 1), 4));
          ASSERT_OK(rows->pending.wait());
          ASSERT_OK(trainStep(trainer, i, steps - 1, rows->ids, 4));
          EXPECT_OK(completeAll(trainer.clients));
        });
      for (std::thread &thread : threads)
        thread.join();
      return job;
    };
    auto expected = run(false), found = run(true);
    EXPECT_EQ(found->rows(), expected->rows());
    for (int64_t step = 0; step < steps; ++step)
      for (int64_t id : idsOf(0, step)) {
        const int shard = shardOf(id, 2, IdPartition::Mix);
        auto rowOf = [&](Job &job) {
          return reinterpret_cast<const float *>(
              job.servers[shard]->tables[0]->find(id));
        };
        const float *row = rowOf(*found), *other = rowOf(*expected);
        ASSERT_EQ(row != nullptr, other != nullptr) << id;
        for (int64_t i = 0; row && i < 4; ++i)
          EXPECT_EQ(row[i], other[i]) << id;
      }
  }
}

TEST_P(TableTransportTest, ATrainerWithoutRowsHoldsUpNoOther) {
  // Even ids only, and a trainer that has none at all.
  Job job(GetParam(), {.servers = 2,
                       .partition = IdPartition::Modulo,
                       .cluster = {.trainers = 2, .blocks = {}}});
  Job::Trainer first = job.connect(0), second = job.connect(1);
  const std::vector<int64_t> ids = {2, 4};
  std::vector<float> values, grads(8, 2), none;
  ASSERT_OK(prefetch(*first.rows, 0, ids, 4, values));
  ASSERT_OK(push(*first.rows, 0, ids, 4, grads));
  EarlyPrefetch early(*first.rows, 1, ids, 4), other(*first.rows, 1, {3}, 4);
  EXPECT_FALSE(early.pending.answered());
  ASSERT_OK(push(*second.rows, 0, {}, 4, none));
  ASSERT_OK(early.pending.wait());
  ASSERT_OK(other.pending.wait());
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(early.values[i], values[i] - rate);
}

TEST_P(TableTransportTest, TablesWaitForTheBarrierOfWhoSaysNothing) {
  Job job(GetParam(), {.cluster = {.trainers = 2, .blocks = {}}});
  Job::Trainer first = job.connect(0), second = job.connect(1);
  std::vector<float> values, grads(oddIds.size() * 4, 2);
  ASSERT_OK(prefetch(*first.rows, 0, oddIds, 4, values));
  ASSERT_OK(push(*first.rows, 0, oddIds, 4, grads));
  EarlyPrefetch early(*first.rows, 1, oddIds, 4);
  Pending barrier;
  first.clients[0]->sendBarrier(0, barrier.done());
  EXPECT_FALSE(early.pending.answered());
  ASSERT_OK(sendBarrier(*second.clients[0], 0));
  ASSERT_OK(early.pending.wait());
  EXPECT_EQ(early.values[0], values[0] - rate);
}

TEST_P(TableTransportTest, RowsAheadDoNotHoldUpPushes) {
  // More messages than a window has room for.
  Job job(GetParam(), {.table = embedding(1024)});
  Job::Trainer trainer = job.connect(0);
  std::vector<int64_t> many(20 * rowsPerMessage(4096));
  std::iota(many.begin(), many.end(), 0);
  EarlyPrefetch early(*trainer.rows, 1, many, 1024);
  const std::vector<int64_t> one = {5};
  ASSERT_OK(trainStep(trainer, 0, 0, one, 1024));
  ASSERT_OK(early.pending.wait());
  auto *row =
      reinterpret_cast<float *>(job.servers[0]->tables[0]->find(one[0]));
  EXPECT_EQ(early.values[5 * 1024], row[0]);
}

TEST_P(TableTransportTest, RowsAheadEndWithTheJob) {
  Job job(GetParam(), {.cluster = {.trainers = 2, .blocks = {}}});
  Job::Trainer first = job.connect(0), second = job.connect(1);
  EarlyPrefetch early(*first.rows, 1, oddIds, 4);
  EXPECT_FALSE(early.pending.answered());
  abortAll(second.clients, "no disk space");
  expectError(early.pending.wait(), absl::StatusCode::kAborted,
              {"prefetch of table 'emb' at step 1", "trainer 1 failed",
               "no disk space"});
}

TEST_P(TableTransportTest, WhoDiesMayHaveAskedAhead) {
  Job job(GetParam(), {.cluster = {.trainers = 2, .blocks = {}}});
  Job::Trainer first = job.connect(0), second = job.connect(1);
  EarlyPrefetch early(*first.rows, 1, oddIds, 4),
      other(*second.rows, 2, {1}, 4);
  std::vector<float> steps(1);
  Pending pulled;
  startPull(*second.clients[0], 0, "steps", DType::F32,
            std::as_writable_bytes(std::span(steps)), pulled.done());
  second.clients.clear();
  expectError(early.pending.wait(), absl::StatusCode::kAborted,
              {"prefetch of table 'emb' at step 1", "trainer 1"});
  EXPECT_FALSE(other.pending.wait().ok());
  EXPECT_FALSE(pulled.wait().ok());
}

TEST_P(TableTransportTest, CompletedTrainersGetNoRowsAhead) {
  Job job(GetParam(), {.cluster = {.trainers = 2, .blocks = {}}});
  Job::Trainer first = job.connect(0), second = job.connect(1);
  EarlyPrefetch early(*first.rows, 1, oddIds, 4);
  ASSERT_OK(completeAll(first.clients));
  expectError(early.pending.wait(), order, {"trainer 0"});
  ASSERT_OK(trainStep(second, 1, 0, {}, 4));
  EXPECT_EQ(job.rows(), 0);
}

TEST_P(TableLinkTest, RowsAheadAreBounded) {
  open({.blocks = {}, .tables = {embedding()}});
  wire::Rows later = two;
  later.set_step(1);
  std::vector<Pending> parked(300);
  Piece piece(payload, 16);
  for (Pending &pending : parked)
    link->prefetch(peer, later, /*frozen=*/false, Pieces(&piece, 1),
                   pending.done());
  int refused = 0;
  ASSERT_OK(barrier(&RawCalls::sendBarrier, 0));
  for (Pending &pending : parked)
    if (absl::Status status = pending.wait(); !status.ok()) {
      ++refused;
      // A link may deliver the barrier before the last of them.
      expectError(status, full,
                  {GetParam() == Transport::InProcess
                       ? "at most 256 messages of prefetches before their step "
                         "from trainer 0"
                       : "at most 256 messages of prefetches ",
                   "from trainer 0", "table 'emb' at step 1"});
    }
  EXPECT_LE(refused, 300 - 256);
  if (GetParam() == Transport::InProcess)
    EXPECT_EQ(refused, 300 - 256);
}

TEST_P(TableLinkTest, RowsAheadReachToTheEndOfTheSecondStep) {
  open({.blocks = {}, .tables = {embedding()}, .rounds = 2});
  auto ask = [&](int64_t step) {
    wire::Rows range = two;
    range.set_step(step);
    return prefetch(range);
  };
  expectError(ask(6), order,
              {"pushes or the send barrier of step 0 (round 0)",
               "prefetch of table 'emb' of step 3 (round 0)"});
  Pending early;
  wire::Rows range = two;
  range.set_step(5);
  Piece piece(payload, 16);
  link->prefetch(peer, range, /*frozen=*/false, Pieces(&piece, 1),
                 early.done());
  for (int64_t step = 0; step < 5; ++step) {
    EXPECT_FALSE(early.answered());
    ASSERT_OK(barrier(&RawCalls::sendBarrier, step));
    ASSERT_OK(barrier(&RawCalls::fetchBarrier, step));
  }
  ASSERT_OK(early.wait());
}

//===----------------------------------------------------------------------===//
// Full tables, wide rows, death
//===----------------------------------------------------------------------===//

TEST_P(TableTransportTest, FullTableNamesItselfAndItsLimit) {
  Job job(GetParam(), {.table = embedding(4, 5)});
  Job::Trainer trainer = job.connect(0);
  std::vector<float> values;
  expectError(prefetch(*trainer.rows, 0, oddIds, 4, values), full,
              {"prefetch of table 'emb' at step 0",
               job.servers[0]->endpoint.c_str(), "is full", "at most 5"});
  EXPECT_EQ(job.rows(), 0);
}

TEST_P(TableTransportTest, TheLimitHoldsOverAllServers) {
  // No pserver has more than 6 of the 7 rows.
  Job job(GetParam(), {.servers = 2, .table = embedding(4, 6)});
  Job::Trainer trainer = job.connect(0);
  std::vector<float> values;
  ASSERT_OK(prefetch(*trainer.rows, 0, std::span(oddIds).first(6), 4, values));
  expectError(prefetch(*trainer.rows, 0, oddIds, 4, values), full,
              {"prefetch of table 'emb' at step 0: table 'emb' is full",
               "hold 7 rows of at most 6"});
}

TEST_P(TableTransportTest, TheLimitHoldsOverAllTrainers) {
  // Each trainer has rows with one pserver only, which could hold them.
  Job job(GetParam(), {.servers = 2,
                       .table = embedding(4, 6),
                       .partition = IdPartition::Modulo,
                       .cluster = {.trainers = 2, .blocks = {}}});
  Job::Trainer even = job.connect(0), odd = job.connect(1);
  const std::vector<int64_t> four = {0, 2, 4, 6}, three = {1, 3, 5};
  std::vector<float> values;
  ASSERT_OK(prefetch(*even.rows, 0, four, 4, values));
  EXPECT_OK(checkLimits(*even.rows, 0));
  expectError(prefetch(*odd.rows, 0, three, 4, values), full,
              {"prefetch of table 'emb' at step 0: table 'emb' is full",
               "hold 7 rows of at most 6"});
  // Rows of the last step, which no prefetch counts.
  expectError(checkLimits(*even.rows, 0), full, {"hold 7 rows of at most 6"});
  EXPECT_OK(prefetch(*even.rows, 0, four, 4, values, /*create=*/false));
}

TEST_P(TableTransportTest, RowsThatAreGoneMakeRoom) {
  TableSpec spec = embedding(4, 6);
  spec.eviction.maxAge = 1;
  Job job(GetParam(),
          {.servers = 2, .table = spec, .partition = IdPartition::Modulo});
  Job::Trainer trainer = job.connect(0);
  ASSERT_OK(trainStep(trainer, 0, 0, std::vector<int64_t>{0, 2, 4, 1, 3}, 4));
  Table &table = *job.servers[0]->tables[0];
  table.advance(2);
  ASSERT_OK(table.shrink());
  // The pserver that has room now is not asked for rows.
  EXPECT_OK(trainStep(trainer, 0, 1, std::vector<int64_t>{5, 7, 9}, 4));
  EXPECT_EQ(job.rows(), 5);
}

TEST_P(TableTransportTest, StepsMayHaveMoreIdsThanAreAdmitted) {
  TableSpec spec = embedding(4, 2);
  spec.admission = {.kind = Admission::Kind::Count, .count = 3};
  Job job(GetParam(), {.servers = 2, .table = spec});
  Job::Trainer trainer = job.connect(0);
  ASSERT_OK(trainStep(trainer, 0, 0, oddIds, 4));
  EXPECT_EQ(job.rows(), 0);
}

TEST_P(TableTransportTest, RefusedPrefetchesCountNoAccess) {
  TableSpec spec = embedding(4, 5);
  spec.admission = {.kind = Admission::Kind::Count, .count = 2};
  Job job(GetParam(), {.table = spec});
  Job::Trainer trainer = job.connect(0);
  ASSERT_OK(trainStep(trainer, 0, 0, oddIds, 4));
  std::vector<float> values;
  expectError(prefetch(*trainer.rows, 1, oddIds, 4, values), full, {"is full"});
  EXPECT_EQ(job.rows(), 0);
  EXPECT_OK(prefetch(*trainer.rows, 1, std::span(oddIds).first(3), 4, values));
  EXPECT_EQ(job.rows(), 3);
}

TEST_P(TableTransportTest, TablesMayDropOldRowsInsteadOfRefusing) {
  TableSpec spec = embedding(4, 16);
  spec.eviction.leastRecentlyUsed = true;
  Job job(GetParam(), {.servers = 2, .table = spec});
  Job::Trainer trainer = job.connect(0);
  for (int64_t step = 0; step < 20; ++step) {
    std::vector<int64_t> ids;
    for (int64_t i = 0; i < 8; ++i)
      ids.push_back(8 * step + i);
    ASSERT_OK(trainStep(trainer, 0, step, ids, 4));
  }
  EXPECT_LE(job.rows(), 2 * 16);
}

TEST_P(TableTransportTest, DeadServerIsNamedWithTableAndStep) {
  Job job(GetParam(), {.servers = 2});
  Job::Trainer trainer = job.connect(0);
  job.servers[1]->pserver->stop(absl::UnavailableError("killed by the test"));
  std::vector<float> values;
  expectError(prefetch(*trainer.rows, 0, oddIds, 4, values),
              absl::StatusCode::kUnavailable,
              {"prefetch of table 'emb' at step 0",
               job.servers[1]->endpoint.c_str(), "killed by the test"});
  std::vector<float> grads(oddIds.size() * 4);
  expectError(push(*trainer.rows, 0, oddIds, 4, grads),
              absl::StatusCode::kUnavailable,
              {"push of rows of table 'emb' at step 0",
               job.servers[1]->endpoint.c_str()});
}

TEST_P(TableTransportTest, LostLineIsNamedWithTableAndStep) {
  Job job(GetParam(),
          {.cluster = {.blocks = {}, .clientTimeout = absl::Seconds(3)}});
  auto plan = std::make_shared<FaultPlan>();
  Job::Trainer trainer = job.connect(0, plan);
  plan->strikeEvery(wire::Request::kPrefetch, 1, FaultPlan::Kind::DropRequest);
  plan->strikeEvery(wire::Request::kHeartbeat, 1, FaultPlan::Kind::DropRequest);
  std::vector<float> values;
  expectError(prefetch(*trainer.rows, 0, oddIds, 4, values),
              absl::StatusCode::kUnavailable,
              {"prefetch of table 'emb' at step 0", "does not answer"});
}

TEST_P(TableTransportTest, DeadTrainerIsNamed) {
  Job job(GetParam(), {.cluster = {.trainers = 2, .blocks = {}}});
  Job::Trainer first = job.connect(0), second = job.connect(1);
  std::vector<float> grads(oddIds.size() * 4);
  ASSERT_OK(push(*first.rows, 0, oddIds, 4, grads));
  Pending barrier;
  first.clients[0]->sendBarrier(0, barrier.done());
  second.clients.clear();
  expectError(barrier.wait(), absl::StatusCode::kAborted,
              {"send barrier of step 0 for table 'emb'", "trainer 1"});
}

TEST_P(TableTransportTest, PendingPrefetchesEndWithTheJob) {
  Job job(GetParam(), {.cluster = {.trainers = 2, .blocks = {}}});
  Job::Trainer first = job.connect(0), second = job.connect(1);
  abortAll(second.clients, "no disk space");
  std::vector<float> values;
  expectError(prefetch(*first.rows, 0, oddIds, 4, values),
              absl::StatusCode::kAborted,
              {"prefetch of table 'emb' at step 0", "trainer 1 failed",
               "no disk space"});
}

TEST_P(TableTransportTest, RowsWiderThanAMessageAreRefused) {
  Job job(GetParam(), {});
  Job::Trainer trainer = job.connect(0);
  std::vector<float> values;
  const std::vector<int64_t> id = {1};
  expectError(prefetch(*trainer.rows, 0, id, chunkBytes / 4, values), invalid,
              {"a row of table 'emb' with its id must fit into 1048576 bytes",
               "found rows of 262144 x f32"});
}

INSTANTIATE_TEST_SUITE_P(All, TableTransportTest, allTransports, nameOf);
INSTANTIATE_TEST_SUITE_P(All, TableLinkTest, allTransports, nameOf);

//===----------------------------------------------------------------------===//
// The pserver and the source themselves
//===----------------------------------------------------------------------===//

TEST(PServerTest, TablesMustFitTheirUpdates) {
  auto store = *Store::create({}, 1);
  auto executor = *Executor::create({.threads = 1});
  auto table = *Table::create(embedding(), 1);
  auto wide = *Table::create(embedding(chunkBytes / 4, 2), 1);
  auto make = [&](std::vector<TableBlock> tables) {
    PServer::Options options;
    options.store = store.get();
    options.executor = executor.get();
    options.tables = std::move(tables);
    return PServer::create(std::move(options)).status();
  };
  Program none, wrong, right;
  RowBatch narrow(DType::F32, 3), fitting(DType::F32, 4);
  wrong.rowFeeds["grad"] = &narrow;
  right.rowFeeds["grad"] = &fitting;
  expectError(make({{table.get(), &none}}), invalid,
              {"table 'emb' has no feed 'grad' of rows"});
  expectError(make({{table.get(), &wrong}}), invalid,
              {"table 'emb' takes rows of 3 x f32, expected 4 x f32"});
  expectError(make({{table.get(), &right, 1}}), invalid,
              {"table 'emb' is updated in round 1, expected 0 to 0"});
  expectError(make({{table.get(), &right}, {table.get()}}), invalid,
              {"table 'emb' is given twice"});
  expectError(make({{wide.get()}}), invalid,
              {"a row of table 'emb' with its id must fit into 1048576 bytes"});
  EXPECT_OK(make({{table.get(), &right}}));
}

TEST(PServerTest, WhichRowsAreOldDependsOnTheTrainers) {
  auto store = *Store::create({}, 1);
  auto executor = *Executor::create({.threads = 1});
  TableSpec spec = embedding();
  spec.eviction.leastRecentlyUsed = true;
  auto table = *Table::create(spec, 1);
  auto make = [&](int trainers, bool deterministic) {
    PServer::Options options;
    options.trainers = trainers;
    options.deterministic = deterministic;
    options.store = store.get();
    options.executor = executor.get();
    options.tables = {{table.get()}};
    return PServer::create(std::move(options)).status();
  };
  expectError(make(2, true), invalid,
              {"table 'emb' drops old rows when it is full",
               "expected 1 trainer in a deterministic job, found 2"});
  EXPECT_OK(make(1, true));
  EXPECT_OK(make(2, false));
}

TEST(PServerTest, TablesThatAreOnlyReadTakeNoGradients) {
  auto store = *Store::create({}, 1);
  auto executor = *Executor::create({.threads = 1});
  auto table = *Table::create(embedding(), 1);
  PServer::Options options;
  options.jobHash = "job";
  options.store = store.get();
  options.executor = executor.get();
  options.tables = {{table.get()}};
  auto server = *PServer::create(std::move(options));
  ClientOptions client;
  client.hello = {0, 1, "job"};
  auto trainer = *connectInProcess("in-process", *server, client);
  ASSERT_OK(fetchBarrier(*trainer, startupStep));
  auto rows =
      *makeShardedRows({{"emb", 100, IdPartition::Mix, {trainer.get()}}});
  std::vector<float> values;
  ASSERT_OK(prefetch(*rows, 0, oddIds, 4, values));
  expectError(push(*rows, 0, oddIds, 4, values), order,
              {"push of rows of table 'emb', which is not trained"});
}

TEST(ShardedRowsTest, TablesAreChecked) {
  EXPECT_EQ(makeShardedRows({{"emb", 5, IdPartition::Mix, {}}}).status().code(),
            invalid);
  Cluster cluster(Transport::InProcess,
                  {.blocks = {}, .tables = {embedding()}});
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  const ShardedTable table{"emb", 5, IdPartition::Mix, {client.get()}};
  expectError(makeShardedRows({table, table}).status(), invalid,
              {"table 'emb' is given twice"});
  auto rows =
      *makeShardedRows({{"other", 5, IdPartition::Mix, {client.get()}}});
  std::vector<float> values;
  expectError(prefetch(*rows, 0, oddIds, 4, values),
              absl::StatusCode::kNotFound, {"no pserver holds a table 'emb'"});
}

} // namespace
