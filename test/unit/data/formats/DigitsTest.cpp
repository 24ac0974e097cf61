// SPDX-License-Identifier: Apache-2.0
//===- DigitsTest.cpp -----------------------------------------------------===//

#include "runtime/data/Dataset.h"
#include "test/unit/data/DatasetTest.h"
#include <array>
#include <cstring>

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

TEST(DigitsTest, OutOfMemory) {
  MemoryLimit limit(size_t(1) << 30);
  if (!limit.holds())
    GTEST_SKIP();
  absl::Status status = Dataset::open("synthetic:digits?n=10000000").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_EQ(status.message(), "data 'synthetic:digits?n=10000000': cannot "
                              "allocate 7840000000 bytes");
}

TEST(DigitsTest, ASampleDependsOnlyOnTheSeedAndItsIndex) {
  auto few = makeDigits({.samples = 5, .seed = 3});
  auto many = makeDigits({.samples = 9, .seed = 3});
  auto other = makeDigits({.samples = 5, .seed = 4});
  const Buffer &bytes = few->columns[0].bytes;
  auto same = [&](const Dataset &data) {
    return std::memcmp(bytes.data(), data.columns[0].bytes.data(),
                       bytes.size()) == 0;
  };
  EXPECT_TRUE(same(*many));
  EXPECT_FALSE(same(*other));
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
