// SPDX-License-Identifier: Apache-2.0
//===- DeviceGroupTest.cpp - when devices add up, and when they fail ------===//
//
// CommunicatorTest has what all communicators do.
//
//===----------------------------------------------------------------------===//

#include "runtime/collective/DeviceGroup.h"
#include "runtime/base/Join.h"
#include "runtime/collective/InProcessGroup.h"
#include "runtime/device/EmulatedDevice.h"
#include "test/unit/device/TestDevice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <atomic>
#include <future>
#include <thread>

using namespace ps::runtime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// Joins groups as `join` says, and does nothing else.
class JoiningDevice final : public TestDevice {
public:
  using Join = std::function<absl::StatusOr<std::unique_ptr<DeviceCollective>>(
      absl::FunctionRef<absl::Status()> goOn)>;

  JoiningDevice(std::string unique, Join join)
      : unique(std::move(unique)), join(std::move(join)) {}

  std::string uniqueName() const override { return unique; }
  absl::StatusOr<std::string> makeGroupId() override {
    return unique + std::string(deviceGroupIdBytes - unique.size(), '\0');
  }
  absl::StatusOr<std::unique_ptr<DeviceCollective>>
  joinGroup(const DeviceGroupPlace &,
            absl::FunctionRef<absl::Status()> goOn) override {
    return join(goOn);
  }

private:
  const std::string unique;
  const Join join;
};

/// Waits for ever for another rank, and counts that.
class HangingCollective final : public DeviceCollective {
public:
  explicit HangingCollective(std::atomic<int> &hanging) : hanging(hanging) {}
  ~HangingCollective() override { abort(); }
  void allReduce(std::vector<DevicePart>, Done /*failing*/,
                 Done done) override {
    waiting = std::move(done);
    ++hanging;
  }
  void abort() override {
    if (Done done = std::exchange(waiting, {}))
      done(absl::AbortedError("aborted"));
  }

private:
  std::atomic<int> &hanging;
  Done waiting;
};

bool waitUntil(absl::FunctionRef<bool()> condition) {
  const absl::Time end = absl::Now() + absl::Seconds(20);
  while (!condition() && absl::Now() < end)
    std::this_thread::yield();
  return condition();
}

/// A rank of two, which fails at once or waits until it is aborted. It ends
/// when the other one does, too, as NCCL's.
class LingeringCollective final : public DeviceCollective {
public:
  LingeringCollective(bool fails, std::atomic<int> &leaving)
      : fails(fails), leaving(leaving) {}
  ~LingeringCollective() override {
    abort();
    if (runner.joinable())
      runner.join();
  }
  void allReduce(std::vector<DevicePart>, Done failing, Done done) override {
    runner = std::thread(
        [this, failing = std::move(failing), done = std::move(done)]() mutable {
          EXPECT_TRUE(waitUntil([&] { return fails || isAborted; }));
          absl::Status status = fails ? absl::InternalError("as it happens")
                                      : absl::AbortedError("aborted");
          failing(status);
          ++leaving;
          EXPECT_TRUE(waitUntil([&] { return leaving == 2; }));
          done(std::move(status));
        });
  }
  void abort() override { isAborted = true; }

private:
  const bool fails;
  std::atomic<int> &leaving;
  std::atomic<bool> isAborted = false;
  std::thread runner;
};

/// Counts the groups that are left.
class CountingCollective final : public DeviceCollective {
public:
  explicit CountingCollective(std::atomic<int> &left) : left(left) {}
  ~CountingCollective() override { ++left; }
  void allReduce(std::vector<DevicePart>, Done /*failing*/,
                 Done done) override {
    done(absl::OkStatus());
  }
  void abort() override {}

private:
  std::atomic<int> &left;
};

struct Made {
  std::vector<std::unique_ptr<Communicator>> group;
  std::vector<std::string> warnings;
};

Made makeGroup(const std::vector<Device *> &devices) {
  auto hosts =
      makeInProcessGroup({.trainers = static_cast<int>(devices.size())});
  Made made;
  made.group.resize(devices.size());
  made.warnings.resize(devices.size());
  std::vector<std::thread> threads;
  for (size_t id = 0; id != devices.size(); ++id)
    threads.emplace_back([&, id] {
      made.group[id] =
          makeDeviceGroup(
              std::move(hosts[id]), *devices[id],
              {.trainer = static_cast<int>(id),
               .trainers = static_cast<int>(devices.size()),
               .warn =
                   [&](const std::string &why) { made.warnings[id] = why; }})
              .value();
    });
  for (std::thread &thread : threads)
    thread.join();
  return made;
}

/// All trainers reduce `values` in place.
std::vector<absl::Status>
allReduce(const std::vector<std::unique_ptr<Communicator>> &group,
          std::vector<std::vector<float>> &values) {
  std::vector<std::future<absl::Status>> results;
  for (size_t id = 0; id != group.size(); ++id)
    results.push_back(std::async(std::launch::async, [&, id] {
      auto bytes = std::as_writable_bytes(std::span(values[id]));
      return await([&](Done done) {
        group[id]->allReduce(0, 0,
                             {{DType::F32, bytes, bytes, MemorySpace::Device}},
                             std::move(done));
      });
    }));
  std::vector<absl::Status> statuses;
  for (auto &result : results)
    statuses.push_back(result.get());
  return statuses;
}

TEST(DeviceGroupTest, HostAddsUpWhereTrainersShareADevice) {
  std::unique_ptr<Device> device = makeEmulatedDevice();
  Made made = makeGroup({device.get(), device.get()});
  for (const std::string &warning : made.warnings)
    EXPECT_EQ(warning, "gradients are added up on the host: trainer 1 has the "
                       "same device as another one");
  std::vector<std::vector<float>> values = {{1, 2}, {3, 6}};
  for (const absl::Status &status : allReduce(made.group, values))
    EXPECT_EQ(status, absl::OkStatus());
  EXPECT_THAT(values[0], ElementsAre(2, 4));
  EXPECT_THAT(values[1], ElementsAre(2, 4));
}

TEST(DeviceGroupTest, HostAddsUpWhereADeviceJoinsNoGroups) {
  std::unique_ptr<Device> device = makeEmulatedDevice();
  Made made = makeGroup({device.get(), &Device::cpu()});
  EXPECT_EQ(made.warnings[0], "gradients are added up on the host: the device "
                              "of trainer 1 joins no groups of devices");
  EXPECT_EQ(made.warnings[1], "gradients are added up on the host: device "
                              "'cpu' joins no groups of devices");
  std::vector<std::vector<float>> values = {{1}, {3}};
  for (const absl::Status &status : allReduce(made.group, values))
    EXPECT_EQ(status, absl::OkStatus());
  EXPECT_THAT(values[0], ElementsAre(2));
}

TEST(DeviceGroupTest, EndsForAllWhereTensorsDiffer) {
  std::unique_ptr<Device> devices[] = {makeEmulatedDevice(),
                                       makeEmulatedDevice()};
  Made made = makeGroup({devices[0].get(), devices[1].get()});
  std::vector<std::vector<float>> values = {{1}, {2, 3}};
  for (const absl::Status &status : allReduce(made.group, values))
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("all_reduce 0 of step 0: trainer 1 has other "
                          "tensors than trainer 0"));
}

TEST(DeviceGroupTest, EndsForAllWhenOneCannotJoin) {
  JoiningDevice waits("one",
                      [](absl::FunctionRef<absl::Status()> goOn)
                          -> absl::StatusOr<std::unique_ptr<DeviceCollective>> {
                        while (true) {
                          if (absl::Status status = goOn(); !status.ok())
                            return status;
                          std::this_thread::yield();
                        }
                      });
  JoiningDevice fails("two", [](absl::FunctionRef<absl::Status()>) {
    return absl::InternalError("out of memory");
  });
  Made made = makeGroup({&waits, &fails});
  std::vector<std::vector<float>> values = {{1}, {2}};
  std::vector<absl::Status> statuses = allReduce(made.group, values);
  EXPECT_EQ(statuses[0].message(), "all_reduce 0 of step 0: trainer 1 failed: "
                                   "all_reduce 0 of step 0: out of memory");
  EXPECT_EQ(statuses[1].message(), "all_reduce 0 of step 0: out of memory");
}

/// A device waits for another one as long as the job lives.
TEST(DeviceGroupTest, EndsWhenAnotherTrainerFails) {
  std::atomic<int> hanging{0};
  auto hang = [&](absl::FunctionRef<absl::Status()>) {
    return std::make_unique<HangingCollective>(hanging);
  };
  JoiningDevice one("one", hang), two("two", hang);
  Made made = makeGroup({&one, &two});
  std::vector<std::vector<float>> values = {{1}, {2}};
  std::thread killer([&] {
    const absl::Time end = absl::Now() + absl::Seconds(60);
    while (hanging != 2 && absl::Now() < end)
      std::this_thread::yield();
    made.group[1]->abort("killed");
  });
  for (const absl::Status &status : allReduce(made.group, values))
    EXPECT_EQ(status.message(),
              "all_reduce 0 of step 0: trainer 1 failed: killed");
  killer.join();
}

/// A device that fails may not be able to end before the others do.
TEST(DeviceGroupTest, ReportsAFailureBeforeItsDeviceEnds) {
  std::atomic<int> leaving{0};
  JoiningDevice fails("one", [&](absl::FunctionRef<absl::Status()>) {
    return std::make_unique<LingeringCollective>(/*fails=*/true, leaving);
  });
  JoiningDevice waits("two", [&](absl::FunctionRef<absl::Status()>) {
    return std::make_unique<LingeringCollective>(/*fails=*/false, leaving);
  });
  Made made = makeGroup({&fails, &waits});
  std::vector<std::vector<float>> values = {{1}, {2}};
  std::vector<absl::Status> statuses = allReduce(made.group, values);
  EXPECT_EQ(statuses[0].message(), "all_reduce 0 of step 0: as it happens");
  EXPECT_EQ(statuses[1].message(),
            "all_reduce 0 of step 0: trainer 0 failed: all_reduce 0 of step 0: "
            "as it happens");
}

/// The others, which leave the group for another one, do not wait for a trainer
/// that does nothing any more.
TEST(DeviceGroupTest, LeavesItsGroupWhenTheTrainerCompletes) {
  std::atomic<int> left{0};
  auto join = [&](absl::FunctionRef<absl::Status()>) {
    return std::make_unique<CountingCollective>(left);
  };
  JoiningDevice one("one", join), two("two", join);
  Made made = makeGroup({&one, &two});
  std::vector<std::vector<float>> values = {{1}, {2}};
  for (const absl::Status &status : allReduce(made.group, values))
    EXPECT_EQ(status, absl::OkStatus());
  EXPECT_EQ(left, 0);
  made.group[0]->complete();
  EXPECT_TRUE(waitUntil([&] { return left != 0; }));
  EXPECT_EQ(left, 1);
}

/// Whoever goes on forms another group.
TEST(DeviceGroupTest, FormsAnotherGroupWhenATrainerLeaves) {
  std::unique_ptr<Device> devices[] = {
      makeEmulatedDevice(), makeEmulatedDevice(), makeEmulatedDevice()};
  Made made = makeGroup({devices[0].get(), devices[1].get(), devices[2].get()});
  std::vector<std::vector<float>> values = {{1}, {2}, {6}};
  for (const absl::Status &status : allReduce(made.group, values))
    EXPECT_EQ(status, absl::OkStatus());
  EXPECT_THAT(values[0], ElementsAre(3));
  made.group[0]->complete();
  std::vector<std::future<absl::Status>> results;
  for (int id : {1, 2}) {
    values[id] = {static_cast<float>(id)};
    results.push_back(std::async(std::launch::async, [&, id] {
      auto bytes = std::as_writable_bytes(std::span(values[id]));
      return await([&](Done done) {
        made.group[id]->allReduce(
            1, 0, {{DType::F32, bytes, bytes, MemorySpace::Device}},
            std::move(done));
      });
    }));
  }
  for (auto &result : results)
    EXPECT_EQ(result.get(), absl::OkStatus());
  EXPECT_THAT(values[1], ElementsAre(1.5));
  EXPECT_THAT(values[2], ElementsAre(1.5));
}

} // namespace
