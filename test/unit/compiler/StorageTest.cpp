// SPDX-License-Identifier: Apache-2.0
//===- StorageTest.cpp ----------------------------------------------------===//

#include "compiler/exec/Storage.h"
#include "gmock/gmock.h"
#include <random>
#include <set>

using namespace ps;

namespace {

constexpr unsigned numNodes = 40, numPieces = 2, numBytes = 24;

/// Pieces and declaring ops are only compared.
void *makeId(size_t number) { return reinterpret_cast<void *>(8 * number + 8); }

llvm::SmallVector<MemoryHistory::Touch> makeTouches(std::mt19937 &random) {
  llvm::SmallVector<MemoryHistory::Touch> touches(random() % 4);
  for (MemoryHistory::Touch &touch : touches) {
    const int64_t begin = random() % numBytes;
    const int64_t end = begin + random() % (numBytes - begin + 1);
    touch.span = {makeId(random() % numPieces), begin, end, random() % 3 == 0};
    touch.storage = static_cast<mlir::Operation *>(makeId(random() % 5));
  }
  return touches;
}

bool conflict(llvm::ArrayRef<MemoryHistory::Touch> a,
              llvm::ArrayRef<MemoryHistory::Touch> b) {
  for (const auto &x : a)
    for (const auto &y : b)
      for (int64_t byte = x.span.begin; byte < x.span.end; ++byte)
        if (x.span.piece == y.span.piece && byte >= y.span.begin &&
            byte < y.span.end && (x.span.write || y.span.write))
          return true;
  return false;
}

class MemoryHistoryTest : public testing::TestWithParam<unsigned> {
protected:
  void SetUp() override {
    std::mt19937 random(GetParam());
    for (unsigned node = 0; node < numNodes; ++node)
      nodes.push_back(makeTouches(random));
  }

  std::vector<llvm::SmallVector<MemoryHistory::Touch>> nodes;
};

TEST_P(MemoryHistoryTest, ordersWhatConflictsAndNothingElse) {
  MemoryHistory history;
  // By node: those before it, by the conflicts found and by all that there are.
  std::vector<std::set<unsigned>> found(numNodes), all(numNodes);
  for (unsigned node = 0; node < numNodes; ++node) {
    for (unsigned earlier : history.add(node, nodes[node])) {
      ASSERT_LT(earlier, node);
      EXPECT_TRUE(conflict(nodes[earlier], nodes[node]))
          << earlier << " and " << node;
      found[node].insert(earlier);
      found[node].insert(found[earlier].begin(), found[earlier].end());
    }
    for (unsigned earlier = 0; earlier < node; ++earlier)
      if (conflict(nodes[earlier], nodes[node])) {
        all[node].insert(earlier);
        all[node].insert(all[earlier].begin(), all[earlier].end());
      }
    EXPECT_EQ(found[node], all[node]) << "node " << node;
  }
}

TEST_P(MemoryHistoryTest, knowsTheLastWriterOfEachByte) {
  MemoryHistory history;
  mlir::Operation *last[numPieces][numBytes] = {};
  for (unsigned node = 0; node < numNodes; ++node) {
    history.add(node, nodes[node]);
    for (const auto &[span, storage] : nodes[node])
      for (size_t piece = 0; piece < numPieces; ++piece)
        if (span.write && span.piece == makeId(piece))
          std::fill(last[piece] + span.begin, last[piece] + span.end, storage);
  }
  for (size_t piece = 0; piece < numPieces; ++piece)
    for (int64_t byte = 0; byte < numBytes; ++byte) {
      auto writers = history.getWriters({makeId(piece), byte, byte + 1, false});
      if (!last[piece][byte]) {
        EXPECT_TRUE(writers.empty()) << "byte " << byte;
        continue;
      }
      ASSERT_EQ(writers.size(), 1u) << "byte " << byte;
      EXPECT_EQ(writers[0].storage, last[piece][byte]) << "byte " << byte;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MemoryHistoryTest, testing::Range(0u, 50u));

} // namespace
