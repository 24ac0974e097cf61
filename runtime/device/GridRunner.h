// SPDX-License-Identifier: Apache-2.0
//===- GridRunner.h - a grid of threads, run by the host ------------------===//
//
// Runs what ps-schedule-gpu-kernels makes, compiled for the host
// (tools/ps-run/loader/HostGrid.h), block by block: the threads of a block take
// turns, each until it waits for others. Slow, and without races that depend on
// timing.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_GRIDRUNNER_H
#define PS_RUNTIME_DEVICE_GRIDRUNNER_H

#include "runtime/base/Kernel.h"
#include "runtime/device/Device.h"
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace ps::runtime {

/// What a thread of a grid knows of itself. Compiled code reads it by the byte
/// offsets of its members.
struct GridThread {
  int64_t block = 0, thread = 0;
  /// Returns when all threads of the block have called it.
  void (*barrier)(GridThread *) = nullptr;
  /// Returns what the thread `source` of the block has passed as `value`. All
  /// threads of the block call it, as often as each other.
  int32_t (*shuffle)(GridThread *, int32_t value, int64_t source) = nullptr;
  /// Returns a bit for each thread of the warp, which is set if it has passed
  /// 1, and not 0, as `vote`. All threads of the block call it, as often as
  /// each other.
  int32_t (*ballot)(GridThread *, int32_t vote) = nullptr;
  /// The memory that the threads of a block share.
  std::byte *shared = nullptr;
};

/// The code of a function: what the handle of a DeviceFunction for the chip
/// "host" points to.
struct GridCode {
  /// Called with the buffers, the number of rows, and the address of a
  /// GridThread.
  KernelFunction function = nullptr;
  /// Whether threads wait for each other, at a barrier, in a shuffle or in a
  /// ballot.
  bool waits = false;
  /// How large the memory is that the threads of a block share.
  size_t sharedBytes = 0;
};

/// Runs one function. The order of blocks, and that of threads between two
/// barriers, are drawn from `order`: results must not depend on it.
void runGrid(const DeviceFunction &function, std::span<void *const> buffers,
             int64_t rows, std::mt19937_64 &order);

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_GRIDRUNNER_H
