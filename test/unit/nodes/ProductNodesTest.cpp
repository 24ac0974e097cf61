// SPDX-License-Identifier: Apache-2.0
//===- ProductNodesTest.cpp - what products do for kernels ----------------===//

#include "runtime/nodes/DeviceNodes.h"
#include "test/unit/RuntimeTesting.h"
#include "test/unit/device/TestDevice.h"
#include <gmock/gmock.h>

using namespace ps::runtime;

namespace {

/// Keeps what it is asked, and takes the epilogues and sums that it is told to.
class RecordingDevice final : public TestDevice {
public:
  std::string_view chip() const override { return "host"; }
  absl::Status launch(const DeviceFunction &function, std::span<void *const>,
                      int64_t) override {
    launches.push_back(function.name);
    return absl::OkStatus();
  }
  absl::Status multiply(const DeviceProduct &product) override {
    products.push_back(product);
    return absl::OkStatus();
  }
  absl::Status prepare(const DeviceProduct &product) override {
    if (product.epilogue != Epilogue::None)
      return epilogues;
    return product.summed != SummedOperand::None ? sums : absl::OkStatus();
  }

  absl::Status epilogues, sums;
  std::vector<std::string> launches;
  std::vector<DeviceProduct> products;
};

float a, b, c, bias, result, sum;

DeviceCall callOf(const char *function) {
  auto kernel = std::make_shared<DeviceKernel>();
  kernel->functions.push_back({.name = function});
  return {.kernel = kernel, .buffers = {}, .rows = 1};
}

DeviceEpilogue biasRelu() {
  return {.name = "add_maximum",
          .kernel = callOf("epilogue"),
          .kind = Epilogue::BiasRelu,
          .bias = &bias,
          .result = &result};
}

DeviceSums sumsOfB() {
  return {.name = "reduce",
          .kernel = callOf("sums"),
          .operand = SummedOperand::B,
          .sums = &sum};
}

/// Runs a product once and returns the node's name.
std::string runProduct(RecordingDevice &device,
                       std::optional<DeviceEpilogue> epilogue,
                       std::optional<DeviceSums> sums = {}) {
  const DeviceProduct product = {
      .m = 1, .n = 1, .k = 1, .a = &a, .b = &b, .c = &c};
  auto node = *makeDeviceProductNode("gemm", device, product,
                                     std::move(epilogue), std::move(sums));
  std::string name(node->name());
  Program program;
  program.addNode(std::move(node), {});
  EXPECT_OK(makeExecutor(/*threads=*/1)->run(program, 0));
  return name;
}

TEST(ProductNodes, ProductsTakeTheWorkOfKernels) {
  RecordingDevice device;
  EXPECT_EQ(runProduct(device, biasRelu()), "gemm +bias_relu");
  EXPECT_EQ(runProduct(device, {}, sumsOfB()), "gemm +bias_gradient");
  EXPECT_TRUE(device.launches.empty());
  ASSERT_EQ(device.products.size(), 2u);
  EXPECT_EQ(device.products[0].epilogue, Epilogue::BiasRelu);
  EXPECT_EQ(device.products[0].bias, &bias);
  EXPECT_EQ(device.products[0].c, &result);
  EXPECT_EQ(device.products[1].summed, SummedOperand::B);
  EXPECT_EQ(device.products[1].sums, &sum);
  EXPECT_EQ(device.products[1].c, &c);
}

TEST(ProductNodes, KernelsStayWhereProductsDoOtherwise) {
  RecordingDevice device;
  device.epilogues = device.sums = absl::UnimplementedError("relu of nan is 0");
  EXPECT_EQ(runProduct(device, biasRelu(), sumsOfB()),
            "gemm @reduce @add_maximum");
  EXPECT_THAT(device.launches, testing::ElementsAre("sums", "epilogue"));
  ASSERT_EQ(device.products.size(), 1u);
  EXPECT_TRUE(device.products[0].isPlain());
  EXPECT_EQ(device.products[0].c, &c);
}

/// A library has one of the two.
TEST(ProductNodes, ProductsDoOneThingBesides) {
  RecordingDevice device;
  EXPECT_EQ(runProduct(device, biasRelu(), sumsOfB()),
            "gemm +bias_gradient @add_maximum");
  EXPECT_THAT(device.launches, testing::ElementsAre("epilogue"));
}

TEST(ProductNodes, OtherFailuresAreNoReasonForAKernel) {
  RecordingDevice device;
  device.epilogues = absl::ResourceExhaustedError("no memory");
  EXPECT_TRUE(
      failsWith(makeDeviceProductNode("gemm", device, {.m = 1, .n = 1, .k = 1},
                                      biasRelu())
                    .status(),
                absl::StatusCode::kResourceExhausted, "no memory"));
}

} // namespace
