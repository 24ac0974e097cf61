// SPDX-License-Identifier: Apache-2.0
//===- DeviceContractTest.cpp - what every device with a queue does -------===//
//
// One set of tests for all devices: the emulated one, or the one that the
// environment variable PS_TEST_DEVICE names, such as cuda:0.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Event.h"
#include "runtime/device/ProductTrial.h"
#include "test/unit/RuntimeTesting.h"
#include "test/unit/device/DeviceUnderTest.h"
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

using namespace ps::runtime;

namespace {

/// Floats in the device's memory.
class DeviceFloats {
public:
  explicit DeviceFloats(int64_t count)
      : type{DType::F32, {count}},
        memory(*deviceUnderTest().allocate(MemorySpace::Device, type.bytes())) {
  }
  explicit DeviceFloats(const std::vector<float> &values)
      : DeviceFloats(int64_t(values.size())) {
    EXPECT_OK(copyAndWait(deviceUnderTest(), onHost(values), ref()));
  }
  /// What is queued may work with the memory.
  ~DeviceFloats() { deviceUnderTest().drain(); }
  DeviceFloats(const DeviceFloats &) = delete;
  DeviceFloats &operator=(const DeviceFloats &) = delete;

  float *data() { return reinterpret_cast<float *>(memory.data()); }
  TensorRef ref() { return {type, memory.data(), MemorySpace::Device}; }
  std::vector<float> read() {
    std::vector<float> values(type.numElements());
    EXPECT_OK(copyAndWait(deviceUnderTest(), ref(), onHost(values)));
    return values;
  }
  static TensorRef onHost(const std::vector<float> &values) {
    return {{DType::F32, {int64_t(values.size())}},
            reinterpret_cast<std::byte *>(const_cast<float *>(values.data()))};
  }

private:
  TensorType type;
  Buffer memory;
};

/// An operand in the device's memory. Of bf16, `values` have its bits only.
class DeviceOperand {
public:
  DeviceOperand(const std::vector<float> &values, Precision precision) {
    std::vector<std::byte> packed = ProductTrial::pack(values, precision);
    const TensorType type = {precision == Precision::BF16 ? DType::BF16
                                                          : DType::F32,
                             {int64_t(values.size())}};
    memory = *deviceUnderTest().allocate(MemorySpace::Device, type.bytes());
    EXPECT_OK(copyAndWait(deviceUnderTest(), {type, packed.data()},
                          {type, memory.data(), MemorySpace::Device}));
  }
  ~DeviceOperand() { deviceUnderTest().drain(); }
  DeviceOperand(const DeviceOperand &) = delete;
  DeviceOperand &operator=(const DeviceOperand &) = delete;

  const void *data() { return memory.data(); }

private:
  Buffer memory;
};

std::vector<float> drawFloats(int64_t count, std::mt19937 &random) {
  std::vector<float> values(count);
  for (float &value : values)
    value = std::uniform_real_distribution<float>(-1, 1)(random);
  return values;
}

/// Elements that an operand of this precision may have.
std::vector<float> drawOperand(int64_t count, Precision precision,
                               std::mt19937 &random) {
  std::vector<float> values = drawFloats(count, random);
  if (precision == Precision::BF16)
    for (float &value : values)
      value = std::bit_cast<float>(std::bit_cast<uint32_t>(value) & ~0xffffu);
  return values;
}

/// c = a * b, of `side` x `side` elements each.
DeviceProduct squareProduct(int64_t side, DeviceFloats &a, DeviceFloats &b,
                            DeviceFloats &c) {
  return {.m = side,
          .n = side,
          .k = side,
          .a = a.data(),
          .b = b.data(),
          .c = c.data()};
}

/// The product in double precision.
std::vector<float> multiplyPlainly(const DeviceProduct &p,
                                   const std::vector<float> &a,
                                   const std::vector<float> &b) {
  std::vector<float> c;
  for (int64_t batch = 0; batch < p.batch; ++batch)
    for (int64_t i = 0; i < p.m; ++i)
      for (int64_t j = 0; j < p.n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < p.k; ++l)
          sum +=
              double(a[batch * p.m * p.k +
                       (p.transposeA ? l * p.m + i : i * p.k + l)]) *
              b[batch * p.k * p.n + (p.transposeB ? j * p.k + l : l * p.n + j)];
        c.push_back(static_cast<float>(sum));
      }
  return c;
}

TEST(DeviceContract, MemoryBeginsAsZeros) {
  EXPECT_EQ(DeviceFloats(1000).read(), std::vector<float>(1000));
}

TEST(DeviceContract, CopiesKeepBits) {
  std::mt19937 random(1);
  for (int64_t count : {0, 1, 3, 1000, 1 << 20}) {
    const std::vector<float> values = drawFloats(count, random);
    DeviceFloats first(values), second(count);
    EXPECT_OK(copyAndWait(deviceUnderTest(), first.ref(), second.ref()));
    EXPECT_EQ(second.read(), values);
  }
}

TEST(DeviceContract, ProductsAreThoseOfALoop) {
  std::mt19937 random(2);
  for (Precision precision : {Precision::F32, Precision::TF32, Precision::BF16})
    for (bool transposeA : {false, true})
      for (bool transposeB : {false, true})
        for (auto [batch, m, n, k] : {std::array<int64_t, 4>{1, 1, 1, 1},
                                      {1, 5, 3, 7},
                                      {3, 17, 9, 33},
                                      {1, 64, 128, 32},
                                      {2, 128, 1, 64},
                                      {1, 1, 40, 100},
                                      {3, 63, 65, 127},
                                      {2, 31, 7, 1},
                                      {4, 1, 1, 129},
                                      {5, 1, 9, 1},
                                      {2, 33, 1, 15},
                                      {2, 3, 4, 0},
                                      {1, 0, 3, 2}}) {
          DeviceProduct product = {.precision = precision,
                                   .transposeA = transposeA,
                                   .transposeB = transposeB,
                                   .batch = batch,
                                   .m = m,
                                   .n = n,
                                   .k = k};
          const auto a = drawOperand(batch * m * k, precision, random);
          const auto b = drawOperand(batch * k * n, precision, random);
          DeviceOperand onA(a, precision), onB(b, precision);
          DeviceFloats onC(batch * m * n);
          product.a = onA.data();
          product.b = onB.data();
          product.c = onC.data();
          EXPECT_OK(deviceUnderTest().multiply(product));
          const std::vector<float> found = onC.read();
          const std::vector<float> expected = multiplyPlainly(product, a, b);
          // Rounding to tf32, relative to terms of at most one.
          const double most = precision == Precision::TF32 ? 1e-3 : 1e-6;
          for (size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i], expected[i], most * std::sqrt(double(k)) * 4)
                << batch << " x " << m << "x" << n << "x" << k << " at " << i
                << (transposeA ? ", A transposed" : "")
                << (transposeB ? ", B transposed" : "");
        }
}

/// Multiplies as `product` says, on these operands, and returns C. Empty where
/// the device leaves the epilogue to a kernel, which the emulated one does not.
std::vector<float> multiplyWith(DeviceProduct product,
                                const std::vector<float> &a,
                                const std::vector<float> &b,
                                const std::vector<float> &bias,
                                std::vector<float> *sums = nullptr) {
  DeviceOperand onA(a, product.precision), onB(b, product.precision);
  DeviceFloats onBias(bias);
  DeviceFloats onC(product.batch * product.m * product.n);
  DeviceFloats onSums(std::max(product.m, product.n));
  product.a = onA.data();
  product.b = onB.data();
  product.c = onC.data();
  product.bias = onBias.data();
  product.sums = onSums.data();
  const absl::Status status = deviceUnderTest().prepare(product);
  if (absl::IsUnimplemented(status) && deviceUnderTest().chip() != "host") {
    std::printf("a kernel instead: %s\n",
                std::string(status.message()).c_str());
    return {};
  }
  EXPECT_OK(status);
  EXPECT_OK(deviceUnderTest().multiply(product));
  if (sums)
    *sums = onSums.read();
  return onC.read();
}

/// NaN and infinity are what they are for a kernel.
void expectEpilogue(DeviceProduct product, std::mt19937 &random) {
  const auto [batch, m, n, k] =
      std::array{product.batch, product.m, product.n, product.k};
  auto a = drawOperand(batch * m * k, product.precision, random);
  const auto b = drawOperand(batch * k * n, product.precision, random);
  const std::vector<float> bias = drawFloats(n, random);
  if (a.size() > 1)
    a.back() = std::nanf("");
  if (a.size() > 8)
    a.front() = std::numeric_limits<float>::infinity();
  const std::vector<float> found = multiplyWith(product, a, b, bias);
  const std::vector<float> expected = multiplyPlainly(product, a, b);
  for (size_t i = 0; i < found.size(); ++i) {
    float x = expected[i] + (addsBias(product.epilogue) ? bias[i % n] : 0);
    x = activate(product.epilogue, x);
    ASSERT_TRUE(std::isnan(x)   ? std::isnan(found[i])
                : std::isinf(x) ? found[i] == x
                                : std::abs(found[i] - x) < 2e-5)
        << epilogueName(product.epilogue) << ", "
        << precisionName(product.precision) << ", " << batch << " x " << m
        << "x" << n << "x" << k << (product.transposeA ? ", A transposed" : "")
        << (product.transposeB ? ", B transposed" : "") << ", at " << i << ": "
        << found[i] << ", expected " << x;
  }
}

TEST(DeviceContract, EpiloguesAreThoseOfALoop) {
  std::mt19937 random(4);
  constexpr int64_t shapes[][4] = {
      {1, 1, 1, 1}, {1, 5, 3, 7}, {3, 16, 8, 32}, {1, 64, 128, 32}};
  for (Precision precision : {Precision::F32, Precision::BF16})
    for (Epilogue epilogue :
         {Epilogue::None, Epilogue::Bias, Epilogue::Relu, Epilogue::BiasRelu,
          Epilogue::Gelu, Epilogue::BiasGelu})
      for (int transposed : {0, 1, 2, 3})
        for (auto [batch, m, n, k] : shapes)
          expectEpilogue({.precision = precision,
                          .transposeA = transposed % 2 != 0,
                          .transposeB = transposed / 2 != 0,
                          .batch = batch,
                          .m = m,
                          .n = n,
                          .k = k,
                          .epilogue = epilogue},
                         random);
}

TEST(DeviceContract, SumsOfAnOperandAreNotRounded) {
  std::mt19937 random(5);
  constexpr int64_t shapes[][3] = {{1, 1, 1}, {5, 3, 7}, {64, 128, 256}};
  for (Precision precision : {Precision::F32, Precision::TF32})
    for (SummedOperand summed : {SummedOperand::A, SummedOperand::B})
      for (int transposed : {0, 1, 2, 3})
        for (auto [m, n, k] : shapes) {
          DeviceProduct product = {.precision = precision,
                                   .transposeA = transposed % 2 != 0,
                                   .transposeB = transposed / 2 != 0,
                                   .m = m,
                                   .n = n,
                                   .k = k,
                                   .summed = summed};
          const std::vector<float> a = drawFloats(m * k, random);
          const std::vector<float> b = drawFloats(k * n, random);
          std::vector<float> sums;
          const std::vector<float> found =
              multiplyWith(product, a, b, {}, &sums);
          if (found.empty())
            continue;
          const std::vector<float> expected = multiplyPlainly(product, a, b);
          for (size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i], expected[i], 0.04 * std::sqrt(double(k)));
          // The sums over k are products with ones.
          const bool ofA = summed == SummedOperand::A;
          DeviceProduct ones = product;
          (ofA ? ones.n : ones.m) = 1;
          const std::vector<float> one(k, 1.0f);
          const std::vector<float> plain = ofA ? multiplyPlainly(ones, a, one)
                                               : multiplyPlainly(ones, one, b);
          for (size_t i = 0; i < plain.size(); ++i)
            ASSERT_NEAR(sums[i], plain[i], 2e-5)
                << (ofA ? "A, " : "B, ") << precisionName(precision) << ", "
                << m << "x" << n << "x" << k << ", transposed " << transposed;
        }
}

/// What is queued has the effect of being done in turn: a copy neither
/// overwrites what earlier work reads nor is overtaken by later work.
TEST(DeviceContract, WorkHasTheEffectOfBeingDoneInTurn) {
  std::mt19937 random(3);
  constexpr int64_t side = 96;
  const std::vector<float> b = drawFloats(side * side, random);
  DeviceFloats onA(side * side), onB(b), onC(side * side), onD(side * side);
  const DeviceProduct first = squareProduct(side, onA, onB, onC);
  const DeviceProduct second = squareProduct(side, onC, onB, onD);
  std::vector<std::vector<float>> given, results;
  constexpr int rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    given.push_back(drawFloats(side * side, random));
    results.emplace_back(side * side);
  }
  for (int round = 0; round < rounds; ++round) {
    deviceUnderTest().copy(
        DeviceFloats::onHost(given[round]), onA.ref(),
        [](const absl::Status &status) { EXPECT_OK(status); });
    EXPECT_OK(deviceUnderTest().multiply(first));
    EXPECT_OK(deviceUnderTest().multiply(second));
    deviceUnderTest().copy(
        onD.ref(), DeviceFloats::onHost(results[round]),
        [](const absl::Status &status) { EXPECT_OK(status); });
  }
  deviceUnderTest().drain();
  onD.read(); // and every `done` before it was called
  for (int round = 0; round < rounds; ++round) {
    const std::vector<float> expected =
        multiplyPlainly(second, multiplyPlainly(first, given[round], b), b);
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(results[round][i], expected[i], 2e-3) << "round " << round;
  }
}

TEST(DeviceContract, MarksComeInOrder) {
  DeviceFloats a(64 * 64), c(64 * 64);
  const DeviceProduct product = squareProduct(64, a, a, c);
  constexpr size_t count = 20;
  std::vector<Clock::TimePoint> times;
  Event reached;
  for (size_t i = 0; i < count; ++i) {
    EXPECT_OK(deviceUnderTest().multiply(product));
    deviceUnderTest().mark([&](Clock::TimePoint time) {
      times.push_back(time);
      if (times.size() == count)
        reached.notify();
    });
  }
  reached.wait();
  EXPECT_TRUE(std::ranges::is_sorted(times));
}

Moment now() {
  absl::StatusOr<Moment> moment = deviceUnderTest().moment();
  EXPECT_OK(moment.status());
  return *moment;
}

/// Transfers come after the moments that they name, and what is queued after
/// them has been done.
TEST(DeviceContract, TransfersComeAfterTheirMoments) {
  std::mt19937 random(4);
  constexpr int64_t side = 96;
  const std::vector<float> b = drawFloats(side * side, random);
  DeviceFloats onA(side * side), onB(b), onC(side * side);
  const DeviceProduct product = squareProduct(side, onA, onB, onC);
  Moment multiplied;
  std::vector<float> result(side * side);
  for (int round = 0; round < 20; ++round) {
    const std::vector<float> given = drawFloats(side * side, random);
    // What was queued may still read A.
    EXPECT_OK(await([&](Done done) {
      deviceUnderTest().transfer(DeviceFloats::onHost(given), onA.ref(),
                                 std::span(&multiplied, 1), std::move(done));
    }));
    EXPECT_OK(deviceUnderTest().multiply(product));
    multiplied = now();
    if (round % 2)
      continue;
    EXPECT_OK(await([&](Done done) {
      deviceUnderTest().transfer(onC.ref(), DeviceFloats::onHost(result),
                                 std::span(&multiplied, 1), std::move(done));
    }));
    const std::vector<float> expected = multiplyPlainly(product, given, b);
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(result[i], expected[i], 1e-4) << "round " << round;
  }
}

/// A graph is what was queued while it was made, by that thread, and works with
/// what is in its memory when it is queued.
TEST(DeviceContract, GraphsRepeatTheirWork) {
  std::mt19937 random(5);
  constexpr int64_t side = 32;
  const std::vector<float> b = drawFloats(side * side, random);
  DeviceFloats onA(side * side), onB(b), onC(side * side), onD(side * side);
  DeviceFloats once(std::vector<float>(1, 7)), other(1);
  const DeviceProduct product = squareProduct(side, onA, onB, onC);
  // A device may have to load code first.
  EXPECT_OK(deviceUnderTest().multiply(product));
  absl::StatusOr<std::unique_ptr<DeviceGraph>> graph =
      deviceUnderTest().capture([&]() -> absl::Status {
        std::thread([&] {
          EXPECT_OK(deviceUnderTest().copyWithin(once.ref(), other.ref()));
        }).join();
        RETURN_IF_ERROR(deviceUnderTest().multiply(product));
        return deviceUnderTest().copyWithin(onC.ref(), onD.ref());
      });
  ASSERT_OK(graph.status());
  EXPECT_EQ(onD.read(), std::vector<float>(side * side));
  EXPECT_EQ(other.read(), std::vector<float>(1, 7));
  const std::vector<float> eight(1, 8);
  EXPECT_OK(
      copyAndWait(deviceUnderTest(), DeviceFloats::onHost(eight), once.ref()));
  for (int round = 0; round < 5; ++round) {
    const std::vector<float> a = drawFloats(side * side, random);
    EXPECT_OK(
        copyAndWait(deviceUnderTest(), DeviceFloats::onHost(a), onA.ref()));
    EXPECT_OK((*graph)->launch());
    const std::vector<float> found = onD.read(),
                             expected = multiplyPlainly(product, a, b);
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], 1e-4) << "round " << round;
    // By itself it gives the same bits.
    EXPECT_OK(deviceUnderTest().multiply(product));
    EXPECT_EQ(onC.read(), found);
  }
  EXPECT_EQ(other.read(), std::vector<float>(1, 7));
  deviceUnderTest().drain();
}

TEST(DeviceContract, GraphsThatFailAreNone) {
  EXPECT_TRUE(failsWith(
      deviceUnderTest()
          .capture([] { return absl::InternalError("as it happens"); })
          .status(),
      absl::StatusCode::kInternal, "as it happens"));
  const std::vector<float> values = {1, 2, 3};
  DeviceFloats first(values), second(3);
  EXPECT_OK(deviceUnderTest().copyWithin(first.ref(), second.ref()));
  EXPECT_EQ(second.read(), values);
}

/// Of what a GPU does not permit meanwhile.
TEST(DeviceContract, GraphsThatAllocateAreNone) {
  if (deviceUnderTest().chip() == "host")
    GTEST_SKIP() << "this device may allocate at any time";
  EXPECT_TRUE(failsWith(
      deviceUnderTest()
          .capture([] {
            return deviceUnderTest().allocate(MemorySpace::Device, 4).status();
          })
          .status(),
      absl::StatusCode::kInternal, "when stream is capturing"));
  const std::vector<float> values = {1, 2, 3};
  EXPECT_EQ(DeviceFloats(values).read(), values);
}

TEST(DeviceContract, MarksOfLanesComeAfterTheirMoments) {
  DeviceFloats a(64 * 64), c(64 * 64);
  const DeviceProduct product = squareProduct(64, a, a, c);
  for (DeviceLane lane : {DeviceLane::ToDevice, DeviceLane::ToHost}) {
    Clock::TimePoint done;
    Event reached;
    const Clock::TimePoint before = Clock::steady().now();
    EXPECT_OK(deviceUnderTest().multiply(product));
    const Moment multiplied = now();
    deviceUnderTest().markLane(lane, std::span(&multiplied, 1),
                               [&](Clock::TimePoint time) {
                                 done = time;
                                 reached.notify();
                               });
    reached.wait();
    EXPECT_LT(before, done);
  }
}

/// One line says so, and the device goes on.
TEST(DeviceContract, MemoryMayRunOut) {
  EXPECT_TRUE(failsWith(
      deviceUnderTest().allocate(MemorySpace::Device, size_t{1} << 50).status(),
      absl::StatusCode::kResourceExhausted, "1125899906842624 bytes"));
  const std::vector<float> values = {1, 2, 3};
  EXPECT_EQ(DeviceFloats(values).read(), values);
}

TEST(DeviceContract, CodeThatIsNoneIsRefused) {
  if (deviceUnderTest().chip() == "host")
    GTEST_SKIP() << "this device is given functions, not code";
  std::vector<DeviceFunction> functions(1);
  functions[0].name = "missing";
  functions[0].points = 1;
  EXPECT_TRUE(
      failsWith(deviceUnderTest().load(
                    ".version 8.0\n.target sm_80\nnonsense\n", functions),
                absl::StatusCode::kInvalidArgument, "does not take the code"));
  EXPECT_FALSE(deviceUnderTest().launch(functions[0], {}, /*rows=*/1).ok());
  const std::vector<float> values = {1, 2, 3};
  EXPECT_EQ(DeviceFloats(values).read(), values);
}

/// PS_HOST_CUBLAS_LOSE=N of the stand-in for CUDA loses the GPU where the N-th
/// product is queued. The library's own error does not say why.
TEST(LostDevice, ProductsNameTheCause) {
  if (!std::getenv("PS_HOST_CUBLAS_LOSE"))
    GTEST_SKIP() << "no product loses this device";
  DeviceFloats a(16 * 16), c(16 * 16);
  const DeviceProduct product = squareProduct(16, a, a, c);
  absl::Status status;
  for (int i = 0; i < 200 && status.ok(); ++i)
    status = deviceUnderTest().multiply(product);
  EXPECT_TRUE(failsWith(status, absl::StatusCode::kInternal,
                        "product 16x16x16: an error of cuBLASLt: "
                        "uncorrectable ECC error encountered"));
}

} // namespace
