// SPDX-License-Identifier: Apache-2.0
//===- DeviceTime.h - what a device's own clock says ----------------------===//

#ifndef PS_TEST_BENCHMARKS_DEVICETIME_H
#define PS_TEST_BENCHMARKS_DEVICETIME_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/base/Event.h"
#include "runtime/device/Device.h"
#include "test/benchmarks/Table.h"
#include <cerrno>
#include <cstdlib>
#include <string>

namespace ps::bench {

/// Ends the program.
[[noreturn]] inline void fail(const std::string &why) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, why.c_str());
  std::exit(1);
}
inline void check(const absl::Status &status) {
  if (!status.ok())
    fail(std::string(status.message()));
}
template <typename T>
T check(absl::StatusOr<T> value) {
  check(value.status());
  return *std::move(value);
}

/// Has the device do what `queue` queues until it has been busy for a while:
/// one that was idle has a lower clock rate.
inline void warmUp(runtime::Device &device, absl::FunctionRef<void()> queue) {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  do {
    queue();
    device.drain();
  } while (std::chrono::steady_clock::now() < end);
}

/// The device's own time of what `queue` queues; the median of five, each of
/// `calls` in a row, after some that are not counted.
inline double deviceSeconds(runtime::Device &device,
                            absl::FunctionRef<void()> queue, int calls = 10) {
  constexpr int repeats = 5;
  warmUp(device, queue);
  std::vector<double> times;
  for (int repeat = 0; repeat != repeats; ++repeat) {
    runtime::Clock::TimePoint begin, end;
    runtime::Event reached;
    device.mark([&](runtime::Clock::TimePoint time) { begin = time; });
    for (int call = 0; call != calls; ++call)
      queue();
    device.mark([&](runtime::Clock::TimePoint time) {
      end = time;
      reached.notify();
    });
    reached.wait();
    times.push_back(std::chrono::duration<double>(end - begin).count() / calls);
  }
  return median(std::move(times));
}

/// Prints what a training step of `graph`, whose products multiply `precision`,
/// takes on the device with batches of `batch` samples, and the sum of what its
/// kernels, products and copies take, each by itself.
void measureStep(runtime::Device &device, const std::string &graph,
                 int64_t batch, runtime::Precision precision);

/// Prints how fast a device finds `used` rows among `slots`, and brings them up
/// to date.
void measureRows(runtime::Device &device, int64_t slots, int64_t used);

} // namespace ps::bench

#endif // PS_TEST_BENCHMARKS_DEVICETIME_H
