// SPDX-License-Identifier: Apache-2.0
//===- RowLogTest.cpp - rows on an SSD are those that were appended -------===//

#include "runtime/rowlog/RowLog.h"
#include "absl/strings/str_cat.h"
#include "test/unit/RuntimeTesting.h"
#include "gmock/gmock.h"
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sys/uio.h>

using namespace ps::runtime;
using Code = absl::StatusCode;

namespace {
class RowLogTest : public testing::Test {
protected:
  RowLog::Options options(size_t rowBytes = 12) {
    return {.directory = directory / "log",
            .rowBytes = rowBytes,
            // Files of 1 MiB, the smallest.
            .maxRows = 1000};
  }
  std::unique_ptr<RowLog> make(size_t rowBytes = 12) {
    auto log = RowLog::create(options(rowBytes));
    EXPECT_OK(log.status());
    return *std::move(log);
  }
  const TemporaryDirectory directory;
};

using Rows = std::map<int64_t, uint8_t>;

/// Rows of `value` for the ids from 0 on.
Rows firstRows(int64_t count, uint8_t value) {
  Rows rows;
  for (int64_t id = 0; id < count; ++id)
    rows[id] = value;
  return rows;
}
std::vector<int64_t> idsOf(const Rows &rows) {
  std::vector<int64_t> ids;
  for (auto [id, value] : rows)
    ids.push_back(id);
  return ids;
}

/// Gives each id a row of its number.
absl::Status append(RowLog &log, const Rows &rows, size_t rowBytes = 12) {
  const std::vector<int64_t> ids = idsOf(rows);
  std::vector<std::byte> memory;
  for (auto [id, value] : rows)
    memory.insert(memory.end(), rowBytes, std::byte{value});
  std::vector<const std::byte *> places;
  for (size_t i = 0; i < ids.size(); ++i)
    places.push_back(memory.data() + i * rowBytes);
  return log.append(ids, places);
}

/// Expects exactly `rows`.
void expectRows(const RowLog &log, const Rows &rows, size_t rowBytes = 12) {
  EXPECT_EQ(log.size(), int64_t(rows.size()));
  const std::vector<int64_t> ids = idsOf(rows);
  std::vector<uint32_t> places(ids.size());
  log.findAll(ids, places.data());
  ASSERT_EQ(std::ranges::count(places, RowLog::kNone), 0);
  std::vector<std::byte> read(ids.size() * rowBytes);
  ASSERT_OK(log.read(ids, places, read.data()));
  size_t i = 0;
  for (auto [id, value] : rows) {
    for (size_t byte = 0; byte < rowBytes; ++byte)
      ASSERT_EQ(read[i * rowBytes + byte], std::byte{value}) << id;
    ++i;
  }
  std::vector<int64_t> visited;
  for (size_t part = 0; part < RowLog::kNumParts; ++part)
    log.forEachId(part, [&](int64_t id) { visited.push_back(id); });
  std::ranges::sort(visited);
  EXPECT_EQ(visited, ids);
}
} // namespace

TEST_F(RowLogTest, LastRowOfAnIdCounts) {
  auto log = make();
  EXPECT_OK(append(*log, {{0, 1}, {-1, 2}, {INT64_MIN, 3}, {INT64_MAX, 4}}));
  EXPECT_OK(append(*log, {{-1, 5}, {7, 6}}));
  EXPECT_OK(log->erase(std::vector<int64_t>{0, 99}));
  expectRows(*log, {{-1, 5}, {INT64_MIN, 3}, {INT64_MAX, 4}, {7, 6}});
  uint32_t place;
  log->findAll(std::vector<int64_t>{0}, &place);
  EXPECT_EQ(place, RowLog::kNone);
  EXPECT_OK(append(*log, {{0, 9}}));
  expectRows(*log, {{0, 9}, {-1, 5}, {INT64_MIN, 3}, {INT64_MAX, 4}, {7, 6}});
}

TEST_F(RowLogTest, FilesAreCollected) {
  // Rows of 4 KiB: many files, most of whose records were replaced.
  const size_t rowBytes = 4096;
  auto log = make(rowBytes);
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  Rows rows;
  for (int round = 0; round < 40; ++round) {
    Rows next;
    for (int i = 0; i < 200; ++i)
      next[int64_t(random() % 500)] = uint8_t(random());
    ASSERT_OK(append(*log, next, rowBytes));
    for (auto [id, value] : next)
      rows[id] = value;
    std::vector<int64_t> gone;
    for (int i = 0; i < 20; ++i)
      gone.push_back(int64_t(random() % 500));
    std::ranges::sort(gone);
    gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
    ASSERT_OK(log->erase(gone));
    ASSERT_OK(log->collect());
    for (int64_t id : gone)
      rows.erase(id);
  }
  expectRows(*log, rows, rowBytes);
  uint64_t bytes = 0;
  for (const auto &entry :
       std::filesystem::directory_iterator(directory / "log"))
    bytes += entry.file_size();
  EXPECT_LT(bytes, (2 * rows.size() + 5 * 270) * (rowBytes + 16));
}

TEST_F(RowLogTest, WhatWasFoundCanBeReadWhileOthersAreAppended) {
  // Files that are given up are written over, but not those that are read.
  const size_t rowBytes = 4096;
  auto log = make(rowBytes);
  Rows rows = firstRows(300, 0);
  const std::vector<int64_t> ids = idsOf(rows);
  ASSERT_OK(append(*log, rows, rowBytes));
  std::vector<uint32_t> places(ids.size());
  for (int round = 0; round < 20; ++round) {
    const uint8_t value = rows[0];
    log->findAll(ids, places.data());
    const RowLog::OpenFiles opened = log->openFiles();
    for (int i = 0; i < 5; ++i) {
      for (auto &[id, each] : rows)
        ++each;
      ASSERT_OK(append(*log, rows, rowBytes));
      ASSERT_OK(log->collect());
    }
    std::vector<std::byte> read(ids.size() * rowBytes);
    ASSERT_OK(log->read(opened, ids, places, read.data()));
    ASSERT_EQ(std::ranges::count(read, std::byte{value}), int64_t(read.size()));
  }
  expectRows(*log, rows, rowBytes);
}

TEST_F(RowLogTest, ErasedRowsTakeNoRoom) {
  const size_t rowBytes = 4096;
  auto log = make(rowBytes);
  for (int round = 0; round < 20; ++round) {
    const Rows rows = firstRows(300, 1);
    ASSERT_OK(append(*log, rows, rowBytes));
    ASSERT_OK(log->erase(idsOf(rows)));
    ASSERT_OK(log->collect());
  }
  expectRows(*log, {}, rowBytes);
  EXPECT_LT(log->fileBytes(), uint64_t{6 << 20});
}

TEST_F(RowLogTest, ResumesACommit) {
  const size_t rowBytes = 4096;
  Rows rows;
  std::vector<LogFile> files;
  {
    auto log = make(rowBytes);
    for (int64_t id = 0; id < 1000; ++id)
      rows[id] = uint8_t(id);
    ASSERT_OK(append(*log, rows, rowBytes));
    ASSERT_OK(log->erase(std::vector<int64_t>{5, 6}));
    rows.erase(5);
    rows.erase(6);
    auto committed = log->commit();
    ASSERT_OK(committed.status());
    files = *committed;
    log->forgetOlder();
    // What is appended afterwards, and collects what was committed, is undone.
    for (int round = 0; round < 5; ++round) {
      Rows later;
      for (int64_t id = 0; id < 1200; ++id)
        later[id] = uint8_t(id + round + 1);
      ASSERT_OK(append(*log, later, rowBytes));
      ASSERT_OK(log->collect());
    }
  }
  EXPECT_TRUE(failsWith(RowLog::create(options(rowBytes)).status(),
                        Code::kFailedPrecondition,
                        "holds rows that an earlier run has saved there"));
  {
    auto log = RowLog::resume(options(rowBytes), files);
    ASSERT_OK(log.status());
    expectRows(**log, rows, rowBytes);
    ASSERT_OK(append(**log, {{5, 55}}, rowBytes));
    rows[5] = 55;
    expectRows(**log, rows, rowBytes);
    EXPECT_TRUE(failsWith(RowLog::resume(options(rowBytes), files).status(),
                          Code::kFailedPrecondition,
                          "in use by another process"));
    // Files are needed until the next commit is recorded.
    ASSERT_OK((*log)->commit().status());
    (*log)->forgetOlder();
    (*log)->discard();
  }
  EXPECT_FALSE(std::filesystem::exists(directory / "log"));
}

TEST_F(RowLogTest, RowsThatAreNotInMemoryAreReadAhead) {
  const size_t rowBytes = 4096;
  auto log = make(rowBytes);
  Rows rows;
  std::vector<int64_t> ids;
  for (int64_t id = 0; id < 200; ++id) {
    rows[id] = uint8_t(id);
    ids.push_back(id);
  }
  ASSERT_OK(append(*log, rows, rowBytes));
  EXPECT_EQ(log->readAhead(ids), 0) << "they were just written";
  ASSERT_OK(log->commit().status());
  const Descriptor file(
      ::open((directory / "log/00000000.rows").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED), 0);
  char byte;
  const iovec part = {&byte, 1};
  if (::preadv2(file.get(), &part, 1, 100 * rowBytes, RWF_NOWAIT) == 1)
    GTEST_SKIP() << "this file system keeps files in memory";
  uint32_t place;
  log->findAll(std::vector<int64_t>{7}, &place);
  log->setTaken({&place, 1}, true);
  ids.push_back(1000);
  EXPECT_EQ(log->readAhead(ids), 199) << "7 is taken, 1000 has no row";
  expectRows(*log, rows, rowBytes);
  EXPECT_EQ(log->readAhead(ids), 0);
}

TEST_F(RowLogTest, ACommitStaysBesideALogThatBeginsAnew) {
  std::vector<LogFile> files;
  {
    auto log = make();
    ASSERT_OK(append(*log, {{1, 1}, {2, 2}}));
    files = *log->commit();
    log->forgetOlder();
  }
  RowLog::Options beside = options();
  beside.keepsCommitted = true;
  {
    auto log = *RowLog::create(beside);
    expectRows(*log, {});
    ASSERT_OK(append(*log, {{1, 9}}));
    expectRows(*log, {{1, 9}});
  }
  expectRows(**RowLog::resume(options(), files), {{1, 1}, {2, 2}});
  {
    auto log = *RowLog::create(beside);
    ASSERT_OK(append(*log, {{3, 3}}));
    files = *log->commit();
    log->forgetOlder();
  }
  expectRows(**RowLog::resume(options(), files), {{3, 3}});
}

TEST_F(RowLogTest, WhatWasNotCommittedGoes) {
  { EXPECT_OK(append(*make(), {{1, 1}})); }
  EXPECT_FALSE(std::filesystem::exists(directory / "log"));
  std::filesystem::create_directories(directory / "log");
  std::ofstream(directory / "log/00000000.rows") << "left by a killed process";
  expectRows(*make(), {});
}

TEST_F(RowLogTest, DamageIsFound) {
  std::vector<LogFile> files;
  {
    auto log = make();
    EXPECT_OK(append(*log, {{1, 1}, {2, 2}}));
    files = *log->commit();
    log->forgetOlder();
  }
  const std::string path = directory / "log/00000000.rows";
  auto overwrite = [&](int offset, char byte) {
    std::fstream file(path, std::ios::in | std::ios::out);
    file.seekp(offset);
    file.put(byte);
  };
  overwrite(28 + 20, 7);
  EXPECT_TRUE(failsWith(RowLog::resume(options(), files).status(),
                        Code::kDataLoss,
                        "00000000.rows': record 1 is damaged"));
  overwrite(28 + 20, 2);
  overwrite(28 + 12, 1);
  EXPECT_TRUE(failsWith(RowLog::resume(options(), files).status(),
                        Code::kDataLoss,
                        "00000000.rows' was written by an earlier version"));
  overwrite(28 + 12, 3);
  {
    auto log = RowLog::resume(options(), files);
    ASSERT_OK(log.status());
    expectRows(**log, {{1, 1}, {2, 2}});
    overwrite(20, 9);
    const std::vector<int64_t> ids = {1};
    uint32_t place;
    (*log)->findAll(ids, &place);
    std::byte row[12];
    EXPECT_TRUE(failsWith((*log)->read(ids, {&place, 1}, row), Code::kDataLoss,
                          "record 0 is damaged"));
  }
  {
    // A mapped page that is no longer there is an error, too, not a signal.
    overwrite(20, 1);
    auto log = RowLog::resume(options(), files);
    ASSERT_OK(log.status());
    const std::vector<int64_t> ids = {1, 2};
    uint32_t places[2];
    (*log)->findAll(ids, places);
    std::filesystem::resize_file(path, 0);
    std::byte rows[24];
    EXPECT_TRUE(failsWith((*log)->read(ids, places, rows), Code::kDataLoss,
                          "record 0 is damaged"));
  }
  std::filesystem::resize_file(path, 40);
  EXPECT_TRUE(failsWith(RowLog::resume(options(), files).status(),
                        Code::kDataLoss, "expected 56 bytes, found 40"));
  files[0].records = int64_t{1} << 40;
  EXPECT_TRUE(failsWith(RowLog::resume(options(), files).status(),
                        Code::kDataLoss, "expected up to "));
  std::filesystem::remove(path);
  EXPECT_TRUE(failsWith(RowLog::resume(options(), {files.data(), 1}).status(),
                        Code::kDataLoss, "expected up to "));
  files[0].records = 2;
  EXPECT_TRUE(failsWith(RowLog::resume(options(), files).status(),
                        Code::kNotFound, "cannot open"));
}
