// SPDX-License-Identifier: Apache-2.0
//===- DeviceTest.cpp - the CPU, and what a device with memory is asked ---===//

#include "runtime/device/Device.h"
#include "runtime/device/EmulatedDevice.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/nodes/DeviceNodes.h"
#include "runtime/variables/Store.h"
#include "test/unit/RuntimeTesting.h"
#include "test/unit/device/TestDevice.h"
#include <atomic>
#include <cstring>
#include <thread>

using namespace ps::runtime;

namespace {

/// A device with memory of its own, which the host would read as noise, and
/// copies that end later, on another thread.
class FakeDevice final : public TestDevice {
public:
  static constexpr std::byte mask{0x5a};
  static inline std::atomic<int> held = 0; // pieces of its own memory

  absl::StatusOr<Buffer> allocate(MemorySpace space, size_t bytes) override {
    if (space == MemorySpace::Host)
      return Buffer::allocate(bytes);
    auto *data = new std::byte[bytes];
    std::memset(data, static_cast<int>(mask), bytes);
    ++held;
    return Buffer(data, bytes, space, [](std::byte *p) {
      delete[] p;
      --held;
    });
  }

  void copy(const TensorRef &source, const TensorRef &target,
            Done done) override {
    const bool flips = source.space != target.space;
    std::thread([source, target, flips, done = std::move(done)]() mutable {
      for (size_t i = 0; i != source.type.bytes(); ++i)
        target.data[i] = flips ? source.data[i] ^ mask : source.data[i];
      done(absl::OkStatus());
    }).detach();
  }
};

TEST(Device, CpuHasMemoryOfTheHost) {
  Device &cpu = Device::cpu();
  EXPECT_EQ(cpu.name(), "cpu");
  Buffer buffer = *cpu.allocate(MemorySpace::Host, 100);
  EXPECT_EQ(buffer.space(), MemorySpace::Host);
  for (size_t i = 0; i != buffer.size(); ++i)
    EXPECT_EQ(buffer.data()[i], std::byte(0));
}

TEST(Device, CpuHasNoOtherMemory) {
  EXPECT_TRUE(failsWith(Device::cpu().allocate(MemorySpace::Device, 4).status(),
                        absl::StatusCode::kFailedPrecondition,
                        "device 'cpu' has no memory in #exec.space<device>"));
}

TEST(Device, CpuCopies) {
  std::vector<float> from = {1, 2, 3}, to(3);
  auto whole = [](std::vector<float> &values) {
    return TensorRef{{DType::F32, {3}},
                     reinterpret_cast<std::byte *>(values.data())};
  };
  EXPECT_OK(copyAndWait(Device::cpu(), whole(from), whole(to)));
  EXPECT_EQ(from, to);
  // Nothing has no address.
  EXPECT_OK(
      copyAndWait(Device::cpu(), {{DType::F32, {0}}}, {{DType::F32, {0}}}));
}

/// Copies feeds to `device`, within its memory, and back.
void copyBetweenMemorySpaces(Device &device) {
  Program program(device);
  const TensorType type{DType::I32, {1000}};
  auto own = [&](MemorySpace space) {
    return TensorRef{type, *program.ownMemory(type.bytes(), space), space};
  };
  TensorRef feed = own(MemorySpace::Host), result = own(MemorySpace::Host);
  TensorRef a = own(MemorySpace::Device), b = own(MemorySpace::Device);
  const NodeId up = program.addNode(
      makeTransferNode(device, {feed, a, {program.began()}}, nullptr), {});
  auto place = std::make_shared<Moment>();
  const NodeId within = program.addNode(
      leavePlace(makeCopyNode("copy", device, a, b), device, place),
      std::vector{up});
  program.addNode(makeTransferNode(device, {b, result, {place}}, nullptr),
                  std::vector{within});
  auto executor = makeExecutor(/*threads=*/2);
  for (int step = 0; step != 20; ++step) {
    for (int i = 0; i != 1000; ++i)
      feed.as<int32_t>()[i] = i * 7 + step;
    EXPECT_OK(executor->run(program, step));
    EXPECT_EQ(std::memcmp(feed.data, result.data, type.bytes()), 0);
  }
}

TEST(Device, ProgramsCopyBetweenMemorySpaces) {
  FakeDevice device;
  copyBetweenMemorySpaces(device);
  EXPECT_EQ(FakeDevice::held, 0);
}

TEST(Device, ProgramsCopyInAnyOrderThatADeviceChooses) {
  for (uint64_t seed = 0; seed != 20; ++seed)
    copyBetweenMemorySpaces(*makeEmulatedDevice(seed));
}

/// What a step has queued may still read what the next one brings to the
/// device, and nothing within that one waits for it.
TEST(Device, TransfersComeAfterTheStepsBefore) {
  for (uint64_t seed = 0; seed != 20; ++seed) {
    std::unique_ptr<Device> device = makeEmulatedDevice(seed);
    Program program(*device);
    const TensorType type{DType::I32, {1}};
    auto own = [&](MemorySpace space) {
      return TensorRef{type, *program.ownMemory(type.bytes(), space), space};
    };
    TensorRef feed = own(MemorySpace::Host), result = own(MemorySpace::Host);
    TensorRef a = own(MemorySpace::Device), b = own(MemorySpace::Device);
    const std::vector transfers = {
        program.addNode(
            makeTransferNode(*device, {b, result, {program.began()}}, nullptr),
            {}),
        program.addNode(
            makeTransferNode(*device, {feed, a, {program.began()}}, nullptr),
            {})};
    program.addNode(makeCopyNode("copy", *device, a, b), transfers);
    auto executor = makeExecutor(/*threads=*/2);
    for (int step = 0; step != 50; ++step) {
      *feed.as<int32_t>() = step + 1;
      EXPECT_OK(executor->run(program, step));
      EXPECT_EQ(*result.as<int32_t>(), step) << "seed " << seed;
    }
  }
}

/// In its memory the fake device has noise.
TEST(Device, CopiesReachTheMemoryOfTheDevice) {
  FakeDevice device;
  std::vector<int32_t> values = {1, 2, 3};
  const TensorRef source{{DType::I32, {3}},
                         reinterpret_cast<std::byte *>(values.data())};
  Buffer memory = *device.allocate(MemorySpace::Device, source.type.bytes());
  EXPECT_EQ(FakeDevice::held, 1);
  EXPECT_OK(copyAndWait(device, source,
                        {source.type, memory.data(), MemorySpace::Device}));
  EXPECT_NE(std::memcmp(source.data, memory.data(), memory.size()), 0);
}

/// Initial values do not depend on where a variable lies.
TEST(Device, StoresKeepVariablesInItsMemory) {
  FakeDevice device;
  {
    VariableSpec spec{.name = "w", .type = {DType::F32, {10, 3}}};
    spec.initial.kind = InitialValue::Kind::Normal;
    spec.initial.b = 1;
    spec.origin = "w";
    auto onHost = *Store::create({spec}, /*seed=*/5);
    spec.space = MemorySpace::Device;
    auto store = *Store::create({spec}, /*seed=*/5, device);
    TensorRef variable = *store->find("w");
    EXPECT_EQ(variable.space, MemorySpace::Device);
    EXPECT_EQ(FakeDevice::held, 1);
    std::vector<float> read(30);
    const TensorRef target{spec.type,
                           reinterpret_cast<std::byte *>(read.data())};
    EXPECT_OK(copyAndWait(device, variable, target));
    const float *expected = onHost->find("w")->as<float>();
    EXPECT_EQ(read, std::vector<float>(expected, expected + 30));

    // What others see on the host follows only when it is asked to, and back.
    auto shown = [&] { return store->tensor(0).as<float>()[29]; };
    read[29] = 7;
    EXPECT_OK(copyAndWait(device, target, variable));
    EXPECT_EQ(shown(), expected[29]);
    EXPECT_OK(store->download());
    EXPECT_EQ(shown(), 7);
    store->tensor(0).as<float>()[29] = 8;
    EXPECT_OK(store->upload());
    EXPECT_OK(copyAndWait(device, variable, target));
    EXPECT_EQ(read[29], 8);
  }
  EXPECT_EQ(FakeDevice::held, 0);
}

/// A variable in a space that the device lacks is named.
TEST(Device, StoresNameWhatCannotBeKept) {
  VariableSpec spec{.name = "w", .type = {DType::F32, {2}}, .origin = "w"};
  spec.space = MemorySpace::Device;
  EXPECT_TRUE(failsWith(Store::create({spec}, 0).status(),
                        absl::StatusCode::kFailedPrecondition,
                        "variable '@w'"));
}

} // namespace
