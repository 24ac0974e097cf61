// SPDX-License-Identifier: Apache-2.0
//===- LargestElementsTest.cpp - the part of a gradient that is sent ------===//

#include "runtime/protocol/LargestElements.h"
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace ps::runtime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNan;

namespace {
struct Taken {
  std::vector<uint32_t> indices;
  std::vector<float> values, left;
};

Taken take(std::vector<float> gradient, size_t count,
           std::vector<float> unsent = {}) {
  unsent.resize(gradient.size());
  std::vector<LargestElement> largest(count);
  takeLargest(gradient, unsent, largest);
  Taken taken;
  for (const LargestElement &each : largest) {
    taken.indices.push_back(each.index);
    taken.values.push_back(each.value);
  }
  taken.left = unsent;
  return taken;
}

absl::Status check(const std::vector<LargestElement> &elements, size_t size) {
  const Piece all = std::as_bytes(std::span(elements));
  return checkLargest(Pieces(&all, 1), size);
}

TEST(LargestElementsTest, TakesByMagnitude) {
  const Taken taken = take({1, -5, 2, 4, -3}, 3);
  EXPECT_THAT(taken.indices, ElementsAre(1, 3, 4));
  EXPECT_THAT(taken.values, ElementsAre(-5, 4, -3));
  EXPECT_THAT(taken.left, ElementsAre(1, 0, 2, 0, 0));
}

TEST(LargestElementsTest, AddsWhatWasNotSent) {
  const Taken taken = take({1, 1, 1}, 1, {0, 0.5f, -3});
  EXPECT_THAT(taken.indices, ElementsAre(2));
  EXPECT_THAT(taken.values, ElementsAre(-2));
  EXPECT_THAT(taken.left, ElementsAre(1, 1.5f, 0));
}

TEST(LargestElementsTest, OfEqualMagnitudesTheFirstAreTaken) {
  const Taken taken = take({2, -1, 1, -1, 1, 3}, 4);
  EXPECT_THAT(taken.indices, ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(taken.left, ElementsAre(0, 0, 0, -1, 1, 0));
  EXPECT_THAT(take({0, 0, 0}, 2).indices, ElementsAre(0, 1));
}

TEST(LargestElementsTest, NaNIsSentFirstAndNotKept) {
  const Taken taken = take({1, INFINITY, NAN, -INFINITY}, 2);
  EXPECT_THAT(taken.indices, ElementsAre(1, 2));
  EXPECT_THAT(taken.values, ElementsAre(INFINITY, IsNan()));
  EXPECT_THAT(taken.left, ElementsAre(1, 0, 0, -INFINITY));
  EXPECT_THAT(take({-NAN, 1, NAN}, 1).indices, ElementsAre(0));
}

TEST(LargestElementsTest, MatchesASort) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const size_t size = 2 + random() % 300, count = 1 + random() % (size - 1);
    std::vector<float> gradient(size);
    for (float &each : gradient) // Few different ones: many are equal.
      each = std::ldexp(float(int(random() % 9) - 4), int(random() % 60) - 30);
    std::vector<uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return std::abs(gradient[a]) > std::abs(gradient[b]);
    });
    order.resize(count);
    std::sort(order.begin(), order.end());
    ASSERT_EQ(take(gradient, count).indices, order);
  }
}

TEST(LargestElementsTest, AddsToASum) {
  std::vector<float> sum = {1, 2, 3};
  const std::vector<LargestElement> elements = {{0, 4}, {2, -1}};
  const Piece all = std::as_bytes(std::span(elements));
  const Piece pieces[] = {all.first(5), all.subspan(5)};
  addLargest(pieces, sum.data());
  EXPECT_THAT(sum, ElementsAre(5, 2, 2));
}

TEST(LargestElementsTest, ForgedElementsAreRefused) {
  EXPECT_TRUE(check({{0, 1}, {2, 1}}, 3).ok());
  EXPECT_THAT(std::string(check({{0, 1}, {3, 1}}, 3).message()),
              HasSubstr("expected elements below 3, found element 3"));
  EXPECT_THAT(std::string(check({{0, 1}, {~0u, 1}}, 3).message()),
              HasSubstr("found element 4294967295"));
  EXPECT_THAT(std::string(check({{1, 1}, {1, 1}}, 3).message()),
              HasSubstr("found element 1 after element 1"));
  EXPECT_THAT(std::string(check({{2, 1}, {0, 1}}, 3).message()),
              HasSubstr("found element 0 after element 2"));
}
} // namespace
