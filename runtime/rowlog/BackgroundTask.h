// SPDX-License-Identifier: Apache-2.0
//===- BackgroundTask.h - what another thread does meanwhile --------------===//

#ifndef PS_RUNTIME_ROWLOG_BACKGROUNDTASK_H
#define PS_RUNTIME_ROWLOG_BACKGROUNDTASK_H

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "runtime/base/Mutex.h"
#include <string>
#include <thread>
#include <utility>

namespace ps::runtime {

/// A thread that runs one task at a time. It begins with the first one.
/// Thread-safe, except for start().
class BackgroundTask {
public:
  using Task = absl::AnyInvocable<absl::Status()>;

  /// `name` is the thread's, see nameThread().
  explicit BackgroundTask(std::string name) : name(std::move(name)) {}
  /// Waits for the task.
  ~BackgroundTask();

  /// Runs `task` on the thread, or at once if the system refuses one; waits for
  /// the task before. Throws nothing.
  void start(Task task);
  /// Waits for the last task and returns what it returned, RESOURCE_EXHAUSTED
  /// if it threw std::bad_alloc; OK if there was none.
  absl::Status wait();

private:
  void run();

  const std::string name;
  Mutex mutex;
  CondVar changed;
  /// Null once the thread has it.
  Task next ABSL_GUARDED_BY(mutex);
  /// From start() to the end of the task.
  bool working ABSL_GUARDED_BY(mutex) = false;
  absl::Status result ABSL_GUARDED_BY(mutex);
  bool stopping ABSL_GUARDED_BY(mutex) = false;
  std::thread thread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWLOG_BACKGROUNDTASK_H
