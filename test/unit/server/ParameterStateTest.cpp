// SPDX-License-Identifier: Apache-2.0
//===- ParameterStateTest.cpp - batches and reads of a pserver's state ----===//

#include "runtime/server/state/ParameterState.h"
#include "test/unit/links/TransportCluster.h"
#include "test/unit/server/FakeGradients.h"
#include <gmock/gmock.h>

using namespace ps::runtime;
using ::testing::ElementsAre;

namespace {
using Log = std::vector<std::string>;

std::unique_ptr<Node> makeLogNode(Log &log, const std::string &line) {
  return makeNode(Node::Kind::Kernel, line, [&log, line](StepContext &) {
    log.push_back(line);
    return absl::OkStatus();
  });
}

/// Logs the means it is asked for.
class LoggedGradients final : public FakeGradients {
public:
  LoggedGradients(Log &log, std::string name)
      : FakeGradients(std::move(name)), log(log) {}
  absl::Status computeMean(StepContext &,
                           std::span<const int> contributors) override {
    log.push_back(absl::StrCat("mean ", name, " of ", contributors.size()));
    return absl::OkStatus();
  }

private:
  Log &log;
};

/// Blocks 'w' and 'b' of round 0, 'late' of round 1, and a table 'emb' of rows
/// of two, all 3, which nothing updates.
class ParameterStateTest : public ::testing::Test {
protected:
  void make(int rounds) {
    schedule.addNode(makeLogNode(log, "schedule"), {});
    std::vector<VariableSpec> specs;
    for (const char *name : {"w", "b", "late"})
      specs.push_back({name, {DType::F32, {1}}, {}, name, 0, ""});
    store = *Store::create(std::move(specs), /*seed=*/1);
    TableSpec spec;
    spec.name = "emb";
    spec.width = 2;
    spec.maxRows = 100;
    spec.initial = {InitialValue::Kind::Constant, 3, 0};
    table = *Table::create(spec, /*seed=*/1);
    ParameterState::Options options;
    options.store = store.get();
    options.executor = executor.get();
    options.rounds.count = rounds;
    options.schedule = &schedule;
    for (const char *name : {"w", "b", "late"}) {
      auto update = std::make_unique<Program>();
      update->feeds["grad"] = {{DType::F32, {1}}, *update->ownMemory(4)};
      update->addNode(makeLogNode(log, absl::StrCat("update ", name)), {});
      const int round = rounds > 1 && std::string(name) == "late";
      options.blocks.push_back({name, update.get(), round});
      updates.push_back(std::move(update));
      gradients.push_back(std::make_unique<LoggedGradients>(log, name));
    }
    options.tables.push_back({.table = table.get()});
    state = *ParameterState::create(options);
    for (int i = 0; i < 3; ++i)
      state->setGradients(i, *gradients[i]);
  }
  Log apply(UpdateBatch batch) {
    log.clear();
    EXPECT_OK(state->apply(batch));
    return log;
  }

  Log log;
  std::unique_ptr<Executor> executor =
      *Executor::create({.threads = 1, .deterministic = true});
  Program schedule;
  std::unique_ptr<Store> store;
  std::unique_ptr<Table> table;
  std::vector<std::unique_ptr<Program>> updates;
  std::vector<std::unique_ptr<LoggedGradients>> gradients;
  std::unique_ptr<ParameterState> state;
};

TEST_F(ParameterStateTest, UnitsAreBlocksThenTables) {
  make(/*rounds=*/1);
  ASSERT_EQ(state->numUnits(), 4u);
  EXPECT_EQ(state->unit(1).name, "b");
  EXPECT_EQ(state->unit(1).table, nullptr);
  EXPECT_EQ(state->unit(3).name, "emb");
  EXPECT_EQ(state->unit(3).table->unit(), 3);
}

TEST_F(ParameterStateTest, TheScheduleRunsOnceBeforeTheUnitsOfAStep) {
  make(/*rounds=*/1);
  EXPECT_THAT(apply({.step = 0, .units = {0}, .contributors = {0, 1}}),
              ElementsAre("schedule", "mean w of 2", "update w"));
  EXPECT_EQ(state->endedStep(), startupStep);
  EXPECT_THAT(
      apply({.step = 0, .units = {1}, .contributors = {0}, .endsStep = true}),
      ElementsAre("mean b of 1", "update b"));
  EXPECT_EQ(state->endedStep(), 0);
  EXPECT_EQ(apply({.step = 1, .endsStep = true}), Log{"schedule"});
}

TEST_F(ParameterStateTest, TheScheduleRunsInTheFirstRound) {
  make(/*rounds=*/2);
  EXPECT_THAT(apply({.step = 0, .units = {0}, .endsStep = true}),
              ElementsAre("schedule", "mean w of 0", "update w"));
  EXPECT_THAT(apply({.step = 1, .units = {2}, .endsStep = true}),
              ElementsAre("mean late of 0", "update late"));
  EXPECT_THAT(apply({.step = 2, .endsStep = true}), ElementsAre("schedule"));
}

TEST_F(ParameterStateTest, RowsAgeByProgramSteps) {
  make(/*rounds=*/2);
  apply({.step = 0, .endsStep = true});
  EXPECT_EQ(table->time(), 0);
  apply({.step = 1, .endsStep = true});
  EXPECT_EQ(table->time(), 1);
}

TEST_F(ParameterStateTest, ATableAgesOnceInAStep) {
  make(/*rounds=*/1);
  apply({.step = 0});
  EXPECT_EQ(table->time(), 0);
  apply({.step = 0, .endsStep = true});
  EXPECT_EQ(table->time(), 1);
}

TEST_F(ParameterStateTest, ReadsCreateRowsUnlessFrozen) {
  make(/*rounds=*/1);
  std::map<int64_t, float> values;
  auto prefetch = [&](int64_t id, bool frozen) {
    return Prefetch{state->unit(3).table,
                    /*trainer=*/0,
                    /*step=*/0,
                    frozen,
                    {id},
                    std::nullopt,
                    [&values, id](const absl::StatusOr<Response> &rows) {
                      ASSERT_OK(rows.status());
                      values[id] = *reinterpret_cast<const float *>(
                          rows->payload.front().data());
                    }};
  };
  std::deque<Prefetch> calls;
  calls.push_back(prefetch(1, /*frozen=*/false));
  calls.push_back(prefetch(2, /*frozen=*/true));
  state->read({.rows = std::move(calls), .blocks = {}});
  EXPECT_EQ(values, (std::map<int64_t, float>{{1, 3}, {2, 0}}));
  EXPECT_EQ(table->size(), 1);
}

/// Blocks 'w' and 'b' of two f32, of which 'w' compensates for delays: its
/// update notes how far it has moved since it was pulled, and adds 1.
class DelayTest : public ::testing::Test {
protected:
  DelayTest() { make(); }

  void make() {
    const TensorType type{DType::F32, {2}};
    store = *Store::create(
        {{"w", type, {}, "w", 0, ""}, {"b", type, {}, "b", 0, ""}},
        /*seed=*/1);
    options.store = store.get();
    options.executor = executor.get();
    options.keepsStep = false;
    options.blocks.clear();
    for (const char *name : {"w", "b"}) {
      auto update = std::make_unique<Program>();
      update->feeds["grad"] = {type, *update->ownMemory(8)};
      if (*name == 'w')
        update->feeds["pulled"] = pulled = {type, *update->ownMemory(8)};
      update->addNode(makeNode(Node::Kind::Kernel, "update",
                               [this, name](StepContext &) {
                                 float *value = store->find(name)->as<float>();
                                 if (*name == 'w')
                                   moved.push_back(value[1] -
                                                   pulled.as<float>()[1]);
                                 value[1] += 1;
                                 return absl::OkStatus();
                               }),
                      {});
      options.blocks.push_back({name, update.get()});
      updates.push_back(std::move(update));
    }
    state = *ParameterState::create(options);
    for (int i = 0; i < 2; ++i)
      state->setGradients(i, gradients);
  }

  /// `trainer` pulls 'w', whole or half of it, whose bytes it gets.
  void pull(int trainer, bool whole) {
    const Piece block(store->find("w")->data, 8);
    PulledBlocks pull;
    pull.trainer = trainer;
    pull.parts.push_back({whole ? block : block.last(4), /*unit=*/0});
    if (!whole) {
      pull.parts[0].of = std::make_shared<BlockCopy>();
      pull.parts[0].of->block = block;
    }
    pull.done = [](const absl::StatusOr<Response> &response) {
      EXPECT_OK(response.status());
    };
    Reads reads;
    reads.blocks.push_back(std::move(pull));
    state->read(std::move(reads));
  }
  void push(int trainer) {
    EXPECT_OK(state->apply({.step = ++step,
                            .units = {0, 1},
                            .contributors = {trainer},
                            .endsStep = true}));
  }

  std::unique_ptr<Executor> executor =
      *Executor::create({.threads = 1, .deterministic = true});
  std::unique_ptr<Store> store;
  std::vector<std::unique_ptr<Program>> updates;
  FakeGradients gradients;
  ParameterState::Options options;
  std::unique_ptr<ParameterState> state;
  TensorRef pulled;
  int64_t step = 0;
  std::vector<float> moved;
};

TEST_F(DelayTest, AnUpdateSeesWhatItsTrainerHasPulled) {
  push(0); // It has pulled nothing.
  pull(0, /*whole=*/true);
  pull(1, /*whole=*/false);
  push(0);
  push(1);
  push(0);
  pull(1, /*whole=*/true);
  push(1);
  EXPECT_THAT(moved, ElementsAre(0, 0, 1, 2, 0));
}

TEST_F(DelayTest, ASnapshotKeepsWhatTrainersHavePulled) {
  pull(0, /*whole=*/true);
  push(1);
  SnapshotWriter writer;
  EXPECT_OK(state->save(writer));
  const std::vector<std::byte> bytes = writer.finish();
  make();
  SnapshotReader reader = *SnapshotReader::open(bytes);
  ASSERT_OK(state->restore(reader));
  ASSERT_OK(reader.finish());
  push(0);
  EXPECT_THAT(moved, ElementsAre(0, 1));
}

TEST_F(DelayTest, ASnapshotOfAnotherJobIsRefused) {
  SnapshotWriter writer;
  EXPECT_OK(state->save(writer));
  const std::vector<std::byte> bytes = writer.finish();
  std::swap(options.blocks[0].block, options.blocks[1].block);
  state = *ParameterState::create(options);
  SnapshotReader reader = *SnapshotReader::open(bytes);
  expectError(state->restore(reader), absl::StatusCode::kInvalidArgument,
              {"expected block 'b' that compensates for delays",
               "found block 'w' that compensates for delays"});
}

TEST_F(DelayTest, NothingIsLateWhereTrainersKeepStep) {
  options.keepsStep = true;
  expectError(ParameterState::create(options).status(),
              absl::StatusCode::kInvalidArgument,
              {"the update of block 'w' compensates for delays of ",
               "expected none where trainers keep step"});
}
} // namespace
