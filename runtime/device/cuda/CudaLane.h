// SPDX-License-Identifier: Apache-2.0
//===- CudaLane.h - streams that report to the host what has ended --------===//
//
// What a GPU works at side by side: a stream, and a thread that waits for
// events behind what it was given. A callback of the stream would not do: it
// must not call CUDA, and does not come when the device is lost.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_CUDA_CUDALANE_H
#define PS_RUNTIME_DEVICE_CUDA_CUDALANE_H

#include "runtime/base/Clock.h"
#include "runtime/base/Done.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include <cuda_runtime.h>
#include <deque>
#include <string>
#include <vector>

namespace ps::runtime {

/// One of the GPUs that this process sees.
struct CudaGpu {
  int ordinal = 0;
  /// For messages: "cuda:0".
  std::string name;

  /// Each thread says for itself which GPU its calls are about.
  absl::Status use() const {
    return check(cudaSetDevice(ordinal), "cudaSetDevice");
  }
  /// OK, or what `what` failed with.
  absl::Status check(cudaError_t error, absl::string_view what) const;
  /// Memory of the GPU, which the calling thread uses; freed by cudaFree().
  /// RESOURCE_EXHAUSTED, with how much is free, where there is not enough.
  absl::StatusOr<void *> allocate(size_t bytes) const;
};

/// What CUDA says of the GPU, or of `stream`, after another library's call has
/// failed; empty if nothing. The library has a runtime of its own, of whose
/// errors cudaGetLastError() does not know.
std::string describeFault(cudaStream_t stream);

/// Events of one kind, used again and again. Thread-safe.
class CudaEvents {
public:
  CudaEvents(const CudaGpu &gpu, unsigned flags) : gpu(gpu), flags(flags) {}

  /// An event behind all that `stream` was given.
  absl::StatusOr<cudaEvent_t> record(cudaStream_t stream);
  /// Takes back an event of record(). Waits for it, of the host or of streams,
  /// have begun.
  void giveBack(cudaEvent_t event);

private:
  const CudaGpu &gpu;
  const unsigned flags;
  Mutex mutex;
  std::vector<cudaEvent_t> unused ABSL_GUARDED_BY(mutex);
};

/// Thread-safe after start(); lives as long as the process from then on.
class CudaLane {
public:
  explicit CudaLane(const CudaGpu &gpu)
      : gpu(gpu), ends(gpu, cudaEventDisableTiming),
        times(gpu, cudaEventDefault) {}

  /// Makes the stream, and then the thread; before any other call.
  absl::Status open();
  void start();
  cudaStream_t stream() const { return made; }

  /// Calls `done` when all that the stream was given has ended, or failed.
  void notify(Done done);
  /// Calls `reached` with the time of that.
  void mark(absl::AnyInvocable<void(Clock::TimePoint)> reached);

private:
  struct Awaited {
    cudaEvent_t event;
    Done done;
  };

  void waitFor(cudaEvent_t event, Done done);
  void waitForEvents();
  Clock::TimePoint timeOf(cudaEvent_t event);

  const CudaGpu &gpu;
  cudaStream_t made = nullptr;
  CudaEvents ends, times;

  Mutex mutex;
  CondVar changed;
  std::deque<Awaited> awaited ABSL_GUARDED_BY(mutex);
  /// The mark before, and its time; the waiter's own.
  cudaEvent_t marked = nullptr;
  Clock::TimePoint markedAt;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_CUDA_CUDALANE_H
