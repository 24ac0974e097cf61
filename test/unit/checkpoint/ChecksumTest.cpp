// SPDX-License-Identifier: Apache-2.0
//===- ChecksumTest.cpp - damage of a checkpoint's files ------------------===//

#include "runtime/checkpoint/Checksum.h"
#include "runtime/checkpoint/SlotFiles.h"
#include "runtime/checkpoint/TrainingState.h"
#include "runtime/checkpoint/VerifyCheckpoint.h"
#include "test/unit/checkpoint/CheckpointTesting.h"
#include "test/unit/table/TableTesting.h"
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace ps::runtime;
using Code = absl::StatusCode;

namespace {
std::string readText(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}
void writeText(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

std::string nameOf(const std::string &path) {
  return std::filesystem::path(path).filename().string();
}

/// A checkpoint with a file of each kind, as a local run saves it: a model,
/// slots and two rows of a table.
class Saved {
public:
  explicit Saved(const std::string &id = firstId, bool listed = true)
      : table(*Table::create(adagradTable(2, 100), 1)) {
    std::vector<float> values(4);
    EXPECT_OK(table->lookup(std::vector<int64_t>{3, 7}, /*create=*/true,
                            bytesOf(values)));
    StagedCheckpoint staged;
    std::vector<float> w = {1, 2}, momentum = {3, 4};
    EXPECT_OK(staged.addTable(dir.path, *table, {}, RowSelection::All));
    EXPECT_OK(staged.add(slotPath(dir.path),
                         std::vector<NamedTensor>{
                             {"w.m", {{DType::F32, {2}}, bytesOf(momentum)}}}));
    EXPECT_OK(staged.add(
        modelPath(dir.path),
        std::vector<NamedTensor>{{"w", {{DType::F32, {2}}, bytesOf(w)}}}));
    EXPECT_OK(staged.seal(id));
    TrainingState state{id, {slotPath("")}, 1, 2, {{"batch", "6"}}};
    for (const SealedFile &file : staged.sealedFiles())
      state.files[nameOf(file.path)] = file.checksum;
    EXPECT_OK(staged.publish(id));
    if (!listed)
      state.files.clear();
    writeText(trainingStatePath(dir.path), formatTrainingState(state));
  }

  std::string path(const std::string &name) const { return dir / name; }
  /// Reads everything, as a process of a job does.
  absl::Status load() const {
    auto folder = CheckpointFolder::open(dir.path);
    if (!folder.ok())
      return folder.status();
    if (!folder->model().ok())
      return folder->model().status();
    if (absl::Status status = folder->verify(**folder->model()); !status.ok())
      return status;
    if (absl::Status status = SlotFiles::open(*folder).status(); !status.ok())
      return status;
    auto loaded = *Table::create(table->spec(), 1);
    return loadTable(std::span(&*folder, 1), *loaded, {});
  }

  TemporaryDirectory dir;
  std::unique_ptr<Table> table;
};

const std::string files[] = {"model.safetensors", "optimizer.safetensors",
                             "emb-00000-of-00001.safetensors"};
} // namespace

TEST(Checksum, IsXxh3OfAllBytes) {
  // As the XXH3 project publishes it.
  EXPECT_EQ(formatXxh3(computeXxh3("")), "2d06800538d394c2");
  TemporaryDirectory dir;
  for (size_t bytes : {0, 1, 1000, (1 << 18) - 1, 1 << 18, (1 << 18) + 1}) {
    std::string text(bytes, 'x');
    for (size_t i = 0; i < bytes; i += 97)
      text[i] = char(i);
    writeText(dir / "f", text);
    auto file = *StagedFile::create(dir / "g");
    EXPECT_OK(file->write(text.data(), text.size(), 0));
    absl::StatusOr<FileChecksum> checksum = file->checksum();
    ASSERT_TRUE(checksum.ok()) << checksum.status();
    EXPECT_EQ(*checksum, (FileChecksum{bytes, computeXxh3(text)}));
    EXPECT_OK(verifyFile(dir / "f", *checksum));
  }
}

TEST(Checksum, IsReadAsItIsWritten) {
  for (uint64_t value : {uint64_t{0}, uint64_t{0xabcdef}, ~uint64_t{0}})
    EXPECT_EQ(parseXxh3(formatXxh3(value)), value);
  for (const char *text :
       {"", "0", "00000000000000000", "000000000000000g", "ABCDEF0000000000",
        "0x00000000000000", "+000000000000000", "-000000000000001"})
    EXPECT_EQ(parseXxh3(text), std::nullopt) << text;
}

TEST(Checksum, FilesThatAreNoneAreReported) {
  TemporaryDirectory dir;
  EXPECT_TRUE(failsWith(verifyFile(dir / "f", {}), Code::kDataLoss,
                        "f' is missing: '" + dir.path + "' was saved with it"));
  EXPECT_TRUE(failsWith(verifyFile(dir.path, {}), Code::kDataLoss,
                        "expected a regular file"));
}

TEST(Damage, WhatIsSavedIsLoaded) {
  const Saved saved;
  EXPECT_OK(saved.load());
  EXPECT_OK(verifyCheckpoint(saved.dir.path));
  // Equal contents, equal bytes.
  const Saved again;
  for (const std::string &name : files)
    EXPECT_EQ(readText(saved.path(name)), readText(again.path(name)));
  EXPECT_EQ(readText(trainingStatePath(saved.dir.path)),
            readText(trainingStatePath(again.dir.path)));
}

TEST(Damage, EachFlippedBitIsFound) {
  const Saved saved;
  for (const std::string &name : files) {
    const std::string whole = readText(saved.path(name));
    for (size_t i = 0; i != whole.size(); ++i) {
      std::string text = whole;
      text[i] = char(text[i] ^ (1 << (i % 8)));
      writeText(saved.path(name), text);
      ASSERT_EQ(saved.load().code(), Code::kDataLoss) << name << " " << i;
      ASSERT_TRUE(failsWith(verifyCheckpoint(saved.dir.path), Code::kDataLoss,
                            name + "' is damaged: expected the checksum "));
    }
    writeText(saved.path(name), whole);
  }
  EXPECT_OK(saved.load());
}

TEST(Damage, FlippedBitsOfTheListAreFound) {
  const Saved saved;
  const std::string path = trainingStatePath(saved.dir.path),
                    whole = readText(path);
  for (size_t i = 0; i != whole.size(); ++i)
    for (int bit = 0; bit != 8; ++bit) {
      std::string text = whole;
      text[i] = char(text[i] ^ (1 << bit));
      writeText(path, text);
      auto state = readTrainingState(saved.dir.path);
      // The layout may change.
      if (state.ok())
        ASSERT_EQ(formatTrainingState(**state), whole) << i << " " << bit;
      else
        ASSERT_EQ(state.status().code(), Code::kDataLoss) << i << " " << bit;
    }
  writeText(path, whole.substr(0, whole.size() / 2));
  EXPECT_EQ(saved.load().code(), Code::kDataLoss);
}

TEST(Damage, CutAndMissingFilesAreFound) {
  const Saved saved;
  for (const std::string &name : files) {
    const std::string whole = readText(saved.path(name));
    for (size_t bytes : {size_t{0}, size_t{7}, whole.size() / 2,
                         whole.size() - 1, whole.size() + 1}) {
      writeText(saved.path(name), (whole + "x").substr(0, bytes));
      const std::string message =
          name + "' is damaged: expected " + std::to_string(whole.size()) +
          " bytes as 'training.json' lists it, found " + std::to_string(bytes);
      EXPECT_TRUE(failsWith(saved.load(), Code::kDataLoss, message));
      EXPECT_TRUE(failsWith(verifyCheckpoint(saved.dir.path), Code::kDataLoss,
                            message));
    }
    std::filesystem::remove(saved.path(name));
    EXPECT_FALSE(saved.load().ok());
    EXPECT_TRUE(failsWith(verifyCheckpoint(saved.dir.path), Code::kDataLoss,
                          name + "' is missing"));
    writeText(saved.path(name), whole);
  }
}

TEST(Damage, FilesOfOthersAreRefused) {
  const Saved saved, other(secondId);
  for (const std::string &name : files) {
    const std::string whole = readText(saved.path(name));
    writeText(saved.path(name), readText(other.path(name)));
    EXPECT_TRUE(failsWith(saved.load(), Code::kDataLoss,
                          "files of two checkpoints: '"));
    EXPECT_TRUE(failsWith(verifyCheckpoint(saved.dir.path), Code::kDataLoss,
                          name + "' is damaged: expected the checksum "));
    writeText(saved.path(name), whole);
  }
  // One with the checkpoint's id that is not of it.
  EXPECT_OK(saveTable(saved.dir.path, *saved.table, {.index = 1, .count = 2}));
  std::filesystem::remove(saved.path(files[2]));
  EXPECT_OK(saveTable(saved.dir.path, *saved.table, {.index = 0, .count = 2}));
  EXPECT_TRUE(failsWith(saved.load(), Code::kDataLoss,
                        "emb-00000-of-00002.safetensors': expected a file that "
                        "'" +
                            trainingStatePath(saved.dir.path) + "' lists"));
}

/// They have no checksums to compare.
TEST(Damage, OldFoldersAreLoaded) {
  const Saved saved(firstId, /*listed=*/false);
  EXPECT_OK(saved.load());
  EXPECT_TRUE(failsWith(verifyCheckpoint(saved.dir.path),
                        Code::kFailedPrecondition, "lists no checksums"));
  std::filesystem::remove(trainingStatePath(saved.dir.path));
  EXPECT_OK(saved.load());
  EXPECT_TRUE(failsWith(verifyCheckpoint(saved.dir.path),
                        Code::kFailedPrecondition,
                        "training.json' is missing"));
}

/// Its writer knows nothing of training.json.
TEST(Damage, AModelOfAnotherProgramIsLoaded) {
  const Saved saved;
  std::vector<float> w = {5, 6};
  EXPECT_OK(writeSafetensors(
      modelPath(saved.dir.path),
      std::vector<NamedTensor>{{"w", {{DType::F32, {2}}, bytesOf(w)}}}));
  EXPECT_OK(saved.load());
  EXPECT_TRUE(failsWith(verifyCheckpoint(saved.dir.path), Code::kDataLoss,
                        "model.safetensors' is damaged"));
}

TEST(Damage, EachFileIsReported) {
  const Saved saved;
  std::filesystem::remove(saved.path(files[1]));
  std::vector<std::pair<std::string, bool>> reported;
  EXPECT_FALSE(
      verifyCheckpoint(saved.dir.path, [&](const std::string &path,
                                           const absl::Status &status) {
        reported.emplace_back(nameOf(path), status.ok());
      }).ok());
  EXPECT_EQ(reported,
            (std::vector<std::pair<std::string, bool>>{{"training.json", true},
                                                       {files[2], true},
                                                       {files[0], true},
                                                       {files[1], false}}));
}

TEST(TrainingState, ListsOfFilesAreChecked) {
  TemporaryDirectory dir;
  auto read = [&](const std::string &list) {
    writeText(trainingStatePath(dir.path),
              R"({"epoch": 1, "step": 2, "data": {}, "optimizer_files": [],
                  "checkpoint_id": "", "files": )" +
                  list + "}");
    return readTrainingState(dir.path).status();
  };
  EXPECT_TRUE(failsWith(read("{}"), Code::kDataLoss,
                        "expected 'xxh3', the checksum of what it contains"));
  TrainingState state{"id", {}, 0, 0, {}};
  auto write = [&](const std::string &name) {
    state.files = {{name, {1, 2}}};
    writeText(trainingStatePath(dir.path), formatTrainingState(state));
    return readTrainingState(dir.path).status();
  };
  EXPECT_OK(write("model.safetensors"));
  EXPECT_OK(write(tablePath("", ".emb", 0, 1)));
  for (const std::string &name :
       {std::string("../model.safetensors"), std::string("/etc/passwd"),
        std::string(""), std::string(".."), std::string("a/b"),
        std::string("a\nb"), std::string(256, 'x')})
    EXPECT_TRUE(failsWith(write(name), Code::kDataLoss,
                          "expected in 'files' names of files without their "
                          "folder"))
        << name;
}

/// Names of tables need not be UTF-8, but training.json is.
TEST(TableFile, NamesOfFilesAreText) {
  for (const char *name : {"emb", "\xc3\xa9", "\xff", "a/b", "100%", "\xc3"}) {
    const std::string file = nameOf(tablePath("", name, 1, 2));
    TrainingState state{.checkpointId = "id", .files = {{file, {}}}};
    TemporaryDirectory dir;
    writeText(trainingStatePath(dir.path), formatTrainingState(state));
    auto read = readTrainingState(dir.path);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ((*read)->files, state.files);
    writeText(dir / file, "");
    EXPECT_TRUE(listTables(dir.path)->contains(name)) << file;
    EXPECT_TRUE(isTableFileName(file, 2));
    EXPECT_FALSE(isTableFileName(file, 1));
  }
  for (const char *file :
       {"../emb-00000-of-00001.safetensors", "emb-0-of-1.safetensors",
        "model.safetensors", "emb-00001-of-00001.safetensors", "",
        "-00000-of-00001.safetensors/x"})
    EXPECT_FALSE(isTableFileName(file, 9)) << file;
}
