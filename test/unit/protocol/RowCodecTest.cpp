// SPDX-License-Identifier: Apache-2.0
//===- RowCodecTest.cpp - rows of tables in fewer bits --------------------===//

#include "runtime/protocol/RowCodec.h"
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace ps::runtime;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNan;

namespace {
RowCodec codecOf(DType wire, size_t width, size_t counts = 0) {
  return {DType::F32, wire, width, counts};
}

std::vector<std::byte> encode(const RowCodec &codec,
                              const std::vector<float> &rows) {
  const size_t count = rows.size() * sizeof(float) / codec.rowBytes();
  std::vector<std::byte> bytes(count * codec.wireBytes());
  codec.encode(std::as_bytes(std::span(rows)).data(), count, bytes.data());
  return bytes;
}

absl::Status decode(const RowCodec &codec, const std::vector<std::byte> &bytes,
                    std::vector<float> &rows) {
  const size_t count = bytes.size() / codec.wireBytes();
  rows.assign(count * codec.rowBytes() / sizeof(float), -1);
  // Elements may lie across pieces.
  const Piece all(bytes);
  const Piece pieces[] = {all.first(bytes.size() / 3),
                          all.subspan(bytes.size() / 3)};
  PayloadCursor cursor(pieces);
  return codec.decode(cursor, count,
                      std::as_writable_bytes(std::span(rows)).data());
}

std::vector<float> roundTrip(const RowCodec &codec,
                             const std::vector<float> &rows) {
  std::vector<float> result;
  EXPECT_TRUE(decode(codec, encode(codec, rows), result).ok());
  return result;
}

/// A row as it travels.
std::vector<std::byte> quantized(float scale, std::vector<int8_t> elements) {
  std::vector<std::byte> bytes(sizeof(scale) + elements.size());
  std::memcpy(bytes.data(), &scale, sizeof(scale));
  std::memcpy(bytes.data() + sizeof(scale), elements.data(), elements.size());
  return bytes;
}

TEST(RowCodecTest, SizesOfRows) {
  EXPECT_EQ(codecOf(DType::F32, 16).wireBytes(), 64u);
  EXPECT_EQ(codecOf(DType::BF16, 16).wireBytes(), 32u);
  EXPECT_EQ(codecOf(DType::I8, 16).wireBytes(), 20u);
  EXPECT_EQ(codecOf(DType::I8, 16, /*counts=*/2).wireBytes(), 28u);
  EXPECT_EQ((RowCodec{DType::F64, DType::F64, 3, 2}).wireBytes(), 40u);
}

TEST(RowCodecTest, TiesGoToTheEvenInteger) {
  // The scale is 1.
  EXPECT_EQ(encode(codecOf(DType::I8, 6), {127, 0.5f, 1.5f, -2.5f, 2.4f, -3}),
            quantized(1, {127, 0, 2, -2, 2, -3}));
  EXPECT_THAT(roundTrip(codecOf(DType::I8, 2), {-127, 63.5f}),
              ElementsAre(-127, 64));
}

TEST(RowCodecTest, EachRowHasItsScale) {
  EXPECT_THAT(roundTrip(codecOf(DType::I8, 2), {254, 2, 0, 0, 127e-3f, 1e-3f}),
              ElementsAre(254, 2, 0, 0, 127 * (127e-3f / 127), 127e-3f / 127));
}

TEST(RowCodecTest, ZerosHaveTheScaleZero) {
  EXPECT_EQ(encode(codecOf(DType::I8, 3), {0, -0.f, 0}),
            quantized(0, {0, 0, 0}));
  // So do numbers that are too small for a scale.
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(encode(codecOf(DType::I8, 2), {least, -least}),
            quantized(0, {0, 0}));
}

TEST(RowCodecTest, RowsThatAreNotFiniteAreNaN) {
  for (float bad : {INFINITY, -INFINITY, NAN, -NAN})
    EXPECT_THAT(roundTrip(codecOf(DType::I8, 3), {1, bad, 0}), Each(IsNan()))
        << bad;
  EXPECT_THAT(roundTrip(codecOf(DType::BF16, 3), {1, INFINITY, NAN}),
              ElementsAre(1, INFINITY, IsNan()));
  EXPECT_THAT(roundTrip(codecOf(DType::F16, 3), {1, 1e6f, NAN}),
              ElementsAre(1, INFINITY, IsNan()));
}

TEST(RowCodecTest, ErrorsAreHalfAStepAtMost) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (int i = 0; i < 1000; ++i) {
    std::vector<float> row(1 + i % 40);
    float most = 0;
    for (float &each : row) {
      each = std::ldexp(normal(random), i % 100 - 50);
      most = std::max(most, std::abs(each));
    }
    const std::vector<float> found =
        roundTrip(codecOf(DType::I8, row.size()), row);
    for (size_t j = 0; j < row.size(); ++j)
      ASSERT_LE(std::abs(found[j] - row[j]), most / 127 * 0.5001f);
  }
}

TEST(RowCodecTest, CountsStayExact) {
  for (DType wire : {DType::BF16, DType::F16, DType::I8})
    EXPECT_THAT(roundTrip(codecOf(wire, 1, /*counts=*/2),
                          {1, 16777215, 70001, 2, 3, INFINITY}),
                ElementsAre(1, 16777215, 70001, 2, 3, INFINITY));
}

TEST(RowCodecTest, RowsThatNoTrainerSendsAreRefused) {
  const RowCodec codec = codecOf(DType::I8, 2);
  std::vector<float> row;
  auto message = [&](float scale, std::vector<int8_t> elements) {
    absl::Status status = decode(codec, quantized(scale, elements), row);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_THAT(message(-1, {1, 2}), HasSubstr("at least 0, found -1"));
  EXPECT_THAT(message(-0.f, {0, 0}), HasSubstr("at least 0, found -0"));
  EXPECT_THAT(message(INFINITY, {0, 0}), HasSubstr("finite scale"));
  EXPECT_THAT(message(-INFINITY, {0, 0}), HasSubstr("at least 0, found -inf"));
  EXPECT_THAT(message(0, {0, -3}), HasSubstr("found elements from -3 to 0"));
  EXPECT_THAT(message(1, {0, -128}), HasSubstr("found -128"));
  EXPECT_TRUE(decode(codec, quantized(NAN, {1, 2}), row).ok());
  EXPECT_THAT(row, Each(IsNan()));
}

TEST(RowCodecTest, OnlyRowsOfF32LoseBits) {
  EXPECT_TRUE(canTravelAs(DType::F64, DType::F64));
  EXPECT_FALSE(canTravelAs(DType::F64, DType::F32));
  EXPECT_FALSE(canTravelAs(DType::F64, DType::I8));
  EXPECT_TRUE(canTravelAs(DType::F32, DType::I8));
  EXPECT_FALSE(canTravelAs(DType::F32, DType::UI8));
}
} // namespace
