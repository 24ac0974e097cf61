// SPDX-License-Identifier: Apache-2.0
//===- StoreTest.cpp - tensors, buffers and the store ---------------------===//

#include "runtime/variables/Store.h"
#include "test/unit/RuntimeTesting.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace ps::runtime;

namespace {
VariableSpec variable(std::string name, TensorType type,
                      InitialValue initial = {}) {
  return {name, std::move(type), initial, name, 0, ""};
}
} // namespace

TEST(Tensor, TypesPrintAsInMLIR) {
  EXPECT_EQ((TensorType{DType::F32, {784, 128}}).str(), "784x128xf32");
  EXPECT_EQ((TensorType{DType::BF16, {}}).str(), "bf16");
  EXPECT_EQ((TensorType{DType::UI8, {0}}).str(), "0xui8");
}

TEST(Tensor, RowsAndBytes) {
  TensorType scalar{DType::F64, {}}, matrix{DType::F16, {3, 5}},
      empty{DType::F32, {4, 0}};
  EXPECT_EQ(scalar.rows(), 1);
  EXPECT_EQ(scalar.rowBytes(), 8u);
  EXPECT_EQ(matrix.bytes(), 30u);
  EXPECT_EQ(matrix.rowBytes(), 10u);
  EXPECT_EQ(empty.rowBytes(), 0u);
}

TEST(Tensor, BFloat16RoundsToTheNearest) {
  auto rounded = [](double value) {
    return static_cast<double>(BFloat16(static_cast<float>(value)));
  };
  EXPECT_EQ(rounded(-1.5), -1.5);
  EXPECT_EQ(rounded(1 + 0x1p-8), 1); // A tie: to the even one.
  EXPECT_EQ(rounded(1 + 0x3p-8), 1 + 0x1p-6);
  EXPECT_EQ(rounded(1 + 0x1.2p-8), 1 + 0x1p-7);
  EXPECT_TRUE(std::isinf(rounded(std::numeric_limits<float>::max())));
  uint32_t signaling = 0x7f800001;
  EXPECT_TRUE(std::isnan(rounded(std::bit_cast<float>(signaling))));
}

TEST(Tensor, FloatTypes) {
  EXPECT_TRUE(isFloat(DType::BF16) && isFloat(DType::F16) &&
              isFloat(DType::F32) && isFloat(DType::F64));
  EXPECT_FALSE(isFloat(DType::I1) || isFloat(DType::UI64));
}

TEST(Buffer, ResizeKeepsWhatFits) {
  auto buffer = Buffer::allocate(3);
  ASSERT_TRUE(buffer.ok());
  std::memcpy(buffer->data(), "abc", 3);
  EXPECT_OK(buffer->resize(5));
  EXPECT_EQ(std::memcmp(buffer->data(), "abc\0\0", 5), 0);
  EXPECT_OK(buffer->resize(2));
  EXPECT_EQ(buffer->size(), 2u);
  EXPECT_EQ(buffer->resize(size_t(1) << 60).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::memcmp(buffer->data(), "ab", 2), 0);
}

TEST(Tensor, ImpossibleShapesAreRefused) {
  EXPECT_TRUE(failsWith(checkedBytes(DType::F32, {2, -1}).status(),
                        absl::StatusCode::kInvalidArgument,
                        "negative dimension in tensor 2x-1xf32"));
  EXPECT_TRUE(failsWith(
      checkedBytes(DType::F32, {int64_t{1} << 40, int64_t{1} << 40}).status(),
      absl::StatusCode::kInvalidArgument, "is too large"));
  // Not even when it would hold nothing.
  EXPECT_FALSE(
      checkedBytes(DType::I8, {0, int64_t{1} << 40, int64_t{1} << 40}).ok());
  EXPECT_EQ(*checkedBytes(DType::F32, {0, 5}), 0u);
}

TEST(Buffer, IsZeroedAndAligned) {
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{100}, size_t{5} << 20}) {
    absl::StatusOr<Buffer> buffer = Buffer::allocate(bytes);
    ASSERT_TRUE(buffer.ok());
    EXPECT_EQ(buffer->size(), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0u);
    for (size_t i = 0; i < bytes; i += 61)
      ASSERT_EQ(buffer->data()[i], std::byte{0});
  }
  EXPECT_TRUE(failsWith(Buffer::allocate(SIZE_MAX).status(),
                        absl::StatusCode::kResourceExhausted,
                        "cannot allocate"));
}

TEST(Store, FindsVariablesByName) {
  auto store = *Store::create(
      {variable("w", {DType::F32, {3, 2}}, {InitialValue::Kind::Constant, 0.5}),
       variable("counter", {DType::I64, {}},
                {InitialValue::Kind::Constant, 7})},
      /*seed=*/1);
  TensorRef w = *store->find("w");
  EXPECT_EQ(w.type.str(), "3x2xf32");
  EXPECT_EQ(w.as<float>()[5], 0.5f);
  EXPECT_EQ(store->find("counter")->as<int64_t>()[0], 7);
  EXPECT_TRUE(failsWith(store->find("b").status(), absl::StatusCode::kNotFound,
                        "no variable '@b'"));
  EXPECT_EQ(store->variables().size(), 2u);
  EXPECT_EQ(store->tensor(0).data, w.data);
}

TEST(Store, SlicesStartAsTheWhole) {
  InitialValue normal{InitialValue::Kind::Normal, 0, 1};
  auto whole =
      *Store::create({variable("w", {DType::F32, {10, 3}}, normal)}, 5);
  VariableSpec slice = variable("w.block1", {DType::F32, {4, 3}}, normal);
  slice.origin = "w";
  slice.rowOffset = 6;
  auto part = *Store::create({slice}, 5);
  EXPECT_EQ(std::memcmp(whole->find("w")->as<float>() + 18,
                        part->find("w.block1")->data, 48),
            0);
}

TEST(Store, BadSpecsAreRefused) {
  TensorType type{DType::F32, {2}};
  EXPECT_TRUE(failsWith(
      Store::create({variable("w", type), variable("w", type)}, 0).status(),
      absl::StatusCode::kInvalidArgument, "variable '@w' is given twice"));
  EXPECT_TRUE(failsWith(
      Store::create({variable("w", {DType::F32, {-2}})}, 0).status(),
      absl::StatusCode::kInvalidArgument, "variable '@w': negative dimension"));
  EXPECT_TRUE(failsWith(
      Store::create({variable("i", {DType::I32, {2}},
                              {InitialValue::Kind::Uniform, 0, 1})},
                    0)
          .status(),
      absl::StatusCode::kInvalidArgument, "need a float type, found 2xi32"));
  VariableSpec spec = variable("w", type);
  spec.rowOffset = -3;
  EXPECT_TRUE(failsWith(Store::create({spec}, 0).status(),
                        absl::StatusCode::kInvalidArgument,
                        "expected a row offset >= 0, found -3"));
}
