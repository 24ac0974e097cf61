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
#include <map>

namespace ps::runtime {

/// Shared by the clients of a trainer and its step loop. Steps are the
/// protocol's. Thread-safe.
class TrainerProgress {
public:
  /// A push of `step` goes on after its node is done: it waits in a queue.
  void addQueued(int64_t step) {
    MutexLock lock(mutex);
    ++queued[step];
  }
  /// It was applied.
  void removeQueued(int64_t step) {
    MutexLock lock(mutex);
    auto found = queued.find(step);
    if (--found->second == 0)
      queued.erase(found);
  }
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
  void write(wire::Progress &to) const {
    MutexLock lock(mutex);
    to.set_settled_step(queued.empty()
                            ? doneStep
                            : std::min(doneStep, queued.begin()->first - 1));
    to.set_next_checkpoint(nextCheckpoint);
  }

private:
  mutable Mutex mutex;
  /// How many pushes of a step are queued.
  std::map<int64_t, int> queued ABSL_GUARDED_BY(mutex);
  int64_t doneStep ABSL_GUARDED_BY(mutex) = startupStep;
  int64_t nextCheckpoint ABSL_GUARDED_BY(mutex) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_TRAINERPROGRESS_H
