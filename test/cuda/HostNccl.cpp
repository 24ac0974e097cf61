// SPDX-License-Identifier: Apache-2.0
//===- HostNccl.cpp - NCCL's functions on the host ------------------------===//
//
// Ranks, which are threads or processes of one machine, meet in shared memory.
// An all-reduce is work of a stream of HostRuntime.cpp: as NCCL's within a
// machine, it goes on until all ranks take part or the group is aborted, and
// does not notice when one is lost. Aborting waits until the other ranks do so,
// too, or have ended.
//
// With the environment variable PS_HOST_NCCL_FAIL=N the N-th all-reduce of a
// process fails where it is started, of that rank only.
//
//===----------------------------------------------------------------------===//

#include "test/cuda/HostStream.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <nccl.h>
#include <poll.h>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace {
constexpr int kMostRanks = 16;
/// What the others read of a rank at a time.
constexpr size_t kSlotBytes = size_t{1} << 20;

struct Meeting {
  std::atomic<int> joined;
  /// The processes of ranks; 0 for one that has not joined yet, or aborts.
  std::atomic<pid_t> processes[kMostRanks];
  /// Twice the pieces that a rank has read from all, plus 1 when its next one
  /// is in its slot.
  std::atomic<uint64_t> turns[kMostRanks];
  std::byte slots[kMostRanks][kSlotBytes];
};

void waitBriefly() {
  std::this_thread::sleep_for(std::chrono::microseconds(20));
}

/// Also false for a process that its parent has not waited for.
bool isAlive(pid_t process) {
  const int file = int(::syscall(SYS_pidfd_open, process, 0));
  if (file < 0)
    return false;
  pollfd ended = {.fd = file, .events = POLLIN, .revents = 0};
  const bool isOver = ::poll(&ended, 1, /*timeout=*/0) > 0;
  ::close(file);
  return !isOver;
}

/// What outlives an aborted group, as its work may not have ended.
struct Rank {
  Meeting *meeting = nullptr;
  int rank = 0, ranks = 0;
  uint64_t pieces = 0;
  std::atomic<int> pending = 0;
  std::atomic<bool> isAborted = false, isFinalized = false;

  ~Rank() { ::munmap(meeting, sizeof(Meeting)); }
  bool waitForTurn(uint64_t turn) const {
    for (int other = 0; other < ranks; ++other)
      while (meeting->turns[other] < turn) {
        if (isAborted)
          return false;
        waitBriefly();
      }
    return true;
  }

  /// As NCCL's threads, which end when no other rank is connected to them.
  void leave() {
    isAborted = true;
    meeting->processes[rank] = 0;
    for (const std::atomic<pid_t> &other : meeting->processes)
      while (const pid_t process = other)
        if (isAlive(process))
          waitBriefly();
        else
          break;
  }

  /// The mean of all ranks' elements, added up in the order of the ranks.
  template <typename T>
  void reduce(const T *from, T *to, size_t count) {
    constexpr size_t atATime = kSlotBytes / sizeof(T);
    for (size_t begin = 0; begin < count; begin += atATime) {
      const size_t size = std::min(atATime, count - begin);
      if (!waitForTurn(2 * pieces))
        return;
      std::memcpy(meeting->slots[rank], from + begin, size * sizeof(T));
      meeting->turns[rank] = 2 * pieces + 1;
      if (!waitForTurn(2 * pieces + 1))
        return;
      for (size_t i = 0; i < size; ++i) {
        T sum = 0;
        for (int other = 0; other < ranks; ++other)
          sum += reinterpret_cast<const T *>(meeting->slots[other])[i];
        to[begin + i] = sum / T(ranks);
      }
      meeting->turns[rank] = 2 * ++pieces;
    }
  }
};
} // namespace

struct ncclComm {
  std::shared_ptr<Rank> rank = std::make_shared<Rank>();
};

PS_CUDA_FUNCTION ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  const std::string name = "/ps-host-nccl-" + std::to_string(::getpid()) + "-" +
                           std::to_string(std::random_device{}());
  std::memset(id->internal, 0, sizeof(id->internal));
  name.copy(id->internal, sizeof(id->internal) - 1);
  return ncclSuccess;
}

PS_CUDA_FUNCTION ncclResult_t ncclCommInitRankConfig(ncclComm_t *made,
                                                     int ranks, ncclUniqueId id,
                                                     int rank, ncclConfig_t *) {
  const int file = ::shm_open(id.internal, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ranks > kMostRanks || ::ftruncate(file, sizeof(Meeting)) != 0)
    return ncclSystemError;
  void *memory = ::mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE,
                        MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED)
    return ncclSystemError;
  *made = new ncclComm;
  Rank &own = *(*made)->rank;
  own.meeting = static_cast<Meeting *>(memory);
  own.rank = rank;
  own.ranks = ranks;
  own.meeting->processes[rank] = ::getpid();
  // All have it now: it goes with the last of them.
  if (++own.meeting->joined == ranks)
    ::shm_unlink(id.internal);
  return ncclInProgress;
}

PS_CUDA_FUNCTION ncclResult_t ncclCommGetAsyncError(ncclComm_t group,
                                                    ncclResult_t *state) {
  const Rank &own = *group->rank;
  *state = own.meeting->joined < own.ranks || (own.isFinalized && own.pending)
               ? ncclInProgress
               : ncclSuccess;
  return ncclSuccess;
}

PS_CUDA_FUNCTION ncclResult_t ncclCommFinalize(ncclComm_t group) {
  group->rank->isFinalized = true;
  return ncclInProgress;
}

PS_CUDA_FUNCTION ncclResult_t ncclCommAbort(ncclComm_t group) {
  group->rank->leave();
  delete group;
  return ncclSuccess;
}

PS_CUDA_FUNCTION ncclResult_t ncclGroupStart() { return ncclSuccess; }
PS_CUDA_FUNCTION ncclResult_t ncclGroupEnd() { return ncclSuccess; }

PS_CUDA_FUNCTION ncclResult_t ncclAllReduce(const void *from, void *to,
                                            size_t count, ncclDataType_t type,
                                            ncclRedOp_t operation,
                                            ncclComm_t group,
                                            cudaStream_t stream) {
  if (operation != ncclAvg || (type != ncclFloat32 && type != ncclFloat64))
    return ncclInvalidArgument;
  static std::atomic<int64_t> untilFailure = [] {
    const char *text = std::getenv("PS_HOST_NCCL_FAIL");
    return text ? std::atoll(text) : 0;
  }();
  if (untilFailure > 0 && --untilFailure == 0)
    return ncclUnhandledCudaError;
  ++group->rank->pending;
  // Also where the GPU is lost, and the work is not done.
  const std::shared_ptr<Rank> ends(
      group->rank.get(),
      [own = group->rank](Rank *) mutable { --own->pending; });
  const cudaError_t added =
      psAddComputation(stream, [own = ends, from, to, count, type] {
        if (type == ncclFloat32)
          own->reduce(static_cast<const float *>(from),
                      static_cast<float *>(to), count);
        else
          own->reduce(static_cast<const double *>(from),
                      static_cast<double *>(to), count);
      });
  return added == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

PS_CUDA_FUNCTION const char *ncclGetErrorString(ncclResult_t result) {
  return result == ncclUnhandledCudaError ? "unhandled cuda error"
                                          : "another error of NCCL";
}
PS_CUDA_FUNCTION const char *ncclGetLastError(ncclComm_t) { return ""; }
