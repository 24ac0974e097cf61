// SPDX-License-Identifier: Apache-2.0
//===- TransferThread.h - starts transfers --------------------------------===//
//
// Handing megabytes to the system takes time in which the threads that compute
// have better things to do.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_EXECUTOR_TRANSFERTHREAD_H
#define PS_RUNTIME_EXECUTOR_TRANSFERTHREAD_H

#include "absl/functional/any_invocable.h"
#include "runtime/base/Mutex.h"
#include <deque>
#include <thread>

namespace ps::runtime {

/// A thread that runs what it is given, in that order; there is none before the
/// first. Thread-safe.
class TransferThread {
public:
  TransferThread() = default;
  /// Runs what it was given before.
  ~TransferThread();

  void post(absl::AnyInvocable<void()> start);

private:
  void loop();

  Mutex mutex;
  CondVar wake;
  /// Null ends the thread.
  std::deque<absl::AnyInvocable<void()>> queue ABSL_GUARDED_BY(mutex);
  /// Started under the lock; joined when no calls are left.
  std::thread thread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_EXECUTOR_TRANSFERTHREAD_H
