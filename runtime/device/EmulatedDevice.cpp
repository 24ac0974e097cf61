// SPDX-License-Identifier: Apache-2.0
//===- EmulatedDevice.cpp - a device made of the host ---------------------===//

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
#include <thread>

using namespace ps::runtime;

namespace {

/// To the nearest, ties to even; infinities and NaNs stay.
float roundTo(float value, Precision precision) {
  if (precision == Precision::F32 || !std::isfinite(value))
    return value;
  // The bits of the mantissa that go.
  const int bits = precision == Precision::TF32 ? 13 : 16;
  auto word = std::bit_cast<uint32_t>(value);
  word += (1u << (bits - 1)) - 1 + (word >> bits & 1);
  return std::bit_cast<float>(word >> bits << bits);
}

/// The readable way: one sum after the other.
void multiplyOnHost(const DeviceProduct &p) {
  for (int64_t batch = 0; batch < p.batch; ++batch) {
    const float *a = p.a + batch * p.m * p.k, *b = p.b + batch * p.k * p.n;
    float *c = p.c + batch * p.m * p.n;
    for (int64_t i = 0; i < p.m; ++i)
      for (int64_t j = 0; j < p.n; ++j) {
        float sum = 0;
        for (int64_t l = 0; l < p.k; ++l)
          sum +=
              roundTo(a[p.transposeA ? l * p.m + i : i * p.k + l],
                      p.precision) *
              roundTo(b[p.transposeB ? j * p.k + l : l * p.n + j], p.precision);
        c[i * p.n + j] = sum;
      }
  }
}

class EmulatedDevice final : public Device {
public:
  EmulatedDevice() : worker([this] { work(); }) {}
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
    auto *memory = static_cast<std::byte *>(std::calloc(bytes + 1, 1));
    if (!memory)
      return absl::ResourceExhaustedError(
          absl::StrCat("device 'emulated' cannot allocate ", bytes, " bytes"));
    return Buffer(memory, bytes, space, [](std::byte *p) { std::free(p); });
  }

  void copy(const TensorRef &source, const TensorRef &target,
            Done done) override {
    enqueue([source, target, done = std::move(done)]() mutable {
      if (const size_t bytes = source.type.bytes())
        std::memcpy(target.data, source.data, bytes);
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
    enqueue([product] { multiplyOnHost(product); });
    return absl::OkStatus();
  }

  void drain() override {
    MutexLock lock(mutex);
    while (isBusy || !queue.empty())
      changed.wait(lock);
  }

  void mark(absl::AnyInvocable<void(Clock::TimePoint)> reached) override {
    enqueue([reached = std::move(reached)]() mutable {
      reached(Clock::steady().now());
    });
  }

  std::string uniqueName() const override { return unique; }
  absl::StatusOr<std::string> makeGroupId() override {
    return makeEmulatedGroupId();
  }
  absl::StatusOr<std::unique_ptr<DeviceCollective>>
  joinGroup(const DeviceGroupPlace &place,
            absl::FunctionRef<absl::Status()> goOn) override {
    return joinEmulatedGroup(
        place, goOn,
        [this](absl::AnyInvocable<void()> next) { enqueue(std::move(next)); });
  }

private:
  using Work = absl::AnyInvocable<void()>;

  void enqueue(Work work) {
    {
      MutexLock lock(mutex);
      queue.push_back(std::move(work));
    }
    changed.notifyAll();
  }

  /// What is queued when the device goes is done first: others wait for it.
  void work() {
    MutexLock lock(mutex);
    while (true) {
      while (queue.empty() && !isOver)
        changed.wait(lock);
      if (queue.empty())
        return;
      Work next = std::move(queue.front());
      queue.pop_front();
      isBusy = true;
      {
        MutexUnlock unlock(mutex);
        next();
      }
      isBusy = false;
      changed.notifyAll();
    }
  }

  const std::string unique = absl::StrCat("emulated-", absl::Hex(randomBits()));
  Mutex mutex;
  CondVar changed;
  std::deque<Work> queue ABSL_GUARDED_BY(mutex);
  bool isOver ABSL_GUARDED_BY(mutex) = false;
  bool isBusy ABSL_GUARDED_BY(mutex) = false;
  /// In which threads and blocks run; the worker's own.
  std::mt19937_64 order;
  std::thread worker;
};

} // namespace

std::unique_ptr<Device> ps::runtime::makeEmulatedDevice() {
  return std::make_unique<EmulatedDevice>();
}
