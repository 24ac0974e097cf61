// SPDX-License-Identifier: Apache-2.0
//===- EmulatedDevice.cpp - a device made of the host ---------------------===//
//
// One thread does all work, in an order that is drawn from those which Device.h
// allows: so a program that forgets to order two of them has wrong results in
// some run. Transfers overtake queued work, unless they are ordered after it,
// and queued work may be left until a caller waits for it.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/EmulatedDevice.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/RandomBits.h"
#include "runtime/device/EmulatedCollective.h"
#include "runtime/device/GridRunner.h"
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <thread>
#include <unistd.h>

using namespace ps::runtime;

namespace {

size_t hostBytes() {
  return size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
}

/// To the nearest, ties to even; infinities and NaNs stay.
float roundToTf32(float value) {
  if (!std::isfinite(value))
    return value;
  constexpr int bits = 13; // of the mantissa that go
  auto word = std::bit_cast<uint32_t>(value);
  word += (1u << (bits - 1)) - 1 + (word >> bits & 1);
  return std::bit_cast<float>(word >> bits << bits);
}

/// An element of an operand, which bf16 has as the upper half of an f32.
float readOperand(const void *operand, int64_t index, Precision precision) {
  if (precision == Precision::BF16) {
    const uint32_t upper = static_cast<const uint16_t *>(operand)[index];
    return std::bit_cast<float>(upper << 16);
  }
  return static_cast<const float *>(operand)[index];
}

/// The readable way: one sum after the other.
void multiplyOnHost(const DeviceProduct &p) {
  auto valueA = [&](int64_t i, int64_t l) {
    return readOperand(p.a, p.transposeA ? l * p.m + i : i * p.k + l,
                       p.precision);
  };
  auto valueB = [&](int64_t l, int64_t j) {
    return readOperand(p.b, p.transposeB ? j * p.k + l : l * p.n + j,
                       p.precision);
  };
  auto multiplied = [&](float value) {
    return p.precision == Precision::TF32 ? roundToTf32(value) : value;
  };
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < p.k; ++l)
        sum += multiplied(valueA(i, l)) * multiplied(valueB(l, j));
      if (addsBias(p.epilogue))
        sum += p.bias[j];
      p.c[i * p.n + j] = activate(p.epilogue, sum);
    }
  if (p.summed == SummedOperand::None)
    return;
  const bool ofA = p.summed == SummedOperand::A;
  for (int64_t column = 0; column < (ofA ? p.m : p.n); ++column) {
    float sum = 0;
    for (int64_t l = 0; l < p.k; ++l)
      sum += ofA ? valueA(column, l) : valueB(l, column);
    p.sums[column] = sum;
  }
}

void multiplyAllOnHost(const DeviceProduct &p) {
  for (int64_t each = 0; each < p.batch; ++each)
    multiplyOnHost(p.part(each, 1));
}

/// As many pieces of queued work as there have been.
struct EmulatedMoment final : DeviceMoment {
  explicit EmulatedMoment(uint64_t queued) : queued(queued) {}
  const uint64_t queued;
};

using Repeatable = std::function<void()>;

class EmulatedDevice final : public Device {
public:
  explicit EmulatedDevice(uint64_t seed)
      : order(seed), worker([this] { work(); }) {}
  ~EmulatedDevice() override {
    {
      MutexLock lock(mutex);
      isOver = true;
    }
    changed.notifyAll();
    worker.join();
  }

  std::string_view name() const override { return "emulated"; }
  std::string_view chip() const override { return "host"; }

  absl::StatusOr<Buffer> allocate(MemorySpace space, size_t bytes) override {
    if (space == MemorySpace::Host)
      return Buffer::allocate(bytes);
    // The host may promise more than it has.
    const size_t total = hostBytes();
    auto *memory = bytes < total
                       ? static_cast<std::byte *>(std::calloc(bytes + 1, 1))
                       : nullptr;
    if (!memory)
      return absl::ResourceExhaustedError(
          absl::StrCat("device 'emulated' cannot allocate ", bytes,
                       " bytes: the host has ", total));
    return Buffer(memory, bytes, space, [](std::byte *p) { std::free(p); });
  }

  void copy(const TensorRef &source, const TensorRef &target,
            Done done) override {
    enqueueAwaited([source, target, done = std::move(done)]() mutable {
      move(source, target);
      done(absl::OkStatus());
    });
  }

  /// The handles are there: ps-run's loader compiles for the host itself.
  absl::Status load(const std::string &,
                    std::vector<DeviceFunction> &) override {
    return absl::OkStatus();
  }

  absl::Status launch(const DeviceFunction &function,
                      std::span<void *const> buffers, int64_t rows) override {
    enqueue([this, function, rows,
             held = std::vector<void *>(buffers.begin(), buffers.end())] {
      runGrid(function, held, rows, order);
    });
    return absl::OkStatus();
  }

  absl::Status multiply(const DeviceProduct &product) override {
    enqueue([product] { multiplyAllOnHost(product); });
    return absl::OkStatus();
  }

  absl::Status prepare(const DeviceProduct &) override {
    return absl::OkStatus();
  }

  absl::Status copyWithin(const TensorRef &source,
                          const TensorRef &target) override {
    enqueue([source, target] { move(source, target); });
    return absl::OkStatus();
  }

  absl::StatusOr<std::unique_ptr<DeviceGraph>>
  capture(absl::FunctionRef<absl::Status()> queueWork) override;

  absl::StatusOr<Moment> moment() override {
    MutexLock lock(mutex);
    return std::make_shared<EmulatedMoment>(queued);
  }

  void transfer(const TensorRef &source, const TensorRef &target,
                std::span<const Moment> after, Done done) override {
    const DeviceLane lane = target.space == MemorySpace::Device
                                ? DeviceLane::ToDevice
                                : DeviceLane::ToHost;
    enqueueIn(lane, after, [source, target, done = std::move(done)]() mutable {
      move(source, target);
      done(absl::OkStatus());
    });
  }

  void drain() override {
    MutexLock lock(mutex);
    // What other threads queue meanwhile may be left undone.
    const uint64_t last = demanded = queued;
    changed.notifyAll();
    while (isBusy || finished < last || !toDevice.empty() || !toHost.empty())
      changed.wait(lock);
  }

  void mark(absl::AnyInvocable<void(Clock::TimePoint)> reached) override {
    markLane(DeviceLane::Queue, {}, std::move(reached));
  }
  void markLane(DeviceLane lane, std::span<const Moment> after,
                absl::AnyInvocable<void(Clock::TimePoint)> reached) override {
    auto work = [reached = std::move(reached)]() mutable {
      reached(Clock::steady().now());
    };
    if (lane == DeviceLane::Queue)
      enqueueAwaited(std::move(work));
    else
      enqueueIn(lane, after, std::move(work));
  }

  std::string uniqueName() const override { return unique; }
  absl::StatusOr<std::string> makeGroupId() override {
    return makeEmulatedGroupId();
  }
  absl::StatusOr<std::unique_ptr<DeviceCollective>>
  joinGroup(const DeviceGroupPlace &place,
            absl::FunctionRef<absl::Status()> goOn) override {
    return joinEmulatedGroup(place, goOn,
                             [this](absl::AnyInvocable<void()> next) {
                               enqueueAwaited(std::move(next));
                             });
  }

private:
  using Work = absl::AnyInvocable<void()>;
  /// Work of a lane, and how much of the queue comes before it.
  struct Transfer {
    uint64_t after = 0;
    Work work;
  };
  /// What this thread queues on `device` becomes part of a graph.
  struct Recording {
    EmulatedDevice *device = nullptr;
    std::vector<Repeatable> work;
  };
  class Graph;

  static void move(const TensorRef &source, const TensorRef &target) {
    if (const size_t bytes = source.type.bytes())
      std::memcpy(target.data, source.data, bytes);
  }

  /// Nothing waits for the work itself.
  void enqueue(Repeatable work) {
    if (recording && recording->device == this)
      recording->work.push_back(std::move(work));
    else
      enqueue(std::move(work), /*isAwaited=*/false);
  }
  void enqueueAwaited(Work work) {
    enqueue(std::move(work), /*isAwaited=*/true);
  }
  void enqueue(Work work, bool isAwaited) {
    {
      MutexLock lock(mutex);
      queue.push_back(std::move(work));
      ++queued;
      if (isAwaited)
        demanded = queued;
    }
    changed.notifyAll();
  }

  void enqueueIn(DeviceLane lane, std::span<const Moment> after, Work work) {
    Transfer next{0, std::move(work)};
    for (const Moment &moment : after)
      if (moment)
        next.after = std::max(
            next.after, static_cast<const EmulatedMoment &>(*moment).queued);
    {
      MutexLock lock(mutex);
      demanded = std::max(demanded, next.after);
      (lane == DeviceLane::ToDevice ? toDevice : toHost)
          .push_back(std::move(next));
    }
    changed.notifyAll();
  }

  Work take() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void work();

  static thread_local Recording *recording;

  const std::string unique = absl::StrCat("emulated-", absl::Hex(randomBits()));
  Mutex mutex;
  CondVar changed;
  std::deque<Work> queue ABSL_GUARDED_BY(mutex);
  std::deque<Transfer> toDevice ABSL_GUARDED_BY(mutex);
  std::deque<Transfer> toHost ABSL_GUARDED_BY(mutex);
  /// How much has been queued so far, has been done, and is waited for.
  uint64_t queued ABSL_GUARDED_BY(mutex) = 0;
  uint64_t finished ABSL_GUARDED_BY(mutex) = 0;
  uint64_t demanded ABSL_GUARDED_BY(mutex) = 0;
  bool isOver ABSL_GUARDED_BY(mutex) = false;
  bool isBusy ABSL_GUARDED_BY(mutex) = false;
  /// In which threads, blocks and lanes go on; the worker's own.
  std::mt19937_64 order;
  std::thread worker;
};

thread_local EmulatedDevice::Recording *EmulatedDevice::recording = nullptr;

class EmulatedDevice::Graph final : public DeviceGraph {
public:
  Graph(EmulatedDevice &device, std::vector<Repeatable> work)
      : device(device), work(std::move(work)) {}

  absl::Status launch() override {
    device.enqueue(
        [this] {
          for (const Repeatable &each : work)
            each();
        },
        /*isAwaited=*/false);
    return absl::OkStatus();
  }

private:
  EmulatedDevice &device;
  const std::vector<Repeatable> work;
};

absl::StatusOr<std::unique_ptr<DeviceGraph>>
EmulatedDevice::capture(absl::FunctionRef<absl::Status()> queueWork) {
  Recording made{this, {}};
  recording = &made;
  absl::Status status = queueWork();
  recording = nullptr;
  RETURN_IF_ERROR(status);
  return std::make_unique<Graph>(*this, std::move(made.work));
}

/// What goes on next, if anything does: the queue or a lane, by chance. Queued
/// work that nothing waits for is left half of the times, until there is more.
EmulatedDevice::Work EmulatedDevice::take() {
  /// Work that the queue may have before it is not left any more.
  constexpr size_t limit = 256;
  std::vector<DeviceLane> ready;
  for (auto [lane, transfers] : {std::pair(DeviceLane::ToDevice, &toDevice),
                                 {DeviceLane::ToHost, &toHost}})
    if (!transfers->empty() && transfers->front().after <= finished)
      ready.push_back(lane);
  const bool mayLeave = finished >= demanded && queue.size() < limit && !isOver;
  if (!queue.empty() && !(mayLeave && order() % 2))
    ready.push_back(DeviceLane::Queue);
  if (ready.empty())
    return nullptr;
  const DeviceLane lane = ready[order() % ready.size()];
  if (lane == DeviceLane::Queue) {
    Work next = std::move(queue.front());
    queue.pop_front();
    return [this, next = std::move(next)]() mutable {
      next();
      MutexLock lock(mutex);
      ++finished;
    };
  }
  std::deque<Transfer> &transfers =
      lane == DeviceLane::ToDevice ? toDevice : toHost;
  Work next = std::move(transfers.front().work);
  transfers.pop_front();
  return next;
}

/// What is queued when the device goes is done first: others wait for it.
void EmulatedDevice::work() {
  MutexLock lock(mutex);
  while (true) {
    Work next = take();
    if (!next && isOver)
      return;
    if (!next) {
      changed.wait(lock);
      continue;
    }
    isBusy = true;
    {
      MutexUnlock unlock(mutex);
      next();
    }
    isBusy = false;
    changed.notifyAll();
  }
}

} // namespace

std::unique_ptr<Device> ps::runtime::makeEmulatedDevice(uint64_t seed) {
  return std::make_unique<EmulatedDevice>(seed);
}
