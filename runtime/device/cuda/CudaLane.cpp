// SPDX-License-Identifier: Apache-2.0
//===- CudaLane.cpp - streams that report to the host what has ended ------===//

#include "runtime/device/cuda/CudaLane.h"
#include "absl/strings/str_cat.h"
#include <algorithm>
#include <thread>

using namespace ps::runtime;

absl::Status CudaGpu::check(cudaError_t error, absl::string_view what) const {
  if (error == cudaSuccess)
    return absl::OkStatus();
  const std::string text = absl::StrCat("device '", name, "': ", what, ": ",
                                        cudaGetErrorString(error), " (",
                                        cudaGetErrorName(error), ")");
  return error == cudaErrorMemoryAllocation ? absl::ResourceExhaustedError(text)
                                            : absl::InternalError(text);
}

absl::StatusOr<void *> CudaGpu::allocate(size_t bytes) const {
  void *memory = nullptr;
  // Nothing has an address, too.
  const cudaError_t error = cudaMalloc(&memory, std::max<size_t>(bytes, 1));
  if (error == cudaSuccess)
    return memory;
  cudaGetLastError(); // Is told here, and not again.
  size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  return check(error, absl::StrCat("cannot allocate ", bytes, " bytes: ", free,
                                   " of ", total, " are free"));
}

std::string ps::runtime::describeFault(cudaStream_t stream) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaError_t error = cudaStreamIsCapturing(stream, &capture);
  // A query would break the capture.
  if (error == cudaSuccess && capture == cudaStreamCaptureStatusNone)
    error = cudaStreamQuery(stream);
  cudaGetLastError(); // Reported here, and not again.
  return error == cudaSuccess || error == cudaErrorNotReady
             ? ""
             : cudaGetErrorString(error);
}

absl::StatusOr<cudaEvent_t> CudaEvents::record(cudaStream_t stream) {
  cudaEvent_t event = nullptr;
  {
    MutexLock lock(mutex);
    if (!unused.empty()) {
      event = unused.back();
      unused.pop_back();
    }
  }
  if (!event)
    RETURN_IF_ERROR(
        gpu.check(cudaEventCreateWithFlags(&event, flags), "cudaEventCreate"));
  absl::Status status =
      gpu.check(cudaEventRecord(event, stream), "cudaEventRecord");
  if (status.ok())
    return event;
  giveBack(event);
  return status;
}

void CudaEvents::giveBack(cudaEvent_t event) {
  MutexLock lock(mutex);
  unused.push_back(event);
}

absl::Status CudaLane::open() {
  return gpu.check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking),
                   "cudaStreamCreate");
}

void CudaLane::start() {
  std::thread([this] { waitForEvents(); }).detach();
}

/// `done` owns the event.
void CudaLane::waitFor(cudaEvent_t event, Done done) {
  {
    MutexLock lock(mutex);
    awaited.push_back({event, std::move(done)});
  }
  changed.notifyAll();
}

/// An error of the work shows here, and stays: CUDA gives it to every later
/// call, so nothing waits for a lost device.
void CudaLane::waitForEvents() {
  const absl::Status ready = gpu.use();
  MutexLock lock(mutex);
  while (true) {
    while (awaited.empty())
      changed.wait(lock);
    Awaited next = std::move(awaited.front());
    awaited.pop_front();
    MutexUnlock unlock(mutex);
    // Goes before the lock is back: what it holds may free memory.
    Done done = std::move(next.done);
    done(ready.ok() ? gpu.check(cudaEventSynchronize(next.event), "queued work")
                    : ready);
  }
}

void CudaLane::notify(Done done) {
  absl::StatusOr<cudaEvent_t> event = ends.record(made);
  if (!event.ok())
    return done(event.status());
  waitFor(*event, [this, event = *event,
                   done = std::move(done)](absl::Status status) mutable {
    ends.giveBack(event);
    done(std::move(status));
  });
}

/// Called on the waiter's thread. CUDA measures the time between two events;
/// the first one ended just now.
Clock::TimePoint CudaLane::timeOf(cudaEvent_t event) {
  float milliseconds = 0;
  if (!marked ||
      cudaEventElapsedTime(&milliseconds, marked, event) != cudaSuccess)
    markedAt = Clock::steady().now();
  else
    markedAt += std::chrono::duration_cast<Clock::Duration>(
        std::chrono::duration<double, std::milli>(milliseconds));
  if (marked)
    times.giveBack(marked);
  marked = event;
  return markedAt;
}

void CudaLane::mark(absl::AnyInvocable<void(Clock::TimePoint)> reached) {
  absl::StatusOr<cudaEvent_t> event = times.record(made);
  // The failure is one of the next copy, too.
  if (!event.ok())
    return reached(Clock::steady().now());
  waitFor(*event, [this, event = *event, reached = std::move(reached)](
                      absl::Status) mutable { reached(timeOf(event)); });
}
