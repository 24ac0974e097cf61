// SPDX-License-Identifier: Apache-2.0
//===- NcclCollective.cpp - groups of GPUs --------------------------------===//
//
// NCCL is opened at run time, so that GPUs work without it. Its calls do not
// block (ncclConfig_t): a thread of the group starts an operation on a stream
// of its own and looks after it until it ends, fails or is aborted. Environment
// variables such as NCCL_SOCKET_IFNAME and NCCL_DEBUG are NCCL's.
//
// Aborting does block: NCCL's thread of a rank ends when no other rank of the
// machine is connected to it. So a rank reports a failure before it aborts, and
// limits how long it waits.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/cuda/NcclCollective.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include "runtime/device/cuda/CudaLane.h"
#include <atomic>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <future>
#include <nccl.h>
#include <thread>
#include <utility>

using namespace ps::runtime;

static_assert(deviceGroupIdBytes == NCCL_UNIQUE_ID_BYTES);

namespace {

constexpr auto pollInterval = std::chrono::microseconds(20);
/// How long a rank that leaves waits until what it has sent is with others.
constexpr auto longestFlush = std::chrono::seconds(2);
/// How long a rank that aborts waits for the others. They have learned of a
/// failure by then (`longestDoubt` of DeviceGroup.cpp).
constexpr auto longestAbort = std::chrono::seconds(5);

/// The functions of libnccl.so.2.
struct Nccl {
  decltype(&ncclGetUniqueId) getUniqueId = nullptr;
  decltype(&ncclCommInitRankConfig) commInitRankConfig = nullptr;
  decltype(&ncclCommGetAsyncError) commGetAsyncError = nullptr;
  decltype(&ncclCommFinalize) commFinalize = nullptr;
  decltype(&ncclCommAbort) commAbort = nullptr;
  decltype(&ncclAllReduce) allReduce = nullptr;
  decltype(&ncclGroupStart) groupStart = nullptr;
  decltype(&ncclGroupEnd) groupEnd = nullptr;
  decltype(&ncclGetErrorString) getErrorString = nullptr;
  decltype(&ncclGetLastError) getLastError = nullptr;
};

template <typename Function>
bool find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

absl::StatusOr<Nccl> openNccl() {
  void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return absl::UnimplementedError(
        absl::StrCat("cannot open NCCL (", dlerror(), ")"));
  Nccl nccl;
  if (!find(library, "ncclGetUniqueId", nccl.getUniqueId) ||
      !find(library, "ncclCommInitRankConfig", nccl.commInitRankConfig) ||
      !find(library, "ncclCommGetAsyncError", nccl.commGetAsyncError) ||
      !find(library, "ncclCommFinalize", nccl.commFinalize) ||
      !find(library, "ncclCommAbort", nccl.commAbort) ||
      !find(library, "ncclAllReduce", nccl.allReduce) ||
      !find(library, "ncclGroupStart", nccl.groupStart) ||
      !find(library, "ncclGroupEnd", nccl.groupEnd) ||
      !find(library, "ncclGetErrorString", nccl.getErrorString) ||
      !find(library, "ncclGetLastError", nccl.getLastError))
    return absl::UnimplementedError(
        absl::StrCat("NCCL is too old (", dlerror(), ")"));
  return nccl;
}

/// Opened once.
const absl::StatusOr<Nccl> &getNccl() {
  static const absl::StatusOr<Nccl> &nccl =
      *new absl::StatusOr<Nccl>(openNccl());
  return nccl;
}

absl::Status checkCuda(cudaError_t error, absl::string_view what) {
  if (error == cudaSuccess)
    return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("NCCL: ", what, ": ", cudaGetErrorString(error)));
}

class NcclCollective final : public DeviceCollective {
public:
  NcclCollective(const Nccl &nccl, int ordinal, cudaStream_t work)
      : nccl(nccl), ordinal(ordinal), work(work) {}
  ~NcclCollective() override;

  /// Before any other call.
  absl::Status open(const DeviceGroupPlace &place,
                    absl::FunctionRef<absl::Status()> goOn);

  void allReduce(std::vector<DevicePart> parts, Done failing,
                 Done done) override;
  void abort() override { isAborted = true; }

private:
  struct Operation {
    std::vector<DevicePart> parts;
    /// Behind the work that the device had.
    cudaEvent_t ready;
    Done failing, done;
  };

  absl::Status check(ncclResult_t result, absl::string_view what) const;
  absl::Status settle(absl::string_view what,
                      absl::FunctionRef<absl::Status()> goOn) const;
  absl::Status checkAborted() const;
  absl::StatusOr<cudaEvent_t> recordWork() const;
  void run();
  absl::Status reduce(const Operation &operation);
  absl::Status queue(const std::vector<DevicePart> &parts);
  void flush();
  void endGroup();

  const Nccl nccl;
  const int ordinal;
  const cudaStream_t work;
  cudaStream_t stream = nullptr;
  cudaEvent_t ended = nullptr;
  ncclComm_t group = nullptr;
  std::atomic<bool> isAborted = false;

  Mutex mutex;
  CondVar changed;
  std::deque<Operation> operations ABSL_GUARDED_BY(mutex);
  bool isOver ABSL_GUARDED_BY(mutex) = false;
  std::thread runner;
};

} // namespace

absl::Status NcclCollective::check(ncclResult_t result,
                                   absl::string_view what) const {
  if (result == ncclSuccess || result == ncclInProgress)
    return absl::OkStatus();
  std::string cause;
  if (result == ncclUnhandledCudaError)
    cause = describeFault(stream);
  if (!cause.empty())
    cause = absl::StrCat(" (", cause, ")");
  return absl::InternalError(absl::StrCat(
      "NCCL: ", what, ": ", nccl.getErrorString(result), cause, ": ",
      printable(nccl.getLastError(group)), ": NCCL_DEBUG=WARN says more"));
}

absl::Status NcclCollective::checkAborted() const {
  return isAborted ? absl::AbortedError("NCCL: the group was aborted")
                   : absl::OkStatus();
}

/// Until NCCL has done what it was asked for on the host.
absl::Status
NcclCollective::settle(absl::string_view what,
                       absl::FunctionRef<absl::Status()> goOn) const {
  while (true) {
    ncclResult_t state = ncclSuccess;
    RETURN_IF_ERROR(check(nccl.commGetAsyncError(group, &state), what));
    RETURN_IF_ERROR(check(state, what));
    if (state == ncclSuccess)
      return absl::OkStatus();
    RETURN_IF_ERROR(goOn());
    std::this_thread::sleep_for(pollInterval);
  }
}

absl::Status NcclCollective::open(const DeviceGroupPlace &place,
                                  absl::FunctionRef<absl::Status()> goOn) {
  RETURN_IF_ERROR(checkCuda(cudaSetDevice(ordinal), "cudaSetDevice"));
  RETURN_IF_ERROR(
      checkCuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                "cudaStreamCreate"));
  RETURN_IF_ERROR(
      checkCuda(cudaEventCreateWithFlags(&ended, cudaEventDisableTiming),
                "cudaEventCreate"));
  ncclUniqueId id;
  std::memcpy(id.internal, place.id.data(), deviceGroupIdBytes);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  RETURN_IF_ERROR(check(
      nccl.commInitRankConfig(&group, place.ranks, id, place.rank, &config),
      "ncclCommInitRank"));
  RETURN_IF_ERROR(settle("ncclCommInitRank", goOn));
  runner = std::thread([this] { run(); });
  return absl::OkStatus();
}

/// Ends what the group has on the device. A kernel of NCCL's that waits for a
/// rank that is gone would not, and whatever waits for the device, such as
/// freeing its memory, with it. A thread of its own waits for the other ranks:
/// if they neither abort nor end, it is left behind, with the stream.
void NcclCollective::endGroup() {
  isAborted = true;
  if (!group)
    return;
  std::promise<void> promise;
  const std::future<void> hasEnded = promise.get_future();
  std::thread([nccl = nccl, ordinal = ordinal, stream = stream,
               group = std::exchange(group, nullptr),
               promise = std::move(promise)]() mutable {
    // An error of these is one of the next call, too.
    cudaSetDevice(ordinal);
    nccl.commAbort(group);
    cudaStreamSynchronize(stream);
    promise.set_value();
  }).detach();
  if (hasEnded.wait_for(longestAbort) != std::future_status::ready)
    stream = nullptr;
}

/// Other ranks may be at the last operation for longer than this one: where
/// data goes by way of NCCL's threads, they still send it, and aborting would
/// stop them.
void NcclCollective::flush() {
  const Clock::TimePoint deadline = Clock::steady().now() + longestFlush;
  absl::Status status = check(nccl.commFinalize(group), "ncclCommFinalize");
  if (status.ok())
    status = settle("ncclCommFinalize", [&] {
      return Clock::steady().now() < deadline
                 ? absl::OkStatus()
                 : absl::DeadlineExceededError("NCCL: a rank does not receive");
    });
  // An error is one of the other ranks, which report it themselves.
  status.IgnoreError();
}

/// Aborts the group rather than destroying it: both wait until the other ranks
/// of the machine do so, but only what is aborted ends on the device meanwhile.
NcclCollective::~NcclCollective() {
  const bool wasAborted = isAborted.exchange(true);
  const bool hasOpened = runner.joinable();
  {
    MutexLock lock(mutex);
    isOver = true;
  }
  changed.notifyAll();
  if (hasOpened)
    runner.join();
  if (cudaSetDevice(ordinal) != cudaSuccess)
    return;
  if (hasOpened && group && !wasAborted)
    flush();
  endGroup();
  if (ended)
    cudaEventDestroy(ended);
  if (stream)
    cudaStreamDestroy(stream);
}

absl::StatusOr<cudaEvent_t> NcclCollective::recordWork() const {
  cudaEvent_t ready = nullptr;
  RETURN_IF_ERROR(checkCuda(cudaSetDevice(ordinal), "cudaSetDevice"));
  RETURN_IF_ERROR(
      checkCuda(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming),
                "cudaEventCreate"));
  absl::Status status =
      checkCuda(cudaEventRecord(ready, work), "cudaEventRecord");
  if (status.ok())
    return ready;
  cudaEventDestroy(ready);
  return status;
}

void NcclCollective::allReduce(std::vector<DevicePart> parts, Done failing,
                               Done done) {
  absl::StatusOr<cudaEvent_t> ready = recordWork();
  if (!ready.ok())
    return done(ready.status());
  {
    MutexLock lock(mutex);
    operations.push_back(
        {std::move(parts), *ready, std::move(failing), std::move(done)});
  }
  changed.notifyAll();
}

void NcclCollective::run() {
  absl::Status usable = checkCuda(cudaSetDevice(ordinal), "cudaSetDevice");
  MutexLock lock(mutex);
  while (true) {
    while (operations.empty() && !isOver)
      changed.wait(lock);
    if (operations.empty())
      return;
    Operation next = std::move(operations.front());
    operations.pop_front();
    MutexUnlock unlock(mutex);
    absl::Status status = usable.ok() ? reduce(next) : usable;
    if (!status.ok()) {
      next.failing(status);
      endGroup(); // before the caller may free what it reduced
    }
    cudaEventDestroy(next.ready);
    next.done(std::move(status));
  }
}

/// All parts as one launch.
absl::Status NcclCollective::queue(const std::vector<DevicePart> &parts) {
  RETURN_IF_ERROR(check(nccl.groupStart(), "ncclGroupStart"));
  absl::Status status;
  for (const DevicePart &part : parts)
    status.Update(check(
        nccl.allReduce(part.gradient, part.mean,
                       part.bytes / byteWidth(part.dtype),
                       part.dtype == DType::F64 ? ncclFloat64 : ncclFloat32,
                       ncclAvg, group, stream),
        "ncclAllReduce"));
  status.Update(check(nccl.groupEnd(), "ncclGroupEnd"));
  return status;
}

absl::Status NcclCollective::reduce(const Operation &operation) {
  auto goOn = [this] { return checkAborted(); };
  RETURN_IF_ERROR(goOn());
  RETURN_IF_ERROR(checkCuda(cudaStreamWaitEvent(stream, operation.ready, 0),
                            "cudaStreamWaitEvent"));
  RETURN_IF_ERROR(queue(operation.parts));
  RETURN_IF_ERROR(settle("ncclAllReduce", goOn));
  RETURN_IF_ERROR(checkCuda(cudaEventRecord(ended, stream), "cudaEventRecord"));
  while (true) {
    const cudaError_t state = cudaEventQuery(ended);
    if (state == cudaSuccess)
      return absl::OkStatus();
    if (state != cudaErrorNotReady)
      return checkCuda(state, "ncclAllReduce");
    // A rank that has gone is an error of the group's.
    RETURN_IF_ERROR(settle("ncclAllReduce", goOn));
    RETURN_IF_ERROR(goOn());
    std::this_thread::sleep_for(pollInterval);
  }
}

absl::StatusOr<std::string> ps::runtime::makeNcclGroupId() {
  RETURN_IF_ERROR(getNccl().status());
  ncclUniqueId id;
  if (ncclResult_t result = getNccl()->getUniqueId(&id); result != ncclSuccess)
    return absl::UnimplementedError(absl::StrCat(
        "NCCL: ncclGetUniqueId: ", getNccl()->getErrorString(result)));
  return std::string(id.internal, deviceGroupIdBytes);
}

absl::StatusOr<std::unique_ptr<DeviceCollective>>
ps::runtime::joinNcclGroup(const DeviceGroupPlace &place,
                           absl::FunctionRef<absl::Status()> goOn, int ordinal,
                           cudaStream_t work) {
  RETURN_IF_ERROR(getNccl().status());
  auto group = std::make_unique<NcclCollective>(*getNccl(), ordinal, work);
  RETURN_IF_ERROR(group->open(place, goOn));
  return group;
}
