// SPDX-License-Identifier: Apache-2.0
//===- TableFileTest.cpp - tables that are saved and loaded ---------------===//

#include "runtime/checkpoint/TableFile.h"
#include "runtime/checkpoint/RowFile.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/SlotFiles.h"
#include "test/unit/checkpoint/CheckpointTesting.h"
#include "test/unit/table/TableTesting.h"
#include <cstring>
#include <fstream>
#include <numeric>

using namespace ps::runtime;
using Code = absl::StatusCode;

namespace {
TableSpec spec(int64_t width = 3, int64_t maxRows = 100000) {
  TableSpec spec = adagradTable(width, maxRows);
  spec.slots.push_back({"steps", {DType::I64, {}}, 7});
  spec.initial = {InitialValue::Kind::Uniform, -1, 1};
  return spec;
}

const std::vector<int64_t> kIds = {0,         -1,        INT64_MIN, 5, 3,
                                   INT64_MAX, 1ll << 40, -77,       8, 9};

/// The part of `ids` that `shard` holds, after one update of each row.
std::unique_ptr<Table> makePart(const std::vector<int64_t> &ids,
                                const TableShard &shard) {
  auto table = *Table::create(spec(), 1);
  std::vector<int64_t> mine;
  for (int64_t id : ids)
    if (shardOf(id, shard.count, shard.partition) == shard.index)
      mine.push_back(id);
  std::vector<float> gradients(mine.size() * 3, 0.5f);
  AdagradRow adagrad(*table);
  EXPECT_OK(table->update(mine, bytesOf(gradients), adagrad.update()));
  for (int64_t id : mine)
    *reinterpret_cast<int64_t *>(table->find(id) + table->layout().slots[1]) =
        id;
  return table;
}

void saveParts(const std::string &dir, const std::vector<int64_t> &ids,
               int count, IdPartition partition = IdPartition::Mix) {
  for (int index = 0; index < count; ++index) {
    TableShard shard{index, count, partition};
    EXPECT_OK(saveTable(dir, *makePart(ids, shard), shard));
  }
}

/// All rows of `whole` that are in `part`, checked to be the same, counted.
int64_t countSame(Table &whole, Table &part, const std::vector<int64_t> &ids) {
  int64_t same = 0;
  for (int64_t id : ids)
    if (const std::byte *row = part.find(id))
      same += std::memcmp(row, whole.find(id), whole.layout().bytes - 4) == 0;
  return same;
}

absl::Status load(const std::string &dir, TableSpec wanted = spec(),
                  TableShard shard = {}) {
  auto table = *Table::create(std::move(wanted), 1);
  return loadTable(dir, *table, shard);
}

/// Writes the file of a whole table by hand.
void writeFile(const std::string &dir, std::vector<int64_t> ids,
               const std::string &leaveOut = "",
               const std::string &time = "0") {
  std::vector<float> values(ids.size() * 3, 1);
  std::vector<int64_t> steps(ids.size());
  const auto rows = static_cast<int64_t>(ids.size());
  std::vector<NamedTensor> tensors = {
      {"ids", {{DType::I64, {rows}}, bytesOf(ids)}},
      {"values", {{DType::F32, {rows, 3}}, bytesOf(values)}},
      {"moment", {{DType::F32, {rows, 3}}, bytesOf(values)}},
      {"steps", {{DType::I64, {rows}}, bytesOf(steps)}}};
  std::erase_if(tensors,
                [&](const NamedTensor &t) { return t.name == leaveOut; });
  EXPECT_OK(
      writeSafetensors(tablePath(dir, "emb", 0, 1), tensors, {{"time", time}}));
}
} // namespace

TEST(TableFile, AnyNumberOfHoldersReadsAnyOther) {
  auto whole = makePart(kIds, {});
  for (IdPartition partition : {IdPartition::Mix, IdPartition::Modulo})
    for (int writers : {1, 2, 3})
      for (int readers : {1, 2, 20}) {
        TemporaryDirectory dir;
        saveParts(dir.path, kIds, writers, partition);
        int64_t found = 0;
        for (int index = 0; index < readers; ++index) {
          auto part = *Table::create(spec(), 2);
          EXPECT_OK(loadTable(dir.path, *part, {index, readers, partition}));
          EXPECT_EQ(countSame(*whole, *part, kIds), part->size());
          found += part->size();
        }
        EXPECT_EQ(found, int64_t(kIds.size()));
      }
}

TEST(TableFile, HoldsRowsById) {
  TemporaryDirectory dir;
  saveParts(dir.path, kIds, 1);
  const std::string path = dir / "emb-00000-of-00001.safetensors";
  EXPECT_EQ(path, tablePath(dir.path, "emb", 0, 1));
  auto file = *SafetensorsFile::open(path);
  EXPECT_EQ(file->tensors().size(), 4u);
  EXPECT_EQ(file->tensors().at("values").str(), "10x3xf32");
  EXPECT_EQ(file->tensors().at("moment").str(), "10x3xf32");
  std::vector<int64_t> ids(kIds.size()), steps(kIds.size());
  EXPECT_OK(file->read("ids", {{DType::I64, {10}}, bytesOf(ids)}));
  EXPECT_OK(file->read("steps", {{DType::I64, {10}}, bytesOf(steps)}));
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_EQ(ids, steps);
}

TEST(TableFile, ManyRows) {
  TemporaryDirectory dir;
  std::vector<int64_t> ids(50000);
  std::iota(ids.begin(), ids.end(), -20000);
  saveParts(dir.path, ids, 2);
  auto whole = makePart(ids, {});
  auto again = *Table::create(spec(), 2);
  EXPECT_OK(loadTable(dir.path, *again, {}));
  EXPECT_EQ(countSame(*whole, *again, ids), 50000);
}

TEST(TableFile, AnEmptyTable) {
  TemporaryDirectory dir;
  saveParts(dir.path, {}, 1);
  auto table = *Table::create(spec(), 1);
  EXPECT_OK(loadTable(dir.path, *table, {}));
  EXPECT_EQ(table->size(), 0);
}

TEST(TableFile, SavingReplacesOtherNumbersOfHolders) {
  TemporaryDirectory dir;
  saveParts(dir.path, {1, 2, 3}, 3);
  saveParts(dir.path, {1, 2, 3}, 2);
  EXPECT_OK(load(dir.path));
  EXPECT_FALSE(std::filesystem::exists(tablePath(dir.path, "emb", 2, 3)));
  // A file of another table stays.
  TableSpec other = spec();
  other.name = "emb-2";
  EXPECT_OK(saveTable(dir.path, **Table::create(other, 1), {0, 4}));
  saveParts(dir.path, {1, 2, 3}, 1);
  EXPECT_TRUE(std::filesystem::exists(tablePath(dir.path, "emb-2", 0, 4)));
}

TEST(TableFile, TheEarlierCheckpointStaysUntilAllHaveSaved) {
  TemporaryDirectory dir;
  saveParts(dir.path, kIds, 3);
  const TableShard first{0, 2}, second{1, 2};
  EXPECT_OK(saveTable(dir.path, *makePart(kIds, first), first));
  for (int index : {0, 1, 2})
    EXPECT_TRUE(std::filesystem::exists(tablePath(dir.path, "emb", index, 3)));
  EXPECT_OK(saveTable(dir.path, *makePart(kIds, second), second));
  for (int index : {0, 1, 2})
    EXPECT_FALSE(std::filesystem::exists(tablePath(dir.path, "emb", index, 3)));
  EXPECT_OK(load(dir.path));
}

TEST(TableFile, FilesAreListedByTable) {
  TemporaryDirectory dir;
  for (const char *name : {"emb", "emb-2", "a/b%", "x-of-y"}) {
    TableSpec wanted = spec();
    wanted.name = name;
    EXPECT_OK(saveTable(dir.path, **Table::create(wanted, 1), {1, 2}));
  }
  for (const char *other :
       {"emb-2-of-1.safetensors", "emb-1-of-2.tmp", "a%2-1-of-2.safetensors",
        "a%41-1-of-2.safetensors", "-of-2.safetensors", "emb-1-of-.safetensors",
        "model.safetensors"})
    std::ofstream(dir / other) << "of no table";
  auto tables = listTables(dir.path);
  EXPECT_OK(tables.status());
  std::map<std::string, TableFiles> expected;
  for (const char *name : {"emb", "emb-2", "a/b%", "x-of-y"})
    expected[name] = {{2, tablePath(dir.path, name, 1, 2)}};
  EXPECT_EQ(*tables, expected);
}

TEST(TableFile, FilesOfTwoCheckpointsAreRefused) {
  TemporaryDirectory dir;
  const TableShard first{0, 2}, second{1, 2};
  const auto earlier = makePart(kIds, first), later = makePart(kIds, second);
  later->advance(5);
  // Without ids, by their steps.
  for (auto [table, shard] :
       {std::pair(earlier.get(), first), {later.get(), second}}) {
    auto writer =
        stageRowFile(dir.path, *table, shard, RowSelection::All,
                     RowSelection::All, /*checkpointId=*/"", serialRows);
    EXPECT_OK((*writer)->finish());
  }
  for (TableShard reader : {TableShard{}, first, second})
    EXPECT_TRUE(failsWith(load(dir.path, spec(), reader), Code::kDataLoss,
                          "emb-00001-of-00002.safetensors' after 5"));
  // With ids, holders may count others, and files are compared by these.
  saveParts(dir.path, kIds, 2);
  EXPECT_OK(saveTable(dir.path, *later, second));
  EXPECT_OK(load(dir.path));
  for (const std::string &other : {std::string(), secondId}) {
    auto writer =
        stageRowFile(dir.path, *makePart(kIds, second), second,
                     RowSelection::All, RowSelection::All, other, serialRows);
    EXPECT_OK((*writer)->finish());
    EXPECT_TRUE(failsWith(
        load(dir.path), Code::kDataLoss,
        "emb-00001-of-00002.safetensors' of " +
            (other.empty() ? "no checkpoint" : "checkpoint " + other)));
  }
  EXPECT_OK(saveTable(dir.path, *makePart(kIds, second), second));
  EXPECT_OK(load(dir.path));
  EXPECT_OK(load(dir.path, spec(), first));
  saveParts(dir.path, kIds, 1);
  std::filesystem::rename(tablePath(dir.path, "emb", 0, 1),
                          tablePath(dir.path, "emb", 0, 2));
  std::filesystem::copy(tablePath(dir.path, "emb", 0, 2),
                        tablePath(dir.path, "emb", 1, 2));
  EXPECT_TRUE(failsWith(load(dir.path), Code::kDataLoss,
                        "expected a file of 2 holders, found one of 1"));
}

TEST(TableFile, BaseAndDeltaHoldRowsByTheirClicks) {
  TemporaryDirectory base, delta;
  TableSpec wanted = spec();
  wanted.clicks.emplace();
  auto table = *Table::create(wanted, 1);
  std::vector<float> values(3 * 3);
  const std::vector<int64_t> ids = {1, 2, 3};
  EXPECT_OK(table->lookup(ids, /*create=*/true, bytesOf(values)));
  // Scores of 1.4, 2 and 3.
  std::vector<float> shows = {5, 11, 3}, clicks = {1, 1, 3};
  table->clicks().record(ids, shows, clicks);
  EXPECT_EQ(*table->clicks().count(RowSelection::All), 3);
  EXPECT_OK(saveTable(base.path, *table, {}, RowSelection::Base));
  EXPECT_EQ(*table->clicks().count(RowSelection::Delta), 0);

  // Row 1 is worth serving now, and was never saved as such; row 2 has changed
  // too little.
  shows = {1, 1, 3}, clicks = {0, 0, 0};
  table->clicks().record(ids, shows, clicks);
  *reinterpret_cast<float *>(table->find(3)) = 77;
  table->advance(4);
  EXPECT_OK(saveTable(delta.path, *table, {}, RowSelection::Delta));
  EXPECT_FLOAT_EQ(table->format().clicks(table->find(2))->deltaScore, 0.1f);
  EXPECT_EQ(table->format().clicks(table->find(3))->deltaScore, 0);

  auto idsIn = [](const TemporaryDirectory &dir) {
    auto file = *SafetensorsFile::open(tablePath(dir.path, "emb", 0, 1));
    const TensorType type = file->tensors().at("ids");
    std::vector<int64_t> found(size_t(type.rows()));
    EXPECT_OK(file->read("ids", {type, bytesOf(found)}));
    return found;
  };
  EXPECT_EQ(idsIn(base), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(idsIn(delta), (std::vector<int64_t>{1, 3}));

  const std::vector<std::string> both = {base.path, delta.path};
  auto loaded = *Table::create(wanted, 2);
  EXPECT_OK(loadTable(both, *loaded, {}));
  EXPECT_EQ(loaded->size(), 3);
  EXPECT_EQ(loaded->time(), 4);
  EXPECT_EQ(loaded->clicks().savedAt(), 4);
  EXPECT_EQ(*reinterpret_cast<float *>(loaded->find(3)), 77);
  EXPECT_EQ(loaded->format().clicks(loaded->find(3))->show, 6);
  EXPECT_EQ(loaded->format().clicks(loaded->find(2))->show, 11);
  // Nothing has changed since.
  EXPECT_EQ(*loaded->clicks().count(RowSelection::Delta), 0);

  EXPECT_TRUE(failsWith(load(delta.path, wanted), Code::kInvalidArgument,
                        "holds only rows of table '@emb' that changed"));
  // One holder of two saves what changed, the other all.
  TemporaryDirectory mixed;
  EXPECT_OK(saveTable(mixed.path, *loaded, {0, 2}));
  EXPECT_OK(saveTable(mixed.path, *loaded, {1, 2}, RowSelection::Delta));
  EXPECT_TRUE(failsWith(load(mixed.path, wanted), Code::kDataLoss,
                        "of which one holds only rows that changed"));
}

TEST(TableFile, NamesOfTablesLeadNowhereElse) {
  EXPECT_EQ(tablePath("dir", "../a\\b%\n", 0, 1),
            "dir/..%2Fa%5Cb%25%0A-00000-of-00001.safetensors");
  TemporaryDirectory dir;
  TableSpec named = spec();
  for (const char *name : {"a/b", "../x", "/", "%2F", "ä b"}) {
    named.name = name;
    auto table = *Table::create(named, 1);
    EXPECT_OK(saveTable(dir.path, *table, {}));
    EXPECT_TRUE(std::filesystem::exists(tablePath(dir.path, name, 0, 1)));
    EXPECT_OK(load(dir.path, named));
  }
  int64_t files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(dir.path))
    files += entry.is_regular_file();
  EXPECT_EQ(files, 5);
}

TEST(TableFile, AVariableOfTheNameGivesRows) {
  TemporaryDirectory dir;
  std::vector<float> values(20 * 3), moments(20 * 3);
  std::iota(values.begin(), values.end(), 1.0f);
  std::iota(moments.begin(), moments.end(), 100.0f);
  std::vector<NamedTensor> model = {
      {"emb", {{DType::F32, {20, 3}}, bytesOf(values)}}};
  EXPECT_OK(writeSafetensors(modelPath(dir.path), model));
  std::vector<NamedTensor> state = {
      {"moment", {{DType::F32, {20, 3}}, bytesOf(moments)}}};
  EXPECT_OK(writeSafetensors(slotPath(dir.path), state));
  for (int count : {1, 3}) {
    int64_t found = 0;
    for (int index = 0; index < count; ++index) {
      auto part = *Table::create(spec(), 1);
      EXPECT_OK(loadTable(dir.path, *part, {index, count}));
      found += part->size();
      for (int64_t id = 0; id < 20; ++id)
        if (std::byte *row = part->find(id)) {
          const auto *slots = row + part->layout().slots[0];
          EXPECT_EQ(reinterpret_cast<float *>(row)[2], values[id * 3 + 2]);
          EXPECT_EQ(*reinterpret_cast<const float *>(slots), moments[id * 3]);
          EXPECT_EQ(*reinterpret_cast<int64_t *>(row + part->layout().slots[1]),
                    7);
        }
    }
    EXPECT_EQ(found, 20);
  }
  EXPECT_TRUE(failsWith(load(dir.path, spec(/*width=*/4)),
                        Code::kInvalidArgument,
                        "table '@emb' needs rows of 4xf32, found a tensor of "
                        "20x3xf32"));
  EXPECT_TRUE(failsWith(load(dir.path, spec(3, 9)), Code::kResourceExhausted,
                        "table '@emb' is full"));
}

TEST(TableFile, TensorsWithoutUseAreNotRead) {
  TemporaryDirectory dir;
  saveParts(dir.path, kIds, 1);
  TableSpec bare = spec();
  bare.slots.clear();
  EXPECT_OK(load(dir.path, bare));
}

TEST(TableFile, KeepsStatistics) {
  TemporaryDirectory dir;
  TableSpec judged = spec();
  judged.eviction.maxAge = 5;
  judged.clicks.emplace();
  auto table = *Table::create(judged, 1);
  std::vector<float> values(6);
  table->advance(7);
  EXPECT_OK(table->lookup(std::vector<int64_t>{1, 2}, true, bytesOf(values)));
  table->clicks().record(std::vector<int64_t>{2}, std::vector<float>{100},
                         std::vector<float>{50});
  table->advance(3);
  EXPECT_OK(saveTable(dir.path, *table, {}));
  auto again = *Table::create(judged, 1);
  EXPECT_OK(loadTable(dir.path, *again, {}));
  EXPECT_EQ(again->time(), 10);
  EXPECT_EQ(again->format().clicks(again->find(2))->click, 50);
  EXPECT_EQ(again->format().clicks(again->find(1))->click, 0);
  again->advance(3);
  EXPECT_OK(again->lookup(std::vector<int64_t>{2}, true, bytesOf(values)));
  EXPECT_OK(again->shrink());
  EXPECT_EQ(again->counters().evictedByAge, 1);
  EXPECT_NE(again->find(2), nullptr);

  // A file without statistics: rows have been used just now.
  saveParts(dir.path, {1, 2}, 1);
  auto fresh = *Table::create(judged, 1);
  fresh->advance(100);
  EXPECT_OK(loadTable(dir.path, *fresh, {}));
  fresh->clicks().record(std::vector<int64_t>{1, 2}, std::vector<float>{9, 9},
                         std::vector<float>{9, 9});
  EXPECT_OK(fresh->shrink());
  EXPECT_EQ(fresh->size(), 2);
}

TEST(TableFile, MissingFilesAreNamed) {
  TemporaryDirectory dir;
  EXPECT_TRUE(failsWith(load(dir.path), Code::kNotFound,
                        "no files of table '@emb', such as "
                        "'emb-00000-of-00001.safetensors'"));
  EXPECT_TRUE(failsWith(load(dir / "none"), Code::kNotFound,
                        "none': cannot list the directory"));
  saveParts(dir.path, kIds, 3);
  std::filesystem::remove(tablePath(dir.path, "emb", 1, 3));
  EXPECT_TRUE(failsWith(load(dir.path), Code::kNotFound,
                        "emb-00001-of-00003.safetensors': cannot open"));
  // Other holders may have saved without the first.
  EXPECT_OK(saveTable(dir.path, *makePart(kIds, {1, 2}), {1, 2}));
  EXPECT_TRUE(failsWith(load(dir.path), Code::kInvalidArgument,
                        "files of table '@emb' of two checkpoints"));
}

TEST(TableFile, OtherTablesAreRefused) {
  TemporaryDirectory dir;
  saveParts(dir.path, kIds, 1);
  EXPECT_TRUE(failsWith(
      load(dir.path, spec(/*width=*/4)), Code::kInvalidArgument,
      "emb-00000-of-00001.safetensors': table '@emb' needs a tensor 'values' "
      "of 10x4xf32, found 10x3xf32"));
  TableSpec wide = spec();
  wide.dtype = DType::F64;
  EXPECT_TRUE(failsWith(load(dir.path, wide), Code::kInvalidArgument,
                        "'values' of 10x3xf64, found 10x3xf32"));
  TableSpec slots = spec();
  slots.slots[0].name = "velocity";
  EXPECT_TRUE(failsWith(load(dir.path, slots), Code::kInvalidArgument,
                        "needs a tensor 'velocity' of 10x3xf32, found none"));
  EXPECT_TRUE(failsWith(load(dir.path, spec(3, 9)), Code::kResourceExhausted,
                        "table '@emb' is full"));
}

TEST(TableFile, RepeatedIdsAreRefused) {
  TemporaryDirectory dir;
  writeFile(dir.path, {4, 7, 4});
  EXPECT_TRUE(failsWith(load(dir.path), Code::kAlreadyExists,
                        "emb-00000-of-00001.safetensors': table '@emb': two "
                        "rows of id 4 are given"));
  std::vector<int64_t> far(20000);
  std::iota(far.begin(), far.end(), 0);
  far.back() = 5;
  writeFile(dir.path, far);
  EXPECT_TRUE(failsWith(load(dir.path), Code::kAlreadyExists,
                        "two rows of id 5 are given"));
  // An order that we do not write is fine.
  writeFile(dir.path, {4, 7, -2});
  EXPECT_OK(load(dir.path));
}

TEST(TableFile, AListOfDroppedRowsIsNoLongerThanTheFile) {
  TemporaryDirectory dir;
  const std::string path = tablePath(dir.path, "emb", 0, 1);
  const NamedTensor endless = {"dropped_ids",
                               {{DType::I64, {int64_t{1} << 34, 0}}, nullptr}};
  EXPECT_OK(writeSafetensors(path, {&endless, 1}, {}));
  EXPECT_TRUE(failsWith(readDropped(**SafetensorsFile::open(path)).status(),
                        Code::kDataLoss,
                        "expected 'dropped_ids' to be a list of i64, found "));
}

TEST(TableFile, RowsOfOtherHoldersAreRefused) {
  TemporaryDirectory dir;
  const TableShard second{1, 2};
  EXPECT_OK(saveTable(dir.path, *makePart(kIds, second), {0, 2}));
  EXPECT_OK(saveTable(dir.path, *makePart(kIds, second), {1, 2}));
  EXPECT_TRUE(failsWith(load(dir.path, spec(), {0, 2}), Code::kDataLoss,
                        "expected ids of holder 0 of 2, found"));
}

TEST(TableFile, BrokenFilesAreRefused) {
  TemporaryDirectory dir;
  const std::string path = tablePath(dir.path, "emb", 0, 1);
  saveParts(dir.path, kIds, 1);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_TRUE(failsWith(load(dir.path), Code::kDataLoss, path));
  std::ofstream(path) << "garbage, and more than eight bytes of it";
  EXPECT_TRUE(failsWith(load(dir.path), Code::kDataLoss,
                        "not a safetensors file, or cut short"));
  for (const char *column : {"values", "moment"}) {
    writeFile(dir.path, {1, 2}, column);
    EXPECT_TRUE(failsWith(load(dir.path), Code::kInvalidArgument,
                          std::string("needs a tensor '") + column));
  }
  writeFile(dir.path, {1, 2}, "", "soon");
  EXPECT_TRUE(
      failsWith(load(dir.path), Code::kDataLoss,
                "expected a number as 'time' in the metadata, found 'soon'"));
  writeFile(dir.path, {1, 2}, "ids");
  EXPECT_TRUE(failsWith(load(dir.path), Code::kInvalidArgument,
                        "expected a tensor 'ids' of i64 numbers, found none "
                        "(not a file of a table)"));
}
