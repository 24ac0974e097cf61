// SPDX-License-Identifier: Apache-2.0
//===- TrainerProgress.h - how far a trainer has come ---------------------===//
//
// Where trainers do not keep step, another process may take the place of one
// that is lost. A trainer therefore reports to its pservers which of its steps
// are over: all that was pushed in them, to whichever pserver, has been
// applied. No pserver knows that by itself.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CLIENT_TRAINERPROGRESS_H
#define PS_RUNTIME_CLIENT_TRAINERPROGRESS_H

#include "runtime/base/Mutex.h"
#include "runtime/protocol/Service.h"
#include <algorithm>

namespace ps::runtime {

/// Shared by the clients of a trainer and its step loop. Steps are the
/// protocol's. Thread-safe.
class TrainerProgress {
public:
  /// All nodes of the steps up to `step` are done.
  void setDone(int64_t step) {
    MutexLock lock(mutex);
    doneStep = std::max(doneStep, step);
  }
  /// All checkpoints before `step` of the program were taken.
  void setNextCheckpoint(int64_t step) {
    MutexLock lock(mutex);
    nextCheckpoint = step;
  }
  /// Names the states of all pservers together (digestOf).
  void setPServers(uint64_t digest) {
    MutexLock lock(mutex);
    pservers = digest;
  }
  void write(wire::Progress &to) const {
    MutexLock lock(mutex);
    to.set_settled_step(doneStep);
    to.set_next_checkpoint(nextCheckpoint);
    to.set_pservers(pservers);
  }

private:
  mutable Mutex mutex;
  int64_t doneStep ABSL_GUARDED_BY(mutex) = startupStep;
  int64_t nextCheckpoint ABSL_GUARDED_BY(mutex) = 0;
  uint64_t pservers ABSL_GUARDED_BY(mutex) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_TRAINERPROGRESS_H
