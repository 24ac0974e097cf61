// SPDX-License-Identifier: Apache-2.0
//===- CheckpointTest.cpp - what trainer 0 writes of a job's checkpoint ---===//

#include "tools/ps-run/driver/Checkpoint.h"
#include <gmock/gmock.h>

using namespace ps;
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
