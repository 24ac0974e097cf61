// SPDX-License-Identifier: Apache-2.0
//===- CommunicatorTest.cpp - conformance of the communicators ------------===//
//
// What trainers see of each other must not depend on how they are connected:
// every test asks makeGroup for communicators.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/match.h"
#include "runtime/collective/DeviceGroup.h"
#include "runtime/collective/InProcessGroup.h"
#include "runtime/collective/PeerGroup.h"
#include "runtime/device/EmulatedDevice.h"
#include "runtime/device/OpenDevice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <future>
#include <map>
#include <memory>
#include <thread>

using namespace ps::runtime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// Trainers leave side by side, as processes do: GPUs wait for each other.
struct Group : std::vector<std::unique_ptr<Communicator>> {
  Group() = default;
  Group(std::vector<std::unique_ptr<Communicator>> trainers)
      : vector(std::move(trainers)) {}
  Group(Group &&) = default;
  Group &operator=(Group &&) = default;
  ~Group() {
    std::vector<std::future<void>> leaving;
    for (std::unique_ptr<Communicator> &trainer : *this)
      leaving.push_back(
          std::async(std::launch::async, [&trainer] { trainer.reset(); }));
  }
};

/// Over loopback. Small cuts and a low limit have few values take every path.
Group makePeers(int trainers, absl::Duration timeout, uint64_t directBytes,
                TransportChoice transport) {
  std::vector<std::unique_ptr<PeerGroup>> peers;
  std::vector<std::string> endpoints;
  for (int id = 0; id != trainers; ++id) {
    peers.push_back(
        PeerGroup::listen("127.0.0.1:0", {.hello = {.trainerId = id,
                                                    .incarnation = id + 1u,
                                                    .jobHash = "job"},
                                          .trainers = trainers,
                                          .timeout = timeout,
                                          .directBytes = directBytes,
                                          .cutBytes = 16,
                                          .transport = transport})
            .value());
    endpoints.push_back(peers.back()->endpoint());
  }
  Group group;
  for (std::unique_ptr<PeerGroup> &peer : peers) {
    EXPECT_EQ(peer->connect(endpoints, {}), absl::OkStatus());
    group.push_back(std::move(peer));
  }
  return group;
}

/// Devices of their own; never destroyed, as memory may outlive a group. Where
/// test/cuda stands for CUDA, PS_TEST_GPUS=1 takes its GPUs, whose memory is
/// the host's, too.
Device &deviceOf(int trainer) {
  static auto &devices = *new std::map<int, Device *>;
  Device *&device = devices[trainer];
  if (!device)
    device = std::getenv("PS_TEST_GPUS")
                 ? openDevice(absl::StrCat("cuda:", trainer)).value()
                 : makeEmulatedDevice().release();
  return *device;
}

Group stageOnHost(Group hosts) {
  for (size_t id = 0; id != hosts.size(); ++id)
    hosts[id] =
        makeStagedGroup(std::move(hosts[id]), deviceOf(static_cast<int>(id)));
  return hosts;
}

/// They agree on it, so each is made on a thread. None are made where that
/// takes longer than the hosts wait.
Group addUpOnDevices(Group hosts) {
  std::vector<std::future<absl::StatusOr<std::unique_ptr<Communicator>>>> made;
  for (size_t id = 0; id != hosts.size(); ++id)
    made.push_back(std::async(
        std::launch::async,
        [host = std::move(hosts[id]), &device = deviceOf(static_cast<int>(id)),
         options = DeviceGroupOptions{
             .trainer = static_cast<int>(id),
             .trainers = static_cast<int>(hosts.size()),
             .warn = [](const std::string &why) { ADD_FAILURE() << why; },
         }]() mutable {
          return makeDeviceGroup(std::move(host), device, options);
        }));
  Group group;
  for (auto &each : made) {
    absl::StatusOr<std::unique_ptr<Communicator>> member = each.get();
    if (!absl::IsDeadlineExceeded(member.status()))
      group.push_back(std::move(member).value());
  }
  return group.size() == hosts.size() ? std::move(group) : Group();
}

/// The last two are of gradients in the memory of devices.
enum class Kind {
  InProcess,
  Direct,
  InCuts,
  InCutsOverGrpc,
  OnDevices,
  Staged
};

template <typename T>
std::span<std::byte> bytesOf(std::vector<T> &values) {
  return std::as_writable_bytes(std::span(values));
}

/// A trainer's gradient and mean.
struct Tensor {
  std::vector<float> gradient, mean;
  static inline MemorySpace space = MemorySpace::Host;

  explicit Tensor(std::vector<float> gradient)
      : gradient(std::move(gradient)), mean(this->gradient.size()) {}
  /// An emulated device's memory is the host's.
  ReducePart part() {
    return {DType::F32, bytesOf(gradient), bytesOf(mean), space};
  }
};

class CommunicatorTest : public ::testing::TestWithParam<Kind> {
protected:
  void SetUp() override {
    Tensor::space =
        GetParam() >= Kind::OnDevices ? MemorySpace::Device : MemorySpace::Host;
  }
  Group makeGroup(int trainers, absl::Duration timeout = absl::Minutes(1)) {
    if (GetParam() == Kind::InProcess)
      return makeInProcessGroup({.trainers = trainers, .timeout = timeout});
    if (GetParam() == Kind::Staged)
      return stageOnHost(
          makeInProcessGroup({.trainers = trainers, .timeout = timeout}));
    if (GetParam() == Kind::OnDevices)
      return addUpOnDevices(
          makeInProcessGroup({.trainers = trainers, .timeout = timeout}));
    return makePeers(trainers, timeout, GetParam() == Kind::Direct ? 1024 : 0,
                     GetParam() == Kind::InCutsOverGrpc
                         ? TransportChoice::Grpc
                         : TransportChoice::Auto);
  }
};

const auto kinds =
    ::testing::Values(Kind::InProcess, Kind::Direct, Kind::InCuts,
                      Kind::InCutsOverGrpc, Kind::OnDevices, Kind::Staged);
const char *nameOf(const ::testing::TestParamInfo<Kind> &info) {
  constexpr const char *names[] = {"InProcess",      "Direct",    "InCuts",
                                   "InCutsOverGrpc", "OnDevices", "Staged"};
  return names[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Groups, CommunicatorTest, kinds, nameOf);

/// A call that may end on any thread.
struct Call {
  std::promise<absl::Status> promise;
  std::future<absl::Status> result = promise.get_future();

  Done done() {
    return [this](absl::Status status) { promise.set_value(status); };
  }
  bool isOpen() {
    return result.wait_for(std::chrono::seconds(0)) !=
           std::future_status::ready;
  }
  absl::Status wait() {
    if (result.wait_for(std::chrono::seconds(20)) != std::future_status::ready)
      return absl::InternalError("the call does not end");
    return result.get();
  }
};

TEST_P(CommunicatorTest, GivesEveryTrainerTheMean) {
  Group group = makeGroup(3);
  std::vector<Tensor> small, large;
  for (float t : {1.f, 2.f, 6.f}) {
    small.emplace_back(std::vector<float>{t});
    large.emplace_back(std::vector<float>{t, -t, 0});
  }
  Call calls[3];
  for (int t : {2, 0, 1}) {
    EXPECT_TRUE(calls[2].isOpen());
    group[t]->allReduce(0, 0, {small[t].part(), large[t].part()},
                        calls[t].done());
  }
  for (int t : {0, 1, 2}) {
    EXPECT_TRUE(calls[t].wait().ok());
    EXPECT_THAT(small[t].mean, ElementsAre(3));
    EXPECT_THAT(large[t].mean, ElementsAre(3, -3, 0));
    EXPECT_THAT(small[t].gradient, ElementsAre(t == 2 ? 6 : t + 1));
  }
}

/// A device may have gradients still to compute.
TEST_P(CommunicatorTest, ComesAfterTheDevicesWork) {
  if (GetParam() < Kind::OnDevices)
    GTEST_SKIP() << "hosts queue nothing";
  Group group = makeGroup(2);
  constexpr int64_t side = 200;
  const std::vector<float> ones(side * side, 1);
  for (int64_t step = 0; step < 10; ++step) {
    Tensor tensors[] = {Tensor(std::vector<float>(side * side)),
                        Tensor(std::vector<float>(side * side))};
    Call calls[2];
    for (int t : {0, 1}) {
      EXPECT_TRUE(deviceOf(t)
                      .multiply({.m = side,
                                 .n = side,
                                 .k = side,
                                 .a = ones.data(),
                                 .b = ones.data(),
                                 .c = tensors[t].gradient.data()})
                      .ok());
      group[t]->allReduce(step, 0, {tensors[t].part()}, calls[t].done());
    }
    for (int t : {0, 1}) {
      EXPECT_TRUE(calls[t].wait().ok());
      EXPECT_THAT(tensors[t].mean, ::testing::Each(side));
    }
  }
}

TEST_P(CommunicatorTest, WorksInPlace) {
  Group group = makeGroup(2);
  std::vector<double> values[] = {{1, 2}, {3, 6}};
  Call calls[2];
  for (int t : {0, 1})
    group[t]->allReduce(0, 0,
                        {{DType::F64, bytesOf(values[t]), bytesOf(values[t])}},
                        calls[t].done());
  for (int t : {0, 1}) {
    EXPECT_TRUE(calls[t].wait().ok());
    EXPECT_THAT(values[t], ElementsAre(2, 4));
  }
}

TEST_P(CommunicatorTest, SumsInOrderOfIds) {
  // (1e8 - 1e8) + 1 is 1, (1e8 + 1) - 1e8 is 0 in f32.
  for (std::vector<int> order : {std::vector{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
    Group group = makeGroup(3);
    Tensor tensors[] = {Tensor({1e8f}), Tensor({-1e8f}), Tensor({3})};
    Call calls[3];
    for (int t : order)
      group[t]->allReduce(0, 0, {tensors[t].part()}, calls[t].done());
    for (int t : order) {
      EXPECT_TRUE(calls[t].wait().ok());
      EXPECT_THAT(tensors[t].mean, ElementsAre(1));
    }
  }
}

/// One may be operations ahead of the other.
TEST_P(CommunicatorTest, DistinguishesStepsAndChannels) {
  Group group = makeGroup(2);
  Tensor a0({1}), b0({10}), c0({100}), a1({3}), b1({30}), c1({300});
  Call calls[6];
  group[0]->allReduce(0, 0, {a0.part()}, calls[0].done());
  group[0]->allReduce(0, 1, {b0.part()}, calls[1].done());
  group[0]->allReduce(1, 0, {c0.part()}, calls[2].done());
  group[1]->allReduce(0, 0, {a1.part()}, calls[3].done());
  group[1]->allReduce(0, 1, {b1.part()}, calls[4].done());
  group[1]->allReduce(1, 0, {c1.part()}, calls[5].done());
  for (Call &call : calls)
    EXPECT_TRUE(call.wait().ok());
  EXPECT_THAT(a0.mean, ElementsAre(2));
  EXPECT_THAT(b1.mean, ElementsAre(20));
  EXPECT_THAT(c0.mean, ElementsAre(200));
}

/// What would leave trainers waiting for each other is refused at once.
TEST_P(CommunicatorTest, RefusesAnotherOrder) {
  Group group = makeGroup(2);
  Tensor tensors[] = {Tensor({1}), Tensor({1})};
  auto refused = [&](int trainer, int64_t step, int64_t channel) {
    Call call;
    group[trainer]->allReduce(step, channel, {tensors[trainer].part()},
                              call.done());
    return std::string(call.wait().message());
  };
  Call first, next;
  group[0]->allReduce(0, 1, {tensors[0].part()}, first.done());
  EXPECT_EQ(refused(0, 0, 0),
            "all_reduce 0 of step 0: trainer 0 issues it after all_reduce 1 of "
            "step 0: expected ascending steps and channels");
  EXPECT_EQ(refused(1, 0, 0),
            "all_reduce 0 of step 0: trainer 1 issues it, but trainer 0 has "
            "gone on to all_reduce 1 of step 0: expected the same operations");
  EXPECT_EQ(refused(1, 1, 0),
            "all_reduce 0 of step 1: trainer 1 issues it without all_reduce 1 "
            "of step 0, which others wait for: expected the same operations");
  // Nobody has gone on.
  group[1]->allReduce(0, 1, {tensors[1].part()}, next.done());
  EXPECT_TRUE(first.wait().ok());
  EXPECT_TRUE(next.wait().ok());
}

/// One trainer's steps.
int countWrongSteps(ps::runtime::Communicator &communicator, int trainer,
                    int trainers, int steps) {
  constexpr int channels = 3;
  int wrong = 0;
  for (int step = 0; step != steps; ++step) {
    std::vector<Tensor> tensors;
    for (int channel = 0; channel != channels; ++channel)
      tensors.emplace_back(std::vector<float>(
          50, static_cast<float>(2 * trainer + step + channel)));
    Call calls[channels];
    for (int channel = 0; channel != channels; ++channel)
      communicator.allReduce(step, channel, {tensors[channel].part()},
                             calls[channel].done());
    for (int channel = 0; channel != channels; ++channel)
      wrong += !calls[channel].wait().ok() ||
               tensors[channel].mean[49] !=
                   static_cast<float>(trainers - 1 + step + channel);
  }
  communicator.complete();
  return wrong;
}

TEST_P(CommunicatorTest, ServesManyThreads) {
  constexpr int trainers = 4;
  Group group = makeGroup(trainers);
  std::vector<std::future<int>> results;
  for (int t = 0; t != trainers; ++t)
    results.push_back(std::async(std::launch::async, [&, t] {
      return countWrongSteps(*group[t], t, trainers, 100);
    }));
  for (std::future<int> &result : results)
    EXPECT_EQ(result.get(), 0);
}

TEST_P(CommunicatorTest, BroadcastsValuesOfTrainer0) {
  Group group = makeGroup(3);
  std::vector<float> values[] = {{5, 6}, {0, 0}, {1, 1}};
  Call calls[3];
  for (int t : {1, 0, 2})
    group[t]->broadcast(-1, 0, bytesOf(values[t]), calls[t].done());
  for (int t : {0, 1, 2}) {
    EXPECT_TRUE(calls[t].wait().ok());
    EXPECT_THAT(values[t], ElementsAre(5, 6));
  }
}

TEST_P(CommunicatorTest, OneTrainerIsAGroup) {
  Group group = makeGroup(1);
  Tensor tensor({7});
  Call call;
  group[0]->allReduce(0, 0, {tensor.part()}, call.done());
  EXPECT_TRUE(call.wait().ok());
  EXPECT_THAT(tensor.mean, ElementsAre(7));
}

TEST_P(CommunicatorTest, ContinuesWithoutCompletedTrainers) {
  Group group = makeGroup(3);
  Tensor first({2}), second({4});
  Call calls[2];
  group[0]->allReduce(5, 0, {first.part()}, calls[0].done());
  group[1]->complete();
  EXPECT_TRUE(calls[0].isOpen());
  group[2]->allReduce(5, 0, {second.part()}, calls[1].done());
  EXPECT_TRUE(calls[0].wait().ok());
  EXPECT_TRUE(calls[1].wait().ok());
  EXPECT_THAT(first.mean, ElementsAre(3));

  // The last one waits for no other, also when it waits already.
  Call alone;
  group[0]->allReduce(6, 0, {first.part()}, alone.done());
  group[2]->complete();
  EXPECT_TRUE(alone.wait().ok());
  EXPECT_THAT(first.mean, ElementsAre(2));
}

/// One that goes on may be at something else for long: GPUs wait for it for a
/// few seconds.
TEST_P(CommunicatorTest, CompletedTrainersEndAlone) {
  Group group = makeGroup(2);
  Tensor tensors[] = {Tensor({2}), Tensor({4})};
  Call calls[2];
  for (int t : {0, 1})
    group[t]->allReduce(5, 0, {tensors[t].part()}, calls[t].done());
  for (Call &call : calls)
    EXPECT_TRUE(call.wait().ok());
  group[1]->complete();
  group[1].reset();
  EXPECT_TRUE(group[0]->health().ok());
  Call alone;
  group[0]->allReduce(6, 0, {tensors[0].part()}, alone.done());
  EXPECT_TRUE(alone.wait().ok());
  EXPECT_THAT(tensors[0].mean, ElementsAre(2));
}

/// Beside an operation that waits for one of them.
TEST_P(CommunicatorTest, GivesAllWhereEachMayStop) {
  Group group = makeGroup(3);
  Tensor tensor({1});
  Call step, calls[3];
  group[0]->allReduce(4, 0, {tensor.part()}, step.done());
  std::vector<double> proposals[] = {{7, 0, 0}, {0, 9, 0}, {0, 0, 8}};
  for (int t : {0, 2})
    group[t]->proposeStop(proposals[t], calls[t].done());
  EXPECT_TRUE(calls[0].isOpen());
  EXPECT_TRUE(calls[2].isOpen());
  group[1]->proposeStop(proposals[1], calls[1].done());
  for (int t : {0, 1, 2}) {
    EXPECT_TRUE(calls[t].wait().ok());
    EXPECT_THAT(proposals[t], ElementsAre(7, 9, 8));
  }
  EXPECT_TRUE(step.isOpen());
  group[2]->abort("enough");
  EXPECT_FALSE(step.wait().ok());
}

TEST_P(CommunicatorTest, WaitsForNoProposalOfOneThatHasLeft) {
  Group group = makeGroup(2);
  Call calls[2];
  std::vector<double> proposals[] = {{7, 0}, {0, 9}};
  group[0]->proposeStop(proposals[0], calls[0].done());
  group[1]->complete();
  EXPECT_TRUE(calls[0].wait().ok());
  EXPECT_THAT(proposals[0], ElementsAre(7, 0));
  Group failing = makeGroup(2);
  failing[0]->proposeStop(proposals[0], calls[1].done());
  failing[1]->abort("enough");
  EXPECT_THAT(calls[1].wait().message(), HasSubstr("enough"));
}

/// Whoever has taken part in the first operation takes part in all.
TEST_P(CommunicatorTest, EndsForAllWhenOneLeavesWithinAStep) {
  for (bool leavesFirst : {false, true}) {
    Group group = makeGroup(2);
    Tensor tensors[] = {Tensor({1}), Tensor({2})};
    Call calls[2], next;
    for (int t : {0, 1})
      group[t]->allReduce(4, 0, {tensors[t].part()}, calls[t].done());
    for (Call &call : calls)
      EXPECT_TRUE(call.wait().ok());
    if (leavesFirst)
      group[1]->complete();
    group[0]->allReduce(4, 1, {tensors[0].part()}, next.done());
    if (!leavesFirst) {
      EXPECT_TRUE(next.isOpen());
      group[1]->complete();
    }
    EXPECT_EQ(next.wait(), absl::AbortedError("all_reduce 1 of step 4: trainer "
                                              "1 has left within the step"));
    EXPECT_EQ(group[0]->health(),
              absl::AbortedError("trainer 1 has left within the step"));
  }
}

/// The last exchange of a step may be long over when an epoch ends.
TEST_P(CommunicatorTest, SumsDoNotWaitForTrainersThatHaveLeft) {
  Group group = makeGroup(3);
  Tensor tensors[] = {Tensor({1}), Tensor({2}), Tensor({3})};
  Call calls[3], sums[2];
  for (int t : {0, 1, 2})
    group[t]->allReduce(4, 0, {tensors[t].part()}, calls[t].done());
  for (Call &call : calls)
    EXPECT_TRUE(call.wait().ok());
  group[1]->complete();
  double values[] = {1, 2};
  group[0]->sum(4, 0, {&values[0], 1}, sums[0].done());
  group[2]->sum(4, 0, {&values[1], 1}, sums[1].done());
  for (Call &call : sums)
    EXPECT_TRUE(call.wait().ok());
  EXPECT_EQ(values[0], 3);
  EXPECT_EQ(values[1], 3);
}

TEST_P(CommunicatorTest, NamesMissingTrainers) {
  const char *named =
      "all_reduce 1 of step 3: trainers 1, 3 are missing after ";
  // On a busy machine others may be late as well.
  for (absl::Duration timeout = absl::Milliseconds(50);; timeout *= 2) {
    const bool isLast = timeout > absl::Seconds(10);
    Group group = makeGroup(4, timeout);
    if (group.empty() && !isLast)
      continue;
    ASSERT_EQ(group.size(), 4u);
    Tensor tensors[] = {Tensor({1}), Tensor({2})};
    Call calls[2];
    for (int t : {0, 2})
      group[t]->allReduce(3, 1, {tensors[t / 2].part()}, calls[t / 2].done());
    bool areNamed = true;
    for (Call &call : calls) {
      absl::Status status = call.wait();
      areNamed &= absl::IsDeadlineExceeded(status) &&
                  absl::StrContains(status.message(), named);
      if (isLast)
        EXPECT_TRUE(areNamed) << status;
    }
    if (!areNamed && !isLast)
      continue;
    // Others learn of it a little later; then their calls fail with the reason
    // why the job is lost.
    const absl::Time deadline = absl::Now() + absl::Seconds(20);
    while (group[1]->health().ok() && absl::Now() < deadline)
      std::this_thread::yield();
    EXPECT_FALSE(group[1]->health().ok());
    Call late;
    group[1]->allReduce(3, 1, {tensors[0].part()}, late.done());
    EXPECT_THAT(std::string(late.wait().message()), HasSubstr("are missing"));
    return;
  }
}

/// Others learn of it a little later.
void expectPending(const Communicator &trainer, const std::string &text) {
  const absl::Time deadline = absl::Now() + absl::Seconds(20);
  while (trainer.describePending() != text && absl::Now() < deadline)
    std::this_thread::yield();
  EXPECT_EQ(trainer.describePending(), text);
}

TEST_P(CommunicatorTest, DescribesWhatItWaitsFor) {
  Group group = makeGroup(3);
  Tensor tensors[] = {Tensor({1}), Tensor({2}), Tensor({1}), Tensor({2})};
  Call calls[2], next[2];
  group[0]->allReduce(3, 1, {tensors[0].part()}, calls[0].done());
  group[0]->allReduce(3, 2, {tensors[1].part()}, next[0].done());
  expectPending(*group[0], "trainers 1, 2, all_reduce 1 of step 3");
  group[1]->complete();
  expectPending(*group[0], "trainer 2, all_reduce 1 of step 3");
  EXPECT_EQ(group[2]->describePending(), "");
  group[2]->allReduce(3, 1, {tensors[2].part()}, calls[1].done());
  for (Call &call : calls)
    EXPECT_TRUE(call.wait().ok());
  expectPending(*group[0], "trainer 2, all_reduce 2 of step 3");
  group[2]->allReduce(3, 2, {tensors[3].part()}, next[1].done());
  for (Call &call : next)
    EXPECT_TRUE(call.wait().ok());
  expectPending(*group[0], "");
}

TEST_P(CommunicatorTest, EndsForAllWhenOneFails) {
  Group group = makeGroup(2);
  Tensor tensor({1});
  Call waiting, late;
  group[0]->allReduce(7, 0, {tensor.part()}, waiting.done());
  EXPECT_TRUE(group[0]->health().ok());
  // A device's gradient reaches the host in time.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (group[0]->describePending().empty() &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  group[1]->abort("loss is nan");
  absl::Status status = waiting.wait();
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(status.message(),
            "all_reduce 0 of step 7: trainer 1 failed: loss is nan");
  group[0]->allReduce(8, 0, {tensor.part()}, late.done());
  EXPECT_EQ(late.wait().message(), "trainer 1 failed: loss is nan");
}

TEST_P(CommunicatorTest, EndsForAllWhenOneIsDestroyed) {
  Group group = makeGroup(2);
  std::vector<float> value = {1};
  Call waiting;
  group[0]->broadcast(-1, 2, bytesOf(value), waiting.done());
  group[1].reset();
  EXPECT_EQ(waiting.wait().message(),
            "broadcast 2 of the start: trainer 1 failed: it ended early");
}

TEST_P(CommunicatorTest, NeedsTrainer0ForItsValues) {
  Group group = makeGroup(2);
  std::vector<float> value = {1};
  Call waiting;
  group[1]->broadcast(-1, 0, bytesOf(value), waiting.done());
  group[0]->complete();
  EXPECT_EQ(waiting.wait().message(),
            "broadcast 0 of the start: trainer 0, whose value it is, has left "
            "the job");
}

TEST_P(CommunicatorTest, NeedsTrainer0InLaterSteps) {
  Group group = makeGroup(2);
  std::vector<float> value = {1};
  group[0]->complete();
  Call late, left;
  group[1]->broadcast(3, 0, bytesOf(value), late.done());
  EXPECT_EQ(late.wait().message(),
            "broadcast 0 of step 3: trainer 0, whose value it is, has left the "
            "job");
}

TEST_P(CommunicatorTest, RefusesCallsOfTrainersThatHaveLeft) {
  Group group = makeGroup(2);
  Tensor tensor({1});
  group[1]->complete();
  Call late;
  group[1]->allReduce(0, 0, {tensor.part()}, late.done());
  EXPECT_EQ(
      late.wait().message(),
      "all_reduce 0 of step 0: trainer 1 issues it, but has left the job");
}

/// See DeviceGroupTest.cpp for devices.
TEST_P(CommunicatorTest, RefusesWhatCannotBeMerged) {
  if (GetParam() == Kind::OnDevices)
    GTEST_SKIP() << "devices find out when all have agreed";
  Group group = makeGroup(2);
  Tensor one({1}), two({1, 2});
  std::vector<int64_t> whole = {1};
  Call first, twice, larger, integers;
  group[0]->allReduce(0, 0, {one.part()}, first.done());
  group[0]->allReduce(0, 0, {one.part()}, twice.done());
  EXPECT_EQ(twice.wait().message(),
            "all_reduce 0 of step 0: trainer 0 takes part a second time");
  group[1]->allReduce(0, 0, {two.part()}, larger.done());
  EXPECT_EQ(
      larger.wait().message(),
      "all_reduce 0 of step 0: trainer 1 has other tensors than trainer 0");
  group[1]->allReduce(0, 0, {{DType::I64, bytesOf(whole), bytesOf(whole)}},
                      integers.done());
  EXPECT_EQ(integers.wait().message(),
            "all_reduce 0 of step 0: trainer 1 brings i64, which has no mean: "
            "expected floats");
  EXPECT_TRUE(first.isOpen());
  group.clear();
}

} // namespace
