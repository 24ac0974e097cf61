//===- Communicator.h - what trainers do among themselves -----------------===//
//
// The seam between programs and collective operations. A plain implementation
// for the trainers of one process is in InProcessGroup.h; one conformance test
// runs on every implementation.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_COLLECTIVE_COMMUNICATOR_H
#define PS_RUNTIME_COLLECTIVE_COMMUNICATOR_H

#include "runtime/executor/Program.h"
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// A gradient and where its mean goes: as many bytes, the same or others.
struct ReducePart {
  DType dtype = DType::F32;
  std::span<const std::byte> gradient;
  std::span<std::byte> mean;
};

/// One trainer's line to the others. Thread-safe. Calls return at once; `done`
/// runs exactly once, perhaps before the call returns, on any thread, and must
/// not block. Calls of equal step and channel belong together: every trainer
/// that has not completed makes each of them once, in any order, with parts of
/// equal types and sizes. Every call ends: when somebody is missing for too
/// long or has failed, the error names who, the operation and the step.
class Communicator {
public:
  virtual ~Communicator() = default;

  /// The mean over the trainers that take part, summed in order of their ids.
  /// Half types are summed in f32. The caller keeps gradients unchanged, and
  /// off the means, until `done`.
  virtual void allReduce(int64_t step, int64_t channel,
                         std::vector<ReducePart> parts, Done done) = 0;
  /// Gives every trainer the bytes that trainer 0 has in `value`.
  virtual void broadcast(int64_t step, int64_t channel,
                         std::span<std::byte> value, Done done) = 0;
  /// The trainer has finished its last step: the others go on without it.
  /// Idempotent.
  virtual void complete() = 0;
  /// The trainer failed: the job ends for everybody, quoting `reason`.
  virtual void abort(const std::string &reason) = 0;

  /// Why the job is lost; OK while it is not.
  virtual absl::Status health() const = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_COMMUNICATOR_H
