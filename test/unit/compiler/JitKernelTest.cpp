// SPDX-License-Identifier: Apache-2.0
//===- JitKernelTest.cpp - compiled kernels on buffers --------------------===//

#include "test/unit/compiler/KernelHarness.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace ps;

namespace {

CompiledKernel compileOne(const std::string &text) {
  static test::KernelHarness harness;
  return harness.compile(text).begin()->second;
}

const char *const momentum = R"mlir(
func.func @momentum(%p: tensor<?x10xf32>, %v: tensor<?x10xf32>,
                    %g: tensor<?x10xf32>, %lr: tensor<f32>)
    -> (tensor<?x10xf32>, tensor<?x10xf32>) attributes {exec.kernel} {
  %mu = stablehlo.constant dense<0.9> : tensor<f32>
  %mub = stablehlo.broadcast_in_dim %mu, dims = []
      : (tensor<f32>) -> tensor<?x10xf32>
  %lrb = stablehlo.broadcast_in_dim %lr, dims = []
      : (tensor<f32>) -> tensor<?x10xf32>
  %0 = stablehlo.multiply %mub, %v : tensor<?x10xf32>
  %1 = stablehlo.add %0, %g : tensor<?x10xf32>
  %2 = stablehlo.multiply %lrb, %1 : tensor<?x10xf32>
  %3 = stablehlo.subtract %p, %2 : tensor<?x10xf32>
  return %3, %1 : tensor<?x10xf32>, tensor<?x10xf32>
})mlir";

const char *const softmax = R"mlir(
func.func @softmax(%x: tensor<?x10xf32>) -> tensor<?x10xf32>
    attributes {exec.kernel} {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum
      across dimensions = [1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0]
      : (tensor<?xf32>) -> tensor<?x10xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x10xf32>
  %e = stablehlo.exponential %d : tensor<?x10xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add
      across dimensions = [1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0]
      : (tensor<?xf32>) -> tensor<?x10xf32>
  %r = stablehlo.divide %e, %sb : tensor<?x10xf32>
  return %r : tensor<?x10xf32>
})mlir";

std::vector<float> ramp(size_t n, float scale) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i)
    values[i] = scale * (static_cast<float>((i * 37) % 101) - 50.0f);
  return values;
}

TEST(KernelTest, InPlaceEqualsOutOfPlace) {
  CompiledKernel kernel = compileOne(momentum);
  constexpr size_t rows = 123, n = rows * 10;
  std::vector<float> p = ramp(n, 0.1f), v = ramp(n, 0.2f), g = ramp(n, 0.3f);
  float lr = 0.05f;
  std::vector<float> newP(n), newV(n);
  void *apart[] = {p.data(), v.data(), g.data(), &lr, newP.data(), newV.data()};
  kernel.function(apart, 0, rows);
  for (size_t i = 0; i < n; ++i) {
    EXPECT_FLOAT_EQ(newV[i], 0.9f * v[i] + g[i]);
    EXPECT_FLOAT_EQ(newP[i], p[i] - lr * newV[i]);
  }
  void *inPlace[] = {p.data(), v.data(), g.data(), &lr, p.data(), v.data()};
  kernel.function(inPlace, 0, rows);
  EXPECT_EQ(p, newP);
  EXPECT_EQ(v, newV);
}

TEST(KernelTest, SplitRowsEqualWhole) {
  CompiledKernel kernel = compileOne(softmax);
  EXPECT_TRUE(kernel.scratchBytes.empty());
  constexpr size_t rows = 1000, n = rows * 10;
  std::vector<float> x = ramp(n, 0.1f), whole(n), split(n);
  void *wholeBuffers[] = {x.data(), whole.data()};
  kernel.function(wholeBuffers, 0, rows);
  void *splitBuffers[] = {x.data(), split.data()};
  for (auto [begin, end] : {std::pair(0, 1), {1, 250}, {250, 251}, {251, 1000}})
    kernel.function(splitBuffers, begin, end);
  kernel.function(splitBuffers, 5, 5);
  EXPECT_EQ(whole, split);
  for (size_t row = 0; row < rows; ++row) {
    double sum = 0, expected = 0;
    for (size_t i = 0; i < 10; ++i) {
      sum += whole[row * 10 + i];
      expected += std::exp(double(x[row * 10 + i]) - x[row * 10]);
    }
    EXPECT_NEAR(sum, 1.0, 1e-6);
    EXPECT_NEAR(whole[row * 10] * expected, 1.0, 1e-6);
  }
}

/// Runs a unary f32 kernel on every 1009th float and returns the largest
/// error in units of the last place against `reference`.
template <typename Reference>
double maxUlp(const std::string &op, Reference reference) {
  CompiledKernel kernel =
      compileOne("func.func @k(%x: tensor<?xf32>) -> tensor<?xf32> attributes "
                 "{exec.kernel} {\n  %0 = stablehlo." +
                 op + " %x : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n");
  std::vector<float> x;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 1009) {
    float value;
    uint32_t word = static_cast<uint32_t>(bits);
    std::memcpy(&value, &word, 4);
    x.push_back(value);
  }
  for (float special : {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN,
                        std::numeric_limits<float>::denorm_min(),
                        std::numeric_limits<float>::max()})
    x.push_back(special);
  std::vector<float> y(x.size());
  void *buffers[] = {x.data(), y.data()};
  kernel.function(buffers, 0, x.size());
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double exact = reference(static_cast<double>(x[i]));
    auto rounded = static_cast<float>(exact);
    if (std::isnan(rounded) || std::isinf(rounded) || rounded == 0) {
      bool same =
          std::isnan(rounded)
              ? std::isnan(y[i])
              : y[i] == rounded && std::signbit(y[i]) == std::signbit(rounded);
      // A value that rounds to the largest number may round up.
      same |= std::isinf(rounded) && std::nextafter(y[i], rounded) == rounded;
      same |= rounded == 0 &&
              std::abs(y[i]) <= std::numeric_limits<float>::denorm_min();
      EXPECT_TRUE(same) << op << "(" << x[i] << ") = " << y[i];
      continue;
    }
    double ulp =
        std::nextafter(std::abs(rounded), INFINITY) - std::abs(rounded);
    double error = std::abs(y[i] - exact) / ulp;
    worst = std::max(worst, std::isnan(error) ? INFINITY : error);
  }
  return worst;
}

TEST(KernelTest, FunctionsAreAccurate) {
  EXPECT_LE(maxUlp("exponential", [](double x) { return std::exp(x); }), 1.5);
  EXPECT_LE(
      maxUlp("exponential_minus_one", [](double x) { return std::expm1(x); }),
      2.0);
  EXPECT_LE(maxUlp("log", [](double x) { return std::log(x); }), 1.5);
  EXPECT_LE(maxUlp("log_plus_one", [](double x) { return std::log1p(x); }),
            2.0);
  EXPECT_LE(maxUlp("tanh", [](double x) { return std::tanh(x); }), 2.5);
  EXPECT_LE(maxUlp("cbrt", [](double x) { return std::cbrt(x); }), 1.0);
  EXPECT_LE(maxUlp("sine", [](double x) { return std::sin(x); }), 1.0);
}

/// Runs a kernel without arguments that returns pairs of an actual and an
/// expected tensor, and compares their bytes.
void expectPairs(const std::string &body) {
  test::KernelHarness harness(/*threads=*/1);
  std::vector<int64_t> bytes = harness.measureResults(body);
  CompiledKernel kernel = harness.compile(body).begin()->second;
  std::vector<std::vector<char>> storage;
  std::vector<void *> buffers;
  for (int64_t size : bytes)
    storage.emplace_back(size + 1, 0x5a);
  for (std::vector<char> &buffer : storage)
    buffers.push_back(buffer.data());
  std::vector<std::vector<char>> scratch;
  for (int64_t size : kernel.scratchBytes) {
    scratch.emplace_back(size);
    buffers.push_back(scratch.back().data());
  }
  kernel.function(buffers.data(), 0, 1);
  for (size_t i = 0; i + 1 < storage.size(); i += 2)
    EXPECT_EQ(storage[i], storage[i + 1]) << "pair " << i / 2 << " of " << body;
}

TEST(KernelTest, ElementTypes) {
  for (std::string element : {"i8", "i16", "i32", "i64", "ui8", "ui16", "ui32",
                              "ui64", "bf16", "f16", "f32", "f64"}) {
    std::string type = "tensor<3x" + element + ">";
    bool isFloat = element.find('f') != std::string::npos;
    auto list = [&](std::vector<int> values) {
      std::string text = "stablehlo.constant dense<[";
      for (size_t i = 0; i < values.size(); ++i)
        text +=
            (i ? ", " : "") + std::to_string(values[i]) + (isFloat ? ".0" : "");
      return text + "]> : " + type + "\n";
    };
    expectPairs("func.func @k() -> (" + type + ", " + type + ", " + type +
                ", " + type + ") attributes {exec.kernel} {\n" + //
                "%x = " + list({1, 6, 100}) + "%y = " + list({3, 2, 10}) +
                "%sum = " + list({4, 8, 110}) + "%max = " + list({3, 6, 100}) +
                "%0 = stablehlo.add %x, %y : " + type + "\n" +
                "%1 = stablehlo.maximum %x, %y : " + type + "\n" +
                "return %0, %sum, %1, %max : " + type + ", " + type + ", " +
                type + ", " + type + "\n}\n");
  }
}

// The intermediate of 120 kB does not fit on the stack.
TEST(KernelTest, LargeIntermediatesAreScratch) {
  CompiledKernel kernel = compileOne(R"mlir(
func.func @k(%x: tensor<100x300xf32>) -> tensor<300xf32>
    attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<100x300xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add
      across dimensions = [1] : (tensor<100x300xf32>, tensor<f32>) -> tensor<100xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0]
      : (tensor<100xf32>) -> tensor<100x300xf32>
  %d = stablehlo.divide %e, %sb : tensor<100x300xf32>
  %m = stablehlo.reduce(%d init: %zero) applies stablehlo.add
      across dimensions = [0] : (tensor<100x300xf32>, tensor<f32>) -> tensor<300xf32>
  return %m : tensor<300xf32>
})mlir");
  ASSERT_EQ(kernel.scratchBytes, std::vector<int64_t>{100 * 300 * 4});
  std::vector<float> x(30000, 0.5f), y(300), scratch(30000);
  void *buffers[] = {x.data(), y.data(), scratch.data()};
  kernel.function(buffers, 0, 1);
  for (float value : y)
    EXPECT_NEAR(value, 100.0 / 300.0, 1e-6);
}

// A row of the intermediate does not fit on the stack: its size is per row.
TEST(KernelTest, ScratchOfRowKernelsIsPerRow) {
  CompiledKernel kernel = compileOne(R"mlir(
func.func @k(%x: tensor<?x20000xf32>) -> tensor<?x20000xf32>
    attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<?x20000xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add
      across dimensions = [1] : (tensor<?x20000xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0]
      : (tensor<?xf32>) -> tensor<?x20000xf32>
  %d = stablehlo.divide %e, %sb : tensor<?x20000xf32>
  return %d : tensor<?x20000xf32>
})mlir");
  ASSERT_EQ(kernel.scratchBytes, std::vector<int64_t>{20000 * 4});
  std::vector<float> x(60000, 0.5f), y(60000), scratch(60000);
  void *buffers[] = {x.data(), y.data(), scratch.data()};
  kernel.function(buffers, 1, 3);
  EXPECT_EQ(y[0], 0.0f);
  EXPECT_NEAR(y[20000], 1.0 / 20000, 1e-9);
  EXPECT_NEAR(y[59999], 1.0 / 20000, 1e-9);
}

// Two names, one body: compiled once.
TEST(KernelTest, EqualKernelsAreCompiledOnce) {
  test::KernelHarness harness;
  std::string text = momentum;
  std::string copy = text;
  copy.replace(copy.find("@momentum"), 9, "@other");
  auto kernels = harness.compile(text + copy);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels["momentum"].function, kernels["other"].function);
}

} // namespace
