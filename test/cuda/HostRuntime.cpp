// SPDX-License-Identifier: Apache-2.0
//===- HostRuntime.cpp - the CUDA runtime's functions on the host ---------===//
//
// What runtime/device/cuda calls, for machines without a GPU: streams are
// threads, events and graphs have the effects that CUDA's manual gives them,
// and memory is the host's. Code is HostCode.cpp's. So what these tests find is
// how we use CUDA, and what we make of its errors.
//
// These environment variables make a GPU fail, or describe another one:
//   PS_HOST_CUDA_REFUSE=1     the driver takes no code
//   PS_HOST_CUDA_RUN=1        kernels are interpreted; else they do nothing
//   PS_HOST_CUDA_LOSE=N       the GPU is lost at the N-th kernel or product
//   PS_HOST_CUBLAS_LOSE=N     the GPU is lost where the N-th product is queued
//   PS_HOST_CUDA_MEMORY=BYTES how much memory each GPU has
//   PS_HOST_CUDA_CHIP=N       each GPU is of sm_N, by default sm_90
//   PS_HOST_CUBLAS_NO_BF16=1  there are no products of bf16
//
//===----------------------------------------------------------------------===//

#include "test/cuda/HostStream.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {
using Work = std::function<void()>;
using Time = std::chrono::steady_clock;

constexpr int kGpus = 4;

/// Where a stream was when an event was recorded.
struct Point {
  bool isReached = false;
  Time::time_point time;
};

/// One lock for all that waits: this is no place to be fast.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  /// What every call returns from the loss of a GPU on.
  cudaError_t lost = cudaSuccess;
  std::map<void *, size_t> sizes;
  size_t used = 0;
  std::vector<CUstream_st *> streams;
};
Shared &shared() {
  static Shared &all = *new Shared; // threads use it until the process ends
  return all;
}

thread_local int currentGpu = 0;
thread_local cudaError_t lastError = cudaSuccess;
/// Whether this thread captures a stream, and has broken that.
thread_local bool isCapturing = false, isCaptureBroken = false;

/// What a call of the runtime returns. Libraries have runtimes of their own,
/// whose errors are not the last one here.
cudaError_t report(cudaError_t error) { return psReportError(error); }

/// What a thread may not call while it captures, as it could wait for work that
/// is not done now. The capture ends with an error then.
cudaError_t checkCapture() {
  if (!isCapturing)
    return cudaSuccess;
  isCaptureBroken = true;
  return report(cudaErrorStreamCaptureUnsupported);
}
} // namespace

/// A thread that does one piece of work after the other.
struct CUstream_st {
  CUstream_st() : worker([this] { run(); }) {}
  ~CUstream_st() {
    {
      std::lock_guard lock(shared().mutex);
      isOver = true;
    }
    shared().changed.notify_all();
    worker.join();
  }

  /// Adds to the graph that is captured, if any.
  cudaError_t add(Work work) {
    std::lock_guard lock(shared().mutex);
    if (captured) {
      captured->push_back(std::move(work));
      return cudaSuccess;
    }
    if (shared().lost != cudaSuccess)
      return shared().lost;
    todo.push_back(std::move(work));
    shared().changed.notify_all();
    return cudaSuccess;
  }
  bool isIdle() const { return todo.empty() && !isBusy; }

  const int gpu = currentGpu;
  std::unique_ptr<std::vector<Work>> captured;

private:
  void run() {
    std::minstd_rand random(std::random_device{}());
    std::unique_lock lock(shared().mutex);
    while (true) {
      shared().changed.wait(lock, [&] { return !todo.empty() || isOver; });
      if (todo.empty())
        return;
      Work work = std::move(todo.front());
      todo.pop_front();
      isBusy = true;
      lock.unlock();
      // Other streams get ahead, now and then.
      if (random() % 8 == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 50));
      work();
      lock.lock();
      isBusy = false;
      shared().changed.notify_all();
    }
  }

  std::deque<Work> todo;
  bool isBusy = false, isOver = false;
  std::thread worker;
};

struct CUevent_st {
  std::shared_ptr<Point> point;
};
struct CUgraph_st {
  std::vector<Work> works;
};
struct CUgraphExec_st {
  std::vector<Work> works;
};

namespace {
void reach(const std::shared_ptr<Point> &point) {
  std::lock_guard lock(shared().mutex);
  point->isReached = true;
  point->time = Time::now();
  shared().changed.notify_all();
}

/// Until the point is reached, or never will be.
cudaError_t waitFor(const std::shared_ptr<Point> &point) {
  std::unique_lock lock(shared().mutex);
  shared().changed.wait(lock, [&] {
    return !point || point->isReached || shared().lost != cudaSuccess;
  });
  return shared().lost;
}

/// Callers free what a lost GPU would copy: nothing is copied from then on.
void doUnlessLost(const Work &copy) {
  std::lock_guard lock(shared().mutex);
  if (shared().lost == cudaSuccess)
    copy();
}

/// A kernel or a product; the GPU may be lost at it.
void compute(const Work &work) {
  static std::atomic<int64_t> left = number("PS_HOST_CUDA_LOSE", -1);
  if (left > 0 && --left == 0)
    psLoseGpu();
  {
    std::lock_guard lock(shared().mutex);
    if (shared().lost != cudaSuccess)
      return;
  }
  work();
}
} // namespace

PS_CUDA_FUNCTION cudaError_t psReportError(cudaError_t error) {
  if (error != cudaSuccess)
    lastError = error;
  return error;
}

PS_CUDA_FUNCTION void psLoseGpu(cudaError_t error) {
  std::lock_guard lock(shared().mutex);
  shared().lost = error;
  shared().changed.notify_all();
}

std::vector<std::span<std::byte>> listAllocations() {
  std::lock_guard lock(shared().mutex);
  std::vector<std::span<std::byte>> found;
  for (const auto &[memory, bytes] : shared().sizes)
    found.emplace_back(static_cast<std::byte *>(memory), bytes);
  return found;
}

PS_CUDA_FUNCTION cudaError_t psAddComputation(cudaStream_t stream, Work work) {
  return stream->add([work = std::move(work)] { compute(work); });
}

//===----------------------------------------------------------------------===//
// GPUs and errors
//===----------------------------------------------------------------------===//

PS_CUDA_FUNCTION cudaError_t cudaGetDeviceCount(int *count) {
  *count = kGpus;
  return cudaSuccess;
}

PS_CUDA_FUNCTION cudaError_t cudaSetDevice(int device) {
  if (device == currentGpu)
    return cudaSuccess; // a lost one, too
  currentGpu = device;
  std::lock_guard lock(shared().mutex);
  return report(shared().lost);
}

PS_CUDA_FUNCTION cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties,
                                                     int device) {
  *properties = {};
  std::strcpy(properties->name, "a GPU that is the host");
  const int64_t chip = number("PS_HOST_CUDA_CHIP", 90);
  properties->major = int(chip / 10);
  properties->minor = int(chip % 10);
  properties->totalGlobalMem =
      size_t(number("PS_HOST_CUDA_MEMORY", int64_t{4} << 30));
  std::memset(properties->uuid.bytes, 'a' + device,
              sizeof(properties->uuid.bytes));
  return cudaSuccess;
}

PS_CUDA_FUNCTION cudaError_t cudaGetLastError() {
  return std::exchange(lastError, cudaSuccess);
}

PS_CUDA_FUNCTION const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return "no error";
  case cudaErrorMemoryAllocation:
    return "out of memory";
  case cudaErrorInvalidPtx:
    return "a PTX JIT compilation failed";
  case cudaErrorUnsupportedPtxVersion:
    return "the provided PTX was compiled with an unsupported toolchain.";
  case cudaErrorSymbolNotFound:
    return "named symbol not found";
  case cudaErrorIllegalAddress:
    return "an illegal memory access was encountered";
  case cudaErrorECCUncorrectable:
    return "uncorrectable ECC error encountered";
  case cudaErrorNotReady:
    return "device not ready";
  case cudaErrorStreamCaptureUnsupported:
    return "operation not permitted when stream is capturing";
  case cudaErrorStreamCaptureInvalidated:
    return "operation failed due to a previous error during capture";
  case cudaErrorInvalidConfiguration:
    return "invalid configuration argument";
  case cudaErrorInvalidDeviceFunction:
    return "invalid device function";
  default:
    return "another error";
  }
}

PS_CUDA_FUNCTION const char *cudaGetErrorName(cudaError_t error) {
  return error == cudaErrorMemoryAllocation   ? "cudaErrorMemoryAllocation"
         : error == cudaErrorECCUncorrectable ? "cudaErrorECCUncorrectable"
                                              : "cudaError";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

PS_CUDA_FUNCTION cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, currentGpu);
  std::lock_guard lock(shared().mutex);
  *total = properties.totalGlobalMem;
  *free = *total - std::min(*total, shared().used);
  return report(shared().lost);
}

PS_CUDA_FUNCTION cudaError_t cudaMalloc(void **memory, size_t bytes) {
  if (cudaError_t error = checkCapture(); error != cudaSuccess)
    return error;
  size_t free, total;
  if (cudaError_t error = cudaMemGetInfo(&free, &total); error != cudaSuccess)
    return report(error);
  if (bytes > free)
    return report(cudaErrorMemoryAllocation);
  constexpr size_t kAlignment = 256;
  *memory =
      std::aligned_alloc(kAlignment, (bytes / kAlignment + 1) * kAlignment);
  std::memset(*memory, 0x5a, bytes); // new memory is not zeroed
  std::lock_guard lock(shared().mutex);
  shared().sizes[*memory] = bytes;
  shared().used += bytes;
  return cudaSuccess;
}

/// Waits for all work of the GPU, as the real one may.
PS_CUDA_FUNCTION cudaError_t cudaFree(void *memory) {
  if (cudaError_t error = checkCapture(); error != cudaSuccess)
    return error;
  std::unique_lock lock(shared().mutex);
  if (shared().lost != cudaSuccess)
    return report(shared().lost);
  // Streams may come and go meanwhile.
  shared().changed.wait(lock, [] {
    return std::ranges::none_of(shared().streams, [](CUstream_st *stream) {
      return stream->gpu == currentGpu && !stream->isIdle();
    });
  });
  auto found = shared().sizes.find(memory);
  shared().used -= found->second;
  shared().sizes.erase(found);
  std::free(memory);
  return cudaSuccess;
}

PS_CUDA_FUNCTION cudaError_t cudaHostAlloc(void **memory, size_t bytes,
                                           unsigned) {
  if (cudaError_t error = checkCapture(); error != cudaSuccess)
    return error;
  *memory = std::malloc(bytes);
  return *memory ? cudaSuccess : report(cudaErrorMemoryAllocation);
}

PS_CUDA_FUNCTION cudaError_t cudaFreeHost(void *memory) {
  if (cudaError_t error = checkCapture(); error != cudaSuccess)
    return error;
  std::free(memory);
  return cudaSuccess;
}

PS_CUDA_FUNCTION cudaError_t cudaMemcpyAsync(void *to, const void *from,
                                             size_t bytes, cudaMemcpyKind,
                                             cudaStream_t stream) {
  return report(stream->add(
      [=] { doUnlessLost([=] { std::memcpy(to, from, bytes); }); }));
}

PS_CUDA_FUNCTION cudaError_t cudaMemsetAsync(void *memory, int value,
                                             size_t bytes,
                                             cudaStream_t stream) {
  return report(stream->add(
      [=] { doUnlessLost([=] { std::memset(memory, value, bytes); }); }));
}

//===----------------------------------------------------------------------===//
// Streams, events, graphs
//===----------------------------------------------------------------------===//

PS_CUDA_FUNCTION cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
                                                       unsigned) {
  *stream = new CUstream_st;
  std::lock_guard lock(shared().mutex);
  shared().streams.push_back(*stream);
  return report(shared().lost);
}

PS_CUDA_FUNCTION cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  {
    std::lock_guard lock(shared().mutex);
    std::erase(shared().streams, stream);
  }
  delete stream;
  return cudaSuccess;
}

PS_CUDA_FUNCTION cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (cudaError_t error = checkCapture(); error != cudaSuccess)
    return error;
  std::unique_lock lock(shared().mutex);
  shared().changed.wait(
      lock, [&] { return stream->isIdle() || shared().lost != cudaSuccess; });
  return report(shared().lost);
}

PS_CUDA_FUNCTION cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (cudaError_t error = checkCapture(); error != cudaSuccess)
    return error;
  std::lock_guard lock(shared().mutex);
  if (shared().lost != cudaSuccess)
    return report(shared().lost);
  return stream->isIdle() ? cudaSuccess : cudaErrorNotReady;
}

PS_CUDA_FUNCTION cudaError_t
cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  std::lock_guard lock(shared().mutex);
  *status = stream->captured ? cudaStreamCaptureStatusActive
                             : cudaStreamCaptureStatusNone;
  return report(shared().lost);
}

PS_CUDA_FUNCTION cudaError_t cudaStreamWaitEvent(cudaStream_t stream,
                                                 cudaEvent_t event, unsigned) {
  return report(stream->add([point = event->point] { waitFor(point); }));
}

PS_CUDA_FUNCTION cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event,
                                                      unsigned) {
  *event = new CUevent_st;
  return cudaSuccess;
}
PS_CUDA_FUNCTION cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, 0);
}

PS_CUDA_FUNCTION cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

PS_CUDA_FUNCTION cudaError_t cudaEventRecord(cudaEvent_t event,
                                             cudaStream_t stream) {
  event->point = std::make_shared<Point>();
  return report(stream->add([point = event->point] { reach(point); }));
}

PS_CUDA_FUNCTION cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (cudaError_t error = checkCapture(); error != cudaSuccess)
    return error;
  return report(waitFor(event->point));
}

PS_CUDA_FUNCTION cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (cudaError_t error = checkCapture(); error != cudaSuccess)
    return error;
  std::lock_guard lock(shared().mutex);
  if (shared().lost != cudaSuccess)
    return report(shared().lost);
  return !event->point || event->point->isReached ? cudaSuccess
                                                  : cudaErrorNotReady;
}

PS_CUDA_FUNCTION cudaError_t cudaEventElapsedTime(float *milliseconds,
                                                  cudaEvent_t begin,
                                                  cudaEvent_t end) {
  std::lock_guard lock(shared().mutex);
  if (!begin->point->isReached || !end->point->isReached)
    return cudaErrorNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(end->point->time -
                                                           begin->point->time)
                      .count();
  return report(shared().lost);
}

PS_CUDA_FUNCTION cudaError_t
cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  // Other threads go on with anything.
  if (mode != cudaStreamCaptureModeThreadLocal || isCapturing)
    return report(cudaErrorIllegalState);
  isCapturing = true;
  isCaptureBroken = false;
  std::lock_guard lock(shared().mutex);
  stream->captured = std::make_unique<std::vector<Work>>();
  return report(shared().lost);
}

PS_CUDA_FUNCTION cudaError_t cudaStreamEndCapture(cudaStream_t stream,
                                                  cudaGraph_t *graph) {
  std::lock_guard lock(shared().mutex);
  const auto captured = std::move(stream->captured);
  *graph = nullptr;
  if (!captured || !std::exchange(isCapturing, false))
    return report(cudaErrorIllegalState);
  if (isCaptureBroken)
    return report(cudaErrorStreamCaptureInvalidated);
  *graph = new CUgraph_st{std::move(*captured)};
  return report(shared().lost);
}

PS_CUDA_FUNCTION cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made,
                                                  cudaGraph_t graph,
                                                  unsigned long long) {
  *made = new CUgraphExec_st{graph->works};
  return cudaSuccess;
}

PS_CUDA_FUNCTION cudaError_t cudaGraphLaunch(cudaGraphExec_t graph,
                                             cudaStream_t stream) {
  // A copy: the graph may go when its work has been queued.
  return report(stream->add([works = graph->works] {
    for (const Work &work : works)
      work();
  }));
}

PS_CUDA_FUNCTION cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
PS_CUDA_FUNCTION cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  delete graph;
  return cudaSuccess;
}
