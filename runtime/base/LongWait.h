// SPDX-License-Identifier: Apache-2.0
//===- LongWait.h - logs waits that take long -----------------------------===//
//
// Some waits know what they are for: a LongWait. The places where a thread
// sleeps, in the executor or for a callback, do not; what began the work does.
// A thread that is to name its long waits has a WaitReason, and these places a
// ThreadWait.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_BASE_LONGWAIT_H
#define PS_RUNTIME_BASE_LONGWAIT_H

#include "absl/strings/str_cat.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Log.h"
#include "runtime/base/Mutex.h"
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace ps::runtime {

/// A wait that takes longer is logged, once.
inline constexpr absl::Duration noticeableWait = absl::Seconds(5);

/// A wait from its construction to its destruction, which are logged if it
/// takes longer than noticeableWait. The caller locks; `log` and `clock`
/// outlive it.
class LongWait {
public:
  LongWait(const Log &log, const Clock &clock)
      : log(log), clock(clock), begin(clock.now()) {}
  ~LongWait() {
    if (!what.empty())
      logLine(log, absl::StrCat("no longer waiting for ", what, ", after ",
                                length()));
  }
  LongWait(const LongWait &) = delete;
  LongWait &operator=(const LongWait &) = delete;

  /// Whether it has become long and has not been logged. Asked about as often
  /// as the log is to be exact.
  bool isDue() const {
    return what.empty() && clock.now() - begin >= clockDuration(noticeableWait);
  }
  /// Logs what it is for, once.
  void name(std::string reason) {
    what = std::move(reason);
    logLine(log,
            absl::StrCat("waiting for ", what, ", for ", length(), " so far"));
  }

private:
  std::string length() const {
    return absl::FormatDuration(absl::Trunc(
        absl::FromChrono(clock.now() - begin), absl::Milliseconds(100)));
  }

  const Log &log;
  const Clock &clock;
  const Clock::TimePoint begin;
  /// Empty until it is logged.
  std::string what;
};

/// What the thread that creates it waits for, wherever it sleeps, until it is
/// destroyed, on the same thread. They nest: the one of a thread that was
/// created last is completed by those before it.
class WaitReason {
public:
  struct Options {
    /// Called on the thread that waits, which holds no lock. An empty text: for
    /// nothing that is worth a line, so far.
    std::function<std::string()> describe;
    Log log = {};
    const Clock *clock = &Clock::steady();
  };
  /// For waits that no other reason is nearer to.
  explicit WaitReason(Options options);
  /// The same, for what comes next: "the other trainers". Within another one,
  /// whose text follows a colon.
  explicit WaitReason(std::string purpose);
  ~WaitReason();
  WaitReason(const WaitReason &) = delete;
  WaitReason &operator=(const WaitReason &) = delete;

private:
  friend class ThreadWait;
  std::string describe() const;

  const Options options;
  WaitReason *const outer;
};

/// A wait of this thread, from its construction to its destruction, which are
/// logged if it takes long and the thread has a reason. One within another is a
/// part of it. Created before the lock is taken.
class ThreadWait {
public:
  ThreadWait();
  ~ThreadWait();
  ThreadWait(const ThreadWait &) = delete;
  ThreadWait &operator=(const ThreadWait &) = delete;

  /// Waits for `changed`, perhaps without `lock`, which is one of `mutex`, for
  /// a while. May end early.
  void sleep(CondVar &changed, Mutex &mutex, MutexLock &lock)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  /// For a wait that does not sleep in here: called again and again, without
  /// locks.
  void look();

private:
  /// Null where waits have no names.
  const WaitReason *const reason;
  /// The wait that this one is a part of, or null.
  ThreadWait *const whole;
  std::optional<LongWait> wait;
  /// When to look whether it has become long.
  Clock::TimePoint nextLook;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_LONGWAIT_H
