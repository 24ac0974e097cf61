// SPDX-License-Identifier: Apache-2.0
//===- Mutex.h - locks that the compiler checks ---------------------------===//
//
// std::mutex with the annotations of Clang's thread-safety analysis, which
// -Wthread-safety checks: a member that is ABSL_GUARDED_BY(mutex) cannot be
// used without the lock. Waits are by the steady clock: a wall clock that is
// put forward or back ends those of absl::CondVar early or late.
//
// The analysis does not look into predicates: wait in a loop,
//
//   while (!ready)
//     changed.wait(lock);
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_BASE_MUTEX_H
#define PS_RUNTIME_BASE_MUTEX_H

#include "absl/base/thread_annotations.h"
#include "runtime/base/Clock.h"
#include <condition_variable>
#include <mutex>

namespace ps::runtime {

class ABSL_LOCKABLE Mutex {
public:
  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex.lock(); }
  void unlock() ABSL_UNLOCK_FUNCTION() { mutex.unlock(); }

private:
  friend class CondVar;
  std::mutex mutex; // Its users annotate what it guards.
};

/// Holds a mutex for a scope, in which it may be unlocked and locked again.
class ABSL_SCOPED_LOCKABLE MutexLock {
public:
  explicit MutexLock(Mutex &mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex)
      : mutex(mutex) {
    mutex.lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() {
    if (held)
      mutex.unlock();
  }
  MutexLock(const MutexLock &) = delete;
  MutexLock &operator=(const MutexLock &) = delete;

  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() {
    mutex.lock();
    held = true;
  }
  void unlock() ABSL_UNLOCK_FUNCTION() {
    held = false;
    mutex.unlock();
  }

private:
  friend class CondVar;
  Mutex &mutex;
  bool held = true;
};

// Abseil's annotation of a release is one of either kind of lock, which the
// analysis does not undo at the end of a scope.
#if defined(__clang__)
#define PS_RELEASES(mutex) __attribute__((release_capability(mutex)))
#else
#define PS_RELEASES(mutex)
#endif

/// Releases a mutex for a scope, at whose end it is held again: also when an
/// exception ends it.
class ABSL_SCOPED_LOCKABLE MutexUnlock {
public:
  explicit MutexUnlock(Mutex &mutex) PS_RELEASES(mutex) : mutex(mutex) {
    mutex.unlock();
  }
  ~MutexUnlock() ABSL_UNLOCK_FUNCTION() { mutex.lock(); }
  MutexUnlock(const MutexUnlock &) = delete;
  MutexUnlock &operator=(const MutexUnlock &) = delete;

private:
  Mutex &mutex;
};

/// A condition variable for Mutex. Waits may end without a notification.
class CondVar {
public:
  void notifyOne() { condition.notify_one(); }
  void notifyAll() { condition.notify_all(); }

  /// The caller holds `lock`, and does again when this returns.
  void wait(MutexLock &lock) {
    Native native(lock);
    condition.wait(native.lock);
  }
  /// Ends at `deadline` at the latest.
  void waitUntil(MutexLock &lock, Clock::TimePoint deadline) {
    Native native(lock);
    condition.wait_until(native.lock, deadline);
  }

private:
  /// The lock in the form that the standard library wants, for one wait.
  struct Native {
    explicit Native(MutexLock &lock)
        : lock(lock.mutex.mutex, std::adopt_lock) {}
    ~Native() { lock.release(); }
    std::unique_lock<std::mutex> lock;
  };
  std::condition_variable condition;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_MUTEX_H
