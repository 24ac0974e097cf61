// SPDX-License-Identifier: Apache-2.0
//===- TieredRowsTest.cpp - where a row is changes nothing ----------------===//
//
// Each test does the same with a table that is in memory as a whole and with
// one that has a tenth of its rows there, and expects the same bytes.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Descriptor.h"
#include "runtime/table/Table.h"
#include "runtime/table/TableScan.h"
#include "test/unit/table/TableTesting.h"
#include "gmock/gmock.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <sys/resource.h>
#include <sys/uio.h>
#include <thread>

using namespace ps::runtime;
using Code = absl::StatusCode;

namespace {
constexpr int64_t kIds = 5000, kInMemory = 500;

/// As on a full disk: no file may become larger than nothing.
class FileSizeLimit {
public:
  FileSizeLimit() {
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit none{0, before.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before); }

private:
  rlimit before;
};

class TieredRowsTest : public testing::Test {
protected:
  TableSpec inTiers(TableSpec spec, int64_t rows = kInMemory) const {
    spec.tiers = {rows, directory / "emb", {}};
    return spec;
  }
  void make(const TableSpec &spec, int64_t rows = kInMemory) {
    whole = *Table::create(spec, 0);
    tiered.reset();
    absl::StatusOr<std::unique_ptr<Table>> made =
        Table::create(inTiers(spec, rows), 0);
    ASSERT_OK(made.status());
    tiered = *std::move(made);
  }

  using Rows = std::map<int64_t, std::vector<std::byte>>;
  static Rows allOf(const Table &table) {
    Rows rows;
    EXPECT_OK(scanRows(
        table,
        [&](std::span<const int64_t> ids,
            std::span<const std::byte *const> places) {
          for (size_t i = 0; i < ids.size(); ++i) {
            EXPECT_TRUE(rows.empty() || rows.rbegin()->first < ids[i]);
            rows[ids[i]].assign(places[i], places[i] + table.layout().bytes);
          }
          return absl::OkStatus();
        },
        700));
    EXPECT_EQ(table.size(), int64_t(rows.size()));
    return rows;
  }
  void expectEqual() {
    const Rows expected = allOf(*whole), found = allOf(*tiered);
    EXPECT_EQ(found.size(), expected.size());
    EXPECT_TRUE(found == expected);
    EXPECT_LE(tiered->rows().size(), kInMemory);
  }

  /// As a step of training does: looks up, records clicks and updates.
  void step(Table &table, std::mt19937 &random, ParallelRows parallel) {
    std::vector<int64_t> ids;
    for (int i = 0; i < 150; ++i)
      ids.push_back(int64_t(random() % kIds) *
                        (random() % 4 ? 1 : random() % kIds) / 7 -
                    20);
    std::vector<float> values(ids.size() * 2);
    const std::vector<int64_t> some(ids.begin(), ids.begin() + 40);
    if (random() % 3 == 0) {
      EXPECT_OK(table.lookup(some, false, bytesOf(values), parallel));
      read.insert(read.end(), values.begin(), values.begin() + 80);
    }
    if (random() % 2 == 0) {
      EXPECT_OK(table.lookup(ids, true, bytesOf(values), parallel));
    } else {
      std::vector<const std::byte *> rows(ids.size());
      EXPECT_OK(table.locate(ids, true, bytesOf(values), rows, parallel));
      for (size_t i = 0; i < ids.size(); ++i)
        std::memcpy(&values[2 * i], rows[i], 8);
    }
    read.insert(read.end(), values.begin(), values.end());
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::vector<float> shows(ids.size(), 1), clicks(ids.size());
    for (float &click : clicks)
      click = random() % 2;
    EXPECT_OK(table.recordClicks(ids, shows, clicks, parallel));
    if (random() % 5 == 0)
      table.advance(); // in mode async others' steps come between
    std::vector<float> gradients(ids.size() * 2);
    for (float &gradient : gradients)
      gradient = float(random() % 100) / 50 - 1;
    AdagradRow adagrad(table);
    EXPECT_OK(
        table.update(ids, bytesOf(gradients), adagrad.update(), parallel));
    table.advance();
  }

  /// Has the system forget the rows on the SSD, where it can.
  void leaveCache() {
    ASSERT_OK(tiered->tiers()->commit().status());
    for (const auto &entry :
         std::filesystem::directory_iterator(directory / "emb")) {
      const Descriptor file(::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC));
      ASSERT_EQ(::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED), 0);
      char byte;
      const iovec part = {&byte, 1};
      hasLeftCache |=
          ::preadv2(file.get(), &part, 1, 0, RWF_NOWAIT) < 0 && errno == EAGAIN;
    }
  }

  /// Trains both tables with the same steps.
  void train(const TableSpec &spec, int steps) {
    make(spec);
    const unsigned seed = std::random_device()();
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    std::vector<std::vector<float>> reads;
    for (Table *table : {whole.get(), tiered.get()}) {
      read.clear();
      onThreads(2, [&](ParallelRows parallel) {
        std::mt19937 random(seed);
        for (int i = 0; i < steps; ++i) {
          step(*table, random, parallel);
          if (i % 40 == 39)
            EXPECT_OK(table->shrink(parallel));
        }
      });
      reads.push_back(read);
    }
    EXPECT_TRUE(reads[0] == reads[1]);
    expectEqual();
    EXPECT_GT(tiered->counters().promoted, 100);
    EXPECT_GT(tiered->counters().demoted, 100);
  }

  const TemporaryDirectory directory;
  std::unique_ptr<Table> whole, tiered;
  std::vector<float> read;
  bool hasLeftCache = false;
};
} // namespace

TEST_F(TieredRowsTest, TrainsToTheSameBits) {
  TableSpec spec = adagradTable(2, kIds * kIds);
  spec.initial = {InitialValue::Kind::Uniform, -1, 1};
  train(spec, 200);
}

TEST_F(TieredRowsTest, AgesAndClicksAreThoseOfARowInMemory) {
  TableSpec spec = adagradTable(2, kIds * kIds);
  spec.initial = {InitialValue::Kind::Uniform, -1, 1};
  spec.eviction.maxAge = 100;
  spec.clicks = ClickAccessor{
      .embedxFrom = 1, .embedxThreshold = 3, .deleteThreshold = 0.05};
  train(spec, 300);
  EXPECT_GT(tiered->counters().evictedByAge, 0);
  EXPECT_GT(tiered->counters().embedxCreated, 0);
  for (RowSelection rows :
       {RowSelection::All, RowSelection::Base, RowSelection::Delta}) {
    EXPECT_EQ(*tiered->clicks().count(rows), *whole->clicks().count(rows));
    for (Table *table : {whole.get(), tiered.get()})
      EXPECT_OK(table->clicks().markSaved(rows, table->time()));
  }
  expectEqual();
}

TEST_F(TieredRowsTest, IdsWaitForARowAsInMemory) {
  TableSpec spec = adagradTable(2, kIds * kIds);
  spec.admission = {Admission::Kind::Count, 3, 1};
  train(spec, 300);
  EXPECT_EQ(tiered->counters().refusedByCount,
            whole->counters().refusedByCount);
}

TEST_F(TieredRowsTest, RowsMoveInTheLogWhileOthersAreDemoted) {
  // Rows of 4 KiB: a step's demotion fills files, and others are collected.
  const int64_t width = 512;
  make(adagradTable(width, 4000), 600);
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::vector<std::vector<float>> reads;
  for (Table *table : {whole.get(), tiered.get()}) {
    std::mt19937 random(seed);
    AdagradRow adagrad(*table);
    std::vector<float> values(300 * width);
    for (int i = 0; i < 60; ++i) {
      std::vector<int64_t> ids(300);
      for (int64_t &id : ids)
        id = int64_t(random() % 3000);
      ASSERT_OK(table->lookup(ids, true, bytesOf(values)));
      reads.push_back(values);
      std::ranges::sort(ids);
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
      std::vector<float> gradients(ids.size() * width, float(i) / 50);
      ASSERT_OK(table->update(ids, bytesOf(gradients), adagrad.update()));
      table->advance();
    }
  }
  for (size_t i = 0; i < reads.size() / 2; ++i)
    EXPECT_TRUE(reads[i] == reads[i + reads.size() / 2]) << i;
  EXPECT_TRUE(allOf(*whole) == allOf(*tiered));
}

TEST_F(TieredRowsTest, AnnouncementsChangeNothing) {
  // Of rows that are in memory, changed and demoted meanwhile, dropped by age,
  // collected, and of ids that never had one, from another thread.
  TableSpec spec = adagradTable(2, kIds * kIds);
  spec.initial = {InitialValue::Kind::Uniform, -1, 1};
  spec.eviction.maxAge = 30;
  make(spec);
  std::atomic<bool> ends = false;
  std::thread announcing([&] {
    std::mt19937 random(3);
    while (!ends) {
      std::vector<int64_t> ids(400);
      for (int64_t &id : ids)
        id = int64_t(random() % kIds);
      tiered->tiers()->readAhead().announce(std::move(ids));
      if (random() % 8 == 0)
        tiered->tiers()->readAhead().drain();
    }
  });
  std::vector<std::vector<float>> reads;
  for (Table *table : {whole.get(), tiered.get()}) {
    read.clear();
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
      step(*table, random, serialRows);
      if (i % 20 == 19)
        EXPECT_OK(table->shrink());
    }
    reads.push_back(read);
  }
  ends = true;
  announcing.join();
  EXPECT_TRUE(reads[0] == reads[1]);
  EXPECT_GT(tiered->counters().evictedByAge, 0);
  expectEqual();
}

TEST_F(TieredRowsTest, PassesChangeNothing) {
  // Of ids that the steps use or not, that have a row or not, and of more than
  // memory holds, while those of another pass are read ahead.
  TableSpec spec = adagradTable(2, kIds * kIds);
  spec.initial = {InitialValue::Kind::Uniform, -1, 1};
  spec.eviction.maxAge = 30;
  make(spec);
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 passes(seed);
  std::vector<int64_t> next;
  bool isOnlyOnDisk = false;
  auto beginPass = [&] {
    std::vector<int64_t> ids(kIds);
    std::iota(ids.begin(), ids.end(), -20);
    std::ranges::shuffle(ids, passes);
    ids.resize(passes() % 1000);
    if (isOnlyOnDisk || passes() % 4)
      ids = next;
    std::vector<uint32_t> steps;
    for (size_t i = 0; i < ids.size(); ++i)
      steps.push_back(uint32_t(i / 50));
    onThreads(2, [&](ParallelRows parallel) {
      EXPECT_OK(tiered->beginPass(ids, steps, parallel));
    });
    EXPECT_LE(tiered->rows().size(), kInMemory);
    // Some of these are going to be used, changed and demoted before.
    next = ids;
    std::ranges::shuffle(next, passes);
    // Whatever the seed, some passes find rows that were read ahead.
    isOnlyOnDisk = passes() % 8 == 0;
    if (isOnlyOnDisk)
      leaveCache();
    tiered->tiers()->announcePass(next);
    if (isOnlyOnDisk || passes() % 2)
      tiered->tiers()->readAhead().drain();
  };
  std::vector<std::vector<float>> reads;
  for (Table *table : {whole.get(), tiered.get()}) {
    read.clear();
    std::mt19937 random(seed);
    for (int i = 0; i < 300; ++i) {
      if (table == tiered.get() && i % 3 == 0)
        beginPass();
      step(*table, random, serialRows);
      if (i % 20 == 19)
        EXPECT_OK(table->shrink());
    }
    reads.push_back(read);
  }
  EXPECT_TRUE(reads[0] == reads[1]);
  EXPECT_GT(tiered->counters().promotedForPass, 100);
  if (hasLeftCache) {
    EXPECT_GT(tiered->counters().readForPass, 0);
    EXPECT_GT(tiered->counters().promotedForPass,
              tiered->counters().readForPass);
  }
  EXPECT_GT(tiered->counters().evictedByAge, 0);
  expectEqual();
}

TEST_F(TieredRowsTest, APassFindsItsRowsInMemory) {
  make(adagradTable(2, 10000));
  std::vector<float> values(2 * 100);
  std::vector<int64_t> ids(100);
  auto lookUp = [&](int64_t first, size_t count) {
    ids.resize(count);
    std::iota(ids.begin(), ids.end(), first);
    ASSERT_OK(tiered->lookup(ids, true, bytesOf(values)));
  };
  for (int64_t first = 0; first < 3000; first += 100) {
    lookUp(first, 100);
    tiered->advance();
  }
  ASSERT_OK(tiered->tiers()->commit().status());

  // 60 steps of ten rows each, from the one that was used last to the first.
  std::vector<int64_t> pass;
  std::vector<uint32_t> steps;
  for (int64_t step = 0; step < 60; ++step)
    for (int64_t i = 0; i < 10; ++i) {
      pass.push_back((299 - 5 * step) * 10 + i);
      steps.push_back(uint32_t(step));
    }
  pass[599] = -5; // has no row
  ASSERT_OK(tiered->beginPass(pass, steps));
  const int64_t brought = tiered->counters().promotedForPass;
  EXPECT_GT(brought, 300);
  EXPECT_EQ(tiered->counters().promoted, brought);
  size_t inMemory = 0;
  while (tiered->find(pass[inMemory]))
    ++inMemory;
  EXPECT_GT(inMemory, size_t(kInMemory) * 8 / 10);
  EXPECT_EQ(tiered->tiers()->commit()->changed, 0) << "none was written";

  // Rows that are created take the room of those that were used.
  for (int64_t step = 0; step < int64_t(inMemory / 10); ++step) {
    lookUp((299 - 5 * step) * 10, 10);
    lookUp(100000 + 8 * step, 8);
    tiered->advance();
    ASSERT_EQ(tiered->counters().promoted, brought) << step;
  }
  // A step may use all of memory, whatever the pass expects.
  make(adagradTable(2, 1000), 20);
  for (int64_t first = 0; first < 60; first += 20) {
    lookUp(first, 20);
    tiered->advance();
  }
  pass.assign({50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35});
  steps.assign(pass.size(), 7);
  ASSERT_OK(tiered->beginPass(pass, steps));
  EXPECT_EQ(tiered->counters().promotedForPass, 5);
  lookUp(0, 20);
  EXPECT_EQ(tiered->find(50), nullptr);
}

TEST_F(TieredRowsTest, WhatCannotBeReadAheadIsTheStepsError) {
  make(adagradTable(2, 1000), 10);
  std::vector<float> values(2);
  for (int64_t id = 0; id < 50; ++id) {
    ASSERT_OK(tiered->lookup(std::vector<int64_t>{id}, true, bytesOf(values)));
    tiered->advance();
  }
  for (const auto &file :
       std::filesystem::directory_iterator(directory / "emb"))
    if (file.path().extension() == ".rows")
      std::filesystem::resize_file(file.path(), 0);
  tiered->tiers()->readAhead().announce({0, 1, 2});
  tiered->tiers()->announcePass({0, 1, 2});
  tiered->tiers()->readAhead().drain();
  EXPECT_TRUE(failsWith(
      tiered->beginPass(std::vector<int64_t>{2}, std::vector<uint32_t>{0}),
      Code::kDataLoss, "table '@emb': "));
  const absl::Status status =
      tiered->lookup(std::vector<int64_t>{1}, true, bytesOf(values));
  EXPECT_TRUE(failsWith(status, Code::kDataLoss, "is damaged"));
  EXPECT_FALSE(absl::StrContains(status.message(), "\n"));
}

TEST_F(TieredRowsTest, ManyRowsComeAndGo) {
  // Enough for the clock's hand, in numbers beyond the first piece.
  make(adagradTable(2, 100000), 5000);
  std::mt19937 random(7);
  std::vector<float> values(2 * 2000);
  for (int i = 0; i < 60; ++i) {
    std::vector<int64_t> ids(2000);
    for (int64_t &id : ids)
      id = int64_t(random() % 200) * int64_t(random() % 200);
    for (Table *table : {whole.get(), tiered.get()}) {
      ASSERT_OK(table->lookup(ids, true, bytesOf(values)));
      std::vector<int64_t> distinct = ids;
      std::ranges::sort(distinct);
      distinct.erase(std::unique(distinct.begin(), distinct.end()),
                     distinct.end());
      std::vector<float> gradients(distinct.size() * 2, float(i));
      AdagradRow adagrad(*table);
      ASSERT_OK(table->update(distinct, bytesOf(gradients), adagrad.update()));
      table->advance();
    }
  }
  EXPECT_TRUE(allOf(*whole) == allOf(*tiered));
  EXPECT_LE(tiered->rows().size(), 5000);
  EXPECT_GT(tiered->counters().demoted, 5000);
}

TEST_F(TieredRowsTest, RowsThatWereUsedOnceLeaveFirst) {
  make(adagradTable(2, 1000), 100);
  // The rows of ids from `first` on, in a step; returns how many had to come.
  auto use = [&](int64_t first, int64_t count) {
    std::vector<int64_t> ids(count);
    std::iota(ids.begin(), ids.end(), first);
    std::vector<float> values(count * 2);
    const int64_t before = tiered->counters().promoted;
    EXPECT_OK(tiered->lookup(ids, true, bytesOf(values)));
    tiered->advance();
    return tiered->counters().promoted - before;
  };
  use(0, 40);
  use(0, 40);
  use(100, 30);
  use(130, 30);
  use(200, 20); // 60 of the rows in memory have been used once, later
  EXPECT_EQ(use(0, 40), 0);
  // In the end those that were used often leave, too.
  for (int i = 0; i < 40; ++i)
    use(300 + 50 * (i % 2), 50);
  EXPECT_EQ(use(0, 40), 40);
}

TEST_F(TieredRowsTest, AStepUsesNoMoreThanMemoryHolds) {
  make(adagradTable(2, 1000), 4);
  std::vector<float> values(12);
  EXPECT_OK(tiered->lookup(std::vector<int64_t>{1, 2, 3, 4, 4, 4}, true,
                           bytesOf(values)));
  EXPECT_TRUE(failsWith(
      tiered->lookup(std::vector<int64_t>{5}, true, bytesOf(values)),
      Code::kResourceExhausted,
      "table '@emb': a step uses 5 rows, of which memory holds 4: raise the "
      "rows of the tier #ps.mem, or lower --batch-size"));
  tiered->advance();
  EXPECT_OK(tiered->lookup(std::vector<int64_t>{5}, true, bytesOf(values)));
  EXPECT_EQ(tiered->size(), 5);
  // The limit of the table is one of rows, wherever they are.
  make(adagradTable(2, 5), 4);
  for (int64_t id : {1, 2, 3, 4, 5}) {
    EXPECT_OK(tiered->lookup(std::vector<int64_t>{id}, true, bytesOf(values)));
    tiered->advance();
  }
  EXPECT_TRUE(
      failsWith(tiered->lookup(std::vector<int64_t>{6}, true, bytesOf(values)),
                Code::kResourceExhausted, "5 of at most 5 are held"));
}

TEST_F(TieredRowsTest, LoadedRowsNeedNoMemory) {
  make(adagradTable(2, 3000), 10);
  std::vector<int64_t> ids(1000);
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = int64_t(i) * 7919 - 1000;
  for (Table *table : {whole.get(), tiered.get()}) {
    std::vector<std::byte *> rows(ids.size());
    ASSERT_OK(table->insert(ids, rows));
    for (size_t i = 0; i < ids.size(); ++i)
      reinterpret_cast<float *>(rows[i])[0] = float(i);
    ASSERT_OK(table->endLoading());
    EXPECT_TRUE(failsWith(
        table->insert(std::vector<int64_t>{1, ids[3]}, {rows.data(), 2}),
        Code::kAlreadyExists, "two rows of id 22757"));
    ASSERT_OK(table->endLoading());
    absl::StatusOr<std::byte *> row = table->findToLoad(ids[5]);
    ASSERT_OK(row.status());
    reinterpret_cast<float *>(*row)[1] = 55;
    ASSERT_OK(table->endLoading());
    EXPECT_EQ(*table->findToLoad(2), nullptr);
  }
  expectEqual();
  std::vector<float> moments(2 * ids.size() + 2, -1);
  ids.push_back(4);
  ASSERT_OK(tiered->readColumn(tiered->columns()[1], ids, bytesOf(moments)));
  EXPECT_EQ(moments, std::vector<float>(ids.size() * 2, 0.5));
  EXPECT_EQ(tiered->rows().size(), 0);
}

TEST_F(TieredRowsTest, ACommitIsWhereTheNextProcessBegins) {
  TableSpec spec = adagradTable(2, kIds * kIds);
  train(spec, 100);
  Rows expected = allOf(*tiered);
  auto commit = tiered->tiers()->commit();
  ASSERT_OK(commit.status());
  EXPECT_GT(commit->changed, 0);
  EXPECT_LE(commit->changed, kInMemory);
  tiered->tiers()->forgetOlder();
  EXPECT_EQ(tiered->tiers()->commit()->changed, 0) << "all are written";
  expectEqual();
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i)
    step(*tiered, random, serialRows);
  EXPECT_FALSE(allOf(*tiered) == expected);

  tiered.reset();
  EXPECT_TRUE(failsWith(Table::create(inTiers(spec), 0).status(),
                        Code::kFailedPrecondition, "table '@emb': '"));
  TableSpec resumed = inTiers(spec);
  resumed.tiers->commit = commit->files;
  tiered = *Table::create(resumed, 0);
  expectEqual();
  resumed.tiers->commit = "0:x";
  EXPECT_TRUE(failsWith(Table::create(resumed, 0).status(), Code::kDataLoss,
                        "expected the files of a tier"));
  tiered->tiers()->discard();
}

TEST_F(TieredRowsTest, RowsLeaveWhileStepsGoOn) {
  // Each step finds room that the one before has made.
  make(adagradTable(2, 1 << 20), 4000);
  std::vector<float> values(2 * 100);
  std::vector<int64_t> ids(100);
  for (int64_t step = 0; step < 100; ++step) {
    std::iota(ids.begin(), ids.end(), step * 100);
    for (Table *table : {whole.get(), tiered.get()}) {
      ASSERT_OK(table->lookup(ids, true, bytesOf(values)));
      table->advance();
    }
    EXPECT_LE(tiered->rows().size(), 4000);
    EXPECT_EQ(tiered->size(), (step + 1) * 100);
  }
  // Those that are leaving are found, wherever they are by now.
  for (int64_t id = 0; id < 10000; id += 7) {
    const std::vector<int64_t> one = {id};
    std::vector<float> expected(2);
    ASSERT_OK(whole->lookup(one, true, bytesOf(expected)));
    values.resize(2);
    ASSERT_OK(tiered->lookup(one, id % 2 == 0, bytesOf(values)));
    EXPECT_EQ(values, expected) << id;
    whole->advance();
    tiered->advance();
  }
  EXPECT_TRUE(allOf(*whole) == allOf(*tiered));
}

TEST_F(TieredRowsTest, RowsThatCouldNotLeaveAreVisited) {
  // By all that looks at rows in memory first, and then at the others.
  TableSpec spec = adagradTable(2, 1000);
  spec.clicks = ClickAccessor{};
  std::vector<int64_t> ids(100);
  std::iota(ids.begin(), ids.end(), 0);
  const std::span<const int64_t> most = std::span(ids).first(99);
  const std::vector<float> shows(99, 1), clicks(99, 1);
  const std::function<void(Table &, std::vector<float> &)> visits[] = {
      [&](Table &table, std::vector<float> &seen) {
        EXPECT_OK(table.lookup(ids, /*create=*/false, bytesOf(seen)));
      },
      [&](Table &table, std::vector<float> &seen) {
        EXPECT_OK(table.readColumn(table.columns()[1], ids, bytesOf(seen)));
      },
      [&](Table &table, std::vector<float> &seen) {
        seen[0] = float(*table.clicks().count(RowSelection::Base));
      },
      [&](Table &table, std::vector<float> &) {
        EXPECT_OK(table.clicks().markSaved(RowSelection::Base, 3));
      },
      [&](Table &table, std::vector<float> &) { EXPECT_OK(table.shrink()); },
      [&](Table &table, std::vector<float> &seen) {
        for (size_t i = 0; i < ids.size(); ++i)
          std::memcpy(&seen[2 * i], *table.findToLoad(ids[i]), 8);
      },
  };
  for (const auto &visit : visits) {
    make(spec, 100);
    std::vector<float> seen[2] = {std::vector<float>(200),
                                  std::vector<float>(200)};
    const FileSizeLimit none;
    for (Table *table : {whole.get(), tiered.get()}) {
      std::vector<float> values(200), gradients(2 * 99, 1);
      ASSERT_OK(table->lookup(most, true, bytesOf(values)));
      ASSERT_OK(table->recordClicks(most, shows, clicks));
      AdagradRow adagrad(*table);
      ASSERT_OK(table->update(most, bytesOf(gradients), adagrad.update()));
      table->advance();
      // From here on some are to leave for the next step.
      ASSERT_OK(table->lookup({&ids[99], 1}, true, bytesOf(values)));
      table->advance();
      visit(*table, seen[table == tiered.get()]);
    }
    EXPECT_EQ(seen[0], seen[1]);
    EXPECT_TRUE(allOf(*whole) == allOf(*tiered));
    EXPECT_EQ(tiered->counters().demoted, 0);
  }
}

TEST_F(TieredRowsTest, AStepFindsRowsThatCouldNotLeave) {
  // Their records in the log are of earlier values.
  make(adagradTable(2, 1000), 100);
  std::vector<float> values(2 * 99), expected(2 * 99);
  auto step = [&](Table &table, int64_t first, size_t count, float *read) {
    std::vector<int64_t> ids(count);
    std::iota(ids.begin(), ids.end(), first);
    ASSERT_OK(table.lookup(ids, true, reinterpret_cast<std::byte *>(read)));
    std::vector<float> gradients(count * 2, 1);
    AdagradRow adagrad(table);
    ASSERT_OK(table.update(ids, bytesOf(gradients), adagrad.update()));
    table.advance();
  };
  auto both = [&](int64_t first, size_t count) {
    step(*whole, first, count, expected.data());
    step(*tiered, first, count, values.data());
    EXPECT_EQ(values, expected);
  };
  both(0, 99);
  both(100, 99);
  both(0, 99);
  // Waits for the rows that leave, which are to be written yet.
  EXPECT_TRUE(allOf(*whole) == allOf(*tiered));
  {
    const FileSizeLimit none;
    both(500, 1);
    // Some of these were to leave for the next step.
    both(0, 99);
  }
  both(0, 99);
  EXPECT_TRUE(allOf(*whole) == allOf(*tiered));
}

TEST_F(TieredRowsTest, WhatCannotBeWrittenInTheBackgroundIsNoError) {
  make(adagradTable(2, 1000), 100);
  std::vector<float> values(2 * 100);
  auto lookUp = [&](int64_t first, size_t count) {
    std::vector<int64_t> ids(count);
    std::iota(ids.begin(), ids.end(), first);
    const absl::Status status = tiered->lookup(ids, true, bytesOf(values));
    tiered->advance();
    return status;
  };
  ASSERT_OK(lookUp(0, 99));
  {
    const FileSizeLimit none;
    // There is room for it; other rows try to leave for the next one.
    ASSERT_OK(lookUp(200, 1));
    // All are there when all are read, and for a step that needs no room.
    EXPECT_EQ(allOf(*tiered).size(), 100);
    ASSERT_OK(lookUp(0, 99));
    EXPECT_EQ(tiered->rows().size(), 100);
    EXPECT_EQ(tiered->counters().demoted, 0);
    EXPECT_TRUE(failsWith(lookUp(201, 1), Code::kUnavailable, "cannot write"));
    EXPECT_EQ(allOf(*tiered).size(), 100);
  }
  ASSERT_OK(lookUp(201, 1));
  EXPECT_EQ(tiered->size(), 101);
  EXPECT_GT(tiered->counters().demoted, 0);
  EXPECT_EQ(allOf(*tiered).size(), 101);
}

TEST_F(TieredRowsTest, AllRowsAreVisitedWhileSomeLeave) {
  // Before each visit a step has rows leave.
  TableSpec spec = adagradTable(2, kIds * kIds);
  spec.eviction.maxAge = 25;
  spec.clicks = ClickAccessor{.deleteThreshold = 0.05};
  make(spec, 100);
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 200; ++i) {
    std::vector<int64_t> ids(20);
    for (int64_t &id : ids)
      id = int64_t(random() % 2000);
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::vector<float> values(ids.size() * 2), shows(ids.size(), 1);
    const auto visit = random() % 5;
    for (Table *table : {whole.get(), tiered.get()}) {
      ASSERT_OK(table->lookup(ids, true, bytesOf(values)));
      if (visit == 0)
        ASSERT_OK(table->shrink());
      if (visit == 1)
        ASSERT_OK(table->clicks().markSaved(RowSelection::Delta, i));
      ASSERT_OK(table->recordClicks(ids, shows, shows));
      table->advance();
    }
    if (visit == 2)
      EXPECT_EQ(*tiered->clicks().count(RowSelection::Base),
                *whole->clicks().count(RowSelection::Base));
    if (visit == 3)
      ASSERT_OK(tiered->tiers()->commit().status());
    if (visit == 4)
      ASSERT_TRUE(allOf(*whole) == allOf(*tiered)) << i;
  }
  EXPECT_TRUE(allOf(*whole) == allOf(*tiered));
  EXPECT_GT(tiered->counters().demoted, 1000);
  EXPECT_GT(tiered->counters().evictedByAge, 0);
}

TEST_F(TieredRowsTest, WhatCannotBeWrittenStaysInMemory) {
  make(adagradTable(2, 1000), 100);
  std::vector<int64_t> ids(100);
  std::iota(ids.begin(), ids.end(), 0);
  std::vector<float> values(2 * ids.size());
  ASSERT_OK(tiered->lookup(ids, true, bytesOf(values)));
  tiered->advance();
  const Rows before = allOf(*tiered);
  {
    const FileSizeLimit none;
    EXPECT_TRUE(failsWith(
        tiered->lookup(std::vector<int64_t>{200}, true, bytesOf(values)),
        Code::kUnavailable, "cannot write"));
  }
  EXPECT_TRUE(allOf(*tiered) == before);
  EXPECT_OK(tiered->lookup(std::vector<int64_t>{200}, true, bytesOf(values)));
  EXPECT_EQ(tiered->size(), 101);
}
