// SPDX-License-Identifier: Apache-2.0
//===- ProductTrial.cpp - does a library compute what we mean? ------------===//
//
// For an epilogue, A has values in its first column and B in its first row,
// else zeros, so that each element of the product is one value of A times one
// of B, exact in every precision. Among those of A are NaN, infinities and
// zeros; the bias has bits that no rounded type keeps.
//
// For sums, all elements have such bits.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/ProductTrial.h"
#include "absl/strings/str_format.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace ps::runtime;

static constexpr int64_t largestSize = 1024, largestBatch = 2;
static constexpr int numValues = 48;

/// Exact in bf16.
static float valueOf(int64_t number) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float special[] = {std::numeric_limits<float>::quiet_NaN(),
                               infinity,
                               -infinity,
                               0.0f,
                               -0.0f,
                               96.0f,
                               -96.0f};
  number %= numValues;
  if (number < int64_t(std::size(special)))
    return special[number];
  return 0.25f * static_cast<float>(number - 27);
}

/// Exact in bf16, not 0: infinity times that is infinity.
static float scaleOf(int64_t column) {
  constexpr float scales[] = {1.0f, -0.5f, 0.25f, 2.0f, -1.0f};
  return scales[column % 5];
}

static float biasOf(int64_t column) {
  return 0.1f * static_cast<float>(column % 13 - 6);
}

static float denseOf(int64_t row, int64_t column) {
  return 0.013f * static_cast<float>((row * 7 + column * 13) % 101 - 50);
}

ProductTrial::ProductTrial(const DeviceProduct &product) : trial(product) {
  trial.batch = std::min(product.batch, largestBatch);
  trial.m = std::min(product.m, largestSize);
  trial.n = std::min(product.n, largestSize);
  trial.k = std::min(product.k, largestSize);
  trial.a = trial.b = trial.bias = nullptr;
  trial.c = trial.sums = nullptr;
}

int ProductTrial::rounds() const {
  if (trial.epilogue == Epilogue::None)
    return 1;
  return static_cast<int>((numValues + trial.m - 1) / trial.m);
}

float ProductTrial::valueA(const Operands &operands, int64_t i,
                           int64_t l) const {
  return operands.a[trial.transposeA ? l * trial.m + i : i * trial.k + l];
}

float ProductTrial::valueB(const Operands &operands, int64_t l,
                           int64_t j) const {
  return operands.b[trial.transposeB ? j * trial.k + l : l * trial.n + j];
}

/// Every product of the batch is the same.
static void repeat(std::vector<float> &matrix, int64_t batch) {
  const size_t size = matrix.size();
  for (int64_t i = 1; i < batch; ++i)
    for (size_t j = 0; j != size; ++j)
      matrix.push_back(matrix[j]);
}

ProductTrial::Operands ProductTrial::makeSparse(int round) const {
  Operands operands;
  operands.a.resize(trial.m * trial.k);
  operands.b.resize(trial.k * trial.n);
  for (int64_t i = 0; i < trial.m; ++i)
    operands.a[trial.transposeA ? i : i * trial.k] =
        valueOf(round * trial.m + i);
  for (int64_t j = 0; j < trial.n; ++j) {
    operands.b[trial.transposeB ? j * trial.k : j] = scaleOf(j);
    operands.bias.push_back(biasOf(j));
  }
  return operands;
}

ProductTrial::Operands ProductTrial::makeDense() const {
  Operands operands;
  for (int64_t i = 0; i < trial.m * trial.k; ++i)
    operands.a.push_back(denseOf(i / 61, i));
  for (int64_t i = 0; i < trial.k * trial.n; ++i)
    operands.b.push_back(denseOf(i, i / 53));
  operands.bias.resize(trial.n);
  return operands;
}

ProductTrial::Operands ProductTrial::makeOperands(int round) const {
  Operands operands =
      trial.epilogue == Epilogue::None ? makeDense() : makeSparse(round);
  repeat(operands.a, trial.batch);
  repeat(operands.b, trial.batch);
  return operands;
}

std::vector<std::byte> ProductTrial::pack(std::span<const float> operand,
                                          Precision precision) {
  const auto size = static_cast<size_t>(operandBytes(precision));
  std::vector<std::byte> packed(operand.size() * size);
  for (size_t i = 0; i != operand.size(); ++i) {
    auto word = std::bit_cast<uint32_t>(operand[i]);
    if (precision == Precision::BF16)
      word >>= 16;
    // The first bytes are the lower ones.
    std::memcpy(packed.data() + i * size, &word, size);
  }
  return packed;
}

absl::Status ProductTrial::check(int round, std::span<const float> c,
                                 std::span<const float> sums) const {
  const Operands operands = makeOperands(round);
  return trial.epilogue == Epilogue::None ? checkSums(operands, sums)
                                          : checkEpilogue(operands, c);
}

/// Rounded once more or less, or the same NaN, infinity or zero.
static bool isClose(float actual, float expected, double tolerance) {
  if (std::isnan(expected) || std::isinf(expected))
    return std::isnan(expected) ? std::isnan(actual) : actual == expected;
  return std::abs(double(actual) - expected) <=
         tolerance * std::max(1.0, std::abs(double(expected)));
}

absl::Status ProductTrial::checkEpilogue(const Operands &operands,
                                         std::span<const float> c) const {
  // tanh is another one everywhere; a sum is not.
  const bool isGelu =
      trial.epilogue == Epilogue::Gelu || trial.epilogue == Epilogue::BiasGelu;
  const double tolerance = isGelu ? 2e-6 : 3e-7;
  for (int64_t i = 0; i < trial.batch * trial.m; ++i)
    for (int64_t j = 0; j < trial.n; ++j) {
      float x = valueA(operands, i % trial.m, 0) * valueB(operands, 0, j);
      if (addsBias(trial.epilogue))
        x += operands.bias[j];
      const float expected = activate(trial.epilogue, x);
      if (const float actual = c[i * trial.n + j];
          !isClose(actual, expected, tolerance))
        return absl::UnimplementedError(absl::StrFormat(
            "%s of %g is %g, expected %g",
            std::string(epilogueName(trial.epilogue)), x, actual, expected));
    }
  return absl::OkStatus();
}

absl::Status ProductTrial::checkSums(const Operands &operands,
                                     std::span<const float> sums) const {
  const bool ofA = trial.summed == SummedOperand::A;
  for (int64_t column = 0; column < (ofA ? trial.m : trial.n); ++column) {
    double sum = 0, magnitude = 0;
    for (int64_t l = 0; l < trial.k; ++l) {
      const double value =
          ofA ? valueA(operands, column, l) : valueB(operands, l, column);
      sum += value;
      magnitude += std::abs(value);
    }
    // Rounding the elements, even to tf32, makes more of a difference.
    if (!(std::abs(sums[column] - sum) <= 2e-6 * magnitude))
      return absl::UnimplementedError(
          absl::StrFormat("the sum of column %d is %g, expected %g", column,
                          sums[column], sum));
  }
  return absl::OkStatus();
}
