// SPDX-License-Identifier: Apache-2.0
//===- SnapshotTest.cpp - a server's state goes on from a snapshot --------===//
//
// Two states of one job see the same batches and reads: one undisturbed, the
// other one restored from a snapshot in between. In the end their snapshots are
// equal, byte by byte.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/state/Snapshot.h"
#include "runtime/device/EmulatedDevice.h"
#include "runtime/server/sessions/Sessions.h"
#include "runtime/server/state/ParameterState.h"
#include "test/unit/links/TransportCluster.h"
#include "test/unit/server/FakeGradients.h"
#include <cmath>
#include <functional>
#include <random>

using namespace ps::runtime;

namespace {
using Bytes = std::vector<std::byte>;

std::unique_ptr<Program> programOf(std::function<absl::Status()> body) {
  auto program = std::make_unique<Program>();
  program->addNode(
      makeNode(Node::Kind::Kernel, "call",
               [body = std::move(body)](StepContext &) { return body(); }),
      {});
  return program;
}

/// Fills the feed of a unit with gradients that the test has drawn.
class DrawnGradients final : public FakeGradients {
public:
  absl::Status computeMean(StepContext &, std::span<const int>) override {
    return fill();
  }
  std::function<absl::Status()> fill;
};

/// A state with a schedule, blocks with two optimizers, and four tables: with
/// slots; with admission by count and eviction of old rows; with shows and
/// clicks; and one that nothing updates.
struct Job {
  explicit Job(int64_t width = 3) {
    const TensorType vector{DType::F32, {5}}, scalar{DType::F32, {}};
    auto variable = [](const char *name, TensorType type, const char *slotOf) {
      return VariableSpec{name, type, {InitialValue::Kind::Constant, 1, 0},
                          name, 0,    slotOf};
    };
    store = *Store::create({variable("momentum", vector, ""),
                            variable("velocity", vector, "momentum"),
                            variable("adagrad", vector, ""),
                            variable("squares", vector, "adagrad"),
                            variable("rate", scalar, "rate")},
                           /*seed=*/1);
    options.store = store.get();
    options.executor = executor.get();
    schedule = programOf([this] {
      *find("rate") *= 0.9f;
      return absl::OkStatus();
    });
    options.schedule = schedule.get();
    addBlock("momentum", [this](float grad, int i) {
      float &velocity = find("velocity")[i];
      velocity = 0.9f * velocity + grad;
      find("momentum")[i] -= *find("rate") * velocity;
    });
    addBlock("adagrad", [this](float grad, int i) {
      float &squares = find("squares")[i];
      squares += grad * grad;
      find("adagrad")[i] -= *find("rate") * grad / std::sqrt(squares);
    });
    for (const char *name : {"slots", "counted", "clicked", "frozen"})
      addTable(name, width);
    state = *ParameterState::create(options);
    for (size_t i = 0; i < gradients.size(); ++i)
      state->setGradients(static_cast<int>(i), *gradients[i]);
  }

  float *find(const char *name) { return store->find(name)->as<float>(); }

  template <typename Update>
  void addBlock(const char *name, Update update) {
    auto memory = std::make_shared<std::vector<float>>(5);
    auto program = programOf([=] {
      for (int i = 0; i < 5; ++i)
        update((*memory)[i], i);
      return absl::OkStatus();
    });
    program->feeds["grad"] = {{DType::F32, {5}},
                              reinterpret_cast<std::byte *>(memory->data())};
    options.blocks.push_back({name, program.get()});
    programs.push_back(std::move(program));
    auto source = std::make_unique<DrawnGradients>();
    source->fill = [this, memory] {
      for (float &value : *memory)
        value = draw();
      return absl::OkStatus();
    };
    gradients.push_back(std::move(source));
  }

  void addTable(const std::string &name, int64_t width) {
    TableSpec spec;
    spec.name = name;
    spec.width = width;
    spec.maxRows = 40;
    spec.initial = {InitialValue::Kind::Uniform, -1, 1};
    spec.slots = {{"squares", {DType::F32, {width}}, 0.1}};
    if (name == "counted") {
      spec.admission = {Admission::Kind::Count, 3, 1};
      spec.eviction.maxAge = 2;
    }
    if (name == "slots") {
      spec.eviction.leastRecentlyUsed = true;
      spec.maxRows = 30; // Fewer than there are ids.
    }
    if (name == "clicked") {
      spec.clicks = ClickAccessor();
      spec.clicks->embedxFrom = 1;
      spec.clicks->embedxThreshold = 2;
      spec.maxRows = 1000;
    }
    tables.push_back(*Table::create(spec, /*seed=*/7));
    Table &table = *tables.back();
    if (name == "frozen") {
      options.tables.push_back({.table = &table});
      return;
    }
    RowBatch &rows =
        *feeds.emplace_back(std::make_unique<RowBatch>(DType::F32, width));
    auto program =
        programOf([this, &table, &rows] { return updateRows(table, rows); });
    program->rowFeeds["grad"] = &rows;
    options.tables.push_back({.table = &table, .update = program.get()});
    programs.push_back(std::move(program));
    auto source = std::make_unique<DrawnGradients>();
    source->fill = [this, &rows] {
      ids.clear();
      for (int i = 0; i < 12; ++i)
        ids.push_back(static_cast<int64_t>(random() % 30));
      const RowLookup lookup{ids, std::nullopt};
      return rows.assign(std::span(&lookup, 1));
    };
    gradients.push_back(std::move(source));
  }

  /// Adagrad on the rows of the batch, then a day may end.
  absl::Status updateRows(Table &table, RowBatch &rows) {
    const int64_t width = rows.width();
    std::vector<std::byte> values(rows.size() * table.valueBytes());
    if (absl::Status status =
            table.lookup(rows.ids(), /*create=*/true, values.data());
        !status.ok())
      return status;
    const size_t slot = table.layout().slots[0];
    for (int64_t id : rows.ids())
      if (std::byte *row = table.find(id))
        for (int64_t i = 0; i < width; ++i) {
          const float grad = draw();
          auto &squares = reinterpret_cast<float *>(row + slot)[i];
          squares += grad * grad;
          reinterpret_cast<float *>(row)[i] -= grad / std::sqrt(squares);
        }
    if (table.spec().clicks) {
      std::vector<float> shows(rows.size(), 2), clicks(rows.size(), 1);
      table.clicks().record(rows.ids(), shows, clicks);
    }
    return random() % 3 == 0 ? table.shrink() : absl::OkStatus();
  }

  /// Reads rows of a table; what they are goes into `log`.
  void read(int unit) {
    Prefetch prefetch{state->unit(unit).table,
                      /*trainer=*/0,
                      /*step=*/0,
                      /*frozen=*/random() % 4 == 0,
                      {},
                      std::nullopt,
                      [this](const absl::StatusOr<Response> &rows) {
                        if (!rows.ok()) {
                          log.push_back(rows.status().ToString());
                          return;
                        }
                        const Piece bytes = rows->payload.front();
                        log.emplace_back(
                            reinterpret_cast<const char *>(bytes.data()),
                            bytes.size());
                      }};
    for (int i = 0; i < 8; ++i)
      prefetch.ids.push_back(static_cast<int64_t>(random() % 35));
    std::deque<Prefetch> prefetches;
    prefetches.push_back(std::move(prefetch));
    state->read({.rows = std::move(prefetches), .blocks = {}});
  }

  /// The next step: reads, perhaps an early batch of some units, the rest.
  void step() {
    const int64_t step = state->endedStep() + 1;
    for (int unit = 2; unit < 6; ++unit)
      if (random() % 2)
        read(unit);
    std::vector<int> early, rest;
    for (int unit = 0; unit < 5; ++unit)
      (random() % 2 ? early : rest).push_back(unit);
    if (!early.empty())
      EXPECT_OK(state->apply({step, early, {0, 1}, false}));
    EXPECT_OK(state->apply({step, rest, {0, 1}, true}));
  }

  Bytes snapshot() const {
    SnapshotWriter writer;
    EXPECT_OK(state->save(writer));
    return writer.finish();
  }
  absl::Status restore(std::span<const std::byte> bytes) {
    absl::StatusOr<SnapshotReader> reader = SnapshotReader::open(bytes);
    if (!reader.ok())
      return reader.status();
    if (absl::Status status = state->restore(*reader); !status.ok())
      return status;
    return reader->finish();
  }

  float draw() { return static_cast<float>(random() % 2001) / 1000 - 1; }

  std::mt19937_64 random;
  std::vector<int64_t> ids;
  std::vector<std::string> log;
  std::unique_ptr<Executor> executor =
      *Executor::create({.threads = 1, .deterministic = true});
  std::unique_ptr<Store> store;
  std::vector<std::unique_ptr<Table>> tables;
  std::vector<std::unique_ptr<RowBatch>> feeds;
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<std::unique_ptr<DrawnGradients>> gradients;
  std::unique_ptr<Program> schedule;
  ParameterState::Options options;
  std::unique_ptr<ParameterState> state;
};

TEST(SnapshotTest, ARestoredStateGoesOnToTheSameBytes) {
  const uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  int64_t evicted = 0, evictedByAge = 0, embedx = 0;
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE(absl::StrCat("seed ", seed, ", trial ", trial));
    Job undisturbed, restored;
    undisturbed.random.seed(random());
    for (uint64_t i = random() % 12; i > 0; --i)
      undisturbed.step();
    // Rows of the next step may have been asked for already.
    for (int unit = 2; unit < 5; ++unit)
      undisturbed.read(unit);
    const Bytes between = undisturbed.snapshot();
    ASSERT_OK(restored.restore(between));
    EXPECT_EQ(restored.snapshot(), between);

    restored.random = undisturbed.random;
    undisturbed.log.clear();
    for (int i = 0; i < 8; ++i) {
      undisturbed.step();
      restored.step();
    }
    EXPECT_EQ(restored.log, undisturbed.log);
    EXPECT_EQ(restored.snapshot(), undisturbed.snapshot());
    evicted += restored.tables[0]->counters().evictedByCapacity;
    evictedByAge += restored.tables[1]->counters().evictedByAge;
    embedx += restored.tables[2]->counters().embedxCreated;
    EXPECT_EQ(restored.state->endedStep(), undisturbed.state->endedStep());
  }
  EXPECT_GT(evicted, 0);
  EXPECT_GT(evictedByAge, 0);
  EXPECT_GT(embedx, 0);
}

TEST(SnapshotTest, DamagedSnapshotsAreRefused) {
  Job job;
  job.random.seed(1);
  for (int i = 0; i < 3; ++i)
    job.step();
  const Bytes bytes = job.snapshot();
  const auto loss = absl::StatusCode::kDataLoss;
  Job other;
  const Bytes fresh = other.snapshot();
  for (size_t size = 0; size < bytes.size(); size += 1 + size / 4) {
    const absl::Status status = other.restore(std::span(bytes).first(size));
    expectError(status, size < 48 ? absl::StatusCode::kInvalidArgument : loss,
                {"expected a snapshot of"});
  }
  for (size_t i = 48; i < bytes.size(); i += 97) {
    Bytes damaged = bytes;
    damaged[i] ^= std::byte{0x10};
    expectError(other.restore(damaged), loss,
                {"its contents do not have its digest"});
  }
  EXPECT_EQ(other.snapshot(), fresh) << "nothing has changed";
  EXPECT_OK(other.restore(bytes));
}

TEST(SnapshotTest, SnapshotsOfOtherStatesAreRefused) {
  Job job, wider(/*width=*/4);
  const Bytes bytes = wider.snapshot();
  expectError(job.restore(bytes), absl::StatusCode::kInvalidArgument,
              {"the snapshot is of another state: expected table 'slots' of "
               "rows of",
               "found table 'slots' of rows of", "values 4xf32"});
  expectError(job.restore(std::as_bytes(std::span("no snapshot"))),
              absl::StatusCode::kInvalidArgument,
              {"expected a snapshot of a pserver's state, found 12 other"});
}

TEST(SnapshotTest, OnlyAFreshStateIsRestored) {
  Job job;
  job.random.seed(1);
  job.step();
  const Bytes bytes = job.snapshot();
  expectError(job.restore(bytes), absl::StatusCode::kFailedPrecondition,
              {"a state without updates", "found one after step 0"});
  Job loaded;
  std::byte *row = nullptr;
  const int64_t id = 1;
  ASSERT_OK(loaded.tables[0]->insert(std::span(&id, 1), std::span(&row, 1)));
  expectError(loaded.restore(bytes), absl::StatusCode::kFailedPrecondition,
              {"expected table 'slots' to be empty", "found 1 rows"});
}

/// Counts are compared with what is left before memory is taken for them.
TEST(SnapshotTest, CountsAreChecked) {
  SnapshotWriter writer;
  writer.add(~uint64_t(0) / 2);
  const Bytes bytes = writer.finish();
  auto reader = *SnapshotReader::open(bytes);
  EXPECT_TRUE(reader.takeList<int64_t>().empty());
  expectError(reader.status(), absl::StatusCode::kDataLoss,
              {"the snapshot ends within a list of 9223372036854775807"});
  EXPECT_EQ(reader.take<int64_t>(), 0) << "the first error sticks";
  auto unread = *SnapshotReader::open(bytes);
  expectError(unread.finish(), absl::StatusCode::kDataLoss,
              {"8 bytes too many"});
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

/// A state of the variable 'w', which a device has.
struct DeviceState {
  DeviceState() {
    VariableSpec spec{"w", {DType::F32, {2}}, {}, "w", 0, ""};
    spec.space = MemorySpace::Device;
    store = *Store::create({spec}, /*seed=*/1, *device);
    ParameterState::Options options;
    options.store = store.get();
    options.executor = executor.get();
    state = *ParameterState::create(options);
  }

  std::unique_ptr<Device> device = makeEmulatedDevice();
  std::unique_ptr<Executor> executor = *Executor::create({.threads = 1});
  std::unique_ptr<Store> store;
  std::unique_ptr<ParameterState> state;
};

TEST(SnapshotTest, DevicesGiveAndGetTheirValues) {
  DeviceState original, restored;
  const TensorType type{DType::F32, {2}};
  std::vector<float> values = {3, 4}, found(2);
  auto refTo = [&](std::vector<float> &host) {
    return TensorRef{type, reinterpret_cast<std::byte *>(host.data())};
  };
  ASSERT_OK(
      copyAndWait(*original.device, refTo(values), *original.store->find("w")));
  SnapshotWriter writer;
  ASSERT_OK(original.state->save(writer));
  const Bytes bytes = writer.finish();
  auto reader = *SnapshotReader::open(bytes);
  ASSERT_OK(restored.state->restore(reader));
  ASSERT_OK(
      copyAndWait(*restored.device, *restored.store->find("w"), refTo(found)));
  EXPECT_EQ(found, values);
}

class SessionSnapshotTest : public ::testing::Test {
protected:
  static Sessions::Options options(const std::string &jobHash) {
    return {3, jobHash, Hello().peerTimeout, {}};
  }
  static absl::Status admit(Sessions &sessions, int trainer,
                            uint64_t incarnation) {
    DeferredReplies replies;
    return sessions.admit(
        {trainer, incarnation, "job"}, replies,
        [](const Session &) { return false; },
        [](int, const absl::Status &) {});
  }
  static bool isRepeat(Session &session, uint64_t sequence) {
    Respond done = [](const absl::StatusOr<Response> &) {};
    DeferredReplies replies;
    return session.pushes.acknowledgeRepeat(sequence, done, replies);
  }
  absl::Status restore(Sessions &sessions) {
    SnapshotWriter writer;
    original.save(writer);
    const Bytes bytes = writer.finish();
    auto reader = *SnapshotReader::open(bytes);
    return sessions.restore(reader);
  }

  Sessions original{options("job"), Clock::steady()};
};

TEST_F(SessionSnapshotTest, AppliedPushesStayKnown) {
  DeferredReplies replies;
  for (int trainer : {0, 1, 2}) {
    ASSERT_OK(admit(original, trainer, /*incarnation=*/5));
    original[trainer].hasStarted = true;
  }
  original[0].pushes.accept(4, 1, nullptr);
  original[0].pushes.finishPart(4, replies);
  const int first = 0;
  original.settlePushes(std::span(&first, 1));
  original[0].pushes.accept(5, 1, nullptr);
  original[0].pushes.finishPart(5, replies);
  original.complete(original[2], replies);
  original[1].noteAccepted(0, 3);
  original[1].noteApplied(0);
  original[1].noteAccepted(0, 4);
  original[1].settledStep = 2;

  Sessions restored(options("job"), Clock::steady());
  ASSERT_OK(restore(restored));
  EXPECT_EQ(restored.live(), (std::vector<int>{0, 1}));
  EXPECT_EQ(restored[2].state, Session::State::Completed);
  expectError(admit(restored, 0, /*incarnation=*/6),
              absl::StatusCode::kAlreadyExists, {"is already training"});
  ASSERT_OK(admit(restored, 0, /*incarnation=*/5));
  EXPECT_EQ(restored[1].appliedSteps, std::vector<int64_t>{3});
  EXPECT_EQ(restored[1].settledStep, 2);
  EXPECT_TRUE(isRepeat(restored[0], 4));
  EXPECT_FALSE(isRepeat(restored[0], 5)) << "its batch was not applied";
}

TEST_F(SessionSnapshotTest, OtherJobsAreRefused) {
  Sessions other(options("other"), Clock::steady());
  expectError(restore(other), absl::StatusCode::kInvalidArgument,
              {"the snapshot is of another job: expected hash 'other' and 3 "
               "trainers, found hash 'job' and 3"});
}
} // namespace
