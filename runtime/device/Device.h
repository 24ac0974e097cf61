// SPDX-License-Identifier: Apache-2.0
//===- Device.h - what a process computes on ------------------------------===//
//
// A device has the memory spaces that programs name and copies between them.
// Variables, arenas, constants and feeds take their memory from one. The CPU
// has no memory besides the host's.
//
// Any other device has memory of its own and a queue: what it is given, by
// launch(), multiply(), copy() and their kin, has the effect of being done one
// after the other. So work that comes after other work of the same device need
// not wait for it on the host.
//
// Beside the queue there are transfer()s between its memory and the host's, one
// lane for each direction. A transfer comes after the moments of the queue that
// it names, and after transfers of its lane; nothing else orders it. What is
// queued does not wait for it: work that needs it is queued after its `done`.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_DEVICE_H
#define PS_RUNTIME_DEVICE_DEVICE_H

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Done.h"
#include "runtime/base/Join.h"
#include "runtime/base/Precision.h"
#include "runtime/base/Status.h"
#include "runtime/base/Tensor.h"
#include "runtime/device/DeviceCollective.h"
#include "runtime/device/ProductEpilogue.h"
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

/// C[m,n] = op(A) * op(B), row-major, `batch` times back to back; the pointers
/// are to the device's memory. C and sums are f32, A and B f32 that the product
/// may round to tf32, or bf16. An epilogue is done to each element before it is
/// written, or one operand of f32 is summed besides, not rounded.
struct DeviceProduct {
  Precision precision = Precision::F32;
  bool transposeA = false, transposeB = false;
  int64_t batch = 1, m = 0, n = 0, k = 0;
  const void *a = nullptr, *b = nullptr;
  float *c = nullptr;
  Epilogue epilogue = Epilogue::None;
  /// n elements, added to each row where the epilogue adds a bias.
  const float *bias = nullptr;
  SummedOperand summed = SummedOperand::None;
  /// The sums over k of op(A), m of them, or of op(B), n; of one product only.
  float *sums = nullptr;

  bool isPlain() const {
    return epilogue == Epilogue::None && summed == SummedOperand::None;
  }
  /// `count` of the batch, from `first` on.
  DeviceProduct part(int64_t first, int64_t count) const {
    auto skip = [&](const void *operand, int64_t elements) {
      return static_cast<const std::byte *>(operand) +
             first * elements * operandBytes(precision);
    };
    DeviceProduct product = *this;
    product.batch = count;
    product.a = skip(a, m * k);
    product.b = skip(b, k * n);
    product.c = c + first * m * n;
    return product;
  }
};

/// A place in a device's queue: behind all that had been queued when it was
/// made.
class DeviceMoment {
public:
  virtual ~DeviceMoment() = default;
};
/// Null is before everything.
using Moment = std::shared_ptr<const DeviceMoment>;

/// Work of a queue that can be queued again as one. Goes after drain().
class DeviceGraph {
public:
  virtual ~DeviceGraph() = default;
  /// Queues all of it. Not from two threads at a time.
  virtual absl::Status launch() = 0;
};

/// What a device works at side by side.
enum class DeviceLane { Queue, ToDevice, ToHost };

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
  /// Before the first multiply() of a product that is not plain, and of others
  /// that are to be fast: UNIMPLEMENTED says why it is none that the device
  /// computes as ProductEpilogue.h says. May try it for about a second, in
  /// memory of its own, as much as the product's if there is.
  virtual absl::Status prepare(const DeviceProduct &product) {
    if (product.isPlain())
      return absl::OkStatus();
    return absl::UnimplementedError(absl::StrCat(
        "device '", std::string(name()), "' multiplies without epilogues"));
  }
  /// As copy(), within the device's memory, and as launch().
  virtual absl::Status copyWithin(const TensorRef &source,
                                  const TensorRef &target) {
    return await([&](Done done) { copy(source, target, std::move(done)); });
  }
  /// The work that `queueWork` queues on this thread, by launch(), multiply()
  /// and copyWithin(), as one. It is not done now; what other threads queue
  /// meanwhile is not part of it. An error says why there is no such graph.
  virtual absl::StatusOr<std::unique_ptr<DeviceGraph>>
  capture(absl::FunctionRef<absl::Status()>) {
    return absl::UnimplementedError(absl::StrCat(
        "device '", std::string(name()), "' has no graphs of work"));
  }

  /// The moment behind all that is queued.
  virtual absl::StatusOr<Moment> moment() { return Moment(); }
  /// Copies between the host's memory and the device's beside the queue, when
  /// all moments of `after` have come. Otherwise as copy().
  virtual void transfer(const TensorRef &source, const TensorRef &target,
                        std::span<const Moment> /*after*/, Done done) {
    copy(source, target, std::move(done));
  }
  /// Returns when all that was queued, and every transfer, is done: before
  /// memory or code that they work with goes.
  virtual void drain() {}

  /// Calls `reached`, on any thread, with the time when the device had done all
  /// that it had been given. It must not block.
  virtual void mark(absl::AnyInvocable<void(Clock::TimePoint)> reached) = 0;
  /// The same for a lane, when all moments of `after` have come.
  virtual void markLane(DeviceLane, std::span<const Moment> /*after*/,
                        absl::AnyInvocable<void(Clock::TimePoint)> reached) {
    mark(std::move(reached));
  }

  /// Different from that of every other device, also of other machines. Empty
  /// where the device joins no groups.
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

/// A transfer that comes after all that is queued now, and that what is queued
/// from now on does not wait for.
void transferBeside(Device &device, const TensorRef &source,
                    const TensorRef &target, Done done);

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_DEVICE_H
