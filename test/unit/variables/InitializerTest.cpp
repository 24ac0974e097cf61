// SPDX-License-Identifier: Apache-2.0
//===- InitializerTest.cpp - distributions and their independence of splits
//===//

#include "runtime/variables/Initializer.h"
#include "runtime/variables/Philox.h"
#include "test/unit/RuntimeTesting.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace ps::runtime;
using Kind = InitialValue::Kind;

namespace {
template <typename T>
std::vector<T> draw(DType dtype, InitialValue value, int64_t count,
                    uint64_t seed = 1, std::string_view name = "w",
                    uint64_t offset = 0) {
  std::vector<T> out(count);
  TensorRef tensor{{dtype, {count}}, reinterpret_cast<std::byte *>(out.data())};
  initialize(tensor, value, seed, name, offset);
  return out;
}

struct Moments {
  double mean = 0, deviation = 0, smallest = INFINITY, largest = -INFINITY;
};

Moments moments(const std::vector<double> &values) {
  Moments m;
  for (double x : values) {
    m.mean += x / values.size();
    m.smallest = std::min(m.smallest, x);
    m.largest = std::max(m.largest, x);
  }
  for (double x : values)
    m.deviation += (x - m.mean) * (x - m.mean) / values.size();
  m.deviation = std::sqrt(m.deviation);
  return m;
}

constexpr InitialValue kRandom[] = {{Kind::Uniform, -0.3, 0.9},
                                    {Kind::Normal, 1.0, 2.0},
                                    {Kind::TruncatedNormal, 0.5, 0.1}};
} // namespace

// The vectors published with the reference implementation (Random123).
TEST(Philox, PublishedVectors) {
  using Counter = std::array<uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Initializer, AnySplitGivesTheWhole) {
  std::mt19937 random(1);
  for (const InitialValue &value : kRandom) {
    const auto whole = draw<float>(DType::F32, value, 1000);
    for (int64_t begin = 0; begin < 1000;) {
      const int64_t count = std::min<int64_t>(1 + random() % 9, 1000 - begin);
      const auto part = draw<float>(DType::F32, value, count, 1, "w", begin);
      ASSERT_EQ(std::memcmp(part.data(), whole.data() + begin, 4 * count), 0);
      begin += count;
    }
  }
}

// Saved seeds keep their meaning.
TEST(Initializer, ValuesAreFixedForEver) {
  const InitialValue value{Kind::Uniform, 0, 1};
  const auto values = draw<double>(DType::F64, value, 20, 1, "w", 7);
  EXPECT_EQ(values[0], 0x1.2976d613a499bp-1);
  EXPECT_EQ(values[19], 0x1.b935f01bd4a4ap-2);
  // Elements [2^65 - 2, 2^65 + 3) and [-5, 0).
  const RowInitializer rows(value, DType::F64, 5, 1, "w");
  double row[5];
  rows(reinterpret_cast<std::byte *>(row), 7378697629483820646);
  EXPECT_EQ(row[0], 0x1.a936d1c341f8bp-1);
  EXPECT_EQ(row[4], 0x1.1f513285774b5p-1);
  rows(reinterpret_cast<std::byte *>(row), -1);
  EXPECT_EQ(row[0], 0x1.bcb94defbd055p-1);
  EXPECT_EQ(row[4], 0x1.8f00571a92eep-6);
}

// Also where the numbers of blocks pass 0 and 2^64.
TEST(Initializer, RowsOfTwiceTheWidthAreTwoRows) {
  const int64_t last = (int64_t{1} << 62) / 5 * 4;
  for (const InitialValue &value : kRandom) {
    const RowInitializer wide(value, DType::F64, 10, 1, "w"),
        narrow(value, DType::F64, 5, 1, "w");
    for (int64_t id : {int64_t{0}, int64_t{-1}, last - 1, last, last + 1,
                       last + 2, last + 3, -last, -last - 1}) {
      double row[10], rows[10];
      wide(reinterpret_cast<std::byte *>(row), id);
      narrow(reinterpret_cast<std::byte *>(rows), 2 * id);
      narrow(reinterpret_cast<std::byte *>(rows + 5), 2 * id + 1);
      for (int i = 0; i < 10; ++i)
        EXPECT_EQ(row[i], rows[i]) << id << " " << i;
    }
  }
}

TEST(Initializer, OffsetsBeyond32Bits) {
  const uint64_t far = (uint64_t{1} << 34) + 5;
  for (const InitialValue &value : kRandom) {
    const auto near = draw<float>(DType::F32, value, 16);
    const auto there = draw<float>(DType::F32, value, 16, 1, "w", far);
    EXPECT_NE(near, there);
  }
}

TEST(Initializer, SeedAndNameChangeEveryValue) {
  for (const InitialValue &value : kRandom) {
    const auto base = draw<double>(DType::F64, value, 100);
    const auto seed = draw<double>(DType::F64, value, 100, 2);
    const auto name = draw<double>(DType::F64, value, 100, 1, "v");
    for (int i = 0; i < 100; ++i) {
      EXPECT_NE(base[i], seed[i]);
      EXPECT_NE(base[i], name[i]);
    }
  }
}

TEST(Initializer, ElementTypesDifferByRoundingOnly) {
  for (const InitialValue &value : kRandom) {
    const auto f64 = draw<double>(DType::F64, value, 200);
    const auto f32 = draw<float>(DType::F32, value, 200);
    const auto f16 = draw<_Float16>(DType::F16, value, 200);
    const auto bf16 = draw<uint16_t>(DType::BF16, value, 200);
    for (int i = 0; i < 200; ++i) {
      EXPECT_EQ(f32[i], static_cast<float>(f64[i]));
      EXPECT_NEAR(static_cast<double>(f16[i]), f64[i],
                  std::abs(f64[i]) * 0x1p-11 + 1e-7);
      uint32_t word = uint32_t{bf16[i]} << 16;
      float wide;
      std::memcpy(&wide, &word, 4);
      EXPECT_NEAR(wide, f64[i], std::abs(f64[i]) * 0x1p-8);
    }
  }
}

TEST(Initializer, UniformMoments) {
  Moments m =
      moments(draw<double>(DType::F64, {Kind::Uniform, -0.3, 0.9}, 400'000));
  EXPECT_NEAR(m.mean, 0.3, 0.003);
  EXPECT_NEAR(m.deviation, 1.2 / std::sqrt(12.0), 0.003);
  EXPECT_GE(m.smallest, -0.3);
  EXPECT_LT(m.largest, 0.9);
}

// Rounding to few bits must not reach the excluded end.
TEST(Initializer, UniformIsHalfOpenInEveryType) {
  for (auto [a, b] :
       {std::pair(0.0, 1.0), std::pair(-1.0, -0.5), std::pair(-1.0, 0.0)}) {
    InitialValue value{Kind::Uniform, a, b};
    for (uint16_t bits : draw<uint16_t>(DType::BF16, value, 100'000)) {
      uint32_t word = uint32_t{bits} << 16;
      float x;
      std::memcpy(&x, &word, 4);
      ASSERT_GE(x, a);
      ASSERT_LT(x, b);
    }
    for (_Float16 x : draw<_Float16>(DType::F16, value, 100'000))
      ASSERT_LT(static_cast<double>(x), b);
  }
}

TEST(Initializer, NormalMomentsAndTails) {
  const auto values = draw<double>(DType::F64, {Kind::Normal, 1, 2}, 400'000);
  Moments m = moments(values);
  EXPECT_NEAR(m.mean, 1, 0.015);
  EXPECT_NEAR(m.deviation, 2, 0.01);
  // The share beyond d deviations, both sides.
  for (double d : {1.0, 2.0, 3.0}) {
    double share = 0;
    for (double x : values)
      share += std::abs(x - 1) > 2 * d;
    share /= values.size();
    EXPECT_NEAR(share, std::erfc(d / std::sqrt(2.0)), 0.003);
  }
  EXPECT_LT(m.largest, 1 + 2 * 7);
  EXPECT_GT(m.largest, 1 + 2 * 4);
}

// The normal is the inverse of its distribution at the uniform of the same
// element: checked against erfc over the whole range.
TEST(Initializer, NormalInvertsItsDistribution) {
  const auto u = draw<double>(DType::F64, {Kind::Uniform, 0, 1}, 100'000);
  const auto z = draw<double>(DType::F64, {Kind::Normal, 0, 1}, 100'000);
  for (size_t i = 0; i < u.size(); ++i) {
    const double p = std::erfc(-z[i] / std::sqrt(2.0)) / 2;
    ASSERT_NEAR(p, u[i], 1e-14);
  }
}

TEST(Initializer, TruncatedNormalMoments) {
  Moments m = moments(
      draw<double>(DType::F64, {Kind::TruncatedNormal, 0.5, 0.1}, 400'000));
  EXPECT_NEAR(m.mean, 0.5, 0.001);
  EXPECT_NEAR(m.deviation, 0.1 * 0.879626, 0.0005);
  EXPECT_GE(m.smallest, 0.3);
  EXPECT_LE(m.largest, 0.7);
}

TEST(Initializer, ConstantsOfEveryType) {
  InitialValue three{Kind::Constant, 3};
  EXPECT_EQ(draw<int8_t>(DType::I8, three, 2)[1], 3);
  EXPECT_EQ(draw<uint16_t>(DType::UI16, three, 2)[1], 3);
  EXPECT_EQ(draw<int64_t>(DType::I64, three, 2)[1], 3);
  EXPECT_EQ(draw<uint8_t>(DType::I1, {Kind::Constant, 1}, 2)[1], 1);
  EXPECT_EQ(draw<uint16_t>(DType::BF16, three, 2)[1], 0x4040);
  EXPECT_EQ(draw<double>(DType::F64, {Kind::Constant, 0.1}, 2)[1], 0.1);
}
