// SPDX-License-Identifier: Apache-2.0
//===- FewerBitsTest.cpp - messages that carry less than f32 --------------===//
//
// Rows as i8 with a scale, and the largest elements of gradients: what a
// pserver makes of them, and that it refuses what no trainer sends. Single
// calls, on all links.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/ShardedRows.h"
#include "runtime/protocol/LargestElements.h"
#include "test/unit/links/TransportCluster.h"
#include <cmath>

using namespace ps::runtime;
using ::testing::TestWithParam;

namespace {
constexpr auto invalid = absl::StatusCode::kInvalidArgument;
constexpr auto order = absl::StatusCode::kFailedPrecondition;

/// Rows of 4, which travel as i8.
TableSpec embedding() {
  TableSpec spec;
  spec.name = "emb";
  spec.width = 4;
  spec.maxRows = 100;
  spec.initial = {InitialValue::Kind::Constant, 1, 0};
  spec.wire = DType::I8;
  return spec;
}

/// A message that is put together piece by piece.
struct Message {
  std::vector<std::byte> bytes;

  template <typename T>
  Message &add(T value) {
    const auto *begin = reinterpret_cast<const std::byte *>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof(value));
    return *this;
  }
  /// A row, or its gradient, as i8.
  Message &addRow(float scale, std::initializer_list<int8_t> elements) {
    add(scale);
    for (int8_t each : elements)
      add(each);
    return *this;
  }
  Message &addElement(uint32_t index, float value) {
    return add(index).add(value);
  }
};

/// A bare link of trainer 0, which may push step 0; "w" has 10 elements, of
/// which 2 are pushed.
class FewerBitsTest : public TestWithParam<Transport> {
protected:
  void SetUp() override { open(Synchronization::Sync); }

  void open(Synchronization synchronization, int trainers = 1) {
    links.clear();
    cluster = std::make_unique<Cluster>(
        GetParam(), Cluster::Setup{.trainers = trainers,
                                   .synchronization = synchronization,
                                   .blocks = {{"w", {DType::F32, {10}}, 0, 2}},
                                   .tables = {embedding()}});
    for (int id = 0; id < trainers; ++id) {
      links.push_back(cluster->rawLink());
      Pending hello, begin;
      links[id]->handshake(cluster->hello(id), hello.done());
      ASSERT_OK(hello.wait());
      if (synchronization != Synchronization::Sync)
        continue;
      links[id]->fetchBarrier({id, 1}, startupStep, begin.done());
      ASSERT_OK(begin.wait());
    }
  }

  static wire::Rows rows(DType dtype, uint64_t count) {
    return makeRows(0, "emb", dtype, 4, 0, count, count);
  }
  absl::Status pushRows(uint64_t sequence, const wire::Rows &header,
                        const Message &message) {
    const Piece piece(message.bytes);
    Pending pending;
    links[0]->pushRows(peer, sequence, header, Pieces(&piece, 1),
                       pending.done());
    return pending.wait();
  }
  absl::Status prefetch(const wire::Rows &header) {
    const int64_t id = 7;
    const Piece piece = std::as_bytes(std::span(&id, 1));
    Pending pending;
    links[0]->prefetch(peer, header, /*frozen=*/false, Pieces(&piece, 1),
                       pending.done());
    return pending.wait();
  }
  absl::Status push(uint64_t sequence, const Message &message,
                    DType dtype = DType::UI32, uint64_t bytes = 16,
                    int trainer = 0) {
    const wire::Range range = makeRange(0, "w", dtype, bytes, 0, bytes);
    const Piece piece(message.bytes);
    Pending pending;
    links[trainer]->push({trainer, 1}, sequence, std::span(&range, 1),
                         Pieces(&piece, 1), pending.done());
    return pending.wait();
  }
  static Message twoElements() {
    return Message().addElement(3, 2).addElement(4, -2);
  }
  absl::Status sendBarrier(int trainer = 0) {
    Pending pending;
    links[trainer]->sendBarrier({trainer, 1}, 0, pending.done());
    return pending.wait();
  }
  std::vector<float> values() const {
    const auto *begin = (*cluster->store->find("w")).as<float>();
    return {begin, begin + 10};
  }

  const Peer peer{0, 1};
  std::unique_ptr<Cluster> cluster;
  std::vector<std::unique_ptr<RawLink>> links;
};

TEST_P(FewerBitsTest, RowsOfI8AreReadWithTheirScale) {
  Message message;
  message.add<int64_t>(7).addRow(0.5f, {127, 0, -2, 1});
  ASSERT_OK(pushRows(1, rows(DType::I8, 1), message));
  ASSERT_OK(push(2, twoElements()));
  ASSERT_OK(sendBarrier());
  const auto *row = reinterpret_cast<float *>(cluster->tables[0]->find(7));
  const float expected[] = {1 - rate * 63.5f, 1, 1 + rate, 1 - rate / 2};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(row[i], expected[i]);
}

TEST_P(FewerBitsTest, RowsInOtherTypesAreRefused) {
  Message wide;
  wide.add<int64_t>(7).add(1.f).add(2.f).add(3.f).add(4.f);
  expectError(pushRows(1, rows(DType::F32, 1), wide), invalid,
              {"expected rows of 4 x i8 of table 'emb', found 4 x f32"});
  expectError(pushRows(1, rows(DType::BF16, 1), wide), invalid,
              {"found 4 x bf16"});
  expectError(prefetch(rows(DType::F64, 1)), invalid, {"found 4 x f64"});
  // What is evaluated has all bits.
  EXPECT_OK(prefetch(rows(DType::F32, 1)));
  EXPECT_OK(prefetch(rows(DType::I8, 1)));
}

TEST_P(FewerBitsTest, RowsOfWrongSizesAreRefused) {
  Message scaleless;
  scaleless.add<int64_t>(7).add<int32_t>(0);
  expectError(pushRows(1, rows(DType::I8, 1), scaleless), invalid,
              {"expected 16 bytes for 1 rows of table 'emb', found 12"});
  wire::Rows many = rows(DType::I8, 65536);
  many.set_total(65537);
  expectError(pushRows(1, many, scaleless), invalid, {"at most 100 rows"});
  expectError(prefetch(many), invalid,
              {"expected 524288 bytes for 65536 rows of table 'emb', found 8"});
  many.set_count(43690); // What fits into a message of f32.
  expectError(prefetch(many), invalid, {"expected messages of 65536 rows"});
}

TEST_P(FewerBitsTest, RowsWithForgedScalesAreRefused) {
  auto forged = [&](float scale, int8_t element) {
    open(Synchronization::Sync);
    Message message;
    message.add<int64_t>(7).addRow(scale, {0, element, 0, 0});
    absl::Status status = pushRows(1, rows(DType::I8, 1), message);
    EXPECT_OK(push(2, twoElements()));
    // It never counts: the step does not end without another push.
    expectError(sendBarrier(), order, {"it had pushed 0 of 1 rows"});
    EXPECT_EQ(cluster->tables[0]->size(), 0);
    return status;
  };
  const char *where = "push of rows of table 'emb' from trainer 0";
  expectError(forged(-1, 1), invalid, {where, "a scale of at least 0"});
  expectError(forged(INFINITY, 1), invalid, {where, "a finite scale"});
  expectError(forged(0, 1), invalid, {where, "zeros in a row of i8"});
  expectError(forged(1, -128), invalid, {where, "found -128"});
}

TEST_P(FewerBitsTest, ElementsOfTrainersAddUp) {
  open(Synchronization::Sync, /*trainers=*/2);
  Message first, second;
  first.addElement(0, 2).addElement(9, 4);
  second.addElement(8, -2).addElement(9, 2);
  ASSERT_OK(push(1, second, DType::UI32, 16, /*trainer=*/1));
  ASSERT_OK(push(1, first));
  Pending other;
  links[1]->sendBarrier({1, 1}, 0, other.done());
  ASSERT_OK(sendBarrier());
  ASSERT_OK(other.wait());
  EXPECT_EQ(values(), (std::vector<float>{1 - rate, 1, 1, 1, 1, 1, 1, 1,
                                          1 + rate, 1 - 3 * rate}));
}

TEST_P(FewerBitsTest, ElementsAreAppliedWithoutCommonSteps) {
  open(Synchronization::Async);
  ASSERT_OK(push(1, twoElements()));
  EXPECT_EQ(values(), (std::vector<float>{1, 1, 1, 1 - 2 * rate, 1 + 2 * rate,
                                          1, 1, 1, 1, 1}));
}

TEST_P(FewerBitsTest, ForgedElementsAreRefused) {
  Message outside, twice;
  outside.addElement(3, 1).addElement(10, 1);
  twice.addElement(3, 1).addElement(3, 1);
  expectError(push(1, outside), invalid,
              {"push of block 'w' from trainer 0",
               "expected elements below 10, found element 10"});
  expectError(sendBarrier(), order, {"it had not pushed block 'w'"});
  open(Synchronization::Sync);
  expectError(push(1, twice), invalid, {"found element 3 after element 3"});
  open(Synchronization::Async);
  expectError(push(1, outside), invalid, {"found element 10"});
  EXPECT_EQ(values(), std::vector<float>(10, 1));
}

TEST_P(FewerBitsTest, WholeGradientsAreRefusedWhereElementsAreExpected) {
  Message whole;
  for (int i = 0; i < 10; ++i)
    whole.add(1.f);
  expectError(push(1, whole, DType::F32, 40), invalid,
              {"expected a push of type ui32 for block 'w'", "found f32"});
  expectError(push(1, whole, DType::UI32, 40), invalid,
              {"expected block 'w' to have 16 bytes, found 40"});
}

INSTANTIATE_TEST_SUITE_P(Links, FewerBitsTest, allTransports, nameOf);
} // namespace
