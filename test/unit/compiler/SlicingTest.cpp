// SPDX-License-Identifier: Apache-2.0
//===- SlicingTest.cpp - blocks against tables worked out by hand ---------===//

#include "compiler/distribute/Slicing.h"
#include "dialects/stablehlo/TensorSize.h"

#include <gtest/gtest.h>
#include <limits>
#include <ostream>
#include <vector>

namespace ps {

namespace {

/// Rows [offset, offset + count) of a variable.
struct RowRange {
  int64_t offset, count;

  bool operator==(const RowRange &other) const {
    return offset == other.offset && count == other.count;
  }
};

void PrintTo(const RowRange &range, std::ostream *os) {
  *os << range.offset << "+" << range.count;
}

using Ranges = std::vector<RowRange>;

Ranges slice(std::vector<int64_t> shape, int64_t maxBlocks,
             int64_t minBlockSize = 8192) {
  const int64_t rows = shape.empty() ? 1 : shape.front();
  const int64_t blockRows = getBlockRows(shape, maxBlocks, minBlockSize);
  Ranges ranges;
  int64_t offset = 0;
  do {
    ranges.push_back({offset, std::min(blockRows, rows - offset)});
    offset += ranges.back().count;
  } while (offset < rows);
  return ranges;
}

/// `count` blocks of `rows` rows each, then one of `last` rows if not 0.
Ranges blocks(int64_t count, int64_t rows, int64_t last = 0) {
  Ranges ranges;
  for (int64_t i = 0; i < count; ++i)
    ranges.push_back({i * rows, rows});
  if (last)
    ranges.push_back({count * rows, last});
  return ranges;
}

TEST(BlockRows, CutsAnEvenMatrixInHalf) {
  EXPECT_EQ(slice({1000, 1000}, 2), blocks(2, 500));
  EXPECT_EQ(slice({1000, 64}, 2), blocks(2, 500));
}

TEST(BlockRows, KeepsSmallVariablesWhole) {
  EXPECT_EQ(slice({192, 2}, 2), blocks(1, 192));
  EXPECT_EQ(slice({1000}, 2), blocks(1, 1000));
}

// 8000 elements: cap 7, ceil(8000 / 7) = 1143, raised to 1150 = 115 rows.
TEST(BlockRows, LeavesTheLastBlockShort) {
  EXPECT_EQ(slice({800, 10}, 10, 1024), blocks(6, 115, 110));
}

// 8160 elements: cap 7, 1166 raised to 2040: two rows, only 4 blocks.
TEST(BlockRows, MakesFewerBlocksWhenRowsAreLong) {
  EXPECT_EQ(slice({8, 1020}, 10, 1024), blocks(4, 2));
}

// 35000 elements: ceil(35000 / 3) = 11667 raised to 15000.
TEST(BlockRows, SkewsSizesWhenRowsAreLong) {
  EXPECT_EQ(slice({7, 5000}, 3), blocks(2, 3, 1));
}

TEST(BlockRows, NeverSplitsBelowTwiceTheMinimum) {
  EXPECT_EQ(slice({16383}, 2), blocks(1, 16383));
  EXPECT_EQ(slice({16384}, 2), blocks(2, 8192));
  EXPECT_EQ(slice({16383, 1}, 2), blocks(1, 16383));
  EXPECT_EQ(slice({16384, 1}, 2), blocks(2, 8192));
}

// 25000 elements, 7 servers: cap 3, ceil(25000 / 3) = 8334.
TEST(BlockRows, CutsVectorsAnywhere) {
  EXPECT_EQ(slice({25000}, 7), blocks(2, 8334, 8332));
  EXPECT_EQ(slice({10}, 3, 1), blocks(2, 4, 2));
}

TEST(BlockRows, KeepsOneRowWhole) {
  EXPECT_EQ(slice({1, 1000000}, 7), blocks(1, 1));
  EXPECT_EQ(slice({1}, 7, 1), blocks(1, 1));
}

TEST(BlockRows, TakesAScalarForOneRow) {
  EXPECT_EQ(slice({}, 7, 1), blocks(1, 1));
}

TEST(BlockRows, MakesAtMostAsManyBlocksAsAskedFor) {
  EXPECT_EQ(slice({1000, 1000}, 1), blocks(1, 1000));
  EXPECT_EQ(slice({4, 8}, 100, 1), blocks(4, 1));
}

TEST(BlockRows, CountsRowsOfHigherRanks) {
  // 64 * 3 * 3 * 3 = 1728 elements, rows of 27: ceil(1728 / 3) = 576 raised to
  // 594 = 22 rows.
  EXPECT_EQ(slice({64, 3, 3, 3}, 3, 500), blocks(2, 22, 20));
}

TEST(BlockRows, KeepsEmptyVariablesWhole) {
  EXPECT_EQ(slice({0}, 3, 1), (Ranges{{0, 0}}));
  EXPECT_EQ(slice({5, 0}, 3, 1), (Ranges{{0, 5}}));
  EXPECT_EQ(slice({0, 5}, 3, 1), (Ranges{{0, 0}}));
}

TEST(BlockRows, StandsHugeShapes) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(slice({most}, 2), blocks(1, most / 2 + 1, most / 2));
  EXPECT_EQ(slice({int64_t(1) << 31, int64_t(1) << 31}, 2),
            blocks(2, int64_t(1) << 30));
  EXPECT_EQ(slice({3, most / 3}, 2), blocks(1, 2, 1));
  EXPECT_EQ(slice({100}, most, 1), blocks(100, 1));
}

// Whatever the shape: blocks tile the rows, only the last one is short, and no
// block but the last is smaller than the minimum.
TEST(BlockRows, TilesEveryVariable) {
  for (int64_t rows = 1; rows < 60; ++rows)
    for (int64_t width : {1, 2, 7, 16})
      for (int64_t maxBlocks = 1; maxBlocks < 9; ++maxBlocks)
        for (int64_t minBlockSize : {1, 10, 64}) {
          Ranges ranges = slice({rows, width}, maxBlocks, minBlockSize);
          int64_t next = 0;
          for (const RowRange &range : ranges) {
            ASSERT_EQ(range.offset, next);
            ASSERT_GT(range.count, 0);
            next += range.count;
            if (next < rows) {
              ASSERT_EQ(range.count, ranges.front().count);
              ASSERT_GE(range.count * width, minBlockSize);
            }
          }
          ASSERT_EQ(next, rows);
          ASSERT_LE(static_cast<int64_t>(ranges.size()), maxBlocks);
        }
}

TEST(CountElements, RefusesWhatDoesNotFit) {
  constexpr int64_t large = int64_t(1) << 32;
  EXPECT_EQ(stablehlo::countElements({2, 3}), 6);
  EXPECT_EQ(stablehlo::countElements({}), 1);
  EXPECT_EQ(stablehlo::countElements({large, large, 0}), 0);
  EXPECT_EQ(stablehlo::countElements({large, large}), std::nullopt);
}

} // namespace
} // namespace ps
