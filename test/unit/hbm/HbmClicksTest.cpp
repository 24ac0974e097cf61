// SPDX-License-Identifier: Apache-2.0
//===- HbmClicksTest.cpp - clicks of rows on a device beside the host's ---===//
//
// Two tables with an accessor get the same random updates, one of them by way
// of a device: after every step all bytes of all rows are the same, statistics
// included.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/HbmFedNodes.h"
#include "test/unit/hbm/HbmTesting.h"
#include <cstring>

using namespace ps::runtime;

namespace {

constexpr int64_t kWidth = 5;

class HbmClicksTest : public testing::Test {
protected:
  void makeTables(DType dtype, const ClickAccessor &accessor) {
    TableSpec spec = uniformTable(dtype, kWidth);
    // The first is as wide as the row, so a part of it is absent, too.
    spec.slots = {{"moment", {dtype, {kWidth}}, 0.5}, {"step", {dtype, {}}, 1}};
    spec.clicks = accessor;
    spec.eviction.every = 4;
    device.reset();
    expected = *Table::create(spec, 7);
    spec.hbmRows = 40;
    table = *Table::create(spec, 7);
    device = *HbmRows::create(*table, deviceUnderTest(), HbmFinder::Device);
    ASSERT_FALSE(device->findsOnDevice());
    makeUpdates();
  }

  /// Each sets a row's parameters and moment to its gradient.
  void makeUpdates() {
    const RowLayout &layout = table->layout();
    const size_t bytes = table->valueBytes();
    std::vector<std::byte> row(layout.bytes), gradient(bytes);
    std::vector<RowStep> steps(2);
    std::vector<HbmStep> onDevice;
    const size_t offsets[] = {0, layout.slots[0]};
    for (size_t i : {0, 1}) {
      steps[i].copy = {row.data() + offsets[i], gradient.data(), bytes};
      onDevice.push_back(makeCopyInRows(
          device->functions(), {HbmBuffer::Kind::Row, offsets[i]},
          {HbmBuffer::Kind::Gradient, 0}, int64_t(bytes)));
    }
    update = std::make_shared<RowUpdate>(
        *RowUpdate::create(steps, {.row = row, .gradient = gradient}));
    hbmCall.update = *HbmUpdate::create(*device, std::move(onDevice), bytes, 0);
    hbmCall.clicks = *HbmClicks::create(*device);
  }

  void drawBatch(std::mt19937_64 &random) {
    ids.resize(random() % 60);
    for (int64_t &id : ids)
      id = drawId(random, 25);
    const RowLookup list{ids, std::nullopt};
    for (RowBatch *batch : {&onHost, &fed})
      ASSERT_OK(batch->assign(std::span(&list, 1)));
    const TensorRef gradients[] = {*onHost.gradients(), *fed.gradients()};
    const RowBatch::Clicks counts[] = {*onHost.clicks(), *fed.clicks()};
    std::uniform_real_distribution<double> drawn(-2, 2);
    for (int64_t i = 0; i < onHost.size() * kWidth; ++i) {
      const double value = drawn(random);
      for (const TensorRef &each : gradients)
        if (each.type.dtype == DType::F32)
          each.as<float>()[i] = float(value);
        else
          each.as<double>()[i] = value;
    }
    for (int64_t i = 0; i < onHost.size(); ++i) {
      const auto shows = float(random() % 4), clicks = float(random() % 2);
      for (const RowBatch::Clicks &each : counts) {
        each.shows[i] = shows;
        each.clicks[i] = clicks;
      }
    }
  }

  /// An update of rows that were not looked up, as some are that were dropped
  /// since.
  void runFedStep() {
    ASSERT_OK(run(makeUpdateRowsNode({&onHost, update, {}, {}}, *expected,
                                     /*endsStep=*/false)));
    ASSERT_OK(run(makeHbmFedUpdateNode(hbmCall, fed, *device)));
    expected->advance();
    table->advance();
  }

  /// A step of one process, whose gradients are on the device.
  void runLocalStep() {
    const TensorRef gradients = *fed.gradients();
    const RowBatch::Clicks counts = *fed.clicks();
    auto batch = std::make_shared<HbmBatch>(looked, *device);
    ASSERT_OK(run(makeHbmReadRowsNode(prefetchOf(ids, looked), batch)));
    ASSERT_EQ(looked.size(), fed.size());
    ASSERT_OK(await([&](Done done) {
      batch->gradientMemory.fill(
          std::span<const std::byte>(gradients.data, gradients.type.bytes()),
          std::move(done));
    }));
    batch->hasGradients = true;
    const RowBatch::Clicks to = *looked.clicks();
    std::ranges::copy(counts.shows, to.shows.begin());
    std::ranges::copy(counts.clicks, to.clicks.begin());
    ASSERT_OK(run(makeHbmUpdateNode(hbmCall, batch)));
    ASSERT_OK(run(makeUpdateRowsNode({&onHost, update, {}, {}}, *expected,
                                     /*endsStep=*/true)));
  }

  void compare() {
    ASSERT_OK(table->syncWithDevice());
    ASSERT_EQ(table->size(), expected->size());
    expected->rows().forEachRow([&](int64_t id, const std::byte *row) {
      const std::byte *found = table->find(id);
      ASSERT_NE(found, nullptr) << id;
      ASSERT_EQ(std::memcmp(found, row, table->layout().bytes), 0) << id;
    });
  }

  absl::Status run(std::unique_ptr<Node> node) {
    program = std::make_unique<Program>();
    program->addNode(std::move(node), {});
    absl::Status status = executor->run(*program, 0);
    deviceUnderTest().drain();
    return status;
  }

  void runSteps(DType dtype, const ClickAccessor &accessor, bool compares) {
    makeTables(dtype, accessor);
    onHost = RowBatch(dtype, kWidth);
    fed = RowBatch(dtype, kWidth);
    looked = RowBatch(dtype, kWidth);
    std::mt19937_64 random(8);
    for (int step = 0; step < 60; ++step) {
      drawBatch(random);
      if (random() % 2)
        runFedStep();
      else
        runLocalStep();
      // Else rows stay on the device from step to step.
      if (compares)
        compare();
      ASSERT_FALSE(HasFatalFailure()) << "step " << step;
    }
    compare();
    const TableCounters &counters = table->counters();
    EXPECT_GT(counters.evictedByScore, 0);
    EXPECT_EQ(counters.evictedByScore, expected->counters().evictedByScore);
    EXPECT_EQ(counters.embedxCreated, expected->counters().embedxCreated);
    EXPECT_EQ(counters.embedxCreated > 0, accessor.embedxFrom.has_value());
    EXPECT_EQ(counters.admitted, expected->counters().admitted);
  }

  std::unique_ptr<Executor> executor = makeExecutor(2);
  std::unique_ptr<Program> program;
  std::unique_ptr<Table> expected, table;
  std::unique_ptr<HbmRows> device;
  std::shared_ptr<RowUpdate> update;
  HbmUpdateCall hbmCall;
  std::vector<int64_t> ids;
  RowBatch onHost{DType::F32, kWidth}, fed{DType::F32, kWidth},
      looked{DType::F32, kWidth};
};

TEST_F(HbmClicksTest, AreThoseOfTheHost) {
  ClickAccessor accessor;
  accessor.decay = 0.7;
  accessor.deleteThreshold = 0.4;
  accessor.embedxThreshold = 1.5;
  for (DType dtype : {DType::F32, DType::F64})
    for (bool scales : {false, true})
      for (std::optional<int64_t> first :
           {std::optional<int64_t>(), std::optional<int64_t>(2)})
        for (bool compares : {false, true}) {
          accessor.showScale = scales;
          accessor.embedxFrom = first;
          runSteps(dtype, accessor, compares);
          ASSERT_FALSE(HasFatalFailure())
              << dtypeName(dtype) << scales << first.has_value();
        }
}

/// The end of a day drops the copies of rows that it drops, and no others.
TEST_F(HbmClicksTest, StayAtTheEndOfADay) {
  ClickAccessor accessor;
  accessor.deleteThreshold = 0;
  makeTables(DType::F32, accessor);
  std::mt19937_64 random(9);
  for (int step = 0; step < 20; ++step) {
    drawBatch(random);
    runFedStep();
    ASSERT_FALSE(HasFatalFailure()) << "step " << step;
  }
  EXPECT_GT(table->size(), 20);
  EXPECT_EQ(device->counters().promoted, table->size());
  compare();
}

} // namespace
