// SPDX-License-Identifier: Apache-2.0
//===- Device.h - what a process computes on ------------------------------===//
//
// A device has the memory spaces that programs name and copies between them.
// Variables, arenas, constants and feeds take their memory from one. The CPU
// has no memory besides the host's.
//
// Any other device has memory of its own and a queue: what it is given, by
// launch(), multiply() and copy(), has the effect of being done one after the
// other. So work that comes after other work of the same device need not wait
// for it on the host.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_DEVICE_H
#define PS_RUNTIME_DEVICE_DEVICE_H

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Done.h"
#include "runtime/base/Precision.h"
#include "runtime/base/Status.h"
#include "runtime/base/Tensor.h"
#include "runtime/device/DeviceCollective.h"
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ps::runtime {

/// A function of a device's code, and the grid of threads that it has; see
/// exec.grid of the exec dialect. Threads of a block work together where it has
/// more of them than points.
struct DeviceFunction {
  std::string name;
  /// What the device that loaded it knows it by.
  const void *handle = nullptr;
  int64_t points = 0, pointsPerBlock = 1, threads = 1;
  bool perRow = false;

  /// The blocks of a launch on so many rows.
  int64_t numBlocks(int64_t rows) const {
    return ((perRow ? points * rows : points) + pointsPerBlock - 1) /
           pointsPerBlock;
  }
};

/// A kernel as functions that run one after the other.
struct DeviceKernel {
  std::vector<DeviceFunction> functions;
  /// Bytes of each buffer that the functions need besides arguments and
  /// results; bytes per row in a row kernel.
  std::vector<int64_t> scratchBytes;
};

/// C[m,n] = op(A) * op(B) of f32, row-major, `batch` times back to back; the
/// pointers are to the device's memory.
struct DeviceProduct {
  Precision precision = Precision::F32;
  bool transposeA = false, transposeB = false;
  int64_t batch = 1, m = 0, n = 0, k = 0;
  const float *a = nullptr, *b = nullptr;
  float *c = nullptr;
};

/// Thread-safe; outlives all memory it has given. Load(), launch() and
/// multiply() are FAILED_PRECONDITION where chip() is empty. Libraries that are
/// opened at run time have devices, so nothing here is code of another file.
class Device {
public:
  virtual ~Device() = default;
  /// For messages: "cpu", "cuda:0".
  virtual std::string_view name() const = 0;
  /// The code that load() takes: PTX for "sm_90" and the like, functions of the
  /// host for "host"; empty where kernels run on the host.
  virtual std::string_view chip() const { return ""; }
  /// Zeroed memory in `space`; that of the host is such as the device copies
  /// from and to fast. FAILED_PRECONDITION where it has no such memory,
  /// RESOURCE_EXHAUSTED where there is not enough of it.
  virtual absl::StatusOr<Buffer> allocate(MemorySpace space, size_t bytes) = 0;
  /// Copies all bytes of `source` to `target`, which has as many, elsewhere.
  /// The caller keeps both until `done`, which is called once, perhaps before
  /// this returns, on any thread, and must not block.
  virtual void copy(const TensorRef &source, const TensorRef &target,
                    Done done) = 0;
  /// Sets the handles of `functions`, which `code` has by their names. The
  /// device keeps them. INVALID_ARGUMENT says why it does not take the code.
  virtual absl::Status load(const std::string &code,
                            std::vector<DeviceFunction> &functions) = 0;
  /// Queues a function on `buffers`, pointers to the device's memory, and so
  /// many rows; the caller keeps neither. Here and in multiply(), a failure of
  /// the work itself is one of the next copy().
  virtual absl::Status launch(const DeviceFunction &function,
                              std::span<void *const> buffers, int64_t rows) = 0;
  virtual absl::Status multiply(const DeviceProduct &product) = 0;
  /// Returns when all that was queued is done: before memory or code that it
  /// works with goes.
  virtual void drain() {}

  /// Calls `reached`, on any thread, with the time when the device had done all
  /// that it had been given. It must not block.
  virtual void mark(absl::AnyInvocable<void(Clock::TimePoint)> reached) = 0;

  /// What tells the device from all others, those of other machines, too. Empty
  /// where it joins no groups.
  virtual std::string uniqueName() const { return ""; }
  /// An id of deviceGroupIdBytes for one group, of which this device is rank 0.
  /// UNIMPLEMENTED says why the device joins no groups.
  virtual absl::StatusOr<std::string> makeGroupId() {
    return absl::UnimplementedError(absl::StrCat(
        "device '", std::string(name()), "' joins no groups of devices"));
  }
  /// Takes its place in a group, which waits for all ranks, or until `goOn`,
  /// called now and then, says why not.
  virtual absl::StatusOr<std::unique_ptr<DeviceCollective>>
  joinGroup(const DeviceGroupPlace &, absl::FunctionRef<absl::Status()> goOn) {
    RETURN_IF_ERROR(goOn());
    return makeGroupId().status();
  }

  /// The host's processor. Lives as long as the process.
  static Device &cpu();
};

/// Copies and waits for it. Not on a thread that the device needs.
absl::Status copyAndWait(Device &device, const TensorRef &source,
                         const TensorRef &target);

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_DEVICE_H
