// SPDX-License-Identifier: Apache-2.0
//===- ProductTrialTest.cpp - which epilogues a trial finds wrong ---------===//
//
// Plays a library: products that are right, and such as a library might have.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/ProductTrial.h"
#include "test/unit/RuntimeTesting.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

using namespace ps::runtime;

namespace {

/// As the bits of tf32.
float truncate(float value) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & ~0x1fffu);
}

float at(const std::vector<float> &matrix, bool transposed, int64_t row,
         int64_t column, int64_t rows, int64_t columns) {
  return matrix[transposed ? column * rows + row : row * columns + column];
}

/// What a library makes of x and a bias, by row and column.
using Library = std::function<float(float x, const std::vector<float> &bias,
                                    int64_t i, int64_t j)>;

/// What the trial says of a library that works like that.
absl::Status tryEpilogue(DeviceProduct product, const Library &library) {
  ProductTrial trial(product);
  const DeviceProduct &p = trial.shape();
  for (int round = 0; round < trial.rounds(); ++round) {
    ProductTrial::Operands operands = trial.makeOperands(round);
    std::vector<float> c;
    for (int64_t i = 0; i < p.batch * p.m; ++i)
      for (int64_t j = 0; j < p.n; ++j) {
        float x = 0;
        for (int64_t l = 0; l < p.k; ++l)
          x += at(operands.a, p.transposeA, i % p.m, l, p.m, p.k) *
               at(operands.b, p.transposeB, l, j, p.k, p.n);
        c.push_back(library(x, operands.bias, i, j));
      }
    if (absl::Status status = trial.check(round, c, {}); !status.ok())
      return status;
  }
  return absl::OkStatus();
}

/// The right one.
Library apply(Epilogue epilogue) {
  return [=](float x, const std::vector<float> &bias, int64_t, int64_t j) {
    return activate(epilogue, addsBias(epilogue) ? x + bias[j] : x);
  };
}

constexpr Epilogue epilogues[] = {Epilogue::Bias, Epilogue::Relu,
                                  Epilogue::BiasRelu, Epilogue::Gelu,
                                  Epilogue::BiasGelu};

TEST(ProductTrial, TakesEpiloguesThatAreRight) {
  for (Epilogue epilogue : epilogues)
    for (bool transposed : {false, true})
      for (auto [batch, m, n, k] :
           {std::array<int64_t, 4>{1, 1, 1, 1}, {3, 7, 5, 3}, {1, 64, 10, 2}})
        EXPECT_OK(tryEpilogue({.transposeA = transposed,
                               .transposeB = !transposed,
                               .batch = batch,
                               .m = m,
                               .n = n,
                               .k = k,
                               .epilogue = epilogue},
                              apply(epilogue)));
}

/// max.f32 gives the operand that is a number.
TEST(ProductTrial, RefusesAReluThatLosesNaN) {
  auto library = [](float x, const std::vector<float> &bias, int64_t,
                    int64_t j) { return std::fmax(x + bias[j], 0.0f); };
  for (int64_t m : {1, 8, 100})
    EXPECT_TRUE(failsWith(
        tryEpilogue({.m = m, .n = 4, .k = 4, .epilogue = Epilogue::BiasRelu},
                    library),
        absl::StatusCode::kUnimplemented, "bias_relu of nan is 0, expected"));
}

TEST(ProductTrial, RefusesOtherFormulasOfGelu) {
  auto byErf = [](float x, const std::vector<float> &, int64_t, int64_t) {
    return 0.5f * x * (1 + std::erf(x * 0.707106781f));
  };
  auto byLogistic = [](float x, const std::vector<float> &, int64_t, int64_t) {
    return x / (1 + std::exp(-1.702f * x));
  };
  // As exact as the fast tanh of a GPU.
  auto byFastTanh = [](float x, const std::vector<float> &bias, int64_t i,
                       int64_t j) {
    return apply(Epilogue::Gelu)(x, bias, i, j) * (1 + 2e-4f);
  };
  for (const Library &library :
       {Library(byErf), Library(byLogistic), Library(byFastTanh)})
    EXPECT_TRUE(failsWith(
        tryEpilogue({.m = 64, .n = 8, .k = 4, .epilogue = Epilogue::Gelu},
                    library),
        absl::StatusCode::kUnimplemented, "gelu of"));
}

TEST(ProductTrial, RefusesABiasThatIsRoundedOrOfRows) {
  auto rounded = [](float x, const std::vector<float> &bias, int64_t,
                    int64_t j) { return x + truncate(bias[j]); };
  auto ofRows = [](float x, const std::vector<float> &bias, int64_t i,
                   int64_t) { return x + bias[i % bias.size()]; };
  for (const Library &library : {Library(rounded), Library(ofRows)})
    EXPECT_TRUE(failsWith(
        tryEpilogue({.m = 16, .n = 8, .k = 4, .epilogue = Epilogue::Bias},
                    library),
        absl::StatusCode::kUnimplemented, "bias of"));
}

/// What the trial says of sums of elements that a library sees like that.
absl::Status trySums(DeviceProduct product, SummedOperand summed,
                     const std::function<float(float)> &seen) {
  product.summed = summed;
  ProductTrial trial(product);
  const DeviceProduct &p = trial.shape();
  const ProductTrial::Operands operands = trial.makeOperands(0);
  const bool ofA = summed == SummedOperand::A;
  std::vector<float> sums;
  for (int64_t column = 0; column < (ofA ? p.m : p.n); ++column) {
    float sum = 0;
    for (int64_t l = 0; l < p.k; ++l)
      sum += seen(ofA ? at(operands.a, p.transposeA, column, l, p.m, p.k)
                      : at(operands.b, p.transposeB, l, column, p.k, p.n));
    sums.push_back(sum);
  }
  return trial.check(0, {}, sums);
}

TEST(ProductTrial, TakesSumsOfAllElementsOnly) {
  auto same = [](float value) { return value; };
  for (SummedOperand summed : {SummedOperand::A, SummedOperand::B})
    for (bool transposed : {false, true}) {
      const DeviceProduct product = {.transposeA = transposed,
                                     .transposeB = transposed,
                                     .m = 40,
                                     .n = 50,
                                     .k = 1000};
      EXPECT_OK(trySums(product, summed, same));
      EXPECT_TRUE(failsWith(trySums(product, summed, truncate),
                            absl::StatusCode::kUnimplemented,
                            "the sum of column"));
    }
}

/// What a device of bf16 is given has the values that the trial expects.
TEST(ProductTrial, TriesEpiloguesOnValuesOfBf16) {
  ProductTrial trial({.precision = Precision::BF16,
                      .m = 30,
                      .n = 7,
                      .k = 5,
                      .epilogue = Epilogue::Relu});
  for (int round = 0; round < trial.rounds(); ++round) {
    const ProductTrial::Operands operands = trial.makeOperands(round);
    for (const std::vector<float> &operand : {operands.a, operands.b}) {
      const std::vector<std::byte> packed =
          ProductTrial::pack(operand, Precision::BF16);
      ASSERT_EQ(packed.size(), 2 * operand.size());
      for (size_t i = 0; i != operand.size(); ++i) {
        uint16_t upper = 0;
        std::memcpy(&upper, packed.data() + 2 * i, sizeof(upper));
        EXPECT_EQ(uint32_t{upper} << 16, std::bit_cast<uint32_t>(operand[i]));
      }
    }
  }
}

/// Sizes beyond those that differ cost memory only.
TEST(ProductTrial, IsSmall) {
  ProductTrial trial({.batch = 100, .m = 5000, .n = 7, .k = 1 << 20});
  EXPECT_EQ(trial.shape().batch, 2);
  EXPECT_EQ(trial.shape().m, 1024);
  EXPECT_EQ(trial.shape().n, 7);
  EXPECT_EQ(trial.shape().k, 1024);
}

} // namespace
