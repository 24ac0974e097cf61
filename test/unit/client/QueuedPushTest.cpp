// SPDX-License-Identifier: Apache-2.0
//===- QueuedPushTest.cpp - the sums of pushes that wait ------------------===//

#include "runtime/client/QueuedPush.h"
#include "test/unit/client/FakeClient.h"
#include "test/unit/links/TransportCluster.h"
#include <gmock/gmock.h>

using namespace ps::runtime;
using ::testing::ElementsAre;

namespace {
/// Keeps what is pushed.
class Recorder final : public FakeClient {
public:
  void push(int64_t step, std::span<const SendPart> parts, Done done) override {
    pushedStep = step;
    for (const SendPart &part : parts)
      blocks[part.block].assign(part.rows.begin(), part.rows.end());
    done(absl::OkStatus());
  }
  void pushRows(int64_t step, const RowGradients &rows, Done done) override {
    pushedStep = step;
    const auto *values = reinterpret_cast<const float *>(rows.gradients.data());
    for (size_t i = 0; i < rows.ids.size(); ++i)
      this->rows[rows.ids[i]] = values[i * rows.width];
    done(absl::OkStatus());
  }

  template <typename T>
  std::vector<T> valuesOf(const std::string &block) {
    std::vector<T> values(blocks[block].size() / sizeof(T));
    std::memcpy(values.data(), blocks[block].data(), blocks[block].size());
    return values;
  }

  int64_t pushedStep = -1;
  std::map<std::string, std::vector<std::byte>> blocks;
  std::map<int64_t, float> rows;
};

template <typename T>
SendPart partOf(const std::string &block, DType dtype,
                const std::vector<T> &values) {
  return {block, dtype, std::as_bytes(std::span(values))};
}

using Pushes = std::vector<std::shared_ptr<QueuedPush>>;

/// Adds all to the first one, and sends it.
size_t sendAll(const Pushes &pushes, Recorder &recorder) {
  const size_t added = pushes[0]->addAll(std::span(pushes).subspan(1));
  pushes[0]->send(recorder, [](const absl::Status &) {});
  return added;
}

/// One of 256 and one of 1 would stay 256, one after the other.
TEST(QueuedPush, HalfTypesAreRoundedOnce) {
  const std::vector<BFloat16> ones(3, BFloat16(1.0f));
  const std::vector<SendPart> parts = {partOf("w", DType::BF16, ones)};
  Pushes pushes;
  for (int64_t step = 0; step < 300; ++step)
    pushes.push_back(*copyPush(step, parts));
  Recorder recorder;
  EXPECT_EQ(sendAll(pushes, recorder), 299u);
  EXPECT_EQ(recorder.pushedStep, 299);
  for (BFloat16 value : recorder.valuesOf<BFloat16>("w"))
    EXPECT_EQ(static_cast<float>(value), 300.0f);
}

/// Parts of a message, the second after an odd number of elements.
TEST(QueuedPush, EachBlockHasItsSum) {
  const std::vector<float> w(3, 1.5f);
  const std::vector<int64_t> count(1, 7);
  const std::vector<SendPart> parts = {partOf("w", DType::F32, w),
                                       partOf("step", DType::I64, count)};
  Recorder recorder;
  EXPECT_EQ(sendAll({*copyPush(4, parts), *copyPush(5, parts)}, recorder), 1u);
  EXPECT_THAT(recorder.valuesOf<float>("w"), ElementsAre(3, 3, 3));
  EXPECT_THAT(recorder.valuesOf<int64_t>("step"), ElementsAre(14));
}

TEST(QueuedPush, WhatHasNoSumIsNotAdded) {
  const std::vector<float> two(2, 1), three(3, 1);
  const std::vector<uint32_t> numbers(2, 1);
  const std::vector<SendPart> w = {partOf("w", DType::F32, two)},
                              longer = {partOf("w", DType::F32, three)},
                              other = {partOf("b", DType::F32, two)},
                              list = {partOf("w", DType::UI32, numbers)};
  Recorder recorder;
  EXPECT_EQ(sendAll({*copyPush(0, w), *copyPush(1, w), *copyPush(2, longer),
                     *copyPush(3, w)},
                    recorder),
            1u);
  EXPECT_EQ(recorder.pushedStep, 1);
  EXPECT_EQ(sendAll({*copyPush(0, w), *copyPush(1, other)}, recorder), 0u);
  EXPECT_EQ(sendAll({*copyPush(0, list), *copyPush(1, list)}, recorder), 0u);
}

TEST(QueuedPush, RowsAreAddedById) {
  auto rowsOf = [](std::span<const int64_t> ids,
                   const std::vector<float> &values) {
    RowGradients rows;
    rows.table = "emb";
    rows.width = 2;
    rows.ids = ids;
    rows.gradients = std::as_bytes(std::span(values));
    return rows;
  };
  const std::vector<int64_t> a = {3, 1}, b = {1, 9}, c = {9};
  const std::vector<float> first = {1, 1, 2, 2}, second = {10, 10, 20, 20},
                           third = {100, 100};
  Recorder recorder;
  EXPECT_EQ(
      sendAll({*copyPush(0, rowsOf(a, first)), *copyPush(1, rowsOf(b, second)),
               *copyPush(2, rowsOf(c, third))},
              recorder),
      2u);
  EXPECT_EQ(recorder.pushedStep, 2);
  EXPECT_EQ(recorder.rows,
            (std::map<int64_t, float>{{3, 1}, {1, 12}, {9, 120}}));
}
} // namespace
