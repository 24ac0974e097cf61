// SPDX-License-Identifier: Apache-2.0
//===- StagedCheckpointTest.cpp - files of a checkpoint -------------------===//

#include "runtime/checkpoint/StagedCheckpoint.h"
#include "runtime/checkpoint/CheckpointSeries.h"
#include "runtime/checkpoint/SlotFiles.h"
#include "runtime/checkpoint/TrainingState.h"
#include "runtime/checkpoint/VerifyCheckpoint.h"
#include "test/unit/checkpoint/CheckpointTesting.h"
#include "test/unit/table/TableTesting.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ps::runtime;
using Code = absl::StatusCode;

/// The error of every lock; 0: locks work.
static int lockError = 0;
/// Whether only what is open for writing can be locked, as on NFS.
static bool locksNeedWriting = false;

/// In the place of the C library's.
extern "C" int flock(int descriptor, int operation) noexcept {
  if (locksNeedWriting &&
      (::fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDONLY) {
    errno = EBADF;
    return -1;
  }
  if (lockError == 0)
    return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
  errno = lockError;
  return -1;
}

/// After how many renames the process dies; -1: after none.
static int renamesLeft = -1;

/// In the place of the C library's.
extern "C" int rename(const char *from, const char *to) noexcept {
  const int result = static_cast<int>(
      ::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
  if (--renamesLeft == 0)
    ::_exit(9);
  return result;
}

namespace {
std::set<std::string> filesOf(const std::string &dir) {
  std::set<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(dir))
    names.insert(entry.path().filename().string());
  return names;
}

/// A slot "w.m" of 1 column, of rows `first`, .. of a variable.
VariableSpec slot(int64_t first, int64_t rows) {
  return {"w.m." + std::to_string(first),
          {DType::F32, {rows, 1}},
          {},
          "w.m",
          first,
          "w"};
}

/// Its number of steps, which each slice has.
VariableSpec step(int64_t of) {
  return {
      "w.step." + std::to_string(of), {DType::F32, {}}, {}, "w.step", 0, "w"};
}

/// Rows are their numbers, the number of steps is 7.
std::unique_ptr<Store> makeStore(std::vector<VariableSpec> specs, bool fill) {
  auto store = *Store::create(std::move(specs), 0);
  for (size_t i = 0; fill && i != store->variables().size(); ++i)
    for (int64_t row = 0; row != store->tensor(i).type.numElements(); ++row)
      store->tensor(i).as<float>()[row] =
          store->variables()[i].origin == "w.step"
              ? 7
              : float(store->variables()[i].rowOffset + row);
  return store;
}

absl::Status savePart(const std::string &dir, int index, int count,
                      std::vector<VariableSpec> specs,
                      const std::string &checkpointId = firstId) {
  StagedCheckpoint staged;
  auto store = makeStore(std::move(specs), true);
  if (absl::Status s =
          staged.add(slotPartPath(dir, index, count), slotParts(*store));
      !s.ok())
    return s;
  return staged.publish(checkpointId);
}

absl::StatusOr<SlotFiles> openSlots(const std::string &dir) {
  absl::StatusOr<CheckpointFolder> folder = CheckpointFolder::open(dir);
  return folder.ok() ? SlotFiles::open(*folder) : folder.status();
}

void writeState(const std::string &dir, const std::string &checkpointId,
                std::vector<std::string> optimizerFiles = {}) {
  std::ofstream(trainingStatePath(dir)) << formatTrainingState(
      {checkpointId, std::move(optimizerFiles), 0, 0, {}});
}

/// A tensor "w" of two numbers.
class TwoNumbers {
public:
  operator std::span<const NamedTensor>() const { return {&tensor, 1}; }
  std::vector<float> values = {1, 2};

private:
  NamedTensor tensor{
      "w", {{DType::F32, {2}}, reinterpret_cast<std::byte *>(values.data())}};
};

absl::Status saveModel(const std::string &dir,
                       const std::string &checkpointId) {
  StagedCheckpoint staged;
  absl::Status status = staged.add(modelPath(dir), TwoNumbers());
  return status.ok() ? staged.publish(checkpointId) : status;
}

/// A table with a click accessor and row 3, which has changed and is worth
/// serving.
std::unique_ptr<Table> makeClickedTable() {
  TableSpec spec = adagradTable(2, 100);
  spec.clicks.emplace();
  auto table = *Table::create(std::move(spec), 1);
  std::vector<float> values(2);
  const std::vector<int64_t> ids = {3};
  EXPECT_OK(table->lookup(ids, /*create=*/true, bytesOf(values)));
  table->clicks().record(ids, std::vector<float>{5}, std::vector<float>{5});
  EXPECT_EQ(*table->clicks().count(RowSelection::Delta), 1);
  return table;
}
} // namespace

/// Saves a model, slots and training.json as a local run does, in a process
/// that dies after `renames` of the three files.
static void saveAndDie(const std::string &dir, const std::string &checkpointId,
                       float value, int renames) {
  if (pid_t child = ::fork()) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), renames > 3 ? 0 : 9);
    return;
  }
  StagedCheckpoint staged;
  TwoNumbers numbers;
  numbers.values[0] = value;
  absl::Status status = staged.add(slotPath(dir), numbers);
  status.Update(staged.add(modelPath(dir), numbers));
  status.Update(staged.seal(checkpointId));
  TrainingState reached{checkpointId, {slotPath("")}, 0, 0, {}};
  for (const SealedFile &file : staged.sealedFiles())
    reached.files[std::filesystem::path(file.path).filename()] = file.checksum;
  auto state = *StagedFile::create(trainingStatePath(dir));
  const std::string text = formatTrainingState(reached);
  status.Update(state->write(text.data(), text.size(), 0));
  status.Update(state->flush());
  renamesLeft = renames;
  status.Update(staged.publish(checkpointId));
  status.Update(state->publish());
  ::_exit(status.ok() ? 0 : 1);
}

/// The value that saveAndDie() saved in the files that are there.
static float loadValue(const std::string &dir) {
  absl::StatusOr<CheckpointFolder> folder = CheckpointFolder::open(dir);
  EXPECT_OK(folder.status());
  EXPECT_OK(folder->model().status());
  auto slots = SafetensorsFile::open(slotPath(dir));
  EXPECT_OK(slots.status());
  EXPECT_OK(folder->check(**slots));
  EXPECT_OK(verifyCheckpoint(dir));
  std::vector<float> values(2);
  const TensorType type{DType::F32, {2}};
  EXPECT_OK(
      (*folder->model())
          ->read("w", {type, reinterpret_cast<std::byte *>(values.data())}));
  return values[0];
}

TEST(StagedCheckpoint, AReaderCompletesWhatASaveDiedIn) {
  for (int renames = 1; renames <= 4; ++renames) {
    TemporaryDirectory dir;
    saveAndDie(dir.path, firstId, 1, 4);
    saveAndDie(dir.path, secondId, 2, renames);
    EXPECT_EQ(loadValue(dir.path), 2) << renames;
    EXPECT_EQ(filesOf(dir.path).size(), 3u) << renames;
  }
}

TEST(StagedCheckpoint, AReaderCompletesWhatASaveDiedInOnNfs) {
  TemporaryDirectory dir;
  saveAndDie(dir.path, firstId, 1, 4);
  saveAndDie(dir.path, secondId, 2, 1);
  locksNeedWriting = true;
  EXPECT_EQ(loadValue(dir.path), 2);
  locksNeedWriting = false;
  EXPECT_EQ(filesOf(dir.path).size(), 3u);
}

/// As with the best model of a run, while it trains.
TEST(StagedCheckpoint, AReaderSeesOneCheckpointWhileOthersAreSaved) {
  TemporaryDirectory dir;
  saveAndDie(dir.path, firstId, 1, 4);
  const pid_t child = ::fork();
  if (child == 0) {
    for (int i = 100; i < 200; ++i)
      saveAndDie(dir.path, firstId.substr(3) + std::to_string(i), float(i), 4);
    ::_exit(HasFailure());
  }
  int status = 0;
  do
    EXPECT_OK(verifyCheckpoint(dir.path));
  while (::waitpid(child, &status, WNOHANG) == 0);
  EXPECT_EQ(status, 0);
}

/// A run has locked the folder for its checkpoints.
TEST(StagedCheckpoint, AReaderDoesNotWaitForTheOwnerOfTheFolder) {
  TemporaryDirectory dir;
  saveAndDie(dir.path, firstId, 1, 4);
  saveAndDie(dir.path, secondId, 2, 1);
  auto locked = CheckpointSeries(dir.path).lock();
  ASSERT_OK(locked.status());
  EXPECT_EQ(loadValue(dir.path), 2);
}

TEST(StagedCheckpoint, AWriterCompletesWhatASaveDiedIn) {
  TemporaryDirectory dir;
  saveAndDie(dir.path, firstId, 1, 4);
  saveAndDie(dir.path, secondId, 2, 1);
  EXPECT_OK(checkWritable(dir.path));
  EXPECT_EQ(filesOf(dir.path).size(), 3u);
  EXPECT_EQ(loadValue(dir.path), 2);
}

/// Before a file has its final name, the old checkpoint is whole.
TEST(StagedCheckpoint, ASaveThatDiesBeforeItPublishesIsDropped) {
  TemporaryDirectory dir;
  saveAndDie(dir.path, firstId, 1, 4);
  const std::string staged = modelPath(dir.path) + ".tmp0123456789abcdef";
  EXPECT_OK(
      writeSafetensors(staged, TwoNumbers(), {{kCheckpointId, secondId}}));
  EXPECT_EQ(loadValue(dir.path), 1);
  EXPECT_EQ(filesOf(dir.path).size(), 4u);
  EXPECT_OK(checkWritable(dir.path));
  EXPECT_EQ(filesOf(dir.path).size(), 3u);
}

TEST(StagedFile, IsSeenWhenItIsPublished) {
  TemporaryDirectory dir;
  auto file = *StagedFile::create(dir / "f");
  EXPECT_OK(file->write("abc", 3, 0));
  EXPECT_FALSE(std::filesystem::exists(dir / "f"));
  EXPECT_OK(file->publish());
  EXPECT_EQ(filesOf(dir.path), (std::set<std::string>{"f"}));
  // One that is not published goes.
  { auto other = *StagedFile::create(dir / "g"); }
  EXPECT_EQ(filesOf(dir.path), (std::set<std::string>{"f"}));
}

TEST(StagedFile, ThoseOfTheDeadAreRemoved) {
  TemporaryDirectory dir;
  auto living = *StagedFile::create(dir / "f");
  std::ofstream(dir / "f.tmp0123456789abcdef") << "x";
  std::ofstream(dir / "f.tmp0123456789abcdeg") << "x";
  std::ofstream(dir / "precious") << "x";
  std::filesystem::create_symlink(dir / "precious",
                                  dir / "g.tmp0123456789abcdef");
  removeAbandoned(dir.path);
  auto left = filesOf(dir.path);
  EXPECT_EQ(left.size(), 4u);
  EXPECT_FALSE(left.contains("f.tmp0123456789abcdef"));
  EXPECT_OK(living->publish());
}

TEST(StagedFile, IsWrittenWithoutALockWhereThereAreNone) {
  TemporaryDirectory dir;
  for (int error : {ENOLCK, EOPNOTSUPP, ENOSYS}) {
    lockError = error;
    auto file = StagedFile::create(dir / "f");
    lockError = 0;
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_OK((*file)->publish());
  }
}

TEST(StagedFile, OtherErrorsOfLocksAreReported) {
  TemporaryDirectory dir;
  lockError = EIO;
  const absl::Status status = StagedFile::create(dir / "f").status();
  lockError = EWOULDBLOCK;
  const absl::Status busy = StagedFile::create(dir / "f").status();
  lockError = 0;
  EXPECT_TRUE(failsWith(status, absl::ErrnoToStatusCode(EIO),
                        "f': cannot lock: Input/output error"));
  EXPECT_TRUE(failsWith(busy, Code::kAlreadyExists, "cannot create"));
  EXPECT_EQ(filesOf(dir.path), std::set<std::string>());
}

TEST(StagedCheckpoint, NothingIsReplacedUntilItIsPublished) {
  TemporaryDirectory dir;
  const std::string model = modelPath(dir.path);
  std::ofstream(model) << "old";
  std::ofstream(dir / "stale") << "x";
  TwoNumbers tensors;
  {
    StagedCheckpoint staged;
    EXPECT_OK(staged.add(model, tensors));
    staged.remove(dir / "stale");
  }
  EXPECT_EQ(filesOf(dir.path),
            (std::set<std::string>{"model.safetensors", "stale"}));
  EXPECT_FALSE(SafetensorsFile::open(model).ok());
  StagedCheckpoint staged, equal, other;
  EXPECT_OK(staged.add(model, tensors));
  EXPECT_OK(equal.add(model, tensors));
  tensors.values[1] = 3;
  EXPECT_OK(other.add(model, tensors));
  const absl::StatusOr<std::string> digest = staged.flush();
  ASSERT_TRUE(digest.ok()) << digest.status();
  EXPECT_EQ(*equal.flush(), *digest);
  EXPECT_NE(*other.flush(), *digest);
  staged.remove(dir / "stale");
  EXPECT_OK(staged.publish(*digest));
  auto file = SafetensorsFile::open(model);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->metadata().at(kCheckpointId), *digest);
  EXPECT_FALSE(std::filesystem::exists(dir / "stale"));
}

TEST(StagedCheckpoint, ChangesOfRowsCountUntilItIsPublished) {
  TemporaryDirectory dir;
  auto table = makeClickedTable();
  table->advance(4);
  {
    StagedCheckpoint lost;
    EXPECT_OK(lost.addTable(dir.path, *table, {}, RowSelection::Delta));
  }
  {
    StagedCheckpoint failed;
    EXPECT_OK(failed.addTable(dir.path, *table, {}, RowSelection::Delta));
    failed.remove(dir.path); // It is not empty.
    EXPECT_FALSE(failed.publish(firstId).ok());
  }
  EXPECT_EQ(*table->clicks().count(RowSelection::Delta), 1);
  EXPECT_EQ(table->clicks().savedAt(), 0);

  // What is saved as changed is saved as unchanged beside all rows, and has
  // changed since it was staged.
  TemporaryDirectory all;
  StagedCheckpoint staged;
  EXPECT_OK(staged.addTable(dir.path, *table, {}, RowSelection::Delta));
  EXPECT_OK(staged.addTable(all.path, *table, {}, RowSelection::All));
  EXPECT_EQ(*table->clicks().count(RowSelection::Delta), 1);
  table->advance();
  EXPECT_OK(staged.publish(firstId));
  EXPECT_EQ(*table->clicks().count(RowSelection::Delta), 0);
  EXPECT_EQ(table->clicks().savedAt(), 4);
  auto loaded = *Table::create(table->spec(), 1);
  EXPECT_OK(loadTable(all.path, *loaded, {}));
  EXPECT_EQ(loaded->size(), 1);
  EXPECT_EQ(loaded->format().clicks(loaded->find(3))->deltaScore, 0);
  EXPECT_EQ(loaded->format().clicks(loaded->find(3))->show, 5);
  EXPECT_EQ(loaded->clicks().savedAt(), 4);
}

TEST(SlotFiles, AnyNumberReadsWhatAnyOtherWrote) {
  TemporaryDirectory dir;
  EXPECT_OK(savePart(dir.path, 0, 2, {slot(0, 3), step(0), slot(5, 2)}));
  EXPECT_OK(savePart(dir.path, 1, 2, {slot(3, 2), step(1)}));
  auto files = openSlots(dir.path);
  ASSERT_TRUE(files.ok()) << files.status();
  for (auto [first, rows] : {std::pair(0, 7), {2, 4}, {4, 1}, {6, 1}}) {
    auto store = makeStore({slot(first, rows), step(0)}, false);
    EXPECT_OK(files->read(*store));
    for (int64_t row = 0; row != rows; ++row)
      EXPECT_EQ(store->tensor(0).as<float>()[row], first + row);
    EXPECT_EQ(*store->tensor(1).as<float>(), 7);
  }
  EXPECT_TRUE(failsWith(files->read(*makeStore({slot(5, 3)}, false)),
                        Code::kDataLoss, "found none of row 7"));
  VariableSpec wide = slot(0, 3);
  wide.type.shape = {3, 2};
  EXPECT_TRUE(failsWith(files->read(*makeStore({wide}, false)),
                        Code::kInvalidArgument, "expected"));
}

TEST(SlotFiles, ThoseOfTwoCheckpointsAreRefused) {
  TemporaryDirectory dir;
  EXPECT_OK(savePart(dir.path, 0, 2, {slot(0, 3)}));
  EXPECT_OK(savePart(dir.path, 1, 2, {slot(3, 2)}, secondId));
  EXPECT_TRUE(failsWith(openSlots(dir.path).status(), Code::kDataLoss,
                        "files of two checkpoints"));
  writeState(dir.path, firstId, {slotPath("")});
  EXPECT_TRUE(failsWith(openSlots(dir.path).status(), Code::kDataLoss,
                        "optimizer.safetensors' is missing"));
}

TEST(SlotFiles, OnlyThoseOfTheCheckpointAreOpened) {
  TemporaryDirectory dir;
  EXPECT_OK(savePart(dir.path, 0, 1, {slot(0, 3)}));
  EXPECT_OK(savePart(dir.path, 1, 2, {slot(3, 2)}, secondId));
  std::ofstream(slotPath(dir.path)) << "garbage";
  writeState(dir.path, firstId, {slotPartPath("", 0, 1)});
  auto files = openSlots(dir.path);
  ASSERT_TRUE(files.ok()) << files.status();
  auto store = makeStore({slot(0, 3)}, false);
  EXPECT_OK(files->read(*store));
  EXPECT_EQ(store->tensor(0).as<float>()[2], 2);
}

TEST(SlotFiles, RowsOutOfRangeAreRefused) {
  TemporaryDirectory dir;
  for (const char *first :
       {"9223372036854775807", "9223372036854775806", "-1"}) {
    std::vector<float> values(3);
    const std::vector<NamedTensor> tensors = {
        {std::string("w.m:") + first, {{DType::F32, {3, 1}}, bytesOf(values)}}};
    EXPECT_OK(writeSafetensors(slotPartPath(dir.path, 0, 1), tensors));
    EXPECT_TRUE(failsWith(openSlots(dir.path).status(), Code::kDataLoss,
                          std::string("tensor 'w.m:") + first +
                              "' of 3 rows: expected the number of its first "
                              "row"));
  }
}

TEST(SlotFiles, RowsOfTablesAreNotMadeInMemory) {
  for (IdPartition partition : {IdPartition::Mix, IdPartition::Modulo})
    for (int count : {1, 3}) {
      TemporaryDirectory dir;
      TableSpec spec = adagradTable(1, 50000);
      spec.isVariable = true;
      for (int index = 0; index != count; ++index) {
        const TableShard shard{index, count, partition};
        auto table = *Table::create(spec, 1);
        for (int64_t id = 0; id < spec.maxRows; id += 7)
          if (shardOf(id, count, partition) == index) {
            std::byte *row;
            EXPECT_OK(table->insert(std::span(&id, 1), std::span(&row, 1)));
            std::memset(row, 0, table->layout().bytes);
            *reinterpret_cast<float *>(row + table->layout().slots[0]) =
                float(id);
          }
        std::vector<NamedTensor> tensors;
        addRowSlots(*table, shard, tensors);
        ASSERT_EQ(tensors.size(), 2u);
        for (const NamedTensor &tensor : tensors)
          EXPECT_TRUE(tensor.fill && !tensor.tensor.data) << tensor.name;
        StagedCheckpoint staged;
        EXPECT_OK(staged.add(slotPartPath(dir.path, index, count), tensors));
        EXPECT_OK(staged.publish(firstId));
      }
      auto whole = *Table::create(spec, 2);
      std::vector<int64_t> ids(size_t(spec.maxRows));
      std::iota(ids.begin(), ids.end(), 0);
      std::vector<std::byte *> rows(ids.size());
      EXPECT_OK(whole->insert(ids, rows));
      auto files = openSlots(dir.path);
      ASSERT_TRUE(files.ok()) << files.status();
      EXPECT_OK(files->readRows(*whole));
      for (int64_t id : ids)
        ASSERT_EQ(*reinterpret_cast<float *>(rows[size_t(id)] +
                                             whole->layout().slots[0]),
                  id % 7 == 0 ? float(id) : 0.5f)
            << id;
    }
}

TEST(CheckpointFolder, FilesOfTwoCheckpointsAreRefused) {
  TemporaryDirectory dir;
  auto table = makeClickedTable();
  auto again = *Table::create(table->spec(), 1);
  const std::string model = modelPath(dir.path),
                    rows = tablePath(dir.path, "emb", 0, 1),
                    state = trainingStatePath(dir.path);
  auto refused = [&](const std::string &first, const std::string &second) {
    const std::string message = "files of two checkpoints: '" + first +
                                "' of checkpoint " + firstId + " and '" +
                                second + "' of checkpoint " + secondId;
    return failsWith(loadTable(dir.path, *again, {}), Code::kDataLoss, message);
  };
  EXPECT_OK(saveModel(dir.path, firstId));
  EXPECT_OK(saveTable(dir.path, *table, {}, RowSelection::All, secondId));
  EXPECT_TRUE(refused(model, rows));
  writeState(dir.path, firstId);
  EXPECT_TRUE(refused(state, rows));
  EXPECT_OK(saveTable(dir.path, *table, {}, RowSelection::All, firstId));
  EXPECT_OK(saveModel(dir.path, secondId));
  EXPECT_TRUE(refused(state, model));

  // A model that another program has written belongs to no checkpoint; rows
  // that have lost theirs are not the ones that were saved.
  EXPECT_OK(writeSafetensors(model, TwoNumbers()));
  EXPECT_OK(loadTable(dir.path, *again, {}));
  std::filesystem::remove(state);
  again = *Table::create(table->spec(), 1);
  EXPECT_OK(loadTable(dir.path, *again, {}));
  writeState(dir.path, secondId);
  EXPECT_TRUE(failsWith(loadTable(dir.path, *again, {}), Code::kDataLoss,
                        "files of two checkpoints"));
}

TEST(CheckpointFolder, EachFolderHasItsOwnCheckpoint) {
  TemporaryDirectory base, delta;
  auto table = makeClickedTable();
  EXPECT_OK(saveTable(base.path, *table, {}, RowSelection::Base, firstId));
  writeState(base.path, firstId);
  table->clicks().record(std::vector<int64_t>{3}, std::vector<float>{2},
                         std::vector<float>{2});
  table->advance(1);
  EXPECT_OK(saveTable(delta.path, *table, {}, RowSelection::Delta, secondId));
  writeState(delta.path, secondId);
  auto again = *Table::create(table->spec(), 1);
  EXPECT_OK(loadTable(std::vector{base.path, delta.path}, *again, {}));
  EXPECT_EQ(again->format().clicks(again->find(3))->show, 7);
  writeState(base.path, secondId);
  again = *Table::create(table->spec(), 1);
  EXPECT_TRUE(
      failsWith(loadTable(std::vector{base.path, delta.path}, *again, {}),
                Code::kDataLoss, "files of two checkpoints: '" + base.path));
}

TEST(TrainingState, RoundTripsAndIsChecked) {
  TemporaryDirectory dir;
  auto write = [&](const std::string &text) {
    std::ofstream(trainingStatePath(dir.path)) << text;
    return readTrainingState(dir.path);
  };
  EXPECT_FALSE(readTrainingState(dir.path)->has_value());
  TrainingState state{
      "id", {slotPath(""), slotPartPath("", 2, 3)}, 3, 5, {{"data", "\xff\""}}};
  auto read = write(formatTrainingState(state));
  ASSERT_TRUE(read.ok() && *read) << read.status();
  EXPECT_EQ((*read)->epoch, 3);
  EXPECT_EQ((*read)->step, 5);
  EXPECT_EQ((*read)->checkpointId, "id");
  EXPECT_EQ((*read)->optimizerFiles, state.optimizerFiles);
  const std::string rest =
      R"("data": {}, "optimizer_files": [], "checkpoint_id": "")";
  EXPECT_TRUE(write(R"({"epoch": 1, "step": 2, )" + rest + "}").ok());
  for (const std::string &text :
       {std::string(), std::string("[]"), std::string("{"),
        std::string(1000000, '['), std::string(2000000, ' '),
        R"({"epoch": -1, "step": 2, )" + rest + "}",
        R"({"epoch": 1e3, "step": 2, )" + rest + "}",
        R"({"epoch": 99999999999, "step": 2, )" + rest + "}",
        R"({"epoch": 1, )" + rest + "}",
        std::string(R"({"epoch": 1, "step": 2, "data": {"a": 1},
                        "optimizer_files": [], "checkpoint_id": ""})"),
        std::string(R"({"epoch": 1, "step": 2, "data": {},
                        "optimizer_files": [1], "checkpoint_id": ""})")})
    EXPECT_TRUE(failsWith(write(text).status(), Code::kDataLoss,
                          "training.json': expected"))
        << text.substr(0, 100);
  const std::string longName(1000, 'x');
  for (const std::string &name :
       {std::string("../optimizer.safetensors"), std::string("x"),
        std::string("model.safetensors"), std::string(),
        std::string("optimizer.00001-of-00001.safetensors"),
        std::string("optimizer.0-of-1.safetensors"),
        std::string("optimizer.00000-of-00001.safetensors/x"), longName})
    EXPECT_TRUE(failsWith(
        write(formatTrainingState({"", {name}, 1, 2, {}})).status(),
        Code::kDataLoss,
        "training.json': expected names such as "
        "'optimizer.00000-of-00001.safetensors' in 'optimizer_files', found '" +
            name.substr(0, 80)));
}
