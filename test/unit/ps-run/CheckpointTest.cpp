// SPDX-License-Identifier: Apache-2.0
//===- CheckpointTest.cpp - what trainer 0 writes of a job's checkpoint ---===//

#include "tools/ps-run/driver/Checkpoint.h"
#include <gmock/gmock.h>

using namespace ps;
using runtime::FileChecksums;
using runtime::SavedFile;
using runtime::SavedPart;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Checkpoint, ListsTheFilesOfOptimizers) {
  const std::vector<SavedPart> parts = {
      {"", {"optimizer.00000-of-00002.safetensors"}}, {"", {}}};
  EXPECT_THAT(*listOptimizerFiles(false, parts),
              ElementsAre("optimizer.00000-of-00002.safetensors"));
  EXPECT_THAT(*listOptimizerFiles(true, parts),
              ElementsAre("optimizer.safetensors",
                          "optimizer.00000-of-00002.safetensors"));
  EXPECT_THAT(*listOptimizerFiles(true, {}),
              ElementsAre("optimizer.safetensors"));
}

TEST(Checkpoint, PServersHaveFilesOfTheirOwnOnly) {
  using Names = std::vector<std::string>;
  const std::string own = "optimizer.00001-of-00002.safetensors";
  for (const Names &names :
       {Names{"../" + own}, Names{"/etc/" + own}, Names{std::string(5000, 'x')},
        Names{""}, Names{"optimizer.00000-of-00002.safetensors"},
        Names{"optimizer.safetensors"}, Names{own, own}}) {
    const std::vector<SavedPart> parts = {{"", {}}, {"", names}};
    const absl::Status status = listOptimizerFiles(false, parts).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("pserver 1: expected at most one file of optimizer "
                          "state, '" +
                          own + "', found "));
    EXPECT_LT(status.message().size(), 300u);
  }
}

TEST(Checkpoint, ListsTheFilesOfPServers) {
  const SavedPart first{"",
                        {},
                        {{0, "optimizer.00000-of-00002.safetensors", {1, 2}},
                         {1, "emb-00000-of-00002.safetensors", {3, 4}}}};
  const SavedPart second{
      "", {}, {{1, "emb-00001-of-00002.safetensors", {5, 6}}}};
  std::vector<FileChecksums> folders = {{{"model.safetensors", {7, 8}}}, {}};
  ASSERT_TRUE(addSavedFiles(std::vector{first, second}, folders).ok());
  EXPECT_EQ(folders[0],
            (FileChecksums{{"model.safetensors", {7, 8}},
                           {"optimizer.00000-of-00002.safetensors", {1, 2}}}));
  EXPECT_EQ(folders[1],
            (FileChecksums{{"emb-00000-of-00002.safetensors", {3, 4}},
                           {"emb-00001-of-00002.safetensors", {5, 6}}}));
}

TEST(Checkpoint, PServersListNoFilesOfOthers) {
  const std::string table = "emb-00000-of-00002.safetensors";
  for (const SavedFile &file :
       {SavedFile{0, "model.safetensors", {}},
        SavedFile{0, "training.json", {}},
        SavedFile{0, "optimizer.safetensors", {}},
        SavedFile{0, "optimizer.00000-of-00002.safetensors", {}},
        SavedFile{0, "../" + table, {}}, SavedFile{0, "/tmp/" + table, {}},
        SavedFile{0, "", {}}, SavedFile{0, std::string(5000, 'x'), {}},
        SavedFile{0, "emb-00000-of-00003.safetensors", {}},
        SavedFile{0, table, {}}, SavedFile{2, table, {}},
        SavedFile{~0u, table, {}}}) {
    const std::vector<SavedPart> parts = {{"", {}, {{0, table, {}}}},
                                          {"", {}, {file}}};
    std::vector<FileChecksums> folders(2);
    const absl::Status status = addSavedFiles(parts, folders);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << file.name;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("pserver 1: expected files of its own in folders 0 "
                          "to 1, such as 'optimizer.00001-of-00002"));
    EXPECT_LT(status.message().size(), 400u);
  }
}
