// SPDX-License-Identifier: Apache-2.0
//===- Communicator.h - what trainers do among themselves -----------------===//
//
// The seam between programs and collective operations. A plain implementation
// for the trainers of one process is in InProcessGroup.h; one conformance test
// runs on every implementation.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_COLLECTIVE_COMMUNICATOR_H
#define PS_RUNTIME_COLLECTIVE_COMMUNICATOR_H

#include "runtime/base/Done.h"
#include "runtime/base/Tensor.h"
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// A gradient and where its mean goes: as many bytes, the same or others. Both
/// are in `space`, as are all parts of an operation.
struct ReducePart {
  DType dtype = DType::F32;
  std::span<const std::byte> gradient;
  std::span<std::byte> mean;
  MemorySpace space = MemorySpace::Host;
};

/// One trainer's connection to the others. Thread-safe. Calls return at once;
/// `done` runs exactly once, perhaps before the call returns, on any thread,
/// and must not block.
///
/// Operations are issued in order: the calls of a trainer have ascending steps
/// and, within a step, ascending channels, and all trainers issue the same
/// operations, with parts of equal types and sizes. The next one may be issued
/// before the one before is done. Members change between steps only: those
/// that issue the first operation of a step issue all of them. INVALID_ARGUMENT
/// where a call breaks this. Every call ends: when a member is missing for too
/// long, has failed, or has left within a step, the error names it, the
/// operation and the step; later calls get the reason alone.
class Communicator {
public:
  virtual ~Communicator() = default;

  /// The mean over the members of the step, the same bytes for all of them. In
  /// which order it is summed is the implementation's choice; half types are
  /// summed in f32. Only a DeviceGroup takes parts in a device's memory. A mean
  /// may take the place of its own gradient and overlaps nothing else. The
  /// caller keeps gradients unchanged until `done`.
  virtual void allReduce(int64_t step, int64_t channel,
                         std::vector<ReducePart> parts, Done done) = 0;
  /// Gives every trainer the bytes that trainer 0 has in `value`.
  virtual void broadcast(int64_t step, int64_t channel,
                         std::span<std::byte> value, Done done) = 0;
  /// Adds up numbers of all trainers that have not left, in f64 and in the
  /// order of their ids, in place. Sums come after the other operations of
  /// their step, with ascending `index`.
  virtual void sum(int64_t step, int64_t index, std::span<double> values,
                   Done done) = 0;
  /// The trainer was asked to stop, and has put a number that is not 0 into its
  /// place of `proposals`, which has one for each trainer. Done when those of
  /// all that have not left are there, with 0 for one that had left before. At
  /// any time, beside the operations, once; the caller keeps `proposals` until
  /// `done`. The others get to know that they are to do the same.
  virtual void proposeStop(std::span<double> proposals, Done done) = 0;
  /// The trainer has finished its last step: from the next one on, the others
  /// continue without it. Idempotent.
  virtual void complete() = 0;
  /// The trainer failed: the job ends for all trainers, quoting `reason`.
  virtual void abort(const std::string &reason) = 0;

  /// Why the job is lost; OK while it is not.
  virtual absl::Status health() const = 0;
  /// The trainers whose part of this trainer's operation under way is missing:
  /// "trainers 1, 3, all_reduce 0 of step 3". Empty where there is none.
  virtual std::string describePending() const = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_COMMUNICATOR_H
