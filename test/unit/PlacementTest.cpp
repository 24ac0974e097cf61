//===- PlacementTest.cpp - dispatchers and their registry -----------------===//

#include "compiler/Placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ps {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<int64_t> dispatch(llvm::StringRef method,
                              std::vector<BlockToPlace> blocks,
                              int64_t numServers) {
  llvm::SmallVector<int64_t> servers =
      createDispatcher(method)->dispatch(blocks, numServers);
  return {servers.begin(), servers.end()};
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
  std::vector<BlockToPlace> blocks = {
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

TEST(Registry, KnowsItsNames) {
  EXPECT_THAT(getDispatcherNames(),
              ElementsAre("HashName", "RoundRobin", "SizeBalanced"));
  EXPECT_EQ(createDispatcher("roundrobin"), nullptr);
}

TEST(Registry, TakesACustomDispatcher) {
  class LastServer : public Dispatcher {
    llvm::SmallVector<int64_t> dispatch(llvm::ArrayRef<BlockToPlace> blocks,
                                        int64_t numServers) const override {
      return llvm::SmallVector<int64_t>(blocks.size(), numServers - 1);
    }
  };
  registerDispatcher("ZLast", [] { return std::make_unique<LastServer>(); });
  EXPECT_THAT(dispatch("ZLast", {{"a", 0, 5}, {"b", 0, 5}}, 3),
              ElementsAre(2, 2));
}

} // namespace
} // namespace ps
