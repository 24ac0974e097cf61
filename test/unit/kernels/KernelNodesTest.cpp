// SPDX-License-Identifier: Apache-2.0
//===- KernelNodesTest.cpp - kernel, copy and matrix product nodes --------===//

#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/LowPrecision.h"
#include "test/unit/RuntimeTesting.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

using namespace ps::runtime;

namespace {
/// A product with everything that has to stay alive for it.
struct Product {
  Product(GemmCall shape, std::mt19937 &random)
      : call(shape), a(shape.batch * shape.m * shape.k),
        b(shape.batch * shape.k * shape.n),
        c(shape.batch * shape.m * shape.n, NAN) {
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (float &x : a)
      x = uniform(random);
    for (float &x : b)
      x = uniform(random);
    call.a = a.data();
    call.b = b.data();
    call.c = c.data();
  }

  /// To the nearest bf16.
  void roundInputs() {
    for (std::vector<float> *input : {&a, &b})
      for (float &x : *input) {
        int exponent;
        const double fraction = std::frexp(x, &exponent);
        x = static_cast<float>(
            std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8));
      }
  }

  double expected(int64_t item, int64_t i, int64_t j) const {
    double sum = 0;
    for (int64_t l = 0; l < call.k; ++l)
      sum += double(a[item * call.m * call.k +
                      (call.transposeA ? l * call.m + i : i * call.k + l)]) *
             b[item * call.k * call.n +
               (call.transposeB ? j * call.k + l : l * call.n + j)];
    return sum;
  }

  void check(double scale = 1) const {
    const double tolerance = 4e-6 * (1 + std::sqrt(double(call.k)));
    for (int64_t item = 0; item < call.batch; ++item)
      for (int64_t i = 0; i < call.m; ++i)
        for (int64_t j = 0; j < call.n; ++j)
          ASSERT_NEAR(c[(item * call.m + i) * call.n + j],
                      scale * expected(item, i, j), tolerance * scale)
              << "item " << item << " row " << i << " column " << j << " of "
              << call.batch << "x" << call.m << "x" << call.n << "x" << call.k
              << (call.transposeA ? " T" : " N")
              << (call.transposeB ? "T" : "N");
  }

  GemmCall call;
  std::vector<float> a, b, c;
};

GemmCall shape(int64_t m, int64_t n, int64_t k, bool transposeA = false,
               bool transposeB = false, int64_t batch = 1) {
  GemmCall call;
  call.m = m;
  call.n = n;
  call.k = k;
  call.transposeA = transposeA;
  call.transposeB = transposeB;
  call.batch = batch;
  return call;
}

/// Doubles rows of the matrix buffers[0] whose width buffers[1] points to, and
/// counts the rows in buffers[2].
void doubleRows(void *const *buffers, int64_t begin, int64_t end) {
  float *c = static_cast<float *>(buffers[0]);
  const int64_t n = *static_cast<int64_t *>(buffers[1]);
  for (int64_t i = begin * n; i < end * n; ++i)
    c[i] *= 2;
  *static_cast<std::atomic<int64_t> *>(buffers[2]) += end - begin;
}

void addOne(void *const *buffers, int64_t begin, int64_t end) {
  int *data = static_cast<int *>(buffers[0]);
  for (int64_t i = begin; i < end; ++i)
    ++data[i];
}
} // namespace

TEST(KernelNode, WholeKernelRunsOnce) {
  int value = 0;
  KernelCall call{addOne, {&value}, std::nullopt, 0};
  EXPECT_OK(runNode(makeKernelNode("k", call), 2));
  EXPECT_EQ(value, 1);
}

TEST(KernelNode, SplitKernelCoversEachRowOnce) {
  for (int64_t rows : {0, 1, 1000, 300'000}) {
    std::vector<int> values(rows, 0);
    KernelCall call{addOne, {values.data()}, rows, sizeof(int) * 2};
    EXPECT_OK(runNode(makeKernelNode("k", call), 3));
    EXPECT_EQ(std::accumulate(values.begin(), values.end(), int64_t{0}), rows);
  }
}

TEST(CopyNode, CopiesAllBytes) {
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{3'000'001}}) {
    std::vector<char> from(bytes), to(bytes, 0);
    for (size_t i = 0; i < bytes; ++i)
      from[i] = static_cast<char>(i * 31);
    auto whole = [](std::vector<char> &values) {
      return TensorRef{{DType::I8, {static_cast<int64_t>(values.size())}},
                       reinterpret_cast<std::byte *>(values.data())};
    };
    EXPECT_OK(runNode(
        makeCopyNode("copy", Device::cpu(), whole(from), whole(to)), 2));
    EXPECT_EQ(from, to);
  }
}

TEST(GemmNode, RandomShapesAgreeWithDouble) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  auto dim = [&](int64_t limit) {
    return int64_t(random() % 4 == 0 ? 1 + random() % 3 : 1 + random() % limit);
  };
  for (int round = 0; round < 60; ++round) {
    Product product(shape(dim(200), dim(200), dim(150), random() % 2,
                          random() % 2, random() % 3 ? 1 : dim(4)),
                    random);
    EXPECT_OK(runNode(makeGemmNode("g", product.call), 1 + random() % 3));
    product.check();
  }
}

TEST(GemmNode, LargeShapesSplitInEveryLayout) {
  std::mt19937 random(3);
  for (bool transposeA : {false, true})
    for (bool transposeB : {false, true})
      for (auto [m, n, k] : {std::tuple(515, 130, 90), std::tuple(20, 700, 300),
                             std::tuple(3, 1500, 800)}) {
        Product product(shape(m, n, k, transposeA, transposeB), random);
        EXPECT_OK(runNode(makeGemmNode("g", product.call), 3));
        product.check();
      }
}

/// Inputs that are bf16 have exact products, so the plain reference serves.
static void checkBf16(int64_t k, std::mt19937 &random) {
  GemmCall call = shape(2 + random() % 300, 2 + random() % 200, k, random() % 2,
                        random() % 2, 1 + random() % 2);
  call.precision = Precision::BF16;
  Product product(call, random);
  // The kernel gets what is not rounded; the reference rounds by itself.
  EXPECT_OK(runNode(makeGemmNode("g", product.call), 1 + random() % 3));
  product.roundInputs();
  product.check();
}

TEST(GemmNode, Bf16RoundsItsInputsAndAddsInFloat) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 40; ++round)
    checkBf16(/*k=*/2 + random() % 150, random);
}

/// Where oneDNN 2.6 is wrong, or ends the process, on processors with AMX.
TEST(GemmNode, Bf16SumsOf63Products) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round)
    checkBf16(/*k=*/63, random);
}

TEST(LowPrecision, RoundsToTheNearestAndKeepsNan) {
  const float from[] = {1.0f,           1.00390625f, 1.01171875f, -0.0f,
                        INFINITY,       3.4e38f,     1e-40f,      -1.004f,
                        std::nanf("1"), 0.1f};
  constexpr int64_t count = std::size(from);
  uint16_t bits[count];
  float floats[count];
  roundToBf16(from, bits, count);
  roundToBf16(from, floats, count);
  const uint16_t expected[] = {0x3f80, 0x3f80, 0x3f82, 0x8000, 0x7f80,
                               0x7f80, 0x0001, 0xbf81, 0x7fc0, 0x3dcd};
  for (int64_t i = 0; i < count; ++i) {
    EXPECT_EQ(bits[i], expected[i]) << i;
    EXPECT_EQ(std::bit_cast<uint32_t>(floats[i]), uint32_t(expected[i]) << 16)
        << i;
  }
}

TEST(GemmNode, OneWideSides) {
  std::mt19937 random(4);
  for (bool transposeA : {false, true})
    for (bool transposeB : {false, true})
      for (auto [m, n, k] :
           {std::tuple(3000, 1, 200), std::tuple(1, 3000, 200),
            std::tuple(1, 1, 5000), std::tuple(37, 1, 13), std::tuple(1, 19, 1),
            std::tuple(1001, 77, 1), std::tuple(1, 1, 1)}) {
        Product product(shape(m, n, k, transposeA, transposeB, 3), random);
        EXPECT_OK(runNode(makeGemmNode("g", product.call), 2));
        product.check();
      }
}

TEST(GemmNode, EmptySumIsZero) {
  std::mt19937 random(5);
  Product product(shape(7, 9, 0), random);
  EXPECT_OK(runNode(makeGemmNode("g", product.call), 2));
  product.check();
  for (auto [m, n] : {std::pair(0, 5), std::pair(5, 0)}) {
    Product empty(shape(m, n, 4), random);
    EXPECT_OK(runNode(makeGemmNode("g", empty.call), 2));
  }
}

TEST(GemmNode, EpilogueRunsOnEachRowOnce) {
  std::mt19937 random(6);
  for (auto [m, n, k, batch] :
       {std::tuple(515, 130, 90, 1), std::tuple(20, 1500, 300, 1),
        std::tuple(3000, 1, 100, 2), std::tuple(1, 3000, 100, 2),
        std::tuple(300, 50, 1, 2), std::tuple(60, 40, 20, 5),
        std::tuple(8, 8, 0, 1)}) {
    for (int threads : {1, 3}) {
      Product product(shape(m, n, k, false, false, batch), random);
      int64_t width = n;
      std::atomic<int64_t> rows{0};
      product.call.epilogue = KernelCall{
          doubleRows, {product.c.data(), &width, &rows}, batch * m, n * 4};
      EXPECT_OK(runNode(makeGemmNode("g", product.call), threads));
      EXPECT_EQ(rows, batch * m);
      product.check(/*scale=*/2);
    }
  }
}

TEST(GemmNode, WholeEpilogueRunsOnceAtTheEnd) {
  std::mt19937 random(8);
  for (auto [m, n, k] : {std::tuple(300, 60, 200), std::tuple(300, 1, 200),
                         std::tuple(1, 60, 200), std::tuple(30, 30, 1)}) {
    Product product(shape(m, n, k), random);
    int calls = 0;
    product.call.epilogue = KernelCall{addOne, {&calls}, std::nullopt, 0};
    EXPECT_OK(runNode(makeGemmNode("g", product.call), 2));
    EXPECT_EQ(calls, 1);
    product.check();
  }
}

TEST(GemmNode, DeterministicResultsDoNotDependOnThreads) {
  std::mt19937 random(9);
  for (auto [m, n, k] : {std::tuple(512, 256, 300), std::tuple(16, 900, 500),
                         std::tuple(700, 1, 513), std::tuple(1, 700, 513)}) {
    Product product(shape(m, n, k), random);
    std::vector<float> first;
    for (int threads : {1, 2, 5}) {
      EXPECT_OK(runNode(makeGemmNode("g", product.call), threads,
                        /*deterministic=*/true));
      if (first.empty())
        first = product.c;
      EXPECT_EQ(std::memcmp(first.data(), product.c.data(), first.size() * 4),
                0);
    }
  }
}
