//===- DigitsTest.cpp -----------------------------------------------------===//

#include "runtime/data/Dataset.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <array>

using namespace ps::runtime;

namespace {

TEST(DigitsTest, Shape) {
  auto data = makeDigits({.samples = 20});
  ASSERT_TRUE(data.ok());
  EXPECT_EQ(data->size, 20);
  EXPECT_EQ(data->columns[0].width, 28 * 28);
  EXPECT_EQ(data->columns[0].bytes.size(), 20u * 28 * 28);
  EXPECT_EQ(data->columns[1].width, 1);
}

TEST(DigitsTest, ASampleDependsOnlyOnTheSeedAndItsIndex) {
  auto few = makeDigits({.samples = 5, .seed = 3});
  auto many = makeDigits({.samples = 9, .seed = 3});
  auto other = makeDigits({.samples = 5, .seed = 4});
  const auto &fewBytes = few->columns[0].bytes;
  const auto &manyBytes = many->columns[0].bytes;
  EXPECT_TRUE(std::equal(fewBytes.begin(), fewBytes.end(), manyBytes.begin()));
  EXPECT_NE(fewBytes, other->columns[0].bytes);
}

TEST(DigitsTest, EveryDigitIsDrawnInsideTheImage) {
  auto data = makeDigits({.samples = 1000});
  std::array<int, 10> counts = {};
  for (int64_t i = 0; i != data->size; ++i) {
    ++counts[static_cast<int>(data->columns[1].at(i, 0))];
    double ink = 0;
    for (int64_t p = 0; p != 28 * 28; ++p)
      ink += data->columns[0].at(i, p) / 255;
    EXPECT_GT(ink, 20) << "sample " << i;
    EXPECT_LT(ink, 300) << "sample " << i;
  }
  for (int count : counts)
    EXPECT_GT(count, 60);
}

TEST(DigitsTest, NoSamples) {
  EXPECT_FALSE(makeDigits({.samples = 0}).ok());
  EXPECT_FALSE(makeDigits({.samples = int64_t(1) << 60}).ok());
}

} // namespace
