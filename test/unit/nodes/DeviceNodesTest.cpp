// SPDX-License-Identifier: Apache-2.0
//===- DeviceNodesTest.cpp - graphs of nodes, with and without ------------===//

#include "runtime/nodes/DeviceNodes.h"
#include "runtime/device/EmulatedDevice.h"
#include "runtime/kernels/Kernels.h"
#include "test/unit/RuntimeTesting.h"
#include "test/unit/device/TestDevice.h"

using namespace ps::runtime;

namespace {

/// The emulated device, which takes work into graphs or does not.
class GraphDevice final : public TestDevice {
public:
  explicit GraphDevice(absl::Status refusal)
      : device(makeEmulatedDevice()), refusal(std::move(refusal)) {}

  absl::StatusOr<Buffer> allocate(MemorySpace space, size_t bytes) override {
    return device->allocate(space, bytes);
  }
  void copy(const TensorRef &source, const TensorRef &target,
            Done done) override {
    device->copy(source, target, std::move(done));
  }
  absl::Status copyWithin(const TensorRef &source,
                          const TensorRef &target) override {
    ++queued;
    return device->copyWithin(source, target);
  }
  absl::StatusOr<std::unique_ptr<DeviceGraph>>
  capture(absl::FunctionRef<absl::Status()> queueWork) override {
    ++captures;
    RETURN_IF_ERROR(refusal);
    return device->capture(queueWork);
  }
  void drain() override { device->drain(); }
  void mark(absl::AnyInvocable<void(Clock::TimePoint)> reached) override {
    device->mark(std::move(reached));
  }

  /// Copies by copyWithin(), and how often a graph was to be made.
  int queued = 0, captures = 0;

private:
  const std::unique_ptr<Device> device;
  const absl::Status refusal;
};

/// Runs five steps of a graph of two copies and checks what they copy.
void runSteps(GraphDevice &device) {
  Program program(device);
  const TensorType type{DType::I32, {1}};
  std::vector<TensorRef> memory;
  for (int i = 0; i != 3; ++i)
    memory.push_back({type,
                      *program.ownMemory(type.bytes(), MemorySpace::Device),
                      MemorySpace::Device});
  std::vector<std::unique_ptr<Node>> nodes;
  for (int i = 0; i != 2; ++i)
    nodes.push_back(makeCopyNode("copy", device, memory[i], memory[i + 1]));
  program.addNode(makeGraphNode(device, std::move(nodes)), {});
  auto executor = makeExecutor(/*threads=*/1);
  for (int32_t step = 0; step != 5; ++step) {
    int32_t given = 100 + step, found = 0;
    EXPECT_OK(copyAndWait(device, {type, reinterpret_cast<std::byte *>(&given)},
                          memory[0]));
    EXPECT_OK(executor->run(program, step));
    EXPECT_OK(copyAndWait(device, memory[2],
                          {type, reinterpret_cast<std::byte *>(&found)}));
    EXPECT_EQ(found, given);
  }
}

/// The first step queues node by node, the second one makes the graph.
TEST(DeviceNodes, GraphsAreMadeOnce) {
  GraphDevice device(absl::OkStatus());
  runSteps(device);
  EXPECT_EQ(device.captures, 1);
  EXPECT_EQ(device.queued, 4);
}

TEST(DeviceNodes, StepsGoOnWithoutGraphs) {
  GraphDevice device(absl::UnimplementedError("the driver is too old"));
  testing::internal::CaptureStderr();
  runSteps(device);
  runSteps(device);
  // Said once, whatever the number of graphs.
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "ps-run: warning: the driver is too old: steps are queued node by "
            "node\n");
  EXPECT_EQ(device.captures, 2);
  EXPECT_EQ(device.queued, 20);
}

/// So a program that relies on an order which Device.h does not promise fails.
TEST(DeviceNodes, TheEmulatedDeviceChoosesItsOrder) {
  const TensorType type{DType::I32, {1}};
  int overtaken = 0, inTurn = 0;
  for (uint64_t seed = 0; seed != 100; ++seed) {
    std::unique_ptr<Device> device = makeEmulatedDevice(seed);
    Buffer a = *device->allocate(MemorySpace::Device, 4),
           b = *device->allocate(MemorySpace::Device, 4);
    const TensorRef onA{type, a.data(), MemorySpace::Device},
        onB{type, b.data(), MemorySpace::Device};
    int32_t given = 1, found = 0;
    EXPECT_OK(device->copyWithin(onA, onB));
    EXPECT_OK(await([&](Done done) {
      device->transfer({type, reinterpret_cast<std::byte *>(&given)}, onA, {},
                       std::move(done));
    }));
    EXPECT_OK(copyAndWait(*device, onB,
                          {type, reinterpret_cast<std::byte *>(&found)}));
    ++(found == given ? overtaken : inTurn);
  }
  EXPECT_GT(overtaken, 5);
  EXPECT_GT(inTurn, 5);
}

} // namespace
