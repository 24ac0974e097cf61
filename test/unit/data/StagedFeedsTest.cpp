// SPDX-License-Identifier: Apache-2.0
//===- StagedFeedsTest.cpp - batches that travel beside the queue ---------===//
//
// The emulated device draws its order from those that Device.h allows, so each
// test runs with many seeds.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/StagedFeeds.h"
#include "runtime/device/EmulatedDevice.h"
#include "test/unit/RuntimeTesting.h"
#include <numeric>

using namespace ps::runtime;

namespace {

constexpr uint64_t numSeeds = 100;
constexpr int64_t size = 8;
const TensorType type{DType::I32, {size}};

using Values = std::vector<int32_t>;

Values makeBatch(int32_t step) {
  Values values(size);
  std::iota(values.begin(), values.end(), size * step);
  return values;
}

/// A program with the feeds 'both', on the host and the device, and 'device'.
class FedProgram {
public:
  explicit FedProgram(uint64_t seed)
      : device(makeEmulatedDevice(seed)), program(*device) {
    program.feeds["both"] = own(MemorySpace::Host);
    program.deviceFeeds["both"] = own(MemorySpace::Device);
    program.deviceFeeds["device"] = own(MemorySpace::Device);
  }

  TensorRef own(MemorySpace space) {
    return {type, *program.ownMemory(type.bytes(), space), space};
  }
  /// What `name` has when the queue gets there.
  Values readOnDevice(const std::string &name) {
    Values found(size);
    EXPECT_OK(copyAndWait(*device, program.deviceFeeds.at(name),
                          {type, reinterpret_cast<std::byte *>(found.data())}));
    return found;
  }
  Values readOnHost() {
    const auto *both = program.feeds.at("both").as<int32_t>();
    return {both, both + size};
  }

  const std::unique_ptr<Device> device;
  Program program;
};

void fill(StagedFeeds &feeds, int32_t step) {
  const Values batch = makeBatch(step);
  for (const auto &[name, to] : feeds.batch())
    std::ranges::copy(batch, to.as<int32_t>());
}

std::unique_ptr<StagedFeeds> makeFeeds(Program &program, bool ahead) {
  auto feeds = StagedFeeds::create(program, {.ahead = ahead});
  EXPECT_OK(feeds.status());
  return *std::move(feeds);
}

/// The next batch is written and sent while the step before has yet to read
/// its own.
TEST(StagedFeeds, NextBatchesLeaveFeedsAlone) {
  for (uint64_t seed = 0; seed != numSeeds; ++seed) {
    FedProgram fed(seed);
    auto feeds = makeFeeds(fed.program, /*ahead=*/true);
    fill(*feeds, 0);
    EXPECT_OK(feeds->send());
    for (int32_t step = 0; step != 3; ++step) {
      EXPECT_OK(feeds->deliver());
      fill(*feeds, step + 1);
      EXPECT_OK(feeds->send());
      ASSERT_EQ(fed.readOnHost(), makeBatch(step)) << "seed " << seed;
      for (const char *name : {"both", "device"})
        ASSERT_EQ(fed.readOnDevice(name), makeBatch(step))
            << name << ", seed " << seed;
    }
  }
}

TEST(StagedFeeds, FeedsOfTheHostAreFilledInPlace) {
  FedProgram fed(/*seed=*/0);
  auto feeds = makeFeeds(fed.program, /*ahead=*/false);
  EXPECT_EQ(feeds->batch().at("both").data, fed.program.feeds.at("both").data);
  for (int32_t step = 0; step != 3; ++step) {
    fill(*feeds, step);
    EXPECT_OK(feeds->send());
    EXPECT_OK(feeds->deliver());
    EXPECT_EQ(fed.readOnHost(), makeBatch(step));
    EXPECT_EQ(fed.readOnDevice("device"), makeBatch(step));
  }
}

/// As where a step fails after its batch was delivered.
TEST(StagedFeeds, MemoryOutlivesWhatIsQueued) {
  for (uint64_t seed = 0; seed != numSeeds; ++seed) {
    FedProgram fed(seed);
    auto feeds = makeFeeds(fed.program, /*ahead=*/true);
    fill(*feeds, 1);
    EXPECT_OK(feeds->send());
    EXPECT_OK(feeds->deliver());
    feeds.reset();
    for (const char *name : {"both", "device"})
      ASSERT_EQ(fed.readOnDevice(name), makeBatch(1))
          << name << ", seed " << seed;
  }
}

TEST(StagedFeeds, ErrorsNameTheFeed) {
  Program program; // The host's processor has no memory of its own.
  std::vector<int32_t> memory(size);
  program.deviceFeeds["x"] = {
      type, reinterpret_cast<std::byte *>(memory.data()), MemorySpace::Device};
  EXPECT_TRUE(failsWith(StagedFeeds::create(program, {}).status(),
                        absl::StatusCode::kFailedPrecondition, "feed 'x'"));
}

} // namespace
