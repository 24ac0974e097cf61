// SPDX-License-Identifier: Apache-2.0
//===- CudaDevice.cpp - one of NVIDIA's GPUs ------------------------------===//
//
// One stream is the queue. A copy ends at an event behind it, for which a
// thread waits: a callback of the stream must not call CUDA, and does not come
// when the device is lost. An error of a kernel is found there, too, and stays:
// CUDA gives it to every later call.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include "runtime/device/CudaLibrary.h"
#ifdef PS_NCCL
#include "runtime/device/cuda/NcclCollective.h"
#endif
#include <algorithm>
#include <cstring>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace ps::runtime;

namespace {

/// The newest architecture that LLVM 19 writes code for; newer GPUs take it.
constexpr int newestChip = 90;
/// What products may use besides their operands; as cuBLAS advises for H100.
constexpr size_t workspaceBytes = 32 << 20;

class CudaDevice final : public Device {
public:
  explicit CudaDevice(int ordinal)
      : ordinal(ordinal), deviceName(absl::StrCat("cuda:", ordinal)) {}

  /// Makes the stream and the rest; before any other call.
  absl::Status open();

  std::string_view name() const override { return deviceName; }
  std::string_view chip() const override { return deviceChip; }

  absl::StatusOr<Buffer> allocate(MemorySpace space, size_t bytes) override;
  void copy(const TensorRef &source, const TensorRef &target,
            Done done) override;
  absl::Status load(const std::string &code,
                    std::vector<DeviceFunction> &functions) override;
  absl::Status launch(const DeviceFunction &function,
                      std::span<void *const> buffers, int64_t rows) override;
  absl::Status multiply(const DeviceProduct &product) override;
  void drain() override;
  void mark(absl::AnyInvocable<void(Clock::TimePoint)> reached) override;
  std::string uniqueName() const override { return unique; }
#ifdef PS_NCCL
  absl::StatusOr<std::string> makeGroupId() override {
    RETURN_IF_ERROR(use());
    return makeNcclGroupId();
  }
  absl::StatusOr<std::unique_ptr<DeviceCollective>>
  joinGroup(const DeviceGroupPlace &place,
            absl::FunctionRef<absl::Status()> goOn) override {
    return joinNcclGroup(place, goOn, ordinal, stream);
  }
#endif

private:
  /// Each thread says for itself which GPU its calls are about.
  absl::Status use() { return check(cudaSetDevice(ordinal), "cudaSetDevice"); }
  absl::Status check(cudaError_t error, absl::string_view what) const;
  absl::Status check(cublasStatus_t error, absl::string_view what) const;
  absl::StatusOr<Buffer> allocateHere(size_t bytes);
  absl::StatusOr<cudaEvent_t> record(unsigned flags);
  void waitFor(cudaEvent_t event, Done done);
  void waitForEvents();
  Clock::TimePoint timeOf(cudaEvent_t event);

  const int ordinal;
  const std::string deviceName;
  std::string deviceChip, unique;
  cudaStream_t stream = nullptr;

  Mutex productMutex;
  cublasHandle_t products ABSL_GUARDED_BY(productMutex) = nullptr;
  /// What products need; lives as long as the device.
  void *workspace = nullptr;

  struct Awaited {
    cudaEvent_t event;
    Done done;
  };
  Mutex mutex;
  CondVar changed;
  std::deque<Awaited> awaited ABSL_GUARDED_BY(mutex);
  /// The mark before, and its time; the waiter's own.
  cudaEvent_t marked = nullptr;
  Clock::TimePoint markedAt;
  std::thread waiter;
};

} // namespace

absl::Status CudaDevice::check(cudaError_t error,
                               absl::string_view what) const {
  if (error == cudaSuccess)
    return absl::OkStatus();
  const std::string text = absl::StrCat("device '", deviceName, "': ", what,
                                        ": ", cudaGetErrorString(error), " (",
                                        cudaGetErrorName(error), ")");
  return error == cudaErrorMemoryAllocation ? absl::ResourceExhaustedError(text)
                                            : absl::InternalError(text);
}

absl::Status CudaDevice::check(cublasStatus_t error,
                               absl::string_view what) const {
  if (error == CUBLAS_STATUS_SUCCESS)
    return absl::OkStatus();
  return absl::InternalError(absl::StrCat("device '", deviceName, "': ", what,
                                          ": ", cublasGetStatusString(error)));
}

/// Any error means that there is no GPU: without a driver, with an older one.
static absl::StatusOr<int> countGpus() {
  int devices = 0;
  if (cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess)
    return absl::FailedPreconditionError(
        absl::StrCat("--device=cuda: found no GPU: ", cudaGetErrorString(error),
                     ": expected NVIDIA's driver and a GPU"));
  return devices;
}

absl::Status CudaDevice::open() {
  ASSIGN_OR_RETURN(const int devices, countGpus());
  if (ordinal >= devices)
    return absl::FailedPreconditionError(
        absl::StrCat("--device=", deviceName, ": found ", devices,
                     " GPU(s), numbered from 0"));
  RETURN_IF_ERROR(use());
  cudaDeviceProp properties;
  RETURN_IF_ERROR(check(cudaGetDeviceProperties(&properties, ordinal),
                        "cudaGetDeviceProperties"));
  unique.assign(properties.uuid.bytes, sizeof(properties.uuid.bytes));
  deviceChip = absl::StrCat(
      "sm_", std::min(10 * properties.major + properties.minor, newestChip));
  RETURN_IF_ERROR(
      check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
            "cudaStreamCreate"));
  MutexLock lock(productMutex);
  RETURN_IF_ERROR(check(cublasCreate(&products), "cublasCreate"));
  RETURN_IF_ERROR(check(cublasSetStream(products, stream), "cublasSetStream"));
  // With a workspace of its own, a handle gives the same bits in every run.
  RETURN_IF_ERROR(check(cudaMalloc(&workspace, workspaceBytes), "cudaMalloc"));
  RETURN_IF_ERROR(check(cublasSetWorkspace(products, workspace, workspaceBytes),
                        "cublasSetWorkspace"));
  waiter = std::thread([this] { waitForEvents(); });
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

absl::StatusOr<Buffer> CudaDevice::allocateHere(size_t bytes) {
  void *memory = nullptr;
  // Nothing has an address, too.
  if (cudaError_t error = cudaMalloc(&memory, std::max<size_t>(bytes, 1));
      error != cudaSuccess) {
    size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    cudaGetLastError(); // Is told here, and not again.
    return check(error, absl::StrCat("cannot allocate ", bytes, " bytes: ",
                                     free, " of ", total, " are free"));
  }
  Buffer buffer(static_cast<std::byte *>(memory), bytes, MemorySpace::Device,
                [](std::byte *p) { cudaFree(p); });
  RETURN_IF_ERROR(
      check(cudaMemsetAsync(memory, 0, bytes, stream), "cudaMemset"));
  return buffer;
}

/// That of the host is pinned as far as the system allows: copies to and from
/// it need no other copy on the host.
absl::StatusOr<Buffer> CudaDevice::allocate(MemorySpace space, size_t bytes) {
  RETURN_IF_ERROR(use());
  if (space == MemorySpace::Device)
    return allocateHere(bytes);
  void *memory = nullptr;
  if (bytes == 0 ||
      cudaHostAlloc(&memory, bytes, cudaHostAllocPortable) != cudaSuccess) {
    cudaGetLastError();
    return Buffer::allocate(bytes);
  }
  std::memset(memory, 0, bytes);
  return Buffer(static_cast<std::byte *>(memory), bytes, MemorySpace::Host,
                [](std::byte *p) { cudaFreeHost(p); });
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// An event behind all that is queued.
absl::StatusOr<cudaEvent_t> CudaDevice::record(unsigned flags) {
  cudaEvent_t event = nullptr;
  RETURN_IF_ERROR(
      check(cudaEventCreateWithFlags(&event, flags), "cudaEventCreate"));
  RETURN_IF_ERROR(check(cudaEventRecord(event, stream), "cudaEventRecord"));
  return event;
}

/// `done` owns the event.
void CudaDevice::waitFor(cudaEvent_t event, Done done) {
  {
    MutexLock lock(mutex);
    awaited.push_back({event, std::move(done)});
  }
  changed.notifyAll();
}

void CudaDevice::waitForEvents() {
  absl::Status ready = use();
  MutexLock lock(mutex);
  while (true) {
    while (awaited.empty())
      changed.wait(lock);
    Awaited next = std::move(awaited.front());
    awaited.pop_front();
    MutexUnlock unlock(mutex);
    next.done(ready.ok() ? check(cudaEventSynchronize(next.event), "copy")
                         : ready);
  }
}

void CudaDevice::copy(const TensorRef &source, const TensorRef &target,
                      Done done) {
  absl::Status status = use();
  if (const size_t bytes = source.type.bytes(); status.ok() && bytes != 0)
    status = check(cudaMemcpyAsync(target.data, source.data, bytes,
                                   cudaMemcpyDefault, stream),
                   "copy");
  if (!status.ok())
    return done(std::move(status));
  absl::StatusOr<cudaEvent_t> event = record(cudaEventDisableTiming);
  if (!event.ok())
    return done(event.status());
  waitFor(*event, [event = *event,
                   done = std::move(done)](absl::Status status) mutable {
    cudaEventDestroy(event);
    done(std::move(status));
  });
}

/// On the waiter's thread. CUDA tells how much time is between two events; the
/// first one ended just now.
Clock::TimePoint CudaDevice::timeOf(cudaEvent_t event) {
  float milliseconds = 0;
  if (!marked ||
      cudaEventElapsedTime(&milliseconds, marked, event) != cudaSuccess)
    markedAt = Clock::steady().now();
  else
    markedAt += std::chrono::duration_cast<Clock::Duration>(
        std::chrono::duration<double, std::milli>(milliseconds));
  if (marked)
    cudaEventDestroy(marked);
  marked = event;
  return markedAt;
}

void CudaDevice::mark(absl::AnyInvocable<void(Clock::TimePoint)> reached) {
  absl::StatusOr<cudaEvent_t> event = nullptr;
  if (absl::Status status = use(); !status.ok())
    event = std::move(status);
  else
    event = record(cudaEventDefault);
  // The failure is one of the next copy, too.
  if (!event.ok())
    return reached(Clock::steady().now());
  waitFor(*event, [this, event = *event, reached = std::move(reached)](
                      absl::Status) mutable { reached(timeOf(event)); });
}

void CudaDevice::drain() {
  // A failure is one of the next call, too.
  if (use().ok())
    cudaStreamSynchronize(stream);
}

//===----------------------------------------------------------------------===//
// Kernels and products
//===----------------------------------------------------------------------===//

absl::Status CudaDevice::load(const std::string &code,
                              std::vector<DeviceFunction> &functions) {
  RETURN_IF_ERROR(use());
  // The driver compiles PTX, and keeps what it made on disk.
  char log[4096] = "";
  cudaJitOption options[] = {cudaJitErrorLogBuffer,
                             cudaJitErrorLogBufferSizeBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  cudaLibrary_t library = nullptr;
  if (cudaError_t error = cudaLibraryLoadData(&library, code.c_str(), options,
                                              values, 2, nullptr, nullptr, 0);
      error != cudaSuccess)
    return absl::InvalidArgumentError(absl::StrCat(
        "device '", deviceName, "' does not take the code for ", deviceChip,
        ": ", cudaGetErrorString(error), ": ", printable(log)));
  for (DeviceFunction &function : functions) {
    cudaKernel_t kernel = nullptr;
    RETURN_IF_ERROR(
        check(cudaLibraryGetKernel(&kernel, library, function.name.c_str()),
              absl::StrCat("function '", function.name, "'")));
    function.handle = kernel;
  }
  return absl::OkStatus();
}

absl::Status CudaDevice::launch(const DeviceFunction &function,
                                std::span<void *const> buffers, int64_t rows) {
  const int64_t blocks = function.numBlocks(rows);
  if (blocks == 0)
    return absl::OkStatus();
  if (blocks > std::numeric_limits<int32_t>::max())
    return absl::InvalidArgumentError(absl::StrCat(
        "device '", deviceName, "': '", function.name, "' on ", rows,
        " rows needs ", blocks, " blocks: expected fewer than 2^31"));
  RETURN_IF_ERROR(use());
  // Arguments are given by their addresses.
  std::vector<void *> values(buffers.begin(), buffers.end());
  std::vector<void *> arguments;
  for (void *&value : values)
    arguments.push_back(&value);
  arguments.push_back(&rows);
  return check(cudaLaunchKernel(function.handle,
                                dim3(static_cast<unsigned>(blocks)),
                                dim3(static_cast<unsigned>(function.threads)),
                                arguments.data(), /*sharedMem=*/0, stream),
               absl::StrCat("launch of '", function.name, "'"));
}

static cublasComputeType_t computeType(Precision precision) {
  switch (precision) {
  case Precision::F32:
    return CUBLAS_COMPUTE_32F;
  case Precision::TF32:
    return CUBLAS_COMPUTE_32F_FAST_TF32;
  case Precision::BF16:
    return CUBLAS_COMPUTE_32F_FAST_16BF;
  }
  return CUBLAS_COMPUTE_32F;
}

/// cuBLAS counts columns first: what it sees is the transpose of everything, so
/// C' = op(B)' op(A)'.
absl::Status CudaDevice::multiply(const DeviceProduct &p) {
  if (p.batch == 0 || p.m == 0 || p.n == 0)
    return absl::OkStatus();
  for (int64_t size : {p.batch, p.m, p.n, p.k})
    if (size > std::numeric_limits<int32_t>::max())
      return absl::InvalidArgumentError(absl::StrCat(
          "device '", deviceName, "': a matrix product has a size of ", size,
          ": expected less than 2^31"));
  RETURN_IF_ERROR(use());
  const float one = 1, zero = 0;
  const int m = static_cast<int>(p.m), n = static_cast<int>(p.n),
            k = static_cast<int>(p.k);
  MutexLock lock(productMutex);
  return check(cublasGemmStridedBatchedEx(
                   products, p.transposeB ? CUBLAS_OP_T : CUBLAS_OP_N,
                   p.transposeA ? CUBLAS_OP_T : CUBLAS_OP_N, n, m, k, &one, p.b,
                   CUDA_R_32F, p.transposeB ? k : n, p.k * p.n, p.a, CUDA_R_32F,
                   p.transposeA ? m : k, p.m * p.k, &zero, p.c, CUDA_R_32F, n,
                   p.m * p.n, static_cast<int>(p.batch),
                   computeType(p.precision), CUBLAS_GEMM_DEFAULT),
               absl::StrCat("product ", p.m, "x", p.n, "x", p.k));
}

extern "C" __attribute__((visibility("default"))) void
psCreateCudaDevice(int ordinal, absl::StatusOr<Device *> &device) {
  auto made = std::make_unique<CudaDevice>(ordinal);
  if (absl::Status status = made->open(); !status.ok())
    device = std::move(status);
  else
    device = made.release();
}

static absl::StatusOr<std::vector<DeviceInfo>> listDevices() {
  ASSIGN_OR_RETURN(const int count, countGpus());
  std::vector<DeviceInfo> devices;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp properties;
    if (cudaError_t error = cudaGetDeviceProperties(&properties, ordinal);
        error != cudaSuccess)
      return absl::FailedPreconditionError(absl::StrCat(
          "--device=cuda:", ordinal, ": ", cudaGetErrorString(error)));
    devices.push_back(
        {absl::StrCat("cuda:", ordinal),
         absl::StrFormat("%s, sm_%d%d, %.1f GiB", properties.name,
                         properties.major, properties.minor,
                         double(properties.totalGlobalMem) / (1 << 30))});
  }
  return devices;
}

extern "C" __attribute__((visibility("default"))) void
psListCudaDevices(absl::StatusOr<std::vector<DeviceInfo>> &devices) {
  devices = listDevices();
}
