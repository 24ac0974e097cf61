// SPDX-License-Identifier: Apache-2.0
//===- PlacementTest.cpp - dispatchers and their registry -----------------===//

#include "compiler/distribute/Placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ps {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<int64_t> dispatch(llvm::StringRef method,
                              std::vector<PlacedRows> blocks,
                              std::vector<int64_t> pinned) {
  createDispatcher(method)->assign(blocks, pinned);
  std::vector<int64_t> servers;
  for (const PlacedRows &block : blocks)
    servers.push_back(block.server);
  return servers;
}

/// With nothing pinned.
std::vector<int64_t> dispatch(llvm::StringRef method,
                              std::vector<PlacedRows> blocks,
                              int64_t numServers) {
  return dispatch(method, std::move(blocks), std::vector<int64_t>(numServers));
}

TEST(RoundRobin, CountsBlocksNotVariables) {
  EXPECT_THAT(dispatch("RoundRobin",
                       {{"b", 0, 4}, {"w", 0, 8}, {"w", 1, 8}, {"z", 0, 4}}, 3),
              ElementsAre(0, 1, 2, 0));
}

TEST(RoundRobin, LeavesServersEmptyWhenThereAreFewBlocks) {
  EXPECT_THAT(dispatch("RoundRobin", {{"b", 0, 4}}, 7), ElementsAre(0));
  EXPECT_THAT(dispatch("RoundRobin", {}, 7), IsEmpty());
}

// Expected servers come from a second implementation of XXH64, in Python.
TEST(HashName, IsXXH64OfNameAndIndex) {
  std::vector<PlacedRows> blocks = {
      {"a_variable_whose_name_is_longer_than_32_bytes", 0, 4},
      {"a_variable_whose_name_is_longer_than_32_bytes", 1, 4},
      {"fc_b", 0, 4},
      {"fc_w", 0, 4},
      {"fc_w", 1, 4},
      {"fc_w", 2, 4},
      {"out_w", 0, 4}};
  EXPECT_THAT(dispatch("HashName", blocks, 1),
              ElementsAre(0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(dispatch("HashName", blocks, 2),
              ElementsAre(1, 0, 0, 0, 1, 0, 0));
  EXPECT_THAT(dispatch("HashName", blocks, 3),
              ElementsAre(1, 0, 0, 2, 0, 1, 2));
  EXPECT_THAT(dispatch("HashName", blocks, 7),
              ElementsAre(2, 5, 0, 5, 2, 1, 1));
}

TEST(HashName, DoesNotDependOnOtherBlocks) {
  EXPECT_THAT(dispatch("HashName", {{"fc_w", 1, 4}}, 7), ElementsAre(2));
}

TEST(SizeBalanced, PlacesTheLargestFirst) {
  // c to 0, b to 1, e to 1 (6 < 7), a to 0 (7 < 9), d to 0 (8 < 9).
  EXPECT_THAT(
      dispatch(
          "SizeBalanced",
          {{"a", 0, 1}, {"b", 0, 6}, {"c", 0, 7}, {"d", 0, 1}, {"e", 0, 3}}, 2),
      ElementsAre(0, 1, 0, 0, 1));
}

TEST(SizeBalanced, BreaksTiesByNameThenByServer) {
  EXPECT_THAT(dispatch("SizeBalanced",
                       {{"a", 0, 5}, {"b", 0, 5}, {"b", 1, 5}, {"c", 0, 5}}, 3),
              ElementsAre(0, 1, 2, 0));
}

TEST(SizeBalanced, CountsWhatIsPinned) {
  EXPECT_THAT(dispatch("SizeBalanced", {{"a", 0, 5}, {"b", 0, 5}},
                       std::vector<int64_t>{12, 0, 7}),
              ElementsAre(1, 1));
}

TEST(Dispatchers, SayWhy) {
  std::vector<PlacedRows> blocks = {{"a", 0, 5}, {"a", 1, 6}};
  std::vector<int64_t> pinned = {3};
  createDispatcher("RoundRobin")->assign(blocks, pinned);
  EXPECT_EQ(blocks[1].reason, "turn 1");
  createDispatcher("HashName")->assign(blocks, pinned);
  EXPECT_EQ(blocks[1].reason, "by name and block 1");
  createDispatcher("SizeBalanced")->assign(blocks, pinned);
  EXPECT_EQ(blocks[0].reason, "beside 9 bytes");
}

TEST(Registry, KnowsItsNames) {
  EXPECT_THAT(getDispatcherNames(),
              ElementsAre("HashName", "RoundRobin", "SizeBalanced"));
  EXPECT_EQ(createDispatcher("roundrobin"), nullptr);
}

TEST(Registry, TakesACustomDispatcher) {
  class LastServer : public Dispatcher {
    void assign(llvm::MutableArrayRef<PlacedRows> blocks,
                llvm::ArrayRef<int64_t> pinned) const override {
      for (PlacedRows &block : blocks)
        block.server = pinned.size() - 1;
    }
  };
  registerDispatcher("ZLast", [] { return std::make_unique<LastServer>(); });
  EXPECT_THAT(dispatch("ZLast", {{"a", 0, 5}, {"b", 0, 5}}, 3),
              ElementsAre(2, 2));
}

} // namespace
} // namespace ps
