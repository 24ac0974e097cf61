// SPDX-License-Identifier: Apache-2.0
//===- SavingTest.cpp - files of a saving, staged and published -----------===//

#include "runtime/store/Saving.h"
#include "runtime/store/SlotFiles.h"
#include "runtime/store/TrainingState.h"
#include "test/unit/RuntimeTesting.h"
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <unistd.h>

using namespace ps::runtime;
using Code = absl::StatusCode;

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
                      const std::string &saving = std::string(32, '1')) {
  StagedSaving staged;
  auto store = makeStore(std::move(specs), true);
  if (absl::Status s =
          staged.add(slotPartPath(dir, index, count), slotParts(*store));
      !s.ok())
    return s;
  return staged.publish(saving);
}
} // namespace

TEST(StagedFile, IsSeenWhenItIsPublished) {
  TemporaryDirectory dir;
  auto file = *StagedFile::create(dir / "f");
  PS_EXPECT_OK(file->write("abc", 3, 0));
  EXPECT_FALSE(std::filesystem::exists(dir / "f"));
  PS_EXPECT_OK(file->publish());
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
  PS_EXPECT_OK(living->publish());
}

TEST(StagedSaving, NothingIsReplacedUntilItIsPublished) {
  TemporaryDirectory dir;
  std::ofstream(dir / "model.safetensors") << "old";
  std::ofstream(dir / "stale") << "x";
  std::vector<float> values = {1, 2};
  NamedTensor tensor{
      "w", {{DType::F32, {2}}, reinterpret_cast<std::byte *>(values.data())}};
  {
    StagedSaving staged;
    PS_EXPECT_OK(staged.addModel(dir.path, std::span(&tensor, 1)));
    staged.remove(dir / "stale");
  }
  EXPECT_EQ(filesOf(dir.path),
            (std::set<std::string>{"model.safetensors", "stale"}));
  EXPECT_FALSE(SafetensorsFile::open(dir / "model.safetensors").ok());
  StagedSaving staged, equal, other;
  PS_EXPECT_OK(staged.addModel(dir.path, std::span(&tensor, 1)));
  PS_EXPECT_OK(equal.addModel(dir.path, std::span(&tensor, 1)));
  values[1] = 3;
  PS_EXPECT_OK(other.addModel(dir.path, std::span(&tensor, 1)));
  EXPECT_EQ(staged.digest(), equal.digest());
  EXPECT_NE(staged.digest(), other.digest());
  staged.remove(dir / "stale");
  PS_EXPECT_OK(staged.publish(staged.digest()));
  EXPECT_TRUE(SafetensorsFile::open(dir / "model.safetensors").ok());
  EXPECT_FALSE(std::filesystem::exists(dir / "stale"));
}

TEST(SlotFiles, AnyNumberReadsWhatAnyOtherWrote) {
  TemporaryDirectory dir;
  PS_EXPECT_OK(savePart(dir.path, 0, 2, {slot(0, 3), step(0), slot(5, 2)}));
  PS_EXPECT_OK(savePart(dir.path, 1, 2, {slot(3, 2), step(1)}));
  auto files = SlotFiles::open(dir.path, {});
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(files->saving(), std::string(32, '1'));
  for (auto [first, rows] : {std::pair(0, 7), {2, 4}, {4, 1}, {6, 1}}) {
    auto store = makeStore({slot(first, rows), step(0)}, false);
    PS_EXPECT_OK(files->read(*store));
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

TEST(SlotFiles, ThoseOfTwoSavingsAreRefused) {
  TemporaryDirectory dir;
  PS_EXPECT_OK(savePart(dir.path, 0, 2, {slot(0, 3)}));
  PS_EXPECT_OK(savePart(dir.path, 1, 2, {slot(3, 2)}, std::string(32, '2')));
  EXPECT_TRUE(failsWith(SlotFiles::open(dir.path, {}).status(), Code::kDataLoss,
                        "files of two savings"));
  const std::vector<std::string> expected = {"optimizer.safetensors"};
  EXPECT_TRUE(failsWith(SlotFiles::open(dir.path, expected).status(),
                        Code::kDataLoss, "is missing"));
}

TEST(TrainingState, RoundTripsAndIsChecked) {
  TemporaryDirectory dir;
  auto write = [&](const std::string &text) {
    std::ofstream(trainingStatePath(dir.path)) << text;
    return readTrainingState(dir.path);
  };
  EXPECT_FALSE(readTrainingState(dir.path)->has_value());
  TrainingState state{"name", {"file"}, 3, 5, {{"data", "\xff\""}}};
  auto read = write(formatTrainingState(state));
  ASSERT_TRUE(read.ok() && *read) << read.status();
  EXPECT_EQ((*read)->epoch, 3);
  EXPECT_EQ((*read)->step, 5);
  EXPECT_EQ((*read)->saving, "name");
  EXPECT_EQ((*read)->optimizerFiles, state.optimizerFiles);
  const std::string rest = R"("data": {}, "optimizer_files": [], "saving": "")";
  EXPECT_TRUE(write(R"({"epoch": 1, "step": 2, )" + rest + "}").ok());
  for (const std::string &text :
       {std::string(), std::string("[]"), std::string("{"),
        std::string(1000000, '['), std::string(2000000, ' '),
        R"({"epoch": -1, "step": 2, )" + rest + "}",
        R"({"epoch": 1e3, "step": 2, )" + rest + "}",
        R"({"epoch": 99999999999, "step": 2, )" + rest + "}",
        R"({"epoch": 1, )" + rest + "}",
        std::string(R"({"epoch": 1, "step": 2, "data": {"a": 1},
                        "optimizer_files": [], "saving": ""})"),
        std::string(R"({"epoch": 1, "step": 2, "data": {},
                        "optimizer_files": ["../x"], "saving": ""})")})
    EXPECT_TRUE(failsWith(write(text).status(), Code::kDataLoss,
                          "training.json': expected"))
        << text.substr(0, 100);
}
