// SPDX-License-Identifier: Apache-2.0
//===- CudaDevice.cpp - one of NVIDIA's GPUs ------------------------------===//
//
// One stream is the queue, and one more each copies to and from the device
// beside it (CudaLane.h). An error of a kernel is found at the end of the next
// copy, and stays: CUDA gives it to every later call.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include "runtime/device/CudaLibrary.h"
#include "runtime/device/cuda/CudaGraph.h"
#include "runtime/device/cuda/CudaLane.h"
#include "runtime/device/cuda/Products.h"
#ifdef PS_NCCL
#include "runtime/device/cuda/NcclCollective.h"
#endif
#include <algorithm>
#include <array>
#include <cstring>
#include <cuda_runtime.h>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ps::runtime;

namespace {

/// The newest architecture that LLVM 19 writes code for; newer GPUs take it.
constexpr int newestChip = 90;
/// What the driver may say of code that it does not take.
constexpr size_t logBytes = 4096;

/// A moment is an event of the queue.
class CudaMoment final : public DeviceMoment {
public:
  CudaMoment(CudaEvents &events, cudaEvent_t event)
      : event(event), events(events) {}
  ~CudaMoment() override { events.giveBack(event); }
  const cudaEvent_t event;

private:
  CudaEvents &events;
};

class CudaDevice final : public Device {
public:
  explicit CudaDevice(int ordinal)
      : gpu{ordinal, absl::StrCat("cuda:", ordinal)} {}

  /// Makes the streams and the rest; before any other call.
  absl::Status open();

  std::string_view name() const override { return gpu.name; }
  std::string_view chip() const override { return deviceChip; }

  absl::StatusOr<Buffer> allocate(MemorySpace space, size_t bytes) override;
  void copy(const TensorRef &source, const TensorRef &target,
            Done done) override;
  absl::Status load(const std::string &code,
                    std::vector<DeviceFunction> &functions) override;
  absl::Status launch(const DeviceFunction &function,
                      std::span<void *const> buffers, int64_t rows) override;
  absl::Status multiply(const DeviceProduct &product) override;
  absl::Status prepare(const DeviceProduct &product) override;
  absl::Status copyWithin(const TensorRef &source,
                          const TensorRef &target) override;
  absl::StatusOr<std::unique_ptr<DeviceGraph>>
  capture(absl::FunctionRef<absl::Status()> queueWork) override;
  absl::StatusOr<Moment> moment() override;
  void transfer(const TensorRef &source, const TensorRef &target,
                std::span<const Moment> after, Done done) override;
  void drain() override;
  void mark(absl::AnyInvocable<void(Clock::TimePoint)> reached) override {
    markLane(DeviceLane::Queue, {}, std::move(reached));
  }
  void markLane(DeviceLane lane, std::span<const Moment> after,
                absl::AnyInvocable<void(Clock::TimePoint)> reached) override;
  std::string uniqueName() const override { return unique; }
#ifdef PS_NCCL
  absl::StatusOr<std::string> makeGroupId() override {
    RETURN_IF_ERROR(gpu.use());
    return makeNcclGroupId();
  }
  absl::StatusOr<std::unique_ptr<DeviceCollective>>
  joinGroup(const DeviceGroupPlace &place,
            absl::FunctionRef<absl::Status()> goOn) override {
    return joinNcclGroup(place, goOn, gpu.ordinal, queue.stream());
  }
#endif

private:
  absl::Status check(cudaError_t error, absl::string_view what) const {
    return gpu.check(error, what);
  }
  struct CodeOptions;

  absl::StatusOr<Buffer> allocateHere(size_t bytes);
  CodeOptions &makeOptions();
  cudaStream_t queueStream() const;
  absl::Status copyIn(cudaStream_t stream, const TensorRef &source,
                      const TensorRef &target);
  CudaLane &laneOf(DeviceLane lane);
  absl::Status await(CudaLane &lane, std::span<const Moment> after);

  const CudaGpu gpu;
  std::string deviceChip, unique;
  CudaLane queue{gpu}, toDevice{gpu}, toHost{gpu};
  /// For what must be done before the host goes on.
  cudaStream_t atOnce = nullptr;
  CudaEvents moments{gpu, cudaEventDisableTiming};

  /// Where this thread queues the work of a graph.
  struct Capture {
    const CudaDevice *device = nullptr;
    cudaStream_t stream = nullptr;
  };
  static thread_local Capture capturing;

  /// With which the driver compiles a piece of code, and what it says of it.
  struct CodeOptions {
    std::array<char, logBytes> log = {};
    std::array<cudaJitOption, 2> keys = {cudaJitErrorLogBuffer,
                                         cudaJitErrorLogBufferSizeBytes};
    std::array<void *, 2> values = {log.data(),
                                    reinterpret_cast<void *>(logBytes)};
  };
  /// Addresses stay.
  Mutex codeMutex;
  std::deque<CodeOptions> codeOptions ABSL_GUARDED_BY(codeMutex);

  CudaProducts products{gpu};
};

thread_local CudaDevice::Capture CudaDevice::capturing;

} // namespace

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
  if (gpu.ordinal >= devices)
    return absl::FailedPreconditionError(
        absl::StrCat("--device=", gpu.name, ": found ", devices,
                     " GPU(s), numbered from 0"));
  RETURN_IF_ERROR(gpu.use());
  cudaDeviceProp properties;
  RETURN_IF_ERROR(check(cudaGetDeviceProperties(&properties, gpu.ordinal),
                        "cudaGetDeviceProperties"));
  unique.assign(properties.uuid.bytes, sizeof(properties.uuid.bytes));
  deviceChip = absl::StrCat(
      "sm_", std::min(10 * properties.major + properties.minor, newestChip));
  RETURN_IF_ERROR(
      check(cudaStreamCreateWithFlags(&atOnce, cudaStreamNonBlocking),
            "cudaStreamCreate"));
  RETURN_IF_ERROR(products.open());
  for (CudaLane *lane : {&queue, &toDevice, &toHost})
    RETURN_IF_ERROR(lane->open());
  // Last: threads use the object from now on.
  for (CudaLane *lane : {&queue, &toDevice, &toHost})
    lane->start();
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// Which GPU memory belongs to. Buffers are freed on any thread; one that has
/// not chosen a GPU would make a context on the first one.
class Owners {
public:
  void add(std::byte *memory, int ordinal) {
    MutexLock lock(mutex);
    ordinals[memory] = ordinal;
  }
  /// Has this thread use the GPU of `memory`, which goes.
  void use(std::byte *memory) {
    MutexLock lock(mutex);
    auto found = ordinals.find(memory);
    cudaSetDevice(found->second);
    ordinals.erase(found);
  }
  /// Never destroyed: buffers may be freed while the process ends.
  static Owners &get() {
    static Owners &owners = *new Owners;
    return owners;
  }

private:
  Mutex mutex;
  std::map<std::byte *, int> ordinals ABSL_GUARDED_BY(mutex);
};
} // namespace

absl::StatusOr<Buffer> CudaDevice::allocateHere(size_t bytes) {
  ASSIGN_OR_RETURN(void *memory, gpu.allocate(bytes));
  auto *begin = static_cast<std::byte *>(memory);
  Owners::get().add(begin, gpu.ordinal);
  Buffer buffer(begin, bytes, MemorySpace::Device, [](std::byte *p) {
    Owners::get().use(p);
    cudaFree(p);
  });
  // Waited for, as any lane may work with it next.
  RETURN_IF_ERROR(
      check(cudaMemsetAsync(memory, 0, bytes, atOnce), "cudaMemset"));
  RETURN_IF_ERROR(check(cudaStreamSynchronize(atOnce), "cudaMemset"));
  return buffer;
}

/// That of the host is pinned as far as the system allows: copies to and from
/// it need no other copy on the host.
absl::StatusOr<Buffer> CudaDevice::allocate(MemorySpace space, size_t bytes) {
  RETURN_IF_ERROR(gpu.use());
  if (space == MemorySpace::Device)
    return allocateHere(bytes);
  void *memory = nullptr;
  if (bytes == 0 ||
      cudaHostAlloc(&memory, bytes, cudaHostAllocPortable) != cudaSuccess) {
    cudaGetLastError();
    return Buffer::allocate(bytes);
  }
  std::memset(memory, 0, bytes);
  auto *begin = static_cast<std::byte *>(memory);
  Owners::get().add(begin, gpu.ordinal);
  return Buffer(begin, bytes, MemorySpace::Host, [](std::byte *p) {
    Owners::get().use(p);
    cudaFreeHost(p);
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

CudaLane &CudaDevice::laneOf(DeviceLane lane) {
  switch (lane) {
  case DeviceLane::ToDevice:
    return toDevice;
  case DeviceLane::ToHost:
    return toHost;
  case DeviceLane::Queue:
    break;
  }
  return queue;
}

absl::Status CudaDevice::copyIn(cudaStream_t stream, const TensorRef &source,
                                const TensorRef &target) {
  const size_t bytes = source.type.bytes();
  if (bytes == 0)
    return absl::OkStatus();
  return check(cudaMemcpyAsync(target.data, source.data, bytes,
                               cudaMemcpyDefault, stream),
               "copy");
}

void CudaDevice::copy(const TensorRef &source, const TensorRef &target,
                      Done done) {
  absl::Status status = gpu.use();
  if (status.ok())
    status = copyIn(queue.stream(), source, target);
  if (!status.ok())
    return done(std::move(status));
  queue.notify(std::move(done));
}

absl::Status CudaDevice::copyWithin(const TensorRef &source,
                                    const TensorRef &target) {
  RETURN_IF_ERROR(gpu.use());
  return copyIn(queueStream(), source, target);
}

absl::StatusOr<Moment> CudaDevice::moment() {
  RETURN_IF_ERROR(gpu.use());
  ASSIGN_OR_RETURN(cudaEvent_t event, moments.record(queue.stream()));
  return std::make_shared<CudaMoment>(moments, event);
}

/// Has `lane` wait for the moments.
absl::Status CudaDevice::await(CudaLane &lane, std::span<const Moment> after) {
  RETURN_IF_ERROR(gpu.use());
  for (const Moment &moment : after)
    if (moment)
      RETURN_IF_ERROR(check(
          cudaStreamWaitEvent(lane.stream(),
                              static_cast<const CudaMoment &>(*moment).event,
                              cudaEventWaitDefault),
          "cudaStreamWaitEvent"));
  return absl::OkStatus();
}

void CudaDevice::transfer(const TensorRef &source, const TensorRef &target,
                          std::span<const Moment> after, Done done) {
  CudaLane &lane = target.space == MemorySpace::Device ? toDevice : toHost;
  absl::Status status = await(lane, after);
  if (status.ok())
    status = copyIn(lane.stream(), source, target);
  if (!status.ok())
    return done(std::move(status));
  lane.notify(std::move(done));
}

void CudaDevice::markLane(DeviceLane lane, std::span<const Moment> after,
                          absl::AnyInvocable<void(Clock::TimePoint)> reached) {
  // A failure is one of the next copy, too.
  if (!await(laneOf(lane), after).ok())
    return reached(Clock::steady().now());
  laneOf(lane).mark(std::move(reached));
}

void CudaDevice::drain() {
  // A failure is one of the next call, too.
  if (!gpu.use().ok())
    return;
  for (CudaLane *lane : {&queue, &toDevice, &toHost})
    cudaStreamSynchronize(lane->stream());
}

//===----------------------------------------------------------------------===//
// Kernels and products
//===----------------------------------------------------------------------===//

/// Where this thread's work goes: into the graph that it captures, if any.
cudaStream_t CudaDevice::queueStream() const {
  return capturing.device == this ? capturing.stream : queue.stream();
}

absl::StatusOr<std::unique_ptr<DeviceGraph>>
CudaDevice::capture(absl::FunctionRef<absl::Status()> queueWork) {
  return captureGraph(gpu, queue.stream(), [&](cudaStream_t stream) {
    capturing = {this, stream};
    absl::Status status = queueWork();
    capturing = {};
    return status;
  });
}

absl::Status CudaDevice::load(const std::string &code,
                              std::vector<DeviceFunction> &functions) {
  RETURN_IF_ERROR(gpu.use());
  // The driver compiles PTX, and keeps what it made on disk.
  CodeOptions &options = makeOptions();
  auto refuse = [&](cudaError_t error, absl::string_view what) {
    cudaGetLastError(); // Is told here, and not again.
    return absl::InvalidArgumentError(absl::StrCat(
        "device '", gpu.name, "' does not take the code for ", deviceChip, ": ",
        what, cudaGetErrorString(error), ": ", printable(options.log.data())));
  };
  cudaLibrary_t library = nullptr;
  if (cudaError_t error = cudaLibraryLoadData(
          &library, code.c_str(), options.keys.data(), options.values.data(),
          options.keys.size(), nullptr, nullptr, 0);
      error != cudaSuccess)
    return refuse(error, "");
  for (DeviceFunction &function : functions) {
    cudaKernel_t kernel = nullptr;
    cudaFuncAttributes attributes;
    cudaError_t error =
        cudaLibraryGetKernel(&kernel, library, function.name.c_str());
    // Has the code loaded now, not with the first launch.
    if (error == cudaSuccess)
      error = cudaFuncGetAttributes(&attributes, kernel);
    if (error != cudaSuccess)
      return refuse(error, absl::StrCat("function '", function.name, "': "));
    if (function.threads > attributes.maxThreadsPerBlock)
      return absl::InvalidArgumentError(
          absl::StrCat("device '", gpu.name, "' runs '", function.name,
                       "' with at most ", attributes.maxThreadsPerBlock,
                       " threads per block, expected ", function.threads));
    function.handle = kernel;
  }
  return absl::OkStatus();
}

/// The driver may compile when a function is first needed: then it reads and
/// writes them.
CudaDevice::CodeOptions &CudaDevice::makeOptions() {
  MutexLock lock(codeMutex);
  return codeOptions.emplace_back();
}

absl::Status CudaDevice::launch(const DeviceFunction &function,
                                std::span<void *const> buffers, int64_t rows) {
  const int64_t blocks = function.numBlocks(rows);
  if (blocks == 0)
    return absl::OkStatus();
  if (blocks > std::numeric_limits<int32_t>::max())
    return absl::InvalidArgumentError(absl::StrCat(
        "device '", gpu.name, "': '", function.name, "' on ", rows,
        " rows needs ", blocks, " blocks: expected fewer than 2^31"));
  RETURN_IF_ERROR(gpu.use());
  // Arguments are given by their addresses.
  std::vector<void *> values(buffers.begin(), buffers.end());
  std::vector<void *> arguments;
  for (void *&value : values)
    arguments.push_back(&value);
  arguments.push_back(&rows);
  return check(
      cudaLaunchKernel(function.handle, dim3(static_cast<unsigned>(blocks)),
                       dim3(static_cast<unsigned>(function.threads)),
                       arguments.data(), /*sharedMem=*/0, queueStream()),
      absl::StrCat("launch of '", function.name, "'"));
}

absl::Status CudaDevice::multiply(const DeviceProduct &product) {
  RETURN_IF_ERROR(gpu.use());
  return products.multiply(product, queueStream());
}

absl::Status CudaDevice::prepare(const DeviceProduct &product) {
  RETURN_IF_ERROR(gpu.use());
  return products.prepare(product, queue.stream());
}

extern "C" __attribute__((visibility("default"))) void
psCreateCudaDevice(int ordinal, bool isRank, absl::StatusOr<Device *> &device) {
  if (isRank)
    if (const absl::StatusOr<int> count = countGpus(); count.ok() && *count > 0)
      ordinal %= *count;
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
