// SPDX-License-Identifier: Apache-2.0
//===- BaseFileTest.cpp - checkpoints that share rows ---------------------===//

#include "runtime/checkpoint/BaseFile.h"
#include "runtime/checkpoint/RowFile.h"
#include "test/unit/checkpoint/CheckpointTesting.h"
#include "test/unit/table/TableTesting.h"
#include "gmock/gmock.h"
#include <atomic>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <thread>

using namespace ps::runtime;
using Code = absl::StatusCode;

namespace {
std::string readText(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A series of checkpoints of one part of a table, a folder each.
class Series {
public:
  /// Saves the next one; gives its folder.
  std::string save(Table &table, const TableShard &shard = {}) {
    StagedCheckpoint staged;
    const std::string folder = stage(table, staged, shard);
    publish(folder, staged);
    return folder;
  }

  std::string stage(Table &table, StagedCheckpoint &staged,
                    const TableShard &shard = {}) {
    const std::string folder = dir / absl::StrCat("step-", ++count);
    std::filesystem::create_directory(folder);
    EXPECT_OK(staged.addToSeries(folder, table, shard, &base));
    return folder;
  }

  void publish(const std::string &folder, StagedCheckpoint &staged) {
    const std::string id = *staged.flush();
    EXPECT_OK(staged.seal(id));
    const TrainingState state{.checkpointId = id,
                              .files = staged.sealedIn(folder)};
    EXPECT_OK(staged.publish(id));
    std::ofstream(trainingStatePath(folder)) << formatTrainingState(state);
  }

  /// Whether the last one shares rows with one before.
  static bool isShared(const std::string &folder) {
    return std::filesystem::exists(basePath(tablePath(folder, "emb", 0, 1)));
  }

  TemporaryDirectory dir;
  BaseFile base;

private:
  int count = 0;
};

/// The bytes of a file of all rows.
std::string saveAll(Table &table, const TableShard &shard = {}) {
  TemporaryDirectory dir;
  EXPECT_OK(saveTable(dir.path, table, shard));
  return readText(tablePath(dir.path, "emb", shard.index, shard.count));
}

/// What a process that loads `folder` has, as saveAll() gives it.
std::string loadAll(const std::string &folder, const TableSpec &spec,
                    const TableShard &shard = {}) {
  auto loaded = *Table::create(spec, 1);
  EXPECT_OK(loadTable(folder, *loaded, shard));
  return saveAll(*loaded, shard);
}

std::unique_ptr<Table> makeTable(int64_t rows) {
  auto table = *Table::create(adagradTable(2, 1000), 1);
  std::vector<int64_t> ids(rows);
  std::iota(ids.begin(), ids.end(), 0);
  std::vector<float> values(size_t(rows) * 2);
  EXPECT_OK(table->lookup(ids, /*create=*/true, bytesOf(values)));
  return table;
}

void update(Table &table, std::vector<int64_t> ids) {
  std::vector<float> gradients(ids.size() * 2, 0.5f);
  AdagradRow adagrad(table);
  EXPECT_OK(table.update(ids, bytesOf(gradients), adagrad.update()));
}

/// Trains a table of any kind for a while, as a pserver does.
class RandomTraining {
public:
  RandomTraining(uint32_t seed, TableSpec spec)
      : random(seed), table(*Table::create(std::move(spec), 1)),
        adagrad(*table) {}

  void step() {
    std::vector<int64_t> ids = draw();
    std::vector<float> values(ids.size() * 2);
    // An evaluation changes nothing.
    EXPECT_OK(table->lookup(draw(), /*create=*/false, bytesOf(values)));
    EXPECT_OK(table->access(ids, bytesOf(values), /*rows=*/{}));
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    const std::vector<float> ones(ids.size(), 1);
    std::vector<float> gradients(ids.size() * 2, 0.25f);
    EXPECT_OK(table->recordClicks(ids, ones, ones));
    if (below(4) != 0)
      EXPECT_OK(table->update(ids, bytesOf(gradients), adagrad.update()));
    table->advance();
    if (below(20) == 0)
      EXPECT_OK(table->shrink());
  }

  uint32_t below(uint32_t end) { return random() % end; }

private:
  /// Some ids are frequent.
  std::vector<int64_t> draw() {
    std::vector<int64_t> ids(16);
    for (int64_t &id : ids)
      id = static_cast<int64_t>(below(2 + below(400))) - 20;
    return ids;
  }

  std::mt19937 random;

public:
  const std::unique_ptr<Table> table;

private:
  const AdagradRow adagrad;
};

std::vector<std::pair<const char *, TableSpec>> allKinds() {
  std::vector<std::pair<const char *, TableSpec>> kinds;
  TableSpec spec = adagradTable(2, 1000);
  spec.initial = {InitialValue::Kind::Uniform, -1, 1};
  kinds.emplace_back("plain", spec);
  kinds.emplace_back("least recently used", spec);
  kinds.back().second.eviction.leastRecentlyUsed = true;
  kinds.back().second.maxRows = 150;
  kinds.emplace_back("aging", spec);
  kinds.back().second.eviction.maxAge = 8;
  kinds.emplace_back("admission", spec);
  kinds.back().second.admission = {Admission::Kind::Count, 3};
  kinds.emplace_back("clicks", spec);
  kinds.back().second.clicks = {.embedxFrom = 1, .deleteThreshold = 2};
  return kinds;
}
} // namespace

TEST(BaseFile, BaseAndChangesAreTheBytesOfAllRows) {
  const uint32_t seed = std::random_device()();
  for (auto &[kind, spec] : allKinds()) {
    SCOPED_TRACE(absl::StrCat(kind, ", seed ", seed));
    RandomTraining training(seed, spec);
    Series series;
    int shared = 0, whole = 0;
    for (int i = 0; i < 900; ++i) {
      training.step();
      if (training.below(6) != 0)
        continue;
      const std::string expected = saveAll(*training.table);
      StagedCheckpoint staged;
      const std::string folder = series.stage(*training.table, staged);
      // Rows are written later, as they are now.
      for (uint32_t steps = training.below(4); steps != 0; --steps)
        training.step();
      series.publish(folder, staged);
      ++(Series::isShared(folder) ? shared : whole);
      ASSERT_EQ(loadAll(folder, spec), expected) << i;
    }
    EXPECT_GT(shared, 5);
    EXPECT_GT(whole, 1);
  }
}

TEST(BaseFile, RowsChangeWhileTheyAreWritten) {
  const uint32_t seed = std::random_device()();
  for (auto &[kind, spec] : allKinds()) {
    SCOPED_TRACE(absl::StrCat(kind, ", seed ", seed));
    RandomTraining training(seed, spec);
    Series series;
    for (int i = 0; i < 20; ++i) {
      training.step();
      const std::string expected = saveAll(*training.table);
      StagedCheckpoint staged;
      const std::string folder = series.stage(*training.table, staged);
      std::atomic<bool> isPublished = false;
      std::thread saving([&] {
        series.publish(folder, staged);
        isPublished = true;
      });
      while (!isPublished)
        training.step();
      saving.join();
      ASSERT_EQ(loadAll(folder, spec), expected) << i;
    }
  }
}

TEST(BaseFile, AnyNumberOfHoldersReadsBaseAndChanges) {
  const TableSpec spec = adagradTable(2, 1000);
  auto table = makeTable(300);
  Series series;
  series.save(*table);
  update(*table, {3, 5, 700, 800});
  const std::string folder = series.save(*table);
  ASSERT_TRUE(Series::isShared(folder));
  TemporaryDirectory all;
  EXPECT_OK(saveTable(all.path, *table, {}));
  for (int index : {0, 1, 2})
    EXPECT_EQ(loadAll(folder, spec, {index, 3}),
              loadAll(all.path, spec, {index, 3}));
}

TEST(BaseFile, ChangesAreSmallUntilHalfOfTheRowsHaveChanged) {
  auto table = makeTable(900);
  Series series;
  const std::string first = series.save(*table);
  const auto size = std::filesystem::file_size(tablePath(first, "emb", 0, 1));
  for (int64_t begin : {0, 200, 0, 249}) {
    std::vector<int64_t> ids(200);
    std::iota(ids.begin(), ids.end(), begin);
    update(*table, ids);
    const std::string folder = series.save(*table);
    // Those since the first, not since the one before.
    EXPECT_TRUE(Series::isShared(folder));
    EXPECT_LT(std::filesystem::file_size(tablePath(folder, "emb", 0, 1)),
              size * 2 / 3);
    EXPECT_EQ(std::filesystem::hard_link_count(
                  basePath(tablePath(folder, "emb", 0, 1))),
              std::filesystem::hard_link_count(tablePath(first, "emb", 0, 1)));
  }
  update(*table, {449});
  const std::string next = series.save(*table);
  EXPECT_FALSE(Series::isShared(next));
  update(*table, {449});
  EXPECT_TRUE(Series::isShared(series.save(*table)));
}

TEST(BaseFile, ACheckpointNeedsNoOtherFolder) {
  auto table = makeTable(30);
  Series series;
  std::string folder = series.save(*table), before;
  for (int64_t id = 0; id < 9; ++id) {
    before = std::exchange(folder, "");
    update(*table, {id});
    folder = series.save(*table);
    EXPECT_TRUE(Series::isShared(folder));
    std::filesystem::remove_all(before);
    EXPECT_EQ(loadAll(folder, table->spec()), saveAll(*table));
  }
}

TEST(BaseFile, WhatWasNotPublishedIsNoBase) {
  auto table = makeTable(30);
  Series series;
  {
    StagedCheckpoint lost;
    series.stage(*table, lost);
  }
  update(*table, {1});
  std::string folder = series.save(*table);
  EXPECT_FALSE(Series::isShared(folder));
  // Changes count from the base that there is, whatever was staged since.
  update(*table, {2});
  {
    StagedCheckpoint lost;
    std::filesystem::remove_all(series.stage(*table, lost));
  }
  update(*table, {3});
  folder = series.save(*table);
  EXPECT_TRUE(Series::isShared(folder));
  EXPECT_EQ(loadAll(folder, table->spec()), saveAll(*table));
}

TEST(BaseFile, WithoutTheFileAllRowsAreSaved) {
  auto table = makeTable(30);
  Series series;
  std::string folder = series.save(*table);
  std::filesystem::remove_all(folder);
  folder = series.save(*table);
  EXPECT_FALSE(Series::isShared(folder));
  // Another file has its name.
  const std::string path = tablePath(folder, "emb", 0, 1);
  std::filesystem::copy(path, path + "2");
  std::filesystem::rename(path + "2", path);
  EXPECT_FALSE(Series::isShared(series.save(*table)));
}

TEST(BaseFile, ADamagedOrMissingBaseIsRefused) {
  auto table = makeTable(30);
  Series series;
  const std::string first = series.save(*table);
  update(*table, {1});
  const std::string folder = series.save(*table);
  const std::string path = basePath(tablePath(folder, "emb", 0, 1));
  auto load = [&](const std::string &dir) {
    auto loaded = *Table::create(table->spec(), 1);
    return loadTable(dir, *loaded, {});
  };
  EXPECT_OK(load(folder));
  std::string bytes = readText(path);
  std::filesystem::remove(path);
  EXPECT_TRUE(failsWith(load(folder), Code::kDataLoss,
                        absl::StrCat("'", path, "' is missing")));
  bytes.back() ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_TRUE(failsWith(load(folder), Code::kDataLoss,
                        absl::StrCat("'", path, "' is damaged")));
  bytes.back() ^= 1;
  // Without checksums it is known by its checkpoint.
  std::filesystem::remove(trainingStatePath(folder));
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_OK(load(folder));
  std::filesystem::copy_file(tablePath(folder, "emb", 0, 1), path,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(failsWith(load(folder), Code::kDataLoss,
                        absl::StrCat("'", path, "': expected a file of ")));
}

TEST(BaseFile, TheBaseIsOneOfAllRowsOfTheSameHolder) {
  auto table = makeTable(30);
  auto open = [&](const std::string &path) {
    return *RowFile::create(*SafetensorsFile::open(path), *table);
  };
  Series series, other;
  const std::string all = tablePath(series.save(*table, {0, 1}), "emb", 0, 1);
  update(*table, {1});
  const std::string changes =
      tablePath(series.save(*table, {0, 1}), "emb", 0, 1);
  const std::string foreign =
      tablePath(other.save(*makeTable(30), {0, 2}), "emb", 0, 2);
  EXPECT_OK(open(changes).setBase(open(all)));
  EXPECT_TRUE(failsWith(open(changes).setBase(open(changes)), Code::kDataLoss,
                        "expected a file of all rows"));
  EXPECT_TRUE(failsWith(open(changes).setBase(open(foreign)), Code::kDataLoss,
                        "expected '1' as 'holders'"));
}
