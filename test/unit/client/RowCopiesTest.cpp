// SPDX-License-Identifier: Apache-2.0
//===- RowCopiesTest.cpp - what pservers say of copies of rows ------------===//
//
// Runs in-process and over gRPC, like TableTransportTest.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/CachedRows.h"
#include "runtime/client/ShardedRows.h"
#include "test/unit/links/TransportCluster.h"
#include "test/unit/table/TableTesting.h"
#include <numeric>
#include <random>
#include <thread>

using namespace ps::runtime;
using ::testing::TestWithParam;

namespace {

constexpr auto invalid = absl::StatusCode::kInvalidArgument;
constexpr auto Kept = RowAnswer::Kept;
constexpr auto Value = RowAnswer::Value;
constexpr auto State = RowAnswer::State;

using Ids = std::vector<int64_t>;
using Held = std::vector<uint8_t>;
using Answers = std::vector<RowAnswer>;
using Bytes = std::vector<std::byte>;

constexpr int64_t width = 4;
constexpr size_t valueBytes = 16;
/// An odd number: rows do not lie at multiples of anything.
constexpr size_t stateBytes = 33;
/// Where nothing came.
constexpr std::byte untouched{0xEE};

TableSpec embedding() {
  TableSpec spec;
  spec.name = "emb";
  spec.width = width;
  spec.maxRows = 1 << 20;
  spec.initial = {InitialValue::Kind::Uniform, -1, 1};
  spec.slots = {{"moment", {DType::F32, {width}}, 0.5},
                {"flag", {DType::I1, {}}, 1}};
  spec.tracksLastWriter = true;
  return spec;
}

/// What came of some rows: answers, and what was written.
struct Refreshed {
  Refreshed(Ids given, Held copies)
      : ids(std::move(given)), held(std::move(copies)), answers(ids.size()),
        rows(ids.size() * stateBytes, untouched) {
    held.resize(ids.size());
  }
  void start(RowSource &holders, int64_t step) {
    holders.prefetch(step,
                     {{"emb", DType::F32, width, ids},
                      rows.data(),
                      /*places=*/{},
                      /*frozen=*/false,
                      {stateBytes, held, answers}},
                     pending.done());
  }
  Bytes row(size_t i) const {
    return {rows.begin() + i * stateBytes, rows.begin() + (i + 1) * stateBytes};
  }

  Ids ids;
  Held held;
  Answers answers;
  Bytes rows;
  Pending pending;
};

/// Pservers that share a table, and all of its trainers.
class Job {
public:
  struct Setup {
    int servers = 1;
    int trainers = 1;
    TableSpec table = embedding();
    /// Over all links.
    std::shared_ptr<FaultPlan> plan = nullptr;
  };
  struct Trainer {
    std::vector<std::unique_ptr<Client>> clients;
    std::unique_ptr<RowSource> rows;
    bool left = false;
  };

  Job(Transport transport, const Setup &setup) {
    const Cluster::Setup cluster = {
        .trainers = setup.trainers, .blocks = {}, .tables = {setup.table}};
    for (int i = 0; i < setup.servers; ++i)
      servers.push_back(std::make_unique<Cluster>(transport, cluster));
    trainers.resize(setup.trainers);
    for (int i = 0; i < setup.trainers; ++i) {
      ShardedTable table{"emb", setup.table.maxRows, IdPartition::Mix};
      for (auto &server : servers) {
        trainers[i].clients.push_back(server->connect(i, setup.plan));
        table.shards.push_back(trainers[i].clients.back().get());
        EXPECT_OK(fetchBarrier(*trainers[i].clients.back(), startupStep));
      }
      trainers[i].rows = *makeShardedRows({table});
    }
  }

  Table &tableOf(int64_t id) {
    const int shard =
        shardOf(id, static_cast<int>(servers.size()), IdPartition::Mix);
    return *servers[shard]->tables[0];
  }
  /// What the pserver has of a row; with what a refresh leaves behind it, the
  /// first `bytes` bytes of it.
  Bytes row(int64_t id, size_t bytes = stateBytes) {
    const std::byte *row = tableOf(id).find(id);
    if (!row)
      return {};
    Bytes copy(stateBytes, untouched);
    std::copy(row, row + bytes, copy.begin());
    return copy;
  }

  Refreshed refresh(int trainer, int64_t step, const Ids &ids,
                    const Held &held = {}) {
    Refreshed refreshed(ids, held);
    refreshed.start(*trainers[trainer].rows, step);
    EXPECT_OK(refreshed.pending.wait());
    return refreshed;
  }
  Answers answers(int trainer, int64_t step, const Ids &ids,
                  const Held &held = {}) {
    return refresh(trainer, step, ids, held).answers;
  }

  absl::Status push(int trainer, int64_t step, const Ids &ids) {
    std::vector<float> grads(ids.size() * width, 1);
    Pending pending;
    trainers[trainer].rows->push(
        step,
        {{"emb", DType::F32, width, ids}, std::as_bytes(std::span(grads))},
        pending.done());
    return pending.wait();
  }
  /// Trainer i pushes the i-th ids; then the step ends for all.
  void step(int64_t step, const std::vector<Ids> &pushed) {
    for (size_t i = 0; i < pushed.size(); ++i)
      if (!trainers[i].left)
        ASSERT_OK(push(static_cast<int>(i), step, pushed[i]));
    endStep(step);
  }
  void endStep(int64_t step) {
    std::vector<Pending> barriers;
    for (Trainer &trainer : trainers)
      for (auto &client : trainer.clients)
        if (!trainer.left)
          client->sendBarrier(step, barriers.emplace_back().done());
    for (Pending &barrier : barriers)
      ASSERT_OK(barrier.wait());
    for (Trainer &trainer : trainers)
      for (auto &client : trainer.clients)
        if (!trainer.left)
          ASSERT_OK(fetchBarrier(*client, step));
  }
  void leave(int trainer) {
    EXPECT_OK(completeAll(trainers[trainer].clients));
    trainers[trainer].left = true;
  }

  std::vector<std::unique_ptr<Cluster>> servers;
  std::vector<Trainer> trainers;
};

class RowCopiesTest : public TestWithParam<Transport> {};

//===----------------------------------------------------------------------===//
// Which copies are right
//===----------------------------------------------------------------------===//

TEST_P(RowCopiesTest, RowsWithoutUpdatesComeWithoutSlots) {
  Job job(GetParam(), {});
  const Ids ids = {0, -1, INT64_MIN, INT64_MAX};
  for (int64_t step = 0; step < 2; ++step) {
    Refreshed got = job.refresh(0, step, ids);
    EXPECT_EQ(got.answers, Answers(4, Value));
    for (size_t i = 0; i < ids.size(); ++i)
      EXPECT_EQ(got.row(i), job.row(ids[i], valueBytes));
    job.step(step, {{}});
  }
  // Not even to a trainer that announces copies.
  EXPECT_EQ(job.answers(0, 2, ids, Held(4, 1)), Answers(4, Value));
}

TEST_P(RowCopiesTest, WhoAloneUpdatedARowKeepsIt) {
  Job job(GetParam(), {.trainers = 2});
  const Ids ids = {5, -1, 6};
  EXPECT_EQ(job.answers(0, 0, ids), Answers(3, Value));
  job.step(0, {{5, -1}, {6}});
  // Its second access; what it has is not asked for.
  Refreshed got = job.refresh(0, 1, ids);
  EXPECT_EQ(got.answers, (Answers{State, State, Value}));
  EXPECT_EQ(got.row(0), job.row(5));
  EXPECT_EQ(got.row(1), job.row(-1));
  EXPECT_EQ(got.row(2), job.row(6, valueBytes));
  // Again, for another attempt may have been answered.
  EXPECT_EQ(job.answers(0, 1, ids), (Answers{State, State, Value}));
  EXPECT_EQ(job.answers(1, 1, ids), (Answers{Value, Value, State}));
  job.step(1, {{-1}, {}});
  // Whoever pushed none of it in between.
  got = job.refresh(0, 2, ids, {1, 1, 1});
  EXPECT_EQ(got.answers, (Answers{Kept, Kept, Value}));
  EXPECT_EQ(got.row(0), Bytes(stateBytes, untouched));
  EXPECT_EQ(got.row(2), job.row(6, valueBytes));
  EXPECT_EQ(job.answers(0, 2, ids, {0, 2, 0}), (Answers{State, Kept, Value}));
}

TEST_P(RowCopiesTest, CopiesOfRowsThatOthersPushedAreNotRight) {
  Job job(GetParam(), {.trainers = 3});
  const Ids ids = {1, 2, 3};
  EXPECT_EQ(job.answers(0, 0, ids), Answers(3, Value));
  // Both push 1; 2 and 3 are trainer 0's.
  job.step(0, {{1, 2, 3}, {1}, {}});
  EXPECT_EQ(job.answers(0, 1, ids), (Answers{Value, State, State}));
  EXPECT_EQ(job.answers(1, 1, ids), Answers(3, Value));
  // 1 is trainer 1's now, 2 has no owner.
  job.step(1, {{2}, {1}, {2}});
  EXPECT_EQ(job.answers(0, 2, ids, {1, 1, 1}), (Answers{Value, Value, Kept}));
  EXPECT_EQ(job.answers(1, 2, ids), (Answers{State, Value, Value}));
  EXPECT_EQ(job.answers(2, 2, ids), Answers(3, Value));
  // Pushed by another alone, and by all.
  job.step(2, {{2, 1}, {2}, {3, 2}});
  EXPECT_EQ(job.answers(0, 3, ids, {1, 1, 1}), (Answers{Kept, Value, Value}));
  EXPECT_EQ(job.answers(2, 3, ids), (Answers{Value, Value, State}));
  // And back.
  job.step(3, {{2, 3}, {}, {}});
  EXPECT_EQ(job.answers(0, 4, ids, {1, 0, 0}), (Answers{Kept, State, State}));
}

TEST_P(RowCopiesTest, WithoutAllTrainersNoCopyIsRight) {
  // A mean over fewer than trainers divide by.
  Job job(GetParam(), {.trainers = 3});
  const Ids ids = {1, 2};
  EXPECT_EQ(job.answers(0, 0, ids), Answers(2, Value));
  job.step(0, {{1, 2}, {}, {}});
  EXPECT_EQ(job.answers(0, 1, ids), (Answers{State, State}));
  job.leave(2);
  job.step(1, {{2}, {}, {}});
  EXPECT_EQ(job.answers(0, 2, ids, {1, 1}), (Answers{Kept, Value}));
  job.step(2, {{1, 2}, {}, {}});
  EXPECT_EQ(job.answers(0, 3, ids, {1, 0}), (Answers{Value, Value}));
  job.leave(1);
  job.step(3, {{1}, {}, {}});
  EXPECT_EQ(job.answers(0, 4, ids), (Answers{Value, Value}));
}

TEST_P(RowCopiesTest, IdsThatAreNotAdmittedReadAsZeros) {
  TableSpec spec = embedding();
  spec.admission = {.kind = Admission::Kind::Count, .count = 3};
  Job job(GetParam(), {.table = spec});
  for (int64_t step = 0; step < 3; ++step) {
    // A repeated one is no other access.
    for (int repeat = 0; repeat < 2; ++repeat) {
      Refreshed got = job.refresh(0, step, {7}, {1});
      EXPECT_EQ(got.answers, Answers{Value});
      Bytes zeros(stateBytes, untouched);
      std::fill(zeros.begin(), zeros.begin() + valueBytes, std::byte{0});
      EXPECT_EQ(got.row(0), step < 2 ? zeros : job.row(7, valueBytes));
    }
    EXPECT_EQ(job.tableOf(7).size(), step < 2 ? 0 : 1);
    job.step(step, {{7}});
  }
  EXPECT_EQ(job.answers(0, 3, {7}), Answers{State});
}

TEST_P(RowCopiesTest, RowsThatWereDroppedStartAgain) {
  TableSpec spec = embedding();
  spec.eviction.maxAge = 1;
  Job job(GetParam(), {.table = spec});
  const Bytes initial = job.refresh(0, 0, {7}).row(0);
  job.step(0, {{7}});
  EXPECT_EQ(job.answers(0, 1, {7}), Answers{State});
  job.endStep(1);
  Table &table = job.tableOf(7);
  table.advance(2);
  ASSERT_OK(table.shrink());
  ASSERT_EQ(table.find(7), nullptr);
  Refreshed got = job.refresh(0, 2, {7}, {1});
  EXPECT_EQ(got.answers, Answers{Value});
  EXPECT_EQ(got.row(0), initial);
}

TEST_P(RowCopiesTest, RowsAheadAreThoseAfterTheUpdate) {
  Job job(GetParam(), {.servers = 2, .trainers = 2});
  const Ids ids = {1, 2, 3, 4};
  EXPECT_EQ(job.answers(0, 0, ids), Answers(4, Value));
  job.step(0, {ids, {}});
  ASSERT_OK(job.push(0, 1, {1, 2}));
  Refreshed early(ids, {1, 0, 1, 0});
  early.start(*job.trainers[0].rows, 2);
  EXPECT_FALSE(early.pending.answered());
  ASSERT_OK(job.push(1, 1, {2, 3}));
  ASSERT_OK(early.pending.wait());
  EXPECT_EQ(early.answers, (Answers{Kept, Value, Value, State}));
  EXPECT_EQ(early.row(1), job.row(2, valueBytes));
  EXPECT_EQ(early.row(3), job.row(4));
  job.endStep(1);
}

//===----------------------------------------------------------------------===//
// Many rows
//===----------------------------------------------------------------------===//

TEST_P(RowCopiesTest, AnswersAndRowsArriveAtTheirPlaces) {
  constexpr int64_t count = 90000;
  for (int servers : {1, 3})
    for (auto kind :
         {FaultPlan::Kind::Duplicate, FaultPlan::Kind::DropAnswer}) {
      auto plan = std::make_shared<FaultPlan>();
      plan->strikeEvery(wire::Request::kPrefetch, 3, kind);
      Job job(GetParam(), {.servers = servers, .plan = plan});
      Ids ids, pushed;
      Held held;
      for (int64_t i = 0; i < count; ++i) {
        ids.push_back(i * 7919 - 1000000);
        held.push_back(i % 5 == 0);
        if (i % 3 != 0)
          pushed.push_back(ids.back());
      }
      EXPECT_EQ(job.answers(0, 0, ids), Answers(count, Value));
      job.step(0, {pushed});
      Refreshed got = job.refresh(0, 1, ids, held);
      // Of at most 2^20 / (33 + 8) rows each; some 30000 to each of three.
      EXPECT_GE(plan->count(wire::Request::kPrefetch),
                2 * (servers == 1 ? 4 : 6));
      for (int64_t i = 0; i < count; ++i) {
        const RowAnswer expected = i % 3 == 0 ? Value : held[i] ? Kept : State;
        ASSERT_EQ(got.answers[i], expected) << i;
        const size_t bytes = expected == Kept    ? 0
                             : expected == Value ? valueBytes
                                                 : stateBytes;
        ASSERT_EQ(std::memcmp(got.rows.data() + i * stateBytes,
                              job.row(ids[i], bytes).data(), stateBytes),
                  0)
            << i;
      }
    }
}

TEST_P(RowCopiesTest, RefusalsNameWhatWasAsked) {
  TableSpec spec = embedding();
  spec.maxRows = 2;
  Job job(GetParam(), {.servers = 2, .table = spec});
  Refreshed many({1, 2, 3, 4, 5}, {});
  many.start(*job.trainers[0].rows, 0);
  expectError(many.pending.wait(), absl::StatusCode::kResourceExhausted,
              {"prefetch of table 'emb' at step 0", "is full", "at most 2"});
  Refreshed none({}, {});
  none.start(*job.trainers[0].rows, 0);
  EXPECT_OK(none.pending.wait());
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

/// Ids of a trainer alone, of all, and of whoever comes.
Ids idsOf(int trainer, int64_t step) {
  Ids ids = {-1, 0, 1 + step % 3};
  for (int64_t i = 0; i < 20; ++i)
    ids.push_back(1000 * (trainer + 1) + (i * i + step) % 31);
  ids.push_back(5000 + (step + trainer) % 4);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// row -= rate * gradient, as the cluster's pservers do.
class CopyUpdate {
public:
  CopyUpdate() {
    RowStep step;
    step.kernel.function = [](void *const *buffers, int64_t, int64_t rows) {
      auto *row = static_cast<float *>(buffers[0]);
      const auto *gradient = static_cast<const float *>(buffers[1]);
      for (int64_t i = 0; i < rows; ++i)
        row[i] -= rate * gradient[i];
    };
    step.kernel.buffers = {image, gradient};
    step.kernel.rows = width;
    RowMemory memory;
    memory.row = image;
    memory.gradient = {reinterpret_cast<std::byte *>(gradient),
                       sizeof(gradient)};
    update = std::make_shared<RowUpdate>(
        *RowUpdate::create(std::span(&step, 1), memory));
  }
  std::shared_ptr<const RowUpdate> update;

private:
  alignas(4) std::byte image[36] = {};
  float gradient[width] = {};
};

/// A step's rows, or those of the next one.
struct Asked {
  Asked(RowSource &source, int trainer, int64_t step)
      : ids(idsOf(trainer, step)), batch(DType::F32, width) {
    RowLookup lookup{ids, std::nullopt};
    EXPECT_OK(batch.assign(std::span(&lookup, 1)));
    source.prefetch(
        step, {{"emb", DType::F32, width, batch.ids()}, batch.values().data},
        pending.done());
  }
  Ids ids;
  RowBatch batch;
  Pending pending;
};

/// Trains with copies, or without if `maxRows` is 0.
void train(Job &job, int trainer, int64_t steps, int64_t maxRows, bool ahead,
           CacheCounters &counters) {
  Job::Trainer &self = job.trainers[trainer];
  const int trainers = static_cast<int>(job.trainers.size());
  std::vector<CachedTable> tables;
  if (maxRows != 0)
    tables.push_back({embedding(), maxRows});
  auto rows = *CachedRows::create(std::move(self.rows), std::move(tables),
                                  trainers, {});
  const CopyUpdate update;
  std::unique_ptr<Asked> next;
  for (int64_t step = 0; step < steps; ++step) {
    auto now =
        next ? std::move(next) : std::make_unique<Asked>(*rows, trainer, step);
    auto askAhead = [&] {
      if (ahead && step + 1 < steps)
        next = std::make_unique<Asked>(*rows, trainer, step + 1);
    };
    // The first time before the rows of this step are here.
    if (step == 0)
      askAhead();
    ASSERT_OK(now->pending.wait());
    if (step != 0)
      askAhead();
    // Gradients that depend on what was read.
    const TensorRef values = now->batch.values();
    const TensorRef grads = *now->batch.gradients();
    for (int64_t i = 0; i < now->batch.size() * width; ++i)
      grads.as<float>()[i] =
          0.25f * values.as<float>()[i] + static_cast<float>(trainer + i % 5);
    Pending pushed;
    rows->push(step,
               {{"emb", DType::F32, width, now->batch.ids()},
                {grads.data, grads.type.bytes()}},
               pushed.done());
    if (maxRows != 0)
      ASSERT_OK(runNode(
          rows->makeUpdateNode("emb", {&now->batch, update.update, {}, {}}),
          1));
    ASSERT_OK(pushed.wait());
    std::vector<Pending> barriers(self.clients.size());
    for (size_t i = 0; i < barriers.size(); ++i)
      self.clients[i]->sendBarrier(step, barriers[i].done());
    for (size_t i = 0; i < barriers.size(); ++i) {
      ASSERT_OK(barriers[i].wait());
      ASSERT_OK(fetchBarrier(*self.clients[i], step));
    }
  }
  if (maxRows != 0)
    counters = rows->counters().at("emb");
  EXPECT_OK(completeAll(self.clients));
}

TEST_P(RowCopiesTest, CopiesChangeNothing) {
  constexpr int trainers = 3;
  constexpr int64_t steps = 12;
  auto run = [&](int64_t maxRows, bool ahead) {
    auto plan = std::make_shared<FaultPlan>();
    plan->strikeEvery(wire::Request::kPrefetch, 5, FaultPlan::Kind::Duplicate);
    auto job = std::make_unique<Job>(
        GetParam(),
        Job::Setup{.servers = 2, .trainers = trainers, .plan = plan});
    std::vector<CacheCounters> counters(trainers);
    std::vector<std::thread> threads;
    for (int i = 0; i < trainers; ++i)
      threads.emplace_back(
          [&, i] { train(*job, i, steps, maxRows, ahead, counters[i]); });
    for (std::thread &thread : threads)
      thread.join();
    for (const CacheCounters &each : counters) {
      EXPECT_EQ(each.kept > 0, maxRows != 0);
      EXPECT_EQ(each.states > 0, maxRows != 0);
      EXPECT_LE(each.copies, maxRows);
    }
    return job;
  };
  auto expected = run(0, false);
  for (int64_t maxRows : {5, 1000})
    for (bool ahead : {false, true}) {
      auto found = run(maxRows, ahead);
      for (int i = 0; i < trainers; ++i)
        for (int64_t step = 0; step < steps; ++step)
          for (int64_t id : idsOf(i, step))
            ASSERT_EQ(found->row(id), expected->row(id)) << id;
    }
}

//===----------------------------------------------------------------------===//
// What pservers refuse
//===----------------------------------------------------------------------===//

/// A bare link of trainer 0, which may push step 0.
class RowCopiesLinkTest : public TestWithParam<Transport> {
protected:
  void open(TableSpec spec) {
    link.reset();
    cluster = std::make_unique<Cluster>(
        GetParam(), Cluster::Setup{.blocks = {}, .tables = {std::move(spec)}});
    link = cluster->rawLink();
    Pending hello, begin;
    link->handshake(cluster->hello(0), hello.done());
    ASSERT_OK(hello.wait());
    link->fetchBarrier(peer, startupStep, begin.done());
    ASSERT_OK(begin.wait());
  }
  absl::Status prefetch(const wire::Rows &range, size_t bytes = 18,
                        bool frozen = false) {
    Piece piece(payload, bytes);
    Pending pending;
    link->prefetch(peer, range, frozen, Pieces(&piece, 1), pending.done());
    return pending.wait();
  }

  const Peer peer{0, 1};
  const wire::Rows two =
      makeRows(0, "emb", DType::F32, width, 0, 2, 2, stateBytes);
  std::unique_ptr<Cluster> cluster;
  std::unique_ptr<RawLink> link;
  std::byte payload[1 << 12] = {};
};

TEST_P(RowCopiesLinkTest, ForgedCopiesAreRefused) {
  open(embedding());
  for (uint64_t size :
       {uint64_t{32}, uint64_t{36}, uint64_t{1}, ~uint64_t{0}}) {
    wire::Rows range = two;
    range.set_state_bytes(size);
    expectError(prefetch(range), invalid,
                {"expected 33 bytes for a copy of a row of table 'emb', found ",
                 std::to_string(size).c_str(), "trainer 0"});
  }
  for (size_t bytes : {size_t{0}, size_t{16}, size_t{17}, size_t{19}})
    expectError(prefetch(two, bytes), invalid,
                {"expected 18 bytes for 2 rows of table 'emb', found ",
                 std::to_string(bytes).c_str()});
  expectError(prefetch(two, 18, /*frozen=*/true), invalid,
              {"a prefetch that creates no rows of table 'emb' to take no "
               "copies of them, found one of 33 bytes a row from trainer 0"});
  // As many as with their slots fit into a message.
  wire::Rows many = two;
  many.set_count(30000);
  many.set_total(30000);
  expectError(prefetch(many), invalid,
              {"expected messages of 25575 rows of table 'emb'"});
  Piece piece(payload, 2 * (8 + valueBytes));
  Pending push;
  link->pushRows(peer, 1, two, Pieces(&piece, 1), push.done());
  expectError(
      push.wait(), invalid,
      {"expected 0 bytes for a copy of a row of table 'emb', found 33"});
  EXPECT_EQ(cluster->tables[0]->size(), 0);
  EXPECT_OK(prefetch(two));
  // Copies are no duty, and there may be no rows.
  wire::Rows plain = two, none = two;
  plain.set_state_bytes(0);
  none.set_count(0);
  none.set_total(0);
  EXPECT_OK(prefetch(plain, 16));
  EXPECT_OK(prefetch(none, 0));
}

TEST_P(RowCopiesLinkTest, TablesMayKeepNoUpdaters) {
  TableSpec spec = embedding();
  spec.tracksLastWriter = false;
  open(spec);
  expectError(
      prefetch(two), invalid,
      {"expected 0 bytes for a copy of a row of table 'emb', found 33"});
  EXPECT_EQ(cluster->tables[0]->size(), 0);
}

TEST_P(RowCopiesLinkTest, RandomHeadersDoNoHarm) {
  open(embedding());
  std::mt19937_64 random(1);
  auto any = [&](std::initializer_list<uint64_t> usual) {
    const size_t pick = random() % (usual.size() + 1);
    return pick < usual.size() ? usual.begin()[pick] : random();
  };
  for (int i = 0; i < 300; ++i) {
    wire::Rows range = makeRows(0, "emb", DType::F32, any({4, 4, 4, 0}),
                                any({0, 0, 25575}), any({2, 1, 25575}),
                                any({2, 1, 25576}), any({33, 33, 33, 0, 1}));
    const size_t bytes = any({18, 9, 16, 8, 0}) % (sizeof(payload) + 1);
    (void)prefetch(range, bytes, /*frozen=*/random() % 4 == 0);
  }
  EXPECT_LE(cluster->tables[0]->size(), 1);
  EXPECT_OK(prefetch(two));
}

INSTANTIATE_TEST_SUITE_P(All, RowCopiesTest, allTransports, nameOf);
INSTANTIATE_TEST_SUITE_P(All, RowCopiesLinkTest, allTransports, nameOf);

TEST(RowCopiesServerTest, RowsMustFitWithTheirSlots) {
  auto store = *Store::create({}, 1);
  auto executor = *Executor::create({.threads = 1});
  TableSpec spec = embedding();
  spec.maxRows = 2;
  spec.slots.push_back({"large", {DType::F32, {chunkBytes / 4}}, 0});
  auto create = [&] {
    auto table = *Table::create(spec, 1);
    PServer::Options options;
    options.store = store.get();
    options.executor = executor.get();
    options.tables = {{table.get()}};
    return PServer::create(std::move(options)).status();
  };
  expectError(create(), invalid,
              {"a row of table 'emb' with its id and slots must fit into "
               "1048576 bytes for trainers to keep copies of it (cache_rows)",
               "found 1048612"});
  spec.tracksLastWriter = false;
  EXPECT_OK(create());
}

//===----------------------------------------------------------------------===//
// What trainers refuse
//===----------------------------------------------------------------------===//

/// A pserver that answers prefetches with `pieces`, whatever they ask for.
class Liar final : public Link {
public:
  explicit Liar(std::vector<Bytes> answer) : answer(std::move(answer)) {}

  void call(const wire::Request &request, Pieces, Respond done) override {
    if (request.has_heartbeat())
      return heartbeats.push_back(std::move(done));
    Response response;
    if (request.has_prefetch())
      response.payload.assign(answer.begin(), answer.end());
    done(std::move(response));
  }
  void disconnect() override {
    for (Respond &done : std::exchange(heartbeats, {}))
      done(linkFailure(absl::StatusCode::kUnavailable, "disconnected"));
  }

private:
  const std::vector<Bytes> answer;
  std::vector<Respond> heartbeats;
};

/// What a trainer makes of such an answer for ids 5, of which it has no copy,
/// and 6, of which it has one.
absl::Status hear(std::vector<Bytes> answer, Refreshed &refreshed) {
  ClientOptions options;
  options.hello = {0, 1, "job"};
  auto client = *introduce("the liar",
                           std::make_unique<Liar>(std::move(answer)), options);
  auto rows = *makeShardedRows({{"emb", 9, IdPartition::Mix, {client.get()}}});
  refreshed.start(*rows, 0);
  return refreshed.pending.wait();
}

/// The answers, then as many bytes.
Bytes say(std::initializer_list<int> answers, size_t bytes) {
  Bytes said;
  for (int answer : answers)
    said.push_back(std::byte(answer));
  for (size_t i = 0; i < bytes; ++i)
    said.push_back(std::byte(i));
  return said;
}

TEST(LyingServerTest, AnswersOfOtherSizesAreRefused) {
  const std::pair<Bytes, const char *> cases[] = {
      {say({}, 0), "expected 2 rows in 2 bytes of the answer, found 0 bytes"},
      {say({1}, 0), "expected 2 rows in 2 bytes of the answer, found 1 bytes"},
      {say({1, 0}, 15), "expected 2 rows in 18 bytes of the answer, found 17"},
      {say({1, 0}, 17), "expected 2 rows in 18 bytes of the answer, found 19"},
      {say({1, 1}, 0), "expected 2 rows in 34 bytes of the answer, found 2"},
      {say({2, 2}, 65), "expected 2 rows in 68 bytes of the answer, found 67"},
      {say({2, 1}, 50), "expected 2 rows in 51 bytes of the answer, found 52"}};
  for (const auto &[said, message] : cases) {
    Refreshed refreshed({5, 6}, {0, 1});
    expectError(hear({said}, refreshed), absl::StatusCode::kInternal,
                {"prefetch of table 'emb' at step 0", "the liar", message});
    EXPECT_EQ(refreshed.rows, Bytes(2 * stateBytes, untouched));
  }
}

TEST(LyingServerTest, AnswersThatMeanNothingAreRefused) {
  for (int answer : {3, 255})
    for (size_t bytes : {16, 0}) {
      Refreshed refreshed({5, 6}, {0, 1});
      expectError(hear({say({1, answer}, bytes)}, refreshed),
                  absl::StatusCode::kInternal,
                  {"the liar", "found answer ", std::to_string(answer).c_str(),
                   " for id 6"});
    }
}

TEST(LyingServerTest, WhatATrainerDoesNotHaveItCannotKeep) {
  Refreshed refreshed({5, 6}, {0, 1});
  expectError(hear({say({0, 0}, 0)}, refreshed), absl::StatusCode::kInternal,
              {"the liar", "the trainer's copy", "found answer 0 for id 5"});
}

TEST(LyingServerTest, AnswersMayComeInAnyPieces) {
  const Bytes whole = say({2, 1}, stateBytes + valueBytes);
  for (size_t size : {size_t{1}, size_t{5}, size_t{34}, whole.size()}) {
    std::vector<Bytes> pieces = {{}};
    for (size_t i = 0; i < whole.size(); i += size) {
      pieces.emplace_back(whole.begin() + i,
                          whole.begin() + std::min(i + size, whole.size()));
      pieces.emplace_back();
    }
    Refreshed refreshed({5, 6}, {0, 1});
    EXPECT_OK(hear(pieces, refreshed));
    EXPECT_EQ(refreshed.answers, (Answers{State, Value}));
    for (size_t i = 0; i < 2 * stateBytes; ++i)
      EXPECT_EQ(refreshed.rows[i],
                i < stateBytes + valueBytes ? std::byte(i) : untouched);
  }
}

} // namespace
